//! Flags across cores, as the whole run sees them: how often each block has set each flag, and what
//! each block knows of the others.
//!
//! Every block must set a flag before any block passes a wait for it (mode 0). The accesses of a
//! block between two sets are a piece. A set publishes the earlier pieces of the block and
//! everything that it knew. A wait adds what all blocks published.
//!
//! Pieces of two blocks must not conflict if neither block knows the other's piece. A piece stays
//! here until every running block knows it.

use super::blocks::Unordered;
use super::touch::Touched;
use jumar_dsl::ir::CROSS_IDS;
use std::collections::VecDeque;

/// The accesses of a block since the last standstill of all blocks.
#[derive(Debug, Default)]
pub(super) struct Stint {
    /// Pieces that ended with a set, with the flag.
    set: Vec<(Touched, usize)>,
    /// The accesses after the last set.
    rest: Touched,
}

impl Stint {
    /// Returns the accesses of the current piece.
    pub fn now(&mut self) -> &mut Touched {
        &mut self.rest
    }
    /// Ends a piece with a set of a flag, which publishes nothing of the next piece.
    pub fn sets(&mut self, flag: usize) {
        self.set.push((std::mem::take(&mut self.rest), flag));
    }
    /// Iterates over all pieces.
    pub fn pieces(&self) -> impl Iterator<Item = &Touched> {
        self.set
            .iter()
            .map(|(touched, _)| touched)
            .chain([&self.rest])
    }
}

/// For each block, the number of its pieces that are known.
type Known = Vec<usize>;

/// A flag that all cores share.
#[derive(Clone)]
struct Flag {
    /// For each block, the knowledge that each of its sets published.
    told: Vec<Vec<Known>>,
    /// For each block, the number of waits that it has passed.
    waited: Vec<usize>,
}

/// The flags of a run.
pub(super) struct Across {
    flags: Vec<Flag>,
    /// The knowledge of each block.
    known: Vec<Known>,
    /// The number of finished pieces of each block.
    made: Vec<usize>,
    /// Numbered pieces of each block that some other block may not know.
    late: Vec<VecDeque<(usize, Touched)>>,
}

impl Across {
    /// Makes the flags of a run, none of them set.
    pub fn new(blocks: usize) -> Across {
        let flag = Flag {
            told: vec![Vec::new(); blocks],
            waited: vec![0; blocks],
        };
        Across {
            flags: vec![flag; CROSS_IDS as usize],
            known: vec![vec![0; blocks]; blocks],
            made: vec![0; blocks],
            late: (0..blocks).map(|_| VecDeque::new()).collect(),
        }
    }

    /// Finds new accesses that conflict with earlier ones which their block does not know.
    pub fn unordered<'t>(&'t self, stints: &'t [Stint]) -> Option<Unordered<'t>> {
        stints.iter().enumerate().find_map(|(block, stint)| {
            let late = |other: usize| {
                self.late[other]
                    .iter()
                    .filter(move |(nth, _)| *nth >= self.known[block][other])
            };
            let others = (0..stints.len()).filter(|other| *other != block);
            let mut pairs = others.flat_map(|other| late(other).map(move |(_, old)| (other, old)));
            pairs.find_map(|(other, old)| {
                stint
                    .pieces()
                    .find_map(|new| Unordered::of((other, old), (block, new)))
            })
        })
    }

    /// Takes the new accesses of blocks, and publishes what they set.
    pub fn take(&mut self, stints: Vec<Stint>) {
        for (block, stint) in stints.into_iter().enumerate() {
            for (touched, flag) in stint.set {
                self.piece(block, touched);
                let mut told = self.known[block].clone();
                told[block] = self.made[block];
                self.flags[flag].told[block].push(told);
            }
            self.piece(block, stint.rest);
        }
    }

    fn piece(&mut self, block: usize, touched: Touched) {
        if !touched.sites.is_empty() {
            self.late[block].push_back((self.made[block], touched));
        }
        self.made[block] += 1;
    }

    /// Finds the first block that has not set a flag as often as block `waits` needs now, and the
    /// number of its sets.
    pub fn missing(&self, flag: usize, waits: usize) -> Option<(usize, usize)> {
        let flag = &self.flags[flag];
        let times = flag.told.iter().map(Vec::len).enumerate();
        times
            .into_iter()
            .find(|(_, times)| *times <= flag.waited[waits])
    }

    /// Returns how often a block has passed a wait for a flag.
    pub fn waited(&self, flag: usize, block: usize) -> usize {
        self.flags[flag].waited[block]
    }

    /// Lets a block pass its wait, for which all blocks have set the flag.
    pub fn goes_on(&mut self, flag: usize, block: usize) {
        let flag = &mut self.flags[flag];
        for told in flag
            .told
            .iter()
            .filter_map(|told| told.get(flag.waited[block]))
        {
            self.known[block]
                .iter_mut()
                .zip(told)
                .for_each(|(own, told)| *own = (*own).max(*told));
        }
        flag.waited[block] += 1;
    }

    /// Records a barrier of all blocks: each knows everything.
    pub fn all_met(&mut self) {
        self.known.fill(self.made.clone());
    }

    /// Drops pieces that all running blocks know.
    pub fn forget(&mut self, runs: impl Fn(usize) -> bool) {
        for (block, late) in self.late.iter_mut().enumerate() {
            let others = self
                .known
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != block && runs(*other));
            let known = others.map(|(_, known)| known[block]).min();
            late.retain(|(nth, _)| known.is_some_and(|known| *nth >= known));
        }
    }
}
