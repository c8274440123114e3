//! Capacity of UB, block and buffer counts, and given sizes.
//!
//! The footprint is a formula. Here it is evaluated at the smallest sizes that the signature and
//! its requirements allow. A kernel that does not fit even then is an error; the solver on the host
//! decides the rest.

use crate::diag::{Code, Diagnostic};
use crate::ir::queue::Body;
use crate::ir::{
    Event, HostCall, HostStep, Kernel, Level, Memory, QueueDecl, QueueStmt, Scalar, Source, SpanId,
    TPosition, TileStmt, VarId, Variant,
};
use crate::lower::{capacity_table, least_dims, Lowering, Plan};
use crate::soc::{Chip, MAX_BLOCKS_PER_POSITION, MAX_BUFFERS};
use crate::tiling::{eval, solve, Env, EvalError, Value};

/// Checks the memory of every variant of a lowered kernel.
pub fn check_memory(
    kernel: &Kernel,
    lowering: &Lowering,
    chip: &'static Chip,
    found: &mut Vec<Diagnostic>,
) {
    let Some(span) = kernel_span(kernel) else {
        return;
    };
    for (at, (variant, plan)) in lowering
        .lowered
        .variants
        .iter()
        .zip(&lowering.plans)
        .enumerate()
    {
        counts(kernel.level(), variant, span, found);
        given_sizes(plan, span, found);
        let judged = Judged {
            kernel,
            lowering,
            variant,
            plan,
            is_last: lowering.lowered.is_last(at),
        };
        capacity(&judged, chip, span, found);
    }
}

/// Returns the place for messages about a whole kernel: its tile loop, the size it solves for, or
/// its first declaration. A kernel without these takes no memory.
fn kernel_span(kernel: &Kernel) -> Option<SpanId> {
    let mut span = None;
    match &kernel.body {
        Source::Tile(body) => body.walk(&mut |s| {
            span = span.or(matches!(s.own(), Some(TileStmt::Loop { .. })).then_some(s.span));
        }),
        Source::Queue(body) => {
            body.walk(&mut |s| {
                span = span.or(matches!(
                    s.own(),
                    Some(QueueStmt::Host {
                        call: HostCall::FitTile { .. }
                    })
                )
                .then_some(s.span))
            });
            span = span
                .or(body.queues.first().map(|q| q.span))
                .or(body.bufs.first().map(|b| b.span));
        }
    }
    span
}

fn counts(level: Level, variant: &Variant, span: SpanId, found: &mut Vec<Diagnostic>) {
    let all = std::iter::once(&variant.memory[..]).chain(variant.body.resets());
    all.for_each(|memory| counts_of(level, variant, memory, span, found));
}

/// Checks the numbers of blocks and buffers that TPipe hands out.
fn counts_of(
    level: Level,
    variant: &Variant,
    memory: &[Memory],
    span: SpanId,
    found: &mut Vec<Diagnostic>,
) {
    let body = &variant.body;
    let all: Vec<_> = memory
        .iter()
        .filter_map(|memory| match memory {
            Memory::Queue { queue } => Some(&body.queues[queue.index()]),
            Memory::Buf { .. } | Memory::Skew { .. } => None,
        })
        .collect();
    for position in [TPosition::VecIn, TPosition::VecOut, TPosition::VecCalc] {
        let queues = || all.iter().filter(|q| q.position == position);
        let blocks = queues()
            .filter_map(|q| q.buffers())
            .map(|n| *n.end())
            .fold(0, i64::saturating_add);
        let ids = ids_beside(body, position);
        if blocks > 0 && ids > 0 && blocks + ids > MAX_BLOCKS_PER_POSITION {
            let at = queues().next_back().map_or(span, |q| q.span);
            let text = format!(
                "the queues of position {} have {blocks} blocks together, and {ids} ids of the same events are used by hand: {} of both, \
                 {MAX_BLOCKS_PER_POSITION} are allowed",
                position.word(),
                blocks + ids
            );
            let d = Diagnostic::new(Code::J0301, at, text)
                .number("found", blocks + ids)
                .number("allowed", MAX_BLOCKS_PER_POSITION);
            found.push(d.help("each block owns an event id; use fewer buffers, or fewer ids"));
        }
        if blocks > MAX_BLOCKS_PER_POSITION {
            let at = queues().next_back().map_or(span, |q| q.span);
            let text = format!(
                "the queues of position {} have {blocks} blocks together; {MAX_BLOCKS_PER_POSITION} are allowed",
                position.word()
            );
            let d = Diagnostic::new(Code::J0301, at, text)
                .number("found", blocks)
                .number("allowed", MAX_BLOCKS_PER_POSITION);
            found.push(d.help(fewer_blocks(level, queues().next_back().copied(), blocks)));
        }
    }
    let blocks = all.iter().filter_map(|q| q.buffers()).map(|n| *n.end());
    let buffers = blocks.fold((memory.len() - all.len()) as i64, i64::saturating_add);
    if buffers > MAX_BUFFERS {
        let text =
            format!("the kernel asks its TPipe for {buffers} buffers; {MAX_BUFFERS} are allowed");
        found.push(
            Diagnostic::new(Code::J0303, span, text)
                .number("found", buffers)
                .number("allowed", MAX_BUFFERS),
        );
    }
}

