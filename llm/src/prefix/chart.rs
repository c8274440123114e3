//! An Earley recogniser over characters. It keeps a set of items for each character, so a text can
//! be truncated to any length.

use super::table::{Sym, Table};
use std::collections::{HashMap, HashSet};

/// A place in a row, and the beginning of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Item {
    /// The place in [`Table::syms`].
    pub at: u32,
    /// The set in which the row began.
    pub from: u32,
}

/// All places that a text may be at.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub items: Vec<Item>,
    seen: HashSet<Item>,
    /// Items by the rule that they wait for.
    waiting: HashMap<u32, Vec<u32>>,
    /// Rules that matched the empty text here.
    empty: Vec<u32>,
}

impl Set {
    /// Iterates over the items that wait for a rule.
    pub fn waiting(&self, rule: u32) -> impl Iterator<Item = Item> + '_ {
        self.waiting
            .get(&rule)
            .into_iter()
            .flatten()
            .map(|nth| self.items[*nth as usize])
    }

    fn add(&mut self, item: Item) {
        if self.seen.insert(item) {
            self.items.push(item);
        }
    }
}

/// The state of the recogniser for a text.
#[derive(Debug)]
pub(super) struct Chart {
    pub sets: Vec<Set>,
}

impl Chart {
    /// Returns the state before the first character.
    pub fn new(table: &Table) -> Chart {
        let mut first = Set::default();
        table.rules[0]
            .rows
            .iter()
            .for_each(|row| first.add(Item { at: *row, from: 0 }));
        let mut chart = Chart { sets: vec![first] };
        chart.close(table);
        chart
    }

    /// Adds a character. If it is not allowed, returns false and changes nothing.
    pub fn push(&mut self, table: &Table, c: char) -> bool {
        let takes =
            |ranges: &[(char, char)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
        let mut next = Set::default();
        for item in self.sets.last().iter().flat_map(|set| &set.items) {
            if matches!(&table.syms[item.at as usize], Sym::Chars(ranges) if takes(ranges)) {
                next.add(Item {
                    at: item.at + 1,
                    from: item.from,
                });
            }
        }
        if next.items.is_empty() {
            return false;
        }
        self.sets.push(next);
        self.close(table);
        true
    }

    /// True if the text may end here.
    pub fn is_complete(&self, table: &Table) -> bool {
        let ends = |item: &Item| item.from == 0 && table.syms[item.at as usize] == Sym::End(0);
        self.sets
            .last()
            .is_some_and(|set| set.items.iter().any(ends))
    }

    /// Completes the last set by prediction and completion.
    fn close(&mut self, table: &Table) {
        let here = self.sets.len() - 1;
        let mut set = std::mem::take(&mut self.sets[here]);
        let mut nth = 0;
        while nth < set.items.len() {
            let item = set.items[nth];
            match &table.syms[item.at as usize] {
                Sym::Chars(_) => {}
                Sym::Rule(rule) => {
                    let first = !set.waiting.contains_key(rule);
                    set.waiting.entry(*rule).or_default().push(nth as u32);
                    if first {
                        table.rules[*rule as usize].rows.iter().for_each(|row| {
                            set.add(Item {
                                at: *row,
                                from: here as u32,
                            })
                        });
                    }
                    if set.empty.contains(rule) {
                        set.add(Item {
                            at: item.at + 1,
                            from: item.from,
                        });
                    }
                }
                Sym::End(rule) => {
                    let from = item.from as usize;
                    if from == here && !set.empty.contains(rule) {
                        set.empty.push(*rule);
                    }
                    let own = if from == here { &set } else { &self.sets[from] };
                    let more: Vec<Item> = own
                        .waiting(*rule)
                        .map(|w| Item {
                            at: w.at + 1,
                            from: w.from,
                        })
                        .collect();
                    more.into_iter().for_each(|item| set.add(item));
                }
            }
            nth += 1;
        }
        self.sets[here] = set;
    }
}
