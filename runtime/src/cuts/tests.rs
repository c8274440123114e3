//! Kernels whose results depend on the cut, and right ones near them.

use super::{judge, Effort, Verdict};
use jumar_dsl::dtype::RoundMode;
use jumar_dsl::ir::{
    walk_stmts_mut, AxSpec, BinOp, Kernel, Operand, Scalar, ScalarTy, StmtKind, TileExpr, TileStmt,
};
use jumar_dsl::ops::{AxisReduceOp, BinaryOp, CompareOp, Op, UnaryOp};
use jumar_dsl::soc::Chip;

/// Parses the first kernel of a text.
fn parsed(text: &str) -> Kernel {
    let parsed =
        jumar_dsl::front::parse_file(text).unwrap_or_else(|e| panic!("{}\n{text}", e.0.message));
    parsed[0]
        .kernel
        .clone()
        .unwrap_or_else(|| panic!("{:?}\n{text}", parsed[0].diagnostics))
}

fn of(kernel: &Kernel) -> Verdict {
    judge((kernel, 0, Chip::default_chip()), Effort::FULL, 7)
}

/// Returns the verdict about the first kernel of a text.
fn said(text: &str) -> Verdict {
    of(&parsed(text))
}

/// Finds the loop axis of the innermost loop.
fn innermost(kernel: &Kernel) -> AxSpec {
    let mut found = None;
    kernel.tiles().expect("a tile kernel").walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            // Stores after all loops stand in a loop of one iteration.
            found = tile
                .specs
                .iter()
                .rfind(|spec| !spec.size.is_each())
                .cloned()
                .or(found.take());
        }
    });
    found.expect("a loop")
}

/// Replaces every occurrence of a scalar in the kernel.
fn with_scalar(text: &str, from: &Scalar, to: impl Fn(&AxSpec) -> Scalar) -> Kernel {
    let mut kernel = parsed(text);
    let (to, mut places) = (to(&innermost(&kernel)), 0);
    let mut one = |own: &mut Scalar| {
        if own == from {
            places += 1;
            *own = to.clone();
        }
    };
    walk_stmts_mut(
        &mut kernel.tiles_mut().expect("a tile kernel").stmts,
        &mut |s| s.scalars_mut(&mut one),
    );
    assert!(places > 0, "{from:?} stands nowhere: {text}");
    kernel
}

/// Replaces the kernel's condition.
fn with_condition(text: &str, to: impl Fn(&AxSpec) -> Scalar) -> Kernel {
    let mut kernel = parsed(text);
    let (to, mut places) = (to(&innermost(&kernel)), 0);
    walk_stmts_mut(
        &mut kernel.tiles_mut().expect("a tile kernel").stmts,
        &mut |s| {
            if let StmtKind::If { cond, .. } = &mut s.kind {
                places += 1;
                *cond = to.clone();
            }
        },
    );
    assert!(places > 0, "no condition: {text}");
    kernel
}

/// Replaces definitions for which `change` returns an expression.
fn with_expr(text: &str, change: impl Fn(&TileExpr) -> Option<TileExpr>) -> Kernel {
    let (mut kernel, mut places) = (parsed(text), 0);
    walk_stmts_mut(
        &mut kernel.tiles_mut().expect("a tile kernel").stmts,
        &mut |s| {
            if let StmtKind::Do(TileStmt::Def { expr, .. }) = &mut s.kind {
                if let Some(other) = change(expr) {
                    places += 1;
                    *expr = other;
                }
            }
        },
    );
    assert!(places > 0, "nothing is changed: {text}");
    kernel
}

/// Makes a tile operand of a scalar.
fn number(of: impl Into<Scalar>) -> Scalar {
    Scalar::Cast(ScalarTy::F32, of.into().into())
}

/// A kernel that accumulates in a loop along `t` over all cores, with `merge`.
fn over_cores(init: &str, merge: &str) -> String {
    format!(
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {{ require(n >= 1);
            let mut c = across_cores::<f32>((), {init}); for t in tiles(n) {{ let v = x.at(t).load(); {merge} }} y.at().store(c); }}"
    )
}

/// A kernel that accumulates columns in an inner loop along `j`, with `merge`.
fn inside(init: &str, merge: &str) -> String {
    format!(
        "#[kernel] pub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {{ require(m >= 1);
            for t in tiles(d) {{ {init} for j in tiles(m) {{ let v = x.at(j, t).load(); {merge} }} y.at(t).store(c); }} }}"
    )
}

/// A kernel that stores `value` for each element.
fn stored(value: &str) -> String {
    format!(
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {{
            for t in tiles(n) {{ let v = x.at(t).load(); y.at(t).store({value}); }} }}"
    )
}

const ONLINE: &str =
    "let top = a.max(v.amax(j)); c = c * (a - top).exp() + (v - top).exp().sum(j); a = top;";
const PAIR: &str = "let mut a = full(t, f32::NEG_INFINITY); let mut c = full(t, 0.0);";
const BEST: &str =
    "let best = v.amax(j); c = best.gt(a).select(v.argmax(j).cast::<f32>(), c); a = a.max(best);";

