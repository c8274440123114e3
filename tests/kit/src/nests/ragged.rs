//! Loops over ranges whose ends only the core knows: segments of rows, bags of indices, rows of a
//! sparse matrix.
//!
//! Segments have hostile lengths: zero, one, those around data blocks and repeats, and one that
//! does not fit in UB.

/// A kernel over segments, with the shapes of its inputs for given sizes.
pub struct Ragged {
    /// A name for messages.
    pub what: &'static str,
    /// Text of the kernel.
    pub text: &'static str,
    /// The shapes of its inputs.
    pub shapes: fn(Sizes) -> Vec<Vec<usize>>,
}

/// Sizes of a run.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// Number of segments.
    pub n: usize,
    /// Elements of all segments.
    pub m: usize,
    /// Elements of the longest segment.
    pub most: usize,
    /// Elements of a row.
    pub d: usize,
}

/// Lengths of segments, and elements of a row.
pub const LENGTHS: &[(&[usize], usize)] = &[
    (&[3, 0, 5], 70),
    (&[0, 0, 0, 0], 8),
    (&[0], 1),
    (&[1], 1),
    (&[7, 8, 9, 63, 64, 65, 0, 1, 255, 256, 257], 33),
    (&[0, 0, 3000, 0, 1], 16),
    (&[2; 100], 7),
    (&[40, 0, 41], 5000),
];

