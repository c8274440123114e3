//! Barriers of all blocks that every block reaches. `pairs/j04.rs` has those that only some reach.

use super::*;

#[test]
fn every_block_comes_to_every_meeting() {
    judge(CASES, with_tensors, "ascend910b1");
    judge(
        &[
            "sync_all(); //^ J0502",
            "cross_core_set_flag::<0, PIPE_V>(0); //^ J0502\ncross_core_wait_flag(0);",
        ],
        with_tensors_aligned,
        "ascend310p",
    );
}

#[test]
fn an_output_that_may_be_left_out_is_not_told_to_be_in_place() {
    for (y, help) in [
        (
            "Option<&mut GlobalTensor<f32>>",
            "declare it without `Option` and `#[inplace]`, and hand zeros in",
        ),
        (
            "&mut GlobalTensor<f32>",
            "declare it `#[inplace]` and hand zeros in",
        ),
    ] {
        let store = "y.at(t).atomic_add(v);";
        let store = if y.starts_with('O') {
            format!("if let Some(y) = y {{ {store} }}")
        } else {
            store.to_string()
        };
        let text = format!(
            "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, #[shape(n)] y: {y}) {{\n\
             for t in tiles(n) {{ let v = x.at(t).load(); z.at(t).store(v); {store} }}\n}}"
        );
        let (found, said) = findings(&text, Chip::by_name("ascend310p").expect("a chip"));
        assert!(
            found.iter().all(|(_, code)| code == "J0502") && said.contains(help),
            "{y}: {said}"
        );
    }
}

/// The host knows `k`, `flag` and `n`.
const CASES: &[&str] = &[
    "sync_all();",
    "sync_all(1); //^ J0106",
    // A decision of the host is equal in every block.
    "if flag { sync_all(); } else { sync_all(); }",
    "for i in 0..k { if i < 3 && n > get_block_num() { sync_all(); } }",
    "let mut turns = 0; for i in 0..k { turns += i; } for i in 0..turns { sync_all(); }",
];

#[test]
fn blocks_that_meet_run_at_once() {
    let launch = |dim: &str| {
        with_tensors("sync_all();").replace(".unit(8)", &format!(".unit(8).block_dim({dim})"))
    };
    let cases = [
        launch("48"),
        launch("49").replace(".block_dim(49);", ".block_dim(49); //^ J0503"),
    ];
    judge(&[&cases[0], &cases[1]], str::to_string, "ascend910b1");
    // A single block waits for nobody.
    let one = launch("1").replace("sync_all();", "if get_block_idx() == 0 { sync_all(); }");
    judge(&[&one], str::to_string, "ascend910b1");
}
