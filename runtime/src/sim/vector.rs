//! Vector calls: this file checks operands, extent and overlap, then the op's own file computes.
//!
//! Element-wise ops run the evaluation loops of the op table. They run on UB itself where operands
//! are dense, disjoint and stored in the type of computation; otherwise chunk by chunk through
//! scratch. The scratch also makes results independent of overlap.
//!
//! A destination may be a source as a whole. Any other overlap is an error, by the general rule of
//! AscendC. The exception are casts between widths that are given a count: they may overlap where
//! no repeat reads what an earlier one wrote.

use super::cast::{self, Conversion, Lane};
use super::memory::{Ub, DATA_BLOCK};
use super::program::{Local, Vector};
use super::strided::{Chunk, Extent, Operand, CHUNK};
use super::{poison, Overflow, Trip};
use bytemuck::Pod;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::{DType, RoundMode};
use jumar_dsl::ops::contract::{Reach, Results};
use jumar_dsl::ops::{
    narrowed, BinaryFn, BinaryScalarFn, CompareFn, CompoundOp, Eval, LayoutOp, Op, Reduction,
    Shifts, UnaryFn,
};
use jumar_dsl::soc::Arch;
use std::cell::RefCell;
use std::ops::Range;

/// An element-wise loop of the op table.
#[derive(Clone, Copy)]
pub(super) enum Function<L> {
    Unary(UnaryFn<L>),
    Binary(BinaryFn<L>),
    Scalar(BinaryScalarFn<L>),
    Held(fn(&mut [L], &[L], &[L], L)),
}

impl<L: Lane> Function<L> {
    /// Applies the function; `b` is `a` where there is one source.
    pub fn apply(self, dst: &mut [L], a: &[L], b: &[L], scalar: L) {
        match self {
            Function::Unary(f) => f(dst, a),
            Function::Binary(f) => f(dst, a, b),
            Function::Scalar(f) => f(dst, a, scalar),
            Function::Held(f) => f(dst, a, b, scalar),
        }
    }

    /// True if it reads the contents of `dst`.
    pub fn reads_dst(self) -> bool {
        match self {
            Function::Held(_) => true,
            Function::Unary(_) | Function::Binary(_) | Function::Scalar(_) => false,
        }
    }
}

/// The computation of a vector call, chosen by op and dtypes when the program is made.
#[derive(Clone, Copy)]
pub(super) enum Action {
    F32(Function<f32>),
    I32(Function<i32>),
    I16(Function<i16>),
    Narrowed(BinaryFn<f32>),
    Dequant,
    CompareF32(CompareFn<f32>),
    CompareI32(CompareFn<i32>),
    Select,
    Bits(BinaryFn<u8>),
    Words(BinaryFn<u8>),
    Shift(Shifts),
    Reduce(Reduction),
    Partial(Reduction, Results),
    Cast(Conversion),
    Duplicate,
    Index,
    LocalCopy,
    Copy,
    GatherMask,
    GatherBits,
    Gather,
    GatherBlocks,
    Top,
    Sort32,
    Merge,
    ScanF32(BinaryFn<f32>),
    ScanI32(BinaryFn<i32>),
    Brcb,
}

