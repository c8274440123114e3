//! Compares the table of prototypes, enums, constants, codes and structures with the facts of the
//! public headers. The facts were transcribed without the table (`tests/standin/facts`). Names of
//! parameters are ours; types, order, numbers and layouts are not.

use jumar_acl::sys::types::{CONSTANTS, ENUM_VALUES, STRUCTS};
use jumar_acl::sys::{Release, PROTOTYPES};
use jumar_standin::facts::{functions, structures, values};
use jumar_standin::Release as Facts;
use std::collections::{BTreeMap, BTreeSet};

/// Removes `const` of the parameter itself, which does not change the interface, and uses one
/// spelling of `char`.
fn plain(ty: &str) -> String {
    let ty = ty
        .replace("char_t", "char")
        .replace("const uint64_t", "uint64_t");
    let by_value = ty.strip_prefix("const ").filter(|rest| !rest.contains('*'));
    by_value.unwrap_or(&ty).to_string()
}

#[test]
fn prototypes_are_those_of_the_headers() {
    let facts: BTreeMap<_, _> = functions()
        .map(|function| (function.name, function))
        .collect();
    let mut seen = BTreeSet::new();
    for row in PROTOTYPES {
        let fact = facts
            .get(row.name)
            .unwrap_or_else(|| panic!("no header has {}", row.name));
        let ours: Vec<_> = (row.parameters)().iter().map(|p| plain(p)).collect();
        let theirs: Vec<_> = fact.parameters.iter().map(|p| plain(p)).collect();
        assert_eq!(ours, theirs, "parameters of {}", row.name);
        assert_eq!((row.returns)(), fact.returns, "{}", row.name);
        let first = match row.since {
            Release::V8_1 => Facts::V8_1,
            Release::V8_5 => Facts::V8_5,
            Release::V9_0 => Facts::V9_0,
            Release::V9_1 => Facts::V9_1,
        };
        assert_eq!(Some(first), fact.since(), "{}", row.name);
        assert!(seen.insert(row.name), "{} stands twice", row.name);
    }
    assert!(seen.len() > 70, "{}", seen.len());
}

/// Names in the facts for values that belong to no enum.
const FLAGS: [&str; 3] = ["flags", "profiling_switches", "rt_binary_magic"];
const CODES: [&str; 2] = ["acl_error_codes", "rt_error_codes"];

#[test]
fn enum_values_and_constants_are_those_of_the_headers() {
    let facts: BTreeMap<_, _> = values()
        .map(|value| ((value.of, value.name), value.number))
        .collect();
    for (of, name, value) in ENUM_VALUES {
        assert_eq!(facts.get(&(*of, *name)), Some(value), "{of} {name}");
    }
    for (name, value) in CONSTANTS {
        let fact = FLAGS.iter().find_map(|of| facts.get(&(*of, *name)));
        assert_eq!(fact, Some(value), "{name}");
    }
}

#[test]
fn codes_are_those_of_the_headers_and_all_of_them() {
    let codes = values().filter(|value| CODES.contains(&value.of) && value.number != 0);
    let facts: BTreeMap<i64, &str> = codes.map(|value| (value.number, value.name)).collect();
    let ours: BTreeMap<i64, &str> = jumar_acl::NAMES
        .iter()
        .map(|(code, name)| (i64::from(*code), *name))
        .collect();
    assert_eq!(ours, facts);
    for (code, _) in jumar_acl::NAMES {
        // Only known codes have advice.
        assert!(
            jumar_acl::advice(*code).is_none_or(|text| !text.is_empty()),
            "{code}"
        );
    }
}

#[test]
fn structures_lie_as_those_of_the_headers() {
    let facts: BTreeMap<_, _> = structures()
        .map(|structure| (structure.name, structure))
        .collect();
    for (name, size, align, members) in STRUCTS {
        let fact = facts
            .get(name)
            .unwrap_or_else(|| panic!("no header has {name}"));
        let ours: Vec<_> = members
            .iter()
            .map(|(name, at)| (name.trim_start_matches("r#"), *at))
            .collect();
        assert_eq!(
            (*size, *align, &ours),
            (fact.size, fact.align, &fact.fields),
            "{name}"
        );
    }
}
