//! Changes of a device function, one thing at a time.

use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{
    walk_stmts, walk_stmts_mut, Arg, BinOp, Extent, Func, Instr, Lanes, Layout, QueueStmt, Scalar,
    ScalarTy, StmtKind, UnOp,
};
use jumar_dsl::ops::contract::BLOCKS_PER_REPEAT;
use jumar_dsl::ops::{BinaryOp, Op, PartialOp};
use std::sync::Arc;

/// A function with one change.
pub struct Mutant {
    pub func: Func,
    /// The changed statement, or `None` where the contract was changed.
    pub statement: Option<usize>,
}

/// Every mutant of a function.
pub fn mutants(func: &Func) -> Vec<Mutant> {
    let mut all: Vec<Mutant> = contracts(func)
        .into_iter()
        .map(|func| Mutant {
            func,
            statement: None,
        })
        .collect();
    let mut number = 0;
    walk_stmts(&func.body.stmts, &mut |s| {
        for kind in kinds(s) {
            let (mut func, mut at) = (func.clone(), 0);
            walk_stmts_mut(&mut func.body.stmts, &mut |s| {
                if at == number {
                    s.kind = kind.clone();
                }
                at += 1;
            });
            all.push(Mutant {
                func,
                statement: Some(number),
            });
        }
        number += 1;
    });
    all
}

/// Drops a requirement, or declares a tensor with fewer elements than are touched.
fn contracts(func: &Func) -> Vec<Func> {
    let dropped = (0..func.requires.len()).map(|i| {
        let mut func = func.clone();
        func.requires.remove(i);
        func
    });
    let short = (0..func.tensors.len()).map(|i| {
        let mut func = func.clone();
        let elements = &mut func.tensors[i].elements;
        *elements = bin(BinOp::Sub, elements.clone(), Scalar::Int(1));
        func
    });
    dropped.chain(short).collect()
}

/// Returns the changes of a statement. Statements inside of it are changed on their own.
fn kinds(s: &Stmt) -> Vec<StmtKind<QueueStmt>> {
    let mut all = scalars(s);
    match &s.kind {
        StmtKind::Do(QueueStmt::Instr { instr }) => {
            all.push(nothing());
            all.extend(
                instrs(instr)
                    .into_iter()
                    .map(|instr| StmtKind::Do(QueueStmt::Instr { instr })),
            );
        }
        StmtKind::Do(QueueStmt::Call {
            func,
            tensors: given,
            scalars,
        }) => {
            all.push(nothing());
            let call = |tensors: &[_], scalars: &[_]| {
                StmtKind::Do(QueueStmt::Call {
                    func: *func,
                    tensors: tensors.to_vec(),
                    scalars: scalars.to_vec(),
                })
            };
            all.extend(swapped(given).iter().map(|given| call(given, scalars)));
            all.extend(swapped(scalars).iter().map(|scalars| call(given, scalars)));
        }
        StmtKind::If { then, other, .. } => {
            let taken = |value, stmts: &Vec<Stmt>, rest: &Vec<Stmt>| StmtKind::If {
                cond: Scalar::Bool(value),
                then: stmts.clone(),
                other: rest.clone(),
            };
            all.extend([true, false].map(|value| taken(value, then, other)));
        }
        _ => {}
    }
    all
}

/// Returns an empty statement.
fn nothing() -> StmtKind<QueueStmt> {
    StmtKind::If {
        cond: Scalar::Bool(false),
        then: Vec::new(),
        other: Vec::new(),
    }
}

/// Returns the list with two neighbours exchanged.
fn swapped<T: Clone + PartialEq>(list: &[T]) -> Vec<Vec<T>> {
    let pairs = (1..list.len()).filter(|i| list[i - 1] != list[*i]);
    pairs
        .map(|i| {
            let mut list = list.to_vec();
            list.swap(i - 1, i);
            list
        })
        .collect()
}

/// Returns an instruction with another op, exchanged operands, without strides, or with other
/// groups of lanes.
fn instrs(instr: &Instr) -> Vec<Instr> {
    let mut all: Vec<Instr> = other_op(instr.op)
        .map(|op| Instr {
            op,
            ..instr.clone()
        })
        .into_iter()
        .collect();
    let other = swapped(&instr.args)
        .into_iter()
        .filter(|args| views_lead(args) && !is_commuted(instr, args));
    all.extend(other.map(|args| Instr {
        args,
        ..instr.clone()
    }));
    for i in (0..instr.args.len()).filter(|i| has_strides(&instr.args[*i])) {
        let mut instr = instr.clone();
        if let Arg::View { view } = &mut instr.args[i] {
            view.layout = Layout::Dense {};
        }
        all.push(instr);
    }
    if let Extent::Repeat {
        mask:
            Lanes::Groups {
                from,
                to,
                of,
                groups,
            },
        repeat,
    } = &instr.extent
    {
        for of in [of / 2, of * 2] {
            let mask = Lanes::Groups {
                from: from.clone(),
                to: to.clone(),
                of,
                groups: groups.clone(),
            };
            all.push(Instr {
                extent: Extent::Repeat {
                    mask,
                    repeat: repeat.clone(),
                },
                ..instr.clone()
            });
        }
    }
    all
}

/// True if only the order of sources differs, in an op where it does not matter.
fn is_commuted(instr: &Instr, args: &[Arg]) -> bool {
    let commutes = matches!(
        instr.op,
        Op::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::Max | BinaryOp::Min)
    );
    commutes && args.first() == instr.args.first()
}

