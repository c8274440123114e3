//! Variants of right kernels are right: the answers of the serving tasks, renamed, reordered, under
//! branches, or split differently.
//!
//! Each variant is one answer with one to four changes, drawn by a seed. A change keeps the meaning
//! by construction and gives the same bits. So the operands of `+` and `*` may be exchanged, but
//! the order of longer sums stays. For each variant the suite checks:
//!
//! - The checker has no errors, and only the warnings of the answer.
//! - The variant is emitted.
//! - On the simulator it leaves the bytes of the answer, in the smallest significant case.
//!
//! A failure prints the variant with its number, the changes and the finding.
//!
//! | module | changes |
//! |---|---|
//! | `names` | names: all of them, or some exchanged |
//! | `order` | statements, arms, operands, parameters and requirements are exchanged |
//! | `branches` | work and values are under conditions |
//! | `parts` | values get names, lose them, are made in steps or in helpers |
//!
//! `kinds` finds the kinds of names and expressions, `effects` the effects of statements, and
//! `draft` the places of changes. `text` writes kernels. Constructs that the language excludes are
//! not drawn: an output that an arm does not store, a loop over the items of lists under a
//! condition, masks that an `if` chooses.
//!
//! | variable | says | where it is not set |
//! |---|---|---|
//! | `JUMAR_VARIANTS` | how many variants are drawn | 100, in the night 2,000 |
//! | `JUMAR_SEED` | which | 54; at night the hash of the sources |
//! | `JUMAR_TASK` | of which tasks | all of serving |

mod branches;
mod draft;
mod effects;
mod kinds;
mod names;
mod order;
mod parts;
mod text;

use crate::support::{again_from, all_tasks, each};
use draft::Draft;
use jumar::codegen::{emit, EmitOptions};
use jumar::load::check_text;
use jumar::runtime::AsInput;
use jumar_kit::tier::{cases, hash, seed, Tier};
use jumar_llm::eval::stages::telling;
use jumar_llm::tasks::corpus::Task;
use jumar_llm::tasks::data::Random;
use jumar_llm::tasks::run::{element_types, Poison, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A change of a draft; false if it fits nowhere.
type Change = fn(&mut Draft) -> bool;

/// Every change, with its description.
const CHANGES: &[(&str, Change)] = &[
    ("renamed", names::rename),
    ("names exchanged", names::exchange),
    ("statements exchanged", order::statements),
    ("arms exchanged", order::arms),
    ("comparison turned round", order::comparisons),
    ("operands exchanged", order::operands),
    ("parameters in another order", order::parameters),
    ("requirements in another order", order::requirements),
    ("work under a flag", branches::work),
    ("a block under a flag", branches::blocks),
    ("a let under a flag", branches::lets),
    ("a value under a flag", branches::values),
    ("work under an axis", branches::axes),
    ("work under data", branches::data),
    ("assigned under a branch", branches::assigned),
    ("a part pulled out", parts::pulled_out),
    ("a let put in", parts::put_in),
    ("made in steps", parts::in_steps),
    ("assigned again", parts::shadowed),
    ("a helper", parts::helper),
];

/// A variant of an answer.
struct Variant {
    /// The number of the draw.
    number: u64,
    task: usize,
    /// The changes that were made.
    done: Vec<&'static str>,
    text: String,
    /// The current names of parameters.
    called: BTreeMap<String, String>,
    /// The element type that it runs with.
    element: String,
}

/// Returns the seed. The gate draws the same variants in each commit, the night others.
fn own_seed() -> u64 {
    match Tier::is_night() || std::env::var_os("JUMAR_SEED").is_some() {
        true => seed(),
        false => 54,
    }
}

/// Draws the variant of a number.
fn drawn(tasks: &[Task], number: u64) -> Variant {
    let mut random = Random(hash(own_seed(), &number.to_le_bytes()));
    let task = random.below(tasks.len() as u64) as usize;
    let elements = element_types(&tasks[task]);
    let element = elements[random.below(elements.len() as u64) as usize].clone();
    let wanted = 1 + random.below(4) as usize;
    let mut draft = Draft::new(tasks[task].answer(), random.below(u64::MAX));
    let mut done = Vec::new();
    // Some changes fit nowhere in some kernels.
    for _ in 0..wanted * 4 {
        let (name, change) = CHANGES[draft.random.below(CHANGES.len() as u64) as usize];
        if done.len() < wanted && change(&mut draft) {
            done.push(name);
        }
    }
    Variant {
        number,
        task,
        done,
        text: text::lines(&draft.module),
        called: draft.called,
        element,
    }
}

/// The warnings and results of a kernel.
struct Outcome {
    warnings: BTreeSet<String>,
    /// The bytes of each tensor, in the order of the task.
    left: Vec<Vec<u8>>,
}

/// Checks, emits and runs a kernel.
fn outcome(
    task: &Task,
    text: &str,
    element: &str,
    called: BTreeMap<String, String>,
) -> Result<Outcome, String> {
    let file = check_text("variant.rs", text, None);
    if file.has_errors() {
        return Err(file.render(false));
    }
    let checked = file
        .kernels()
        .iter()
        .find_map(|kernel| kernel.checked.first())
        .ok_or("no kernel")?;
    emit(checked, &EmitOptions::default());
    let run = Run::new(task, telling(task), element, 0).called(called);
    let after = run
        .launch(checked, None, Poison::High)
        .map_err(|halt| format!("the launch: {}", halt.why))?;
    let left = run
        .tensors(&after)
        .map(|(_, _, _, after)| after.as_input().bytes().to_vec())
        .collect();
    let warnings = file
        .all()
        .flat_map(|kernel| &kernel.diagnostics)
        .map(|found| found.code.to_string())
        .collect();
    Ok(Outcome { warnings, left })
}

/// Says why a variant differs from its answer.
fn judged(task: &Task, variant: &Variant) -> Result<(), String> {
    let own = outcome(task, task.answer(), &variant.element, BTreeMap::new())?;
    let run = || {
        outcome(
            task,
            &variant.text,
            &variant.element,
            variant.called.clone(),
        )
    };
    let found = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("a panic".into()))?;
    let more: Vec<_> = found.warnings.difference(&own.warnings).collect();
    if !more.is_empty() {
        return Err(format!("warns of {more:?}"));
    }
    match own
        .left
        .iter()
        .zip(&found.left)
        .position(|(own, found)| own != found)
    {
        Some(at) => Err(format!(
            "leaves other bytes in `{}`",
            task.tensors.get(at).map_or("", |t| &t.name)
        )),
        None => Ok(()),
    }
}

#[test]
fn variants_of_right_kernels_are_right() {
    let tasks: Vec<Task> = all_tasks()
        .into_iter()
        .filter(|task| task.bench == "serving")
        .collect();
    if tasks.is_empty() {
        return;
    }
    let numbers: Vec<u64> = (0..cases("JUMAR_VARIANTS", 100, 2_000)).collect();
    let failed: Vec<String> = each(&numbers, |number| {
        let variant = drawn(&tasks, *number);
        let task = &tasks[variant.task];
        let found = judged(task, &variant).err()?;
        let Variant {
            number,
            done,
            text,
            element,
            ..
        } = &variant;
        Some(format!(
            "variant {number} of {} with {element:?}, {}: {found}\n{text}",
            task.stem,
            done.join(", ")
        ))
    })
    .into_iter()
    .flatten()
    .collect();
    let again = again_from(own_seed(), "variants_of_right_kernels");
    assert!(
        failed.is_empty(),
        "{} of {} variants:\n{}\n{again}",
        failed.len(),
        numbers.len(),
        failed.join("\n\n")
    );
}
