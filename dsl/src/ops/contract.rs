//! The requirements of an op on its operands.
//!
//! Front end, checker, emitter and simulator walk the operands of an instruction along this list.
//! None of them knows an op by its name. Start reading at [`Contract`].

use crate::soc::{Arch, Space, MAX_REPEATS};

macro_rules! pipes {
    ($($(#[$doc:meta])* $v:ident = $name:literal { in_order: $in_order:literal, copies_gm: $copies_gm:literal },)*) => {
        /// A hardware queue of a core, which begins its instructions in order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Pipe { $($(#[$doc])* $v,)* }
        impl Pipe {
            /// All pipes of a vector core.
            pub const ALL: [Pipe; Pipe::COUNT] = [$(Pipe::$v,)*];
            pub const COUNT: usize = [$($name,)*].len();
            /// Returns the name as AscendC spells it.
            pub const fn name(self) -> &'static str {
                match self { $(Pipe::$v => $name,)* }
            }
            /// True where an instruction ends before the next one begins (asc-devkit, pages of
            /// PipeBarrier and SetFlag/WaitFlag).
            pub const fn ends_in_order(self) -> bool {
                match self { $(Pipe::$v => $in_order,)* }
            }
            /// True where copies of this pipe read or write GM.
            pub const fn copies_gm(self) -> bool {
                match self { $(Pipe::$v => $copies_gm,)* }
            }
            /// Returns the word by which barriers and flags between cores name it.
            pub const fn word(self) -> &'static str {
                match self { $(Pipe::$v => concat!("PIPE_", $name),)* }
            }
        }
    };
}

pipes! {
    /// Scalar unit; control flow and single values.
    S = "S" { in_order: true, copies_gm: false },
    /// Vector unit; calls on UB.
    V = "V" { in_order: true, copies_gm: false },
    /// Copies from GM to UB.
    Mte2 = "MTE2" { in_order: false, copies_gm: true },
    /// Copies from UB to GM.
    Mte3 = "MTE3" { in_order: false, copies_gm: true },
}

impl Pipe {
    /// Lists the pipes that barriers and flags between cores name. The scalar unit waits for itself
    /// and sets no such flag (asc-devkit, pages of PipeBarrier and CrossCoreSetFlag).
    pub fn beside_scalars() -> impl Iterator<Item = Pipe> + Clone {
        Pipe::ALL.into_iter().filter(|pipe| *pipe != Pipe::S)
    }
}

/// The access of an instruction to an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    /// Overwrites the contents.
    Write,
    /// Adds to the contents; concurrent adds give one sum in any order.
    Add,
    /// Leaves the larger of value and contents; concurrent ones leave the largest.
    Max,
    /// Leaves the smaller of value and contents.
    Min,
    /// Overwrites; others may write an equal value there at once.
    Any,
    /// Overwrites; the author promises that nothing else of the phase does.
    Disjoint,
    /// Uses the operand as work space: it destroys the contents and leaves nothing of use.
    Scratch,
    /// Writes back the whole line of the scalar unit's cache around the operand, and drops it.
    ///
    /// Stores of others to that line since it was loaded are lost.
    Line,
}

impl Access {
    /// True where the access leaves a value.
    pub const fn stores(self) -> bool {
        match self {
            Access::Write | Access::Any | Access::Disjoint => true,
            Access::Add | Access::Max | Access::Min => true,
            Access::Read | Access::Scratch | Access::Line => false,
        }
    }

    /// True where the value left does not depend on the contents before.
    pub const fn replaces(self) -> bool {
        match self {
            Access::Write | Access::Any | Access::Disjoint => true,
            Access::Add
            | Access::Max
            | Access::Min
            | Access::Read
            | Access::Scratch
            | Access::Line => false,
        }
    }

    /// True where the value left depends on the contents before.
    pub const fn joins(self) -> bool {
        self.stores() && !self.replaces()
    }

