//! Grammars: their engines accept them, they accept the canonical form of every kernel, and they
//! refuse texts of other languages.
//!
//! An engine takes a while to read the grammar of one head. `JUMAR_HEADS` is the number of tasks
//! for these, and `JUMAR_AXES` for the grammars of axes. They are drawn by their answers; at night
//! it is all. `JUMAR_SHOW` prints the semantic grammars.

use crate::support::notations::exported;
use crate::support::{again, all_tasks, corpus, drawn, each, mutants, MUTATIONS};
use jumar::dsl::front::parse_file;
use jumar_llm::canon::{self, canonical, head, Head, Names};
use jumar_llm::eval::head::head as head_of_header;
use jumar_llm::grammar::{
    grammar, of_head, semantic, semantic_axes, Format, Grammar, GrammarError, Profile,
};
use jumar_llm::tasks::corpus::{tasks, Task, BENCHES};
use jumar_llm::walk::{Compiled, Engine};
use std::collections::BTreeSet;

/// Compiles a grammar in each notation that has an engine, for the engine of the tests.
fn exports(grammar: &Grammar) -> Vec<(&'static str, Compiled)> {
    exported(grammar)
        .into_iter()
        .map(|(name, text)| {
            (
                name,
                compiled(&text).unwrap_or_else(|e| panic!("{name}: {e}")),
            )
        })
        .collect()
}

fn compiled(lark: &str) -> Result<Compiled, String> {
    Engine::bytes().and_then(|engine| engine.compiled(lark))
}

fn llm() -> Grammar {
    grammar(&Profile::Llm).expect("a grammar")
}

/// Returns the place where a grammar refuses a text, or `None` if it accepts the text.
fn refused(grammar: &Compiled, text: &str) -> Option<String> {
    let (bytes, ends) = grammar.taken(text).expect("the engine goes on");
    let line = text[..bytes].matches('\n').count();
    (!ends).then(|| {
        format!(
            "{bytes} of {} bytes, at: {}",
            text.len(),
            text.lines().nth(line).unwrap_or_default()
        )
    })
}

/// Kernels that no grammar has, by a part of their names, each with the form that is left out.
const IN_NO_GRAMMAR: [(&str, &str); 1] = [(
    "language/windows-and-views/4 transposed",
    "a quotient of three terms, as an index that may lie outside",
)];

#[test]
fn every_kernel_in_canonical_form_is_accepted_byte_by_byte() {
    let mut corpus = corpus();
    let before = corpus.len();
    corpus.retain(|(name, _)| !IN_NO_GRAMMAR.iter().any(|(part, _)| name.contains(part)));
    assert_eq!(
        before - corpus.len(),
        IN_NO_GRAMMAR.len(),
        "each is a kernel of the corpus"
    );
    for (format, grammar) in exports(&llm()) {
        let failed = corpus
            .iter()
            .filter_map(|(name, text)| refused(&grammar, text).map(|why| format!("{name}: {why}")));
        let failed: Vec<String> = failed.collect();
        assert!(
            failed.is_empty(),
            "{format}: {} of {}:\n{}",
            failed.len(),
            corpus.len(),
            failed.join("\n")
        );
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
                assert!(
                    refused(&grammar, &mutant).is_some(),
                    "{format}: {name} with `{to}` for `{from}`:\n{mutant}"
                );
                counts[nth] += 1;
            }
        }
        assert!(
            counts.iter().all(|n| *n >= 3),
            "{counts:?} of {}",
            corpus.len()
        );
    }
}

/// Returns the head of each task's answer, and the answer in canonical form with the author's
/// names.
fn answers() -> Vec<(String, Head, String)> {
    let one = |task: &Task| {
        let parsed = parse_file(task.answer())
            .unwrap_or_else(|(d, _)| panic!("{}", d.message))
            .remove(0);
        let signature = parsed.signature.expect("an answer has a head");
        let head = head(&signature, Names::Author).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let answer = canonical(task.answer(), Names::Author)
            .expect("a canonical form")
            .remove(0)
            .1;
        (task.stem.clone(), head, answer)
    };
    heads().iter().map(one).collect()
}

/// Returns the tasks whose grammars are tested.
fn heads() -> Vec<Task> {
    drawn("JUMAR_HEADS", 15, all_tasks(), |task| task.answer())
}

#[test]
fn answers_are_in_the_grammar_of_their_head() {
    let all = answers();
    let failed = each(&all, |(name, head, answer)| {
        let grammars = exports(&of_head(head, &Profile::Llm).expect("a grammar"));
        let why = grammars.iter().map(|(format, grammar)| {
            refused(grammar, answer).map(|why| format!("{name} in {format}: {why}"))
        });
        why.flatten().collect::<Vec<String>>()
    });
    let failed = failed.concat();
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}\n{}",
        failed.len(),
        all.len(),
        failed.join("\n"),
        again("grammar_of_their_head")
    );
}

