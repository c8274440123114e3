//! Endings of a text: their fixed parts, and holes for parts that depend on the kernel.

use super::chart::{Chart, Item};
use super::table::{Sym, Table};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The kind of a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Hole {
    /// A value of any kind.
    Value,
    /// The arguments of a call.
    Given,
    /// An existing name, or the rest of one.
    Name,
    /// A new name that is not in use.
    Fresh,
    /// The type of a parameter or value.
    Type,
    /// A parameter of a function.
    Parameter,
}

impl Hole {
    /// Returns the hole of a rule of the grammar, if it is one.
    fn of(rule: &str) -> Option<Hole> {
        Some(match rule {
            "expr" | "or" | "and" | "cmp" | "bits" | "closed" | "cast" | "unary" => Hole::Value,
            "given" => Hole::Given,
            "IDENT" => Hole::Name,
            "pattern" | "r_named" => Hole::Fresh,
            "type" | "path" | "r_types" => Hole::Type,
            "parameter" => Hole::Parameter,
            _ => return None,
        })
    }
    /// The cost of a hole, in characters.
    const COST: u32 = 4;
}

/// A part of an ending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    Text(String),
    Hole(Hole),
}

/// An ending with holes.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub cost: u32,
    pub pieces: Vec<Piece>,
}

/// A rule, and the set in which it began.
type Node = (u32, u32);

/// Returns the shortest ending for each possible next symbol, the shortest first. `typed` is the
/// word at the end of the text.
pub(super) fn forms(table: &Table, chart: &Chart, typed: &str) -> Vec<Form> {
    let here = chart.sets.len() as u32 - 1;
    let mut ways = Ways {
        table,
        chart,
        exits: HashMap::new(),
    };
    let mut seen = HashSet::new();
    let mut leaves = BTreeMap::new();
    for item in &chart.sets[here as usize].items {
        let is_begun = item.from != here || here == 0 || !is_start(table, item.at);
        if is_begun {
            ways.leaves(*item, here, &mut seen, &mut leaves);
        }
    }
    let mut out: BTreeMap<Vec<Piece>, u32> = BTreeMap::new();
    if chart.is_complete(table) {
        out.insert(Vec::new(), 0);
    }
    for (item, leaf) in leaves {
        let Some((cost, mut pieces)) = ways.exit(table.rule_of(item.at), item.from) else {
            continue;
        };
        let rest_at = item.at + 1;
        let mut begun = match leaf {
            Leaf::Hole(hole) => vec![Piece::Hole(hole)],
            Leaf::Word if typed.is_empty() => continue,
            Leaf::Word => {
                // A name hole replaces the rest of the row.
                let Some((cost, mut behind)) = ways.exit_of_word(item) else {
                    continue;
                };
                behind.insert(0, Piece::Hole(Hole::Name));
                keep(&mut out, tidy(behind), cost + Hole::COST);
                continue;
            }
            Leaf::Char(c) => vec![Piece::Text(c.to_string())],
        };
        let rest = ways.rest(rest_at, &mut begun);
        let Some(rest) = rest else { continue };
        begun.append(&mut pieces);
        keep(
            &mut out,
            tidy(begun),
            cost.saturating_add(rest).saturating_add(1),
        );
    }
    // White space and comments lead nowhere else, except where a word needs a separator.
    let is_blank = |pieces: &Vec<Piece>| matches!(pieces.first(), Some(Piece::Text(text)) if text.starts_with([' ', '\t', '\r', '\n', '/']));
    let needs_space = out.keys().all(is_blank);
    out.retain(|pieces, _| {
        !is_blank(pieces)
            || (needs_space && matches!(pieces.first(), Some(Piece::Text(text)) if text.starts_with([' ', '\n', '/'])))
    });
    let mut all: Vec<Form> = out
        .into_iter()
        .map(|(pieces, cost)| Form { cost, pieces })
        .collect();
    all.sort_by(|a, b| (a.cost, &a.pieces).cmp(&(b.cost, &b.pieces)));
    all
}

fn keep(out: &mut BTreeMap<Vec<Piece>, u32>, pieces: Vec<Piece>, cost: u32) {
    let own = out.entry(pieces).or_insert(cost);
    *own = cost.min(*own);
}

/// Joins adjacent texts.
fn tidy(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (out.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => out.push(piece),
        }
    }
    out
}

/// True at the beginning of a row.
fn is_start(table: &Table, at: u32) -> bool {
    at == 0 || matches!(table.syms[at as usize - 1], Sym::End(_))
}

/// The first symbol of an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Hole(Hole),
    /// A continuation of the name at the end of the text.
    Word,
    Char(char),
}

struct Ways<'a> {
    table: &'a Table,
    chart: &'a Chart,
    exits: HashMap<Node, (u32, Option<Item>)>,
}