    /// Returns the verb for messages: `adds to` a tensor in GM.
    pub const fn verb(self) -> &'static str {
        match self {
            Access::Read => "loads",
            Access::Add => "adds to",
            Access::Max => "leaves the larger in",
            Access::Min => "leaves the smaller in",
            Access::Line => "writes back the line of 64 bytes with",
            Access::Write | Access::Any | Access::Disjoint | Access::Scratch => "stores",
        }
    }

    /// Returns the noun for messages.
    pub const fn noun(self) -> &'static str {
        match self {
            Access::Read => "the load",
            Access::Add => "the store that adds",
            Access::Max => "the store of what is larger",
            Access::Min => "the store of what is smaller",
            Access::Line => "the write-back",
            Access::Write | Access::Any | Access::Disjoint | Access::Scratch => "the store",
        }
    }

    /// True where two accesses to any elements of one tensor need no order.
    pub const fn needs_no_order(self, other: Access) -> bool {
        match (self, other) {
            // A value that was set is there once its line has been written back.
            (Access::Line, _) | (_, Access::Line) => false,
            (Access::Disjoint, Access::Disjoint) => true,
            _ => self.commutes(other),
        }
    }

    /// True where two accesses to one element may happen in either order, or at once.
    pub const fn commutes(self, other: Access) -> bool {
        match self {
            Access::Read => matches!(other, Access::Read | Access::Line),
            Access::Line => matches!(other, Access::Read),
            Access::Add => matches!(other, Access::Add),
            Access::Max => matches!(other, Access::Max),
            Access::Min => matches!(other, Access::Min),
            Access::Any => matches!(other, Access::Any),
            Access::Write | Access::Disjoint | Access::Scratch => false,
        }
    }

    /// True where the accesses of two loops to one element may happen in either order. Iterations
    /// of one loop store equal values, but the next loop may store others.
    pub const fn commutes_over_loops(self, other: Access) -> bool {
        match (self, other) {
            (Access::Any, Access::Any) => false,
            _ => self.commutes(other),
        }
    }
}

/// Element type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elem {
    /// The type that the op is listed for, equal in all operands with this rule.
    Own,
    /// Another type, which a table of pairs allows.
    Other,
    /// The bits of a comparison.
    Bits,
    /// Distances in bytes or places of elements, `i32`; AscendC has them as `uint32_t`.
    Offsets,
}

/// The part of an operand that an instruction over `n` elements touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All `n` elements; one bit for each element of a mask.
    All,
    /// All `n` elements, and the rest up to a whole repeat.
    WholeRepeats,
    /// One element, for any extent.
    One,
    /// A data block for each of `n` elements.
    Blocks,
    /// So many partial results for each repeat, in whole data blocks.
    Partials(i64),
    /// The results of each repeat.
    Results(Results),
    /// The elements of `n` that a pattern takes.
    Taken,
    /// Elements that offsets choose, anywhere from the one at the base to the end of its buffer.
    Chosen,
    /// Data blocks that offsets choose, anywhere from the start to the end of its buffer.
    ChosenBlocks,
    /// As many elements as the call asks for.
    Most,
    /// All `n` elements, and the rest up to whole lists, which are sorted separately.
    WholeLists,
    /// Work space for the lists of `n` elements ([`list_elements`]).
    Lists,
    /// All `n` elements, and the rest up to a whole data block.
    WholeBlocks,
    /// Work space for twice the elements of `WholeBlocks` and a data block before each.
    Doubled,
    /// A pair of 8 bytes for each of `n` elements ([`PAIR_BYTES`]).
    Pairs,
    /// The pairs of a list, by its number; the last one has `n`.
    List(usize),
    /// The pairs of all lists.
    AllLists,
    /// The pairs of `n` times four lists of one length.
    FourLists,
}

/// The number of results of a repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// One for the repeat.
    Repeat,
    /// One for each of its eight data blocks.
    Blocks,
    /// One for each pair of neighbours.
    Pairs,
}

impl Results {
    /// Returns the number of results of a repeat with so many lanes.
    pub const fn of(self, lanes: i64) -> i64 {
        match self {
            Results::Repeat => 1,
            Results::Blocks => BLOCKS_PER_REPEAT,
            Results::Pairs => lanes / 2,
        }
    }
}

/// Data blocks of a repeat.
pub const BLOCKS_PER_REPEAT: i64 = 8;

/// The alignment of an operand's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// A multiple of a data block.
    Block,
    /// A multiple of eight elements: a data block of `float`, half of one of `half`.
    Eight,
    /// A pair of 8 bytes.
    Pair,
    Element,
}

/// The rule of a tensor operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRule {
    pub access: Access,
    pub elem: Elem,
    pub space: Space,
    pub reach: Reach,
    pub align: Align,
}

impl ViewRule {
    /// True for a source that repeats read in whole data blocks. Two of these wait for one another
    /// where they share banks of UB.
    pub fn reads_blocks(&self) -> bool {
        let whole =
            matches!(self.reach, Reach::All | Reach::WholeRepeats) && self.elem != Elem::Bits;
        self.access == Access::Read && whole
    }
}

/// The kind of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Part of a tensor.
    View(ViewRule),
    /// A number that becomes an element of the own type.
    Number,
    Mode,
    /// The number of a pattern of elements.
    Pattern,
    /// Bytes from the start of a source to the point that its offsets count from.
    Base,
    /// Number of elements before a row.
    Lead,
    /// Number of elements that the call asks for.
    Most,
    /// Number of pairs of a list.
    Length,
    /// A scalar variable that takes the result.
    Result,
    /// A scalar variable that takes an index, or a number of elements.
    Index,
    /// A text printed above a dump.
    Title,
}

