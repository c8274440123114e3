//! Replaces cross-core accumulators by parts in a workspace.
//!
//! - Before the loop that accumulates, each block fills its own part with the neutral value.
//! - Behind the loop, each block stores its part in a workspace, at a data block of its own.
//! - A number is reduced by every block for itself, from the parts of all blocks.
//! - A value with axes is reduced by a loop of its own, which the blocks share by its indices. The
//!   result lies in a second workspace, and later loops load it with any tiles.
//!
//! The order is that of the halving of rows (`func::middle`). It depends on the number of blocks
//! alone, so equal numbers of cores give equal bytes.
//!
//! A pass of the tile dialect that uses two scalars of the block, `block_idx` and `block_dim`. Run
//! as one block, the kernel means what was written.

use super::stream::rename;
use crate::ir::names::unique;
use crate::ir::scalar::product;
use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{
    outer_loops, walk_stmts, walk_stmts_mut, Access, AxDecl, AxFrom, AxId, AxSpec, Axes, Index,
    Operand, RunSize, Scalar, ScalarTy, Signature, SpanId, StmtKind, StoreHow, TileExpr, TileLoop,
    TileStmt, ValueDecl, ValueId, VarDecl, VarId, WorkDecl, WorkId,
};
use crate::lower::func::Reduce;
use crate::lower::gap::{Gap, Made};
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use crate::soc::Chip;
use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;

/// Replaces cross-core accumulators by parts of blocks. Returns true if there was one.
pub fn run(body: &mut Body, sig: &Signature, binding: &Binding<'_>, chip: &Chip) -> Made<bool> {
    let mut found = Vec::new();
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Def {
            value,
            expr: TileExpr::Across { op, init },
        }) = &s.kind
        {
            found.push((*value, *op, init.clone(), s.span));
        }
    });
    if found.is_empty() {
        return Ok(false);
    }
    let mut reductions = Vec::new();
    for (value, op, init, span) in found {
        let lanes = chip.data_block_bytes / binding.bytes(body.values[value.index()].dtype);
        let (Some(neutral), Some(step)) = (Reduce::of(op), op.step()) else {
            return Err(Gap::new(
                format!("`{}` over the cores", Op::AxisReduce(op).name()),
                span,
            ));
        };
        let neutral = neutral.begin(binding, body.values[value.index()].dtype);
        reductions.push(CrossCore::new(
            body,
            Authored {
                value,
                op,
                neutral,
                step,
                init,
                span,
                lanes,
            },
        )?);
    }
    let stmts = std::mem::take(&mut body.stmts);
    let mut rewrite = Rewrite {
        body,
        sig,
        reductions: &reductions,
    };
    body.stmts = rewrite.list(stmts, &mut BTreeMap::new())?;
    Ok(true)
}

/// Replaces one scalar by another everywhere in a body: in statements, axes and workspaces.
pub fn exchange(body: &mut Body, from: &Scalar, to: &Scalar) {
    let exchange = |s: &mut Scalar| *s = s.replace(&|n| (n == from).then(|| to.clone()));
    walk_stmts_mut(&mut body.stmts, &mut |s| {
        s.scalars_mut(&mut |scalar| exchange(scalar))
    });
    body.works
        .iter_mut()
        .for_each(|work| exchange(&mut work.len));
    for axis in &mut body.axes {
        if let AxFrom::Whole { extent } = &mut axis.from {
            exchange(extent);
        }
    }
}

/// A reduction as its author wrote it.
struct Authored {
    value: ValueId,
    op: AxisReduceOp,
    /// The neutral value of the reduction.
    neutral: Scalar,
    /// The op that combines two values.
    step: BinaryOp,
    init: Scalar,
    span: SpanId,
    /// Elements of a data block.
    lanes: i64,
}

/// A reduction with its workspaces.
struct CrossCore {
    over: Authored,
    /// The workspace where each block stores its part.
    work: WorkId,
    /// The workspace of the result, for a value with axes.
    whole: Option<WorkId>,
    /// The axes of a part: those of the value. A value without axes is copied over one data block.
    axes: Vec<AxId>,
}

/// The accessed range along each axis of a part: an axis, whole or a run, and its first index.
type Along = Vec<(AxId, Scalar)>;

