//! Stores whose place is data: elements that iterations append to a tensor.
//!
//! An undecided mask bit may differ in another order of a sum. From that element on, places and
//! numbers are undecided.

use super::array::{answer, is_open, Array, Errors, Lanes};
use super::gm::Tensor;
use super::Trip;
use std::sync::Arc;

impl<'t> Tensor<'t> {
    /// Appends the elements whose mask bits are 1 to those of earlier iterations; elements beyond
    /// the tensor are only counted.
    pub fn append(&mut self, tile: &Array<'t>, mask: &Array<'t>) -> Result<(), Trip> {
        let Lanes::Mask(bits) = &mask.lanes else {
            return Err(Trip::malformed("an append by what is no mask"));
        };
        let (len, first) = (self.len(), self.appended);
        self.ideal = None;
        self.undecided |= bits.iter().any(|bit| is_open(*bit));
        let kept: Vec<usize> = (0..bits.len()).filter(|i| answer(bits[*i]) == 1).collect();
        let room = kept.len().min(len.saturating_sub(first));
        let into = first.min(len)..first.min(len) + room;
        let from = &kept[..room];
        match (&mut self.lanes, &tile.lanes) {
            (Lanes::F32(old), Lanes::F32(new)) => put(&mut old.to_mut()[into.clone()], new, from),
            (Lanes::I32(old), Lanes::I32(new)) => put(&mut old.to_mut()[into.clone()], new, from),
            (Lanes::I64(old), Lanes::I64(new)) => put(&mut old.to_mut()[into.clone()], new, from),
            _ => {
                return Err(Trip::malformed(format!(
                    "a tile of another kind is appended to `{}`",
                    self.name
                )))
            }
        }
        if self.undecided {
            let errors = Arc::make_mut(self.error.get_or_insert_with(|| Arc::new(vec![0.0; len])));
            errors[first.min(len)..].fill(f64::INFINITY);
        } else if let Some(error) = &tile.error {
            let errors = Arc::make_mut(self.error.get_or_insert_with(|| Arc::new(vec![0.0; len])));
            put(&mut errors[into], error, from);
        }
        self.appended += kept.len();
        Ok(())
    }

    /// Returns the error of the number of appended elements.
    pub fn appended_error(&self) -> Errors {
        self.undecided.then(|| Arc::new(vec![f64::INFINITY]))
    }
}

fn put<T: Copy>(to: &mut [T], from: &[T], at: &[usize]) {
    to.iter_mut().zip(at).for_each(|(to, at)| *to = from[*at]);
}
