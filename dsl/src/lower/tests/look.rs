//! Views of lowered kernels for the laws: the only place that knows the shape of statements.

use crate::front::parse_file;
use crate::ir::{
    queue, tile, Extent, Instr, Kernel, Layout, Operand, ParamId, QueueId, QueueOp, QueueStmt,
    Scalar, Signature, StmtKind, TileExpr, TileStmt, VarId, Variant, View,
};
use crate::lower::{lower, Lowering, Plan};
use crate::ops::contract::{Access, Pipe};
use crate::soc::Chip;
use crate::tiling::{eval, Env, Tiling, Value};
use std::collections::BTreeSet;

/// Parses the first kernel of a text.
pub fn kernel(text: &str) -> Kernel {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message))
        .remove(0);
    parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

/// Lowers a kernel for each of its instances on a chip.
pub fn lowerings(kernel: &Kernel, chip: &'static Chip) -> Vec<Lowering> {
    let instances = 0..kernel.sig.instances.len();
    instances
        .map(|i| lower(kernel, i, chip).expect("a kernel that lowers"))
        .collect()
}

/// The effect of one statement on queues and GM.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    Alloc(QueueId),
    Enque(QueueId),
    Deque(QueueId),
    Free(QueueId),
    Load(ParamId),
    Store(ParamId),
    Compute,
    /// A list of statements inside.
    Inside(Vec<Seen>),
}

pub fn seen(stmts: &[queue::Stmt]) -> Vec<Seen> {
    let mut out = Vec::new();
    for s in stmts {
        match &s.kind {
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                queue,
                ..
            }) => out.push(Seen::Alloc(*queue)),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                queue,
                ..
            }) => out.push(Seen::Enque(*queue)),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                queue,
                ..
            }) => out.push(Seen::Deque(*queue)),
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                queue,
                ..
            }) => out.push(Seen::Free(*queue)),
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                let gm = |access| instr.accessed(access).find_map(View::param);
                out.push(
                    match (
                        gm(Access::Read),
                        gm(Access::Write),
                        instr.op.contract().pipe,
                    ) {
                        (Some(param), _, _) => Seen::Load(param),
                        (_, Some(param), _) => Seen::Store(param),
                        (_, _, Pipe::V) if instr.dst().is_some() => Seen::Compute,
                        _ => continue,
                    },
                );
            }
            StmtKind::Do(QueueStmt::Call { .. }) => out.push(Seen::Compute),
            StmtKind::For { body, .. } => out.push(Seen::Inside(seen(body))),
            StmtKind::If { then, other, .. } => {
                out.extend([Seen::Inside(seen(then)), Seen::Inside(seen(other))])
            }
            _ => {}
        }
    }
    out
}

/// Calls `f` on every list of statements.
pub fn each_list(list: &[Seen], f: &mut impl FnMut(&[Seen])) {
    f(list);
    for s in list {
        if let Seen::Inside(inner) = s {
            each_list(inner, f);
        }
    }
}

/// A copied row in GM: its block, its tensor and its elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub block: i64,
    pub param: ParamId,
    pub from: i64,
    pub len: i64,
}

/// Returns everything that a launch stores, block by block.
pub fn stored(
    variant: &Variant,
    tiling: &Tiling,
    dims: &[i64],
    attrs: &[Option<Value>],
    chip: &Chip,
) -> Vec<Stored> {
    let mut out = Vec::new();
    for block in 0..tiling.block_dim {
        let block_of = Some((block, tiling.block_dim));
        let mut core = Core {
            env: Env {
                dims,
                attrs,
                chip,
                vars: tiling.vars.clone(),
                block: block_of,
            },
            block,
            out: &mut out,
        };
        core.run(&variant.body.stmts);
    }
    out
}

struct Core<'a> {
    env: Env<'a>,
    block: i64,
    out: &'a mut Vec<Stored>,
}

