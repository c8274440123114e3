//! Values of the tiles of a run, for explaining a kernel step by step.

use super::array::{answer, Array, Lanes};
use crate::shown::Element;

/// Elements that are kept of a tile.
const FIRST: usize = 8;

/// A tile as a statement made it when it first ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Traced {
    /// The line of the statement.
    pub line: u32,
    /// Element type, or `mask`.
    pub dtype: &'static str,
    /// The axes and their sizes in that iteration, that of neighbours last.
    pub axes: Vec<(String, usize)>,
    /// The first elements.
    pub first: Vec<Element>,
    /// FNV-1a of all elements: floats as their 32 bits, integers as 64, mask elements as bytes.
    pub hash: u64,
    /// The number of times that the statement ran.
    pub times: u64,
}

impl Traced {
    pub(super) fn new(
        line: u32,
        dtype: &'static str,
        axes: Vec<(String, usize)>,
        tile: &Array<'_>,
    ) -> Traced {
        let len: usize = axes.iter().map(|(_, n)| n).product();
        let first = (0..len.min(FIRST)).map(|at| tile.lanes.shown(at)).collect();
        Traced {
            line,
            dtype,
            axes,
            first,
            hash: hash(&tile.lanes),
            times: 1,
        }
    }
}

fn hash(lanes: &Lanes<'_>) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    let mixed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    match lanes {
        Lanes::F32(v) => v
            .iter()
            .flat_map(|v| v.to_bits().to_le_bytes())
            .fold(start, mixed),
        Lanes::I32(v) => v
            .iter()
            .flat_map(|v| i64::from(*v).to_le_bytes())
            .fold(start, mixed),
        Lanes::I64(v) => v.iter().flat_map(|v| v.to_le_bytes()).fold(start, mixed),
        Lanes::Mask(v) => v.iter().map(|v| answer(*v)).fold(start, mixed),
    }
}
