//! What an op asks of its operands. Front end, checker, emitter and simulator walk the operands of an instruction along
//! this list; none of them knows an op by its name.

use crate::soc::{Arch, Space, MAX_REPEATS};

macro_rules! pipes {
    ($($(#[$doc:meta])* $v:ident = $name:literal { in_order: $in_order:literal, copies_gm: $copies_gm:literal },)*) => {
        /// A hardware queue of a core, which begins its instructions in order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Pipe { $($(#[$doc])* $v,)* }
        impl Pipe {
            /// All of a vector core.
            pub const ALL: [Pipe; Pipe::COUNT] = [$(Pipe::$v,)*];
            /// How many there are.
            pub const COUNT: usize = [$($name,)*].len();
            /// As AscendC spells it.
            pub const fn name(self) -> &'static str {
                match self { $(Pipe::$v => $name,)* }
            }
            /// True where an instruction ends before the next one begins (asc-devkit, pages of PipeBarrier and SetFlag/WaitFlag).
            pub const fn ends_in_order(self) -> bool {
                match self { $(Pipe::$v => $in_order,)* }
            }
            /// True where its copies read GM or write it.
            pub const fn copies_gm(self) -> bool {
                match self { $(Pipe::$v => $copies_gm,)* }
            }
            /// The word by which barriers and flags across the cores name it.
            pub const fn word(self) -> &'static str {
                match self { $(Pipe::$v => concat!("PIPE_", $name),)* }
            }
        }
    };
}

pipes! {
    /// Scalar unit.
    S = "S" { in_order: true, copies_gm: false },
    /// Vector unit.
    V = "V" { in_order: true, copies_gm: false },
    /// Copies from GM.
    Mte2 = "MTE2" { in_order: false, copies_gm: true },
    /// Copies to GM.
    Mte3 = "MTE3" { in_order: false, copies_gm: true },
}

impl Pipe {
    /// Lists those that barriers and flags across the cores name. The scalar unit waits for itself and sets no such flag
    /// (asc-devkit, pages of PipeBarrier and CrossCoreSetFlag).
    pub fn beside_scalars() -> impl Iterator<Item = Pipe> + Clone {
        Pipe::ALL.into_iter().filter(|pipe| *pipe != Pipe::S)
    }
}

/// What an instruction does with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it, whatever it held.
    Write,
    /// Adds to what it holds; several such at once give the same sum.
    Add,
    /// Leaves the larger of it and what it holds; several such at once leave the largest.
    Max,
    /// The smaller.
    Min,
    /// Writes it, and others may write the same there at once.
    Any,
    /// Writes it, and the author promises that nothing else of the phase does.
    Disjoint,
    /// Uses it as work space: what it held is lost, what it holds afterwards says nothing.
    Scratch,
    /// Writes the line of the scalar unit's cache around it back, whole, and drops it: what others have stored there since it was brought
    /// in is lost.
    Line,
}

impl Access {
    /// True where it leaves a value there.
    pub const fn stores(self) -> bool {
        match self {
            Access::Write | Access::Any | Access::Disjoint => true,
            Access::Add | Access::Max | Access::Min => true,
            Access::Read | Access::Scratch | Access::Line => false,
        }
    }

    /// True where what it leaves there does not hang from what was there before.
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

    /// True where what it leaves there hangs from what was there before.
    pub const fn joins(self) -> bool {
        self.stores() && !self.replaces()
    }

    /// What it does to a tensor in GM, in messages: `adds to` it.
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

    /// What does it, in messages.
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

    /// True where two instructions that do this and that to elements of one tensor need no order, whatever they touch.
    pub const fn needs_no_order(self, other: Access) -> bool {
        match (self, other) {
            // What was set is there once its line has been written back.
            (Access::Line, _) | (_, Access::Line) => false,
            (Access::Disjoint, Access::Disjoint) => true,
            _ => self.commutes(other),
        }
    }

    /// True where two instructions that do this and that to one element may do so in either order, or at once.
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

    /// The same of two loops: turns of one loop store the same there, and those of the next one may all store something else.
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
    /// The one that the op is listed for; the same in all operands that say so.
    Own,
    /// Another one, which a table of pairs allows.
    Other,
    /// The bits of a compare.
    Bits,
    /// Distances in bytes or places of elements, `i32`; AscendC has them as `uint32_t`.
    Offsets,
}