#[test]
fn answers_are_in_the_semantic_grammar_of_their_task() {
    let all = answers();
    let found = each(&all, |(name, head, answer)| {
        let grammar = semantic(head, &Profile::Llm).expect("a grammar");
        if std::env::var_os("JUMAR_SHOW").is_some() {
            println!("{grammar}");
        }
        let why = refused(&compiled(&grammar).expect("a grammar"), answer);
        (grammar.len(), why.map(|why| format!("{name}: {why}")))
    });
    let (count, bytes) = (
        all.len(),
        found.iter().map(|(bytes, _)| bytes).sum::<usize>(),
    );
    let mut failed: Vec<String> = found.into_iter().filter_map(|(_, why)| why).collect();
    println!(
        "{} of {count} accepted, {} bytes a grammar",
        count - failed.len(),
        bytes / count.max(1)
    );
    failed.retain(|line| {
        NOT_IN_THE_MASK
            .iter()
            .all(|name| !line.starts_with(&format!("{name}: ")))
    });
    assert!(
        failed.is_empty(),
        "{} of {count}:\n{}\n{}",
        failed.len(),
        failed.join("\n"),
        again("semantic_grammar")
    );
}

/// Answers that the semantic grammar of their heads does not cover. It has only workspaces of
/// `f32`. It has no op with two results, such as `topk`, and no bytes as 16-bit integers. It has no
/// select and no clamp for some integers.
const NOT_IN_THE_MASK: [&str; 10] = [
    "alloc_extend",
    "apply_token_bitmask",
    "grouped_topk",
    "int4_pack",
    "int4_unpack",
    "rejection_random",
    "reverse_sequence",
    "top_k_mask",
    "top_k_v3",
    "topk_softmax",
];

/// Constructs that the grammar of axes does not cover, by words of canonical texts.
const LEFT_OUT: &[(&str, &str)] = &[
    ("new_axis(", "an axis of the body"),
    ("across_cores::<", "a merge over all cores"),
    ("workspace::<", "a workspace"),
    (".view(", "a view"),
];

/// Answers without these constructs that it does not cover either. They reduce along a run, store
/// at a tile of indices or at a scalar that was read, sort, or have more tiles than names.
const OTHERS: &[&str] = &[
    "multikernelbench/argmax_over_a_dimension",
    "multikernelbench/argmin_over_a_dimension",
    "multikernelbench/average_pooling_1d",
    "multikernelbench/logic_and_broadcast",
    "multikernelbench/mean_reduction_over_a_dimension",
    "multikernelbench/product_reduction_over_a_dimension",
    "multikernelbench/rms_norm",
    "multikernelbench/scatter_add",
    "multikernelbench/sum_reduction_over_a_dimension",
    "multikernelbench/take_along_dim",
    "npukernelbench/add_rms_norm_quant",
    "npukernelbench/coalesce_sparse",
    "npukernelbench/cross",
    "npukernelbench/dequant_swiglu_quant",
    "npukernelbench/eye",
    "npukernelbench/feeds_repeat",
    "npukernelbench/gather_v3",
    "npukernelbench/tril",
    "serving/advance_step",
    "serving/alloc_extend",
    "serving/apply_penalties",
    "serving/bgmv_shrink",
    "serving/copy_blocks",
    "serving/cross_entropy_backward",
    "serving/embedding_backward",
    "serving/expand_batch_to_tokens",
    "serving/int4_pack",
    "serving/log_prob_and_rank",
    "serving/masked_embedding",
    "serving/merge_attn_states",
    "serving/moe_permute",
    "serving/moe_token_counts",
    "serving/moe_token_offsets",
    "serving/moe_unpermute",
    "serving/rejection_greedy",
    "serving/reverse_sequence",
    "serving/rope_interleaved",
    "serving/strided_assign",
    "serving/swiglu_backward",
    "serving/swiglu_quant_grouped",
    "serving/token_bin_counts",
    "serving/topk_softmax",
];

/// A task whose tiles have several sets of axes, which is always tested.
const ALWAYS: &str = "layer_norm";

/// The outcome of an answer under the grammar of axes of its task.
enum Fate {
    /// The grammar accepts it, and refuses this many mutants of it.
    Taken(usize),
    /// It has a construct that the grammar does not cover.
    LeftOut,
    /// The grammar refuses it, although it has no such construct.
    Other(String),
}

