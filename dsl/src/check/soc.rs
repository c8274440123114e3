//! What the chip has, and which sizes the host must know.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Kernel, Scalar, SpanId, StmtKind};
use crate::ops::Op;
use crate::soc::{Chip, MAX_BLOCK_DIM};

/// APIs and launch limits of the chip.
pub(super) fn check_apis(kernel: &Kernel, chip: &Chip, found: &mut Vec<Diagnostic>) {
    let mut exists = |op: Op, span: SpanId| {
        if op.def().dtypes(chip.arch).is_empty() {
            let d = Diagnostic::new(Code::J0502, span, format!("{} has no {}", chip.name, op.def().ascendc));
            let help = "use `data_copy` with a whole number of 32-byte data blocks";
            found.push(if matches!(op, Op::Copy(_)) { d.help(help) } else { d });
        }
    };
    let mut dims = Vec::new();
    kernel.body.walk(&mut |s| match &s.kind {
        StmtKind::Instr { instr } => exists(instr.op, s.span),
        StmtKind::Loop { tile } => dims.extend(tile.block_dim.clone().map(|d| (d, s.span))),
        StmtKind::Split { block_dim, .. } => dims.extend(block_dim.clone().map(|d| (d, s.span))),
        _ => {}
    });
    for (dim, span) in dims {
        if let Scalar::Int(n) = dim {
            if !(1..=MAX_BLOCK_DIM).contains(&n) {
                let text = format!("block_dim is {n}; a launch takes 1 to {MAX_BLOCK_DIM}");
                let d = Diagnostic::new(Code::J0503, span, text).number("found", n).number("allowed", MAX_BLOCK_DIM);
                found.push(d.help(format!("{} runs {} vector cores at once", chip.name, chip.vector_cores)));
            }
        }
    }
}
