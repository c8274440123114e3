//! Tensors in GM: whole arrays, accessed through a view.

use super::add::Sum;
use super::array::{gathered, Array, Errors, Lanes, Shared, Sized, Walk};
use super::ideal::{self, Ideal, Ideals};
use super::Trip;
use bytemuck::Pod;
use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::AxId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A tensor parameter with its content.
pub(super) struct Tensor<'t> {
    pub name: String,
    pub dtype: DType,
    pub(super) lanes: Lanes<'t>,
    pub(super) error: Errors,
    pub(super) ideal: Ideals,
    pub(super) written: Written,
    /// Elements that this phase has stored with `store_any` or `store_disjoint`.
    pub(super) any: Vec<bool>,
    /// Elements stored with `store_any` in all phases.
    pub(super) alike: BTreeSet<usize>,
    /// The record of each element's sum.
    pub(super) sums: Vec<Sum>,
    /// The number of appended elements; `undecided` is true if another order may append a different
    /// number.
    pub(super) appended: usize,
    pub(super) undecided: bool,
}

/// The elements of a tensor that have a value.
pub(super) enum Written {
    None,
    /// Elements with `true` have a value.
    Some(Vec<bool>),
    All,
}

/// The entry `offset + Σ factor * axis` of a view, with its scalars computed.
pub(super) struct Place {
    pub size: i64,
    pub offset: i64,
    pub terms: Vec<(AxId, i64)>,
    /// The elements of a tile of indices, row-major over the axes of the terms.
    pub ids: Option<Vec<i64>>,
    /// The indices that another order of a sum may change; empty for none.
    pub open: Vec<bool>,
}

impl Place {
    /// Returns the index at these places of the axes of an access, and whether it is undecided.
    fn index(&self, axes: &[Sized], at: &[i64]) -> Result<(i64, bool), Trip> {
        let own = |axis: &AxId| axes.iter().position(|(a, _)| a == axis);
        let lacks = || Trip::malformed("an index along an axis that the access does not have");
        let (mut index, mut nth) = (self.offset, 0);
        for (axis, factor) in &self.terms {
            let own = own(axis).ok_or_else(lacks)?;
            index += factor * at[own];
            nth = nth * axes[own].1 + at[own] as usize;
        }
        let is_open = self.open.get(nth).copied().unwrap_or(false);
        Ok((self.ids.as_ref().map_or(index, |ids| ids[nth]), is_open))
    }
}

/// The value read where a tensor has no element.
#[derive(Clone, Copy)]
pub(super) enum Outside {
    Int(i32),
    /// A value beside unsigned integers of 32 bits.
    Long(i64),
    Float(f32),
}

impl<'t> Tensor<'t> {
    /// Makes a tensor with the elements of `bytes`.
    pub fn new(name: &str, dtype: DType, bytes: &'t [u8]) -> Self {
        Tensor::of(name, dtype, read(dtype, bytes), Written::All)
    }

    fn of(name: &str, dtype: DType, lanes: Lanes<'t>, written: Written) -> Self {
        Tensor {
            name: name.to_string(),
            dtype,
            lanes,
            error: None,
            ideal: None,
            written,
            any: Vec::new(),
            alike: BTreeSet::new(),
            sums: Vec::new(),
            appended: 0,
            undecided: false,
        }
    }

    /// Makes a tensor with a copy of the elements, for a tensor that is written in place.
    pub fn copied(name: &str, dtype: DType, bytes: &[u8]) -> Self {
        let lanes = match read(dtype, bytes) {
            Lanes::F32(v) => Lanes::F32(v.to_vec().into()),
            Lanes::I32(v) => Lanes::I32(v.to_vec().into()),
            Lanes::I64(v) => Lanes::I64(v.to_vec().into()),
            Lanes::Mask(v) => Lanes::Mask(v.to_vec().into()),
        };
        Tensor::of(name, dtype, lanes, Written::All)
    }

