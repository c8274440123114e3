//! The course of a kernel: its phases, and the scalar control flow around them.
//!
//! A phase is an outermost tile loop with the statements between it and the one before, and the
//! earlier tiles that it needs. Loops of scalars and branches around phases stay as they are. Their
//! conditions have equal values in all blocks, so all blocks reach the same barriers.

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
    /// The phases in the order of the text.
    pub phases: Vec<Phase>,
    /// The number of blocks.
    pub dim: VarId,
}

/// A part of a kernel's course.
pub(super) enum Node {
    /// A phase, by its index.
    Phase(usize),
    /// A statement of scalars alone.
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
    /// The source of the loop.
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
    /// Finds the course of a body without cross-core reductions.
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

    /// Returns the kernel with this body in place of a phase. Tiles that several phases compute are
    /// defined in each of them.
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

    /// Returns the phases that need a barrier before them, because they conflict with an earlier
    /// one.
    pub(super) fn meetings(&self, conflict: &dyn Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut meets = vec![false; self.phases.len()];
        follow(&self.parts, &mut BTreeSet::new(), &mut meets, conflict);
        meets
    }
}

/// Gives new names to values that earlier phases define as well.
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

/// Joins the statements of all phases with the scalar control flow around them.
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

/// Moves the definitions of a phase of one iteration into its loop: only the block that runs it
/// needs them.
fn sunk(phase: Body) -> Body {
    let once = nest::outer(&phase)
        .is_ok_and(|outer| nest::is_once(&phase, outer) && !outer.body.is_empty());
    // Every block computes the parts that it stores.
    let leaves = phase
        .stmts
        .iter()
        .any(|s| matches!(s.kind, StmtKind::Do(TileStmt::Store { .. })));
    // The block's first place for packing is found before the loop.
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

/// Follows the phases since the last barrier. The end of a loop's iteration precedes the next one,
/// until a fixed point is reached.
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

/// Returns the number of statements behind a loop with which each block stores its part in a
/// workspace.
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

/// Reads a body as phases.
struct Reader<'a> {
    body: &'a Body,
    phases: Vec<Phase>,
    /// Definitions between loops that are in scope, each with the number of stores before it.
    tiles: Vec<(&'a Stmt, usize)>,
    /// The tensors that were stored to so far.
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
                    // An iteration also follows the stores of all other iterations.
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

    /// Adds a phase: a loop, the statements before it, the stores of each block behind it, and the
    /// earlier tiles that they need.
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

    /// Adds the statements between loops that belong to none of them.
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

    /// Keeps tiles and scalars in scope.
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

    /// Returns the earlier definitions that statements need.
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
