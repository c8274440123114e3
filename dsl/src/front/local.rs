//! The queue level's data: local tensors, slices of GM, and copies between them.

use super::call::Arg as Given;
use super::cx::Cx;
use super::scope::{GmPart, LocalPart, Num, Val};
use super::span::text;
use super::suggest;
use crate::diag::Code;
use crate::ir::{Arg, Extent, Layout, Level, Role, Scalar, ScalarTy, Stage, TensorRef, Ty, View};
use crate::ops::{CopyOp, ScalarOp};
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// `x_local.at(offset)`, `x_local.blocks(blk, rep)`, `x_local.results(rep)`, `x_local.get_value(i)`, `x_local.set_value(i, v)`.
    pub fn local_method(&mut self, l: LocalPart, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match name.as_str() {
            "at" => {
                let Some([arg]) = self.exactly::<1>("at", &args, e, "x_local.at(offset)") else { return Val::Unknown };
                let Some(offset) = self.index_arg(arg, "the offset") else { return Val::Unknown };
                Val::Local(LocalPart { tensor: l.tensor, offset: l.offset + offset })
            }
            "blocks" => {
                let Some([blk, rep]) = self.exactly::<2>("blocks", &args, e, "x_local.blocks(1, 8)") else { return Val::Unknown };
                let (blk, rep) = (self.index_arg(blk, "the block stride"), self.index_arg(rep, "the repeat stride"));
                let (Some(blk), Some(rep)) = (blk, rep) else { return Val::Unknown };
                Val::Strided(l, Layout::Blocks { blk, rep })
            }
            "results" => {
                let Some([rep]) = self.exactly::<1>("results", &args, e, "z_local.results(1)") else { return Val::Unknown };
                let Some(rep) = self.index_arg(rep, "the repeat stride") else { return Val::Unknown };
                Val::Strided(l, Layout::Results { rep })
            }
            "get_value" => {
                let Some([arg]) = self.exactly::<1>("get_value", &args, e, "x_local.get_value(i)") else { return Val::Unknown };
                let Some(i) = self.index_arg(arg, "the index") else { return Val::Unknown };
                let dtype = self.body.tensors[l.tensor.index()].dtype;
                let Some(ty) = self.element_scalar(dtype, e) else { return Val::Unknown };
                let span = self.at(e);
                let var = self.new_var("", ty, false, Stage::Block);
                self.instr(
                    ScalarOp::GetValue,
                    Extent::Fixed {},
                    [Arg::Var { var }, View::local(l.tensor, l.offset + i).into()],
                    span,
                );
                Val::Num(Num::new(Scalar::Var(var), ty))
            }
            "set_value" => {
                let Some([index, value]) = self.exactly::<2>("set_value", &args, e, "x_local.set_value(i, v)") else {
                    return Val::Unknown;
                };
                let i = self.index_arg(index, "the index");
                let Val::Num(n) = &value.0 else { return self.wrong_kind(value, "a scalar") };
                let dtype = self.body.tensors[l.tensor.index()].dtype;
                if self.element_scalar(dtype, e).is_none() {
                    return Val::Unknown;
                }
                let (Some(i), Some(value)) = (i, self.tile_scalar(n, dtype, value.1)) else { return Val::Unknown };
                let span = self.at(e);
                self.instr(
                    ScalarOp::SetValue,
                    Extent::Fixed {},
                    [View::local(l.tensor, l.offset + i).into(), value.into()],
                    span,
                );
                Val::Unit
            }
            _ => {
                if suggest::tile_ops().any(|op| op == name) {
                    let d = self
                        .error(Code::J0103, &m.method, format!("a LocalTensor has no method `{name}`"))
                        .help(format!("at queue level ops are functions: `vec::{name}(&dst, &src, .., n)`"));
                    return self.bad(d);
                }
                self.no_method("a LocalTensor", &m.method, &["at", "blocks", "results", "get_value", "set_value"])
            }
        }
    }

    /// Strides end what is said of an operand.
    pub fn strided_method(&mut self, l: &LocalPart, m: &ExprMethodCall) -> Val {
        self.args(&m.args);
        let name = m.method.to_string();
        if !["at", "blocks", "results"].contains(&name.as_str()) {
            return self.no_method("a LocalTensor with strides", &m.method, &[]);
        }
        let x = match self.body.tensors[l.tensor.index()].name.as_str() {
            "" => "x_local",
            name => name,
        };
        let help = format!("write the offset first and strides once: `{x}.at(offset).blocks(blk, rep)`");
        let d = self.error(Code::J0103, &m.method, format!("`{name}` of a LocalTensor with strides")).help(help);
        self.bad(d)
    }

    /// The scalar type of one element.
    fn element_scalar(&mut self, dtype: Ty, e: &Expr) -> Option<ScalarTy> {
        match self.is_float(dtype) {
            Some(true) => Some(ScalarTy::F32),
            Some(false) if dtype != Ty::Mask => Some(ScalarTy::I32),
            _ => {
                let name = self.ty_name(dtype);
                let d = self
                    .error(Code::J0208, e, format!("one element of a tensor of `{name}` as a scalar"))
                    .help("scalars are read from tensors of floats or of `i32`");
                self.report(d);
                None
            }
        }
    }

    /// `x.get_value(i)` of a tensor in GM.
    pub fn global_value(&mut self, of: TensorRef, args: &[Given<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, &m.method, "get_value");
        let Some([index]) = self.exactly::<1>("get_value", args, e, "x.get_value(i)") else { return Val::Unknown };
        let Some(i) = self.index_arg(index, "the index") else { return Val::Unknown };
        let is_input = self.sig.tensors().any(|(id, _, role, _)| of == TensorRef::Param(id) && role == Role::In);
        if !is_input {
            let name = self.body.gm_name(&self.sig, of).to_string();
            let d = self
                .error(Code::J0211, e, format!("an element of `{name}`, which the kernel writes, as a scalar"))
                .note(
                    "the scalar unit reads GM through a cache of its core, which does not see what copies have written"
                        .to_string(),
                )
                .help(format!("copy it to UB: `data_copy_pad(&local, {name}.slice(i, 1))`, then `local.get_value(0)`"));
            return self.bad(d);
        }
        let Some(dtype) = self.gm_type(of) else { return Val::Unknown };
        let Some(ty) = self.element_scalar(dtype, e) else { return Val::Unknown };
        let (span, var) = (self.at(e), self.new_var("", ty, false, Stage::Block));
        self.instr(ScalarOp::GetGlobal, Extent::Fixed {}, [Arg::Var { var }, View::gm(of, i).into()], span);
        Val::Num(Num::new(Scalar::Var(var), ty))
    }

    /// `x.slice(at, n)`.
    pub fn slice(&mut self, of: TensorRef, args: &[Given<'_>], m: &ExprMethodCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, &m.method, "slice");
        let Some([at, n]) = self.exactly::<2>("slice", args, e, "x.slice(at, n)") else { return Val::Unknown };
        let (offset, n) = (self.index_arg(at, "the offset"), self.index_arg(n, "the length"));
        match (offset, n) {
            (Some(offset), Some(n)) => Val::Slice(GmPart { of, offset }, n),
            _ => Val::Unknown,
        }
    }

    /// `data_copy(dst, src)`, `data_copy_pad(dst, src)`.
    pub fn copy(&mut self, name: &str, args: &[Given<'_>], e: &Expr) -> Val {
        let usage = format!("{name}(&x_local, x.slice(at, n))");
        // A copy whose arguments were wrong still names the output it was meant for.
        for (val, _) in args.iter().take(1) {
            match val {
                Val::Slice(GmPart { of: TensorRef::Param(p), .. }, _) | Val::Tensor(p) => self.written[p.index()] = true,
                Val::Unknown => self.doubt = true,
                _ => {}
            }
        }
        let Some([dst, src]) = self.exactly::<2>(name, args, e, &usage) else { return Val::Unknown };
        let pad = name == "data_copy_pad";
        if let Some((of, node)) = [dst, src].into_iter().find_map(|(val, node)| Some((val.gm()?, node))) {
            let x = self.body.gm_name(&self.sig, of).to_string();
            let d = self.error(Code::J0106, node, format!("which part of `{x}`?")).help(format!("write `{x}.slice(at, n)`"));
            return self.bad(d);
        }
        match (&dst.0, &src.0) {
            (Val::Local(l), Val::Slice(gm, n)) => {
                let (l, gm, n) = (l.clone(), gm.clone(), n.clone());
                let good = self.by_ref(dst) & self.may_read(gm.of, src.1) & self.same_element(&l, dst.1, gm.of, src.1, name, e);
                if good {
                    let span = self.at(e);
                    let op = if pad { CopyOp::InPad } else { CopyOp::In };
                    self.instr(op, run(n), [View::from(l).into(), View::from(gm).into()], span);
                }
                Val::Unit
            }
            (Val::Slice(gm, n), Val::Local(l)) => {
                let (l, gm, n) = (l.clone(), gm.clone(), n.clone());
                let good = self.by_ref(src) & self.may_write(gm.of, dst.1) & self.same_element(&l, src.1, gm.of, dst.1, name, e);
                if good {
                    let span = self.at(e);
                    let op = if pad { CopyOp::OutPad } else { CopyOp::Out };
                    self.instr(op, run(n), [View::from(gm).into(), View::from(l).into()], span);
                }
                Val::Unit
            }
            (Val::Local(_), Val::Local(_)) => {
                let d = self
                    .error(Code::J0106, e, format!("`{name}` between two LocalTensors"))
                    .help("inside UB write `vec::local_copy(&dst, &src, n)`");
                self.bad(d)
            }
            (Val::Slice(..), Val::Slice(..)) => {
                let d = self
                    .error(Code::J0106, e, format!("`{name}` between two GlobalTensors"))
                    .help("data go through UB: copy into a LocalTensor and out of it");
                self.bad(d)
            }
            (Val::Local(_) | Val::Slice(..), _) => self.wrong_kind(src, "a LocalTensor or a slice"),
            _ => self.wrong_kind(dst, "a LocalTensor or a slice"),
        }
    }

    /// J0106 for a LocalTensor that is not passed by reference.
    pub fn by_ref(&mut self, arg: &Given<'_>) -> bool {
        if matches!(arg.1, Expr::Reference(_)) {
            return true;
        }
        let inner = text(arg.1);
        let d = self.error(Code::J0106, arg.1, "a LocalTensor is passed by reference").help(format!("write `&{inner}`"));
        let at = d.span();
        self.report(d.fix(at, format!("&{inner}")));
        false
    }

    fn same_element(&mut self, l: &LocalPart, local: &Expr, of: TensorRef, gm: &Expr, name: &str, e: &Expr) -> bool {
        let x = self.body.tensors[l.tensor.index()].dtype;
        let Some(y) = self.gm_type(of) else { return false };
        if x == y {
            return true;
        }
        let (x, y) = (self.ty_name(x), self.ty_name(y));
        let (left, right) = (self.at(local), self.at(gm));
        let d = self
            .error(Code::J0201, e, format!("`{name}` between a LocalTensor of `{x}` and a GlobalTensor of `{y}`"))
            .label(left, format!("this is `{x}`"))
            .label(right, format!("this is `{y}`"))
            .help(format!("a copy converts nothing: use a LocalTensor of `{y}` and `vec::cast`"));
        self.report(d);
        false
    }
}

/// `n` elements in a row.
fn run(n: Scalar) -> Extent {
    Extent::Rows { rows: Scalar::Int(1), cols: n }
}