    /// Makes a tensor of `bytes` bytes whose elements have no value yet.
    pub fn undefined(name: &str, dtype: DType, bytes: usize) -> Self {
        let len = bytes / dtype.bytes() as usize;
        let lanes = match dtype {
            DType::F16 | DType::Bf16 | DType::F32 => Lanes::F32(vec![0.0; len].into()),
            DType::I32 | DType::Bool | DType::I8 | DType::I16 | DType::U8 | DType::U16 => {
                Lanes::I32(vec![0; len].into())
            }
            DType::I64 | DType::U32 => Lanes::I64(vec![0; len].into()),
            DType::Bits => Lanes::Mask(vec![0; len].into()),
        };
        let written = if len == 0 {
            Written::All
        } else {
            Written::None
        };
        Tensor::of(name, dtype, lanes, written)
    }

    pub(super) fn len(&self) -> usize {
        match &self.lanes {
            Lanes::F32(v) => v.len(),
            Lanes::I32(v) => v.len(),
            Lanes::I64(v) => v.len(),
            Lanes::Mask(v) => v.len(),
        }
    }

    /// Finds the elements of an access.
    ///
    /// # Errors
    /// J0801 where one of them lies outside.
    fn walk(&self, places: &[Place], axes: &[Sized], what: &str) -> Result<Walk, Trip> {
        if places.iter().map(|p| p.size).product::<i64>() != self.len() as i64 {
            let sizes: Vec<String> = places.iter().map(|p| p.size.to_string()).collect();
            let message = format!(
                "`{}` has {} elements and is seen as [{}]",
                self.name,
                self.len(),
                sizes.join(", ")
            );
            return Err(Trip::new(Code::J0801, message));
        }
        let nothing = axes.iter().any(|(_, n)| *n == 0);
        let mut first = 0;
        let mut strides = vec![0i64; axes.len()];
        let mut stride = 1;
        for place in places.iter().rev() {
            let (mut least, mut most) = (place.offset, place.offset);
            for (axis, factor) in &place.terms {
                let at = axes.iter().position(|(a, _)| a == axis);
                let at = at.ok_or_else(|| {
                    Trip::malformed("an index along an axis that the access does not have")
                })?;
                strides[at] += factor * stride;
                let end = factor * (axes[at].1 as i64 - 1);
                least += end.min(0);
                most += end.max(0);
            }
            if !nothing && (least < 0 || most >= place.size) {
                let message = format!(
                    "{what} of `{}` takes {least} to {most} of an axis of {}",
                    self.name, place.size
                );
                return Err(Trip::new(Code::J0801, message));
            }
            first += place.offset * stride;
            stride *= place.size;
        }
        Ok(Walk::new(
            first as isize,
            axes.iter()
                .zip(strides)
                .map(|((_, n), s)| (*n, s as isize))
                .collect(),
        ))
    }

