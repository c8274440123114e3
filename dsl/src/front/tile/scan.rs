//! `v.cumsum(d)` and `v.cumprod(d)`: each element along an axis joined with all before it. Floats
//! are joined in `f32` and rounded once.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::front::text::words::method_ends;
use crate::ir::{TileExpr, Ty, ValueId};
use crate::items::TileMethod;
use crate::ops::AxisReduceOp;
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// Reads a call of `cumsum` or `cumprod`.
    pub fn running(
        &mut self,
        op: AxisReduceOp,
        method: TileMethod,
        v: ValueId,
        m: &ExprMethodCall,
        e: &Expr,
    ) -> Val {
        let name = method.name();
        let args = self.args(&m.args);
        let Some([d]) = self
            .report
            .exactly::<1>(name, &args, e, &format!("v.{name}(d)"))
        else {
            return Val::Unknown;
        };
        if let Some(bad) = self.no_mask(v, name, &m.receiver) {
            return bad;
        }
        let Some(along) = self.whole_axis_of(v, name, d, m) else {
            return Val::Unknown;
        };
        if !self.begins_at_0(along, d.1, &format!("`{name}` along")) {
            return Val::Unknown;
        }
        let (span, own, axes) = (
            self.report.at(e),
            self.out.dtype(v),
            self.out.axes(v).clone(),
        );
        let joined = match own {
            Ty::Is(DType::I32) => own,
            Ty::Param(_) | Ty::Wide(_) if self.draft.in_set(own, "Number") => self.draft.wide(own),
            Ty::Is(_) if self.is_float(own) == Some(true) => self.draft.wide(own),
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) | Ty::Mask => {
                let text = format!(
                    "`{name}` of a tile of `{}`; it takes floats and `i32`",
                    self.draft.sig.ty_name(own)
                );
                let d = self
                    .error(Code::J0203, &method_ends(m), text)
                    .help("convert it, `.cast::<i32>()`, and the result back");
                return self.report.bad(d);
            }
        };
        let value = match joined == own {
            true => v,
            false => self.out.define(
                TileExpr::Cast {
                    value: v,
                    mode: None,
                },
                joined,
                axes.clone(),
                span,
            ),
        };
        let scanned = self.out.define(
            TileExpr::Scan { op, value, along },
            joined,
            axes.clone(),
            span,
        );
        match joined == own {
            true => Val::Tile(scanned),
            false => self.out.def(
                TileExpr::Cast {
                    value: scanned,
                    mode: None,
                },
                own,
                axes,
                span,
            ),
        }
    }
}
