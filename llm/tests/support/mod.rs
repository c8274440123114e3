//! What suites of this crate share: the texts of the project, what a grammar must take and refuse, and grammars in another notation.
#![allow(dead_code)] // Each suite uses its own part.

use jumar_llm::canon::{canonical, Names};
use jumar_llm::grammar::{Format, Grammar};
use jumar_llm::tasks::corpus::{tasks, Task, BENCHES};
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

/// Every kernel of the project in canonical form with names of pools.
pub fn corpus() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = all_tasks().iter().map(|t| (t.stem.clone(), t.answer().to_string())).collect();
    all.extend(texts());
    let mut found = Vec::new();
    for (name, text) in all {
        match canonical(&text, Names::Pools) {
            Ok(kernels) => found.extend(kernels.into_iter().map(|(kernel, text)| (format!("{name} {kernel}"), text))),
            Err(e) => assert!(e.to_string().contains("queue level"), "{name}: {e}"),
        }
    }
    found
}

/// What a text has become where one word of it is another one, and none of the language.
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

/// The mutants of a text, each with the number of its mutation.
pub fn mutants(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let all = MUTATIONS.iter().enumerate();
    all.filter(|(_, (from, _))| text.contains(from)).map(|(nth, (from, to))| (nth, text.replacen(from, to, 1)))
}

/// A grammar in Lark as it is written, and as its GBNF says it, which is its EBNF, too.
pub fn exported(grammar: &Grammar) -> [(&'static str, String); 2] {
    let [lark, gbnf, ebnf] = [Format::Lark, Format::Gbnf, Format::Ebnf].map(|format| format.write(grammar));
    assert_eq!(gbnf, ebnf);
    [("lark", lark), ("gbnf", lark_of_gbnf(&gbnf))]
}

/// A grammar in GBNF in the notation that the engine of the tests reads, rule by rule and word by word.
pub fn lark_of_gbnf(text: &str) -> String {
    let name = |word: &str| match word {
        "root" => "start".to_string(),
        token if token.starts_with("t-") => token.to_uppercase().replace('-', "_"),
        rule => rule.replace('-', "_"),
    };
    let mut out = String::new();
    for line in text.lines() {
        let (rule, body) = line.split_once(" ::= ").unwrap_or_else(|| panic!("no rule: {line}"));
        out += &format!("{}: ", name(rule));
        let mut rest = body;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => closing(rest, '"'),
                '[' => closing(rest, ']'),
                '{' => closing(rest, '}'),
                c if c.is_ascii_lowercase() => rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len()),
                _ => 1,
            };
            let (word, behind) = rest.split_at(length);
            match first {
                '[' => out += &format!("/{word}/"),
                c if c.is_ascii_lowercase() => out += &name(word),
                _ => out += word,
            }
            rest = behind;
        }
        out.push('\n');
    }
    out
}

/// Bytes up to a sign that closes what the first one opens.
fn closing(text: &str, sign: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == sign && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, c)| at + c.len_utf8())
}
