//! Kernels that sort elements along an axis (`topk`, `sort`, `argsort`), and kernels of running
//! sums, each with the shapes of its inputs.

use super::cases::Case;

/// Kernels whose results depend on the order of elements.
pub const SORTED: &[Case] = &[
    (
        "the largest of rows by way of those of their parts",
        "#[kernel] pub fn k(#[shape(n, v)] x: &GlobalTensor<f32>, #[shape(n, k)] y: &mut GlobalTensor<f32>, #[shape(n, k)] z: &mut GlobalTensor<i32>, #[default(5)] k: usize) {
            require(k >= 1 && v >= k);
            let (c, p) = (new_axis(64), new_axis((v + 63) / 64));
            let (mut most, mut places) = (workspace::<f32>((n, p, k)), workspace::<i32>((n, p, k)));
            for (r, part) in tiles((n, each(p))) {
                let (b, at) = x.at(r, c.indices() + part * 64).load_or(f32::NEG_INFINITY).topk(c, k);
                most.at(r, part, ..).store(b);
                places.at(r, part, ..).store(at + (part * 64) as i32);
            }
            let m = new_axis(p * k);
            let (most, places) = (most.view((n, m)), places.view((n, m)));
            for r in tiles(n) {
                let (b, at) = most.at(r, ..).load().topk(m, k);
                y.at(r, ..).store(b);
                z.at(r, ..).store(places.at(r, ..).load().pick(m, at));
            } }",
        &[&[&[9, 70]], &[&[1, 5]], &[&[40, 64]], &[&[3, 1000]], &[&[0, 65]]],
    ),
    (
        "running sums and products of rows",
        "#[kernel] #[instances(f16, bf16, f32, i32)] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n, d)] z: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, ..).store(v.cumsum(d));
                z.at(r, ..).store(v.cumprod(d));
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[40, 8]], &[&[300, 33]], &[&[0, 5]], &[&[3, 2053]], &[&[5, 2]], &[&[7, 64]]],
    ),
    (
        "running sums of what is computed, from the end on, and of rows of rows",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, m, d)] y: &mut GlobalTensor<f32>, #[shape(n, m)] z: &mut GlobalTensor<f32>) {
            require(d >= 1);
            let back = (d as i32 - 1) - d.iota();
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                let s = (v - v.amax(d)).exp();
                y.at(r, .., ..).store((s * 0.3).pick(d, back).cumsum(d).pick(d, back));
                z.at(r, ..).store(v.cumsum(d).amax(d) + v.gt(0.0).select(v, 1.0).cumprod(d).amin(d));
            } }",
        &[&[&[9, 3, 70]], &[&[1, 1, 4]], &[&[6, 5, 33]], &[&[0, 2, 8]], &[&[3, 0, 8]], &[&[2, 2, 500]]],
    ),
    (
        "the largest of rows and their places",
        "#[kernel] #[instances(f16, bf16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, k)] y: &mut GlobalTensor<T>, #[shape(n, k)] at: &mut GlobalTensor<i32>,
            #[default(3)] k: usize) {
            for r in tiles(n) {
                let (best, places) = x.at(r, ..).load().topk(d, k);
                y.at(r, ..).store(best);
                at.at(r, ..).store(places);
            } }",
        &[&[&[9, 70]], &[&[1, 3]], &[&[40, 32]], &[&[300, 33]], &[&[0, 5]], &[&[3, 2053]]],
    ),
    (
        "rows in rising order, and where their elements were",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n, d)] at: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, ..).store(v.sort(d));
                at.at(r, ..).store(v.argsort(d));
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[40, 64]], &[&[0, 5]], &[&[2, 1500]], &[&[5, 129]]],
    ),
    (
        "a sum of the largest of rows of rows, which nobody stores, and all of them falling",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>, #[shape(n, m, d)] z: &mut GlobalTensor<f32>) {
            require(d >= 4);
            let few = new_axis(4);
            for r in tiles(n) {
                let v = x.at(r, .., ..).load();
                let (best, places) = v.topk(d, few);
                y.at(r, ..).store((best + places.cast::<f32>()).sum(few));
                let (all, places) = (v * 2.0 + 1.0).topk(d, d);
                z.at(r, .., ..).store(all * (places + 1).cast::<f32>());
            } }",
        &[&[&[9, 3, 70]], &[&[1, 1, 4]], &[&[6, 5, 33]], &[&[0, 2, 8]], &[&[3, 0, 8]], &[&[2, 2, 500]]],
    ),
    (
        "the places of one row for all, and elements of another tensor there",
        "#[kernel] pub fn k(#[shape(d)] key: &GlobalTensor<f16>, #[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f16>) {
            let places = key.at(..).load().argsort(d);
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load().pick(d, places)); } }",
        &[&[&[70], &[9, 70]], &[&[1], &[1, 1]], &[&[300], &[40, 300]], &[&[8], &[0, 8]]],
    ),
    (
        "the largest of what is computed, each iteration of a loop over single rows, under a condition",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<i32>, #[default(2)] k: usize) {
            for r in each(n) {
                let v = x.at(r, ..).load();
                let (best, places) = (v * v).topk(d, k);
                if r % 2 == 0 { y.at(r, ..).store(best); } else { y.at(r, ..).store(v.pick(d, places)); }
                z.at(r).store(places.amax(k));
            } }",
        &[&[&[9, 70]], &[&[1, 2]], &[&[40, 33]], &[&[0, 5]]],
    ),
];
