//! What does not lower, and why.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Fault, SpanId};

/// What does not lower: a form that no rule is for, an error of this crate and never a kernel that means something else; or
/// what only the lowering finds out.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What there is no rule for, what a pass made wrong, or what the author did.
    what: String,
    /// Where it stands.
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

    /// What no place in the source stands for.
    pub(crate) fn of_kernel(what: impl std::fmt::Display) -> Gap {
        Gap::new(what, SpanId(0))
    }

    /// What the language says and no rule lowers so far.
    pub(super) fn not_yet(what: impl std::fmt::Display, help: &'static str, span: SpanId) -> Gap {
        Gap {
            what: format!("{what}: not offered yet"),
            span,
            code: Code::J0109,
            help: Some(help),
        }
    }

    /// What the chip does not have.
    pub(super) fn lacks(what: String, help: &'static str, span: SpanId) -> Gap {
        Gap {
            what,
            span,
            code: Code::J0502,
            help: Some(help),
        }
    }

    /// True for what no rule lowers so far.
    pub(super) fn is_not_yet(&self) -> bool {
        self.code == Code::J0109 && self.help.is_some()
    }

    /// A size that hangs from the tile through a name whose meaning is too long to be written out.
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

    /// What a pass made is no kernel.
    pub(crate) fn fault(pass: &str, fault: &Fault) -> Gap {
        let what = format!("after {pass}, {fault}; this is an error of jumar");
        Gap {
            what,
            span: fault.span.unwrap_or(SpanId(0)),
            code: Code::J0109,
            help: None,
        }
    }

    /// As the checker reports it.
    pub(crate) fn into_diagnostic(self) -> Diagnostic {
        let d = Diagnostic::new(self.code, self.span, self.what);
        self.help.into_iter().fold(d, Diagnostic::help)
    }
}

/// What a step of lowering makes.
pub type Made<T> = Result<T, Gap>;

/// What a tile loop became breaks a rule, which no author can: an error of the lowering.
pub fn of_the_lowering(d: &Diagnostic) -> Diagnostic {
    // That the chip lacks what is asked for is no fault of the lowering.
    if matches!(d.code, Code::J0109 | Code::J0502) {
        return d.clone();
    }
    let text = format!(
        "what this becomes breaks a rule, {}: {}; this is an error of jumar",
        d.code, d.message
    );
    Diagnostic::new(Code::J0109, d.span(), text)
}
