//! Productions as parametric rules: the rules that use names, the conditions of alternatives, and
//! the names themselves.

use super::super::ebnf::{is_token, Grammar, Part};
use super::super::in_rules;
use super::super::write::{lark, quoted, regex, times};
use super::axes::{Set, Universe};
use super::counters::{Counter, Kind};
use crate::canon::{Head, OTHERS};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Sets of names, one of which must be present.
pub(super) type Needs = BTreeSet<BTreeSet<String>>;

/// A writer of parametric rules.
pub(super) struct Writer {
    grammar: Grammar,
    counters: Vec<Counter>,
    pub types: Vec<usize>,
    /// Classes of tiles, if sets of axes are types.
    pub universe: Option<Universe>,
    /// The names that a rule needs to match any text.
    pub needs: BTreeMap<String, Needs>,
    /// Rules that use a counter.
    pub asks: BTreeSet<String>,
    pub out: String,
    lifted: usize,
    names: BTreeMap<String, Vec<String>>,
}

impl Writer {
    pub fn new(
        grammar: Grammar,
        counters: Vec<Counter>,
        types: &[usize],
        universe: Option<Universe>,
    ) -> Writer {
        let mut writer = Writer {
            grammar,
            counters,
            types: types.to_vec(),
            universe,
            needs: BTreeMap::new(),
            asks: BTreeSet::new(),
            out: String::new(),
            lifted: 0,
            names: BTreeMap::new(),
        };
        writer.find_asks();
        writer
    }

    pub fn counter(&self, token: &str) -> Option<&Counter> {
        self.counters.iter().find(|counter| counter.token == token)
    }

    /// Returns the names of the head for a token.
    pub fn names_of(&self, token: &str) -> &[String] {
        self.names.get(token).map_or(&[], Vec::as_slice)
    }

    pub fn counters(&self) -> impl Iterator<Item = &Counter> {
        self.counters.iter()
    }

    /// Collects the rules that reach a counter.
    fn find_asks(&mut self) {
        self.asks = self
            .counters
            .iter()
            .map(|counter| counter.token.clone())
            .collect();
        loop {
            let before = self.asks.len();
            for (name, part) in self.grammar.rules() {
                let mut found = false;
                part.names(&mut |own| found |= self.asks.contains(own));
                if found {
                    self.asks.insert(name.to_string());
                }
            }
            if self.asks.len() == before {
                return;
            }
        }
    }

    /// Returns the needs of a part, from the known needs of its rules.
    pub fn needs_of(&self, part: &Part) -> Needs {
        let nothing = || Needs::from([BTreeSet::new()]);
        match part {
            Part::Literal(_) | Part::Class(_) => nothing(),
            Part::Name(name) => match self.counter(name) {
                Some(_) if self.names.get(name).is_some_and(|own| !own.is_empty()) => nothing(),
                Some(_) => Needs::from([BTreeSet::from([name.clone()])]),
                None if !self.asks.contains(name) => nothing(),
                None => self.needs.get(name).cloned().unwrap_or_default(),
            },
            Part::Row(parts) => {
                parts
                    .iter()
                    .map(|part| self.needs_of(part))
                    .fold(nothing(), |a, b| {
                        least(
                            a.iter()
                                .flat_map(|x| b.iter().map(move |y| x.union(y).cloned().collect()))
                                .collect(),
                        )
                    })
            }
            Part::Choice(parts) => {
                least(parts.iter().flat_map(|part| self.needs_of(part)).collect())
            }
            Part::Times(_, 0, _) => nothing(),
            Part::Times(part, ..) => self.needs_of(part),
        }
    }

    fn find_needs(&mut self) {
        loop {
            let before = self.needs.clone();
            for (name, part) in self
                .grammar
                .rules()
                .map(|(name, part)| (name.to_string(), part.clone()))
                .collect::<Vec<_>>()
            {
                if self.asks.contains(&name) && self.counter(&name).is_none() {
                    let needs = self.needs_of(&part);
                    self.needs.insert(name, needs);
                }
            }
            if self.needs == before {
                return;
            }
        }
    }