/// What an instruction over `n` elements touches of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Its `n` elements; of bits, one for each.
    All,
    /// Its `n` elements, and what follows up to a whole repeat.
    WholeRepeats,
    /// One element, whatever the extent.
    One,
    /// A data block for each of `n` elements.
    Blocks,
    /// So many partial results for each repeat, in whole data blocks.
    Partials(i64),
    /// What each repeat gives.
    Results(Results),
    /// The elements of `n` that a pattern takes.
    Taken,
    /// Elements that offsets choose, anywhere from the one at the base to the end of its buffer.
    Chosen,
    /// Data blocks that offsets choose, anywhere from the start to the end of its buffer.
    ChosenBlocks,
    /// As many elements as are asked for.
    Most,
    /// Its `n` elements, and what follows up to whole lists that are sorted by themselves.
    WholeLists,
    /// Work space for the lists of `n` elements ([`list_elements`]).
    Lists,
    /// Its `n` elements, and what follows up to a whole data block.
    WholeBlocks,
    /// Work space for twice those and a data block before each.
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

/// How many results a repeat gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// One.
    Repeat,
    /// One for each of its eight data blocks.
    Blocks,
    /// One for each pair of neighbours.
    Pairs,
}

impl Results {
    /// How many, of a repeat of so many lanes.
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

/// Where an operand may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At a data block.
    Block,
    /// At a multiple of eight elements: a data block of `float`, half a one of `half`.
    Eight,
    /// At a pair of 8 bytes.
    Pair,
    /// At any element.
    Element,
}

/// A tensor operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRule {
    /// What is done with it.
    pub access: Access,
    /// Its element type.
    pub elem: Elem,
    /// Its memory.
    pub space: Space,
    /// How much of it is touched.
    pub reach: Reach,
    /// Where it starts.
    pub align: Align,
}

impl ViewRule {
    /// True for a source that repeats read in whole data blocks: two of those wait for one another where they share banks of UB.
    pub fn reads_blocks(&self) -> bool {
        let whole =
            matches!(self.reach, Reach::All | Reach::WholeRepeats) && self.elem != Elem::Bits;
        self.access == Access::Read && whole
    }
}

/// What stands at one place of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Part of a tensor.
    View(ViewRule),
    /// A number that becomes an element of the own type.
    Number,
    /// A round mode.
    Mode,
    /// The number of a pattern of elements.
    Pattern,
    /// Bytes from the start of a source to where its offsets count from.
    Base,
    /// Elements that stand before a row.
    Lead,
    /// How many elements are asked for.
    Most,
    /// How many pairs a list has.
    Length,
    /// A scalar variable that takes the result.
    Result,
    /// A scalar variable that takes an index, or a number of elements.
    Index,
    /// A text for who reads what the kernel shows.
    Title,
}

/// One operand, in AscendC's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name in signatures and messages.
    pub name: &'static str,
    /// What it is.
    pub what: What,
}

/// How an instruction is told its extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extents {
    /// Not at all.
    None,
    /// By a count, or by masks and strides.
    Lanes,
    /// By masks and strides.
    Strided,
    /// By masks and strides in normal mode.
    Masked,
    /// By masks that take the first lanes of a repeat, and strides.
    Leading,
    /// By a count only.
    Count,
    /// By repeats of eight elements.
    Eights,
    /// By rows.
    Rows,
}

/// Whether a destination may lie over a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// It may be a source as a whole.
    Whole,
    /// They must be apart.
    Apart,
}

/// What an op asks for and does, besides its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Its pipe.
    pub pipe: Pipe,
    /// Its operands in order; none for an op of the tile dialect only.
    pub operands: &'static [Operand],
    /// Its extent.
    pub extents: Extents,
    /// Whether the destination may be a source.
    pub alias: Alias,
    /// The pipe that begins what [`Contract::pipe`] ends, which waits for it inside the call; none where one pipe does it all.
    pub begins: Option<Pipe>,
    /// Whether the last operand is the destination again, which the op reads and calls do not name.
    pub held: bool,
}

impl Contract {
    /// The rules of the tensor operands.
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
    /// The operands that a call names.
    pub fn named(&self) -> &'static [Operand] {
        &self.operands[..self.operands.len() - usize::from(self.held)]
    }
    /// How many tensors it reads, without its destination.
    pub fn sources(&self) -> usize {
        self.views()
            .filter(|rule| rule.access == Access::Read)
            .count()
            - usize::from(self.held)
    }
    /// Largest block stride and largest repeat stride: those of calls with two sources are bytes, of the others the block
    /// strides are 16 bits, and both where no element-wise call reads them (asc-devkit, `BinaryRepeatParams`,
    /// `UnaryRepeatParams`, `CopyRepeatParams`, `BrcbRepeatParams`, `GatherRepeatParams`; pages of WholeReduceSum and BlockReduceSum).
    pub fn largest_strides(&self) -> (i64, i64) {
        let (byte, word) = (i64::from(u8::MAX), i64::from(u16::MAX));
        match self.extents {
            Extents::Lanes | Extents::Eights if self.sources() > 1 => (byte, byte),
            Extents::Lanes => (word, byte),
            Extents::Strided | Extents::Masked | Extents::Leading | Extents::Eights => (word, word),
            Extents::None | Extents::Count | Extents::Rows => (0, 0),
        }
    }
    /// True where the number of elements is a mask of 32 bits in counter mode, which 0 has no meaning in (asc-devkit, page of GatherMask).
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

