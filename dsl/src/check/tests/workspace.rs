//! Workspaces: their sizes on the host, their bounds, and stores of several blocks.

use super::*;

#[test]
fn a_workspace_is_judged_like_a_tensor_that_the_caller_gives() {
    judge(CASES, with_results, "ascend910b1");
}

/// Extends [`with_tensors`] by `o1`, a tensor of results that has gone through its queue.
fn with_results(case: &str) -> String {
    let (requires, body) = case.split_once(";;").unwrap_or(("", case));
    with_tensors(&format!(
        "{requires};;let o1 = b.alloc_tensor::<f32>(); vec::duplicate(&o1, 0.0, 2048); b.enque(o1); let o1 = b.deque::<f32>();\n{body}\nb.free_tensor(o1);"
    ))
}

/// `a1` and `o1` have 2048 elements of `f32`; the host knows `k`, `m` and `d`.
const CASES: &[&str] = &[
    // Sizes that the host knows, at the top of the body.
    "let p = workspace::<f32>(get_block_idx() + 8); //^ J0601",
    "let p = workspace::<f32>(share.len()); //^ J0601",
    "if k > 0 {\nlet p = workspace::<f32>(8); //^ J0601\n}",
    "let p = workspace::<f32>(-8); //^ J0208",
    "let p = workspace::<f32>(size_of::<f32>() - 8); //^ J0208",
    "let p = workspace(8); //^ J0106",
    "let p = workspace::<f32>(8, 8); //^ J0106",
    "let p = workspace::<f32>(8).len(); //^ J0106",
    "let p = workspace::<f32>(8); p.len(8); //^ J0106",
    "let p = workspace::<f32>(8);\ndata_copy_pad(&o1, p); //^ J0106",
    "let p = workspace::<f32>(8);\np.load(0); //^ J0103",
    // Bounds.
    "let p = workspace::<f32>(64); data_copy_pad(&a1, p.slice(56, 8));",
    "let p = workspace::<f32>(64);\ndata_copy_pad(&a1, p.slice(57, 8)); //^ J0308",
    "let p = workspace::<f32>(k);\ndata_copy_pad(&a1, p.slice(0, k.min(2048)));\ndata_copy_pad(&a1, p.slice(1, k.min(2048))); //^ J0602",
    "let p = workspace::<f32>(k * d); if d <= 2048 { for i in 0..k { data_copy_pad(&a1, p.slice(i * d, d)); } }",
    "let p = workspace::<f32>(k * 8); data_copy_pad(&a1, p.slice(0, p.len().min(2048)));",
    "let p = workspace::<f16>(64);\ndata_copy_pad(&a1, p.slice(0, 8)); //^ J0201",
    // Each block has its own part.
    "let p = workspace::<f32>(get_block_num() * 8); data_copy_pad(p.slice(get_block_idx() * 8, 8), &o1);",
    "let p = workspace::<f32>(get_block_num() * 8);\ndata_copy_pad(p.slice(get_block_idx() * 8 + 1, 8), &o1); //^ J0602",
    "let p = workspace::<f32>(get_block_num() * 8);\ndata_copy_pad(&a1, p.slice(get_block_num() * 8, 8)); //^ J0308",
    "let p = workspace::<f32>(get_block_num() * 8);\ndata_copy_pad(p.slice(0, 8), &o1); //^ J0505",
    // Two copies to one place.
    "let p = workspace::<f32>(get_block_num() * 8);\nfor i in 0..2 {\ndata_copy_pad(p.slice(get_block_idx() * 8, 8), &o1);\n}",
];