impl Action {
    /// Returns the action of an op on these dtypes; `None` where it has no meaning.
    pub fn new(
        op: Op,
        dst: DType,
        srcs: &[DType],
        mode: Option<RoundMode>,
        saturates: bool,
    ) -> Option<Action> {
        let alike = srcs.iter().all(|s| *s == dst);
        let typed = |f: Function<f32>, whole: Option<(Function<i32>, Function<i16>)>| match dst {
            _ if !alike => None,
            DType::F16 | DType::Bf16 | DType::F32 => Some(Action::F32(f)),
            DType::I32 => whole.map(|(long, _)| Action::I32(long)),
            DType::I16 => whole.map(|(_, short)| Action::I16(short)),
            DType::Bool
            | DType::I8
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits => None,
        };
        match op.def().eval {
            Eval::Unary(f, i) => {
                let whole = i.map(|i| {
                    (
                        Function::Unary(i.long.of(saturates)),
                        Function::Unary(i.short.of(saturates)),
                    )
                });
                typed(Function::Unary(f), whole)
            }
            Eval::Binary(f, i) => {
                let whole = i.map(|i| {
                    (
                        Function::Binary(i.long.of(saturates)),
                        Function::Binary(i.short.of(saturates)),
                    )
                });
                typed(Function::Binary(f), whole)
            }
            Eval::BinaryScalar(f, i) => {
                let whole = i.map(|i| {
                    (
                        Function::Scalar(i.long.of(saturates)),
                        Function::Scalar(i.short.of(saturates)),
                    )
                });
                typed(Function::Scalar(f), whole)
            }
            Eval::Held(f) => typed(Function::Held(f), None),
            // Sums of 16-bit integers are computed in `f32`, and saturate where they are stored.
            Eval::Ended(f) if dst == DType::I16 => {
                alike.then_some(Action::F32(Function::Binary(f)))
            }
            Eval::Ended(f) => typed(Function::Binary(f), None),
            Eval::Narrowed(f) => {
                let Op::Compound(op) = op else { return None };
                let (from, same) = (*srcs.first()?, srcs.iter().all(|s| *s == srcs[0]));
                (same && narrowed(op, from).contains(&dst)).then_some(Action::Narrowed(f))
            }
            Eval::Compare(f, i) => match srcs {
                _ if dst != DType::Bits || srcs.iter().any(|s| *s != srcs[0]) => None,
                [DType::I32, ..] => i.map(Action::CompareI32),
                [DType::Bool
                | DType::I8
                | DType::I64
                | DType::I16
                | DType::U8
                | DType::U16
                | DType::U32
                | DType::Bits, ..]
                | [] => None,
                [DType::F16 | DType::Bf16 | DType::F32, ..] => Some(Action::CompareF32(f)),
            },
            Eval::Bits(f) if matches!(op, Op::Mask(_)) => {
                (dst == DType::Bits && alike).then_some(Action::Bits(f))
            }
            Eval::Bits(f) => alike.then_some(Action::Words(f)),
            Eval::Shift(f) => alike.then_some(Action::Shift(f)),
            Eval::Reduce(reduction) => {
                let reach = op.contract().views().next().map(|rule| rule.reach);
                match reach.filter(|_| alike && dst.is_float())? {
                    Reach::One => Some(Action::Reduce(reduction)),
                    Reach::Results(results) => Some(Action::Partial(reduction, results)),
                    Reach::All
                    | Reach::WholeRepeats
                    | Reach::Blocks
                    | Reach::Partials(_)
                    | Reach::Taken => None,
                    Reach::Chosen | Reach::ChosenBlocks => None,
                    Reach::Most
                    | Reach::WholeLists
                    | Reach::Lists
                    | Reach::WholeBlocks
                    | Reach::Doubled => None,
                    Reach::Pairs | Reach::List(_) | Reach::AllLists | Reach::FourLists => None,
                }
            }
            Eval::Move => match op {
                Op::Compound(CompoundOp::CastDequant) => {
                    (dst == DType::F16 && srcs == [DType::I32]).then_some(Action::Dequant)
                }
                Op::Layout(LayoutOp::Cast) => {
                    Conversion::between(srcs[0], dst, mode?).map(Action::Cast)
                }
                Op::Layout(LayoutOp::Duplicate) => dst.has_scalars().then_some(Action::Duplicate),
                Op::Layout(LayoutOp::CreateVecIndex) => dst.is_number().then_some(Action::Index),
                Op::Layout(LayoutOp::LocalCopy) => alike.then_some(Action::LocalCopy),
                Op::Layout(LayoutOp::Copy) => alike.then_some(Action::Copy),
                Op::Layout(LayoutOp::GatherMask) => alike.then_some(Action::GatherMask),
                Op::Layout(LayoutOp::GatherBits) => {
                    (srcs == [dst, DType::Bits]).then_some(Action::GatherBits)
                }
                Op::Layout(LayoutOp::Gather) => {
                    (srcs == [dst, DType::I32]).then_some(Action::Gather)
                }
                Op::Layout(LayoutOp::GatherBlocks) => {
                    (srcs == [dst, DType::I32]).then_some(Action::GatherBlocks)
                }
                Op::Layout(LayoutOp::Top) => (dst == DType::I32
                    && matches!(srcs, [DType::F16 | DType::F32, DType::I32]))
                .then_some(Action::Top),
                Op::Layout(LayoutOp::Sort32) => (srcs == [dst, DType::I32]
                    && matches!(dst, DType::F16 | DType::F32))
                .then_some(Action::Sort32),
                Op::Layout(
                    LayoutOp::MergeTwo
                    | LayoutOp::MergeThree
                    | LayoutOp::MergeFour
                    | LayoutOp::MergeFours,
                ) => (alike && matches!(dst, DType::F16 | DType::F32)).then_some(Action::Merge),
                Op::Scan(op) => match (dst, op.step().def().eval) {
                    _ if srcs != [dst, DType::I32] => None,
                    (DType::F32, Eval::Binary(join, _)) => Some(Action::ScanF32(join)),
                    (DType::I32, Eval::Binary(_, whole)) => {
                        whole.map(|join| Action::ScanI32(join.long.of(saturates)))
                    }
                    _ => None,
                },
                Op::Layout(LayoutOp::Brcb) => alike.then_some(Action::Brcb),
                Op::Layout(LayoutOp::Select | LayoutOp::SelectScalar) => (srcs[0] == DType::Bits
                    && srcs[1..].iter().all(|s| *s == dst)
                    && matches!(dst.bytes(), 2 | 4))
                .then_some(Action::Select),
                Op::Binary(_)
                | Op::BinaryScalar(_)
                | Op::Unary(_)
                | Op::Compare(_)
                | Op::CompareScalar(_)
                | Op::Reduce(_)
                | Op::AxisReduce(_)
                | Op::Partial(_)
                | Op::Mask(_)
                | Op::Bit(_)
                | Op::Shift(_)
                | Op::Compound(_)
                | Op::Copy(_)
                | Op::Scalar(_) => None,
            },
        }
    }
}

