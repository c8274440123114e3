//! Shared parts of the suites of this crate: the texts of the project, texts for grammars, and
//! sampling.
//!
//! `JUMAR_TASK` is a part of `bench/task` and selects tasks in every suite.

#[cfg(feature = "mask")]
pub mod notations;

pub use jumar_kit::parallel::each;
use jumar_kit::tier::{cases, hash, seed, Tier};
use jumar_kit::{book, files};
use jumar_llm::canon::{canonical, Names};
use jumar_llm::tasks::corpus::{tasks, Task, BENCHES};
use std::path::Path;
use syn::spanned::Spanned;

/// Returns the selected tasks.
pub fn all_tasks() -> Vec<Task> {
    let only = std::env::var("JUMAR_TASK").unwrap_or_default();
    let named = |task: &Task| format!("{}/{}", task.bench, task.stem).contains(&only);
    let asked: Vec<Task> = BENCHES
        .iter()
        .flat_map(|(bench, ..)| tasks(bench))
        .filter(named)
        .collect();
    assert!(!asked.is_empty(), "JUMAR_TASK names no task: `{only}`");
    asked
}

/// Draws as many items as the switch says, by the hash of their texts; at night, all.
pub fn drawn<T>(switch: &str, gate: u64, mut items: Vec<T>, text: impl Fn(&T) -> &str) -> Vec<T> {
    let most = usize::try_from(cases(switch, gate, u64::MAX)).unwrap_or(usize::MAX);
    if most < items.len() {
        items.sort_by_cached_key(|item| hash(seed(), text(item).as_bytes()));
        items.truncate(most);
    }
    items
}

/// Returns the command that draws these cases again, for a failure message.
pub fn again(filter: &str) -> String {
    again_from(seed(), filter)
}

/// Does so for cases that another seed drew.
pub fn again_from(seed: u64, filter: &str) -> String {
    let tier = if Tier::is_night() {
        " JUMAR_TIER=night"
    } else {
        ""
    };
    format!("again: JUMAR_SEED={seed}{tier} cargo test -p jumar-llm --test suite {filter}")
}

/// Returns the kernels of the examples and of the pages, each as the text of its file or fence.
pub fn texts() -> Vec<(String, String)> {
    let name = |path: &Path| format!("{}.rs", files::stem(path));
    let files = files::kernels(&files::workspace().join("examples"));
    let mut all: Vec<(String, String)> = files
        .into_iter()
        .map(|(path, text)| (name(&path), text))
        .collect();
    // The canonical form has no `reinterpret_cast` (book/src/design/limits-tools.md).
    let pages = book::kernels().into_iter();
    all.extend(pages.filter(|(_, text)| !text.contains("reinterpret_cast")));
    all
}

/// Returns the kernels of a text with what they need: each is a `#[kernels]` module, or a function
/// under `#[kernel]`.
pub fn kernels(text: &str) -> Vec<String> {
    let file: syn::File = syn::parse_str(text).expect("Rust");
    let is = |attrs: &[syn::Attribute], name: &str| attrs.iter().any(|a| a.path().is_ident(name));
    let of = |item: &syn::Item| {
        let found = match item {
            syn::Item::Fn(f) => is(&f.attrs, "kernel"),
            syn::Item::Mod(m) => is(&m.attrs, "kernels"),
            _ => false,
        };
        let bytes = item.span().byte_range();
        found.then(|| format!("use jumar::prelude::*;\n\n{}\n", &text[bytes]))
    };
    file.items.iter().filter_map(of).collect()
}

/// Returns every kernel of the project in canonical form with names of pools.
pub fn corpus() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = all_tasks()
        .iter()
        .map(|t| (t.stem.clone(), t.answer().to_string()))
        .collect();
    all.extend(texts());
    let mut found = Vec::new();
    for (name, text) in all {
        match canonical(&text, Names::Pools) {
            Ok(kernels) => found.extend(
                kernels
                    .into_iter()
                    .map(|(kernel, text)| (format!("{name} {kernel}"), text)),
            ),
            Err(e) => assert!(e.to_string().contains("queue level"), "{name}: {e}"),
        }
    }
    found
}

/// Mutations of one word, whose result is never in the language.
pub const MUTATIONS: &[(&str, &str)] = &[
    (".load()", ".load().exp()"),
    (".store(", ".write("),
    ("let ", "let r"),
    (" + ", " +  "),
    ("tiles(", "row_tiles("),
    ("GlobalTensor<", "LocalTensor<"),
    (".cast::<", ".to::<"),
    ("for t0", "while t0"),
    (".at(", "["),
    ("    }\n", "    \n"),
    ("#[kernel]\n", ""),
    ("fn op_", "fn "),
    ("let v0 = ", "let v999 = "),
    (";\n", "\n"),
    (".amax(", ".amax((), "),
    ("f32", "f64"),
];

/// Returns the mutants of a text, each with the number of its mutation.
pub fn mutants(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let all = MUTATIONS.iter().enumerate();
    all.filter(|(_, (from, _))| text.contains(from))
        .map(|(nth, (from, to))| (nth, text.replacen(from, to, 1)))
}
