//! `book/src/internals/dependencies.md` names every third-party crate of the workspace, and no
//! other.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::path::Path;

#[test]
fn every_dependency_has_a_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = read_to_string(root.join("book/src/internals/dependencies.md")).unwrap();
    let explained: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|row| row.split('`').next())
        .collect();

    let mut named = BTreeSet::new();
    for folder in [
        "",
        "dsl",
        "macros",
        "codegen",
        "runtime",
        "runtime/acl",
        "llm",
        "cli",
        "examples",
        "tests/standin",
        "tests/kit",
        "tests/mutants",
    ] {
        let manifest = read_to_string(root.join(folder).join("Cargo.toml")).unwrap();
        let mut inside = false;
        for line in manifest.lines() {
            if let Some(section) = line.strip_prefix('[') {
                inside = section.ends_with("dependencies]") && !section.starts_with("workspace");
            } else if let (true, Some(name)) = (
                inside,
                line.split(['.', '=', ' ']).next().filter(|n| !n.is_empty()),
            ) {
                if !name.starts_with("jumar") && !name.starts_with('#') {
                    named.insert(name.to_owned());
                }
            }
        }
    }
    let named: BTreeSet<&str> = named.iter().map(String::as_str).collect();
    assert_eq!(
        explained, named,
        "left: book/src/internals/dependencies.md, right: the manifests"
    );
}