/// One operand, in AscendC's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Name in signatures and messages.
    pub name: &'static str,
    pub what: What,
}

/// The ways in which a call gives its extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extents {
    /// No extent at all.
    None,
    /// A count, or masks and strides.
    Lanes,
    /// Masks and strides.
    Strided,
    /// Masks and strides in normal mode.
    Masked,
    /// Masks that take the first lanes of a repeat, and strides.
    Leading,
    /// A count only.
    Count,
    /// Repeats of eight elements.
    Eights,
    /// A number of rows.
    Rows,
}

/// The rule for a destination that shares memory with a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// It may be a source as a whole.
    Whole,
    /// Both must be apart.
    Apart,
}

/// The rules of an op besides its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    pub pipe: Pipe,
    /// Operands in order; empty for an op of the tile dialect only.
    pub operands: &'static [Operand],
    pub extents: Extents,
    /// Rule for shared memory of destination and source.
    pub alias: Alias,
    /// Pipe that begins the work of [`Contract::pipe`], which waits for it inside of the call;
    /// `None` where one pipe does it all.
    pub begins: Option<Pipe>,
    /// True where the last operand is the destination again: the op reads it, and calls do not name
    /// it.
    pub held: bool,
}

impl Contract {
    /// Returns the rules of the tensor operands.
    pub fn views(&self) -> impl Iterator<Item = &'static ViewRule> {
        let operands: &'static [Operand] = self.operands;
        operands.iter().filter_map(|o| match &o.what {
            What::View(rule) => Some(rule),
            What::Number
            | What::Mode
            | What::Pattern
            | What::Base
            | What::Lead
            | What::Most
            | What::Length
            | What::Result
            | What::Index
            | What::Title => None,
        })
    }
    /// False for an op of the tile dialect only.
    pub fn is_instruction(&self) -> bool {
        !self.operands.is_empty()
    }
    /// Returns the operands that a call names.
    pub fn named(&self) -> &'static [Operand] {
        &self.operands[..self.operands.len() - usize::from(self.held)]
    }
    /// Counts the tensors that it reads, without its destination.
    pub fn sources(&self) -> usize {
        self.views()
            .filter(|rule| rule.access == Access::Read)
            .count()
            - usize::from(self.held)
    }
    /// Returns the largest block stride and the largest repeat stride.
    ///
    /// Both are bytes in calls with two sources. In other calls the block strides are 16 bits, and
    /// both are where no element-wise call reads them (asc-devkit, `BinaryRepeatParams`,
    /// `UnaryRepeatParams`, `CopyRepeatParams`, `BrcbRepeatParams`, `GatherRepeatParams`; pages of
    /// WholeReduceSum and BlockReduceSum).
    pub fn largest_strides(&self) -> (i64, i64) {
        let (byte, word) = (i64::from(u8::MAX), i64::from(u16::MAX));
        match self.extents {
            Extents::Lanes | Extents::Eights if self.sources() > 1 => (byte, byte),
            Extents::Lanes => (word, byte),
            Extents::Strided | Extents::Masked | Extents::Leading | Extents::Eights => (word, word),
            Extents::None | Extents::Count | Extents::Rows => (0, 0),
        }
    }
    /// True where the number of elements is a mask of 32 bits in counter mode, in which 0 has no
    /// meaning (asc-devkit, page of GatherMask).
    pub fn is_masked_count(&self) -> bool {
        let gives = |o: &Operand| o.what == What::Index && self.pipe == Pipe::V;
        self.operands
            .iter()
            .any(|o| o.what == What::Pattern || gives(o))
    }
    /// True where one of the operands is a number of the element type.
    pub fn has_number(&self) -> bool {
        self.operands.iter().any(|o| o.what == What::Number)
    }
}

const fn view(name: &'static str, access: Access, elem: Elem, space: Space) -> Operand {
    Operand {
        name,
        what: What::View(ViewRule {
            access,
            elem,
            space,
            reach: Reach::All,
            align: Align::Block,
        }),
    }
}

const fn reaching(
    name: &'static str,
    access: Access,
    elem: Elem,
    reach: Reach,
    align: Align,
) -> Operand {
    Operand {
        name,
        what: What::View(ViewRule {
            access,
            elem,
            space: Space::Ub,
            reach,
            align,
        }),
    }
}

const DST: Operand = view("dst", Access::Write, Elem::Own, Space::Ub);
const DST_BITS: Operand = view("dst", Access::Write, Elem::Bits, Space::Ub);
const DST_OTHER: Operand = view("dst", Access::Write, Elem::Other, Space::Ub);
const SRC: Operand = view("src", Access::Read, Elem::Own, Space::Ub);
const SRC0: Operand = view("src0", Access::Read, Elem::Own, Space::Ub);
const SRC1: Operand = view("src1", Access::Read, Elem::Own, Space::Ub);
const MASK: Operand = view("mask", Access::Read, Elem::Bits, Space::Ub);
const SCALAR: Operand = Operand {
    name: "scalar",
    what: What::Number,
};
const ONE_DST: Operand = reaching("dst", Access::Write, Elem::Own, Reach::One, Align::Element);
const ONE_SRC: Operand = reaching("src", Access::Read, Elem::Own, Reach::One, Align::Element);

