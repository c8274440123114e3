//! Compares the accesses of all blocks: none touches what another one writes, and outputs are
//! written wholly.
//!
//! Blocks run at the same time and in no order. They are compared after all of them have run, or at
//! a standstill (`sync_all`). The comparison goes block by block over one bit set for each tensor,
//! so that its result does not depend on threads.

use super::across::Stint;
use super::touch::{Site, Touched};
use super::{Gm, Setup, Trip};
use crate::{Alike, Fault};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{QueueStmt, Role, SpanId, StmtKind, TensorRef, View};
use jumar_dsl::ops::contract::Access;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A set of elements.
struct Bits(Vec<u64>);

impl Bits {
    fn new(elems: usize) -> Self {
        Bits(vec![0; elems.div_ceil(64)])
    }
    /// Returns the words of a range, with its bits in them.
    fn words(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
        (range.start / 64..range.end.div_ceil(64)).map(move |word| {
            let (from, to) = (
                range.start.saturating_sub(word * 64),
                (range.end - word * 64).min(64),
            );
            (word, (!0 << from) & (!0 >> (64 - to)))
        })
    }
    fn insert(&mut self, range: Range<usize>) {
        let whole = range.start.div_ceil(64)..range.end / 64;
        if whole.is_empty() {
            return Self::words(range).for_each(|(word, bits)| self.0[word] |= bits);
        }
        let ends = Self::words(range.start..whole.start * 64)
            .chain(Self::words(whole.end * 64..range.end));
        ends.for_each(|(word, bits)| self.0[word] |= bits);
        self.0[whole].fill(!0);
    }
    /// Finds the lowest element of a range that is in the set.
    fn first(&self, range: Range<usize>) -> Option<usize> {
        let mut found = Self::words(range).map(|(word, bits)| (word, self.0[word] & bits));
        found
            .find(|(_, bits)| *bits != 0)
            .map(|(word, bits)| word * 64 + bits.trailing_zeros() as usize)
    }
    fn holds(&self, element: usize) -> bool {
        self.0[element / 64] >> (element % 64) & 1 == 1
    }
    fn joined(mut self, other: Bits) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        self
    }
    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    /// Finds the lowest element that is not in the set.
    fn first_missing(&self) -> usize {
        let full = self.0.iter().take_while(|word| **word == !0).count();
        full * 64
            + self
                .0
                .get(full)
                .map_or(0, |word| word.trailing_ones() as usize)
    }
}

/// An access of a block to an element.
struct Act<'t> {
    block: usize,
    site: &'t Site,
}

/// Conflicting accesses of two blocks that nothing orders.
pub(super) struct Unordered<'t> {
    gm: usize,
    met: Meeting<'t>,
}

impl<'t> Unordered<'t> {
    /// Finds the first conflict of two blocks: accesses that may not run in both orders.
    pub fn of(
        (other, old): (usize, &'t Touched),
        (block, new): (usize, &'t Touched),
    ) -> Option<Unordered<'t>> {
        new.sites.iter().find_map(|site| {
            let apart = |o: &&Site| o.gm == site.gm && !o.does.commutes(site.does);
            old.sites.iter().filter(apart).find_map(|o| {
                let element = o
                    .strips
                    .iter()
                    .flat_map(|a| site.strips.iter().filter_map(|b| a.meets(*b)))
                    .min()?;
                Some(Unordered {
                    gm: site.gm,
                    met: Meeting {
                        element,
                        acts: [
                            Act {
                                block: other,
                                site: o,
                            },
                            Act { block, site },
                        ],
                    },
                })
            })
        })
    }

    /// Makes the fault, J0809.
    pub fn fault(&self, setup: &Setup<'_>, gms: &[Option<Gm<'_>>]) -> Box<Fault> {
        let gm = gms[self.gm]
            .as_ref()
            .expect("only tensors that there are were touched");
        race(setup, gm, &self.met)
    }
}

/// An element that two blocks touch, with the access of the later block second.
struct Meeting<'t> {
    element: usize,
    acts: [Act<'t>; 2],
}

