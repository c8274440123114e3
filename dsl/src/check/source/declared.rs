//! Checks the arguments of `init_buffer`, `split` and `fit_tile` in a queue-level kernel.

use crate::check::prove::facts::Facts;
use crate::diag::{Applicability, Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::ir::queue::Body;
use crate::ir::{HostCall, QueueStmt, Scalar, Signature, SpanId, StmtKind, TensorId};
use crate::soc::MAX_BLOCKS_PER_POSITION;

/// Checks the numbers of the declarations. Returns the buffer count of each queue. A queue that was
/// reported counts as unlimited.
pub fn check_declared(
    sig: &Signature,
    body: &Body,
    binding: &[DType],
    found: &mut Vec<Diagnostic>,
) -> Vec<i64> {
    let sized = |s: &Scalar| s.sized(binding);
    let mut facts = Facts::new(sig, body);
    body.walk(&mut |s| {
        if let StmtKind::LetScalar { var, value } = &s.kind {
            facts.define(*var, &sized(value));
        }
    });
    let known = |s: &Scalar| facts.as_int(&sized(s));
    one_block_dim(
        body,
        &|a, b| facts.equal(&sized(a), &sized(b)),
        &known,
        found,
    );
    body.walk(&mut |s| match &s.kind {
        StmtKind::Do(QueueStmt::Host {
            call: HostCall::Split { unit, .. },
        }) => constant_unit("split", known(unit), s.span, found),
        StmtKind::Do(QueueStmt::Host {
            call: HostCall::FitTile { unit, .. },
        }) => {
            constant_unit("fit_tile", known(unit), s.span, found);
            without_tpipe(body, s.span, found);
        }
        StmtKind::Do(QueueStmt::Place { tensor, .. }) => beside_tpipe(body, *tensor, s.span, found),
        // These take no number that must be known before the launch.
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::For { .. }
        | StmtKind::If { .. }
        | StmtKind::Promise { .. }
        | StmtKind::Do(
            QueueStmt::Queue { .. }
            | QueueStmt::Get { .. }
            | QueueStmt::View { .. }
            | QueueStmt::Instr { .. }
            | QueueStmt::Sync { .. }
            | QueueStmt::Reset { .. }
            | QueueStmt::Call { .. },
        ) => {}
    });
    for b in &body.bufs {
        let example = format!("init_buffer(&mut {}, 1, bytes)", b.name);
        bytes(
            &format!("buffer `{}`", b.name),
            &example,
            known(&b.bytes),
            b.span,
            found,
        );
    }
    let queues = body.queues.iter();
    queues
        .map(|q| {
            queue_buffers(
                &q.name,
                known(&q.buffer_num),
                known(&q.bytes),
                q.span,
                found,
            )
            .unwrap_or(i64::MAX)
        })
        .collect()
}

/// Reports J0106 for `fit_tile` in a kernel whose author places tensors.
fn without_tpipe(body: &Body, span: SpanId, found: &mut Vec<Diagnostic>) {
    let mut placed = None;
    body.walk(&mut |s| {
        placed =
            placed.or(matches!(s.kind, StmtKind::Do(QueueStmt::Place { .. })).then_some(s.span))
    });
    let Some(placed) = placed else { return };
    let text =
        "`fit_tile` solves for the buffers of a TPipe, and this kernel places its tensors by hand";
    let d = Diagnostic::new(Code::J0106, span, text).label(placed, "placed here");
    found.push(d.help("take a length of numbers of the text"));
}

/// Reports J0106 for a tensor that the author places in a kernel with a TPipe. The two must not be
/// mixed (asc-devkit, page on static tensors).
fn beside_tpipe(body: &Body, tensor: TensorId, span: SpanId, found: &mut Vec<Diagnostic>) {
    let declared = body
        .queues
        .iter()
        .map(|q| (&q.name, q.span))
        .chain(body.bufs.iter().map(|b| (&b.name, b.span)))
        .next();
    let Some((name, at)) = declared else { return };
    let tensor = &body.tensors[tensor.index()].name;
    let text = format!(
        "`{tensor}` is placed by hand in a kernel whose TPipe hands out memory, to `{name}`: the two know nothing of one another"
    );
    let d = Diagnostic::new(Code::J0106, span, text).label(at, "declared here");
    found.push(d.help("place all tensors by hand, or take this one from a TBuf"));
}

fn queue_buffers(
    name: &str,
    num: Option<i64>,
    size: Option<i64>,
    span: SpanId,
    found: &mut Vec<Diagnostic>,
) -> Option<i64> {
    let example = format!("init_buffer(&mut {name}, 2, bytes)");
    let Some(num) = num else {
        let text =
            format!("the number of buffers of queue `{name}` is not known before the launch");
        let help = format!(
            "write a number from 1 to {MAX_BLOCKS_PER_POSITION}: each buffer owns an event id, and the bytes of all are planned"
        );
        found.push(Diagnostic::new(Code::J0305, span, text).help(help));
        return None;
    };
    if num < 0 {
        let text = format!("queue `{name}` is given {num} buffers, at least 1 is needed");
        found.push(
            Diagnostic::new(Code::J0305, span, text)
                .number("found", num)
                .number("allowed", 1),
        );
        return None;
    }
    if num == 0 {
        let text = format!("queue `{name}` has no buffer");
        let d = Diagnostic::new(Code::J0410, span, text)
            .help(format!("give it memory: `pipe.{example}`"));
        let call = format!("<pipe>.init_buffer(&mut {name}, 2, <bytes>);");
        let d = d
            .expected([format!("pipe.{example}")])
            .edit(span, Spot::StatementAfter, call);
        found.push(d.applicable(Applicability::HasPlaceholders));
        return Some(0);
    }
    bytes(&format!("queue `{name}`"), &example, size, span, found);
    Some(num)
}

/// Reports J0410 for memory of no bytes. A later check sums up all memory and finds too many.
fn bytes(what: &str, example: &str, bytes: Option<i64>, span: SpanId, found: &mut Vec<Diagnostic>) {
    match bytes {
        Some(n) if n <= 0 => {
            let text = if n == 0 {
                format!("{what} has no memory")
            } else {
                format!("{what} is given {n} bytes")
            };
            found.push(
                Diagnostic::new(Code::J0410, span, text)
                    .help(format!("give it memory: `pipe.{example}`")),
            );
        }
        Some(_) | None => {}
    }
}

/// Reports J0305 for a unit that only the launch knows. Proofs and the solver need it now.
fn constant_unit(what: &str, unit: Option<i64>, span: SpanId, found: &mut Vec<Diagnostic>) {
    match unit {
        None => {
            let text = format!("the unit of `{what}` is not known before the launch");
            let help = "write a number: the alignment of every share and tile follows from it";
            found.push(Diagnostic::new(Code::J0305, span, text).help(help));
        }
        Some(n) if n < 1 => {
            let text = format!("the unit of `{what}` is {n}, at least 1 is needed");
            let d = Diagnostic::new(Code::J0305, span, text)
                .number("found", n)
                .number("allowed", 1);
            found.push(d.expected(["1"]).word(span, &n.to_string(), "1").maybe());
        }
        Some(_) => {}
    }
}

/// Reports J0503 for `split`s that ask for different block dims; a launch has one.
fn one_block_dim(
    body: &Body,
    equal: &dyn Fn(&Scalar, &Scalar) -> bool,
    known: &dyn Fn(&Scalar) -> Option<i64>,
    found: &mut Vec<Diagnostic>,
) {
    let mut first: Option<(&Scalar, SpanId)> = None;
    body.walk(&mut |s| {
        let StmtKind::Do(QueueStmt::Host { call: HostCall::Split { block_dim: Some(dim), .. } }) = &s.kind else { return };
        match &first {
            None => first = Some((dim, s.span)),
            Some((other, _)) if equal(other, dim) => {}
            Some((other, at)) => {
                let text = match (known(other), known(dim)) {
                    (Some(a), Some(b)) => {
                        format!("this `split` is for {b} blocks, another one for {a}; a launch has one block dim")
                    }
                    _ => "this `split` and another one ask for different block dims; a launch has one".to_string(),
                };
                let help = "leave all but one `block_dim` out: it holds for all";
                found.push(Diagnostic::new(Code::J0503, s.span, text).label(*at, "the other one").help(help));
            }
        }
    });
}
