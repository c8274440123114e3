//! Element types, shapes, numbers, and writes to tensors.

use super::{file, Table, B1, P3};
use crate::check::tests::frames::{in_rows, in_tiles, with_pipe, with_queues, with_tensors};

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
        frame: with_tensors,
        rows: TENSORS,
    },
    Table {
        chip: B1,
        frame: with_queues,
        rows: QUEUES,
    },
    Table {
        chip: P3,
        frame: with_pipe,
        rows: PIPE_310P,
    },
];

const FILES: &[&str] = &[
    // J0201
    "#[kernels]\nmod m {\nfn twice(v: Tile<f32>) -> Tile<f32> { v * 2.0 }\n#[kernel]\nfn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f32>) { for t in tiles(x) {\n\
     y.at(t).store(twice(x.at(t).load(){+.cast::<f32>()+})); //^ J0201\n} }\n}",
    // J0202
    "#[kernel]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load(){+.cast::<f32>()+}); //^ J0202\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<[-f16-]{+f32+}>) {\nfor r in tiles(n) {\nz.at(r).store(x.at(r, ..).load().amax(d)); //^ J0202\n}\n}",
    // J0203
    "#[kernel]\nfn k(x: &GlobalTensor<[-i32-]{+f32+}>, y: &mut GlobalTensor<[-i32-]{+f32+}>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().exp()); //^ J0203\n}\n}",
    "#[kernel]\n#[instances(f16, [-bf16-]{+f32+})]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load() + 1.0); //^ J0203\n}\n}",
    "#[kernels]\nmod m {\nfn h(v: Tile<i32>) -> Tile<i32> {\nv.[-abs-]{+relu+}() //^ J0203\n}\n#[kernel]\nfn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) { for t in tiles(x) { y.at(t).store(h(x.at(t).load())); } }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<[-i8-]{+i32+}>, y: &mut GlobalTensor<[-i8-]{+i32+}>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load() + 1); //^ J0203\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<[-u8-]{+i16+}>, y: &mut GlobalTensor<[-u8-]{+i16+}>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load() << 1); //^ J0203\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<[-i16-]{+i32+}>, y: &mut GlobalTensor<[-i16-]{+i32+}>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load() >> 17); //^ J0208\n}\n}",
    // Sums of 16 bits wrap.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i16>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     let v = x.at(t).load().max(0); let at = (v + v).cast::<f32>().cast::<i32>(){+.max(0)+}.min(m - 1);\n\
     y.at(t).store(w.at(at).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<[-i64-]{+i32+}>, y: &mut GlobalTensor<[-i64-]{+i32+}>) {\nfor t in tiles(x) {\nlet v = x.at(t).load(); y.at(t).store(v * v); //^ J0203\n}\n}",
    // J0219: an optional input that is given or not.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nif let Some(w) = w { for t in tiles([-1..n-]{+n+}) {\n\
     y.at(t).store(w.at(t).load()); //^ J0219\n} } else { for t in tiles(n) {\ny.at(t).store(x.at(t).load());\n} }\n}",
    // Functions of the library.
    "#[kernel]\nfn k(x: &GlobalTensor<[-i32-]{+f32+}>, y: &mut GlobalTensor<[-i32-]{+f32+}>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().sigmoid()); //^ J0203\n}\n}",
    "#[kernel]\nfn k<T: [-Number-]{+Float+}>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().erf()); //^ J0203\n}\n}",
    // J0204, J0205: casts that would round twice, and a mode for several instructions.
    "#[kernel]\nfn k(x: &GlobalTensor<i64>, y: &mut GlobalTensor<f16>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().[-cast::<f16>()-]{+cast::<f32>().cast::<f16>()+}); //^ J0204\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<i8>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().[-cast_with::<i8>(RoundMode::Floor)-]{+cast::<i8>()+}); //^ J0205\n}\n}",
    // J0204
    "#[kernel]\nfn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<f16>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load(){+.cast::<f32>()+}.cast::<f16>()); //^ J0204\n}\n}",
    "#[kernel]\n#[instances([-bf16-]{+f32+}, f16)]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f16>) {\nfor t in tiles(x) {\nlet v = x.at(t).load().cast::<f16>(); //^ J0204\ny.at(t).store(v); }\n}",
    "#[kernels]\nmod m {\nfn narrow(v: Tile<[-f16-]{+f32+}>) -> Tile<bf16> {\nv.cast::<bf16>() //^ J0204\n}\n\
     #[kernel]\nfn k(x: &GlobalTensor<[-f16-]{+f32+}>, y: &mut GlobalTensor<bf16>, flag: bool) { for t in tiles(x) { if flag { y.at(t).store(narrow(x.at(t).load())); } else { y.at(t).store(full::<bf16>(t, 0.0)); } } }\n}",
    // J0205
    "#[kernel]\n#[instances([-f16-]{+f32+})]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().cast_with::<f32>(RoundMode::Floor)); //^ J0205\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<[-bf16-]{+f16+}>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().cast_with::<[-bf16-]{+f16+}>(RoundMode::Odd)); //^ J0205\n}\n}",
    // J0208: bf16 reaches nearly as far as f32.
    "#[kernel]\nfn k(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<bf16>) {\nfor t in tiles(x) {\nlet v = full::<bf16>(t, [-3.4e38-]{+3.38e38+}); //^ J0208\ny.at(t).store(v); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<bf16>) {\nfor t in tiles(x) {\nlet v = full::<bf16>(t, [-4.5e-41-]{+4.7e-41+}); //^ J0208\ny.at(t).store(v); }\n}",
    // J0220: only floats, in each instance, in workspaces, and under the attribute.
    "#[kernel]\n[-#[deterministic]\n-]fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(..).atomic_add(x.at(r, ..).load().sum(r)); //^ J0220\n} }",
    "#[kernel]\n#[deterministic]\nfn k(#[shape(n, d)] x: &GlobalTensor<[-f32-]{+i32+}>, #[shape(d)] y: &mut GlobalTensor<[-f32-]{+i32+}>) {\nfor r in tiles(n) {\ny.at(..).atomic_add(x.at(r, ..).load().sum(r)); //^ J0220\n} }",
    "#[kernel]\n#[deterministic]\n#[instances(i32[-, f16-])]\nfn k<T: Number>(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<T>, #[shape(m, d)] y: &mut GlobalTensor<T>) {\nfor t in tiles(n) {\ny.at(ids.at(t).load(), ..).atomic_add(x.at(t, ..).load()); //^ J0220\n} }",
    "#[kernel]\n#[deterministic]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\n[-let w = workspace::<f32>(d);-]{+let mut w = across_cores::<f32>(d, 0.0);+}\nfor r in tiles(n) { let s = x.at(r, ..).load().sum(r);\n[-w.at(..).atomic_add(s);-]{+w += s;+} //^ J0220\n}\ny.at(..).store(w[-.at(..).load()-]); }",
    // A dump shows elements under a literal name, and no cross-core accumulator.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let v = x.at(t).load();\nv[-.gt(0.0)-].dump(\"v\"); //^ J0201\ny.at(t).store(v); } }",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<bool>, y: &mut GlobalTensor<bool>) {\nfor t in tiles(n) { let m = x.at(t).load();\nm{+.select(1, 0)+}.dump(\"m\"); //^ J0201\ny.at(t).store(m); } }",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let v = x.at(t).load();\nv.dump([-n-]{+\"v\"+}); //^ J0106\ny.at(t).store(v); } }",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let v = x.at(t).load();\nv.dump(\"{+v+}\"); //^ J0106\ny.at(t).store(v); } }",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let v = x.at(t).load();\nv.dump(\"v\"[-, 3-]); //^ J0106\ny.at(t).store(v); } }",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {\nlet mut s = across_cores::<f32>((), 0.0);\nfor t in tiles(n) { s += x.at(t).load().sum(t);\n[-s.dump(\"s\"); //^ J0214-]\n}\ns.dump(\"s\"); y.at().store(s); }",
    // J0202 of masks that are appended.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<[-bool-]{+i8+}>) {\nfor t in tiles(n) { let v = x.at(t).load();\n\
     y.append(v.gt(0.0).cast::<[-bool-]{+i8+}>(), v.gt(1.0)); //^ J0202\n}\n}",
    // J0217 of a tile without a name.
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet own = i.at(t).load();\n\
     y.at(t, ..).store(x.at(own.max(0){+.min(m - 1)+}, ..).load()); //^ J0217\n}\n}",
    // J0218, and other mistakes with an append.
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor [-(i, t) in tiles((b, n))-]{+(i, t) in tiles((each(b), n))+} {\nlet v = x.at(i, t).load();\ny.append(v, v.gt(0.0)); //^ J0218\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor [-(t, i) in tiles((n, each(b)))-]{+(i, t) in tiles((each(b), n))+} {\nlet v = x.at(i, t).load();\ny.append(v, v.gt(0.0)); //^ J0218\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) {\nlet v = [-x.at(.., t)-]{+w.at(t)+}.load();\ny.append(v, v.gt(0.0)); //^ J0218\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) {\nlet v = w.at(t).load(); let m = [-x.at(.., t)-]{+w.at(t)+}.load();\ny.append(v, m.gt(0.0)); //^ J0218\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\n[-if n > 8 { -]y.append(v, v.gt(0.0)); [-} -]//^ J0218\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\n[-for i in 0..3 { -]for t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0)); //^ J0218\n} [-} -] c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\n[-for i in each(b) { -]for t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0)); //^ J0218\n} [-} -] c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0));\n[-y.append(v, v.lt(0.0)); //^ J0218-]\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0)); }\nfor t in tiles(z) {\n[-y-]{+z+}.at(t).store(full(t, 0.0)); //^ J0218\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0));\n[-c.at().store(y.appended()); //^ J0218-]\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0)); }\nc.at().store([-z-]{+y+}.appended()); //^ J0218\nfor t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, [-v-]{+v.gt(0.0)+}); //^ J0106\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0)[-, 3-]); //^ J0106\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\n[-w-]{+y+}.append(v, v.gt(0.0)); //^ J0211\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(b, n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>, #[shape(cap)] z: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v[-.cast::<f16>()-], v.gt(0.0)); //^ J0202\n} c.at().store(y.appended()); for t in tiles(z) { z.at(t).store(full(t, 0.0)); } }",
    "#[kernel]\nfn k(#[shape(n)] w: &GlobalTensor<f32>, #[shape(cap[-, m-])] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v, v.gt(0.0)); //^ J0218\n} }",
    "#[kernel]\nfn k(#[shape(n)] w: &GlobalTensor<[-i8-]{+i32+}>, #[shape(cap)] y: &mut GlobalTensor<[-i8-]{+i32+}>) {\nfor t in tiles(n) { let v = w.at(t).load();\ny.append(v * v, v.cast::<f32>().gt(0.0)); //^ J0203\n} }",
    // J0214
    "#[kernel]\nfn k(#[shape(n)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet v = w.at(t).load(); y.append(v, v.gt([-v.sum(t)-]{+v + 1.0+})); //^ J0214\n} }",
    // J0109: elements that an iteration stores and loads again.
    "#[kernel]\nfn k(#[inplace] #[shape(n)] w: &mut GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet v = w.at(t).load(); w.at(t).store(v - 1.0);\n\
     let u = [-w.at(t).load()-]{+v - 1.0+}; //^ J0109\ny.append(v, u.gt(0.0)); } }",
    // J0109: divided by rows, and by elements.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) { //^ J0109\nlet v = [-x.at(r, ..).load().sum(d)-]{+w.at(r).load()+}; y.append(v, w.at(r).load().gt(0.0)); } }",
    // J0217, J0216: promised indices. J0505: stores that may overlap.
    "#[kernel]\nfn k(#[shape(n)] {+#[index(m)] +}i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(t, ..).store(x.at(i.at(t).load(), ..).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet at = i.at(t).load() [-+ 1-]{+* 1+};\n\
     y.at(t, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet at = i.at(t).load()[-.cast::<f32>()-];\n\
     y.at(t, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index([-m + 1-]{+m+})] i: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(t, ..).store(x.at(i.at(t).load(), ..).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape([-m-]{+n+}, d)] y: &mut GlobalTensor<f32>, #[shape(m)] z: &GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at([-i.at(t).load()-]{+t+}, ..).store(x.at(t, ..).load()); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m)] z: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(i.at(t).load(), ..).[-store-]{+atomic_add+}(x.at(t, ..).load()); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(i.at(t).load(), ..).[-store-]{+store_any+}(x.at(t, ..).load()); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(i.at(t).load(), ..).[-store-]{+store_disjoint+}(x.at(t, ..).load()); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {\nfor t in each(n) {\n\
     let at = i.at(t).load().scalar() as usize;\nassume(0 <= at && at < m);\ny.at(at, ..).[-store-]{+store_disjoint+}(x.at(t, ..).load()); //^ J0207\n}\n}",
    // Stores at two places. The author promises nothing about the other one.
    "#[kernel]\nfn k(#[shape(n)] #[index(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     y.at(i.at(t).load(), ..).store_disjoint(x.at(t, ..).load());\n[-y.at(t, ..).store(full((t, d), 0.0));-] //^ J0505\n}\n}",
    // J0411: a load of elements that only its own iteration stores, by a promise: at the same
    // index, anywhere.
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let at = i.at(t).load();\n\
     let old = y.at(at, ..).load(); //^ J0411\ny.at(at, ..).[-store_any-]{+store_disjoint+}(old * 0.5 + x.at(t, ..).load());\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n)] #[index(m)] j: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) { let (at, other) = (i.at(t).load(), j.at(t).load());\n\
     let old = y.at([-other-]{+at+}, ..).load(); //^ J0411\ny.at(at, ..).store_disjoint(old + other.cast::<f32>() * 0.5 + x.at(t, ..).load());\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((each(n), d)) {\nlet slot = i.at(r).load().scalar(); assume(0 <= slot && slot < m);\n\
     let old = y.at(slot, t).load(); //^ J0411\nlet v = old * 0.5 + x.at(r, t).load();\n[-if slot > 2 {-] y.at(slot, t).store_disjoint(v); [-}-]\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((each(n), d)) {\nlet slot = i.at(r).load().scalar(); assume(0 <= slot && slot + 1 < m);\n\
     if slot > 2 {\nlet old = y.at(slot[- + 1-], t).load(); //^ J0411\ny.at(slot, t).store_disjoint(old * 0.5 + x.at(r, t).load());\n}\n}\n}",
    // J0411: a load whose iteration stores there in both arms of a condition, and in the arm of the
    // load.
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) { let at = i.at(t).load(); let v = x.at(t, ..).load();\n\
     let old = y.at(at, ..).load(); //^ J0411\nif c { y.at(at, ..).store_disjoint(old + v); }{+ else { y.at(at, ..).store_disjoint(old - v); }+}\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) { let at = i.at(t).load(); let v = x.at(t, ..).load();\n\
     if c { y.at(at, ..).store_disjoint(y.at(at, ..).load() + v); } else {\nlet old = y.at(at, ..).load(); //^ J0411\n{+y.at(at, ..).store_disjoint(old - v);+} }\n}\n}",
    // J0217: a tile that is one of two.
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i32>, #[shape(n)] {+#[index(m)] +}j: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) {\nlet at = if c { i.at(t).load() } else { j.at(t).load() };\n\
     y.at(t, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) {\nlet own = i.at(t).load();\nlet at = if c { own } else { (own + 1)[-.max(0)-]{+.min(m - 1)+} };\n\
     y.at(t, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(m)] i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) {\nlet mut at = i.at(t).load();\n[-at = at + 1;-]if c { at = i.at(t).load(); }\n\
     y.at(t, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    // J0216: a store that is partly outside. J0505, J0411: one that drops that part.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((n, d)) {\n\
     y.at(r + 1, t).[-store-]{+store_in+}(x.at(r, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nlet three = new_axis(3);\nfor (r, t) in tiles((n, d)) {\nfor p in each(three) {\n\
     y.at(r * [-2-]{+3+} + p, t).store_in(x.at(r, t).load()); //^ J0505\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((n, d)) {\n\
     y.at(r + 1, t).store_in([-y-]{+x+}.at(r, t).load()); //^ J0411\n}\n}",
    // J0505: a tensor and a view of it with the same first axis.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(d % 2 == 0);\nlet p = new_axis(2);\nlet q = new_axis(d / 2);\nlet v = y.view((n, p, q));\n\
     for i in each(n) {\ny.at(i, ..).store(x.at(i, ..).load());\nv.at([-n - 1 - i-]{+i+}, .., ..).store(full((p, q), 1.0)); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet at = i.at(t).load(){+.max(0)+}.min(m - 1);\n\
     y.at(t, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<f32>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet at = i.at(t).load().abs().cast_with::<i32>(RoundMode::Floor){+.min(m - 1)+};\n\
     y.at(t).store(x.at(at).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<f32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] y: &mut GlobalTensor<f32>, #[shape(m)] z: &GlobalTensor<f32>) {\nfor t in tiles(n) {\n\
     let at = i.at(t).load().cast_with::<i32>(RoundMode::Floor){+.max(0).min(m - 1)+};\ny.at(at).atomic_add(x.at(t).load()); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, m)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\nlet at = w.at(r, ..).load().argmax(m)[- + 1-];\n\
     y.at(r, ..).store(x.at(at, ..).load()); //^ J0217\n}\n}",
    // J0216, J0601, J0505: ranges that only a core knows.
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i64>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor i in each(n) {\nlet mut s = full((), 0.0);\n     let hi = at.at(i).load().scalar();\n[-assume(hi >= 0);-]{+assume(hi <= m);+}\nfor r in tiles(0..hi) {\ns = s + x.at(r).load().sum(r); //^ J0216\n}\ny.at(i).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i64>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor i in each(n) {\nlet mut s = full((), 0.0);\n     let lo = at.at(i).load().scalar();\nfor r in tiles([-lo-]{+lo.max(0)+}..m) {\ns = s + x.at(r).load().sum(r); //^ J0216\n}\ny.at(i).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i64>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor i in tiles(n) {\nlet mut s = full(i, 0.0);\n     for r in tiles(0..i.end()[- + 1-]).any_cut() {\ns = s + at.at(r).load().cast::<f32>().sum(r); //^ J0216\n}\ny.at(i).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i64>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor i in each(n) {\nlet mut s = full((), 0.0);\n     let hi = at.at(i).load().scalar();\nfor r in tiles(0..hi)[--]{+.size(64)+} { //^ J0601\ns = s + full(r, 1.0).sum(r);\n}\ny.at(i).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, m)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(m)] z: &mut GlobalTensor<f32>) {\nrequire(n < m);\n\
     for i in each(n) {\nfor r in tiles(i..i + 2) {\n[-z.at(r)-]{+y.at(i, r - i)+}.store(x.at(i, r).load()); //^ J0505\n}\n[-y.at(i, 0)-]{+z.at(i)+}.store(full((), 0.0));\n}\n}",
    // J0216: single indices in the run of a loop.
    "#[kernel]\nfn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut s = full(t, 0.0);\nfor j in tiles(m) {\nfor i in 0..j.len() {\ns = s + x.at(j.start() + i[- + 1-], t).load(); //^ J0216\n}\n}\ny.at(t).store(s);\n}\n}",
    // J0216: nonlinear expressions of loop variables, mutable values, and conditions that only a
    // core knows.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n * s, d)] y: &mut GlobalTensor<f32>, s: usize) {\nrequire(s >= 2);\n     for (i, t) in tiles((each(m), d)) {\ny.at(i, t).store(x.at([-(i + 1)-]{+i+} / s, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n * s, d)] y: &mut GlobalTensor<f32>, s: usize) {\nrequire(s >= 2);\n     for (i, t) in tiles((each(m), d)) {\ny.at(i, t).store(x.at((i * (n - 1) / (m - [-s-]{+1+})).min(n - 1), t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n * s, d)] y: &mut GlobalTensor<f32>, s: usize) {\nrequire(s >= 2);\n     for (i, t) in tiles((each(m), d)) {\nlet row = (2 * i + 1).max(s) - [-s * 2-]{+s+};\ny.at(i, t).store(x.at((row / (2 * s)).min(n - 1), t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(d) {\nlet mut s = full(t, 0.0);\nlet mut at = 0;\n     for j in 0..n {\ns = s + x.at(at{+.max(0).min(n - 1)+}, t).load(); //^ J0216\nat = at + 1;\n}\ny.at(t).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, k: usize) {\n{+require(k < m);+}\n     for (r, t) in tiles((each(n), d)) {\nlet v = x.at(r, t).load();\nif r > 0 {\ny.at(r, t).store(v * w.at(k).load()); //^ J0216\n} else {\ny.at(r, t).store(v);\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet at = w.at(0).load().scalar() as usize;\n     for t in tiles(n) {\ny.at(t).store(x.at(t).load() * x.at(at{+.max(0).min(n - 1)+}).load()); //^ J0216\n}\n}",
    // J0217, J0216: elements that are chosen in UB.
    "#[kernel]\nfn k(#[shape(m)] table: &GlobalTensor<f32>, #[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet t = table.at(..).load();\nfor i in tiles(n) {\n\
     y.at(i).store(t.pick(m, x.at(i).load(){+.max(0).min(m - 1)+})); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(m)] table: &GlobalTensor<f32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet t = table.at(..).load();\nfor i in tiles(n) {\n\
     let at = x.at(i).load(){+.abs()+}.cast_with::<i32>(RoundMode::Floor);\ny.at(i).store(t.pick(m, at.min(m - 1))); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(m)] table: &GlobalTensor<f32>, #[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet t = table.at(..).load();\nfor i in tiles(n) {\n\
     let at = x.at(i).load().cast_with::<i32>(RoundMode::Floor).max(0).min(m - 1) + 1;\ny.at(i).store(t.pick(m, at{+.min(m - 1)+})); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(k)] #[index([-k-]{+m+})] at: &GlobalTensor<i32>, #[shape(n, k)] y: &mut GlobalTensor<f32>) {\nfor i in tiles(n) {\n\
     y.at(i, ..).store(x.at(i, ..).load().pick(m, at.at(..).load())); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor i in tiles(n) {\nlet v = x.at(i, ..).load(); let mut s = full(i, 0.0);\nfor j in 0..m {\n\
     s = s + v.pick(m, [-j + 1-]{+(j + 1).min(m - 1)+}); //^ J0216\n}\ny.at(i).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n, h = m / 2)] y: &mut GlobalTensor<f32>) {\nfor i in each(n) {\nlet v = x.at(i, ..).load();\nfor t in tiles(h) {\n\
     y.at(i, t).store(v.pick(m, t * 2 + [-2-]{+1+})); //^ J0216\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>) {\nlet c = new_axis(m + 1);\nfor i in tiles(n) {\n\
     let v = x.at(i, c.indices() - 1).[-load()-]{+load_or(0.0)+}; //^ J0216\ny.at(i, ..).store(v.pick(c, m.indices()));\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>) {\nfor i in tiles(n) {\n\
     let v = x.at(i, ..).load();\ny.at(i, ..).store(v.pick(m, m.indices() [-- 1-]{+* 1+})); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor i in tiles(n) {\n\
     let v = x.at(i, ..).load(); y.at(i).store(v.pick(m, v.argmax(m){+.min(m - 1)+}[- * 2-])); //^ J0217\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n, m)] y: &mut GlobalTensor<f32>) {\nfor i in tiles(n) {\n\
     y.at(i, ..).store(x.at(i, ..).load().pick(m, m as i32 {+- 1 +}- m.iota())); //^ J0217\n}\n}",
    // J0505, J0411: additions beside stores or loads. J0210: an output that some path only adds to.
    "#[kernel]\nfn k(#[shape(n)] #[index(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\n\
     y.at(r, ..).store(x.at(r, ..).load());\n{+} for r in tiles(n) {\n+}y.at(i.at(r).load(), ..).atomic_add(x.at(r, ..).load()); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] s: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\nlet v = x.at(r).load(); y.at(r).store(v);\n\
     s.at().[-store_any(full((), 1.0))-]{+atomic_add((v * 2.0).sum(r))+};\ns.at().atomic_add(v.sum(r)); //^ J0505\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\n\
     let v = [-y-]{+x+}.at(r, ..).load(); //^ J0411\ny.at(i.at(r).load(), ..).atomic_add(v);\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool) {\nfor t in tiles(x) { let v = x.at(t).load();\nif flag { y.at(t).store(v); } else { y.at(t).[-atomic_add-]{+store+}(v); } //^ J0210\n}\n}",
    // J0203: elements that no copy adds.
    "#[kernel]\nfn k(x: &GlobalTensor<[-i64-]{+i32+}>, y: &mut GlobalTensor<[-i64-]{+i32+}>) {\nfor t in tiles(x) {\ny.at(t).atomic_add(x.at(t).load()); //^ J0203\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] #[index(n)] i: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<[-i64-]{+i8+}>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<[-i64-]{+i8+}>) {\nfor t in tiles(n) {\n\
     y.at(i.at(t).load(), ..).atomic_add(x.at(t, ..).load()); //^ J0203\n}\n}",
    // J0214: sums that count iterations, numbers that are no sums of a tile, and additions of the
    // sum of a tile to each of its places.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(..).atomic_add([-full(d, 1.0)-]{+x.at(r, ..).load().sum(r)+}); //^ J0214\n}\n}",
    "#[kernel]\nfn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) { let v = full((r, d), 2.0);\nfor j in tiles(m) {\n\
     y.at(r, ..).atomic_add(v{+ * x.at(r, j, ..).load().sum(j)+}); //^ J0214\n} }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(r).atomic_add(x.at(r).load()[-.sum(r).expand(r)-]); //^ J0214\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(..).atomic_add(x.at(r, ..).load().[-amax-]{+sum+}(r)); //^ J0214\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at().[-store_any-]{+atomic_add+}(x.at(r).load().sum(r)); //^ J0214\n}\n}",
    // J0216, J0505: scalars that are read from tiles.
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(m >= 1);\nfor (i, t) in tiles((each(n), d)) {\n\
     let j = (at.at(i).load().scalar() as usize).max(0){+.min(m - 1)+};\ny.at(i, t).store(x.at(j, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (i, t) in tiles((each(n), d)) {\n\
     let j = at.at(i).load().scalar();\nassume(j >= [-1-]{+0+} && j [-<=-]{+<+} m);\ny.at(i, t).store(x.at(j, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n, d)] w: &GlobalTensor<f32>, #[shape(n, m = 2 * d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (i, t) in tiles((each(n), d)) {\n\
     let j = (at.at(i).load().scalar() as usize).max(0).min(d{+ - 1+});\ny.at(i, t).store(x.at(i, t + j + 1).load() * w.at(i, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] at: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m = n + 1, d)] y: &mut GlobalTensor<f32>) {\nfor (i, t) in tiles((each(n), d)) {\n\
     let j = (at.at(i).load().scalar() as usize).max(0).min(1);\ny.at(i + [-j-]{+1+}, t).store(x.at(i, t).load() * j as f32); //^ J0505\n}\n}",
    // J0216: mutable values. Facts about them hold until the next assignment, also in arms and
    // loops.
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n)] j: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, o: i32) {\nfor (r, t) in tiles((each(n), d)) {\nlet mut at = i.at(r).load().scalar(); assume(0 <= at && at < m); [-at = at + 1;-]\ny.at(at, t).store_disjoint(x.at(r, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n)] j: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, o: i32) {\nrequire(m > 0);\nfor (r, t) in tiles((each(n), d)) {\nlet mut at = i.at(r).load().scalar(); [-if o > 2 {-] at = at.max(0).min(m - 1); [-}-]\ny.at(at, t).store_disjoint(x.at(r, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n)] j: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, o: i32) {\nfor (r, t) in tiles((each(n), d)) {\nlet mut at = i.at(r).load().scalar(); if o > 2 { at = 0; }\n{+assume(0 <= at && at < m);+} if o > 3 { [-assume(0 <= at && at < m);-] }\ny.at(at, t).store_disjoint(x.at(r, t).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((each(n), d)) {\nlet mut at = i.at(r).load().scalar(); [-assume(0 <= at && at < m);-]\nlet mut s = full(t, 0.0);\nfor q in 0..2 { {+assume(0 <= at && at < m);+}\ns = s + x.at(at, t).load(); //^ J0216\nat = at + 1; }\ny.at(r, t).store(s);\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((each(n), d)) {\nlet mut at = i.at(r).load().scalar(); assume(0 <= at && at < m);\nlet first = at[- + 1-];\nfor q in 0..2 { at = at + 1; }\ny.at(r, t).store(x.at(first, t).load() * at as f32); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((each(n), d)) {\nlet mut at = i.at(r).load().scalar(); assume(0 <= at && at < m);\nlet now = at;\nfor q in 0..2 { at = at + 1; }\ny.at(r, t).store(x.at([-at-]{+now+}, t).load()); //^ J0216\n}\n}",
    // J0216: 32-bit integers. Facts about them hold for the index that they become.
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n)] j: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, o: i32) {\nfor (r, t) in tiles((each(n), d)) {\nlet slot = j.at(r).load().scalar();\nif slot >= [--1-]{+0+} { let at = slot as usize; assume(at < m);\ny.at(at, t).store_disjoint(x.at(r, t).load()); //^ J0216\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] i: &GlobalTensor<i64>, #[shape(n)] j: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>, o: i32) {\nrequire(m >= 9);\nfor (r, t) in tiles((each(n), d)) {\nlet slot = j.at(r).load().scalar(); if slot [-<-]{+>=+} 0 && slot < 9 { let at = slot as usize;\ny.at(at, t).store_disjoint(x.at(r, t).load()); //^ J0216\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = n - 8)] y: &mut GlobalTensor<f32>, o: i32) {\nrequire(n >= 8); require(o >= [--1-]{+0+} && o <= 8);\nfor t in tiles(m) {\ny.at(t).store(x.at(t + o as usize).load()); //^ J0216\n}\n}",
    // J0216, J0411, J0214: scalars that are read outside of tile loops.
    "#[kernel]\nfn k(#[shape(c)] at: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(c >= 2); require(n >= 1);\n\
     let (lo, hi) = (at.at(0).load().scalar(), at.at(1).load().scalar());\n[-assume(hi <= n);-]{+assume(lo >= 0 && hi <= n);+}\nfor r in tiles(lo..hi) {\ny.at(r, ..).store(full((r, d), 0.0)); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(c)] at: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(c >= 2); require(n >= 1);\n\
     let k = at.at(c [-+-]{+-+} 1).load().scalar(); //^ J0216\nfor r in tiles(n) {\ny.at(r, ..).store(x.at(r, ..).load() * k as f32);\n}\n}",
    "#[kernel]\nfn k(#[shape(c)] at: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(c >= 2); require(n >= 1);\n\
     let k = at.at(0).load().scalar().max(0).min(n - 1);\nfor i in each(n) {\ny.at(i, ..).store(x.at(i, ..).load() + y.at([-k-]{+i+}, ..).load()); //^ J0411\n}\n}",
    "#[kernel]\nfn k(#[shape(c)] at: &GlobalTensor<i64>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nrequire(c >= 2); require(n >= 1);\n\
     let mut k = 0;\nfor r in tiles(n) {\n[--]{+let mut k = 0;+}k = 5;\ny.at(r, ..).store(x.at(r, ..).load() + k as f32);\n}\nif k > 3 { //^ J0214\nfor r in tiles(n) {\ny.at(r, ..).store(y.at(r, ..).load() * 2.0);\n}\n}\n}",
    // J0216, J0505: ranges.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(1..n[- + 1-]) {\n\
     y.at(r, ..).store(x.at(r - 1, ..).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, d)] y: &mut GlobalTensor<f32>, a: usize, b: usize) {\nrequire(b <= [-d-]{+n+});\nfor (i, t) in tiles((each(a..b), 3..d)) {\n\
     y.at(i, t).store(x.at(0, t - 3).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(n, m = d + 4)] y: &mut GlobalTensor<f32>) {\nfor (r, t) in tiles((n, 4..m)) {\n\
     y.at(r, t).store(x.at(r, t[--]{+ - 4+}).load()); //^ J0216\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {\nrequire(n >= 3);\nfor (i, t) in tiles((each(0..3), 3..n)) {\n\
     y.at(t).[-store-]{+store_any+}(x.at(t).load()[- * i as f32-]); //^ J0207\n}\n}",
    // J0209
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, [-2 * -]d)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(r, ..).store(x.at(r, ..).load() + w.at(r, ..).load()); //^ J0206\n}\n}",
    "#[kernel]\nfn k(#[shape(n, [-m-]{+d+})] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) { for c in tiles(d) {\ny.at(r, c).store(x.at(r, c).load()); //^ J0209\n} }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, [-#[shape(m)]-] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); if flag {\ny.at(t).store(w.at(t).load()); //^ J0209\n} }\n}",
    // J0211, J0210, J0219: an optional output is not read, and is stored completely where it is
    // given.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: Option<&mut GlobalTensor<f32>>) {\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v);\nif let Some(z) = z { z.at(t).store([-z.at(t).load()-]{+v+}); } //^ J0211\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: Option<&mut GlobalTensor<f32>>, c: bool) {\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v);\nif let Some(z) = z { if c { z.at(t).store(v); }{+ else { z.at(t).store(-v); }+} } //^ J0210\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: Option<&GlobalTensor<f32>>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: Option<&mut GlobalTensor<f32>>) {\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v);\nif let Some(z) = z { if let Some(w) = w { z.at(t).store(w.at(t).load()); }{+ else { z.at(t).store(v); }+} } //^ J0210\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,\n#[shape(n)] z: Option<&mut GlobalTensor<f32>>) { //^ J0210\nfor t in tiles(n) { let v = x.at(t).load(); y.at(t).store(v);{+ if let Some(z) = z { z.at(t).store(v); }+} }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(n)] z: Option<&mut GlobalTensor<f32>>) {\nfor t in tiles(n) { y.at(t).store(x.at(t).load()); }\nif let Some(z) = z { for t in tiles([-1..n-]{+n+}) {\nz.at(t).store(x.at(t).load()); //^ J0219\n} }\n}",
    // J0210
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool) {\nfor t in tiles(x) { let v = x.at(t).load();\nif flag { y.at(t).store(v); }{+ else { y.at(t).store(v * 2.0); }+} //^ J0210\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nif n > [-1-]{+0+} { //^ J0210\nfor t in tiles(n) { y.at(t).store(x.at(t).load()); }\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nlet has = d > [-1-]{+0+};\nif has { //^ J0210\nfor t in tiles(n) { y.at(t, ..).store(x.at(t, ..).load()); }\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, c: bool) {\nfor t in tiles(n) {\nif [-c || n == 0-]{+n == 0 || d == 0+} { } else { y.at(t, ..).store(x.at(t, ..).load()); } //^ J0210\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) {\nrequire(k >= [-0-]{+1+});\nfor t in tiles(x) { let v = x.at(t).load();\nfor i in 0..k { y.at(t).store(v); } //^ J0210\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) {\nrequire(k > [-2-]{+3+});\nfor t in tiles(x) { let v = x.at(t).load();\nif k > 3 { y.at(t).store(v); } //^ J0210\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) { for c in tiles(d) { let v = x.at(r, c).load();\nfor i in 4..[-4-]{+5+} { y.at(r, c).store(v); } //^ J0210\n} }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>,\ny: &mut GlobalTensor<f32>) { //^ J0210\nlet share = split(n).unit(8);\nlet mut pipe = TPipe::new(); let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 64);\n\
     let t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>(); {+data_copy_pad(y.slice(share.start(), 0), &t);+} q.free_tensor(t);\n}",
    // J0216: beside lists, a tensor that is given once has its own shape.
    "#[kernel]\nfn k(#[shape(n.., d)] xs: &[GlobalTensor<f32>], #[shape(n.., d)] ys: &mut [GlobalTensor<f32>], #[inplace] all: &mut GlobalTensor<f32>) {\n\
     for (x, y) in zip((xs, ys)) { for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load()); }\nall.at([-all.len()-]{+0+}).store_any(full::<f32>((), 1.0)); //^ J0216\n} }",
    // J0109: items may add to a tensor or store equal values to it, but not both.
    "#[kernel]\nfn k(#[shape(n.., d)] xs: &[GlobalTensor<f32>], #[shape(n.., d)] ys: &mut [GlobalTensor<f32>], #[inplace] #[shape()] all: &mut GlobalTensor<f32>) {\n\
     for (x, y) in zip((xs, ys)) { for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v); all.at().atomic_add(v.sum(d).sum(r)); }\n[-all.at().store_any(full::<f32>((), 1.0));-] //^ J0109\n} }",
    // J0211
    "#[kernel]\nfn k(#[shape(64)] x: &GlobalTensor<f32>, {+#[inplace]+} #[shape(64)] y: &mut GlobalTensor<f32>) {\nlet mut pipe = TPipe::new();\nlet (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());\n\
     pipe.init_buffer(&mut a, 1, 256);\npipe.init_buffer(&mut b, 1, 256);\nlet t = a.alloc_tensor::<f32>();\ndata_copy(&t, x.slice(0, 64));\na.enque(t);\nlet t = a.deque::<f32>();\n\
     let u = b.alloc_tensor::<f32>();\nvec::relu(&u, &t, 64);\na.free_tensor(t);\nb.enque(u);\nlet u = b.deque::<f32>();\natomic_add(y.slice(0, 64), &u); //^ J0211\nb.free_tensor(u);\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, {+#[inplace]+} y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load() + y.at(t).load()); //^ J0211\n}\n}",
    // J0212
    "#[kernel]\n#[instances(bf16, [-i32-]{+f32+})] //^ J0212\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\n#[instances((f16, f32), (f16, [-f32-]{+f16+}))] //^ J0212\nfn k<T: Float, G: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<G>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>().cast::<G>()); }\n}",
    "#[kernels]\nmod m {\n#[kernel]\n#[instances((f16, f32[-, f32-]))] //^ J0212\nfn k<T: Float, G: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<G>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>().cast::<G>()); }\n} }",
    // J0216: sizes that are one of two.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, all: bool, #[shape(m = if all { n } else { 1 })] y: &mut GlobalTensor<f32>) {\nif [-!-]all {\nfor t in tiles(n) {\n\
     y.at(t + 0).store(x.at(t).load()); //^ J0216\n}\n} else {\nfor t in tiles(m) {\ny.at(t).store(full(t, 0.0));\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, by: usize, #[shape(m = if by > 2 { n } else { 1 })] y: &mut GlobalTensor<f32>) {\nif by > [-1-]{+2+} {\nfor t in tiles(n) {\n\
     y.at(t + 0).store(x.at(t).load()); //^ J0216\n}\n} else {\nfor t in tiles(m) {\ny.at(t).store(full(t, 0.0));\n}\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, all: bool, w: usize, #[shape(m = if all && w > 3 { n } else { 1 })] y: &mut GlobalTensor<f32>) {\nif w > [-2-]{+3+} && all {\nfor t in tiles(n) {\n\
     y.at(t + 0).store(x.at(t).load()); //^ J0216\n}\n} else {\nfor t in tiles(m) {\ny.at(t).store(full(t, 0.0));\n}\n}\n}",
    // J0208: a number in an index that exceeds any tensor.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\ny.at(t).store(x.at(t - [-1099511627777-]{+1099511627776+}).load_or(0.0)); //^ J0208\n}\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(r, ..).store(x.at(r, d.indices() - [-9223372036854775807-]{+4+}).load_or(0.0)); //^ J0208\n}\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nlet far = [-1 + 1099511627776-]{+1099511627776+};\nfor t in tiles(n) {\ny.at(t).store(x.at(t + far).load_or(0.0)); //^ J0208\n}\n}",
];

const FILES_310P: &[&str] = &[
    // J0109: single elements without DataCopyPad.
    "#[kernel]\nfn k(#[shape([-n, d-]{+n+})] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\ny.at(r).store(x.at(r[-, 0-]).load()); //^ J0109\n}\n}",
    // J0203: other types than on Atlas A2. J0502: no barrier behind the zeros.
    "#[kernel]\nfn k(x: &GlobalTensor<[-i32-]{+f32+}>, #[inplace] y: &mut GlobalTensor<[-i32-]{+f32+}>) {\nfor t in tiles(x) {\ny.at(t).atomic_add(x.at(t).load()); //^ J0203\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, {+#[inplace]+} y: &mut GlobalTensor<f32>, #[shape(8)] i: &GlobalTensor<i32>) {\nfor t in tiles(x) { //^ J0502\ny.at(t).atomic_add(x.at(t).load());\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { let v = x.at(t).load(); let i = v.cast::<i32>();\n\
     let m = [-i-]{+v+}.eq([-i-]{+v+}); //^ J0203\ny.at(t).store(m.select(v, 0.0)); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<[-i64-]{+i32+}>) {\nfor t in tiles(x) {\nlet v = x.at(t).load().cast::<[-i64-]{+i32+}>(); //^ J0204\ny.at(t).store(v); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool) {\nfor t in tiles(x) { let v = x.at(t).load(); y.at(t).store(v); if flag {\nlet b = v.cast::<[-bf16-]{+f16+}>(); //^ J0204\n} }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f16>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().cast_with::<f16>(RoundMode::[-Rint-]{+Odd+})); //^ J0205\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().cast_with::<f32>(RoundMode::[-Trunc-]{+None+})); //^ J0205\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {\nfor t in tiles(x) {\ny.at(t).store(x.at(t).load().min([-65520.0-]{+65519.0+})); //^ J0208\n}\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { let v = x.at(t).load(); y.at(t).store(v);\nlet u = full::<[-bf16-]{+f16+}>(t, 0.0); //^ J0203\n}\n}",
];

const TILES: &[&str] = &[
    "if flag { let u = [-h-]{+v+} * w; } //^ J0201",
    "let mut u = v; for i in 0..3 { u = u + [-h-]{+w+}; } //^ J0201",
    "y.at(t).store(v.gt(w){+.select(v, w)+}); //^ J0202",
    "for i in 0..2 { if flag { y.at(t).store(v.cast::<[-i32-]{+f32+}>()); } } //^ J0202",
    "let u = v.cast_with::<i32>(RoundMode::[-None-]{+Rint+}); //^ J0205",
    "let u = v.cast_with::<f32>(RoundMode::[-None-]{+Rint+}); //^ J0205",
    // J0208: numbers that round to infinity or to zero in f16, by one step.
    "let u = v.cast::<f16>() + [-65520.0-]{+65519.0+}; //^ J0208",
    "let u = v.cast::<f16>() * [--65520.0-]{+-65519.0+}; //^ J0208",
    "if flag { let u = v.cast::<f16>().max([-65520-]{+65519+}); } //^ J0208",
    "const TINY: f32 = [-2.9e-8-]{+3.0e-8+};\nlet u = v.cast::<f16>() / TINY; //^ J0208",
    "let u = v.cast::<f16>().gt([--2.9e-8-]{+-3.0e-8+}).select(v, w); //^ J0208",
    "let u = v.cast::<i32>() + [-2147483648-]{+2147483647+}; //^ J0208",
    "let i: usize = [-2usize - 3-]{+3usize - 3+}; //^ J0208",
    "let u = [-y-]{+x+}.at(t).load(); //^ J0211",
    "let {+mut +}u = v;\nif flag { u = w; } //^ J0213",
    "let {+mut +}i = 0;\nfor j in 0..3 { i += 1; } //^ J0213",
    "[-n = 3;-]{+let n = 3;+} //^ J0213",
];

const ROWS: &[&str] = &[
    "if flag { let u = v.gt(0.0).select(v, [-v.gt(0.0)-]{+v+}); } //^ J0201",
    "let u = [-v-]{+v.gt(0.0)+}.any(d).select(c, 0.0); //^ J0201",
    "let u = v.gt(0.0).[-amax-]{+all+}(d).select(c, 0.0); //^ J0201",
    // J0206: a place refers to one axis, and an assignment keeps the shape.
    "let u = v.argmax([-(r, d)-]{+d+}); //^ J0206",
    "let u = [-g-]{+v+}.le(1.0).select(c, g); //^ J0206",
    "let mut m = c;\nif flag { m = [-v-]{+v.amax(d)+}; } //^ J0206",
    "let u = [-c-]{+v+}.sum(d); //^ J0206",
    "for q in tiles(d) { let u = [-v-]{+c+} + x.at(r, q).load(); } //^ J0206",
    // J0214
    "y.at(r, ..).store(v * v.sum([-r-]{+d+})); //^ J0214",
    "y.at(r, ..).store(v * v.amax([-(r, d)-]{+d+})); //^ J0214",
    "let u = v.mean([-r-]{+d+}); //^ J0214",
    "for q in tiles(d) { let u = x.at(r, q).load().[-mean-]{+sum+}(q); } //^ J0214",
    "y.at(r, ..).store(v.gt(0.0).any([-r-]{+d+}).select(v, 0.0)); //^ J0214",
    "y.at(r, ..).store(v * v.argmin([-r-]{+d+}).cast::<f32>()); //^ J0214",
    "for i in 0..2 { y.at(r, ..).store(v * (v * v).amin([-..-]{+d+})); } //^ J0214",
    // J0215
    "let u = x.at(r [-/-]{+*+} 1, ..).load(); //^ J0215",
    "let u = x.at(r * [-r-]{+1+}, ..).load(); //^ J0215",
    "for q in tiles(d) { let u = x.at(r, q[- - q-] + 0).load(); } //^ J0215",
    // J0216
    "let u = x.at(r[- + 1-], ..).load(); //^ J0216",
    "let u = x.at(r + [-n-]{+0+}, ..).load(); //^ J0216",
    "for q in tiles(d) { let u = x.at(r, q - [-1-]{+0+}).load(); } //^ J0216",
    // J0207
    "if flag { y.at(r, ..).store([-c-]{+v+}); } //^ J0207",
    "for q in tiles(d) { y.at(r, q).store([-g-]{+x.at(r, q).load()+}); } //^ J0207",
    "z.at(r).store([-v-]{+v.amin(d)+}); //^ J0207",
    "y.at(r, ..).store([-g.exp()-]{+g.expand(r) + c+}); //^ J0207",
    // J0209
    "let u = v + [-beta-]{+gamma+}.at(..).load(); //^ J0206",
    "for i in 0..2 { let u = [-gamma-]{+beta+}.at(r).load(); } //^ J0209",
    "y.at(r, ..).store(v + gamma.at([-r-]{+..+}).load()); //^ J0209",
    "for q in tiles(d) { let u = [-beta-]{+gamma+}.at(q).load(); } //^ J0209",
    "if flag { [-x-]{+y+}.at(r, ..).store(v); } //^ J0211",
];

const TENSORS: &[&str] = &[
    "let h = c.get::<[-f16-]{+f32+}>();\nvec::add(&c1, &c1, &h, 8); //^ J0201",
    "let bits = c.get::<u8>();\nvec::select(&c1, &[-c1-]{+bits.at(4096)+}, &c1, &c1, 64); //^ J0201",
    "let i = c.get::<[-i32-]{+f32+}>();\nvec::exp(&i, &i, 8); //^ J0203",
    "let i = c.get::<i32>(); if flag {\nvec::[-div-]{+mul+}(&i, &i, &i, 8); //^ J0203\n}",
    "let i = c.get::<[-i32-]{+f16+}>();\nvec::reduce_max(&i, &i, &i.at(1024), 64); //^ J0203",
    "let (bits, i) = (c.get::<u8>(), c.get::<[-bf16-]{+f16+}>());\nfor j in 0..2 {\nvec::selects(&i, &bits.at(4096), &i, 0.0, 64); //^ J0203\n}",
    "let (i, h) = (c.get::<[-i32-]{+f32+}>(), c.get::<f16>());\nvec::cast(&h, &i, RoundMode::Rint, 64); //^ J0204",
    "let (i, h) = (c.get::<bf16>(), c.get::<[-f16-]{+f32+}>());\nfor j in 0..2 {\nvec::cast(&i, &h, RoundMode::Rint, 64); //^ J0204\n}",
    // J0203, J0204: calls with another result type.
    "let (h, b) = (c.get::<[-f32-]{+f16+}>(), c.get::<i8>());\nvec::mul_cast(&b, &h.at(512), &h.at(512), 64); //^ J0203",
    "let (h, b) = (c.get::<f16>(), c.get::<[-f32-]{+i8+}>());\nvec::mul_cast(&b, &h.at(512), &h.at(512), 64); //^ J0204",
    "let (h, b) = (c.get::<f32>(), c.get::<[-i8-]{+f16+}>());\nvec::add_relu_cast(&b, &h.at(512), &h.at(512), lanes(64).repeats(1)); //^ J0204",
    "let (h, i) = (c.get::<[-bf16-]{+f16+}>(), c.get::<i32>());\nvec::cast_dequant(&h, &i.at(512), 0.5, 64); //^ J0203",
    "let (h, i) = (c.get::<f16>(), c.get::<[-f32-]{+i32+}>());\nvec::cast_dequant(&h, &i.at(512), 0.5, 64); //^ J0204",
    "let (h, i) = (c.get::<f16>(), c.get::<i32>());\nvec::cast_dequant(&h, &i.at(512), [-65520.0-]{+65519.0+}, 64); //^ J0208",
    "let i = c.get::<i32>();\nvec::cast(&i, &c1, RoundMode::[-Odd-]{+Trunc+}, 64); //^ J0205",
    "let h = c.get::<f16>(); if flag { } else {\nvec::cast(&c1, &h, RoundMode::[-Rint-]{+None+}, 64); //^ J0205\n}",
    "let h = c.get::<f16>();\nh.set_value(0, [-65520.0-]{+65519.0+}); //^ J0208",
    "let (bits, h) = (c.get::<u8>(), c.get::<f16>());\nvec::gts(&bits, &h.at(128), [-1e5-]{+1e4+}, 128); //^ J0208",
    "let h = c.get::<f16>(); for i in 0..2 {\nvec::duplicate(&h, [--1e5-]{+f32::NEG_INFINITY+}, 64); //^ J0208\n}",
    "data_copy_pad(&a1, [-y-]{+x+}.slice(share.start(), len)); //^ J0211",
    "require(n > 0);;let s = [-y-]{+x+}.get_value(0); //^ J0211\nvec::duplicate(&c1, s, 8);",
];

const QUEUES: &[&str] = &[
    "let {+mut +}e = TBuf::<VecCalc>::new();\npipe.init_buffer(&mut e, 1, 64); //^ J0213",
    "let t = b.alloc_tensor::<f32>(); b.enque(t); let t = b.deque::<f32>();\ndata_copy_pad([-x-]{+y+}.slice(at, len), &t); //^ J0211\nb.free_tensor(t);",
];

const PIPE_310P: &[&str] = &[
    "let (mut q, mut m) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut q, 1, 256); pipe.init_buffer(&mut m, 1, 32);\n\
     let (i, bits) = (q.get::<[-i32-]{+f32+}>(), m.get::<u8>());\nvec::eqs(&bits, &i, 0, 64); //^ J0203",
];
