//! J0210: every output is written on every path. J0211: nothing is added to memory without values.
//!
//! - A store under an `if` does not write where the other arm is taken.
//! - A store in a loop does not write where the loop has no iteration. A loop over the columns of
//!   an output still covers it: without an iteration there is no element.
//! - An output without elements needs no store: `if n > 0 { .. }`.
//! - An in-place tensor holds its input where nothing is stored.
//! - For an optional output, only the paths on which it is given count.
//! - A workspace that is loaded must be stored to somewhere.
//! - An addition is not a write. An output whose first access adds begins as zeros.

use crate::diag::{Code, Diagnostic};
use crate::ir::linear::Definitions;
use crate::ir::tile::Stmt;
use crate::ir::{
    adds_first, dim_size, queue, tile, walk_stmts, BinOp, Index, Kernel, ParamId, Role, Scalar,
    Signature, Source, SpanId, StmtKind, StoreHow, TensorRef, TileStmt, UnOp, VarId, WorkDecl,
    WorkId,
};
use std::collections::BTreeMap;

/// Checks the stores of a kernel. The front end checks that each output is written somewhere.
pub fn check_outputs(kernel: &Kernel, found: &mut Vec<Diagnostic>) {
    let sig = &kernel.sig;
    let outputs = sig
        .tensors()
        .filter(|(_, _, role, _)| *role == Role::Out)
        .map(|(id, ..)| id);
    match &kernel.body {
        Source::Tile(body) => {
            let known = Known::of(sig, body);
            for id in outputs.filter(|id| !adds_first(&body.stmts, (*id).into())) {
                if let Err(around) = writes(&known, &body.stmts, id) {
                    found.push(
                        around
                            .describe(&sig.param(id).name)
                            .label(sig.param(id).span, "the output"),
                    );
                }
            }
            workspaces_are_written(body, found);
        }
        Source::Queue(body) => {
            for id in outputs {
                // An optional output cannot be in place.
                let (inplace, name) = (!sig.is_optional(id), &sig.param(id).name);
                let how = if inplace {
                    "declare it `#[inplace]`"
                } else {
                    "declare it without `Option` and `#[inplace]`"
                };
                let help = format!("{how}, so that a launch gives what is added to, or store to all of `{name}` first");
                if let Some(d) = added_to_first(body, id.into(), name, sig.param(id).span) {
                    let d = d.help(help);
                    found.push(if inplace {
                        d.fix(sig.param(id).span, format!("#[inplace] {name}"))
                            .maybe()
                    } else {
                        d
                    });
                }
            }
            for (WorkDecl { name, span, .. }, id) in body.works.iter().zip(0..) {
                let help = "store zeros to all of it first, and let the blocks meet: `sync_all();`";
                found.extend(
                    added_to_first(body, WorkId(id).into(), name, *span).map(|d| d.help(help)),
                );
            }
        }
    }
}

/// Reports J0211 if the first access of the author's copies to `to` adds to it or compares with it.
/// At that point the memory holds no values.
fn added_to_first(
    body: &queue::Body,
    to: TensorRef,
    name: &str,
    declared: SpanId,
) -> Option<Diagnostic> {
    let mut first = None;
    body.walk(&mut |s| {
        let of = s
            .instr()
            .and_then(|instr| instr.views().find(|(_, view)| view.global() == Some(to)));
        if let Some((rule, _)) = of {
            first.get_or_insert((rule.access, s.span));
        }
    });
    let (does, span) = first.filter(|(does, _)| does.joins())?;
    let d = Diagnostic::new(
        Code::J0211,
        span,
        format!(
            "this {} `{name}`, to which nothing was stored before",
            does.verb()
        ),
    );
    Some(d.label(
        declared,
        "what it holds when the kernel begins nobody knows",
    ))
}

/// Reports workspaces that are loaded and never stored to.
fn workspaces_are_written(body: &tile::Body, found: &mut Vec<Diagnostic>) {
    let mut loaded: BTreeMap<WorkId, SpanId> = BTreeMap::new();
    let mut stored = Vec::new();
    body.walk(&mut |s| {
        let Some(TensorRef::Work(w)) = s.access().map(|access| access.of) else {
            return;
        };
        if matches!(s.own(), Some(TileStmt::Def { .. })) {
            loaded.entry(w).or_insert(s.span);
        } else {
            stored.push(w);
        }
    });
    for (w, span) in loaded.into_iter().filter(|(w, _)| !stored.contains(w)) {
        let WorkDecl {
            name,
            span: declared,
            ..
        } = body.work(w);
        let d = Diagnostic::new(
            Code::J0210,
            span,
            format!("workspace `{name}` is loaded and never written"),
        );
        found.push(
            d.label(*declared, "it begins without values")
                .help("store to it in a loop before this one"),
        );
    }
}

/// True if a store goes through all of an axis with the variable of a loop. Without an iteration
/// there is then no element.
fn covers(body: &[Stmt], param: ParamId, var: VarId, from: &Scalar, to: &Scalar) -> bool {
    let mut found = false;
    walk_stmts(body, &mut |s| {
        let Some(TileStmt::Store { to: place, how, .. }) = s.own() else {
            return;
        };
        let is_own = |(index, dim): (&Index, &Scalar)| {
            index.terms.is_empty() && index.offset == Scalar::Var(var) && dim == to
        };
        let is_here = *how != StoreHow::Add && place.param() == Some(param);
        found |=
            is_here && *from == Scalar::Int(0) && place.index.iter().zip(&place.dims).any(is_own);
    });
    found
}