    /// Writes a condition on the parameter, or returns `None` if nothing is needed.
    pub fn condition(&self, needs: &Needs) -> Option<String> {
        if needs.iter().any(BTreeSet::is_empty) {
            return None;
        }
        let one = |token: &String| match self.counter(token) {
            Some(counter) if counter.kind == Kind::Unknown => {
                format!("bit_clear({})", counter.from)
            }
            counter => format!("gt({}, 0)", counter.map(Counter::range).unwrap_or_default()),
        };
        let joined = |how: &str, all: Vec<String>| {
            all.into_iter()
                .reduce(|a, b| format!("{how}({a}, {b})"))
                .unwrap_or_default()
        };
        let sets = needs
            .iter()
            .map(|set| joined("and", set.iter().map(one).collect()))
            .collect();
        Some(joined("or", sets))
    }

    /// Writes one rule: its alternatives with their conditions.
    pub fn rule(&mut self, name: &str, alternatives: Vec<(String, Option<String>)>) {
        let alternatives = match &alternatives[..] {
            // llguidance loses a step of a rule that is always one other rule. Two complementary
            // conditions avoid that.
            [(text, None)] => {
                vec![
                    (text.clone(), Some("bit_clear(0)".to_string())),
                    (text.clone(), Some("bit_set(0)".to_string())),
                ]
            }
            _ => alternatives,
        };
        let _ = write!(self.out, "{name}::_: ");
        for (nth, (text, condition)) in alternatives.iter().enumerate() {
            let text = if text.is_empty() { "\"\"" } else { text };
            let condition = condition
                .as_ref()
                .map_or(String::new(), |condition| format!("  %if {condition}"));
            let _ = writeln!(
                self.out,
                "{}{text}{condition}",
                if nth == 0 { "" } else { "    | " }
            );
        }
    }

