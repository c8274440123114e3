//! Facts of CANN's host interface, transcribed from its public headers: `facts/*.txt`, one fact in
//! a line.
//!
//! The stand-in is made from them. Tests compare its header and the binding with them.

use crate::Release;

/// A function of the interface.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: &'static str,
    /// Type of its result, as C spells it.
    pub returns: &'static str,
    /// Types of its parameters, as C spells them.
    pub parameters: Vec<&'static str>,
    releases: &'static str,
}

impl Function {
    /// True if the headers of a release have it.
    pub fn is_in(&self, release: Release) -> bool {
        self.releases.as_bytes()[release.column()] == b'1'
    }

    /// Returns the first release whose headers have it.
    pub fn since(&self) -> Option<Release> {
        Release::ALL
            .into_iter()
            .find(|release| self.is_in(*release))
    }
}

/// A value of an enum, a flag or a code.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its enum, or its group of flags or codes.
    pub of: &'static str,
    pub name: &'static str,
    pub number: i64,
}

/// A structure of the interface.
#[derive(Clone, Debug)]
pub struct Structure {
    pub name: &'static str,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// Its fields and their offsets.
    pub fields: Vec<(&'static str, usize)>,
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// Parses a number of a fact. The texts are embedded, and a test reads them all.
fn number<T: std::str::FromStr>(text: &str, line: &str) -> T {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is no number: {line}"))
}

/// Reads every function.
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

/// Reads every value.
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

/// Reads every structure.
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
