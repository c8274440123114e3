//! Tile loops under scalar control inside of a tile loop, each with the shapes of its inputs and
//! numbers in `at`.

use super::outside::Outside;

/// Loops under `if` and `for`.
pub const CONTROLLED: &[Outside] = &[
    (
        "rows of which a number says how they are made",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let c = at.at(i).load().scalar();
                if c > 0 {
                    for t in tiles(d) { y.at(i, t).store(x.at(i, t).load() * 2.0 + t.iota().cast::<f32>()); }
                } else {
                    for t in tiles(d) { y.at(i, t).store(x.at(i, t).load()); }
                }
            } }",
        &[(&[&[9], &[9, 70]], &[1, 0, -1, 1, 1, 0, 0, 5, 1]), (&[&[1], &[1, 1]], &[2]), (&[&[3], &[3, 20_011]], &[0, 1, 0]), (&[&[0], &[0, 8]], &[])],
    ),
    (
        "sums of rows whose number is positive, of others the largest",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let c = at.at(i).load().scalar();
                let mut s = full((), 0.0);
                let mut m = full((), f32::NEG_INFINITY);
                if c > 0 {
                    for t in tiles(d) { s += x.at(i, t).load().sum(t); }
                } else {
                    for t in tiles(d) { m = m.max(x.at(i, t).load().amax(t)); }
                }
                y.at(i).store(s + m.max(-100.0));
            } }",
        &[(&[&[9], &[9, 70]], &[1, 0, -1, 1, 1, 0, 0, 5, 1]), (&[&[1], &[1, 1]], &[2]), (&[&[3], &[3, 20_011]], &[0, 1, 0])],
    ),
    (
        "as many rows below each as a number says, each in tiles",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let c = at.at(i).load().scalar() as usize;
                assume(0 <= c && c <= m);
                let mut s = full((), 0.0);
                for j in 0..c {
                    for t in tiles(d) { s += x.at(i, j, t).load().sum(t); }
                }
                y.at(i).store(s);
                for t in tiles(d) { z.at(i, t).store(x.at(i, .., t).load().sum(m) * (c as f32)); }
            } }",
        &[(&[&[9], &[9, 4, 70]], &[1, 0, 4, 4, 3, 0, 0, 2, 1]), (&[&[1], &[1, 1, 1]], &[1]), (&[&[2], &[2, 3, 9001]], &[3, 2])],
    ),
    (
        "a flag of the launch around a loop inside rows, and a value that both change",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(steps)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut s = at.at(r).load().cast::<f32>();
                for j in 0..steps {
                    if j % 2 == 0 {
                        for t in tiles(d) { s += (x.at(r, t).load() * (j + 1)).sum(t); }
                    } else {
                        s = s - w.at(j).load();
                    }
                }
                y.at(r).store(s);
            } }",
        &[
            (&[&[9], &[9, 70], &[4]], &[1, 0, 4, 4, 3, 0, 0, 2, 1]),
            (&[&[1], &[1, 1], &[0]], &[1]),
            (&[&[12], &[12, 333], &[1]], &[3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            (&[&[2], &[2, 9001], &[3]], &[3, 2]),
        ],
    ),
];
