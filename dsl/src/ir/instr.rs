//! Instructions: an op of the table, its operands in the order of its row, and its extent.
//!
//! What an operand is for stands in the row ([`crate::ops::contract`]): whoever checks, prints or runs an instruction
//! walks both together and knows no op by its name.

use super::queue::Body;
use super::text::{text_enum, Printer, Reader, Text, TextError};
use super::{ParamId, Scalar, Signature, TensorId, TensorRef, Ty, VarId};
use crate::dtype::RoundMode;
use crate::ops::contract::{Access, Elem, Extents, Operand, Reach, ViewRule, What, MOST_LISTS};
use crate::ops::Op;
use crate::soc::Space;

/// What a view looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A `GlobalTensor`.
    Gm(TensorRef),
    /// A `LocalTensor`.
    Local(TensorId),
}

impl Base {
    /// The memory it lies in: every LocalTensor is one of a vector core (`ir::verify`).
    pub const fn space(self) -> Space {
        match self {
            Base::Gm(_) => Space::Gm,
            Base::Local(_) => Space::Ub,
        }
    }
}

impl Text for Base {
    fn print(&self, p: &mut Printer) {
        match self {
            Base::Gm(of) => of.print(p),
            Base::Local(id) => id.print(p),
        }
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        match r.peek().chars().next() {
            Some('&' | 'w') => Text::parse(r).map(Base::Gm),
            _ => Text::parse(r).map(Base::Local),
        }
    }
}

/// How the elements of a view follow one another.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// Without gaps.
    Dense {},
    /// Rows of the extent, whose starts are `pitch` elements apart; in UB a whole number of data blocks.
    Rows {
        /// Elements from row to row.
        pitch: Scalar,
    },
    /// Data blocks of repeats: block and repeat stride, in data blocks, start to start.
    Blocks {
        /// From block to block of one repeat.
        blk: Scalar,
        /// From repeat to repeat.
        rep: Scalar,
    },
    /// Results of repeats: from those of one repeat to those of the next, counted in what a repeat gives (`dstRepStride`).
    Results {
        /// From repeat to repeat.
        rep: Scalar,
    },
}
text_enum!(Layout {
    Dense = "dense" {}, Rows = "rows" { pitch }, Blocks = "blocks" { blk, rep }, Results = "results" { rep },
});

/// Part of a tensor: the elements from an offset on.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The tensor.
    pub base: Base,
    /// Offset in its elements.
    pub offset: Scalar,
    /// How they follow one another.
    pub layout: Layout,
}

/// Without brackets of its own; a dense layout is left out.
impl Text for View {
    fn print(&self, p: &mut Printer) {
        self.base.print(p);
        self.offset.print(p);
        match self.layout {
            Layout::Dense {} => {}
            Layout::Rows { .. } | Layout::Blocks { .. } | Layout::Results { .. } => {
                self.layout.print(p)
            }
        }
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let (base, offset) = (Text::parse(r)?, Text::parse(r)?);
        let layout = if r.peek() == "(" {
            Text::parse(r)?
        } else {
            Layout::Dense {}
        };
        Ok(View {
            base,
            offset,
            layout,
        })
    }
}

