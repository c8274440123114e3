//! Results that do not depend on the cut: each row of the tables of the rule
//! (`book/src/design/cuts.md`), and recurrences.

use super::{file, findings, Table, B1};
use crate::soc::Chip;

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: over_cores,
        rows: OVER_CORES,
    },
    Table {
        chip: B1,
        frame: inside,
        rows: INSIDE,
    },
    Table {
        chip: B1,
        frame: integers,
        rows: INTEGERS,
    },
    Table {
        chip: B1,
        frame: places,
        rows: PLACES,
    },
    Table {
        chip: B1,
        frame: pointwise,
        rows: POINTWISE,
    },
    Table {
        chip: B1,
        frame: file,
        rows: FILES,
    },
    Table {
        chip: B1,
        frame: outside,
        rows: OUTSIDE,
    },
    Table {
        chip: B1,
        frame: within,
        rows: WITHIN,
    },
];

/// Returns a kernel with a cross-core accumulator `c`. A row declares and merges it, with `v` as
/// the tile `t` of `x`. Behind the loop it is stored.
fn over_cores(row: &str) -> String {
    let (init, merge) = row.split_once(";;").unwrap_or(("0.0", row));
    let (ty, end) = if init.contains("false") || init.contains("true") {
        ("bool", "c.select(1.0, 0.0)")
    } else {
        ("f32", "c")
    };
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>, flag: bool, p: f32) {{\nrequire(n >= 1);\n\
         let mut c = across_cores::<{ty}>((), {init});\nfor t in tiles(n) {{\nlet v = x.at(t).load();\n{merge}\n}}\ny.at().store({end});\n}}"
    )
}

const OVER_CORES: &[&str] = &[
    // Functions of a part.
    "c += v.sum(t)[-.floor()-]; //^ J0214",
    "c += v.sum(t)[-.ceil()-]; //^ J0214",
    "c += v.sum(t)[-.trunc()-]; //^ J0214",
    "c += v.sum(t)[-.frac()-]; //^ J0214",
    "c += v.sum(t)[-.cast::<i32>().cast::<f32>()-]; //^ J0214",
    "c += v{+.floor()+}.sum(t).cast::<i32>().cast::<f32>(); //^ J0214",
    "c += v.sum(t).[-cast_with::<f32>(RoundMode::Floor)-]{+cast::<f32>()+}; //^ J0214",
    "c += v.sum(t) [-* t.len() as f32-]{+* n as f32+}; //^ J0214",
    "c += v.sum(t) / [-t.len() as f32-]{+n as f32+}; //^ J0214",
    "c += [-v.sum(t).abs()-]{+v.abs().sum(t)+}; //^ J0214",
    "c += [-v.amax(t)-]{+v.sum(t)+}; //^ J0214",
    "c += v[-.sum(t).gt(0.0)-]{+.gt(0.0)+}.select(1.0, 0.0){+.sum(t)+}; //^ J0214",
    "c += (v[-.sum(t)-] * v).sum(t); //^ J0214",
    "1.0;;c *= v.[-sum-]{+prod+}(t); //^ J0214",
    "1.0;;c *= [-p-]{+full(t, p).prod(t)+}; //^ J0214",
    "c = c.max(v.[-amin-]{+amax+}(t)); //^ J0214",
    "c = c.max(-v.[-amax-]{+amin+}(t)); //^ J0214",
    "c = c.max(v.amax(t) * [-p-]{+2.0+}); //^ J0214",
    "c = c.min(v.amax(t) * [-2.0-]{+-2.0+}); //^ J0214",
    "c = c.max([-v.sum(t)-]{+v.amax(t)+}.exp()); //^ J0214",
    "c = c.max(v.[-sum(t)-]{+amax(t)+}.exp2()); //^ J0214",
    "c = c.max([-v.sum(t)-]{+v.amax(t)+}.floor()); //^ J0214",
    "c = c.max(1.0 - v.[-amax-]{+amin+}(t)); //^ J0214",
    "c = c.max(full((), [-t.len()-]{+n+} as f32)); //^ J0214",
    "false;;c |= v[-.sum(t)-].gt(1.0){+.any(t)+}; //^ J0214",
    "false;;c |= v.gt(0.0).[-all-]{+any+}(t); //^ J0214",
    "true;;c &= [-!-]v.gt(0.0).[-all-]{+all+}(t); //^ J0214",
    "true;;c &= !v.gt(0.0).[-all-]{+any+}(t); //^ J0214",
    // Iterations, tiles, cores.
    "c += [-1.0-]{+full(t, 1.0).sum(t)+}; //^ J0214",
    "c += [-x.at(t.start()).load()-]{+v.sum(t)+}; //^ J0214",
    "c += v.sum(t) * [-get_block_idx() as f32-]{+p+}; //^ J0214",
    "c += v.sum(t) / [-get_block_num() as f32-]{+n as f32+}; //^ J0214",
    "if [-t.len() > 100-]{+flag+} { //^ J0214\nc += v.sum(t); }",
    "if [-t.start() == 0-]{+n > 4+} { //^ J0214\nc += v.sum(t); }",
    "if [-get_block_idx() == 0-]{+flag+} { //^ J0214\nc += v.sum(t); }",
    // Runs within the run.
    "for i in 0..[-t.len()-]{+3+} {\nc += v.sum(t); //^ J0214\n}",
    "let mut s = full((), 0.0); for i in t.start()..t.end() { s = s + x.at(i).load()[-.max(s)-]; } c += s; //^ J0214",
];

