//! Capacity: who takes what of UB, how many blocks and buffers, which given sizes are legal.
//!
//! The footprint is a formula; here it is evaluated at the smallest sizes the signature and the `require`d facts allow.
//! What does not fit even then is an error now; the rest is decided by the solver on the host.

use crate::diag::{Code, Diagnostic};
use crate::ir::{BinOp, HostStep, Kernel, Level, Scalar, SpanId, StmtKind, TPosition, VarId, Variant};
use crate::lower::{capacity_table, Lowering, Plan, Size};
use crate::soc::{Chip, MAX_BLOCKS_PER_POSITION, MAX_BUFFERS};
use crate::tiling::{eval, solve, Env, EvalError, Value};

/// Checks the memory of every variant of a lowered kernel.
pub(super) fn check_memory(kernel: &Kernel, lowering: &Lowering, chip: &'static Chip, found: &mut Vec<Diagnostic>) {
    for (variant, plan) in lowering.lowered.variants.iter().zip(&lowering.plans) {
        let span = kernel_span(kernel);
        counts(variant, span, found);
        given_sizes(plan, chip, span, found);
        capacity(kernel, lowering, variant, plan, chip, span, found);
    }
}

/// Where messages about the kernel as a whole point: its tile loop, or its first queue.
fn kernel_span(kernel: &Kernel) -> SpanId {
    let mut span = None;
    kernel.body.walk(&mut |s| {
        if matches!(s.kind, StmtKind::Loop { .. } | StmtKind::FitTile { .. }) {
            span = span.or(Some(s.span));
        }
    });
    span.or(kernel.body.queues.first().map(|q| q.span)).unwrap_or(SpanId(0))
}

fn counts(variant: &Variant, span: SpanId, found: &mut Vec<Diagnostic>) {
    let body = &variant.body;
    for position in [TPosition::VecIn, TPosition::VecOut, TPosition::VecCalc] {
        let queues = || body.queues.iter().filter(|q| q.position == position);
        let blocks = queues().filter_map(|q| q.buffer_num.as_int()).fold(0, i64::saturating_add);
        if blocks > MAX_BLOCKS_PER_POSITION {
            let at = queues().next_back().map_or(span, |q| q.span);
            let text = format!(
                "the queues of position {} have {blocks} blocks together; {MAX_BLOCKS_PER_POSITION} are allowed",
                position.word()
            );
            let d = Diagnostic::new(Code::J0301, at, text).number("found", blocks).number("allowed", MAX_BLOCKS_PER_POSITION);
            found.push(d.help("each block owns an event id; use `buffer_num(1)`, or fewer queues"));
        }
    }
    let blocks = body.queues.iter().filter_map(|q| q.buffer_num.as_int());
    let buffers = blocks.fold(body.bufs.len() as i64, i64::saturating_add);
    if buffers > MAX_BUFFERS {
        let text = format!("the kernel asks its TPipe for {buffers} buffers; {MAX_BUFFERS} are allowed");
        found.push(Diagnostic::new(Code::J0303, span, text).number("found", buffers).number("allowed", MAX_BUFFERS));
    }
}

/// What a given size must be a multiple of.
fn unit_of(size: &Size, chip: &Chip) -> i64 {
    if size.name == "rows" {
        size.step
    } else {
        size.step * chip.data_block_bytes / chip.repeat_bytes
    }
}

/// J0305 for a constant tile length or row count that is not a positive multiple of its granularity.
fn given_sizes(plan: &Plan, chip: &Chip, span: SpanId, found: &mut Vec<Diagnostic>) {
    for size in &plan.sizes {
        let Some((Scalar::Int(n), _)) = &size.given else { continue };
        let unit = unit_of(size, chip);
        if *n <= 0 || n % unit != 0 {
            let text = format!("`{}` is {n}; it must be a positive multiple of {unit}", size.name);
            let d = Diagnostic::new(Code::J0305, span, text).number("found", *n).number("multiple_of", unit);
            let next = ((n.max(&1) - 1) / unit + 1).checked_mul(unit);
            found.push(next.map_or(d.clone(), |next| d.help(format!("{next} is one"))));
        }
    }
}

