//! Least releases of CANN for all kernels of examples and tasks. Emitted text needs no later
//! release.

use crate::pages::repository;
use jumar::codegen::{emit, names, needs, EmitOptions, Feature, Release, FACTS};
use jumar::load::check_text;
use jumar::ProjectKind;
use jumar_kit::files::{below, read};
use std::collections::{BTreeMap, BTreeSet};

/// Kernels that need a later release than V8_1, as projects of the kind `direct`.
const LATER: [(&str, Release); 1] = [("add_by_hand", Release::V8_5)];

#[test]
fn kernels_of_examples_and_tasks_have_a_least_release() {
    let files = ["examples", "llm/tasks"]
        .into_iter()
        .flat_map(|folder| below(&repository(folder), &["rs"]));
    let mut later: BTreeMap<String, Release> = BTreeMap::new();
    let mut used: BTreeMap<Feature, usize> = BTreeMap::new();
    let mut count = 0;
    for path in files {
        let text = read(&path);
        if !text.contains("#[kernel") {
            continue;
        }
        let file = check_text("kernel.rs", &text, None);
        for kernel in file
            .kernels()
            .iter()
            .filter_map(|kernel| kernel.checked.first())
        {
            let name = kernel.kernel().sig.name.clone();
            let of_direct = needs(kernel, ProjectKind::Direct);
            count += 1;
            of_direct
                .features
                .iter()
                .for_each(|feature| *used.entry(*feature).or_default() += 1);
            if of_direct.release > Release::V8_1 {
                later.insert(name.clone(), of_direct.release);
            }
            // Sources of host and device exist since 8.5, so `asc` never needs an earlier release.
            assert!(
                needs(kernel, ProjectKind::Asc).release >= of_direct.release.max(Release::V8_5),
                "{name}"
            );
            let project = emit(kernel, &EmitOptions::default());
            let device = project
                .text(&format!("{}.cpp", names(kernel).kernel))
                .unwrap_or_else(|| panic!("{name} has a text"));
            let found: BTreeSet<Feature> = FACTS
                .iter()
                .filter(|fact| fact.words.iter().any(|word| device.contains(word)))
                .map(|fact| fact.feature)
                .collect();
            assert_eq!(of_direct.features, found, "{name}");
        }
    }
    assert!(count >= 180, "{count} kernels");
    assert!(used.contains_key(&Feature::Assertions), "{used:?}");
    assert_eq!(
        later,
        LATER
            .map(|(name, release)| (name.to_string(), release))
            .into()
    );
}
