//! What the variable of a tile loop does: loads, stores, fills, and its extent.
//!
//! A tensor fits a loop when its axes are those of the loop's tensor, entry by entry: then this tile of the one is this
//! tile of the other, whatever the sizes.

use super::call::Arg;
use super::cx::Cx;
use super::scope::{LoopKind, Num, Val};
use super::span::{text, Node};
use super::tile::cast_text;
use crate::diag::Code;
use crate::dtype::DType;
use crate::ir::{
    dim_size, product, Access, AxId, Axes, Dim, Index, LoopId, ParamId, Role, Scalar, StmtKind, TileExpr, Ty, ValueId,
};
use syn::{Expr, ExprMethodCall};

const FLAT: &[&str] = &["load", "store", "full", "start", "len"];
const ROWS: &[&str] = &["load", "store", "load_row", "load_col", "store_col", "full", "col", "col_tiles", "start", "rows"];
const COLS: &[&str] = &["load", "store", "load_row", "full", "start", "len"];

/// Which part of a tensor a tile loop reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The elements of this tile: `t.load(x)`.
    Tile,
    /// One row for all rows of the tile (its columns in a column loop): `r.load_row(gamma)`.
    Row,
    /// One element a row: `r.store_col(y, v)`, `r.load_col(x)`.
    Col,
}

