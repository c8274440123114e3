//! The findings with their places, and the trust in the text that is read next.
//!
//! Findings are collected, never thrown: code that reports one continues with [`Val::Unknown`].

use super::kinds::Callee;
use super::value::Val;
use crate::diag::{Code, Diagnostic};
use crate::front::text::span::{Ends, Node};
use crate::front::text::words::FIXUP;
use crate::ir::SpanId;
use proc_macro2::Ident;
use std::collections::HashMap;

/// The findings of a kernel, and the place of reading.
#[derive(Default)]
pub struct Report {
    pub spans: Vec<Ends>,
    pub diagnostics: Vec<Diagnostic>,
    /// Findings in helpers, with the inlining that first had each.
    seen: HashMap<(Callee, Code, String), usize>,
    /// Helpers being inlined, with the number of this inlining.
    pub inlining: Vec<(Callee, usize)>,
    pub inlined: usize,
    /// The call of the library function whose text is being read; all of its nodes have the place
    /// of the call.
    pub within: Option<SpanId>,
    /// Nesting of the expression being read, in this helper and over all of them.
    pub depth: usize,
    pub total_depth: usize,
    /// True after a finding about that nesting, until the expression ends.
    pub too_deep: bool,
    /// Unknown types without a similar known one; each is reported once.
    pub no_types: Vec<String>,
    /// True after an error that may have hidden a store.
    pub doubt: bool,
    /// True after a mistake that is not reported.
    pub silenced: bool,
}

impl Report {
    /// Makes a span id for a node.
    pub fn at(&mut self, node: &(impl Node + ?Sized)) -> SpanId {
        if let Some(call) = self.within {
            return call;
        }
        self.spans.push(node.ends());
        SpanId(self.spans.len() as u32 - 1)
    }

    /// Starts a finding.
    pub fn error(
        &mut self,
        code: Code,
        node: &(impl Node + ?Sized),
        message: impl Into<String>,
    ) -> Diagnostic {
        let span = self.at(node);
        Diagnostic::new(code, span, message)
    }

    /// Adds a finding. A mistake in a helper is reported at its first call only.
    pub fn add(&mut self, d: Diagnostic) {
        if let Some(&(helper, turn)) = self.inlining.last() {
            let first = *self
                .seen
                .entry((helper, d.code, d.message.clone()))
                .or_insert(turn);
            if first != turn {
                return;
            }
        }
        self.diagnostics.push(d);
    }

    /// Adds a finding and returns the value that silences all that follows from it.
    pub fn bad(&mut self, d: Diagnostic) -> Val {
        self.add(d);
        Val::Unknown
    }

    /// True where there were errors, so a statement may be missing.
    pub fn failed(&self) -> bool {
        self.silenced || self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// True for a name that an editor made up. It causes no finding, and no kernel is made.
    pub fn fixup(&mut self, name: &str) -> bool {
        let made_up = name.contains(FIXUP);
        self.silenced |= made_up;
        made_up
    }

    /// Reports a name that the emitted C++ could not have; its binding stays usable.
    pub fn ascii_name(&mut self, ident: &Ident, code: Code) {
        let name = ident.to_string();
        if name.is_ascii() {
            return;
        }
        let odd: String = name.chars().filter(|c| !c.is_ascii()).collect();
        let d = self
            .error(
                code,
                ident,
                format!("the name `{name}` has letters that are not ASCII: `{odd}`"),
            )
            .help("it becomes a name in C++: write it with a to z, A to Z, digits and `_`");
        self.add(d);
    }

    /// Reports a form of Rust that kernels do not have.
    pub fn unsupported(&mut self, node: &(impl Node + ?Sized), what: &str, help: &str) -> Val {
        let d = self
            .error(
                Code::J0101,
                node,
                format!("{what} cannot stand in a kernel"),
            )
            .help(help);
        self.bad(d)
    }
}
