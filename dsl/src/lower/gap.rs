//! Errors of the lowering: forms that do not lower, with reasons.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Fault, SpanId};

/// A reason why a kernel does not lower. It is a form without a rule, an error of this crate, or an
/// error of the author that only the lowering finds. A kernel never gets another meaning instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// The form without a rule, the fault of a pass, or the error of the author.
    what: String,
    /// The place in the source.
    span: SpanId,
    /// J0109 for errors of this crate.
    code: Code,
    help: Option<&'static str>,
}

impl Gap {
    pub(super) fn new(what: impl std::fmt::Display, span: SpanId) -> Gap {
        Gap {
            what: format!("there is no rule for {what}; this is an error of jumar"),
            span,
            code: Code::J0109,
            help: None,
        }
    }

    /// Makes a gap that has no place in the source.
    pub(crate) fn of_kernel(what: impl std::fmt::Display) -> Gap {
        Gap::new(what, SpanId(0))
    }

    /// Makes a gap for a form of the language that no rule lowers.
    pub(super) fn not_yet(what: impl std::fmt::Display, help: &'static str, span: SpanId) -> Gap {
        Gap {
            what: format!("{what}: not offered yet"),
            span,
            code: Code::J0109,
            help: Some(help),
        }
    }

    /// Makes a gap for a feature that the chip lacks.
    pub(super) fn lacks(what: String, help: &'static str, span: SpanId) -> Gap {
        Gap {
            what,
            span,
            code: Code::J0502,
            help: Some(help),
        }
    }

    /// True for a form of the language that no rule lowers.
    pub(super) fn is_not_yet(&self) -> bool {
        self.code == Code::J0109 && self.help.is_some()
    }

    /// Makes a gap for a size that depends on the tile through a variable whose definition is too
    /// long to be substituted.
    pub(super) fn too_long(name: &str, span: SpanId) -> Gap {
        let what = format!("the bytes of the queues depend on the tile through `{name}`, a formula too long to solve");
        let help = Some("give `init_buffer` sizes that are a few operations away from `fit_tile`");
        Gap {
            what,
            span,
            code: Code::J0601,
            help,
        }
    }

    /// Makes a gap for a pass whose result is no valid kernel.
    pub(crate) fn fault(pass: &str, fault: &Fault) -> Gap {
        let what = format!("after {pass}, {fault}; this is an error of jumar");
        Gap {
            what,
            span: fault.span.unwrap_or(SpanId(0)),
            code: Code::J0109,
            help: None,
        }
    }

    /// Converts it to a finding of the checker.
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        let d = Diagnostic::new(self.code, self.span, self.what);
        self.help.into_iter().fold(d, Diagnostic::help)
    }
}

/// The result of a step of the lowering.
pub type Made<T> = Result<T, Gap>;

/// Reports a finding in the lowered form of a tile kernel as an error of the lowering: an author
/// cannot break such a rule.
pub fn of_the_lowering(d: &Diagnostic) -> Diagnostic {
    // A chip that lacks a feature is no fault of the lowering.
    if matches!(d.code, Code::J0109 | Code::J0502) {
        return d.clone();
    }
    let text = format!(
        "what this becomes breaks a rule, {}: {}; this is an error of jumar",
        d.code, d.message
    );
    Diagnostic::new(Code::J0109, d.span(), text)
}
