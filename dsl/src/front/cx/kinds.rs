//! Values of names and expressions that one construct makes and others read.

use super::value::{GmPart, Num, Val};
use crate::front::text::span::Ends;
use crate::ir::{AxId, Extent, Lanes, LoopId, ParamId, Scalar, SpanId, ValueId};
use crate::ops::AxisReduceOp;

/// An enum of the module, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumAt(pub usize);

/// One variant of an enum, known or not, as its number.
#[derive(Clone, Debug)]
pub struct Choice {
    pub of: EnumAt,
    pub number: Scalar,
}

/// A `zip((xs, ys))` before the `for` takes it.
#[derive(Clone, Debug)]
pub struct Zip {
    /// The lists; `None` where an argument was wrong.
    pub lists: Option<Vec<ParamId>>,
    /// True for several in parentheses: an item is a tuple.
    pub is_tuple: bool,
    /// True behind `.enumerate()`.
    pub enumerated: bool,
}

/// The loop over the items, once it was read.
#[derive(Clone, Debug)]
pub struct Items {
    pub span: SpanId,
    pub lists: Vec<ParamId>,
    /// Number of names that were bound before it.
    pub bound: usize,
    /// Number of tile and of queue statements up to its end, once it was read.
    pub end: Option<[usize; 2]>,
}

/// A tensor, or a view of one, with a number in its place where it was left out.
#[derive(Clone, Debug)]
pub struct OrFull {
    pub of: Val,
    pub number: Num,
}

/// An extent as far as it is written.
#[derive(Clone, Debug)]
pub enum ExtentForm {
    /// The form `lanes(a..b)`.
    Range { from: Scalar, to: Scalar },
    /// The form `lanes(a..b).of(n)`.
    Groups { from: Scalar, to: Scalar, of: i64 },
    /// Lanes of a repeat.
    Lanes(Lanes),
    /// The lanes of so many repeats, or so many elements in counter mode.
    Whole(Extent),
}

/// A `x.slice(at, n)` with its methods.
#[derive(Clone, Debug)]
pub struct Slice {
    pub gm: GmPart,
    /// Elements, of one row where there are several.
    pub cols: Scalar,
    /// `.rows(r, pitch)`: number of rows, and elements from the start of one to that of the next.
    pub rows: Option<(Scalar, Scalar)>,
    /// `.pad(lead, value)`: number of elements before each row, and the value of these and those
    /// behind it.
    pub pad: Option<(Scalar, Num)>,
}

/// A function that is inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A helper of the module, by its index.
    Module(usize),
    /// A function of the library, by its index.
    Library(usize),
}

/// A cross-core accumulator.
#[derive(Clone, Copy, Debug)]
pub struct Merged {
    pub value: ValueId,
    /// True for bits.
    pub bits: bool,
    /// Number of loops and branches around its declaration.
    pub depth: usize,
    /// Reduction and loop of its merges, once one was read.
    pub op: Option<AxisReduceOp>,
    pub by: Option<LoopId>,
    /// Place of the declaration.
    pub at: SpanId,
}

/// A tensor that a loop appends to.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub of: ParamId,
    pub by: LoopId,
    pub span: SpanId,
}

/// A range with an end that only the core knows.
pub struct CoreRange {
    pub of: AxId,
    pub to: Scalar,
    /// Limits on the range from tiles of its indices (their greatest number) and from searches for
    /// places (their count).
    pub fit: Vec<Fit>,
    /// Place and text of the range.
    pub at: Ends,
    pub text: String,
}

/// A limit that elements which are indices set to a range.
#[derive(Clone, Copy)]
pub enum Fit {
    /// Greatest end of the range.
    End(i64),
    /// Greatest number of indices.
    Indices(i64),
}
