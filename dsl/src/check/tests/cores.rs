//! Stores of several blocks to one place.

use super::*;

#[test]
fn stores_at_one_place_are_judged_by_who_stores_and_what() {
    judge(CASES, with_sums, "ascend910b1");
}

/// `p` is a VECOUT tensor with the sum of the block's share, `q` one with the first 8 elements of `x`.
fn with_sums(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(8)] z: &GlobalTensor<f32>, #[shape(4096)] y: &mut GlobalTensor<f32>, flag: bool) {{\n\
         require(n >= 8);\nlet share = split(n).unit(8);\nlet (at, len) = (share.start(), share.len().min(2048));\n\
         let mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 1, 8192);\npipe.init_buffer(&mut b, 2, 8192);\npipe.init_buffer(&mut c, 1, 8192);\nlet w = c.get::<f32>();\n\
         let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len)); a.enque(t); let t = a.deque::<f32>();\n\
         let p = b.alloc_tensor::<f32>(); vec::reduce_sum(&p, &t, &w, len); b.enque(p); a.free_tensor(t);\n\
         let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, z.slice(0, 8)); a.enque(t); let t = a.deque::<f32>();\n\
         let q = b.alloc_tensor::<f32>(); vec::relu(&q, &t, 8); b.enque(q); a.free_tensor(t);\n\
         let p = b.deque::<f32>(); let q = b.deque::<f32>();\n{body}\nb.free_tensor(p); b.free_tensor(q);\n}}"
    )
}

const CASES: &[&str] = &[
    // Each block at a place of its own.
    "if get_block_idx() < 4096 { let at = get_block_idx(); data_copy_pad(y.slice(at, 1), &p); }",
    "data_copy_pad(y.slice(0, 1), &p); //^ J0505",
    "data_copy_pad(y.slice(0, 8), &q); //^ J0505",
    "if share.len() > 0 {\ndata_copy_pad(y.slice(0, 8), &q); //^ J0505\n}",
    "if flag {\ndata_copy_pad(y.slice(0, 1), &p); //^ J0505\n}",
    // One block, and what all blocks have alike.
    "if get_block_idx() == 0 { data_copy_pad(y.slice(0, 8), &q); }",
    "if share.start() == 0 { data_copy_pad(y.slice(8, 8), &q); }",
    "if get_block_idx() == 0 { for i in 0..4 { data_copy_pad(y.slice(i * 8, 8), &q); } }",
    // One block, and its own part.
    "if get_block_idx() == 0 {\ndata_copy_pad(y.slice(0, 1), &p); //^ J0505\n}",
    "if share.start() == 0 { if flag {\ndata_copy_pad(y.slice(0, 1), &p); //^ J0505\n} }",
    "let first = get_block_idx() < 1;\nif flag { } else if first {\ndata_copy_pad(y.slice(4, 1), &p); //^ J0505\n}",
];
