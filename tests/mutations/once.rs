//! Texts of kernels that once caused a panic, or a message about an error of jumar.

pub const TEXTS: &[&str] = &[
    // An event id at the end of 64 bits.
    "#[kernel]
pub fn flagged(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(128);
    let mut pipe = TPipe::new();
    let mut buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut buf, 1, 8192);
    let a = buf.get::<f32>();
    let m = share.len().min(128);
    data_copy_pad(&a, x.slice(share.start(), m));
    set_flag::<MTE2_V>(9223372036854775807);
    wait_flag::<MTE2_V>(9223372036854775807);
}",
    // A tensor that is freed to another queue and then enqueued to its own: `b.free_tensor` alone
    // would not mend it.
    "#[kernel]
pub fn misplaced(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(16);
    let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    let mut pipe = TPipe::new();
    pipe.init_buffer(&mut a, 1, 8192);
    pipe.init_buffer(&mut b, 1, 8192);
    let len = share.len().min(1024);
    let t = a.alloc_tensor::<f32>();
    data_copy_pad(&t, x.slice(share.start(), len));
    a.enque(t);
    let t = a.deque::<f32>();
    let o = b.alloc_tensor::<f32>();
    vec::muls(&o, &t, 0.5, len);
    a.free_tensor(o);
    b.enque(o);
    let o = b.deque::<f32>();
    data_copy_pad(y.slice(share.start(), len), &o);
    b.free_tensor(o);
}",
    // A tensor whose last use is in a loop, which runs again: it is freed behind the loop.
    "#[kernel]
pub fn turns(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(16);
    let mut b = TQue::<VecOut, 1>::new();
    let mut pipe = TPipe::new();
    pipe.init_buffer(&mut b, 1, 8192);
    let len = share.len().min(1024);
    let t = b.alloc_tensor::<f32>();
    for i in 0..4 {
        vec::duplicate(&t, 0.5, len);
    }
}",
    // A queue that is shadowed by another one, and two uses behind `free_tensor`.
    "#[kernel]
pub fn hidden(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let share = split(n).unit(16);
    let mut b = TQue::<VecOut, 1>::new();
    let mut a = TQue::<VecIn, 1>::new();
    let mut b = TQue::<VecOut, 1>::new();
    let mut pipe = TPipe::new();
    pipe.init_buffer(&mut a, 1, 8192);
    pipe.init_buffer(&mut b, 1, 8192);
    let len = share.len().min(1024);
    let t = a.alloc_tensor::<f32>();
    data_copy_pad(&t, x.slice(share.start(), len));
    a.enque(t);
    let t = a.deque::<f32>();
    let o = b.alloc_tensor::<f32>();
    a.free_tensor(t);
    vec::muls(&o, &t, 0.5, len);
    vec::adds(&o, &t, 0.5, len);
}",
    // A cast that is exact for one type of `T` and not for another.
    "#[kernel]
pub fn clipped<T: Number>(x: &GlobalTensor<T>, #[shape(1)] least: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().max(least.at(0).load()));
    }
}",
    // The line of an element at the end of 64 bits, in the last block and in the first.
    "#[kernel]
pub fn lines(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
    let share = split(4);
    for part in 0..share.len() {
        let at = (share.start() + part) * 9223372036854775807;
        let v = x.get_value(at);
        y.set_value(at, v * 2.0);
    }
}",
    // A pitch whose bytes exceed 64 bits.
    "#[kernel]
pub fn pitch(#[shape(n, 24)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, 24)] sums: &mut GlobalTensor<f32>) {
    let share = split(n);
    let mut pipe = TPipe::new();
    let mut buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut buf, 1, 8192);
    let a = buf.get::<f32>();
    let r = share.len().min(64);
    data_copy(&a, x.slice(share.start() * 24, 24).rows(r, 9223372036854775807));
    atomic_add(sums.slice(share.start() * 24, 9223372036854775807).rows(r, 24), &a);
}",
    // Rows that another copy takes and that may lie outside.
    "#[kernel]
