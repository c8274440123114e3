//! Events of instructions, as a call of the library issues them.

use super::Unknown;
use crate::cost::event::{self, Names, Operand, Place, What, OPERANDS};
use crate::ops::contract::Pipe;

/// Bytes of a repeat, and of a data block.
pub(super) const REPEAT: u32 = 256;
pub(super) const BLOCK: u32 = 32;
/// Data blocks of a repeat.
pub(super) const BLOCKS: u32 = REPEAT / BLOCK;
/// The flag of the library's own waits. The library takes one that is free; two that meet in time
/// would wait for the same anyway.
const FLAG: u8 = 7;

/// A tensor in UB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tensor {
    pub at: u32,
    /// Bytes of an element.
    pub size: u32,
}

impl Tensor {
    /// Returns the tensor from an element on.
    pub fn from(self, element: u32) -> Tensor {
        Tensor {
            at: self.at + element * self.size,
            ..self
        }
    }

    /// Returns the same bytes as elements of another size.
    pub fn sized(self, size: u32) -> Tensor {
        Tensor { size, ..self }
    }

    /// Returns the tensor with its steps, in data blocks.
    pub fn steps(self, blk: u32, rep: u32) -> View {
        View {
            tensor: self,
            steps: Some((blk, rep)),
        }
    }
}

/// A tensor as an instruction goes through it. Without steps its elements lie densely.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    tensor: Tensor,
    steps: Option<(u32, u32)>,
}

impl From<Tensor> for View {
    fn from(tensor: Tensor) -> View {
        View {
            tensor,
            steps: None,
        }
    }
}

impl From<Tensor> for Option<View> {
    fn from(tensor: Tensor) -> Option<View> {
        Some(tensor.into())
    }
}

impl View {
    /// Returns the operand of an instruction whose widest element has `wide` bytes.
    fn operand(&self, wide: u32, writes: bool) -> Operand {
        let (blk, rep) = self.steps.unwrap_or((1, BLOCKS * self.tensor.size / wide));
        let narrow = |steps: u32| u16::try_from(steps).unwrap_or(u16::MAX);
        Operand {
            at: self.tensor.at,
            steps: event::Steps::Blocks {
                blk: narrow(blk),
                rep: narrow(rep),
            },
            size: self.tensor.size as u8,
            reads: !writes,
            writes,
        }
    }
}

/// The events of a call, so far.
pub(super) struct Steps<'n> {
    names: &'n mut Names,
    out: Vec<What>,
    has_room: bool,
}

impl<'n> Steps<'n> {
    pub fn new(names: &'n mut Names) -> Steps<'n> {
        Steps {
            names,
            out: Vec::new(),
            has_room: true,
        }
    }

    pub fn finish(self) -> Result<Vec<What>, Unknown> {
        self.has_room.then_some(self.out).ok_or(Unknown::Names)
    }

    /// Adds an instruction of so many elements, in counter mode.
    pub fn counted(&mut self, op: &str, count: u32, dst: impl Into<Option<View>>, srcs: &[View]) {
        let dst = dst.into();
        let lanes = REPEAT / wide(dst, srcs);
        let repeats = count.div_ceil(lanes);
        if repeats > 0 {
            let last = count - (repeats - 1) * lanes;
            self.push(op, repeats, (lanes, last), dst, srcs);
        }
    }

    /// Adds an instruction of so many repeats. One whose mask leaves elements out takes as long.
    pub fn repeated(
        &mut self,
        op: &str,
        repeats: u32,
        dst: impl Into<Option<View>>,
        srcs: &[View],
    ) {
        let dst = dst.into();
        let lanes = REPEAT / wide(dst, srcs);
        if repeats > 0 {
            self.push(op, repeats, (lanes, lanes), dst, srcs);
        }
    }

    /// Adds an instruction of whole repeats that hold so many elements.
    pub fn whole(&mut self, op: &str, count: u32, dst: Option<View>, srcs: &[View]) {
        let lanes = REPEAT / wide(dst, srcs);
        self.repeated(op, count.div_ceil(lanes), dst, srcs);
    }

    fn push(
        &mut self,
        op: &str,
        repeats: u32,
        (lanes, last): (u32, u32),
        dst: Option<View>,
        srcs: &[View],
    ) {
        let Some(op) = self.names.of(op) else {
            self.has_room = false;
            return;
        };
        let wide = wide(dst, srcs);
        let mut operands = [None; OPERANDS];
        let all = dst.iter().map(|dst| dst.operand(wide, true));
        let all = all.chain(srcs.iter().map(|src| src.operand(wide, false)));
        for (slot, operand) in operands.iter_mut().zip(all) {
            *slot = Some(operand);
        }
        self.out.push(What::Vector {
            op,
            repeats,
            lanes: lanes as u16,
            last: last as u16,
            operands,
        });
    }

    /// Adds PipeBarrier of the vector unit.
    pub fn barrier(&mut self) {
        self.out.push(What::Barrier {
            pipe: Some(Pipe::V),
        });
    }

    /// Lets a pipe wait for what another has begun.
    pub fn wait(&mut self, from: Pipe, to: Pipe) {
        self.out.push(What::Set { from, to, id: FLAG });
        self.out.push(What::Wait { from, to, id: FLAG });
    }

    /// Lets the scalar unit read an element.
    pub fn read(&mut self, tensor: Tensor) {
        match self.names.of("GetValue") {
            Some(op) => self.out.push(What::Scalar {
                op,
                place: Place::Ub(tensor.at),
                bytes: tensor.size as u8,
                writes: false,
            }),
            None => self.has_room = false,
        }
    }
}

/// Returns the bytes of the widest element, which fills a repeat.
fn wide(dst: Option<View>, srcs: &[View]) -> u32 {
    let all = dst.iter().chain(srcs);
    all.map(|view| view.tensor.size).fold(1, u32::max)
}
