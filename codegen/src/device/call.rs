//! Vector calls and copies, each in the parameter form that AscendC gives it.
//!
//! Signatures: asc-devkit, `include/basic_api/kernel_operator_*_intf.h`. Strides of vector calls are start to start;
//! those of copies are the gap between the end of one row and the start of the next, in bytes on the GM side and in
//! data blocks on the UB side.

use super::class::ClassCx;
use super::stmt::Locals;
use crate::scalar::Helper;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{CopyShape, Form, GmRef, LocalRef, Scalar, ScalarTy, Strides, Ty, VectorCall};
use jumar_dsl::ops::{LayoutOp, Op, UnaryOp};

impl ClassCx<'_> {
    /// `xLocal` or `xLocal[offset]`.
    pub(super) fn local(&self, r: &LocalRef, locals: &Locals) -> String {
        let name = locals.tensor(r.tensor);
        match r.offset {
            Scalar::Int(0) => name,
            _ => format!("{name}[{}]", self.process().expr(&r.offset)),
        }
    }

    fn gm(&self, r: &GmRef) -> String {
        let name = self.gm_member(r.param);
        match r.offset {
            Scalar::Int(0) => name,
            _ => format!("{name}[{}]", self.process().expr(&r.offset)),
        }
    }

    fn tensor_ty(&self, r: &LocalRef) -> Ty {
        self.body.tensors[r.tensor.index()].dtype
    }

    /// GM to UB.
    pub(super) fn copy_in(&self, dst: &LocalRef, src: &GmRef, shape: &CopyShape, pad: bool, locals: &Locals) -> String {
        let ty = self.tensor_ty(dst);
        let (to, from) = (self.local(dst, locals), self.gm(src));
        if pad {
            let params = self.pad_params(shape, ty, true);
            return format!("DataCopyPad({to}, {from}, {params}, DataCopyPadExtParams<{}>{{false, 0, 0, 0}})", self.ty(ty));
        }
        format!("DataCopy({to}, {from}, {})", self.block_params(shape, ty, true))
    }

    /// UB to GM.
    pub(super) fn copy_out(&self, dst: &GmRef, src: &LocalRef, shape: &CopyShape, pad: bool, locals: &Locals) -> String {
        let ty = self.tensor_ty(src);
        let (to, from) = (self.gm(dst), self.local(src, locals));
        if pad {
            return format!("DataCopyPad({to}, {from}, {})", self.pad_params(shape, ty, false));
        }
        format!("DataCopy({to}, {from}, {})", self.block_params(shape, ty, false))
    }

    fn pad_params(&self, shape: &CopyShape, ty: Ty, to_ub: bool) -> String {
        let p = self.process();
        let bytes = format!("static_cast<uint32_t>({} * sizeof({}))", p.factor(&shape.cols), self.ty(ty));
        if shape.rows.as_int() == Some(1) {
            return format!("DataCopyExtParams{{1, {bytes}, 0, 0, 0}}");
        }
        let gm = match shape.gm_stride == shape.cols {
            true => "0".to_string(),
            false => {
                let gap = p.expr(&(shape.gm_stride.clone() - shape.cols.clone()));
                format!("static_cast<uint32_t>(({gap}) * sizeof({}))", self.ty(ty))
            }
        };
        self.need(Helper::BlockGap);
        let ub = format!("BlockGap<{}>({}, {})", self.ty(ty), p.expr(&shape.ub_pitch), p.expr(&shape.cols));
        let (first, second) = if to_ub { (gm, ub) } else { (ub, gm) };
        format!("DataCopyExtParams{{{}, {bytes}, {first}, {second}, 0}}", self.rows(&shape.rows))
    }

    /// Parameters of the plain form: a count for one row, else rows and gaps in data blocks.
    fn block_params(&self, shape: &CopyShape, ty: Ty, to_ub: bool) -> String {
        let p = self.process();
        if shape.rows.as_int() == Some(1) {
            return format!("static_cast<uint32_t>({})", p.expr(&shape.cols));
        }
        let elems = self.block_elems(ty);
        let blocks = |s: &Scalar| match s.as_int() {
            Some(0) => "0".to_string(),
            _ => format!("static_cast<uint16_t>({} / {elems})", p.factor(s)),
        };
        let gap = |stride: &Scalar| match *stride == shape.cols {
            true => "0".to_string(),
            false => blocks(&(stride.clone() - shape.cols.clone())),
        };
        let (gm, ub) = (gap(&shape.gm_stride), gap(&shape.ub_pitch));
        let (first, second) = if to_ub { (gm, ub) } else { (ub, gm) };
        format!("DataCopyParams{{{}, {}, {first}, {second}}}", self.rows(&shape.rows), blocks(&shape.cols))
    }

    fn rows(&self, rows: &Scalar) -> String {
        match rows.as_int() {
            Some(n) => n.to_string(),
            None => format!("static_cast<uint16_t>({})", self.process().expr(rows)),
        }
    }

    /// Elements of a data block as an integer the size of an offset.
    fn block_elems(&self, ty: Ty) -> String {
        if self.is_param(ty) {
            self.need(Helper::DataBlockBytes);
            format!("(DATA_BLOCK_BYTES / static_cast<int64_t>(sizeof({})))", self.ty(ty))
        } else {
            (self.chip.data_block_bytes / ty.resolve(self.lowered.binding()).bytes()).to_string()
        }
    }

    /// A vector call.
    pub(super) fn vector(&self, call: &VectorCall, locals: &Locals) -> String {
        let name = call.op.def().ascendc;
        let dst = self.local(&call.dst, locals);
        let srcs: Vec<_> = call.srcs.iter().map(|r| self.local(r, locals)).collect();
        // The scalar has the type of the sources; Duplicate has none.
        let elem = match call.op {
            Op::Layout(LayoutOp::SelectScalar | LayoutOp::Duplicate) => self.tensor_ty(&call.dst),
            _ => call.srcs.first().map_or_else(|| self.tensor_ty(&call.dst), |r| self.tensor_ty(r)),
        };
        let scalar = call.scalar.as_ref().map(|s| self.operand(s, elem));
        let mut args = vec![dst];
        let mut strides = Arity::Unary;
        match call.op {
            Op::Binary(_) => {
                args.extend(srcs);
                strides = Arity::Binary;
            }
            Op::BinaryScalar(_) => {
                args.extend(srcs);
                args.extend(scalar);
            }
            Op::Unary(UnaryOp::Neg) => {
                args.extend(srcs);
                args.push(self.operand(&Scalar::Int(-1), elem));
            }
            Op::Unary(_) => args.extend(srcs),
            Op::Compare(op) => {
                args.extend(srcs);
                args.push(format!("CMPMODE::{}", op.mode()));
                strides = Arity::Binary;
            }
            Op::CompareScalar(op) => {
                args.extend(srcs);
                args.extend(scalar);
                args.push(format!("CMPMODE::{}", op.mode()));
            }
            Op::Reduce(_) | Op::RowReduce(_) => {
                args.extend(srcs);
                args.extend(call.tmp.as_ref().map(|r| self.local(r, locals)));
            }
            Op::Layout(LayoutOp::Cast) => {
                args.extend(srcs);
                let mode = call.mode.map_or("CAST_NONE", |m| m.ascendc());
                args.push(format!("RoundMode::{mode}"));
            }
            Op::Layout(LayoutOp::Duplicate) => {
                args.extend(scalar);
                strides = Arity::Fill;
            }
            Op::Layout(LayoutOp::LocalCopy) => args.extend(srcs),
            Op::Layout(LayoutOp::Brcb) => return self.brcb(call, &args[0], &srcs),
            Op::Layout(LayoutOp::Select) => {
                args.extend(srcs);
                args.push("SELMODE::VSEL_TENSOR_TENSOR_MODE".into());
                strides = Arity::Binary;
            }
            Op::Layout(LayoutOp::SelectScalar) => {
                args.extend(srcs);
                args.extend(scalar);
                args.push("SELMODE::VSEL_TENSOR_SCALAR_MODE".into());
                strides = Arity::Binary;
            }
        }
        let compares = matches!(call.op, Op::Compare(_) | Op::CompareScalar(_));
        let p = self.process();
        match &call.form {
            Form::Count { n } if compares => args.push(self.whole_repeats(n, elem)),
            Form::Count { n } => args.push(p.expr(n)),
            Form::Repeat { mask, repeat, strides: s } => {
                args.push(format!("static_cast<uint64_t>({})", p.expr(mask)));
                args.push(format!("static_cast<uint8_t>({})", p.expr(repeat)));
                args.extend(strides.spell(s));
            }
            Form::Counter { strides: s } => {
                args.push("MASK_PLACEHOLDER".into());
                args.push("1".into());
                args.extend(strides.spell(s));
                let flags = match call.op {
                    Op::Layout(LayoutOp::Cast) => {
                        format!("<{}, {}, false>", self.ty(self.tensor_ty(&call.dst)), self.ty(elem))
                    }
                    // These two ignore the flag: their mask is a tensor.
                    Op::Compare(_) | Op::CompareScalar(_) | Op::Layout(LayoutOp::Select | LayoutOp::SelectScalar) => {
                        String::new()
                    }
                    _ => format!("<{}, false>", self.ty(self.tensor_ty(&call.dst))),
                };
                return format!("{name}{flags}({})", args.join(", "));
            }
        }
        format!("{name}({})", args.join(", "))
    }

    /// Compare works on whole repeats: a trailing part would stay uncomputed. Buffers are padded for it.
    fn whole_repeats(&self, n: &Scalar, elem: Ty) -> String {
        self.need(Helper::AlignUp);
        let n = self.process().expr(n);
        if self.is_param(elem) {
            self.need(Helper::RepeatBytes);
            format!("AlignUp({n}, REPEAT_BYTES / sizeof({}))", self.ty(elem))
        } else {
            format!("AlignUp({n}, {})", self.chip.repeat_bytes / elem.resolve(self.lowered.binding()).bytes())
        }
    }

    fn brcb(&self, call: &VectorCall, dst: &str, srcs: &[String]) -> String {
        let src = srcs.first().map_or("", String::as_str);
        let p = self.process();
        let (repeat, strides) = match &call.form {
            Form::Repeat { repeat, strides, .. } => (p.expr(repeat), *strides),
            // Eight elements a repeat; only the repeat form exists.
            Form::Count { n } => (p.expr(&n.clone().ceil_div(8)), Strides::DENSE),
            Form::Counter { strides } => ("1".into(), *strides),
        };
        format!("Brcb({dst}, {src}, static_cast<uint8_t>({repeat}), {{{}, {}}})", strides.dst_blk, strides.dst_rep)
    }

    /// A scalar operand in the element type of its tensor.
    pub(super) fn operand(&self, s: &Scalar, elem: Ty) -> String {
        let p = self.process();
        let dtype = elem.resolve(self.lowered.binding());
        match dtype {
            // bfloat16_t has no conversion of its own in scalar code.
            DType::Bf16 => format!("ToBfloat16({})", p.expr_as(s, ScalarTy::F32)),
            DType::F32 if !self.is_param(elem) => p.expr_as(s, ScalarTy::F32),
            DType::F16 | DType::F32 => format!("static_cast<{}>({})", self.ty(elem), p.expr_as(s, ScalarTy::F32)),
            DType::I32 if !self.is_param(elem) => p.expr_as(s, ScalarTy::I32),
            DType::I32 | DType::U8 => format!("static_cast<{}>({})", self.ty(elem), p.expr_as(s, ScalarTy::I32)),
        }
    }
}

/// How many sources the strides of a call are for.
#[derive(Clone, Copy)]
enum Arity {
    Fill,
    Unary,
    Binary,
}

impl Arity {
    fn spell(self, s: &Strides) -> Vec<String> {
        match self {
            Arity::Fill => vec![s.dst_blk.to_string(), s.dst_rep.to_string()],
            Arity::Unary => vec![format!("{{{}, {}, {}, {}}}", s.dst_blk, s.src0_blk, s.dst_rep, s.src0_rep)],
            Arity::Binary => {
                vec![format!("{{{}, {}, {}, {}, {}, {}}}", s.dst_blk, s.src0_blk, s.src1_blk, s.dst_rep, s.src0_rep, s.src1_rep)]
            }
        }
    }
}