/// A local tensor from an offset on, as it lies in UB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub at: usize,
    /// End of its buffer.
    pub end: usize,
    /// Index of the tensor, for messages.
    pub tensor: usize,
    pub dtype: DType,
    /// Block and repeat stride in data blocks, for the forms that have strides.
    pub blk: i64,
    pub rep: i64,
}

/// The extent that a call asks for, with its scalars computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    Count(i64),
    Repeat(LaneSet, i64),
    Counter(i64),
    Eights(i64),
}

/// The lanes of a repeat that take part, with their scalars computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum LaneSet {
    First(i64),
    Bits(u128),
    Groups {
        from: i64,
        to: i64,
        of: i64,
        groups: i64,
    },
}

/// Bytes of UB that a vector call touches.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    /// Index of the tensor, for messages.
    pub tensor: usize,
    pub bytes: Range<usize>,
    pub stores: bool,
}

/// A vector call with its operands evaluated.
pub(super) struct Call<'a> {
    pub vector: &'a Vector,
    pub dst: Place,
    pub srcs: &'a [Place],
    pub work: Option<Place>,
    /// The scalar operand in `f32`, already an element of the dtype, and as an integer.
    pub scalar: (f32, i32),
    /// The number of the pattern, where it has one.
    pub pattern: Option<i64>,
    /// The base of its offsets in bytes, where it has one.
    pub base: Option<i64>,
    /// The number of elements asked for, where it has one.
    pub most: Option<i64>,
    /// The numbers of pairs of its lists, except the one given by the count.
    pub lengths: &'a [i64],
    pub asked: Asked,
    pub tensors: &'a [Local],
    /// Collects the bytes that the call touches, where somebody wants them.
    pub reach: Option<&'a RefCell<Vec<Touch>>>,
}

/// Buffers for compact chunks.
pub(super) struct Scratch {
    lanes: Vec<f32>,
    raw: Vec<u32>,
    /// Results of the repeats of one reduction, kept for its allocation.
    pub partial: Vec<f32>,
}

