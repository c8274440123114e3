//! `v.topk(d, k)`, `v.argsort(d)` and `v.sort(d)`: elements in their order along an axis, and their
//! former places.
//!
//! One op gives places of the largest elements in falling order ([`TileExpr::Top`]). Rising order
//! sorts the elements times -1, and values are picked by their places. nan stands beside infinity,
//! as the largest.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::value::{Arg, Val};
use crate::front::cx::Cx;
use crate::front::text::words::method_ends;
use crate::ir::{
    AxFrom, AxId, Axes, BinOp, CallArg, Chosen, InlinedCall, Operand, Scalar, SpanId, TileExpr, Ty,
    ValueId,
};
use crate::items::TileMethod;
use crate::ops::contract::MOST_SORTED;
use crate::ops::{CompareOp, LayoutOp, Op, UnaryOp};
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// Reads a call of one of these methods.
    pub fn sorted(&mut self, method: TileMethod, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = method.name();
        let args = self.args(&m.args);
        let axes = match method {
            TileMethod::Topk => self
                .report
                .exactly::<2>(name, &args, e, "v.topk(d, k)")
                .map(|[d, k]| (d, Some(k))),
            _ => self
                .report
                .exactly::<1>(name, &args, e, &format!("v.{name}(d)"))
                .map(|[d]| (d, None)),
        };
        let Some((d, k)) = axes else {
            return Val::Unknown;
        };
        if let Some(bad) = self.no_mask(v, name, &m.receiver) {
            return bad;
        }
        self.ordered(v, method, d, k, m, e).unwrap_or(Val::Unknown)
    }

    fn ordered(
        &mut self,
        v: ValueId,
        method: TileMethod,
        d: &Arg<'_>,
        k: Option<&Arg<'_>>,
        m: &ExprMethodCall,
        e: &Expr,
    ) -> Option<Val> {
        let name = method.name();
        let along = self.whole_axis_of(v, name, d, m)?;
        if !self.begins_at_0(along, d.1, &format!("`{name}` along")) {
            return None;
        }
        let to = match k {
            Some(k) => self.axis_of_places(v, along, d, k)?,
            None => along,
        };
        let (extent, named, span) = (
            self.out.extent(along),
            self.out.body.axes[along.index()].name.clone(),
            self.report.at(d.1),
        );
        self.draft.host_check(
            extent.bin(BinOp::Le, MOST_SORTED),
            format!("{named} <= {MOST_SORTED}"),
            span,
        );
        let span = self.report.at(e);
        let scores = self.scores(v, name, k.is_none(), m, span)?;
        let axes = self
            .out
            .axes(v)
            .without(&Axes::from([along]))
            .union(&Axes::from([to]));
        let places = self.out.define(
            TileExpr::Top {
                value: scores,
                along,
                to,
            },
            Ty::Is(DType::I32),
            axes.clone(),
            span,
        );
        let note = |cx: &mut Self, results: Vec<ValueId>| {
            let args = [along]
                .into_iter()
                .chain(k.map(|_| to))
                .map(|ax| CallArg::Axis { ax })
                .collect();
            if cx.report.within.is_none() {
                cx.out.calls.push(InlinedCall {
                    span,
                    method: name.to_string(),
                    receiver: v,
                    args,
                    results,
                });
            }
        };
        if method == TileMethod::Argsort {
            note(self, vec![places]);
            return Some(Val::Tile(places));
        }
        let chosen = TileExpr::Pick {
            value: v,
            along,
            at: Chosen::Tile { value: places },
        };
        let values = self.out.define(chosen, self.out.dtype(v), axes, span);
        let both = if method == TileMethod::Topk {
            vec![values, places]
        } else {
            vec![values]
        };
        note(self, both);
        let values = Val::Tile(values);
        Some(if method == TileMethod::Topk {
            Val::Tuple(vec![values, Val::Tile(places)])
        } else {
            values
        })
    }

    /// Reads the axis whose length is the number of places: a whole one that the tile lacks
    /// otherwise.
    fn axis_of_places(
        &mut self,
        v: ValueId,
        along: AxId,
        d: &Arg<'_>,
        k: &Arg<'_>,
    ) -> Option<AxId> {
        let given = self.some_axes_given(k, "topk")?;
        let mut all = given.iter();
        let (Some(to), None) = (all.next(), all.next()) else {
            let text = format!(
                "`topk` gives places along one axis, not `{}`",
                self.out.axes_text(&given)
            );
            let d = self
                .error(Code::J0206, k.1, text)
                .help("`v.topk(d, k)` with an axis `k`, `let k = new_axis(8);`");
            self.report.add(d);
            return None;
        };
        let name = |cx: &Self, ax: AxId| cx.out.body.axes[ax.index()].name.clone();
        if !matches!(self.out.body.axes[to.index()].from, AxFrom::Whole { .. }) {
            let text = format!(
                "`topk` gives places along `{}`, a part of an axis: how many that has depends on the tile size",
                name(self, to)
            );
            let d = self
                .error(Code::J0214, k.1, text)
                .help("name the whole axis: one of `#[shape(..)]`, or `let k = new_axis(8);`");
            self.report.add(d);
            return None;
        }
        if self.out.axes(v).without(&Axes::from([along])).contains(to) {
            let text = format!(
                "`topk` gives places along `{}`, which the tile has beside `{}`",
                name(self, to),
                name(self, along)
            );
            let d = self
                .error(Code::J0206, k.1, text)
                .help("name another axis, `let k = new_axis(8);`");
            self.report.add(d);
            return None;
        }
        if to != along {
            let [n, most] = [along, to].map(|ax| self.out.extent(ax));
            let [d_name, k_name] = [along, to].map(|ax| name(self, ax));
            let (at, of) = (self.report.at(k.1), self.report.at(d.1));
            self.draft.host_check(
                most.clone().bin(BinOp::Le, n),
                format!("{k_name} <= {d_name}"),
                of,
            );
            self.draft
                .host_check(most.bin(BinOp::Ge, 1), format!("{k_name} >= 1"), at);
        }
        Some(to)
    }

    /// Makes the scores that are sorted in falling order: floats without nan, times -1 for rising
    /// order.
    fn scores(
        &mut self,
        v: ValueId,
        name: &str,
        rises: bool,
        m: &ExprMethodCall,
        span: SpanId,
    ) -> Option<ValueId> {
        let (dtype, axes) = (self.out.dtype(v), self.out.axes(v).clone());
        let is_float = self.is_float(dtype) == Some(true);
        let (value, dtype) = match dtype {
            Ty::Is(DType::F16 | DType::F32) => (v, dtype),
            Ty::Wide(_) if is_float => (v, dtype),
            Ty::Is(DType::Bf16) | Ty::Param(_) if is_float => {
                let wide = self.draft.wide(dtype);
                (
                    self.out.define(
                        TileExpr::Cast {
                            value: v,
                            mode: None,
                        },
                        wide,
                        axes.clone(),
                        span,
                    ),
                    wide,
                )
            }
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) | Ty::Mask => {
                let text = format!(
                    "`{name}` of a tile of `{}`: Sort32 takes floats",
                    self.draft.sig.ty_name(dtype)
                );
                let d = self.error(Code::J0203, &method_ends(m), text).help(
                    "order what it is as a float, `v.cast::<f32>()`, which has integers up to 2^24, and choose by the places",
                );
                self.report.add(d);
                return None;
            }
        };
        let own = |cx: &mut Self, op: Op, args: Vec<Operand>, ty: Ty| {
            cx.out
                .define(TileExpr::Op { op, args }, ty, axes.clone(), span)
        };
        let one = |value: ValueId| Operand::Value { value };
        let value = match rises {
            true => own(self, UnaryOp::Neg.into(), vec![one(value)], dtype),
            false => value,
        };
        let is_number = own(
            self,
            CompareOp::Eq.into(),
            vec![one(value), one(value)],
            Ty::Mask,
        );
        let largest = Scalar::Float(if rises {
            f32::NEG_INFINITY
        } else {
            f32::INFINITY
        });
        let args = vec![
            one(is_number),
            one(value),
            Operand::Scalar { value: largest },
        ];
        Some(own(self, LayoutOp::Select.into(), args, dtype))
    }
}
