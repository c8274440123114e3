//! On-chip memory: positions, the spaces behind them, and what a kernel takes of them.

use super::queue::Body;
use super::text::{text_enum, text_struct, text_word, Printer, Reader, Text, TextError};
use super::{BufId, ParamId, QueueId, Scalar, SpanId, Ty, WorkId};
use crate::ops::contract::Pipe;
use crate::soc::Space;

/// AscendC `TPosition`: a logical place of a queue or buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TPosition {
    VecIn,
    VecOut,
    VecCalc,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
}
text_word!(TPosition {
    VecIn = "VECIN", VecOut = "VECOUT", VecCalc = "VECCALC", A1 = "A1", A2 = "A2", B1 = "B1", B2 = "B2",
    C1 = "C1", C2 = "C2", CO1 = "CO1", CO2 = "CO2",
});

impl TPosition {
    /// The pipes that fill and empty the tensors of a queue there; none where no vector core has them.
    pub const fn pipes(self) -> Option<(Pipe, Pipe)> {
        match self {
            TPosition::VecIn => Some((Pipe::Mte2, Pipe::V)),
            TPosition::VecOut => Some((Pipe::V, Pipe::Mte3)),
            TPosition::VecCalc
            | TPosition::A1
            | TPosition::A2
            | TPosition::B1
            | TPosition::B2
            | TPosition::C1
            | TPosition::C2
            | TPosition::CO1
            | TPosition::CO2 => None,
        }
    }

    /// The memory behind the position on chips with separate cube and vector cores.
    pub const fn space(self) -> Space {
        match self {
            TPosition::VecIn | TPosition::VecOut | TPosition::VecCalc => Space::Ub,
            TPosition::A1 | TPosition::B1 | TPosition::C1 => Space::L1,
            TPosition::A2 => Space::L0A,
            TPosition::B2 => Space::L0B,
            TPosition::C2 => Space::Bt,
            TPosition::CO1 => Space::L0C,
            TPosition::CO2 => Space::Gm,
        }
    }
}

/// A `TQue`, with the buffers that `InitBuffer` gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueDecl {
    /// Its name.
    pub name: String,
    /// Its position.
    pub position: TPosition,
    /// How many EnQue may follow one another without DeQue.
    pub depth: i64,
    /// Buffers of the queue; 0 until `InitBuffer` was seen.
    pub buffer_num: Scalar,
    /// Bytes of one buffer, before rounding up to a `data_block`.
    pub bytes: Scalar,
    /// Where it is declared (queue level), or the load or store it serves (tile level).
    pub span: SpanId,
}
impl QueueDecl {
    /// The fewest and the most buffers that it may have, which the host chooses from; `None` where that is not in the text.
    pub fn buffers(&self) -> Option<std::ops::RangeInclusive<i64>> {
        let alone = |n: &Scalar| n.as_int();
        match &self.buffer_num {
            Scalar::Select(_, a, b) => alone(a).zip(alone(b)).map(|(a, b)| a.min(b)..=a.max(b)),
            n => alone(n).map(|n| n..=n),
        }
    }
}
text_struct!(QueueDecl "queue" { name, position, depth, buffer_num, bytes, span } line true);

/// A `TBuf`.
#[derive(Clone, Debug, PartialEq)]
pub struct BufDecl {
    /// Its name.
    pub name: String,
    /// Its position.
    pub position: TPosition,
    /// Bytes, before rounding up to a `data_block`.
    pub bytes: Scalar,
    /// What it holds, for the capacity table: `temporary`, `weight row`.
    pub purpose: String,
    /// Where it is declared, or the value it was first made for.
    pub span: SpanId,
}
text_struct!(BufDecl "buf" { name, position, bytes, purpose, span } line true);

/// A `LocalTensor` variable.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorDecl {
    /// Its name, unique in the body.
    pub name: String,
    /// Element type.
    pub dtype: Ty,
}
text_struct!(TensorDecl "local" { name, dtype } line true);

/// A workspace: a tensor in GM that belongs to the kernel. No caller sees it and it begins without values; every block reaches it, so
/// that blocks hand one another what they have computed.
///
/// It is no parameter with a role of its own. A signature is what callers see and is the same for every instance and variant, while
/// each variant that the lowering makes may want workspaces of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkDecl {
    /// Its name.
    pub name: String,
    /// Element type.
    pub dtype: Ty,
    /// Elements. Until it is lowered the number of blocks may be part of it; afterwards it is made of host variables.
    pub len: Scalar,
    /// Bytes from the start of the launch's workspace, which the lowering decides; 0 until then.
    pub at: Scalar,
    /// Where it is declared.
    pub span: SpanId,
}
text_struct!(WorkDecl "work" { name, dtype, len, at, span } line true);

/// A tensor in GM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TensorRef {
    /// One that the caller gives.
    Param(ParamId),
    /// One of the kernel's own.
    Work(WorkId),
}

impl From<ParamId> for TensorRef {
    fn from(id: ParamId) -> TensorRef {
        TensorRef::Param(id)
    }
}
impl From<WorkId> for TensorRef {
    fn from(id: WorkId) -> TensorRef {
        TensorRef::Work(id)
    }
}

impl Text for TensorRef {
    fn print(&self, p: &mut Printer) {
        match self {
            TensorRef::Param(id) => id.print(p),
            TensorRef::Work(id) => id.print(p),
        }
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        match r.peek().starts_with('w') {
            true => Text::parse(r).map(TensorRef::Work),
            false => Text::parse(r).map(TensorRef::Param),
        }
    }
}

/// What TPipe hands out with one `InitBuffer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// The buffers of a queue, one behind the other.
    Queue {
        /// Its id.
        queue: QueueId,
    },
    /// A buffer.
    Buf {
        /// Its id.
        buf: BufId,
    },
    /// A buffer that nothing is put in: it moves what follows to other banks of UB.
    Skew {
        /// Its id.
        buf: BufId,
    },
}
text_enum!(Memory { Queue = "queue" { queue }, Buf = "buf" { buf }, Skew = "skew" { buf } });

impl Body {
    /// Its queues in the order in which data passes through them, and its buffers.
    pub fn memory(&self) -> Vec<Memory> {
        let mut queues: Vec<_> = (0..self.queues.len()).collect();
        queues.sort_by_key(|i| self.queues[*i].position);
        let queues = queues.into_iter().map(|i| Memory::Queue {
            queue: QueueId(i as u32),
        });
        queues
            .chain((0..self.bufs.len()).map(|i| Memory::Buf {
                buf: BufId(i as u32),
            }))
            .collect()
    }
}
