//! What suites of this crate share: the texts of the project, and an engine that takes a grammar.
#![allow(dead_code)] // Each suite uses its own part.

use jumar_llm::tasks::corpus::{tasks, Task, BENCHES};
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;

/// The tasks that are asked for.
pub fn all_tasks() -> Vec<Task> {
    let only = std::env::var("JUMAR_TASK").unwrap_or_default();
    let named = |task: &Task| format!("{}/{}", task.bench, task.stem).contains(&only);
    BENCHES.iter().flat_map(|(bench, ..)| tasks(bench)).filter(named).collect()
}

/// The kernels of the examples and of the pages, each as the text of its file or fence.
pub fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let entries = std::fs::read_dir(root.join("examples")).expect("examples");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let is_rust = |path: &&PathBuf| path.extension().is_some_and(|e| e == "rs");
    let mut all: Vec<(String, String)> = files.iter().filter(is_rust).map(|path| (name(path), read(path))).collect();
    for page in ["docs/language.md", "README.md"] {
        let text = read(&root.join(page));
        let fences = text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
        let named = fences.enumerate().map(|(nth, fence)| (format!("{page} {nth}"), fence.to_string()));
        all.extend(named.filter(|(_, text)| text.contains("#[kernel]")));
    }
    all
}

/// The kernels of a text, each as it stands there with what it needs: a `#[kernels]` module, or a function under `#[kernel]`.
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

/// A matcher of a Lark grammar over single bytes.
pub struct Engine(ParserFactory);

impl Engine {
    pub fn new(env: &TokEnv) -> Engine {
        let mut factory = ParserFactory::new_simple(env).expect("an engine");
        factory.quiet();
        Engine(factory)
    }

    pub fn bytes() -> Engine {
        Engine::new(&ApproximateTokEnv::single_byte_env())
    }

    pub fn matcher(&self, lark: &str) -> Matcher {
        let matcher = Matcher::new(self.0.create_parser(TopLevelGrammar::from_lark(lark.to_string())));
        assert!(!matcher.is_error(), "{:?}", matcher.get_error());
        matcher
    }
}

/// How many bytes of a text a grammar takes, and whether it may end there.
pub fn taken(fresh: &Matcher, text: &str) -> (usize, bool) {
    let mut matcher = fresh.deep_clone();
    let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
    let count = matcher.try_consume_tokens(&tokens).expect("the engine goes on");
    (count, count == tokens.len() && matcher.is_accepting().expect("the engine goes on"))
}