/// `op(dst, src0, src1)`.
pub const BINARY: Contract = lanes(&[DST, SRC0, SRC1]);
/// `op(dst, src, scalar)`.
pub const BINARY_SCALAR: Contract = lanes(&[DST, SRC, SCALAR]);
/// `op(dst, src0, src1)` into what the destination holds.
pub const HELD_BINARY: Contract = Contract {
    held: true,
    ..lanes(&[DST, SRC0, SRC1, HELD])
};
/// `Axpy(dst, src, scalar)` into what the destination holds.
pub const AXPY: Contract = Contract {
    held: true,
    ..lanes(&[DST, SRC, SCALAR, HELD])
};
/// `op(dst, src0, src1)` into elements of another type. Nothing is said of a destination that lies over a source of another width.
pub const NARROWED: Contract = Contract {
    alias: Alias::Apart,
    ..lanes(&[DST_OTHER, SRC0, SRC1])
};
/// `CastDequant(dst, src)` with the scale that `SetDeqScale` sets before it, an element of the destination.
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
/// `op(dst, src)`.
pub const UNARY: Contract = lanes(&[DST, SRC]);
/// `op(dst, scalar)`.
pub const FILL: Contract = lanes(&[DST, SCALAR]);
/// `CreateVecIndex(dst, first)`: the scalar unit writes the first data block, and vector calls add from there on; nothing waits before it
/// writes (asc-devkit, CreateVecIndexCalc of dav_c220 and dav_m200). It is given a count only: under a mask of less than a data block that
/// function reads in front of its destination, and the forms of masks take no part of a tensor.
pub const INDEX: Contract = Contract {
    begins: Some(Pipe::S),
    ..counted(Alias::Whole, &[DST, FIRST])
};
const FIRST: Operand = Operand {
    name: "first",
    what: What::Number,
};
/// `Cast(dst, src, mode)`.
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

/// `Compare(dst, src0, src1)`: works on whole repeats, so its sources must own them. Its mask has no effect on architecture
/// 2201 and neither call leaves the mask register alone (asc-devkit, Compare.md), so that they are given a count only.
pub const COMPARE: Contract = counted(Alias::Apart, &[DST_BITS, WHOLE0, WHOLE1]);
/// `CompareScalar(dst, src, scalar)`.
pub const COMPARE_SCALAR: Contract = counted(Alias::Apart, &[DST_BITS, WHOLE, SCALAR]);
/// `And(dst, src0, src1)` of whole numbers.
pub const BITS_BINARY: Contract = counted(Alias::Whole, &[DST, SRC0, SRC1]);
/// `Not(dst, src)` of whole numbers.
pub const BITS_UNARY: Contract = counted(Alias::Whole, &[DST, SRC]);
/// `ShiftLeft(dst, src, scalar)`.
pub const SHIFT: Contract = counted(Alias::Whole, &[DST, SRC, SCALAR]);
/// `And(dst, src0, src1)` of masks.
pub const MASK_BINARY: Contract = counted(Alias::Whole, &[DST_BITS, BITS0, BITS1]);
/// `Not(dst, src)` of masks.
pub const MASK_UNARY: Contract = counted(Alias::Whole, &[DST_BITS, BITS]);
const BITS0: Operand = view("src0", Access::Read, Elem::Bits, Space::Ub);
const BITS1: Operand = view("src1", Access::Read, Elem::Bits, Space::Ub);
const BITS: Operand = view("src", Access::Read, Elem::Bits, Space::Ub);

/// `Select(dst, mask, src0, src1)`.
pub const SELECT: Contract = counted(Alias::Whole, &[DST, MASK, SRC0, SRC1]);
/// `Select(dst, mask, src, scalar)`.
pub const SELECT_SCALAR: Contract = counted(Alias::Whole, &[DST, MASK, SRC, SCALAR]);

