//! The methods of tensors in UB, and elements of GM as scalars.

use super::extent::bare;
use crate::diag::Code;
use crate::front::cx::report::Report;
use crate::front::cx::value::Arg as Given;
use crate::front::cx::value::{LocalPart, Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span::{text, Node};
use crate::front::text::suggest;
use crate::front::text::words::as_receiver;
use crate::ir::{
    Arg, Extent, Layout, Level, QueueStmt, Scalar, ScalarTy, Stage, TensorRef, Ty, View,
};
use crate::items::LocalMethod;
use crate::ops::ScalarOp;
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// Reads a method of a tensor in UB: `.at(offset)`, `.blocks(blk, rep)`, `.results(rep)`,
    /// `.rows(pitch)`, `.reinterpret_cast::<T>()`, `.get_value(i)`, `.set_value(i, v)`.
    pub fn local_method(&mut self, l: LocalPart, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match LocalMethod::by_name(&name) {
            Some(LocalMethod::At) => {
                let Some([arg]) = self
                    .report
                    .exactly::<1>("at", &args, e, "x_local.at(offset)")
                else {
                    return Val::Unknown;
                };
                let Some(offset) = self.index_arg(arg, "the offset") else {
                    return Val::Unknown;
                };
                Val::Local(LocalPart {
                    tensor: l.tensor,
                    offset: l.offset + offset,
                })
            }
            Some(LocalMethod::Blocks) => {
                let Some([blk, rep]) =
                    self.report
                        .exactly::<2>("blocks", &args, e, "x_local.blocks(1, 8)")
                else {
                    return Val::Unknown;
                };
                let (blk, rep) = (
                    self.index_arg(blk, "the block stride"),
                    self.index_arg(rep, "the repeat stride"),
                );
                let (Some(blk), Some(rep)) = (blk, rep) else {
                    return Val::Unknown;
                };
                Val::Strided(l, Layout::Blocks { blk, rep })
            }
            Some(LocalMethod::Results) => {
                let Some([rep]) =
                    self.report
                        .exactly::<1>("results", &args, e, "z_local.results(1)")
                else {
                    return Val::Unknown;
                };
                let Some(rep) = self.index_arg(rep, "the repeat stride") else {
                    return Val::Unknown;
                };
                Val::Strided(l, Layout::Results { rep })
            }
            Some(LocalMethod::Rows) => {
                let Some([pitch]) =
                    self.report
                        .exactly::<1>("rows", &args, e, "x_local.rows(pitch)")
                else {
                    return Val::Unknown;
                };
                let Some(pitch) = self.index_arg(pitch, "the pitch") else {
                    return Val::Unknown;
                };
                Val::Strided(l, Layout::Rows { pitch })
            }
            Some(LocalMethod::ReinterpretCast) => self.reinterpreted(l, &args, m, e),
            Some(LocalMethod::GetValue) => {
                let Some([arg]) =
                    self.report
                        .exactly::<1>("get_value", &args, e, "x_local.get_value(i)")
                else {
                    return Val::Unknown;
                };
                let Some(i) = self.index_arg(arg, "the index") else {
                    return Val::Unknown;
                };
                let dtype = self.out.body.tensors[l.tensor.index()].dtype;
                let Some(ty) = self.element_scalar(dtype, e) else {
                    return Val::Unknown;
                };
                let span = self.report.at(e);
                let var = self.out.new_var("", ty, false, Stage::Block);
                self.out.instr(
                    ScalarOp::GetValue,
                    Extent::Fixed {},
                    [Arg::Var { var }, View::local(l.tensor, l.offset + i).into()],
                    span,
                );
                Val::Num(Num::new(Scalar::Var(var), ty))
            }
            Some(LocalMethod::SetValue) => {
                let Some([index, value]) =
                    self.report
                        .exactly::<2>("set_value", &args, e, "x_local.set_value(i, v)")
                else {
                    return Val::Unknown;
                };
                let i = self.index_arg(index, "the index");
                let Val::Num(n) = &value.0 else {
                    return self.wrong_kind(value, "a scalar");
                };
                let dtype = self.out.body.tensors[l.tensor.index()].dtype;
                if self.element_scalar(dtype, e).is_none() {
                    return Val::Unknown;
                }
                let (Some(i), Some(value)) = (i, self.tile_scalar(n, dtype, value.1)) else {
                    return Val::Unknown;
                };
                let span = self.report.at(e);
                self.out.instr(
                    ScalarOp::SetValue,
                    Extent::Fixed {},
                    [View::local(l.tensor, l.offset + i).into(), value.into()],
                    span,
                );
                Val::Unit
            }
            None => {
                if suggest::tile_ops().any(|op| op == name) {
                    let d = self
                        .error(
                            Code::J0103,
                            &m.method,
                            format!("a LocalTensor has no method `{name}`"),
                        )
                        .help(format!(
                            "at queue level ops are functions: `vec::{name}(&dst, &src, .., n)`"
                        ));
                    return self.report.bad(d);
                }
                self.report
                    .no_method("a LocalTensor", &m.method, LocalMethod::NAMES)
            }
        }
    }

    /// Reads `x_local.reinterpret_cast::<T>()`: the bytes as elements of another type.
    fn reinterpreted(
        &mut self,
        l: LocalPart,
        args: &[Given<'_>],
        m: &ExprMethodCall,
        e: &Expr,
    ) -> Val {
        if self
            .report
            .exactly::<0>(
                "reinterpret_cast",
                args,
                e,
                "x_local.reinterpret_cast::<i32>()",
            )
            .is_none()
        {
            return Val::Unknown;
        }
        let Some(dtype) = self.needed_type(m, e) else {
            return Val::Unknown;
        };
        let (tensor, span) = (self.out.new_tensor(dtype), self.report.at(e));
        self.out.queue(
            QueueStmt::View {
                tensor,
                of: l.into(),
            },
            span,
        );
        Val::Local(LocalPart {
            tensor,
            offset: Scalar::Int(0),
        })
    }

    /// Reports a method of a tensor with strides, which end the description of an operand.
    pub fn strided_method(&mut self, l: &LocalPart, m: &ExprMethodCall) -> Val {
        self.args(&m.args);
        let name = m.method.to_string();
        let of_a_view =
            |method: &LocalMethod| !matches!(method, LocalMethod::GetValue | LocalMethod::SetValue);
        if LocalMethod::by_name(&name).filter(of_a_view).is_none() {
            return self
                .report
                .no_method("a LocalTensor with strides", &m.method, &[]);
        }
        let x = match self.out.body.tensors[l.tensor.index()].name.as_str() {
            "" => "x_local".to_string(),
            name => name.to_string(),
        };
        let d = self.error(
            Code::J0103,
            &m.method,
            format!("`{name}` of a LocalTensor with strides"),
        );
        let strides = match bare(&m.receiver) {
            Expr::MethodCall(strides) if name == "at" => Some(strides),
            _ => None,
        };
        let d = match strides {
            Some(strides) => {
                let call = |m: &ExprMethodCall| {
                    format!(
                        "{}({})",
                        m.method,
                        m.args.iter().map(text).collect::<Vec<_>>().join(", ")
                    )
                };
                let now = format!(
                    "{}.{}.{}",
                    as_receiver(&strides.receiver),
                    call(m),
                    call(strides)
                );
                let at = self
                    .report
                    .at(&(m.receiver.ends().0, m.paren_token.span.close()));
                d.help(format!("write the offset first and strides once: `{now}`"))
                    .fix(at, now)
                    .maybe()
            }
            None => d.help(format!(
                "write the offset first and strides once: `{x}.at(offset).blocks(blk, rep)`"
            )),
        };
        self.report.bad(d)
    }

    /// Returns the scalar type of one element.
    fn element_scalar(&mut self, dtype: Ty, e: &Expr) -> Option<ScalarTy> {
        match self.is_float(dtype) {
            Some(true) => Some(ScalarTy::F32),
            Some(false) if dtype != Ty::Mask => Some(ScalarTy::I32),
            _ => {
                let name = self.draft.sig.ty_name(dtype);
                let d = self
                    .error(
                        Code::J0208,
                        e,
                        format!("one element of a tensor of `{name}` as a scalar"),
                    )
                    .help("scalars are read from tensors of floats or of `i32`");
                self.report.add(d);
                None
            }
        }
    }

    /// Reads `x.get_value(i)` of a tensor in GM.
    pub fn global_value(&mut self, of: TensorRef, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = &self.args(&m.args);
        self.use_level(Level::Queue, &m.method, "get_value");
        let Some([index]) = self
            .report
            .exactly::<1>("get_value", args, e, "x.get_value(i)")
        else {
            return Val::Unknown;
        };
        let Some(i) = self.index_arg(index, "the index") else {
            return Val::Unknown;
        };
        if !self.may_read(of, e) {
            return Val::Unknown;
        }
        let Some(dtype) = self.gm_type(of) else {
            return Val::Unknown;
        };
        let Some(ty) = self.element_scalar(dtype, e) else {
            return Val::Unknown;
        };
        let (span, var) = (
            self.report.at(e),
            self.out.new_var("", ty, false, Stage::Block),
        );
        self.out.instr(
            ScalarOp::GetGlobal,
            Extent::Fixed {},
            [Arg::Var { var }, View::gm(of, i).into()],
            span,
        );
        Val::Num(Num::new(Scalar::Var(var), ty))
    }

    /// Reads `y.set_value(i, v)` of a tensor in GM.
    pub fn set_global_value(&mut self, of: TensorRef, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = &self.args(&m.args);
        self.use_level(Level::Queue, &m.method, "set_value");
        let may_write = self.may_write(of, e);
        let Some([index, value]) =
            self.report
                .exactly::<2>("set_value", args, e, "y.set_value(i, v)")
        else {
            return Val::Unknown;
        };
        let i = self.index_arg(index, "the index");
        let Val::Num(n) = &value.0 else {
            return self.wrong_kind(value, "a scalar");
        };
        let Some(dtype) = self.gm_type(of).filter(|_| may_write) else {
            return Val::Unknown;
        };
        if self.element_scalar(dtype, e).is_none() {
            return Val::Unknown;
        }
        let (Some(i), Some(value)) = (i, self.tile_scalar(n, dtype, value.1)) else {
            return Val::Unknown;
        };
        let span = self.report.at(e);
        self.out.instr(
            ScalarOp::SetGlobal,
            Extent::Fixed {},
            [View::gm(of, i).into(), value.into()],
            span,
        );
        Val::Unit
    }

    /// Reads `y.data_cache_clean_and_invalid(i)` of a tensor in GM.
    pub fn clean_line(&mut self, of: TensorRef, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = &self.args(&m.args);
        let name = "data_cache_clean_and_invalid";
        self.use_level(Level::Queue, &m.method, name);
        let Some([index]) =
            self.report
                .exactly::<1>(name, args, e, "y.data_cache_clean_and_invalid(i)")
        else {
            return Val::Unknown;
        };
        let Some(i) = self.index_arg(index, "the index") else {
            return Val::Unknown;
        };
        let Some(dtype) = self.gm_type(of) else {
            return Val::Unknown;
        };
        if self.element_scalar(dtype, e).is_none() {
            return Val::Unknown;
        }
        let span = self.report.at(e);
        self.out.instr(
            ScalarOp::CleanLine,
            Extent::Fixed {},
            [View::gm(of, i).into()],
            span,
        );
        Val::Unit
    }
}

impl Report {
    /// Reports J0106 for a LocalTensor that is not passed by reference.
    pub fn by_ref(&mut self, arg: &Given<'_>) -> bool {
        if matches!(arg.1, Expr::Reference(_)) {
            return true;
        }
        let inner = text(arg.1);
        let d = self
            .error(Code::J0106, arg.1, "a LocalTensor is passed by reference")
            .help(format!("write `&{inner}`"));
        let at = d.span();
        self.add(d.fix(at, format!("&{inner}")));
        false
    }
}