/// Returns columns `t` of `x` over `[m, d]`. A row carries `s` along `j`, with `v` as the tile
/// `[j, t]`. The text before `;;` is the initial value of `s`.
fn inside(row: &str) -> String {
    let (init, turn) = row.split_once(";;").unwrap_or(("full(t, 0.0)", row));
    format!(
        "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, #[shape(d)] z: &mut GlobalTensor<f32>, flag: bool, p: f32, q: usize) {{\nrequire(m >= 1);\nfor t in tiles(d) {{\n\
         let mut s = {init};\nlet mut u = full(t, 0.0);\nfor j in tiles(m) {{\nlet v = x.at(j, t).load();\n{turn}\n}}\ny.at(t).store(s);\nz.at(t).store(u);\n}}\n}}"
    )
}

const INSIDE: &[&str] = &[
    "s = s + v.sum(j)[-.floor()-]; //^ J0214",
    "let q = v.sum(j); s = s + [-(q - q.floor())-]{+(q - q * 0.5)+}; //^ J0214",
    "full(t, 1.0);;s = s * v.[-sum-]{+prod+}(j); //^ J0214",
    "full(t, 100.0);;s = s.min(v.[-amax-]{+amin+}(j)); //^ J0214",
    "s = s + [-x.at(j.end() - 1, t).load()-]{+v.sum(j)+}; //^ J0214",
    "s = if [-j.start() > 10-]{+flag+} { s + v.sum(j) } else { s }; //^ J0214",
    "s = s + v.sum(j);\nu = u + [-s-]{+v.sum(j)+}; //^ J0214",
    "s = s + v.sum(j);\nu = u.max([-s-]{+v.amax(j)+}); //^ J0214",
    "s = s + v.sum(j);\n[-y.at(t).atomic_add(s); //^ J0214-]",
    "s = s + v.sum(j);\n[-u = s; //^ J0214\n-]s = s + v.sum(j); {+u = s;+}",
    "s = s[- * 0.5-] + v.sum(j); //^ J0214",
    "s = p.max(0.0) * v.sum(j) + s; [-s = s.max(0.0);-] //^ J0214",
    // An online softmax: the earlier sum is scaled by the exponential of the exact difference.
    "let new = u.max(v.amax(j));\ns = s * (u - new).exp() + (v - [-v.amax(j)-]{+new+}).exp().sum(j); //^ J0214\nu = new;",
    "let new = u.max(v.amax(j));\ns = s * ([-new - u-]{+u - new+}).exp() + (v - new).exp().sum(j); //^ J0214\nu = new;",
    "let new = u.max(v.amax(j));\ns = s * (u - new).exp2() + (v - new).[-exp-]{+exp2+}().sum(j); //^ J0214\nu = new;",
    "let new = u.max(v.amax(j));\ns = s * (u - new).exp() + (v - new).exp().sum(j); //^ J0214\nu = [-u.max(v.amin(j))-]{+new+}; //^ J0214\n",
    // The place of the largest element, the first one among equals.
    "let top = v.amax(j);\ns = top.[-ge-]{+gt+}(u).select(v.argmax(j).cast::<f32>(), s); //^ J0214\nu = u.max(top);",
    "let top = v.amax(j);\ns = top.gt(u).select(v.argmax(j).cast::<f32>(), [-0.0-]{+s+}); //^ J0214\nu = u.max(top);",
    // A mean that is carried with its count.
    "let k = j.len() as f32; let all = u + k;\ns = s + (v.sum(j) / k - s) * (k / [-k-]{+all+}); //^ J0214\nu = all;",
    // Literals, sizes and attributes are arbitrary numbers, even far from the elements.
    "s = s.max(v.amax(j));\nu = [-u + s.gt((d * 1000) as f32).select(1.0, 0.0)-]{+u + v.gt((d * 1000) as f32).select(1.0, 0.0).sum(j)+}; //^ J0214",
    "s = s.max(v.amax(j));\nu = [-u + s.gt((q * 1000) as f32).select(1.0, 0.0)-]{+u.max(v.amax(j) - (q * 1000) as f32)+}; //^ J0214",
    "s = s.max(v.amax(j)); let far = q * 1000;\nu = u + [-s-]{+v+}.gt(far as f32).select(1.0, 0.0){+.sum(j)+}; //^ J0214",
    "s = s.max(v.amax(j));\nu = u + ([-s-]{+v+} - (d * 1000) as f32).relu(){+.sum(j)+}; //^ J0214",
    "s = s.max(v.tanh().amax(j));\nu = u + [-s-]{+v+}.lt(0.5).select(1.0, 0.0){+.sum(j)+}; //^ J0214",
    "let by = if q > 1000 { 1.0 } else { 0.0 }; s = s + v.sum(j);\nu = u + [-by-]{+v.sum(j) * by+}; //^ J0214",
    "let is_far = q > 1000; s = s + v.sum(j); if is_far {\nu = u + [-1.0-]{+v.sum(j)+}; //^ J0214\n}",
    "s = s + v.sum(j); for i in 0..4 { if i + 1000 < q {\nu = u + [-1.0-]{+v.sum(j)+}; //^ J0214\n} }",
    "s = s + v.sum(j); for i in 0..q / 1000 {\nu = u + [-1.0-]{+v.sum(j) * i as f32+}; //^ J0214\n}",
    // Loops by literals: all of few iterations, and some of many.
    "s = s + v.sum(j); for i in 0..16 { if i == 15 {\nu = u + [-1.0-]{+v.sum(j)+}; //^ J0214\n} }",
    "s = s + v.sum(j); for i in 0..1000 { if i == 999 {\nu = u + [-1.0-]{+v.sum(j)+}; //^ J0214\n} }",
    "for i in 0..16 { let w = v * i as f32; let new = s.max(w.amax(j));\nu = u * (s - new).exp() + (w - [-s-]{+new+}).exp().sum(j); //^ J0214\ns = new; }",
    "for i in 0..16 { for g in 0..q { let w = v * (i + g) as f32; let new = s.max(w.amax(j));\nu = u * (s - new).exp() + (w - [-s-]{+new+}).exp().sum(j); //^ J0214\ns = new; } }",
    // A flag is either true or false.
    "let mut l = full(t, 1.0); if flag { l = v.sum(j); } if [-flag-]{+!flag+} { l = v.abs().sum(j); } //^ J0214\ns = s + l;",
    "let mut l = full(t, 1.0); if q > 4 { l = v.sum(j); } if q [-<-]{+<=+} 4 { l = v.abs().sum(j); } //^ J0214\ns = s + l;",
    "let new = s.max(v.amax(j)); (*5: if q == % { u = u + 0.0; }\n*)u = u * (s - new).exp() + (v - [-s-]{+new+}).exp().sum(j); //^ J0214\ns = new;",
    "let new = s.max(v.amax(j)); if q == 0 { if q > 1 { if q > 2 { if q > 3 { if q > 4 { if q > 5 {\nu = u [-* 0.5-]{++ 0.0+}; //^ J0214\n} } } } } }\n\
     u = u * (s - new).exp() + (v - new).exp().sum(j);\ns = new;",
    "let new = s.max(v.amax(j)); (*9: if q == [-2%-]{+%+} { u = u + 0.0; }\n*)[-(*9: if q == 1% { u = u + 0.0; }\n*)-]u = u * (s - new).exp() + (v - new).exp().sum(j); //^ J0214\ns = new;",
    // A monotonic function of a maximum is a maximum.
    "s = s.max(v.[-amin-]{+amax+}(j).relu()); //^ J0214",
    "s = s.max(v.gt(0.0).[-all-]{+any+}(j).select(1.0, 0.0)); //^ J0214",
    "s = s.min(v.gt(0.0).any(j).select([-1.0, 0.0-]{+0.0, 1.0+})); //^ J0214",
    "s = [-s + v.gt(0.0).any(j).select(1.0, 0.0)-]{+s.min(v.gt(0.0).all(j).select(1.0, 0.0))+}; //^ J0214",
];

