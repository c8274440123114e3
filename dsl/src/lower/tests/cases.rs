//! The cases of a kernel: their number and names, and the conditions that stay branches.

use super::look::{kernel, lowerings};
use super::*;

/// Lowers a kernel over rows with the given body.
fn lowered(body: &str) -> Lowering {
    // A kernel may have no output that it never stores to.
    let c = if body.contains("c.at") {
        "#[shape(n)] c: Option<&mut GlobalTensor<f32>>, "
    } else {
        ""
    };
    let head =
        "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: Option<&GlobalTensor<f32>>, #[shape(n)] k: &GlobalTensor<i32>, \
                #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, p: f32, a: bool, b: bool, e: bool, f: bool, g: bool";
    lowerings(
        &kernel(&format!("#[kernel] fn k({c}{head}) {{ {body} }}")),
        Chip::default_chip(),
    )
    .remove(0)
}

/// Wraps statements in a loop over rows.
fn rows(body: &str) -> String {
    format!("for r in tiles(n) {{ let mut v = x.at(r, ..).load(); {body} y.at(r, ..).store(v); }}")
}

#[test]
fn each_outcome_is_a_case_of_its_own() {
    for (body, want) in [
        ("", &[""][..]),
        ("if a { v = v + 1.0; }", &["a", "!a"]),
        // A value that only the core knows makes no condition of the host, nor does a branch
        // without tiles.
        (
            "if k.at(r.start()).load().scalar() > 0 { v = v + 1.0; }",
            &[""],
        ),
        ("let mut s = 1.0; if a { s = 2.0; } v = v * s;", &[""]),
        ("for i in 0..3 { if i > 1 { v = v + 1.0; } }", &[""]),
        // One condition twice, and conditions that follow from it.
        (
            "if a { v = v + 1.0; } if !a { v = v * 2.0; } if a && b { v = v.abs(); }",
            &["a, a && b", "a, !(a && b)", "!a"],
        ),
        (
            "if n > 4 { v = v + 1.0; } if n > 8 { v = v * 2.0; }",
            &["n > 4, n > 8", "n > 4, !(n > 8)", "!(n > 4)"],
        ),
        ("if n >= 0 { v = v + 1.0; }", &[""]),
        // Conditions inside of an arm are asked there alone.
        (
            "if a { if b { v = v + 1.0; } } else { if e { v = v * 2.0; } }",
            &["a, b", "a, !b", "!a, e", "!a, !e"],
        ),
        // The negation of a comparison is no opposite comparison, because of nan.
        (
            "if p > 0.0 { v = v + 1.0; } if p > 0.0 { v = v.abs(); }",
            &["p > 0.0", "!(p > 0.0)"],
        ),
        (
            "v = v * w.or_full(1.0).at(..).load(); v = v + w.or_full(0.0).at(..).load();",
            &["w.is_some()", "w.is_none()"],
        ),
        (
            "if let Some(c) = c { c.at(r).store(v.amax(d)); }",
            &["c.is_some()", "c.is_none()"],
        ),
    ] {
        let lowering = lowered(&rows(body));
        let names: Vec<String> = lowering
            .lowered
            .cases
            .iter()
            .map(|case| case.said())
            .collect();
        assert_eq!(names, want, "{body}");
        assert!(lowering.branches.is_empty(), "{body}");
        let all = lowering
            .lowered
            .variants
            .iter()
            .map(|variant| variant.case)
            .collect::<std::collections::BTreeSet<_>>();
        assert_eq!(all.len(), names.len(), "{body}");
    }
}

#[test]
fn what_decides_most_is_told_apart_where_there_are_too_many() {
    let all = "if let Some(c) = c { c.at(r).store(v.amax(d)); } if a { v = v + 1.0; } if b { v = v * 2.0; } if e { v = v.abs(); } if f { v = -v; } ";
    let lowering = lowered(&rows(all));
    assert_eq!(lowering.lowered.cases.len(), 16);
    let left: Vec<&str> = lowering
        .branches
        .iter()
        .map(|note| &note.text[..])
        .collect();
    assert!(
        matches!(left[..], [one] if one.starts_with("with `c.is_some()`")),
        "{left:?}"
    );
    assert!(lowering.lowered.keys >= lowering.lowered.variants.len() as i64);
    // The keys of both instances are disjoint.
    let keys = |instance| {
        crate::tiling::tiling_key(
            &Lowered {
                instance,
                ..lowering.lowered.clone()
            },
            0,
        )
    };
    assert!(keys(1) - keys(0) >= lowering.lowered.variants.len() as i64);
}

#[test]
fn an_arm_that_is_not_taken_costs_nothing() {
    // Describes the variants of the last case: their names and their memory in UB.
    let last = |body: &str| {
        let Lowered {
            cases, variants, ..
        } = lowered(&rows(body)).lowered;
        let of_case = variants
            .into_iter()
            .filter(|variant| variant.case + 1 == cases.len());
        of_case
            .map(|v| (v.name, v.body.queues.len(), v.body.bufs.len()))
            .collect::<Vec<_>>()
    };
    let plain = last("v = v.exp();");
    assert_eq!(
        plain
            .iter()
            .map(|(name, ..)| name.as_str())
            .collect::<Vec<_>>(),
        ["resident", "streamed"]
    );
    let body = "if a { for i in 0..3 { v = v * v.sum(d); } v = v * w.or_full(1.0).at(..).load() + x.at(r, ..).load().sqrt(); } v = v.exp();";
    assert_eq!(last(body), plain);
}

#[test]
fn a_case_without_work_launches_a_block_that_does_nothing() {
    let lowering = lowered("if a { for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load()); } }");
    let variants = &lowering.lowered.variants;
    assert_eq!(
        variants
            .last()
            .map(|v| (v.name.as_str(), v.body.stmts.len())),
        Some(("nothing", 0))
    );
    assert!(variants[0].body.stmts.len() > 1);
}

#[test]
fn a_part_of_rows_that_begins_at_a_data_block_is_gathered_nowhere() {
    let text = |ty: &str| {
        format!(
            "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<{ty}>, #[shape(n, d)] y: &mut GlobalTensor<{ty}>) {{ require(d % 2 == 0); let c = new_axis(d / 2);
             for r in tiles(n) {{ let v = x.at(r, ..).load() * x.at(r, ..).load(); let (a, b) = (v.pick(d, c.indices() + 0), v.pick(d, c.indices() + d / 2));
             y.at(r, c.indices() + 0).store(b); y.at(r, c.indices() + d / 2).store(a + b); }} }}"
        )
    };
    for (ty, want) in [("f16", [0, 1]), ("f32", [0, 1]), ("i32", [2, 2])] {
        let Lowered {
            cases, variants, ..
        } = lowerings(&kernel(&text(ty)), Chip::default_chip())
            .remove(0)
            .lowered;
        let names: Vec<String> = cases.iter().map(|case| case.said()).collect();
        assert_eq!(names, ["d / 2 % 16 == 0", "!(d / 2 % 16 == 0)"], "{ty}");
        let gathers = |variant: &Variant| {
            let mut found = 0;
            let op = crate::ops::Op::Layout(crate::ops::LayoutOp::Gather);
            variant.body.walk(&mut |s| {
                found += usize::from(matches!(&s.kind, StmtKind::Do(queue::QueueStmt::Instr { instr }) if instr.op == op))
            });
            found
        };
        assert_eq!(
            variants.iter().map(gathers).collect::<Vec<_>>(),
            want,
            "{ty}"
        );
    }
}