/// Returns how many ids an author uses of the events that queues of a position need.
fn ids_beside(body: &Body, position: TPosition) -> i64 {
    let Some((producer, consumer)) = position.pipes() else {
        return 0;
    };
    let ids = body.event_ids();
    let of = |from, to| {
        Event::between(from, to)
            .and_then(|event| ids.get(&event).copied())
            .unwrap_or(0)
    };
    of(producer, consumer).max(of(consumer, producer))
}

/// Reports J0305 for a constant tile length or row count that is not a positive multiple of its
/// unit.
fn given_sizes(plan: &Plan, span: SpanId, found: &mut Vec<Diagnostic>) {
    for size in &plan.sizes {
        let Some(Scalar::Int(n)) = &size.given else {
            continue;
        };
        let unit = size.unit;
        if *n <= 0 || n % unit != 0 {
            let text = format!("`size` is {n}; it must be a positive multiple of {unit}");
            let d = Diagnostic::new(Code::J0305, span, text)
                .number("found", *n)
                .number("multiple_of", unit);
            let next = ((n.max(&1) - 1) / unit + 1).checked_mul(unit);
            found.push(match next {
                Some(next) => d
                    .help(format!("{next} is one"))
                    .expected([next.to_string()])
                    .word(span, &n.to_string(), next.to_string()),
                None => d,
            });
        }
    }
}

/// A variant of a kernel.
struct Judged<'a> {
    kernel: &'a Kernel,
    lowering: &'a Lowering,
    variant: &'a Variant,
    plan: &'a Plan,
    /// True for the variant that runs if no other does.
    is_last: bool,
}

