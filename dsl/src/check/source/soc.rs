//! J0502: APIs that the chip lacks. J0503: block dims that no launch takes.

use crate::diag::{Code, Diagnostic};
use crate::ir::queue::Body;
use crate::ir::{
    HostCall, Kernel, Lowered, QueueStmt, Scalar, Source, SpanId, SyncOp, TileExpr, TileStmt,
};
use crate::ops::{CopyOp, LayoutOp, Op, ScalarOp};
use crate::soc::{Chip, MAX_BLOCK_DIM};

/// Checks the APIs and the launch limits of the chip.
pub fn check_apis(kernel: &Kernel, chip: &Chip, found: &mut Vec<Diagnostic>) {
    let mut exists = |op: Op, span: SpanId| {
        if op.def().dtypes(chip.arch).is_empty() {
            let by_bits = if op == Op::Layout(LayoutOp::GatherBits) {
                " by bits that follow one another"
            } else {
                ""
            };
            // The copy exists, but not its atomic operation on GM.
            let atomic = match op {
                Op::Copy(op @ (CopyOp::Max | CopyOp::MaxPad | CopyOp::Min | CopyOp::MinPad)) => {
                    op.atomic()
                }
                _ => None,
            };
            let lacks = atomic.unwrap_or(op.def().ascendc);
            let d = Diagnostic::new(
                Code::J0502,
                span,
                format!("{} has no {lacks}{by_bits}", chip.name),
            );
            found.push(match (op, atomic) {
                (Op::Copy(_), Some(_)) => {
                    d.help("store what each block has found to a part of its own, which another launch joins")
                }
                (Op::Copy(_), None) => d
                    .help("use `data_copy` with a multiple of 32 bytes")
                    .word(span, "data_copy_pad", "data_copy")
                    .maybe(),
                _ => d,
            });
        }
    };
    let (mut dims, mut meeting) = (Vec::new(), None);
    let no_meeting = |(span, lacks, _): (SpanId, &str, &str)| {
        // Without cross-core flags, SyncAll polls a zeroed workspace through its own UB
        // (asc-devkit, page of SyncAll).
        let text = format!(
            "{} has no {lacks}, and the form of SyncAll in software is not offered yet",
            chip.name
        );
        let note = "that one needs a workspace that the host sets to zero before each launch, and UB of 32 bytes a block";
        Diagnostic::new(Code::J0502, span, text)
            .note(note.to_string())
            .help("let two launches do what stands before and behind it")
    };
    match &kernel.body {
        Source::Tile(body) => body.walk(&mut |s| match s.own() {
            Some(TileStmt::Def {
                expr: TileExpr::Op { op, .. },
                ..
            }) => exists(*op, s.span),
            Some(TileStmt::Def {
                expr: TileExpr::Top { .. },
                ..
            }) => exists(LayoutOp::Top.into(), s.span),
            Some(TileStmt::Append { .. }) => exists(LayoutOp::GatherBits.into(), s.span),
            Some(TileStmt::Dump { .. }) => exists(ScalarOp::Dump.into(), s.span),
            Some(TileStmt::Loop { tile }) => {
                dims.extend(tile.block_dim.clone().map(|d| (d, s.span)))
            }
            // Every chip supports loads, stores and control.
            Some(
                TileStmt::Def { .. }
                | TileStmt::Set { .. }
                | TileStmt::Store { .. }
                | TileStmt::Read { .. },
            )
            | None => {}
        }),
        Source::Queue(body) => {
            let mut placed = None;
            body.walk(&mut |s| match s.own() {
                Some(QueueStmt::Place { .. }) => placed = placed.or(Some(s.span)),
                Some(QueueStmt::Instr { instr }) => exists(instr.op, s.span),
                Some(QueueStmt::Sync {
                    what: SyncOp::All {},
                }) => meeting = meeting.or(Some((s.span, "SyncAll in hardware", "`sync_all`"))),
                Some(QueueStmt::Sync {
                    what: SyncOp::CrossSet { .. } | SyncOp::CrossWait { .. },
                }) => {
                    meeting = meeting.or(Some((
                        s.span,
                        "flags across the cores",
                        "a flag across the cores",
                    )));
                }
                Some(QueueStmt::Host {
                    call: HostCall::Split { block_dim, .. },
                }) => dims.extend(block_dim.clone().map(|d| (d, s.span))),
                // All chips have queues, buffers and flags from pipe to pipe.
                Some(
                    QueueStmt::Host {
                        call: HostCall::FitTile { .. },
                    }
                    | QueueStmt::Queue { .. }
                    | QueueStmt::Get { .. }
                    | QueueStmt::View { .. }
                    | QueueStmt::Sync { .. }
                    | QueueStmt::Reset { .. }
                    | QueueStmt::Call { .. },
                )
                | None => {}
            });
            without_tpipe(body, placed, chip, found);
        }
    }
    found.extend(
        meeting
            .filter(|_| !chip.has_cross_core_sync)
            .map(no_meeting),
    );
    let most = if meeting.is_some() {
        chip.vector_cores
    } else {
        MAX_BLOCK_DIM
    };
    for (dim, span) in dims {
        if let Scalar::Int(n) = dim {
            if let (Some((meeting, _, at)), true) =
                (meeting, (most + 1..=MAX_BLOCK_DIM).contains(&n))
            {
                let text = format!(
                    "block_dim is {n}, but blocks that meet in {at} must run at once, and {} has {most} vector cores",
                    chip.name
                );
                let d = Diagnostic::new(Code::J0503, span, text)
                    .label(meeting, "here every block waits for all others");
                found.push(d.number("found", n).number("allowed", most).help(
                    "leave `block_dim` out: it is never more than the chip of the launch has",
                ));
            }
            if !(1..=MAX_BLOCK_DIM).contains(&n) {
                let text = format!("block_dim is {n}; a launch takes 1 to {MAX_BLOCK_DIM}");
                let d = Diagnostic::new(Code::J0503, span, text)
                    .number("found", n)
                    .number("allowed", MAX_BLOCK_DIM);
                let d = d.help(format!(
                    "{} runs {} vector cores at once",
                    chip.name, chip.vector_cores
                ));
                found.push(
                    d.word(span, &n.to_string(), chip.vector_cores.to_string())
                        .maybe(),
                );
            }
        }
    }
}