pub fn apart(#[shape(n, 24)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, 24)] sums: &mut GlobalTensor<f32>) {
    let share = split(n);
    let mut pipe = TPipe::new();
    let mut buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut buf, 1, 8192);
    let a = buf.get::<f32>();
    let r = share.len().min(64);
    data_copy(&a, x.slice(share.start() * 24, 24).rows(r, 24));
    atomic_add(sums.slice(share.start() * 24, 24).rows(r, 4095), &a);
}",
    // An axis that no call goes along, for any sizes.
    "#[kernels]
mod pooling {
    const SIZE: usize = 3;
    const STEP: usize = 2;
    const BORDER: usize = 1;
    #[kernel]
    pub fn max_pool<T: Float>(
        #[shape(n.., h, w)] x: &GlobalTensor<T>,
        #[shape(n.., oh = (h + 2 * BORDER - SIZE) / STEP + 1, ow = (w + 2 * BORDER - SIZE) / STEP + 9223372036854775807)] y: &mut GlobalTensor<T>,
    ) {
        require(h >= 1);
        require(w >= 1);
        let c = new_axis(w + 2 * BORDER);
        for (i, r) in tiles((each(n), oh)) {
            let mut high = full::<f32>((r, c), f32::NEG_INFINITY);
            for p in 0..SIZE {
                let v = x.at(i, r * STEP + p - BORDER, c.indices() - BORDER).load_or(f32::NEG_INFINITY);
                high = high.max(v.cast::<f32>());
            }
            let mut most = high.pick(c, ow.indices() * STEP);
            for q in 1..SIZE {
                most = most.max(high.pick(c, ow.indices() * STEP + q));
            }
            y.at(i, r, ..).store(most.cast::<T>());
        }
    }
}",
    // A tensor that is used before it went through its queue; the `deque` for it follows later.
    "#[kernel]
pub fn cropped(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(n, 20)] y: &mut GlobalTensor<f32>,
    #[inplace]
    #[shape(n, 24)]
    sums: &mut GlobalTensor<f32>,
) {
    require(d >= 20);
    let share = split(n);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y, mut work) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 2, 64 * 32 * size_of::<f32>());
    pipe.init_buffer(&mut out_y, 2, 64 * 24 * size_of::<f32>());
    pipe.init_buffer(&mut work, 1, 64 * 24 * size_of::<f32>());
    let work = work.get::<f32>();
    let bits = work.reinterpret_cast::<i32>();
    for i in 0..share.len().div_ceil(64) {
        let (at, r) = (share.start() + i * 64, 64.min(share.len() - i * 64));
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local.rows(32), x.slice(at * d, 20).rows(r, d).pad(3, 0.0));
        vec::adds(&work.blocks(1, 3), &x_local.blocks(1, 4), 0.0, lanes(24).repeats(r));
        let x_local = in_x.deque::<f32>();
        in_x.enque(x_local);
        in_x.free_tensor(x_local);
        vec::shift_left(&bits, &bits, 1, r * 24);
        vec::shift_right(&bits, &bits, 1, r * 24);
        let y_local = out_y.alloc_tensor::<f32>();
        vec::duplicate(&y_local, 1.0, r * 24);
        vec::axpy(&y_local.blocks(1, 3), &work.blocks(1, 3), 65535, lanes(24).repeats(r));
        vec::mul_add_dst(&y_local, &work, &work, r * 24);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(at * 20, 20).rows(r, 20), &y_local.rows(24));
        atomic_add(sums.slice(at * 24, 24).rows(r, 24), &y_local);
        out_y.free_tensor(y_local);
    }
}",
    // A count whose next multiple of eight exceeds 64 bits.
    "#[kernel]
