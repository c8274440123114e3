//! Arguments of a kernel, and options of its start.
//!
//! Parameters are laid out one after the other, each at the alignment of its type and at 4 bytes at
//! least. Addresses and 64-bit numbers are aligned to 8, 32-bit numbers to 4, and a structure as
//! its type demands. The packed block serves every way of launching: one way takes the block,
//! another one each parameter.

use crate::{Context, DeviceBuffer, Error};
use bytemuck::{bytes_of, NoUninit};
use std::marker::PhantomData;
use std::ops::Range;

/// The most parameters that CANN takes in a list of arguments.
pub const MOST_PARAMETERS: usize = 128;

/// Arguments of one launch, in the order of the kernel's parameters.
#[derive(Clone, Debug, Default)]
pub struct Args<'env> {
    bytes: Vec<u8>,
    parameters: Vec<Range<usize>>,
    buffers: Vec<Place>,
    env: PhantomData<&'env ()>,
}

/// A buffer among the arguments.
#[derive(Clone, Debug)]
struct Place {
    context: Context,
    parameter: usize,
    addresses: Range<usize>,
    is_written: bool,
}

impl<'env> Args<'env> {
    /// Makes an empty list of arguments.
    pub fn new() -> Self {
        Args::default()
    }

    /// Adds the address of a buffer that the kernel reads. A buffer that it updates in place is an
    /// [`output`](Self::output).
    #[must_use]
    pub fn buffer<T>(self, buffer: &'env DeviceBuffer<T>) -> Self {
        self.place(buffer, false)
    }

    /// Adds the address of a buffer that the kernel writes. A launch is refused if another argument
    /// has the same memory.
    #[must_use]
    pub fn output<T>(self, buffer: &'env DeviceBuffer<T>) -> Self {
        self.place(buffer, true)
    }

    fn place<T>(mut self, buffer: &'env DeviceBuffer<T>, is_written: bool) -> Self {
        let start = buffer.address() as usize;
        let (context, parameter) = (buffer.context().clone(), self.parameters.len());
        self.buffers.push(Place {
            context,
            parameter,
            addresses: start..start + buffer.bytes(),
            is_written,
        });
        self.push(&(start as u64).to_ne_bytes(), 8);
        self
    }

    /// Adds a null pointer, for a tensor that is left out.
    #[must_use]
    pub fn null(mut self) -> Self {
        self.push(&0u64.to_ne_bytes(), 8);
        self
    }

    /// Adds an address that belongs to no buffer, such as the one at which mixed kernels
    /// synchronise.
    #[must_use]
    pub fn address(mut self, address: u64) -> Self {
        self.push(&address.to_ne_bytes(), 8);
        self
    }

    /// Adds a number, or a structure by value.
    #[must_use]
    pub fn value<T: NoUninit>(mut self, value: &T) -> Self {
        self.push(bytes_of(value), align_of::<T>());
        self
    }

    /// Adds the bytes of a structure by value. `align` is its alignment in C++, a power of two, at
    /// most 16.
    ///
    /// # Errors
    /// [`Error::Refused`] for another alignment.
    pub fn structure(mut self, bytes: &[u8], align: usize) -> Result<Self, Error> {
        if !align.is_power_of_two() || align > 16 || !bytes.len().is_multiple_of(align) {
            let message =
                format!("a structure of {} bytes is not aligned to {align}: whole multiples of 1, 2, 4, 8 or 16", bytes.len());
            return Err(Error::refused(message));
        }
        self.push(bytes, align);
        Ok(self)
    }

