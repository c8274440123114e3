//! The verdict on the text of a kernel for a task.
//!
//! The text is checked as `jumar check` does. It runs in every case and for every element type on
//! the simulator, whose results are compared with the reference. The tile interpreter runs with
//! whole loops and with loops cut in halves, and the emitted C++ runs, too. The C++ must give the
//! simulator's bits. The interpreter may differ as far as another order of sums allows. No text
//! causes a panic here.

use super::corpus::Task;
use super::reference::{Due, Given};
use super::run::{runs, Run};
pub use super::tolerance::allowed;
use crate::eval::class::Class;
use crate::eval::stages::{Cases, Failure, Judge, Judged, Settings, Stage};
use jumar::dsl::dtype::DType;
use std::collections::BTreeMap;
use std::fmt;

/// The computation of a task on given inputs.
pub type Reference = fn(&Given) -> Due;

/// The verdict on a text.
#[derive(Debug)]
pub enum Verdict {
    /// All readers agree with the reference.
    Right {
        /// The largest error as a fraction of the tolerance.
        worst: f64,
    },
    /// The text has no such kernel, or the front end or the checker refuses it.
    Refused(String),
    /// A launch is refused, or a run stops.
    Stopped {
        /// The run that stopped.
        case: String,
        why: String,
    },
    /// A result differs from the reference.
    Wrong {
        /// The run with the difference.
        case: String,
        /// The element, and its expected value.
        why: String,
    },
    /// Another reader differs from the simulator, which is a defect of jumar.
    Disagree {
        /// The run with the difference.
        case: String,
        /// The reader, and its element.
        why: String,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Right { worst } => write!(f, "right, {worst:.2} of what is allowed"),
            Verdict::Refused(why) => write!(f, "refused: {why}"),
            Verdict::Stopped { case, why } => write!(f, "stopped: {case}: {why}"),
            Verdict::Wrong { case, why } => write!(f, "wrong: {case}: {why}"),
            Verdict::Disagree { case, why } => write!(f, "readers disagree: {case}: {why}"),
        }
    }
}

/// Judges the text of a kernel with the task's name. If `cpp` is set, the emitted C++ runs, too.
pub fn judge(task: &Task, reference: Reference, text: &str, cpp: bool) -> Verdict {
    let settings = Settings {
        chip: None,
        seed: 0,
        cases: Cases::All,
        shapes: 0,
        fixes: true,
    };
    Judge::new(task, reference, settings)
        .judge(text, cpp, &mut |_| {})
        .into()
}

impl From<Judged> for Verdict {
    fn from(judged: Judged) -> Self {
        let worst = judged.worst.unwrap_or(0.0);
        judged
            .failure
            .map_or(Verdict::Right { worst }, Verdict::from)
    }
}

impl From<Failure> for Verdict {
    fn from(failure: Failure) -> Self {
        let Failure {
            stage,
            class,
            case,
            why,
            ..
        } = failure;
        let case = case.unwrap_or_default();
        match (stage, class) {
            (_, Class::Readers) => Verdict::Disagree { case, why },
            (Stage::Parse | Stage::Check, _) => Verdict::Refused(why),
            (_, Class::Value | Class::Unsteady | Class::Impossible) => Verdict::Wrong { case, why },
            (Stage::Emit | Stage::Compile | Stage::Right | Stage::Cost, _) => {
                Verdict::Stopped { case, why }
            }
        }
    }
}

/// Returns the bluntest tolerance and its tensor: the largest tolerance in any case, relative to
/// the tensor's largest element in any case. For integers and masks, their own rounding does not
/// count.
pub fn bluntest(task: &Task, reference: Reference) -> (f64, String) {
    let mut ends: BTreeMap<(String, DType), (f64, f64)> = BTreeMap::new();
    for (case, element) in runs(task) {
        let run = Run::new(task, case, &element, 0);
        let due = run.due(reference);
        for (name, dtype, want) in run.results(&due) {
            let (most, largest) = ends.entry((name.to_string(), dtype)).or_default();
            for (v, size) in want
                .values
                .iter()
                .zip(&want.sizes)
                .filter(|(v, _)| v.is_finite())
            {
                *most = most.max(allowed(*v, *size, run.units, dtype));
                *largest = largest.max(v.abs());
            }
        }
    }
    // A tensor of zeros has no relative error, so its absolute error counts.
    let part = |dtype: DType, most: f64, largest: f64| {
        if dtype.is_float() && largest == 0.0 {
            most
        } else if dtype.is_float() {
            most / largest
        } else {
            (most - 0.5) / largest.max(1.0)
        }
    };
    let parts = ends.into_iter().map(|((name, dtype), (most, largest))| {
        (part(dtype, most, largest), format!("{name} of {dtype}"))
    });
    parts
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or_else(|| panic!("{} has no result", task.stem))
}
