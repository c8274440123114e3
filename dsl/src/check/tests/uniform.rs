//! Meetings of all blocks: who comes to them. What parts the blocks stands in `pairs/j04.rs`.

use super::*;

#[test]
fn every_block_comes_to_every_meeting() {
    judge(CASES, with_tensors, "ascend910b1");
    judge(&["sync_all(); //^ J0502"], with_tensors_aligned, "ascend310p");
}

/// `k`, `flag` and `n` are the host's.
const CASES: &[&str] = &[
    "sync_all();",
    "sync_all(1); //^ J0106",
    // What the host decides is the same in every block.
    "if flag { sync_all(); } else { sync_all(); }",
    "for i in 0..k { if i < 3 && n > get_block_num() { sync_all(); } }",
    "let mut turns = 0; for i in 0..k { turns += i; } for i in 0..turns { sync_all(); }",
];

#[test]
fn blocks_that_meet_run_at_once() {
    let launch = |dim: &str| with_tensors("sync_all();").replace(".unit(8)", &format!(".unit(8).block_dim({dim})"));
    let cases = [launch("48"), launch("49").replace(".block_dim(49);", ".block_dim(49); //^ J0503")];
    judge(&[&cases[0], &cases[1]], str::to_string, "ascend910b1");
    // One block meets nobody.
    let one = launch("1").replace("sync_all();", "if get_block_idx() == 0 { sync_all(); }");
    judge(&[&one], str::to_string, "ascend910b1");
}
