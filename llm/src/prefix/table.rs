//! Productions in the form of a recogniser: rows of characters and rules, in one array.

use crate::grammar::{Grammar, Part};
use std::collections::HashMap;

/// A symbol of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sym {
    /// One character of these ranges.
    Chars(Box<[(char, char)]>),
    /// A rule, by its index.
    Rule(u32),
    /// The end of a row of this rule.
    End(u32),
}

/// A rule with its rows.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its name in the grammar; empty for a part of a rule.
    pub name: String,
    /// The beginnings of its rows in [`Table::syms`].
    pub rows: Vec<u32>,
    /// Characters of its shortest text; [`u32::MAX`] if it has none.
    pub least: u32,
}

/// The rules of a grammar. A text begins with the first one.
#[derive(Debug)]
pub(super) struct Table {
    pub syms: Vec<Sym>,
    pub rules: Vec<Rule>,
}

impl Table {
    /// Builds the table of the productions that the first rule reaches.
    pub fn new(grammar: &Grammar) -> Table {
        let reached = grammar.reached();
        let mut table = Table {
            syms: Vec::new(),
            rules: Vec::new(),
        };
        let names: HashMap<&str, u32> = reached
            .iter()
            .map(|(name, _)| (*name, table.rule(name)))
            .collect();
        for (name, part) in reached {
            table.rows_of(names[name], part, &names);
        }
        table.measure();
        table
    }

    fn rule(&mut self, name: &str) -> u32 {
        self.rules.push(Rule {
            name: name.to_string(),
            rows: Vec::new(),
            least: u32::MAX,
        });
        self.rules.len() as u32 - 1
    }

    /// Adds each alternative of a part as a row.
    fn rows_of(&mut self, rule: u32, part: &Part, names: &HashMap<&str, u32>) {
        match part {
            Part::Choice(parts) => parts
                .iter()
                .for_each(|part| self.row(rule, std::slice::from_ref(part), names)),
            Part::Row(parts) => self.row(rule, parts, names),
            other => self.row(rule, std::slice::from_ref(other), names),
        }
    }

    fn row(&mut self, rule: u32, parts: &[Part], names: &HashMap<&str, u32>) {
        let mut syms = Vec::new();
        parts
            .iter()
            .for_each(|part| self.put(part, &mut syms, names));
        syms.push(Sym::End(rule));
        self.rules[rule as usize].rows.push(self.syms.len() as u32);
        self.syms.extend(syms);
    }

    fn put(&mut self, part: &Part, out: &mut Vec<Sym>, names: &HashMap<&str, u32>) {
        match part {
            Part::Literal(text) => out.extend(text.chars().map(|c| Sym::Chars(Box::new([(c, c)])))),
            Part::Class(ranges) => out.push(Sym::Chars(ranges.clone().into_boxed_slice())),
            Part::Name(name) => out.push(Sym::Rule(names[name.as_str()])),
            Part::Row(parts) => parts.iter().for_each(|part| self.put(part, out, names)),
            Part::Choice(_) => {
                let inner = self.rule("");
                self.rows_of(inner, part, names);
                out.push(Sym::Rule(inner));
            }
            Part::Times(inner, least, most) => {
                let one = self.rule("");
                self.rows_of(one, inner, names);
                out.extend((0..*least).map(|_| Sym::Rule(one)));
                match most {
                    None => {
                        let many = self.rule("");
                        self.add_row(many, Vec::new());
                        self.add_row(many, vec![Sym::Rule(many), Sym::Rule(one)]);
                        out.push(Sym::Rule(many));
                    }
                    Some(most) => {
                        let mut rest = None;
                        for _ in *least..*most {
                            let some = self.rule("");
                            self.add_row(some, Vec::new());
                            self.add_row(
                                some,
                                [Sym::Rule(one)]
                                    .into_iter()
                                    .chain(rest.map(Sym::Rule))
                                    .collect(),
                            );
                            rest = Some(some);
                        }
                        out.extend(rest.map(Sym::Rule));
                    }
                }
            }
        }
    }

    fn add_row(&mut self, rule: u32, mut syms: Vec<Sym>) {
        syms.push(Sym::End(rule));
        self.rules[rule as usize].rows.push(self.syms.len() as u32);
        self.syms.extend(syms);
    }

    /// Finds the shortest text of each rule.
    fn measure(&mut self) {
        loop {
            let mut changed = false;
            for at in 0..self.rules.len() {
                let least = self.rules[at]
                    .rows
                    .iter()
                    .map(|row| self.rest(*row))
                    .min()
                    .unwrap_or(u32::MAX);
                if least < self.rules[at].least {
                    self.rules[at].least = least;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Returns the characters of the shortest text from a place to the end of its row.
    pub fn rest(&self, from: u32) -> u32 {
        let mut sum = 0u32;
        for sym in &self.syms[from as usize..] {
            sum = sum.saturating_add(match sym {
                Sym::Chars(_) => 1,
                Sym::Rule(rule) => self.rules[*rule as usize].least,
                Sym::End(_) => return sum,
            });
        }
        sum
    }

    /// Returns the rule that a place belongs to.
    pub fn rule_of(&self, at: u32) -> u32 {
        for sym in &self.syms[at as usize..] {
            if let Sym::End(rule) = sym {
                return *rule;
            }
        }
        unreachable!("every row has an end")
    }
}
