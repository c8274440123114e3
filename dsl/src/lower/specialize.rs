//! Splits a kernel in which the host decides conditions into one kernel for each outcome: its
//! *cases*.
//!
//! A condition is the host's if it is over axes and attributes, presence of optional tensors
//! included, and has a value in every launch. In each case, every such `if` around tiles has one
//! arm left, and every load of an optional tensor one of its two sides. Outcomes that contradict
//! one another are no cases ([`Signature::is_certain`]). So an arm that is not taken uses no UB,
//! refuses no shape, and stops no streaming.
//!
//! A store along an axis of a computed size, `new_axis(m..d)`, does nothing where the axis has no
//! indices. If the loop has other stores that do not depend on it, these are a case of their own.

use super::lowering::Note;
use super::nest::is_scalar;
use super::tile::normalize::drop_idle_loops;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    uses, walk_stmts, Access, AxFrom, AxId, Axes, AxisId, BinOp, Chosen, Fact, Kernel, ParamId,
    Scalar, Signature, Source, SpanId, StmtKind, Term, TileExpr, TileStmt, UnOp, ValueId, VarId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most cases of a kernel: each is checked, compiled and loaded.
const MAX_CASES: usize = 16;

/// Elements of a data block, of the narrowest type that is copied in parts of rows.
const BLOCK_LANES: i64 = 16;

/// The most nodes of a condition with names substituted; each substitution may double its size.
const MAX_NODES: usize = 64;

/// The conditions that make cases.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Told {
    All,
    /// All but those that only decide how elements are copied.
    NoCopies,
}

/// A kernel in one of its cases, with the conditions as facts.
pub struct Special {
    /// Its conditions in words.
    pub conditions: Vec<String>,
    /// The conjunction of its conditions.
    pub when: Scalar,
    pub kernel: Kernel,
}

/// Returns the cases of a kernel, with notes on conditions that stay branches on the core because
/// there are too many. There are no cases if the host decides nothing.
pub fn cases(kernel: &Kernel, body: &Body, of: Told) -> (Vec<Special>, Vec<Note>) {
    let known = Known::of(body);
    let mut open = conditions(body, &kernel.sig, &known);
    open.retain(|open| of == Told::All || open.decides != Decides::Copies);
    if open.is_empty() {
        return (Vec::new(), Vec::new());
    }
    // Conditions that decide more come first.
    open.sort_by_key(|open| open.decides);
    let (mut taken, mut left) = (Vec::new(), Vec::new());
    let mut done = vec![(kernel.sig.clone(), body.clone())];
    for Open {
        cond,
        span,
        decides,
    } in open
    {
        taken.push(cond.clone());
        match outcomes(kernel, body, &known, &taken) {
            Some(all) => done = all,
            None => {
                _ = taken.pop();
                left.push(Note {
                    span,
                    text: stays(kernel, &cond, decides),
                });
            }
        }
    }
    if done.len() == 1 && done[0].1 == *body {
        return (Vec::new(), left);
    }
    let special = |(mut sig, mut body): (Signature, Body)| {
        drop_idle_loops(&mut body);
        let own = &sig.facts[kernel.sig.facts.len()..];
        let conditions = own.iter().map(|fact| fact.text.clone()).collect();
        // Presence of a tensor may follow only from several conditions together, so it becomes a
        // fact of its own.
        let follows = |id: &ParamId| sig.is_optional(*id) && sig.is_certain(&Signature::given(*id));
        let given: Vec<ParamId> = sig.tensors().map(|(id, ..)| id).filter(follows).collect();
        let span = SpanId(0);
        sig.facts.extend(given.into_iter().map(|id| Fact {
            cond: Signature::given(id),
            text: String::new(),
            span,
        }));
        let own = &sig.facts[kernel.sig.facts.len()..];
        let when = own
            .iter()
            .map(|fact| fact.cond.clone())
            .reduce(|a, b| a.bin(BinOp::And, b))
            .unwrap_or(Scalar::Bool(true));
        Special {
            conditions,
            when,
            kernel: Kernel {
                sig,
                body: Source::Tile(body),
                ..kernel.clone()
            },
        }
    };
    (done.into_iter().map(special).collect(), left)
}