impl Scratch {
    fn new() -> Self {
        Scratch {
            lanes: vec![0.0; 3 * CHUNK],
            raw: vec![0; 2 * CHUNK],
            partial: Vec::new(),
        }
    }
    /// Returns three chunks of lanes and one of raw bytes, up to eight for each element.
    pub fn split<L: Pod>(&mut self) -> ([&mut [L]; 3], &mut [u8]) {
        let (a, rest) = self.lanes.split_at_mut(CHUNK);
        let (b, c) = rest.split_at_mut(CHUNK);
        (
            [a, b, c].map(bytemuck::cast_slice_mut),
            bytemuck::cast_slice_mut(&mut self.raw),
        )
    }
}

/// The vector unit of one block with its UB.
pub(super) struct Core {
    pub ub: Ub,
    pub scratch: Scratch,
    pub overflow: Overflow,
    pub arch: Arch,
    pub repeat_bytes: usize,
    /// The number of elements that the last counting call kept.
    pub kept: i64,
}

/// An operand with its element type.
#[derive(Clone, Copy)]
pub(super) struct Typed {
    pub op: Operand,
    pub dtype: DType,
}

impl Core {
    pub fn new(ub: Ub, overflow: Overflow, arch: Arch, repeat_bytes: usize) -> Self {
        Core {
            ub,
            scratch: Scratch::new(),
            overflow,
            arch,
            repeat_bytes,
            kept: 0,
        }
    }

    /// Runs a call.
    ///
    /// # Errors
    /// - J0801 where an operand leaves its buffer, is not aligned or overlaps wrongly.
    /// - J0802 where a reduction reads poison.
    /// - J0804 for a negative count.
    pub fn run(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        match call.vector.action {
            Action::F32(f) => self.elementwise(call, f, call.scalar.0),
            Action::I32(f) => self.elementwise(call, f, call.scalar.1),
            // The scalar is an element already.
            Action::I16(f) => self.elementwise(call, f, call.scalar.1 as i16),
            Action::Narrowed(f) => self.narrowed(call, f),
            Action::Dequant => self.dequant(call),
            Action::CompareF32(f) => self.compare(call, f, call.scalar.0),
            Action::CompareI32(f) => self.compare(call, f, call.scalar.1),
            // Bits move unchanged, whatever they mean.
            Action::Select => match call.dst.dtype.bytes() {
                2 => self.select::<i16>(call, half::f16::from_f32(call.scalar.0).to_bits() as i16),
                _ => self.select::<i32>(call, call.scalar.0.to_bits() as i32),
            },
            Action::Bits(f) => self.join_bits(call, f),
            Action::Words(f) => self.join_words(call, f),
            Action::Shift(f) => self.shift(call, f),
            Action::Reduce(reduction) => self.reduce(call, reduction),
            Action::Partial(reduction, results) => self.partial(call, reduction, results),
            Action::Cast(conversion) => self.cast(call, conversion),
            Action::Duplicate => self.duplicate(call),
            Action::Index => self.create_vec_index(call),
            Action::LocalCopy => self.local_copy(call),
            Action::Copy => self.masked_copy(call),
            Action::GatherMask => self.gather_mask(call),
            Action::GatherBits => self.gather_bits(call),
            Action::Gather => self.gather(call),
            Action::GatherBlocks => self.gather_blocks(call),
            Action::Top => self.top(call),
            Action::Sort32 => self.sort32(call),
            Action::Merge => self.merge(call),
            Action::ScanF32(join) => self.scan(call, join),
            Action::ScanI32(join) => self.scan(call, join),
            Action::Brcb => self.brcb(call),
        }
    }