    /// Writes a part of a rule that uses names. Only alternatives of rules have conditions, so
    /// choices that depend on names become rules.
    fn inside(&mut self, part: &Part) -> String {
        let mut found = false;
        part.names(&mut |own| found |= self.asks.contains(own));
        if !found {
            return lark(part, true);
        }
        match part {
            // An empty token is only a condition.
            Part::Name(name)
                if self
                    .counter(name)
                    .is_some_and(|counter| counter.kind != Kind::Name) =>
            {
                String::new()
            }
            Part::Name(name) => format!("{}::_", self.called(name)),
            Part::Row(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.inside(part)).collect();
                format!("({})", parts.join(" "))
            }
            Part::Choice(_) => self.lift(part),
            Part::Times(inner, min, max) => {
                let text = self.lift(inner);
                format!("({text}){}", times(*min, *max))
            }
            Part::Literal(_) | Part::Class(_) => lark(part, true),
        }
    }

    fn lift(&mut self, part: &Part) -> String {
        self.lifted += 1;
        let name = format!("part{}", self.lifted);
        // The rules inside are written first.
        let alternatives = self.alternatives(part);
        self.rule(&name, alternatives);
        format!("{name}::_")
    }

    fn alternatives(&mut self, part: &Part) -> Vec<(String, Option<String>)> {
        let all: Vec<Part> = match part {
            Part::Choice(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let mut found = Vec::new();
        for part in all {
            let needs = self.needs_of(&part);
            if needs.is_empty() {
                continue;
            }
            let condition = self.condition(&needs);
            let text = match &part {
                Part::Row(parts) if !parts.is_empty() => parts
                    .iter()
                    .map(|part| self.inside(part))
                    .collect::<Vec<_>>()
                    .join(" "),
                part => self.inside(part),
            };
            found.push((text, condition));
        }
        found
    }

    pub fn text(mut self, head: &Head) -> String {
        self.head_names(head);
        self.find_needs();
        let mut body = String::new();
        std::mem::swap(&mut self.out, &mut body);
        let _ = writeln!(
            self.out,
            "start: {} facts::0x0 {}",
            quoted(&head.text),
            quoted(&head.tail)
        );
        self.names_rules();
        let reached = self.reached();
        for (name, part) in reached {
            if self.counter(&name).is_some() {
                continue;
            }
            match self.asks.contains(&name) {
                true => {
                    let alternatives = self.alternatives(&part);
                    if !alternatives.is_empty() {
                        self.rule(&name, alternatives);
                    }
                }
                false if is_token(&name) => {
                    let _ = writeln!(self.out, "{name}: /{}/", regex(&part, false));
                }
                false => {
                    let _ = writeln!(self.out, "{name}: {}", lark(&part, false));
                }
            }
        }
        self.facts(head);
        let level = head.level + usize::from(head.items.is_some());
        self.declarations(level);
        let definitions = self.definitions();
        self.blocks(head, &definitions);
        self.out
    }

    /// Collects the names of the head, which are always in scope.
    fn head_names(&mut self, head: &Head) {
        for (name, pool) in &head.scalars {
            self.names
                .entry(pool.token())
                .or_default()
                .push(name.clone());
        }
        self.names
            .entry("A".to_string())
            .or_default()
            .extend(head.axes.iter().cloned());
    }

    /// Writes, for each counter, the rule of the names in scope.
    fn names_rules(&mut self) {
        let mut taken: BTreeSet<String> = self.names.values().flatten().cloned().collect();
        taken.extend(self.grammar_literals());
        let mut rules = Vec::new();
        for counter in &self.counters {
            if counter.kind != Kind::Name {
                continue;
            }
            // A single name is present or not.
            if counter.is_flag() {
                rules.push((
                    self.called(&counter.token),
                    vec![(
                        quoted(&counter.stem),
                        Some(format!("bit_set({})", counter.from)),
                    )],
                ));
                continue;
            }
            let mut alternatives: Vec<(String, Option<String>)> = self
                .names
                .get(&counter.token)
                .into_iter()
                .flatten()
                .map(|name| (quoted(name), None))
                .collect();
            let (letters, range) = (&counter.stem, counter.range());
            let free = (0..)
                .map(|nth| format!("{letters}{nth}"))
                .filter(|name| !taken.contains(name))
                .take(counter.most());
            for (nth, name) in free.enumerate() {
                alternatives.push((quoted(&name), Some(format!("gt({range}, {nth})"))));
            }
            let free = (0..)
                .map(|nth| format!("{letters}{nth}"))
                .filter(|name| !taken.contains(name))
                .take(counter.most());
            let new: Vec<(String, Option<String>)> = free
                .enumerate()
                .map(|(nth, name)| (quoted(&name), Some(format!("eq({range}, {nth})"))))
                .collect();
            rules.push((format!("new_{}", counter.token.to_lowercase()), new));
            rules.push((self.called(&counter.token), alternatives));
        }
        for (name, alternatives) in rules {
            self.rule(&name, alternatives);
        }
    }

    /// Returns the names of tensors, which no pool may give.
    fn grammar_literals(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (_, part) in self.grammar.rules() {
            part.literals(&mut |text| {
                if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    found.push(text.to_string());
                }
            });
        }
        found
    }

    /// Returns the name of a rule that uses names. For a pool it begins with a lower-case letter,
    /// unlike any token.
    fn called(&self, name: &str) -> String {
        match self.counter(name) {
            Some(_) => format!("use_{}", name.to_lowercase()),
            None => name.to_string(),
        }
    }

    /// Returns the rules that statements start from.
    fn reached(&self) -> Vec<(String, Part)> {
        let plain = [
            "nx", "jx", "jtyped", "sx", "bx", "act", "change", "cond", "int", "jint", "size0",
            "how", "scond",
        ];
        let mut roots: Vec<String> = plain.map(String::from).to_vec();
        let by_letters = |rule: &str, at: &usize| format!("{rule}_{}", in_rules(OTHERS[*at].0));
        match &self.universe {
            None => {
                let more = [
                    "fx", "fa", "kx", "ka", "mx", "range", "part", "axes", "fv", "kv", "hv", "mv",
                    "axis", "cutrange",
                ];
                roots.extend(more.map(String::from));
                let rules = ["hx", "ha", "hv"].into_iter();
                roots.extend(
                    rules.flat_map(|rule| self.types.iter().map(move |at| by_letters(rule, at))),
                );
            }
            Some(universe) => {
                roots.push("bound".into());
                let typed = self.types.iter().map(|at| by_letters("hx", at));
                let rules: Vec<String> = ["fx", "kx", "mx"]
                    .map(String::from)
                    .into_iter()
                    .chain(typed)
                    .collect();
                roots.extend(
                    universe
                        .sets
                        .iter()
                        .flat_map(|set| rules.iter().map(|rule| rule.clone() + &set.suffix())),
                );
                roots
                    .extend(["fv", "kv", "mv"].map(|rule| rule.to_string() + &Set::EMPTY.suffix()));
            }
        }
        self.grammar
            .reached_from(&roots)
            .into_iter()
            .map(|(name, part)| (name.to_string(), part.clone()))
            .collect()
    }
}

/// Removes the sets that contain another one.
fn least(all: Needs) -> Needs {
    let is_least =
        |set: &BTreeSet<String>| !all.iter().any(|other| other != set && other.is_subset(set));
    all.iter().filter(|set| is_least(set)).cloned().collect()
}
