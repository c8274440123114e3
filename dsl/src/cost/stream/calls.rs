//! Instructions as events: repeats, lanes and operands of vector calls, stretches of copies, and
//! what the scalar unit reads and writes.

use super::{Begin, Done, Frame, Stop, Walk};
use crate::cost::call::{self, Span};
use crate::cost::event::{Global, Operand, Place, Steps, Stretches, What, OPERANDS};
use crate::cost::touch;
use crate::ir::{Extent, Instr, Lanes, Layout, TensorRef, View};
use crate::ops::contract::{Access, Elem, Pipe, Reach, Results, ViewRule, BLOCKS_PER_REPEAT};
use crate::ops::{LayoutOp, Op, ReduceOp, ScalarOp};
use crate::soc::Arch;

/// Bytes of a line of the scalar unit's cache.
const LINE: i64 = 64;

/// Returns a number as a field of an event.
pub(super) fn field<T: TryFrom<i64>>(value: i64, what: &'static str) -> Done<T> {
    T::try_from(value).map_err(|_| Stop::Large(what))
}

/// Returns the lanes of the last repeat.
pub(super) fn last_lanes(span: Span) -> i64 {
    span.elements - (span.repeats - 1) * span.lanes
}

impl<'a> Walk<'a> {
    pub(super) fn instr(&mut self, frame: &mut Frame<'a>, instr: &'a Instr) -> Done {
        if let Some(var) = instr.result() {
            let value = self.taken(frame, var)?;
            frame.set(var, value);
        }
        match instr.op.contract().pipe {
            Pipe::S => self.scalar(frame, instr),
            Pipe::V => match instr.op {
                Op::Scan(op) => self.scan(frame, op, instr),
                Op::Layout(LayoutOp::Top) => self.top(frame, instr),
                _ => self.vector(frame, instr),
            },
            Pipe::Mte2 | Pipe::Mte3 => self.copy(frame, instr),
        }
    }

    /// An access of the scalar unit.
    fn scalar(&mut self, frame: &Frame<'a>, instr: &Instr) -> Done {
        let Op::Scalar(op) = instr.op else {
            return Err(Stop::Malformed("an op of the scalar unit"));
        };
        let writes = match op {
            ScalarOp::GetValue | ScalarOp::GetIndex | ScalarOp::GetGlobal => false,
            ScalarOp::SetValue | ScalarOp::SetGlobal => true,
            ScalarOp::CleanLine => true,
            // A dump is for a debugger.
            ScalarOp::Dump => return Ok(()),
        };
        let (_, view) = instr.views().next().ok_or(Stop::Malformed("no tensor"))?;
        let is_line = op == ScalarOp::CleanLine;
        let bytes = if is_line {
            LINE
        } else {
            self.size(frame, view)
        };
        let place = match view.global() {
            Some(of) => {
                let gm = self.global(frame, view, of)?;
                let within = if is_line { gm.at % LINE as u64 } else { 0 };
                Place::Gm(Global {
                    at: gm.at - within,
                    ..gm
                })
            }
            None => Place::Ub(field(self.address(frame, view)?, "an address")?),
        };
        let cycles = match place {
            Place::Gm(_) => self.timing.read_start,
            Place::Ub(_) => self.timing.scalar_access,
        };
        self.weight += cycles;
        let op = self.name(op.def().ascendc)?;
        let bytes = field(bytes, "bytes of an element")?;
        self.happen(What::Scalar {
            op,
            place,
            bytes,
            writes,
        });
        Ok(())
    }

    fn global(&mut self, frame: &Frame<'a>, view: &View, of: TensorRef) -> Done<Global> {
        let offset = frame
            .whole(&view.offset)?
            .checked_mul(self.size(frame, view));
        let (name, begin) = match of {
            TensorRef::Param(id) => (self.lowered.sig.param(id).name.as_str(), 0),
            // The launch has one workspace, and each of the kernel's is a part of it.
            TensorRef::Work(id) => {
                let work = self.variant.body.work(id);
                ("workspace", frame.whole(&work.at)?)
            }
        };
        let tensor = self.name(name)?;
        let at = offset.and_then(|offset| begin.checked_add(offset));
        let at = field(at.ok_or(Stop::Large("a place in GM"))?, "a place in GM")?;
        Ok(Global { tensor, at })
    }