impl Ways<'_> {
    /// Collects the possible next symbols at an item of the last set.
    fn leaves(
        &self,
        item: Item,
        here: u32,
        seen: &mut HashSet<Item>,
        out: &mut BTreeMap<Item, Leaf>,
    ) {
        if !seen.insert(item) {
            return;
        }
        match &self.table.syms[item.at as usize] {
            Sym::Chars(ranges) => {
                let is_word = item.from < here && self.word_of(item).is_some();
                let leaf = if is_word {
                    Leaf::Word
                } else {
                    Leaf::Char(sample(ranges))
                };
                out.insert(item, leaf);
            }
            Sym::Rule(rule) => match Hole::of(&self.table.rules[*rule as usize].name) {
                Some(hole) => drop(out.insert(item, Leaf::Hole(hole))),
                None => {
                    for row in &self.table.rules[*rule as usize].rows {
                        self.leaves(
                            Item {
                                at: *row,
                                from: here,
                            },
                            here,
                            seen,
                            out,
                        );
                    }
                    if self.table.rules[*rule as usize].least == 0 {
                        self.leaves(
                            Item {
                                at: item.at + 1,
                                from: item.from,
                            },
                            here,
                            seen,
                            out,
                        );
                    }
                }
            },
            Sym::End(_) => {}
        }
    }

    /// Returns the name that an item is part of, with its beginning.
    fn word_of(&self, item: Item) -> Option<Node> {
        let (mut rule, mut from) = (self.table.rule_of(item.at), item.from);
        // Parts of a token have no rule name of their own.
        for _ in 0..64 {
            let name = self.table.rules[rule as usize].name.as_str();
            if name == "IDENT" {
                return Some((rule, from));
            }
            if !name.is_empty() {
                return None;
            }
            let up = self.chart.sets[from as usize].waiting(rule).next()?;
            (rule, from) = (self.table.rule_of(up.at), up.from);
        }
        None
    }

    fn exit_of_word(&mut self, item: Item) -> Option<(u32, Vec<Piece>)> {
        let (rule, from) = self.word_of(item)?;
        self.exit(rule, from)
    }

    /// Returns the shortest text behind a rule that began in a set.
    fn exit(&mut self, rule: u32, from: u32) -> Option<(u32, Vec<Piece>)> {
        self.relax((rule, from));
        let (cost, _) = *self.exits.get(&(rule, from))?;
        let (mut pieces, mut node) = (Vec::new(), (rule, from));
        while let Some((_, Some(via))) = self.exits.get(&node).copied() {
            self.rest(via.at + 1, &mut pieces)?;
            node = (self.table.rule_of(via.at), via.from);
        }
        (cost < u32::MAX).then_some((cost, pieces))
    }

    /// Finds the shortest way out of a node and of all above it.
    fn relax(&mut self, node: Node) {
        if self.exits.contains_key(&node) {
            return;
        }
        let (mut open, mut nodes) = (vec![node], BTreeSet::new());
        while let Some(node) = open.pop() {
            if self.exits.contains_key(&node) || !nodes.insert(node) {
                continue;
            }
            let up = self.chart.sets[node.1 as usize].waiting(node.0);
            open.extend(up.map(|item| (self.table.rule_of(item.at), item.from)));
        }
        let mut found: HashMap<Node, (u32, Option<Item>)> = HashMap::new();
        if nodes.contains(&(0, 0)) {
            found.insert((0, 0), (0, None));
        }
        loop {
            let mut changed = false;
            for node in &nodes {
                for item in self.chart.sets[node.1 as usize].waiting(node.0) {
                    let above = (self.table.rule_of(item.at), item.from);
                    let Some((up, _)) = found.get(&above).or_else(|| self.exits.get(&above)) else {
                        continue;
                    };
                    let sum = up.saturating_add(self.table.rest(item.at + 1));
                    if sum < found.get(node).map_or(u32::MAX, |(own, _)| *own) {
                        found.insert(*node, (sum, Some(item)));
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        self.exits.extend(found);
    }

    /// Writes the shortest rest of a row, and returns its cost.
    fn rest(&self, from: u32, out: &mut Vec<Piece>) -> Option<u32> {
        let mut sum = 0u32;
        for sym in &self.table.syms[from as usize..] {
            match sym {
                Sym::Chars(ranges) => {
                    out.push(Piece::Text(sample(ranges).to_string()));
                    sum += 1;
                }
                Sym::Rule(rule) => match Hole::of(&self.table.rules[*rule as usize].name) {
                    Some(hole) => {
                        out.push(Piece::Hole(hole));
                        sum += Hole::COST;
                    }
                    None => {
                        let rows = self.table.rules[*rule as usize].rows.iter().copied();
                        let row = rows.min_by_key(|row| self.table.rest(*row))?;
                        sum = sum.saturating_add(self.rest(row, out)?);
                    }
                },
                Sym::End(_) => return Some(sum),
            }
        }
        Some(sum)
    }
}

/// Picks a character of some ranges.
fn sample(ranges: &[(char, char)]) -> char {
    let likely = ['0', 'a', ' '];
    let has = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c));
    likely
        .into_iter()
        .find(has)
        .unwrap_or(ranges.first().map_or(' ', |(from, _)| *from))
}
