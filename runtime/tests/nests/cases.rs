//! Kernels whose tiles and loops have several axes, and kernels of several loops; each with the shapes of its inputs.

/// A kernel and the shapes of its inputs.
pub type Case = (&'static str, &'static str, &'static [&'static [&'static [usize]]]);

pub const CASES: &[Case] = &[
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
        "whole numbers along the middle and over all",
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
        "loops that share nothing, over elements, rows and turns",
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
        "a merge in a loop of one turn",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
            let one = new_axis(1);
            let x = x.view((one, n));
            let mut s = across_cores::<f32>((), 1.0);
            for i in each(one) { s += x.at(i, ..).load().sum(n); }
            y.at(0).store(s);
        }",
        &[&[&[70]], &[&[1]]],
    ),
];