    /// A copy between GM and UB. Rows that touch on both sides are one stretch.
    fn copy(&mut self, frame: &Frame<'a>, instr: &Instr) -> Done {
        let Op::Copy(op) = instr.op else {
            return Err(Stop::Malformed("a copy"));
        };
        let (rows, cols) = instr.extent.rows().ok_or(Stop::Malformed("no rows"))?;
        let (rows, elements) = (frame.whole(rows)?, frame.whole(cols)?);
        if rows <= 0 || elements <= 0 {
            return Ok(());
        }
        let (mut gm, mut ub) = (None, None);
        for (_, view) in instr.views() {
            let pitch = match &view.layout {
                Layout::Rows { pitch } => pitch,
                Layout::Dense {} | Layout::Blocks { .. } | Layout::Results { .. } => cols,
            };
            match view.global() {
                Some(of) => gm = Some((self.global(frame, view, of)?, of, pitch)),
                None => ub = Some((self.address(frame, view)?, self.size(frame, view), pitch)),
            }
        }
        let missing = Stop::Malformed("a copy without a side");
        let ((gm, of, gm_pitch), (ub, size, ub_pitch)) = gm.zip(ub).ok_or(missing)?;
        let bytes = elements * size;
        let (own, in_ub) = (frame.whole(gm_pitch)? * size, frame.whole(ub_pitch)? * size);
        // Emitted text has one stretch where the pitches are the length by name. DataCopyPad asks
        // for the one in UB on the core.
        let asks = op.pads() && in_ub == bytes;
        let is_one = instr.lead().is_none() && gm_pitch == cols && (ub_pitch == cols || asks);
        let (count, bytes, pitch, ub_pitch) = match (is_one, rows) {
            (true, _) => (1, rows * bytes, rows * bytes, rows * bytes),
            (false, 1) => (1, bytes, bytes, bytes),
            (false, _) => (rows, bytes, own, in_ub),
        };
        let pipe = instr.op.contract().pipe;
        self.weight += bytes as f64 * count as f64 / self.timing.read_path + self.timing.copy_issue;
        let (op, hint) = (self.name(op.def().ascendc)?, self.hint(of));
        let stretches = Stretches {
            count: field(count, "rows of a copy")?,
            bytes: field(bytes, "bytes of a copy")?,
            pitch: field(pitch, "bytes from row to row")?,
            ub: field(ub, "an address")?,
            ub_pitch: field(ub_pitch, "bytes from row to row")?,
        };
        self.happen(What::Copy {
            op,
            pipe,
            gm,
            hint,
            stretches,
        });
        Ok(())
    }

    /// A call of the vector unit.
    fn vector(&mut self, frame: &Frame<'a>, instr: &Instr) -> Done {
        let (words, span) = self.span(frame, instr)?;
        if span.repeats == 0 {
            return Ok(());
        }
        let mut operands = Vec::new();
        // On this architecture a sum of a count adds up in a register, and leaves its work space.
        let leaves = instr.op == Op::Reduce(ReduceOp::Sum) && self.chip.arch == Arch::V220;
        let taken = |(rule, _): &(&ViewRule, &View)| !leaves || rule.access != Access::Scratch;
        for (rule, view) in instr.views().filter(taken) {
            operands.push(self.operand(frame, (rule, view), (words, span), instr)?);
        }
        let last = last_lanes(span);
        if instr.op.contract().begins == Some(Pipe::S) {
            self.begins(frame, instr, span)?;
        }
        let time = (self.timing.call)(instr.op.def().cost);
        self.weight += time.fixed + time.slope * span.repeats as f64;
        self.call(instr.op.def().ascendc, (span, last), operands)
    }