const fn lanes(operands: &'static [Operand]) -> Contract {
    Contract {
        pipe: Pipe::V,
        operands,
        extents: Extents::Lanes,
        alias: Alias::Whole,
        begins: None,
        held: false,
    }
}

const fn counted(alias: Alias, operands: &'static [Operand]) -> Contract {
    Contract {
        extents: Extents::Count,
        alias,
        ..lanes(operands)
    }
}

/// The operands of `op(dst, src0, src1)`.
pub const BINARY: Contract = lanes(&[DST, SRC0, SRC1]);
/// The operands of `op(dst, src, scalar)`.
pub const BINARY_SCALAR: Contract = lanes(&[DST, SRC, SCALAR]);
/// The operands of `op(dst, src0, src1)` with a destination that is read.
pub const HELD_BINARY: Contract = Contract {
    held: true,
    ..lanes(&[DST, SRC0, SRC1, HELD])
};
/// The operands of `Axpy(dst, src, scalar)` with a destination that is read.
pub const AXPY: Contract = Contract {
    held: true,
    ..lanes(&[DST, SRC, SCALAR, HELD])
};
/// The operands of `op(dst, src0, src1)` into another type. No page allows a destination over a
/// source of another width.
pub const NARROWED: Contract = Contract {
    alias: Alias::Apart,
    ..lanes(&[DST_OTHER, SRC0, SRC1])
};
/// The operands of `CastDequant(dst, src)`, with the scale that `SetDeqScale` sets before it, an
/// element of the destination.
pub const DEQUANT: Contract = Contract {
    alias: Alias::Apart,
    ..lanes(&[DST, SRC_OTHER, SCALE])
};
const SRC_OTHER: Operand = view("src", Access::Read, Elem::Other, Space::Ub);
const SCALE: Operand = Operand {
    name: "scale",
    what: What::Number,
};
const HELD: Operand = view("held", Access::Read, Elem::Own, Space::Ub);
/// The operands of `op(dst, src)`.
pub const UNARY: Contract = lanes(&[DST, SRC]);
/// The operands of `op(dst, scalar)`.
pub const FILL: Contract = lanes(&[DST, SCALAR]);
/// The operands of `CreateVecIndex(dst, first)`.
///
/// The scalar unit writes the first data block, and vector calls add from there on; nothing waits
/// before it writes (asc-devkit, CreateVecIndexCalc of dav_c220 and dav_m200). The op is given a
/// count only. Under a mask of less than a data block that function reads in front of its
/// destination, and the forms with masks take no part of a tensor.
pub const INDEX: Contract = Contract {
    begins: Some(Pipe::S),
    ..counted(Alias::Whole, &[DST, FIRST])
};
const FIRST: Operand = Operand {
    name: "first",
    what: What::Number,
};
/// The operands of `Cast(dst, src, mode)`.
pub const CAST: Contract = lanes(&[
    DST_OTHER,
    SRC,
    Operand {
        name: "mode",
        what: What::Mode,
    },
]);

const WHOLE0: Operand = reaching(
    "src0",
    Access::Read,
    Elem::Own,
    Reach::WholeRepeats,
    Align::Block,
);
const WHOLE1: Operand = reaching(
    "src1",
    Access::Read,
    Elem::Own,
    Reach::WholeRepeats,
    Align::Block,
);
const WHOLE: Operand = reaching(
    "src",
    Access::Read,
    Elem::Own,
    Reach::WholeRepeats,
    Align::Block,
);

/// The operands of `Compare(dst, src0, src1)`, which works on whole repeats, so its sources must
/// own them.
///
/// Its mask has no effect on architecture 2201, and neither call leaves the mask register unchanged
/// (asc-devkit, Compare.md). The op is therefore given a count only.
pub const COMPARE: Contract = counted(Alias::Apart, &[DST_BITS, WHOLE0, WHOLE1]);
/// The operands of `CompareScalar(dst, src, scalar)`.
pub const COMPARE_SCALAR: Contract = counted(Alias::Apart, &[DST_BITS, WHOLE, SCALAR]);
/// The operands of `And(dst, src0, src1)` of integers.
pub const BITS_BINARY: Contract = counted(Alias::Whole, &[DST, SRC0, SRC1]);
/// The operands of `Not(dst, src)` of integers.
pub const BITS_UNARY: Contract = counted(Alias::Whole, &[DST, SRC]);
/// The operands of `ShiftLeft(dst, src, scalar)`.
pub const SHIFT: Contract = counted(Alias::Whole, &[DST, SRC, SCALAR]);
/// The operands of `And(dst, src0, src1)` of masks.
pub const MASK_BINARY: Contract = counted(Alias::Whole, &[DST_BITS, BITS0, BITS1]);
/// The operands of `Not(dst, src)` of masks.
pub const MASK_UNARY: Contract = counted(Alias::Whole, &[DST_BITS, BITS]);
const BITS0: Operand = view("src0", Access::Read, Elem::Bits, Space::Ub);
const BITS1: Operand = view("src1", Access::Read, Elem::Bits, Space::Ub);
const BITS: Operand = view("src", Access::Read, Elem::Bits, Space::Ub);

