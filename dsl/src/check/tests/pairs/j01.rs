//! Syntax, names, arguments and places of loops.

use super::{file, Table, B1};
use crate::check::tests::frames::{in_rows, in_tiles, with_queues};

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: file,
        rows: FILES,
    },
    Table {
        chip: B1,
        frame: in_tiles,
        rows: TILES,
    },
    Table {
        chip: B1,
        frame: in_rows,
        rows: ROWS,
    },
    Table {
        chip: B1,
        frame: with_queues,
        rows: QUEUES,
    },
];

const FILES: &[&str] = &[
    // A number on either side of a bitwise operator.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<[-f32-]{+i32+}>, #[shape(n)] y: &mut GlobalTensor<[-f32-]{+i32+}>) {\nfor t in tiles(n) {\ny.at(t).store(15 & x.at(t).load()); //^ J0101\n}\n}",
    // Pairs of one kind.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) {\nlet v = x.at(t).load();\n\
     let (a, b) = if c { (n / 2, n) } else { (n, [-v-]{+1+}) }; //^ J0101\ny.at(t).store(v * (a + b) as f32);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) {\nlet v = x.at(t).load();\n\
     let (a, b) = if c { (n / 2, n) } else { (n, 2[-.0-]) }; //^ J0208\ny.at(t).store(v * (a + b) as f32);\n}\n}",
    // Optional tensors.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(t).store(x.at(t).load() * w{+.or_full(1.0)+}.at(t).load()); //^ J0103\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<[-i8-]{+i32+}>>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(t).store(x.at(t).load() * w.or_full(1).at(t).load().cast::<f32>()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     let mut v = x.at(t).load();\nif let Some(w) = w { v = v * w.at(t{+ + 0+}).load(); }\nif [-let Some(1) = w-]{+w.is_none()+} { v = v * 2.0; } //^ J0101\ny.at(t).store(v);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n, m)] w: Option<&GlobalTensor<f32>>,\n#[shape(n[-, m-])] y: &mut GlobalTensor<f32>) { //^ J0109\nfor t in tiles(n) {\n\
     y.at(t[-, ..-]).store(x.at(t).load() * w.or_full(1.0).at(t, ..).load(){+.sum(m)+});\n}\n}",
    // Optional outputs: stored only where they are tested, never read. A tensor that gives sizes is
    // not optional.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: [-Option<&mut GlobalTensor<f32>>-]{+&mut GlobalTensor<f32>+}) {\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v);\nz.at(t).store(v); //^ J0103\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: Option<&mut GlobalTensor<f32>>) {\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v);\n[-if z.is_some()-]{+if let Some(z) = z+} { z.at(t).store(v); } //^ J0103\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: Option<[-&mut-]{+&+} GlobalTensor<f32>>) {\nfor t in tiles(n) {\ny.at(t).store(x.at(t).load() * z.or_full(1.0).at(t).load()); //^ J0103\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,{+ m: usize,+}\n#[shape(n, m)] z: Option<&mut GlobalTensor<f32>>) { //^ J0109\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v); if let Some(z) = z { z.at(t, ..).store(v.expand(m)); } }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>,\ns: [-Option<f32>-]{+f32+}, //^ J0104\n#[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\ny.at(t).store(x.at(t).load() * s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(t).store(x.at(t).load() * w.or_full([-x-]{+2.0+}).at(t).load()); //^ J0106\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(t).store(x.at(t).load() * w.or_full(2.0).at(t).[-load_or(1.0)-]{+load()+}); //^ J0109\n}\n}",
    // J0100
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { let {+v +}= x.at(t).load(); y.at(t).store(x.at(t).load()); } //^ J0100\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load(){+)+}; } //^ J0100\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nlet n = (*[-500-]{+5+}:(*)1(*[-500-]{+5+}:)*); //^ J0100\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}\n[-}-] //^ J0100",
    // J0101
    "#[kernels]\nmod m {\nfn h(v: Tile<f32>) -> Tile<f32> {\nlet u = [-&-]v; //^ J0101\nu * 2.0 }\n\
     #[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(h(x.at(t).load())); } }\n}",
    "#[kernels]\nmod m {\nconst A: usize = [-A + -]1; //^ J0101\n#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load() + A); } }\n}",
    // J0102
    "#[kernels]\nmod m {\nconst A: f32 = [-B-]{+2.0+} * 2.0; //^ J0102\n#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load() * A); } }\n}",
    "#[kernels]\nmod m {\nfn h(v: Tile<f32>{+, s: f32+}) -> Tile<f32> { v * s } //^ J0102\n\
     #[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32) { for t in tiles(x) { y.at(t).store(h(x.at(t).load(){+, s+})); } }\n}",
    // J0103
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).[-length-]{+size+}(64) { y.at(t).store(x.at(t).load()); } //^ J0103\n}",
    // J0109: forms without a lowering.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) { let s = x.at(r, ..).load().sum(d);\n\
     let w = w.at(r, ..).load();\nlet u = full([-(d, k)-]{+d+}, 1.0); //^ J0109\ny.at(r).store(s + w.sum(k) + u.sum([-(d, k)-]{+d+})); } }",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape([-d, n-]{+n, d+})] w: &mut GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\nlet v = x.at(r, ..).load(); w.at([-.., r-]{+r, ..+}).store(v);\n\
     y.at(r, ..).store(v); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<[-i64-]{+i32+}>, #[shape(d, n)] y: &mut GlobalTensor<[-i64-]{+i32+}>) {\nfor (r, t) in tiles((n, d)) {\n\
     y.at(t, r).store(x.at(r, t).load()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, n)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((n, d)) {\n\
     y.at(t, r).store(x.at(r, [-d - 1 - -]t).load()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<[-i64-]{+i32+}>, #[shape(n)] y: &mut GlobalTensor<[-i64-]{+i32+}>) {\nfor r in tiles(n) {\ny.at(r).store(x.at(r, 0).load()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<[-i8-]{+f16+}>, #[inplace] #[shape(n, 4)] y: &mut GlobalTensor<[-i8-]{+f16+}>) {\nfor r in tiles(n) {\ny.at(r, 2).store(x.at(r).load()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\ny.at([-n - 1 - -]t).store(x.at({+n - 1 - +}t).load()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n, e = 2 * d)] x: &GlobalTensor<f32>, #[shape(d, n)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((n, d)) {\n\
     y.at(t, r).store(x.at(r, t [-*-]{++ 0 *+} 2).load()); //^ J0109\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] z: &mut GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>, c: usize) {\n\
     for i in 0..c {\nlet v = z.at(0).load(); [-//^ J0109-]\nfor t in tiles(n) { y.at(t).store(x.at(t).load() * v); }\nfor t in tiles(n) { z.at(t).store(x.at(t).load()); }\n\
     {+let v = z.at(0).load();+}\nfor t in tiles(n) { y.at(t).store(y.at(t).load() * v); } } }",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {\n\
     let [-mut -]f = 1.0;\nlet g = w.at(..).load() * f; [-//^ J0109-]\nfor r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() * g); }\n[-for _ in 0..1 { f = 2.0; }-]\n\
     for r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load() * g); }\n}",
    "#[kernel]\nfn k(#[shape(m = 2 * n)] x: &GlobalTensor<[-i8-]{+f16+}>, #[shape(n)] y: &mut GlobalTensor<[-i8-]{+f16+}>) {\n\
     for t in tiles(n) { y.at(t).store(x.at(t * 2).load()); } [-//^ J0109-]\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<[-i64-]{+i32+}>, #[shape(n)] y: &mut GlobalTensor<[-i64-]{+i32+}>) {\n\
     for t in tiles(n) { y.at(t).store(x.at(t + 1).load_or(3)); } [-//^ J0203-]\n}",
    "#[kernel]\n#[instances(f16, [-i8-]{+i32+})]\nfn k<T: Element>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) {\n\
     for t in tiles(n) { y.at(t).store(x.at(t + 1).load_or(3)); } [-//^ J0203-]\n}",
    // J0109: loops that are split along an axis.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n)[-.size(8)-].split(d) { //^ J0109\ny.at(r, ..).store(x.at(r, ..).load()); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).split(d) {\nlet [-mut -]v = x.at(r, ..).load(); [-//^ J0109-]\n[-for _ in 0..2 { v = v * 2.0; }-] y.at(r, ..).store(v); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(d >= 1);\nfor r in tiles(n)[-.split(d)-] {\nlet v = x.at(r, ..).load();\ny.at(r, ..).store(v + v.pick(d, 0)); [-//^ J0109-]\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n)[-.split(d)-] {\nfor c in tiles(d) { [-//^ J0109-]\ny.at(r, c).store(x.at(r, c).load()); }\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).split(d) {\ny.at(r, ..).store(x.at([-n - 1 - -]r, ..).load()); [-//^ J0109-]\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {\nfor r in tiles(n)[-.split(d)-] { [-//^ J0109-]\ny.at(r, ..).store(x.at(r, ..).load()); }\nfor r in tiles(n) { z.at(r, ..).store(x.at(r, ..).load()); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor i in each(n).split(d) {\ny.at(i, ..).store(x.at(i, ..).load()[- * i as f32-]); [-//^ J0109-]\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n)[-.split(d)-] {\nfor i in 0..2 { [-//^ J0109-]\nif i > 0 { y.at(r, ..).store(x.at(r, ..).load()); } else { y.at(r, ..).store(x.at(r, ..).load() * 2.0); } } }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(k)] w: &GlobalTensor<f32>) {\nrequire(k >= 1);\nfor (r, c) in tiles((n, d))[-.split(k)-] { [-//^ J0109-]\ny.at(r, c).store(x.at(r, c).load() + w.at(0).load()); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n, k)] w: &GlobalTensor<f32>) {\nfor r in tiles(n)[-.split(d)-] {\nlet u = w.at(r, ..).load().sum(k); [-//^ J0109-]\ny.at(r, ..).store(x.at(r, ..).load() + u); }\n}",
    // J0109, J0214: tiles from outside of tile loops that change.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet mut s = full::<f32>((), 1.0);\n[-for _ in 0..3 {\ns = s * 2.0; //^ J0109\n}\n-]\
     for t in tiles(n) { y.at(t).store(x.at(t).load() * s); }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet mut s = full::<f32>((), 1.0);\nfor t in tiles(n) {\n[-s = s * 2.0; //^ J0214-]\ny.at(t).store(x.at(t).load() * s);\n}\n}",
    // J0109, J0208: quotients that must be integers.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] y: &mut GlobalTensor<f32>) {\nfor i in [-tiles-]{+each+}(m) {\ny.at(i).store(x.at((i + 1).div_exact(2)).load_or(0.0)); [-//^ J0109-]\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] y: &mut GlobalTensor<f32>) {\nfor i in each(m) {\ny.at(i).store(x.at((i + 1).div_exact([-0-]{+2+})).load_or(0.0)); //^ J0208\n}\n}",
    // J0106, J0207: ranges.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, m = d / 2)] y: &mut GlobalTensor<f32>) {\nlet low = new_axis(0..d / 2);\nfor r in tiles(n) {\ny.at(r, low).store(x.at(r, ..).load().pick(d, [-0..d / 2-]{+low+})); //^ J0207\n}\n}",
    // J0214: cross-core accumulators.
    "#[kernel]\nfn k(#[shape(g, n)] x: &GlobalTensor<f32>, #[shape(g)] y: &mut GlobalTensor<f32>) {\n[-let mut s = across_cores::<f32>((), 0.0);-]\n\
     for i in 0..g {\n{+let mut s = across_cores::<f32>((), 0.0);+}\nfor t in tiles(n) {\ns += x.at(i, t).load().sum(t); //^ J0214\n}\ny.at(i).store(s); } }",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {\nlet mut s = across_cores::<f32>((), 0.0);\n\
     let mut u = across_cores::<f32>((), 0.0);\nfor t in tiles(n) { s += x.at(t).load().sum(t); }\nfor t in tiles(n) {\n[-s-]{+u+} += (x.at(t).load() - 1.0).sum(t); //^ J0214\n}\n\
     y.at(0).store(s + u); }",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(1)] z: &mut GlobalTensor<f32>) {\n\
     let [-mut s = across_cores::<f32>((), 0.0); //^ J0214-]{+s = full((), 0.0);+}\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load());\n}\nz.at(0).store(s);\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(1)] z: &mut GlobalTensor<f32>) {\nlet mut s = across_cores::<f32>((), 0.0);\n\
     for t in tiles(x) {\nlet v = x.at(t).load();\ns += v.sum(t);\ny.at(t).store(v[- * s-]); //^ J0214\n}\nz.at(0).store(s);\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, #[shape(1)] z: &mut GlobalTensor<f32>) {\nlet mut s = across_cores::<f32>((), 0.0);\n\
     for t in tiles(x) {\nlet v = x.at(t).load();\ns += v.sum(t);\n}\n[-s += full((), 1.0); //^ J0214-]\nz.at(0).store(s);\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, #[shape(1)] z: &mut GlobalTensor<f32>) {\nlet mut s = across_cores::<f32>((), 0.0);\n\
     for t in tiles(x) {\nlet v = x.at(t).load();\ns [-= full((), 1.0)-]{++= v.sum(t)+}; //^ J0214\n}\nz.at(0).store(s);\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {\nlet mut s = across_cores::<f32>((), 0.0);\n\
     for t in tiles(n) {\nlet u = x.at(t, ..).load();\ns += u.sum(..);\nlet v = [-u.sum(..)-]{+full((), 1.0)+}; //^ J0214\n\
     let mut p = full((), 0.0); let mut q = full((), 0.0); let mut r = full((), 0.0);\n\
     for i in 0..5 { z.at(t).store(p.expand(t)); p = q; q = r; r = v; }\n}\ny.at(0).store(s);\n}",
    // J0104
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, i: [-i64-]{+i32+}) { //^ J0104\nfor t in tiles(x) { y.at(t).store(x.at(t).load() * i); }\n}",
    "#[kernels]\nmod m {\nfn h(v: [-&-]Tile<f32>) -> Tile<f32> { v } //^ J0104\n#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(h(x.at(t).load())); } }\n}",
    "#[kernel]\nfn k<T{+: Float+}>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { //^ J0104\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, (*[-255-]{+254+}: p%: f32,*)) { //^ J0104\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k<(*[-9-]{+8+}: T%: Int,*)>(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { //^ J0104\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    // J0105
    "#[kernel]\nfn k(#[shape((*[-26-]{+25+}: a%,*))] x: &GlobalTensor<f32>, //^ J0105\ny: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>,\n#[default([-true-]{+3+})] n: usize) { //^ J0105\nfor t in tiles(x) { y.at(t).store(x.at(t).load() * n); }\n}",
    "#[kernel]\nfn k(#[shape(n.., [-m..-]{+m+})] x: &GlobalTensor<f32>, //^ J0105\ny: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(#[shape(a.., m[-,-]{+ @ dim,+} b..)] x: &GlobalTensor<f32>, //^ J0105\ny: &mut GlobalTensor<f32>, dim: i32) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, //^ J0105\n#[shape(a.., m, b..)] y: &mut GlobalTensor<f32>, dim: [-f32-]{+usize+}) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    // J0106
    "#[kernels]\nmod m {\nfn h(v: Tile<f32>, s: f32) -> Tile<f32> { v * s }\n#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) {\n\
     y.at(t).store(h(x.at(t).load(){+, 2.0+})); //^ J0106\n} }\n}",
    // J0107
    "#[kernels]\nmod m {\nfn a(v: Tile<f32>) -> Tile<f32> { [-a(v)-]{+v+} } //^ J0107\n#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(a(x.at(t).load())); } }\n}",
    "#[kernels]\nmod m {\nfn a(s: f32) -> f32 { b(s) * 2.0 }\nfn b(s: f32) -> f32 { c(s) + 1.0 }\nfn c(s: f32) -> f32 { if s > 1.0 { [-a(s)-]{+s+} } else { 1.0 } } //^ J0107\n\
     #[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32) { for t in tiles(x) { y.at(t).store(x.at(t).load() * a(s)); } }\n}",
    "#[kernels]\nmod m {\nfn a<T: Float>(v: Tile<T>) -> Tile<T> { for i in 0..2 { let u = [-b(v)-]{+v+}; } v } //^ J0107\nfn b<T: Float>(v: Tile<T>) -> Tile<T> { a(v) }\n\
     #[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for r in tiles(n) { y.at(r, ..).store(b(x.at(r, ..).load())); } }\n}",
    // J0109
    "#[kernels]\nmod m {\nfn h(v: Tile<f32>, d: Axis) -> Tile<f32> { [-for c in tiles(d) {-] let u = v; [-} //^ J0109-]\nv }\n\
     #[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { let w = h(x.at(0, ..).load(), d);\nfor r in tiles(n) { y.at(r, ..).store(w.expand(r)); } }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, flag: bool) {\nfor t in tiles(n) {\n\
     if flag { [-for u in tiles(n) {-] let v = x.at(t).load(); [-} //^ J0109-]\n}\ny.at(t).store(x.at(t).load()); } }",
];

const TILES: &[&str] = &[
    "for i in 0..[-=-]n { let u = v * i; } //^ J0101",
    "let u = if flag { v } else { [-(v, w)-]{+w+} }; //^ J0101",
    "if flag { let u = v.max([-z-]{+w+}); } //^ J0102",
    "if flag { let u = v * 2.0; [-}-]\ny.at(t).store(u); //^ J0102\n{+ } +}",
    "for i in 0..3 { let u = v.[-powi-]{+max+}(2.0); } //^ J0103",
    "let u: Tile<[-f64-]{+f32+}> = v; //^ J0104",
    "for i in 0..3 {\n[-#[cfg_attr(test, inline)]-] let u = v; //^ J0105\n}",
    "if flag { let u = full(t, [-v-]{+s+}); } //^ J0106",
    "[-let mut p = TPipe::new(); //^ J0108-]",
    "if flag { let mut e = [-TBuf::<VecCalc>::new()-]{+v+}; } //^ J0108",
    "for q in [-x-]{+0..3+} { let u = v; } //^ J0109",
];

const ROWS: &[&str] = &[
    "let u = v.[-median-]{+amax+}(d); //^ J0103",
    "let u = v.max({+c+}); //^ J0106",
    "for i in 0..2 { let q = [-TQue::<VecIn, 1>::new()-]{+v+}; } //^ J0108",
    "[-for e in each(0..2) {-] if flag { for c in tiles(d) { let u = x.at(r, c).load(); } } [-}-] //^ J0109",
    "for c in tiles(d).[-block_dim-]{+size+}(64) { let u = x.at(r, c).load(); } //^ J0103",
];

const QUEUES: &[&str] = &[
    "[-while-]{+if+} flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); } //^ J0101",
    "let t = a.alloc_tensor::<f32>();\na.free_tensor([-u-]{+t+}); //^ J0102",
    "let w = c.get::<f32>();\nvec::[-amax-]{+relu+}(&w, &w, 8); //^ J0103",
    "let w = c.get::<f32>();\nvec::add(&w, &w{+, &w+}, 8); //^ J0106",
    "[-for t in tiles(x) { y.at(t).store(x.at(t).load()); } //^ J0108-]",
];
