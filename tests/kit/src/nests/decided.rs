//! Conditions that the host decides; each outcome is a case.

use super::cases::{Case, LEFT_OUT as NO};

macro_rules! reduced {
    ($what:literal, $reduction:literal) => {
        (
            $what,
            concat!(
                "#[kernels] mod m { pub enum Reduction { None, Sum }
            #[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[default(",
                $reduction,
                ")] reduction: Reduction,
                #[shape(rows = match reduction { Reduction::None => n, Reduction::Sum => 1 })] y: &mut GlobalTensor<f32>) {
                match reduction {
                    Reduction::None => { for r in tiles(n) { let v = x.at(r).load(); y.at(r + 0).store(v * v); } }
                    Reduction::Sum => {
                        let mut sum = across_cores::<f32>((), 0.0);
                        for r in tiles(n) { let v = x.at(r).load(); sum += (v * v).sum(r); }
                        y.at(0).store(sum);
                    }
                } } }"
            ),
            &[&[&[9]], &[&[0]], &[&[7000]]],
        )
    };
}

/// Conditions on sizes, numbers and optional tensors, in every place where an `if` may stand.
pub const DECIDED: &[Case] = &[
    (
        "one of two masks, of which one or both are made in a branch that data decides",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] w: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<f16>) {
            for r in each(n) {
                let (v, k) = (x.at(r, ..).load(), w.at(r).load().scalar());
                let m = if k > 3 { v.lt(1.0) } else { (v + 1.0).gt(0.5) };
                let q = v.gt(0.0);
                let p = if k % 2 == 0 { q } else { m };
                let s = if n > 2 { v.lt(0.5) } else { v.ge(0.25) };
                y.at(r, ..).store(m.select(v, 0.0) + p.select(v, 1.0) * 2.0 + s.select(v, 3.0) * 4.0);
            } }",
        &[&[&[9, 70], &[9]], &[&[1, 1], &[1]], &[&[2, 333], &[2]], &[&[0, 8], &[0]]],
    ),
    (
        "pairs of scalars, and of a scalar and a tile, of one branch or the other",
        "#[kernel] pub fn k(#[shape(n)] w: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for t in each(n) {
                let (a, b) = if t > 1 { (w.at(t).load().scalar(), 2) } else { (3, w.at(t).load().scalar()) };
                let (c, v) = if d > 40 { (t + 1, x.at(t, ..).load()) } else { (t, x.at(t, ..).load() * 2.0) };
                let (p, u) = if a > 5 { (t, v + 1.0) } else { (t + 2, v) };
                let (q, s) = if t % 2 == 0 { (p + 1, 3) } else { (p, 4) };
                y.at(t, ..).store(u * (a + b) as f32 + (c + q * s) as f32);
            } }",
        &[&[&[9], &[9, 70]], &[&[1], &[1, 1]], &[&[3], &[3, 33]], &[&[0], &[0, 8]]],
    ),
    (
        "steps that are 1 in some launches: of a load, of one with borders, and of what is stored",
        "#[kernel] pub fn k(#[shape(h, w)] x: &GlobalTensor<f32>, #[shape(s)] u: &GlobalTensor<f32>, #[shape(h, ow = (w - 1) / s + 1)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(h, w)] z: &mut GlobalTensor<f32>) {
            require(s >= 1); require(w >= 1);
            for (r, t) in tiles((h, ow)) {
                let v = x.at(r, t * s).load() + x.at(r, t * s - 1).load_or(2.0) * u.at(0).load();
                y.at(r, t).store(v);
                z.at(r, t * s).store(v * 2.0);
            } }",
        &[&[&[9, 70], &[2], &[9, 70]], &[&[1, 1], &[3], &[1, 1]], &[&[50, 333], &[1], &[50, 333]], &[&[2, 9001], &[1], &[2, 9001]], &[&[2, 9001], &[5], &[2, 9001]], &[&[0, 4], &[1], &[0, 4]]],
    ),
    (
        "steps of two axes in one index, either of which may be 1",
        "#[kernel] pub fn k(#[shape(h, w)] x: &GlobalTensor<f16>, #[shape(a)] u: &GlobalTensor<f32>, #[shape(b)] v: &GlobalTensor<f32>, #[shape(h, c = (w - b) / a + 1)] y: &mut GlobalTensor<f16>) {
            require(a >= 1); require(b >= 1); require(b <= w);
            for (r, t) in tiles((h, c)) {
                let mut m = full::<f16>((r, t), -9.0);
                for q in 0..b { m = m.max(x.at(r, t * a + q).load()); }
                y.at(r, t).store(m);
            } }",
        &[&[&[9, 70], &[2], &[3]], &[&[4, 71], &[1], &[3]], &[&[4, 71], &[2], &[1]], &[&[4, 71], &[1], &[1]], &[&[3, 9001], &[1], &[2]]],
    ),
    (
        "positions behind channels, of which there may be one each: sums over rows and positions, and a number a channel",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, c, p..)] x: &GlobalTensor<T>, #[shape(c)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<T>, #[shape(c)] s: &mut GlobalTensor<f32>) {
            let mut sum = across_cores::<f32>(c, 0.0);
            for (i, t) in tiles((n, p)) { sum += x.at(i, .., t).load().wide().sum((i, t)); }
            s.at(..).store(sum);
            for (i, j, t) in tiles((n, c, p)) { y.at(i, j, t).store((x.at(i, j, t).load().wide() * w.at(j).load()).cast::<T>()); } }",
        &[&[&[9, 70], &[70]], &[&[9, 7, 3, 5], &[7]], &[&[300, 33, 1], &[33]], &[&[1, 1], &[1]], &[&[2, 9001], &[9001]], &[&[3, 0], &[0]], &[&[0, 5], &[5]], &[&[3, 4, 0], &[4]]],
    ),
    (
        "positions behind channels from the last one on, and at indices that are data, which stay rows",
        "#[kernel] pub fn k(#[shape(n, c, p..)] x: &GlobalTensor<f32>, #[shape(c)] #[index(c)] at: &GlobalTensor<i32>, y: &mut GlobalTensor<f32>, #[shape(n, c, p..)] z: &mut GlobalTensor<f32>) {
            for (i, j, t) in tiles((n, c, p)) { y.at(i, j, t).store(x.at(i, c - 1 - j, t).load()); }
            for (i, j, t) in tiles((n, c, p)) { z.at(i, j, t).store(x.at(i, at.at(j).load(), t).load()); } }",
        &[&[&[9, 70], &[70]], &[&[9, 7, 3, 5], &[7]], &[&[30, 33, 1], &[33]], &[&[1, 1], &[1]]],
    ),
    (
        "a half of rows before positions, of which there may be one",
        "#[kernel] pub fn k(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f16>, #[shape(a.., d, b..)] u: &GlobalTensor<f16>, #[shape(a.., d, b..)] y: &mut GlobalTensor<f16>, #[default(1)] dim: i32) {
            require(m == 2 * d);
            for (i, r, t) in tiles((a, d, b)) { y.at(i, r, t).store(x.at(i, r + 0, t).load() * u.at(i, r, t).load() + x.at(i, r + d, t).load().exp()); } }",
        &[&[&[9, 70], &[9, 35]], &[&[5, 8, 33], &[5, 4, 33]], &[&[3, 9002], &[3, 4501]], &[&[2, 6, 1, 1], &[2, 3, 1, 1]]],
    ),
    (
        "a rest of rows that may be empty, beside what has nothing to do with it",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, m)] c: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(m <= d);
            let rest = new_axis(m..d);
            for r in tiles(n) {
                y.at(r, m.indices()).store(x.at(r, m.indices()).load() * c.at(r, ..).load());
                y.at(r, rest).store(x.at(r, rest).load());
            } }",
        &[&[&[9, 70], &[9, 64]], &[&[9, 64], &[9, 64]], &[&[3, 5], &[3, 5]], &[&[0, 8], &[0, 8]], &[&[2, 9001], &[2, 70]]],
    ),
    (
        "one of two tiles before all loops, used in both",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] a: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            let s = if n > 4 { a.at(..).load() * 2.0 } else { a.at(..).load() };
            for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() * s); }
            for r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load() + s); } }",
        &[&[&[9, 70], &[70]], &[&[3, 70], &[70]], &[&[0, 8], &[8]], &[&[5, 0], &[0]]],
    ),
    (
        "a tile that changes before the loop, and one that changes in it",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] a: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            let mut s = a.at(..).load();
            s = s * 2.0;
            if d > 40 { s = s + 1.0; }
            for r in tiles(n) {
                let mut v = x.at(r, ..).load();
                v = v * s;
                let m = v.amax(d);
                v = v - m;
                if n > 4 { v = v * 3.0; }
                y.at(r, ..).store(v);
            } }",
        &[&[&[9, 70], &[70]], &[&[3, 70], &[70]], &[&[9, 30], &[30]], &[&[2, 30_000], &[30_000]], &[&[6, 30_000], &[30_000]]],
    ),
    (
        "one of two values a row before a reduction, of rows that are streamed, and an input that may be left out",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] b: Option<&GlobalTensor<T>>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] c: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let w = x.at(r, ..).load().cast::<f32>() + b.or_full(0.0).at(..).load().cast::<f32>();
                let v = if n > 4 { w.abs() } else { w.max(0.0) };
                let q = v.amax(d) + 1.0;
                y.at(r, ..).store(v - q);
                c.at(r).store(q);
            } }",
        &[
            &[&[9, 70], &[70]],
            &[&[9, 70], NO],
            &[&[3, 70], &[70]],
            &[&[3, 70], NO],
            &[&[2, 60_000], &[60_000]],
            &[&[5, 60_000], NO],
            &[&[2, 60_000], NO],
        ],
    ),
    (
        "nothing to do where the one output is left out",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: Option<&mut GlobalTensor<f32>>) {
            for r in tiles(n) { if let Some(y) = y { y.at(r, ..).store(x.at(r, ..).load() * 2.0); } } }",
        &[&[&[9, 70], &[9, 70]], &[&[9, 70], NO]],
    ),
    reduced!("loops of one outcome alone, one of which has an output without elements", "Reduction::None"),
    reduced!("the same by its other outcome", "Reduction::Sum"),
    (
        "a number that is read in one outcome alone",
        "#[kernel] pub fn k(#[shape(m)] c: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
            let k = if m > 0 { c.at(0).load().scalar() } else { 7 };
            for t in tiles(n) { y.at(t).store(x.at(t).load() * k as f32); } }",
        &[&[&[2], &[90]], &[&[0], &[90]]],
    ),
    (
        "more conditions than there are variants for",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] c: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut v = x.at(r, ..).load();
                if n % 2 == 0 { v = v + 1.0; }
                if n % 3 == 0 { v = v * 2.0; }
                if d % 2 == 0 { v = v.abs(); }
                if d % 3 == 0 { v = -v; }
                if d % 5 == 0 { v = v - 3.0; }
                if d % 7 == 0 { c.at(r).store(v.amax(d)); } else { c.at(r).store(full(r, 1.0)); }
                y.at(r, ..).store(v);
            } }",
        &[&[&[9, 70]], &[&[4, 70]], &[&[6, 9]], &[&[5, 35]], &[&[1, 210]], &[&[8, 11]]],
    ),
    (
        "halves of computed rows, which begin at a data block or in one",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            require(d % 2 == 0);
            let c = new_axis(d / 2);
            for r in tiles(n) {
                let v = x.at(r, ..).load() * g.at(..).load();
                let (a, b) = (v.pick(d, c.indices() + 0), v.pick(d, c.indices() + d / 2));
                y.at(r, c.indices() + 0).store(-b);
                y.at(r, c.indices() + d / 2).store(a + b);
            } }",
        &[
            &[&[9, 128], &[128]],
            &[&[9, 64], &[64]],
            &[&[9, 32], &[32]],
            &[&[9, 48], &[48]],
            &[&[7, 30], &[30]],
            &[&[3, 2], &[2]],
            &[&[300, 96], &[96]],
            &[&[2, 2048], &[2048]],
            &[&[70, 4096], &[4096]],
            &[&[5, 8192], &[8192]],
            &[&[0, 32], &[32]],
        ],
    ),
    (
        "parts of rows of several axes, from a number on",
        "#[kernel] pub fn k(#[shape(m, n, d)] x: &GlobalTensor<f32>, #[shape(m, n, 24)] y: &mut GlobalTensor<f32>, #[default(8)] from: usize) {
            require(from + 24 <= d);
            let c = new_axis(24);
            for (i, r) in tiles((m, n)) {
                let v = x.at(i, r, ..).load().exp();
                y.at(i, r, c.indices() + 0).store(v.pick(d, c.indices() + from) + v.pick(d, c.indices() + 8) - v.pick(d, c.indices() + 3));
            } }",
        &[&[&[3, 5, 40]], &[&[1, 1, 32]], &[&[20, 9, 33]], &[&[2, 70, 100]]],
    ),
    (
        "indices and pairs of scalars of which there are two, where the output has elements",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<i32>, #[default(true)] c: bool) {
            if n > 0 {
                for r in tiles(n) {
                    let (a, b) = if c { (d / 2, d + 1) } else { (0, d) };
                    let at = if c { (d as i32 - 1) - d.iota() } else { d.iota() };
                    y.at(r, ..).store(x.at(r, ..).load().pick(d, at) * a as f32 + b as f32);
                    z.at(r).store(5 & (3 ^ r.iota()));
                }
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[1000, 8]], &[&[0, 5]]],
    ),
];
