//! The one intermediate representation, for both levels of the language.
//!
//! A [`Kernel`] is what the front end makes: a [`Signature`], facts, and a [`Body`] in the tile dialect
//! (pure values, GM loads and stores) or in the queue dialect (queues, buffers, copies, vector calls).
//! A [`Lowered`] is what [`crate::lower`] makes of it for one dtype instance on one chip: host steps, and
//! one or more [`Variant`]s whose bodies speak the queue dialect only. Checker, emitter and simulator read
//! a `Lowered`.
//!
//! - **Values** of the tile dialect ([`ValueId`]) are assigned once, except those declared `mutable`, which
//!   [`StmtKind::Set`] overwrites. A value lives from its definition to its last use in the same loop turn; a
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
mod event;
mod func;
mod id;
mod instr;
pub(crate) mod linear;
mod lowered;
mod memory;
pub(crate) mod names;
pub(crate) mod polynomial;
pub mod scalar;
mod signature;
mod stmt;
pub mod text;
mod tile;
mod ty;
pub(crate) mod verify;
mod visit;

pub use axis::*;
pub use event::*;
pub use func::*;
pub use id::*;
pub use instr::*;
pub use linear::tidied;
pub use lowered::*;
pub use memory::*;
pub use scalar::{BinOp, ChipFact, Scalar, ScalarTy, Stage, TypeError, UnOp};
pub use signature::*;
pub use stmt::*;
pub use tile::*;
pub use ty::*;
pub use verify::{verify_kernel, verify_lowered, Fault, Spot};
pub use visit::{adds_first, first_access, outer_loops, uses, walk_stmts, walk_stmts_mut};

use text::{text_enum, text_struct, text_word};

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
    /// Its vocabulary.
    pub level: Level,
    /// Chips it is declared for, by name; empty means the default family.
    pub chips: Vec<String>,
    /// What it does.
    pub body: Body,
    /// Calls of functions that several statements stand for; none within another one.
    pub calls: Vec<InlinedCall>,
    /// Source locations, indexed by [`SpanId`].
    pub spans: Vec<SourceSpan>,
}
text_struct!(Kernel "kernel" { sig, level, chips, body, calls, spans });

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
