//! Productions as data, and the notation of their source.
//!
//! A line `name: a "b" | c{0,3} (d | e)? [0-9]` is a rule. A name in capitals is a token, which is
//! regular and contains no rule. `%name` is a list of literals that a table gives. The writers know
//! nothing of the language: all that they print comes from the productions.

use std::collections::{BTreeMap, BTreeSet};

/// A part of a production.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The bytes of a literal.
    Literal(String),
    /// The name of a rule or token.
    Name(String),
    /// One character of these ranges.
    Class(Vec<(char, char)>),
    /// A sequence of parts.
    Row(Vec<Part>),
    /// An alternative of parts.
    Choice(Vec<Part>),
    /// A repetition with a minimum and an optional maximum.
    Times(Box<Part>, u32, Option<u32>),
}

/// Rules in the order of their source. A text begins with the first one.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    rules: Vec<(String, Part)>,
}

/// True for the name of a token.
pub fn is_token(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

impl Grammar {
    /// Reads productions; `lists` are the literals of each `%name`.
    ///
    /// # Panics
    /// If the source, which is part of this crate, is invalid.
    pub fn read(text: &str, lists: &BTreeMap<&str, Vec<String>>) -> Grammar {
        let mut grammar = Grammar::default();
        let mut lines: Vec<String> = Vec::new();
        for line in text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with("//"))
        {
            match (line.starts_with(' '), lines.last_mut()) {
                (true, Some(last)) => last.push_str(line),
                _ => lines.push(line.to_string()),
            }
        }
        for line in lines {
            let (name, body) = line
                .split_once(": ")
                .unwrap_or_else(|| panic!("no production: {line}"));
            let mut reader = Reader {
                rest: body,
                lists,
                line: &line,
            };
            let part = reader.choice();
            assert!(
                reader.rest.trim().is_empty(),
                "`{}` is left of: {line}",
                reader.rest
            );
            grammar.add(name, part);
        }
        grammar
    }

    /// Adds a rule.
    ///
    /// # Panics
    /// If there is a rule of that name.
    pub fn add(&mut self, name: &str, part: Part) {
        assert!(self.get(name).is_none(), "the rule `{name}` twice");
        self.rules.push((name.to_string(), part));
    }

    /// Replaces the rule of that name, or adds it.
    pub fn set(&mut self, name: &str, part: Part) {
        match self.rules.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => *own = part,
            None => self.rules.push((name.to_string(), part)),
        }
    }

    /// Renames names within rules: `f` takes the rule and the name.
    pub fn rename(&mut self, f: impl Fn(&str, &str) -> Option<String>) {
        for (rule, part) in &mut self.rules {
            part.rename(&|name| f(rule, name));
        }
    }

    pub fn rules(&self) -> impl Iterator<Item = (&str, &Part)> {
        self.rules.iter().map(|(name, part)| (name.as_str(), part))
    }

    pub fn get(&self, name: &str) -> Option<&Part> {
        self.rules
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, part)| part)
    }

    /// Returns the rules that are reachable from the first one, in order.
    pub fn reached(&self) -> Vec<(&str, &Part)> {
        let first: Vec<String> = self
            .rules
            .first()
            .map(|(name, _)| name.clone())
            .into_iter()
            .collect();
        self.reached_from(&first)
    }

    /// Returns the rules that are reachable from others, in order.
    pub fn reached_from(&self, from: &[String]) -> Vec<(&str, &Part)> {
        let mut seen = BTreeSet::new();
        let known = |name: &String| {
            self.rules
                .iter()
                .find(|(own, _)| own == name)
                .map(|(own, _)| own.as_str())
        };
        let mut open: Vec<&str> = from.iter().filter_map(known).collect();
        while let Some(name) = open.pop() {
            if seen.insert(name) {
                let part = self.get(name).unwrap_or_else(|| panic!("no rule `{name}`"));
                part.names(&mut |name| open.push(name));
            }
        }
        self.rules
            .iter()
            .filter(|(name, _)| seen.contains(name.as_str()))
            .map(|(name, part)| (name.as_str(), part))
            .collect()
    }

    /// Removes alternatives without any text: those with an empty choice, and recursively those
    /// with such a rule.
    pub fn pruned(mut self) -> Grammar {
        loop {
            let dead: BTreeSet<String> = self
                .rules
                .iter()
                .filter(|(_, part)| *part == Part::nothing())
                .map(|(name, _)| name.clone())
                .collect();
            let before = self.rules.clone();
            for (_, part) in &mut self.rules {
                *part = part.without(&dead);
            }
            if self.rules == before {
                return self;
            }
        }
    }
}

