//! Lowers kernels of the queue level. The author wrote the device side; the split, the solver and
//! the host scalars are left.

use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    BinOp, Case, ChipFact, HostCall, HostStep, Instr, Kernel, QueueStmt, Scalar, ScalarTy, SpanId,
    Stage, StmtKind, VarId, Variant,
};
use crate::lower::body::variant;
use crate::lower::gap::{Gap, Made};
use crate::lower::host::core_split::CoreSplit;
use crate::lower::host::require;
use crate::lower::host::workspace;
use crate::lower::host::Host;
use crate::lower::lowering::{Lowering, Plan, Size, SizeKind};
use crate::lower::tile::normalize;
use crate::lower::type_queries::Binding;
use crate::ops::contract::Elem;
use crate::soc::Chip;

/// Lowers a kernel of the queue level: its body stays, its host side is made.
pub fn lower(
    kernel: &Kernel,
    instance: usize,
    binding: &Binding<'_>,
    body: &Body,
    chip: &'static Chip,
) -> Made<Lowering> {
    let mut body = body.clone();
    normalize::resolve_sizes(&mut body, binding);
    let mut host = Host::new(kernel, binding, chip, body.vars.clone());
    let mut splits = 0;
    body.walk(&mut |s| {
        splits += usize::from(matches!(
            s.kind,
            StmtKind::Do(QueueStmt::Host {
                call: HostCall::Split { .. }
            })
        ))
    });
    let (parts, cores, sizes) = Default::default();
    let mut walk = QueueLevel {
        host: &mut host,
        body: &body,
        splits,
        parts,
        cores,
        sizes,
        solve: None,
    };
    let mut stmts = Vec::new();
    for s in &body.stmts {
        walk.statement(s, &mut stmts)?;
    }
    let QueueLevel {
        parts,
        sizes,
        solve,
        cores,
        ..
    } = walk;
    // Without a number from the author, the host launches no more blocks than there are cores.
    let is_within_cores = cores.is_none_or(|cores| cores.as_int() == Some(1));
    let mut out = Body { stmts, ..body };
    for q in &mut out.queues {
        q.bytes = device_size(&mut host, &q.bytes);
        q.buffer_num = host.inline(&q.buffer_num);
    }
    for b in &mut out.bufs {
        b.bytes = device_size(&mut host, &b.bytes);
    }
    // In the formula of the solved size, the author's host variables are replaced by their
    // definitions.
    let mut formula = out.clone();
    formula
        .queues
        .iter_mut()
        .for_each(|q| q.bytes = host.inline(&q.bytes));
    formula
        .bufs
        .iter_mut()
        .for_each(|b| b.bytes = host.inline(&b.bytes));
    let bytes = host.footprint(&formula);
    let limit = chip.ub_usable();
    let mut steps = std::mem::take(&mut host.steps);
    match solve {
        Some(Solve {
            at,
            var,
            step,
            max,
            span,
        }) => {
            formula_is_closed(&host, &steps[..at], var, &bytes, span)?;
            steps.insert(
                at,
                HostStep::Solve {
                    var,
                    step,
                    max,
                    bytes: bytes.clone(),
                    limit,
                },
            );
            steps.insert(
                at + 1,
                require(
                    Scalar::Var(var).bin(BinOp::Gt, 0),
                    "not even the smallest tile fits in UB",
                ),
            );
        }
        None => steps.push(HostStep::Fits {
            bytes: bytes.clone(),
            limit,
            given: None,
        }),
    }
    host.steps = steps;
    let uses_blocks = mentions_blocks(&out);
    let block_dim = match parts.first() {
        Some(s) => s.block_dim.into(),
        None if uses_blocks => Scalar::Chip(ChipFact::VectorCores),
        None => Scalar::Int(1),
    };
    if out.meets() && !is_within_cores {
        host.steps.push(require(
            block_dim.clone().bin(BinOp::Le, Scalar::Chip(ChipFact::VectorCores)),
            "blocks that wait for one another must run at once: there are more of them than vector cores",
        ));
    }
    let workspace = workspace::place(&mut host, &mut out.works, &block_dim);
    let fields = variant::fields(&host, &out);
    let variant = Variant {
        name: "queue".into(),
        case: 0,
        when: Scalar::Bool(true),
        steps: Vec::new(),
        block_dim,
        workspace,
        fields,
        known: std::mem::take(&mut host.known_vars),
        memory: out.memory(),
        once: Vec::new(),
        body: Body {
            vars: host.vars.clone(),
            ..out
        },
    };
    let variants = vec![(
        variant,
        Plan {
            bytes,
            sizes,
            row_pitch: None,
        },
    )];
    Ok(Lowering::of_case(
        kernel,
        instance,
        chip,
        Case::only(host.steps, host.vars),
        Vec::new(),
        variants,
    ))
}

/// Refuses a footprint that depends on a variable which the host computes only after solving for
/// the tile (J0601). Its definition was too long to be substituted.
fn formula_is_closed(
    host: &Host<'_>,
    before: &[HostStep],
    tile: VarId,
    bytes: &Scalar,
    span: SpanId,
) -> Made<()> {
    let known = |v: VarId| {
        v == tile
            || before
                .iter()
                .any(|step| matches!(step, HostStep::Let { var, .. } if *var == v))
    };
    let mut late = None;
    bytes.walk(&mut |s| {
        if let Scalar::Var(v) = s {
            late = late.or(Some(*v).filter(|v| !known(*v)));
        }
    });
    late.map_or(Ok(()), |late| {
        Err(Gap::too_long(&host.vars[late.index()].name, span))
    })
}