fn capacity(judged: &Judged<'_>, chip: &'static Chip, span: SpanId, found: &mut Vec<Diagnostic>) {
    let Judged {
        kernel,
        lowering,
        variant,
        plan,
        is_last,
    } = *judged;
    let dims = least_dims(&kernel.sig);
    let no_attrs = vec![None; kernel.sig.params.len()];
    let mut env = Env {
        dims: &dims,
        attrs: &no_attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    let steps = lowering.lowered.steps(variant);
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
    let types = lowering.lowered.binding();
    let limit = chip.ub_usable();
    let bytes = match eval(&plan.bytes, &env).and_then(Value::as_int) {
        Ok(bytes) => bytes,
        Err(EvalError::Overflow) => {
            let at = heaviest(judged, &env).unwrap_or(span);
            let text = format!(
                "UB over budget: the queues and buffers ask for more bytes than 64 bits count, {} has {limit}",
                chip.name
            );
            found.push(
                Diagnostic::new(Code::J0304, at, text)
                    .number("allowed", limit)
                    .help("use fewer or smaller buffers"),
            );
            return;
        }
        // An attribute decides, so the launch does.
        Err(_) => return,
    };
    // A streamed form exists for rows that do not fit. Only the last variant must always fit, and
    // one of a given size.
    let given = plan.sizes.iter().find(|s| s.given.is_some());
    if bytes <= limit || !(is_last || given.is_some()) {
        return;
    }
    if let (Some(pitch), None) = (plan.row_pitch, given) {
        found.push(row_does_not_fit(plan, &env, pitch, bytes, chip, span));
        return;
    }
    let value = |s: &Scalar| eval(&s.sized(types), &env).and_then(Value::as_int).ok();
    let given = given.and_then(|size| Some((size, value(&Scalar::Var(size.var))?)));
    let text = match given {
        Some((_, n)) => {
            format!(
                "`size({n})` needs {bytes} bytes of UB, {limit} are usable on {}",
                chip.name
            )
        }
        None => format!(
            "UB over budget: the queues and buffers ask for {bytes} bytes, {} has {limit}",
            chip.name
        ),
    };
    let at = if given.is_some() {
        span
    } else {
        heaviest(judged, &env).unwrap_or(span)
    };
    let mut d = Diagnostic::new(Code::J0304, at, text)
        .number("found", bytes)
        .number("allowed", limit);
    let table = capacity_table(&variant.body, chip, &value);
    let lines: Vec<String> = table
        .iter()
        .map(|(who, bytes)| format!("{bytes:>9}  {who}"))
        .collect();
    d = d.note(format!("bytes of UB\n{}", lines.join("\n")));
    d = d.note(format!(
        "{} of {} bytes of UB are kept by the framework and library calls",
        chip.ub_reserved_bytes(),
        chip.ub_bytes
    ));
    if let Some((size, given_number)) = given {
        let unit = size.unit;
        d = match largest(size.var, unit, &env, plan, limit) {
            None => d,
            Some(0) => d.help(format!("not even `size` {unit} fits")),
            Some(n) => d
                .help(format!("`size` {n} fits; so may `buffer_num` 1"))
                .number("largest", n)
                .expected([format!("size {n}"), "buffer_num 1".to_owned()])
                .word(span, &given_number.to_string(), n.to_string()),
        };
    } else {
        d = d.help("use fewer or smaller buffers, or `buffer_num` 1");
    }
    found.push(d);
}

/// Suggests how the queues of a position get few enough blocks. At queue level the last queue gives
/// up blocks, if it can.
fn fewer_blocks(level: Level, last: Option<&QueueDecl>, blocks: i64) -> String {
    let room = last
        .and_then(|q| Some((q, MAX_BLOCKS_PER_POSITION - blocks + *q.buffers()?.end())))
        .filter(|(_, room)| *room >= 1);
    match (level, room) {
        (Level::Tile, _) => {
            "each block owns an event id; use `.buffer_num(1)`, or fewer queues".into()
        }
        (Level::Queue, Some((q, room))) => {
            let name = &q.name;
            format!("each block owns an event id: `{name}` may have {room}, `pipe.init_buffer(&mut {name}, {room}, ..)`; or use fewer queues")
        }
        (Level::Queue, None) => {
            "each block owns an event id: give the queues fewer buffers, or use fewer queues".into()
        }
    }
}

/// Returns the place of the largest queue or buffer of a queue-level kernel; one of unknown bytes
/// counts as the largest. Those of a tile loop belong to the planner, and the author cannot see
/// them.
fn heaviest(judged: &Judged<'_>, env: &Env<'_>) -> Option<SpanId> {
    let Judged {
        kernel,
        lowering,
        variant,
        ..
    } = *judged;
    let types = lowering.lowered.binding();
    if kernel.tiles().is_some() {
        return None;
    }
    let value = |s: Scalar| {
        eval(&s.sized(types), env)
            .and_then(Value::as_int)
            .unwrap_or(i64::MAX)
    };
    let queues = variant
        .body
        .queues
        .iter()
        .map(|q| (value(q.bytes.clone() * q.buffer_num.clone()), q.span));
    let bufs = variant
        .body
        .bufs
        .iter()
        .map(|b| (value(b.bytes.clone()), b.span));
    let all: Vec<(i64, SpanId)> = queues.chain(bufs).collect();
    let most = all.iter().map(|(bytes, _)| *bytes).max()?;
    all.into_iter()
        .find(|(bytes, _)| *bytes == most)
        .map(|(_, span)| span)
}

/// Returns the largest multiple of `step` that fits. It is 0 if none does, and `None` if only the
/// launch knows.
fn largest(var: VarId, step: i64, env: &Env<'_>, plan: &Plan, limit: i64) -> Option<i64> {
    let mut env = env.clone();
    let found = solve(step, limit, limit, |n| {
        env.set(var, Value::Int(n));
        match eval(&plan.bytes, &env).and_then(Value::as_int) {
            // An overflow exceeds any limit.
            Err(EvalError::Overflow) => Ok(i64::MAX),
            bytes => bytes,
        }
    });
    found.ok()
}

/// Reports J0302 for rows of `pitch` elements that must be complete.
fn row_does_not_fit(
    plan: &Plan,
    env: &Env<'_>,
    pitch: VarId,
    bytes: i64,
    chip: &Chip,
    span: SpanId,
) -> Diagnostic {
    let limit = chip.ub_usable();
    let text = format!(
        "a row does not fit in UB: one row takes {bytes} bytes, {} has {limit}",
        chip.name
    );
    let mut d = Diagnostic::new(Code::J0302, span, text)
        .number("found", bytes)
        .number("allowed", limit);
    if let Some(n) = largest(pitch, chip.data_block_bytes, env, plan, limit) {
        d = d
            .help(format!("rows of up to {n} elements fit"))
            .number("largest", n);
    }
    d.help("rows stream by themselves where passes over their parts give the same; what a `for` or a branch on data changes and a later pass reads, and a value that is loaded behind a store to its tensor, are in the way: compute it without the loop, or cut the row with a loop over its axis: `for c in tiles(d)`")
}
