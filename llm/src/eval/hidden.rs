//! Hidden cases, with sizes that no header names, so that no kernel can be written for the known
//! sizes alone.
//!
//! A case of the task gets random sizes. No header says which sizes fit together. So the task's own
//! answer decides: a case is dropped if the answer refuses it or is wrong.

use crate::tasks::corpus::{Case, Task};
use crate::tasks::data::Random;
use crate::tasks::judge::Reference;
use crate::tasks::run::{element_types, elements, Poison, Run};
use jumar::dsl::check::CheckedKernel;
use jumar::load::check_text;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Attempts for each hidden case.
const TRIES: u32 = 6;

/// The limit of elements of all tensors.
const MOST: usize = 50_000;

/// Makes up to `wanted` cases with random sizes.
pub fn cases(task: &Task, reference: Reference, seed: u64, wanted: u32) -> Vec<Case> {
    let file = check_text("answer.rs", task.answer(), None);
    let Some(answer) = file
        .kernel(&task.stem)
        .and_then(|kernel| kernel.checked.first())
    else {
        return Vec::new();
    };
    let mut random = Random(
        seed.wrapping_mul(31)
            ^ task
                .stem
                .bytes()
                .fold(7, |h, b| h * 131 % 0xffff_fffb + u64::from(b)),
    );
    let tries = (0..wanted.saturating_mul(TRIES)).map(|_| {
        let from = &task.cases[random.below(task.cases.len() as u64) as usize];
        resized(task, from, &mut random)
    });
    tries
        .filter(|case| is_taken(task, reference, answer, case))
        .take(wanted as usize)
        .collect()
}

/// Returns the case with random sizes. Attributes stay, and so do sizes of 0 and 1.
fn resized(task: &Task, case: &Case, random: &mut Random) -> Case {
    let mut other = case.clone();
    let tables = std::iter::once(&mut other.given).chain(other.items.iter_mut().flatten());
    for (name, value) in tables.flat_map(toml::Table::iter_mut) {
        if task.attrs.iter().any(|attr| attr.name == *name) {
            continue;
        }
        match value {
            toml::Value::Integer(size) => resize(size, random),
            toml::Value::Array(list) => {
                for size in list {
                    if let toml::Value::Integer(size) = size {
                        resize(size, random);
                    }
                }
            }
            // None of these is the size of an axis.
            toml::Value::String(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => {}
            toml::Value::Datetime(_) | toml::Value::Table(_) => {}
        }
    }
    other
}

fn resize(size: &mut i64, random: &mut Random) {
    if let Some(most) = u64::try_from(*size).ok().filter(|size| *size > 1) {
        *size = 1 + random.below(2 * most) as i64;
    }
}

/// True if the answer runs and is right with every element type. A panic of the reference counts as
/// a refusal.
fn is_taken(task: &Task, reference: Reference, answer: &CheckedKernel, case: &Case) -> bool {
    let right = || {
        elements(task, case) <= MOST
            && element_types(task).iter().all(|element| {
                let run = Run::new(task, case, element, 0);
                let after = run.launch(answer, None, Poison::High);
                after.is_ok_and(|after| run.against(&run.due(reference), &after).is_ok())
            })
    };
    catch_unwind(AssertUnwindSafe(right)).unwrap_or(false)
}
