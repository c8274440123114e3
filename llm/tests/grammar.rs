//! Grammars: each is one that its engine takes, the canonical form of every kernel is in it byte by byte, and texts of another language are not.

mod support;

use jumar::dsl::front::parse_file;
use jumar_llm::canon::{self, canonical, head, Head, Names};
use jumar_llm::eval::head::head as head_of_header;
use jumar_llm::grammar::{grammar, of_head, semantic, semantic_axes, Format, Grammar, Profile};
use jumar_llm::walk::{Compiled, Engine};
use support::{all_tasks, corpus, exported, mutants, MUTATIONS};

/// A grammar in each notation that has an engine, as the engine of the tests reads it.
fn exports(grammar: &Grammar) -> Vec<(&'static str, Compiled)> {
    exported(grammar).into_iter().map(|(name, text)| (name, compiled(&text).unwrap_or_else(|e| panic!("{name}: {e}")))).collect()
}

fn compiled(lark: &str) -> Result<Compiled, String> {
    Engine::bytes().and_then(|engine| engine.compiled(lark))
}

fn llm() -> Grammar {
    grammar(&Profile::Llm).expect("a grammar")
}

/// Where a grammar stops in a text; nothing where it takes all of it.
fn refused(grammar: &Compiled, text: &str) -> Option<String> {
    let (bytes, ends) = grammar.taken(text).expect("the engine goes on");
    let line = text[..bytes].matches('\n').count();
    (!ends).then(|| format!("{bytes} of {} bytes, at: {}", text.len(), text.lines().nth(line).unwrap_or_default()))
}

#[test]
fn every_kernel_in_canonical_form_is_accepted_byte_by_byte() {
    let corpus = corpus();
    for (format, grammar) in exports(&llm()) {
        let failed = corpus.iter().filter_map(|(name, text)| refused(&grammar, text).map(|why| format!("{name}: {why}")));
        let failed: Vec<String> = failed.collect();
        assert!(failed.is_empty(), "{format}: {} of {}:\n{}", failed.len(), corpus.len(), failed.join("\n"));
    }
}

#[test]
fn other_texts_are_refused() {
    let corpus = corpus();
    for (format, grammar) in exports(&llm()) {
        let mut counts = vec![0; MUTATIONS.len()];
        for (name, text) in &corpus {
            for (nth, mutant) in mutants(text) {
                let (from, to) = MUTATIONS[nth];
                assert!(refused(&grammar, &mutant).is_some(), "{format}: {name} with `{to}` for `{from}`:\n{mutant}");
                counts[nth] += 1;
            }
        }
        assert!(counts.iter().all(|n| *n >= 3), "{counts:?} of {}", corpus.len());
    }
}

/// The head of a task's answer, and the answer in canonical form with the author's names.
fn answers() -> Vec<(String, Head, String)> {
    let one = |task: &jumar_llm::tasks::corpus::Task| {
        let parsed = parse_file(task.answer()).unwrap_or_else(|(d, _)| panic!("{}", d.message)).remove(0);
        let signature = parsed.signature.expect("an answer has a head");
        let head = head(&signature, Names::Author).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let answer = canonical(task.answer(), Names::Author).expect("a canonical form").remove(0).1;
        (task.stem.clone(), head, answer)
    };
    all_tasks().iter().map(one).collect()
}

#[test]
fn answers_are_in_the_grammar_of_their_head() {
    let (mut failed, mut count) = (Vec::new(), 0);
    for (name, head, answer) in answers() {
        count += 1;
        for (format, grammar) in exports(&of_head(&head, &Profile::Llm).expect("a grammar")) {
            failed.extend(refused(&grammar, &answer).map(|why| format!("{name} in {format}: {why}")));
        }
    }
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn answers_are_in_the_semantic_grammar_of_their_task() {
    let (mut failed, mut count, mut bytes) = (Vec::new(), 0, 0);
    for (name, head, answer) in answers() {
        let grammar = semantic(&head, &Profile::Llm).expect("a grammar");
        count += 1;
        bytes += grammar.len();
        if std::env::var_os("JUMAR_SHOW").is_some() {
            println!("{grammar}");
        }
        failed.extend(refused(&compiled(&grammar).expect("a grammar"), &answer).map(|why| format!("{name}: {why}")));
    }
    println!("{} of {count} accepted, {} bytes a grammar", count - failed.len(), bytes / count.max(1));
    // Workspaces are of `f32` under the mask; one answer has one of `f16`.
    failed.retain(|line| !line.starts_with("top_k_v3: "));
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

/// Sets of axes as types: what an answer has that this grammar leaves out is no surprise, and nearly all that has none of it is in.
#[test]
fn answers_are_in_the_grammar_of_axes_of_their_task() {
    let (mut failed, mut count, mut bytes) = (Vec::new(), 0, 0);
    for task in all_tasks() {
        let parsed = parse_file(task.answer()).unwrap_or_else(|(d, _)| panic!("{}", d.message)).remove(0);
        let head =
            head(&parsed.signature.expect("an answer has a head"), Names::Axes).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let answer = canonical(task.answer(), Names::Axes).expect("a canonical form").remove(0).1;
        count += 1;
        let grammar = match semantic_axes(&head, &Profile::Llm) {
            Ok(grammar) => grammar,
            Err(e) => {
                failed.push(format!("{}: {e}", task.stem));
                continue;
            }
        };
        bytes += grammar.len();
        if std::env::var_os("JUMAR_SHOW").is_some() {
            println!("{grammar}\n{answer}");
        }
        failed.extend(
            refused(&compiled(&grammar).unwrap_or_else(|e| panic!("{}: {e}", task.stem)), &answer)
                .map(|why| format!("{}: {why}", task.stem)),
        );
    }
    println!("{} of {count} accepted, {} bytes a grammar\n{}", count - failed.len(), bytes / count.max(1), failed.join("\n"));
}

/// A mask is made of a header alone. In names of pools, where those of axes do not matter, it says what the head of an answer says.
#[test]
fn a_header_has_a_head_in_which_answers_can_be_written() {
    let (mut taken, mut all, mut others) = (0, 0, Vec::new());
    for task in all_tasks() {
        let head = |names| head_of_header(&task, names).unwrap_or_else(|why| panic!("{why}"));
        let grammar = of_head(&head(Names::Author), &Profile::Llm).expect("a grammar");
        compiled(&Format::Lark.write(&grammar)).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let of_pools = head(Names::Pools);
        let grammar = of_head(&of_pools, &Profile::Llm).expect("a grammar");
        let answer = canonical(task.answer(), Names::Pools).expect("a canonical form").remove(0).1;
        let signature = parse_file(task.answer()).unwrap_or_else(|(d, _)| panic!("{}", d.message)).remove(0).signature;
        let own = canon::head(&signature.expect("an answer has a head"), Names::Pools).expect("a canonical head").text;
        let body = answer.strip_prefix(&own).unwrap_or_else(|| panic!("{}: another head", task.stem));
        let grammar = compiled(&Format::Lark.write(&grammar)).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        all += 1;
        match refused(&grammar, &format!("{}{body}", of_pools.text)) {
            None => taken += 1,
            Some(why) => others.push(format!("{}: {why}\n{own}{}", task.stem, of_pools.text)),
        }
    }
    // Where a header has attributes last, one answer has a list of them between tensors, and the loop over items has them in that order.
    others.retain(|line| !line.starts_with("foreach_addcdiv_scalar_list: "));
    assert!(others.is_empty(), "{taken} of {all}:\n{}", others.join("\n"));
}
