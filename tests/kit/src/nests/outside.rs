//! Elements of tiles as scalars outside of tile loops: in bounds of loops, in conditions of loops,
//! and in their bodies.
//!
//! Each kernel has the shapes of its inputs and numbers in `at`.

/// A kernel, the shapes of its inputs, and the numbers of its input `at`.
pub type Outside = (
    &'static str,
    &'static str,
    &'static [(&'static [&'static [usize]], &'static [i64])],
);

/// Loops over, under and with numbers that a tensor holds.
pub const OUTSIDE: &[Outside] = &[
    (
        "a scale for all, read once by each core, in a loop whose rows are streamed where they are long",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(c >= 1);
            let scale = at.at(0).load().scalar() as f32;
            for r in tiles(n) {
                let v = x.at(r, ..).load() * scale;
                y.at(r, ..).store(v - v.amax(d));
            } }",
        &[(&[&[1], &[9, 70]], &[2]), (&[&[1], &[1, 1]], &[-3]), (&[&[2], &[200, 333]], &[0, 7]), (&[&[1], &[3, 60_011]], &[4]), (&[&[1], &[0, 8]], &[4])],
    ),
    (
        "as many rows below each as a number says, of a few that are windows of one tensor",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(h, w)] x: &GlobalTensor<f32>, #[shape(h, w)] y: &mut GlobalTensor<f32>) {
            require(c >= 1);
            let rows = at.at(0).load().scalar() as usize;
            assume(0 <= rows && rows <= 3);
            for (r, t) in tiles((h, w)) {
                let mut s = full((r, t), 0.0);
                for p in each(0..rows.min(3)) { s = s + x.at(r + p, t).load_or(0.0); }
                y.at(r, t).store(s);
            } }",
        &[(&[&[1], &[9, 70]], &[0]), (&[&[1], &[9, 70]], &[1]), (&[&[1], &[40, 333]], &[2]), (&[&[1], &[5, 8]], &[3])],
    ),
    (
        "elements between two numbers, and what stood there before around them",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
            require(c >= 2);
            let lo = at.at(0).load().scalar() as usize;
            let hi = at.at(1).load().scalar() as usize;
            assume(0 <= lo && hi <= n);
            for t in tiles(lo..hi) { y.at(t).store(x.at(t).load() * 2.0 + t.iota().cast::<f32>() * 0.5); } }",
        &[
            (&[&[2], &[70], &[70]], &[3, 61]),
            (&[&[2], &[70], &[70]], &[0, 70]),
            (&[&[2], &[70], &[70]], &[5, 5]),
            (&[&[2], &[70], &[70]], &[70, 70]),
            (&[&[2], &[70], &[70]], &[60, 20]),
            (&[&[2], &[1], &[1]], &[0, 1]),
            (&[&[2], &[0], &[0]], &[0, 0]),
            (&[&[2], &[9001], &[9001]], &[17, 8999]),
            (&[&[2], &[300_000], &[300_000]], &[1, 299_999]),
            (&[&[2], &[300_000], &[300_000]], &[4096, 4353]),
        ],
    ),
    (
        "rows between two numbers, gathered to the beginning, and single rows from the last one on",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(n, d)] z: &mut GlobalTensor<f32>,
            #[inplace] #[shape(n, d)] w: &mut GlobalTensor<f32>) {
            require(c >= 2);
            let (lo, hi) = (at.at(0).load().scalar(), at.at(1).load().scalar());
            assume(0 <= lo && lo <= n && hi <= n);
            for r in tiles(lo..hi) { y.at(r - lo, ..).store(x.at(r, ..).load() + r.start() as f32 * 0.0); }
            for i in each(lo..hi) { z.at(i, ..).store(x.at(i, ..).load() * i as f32); }
            for (i, t) in tiles((each(lo..hi), 0..d)) { w.at(i, t).store(x.at(lo + hi - 1 - i, t).load()); } }",
        &[
            (&[&[2], &[9, 70], &[9, 70], &[9, 70], &[9, 70]], &[2, 8]),
            (&[&[2], &[9, 70], &[9, 70], &[9, 70], &[9, 70]], &[4, 4]),
            (&[&[2], &[9, 70], &[9, 70], &[9, 70], &[9, 70]], &[9, 0]),
            (&[&[2], &[1, 1], &[1, 1], &[1, 1], &[1, 1]], &[0, 1]),
            (&[&[2], &[200, 33], &[200, 33], &[200, 33], &[200, 33]], &[1, 199]),
            (&[&[2], &[70, 0], &[70, 0], &[70, 0], &[70, 0]], &[1, 60]),
            (&[&[2], &[6, 5000], &[6, 5000], &[6, 5000], &[6, 5000]], &[0, 6]),
        ],
    ),
    (
        "a number that all cores have found decides which loop is made, and how often",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(n, d)] z: &mut GlobalTensor<f32>) {
            require(c >= 1);
            let mut s = across_cores::<f32>((), 0.0);
            for (i, t) in tiles((n, d)) {
                s += x.at(i, t).load().sum((i, t));
                z.at(i, t).store(x.at(i, t).load());
            }
            let total = s.scalar();
            let turns = at.at(0).load().scalar();
            if total > 0.0 && turns >= 0 {
                for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + total); }
            } else {
                for (i, t) in tiles((n, d)) { y.at(i, t).store(x.at(i, t).load() - total); }
            }
            for q in 0..turns.min(3) {
                for t in tiles(d) { z.at(.., t).store(z.at(.., t).load() + y.at(.., t).load() * q as f32); }
            } }",
        &[
            (&[&[1], &[9, 70], &[9, 70], &[9, 70]], &[2]),
            (&[&[1], &[9, 70], &[9, 70], &[9, 70]], &[0]),
            (&[&[1], &[9, 70], &[9, 70], &[9, 70]], &[-1]),
            (&[&[1], &[1, 1], &[1, 1], &[1, 1]], &[1]),
            (&[&[1], &[40, 3000], &[40, 3000], &[40, 3000]], &[9]),
        ],
    ),
    (
        "numbers that an earlier loop stores, read behind it and stored over again",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<i32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<i32>, #[inplace] #[shape(n)] z: &mut GlobalTensor<i32>) {
            require(c >= 1); require(n >= 1);
            let first = at.at(0).load().scalar();
            for t in tiles(n) { y.at(t).store(x.at(t).load() * 3 + first); }
            let last = y.at(n - 1).load().scalar();
            let end = (last as usize).max(0).min(n);
            for t in tiles(0..end) { z.at(t).store(y.at(t).load() + last); }
            for t in tiles(n) { y.at(t).store(z.at(t).load() + x.at(t).load()); }
            let again = y.at(0).load().scalar();
            if again > last { for t in tiles(end..n) { z.at(t).store(full::<i32>(t, 0) + again); } } }",
        &[(&[&[1], &[9], &[9], &[9]], &[5]), (&[&[1], &[1], &[1], &[1]], &[-4]), (&[&[3], &[40_000], &[40_000], &[40_000]], &[777, 0, 0]), (&[&[1], &[40_000], &[40_000], &[40_000]], &[39_990]), (&[&[1], &[12_000], &[12_000], &[12_000]], &[-600])],
    ),
    (
        "an end that moves from iteration to iteration, in a loop over scalars around tiles, and a workspace",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
            let w = workspace::<f32>(n);
            for t in tiles(n) { w.at(t).store(x.at(t).load()); y.at(t).store(full(t, 0.0)); }
            for i in 0..c {
                let hi = (at.at(i).load().scalar() as usize).max(0).min(n);
                for t in tiles(0..hi) { w.at(t).store(w.at(t).load() + 1.0); }
                for t in tiles(hi..n) { y.at(t).store(w.at(t - hi).load() + y.at(t).load()); }
            } }",
        &[
            (&[&[3], &[70], &[70]], &[3, 61, 0]),
            (&[&[1], &[70], &[70]], &[70]),
            (&[&[2], &[1], &[1]], &[0, 1]),
            (&[&[4], &[20_000], &[20_000]], &[1, 19_999, 7000, 12_345]),
        ],
    ),
    (
        "the sum of a whole tensor, a bit, and how many elements were packed",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            require(c >= 1); require(n >= 1);
            let limit = at.at(..).load().sum(c).scalar() as f32;
            let any = x.at(..).load().gt(limit).any(n).scalar();
            for t in tiles(n) { let v = x.at(t).load(); y.append(v, v.gt(limit)); }
            let many = y.appended().scalar() as usize;
            let end = many.max(0).min(n);
            for t in tiles(n) { z.at(t).store(full(t, 0.0)); }
            if any { for t in tiles(0..end) { z.at(t).store(x.at(t).load() * 2.0); } } }",
        &[(&[&[2], &[70]], &[1, 2]), (&[&[1], &[70]], &[50]), (&[&[1], &[1]], &[-20]), (&[&[1], &[9000]], &[0])],
    ),
    (
        "a triangle: a loop over scalars around a range that it bounds",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n, n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, n)] y: &mut GlobalTensor<f32>) {
            require(c >= 1);
            let first = (at.at(0).load().scalar() as usize).max(1);
            for i in first..n { for t in tiles(0..i) { y.at(i, t).store(x.at(i, t).load() + y.at(i - 1, t).load()); } } }",
        &[(&[&[1], &[9, 9], &[9, 9]], &[2]), (&[&[1], &[1, 1], &[1, 1]], &[0]), (&[&[1], &[40, 40], &[40, 40]], &[50])],
    ),
    (
        "one range after the other of the same elements, which other cores have from iteration to iteration",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
            for i in 0..c {
                let hi = (at.at(i).load().scalar() as usize).max(0).min(n);
                for t in tiles(0..hi) { y.at(t).store(y.at(t).load() + x.at(t).load()); }
            } }",
        &[(&[&[3], &[5000], &[5000]], &[5000, 700, 3000]), (&[&[2], &[9], &[9]], &[-1, 9])],
    ),
    (
        "a number that each core has read before one stores over it",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
            require(c >= 1); require(n >= 1);
            let first = y.at(0).load().scalar();
            for t in tiles(n) { y.at(t).store(y.at(t).load() * 2.0 + first); }
            let place = (at.at(0).load().scalar() as usize).max(0).min(n - 1);
            let there = y.at(place).load().scalar();
            y.at(0).store(full((), there)); }",
        &[(&[&[1], &[5000]], &[4999]), (&[&[1], &[1]], &[0]), (&[&[1], &[5000]], &[0])],
    ),
    (
        "two ranges at once, both of which may end before they begin",
        "#[kernel] pub fn k(#[shape(c)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            require(c >= 4);
            let (a, b) = (at.at(0).load().scalar() as usize, at.at(1).load().scalar() as usize);
            let (e, f) = (at.at(2).load().scalar() as usize, at.at(3).load().scalar() as usize);
            assume(0 <= a && b <= n && 0 <= e && f <= d);
            for (r, t) in tiles((a..b, e..f)) { y.at(r, t).store(x.at(r, t).load() * 3.0); }
            for (i, t) in tiles((each(a..b), e..f)) { y.at(i, t).store(y.at(i, t).load() + i as f32); }
            for (t, i) in tiles((e..f, each(a..b))) { y.at(i, t).store(y.at(i, t).load() - 1.0); } }",
        &[
            (&[&[4], &[9, 70], &[9, 70]], &[1, 8, 3, 67]),
            (&[&[4], &[9, 70], &[9, 70]], &[8, 1, 67, 3]),
            (&[&[4], &[9, 70], &[9, 70]], &[8, 1, 3, 67]),
            (&[&[4], &[9, 70], &[9, 70]], &[1, 8, 9, 9]),
            (&[&[4], &[300, 200], &[300, 200]], &[7, 280, 0, 199]),
        ],
    ),
];
