//! Reductions along the tile of an inner loop, and the places where they may end.

use super::{Table, B1};

pub(super) const TABLES: &[Table] = &[Table {
    chip: B1,
    frame: rows,
    rows: ROWS,
}];

/// Returns a kernel that goes through rows `r` of `[n, d]`. A row of the table is the body of an
/// iteration. It stores to `y` (`[n]`) itself, or the frame does so at its end, and it may store to
/// `z` (`[n, d]`).
fn rows(row: &str) -> String {
    let (own_y, own_z) = (row.contains("y.at("), row.contains("z.at("));
    let (y, z) = (
        if own_y { "" } else { "y.at(r).store(s);" },
        if own_z { "" } else { "#[inplace] " },
    );
    let touch = if own_z {
        ""
    } else {
        "z.at(r, ..).store(z.at(r, ..).load() + 1.0);"
    };
    format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] #[index(n)] ids: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>,\n\
         {z}#[shape(n, d)] z: &mut GlobalTensor<f32>, flag: bool) {{\nfor r in tiles(n) {{\nlet (mut s, mut m) = (full(r, 0.0), full(r, f32::NEG_INFINITY));\n{row}\n{y}{touch}\n}}\n}}"
    )
}

const ROWS: &[&str] = &[
    // The earlier value is lost.
    "for c in tiles(d) {\ns = {+s + +}x.at(r, c).load().sum(c); //^ J0214\n}",
    "for c in tiles(d) {\ns = x.at(r, c).load().amax(c).max([-0.0-]{+s+}); //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\nlet p = v.sum(c);\nif flag { //^ J0214\ns = [-p-]{+p + s+};\n} else { s = s + p; } }",
    "for c in tiles(d) { let v = x.at(r, c).load();\nlet mut p = v.sum(c); p = p * 2.0;\ns = {+s + +}p; //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load(); let old = [-m-]{+s+};\ns = old + v.sum(c); //^ J0214\n}",
    // The value leaves the iteration.
    "for c in tiles(d) { let v = x.at(r, c).load();\n[-z.at(r, c).store(v - v.amax(c));-]{+m = m.max(v.amax(c));+} //^ J0214\n}\n{+for c in tiles(d) { z.at(r, c).store(x.at(r, c).load() - m); }+}",
    "for c in tiles(d) { let v = x.at(r, c).load(); m = m.max(v.amax(c));\n{+} for c in tiles(d) { let v = x.at(r, c).load(); +}z.at(r, c).store(v - m); //^ J0214\n}",
    // Behind the loop both are the whole sum.
    "for c in tiles(d) { let v = x.at(r, c).load();\n[-m = s; //^ J0214-]\ns = s + v.sum(c);\n{+m = s;+} } s = m;",
    // One of several axes is a tile. Behind its loop a value is complete.
    "let two = new_axis(2); for (j, c) in tiles((each(two), d)) {\ns = {+s + +}x.at(r, c).load().sum(c); //^ J0214\n}",
    "for c in tiles(d) { m = m.max(x.at(r, c).load().amax(c)); }\nfor c in tiles(d) { let v = (x.at(r, c).load() - m).exp();\ns = [-m-]{+s+} + v.sum(c); //^ J0214\n}",
    // Parts are merged by the op that made them.
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s + v.[-amax-]{+sum+}(c); //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s.max(v.[-amin-]{+amax+}(c)); //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s.max(v.[-sum-]{+amax+}(c)); //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s + (v * v).sum(c)[-.sqrt()-]{+ / d as f32+}; //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s - (v.sum(c) [-+-]{+*+} 2.0); //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s[- * 0.5-] + v.sum(c); //^ J0214\n}",
    "for c in tiles(d) {\ns = s + [-1.0-]{+full(c, 1.0).sum(c)+}; //^ J0214\n}",
    "for c in tiles(d) { let v = x.at(r, c).load();\ns = s + v.gt(0.0)[-.any(c).select(1.0, 0.0)-]{+.select(1.0, 0.0).sum(c)+}; //^ J0214\n}",
    // An online softmax: the earlier sum is scaled.
    "for c in tiles(d) { let v = x.at(r, c).load(); let new = m.max(v.amax(c));\n\
     s = {+s * (m - new).exp() + +}(v - new).exp().sum(c); //^ J0214\nm = new; }",
    // A place that a comparison selects.
    "let mut at = full::<i32>(r, 0); for c in tiles(d) { let v = x.at(r, c).load(); let p = v.amax(c);\n\
     at = p.gt(m).select(v.argmax(c), [-0-]{+at+}); //^ J0214\nm = m.max(p); } s = at.cast::<f32>();",
];