/// Returns such a kernel for `i32`.
fn integers(row: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<i32>, #[shape(d)] y: &mut GlobalTensor<i32>, #[shape(d)] z: &mut GlobalTensor<i32>, q: usize) {{\nrequire(m >= 1);\nfor t in tiles(d) {{\n\
         let (mut s, mut u) = (full::<i32>(t, 0), full::<i32>(t, 0));\nfor j in tiles(m) {{\nlet v = x.at(j, t).load();\n{row}\n}}\ny.at(t).store(s);\nz.at(t).store(u);\n}}\n}}"
    )
}

const INTEGERS: &[&str] = &[
    // Saturating conversions are no sums, whatever the ends of the type.
    "s = (s + v.sum(j))[-.cast::<u8>().cast::<i32>()-]; //^ J0214",
    "s = (s + v.sum(j))[-.cast::<i16>().cast::<i32>()-]; //^ J0214",
    "s = (s + v.sum(j))[-.cast::<u32>().cast::<i32>()-]; //^ J0214",
    "s = s + v.sum(j)[-.cast::<u32>().cast::<i32>()-]; //^ J0214",
    "s = s + v[-.sum(j)-].cast::<i16>().cast::<i32>(){+.sum(j)+}; //^ J0214",
    "s = [-(s.cast::<i64>() + v.cast::<i64>().sum(j)).cast::<i32>()-]{+s + v.sum(j)+}; //^ J0214",
    "s = s.max(v.[-sum-]{+amax+}(j).cast::<u8>().cast::<i32>()); //^ J0214",
    "s = s.max(v.cast::<u8>().cast::<i32>().amax(j));\nu = u + [-s-]{+v.cast::<u8>().cast::<i32>().sum(j)+}; //^ J0214",
    "s = s + v.sum(j);\nu = u + (v.sum(j) - v.cast::<i16>().cast::<i32>().sum(j)) * [-j.len()-]{+q+} as i32; //^ J0214",
    // Numbers beyond the drawn elements.
    "s = s.max(v.amax(j));\nu = u + [-s-]{+v+}.gt(1000).select(1, 0){+.sum(j)+}; //^ J0214",
    "s = s.max(v.amax(j));\nu = u + [-s.min(1000) - s.min(999)-]{+(v.min(1000) - v.min(999)).sum(j)+}; //^ J0214",
];

