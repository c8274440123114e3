//! Reports facts that no launch can satisfy: J0604 when the kernel is read, not at each launch.

use crate::diag::{Code, Diagnostic, Spot};
use crate::front::cx::Cx;
use crate::ir::contradiction::possible;
use crate::ir::{Fact, Scalar};

/// Most facts among which contradicting ones are singled out.
const MAX_NAMED: usize = 50;

impl Cx<'_> {
    /// Reports the first fact that contradicts those before it.
    pub fn possible_facts(&mut self) {
        let facts = std::mem::take(&mut self.draft.sig.facts);
        if !possible(&conditions(&facts)) {
            // Each fact leaves fewer launches, so bisection finds the first one too many.
            let (mut most, mut fewest) = (0, facts.len());
            while fewest - most > 1 {
                let middle = (most + fewest) / 2;
                let kept = possible(&conditions(&facts[..middle]));
                *(if kept { &mut most } else { &mut fewest }) = middle;
            }
            let d = contradiction(&facts[..fewest]);
            self.report.add(d);
        }
        self.draft.sig.facts = facts;
    }
}

fn conditions(facts: &[Fact]) -> Vec<Scalar> {
    facts.iter().map(|f| f.cond.clone()).collect()
}

/// Makes the finding for facts whose last one is one too many.
fn contradiction(facts: &[Fact]) -> Diagnostic {
    let mut needed: Vec<Fact> = facts.to_vec();
    let last = needed[needed.len() - 1].clone();
    if needed.len() <= MAX_NAMED {
        for i in (0..needed.len() - 1).rev() {
            let without: Vec<Fact> = [&needed[..i], &needed[i + 1..]].concat();
            if !possible(&conditions(&without)) {
                needed = without;
            }
        }
    }
    needed.pop();
    let mut message = format!("no launch can meet `require({})`", last.text);
    if needed.len() == 1 {
        message += &format!(" after `require({})`", needed[0].text);
    }
    let mut d = Diagnostic::new(Code::J0604, last.span, message);
    for fact in needed.iter().filter(|_| needed.len() <= MAX_NAMED) {
        d = d.label(fact.span, "this contradicts it");
    }
    d.help("drop one of the facts, or change its bound")
        .edit(last.span, Spot::Statement, "")
        .maybe()
}
