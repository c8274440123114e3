//! Kernels of real tasks, whose results do not depend on the order of a sum, each with the shapes
//! of its inputs.

use super::cases::Case;

/// Kernels of tasks.
pub const TASKS: &[Case] = &[
    (
        "elements at indices along an axis that the caller says",
        "#[kernel] pub fn k<T: Float>(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<T>, #[shape(k)] #[index(m)] ids: &GlobalTensor<i64>, #[default(1)] dim: i32,
            #[shape(a.., k, b..)] y: &mut GlobalTensor<T>) {
            for (i, t, p) in tiles((each(a), k, b)) { y.at(i, t, p).store(x.at(i, ids.at(t).load(), p).load()); } }",
        &[&[&[3, 5, 70], &[4]], &[&[1, 1, 1], &[1]], &[&[2, 7, 4, 5], &[9]], &[&[2, 3, 8], &[0]], &[&[4, 33], &[100]]],
    ),
    (
        "a triangle of each matrix",
        "#[kernel] pub fn k<T: Float>(#[shape(b.., m, n)] x: &GlobalTensor<T>, #[default(-1)] diagonal: i32, y: &mut GlobalTensor<T>) {
            for (q, i, j) in tiles((each(b), m, n)) {
                let keep = (i.iota() + diagonal).expand(j).ge(j.iota());
                y.at(q, i, j).store(keep.select(x.at(q, i, j).load().cast::<f32>(), 0.0).cast::<T>());
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1]], &[&[2, 0, 4]], &[&[2, 3, 65, 33]], &[&[130, 1]], &[&[7, 2053]]],
    ),
    (
        "ones on a diagonal",
        "#[kernel] #[instances(f16, f32, i32, i64)] pub fn k<T: Element>(#[shape(b)] x: &GlobalTensor<f32>, #[default(9)] rows: usize, #[default(70)] cols: usize,
            #[shape(b, rows, cols)] y: &mut GlobalTensor<T>) {
            for (q, i, j) in tiles((each(b), rows, cols)) { y.at(q, i, j).store(i.iota().expand(j).eq(j.iota()).select(1.0, 0.0).cast::<T>()); } }",
        &[&[&[3]], &[&[0]]],
    ),
    (
        "numbers that are evenly apart",
        "#[kernel] pub fn k(#[shape()] start: &GlobalTensor<i32>, #[shape()] step: &GlobalTensor<i32>, #[shape(n)] like: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
            let (a, s) = (start.at().load(), step.at().load());
            for t in tiles(n) { y.at(t).store(t.iota() * s + a + like.at(t).load() * 0); } }",
        &[&[&[], &[], &[70]], &[&[], &[], &[1]], &[&[], &[], &[0]], &[&[], &[], &[100_003]]],
    ),
    (
        "sums of sparse elements that have one place, and where that is",
        "#[kernel] pub fn k<T: Float>(#[shape(z)] #[index(u)] inverse: &GlobalTensor<i64>, #[shape(z, m)] indices: &GlobalTensor<i64>, #[shape(z, d)] values: &GlobalTensor<T>,
            #[default(5)] u: usize, #[shape(u, d)] sums: &mut GlobalTensor<T>, #[shape(u, m)] seen: &mut GlobalTensor<i64>) {
            for (r, j) in tiles((u, m)) { seen.at(r, j).store(full::<i32>((r, j), -1).cast::<i64>()); }
            for t in tiles(z) {
                let to = inverse.at(t).load();
                sums.at(to, ..).atomic_add(values.at(t, ..).load());
                seen.at(to, ..).store_any((indices.at(t, ..).load().cast::<f32>() * 0.0).cast::<i64>());
            } }",
        &[&[&[9], &[9, 2], &[9, 70]], &[&[1], &[1, 1], &[1, 1]], &[&[0], &[0, 2], &[0, 8]], &[&[300], &[300, 3], &[300, 9]]],
    ),
    (
        "the place of the largest along the middle axis",
        "#[kernel] pub fn k<T: Float>(#[shape(b, m, d)] x: &GlobalTensor<T>, #[shape(b, d)] y: &mut GlobalTensor<i64>) {
            for (i, t) in tiles((each(b), d)) { y.at(i, t).store(x.at(i, .., t).load().wide().argmax(m).cast::<i64>()); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[2, 300, 9]], &[&[0, 3, 4]]],
    ),
    (
        "elements added at indices of the last axis",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] #[index(d)] idx: &GlobalTensor<i64>, #[shape(n, k)] u: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for t in tiles(x) { y.at(t).store(x.at(t).load()); }
            for (i, j) in tiles((each(n), k)) { y.at(i, idx.at(i, j).load()).atomic_add(u.at(i, j).load()); } }",
        &[&[&[3, 70], &[3, 5], &[3, 5]], &[&[1, 1], &[1, 9], &[1, 9]], &[&[40, 9], &[40, 33], &[40, 33]], &[&[3, 5], &[3, 0], &[3, 0]]],
    ),
    (
        "rows repeated as often as data say",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] #[index(3)] reps: &GlobalTensor<i32>, #[default(40)] rows: usize, #[shape(rows, d)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((rows, d)) { y.at(r, t).store(full((r, t), 0.0)); }
            for t in tiles(d) {
                let mut at = 0;
                for i in 0..n {
                    let c = reps.at(i).load().scalar() as usize;
                    let (from, to) = (at, at + c);
                    assume(0 <= from && to <= rows);
                    for q in from..to { y.at(q, t).store(x.at(i, t).load()); }
                    at = at + c;
                }
            } }",
        &[&[&[3, 70], &[3]], &[&[1, 1], &[1]], &[&[20, 9], &[20]], &[&[0, 4], &[0]]],
    ),
];
