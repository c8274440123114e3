//! Counts how often statements of device functions ran, for tests of what their kernels reach.

use jumar_dsl::ir::{walk_stmts, Func, Lowered, QueueStmt, StmtKind};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A statement of a device function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    /// The function, without the number that distinguishes functions of different types.
    pub func: String,
    /// The index of the statement in program order.
    pub index: usize,
    /// The callee: an op, or another function.
    pub what: Option<String>,
}

/// Runs of every form in the kernels of some launches; a form that did not run has 0.
#[derive(Debug, Default)]
pub struct Census {
    runs: Mutex<BTreeMap<Form, u64>>,
}

impl Census {
    /// Returns the counts so far.
    pub fn runs(&self) -> BTreeMap<Form, u64> {
        self.runs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Adds the counts of a run: for each function one number for each statement.
    pub(crate) fn add(&self, lowered: &Lowered, counted: &[Vec<AtomicU64>]) {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        for (func, counts) in lowered.funcs.iter().zip(counted) {
            for form in forms(func, &lowered.funcs) {
                let n = counts
                    .get(form.index)
                    .map_or(0, |n| n.load(Ordering::Relaxed));
                *runs.entry(form).or_default() += n;
            }
        }
    }
}

/// Returns the forms of a function, whose name is unique among all functions.
fn forms(func: &Func, all: &[Arc<Func>]) -> Vec<Form> {
    let mut forms = Vec::new();
    walk_stmts(&func.body.stmts, &mut |s| {
        let mut what = s.instr().map(|instr| instr.op.def().ascendc.to_string());
        if let StmtKind::Do(QueueStmt::Call { func, .. }) = &s.kind {
            what = all.get(func.index()).map(|f| stem(&f.name).to_string());
        }
        forms.push(Form {
            func: stem(&func.name).to_string(),
            index: forms.len(),
            what,
        });
    });
    forms
}

/// Removes the number that distinguishes a name from others: no function's own name ends in one.
fn stem(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            stem
        }
        Some(_) | None => name,
    }
}

/// Makes one counter for each statement of each function, all 0.
pub(crate) fn counters(funcs: &[Arc<Func>]) -> Vec<Vec<AtomicU64>> {
    let statements = |func: &Func| {
        let mut n = 0;
        walk_stmts(&func.body.stmts, &mut |_| n += 1);
        n
    };
    funcs
        .iter()
        .map(|func| (0..statements(func)).map(|_| AtomicU64::new(0)).collect())
        .collect()
}