/// Returns the note on a condition that makes no cases.
fn stays(kernel: &Kernel, cond: &Scalar, decides: Decides) -> String {
    let then = match decides {
        Decides::Loops | Decides::Tiles | Decides::Stores => {
            "it is asked on the core, where both sides take UB"
        }
        Decides::Copies => "elements are moved one by one where it holds, too",
    };
    format!(
        "with `{}` the conditions that the host decides would have more than {MAX_CASES} outcomes together: {then}; let one attribute, an enum, \
         say what goes together",
        said(&kernel.sig, cond)
    )
}

fn said(sig: &Signature, cond: &Scalar) -> String {
    sig.said(cond, &|_| "..".to_string())
}

/// Returns the outcomes of conditions, each with the rest of the body; `None` if there are too
/// many.
fn outcomes(
    kernel: &Kernel,
    body: &Body,
    known: &Known,
    taken: &[Scalar],
) -> Option<Vec<(Signature, Body)>> {
    let mut open = vec![(kernel.sig.clone(), body.clone())];
    let mut done = Vec::new();
    while let Some((sig, mut body)) = open.pop() {
        let condition = Decider {
            sig: &sig,
            known,
            taken,
        }
        .decide(&mut body);
        let Some((cond, span)) = condition else {
            done.push((sig, body));
            continue;
        };
        if open.len() + done.len() + 2 > MAX_CASES {
            return None;
        }
        for holds in [false, true] {
            let cond = if holds {
                cond.clone()
            } else {
                Scalar::un(UnOp::Not, cond.clone())
            };
            let mut sig = sig.clone();
            sig.facts.push(Fact {
                text: said(&sig, &cond),
                cond,
                span,
            });
            open.push((sig, body.clone()));
        }
    }
    Some(done)
}

/// A condition that the host decides.
struct Open {
    cond: Scalar,
    span: SpanId,
    decides: Decides,
}

/// The effect of a condition, the most expensive first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Decides {
    /// It decides which loops run.
    Loops,
    /// It decides the content of tiles, which may prevent streaming.
    Tiles,
    /// It decides about additional stores.
    Stores,
    /// It decides how elements are copied.
    Copies,
}

/// Returns the conditions of a body that the host decides, each once.
fn conditions(body: &Body, sig: &Signature, known: &Known) -> Vec<Open> {
    let mut all: Vec<Open> = Vec::new();
    let decider = Decider {
        sig,
        known,
        taken: &[],
    };
    body.walk(&mut |s| {
        for (asks, cond) in decider.asked(s) {
            let decides = asks.decides(s);
            match all.iter_mut().find(|open| open.cond == cond) {
                Some(open) => open.decides = open.decides.min(decides),
                None => all.push(Open {
                    cond,
                    span: s.span,
                    decides,
                }),
            }
        }
    });
    all
}

/// Facts of a body about its scalars and axes.
struct Known {
    /// Scalars that are set once, as the host computes them.
    scalars: BTreeMap<VarId, Scalar>,
    /// Axes that stand last in loads.
    lanes: BTreeSet<AxId>,
    /// Last axes of tensors with several; in every access the axis before them moves by one.
    behind: BTreeSet<AxisId>,
    /// The extents of whole axes that may be empty while their loop also stores something
    /// independent of them.
    apart: BTreeMap<AxId, Scalar>,
}

impl Known {
    fn of(body: &Body) -> Known {
        let mut known = Known {
            scalars: BTreeMap::new(),
            lanes: last_axes(body),
            behind: axes_behind(body),
            apart: BTreeMap::new(),
        };
        body.walk(&mut |s| {
            let StmtKind::LetScalar { var, value } = &s.kind else {
                return;
            };
            if let (false, Some(value)) = (body.var(*var).mutable, known.of_the_host(value)) {
                known.scalars.insert(*var, value);
            }
        });
        for (ax, decl) in (0..).map(AxId).zip(&body.axes) {
            let AxFrom::Whole {
                extent: extent @ Scalar::Bin(BinOp::Sub, ..),
            } = &decl.from
            else {
                continue;
            };
            if let Some(extent) = known
                .of_the_host(extent)
                .filter(|_| stored_beside(body, ax))
            {
                known.apart.insert(ax, extent);
            }
        }
        known
    }