/// The construct that a path without a store takes.
enum Around {
    /// There is no store here at all.
    Nothing,
    /// The other arm of an `if` stores.
    Then(SpanId),
    Else(SpanId),
    /// A loop that may have no iteration.
    Loop(SpanId),
}

impl Around {
    fn describe(&self, name: &str) -> Diagnostic {
        let (span, text, help) = match self {
            Around::Then(span) => (
                *span,
                "where this condition holds nothing is stored",
                "store in both arms, or once behind the `if`",
            ),
            Around::Else(span) => (
                *span,
                "where this condition does not hold nothing is stored",
                "store in an `else`, too, or once behind the `if`",
            ),
            Around::Loop(span) => (
                *span,
                "where this loop makes no iteration nothing is stored",
                "store behind the loop, or `require` that it makes one",
            ),
            Around::Nothing => (SpanId(0), "nothing is stored", "store to it"),
        };
        Diagnostic::new(
            Code::J0210,
            span,
            format!("`{name}` is not written on every path"),
        )
        .at(text)
        .help(help)
    }
}

/// A signature with the definitions that resolve the names in conditions.
struct Known<'a> {
    sig: &'a Signature,
    definitions: Definitions,
}

impl<'a> Known<'a> {
    fn of(sig: &'a Signature, body: &tile::Body) -> Self {
        let mut definitions = Definitions::default();
        body.walk(&mut |s| {
            if let StmtKind::LetScalar { var, value } = &s.kind {
                if !body.var(*var).mutable {
                    definitions.define(*var, value);
                }
            }
        });
        Known { sig, definitions }
    }
}

/// Checks that the statements store to `param` on every path. The error names the first construct
/// by which a path avoids the store.
fn writes(known: &Known<'_>, stmts: &[Stmt], param: ParamId) -> Result<(), Around> {
    let mut around = None;
    for s in stmts {
        let found = match &s.kind {
            StmtKind::Do(TileStmt::Store {
                how: StoreHow::Add, ..
            }) => continue,
            StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) => (to.param()
                == Some(param))
            .then_some(())
            .ok_or(Around::Nothing),
            StmtKind::Do(TileStmt::Loop { tile }) => writes(known, &tile.body, param),
            StmtKind::If { cond, then, other } => {
                writes_if(known, cond, then, other, param, s.span)
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => writes(known, body, param).and_then(|()| {
                let turns = known
                    .sig
                    .is_certain(&from.clone().bin(BinOp::Lt, to.clone()));
                if turns || covers(body, param, *var, from, to) {
                    Ok(())
                } else {
                    Err(Around::Loop(s.span))
                }
            }),
            StmtKind::Do(
                TileStmt::Def { .. }
                | TileStmt::Set { .. }
                | TileStmt::Read { .. }
                | TileStmt::Dump { .. },
            ) => continue,
            StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => {
                continue
            }
        };
        match found {
            Ok(()) => return Ok(()),
            Err(Around::Nothing) => {}
            Err(found) => around = around.or(Some(found)),
        }
    }
    Err(around.unwrap_or(Around::Nothing))
}

/// True if a tensor has no elements in any launch for which `cond` holds.
fn is_empty(sig: &Signature, param: ParamId, cond: Scalar) -> bool {
    let without = sig
        .shape(param)
        .iter()
        .map(|dim| dim_size(dim).bin(BinOp::Le, Scalar::Int(0)));
    without
        .reduce(|a, b| a.bin(BinOp::Or, b))
        .is_some_and(|without| sig.follows(&Some(cond), &without))
}

fn writes_if(
    known: &Known<'_>,
    cond: &Scalar,
    then: &[Stmt],
    other: &[Stmt],
    param: ParamId,
    span: SpanId,
) -> Result<(), Around> {
    let (sig, cond) = (known.sig, &known.definitions.write_out(cond));
    let given = sig.is_optional(param).then(|| Signature::given(param));
    if sig.follows(&given, cond) {
        return writes(known, then, param);
    }
    let contrary = Scalar::un(UnOp::Not, cond.clone());
    if sig.follows(&given, &contrary) {
        return writes(known, other, param);
    }
    if is_empty(sig, param, contrary) {
        return writes(known, then, param);
    }
    if is_empty(sig, param, cond.clone()) {
        return writes(known, other, param);
    }
    match (writes(known, then, param), writes(known, other, param)) {
        (Ok(()), Ok(())) => Ok(()),
        (Err(Around::Nothing), Err(Around::Nothing)) => Err(Around::Nothing),
        (Ok(()), Err(Around::Nothing)) => Err(Around::Else(span)),
        (Err(Around::Nothing), Ok(())) => Err(Around::Then(span)),
        (Ok(()) | Err(Around::Nothing), Err(found)) | (Err(found), _) => Err(found),
    }
}