fn variable(body: &mut Body, sig: &Signature, name: &str) -> VarId {
    let taken = |n: &str| {
        body.vars.iter().any(|v| v.name == n) || sig.tensors().any(|(_, p, _, _)| p.name == n)
    };
    let name = unique(name, taken);
    body.add_var(VarDecl {
        name,
        ty: ScalarTy::Index,
        mutable: false,
    })
}

fn new_axis(body: &mut Body, name: &str, from: AxFrom) -> AxId {
    body.add_axis(AxDecl {
        name: name.to_string(),
        from,
    })
}

fn extent(body: &Body, ax: AxId) -> Made<Scalar> {
    match &body.axes[ax.index()].from {
        AxFrom::Whole { extent } => Ok(extent.clone()),
        AxFrom::Run { .. } | AxFrom::Hull { .. } => {
            Err(Gap::of_kernel("a value over the cores along a run"))
        }
    }
}

/// For each reduction, the value that holds its result in the current statements.
type Wholes = BTreeMap<ValueId, ValueId>;

/// The walk over lists that hold tile loops.
struct Rewrite<'a> {
    body: &'a mut Body,
    sig: &'a Signature,
    reductions: &'a [CrossCore],
}

impl Rewrite<'_> {
    fn list(&mut self, stmts: Vec<Stmt>, wholes: &mut Wholes) -> Made<Vec<Stmt>> {
        let (mut out, mut open) = (Vec::with_capacity(stmts.len()), Vec::new());
        for mut s in stmts {
            match &s.kind {
                StmtKind::Do(TileStmt::Def {
                    expr: TileExpr::Across { .. },
                    ..
                }) => {}
                StmtKind::Do(TileStmt::Loop { .. }) => {
                    open.push(s);
                    self.phase(std::mem::take(&mut open), wholes, &mut out)?;
                }
                StmtKind::For { .. } | StmtKind::If { .. }
                    if !outer_loops(from_ref(&s)).is_empty() =>
                {
                    self.phase(std::mem::take(&mut open), wholes, &mut out)?;
                    for inner in s.children_mut().into_iter().flatten() {
                        *inner = self.list(std::mem::take(inner), &mut wholes.clone())?;
                    }
                    out.push(s);
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
        self.phase(open, wholes, &mut out)?;
        Ok(out)
    }

    /// Rewrites a loop with the statements before it, or the statements behind the last loop.
    fn phase(
        &mut self,
        mut phase: Vec<Stmt>,
        wholes: &mut Wholes,
        out: &mut Vec<Stmt>,
    ) -> Made<()> {
        let mut behind = Vec::new();
        for reduction in self.reductions {
            let value = reduction.over.value;
            let (mut sets, mut reads) = (false, BTreeSet::new());
            walk_stmts(&phase, &mut |s| {
                sets |= matches!(&s.kind, StmtKind::Do(TileStmt::Set { value: set, .. }) if *set == value);
                uses(s, &mut reads);
            });
            if sets {
                reduction.merge(self.body, &mut phase)?;
                wholes.remove(&value);
                behind.extend(reduction.whole_loop(self.body, self.sig)?);
            } else if packs(&phase, value) {
                reduction.counted(self.body, &mut phase)?;
            } else if reads.contains(&value) {
                let whole = match (wholes.get(&value), reduction.whole) {
                    (Some(whole), _) => *whole,
                    (None, work) => {
                        let (stmts, whole) = match work {
                            None => reduction.reduced(self.body, &reduction.all())?,
                            Some(work) => reduction.kept(self.body, work)?,
                        };
                        phase.splice(0..0, stmts);
                        wholes.insert(value, whole);
                        whole
                    }
                };
                rename(&mut phase, &BTreeMap::from([(value, whole)]));
            }
        }
        out.extend(phase.into_iter().chain(behind));
        Ok(())
    }
}

/// Returns the sizes of the parts; each begins at a data block.
fn parts(extents: &[Scalar], lanes: i64) -> Vec<Scalar> {
    let mut dims = vec![Scalar::BlockDim];
    dims.extend(extents.iter().cloned());
    if let Some(last) = dims.last_mut() {
        *last = last.clone().align_up(lanes);
    }
    dims
}

impl CrossCore {
    fn new(body: &mut Body, over: Authored) -> Made<CrossCore> {
        let decl = body.values[over.value.index()].clone();
        let (lanes, span) = (over.lanes, over.span);
        let mut axes: Vec<AxId> = decl.axes.iter().collect();
        if axes.is_empty() {
            axes.push(new_axis(
                body,
                "copies",
                AxFrom::Whole {
                    extent: Scalar::Int(lanes),
                },
            ));
        }
        let extents = axes
            .iter()
            .map(|ax| extent(body, *ax))
            .collect::<Made<Vec<Scalar>>>()?;
        let mut new_work = |name: &str, dims: Vec<Scalar>| {
            let (name, len) = (format!("{}_{name}", decl.name), product(dims));
            body.add_work(WorkDecl {
                name,
                dtype: decl.dtype,
                len,
                at: Scalar::Int(0),
                span,
            })
        };
        let work = new_work("parts", parts(&extents, lanes));
        let whole = (!decl.axes.is_empty()).then(|| new_work("whole", extents));
        Ok(CrossCore {
            over,
            work,
            whole,
            axes,
        })
    }

    /// Gives appends the counts of all blocks, so that a block begins behind those before it.
    fn counted(&self, body: &mut Body, phase: &mut Vec<Stmt>) -> Made<()> {
        let Authored { value, span, .. } = self.over;
        let decl = body.values[value.index()].clone();
        let blocks = new_axis(
            body,
            "blocks",
            AxFrom::Whole {
                extent: Scalar::BlockDim,
            },
        );
        let from = self.place(body, Index::along(blocks, 0), &self.all())?;
        let axes = Axes::from([blocks]).union(&self.axes.iter().copied().collect());
        let decl = ValueDecl {
            name: format!("{}_parts", decl.name),
            axes,
            mutable: false,
            ..decl
        };
        let parts = body.add_value(decl);
        phase.insert(
            0,
            Stmt {
                kind: StmtKind::Do(TileStmt::Def {
                    value: parts,
                    expr: TileExpr::Load { from },
                }),
                span,
            },
        );
        rename(phase, &BTreeMap::from([(value, parts)]));
        Ok(())
    }

    /// Makes the loop that reduces the parts of a value with axes.
    fn whole_loop(&self, body: &mut Body, sig: &Signature) -> Made<Option<Stmt>> {
        let Some(work) = self.whole else {
            return Ok(None);
        };
        let id = body.next_loop();
        let (mut specs, mut along) = (Vec::new(), Along::new());
        for of in self.axes.iter().copied() {
            let name = format!("{}_part", body.axes[of.index()].name);
            let [start, len] =
                ["start", "len"].map(|of| variable(body, sig, &format!("{name}_{of}")));
            let ax = new_axis(body, &name, AxFrom::Run { of: id });
            specs.push(AxSpec {
                ax,
                of,
                start,
                len,
                size: RunSize::Solved {},
                length: None,
            });
            along.push((ax, start.into()));
        }
        let (mut stmts, whole) = self.reduced(body, &along)?;
        let to = Access::new(work.into(), self.extents(body)?, indices(&along));
        let span = self.over.span;
        stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Store {
                to,
                value: whole,
                how: StoreHow::Plain,
            }),
            span,
        });
        let tile = TileLoop {
            id,
            specs,
            buffer_num: None,
            block_dim: None,
            exact: false,
            any_cut: false,
            split: None,
            body: stmts,
        };
        Ok(Some(Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile }),
            span,
        }))
    }

    /// Returns the range of a whole part.
    fn all(&self) -> Along {
        self.axes.iter().map(|ax| (*ax, Scalar::Int(0))).collect()
    }

    fn extents(&self, body: &Body) -> Made<Vec<Scalar>> {
        self.axes.iter().map(|ax| extent(body, *ax)).collect()
    }

    /// Returns the place of the parts of one block, or of all blocks.
    fn place(&self, body: &Body, block: Index, along: &Along) -> Made<Access> {
        let index = std::iter::once(block).chain(indices(along)).collect();
        Ok(Access::new(
            self.work.into(),
            parts(&self.extents(body)?, self.over.lanes),
            index,
        ))
    }

    /// Lets the loop of a phase accumulate into the block's own part, and stores that behind the
    /// loop.
    fn merge(&self, body: &mut Body, phase: &mut Vec<Stmt>) -> Made<()> {
        let Authored {
            value,
            span,
            neutral,
            ..
        } = &self.over;
        let (value, span) = (*value, *span);
        let decl = body.values[value.index()].clone();
        let own = body.add_value(ValueDecl {
            name: format!("{}_own", decl.name),
            ..decl.clone()
        });
        rename(phase, &BTreeMap::from([(value, own)]));
        let begin = Stmt {
            kind: StmtKind::Do(TileStmt::Def {
                value: own,
                expr: TileExpr::Fill {
                    value: neutral.clone(),
                },
            }),
            span,
        };
        let at = phase
            .iter()
            .position(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })))
            .unwrap_or(0);
        phase.insert(at, begin);
        let mut left = own;
        if decl.axes.is_empty() {
            let axes: Axes = self.axes.iter().copied().collect();
            left = body.add_value(ValueDecl {
                name: format!("{}_copies", decl.name),
                axes,
                mutable: false,
                ..decl
            });
            phase.push(Stmt {
                kind: StmtKind::Do(TileStmt::Def {
                    value: left,
                    expr: TileExpr::Copy { value: own },
                }),
                span,
            });
        }
        let to = self.place(body, Index::at(Scalar::BlockIdx), &self.all())?;
        phase.push(Stmt {
            kind: StmtKind::Do(TileStmt::Store {
                to,
                value: left,
                how: StoreHow::Plain,
            }),
            span,
        });
        Ok(())
    }

    /// Loads the result from its workspace.
    fn kept(&self, body: &mut Body, work: WorkId) -> Made<(Vec<Stmt>, ValueId)> {
        let from = Access::new(work.into(), self.extents(body)?, indices(&self.all()));
        let decl = body.values[self.over.value.index()].clone();
        let whole = body.add_value(ValueDecl {
            name: format!("{}_whole", decl.name),
            mutable: false,
            ..decl
        });
        let kind = StmtKind::Do(TileStmt::Def {
            value: whole,
            expr: TileExpr::Load { from },
        });
        Ok((
            vec![Stmt {
                kind,
                span: self.over.span,
            }],
            whole,
        ))
    }

    /// Reduces the parts of all blocks along some axes.
    fn reduced(&self, body: &mut Body, along: &Along) -> Made<(Vec<Stmt>, ValueId)> {
        let Authored {
            value,
            op,
            neutral,
            step,
            init,
            span,
            ..
        } = &self.over;
        let decl = ValueDecl {
            mutable: false,
            ..body.values[value.index()].clone()
        };
        let blocks = new_axis(
            body,
            "blocks",
            AxFrom::Whole {
                extent: Scalar::BlockDim,
            },
        );
        let from = self.place(body, Index::along(blocks, 0), along)?;
        let mut stmts = Vec::new();
        let mut def = |name: &str, axes: Axes, expr: TileExpr| {
            let value = body.add_value(ValueDecl {
                name: format!("{}_{name}", decl.name),
                axes,
                ..decl.clone()
            });
            stmts.push(Stmt {
                kind: StmtKind::Do(TileStmt::Def { value, expr }),
                span: *span,
            });
            value
        };
        let own: Axes = along.iter().map(|(ax, _)| *ax).collect();
        let parts = def(
            "parts",
            own.union(&Axes::from([blocks])),
            TileExpr::Load { from },
        );
        let mut all = def(
            "all",
            own.clone(),
            TileExpr::reduction(*op, parts, Axes::from([blocks])),
        );
        if decl.axes.is_empty() {
            // All copies of the number are equal, so the largest is the number.
            all = def(
                "one",
                Axes::default(),
                TileExpr::reduction(AxisReduceOp::Max, all, own.clone()),
            );
        }
        let own = if decl.axes.is_empty() {
            Axes::default()
        } else {
            own
        };
        // Every block began with this value already.
        if init == neutral {
            return Ok((stmts, all));
        }
        let args = vec![
            Operand::Value { value: all },
            Operand::Scalar {
                value: init.clone(),
            },
        ];
        let whole = def(
            "whole",
            own,
            TileExpr::Op {
                op: Op::Binary(*step),
                args,
            },
        );
        Ok((stmts, whole))
    }
}

/// True if statements append by these counts.
fn packs(stmts: &[Stmt], by: ValueId) -> bool {
    let mut found = false;
    walk_stmts(
        stmts,
        &mut |s| found |= matches!(&s.kind, StmtKind::Do(TileStmt::Append { counts: Some(counts), .. }) if *counts == by),
    );
    found
}

fn indices(along: &Along) -> Vec<Index> {
    along
        .iter()
        .map(|(ax, first)| Index::along(*ax, first.clone()))
        .collect()
}
