//! Flags across the cores, as the run as a whole sees them: who has set each how often, and what each block knows of the others.
//!
//! Every block sets a flag before any goes on that waits for it (mode 0). What a block does between two settings is a piece; a setting tells
//! the pieces before it and all that the block knew, a wait learns that of all blocks. Pieces of two blocks of which neither knows the
//! other must keep apart. They stay here until every block that still runs knows them.

use super::blocks::Unordered;
use super::touch::Touched;
use jumar_dsl::ir::CROSS_IDS;
use std::collections::VecDeque;

/// What a block did since it stood still last.
#[derive(Debug, Default)]
pub(super) struct Stint {
    /// What ended with a setting, and of which flag.
    set: Vec<(Touched, usize)>,
    /// What it did behind the last one.
    rest: Touched,
}

impl Stint {
    /// The accesses from now on.
    pub fn now(&mut self) -> &mut Touched {
        &mut self.rest
    }
    /// A setting: what follows it knows nothing of.
    pub fn sets(&mut self, flag: usize) {
        self.set.push((std::mem::take(&mut self.rest), flag));
    }
    /// All of its pieces.
    pub fn pieces(&self) -> impl Iterator<Item = &Touched> {
        self.set
            .iter()
            .map(|(touched, _)| touched)
            .chain([&self.rest])
    }
}

/// Of each block, how many of its pieces have ended.
type Known = Vec<usize>;

/// A flag of all cores.
#[derive(Clone)]
struct Flag {
    /// By block, what each of its settings tells.
    told: Vec<Vec<Known>>,
    /// By block, how often it has gone on behind a wait.
    waited: Vec<usize>,
}

/// The flags of a run.
pub(super) struct Across {
    flags: Vec<Flag>,
    /// What each block knows.
    known: Vec<Known>,
    /// How many pieces each has made.
    made: Vec<usize>,
    /// Those that some block may not know, with their numbers.
    late: Vec<VecDeque<(usize, Touched)>>,
}

impl Across {
    /// Flags that nobody has set.
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

    /// The first accesses of what blocks did now that meet others from before which their block does not know.
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

    /// Takes what blocks did now, and what they set.
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

    /// The first block that has not set a flag as often as another one waits for it now, and how often it has.
    pub fn missing(&self, flag: usize, waits: usize) -> Option<(usize, usize)> {
        let flag = &self.flags[flag];
        let times = flag.told.iter().map(Vec::len).enumerate();
        times
            .into_iter()
            .find(|(_, times)| *times <= flag.waited[waits])
    }

    /// How often a block has gone on behind a wait for a flag.
    pub fn waited(&self, flag: usize, block: usize) -> usize {
        self.flags[flag].waited[block]
    }

    /// A block goes on behind its wait, for which all blocks have set the flag.
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

    /// All blocks have met: each knows all.
    pub fn all_met(&mut self) {
        self.known.fill(self.made.clone());
    }

    /// Drops what all blocks know that still run.
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
