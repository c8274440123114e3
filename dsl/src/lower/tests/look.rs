//! What the laws see of kernels: the one place that knows how statements look.

use crate::front::parse_file;
use crate::ir::{
    Body, Extent, Instr, Kernel, Layout, Operand, ParamId, QueueId, Scalar, Signature, Stmt, StmtKind, TileExpr, Variant, View,
};
use crate::lower::{lower, Lowering};
use crate::ops::contract::{Access, Pipe};
use crate::soc::Chip;
use crate::tiling::{eval, Env, Tiling, Value};

/// The first kernel of a text.
pub fn kernel(text: &str) -> Kernel {
    let parsed = parse_file(text).unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message)).remove(0);
    parsed.kernel.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

/// A kernel lowered for each of its instances on a chip.
pub fn lowerings(kernel: &Kernel, chip: &'static Chip) -> Vec<Lowering> {
    let instances = 0..kernel.sig.instances.len();
    instances.map(|i| lower(kernel, i, chip).expect("a kernel that lowers")).collect()
}

/// What one statement does to queues and to GM.
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

pub fn seen(stmts: &[Stmt]) -> Vec<Seen> {
    let mut out = Vec::new();
    for s in stmts {
        match &s.kind {
            StmtKind::Alloc { queue, .. } => out.push(Seen::Alloc(*queue)),
            StmtKind::Enque { queue, .. } => out.push(Seen::Enque(*queue)),
            StmtKind::Deque { queue, .. } => out.push(Seen::Deque(*queue)),
            StmtKind::Free { queue, .. } => out.push(Seen::Free(*queue)),
            StmtKind::Instr { instr } => {
                let gm = |access| instr.accessed(access).find_map(View::param);
                out.push(match (gm(Access::Read), gm(Access::Write), instr.op.contract().pipe) {
                    (Some(param), _, _) => Seen::Load(param),
                    (_, Some(param), _) => Seen::Store(param),
                    (_, _, Pipe::V) if instr.dst().is_some() => Seen::Compute,
                    _ => continue,
                });
            }
            StmtKind::For { body, .. } => out.push(Seen::Inside(seen(body))),
            StmtKind::If { then, other, .. } => out.extend([Seen::Inside(seen(then)), Seen::Inside(seen(other))]),
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

/// One copy of a row to GM: which block, which tensor, the elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub block: i64,
    pub param: ParamId,
    pub from: i64,
    pub len: i64,
}

/// Everything that a launch stores, block by block.
pub fn stored(variant: &Variant, tiling: &Tiling, dims: &[i64], attrs: &[Option<Value>], chip: &Chip) -> Vec<Stored> {
    let mut out = Vec::new();
    for block in 0..tiling.block_dim {
        let block_of = Some((block, tiling.block_dim));
        let mut core = Core { env: Env { dims, attrs, chip, vars: tiling.vars.clone(), block: block_of }, block, out: &mut out };
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
        eval(s, &self.env).and_then(Value::as_int).expect("a whole number")
    }

    fn run(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            match &s.kind {
                StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                    let value = eval(value, &self.env).expect("a scalar");
                    self.env.set(*var, value);
                }
                StmtKind::For { var, from, to, body } => {
                    for i in self.int(from)..self.int(to) {
                        self.env.set(*var, Value::Int(i));
                        self.run(body);
                    }
                }
                StmtKind::If { cond, then, other } => {
                    let holds = eval(cond, &self.env).and_then(Value::as_bool).expect("a condition");
                    self.run(if holds { then } else { other });
                }
                StmtKind::Instr { instr } => {
                    let stores = instr.accessed(Access::Write).filter_map(|v| Some((v, v.param()?)));
                    let found: Vec<Stored> = stores.flat_map(|(view, param)| self.rows(instr, view, param)).collect();
                    self.out.extend(found);
                }
                _ => {}
            }
        }
    }
}

impl Core<'_> {
    fn rows(&self, instr: &Instr, view: &View, param: ParamId) -> Vec<Stored> {
        let Extent::Rows { rows, cols } = &instr.extent else { panic!("a store without rows: {instr:?}") };
        let (from, len) = (self.int(&view.offset), self.int(cols));
        let stride = match &view.layout {
            Layout::Rows { pitch } => self.int(pitch),
            Layout::Dense {} | Layout::Blocks { .. } => len,
        };
        (0..self.int(rows)).map(|r| Stored { block: self.block, param, from: from + r * stride, len }).collect()
    }
}

/// A body of the tile dialect in words: `for { load x; exp; store y }`.
pub fn words(sig: &Signature, body: &Body) -> String {
    list(sig, &body.stmts)
}

fn list(sig: &Signature, stmts: &[Stmt]) -> String {
    stmts.iter().map(|s| word(sig, s)).collect::<Vec<_>>().join("; ")
}

fn word(sig: &Signature, s: &Stmt) -> String {
    match &s.kind {
        StmtKind::Loop { tile } => format!("loop {{ {} }}", list(sig, &tile.body)),
        StmtKind::For { body, .. } => format!("for {{ {} }}", list(sig, body)),
        StmtKind::If { then, other, .. } => format!("if {{ {} }} else {{ {} }}", list(sig, then), list(sig, other)),
        StmtKind::LetScalar { .. } => "let".to_string(),
        StmtKind::SetScalar { .. } | StmtKind::Set { .. } => "set".to_string(),
        StmtKind::Store { param, .. } => format!("store {}", sig.param(*param).name),
        StmtKind::Def { expr, .. } => match expr {
            TileExpr::Load { param, .. } => format!("load {}", sig.param(*param).name),
            TileExpr::Fill { .. } => "fill".to_string(),
            TileExpr::Cast { .. } => "cast".to_string(),
            TileExpr::Round { .. } => "round".to_string(),
            TileExpr::Copy { .. } => "copy".to_string(),
            TileExpr::Op { op, args } => {
                let scalars = args.iter().filter(|a| matches!(a, Operand::Scalar { .. })).count();
                format!("{}{}", op.name(), "*".repeat(scalars))
            }
        },
        other => panic!("no statement of a tile kernel: {other:?}"),
    }
}