impl View {
    /// The elements of a `LocalTensor` from `offset` on.
    pub fn local(tensor: TensorId, offset: impl Into<Scalar>) -> View {
        View {
            base: Base::Local(tensor),
            offset: offset.into(),
            layout: Layout::Dense {},
        }
    }
    /// The elements of a `GlobalTensor` from `offset` on.
    pub fn gm(of: impl Into<TensorRef>, offset: impl Into<Scalar>) -> View {
        View {
            base: Base::Gm(of.into()),
            offset: offset.into(),
            layout: Layout::Dense {},
        }
    }
    /// The same elements in rows.
    pub fn rows(self, pitch: impl Into<Scalar>) -> View {
        View {
            layout: Layout::Rows {
                pitch: pitch.into(),
            },
            ..self
        }
    }
    /// The same elements in data blocks.
    pub fn blocks(self, blk: impl Into<Scalar>, rep: impl Into<Scalar>) -> View {
        View {
            layout: Layout::Blocks {
                blk: blk.into(),
                rep: rep.into(),
            },
            ..self
        }
    }
    /// The same elements as results of repeats.
    pub fn results(self, rep: impl Into<Scalar>) -> View {
        View {
            layout: Layout::Results { rep: rep.into() },
            ..self
        }
    }
    /// Element type of what it looks at.
    ///
    /// # Panics
    /// Where it looks at nothing declared, or at an attribute.
    pub fn ty(&self, sig: &Signature, body: &Body) -> Ty {
        match self.base {
            Base::Local(t) => body.tensors[t.index()].dtype,
            Base::Gm(of) => body.gm_ty(sig, of),
        }
    }
    /// The local tensor, where it is one.
    pub const fn tensor(&self) -> Option<TensorId> {
        match self.base {
            Base::Local(t) => Some(t),
            Base::Gm(_) => None,
        }
    }
    /// The tensor in GM, where it is one.
    pub const fn global(&self) -> Option<TensorRef> {
        match self.base {
            Base::Gm(of) => Some(of),
            Base::Local(_) => None,
        }
    }
    /// The parameter, where it is one.
    pub const fn param(&self) -> Option<ParamId> {
        match self.base {
            Base::Gm(TensorRef::Param(p)) => Some(p),
            Base::Gm(TensorRef::Work(_)) | Base::Local(_) => None,
        }
    }
}

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// Part of a tensor.
    View {
        /// Which.
        view: View,
    },
    /// A number.
    Scalar {
        /// Its value.
        value: Scalar,
    },
    /// A round mode.
    Mode {
        /// Which.
        mode: RoundMode,
    },
    /// A variable that takes a result.
    Var {
        /// Which.
        var: VarId,
    },
    /// A text for who reads what the kernel shows.
    Title {
        /// The text.
        text: String,
    },
}
text_enum!(Arg {
    View = "at" { view }, Scalar = "s" { value }, Mode = "mode" { mode }, Var = "to" { var }, Title = "title" { text },
});

impl From<View> for Arg {
    fn from(view: View) -> Arg {
        Arg::View { view }
    }
}
impl From<Scalar> for Arg {
    fn from(value: Scalar) -> Arg {
        Arg::Scalar { value }
    }
}

/// True for a text under which values are shown: printable letters of ASCII, which every reader can print as they are.
pub fn is_title(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ')
}

/// Most lanes of a repeat, those of 16 bits.
pub const MOST_LANES: i64 = 128;

/// The lanes of a repeat that take part: elements of the widest operand, the first one lane 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Lanes {
    /// The first ones.
    First {
        /// How many.
        n: Scalar,
    },
    /// Those whose bits are set.
    Bits {
        /// Lanes 0 to 63, the lowest bit first.
        low: u64,
        /// Lanes 64 to 127.
        high: u64,
    },
    /// Lanes `from..to` of each of the first `groups` groups of `of` lanes.
    Groups {
        /// First lane of a group that takes part.
        from: Scalar,
        /// The lane behind the last one.
        to: Scalar,
        /// Lanes of a group.
        of: i64,
        /// Groups.
        groups: Scalar,
    },
}
text_enum!(Lanes { First = "first" { n }, Bits = "bits" { low, high }, Groups = "groups" { from, to, of, groups } });

impl Lanes {
    /// The first `n` lanes.
    pub fn first(n: impl Into<Scalar>) -> Lanes {
        Lanes::First { n: n.into() }
    }

    /// The lane behind the last one that takes part.
    pub fn end(&self) -> Scalar {
        match self {
            Lanes::First { n } => n.clone(),
            Lanes::Bits { low, high: 0 } => Scalar::Int(i64::from(u64::BITS - low.leading_zeros())),
            Lanes::Bits { high, .. } => {
                Scalar::Int(i64::from(2 * u64::BITS - high.leading_zeros()))
            }
            Lanes::Groups { to, of, groups, .. } => (groups.clone() - 1) * *of + to.clone(),
        }
    }
}

/// How an instruction is told its extent.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// The op says it.
    Fixed {},
    /// Count form: the first `n` elements.
    Count {
        /// Elements.
        n: Scalar,
    },
    /// Mask/repeat form: `mask` of each of `repeat` repeats, with the strides of the operands.
    Repeat {
        /// Lanes of a repeat that take part.
        mask: Lanes,
        /// Repeats.
        repeat: Scalar,
    },
    /// Counter mode: `n` elements in as many repeats as they fill, with the strides of the operands.
    Counter {
        /// Elements.
        n: Scalar,
    },
    /// `repeat` repeats of eight elements, without a mask.
    Eights {
        /// Repeats.
        repeat: Scalar,
    },
    /// `rows` rows (`blockCount`) of `cols` elements (`blockLen`).
    Rows {
        /// Rows.
        rows: Scalar,
        /// Elements of a row.
        cols: Scalar,
    },
}
text_enum!(Extent {
    Fixed = "fixed" {}, Count = "count" { n }, Repeat = "repeat" { mask, repeat }, Counter = "counter" { n },
    Eights = "eights" { repeat }, Rows = "rows" { rows, cols },
});

