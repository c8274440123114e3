//! The state of one kernel's translation.
//!
//! It has four parts: the meaning of names, the emitted statements, the findings, and the kernel so
//! far.

pub mod access;
pub mod block;
pub mod draft;
pub mod emitted;
pub mod kinds;
pub mod module;
pub mod names;
pub mod report;
pub mod value;

use crate::diag::{Code, Diagnostic};
use crate::front::text::span::Node;
use crate::ir::{
    walk_stmts, HostCall, Level, QueueOp, QueueStmt, TensorId, TileExpr, TileStmt, VarId,
};
use block::Block;
use draft::Draft;
use emitted::{Emitted, Frame};
use module::Module;
use names::Names;
use proc_macro2::Ident;
use report::Report;

/// State of one kernel.
pub(super) struct Cx<'a> {
    pub module: &'a Module<'a>,
    pub names: Names,
    pub out: Emitted,
    pub report: Report,
    pub draft: Draft,
}

impl<'a> Cx<'a> {
    /// Begins a kernel of this name.
    pub fn new(module: &'a Module<'a>, name: &Ident) -> Self {
        let (names, out, report) = (Names::default(), Emitted::default(), Report::default());
        Cx {
            module,
            names,
            out,
            report,
            draft: Draft::new(name),
        }
    }

    /// Starts a finding.
    pub fn error(
        &mut self,
        code: Code,
        node: &(impl Node + ?Sized),
        message: impl Into<String>,
    ) -> Diagnostic {
        self.report.error(code, node, message)
    }

    /// Runs `f` in a scope and a frame of its own and returns the statements it emitted.
    pub fn nested<R>(&mut self, frame: Frame, f: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        let outer = std::mem::take(&mut self.out.stmts);
        let mark = self.names.mark();
        self.out.frames.push(frame);
        let r = f(self);
        self.out.frames.pop();
        self.names.back(mark);
        (std::mem::replace(&mut self.out.stmts, outer), r)
    }

    /// Notes the level of a construct; a kernel uses one.
    pub fn use_level(&mut self, level: Level, node: &(impl Node + ?Sized), what: &str) {
        match self.draft.level {
            None => {
                let span = self.report.at(node);
                self.draft.level = Some((level, span));
            }
            Some((first, at)) if first != level && !self.draft.mixed => {
                self.draft.mixed = true;
                let d = self
                    .error(
                        Code::J0108,
                        node,
                        format!("`{what}` belongs to the {} level, the kernel began at the {} level", level.word(), first.word()),
                    )
                    .label(at, format!("the {} level began here", first.word()))
                    .help(
                        "a kernel uses one level: tile loops plan their queues and buffers, at queue level they are all written",
                    );
                self.report.add(d);
            }
            Some(_) => {}
        }
    }

    /// Names every node that the author did not name, after the construct that made it.
    pub fn name_the_rest(&mut self) {
        let mut named = Vec::new();
        let unnamed = |var: &VarId| self.out.body.vars[var.index()].name.is_empty();
        let is_local = |tensor: &TensorId| self.out.body.tensors[tensor.index()].name.is_empty();
        match self.draft.level {
            Some((Level::Queue, _)) => walk_stmts(&self.out.stmts.queue, &mut |s| {
                let base = match s.own() {
                    Some(QueueStmt::Queue {
                        op: QueueOp::Alloc | QueueOp::Deque,
                        queue,
                        ..
                    }) => {
                        format!("{}_local", self.out.body.queues[queue.index()].name)
                    }
                    Some(QueueStmt::Get { buf, .. }) => {
                        format!("{}_local", self.out.body.bufs[buf.index()].name)
                    }
                    Some(QueueStmt::Place { .. }) => "local".to_string(),
                    Some(QueueStmt::View { of, .. }) => {
                        let of = of
                            .tensor()
                            .map(|of| &self.out.body.tensors[of.index()].name)
                            .filter(|of| !of.is_empty());
                        of.map_or("view".to_string(), |of| format!("{of}_view"))
                    }
                    Some(QueueStmt::Host {
                        call: HostCall::FitTile { .. },
                    }) => "tile_length".to_string(),
                    _ => "value".to_string(),
                };
                named.extend(
                    s.sets()
                        .filter(unnamed)
                        .map(|var| (var.index() as u32, 2, base.clone())),
                );
                named.extend(
                    s.defines()
                        .filter(is_local)
                        .map(|tensor| (tensor.0, 1, base)),
                );
            }),
            Some((Level::Tile, _)) | None => walk_stmts(&self.out.stmts.tile, &mut |s| {
                named.extend(
                    s.sets()
                        .filter(unnamed)
                        .map(|var| (var.index() as u32, 2, "value".to_string())),
                );
                let Some(TileStmt::Def { value, expr }) = s.own() else {
                    return;
                };
                let is_unnamed = self.out.body.values[value.index()].name.is_empty();
                named.extend(is_unnamed.then(|| (value.0, 0, self.base_name(expr))));
            }),
        }
        for (id, table, base) in named {
            let name = self.out.unique(&base);
            match table {
                0 => self.out.body.values[id as usize].name = name,
                1 => self.out.body.tensors[id as usize].name = name,
                _ => self.out.body.vars[id as usize].name = name,
            }
        }
    }

    fn base_name(&self, expr: &TileExpr) -> String {
        match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                let axes = from.axes();
                let moves = self.out.runs.iter().any(|run| axes.contains(run.ax));
                format!(
                    "{}_{}",
                    self.out.body.gm_name(&self.draft.sig, from.of),
                    if moves { "tile" } else { "row" }
                )
            }
            TileExpr::Reduce { op, .. } => op.def().name.to_string(),
            TileExpr::Fill { .. } => "fill".to_string(),
            TileExpr::Iota { .. } => "iota".to_string(),
            TileExpr::Across { .. } => "across".to_string(),
            TileExpr::Appended { of } => {
                format!("{}_appended", self.out.body.gm_name(&self.draft.sig, *of))
            }
            TileExpr::Op { op, .. } => op.name().to_string(),
            TileExpr::Cast { .. } | TileExpr::Truncate { .. } => "cast".to_string(),
            TileExpr::Round { .. } => "round".to_string(),
            TileExpr::Copy { .. } => "copy".to_string(),
            TileExpr::Pick { .. } => "pick".to_string(),
            TileExpr::Top { .. } => "places".to_string(),
            TileExpr::Scan { .. } => "scan".to_string(),
        }
    }
}