    fn elementwise<L: Lane>(
        &mut self,
        call: &Call<'_>,
        f: Function<L>,
        scalar: L,
    ) -> Result<(), Trip> {
        let (extent, dst, srcs) = self.operands(call, call.srcs)?;
        if extent.n == 0 {
            return Ok(());
        }
        let (a, b) = (srcs[0], srcs[call.srcs.len() - 1]);
        if [dst, a, b]
            .iter()
            .all(|t| t.dtype == L::NATIVE && t.op.is_dense(extent))
        {
            self.on_runs(
                extent.n,
                dst.op.at,
                [a.op.at, b.op.at],
                f.reads_dst(),
                |d, a, b| f.apply(d, a, b, scalar),
            );
        } else {
            let Core {
                ub,
                scratch,
                overflow,
                ..
            } = self;
            let ([lanes_a, lanes_b, out], raw) = scratch.split::<L>();
            for chunk in extent.chunks() {
                let bytes = ub.bytes();
                if f.reads_dst() {
                    out[..chunk.n].copy_from_slice(load(bytes, dst, extent, chunk, raw, lanes_b));
                }
                let from_a = load(bytes, a, extent, chunk, raw, lanes_a);
                let from_b = if b.op == a.op {
                    from_a
                } else {
                    load(bytes, b, extent, chunk, raw, lanes_b)
                };
                f.apply(&mut out[..chunk.n], from_a, from_b, scalar);
                store(
                    ub.bytes_mut(),
                    dst,
                    extent,
                    chunk,
                    raw,
                    &mut out[..chunk.n],
                    *overflow,
                );
            }
        }
        match f.reads_dst() {
            true => poison::spread(&mut self.ub.valid, dst.op, &[a.op, b.op, dst.op], extent),
            false => poison::spread(&mut self.ub.valid, dst.op, &[a.op, b.op], extent),
        }
        Ok(())
    }

    /// Computes one tensor from two in another type: in `f32`, rounded once.
    fn narrowed(&mut self, call: &Call<'_>, f: BinaryFn<f32>) -> Result<(), Trip> {
        let (extent, dst, [a, b]) = self.operands(call, call.srcs)?;
        let Core {
            ub,
            scratch,
            overflow,
            ..
        } = self;
        let ([lanes_a, lanes_b, out], raw) = scratch.split::<f32>();
        for chunk in extent.chunks() {
            let bytes = ub.bytes();
            let from_a = load(bytes, a, extent, chunk, raw, lanes_a);
            let from_b = load(bytes, b, extent, chunk, raw, lanes_b);
            let out = &mut out[..chunk.n];
            f(out, from_a, from_b);
            cast::settle(dst.dtype, out)?;
            store(ub.bytes_mut(), dst, extent, chunk, raw, out, *overflow);
        }
        poison::spread_lanes(ub, dst.op, &[a.op, b.op], None, extent);
        Ok(())
    }

    /// Computes integers times a scale: one rounding to `f32`, one of the product, and one where it
    /// is stored.
    fn dequant(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (extent, dst, [src, _]) = self.operands(call, call.srcs)?;
        let Core {
            ub,
            scratch,
            overflow,
            ..
        } = self;
        for chunk in extent.chunks() {
            let ([input, out, _], raw) = scratch.split::<i32>();
            let input = load(ub.bytes(), src, extent, chunk, raw, input);
            let out: &mut [f32] = &mut bytemuck::cast_slice_mut(out)[..chunk.n];
            cast::from_int(RoundMode::Rint, out, input);
            out.iter_mut().for_each(|v| *v *= call.scalar.0);
            store(ub.bytes_mut(), dst, extent, chunk, raw, out, *overflow);
        }
        poison::spread_lanes(ub, dst.op, &[src.op], None, extent);
        Ok(())
    }