    /// Loads the elements of an access.
    pub fn load(&self, places: &[Place], axes: Vec<Sized>) -> Result<Array<'t>, Trip> {
        let walk = self.walk(places, &axes, "a load")?;
        let known = match &self.written {
            Written::All => true,
            Written::None => walk.len() == 0,
            Written::Some(written) => !walk.gather(written).contains(&false),
        };
        if !known {
            let message = format!("a load of `{}` reads what was not stored yet", self.name);
            return Err(Trip::new(Code::J0802, message));
        }
        let (error, ideal) = (gathered(&self.error, &walk), gathered(&self.ideal, &walk));
        Ok(Array {
            axes,
            lanes: self.lanes.gather(&walk),
            error,
            ideal,
        })
    }

    /// Loads the elements of an access one by one, with a number for each that lies outside on some
    /// axis.
    pub fn load_or(
        &self,
        places: &[Place],
        axes: Vec<Sized>,
        outside: Outside,
    ) -> Result<Array<'t>, Trip> {
        let from = self.elements(places, &axes)?;
        let lanes = match (&self.lanes, outside) {
            (Lanes::F32(v), Outside::Float(number)) => Lanes::F32(read_or(v, &from, number).into()),
            (Lanes::I32(v), Outside::Int(number)) => Lanes::I32(read_or(v, &from, number).into()),
            (Lanes::I64(v), Outside::Long(number)) => Lanes::I64(read_or(v, &from, number).into()),
            (Lanes::F32(_) | Lanes::I32(_) | Lanes::I64(_) | Lanes::Mask(_), _) => {
                return Err(Trip::malformed(
                    "a number of another kind for what lies outside",
                ))
            }
        };
        let error = self.error.as_ref().map(|e| read_or(e, &from, 0.0));
        let error = left_open(error, places, &axes)?;
        Ok(Array {
            error,
            ..Array::new(axes, lanes)
        })
    }

    /// Loads the elements that tiles of indices choose; each must lie inside.
    pub fn load_at(&self, places: &[Place], axes: Vec<Sized>) -> Result<Array<'t>, Trip> {
        let from = self.elements(places, &axes)?;
        let Some(from) = from.into_iter().collect::<Option<Vec<usize>>>() else {
            return Err(Trip::new(
                Code::J0801,
                format!(
                    "a load of `{}` at an index that it does not have",
                    self.name
                ),
            ));
        };
        let error = self
            .error
            .as_ref()
            .map(|e| from.iter().map(|at| e[*at]).collect());
        let error = left_open(error, places, &axes)?;
        Ok(Array {
            error,
            ..Array::new(axes, self.lanes.read_at(&from))
        })
    }

    pub(super) fn is_written(&self, at: usize) -> bool {
        match &self.written {
            Written::All => true,
            Written::None => false,
            Written::Some(written) => written[at],
        }
    }

    /// Returns the element of each place of an access, `None` where it lies outside; each element
    /// must have a value.
    fn elements(&self, places: &[Place], axes: &[Sized]) -> Result<Vec<Option<usize>>, Trip> {
        let from = self.places(places, axes)?;
        if from.iter().flatten().all(|at| self.is_written(*at)) {
            return Ok(from);
        }
        Err(Trip::new(
            Code::J0802,
            format!("a load of `{}` reads what was not stored yet", self.name),
        ))
    }

    /// Returns the element of each place of an access, `None` where it lies outside.
    pub(super) fn places(
        &self,
        places: &[Place],
        axes: &[Sized],
    ) -> Result<Vec<Option<usize>>, Trip> {
        let len: usize = axes.iter().map(|(_, n)| n).product();
        let mut from = Vec::with_capacity(len);
        for nth in 0..len {
            let at = nth_of(axes, nth);
            let mut element = Some(0i64);
            for place in places {
                let (index, _) = place.index(axes, &at)?;
                element = element
                    .filter(|_| (0..place.size).contains(&index))
                    .map(|e| e * place.size + index);
            }
            from.push(element.map(|e| e as usize));
        }
        Ok(from)
    }

    /// Writes a tile, broadcast along the axes of the access that it lacks.
    pub fn store(
        &mut self,
        places: &[Place],
        axes: &[Sized],
        tile: &Array<'t>,
    ) -> Result<(), Trip> {
        let walk = self.walk(places, axes, "a store")?;
        let tile = tile.expand(axes);
        let len = self.len();
        if !self.sums.is_empty() {
            walk.scatter(&mut self.sums, &vec![Sum::default(); walk.len()]);
        }
        let all = walk.is_all_of(len);
        self.put_ideals(&tile, &walk, all);
        match (&mut self.lanes, &tile.lanes) {
            (Lanes::F32(old), Lanes::F32(new)) => put(old, new, &walk, all),
            (Lanes::I32(old), Lanes::I32(new)) => put(old, new, &walk, all),
            (Lanes::I64(old), Lanes::I64(new)) => put(old, new, &walk, all),
            _ => {
                return Err(Trip::malformed(format!(
                    "a tile of another kind is stored to `{}`",
                    self.name
                )))
            }
        }
        let len = self.len();
        match (&mut self.error, &tile.error) {
            (None, None) => {}
            (old, Some(new)) if all => *old = Some(new.clone()),
            (old, Some(new)) => {
                walk.scatter(
                    Arc::make_mut(old.get_or_insert_with(|| Arc::new(vec![0.0; len])))
                        .as_mut_slice(),
                    new,
                );
            }
            (Some(old), None) => {
                walk.scatter(Arc::make_mut(old).as_mut_slice(), &vec![0.0; walk.len()])
            }
        }
        if all {
            self.written = Written::All;
        } else if let Written::None = self.written {
            self.written = Written::Some(vec![false; len]);
        }
        if let Written::Some(written) = &mut self.written {
            walk.scatter(written, &vec![true; walk.len()]);
        }
        Ok(())
    }

    /// Records the ideals of a tile, before it is stored.
    fn put_ideals(&mut self, tile: &Array<'t>, walk: &Walk, all: bool) {
        match (&self.ideal, &tile.ideal) {
            (None, None) => {}
            (_, new) if all => self.ideal = new.clone(),
            (_, _) => {
                let (Lanes::F32(old), Some(new)) = (&self.lanes, tile.given()) else {
                    return;
                };
                let ideals = self.ideal.get_or_insert_with(|| {
                    Arc::new(
                        (0..old.len())
                            .map(|at| ideal::of((&old[..], &None), at))
                            .collect(),
                    )
                });
                let new: Vec<Ideal> = (0..walk.len()).map(|at| ideal::of(new, at)).collect();
                walk.scatter(Arc::make_mut(ideals).as_mut_slice(), &new);
            }
        }
    }

    /// Finds the first element that no store has reached.
    pub fn first_unwritten(&self) -> Option<usize> {
        match &self.written {
            Written::All => None,
            Written::None => Some(0),
            Written::Some(written) => written.iter().position(|w| !w),
        }
    }

    /// Copies the elements to `out`, and returns the error of each.
    pub fn finish(&self, out: &mut [u8]) -> Vec<f64> {
        match (&self.lanes, self.dtype) {
            (Lanes::F32(v), DType::F16) => {
                cast_mut::<f16>(out, |out| out.convert_from_f32_slice(v))
            }
            (Lanes::F32(v), DType::Bf16) => {
                cast_mut::<bf16>(out, |out| out.convert_from_f32_slice(v))
            }
            (Lanes::F32(v), _) => out.copy_from_slice(bytemuck::cast_slice(&v[..])),
            // Elements of fewer bits are in the range of their type already.
            (Lanes::I32(v), DType::Bool | DType::I8 | DType::U8) => out
                .iter_mut()
                .zip(v.iter())
                .for_each(|(o, v)| *o = *v as u8),
            (Lanes::I32(v), DType::I16 | DType::U16) => {
                out.as_chunks_mut()
                    .0
                    .iter_mut()
                    .zip(v.iter())
                    .for_each(|(o, v)| *o = (*v as u16).to_le_bytes());
            }
            (Lanes::I64(v), DType::U32) => {
                out.as_chunks_mut()
                    .0
                    .iter_mut()
                    .zip(v.iter())
                    .for_each(|(o, v)| *o = (*v as u32).to_le_bytes());
            }
            (Lanes::I64(v), _) => out.copy_from_slice(bytemuck::cast_slice(&v[..])),
            (Lanes::I32(v), _) => out.copy_from_slice(bytemuck::cast_slice(&v[..])),
            (Lanes::Mask(v), _) => out.copy_from_slice(v),
        }
        self.error.as_ref().map(|e| e.to_vec()).unwrap_or_default()
    }
}