/// Returns a kernel with the place of the largest value that a row computes from the tile `[j, t]`
/// of `x`, `v`.
fn places(row: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {{\nrequire(m >= 1);\nfor t in tiles(d) {{\n\
         let mut s = full(t, f32::NEG_INFINITY);\nlet mut at = full(t, 0.0);\nfor j in tiles(m) {{\nlet v = x.at(j, t).load();\nlet u = {row}\n\
         s = s.max(p);\n}}\ny.at(t).store(at);\n}}\n}}"
    )
}

/// Functions that are not defined everywhere, and those whose values are too close for floats.
const PLACES: &[&str] = &[
    "v.ln(); let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
    "v.sqrt(); let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
    "v.pow(2.5); let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
    "v.log1p(); let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
    "v.cast::<i32>().cast::<f32>().sqrt().cast::<i32>().cast::<f32>(); let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
    "v.exp() + 1.0; let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
    "v.exp().exp(); let p = u.amax(j);\nat = p.[-ge-]{+gt+}(s).select(u.argmax(j).cast::<f32>(), at); //^ J0214",
];

/// Returns a kernel with a tile `v` along `t` of `x`, and the stores of a row.
fn pointwise(row: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>, p: f32) {{\nrequire(n >= 1);\nfor t in tiles(n) {{\n\
         let v = x.at(t).load();\n{row}\n}}\n}}"
    )
}

