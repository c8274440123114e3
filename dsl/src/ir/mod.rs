//! The intermediate representation: two dialects, a type each, over one set of control statements.
//!
//! A body is declarations and statements. A statement ([`Stmt`]) is control (scalars, loops,
//! branches, promises) or one of its dialect:
//!
//! - [`TileStmt`]: tile loops, values that are defined, set, loaded and stored;
//! - [`QueueStmt`]: queues, buffers, instructions, orders.
//!
//! Statements inside of control are of the dialect of the body. A pass takes a [`tile::Body`], the
//! simulator a [`queue::Body`], and neither sees a statement of the other.
//!
//! A [`Kernel`] is the result of the front end: a [`Signature`], facts, and its [`Source`], a body
//! in one of the dialects. A [`Lowered`] is the result of [`crate::lower`] for one dtype instance
//! on one chip: host steps, and one or more [`Variant`]s whose bodies are in the queue dialect.
//! Checker, emitter and simulator read a `Lowered`.
//!
//! Invariants:
//!
//! - **Values** of the tile dialect ([`ValueId`]) are assigned once, except `mutable` ones, which
//!   [`TileStmt::Set`] overwrites. A value lives from its definition to its last use in one
//!   iteration of its loop; a mutable one lives as long as the block of statements that declares
//!   it.
//! - **Axes** of values are a set ([`Axes`]). An axis is its declaration ([`AxDecl`]) and aligns
//!   with nothing else. Operands that lack an axis are broadcast along it. A load has the axes of
//!   its index ([`Access`]), a reduction names those that it removes.
//! - **Scalars** are expressions ([`Scalar`]), evaluated at their statement; `LetScalar` names one.
//! - **Dtypes** may be a parameter of the kernel ([`Ty::Param`]). Equality is symbolic, sizes come
//!   from the instance.
//! - **Places**: every statement has a [`SpanId`], which [`Kernel::spans`] maps to line and column.
//!
//! [`verify_kernel`] and [`verify_lowered`] check these. `TPosition` and `Space` already have the
//! positions and memories of cube cores, which no statement uses yet.
//!
//! Start reading at `stmt.rs`, then `tile.rs` and `queue.rs`.

mod axis;
pub(crate) mod contradiction;
mod event;
mod func;
mod id;
mod instr;
pub(crate) mod linear;
mod lowered;
mod memory;
pub(crate) mod names;
pub(crate) mod polynomial;
pub mod queue;
pub mod scalar;
mod signature;
pub mod stmt;
pub mod text;
pub mod tile;
mod ty;
pub(crate) mod verify;
mod visit;
mod words;

pub use axis::*;
pub use event::*;
pub use func::*;
pub use id::*;
pub use instr::*;
pub use linear::tidied;
pub use lowered::*;
pub use memory::*;
pub use queue::{HostCall, QueueOp, QueueStmt};
pub use scalar::{BinOp, ChipFact, Scalar, ScalarTy, Stage, TypeError, UnOp};
pub use signature::*;
pub use stmt::*;
pub use tile::{
    AxSpec, Chosen, Operand, RunSize, StoreHow, TileExpr, TileLoop, TileStmt, ValueDecl,
};
pub use ty::*;
pub use verify::{verify_kernel, verify_lowered, Fault, Spot};
pub use visit::{adds_first, first_access, outer_loops, uses, walk_stmts, walk_stmts_mut};

use text::{text_enum, text_struct, text_word, Printer, Reader, Text, TextError};

/// The vocabulary of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Tiles as values.
    Tile,
    /// Queues, buffers and copies by hand.
    Queue,
}
text_word!(Level { Tile = "tile", Queue = "queue" });

/// A kernel from the front end: generic over its dtype parameters, not yet lowered.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The signature that callers see.
    pub sig: Signature,
    /// Chips that the kernel is declared for, by name; empty means the default chip.
    pub chips: Vec<String>,
    /// Place of `#[deterministic]`: results may not change from run to run.
    pub deterministic: Option<SpanId>,
    pub body: Source,
    /// Calls of functions that became several statements; none is inside of another one.
    pub calls: Vec<InlinedCall>,
    /// Source locations, indexed by [`SpanId`].
    pub spans: Vec<SourceSpan>,
}

/// The body of a kernel, in the dialect of its level.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Tiles as values.
    Tile(tile::Body),
    /// Queues, buffers and copies by hand.
    Queue(queue::Body),
}

impl Kernel {
    /// Returns the level of the body.
    pub const fn level(&self) -> Level {
        match &self.body {
            Source::Tile(_) => Level::Tile,
            Source::Queue(_) => Level::Queue,
        }
    }

    /// Returns the body of a tile kernel.
    pub const fn tiles(&self) -> Option<&tile::Body> {
        if let Source::Tile(body) = &self.body {
            Some(body)
        } else {
            None
        }
    }

    /// Returns the body of a tile kernel for changes.
    pub const fn tiles_mut(&mut self) -> Option<&mut tile::Body> {
        if let Source::Tile(body) = &mut self.body {
            Some(body)
        } else {
            None
        }
    }

    /// Returns the body of a queue kernel.
    pub const fn queues(&self) -> Option<&queue::Body> {
        if let Source::Queue(body) = &self.body {
            Some(body)
        } else {
            None
        }
    }
}

impl Text for Kernel {
    fn print(&self, p: &mut Printer) {
        p.open('(');
        p.token("kernel");
        self.sig.print(p);
        self.level().print(p);
        self.chips.print(p);
        self.deterministic.print(p);
        match &self.body {
            Source::Tile(body) => body.print(p),
            Source::Queue(body) => body.print(p),
        }
        self.calls.print(p);
        self.spans.print(p);
        p.close(')');
    }

    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        r.node("Kernel");
        r.expect("(")?;
        r.expect("kernel")?;
        let (sig, level, chips, deterministic) = (
            Text::parse(r)?,
            Level::parse(r)?,
            Text::parse(r)?,
            Text::parse(r)?,
        );
        let body = match level {
            Level::Tile => Source::Tile(Text::parse(r)?),
            Level::Queue => Source::Queue(Text::parse(r)?),
        };
        let (calls, spans) = (Text::parse(r)?, Text::parse(r)?);
        r.expect(")")?;
        Ok(Kernel {
            sig,
            chips,
            deterministic,
            body,
            calls,
            spans,
        })
    }
}

/// A method of a tile that is made of several ops: `v.gelu()`, `v.topk(d, k)`.
///
/// All of its statements have its place, and no others have.
#[derive(Clone, Debug, PartialEq)]
pub struct InlinedCall {
    /// Place of the call.
    pub span: SpanId,
    /// Name of the method.
    pub method: String,
    pub receiver: ValueId,
    pub args: Vec<CallArg>,
    /// Tiles that the call returns.
    pub results: Vec<ValueId>,
}
text_struct!(InlinedCall "call" { span, method, receiver, args, results } line true);

/// An argument of an [`InlinedCall`].
#[derive(Clone, Debug, PartialEq)]
pub enum CallArg {
    Value { value: ValueId },
    Scalar { value: Scalar },
    Axis { ax: AxId },
}
text_enum!(CallArg { Value = "v" { value }, Scalar = "s" { value }, Axis = "axis" { ax } });
