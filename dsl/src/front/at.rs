//! `x.at(i, j, ..)`: parts of tensors in GM, and what loads, stores and fills tiles.
//!
//! An index is the tile of a loop or `..`, a whole axis. What is read has the axes of its indices, and an axis is its declaration:
//! a tile of `n` stands at an index declared `n` and nowhere else, whatever the sizes.

use super::call::{method_ends, Arg};
use super::cx::{Cx, Frame, LoopInfo};
use super::scope::Val;
use super::span::text;
use super::tile::{as_receiver, cast_text};
use super::types::one_type;
use crate::diag::Code;
use crate::dtype::DType;
use crate::ir::{dim_size, Access, AxId, Axes, Dim, Index, LoopId, ParamId, StmtKind, TileExpr, Ty, ValueId};
use syn::{Expr, ExprCall, ExprMethodCall, PathArguments, RangeLimits, Type};

/// An index as the author writes it.
#[derive(Clone, Copy)]
pub(super) enum Idx {
    /// `..`
    All,
    /// The tile of a loop.
    Run(LoopId),
}

/// True for `..`.
pub(super) fn is_all(e: &Expr) -> bool {
    matches!(e, Expr::Range(r) if r.start.is_none() && r.end.is_none() && matches!(r.limits, RangeLimits::HalfOpen(_)))
}