/// Returns the indices of the nth element over axes.
fn nth_of(axes: &[Sized], nth: usize) -> Vec<i64> {
    let mut left = nth;
    let mut at = vec![0i64; axes.len()];
    for (index, (_, n)) in at.iter_mut().zip(axes).rev() {
        *index = (left % n) as i64;
        left /= n;
    }
    at
}

/// Returns the errors of a load, with a mark where another order of a sum may choose another
/// element.
fn left_open(error: Option<Vec<f64>>, places: &[Place], axes: &[Sized]) -> Result<Errors, Trip> {
    if places.iter().all(|place| place.open.is_empty()) {
        return Ok(error.map(Arc::new));
    }
    let len: usize = axes.iter().map(|(_, n)| n).product();
    let mut error = error.unwrap_or_else(|| vec![0.0; len]);
    for (nth, error) in error.iter_mut().enumerate() {
        let at = nth_of(axes, nth);
        for place in places {
            if place.index(axes, &at)?.1 {
                *error = f64::INFINITY;
            }
        }
    }
    Ok(Some(Arc::new(error)))
}

/// Returns the elements at places, and a number where there is none.
fn read_or<T: Copy>(elements: &[T], from: &[Option<usize>], number: T) -> Vec<T> {
    from.iter()
        .map(|at| at.map_or(number, |at| elements[at]))
        .collect()
}

