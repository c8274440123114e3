//! Stores of tiles that lie outside of their tensor in part, `store_in`: on each side of each axis,
//! and with nothing inside. Each kernel has the shapes of its inputs.

use super::cases::Case;

/// Tiles that lie outside on each side of each axis.
pub const INSIDE: &[Case] = &[
    (
        "rows and columns moved beyond each side, into what is there",
        "#[kernel] #[instances(f16, bf16, f32, i32)] pub fn k<T: Element>(#[shape(n, d)] x: &GlobalTensor<T>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<T>,
            #[inplace] #[shape(n, d)] z: &mut GlobalTensor<T>) {
            for (r, t) in tiles((n, d)) {
                let v = x.at(r, t).load();
                y.at(r + 3, t - 5).store_in(v);
                z.at(r - 2, t + 9).store_in(v);
            } }",
        &[
            &[&[3, 70], &[3, 70], &[3, 70]],
            &[&[1, 1], &[1, 1], &[1, 1]],
            &[&[40, 5], &[40, 5], &[40, 5]],
            &[&[4, 6], &[4, 6], &[4, 6]],
            &[&[70, 333], &[70, 333], &[70, 333]],
            &[&[5, 40_000], &[5, 40_000], &[5, 40_000]],
            &[&[0, 3], &[0, 3], &[0, 3]],
        ],
    ),
    (
        "a vector moved to both sides of a longer and a shorter one, which a loop before fills",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = n + 3)] y: &mut GlobalTensor<f32>, #[shape(p = n / 2)] z: &mut GlobalTensor<f32>) {
            for t in tiles(m) { y.at(t).store(full(t, -1.0)); }
            for t in tiles(p) { z.at(t).store(full(t, -2.0)); }
            for t in tiles(n) {
                let v = x.at(t).load();
                y.at(t + 7).store_in(v * 2.0);
                z.at(t - 11).store_in(v * v);
            } }",
        &[&[&[70]], &[&[1]], &[&[9]], &[&[24]], &[&[4100]], &[&[300_001]], &[&[0]]],
    ),
    (
        "one value a row, and a column of a tensor",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(m, p)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let s = x.at(r, ..).load().sum(d);
                y.at(r - 3).store_in(s);
                z.at(r + 2, 1).store_in(s);
            } }",
        &[
            &[&[9, 70], &[9], &[9, 3]],
            &[&[1, 1], &[1], &[1, 1]],
            &[&[300, 8], &[300], &[40, 2]],
            &[&[2, 3], &[2], &[900, 5]],
            &[&[0, 3], &[0], &[2, 2]],
        ],
    ),
    (
        "every second element and every third row, beginning before the tensor",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, p)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(m, d)] z: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, d)) {
                let v = x.at(r, t).load();
                y.at(r + 0, t * 2 - 3).store_in(v);
                z.at(r * 3 - 4, t).store_in(v);
            } }",
        &[
            &[&[9, 70], &[9, 140], &[9, 70]],
            &[&[1, 1], &[1, 1], &[1, 1]],
            &[&[3, 33], &[30, 20], &[30, 33]],
            &[&[40, 300], &[20, 900], &[20, 300]],
        ],
    ),
    (
        "a transposed convolution whose steps leave room for its window",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(m = n * 2 - 1, d)] y: &mut GlobalTensor<f32>) {
            require(n >= 1);
            let two = new_axis(2);
            for (r, t) in tiles((n, d)) {
                for p in each(two) { y.at(r * 2 + p - 1, t).store_in(x.at(r, t).load() * w.at(t).load() + p as f32); }
            } }",
        &[&[&[9, 70], &[70]], &[&[1, 1], &[1]], &[&[40, 333], &[333]], &[&[700, 9], &[9]]],
    ),
    (
        "rows from the last one on, and boxes of three axes",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(b, h, w)] x: &GlobalTensor<T>, #[inplace] #[shape(b, h, w)] y: &mut GlobalTensor<T>,
            #[inplace] #[shape(b, h, w)] z: &mut GlobalTensor<T>) {
            for (i, r, t) in tiles((b, h, w)) {
                let v = x.at(i, r, t).load();
                y.at(i, h + 1 - r, t).store_in(v);
                z.at(i - 1, r + 2, t - 3).store_in(v.abs());
            } }",
        &[
            &[&[3, 5, 70], &[3, 5, 70], &[3, 5, 70]],
            &[&[1, 1, 1], &[1, 1, 1], &[1, 1, 1]],
            &[&[2, 40, 17], &[2, 40, 17], &[2, 40, 17]],
            &[&[30, 3, 4], &[30, 3, 4], &[30, 3, 4]],
        ],
    ),
    (
        "rows of bytes, of bits and of integers of 64 bits, by a number that each iteration reads",
        "#[kernel] pub fn k(#[shape(n)] by: &GlobalTensor<i32>, #[shape(p, d)] a: &GlobalTensor<i8>, #[shape(p, d)] b: &GlobalTensor<i64>,
            #[inplace] #[shape(n, p, d)] y: &mut GlobalTensor<i8>, #[inplace] #[shape(n, p, d)] z: &mut GlobalTensor<i64>) {
            for i in each(n) {
                let by = by.at(i).load().scalar() as usize;
                for r in each(p) {
                    y.at(i, r + by, ..).store_in(a.at(r, ..).load());
                    z.at(i, r + by, ..).store_in(b.at(r, ..).load());
                }
            } }",
        &[&[&[4], &[9, 70], &[9, 70], &[4, 9, 70], &[4, 9, 70]], &[&[1], &[1, 1], &[1, 1], &[1, 1, 1], &[1, 1, 1]]],
    ),
    (
        "what a store leaves of a workspace that a loop before fills",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, d));
            for (r, t) in tiles((n, d)) { w.at(r, t).store(full((r, t), 3.0)); }
            for (r, t) in tiles((n, d)) { w.at(r + 1, t + 1).store_in(x.at(r, t).load()); }
            for (r, t) in tiles((n, d)) { y.at(r, t).store(w.at(r, t).load() * 2.0); } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[70, 333]], &[&[0, 3]]],
    ),
];