/// The operands of `Select(dst, mask, src0, src1)`.
pub const SELECT: Contract = counted(Alias::Whole, &[DST, MASK, SRC0, SRC1]);
/// The operands of `Select(dst, mask, src, scalar)`.
pub const SELECT_SCALAR: Contract = counted(Alias::Whole, &[DST, MASK, SRC, SCALAR]);

/// The operands of `ReduceMax(dst, src, work)`. The work buffer takes a value and an index of each
/// repeat (asc-devkit, ReduceMax page).
pub const REDUCE: Contract = counted(Alias::Whole, &[ONE_DST, SRC, WORK_PAIRS]);
/// The operands of `ReduceSum(dst, src, work)`. The work buffer takes one partial sum of each
/// repeat (asc-devkit, ReduceSum page).
pub const REDUCE_SUM: Contract = counted(Alias::Whole, &[ONE_DST, SRC, WORK_SUMS]);
const WORK_PAIRS: Operand = reaching(
    "work",
    Access::Scratch,
    Elem::Own,
    Reach::Partials(2),
    Align::Block,
);
const WORK_SUMS: Operand = reaching(
    "work",
    Access::Scratch,
    Elem::Own,
    Reach::Partials(1),
    Align::Block,
);

const fn partial(operands: &'static [Operand]) -> Contract {
    Contract {
        extents: Extents::Strided,
        alias: Alias::Apart,
        ..lanes(operands)
    }
}
/// The operands of `BlockReduceMax(dst, src)`. Destinations start at a multiple of eight results
/// (asc-devkit, page of BlockReduceMax).
pub const BLOCK_REDUCE: Contract = partial(&[
    reaching(
        "dst",
        Access::Write,
        Elem::Own,
        Reach::Results(Results::Blocks),
        Align::Eight,
    ),
    SRC,
]);
/// The operands of `WholeReduceMax(dst, src)`.
pub const WHOLE_REDUCE: Contract = partial(&[
    reaching(
        "dst",
        Access::Write,
        Elem::Own,
        Reach::Results(Results::Repeat),
        Align::Element,
    ),
    SRC,
]);
/// The operands of `RepeatReduceSum(dst, src)`, which takes no mask of bits (asc-devkit, page of
/// RepeatReduceSum).
pub const REPEAT_REDUCE: Contract = Contract {
    extents: Extents::Leading,
    ..WHOLE_REDUCE
};
/// The operands of `PairReduceSum(dst, src)`.
pub const PAIR_REDUCE: Contract = partial(&[
    reaching(
        "dst",
        Access::Write,
        Elem::Own,
        Reach::Results(Results::Pairs),
        Align::Block,
    ),
    SRC,
]);
/// The operands of `Copy(dst, src)`. In counter mode its mask counts the elements of a repeat,
/// unlike every other call (asc-devkit, page of Copy). The op is therefore given repeats in normal
/// mode only.
pub const COPY: Contract = Contract {
    extents: Extents::Masked,
    ..lanes(&[DST, SRC])
};

/// The operands of `GatherMask(dst, src, pattern)`. It reads `n` elements and writes those that a
/// pattern takes, one behind the other (asc-devkit, page of GatherMask).
pub const GATHER_MASK: Contract = counted(
    Alias::Apart,
    &[
        DST_TAKEN,
        SRC,
        Operand {
            name: "pattern",
            what: What::Pattern,
        },
    ],
);
const DST_TAKEN: Operand = reaching("dst", Access::Write, Elem::Own, Reach::Taken, Align::Block);

/// The operands of `GatherMask(dst, src, mask, kept)`. It reads `n` elements and writes those whose
/// bit is 1, one behind the other.
///
/// The instruction counts the elements, and the call reads that count behind it without a wait of
/// its own (asc-devkit, GatherMaskImpl of dav_c220; ops-math, masked_select_v3.h, copies that many
/// elements at once). On architecture 2002 the bits of each repeat begin at a data block of their
/// own (asc-devkit, page of GatherMask). Compare does not write them so, hence the op is not
/// offered there.
pub const GATHER_BITS: Contract = counted(
    Alias::Apart,
    &[
        DST,
        SRC,
        MASK,
        Operand {
            name: "kept",
            what: What::Index,
        },
    ],
);