fn put<'t, T: Copy>(old: &mut Shared<'t, T>, new: &Shared<'t, T>, walk: &Walk, all: bool) {
    if all {
        *old = new.clone();
    } else {
        walk.scatter(old.to_mut(), new);
    }
}

fn read(dtype: DType, bytes: &[u8]) -> Lanes<'_> {
    let halves = |convert: &dyn Fn(&mut [f32])| {
        let mut values = vec![0.0; bytes.len() / 2];
        convert(&mut values);
        Lanes::F32(values.into())
    };
    match dtype {
        DType::F16 => halves(&|values| typed::<f16>(bytes, |h| h.convert_to_f32_slice(values))),
        DType::Bf16 => halves(&|values| typed::<bf16>(bytes, |h| h.convert_to_f32_slice(values))),
        DType::F32 => Lanes::F32(given(bytes)),
        DType::I32 => Lanes::I32(given(bytes)),
        DType::Bool => Lanes::I32(
            bytes
                .iter()
                .map(|b| i32::from(*b))
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::I8 => Lanes::I32(
            bytes
                .iter()
                .map(|b| i32::from(*b as i8))
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::I16 => Lanes::I32(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| i16::from_le_bytes(*b).into())
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::U8 => Lanes::I32(
            bytes
                .iter()
                .map(|b| i32::from(*b))
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::U16 => Lanes::I32(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| u16::from_le_bytes(*b).into())
                .collect::<Vec<i32>>()
                .into(),
        ),
        DType::U32 => Lanes::I64(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|b| u32::from_le_bytes(*b).into())
                .collect::<Vec<i64>>()
                .into(),
        ),
        DType::I64 => Lanes::I64(given(bytes)),
        DType::Bits => Lanes::Mask(Shared::Given(bytes)),
    }
}

/// Returns the elements of an argument, copied where they are not aligned.
fn given<T: Pod>(bytes: &[u8]) -> Shared<'_, T> {
    bytemuck::try_cast_slice(bytes).map_or_else(
        |_| bytemuck::pod_collect_to_vec(bytes).into(),
        Shared::Given,
    )
}

/// Calls `f` with bytes as elements, copied where they are not aligned.
fn typed<T: Pod>(bytes: &[u8], f: impl FnOnce(&[T])) {
    match bytemuck::try_cast_slice(bytes) {
        Ok(elements) => f(elements),
        Err(_) => f(&bytemuck::pod_collect_to_vec::<u8, T>(bytes)),
    }
}

/// Calls `f` with bytes as elements for writing.
fn cast_mut<T: Pod>(bytes: &mut [u8], f: impl FnOnce(&mut [T])) {
    match bytemuck::try_cast_slice_mut(bytes) {
        Ok(elements) => f(elements),
        Err(_) => {
            let mut elements = vec![T::zeroed(); bytes.len() / std::mem::size_of::<T>()];
            f(&mut elements);
            bytes.copy_from_slice(bytemuck::cast_slice(&elements));
        }
    }
}
