//! The course of a kernel: its phases, and the scalar control around them.
//!
//! A phase is an outermost tile loop with the statements that stand between it and the one before, and the tiles that it needs of those
//! before. Loops of scalars and branches that hold phases keep their form; what they decide by is the same for all blocks, so that all come to
//! the same meetings.

use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{
    outer_loops, walk_stmts, Scalar, SpanId, StmtKind, TensorRef, TileExpr, TileLoop, TileStmt,
    ValueDecl, ValueId, VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::core_split::TileSplit;
use crate::lower::nest;
use crate::lower::nest::is_scalar;
use crate::lower::nest::Nest;
use crate::lower::tile::stream::rename;
use crate::lower::tile::{count_then_pack, cross_core};
use std::collections::{BTreeMap, BTreeSet};

/// A kernel as phases.
pub(super) struct Course {
    pub parts: Vec<Node>,
    /// In the order of the text.
    pub phases: Vec<Phase>,
    /// How many blocks there are.
    pub dim: VarId,
}

/// What a kernel does, one after the other.
pub(super) enum Node {
    /// A phase, by its place in the list of them.
    Phase(usize),
    /// What is computed of scalars alone.
    Scalar(Stmt),
    For {
        var: VarId,
        from: Scalar,
        to: Scalar,
        body: Vec<Node>,
        span: SpanId,
    },
    If {
        cond: Scalar,
        then: Vec<Node>,
        other: Vec<Node>,
        span: SpanId,
    },
}

/// An outermost tile loop with its statements.
pub(super) struct Phase {
    pub body: Body,
    /// Where the loop stands.
    pub span: SpanId,
    /// The scalars that are known where it begins.
    pub before: Vec<Stmt>,
    /// True inside of a loop.
    pub repeats: bool,
}

/// A phase whose loop is divided among the cores.
pub(super) struct DividedPhase<'c> {
    pub phase: &'c Phase,
    pub nest: &'c Nest,
    /// The loop that is divided.
    pub outer: &'c TileLoop,
    pub split: TileSplit,
}

impl Course {
    /// The course of a body without reductions over the cores.
    pub(super) fn of(body: &Body, dim: VarId) -> Made<Course> {
        let mut reader = Reader {
            body,
            phases: Vec::new(),
            tiles: Vec::new(),
            stored: Vec::new(),
            scalars: Vec::new(),
        };
        let parts = reader.list(&body.stmts, false)?;
        Ok(Course {
            parts,
            phases: reader.phases,
            dim,
        })
    }

    /// The kernel with this body in the place of a phase: each phase has for itself what several compute of tiles.
    pub(super) fn with(&self, at: usize, phase: &Body) -> Body {
        let mut out = Body {
            stmts: Vec::new(),
            ..phase.clone()
        };
        let mut defined = BTreeSet::new();
        let mut lists: Vec<Vec<Stmt>> = self
            .phases
            .iter()
            .map(|phase| phase.body.stmts.clone())
            .collect();
        lists[at].clone_from(&phase.stmts);
        lists
            .iter_mut()
            .for_each(|list| defined_anew(&mut out.values, list, &mut defined));
        out.stmts = joined(&self.parts, &mut lists);
        cross_core::exchange(&mut out, &self.dim.into(), &Scalar::BlockDim);
        out
    }

    /// Before which phases all blocks meet, where one may touch what another block touched in an earlier one.
    pub(super) fn meetings(&self, conflict: &dyn Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut meets = vec![false; self.phases.len()];
        follow(&self.parts, &mut BTreeSet::new(), &mut meets, conflict);
        meets
    }
}

/// Gives values that were defined before names of their own.
fn defined_anew(values: &mut Vec<ValueDecl>, stmts: &mut [Stmt], defined: &mut BTreeSet<ValueId>) {
    let mut own = BTreeSet::new();
    walk_stmts(stmts, &mut |s| {
        own.extend(if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
            Some(*value)
        } else {
            None
        })
    });
    let mut names = BTreeMap::new();
    for value in own.iter().filter(|value| defined.contains(value)) {
        values.push(values[value.index()].clone());
        names.insert(*value, ValueId(values.len() as u32 - 1));
    }
    rename(stmts, &names);
    defined.extend(own);
}

/// The statements of all phases, with the scalar control around them.
fn joined(parts: &[Node], lists: &mut [Vec<Stmt>]) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    for part in parts {
        match part {
            Node::Phase(at) => stmts.append(&mut lists[*at]),
            Node::Scalar(s) => stmts.push(s.clone()),
            Node::For {
                var,
                from,
                to,
                body,
                span,
            } => {
                let (from, to, body) = (from.clone(), to.clone(), joined(body, lists));
                stmts.push(Stmt {
                    kind: StmtKind::For {
                        var: *var,
                        from,
                        to,
                        body,
                    },
                    span: *span,
                });
            }
            Node::If {
                cond,
                then,
                other,
                span,
            } => {
                let (cond, then, other) = (cond.clone(), joined(then, lists), joined(other, lists));
                stmts.push(Stmt {
                    kind: StmtKind::If { cond, then, other },
                    span: *span,
                });
            }
        }
    }
    stmts
}