    /// The scalar unit writes what the call goes on from: a data block, and where a mask of bits
    /// decides, the first repeat (asc-devkit, CreateVecIndexCalc).
    fn begins(&mut self, frame: &Frame<'a>, instr: &Instr, span: Span) -> Done {
        let dst = instr.dst().ok_or(Stop::Malformed("no destination"))?;
        let (at, size) = (self.address(frame, dst)?, self.size(frame, dst));
        let first = span.elements.min(span.lanes) * size;
        let by_bits = matches!(
            instr.extent,
            Extent::Repeat {
                mask: Lanes::Bits { .. } | Lanes::Groups { .. },
                ..
            }
        );
        let bytes = match by_bits {
            true => first,
            false => first.min(self.chip.data_block_bytes),
        };
        let op = self.name(instr.op.def().ascendc)?;
        self.happen(What::Scalar {
            op,
            place: Place::Ub(field(at, "an address")?),
            bytes: field(bytes, "bytes of an element")?,
            writes: true,
        });
        Ok(())
    }

    /// Adds a vector call.
    pub(super) fn call(
        &mut self,
        op: &str,
        (span, last): (Span, i64),
        operands: Vec<Operand>,
    ) -> Done {
        let op = self.name(op)?;
        let mut slots = [None; OPERANDS];
        for (number, operand) in operands.into_iter().enumerate() {
            *slots.get_mut(number).ok_or(Stop::Large("operands"))? = Some(operand);
        }
        self.happen(What::Vector {
            op,
            repeats: field(span.repeats, "repeats")?,
            lanes: field(span.lanes, "lanes")?,
            last: field(last, "lanes")?,
            operands: slots,
        });
        Ok(())
    }

    /// Returns the extent of a vector call, and the bytes of an element in which it works where
    /// that is not the element of its operands.
    fn span(&self, frame: &Frame<'a>, instr: &Instr) -> Done<(Option<i64>, Span)> {
        let widest = self.widest(frame, instr);
        // Masks alone are combined as numbers of 16 bits, and so are the bits of integers.
        let words = match (instr.op, widest) {
            (Op::Bit(_), _) | (_, None) => Some(2),
            (_, Some(_)) => None,
        };
        let size = words.or(widest).unwrap_or(2);
        let lanes = self.chip.repeat_bytes / size;
        let span = match &instr.extent {
            Extent::Count { n } | Extent::Counter { n } => {
                let first = instr.views().next();
                let n = first.map_or(n.clone(), |(rule, _)| instr.reached(rule.reach, n));
                let n = frame.whole(&n)?;
                let n = match (instr.op, widest) {
                    (Op::Bit(_), Some(bytes)) => (n * bytes + 1) / 2,
                    (Op::Mask(_), None) => (n + 15) / 16,
                    (Op::Compare(_) | Op::CompareScalar(_), _)
                        if matches!(instr.extent, Extent::Count { .. }) =>
                    {
                        (n + lanes - 1) / lanes * lanes
                    }
                    _ => n,
                };
                Span::counted(n, lanes)
            }
            Extent::Repeat { mask, repeat } => {
                Span::repeated(frame.whole(repeat)?, frame.whole(&mask.end())?)
            }
            Extent::Eights { repeat } => Span::repeated(frame.whole(repeat)?, BLOCKS_PER_REPEAT),
            Extent::Fixed {} | Extent::Rows { .. } => return Err(Stop::Malformed("no lanes")),
        };
        Ok((words, span))
    }

    /// Returns the bytes of the widest element; `None` for a call on masks alone.
    fn widest(&self, frame: &Frame<'a>, instr: &Instr) -> Option<i64> {
        let elements = instr
            .views()
            .filter(|(rule, _)| matches!(rule.elem, Elem::Own | Elem::Other));
        elements.map(|(_, view)| self.size(frame, view)).max()
    }

    /// Returns the lanes of a whole repeat.
    fn lanes(&self, frame: &Frame<'a>, instr: &Instr) -> i64 {
        self.chip.repeat_bytes / self.widest(frame, instr).unwrap_or(2)
    }