/// Returns a buffer size for the device, where buffers are set up; its host parts become tiling
/// data.
fn device_size(host: &mut Host<'_>, bytes: &Scalar) -> Scalar {
    host.on_device(bytes, "buffer_bytes")
}

fn mentions_blocks(body: &Body) -> bool {
    let mut found = false;
    body.walk(&mut |s| {
        s.scalars(&mut |e| {
            e.walk(&mut |n| found |= matches!(n, Scalar::BlockIdx | Scalar::BlockDim))
        });
    });
    body.works
        .iter()
        .for_each(|w| w.len.walk(&mut |n| found |= matches!(n, Scalar::BlockDim)));
    found
}

struct QueueLevel<'h, 'a> {
    host: &'h mut Host<'a>,
    body: &'h Body,
    /// The number of `split`s in the kernel.
    splits: usize,
    parts: Vec<CoreSplit>,
    /// The block dim that the author gave.
    cores: Option<Scalar>,
    sizes: Vec<Size>,
    solve: Option<Solve>,
}

/// The size to solve for.
struct Solve {
    /// The position of its step among the others.
    at: usize,
    var: VarId,
    /// The granularity of the size.
    step: i64,
    /// The largest useful value.
    max: Scalar,
    span: SpanId,
}

impl QueueLevel<'_, '_> {
    fn statement(&mut self, s: &Stmt, out: &mut Vec<Stmt>) -> Made<()> {
        match &s.kind {
            StmtKind::Do(QueueStmt::Host {
                call:
                    HostCall::Split {
                        start,
                        len,
                        total,
                        unit,
                        block_dim,
                    },
            }) => {
                let total = self
                    .host
                    .define("total_length", ScalarTy::Index, total.clone());
                let unit = self.unit(unit, s.span)?;
                self.cores = self.cores.take().or_else(|| block_dim.clone());
                let split = if self.splits == 1 {
                    CoreSplit::divide(self.host, total, Scalar::Int(unit), self.cores.as_ref())
                } else {
                    let first = self.parts.first().map(|p| p.block_dim);
                    let dim =
                        first.unwrap_or_else(|| self.host.fresh("block_dim", ScalarTy::Index));
                    CoreSplit::part(self.host, total, unit, dim)
                };
                split.share_into(self.host, *start, *len, s.span, out);
                self.parts.push(split);
                if self.splits > 1 && self.parts.len() == self.splits {
                    CoreSplit::divide_all(self.host, &self.parts, self.cores.as_ref());
                }
            }
            StmtKind::Do(QueueStmt::Host {
                call: HostCall::FitTile { var, unit },
            }) => {
                let step = self.unit(unit, s.span)?;
                // Before the last `split`, the block dim and the longest share are unknown.
                let known = if self.parts.len() == self.splits {
                    self.parts.as_slice()
                } else {
                    &[]
                };
                let longest = known
                    .iter()
                    .map(|part| part.longest(self.host))
                    .reduce(|a, b| a.max(b));
                let max = longest.map_or(Scalar::Int(self.host.chip.ub_usable()), |longest| {
                    longest.ceil_div(2)
                });
                self.host.mark_field(*var);
                self.host.multiples.insert(*var, step);
                self.sizes.push(Size {
                    var: *var,
                    kind: SizeKind::TileLength,
                    step,
                    unit: step,
                    given: None,
                });
                self.solve = Some(Solve {
                    at: self.host.steps.len(),
                    var: *var,
                    step,
                    max,
                    span: s.span,
                });
            }
            StmtKind::LetScalar { var, value }
                if !self.host.vars[var.index()].mutable
                    && self.host.stage(value) <= Stage::Host =>
            {
                self.host.define_as(*var, value.clone());
                let multiple = self.host.multiple_of(&self.host.inline(value));
                self.host.multiples.insert(*var, multiple);
            }
            // Everything else runs on the device already; its scalars read the tiling data.
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Queue { .. }
                | QueueStmt::Get { .. }
                | QueueStmt::View { .. }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. }
                | QueueStmt::Instr { .. },
            ) => {
                let mut s = s.clone();
                for list in s.children_mut().into_iter().flatten() {
                    let mut inner = Vec::with_capacity(list.len());
                    list.iter()
                        .try_for_each(|s| self.statement(s, &mut inner))?;
                    *list = inner;
                }
                s.scalars_mut(&mut |e| *e = self.host.on_device(e, "scalar"));
                if let StmtKind::Do(QueueStmt::Instr { instr }) = &mut s.kind {
                    self.convert_number(instr, s.span)?;
                }
                out.push(s);
            }
            StmtKind::Do(QueueStmt::Call { .. }) => {
                return Err(Gap::new("a call of a function before lowering", s.span))
            }
        }
        Ok(())
    }

    /// Returns a granularity. The checker has found it to be a number; if it reported an error, it
    /// is 1.
    fn unit(&self, unit: &Scalar, span: SpanId) -> Made<i64> {
        let known = self.host.inline(unit).as_int();
        known
            .map(|n| n.max(1))
            .ok_or_else(|| Gap::new("a unit that is not known before the launch", span))
    }

    /// Converts the number of a call. Where the kernel leaves open if elements are floats or
    /// integers, its scalars are integers until the instance is known.
    fn convert_number(&self, instr: &mut Instr, span: SpanId) -> Made<()> {
        let own = instr
            .views()
            .find(|(rule, _)| rule.elem == Elem::Own)
            .map(|(_, view)| view.ty(&self.host.kernel.sig, self.body));
        let Some(number) = instr.number_mut() else {
            return Ok(());
        };
        let ty = self
            .host
            .binding
            .beside(own.ok_or_else(|| Gap::new("a number beside no tensor", span))?);
        *number = Scalar::cast(ty, number.clone());
        Ok(())
    }
}