/// The operands of `Gather(dst, src, offsets, base)`. Element i is the one `base + offsets[i]`
/// bytes behind the start of the source, both multiples of the element size (asc-devkit, page of
/// Gather). The op is given a count, of at most [`most_chosen`] elements.
pub const GATHER: Contract = counted(
    Alias::Apart,
    &[
        DST,
        SRC_CHOSEN,
        OFFSETS,
        Operand {
            name: "base",
            what: What::Base,
        },
    ],
);
const SRC_CHOSEN: Operand = reaching("src", Access::Read, Elem::Own, Reach::Chosen, Align::Block);
const OFFSETS: Operand = view("offsets", Access::Read, Elem::Offsets, Space::Ub);

/// The operands of `Gatherb(dst, src, offsets)`. Data block i is the one `offsets[i]` bytes behind
/// the start of the source, a multiple of its size, eight of them a repeat.
///
/// It takes `uint16_t` and `uint32_t` on Atlas A2 and A3; other elements of these sizes are
/// reinterpreted (asc-devkit, page of Gatherb).
pub const GATHER_BLOCKS: Contract = Contract {
    extents: Extents::Eights,
    alias: Alias::Apart,
    ..lanes(&[DST_BLOCKS, SRC_CHOSEN_BLOCKS, OFFSETS])
};
const SRC_CHOSEN_BLOCKS: Operand = reaching(
    "src",
    Access::Read,
    Elem::Own,
    Reach::ChosenBlocks,
    Align::Block,
);

/// Returns the most elements that Gather takes by a count. It is one call of whole repeats, which 8
/// bits count, and one of the rest (asc-devkit, kernel_operator_vec_gather_intf_impl.h; with one
/// repeat more the call does nothing).
pub const fn most_chosen(lanes: i64) -> i64 {
    (MAX_REPEATS + 1) * lanes - 1
}

/// The operands of the op `top`: the places of the `most` largest of `n` elements, in falling
/// order, of equal ones the first first.
///
/// No single call does it. `Sort32` sorts each 32 elements, 255 times 32 at once; `MrgSort` merges
/// up to four lists of at most 4095 pairs; equal elements keep their order in both (asc-devkit,
/// their pages). A pair is a score and its place in 8 bytes, for any type of the score.
///
/// `index` has the places, as many as fill whole lists. `work` has room for two times the pairs and
/// for the elements, which are filled up with the least ones.
pub const TOP: Contract = counted(
    Alias::Apart,
    &[
        DST_PLACES,
        SRC,
        PLACES,
        WORK_LISTS,
        Operand {
            name: "most",
            what: What::Most,
        },
    ],
);
const DST_PLACES: Operand = reaching(
    "dst",
    Access::Write,
    Elem::Offsets,
    Reach::Most,
    Align::Block,
);
const PLACES: Operand = reaching(
    "places",
    Access::Read,
    Elem::Offsets,
    Reach::WholeLists,
    Align::Block,
);
const WORK_LISTS: Operand = reaching(
    "work",
    Access::Scratch,
    Elem::Own,
    Reach::Lists,
    Align::Block,
);

/// The operands of `Sort32(dst, src, places)`. Each 32 elements become 32 pairs of 8 bytes in
/// falling order, of equal ones the first first.
///
/// A pair is the element, for `half` with two meaningless bytes behind it, and its place. Places
/// are `uint32_t` in AscendC (asc-devkit, page of Sort32).
pub const SORT32: Contract = counted(
    Alias::Apart,
    &[
        DST_PAIRS,
        SRC,
        view("places", Access::Read, Elem::Offsets, Space::Ub),
    ],
);
const DST_PAIRS: Operand = reaching("dst", Access::Write, Elem::Own, Reach::Pairs, Align::Block);

const fn list(name: &'static str, number: usize) -> Operand {
    reaching(
        name,
        Access::Read,
        Elem::Own,
        Reach::List(number),
        Align::Pair,
    )
}
const fn length(name: &'static str) -> Operand {
    Operand {
        name,
        what: What::Length,
    }
}
const DST_MERGED: Operand = reaching(
    "dst",
    Access::Write,
    Elem::Own,
    Reach::AllLists,
    Align::Block,
);

