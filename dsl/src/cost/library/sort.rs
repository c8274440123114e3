//! Sort and Extract of pairs (asc-devkit, `impl/basic_api/dav_c220`, proposals).
//!
//! Sort32 sorts lists of 32 pairs. A whole sort then merges four lists into one until one is left,
//! and copies between the rounds.

use super::steps::{Steps, Tensor, REPEAT};
use super::{Call, Unknown};

/// Pairs that Sort32 sorts, and the bytes of one.
const LIST: u32 = 32;
const PAIR: u32 = 8;

/// Adds the instructions of Sort.
pub(super) fn sort(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (scores, repeats) = (call.tensor("scores")?, call.number("repeats")?);
    let indices = Tensor {
        at: call.number("indices")?,
        size: 4,
    };
    let pairs = |key| {
        let at = call.number(key)?;
        Ok(Tensor {
            at,
            size: scores.size,
        })
    };
    let (dst, tmp) = (pairs("dst")?, pairs("tmp")?);
    let elements = |pairs: u32| pairs * PAIR / scores.size;
    steps.repeated("Sort32", repeats, dst, &[scores.into(), indices.into()]);
    if !call.is("whole")? {
        return Ok(());
    }
    steps.barrier();
    let copy = |to: Tensor, from: Tensor, pairs: u32, steps: &mut Steps<'_>| {
        steps.whole("DataCopy", elements(pairs), Some(to.into()), &[from.into()]);
    };
    let all = repeats * LIST;
    copy(tmp, dst, all, steps);
    steps.barrier();
    let (mut list, mut lists) = (LIST, repeats);
    while lists > 1 {
        let whole = all / (4 * list);
        let merged = [tmp.into()];
        let repeats = (whole * 4 * list).div_ceil(REPEAT / PAIR);
        steps.repeated("MrgSort", repeats, dst, &merged);
        steps.barrier();
        let (first, rest) = (whole * 4 * list, all - whole * 4 * list);
        let (to, from) = (dst.from(elements(first)), tmp.from(elements(first)));
        if rest > list {
            let repeats = rest.div_ceil(REPEAT / PAIR);
            steps.repeated("MrgSort", repeats, to, &[from.into()]);
        } else if rest > 0 {
            copy(to, from, rest, steps);
        }
        steps.barrier();
        copy(tmp, dst, all, steps);
        steps.barrier();
        (list, lists) = (4 * list, lists.div_ceil(4));
    }
    Ok(())
}

/// Adds the instructions of Extract, which takes scores and indices out of pairs.
pub(super) fn extract(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (values, sorted) = (call.tensor("values")?, call.tensor("sorted")?);
    let indices = Tensor {
        at: call.number("indices")?,
        size: 4,
    };
    // A repeat is 256 bytes of pairs. The library takes indices of half with twice as many repeats.
    let repeats = call.number("repeats")?;
    steps.repeated("GatherMask", repeats, values, &[sorted.into()]);
    steps.barrier();
    let twice = repeats * 4 / values.size;
    let pairs = sorted.sized(4);
    steps.repeated("GatherMask", twice, indices, &[pairs.into()]);
    Ok(())
}
