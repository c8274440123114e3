//! The length of each workspace, and its place in the workspace of the launch.
//!
//! Workspaces lie one behind the other in the order of their declarations. Each begins at a line of
//! GM, so no line is shared. The host computes lengths and places; a core gets them with the tiling
//! data.

use super::Host;
use crate::ir::{BinOp, HostStep, Scalar, WorkDecl};
use crate::tiling::MAX_ELEMENTS;

/// Gives each workspace its length and place, and returns the bytes of all. `block_dim` is the
/// number of blocks that the host launches.
pub fn place(host: &mut Host<'_>, works: &mut [WorkDecl], block_dim: &Scalar) -> Scalar {
    let blocks = |s: &Scalar| (*s == Scalar::BlockDim).then(|| block_dim.clone());
    let mut end = Scalar::Int(0);
    for work in works {
        work.len = host.known(
            &format!("{}_length", work.name),
            &host.binding.sized(&work.len.replace(&blocks)),
        );
        if work.len.as_int().is_none_or(|n| n < 0) {
            host.steps.push(possible(work));
        }
        work.at = host.known(&format!("{}_at", work.name), &end);
        let bytes = work.len.clone() * host.binding.bytes(work.dtype);
        end = (work.at.clone() + bytes).align_up(host.chip.gm_line_bytes);
    }
    host.known("workspace_bytes", &end)
}

/// Makes the check of a length that the host runs before it plans with it.
fn possible(work: &WorkDecl) -> HostStep {
    let least = work.len.clone().bin(BinOp::Ge, 0);
    HostStep::Require {
        cond: least.bin(BinOp::And, work.len.clone().bin(BinOp::Le, MAX_ELEMENTS)),
        message: format!(
            "workspace `{}` has less than 0 elements or more than {MAX_ELEMENTS}",
            work.name
        ),
        of_field: false,
    }
}