/// True if a block's control flow may depend on what it loads from a tensor that the kernel writes.
/// Such blocks run one after another. With a race between them, each run would do something else,
/// and the report would change. Blocks that add to GM run in order as well, since the order decides
/// how a sum rounds.
pub(super) fn must_run_in_order(setup: &Setup<'_>) -> bool {
    let (mut loads_written, mut reads_scalars, mut joins) = (false, false, false);
    let sig = &setup.lowered.sig;
    let written = |view: &View| match view.global() {
        Some(TensorRef::Param(p)) => sig
            .tensors()
            .any(|(id, _, role, _)| id == p && role != Role::In),
        Some(TensorRef::Work(_)) => true,
        None => false,
    };
    setup.lowered.variants[setup.tiling.variant]
        .body
        .walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind {
                loads_written |= instr.accessed(Access::Read).any(written);
                reads_scalars |= instr.result().is_some();
                joins |= instr.views().any(|(rule, _)| rule.access.joins());
            }
        });
    loads_written && reads_scalars || joins
}

/// The elements that blocks have stored.
pub(super) struct Stored {
    /// The stored elements of each output.
    outputs: Vec<Option<Bits>>,
    /// Elements stored with `store_any`, by tensor.
    alike: BTreeMap<usize, BTreeSet<usize>>,
}

impl Stored {
    /// Makes the state before the run.
    pub fn new(gms: &[Option<Gm<'_>>]) -> Self {
        let output = |gm: &Option<Gm<'_>>| {
            gm.as_ref()
                .filter(|gm| gm.is_output)
                .map(|gm| Bits::new(gm.elems))
        };
        Stored {
            outputs: gms.iter().map(output).collect(),
            alike: BTreeMap::new(),
        }
    }

    /// Adds what blocks did between two barriers, where nothing orders them. `blocks` has one entry
    /// for each block, in order.
    ///
    /// # Errors
    /// The first conflict: of the first tensor, in the lowest block that conflicts with one before
    /// it, at the lowest element.
    pub fn phase(
        &mut self,
        setup: &Setup<'_>,
        gms: &[Option<Gm<'_>>],
        blocks: &[Stint],
    ) -> Result<(), Box<Fault>> {
        for (id, gm) in gms.iter().enumerate() {
            let Some(gm) = gm.as_ref().filter(|gm| gm.is_writable()) else {
                continue;
            };
            let written = apart(gm, id, blocks).map_err(|met| race(setup, gm, &met))?;
            if let Some(all) = &mut self.outputs[id] {
                added_to_nothing(all, id, blocks)
                    .map_or(Ok(()), |(at, act)| Err(no_sum(setup, gm, at, &act)))?;
                *all = written.joined(std::mem::replace(all, Bits::new(0)));
            }
            let stores = blocks
                .iter()
                .flat_map(sites_of)
                .filter(|s| s.gm == id && s.does.stores());
            gm.meet(stores.flat_map(Site::runs));
        }
        unlike(blocks).map_or(Ok(()), |both| Err(broken_promise(setup, gms, both)))?;
        for (gm, at) in blocks
            .iter()
            .flat_map(Stint::pieces)
            .flat_map(|touched| touched.alike.keys())
        {
            self.alike.entry(*gm).or_default().insert(*at);
        }
        Ok(())
    }

    /// Returns the elements stored with `store_any`, by name of the tensor, in as few ranges as
    /// possible.
    pub fn alike(&self, gms: &[Option<Gm<'_>>]) -> Alike {
        let named = |(id, all): (&usize, &BTreeSet<usize>)| {
            let mut ranges: Vec<Range<usize>> = Vec::new();
            for at in all {
                match ranges.last_mut() {
                    Some(last) if last.end == *at => last.end += 1,
                    Some(_) | None => ranges.push(*at..at + 1),
                }
            }
            gms[*id].as_ref().map(|gm| (gm.name.clone(), ranges))
        };
        self.alike.iter().filter_map(named).collect()
    }

    /// Checks the outputs after the last phase.
    ///
    /// # Errors
    /// The first output with a gap.
    pub fn finish(&self, setup: &Setup<'_>, gms: &[Option<Gm<'_>>]) -> Result<(), Box<Fault>> {
        let outputs = gms.iter().zip(&self.outputs).enumerate();
        let mut gaps = outputs.filter_map(|(id, (gm, stored))| {
            let (gm, stored) = (gm.as_ref()?, stored.as_ref()?);
            (stored.len() < gm.elems).then(|| not_wholly_written(setup, id, gm, stored))
        });
        gaps.next().map_or(Ok(()), Err)
    }
}

/// The elements that blocks have accessed, one set for each kind of access.
struct Done(Vec<(Access, Bits)>);

impl Done {
    /// Finds the lowest element of a site in a set whose accesses may not run in both orders.
    fn first(&self, site: &Site) -> Option<usize> {
        let others = self.0.iter().filter(|(does, _)| !does.commutes(site.does));
        others
            .filter_map(|(_, bits)| site.runs().filter_map(|run| bits.first(run)).min())
            .min()
    }

