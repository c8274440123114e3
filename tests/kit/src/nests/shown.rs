//! Kernels that dump values (`v.dump("name")`), which changes no result, each with the shapes of
//! its inputs.

use super::cases::Case;

/// Kernels with `dump` in loops and branches.
pub const SHOWN: &[Case] = &[
    (
        "what is loaded, computed and reduced of rows",
        "#[kernel] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] m: &mut GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for r in tiles(n) {
                let own = x.at(r, ..).load(); own.dump(\"own\");
                let v = own.wide(); let top = v.amax(d); top.dump(\"top\");
                let w = v - top; w.dump(\"100 % of w\");
                m.at(r).store(top); y.at(r, ..).store(w.cast::<T>());
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[300, 8]], &[&[0, 3]], &[&[5, 2053]]],
    ),
    (
        "a value that is stored, before it changes and behind a loop inside, under a condition and in a loop over numbers",
        "#[kernel] pub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
            for t in tiles(d) {
                let mut sum = full(t, 0.0);
                for j in each(m) {
                    sum = sum + x.at(j, t).load();
                    if j == 2 { sum.dump(\"sum\"); }
                }
                for i in 0..2 { (sum * (i as f32)).dump(\"turn\"); sum = sum * 2.0; }
                sum.dump(\"all\");
                y.at(t).store(sum);
                (sum + 1.0).dump(\"behind\");
            } }",
        &[&[&[3, 70]], &[&[1, 1]], &[&[5, 4100]], &[&[0, 9]]],
    ),
    (
        "single elements, indices, and types for storage",
        "#[kernel] #[instances(bool, i8, i64, f16)] pub fn k<T: Element>(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>) {
            for t in tiles(n) {
                let at = ids.at(t).load(); at.dump(\"ids\");
                let rows = x.at(at, ..).load(); rows.dump(\"rows\");
                t.iota().dump(\"iota\");
                y.at(t, ..).store(rows);
            } }",
        &[&[&[9], &[5, 70]], &[&[1], &[1, 1]], &[&[0], &[4, 8]], &[&[100], &[3, 33]]],
    ),
    (
        "axes in another order, a middle axis, and rows of several",
        "#[kernel] pub fn k(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, d, m)] y: &mut GlobalTensor<f32>, #[shape(b, d)] z: &mut GlobalTensor<f32>) {
            for i in each(b) {
                for t in tiles(d) {
                    let v = x.at(i, .., t).load(); v.dump(\"v\");
                    y.at(i, t, ..).store(v);
                }
            }
            for r in tiles(b) {
                let w = x.at(r, .., ..).load(); w.dump(\"w\");
                let s = w.sum(m); s.dump(\"s\");
                z.at(r, ..).store(s);
            } }",
        &[&[&[3, 5, 70]], &[&[1, 1, 1]], &[&[2, 33, 9]], &[&[0, 3, 4]]],
    ),
    (
        "windows that share rows, and elements by their index",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n - 2, d)] y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) {
            require(n >= 2); require(d >= 3);
            for (r, t) in tiles((m, d)) {
                let (a, b) = (x.at(r + 0, t).load(), x.at(r + 1, t).load());
                a.dump(\"a\"); b.dump(\"b\");
                y.at(r, t).store(a + b + x.at(r + 2, t).load());
            }
            for r in tiles(n) {
                let v = x.at(r, ..).load(); let p = v.pick(d, 2); p.dump(\"p\");
                z.at(r).store(p);
            } }",
        &[&[&[9, 70]], &[&[3, 8]], &[&[300, 33]]],
    ),
    (
        "what all cores have merged, and what stands outside of loops",
        "#[kernel] pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {
            let mut s = across_cores::<f32>((), 0.0);
            for t in tiles(n) { let part = x.at(t).load().sum(t); part.dump(\"part\"); s += part; }
            s.dump(\"s\");
            z.at().store(s);
            for t in tiles(n) { let v = x.at(t).load() + s; v.dump(\"v\"); y.at(t).store(v); }
            full((), 3.0).dump(\"three\"); }",
        &[&[&[70]], &[&[1]], &[&[0]], &[&[5000]]],
    ),
    (
        "what a loop appends, shown once",
        "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[default(40)] cap: usize, #[inplace] #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {
            for (i, t) in tiles((each(n), d)) {
                let v = x.at(i, t).load(); v.dump(\"v\");
                y.append(v, v.gt(0.0)); v.dump(\"again\");
            }
            y.appended().dump(\"count\");
            c.at().store(y.appended()); }",
        &[&[&[3, 70], &[40]], &[&[1, 1], &[40]], &[&[9, 130], &[40]]],
    ),
];