/// A phase of one turn with what it computes inside of it: the other blocks have no use for that.
fn sunk(phase: Body) -> Body {
    let once = nest::outer(&phase)
        .is_ok_and(|outer| nest::is_once(&phase, outer) && !outer.body.is_empty());
    // What every block leaves it makes itself.
    let leaves = phase
        .stmts
        .iter()
        .any(|s| matches!(s.kind, StmtKind::Do(TileStmt::Store { .. })));
    // Where a block begins to pack is found before the loop.
    let packs = nest::outer(&phase).is_ok_and(|outer| count_then_pack::packs(&outer.body));
    if !once || leaves || packs {
        return phase;
    }
    let (mut defs, mut stmts): (Vec<Stmt>, Vec<Stmt>) = phase
        .stmts
        .into_iter()
        .partition(|s| matches!(s.kind, StmtKind::Do(TileStmt::Def { .. })));
    for s in &mut stmts {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &mut s.kind {
            defs.append(&mut tile.body);
            std::mem::swap(&mut defs, &mut tile.body);
        }
    }
    Body { stmts, ..phase }
}

/// Follows the phases since the last meeting. Of a loop the end of a turn comes before the next one, until that shows nothing more.
fn follow(
    parts: &[Node],
    since: &mut BTreeSet<usize>,
    meets: &mut [bool],
    conflict: &dyn Fn(usize, usize) -> bool,
) {
    for part in parts {
        match part {
            Node::Phase(at) => {
                meets[*at] |= since.iter().any(|earlier| conflict(*earlier, *at));
                if meets[*at] {
                    since.clear();
                }
                since.insert(*at);
            }
            Node::Scalar(_) => {}
            Node::For { body, .. } => loop {
                let known = (since.len(), meets.to_vec());
                let mut turn = since.clone();
                follow(body, &mut turn, meets, conflict);
                since.extend(turn);
                if known == (since.len(), meets.to_vec()) {
                    break;
                }
            },
            Node::If { then, other, .. } => {
                let mut otherwise = since.clone();
                follow(then, since, meets, conflict);
                follow(other, &mut otherwise, meets, conflict);
                since.extend(otherwise);
            }
        }
    }
}

/// How many of the statements behind a loop are what each block leaves of it in a workspace.
fn left_behind(stmts: &[Stmt]) -> usize {
    let leaves =
        |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Store { to, .. }) if to.is_of_block());
    let own = stmts
        .iter()
        .take_while(|s| leaves(s) || matches!(s.kind, StmtKind::Do(TileStmt::Def { .. })))
        .count();
    stmts[..own]
        .iter()
        .rposition(leaves)
        .map_or(0, |last| last + 1)
}

/// Reads a body.
struct Reader<'a> {
    body: &'a Body,
    phases: Vec<Phase>,
    /// Definitions that stand between loops and are in scope, with how many stores came before each.
    tiles: Vec<(&'a Stmt, usize)>,
    /// What was stored to so far.
    stored: Vec<TensorRef>,
    /// Statements of scalars that are in scope.
    scalars: Vec<Stmt>,
}

