//! Ranges: `tiles(a..b)`, `each(a..b)`, also in products.
//!
//! A range is an axis of its own, of `b - a` indices or none, which is aligned with no other. The
//! author counts its indices from `a`: in an index of a tensor, of which only the bounds are
//! checked, in `t.start()`, in `t.iota()` and in places. In the IR it is a whole axis like any
//! other, whose indices count from 0; the rest of an index is part of its offset.
//!
//! Where only the core knows an end, the loop goes through the first `b - a` indices
//! (`AxSpec::length`) of an axis with the greatest possible length. That is the least size that is
//! proved to be no less (`check::ranges`), which is found once the whole kernel is read.

use crate::check::{most_of_ranges, Most};
use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::kinds::{CoreRange, Fit};
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, Num, Part, Range, Val};
use crate::front::cx::Cx;
use crate::front::text::span;
use crate::front::text::span::{text, Node};
use crate::ir::linear::tidied;
use crate::ir::{
    AxFrom, AxId, BinOp, Operand, Scalar, ScalarTy, SpanId, Stage, StmtKind, TileExpr, TileStmt,
    NO_BOUND,
};
use crate::ops::{BinaryOp, Op};
use syn::{Expr, ExprRange, RangeLimits};

impl Cx<'_> {
    /// Reads a range `a..b`.
    pub fn range(&mut self, r: &ExprRange, e: &Expr) -> Val {
        let (Some(from), Some(to)) = (&r.start, &r.end) else {
            return self.refuse(e);
        };
        let ends = [from, to].map(|end| (self.expr(end), &**end));
        if !matches!(r.limits, RangeLimits::HalfOpen(_)) {
            let d = self.error(Code::J0101, e, "a closed range cannot stand in a kernel");
            let (at, now) = (d.span(), format!("{}..{} + 1", text(from), text(to)));
            return self.report.bad(
                d.help("write the end after the last index: `a..b + 1`")
                    .fix(at, now),
            );
        }
        let ty = end_ty(&self.out, [&ends[0].0, &ends[1].0]);
        let [from, to] = ends.each_ref().map(|arg| self.range_index(arg, ty));
        match (from, to) {
            (Some(from), Some(to)) => Val::Range(Box::new(Range { from, to })),
            _ => Val::Unknown,
        }
    }

    /// Reads an end as an index.
    fn range_index(&mut self, arg: &Arg<'_>, ty: ScalarTy) -> Option<Scalar> {
        let said = text(arg.1);
        let help = match &arg.0 {
            Val::Num(n) => {
                return self
                    .report
                    .want(n.clone(), ty, arg.1, "an end of a range")
                    .map(|n| Scalar::cast(ScalarTy::Index, n.value))
            }
            Val::Tile(_) => format!("the number of a tile without axes is `{said}.scalar()`"),
            Val::Handle(_) => format!("the first index of a tile is `{said}.start()`, the one behind its last `{said}.end()`"),
            _ => {
                self.wrong_kind(arg, "an end of a range");
                return None;
            }
        };
        let d = self
            .error(
                Code::J0106,
                arg.1,
                format!("an end of a range is a scalar, found {}", arg.0.what()),
            )
            .help(help);
        self.report.add(d);
        None
    }

    /// Makes the axis of a range that a loop goes through.
    pub fn range_part(&mut self, range: &Range, node: &Expr) -> Option<Part> {
        if self.out.stage(&range.from.clone().max(range.to.clone())) <= Stage::Host {
            return self.range_ax(range, node).map(Part::of);
        }
        Some(self.core_range(range, node))
    }

    /// Makes the axis of a range with an end that only the core knows, as it is where the loop
    /// begins.
    fn core_range(&mut self, range: &Range, node: &Expr) -> Part {
        let span = self.report.at(node);
        let [from, to] = [("first", &range.from), ("end", &range.to)]
            .map(|(name, end)| kept(&mut self.out, name, end, span));
        let length = kept(
            &mut self.out,
            "count",
            &tidied(&(to.clone() - from.clone())),
            span,
        );
        let of = self.out.new_ax(
            "range",
            AxFrom::Whole {
                extent: NO_BOUND.into(),
            },
        );
        self.out.firsts.insert(of, from);
        self.out.core_ranges.push(CoreRange {
            of,
            to,
            fit: Vec::new(),
            at: node.ends(),
            text: span::squeezed(node),
        });
        Part {
            length: Some(length),
            ..Part::of(of)
        }
    }

    /// Finds upper bounds for ranges whose ends only the core knows. Reports J0601 where nothing
    /// bounds one and the size of a run must be solved for.
    pub fn bound_ranges(&mut self) {
        let ranges = std::mem::take(&mut self.out.core_ranges);
        if ranges.is_empty() || self.report.failed() {
            return;
        }
        let ends = ranges
            .iter()
            .map(|range| (range.of, range.to.clone()))
            .collect();
        let mut found =
            most_of_ranges(&self.draft.sig, &self.out.body, &self.out.stmts.tile, &ends);
        let mut solved = Vec::new();
        crate::ir::walk_stmts(&self.out.stmts.tile, &mut |s| {
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                let open = tile
                    .specs
                    .iter()
                    .filter(|spec| !spec.size.is_each() && spec.size.given().is_none());
                solved.extend(open.map(|spec| spec.of));
            }
        });
        for range in ranges {
            let Most { indices, end } = found.remove(&range.of).unwrap_or_default();
            let [indices, end] =
                [indices, end].map(|most| most.map(|most| self.out.definitions.write_out(&most)));
            let [indices, end] =
                [indices, end].map(|most| most.filter(super::axes::is_of_signature));
            match &indices {
                Some(extent) => {
                    self.out.body.axes[range.of.index()].from = AxFrom::Whole {
                        extent: extent.clone(),
                    }
                }
                None if solved.contains(&range.of) => unbounded(&mut self.report, &range),
                None => {}
            }
            range
                .fit
                .iter()
                .for_each(|fit| self.holds_range(&range, *fit, indices.as_ref(), end.as_ref()));
        }
    }

    /// Adds a check by the host that elements can hold the indices. Reports J0601 where nothing
    /// bounds them.
    fn holds_range(
        &mut self,
        range: &CoreRange,
        fit: Fit,
        indices: Option<&Scalar>,
        end: Option<&Scalar>,
    ) {
        let (most, limit) = match fit {
            Fit::End(limit) => (end, limit),
            Fit::Indices(limit) => (indices, limit),
        };
        let Some(most) = most else {
            let text = &range.text;
            let d = self
                .error(
                    Code::J0601,
                    &range.at,
                    format!("nothing says where `{text}` ends at most, and its indices become numbers"),
                )
                .help("say where it ends: `assume(hi <= n);` with an axis `n`, or clamp its end, `.min(n)`");
            return self.report.add(d);
        };
        let (text, span) = (
            format!("{} <= {limit}", self.draft.size_text(most)),
            self.report.at(&range.at),
        );
        self.draft
            .host_check(most.clone().bin(BinOp::Le, limit), text, span);
    }

    /// Makes the axis of a range whose ends the host knows.
    pub fn range_ax(&mut self, range: &Range, node: &Expr) -> Option<AxId> {
        let (first, extent) = self.host_range(range, node)?;
        let ax = self.out.new_ax("range", AxFrom::Whole { extent });
        self.out.firsts.insert(ax, first);
        Some(ax)
    }

    /// Returns the first index of a range whose ends the host knows, and its length.
    pub fn host_range(&mut self, range: &Range, node: &Expr) -> Option<(Scalar, Scalar)> {
        let known = [&range.from, &range.to]
            .into_iter()
            .all(|end| self.host_known(end, node, "an end of an axis"));
        if !known {
            return None;
        }
        let (from, to) = (
            self.out.definitions.write_out(&range.from),
            self.out.definitions.write_out(&range.to),
        );
        if ![&from, &to].into_iter().all(super::axes::is_of_signature) {
            let d = self
                .error(
                    Code::J0601,
                    node,
                    "a range is computed from more than axes, attributes and constants",
                )
                .help("an axis has one size for all element types, and is computed in a few steps");
            self.report.add(d);
            return None;
        }
        let length = tidied(&(to.clone() - from.clone()));
        let extent = if self.draft.sig.is_certain(&from.clone().bin(BinOp::Le, to)) {
            length
        } else {
            length.max(0)
        };
        Some((from, extent))
    }

    /// Reports J0109 for an axis that does not begin at 0 where indices count from 0.
    pub fn begins_at_0(&mut self, ax: AxId, node: &dyn Node, what: &str) -> bool {
        let first = self.out.first_index(ax);
        if first == Scalar::Int(0) {
            return true;
        }
        let (name, first) = (
            self.out.body.axes[self.out.whole_of(ax).index()]
                .name
                .clone(),
            self.draft.size_text(&first),
        );
        let d = self.error(Code::J0109, node, format!("{what} `{name}`, whose first index is `{first}`: not offered yet"))
            .help(format!("let its indices begin with 0, `let {name} = new_axis(n)`, and load what lies there: `x.at({name}.indices() + {first})`"));
        self.report.add(d);
        false
    }
}

