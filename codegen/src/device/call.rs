//! Instructions, each in the parameter form of AscendC.
//!
//! Signatures: asc-devkit, `include/basic_api/kernel_operator_*_intf.h`. Strides of vector calls
//! are start to start. Strides of copies are the gap between the end of one row and the start of
//! the next, in bytes on the GM side and in data blocks on the UB side.

use super::class::ClassCx;
use super::stmt::Locals;
use crate::cpp::Cpp;
use crate::resolve::Beside;
use crate::scalar::{cpp_type, Helper};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{
    Arg, Base, Extent, Instr, Lanes, Layout, Scalar, ScalarTy, StmtKind, Ty, View,
};
use jumar_dsl::ops::contract::{Access, Elem, What};
use jumar_dsl::ops::{
    BitOp, CompoundOp, CopyOp, KeepsMask, LayoutOp, MaskOp, Op, PartialOp, ScalarOp, UnaryOp,
};
use jumar_dsl::soc::Arch;
use std::borrow::Cow;

/// Escapes a text for a format of printf.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('%', "%%")
}

/// The rows of a copy; rows that touch on both sides are one row.
struct Rows<'i> {
    rows: Cow<'i, Scalar>,
    /// Elements of each row.
    cols: Cow<'i, Scalar>,
    /// Elements from row to row on both sides, source first, where there are several rows.
    pitches: Option<[(Base, &'i Scalar); 2]>,
}

impl<'i> Rows<'i> {
    fn of(instr: &'i Instr) -> Option<Rows<'i>> {
        let (rows, cols) = instr.extent.rows()?;
        let side = |stores: bool| {
            let (_, view): (_, &'i View) = instr
                .views()
                .find(|(rule, _)| rule.access.stores() == stores)?;
            match &view.layout {
                Layout::Rows { pitch } => Some((view.base, pitch)),
                Layout::Dense {} | Layout::Blocks { .. } | Layout::Results { .. } => None,
            }
        };
        let pitches = side(false).zip(side(true)).map(|(from, to)| [from, to]);
        Some(match pitches {
            Some([from, to]) if instr.lead().is_none() && from.1 == cols && to.1 == cols => Rows {
                rows: Cow::Owned(Scalar::Int(1)),
                cols: Cow::Owned(rows.clone() * cols.clone()),
                pitches: None,
            },
            _ => Rows {
                rows: Cow::Borrowed(rows),
                cols: Cow::Borrowed(cols),
                pitches,
            },
        })
    }
}

impl ClassCx<'_> {
    /// Prints a view: `xLocal`, `xGm_` or a part of it, `xLocal[offset]`.
    pub(super) fn view(&self, view: &View, locals: &Locals) -> String {
        let name = self.whole(view, locals);
        match view.offset {
            Scalar::Int(0) => name,
            _ => format!("{name}[{}]", self.process().expr(&view.offset)),
        }
    }

    /// Returns the element type of the op's row.
    pub(super) fn own_ty(&self, instr: &Instr) -> Ty {
        let own = instr.views().find(|(rule, _)| rule.elem == Elem::Own);
        own.map(|(_, view)| self.view_ty(view))
            .expect("an op with elements has an operand of its own type")
    }

    /// Prints an instruction of a line of the source.
    pub(super) fn instr(&self, instr: &Instr, line: u32, locals: &Locals, out: &mut Cpp) {
        let printed = self.by_op(instr, line, locals, out);
        printed.unwrap_or_else(|| {
            unreachable!("a verified instruction has the form of its row: {instr:?}")
        });
    }

    /// Prints an instruction; `None` where extent and operands do not fit the op's row.
    fn by_op(&self, instr: &Instr, line: u32, locals: &Locals, out: &mut Cpp) -> Option<()> {
        match instr.op {
            Op::Layout(LayoutOp::GatherMask) => self.gather_mask(instr, locals, out)?,
            Op::Layout(LayoutOp::GatherBits) => self.gather_bits(instr, locals, out)?,
            Op::Layout(LayoutOp::Gather) => out.stmt(self.gather(instr, locals)?),
            Op::Layout(LayoutOp::GatherBlocks) => out.stmt(self.gather_blocks(instr, locals)?),
            Op::Layout(LayoutOp::Top) => out.stmt(self.top(instr, locals)?),
            Op::Layout(LayoutOp::Sort32) => out.stmt(self.sort32(instr, locals)?),
            Op::Layout(LayoutOp::MergeTwo | LayoutOp::MergeThree | LayoutOp::MergeFour) => {
                self.merge(instr, locals, out)?
            }
            Op::Layout(LayoutOp::MergeFours) => self.merge_fours(instr, locals, out)?,
            Op::Scan(op) => out.stmt(self.scan(op, instr, locals)?),
            Op::Mask(op) => out.stmt(self.join_bits(op, instr, locals)?),
            Op::Bit(op) => out.stmt(self.join_words(op, instr, locals)?),
            Op::Binary(_)
            | Op::BinaryScalar(_)
            | Op::Unary(_)
            | Op::Compare(_)
            | Op::CompareScalar(_)
            | Op::Reduce(_)
            | Op::Shift(_)
            | Op::Compound(_)
            | Op::Layout(_) => {
                let call = self.vector(instr, locals, out)?;
                out.stmt(call);
            }
            Op::Partial(op) => {
                let call = self.partial(op, instr, locals, out)?;
                out.stmt(call);
            }
            Op::Copy(op) => out.stmt(self.copy(op, instr, locals)?),
            Op::Scalar(ScalarOp::GetValue | ScalarOp::GetIndex | ScalarOp::GetGlobal) => {
                self.get_value(instr, locals, out)?
            }
            Op::Scalar(ScalarOp::SetValue | ScalarOp::SetGlobal) => {
                self.set_value(instr, locals, out)?
            }
            Op::Scalar(ScalarOp::CleanLine) => self.clean_line(instr, locals, out)?,
            Op::Scalar(ScalarOp::Dump) => self.dump(instr, line, locals, out)?,
            Op::AxisReduce(_) => return None,
        }
        Some(())
    }

    /// Prints a dump: its title, and a DumpTensor for each row, with the line of the source as its
    /// number.
    fn dump(&self, instr: &Instr, line: u32, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let (title, (rows, cols), (_, view)) =
            (instr.title()?, instr.extent.rows()?, instr.views().next()?);
        let (p, name) = (self.process(), instr.op.def().ascendc);
        out.stmt(format_args!("AscendC::printf(\"{}\\n\")", escaped(title)));
        match &view.layout {
            Layout::Rows { pitch } => {
                let row = locals.unique("row");
                let head = format!("for (int64_t {row} = 0; {row} < {}; ++{row})", p.expr(rows));
                let first = match view.offset {
                    Scalar::Int(0) => String::new(),
                    _ => format!("{} + ", p.expr(&view.offset)),
                };
                let whole = View {
                    offset: Scalar::Int(0),
                    ..view.clone()
                };
                let of = format!(
                    "{}[{first}{row} * {}]",
                    self.view(&whole, locals),
                    p.factor(pitch)
                );
                out.block(head, |out| {
                    out.stmt(format_args!(
                        "{name}({of}, {line}, static_cast<uint32_t>({}))",
                        p.expr(cols)
                    ));
                });
            }
            Layout::Dense {} | Layout::Blocks { .. } | Layout::Results { .. } => {
                let all = rows.clone() * cols.clone();
                out.stmt(format_args!(
                    "{name}({}, {line}, static_cast<uint32_t>({}))",
                    self.view(view, locals),
                    p.expr(&all)
                ));
            }
        }
        Some(())
    }

    /// Combines masks. The units do so for 16-bit integers, each of which has the bits of 16
    /// elements.
    fn join_bits(&self, op: MaskOp, instr: &Instr, locals: &Locals) -> Option<String> {
        let n = instr.extent.count()?;
        let views = instr
            .views()
            .map(|(_, view)| format!("{}.ReinterpretCast<uint16_t>()", self.view(view, locals)));
        let views = views.collect::<Vec<_>>().join(", ");
        Some(format!(
            "{}({views}, {})",
            op.def().ascendc,
            self.process().expr(&n.clone().ceil_div(16))
        ))
    }

    /// Combines the bits of integers. The units do so for 16-bit integers: others are reinterpreted
    /// as these, to the end of the last element.
    fn join_words(&self, op: BitOp, instr: &Instr, locals: &Locals) -> Option<String> {
        let n = instr.extent.count()?;
        let elem = self.own_ty(instr);
        let (is_own, template) = match elem {
            Ty::Param(_) => (false, "template "),
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => {
                (matches!(elem, Ty::Is(DType::I16 | DType::U16)), "")
            }
        };
        let seen = |view: &View| match is_own {
            true => self.view(view, locals),
            false => format!(
                "{}.{template}ReinterpretCast<uint16_t>()",
                self.view(view, locals)
            ),
        };
        let views = instr
            .views()
            .map(|(_, view)| seen(view))
            .collect::<Vec<_>>()
            .join(", ");
        let count = match elem {
            Ty::Param(_) => {
                let n = self.process().factor(n);
                format!(
                    "({n} * static_cast<int64_t>(sizeof({})) + 1) / 2",
                    self.ty(elem)
                )
            }
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => {
                let bytes = elem.resolve(&[]).bytes();
                let words = if bytes == 1 {
                    n.clone().ceil_div(2)
                } else {
                    n.clone() * (bytes / 2)
                };
                self.process().expr(&words)
            }
        };
        Some(format!("{}({views}, {count})", op.def().ascendc))
    }

    /// Prints a copy between GM and UB.
    fn copy(&self, op: CopyOp, instr: &Instr, locals: &Locals) -> Option<String> {
        let (ty, rows) = (self.own_ty(instr), Rows::of(instr)?);
        let name = op.def().ascendc;
        let texts: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        let views = texts.join(", ");
        if !op.pads() {
            return Some(format!("{name}({views}, {})", self.block_params(&rows, ty)));
        }
        if let Some(lead) = instr.lead() {
            let (params, pads) = self.lead_params(&rows, lead, instr.number()?, ty);
            return Some(format!(
                "{name}({views}, {params}, DataCopyPadExtParams<{}>{{{pads}}})",
                self.ty(ty)
            ));
        }
        let params = self.pad_params(&rows, ty);
        Some(match op.does().stores() {
            true => format!("{name}({views}, {params})"),
            false => format!(
                "{name}({views}, {params}, DataCopyPadExtParams<{}>{{false, 0, 0, 0}})",
                self.ty(ty)
            ),
        })
    }

    /// Prints the parameters of a copy with filler before and after its rows. Both sides are given,
    /// since filler without pads has no defined value (asc-devkit, page of DataCopyPad).
    fn lead_params(
        &self,
        rows: &Rows<'_>,
        lead: &Scalar,
        number: &Scalar,
        ty: Ty,
    ) -> (String, String) {
        let (
            p,
            Rows {
                rows,
                cols,
                pitches,
            },
        ) = (self.process(), rows);
        let filled = lead.clone() + cols.as_ref().clone();
        let bytes = format!(
            "static_cast<uint32_t>({} * sizeof({}))",
            p.factor(cols),
            self.ty(ty)
        );
        let gaps = pitches.map_or_else(
            || "0, 0".to_string(),
            |[(_, from), (_, to)]| {
                format!(
                    "{}, {}",
                    self.byte_gap(from, cols, ty),
                    self.block_gap(to, &filled, ty)
                )
            },
        );
        let block = self.block_elems(ty);
        let behind = match filled.as_int().zip(self.known_lanes(ty)) {
            Some((filled, lanes)) => ((lanes - filled % lanes) % lanes).to_string(),
            None => format!(
                "static_cast<uint8_t>(({block} - ({}) % {block}) % {block})",
                p.expr(&filled)
            ),
        };
        let number = self.operand(number, ty);
        let pads = format!("true, {}, {behind}, {number}", self.field(lead, 8));
        (
            format!(
                "DataCopyExtParams{{{}, {bytes}, {gaps}, 0}}",
                self.rows(rows)
            ),
            pads,
        )
    }

    fn pad_params(&self, of: &Rows<'_>, ty: Ty) -> String {
        let (
            p,
            Rows {
                rows,
                cols,
                pitches,
            },
        ) = (self.process(), of);
        let bytes = format!(
            "static_cast<uint32_t>({} * sizeof({}))",
            p.factor(cols),
            self.ty(ty)
        );
        let Some(pitches) = pitches else {
            return format!("DataCopyExtParams{{1, {bytes}, 0, 0, 0}}");
        };
        if let Some(whole) = self.whole_rows(of, ty) {
            return whole;
        }
        let [from, to] = pitches.map(|(place, pitch)| match place {
            Base::Gm(_) => self.byte_gap(pitch, cols, ty),
            Base::Local(_) => self.block_gap(pitch, cols, ty),
        });
        format!(
            "DataCopyExtParams{{{}, {bytes}, {from}, {to}, 0}}",
            self.rows(rows)
        )
    }

    /// Prints the bytes of GM between rows.
    fn byte_gap(&self, pitch: &Scalar, cols: &Scalar, ty: Ty) -> String {
        if pitch == cols {
            return "0".to_string();
        }
        let gap = self.process().expr(&(pitch.clone() - cols.clone()));
        format!("static_cast<uint32_t>(({gap}) * sizeof({}))", self.ty(ty))
    }

    /// Prints the data blocks of UB between rows, whose last block is filled.
    fn block_gap(&self, pitch: &Scalar, filled: &Scalar, ty: Ty) -> String {
        if let Some(lanes) = self.known_lanes(ty) {
            let whole = filled.clone().align_up(lanes);
            if *pitch == whole {
                return "0".to_string();
            }
            if let Some(gap) = (pitch.clone() - whole).as_int() {
                return (gap / lanes).to_string();
            }
        }
        self.need(Helper::BlockGap);
        let p = self.process();
        format!(
            "BlockGap<{}>({}, {})",
            self.ty(ty),
            p.expr(pitch),
            p.expr(filled)
        )
    }

    /// Prints the parameters of a copy of rows that are contiguous in GM. The copy is one burst
    /// where the core finds that they are contiguous in UB as well.
    fn whole_rows(
        &self,
        Rows {
            rows,
            cols,
            pitches,
        }: &Rows<'_>,
        ty: Ty,
    ) -> Option<String> {
        let pitches = pitches.as_ref()?;
        let is_open = |pitch: &Scalar| {
            pitch
                .as_int()
                .zip(cols.as_int())
                .is_none_or(|(pitch, cols)| pitch == cols)
        };
        if !pitches.iter().all(|(_, pitch)| is_open(pitch)) {
            // Constants show that the rows are no single burst.
            return None;
        }
        let (helper, pitch) = match *pitches {
            [(Base::Gm(_), gm), (Base::Local(_), pitch)] if *gm == **cols => {
                (Helper::RowsToUb, pitch)
            }
            [(Base::Local(_), pitch), (Base::Gm(_), gm)] if *gm == **cols => {
                (Helper::RowsToGm, pitch)
            }
            _ => return None,
        };
        self.need(helper);
        self.need(if self.plan.chip.has_data_copy_pad {
            Helper::BlockGap
        } else {
            Helper::DataBlockBytes
        });
        let [rows, cols, pitch] = [rows, cols, pitch].map(|s| self.process().expr(s));
        Some(format!(
            "{}<{}>({rows}, {cols}, {pitch})",
            super::rows::rows_name(helper),
            self.ty(ty)
        ))
    }

    /// Prints the parameters of the plain form: a count for one row, else rows and gaps in data
    /// blocks.
    fn block_params(&self, of: &Rows<'_>, ty: Ty) -> String {
        let (
            p,
            Rows {
                rows,
                cols,
                pitches,
            },
        ) = (self.process(), of);
        let Some(pitches) = pitches else {
            return format!("static_cast<uint32_t>({})", p.expr(cols));
        };
        // Where DataCopyPad exists, the helper computes its parameters instead.
        if !self.plan.chip.has_data_copy_pad {
            if let Some(whole) = self.whole_rows(of, ty) {
                return whole;
            }
        }
        let elems = self.block_elems(ty);
        let blocks = |s: &Scalar| match (s.as_int(), self.known_lanes(ty)) {
            (Some(0), _) => "0".to_string(),
            (Some(n), Some(lanes)) => (n / lanes).to_string(),
            _ => format!("static_cast<uint16_t>({} / {elems})", p.factor(s)),
        };
        let [from, to] = pitches.map(|(_, pitch)| match *pitch == **cols {
            true => "0".to_string(),
            false => blocks(&(pitch.clone() - cols.as_ref().clone())),
        });
        format!(
            "DataCopyParams{{{}, {}, {from}, {to}}}",
            self.rows(rows),
            blocks(cols)
        )
    }

    fn rows(&self, rows: &Scalar) -> String {
        match rows.as_int() {
            Some(n) => n.to_string(),
            None => format!("static_cast<uint16_t>({})", self.process().expr(rows)),
        }
    }

    /// Returns the elements of a data block; `None` where the type is a template parameter.
    fn known_lanes(&self, ty: Ty) -> Option<i64> {
        (!is_param(ty)).then(|| self.plan.chip.data_block_bytes / ty.resolve(&[]).bytes())
    }

    /// Prints the elements of a data block as an integer with the size of an offset.
    fn block_elems(&self, ty: Ty) -> String {
        self.known_lanes(ty).map_or_else(
            || {
                self.need(Helper::DataBlockBytes);
                format!(
                    "(DATA_BLOCK_BYTES / static_cast<int64_t>(sizeof({})))",
                    self.ty(ty)
                )
            },
            |lanes| lanes.to_string(),
        )
    }

    /// Returns the cast of a tensor to a type of its size that Select supports; `None` if its own
    /// type is supported.
    fn chosen_as(&self, elem: Ty) -> Option<String> {
        let is_chosen = |dtype: DType| matches!(dtype, DType::F16 | DType::F32);
        let known = |dtype: DType| {
            let float = if dtype.bytes() == 2 {
                DType::F16
            } else {
                DType::F32
            };
            (!is_chosen(dtype)).then(|| format!(".ReinterpretCast<{}>()", float.ascendc()))
        };
        match elem {
            Ty::Is(dtype) => known(dtype),
            Ty::Wide(_) | Ty::Mask => known(elem.resolve(&[])),
            Ty::Param(_) => {
                let mut served = self
                    .class
                    .serves
                    .iter()
                    .map(|(at, _)| elem.resolve(self.plan.instances[*at].binding()));
                if served.all(is_chosen) {
                    return None;
                }
                self.need(Helper::FloatOf);
                Some(format!(
                    ".template ReinterpretCast<FloatOf<{}>>()",
                    self.ty(elem)
                ))
            }
        }
    }

    /// Prints a vector call: its operands in order, the op's own arguments, and its extent.
    fn vector(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<String> {
        let elem = self.own_ty(instr);
        let scale = instr
            .number()
            .filter(|_| instr.op == Op::Compound(CompoundOp::CastDequant));
        if let Some(scale) = scale {
            // The call reads this register, and no other call does.
            out.stmt(format_args!("SetDeqScale({})", self.operand(scale, elem)));
        }
        let named = instr.op.contract().named().iter().zip(&instr.args);
        let named = named.filter(|(operand, _)| scale.is_none() || operand.what != What::Number);
        let mut args: Vec<String> = named.map(|(_, a)| self.arg(a, elem, locals)).collect();
        let is_choice = instr.op == Op::Layout(LayoutOp::Select);
        if let Some(seen) = is_choice.then(|| self.chosen_as(elem)).flatten() {
            let all = args
                .iter_mut()
                .zip(instr.views())
                .filter(|(_, (rule, _))| rule.elem == Elem::Own);
            all.for_each(|(arg, _)| arg.push_str(&seen));
        }
        args.extend(self.added(instr.op, elem));
        let flags = match &instr.extent {
            Extent::Count { n } => {
                args.push(
                    match matches!(instr.op, Op::Compare(_) | Op::CompareScalar(_)) {
                        true => self.whole_repeats(n, elem),
                        false => self.process().expr(n),
                    },
                );
                String::new()
            }
            Extent::Eights { repeat } => {
                args.push(self.eights(instr.dst()?, repeat, 16));
                String::new()
            }
            Extent::Repeat { mask, repeat } => {
                args.push(self.mask(mask, "uint64_t", locals, out));
                args.push(self.field(repeat, 8));
                args.push(self.spell_strides(instr));
                String::new()
            }
            // Some releases lack a call that leaves the mask unchanged.
            Extent::Counter { n } if instr.op == Op::Compound(CompoundOp::MulCast) => {
                let lanes = locals.unique("lanes");
                out.comment("The number of elements, which MulCast sets.");
                out.stmt(format_args!(
                    "uint64_t {lanes}[2] = {{static_cast<uint64_t>({}), 0}}",
                    self.process().expr(n)
                ));
                args.extend([lanes, "1".into(), self.spell_strides(instr)]);
                String::new()
            }
            Extent::Counter { .. } => {
                args.push("MASK_PLACEHOLDER".into());
                args.push("1".into());
                args.push(self.spell_strides(instr));
                self.keeps_mask(instr, elem)?
            }
            Extent::Fixed {} | Extent::Rows { .. } => return None,
        };
        Some(format!(
            "{}{flags}({})",
            instr.op.def().ascendc,
            args.join(", ")
        ))
    }

    /// Prints GatherMask by a pattern, in one repeat of all elements. The number of kept elements
    /// is known in advance.
    fn gather_mask(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let (n, pattern) = (instr.extent.count()?, instr.pattern()?);
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        let (kept, views) = (locals.unique("kept"), views.join(", "));
        out.stmt(format_args!("uint64_t {kept} = 0"));
        let [pattern, n] = [self.field(pattern, 8), self.field(n, 32)];
        let name = instr.op.def().ascendc;
        out.stmt(format_args!(
            "{name}({views}, {pattern}, true, {n}, {{1, 1, 8, 0}}, {kept})"
        ));
        Some(())
    }

    /// Prints GatherMask by bits, with the number of kept elements. The call has one repeat of all
    /// elements, whose bits are contiguous.
    fn gather_bits(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let (n, var) = (instr.extent.count()?, instr.result()?);
        self.need(Helper::GatherBits);
        let views: Vec<_> = instr
            .views()
            .map(|(_, view)| self.view(view, locals))
            .collect();
        let (kept, views, n) = (self.var_name(var), views.join(", "), self.process().expr(n));
        out.stmt(format_args!("{} {kept} = 0", cpp_type(ScalarTy::Index)));
        out.stmt(format_args!("GatherBits({views}, {n}, {kept})"));
        Some(())
    }

    /// Prints Gather, whose offsets AscendC takes without a sign.
    fn gather(&self, instr: &Instr, locals: &Locals) -> Option<String> {
        let (n, base) = (instr.extent.count()?, instr.base()?);
        let views: Vec<_> = instr
            .views()
            .map(|(rule, view)| match rule.elem {
                Elem::Offsets => format!("{}.ReinterpretCast<uint32_t>()", self.view(view, locals)),
                Elem::Own | Elem::Other | Elem::Bits => self.view(view, locals),
            })
            .collect();
        let n = self.process().expr(n);
        Some(format!(
            "{}({}, {}, {n})",
            instr.op.def().ascendc,
            views.join(", "),
            self.field(base, 32)
        ))
    }

    /// Prints Gatherb, whose offsets AscendC takes without a sign, as well as its elements.
    fn gather_blocks(&self, instr: &Instr, locals: &Locals) -> Option<String> {
        let Extent::Eights { repeat } = &instr.extent else {
            return None;
        };
        let elem = self.own_ty(instr);
        let (seen, template) = match elem {
            // Whole blocks are equal under either type.
            Ty::Param(_) => (Some("uint16_t"), "template "),
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => match elem.resolve(&[]) {
                DType::U16 | DType::U32 => (None, ""),
                wide if wide.bytes() == 4 => (Some("uint32_t"), ""),
                _ => (Some("uint16_t"), ""),
            },
        };
        let views: Vec<_> = instr
            .views()
            .map(|(rule, view)| match (rule.elem, seen) {
                (Elem::Offsets, _) => {
                    format!("{}.ReinterpretCast<uint32_t>()", self.view(view, locals))
                }
                (_, Some(seen)) => {
                    format!(
                        "{}.{template}ReinterpretCast<{seen}>()",
                        self.view(view, locals)
                    )
                }
                (_, None) => self.view(view, locals),
            })
            .collect();
        Some(format!(
            "{}({}, {})",
            instr.op.def().ascendc,
            views.join(", "),
            self.eights(instr.dst()?, repeat, 8)
        ))
    }

    /// Prints repeats of eight, and the strides of the destination in fields of `bits` bits.
    fn eights(&self, dst: &View, repeat: &Scalar, bits: u32) -> String {
        let (blk, rep) = strides(dst);
        let [blk, rep] = [blk, rep].map(|s| self.field(&s, bits));
        format!("{}, {{{blk}, {rep}}}", self.field(repeat, 8))
    }

    /// Prints a reduction of each repeat, data block or pair; the arguments before the mask differ
    /// between ops.
    fn partial(
        &self,
        op: PartialOp,
        instr: &Instr,
        locals: &Locals,
        out: &mut Cpp,
    ) -> Option<String> {
        let elem = self.own_ty(instr);
        let views: Vec<_> = instr.views().map(|(_, view)| view).collect();
        let [dst, src] = views[..] else { return None };
        let (mask, repeat, flags) = match &instr.extent {
            Extent::Repeat { mask, repeat } => (
                self.mask(mask, "int32_t", locals, out),
                self.int32(repeat),
                String::new(),
            ),
            Extent::Counter { .. } => (
                "MASK_PLACEHOLDER".into(),
                "1".into(),
                self.keeps_mask(instr, elem)?,
            ),
            Extent::Fixed {}
            | Extent::Count { .. }
            | Extent::Eights { .. }
            | Extent::Rows { .. } => return None,
        };
        let results = match &dst.layout {
            Layout::Results { rep } => self.int32(rep),
            Layout::Dense {} | Layout::Rows { .. } | Layout::Blocks { .. } => "1".to_string(),
        };
        let (blk, rep) = strides(src);
        let [blk, rep] = [blk, rep].map(|s| self.int32(&s));
        let [dst, src] = [dst, src].map(|view| self.view(view, locals));
        let rest = match op {
            PartialOp::BlockSum
            | PartialOp::BlockMax
            | PartialOp::BlockMin
            | PartialOp::PairSum => {
                format!("{repeat}, {mask}, {results}, {blk}, {rep}")
            }
            PartialOp::WholeSum => format!("{mask}, {repeat}, {results}, {blk}, {rep}"),
            PartialOp::WholeMax | PartialOp::WholeMin => {
                format!("{mask}, {repeat}, {results}, {blk}, {rep}, ReduceOrder::ORDER_ONLY_VALUE")
            }
            // The stride after the mask has no effect.
            PartialOp::RepeatSum => format!("{repeat}, {mask}, 1, {blk}, {results}, {rep}"),
        };
        Some(format!("{}{flags}({dst}, {src}, {rest})", op.def().ascendc))
    }

    /// Prints the lanes of a repeat: their number, or an array of bits that is defined before the
    /// call.
    fn mask(&self, lanes: &Lanes, count: &str, locals: &Locals, out: &mut Cpp) -> String {
        let p = self.process();
        match lanes {
            // A mask of 0 without its type could be a null pointer to bits.
            Lanes::First { n } => match n.as_int() {
                Some(n) if n > 0 => n.to_string(),
                _ => format!("static_cast<{count}>({})", p.expr(n)),
            },
            Lanes::Bits { low, high } => {
                let name = locals.unique("lanes");
                out.stmt(format_args!("uint64_t {name}[2] = {{{low:#x}, {high:#x}}}"));
                name
            }
            Lanes::Groups {
                from,
                to,
                of,
                groups,
            } => {
                self.need(Helper::GroupLanes);
                let name = locals.unique("lanes");
                let [from, to, groups] = [from, to, groups].map(|s| p.expr(s));
                out.stmt(format_args!("uint64_t {name}[2]"));
                out.stmt(format_args!(
                    "GroupLanes({name}, {from}, {to}, {of}, {groups})"
                ));
                name
            }
        }
    }

    /// Prints a number for a field of `bits` bits; a constant is printed without a cast.
    pub(super) fn field(&self, s: &Scalar, bits: u32) -> String {
        match s.as_int() {
            Some(n) => n.to_string(),
            None => format!("static_cast<uint{bits}_t>({})", self.process().expr(s)),
        }
    }

    pub(super) fn int32(&self, s: &Scalar) -> String {
        match s.as_int() {
            Some(n) => n.to_string(),
            None => format!("static_cast<int32_t>({})", self.process().expr(s)),
        }
    }

    /// Prints the strides of a call: `{dstBlk, src0Blk, .., dstRep, src0Rep, ..}`, those of a fill
    /// without braces. Bits have none.
    fn spell_strides(&self, instr: &Instr) -> String {
        let named = 1 + instr.op.contract().sources();
        let strided = instr
            .views()
            .take(named)
            .filter(|(rule, _)| rule.elem != Elem::Bits);
        let strided: Vec<_> = strided.map(|(_, view)| strides(view)).collect();
        let (most_blk, most_rep) = instr.op.contract().largest_strides();
        let bits = |most: i64| if most > i64::from(u8::MAX) { 16 } else { 8 };
        let blocks = strided.iter().map(|s| self.field(&s.0, bits(most_blk)));
        let all = blocks
            .chain(strided.iter().map(|s| self.field(&s.1, bits(most_rep))))
            .collect::<Vec<_>>();
        match strided.len() {
            1 => all.join(", "),
            _ => format!("{{{}}}", all.join(", ")),
        }
    }

    /// Begins counter mode for calls of `n` elements.
    pub(super) fn begin_counter(&self, instr: &Instr, n: &Scalar, out: &mut Cpp) {
        out.line("SetMaskCount();");
        let (ty, n) = (self.ty(self.own_ty(instr)), self.process().expr(n));
        out.stmt(format_args!(
            "SetVectorMask<{ty}, MaskMode::COUNTER>(0, {n})"
        ));
    }

    /// Returns to normal mode and all lanes.
    pub(super) fn end_counter(&self, out: &mut Cpp) {
        out.line("SetMaskNorm();");
        out.line("ResetMask();");
    }

    fn arg(&self, arg: &Arg, elem: Ty, locals: &Locals) -> String {
        match arg {
            Arg::View { view } => self.view(view, locals),
            Arg::Scalar { value } => self.operand(value, elem),
            Arg::Mode { mode } => format!("RoundMode::{}", mode.ascendc()),
            Arg::Var { var } => self.var_name(*var).to_string(),
            Arg::Title { text } => format!("\"{}\"", escaped(text)),
        }
    }

    /// Returns the trailing arguments by which AscendC distinguishes the ops of a family.
    fn added(&self, op: Op, elem: Ty) -> Option<String> {
        match op {
            Op::Unary(UnaryOp::Neg) => Some(self.operand(&Scalar::Int(-1), elem)),
            op => Some(op.def().trailing.to_string()).filter(|text| !text.is_empty()),
        }
    }

    /// Returns the template arguments with which a call leaves the mask unchanged; `None` for an op
    /// that is not called under one.
    fn keeps_mask(&self, instr: &Instr, elem: Ty) -> Option<String> {
        let dst = self.ty(self.view_ty(instr.dst()?));
        Some(match instr.op.def().keeps_mask {
            KeepsMask::No => return None,
            KeepsMask::Dst => format!("<{dst}, false>"),
            KeepsMask::DstOwn => format!("<{dst}, {}, false>", self.ty(elem)),
            KeepsMask::DstSource => {
                format!(
                    "<{dst}, {}, false>",
                    self.ty(self.view_ty(instr.accessed(Access::Read).next()?))
                )
            }
        })
    }

    /// Rounds up to whole repeats, since Compare would not compute a trailing part. Buffers are
    /// padded for it.
    fn whole_repeats(&self, n: &Scalar, elem: Ty) -> String {
        self.need(Helper::AlignUp);
        let n = self.process().expr(n);
        if is_param(elem) {
            self.need(Helper::RepeatBytes);
            format!("AlignUp({n}, REPEAT_BYTES / sizeof({}))", self.ty(elem))
        } else {
            format!(
                "AlignUp({n}, {})",
                self.plan.chip.repeat_bytes / elem.resolve(&[]).bytes()
            )
        }
    }

    /// Prints a scalar operand in the element type of its tensor.
    pub(super) fn operand(&self, s: &Scalar, elem: Ty) -> String {
        let p = self.process();
        match (self.source.beside(elem), elem) {
            (Beside::Bf16, _) => format!("ToBfloat16({})", p.expr_as(s, ScalarTy::F32)),
            (Beside::Float, Ty::Is(DType::F32)) => p.expr_as(s, ScalarTy::F32),
            (Beside::Float, _) => {
                format!(
                    "static_cast<{}>({})",
                    self.ty(elem),
                    p.expr_as(s, ScalarTy::F32)
                )
            }
            (Beside::Whole, Ty::Is(DType::I32)) => p.expr_as(s, ScalarTy::I32),
            (Beside::Whole, _) => {
                format!(
                    "static_cast<{}>({})",
                    self.ty(elem),
                    p.expr_as(s, ScalarTy::I32)
                )
            }
        }
    }

    /// Prints the definition `const float v = xLocal.GetValue(i);`.
    fn get_value(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let [Arg::Var { var }, Arg::View { view }] = &instr.args[..] else {
            return None;
        };
        let of = self.whole(view, locals);
        let decl = self.body.var(*var);
        let value = format!("{of}.GetValue({})", self.process().expr(&view.offset));
        let value = match (self.source.read(self.view_ty(view)), decl.ty) {
            (DType::F32, ScalarTy::F32)
            | (DType::I32, ScalarTy::I32)
            | (DType::I64, ScalarTy::Index) => value,
            (DType::Bf16, ScalarTy::F32) => format!("ToFloat({value})"),
            (_, ty) => format!("static_cast<{}>({value})", cpp_type(ty)),
        };
        out.stmt(format_args!(
            "const {} {} = {value}",
            cpp_type(decl.ty),
            self.var_name(*var)
        ));
        Some(())
    }

    /// Prints the call `xLocal.SetValue(i, v);`.
    fn set_value(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let [Arg::View { view }, Arg::Scalar { value }] = &instr.args[..] else {
            return None;
        };
        let (at, value) = (
            self.process().expr(&view.offset),
            self.operand(value, self.view_ty(view)),
        );
        out.stmt(format_args!(
            "{}.SetValue({at}, {value})",
            self.whole(view, locals)
        ));
        Some(())
    }

    /// Prints the call `DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE,
    /// DcciDst::CACHELINE_OUT>(yGlobal[i]);`.
    fn clean_line(&self, instr: &Instr, locals: &Locals, out: &mut Cpp) -> Option<()> {
        let [Arg::View { view }] = &instr.args[..] else {
            return None;
        };
        let (name, ty) = (instr.op.def().ascendc, self.ty(self.view_ty(view)));
        // 310p only has the form without a place (asc-devkit, page of DataCacheCleanAndInvalid).
        let place = match self.plan.chip.arch {
            Arch::V220 => ", DcciDst::CACHELINE_OUT",
            Arch::M200 => "",
        };
        out.stmt(format_args!(
            "{name}<{ty}, CacheLine::SINGLE_CACHE_LINE{place}>({})",
            self.view(view, locals)
        ));
        Some(())
    }

    /// Prints the tensor of a view.
    fn whole(&self, view: &View, locals: &Locals) -> String {
        match view.base {
            Base::Local(tensor) => locals.tensor(tensor),
            Base::Gm(of) => self.gm_member(of).to_string(),
        }
    }
}

/// True if the dtype is a template parameter here.
pub(super) fn is_param(ty: Ty) -> bool {
    matches!(ty, Ty::Param(_))
}

/// Returns block and repeat stride of a view, in data blocks.
fn strides(view: &View) -> (Scalar, Scalar) {
    match &view.layout {
        Layout::Blocks { blk, rep } => (blk.clone(), rep.clone()),
        Layout::Dense {} | Layout::Rows { .. } | Layout::Results { .. } => {
            (Scalar::Int(1), Scalar::Int(8))
        }
    }
}

/// Returns the number of elements that a statement computes in counter mode, if it does nothing
/// else, and its first instruction.
pub(super) fn counter_of(s: &Stmt) -> Option<(&Instr, &Scalar)> {
    if let StmtKind::For { var, body, .. } = &s.kind {
        let (first, n) = counter_of(body.first()?)?;
        let mut same = !n.mentions(*var);
        body[1..]
            .iter()
            .for_each(|s| same &= counter_of(s).is_some_and(|(_, other)| other == n));
        return same.then_some((first, n));
    }
    let instr = s.instr()?;
    match &instr.extent {
        Extent::Counter { n } => Some((instr, n)),
        Extent::Fixed {}
        | Extent::Count { .. }
        | Extent::Repeat { .. }
        | Extent::Eights { .. }
        | Extent::Rows { .. } => None,
    }
}
