//! Loops with few iterations that are split along a long axis.

/// A description, the kernel, shapes with short or many rows, and shapes of few long rows.
pub type Split = (
    &'static str,
    &'static str,
    &'static [&'static [&'static [usize]]],
    &'static [&'static [&'static [usize]]],
);

/// Kernels whose results are equal in every order of a sum.
pub const SPLIT: &[Split] = &[
    (
        "two passes along rows, with a result of rows between and behind them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>,
            #[shape(n)] u: &mut GlobalTensor<f32>) {
            for r in tiles(n).split(d) {
                let v = x.at(r, ..).load(); let m = v.amax(d); let e = v - m; let s = e.sum(d);
                z.at(r).store(m); y.at(r, ..).store(e * 2.0 + s); u.at(r).store(s); } }",
        &[&[&[5, 70]], &[&[3, 16_384]], &[&[12, 16_390]], &[&[0, 20_000]]],
        &[&[&[1, 16_385]], &[&[2, 40_001]], &[&[3, 16_512]], &[&[11, 17_001]]],
    ),
    (
        "in each element type, with rows that all iterations share, loaded before the loop and in it, in a loop over single indices",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>, #[shape(n)] w: &GlobalTensor<f32>,
            #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            let b = g.at(..).load().cast::<f32>();
            let two = d as f32 * 0.0 + 2.0;
            for i in each(n).split(d) {
                let v = x.at(i, ..).load().cast::<f32>(); let s = (v * 0.0 + w.at(i).load()).amax(d); let q = v.amin(d);
                y.at(i, ..).store((((v - q) * 0.5 + s) * two + b - g.at(..).load().cast::<f32>()).cast::<T>()); z.at(i).store((v * v).sum(d)); } }",
        &[&[&[5, 70], &[70], &[5]], &[&[2, 16_300], &[16_300], &[2]], &[&[12, 33_000], &[33_000], &[12]]],
        &[&[&[2, 33_000], &[33_000], &[2]], &[&[1, 70_001], &[70_001], &[1]]],
    ),
    (
        "a loop over two axes, one of single indices",
        "#[kernel] pub fn k(#[shape(b, n, d)] x: &GlobalTensor<f32>, #[shape(b, d)] w: &GlobalTensor<f32>, #[shape(b, n, d)] y: &mut GlobalTensor<f32>,
            #[shape(b, n)] z: &mut GlobalTensor<f32>, #[shape(b)] t: &GlobalTensor<f32>) {
            for (i, r) in tiles((each(b), n)).split(d) {
                let v = x.at(i, r, ..).load() + w.at(i, ..).load(); let m = v.amax(d); let s = (v - m).sum(d);
                y.at(i, r, ..).store(v - m + t.at(i).load()); z.at(i, r).store(s); } }",
        &[&[&[2, 3, 70], &[2, 70], &[2]], &[&[4, 3, 16_400], &[4, 16_400], &[4]]],
        &[&[&[2, 3, 16_400], &[2, 16_400], &[2]], &[&[5, 1, 20_001], &[5, 20_001], &[5]]],
    ),
    (
        "a middle axis beside few columns: rows of a few elements",
        "#[kernel] pub fn k(#[shape(b, m, c)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(b, c)] z: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(b), c)).split(m) {
                let v = x.at(i, .., t).load(); let e = v - v.amax(m); let s = e.sum(m); y.at(i, .., t).store(e * 2.0 + s); z.at(i, t).store(s); } }",
        &[&[&[2, 30, 9]], &[&[5, 16_400, 9]]],
        &[&[&[1, 16_400, 9]], &[&[2, 20_001, 3]], &[&[3, 16_385, 1]]],
    ),
    (
        "the places and numbers of integers, masks and indices along both axes",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<i32>,
            #[shape(n, d)] u: &mut GlobalTensor<i32>) {
            for r in tiles(n).split(d) {
                let v = x.at(r, ..).load(); let any = v.cast::<f32>().gt(14.0).any(d);
                y.at(r).store(v.argmax(d) + any.select(1, 0)); z.at(r).store(v.sum(d) + v.amin(d));
                u.at(r, ..).store(v + d.iota() + r.iota()); } }",
        &[&[&[5, 70]]],
        &[&[&[2, 16_400]], &[&[7, 16_385]]],
    ),
    (
        "in place, with buffers and blocks that the author gives, and no pass of a reduction",
        "#[kernel] pub fn k(#[inplace] #[shape(n, d)] x: &mut GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n).buffer_num(1).block_dim(13).split(d).exact() {
                let v = x.at(r, ..).load(); x.at(r, ..).store(v * 2.0); y.at(r, ..).store(v + 1.0); } }",
        &[&[&[5, 70]], &[&[7, 16_400]]],
        &[&[&[2, 16_400]], &[&[3, 20_001]]],
    ),
    (
        "in place, with what is found of all of it",
        "#[kernel] pub fn k(#[inplace] #[shape(n, d)] x: &mut GlobalTensor<f32>) {
            for r in tiles(n).split(d) {
                let v = x.at(r, ..).load(); let c = v - v.amin(d); x.at(r, ..).store(c + (c * c).sum(d)); } }",
        &[&[&[5, 70]]],
        &[&[&[2, 16_400]], &[&[7, 20_001]]],
    ),
    (
        "a window with a border along the axis",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n).split(d) {
                let left = x.at(r, d.indices() - 1).load_or(0.0); let v = x.at(r, ..).load(); y.at(r, ..).store(v - left + (v + left).amax(d)); } }",
        &[&[&[5, 70]]],
        &[&[&[2, 16_400]], &[&[7, 20_001]]],
    ),
];

/// Kernels with exponentials and roots, whose results depend on the order of a sum.
pub const NEAR: &[Split] = &[
    (
        "softmax, in each element type",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
            for r in tiles(n).split(d) {
                let v = x.at(r, ..).load().cast::<f32>(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store((e / e.sum(d)).cast::<T>()); } }",
        &[&[&[11, 70]]],
        &[&[&[11, 33_011]], &[&[1, 100_003]]],
    ),
    (
        "layer norm, in each element type",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>,
            #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for r in tiles(n).split(d) {
                let v = x.at(r, ..).load().cast::<f32>(); let c = v - v.mean(d); let s = (c * c).mean(d);
                y.at(r, ..).store((c / (s + 1e-5).sqrt() * g.at(..).load() + b.at(..).load()).cast::<T>()); } }",
        &[&[&[11, 70], &[70], &[70]]],
        &[&[&[11, 33_011], &[33_011], &[33_011]]],
    ),
    (
        "rms norm",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
            let inv_d = 1.0 / d as f32;
            for r in tiles(n).split(d) {
                let v = x.at(r, ..).load(); y.at(r, ..).store(v / ((v * v).sum(d) * inv_d + 1e-6).sqrt()); } }",
        &[&[&[11, 70]]],
        &[&[&[11, 16_385]], &[&[1, 100_003]]],
    ),
    (
        "the logarithm of a sum of exponentials",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for i in each(n).split(d) {
                let v = x.at(i, ..).load(); let m = v.amax(d); y.at(i).store((v - m).exp().sum(d).ln() + m); } }",
        &[&[&[11, 70]]],
        &[&[&[11, 16_400]], &[&[1, 100_003]]],
    ),
];