    /// Computes `n` elements at three places of UB that are stored in the type of computation. Runs
    /// on UB itself where the destination is disjoint from the sources and those are disjoint or
    /// one, else part by part. `held` says that the destination's contents are read.
    pub fn on_runs<L: Pod>(
        &mut self,
        n: usize,
        dst: usize,
        [a, b]: [usize; 2],
        held: bool,
        f: impl Fn(&mut [L], &[L], &[L]),
    ) {
        let bytes = self.ub.bytes_mut();
        let range = |at: usize| at..at + n * size_of::<L>();
        if a == b {
            if let Ok([d, a]) = bytes.get_disjoint_mut([range(dst), range(a)]) {
                let a = bytemuck::cast_slice(a);
                return f(bytemuck::cast_slice_mut(d), a, a);
            }
        } else if let Ok([d, a, b]) = bytes.get_disjoint_mut([range(dst), range(a), range(b)]) {
            return f(
                bytemuck::cast_slice_mut(d),
                bytemuck::cast_slice(a),
                bytemuck::cast_slice(b),
            );
        }
        let ([out, ..], _) = self.scratch.split::<L>();
        let step = out.len();
        for from in (0..n).step_by(step) {
            let out = &mut out[..step.min(n - from)];
            let part =
                |at: usize| at + from * size_of::<L>()..at + (from + out.len()) * size_of::<L>();
            let [d, a, b] = [dst, a, b].map(part);
            if held {
                out.copy_from_slice(bytemuck::cast_slice(&bytes[d.clone()]));
            }
            f(
                out,
                bytemuck::cast_slice(&bytes[a]),
                bytemuck::cast_slice(&bytes[b]),
            );
            bytes[d].copy_from_slice(bytemuck::cast_slice(out));
        }
    }

    /// Returns the checked extent and operands of a call whose destination has the layout of its
    /// sources.
    pub fn operands(
        &self,
        call: &Call<'_>,
        srcs: &[Place],
    ) -> Result<(Extent, Typed, [Typed; 2]), Trip> {
        let widest = srcs
            .iter()
            .map(|s| s.dtype.bytes())
            .fold(call.dst.dtype.bytes(), i64::max) as usize;
        let extent = self.extent(call, self.repeat_bytes / widest, false)?;
        let dst = self.operand(call, call.dst, extent)?;
        call.blocks_apart(dst.op.blk)?;
        let mut typed = [dst; 2];
        for (i, src) in srcs.iter().enumerate().take(2) {
            typed[i] = self.operand(call, *src, extent)?;
            self.apart(call, dst.op, typed[i].op, extent, *src)?;
        }
        Ok((extent, dst, typed))
    }

    /// Returns the elements that a call computes; `whole` ignores the mask, as Compare does.
    pub fn extent(&self, call: &Call<'_>, lanes: usize, whole: bool) -> Result<Extent, Trip> {
        let name = call.vector.name;
        let extent = match call.asked {
            Asked::Count(n) | Asked::Counter(n) => Extent::count(call.natural(n, "count")?, lanes),
            Asked::Eights(_) => {
                return Err(Trip::new(
                    Code::J0804,
                    format!("`{name}` has no form of eights"),
                ))
            }
            Asked::Repeat(mask, repeat) => {
                let (repeat, bits) = (call.repeats(repeat)?, mask.bits(name, lanes)?);
                match whole {
                    true => Extent::masked(lanes * repeat, lanes, lanes),
                    false => Extent::lanes_set(bits, repeat, lanes),
                }
            }
        };
        // This also keeps address arithmetic far from overflow, whatever the strides.
        let most = self.ub.bytes().len();
        if extent.n > most {
            return Err(Trip::new(
                Code::J0801,
                format!(
                    "`{name}` is asked for {} elements, UB has {most} bytes",
                    extent.n
                ),
            ));
        }
        Ok(extent)
    }

    /// Returns a checked operand of a call: aligned, inside its buffer.
    pub fn operand(&self, call: &Call<'_>, place: Place, extent: Extent) -> Result<Typed, Trip> {
        let size = place.dtype.bytes() as usize;
        let op = match call.asked {
            Asked::Count(_) | Asked::Eights(_) => Operand::dense(place.at, size, extent.lanes),
            Asked::Repeat(..) | Asked::Counter(_) => {
                let (most_blk, most_rep) = call.vector.strides;
                Operand {
                    at: place.at,
                    size,
                    blk: call.stride(place.blk, most_blk)?,
                    rep: call.stride(place.rep, most_rep)?,
                }
            }
        };
        call.aligned(place)?;
        call.inside(place, op.span(extent))?;
        Ok(Typed {
            op,
            dtype: place.dtype,
        })
    }

