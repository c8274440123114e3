//! Whole arrays over sets of axes: their storage, and access to one along the axes of another.

use super::ideal::Ideals;
use super::Trip;
use crate::shown::Element;
use jumar_dsl::ir::AxId;
use jumar_dsl::tiling::Value;
use std::ops::Deref;
use std::sync::Arc;

/// An axis with its size in this iteration.
pub(super) type Sized = (AxId, usize);

/// Elements with shared ownership: another name for a tile, or for the array of an argument, costs
/// no copy.
#[derive(Clone, Debug)]
pub(super) enum Shared<'t, T> {
    /// Elements made here.
    Made(Arc<Vec<T>>),
    /// An argument of the launch.
    Given(&'t [T]),
}

impl<T> Deref for Shared<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match self {
            Shared::Made(v) => v,
            Shared::Given(v) => v,
        }
    }
}

impl<T> From<Vec<T>> for Shared<'_, T> {
    fn from(v: Vec<T>) -> Self {
        Shared::Made(Arc::new(v))
    }
}

impl<T: Clone> Shared<'_, T> {
    /// Returns the elements for writing, copied where another name would see the change.
    pub fn to_mut(&mut self) -> &mut [T] {
        if let Shared::Given(v) = self {
            *self = v.to_vec().into();
        }
        match self {
            Shared::Made(v) => Arc::make_mut(v).as_mut_slice(),
            Shared::Given(_) => &mut [],
        }
    }
}

/// Elements in the types that ops compute in.
#[derive(Clone, Debug)]
pub(super) enum Lanes<'t> {
    /// Floats of every width, each rounded to its element type.
    F32(Shared<'t, f32>),
    /// Integers of fewer bits than 32, and of 32 with a sign.
    I32(Shared<'t, i32>),
    /// Integers of 64 bits, and of 32 without a sign.
    I64(Shared<'t, i64>),
    /// Results of a compare: 0 or 1, with the bit [`OPEN`] where another legal order of a sum may
    /// give the other result.
    Mask(Shared<'t, u8>),
}

/// The bit of a mask element that another legal order of a sum may change.
pub(super) const OPEN: u8 = 2;

/// Returns the mask element without its mark.
pub(super) fn answer(of: u8) -> u8 {
    of & !OPEN
}

/// True if another order may change the mask element.
pub(super) fn is_open(of: u8) -> bool {
    of & OPEN != 0
}

/// A tile's elements: row-major over its axes, which are sorted.
#[derive(Clone, Debug)]
pub(super) struct Array<'t> {
    pub axes: Vec<Sized>,
    pub lanes: Lanes<'t>,
    /// The distance of each element to that of another legal order; `None` where every order gives
    /// these bits.
    pub error: Errors,
    /// The values that the elements would have if no type had a largest number.
    pub ideal: Ideals,
}

/// One error for each element.
pub(super) type Errors = Option<Arc<Vec<f64>>>;

impl<'t> Array<'t> {
    /// Returns the number of a tile without axes, and its error.
    pub fn number(&self) -> Result<(Value, f64), Trip> {
        let number = match &self.lanes {
            Lanes::F32(v) => v.first().map(|v| Value::F32(*v)),
            Lanes::I32(v) => v.first().map(|v| Value::I32(*v)),
            Lanes::I64(v) => v.first().map(|v| Value::Int(*v)),
            Lanes::Mask(_) => None,
        };
        let far = self
            .error
            .as_ref()
            .and_then(|e| e.first().copied())
            .unwrap_or(0.0);
        number
            .map(|n| (n, far))
            .ok_or_else(|| Trip::malformed("a scalar of what is no number"))
    }

    /// True if another order of a sum may give other elements.
    pub fn is_open(&self) -> bool {
        self.error
            .as_ref()
            .is_some_and(|e| e.iter().any(|e| *e > 0.0))
    }

    pub fn new(axes: Vec<Sized>, lanes: Lanes<'t>) -> Self {
        Array {
            axes,
            lanes,
            error: None,
            ideal: None,
        }
    }

    /// Broadcasts along the axes that `axes` has beyond its own.
    pub fn expand(&self, axes: &[Sized]) -> Array<'t> {
        if self.axes == axes {
            return self.clone();
        }
        let walk = Walk::new(0, axes.iter().map(|(a, n)| (*n, self.stride(*a))).collect());
        self.walked(axes.to_vec(), &walk)
    }

    /// Moves the axes of `over` innermost; also returns the sizes outside and inside of them.
    pub fn reduced_last(&self, over: &[AxId]) -> (Array<'t>, usize, usize) {
        let (inner, outer): (Vec<Sized>, Vec<Sized>) =
            self.axes.iter().partition(|(a, _)| over.contains(a));
        let size = |axes: &[Sized]| axes.iter().map(|(_, n)| n).product();
        let (rows, cols) = (size(&outer), size(&inner));
        let order: Vec<Sized> = outer.into_iter().chain(inner).collect();
        if order == self.axes {
            return (self.clone(), rows, cols);
        }
        let walk = Walk::new(
            0,
            order.iter().map(|(a, n)| (*n, self.stride(*a))).collect(),
        );
        (self.walked(order, &walk), rows, cols)
    }

    /// Returns the elements that a walk visits, over these axes.
    fn walked(&self, axes: Vec<Sized>, walk: &Walk) -> Array<'t> {
        Array {
            axes,
            lanes: self.lanes.gather(walk),
            error: gathered(&self.error, walk),
            ideal: gathered(&self.ideal, walk),
        }
    }

    /// Returns the distance of neighbours along an axis; 0 along an axis that it lacks.
    pub fn stride(&self, axis: AxId) -> isize {
        match self.axes.iter().position(|(a, _)| *a == axis) {
            Some(at) => self.axes[at + 1..]
                .iter()
                .map(|(_, n)| *n as isize)
                .product(),
            None => 0,
        }
    }
}

