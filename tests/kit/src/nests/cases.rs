//! Kernels with tiles and loops of several axes, and kernels of several loops, each with the shapes
//! of its inputs.

/// A kernel, and the shapes of its inputs and optional outputs.
pub type Case = (
    &'static str,
    &'static str,
    &'static [&'static [&'static [usize]]],
);

/// Stands for a shape: the tensor is left out.
pub const LEFT_OUT: &[usize] = &[usize::MAX];

/// Tiles and loops of several axes, and several loops of one kernel.
pub const CASES: &[Case] = &[
    (
        "rows of a table at indices of 64 bits",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for t in tiles(n) { y.at(t, ..).store(x.at(ids.at(t).load(), ..).load()); } }",
        &[&[&[9], &[5, 70]], &[&[1], &[1, 1]], &[&[0], &[4, 8]], &[&[0], &[0, 8]], &[&[3], &[4, 0]], &[&[1000], &[3, 33]], &[&[5], &[2, 60000]]],
    ),
    (
        "a sum over a bag of rows with weights, at indices of 32 bits of two axes",
        "#[kernel] pub fn k(#[shape(n, k)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, k)] w: &GlobalTensor<f32>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, ..).store((x.at(ids.at(r, ..).load(), ..).load() * w.at(r, ..).load()).sum(k)); } }",
        &[&[&[9, 3], &[5, 70], &[9, 3]], &[&[1, 1], &[1, 1], &[1, 1]], &[&[100, 7], &[12, 64], &[100, 7]]],
    ),
    (
        "one index that a tensor holds",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((each(n), d)) { y.at(r, t).store(x.at(i.at(r).load(), t).load() + x.at(i.at(0).load(), t).load()); } }",
        &[&[&[9], &[5, 70]], &[&[1], &[1, 1]], &[&[40], &[3, 4100]]],
    ),
    (
        "two tiles of indices, and columns of a tile",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(p)] #[index(q)] j: &GlobalTensor<i32>, #[shape(m, q, d)] x: &GlobalTensor<f16>,
            #[shape(n, p, d)] y: &mut GlobalTensor<f16>, #[shape(n, q, d)] z: &mut GlobalTensor<f16>) {
            for (r, t) in tiles((n, d)) {
                let rows = i.at(r).load();
                y.at(r, .., t).store(x.at(rows, j.at(..).load(), t).load());
                z.at(r, .., t).store(x.at(rows, .., t).load());
            } }",
        &[&[&[9], &[3], &[5, 4, 70]], &[&[1], &[1], &[1, 1, 1]], &[&[40], &[9], &[3, 2, 130]]],
    ),
    (
        "whether anything, and whether everything of each column, is above a number: bits that all cores merge",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>,
            #[shape(d)] w: &mut GlobalTensor<i32>, #[shape(d)] b: &mut GlobalTensor<bool>) {
            let mut some = across_cores::<bool>((), false);
            let mut every = across_cores::<bool>(d, true);
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                some |= v.gt(1.0).any(..);
                every &= v.gt(-2.0).all(r);
                z.at(r, ..).store(v * 2.0);
            }
            y.at().store(some.select(1.0, 0.0));
            w.at(..).store(every.select(1, 0));
            b.at(..).store(every);
        }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[1000, 8]], &[&[0, 3]], &[&[3, 4100]]],
    ),
    (
        "numbers chosen by a mask: two literals, and a literal before a tile",
        "#[kernel] pub fn k(#[shape(m, n)] x: &GlobalTensor<f16>, #[shape(m, n)] e: &mut GlobalTensor<i64>, #[shape(m, n)] y: &mut GlobalTensor<f16>) {
            for (i, j) in tiles((m, n)) {
                e.at(i, j).store(i.iota().expand(j).eq(j.iota()).select(1, 0).cast::<i64>());
                let v = x.at(i, j).load();
                y.at(i, j).store(v.gt(0.0).select(0.5, v));
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[65, 33]], &[&[0, 3]]],
    ),
    (
        "masks that are joined, loaded ones and those of rows and columns among them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] keep: &GlobalTensor<bool>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f16>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<bool>, #[shape(n)] all: &mut GlobalTensor<bool>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                let (kept, col, row) = (keep.at(r, ..).load(), w.at(..).load().gt(0.5), c.at(r).load().lt(2.0));
                let m = (v.gt(0.0) & kept) | !v.lt(-1.0) ^ col;
                y.at(r, ..).store((m & row).select(v, 0.0));
                z.at(r, ..).store(!(m | row) ^ (v.eq(3.0) & col));
                all.at(r).store(row & !(m & kept).any(d));
            } }",
        &[&[&[9, 70], &[9, 70], &[70], &[9]], &[&[1, 1], &[1, 1], &[1], &[1]], &[&[300, 33], &[300, 33], &[33], &[300]], &[&[2, 9001], &[2, 9001], &[9001], &[2]], &[&[0, 3], &[0, 3], &[3], &[0]]],
    ),
    (
        "what arithmetic widens to",
        "#[kernel] #[instances(f16, bf16, f32, i32)] pub fn k<T: Number>(#[shape(n)] a: &GlobalTensor<T>, #[shape(n)] b: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<bool>, #[shape(n)] z: &mut GlobalTensor<T>) {
            for t in tiles(n) {
                let (v, w) = (a.at(t).load().wide(), b.at(t).load().wide());
                y.at(t).store(v.lt(w));
                z.at(t).store((t.iota().cast::<T::Wide>() * v + w).cast::<T>());
            } }",
        &[&[&[9], &[9]], &[&[1], &[1]], &[&[5000], &[5000]], &[&[0], &[0]]],
    ),
    (
        "a reduction of the middle axis",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, ..).store(x.at(r, .., ..).load().sum(m)); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 8]], &[&[130, 2, 64]], &[&[2, 100, 9]], &[&[0, 3, 4]], &[&[3, 3, 0]]],
    ),
    (
        "column sums: a loop over the last axis, all of the others whole",
        "#[kernel] pub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            for t in tiles(d) { y.at(t).store(x.at(.., t).load().sum(m)); } }",
        &[&[&[5, 70]], &[&[1, 1]], &[&[33, 5000]], &[&[200, 300]]],
    ),
    (
        "each pair of axes repeated",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(m, d)] a: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>,
            #[shape(m)] c: &GlobalTensor<f32>, #[shape(n, d)] e: &GlobalTensor<f32>, #[shape(n)] f: &GlobalTensor<f32>,
            #[shape(n, m)] g: &GlobalTensor<f32>, #[shape(n, m, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, .., ..).load() + a.at(.., ..).load() - b.at(..).load() * 2.0;
                let w = v + c.at(..).load() * 3.0 - e.at(r, ..).load() * 4.0;
                y.at(r, .., ..).store(w + f.at(r).load() * 5.0 - g.at(r, ..).load() * 6.0);
            } }",
        &[
            &[&[3, 5, 70], &[5, 70], &[70], &[5], &[3, 70], &[3], &[3, 5]],
            &[&[1, 1, 1], &[1, 1], &[1], &[1], &[1, 1], &[1], &[1, 1]],
            &[&[9, 4, 64], &[4, 64], &[64], &[4], &[9, 64], &[9], &[9, 4]],
            &[&[50, 3, 8], &[3, 8], &[8], &[3], &[50, 8], &[50], &[50, 3]],
        ],
    ),
    (
        "reductions of several axes at once and one after the other",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n, m)] z: &mut GlobalTensor<f32>,
            #[shape(n)] w: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                y.at(r).store(v.sum((m, d))); z.at(r, ..).store(v.amax(d)); w.at(r).store(v.sum(m).amin(d));
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 8]], &[&[130, 2, 64]], &[&[2, 100, 9]]],
    ),
    (
        "halves along the middle and over all",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f16>, #[shape(n)] z: &mut GlobalTensor<f16>) {
            for r in tiles(n) { let v = x.at(r, .., ..).load(); y.at(r, ..).store(v.amax(m)); z.at(r).store(v.amin((m, d))); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 16]]],
    ),
    (
        "integers along the middle and over all",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<i32>) {
            for r in tiles(n) { let v = x.at(r, .., ..).load(); y.at(r, ..).store(v.amax(m)); z.at(r).store(v.amin((m, d))); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 16]]],
    ),
    (
        "a loop over several axes and single indices",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, d)] y: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(b), d)) { y.at(i, t).store(x.at(i, .., t).load().sum(m)); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 16]], &[&[2, 128, 4096]], &[&[0, 3, 4]], &[&[100, 3, 4]]],
    ),
    (
        "two last axes in one loop, whole and cut",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut m = x.at(r, ..).load().sum(d) + w.at(r, ..).load().sum(k);
                for e in tiles(k) { m = m.max(w.at(r, e).load().amax(e)); }
                for c in tiles(d) { z.at(r, c).store(x.at(r, c).load() * 2.0); }
                y.at(r).store(m);
            } }",
        &[&[&[3, 70], &[3, 9]], &[&[1, 1], &[1, 1]], &[&[70, 33], &[70, 300]]],
    ),
    (
        "a loop over three axes, each cut",
        "#[kernel] pub fn k(#[shape(a, b, d)] x: &GlobalTensor<f32>, #[shape(b, d)] w: &GlobalTensor<f32>, #[shape(a, b, d)] y: &mut GlobalTensor<f32>) {
            for (i, j, t) in tiles((a, b, d)) { y.at(i, j, t).store(x.at(i, j, t).load() * w.at(j, t).load()); } }",
        &[&[&[3, 5, 70], &[5, 70]], &[&[1, 1, 1], &[1, 1]], &[&[70, 33, 16], &[33, 16]], &[&[2, 3, 40960], &[3, 40960]]],
    ),
    (
        "two loops over one tensor, alike and not, with scalars between",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>,
            #[shape(d)] z: &mut GlobalTensor<f32>) {
            let g = w.at(..).load() + 1.0;
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() * g); }
            let s = n as f32;
            for r in tiles(n) { let v = y.at(r, ..).load(); y.at(r, ..).store(v + v.sum(d) + s); }
            for t in tiles(d) { z.at(t).store(y.at(.., t).load().sum(n) * w.at(t).load()); }
        }",
        &[&[&[3, 70], &[70], &[3, 70]], &[&[1, 1], &[1], &[1, 1]], &[&[70, 33], &[33], &[70, 33]], &[&[200, 512], &[512], &[200, 512]]],
    ),
    (
        "loops that share nothing, over elements, rows and iterations",
        "#[kernel] pub fn k(x: &GlobalTensor<f32>, #[shape(a, b, d)] w: &GlobalTensor<f32>, #[shape(a, b, d)] v: &mut GlobalTensor<f32>, #[shape(a, b)] u: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(a), d)) { v.at(i, .., t).store(w.at(i, .., t).load() * 2.0); }
            for i in tiles(a) { u.at(i, ..).store(w.at(i, .., ..).load().amax(d)); }
        }",
        &[&[&[100], &[3, 4, 5]], &[&[1], &[1, 1, 1]], &[&[5000], &[30, 4, 500]]],
    ),
    (
        "sums and extremes over all cores, stored by one",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(1)] s: &mut GlobalTensor<f32>, #[shape(2)] m: &mut GlobalTensor<f32>) {
            let mut a = across_cores::<f32>((), 3.0);
            let mut b = across_cores::<f32>((), f32::NEG_INFINITY);
            let mut c = across_cores::<f32>((), 100.0);
            for t in tiles(x) { let v = x.at(t).load(); a += v.sum(t); b = b.max(v.amax(t)); c = c.min(v.amin(..)); }
            s.at(0).store(a * 2.0);
            m.at(0).store(b); m.at(1).store(c);
        }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[1000, 133]], &[&[0, 4]]],
    ),
    (
        "column sums over all cores, then each column of the rest",
        "#[kernel] pub fn k(#[shape(n, c, p)] x: &GlobalTensor<f32>, #[shape(c)] w: &GlobalTensor<f32>, #[shape(c)] mean: &mut GlobalTensor<f32>,
            #[shape(n, c, p)] y: &mut GlobalTensor<f32>) {
            let mut s = across_cores::<f32>(c, 0.0);
            for (i, t) in tiles((each(n), p)) { s += x.at(i, .., t).load().sum(t); }
            let half = s * 0.5 + w.at(..).load();
            mean.at(..).store(half);
            for (i, t) in tiles((each(n), p)) { y.at(i, .., t).store(x.at(i, .., t).load() - half); }
        }",
        &[&[&[3, 5, 70], &[5]], &[&[1, 1, 1], &[1]], &[&[20, 16, 300], &[16]], &[&[2, 33, 7], &[33]]],
    ),
    (
        "column sums of rows over all cores",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            let mut s = across_cores::<f32>(d, 0.0);
            for r in tiles(n) { s += x.at(r, ..).load().sum(r); }
            y.at(..).store(s);
        }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[300, 33]]],
    ),
    (
        "single indices of the last axes of a loop, none of them",
        "#[kernel] pub fn k(#[shape(a, b, c)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(a, b)] z: &mut GlobalTensor<f32>) {
            for (i, j) in tiles((each(a), each(b))) { let v = x.at(i, j, ..).load(); y.at(i, j, ..).store(v * 2.0); z.at(i, j).store(v.sum(c)); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 8]], &[&[3, 0, 4]], &[&[0, 3, 4]]],
    ),
    (
        "runs of an axis beside single indices of the next one",
        "#[kernel] pub fn k(#[shape(a, b, c)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for (t, j) in tiles((a, each(b))) { y.at(t, j, ..).store(x.at(t, j, ..).load() * 2.0); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[100, 3, 8]], &[&[3, 0, 4]]],
    ),
    (
        "single indices of an axis that others lie around",
        "#[kernel] pub fn k(#[shape(a, b, c)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for i in each(b) { y.at(.., i, ..).store(x.at(.., i, ..).load() * 2.0); } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 100, 8]], &[&[3, 0, 4]]],
    ),
    (
        "a tile that nobody reads over an axis that nothing else has",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            let (p, q) = (new_axis(3), new_axis(2));
            for r in tiles(n) { let v = x.at(r, ..).load(); let w = v.expand((p, q)); y.at(r, ..).store(v * 2.0); } }",
        &[&[&[3, 70]], &[&[1, 1]]],
    ),
    (
        "scalars of before the first loop, read in all of them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>,
            #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let f = n as f32 + 1.0; let mut e = 1.0; for i in 0..3 { e += i as f32; }
            let g = w.at(..).load() * f;
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() * g + e); }
            e = e * 2.0;
            for r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load() * g * f + e); }
        }",
        &[&[&[3, 70], &[70]], &[&[1, 1], &[1]]],
    ),
    (
        "a merge in a loop of one iteration",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
            let one = new_axis(1);
            let x = x.view((one, n));
            let mut s = across_cores::<f32>((), 1.0);
            for i in each(one) { s += x.at(i, ..).load().sum(n); }
            y.at(0).store(s);
        }",
        &[&[&[70]], &[&[1]]],
    ),
    (
        "means of rows, of a middle axis and of all",
        "#[kernel] pub fn k<T: Float>(#[shape(n, m, d)] x: &GlobalTensor<T>, #[shape(n, m)] y: &mut GlobalTensor<T>, #[shape(n, d)] z: &mut GlobalTensor<T>,
            #[shape(n)] w: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, .., ..).load().cast::<f32>();
                y.at(r, ..).store(v.mean(d).cast::<T>()); z.at(r, ..).store(v.mean(m).cast::<T>()); w.at(r).store(v.mean((m, d)).cast::<T>());
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 8]], &[&[130, 2, 64]]],
    ),
    (
        "a mean of halves, which is one of halves, and one of rows longer than UB",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {
            for r in tiles(n) { y.at(r).store(x.at(r, ..).load().mean(d)); } }",
        &[&[&[3, 70]], &[&[5, 1]], &[&[2, 100_000]]],
    ),
    (
        "products of rows, of a middle axis and of all",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f16>,
            #[shape(n)] w: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                let v = v.gt(14.0).select(full((r, m, d), 2.0), v.gt(0.0).select(full((r, m, d), -1.0), 1.0));
                y.at(r, ..).store(v.prod(d)); z.at(r, ..).store(v.cast::<f16>().prod(m)); w.at(r).store(v.prod((m, d)));
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 3, 8]], &[&[130, 2, 64]], &[&[2, 1, 9]]],
    ),
    (
        "products of integers, which wrap, and of halves",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<f16>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r).store((v * 2 + 1).prod(d));
                z.at(r).store(v.cast::<f32>().max(-1.0).min(1.0).cast::<f16>().prod(d));
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 8]], &[&[300, 17]], &[&[2, 3000]], &[&[4, 64]]],
    ),
    (
        "a product over tiles of the columns and over all cores",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(1)] z: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), 2.0);
            for r in tiles(n) {
                let mut p = full(r, 1.0);
                for c in tiles(d) { let v = x.at(r, c).load(); p *= v.gt(0.0).select(full((r, c), -1.0), 1.0).prod(c); }
                y.at(r).store(p);
                all *= p.prod(r);
            }
            z.at(0).store(all);
        }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[300, 64]], &[&[33, 5000]]],
    ),
    (
        "whether any and all of each row, of each column and of all",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>,
            #[shape(n)] w: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                y.at(r, ..).store(v.gt(13.0).any(d).select(full((r, m), 1.0), v.lt(15.0).all(d).select(full((r, m), 2.0), 3.0)));
                z.at(r, ..).store(v.gt(13.0).any(m).select(full((r, d), 1.0), v.lt(15.0).all(m).select(full((r, d), 2.0), 3.0)));
                w.at(r).store(v.gt(15.0).any((m, d)).select(full(r, 1.0), 0.0));
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 33, 8]], &[&[130, 2, 64]], &[&[64, 1, 3]]],
    ),
    (
        "masks of rows and of columns, repeated where they choose",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, ..).store(v.gt(14.0).any(d).select(v * 2.0, v));
                z.at(r, ..).store(g.at(..).load().gt(0.0).select(v * 2.0, -1.0));
            } }",
        &[&[&[3, 70], &[70]], &[&[1, 1], &[1]], &[&[33, 8], &[8]], &[&[300, 64], &[64]], &[&[2, 3000], &[3000]], &[&[1, 90_000], &[90_000]]],
    ),
    (
        "places of the largest and the smallest: of several the lowest, and nan before all",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] hi: &mut GlobalTensor<i32>, #[shape(n)] lo: &mut GlobalTensor<i32>,
            #[shape(n)] bad: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>();
                hi.at(r).store(v.argmax(d)); lo.at(r).store(v.argmin(d));
                bad.at(r).store((v + (v - 3.0) / (v - 3.0)).argmax(d));
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 8]], &[&[300, 64]], &[&[2, 3000]], &[&[1, 40_000]], &[&[50, 17]]],
    ),
    (
        "places of halves, along a middle axis and of integers",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f16>, #[shape(n, m, d)] i: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<i32>,
            #[shape(n, m)] z: &mut GlobalTensor<i32>, #[shape(n, m)] w: &mut GlobalTensor<i32>, #[shape(n, d)] e: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let (v, j) = (x.at(r, .., ..).load(), i.at(r, .., ..).load());
                y.at(r, ..).store(v.argmax(m)); z.at(r, ..).store((1.0 / v).argmin(d));
                w.at(r, ..).store(j.argmax(d)); e.at(r, ..).store(j.argmin(m));
            } }",
        &[&[&[3, 5, 70], &[3, 5, 70]], &[&[1, 1, 1], &[1, 1, 1]], &[&[7, 33, 8], &[7, 33, 8]], &[&[130, 2, 64], &[130, 2, 64]]],
    ),
    (
        "the place of the largest over tiles of columns, and the last one of those",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let (mut best, mut at) = (full(r, f32::NEG_INFINITY), full(r, -1.0));
                for c in tiles(d) {
                    let v = x.at(r, c).load();
                    let (m, i) = (v.amax(c), v.argmax(c).cast::<f32>());
                    at = m.gt(best).select(i, at);
                    best = best.max(m);
                }
                y.at(r).store(at);
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 5000]]],
    ),
    (
        "indices of runs, of whole axes, of rows and of middle axes",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<i32>, #[shape(n, m, d)] y: &mut GlobalTensor<i32>, #[shape(n, d)] z: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let v = x.at(r, .., ..).load() + r.iota() * 1000 - m.iota() * 100 + d.iota();
                y.at(r, .., ..).store(v);
                for c in tiles(d) { z.at(r, c).store(x.at(r, 0, c).load() + c.iota()); }
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[7, 3, 8]], &[&[130, 2, 64]]],
    ),
    (
        "indices of a loop over all elements",
        "#[kernel] pub fn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
            for t in tiles(x) { y.at(t).store(x.at(t).load() * t.iota()); } }",
        &[&[&[3, 70]], &[&[1]], &[&[0]], &[&[70_000]]],
    ),
    (
        "an index behind the own one, and one in front of it",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = n - 2)] y: &mut GlobalTensor<f32>) {
            require(n >= 2);
            for t in tiles(m) { y.at(t).store(x.at(t + 2).load() - x.at(1 + t).load() * 2.0 + x.at(t + 0).load()); } }",
        &[&[&[100]], &[&[2]], &[&[3]], &[&[9000]], &[&[65]]],
    ),
    (
        "columns behind one another, of rows that are cut",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, e = d - 3)] y: &mut GlobalTensor<f16>) {
            require(d >= 3);
            for (r, t) in tiles((n, e)) { y.at(r, t).store(x.at(r, t + 3).load() + x.at(r, t + 1).load()); } }",
        &[&[&[5, 70]], &[&[1, 4]], &[&[3, 3]], &[&[70, 33]], &[&[2, 5000]]],
    ),
    (
        "rows from the end on, loaded and stored",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, ..).store(x.at(n - 1 - r, ..).load()); z.at(n - 1 - r, ..).store(x.at(r, ..).load() * 2.0); } }",
        &[&[&[5, 70]], &[&[1, 1]], &[&[300, 33]], &[&[130, 8]], &[&[0, 4]]],
    ),
    (
        "every second row, and rows between one another",
        "#[kernel] pub fn k(#[shape(m = 2 * n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>,
            #[shape(m, d)] z: &mut GlobalTensor<f32>) {
            let two = new_axis(2);
            for r in tiles(n) {
                let v = x.at(r * 2 + 1, ..).load() - x.at(2 * r, ..).load();
                y.at(r, ..).store(v);
                for i in each(two) { z.at(r * 2 + i, ..).store(v + i as f32); }
            } }",
        &[&[&[10, 70], &[5, 70]], &[&[2, 1], &[1, 1]], &[&[600, 33], &[300, 33]], &[&[260, 8], &[130, 8]], &[&[0, 4], &[0, 4]]],
    ),
    (
        "rows between one another by two stores, and by a divided index",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = 3 * n, d)] y: &mut GlobalTensor<f32>, #[shape(m, d)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r * 3, ..).store(v); y.at(r * 3 + 1, ..).store(v * 2.0); y.at(r * 3 + 2, ..).store(v * 3.0);
            }
            let three = new_axis(3);
            for (i, r) in tiles((each(three), n)) { z.at(r * 3 + i, ..).store(x.at(r, ..).load() + i as f32); } }",
        &[&[&[5, 70]], &[&[1, 1]], &[&[300, 33]], &[&[130, 8]], &[&[0, 4]]],
    ),
    (
        "parts behind one another in one tensor, in two loops and in one",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m, d)] w: &GlobalTensor<f32>, #[shape(nm = n + m, d)] y: &mut GlobalTensor<f32>,
            #[shape(nn = 2 * n, d)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r + 0, ..).store(v); z.at(r + 0, ..).store(v); z.at(r + n, ..).store(v * 2.0); }
            for r in tiles(m) { y.at(n + r, ..).store(w.at(r, ..).load()); } }",
        &[&[&[5, 70], &[3, 70]], &[&[1, 1], &[1, 1]], &[&[300, 33], &[2, 33]], &[&[0, 4], &[3, 4]]],
    ),
    (
        "windows of rows and columns, their largest element",
        "#[kernel] pub fn k(#[shape(b, h, w)] x: &GlobalTensor<f32>, #[shape(b, oh = (h - 3) / 2 + 1, ow = w - 2)] y: &mut GlobalTensor<f32>) {
            require(h >= 3); require(w >= 3);
            let k = new_axis(3);
            for (i, r, t) in tiles((each(b), oh, ow)) {
                let mut m = full((r, t), f32::NEG_INFINITY);
                for p in each(k) { for q in 0..3 { m = m.max(x.at(i, r * 2 + p, t + q).load()); } }
                y.at(i, r, t).store(m);
            } }",
        &[&[&[2, 9, 70]], &[&[1, 3, 3]], &[&[3, 50, 33]], &[&[1, 4, 1000]], &[&[0, 4, 4]]],
    ),
    (
        "windows whose size and step attributes would say, of numbers",
        "#[kernel] pub fn k(#[shape(b, h, w)] x: &GlobalTensor<f32>, #[shape(s)] u: &GlobalTensor<f32>, #[shape(b, oh = (h - s) / s + 1, w)] y: &mut GlobalTensor<f32>) {
            require(h >= s); require(s >= 1);
            for (i, r, t) in tiles((each(b), oh, w)) {
                let mut m = full((r, t), 0.0);
                for p in each(s) { m = m + x.at(i, r * s + p, t).load() * u.at(p).load(); }
                y.at(i, r, t).store(m);
            } }",
        &[&[&[2, 9, 70], &[2]], &[&[1, 3, 3], &[3]], &[&[3, 50, 33], &[1]], &[&[1, 4, 1000], &[4]], &[&[0, 4, 4], &[2]]],
    ),
    (
        "every third of numbers beside rows",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n1 = n + 1)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() * w.at(r + 1).load()); } }",
        &[&[&[5, 70], &[6]], &[&[1, 1], &[2]], &[&[300, 33], &[301]]],
    ),
    (
        "elements from the end on, and every second, third and fourth one",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = 4 * n)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for t in tiles(n) {
                let v = x.at(n - 1 - t).load() + w.at(t * 2 + 1).load() * 2.0 - w.at(3 * t).load() * 4.0;
                y.at(t).store(v + w.at(t * 4 + 3).load() * 8.0 + w.at(4 * n - 1 - 2 * t).load());
            } }",
        &[&[&[5], &[20]], &[&[1], &[4]], &[&[300], &[1200]], &[&[9001], &[36004]], &[&[0], &[0]]],
    ),
    (
        "columns from the end on, and every second one, of rows that are cut",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, m = 2 * d)] w: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f16>) {
            for (r, t) in tiles((n, d)) {
                y.at(r, t).store(x.at(n - 1 - r, d - 1 - t).load() + w.at(r, t * 2).load() - w.at(r, t * 2 + 1).load());
            } }",
        &[&[&[5, 70], &[5, 140]], &[&[1, 1], &[1, 2]], &[&[70, 33], &[70, 66]], &[&[2, 5000], &[2, 10_000]], &[&[3, 0], &[3, 0]]],
    ),
    (
        "steps that an attribute would say along both axes",
        "#[kernel] pub fn k(#[shape(h, w)] x: &GlobalTensor<f32>, #[shape(s)] u: &GlobalTensor<f32>, #[shape(oh = (h - 1) / s + 1, ow = (w - 1) / s + 1)] y: &mut GlobalTensor<f32>) {
            require(s >= 1); require(h >= 1); require(w >= 1);
            for (r, t) in tiles((oh, ow)) { y.at(r, t).store(x.at(r * s, t * s).load() * u.at(0).load()); } }",
        &[&[&[9, 70], &[2]], &[&[1, 1], &[3]], &[&[50, 333], &[1]], &[&[40, 1000], &[7]]],
    ),
    (
        "one value a row, every second one and from the last one on",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = 2 * n)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() * w.at(r * 2 + 1).load() - w.at(2 * n - 1 - r).load()); } }",
        &[&[&[5, 70], &[10]], &[&[1, 1], &[2]], &[&[300, 33], &[600]], &[&[0, 4], &[0]]],
    ),
    (
        "numbers around a vector, near and far",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
            for t in tiles(n) {
                y.at(t).store(x.at(t + 1).load_or(3.0) - x.at(t - 1).load_or(-2.0) * 2.0);
                z.at(t).store(x.at(t - 20).load_or(5.0) + x.at(t + 70).load_or(f32::NEG_INFINITY));
            } }",
        &[&[&[100]], &[&[1]], &[&[2]], &[&[8]], &[&[9001]], &[&[0]], &[&[65]]],
    ),
    (
        "numbers around rows and columns, on each side",
        "#[kernel] pub fn k(#[shape(b, h, w)] x: &GlobalTensor<f16>, #[shape(b, oh = h + 2, ow = w + 19)] y: &mut GlobalTensor<f16>) {
            for (i, r, t) in tiles((each(b), oh, ow)) { y.at(i, r, t).store(x.at(i, r - 1, t - 17).load_or(7.0)); } }",
        &[&[&[2, 9, 70]], &[&[1, 1, 1]], &[&[3, 50, 33]], &[&[1, 4, 1000]], &[&[0, 4, 4]], &[&[2, 0, 3]], &[&[2, 3, 0]], &[&[1, 1, 16]]],
    ),
    (
        "numbers around several axes of rows, single indices and rows from the end on",
        "#[kernel] pub fn k(#[shape(a, b, c, d)] x: &GlobalTensor<i32>, #[shape(a2 = a + 2, b2 = b + 1, c2 = c + 1, d)] y: &mut GlobalTensor<i32>) {
            for (i, r, s) in tiles((each(a2), b2, c2)) {
                y.at(i, r, s, ..).store(x.at(i - 1, b - 1 - r + 1, s - 1, ..).load_or(-9));
            } }",
        &[&[&[2, 9, 3, 70]], &[&[1, 1, 1, 1]], &[&[1, 50, 4, 8]], &[&[0, 2, 2, 4]], &[&[2, 3, 4, 0]]],
    ),
    (
        "windows three wide and two apart with numbers around: their largest element",
        "#[kernel] pub fn k(#[shape(n, h, w)] x: &GlobalTensor<f16>, #[shape(n, oh = (h - 1) / 2 + 1, ow = (w - 1) / 2 + 1)] y: &mut GlobalTensor<f16>) {
            require(h >= 1); require(w >= 1);
            let k = new_axis(3);
            for (i, r, t) in tiles((each(n), oh, ow)) {
                let mut m = full::<f32>((r, t), f32::NEG_INFINITY);
                for p in each(k) { for q in 0..3 { m = m.max(x.at(i, r * 2 + p - 1, t * 2 + q - 1).load_or(f32::NEG_INFINITY).cast::<f32>()); } }
                y.at(i, r, t).store(m.cast::<f16>());
            } }",
        &[&[&[2, 9, 70]], &[&[1, 1, 1]], &[&[3, 50, 33]], &[&[1, 4, 1000]], &[&[0, 4, 4]]],
    ),
    (
        "numbers around steps of three, backwards, and around one value a row",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(n, e = d + 5)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, e)) {
                let v = x.at(r + 1, t * 3 - 4).load_or(1.0) + x.at(r, d + 1 - t).load_or(2.0) * 2.0;
                y.at(r, t).store(v * w.at(r + 2).load_or(0.5) + w.at(n - 2 * r).load_or(4.0));
            } }",
        &[&[&[5, 70], &[5]], &[&[1, 1], &[1]], &[&[70, 33], &[70]], &[&[2, 5000], &[2]], &[&[0, 4], &[0]], &[&[3, 0], &[3]]],
    ),
    (
        "windows in the last parts of axes, no index of which is inside",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>) {
            require(d >= 1);
            for t in tiles(0..n / 2) { y.at(t).store(x.at(t, 0).load()); }
            for t in tiles(n / 2..n) { y.at(t).store(x.at(2 * t + 3, ..).load_or(-2.5).sum(d) + x.at(t, 0).load()); }
            for t in tiles(0..d - d / 3) { z.at(t).store(full(t, 0.0)); }
            for t in tiles(d - d / 3..d).size(16) { z.at(t).store(x.at(.., 1 - t * 2).load_or(-2.5).sum(n)); } }",
        &[&[&[5, 70]], &[&[2, 2]], &[&[70, 33]]],
    ),
    (
        "a window outside of its vector in each row, where an iteration must be looked for to see it",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n, d = 9)] y: &mut GlobalTensor<f32>) {
            for t in tiles(n - n / 3..n).size(16) { y.at(t, ..).store(x.at(1 - t * 2).load_or(-2.5).expand(d)); }
            for t in tiles(0..n - n / 3).size(16) { y.at(t, ..).store(x.at(1 - t * 2).load_or(0.5).expand(d)); } }",
        &[&[&[5]], &[&[2]], &[&[70]]],
    ),
    (
        "a window in a range of several axes that is empty whatever the sizes are",
        "#[kernel] pub fn k(#[shape(n1)] x: &GlobalTensor<f32>, #[shape(n2, n0)] w: &GlobalTensor<f32>, #[shape(n1, n2, n0)] y: &mut GlobalTensor<f32>) {
            for (t1, t2, t3) in tiles((n0, 0..n1, n2)).size((_, 16, _)) {
                y.at(t2, t3, t1).store(x.at(2 * t2 + 1).load_or(-2.5).expand((t1, t3)) + w.at(t3, t1).load());
            }
            for (t1, t2, t3) in tiles((n0, n1..n1, n2)).size((_, 16, _)) {
                y.at(t2, t3, t1).store(x.at(2 * t2 + 1).load_or(-2.5).expand((t1, t3)));
            } }",
        &[&[&[5], &[3, 4]], &[&[70], &[1, 1]]],
    ),
    (
        "elements and rows at quotients, where these are integers, as a transposed convolution has them",
        "#[kernel] pub fn k(#[shape(c, n)] x: &GlobalTensor<f32>, #[shape(n, d)] w: &GlobalTensor<f32>, #[default(2)] s: usize, #[default(1)] p: usize,
            #[shape(c, m = n * s)] y: &mut GlobalTensor<f32>, #[shape(m, d)] z: &mut GlobalTensor<f32>) {
            for (t, i) in tiles((c, each(m))) {
                let mut acc = full(t, 0.0);
                for k in 0..3 { acc = acc + x.at(t, (i + p - k).div_exact(s)).load_or(0.0) * (k + 1) as f32; }
                y.at(t, i).store(acc);
            }
            for (i, t) in tiles((each(m), d)) {
                let mut acc = full(t, 0.0);
                for k in 0..4 { acc = acc + w.at((i + p - k).div_exact(s), t).load_or(-2.5); }
                z.at(i, t).store(acc + w.at((2 * i).div_exact(2 * s).max(0), t).load());
            } }",
        &[&[&[5, 7], &[7, 70]], &[&[1, 1], &[1, 1]], &[&[70, 33], &[33, 9]]],
    ),
    (
        "choices at ranges of lanes and of rows",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, #[shape(n, d)] u: &mut GlobalTensor<f32>) {
            require(d > 1); require(n > 1);
            let low = new_axis(0..d / 2); let high = new_axis(d / 2..d); let but_first = new_axis(1..d); let but_last = new_axis(0..d - 1);
            for t in tiles(n) {
                let v = x.at(t, ..).load();
                y.at(t, high).store(-v.pick(d, high));
                y.at(t, low).store(v.pick(d, low) * 2.0 - v.pick(d, low.indices() + 1));
                z.at(t).store(v.pick(d, but_first).sum(but_first) + v.pick(d, but_last).amax(but_last));
            }
            let early = new_axis(0..n / 2); let late = new_axis(n / 2..n); let inner = new_axis(1..n);
            for t in tiles(d) {
                let v = x.at(.., t).load();
                u.at(early, t).store(v.pick(n, early) + v.pick(n, inner).sum(inner));
                u.at(late, t).store(v.pick(n, late));
            } }",
        &[&[&[5, 70]], &[&[2, 2]], &[&[70, 33]], &[&[3, 256]]],
    ),
    (
        "axes as long as attributes say, which have their names",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[default(3)] rows: usize, #[default(70)] cols: usize, #[shape(rows, n)] y: &mut GlobalTensor<f32>,
            #[shape(rows, cols)] z: &mut GlobalTensor<f32>) {
            let count = rows as f32 * 2.0;
            for (i, t) in tiles((rows, n)) { y.at(i, t).store(x.at(t).load().expand(i) * count); }
            for (i, j) in tiles((each(rows), cols)) { z.at(i, j).store(full(j, count) + i as f32 + cols as f32); } }",
        &[&[&[70]], &[&[1]], &[&[3]]],
    ),
    (
        "more loads than there are blocks, some of which step along columns",
        "#[kernel] pub fn k(#[shape(a, b)] x: &GlobalTensor<f32>, #[shape(b)] y: &mut GlobalTensor<f32>) {
            for t in tiles(b) {
                let v = x.at(.., t + 1).load_or(-2.5) + x.at(.., t).load();
                let w = x.at(.., 2 * t + 3).load_or(-2.5) * x.at(.., t - 1).load_or(0.5);
                let u = x.at(.., t * 3).load_or(1.0) - x.at(.., b - 1 - t).load() + x.at(.., t + 2).load_or(4.0);
                y.at(t).store((x.at(.., t).load() + v * w + u).sum(a));
            } }",
        &[&[&[2, 2]], &[&[5, 300]], &[&[1, 1]]],
    ),
    (
        "bytes of any type are moved",
        "#[kernel] pub fn k<T: Element>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { for t in tiles(x) { y.at(t).store(x.at(t).load()); } }",
        &[&[&[3, 70]], &[&[1]], &[&[0]], &[&[70_001]]],
    ),
    (
        "integers of 8 bits to every type and back",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i8>, a: &mut GlobalTensor<f16>, b: &mut GlobalTensor<bf16>, c: &mut GlobalTensor<f32>,
            e: &mut GlobalTensor<i32>, f: &mut GlobalTensor<i64>, g: &mut GlobalTensor<bool>, h: &mut GlobalTensor<i8>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                a.at(r, ..).store(v.cast::<f16>()); b.at(r, ..).store(v.cast::<bf16>()); c.at(r, ..).store(v.cast::<f32>());
                e.at(r, ..).store(v.cast::<i32>()); f.at(r, ..).store(v.cast::<i64>()); g.at(r, ..).store(v.cast::<bool>());
                h.at(r, ..).store((v.cast::<f32>() * 1.5).cast::<i8>());
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 64]]],
    ),
    (
        "numbers of 32 bits to types for storage: one rounding, and the ends",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] i: &GlobalTensor<i32>, a: &mut GlobalTensor<i8>, b: &mut GlobalTensor<i64>,
            c: &mut GlobalTensor<bool>, e: &mut GlobalTensor<i8>, f: &mut GlobalTensor<i64>, g: &mut GlobalTensor<bool>) {
            for r in tiles(n) {
                let (v, j) = (x.at(r, ..).load(), i.at(r, ..).load());
                let v = v * 12.5 + 0.5 + v * 2.0e-6 + (v - 3.0) / (v - 3.0);
                a.at(r, ..).store(v.cast::<i8>()); b.at(r, ..).store((v * 1.0e9).cast::<i64>()); c.at(r, ..).store((v - 1.0).cast::<bool>());
                let k = j * 10_000_019 * j;
                e.at(r, ..).store(k.cast::<i8>()); f.at(r, ..).store(k.cast::<i64>()); g.at(r, ..).store(j.cast::<bool>());
            } }",
        &[&[&[3, 70], &[3, 70]], &[&[1, 1], &[1, 1]], &[&[33, 64], &[33, 64]]],
    ),
    (
        "floats of 16 bits to types for storage",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, d)] w: &GlobalTensor<bf16>, a: &mut GlobalTensor<i8>, b: &mut GlobalTensor<i64>,
            c: &mut GlobalTensor<bool>, e: &mut GlobalTensor<i8>, f: &mut GlobalTensor<i64>, g: &mut GlobalTensor<bool>) {
            for r in tiles(n) {
                let (v, u) = (x.at(r, ..).load() * 8.5, w.at(r, ..).load());
                a.at(r, ..).store(v.cast::<i8>()); b.at(r, ..).store(v.cast::<i64>()); c.at(r, ..).store((v / v).cast::<bool>());
                e.at(r, ..).store(u.cast::<i8>()); f.at(r, ..).store(u.cast::<i64>()); g.at(r, ..).store(u.cast::<bool>());
            } }",
        &[&[&[3, 70], &[3, 70]], &[&[1, 1], &[1, 1]], &[&[33, 64], &[33, 64]]],
    ),
    (
        "integers of 64 bits",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i64>, a: &mut GlobalTensor<i32>, b: &mut GlobalTensor<f32>, c: &mut GlobalTensor<i8>,
            e: &mut GlobalTensor<bool>, #[shape(n)] s: &mut GlobalTensor<i64>, f: &mut GlobalTensor<f16>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                a.at(r, ..).store(v.cast::<i32>()); b.at(r, ..).store(v.cast::<f32>()); c.at(r, ..).store(v.cast::<i8>()); e.at(r, ..).store(v.cast::<bool>());
                s.at(r).store(v.cast::<i32>().sum(d).cast::<i64>()); f.at(r, ..).store(v.cast::<f32>().cast::<f16>());
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 64]], &[&[5, 3]], &[&[2, 30_000]]],
    ),
    (
        "masks in tensors: loaded, asked, chosen by, made numbers and stored",
        "#[kernel] pub fn k(#[shape(n, d)] m: &GlobalTensor<bool>, #[shape(n, d)] x: &GlobalTensor<f32>, a: &mut GlobalTensor<f32>, b: &mut GlobalTensor<bool>,
            #[shape(n)] c: &mut GlobalTensor<bool>, e: &mut GlobalTensor<i32>, f: &mut GlobalTensor<f16>, g: &mut GlobalTensor<i64>, #[shape(n)] h: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let (p, v) = (m.at(r, ..).load(), x.at(r, ..).load());
                a.at(r, ..).store(p.select(v, -1.0)); b.at(r, ..).store(v.gt(2.0)); c.at(r).store(p.all(d));
                e.at(r, ..).store(p.cast::<i32>()); f.at(r, ..).store(p.cast::<f16>()); g.at(r, ..).store(v.gt(2.0).cast::<i64>());
                h.at(r).store(v.cast::<bool>().cast::<f32>().sum(d));
            } }",
        &[&[&[3, 70], &[3, 70]], &[&[1, 1], &[1, 1]], &[&[33, 64], &[33, 64]], &[&[2, 20_000], &[2, 20_000]]],
    ),
    (
        "a type that may be bool is converted as its bytes",
        "#[kernel] #[instances(bool, i8, i64, f16, f32, i32, i16, u8, u16, u32)] pub fn k<T: Element>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<T>,
            #[shape(n)] s: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                let f = v.cast::<f32>();
                y.at(r, ..).store(f + 0.5); z.at(r, ..).store((f * 0.5 - 1.0).cast::<T>()); s.at(r).store(f.amax(d));
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 64]]],
    ),
    (
        "bits of a number beside those of a tile, and a number moved by a tile",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
            for t in tiles(n) { let v = x.at(t).load(); y.at(t).store((15 & v | 1 & t.iota()) ^ (1 << (v & 7)) ^ (-64 >> (3 & v))); } }",
        &[&[&[9]], &[&[1]], &[&[9001]], &[&[0]]],
    ),
    (
        "choices of rows and columns by a mask of rows, of columns and of both",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>, #[shape(n)] s: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let (v, w, u) = (x.at(r, ..).load(), b.at(..).load(), s.at(r).load());
                let z = u.gt(0.0).select(v, w) + w.gt(0.5).select(v, u) * 2.0;
                y.at(r, ..).store(z + v.lt(0.0).select(u, w) * 4.0 + w.lt(0.0).select(w, v));
            } }",
        &[&[&[9, 70], &[70], &[9]], &[&[1, 1], &[1], &[1]], &[&[300, 33], &[33], &[300]], &[&[2, 9001], &[9001], &[2]], &[&[0, 8], &[8], &[0]]],
    ),
    (
        "elements that are repeated by their bits, of rows and of columns, and bits that meet so",
        "#[kernel] #[instances(bf16, u16, u32, f16)] pub fn k<T: Element>(#[shape(n)] x: &GlobalTensor<T>, #[shape(d)] w: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n, d)] z: &mut GlobalTensor<T>) {
            for (r, t) in tiles((n, d)) { y.at(r, t).store(x.at(r).load().expand(t)); z.at(r, t).store(w.at(t).load().expand(r)); } }",
        &[&[&[9], &[70]], &[&[1], &[1]], &[&[300], &[33]], &[&[2], &[9001]], &[&[0], &[8]]],
    ),
    (
        "bits of numbers without a sign, of rows beside columns",
        "#[kernel] #[instances(u16, u32, i16)] pub fn k<T: Element>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] w: &GlobalTensor<T>, #[shape(n)] c: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for r in tiles(n) { y.at(r, ..).store((x.at(r, ..).load() & w.at(..).load()) | c.at(r).load()); } }",
        &[&[&[9, 70], &[70], &[9]], &[&[1, 1], &[1], &[1]], &[&[300, 33], &[33], &[300]], &[&[2, 9001], &[9001], &[2]]],
    ),
    (
        "bits of integers, where rows and columns meet",
        "#[kernel] #[instances(i16, i32)] pub fn k<T: Element>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] w: &GlobalTensor<T>, #[shape(n)] c: &GlobalTensor<T>,
            y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, ..).store((v & w.at(..).load()) ^ c.at(r).load()); z.at(r, ..).store(!(v << 2) | (v >> 1));
            } }",
        &[&[&[3, 70], &[70], &[3]], &[&[1, 1], &[1], &[1]], &[&[33, 64], &[64], &[33]], &[&[5, 333], &[333], &[5]]],
    ),
    (
        "bits of bytes and of what has no sign, of odd numbers of them",
        "#[kernel] #[instances(u8, i8, u16, u32, i64)] pub fn k<T: Element>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] w: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for (i, t) in tiles((each(n), d)) {
                let v = x.at(i, t).load();
                y.at(i, t).store((v | w.at(i, t).load()) & !v);
            } }",
        &[&[&[3, 71], &[3, 71]], &[&[1, 1], &[1, 1]], &[&[2, 20_001], &[2, 20_001]]],
    ),
    (
        "numbers of 16 bits are added to what is there",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i16>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<i16>, #[shape(n, d)] z: &mut GlobalTensor<i16>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                z.at(r, ..).store(v * 3 - 7 * v.max(2));
                y.at(r, ..).atomic_add(v * 2000);
            } }",
        &[&[&[9, 70], &[9, 70]], &[&[1, 1], &[1, 1]], &[&[0, 8], &[0, 8]], &[&[200, 33], &[200, 33]]],
    ),
    (
        "compares of integers, the ends of their type among them, and choices between them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n, d)] w: &GlobalTensor<i32>, a: &mut GlobalTensor<i32>, b: &mut GlobalTensor<i32>,
            c: &mut GlobalTensor<i32>, e: &mut GlobalTensor<bool>, f: &mut GlobalTensor<bool>, #[shape(n)] g: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let (v, u) = (x.at(r, ..).load() * 143_165_577, w.at(r, ..).load() * 143_165_577);
                a.at(r, ..).store(v.gt(u).select(v, u)); b.at(r, ..).store(v.le(u).select(v, -2147483647)); c.at(r, ..).store(v.ne(7).select(u, v));
                e.at(r, ..).store(v.lt(u)); f.at(r, ..).store(v.ge(-1000)); g.at(r).store(v.eq(u).any(d).select(v.amax(d), 0));
            } }",
        &[&[&[3, 70], &[3, 70]], &[&[1, 1], &[1, 1]], &[&[33, 64], &[33, 64]], &[&[2, 20_000], &[2, 20_000]]],
    ),
    (
        "compares of bf16 and choices between such",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<bf16>, #[shape(d)] w: &GlobalTensor<bf16>, a: &mut GlobalTensor<bf16>, b: &mut GlobalTensor<bf16>,
            c: &mut GlobalTensor<bool>) {
            for r in tiles(n) {
                let (v, u) = (x.at(r, ..).load(), w.at(..).load());
                a.at(r, ..).store(v.gt(u).select(v, u)); b.at(r, ..).store(v.le(2.5).select(u, 0.1)); c.at(r, ..).store(v.ne(u));
            } }",
        &[&[&[3, 70], &[70]], &[&[1, 1], &[1]], &[&[33, 64], &[64]]],
    ),
    (
        "the place of the largest over tiles of columns, in integers",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let (mut best, mut at) = (full(r, f32::NEG_INFINITY), full::<i32>(r, -1));
                for c in tiles(d) {
                    let v = x.at(r, c).load();
                    let (m, i) = (v.amax(c), v.argmax(c));
                    at = m.gt(best).select(i, at);
                    best = best.max(m);
                }
                y.at(r).store(at);
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 5000]]],
    ),
    (
        "a workspace with axes: what one loop leaves there another one reads under other axes, or the other way round",
        "#[kernel] pub fn k(#[shape(n, g, k, p)] x: &GlobalTensor<f32>, #[shape(g, k)] y: &mut GlobalTensor<f32>, #[shape(n, g, k)] z: &mut GlobalTensor<f32>) {
            let s = workspace::<f32>((n, g, k));
            for (q, i) in tiles((each(n), each(g))) { s.at(q, i, ..).store(x.at(q, i, .., ..).load().sum(p)); }
            let c = new_axis(g * k);
            let (s, y, z) = (s.view((n, c)), y.view(c), z.view((n, c)));
            for t in tiles(c) { y.at(t).store(s.at(.., t).load().sum(n)); }
            for (q, t) in tiles((n, c)) { z.at(q, t).store(s.at(n - 1 - q, t).load()); } }",
        &[&[&[3, 2, 5, 70]], &[&[1, 1, 1, 1]], &[&[2, 3, 40, 9]], &[&[3, 2, 0, 5]]],
    ),
    (
        "a workspace of the kernel's own type, of which an iteration loads what it stored itself",
        "#[kernel] #[instances(f16, f32, i32)] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            let s = workspace::<T>((n, d));
            for r in tiles(n) {
                s.at(r, ..).store(x.at(r, ..).load() + 1);
                y.at(r, ..).store(s.at(r, ..).load() * 2);
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 64]], &[&[0, 5]]],
    ),
    (
        "workspaces of one axis, of integers and of bytes",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(d)] c: &mut GlobalTensor<i32>) {
            let (first, good) = (workspace::<i32>(n), workspace::<bool>((n, d)));
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                first.at(r).store(v.argmax(d)); good.at(r, ..).store(v.gt(0.0));
            }
            for (r, t) in tiles((n, d)) { y.at(r, t).store(good.at(r, t).load().select(x.at(r, t).load(), first.at(r).load().cast::<f32>().expand(t))); }
            for t in tiles(d) { c.at(t).store(good.at(.., t).load().cast::<i32>().sum(n)); } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[33, 64]], &[&[5, 700]]],
    ),
    (
        "phases in a loop of scalars: each iteration reads what the one before left, from other blocks",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            let s = workspace::<f32>((n, d));
            for r in tiles(n) { s.at(r, ..).store(x.at(r, ..).load()); }
            for i in 0..3 {
                for t in tiles(n) { y.at(t, ..).store(s.at(n - 1 - t, ..).load() * 2.0 + i as f32); }
                for t in tiles(n) { s.at(t, ..).store(s.at(t, ..).load() + 1.0); }
            }
            for t in tiles(n) { y.at(t, ..).store(s.at(n - 1 - t, ..).load()); } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[133, 64]], &[&[0, 5]]],
    ),
    (
        "phases under a branch and in loops that begin a kernel, scalars that change between them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let mut c = 1.0;
            for i in 0..n % 3 + 1 {
                let half = c * 0.5;
                if i > 0 { for t in tiles(n) { y.at(t, ..).store(x.at(t, ..).load() * half); } }
                else { for (t, u) in tiles((n, d)) { y.at(t, u).store(x.at(t, u).load() + c); } }
                c = c * 4.0;
            }
            let last = c;
            let v = x.at(0, ..).load() * last;
            if d > 8 { for r in tiles(n) { z.at(r, ..).store(x.at(n - 1 - r, ..).load() + v); } } else { for r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load() - v); } } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[131, 8]], &[&[5, 700]]],
    ),
    (
        "values over the cores in a loop of scalars, and stores by one core in each of its iterations",
        "#[kernel] pub fn k(#[shape(g, n, d)] x: &GlobalTensor<f32>, #[shape(g, d)] y: &mut GlobalTensor<f32>, #[shape(g)] z: &mut GlobalTensor<f32>, #[shape(g, n, d)] w: &mut GlobalTensor<f32>) {
            for i in 0..g {
                let mut s = across_cores::<f32>(d, 0.0);
                let mut top = across_cores::<f32>((), 1.0);
                for t in tiles(n) { let v = x.at(i, t, ..).load(); s += v.sum(t); top = top.max(v.amax((t, d))); }
                y.at(i, ..).store(s + top);
                z.at(i).store(top);
                for t in tiles(n) { w.at(i, t, ..).store(x.at(i, t, ..).load() - s); }
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[2, 133, 64]], &[&[4, 2, 9]]],
    ),
    (
        "a step of a recurrence that all cores make together",
        "#[kernel] pub fn k(#[shape(n, m)] a: &GlobalTensor<f32>, #[shape(m)] v: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            require(n == m);
            let (u, w) = (workspace::<f32>(m), workspace::<f32>(n));
            for t in tiles(m) { u.at(t).store(v.at(t).load()); }
            for i in 0..3 {
                for r in tiles(n) { w.at(r).store((a.at(r, ..).load() * u.at(..).load()).sum(m)); }
                for t in tiles(m) { u.at(t).store(w.at(t + 0).load() * 0.25); }
            }
            for r in tiles(n) { y.at(r).store(u.at(r + 0).load()); } }",
        &[&[&[3, 3], &[3]], &[&[1, 1], &[1]], &[&[70, 70], &[70]]],
    ),
    (
        "stores from the end of an axis on, that a loop inside goes through",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, m, d)] y: &mut GlobalTensor<f32>, #[shape(b, m, d)] z: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(b), d)) { for j in each(m) { y.at(i, m - 1 - j, t).store(x.at(i, j, t).load()); } }
            for i in each(b) { for (j, t) in tiles((m, d)) { z.at(b - 1 - i, m - 1 - j, t).store(x.at(i, j, t).load()); } } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[2, 33, 64]], &[&[0, 3, 4]]],
    ),
    (
        "an axis where an attribute says, from its end on",
        "#[kernel] pub fn k(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, #[shape(a.., m, b..)] y: &mut GlobalTensor<f32>, #[default(-2)] dim: i32) {
            for (i, t, p) in tiles((each(a), m, b)) { y.at(i, t, p).store(x.at(i, m - 1 - t, p).load()); } }",
        &[&[&[5, 70]], &[&[2, 3, 4, 5]], &[&[1, 1]], &[&[2, 9, 0]], &[&[2, 0, 9]], &[&[300, 1]]],
    ),
    (
        "several axes before an axis and behind it, without it and alone",
        "#[kernel] pub fn k(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, #[shape(2, b..)] w: &GlobalTensor<f32>, #[shape(a.., b..)] y: &mut GlobalTensor<f32>,
            #[shape(a.., 2 * m, b..)] z: &mut GlobalTensor<f32>, #[default(1)] dim: usize) {
            for (i, p) in tiles((each(a), b)) { y.at(i, p).store(x.at(i, .., p).load().sum(m) + w.at(1, p).load()); }
            let q = new_axis(2 * m * b); let z = z.view((a, q));
            for (i, t) in tiles((a, q)) { z.at(i, t).store(full((i, t), 2.0)); } }",
        &[&[&[2, 5, 7], &[2, 7]], &[&[3, 4], &[2]], &[&[2, 3, 4, 5], &[2, 4, 5]]],
    ),
    (
        "numbers without axes",
        "#[kernel] pub fn k(#[shape()] first: &GlobalTensor<f32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape()] s: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), 1.0);
            for t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v + first.at().load()); all += v.sum(t); }
            s.at().store(all); }",
        &[&[&[], &[70]], &[&[], &[1]], &[&[], &[30_001]], &[&[], &[0]]],
    ),
    (
        "all elements of a tensor that is one number",
        "#[kernel] pub fn k(#[shape()] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load() + x.at().load()); } }",
        &[&[&[]]],
    ),
    (
        "steps back that lie outside of a tensor in every iteration",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for t in tiles(n) { y.at(t, ..).store(x.at(0 - (t * 2 + 8), ..).load_or(-2.5)); } }",
        &[&[&[3, 70]], &[&[1, 1]]],
    ),
    (
        "more blocks than cores where blocks meet",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, d));
            for t in tiles(n).block_dim(64) { w.at(t, ..).store(x.at(t, ..).load()); }
            for t in tiles(n).block_dim(64) { y.at(t, ..).store(w.at(n - 1 - t, ..).load()); } }",
        &[&[&[200, 70]], &[&[1, 1]]],
    ),
    (
        "rows added at indices, some of them equal",
        "#[kernel] pub fn k<T: Float>(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<T>,
            #[shape(m, d)] y: &mut GlobalTensor<T>, #[default(5)] m: usize) {
            for r in tiles(n) { y.at(ids.at(r).load(), ..).atomic_add(x.at(r, ..).load()); } }",
        &[&[&[9], &[9, 70]], &[&[1], &[1, 1]], &[&[0], &[0, 8]], &[&[3], &[3, 0]], &[&[300], &[300, 33]], &[&[5], &[5, 9000]]],
    ),
    (
        "rows and columns added at indices of two axes, computed on the way",
        "#[kernel] pub fn k(#[shape(n, k)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, k, d)] x: &GlobalTensor<f32>, #[shape(n, k)] w: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>, #[shape(m, d)] z: &mut GlobalTensor<f32>, #[default(7)] m: usize) {
            for (i, t) in tiles((each(n), d)) {
                let rows = ids.at(i, ..).load();
                let v = x.at(i, .., t).load() * w.at(i, ..).load();
                y.at(rows, t).atomic_add(v);
                z.at(rows, t).atomic_add(v + 1.0);
            } }",
        &[&[&[9, 3], &[9, 3, 70], &[9, 3]], &[&[1, 1], &[1, 1, 1], &[1, 1]], &[&[40, 2], &[40, 2, 65], &[40, 2]], &[&[0, 3], &[0, 3, 4], &[0, 3]]],
    ),
    (
        "sums of tiles added to a row and to one number, and into what is there",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(d)] z: &mut GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>,
            #[shape()] s: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(..).atomic_add(v.sum(r));
                z.at(..).atomic_add((v * 2.0).sum(r));
                s.at().atomic_add(v.sum(..));
            } }",
        &[&[&[9, 70], &[70]], &[&[1, 1], &[1]], &[&[0, 8], &[8]], &[&[1000, 33], &[33]], &[&[100, 2000], &[2000]]],
    ),
    (
        "integers of 32 bits and halves added along a loop inside",
        "#[kernel] #[instances(f16, f32, i32)] pub fn k<T: Number>(#[shape(n, m)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>, #[shape(m)] z: &mut GlobalTensor<T>) {
            for r in tiles(n) { for t in tiles(m) {
                let v = x.at(r, t).load();
                y.at(r).atomic_add(v.cast::<f32>().sum(t).cast::<T>());
                z.at(t).atomic_add(v.cast::<f32>().sum(r).cast::<T>());
            } } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[0, 8]], &[&[40, 33]]],
    ),
    (
        "added behind stores of an earlier loop, and loaded behind that",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] #[index(n)] ids: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<f32>,
            #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, d));
            for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v); y.at(r, ..).atomic_add(v * 2.0); }
            for r in tiles(n) {
                let at = ids.at(r).load();
                y.at(at, ..).atomic_add(x.at(r, ..).load());
                w.at(at, ..).atomic_add(x.at(n - 1 - r, ..).load());
            }
            for r in tiles(n) { z.at(r, ..).store(w.at(r, ..).load() + 1.0); } }",
        &[&[&[9, 70], &[9]], &[&[1, 1], &[1]], &[&[0, 8], &[0]], &[&[100, 33], &[100]]],
    ),
    (
        "added in the iterations of a loop over scalars, bytes among them",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<i8>, #[shape(n, d)] v: &GlobalTensor<f16>, #[shape(m, d)] y: &mut GlobalTensor<i8>, #[shape(m, d)] z: &mut GlobalTensor<f16>, #[default(3)] m: usize) {
            for i in 0..3 {
                for (r, t) in tiles((n, d)) {
                    y.at(ids.at(r).load(), t).atomic_add(x.at(r, t).load());
                    if i > 0 { z.at(ids.at(r).load(), t).atomic_add(v.at(r, t).load()); }
                }
            } }",
        &[&[&[9], &[9, 70], &[9, 70]], &[&[1], &[1, 1], &[1, 1]], &[&[0], &[0, 8], &[0, 8]], &[&[30], &[30, 33], &[30, 33]]],
    ),
    (
        "equal rows stored at indices, behind zeros, and stored again by all",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(d)] x: &GlobalTensor<f32>,
            #[shape(m, d)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>, #[default(5)] m: usize) {
            for t in tiles(y) { y.at(t).store(full(t, -1.0)); }
            for (r, t) in tiles((n, d)) { y.at(ids.at(r).load(), t).store_any(x.at(t).load().expand(r)); }
            for r in tiles(m) { z.at(..).store_any(x.at(..).load() + 2.0); } }",
        &[&[&[9], &[70]], &[&[1], &[1]], &[&[0], &[8]], &[&[300], &[33]]],
    ),
    (
        "rows chosen by a number, elements by a tile of indices and by a number, of rows of rows",
        "#[kernel] #[instances(f16, f32, i32)] pub fn k<T: Number>(#[shape(n, k, d)] x: &GlobalTensor<T>, #[shape(n, k)] #[index(d)] ids: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<T>,
            #[shape(n, k)] z: &mut GlobalTensor<T>, #[shape(n)] s: &mut GlobalTensor<T>) {
            require(k >= 2);
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                y.at(r, ..).store(v.pick(k, 0) + v.pick(k, k - 1));
                z.at(r, ..).store(v.pick(d, ids.at(r, ..).load()) + v.pick(d, d - 1));
                s.at(r).store(v.pick(k, 1).pick(d, 0));
            } }",
        &[&[&[9, 3, 70], &[9, 3]], &[&[1, 2, 1], &[1, 2]], &[&[40, 5, 33], &[40, 5]], &[&[3, 2, 2000], &[3, 2]], &[&[0, 3, 4], &[0, 3]]],
    ),
    (
        "columns picked at every second index of all, at a number behind, and at those of a step that the caller gives",
        "#[kernel] #[instances(f16, bf16, f32, i32)] pub fn k<T: Number>(#[shape(n, k, d)] x: &GlobalTensor<T>, #[shape(n, k, h = d / 2)] y: &mut GlobalTensor<T>,
            #[shape(n, k, g = d / s)] z: &mut GlobalTensor<T>, #[default(3)] s: usize) {
            require(s >= 1);
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                y.at(r, .., ..).store(v.pick(d, h.indices() * 2 + 1));
                z.at(r, .., ..).store(v.pick(d, g.indices() * s));
            } }",
        &[&[&[9, 3, 70]], &[&[1, 2, 3]], &[&[40, 5, 33]], &[&[3, 2, 2000]], &[&[0, 3, 4]], &[&[700, 2, 9]]],
    ),
    (
        "columns picked at the tile of a loop, and rows of rows at one",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, k, d)] x: &GlobalTensor<T>, #[shape(n, h = d / 2)] y: &mut GlobalTensor<T>, #[shape(n, g = k / 2, d)] z: &mut GlobalTensor<T>,
            #[shape(n, k, d)] u: &mut GlobalTensor<T>) {
            require(k >= 1);
            for i in each(n) {
                let v = x.at(i, .., ..).load();
                for t in tiles(h) { y.at(i, t).store(v.pick(k, 0).pick(d, t * 2) + v.pick(k, k - 1).pick(d, t + h)); }
                for t in tiles(g) { z.at(i, t, ..).store(v.pick(k, t * 2 + 1) - v.pick(k, t + 0)); }
                for (p, q) in tiles((k, d)) { u.at(i, p, q).store(v.pick(k, p).pick(d, q)); }
            } }",
        &[&[&[9, 3, 70]], &[&[1, 2, 1]], &[&[4, 5, 33]], &[&[3, 2, 2000]], &[&[0, 3, 4]], &[&[2, 1, 9]]],
    ),
    (
        "neighbours in UB, by a longer axis whose ends lie outside of the tensor",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            let c = new_axis(d + 2);
            for r in tiles(n) {
                let v = x.at(r, c.indices() - 1).load_or(0.0).cast::<f32>();
                let mut s = v.pick(c, d.indices());
                for q in 1..3 { s = s + v.pick(c, d.indices() + q); }
                y.at(r, ..).store(s.cast::<T>());
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[40, 33]], &[&[3, 2000]], &[&[0, 4]], &[&[1000, 7]]],
    ),
    (
        "an element of each row, the indices of i64",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] #[index(d)] ids: &GlobalTensor<i64>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(r).store(x.at(r, ..).load().pick(d, ids.at(r).load().cast::<i32>())); } }",
        &[&[&[9, 70], &[9]], &[&[1, 1], &[1]], &[&[1000, 33], &[1000]], &[&[3, 9000], &[3]], &[&[0, 4], &[0]]],
    ),
    (
        "choices at indices that were loaded, in rows of which there may be none",
        "#[kernel] pub fn k(#[shape(b, n, d)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(b, n, m, d)] y: &mut GlobalTensor<f32>) {
            require(d >= 1);
            for t in tiles(m) {
                let v = x.at(.., .., ..).load();
                let ids = v.cast::<i32>().max(0).min(d - 1);
                y.at(.., .., t, ..).store(v.pick(d, ids).expand(t) + w.at(t).load());
            } }",
        &[&[&[2, 3, 9], &[7]], &[&[2, 0, 4], &[7]], &[&[0, 3, 4], &[3]], &[&[1, 1, 70], &[1]]],
    ),
    (
        "elements of each row, at indices of its own and at those of all rows, and each row turned round",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, m)] #[index(d)] own: &GlobalTensor<i32>, #[shape(m)] #[index(d)] all: &GlobalTensor<i32>,
            #[shape(n, m)] y: &mut GlobalTensor<T>, #[shape(n, m)] z: &mut GlobalTensor<T>, #[shape(n, d)] w: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>();
                y.at(r, ..).store(v.pick(d, own.at(r, ..).load()).cast::<T>());
                z.at(r, ..).store((v * 2.0).pick(d, all.at(..).load()).cast::<T>());
                w.at(r, ..).store(v.pick(d, (d as i32 - 1 - d.iota()).max(0)).cast::<T>());
            } }",
        &[&[&[9, 70], &[9, 5], &[5]], &[&[1, 1], &[1, 1], &[1]], &[&[40, 33], &[40, 64], &[64]], &[&[300, 9], &[300, 17], &[17]], &[&[0, 4], &[0, 3], &[3]]],
    ),
    (
        "a table before the loop, by indices that are computed and clamped",
        "#[kernel] pub fn k(#[shape(m)] table: &GlobalTensor<f32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            let t = table.at(..).load();
            for (r, j) in tiles((n, d)) {
                let at = (x.at(r, j).load() * 7.0).cast_with::<i32>(RoundMode::Floor).max(0).min(m - 1);
                y.at(r, j).store(t.pick(m, at) + t.pick(m, 0));
            } }",
        &[&[&[7], &[9, 70]], &[&[1], &[1, 1]], &[&[300], &[40, 33]], &[&[16], &[3, 9000]], &[&[3], &[0, 4]]],
    ),
    (
        "bilinear upsampling of several planes an iteration",
        "#[kernel] pub fn k(#[shape(n, h, w)] x: &GlobalTensor<f32>, #[default(2)] s: usize, #[shape(n, oh = h * s, ow = w * s)] y: &mut GlobalTensor<f32>) {
            require(s >= 1);
            for (q, i, j) in tiles((n, each(oh), ow)) {
                let p = (2 * i + 1).max(s) - s;
                let above = (p / (2 * s)).min(h - 1);
                let f = (p - above * 2 * s) as f32 / (2 * s) as f32;
                let row = x.at(q, above, ..).load() * (1.0 - f) + x.at(q, (above + 1).min(h - 1), ..).load() * f;
                let g = ((j.iota().cast::<f32>() + 0.5) / s as f32 - 0.5).max(0.0);
                let left = g.cast_with::<i32>(RoundMode::Floor).min(w - 1);
                let u = g - left.cast::<f32>();
                y.at(q, i, j).store(row.pick(w, left) * (1.0 - u) + row.pick(w, (left + 1).min(w - 1)) * u);
            } }",
        &[&[&[3, 5, 9]], &[&[1, 1, 1]], &[&[40, 3, 33]], &[&[2, 2, 3000]], &[&[0, 3, 4]]],
    ),
    (
        "a number of a row, and elements of what was reduced",
        "#[kernel] pub fn k(#[shape(b, n, d)] x: &GlobalTensor<f32>, #[shape(m)] #[index(n)] ids: &GlobalTensor<i32>, #[shape(b)] y: &mut GlobalTensor<f32>, #[shape(b, m)] z: &mut GlobalTensor<f32>) {
            for i in each(b) {
                let v = x.at(i, .., ..).load();
                let s = v.amax(d);
                y.at(i).store(v.amax(n).pick(d, 0) * 2.0 + s.pick(n, n - 1));
                z.at(i, ..).store(s.pick(n, ids.at(..).load()));
            } }",
        &[&[&[3, 9, 70], &[5]], &[&[1, 1, 1], &[1]], &[&[2, 100, 33], &[70]], &[&[0, 3, 4], &[2]]],
    ),
    (
        "two axes turned round, with what has one of them beside it",
        "#[kernel] #[instances(f16, f32, i32)] pub fn k<T: Number>(#[shape(b, n, m)] x: &GlobalTensor<T>, #[shape(n)] u: &GlobalTensor<T>, #[shape(m)] v: &GlobalTensor<T>, #[shape(b, m, n)] y: &mut GlobalTensor<T>) {
            for (i, r, t) in tiles((each(b), n, m)) { y.at(i, t, r).store(x.at(i, r, t).load() * v.at(t).load() + u.at(r).load()); } }",
        &[&[&[3, 9, 70], &[9], &[70]], &[&[1, 1, 1], &[1], &[1]], &[&[2, 40, 33], &[40], &[33]], &[&[1, 300, 500], &[300], &[500]], &[&[2, 0, 4], &[0], &[4]], &[&[2, 4, 0], &[4], &[0]]],
    ),
    (
        "the last of four axes stands first, and back",
        "#[kernel] #[instances(f16, bf16)] pub fn k<T: Float>(#[shape(b, n, m, c)] x: &GlobalTensor<T>, #[shape(b, c, n, m)] z: &GlobalTensor<T>, #[shape(b, c, n, m)] y: &mut GlobalTensor<T>, #[shape(b, n, m, c)] w: &mut GlobalTensor<T>) {
            for (i, r, t) in tiles((each(b), n, m)) { y.at(i, .., r, t).store(x.at(i, r, t, ..).load()); }
            for (i, p, r, t) in tiles((b, c, n, m)) { w.at(i, r, t, p).store(z.at(i, p, r, t).load()); } }",
        &[&[&[3, 5, 7, 3], &[3, 3, 5, 7]], &[&[1, 1, 1, 1], &[1, 1, 1, 1]], &[&[2, 20, 20, 16], &[2, 16, 20, 20]], &[&[1, 1, 300, 65], &[1, 65, 1, 300]], &[&[0, 3, 4, 2], &[0, 2, 3, 4]]],
    ),
    (
        "whole axes turned round, along the rows and along the columns of the loop",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, n)] y: &mut GlobalTensor<f32>, #[shape(d, n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) { y.at(.., r).store(x.at(r, ..).load().exp()); }
            for t in tiles(d) { z.at(t, ..).store(x.at(.., t).load() * 2.0); } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[100, 33]], &[&[300, 40]], &[&[0, 4]], &[&[4, 0]]],
    ),
    (
        "turned round and reduced, along either axis, beside what is not turned",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, n)] w: &GlobalTensor<f32>, #[shape(d, n)] y: &mut GlobalTensor<f32>, #[shape(d)] s: &mut GlobalTensor<f32>) {
            for t in tiles(d) {
                let v = x.at(.., t).load() + w.at(t, ..).load();
                y.at(t, ..).store(v - v.amax(n));
                s.at(t).store(v.sum(n));
            } }",
        &[&[&[9, 70], &[70, 9]], &[&[1, 1], &[1, 1]], &[&[100, 33], &[33, 100]], &[&[300, 40], &[40, 300]], &[&[4, 0], &[0, 4]]],
    ),
    (
        "turned round with a border that reads a number",
        "#[kernel] pub fn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(h = m + 2, l = n + 3)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((l, h)) { y.at(t, r).store(x.at(r - 1, t - 1).load_or(-1.5)); } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[100, 33]], &[&[200, 150]]],
    ),
    (
        "turned round in a loop inside, through a workspace",
        "#[kernel] pub fn k(#[shape(b, n, d)] x: &GlobalTensor<f32>, #[shape(b, n, d)] y: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((b, d, n));
            for i in each(b) { for (t, r) in tiles((d, n)) { w.at(i, t, r).store(x.at(i, r, t).load() + 1.0); } }
            for (i, r) in tiles((b, n)) { y.at(i, r, ..).store(w.at(i, .., r).load() * 3.0); } }",
        &[&[&[3, 9, 70]], &[&[1, 1, 1]], &[&[2, 100, 33]], &[&[0, 2, 2]]],
    ),
    (
        "reduced before a loop that may have no iteration",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            let (two, half) = (new_axis(2), new_axis(n / 2));
            let s = x.view((two, half)).at(.., ..).load().sum(..);
            for t in tiles(n) { y.at(t).store(x.at(n - 1 - t).load() + s); } }",
        &[&[&[70]], &[&[2]], &[&[0]]],
    ),
    (
        "what is added is made of a value that the loop merges, as it was before",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape()] z: &mut GlobalTensor<f32>) {
            for i in each(n) {
                let mut v = x.at(i).load();
                let u = v + 1.0;
                for t in tiles(m) {
                    z.at().atomic_add((w.at(t).load() + u).sum(t));
                    v = v.max(w.at(t).load().amax(t));
                }
                y.at(i).store(v); } }",
        &[&[&[5], &[70]], &[&[1], &[1]], &[&[7], &[1000]]],
    ),
    (
        "merged over the cores in a loop that may have no iteration, behind a reduction",
        "#[kernel] pub fn k(#[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] z: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), 3.0);
            for t in tiles(n) {
                y.at(t).store(z.at(t).load() + x.at(..).load().sum(..));
                all += full::<f32>(t, 1.0).sum(t);
            }
            count.at().store(all); }",
        &[&[&[70], &[9]], &[&[3], &[0]], &[&[0], &[0]], &[&[5], &[1000]]],
    ),
    (
        "elements that a mask takes, packed, and how many they are",
        "#[kernel] pub fn k<T: Float>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] mask: &GlobalTensor<bool>, #[shape(n)] y: &mut GlobalTensor<T>,
            #[shape()] count: &mut GlobalTensor<i32>) {
            for t in tiles(n) { y.append(x.at(t).load(), mask.at(t).load()); }
            count.at().store(y.appended()); }",
        &[&[&[9], &[9]], &[&[1], &[1]], &[&[0], &[0]], &[&[1000], &[1000]], &[&[100_003], &[100_003]], &[&[70_000], &[70_000]]],
    ),
    (
        "more elements than there is room for, by a computed mask, in tiles of a given size",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(c = n / 3)] y: &mut GlobalTensor<f32>, #[shape(8)] count: &mut GlobalTensor<i32>) {
            let k = new_axis(8);
            for t in tiles(n).size(64) { let v = x.at(t).load(); y.append(v * 2.0, v.gt(-9.0)); }
            count.view((k)).at(..).store(y.appended().expand(k)); }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[2]], &[&[1000]], &[&[100_003]]],
    ),
    (
        "all elements, none, and some, beside a store and a value over the cores, on two blocks",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>, #[shape(n)] z: &mut GlobalTensor<f16>, #[shape(n)] w: &mut GlobalTensor<i32>,
            #[shape(n)] v: &mut GlobalTensor<f16>, #[shape()] s: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>((), 1.0);
            for t in tiles(n).block_dim(2) {
                let u = x.at(t).load();
                y.append(u, u.eq(u));
                z.append(u, u.gt(100.0));
                v.at(t).store(u * 2.0);
                all += u.cast::<f32>().sum(t);
                w.append(t.iota(), u.le(3.0));
            }
            s.at().store(all + y.appended().cast::<f32>() * 4096.0 + z.appended().cast::<f32>() - w.appended().cast::<f32>()); }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[1000]], &[&[5003]]],
    ),
    (
        "rows one after the other, each in tiles, by a mask for all of them, on one block and on many",
        "#[kernel] pub fn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] keep: &GlobalTensor<bool>, #[shape(b)] least: &GlobalTensor<f32>, #[shape(m = b * n)] y: &mut GlobalTensor<f32>,
            #[shape(m)] z: &mut GlobalTensor<f32>, #[shape(3)] count: &mut GlobalTensor<i32>) {
            let k = new_axis(3);
            for (i, t) in tiles((each(b), n)).block_dim(1) { y.append(x.at(i, t).load(), keep.at(t).load()); }
            for (i, t) in tiles((each(b), n)) { let v = x.at(i, t).load(); z.append(v, v.ge(least.at(i).load())); }
            count.view((k)).at(..).store((y.appended() + z.appended() * 3).expand(k)); }",
        &[&[&[9, 70], &[70], &[9]], &[&[1, 1], &[1], &[1]], &[&[0, 8], &[8], &[0]], &[&[4, 0], &[0], &[4]], &[&[100, 33], &[33], &[100]], &[&[3, 20_011], &[20_011], &[3]]],
    ),
    (
        "one value a row, by what its row holds",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let mut best = full(r, f32::NEG_INFINITY);
                for c in tiles(d) { best = best.max(x.at(r, c).load().amax(c)); }
                y.append(best, x.at(r, ..).load().sum(d).gt(0.0));
            }
            count.at().store(y.appended()); }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[0, 8]], &[&[1000, 33]], &[&[5, 3000]]],
    ),
    (
        "packed of a tensor that the same iterations change, in the order of the text, and of what a loop before has left",
        "#[kernel] pub fn k(#[inplace] #[shape(n)] x: &mut GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for t in tiles(n) { let v = x.at(t).load(); y.append(v * 3.0, v.gt(0.0)); x.at(t).store(v - 5.0); }
            for t in tiles(n) { let v = x.at(t).load(); x.at(t).store(v * 2.0); let u = x.at(t).load(); z.append(u, v.gt(0.0)); } }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[1000]], &[&[100_003]]],
    ),
    (
        "a value that is stored and packed twice, before and behind, with its mask and a mask of the other elements",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] s: &mut GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>, #[shape(n)] z: &mut GlobalTensor<f16>,
            #[shape(n)] m: &mut GlobalTensor<bool>) {
            for t in tiles(n) {
                let v = x.at(t).load() * 2.0;
                let (p, q) = (v.gt(0.0), v.le(0.0));
                y.append(v, p);
                s.at(t).store(v);
                z.append(v, q);
                m.at(t).store(p);
            } }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[1000]], &[&[100_003]]],
    ),
    (
        "all elements of a tensor of several axes, packed as one list",
        "#[kernel] pub fn k(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(n.., d)] mask: &GlobalTensor<bool>, #[shape(all = n * d)] y: &mut GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>) {
            for t in tiles(x) { y.append(x.at(t).load(), mask.at(t).load()); }
            count.at().store(y.appended()); }",
        &[&[&[9, 70], &[9, 70]], &[&[1, 1], &[1, 1]], &[&[3, 0], &[3, 0]], &[&[2, 3, 20_011], &[2, 3, 20_011]]],
    ),
    (
        "one index around a tile, which one block goes through, and tiles of a size that both loops have",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>) {
            let one = new_axis(1);
            for (i, t) in tiles((each(one), n)) { let v = x.at(t).load() + i as f32; y.append(v, v.gt(0.0)); }
            for (i, t) in tiles((each(one), n)).size((_, 80)) { let v = x.at(t).load(); z.append(v, v.gt(1.0)); }
            count.at().store(y.appended() - z.appended()); }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[1000]]],
    ),
    (
        "packed by a condition on a scalar and by what a loop over scalars makes",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for t in tiles(n) {
                let v = x.at(t).load();
                let mut s = v;
                for i in 0..3 { s = s * 2.0 - i as f32; }
                if n > 20 { s = s + 100.0; }
                y.append(v, s.gt(10.0));
            }
            let c = y.appended().cast::<f32>();
            for t in tiles(n) { z.at(t).store(x.at(t).load() + c); } }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[1000]]],
    ),
    (
        "one load backwards beside one along the axis, both twice, in one buffer each",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>) {
            for t in tiles(m).buffer_num(1) {
                let mut sum = full::<f32>((), 0.0);
                for u in tiles(n) {
                    let a = x.at(n - 1 - u).load() + x.at(u).load(); let b = x.at(n - 1 - u).load() * x.at(u).load();
                    sum = sum + (a - b).sum(..);
                }
                for u in tiles(n) { y.at(u, t).store((sum + w.at(t).load()).expand(u)); }
            } }",
        &[&[&[7], &[9]], &[&[1], &[1]], &[&[70], &[300]]],
    ),
    (
        "no iterations of a range that has no indices, whatever the sizes are",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(m, n)] y: &mut GlobalTensor<f32>, #[shape()] sum: &mut GlobalTensor<f32>) {
            for (t, u) in tiles((0..m, n)) { let v = x.at(u).load().expand(t) - w.at(t).load(); y.at(t, u).store(v); sum.at().atomic_add(v.sum((t, u))); }
            for (t, u) in tiles((m..m, n)).size((2, _)) { let v = x.at(u).load().expand(t) - w.at(t).load(); y.at(t, u).store(v); sum.at().atomic_add(v.sum((t, u))); } }",
        &[&[&[7], &[9]], &[&[1], &[1]], &[&[0], &[3]], &[&[300], &[5]]],
    ),
    (
        "a choice in rows that lie as far apart as an iteration has indices",
        "#[kernel] pub fn k(#[shape(m, n)] x: &GlobalTensor<f32>, #[shape(c, m, n)] z: &GlobalTensor<f32>, #[shape(m, n)] y: &mut GlobalTensor<f32>) {
            require(n <= c); require(n > 0);
            for (t, u) in tiles((m, n)) { y.at(t, u).store(z.at(.., t, 0).load().pick(c, u + 0) + x.at(t, u).load()); } }",
        &[&[&[7, 9], &[9, 7, 9]], &[&[1, 1], &[2, 1, 1]], &[&[0, 3], &[3, 0, 3]], &[&[300, 5], &[11, 300, 5]]],
    ),
    (
        "what lies behind a single row, of which a call leaves what a reduction has filled there",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, #[shape(n, d)] u: &mut GlobalTensor<f32>) {
            require(d > 0);
            for i in each(n) {
                let v = x.at(i, ..).load();
                y.at(i).store(v.amax(..) + (-v).amin(..));
                let w = x.at(i, ..).load() * 3.0;
                z.at(i).store(w.sum(..) + (w + w).sum(..));
                u.at(i, ..).store(w); } }",
        &[&[&[3, 9]], &[&[1, 1]], &[&[5, 255]], &[&[2, 70]]],
    ),
    (
        "a row of a tile added to all of its rows, where both are read for the last time",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>, #[default(3)] m: usize) {
            for (i, t) in tiles((each(m), d)) {
                let first = x.at(.., t).load().pick(n, 0);
                let v = first.cast::<f16>() + (x.at(.., t).load() + first).sum(n).cast::<f16>();
                y.at(i, t).store(v.cast::<f32>());
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[9, 300]]],
    ),
    (
        "more outputs than there are queues: stores take iterations with them, whatever their sizes are and whenever their values are read again",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, d)] a: &mut GlobalTensor<f16>, #[shape(n, d)] b: &mut GlobalTensor<f32>, #[shape(n, d)] c: &mut GlobalTensor<f16>,
            #[shape(n)] e: &mut GlobalTensor<f32>, #[shape(n)] f: &mut GlobalTensor<f32>, #[shape(n, d)] g: &mut GlobalTensor<f32>, #[shape(n, d)] h: &mut GlobalTensor<f16>,
            #[shape(n, d)] i: &mut GlobalTensor<i32>, #[shape(n, d)] j: &mut GlobalTensor<f32>, #[shape(n, d)] k: &mut GlobalTensor<f32>, #[shape(n, d)] l: &mut GlobalTensor<bool>) {
            require(d > 0);
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>();
                let late = v * 0.5 + 1.0;
                a.at(r, ..).store((v + 1.0).cast::<f16>());
                b.at(r, ..).store(v * 3.0);
                c.at(r, ..).store((v - 1.0).abs().cast::<f16>());
                let most = v.amax(d);
                e.at(r).store(most);
                f.at(r).store(v.sum(d) + most);
                g.at(r, ..).store(v - most);
                h.at(r, ..).store(x.at(r, ..).load());
                i.at(r, ..).store(v.floor().cast::<i32>());
                let w = late.max(0.25);
                j.at(r, ..).store(w);
                k.at(r, ..).store(w * w + late);
                l.at(r, ..).store(v.gt(late));
            } }",
        &[&[&[3, 9]], &[&[1, 1]], &[&[0, 4]], &[&[70, 300]], &[&[100, 64]]],
    ),
    (
        "ten values that are all there when the first one is stored, and are what is stored or what that is computed of",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] a: &mut GlobalTensor<f32>, #[shape(n, d)] b: &mut GlobalTensor<f32>, #[shape(n, d)] c: &mut GlobalTensor<f32>, #[shape(n, d)] e: &mut GlobalTensor<f32>, #[shape(n, d)] f: &mut GlobalTensor<f32>, #[shape(n, d)] g: &mut GlobalTensor<f32>, #[shape(n, d)] h: &mut GlobalTensor<f32>, #[shape(n, d)] i: &mut GlobalTensor<f32>, #[shape(n, d)] j: &mut GlobalTensor<f32>, #[shape(n, d)] k: &mut GlobalTensor<f32>, ) {
            for (r, t) in tiles((n, d)) {
                let v = x.at(r, t).load();
                let va = v * 0.5; let vb = v * 1.5; let vc = v * 2.5; let ve = v * 3.5; let vf = v * 4.5; let vg = v * 5.5; let vh = v * 6.5; let vi = v * 7.5; let vj = v * 8.5; let vk = v * 9.5;
                let all = va + vb + vc + ve + vf + vg + vh + vi + vj + vk;
                a.at(r, t).store(va + all); b.at(r, t).store(vb + all); c.at(r, t).store(vc + all); e.at(r, t).store(ve + all); f.at(r, t).store(vf + all);
                g.at(r, t).store(vg); h.at(r, t).store(vh); i.at(r, t).store(vi); j.at(r, t).store(vj); k.at(r, t).store(vk); } }",
        &[&[&[3, 9]], &[&[1, 1]], &[&[70, 300]]],
    ),
    (
        "ten values that are all there when the first one is stored, in the loop and in one inside",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] a: &mut GlobalTensor<f32>, #[shape(n, d)] b: &mut GlobalTensor<f32>, #[shape(n, d)] c: &mut GlobalTensor<f32>, #[shape(n, d)] e: &mut GlobalTensor<f32>, #[shape(n, d)] f: &mut GlobalTensor<f32>, #[shape(n, d)] g: &mut GlobalTensor<f32>, #[shape(n, d)] h: &mut GlobalTensor<f32>, #[shape(n, d)] i: &mut GlobalTensor<f32>, #[shape(n, d)] j: &mut GlobalTensor<f32>, #[shape(n, d)] k: &mut GlobalTensor<f32>, ) {
            for r in each(n) {
                for t in tiles(d) {
                    let v = x.at(r, t).load();
                    let va = v * 0.5; let vb = v * 1.5; let vc = v * 2.5; let ve = v * 3.5; let vf = v * 4.5; let vg = v * 5.5; let vh = v * 6.5; let vi = v * 7.5; let vj = v * 8.5; let vk = v * 9.5;
                    k.at(r, t).store(vk); j.at(r, t).store(vj); i.at(r, t).store(vi); h.at(r, t).store(vh); g.at(r, t).store(vg); f.at(r, t).store(vf); e.at(r, t).store(ve); c.at(r, t).store(vc); b.at(r, t).store(vb); a.at(r, t).store(va); } } }",
        &[&[&[3, 9]], &[&[1, 1]], &[&[7, 30000]]],
    ),
    (
        "tiles of five axes",
        "#[kernel] pub fn k(#[shape(a, b, c, e, f)] x: &GlobalTensor<f32>, #[shape(a, b, c, e, f)] y: &mut GlobalTensor<f32>) {
            for (i, j, u, v, t) in tiles((a, b, c, e, f)) { y.at(i, j, u, v, t).store(x.at(i, j, u, v, t).load()); } }",
        &[&[&[2, 3, 2, 5, 7]], &[&[1, 1, 1, 1, 1]], &[&[3, 2, 40, 9, 70]]],
    ),
    (
        "tiles of six axes, stored in another order",
        "#[kernel] pub fn k(#[shape(a, b, c, e, f, g)] x: &GlobalTensor<f32>, #[shape(c, a, b, e, f, g)] y: &mut GlobalTensor<f32>) {
            for (i, j, u, v, t, r) in tiles((a, b, c, e, f, g)) { y.at(u, i, j, v, t, r).store(x.at(i, j, u, v, t, r).load()); } }",
        &[&[&[2, 3, 2, 4, 3, 9]], &[&[1, 1, 1, 1, 1, 1]]],
    ),
    (
        "rows of a tile inside by its first index and a number below its length, and the number of each row",
        "#[kernel] pub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            require(m >= 1);
            for t in tiles(d) {
                let mut s = full(t, 0.0);
                for j in tiles(m) {
                    for i in 0..j.len() { s = s + x.at(j.start() + i, t).load() * (j.start() + i) as f32; }
                }
                y.at(t).store(s);
            } }",
        &[&[&[40, 70]], &[&[1, 1]], &[&[300, 3]]],
    ),
];
