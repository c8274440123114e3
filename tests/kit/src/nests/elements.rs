//! Kernels whose tiles have elements that do not follow one another in GM, so each is copied alone,
//! with the shapes of their inputs.

use super::cases::Case;

/// Columns, every second row, and rows of single elements.
pub const ELEMENTS: &[Case] = &[
    (
        "places of pages of a cache, below a product of sizes as a number of 32 bits",
        "#[kernel] pub fn k(#[shape(n)] w: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<i32>, #[inplace] #[shape(b, p, d)] y: &mut GlobalTensor<i32>) {
            require(p >= 1);
            for t in each(n) {
                let slot = w.at(t).load().scalar();
                if slot >= 0 && slot < (b * p) as i32 {
                    let s = slot as usize;
                    y.at(s / p, s % p, ..).atomic_add(x.at(t, ..).load());
                }
            } }",
        &[&[&[9], &[9, 70], &[3, 4, 70]], &[&[1], &[1, 1], &[1, 1, 1]], &[&[5], &[5, 8], &[0, 2, 8]], &[&[0], &[0, 8], &[2, 2, 8]]],
    ),
    (
        "rows at indices that are read one by one, as their tensor promises",
        "#[kernel] pub fn k(#[shape(m, d)] x: &GlobalTensor<f16>, #[shape(n, k)] #[index(m)] of: &GlobalTensor<i32>, #[shape(n)] #[index(m)] more: &GlobalTensor<i64>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let mut sum = x.at(more.at(i).load().scalar(), ..).load().wide();
                for j in 0..k {
                    let row = of.at(i, j).load().scalar() as usize;
                    sum += x.at(row, ..).load().wide();
                }
                y.at(i, ..).store(sum);
            } }",
        &[&[&[9, 70], &[5, 3], &[5]], &[&[1, 1], &[1, 1], &[1]], &[&[4, 2000], &[3, 2], &[3]]],
    ),
    (
        "indices of halves and of places in them, and the difference of each element and the one before",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, 2 * d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &GlobalTensor<i32>, #[shape(n)] w: &mut GlobalTensor<i32>) {
            require(d <= 1000000);
            let twice = new_axis(2 * d);
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, twice.indices() + 0).store(v.pick(d, twice.iota() >> 1) + v.pick(d, (twice.iota() & 3).min(d as i32 - 1)));
            }
            for i in each(n) {
                if i == 0 { w.at(i).store(z.at(i).load()); } else { w.at(i).store(z.at(i).load() - z.at(i - 1).load()); }
            } }",
        &[&[&[9, 70], &[9]], &[&[1, 1], &[1]], &[&[40, 333], &[40]]],
    ),
    (
        "each second element from a number on, required where there is one",
        "#[kernel] pub fn k(#[shape(n, k)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, m)] y: &mut GlobalTensor<f32>) {
            require(k == 0 || 1 + (k - 1) * 2 < m);
            for (r, t) in tiles((n, k)) { y.at(r, t * 2 + 1).store(x.at(r, t).load()); } }",
        &[&[&[9, 35], &[9, 70]], &[&[1, 1], &[1, 2]], &[&[4, 0], &[4, 3]]],
    ),
    (
        "elements at a step that a launch says, under a condition on the size that bounds them",
        "#[kernel] pub fn k(#[shape(n, k)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, w)] y: &mut GlobalTensor<f32>, #[default(1)] from: usize, #[default(2)] m: usize) {
            require(from + (k - 1) * m < w);
            require(m >= 1);
            if w > 0 {
                for (r, t) in tiles((n, k)) { y.at(r, from + t * m).store(x.at(r, t).load()); }
            } }",
        &[&[&[9, 35], &[9, 71]], &[&[1, 1], &[1, 2]], &[&[4, 0], &[4, 3]]],
    ),
    (
        "one column of a tensor",
        "#[kernel] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) {
            for r in tiles(n) { y.at(r).store(x.at(r, 0).load()); } }",
        &[&[&[9, 3]], &[&[1, 1]], &[&[0, 3]], &[&[1000, 7]], &[&[100_003, 2]]],
    ),
    (
        "one column beside whole rows, and one that an attribute and a loop choose",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut v = x.at(r, ..).load() - x.at(r, d - 1).load();
                for i in 0..3 { if i < d { v = v * x.at(r, i).load(); } }
                y.at(r, ..).store(v);
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[0, 3]], &[&[300, 2]], &[&[2, 20_011]], &[&[4100, 8]]],
    ),
    (
        "rows of single elements: an axis between two, and one before the last scalar",
        "#[kernel] pub fn k(#[shape(b, n, d)] x: &GlobalTensor<f16>, #[shape(b, n)] y: &mut GlobalTensor<f16>, #[shape(n, b)] z: &mut GlobalTensor<f16>) {
            for (i, r) in tiles((b, n)) { y.at(i, r).store(x.at(i, r, 0).load() + 1.0); }
            for (r, i) in tiles((n, b)) { z.at(r, i).store(x.at(i, r, d - 1).load() * 2.0); } }",
        &[&[&[3, 5, 7]], &[&[1, 1, 1]], &[&[40, 33, 2]], &[&[0, 3, 4]], &[&[2, 5003, 3]]],
    ),
    (
        "a column of every second row, backwards, and beyond the ends",
        "#[kernel] pub fn k(#[shape(n)] q: &GlobalTensor<i32>, #[shape(m = 2 * n, d)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<i32>, #[shape(n)] w: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                y.at(r).store(x.at(r * 2 + 1, 0).load() + q.at(r).load());
                z.at(r).store(x.at(m - 1 - r, 0).load());
                w.at(r).store(x.at(r * 3 - 5, 0).load_or(7) + x.at(r + 0, d + 2).load_or(1));
            } }",
        &[&[&[9], &[18, 3]], &[&[1], &[2, 1]], &[&[0], &[0, 3]], &[&[1000], &[2000, 2]]],
    ),
    (
        "a column that is stored",
        "#[kernel] pub fn k<T: Number>(#[shape(n)] x: &GlobalTensor<T>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for r in tiles(n) { y.at(r, 0).store(x.at(r).load()); } }",
        &[&[&[9], &[9, 3]], &[&[1], &[1, 1]], &[&[0], &[0, 3]], &[&[1000], &[1000, 7]], &[&[20_003], &[20_003, 2]]],
    ),
    (
        "columns from one tensor to another, in place",
        "#[kernel] pub fn k(#[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, e)] x: &GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, d - 1).store(x.at(r, 0).load() - y.at(r, 0).load()); } }",
        &[&[&[9, 3], &[9, 2]], &[&[1, 1], &[1, 1]], &[&[5000, 2], &[5000, 5]]],
    ),
    (
        "results of rows and rows themselves, side by side in wider rows",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, w = d + 2)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, w - 2).store(v.sum(d));
                y.at(r, w - 1).store(v.amax(d));
            }
            for (r, t) in tiles((n, d)) { y.at(r, t + 0).store(x.at(r, t).load() * 2.0); } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[300, 33]], &[&[2, 5003]], &[&[4100, 3]]],
    ),
    (
        "elements added one by one",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, 3)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, d)) { y.at(r, 1).atomic_add(x.at(r, t).load().sum(t)); } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[300, 3000]]],
    ),
    (
        "a table of one axis at indices",
        "#[kernel] pub fn k<T: Number>(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) {
            for t in tiles(n) { y.at(t).store(x.at(ids.at(t).load()).load()); } }",
        &[&[&[9], &[5]], &[&[1], &[1]], &[&[0], &[4]], &[&[1000], &[3]], &[&[20_003], &[70_000]]],
    ),
    (
        "columns at indices of 64 bits, one index for all, and indices of two axes",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(r, m)] x: &GlobalTensor<f32>, #[shape(r, n)] y: &mut GlobalTensor<f32>,
            #[shape(r, n)] #[index(m)] both: &GlobalTensor<i32>, #[shape(r)] z: &mut GlobalTensor<f32>, #[shape(r, n)] w: &mut GlobalTensor<f32>) {
            for (a, t) in tiles((r, n)) { y.at(a, t).store(x.at(a, ids.at(t).load()).load()); }
            for a in tiles(r) { z.at(a).store(x.at(a, ids.at(0).load()).load()); }
            for (a, t) in tiles((r, n)) { w.at(a, t).store(x.at(0, both.at(a, t).load()).load() * 2.0); } }",
        &[&[&[9], &[5, 70], &[5, 9]], &[&[1], &[1, 1], &[1, 1]], &[&[40], &[33, 100], &[33, 40]]],
    ),
    (
        "a histogram, and sums at indices",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] counts: &mut GlobalTensor<i32>, #[shape(m)] sums: &mut GlobalTensor<f32>,
            #[default(5)] m: usize) {
            for t in tiles(n) {
                let at = ids.at(t).load();
                counts.at(at).atomic_add(full::<i32>(t, 1));
                sums.at(at).atomic_add(x.at(t).load());
            } }",
        &[&[&[9], &[9]], &[&[1], &[1]], &[&[0], &[0]], &[&[1000], &[1000]]],
    ),
    (
        "marks at indices, whoever sets them",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[inplace] #[shape(m)] y: &mut GlobalTensor<f16>) {
            for t in tiles(n) { y.at(ids.at(t).load()).store_any(full::<f16>(t, 1.0)); } }",
        &[&[&[9], &[5]], &[&[1], &[1]], &[&[0], &[4]], &[&[5000], &[70]]],
    ),
    (
        "every second element of wider rows, and every third",
        "#[kernel] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, w = 2 * d)] y: &mut GlobalTensor<T>, #[shape(v = n * 3)] #[inplace] z: &mut GlobalTensor<T>) {
            for (r, t) in tiles((n, d)) {
                let a = x.at(r, t).load();
                y.at(r, t * 2).store(a);
                y.at(r, t * 2 + 1).store(x.at(r, t).load());
            }
            for r in tiles(n) { z.at(r * 3 + 2).store(x.at(r, 0).load()); } }",
        &[&[&[9, 70], &[27]], &[&[1, 1], &[3]], &[&[0, 3], &[0]], &[&[2, 5003], &[6]], &[&[3000, 2], &[9000]]],
    ),
    (
        "rows and elements at indices that are computed",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<f32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for t in tiles(n) {
                let rows = at.at(t).load().cast_with::<i32>(RoundMode::Floor).max(0).min(m - 1);
                y.at(t, ..).store(x.at(rows, ..).load());
            }
            for t in tiles(n) { z.at(t).store(w.at(m as i32 - 1 - ids.at(t).load()).load()); } }",
        &[&[&[9], &[5, 70], &[5], &[9]], &[&[1], &[1, 1], &[1], &[1]], &[&[0], &[4, 8], &[4], &[0]], &[&[1000], &[13, 33], &[13], &[1000]]],
    ),
    (
        "the row of a table that the largest element of each row chooses",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, e)] w: &GlobalTensor<f16>, #[shape(n, e)] y: &mut GlobalTensor<f16>) {
            for r in tiles(n) { y.at(r, ..).store(w.at(x.at(r, ..).load().argmax(d), ..).load() * 2.0); } }",
        &[&[&[9, 5], &[5, 70]], &[&[1, 1], &[1, 1]], &[&[100, 33], &[33, 9]]],
    ),
    (
        "a histogram of numbers, whose bins are computed, and what is put at every place but one",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(m)] y: &mut GlobalTensor<f32>, #[shape(8)] counts: &mut GlobalTensor<i32>) {
            require(m >= 1);
            for t in tiles(n) {
                let bin = (x.at(t).load() * 0.25).cast_with::<i32>(RoundMode::Floor).max(-4).min(3) + 4;
                counts.at(bin).atomic_add(full::<i32>(t, 1));
            }
            for t in tiles(n) { y.at(t.iota().min(m - 1)).store_any(full(t, 2.0)); } }",
        &[&[&[9], &[5]], &[&[1], &[1]], &[&[0], &[4]], &[&[1000], &[3000]]],
    ),
    (
        "elements that are stored alone, in tiles of a given size",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f16>, #[shape(w = 2 * n)] #[inplace] y: &mut GlobalTensor<f16>, #[shape(n, d)] #[inplace] z: &mut GlobalTensor<f16>) {
            for t in tiles(n).size(2560).buffer_num(1) { y.at(t * 2 + 1).store(x.at(t).load() * 2.0); }
            for t in tiles(n).size(16) { z.at(t, 0).store(x.at(t).load()); } }",
        &[&[&[9], &[18], &[9, 2]], &[&[0], &[0], &[0, 1]], &[&[6000], &[12_000], &[6000, 3]]],
    ),
    (
        "rows in the order of indices that are computed, and elements",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(n as i32 - 1 - r.iota(), ..).store_disjoint(x.at(r, ..).load() * 2.0); }
            for t in tiles(d) { z.at(d as i32 - 1 - t.iota()).store_disjoint(w.at(t).load()); } }",
        &[&[&[9, 70], &[70]], &[&[1, 1], &[1]], &[&[100, 33], &[33]], &[&[3, 2000], &[2000]]],
    ),
    (
        "elements of a workspace behind those of an iteration, as one row, some of which lie outside",
        "#[kernel] pub fn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>) {
            let kept = workspace::<f32>((n, m));
            let all = new_axis(n * m);
            let row = kept.view((all,));
            for (r, t) in tiles((n, m)) { kept.at(r, t).store(x.at(r, t).load()); }
            for (r, i) in tiles((n, each(m))) { y.at(r, i).store(kept.at(r, i).load() + row.at(i + 1).load_or(-2.5)); } }",
        &[&[&[9, 7]], &[&[1, 1]], &[&[100, 3]], &[&[1, 70]]],
    ),
];
