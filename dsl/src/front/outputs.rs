//! J0210: every output is written, at tile level on every path through a tile.
//!
//! A store under an `if` leaves the tiles for which the other arm is taken as they were, and a store in a loop those for
//! which it makes no turn. A column loop covers its rows. An in-place tensor holds its input where nothing is stored, and of an output that may
//! be left out paths count on which it is given. A workspace that is loaded is stored to somewhere. To add is no writing, but an output to which is added first begins as zeros.

use super::cx::Cx;
use crate::diag::{Code, Diagnostic};
use crate::front::cx::draft::Draft;
use crate::ir::tile::Stmt;
use crate::ir::{
    adds_first, walk_stmts, BinOp, Index, Level, ParamId, QueueStmt, Role, Scalar, Signature, SpanId, StmtKind, StoreHow,
    TensorRef, TileStmt, UnOp, VarId, WorkId,
};
use crate::ops::contract::Access as Touch;
use std::collections::BTreeMap;

impl Cx<'_> {
    /// Reports outputs without a store, and those with one that some path goes round.
    pub fn outputs_are_written(&mut self) {
        let outputs: Vec<_> = self
            .draft
            .sig
            .tensors()
            .filter(|(_, _, role, _)| *role != Role::In)
            .map(|(id, p, role, _)| (id, p.span, role))
            .collect();
        for (id, span, role) in outputs {
            let name = self.draft.sig.param(id).name.clone();
            if !self.draft.written[id.index()] {
                let what = if role == Role::Out { "output" } else { "in-place output" };
                let d = Diagnostic::new(Code::J0210, span, format!("{what} `{name}` is never written"))
                    .help("store to it, or remove the parameter");
                self.report.add(d);
            } else if role == Role::Out && matches!(self.draft.level, Some((Level::Tile, _))) && !self.report.failed() {
                if adds_first(&self.out.stmts.tile, id.into()) {
                    continue;
                }
                if let Err(around) = writes(&self.draft, &self.out.stmts.tile, id) {
                    let d = around.describe(&name).label(span, "the output");
                    self.report.add(d);
                }
            } else if role == Role::Out && !self.report.failed() {
                // One that may be left out cannot be in place.
                let inplace = match self.draft.sig.is_optional(id) {
                    true => "declare it without `Option` and `#[inplace]`",
                    false => "declare it `#[inplace]`",
                };
                let help = format!("{inplace}, so that a launch gives what is added to, or store to all of `{name}` first");
                self.is_stored_before_it_is_added_to(id.into(), help);
            }
        }
        for w in 0..self.out.body.works.len() {
            let help = "store zeros to all of it first, and let the blocks meet: `sync_all();`".to_string();
            self.is_stored_before_it_is_added_to(WorkId(w as u32).into(), help);
        }
        self.workspaces_are_written();
    }

    /// J0211 for what begins without values, and which an author's copies add to or compare with before any of them stores.
    fn is_stored_before_it_is_added_to(&mut self, to: TensorRef, help: String) {
        let mut first = None;
        walk_stmts(&self.out.stmts.queue, &mut |s| {
            let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else { return };
            let of = instr.views().find(|(_, view)| view.global() == Some(to));
            if let Some((rule, _)) = of {
                first.get_or_insert((rule.access, s.span));
            }
        });
        let Some((does, span)) = first.filter(|(does, _): &(Touch, SpanId)| does.joins()) else { return };
        let (name, declared) = self.named_gm(to);
        let d = Diagnostic::new(Code::J0211, span, format!("this {} `{name}`, to which nothing was stored before", does.verb()))
            .label(declared, "what it holds when the kernel begins nobody knows")
            .help(help);
        let in_place = match to {
            TensorRef::Param(p) if !self.draft.sig.is_optional(p) => Some(format!("#[inplace] {name}")),
            TensorRef::Param(_) | TensorRef::Work(_) => None,
        };
        self.report.add(match in_place {
            Some(now) => d.fix(declared, now).maybe(),
            None => d,
        });
    }

    /// Reports workspaces that are loaded and nowhere stored to.
    fn workspaces_are_written(&mut self) {
        let mut loaded: BTreeMap<WorkId, SpanId> = BTreeMap::new();
        let mut stored = Vec::new();
        walk_stmts(&self.out.stmts.tile, &mut |s| {
            let Some(TensorRef::Work(w)) = s.access().map(|access| access.of) else { return };
            if matches!(s.own(), Some(TileStmt::Def { .. })) {
                loaded.entry(w).or_insert(s.span);
            } else {
                stored.push(w);
            }
        });
        for (w, span) in loaded.into_iter().filter(|(w, _)| !stored.contains(w)) {
            let (name, declared) = self.named_gm(w.into());
            let d = Diagnostic::new(Code::J0210, span, format!("workspace `{name}` is loaded and never written"))
                .label(declared, "it begins without values")
                .help("store to it in a loop before this one");
            self.report.add(d);
        }
    }
}

