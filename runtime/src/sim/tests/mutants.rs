//! Device functions with one planted mistake: the verifier or the checker refuses each one, or a
//! result shows it.
//!
//! The functions come from kernels that the lowering makes. Each is changed in one place
//! ([`change`]) and run on shapes that reach that place, beside the interpreter of the source
//! ([`bench`]). A mutant that leaves its buffers must be refused before it runs. A mutant may give
//! the right result on all shapes, with the proofs of the original. Then it is equivalent
//! ([`alike`]), or a shape or a rule is missing.
//!
//! `JUMAR_MUTANTS` says how many mutants of each kernel run; the nightly tier runs all.

mod alike;
mod bench;
mod change;

use crate::{Census, Launch};
use bench::{Bench, SUBJECTS};
use change::{mutants, Mutant};
use jumar_dsl::check::found_in;
use jumar_dsl::diag::Code;
use jumar_dsl::ir::text::to_text;
use jumar_dsl::ir::{verify_lowered, Func, Lowered};
use jumar_kit::tier;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Refused by the verifier.
    Malformed,
    /// Refused by the checker.
    Refused,
    /// Shown by another result, or by a fault.
    Wrong,
    /// Not refused, although it leaves its buffers or breaks what a function requires: the checker
    /// proved something wrong.
    Missed,
    /// Equivalent: the change selects another right form, or affects what nobody reads.
    Otherwise,
    /// Not detected by anything.
    Survives,
}

impl Bench {
    /// True if the checker finds something new.
    fn is_refused(&self, lowered: &Lowered) -> bool {
        let mut found = found_in(lowered);
        for known in &self.found {
            if let Some(at) = found.iter().position(|f| f == known) {
                found.swap_remove(at);
            }
        }
        !found.is_empty()
    }

    fn judge(&self, lowered: &Lowered, func: usize, mutant: &Mutant) -> End {
        if verify_lowered(lowered).is_err() {
            return End::Malformed;
        }
        let name = &self.kernel.instances()[0].funcs[func].name;
        let instances = std::slice::from_ref(lowered);
        let mut differs = false;
        for shot in self
            .shots
            .iter()
            .filter(|shot| shot.reaches(name, mutant.statement))
        {
            let census = Census::default();
            match shot.run(Launch::lowered(instances, self.kernel.chip()).census(&census)) {
                Ok(made) if made == shot.wanted => {}
                Ok(_) => return End::Wrong,
                Err(e) if e.code() == Code::J0802 => return End::Wrong,
                Err(_) if self.is_refused(lowered) => return End::Refused,
                Err(_) => return End::Missed,
            }
            differs |= census.runs().values().ne(shot.runs.values())
                || shot.cycles(lowered, self.kernel.chip()) != shot.cycles;
        }
        match (self.is_refused(lowered), differs) {
            (true, _) => End::Refused,
            (false, true) => End::Otherwise,
            (false, false) => End::Survives,
        }
    }
}

/// Returns the statement before the change, and the change with two words around it.
fn changed(before: &Func, after: &Func) -> (String, String) {
    let (before, after) = (to_text(before), to_text(after));
    let apart = before.lines().zip(after.lines()).find(|(a, b)| a != b);
    let statement = apart.map_or_else(String::new, |(a, _)| a.trim().to_string());
    let (a, b): (Vec<_>, Vec<_>) = (
        before.split_whitespace().collect(),
        after.split_whitespace().collect(),
    );
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let end = a[start..]
        .iter()
        .rev()
        .zip(b[start..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let part = |words: &[&str]| {
        words[start.saturating_sub(2)..(words.len() - end + 1).min(words.len())].join(" ")
    };
    (statement, format!("{} => {}", part(&a), part(&b)))
}

/// Returns every possible change in the functions of a kernel.
fn every(bench: &Bench) -> Vec<(usize, Mutant)> {
    let funcs = bench.kernel.instances()[0].funcs.iter().enumerate();
    funcs
        .flat_map(|(i, func)| mutants(func).into_iter().map(move |mutant| (i, mutant)))
        .collect()
}

/// Describes the problem of a mutant that was not detected.
fn alive(bench: &Bench, func: usize, mutant: &Mutant, end: End) -> Option<String> {
    let before = &bench.kernel.instances()[0].funcs[func];
    let (statement, change) = changed(before, &mutant.func);
    let reached = bench
        .shots
        .iter()
        .filter(|shot| shot.reaches(&before.name, mutant.statement))
        .count();
    let statement = if mutant.statement.is_some() {
        statement
    } else {
        String::new()
    };
    let lives = match end {
        End::Malformed | End::Refused | End::Wrong | End::Otherwise => false,
        End::Missed => !alike::does_nothing(&before.name, &change),
        End::Survives => !alike::means_the_same(&before.name, &statement, &change, reached),
    };
    lives.then(|| {
        format!(
            "{end:?} {} {:?} in {reached} shapes: {change}: {statement}",
            before.name, mutant.statement
        )
    })
}

#[test]
fn a_mistake_in_a_device_function_is_found() {
    let most = usize::try_from(tier::cases("JUMAR_MUTANTS", 6, u64::MAX))
        .unwrap_or(usize::MAX)
        .max(1);
    let mut wrong = Vec::new();
    for subject in SUBJECTS {
        let bench = subject.bench();
        let every = every(&bench);
        let step = every.len().div_ceil(most.min(every.len()));
        // Other sources select another part of the mutants.
        let first = (tier::seed() % step as u64) as usize;
        let ran: Vec<(End, Option<String>)> = every
            .par_iter()
            .skip(first)
            .step_by(step)
            .map(|(func, mutant)| {
                let mut lowered = bench.kernel.instances()[0].clone();
                lowered.funcs[*func] = Arc::new(mutant.func.clone());
                let end = bench.judge(&lowered, *func, mutant);
                (end, alive(&bench, *func, mutant, end))
            })
            .collect();
        let mut ends = BTreeMap::new();
        ran.iter()
            .for_each(|(end, _)| *ends.entry(end).or_insert(0) += 1);
        println!(
            "{} {}: of {} mutants {}: {ends:?}",
            subject.chip,
            subject.dtype,
            every.len(),
            ran.len()
        );
        wrong.extend(
            ran.into_iter()
                .filter_map(|(_, why)| why)
                .map(|why| format!("{} {} {why}", subject.chip, subject.dtype)),
        );
    }
    let again = format!(
        "JUMAR_SEED={} JUMAR_MUTANTS={most} cargo test -p jumar-runtime --lib mutants",
        tier::seed()
    );
    assert!(
        wrong.is_empty(),
        "{} mutants live\n{}\nagain: {again}",
        wrong.len(),
        wrong.join("\n")
    );
}