/// The operands of `MrgSort(dst, {src0, src1}, {length0, length1})`. Two lists of pairs in falling
/// order become one, of equal ones those of the first list first. The count is the length of the
/// last list.
///
/// The mode that stops at the end of one list is not offered: only a register says how far it came
/// (asc-devkit, pages of MrgSort and GetMrgSortResult).
pub const MERGE_TWO: Contract = counted(
    Alias::Apart,
    &[
        DST_MERGED,
        list("src0", 0),
        list("src1", 1),
        length("length0"),
    ],
);
/// The operands of `MrgSort` with three lists; see [`MERGE_TWO`].
pub const MERGE_THREE: Contract = counted(
    Alias::Apart,
    &[
        DST_MERGED,
        list("src0", 0),
        list("src1", 1),
        list("src2", 2),
        length("length0"),
        length("length1"),
    ],
);
/// The operands of `MrgSort` with four lists; see [`MERGE_TWO`].
pub const MERGE_FOUR: Contract = counted(
    Alias::Apart,
    &[
        DST_MERGED,
        list("src0", 0),
        list("src1", 1),
        list("src2", 2),
        list("src3", 3),
        length("length0"),
        length("length1"),
        length("length2"),
    ],
);
/// The operands of `MrgSort` with repeats. Each four lists of one length, which follow one another,
/// become one. The count is the number of fours.
pub const MERGE_FOURS: Contract = counted(
    Alias::Apart,
    &[
        reaching(
            "dst",
            Access::Write,
            Elem::Own,
            Reach::FourLists,
            Align::Block,
        ),
        reaching(
            "src",
            Access::Read,
            Elem::Own,
            Reach::FourLists,
            Align::Pair,
        ),
        length("length"),
    ],
);

/// Bytes of a pair of a score and its place, for any type of the score.
pub const PAIR_BYTES: i64 = 8;

/// Most lists that one merge takes.
pub const MOST_LISTS: i64 = 4;

/// Most pairs of a list that is merged (asc-devkit, page of MrgSort).
pub const MOST_PAIRS: i64 = 4095;

/// Elements of a list that `Sort32` sorts as one.
pub const LIST: i64 = 32;

/// Most elements that are sorted: one `Sort32` of 255 repeats, whose last merge takes four lists of
/// 2048.
pub const MOST_SORTED: i64 = MAX_REPEATS * LIST;

/// Returns the elements of work space for each sorted element: two pairs of 8 bytes, and itself.
pub const fn list_elements(size: i64) -> i64 {
    2 * PAIR_BYTES / size + 1
}

/// The operands of running sums or products of `n` elements, which no single call computes.
///
/// Each element is joined to the one 1, 2, 4 and so on before it. Distances of less than a data
/// block go through offsets (`Gather`), behind a block of neutral elements. Longer ones are parts
/// of the tensor itself.
pub const SCAN: Contract = counted(Alias::Apart, &[DST_WHOLE, SRC_WHOLE, OFFSETS, WORK_DOUBLED]);
const DST_WHOLE: Operand = reaching(
    "dst",
    Access::Write,
    Elem::Own,
    Reach::WholeBlocks,
    Align::Block,
);
const SRC_WHOLE: Operand = reaching(
    "src",
    Access::Read,
    Elem::Own,
    Reach::WholeBlocks,
    Align::Block,
);
const WORK_DOUBLED: Operand = reaching(
    "work",
    Access::Scratch,
    Elem::Own,
    Reach::Doubled,
    Align::Block,
);

/// Most elements that a call with a pattern reads: their number is a mask of 32 bits.
pub const MOST_MASKED: i64 = u32::MAX as i64;

/// Returns the largest number of a pattern. The last one takes every element; architecture 2002
/// does not have it (asc-devkit, page of GatherMask).
pub const fn last_pattern(arch: Arch) -> i64 {
    match arch {
        Arch::V220 => 7,
        Arch::M200 => 6,
    }
}

/// Returns the first element that a pattern takes, and the distance from each to the next. `None`
/// for a number that is no pattern.
pub const fn pattern(number: i64) -> Option<(i64, i64)> {
    match number {
        1 | 2 => Some((number - 1, 2)),
        3..=6 => Some((number - 3, 4)),
        7 => Some((0, 1)),
        _ => None,
    }
}

/// The contract of an op of the tile dialect, which is lowered to instructions of other ops.
pub const TILE_ONLY: Contract = Contract {
    extents: Extents::None,
    ..lanes(&[])
};

/// The operands of `DataCopy(dst, src)` inside of UB.
pub const LOCAL_COPY: Contract = counted(Alias::Whole, &[DST, SRC]);
/// The operands of `Brcb(dst, src)`.
pub const BRCB: Contract = Contract {
    extents: Extents::Eights,
    alias: Alias::Apart,
    ..lanes(&[DST_BLOCKS, SRC])
};
const DST_BLOCKS: Operand = reaching("dst", Access::Write, Elem::Own, Reach::Blocks, Align::Block);

