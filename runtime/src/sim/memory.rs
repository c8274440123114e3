//! UB of one block: its bytes, and which of them were ever written.
//!
//! Storage is made of whole data blocks. A tensor that starts at a data block is therefore aligned
//! for every element type, and typed views need no copy. Beside each data block stands one `u32`,
//! whose bits say which bytes are valid (see [`super::poison`]).

use bytemuck::{Pod, Zeroable};

/// The bytes of a data block. The bitmap keeps one `u32` for each, so this is a constant; `Program`
/// refuses a chip with another size.
pub(super) const DATA_BLOCK: usize = jumar_dsl::soc::DATA_BLOCK_BYTES as usize;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(32))]
struct DataBlock([u8; DATA_BLOCK]);

/// UB of one block.
pub(super) struct Ub {
    blocks: Vec<DataBlock>,
    /// One word for each data block, one bit for each byte: 1 where it was written.
    pub valid: Vec<u32>,
    /// Validity of each bit of a mask byte; empty unless the kernel has compares.
    pub mask_bits: Vec<u8>,
}

impl Ub {
    /// Makes a memory of `bytes` bytes, all of it poison.
    pub fn new(bytes: usize, with_masks: bool) -> Self {
        let blocks = bytes.div_ceil(DATA_BLOCK);
        let mask_bits = if with_masks {
            vec![0; blocks * DATA_BLOCK]
        } else {
            Vec::new()
        };
        Ub {
            blocks: vec![DataBlock::zeroed(); blocks],
            valid: vec![0; blocks],
            mask_bits,
        }
    }
    /// Restores the state of [`Ub::new`], so that a block never sees what another one left.
    pub fn clear(&mut self) {
        self.blocks.fill(DataBlock::zeroed());
        self.valid.fill(0);
        self.mask_bits.fill(0);
    }
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(&self.blocks)
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.blocks)
    }
}
