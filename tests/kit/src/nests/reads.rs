//! Elements of tiles as scalars, in indices, branches, loops and arithmetic, each with the shapes
//! of its inputs.

use super::cases::Case;

/// Kernels that read elements of their tiles.
pub const READS: &[Case] = &[
    (
        "a column that a launch says, where there is one, and a row",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>, #[default(5)] k: usize) {
            for r in tiles(n) {
                if k < d { y.at(r).store(x.at(r, k).load()); } else { y.at(r).store(full(r, 7.0)); }
            }
            for t in tiles(d) {
                if k < n { z.at(t).store(x.at(k, t).load()); } else { z.at(t).store(full(t, -7.0)); }
            } }",
        &[&[&[9, 70]], &[&[5, 6]], &[&[6, 5]], &[&[1, 1]], &[&[0, 9]], &[&[300, 3]]],
    ),
    (
        "one number a row as an index, brought to where it is one",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n)] more: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(m >= 1);
            for (i, t) in tiles((each(n), d)) {
                let j = (at.at(i).load().scalar() as usize).max(0).min(m - 1);
                let k = more.at(i).load().scalar();
                let k = k.max(0).min(m - 1);
                y.at(i, t).store(x.at(j, t).load() * 2.0 + x.at(m - 1 - k, t).load());
            } }",
        &[&[&[9], &[9], &[5, 70]], &[&[1], &[1], &[1, 1]], &[&[0], &[0], &[4, 8]], &[&[100], &[100], &[12, 4100]]],
    ),
    (
        "numbers, bits and sums of a row that decide what is computed of it",
        "#[kernel] pub fn k(#[shape(n)] keep: &GlobalTensor<bool>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let s = w.at(i).load().scalar();
                let kept = keep.at(i).load().scalar();
                let mut sum = full((), 0.0);
                for c in tiles(d) { sum = sum + x.at(i, c).load().sum(c); }
                let total = sum.scalar();
                for c in tiles(d) {
                    let v = x.at(i, c).load();
                    if kept && total > 0.0 { y.at(i, c).store(v * s + total); } else { y.at(i, c).store(v - s.max(total)); }
                }
                let mut p = full((), 1.0);
                for q in 0..(s as i32).min(3) { p = p + q as f32; }
                z.at(i).store(p + sum);
            } }",
        &[&[&[9], &[9], &[9, 70]], &[&[1], &[1], &[1, 1]], &[&[0], &[0], &[0, 8]], &[&[60], &[60], &[60, 333]], &[&[3], &[3], &[3, 30_011]]],
    ),
    (
        "rows between two numbers of each iteration that are assumed to be in order, in a loop over scalars",
        "#[kernel] pub fn k(#[shape(n)] from: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f16>) {
            for (i, t) in tiles((each(n), d)) {
                let lo = (from.at(i).load().scalar() as usize).max(0);
                let hi = lo + 2;
                assume(lo <= hi && hi <= m);
                let mut s = full::<f16>(t, 0.0);
                for q in lo..hi { s = s + x.at(q, t).load(); }
                y.at(i, t).store(s);
            } }",
        &[&[&[9], &[18, 70]], &[&[1], &[20, 1]], &[&[0], &[4, 8]], &[&[100], &[30, 1000]]],
    ),
    (
        "a number that is the same in every iteration of tiles",
        "#[kernel] pub fn k(#[shape()] s: &GlobalTensor<f32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let scale = s.at().load().scalar();
                let v = x.at(r, ..).load() * scale;
                if scale < 0.0 { y.at(r, ..).store(v.exp() * 0.0 + v); } else { y.at(r, ..).store(v + v.amax(d)); }
            }
        }",
        &[&[&[], &[9, 70], &[9, 70]], &[&[], &[1, 1], &[1, 1]], &[&[], &[40, 333], &[40, 333]]],
    ),
    (
        "more loads one after the other's numbers than there are blocks of double buffers",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<f32>, #[shape(n, d)] b: &GlobalTensor<f32>, #[shape(d)] c: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>,
            #[shape(n, m, d)] x: &mut GlobalTensor<f32>, #[shape(n, m, d)] y: &mut GlobalTensor<f32>) {
            require(n > 0); require(d > 0);
            for (i, t, u) in tiles((each(n), m, d)) {
                let v = w.at(t + 1).load_or(-2.5) + (w.at(t).load() + i as f32);
                let s = a.at(i).load() + v;
                let p = b.at(v.cast_with::<i32>(RoundMode::Rint).max(0).min(n - 1), u).load();
                let q = c.at(p.cast_with::<i32>(RoundMode::Rint).max(0).min(d - 1)).load();
                x.at(i, t, u).store(q + b.at(v.cast_with::<i32>(RoundMode::Rint).max(0).min(n - 1), u).load() + s);
                y.at(i, t, u).store(q + i as f32);
            } }",
        &[&[&[3], &[3, 5], &[5], &[4]], &[&[1], &[1, 70], &[70], &[9]]],
    ),
];