    /// Refuses a destination that overlaps a source other than as a whole.
    pub fn apart(
        &self,
        call: &Call<'_>,
        dst: Operand,
        src: Operand,
        extent: Extent,
        place: Place,
    ) -> Result<(), Trip> {
        let meets = dst.at < src.at + src.span(extent) && src.at < dst.at + dst.span(extent);
        let alike = dst.is_laid_out_like(src, extent);
        if !meets || (alike && !dst.meets_later(extent)) || resizes_in_order(call, dst, src, extent)
        {
            return Ok(());
        }
        let name = |p: Place| call.tensors[p.tensor].name.as_str();
        let (op, d, s) = (call.vector.name, name(call.dst), name(place));
        let message = match alike {
            true => format!("`{op}` writes over what a later repeat reads of `{s}`: its repeats lie over one another"),
            false => format!("`{op}` writes `{d}` over part of its source `{s}`; they may be the same or apart"),
        };
        Err(Trip::new(Code::J0801, message))
    }
}

/// True for a Cast between widths over a count in which no repeat reads what an earlier one wrote;
/// a repeat reads all of its sources before it writes. Narrowing in place is such a cast. Widening
/// in place is one only with a single repeat.
fn resizes_in_order(call: &Call<'_>, dst: Operand, src: Operand, extent: Extent) -> bool {
    let counted = matches!(
        (call.asked, call.vector.action),
        (Asked::Count(_), Action::Cast(_))
    );
    let reads = |repeat: usize| {
        let from = repeat * extent.per;
        src.at + from * src.size..src.at + (from + extent.lanes_of(repeat)) * src.size
    };
    let written = |repeats: usize| dst.at..dst.at + repeats * extent.per * dst.size;
    let apart = |a: Range<usize>, b: Range<usize>| a.end <= b.start || b.end <= a.start;
    counted && dst.size != src.size && (1..extent.repeats()).all(|r| apart(reads(r), written(r)))
}

