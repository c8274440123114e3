//! Facts of CANN's host interface, transcribed from its public headers: `facts/*.txt`, one fact a line.
//!
//! The stand-in is made of them, its header is held to them, and so is the binding by a test of its own.

use crate::Release;

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it answers, as C spells it.
    pub returns: &'static str,
    /// Types of its parameters, as C spells them.
    pub parameters: Vec<&'static str>,
    releases: &'static str,
}

impl Function {
    /// Whether the headers of a release have it.
    pub fn is_in(&self, release: Release) -> bool {
        self.releases.as_bytes()[release.column()] == b'1'
    }

    /// The first release whose headers have it.
    pub fn since(&self) -> Option<Release> {
        Release::ALL
            .into_iter()
            .find(|release| self.is_in(*release))
    }
}

/// A value of an enum, a flag or a code.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The enum, or which flags or codes it is of.
    pub of: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its number.
    pub number: i64,
}

/// A structure.
#[derive(Clone, Debug)]
pub struct Structure {
    /// Its name.
    pub name: &'static str,
    /// Its bytes.
    pub size: usize,
    /// Its alignment.
    pub align: usize,
    /// Its fields and where they begin.
    pub fields: Vec<(&'static str, usize)>,
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// A number of a fact. The texts are part of this crate, and a test reads them all.
fn number<T: std::str::FromStr>(text: &str, line: &str) -> T {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is no number: {line}"))
}

/// Every function.
pub fn functions() -> impl Iterator<Item = Function> {
    lines(include_str!("../facts/functions.txt")).map(|line| {
        let columns: Vec<_> = line.split('|').map(str::trim).collect();
        let [name, releases, _group, returns, parameters] = columns[..] else {
            panic!("five columns: {line}")
        };
        assert!(
            releases.len() == Release::ALL.len()
                && releases.chars().all(|c| matches!(c, '0' | '1')),
            "{line}"
        );
        let parameters = parameters
            .split(", ")
            .filter(|parameter| !parameter.is_empty())
            .collect();
        Function {
            name,
            returns,
            parameters,
            releases,
        }
    })
}

/// Every value.
pub fn values() -> impl Iterator<Item = Value> {
    lines(include_str!("../facts/values.txt")).map(|line| {
        let [of, name, value] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("three words: {line}")
        };
        Value {
            of,
            name,
            number: number(value, line),
        }
    })
}

/// Every structure.
pub fn structures() -> impl Iterator<Item = Structure> {
    lines(include_str!("../facts/structs.txt")).map(|line| {
        let (head, fields) = line
            .split_once(" | ")
            .unwrap_or_else(|| panic!("sizes | fields: {line}"));
        let [name, size, align] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("name, size, alignment: {line}")
        };
        let words: Vec<_> = fields.split(' ').collect();
        assert!(words.len() % 2 == 0, "field and place: {line}");
        let fields = words
            .chunks(2)
            .map(|pair| (pair[0], number(pair[1], line)))
            .collect();
        Structure {
            name,
            size: number(size, line),
            align: number(align, line),
            fields,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_read_and_stands_once() {
        let mut names: Vec<_> = functions().map(|function| function.name).collect();
        assert!(functions().all(|function| function.since().is_some()));
        names.extend(values().map(|value| value.name));
        names.extend(structures().map(|structure| structure.name));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(all > 600, "{all}");
    }
}
