//! Axes of tiles, sets of them, and the parts of tensors that indices over axes address.
//!
//! An axis is its declaration and nothing else: two axes are equal where they have one [`AxId`],
//! never because their lengths are. A tile has a *set* of axes without an order; order is layout.

use super::text::{text_enum, text_struct, Printer, Reader, Text, TextError};
use super::{AxId, LoopId, ParamId, Scalar, TensorRef, ValueId};

/// An axis of tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct AxDecl {
    /// Name in messages.
    pub name: String,
    /// Origin of the axis.
    pub from: AxFrom,
}
text_struct!(AxDecl "ax" { name, from } line true);

/// The origin of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum AxFrom {
    /// All indices below a size that the host knows.
    Whole { extent: Scalar },
    /// The run of indices of one iteration of a tile loop.
    Run { of: LoopId },
    /// The run of a tile loop's iteration and some indices more: the rows that several windows of
    /// it share.
    Hull {
        /// The axis of the run.
        of: AxId,
        /// Number of further indices.
        more: i64,
    },
}
text_enum!(AxFrom { Whole = "whole" { extent }, Run = "run" { of }, Hull = "hull" { of, more } });

/// Length of an axis without any upper bound, as for a range that only a core knows. It is more
/// than the tensors in a core's reach hold.
pub const NO_BOUND: i64 = i32::MAX as i64;

/// A set of axes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Axes(Vec<AxId>);

impl Axes {
    /// True for the axes of a single number.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Returns the axes in the order of their declaration.
    pub fn iter(&self) -> impl Iterator<Item = AxId> + '_ {
        self.0.iter().copied()
    }
    pub fn contains(&self, ax: AxId) -> bool {
        self.0.binary_search(&ax).is_ok()
    }
    pub fn is_subset(&self, of: &Axes) -> bool {
        self.iter().all(|ax| of.contains(ax))
    }
    pub fn union(&self, other: &Axes) -> Axes {
        self.iter().chain(other.iter()).collect()
    }
    /// Returns the axes that are not in another set.
    pub fn without(&self, other: &Axes) -> Axes {
        self.iter().filter(|ax| !other.contains(*ax)).collect()
    }
    /// Replaces one axis by another, if it is in the set.
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

/// Part of a tensor in GM, under a view that splits or joins its axes. Its axes are those of its
/// indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    pub of: TensorRef,
    /// The view: sizes, outermost first, whose product is that of the tensor's.
    pub dims: Vec<Scalar>,
    /// One index for each size.
    pub index: Vec<Index>,
    /// Value that replaces the elements of a tensor that was left out; `None` for one that is given
    /// here.
    pub otherwise: Option<Scalar>,
}
text_struct!(Access "at" { of, dims, index, otherwise });

impl Access {
    /// Makes an access to a tensor that is given.
    pub const fn new(of: TensorRef, dims: Vec<Scalar>, index: Vec<Index>) -> Access {
        Access {
            of,
            dims,
            index,
            otherwise: None,
        }
    }
    /// True for the place of a block in a workspace, which belongs to that block alone.
    pub fn is_of_block(&self) -> bool {
        let is = |index: &Index| index.terms.is_empty() && index.offset == Scalar::BlockIdx;
        self.param().is_none() && self.index.first().is_some_and(is)
    }

    /// Returns the tensor if it is a parameter.
    pub fn param(&self) -> Option<ParamId> {
        match self.of {
            TensorRef::Param(param) => Some(param),
            TensorRef::Work(_) => None,
        }
    }
    /// Returns the tiles of indices that choose among its elements.
    pub fn ids(&self) -> impl Iterator<Item = &Ids> + '_ {
        self.index.iter().filter_map(|i| i.ids.as_ref())
    }
    /// Renames the tiles of indices.
    pub fn rename(&mut self, to: impl Fn(ValueId) -> ValueId) {
        self.index
            .iter_mut()
            .filter_map(|i| i.ids.as_mut())
            .for_each(|ids| ids.value = to(ids.value));
    }
    /// Returns the axes of the accessed tile.
    pub fn axes(&self) -> Axes {
        self.index
            .iter()
            .flat_map(|i| i.terms.iter().map(|t| t.ax))
            .collect()
    }
}

/// An index `offset + Σ factor * axis`, or the elements of a tile of indices. The axes of such a
/// tile are the terms, each with a factor of 1 and no offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// Summands that move with axes.
    pub terms: Vec<Term>,
    /// Summand that moves with no axis.
    pub offset: Scalar,
    /// The tile of indices, if there is one.
    pub ids: Option<Ids>,
}
text_struct!(Index "index" { terms, offset, ids });

/// A tile of indices.
#[derive(Clone, Debug, PartialEq)]
pub struct Ids {
    pub value: ValueId,
    /// Tensor that the indices were loaded from, whose `#[index(n)]` promises that they are below
    /// `n`. `None` for computed indices, which the checker must prove to lie inside.
    pub of: Option<ParamId>,
}
text_struct!(Ids "ids" { value, of });

impl Index {
    /// Makes the index that follows an axis, from its first index on.
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
    /// Makes a single index.
    pub fn at(offset: impl Into<Scalar>) -> Index {
        Index {
            terms: Vec::new(),
            offset: offset.into(),
            ids: None,
        }
    }
    /// Makes the index of a tile of indices over these axes.
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

/// The contribution of one axis to an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub ax: AxId,
    /// Difference of the index for a step along the axis.
    pub factor: Scalar,
}
text_struct!(Term "by" { ax, factor });