impl Cx<'_> {
    /// `t.method(..)` on the variable of a tile loop.
    pub fn handle_method(&mut self, l: LoopId, m: &ExprMethodCall, e: &Expr, hint: Option<Ty>) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        let (kind, start, len) = {
            let info = &self.loops[l.index()];
            (info.kind, info.start, info.len)
        };
        let (methods, what) = match kind {
            LoopKind::Flat => (FLAT, "a tile of `tiles`"),
            LoopKind::Rows => (ROWS, "a tile of `row_tiles`"),
            LoopKind::Cols => (COLS, "a tile of `col_tiles`"),
        };
        if name == "col_tiles" && kind != LoopKind::Rows {
            let d = self
                .error(Code::J0109, &super::call::method_ends(m), format!("`col_tiles` of {what}"))
                .help("columns are split inside a row loop: `for r in row_tiles(x) { for c in r.col_tiles() { .. } }`");
            return self.bad(d);
        }
        if !methods.contains(&name.as_str()) {
            // A wrong word for a store still names the output it was meant for.
            self.doubt = true;
            return self.no_method(what, &m.method, methods);
        }
        match name.as_str() {
            "load" => self.load(l, Part::Tile, &args, m, e),
            "load_row" => self.load(l, Part::Row, &args, m, e),
            "load_col" => self.load(l, Part::Col, &args, m, e),
            "store" => self.store(l, Part::Tile, &args, m, e),
            "store_col" => self.store(l, Part::Col, &args, m, e),
            "full" | "col" => self.fill(l, &args, m, e, hint),
            "col_tiles" => self.col_tiles(l, &args, m, e),
            _ => match self.exactly::<0>(&name, &args, e, "") {
                Some(_) => Val::Num(Num::index(if name == "start" { start } else { len })),
                None => Val::Unknown,
            },
        }
    }

    fn extent(&self, l: LoopId, part: Part) -> Axes {
        let info = &self.loops[l.index()];
        let (rows, cols) = match info.kind {
            LoopKind::Flat => (None, info.ax),
            LoopKind::Rows => (Some(info.ax), info.row.unwrap_or(info.ax)),
            LoopKind::Cols => (info.parent.map(|l| self.loops[l.index()].ax), info.ax),
        };
        match part {
            Part::Tile => rows.into_iter().chain([cols]).collect(),
            Part::Row => Axes::from([cols]),
            Part::Col => rows.into_iter().collect(),
        }
    }

    /// The part of a tensor that has these axes: one that has as many as a row and its columns is seen so.
    fn access(&self, l: LoopId, part: Part, param: ParamId) -> Access {
        let axes = self.extent(l, part);
        let first = |ax| self.loops.iter().find(|l| l.ax == ax).map_or(Scalar::Int(0), |l| l.start.into());
        let index: Vec<Index> = self.outer_first(&axes).into_iter().map(|ax| Index::along(ax, first(ax))).collect();
        let shape = self.sig.shape(param);
        let dims = match (&index[..], shape.split_last()) {
            ([_, _], Some((last, rest))) => vec![product(rest), dim_size(last)],
            _ => vec![self.sig.elements(param)],
        };
        Access { param, dims, index }
    }

    /// Axes in the order in which they stand in GM.
    fn outer_first(&self, axes: &Axes) -> Vec<AxId> {
        let is_rows = |ax: &AxId| self.loops.iter().any(|l| l.kind == LoopKind::Rows && l.ax == *ax);
        let (rows, cols): (Vec<AxId>, Vec<AxId>) = axes.iter().partition(is_rows);
        rows.into_iter().chain(cols).collect()
    }

    /// The tensor argument of a load or store, with its shape checked against the loop's.
    fn tensor_arg(&mut self, l: LoopId, part: Part, arg: &Arg<'_>, name: &str) -> Option<ParamId> {
        let Val::Tensor(p) = arg.0 else {
            self.wrong_kind(arg, "a GlobalTensor");
            return None;
        };
        let over = self.loops[l.index()].over;
        if !(self.shape_known[p.index()] && self.shape_known[over.index()]) {
            return Some(p);
        }
        let whole = self.sig.shape(over);
        let (wanted, here) = match part {
            Part::Tile => (whole, self.sig.shape(p)),
            Part::Row => (&whole[whole.len().saturating_sub(1)..], self.sig.shape(p)),
            Part::Col => (&whole[..whole.len().saturating_sub(1)], self.sig.shape(p)),
        };
        // A vector has no rows, so one value a row of it is a tensor of one element.
        let one = [Dim::Expr { size: Scalar::Int(1) }];
        let wanted = if wanted.is_empty() { &one[..] } else { wanted };
        if wanted == here {
            return Some(p);
        }
        let hidden = self.hidden_axis(over);
        let (wanted, here) = (self.dims_text(wanted), self.dims_text(here));
        let param = self.sig.param(p);
        let (pname, pspan) = (param.name.clone(), param.span);
        let oname = self.sig.param(over).name.clone();
        let what = match part {
            Part::Tile if hidden => format!("the shape of the loop's tensor `{oname}`"),
            Part::Tile => format!("the axes `[{wanted}]` of the loop's tensor `{oname}`"),
            Part::Row => format!("the last axis `[{wanted}]` of the loop's tensor `{oname}`"),
            Part::Col => format!("all axes but the last, `[{wanted}]`, of the loop's tensor `{oname}`"),
        };
        let mut d = self
            .error(Code::J0209, arg.1, format!("`{name}` wants a tensor with {what}; `{pname}` has `[{here}]`"))
            .label(pspan, format!("`{pname}` has the axes `[{here}]`"));
        d = if p == over {
            d.help("a whole tile of the loop's own tensor is `load`")
        } else if hidden {
            d.help(format!("give both the same axes: `#[shape(n..)]` on `{oname}` and on `{pname}`"))
        } else {
            d.help(format!("declare it `#[shape({wanted})] {pname}`"))
        };
        d = if hidden || p == over || self.own_shape[p.index()] {
            d
        } else {
            d.fix(pspan, format!("#[shape({wanted})] {pname}"))
        };
        self.report(d);
        None
    }

    /// True where the shape of a tensor is an axis without a name of the author's.
    fn hidden_axis(&self, p: ParamId) -> bool {
        self.sig.shape(p).iter().any(|d| match d {
            Dim::Axis { axis } => self.scope.get(&self.sig.axes[axis.index()].name).is_none(),
            Dim::Expr { .. } => false,
        })
    }

    /// A shape as `#[shape]` writes it.
    pub fn dims_text(&self, dims: &[Dim]) -> String {
        let one = |d: &Dim| match d {
            Dim::Axis { axis } => {
                let a = &self.sig.axes[axis.index()];
                format!("{}{}", a.name, if a.many { ".." } else { "" })
            }
            Dim::Expr { size } => self.size_text(size),
        };
        dims.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn size_text(&self, s: &Scalar) -> String {
        match s {
            Scalar::Int(v) => v.to_string(),
            Scalar::I32(v) => v.to_string(),
            Scalar::Axis(a) => self.sig.axes[a.index()].name.clone(),
            Scalar::Attr(p, _) => self.sig.param(*p).name.clone(),
            Scalar::Bin(op, a, b) => format!("{} {} {}", self.size_text(a), super::scalar::symbol(*op), self.size_text(b)),
            Scalar::Cast(_, a) => self.size_text(a),
            _ => "_".to_string(),
        }
    }

    fn load(&mut self, l: LoopId, part: Part, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let Some([arg]) = self.exactly::<1>(&name, args, e, &format!("t.{name}(x)")) else { return Val::Unknown };
        let Some(param) = self.tensor_arg(l, part, arg, &name) else { return Val::Unknown };
        if !self.readable(param, arg.1) {
            return Val::Unknown;
        }
        let Some(dtype) = self.sig.dtype(param) else { return Val::Unknown };
        let (span, from) = (self.at(e), self.access(l, part, param));
        let axes = from.axes();
        self.def(TileExpr::Load { from }, dtype, axes, span)
    }

    /// J0211 for reading an output.
    pub fn readable(&mut self, param: ParamId, node: &Expr) -> bool {
        if self.role(param) != Some(Role::Out) {
            return true;
        }
        let (name, at) = (self.sig.param(param).name.clone(), self.sig.param(param).span);
        let d = self
            .error(Code::J0211, node, format!("`{name}` is an output and cannot be read"))
            .label(at, "declared here with `&mut`")
            .help(format!("keep the value that was stored, or declare it `#[inplace] {name}` if it is input and output at once"))
            .fix(at, format!("#[inplace] {name}"));
        self.report(d);
        false
    }

    /// J0211 for writing an input; notes the output as written.
    pub fn writable(&mut self, param: ParamId, node: &Expr) -> bool {
        self.written[param.index()] = true;
        if self.role(param) != Some(Role::In) {
            return true;
        }
        let (name, at) = (self.sig.param(param).name.clone(), self.sig.param(param).span);
        let ty = self.sig.dtype(param).map_or(String::new(), |t| self.ty_name(t));
        let d = self
            .error(Code::J0211, node, format!("`{name}` is an input and cannot be written"))
            .label(at, "declared here without `mut`")
            .help(format!("declare it `{name}: &mut GlobalTensor<{ty}>`"));
        self.report(d);
        false
    }

    fn role(&self, param: ParamId) -> Option<Role> {
        match self.sig.param(param).kind {
            crate::ir::ParamKind::Tensor { role, .. } => Some(role),
            crate::ir::ParamKind::Attr { .. } => None,
        }
    }

    fn store(&mut self, l: LoopId, part: Part, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let Some([target, value]) = self.exactly::<2>(&name, args, e, &format!("t.{name}(y, v)")) else {
            self.doubt = true;
            return Val::Unknown;
        };
        if let (Val::Tile(_), Val::Tensor(p)) = (&target.0, &value.0) {
            self.written[p.index()] = true;
            let both = (target.1.ends().0, value.1.ends().1);
            let d = self.error(Code::J0106, &both, format!("the arguments of `{name}` are swapped: the tensor stands first"));
            let right = format!("{}, {}", text(value.1), text(target.1));
            let at = d.span();
            return self.bad(d.help(format!("write `{}.{name}({right})`", text(&m.receiver))).fix(at, right));
        }
        if let Val::Tensor(p) = target.0 {
            self.written[p.index()] = true;
        } else {
            self.doubt = true;
        }
        let param = self.tensor_arg(l, part, target, &name);
        let good = param.is_some_and(|p| self.writable(p, target.1));
        let v = match &value.0 {
            Val::Tile(v) => *v,
            Val::Num(_) => {
                let d = self.error(Code::J0106, value.1, "a tile is stored, found a scalar").help(format!(
                    "fill a tile: `{}.full({})`",
                    self.loops[l.index()].name.clone(),
                    text(value.1)
                ));
                return self.bad(d);
            }
            _ => return self.wrong_kind(value, "a tile"),
        };
        let (Some(param), true) = (param, good) else { return Val::Unknown };
        let dtype = self.stored_dtype(param, v, value.1);
        let shape = self.stored_shape(l, part, v, value.1);
        if dtype && shape {
            let span = self.at(e);
            let to = self.access(l, part, param);
            self.emit(StmtKind::Store { to, value: v }, span);
        }
        Val::Unit
    }

    fn stored_dtype(&mut self, param: ParamId, v: ValueId, node: &Expr) -> bool {
        let (found, Some(wanted)) = (self.dtype(v), self.sig.dtype(param)) else { return false };
        if found == wanted {
            return true;
        }
        let (f, w) = (self.ty_name(found), self.ty_name(wanted));
        let (pname, pspan) = (self.sig.param(param).name.clone(), self.sig.param(param).span);
        let mut d = self.error(Code::J0202, node, format!("a tile of `{f}` is stored to `{pname}`, a tensor of `{w}`"));
        let at = d.span();
        d = d.at(format!("this is `{f}`")).label(pspan, format!("`{pname}` holds `{w}`"));
        d = if found == Ty::Mask {
            d.help("a mask only chooses: `mask.select(a, b)`")
        } else {
            d.help(format!("convert it first: `.cast::<{w}>()`")).fix(at, cast_text(node, &w))
        };
        self.report(d);
        false
    }

    fn stored_shape(&mut self, l: LoopId, part: Part, v: ValueId, node: &Expr) -> bool {
        let (found, wanted) = (self.axes(v).clone(), self.extent(l, part));
        if found == wanted {
            return true;
        }
        let (f, w) = (self.shape_text(&found), self.shape_text(&wanted));
        let has_cols = !self.is_column(&found);
        let handle = self.loops[l.index()].name.clone();
        let mut d = self.error(Code::J0207, node, format!("a tile `{f}` is stored where `{w}` is wanted"));
        d = match part {
            Part::Tile if !has_cols => d.help(format!(
                "one value a row goes to a tensor without the last axis: `{handle}.store_col(y, v)`; to repeat it over the row, add it to a full tile: `{handle}.full(0.0) + v`"
            )),
            Part::Tile if found.is_subset(&wanted) => {
                d.help(format!("a store does not broadcast: add it to a full tile, `{handle}.full(0.0) + v`"))
            }
            Part::Tile => d.help("store a tile in the loop that loaded it"),
            _ if has_cols => d.help(format!("a full tile goes through `{handle}.store(y, v)`; a reduction such as `v.row_sum()` gives one value a row")),
            _ => d.help("one value a row is what a row reduction or `load_col` gives"),
        };
        self.report(d);
        false
    }

    fn fill(&mut self, l: LoopId, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr, hint: Option<Ty>) -> Val {
        let name = m.method.to_string();
        let Some([arg]) = self.exactly::<1>(&name, args, e, &format!("t.{name}(0.0)")) else { return Val::Unknown };
        let dtype = match self.turbofish(m) {
            Some(t) => match self.element(t) {
                Some(t) => t,
                None => return Val::Unknown,
            },
            // Without a word of the author's a fill is in the type that arithmetic is done in.
            None => hint.unwrap_or(Ty::Is(DType::F32)),
        };
        let Val::Num(n) = &arg.0 else { return self.wrong_kind(arg, "a scalar") };
        let Some(value) = self.tile_scalar(n, dtype, arg.1) else { return Val::Unknown };
        let part = if name == "col" { Part::Col } else { Part::Tile };
        let (span, shape) = (self.at(e), self.extent(l, part));
        self.def(TileExpr::Fill { value }, dtype, shape, span)
    }

    /// `x.len()`, `x.slice(at, n)` on a tensor in GM.
    pub fn tensor_method(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match name.as_str() {
            "len" | "is_empty" => {
                if self.exactly::<0>(&name, &args, e, "").is_none() || !self.shape_known[p.index()] {
                    return Val::Unknown;
                }
                let len = self.sig.elements(p);
                Val::Num(if name == "len" {
                    Num::index(len)
                } else {
                    Num::new(len.bin(crate::ir::BinOp::Eq, 0), crate::ir::ScalarTy::Bool)
                })
            }
            "slice" => self.slice(p, &args, m, e),
            _ => {
                let what = format!("a GlobalTensor (`{}`)", self.sig.param(p).name);
                if super::suggest::tile_ops().any(|op| op == name) || name == "load" || name == "store" {
                    let d = self
                        .error(Code::J0103, &m.method.ends(), format!("{what} has no method `{name}`"))
                        .help("load a tile of it first: `for t in tiles(x) { let v = t.load(x); .. }`");
                    self.doubt = true;
                    return self.bad(d);
                }
                self.no_method(&what, &m.method, &["len", "slice", "is_empty"])
            }
        }
    }
}