/// Returns the entries beside the elements that a walk visits.
pub(super) fn gathered<T: Copy>(beside: &Option<Arc<Vec<T>>>, walk: &Walk) -> Option<Arc<Vec<T>>> {
    beside.as_ref().map(|all| Arc::new(walk.gather(all)))
}

impl<'t> Lanes<'t> {
    /// Returns an element for a dump.
    pub fn shown(&self, at: usize) -> Element {
        match self {
            Lanes::F32(v) => Element::Float(v[at]),
            Lanes::I32(v) => Element::Whole(i64::from(v[at])),
            Lanes::I64(v) => Element::Whole(v[at]),
            Lanes::Mask(v) => Element::Whole(i64::from(answer(v[at]))),
        }
    }
    /// Returns the elements at these places.
    pub fn read_at(&self, places: &[usize]) -> Lanes<'t> {
        fn each<T: Copy>(of: &[T], places: &[usize]) -> Vec<T> {
            places.iter().map(|at| of[*at]).collect()
        }
        match self {
            Lanes::F32(v) => Lanes::F32(each(v, places).into()),
            Lanes::I32(v) => Lanes::I32(each(v, places).into()),
            Lanes::I64(v) => Lanes::I64(each(v, places).into()),
            Lanes::Mask(v) => Lanes::Mask(each(v, places).into()),
        }
    }
    /// Returns the elements that a walk visits.
    pub fn gather(&self, walk: &Walk) -> Lanes<'t> {
        match self {
            Lanes::F32(v) if walk.is_all_of(v.len()) => Lanes::F32(v.clone()),
            Lanes::I32(v) if walk.is_all_of(v.len()) => Lanes::I32(v.clone()),
            Lanes::I64(v) if walk.is_all_of(v.len()) => Lanes::I64(v.clone()),
            Lanes::Mask(v) if walk.is_all_of(v.len()) => Lanes::Mask(v.clone()),
            Lanes::F32(v) => Lanes::F32(walk.gather(v).into()),
            Lanes::I32(v) => Lanes::I32(walk.gather(v).into()),
            Lanes::I64(v) => Lanes::I64(walk.gather(v).into()),
            Lanes::Mask(v) => Lanes::Mask(walk.gather(v).into()),
        }
    }
}

/// Places in a row-major array: a first one, then axes with size and distance, the innermost last.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    first: isize,
    steps: Vec<(usize, isize)>,
}

impl Walk {
    /// Makes a walk; adjacent axes are walked as one.
    pub fn new(first: isize, steps: Vec<(usize, isize)>) -> Walk {
        let mut joined: Vec<(usize, isize)> = Vec::with_capacity(steps.len());
        for (n, distance) in steps {
            match joined.last_mut() {
                _ if n == 1 => {}
                Some((m, outer)) if *outer == distance * n as isize => {
                    *m *= n;
                    *outer = distance;
                }
                _ => joined.push((n, distance)),
            }
        }
        Walk {
            first,
            steps: joined,
        }
    }