fn capacity(
    kernel: &Kernel,
    lowering: &Lowering,
    variant: &Variant,
    plan: &Plan,
    chip: &'static Chip,
    span: SpanId,
    found: &mut Vec<Diagnostic>,
) {
    let dims = least_dims(kernel);
    let no_attrs = vec![None; kernel.sig.params.len()];
    let mut env = Env { dims: &dims, attrs: &no_attrs, chip, vars: Vec::new(), block: None };
    let steps = lowering.lowered.steps.iter().chain(&variant.steps);
    for step in steps {
        match step {
            HostStep::Let { var, value } => {
                if let Ok(v) = eval(value, &env) {
                    env.set(*var, v);
                }
            }
            HostStep::Solve { var, step, .. } => env.set(*var, Value::Int(*step)),
            HostStep::Fits { .. } | HostStep::Require { .. } => {}
        }
    }
    let limit = chip.ub_usable();
    let bytes_with = |env: &Env<'_>| eval(&plan.bytes, env).and_then(Value::as_int);
    let bytes = match bytes_with(&env) {
        Ok(bytes) => bytes,
        Err(EvalError::Overflow) => {
            let at = heaviest(kernel, variant, &env).unwrap_or(span);
            let text = format!(
                "UB over budget: the queues and buffers ask for more bytes than 64 bits count, {} has {limit}",
                chip.name
            );
            found.push(Diagnostic::new(Code::J0304, at, text).number("allowed", limit).help("use fewer or smaller buffers"));
            return;
        }
        // An attribute decides: the launch does.
        Err(_) => return,
    };
    // A streamed form exists for rows that do not fit; only the last variant must always do, and one of a given size.
    let given = plan.sizes.iter().find(|s| s.given.is_some());
    let is_last = lowering.lowered.variants.last().is_some_and(|v| v.name == variant.name);
    if bytes <= limit || !(is_last || given.is_some()) {
        return;
    }
    if plan.whole_rows && given.is_none() {
        found.push(row_does_not_fit(plan, &env, bytes, limit, chip, span, variant));
        return;
    }
    let value = |s: &Scalar| eval(s, &env).and_then(Value::as_int).ok();
    let given = given.and_then(|size| Some((size, value(&Scalar::Var(size.var))?)));
    let text = match given {
        Some((size, n)) => format!("`{}({n})` needs {bytes} bytes of UB, {limit} are usable on {}", size.name, chip.name),
        None => format!("UB over budget: the queues and buffers ask for {bytes} bytes, {} has {limit}", chip.name),
    };
    let at = if given.is_some() { span } else { heaviest(kernel, variant, &env).unwrap_or(span) };
    let mut d = Diagnostic::new(Code::J0304, at, text).number("found", bytes).number("allowed", limit);
    let table = capacity_table(&variant.body, chip, &value);
    let lines: Vec<String> = table.iter().map(|(who, bytes)| format!("{bytes:>9}  {who}")).collect();
    d = d.note(format!("bytes of UB\n{}", lines.join("\n")));
    d = d
        .note(format!("{} of {} bytes of UB are kept by the framework and library calls", chip.ub_reserved_bytes, chip.ub_bytes));
    if let Some((size, _)) = given {
        let unit = unit_of(size, chip);
        let largest = largest(size.var, unit, &env, limit, &|env| bytes_with(env).ok());
        d = match largest {
            0 => d.help(format!("not even `{}` {unit} fits", size.name)),
            n => d.help(format!("`{}` {n} fits; so may `buffer_num` 1", size.name)).number("largest", n),
        };
    } else {
        d = d.help("use fewer or smaller buffers, or `buffer_num` 1");
    }
    found.push(d);
}

/// Place of the queue or buffer of a queue-level kernel that takes most; one whose bytes cannot be counted takes most.
/// Those of a tile loop are the planner's, which the author cannot see.
fn heaviest(kernel: &Kernel, variant: &Variant, env: &Env<'_>) -> Option<SpanId> {
    if kernel.level == Level::Tile {
        return None;
    }
    let value = |s: Scalar| eval(&s, env).and_then(Value::as_int).unwrap_or(i64::MAX);
    let queues = variant.body.queues.iter().map(|q| (value(q.bytes.clone() * q.buffer_num.clone()), q.span));
    let bufs = variant.body.bufs.iter().map(|b| (value(b.bytes.clone()), b.span));
    let all: Vec<(i64, SpanId)> = queues.chain(bufs).collect();
    let most = all.iter().map(|(bytes, _)| *bytes).max()?;
    all.into_iter().find(|(bytes, _)| *bytes == most).map(|(_, span)| span)
}

fn largest(var: VarId, step: i64, env: &Env<'_>, limit: i64, bytes: &dyn Fn(&Env<'_>) -> Option<i64>) -> i64 {
    let mut env = env.clone();
    solve(step, limit, limit, |n| {
        env.set(var, Value::Int(n));
        bytes(&env).ok_or(())
    })
    .unwrap_or(0)
}

fn row_does_not_fit(
    plan: &Plan,
    env: &Env<'_>,
    bytes: i64,
    limit: i64,
    chip: &Chip,
    span: SpanId,
    variant: &Variant,
) -> Diagnostic {
    let text = format!("a row does not fit in UB: one row takes {bytes} bytes, {} has {limit}", chip.name);
    let mut d = Diagnostic::new(Code::J0302, span, text).number("found", bytes).number("allowed", limit);
    let named = |name: &str| variant.body.var_ids().find(|v| variant.body.var(*v).name == name);
    if let Some(pitch) = named("pitch") {
        let n = largest(pitch, chip.data_block_bytes, env, limit, &|env| eval(&plan.bytes, env).and_then(Value::as_int).ok());
        d = d.help(format!("rows of up to {n} elements fit")).number("largest", n);
    }
    d.help("only straight-line bodies of element-wise ops and row reductions stream by themselves; split the columns with `r.col_tiles()`")
}

/// The smallest size of each axis that the facts allow: constants of `require(n >= 8)`, else 1.
fn least_dims(kernel: &Kernel) -> Vec<i64> {
    let mut least = vec![1; kernel.sig.axes.len()];
    for fact in &kernel.sig.facts {
        collect(&fact.cond, &mut least);
    }
    least
}

fn collect(cond: &Scalar, least: &mut [i64]) {
    let Scalar::Bin(op, a, b) = cond else { return };
    let (axis, value) = match (op, &**a, &**b) {
        (BinOp::And, a, b) => {
            collect(a, least);
            return collect(b, least);
        }
        (BinOp::Ge | BinOp::Eq, Scalar::Axis(x), Scalar::Int(n)) => (x, *n),
        (BinOp::Gt, Scalar::Axis(x), Scalar::Int(n)) => (x, n.saturating_add(1)),
        (BinOp::Le | BinOp::Eq, Scalar::Int(n), Scalar::Axis(x)) => (x, *n),
        (BinOp::Lt, Scalar::Int(n), Scalar::Axis(x)) => (x, n.saturating_add(1)),
        _ => return,
    };
    least[axis.index()] = least[axis.index()].max(value);
}
