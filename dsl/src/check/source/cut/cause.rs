//! The reason why a value depends on the cut, with its place and a cure.

use crate::ir::SpanId;
use std::rc::Rc;

/// The reason why a value depends on the cut.
#[derive(Clone, Debug)]
pub struct Cause {
    /// Place where the dependence begins.
    pub at: SpanId,
    /// A sentence about that place.
    pub why: String,
    pub help: String,
    /// Another place that matters, with its label.
    pub label: Option<(SpanId, String)>,
    pub note: Option<String>,
}

impl Cause {
    pub fn new(at: SpanId, why: impl Into<String>, help: impl Into<String>) -> Rc<Cause> {
        Rc::new(Cause {
            at,
            why: why.into(),
            help: help.into(),
            label: None,
            note: None,
        })
    }

    pub fn labelled(self: Rc<Cause>, at: SpanId, text: impl Into<String>) -> Rc<Cause> {
        let label = Some((at, text.into())).filter(|_| at != self.at);
        Rc::new(Cause {
            label,
            ..(*self).clone()
        })
    }

    /// Adds a fact that shows the dependence.
    pub fn with_note(&self, note: String) -> Rc<Cause> {
        Rc::new(Cause {
            note: Some(note),
            ..self.clone()
        })
    }

    /// Adds a hint for a loop that the law cannot judge.
    pub fn unknown(&self) -> Rc<Cause> {
        let help = format!(
            "{}; where it does not depend on it all the same, `.any_cut()` on the loop says so",
            self.help
        );
        Rc::new(Cause {
            help,
            ..self.clone()
        })
    }

    /// Replaces the reason for a loop with more flags than the law tries.
    pub fn of_flags(&self, found: usize, most: usize) -> Rc<Cause> {
        let why = format!("{found} conditions stand in this recurrence, and the checker tries the ways of {most} at most");
        let help = "where what the loop leaves does not depend on the cut, `.any_cut()` on the loop says so; else merge each value by one op with parts of that op, `s = s + v.sum(j)`, or choose between loops instead of within one";
        Cause::new(self.at, why, help)
    }
}
