//! What names and expressions stand for that one construct makes and others read.

use super::value::{GmPart, Num, Val};
use crate::front::text::span::Ends;
use crate::ir::{AxId, Extent, Lanes, LoopId, ParamId, Scalar, SpanId, ValueId};
use crate::ops::AxisReduceOp;

/// An enum of the module, by its place among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumAt(pub usize);

/// One variant of an enum, known or not, as its number.
#[derive(Clone, Debug)]
pub struct Choice {
    pub of: EnumAt,
    pub number: Scalar,
}

/// `zip((xs, ys))`, before the `for` takes it.
#[derive(Clone, Debug)]
pub struct Zip {
    /// The lists; `None` where an argument was wrong.
    pub lists: Option<Vec<ParamId>>,
    /// True for several in parentheses: an item is a tuple.
    pub is_tuple: bool,
    /// `.enumerate()`
    pub enumerated: bool,
}

/// The loop over the items, once it was read.
#[derive(Clone, Debug)]
pub struct Items {
    /// Its place.
    pub span: SpanId,
    /// What it goes through.
    pub lists: Vec<ParamId>,
    /// How many names were bound before it.
    pub bound: usize,
    /// How many statements of tiles and of queues stand before what follows it, once it was read.
    pub end: Option<[usize; 2]>,
}

/// A tensor, or a view of one, that reads a number where it was left out.
#[derive(Clone, Debug)]
pub struct OrFull {
    pub of: Val,
    pub number: Num,
}

/// An extent as far as it is written.
#[derive(Clone, Debug)]
pub enum ExtentForm {
    /// `lanes(a..b)`.
    Range { from: Scalar, to: Scalar },
    /// `lanes(a..b).of(n)`.
    Groups { from: Scalar, to: Scalar, of: i64 },
    /// Lanes of a repeat.
    Lanes(Lanes),
    /// The lanes of so many repeats, or so many elements in counter mode.
    Whole(Extent),
}

/// `x.slice(at, n)` and what is said of it besides.
#[derive(Clone, Debug)]
pub struct Slice {
    pub gm: GmPart,
    /// Elements, of one row where there are several.
    pub cols: Scalar,
    /// `.rows(r, pitch)`: how many rows, and from the start of one to that of the next.
    pub rows: Option<(Scalar, Scalar)>,
    /// `.pad(lead, value)`: elements before each row, and what they and those behind it are.
    pub pad: Option<(Scalar, Num)>,
}

/// What is inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// A helper of the module, by its place.
    Module(usize),
    /// A function of the library.
    Library(usize),
}

/// What the cores merge.
#[derive(Clone, Copy, Debug)]
pub struct Merged {
    pub value: ValueId,
    /// True for bits.
    pub bits: bool,
    /// How many statements stand around its declaration.
    pub depth: usize,
    /// How and in which loop, once a merge was met.
    pub op: Option<AxisReduceOp>,
    pub by: Option<LoopId>,
    /// Where it is declared.
    pub at: SpanId,
}

/// A tensor to which a loop appends.
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
    /// What its indices, of which tiles are made, are to be below, and how many there may be of them where places are looked for.
    pub fit: Vec<Fit>,
    /// Where it is written, and how.
    pub at: Ends,
    pub text: String,
}

/// What elements that are indices ask of a range.
#[derive(Clone, Copy)]
pub enum Fit {
    /// Where it ends.
    End(i64),
    /// How many indices it has.
    Indices(i64),
}
