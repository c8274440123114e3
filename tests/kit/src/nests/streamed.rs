//! Kernels whose tiles have whole axes that may be too long for UB, each with shapes that fit and
//! shapes that do not.

use super::cases::Case;

/// Kernels whose first shapes fit in UB and others do not.
pub const STREAMED: &[Case] = &[
    (
        "columns of rows that are stored are added up over the cores: a loop around cuts them, with stores inside",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>,
            #[shape(d)] z: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>(d, 0.0);
            for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v + w.at(..).load()); all += v.sum(r); }
            z.at(..).store(all); }",
        &[&[&[5, 70], &[70]], &[&[3, 30_011], &[30_011]], &[&[100, 12_007], &[12_007]]],
    ),
    (
        "the same on as many cores as the loop gives, beside a loop inside whose tiles have the columns by expansion alone",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(n, m, d)] y: &mut GlobalTensor<f32>,
            #[shape(d)] z: &mut GlobalTensor<f32>) {
            let mut all = across_cores::<f32>(d, 0.0);
            for i in each(n).block_dim(3) {
                for t in tiles(m) { y.at(i, t, ..).store(w.at(t).load().expand(d)); }
                all += x.at(i, ..).load();
            }
            z.at(..).store(all); }",
        &[&[&[5, 70], &[3]], &[&[2, 30_011], &[2]], &[&[1, 70], &[9]]],
    ),
    (
        "running sums and products of rows, each part joined to what is before it",
        "#[kernel] #[instances(f16, bf16, f32, i32)] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n, d)] z: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                y.at(r, ..).store(v.cumsum(d));
                z.at(r, ..).store(v.cumprod(d));
            } }",
        &[&[&[3, 70]], &[&[3, 12_007]], &[&[70, 7001]], &[&[0, 30_011]]],
    ),
    (
        "running sums that two passes ask for, beside others of the sums themselves",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<i32>, #[shape(n, d)] z: &mut GlobalTensor<i32>, #[shape(n)] w: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let s = (x.at(r, ..).load() * 3 - 1).cumsum(d); let top = s.amax(d); let e = s - top;
                y.at(r, ..).store(e); z.at(r, ..).store(s.cumsum(d)); w.at(r).store(e.amin(d) + e.sum(d));
            } }",
        &[&[&[3, 70]], &[&[2, 9001]], &[&[1, 20_000]]],
    ),
    (
        "running sums of all elements before, of rows of rows, one loop around cutting the rows",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, m, d)] y: &mut GlobalTensor<f32>, #[shape(b, m)] z: &mut GlobalTensor<f32>) {
            for i in each(b) {
                let s = x.at(i, .., d.indices() - 1).load_or(0.0).cumsum(d);
                y.at(i, .., ..).store(s); z.at(i, ..).store(s.amin(d));
            } }",
        &[&[&[3, 5, 70]], &[&[2, 11, 3001]], &[&[2, 3001, 11]], &[&[3, 1, 30_011]]],
    ),
    (
        "running sums along rows, and the largest of each column of them",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, d)] y: &mut GlobalTensor<f32>) {
            for i in tiles(b) { y.at(i, ..).store(x.at(i, .., ..).load().cumsum(d).amax(m)); } }",
        &[&[&[3, 5, 70]], &[&[2, 11, 3001]], &[&[2, 60, 1001]]],
    ),
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
        "two axes that are reduced at once, beside a reduction of what has one of them alone",
        "#[kernel] pub fn k(#[shape(b, k, p)] x: &GlobalTensor<f32>, #[shape(b, k)] w: &GlobalTensor<f32>, #[shape(b)] y: &mut GlobalTensor<f32>) {
            for i in each(b) {
                let u = w.at(i, ..).load(); y.at(i).store(x.at(i, .., ..).load().sum((k, p)) + u.sum(k) + u.amax(k)); } }",
        &[&[&[3, 5, 70], &[3, 5]], &[&[2, 11, 5003], &[2, 11]], &[&[2, 700, 83], &[2, 700]], &[&[2, 3, 70_001], &[2, 3]]],
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
    (
        "rows that pass through a workspace: both phases are cut",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, d));
            for r in tiles(n) { let v = x.at(r, ..).load(); w.at(r, ..).store(v - v.amax(d)); }
            for r in tiles(n) { let v = w.at(n - 1 - r, ..).load(); let s = v.sum(d); y.at(r, ..).store(v + s); z.at(r).store(s); } }",
        &[&[&[3, 70]], &[&[2, 30_011]], &[&[3, 20_011]], &[&[0, 4]], &[&[1, 1]]],
    ),
    (
        "one phase is cut, the others have nothing to cut, and one takes tiles of several axes",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, m, d)] z: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, m, d));
            for (i, j, t) in tiles((n, m, d)) { w.at(i, j, t).store(x.at(i, j, t).load() * 2.0); }
            for r in tiles(n) { y.at(r, ..).store(w.at(r, .., ..).load().sum(m)); }
            for (i, t) in tiles((each(n), d)) { z.at(i, .., t).store(w.at(i, .., t).load() + 1.0); } }",
        &[&[&[3, 5, 70]], &[&[2, 9001, 7]], &[&[3, 3, 20_021]]],
    ),
    (
        "sums over the rows of all cores, of columns that are cut around the divided loop",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] m: &GlobalTensor<f32>,
            #[shape(d)] dg: &mut GlobalTensor<f32>, #[shape(d)] db: &mut GlobalTensor<f32>) {
            let mut g = across_cores::<f32>(d, 0.0);
            let mut b = across_cores::<f32>(d, 3.0);
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                g += ((v - m.at(r).load()) * 2.0).sum(r);
                b += v.sum(r);
            }
            dg.at(..).store(g * 0.5); db.at(..).store(b - g); }",
        &[&[&[3, 70], &[3]], &[&[5, 30_011], &[5]], &[&[100, 9_001], &[100]], &[&[1, 40_000], &[1]], &[&[0, 50_000], &[0]]],
    ),
    (
        "what all cores found is taken away again from rows that are cut",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(d)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f16>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            let mut top = across_cores::<f32>(d, -100.0);
            for r in tiles(n) { top = top.max((x.at(r, ..).load().cast::<f32>() * w.at(..).load()).amax(r)); }
            let half = top * 0.5 + w.at(..).load();
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>() - half;
                y.at(r, ..).store((v - v.amin(d)).cast::<f16>()); z.at(r).store(v.sum(d)); } }",
        &[&[&[3, 70], &[70]], &[&[2, 20_011], &[20_011]], &[&[7, 9001], &[9001]]],
    ),
    (
        "sums over the iterations of two axes, of rows of tiles that are cut around them",
        "#[kernel] pub fn k(#[shape(n, c, p)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(c)] s: &mut GlobalTensor<f32>) {
            let mut sum = across_cores::<f32>(c, 0.0);
            for (i, t) in tiles((n, p)) { sum += x.at(i, .., t).load().sum((i, t)); }
            s.at(..).store(sum);
            for (i, t) in tiles((n, p)) { y.at(i, .., t).store(x.at(i, .., t).load() - sum); } }",
        &[&[&[3, 5, 70]], &[&[2, 9001, 3]], &[&[1, 5003, 17]]],
    ),
    (
        "phases under scalar control, values over the cores among them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>) {
            let s = workspace::<f32>((n, d));
            for r in tiles(n) { s.at(r, ..).store(x.at(r, ..).load()); }
            for i in 0..2 {
                let mut c = across_cores::<f32>(d, 0.0);
                for r in tiles(n) { c += s.at(r, ..).load().sum(r); }
                z.at(..).store(c + i as f32);
                if n > 2 { for r in tiles(n) { let v = s.at(r, ..).load(); s.at(r, ..).store(v - v.amax(d) + c); } }
                else { for r in tiles(n) { s.at(r, ..).store(s.at(r, ..).load() - c); } }
            }
            for r in tiles(n) { y.at(r, ..).store(s.at(n - 1 - r, ..).load()); } }",
        &[&[&[3, 70]], &[&[2, 30_011]], &[&[3, 15_013]]],
    ),
    (
        "a loop of the author in a divided loop that adds up columns",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            let mut c = across_cores::<f32>(d, 1.0);
            for i in each(n) { for j in tiles(m) { c += x.at(i, j, ..).load().sum(j); } }
            y.at(..).store(c); }",
        &[&[&[3, 5, 70]], &[&[2, 5, 30_011]], &[&[3, 2, 50_021]]],
    ),
    (
        "one iteration that one block makes",
        "#[kernel] pub fn k(#[shape(d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {
            let v = x.at(..).load();
            let m = v.amax(d);
            y.at(..).store(v - m); z.at().store(m); }",
        &[&[&[70]], &[&[100_003]], &[&[1]]],
    ),
    (
        "indices of several axes, one of which is divided that is not the last one",
        "#[kernel] pub fn k(#[shape(m)] x: &GlobalTensor<f32>, #[shape(n, h, d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(m > 0);
            for i in each(n) { y.at(i, ..).store(x.at(w.at(i, .., ..).load().cast::<i32>().max(0).min(m - 1)).load().sum(h)); } }",
        &[&[&[5], &[3, 5, 7]], &[&[5], &[2, 4001, 9]]],
    ),
];
