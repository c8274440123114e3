//! `v.pick(d, i)`: elements of a tile by their index along an axis.
//!
//! The index is a number, a range, an index that moves along another axis (`t * 2 + 1`), or a tile
//! of indices.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::value::{Affine, Arg, Moving, Num, RunId, Val};
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::front::text::words::{as_receiver, method_ends};
use crate::ir::{
    AxFrom, AxId, Axes, BinOp, Chosen, Index, Scalar, ScalarTy, TileExpr, Ty, ValueId,
};
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// Reads `v.pick(d, 0)`, `v.pick(d, t * 2 + 1)` or `v.pick(d, ids)`.
    pub fn pick(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let Some([axis, index]) = self.report.exactly::<2>("pick", &args, e, "v.pick(d, i)") else {
            return Val::Unknown;
        };
        if let Some(bad) = self.no_mask(v, "pick", &m.receiver) {
            return bad;
        }
        let Some(along) = self.whole_axis_of(v, "pick", axis, m) else {
            return Val::Unknown;
        };
        if !self.begins_at_0(along, axis.1, "`pick` along") {
            return Val::Unknown;
        }
        let (at, more) = match &index.0 {
            Val::Num(n) if n.axis.is_none() => {
                let Some(n) =
                    self.report
                        .want(n.clone(), ScalarTy::Index, index.1, "an index of `pick`")
                else {
                    return Val::Unknown;
                };
                let value = self.steady(n, index.1);
                self.picked_by_host(&value, along, index.1);
                (
                    Chosen::Index {
                        index: Index::at(value),
                    },
                    Axes::default(),
                )
            }
            // The tile of a loop stands at its own axis; a computed index, or a range, stands at
            // any axis.
            Val::Handle(run)
                if stands_at(&self.out, *run, along) && !self.out.run(*run).is_each =>
            {
                self.picked_along(Affine::plain(Moving::Run(*run)), along, index.1)
            }
            Val::Affine(affine) => self.picked_along((**affine).clone(), along, index.1),
            Val::Range(_) | Val::Num(_) => match self.range_indices(&index.0, index.1) {
                Some(Ok(affine)) => self.picked_along(affine, along, index.1),
                Some(Err(_)) => return Val::Unknown,
                None => return self.no_index(index),
            },
            Val::Tile(ids) => match self.picked_at(*ids, index) {
                Some(axes) => (Chosen::Tile { value: *ids }, axes),
                None => return Val::Unknown,
            },
            _ => return self.no_index(index),
        };
        let own = self.out.axes(v).without(&Axes::from([along]));
        let twice = more
            .iter()
            .find(|ax| own.contains(*ax) && matches!(at, Chosen::Index { .. }));
        if let Some(ax) = twice {
            let name = self.out.body.axes[ax.index()].name.clone();
            let text = format!(
                "an index of `pick` along `{name}`, which the tile has already: not offered yet"
            );
            let d = self.error(Code::J0109, index.1, text).help(format!(
                "pick at a tile of indices: `{name}.iota()`, and what is computed of it"
            ));
            return self.report.bad(d);
        }
        let axes = own.union(&more);
        let whole: Axes = axes.iter().map(|ax| self.out.whole_of(ax)).collect();
        if whole.len() < axes.len() {
            let (left, right) = (self.out.axes_text(&own), self.out.axes_text(&more));
            let (receiver, at) = (self.report.at(&m.receiver), self.report.at(index.1));
            let text = format!(
                "`pick` at a tile `{right}` of one `{left}` along the other axes: both have a part of one axis, and not the same"
            );
            let d = self
                .error(Code::J0206, &method_ends(m), text)
                .label(receiver, format!("this is `{left}` along the other axes"))
                .label(at, format!("this is `{right}`"))
                .help("load them with the same index");
            return self.report.bad(d);
        }
        let (span, dtype) = (self.report.at(e), self.out.dtype(v));
        self.out.def(
            TileExpr::Pick {
                value: v,
                along,
                at,
            },
            dtype,
            axes,
            span,
        )
    }

    /// Returns the axis that is named, which the tile must have as a whole.
    pub(super) fn whole_axis_of(
        &mut self,
        v: ValueId,
        of: &str,
        axis: &Arg<'_>,
        m: &ExprMethodCall,
    ) -> Option<AxId> {
        let over = self.some_axes_given(axis, of)?;
        let own = self.out.axes(v).clone();
        if self.not_over(&own, &over, of, m).is_some() {
            return None;
        }
        let mut all = over.iter();
        let (Some(along), None) = (all.next(), all.next()) else {
            let text = format!(
                "`{of}` along several axes, `{}`: an index is one along one",
                self.out.axes_text(&over)
            );
            let d = self
                .error(Code::J0206, axis.1, text)
                .help(format!("{of} along one after the other"));
            self.report.add(d);
            return None;
        };
        let name = |ax: AxId| self.out.body.axes[ax.index()].name.clone();
        if matches!(self.out.body.axes[along.index()].from, AxFrom::Run { .. }) {
            let (run, whole) = (name(along), name(self.out.whole_of(along)));
            let text = format!(
                "`{of}` along `{run}`, a tile of `{whole}`: what is there depends on the tile size"
            );
            let one = if of == "pick" {
                "; or load the one index: `x.at(i)`"
            } else {
                ""
            };
            let d = self.error(Code::J0214, axis.1, text).help(format!(
                "{of} along a whole axis: loop over another one, and load all of this, `..`, where `{run}` stands{one}"
            ));
            self.report.add(d);
            return None;
        }
        // An empty axis has no element to choose.
        let (extent, named, span) = (self.out.extent(along), name(along), self.report.at(axis.1));
        self.draft
            .host_check(extent.bin(BinOp::Ge, 1), format!("{named} >= 1"), span);
        Some(along)
    }

    /// Adds a check by the host that an index which it knows lies in the axis.
    fn picked_by_host(&mut self, at: &Scalar, along: AxId, node: &Expr) {
        let mut known = true;
        at.walk(&mut |s| {
            known &= !matches!(s, Scalar::Var(_) | Scalar::BlockIdx | Scalar::BlockDim)
        });
        if known {
            let (extent, of, span) = (
                self.out.extent(along),
                self.out.body.axes[along.index()].name.clone(),
                self.report.at(node),
            );
            self.draft.host_check(
                at.clone().bin(BinOp::Lt, extent),
                format!("{} < {of}", text(node)),
                span,
            );
        }
    }

    /// Makes an index that moves, and its axes. Where it moves along a whole axis the host checks
    /// the last one.
    fn picked_along(&mut self, affine: Affine, along: AxId, node: &Expr) -> (Chosen, Axes) {
        let affine = self.steady_index(affine, node);
        let index = self.out.affine_index(affine);
        let axes: Axes = index.terms.iter().map(|term| term.ax).collect();
        for term in &index.terms {
            if matches!(
                self.out.body.axes[term.ax.index()].from,
                AxFrom::Whole { .. }
            ) {
                let steps = self.out.extent(term.ax) - 1;
                let last = index.offset.clone() + steps * term.factor.clone();
                let is_backwards = term.factor.as_int().is_some_and(|f| f < 0);
                self.picked_by_host(
                    if is_backwards { &index.offset } else { &last },
                    along,
                    node,
                );
            }
        }
        (Chosen::Index { index }, axes)
    }

    /// Returns the axes of a tile of indices. Reports J0217 where its elements are no indices.
    fn picked_at(&mut self, ids: ValueId, index: &Arg<'_>) -> Option<Axes> {
        let dtype = self.out.dtype(ids);
        if dtype == Ty::Is(DType::I32) {
            return Some(self.out.axes(ids).clone());
        }
        let found = self.draft.sig.ty_name(dtype);
        let d = self.error(
            Code::J0217,
            index.1,
            format!("an index of `pick` is a tile of `{found}`; indices are `i32`"),
        );
        let d = match dtype {
            Ty::Is(DType::I64) => {
                let (at, now) = (d.span(), format!("{}.cast::<i32>()", as_receiver(index.1)));
                d.help("no axis in UB has more indices than an `i32` counts: convert them")
                    .fix(at, now)
            }
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => {
                d.help("say how they are rounded: `v.cast_with::<i32>(RoundMode::Floor)`")
            }
            Ty::Mask => d.help("a mask chooses between two tiles: `mask.select(a, b)`"),
        };
        self.report.add(d);
        None
    }

    /// Reports J0106 for a value that is no index of a tile.
    fn no_index(&mut self, index: &Arg<'_>) -> Val {
        if index.0.is_unknown() {
            return Val::Unknown;
        }
        let axis = match &index.0 {
            Val::Num(Num {
                axis: Some(name), ..
            }) => Some(self.names.axis_names[name.0].name.clone()),
            _ => None,
        };
        let what = axis.as_ref().map_or_else(
            || index.0.what().to_string(),
            |name| format!("the axis `{name}`"),
        );
        let d = self.error(
            Code::J0106,
            index.1,
            format!("an index of `pick` is a `usize`, a range, what is computed of a tile of a loop, or a tile of `i32`, found {what}"),
        );
        let d = match &index.0 {
            Val::Num(_) if axis.is_some() => {
                d.help("the last index of an axis `d` is `d - 1`, all of them are `d.iota()`")
            }
            Val::Handle(run) => {
                let name = self.out.run(*run).name.clone();
                let (at, now) = (d.span(), format!("{name}.iota()"));
                d.help(format!(
                    "the indices of `{name}` as a tile are `{now}`; where they are meant as indices of this axis: `{name} + 0`"
                ))
                .fix(at, now)
            }
            _ => d.help(
                "indices along an axis are `d.iota()`, those of the tile of a loop `t.iota()`",
            ),
        };
        self.report.bad(d)
    }
}

/// True for the tile of a loop over this axis, or over a range, of which only the bounds are
/// checked.
fn stands_at(out: &Emitted, run: RunId, along: AxId) -> bool {
    let of = out.run(run).of;
    of == along || out.firsts.contains_key(&of)
}