fn under_axes(task: &Task) -> Fate {
    let parsed = parse_file(task.answer())
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let head = head(
        &parsed.signature.expect("an answer has a head"),
        Names::Axes,
    )
    .unwrap_or_else(|e| panic!("{}: {e}", task.stem));
    let answer = canonical(task.answer(), Names::Axes)
        .expect("a canonical form")
        .remove(0)
        .1;
    let grammar = match semantic_axes(&head, &Profile::Llm) {
        Ok(grammar) => compiled(&grammar).unwrap_or_else(|e| panic!("{}: {e}", task.stem)),
        Err(GrammarError::Axes { found, most }) => {
            assert!(found > most);
            return Fate::LeftOut;
        }
        Err(e) => panic!("{}: {e}", task.stem),
    };
    match refused(&grammar, &answer) {
        None => Fate::Taken(other_axes(&grammar, &answer)),
        Some(_) if LEFT_OUT.iter().any(|(word, _)| answer.contains(word)) => Fate::LeftOut,
        Some(why) => Fate::Other(why),
    }
}

/// Sets of axes as types. `JUMAR_AXES` is the number of answers, drawn by their texts; at night,
/// all.
#[test]
fn answers_are_in_the_grammar_of_axes_of_their_task() {
    let (always, rest): (Vec<Task>, Vec<Task>) = all_tasks()
        .into_iter()
        .partition(|task| task.stem == ALWAYS);
    let asked = [always, drawn("JUMAR_AXES", 5, rest, |task| task.answer())].concat();
    let (mut taken, mut left_out, mut mutants, mut others, mut wrong) = (0, 0, 0, 0, Vec::new());
    for (task, fate) in asked.iter().zip(each(&asked, under_axes)) {
        let name = format!("{}/{}", task.bench, task.stem);
        let is_other = OTHERS.contains(&name.as_str());
        wrong.extend(match fate {
            Fate::Taken(count) => {
                taken += 1;
                mutants += count;
                is_other.then(|| format!("{name} is in it, and a list says that it is not"))
            }
            Fate::LeftOut => {
                left_out += 1;
                None
            }
            Fate::Other(why) => {
                others += 1;
                (!is_other).then(|| format!("{name}: {why}"))
            }
        });
    }
    println!("{taken} taken, {left_out} left out, {others} others, {mutants} mutants refused");
    assert!(
        wrong.is_empty(),
        "{}\n{}",
        wrong.join("\n"),
        again("grammar_of_axes")
    );
    // The exact number is only known for all tasks.
    let whole = asked.len()
        == BENCHES
            .iter()
            .map(|(bench, ..)| tasks(bench).len())
            .sum::<usize>();
    assert!(
        !whole || taken * 2 > left_out + others,
        "{taken} taken, {left_out} left out, {others} others"
    );
    assert!(
        mutants > if whole { 250 } else { 0 } || asked.iter().all(|task| task.stem != ALWAYS),
        "{mutants} mutants"
    );
}

/// Counts lines in which a tile gets the name of another set of axes of the kernel. The grammar
/// must refuse each of them.
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
                if other.is_empty() {
                    "v_0".to_string()
                } else {
                    format!("v_{other}_0")
                },
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

/// A mask uses only the header. Its head, in names of pools, must be that of the answer.
#[test]
fn a_header_has_a_head_in_which_answers_can_be_written() {
    let all = heads();
    let others = each(&all, |task| {
        let head = |names| head_of_header(task, names).unwrap_or_else(|why| panic!("{why}"));
        let grammar = of_head(&head(Names::Author), &Profile::Llm).expect("a grammar");
        compiled(&Format::Lark.write(&grammar)).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let of_pools = head(Names::Pools);
        let grammar = of_head(&of_pools, &Profile::Llm).expect("a grammar");
        let answer = canonical(task.answer(), Names::Pools)
            .expect("a canonical form")
            .remove(0)
            .1;
        let signature = parse_file(task.answer())
            .unwrap_or_else(|(d, _)| panic!("{}", d.message))
            .remove(0)
            .signature;
        let own = canon::head(&signature.expect("an answer has a head"), Names::Pools)
            .expect("a canonical head")
            .text;
        let body = answer
            .strip_prefix(&own)
            .unwrap_or_else(|| panic!("{}: another head", task.stem));
        let grammar = compiled(&Format::Lark.write(&grammar))
            .unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let why = refused(&grammar, &format!("{}{body}", of_pools.text));
        why.map(|why| format!("{}: {why}\n{own}{}", task.stem, of_pools.text))
    });
    let mut others: Vec<String> = others.into_iter().flatten().collect();
    // The header has attributes last. One answer has a list of them between tensors, so its loop
    // over items has another order.
    others.retain(|line| !line.starts_with("foreach_addcdiv_scalar_list: "));
    assert!(
        others.is_empty(),
        "{} of {}:\n{}\n{}",
        others.len(),
        all.len(),
        others.join("\n"),
        again("a_header_has")
    );
}