const POINTWISE: &[&str] = &[
    "z.at().atomic_add(v.sum(t));\ny.at(t).store(v + [-t.start() as f32-]{+t.iota().cast::<f32>()+}); //^ J0214",
    "z.at().atomic_add(v.sum(t));\ny.at(t).store(v + [-t.len() as f32-]{+(t.end() - t.start() - t.len()) as f32+}); //^ J0214",
    "z.at().atomic_add(v.sum(t));\ny.at(t).store(v * [-get_block_idx() as f32-]{+p+}); //^ J0214",
    "z.at().atomic_add(v.sum(t));\ny.at(t).store(v - [-v.amax(t)-]{+v+}); //^ J0214",
    "z.at().atomic_add(v.sum(t));\ny.at(t).store(v * [-x.at(t.start()).load()-]{+x.at(0).load()+}); //^ J0214",
    "y.at(t).store(v);\nz.at().atomic_add(v.sum(t)[- * t.len() as f32-]); //^ J0214",
    "y.at(t).store(v);\nz.at().atomic_add([-full((), 1.0)-]{+full(t, 1.0).sum(t)+}); //^ J0214",
    "y.at(t).store(v);\nz.at().atomic_add(v.[-amax-]{+sum+}(t)); //^ J0214",
    "z.at().atomic_add(v.sum(t));\nfor i in 0..[-t.len()-]{+2+} {\ny.at(t).atomic_add(v); //^ J0214\n}",
];