const GM_SRC: Operand = Operand {
    name: "src",
    what: What::View(ViewRule {
        align: Align::Element,
        ..GM
    }),
};
const GM_DST: Operand = gm_dst(Access::Write);
const fn gm_dst(access: Access) -> Operand {
    Operand {
        name: "dst",
        what: What::View(ViewRule {
            access,
            align: Align::Element,
            ..GM
        }),
    }
}
const GM: ViewRule = ViewRule {
    access: Access::Read,
    elem: Elem::Own,
    space: Space::Gm,
    reach: Reach::All,
    align: Align::Element,
};

const ONE_GM: ViewRule = ViewRule {
    reach: Reach::One,
    align: Align::Element,
    ..GM
};

/// The operands of `DataCopy(dst, src)` from GM.
pub const COPY_IN: Contract = Contract {
    pipe: Pipe::Mte2,
    extents: Extents::Rows,
    alias: Alias::Apart,
    ..lanes(&[DST, GM_SRC])
};
/// The operands of `DataCopyPad(dst, src, params, {true, lead, .., number})` from GM.
///
/// A row is `lead` times the number, its elements, and the number up to the end of a data block
/// (asc-devkit, page of DataCopyPad: either side is at most a data block).
pub const COPY_IN_LEAD: Contract = Contract {
    pipe: Pipe::Mte2,
    extents: Extents::Rows,
    alias: Alias::Apart,
    ..lanes(&[
        DST,
        GM_SRC,
        SCALAR,
        Operand {
            name: "lead",
            what: What::Lead,
        },
    ])
};
/// The operands of `DataCopy(dst, src)` to GM.
pub const COPY_OUT: Contract = Contract {
    pipe: Pipe::Mte3,
    extents: Extents::Rows,
    alias: Alias::Apart,
    ..lanes(&[GM_DST, SRC])
};
/// The operands of `DataCopy(dst, src)` to GM after `SetAtomicAdd`, which adds each element to the
/// one in GM (asc-devkit, page of SetAtomicAdd).
pub const COPY_OUT_ADD: Contract = Contract {
    operands: &[gm_dst(Access::Add), SRC],
    ..COPY_OUT
};
/// The operands of `DataCopy(dst, src)` to GM after `SetAtomicMax`, which leaves the larger of each
/// element and the one in GM (asc-devkit, page of SetAtomicMax).
pub const COPY_OUT_MAX: Contract = Contract {
    operands: &[gm_dst(Access::Max), SRC],
    ..COPY_OUT
};
/// The operands of `DataCopy(dst, src)` to GM after `SetAtomicMin`, which leaves the smaller.
pub const COPY_OUT_MIN: Contract = Contract {
    operands: &[gm_dst(Access::Min), SRC],
    ..COPY_OUT
};
/// The operands of `DataCopy(dst, src)` to GM, where other copies may store equal values.
pub const COPY_OUT_ANY: Contract = Contract {
    operands: &[gm_dst(Access::Any), SRC],
    ..COPY_OUT
};
/// The operands of `DataCopy(dst, src)` to GM, where no other copy stores.
pub const COPY_OUT_DISJOINT: Contract = Contract {
    operands: &[gm_dst(Access::Disjoint), SRC],
    ..COPY_OUT
};

/// The operands of `result = src.GetValue(offset)`.
pub const GET_VALUE: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[
        Operand {
            name: "result",
            what: What::Result,
        },
        ONE_SRC,
    ])
};
/// The operands of `index = src.GetValue(offset)`.
pub const GET_INDEX: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[
        Operand {
            name: "index",
            what: What::Index,
        },
        ONE_SRC,
    ])
};
/// The operands of `result = src.GetValue(offset)` on a GlobalTensor.
pub const GET_GLOBAL: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[
        Operand {
            name: "result",
            what: What::Result,
        },
        Operand {
            name: "src",
            what: What::View(ONE_GM),
        },
    ])
};
/// The operands of `dst.SetValue(offset, scalar)` on a GlobalTensor, into a line of the core's
/// cache.
pub const SET_GLOBAL: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[one_gm(Access::Write), SCALAR])
};
/// The operands of `DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(dst[offset])`, which
/// reaches from there to the end of the line (asc-devkit, its page).
pub const CLEAN_LINE: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[one_gm(Access::Line)])
};
const fn one_gm(access: Access) -> Operand {
    Operand {
        name: "dst",
        what: What::View(ViewRule { access, ..ONE_GM }),
    }
}
/// The operands of `dst.SetValue(offset, scalar)`.
pub const SET_VALUE: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[ONE_DST, SCALAR])
};

/// The operands of `DumpTensor(src, desc, dumpSize)`, once a row.
///
/// It drains all pipes before and after it copies the shown rows to GM (asc-devkit,
/// DumpTensorLocal2GMImpl of dav_c220). Its page does not say so; hence it is ordered like a read
/// of the scalar unit.
pub const DUMP: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::Rows,
    ..lanes(&[
        SRC,
        Operand {
            name: "title",
            what: What::Title,
        },
    ])
};
