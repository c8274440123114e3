//! What a body declares.

use super::body::Mode;
use super::scalars::Leaves;
use super::{Checked, Cx};
use crate::ir::{Body, LoopId, LoopKind, Space, Stmt, StmtKind, TPosition, VarDecl, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A tile loop, wherever it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopFacts {
    pub kind: LoopKind,
    pub over: crate::ir::ParamId,
    pub parent: Option<LoopId>,
}

/// What the ids of a body stand for, besides its own lists.
pub(super) struct Tables {
    pub loops: BTreeMap<LoopId, LoopFacts>,
}

impl Cx<'_> {
    /// Holds the declarations of a body to what they promise.
    pub(super) fn tables(&mut self, body: &Body, mode: Mode) -> Checked<Tables> {
        self.variables(&body.vars)?;
        let tables = self.loops(body)?;
        let mut names = BTreeSet::new();
        for v in &body.values {
            self.enter("ValueDecl");
            self.name(&v.name)?;
            self.holds(mode == Mode::Tile, || "a tile among queues".to_string())?;
            self.element(v.dtype)?;
            // After a pass values that are loaded again have one name, and those that nothing uses may be over loops
            // that are gone.
            if self.binding.is_none() {
                self.own_name(&v.name, &mut names)?;
                self.shape(v.shape, &tables)?;
            }
        }
        let mut names = BTreeSet::new();
        for t in &body.tensors {
            self.enter("TensorDecl");
            self.holds(mode != Mode::Tile, || "a local tensor among tiles".to_string())?;
            self.own_name(&t.name, &mut names)?;
            self.element(t.dtype)?;
        }
        self.memory(body, mode)?;
        Ok(tables)
    }

    pub(super) fn variables(&mut self, vars: &[VarDecl]) -> Checked {
        let mut names = BTreeSet::new();
        for v in vars {
            self.enter("VarDecl");
            self.own_name(&v.name, &mut names)?;
        }
        Ok(())
    }

    /// Queues and buffers: sizes that the host knows, in UB.
    fn memory(&mut self, body: &Body, mode: Mode) -> Checked {
        let (numbers, bytes) = if mode == Mode::Device { (Leaves::Device, Leaves::Bytes) } else { (Leaves::Host, Leaves::Host) };
        let mut names = BTreeSet::new();
        for q in &body.queues {
            self.enter_at("QueueDecl", q.span)?;
            self.holds(mode != Mode::Tile, || "a queue among tiles".to_string())?;
            self.own_name(&q.name, &mut names)?;
            self.position(q.position)?;
            let depth = (1..=i64::from(u16::MAX)).contains(&q.depth);
            self.holds(depth, || format!("a queue of depth {}, possible are 1 to {}", q.depth, u16::MAX))?;
            self.index(&q.buffer_num, numbers, Some(&body.vars))?;
            self.index(&q.bytes, bytes, Some(&body.vars))?;
        }
        for b in &body.bufs {
            self.enter_at("BufDecl", b.span)?;
            self.holds(mode != Mode::Tile, || "a buffer among tiles".to_string())?;
            self.own_name(&b.name, &mut names)?;
            self.position(b.position)?;
            self.index(&b.bytes, bytes, Some(&body.vars))?;
        }
        Ok(())
    }

    fn position(&self, position: TPosition) -> Checked {
        self.holds(position.space() == Space::Ub, || {
            format!("position {}; VECIN, VECOUT and VECCALC are those of the vector core", position.word())
        })
    }

    /// Every tile loop by its id.
    fn loops(&mut self, body: &Body) -> Checked<Tables> {
        let mut loops = BTreeMap::new();
        let mut twice = None;
        let mut note = |s: &Stmt| {
            if let StmtKind::Loop { tile } = &s.kind {
                let facts = LoopFacts { kind: tile.kind, over: tile.over, parent: tile.parent };
                if loops.insert(tile.id, facts).is_some() {
                    twice = twice.or(Some(tile.id));
                }
            }
        };
        body.walk(&mut note);
        self.at = super::Spot { of: "Body", nth: 1 };
        self.holds(twice.is_none(), || format!("two loops `!{}`; ids of loops are unique", twice.map_or(0, |l| l.0)))?;
        Ok(Tables { loops })
    }

    /// Holds a variable to its declaration.
    pub(super) fn var<'v>(&self, id: VarId, vars: &'v [VarDecl]) -> Checked<&'v VarDecl> {
        let at = self.declared(id.index(), vars.len(), "variable", || format!("${}{}", id.index(), id.ty().suffix()))?;
        let decl = &vars[at];
        self.holds(decl.ty == id.ty(), || {
            format!("`{}` (`${}`) taken for {}, it is declared {}", decl.name, id.index(), id.ty().word(), decl.ty.word())
        })?;
        Ok(decl)
    }
}