const FILES: &[&str] = &[
    // Conditions that hide one another, and a loop that may have no iteration.
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 0.0).lt(1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load();\nc = c & (v.lt(2.0).all(j) [-|-]{+&+} v.amin(j).gt(3.0)); //^ J0214\n}\ny.at(t).store(c.select(1.0, 0.0));\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 0.0).gt(1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load();\nc = c | (v.lt(2.0).any(j) [-&-]{+|+} v.amax(j).gt(3.0)); //^ J0214\n}\ny.at(t).store(c.select(1.0, 0.0));\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, q: usize) {\nfor t in tiles(d) {\nlet mut c = full(t, 1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load();\nfor e in 0..[-q-]{+2+} {\nc = c.floor() * (v.relu() * 0.0).prod(j); //^ J0214\n}\nc = c + c;\n}\ny.at(t).store(c.floor());\n}\n}",
    // Predicates that few elements meet, and products that are mostly 0, hide nothing.
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 0.0).lt(1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load(); let u = g.at(t).load();\nc = c & (u.lt([-j.len()-]{+3+} as f32) & v.le(v)).all(j); //^ J0214\n}\ny.at(t).store(c.select(1.0, 0.0));\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 0.0).gt(1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load(); let u = g.at(t).load();\nc = c | ((v.gt(v)).any(j) | [-v.sum(j)-]{+u+}.gt(2.0)); //^ J0214\n}\ny.at(t).store(c.select(1.0, 0.0));\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load(); let u = g.at(t).load();\nc = c * v.min(0.0).prod(j)[- / j.len() as f32-]; //^ J0214\n}\ny.at(t).store(c);\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load(); let u = g.at(t).load();\nc = c * v.le(v).select(v, 0.0).prod(j)[-.gt(0.5).select(v.le(v).select(v.abs(), 0.0).prod(j), 0.0)-]; //^ J0214\n}\ny.at(t).store(c);\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut c = full(t, 1.0);\nfor j in tiles(m) {\nlet v = x.at(j, t).load();\nc = c * (v - 1.0).relu().prod(j)[- * 0.5-]; //^ J0214\n}\ny.at(t).store(c);\n}\n}",
    // A run that changes once for each of its elements.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nfor _e in 0..[-t.len()-]{+3+} {\ny.at(t).store(y.at(t).load() - x.at(t).load()); //^ J0214\n}\n}\n}",
    // Carried masks hide nothing, even if few elements exceed the number.
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut s = full(t, 0.0).lt(1.0);\n\
     for j in tiles(m) {\ns = s & x.at(j, t).load().gt(0.5).[-any-]{+all+}(j); //^ J0214\n}\ny.at(t).store(s.select(1.0, 0.0)); }\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut s = full(t, 0.0).gt(1.0);\n\
     for j in tiles(m) {\ns = s | !x.at(j, t).load().gt(100.0).[-any-]{+all+}(j); //^ J0214\n}\ny.at(t).store(s.select(1.0, 0.0)); }\n}",
    // Each run of the outer axis goes through all of the inner one. So the first of equal elements
    // depends on it.
    "#[kernel]\nfn k(#[shape(m, b, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<i32>) {\nrequire(m >= 1);\nfor t in tiles(d) {\n\
     let (mut top, mut at) = (full(t, f32::NEG_INFINITY), full::<i32>(t, 0));\nfor [-(j, i) in tiles((m, each(b)))-]{+(i, j) in tiles((each(b), m))+} {\n\
     let v = x.at(j, i, t).load(); let p = v.amax(j);\nat = p.gt(top).select(v.argmax(j), at); //^ J0214\ntop = top.max(p); }\ny.at(t).store(at); }\n}",
    // Behind a loop with a promise, the sum goes on being merged.
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {\nrequire(m >= 1); let mut c = across_cores::<f32>((), 0.0);\nfor t in tiles(d) {\n\
     let mut s = full(t, 0.0);\nfor j in each(0..t.end()){+.any_cut()+} { //^ J0214\ns = s + t.iota().cast::<f32>().ge(j as f32).select(x.at(j.min(m - 1), t).load(), 0.0); }\nc += s.sum(t);\ny.at(t).store(s); }\nz.at().store(c);\n}",
    // Each instance is judged, whichever comes first.
    "#[kernel]\n#[instances(f32, i32)]\nfn k<T: Number>(#[shape(m, d)] x: &GlobalTensor<T>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\n\
     let mut s = full(t, 0.0);\nfor j in tiles(m) {\ns = (s + x.at(j, t).load().cast::<f32>().sum(j) * 0.5)[-.cast::<T>().cast::<f32>()-]; //^ J0214\n}\ny.at(t).store(s); }\n}",
    "#[kernel]\n#[instances(i32, f32)]\nfn k<T: Number>(#[shape(m, d)] x: &GlobalTensor<T>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\n\
     let mut s = full(t, 0.0);\nfor j in tiles(m) {\ns = (s + x.at(j, t).load().cast::<f32>().sum(j) * 0.5)[-.cast::<T>().cast::<f32>()-]; //^ J0214\n}\ny.at(t).store(s); }\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<i64>, #[shape(d)] y: &mut GlobalTensor<i64>) {\nfor t in tiles(d) {\n\
     let mut s = full::<i64>(t, 0);\nfor j in tiles(m) {\ns = (s + x.at(j, t).load().sum(j))[-.cast::<i32>().cast::<i64>()-]; //^ J0214\n}\ny.at(t).store(s); }\n}",
];

/// Returns statements around loops over `n` of `x` and `y`; `y` is given before the launch.
fn outside(row: &str) -> String {
    format!("#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32>) {{\nrequire(n >= 100);\n{row}\n}}")
}

/// The number of the core, and of all cores, outside of loops.
const OUTSIDE: &[&str] = &[
    "let mut w = 0;\nw = [-get_block_idx()-]{+3+}; //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + w as f32); }\nz.at().store(full((), 1.0));",
    "let b = full((), [-get_block_num()-]{+n+} as f32); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + b); }\nz.at().store(full((), 1.0));",
    "let w = [-get_block_num()-]{+n+};\nlet b = full((), w as f32); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + b); }\nz.at().store(full((), 1.0));",
    "let mut c = across_cores::<f32>((), [-get_block_num() as f32-]{+0.0+}); //^ J0214\nfor t in tiles(n) { let v = x.at(t).load(); c += v.sum(t); y.at(t).store(v); }\nz.at().store(c);",
    "for t in tiles(n) { y.at(t).store(x.at(t).load()); }\nz.at().store(full((), [-get_block_num()-]{+n+} as f32)); //^ J0214",
    "if [-get_block_num()-]{+n+} > 300 { //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load()); } } else { for t in tiles(n) { y.at(t).store(x.at(t).load() * 2.0); } }\nz.at().store(full((), 1.0));",
    "let mut w = 0.0;\nif [-get_block_idx() == 0-]{+n > 300+} { //^ J0214\nw = 1.0; }\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + w); }\nz.at().store(full((), 1.0));",
    "for p in 0..[-get_block_num()-]{+3+} { //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + y.at(t).load()); } }\nz.at().store(full((), 1.0));",
    "for t in tiles(0..[-get_block_num()-]{+96+}.min(n)) { //^ J0214\ny.at(t).store(x.at(t).load()); }\nz.at().store(full((), 1.0));",
    "let w = x.at([-get_block_idx()-]{+3+}.min(n - 1)).load().scalar(); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + w); }\nz.at().store(full((), 1.0));",
    // An unused name is no mistake; a use is reported.
    "let w = get_block_idx() as f32;\nfor t in tiles(n) {\ny.at(t).store(x.at(t).load()[- + w-]); //^ J0214\n}\nz.at().store(full((), 1.0));",
];

/// Returns a loop along `m` inside of one along `d`. It leaves `c`, `s` and `a`, computed of `x`
/// and an optional mask `w`.
fn within(row: &str) -> String {
    format!("#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(m, d)] w: Option<&GlobalTensor<f32>>, #[shape(d)] y: &mut GlobalTensor<f32>, f: bool, p: f32) {{\nrequire(m >= 1);\nfor t in tiles(d) {{\n\
         let mut s = full(t, -1e30); let mut c = full(t, 0.0); let mut a = full(t, 0.0);\nfor j in tiles(m) {{\n{row}\n}}\ny.at(t).store(c + s + a); }} }}")
}

/// Values that an iteration assigns itself, and values in between.
const WITHIN: &[&str] = &[
    "let mut v = x.at(j, t).load();\nif let Some(w) = w { v = v + w.at(j, t).load(); }\nlet q = s.max(v.amax(j)); c = c * (s - [-s-]{+q+}).exp() + (v - q).exp().sum(j); //^ J0214\ns = q;",
    "let u = x.at(j, t).load(); let v = if f { u * 0.5 } else { u };\nlet q = s.max(v.amax(j)); c = c * (s - q).exp() + (v - [-s-]{+q+}).exp().sum(j); //^ J0214\ns = q;",
    "let mut v = x.at(j, t).load().sum(j);\nv = v + [-s-]{+v+};\nc = c + v; //^ J0214\ns = s.max(x.at(j, t).load().amax(j));",
    // A running maximum that holds a running sum in between is not compared with anything.
    "let v = x.at(j, t).load(); let old = s;\ns = a;\nc = c + [-s.gt(p).select(1.0, 0.0)-]{+v.sum(j)+}; //^ J0214\ns = old.max(v.amax(j)); a = a + v.sum(j);",
    // A sum that is clamped in between is no sum.
    "let v = x.at(j, t).load();\nc = [-c.max(v.amax(j)).min(p); c = c + c-]{+c.max(v.amax(j))+}; //^ J0214",
];
/// Messages name the author's merge and the limit that is reached. They speak of counted iterations
/// only where something is added to the value itself.
#[test]
fn messages_say_what_is_merged_and_which_limit_is_met() {
    let many = format!(
        "{}u = u + s;",
        (0..17)
            .map(|i| format!("if q == {i} {{ s = s.max(v.amax(j)); }}\n"))
            .collect::<String>()
    );
    let chip = Chip::by_name(B1).expect("a chip");
    for (row, said) in [
        (
            "s = s.max(v.amax(j));\nu = u + (s - (d * 1000) as f32).relu();",
            "`s` is merged, `s = s.max(v.amax(j))`",
        ),
        (
            "u = u + (s - p).abs();\ns = s.max(v.amax(j));",
            "`s` is still being merged along `j`",
        ),
        (
            "s = (s * 0.5 + v.sum(j)).floor();",
            "`s` is merged, `s = s + v.sum(j)`",
        ),
        (
            "s = s + p;",
            "each iteration along `j` adds to `s` what does not depend on its elements",
        ),
        (
            &many,
            "17 conditions stand in this recurrence, and the checker tries the ways of 16 at most",
        ),
    ] {
        let (_, text) = findings(&inside(row), chip);
        assert!(text.contains(said), "{row}\n{text}");
    }
}