pub fn spread(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let mut pipe = TPipe::new();
    let mut buf = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut buf, 1, 8192);
    let a = buf.get::<f32>();
    vec::brcb(&a, &a, 9223372036854775807);
}",
    // An offset of rows whose negation exceeds 64 bits.
    "#[kernel]
pub fn window(#[shape(h, w)] x: &GlobalTensor<f32>, #[shape(h, w)] y: &mut GlobalTensor<f32>) {
    for (r, t) in tiles((h, w)) {
        let mut sum = x.at(r, t).load() * 4.0;
        for p in 0..3 {
            for q in 0..2 {
                sum = sum - x.at(r + p - 9223372036854775807, t + q * 2 - 1).load_or(0.0);
            }
        }
        y.at(r, t).store(sum);
    }
}",
    // A size whose two divisors together exceed 64 bits.
    "#[kernel]
#[chips(ascend310p)]
pub fn divided(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    require(n % 9223372036854775807 == 0);
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().relu());
    }
}",
    // More rows than a tile has.
    "#[kernel]
pub fn groups(#[shape(n, c)] x: &GlobalTensor<f32>, groups: usize, #[shape(n, groups)] y: &mut GlobalTensor<f32>) {
    require(groups >= 1048576);
    require(c % groups == 0);
    let k = new_axis(c / groups);
    let x = x.view((n, groups, k));
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, .., ..).load().sum(k));
    }
}",
    // A number of groups that cannot be zero, since it divides.
    "#[kernel]
pub fn grouped(#[shape(n, c, p..)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, groups: usize) {
    require(c % groups == 0);
    let (g, k) = (new_axis(groups), new_axis(c / groups));
    let (x, y) = (x.view((n, g, k, p)), y.view((n, g, k, p)));
    for (i, j) in tiles((n, g)) {
        y.at(i, j, .., ..).store(x.at(i, j, .., ..).load());
    }
}",
    // An axis of groups, with tiles of it.
    "#[kernel]
pub fn sums_of_groups(
    #[shape(n, c, p..)] x: &GlobalTensor<f32>,
    #[shape(n, g)] mean: &GlobalTensor<f32>,
    #[shape(n, c, p..)] y: &mut GlobalTensor<f32>,
    #[shape(c)] sums: &mut GlobalTensor<f32>,
) {
    let k = new_axis(c / g);
    let (x, y) = (x.view((n, g, k, p)), y.view((n, g, k, p)));
    let w = workspace::<f32>((n, g, k));
    for (q, i) in tiles((each(n), g)) {
        let h = x.at(q, i, .., ..).load() - mean.at(q, i).load();
        w.at(q, i, ..).store(h.sum(p));
        y.at(q, i, .., ..).store(h);
    }
    let w = w.view((n, c));
    for t in tiles(c) {
        sums.at(t).store(w.at(.., t).load().sum(n));
    }
}",
    // An axis without indices.
    "#[kernel]
pub fn none(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let e = new_axis(0);
    let w = workspace::<f32>((n, e));
    for i in each(n) {
        w.at(i, ..).store(full(e, 1.0));
    }
    for i in tiles(n) {
        y.at(i).store(x.at(i).load());
    }
}",
    // A tile beside queue-level calls.
    "#[kernel]
pub fn beside(#[shape(1024)] y: &mut GlobalTensor<i32>) {
    let q = full((), 1.0);
    let share = split(64);
    for i in 0..share.len() {
        y.set_value((share.start() + i) * 16, 1);
        y.data_cache_clean_and_invalid((share.start() + i) * 16);
    }
}",
    // The loop form of an earlier version, over an axis, a number and nothing.
    "#[kernel]
pub fn former(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, m: usize) {
    for r in row_tiles(n) {
        r.store(y, r.load(x));
    }
}",
    "#[kernel]
pub fn counted(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, m: usize) {
    for r in row_tiles(m) {
        r.store(y, r.load(x));
    }
}",
    "#[kernel]
pub fn loose(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in row_tiles() {
        r.store(y, r.load(x));
    }
}",
];