impl Extent {
    /// Elements of the count form.
    pub const fn count(&self) -> Option<&Scalar> {
        match self {
            Extent::Count { n } => Some(n),
            Extent::Fixed {}
            | Extent::Repeat { .. }
            | Extent::Counter { .. }
            | Extent::Eights { .. }
            | Extent::Rows { .. } => None,
        }
    }
    /// Rows and the elements of each.
    pub const fn rows(&self) -> Option<(&Scalar, &Scalar)> {
        match self {
            Extent::Rows { rows, cols } => Some((rows, cols)),
            Extent::Fixed {}
            | Extent::Count { .. }
            | Extent::Repeat { .. }
            | Extent::Counter { .. }
            | Extent::Eights { .. } => None,
        }
    }
    /// True where an op that is told its extent in this way takes it.
    pub fn is_taken(&self, by: Extents) -> bool {
        match by {
            Extents::None => matches!(self, Extent::Fixed {}),
            Extents::Lanes => matches!(
                self,
                Extent::Count { .. } | Extent::Repeat { .. } | Extent::Counter { .. }
            ),
            Extents::Strided => matches!(self, Extent::Repeat { .. } | Extent::Counter { .. }),
            Extents::Masked => matches!(self, Extent::Repeat { .. }),
            Extents::Leading => matches!(
                self,
                Extent::Repeat {
                    mask: Lanes::First { .. },
                    ..
                } | Extent::Counter { .. }
            ),
            Extents::Count => matches!(self, Extent::Count { .. }),
            Extents::Eights => matches!(self, Extent::Eights { .. }),
            Extents::Rows => matches!(self, Extent::Rows { .. }),
        }
    }
}