#[test]
fn right_merges_are_equal_on_every_cut() {
    let chan = "let b = j.len() as f32; let mean = v.sum(j) / b; let e = mean - s; c = c + ((v - mean) * (v - mean)).sum(j) + e * e * (a * b / (a + b)); \
                s = s + e * (b / (a + b)); a = a + b;";
    for text in [
        over_cores("0.0", "c += v.sum(t);"),
        over_cores("0.0", "c += (v * 2.0 + 1.0).sum(t) / n as f32;"),
        over_cores("f32::NEG_INFINITY", "c = c.max(v.amax(t).floor());"),
        over_cores("0.0", "if n > 3 { c += v.sum(t); }"),
        over_cores("0.0", "for e in t.start()..t.end() { c += x.at(e).load(); }"),
        over_cores("0.0", "c += full((), t.len() as f32);"),
        inside("let mut c = full(t, 1.0);", "c = c * v.prod(j);"),
        inside("let mut c = full(t, 0.0);", "for e in 0..2 { c = c + v.sum(j); }"),
        inside(PAIR, ONLINE),
        inside(PAIR, BEST),
        inside("let mut a = full(t, 0.0); let mut s = full(t, 0.0); let mut c = full(t, 0.0);", chan),
        inside(PAIR, &format!("{ONLINE} }} for j in tiles(m) {{ let v = x.at(j, t).load(); c = c.max((v - a).exp().amax(j));")),
        stored("v * n as f32 + t.iota().cast::<f32>()"),
        stored("v + get_block_num() as f32 * 0.0"),
    ] {
        let verdict = said(&text);
        assert!(matches!(verdict, Verdict::Equal { draws: 8, .. }), "{verdict:?}\n{text}");
    }
}

/// Changes right kernels in one place of their IR, so that no rule of the front end applies.
#[test]
fn wrong_merges_differ_and_the_first_element_is_named() {
    let scaled = over_cores("0.0", "c += v.sum(t) * 2.0;");
    let inner = inside("let mut c = full(t, 0.0);", "c = c + v.sum(j) * 2.0;");
    let guarded = over_cores("0.0", "if n > 3 { c += v.sum(t); }");
    let repeated = inside(
        "let mut c = full(t, 0.0);",
        "for e in 0..2 { c = c + v.sum(j); }",
    );
    let two = Scalar::Float(2.0);
    // Replacing a product with 2 changes the function that is applied to each part.
    let made = |text: &str, other: fn(jumar_dsl::ir::ValueId) -> TileExpr| {
        with_expr(text, |expr| match expr {
            TileExpr::Op {
                op: Op::Binary(BinaryOp::Mul),
                args,
            } => match &args[..] {
                [Operand::Value { value }, Operand::Scalar { .. }] => Some(other(*value)),
                _ => None,
            },
            _ => None,
        })
    };
    let reduced = |text: &str, from: AxisReduceOp, to: AxisReduceOp| {
        with_expr(text, |expr| match expr {
            TileExpr::Reduce {
                op,
                value,
                over,
                onto,
            } if *op == from => Some(TileExpr::Reduce {
                op: to,
                value: *value,
                over: over.clone(),
                onto: *onto,
            }),
            _ => None,
        })
    };
    let op = |text: &str, from: Op, to: Op| {
        with_expr(text, |expr| match expr {
            TileExpr::Op { op, args } if *op == from => Some(TileExpr::Op {
                op: to,
                args: args.clone(),
            }),
            _ => None,
        })
    };
    let stored = stored("v + 2.0");
    let wrong = [
        (
            "the length of a run weighs a part",
            with_scalar(&scaled, &two, |run| number(run.len)),
        ),
        (
            "the same inside",
            with_scalar(&inner, &two, |run| number(run.len)),
        ),
        (
            "the start of a run weighs a part",
            with_scalar(&scaled, &two, |run| number(run.start)),
        ),
        (
            "the number of the block weighs a part",
            with_scalar(&scaled, &two, |_| number(Scalar::BlockIdx)),
        ),
        (
            "the number of blocks weighs a part",
            with_scalar(&scaled, &two, |_| number(Scalar::BlockDim)),
        ),
        (
            "the start of a run is stored",
            with_scalar(&stored, &two, |run| number(run.start)),
        ),
        (
            "the number of the block is stored",
            with_scalar(&stored, &two, |_| number(Scalar::BlockIdx)),
        ),
        (
            "long runs alone are merged",
            with_condition(&guarded, |run| Scalar::from(run.len).bin(BinOp::Gt, 2)),
        ),
        (
            "later runs alone are merged",
            with_condition(&guarded, |run| Scalar::from(run.start).bin(BinOp::Ge, 2)),
        ),
        (
            "the first block alone merges",
            with_condition(&guarded, |_| Scalar::BlockIdx.bin(BinOp::Eq, 0)),
        ),
        (
            "as often as a run has indices",
            with_scalar(&repeated, &Scalar::Int(2), |run| run.len.into()),
        ),
        (
            "a part is rounded",
            made(&scaled, |value| TileExpr::Round {
                value,
                mode: RoundMode::Floor,
            }),
        ),
        (
            "the same inside",
            made(&inner, |value| TileExpr::Round {
                value,
                mode: RoundMode::Ceil,
            }),
        ),
        (
            "the magnitude of a part",
            made(&scaled, |value| TileExpr::Op {
                op: Op::Unary(UnaryOp::Abs),
                args: vec![Operand::Value { value }],
            }),
        ),
        (
            "the exponential of a part",
            made(&inner, |value| TileExpr::Op {
                op: Op::Unary(UnaryOp::Exp),
                args: vec![Operand::Value { value }],
            }),
        ),
        (
            "a sum of maxima",
            reduced(&scaled, AxisReduceOp::Sum, AxisReduceOp::Max),
        ),
        (
            "a sum of means",
            reduced(&inner, AxisReduceOp::Sum, AxisReduceOp::Mean),
        ),
        (
            "a maximum of minima",
            reduced(
                &over_cores("f32::NEG_INFINITY", "c = c.max(v.amax(t));"),
                AxisReduceOp::Max,
                AxisReduceOp::Min,
            ),
        ),
        (
            "a maximum of sums",
            reduced(
                &inside("let mut c = full(t, -9.0);", "c = c.max(v.amax(j));"),
                AxisReduceOp::Max,
                AxisReduceOp::Sum,
            ),
        ),
        (
            "a product of sums",
            reduced(
                &inside("let mut c = full(t, 1.0);", "c = c * v.prod(j);"),
                AxisReduceOp::Prod,
                AxisReduceOp::Sum,
            ),
        ),
        (
            "a factor that is added",
            op(
                &inside(PAIR, ONLINE),
                Op::Binary(BinaryOp::Mul),
                Op::Binary(BinaryOp::Add),
            ),
        ),
        (
            "the last of equal ones",
            op(
                &inside(PAIR, BEST),
                Op::Compare(CompareOp::Gt),
                Op::Compare(CompareOp::Ge),
            ),
        ),
        (
            "the first of the smaller ones",
            op(
                &inside(PAIR, BEST),
                Op::Compare(CompareOp::Gt),
                Op::Compare(CompareOp::Lt),
            ),
        ),
    ];
    for (what, kernel) in wrong {
        let Verdict::Differs(found) = of(&kernel) else {
            panic!("{what}: {:?}", of(&kernel))
        };
        let told = found.to_string();
        assert!(
            told.starts_with("element ")
                && told.contains("where loops are whole and")
                && told.contains(" = "),
            "{what}: {told}"
        );
    }
}

