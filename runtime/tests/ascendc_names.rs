//! Measures how much of the API that real kernels use the headers declare.

use jumar_kit::files::{below, read};
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the identifiers of every header, without comments, which name things that are left out.
fn words(folder: &Path) -> BTreeSet<String> {
    let text: String = below(folder, &["h"])
        .iter()
        .map(|path| read(path))
        .collect();
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_string)
        .collect()
}
#[test]
fn the_headers_have_what_real_kernels_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc");
    let known = words(&root.join("include"));
    let usage = read(&root.join("tests/usage.txt"));
    let (mut uses, mut have, mut names, mut missing) = (0u32, 0, 0, Vec::new());
    for line in usage.lines().filter(|l| !l.starts_with('#')) {
        let (count, name) = line.split_once(' ').expect("COUNT NAME");
        let count: u32 = count.parse().expect("a number");
        let last = name.rsplit("::").next().unwrap_or(name);
        uses += count;
        names += 1;
        if known.contains(last) {
            have += count;
        } else {
            missing.push(name);
        }
    }
    println!(
        "{have} of {uses} uses, {} of {names} names; missing: {}",
        names - missing.len(),
        missing.join(", ")
    );
    assert!(missing.is_empty(), "missing: {}", missing.join(", "));
}