impl Draft {
    /// Tells a condition that holds in every launch that the facts allow.
    pub fn is_certain(&self, cond: &Scalar) -> bool {
        self.follows(&None, cond)
    }

    /// Tells a condition that holds in every launch that the facts allow and for which `known` holds.
    fn follows(&self, known: &Option<Scalar>, cond: &Scalar) -> bool {
        let facts = self.sig.facts.iter().map(|f| &f.cond).chain(known).cloned();
        let conditions: Vec<_> = facts.chain([Scalar::un(UnOp::Not, cond.clone())]).collect();
        !super::head::require::possible(&conditions)
    }
}

/// True where a store goes through all of an axis with the variable of a loop: without a turn there is no element.
fn covers(body: &[Stmt], param: ParamId, var: VarId, from: &Scalar, to: &Scalar) -> bool {
    let mut found = false;
    walk_stmts(body, &mut |s| {
        let Some(TileStmt::Store { to: place, how, .. }) = s.own() else { return };
        let is_own = |(index, dim): (&Index, &Scalar)| index.terms.is_empty() && index.offset == Scalar::Var(var) && dim == to;
        let is_here = *how != StoreHow::Add && place.param() == Some(param);
        found |= is_here && *from == Scalar::Int(0) && place.index.iter().zip(&place.dims).any(is_own);
    });
    found
}

/// What a path goes round, without a store.
enum Around {
    /// Nothing: there is no store here at all.
    Nothing,
    /// The arm of an `if` that stores, by the other one.
    Then(SpanId),
    Else(SpanId),
    /// A loop that may make no turn.
    Loop(SpanId),
}

impl Around {
    fn describe(&self, name: &str) -> Diagnostic {
        let (span, text, help) = match self {
            Around::Then(span) => {
                (*span, "where this condition holds nothing is stored", "store in both arms, or once behind the `if`")
            }
            Around::Else(span) => (
                *span,
                "where this condition does not hold nothing is stored",
                "store in an `else`, too, or once behind the `if`",
            ),
            Around::Loop(span) => (
                *span,
                "where this loop makes no turn nothing is stored",
                "store behind the loop, or `require` that it makes one",
            ),
            Around::Nothing => (SpanId(0), "nothing is stored", "store to it"),
        };
        Diagnostic::new(Code::J0210, span, format!("`{name}` is not written on every path")).at(text).help(help)
    }
}

/// Checks that the statements store to `param` on every path; else finds what a path goes round, if there is such a thing.
fn writes(draft: &Draft, stmts: &[Stmt], param: ParamId) -> Result<(), Around> {
    let mut around = None;
    for s in stmts {
        let found = match &s.kind {
            StmtKind::Do(TileStmt::Store { how: StoreHow::Add, .. }) => continue,
            StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) => {
                (to.param() == Some(param)).then_some(()).ok_or(Around::Nothing)
            }
            StmtKind::Do(TileStmt::Loop { tile }) => writes(draft, &tile.body, param),
            StmtKind::If { cond, then, other } => writes_if(draft, cond, then, other, param, s.span),
            StmtKind::For { var, from, to, body } => writes(draft, body, param).and_then(|()| {
                let turns = draft.is_certain(&from.clone().bin(BinOp::Lt, to.clone()));
                if turns || covers(body, param, *var, from, to) {
                    Ok(())
                } else {
                    Err(Around::Loop(s.span))
                }
            }),
            StmtKind::Do(TileStmt::Def { .. } | TileStmt::Set { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. }) => continue,
            StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => continue,
        };
        match found {
            Ok(()) => return Ok(()),
            Err(Around::Nothing) => {}
            Err(found) => around = around.or(Some(found)),
        }
    }
    Err(around.unwrap_or(Around::Nothing))
}

fn writes_if(draft: &Draft, cond: &Scalar, then: &[Stmt], other: &[Stmt], param: ParamId, span: SpanId) -> Result<(), Around> {
    let given = draft.sig.is_optional(param).then(|| Signature::given(param));
    if draft.follows(&given, cond) {
        return writes(draft, then, param);
    }
    if draft.follows(&given, &Scalar::un(UnOp::Not, cond.clone())) {
        return writes(draft, other, param);
    }
    match (writes(draft, then, param), writes(draft, other, param)) {
        (Ok(()), Ok(())) => Ok(()),
        (Err(Around::Nothing), Err(Around::Nothing)) => Err(Around::Nothing),
        (Ok(()), Err(Around::Nothing)) => Err(Around::Else(span)),
        (Err(Around::Nothing), Ok(())) => Err(Around::Then(span)),
        (Ok(()) | Err(Around::Nothing), Err(found)) | (Err(found), _) => Err(found),
    }
}
