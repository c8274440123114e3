//! Instructions: an op of the table, its operands in the order of its row, and its extent.
//!
//! The row ([`crate::ops::contract`]) says the purpose of each operand. Code that checks, prints or
//! runs an instruction walks both together and knows no op by its name. Start reading at [`Instr`].

use super::queue::Body;
use super::text::{text_enum, Printer, Reader, Text, TextError};
use super::{ParamId, Scalar, Signature, TensorId, TensorRef, Ty, VarId};
use crate::dtype::RoundMode;
use crate::ops::contract::{Access, Elem, Extents, Operand, Reach, ViewRule, What, MOST_LISTS};
use crate::ops::Op;
use crate::soc::Space;

/// The tensor that a view is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    Gm(TensorRef),
    Local(TensorId),
}

impl Base {
    /// Returns its memory: every LocalTensor is one of a vector core (`ir::verify`).
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

/// The distances between elements of a view.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// Elements without gaps.
    Dense {},
    /// Rows of the extent, whose starts are `pitch` elements apart; in UB whole data blocks.
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
    /// Results of repeats: the distance between those of consecutive repeats, counted in results of
    /// one repeat (`dstRepStride`).
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
    pub base: Base,
    /// Offset in elements of the base.
    pub offset: Scalar,
    pub layout: Layout,
}

/// Prints without brackets of its own; a dense layout is left out.
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
    /// Makes a view of a `LocalTensor` from `offset` on.
    pub fn local(tensor: TensorId, offset: impl Into<Scalar>) -> View {
        View {
            base: Base::Local(tensor),
            offset: offset.into(),
            layout: Layout::Dense {},
        }
    }
    /// Makes a view of a `GlobalTensor` from `offset` on.
    pub fn gm(of: impl Into<TensorRef>, offset: impl Into<Scalar>) -> View {
        View {
            base: Base::Gm(of.into()),
            offset: offset.into(),
            layout: Layout::Dense {},
        }
    }
    /// Lays the elements out in rows.
    pub fn rows(self, pitch: impl Into<Scalar>) -> View {
        View {
            layout: Layout::Rows {
                pitch: pitch.into(),
            },
            ..self
        }
    }
    /// Lays the elements out in data blocks.
    pub fn blocks(self, blk: impl Into<Scalar>, rep: impl Into<Scalar>) -> View {
        View {
            layout: Layout::Blocks {
                blk: blk.into(),
                rep: rep.into(),
            },
            ..self
        }
    }
    /// Lays the elements out as results of repeats.
    pub fn results(self, rep: impl Into<Scalar>) -> View {
        View {
            layout: Layout::Results { rep: rep.into() },
            ..self
        }
    }
    /// Returns the element type of the base.
    ///
    /// # Panics
    /// Panics where the base is undeclared, or an attribute.
    pub fn ty(&self, sig: &Signature, body: &Body) -> Ty {
        match self.base {
            Base::Local(t) => body.tensors[t.index()].dtype,
            Base::Gm(of) => body.gm_ty(sig, of),
        }
    }
    pub const fn tensor(&self) -> Option<TensorId> {
        match self.base {
            Base::Local(t) => Some(t),
            Base::Gm(_) => None,
        }
    }
    pub const fn global(&self) -> Option<TensorRef> {
        match self.base {
            Base::Gm(of) => Some(of),
            Base::Local(_) => None,
        }
    }
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
    View {
        view: View,
    },
    Scalar {
        value: Scalar,
    },
    Mode {
        mode: RoundMode,
    },
    /// A variable that takes a result.
    Var {
        var: VarId,
    },
    /// A text printed above a dump.
    Title {
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

/// True for a text that values may be shown under: printable letters of ASCII, which every reader
/// prints unchanged.
pub fn is_title(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ')
}

/// Most lanes of a repeat, those of 16 bits.
pub const MOST_LANES: i64 = 128;

/// The lanes of a repeat that take part: elements of the widest operand, the first one lane 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Lanes {
    /// The first lanes of a repeat.
    First { n: Scalar },
    /// The lanes whose bits are set.
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
        groups: Scalar,
    },
}
text_enum!(Lanes { First = "first" { n }, Bits = "bits" { low, high }, Groups = "groups" { from, to, of, groups } });

impl Lanes {
    /// Makes the mask of the first `n` lanes.
    pub fn first(n: impl Into<Scalar>) -> Lanes {
        Lanes::First { n: n.into() }
    }

