//! Calls with masks and strides, which the lowering alone writes: they reach as far as mask, repeats and strides say, no further.

use super::*;
use crate::ir::{Arg, Extent, Lanes, Layout, Stmt, StmtKind};
use crate::ops::Op;

/// The extent of a call.
enum Form {
    Repeat(i64, i64),
    /// In counter mode, so many elements.
    Counter(i64),
}

/// Codes of a kernel whose call on `c1` has this extent, and operands that begin at `offset`.
fn codes(form: &Form, layout: &Layout, offset: i64) -> Vec<String> {
    let text = with_tensors("vec::adds(&c1, &c1, 1.0, 64);");
    let mut parsed = parse_file(&text).unwrap_or_else(|(d, _)| panic!("{}", d.message));
    let kernel = parsed.remove(0).kernel.expect("a kernel");
    let mut lowered = lower(&kernel, 0, Chip::default_chip()).expect("a kernel that lowers").lowered;
    let stmts = &mut lowered.variants[0].body.stmts;
    let is_call = |s: &Stmt| matches!(&s.kind, StmtKind::Instr { instr } if matches!(instr.op, Op::BinaryScalar(_)));
    let at = stmts.iter().position(is_call).expect("the call");
    let mut call = stmts[at].clone();
    let StmtKind::Instr { instr } = &mut call.kind else { unreachable!("it was found as one") };
    instr.extent = match form {
        Form::Repeat(mask, repeat) => Extent::Repeat { mask: Lanes::first(*mask), repeat: (*repeat).into() },
        Form::Counter(n) => Extent::Counter { n: (*n).into() },
    };
    for arg in &mut instr.args {
        if let Arg::View { view } = arg {
            (view.layout, view.offset) = (layout.clone(), offset.into());
        }
    }
    stmts[at] = call;
    let found = check_lowered(&lowered, Level::Queue, &[], Chip::default_chip());
    found.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[test]
fn a_call_with_strides_reaches_to_the_end_of_its_last_block() {
    // `c1` holds 2048 elements: 32 repeats of 64, or 256 data blocks of 8.
    let blocks = |blk: i64, rep: i64| Layout::Blocks { blk: blk.into(), rep: rep.into() };
    for (form, layout, offset, fits) in [
        (Form::Repeat(64, 32), blocks(1, 8), 0, true),
        (Form::Repeat(64, 33), blocks(1, 8), 0, false),
        (Form::Repeat(64, 32), blocks(1, 8), 8, false),
        (Form::Repeat(64, 31), blocks(1, 8), 64, true),
        (Form::Repeat(64, 16), blocks(2, 16), 0, true),
        (Form::Repeat(64, 16), blocks(2, 16), 8, true),
        (Form::Repeat(64, 16), blocks(2, 16), 16, false),
        (Form::Repeat(64, 17), blocks(2, 16), 0, false),
        (Form::Repeat(64, 255), blocks(1, 0), 1984, true),
        (Form::Repeat(64, 255), blocks(1, 0), 1992, false),
        (Form::Repeat(64, 249), blocks(1, 1), 0, true),
        (Form::Repeat(64, 250), blocks(1, 1), 0, false),
        (Form::Repeat(64, 255), blocks(0, 1), 8, true),
        (Form::Repeat(64, 255), blocks(0, 1), 16, false),
        (Form::Repeat(64, 32), Layout::Dense {}, 0, true),
        (Form::Repeat(64, 33), Layout::Dense {}, 0, false),
        (Form::Repeat(8, 32), Layout::Dense {}, 56, true),
        (Form::Repeat(8, 32), Layout::Dense {}, 64, false),
        (Form::Counter(2048), blocks(1, 8), 0, true),
        (Form::Counter(2049), blocks(1, 8), 0, false),
        (Form::Counter(1024), blocks(2, 16), 8, true),
        (Form::Counter(1024), blocks(2, 16), 16, false),
        (Form::Counter(64), blocks(1, 8), 1984, true),
        (Form::Counter(65), blocks(1, 8), 1984, false),
        (Form::Counter(256), blocks(0, 64), 504, true),
        (Form::Counter(256), blocks(0, 64), 512, false),
    ] {
        let found = codes(&form, &layout, offset);
        let right = if fits { found.is_empty() } else { found.iter().any(|f| f.starts_with("J0309")) };
        let form = match form {
            Form::Repeat(mask, repeat) => format!("{repeat} repeats of {mask}"),
            Form::Counter(n) => format!("a count of {n}"),
        };
        assert!(right, "{form}, {layout:?} from {offset}: {found:?}");
    }
}

#[test]
fn a_call_with_strides_begins_at_a_data_block() {
    for (offset, code) in [(8, None), (4, Some("J0307")), (7, Some("J0307"))] {
        let found = codes(&Form::Repeat(64, 1), &Layout::Blocks { blk: 1.into(), rep: 8.into() }, offset);
        assert_eq!(found.first().map(|f| &f[..5]), code, "{offset}: {found:?}");
    }
}
