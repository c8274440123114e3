//! On-chip memory: positions, the spaces behind them, and the declarations that take memory.

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
    /// Returns the pipes that fill and empty the tensors of a queue there, `None` where no vector
    /// core has them.
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

    /// Returns the memory behind the position on chips with separate cube and vector cores.
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
    pub name: String,
    pub position: TPosition,
    /// Most EnQue without a DeQue between them.
    pub depth: i64,
    /// Buffers of the queue; 0 until `InitBuffer` was seen.
    pub buffer_num: Scalar,
    /// Bytes of one buffer, before rounding up to a `data_block`.
    pub bytes: Scalar,
    /// Place of the declaration (queue level), or of the load or store that it serves (tile level).
    pub span: SpanId,
}
impl QueueDecl {
    /// Returns the range of buffer counts that the host chooses from, `None` where that is not in
    /// the text.
    pub fn buffers(&self) -> Option<std::ops::RangeInclusive<i64>> {
        let alone = |n: &Scalar| n.as_int();
        match &self.buffer_num {
            Scalar::Select(_, a, b) => alone(a).zip(alone(b)).map(|(a, b)| a.min(b)..=a.max(b)),
            n => alone(n).map(|n| n..=n),
        }
    }
}
text_struct!(QueueDecl "queue" { name, position, depth, buffer_num, bytes, span } line true);

/// A `TBuf` and its size.
#[derive(Clone, Debug, PartialEq)]
pub struct BufDecl {
    pub name: String,
    pub position: TPosition,
    /// Bytes, before rounding up to a `data_block`.
    pub bytes: Scalar,
    /// Purpose for the capacity table: `temporary`, `weight row`.
    pub purpose: String,
    /// Place of the declaration, or of the value that it was first made for.
    pub span: SpanId,
}
text_struct!(BufDecl "buf" { name, position, bytes, purpose, span } line true);

/// A `LocalTensor` variable.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorDecl {
    /// Name, unique in the body.
    pub name: String,
    pub dtype: Ty,
}
text_struct!(TensorDecl "local" { name, dtype } line true);

/// A workspace: a tensor in GM that belongs to the kernel.
///
/// No caller sees it, and it begins without values. Every block reaches it, so blocks exchange
/// results through it. It is no parameter with a role of its own: a signature is equal for every
/// instance and variant, while each variant of the lowering may need workspaces of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkDecl {
    pub name: String,
    pub dtype: Ty,
    /// Number of elements. Before lowering it may contain the number of blocks; afterwards it is
    /// made of host variables.
    pub len: Scalar,
    /// Bytes from the start of the launch's workspace, set by the lowering; 0 until then.
    pub at: Scalar,
    pub span: SpanId,
}
text_struct!(WorkDecl "work" { name, dtype, len, at, span } line true);

/// A tensor in GM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TensorRef {
    /// A tensor from the caller.
    Param(ParamId),
    /// A tensor of the kernel's own.
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

/// Memory that TPipe hands out with one `InitBuffer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Memory {
    /// The buffers of a queue, one behind the other.
    Queue {
        queue: QueueId,
    },
    Buf {
        buf: BufId,
    },
    /// An unused buffer, which moves the memory behind it to other banks of UB.
    Skew {
        buf: BufId,
    },
}
text_enum!(Memory { Queue = "queue" { queue }, Buf = "buf" { buf }, Skew = "skew" { buf } });

impl Body {
    /// Returns the queues in the order in which data passes through them, then the buffers.
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
