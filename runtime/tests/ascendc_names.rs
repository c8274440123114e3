//! How much of the API that real kernels use the headers have.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Identifiers of every header.
fn words(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of headers") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            words(&path, found);
        } else {
            let text = fs::read_to_string(&path).expect("a header");
            // Comments name things that are left out.
            for line in text.lines().map(|l| l.split("//").next().unwrap_or_default()) {
                found
                    .extend(line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).map(str::to_string));
            }
        }
    }
}

#[test]
fn the_headers_have_what_real_kernels_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc");
    let mut known = BTreeSet::new();
    words(&root.join("include"), &mut known);
    let usage = fs::read_to_string(root.join("tests/usage.txt")).expect("the counts");
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
    println!("{have} of {uses} uses, {} of {names} names; missing: {}", names - missing.len(), missing.join(", "));
    assert!(missing.is_empty(), "missing: {}", missing.join(", "));
}
