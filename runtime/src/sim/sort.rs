//! Places of the largest elements, and pairs of a score and its place, sorted and merged. The
//! emitted text merges sorted lists; this module uses a stable sort instead.

use super::memory::DATA_BLOCK;
use super::vector::{Call, Core, Place};
use super::{poison, Overflow, Trip};
use half::f16;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::contract::{list_elements, LIST, MOST_LISTS, PAIR_BYTES};
use std::cmp::Ordering;

/// The bytes of a place.
const PLACE: usize = 4;

/// The bytes of a pair.
const PAIR: usize = PAIR_BYTES as usize;

/// The bytes of a pair, and which of them hold a value.
type Pair = ([u8; PAIR], [bool; PAIR]);

/// Orders larger scores first; -0 and 0 are equal.
fn falling(a: f32, b: f32) -> Ordering {
    (b + 0.0).total_cmp(&(a + 0.0))
}

fn refused(text: String) -> Trip {
    Trip::new(Code::J0801, text)
}

impl Core {
    /// Writes the places of the `most` largest of `n` elements; the work space has no value
    /// afterwards.
    pub(super) fn top(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (dst, [src, places]) = (call.dst, [call.srcs[0], call.srcs[1]]);
        let size = src.dtype.bytes() as usize;
        let n = self.extent(call, self.repeat_bytes / size, false)?.n;
        call.sorted(n)?;
        let most = call
            .most
            .and_then(|most| usize::try_from(most).ok())
            .filter(|most| (1..=n).contains(most));
        let Some(most) = most else {
            let found = call
                .most
                .map_or("missing".to_string(), |most| most.to_string());
            return Err(refused(format!(
                "the number of places that `top` is asked for is {found}, possible are 1 to {n}"
            )));
        };
        let Some(work) = call.work else {
            return Err(refused("`top` has no work space".to_string()));
        };
        let all = n.next_multiple_of(LIST as usize);
        let lists = all * list_elements(size as i64) as usize * size;
        call.all_apart([
            (dst, most * PLACE),
            (src, n * size),
            (places, all * PLACE),
            (work, lists),
        ])?;
        // The documented addition of 0 makes infinities the largest number in that mode.
        let most_finite = match (src.dtype, self.overflow) {
            (DType::F16, Overflow::Saturate) => f16::MAX.to_f32(),
            _ => f32::INFINITY,
        };
        let score = |i| {
            self.score(call, src, i)
                .map(|score| score.clamp(-most_finite, most_finite))
        };
        let scores = (0..n).map(score).collect::<Result<Vec<f32>, Trip>>()?;
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| falling(scores[*a], scores[*b]));
        for (i, from) in order[..most].iter().enumerate() {
            let (at, to) = (places.at + from * PLACE, dst.at + i * PLACE);
            self.ub.bytes_mut().copy_within(at..at + PLACE, to);
            let ok = poison::element(&self.ub.valid, at, PLACE);
            poison::mark(&mut self.ub.valid, to, PLACE, ok);
        }
        poison::mark(&mut self.ub.valid, work.at, lists, false);
        Ok(())
    }

    /// Runs Sort32: each 32 elements become pairs. For half, the bytes between an element and its
    /// place have no value.
    pub(super) fn sort32(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (dst, [src, places]) = (call.dst, [call.srcs[0], call.srcs[1]]);
        let size = src.dtype.bytes() as usize;
        let n = self.extent(call, self.repeat_bytes / size, false)?.n;
        call.sorted_lists(n)?;
        call.lists_apart(
            (dst, n * PAIR),
            &[(src, n * size), (places, n * PLACE)],
            DATA_BLOCK,
        )?;
        let scores = (0..n)
            .map(|i| self.score(call, src, i))
            .collect::<Result<Vec<f32>, Trip>>()?;
        let mut order: Vec<usize> = (0..n).collect();
        order
            .chunks_mut(LIST as usize)
            .for_each(|list| list.sort_by(|a, b| falling(scores[*a], scores[*b])));
        for (i, from) in order.into_iter().enumerate() {
            let (pair, score, place) = (
                dst.at + i * PAIR,
                src.at + from * size,
                places.at + from * PLACE,
            );
            let known = poison::element(&self.ub.valid, place, PLACE);
            let ub = self.ub.bytes_mut();
            ub[pair..pair + PAIR].fill(0);
            ub.copy_within(score..score + size, pair);
            ub.copy_within(place..place + PLACE, pair + PAIR - PLACE);
            poison::mark(&mut self.ub.valid, pair, PAIR - PLACE, false);
            poison::mark(&mut self.ub.valid, pair, size, true);
            poison::mark(&mut self.ub.valid, pair + PAIR - PLACE, PLACE, known);
        }
        Ok(())
    }

    /// Runs MrgSort: ordered lists of pairs become one. With several groups of four lists, each
    /// group becomes one.
    pub(super) fn merge(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let size = call.dst.dtype.bytes() as usize;
        let n = self.extent(call, self.repeat_bytes / size, false)?.n;
        // The lists of each merge, and their offsets.
        let mut lists: Vec<(Place, usize)> = Vec::new();
        let (merges, each) = match (call.srcs, call.lengths) {
            ([src], [all]) => {
                let all = call.pairs(*all)?;
                call.fours(n)?;
                lists.extend((0..n * MOST_LISTS as usize).map(|i| {
                    (
                        Place {
                            at: src.at + i * all * PAIR,
                            ..*src
                        },
                        all,
                    )
                }));
                (n, MOST_LISTS as usize)
            }
            (srcs, lengths) => {
                let lengths = lengths
                    .iter()
                    .copied()
                    .chain([n as i64])
                    .map(|length| call.pairs(length))
                    .collect::<Result<Vec<_>, Trip>>()?;
                lists.extend(srcs.iter().copied().zip(lengths));
                (1, srcs.len())
            }
        };
        let all: usize = lists.iter().map(|(_, length)| length).sum();
        let touched: Vec<_> = lists
            .iter()
            .map(|(place, length)| (*place, length * PAIR))
            .collect();
        call.lists_apart((call.dst, all * PAIR), &touched, PAIR)?;
        let mut to = call.dst.at;
        for merge in 0..merges {
            let pairs = self.in_order(call, &lists[merge * each..(merge + 1) * each])?;
            for (bytes, valid) in pairs {
                self.ub.bytes_mut()[to..to + PAIR].copy_from_slice(&bytes);
                valid
                    .iter()
                    .enumerate()
                    .for_each(|(i, ok)| poison::mark(&mut self.ub.valid, to + i, 1, *ok));
                to += PAIR;
            }
        }
        Ok(())
    }

    /// Returns the pairs of lists in falling order, each with the bytes that have a value.
    fn in_order(&self, call: &Call<'_>, lists: &[(Place, usize)]) -> Result<Vec<Pair>, Trip> {
        let mut all = Vec::new();
        for (list, length) in lists {
            let mut before = f32::INFINITY;
            for i in 0..*length {
                let score = self.score(
                    call,
                    Place {
                        at: list.at + i * PAIR,
                        ..*list
                    },
                    0,
                )?;
                if score > before {
                    let (op, name) = (call.vector.name, &call.tensors[list.tensor].name);
                    return Err(refused(format!(
                        "pair {i} of a list of `{op}` in `{name}` is above the one before it: lists are in falling order"
                    )));
                }
                before = score;
                let at = list.at + i * PAIR;
                let mut bytes = [0; PAIR];
                bytes.copy_from_slice(&self.ub.bytes()[at..at + PAIR]);
                all.push((
                    score,
                    bytes,
                    std::array::from_fn(|byte| poison::element(&self.ub.valid, at + byte, 1)),
                ));
            }
        }
        all.sort_by(|a, b| falling(a.0, b.0));
        Ok(all
            .into_iter()
            .map(|(_, bytes, valid)| (bytes, valid))
            .collect())
    }

    fn score(&self, call: &Call<'_>, src: Place, i: usize) -> Result<f32, Trip> {
        let size = src.dtype.bytes() as usize;
        let (at, op, name) = (src.at + i * size, call.vector.name, || {
            call.tensors[src.tensor].name.as_str()
        });
        if !poison::element(&self.ub.valid, at, size) {
            return Err(Trip::new(
                Code::J0802,
                format!(
                    "element {i} of `{}` has no value, and `{op}` sorts by it",
                    name()
                ),
            ));
        }
        let bytes = &self.ub.bytes()[at..at + size];
        let score = match src.dtype {
            DType::F16 => bytemuck::pod_read_unaligned::<f16>(bytes).to_f32(),
            DType::F32 => bytemuck::pod_read_unaligned::<f32>(bytes),
            other => {
                return Err(refused(format!(
                    "`{op}` sorts no elements of {}",
                    other.name()
                )))
            }
        };
        match score.is_nan() {
            true => Err(Trip::new(
                Code::J0802,
                format!(
                    "element {i} of `{}` is nan, which `{op}` has no place for",
                    name()
                ),
            )),
            false => Ok(score),
        }
    }
}