/// True for strides other than those of a dense view.
fn has_strides(arg: &Arg) -> bool {
    let Arg::View { view } = arg else {
        return false;
    };
    match &view.layout {
        Layout::Dense {} => false,
        Layout::Rows { .. } => true,
        Layout::Blocks { blk, rep } => {
            (blk, rep) != (&Scalar::Int(1), &Scalar::Int(BLOCKS_PER_REPEAT))
        }
        Layout::Results { rep } => *rep != Scalar::Int(1),
    }
}

/// True if tensors come before numbers, as in every row of the table.
fn views_lead(args: &[Arg]) -> bool {
    args.iter()
        .map(|arg| matches!(arg, Arg::View { .. }))
        .is_sorted_by(|a, b| a >= b)
}

fn other_op(op: Op) -> Option<Op> {
    Some(match op {
        Op::Binary(BinaryOp::Max | BinaryOp::Min) => BinaryOp::Add.into(),
        Op::Binary(_) => BinaryOp::Max.into(),
        Op::Partial(PartialOp::BlockSum) => PartialOp::BlockMax.into(),
        Op::Partial(PartialOp::BlockMax) => PartialOp::BlockMin.into(),
        Op::Partial(PartialOp::BlockMin) => PartialOp::BlockSum.into(),
        Op::Partial(PartialOp::WholeSum) => PartialOp::WholeMax.into(),
        Op::Partial(PartialOp::WholeMax) => PartialOp::WholeMin.into(),
        Op::Partial(PartialOp::WholeMin) => PartialOp::WholeSum.into(),
        _ => return None,
    })
}

/// Returns the statement with each of its scalars in each of its changed forms.
fn scalars(s: &Stmt) -> Vec<StmtKind<QueueStmt>> {
    let mut roots = Vec::new();
    s.scalars(&mut |e| roots.push(e.clone()));
    let changes = roots
        .iter()
        .enumerate()
        .flat_map(|(i, root)| around(root).into_iter().map(move |e| (i, e)));
    changes
        .map(|(i, e)| {
            let (mut s, mut at) = (s.clone(), 0);
            s.scalars_mut(&mut |root| {
                if at == i {
                    *root = e.clone();
                }
                at += 1;
            });
            s.kind
        })
        .collect()
}

/// Returns the changes of a whole expression: one more, one less, the opposite, and changes inside
/// of it.
fn around(root: &Scalar) -> Vec<Scalar> {
    let mut all = inside(root);
    match root {
        Scalar::Int(_) => {}
        _ if root.ty() == ScalarTy::Index => {
            all.extend([BinOp::Add, BinOp::Sub].map(|op| bin(op, root.clone(), Scalar::Int(1))));
        }
        _ if root.ty() == ScalarTy::Bool => all.push(Scalar::Un(UnOp::Not, Arc::new(root.clone()))),
        _ => {}
    }
    all
}

fn inside(e: &Scalar) -> Vec<Scalar> {
    match e {
        Scalar::Int(n) => vec![Scalar::Int(n + 1), Scalar::Int(n - 1)],
        Scalar::I32(n) => vec![
            Scalar::I32(n.wrapping_add(1)),
            Scalar::I32(n.wrapping_sub(1)),
        ],
        Scalar::Bin(op, a, b) => {
            let other = other_operator(*op).map(|op| Scalar::Bin(op, a.clone(), b.clone()));
            let left = inside(a)
                .into_iter()
                .map(|a| Scalar::Bin(*op, Arc::new(a), b.clone()));
            let right = inside(b)
                .into_iter()
                .map(|b| Scalar::Bin(*op, a.clone(), Arc::new(b)));
            other.into_iter().chain(left).chain(right).collect()
        }
        Scalar::Select(c, a, b) => {
            let turned = Scalar::Select(c.clone(), b.clone(), a.clone());
            let conds = inside(c)
                .into_iter()
                .map(|c| Scalar::Select(Arc::new(c), a.clone(), b.clone()));
            let left = inside(a)
                .into_iter()
                .map(|a| Scalar::Select(c.clone(), Arc::new(a), b.clone()));
            let right = inside(b)
                .into_iter()
                .map(|b| Scalar::Select(c.clone(), a.clone(), Arc::new(b)));
            std::iter::once(turned)
                .chain(conds)
                .chain(left)
                .chain(right)
                .collect()
        }
        Scalar::Un(op, a) => inside(a)
            .into_iter()
            .map(|a| Scalar::Un(*op, Arc::new(a)))
            .collect(),
        Scalar::Cast(ty, a) => inside(a)
            .into_iter()
            .map(|a| Scalar::Cast(*ty, Arc::new(a)))
            .collect(),
        Scalar::Float(_)
        | Scalar::Bool(_)
        | Scalar::Axis(_)
        | Scalar::Attr(..)
        | Scalar::Chip(_)
        | Scalar::Var(_)
        | Scalar::SizeOf(_)
        | Scalar::BlockIdx
        | Scalar::BlockDim => Vec::new(),
    }
}

fn other_operator(op: BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::Add => BinOp::Sub,
        BinOp::Sub => BinOp::Add,
        BinOp::Mul => BinOp::Add,
        BinOp::Div => BinOp::CeilDiv,
        BinOp::CeilDiv => BinOp::Div,
        BinOp::Rem => BinOp::Div,
        BinOp::Min => BinOp::Max,
        BinOp::Max => BinOp::Min,
        BinOp::Lt => BinOp::Le,
        BinOp::Le => BinOp::Lt,
        BinOp::Gt => BinOp::Ge,
        BinOp::Ge => BinOp::Gt,
        BinOp::Eq => BinOp::Ne,
        BinOp::Ne => BinOp::Eq,
        BinOp::And => BinOp::Or,
        BinOp::Or => BinOp::And,
        BinOp::AlignUp => return None,
    })
}

fn bin(op: BinOp, a: Scalar, b: Scalar) -> Scalar {
    Scalar::Bin(op, Arc::new(a), Arc::new(b))
}
