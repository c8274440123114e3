//! Loops over ranges of indices, each with the shapes of its inputs.

use super::cases::Case;

/// Ranges with bounds of every kind.
pub const RANGES: &[Case] = &[
    (
        "two tensors behind one another along a middle axis",
        "#[kernel] pub fn k(#[shape(a.., m, b)] u: &GlobalTensor<f16>, #[shape(a.., k, b)] v: &GlobalTensor<f16>, #[shape(a.., o = m + k, b)] y: &mut GlobalTensor<f16>) {
            for (i, t, p) in tiles((each(a), 0..m, b)) { y.at(i, t, p).store(u.at(i, t, p).load()); }
            for (i, t, p) in tiles((each(a), m..m + k, b)) { y.at(i, t, p).store(v.at(i, t - m, p).load() + t.iota().cast::<f32>().cast::<f16>()); } }",
        &[
            &[&[3, 5, 70], &[3, 2, 70]],
            &[&[1, 1, 1], &[1, 1, 1]],
            &[&[2, 0, 8], &[2, 3, 8]],
            &[&[2, 4, 8], &[2, 0, 8]],
            &[&[2, 4, 0], &[2, 1, 0]],
            &[&[7, 33, 16], &[7, 64, 16]],
            &[&[1, 3, 20_011], &[1, 2, 20_011]],
        ],
    ),
    (
        "some rows, and elements from one on along the last axis, with what stood there before",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[default(1)] a: usize, #[default(6)] b: usize) {
            require(b <= n); require(b <= d);
            for r in tiles(a..b) { y.at(r, ..).store(x.at(r, ..).load() * 2.0); }
            for (i, t) in tiles((each(a..b), b..d)) { y.at(i, t).store(x.at(i - a, t - b).load() + i as f32); }
            for t in tiles(b..d) { y.at(0, t).store(x.at(1, t).load()); } }",
        &[&[&[9, 70], &[9, 70]], &[&[6, 6], &[6, 6]], &[&[40, 333], &[40, 333]], &[&[6, 9001], &[6, 9001]]],
    ),
    (
        "ranges that end before they begin, where all of the tensor is what it was",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[default(6)] a: usize, #[default(4)] b: usize) {
            require(b <= n); require(b <= d);
            for r in tiles(a..b) { y.at(r, ..).store(x.at(r, ..).load() * 2.0); }
            for (i, t) in tiles((each(a..b), 0..d)) { y.at(i, t).store(x.at(i, t).load()); }
            for t in tiles(a..b) { y.at(0, t).store(x.at(1, t).load()); }
            for r in tiles(n) {
                let mut s = x.at(r, ..).load().sum(d);
                for c in tiles(a..b) { s = s + x.at(r, c).load().sum(c); }
                for j in each(5..2) { s = s + x.at(j, ..).load().sum(..); }
                y.at(r, ..).store(x.at(r, ..).load() + s);
            } }",
        &[&[&[9, 70], &[9, 70]], &[&[4, 4], &[4, 4]], &[&[40, 333], &[40, 333]]],
    ),
    (
        "sums and places along a range of columns, in a loop inside",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] p: &mut GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<f32>,
            #[default(3)] a: usize) {
            require(a < d);
            for r in tiles(n) {
                let mut s = full(r, 0.0);
                let mut at = full::<i32>(r, 0);
                let mut l = full(r, 0.0);
                for c in tiles(a..d).any_cut() {
                    let v = x.at(r, c).load();
                    s = s + v.sum(c);
                    if a < d { at = at.max((v * 0.0 + c.iota().cast::<f32>()).argmax(c)); }
                    l = l + (v * c.start() as f32 * 0.0).sum(c);
                }
                for j in each(a..d) { l = l + x.at(r, ..).load().pick(d, j) * j as f32; }
                y.at(r).store(s); p.at(r).store(at); z.at(r).store(l);
            } }",
        &[&[&[9, 70]], &[&[1, 4]], &[&[40, 333]], &[&[0, 5]]],
    ),
    (
        "ranges as axes of tiles, with and without a name",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] z: &mut GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape(n)] at: &mut GlobalTensor<i32>, #[shape(d)] s: &mut GlobalTensor<f32>, #[default(1)] a: usize) {
            require(d >= 3); require(a < d);
            let k = new_axis(1..d - 1); let q = new_axis(a..d);
            let mut all = across_cores::<f32>(k, 0.0);
            for r in tiles(n) {
                let v = x.at(r, k).load();
                z.at(r, k).store(v + x.at(r, k.indices() + 1).load() * k.iota().cast::<f32>());
                y.at(r).store(v.sum(k));
                at.at(r).store(x.at(r, q).load().argmax(q));
                all += v.sum(r);
            }
            s.at(0).store(all.sum(..) * 0.0); s.at(k).store(all); s.at(d - 1).store(all.amax(..)); }",
        &[&[&[9, 70], &[9, 70]], &[&[1, 3], &[1, 3]], &[&[40, 333], &[40, 333]], &[&[3, 2001], &[3, 2001]]],
    ),
    (
        "ranges without a name, which are reduced",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[default(2)] a: usize) {
            require(d >= 4); require(a <= d); require(a > 0);
            for i in each(n) { y.at(i).store(x.at(i, 1..d).load().sum(..) - x.at(i, 0..a).load().amax(..)); } }",
        &[&[&[9, 70]], &[&[1, 4]], &[&[3, 9001]]],
    ),
    (
        "elements picked at the tile of a loop over a range",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            for t in tiles(0..d / 2) { y.at(t).store(x.at(0, ..).load().pick(d, t)); }
            for t in tiles(d / 2..d) { y.at(t).store(x.at(0, ..).load().pick(d, t)); } }",
        &[&[&[2, 70]], &[&[1, 1]], &[&[1, 9001]]],
    ),
];
