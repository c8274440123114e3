//! Outputs that are stored completely, and outputs with gaps.

use super::{Table, B1};

pub(super) const TABLES: &[Table] = &[Table {
    chip: B1,
    frame: stores,
    rows: STORES,
}];

/// Returns a kernel. Its row is the requirements, then `;;`, then the stores to `y` (`n + k` rows
/// of `d`), `z` (`d`, behind its shape) or `w` (`2 * n` elements). Outputs that the row does not
/// mention are `#[inplace]`.
fn stores(row: &str) -> String {
    let (requires, body) = row
        .split_once(";;")
        .map_or((String::new(), row), |(fact, body)| {
            (format!("require({fact});"), body)
        });
    let kept = |name: &str| {
        if body.contains(&format!("{name}.at(")) {
            ""
        } else {
            "#[inplace] "
        }
    };
    let rest = |name: &str, at: &str| match body.contains(&format!("{name}.at(")) {
        true => String::new(),
        false => format!("{name}.at({at}).store({name}.at({at}).load() + 1.0);\n"),
    };
    let (y, z, w) = (kept("y"), kept("z"), kept("w"));
    let (of_y, of_z, of_w) = (rest("y", "0, 0"), rest("z", "0"), rest("w", "0"));
    format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(k, d)] v: &GlobalTensor<f32>, #[shape(n)] u: &GlobalTensor<f32>, #[shape(n)] a: &GlobalTensor<i32>,\n\
         {y}#[shape(nk = n + k, d)] y: &mut GlobalTensor<f32>, {z}#[shape(d)] z: &mut GlobalTensor<f32>, {w}#[shape(nn = 2 * n)] w: &mut GlobalTensor<f32>, p: usize, s: f32, flag: bool) {{\n\
         require(n >= 1); require(d >= 1); {requires}\nlet two = new_axis(2);\n{of_y}{of_z}{of_w}{body}\n}}"
    )
}

