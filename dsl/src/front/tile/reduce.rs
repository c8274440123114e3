//! Reductions of tiles along axes, and reports of results that would depend on the tile size.

use crate::diag::{Code, Diagnostic};
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::kinds::Fit;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, Num, RunId, Val};
use crate::front::cx::Cx;
use crate::front::text::words::{is_all, method_ends};
use crate::ir::{AxFrom, AxId, Axes, BinOp, LoopId, Scalar, TileExpr, Ty, ValueId};
use crate::ops::AxisReduceOp;
use syn::{Expr, ExprMethodCall};

/// Most elements of an axis along which indices of elements are found: they are counted in `f32`.
const MOST_PLACES: i64 = 1 << 24;
/// Most 64-bit integers that are added along whole axes: a few bits of each are added at a time, in
/// `i32`.
const MOST_ADDED: i64 = 1 << 20;
/// Indices that `i32` holds.
const MOST_INDICES: i64 = 1 << 31;

impl Cx<'_> {
    /// Reports an axis that is given by its number, as in `v.mean(1)`.
    fn axis_by_number(&mut self, arg: &Arg<'_>, axes: &Axes, name: &str) -> Option<Val> {
        let Val::Num(Num {
            value: Scalar::Int(nth),
            axis: None,
            ..
        }) = arg.0
        else {
            return None;
        };
        let message = format!("`{name}` takes axes by their names, found the number `{nth}`");
        let d = self.error(Code::J0106, arg.1, message).help(format!(
            "the axes of this tile are `{}`; all of them are `..`",
            self.out.axes_text(axes)
        ));
        let names = axes
            .iter()
            .map(|ax| self.out.body.axes[ax.index()].name.clone());
        let d = d.expected(names);
        // The last axis is meant by `-1`, and by the number of the last one.
        let last = axes
            .iter()
            .last()
            .filter(|_| nth == -1 || usize::try_from(nth).is_ok_and(|nth| nth + 1 == axes.len()));
        let d = match last {
            Some(ax) => {
                let at = d.span();
                d.fix(at, self.out.body.axes[ax.index()].name.clone())
                    .maybe()
            }
            None => d,
        };
        Some(self.report.bad(d))
    }

    /// Reads `v.sum(d)`, `v.sum((a, d))` or `v.sum(..)`.
    pub fn reduction(&mut self, op: AxisReduceOp, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let misused = match op.is_of_masks() {
            true => self.only_mask(v, &name, m),
            false => self.no_mask(v, &name, &m.receiver),
        };
        if let Some(bad) = misused {
            return bad;
        }
        let axes = self.out.axes(v).clone();
        if m.args.is_empty() {
            let all = self.out.axes_text(&axes);
            let ends = method_ends(m);
            let d = self
                .error(
                    Code::J0106,
                    &ends,
                    format!("`{name}` takes 1 argument, found 0"),
                )
                .help(format!(
                    "name the axes that go, of `{all}`: `v.{name}({})`; all of them are `..`",
                    self.out.axes_arg(&axes)
                ))
                .number("found", 0)
                .number("allowed", 1)
                .expected(
                    axes.iter()
                        .map(|ax| self.out.body.axes[ax.index()].name.clone()),
                );
            // The sum along an axis that the tile has as a whole does not depend on the tile size.
            let whole =
                |ax: &AxId| matches!(self.out.body.axes[ax.index()].from, AxFrom::Whole { .. });
            let mut wholes = axes.iter().filter(whole);
            let d = match (wholes.next(), wholes.next()) {
                (Some(ax), None) => {
                    let (at, axis) = (d.span(), &self.out.body.axes[ax.index()].name);
                    d.fix(at, format!("{name}({axis})")).maybe()
                }
                _ => d,
            };
            return self.report.bad(d);
        }
        let over = match m.args.first() {
            Some(a) if m.args.len() == 1 && is_all(a) => match axes.is_empty() {
                false => axes.clone(),
                true => return nothing_to_reduce(&mut self.report, &name, m),
            },
            _ => {
                let args = self.args(&m.args);
                let Some([arg]) =
                    self.report
                        .exactly::<1>(&name, &args, e, &format!("v.{name}(d)"))
                else {
                    return Val::Unknown;
                };
                if let Some(bad) = self.axis_by_number(arg, &axes, &name) {
                    return bad;
                }
                match self.some_axes_given(arg, &name) {
                    Some(over) => over,
                    None => return Val::Unknown,
                }
            }
        };
        if let Some(bad) = self.not_over(&axes, &over, &name, m) {
            return bad;
        }
        if op.is_place() && !self.is_one_axis(&over, &name, m) {
            return Val::Unknown;
        }
        if let Some(ax) = over
            .iter()
            .find(|ax| op == AxisReduceOp::Mean && loop_of(&self.out, *ax).is_some())
        {
            let d = self.mean_of_a_tile(ax, m);
            return self.report.bad(d);
        }
        if op == AxisReduceOp::Sum {
            self.adds_few(v, &over, m);
        }
        let (span, own) = (self.report.at(e), self.out.dtype(v));
        let dtype = if op.is_place() {
            Ty::Is(DType::I32)
        } else {
            own
        };
        let made = self.out.def(
            TileExpr::reduction(op, v, over.clone()),
            dtype,
            axes.without(&over),
            span,
        );
        let along = over.iter().next();
        match along {
            Some(ax) if op.is_place() => self.out.places_from_first(made, ax, span),
            _ => made,
        }
    }

    /// Adds a check by the host that a sum of 64-bit integers is short enough. A run is bounded by
    /// UB.
    fn adds_few(&mut self, v: ValueId, over: &Axes, m: &ExprMethodCall) {
        let ty = self.out.dtype(v);
        let is_long = ty != Ty::Mask
            && self
                .draft
                .sig
                .instances
                .iter()
                .any(|types| ty.resolve(types) == DType::I64);
        let whole: Vec<AxId> = over
            .iter()
            .filter(|ax| loop_of(&self.out, *ax).is_none())
            .collect();
        if !is_long || whole.is_empty() {
            return;
        }
        let names: Vec<String> = whole
            .iter()
            .map(|ax| self.out.body.axes[ax.index()].name.clone())
            .collect();
        let count = whole
            .iter()
            .map(|ax| self.out.extent(*ax))
            .reduce(|a, b| a * b)
            .unwrap_or(Scalar::Int(1));
        let span = self.report.at(&method_ends(m));
        self.draft.host_check(
            count.bin(BinOp::Le, MOST_ADDED),
            format!("{} <= {MOST_ADDED}", names.join(" * ")),
            span,
        );
    }

    /// Reports J0206 for axes that a tile lacks.
    pub fn not_over(
        &mut self,
        axes: &Axes,
        over: &Axes,
        name: &str,
        m: &ExprMethodCall,
    ) -> Option<Val> {
        let receiver = self.report.at(&m.receiver);
        let all = self.out.axes_text(axes);
        let ends = method_ends(m);
        if let Some(ax) = over.iter().find(|ax| !axes.contains(*ax)) {
            let wanted = self.out.body.axes[ax.index()].name.clone();
            let d = self
                .error(
                    Code::J0206,
                    &ends,
                    format!("`{name}` over `{wanted}` of a tile `{all}`"),
                )
                .label(receiver, format!("this is `{all}`"));
            let part = axes
                .iter()
                .find(|own| self.out.whole_of(*own) == self.out.whole_of(ax));
            let d = match part.map(|own| self.out.body.axes[own.index()].name.clone()) {
                None if axes.is_empty() => {
                    d.help("a tile `[]` is one number: there is nothing to reduce")
                }
                Some(own) => d.help(format!(
                    "this tile has `{own}`, another part of that axis: `v.{name}({own})`"
                )),
                None => d.help("a tile has the axes of the index that it was loaded with"),
            };
            return Some(self.report.bad(d));
        }
        None
    }

    /// Reports J0201 for a reduction of masks on a tile that is no mask.
    fn only_mask(&mut self, v: ValueId, name: &str, m: &ExprMethodCall) -> Option<Val> {
        let found = self.out.dtype(v);
        (found != Ty::Mask).then(|| {
            let text = format!(
                "`{name}` of a tile of `{}`, it takes the mask of a compare",
                self.draft.sig.ty_name(found)
            );
            let d = self
                .error(Code::J0201, &m.receiver, text)
                .help(format!("write `x.gt(y).{name}(d)`"));
            self.report.bad(d)
        })
    }

    /// Reports J0206 for the index of an element along several axes. Adds a check by the host that
    /// the one axis is not empty.
    fn is_one_axis(&mut self, over: &Axes, name: &str, m: &ExprMethodCall) -> bool {
        let mut all = over.iter();
        let (Some(ax), None) = (all.next(), all.next()) else {
            let text = format!(
                "`{name}` over several axes, `{}`: it gives an index along one",
                self.out.axes_text(over)
            );
            let d = self.error(Code::J0206, &method_ends(m), text);
            let size = |ax| match self
                .draft
                .size_text(&self.out.extent(self.out.whole_of(ax)))
            {
                size if size.contains(' ') => format!("({size})"),
                size => size,
            };
            let sizes: Vec<String> = over.iter().map(size).collect();
            let view = format!("`let k = new_axis({});` and `x.view(k)`", sizes.join(" * "));
            let d =
                d.help(format!("name one axis; to look through several, give the tensor a view in which they are one: {view}"));
            self.report.add(d);
            return false;
        };
        // An iteration of a range has at least one index.
        if self.out.asks_of_range(ax, Fit::Indices(MOST_PLACES)) {
            self.out.asks_of_range(ax, Fit::End(MOST_INDICES));
            return true;
        }
        let (extent, of) = (
            self.out.extent(ax),
            self.out.body.axes[self.out.whole_of(ax).index()]
                .name
                .clone(),
        );
        let span = self.report.at(&method_ends(m));
        self.draft
            .host_check(extent.clone().bin(BinOp::Ge, 1), format!("{of} >= 1"), span);
        self.draft.host_check(
            extent.bin(BinOp::Le, MOST_PLACES),
            format!("{of} <= {MOST_PLACES}"),
            span,
        );
        true
    }

    /// Reports J0214 for a mean along the tile of a loop: no merge makes it that of the whole axis.
    fn mean_of_a_tile(&mut self, ax: AxId, m: &ExprMethodCall) -> Diagnostic {
        let [run, whole] =
            [ax, self.out.whole_of(ax)].map(|ax| self.out.body.axes[ax.index()].name.clone());
        let text = format!(
            "`mean` over `{run}`, a tile of `{whole}`: the result depends on the tile size"
        );
        self.error(Code::J0214, &method_ends(m), text).help(format!(
            "reduce over a whole axis: loop over another one, and load all of this, `..`, where `{run}` stands; or add up `v.sum({run})`, and \
             divide by `{whole}` behind the loop"
        ))
    }

    /// Reads `t.iota()` or `d.iota()`: the indices along an axis.
    pub fn iota(&mut self, ax: AxId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        if self
            .report
            .exactly::<0>("iota", &args, e, "t.iota()")
            .is_none()
        {
            return Val::Unknown;
        }
        let (end, of) = (
            self.out.first_index(ax) + self.out.extent(ax),
            self.out.body.axes[self.out.whole_of(ax).index()]
                .name
                .clone(),
        );
        let span = self.report.at(e);
        if !self.out.asks_of_range(ax, Fit::End(MOST_INDICES)) {
            self.draft.host_check(
                end.bin(BinOp::Le, MOST_INDICES),
                format!("{of} <= {MOST_INDICES}"),
                span,
            );
        }
        let run = self.out.runs.iter().position(|run| run.ax == ax);
        let start = run.map_or_else(
            || self.out.first_index(ax),
            |run| self.out.run_start(RunId(run)),
        );
        let first = Scalar::cast(crate::ir::ScalarTy::I32, start);
        self.out.def(
            TileExpr::Iota { first },
            Ty::Is(DType::I32),
            Axes::from([ax]),
            span,
        )
    }
}

/// Reports J0206 for `v.sum(..)` of a tile without axes.
fn nothing_to_reduce(report: &mut Report, name: &str, m: &ExprMethodCall) -> Val {
    let receiver = report.at(&m.receiver);
    let d = report
        .error(
            Code::J0206,
            &method_ends(m),
            format!("`{name}` of a tile without axes, `[]`"),
        )
        .label(receiver, "this is one number")
        .help("use it as it is: there is nothing to reduce");
    report.bad(d)
}

/// Returns the loop that an axis is a run of.
fn loop_of(out: &Emitted, ax: AxId) -> Option<LoopId> {
    match out.body.axes[ax.index()].from {
        AxFrom::Run { of } => Some(of),
        AxFrom::Whole { .. } | AxFrom::Hull { .. } => None,
    }
}