impl Call<'_> {
    /// Refuses a destination whose blocks of one repeat overlap, which is undefined.
    pub fn blocks_apart(&self, blk: usize) -> Result<(), Trip> {
        if blk > 0 {
            return Ok(());
        }
        let message = format!(
            "the block stride of the destination of `{}` is 0, it must be 1 at least",
            self.vector.name
        );
        Err(Trip::new(Code::J0801, message))
    }

    /// Refuses an operand that does not start at a data block.
    pub fn aligned(&self, place: Place) -> Result<(), Trip> {
        if place.at.is_multiple_of(DATA_BLOCK) {
            return Ok(());
        }
        let (op, name, off) = (
            self.vector.name,
            &self.tensors[place.tensor].name,
            place.at % DATA_BLOCK,
        );
        Err(Trip::new(Code::J0801, format!("`{op}` takes `{name}` {off} bytes behind the start of a data block of {DATA_BLOCK}")))
    }

    /// Refuses results that do not start at a multiple of `bytes`.
    pub fn aligned_to(&self, place: Place, bytes: usize) -> Result<(), Trip> {
        if place.at.is_multiple_of(bytes) {
            return Ok(());
        }
        let (op, name, off) = (
            self.vector.name,
            &self.tensors[place.tensor].name,
            place.at % bytes,
        );
        Err(Trip::new(
            Code::J0801,
            format!(
                "`{op}` puts its results into `{name}` {off} bytes behind a multiple of {bytes}"
            ),
        ))
    }

    /// Refuses operands that are not aligned, leave their buffers, or overlap: destination, two
    /// sources (which may overlap one another), and work space.
    pub fn all_apart(&self, touched: [(Place, usize); 4]) -> Result<(), Trip> {
        for (at, (place, bytes)) in touched.into_iter().enumerate() {
            self.aligned(place)?;
            self.inside(place, bytes)?;
            for (before, other) in touched[..at].iter().enumerate() {
                let are_sources = before > 0 && at < 3;
                if !are_sources {
                    self.apart((place, bytes), *other)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses a destination and sources that leave their buffers or are not aligned, the sources
    /// to `align` bytes. The destination must not overlap a source.
    pub fn lists_apart(
        &self,
        dst: (Place, usize),
        sources: &[(Place, usize)],
        align: usize,
    ) -> Result<(), Trip> {
        self.aligned(dst.0)?;
        self.inside(dst.0, dst.1)?;
        for (place, bytes) in sources {
            let (op, name) = (self.vector.name, &self.tensors[place.tensor].name);
            if !place.at.is_multiple_of(align) {
                let off = place.at % align;
                return Err(Trip::new(
                    Code::J0801,
                    format!("`{op}` takes `{name}` {off} bytes behind a multiple of {align}"),
                ));
            }
            self.inside(*place, *bytes)?;
            self.apart(dst, (*place, *bytes))?;
        }
        Ok(())
    }

    /// Refuses two places with these lengths that overlap.
    fn apart(&self, (a, room): (Place, usize), (b, bytes): (Place, usize)) -> Result<(), Trip> {
        if a.at < b.at + bytes && b.at < a.at + room {
            let [a, b] = [a, b].map(|place| &self.tensors[place.tensor].name);
            return Err(Trip::new(
                Code::J0801,
                format!(
                    "`{a}` and `{b}` of `{}` lie over one another",
                    self.vector.name
                ),
            ));
        }
        Ok(())
    }

    /// Refuses an access of `span` bytes that leaves the buffer; every operand is checked here.
    pub fn inside(&self, place: Place, span: usize) -> Result<(), Trip> {
        if let Some(reach) = self.reach.filter(|_| span > 0) {
            let stores = place.at == self.dst.at || self.work.is_some_and(|w| w.at == place.at);
            reach.borrow_mut().push(Touch {
                tensor: place.tensor,
                bytes: place.at..place.at + span,
                stores,
            });
        }
        let room = place.end.saturating_sub(place.at);
        if span <= room {
            return Ok(());
        }
        let size = place.dtype.bytes() as usize;
        let (op, name) = (self.vector.name, &self.tensors[place.tensor].name);
        let (need, have) = (span.div_ceil(size), room / size);
        Err(Trip::new(
            Code::J0801,
            format!("`{op}` reaches over {need} elements of `{name}`, whose buffer has {have} from there"),
        ))
    }
}

/// Loads a chunk of an operand in the type of computation: UB itself where it is stored like that,
/// else `out`.
pub(super) fn load<'a, L: Lane>(
    ub: &'a [u8],
    t: Typed,
    extent: Extent,
    chunk: Chunk,
    raw: &mut [u8],
    out: &'a mut [L],
) -> &'a [L] {
    let bytes = chunk.n * t.op.size;
    let out = &mut out[..chunk.n];
    match (t.op.is_dense(extent), t.dtype == L::NATIVE) {
        (true, true) => {
            return bytemuck::cast_slice(&ub[t.op.at + chunk.from * t.op.size..][..bytes])
        }
        (true, false) => L::read(
            t.dtype,
            &ub[t.op.at + chunk.from * t.op.size..][..bytes],
            out,
        ),
        (false, true) => {
            t.op.gather(ub, extent, chunk, bytemuck::cast_slice_mut(out))
        }
        (false, false) => {
            t.op.gather(ub, extent, chunk, raw);
            L::read(t.dtype, &raw[..bytes], out);
        }
    }
    out
}

/// Writes a chunk of results; 16-bit types round and overflow here.
pub(super) fn store<L: Lane>(
    ub: &mut [u8],
    t: Typed,
    extent: Extent,
    chunk: Chunk,
    raw: &mut [u8],
    values: &mut [L],
    overflow: Overflow,
) {
    let bytes = chunk.n * t.op.size;
    if t.op.is_dense(extent) {
        L::write(
            t.dtype,
            values,
            &mut ub[t.op.at + chunk.from * t.op.size..][..bytes],
            overflow,
        );
    } else {
        L::write(t.dtype, values, &mut raw[..bytes], overflow);
        t.op.scatter(ub, extent, chunk, &raw[..bytes]);
    }
}