/// The wrong kernel leaves elements out, the correct one none.
const STORES: &[&str] = &[
    // One after the other.
    "for (r, t) in tiles((n, d)) {\ny.at(r + 0, t).store(x.at(r, t).load()); //^ J0219\n}\n{+for (r, t) in tiles((k, d)) { y.at(r + n, t).store(v.at(r, t).load()); }+}",
    "for (r, t) in tiles((0..n, d)) {\ny.at(r, t).store(x.at(r, t).load()); //^ J0219\n}\nfor (r, t) in tiles((n[- + 1-]..n + k, d)) { y.at(r, t).store(v.at(r - n, t).load()); }",
    "for r in tiles(n) {\ny.at(r + k, ..).store(x.at(r, ..).load()); //^ J0219\n}\n{+for r in tiles(k) { y.at(r + 0, ..).store(v.at(r, ..).load()); }+}",
    "for (r, t) in tiles((0..p.min(n), d)) {\ny.at(r, t).store(x.at(r, t).load()); //^ J0219\n}\nfor (r, t) in tiles((p.min(n)..n[--]{+ + k+}, d)) { y.at(r, t).store(full((r, t), 0.0)); }",
    "p <= d;;for (r, t) in tiles((nk, p..d)) {\ny.at(r, t).store(full((r, t), 1.0)); //^ J0219\n}\n{+for (r, t) in tiles((nk, 0..p)) { y.at(r, t).store(full((r, t), 0.0)); }+}",
    // Stores that drop elements outside do not reach those.
    "for (r, t) in tiles((n, d)) {\ny.at(r * 2 - [-1-]{+p+}, t).store_in(x.at(r, t).load()); //^ J0219\n}\n{+for (r, t) in tiles((nk, d)) { y.at(r, t).store(full((r, t), 0.0)); }+}",
    "for (r, t) in tiles((nk, d)) {\ny.at(r - [-1-]{+0+}, t).store_in(full((r, t), 1.0)); //^ J0219\n}",
    // Interleaved, and from the end.
    "for t in tiles(n) {\nw.at(t * 2).store(u.at(t).load()); //^ J0219\n{+w.at(t * 2 + 1).store(u.at(t).load());+} }",
    "for t in tiles(n) { for i in 0..[-1-]{+2+} {\nw.at(t * 2 + i).store(u.at(t).load()); //^ J0219\n} }",
    "for t in tiles(n) { for i in each(two) {\nw.at([-t + n-]{+t * 2 + i+}).store(u.at(t).load() * i as f32); //^ J0219\n} }",
    "for (r, t) in tiles((nk, [-1..-]{+0..+}d)) {\ny.at(nk - 1 - r, t).store(full((r, t), 0.0)); //^ J0219\n}",
    "for (r, t) in tiles((n, d)) {\ny.at(nk - 1 - r, t).store(x.at(r, t).load()); //^ J0219\n}\nfor (r, t) in tiles(([-1..-]{+0..+}k, d)) { y.at(r, t).store(v.at(r, t).load()); }",
    // Rows, columns and corners.
    "for r in tiles(nk) {\ny.at(r, 0).store(full(r, 0.0)); //^ J0219\n}\n{+for (r, t) in tiles((nk, 1..d)) { y.at(r, t).store(full((r, t), 0.0)); }+}",
    "for i in tiles(nk) {\ny.at(i, [-d - 1-]{+..+}).store(full({+(+}i{+, d)+}, 0.0)); //^ J0219\n}",
    "for (r, t) in tiles((1..n + k, [-1-]{+0+}..d)) {\ny.at(r, t).store(full((r, t), 0.0)); //^ J0219\n}\nfor t in tiles(d) { y.at(0, t).store(full(t, 1.0)); }",
    // Outside of loops.
    "\nz.at([-0-]{+..+}).store(full([-()-]{+d+}, 1.0)); //^ J0219\n",
    // Views of outputs.
    "let w = w.view((n, two));\nfor t in tiles(n) {\nw.at(t, [-1-]{+..+}).store(u.at(t).load(){+.expand(two)+}); //^ J0219\n}",
    "let all = new_axis(nk * d); let y = y.view(all);\nfor t in tiles([-0..nk * d - 1-]{+all+}) {\ny.at(t).store(full(t, 0.0)); //^ J0219\n}",
    // Both arms of a condition of the caller.
    "if flag { for t in tiles(d) {\nz.at(t).store(full(t, 1.0)); //^ J0219\n} } else { for t in tiles([-1..d-]{+d+}) { z.at(t).store(full(t, s)); } }",
    "if s > 7.5 { for t in tiles([-1..d-]{+d+}) {\nz.at(t).store(full(t, 1.0)); //^ J0219\n} } else { for t in tiles(d) { z.at(t).store(full(t, s)); } }",
    "if p <= 100 { for t in tiles(d) {\nz.at(t).store(full(t, 1.0)); //^ J0219\n} } else { for t in tiles([-1..d-]{+d+}) { z.at(t).store(full(t, s)); } }",
    "for t in tiles(n) { if p < 3 || p % 5 > 0 {\nw.at(t * 2).store(u.at(t).load()); //^ J0219\nw.at(t * 2 + 1).store(u.at(t).load()); } else { w.at(t * 2).store(u.at(t).load()); {+w.at(t * 2 + 1).store(full(t, s));+} } }",
    // In several ways, and repeatedly.
    "for (r, t) in tiles((nk, [-1..-]{+0..+}d)) {\ny.at(r, t).store_any(full((r, t), 2.0)); //^ J0219\n}\nfor r in tiles(n) { y.at(r + 0, ..).atomic_add(x.at(r, ..).load()); }",
    // A place that is data may be anywhere; other outputs are judged all the same.
    "for t in tiles(d) {\nz.at([-0-]{+t+}).store_any(full([-()-]{+t+}, 1.0)); //^ J0219\n}",
];