impl Emitted {
    /// Notes a limit on a range with an end that only the core knows; false for any other axis.
    pub fn asks_of_range(&mut self, ax: AxId, fit: Fit) -> bool {
        let of = self.whole_of(ax);
        let range = self.core_ranges.iter_mut().find(|range| range.of == of);
        range.map(|range| range.fit.push(fit)).is_some()
    }

    /// Returns the first index of an axis, or of the one that it is a run of, as the author counts.
    pub fn first_index(&self, ax: AxId) -> Scalar {
        self.firsts
            .get(&self.whole_of(ax))
            .cloned()
            .unwrap_or(Scalar::Int(0))
    }

    /// Converts places along an axis to the author's count.
    pub fn places_from_first(&mut self, places: Val, ax: AxId, span: SpanId) -> Val {
        let (Val::Tile(value), first) = (&places, self.first_index(ax)) else {
            return places;
        };
        if first == Scalar::Int(0) {
            return places;
        }
        let args = vec![
            Operand::Value { value: *value },
            Operand::Scalar {
                value: Scalar::cast(ScalarTy::I32, first),
            },
        ];
        let (dtype, axes) = (self.dtype(*value), self.axes(*value).clone());
        self.def(
            TileExpr::Op {
                op: Op::Binary(BinaryOp::Add),
                args,
            },
            dtype,
            axes,
            span,
        )
    }
}