impl Core<'_> {
    fn int(&self, s: &Scalar) -> i64 {
        eval(s, &self.env)
            .and_then(Value::as_int)
            .expect("an integer")
    }

    fn run(&mut self, stmts: &[queue::Stmt]) {
        for s in stmts {
            match &s.kind {
                StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                    let value = eval(value, &self.env).expect("a scalar");
                    self.env.set(*var, value);
                }
                StmtKind::For {
                    var,
                    from,
                    to,
                    body,
                } => {
                    for i in self.int(from)..self.int(to) {
                        self.env.set(*var, Value::Int(i));
                        self.run(body);
                    }
                }
                StmtKind::If { cond, then, other } => {
                    let holds = eval(cond, &self.env)
                        .and_then(Value::as_bool)
                        .expect("a condition");
                    self.run(if holds { then } else { other });
                }
                StmtKind::Do(QueueStmt::Instr { instr }) => {
                    let stores = instr
                        .accessed(Access::Write)
                        .filter_map(|v| Some((v, v.param()?)));
                    let found: Vec<Stored> = stores
                        .flat_map(|(view, param)| self.rows(instr, view, param))
                        .collect();
                    self.out.extend(found);
                }
                _ => {}
            }
        }
    }
}

impl Core<'_> {
    fn rows(&self, instr: &Instr, view: &View, param: ParamId) -> Vec<Stored> {
        let Extent::Rows { rows, cols } = &instr.extent else {
            panic!("a store without rows: {instr:?}")
        };
        let (from, len) = (self.int(&view.offset), self.int(cols));
        let stride = match &view.layout {
            Layout::Rows { pitch } => self.int(pitch),
            Layout::Dense {} | Layout::Blocks { .. } | Layout::Results { .. } => len,
        };
        (0..self.int(rows))
            .map(|r| Stored {
                block: self.block,
                param,
                from: from + r * stride,
                len,
            })
            .collect()
    }
}

/// Renders a body of the tile dialect in words: `for { load x; exp; store y }`.
pub fn words(sig: &Signature, body: &tile::Body) -> String {
    list(sig, &body.stmts)
}

fn list(sig: &Signature, stmts: &[tile::Stmt]) -> String {
    stmts
        .iter()
        .map(|s| word(sig, s))
        .collect::<Vec<_>>()
        .join("; ")
}

fn tensor<'s>(sig: &'s Signature, access: &crate::ir::Access) -> &'s str {
    access
        .param()
        .map_or("workspace", |param| &sig.param(param).name)
}

fn word(sig: &Signature, s: &tile::Stmt) -> String {
    match &s.kind {
        StmtKind::Do(TileStmt::Loop { tile }) => format!("loop {{ {} }}", list(sig, &tile.body)),
        StmtKind::For { body, .. } => format!("for {{ {} }}", list(sig, body)),
        StmtKind::If { then, other, .. } => {
            format!(
                "if {{ {} }} else {{ {} }}",
                list(sig, then),
                list(sig, other)
            )
        }
        StmtKind::LetScalar { .. } => "let".to_string(),
        StmtKind::SetScalar { .. } | StmtKind::Do(TileStmt::Set { .. }) => "set".to_string(),
        StmtKind::Do(TileStmt::Store { to, .. }) => format!("store {}", tensor(sig, to)),
        StmtKind::Do(TileStmt::Append { to, .. }) => format!("append {}", tensor(sig, to)),
        StmtKind::Do(TileStmt::Def { expr, .. }) => match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                format!("load {}", tensor(sig, from))
            }
            TileExpr::Reduce { op, .. } => op.def().name.to_string(),
            TileExpr::Fill { .. } => "fill".to_string(),
            TileExpr::Iota { .. } => "iota".to_string(),
            TileExpr::Pick { .. } => "pick".to_string(),
            TileExpr::Top { .. } => "top".to_string(),
            TileExpr::Scan { .. } => "scan".to_string(),
            TileExpr::Across { .. } => "across".to_string(),
            TileExpr::Appended { .. } => "appended".to_string(),
            TileExpr::Cast { .. } | TileExpr::Truncate { .. } => "cast".to_string(),
            TileExpr::Round { .. } => "round".to_string(),
            TileExpr::Copy { .. } => "copy".to_string(),
            TileExpr::Op { op, args } => {
                let scalars = args
                    .iter()
                    .filter(|a| matches!(a, Operand::Scalar { .. }))
                    .count();
                format!("{}{}", op.name(), "*".repeat(scalars))
            }
        },
        other => panic!("no statement of a tile kernel: {other:?}"),
    }
}