impl<'a> Reader<'a> {
    fn list(&mut self, stmts: &'a [Stmt], repeats: bool) -> Made<Vec<Node>> {
        let (tiles, scalars) = (self.tiles.len(), self.scalars.len());
        let mut parts = Vec::new();
        let mut open: Vec<&Stmt> = Vec::new();
        let mut left = stmts;
        while let Some((s, behind)) = left.split_first() {
            left = behind;
            match &s.kind {
                StmtKind::Do(TileStmt::Loop { .. }) => {
                    let (leaves, behind) = behind.split_at(left_behind(behind));
                    left = behind;
                    self.phase(std::mem::take(&mut open), s, leaves, repeats, &mut parts)?;
                }
                StmtKind::For {
                    var,
                    from,
                    to,
                    body,
                } if !outer_loops(body).is_empty() => {
                    self.flush(std::mem::take(&mut open), &mut parts)?;
                    // A turn comes behind all others, too.
                    self.stored.extend(nest::stored(body));
                    let known = self.scalars.len();
                    self.scalars.push(Stmt {
                        kind: StmtKind::LetScalar {
                            var: *var,
                            value: from.clone(),
                        },
                        span: s.span,
                    });
                    let body = self.list(body, true)?;
                    self.scalars.truncate(known);
                    parts.push(Node::For {
                        var: *var,
                        from: from.clone(),
                        to: to.clone(),
                        body,
                        span: s.span,
                    });
                }
                StmtKind::If { cond, then, other }
                    if !outer_loops(std::slice::from_ref(s)).is_empty() =>
                {
                    self.flush(std::mem::take(&mut open), &mut parts)?;
                    let (then, other) = (self.list(then, repeats)?, self.list(other, repeats)?);
                    parts.push(Node::If {
                        cond: cond.clone(),
                        then,
                        other,
                        span: s.span,
                    });
                }
                StmtKind::For { .. }
                | StmtKind::If { .. }
                | StmtKind::LetScalar { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::Promise { .. }
                | StmtKind::Do(
                    TileStmt::Def { .. }
                    | TileStmt::Set { .. }
                    | TileStmt::Store { .. }
                    | TileStmt::Append { .. }
                    | TileStmt::Read { .. }
                    | TileStmt::Dump { .. },
                ) => open.push(s),
            }
        }
        self.flush(open, &mut parts)?;
        self.tiles.truncate(tiles);
        self.scalars.truncate(scalars);
        Ok(parts)
    }

    /// What stands before a loop, with it, what each block leaves behind it, and the tiles that they need of those before.
    fn phase(
        &mut self,
        open: Vec<&'a Stmt>,
        the_loop: &'a Stmt,
        leaves: &'a [Stmt],
        repeats: bool,
        parts: &mut Vec<Node>,
    ) -> Made<()> {
        let own: Vec<Stmt> = open
            .iter()
            .copied()
            .chain([the_loop])
            .chain(leaves)
            .cloned()
            .collect();
        let mut stmts = self.needed(&own)?;
        stmts.extend(own);
        parts.push(Node::Phase(self.phases.len()));
        let body = sunk(Body {
            stmts,
            ..self.body.clone()
        });
        self.phases.push(Phase {
            body,
            span: the_loop.span,
            before: self.scalars.clone(),
            repeats,
        });
        self.keep(&open);
        self.stored
            .extend(nest::stored(std::slice::from_ref(the_loop)));
        Ok(())
    }

    /// What stands between loops and belongs to none of them.
    fn flush(&mut self, open: Vec<&'a Stmt>, parts: &mut Vec<Node>) -> Made<()> {
        for s in &open {
            if is_scalar(s) {
                parts.push(Node::Scalar((*s).clone()));
            } else if s.def().is_none() {
                let help = "put it into a tile loop, or the scalars that it changes into a loop of their own";
                return Err(Gap::not_yet(
                    "a tile that changes between tile loops",
                    help,
                    s.span,
                ));
            }
        }
        self.keep(&open);
        Ok(())
    }

    /// Tiles and scalars that stay in scope.
    fn keep(&mut self, open: &[&'a Stmt]) {
        for s in open.iter().copied() {
            if s.def().is_some() {
                self.tiles.push((s, self.stored.len()));
            }
            if is_scalar(s) || matches!(s.own(), Some(TileStmt::Read { .. })) {
                self.scalars.push(s.clone());
            }
        }
    }

    /// The definitions among those before that statements need.
    fn needed(&self, stmts: &[Stmt]) -> Made<Vec<Stmt>> {
        let mut wanted = BTreeSet::new();
        walk_stmts(stmts, &mut |s| uses(s, &mut wanted));
        let mut own: Vec<Stmt> = Vec::new();
        for (s, stores) in self.tiles.iter().rev() {
            let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
                continue;
            };
            if !wanted.contains(value) {
                continue;
            }
            if self.body.values[value.index()].mutable {
                let help = "a tile lives as long as one loop; hand it on through a tensor";
                return Err(Gap::not_yet(
                    "a tile that changes and lives through several loops",
                    help,
                    s.span,
                ));
            }
            let mut changes = false;
            s.scalars(&mut |e| {
                e.walk(&mut |n| changes |= matches!(n, Scalar::Var(v) if self.body.var(*v).mutable))
            });
            if changes {
                let help =
                    "compute it again behind the loop, or give the scalar a `let` without `mut`";
                return Err(Gap::not_yet(
                    "a tile for several loops that was computed with a scalar that changes",
                    help,
                    s.span,
                ));
            }
            if let TileExpr::Load { from } | TileExpr::LoadOr { from, .. } = expr {
                if self.stored[*stores..].contains(&from.of) {
                    let help = "load it again behind the loop, where the new content is meant";
                    return Err(Gap::not_yet(
                        "a tile that was loaded before a loop stores to its tensor",
                        help,
                        s.span,
                    ));
                }
            }
            uses(s, &mut wanted);
            own.push((*s).clone());
        }
        own.reverse();
        Ok(own)
    }
}