    /// Returns a scalar over axes and attributes alone, if it has a value in every launch.
    fn of_the_host(&self, s: &Scalar) -> Option<Scalar> {
        let value = s.replace(&|node| match node {
            Scalar::Var(var) => self.scalars.get(var).cloned(),
            _ => None,
        });
        let (mut is_host, mut nodes) = (true, 0);
        value.walk(&mut |node| {
            nodes += 1;
            is_host &= match node {
                Scalar::Int(_)
                | Scalar::I32(_)
                | Scalar::Float(_)
                | Scalar::Bool(_)
                | Scalar::Axis(_)
                | Scalar::Attr(..) => true,
                Scalar::Bin(BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp, _, by) => {
                    by.as_int().is_some_and(|by| by > 0)
                }
                Scalar::Bin(..) | Scalar::Select(..) | Scalar::Un(UnOp::Neg | UnOp::Not, _) => true,
                Scalar::Cast(..) | Scalar::Un(UnOp::Sqrt, _) => true,
                Scalar::Var(_)
                | Scalar::Chip(_)
                | Scalar::SizeOf(_)
                | Scalar::BlockIdx
                | Scalar::BlockDim => false,
            };
        });
        (is_host && nodes <= MAX_NODES).then_some(value)
    }
}

/// Removes the arms of a body that are certainly not taken.
struct Decider<'a> {
    sig: &'a Signature,
    known: &'a Known,
    /// The conditions that make cases.
    taken: &'a [Scalar],
}

impl Decider<'_> {
    /// Decides all statements up to the first condition that makes cases and is open, and returns
    /// that one.
    fn decide(&self, body: &mut Body) -> Option<(Scalar, SpanId)> {
        self.list(&mut body.stmts)
    }

    fn list(&self, stmts: &mut Vec<Stmt>) -> Option<(Scalar, SpanId)> {
        let mut at = 0;
        'next: while at < stmts.len() {
            for (asks, cond) in self.asked(&stmts[at]) {
                match self.outcome(&cond) {
                    Some(holds) if take(stmts, at, &asks, holds) => continue 'next,
                    None if self.taken.contains(&cond) => return Some((cond, stmts[at].span)),
                    Some(_) | None => {}
                }
            }
            for list in stmts[at].children_mut().into_iter().flatten() {
                let open = self.list(list);
                if open.is_some() {
                    return open;
                }
            }
            at += 1;
        }
        None
    }

    /// Returns the conditions of the host on which a statement depends.
    fn asked(&self, s: &Stmt) -> Vec<(Asks, Scalar)> {
        let mut asked = Vec::new();
        match &s.kind {
            StmtKind::If { cond, .. } => {
                let cond = self.known.of_the_host(cond).filter(|_| !is_scalar(s));
                asked.extend(cond.map(|cond| (Asks::Arm, cond)));
            }
            StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Load { from },
                ..
            }) => {
                let of = from
                    .param()
                    .filter(|of| from.otherwise.is_some() && self.sig.is_optional(*of));
                asked.extend(of.map(|of| (Asks::Given, Signature::given(of))));
            }
            StmtKind::Do(TileStmt::Def {
                expr:
                    TileExpr::Pick {
                        along,
                        at: Chosen::Index { index },
                        ..
                    },
                ..
            }) => {
                let follow = self.known.lanes.contains(along)
                    && matches!(&index.terms[..], [term] if term.factor == Scalar::Int(1));
                let at = self
                    .known
                    .of_the_host(&index.offset)
                    .filter(|at| follow && at.as_int().is_none());
                asked.extend(at.map(|at| (Asks::Block, begins_block(&at))));
            }
            StmtKind::Do(TileStmt::Store { to, .. }) => {
                let extent = to.axes().iter().find_map(|ax| self.known.apart.get(&ax));
                asked.extend(extent.map(|n| (Asks::Apart, n.clone().bin(BinOp::Gt, 0))));
            }
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(_) => {}
        }
        asked.extend(
            s.access()
                .into_iter()
                .flat_map(|access| self.of_access(access)),
        );
        asked
    }

    /// Returns the conditions on which elements of an access are contiguous: steps that may be 1,
    /// and last axes that may have one element.
    fn of_access(&self, access: &Access) -> Vec<(Asks, Scalar)> {
        let mut asked = Vec::new();
        let (Some(last), Some(dim)) = (access.index.last(), access.dims.last()) else {
            return asked;
        };
        let steps = (0..)
            .zip(&last.terms)
            .filter(|(_, term)| term.factor.as_int().is_none());
        let is_one = |of: &Scalar| Some(self.known.of_the_host(of)?.bin(BinOp::Eq, 1));
        asked.extend(
            steps.filter_map(|(nth, term)| Some((Asks::Step { nth }, is_one(&term.factor)?))),
        );
        if matches!(dim, Scalar::Axis(axis) if self.sig.axes[axis.index()].many && self.known.behind.contains(axis))
        {
            let lanes = row_before(access).and_then(|_| is_one(dim));
            asked.extend(lanes.map(|cond| (Asks::Lanes, cond)));
        }
        asked
    }

    fn outcome(&self, cond: &Scalar) -> Option<bool> {
        let other = Scalar::un(UnOp::Not, cond.clone());
        // A condition that was decided before is a fact literally, even if nothing else follows
        // from it.
        let was = |cond: &Scalar| self.sig.facts.iter().any(|fact| fact.cond == *cond);
        match () {
            () if was(cond) || self.sig.is_certain(cond) => Some(true),
            () if was(&other) || self.sig.is_certain(&other) => Some(false),
            () => None,
        }
    }
}

