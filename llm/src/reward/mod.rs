//! A reward for the training of a model: each line of JSON asks for one, and a line of JSON
//! answers.
//!
//! The stages, processes and limits are those of [`crate::eval`]. This module adds one number, the
//! sum of these parts:
//!
//! | part | weight | earned if |
//! |---|---|---|
//! | `parse` | 0.05 | the text is one of the language |
//! | `check` | 0.15 | the checker has no errors |
//! | `emit` | 0.1 | the AscendC is written, and compiles where that was asked for |
//! | `right` | 0.5 | the results are the reference's, in every case, on all readers |
//! | `speed` | 0.2 | the bound over the predicted cycles, at most 1 |
//!
//! - Partly right results earn nothing, because nearly right values can be had without the work.
//! - A kernel that is faster than the memory can write its outputs has not done the work, and gets
//!   nothing for `right`.
//! - A kernel whose control flow depends on data has no prediction. Its other parts are scaled so
//!   that they can reach 1.
//! - A failure that says nothing about the candidate has no reward, such as a missing compiler or a
//!   defect of jumar.

mod serve;

pub use serve::{Served, Server};

use crate::eval::class::Class;
use crate::eval::stages::{Cost, Judged, Stage};
use serde::Serialize;

/// The weight of each part except speed.
const PARSE: f64 = 0.05;
const CHECK: f64 = 0.15;
const EMIT: f64 = 0.1;
const RIGHT: f64 = 0.5;
/// The weight of speed.
const SPEED: f64 = 0.2;

/// The parts of a reward, with their weights applied.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parts {
    /// For a text of the language.
    pub parse: f64,
    /// For a text that the checker accepts.
    pub check: f64,
    /// For its AscendC.
    pub emit: f64,
    /// For right results.
    pub right: f64,
    /// For few cycles; `None` if they cannot be predicted.
    pub speed: Option<f64>,
}

impl Parts {
    pub fn sum(&self) -> f64 {
        self.parse + self.check + self.emit + self.right + self.speed.unwrap_or(0.0)
    }

    fn times(self, by: f64) -> Parts {
        let Parts {
            parse,
            check,
            emit,
            right,
            speed,
        } = self;
        Parts {
            parse: parse * by,
            check: check * by,
            emit: emit * by,
            right: right * by,
            speed: speed.map(|speed| speed * by),
        }
    }
}

/// Returns the parts that a candidate has earned, or `None` if its outcome is unknown.
pub fn parts(judged: &Judged) -> Option<Parts> {
    let class = judged.failure.as_ref().map(|failure| failure.class);
    if class.is_some_and(|class| class == Class::Readers || !class.is_of_candidate()) {
        return None;
    }
    let has = |stage: Stage, weight: f64| {
        if judged.passed.contains(&stage) {
            weight
        } else {
            0.0
        }
    };
    let compiled = judged
        .failure
        .as_ref()
        .is_none_or(|failure| failure.stage != Stage::Compile);
    let earned = Parts {
        parse: has(Stage::Parse, PARSE),
        check: has(Stage::Check, CHECK),
        emit: if compiled {
            has(Stage::Emit, EMIT)
        } else {
            0.0
        },
        right: if class == Some(Class::Impossible) {
            0.0
        } else {
            has(Stage::Right, RIGHT)
        },
        speed: Some(0.0),
    };
    Some(match (&judged.cost, judged.passed.contains(&Stage::Cost)) {
        (Some(cost), true) => Parts {
            speed: Some(SPEED * part_of_bound(cost)),
            ..earned
        },
        (None, true) => Parts {
            speed: None,
            ..earned.times(1.0 / (1.0 - SPEED))
        },
        (_, false) => earned,
    })
}

/// Returns the bound over the cycles. A kernel that need not read all of its inputs may be below
/// the bound.
fn part_of_bound(cost: &Cost) -> f64 {
    if cost.cycles > cost.bound {
        cost.bound / cost.cycles
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::stages::Failure;

    fn judged(passed: usize, failure: Option<(Stage, Class)>, cost: Option<(f64, f64)>) -> Judged {
        let failure = failure.map(|(stage, class)| Failure {
            stage,
            class,
            codes: Vec::new(),
            case: None,
            why: String::new(),
        });
        let cost = cost.map(|(cycles, bound)| Cost {
            cycles,
            bound,
            at_most: false,
        });
        // The stages of a judgement without C++.
        let all = [
            Stage::Parse,
            Stage::Check,
            Stage::Emit,
            Stage::Right,
            Stage::Cost,
        ];
        Judged {
            passed: all[..passed].to_vec(),
            failure,
            cost,
            ..Judged::begun()
        }
    }

    #[test]
    fn weights_add_up_and_better_is_more() {
        assert!((PARSE + CHECK + EMIT + RIGHT + SPEED - 1.0).abs() < 1e-12);
        for (what, judged, want) in [
            (
                "no syntax",
                judged(0, Some((Stage::Parse, Class::Syntax)), None),
                Some(0.0),
            ),
            (
                "no types",
                judged(1, Some((Stage::Check, Class::Type)), None),
                Some(0.05),
            ),
            (
                "no C++",
                judged(3, Some((Stage::Compile, Class::Sync)), None),
                Some(0.2),
            ),
            (
                "no values",
                judged(3, Some((Stage::Right, Class::Value)), None),
                Some(0.3),
            ),
            (
                "half as fast",
                judged(5, None, Some((200.0, 100.0))),
                Some(0.9),
            ),
            ("as fast", judged(5, None, Some((100.0, 100.0))), Some(1.0)),
            (
                "faster than the bound of all tensors",
                judged(5, None, Some((50.0, 100.0))),
                Some(1.0),
            ),
            (
                "nothing to move",
                judged(5, None, Some((0.0, 0.0))),
                Some(1.0),
            ),
            ("no prediction", judged(5, None, None), Some(1.0)),
            (
                "impossibly fast",
                judged(4, Some((Stage::Cost, Class::Impossible)), None),
                Some(0.3),
            ),
            (
                "a mistake of ours",
                judged(3, Some((Stage::Right, Class::Readers)), None),
                None,
            ),
            (
                "no compiler",
                judged(3, Some((Stage::Compile, Class::Machine)), None),
                None,
            ),
        ] {
            let found = parts(&judged).map(|parts| parts.sum());
            let same = found
                .zip(want)
                .map_or(found.is_none() && want.is_none(), |(a, b)| {
                    (a - b).abs() < 1e-12
                });
            assert!(same, "{what}: {found:?}, not {want:?}");
        }
    }
}