/// The counts of [`cost`], in this order:
///
/// 1. blocks of all queues;
/// 2. TBufs;
/// 3. bytes of the smallest tile with rows of 64 elements;
/// 4. members of the tiling data;
/// 5. scalars that a core computes;
/// 6. calls of the vector pipe in the text;
/// 7. copies in the text;
/// 8. waits between pipes.
pub const COSTS: [&str; 8] = [
    "blocks", "bufs", "bytes", "fields", "scalars", "calls", "copies", "waits",
];

/// Counts the resources that a variant needs of a core.
pub fn cost(variant: &Variant, plan: &Plan) -> [i64; 8] {
    let body = &variant.body;
    let blocks = body
        .queues
        .iter()
        .map(|q| *q.buffers().expect("numbers").end())
        .sum();
    let smallest = |s: &Scalar| match s {
        // Rows of 64 elements leave room for all given buffers of queues.
        Scalar::Select(cond, several, _) if matches!(**cond, Scalar::Var(_)) => {
            Some((**several).clone())
        }
        Scalar::Var(v) => Some(
            plan.sizes
                .iter()
                .find(|size| size.var == *v)
                .map_or(64, |size| size.step)
                .into(),
        ),
        _ => None,
    };
    let bytes = plan
        .bytes
        .replace(&smallest)
        .as_int()
        .expect("a number of bytes");
    let (mut scalars, mut calls, mut copies, mut waits) = (0, 0, 0, 0);
    body.walk(&mut |s| match &s.kind {
        StmtKind::Do(QueueStmt::Instr { instr }) => {
            let gm = instr.views().any(|(_, view)| view.param().is_some());
            copies += i64::from(gm);
            calls += i64::from(!gm && instr.op.contract().pipe == Pipe::V);
        }
        StmtKind::Do(QueueStmt::Sync { .. }) => waits += 1,
        StmtKind::Do(QueueStmt::Call { .. }) => calls += 1,
        StmtKind::LetScalar { .. } => scalars += 1,
        _ => {}
    });
    [
        blocks,
        body.bufs.len() as i64,
        bytes,
        variant.fields.len() as i64,
        scalars,
        calls,
        copies,
        waits,
    ]
}

/// Returns the names that a variant or its host steps define and nothing reads.
pub fn idle(variant: &Variant) -> Vec<String> {
    let body = &variant.body;
    let (mut read, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut note = |s: &Scalar| {
        s.walk(&mut |n| {
            read.extend(if let Scalar::Var(v) = n {
                Some(*v)
            } else {
                None
            })
        })
    };
    body.walk(&mut |s| {
        s.scalars(&mut |e| note(e));
        s.tensors(&mut |t| _ = seen.insert(t));
        if let StmtKind::Do(QueueStmt::Queue {
            op: QueueOp::Deque,
            tensor,
            ..
        }) = s.kind
        {
            seen.insert(tensor);
        }
    });
    body.queues
        .iter()
        .for_each(|q| [&q.buffer_num, &q.bytes].into_iter().for_each(&mut note));
    body.bufs.iter().for_each(|b| note(&b.bytes));
    let on_core = read.clone();
    let mut idle = Vec::new();
    let name = |v: &VarId| body.vars[v.index()].name.clone();
    body.walk(&mut |s| {
        idle.extend(
            s.sets()
                .filter(|v| !on_core.contains(v) && !matches!(s.kind, StmtKind::For { .. }))
                .iter()
                .map(name),
        );
        idle.extend(
            s.defines()
                .filter(|t| !seen.contains(t))
                .map(|t| body.tensors[t.index()].name.clone()),
        );
    });
    let hints: BTreeSet<VarId> = variant.once.iter().map(|o| o.exceeds_l2).collect();
    idle.extend(
        variant
            .fields
            .iter()
            .filter(|v| !on_core.contains(v) && !hints.contains(v))
            .map(name),
    );
    idle
}