impl Cx<'_> {
    /// `x.at(i, j, ..)`.
    pub fn at_call(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        let indices: Vec<Option<Idx>> = m.args.iter().map(|a| self.idx(p, a)).collect();
        let Some(indices) = indices.into_iter().collect::<Option<Vec<Idx>>>() else { return Val::Unknown };
        if !self.shape_known[p.index()] {
            return Val::Unknown;
        }
        let shape = self.sig.shape(p).to_vec();
        if let [Idx::Run(l)] = indices[..] {
            if let Some(over) = self.loops[l.index()].over {
                return self.elements_at(p, l, over, e);
            }
        }
        if indices.len() != shape.len() {
            return self.wrong_count(p, &shape, &indices, m);
        }
        let mut index = Vec::with_capacity(shape.len());
        for (nth, (dim, idx)) in shape.iter().zip(&indices).enumerate() {
            let own = self.dim_ax(p, nth, dim);
            match *idx {
                Idx::All => index.push(Index::along(own, 0)),
                Idx::Run(l) if self.loops[l.index()].of == own => {
                    let LoopInfo { ax, start, .. } = self.loops[l.index()];
                    index.push(Index::along(ax, start));
                }
                Idx::Run(l) => return self.other_axis(p, own, l, &m.args[nth]),
            }
        }
        let dims = shape.iter().map(dim_size).collect();
        Val::Place(Box::new(Access { param: p, dims, index }))
    }

    /// One index; `None` after an error.
    fn idx(&mut self, p: ParamId, a: &Expr) -> Option<Idx> {
        if is_all(a) {
            return Some(Idx::All);
        }
        let val = self.expr(a);
        match val {
            Val::Handle(l) => return Some(Idx::Run(l)),
            Val::Unknown => return None,
            _ => {}
        }
        let name = self.sig.param(p).name.clone();
        let what = val.what();
        let mut d = self.error(Code::J0106, a, format!("an index of `{name}` is the tile of a loop or `..`, found {what}"));
        if self.axis_of(&val).is_some() {
            let (at, size) = (d.span(), text(a));
            let help = format!("`{size}` is how long the axis is; all of it is `..`, tiles of it are `for t in tiles({size})`");
            d = d.help(help).fix(at, "..");
        }
        self.report(d);
        None
    }

    /// The elements of a tensor, where a loop goes through all of one.
    fn elements_at(&mut self, p: ParamId, l: LoopId, over: ParamId, e: &Expr) -> Val {
        if !self.shape_known[over.index()] {
            return Val::Unknown;
        }
        let (own, whole) = (self.sig.shape(p), self.sig.shape(over));
        if own == whole {
            let LoopInfo { ax, start, .. } = self.loops[l.index()];
            let access = Access { param: p, dims: vec![self.sig.elements(p)], index: vec![Index::along(ax, start)] };
            return Val::Place(Box::new(access));
        }
        let hidden = self.hidden_axis(over);
        let (wanted, here) = (self.dims_text(whole), self.dims_text(own));
        let (pname, pspan) = (self.sig.param(p).name.clone(), self.sig.param(p).span);
        let oname = self.sig.param(over).name.clone();
        let part = if hidden { "the shape".to_string() } else { format!("the axes `[{wanted}]`") };
        let message = format!("a tile of `tiles({oname})` wants a tensor with {part} of `{oname}`; `{pname}` has `[{here}]`");
        let d = self.error(Code::J0209, e, message).label(pspan, format!("`{pname}` has the axes `[{here}]`"));
        let d = match hidden {
            true => d.help(format!("give both the same axes: `#[shape(n..)]` on `{oname}` and on `{pname}`")),
            false => d.help(format!("declare it `#[shape({wanted})] {pname}`")),
        };
        let d = if hidden || self.own_shape[p.index()] { d } else { d.fix(pspan, format!("#[shape({wanted})] {pname}")) };
        self.bad(d)
    }

    fn wrong_count(&mut self, p: ParamId, shape: &[Dim], indices: &[Idx], m: &ExprMethodCall) -> Val {
        let (name, axes) = (self.sig.param(p).name.clone(), self.dims_text(shape));
        let count = |n: usize, one: &str, more: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {more}") };
        let (found, wanted) = (count(indices.len(), "index", "indices"), count(shape.len(), "axis", "axes"));
        let ends = method_ends(m);
        let d = self
            .error(Code::J0106, &ends, format!("`{name}` has {wanted}, `[{axes}]`, found {found}"))
            .number("found", indices.len() as i64)
            .number("allowed", shape.len() as i64);
        let mut write = vec!["..".to_string(); shape.len()];
        for idx in indices {
            let Idx::Run(l) = *idx else { continue };
            let at = (0..shape.len()).find(|nth| self.dim_ax(p, *nth, &shape[*nth]) == self.loops[l.index()].of);
            if let Some(nth) = at {
                write[nth].clone_from(&self.loops[l.index()].name);
            }
        }
        self.bad(d.help(format!("write one index an axis, `..` for all of one: `{name}.at({})`", write.join(", "))))
    }

    /// J0209 for a tile at an index of another axis than the one that it is cut from.
    fn other_axis(&mut self, p: ParamId, own: AxId, l: LoopId, node: &Expr) -> Val {
        let (name, pspan) = (self.sig.param(p).name.clone(), self.sig.param(p).span);
        let shape = self.dims_text(self.sig.shape(p));
        let own = self.body.axes[own.index()].name.clone();
        let LoopInfo { of, over, .. } = self.loops[l.index()];
        let handle = self.loops[l.index()].name.clone();
        let of = match over {
            Some(over) => format!("all elements of `{}`", self.sig.param(over).name),
            None => format!("`{}`", self.body.axes[of.index()].name),
        };
        let d = self
            .error(Code::J0209, node, format!("`{handle}` is a tile of {of}, this index of `{name}` is of `{own}`"))
            .label(pspan, format!("`{name}` has the axes `[{shape}]`"))
            .help(format!("axes align by name: declare both with one name, or loop over `{own}`: `for t in tiles({own})`"));
        self.bad(d)
    }

    /// `x.at(..).load()`, `y.at(..).store(v)`.
    pub fn place_method(&mut self, place: Access, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        match m.method.to_string().as_str() {
            "load" => match self.exactly::<0>("load", &args, e, "x.at(t).load()") {
                Some(_) => self.load(place, &m.receiver, e),
                None => Val::Unknown,
            },
            "store" => match self.exactly::<1>("store", &args, e, "y.at(t).store(v)") {
                Some([value]) => self.store(place, value, &m.receiver, e),
                None => {
                    self.doubt = true;
                    Val::Unknown
                }
            },
            _ => {
                // A wrong word for a store still names the output that it was meant for.
                self.doubt = true;
                self.no_method("part of a GlobalTensor", &m.method, &["load", "store"])
            }
        }
    }

    pub fn load(&mut self, from: Access, node: &Expr, e: &Expr) -> Val {
        if !self.readable(from.param, node) {
            return Val::Unknown;
        }
        let Some(dtype) = self.sig.dtype(from.param) else { return Val::Unknown };
        let (span, axes) = (self.at(e), from.axes());
        self.def(TileExpr::Load { from }, dtype, axes, span)
    }

    pub fn store(&mut self, to: Access, value: &Arg<'_>, node: &Expr, e: &Expr) -> Val {
        let good = self.writable(to.param, node);
        let v = match &value.0 {
            Val::Tile(v) => *v,
            Val::Num(_) => {
                let axes = self.axes_arg(&to.axes());
                let d = self
                    .error(Code::J0106, value.1, "a tile is stored, found a scalar")
                    .help(format!("fill a tile: `full({axes}, {})`", text(value.1)));
                return self.bad(d);
            }
            _ => return self.wrong_kind(value, "a tile"),
        };
        let sound = self.stored_dtype(to.param, v, value.1);
        if good && sound && self.stored_once(&to, e) && self.stored_axes(&to, v, value.1) {
            let span = self.at(e);
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

    fn stored_axes(&mut self, to: &Access, v: ValueId, node: &Expr) -> bool {
        let (found, wanted) = (self.axes(v).clone(), to.axes());
        if found == wanted {
            return true;
        }
        let (f, w) = (self.axes_text(&found), self.axes_text(&wanted));
        let d = self.error(Code::J0207, node, format!("a tile `{f}` is stored where `{w}` is wanted"));
        let (more, less) = (found.without(&wanted), wanted.without(&found));
        let d = if more.is_empty() {
            let (at, lacks) = (d.span(), self.axes_arg(&less));
            let written = format!("{}.expand({lacks})", as_receiver(node));
            d.help(format!("a store does not repeat; to repeat it along `{lacks}` on purpose: `.expand({lacks})`"))
                .fix(at, written)
        } else if less.is_empty() {
            let more = self.axes_arg(&more);
            d.help(format!("store it to a tensor with these axes, or reduce what is too much: `v.sum({more})`"))
        } else {
            d.help("a tile goes where its axes are: an axis is its declaration, not its length")
        };
        self.report(d);
        false
    }

    /// J0207 where each turn of a loop around would store to the same place.
    fn stored_once(&mut self, to: &Access, e: &Expr) -> bool {
        let axes = to.axes();
        let mut around = self.frames.iter().filter_map(|f| match f {
            Frame::Tile(l) => *l,
            Frame::Inner => None,
        });
        let Some(l) = around.find(|l| !axes.contains(self.loops[l.index()].ax)) else { return true };
        let (handle, name) = (self.loops[l.index()].name.clone(), self.sig.param(to.param).name.clone());
        let own = self.loops[l.index()].of;
        let word = |index: &Index| match index.terms.first().map(|t| t.ax) {
            Some(ax) if self.whole_of(ax) == own => handle.clone(),
            Some(ax) if self.whole_of(ax) != ax => self.body.axes[ax.index()].name.clone(),
            _ => "..".to_string(),
        };
        let moves = to.index.iter().map(word).collect::<Vec<_>>().join(", ");
        let has = axes.iter().any(|ax| self.whole_of(ax) == own);
        let d = self.error(Code::J0207, e, format!("each turn of the loop `{handle}` stores to the same elements of `{name}`"));
        let d = match has {
            true => d.help(format!("store what belongs to this turn: `{name}.at({moves})`")),
            false => d.help("store behind that loop, or to a tensor that has its axis"),
        };
        self.report(d);
        false
    }

    /// `full(axes, v)`.
    pub fn full(&mut self, c: &ExprCall, generics: &PathArguments, hint: Option<Ty>, e: &Expr) -> Val {
        let args = self.args(&c.args);
        let Some([axes, value]) = self.exactly::<2>("full", &args, e, "full(t, 0.0)") else { return Val::Unknown };
        let given = match (generics, one_type(generics)) {
            (PathArguments::None, _) => None,
            (_, Some(given)) => Some(given),
            (_, None) => {
                let d = self.error(Code::J0106, e, "`full` of which element type?").help("write `full::<f32>(t, 0.0)`");
                return self.bad(d);
            }
        };
        let Some(axes) = self.axes_given(axes, "full") else { return Val::Unknown };
        self.fill(axes, value, (given, hint), e)
    }

    /// A tile of one number, in the type that is given or else that the surroundings have.
    pub fn fill(&mut self, axes: Axes, value: &Arg<'_>, (given, hint): (Option<&Type>, Option<Ty>), e: &Expr) -> Val {
        let dtype = match given.map(|t| self.element(t)) {
            Some(Some(dtype)) => dtype,
            Some(None) => return Val::Unknown,
            // Without a word of the author's a fill is in the type that arithmetic is done in.
            None => hint.unwrap_or(Ty::Is(DType::F32)),
        };
        let Val::Num(n) = &value.0 else { return self.wrong_kind(value, "a scalar") };
        let Some(value) = self.tile_scalar(n, dtype, value.1) else { return Val::Unknown };
        let span = self.at(e);
        self.def(TileExpr::Fill { value }, dtype, axes, span)
    }
}
