//! Loops: `for t in tiles(x)`, `for r in row_tiles(x)`, `for c in r.col_tiles()`, and `for i in a..b` over scalars.
//!
//! One outermost tile loop a kernel, at the top of its body; column loops directly in their row loop.

use super::call::Arg;
use super::cx::{Cx, Frame, LoopInfo};
use super::scope::{LoopKind, LoopSpec, Num, Val};
use super::span::Node;
use crate::diag::Code;
use crate::ir::{product, AxFrom, AxId, AxSpec, Dim, Level, LoopId, ParamId, Scalar, ScalarTy, Stage, StmtKind, TileLoop};
use proc_macro2::Ident;
use syn::{Expr, ExprCall, ExprForLoop, ExprMethodCall, Pat};

/// Most buffers of one queue: one position has no more blocks.
const MAX_BUFFER_NUM: i64 = crate::soc::MAX_BLOCKS_PER_POSITION;

impl Cx<'_> {
    /// `tiles(x)`, `row_tiles(x)`.
    pub fn tile_loop_call(&mut self, name: &str, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, name);
        let args = self.args(&c.args);
        let kind = if name == "tiles" { LoopKind::Flat } else { LoopKind::Rows };
        let over = match self.exactly::<1>(name, &args, e, &format!("{name}(x)")) {
            Some([(Val::Tensor(p), _)]) => Some(*p),
            Some([arg]) => {
                self.wrong_kind(arg, "a GlobalTensor");
                None
            }
            None => None,
        };
        let over = over.filter(|p| kind == LoopKind::Flat || self.has_rows(*p, c));
        let span = self.at(e);
        Val::Loop(Box::new(LoopSpec {
            kind,
            over,
            parent: None,
            tile_length: None,
            rows: None,
            buffer_num: None,
            block_dim: None,
            span,
        }))
    }

    /// J0209 for rows of a tensor whose last axis has no name.
    fn has_rows(&mut self, p: crate::ir::ParamId, c: &ExprCall) -> bool {
        if !self.shape_known[p.index()] {
            return true;
        }
        let many = match self.sig.shape(p).last() {
            Some(Dim::Axis { axis }) => self.sig.axes[axis.index()].many,
            Some(Dim::Expr { .. }) => false,
            None => true,
        };
        if !many {
            return true;
        }
        // A tensor without `#[shape]` has that of the first one, so that is where the axes are named.
        let hidden = self.sig.shape(p).iter().any(|d| match d {
            Dim::Axis { axis } => self.scope.get(&self.sig.axes[axis.index()].name).is_none(),
            Dim::Expr { .. } => false,
        });
        let first = self.sig.tensors().next().map(|(id, _, _, _)| id).filter(|_| hidden).unwrap_or(p);
        let (name, owner, at) = (self.sig.param(p).name.clone(), self.sig.param(first).name.clone(), self.sig.param(first).span);
        let mut d = self
            .error(Code::J0209, &c.args[0], format!("`row_tiles({name})` needs the last axis of `{name}` by itself"))
            .label(at, format!("the axes of `{owner}` are not told apart"))
            .help(format!("name them: `#[shape(n.., d)] {owner}`"));
        if hidden {
            d = d.fix(at, format!("#[shape(n.., d)] {owner}"));
        }
        self.report(d);
        false
    }

    /// `r.col_tiles()`.
    pub fn col_tiles(&mut self, l: LoopId, args: &[Arg<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        if self.exactly::<0>("col_tiles", args, e, "r.col_tiles()").is_none() {
            return Val::Unknown;
        }
        if self.frames.last() != Some(&Frame::Tile(Some(l))) {
            let name = self.loops[l.index()].name.clone();
            let d = self
                .error(Code::J0109, e, format!("`col_tiles` stands directly in the row loop of `{name}`"))
                .help("move the column loop out of the `if` or loop around it");
            return self.bad(d);
        }
        let _ = m;
        let span = self.at(e);
        Val::Loop(Box::new(LoopSpec {
            kind: LoopKind::Cols,
            over: Some(self.loops[l.index()].over),
            parent: Some(l),
            tile_length: None,
            rows: None,
            buffer_num: None,
            block_dim: None,
            span,
        }))
    }

    /// `.tile_length(n)` and its like.
    pub fn loop_override(&mut self, mut spec: LoopSpec, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        let known: &[&str] = match spec.kind {
            LoopKind::Flat => &["tile_length", "buffer_num", "block_dim"],
            LoopKind::Rows => &["rows", "buffer_num", "block_dim"],
            LoopKind::Cols => &["tile_length"],
        };
        if !known.contains(&name.as_str()) {
            let what = match spec.kind {
                LoopKind::Flat => "`tiles`",
                LoopKind::Rows => "`row_tiles`",
                LoopKind::Cols => "`col_tiles`",
            };
            self.no_method(what, &m.method, known);
            return Val::Loop(Box::new(spec));
        }
        if let Some([arg]) = self.exactly::<1>(&name, &args, e, &format!(".{name}(n)")) {
            if let Some(value) = self.index_arg(arg, &format!("`{name}`")) {
                self.set_override(&mut spec, &name, value, arg.1);
            }
        }
        Val::Loop(Box::new(spec))
    }

    fn set_override(&mut self, spec: &mut LoopSpec, name: &str, value: Scalar, node: &Expr) {
        if name == "buffer_num" {
            match value.as_int() {
                Some(n) if (1..=MAX_BUFFER_NUM).contains(&n) => spec.buffer_num = Some(n),
                Some(n) => {
                    let d = self
                        .error(Code::J0305, node, format!("buffer_num {n}, possible are 1 to {MAX_BUFFER_NUM}"))
                        .help("2 is double buffering")
                        .number("found", n)
                        .number("allowed", MAX_BUFFER_NUM);
                    self.report(d);
                }
                None => {
                    let d = self
                        .error(Code::J0305, node, "buffer_num is a literal or a constant")
                        .help(format!("write a number from 1 to {MAX_BUFFER_NUM}; the queues are declared with it"));
                    self.report(d);
                }
            }
            return;
        }
        if !self.host_known(&value, node, &format!("`{name}`")) {
            return;
        }
        if let Some(n) = value.as_int().filter(|n| *n < 1) {
            let d = self
                .error(Code::J0305, node, format!("{name} {n}, at least 1 is needed"))
                .help("leave it out: the largest that fits is solved for")
                .number("found", n)
                .number("allowed", 1);
            self.report(d);
            return;
        }
        match name {
            "tile_length" => spec.tile_length = Some(value),
            "rows" => spec.rows = Some(value),
            _ => spec.block_dim = Some(value),
        }
    }

    /// J0601 for a scalar that only a core knows.
    pub fn host_known(&mut self, value: &Scalar, node: &(impl Node + ?Sized), what: &str) -> bool {
        if self.stage(value) <= Stage::Host {
            return true;
        }
        let d = self
            .error(Code::J0601, node, format!("{what} must be known to the host, this is known on the core only"))
            .help("use axes, attributes, constants and `let`s of these");
        self.report(d);
        false
    }

    /// A `for` statement.
    pub fn for_loop(&mut self, f: &ExprForLoop, e: &Expr) {
        if let Some(label) = &f.label {
            self.unsupported(&(label.name.span(), label.name.span()), "a label", "there is no `break` or `continue`: remove it");
        }
        let range = match &*f.expr {
            Expr::Paren(p) => &*p.expr,
            other => other,
        };
        if let Expr::Range(r) = range {
            return self.scalar_for(f, r, e);
        }
        let name = self.loop_name(&f.pat);
        match self.expr(&f.expr) {
            Val::Loop(spec) => self.tile_for(*spec, f, name, e),
            Val::Unknown => self.broken_for(f, name),
            other => {
                let mut d = self.error(Code::J0109, &f.expr, format!("`for` over {}", other.what()));
                d = match other {
                    Val::Tensor(p) => {
                        let x = self.sig.param(p).name.clone();
                        d.help(format!("write `for t in tiles({x})` or `for r in row_tiles({x})`"))
                    }
                    Val::Num(_) => d.help("write a range: `for i in 0..n`"),
                    Val::Share { .. } | Val::Split(_) => d.help("write `for i in 0..share.len()`"),
                    _ => d.help("loops run over `tiles(x)`, `row_tiles(x)`, `r.col_tiles()` or a range `a..b`"),
                };
                self.report(d);
                self.broken_for(f, name);
            }
        }
    }

    fn loop_name<'p>(&mut self, pat: &'p Pat) -> Option<&'p Ident> {
        match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() && p.mutability.is_none() => {
                self.ascii_name(&p.ident, Code::J0101);
                Some(&p.ident)
            }
            Pat::Wild(_) => None,
            other => {
                self.unsupported(other, "a pattern as loop variable", "write a plain name: `for i in a..b`");
                None
            }
        }
    }

    /// The body of a loop whose header was wrong, for the mistakes in it.
    fn broken_for(&mut self, f: &ExprForLoop, name: Option<&Ident>) {
        self.tile_loop = self.tile_loop.or(Some(crate::ir::SpanId(0)));
        self.doubt = true;
        self.nested(Frame::Tile(None), |cx| {
            if let Some(name) = name {
                cx.scope.bind(name.to_string(), Val::Unknown, false, name.ends());
            }
            cx.block(&f.body);
        });
    }

    fn tile_for(&mut self, spec: LoopSpec, f: &ExprForLoop, name: Option<&Ident>, e: &Expr) {
        if spec.kind != LoopKind::Cols && !self.outermost(&spec, &f.expr) {
            self.broken_for(f, name);
            return;
        }
        let Some(over) = spec.over else { return self.broken_for(f, name) };
        let base = name.map_or_else(|| "t".to_string(), Ident::to_string);
        let id = LoopId(self.loops.len() as u32);
        let start = self.new_var(&format!("{base}_start"), ScalarTy::Index, false, Stage::Block);
        let word = if spec.kind == LoopKind::Rows { "rows" } else { "len" };
        let len = self.new_var(&format!("{base}_{word}"), ScalarTy::Index, false, Stage::Block);
        let (of, row) = self.loop_axes(&spec, over);
        let ax = self.new_ax(base.strip_prefix("r#").unwrap_or(&base), AxFrom::Run { of: id });
        let size = spec.tile_length.clone().or(spec.rows.clone());
        self.loops.push(LoopInfo { name: base, kind: spec.kind, over, parent: spec.parent, start, len, ax, of, row });
        let span = self.at(e);
        let (body, ()) = self.nested(Frame::Tile(Some(id)), |cx| {
            if let Some(name) = name {
                cx.scope.bind(name.to_string(), Val::Handle(id), false, name.ends());
            }
            cx.block(&f.body);
        });
        let specs = vec![AxSpec { ax, of, start, len, size }];
        let tile = TileLoop { id, specs, buffer_num: spec.buffer_num, block_dim: spec.block_dim, body };
        self.emit(StmtKind::Loop { tile }, span);
    }

    /// The whole axis that a loop cuts, and the axis of a row for a loop over rows.
    fn loop_axes(&mut self, spec: &LoopSpec, over: ParamId) -> (AxId, Option<AxId>) {
        let shape = self.sig.shape(over).to_vec();
        match (spec.kind, shape.split_last()) {
            (LoopKind::Rows, Some((last, rest))) => {
                (self.whole_ax(rest, "rows"), Some(self.whole_ax(std::slice::from_ref(last), "cols")))
            }
            (LoopKind::Cols, _) => match spec.parent.and_then(|l| self.loops[l.index()].row) {
                Some(row) => (row, None),
                None => (self.whole_ax(&shape, "cols"), None),
            },
            (LoopKind::Flat | LoopKind::Rows, _) => (self.whole_ax(&shape, "elements"), None),
        }
    }

    /// The axis of all indices of some entries of a shape.
    fn whole_ax(&mut self, dims: &[Dim], word: &str) -> AxId {
        let extent = product(dims);
        let name = match dims {
            [Dim::Axis { axis }] => self.sig.axes[axis.index()].name.clone(),
            _ => word.to_string(),
        };
        self.new_ax(&name, AxFrom::Whole { extent })
    }

    /// J0109 where this is not the one tile loop at the top of the body.
    fn outermost(&mut self, spec: &LoopSpec, node: &Expr) -> bool {
        let d = if let Some(first) = self.tile_loop {
            let inside = self.frames.iter().any(|f| matches!(f, Frame::Tile(_)));
            let d = self.error(Code::J0109, node, if inside { "a tile loop inside a tile loop" } else { "a second tile loop" });
            let d = if first.0 == 0 { d } else { d.label(first, "the first one") };
            if inside {
                d.help("inside `row_tiles(x)` columns are split with `r.col_tiles()`; else load both tensors in one loop")
            } else {
                d.help("put both steps into one loop, or make two kernels of them")
            }
        } else if !self.frames.is_empty() || !self.inlining.is_empty() {
            self.error(Code::J0109, node, "a tile loop under an `if`, in a loop or in a helper")
                .help("the tile loop stands at the top of the kernel's body; put the `if` inside it")
        } else {
            self.tile_loop = Some(spec.span);
            return true;
        };
        self.report(d);
        false
    }

    fn scalar_for(&mut self, f: &ExprForLoop, r: &syn::ExprRange, e: &Expr) {
        let name = self.loop_name(&f.pat);
        let from = self.range_end(r.start.as_deref(), &f.expr);
        let to = self.range_end(r.end.as_deref(), &f.expr);
        if !matches!(r.limits, syn::RangeLimits::HalfOpen(_)) {
            self.unsupported(&f.expr, "a closed range", "write the end after the last value: `a..b + 1`");
        }
        let ty = match (&from, &to) {
            (Some((a, _)), Some((b, _))) => a.ty.or(b.ty).unwrap_or(ScalarTy::Index),
            _ => ScalarTy::Index,
        };
        let good = matches!(ty, ScalarTy::Index | ScalarTy::I32);
        if !good {
            let d =
                self.error(Code::J0208, &f.expr, format!("a range of `{}`", ty.word())).help("loops count with `usize` or `i32`");
            self.report(d);
        }
        let end = |cx: &mut Self, n: Option<(Num, &Expr)>| {
            n.filter(|_| good).and_then(|(n, e)| cx.want(n, ty, e, "the other end of the range"))
        };
        let (from, to) = (end(self, from), end(self, to));
        let span = self.at(e);
        let base = name.map_or_else(|| "i".to_string(), Ident::to_string);
        let var = self.new_var(&base, if good { ty } else { ScalarTy::Index }, false, Stage::Block);
        self.loop_vars.push(var);
        let (body, ()) = self.nested(Frame::Inner, |cx| {
            if let Some(name) = name {
                let val = if good { Val::Num(Num::new(Scalar::Var(var), ty)) } else { Val::Unknown };
                cx.scope.bind(name.to_string(), val, false, name.ends());
            }
            cx.block(&f.body);
        });
        if let (Some(from), Some(to)) = (from, to) {
            self.emit(StmtKind::For { var, from: from.value, to: to.value, body }, span);
        }
    }

    fn range_end<'e>(&mut self, end: Option<&'e Expr>, range: &Expr) -> Option<(Num, &'e Expr)> {
        if end.is_none() {
            self.unsupported(range, "an open range", "write both ends: `for i in 0..n`");
        }
        end.and_then(|e| Some((self.scalar(e)?, e)))
    }
}