    fn insert(&mut self, elems: usize, site: &Site) {
        let at = self
            .0
            .iter()
            .position(|(does, _)| *does == site.does)
            .unwrap_or_else(|| {
                self.0.push((site.does, Bits::new(elems)));
                self.0.len() - 1
            });
        site.runs().for_each(|run| self.0[at].1.insert(run));
    }
}

/// Iterates over all accesses of a block.
fn sites_of(stint: &Stint) -> impl Iterator<Item = &Site> {
    stint.pieces().flat_map(|touched| &touched.sites)
}

/// Returns the elements of a tensor that blocks store, if no two blocks conflict.
fn apart<'t>(gm: &Gm<'_>, id: usize, blocks: &'t [Stint]) -> Result<Bits, Meeting<'t>> {
    let sites = |block: usize| sites_of(&blocks[block]).filter(move |s| s.gm == id);
    let mut done = Done(Vec::new());
    for block in 0..blocks.len() {
        let meets = |site: &'t Site| Some((done.first(site)?, site));
        if let Some((element, site)) = sites(block)
            .filter_map(meets)
            .min_by_key(|(element, _)| *element)
        {
            let is_other = |s: &&Site| {
                !s.does.commutes(site.does) && s.strips.iter().any(|strip| strip.holds(element))
            };
            let other =
                (0..block).find_map(|b| sites(b).find(is_other).map(|site| Act { block: b, site }));
            let other = other.expect("only blocks before this one have put elements into the sets");
            return Err(Meeting {
                element,
                acts: [other, Act { block, site }],
            });
        }
        sites(block).for_each(|site| done.insert(gm.elems, site));
    }
    let mut stored = done
        .0
        .into_iter()
        .filter(|(does, _)| does.stores())
        .map(|(_, bits)| bits);
    let first = stored.next().unwrap_or_else(|| Bits::new(gm.elems));
    Ok(stored.fold(first, Bits::joined))
}

/// An element to which two blocks stored different bits with `store_any`: tensor, element, and the
/// blocks with their statements.
type Unlike = (usize, usize, [(usize, SpanId); 2]);

/// Finds the first element to which two blocks stored different bits with `store_any`.
fn unlike(blocks: &[Stint]) -> Option<Unlike> {
    let mut known: BTreeMap<(usize, usize), (usize, u64, SpanId)> = BTreeMap::new();
    for (block, stint) in blocks.iter().enumerate() {
        for ((gm, at), (bits, span)) in stint.pieces().flat_map(|touched| &touched.alike) {
            let old = known.insert((*gm, *at), (block, *bits, *span));
            if let Some((other, _, first)) =
                old.filter(|(other, old, _)| *other != block && old != bits)
            {
                return Some((*gm, *at, [(other, first), (block, *span)]));
            }
        }
    }
    None
}

fn broken_promise(
    setup: &Setup<'_>,
    gms: &[Option<Gm<'_>>],
    (gm, at, [(other, first), (block, span)]): Unlike,
) -> Box<Fault> {
    let (index, name) = gms[gm]
        .as_ref()
        .map_or_else(Default::default, |gm| (gm.index(at), gm.name.clone()));
    let message = format!(
        "block {block} stores another number to element {index} of `{name}` with `store_any` than block {other} in line {}: nothing decides which stays",
        setup.line(first)
    );
    setup.fault(
        Trip::new(Code::J0809, message),
        span,
        Some(block as i64),
        None,
    )
}

/// Finds the first element of an output to which a block adds and which nothing has stored, in an
/// earlier phase or in the block itself.
fn added_to_nothing<'t>(stored: &Bits, id: usize, blocks: &'t [Stint]) -> Option<(usize, Act<'t>)> {
    (0..blocks.len()).find_map(|block| {
        let sites = || sites_of(&blocks[block]).filter(move |s| s.gm == id);
        let own =
            |at: usize| sites().any(|s| s.does.replaces() && s.strips.iter().any(|t| t.holds(at)));
        let missing = |site: &Site| {
            site.runs()
                .filter_map(|run| run.into_iter().find(|at| !stored.holds(*at) && !own(*at)))
                .min()
        };
        let joins = sites().filter(|s| s.does.joins());
        let found = joins.filter_map(|site| Some((missing(site)?, Act { block, site })));
        found.min_by_key(|(at, _)| *at)
    })
}

fn no_sum(setup: &Setup<'_>, gm: &Gm<'_>, at: usize, act: &Act<'_>) -> Box<Fault> {
    let message = format!(
        "block {} {} element {} of output `{}`, to which nothing was stored before: what it holds then nobody knows",
        act.block,
        act.site.does.verb(),
        gm.index(at),
        gm.name
    );
    setup.fault(
        Trip::new(Code::J0802, message),
        act.site.span,
        Some(act.block as i64),
        None,
    )
}

fn race(setup: &Setup<'_>, gm: &Gm<'_>, met: &Meeting<'_>) -> Box<Fault> {
    let [other, act] = &met.acts;
    let verb = |act: &Act<'_>| act.site.does.verb();
    let held = match setup.lowered.variants[setup.tiling.variant].body.caches_gm() {
        true => "; what `set_value` changes counts until `data_cache_clean_and_invalid` has written its line back",
        false => "",
    };
    let is_promised = met.acts.iter().any(|act| act.site.does == Access::Disjoint);
    let remedy = match is_promised {
        true => ": `store_disjoint` promises that no other iteration of the loop stores it",
        false => ", so each must keep to its own share, `sync_all` or a flag across the cores must stand between the two, or there must be one block",
    };
    let message = format!(
        "block {} {} element {} of `{}`, which block {} {} in line {}; blocks run at the same time and in no order{remedy}{held}",
        act.block,
        verb(act),
        gm.index(met.element),
        gm.name,
        other.block,
        verb(other),
        setup.line(other.site.span)
    );
    setup.fault(
        Trip::new(Code::J0809, message),
        act.site.span,
        Some(act.block as i64),
        None,
    )
}

fn not_wholly_written(setup: &Setup<'_>, id: usize, gm: &Gm<'_>, stored: &Bits) -> Box<Fault> {
    let message = format!(
        "output `{}` is not wholly written: no store reaches {} of its {} elements, the first is element {}",
        gm.name,
        gm.elems - stored.len(),
        gm.elems,
        gm.index(stored.first_missing())
    );
    setup.fault(
        Trip::new(Code::J0802, message),
        setup.lowered.sig.params[id].span,
        None,
        None,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_found_across_words() {
        let mut bits = Bits::new(200);
        bits.insert(0..60);
        bits.insert(63..130);
        assert_eq!((bits.len(), bits.first_missing()), (127, 60));
        assert_eq!(
            [
                bits.first(60..63),
                bits.first(60..64),
                bits.first(129..200),
                bits.first(130..200)
            ],
            [None, Some(63), Some(129), None]
        );
        bits.insert(60..63);
        assert_eq!(bits.first_missing(), 130);
        bits.insert(128..200);
        assert_eq!(
            (
                bits.len(),
                bits.first(199..200),
                Bits::new(128).first(0..128)
            ),
            (200, Some(199), None)
        );
    }
}