/// `ReduceMax(dst, src, work)`: the work buffer takes a value and an index of each repeat (asc-devkit, ReduceMax page).
pub const REDUCE: Contract = counted(Alias::Whole, &[ONE_DST, SRC, WORK_PAIRS]);
/// `ReduceSum(dst, src, work)`: one partial sum of each repeat (asc-devkit, ReduceSum page).
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
/// `BlockReduceMax(dst, src)`: destinations stand at eight results (asc-devkit, page of BlockReduceMax).
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
/// `WholeReduceMax(dst, src)`.
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
/// `RepeatReduceSum(dst, src)`: takes no mask of bits (asc-devkit, page of RepeatReduceSum).
pub const REPEAT_REDUCE: Contract = Contract {
    extents: Extents::Leading,
    ..WHOLE_REDUCE
};
/// `PairReduceSum(dst, src)`.
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
/// `Copy(dst, src)`: in counter mode its mask counts the elements of a repeat, which no other call does (asc-devkit, page of
/// Copy), so it is given repeats in normal mode only.
pub const COPY: Contract = Contract {
    extents: Extents::Masked,
    ..lanes(&[DST, SRC])
};

/// `GatherMask(dst, src, pattern)`: reads `n` elements and writes those that a pattern takes, one behind the other (asc-devkit, page of
/// GatherMask).
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

/// `GatherMask(dst, src, mask, kept)`: reads `n` elements and writes those whose bit is 1, one behind the other. The instruction counts them, and
/// the call reads that count behind it without a wait of its own (asc-devkit, GatherMaskImpl of dav_c220; ops-math, masked_select_v3.h, copies that
/// many elements at once). On architecture 2002 the bits of each repeat begin at a data block of their own (asc-devkit, page of GatherMask), which
/// is not how Compare writes them, so that it is not offered there.
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

/// `Gather(dst, src, offsets, base)`: element i is the one `base + offsets[i]` bytes behind the start of the source, both multiples of the
/// size of an element (asc-devkit, page of Gather). It is given a count, of [`most_chosen`] elements at most.
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

/// `Gatherb(dst, src, offsets)`: data block i is the one `offsets[i]` bytes behind the start of the source, a multiple of its size, eight of them a repeat. It
/// takes `uint16_t` and `uint32_t` on Atlas A2 and A3; other elements of these sizes are seen as them (asc-devkit, page of Gatherb).
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

/// Most elements that Gather takes by a count: it is one call of whole repeats, which 8 bits count, and one of the rest
/// (asc-devkit, kernel_operator_vec_gather_intf_impl.h; one repeat more and nothing of them is done).
pub const fn most_chosen(lanes: i64) -> i64 {
    (MAX_REPEATS + 1) * lanes - 1
}

/// The places of the `most` largest of `n` elements, in falling order, of equal ones the first first. No call does it: `Sort32` sorts each 32 elements, 255
/// times 32 at once, `MrgSort` merges up to four lists of pairs, of no more than 4095 each, and what is equal keeps its order in both (asc-devkit, their
/// pages). A pair is a score and its place in 8 bytes, whatever the type of the score. `index` has the places, as many as fill whole lists, and `work` room for
/// two times the pairs and for the elements, behind which the least ones stand.
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

/// `Sort32(dst, src, places)`: each 32 elements become 32 pairs of 8 bytes in falling order, of equal ones the first first: the element, of `half` with two bytes
/// behind it that say nothing, and its place. Places are `uint32_t` in AscendC (asc-devkit, page of Sort32).
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

/// `MrgSort(dst, {src0, src1}, {length0, length1})`: two lists of pairs in falling order become one, of equal ones those of the first list first. The count is the
/// length of the last list. That the instruction stops where a list ends is not offered: how far it came only a register says (asc-devkit, pages of MrgSort and
/// GetMrgSortResult).
pub const MERGE_TWO: Contract = counted(
    Alias::Apart,
    &[
        DST_MERGED,
        list("src0", 0),
        list("src1", 1),
        length("length0"),
    ],
);
/// The same of three lists.
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
/// The same of four lists.
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
/// `MrgSort` with repeats: of each four lists of one length, which follow one another, becomes one. The count is how many fours there are.
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

/// Bytes of a pair of a score and its place, whatever the type of the score.
pub const PAIR_BYTES: i64 = 8;

/// Lists that one merge takes at most.
pub const MOST_LISTS: i64 = 4;

/// Most pairs of a list that is merged (asc-devkit, page of MrgSort).
pub const MOST_PAIRS: i64 = 4095;

/// Elements of a list that `Sort32` sorts by itself.
pub const LIST: i64 = 32;

/// Most elements that are sorted: one `Sort32` of 255 repeats, of which the last merge takes four lists of 2048.
pub const MOST_SORTED: i64 = MAX_REPEATS * LIST;

