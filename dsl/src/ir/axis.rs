//! Axes of tiles, sets of them, and the parts of tensors that indices over axes address.
//!
//! An axis is what made it and nothing else: two axes are one where they have one [`AxId`], never where they are equally long. A tile
//! has a *set* of axes, in which there is no order; order is layout.

use super::text::{text_enum, text_struct, Printer, Reader, Text, TextError};
use super::{AxId, LoopId, ParamId, Scalar, TensorRef, ValueId};

/// An axis of tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct AxDecl {
    /// What messages call it.
    pub name: String,
    /// What made it.
    pub from: AxFrom,
}
text_struct!(AxDecl "ax" { name, from } line true);

/// What makes an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum AxFrom {
    /// All indices below a size that the host knows.
    Whole {
        /// The size.
        extent: Scalar,
    },
    /// The run of indices of this turn of a tile loop.
    Run {
        /// The loop.
        of: LoopId,
    },
    /// As many indices as a run of a tile loop has in this turn, and some more: the rows that several windows of it share.
    Hull {
        /// The axis of the run.
        of: AxId,
        /// How many more.
        more: i64,
    },
}
text_enum!(AxFrom { Whole = "whole" { extent }, Run = "run" { of }, Hull = "hull" { of, more } });

/// How many indices an axis has where nothing says how many it has at most, as of a range that only a core knows: more than tensors hold in a core's reach.
pub const NO_BOUND: i64 = i32::MAX as i64;

/// A set of axes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Axes(Vec<AxId>);

impl Axes {
    /// True for the axes of a single number.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// How many they are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// They, in the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = AxId> + '_ {
        self.0.iter().copied()
    }
    /// Whether an axis is among them.
    pub fn contains(&self, ax: AxId) -> bool {
        self.0.binary_search(&ax).is_ok()
    }
    /// Whether all of them are among others.
    pub fn is_subset(&self, of: &Axes) -> bool {
        self.iter().all(|ax| of.contains(ax))
    }
    /// Those of either set.
    pub fn union(&self, other: &Axes) -> Axes {
        self.iter().chain(other.iter()).collect()
    }
    /// Those that are not in another set.
    pub fn without(&self, other: &Axes) -> Axes {
        self.iter().filter(|ax| !other.contains(*ax)).collect()
    }
    /// The same with one axis in place of another, where that is among them.
    pub fn replaced(&self, old: AxId, new: AxId) -> Axes {
        self.iter()
            .map(|ax| if ax == old { new } else { ax })
            .collect()
    }
}

impl FromIterator<AxId> for Axes {
    fn from_iter<I: IntoIterator<Item = AxId>>(axes: I) -> Axes {
        let mut axes: Vec<AxId> = axes.into_iter().collect();
        axes.sort_unstable();
        axes.dedup();
        Axes(axes)
    }
}

impl<const N: usize> From<[AxId; N]> for Axes {
    fn from(axes: [AxId; N]) -> Axes {
        axes.into_iter().collect()
    }
}

impl Text for Axes {
    fn print(&self, p: &mut Printer) {
        self.0.print(p);
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let axes = Vec::<AxId>::parse(r)?;
        match axes.windows(2).all(|pair| pair[0] < pair[1]) {
            true => Ok(Axes(axes)),
            false => Err(r.error("a set of axes that do not rise; each stands in it once")),
        }
    }
}

/// Part of a tensor in GM, under a view that splits or joins its axes. Its axes are those of its indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The tensor.
    pub of: TensorRef,
    /// The view: sizes, outermost first, whose product is that of the tensor's.
    pub dims: Vec<Scalar>,
    /// One index a size.
    pub index: Vec<Index>,
    /// What is read where the tensor was left out; none of one that is given here.
    pub otherwise: Option<Scalar>,
}
text_struct!(Access "at" { of, dims, index, otherwise });

impl Access {
    /// Part of a tensor that is there.
    pub const fn new(of: TensorRef, dims: Vec<Scalar>, index: Vec<Index>) -> Access {
        Access {
            of,
            dims,
            index,
            otherwise: None,
        }
    }
    /// True for the place of a block in a workspace, which is the block's own.
    pub fn is_of_block(&self) -> bool {
        let is = |index: &Index| index.terms.is_empty() && index.offset == Scalar::BlockIdx;
        self.param().is_none() && self.index.first().is_some_and(is)
    }

    /// The tensor, where it is one that the caller gives.
    pub fn param(&self) -> Option<ParamId> {
        match self.of {
            TensorRef::Param(param) => Some(param),
            TensorRef::Work(_) => None,
        }
    }
    /// The tiles of indices that choose among its elements.
    pub fn ids(&self) -> impl Iterator<Item = &Ids> + '_ {
        self.index.iter().filter_map(|i| i.ids.as_ref())
    }
    /// Is chosen by other tiles of indices instead.
    pub fn rename(&mut self, to: impl Fn(ValueId) -> ValueId) {
        self.index
            .iter_mut()
            .filter_map(|i| i.ids.as_mut())
            .for_each(|ids| ids.value = to(ids.value));
    }
    /// The axes of what is read or written there.
    pub fn axes(&self) -> Axes {
        self.index
            .iter()
            .flat_map(|i| i.terms.iter().map(|t| t.ax))
            .collect()
    }
}

/// `offset + Σ factor * axis`; or the elements of a tile of indices, whose axes are its terms then, each with a factor of 1 and no offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// What moves with axes.
    pub terms: Vec<Term>,
    /// What does not.
    pub offset: Scalar,
    /// The tile of indices, where it is one.
    pub ids: Option<Ids>,
}
text_struct!(Index "index" { terms, offset, ids });

/// A tile of indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Ids {
    /// The tile.
    pub value: ValueId,
    /// The tensor that it was loaded from, whose `#[index(n)]` promises that its elements are indices below `n`; none where they are computed,
    /// which the checker proves to lie inside.
    pub of: Option<ParamId>,
}
text_struct!(Ids "ids" { value, of });

impl Index {
    /// Each index of an axis, from the first on that it stands for.
    pub fn along(ax: AxId, first: impl Into<Scalar>) -> Index {
        Index {
            terms: vec![Term {
                ax,
                factor: Scalar::Int(1),
            }],
            offset: first.into(),
            ids: None,
        }
    }
    /// One index.
    pub fn at(offset: impl Into<Scalar>) -> Index {
        Index {
            terms: Vec::new(),
            offset: offset.into(),
            ids: None,
        }
    }
    /// The elements of a tile of indices over these axes.
    pub fn chosen(ids: Ids, axes: &Axes) -> Index {
        let terms = axes
            .iter()
            .map(|ax| Term {
                ax,
                factor: Scalar::Int(1),
            })
            .collect();
        Index {
            terms,
            offset: Scalar::Int(0),
            ids: Some(ids),
        }
    }
}

/// What one axis adds to an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The axis.
    pub ax: AxId,
    /// What a step along it adds.
    pub factor: Scalar,
}
text_struct!(Term "by" { ax, factor });
