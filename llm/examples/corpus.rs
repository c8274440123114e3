//! Writes grammars, kernels that they take and texts that they refuse to a folder, for engines that are not crates: `llm/engines`.

#[path = "../tests/support/mod.rs"]
mod support;

use jumar_llm::canon::{canonical, head, Names};
use jumar_llm::grammar::{grammar, of_head, Format, Grammar, Profile};
use std::error::Error;
use std::fs::{create_dir_all, write};
use std::path::{Path, PathBuf};
use support::{all_tasks, corpus, mutants};

type Done = Result<(), Box<dyn Error>>;

fn main() -> Done {
    let folder =
        PathBuf::from(std::env::args().nth(1).ok_or("name a folder: `cargo run -p jumar-llm --example corpus -- build/corpus`")?);
    for part in ["accepted", "refused", "heads"] {
        create_dir_all(folder.join(part))?;
    }
    write_grammar(&folder.join("grammar"), &grammar(&Profile::Llm)?)?;
    for (nth, (_, text)) in corpus().into_iter().enumerate() {
        write(folder.join(format!("accepted/{nth}.rs")), &text)?;
        for (how, mutant) in mutants(&text) {
            write(folder.join(format!("refused/{nth}_{how}.rs")), mutant)?;
        }
    }
    for task in all_tasks() {
        let signature = jumar::dsl::front::parse_file(task.answer()).map_err(|(d, _)| d.message)?.remove(0).signature;
        let head = head(&signature.ok_or("an answer without a head")?, Names::Author)?;
        let path = folder.join("heads").join(format!("{}_{}", task.bench, task.stem));
        write_grammar(&path, &of_head(&head, &Profile::Llm)?)?;
        write(path.with_extension("rs"), canonical(task.answer(), Names::Author)?.remove(0).1)?;
    }
    Ok(())
}

/// A grammar in each notation that has an engine.
fn write_grammar(path: &Path, grammar: &Grammar) -> Done {
    for (name, format) in Format::ALL.iter().filter(|(_, format)| *format != Format::Bnf) {
        write(path.with_extension(name), format.write(grammar))?;
    }
    Ok(())
}