    fn operand(
        &self,
        frame: &Frame<'a>,
        (rule, view): (&ViewRule, &View),
        (words, span): (Option<i64>, Span),
        instr: &Instr,
    ) -> Done<Operand> {
        let (place, own) = (self.place(frame, view)?, self.size(frame, view));
        // GatherMask takes its bits as unsigned numbers of the size of its elements.
        let gathered = instr.op == Op::Layout(LayoutOp::GatherBits) && rule.elem == Elem::Bits;
        let wide = self.widest(frame, instr).filter(|_| gathered);
        let (at, size) = (place.at, words.or(wide).unwrap_or(own));
        let block = self.chip.data_block_bytes;
        // A copy inside of UB and a GatherMask have no repeats, and eights have their own.
        let is_whole = matches!(rule.reach, Reach::All | Reach::WholeRepeats)
            && (rule.elem != Elem::Bits || words.is_some())
            && rule.elem != Elem::Offsets
            && !matches!(instr.extent, Extent::Eights { .. })
            && !matches!(
                instr.op,
                Op::Layout(LayoutOp::LocalCopy | LayoutOp::GatherMask | LayoutOp::GatherBits)
            );
        let steps = match (&view.layout, is_whole) {
            (Layout::Blocks { blk, rep }, true) => Steps::Blocks {
                blk: field(frame.whole(blk)?, "a stride")?,
                rep: field(frame.whole(rep)?, "a stride")?,
            },
            // Repeats of the widest operand follow one another in the others, too.
            (_, true) if matches!(instr.extent, Extent::Count { .. }) => Steps::Blocks {
                blk: 1,
                rep: field((span.lanes * size + block - 1) / block, "a stride")?,
            },
            (_, true) => Steps::Blocks { blk: 1, rep: 8 },
            (_, false) => {
                let bytes = self.touched(frame, (rule, view), (place, own), (span, instr))?;
                let blocks = (at % block + bytes + block - 1) / block;
                Steps::Dense {
                    blocks: field(blocks, "data blocks of an operand")?,
                }
            }
        };
        let writes = rule.access != Access::Read;
        Ok(Operand {
            at: field(at, "an address")?,
            steps,
            size: field(size, "bytes of an element")?,
            reads: !writes,
            writes,
        })
    }

    /// Returns the bytes from the first that a call touches of an operand to its last.
    fn touched(
        &self,
        frame: &Frame<'a>,
        (rule, view): (&ViewRule, &View),
        (place, size): (Begin, i64),
        (span, instr): (Span, &Instr),
    ) -> Done<i64> {
        let block = self.chip.data_block_bytes;
        let left = place.end - place.at;
        Ok(match (rule.reach, &view.layout) {
            // The call may choose any byte of the tensor.
            (Reach::Chosen | Reach::ChosenBlocks, _) => left,
            (Reach::All | Reach::WholeRepeats, _) if rule.elem == Elem::Bits => {
                let elements = match &instr.extent {
                    Extent::Repeat { .. } => span.repeats * self.lanes(frame, instr),
                    Extent::Fixed {}
                    | Extent::Count { .. }
                    | Extent::Counter { .. }
                    | Extent::Eights { .. }
                    | Extent::Rows { .. } => span.elements,
                };
                (elements + 7) / 8
            }
            (Reach::Partials(each), _) => span.repeats * each * size,
            (Reach::Taken | Reach::Most, _) => left.min(span.elements * size),
            (Reach::Blocks, Layout::Blocks { blk, rep }) => {
                let (blk, rep) = (frame.whole(blk)?, frame.whole(rep)?);
                ((span.repeats - 1) * rep + (BLOCKS_PER_REPEAT - 1) * blk + 1) * block
            }
            (Reach::Results(gives), layout) => {
                let distance = match layout {
                    Layout::Results { rep } => frame.whole(rep)?,
                    Layout::Dense {} | Layout::Rows { .. } | Layout::Blocks { .. } => 1,
                };
                // The last repeat of counter mode may have fewer results.
                let lanes = last_lanes(span);
                let last = match gives {
                    Results::Repeat => 1,
                    Results::Blocks => (lanes * size + block - 1) / block,
                    Results::Pairs => (lanes + 1) / 2,
                };
                let each = gives.of(self.chip.repeat_bytes / size);
                ((span.repeats - 1) * distance * each + last) * size
            }
            (_, layout) => {
                let begin = touch::Begin {
                    home: touch::Home::Ub,
                    at: place.at,
                };
                let steps = match layout {
                    Layout::Results { rep } => call::Steps::Results(frame.whole(rep)?),
                    Layout::Dense {} | Layout::Rows { .. } | Layout::Blocks { .. } => {
                        call::Steps::Dense
                    }
                };
                call::touched(self.chip, rule, begin, size, steps, span).end() - place.at
            }
        })
    }
}
