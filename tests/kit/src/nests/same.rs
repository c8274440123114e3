//! Expressions that are written twice, with changes of their operands between them, each with the
//! shapes of its inputs.

use super::cases::Case;

/// Texts with the same expression twice.
pub const TWICE: &[Case] = &[
    (
        "rows, their maximum and what is made of both, each written again",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<i32>) {
            for r in tiles(n) {
                let w = x.at(r, ..).load().cast::<f32>() - x.at(r, ..).load().amax(d).cast::<f32>();
                y.at(r, ..).store(w.abs() + (x.at(r, ..).load().cast::<f32>() - x.at(r, ..).load().amax(d).cast::<f32>()).sum(d));
                z.at(r).store(x.at(r, ..).load().argmax(d) + x.at(r, ..).load().argmax(d) - x.at(r, ..).load().argmin(d));
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[100, 33]], &[&[3, 20_011]]],
    ),
    (
        "a store between two loads, and what is loaded behind it twice",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let q = new_axis(1);
            let v = y.view((n, q, d));
            for r in tiles(n) {
                let a = v.at(r, .., ..).load();
                v.at(r, .., ..).store(a * 2.0 + x.at(r, ..).load());
                let b = v.at(r, .., ..).load().sum(q);
                let c = v.at(r, .., ..).load().sum(q);
                v.at(r, .., ..).store(v.at(r, .., ..).load() + 1.0);
                z.at(r, ..).store(a.sum(q) - b * 3.0 + c * x.at(r, ..).load() + v.at(r, .., ..).load().sum(q) * 5.0);
            } }",
        &[&[&[9, 70], &[9, 70]], &[&[1, 1], &[1, 1]], &[&[1000, 8], &[1000, 8]]],
    ),
    (
        "stores in a loop over scalars, whose iterations load before they store",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for t in tiles(n) {
                let a = y.at(t).load();
                let mut s = a;
                for i in 0..3 {
                    s = s * 2.0 + y.at(t).load();
                    y.at(t).store(y.at(t).load() + x.at(t).load() + i as f32);
                }
                z.at(t).store(s - y.at(t).load() * 7.0 + a * 3.0 + x.at(t).load());
            } }",
        &[&[&[9], &[9]], &[&[1], &[1]], &[&[0], &[0]], &[&[5000], &[5000]]],
    ),
    (
        "stores in branches, one of them alone",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(n), d)).buffer_num(1) {
                let a = y.at(i, t).load();
                if i % 2 == 0 { y.at(i, t).store(a * 2.0 + x.at(i, t).load()); }
                let b = y.at(i, t).load();
                if i % 3 == 0 { y.at(i, t).store(x.at(i, t).load() - b); } else { y.at(i, t).store(y.at(i, t).load() * x.at(i, t).load()); }
                z.at(i, t).store(a + b * 3.0 - y.at(i, t).load() * 5.0 + x.at(i, t).load());
            } }",
        &[&[&[9, 70], &[9, 70]], &[&[1, 1], &[1, 1]], &[&[40, 333], &[40, 333]]],
    ),
    (
        "a load in a branch and behind it, in a loop inside and behind that",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut s = full(r, 0.0);
                if d > 50 { s = s + x.at(r, ..).load().sum(d); } else { s = s - (x.at(r, ..).load() * g.at(..).load()).sum(d); }
                for c in tiles(d) { s = s + (x.at(r, c).load() * g.at(c).load()).sum(c); y.at(r, c).store(x.at(r, c).load() + g.at(c).load() - x.at(r, ..).load().amax(d)); }
                z.at(r, ..).store(x.at(r, ..).load() * s + g.at(..).load());
            } }",
        &[&[&[9, 70], &[70]], &[&[1, 1], &[1]], &[&[100, 33], &[33]]],
    ),
    (
        "indices and the rows that they choose, twice, and of another tensor with another promise",
        "#[kernel] pub fn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i32>, #[shape(n)] #[index(p)] j: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>,
            #[shape(p, d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(p >= m && m >= 1);
            for t in tiles(n).buffer_num(1) {
                let a = x.at(i.at(t).load(), ..).load() * x.at(i.at(t).load(), ..).load();
                let b = w.at(j.at(t).load(), ..).load() - w.at(j.at(t).load(), ..).load() * 2.0;
                let c = w.at(i.at(t).load().max(0).min(p - 1), ..).load() + x.at(i.at(t).load().max(0).min(m - 1), ..).load();
                y.at(t, ..).store(a + b + c * x.at(i.at(t).load().max(0).min(m - 1), ..).load());
            } }",
        &[&[&[9], &[9], &[5, 70], &[7, 70]], &[&[1], &[1], &[1, 1], &[1, 1]], &[&[100], &[100], &[3, 33], &[3, 33]]],
    ),
    (
        "indices in a tensor that changes",
        "#[kernel] pub fn k(#[inplace] #[shape(n)] i: &mut GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(m >= 1);
            for t in tiles(n) {
                let a = x.at(i.at(t).load().max(0).min(m - 1), ..).load();
                i.at(t).store(i.at(t).load() + 1);
                y.at(t, ..).store(a - x.at(i.at(t).load().max(0).min(m - 1), ..).load() * 2.0);
            } }",
        &[&[&[9], &[5, 70]], &[&[1], &[1, 1]], &[&[100], &[7, 33]]],
    ),
    (
        "a tile that changes between, and names of it",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            for t in tiles(n) {
                let mut s = x.at(t).load();
                let before = s;
                let a = s * 2.0 + x.at(t).load();
                s = s + a;
                let behind = s;
                let b = s * 2.0 + x.at(t).load();
                for i in 0..2 { s = s - (s * 2.0).min(50.0); }
                y.at(t).store(a + b * 3.0 - (s * 2.0 + x.at(t).load()) * 5.0 + before * 7.0 - behind + (before * 2.0 + x.at(t).load()));
            } }",
        &[&[&[9]], &[&[1]], &[&[0]], &[&[5000]]],
    ),
    (
        "scalars that change, in arithmetic, in tiles of numbers and in indices, and those of each iteration",
        "#[kernel] pub fn k(#[shape(m, n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            require(m >= 1);
            for t in tiles(n) {
                let mut q = 1;
                let mut s = x.at(0, t).load() * q as f32 + full(t, q as f32) + x.at((q as usize).max(0).min(m - 1), t).load() * 9.0;
                q = q + 1;
                s = s + x.at(0, t).load() * q as f32 - full(t, q as f32).abs() + x.at((q as usize).max(0).min(m - 1), t).load() * 11.0;
                for i in 0..m { s = s * 2.0 - x.at(i, t).load() * i as f32 + x.at(i, t).load() * q as f32; q = q + 1; }
                for i in 0..m { s = s - x.at(i, t).load() * i as f32; }
                y.at(t).store(s + x.at(0, t).load() * q as f32);
            } }",
        &[&[&[3, 9]], &[&[1, 1]], &[&[2, 0]], &[&[4, 5000]]],
    ),
    (
        "windows with other numbers around them, and with the same",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, d)) {
                let a = x.at(r, t - 1).load_or(0.0) * x.at(r, t - 1).load_or(0.0);
                let b = x.at(r, t - 1).load_or(-7.0) + x.at(r, t + 1).load_or(0.0) * 3.0;
                y.at(r, t).store(a + b * 2.0 - x.at(r, t + 1).load_or(0.0));
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[3, 4100]]],
    ),
    (
        "masks, choices, numbers and indices, each twice",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                let a = v.gt(0.0).select(v, full((r, d), 2.0)) + v.gt(0.0).select(v, full((r, d), 2.0)) * 3.0;
                let b = v.pick(d, 0).expand(d) + v.pick(d, d - 1) - v.pick(d, 0);
                y.at(r, ..).store(a + b - d.iota().cast::<f32>() * 2.0 + d.iota().cast::<f32>().max(3.0));
                z.at(r).store(v.gt(1.0).any(d).select(1.0, 0.0) + v.gt(1.0).any(d).select(1.0, 0.0) - v.gt(1.0).all(d).select(1.0, 0.0));
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[100, 33]]],
    ),
    (
        "indices of two axes, types that only a result has, and elements of one tensor under two views",
        "#[kernel] pub fn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, m, d)] y: &mut GlobalTensor<f32>) {
            require(m >= 2 && d >= 2);
            let v = x.view((n, d, m));
            for r in tiles(n) {
                let a = x.at(r, .., ..).load();
                let b = (d.iota().expand(m) - m.iota() * 2).cast::<f32>() + a.cast::<f16>().cast::<f32>() * (a / 2.0).cast::<i32>().cast::<f32>() - (a / 2.0).cast::<f16>().cast::<f32>();
                y.at(r, .., ..).store(b - x.at(r, 1, 0).load() * 3.0 + v.at(r, 1, 0).load() * 5.0);
            } }",
        &[&[&[9, 3, 70]], &[&[2, 2, 2]], &[&[30, 4, 8]]],
    ),
    (
        "tiles before several loops, again in each, and of a workspace that loops under scalar control change",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>(d);
            let q = new_axis(1);
            let v = w.view((q, d));
            for t in tiles(d) { w.at(t).store(g.at(t).load() + 1.0); }
            let h = g.at(..).load() * 2.0;
            let a = w.at(..).load() + h;
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + a + g.at(..).load() * 2.0 + (w.at(..).load() + h)); }
            for i in 0..3 {
                for r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load() - (w.at(..).load() + g.at(..).load() * 2.0)); }
                for t in tiles(d) { v.at(.., t).store(v.at(.., t).load() * 2.0 + i as f32 + v.at(.., t).load()); }
            }
            if n > 5 { for t in tiles(d) { w.at(t).store(w.at(t).load() + 3.0); } } else { for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + w.at(..).load()); } }
            for r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load() + w.at(..).load() + g.at(..).load() * 2.0); } }",
        &[&[&[9, 70], &[70]], &[&[1, 1], &[1]], &[&[100, 33], &[33]]],
    ),
    (
        "values over the cores, before, behind and with what a loop does to them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>) {
            let mut s = across_cores::<f32>(d, 0.0);
            let mut m = across_cores::<f32>(d, 0.0);
            for r in tiles(n) { s += x.at(r, ..).load().sum(r); m += x.at(r, ..).load().sum(r); y.at(r, ..).store(x.at(r, ..).load() * 2.0); }
            z.at(..).store(s * 2.0 - (s * 2.0).abs() + m); }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[100, 33]]],
    ),
    (
        "what is packed, with its mask, and what is counted",
        "#[kernel] pub fn k(#[inplace] #[shape(n)] x: &mut GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {
            for t in tiles(n) {
                y.append(x.at(t).load(), x.at(t).load().gt(0.0));
                z.append(x.at(t).load() * 2.0, x.at(t).load().gt(0.0));
                x.at(t).store(x.at(t).load() - 1.0);
            }
            c.at().store(y.appended() * 2 + z.appended() * 2 - y.appended()); }",
        &[&[&[9]], &[&[1]], &[&[5000]]],
    ),
];
