//! Files for engines that are not crates (`llm/engines`): grammars, kernels that they accept, and
//! texts that they refuse.
//!
//! `JUMAR_CORPUS=build/corpus cargo test -p jumar-llm --test suite corpus` writes them to that
//! folder of the repository. Without the variable, they go to a temporary folder.

use crate::support::{all_tasks, corpus, mutants};
use jumar::dsl::front::parse_file;
use jumar_kit::files::{below, workspace};
use jumar_llm::canon::{canonical, head, Names};
use jumar_llm::grammar::{grammar, of_head, Format, Grammar, Profile};
use std::fs::{create_dir_all, remove_dir_all, write};
use std::path::Path;

/// Writes a grammar in each notation that has an engine.
fn write_grammar(path: &Path, grammar: &Grammar) {
    for (name, format) in Format::ALL
        .iter()
        .filter(|(_, format)| *format != Format::Bnf)
    {
        put(&path.with_extension(name), &format.write(grammar));
    }
}

fn put(path: &Path, text: &str) {
    write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn write_corpus(folder: &Path) {
    for part in ["accepted", "refused", "heads"] {
        create_dir_all(folder.join(part)).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    }
    write_grammar(
        &folder.join("grammar"),
        &grammar(&Profile::Llm).expect("a grammar"),
    );
    for (nth, (_, text)) in corpus().into_iter().enumerate() {
        put(&folder.join(format!("accepted/{nth}.rs")), &text);
        for (how, mutant) in mutants(&text) {
            put(&folder.join(format!("refused/{nth}_{how}.rs")), &mutant);
        }
    }
    for task in all_tasks() {
        let parsed = parse_file(task.answer())
            .unwrap_or_else(|(d, _)| panic!("{}: {}", task.stem, d.message))
            .remove(0);
        let head = head(
            &parsed.signature.expect("an answer has a head"),
            Names::Author,
        )
        .expect("a canonical head");
        let path = folder
            .join("heads")
            .join(format!("{}_{}", task.bench, task.stem));
        write_grammar(&path, &of_head(&head, &Profile::Llm).expect("a grammar"));
        put(
            &path.with_extension("rs"),
            &canonical(task.answer(), Names::Author)
                .expect("a canonical form")
                .remove(0)
                .1,
        );
    }
}

#[test]
fn files_for_other_engines_are_written() {
    let asked = std::env::var_os("JUMAR_CORPUS").map(|folder| workspace().join(folder));
    let own = std::env::temp_dir().join(format!("jumar-corpus-{}", std::process::id()));
    let folder = asked.as_deref().unwrap_or(&own);
    write_corpus(folder);
    let kernels = |part: &str| below(&folder.join(part), &["rs"]).len();
    let (accepted, refused, heads) = (kernels("accepted"), kernels("refused"), kernels("heads"));
    if asked.is_none() {
        remove_dir_all(&own).expect("it goes");
    }
    println!("{accepted} kernels, {refused} mutants, {heads} heads");
    let tasks = all_tasks().len();
    assert!(
        accepted >= tasks && refused >= 3 * accepted && heads == tasks,
        "{accepted}, {refused}, {heads} of {tasks} tasks"
    );
}