/// Reports J0502 for calls of a lowered tile kernel that the chip lacks. [`check_apis`] sees only
/// the ops of tiles, not the calls that they become.
pub fn check_lowered_apis(lowered: &Lowered, chip: &Chip, found: &mut Vec<Diagnostic>) {
    let mut told: Vec<Op> = Vec::new();
    let own = lowered.variants.iter().map(|variant| &variant.body);
    for body in own.chain(lowered.funcs.iter().map(|func| &func.body)) {
        body.walk(&mut |s| {
            let Some(QueueStmt::Instr { instr }) = s.own() else {
                return;
            };
            let def = instr.op.def();
            if def.dtypes(chip.arch).is_empty() && !told.contains(&instr.op) {
                told.push(instr.op);
                let text = format!("{} has no {}, which this becomes", chip.name, def.ascendc);
                let d = Diagnostic::new(Code::J0502, s.span, text);
                found.push(
                    d.help("compute it with other ops; `jumar ops` lists those of each chip"),
                );
            }
        });
    }
}

/// Reports J0502 for calls that ask a TPipe for event ids, in a kernel whose author places tensors.
fn without_tpipe(body: &Body, placed: Option<SpanId>, chip: &Chip, found: &mut Vec<Diagnostic>) {
    let Some(placed) = placed else { return };
    let refuse = |name: &str, help: &str, span: SpanId| {
        let text = format!("{name} asks a TPipe for the ids of its events, and a kernel of placed tensors has none");
        Diagnostic::new(Code::J0502, span, text)
            .label(placed, "placed here")
            .help(help)
    };
    let not_placed = "take TBufs from a TPipe in place of placed tensors";
    body.walk(&mut |s| {
        if s.is_meeting() {
            found.push(refuse("SyncAll", not_placed, s.span));
        }
        let Some(QueueStmt::Instr { instr }) = s.own() else {
            return;
        };
        if instr.op.asks_tpipe(chip.arch) {
            let repeats = "`whole_reduce_sum` and its like reduce repeat by repeat";
            let help = if matches!(instr.op, Op::Reduce(_)) {
                repeats
            } else {
                not_placed
            };
            found.push(refuse(instr.op.def().ascendc, help, s.span));
        }
    });
}