    fn push(&mut self, bytes: &[u8], align: usize) {
        let start = self.bytes.len().next_multiple_of(align.max(4));
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytes);
        self.parameters.push(start..self.bytes.len());
    }

    /// Returns the block of all parameters.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Copies the block to memory with any alignment, which CANN may write to: it fills in
    /// addresses of placeholders, of which we have none.
    pub(crate) fn copied(&self) -> Vec<u128> {
        let mut block = vec![0u128; self.bytes.len().div_ceil(size_of::<u128>())];
        bytemuck::cast_slice_mut(&mut block)[..self.bytes.len()].copy_from_slice(&self.bytes);
        block
    }

    /// Iterates over the offset of each parameter.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        self.parameters.iter().map(|range| range.start)
    }

    /// Iterates over the bytes of each parameter.
    pub(crate) fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.parameters
            .iter()
            .map(|range| &self.bytes[range.clone()])
    }

    /// Refuses too many parameters, memory of another device, and written memory that another
    /// argument has as well.
    pub(crate) fn belong_to(&self, context: &Context) -> Result<(), Error> {
        if self.parameters.len() > MOST_PARAMETERS {
            let message = format!(
                "{} arguments: a kernel takes at most {MOST_PARAMETERS}",
                self.parameters.len()
            );
            return Err(Error::refused(message));
        }
        if !self
            .buffers
            .iter()
            .all(|own| own.context.shares_memory_with(context))
        {
            return Err(Error::refused(
                "an argument is in the memory of another device than the stream's",
            ));
        }
        let share = |a: &Place, b: &Place| {
            a.addresses.start.max(b.addresses.start) < a.addresses.end.min(b.addresses.end)
        };
        for (i, written) in self
            .buffers
            .iter()
            .enumerate()
            .filter(|(_, place)| place.is_written)
        {
            if let Some((_, other)) = self
                .buffers
                .iter()
                .enumerate()
                .find(|(j, other)| *j != i && share(written, other))
            {
                return Err(Error::refused(format!(
                    "argument {} is written, and argument {} has the same memory: outputs have memory of their own",
                    written.parameter, other.parameter
                )));
            }
        }
        Ok(())
    }
}

/// Options of a launch besides its blocks and arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Gives all blocks their cores at once, for kernels whose blocks wait for one another.
    pub all_at_once: bool,
    /// The most blocks of such a launch: the device's cores of that kind. Used only with
    /// `all_at_once`.
    pub cores: u32,
}

/// The most blocks of any launch.
pub const MOST_BLOCKS: u32 = 65_535;

impl LaunchConfig {
    /// Refuses an impossible block dim.
    pub(crate) fn takes(&self, blocks: u32) -> Result<(), Error> {
        if !(1..=MOST_BLOCKS).contains(&blocks) {
            return Err(Error::refused(format!(
                "the block dim is {blocks}, allowed are 1 to {MOST_BLOCKS}"
            )));
        }
        if self.all_at_once && blocks > self.cores {
            let message = format!(
                "the block dim is {blocks}, and the kernel's blocks wait for one another: the device has {} cores for them",
                self.cores
            );
            return Err(Error::refused(message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_lie_at_their_alignment() {
        let args = Args::new()
            .value(&1u8)
            .null()
            .value(&2u32)
            .value(&3u32)
            .value(&4u64)
            .structure(&[5; 8], 8)
            .unwrap();
        let args = args.value(&6u16).structure(&[7; 4], 2).unwrap();
        let places: Vec<_> = args.parameters.clone();
        assert_eq!(
            places,
            [0..1, 8..16, 16..20, 20..24, 24..32, 32..40, 40..42, 44..48]
        );
        assert_eq!(args.bytes().len(), 48);
        assert_eq!(
            args.each().map(<[u8]>::len).collect::<Vec<_>>(),
            [1, 8, 4, 4, 8, 8, 2, 4]
        );
        for (bytes, align) in [(8, 3), (8, 32), (6, 4), (8, 0)] {
            assert!(
                Args::new().structure(&vec![0; bytes], align).is_err(),
                "{bytes} {align}"
            );
        }
    }

    #[test]
    fn block_dims_that_there_are_not_are_refused() {
        let any = LaunchConfig::default();
        let met = LaunchConfig {
            all_at_once: true,
            cores: 40,
        };
        for (config, blocks, taken) in [
            (any, 0, false),
            (any, 1, true),
            (any, 65_535, true),
            (any, 65_536, false),
            (met, 40, true),
            (met, 41, false),
        ] {
            assert_eq!(config.takes(blocks).is_ok(), taken, "{config:?} {blocks}");
        }
    }
}
