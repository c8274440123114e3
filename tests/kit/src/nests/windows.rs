//! Windows of one tensor that lie integral steps apart along rows, each with the shapes of its
//! inputs.

use super::cases::Case;

/// Windows with borders and without, one step apart and several.
pub const WINDOWS: &[Case] = &[
    (
        "three rows, in tiles of rows and columns",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(m = n - 2, d)] y: &mut GlobalTensor<T>) {
            require(n >= 2);
            for (r, t) in tiles((m, d)) { y.at(r, t).store(x.at(r + 0, t).load() + x.at(r + 1, t).load() * 2.0 - x.at(r + 2, t).load()); } }",
        &[&[&[3, 70]], &[&[2, 5]], &[&[4, 1]], &[&[5, 33]], &[&[7, 8]], &[&[40, 333]], &[&[3001, 9]], &[&[66, 4100]], &[&[9, 0]]],
    ),
    (
        "three rows with a border above and below, whose heights are less than the reach",
        "#[kernel] #[instances(f16, bf16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, d)) {
                let (a, b) = (x.at(r - 1, t).load_or(3.0).cast::<f32>(), x.at(r + 1, t).load_or(3.0).cast::<f32>());
                y.at(r, t).store(a * b - x.at(r + 0, t).load_or(3.0).cast::<f32>());
            } }",
        &[&[&[1, 1]], &[&[1, 70]], &[&[2, 9]], &[&[3, 33]], &[&[4, 8]], &[&[5, 17]], &[&[300, 70]], &[&[65, 1100]], &[&[0, 3]]],
    ),
    (
        "nine windows of an image with a border all around, written one by one",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(b, h, w)] x: &GlobalTensor<T>, #[shape(b, h, w)] y: &mut GlobalTensor<T>) {
            for (i, r, t) in tiles((each(b), h, w)) {
                let top = x.at(i, r - 1, t - 1).load_or(0.0) + x.at(i, r - 1, t + 0).load_or(0.0) * 2.0 + x.at(i, r - 1, t + 1).load_or(0.0);
                let own = x.at(i, r + 0, t - 1).load_or(0.0) - x.at(i, r + 0, t + 0).load_or(0.0) + x.at(i, r + 0, t + 1).load_or(0.0) * 4.0;
                let end = x.at(i, r + 1, t - 1).load_or(0.0) - x.at(i, r + 1, t + 0).load_or(0.0) * 8.0 + x.at(i, r + 1, t + 1).load_or(0.0);
                y.at(i, r, t).store(top + own - end);
            } }",
        &[&[&[1, 1, 1]], &[&[3, 2, 9]], &[&[2, 5, 1]], &[&[4, 14, 14]], &[&[1, 130, 300]], &[&[50, 3, 17]]],
    ),
    (
        "windows of three rows that are two apart, and of seven that are three apart, with borders",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(h, w)] x: &GlobalTensor<T>, #[shape(oh = (h - 1) / 2 + 1, w)] y: &mut GlobalTensor<T>,
            #[shape(uh = (h - 1) / 3 + 1, w)] z: &mut GlobalTensor<T>) {
            require(h >= 1);
            for (r, t) in tiles((oh, w)) {
                y.at(r, t).store(x.at(r * 2 - 1, t).load_or(-9.0).max(x.at(r * 2, t).load_or(-9.0)).max(x.at(r * 2 + 1, t).load_or(-9.0)));
            }
            for (r, t) in tiles((uh, w)) {
                let low = x.at(r * 3 - 3, t).load_or(-9.0).max(x.at(r * 3 - 2, t).load_or(-9.0)).max(x.at(r * 3 - 1, t).load_or(-9.0));
                let high = x.at(r * 3 + 1, t).load_or(-9.0) - x.at(r * 3 + 2, t).load_or(-9.0) * 2.0 + x.at(r * 3 + 3, t).load_or(-9.0);
                z.at(r, t).store(low - high * x.at(r * 3, t).load_or(-9.0));
            } }",
        &[&[&[1, 1]], &[&[2, 70]], &[&[3, 9]], &[&[4, 33]], &[&[5, 8]], &[&[28, 28]], &[&[301, 517]], &[&[1200, 3]]],
    ),
    (
        "windows whose columns are two and three apart",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(h, w)] x: &GlobalTensor<T>, #[shape(oh = h - 2, ow = (w - 1) / 2 + 1)] y: &mut GlobalTensor<T>,
            #[shape(oh, uw = (w - 1) / 3 + 1)] z: &mut GlobalTensor<T>) {
            require(h >= 2 && w >= 1);
            for (r, t) in tiles((oh, ow)) { y.at(r, t).store(x.at(r + 0, t * 2).load() - x.at(r + 1, t * 2).load() * 2.0 + x.at(r + 2, t * 2).load()); }
            for (r, t) in tiles((oh, uw)) { z.at(r, t).store(x.at(r + 0, t * 3).load() - x.at(r + 1, t * 3).load() * 2.0 + x.at(r + 2, t * 3).load()); } }",
        &[&[&[3, 1]], &[&[3, 70]], &[&[9, 33]], &[&[40, 333]]],
    ),
    (
        "whole rows, which may be too long for UB, beside what is reduced along them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n - 2, d)] y: &mut GlobalTensor<f32>, #[shape(m)] z: &mut GlobalTensor<f32>) {
            require(n >= 2);
            for r in tiles(m) {
                let v = x.at(r + 0, ..).load() + x.at(r + 1, ..).load() * 2.0 - x.at(r + 2, ..).load();
                y.at(r, ..).store(v);
                z.at(r).store(v.sum(d));
            } }",
        &[&[&[3, 70]], &[&[4, 1]], &[&[40, 333]], &[&[3001, 9]], &[&[5, 60_011]], &[&[200, 12_007]]],
    ),
    (
        "windows that are reduced, and others that are not",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n - 3, d)] y: &mut GlobalTensor<f32>) {
            require(n >= 3);
            for r in tiles(m) {
                let (a, b) = (x.at(r + 0, ..).load(), x.at(r + 3, ..).load());
                y.at(r, ..).store(x.at(r + 1, ..).load() * a.amax(d) + x.at(r + 2, ..).load() * b.sum(d) - a * 2.0 + b * x.at(r + 1, ..).load().amin(d));
            } }",
        &[&[&[4, 70]], &[&[5, 1]], &[&[40, 333]], &[&[300, 257]], &[&[6, 30_011]]],
    ),
    (
        "windows of a tensor that another loop stores, stored as they are, in branches, in loops and in values that change",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>((n, d));
            for (r, t) in tiles((n, d)) { w.at(r, t).store(x.at(r - 1, t).load_or(1.0) + x.at(r + 0, t).load_or(1.0)); }
            for (r, t) in tiles((n, d)) {
                let (a, b, c) = (w.at(r - 1, t).load_or(2.0), w.at(r + 0, t).load_or(2.0), w.at(r + 1, t).load_or(2.0));
                y.at(r, t).store(b);
                let mut s = a;
                for i in 0..3 {
                    s = s * 2.0 - x.at(r + 0, t).load_or(5.0) + x.at(r + 1, t).load_or(5.0) * i as f32;
                    if i == 1 { s = c; } else { s = s + (x.at(r - 1, t).load_or(0.0) - x.at(r + 0, t).load_or(0.0)) * (x.at(r + 1, t).load_or(0.0) + b); }
                }
                z.at(r, t).store(s + a);
            } }",
        &[&[&[1, 1]], &[&[2, 9]], &[&[9, 70]], &[&[130, 300]]],
    ),
    (
        "a tensor that is stored to in the same iteration, and windows with other numbers around them",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, d)) {
                let a = y.at(r, t).load() + x.at(r + 0, t).load_or(1.0) * x.at(r + 1, t).load_or(2.0);
                y.at(r, t).store(a);
                y.at(r, t).store(y.at(r, t).load() * x.at(r - 1, t).load_or(1.0) - x.at(r + 2, t).load_or(2.0) * x.at(r + 1, t).load_or(1.0));
            } }",
        &[&[&[1, 1], &[1, 1]], &[&[9, 70], &[9, 70]], &[&[130, 300], &[130, 300]]],
    ),
    (
        "sizes that the author gives, a loop inside that goes along rows, and integers",
        "#[kernel] #[instances(f32, i32)] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(m = n - 2, d)] y: &mut GlobalTensor<T>, #[shape(d)] z: &mut GlobalTensor<T>) {
            require(n >= 2);
            for (r, t) in tiles((m, d)).size((5, _)) { y.at(r, t).store(x.at(r + 0, t).load() + x.at(r + 1, t).load() * x.at(r + 2, t).load()); }
            for t in tiles(d) {
                let mut s = full::<T>(t, 0);
                for j in tiles(m).size(3) {
                    let e = x.at(j + 2, t).load() - x.at(j + 1, t).load() + x.at(j + 0, t).load();
                    s = s + e.sum(j);
                }
                z.at(t).store(s);
            } }",
        &[&[&[3, 70]], &[&[2, 5]], &[&[4, 1]], &[&[40, 333]], &[&[301, 8]]],
    ),
    (
        "two tensors, with the same rows twice, rows in between that no window has, and a mask",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] u: &GlobalTensor<f32>, #[shape(m = n - 4, d)] y: &mut GlobalTensor<f32>, #[shape(m, d)] z: &mut GlobalTensor<f32>) {
            require(n >= 4);
            for (r, t) in tiles((m, d)) {
                let a = x.at(r + 1, t).load() * u.at(r + 0, t).load() - x.at(r + 2, t).load() * x.at(r + 1, t).load() + u.at(r + 4, t).load();
                y.at(r, t).store(a * u.at(r + 3, t).load() + u.at(r + 1, t).load() - u.at(r + 2, t).load() * x.at(r + 4, t).load());
            }
            for (r, t) in tiles((m, d)) {
                let (a, b) = (x.at(r + 0, t).load(), x.at(r + 1, t).load());
                z.at(r, t).store(a.gt(b).select(a, u.at(r + 1, t).load()) - b);
            } }",
        &[&[&[5, 70], &[5, 70]], &[&[4, 3], &[4, 3]], &[&[6, 1], &[6, 1]], &[&[80, 333], &[80, 333]]],
    ),
    (
        "a convolution of each channel, with loops over a kernel of three by three and one whose size the launch says",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(c, h, w)] x: &GlobalTensor<T>, #[shape(c, 3, 3)] u: &GlobalTensor<T>, #[shape(c, kh, kw)] v: &GlobalTensor<T>,
            #[shape(c, h, w)] y: &mut GlobalTensor<T>, #[shape(c, oh = h + 2 - kh + 1, ow = w + 2 - kw + 1)] z: &mut GlobalTensor<T>) {
            require(kh <= h + 2 && kw <= w + 2);
            for (j, r, t) in tiles((each(c), h, w)) {
                let mut sum = full::<f32>((r, t), 0.0);
                for p in 0..3 {
                    for q in 0..3 { sum = sum + x.at(j, r + p - 1, t + q - 1).load_or(0.0).cast::<f32>() * u.at(j, p, q).load().cast::<f32>(); }
                }
                y.at(j, r, t).store(sum.cast::<T>());
            }
            for (j, r, t) in tiles((each(c), oh, ow)) {
                let mut sum = full::<f32>((r, t), 0.0);
                for p in each(kh) {
                    for q in 0..kw { sum = sum + x.at(j, r + p - 1, t + q - 1).load_or(0.0).cast::<f32>() * v.at(j, p, q).load().cast::<f32>(); }
                }
                z.at(j, r, t).store(sum.cast::<T>());
            } }",
        &[&[&[1, 1, 1], &[1, 3, 3], &[1, 3, 2]], &[&[3, 2, 9], &[3, 3, 3], &[3, 1, 1]], &[&[2, 5, 70], &[2, 3, 3], &[2, 5, 3]], &[&[40, 14, 14], &[40, 3, 3], &[40, 3, 3]], &[&[1, 130, 300], &[1, 3, 3], &[1, 2, 5]]],
    ),
    (
        "loops over numbers of the text: maxima of windows two apart, numbers of the loop as scalars, stores inside, tiles of their own, and loops over an axis",
        "#[kernel] pub fn k(#[shape(h, w)] x: &GlobalTensor<f32>, #[shape(oh = (h - 1) / 2 + 1, w)] y: &mut GlobalTensor<f32>, #[shape(h, w)] z: &mut GlobalTensor<f32>, #[shape(h, w)] u: &mut GlobalTensor<f32>) {
            require(h >= 1);
            let k = new_axis(5);
            for (r, t) in tiles((oh, w)) {
                let mut high = full((r, t), f32::NEG_INFINITY);
                for p in each(k) { for q in 1..4 { high = high.max(x.at(r * 2 + p - 2, t + q - 2).load_or(f32::NEG_INFINITY) + q as f32 * p as f32); } }
                y.at(r, t).store(high);
            }
            for (r, t) in tiles((h, w)) {
                let mut s = x.at(r + 0, t).load_or(0.0) * 2.0;
                for p in 0..2 {
                    let mut a = x.at(r + p, t).load_or(1.0) + p as f32;
                    for q in 2..4 { a = a * 2.0 - x.at(r + p + q, t).load_or(1.0); }
                    s = s + a * x.at(r + p - 1, t).load_or(1.0);
                    if p == 1 { s = s - 1.0; }
                }
                for p in 0..3 { s = s - x.at(r - p, t).load_or(7.0) * (p as f32 + 1.0); u.at(r, t).store(s); }
                z.at(r, t).store(s);
            } }",
        &[&[&[1, 1]], &[&[2, 70]], &[&[3, 9]], &[&[4, 33]], &[&[5, 8]], &[&[28, 28]], &[&[301, 517]]],
    ),
    (
        "whole rows in a loop, which may be too long for UB",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n - 2, d)] y: &mut GlobalTensor<f32>) {
            require(n >= 2);
            for r in tiles(m) {
                let mut s = full((r, d), 1.0);
                for p in 0..3 { s = s * 2.0 - x.at(r + p, ..).load(); }
                y.at(r, ..).store(s);
            } }",
        &[&[&[3, 70]], &[&[4, 1]], &[&[40, 333]], &[&[3001, 9]], &[&[5, 60_011]], &[&[60, 20_007]]],
    ),
    (
        "rows that are picked of a whole axis: parts that overlap and are reduced otherwise, stored, set, picked again, alone, and of what dies before them",
        "#[kernel] pub fn k(#[shape(b, h, w)] x: &GlobalTensor<f32>, #[shape(b, w)] y: &mut GlobalTensor<f32>, #[shape(b, m = h - 2, w)] z: &mut GlobalTensor<f32>, #[shape(b, m)] u: &mut GlobalTensor<f32>) {
            require(h >= 3);
            let p = new_axis(h - 1);
            for i in each(b) {
                let v = x.at(i, .., ..).load() * 2.0;
                let a = v.pick(h, m.indices() + 1);
                let high = v.pick(h, m.indices() + 2).amax(w);
                let two = v.pick(h, p.indices() + 1);
                u.at(i, ..).store(high - v.pick(h, m.indices() + 0).sum(w) + a.amin(w) - two.pick(p, m.indices() + 1).amax(w) + a.sum(w));
                let mut s = two.pick(p, m.indices() + 0);
                for q in 0..2 { s = s * 2.0 - two.pick(p, m.indices() + 1) * q as f32 + v.pick(h, q); }
                z.at(i, .., ..).store(s - a);
                let (first, last) = (v.pick(h, 0), v.pick(h, h - 1));
                y.at(i, ..).store(first * 3.0 - last + two.pick(p, 0));
            } }",
        &[&[&[3, 5, 70]], &[&[1, 3, 1]], &[&[40, 4, 33]], &[&[2, 30, 257]]],
    ),
    (
        "rows of a whole axis in tiles of columns, some beside a mask",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(b, h, w)] x: &GlobalTensor<T>, #[shape(b, m = h - 1, w)] y: &mut GlobalTensor<T>, #[shape(b, m, w)] z: &mut GlobalTensor<T>) {
            require(h >= 2);
            for (i, t) in tiles((each(b), w)) {
                let v = x.at(i, .., t).load();
                y.at(i, .., t).store(v.pick(h, m.indices() + 1) - v.pick(h, m.indices() + 0) * 2.0 + v.pick(h, 1));
            }
            for (i, t) in tiles((each(b), w)) {
                let v = x.at(i, .., t).load();
                let (a, c) = (v.pick(h, m.indices() + 1), v.pick(h, m.indices() + 0));
                z.at(i, .., t).store(a.gt(c).select(a, c));
            } }",
        &[&[&[3, 5, 70]], &[&[1, 2, 1]], &[&[40, 4, 33]], &[&[2, 30, 2570]]],
    ),
    (
        "what a reduction fills behind rows, and another one behind the same rows, is not taken for what the first one left",
        "#[kernel] pub fn k(#[shape(b, h, w)] x: &GlobalTensor<f32>, #[shape(b, h)] y: &mut GlobalTensor<f32>, #[shape(b, m = h - 1, w)] z: &mut GlobalTensor<f32>) {
            require(h >= 2);
            for i in each(b) {
                let v = x.at(i, .., ..).load().abs() * -1.0 - 1.0;
                let high = v.amax(w);
                let (a, c) = (v.pick(h, m.indices() + 1), v.pick(h, m.indices() + 0));
                z.at(i, .., ..).store(a - c - a.sum(w) - c.sum(w) * 2.0);
                y.at(i, ..).store((v + 3.0).amax(w) * 5.0 + high);
            } }",
        &[&[&[3, 5, 70]], &[&[1, 2, 1]], &[&[2, 30, 257]], &[&[4, 3, 1001]]],
    ),
];
