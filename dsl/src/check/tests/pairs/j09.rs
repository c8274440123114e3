//! Lints: results that the hardware does not compute as well as it could.

use super::{file, Table, B1, P3};
use crate::check::tests::frames::with_tensors;

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: file,
        rows: FILES,
    },
    Table {
        chip: P3,
        frame: file,
        rows: FILES_310P,
    },
    Table {
        chip: B1,
        frame: with_tensors,
        rows: TENSORS,
    },
];

const FILES: &[&str] = &[
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) {\nlet v = x.at(t).load().[-rsqrt-]{+sqrt+}(); //^ J0901\ny.at(t).store(v); }\n}",
    "#[kernels]\nmod m {\nfn inverse(v: Tile<f16>) -> Tile<f16> {\n[-v.reciprocal()-]{+1.0 / v+} //^ J0901\n}\n\
     #[kernel]\nfn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {\nfor t in tiles(x) { y.at(t).store(inverse(x.at(t).load())); }\n} }",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool) {\nfor r in tiles(n) { let mut v = x.at(r, ..).load();\nif flag {\n\
     v = [-v.reciprocal()-]{+1.0 / v+}; //^ J0901\n}\ny.at(r, ..).store(v); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {\nfor r in tiles(n) { let v = x.at(r, ..).load();\n\
     let s = v.[-sum-]{+amax+}(d); //^ J0902\ny.at(r, ..).store(v / s); }\n}",
    "#[kernel]\n#[instances([-f16-]{+f32+})]\nfn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor r in tiles(n) { let v = x.at(r, ..).load();\n\
     let s = v.sum(d); //^ J0902\ny.at(r, ..).store(v / s); }\n}",
    "#[kernels]\nmod m {\nfn total(v: Tile<f16>, d: Axis) -> Tile<f16> {\nv{+.cast::<f32>()+}.sum(d){+.cast::<f16>()+} //^ J0902\n}\n\
     #[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {\nfor r in tiles(n) { let v = x.at(r, ..).load(); for i in 0..2 { y.at(r, ..).store(v / total(v, d)); } }\n} }",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor r in tiles(n) {\n\
     y.at(r).store(x.at(r, ..).load(){+.cast::<f32>()+}.sum(d).cast::<i32>()); //^ J0902\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {\nrequire(d <= [-9-]{+8+});\nfor r in tiles(n) {\n\
     y.at(r).store(x.at(r, ..).load().sum(d)); //^ J0902\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {\nrequire(d >= 1);\nfor r in tiles(n) {\nlet mut s = x.at(r, 0).load(){+.cast::<f32>()+};\n\
     for j in 1..d {\ns = s + x.at(r, j).load(){+.cast::<f32>()+}; //^ J0902\n}\ny.at(r).store(s{+.cast::<f16>()+}); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {\nrequire(d >= 1 && d <= [-10-]{+8+});\nfor r in tiles(n) {\nlet mut s = x.at(r, 0).load();\n\
     for j in 1..d {\ns = s + x.at(r, j).load(); //^ J0902\n}\ny.at(r).store(s); }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f16>, #[shape(1)] y: &mut GlobalTensor<f16>) {\nlet mut s = across_cores::<[-f16-]{+f32+}>((), 0.0);\n\
     for t in tiles(n) {\ns += x.at(t).load(){+.cast::<f32>()+}.sum(t); //^ J0902\n}\ny.at(0).store(s{+.cast::<f16>()+});\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n)] x: &GlobalTensor<f16>, #[shape(m)] y: &mut GlobalTensor<[-f16-]{+f32+}>, m: usize) {\nfor t in tiles(n) {\n\
     y.at(ids.at(t).load()).atomic_add(x.at(t).load(){+.cast::<f32>()+}); //^ J0902\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { let v = x.at(t).load();\nlet m = v.[-ne-]{+eq+}(v); //^ J0903\ny.at(t).store(m.select(0.0, 1.0)); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { let v = x.at(t).load();\nlet m = v.ne([-v-]{+v * 2.0+}); //^ J0903\ny.at(t).store(m.select(0.0, 1.0)); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {\nfor r in tiles(n) { let v = x.at(r, ..).load().amax(d);\nlet m = v.[-ne-]{+eq+}(v); //^ J0903\ny.at(r).store(m.select(0.0, v)); }\n}",
    "#[kernel]\nfn k(n: usize, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let at = t.iota().cast::<f32>() + 3.0;\n\
     y.at(t).store([-(-at).abs().cast_with::<i32>(RoundMode::Rint)-]{+t.iota()+}); //^ J0904\n}\n}",
    "#[kernel]\nfn k(n: usize, #[shape(n)] y: &mut GlobalTensor<i32>) {\nrequire(n <= [-16777217-]{+16777216+});\nfor t in tiles(n) { let at = (t.iota() + 1).cast::<f32>();\n\
     y.at(t).store(at.floor().cast_with::<i32>(RoundMode::Rint)); //^ J0904\n}\n}",
    "#[kernel]\nfn k(n: usize, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let at = t.iota().cast::<f32>() * [-2.0-]{+0.5+};\n\
     y.at(t).store(at.cast_with::<i32>(RoundMode::Rint)); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let at = t.iota().cast::<f32>();\n\
     let m = at.[-eq-]{+lt+}(x.at(t).load()); //^ J0904\ny.at(t).store(m.select(1.0, 0.0)); }\n}",
    "#[kernel]\nfn k(n: usize, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let at = t.iota().cast::<f32>();\n\
     let m = at.ne([-n as f32 - 1.0-]{+0.0+}); //^ J0904\ny.at(t).store(m.select(1.0, 0.0)); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let at = t.iota().cast::<f32>() + [-0.0-]{+x.at(t, ..).load().amax(d)+};\n\
     y.at(t).store(at.cast_with::<i32>(RoundMode::Rint)); //^ J0904\n}\n}",
    // Loaded elements: each type through each float that does not hold it, and bounds of them.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = x.at(t).load(){+.clamp(-16777216, 16777216)+};\n\
     y.at(t).store((v.cast::<f32>() + 1.0).cast::<i32>()); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = x.at(t).load().cast::<f32>();\n\
     y.at(t).store((v.floor() [-* 2.0-]{+* 0.5+}).cast::<i32>()); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(m)] w: &GlobalTensor<f32>, #[shape(n)] {+#[index(m)] +}x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nrequire(m <= 16777216);\n\
     for t in tiles(n) { let v = x.at(t).load().cast::<f32>();\ny.at(t).store(v.cast::<i32>()); //^ J0904\n}\nfor t in tiles(m) { let v = w.at(t).load(); }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i16>, #[shape(n)] y: &mut GlobalTensor<i16>) {\nfor t in tiles(n) { let v = x.at(t).load().cast::<[-f16-]{+f32+}>();\n\
     y.at(t).store((-v).cast::<i16>()); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<[-i32-]{+i16+}>) {\nfor t in tiles(n) { let v = x.at(t).load().cast::<f32>();\n\
     y.at(t).store(v.cast::<[-i32-]{+i16+}>()); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let v = x.at(t).load().cast::<f32>();\n\
     let m = v.[-eq-]{+lt+}(w.at(t).load()); //^ J0904\ny.at(t).store(m.select(1.0, 0.0)); }\n}",
    // A bound beyond the range of the float has no effect, and neighbours compare as rounded.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = x.at(t).load().cast::<f32>();\n\
     y.at(t).store(v.min([-1000000000.0-]{+16777216.0+}).cast::<i32>()); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = x.at(t).load() & [-33554431-]{+16777215+};\n\
     y.at(t).store((v.cast::<f32>() + 1.0).cast::<i32>()); //^ J0904\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] a: &GlobalTensor<i32>, #[shape(n)] b: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet (a, b) = (a.at(t).load(), b.at(t).load());\n\
     let m = a[-.cast::<f32>()-].gt(b[-.cast::<f32>()-]); //^ J0904\ny.at(t).store(m.select(1.0, 0.0)); }\n}",
    "#[kernel]\nfn k(#[shape(n)] a: &GlobalTensor<i32>, #[shape(n)] b: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet (a, b) = (a.at(t).load(), b.at(t).load());\n\
     let m = (a.cast::<f32>()[- - b.cast::<f32>()-]).eq(0.0); //^ J0904\ny.at(t).store(m.select(1.0, 0.0)); }\n}",
    "#[kernel]\nfn k(#[shape(n)] a: &GlobalTensor<i32>, #[shape(n)] b: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet (a, b) = (a.at(t).load(), b.at(t).load());\n\
     let m = ([-a.cast::<f32>() - b.cast::<f32>()-]{+a.cast::<f32>()+}).le(0.0); //^ J0904\ny.at(t).store(m.select(1.0, 0.0)); }\n}",
];

const FILES_310P: &[&str] = &[
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) {\nlet v = [-x.at(t).load().reciprocal()-]{+1.0 / x.at(t).load()+}; //^ J0901\ny.at(t).store(v); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {\nfor r in tiles(n) { let v = x.at(r, ..).load();\n\
     let s = v.[-sum-]{+amin+}(d); //^ J0902\ny.at(r, ..).store(v / s); }\n}",
];

const TENSORS: &[&str] = &[
    "vec::[-rsqrt-]{+sqrt+}(&c1, &c1, 8); //^ J0901",
    "for i in 0..8 {\nvec::[-reciprocal-]{+relu+}(&c1, &c1, 8); //^ J0901\n}",
    "let h = c.get::<[-f16-]{+f32+}>();\nvec::reduce_sum(&h, &h, &h.at(1024), 64); //^ J0902",
    "let h = c.get::<f16>(); if flag {\nvec::reduce_[-sum-]{+max+}(&h, &h, &h.at(1024), 64); //^ J0902\n}",
    "let h = c.get::<[-f16-]{+f32+}>();\nvec::whole_reduce_sum(&h, &h.at(1024), lanes(64).repeats(1)); //^ J0902",
    "let h = c.get::<[-f16-]{+f32+}>();\nvec::repeat_reduce_sum(&h, &h.at(1024), lanes(64).repeats(1)); //^ J0902",
    "let h = c.get::<f16>();\nvec::[-block-]{+pair+}_reduce_sum(&h, &h.at(1024), lanes(64).repeats(1)); //^ J0902",
    "let h = c.get::<f16>(); for i in 0..2 {\nvec::whole_reduce_[-sum-]{+max+}(&h, &h.at(1024), lanes(64).repeats(1)); //^ J0902\n}",
];
