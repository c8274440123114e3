//! `y.append(v, mask)` and `y.appended()`: the elements that iterations pack, and their number.
//!
//! The place of an element depends on all iterations before, so a loop that appends has an order.
//! Its tile is the last of its axes, inside of single indices, and it stands under no scalar
//! control. Nothing else accesses the tensor (J0218).

use crate::diag::{Code, Diagnostic};
use crate::dtype::DType;
use crate::front::cx::emitted::{Emitted, Frame, RunInfo};
use crate::front::cx::kinds::Packed;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::ir::{
    walk_stmts, Access, Axes, Index, Level, ParamId, StmtKind, TensorRef, TileExpr, TileStmt, Ty,
    ValueId,
};
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// Reads a call `y.append(v, mask)`.
    pub fn append_call(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, &m.method, "append");
        let args = self.args(&m.args);
        let Some([value, mask]) = self
            .report
            .exactly::<2>("append", &args, e, "y.append(v, mask)")
        else {
            self.report.doubt = true;
            return Val::Unknown;
        };
        if !self.writable(p, &m.receiver) {
            return Val::Unknown;
        }
        let Val::Tile(v) = value.0 else {
            return self.wrong_kind(value, "a tile");
        };
        let bits = match mask.0 {
            Val::Tile(bits) if self.out.dtype(bits) == Ty::Mask => bits,
            _ => return self.wrong_kind(mask, "a mask"),
        };
        if !self.draft.shape_known[p.index()] || !self.appends_in_order(p, v, bits, e) {
            return Val::Unknown;
        }
        let holds_bools = self.draft.sig.dtype(p) == Some(Ty::Is(DType::Bool));
        if self.out.dtype(v) == Ty::Mask && holds_bools {
            let name = self.draft.sig.param(p).name.clone();
            let text =
                format!("a mask is appended to `{name}`, and elements of `bool` are not packed");
            let d = self.error(Code::J0202, value.1, text);
            return self.report.bad(d.help(format!(
                "declare it `{name}: &mut GlobalTensor<i8>`, and append `.cast::<i8>()` of the mask"
            )));
        }
        if !self.stored_dtype(p.into(), v, value.1) {
            return Val::Unknown;
        }
        let Some(by) = self.out.phase().flatten() else {
            return Val::Unknown;
        };
        let span = self.report.at(e);
        self.draft.packed.push(Packed { of: p, by, span });
        let to = Access::new(
            p.into(),
            vec![self.draft.sig.elements(p)],
            vec![Index::at(0)],
        );
        self.out.tile(
            TileStmt::Append {
                to,
                value: v,
                mask: bits,
                counts: None,
            },
            span,
        );
        Val::Unit
    }

    /// Reports J0218 for an append where elements have no order, or to a tensor that is no list of
    /// them.
    fn appends_in_order(&mut self, p: ParamId, v: ValueId, bits: ValueId, e: &Expr) -> bool {
        let name = self.draft.sig.param(p).name.clone();
        let form = "for t in tiles(n) { y.append(v, mask); }";
        let (value, mask) = (self.out.axes(v).clone(), self.out.axes(bits).clone());
        let runs: Vec<_> = self
            .out
            .divided()
            .map(|run| (run.is_each, run.ax, run.name.clone()))
            .collect();
        let here =
            self.out.frames.len() == 1 && matches!(self.out.frames[..], [Frame::Tile(Some(_))]);
        let wrong = if let Some(before) = self
            .draft
            .packed
            .iter()
            .find(|packed| packed.of == p)
            .map(|packed| packed.span)
        {
            let d = self.error(
                Code::J0218,
                e,
                format!("a second append to `{name}`: nothing says which elements come first"),
            );
            Some(
                d.label(before, "the first").help(
                    "append to two tensors, or choose what is packed first: `mask.select(a, b)`",
                ),
            )
        } else if self.draft.sig.shape(p).len() != 1 {
            let shape = self.draft.dims_text(self.draft.sig.shape(p));
            let d = self.error(
                Code::J0218,
                e,
                format!("`{name}` has the axes `[{shape}]`: elements are appended to a tensor with one axis"),
            );
            Some(d.help("declare it with one, `#[shape(cap)]`"))
        } else if !here {
            let d = self.error(
                Code::J0218,
                e,
                format!("an append to `{name}` outside of a tile loop at the top, or under another loop or branch"),
            );
            Some(d.help(format!(
                "write it directly in an outermost loop: `{form}`; what a condition leaves out the mask leaves out, too"
            )))
        } else {
            match runs.split_last() {
                Some(((false, ax, run), around)) if around.iter().all(|(is_each, ..)| *is_each) => {
                    let due = Axes::from([*ax]);
                    let less = |axes: &Axes| *axes != due;
                    let what = if less(&value) {
                        Some(("what is appended", &value))
                    } else {
                        Some(("the mask", &mask)).filter(|_| less(&mask))
                    };
                    what.map(|(what, axes)| {
                        let found = self.out.axes_arg(axes);
                        let text = format!("{what} has the axes `{found}`; to `{name}` goes a tile along `{run}` alone");
                        let help = "elements are appended in the order of the loop: one for each index of its tile";
                        self.error(Code::J0218, e, text).help(help)
                    })
                }
                _ => {
                    let text =
                        format!("the loop that appends to `{name}` goes through other than single indices around one tile");
                    let d = self.error(Code::J0218, e, text);
                    let form = self.out.in_order();
                    Some(d.help(format!(
                        "elements are appended in the order of its iterations: `{form}`, the tile last"
                    )))
                }
            }
        };
        let Some(d) = wrong else { return true };
        self.report.doubt = true;
        self.report.add(d);
        false
    }

    /// Reads a call `y.appended()`.
    pub fn appended_call(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, &m.method, "appended");
        let args = self.args(&m.args);
        if self
            .report
            .exactly::<0>("appended", &args, e, "y.appended()")
            .is_none()
        {
            return Val::Unknown;
        }
        let name = self.draft.sig.param(p).name.clone();
        let found = self
            .draft
            .packed
            .iter()
            .find(|packed| packed.of == p)
            .copied();
        let d = match found {
            None if self.report.doubt => return Val::Unknown,
            None => self
                .error(Code::J0218, e, format!("nothing was appended to `{name}` before"))
                .help("ask behind the loop that appends: `for t in tiles(n) { y.append(v, mask); }`"),
            Some(packed) if self.out.phase() == Some(Some(packed.by)) => self
                .error(
                    Code::J0218,
                    e,
                    format!("how many elements `{name}` has in the loop that appends to it depends on the iterations so far"),
                )
                .label(packed.span, "appended here")
                .help("ask behind that loop"),
            Some(_) => {
                let span = self.report.at(e);
                return self.out.def(TileExpr::Appended { of: p.into() }, Ty::Is(DType::I32), Axes::default(), span);
            }
        };
        self.report.bad(d)
    }

    /// Reports J0218 for other accesses to tensors that loops append to.
    pub fn judge_packed(&mut self) {
        let packed = std::mem::take(&mut self.draft.packed);
        let mut found = Vec::new();
        walk_stmts(&self.out.stmts.tile, &mut |s| {
            let of = s
                .access()
                .filter(|_| !matches!(s.kind, StmtKind::Do(TileStmt::Append { .. })))
                .map(|access| access.of);
            found.extend(
                packed
                    .iter()
                    .filter(|packed| of == Some(TensorRef::Param(packed.of)))
                    .map(|packed| (s.span, *packed)),
            );
        });
        for (span, packed) in found {
            let name = &self.draft.sig.param(packed.of).name;
            let text = format!("`{name}` is appended to, and loaded or stored besides");
            let d = Diagnostic::new(Code::J0218, span, text).label(packed.span, "appended here");
            self.report
                .add(d.help("let two launches do that, or append to a tensor of its own"));
        }
        self.draft.packed = packed;
    }
}

impl Emitted {
    /// Writes the loop around with an order of its iterations: single indices around one tile.
    fn in_order(&self) -> String {
        let runs: Vec<&RunInfo> = self.divided().collect();
        let whole = |run: &RunInfo| self.body.axes[run.of.index()].name.clone();
        let Some((last, around)) = runs.split_last().filter(|(_, around)| !around.is_empty())
        else {
            return "for t in tiles(n)".into();
        };
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let axes = around
            .iter()
            .map(|run| format!("each({})", whole(run)))
            .chain([whole(last)]);
        format!(
            "for ({}) in tiles(({}))",
            names.join(", "),
            axes.collect::<Vec<_>>().join(", ")
        )
    }
}