/// Chooses the type of the ends: numbers that were read from tiles may be `i32`, which Rust also
/// makes ranges of.
fn end_ty(out: &Emitted, ends: [&Val; 2]) -> ScalarTy {
    let is_read = |n: &Num| n.ty == Some(ScalarTy::I32) && out.stage(&n.value) > Stage::Host;
    let reads = ends
        .iter()
        .any(|end| matches!(end, Val::Num(n) if is_read(n)));
    let others = ends
        .iter()
        .all(|end| !matches!(end, Val::Num(n) if n.ty.is_some_and(|ty| ty != ScalarTy::I32)));
    if reads && others {
        ScalarTy::I32
    } else {
        ScalarTy::Index
    }
}

/// Fixes the present value of a scalar, under a name where it is computed.
fn kept(out: &mut Emitted, name: &str, value: &Scalar, span: SpanId) -> Scalar {
    out.pinned(name, Num::index(value.clone()), span).value
}

fn unbounded(report: &mut Report, CoreRange { at, text, .. }: &CoreRange) {
    let what = format!("nothing says how many indices `{text}` has at most, which the size of its tiles follows from");
    let help = format!(
        "give the size: `tiles({text}).size(64)`; or let each iteration load or store at its tile, which is shown to stay inside of a tensor"
    );
    let d = report.error(Code::J0601, at, what).help(help);
    report.add(d);
}