impl Layout {
    /// True where an operand of this rule may be laid out so under an extent.
    pub fn goes_with(&self, rule: &ViewRule, extent: &Extent) -> bool {
        match self {
            Layout::Dense {} => true,
            Layout::Rows { .. } => matches!(extent, Extent::Rows { .. }),
            // The bits of a compare follow one another.
            Layout::Blocks { .. } if rule.elem == Elem::Bits => false,
            Layout::Blocks { .. } => match rule.reach {
                Reach::All | Reach::WholeRepeats => {
                    matches!(extent, Extent::Repeat { .. } | Extent::Counter { .. })
                }
                Reach::Blocks => matches!(extent, Extent::Eights { .. }),
                Reach::One
                | Reach::Partials(_)
                | Reach::Results(_)
                | Reach::Taken
                | Reach::Chosen
                | Reach::ChosenBlocks => false,
                Reach::Most
                | Reach::WholeLists
                | Reach::Lists
                | Reach::WholeBlocks
                | Reach::Doubled => false,
                Reach::Pairs | Reach::List(_) | Reach::AllLists | Reach::FourLists => false,
            },
            Layout::Results { .. } => matches!(rule.reach, Reach::Results(_)),
        }
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instr {
    /// Which op.
    pub op: Op,
    /// Its extent.
    pub extent: Extent,
    /// Its operands, in the order of the op's row.
    pub args: Vec<Arg>,
}

/// Without brackets of its own.
impl Text for Instr {
    fn print(&self, p: &mut Printer) {
        self.op.print(p);
        self.extent.print(p);
        self.args.print(p);
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        Ok(Instr {
            op: Text::parse(r)?,
            extent: Text::parse(r)?,
            args: Text::parse(r)?,
        })
    }
}

impl Instr {
    /// An instruction.
    pub fn new(op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>) -> Instr {
        Instr {
            op: op.into(),
            extent,
            args: args.into_iter().collect(),
        }
    }
    /// Each operand with what the row says of it.
    pub fn operands(&self) -> impl Iterator<Item = (&'static Operand, &Arg)> {
        self.op.contract().operands.iter().zip(&self.args)
    }
    /// The tensor operands, with their rules.
    pub fn views(&self) -> impl Iterator<Item = (&'static ViewRule, &View)> {
        self.operands()
            .filter_map(|(operand, arg)| match (&operand.what, arg) {
                (What::View(rule), Arg::View { view }) => Some((rule, view)),
                _ => None,
            })
    }
    /// The tensor operands that it does this with.
    pub fn accessed(&self, access: Access) -> impl Iterator<Item = &View> {
        self.views()
            .filter(move |(rule, _)| rule.access == access)
            .map(|(_, view)| view)
    }
    /// What it writes, where that is a tensor.
    pub fn dst(&self) -> Option<&View> {
        self.views()
            .find(|(rule, _)| rule.access.stores())
            .map(|(_, view)| view)
    }
    /// The scalars that are operands of this kind.
    pub fn scalars_for(&self, what: What) -> impl Iterator<Item = &Scalar> {
        self.operands().filter_map(move |(operand, arg)| match arg {
            Arg::Scalar { value } => (operand.what == what).then_some(value),
            Arg::View { .. } | Arg::Mode { .. } | Arg::Var { .. } | Arg::Title { .. } => None,
        })
    }
    /// The number that becomes an element.
    pub fn number(&self) -> Option<&Scalar> {
        self.scalars_for(What::Number).next()
    }
    /// The same, to be changed.
    pub fn number_mut(&mut self) -> Option<&mut Scalar> {
        self.op
            .contract()
            .operands
            .iter()
            .zip(&mut self.args)
            .find_map(|(operand, arg)| match (operand.what, arg) {
                (What::Number, Arg::Scalar { value }) => Some(value),
                _ => None,
            })
    }
    /// The number of the pattern.
    pub fn pattern(&self) -> Option<&Scalar> {
        self.scalars_for(What::Pattern).next()
    }
    /// The base that offsets count from, in bytes.
    pub fn base(&self) -> Option<&Scalar> {
        self.scalars_for(What::Base).next()
    }
    /// How many elements are asked for.
    pub fn most(&self) -> Option<&Scalar> {
        self.scalars_for(What::Most).next()
    }
    /// How many pairs the lists have, without the one that the count says.
    pub fn lengths(&self) -> impl Iterator<Item = &Scalar> {
        self.scalars_for(What::Length)
    }
    /// How many pairs an operand has, of others how many elements, where the count is `n`.
    pub fn reached(&self, reach: Reach, n: &Scalar) -> Scalar {
        match reach {
            Reach::List(number) => self.lengths().nth(number).unwrap_or(n).clone(),
            Reach::AllLists => self.lengths().fold(n.clone(), |all, one| all + one.clone()),
            Reach::FourLists => self
                .lengths()
                .fold(n.clone() * MOST_LISTS, |all, length| all * length.clone()),
            Reach::All
            | Reach::WholeRepeats
            | Reach::One
            | Reach::Blocks
            | Reach::Partials(_)
            | Reach::Results(_)
            | Reach::Taken
            | Reach::Chosen
            | Reach::ChosenBlocks
            | Reach::Most
            | Reach::WholeLists
            | Reach::Lists
            | Reach::WholeBlocks
            | Reach::Doubled
            | Reach::Pairs => n.clone(),
        }
    }
    /// The elements that stand before a row.
    pub fn lead(&self) -> Option<&Scalar> {
        self.scalars_for(What::Lead).next()
    }
    /// The round mode.
    pub fn mode(&self) -> Option<RoundMode> {
        self.args.iter().find_map(|a| match a {
            Arg::Mode { mode } => Some(*mode),
            Arg::View { .. } | Arg::Scalar { .. } | Arg::Var { .. } | Arg::Title { .. } => None,
        })
    }
    /// The variable that it sets.
    pub fn result(&self) -> Option<VarId> {
        self.args.iter().find_map(|a| match a {
            Arg::Var { var } => Some(*var),
            Arg::View { .. } | Arg::Scalar { .. } | Arg::Mode { .. } | Arg::Title { .. } => None,
        })
    }
    /// The text under which it shows what it reads.
    pub fn title(&self) -> Option<&str> {
        self.args.iter().find_map(|a| match a {
            Arg::Title { text } => Some(text.as_str()),
            Arg::View { .. } | Arg::Scalar { .. } | Arg::Mode { .. } | Arg::Var { .. } => None,
        })
    }
}