/// The way in which a statement depends on a condition.
enum Asks {
    /// It chooses the arm of an `if`.
    Arm,
    /// It says if the loaded tensor is present.
    Given,
    /// It says if a part begins at a data block; the lowering asks the same.
    Block,
    /// It says if the axis of a store has indices.
    Apart,
    /// It says if the step of a term of the last index is 1.
    Step { nth: usize },
    /// It says if the last axis has one element.
    Lanes,
}

impl Asks {
    /// Returns the effect of the condition.
    fn decides(&self, s: &Stmt) -> Decides {
        match self {
            Asks::Block | Asks::Step { .. } | Asks::Lanes => Decides::Copies,
            Asks::Given => Decides::Tiles,
            Asks::Apart => Decides::Stores,
            Asks::Arm => {
                let mut decides = Decides::Stores;
                s.children().into_iter().flatten().for_each(|list| {
                    walk_stmts(list, &mut |s| {
                        let own = match s.own() {
                            Some(TileStmt::Loop { .. }) => Decides::Loops,
                            Some(TileStmt::Set { .. }) => Decides::Tiles,
                            Some(
                                TileStmt::Def { .. }
                                | TileStmt::Store { .. }
                                | TileStmt::Append { .. },
                            ) => Decides::Stores,
                            None | Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) => {
                                Decides::Stores
                            }
                        };
                        decides = decides.min(own);
                    });
                });
                decides
            }
        }
    }
}

/// Replaces a statement by what is left of it. Returns false if nothing changes.
fn take(stmts: &mut Vec<Stmt>, at: usize, asks: &Asks, holds: bool) -> bool {
    match (asks, &mut stmts[at].kind) {
        (Asks::Arm, StmtKind::If { then, other, .. }) => {
            let side = std::mem::take(if holds { then } else { other });
            drop(stmts.splice(at..=at, side));
            return true;
        }
        (Asks::Apart, _) if !holds => {
            drop(stmts.remove(at));
            return true;
        }
        (Asks::Given, StmtKind::Do(TileStmt::Def { expr, .. })) => {
            let TileExpr::Load { from } = expr else {
                return false;
            };
            let number = from.otherwise.take();
            *expr = number
                .filter(|_| !holds)
                .map_or_else(|| expr.clone(), |value| TileExpr::Fill { value });
            return true;
        }
        (Asks::Arm | Asks::Given | Asks::Block | Asks::Apart, _) => return false,
        (Asks::Step { .. } | Asks::Lanes, _) => {}
    }
    let Some(access) = stmts[at].access_mut().filter(|_| holds) else {
        return false;
    };
    match (asks, row_before(access)) {
        (Asks::Step { nth }, _) => {
            let last = access
                .index
                .last_mut()
                .and_then(|index| index.terms.get_mut(*nth));
            last.into_iter()
                .for_each(|term| term.factor = Scalar::Int(1));
        }
        // An axis of one element may as well lie before the one that moves.
        (Asks::Lanes, Some(row)) => {
            access.dims.swap(row, row + 1);
            access.index.swap(row, row + 1);
        }
        (Asks::Lanes, None) | (Asks::Arm | Asks::Given | Asks::Block | Asks::Apart, _) => {
            return false
        }
    }
    true
}