#[test]
fn what_has_no_value_is_not_compared_and_the_queue_level_is_not_run() {
    // The division is by 0, but the front end cannot see this in a scalar that the core computes.
    let text = inside("let mut c = full(t, 0.0);", "c = c + v.sum(j) / 2.0;");
    let kernel = with_scalar(&text, &Scalar::Float(2.0), |run| {
        number(Scalar::from(run.len) - Scalar::from(run.len))
    });
    let verdict = of(&kernel);
    assert!(matches!(verdict, Verdict::Equal { .. }), "{verdict:?}");
    let queue =
        "#[kernel] pub fn k(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) { let share = split(64);
        for part in 0..share.len() { let at = share.start() + part; let v = x.get_value(at); y.set_value(at, v * 2.0); } }";
    assert!(matches!(said(queue), Verdict::NotRun(why) if why.contains("queue level")));
}

#[test]
fn sizes_keep_what_the_kernel_requires() {
    let text = "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, q: usize, #[shape(n)] y: &mut GlobalTensor<f32>) { require(n % 16 == 0); require(q < n); require(q >= 2);
        for t in tiles(n) { y.at(t).store(x.at(t).load() + x.at(q).load()); } }";
    assert!(
        matches!(said(text), Verdict::Equal { draws: 8, poles: 0 }),
        "{:?}",
        said(text)
    );
    let text = text.replace("n % 16 == 0", "n == 77777");
    assert!(matches!(said(&text), Verdict::NotRun(why) if why.contains("no sizes")));
}

#[test]
fn what_is_stored_once_is_drawn_once() {
    let rows = "#[kernel] pub fn k(#[shape(s, d)] #[inplace] state: &mut GlobalTensor<f32>, #[shape(b, d)] x: &GlobalTensor<f32>, #[shape(b)] #[index(s)] slots: &GlobalTensor<i32>, #[shape(b, d)] y: &mut GlobalTensor<f32>) {
        for r in tiles(b) { let at = slots.at(r).load(); let old = state.at(at, ..).load(); let v = old + x.at(r, ..).load();
            state.at(at, ..).store_disjoint(v * 0.5 - v.amax(d)); y.at(r, ..).store(old); } }";
    let draws = |text: &str| match said(text) {
        Verdict::Equal { draws, .. } => draws,
        other => panic!("{other:?}\n{text}"),
    };
    // All rows store at one index. Draws that break the promise are skipped; those of one row
    // remain.
    let at = "let at = slots.at(r).load();";
    let broken = rows.replace(at, "let at = slots.at(r).load() * 0;");
    assert!(
        draws(&broken) < draws(rows),
        "{} of {}",
        draws(&broken),
        draws(rows)
    );
}
