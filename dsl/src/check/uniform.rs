//! Meetings of all blocks (`sync_all`) that some blocks would come to and others not.
//!
//! A block waits there until all others have come. So what decides whether a block comes to a meeting, and how often, must be the same
//! in every block: it depends neither on the block index and the shares, nor on what is in tensors. Each variable that does is noted
//! with the place that makes it so, whatever stands before or behind that; then each loop and branch around a meeting is judged.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Scalar, SpanId, Stmt, StmtKind, VarId, Variant};
use std::collections::BTreeMap;

/// Checks every meeting of a variant, which launches several blocks.
pub(super) fn check_meetings(variant: &Variant, found: &mut Vec<Diagnostic>) {
    let mut meets = false;
    variant.body.walk(&mut |s| meets |= matches!(s.kind, StmtKind::SyncAll {}));
    if !meets {
        return;
    }
    let mut differing = Differing(BTreeMap::new());
    loop {
        let before = differing.0.len();
        differing.learn(&variant.body.stmts, None);
        if differing.0.len() == before {
            break;
        }
    }
    differing.judge(&variant.body.stmts, None, found);
}

/// Why something is not the same in all blocks.
#[derive(Clone, Copy)]
enum Cause {
    /// It depends on the block.
    Block,
    /// It depends on an element of a tensor.
    Data,
}

/// Something that is not the same in all blocks, and the place that makes it so.
#[derive(Clone, Copy)]
struct Difference {
    cause: Cause,
    at: SpanId,
}

/// A loop or branch that not every block goes through alike.
#[derive(Clone, Copy)]
struct Parting {
    difference: Difference,
    at: SpanId,
    is_loop: bool,
}

/// The variables that are not the same in all blocks.
struct Differing(BTreeMap<VarId, Difference>);

impl Differing {
    /// What makes an expression at `at` differ.
    fn of(&self, s: &Scalar, at: SpanId) -> Option<Difference> {
        let mut found = None;
        s.walk(&mut |n| {
            let here = match n {
                Scalar::BlockIdx => Some(Difference { cause: Cause::Block, at }),
                Scalar::Var(v) => self.0.get(v).copied(),
                _ => None,
            };
            found = found.or(here);
        });
        found
    }

    /// What makes the turns of a loop, or the choice of a branch, differ.
    fn parts(&self, s: &Stmt) -> Option<Difference> {
        let mut found = None;
        s.scalars(&mut |e| found = found.or(self.of(e, s.span)));
        found
    }

    /// Notes the variables that statements set, where `under` is what parts the blocks around them.
    fn learn(&mut self, stmts: &[Stmt], under: Option<Difference>) {
        for s in stmts {
            let own = match &s.kind {
                StmtKind::LetScalar { value, .. } | StmtKind::SetScalar { value, .. } => self.of(value, s.span),
                StmtKind::For { .. } | StmtKind::If { .. } => self.parts(s),
                // An instruction sets a variable to an element.
                StmtKind::Instr { .. } => Some(Difference { cause: Cause::Data, at: s.span }),
                StmtKind::Alloc { .. }
                | StmtKind::Enque { .. }
                | StmtKind::Deque { .. }
                | StmtKind::Free { .. }
                | StmtKind::Get { .. }
                | StmtKind::View { .. }
                | StmtKind::Call { .. }
                | StmtKind::SyncAll {}
                | StmtKind::Promise { .. }
                | StmtKind::Reset { .. }
                // A lowered body has none of these.
                | StmtKind::Split { .. }
                | StmtKind::FitTile { .. }
                | StmtKind::Loop { .. }
                | StmtKind::Def { .. }
                | StmtKind::Set { .. }
                | StmtKind::Store { .. }
                | StmtKind::Read { .. }
                | StmtKind::Append { .. } => None,
            };
            let differs = under.or(own);
            if let Some((var, difference)) = s.sets().zip(differs) {
                self.0.entry(var).or_insert(difference);
            }
            s.children().into_iter().flatten().for_each(|inner| self.learn(inner, differs));
        }
    }

    fn judge(&self, stmts: &[Stmt], around: Option<Parting>, found: &mut Vec<Diagnostic>) {
        for s in stmts {
            if let (StmtKind::SyncAll {}, Some(parting)) = (&s.kind, around) {
                found.push(parting.missed(s.span));
            }
            let is_loop = matches!(s.kind, StmtKind::For { .. });
            let here = || self.parts(s).map(|difference| Parting { difference, at: s.span, is_loop });
            for inner in s.children().into_iter().flatten() {
                self.judge(inner, around.or_else(here), found);
            }
        }
    }
}

impl Parting {
    /// J0412 for a meeting that not every block comes to, or not equally often.
    fn missed(&self, meeting: SpanId) -> Diagnostic {
        let (what, label) = match self.is_loop {
            true => ("not every block comes to this `sync_all` equally often", "how often this loop turns"),
            false => ("not every block comes to this `sync_all`", "whether this is taken"),
        };
        let on = match self.difference.cause {
            Cause::Block => "depends on the block",
            Cause::Data => "depends on what is in a tensor",
        };
        let mut d = Diagnostic::new(Code::J0412, meeting, what)
            .label(self.at, format!("{label} {on}"))
            .note("a block waits there until all others have come, so that the launch would hang".to_string())
            .help("meet under conditions of the host alone: sizes, attributes, `get_block_num()`; put what one block does into an `if` before or behind it");
        if self.difference.at != self.at {
            d = d.label(self.difference.at, "this is not the same in every block");
        }
        d
    }
}
