//! Tiles over the last axes of two tensors, neither of which has both: one of the axes becomes the
//! row axis.

use super::cases::Case;

/// Kernels of all pairs of elements of two tensors.
pub const PAIRS: &[Case] = &[
    (
        "how often each number is there, over the cores",
        "#[kernel] pub fn k(#[shape(n)] ids: &GlobalTensor<i32>, #[shape(e)] like: &GlobalTensor<i32>, #[shape(e)] counts: &mut GlobalTensor<f32>) {
            let mut s = across_cores::<f32>(e, 0.0);
            for t in tiles(n) { s += ids.at(t).load().expand(e).eq(e.iota()).select(1.0, 0.0).sum(t); }
            counts.at(..).store(s + like.at(..).load().cast::<f32>()); }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[0], &[8]], &[&[5], &[0]], &[&[4099], &[64]], &[&[300], &[20_011]]],
    ),
    (
        "what the numbers of one weigh in the other, some left out",
        "#[kernel] #[instances(f16, bf16, f32)] pub fn k<T: Float>(#[shape(n)] target: &GlobalTensor<i64>, #[shape(d)] weight: &GlobalTensor<T>, #[shape()] s: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), 0.0);
            for (r, c) in tiles((n, d)) {
                let own = target.at(r).load().cast::<i32>().expand(c);
                let hit = own.eq(c.iota()) & !own.eq(3);
                all += hit.select(weight.at(c).load().wide(), 0.0).sum((r, c));
            }
            s.at().store(all); }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[0], &[8]], &[&[5], &[0]], &[&[1003], &[130]], &[&[9], &[20_011]]],
    ),
    (
        "products of each with each, stored, and beside them both alone",
        "#[kernel] #[instances(f16, f32, i32)] pub fn k<T: Number>(#[shape(n)] a: &GlobalTensor<T>, #[shape(d)] b: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>, #[shape(n)] z: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = a.at(r).load();
                y.at(r).store((v.expand(d) * b.at(..).load()).amax(d));
                z.at(r).store(v + v);
            } }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[0], &[8]], &[&[1003], &[130]], &[&[9], &[20_011]]],
    ),
    (
        "how many of the others are equal, part by part, in a loop inside",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<i32>, #[shape(d)] b: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let mut s = full::<i32>(r, 0);
                let v = a.at(r).load();
                for c in tiles(d) { s += v.expand(c).eq(b.at(c).load()).select(1, 0).sum(c); }
                y.at(r).store(s);
            } }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[0], &[8]], &[&[5], &[0]], &[&[1003], &[130]], &[&[9], &[20_011]]],
    ),
    (
        "the nearest of the others, and which it is",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let x = (a.at(r).load().expand(d) - b.at(..).load()).abs();
                y.at(r).store(x.amin(d));
                z.at(r).store(x.argmin(d));
            } }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[0], &[8]], &[&[1003], &[130]]],
    ),
    (
        "each with each in rows of both",
        "#[kernel] pub fn k(#[shape(g, n)] a: &GlobalTensor<f32>, #[shape(g, d)] b: &GlobalTensor<f32>, #[shape(g)] y: &mut GlobalTensor<f32>, #[shape(g, d)] z: &mut GlobalTensor<f32>) {
            for i in each(g) {
                let x = (a.at(i, ..).load().expand(d) - b.at(i, ..).load()).abs();
                y.at(i).store(x.amax((n, d)));
                z.at(i, ..).store(x.amin(n));
            } }",
        &[&[&[3, 70], &[3, 9]], &[&[1, 1], &[1, 1]], &[&[0, 8], &[0, 5]], &[&[2, 130], &[2, 333]]],
    ),
    (
        "the place of each in the order, beside the same tensor under another axis",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
            let m = new_axis(n);
            let b = a.view((m));
            for r in tiles(n) {
                let (v, w) = (a.at(r).load().expand(m), b.at(..).load());
                let before = m.iota().expand(r).lt(r.iota()).select(1, 0);
                y.at(r).store(v.gt(w).select(1, v.eq(w).select(before, 0)).sum(m));
            } }",
        &[&[&[70]], &[&[1]], &[&[0]], &[&[1003]]],
    ),
    (
        "two loops, each with the other axis whole",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>, #[shape(n)] p: &mut GlobalTensor<f32>, #[shape(d)] q: &mut GlobalTensor<f32>) {
            for r in tiles(n) { p.at(r).store((a.at(r).load().expand(d) * b.at(..).load()).amax(d)); }
            for c in tiles(d) { q.at(c).store((b.at(c).load().expand(n) * a.at(..).load()).amax(n)); } }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[1003], &[130]], &[&[9], &[20_011]]],
    ),
    (
        "ranks of rows, without a reduction: what is stored lies along neither",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), f32::NEG_INFINITY);
            for (c, r) in tiles((d, n)) {
                let v = a.at(r).load() * 2.0;
                all = all.max((v.expand(c) - b.at(c).load()).amax((r, c)));
            }
            y.at().store(all); }",
        &[&[&[70], &[9]], &[&[1], &[1]], &[&[1003], &[130]], &[&[9], &[20_011]]],
    ),
    (
        "products of three, each with each of both others",
        "#[kernel] pub fn k(#[shape(n)] a: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>, #[shape(e)] c: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), f32::NEG_INFINITY);
            for (r, t, u) in tiles((n, d, e)) {
                let v = a.at(r).load().expand(t) * b.at(t).load();
                all = all.max((v.expand(u) - c.at(u).load()).amax((r, t, u)));
            }
            y.at().store(all); }",
        &[&[&[70], &[9], &[5]], &[&[1], &[1], &[1]], &[&[33], &[130], &[17]]],
    ),
    (
        "rows that a number of each chooses, of a table of two columns",
        "#[kernel] pub fn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n, 2)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            let mut s = across_cores::<f32>(d, 0.0);
            for r in tiles(n) {
                let v = x.at(r, 0).load() - x.at(r, 1).load();
                s += at.at(r).load().expand(d).ge(d.iota()).select(v, w.at(..).load()).sum(r);
            }
            y.at(..).store(s); }",
        &[&[&[70], &[9], &[70, 2]], &[&[1], &[1], &[1, 2]], &[&[0], &[8], &[0, 2]], &[&[1003], &[130], &[1003, 2]]],
    ),
];
