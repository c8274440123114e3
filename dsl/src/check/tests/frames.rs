//! Kernels around a few statements: they supply everything that is not the point of a row.

/// Returns a kernel with a VECIN queue `a` and a VECOUT queue `b` of two buffers of 8192 bytes
/// each, and a TBuf `c` of 8192 bytes. Every block has its own share of the outputs.
pub(super) fn with_queues(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool, turns: usize) {{\n\
         let share = split(x.len()).unit(8);\nlet (at, len) = (share.start(), share.len().min(2048));\n\
         let mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 2, 8192);\npipe.init_buffer(&mut b, 2, 8192);\npipe.init_buffer(&mut c, 1, 8192);\n\
         let t = b.alloc_tensor::<f32>();\nvec::duplicate(&t, 0.0, len);\nb.enque(t);\n\
         let t = b.deque::<f32>();\ndata_copy_pad(y.slice(at, len), &t);\nb.free_tensor(t);\n{body}\n}}"
    )
}

/// Adds more tensors to these queues and buffer. `case` is the requirements of the kernel, then
/// `;;`, then its statements. `a1` is an allocated tensor of the VECIN queue, `c1` the TBuf.
pub(super) fn with_tensors(case: &str) -> String {
    let (requires, body) = case.split_once(";;").unwrap_or(("", case));
    let requires = if requires.is_empty() {
        String::new()
    } else {
        format!("{requires};")
    };
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(64)] z: &GlobalTensor<f32>,\n\
         #[shape(r, d)] v: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, at: usize, k: usize, flag: bool, s: i32) {{\n\
         {requires}\nlet share = split(x.len()).unit(8);\nlet len = share.len().min(2048);\nlet mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 2, 8192);\npipe.init_buffer(&mut b, 2, 8192);\npipe.init_buffer(&mut c, 1, 8192);\n\
         let t = b.alloc_tensor::<f32>();\nlet c1 = c.get::<f32>();\nvec::duplicate(&t, 0.0, len);\nb.enque(t);\n\
         let t = b.deque::<f32>();\ndata_copy_pad(y.slice(share.start(), len), &t);\nb.free_tensor(t);\n\
         let a1 = a.alloc_tensor::<f32>();\n{body}\na.free_tensor(a1);\n}}"
    )
}

/// Returns a kernel with two placed tensors of 64 elements, `t` and `u`, without values. At its end
/// it stores a tensor from elsewhere.
pub(super) fn with_placed(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(64)] z: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, flag: bool, turns: usize) {{\n\
         let share = split(n).unit(8);\nlet (at, len) = (share.start(), share.len().min(2048));\n\
         let (t, u) = (LocalTensor::<f32>::new(VecCalc, 0, 64), LocalTensor::<f32>::new(VecCalc, 256, 64));\n{body}\n\
         pipe_barrier::<PIPE_ALL>();\nlet o = LocalTensor::<f32>::new(VecOut, 1024, 2048);\nvec::duplicate(&o, 0.0, len);\n\
         set_flag::<V_MTE3>(0);\nwait_flag::<V_MTE3>(0);\ndata_copy_pad(y.slice(at, len), &o);\n}}"
    )
}

/// Returns a kernel of four blocks `b`, each with 256 elements of `y` from `at` on. It has a tensor
/// `o` of 64 ones, one `t` without values, and a workspace `w` of 64 elements. It orders pipes by
/// hand.
pub(super) fn with_lines(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[inplace] #[shape(1024)] y: &mut GlobalTensor<f32>, flag: bool, turns: usize) {{\n\
         let w = workspace::<f32>(64);\nlet share = split(4).block_dim(4);\nlet b = share.start().min(3);\nlet at = b * 256;\n\
         let mut pipe = TPipe::new();\nlet mut c = TBuf::<VecCalc>::new();\npipe.init_buffer(&mut c, 1, 512);\n\
         let o = c.get::<f32>();\nlet t = o.at(64);\n\
         vec::duplicate(&o, 1.0, 64);\npipe_barrier::<PIPE_ALL>();\n{body}\n}}"
    )
}

/// Extends [`with_tensors`] for chips with or without DataCopyPad by a second TBuf `e` of 8192
/// bytes, whose tensor is `e1`.
pub(super) fn with_two_buffers(case: &str) -> String {
    let (requires, body) = case
        .split_once(";;")
        .unwrap_or(("require(k <= 4096)", case));
    with_tensors_aligned(&format!(
        "{requires};;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\n{body}"
    ))
}

/// Adapts [`with_tensors`] to chips without DataCopyPad: `x` has whole data blocks.
pub(super) fn with_tensors_aligned(case: &str) -> String {
    let (requires, body) = case.split_once(";;").unwrap_or(("", case));
    let requires = if requires.is_empty() {
        String::new()
    } else {
        format!("{requires}; ")
    };
    with_tensors(&format!("{requires}require(n % 8 == 0);;{body}"))
        .replace("data_copy_pad", "data_copy")
}

/// Returns a kernel with a pipe `pipe` and a VECOUT queue `o` of one buffer of 32 bytes. A row
/// declares more.
pub(super) fn with_pipe(body: &str) -> String {
    format!(
        "#[kernel]\n#[instances(f16, f32)]\nfn k<T: Float>(#[shape(n)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, given: usize) {{\n\
         let share = split(x.len()).unit(16);\nlet mut pipe = TPipe::new();\n\
         let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32);\n{body}\n\
         let t = o.alloc_tensor::<T>(); o.enque(t); let t = o.deque::<T>(); data_copy(y.slice(share.start(), 0), &t); o.free_tensor(t);\n}}"
    )
}

/// Returns a kernel where `p` is a VECOUT tensor with the sum of the block's share, and `q` one
/// with the first 8 elements of `x`.
pub(super) fn with_sums(body: &str) -> String {
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

/// Returns a loop over tiles: `h` is one of `T`, and `v` and `w` are of f32.
pub(super) fn in_tiles(body: &str) -> String {
    format!(
        "#[kernel]\nfn k<T: Float>(x: &GlobalTensor<T>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32, n: usize, flag: bool) {{\n\
         for t in tiles(x) {{\nlet h = x.at(t).load(); let v = h.cast::<f32>(); let w = w.at(t).load(); y.at(t).store(v);\n{body}\n}}\n}}"
    )
}

/// Returns a loop over rows of `d` columns: `v` is a tile, `c` a column of it and `g` a row, all of
/// f32. `y` and the column `z` are results.
pub(super) fn in_rows(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] gamma: &GlobalTensor<f32>, #[shape(n)] beta: &GlobalTensor<f32>,\n\
         y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, flag: bool) {{\nfor r in tiles(n) {{\n\
         let v = x.at(r, ..).load(); let c = beta.at(r).load(); let g = gamma.at(..).load(); y.at(r, ..).store(v); z.at(r).store(c);\n{body}\n}}\n}}"
    )
}
