//! Sizes that no header names: nobody can have written a kernel for these alone.
//!
//! A case of the task gets other sizes at random. How sizes must go together no header says; so the task's own answer is asked, and a size that it
//! does not take, or is not right for, is none.

use crate::tasks::corpus::{Case, Task};
use crate::tasks::data::Random;
use crate::tasks::judge::Reference;
use crate::tasks::run::{element_types, elements, Poison, Run};
use jumar::dsl::check::CheckedKernel;
use jumar::load::check_text;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// How often one is tried for.
const TRIES: u32 = 6;

/// Elements of all tensors, at most.
const MOST: usize = 50_000;

/// Up to so many cases of sizes of their own.
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

/// The case with other sizes; attributes stay as they are, and so do sizes of 0 and 1.
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
            // No axis has a size of these.
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

/// True where the answer runs and is right, with every element type. What a reference cannot compute is not meant.
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
