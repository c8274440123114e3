//! The intermediate representation: two dialects, a type each, over one control.
//!
//! A body is declarations and statements. A statement ([`Stmt`]) is control (scalars, loops, branches, promises) or one of its dialect's own:
//! [`TileStmt`] (tile loops, values that are defined, set, loaded and stored) or [`QueueStmt`] (queues, buffers, instructions, orders). What stands
//! inside of control is of the same dialect: a pass takes a [`tile::Body`], the simulator a [`queue::Body`], and neither meets a statement of the other.
//!
//! A [`Kernel`] is what the front end makes: a [`Signature`], facts, and its [`Source`], a body in one of the dialects.
//! A [`Lowered`] is what [`crate::lower`] makes of it for one dtype instance on one chip: host steps, and
//! one or more [`Variant`]s whose bodies speak the queue dialect only. Checker, emitter and simulator read
//! a `Lowered`.
//!
//! - **Values** of the tile dialect ([`ValueId`]) are assigned once, except those declared `mutable`, which
//!   [`TileStmt::Set`] overwrites. A value lives from its definition to its last use in the same loop turn; a
//!   mutable one lives as long as the block of statements that declares it.
//! - **Axes** of values are a set ([`Axes`]); an axis is its declaration ([`AxDecl`]) and aligns with nothing else. Operands that lack
//!   one are repeated along it; a load has the axes of its index ([`Access`]), a reduction names those that go.
//! - **Scalars** are expressions ([`Scalar`]) evaluated where the statement stands; `LetScalar` names one.
//! - **Dtypes** may be a parameter of the kernel ([`Ty::Param`]); equality is symbolic, sizes come from the instance.
//! - Every statement carries a [`SpanId`]; [`Kernel::spans`] maps it to line and column.
//!
//! What later work adds without a rebuild: positions and spaces of the cube cores (`TPosition` has them), flags
//! across cores (statements).

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

/// Which vocabulary a kernel speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Tiles as values.
    Tile,
    /// Queues, buffers and copies by hand.
    Queue,
}
text_word!(Level { Tile = "tile", Queue = "queue" });

/// A kernel as the front end makes it: generic over its dtype parameters, not yet lowered.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// What callers see.
    pub sig: Signature,
    /// Chips it is declared for, by name; empty means the default family.
    pub chips: Vec<String>,
    /// Where it is said that results may not change from run to run.
    pub deterministic: Option<SpanId>,
    /// What it does.
    pub body: Source,
    /// Calls of functions that several statements stand for; none within another one.
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
    /// Its vocabulary.
    pub const fn level(&self) -> Level {
        match &self.body {
            Source::Tile(_) => Level::Tile,
            Source::Queue(_) => Level::Queue,
        }
    }

    /// The body of a tile kernel.
    pub const fn tiles(&self) -> Option<&tile::Body> {
        if let Source::Tile(body) = &self.body {
            Some(body)
        } else {
            None
        }
    }

    /// The same, to change it.
    pub const fn tiles_mut(&mut self) -> Option<&mut tile::Body> {
        if let Source::Tile(body) = &mut self.body {
            Some(body)
        } else {
            None
        }
    }

    /// The body of a queue kernel.
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

/// A method of a tile that is made of several ops: `v.gelu()`, `v.topk(d, k)`. All of their statements are at its place, and no others are.
#[derive(Clone, Debug, PartialEq)]
pub struct InlinedCall {
    /// The place.
    pub span: SpanId,
    /// The method.
    pub method: String,
    /// What it is called on.
    pub receiver: ValueId,
    /// Its arguments.
    pub args: Vec<CallArg>,
    /// The tiles that it gives.
    pub results: Vec<ValueId>,
}
text_struct!(InlinedCall "call" { span, method, receiver, args, results } line true);

/// An argument of an [`InlinedCall`].
#[derive(Clone, Debug, PartialEq)]
pub enum CallArg {
    /// A tile.
    Value {
        /// Which.
        value: ValueId,
    },
    /// A scalar.
    Scalar {
        /// Its value.
        value: Scalar,
    },
    /// An axis.
    Axis {
        /// Which.
        ax: AxId,
    },
}
text_enum!(CallArg { Value = "v" { value }, Scalar = "s" { value }, Axis = "axis" { ax } });