    /// True if it visits every element of an array of `len`, in order.
    pub fn is_all_of(&self, len: usize) -> bool {
        self.first == 0
            && match self.steps.as_slice() {
                [] => len == 1,
                [(n, 1)] => *n == len,
                _ => false,
            }
    }

    /// Calls `f` with start, count and distance of each innermost run.
    pub fn runs(&self, mut f: impl FnMut(usize, usize, isize)) {
        let (n, distance) = self.steps.last().copied().unwrap_or((1, 1));
        let outer = &self.steps[..self.steps.len().saturating_sub(1)];
        if n == 0 || outer.iter().any(|(n, _)| *n == 0) {
            return;
        }
        let mut at = vec![0usize; outer.len()];
        let mut place = self.first;
        loop {
            f(place as usize, n, distance);
            let Some(axis) = (0..outer.len()).rev().find(|i| at[*i] + 1 < outer[*i].0) else {
                return;
            };
            at[axis] += 1;
            place += outer[axis].1;
            for inner in axis + 1..outer.len() {
                place -= outer[inner].1 * at[inner] as isize;
                at[inner] = 0;
            }
        }
    }

    /// Returns the number of places.
    pub fn len(&self) -> usize {
        self.steps.iter().map(|(n, _)| n).product()
    }

    /// Returns the elements at the places.
    pub fn gather<T: Copy>(&self, src: &[T]) -> Vec<T> {
        let mut out = Vec::with_capacity(self.len());
        self.runs(|at, n, distance| match distance {
            1 => out.extend_from_slice(&src[at..at + n]),
            0 => out.resize(out.len() + n, src[at]),
            _ => out.extend((0..n as isize).map(|i| src[(at as isize + i * distance) as usize])),
        });
        out
    }

    /// Writes elements to the places.
    pub fn scatter<T: Copy>(&self, dst: &mut [T], from: &[T]) {
        let mut done = 0;
        self.runs(|at, n, distance| {
            let from = &from[done..done + n];
            match distance {
                1 => dst[at..at + n].copy_from_slice(from),
                _ => from
                    .iter()
                    .enumerate()
                    .for_each(|(i, v)| dst[(at as isize + i as isize * distance) as usize] = *v),
            }
            done += n;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_visits_what_nested_loops_visit() {
        for (first, steps) in [
            (0, vec![(3, 4), (4, 1)]),
            (5, vec![(2, 12), (3, 4), (2, 1)]),
            (2, vec![(3, 0), (2, 3)]),
            (11, vec![(2, 1), (3, -4)]),
            (0, vec![(2, 1), (0, 1)]),
            (3, vec![]),
        ] {
            let mut want = vec![first];
            for (n, distance) in &steps {
                want = want
                    .iter()
                    .flat_map(|at| (0..*n as isize).map(move |i| at + i * distance))
                    .collect();
            }
            let src: Vec<isize> = (0..40).collect();
            let walk = Walk::new(first, steps);
            assert_eq!(walk.gather(&src), want, "{walk:?}");
            assert_eq!(walk.len(), want.len());
        }
        assert!(Walk::new(0, vec![(3, 4), (4, 1)]).is_all_of(12));
        assert!(!Walk::new(0, vec![(3, 4), (4, 1)]).is_all_of(13));
    }

    #[test]
    fn expanding_repeats_along_the_missing_axes_by_name() {
        let (r, d) = ((AxId(0), 2), (AxId(1), 3));
        let lanes = |v: &Array<'_>| match &v.lanes {
            Lanes::F32(v) => v.to_vec(),
            _ => Vec::new(),
        };
        let col = Array::new(vec![r], Lanes::F32(vec![1.0, 2.0].into()));
        let row = Array::new(vec![d], Lanes::F32(vec![1.0, 2.0, 3.0].into()));
        assert_eq!(lanes(&col.expand(&[r, d])), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!(lanes(&row.expand(&[r, d])), [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        let (by_row, rows, cols) = row.expand(&[r, d]).reduced_last(&[AxId(0)]);
        assert_eq!(
            (lanes(&by_row), rows, cols),
            (vec![1.0, 1.0, 2.0, 2.0, 3.0, 3.0], 3, 2)
        );
    }
}
