//! Kernels whose tiles have whole axes that may be too long for UB; each with shapes that fit and shapes that do not.

use super::cases::Case;

pub const STREAMED: &[Case] = &[
    (
        "a middle axis that is reduced, under a loop over rows, and a last axis that is not: both are cut",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, ..).store(x.at(r, .., ..).load().sum(m)); } }",
        &[&[&[3, 5, 70]], &[&[2, 9001, 7]], &[&[3, 3, 50_021]], &[&[2, 701, 211]], &[&[2, 5, 4700]]],
    ),
    (
        "two passes along a middle axis of a product loop",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(b), d)) {
                let v = x.at(i, .., t).load(); let e = v - v.amax(m); y.at(i, .., t).store(e * 2.0 + e.sum(m)); } }",
        &[&[&[3, 5, 70]], &[&[2, 2503, 9]], &[&[1, 7001, 17]], &[&[0, 3, 4]], &[&[3, 4999, 8]]],
    ),
    (
        "two axes that are reduced at once, in a loop over single indices, beside a number an index of one of them",
        "#[kernel] pub fn k(#[shape(b, k, p)] x: &GlobalTensor<f32>, #[shape(k)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>,
            #[shape(b)] z: &mut GlobalTensor<f32>) {
            for i in each(b) {
                let v = x.at(i, .., ..).load(); let e = v - v.amax((k, p)); let s = e.sum((k, p));
                y.at(i, .., ..).store(e * w.at(..).load() + s); z.at(i).store(s); } }",
        &[&[&[3, 5, 70], &[5]], &[&[2, 11, 3001], &[11]], &[&[2, 3001, 11], &[3001]], &[&[3, 1, 30_011], &[1]], &[&[2, 8, 2041], &[8]]],
    ),
    (
        "two axes that are reduced one after the other: one of them is cut",
        "#[kernel] pub fn k(#[shape(b, k, p)] x: &GlobalTensor<f32>, #[shape(b)] y: &mut GlobalTensor<f32>, #[shape(b, k)] z: &mut GlobalTensor<f32>) {
            for i in each(b) { let s = x.at(i, .., ..).load().sum(p); y.at(i).store(s.amax(k)); z.at(i, ..).store(s); } }",
        &[&[&[3, 5, 70]], &[&[2, 7, 9001]], &[&[2, 61, 1009]]],
    ),
    (
        "a loop of the author inside the loop over parts",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, d)] y: &mut GlobalTensor<f32>) {
            for i in each(b) {
                let mut s = full(d, 0.0);
                for j in tiles(m) { s = s + x.at(i, j, ..).load().sum(j); }
                y.at(i, ..).store(s); } }",
        &[&[&[3, 5, 70]], &[&[2, 5, 30_011]], &[&[1, 300, 20_011]]],
    ),
    (
        "a value that is set, `for` and `if`, each in its pass",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut v = x.at(r, ..).load(); let m = v.amax(d); v = v - m; let s = v.sum(d); let mut u = v + s;
                for i in 0..3 { u = u * 0.5; if d > 100 { u = u + 1.0; } }
                if n > 2 { y.at(r, ..).store(u); } else { y.at(r, ..).store(u - v); } } }",
        &[&[&[5, 70]], &[&[2, 30_011]], &[&[3, 12_007]]],
    ),
    (
        "in place, and what was loaded before the loop",
        "#[kernel] pub fn k(#[inplace] #[shape(b, k, p)] x: &mut GlobalTensor<f32>, #[shape(p)] w: &GlobalTensor<f32>) {
            let g = w.at(..).load() * 2.0;
            for i in each(b) { let v = x.at(i, .., ..).load(); x.at(i, .., ..).store((v - v.amin((k, p))) * g); } }",
        &[&[&[3, 5, 70], &[70]], &[&[2, 3, 12_007], &[12_007]], &[&[2, 5003, 7], &[7]]],
    ),
    (
        "the indices of a long axis, and a row that all rows share",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r).store(v.argmax(d)); z.at(r).store(v.amin(d)); } }",
        &[&[&[5, 70]], &[&[3, 30_011]]],
    ),
    (
        "column sums of more rows than fit: the loop is over elements",
        "#[kernel] pub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, #[shape(m, d)] z: &mut GlobalTensor<f32>) {
            for t in tiles(d) { let v = x.at(.., t).load(); let s = v.sum(m); y.at(t).store(s); z.at(.., t).store(v - s); } }",
        &[&[&[5, 70]], &[&[5003, 9]], &[&[3001, 33]]],
    ),
    (
        "a view that splits an axis",
        "#[kernel] pub fn k(#[shape(n, c, p)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>, #[default(2)] groups: usize) {
            require(groups >= 1); require(c % groups == 0);
            let (g, k) = (new_axis(groups), new_axis(c / groups));
            let (x, y) = (x.view((n, g, k, p)), y.view((n, g, k, p)));
            for (i, j) in tiles((each(n), each(g))) {
                let v = x.at(i, j, .., ..).load(); y.at(i, j, .., ..).store(v - v.amax((k, p))); } }",
        &[&[&[2, 6, 50]], &[&[1, 6, 9001]], &[&[1, 2000, 37]]],
    ),
    (
        "two stores to one tensor under views of their own, element by element apart",
        "#[kernel] pub fn k(#[shape(n, 2, h)] x: &GlobalTensor<f32>, #[shape(n, 2, h)] y: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let (a, b) = (x.at(i, 0, ..).load(), x.at(i, 1, ..).load());
                y.at(i, 0, ..).store(a - b); y.at(i, 1, ..).store(b + a.amax(h)); } }",
        &[&[&[3, 2, 70]], &[&[2, 2, 30_011]]],
    ),
];