impl Part {
    /// Returns the part that matches no text.
    pub fn nothing() -> Part {
        Part::Choice(Vec::new())
    }

    /// Returns an alternative of literals.
    pub fn one_of<S: Into<String>>(all: impl IntoIterator<Item = S>) -> Part {
        let mut all: Vec<Part> = all
            .into_iter()
            .map(|text| Part::Literal(text.into()))
            .collect();
        match all.len() {
            1 => all.remove(0),
            _ => Part::Choice(all),
        }
    }

    /// Calls `f` with each name in the part.
    pub(super) fn names<'a>(&'a self, f: &mut impl FnMut(&'a str)) {
        match self {
            Part::Name(name) => f(name),
            Part::Row(parts) | Part::Choice(parts) => parts.iter().for_each(|part| part.names(f)),
            Part::Times(part, ..) => part.names(f),
            Part::Literal(_) | Part::Class(_) => {}
        }
    }

    fn rename(&mut self, f: &impl Fn(&str) -> Option<String>) {
        match self {
            Part::Name(name) => {
                if let Some(other) = f(name) {
                    *name = other;
                }
            }
            Part::Row(parts) | Part::Choice(parts) => {
                parts.iter_mut().for_each(|part| part.rename(f))
            }
            Part::Times(part, ..) => part.rename(f),
            Part::Literal(_) | Part::Class(_) => {}
        }
    }

    /// Calls `f` with each literal in the part.
    pub(super) fn literals(&self, f: &mut impl FnMut(&str)) {
        match self {
            Part::Literal(text) => f(text),
            Part::Row(parts) | Part::Choice(parts) => {
                parts.iter().for_each(|part| part.literals(f))
            }
            Part::Times(part, ..) => part.literals(f),
            Part::Name(_) | Part::Class(_) => {}
        }
    }

    /// Removes the alternatives that need a dead rule.
    fn without(&self, dead: &BTreeSet<String>) -> Part {
        match self {
            Part::Name(name) if dead.contains(name) => Part::nothing(),
            Part::Row(parts) => {
                let parts: Vec<Part> = parts.iter().map(|part| part.without(dead)).collect();
                if parts.contains(&Part::nothing()) {
                    Part::nothing()
                } else {
                    Part::Row(parts)
                }
            }
            Part::Choice(parts) => {
                let mut parts: Vec<Part> = parts
                    .iter()
                    .map(|part| part.without(dead))
                    .filter(|part| *part != Part::nothing())
                    .collect();
                if parts.len() == 1 {
                    parts.remove(0)
                } else {
                    Part::Choice(parts)
                }
            }
            Part::Times(part, least, most) => match part.without(dead) {
                part if part == Part::nothing() => {
                    if *least == 0 {
                        Part::Row(Vec::new())
                    } else {
                        part
                    }
                }
                part => Part::Times(Box::new(part), *least, *most),
            },
            Part::Name(_) | Part::Literal(_) | Part::Class(_) => self.clone(),
        }
    }
}

/// A reader of one production.
struct Reader<'a> {
    rest: &'a str,
    lists: &'a BTreeMap<&'a str, Vec<String>>,
    line: &'a str,
}