/// Elements of work space for each that is sorted: two pairs of 8 bytes, and itself.
pub const fn list_elements(size: i64) -> i64 {
    2 * PAIR_BYTES / size + 1
}

/// Running sums or products of `n` elements, which no call gives: each is joined to the one 1, 2, 4 and so on before it. Less than a data block apart they are
/// taken by offsets (`Gather`), behind a block of what changes nothing; further apart they are parts of the tensor itself.
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

/// Most elements that a call with a pattern reads: they are a mask of 32 bits.
pub const MOST_MASKED: i64 = u32::MAX as i64;

/// The largest number of a pattern: one that takes every element is the last, which architecture 2002 does not have (asc-devkit, page of
/// GatherMask).
pub const fn last_pattern(arch: Arch) -> i64 {
    match arch {
        Arch::V220 => 7,
        Arch::M200 => 6,
    }
}

/// The first element that a pattern takes, and the distance from each to the next; `None` for what is no pattern.
pub const fn pattern(number: i64) -> Option<(i64, i64)> {
    match number {
        1 | 2 => Some((number - 1, 2)),
        3..=6 => Some((number - 3, 4)),
        7 => Some((0, 1)),
        _ => None,
    }
}

/// An op of the tile dialect, which becomes instructions of other ops.
pub const TILE_ONLY: Contract = Contract {
    extents: Extents::None,
    ..lanes(&[])
};

/// `DataCopy(dst, src)` inside UB.
pub const LOCAL_COPY: Contract = counted(Alias::Whole, &[DST, SRC]);
/// `Brcb(dst, src)`.
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

/// `DataCopy(dst, src)` from GM.
pub const COPY_IN: Contract = Contract {
    pipe: Pipe::Mte2,
    extents: Extents::Rows,
    alias: Alias::Apart,
    ..lanes(&[DST, GM_SRC])
};
/// `DataCopyPad(dst, src, params, {true, lead, .., number})` from GM: a row is `lead` times the number, its elements, and the number up to the
/// end of a data block (asc-devkit, page of DataCopyPad: either side is a data block at most).
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
/// `DataCopy(dst, src)` to GM.
pub const COPY_OUT: Contract = Contract {
    pipe: Pipe::Mte3,
    extents: Extents::Rows,
    alias: Alias::Apart,
    ..lanes(&[GM_DST, SRC])
};
/// `DataCopy(dst, src)` to GM after `SetAtomicAdd`: each element is added to the one that is there (asc-devkit, page of SetAtomicAdd).
pub const COPY_OUT_ADD: Contract = Contract {
    operands: &[gm_dst(Access::Add), SRC],
    ..COPY_OUT
};
/// `DataCopy(dst, src)` to GM after `SetAtomicMax`: of each element and the one that is there the larger is left (asc-devkit, page of SetAtomicMax).
pub const COPY_OUT_MAX: Contract = Contract {
    operands: &[gm_dst(Access::Max), SRC],
    ..COPY_OUT
};
/// The same after `SetAtomicMin`.
pub const COPY_OUT_MIN: Contract = Contract {
    operands: &[gm_dst(Access::Min), SRC],
    ..COPY_OUT
};
/// `DataCopy(dst, src)` to GM, where other copies may store the same.
pub const COPY_OUT_ANY: Contract = Contract {
    operands: &[gm_dst(Access::Any), SRC],
    ..COPY_OUT
};
/// `DataCopy(dst, src)` to GM, where no other copy stores.
pub const COPY_OUT_DISJOINT: Contract = Contract {
    operands: &[gm_dst(Access::Disjoint), SRC],
    ..COPY_OUT
};

/// `result = src.GetValue(offset)`.
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
/// `index = src.GetValue(offset)`.
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
/// `result = src.GetValue(offset)` of a GlobalTensor.
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
/// `dst.SetValue(offset, scalar)` of a GlobalTensor: into a line of the core's cache.
pub const SET_GLOBAL: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[one_gm(Access::Write), SCALAR])
};
/// `DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE>(dst[offset])`: from there to the end of the line (asc-devkit, its page).
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
/// `dst.SetValue(offset, scalar)`.
pub const SET_VALUE: Contract = Contract {
    pipe: Pipe::S,
    extents: Extents::None,
    ..lanes(&[ONE_DST, SCALAR])
};

/// `DumpTensor(src, desc, dumpSize)`, once a row: it drains all pipes before it copies what it shows to GM, and after that (asc-devkit,
/// DumpTensorLocal2GMImpl of dav_c220). Its page does not say so, so that it is ordered as a read of the scalar unit is.
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