/// Segments, bags and sparse rows.
pub const RAGGED: &[Ragged] = &[
    Ragged {
        what: "the sum of each segment of rows",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n = c - 1, d)] y: &mut GlobalTensor<f32>) {
            require(c >= 1);
            for (i, t) in tiles((each(n), d)) {
                let lo = offsets.at(i).load().scalar() as usize;
                let hi = offsets.at(i + 1).load().scalar() as usize;
                assume(lo >= 0 && lo <= hi && hi <= m);
                let mut sum = full(t, 0.0);
                for r in tiles(lo..hi) { sum = sum + x.at(r, t).load().sum(r); }
                y.at(i, t).store(sum);
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m, s.d], vec![s.n, s.d]],
    },
    Ragged {
        what: "the largest number of each segment and its place, and how many there are",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i64>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n = c - 1)] y: &mut GlobalTensor<f32>, #[shape(n)] p: &mut GlobalTensor<i32>,
            #[shape(n)] many: &mut GlobalTensor<i32>) {
            require(c >= 1);
            for i in each(n) {
                let (lo, hi) = (offsets.at(i).load().scalar(), offsets.at(i + 1).load().scalar());
                assume(0 <= lo && hi <= m);
                let mut most = full((), f32::NEG_INFINITY);
                let mut at = full::<i32>((), -1);
                let mut count = full::<i32>((), 0);
                for r in tiles(lo..hi) {
                    let v = x.at(r).load();
                    most = most.max(v.amax(r));
                    at = at.max(v.ge(-3.0).select(r.iota(), -1).amax(r));
                    count = count + full::<i32>(r, 1).sum(r);
                }
                y.at(i).store(most); p.at(i).store(at); many.at(i).store(count);
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m]],
    },
    Ragged {
        what: "rows of a sparse matrix times a dense one",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i32>, #[shape(e)] #[index(m)] cols: &GlobalTensor<i32>, #[shape(e)] vals: &GlobalTensor<f32>,
            #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n = c - 1, d)] y: &mut GlobalTensor<f32>) {
            require(c >= 1);
            for (i, t) in tiles((each(n), d)) {
                let (lo, hi) = (offsets.at(i).load().scalar(), offsets.at(i + 1).load().scalar());
                assume(0 <= lo as usize && hi as usize <= e);
                let mut sum = full(t, 0.0);
                for k in tiles(lo..hi) { sum = sum + (x.at(cols.at(k).load(), t).load() * vals.at(k).load()).sum(k); }
                y.at(i, t).store(sum);
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m], vec![s.m], vec![9, s.d]],
    },
    Ragged {
        what: "the mean of each bag of rows of a table, in types of their own",
        text: "#[kernel] pub fn k<T: Float>(#[shape(c)] offsets: &GlobalTensor<i64>, #[shape(e)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(m, d)] table: &GlobalTensor<T>,
            #[shape(n = c - 1, d)] y: &mut GlobalTensor<T>) {
            require(c >= 1);
            for (i, t) in tiles((each(n), d)) {
                let (lo, hi) = (offsets.at(i).load().scalar(), offsets.at(i + 1).load().scalar());
                assume(0 <= lo && hi <= e);
                let mut sum = full(t, 0.0);
                for k in tiles(lo..hi) { sum = sum + table.at(ids.at(k).load(), t).load().cast::<f32>().sum(k); }
                y.at(i, t).store((sum * (1.0 / (hi - lo).max(1) as f32)).cast::<T>());
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m], vec![9, s.d]],
    },
    Ragged {
        what: "segments to rows of their own, and back, and a row after the other of each",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i32>, #[shape(m)] x: &GlobalTensor<f16>, #[inplace] #[shape(n = c - 1, w)] y: &mut GlobalTensor<f16>,
            #[inplace] #[shape(m)] z: &mut GlobalTensor<f16>, #[shape(n)] s: &mut GlobalTensor<f32>) {
            require(c >= 1);
            for i in each(n) {
                let lo = offsets.at(i).load().scalar() as usize;
                let hi = offsets.at(i + 1).load().scalar() as usize;
                assume(lo >= 0 && lo <= hi && hi <= m && hi - lo <= w);
                let mut sum = full((), 0.0);
                for r in tiles(lo..hi) { y.at(i, r - lo).store(x.at(r).load()); }
                for r in tiles(lo..hi) { z.at(r).store_disjoint(x.at(r).load() * 2.0); }
                for r in each(lo + 1..hi) { sum = sum + x.at(r).load().cast::<f32>() * (r - lo) as f32; }
                s.at(i).store(sum);
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m], vec![s.n, s.most], vec![s.m]],
    },
    Ragged {
        what: "rows from an end that is read where there is one to another that is assigned",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>,
            #[shape(n = c - 1)] z: &mut GlobalTensor<f32>) {
            require(c >= 1);
            for i in each(n) {
                let lo = if i > 0 { offsets.at(i).load().scalar() as usize } else { 0 };
                let mut hi = offsets.at(i + 1).load().scalar() as usize;
                if hi < lo { hi = lo; }
                assume(0 <= lo && hi <= m);
                let mut s = full((), 0.0);
                for r in tiles(lo..hi) {
                    let v = x.at(r, ..).load();
                    y.at(r, ..).store_disjoint(v * 2.0);
                    s = s + v.sum((r, d));
                }
                z.at(i).store(s);
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m, s.d], vec![s.m, s.d]],
    },
    Ragged {
        what: "rows between ends of which each arm reads its own and bounds it",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(p, d)] w: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>,
            #[shape(n = c - 1)] z: &mut GlobalTensor<i32>) {
            require(c >= 1 && p >= 1);
            for i in each(n) {
                let lo = offsets.at(i).load().scalar() as usize;
                let hi = if i > 0 {
                    (lo + p).min(offsets.at(i + 1).load().scalar() as usize)
                } else {
                    offsets.at(i + 1).load().scalar().min((lo + 1) as i32) as usize
                };
                assume(0 <= lo && hi <= m);
                for r in tiles(lo..hi) { y.at(r, ..).store_disjoint(x.at(r, ..).load() * w.at(r - lo, ..).load()); }
                z.at(i).store(full::<i32>((), hi as i32));
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m, s.d], vec![s.most.max(1), s.d], vec![s.m, s.d]],
    },
    Ragged {
        what: "groups of rows with a scale each, whole in UB, of a number that changes and of given sizes",
        text: "#[kernel] pub fn k(#[shape(c)] offsets: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n = c - 1, d)] w: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>,
            #[shape(n)] z: &mut GlobalTensor<f32>) {
            require(c >= 1);
            for i in each(n) {
                let mut lo = offsets.at(i).load().scalar() as usize;
                let hi = offsets.at(i + 1).load().scalar() as usize;
                let last = hi.min(m);
                let mut s = full((), 0.0);
                for r in tiles(lo.max(0).min(m)..last) {
                    let v = x.at(r, ..).load() * w.at(i, ..).load();
                    y.at(r, ..).store_disjoint(v);
                    s = s + v.amax(d).sum(r);
                    lo = lo + 1;
                }
                for (r, q) in tiles((lo - lo..last, each(0..2))).size((5, _)) { s = s + (r.iota().cast::<f32>() * 0.0 + q as f32).sum(r); }
                z.at(i).store(s);
            } }",
        shapes: |s| vec![vec![s.n + 1], vec![s.m, s.d], vec![s.n, s.d], vec![s.m, s.d]],
    },
];

/// Returns the ends of segments of these lengths, with a zero before them.
pub fn offsets(lengths: &[usize]) -> Vec<i64> {
    let ends = lengths.iter().scan(0, |end, len| {
        *end += *len as i64;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Returns the sizes of segments of these lengths, with rows of `d` elements.
pub fn sizes((lengths, d): (&[usize], usize)) -> Sizes {
    Sizes {
        n: lengths.len(),
        m: lengths.iter().sum(),
        most: lengths.iter().copied().max().unwrap_or(0),
        d,
    }
}