impl Reader<'_> {
    fn choice(&mut self) -> Part {
        let mut all = vec![self.row()];
        while self.eat("|") {
            all.push(self.row());
        }
        if all.len() == 1 {
            all.remove(0)
        } else {
            Part::Choice(all)
        }
    }

    fn row(&mut self) -> Part {
        let mut all = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with([')', '|']) {
                break;
            }
            let atom = self.atom();
            all.push(self.repeated(atom));
        }
        if all.len() == 1 {
            all.remove(0)
        } else {
            Part::Row(all)
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        match self.rest.trim_start().strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn repeated(&mut self, part: Part) -> Part {
        let (least, most, length) = match self.rest.chars().next() {
            Some('?') => (0, Some(1), 1),
            Some('*') => (0, None, 1),
            Some('+') => (1, None, 1),
            Some('{') => {
                let end = self
                    .rest
                    .find('}')
                    .unwrap_or_else(|| panic!("no `}}` in: {}", self.line));
                let number = |text: &str| {
                    text.parse::<u32>()
                        .unwrap_or_else(|e| panic!("{e} in: {}", self.line))
                };
                let (least, most) = match self.rest[1..end].split_once(',') {
                    Some((least, most)) => (number(least), number(most)),
                    None => (number(&self.rest[1..end]), number(&self.rest[1..end])),
                };
                (least, Some(most), end + 1)
            }
            _ => return part,
        };
        self.rest = &self.rest[length..];
        Part::Times(Box::new(part), least, most)
    }

    fn atom(&mut self) -> Part {
        let first = self
            .rest
            .chars()
            .next()
            .unwrap_or_else(|| panic!("nothing stands in: {}", self.line));
        match first {
            '(' => {
                self.rest = &self.rest[1..];
                let inner = self.choice();
                assert!(self.eat(")"), "no `)` in: {}", self.line);
                inner
            }
            '"' => self.literal(),
            '[' => self.class(),
            '%' => {
                let name = self.word(1);
                let all = self
                    .lists
                    .get(name.as_str())
                    .unwrap_or_else(|| panic!("no list `{name}` for: {}", self.line));
                Part::one_of(all.iter().cloned())
            }
            _ => Part::Name(self.word(0)),
        }
    }

    fn word(&mut self, from: usize) -> String {
        let rest = &self.rest[from..];
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        assert!(end > 0, "`{rest}` is no name in: {}", self.line);
        self.rest = &rest[end..];
        rest[..end].to_string()
    }

    fn literal(&mut self) -> Part {
        let (mut text, mut chars) = (String::new(), self.rest.char_indices().skip(1));
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Part::Literal(text);
                }
                '\\' => match chars.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, c)) => text.push(c),
                    None => break,
                },
                c => text.push(c),
            }
        }
        panic!("an open literal in: {}", self.line)
    }

    fn class(&mut self) -> Part {
        let end = self
            .rest
            .find(']')
            .unwrap_or_else(|| panic!("no `]` in: {}", self.line));
        let chars: Vec<char> = self.rest[1..end].chars().collect();
        self.rest = &self.rest[end + 1..];
        let mut ranges = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            match chars.get(at + 1..at + 3) {
                Some(['-', to]) => {
                    ranges.push((chars[at], *to));
                    at += 3;
                }
                _ => {
                    ranges.push((chars[at], chars[at]));
                    at += 1;
                }
            }
        }
        Part::Class(ranges)
    }
}

/// Returns the numbers below `most`, without leading zeros.
pub fn numbers_below(most: usize) -> Part {
    let digit = |from: u32, to: u32| {
        Part::Class(vec![(
            char::from_digit(from, 10).unwrap_or('0'),
            char::from_digit(to, 10).unwrap_or('9'),
        )])
    };
    let mut all = Vec::new();
    let last = most.saturating_sub(1) as u32;
    let width = last.to_string().len() as u32;
    for digits in 1..width {
        let first = digit(u32::from(digits > 1), 9);
        all.push(row(first, digits - 1));
    }
    // Numbers with as many digits as the last one, by the length of the common prefix.
    let text: Vec<u32> = last
        .to_string()
        .chars()
        .filter_map(|c| c.to_digit(10))
        .collect();
    for (at, own) in text.iter().enumerate() {
        let least = u32::from(at == 0 && width > 1);
        let is_last = at + 1 == text.len();
        let to = if is_last {
            Some(*own)
        } else {
            own.checked_sub(1)
        };
        if let Some(to) = to.filter(|to| *to >= least) {
            let mut parts: Vec<Part> = text[..at].iter().map(|d| digit(*d, *d)).collect();
            parts.push(row(digit(least, to), width - at as u32 - 1));
            all.push(if parts.len() == 1 {
                parts.remove(0)
            } else {
                Part::Row(parts)
            });
        }
    }
    if all.len() == 1 {
        all.remove(0)
    } else {
        Part::Choice(all)
    }
}

/// Returns a part followed by a number of digits.
fn row(first: Part, digits: u32) -> Part {
    let any = || Part::Class(vec![('0', '9')]);
    match digits {
        0 => first,
        1 => Part::Row(vec![first, any()]),
        n => Part::Row(vec![first, Part::Times(Box::new(any()), n, Some(n))]),
    }
}