    /// Returns the lane behind the last one that takes part.
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

/// The extent of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// Fixed by the op.
    Fixed {},
    /// Count form: the first `n` elements.
    Count { n: Scalar },
    /// Mask/repeat form: `mask` of each of `repeat` repeats, with the strides of the operands.
    Repeat {
        /// Lanes of a repeat that take part.
        mask: Lanes,
        /// Number of repeats.
        repeat: Scalar,
    },
    /// Counter mode: `n` elements in as many repeats as they fill, with the strides of the
    /// operands.
    Counter { n: Scalar },
    /// `repeat` repeats of eight elements, without a mask.
    Eights {
        /// Number of repeats.
        repeat: Scalar,
    },
    /// `rows` rows (`blockCount`) of `cols` elements (`blockLen`).
    Rows {
        /// Number of rows.
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
    /// Returns the elements of the count form.
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
    /// Returns the number of rows and the elements of each.
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
    /// True where ops with this kind of extent take it.
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
    /// True where an operand of this rule may have this layout under an extent.
    pub fn goes_with(&self, rule: &ViewRule, extent: &Extent) -> bool {
        match self {
            Layout::Dense {} => true,
            Layout::Rows { .. } => matches!(extent, Extent::Rows { .. }),
            // The bits of a comparison follow one another.
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

/// One instruction of a pipe.
#[derive(Clone, Debug, PartialEq)]
pub struct Instr {
    pub op: Op,
    pub extent: Extent,
    /// Operands, in the order of the op's row.
    pub args: Vec<Arg>,
}

/// Prints without brackets of its own.
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
    /// Makes an instruction.
    pub fn new(op: impl Into<Op>, extent: Extent, args: impl IntoIterator<Item = Arg>) -> Instr {
        Instr {
            op: op.into(),
            extent,
            args: args.into_iter().collect(),
        }
    }
    /// Returns each operand with its row's description.
    pub fn operands(&self) -> impl Iterator<Item = (&'static Operand, &Arg)> {
        self.op.contract().operands.iter().zip(&self.args)
    }
    /// Returns the tensor operands, with their rules.
    pub fn views(&self) -> impl Iterator<Item = (&'static ViewRule, &View)> {
        self.operands()
            .filter_map(|(operand, arg)| match (&operand.what, arg) {
                (What::View(rule), Arg::View { view }) => Some((rule, view)),
                _ => None,
            })
    }
    /// Returns the tensor operands with this access.
    pub fn accessed(&self, access: Access) -> impl Iterator<Item = &View> {
        self.views()
            .filter(move |(rule, _)| rule.access == access)
            .map(|(_, view)| view)
    }
    /// Returns the tensor that it writes.
    pub fn dst(&self) -> Option<&View> {
        self.views()
            .find(|(rule, _)| rule.access.stores())
            .map(|(_, view)| view)
    }
    /// Returns the scalars that are operands of this kind.
    pub fn scalars_for(&self, what: What) -> impl Iterator<Item = &Scalar> {
        self.operands().filter_map(move |(operand, arg)| match arg {
            Arg::Scalar { value } => (operand.what == what).then_some(value),
            Arg::View { .. } | Arg::Mode { .. } | Arg::Var { .. } | Arg::Title { .. } => None,
        })
    }
    /// Returns the number that becomes an element.
    pub fn number(&self) -> Option<&Scalar> {
        self.scalars_for(What::Number).next()
    }
    /// Returns the number that becomes an element for changes.
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
    /// Returns the number of the pattern.
    pub fn pattern(&self) -> Option<&Scalar> {
        self.scalars_for(What::Pattern).next()
    }
    /// Returns the base that offsets count from, in bytes.
    pub fn base(&self) -> Option<&Scalar> {
        self.scalars_for(What::Base).next()
    }
    /// Returns the number of elements that the call asks for.
    pub fn most(&self) -> Option<&Scalar> {
        self.scalars_for(What::Most).next()
    }
    /// Returns the lengths of the lists in pairs, without the last one, which is the count.
    pub fn lengths(&self) -> impl Iterator<Item = &Scalar> {
        self.scalars_for(What::Length)
    }
    /// Returns the elements of an operand, or pairs of a list, where the count is `n`.
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
    /// Returns the number of elements before each row.
    pub fn lead(&self) -> Option<&Scalar> {
        self.scalars_for(What::Lead).next()
    }
    pub fn mode(&self) -> Option<RoundMode> {
        self.args.iter().find_map(|a| match a {
            Arg::Mode { mode } => Some(*mode),
            Arg::View { .. } | Arg::Scalar { .. } | Arg::Var { .. } | Arg::Title { .. } => None,
        })
    }
    /// Returns the variable that it sets.
    pub fn result(&self) -> Option<VarId> {
        self.args.iter().find_map(|a| match a {
            Arg::Var { var } => Some(*var),
            Arg::View { .. } | Arg::Scalar { .. } | Arg::Mode { .. } | Arg::Title { .. } => None,
        })
    }
    /// Returns the title of a dump.
    pub fn title(&self) -> Option<&str> {
        self.args.iter().find_map(|a| match a {
            Arg::Title { text } => Some(text.as_str()),
            Arg::View { .. } | Arg::Scalar { .. } | Arg::Mode { .. } | Arg::Var { .. } => None,
        })
    }
}
