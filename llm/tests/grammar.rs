//! Grammars: each is one that its engine takes, the canonical form of every kernel is in it byte by byte, and texts of another language are not.

mod support;

use jumar::dsl::front::parse_file;
use jumar_llm::canon::{self, canonical, head, Head, Names};
use jumar_llm::eval::head::head as head_of_header;
use jumar_llm::grammar::{grammar, of_head, semantic, semantic_axes, Format, Grammar, GrammarError, Profile};
use jumar_llm::walk::{Compiled, Engine};
use std::collections::BTreeSet;
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

/// What the grammar of axes leaves out, by words of canonical texts.
const LEFT_OUT: &[(&str, &str)] = &[
    ("new_axis(", "an axis of the body"),
    ("across_cores::<", "a merge over all cores"),
    ("workspace::<", "a workspace"),
    (".view(", "a view"),
];

/// Answers that have nothing of these and are not in it: what is reduced along a run, stored at a tile of indices, or has more tiles than there are names for.
const FEW_NAMES: usize = 18;

/// Sets of axes as types. `JUMAR_AXES=all` asks for every answer, not one in three.
#[test]
fn answers_are_in_the_grammar_of_axes_of_their_task() {
    let step = if std::env::var("JUMAR_AXES").is_ok_and(|all| all == "all") { 1 } else { 3 };
    let (mut taken, mut left_out, mut others, mut mutants) = (0, 0, Vec::new(), 0);
    for task in all_tasks().iter().step_by(step) {
        let parsed = parse_file(task.answer()).unwrap_or_else(|(d, _)| panic!("{}", d.message)).remove(0);
        let head =
            head(&parsed.signature.expect("an answer has a head"), Names::Axes).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let answer = canonical(task.answer(), Names::Axes).expect("a canonical form").remove(0).1;
        let grammar = match semantic_axes(&head, &Profile::Llm) {
            Ok(grammar) => compiled(&grammar).unwrap_or_else(|e| panic!("{}: {e}", task.stem)),
            Err(GrammarError::Axes { found, most }) => {
                assert!(found > most);
                left_out += 1;
                continue;
            }
            Err(e) => panic!("{}: {e}", task.stem),
        };
        match refused(&grammar, &answer) {
            None => {
                taken += 1;
                mutants += other_axes(&grammar, &answer);
            }
            Some(_) if LEFT_OUT.iter().any(|(word, _)| answer.contains(word)) => left_out += 1,
            Some(why) => others.push(format!("{}: {why}", task.stem)),
        }
    }
    println!("{taken} taken, {left_out} left out, {mutants} mutants refused, others:\n{}", others.join("\n"));
    assert!(taken * 2 > left_out + others.len() && others.len() * step <= FEW_NAMES + step, "{}", others.join("\n"));
    assert!(mutants * step > 250, "{mutants}");
}

/// Texts in which one tile is called as one of other axes that the kernel has: how many there are, each of which the grammar refuses in that line.
fn other_axes(grammar: &Compiled, answer: &str) -> usize {
    let tile = |line: &str| {
        Some(
            line.trim_start()
                .strip_prefix("let v_")?
                .split_once(" = ")?
                .0
                .rsplit_once('_')
                .map_or("", |(axes, _)| axes)
                .to_string(),
        )
    };
    let classes: BTreeSet<String> = answer.lines().filter_map(tile).collect();
    let (mut count, mut before) = (0, 0);
    for line in answer.split_inclusive('\n') {
        let (own, at) = (tile(line), before);
        before += line.len();
        let Some(own) = own else { continue };
        for other in classes.iter().filter(|other| **other != own) {
            let (name, right) = (
                if other.is_empty() { "v_0".to_string() } else { format!("v_{other}_0") },
                line.split_once(" = ").map_or("", |(_, right)| right),
            );
            let mutant = format!("{}        let {name} = {right}", &answer[..at]);
            let (bytes, _) = grammar.taken(&mutant).expect("the engine goes on");
            assert!(bytes < mutant.trim_end().len(), "{mutant}");
            count += 1;
        }
    }
    count
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
