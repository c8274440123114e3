//! Kernels with optional tensors, with and without them. Optional outputs have shapes, too.

use super::cases::{Case, LEFT_OUT as NO};

/// Optional inputs and outputs.
pub const OPTIONAL: &[Case] = &[
    (
        "weight and bias of a norm, rows that are streamed among them",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] w: Option<&GlobalTensor<T>>, #[shape(d)] b: Option<&GlobalTensor<f32>>,
            #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>();
                let c = v - v.amax(d);
                y.at(r, ..).store((c * w.or_full(2.0).at(..).load().cast::<f32>() + b.or_full(-1.0).at(..).load()).cast::<T>());
            } }",
        &[
            &[&[9, 70], &[70], &[70]],
            &[&[9, 70], NO, &[70]],
            &[&[9, 70], &[70], NO],
            &[&[9, 70], NO, NO],
            &[&[1, 1], NO, &[1]],
            &[&[2, 60_000], NO, &[60_000]],
            &[&[0, 3], &[3], NO],
            &[&[3, 0], NO, NO],
        ],
    ),
    (
        "element types that only what may be left out says: of two weights, and of an output that is asked for",
        "#[kernel] #[instances((f16, f32, f16), (f16, f16, f32), (f32, f16, f16), (f32, f32, f32))]
        pub fn k<T: Float, W: Float, U: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] w: Option<&GlobalTensor<W>>, #[shape(d)] b: Option<&GlobalTensor<W>>,
            #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n)] least: Option<&mut GlobalTensor<U>>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>() * w.or_full(0.1).at(..).load().cast::<f32>();
                let u = v + b.or_full(0.3).at(..).load().cast::<f32>();
                y.at(r, ..).store(u.cast::<T>());
                if let Some(least) = least { least.at(r).store(u.amin(d).cast::<U>()); }
            } }",
        &[
            &[&[9, 70], &[70], &[70], &[9]],
            &[&[9, 70], NO, &[70], &[9]],
            &[&[9, 70], &[70], NO, NO],
            &[&[9, 70], NO, NO, &[9]],
            &[&[9, 70], NO, NO, NO],
            &[&[2, 60_000], NO, NO, NO],
        ],
    ),
    (
        "element types of states that are updated where they are given",
        "#[kernel] #[instances((f32, f16), (f32, f32))] pub fn k<T: Float, U: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>,
            #[inplace] #[shape(n, d)] top: Option<&mut GlobalTensor<U>>) {
            for t in tiles(x) {
                let v = x.at(t).load().cast::<f32>() * 0.1;
                y.at(t).store(v.cast::<T>());
                if let Some(top) = top { top.at(t).store(top.at(t).load().cast::<f32>().max(v).cast::<U>()); }
            } }",
        &[&[&[9, 70], &[9, 70]], &[&[9, 70], NO], &[&[0, 3], NO]],
    ),
    (
        "elements of the same place, a column of rows, and single ones, with numbers in their place",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] a: Option<&GlobalTensor<f32>>, #[shape(n)] c: Option<&GlobalTensor<i32>>, #[shape()] s: Option<&GlobalTensor<f32>>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for (r, t) in tiles((n, d)) {
                let v = x.at(r, t).load() - a.or_full(1.0).at(r, t).load();
                y.at(r, t).store(v * c.or_full(3).at(r).load().cast::<f32>() + s.or_full(0.5).at().load());
            } }",
        &[
            &[&[9, 70], &[9, 70], &[9], &[]],
            &[&[9, 70], NO, &[9], NO],
            &[&[9, 70], &[9, 70], NO, &[]],
            &[&[300, 33], NO, NO, NO],
            &[&[1, 1], NO, &[1], &[]],
        ],
    ),
    (
        "states that are updated in place, with a maximum of them that may be left out, and sums over all rows",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] g: &GlobalTensor<T>, #[inplace] #[shape(n, d)] v: &mut GlobalTensor<T>,
            #[inplace] #[shape(n, d)] top: Option<&mut GlobalTensor<T>>, #[inplace] #[shape(d)] sums: Option<&mut GlobalTensor<f32>>) {
            for r in tiles(n) {
                let w = v.at(r, ..).load().cast::<f32>() * 0.5 + g.at(r, ..).load().cast::<f32>();
                v.at(r, ..).store(w.cast::<T>());
                if let Some(top) = top { top.at(r, ..).store(top.at(r, ..).load().cast::<f32>().max(w).cast::<T>()); }
                if let Some(sums) = sums { sums.at(..).atomic_add(w.sum(r)); }
            } }",
        &[
            &[&[9, 70], &[9, 70], &[9, 70], &[70]],
            &[&[9, 70], &[9, 70], NO, &[70]],
            &[&[9, 70], &[9, 70], &[9, 70], NO],
            &[&[300, 33], &[300, 33], NO, NO],
            &[&[0, 3], &[0, 3], &[0, 3], NO],
        ],
    ),
    (
        "asked for: masks, whether there is one, and another loop without",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] keep: Option<&GlobalTensor<bool>>, #[shape(d)] w: Option<&GlobalTensor<f32>>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let mut v = x.at(r, ..).load() * 2.0;
                if let Some(m) = keep { v = m.at(r, ..).load().select(v, 0.0); }
                if let Some(w) = w { v = v + w.at(..).load(); } else { v = v - 1.0; }
                y.at(r, ..).store(v);
            }
            if keep.is_none() && w.is_some() {
                for r in tiles(n) { z.at(r).store(full(r, 7.0)); }
            } else {
                let scale = if let Some(w) = w { w.len() as f32 } else { 1.0 };
                for r in tiles(n) { z.at(r).store(x.at(r, ..).load().amax(d) * scale); }
            } }",
        &[&[&[9, 70], &[9, 70], &[70]], &[&[9, 70], NO, &[70]], &[&[9, 70], &[9, 70], NO], &[&[9, 70], NO, NO], &[&[40, 4100], NO, &[4100]]],
    ),
    (
        "tiles that an if gives: one of two, pairs, with statements, masks, and a number where none was given",
        "#[kernel] #[instances(f16, f32, i32)] pub fn k<T: Number>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] z: Option<&GlobalTensor<T>>, #[shape(n, d)] m: Option<&GlobalTensor<bool>>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] s: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>();
                let u = if let Some(z) = z { v + z.at(..).load().cast::<f32>() } else { v };
                let (a, b) = if n > 5 { (u, v * 2.0) } else { (v, u) };
                let mut w = if d > 50 { let q = a * 2.0; q + 1.0 } else if d > 1 { a.max(3.0) } else { b };
                w = w - b;
                let all = v.gt(0.0);
                let kept = if let Some(m) = m { (all & m.at(r, ..).load()).select(1.0, 0.0) } else { all.select(1.0, 0.0) };
                y.at(r, ..).store(kept.eq(1.0).select(w, -1.0));
                let bias = if z.is_some() { 2.0 } else { 0.5 };
                s.at(r).store(if n % 2 == 0 { w.amax(d) } else { w.amin(d) } + bias);
            } }",
        &[&[&[9, 70], &[70], &[9, 70]], &[&[9, 70], NO, &[9, 70]], &[&[4, 33], &[33], NO], &[&[3, 1], NO, NO], &[&[300, 8], &[8], &[300, 8]]],
    ),
    (
        "under other axes, rows at indices, and an axis that only they have",
        "#[kernel] pub fn k(#[shape(n, c)] x: &GlobalTensor<f32>, #[shape(c)] w: Option<&GlobalTensor<f32>>, #[shape(m)] #[index(n)] ids: Option<&GlobalTensor<i32>>, #[shape(m, c)] t: Option<&GlobalTensor<f32>>,
            #[shape(n, c)] y: &mut GlobalTensor<f32>, #[shape(c)] u: &mut GlobalTensor<f32>) {
            require(c % 2 == 0);
            let (g, k) = (new_axis(2), new_axis(c / 2));
            let (xs, ws, ys) = (x.view((n, g, k)), w.or_full(4.0).view((g, k)), y.view((n, g, k)));
            for (i, j) in tiles((n, g)) { ys.at(i, j, ..).store(xs.at(i, j, ..).load() * ws.at(j, ..).load()); }
            for q in tiles(c) {
                let mut sum = full(q, m as f32);
                for i in tiles(m) { sum = sum + t.or_full(3.0).at(i, q).load().sum(i); }
                u.at(q).store(sum);
            }
            if let Some(ids) = ids { for q in tiles(c) {
                let mut sum = full(q, 0.0);
                for i in tiles(m) { sum = sum + x.at(ids.at(i).load(), q).load().sum(i); }
                u.at(q).store(sum);
            } } }",
        &[
            &[&[9, 70], &[70], &[5], &[5, 70]],
            &[&[9, 70], NO, &[5], NO],
            &[&[9, 70], &[70], NO, &[3, 70]],
            &[&[9, 70], NO, NO, NO],
            &[&[1, 2], &[2], &[1], NO],
        ],
    ),
    (
        "numbers for elements that do not follow one another: at indices that are data, in columns, with steps, and turned",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m)] g: &GlobalTensor<f32>, #[shape(m)] w: Option<&GlobalTensor<f32>>,
            #[shape(n, 3)] c: Option<&GlobalTensor<f32>>, #[shape(n, 5 * d)] s: Option<&GlobalTensor<f32>>, #[shape(d, n)] t: Option<&GlobalTensor<f32>>,
            #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {
            let mut sum = across_cores::<f32>((), 0.0);
            for r in tiles(n) {
                let a = w.or_full(1.5).at(ids.at(r).load()).load() - c.or_full(0.5).at(r, 1).load();
                let v = x.at(r, ..).load() * s.or_full(2.0).at(r, d.indices() * 5 + 4).load() + t.or_full(4.0).at(.., r).load();
                y.at(r, ..).store(v + a + g.at(ids.at(r).load()).load());
                sum += a.sum(r) + v.sum((r, d));
            }
            z.at().store(sum); }",
        &[
            &[&[9, 70], &[9], &[4], &[4], &[9, 3], &[9, 350], &[70, 9]],
            &[&[9, 70], &[9], &[4], NO, NO, NO, NO],
            &[&[1, 1], &[1], &[1], NO, NO, NO, NO],
            &[&[300, 8], &[300], &[7], NO, &[300, 3], NO, &[8, 300]],
            &[&[300, 8], &[300], &[7], &[7], NO, &[300, 40], NO],
        ],
    ),
    (
        "outputs that somebody asks for: parts of rows, a number a row, with another type, and rows that are streamed",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] m: Option<&mut GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<T>,
            #[shape(n, d)] q: Option<&mut GlobalTensor<i8>>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load().cast::<f32>();
                let mean = v.amax(d);
                y.at(r, ..).store((v - mean).cast::<T>());
                if let Some(m) = m { m.at(r).store(mean); }
                if let Some(codes) = q { codes.at(r, ..).store((v * 0.5).cast::<i8>()); }
            } }",
        &[
            &[&[9, 70], &[9], &[9, 70]],
            &[&[9, 70], NO, &[9, 70]],
            &[&[9, 70], &[9], NO],
            &[&[9, 70], NO, NO],
            &[&[1, 1], NO, NO],
            &[&[2, 60_000], &[2], NO],
            &[&[2, 60_000], NO, &[2, 60_000]],
            &[&[0, 3], &[0], NO],
        ],
    ),
    (
        "outputs that all cores add to and merge, in loops of their own, and one that an input goes with",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: Option<&GlobalTensor<f32>>, #[shape(d)] s: Option<&mut GlobalTensor<f32>>, #[shape()] t: Option<&mut GlobalTensor<f32>>,
            #[shape(n, d)] z: Option<&mut GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            let mut sum = across_cores::<f32>((), 0.0);
            for r in tiles(n) {
                let v = x.at(r, ..).load() * w.or_full(2.0).at(..).load();
                y.at(r, ..).store(v);
                if let Some(s) = s { s.at(..).atomic_add(v.sum(r)); }
                sum += v.sum((r, d));
            }
            if let Some(t) = t { t.at().store(sum); }
            if let Some(z) = z {
                if let Some(w) = w {
                    for (r, c) in tiles((n, d)) { z.at(r, c).store(x.at(r, c).load() - w.at(c).load()); }
                } else {
                    for r in tiles(x) { z.at(r).store(x.at(r).load() + 1.0); }
                }
            } }",
        &[
            &[&[9, 70], &[70], &[70], &[], &[9, 70]],
            &[&[9, 70], NO, &[70], NO, &[9, 70]],
            &[&[9, 70], &[70], NO, &[], NO],
            &[&[9, 70], NO, NO, NO, NO],
            &[&[1, 1], NO, &[1], &[], NO],
            &[&[0, 3], &[3], &[3], &[], &[0, 3]],
            &[&[300, 33], &[33], NO, NO, &[300, 33]],
        ],
    ),
    (
        "only outputs that may be left out, each with what is computed for it alone",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] top: Option<&mut GlobalTensor<f32>>, #[shape(d, n)] turned: Option<&mut GlobalTensor<f32>>,
            #[shape(n, d)] scan: Option<&mut GlobalTensor<f32>>) {
            let scale = if turned.is_some() && scan.is_none() { 3.0 } else { 1.0 };
            if top.is_some() || scan.is_some() {
                for r in tiles(n) {
                    let v = x.at(r, ..).load();
                    if let Some(top) = top { top.at(r).store(v.amax(d) * scale); }
                    if let Some(scan) = scan { if n > 5 { scan.at(r, ..).store(v.cumsum(d) * 2.0); } else { scan.at(r, ..).store(v.cumsum(d)); } }
                }
            }
            if let Some(turned) = turned { for (r, c) in tiles((n, d)) { turned.at(c, r).store(x.at(r, c).load() * scale); } } }",
        &[
            &[&[9, 70], &[9], &[70, 9], &[9, 70]],
            &[&[9, 70], NO, &[70, 9], NO],
            &[&[9, 70], &[9], NO, NO],
            &[&[9, 70], NO, NO, &[9, 70]],
            &[&[9, 70], NO, NO, NO],
            &[&[1, 1], &[1], &[1, 1], NO],
        ],
    ),
];
