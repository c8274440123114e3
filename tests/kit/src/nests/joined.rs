//! Kernels whose streamed variant computes in one pass what the text computes in two. Their results
//! are rounded otherwise than in two passes.
//!
//! Each has shapes of its inputs: one that fits in UB and some that do not.

/// A description, the kernel, the number of joined places, and shapes.
pub type Joined = (
    &'static str,
    &'static str,
    usize,
    &'static [&'static [&'static [usize]]],
);

/// Kernels with joined passes, and the number of places.
pub const JOINED: &[Joined] = &[
    (
        "softmax, in each element type",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>(); let e = (v - v.amax(d)).exp();
                y.at(r, ..).store((e / e.sum(d)).cast::<T>()); } }",
        1,
        &[&[&[11, 70]], &[&[11, 50_011]], &[&[1, 100_003]]],
    ),
    (
        "the logarithm of a sum of exponentials, and sums that are weighted, with casts on the way",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape(n)] z: &mut GlobalTensor<f32>, #[shape(n)] u: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let m = v.amax(d); let e = (v - m).exp(); let s = e.sum(d);
                y.at(r).store(s.ln() + m);
                z.at(r).store((e * w.at(..).load() * 0.5).sum(d) / s);
                u.at(r).store((-(e.cast::<f16>().cast::<f32>() / 3.0)).sum(d)); } }",
        1,
        &[&[&[11, 70], &[70]], &[&[11, 30_011], &[30_011]], &[&[2, 40_960], &[40_960]]],
    ),
    (
        "the mean index, whose weights are counted along the tile, and a window with a border",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); let s = e.sum(d);
                let left = x.at(r, d.indices() - 1).load_or(0.0).max(0.0).min(2.0);
                y.at(r).store((e * d.iota().cast::<f32>()).sum(d) / s); z.at(r).store((e * left).sum(d) / s); } }",
        1,
        &[&[&[11, 70]], &[&[11, 30_011]]],
    ),
    (
        "differences that are scaled, beside ones that are not, and two maxima",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape(n)] z: &mut GlobalTensor<f32>, #[shape(n)] u: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let m = v.amax(d); let t = v * w.at(..).load() * 0.25;
                y.at(r).store(((v - m) * 0.125).exp().sum(d));
                z.at(r).store((v - m).exp().sum(d));
                u.at(r).store((t - t.amax(d)).exp().sum(d)); } }",
        1,
        &[&[&[11, 70], &[70]], &[&[11, 30_011], &[30_011]]],
    ),
    (
        "a maximum of halves, as it is and as its cast",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let m = v.amax(d);
                y.at(r).store((v - m).exp().cast::<f32>().sum(d));
                z.at(r).store((v.cast::<f32>() - m.cast::<f32>()).exp().sum(d)); } }",
        1,
        &[&[&[11, 70]], &[&[11, 60_011]]],
    ),
    (
        "softmax along a middle axis",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(b), d)) {
                let v = x.at(i, .., t).load(); let e = (v - v.amax(m)).exp(); y.at(i, .., t).store(e / e.sum(m)); } }",
        1,
        &[&[&[3, 5, 70]], &[&[11, 5003, 9]]],
    ),
    (
        "softmax of all of two axes, of single indices of a third: numbers without axes",
        "#[kernel] pub fn k(#[shape(b, k, p)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for i in each(b) {
                let v = x.at(i, .., ..).load(); let e = (v - v.amax((k, p))).exp(); y.at(i, .., ..).store(e / e.sum((k, p))); } }",
        1,
        &[&[&[3, 5, 70]], &[&[11, 7, 9001]], &[&[11, 3001, 11]]],
    ),
    (
        "what passes through a workspace, stored beside what is found",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, d));
            for r in tiles(n) { w.at(r, ..).store(x.at(r, ..).load() * 0.5); }
            for r in tiles(n) {
                let v = w.at(r, ..).load(); let e = (v - v.amax(d)).exp(); z.at(r, ..).store(v * 2.0);
                y.at(r, ..).store(e / e.sum(d)); } }",
        1,
        &[&[&[11, 70]], &[&[11, 30_011]]],
    ),
    (
        "layer norm, in each element type",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            let inv_d = 1.0 / d as f32;
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>(); let c = v - v.sum(d) * inv_d; let s = (c * c).sum(d) * inv_d;
                y.at(r, ..).store((c / (s + 1e-5).sqrt()).cast::<T>()); } }",
        1,
        &[&[&[11, 70]], &[&[11, 50_011]], &[&[1, 100_003]]],
    ),
    (
        "variances by means, and by a division, of two inputs",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let c = v - v.mean(d); y.at(r).store((c * c).mean(d));
                let u = w.at(r, ..).load(); let m = u.sum(d) / d as f32; z.at(r).store(((u - m) * (m - u)).sum(d) - ((u - m) * (u - m)).sum(d)); } }",
        0,
        &[&[&[11, 70], &[11, 70]], &[&[11, 30_011], &[11, 30_011]]],
    ),
    (
        "variances by means, and by a division, of two inputs, each joined",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,
            #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let c = v - v.mean(d); y.at(r).store((c * c).mean(d));
                let u = w.at(r, ..).load(); let m = u.sum(d) / d as f32; z.at(r).store(((m - u) * (m - u)).sum(d)); } }",
        1,
        &[&[&[11, 70], &[11, 70]], &[&[11, 30_011], &[11, 30_011]]],
    ),
    (
        "group norm: two axes are cut at once",
        "#[kernel] pub fn k(#[shape(n, c, p)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[default(1)] groups: usize) {
            require(groups >= 1); require(c % groups == 0);
            let (g, k) = (new_axis(groups), new_axis(c / groups));
            let (x, y) = (x.view((n, g, k, p)), y.view((n, g, k, p)));
            for (i, j) in tiles((each(n), each(g))) {
                let v = x.at(i, j, .., ..).load(); let e = v - v.sum((k, p)) * (1.0 / (k * p) as f32);
                let s = (e * e).mean((k, p)); y.at(i, j, .., ..).store(e / (s + 1e-5).sqrt()); } }",
        1,
        &[&[&[11, 6, 50]], &[&[11, 6, 9001]], &[&[11, 3001, 11]]],
    ),
    (
        "softmax of what is normed: two and two passes are one each",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let c = v - v.mean(d); let t = c / ((c * c).mean(d) + 1.0).sqrt();
                let e = (t - t.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d)); } }",
        2,
        &[&[&[11, 70]], &[&[11, 30_011]]],
    ),
];
