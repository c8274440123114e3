//! Loops: `for t in tiles(x)`, `for r in tiles(n)`, and `for i in a..b` over scalars.
//!
//! One outermost tile loop a kernel, at the top of its body; loops inside stand directly in it.

use super::cx::{Cx, Frame, LoopInfo};
use super::scope::{LoopSpec, Num, Val};
use super::span::{text, Node};
use crate::diag::Code;
use crate::ir::{AxFrom, AxId, AxSpec, Level, LoopId, ParamId, RunSize, Scalar, ScalarTy, Stage, StmtKind, TileLoop, Ty};
use proc_macro2::Ident;
use syn::{Expr, ExprCall, ExprForLoop, ExprMethodCall, Pat};

/// Most buffers of one queue: one position has no more blocks.
const MAX_BUFFER_NUM: i64 = crate::soc::MAX_BLOCKS_PER_POSITION;

impl Cx<'_> {
    /// `tiles(n)`, `tiles(x)`.
    pub fn tiles_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "tiles");
        let args = self.args(&c.args);
        let span = self.at(e);
        let spec = |of, over| LoopSpec::plain(of, over, span);
        let Some([arg]) = self.exactly::<1>("tiles", &args, e, "tiles(n)") else { return spec(None, None) };
        match (&arg.0, self.axis_of(&arg.0)) {
            (Val::Tensor(p), _) if self.shape_known[p.index()] => spec(Some(self.elements_ax(*p)), Some(*p)),
            (Val::Tensor(_), _) => spec(None, None),
            (Val::Handle(_), _) => {
                let d = self
                    .error(Code::J0109, arg.1, "tiles of a tile")
                    .help("a tile is as small as UB asks for; give the loop around a `.size(..)`");
                self.report(d);
                spec(None, None)
            }
            (_, Some(ax)) => spec(Some(ax), None),
            (Val::Num(_), None) => {
                let size = text(arg.1);
                let d = self
                    .error(Code::J0106, arg.1, format!("`tiles` takes an axis or a tensor, `{size}` is a number"))
                    .help("an axis is a name of `#[shape(..)]`; scalars are counted by `for i in 0..n`");
                self.report(d);
                spec(None, None)
            }
            (_, None) => {
                self.wrong_kind(arg, "an axis or a GlobalTensor");
                spec(None, None)
            }
        }
    }

    /// The axis of all elements of a tensor.
    fn elements_ax(&mut self, p: ParamId) -> AxId {
        match self.sig.shape(p).to_vec().as_slice() {
            [dim] => self.dim_ax(p, 0, dim),
            _ => {
                let whole = AxFrom::Whole { extent: self.sig.elements(p) };
                let found = self.body.axes.iter().position(|ax| ax.from == whole && ax.name == "elements");
                found.map_or_else(|| self.new_ax("elements", whole), |at| AxId(at as u32))
            }
        }
    }

    /// `.size(n)` and its like.
    pub fn loop_override(&mut self, mut spec: LoopSpec, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let mut name = m.method.to_string();
        let known: &[&str] = if self.tile_loop.is_some() { &["size"] } else { &["size", "buffer_num", "block_dim"] };
        if let Some(now) = self.old_override(&name, &m.method) {
            name = now.to_string();
        }
        if !known.contains(&name.as_str()) {
            self.no_method(if self.tile_loop.is_some() { "a tile loop inside another" } else { "`tiles`" }, &m.method, known);
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
            "size" => spec.size = RunSize::Given { size: value },
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

    /// Methods on the variable of a tile loop.
    pub fn handle_method(&mut self, l: LoopId, m: &ExprMethodCall, e: &Expr, hint: Option<Ty>) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        let LoopInfo { start, len, .. } = self.loops[l.index()];
        match name.as_str() {
            "start" | "len" => match self.exactly::<0>(&name, &args, e, "") {
                Some(_) => Val::Num(Num::index(if name == "start" { start } else { len })),
                None => Val::Unknown,
            },
            _ => self.old_handle_method(l, &args, m, e, hint).unwrap_or_else(|| {
                // A wrong word for a store still names the output it was meant for.
                self.doubt = true;
                self.no_method("the variable of a tile loop", &m.method, &["start", "len"])
            }),
        }
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
                        d.help(format!("write `for t in tiles({x})`, or tiles of one of its axes: `for r in tiles(n)`"))
                    }
                    Val::Num(_) => d.help("write a range, `for i in 0..n`, or tiles of an axis, `for t in tiles(n)`"),
                    Val::Share { .. } | Val::Split(_) => d.help("write `for i in 0..share.len()`"),
                    _ => d.help("loops run over `tiles(n)` with an axis `n`, `tiles(x)` with a tensor, or a range `a..b`"),
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
        let Some(of) = self.may_stand(&spec, &f.expr).then_some(spec.of).flatten() else { return self.broken_for(f, name) };
        let base = name.map_or_else(|| "t".to_string(), Ident::to_string);
        let id = LoopId(self.loops.len() as u32);
        let start = self.new_var(&format!("{base}_start"), ScalarTy::Index, false, Stage::Block);
        let len = self.new_var(&format!("{base}_len"), ScalarTy::Index, false, Stage::Block);
        let ax = self.new_ax(base.strip_prefix("r#").unwrap_or(&base), AxFrom::Run { of: id });
        self.loops.push(LoopInfo { name: base, over: spec.over, start, len, ax, of });
        let span = self.at(e);
        let (body, ()) = self.nested(Frame::Tile(Some(id)), |cx| {
            if let Some(name) = name {
                cx.scope.bind(name.to_string(), Val::Handle(id), false, name.ends());
            }
            cx.block(&f.body);
        });
        let specs = vec![AxSpec { ax, of, start, len, size: spec.size }];
        let tile = TileLoop { id, specs, buffer_num: spec.buffer_num, block_dim: spec.block_dim, body };
        self.emit(StmtKind::Loop { tile }, span);
    }

    /// J0109 where this is neither the one tile loop at the top of the body nor one directly inside it.
    fn may_stand(&mut self, spec: &LoopSpec, node: &Expr) -> bool {
        let Some(first) = self.tile_loop else {
            if self.frames.is_empty() && self.inlining.is_empty() {
                self.tile_loop = Some(spec.span);
                return true;
            }
            let d = self
                .error(Code::J0109, node, "a tile loop under an `if`, in a loop or in a helper")
                .help("the tile loop stands at the top of the kernel's body; put the `if` inside it");
            self.report(d);
            return false;
        };
        let label = |d: crate::diag::Diagnostic| if first.0 == 0 { d } else { d.label(first, "the first one") };
        let outer = match self.frames.first() {
            Some(Frame::Tile(outer)) => *outer,
            Some(Frame::Inner) | None => {
                let d = self.error(Code::J0109, node, "a second tile loop");
                let d = label(d).help("put both steps into one loop, or make two kernels of them");
                self.report(d);
                return false;
            }
        };
        let Some(outer) = outer else { return false };
        let info = &self.loops[outer.index()];
        let (name, axis) = (info.name.clone(), self.body.axes[info.of.index()].name.clone());
        let d = if self.frames.len() > 1 || !self.inlining.is_empty() {
            self.error(Code::J0109, node, format!("this tile loop does not stand directly in the loop `{name}`"))
                .help("move it out of the `if`, loop or helper around it")
        } else if spec.over.is_some() || info.over.is_some() && spec.of == Some(info.of) {
            label(self.error(Code::J0109, node, "a tile loop over all elements of a tensor inside a tile loop"))
                .help("inside, an axis is tiled: `for c in tiles(d)`; else load both tensors in one loop")
        } else if spec.of == Some(info.of) {
            label(self.error(Code::J0109, node, format!("the loop `{name}` cuts `{axis}` already")))
                .help(format!("`{name}` is a tile of `{axis}`: use it, or loop over another axis"))
        } else {
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
