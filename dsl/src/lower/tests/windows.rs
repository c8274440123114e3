//! Windows that one load replaces; a contiguous part of a load is never copied.

use super::look::words;
use super::*;
use crate::ir::{AxFrom, Extent, QueueStmt};
use crate::ops::{CopyOp, LayoutOp, Op};

fn image(body: &str) -> String {
    format!(
        "#[kernel] fn k(#[shape(h, w)] x: &GlobalTensor<f32>, #[shape(h, w)] u: &GlobalTensor<f32>, #[inplace] #[shape(h, w)] y: &mut GlobalTensor<f32>) \
         {{ for (r, t) in tiles((h, w)) {{ {body} }} }}"
    )
}

/// Returns the kernel after a pass that changed something.
fn after(pass: &str, text: &str) -> Option<Kernel> {
    tile_passes(&kernel(text), 0, Chip::default_chip())
        .into_iter()
        .find(|(name, _)| *name == pass)
        .map(|(_, kernel)| kernel)
}

/// Returns the numbers of rows by which hulls extend their runs.
fn beyond(kernel: &Kernel) -> Vec<i64> {
    let more = |from: &AxFrom| {
        if let AxFrom::Hull { more, .. } = from {
            Some(*more)
        } else {
            None
        }
    };
    kernel
        .tiles()
        .expect("a tile kernel")
        .axes
        .iter()
        .filter_map(|ax| more(&ax.from))
        .collect()
}

const LOAD: &str = "load_or(0.0)";

#[test]
fn windows_that_share_rows_are_one_load() {
    for (loads, more) in [
        ("x.at(r - 1, t).L + x.at(r + 0, t).L + x.at(r + 1, t).L", &[2][..]),
        // Windows at distances of whole steps.
        ("x.at(r * 2 - 1, t).L + x.at(r * 2, t).L + x.at(r * 2 + 1, t).L", &[1]),
        ("x.at(r * 3, t).L + x.at(r * 3 + 1, t).L + x.at(r * 3 + 3, t).L + x.at(r * 3 + 4, t).L + x.at(r * 3 + 5, t).L", &[1, 1]),
        // One load for each place along lanes, and for each tensor.
        ("x.at(r + 0, t + 0).L + x.at(r + 1, t + 0).L + x.at(r + 0, t + 1).L * x.at(r + 1, t + 1).L", &[1, 1]),
        ("x.at(r + 0, t).L + u.at(r + 1, t).L + x.at(r + 1, t).L + u.at(r + 2, t).L", &[1, 1]),
        ("x.at(r + 5, t).L + x.at(r + 7, t).L + x.at(r + 6, t).L", &[2]),
    ] {
        let text = image(&format!("y.at(r, t).store({});", loads.replace('L', LOAD)));
        let made = after("merge_windows", &text).unwrap_or_else(|| panic!("{loads}"));
        assert_eq!(beyond(&made), more, "{loads}");
    }
}

#[test]
fn what_gains_nothing_stays_as_it_is() {
    for body in [
        // Rows between that no window has; windows along lanes; other numbers around; another
        // tensor.
        "y.at(r, t).store(x.at(r + 0, t).L + x.at(r + 2, t).L);",
        "y.at(r, t).store(x.at(r, t + 0).L + x.at(r, t + 1).L);",
        "y.at(r, t).store(x.at(r + 0, t).L + x.at(r + 1, t).load_or(1.0));",
        "y.at(r, t).store(x.at(r + 0, t).L + u.at(r + 1, t).L);",
        // Steps of two at a distance of one; backwards; rows with another step.
        "y.at(r, t).store(x.at(r * 2, t).L + x.at(r * 2 + 1, t).L);",
        "y.at(r, t).store(x.at(h - 1 - r, t).L + x.at(h - r, t).L);",
        "y.at(r, t).store(x.at(r * 2, t).L + x.at(r + 1, t).L);",
        // Tensors that are stored to, and values that are compared.
        "let v = y.at(r, t).load(); y.at(r, t).store(v + y.at(r + 0, t).L);",
        "y.at(r, t).store(x.at(r + 0, t).L.gt(x.at(r + 1, t).L).select(1.0, 2.0));",
    ] {
        let text = image(&body.replace('L', LOAD));
        assert!(after("merge_windows", &text).is_none(), "{body}");
    }
    // A value whose rows are reduced has its own memory.
    let reduced =
        "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) { for r in tiles(n) { \
         y.at(r).store(x.at(r + 0, ..).load_or(0.0).sum(d) + x.at(r + 1, ..).load_or(0.0).sum(d)); } }";
    assert!(after("merge_windows", reduced).is_none());
}

#[test]
fn loops_over_windows_are_written_out() {
    let text = image("let mut s = full((r, t), 0.0); for p in 0..3 { for q in 0..3 { s = s + x.at(r + p - 1, t + q - 1).load_or(0.0); } } y.at(r, t).store(s);");
    let made = after("merge_windows", &text).expect("windows");
    assert_eq!(beyond(&made), [2, 2, 2]);
    let words = words(&made.sig, made.tiles().expect("a tile kernel"));
    assert_eq!(
        [
            words.matches("load x").count(),
            words.matches("pick").count()
        ],
        [3, 9],
        "{words}"
    );
    // Too many iterations, an unknown number of them, and windows that share no rows.
    for body in [
        "for p in 0..9 { s = s + x.at(r + p, t).load_or(0.0); }",
        "for p in 0..w { s = s + x.at(r + p, t).load_or(0.0); }",
        "for p in 0..3 { s = s + x.at(r, t + p).load_or(0.0); }",
        "for p in 0..3 { s = s + x.at(p, t).load_or(0.0); }",
    ] {
        let text = image(&format!(
            "let mut s = full((r, t), 0.0); {body} y.at(r, t).store(s);"
        ));
        assert!(
            after("unroll", &text).is_none() && after("merge_windows", &text).is_none(),
            "{body}"
        );
    }
}

#[test]
fn rows_in_one_piece_are_copied_nowhere() {
    let window =
        image("y.at(r, t).store(x.at(r - 1, t).load_or(0.0) * x.at(r + 0, t).load_or(0.0) - x.at(r + 1, t).load_or(0.0));");
    let whole = "#[kernel] fn k(#[shape(b, h, w)] x: &GlobalTensor<f32>, #[shape(b, oh = h - 1, w)] y: &mut GlobalTensor<f32>) { require(h >= 1); \
         for (i, t) in tiles((each(b), w)) { let v = x.at(i, .., t).load(); y.at(i, .., t).store(v.pick(h, oh.indices() + 1) * v.pick(h, oh.indices() + 0)); } }";
    for text in [&window, whole] {
        let lowering = lowerings(&kernel(text), Chip::default_chip()).remove(0);
        let (mut loads, mut moves) = (0, 0);
        lowering.lowered.variants[0].body.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind {
                loads += usize::from(matches!(
                    instr.op,
                    Op::Copy(CopyOp::In | CopyOp::InPad | CopyOp::InLead)
                ));
                moves += usize::from(instr.op == Op::Layout(LayoutOp::LocalCopy));
                assert!(!matches!(instr.extent, Extent::Fixed {}), "{text}");
            }
        });
        assert_eq!((loads, moves), (1, 0), "{text}");
    }
}