/// Returns the position of the last index but one, if it moves by one along an axis and the last
/// one moves, too.
fn row_before(access: &Access) -> Option<usize> {
    let [.., row, last] = &access.index[..] else {
        return None;
    };
    let by_one = row.ids.is_none()
        && matches!(
            &row.terms[..],
            [Term {
                factor: Scalar::Int(1),
                ..
            }]
        );
    (by_one && !last.terms.is_empty()).then_some(access.index.len() - 2)
}

/// Returns the condition that an index begins a data block, for elements of two bytes or more. From
/// there on elements are copied; from other places they are gathered.
pub fn begins_block(at: &Scalar) -> Scalar {
    at.clone().bin(BinOp::Rem, BLOCK_LANES).bin(BinOp::Eq, 0)
}

/// True if a loop stores along a whole axis, and also something that does not depend on values
/// along it.
fn stored_beside(body: &Body, ax: AxId) -> bool {
    let has = |axes: &Axes| axes.contains(ax);
    body.outer_loops().into_iter().any(|outer| {
        let (mut along, mut others) = (false, Vec::new());
        // Values that depend on values along the axis.
        let mut hangs: BTreeSet<ValueId> = (0..)
            .map(ValueId)
            .zip(&body.values)
            .filter(|(_, decl)| has(&decl.axes))
            .map(|(value, _)| value)
            .collect();
        let mut before = 0;
        while before < hangs.len() {
            before = hangs.len();
            walk_stmts(&outer.body, &mut |s| {
                let mut operands = BTreeSet::new();
                uses(s, &mut operands);
                let of = match s.own() {
                    Some(TileStmt::Def { value, .. } | TileStmt::Set { value, .. }) => value,
                    Some(_) | None => return,
                };
                if !operands.is_disjoint(&hangs) {
                    hangs.insert(*of);
                }
            });
        }
        walk_stmts(&outer.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Store { to, value, .. }) = &s.kind {
                match has(&to.axes()) {
                    true => along = true,
                    false => others.push(*value),
                }
            }
        });
        along && !others.is_empty() && others.iter().all(|value| !hangs.contains(value))
    })
}

/// Returns the last axes of tensors for which every access moves along a row before them. Axes
/// along which alone something is reduced, picked, ordered or scanned are left out, such as rows of
/// a norm.
fn axes_behind(body: &Body) -> BTreeSet<AxisId> {
    let (mut behind, mut others) = (BTreeMap::new(), BTreeSet::new());
    body.walk(&mut |s| {
        let Some(access) = s.access() else { return };
        let (Some(Scalar::Axis(axis)), Some(last)) = (access.dims.last(), access.index.last())
        else {
            return;
        };
        match row_before(access) {
            Some(_) => behind.extend(last.terms.iter().map(|term| (term.ax, *axis))),
            None => others.extend((access.dims.len() > 1).then_some(*axis)),
        }
    });
    body.walk(&mut |s| match s.def() {
        Some((_, TileExpr::Reduce { over, .. })) if over.len() == 1 => {
            others.extend(over.iter().filter_map(|ax| behind.get(&ax)))
        }
        Some((
            _,
            TileExpr::Pick { along, .. }
            | TileExpr::Top { along, .. }
            | TileExpr::Scan { along, .. },
        )) => {
            others.extend(behind.get(along));
        }
        Some(_) | None => {}
    });
    behind
        .into_values()
        .filter(|axis| !others.contains(axis))
        .collect()
}

/// Returns the axes that stand last in loads.
fn last_axes(body: &Body) -> BTreeSet<AxId> {
    let mut last = BTreeSet::new();
    body.walk(&mut |s| {
        if let Some((_, TileExpr::Load { from } | TileExpr::LoadOr { from, .. })) = s.def() {
            last.extend(
                from.index
                    .last()
                    .into_iter()
                    .flat_map(|index| &index.terms)
                    .map(|term| term.ax),
            );
        }
    });
    last
}
