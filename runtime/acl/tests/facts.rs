//! The table of prototypes, enums, constants, codes and structures against `facts.txt`, which was transcribed from the public headers by
//! itself. Names of parameters are ours; types, order, numbers and layouts are not.

use jumar_acl::sys::types::{CONSTANTS, ENUM_VALUES, STRUCTS};
use jumar_acl::sys::{Release, PROTOTYPES};
use std::collections::BTreeMap;

const FACTS: &str = include_str!("facts.txt");

/// The rows of a kind, split at blanks.
fn rows(kind: &str) -> Vec<Vec<&'static str>> {
    let lines = FACTS.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    lines.map(|line| line.split(' ').collect()).collect()
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// A type without `const` of a parameter itself, which is nobody's business, and with one spelling of `char`.
fn plain(ty: &str) -> String {
    let ty = ty.replace("char_t", "char").replace("const uint64_t", "uint64_t");
    let by_value = ty.strip_prefix("const ").filter(|rest| !rest.contains('*'));
    by_value.unwrap_or(&ty).to_string()
}

#[test]
fn prototypes_are_those_of_the_headers() {
    let mut facts = BTreeMap::new();
    for line in FACTS.lines().filter_map(|line| line.strip_prefix("fn ")) {
        let (head, parameters) = line.strip_suffix(')').and_then(|l| l.split_once('(')).expect("RELEASE RETURNS NAME(TYPES)");
        let [since, returns, name] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let parameters: Vec<_> = parameters.split(", ").filter(|p| !p.is_empty()).map(str::to_string).collect();
        assert!(facts.insert(name, (since, returns.replace('_', " "), parameters)).is_none(), "{name} stands twice");
    }
    let mut seen = Vec::new();
    for row in PROTOTYPES {
        let (since, returns, parameters) = facts.get(row.name).unwrap_or_else(|| panic!("no header has {}", row.name));
        let ours: Vec<_> = (row.parameters)().iter().map(|p| plain(p)).collect();
        let theirs: Vec<_> = parameters.iter().map(|p| plain(p)).collect();
        assert_eq!(ours, theirs, "parameters of {}", row.name);
        assert_eq!((row.returns)().replace('_', " "), *returns, "{}", row.name);
        let first = match row.since {
            Release::V8_1 => "8.1.RC1",
            Release::V8_5 => "8.5.0",
            Release::V9_0 => "9.0.0",
            Release::V9_1 => "9.1.0-beta.3",
        };
        assert_eq!(first, *since, "{}", row.name);
        assert!(!seen.contains(&row.name), "{} stands twice", row.name);
        seen.push(row.name);
    }
    assert!(seen.len() > 70, "{}", seen.len());
}

#[test]
fn enum_values_and_constants_are_those_of_the_headers() {
    let enums = rows("enum");
    for (of, name, value) in ENUM_VALUES {
        let fact = enums.iter().find(|row| row[..2] == [*of, *name]).unwrap_or_else(|| panic!("no header has {of} {name}"));
        assert_eq!(number(fact[2]), *value, "{name}");
    }
    let constants = rows("const");
    for (name, value) in CONSTANTS {
        let fact = constants.iter().find(|row| row[0] == *name).unwrap_or_else(|| panic!("no header has {name}"));
        assert_eq!(number(fact[1]), *value, "{name}");
    }
}

#[test]
fn codes_are_those_of_the_headers_and_all_of_them() {
    let facts: BTreeMap<i64, &str> =
        rows("code").iter().map(|row| (number(row[1]), row[0])).filter(|(code, _)| *code != 0).collect();
    let ours: BTreeMap<i64, &str> = jumar_acl::NAMES.iter().map(|(code, name)| (i64::from(*code), *name)).collect();
    assert_eq!(ours, facts);
    for (code, _) in jumar_acl::NAMES {
        // Advice is for codes that there are.
        assert!(jumar_acl::advice(*code).is_none_or(|text| !text.is_empty()), "{code}");
    }
}

#[test]
fn structures_lie_as_those_of_the_headers() {
    let facts = rows("struct");
    for (name, size, align, members) in STRUCTS {
        let fact = facts.iter().find(|row| row[0] == *name).unwrap_or_else(|| panic!("no header has {name}"));
        assert_eq!([*size as i64, *align as i64], [number(fact[1]), number(fact[2])], "{name}");
        let ours: Vec<_> = members.iter().map(|(name, at)| format!("{}@{at}", name.trim_start_matches("r#"))).collect();
        assert_eq!(ours, fact[3..], "{name}");
    }
}
