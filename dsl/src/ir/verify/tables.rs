//! Checks the declarations of a body.

use super::body::{Mode, Own};
use super::scalars::Leaves;
use super::{Checked, Cx};
use crate::ir::{AxDecl, AxFrom, AxId, Body, LoopId, Scalar, Stmt, TPosition, Ty, VarDecl, VarId};
use crate::soc::Space;
use std::collections::{BTreeMap, BTreeSet};

/// An axis as indices use it.
pub(super) struct AxFacts<'b> {
    /// The loop whose iterations run over it; `None` for a whole one.
    pub of: Option<LoopId>,
    pub first: Scalar,
    /// Length of the whole axis; `None` for a run of a loop that is gone.
    pub extent: Option<&'b Scalar>,
    /// True where an iteration has one index of it, which is no axis of a tile.
    pub is_each: bool,
}

/// The loop that makes an axis.
struct Run {
    by: LoopId,
    /// The whole axis.
    of: AxId,
    start: VarId,
    is_each: bool,
}

/// The tables that ids of a body refer to, besides its own lists.
pub(super) struct Tables<'b> {
    pub axes: Vec<AxFacts<'b>>,
}

impl Cx<'_> {
    /// Checks the declarations of a body.
    pub(super) fn tables<'b, L: Own>(
        &mut self,
        body: &'b Body<L>,
        mode: Mode,
    ) -> Checked<Tables<'b>> {
        self.variables(&body.vars)?;
        let axes = self.axes(body, mode)?;
        let mut names = BTreeSet::new();
        for v in &body.values {
            self.enter("ValueDecl");
            self.name(&v.name)?;
            self.holds(mode == Mode::Tile, || "a tile among queues".to_string())?;
            self.element(v.dtype)?;
            v.axes
                .iter()
                .try_for_each(|ax| self.ax(ax, &axes).map(|_| ()))?;
            // A pass may load a value again under its name.
            if self.binding.is_none() {
                self.own_name(&v.name, &mut names)?;
            }
        }
        let mut names = BTreeSet::new();
        for t in &body.tensors {
            self.enter("TensorDecl");
            self.holds(mode != Mode::Tile, || {
                "a local tensor among tiles".to_string()
            })?;
            self.own_name(&t.name, &mut names)?;
            self.element(t.dtype)?;
        }
        self.memory(body, mode)?;
        self.workspaces(body, mode)?;
        Ok(Tables { axes })
    }

    pub(super) fn variables(&mut self, vars: &[VarDecl]) -> Checked {
        let mut names = BTreeSet::new();
        for v in vars {
            self.enter("VarDecl");
            self.own_name(&v.name, &mut names)?;
        }
        Ok(())
    }

    /// Checks queues and buffers: the host knows their sizes, and they are in UB.
    fn memory<L>(&mut self, body: &Body<L>, mode: Mode) -> Checked {
        let (numbers, bytes) = if mode == Mode::Device {
            (Leaves::Device, Leaves::Bytes)
        } else {
            (Leaves::Host, Leaves::Host)
        };
        let mut names = BTreeSet::new();
        for q in &body.queues {
            self.enter_at("QueueDecl", q.span)?;
            self.holds(mode != Mode::Tile, || "a queue among tiles".to_string())?;
            self.own_name(&q.name, &mut names)?;
            self.position(q.position)?;
            let depth = (1..=i64::from(u16::MAX)).contains(&q.depth);
            self.holds(depth, || {
                format!(
                    "a queue of depth {}, possible are 1 to {}",
                    q.depth,
                    u16::MAX
                )
            })?;
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

    /// Checks workspaces: an element type, and a length that the host knows.
    fn workspaces<L>(&mut self, body: &Body<L>, mode: Mode) -> Checked {
        let lowered = mode == Mode::Device;
        let mut names = BTreeSet::new();
        for w in &body.works {
            self.enter_at("WorkDecl", w.span)?;
            self.holds(mode != Mode::Func, || {
                "a workspace of a function; kernels have them".to_string()
            })?;
            self.own_name(&w.name, &mut names)?;
            self.element(w.dtype)?;
            self.holds(w.dtype != Ty::Mask, || {
                "a workspace of the bits of a compare".to_string()
            })?;
            self.index(
                &w.len,
                if lowered { Leaves::Steps } else { Leaves::Any },
                Some(&body.vars),
            )?;
            self.index(&w.at, Leaves::Device, Some(&body.vars))?;
            self.holds(lowered || w.at == Scalar::Int(0), || {
                "a place of a workspace; only the lowering decides it".to_string()
            })?;
        }
        Ok(())
    }

    fn position(&self, position: TPosition) -> Checked {
        self.holds(position.space() == Space::Ub, || {
            format!(
                "position {}; VECIN, VECOUT and VECCALC are those of the vector core",
                position.word()
            )
        })
    }

    /// Checks axes; exactly one loop runs over each that is not whole.
    fn axes<'b, L: Own>(&mut self, body: &'b Body<L>, mode: Mode) -> Checked<Vec<AxFacts<'b>>> {
        let runs = self.runs(body)?;
        let mut axes = Vec::with_capacity(body.axes.len());
        for (i, decl) in body.axes.iter().enumerate() {
            self.enter("AxDecl");
            self.holds(mode == Mode::Tile, || {
                "an axis of tiles among queues".to_string()
            })?;
            self.name(&decl.name)?;
            axes.push(match &decl.from {
                AxFrom::Whole { extent } => {
                    // A pass makes axes with an index for each block.
                    let leaves = if self.binding.is_some() { Leaves::Blocks } else { Leaves::Signature };
                    self.index(extent, leaves, None)?;
                    AxFacts { of: None, first: Scalar::Int(0), extent: Some(extent), is_each: false }
                }
                AxFrom::Run { of } => {
                    let run = runs.get(&AxId(i as u32));
                    // A pass leaves axes behind whose loops are gone.
                    self.holds(run.is_some() || self.binding.is_some(), || format!("no loop runs over the axis `~{i}`"))?;
                    let own = run.is_none_or(|run| run.by == *of);
                    self.holds(own, || format!("another loop than `!{}` runs over its axis `~{i}`", of.0))?;
                    let extent = run.map(|run| self.whole(&body.axes, run.of)).transpose()?;
                    let first = run.map_or(Scalar::Int(0), |run| run.start.into());
                    AxFacts { of: Some(*of), first, extent, is_each: run.is_some_and(|run| run.is_each) }
                }
                AxFrom::Hull { of, more } => {
                    self.holds(self.binding.is_some(), || {
                        format!("the axis `~{i}`, which a pass makes, in a kernel of an author")
                    })?;
                    self.holds(*more > 0, || format!("the axis `~{i}`, which goes beyond a run by nothing"))?;
                    let run = runs.get(of).filter(|run| !run.is_each);
                    let by = run.map(|run| run.by);
                    self.holds(by.is_some(), || {
                        format!("no loop makes a run of several indices of `~{}`, which `~{i}` goes beyond", of.0)
                    })?;
                    AxFacts { of: by, first: Scalar::Int(0), extent: None, is_each: false }
                }
            });
        }
        Ok(axes)
    }

    /// Returns the length of a whole axis.
    fn whole<'b>(&self, axes: &'b [AxDecl], ax: AxId) -> Checked<&'b Scalar> {
        let at = self.declared(ax.index(), axes.len(), "axis", || format!("~{}", ax.0))?;
        match &axes[at].from {
            AxFrom::Whole { extent } => Ok(extent),
            AxFrom::Run { .. } | AxFrom::Hull { .. } => self.fault(format!(
                "a loop over `~{}`, which is a run of another loop",
                ax.0
            )),
        }
    }

    /// Collects the loop, whole axis and first index of each run.
    fn runs<L: Own>(&mut self, body: &Body<L>) -> Checked<BTreeMap<AxId, Run>> {
        let (mut loops, mut runs) = (BTreeSet::new(), BTreeMap::new());
        let (mut twice, mut shared) = (None, None);
        let mut note = |s: &Stmt<L>| {
            if let Some(tile) = s.own().and_then(L::tile_loop) {
                twice = twice.or((!loops.insert(tile.id)).then_some(tile.id));
                for spec in &tile.specs {
                    let before = runs.insert(
                        spec.ax,
                        Run {
                            by: tile.id,
                            of: spec.of,
                            start: spec.start,
                            is_each: spec.size.is_each(),
                        },
                    );
                    shared = shared.or(before.map(|_| spec.ax));
                }
            }
        };
        body.walk(&mut note);
        self.at = super::Spot { of: "Body", nth: 1 };
        self.holds(twice.is_none(), || {
            format!(
                "two loops `!{}`; ids of loops are unique",
                twice.map_or(0, |l| l.0)
            )
        })?;
        self.holds(shared.is_none(), || {
            format!(
                "two loops run over the axis `~{}`",
                shared.map_or(0, |ax| ax.0)
            )
        })?;
        Ok(runs)
    }

    /// Returns the facts of an axis.
    pub(super) fn ax<'t, 'b>(&self, ax: AxId, axes: &'t [AxFacts<'b>]) -> Checked<&'t AxFacts<'b>> {
        let at = self.declared(ax.index(), axes.len(), "axis", || format!("~{}", ax.0))?;
        Ok(&axes[at])
    }

    /// Checks the declaration of a variable.
    pub(super) fn var<'v>(&self, id: VarId, vars: &'v [VarDecl]) -> Checked<&'v VarDecl> {
        let at = self.declared(id.index(), vars.len(), "variable", || {
            format!("${}{}", id.index(), id.ty().suffix())
        })?;
        let decl = &vars[at];
        self.holds(decl.ty == id.ty(), || {
            format!(
                "`{}` (`${}`) taken for {}, it is declared {}",
                decl.name,
                id.index(),
                id.ty().word(),
                decl.ty.word()
            )
        })?;
        Ok(decl)
    }
}
