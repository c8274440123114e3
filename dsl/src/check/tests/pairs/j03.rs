//! Memory: the capacity of UB, alignment of copies and calls, and their ends.

use super::{file, Table, B1, P3};
use crate::check::tests::frames::{with_pipe, with_tensors, with_tensors_aligned};

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: with_pipe,
        rows: DECLARED,
    },
    Table {
        chip: P3,
        frame: with_pipe,
        rows: DECLARED_310P,
    },
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
    Table {
        chip: P3,
        frame: with_tensors_aligned,
        rows: TENSORS_310P,
    },
];

/// The frame's queue `o` is one block of VECOUT and 32 bytes.
const DECLARED: &[&str] = &[
    // J0301: eight blocks for each position.
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0301\npipe.init_buffer(&mut a, [-9-]{+8+}, 32);",
    "let mut a = TQue::<VecOut, 1>::new(); //^ J0301\npipe.init_buffer(&mut a, [-8-]{+7+}, 32);",
    "let mut a = TQue::<VecIn, 2>::new(); pipe.init_buffer(&mut a, 4, 64);\n\
     let mut b = TQue::<VecIn, 1>::new(); //^ J0301\npipe.init_buffer(&mut b, 4 + [-1-]{+0+}, 32);",
    "let num = 2 * size_of::<T>()[- + 1-];\nlet mut a = TQue::<VecIn, 1>::new(); //^ J0301\npipe.init_buffer(&mut a, num, 32);",
    "let mut a = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut a, 8, 32);\n\
     let mut b = TQue::<[-VecIn-]{+VecOut+}, 1>::new(); //^ J0301\npipe.init_buffer(&mut b, 1, 32);",
    "let mut a = TQue::<VecCalc, 1>::new(); pipe.init_buffer(&mut a, 7, 32);\n\
     let mut b = TQue::<VecCalc, 1>::new(); //^ J0301\npipe.init_buffer(&mut b, [-2-]{+1+}, 32);",
    // J0303: 64 buffers in all.
    "let n = fit_tile(8); //^ J0303\n(*[-64-]{+63+}: let mut t% = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut t%, 1, n);\n*)",
    "const MANY: usize = 8;\nlet n = fit_tile(8); //^ J0303\n\
     let mut a = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut a, MANY, n); let mut b = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut b, 7, n);\n\
     (*[-49-]{+48+}: let mut t% = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut t%, 1, 32);\n*)",
    // J0304: 188160 bytes, in whole data blocks.
    "let mut t = TBuf::<VecCalc>::new(); //^ J0304\npipe.init_buffer(&mut t, 1, [-188129-]{+188128+});",
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0304\npipe.init_buffer(&mut a, 2, [-94049-]{+94048+});",
    "let n = [-23517-]{+23516+}; let mut t = TBuf::<VecCalc>::new(); //^ J0304\npipe.init_buffer(&mut t, 1, n * 2 * size_of::<T>());",
    "let mut s = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut s, 1, [-65-]{+64+});\n\
     let mut t = TBuf::<VecCalc>::new(); //^ J0304\npipe.init_buffer(&mut t, 1, 188064);",
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0304\npipe.init_buffer(&mut a, [-3-]{+2+}, 62752); let mut t = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut t, 1, 64);",
    // J0305: counts and units that are numbers from 1 on.
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0305\npipe.init_buffer(&mut a, size_of::<T>() - [-3-]{+1+}, 32);",
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0305\npipe.init_buffer(&mut a, [-given.max(1)-]{+2+}, 32);",
    "let half = size_of::<T>() - [-2-]{+1+};\nlet s = split(n).unit(half); //^ J0305",
    "let t = fit_tile(size_of::<T>() - [-2-]{+1+}); //^ J0305",
    "let s = split(n).unit([-given-]{+size_of::<T>()+}); //^ J0305",
    "let mut t = TBuf::<VecCalc>::new();\npipe.init_buffer(&mut t, [-2-]{+1+}, 64); //^ J0305",
    "let s = split(n).unit([-0-]{+1+}); //^ J0305",
    "let s = split(n).block_dim([-0-]{+1+}); //^ J0305",
];

const DECLARED_310P: &[&str] = &[
    "(*8: let mut q% = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q%, 1, 32);\n*)\
     [-let mut last = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut last, 1, 32); //^ J0301-]",
    "let n = fit_tile(8); //^ J0303\nlet mut a = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut a, 2 * size_of::<T>(), n);\n\
     (*[-56-]{+55+}: let mut t% = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut t%, 1, 32);\n*)",
    "let mut t = TBuf::<VecCalc>::new(); //^ J0304\npipe.init_buffer(&mut t, 1, [-253921-]{+253920+});",
];

const FILES: &[&str] = &[
    // J0302: rows that cannot be streamed, since a scalar changes between statements. A row takes
    // two buffers, with arms three, and one more to keep the sources of a sum separate.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d >= [-23521-]{+23520+});\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d > [-23520-]{+23519+});\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(n > 3 && [-15617-]{+15616+} <= d);\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } let v = x.at(r, ..).load(); for i in 0..2 { if i > 0 { y.at(r, ..).store(v * s + v.exp()); } else { y.at(r, ..).store(v.exp() + v * v); } } } //^ J0302\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire([-23520-]{+23519+} < d);\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d == [-23521-]{+23520+});\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    "#[kernel]\nfn k(#[shape(n, [-11761-]{+11760+})] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n\
     for r in tiles(n).buffer_num(2) { let mut s = 1.0; for i in 0..n { s = s * 2.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    "#[kernel]\n#[instances([-f32-]{+f16+})]\nfn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nrequire(d >= 23521);\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    // A streamed row always fits.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d >= 100000);\n\
     for r in tiles(n) { let [-mut-] s = 2.0; [-for _ in 0..1 { s = s + 1.0; }-] let mut v = x.at(r, ..).load(); v = v * s; y.at(r, ..).store(v); } //^ J0302\n}",
    // J0303 at tile level: two buffers in, two out, and one for each value that is kept.
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { //^ J0303\n\
     let v = x.at(t).load(); (*[-61-]{+60+}: let mut m% = v * %.0; *)\nlet s = v * 2.0; for _ in 0..1 { (*[-61-]{+60+}: m% = m% + s; *) }\n\
     let u = m0; (*[-61-]{+60+}: let u = u + m%; *)\ny.at(t).store(u);\n}\n}",
    // J0304: given sizes, with four buffers of f32.
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).size([-11768-]{+11760+}) { y.at(t).store(x.at(t).load().exp()); } //^ J0304\n}",
    "#[kernel]\nfn k(#[shape(n, 1024)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).size([-12-]{+11+}) { y.at(r, ..).store(x.at(r, ..).load().exp()); } //^ J0304\n}",
    "#[kernel]\nfn k(#[shape(n, 8)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).size([-1471-]{+1470+}) { y.at(r, ..).store(x.at(r, ..).load().exp()); } //^ J0304\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d >= [-1065-]{+1064+});\nfor r in tiles(n).size(11) { y.at(r, ..).store(x.at(r, ..).load().exp()); } //^ J0304\n}",
    "#[kernel]\n#[instances(f16, [-f32-]{+bf16+})]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor t in tiles(x).size(23520).buffer_num([-2-]{+1+}) { y.at(t).store(x.at(t).load()); } //^ J0304\n}",
    // J0305: given sizes are whole data blocks for any element type.
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).size([-100-]{+104+}) { y.at(t).store(x.at(t).load().exp()); } //^ J0305\n}",
    "#[kernel]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor t in tiles(x).size([-104-]{+112+}) { y.at(t).store(x.at(t).load()); } //^ J0305\n}",
    "#[kernel]\n#[instances(f16, f32)]\nfn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nfor t in tiles(x).size(16 * (size_of::<T>() - [-2-]{+1+})) { y.at(t).store(x.at(t).load()); } //^ J0305\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nconst W: usize = [-7-]{+8+};\n\
     for r in tiles(n) { //^ J0305\nfor c in tiles(d).size(W) { y.at(r, c).store(x.at(r, c).load().exp()); } }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).buffer_num([-9-]{+8+}) { y.at(t).store(x.at(t).load()); } //^ J0305\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).buffer_num([-0-]{+1+}) { y.at(t).store(x.at(t).load()); } //^ J0305\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).block_dim([-0-]{+1+}) { y.at(t).store(x.at(t).load()); } //^ J0305\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).size([-0-]{+1+}) { y.at(r, ..).store(x.at(r, ..).load().exp()); } //^ J0305\n}",
    // J0306 and J0307: data blocks have 16 elements of 16 bits.
    "#[kernel]\n#[instances([-f16-]{+f32+})]\nfn k<T: Float>(#[shape(64)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nlet mut pipe = TPipe::new();\n\
     let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 256);\nlet t = q.alloc_tensor::<T>(); q.enque(t); let t = q.deque::<T>();\n\
     data_copy(y.slice(0, 8), &t); //^ J0306\nq.free_tensor(t);\n}",
    "#[kernel]\n#[instances([-f16-]{+f32+})]\nfn k<T: Float>(#[shape(64)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\nlet mut pipe = TPipe::new();\n\
     let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 256);\nlet t = q.alloc_tensor::<T>(); q.enque(t); let t = q.deque::<T>();\n\
     data_copy_pad(y.slice(0, 5), &t.at(8)); //^ J0307\nq.free_tensor(t);\n}",
];

const FILES_310P: &[&str] = &[
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d >= [-31745-]{+31744+});\n\
     for r in tiles(n) { let mut s = 2.0; for _ in 0..1 { s = s + 1.0; } y.at(r, ..).store(x.at(r, ..).load() * s); } //^ J0302\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d >= 256);\nfor r in tiles(n).size([-63-]{+62+}) { let v = x.at(r, ..).load(); y.at(r, ..).store(v.exp()); } //^ J0304\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n\
     for r in tiles(n).size([-4-]{+8+}) { y.at(r, ..).store(x.at(r, ..).load() * c.at(r).load()); } //^ J0305\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] c: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n\
     for r in tiles(n).size(12) { y.at(r, ..).store(x.at(r, ..).load() * [-c.at(r).load()-]{+2.0+}); } //^ J0305\n}",
];

/// `z` has 64 elements, `a1` and `c1` have 2048 of f32, `w` has `m`, and `v` has `r * d`.
const TENSORS: &[&str] = &[
    // J0306: lengths of plain copies.
    "data_copy(&a1, z.slice(0, [-7-]{+8+})); //^ J0306",
    "data_copy(&a1, z.slice(0, [-60-]{+56+})); //^ J0306",
    "require(m % [-4-]{+8+} == 0); require(m <= 2048);;data_copy(&a1, w.slice(0, m)); //^ J0306",
    "require(m % 8 == [-4-]{+0+}); require(m <= 2048);;data_copy(&a1, w.slice(0, m)); //^ J0306",
    "require([-4-]{+0+} == m % 16 && m <= 2048);;if flag {\ndata_copy(&a1, w.slice(0, m)); //^ J0306\n}",
    "require(m % 8 == 0);;let s2 = split(m).unit([-4-]{+8+}); let n = s2.len().min(2048);\ndata_copy(&a1, w.slice(s2.start(), n)); //^ J0306",
    "require(m % [-4-]{+8+} == 0);;let s2 = split(m).unit(8); let n = s2.len().min(2048);\ndata_copy(&a1, w.slice(s2.start(), n)); //^ J0306",
    "require(m % 8 == 0);;let n = m.min([-2044-]{+2048+});\ndata_copy(&a1, w.slice(0, n)); //^ J0306",
    "require(d % [-4-]{+8+} == 0 && r * d <= 2048);;data_copy(&a1, v.slice(0, r * d)); //^ J0306",
    "require(k % [-17-]{+16+} == 0 && k <= 64);;let half = k / 2;\ndata_copy(&a1, z.slice(0, half)); //^ J0306",
    "require(k % 8 == 0); require(k <= 64);;let half = k / [-2-]{+1+};\ndata_copy(&a1, z.slice(0, half)); //^ J0306",
    "require(k <= 7);;for i in 0..k {\ndata_copy(&a1, z.slice(0, i * [-4-]{+8+})); //^ J0306\n}",
    "require(m == [-1020-]{+1024+});;data_copy(&a1, w.slice(0, m)); //^ J0306",
    "require(k <= 60);;let n = k{+ / 8 * 8+};\ndata_copy(&a1, z.slice(0, n)); //^ J0306",
    // J0307: starts of parts of tensors.
    "vec::duplicate(&c1.at([-7-]{+8+}), 0.0, 8); //^ J0307",
    "data_copy_pad(&a1.at([-12-]{+16+}), z.slice(0, 3)); //^ J0307",
    "vec::relu(&c1, &c1.at([-9-]{+16+}), 8); //^ J0307",
    "vec::reduce_max(&c1.at(3), &c1.at([-4-]{+8+}), &c1.at(1024), 8); //^ J0307",
    "for i in 0..8 {\nvec::duplicate(&c1.at(i * [-4-]{+8+}), 0.0, 8); //^ J0307\n}",
    "require(k % [-4-]{+8+} == 0 && k <= 8);;vec::duplicate(&c1.at(k), 0.0, 8); //^ J0307",
    "let h = c.get::<f16>();\nvec::duplicate(&h.at([-8-]{+16+}), 0.0, 8); //^ J0307",
    "let bits = c.get::<u8>();\nvec::gts(&bits.at([-4088-]{+4096+}), &c1, 0.0, 64); //^ J0307",
    "const AT: usize = [-4-]{+8+};\nif flag { } else {\nvec::[-duplicate(&c1.at(AT), 0.0, 8)-]{+duplicate(&c1.at(AT), 1.0, 8)+}; //^ J0307\n}",
    // J0308: both ends of tensors in GM.
    "data_copy_pad(&a1, z.slice(56, [-9-]{+8+})); //^ J0308",
    "let s = z.get_value([-64-]{+63+}); //^ J0308",
    "data_copy_pad(&a1, z.slice([-57-]{+56+}, 8)); //^ J0308",
    "data_copy_pad(&a1, z.slice([-65-]{+64+}, 0)); //^ J0308",
    "data_copy_pad(&a1, z.slice(n - n - [-1-]{+0+}, 8)); //^ J0308",
    "data_copy_pad(&a1, z.slice(0, n - n - [-1-]{+0+})); //^ J0308",
    "require(m <= 2047);;data_copy_pad(&a1, w.slice(0, m + [-1-]{+0+})); //^ J0308",
    "require(k >= [-65-]{+64+}); require(k <= 70);;if flag {\ndata_copy_pad(&a1, z.slice(0, [-k-]{+k.min(64)+})); //^ J0308\n}",
    "require(k <= 3);;data_copy_pad(&a1, z.slice(k{+ + 1+} - [-4-]{+k+}, 8)); //^ J0308",
    "for i in 8..[-k-]{+9+} {\ndata_copy_pad(&a1, z.slice(i * 8[- + 8-]{+ - 64+}, 8)); //^ J0308\n}",
    "if m > [-7-]{+8+} { if m < [-9-]{+10+} {\ndata_copy_pad(&a1, w.slice(m - 8, [-9-]{+8+})); //^ J0308\n} }",
    // Code that no launch reaches is not judged.
    "require(m <= [-2050-]{+2048+});;if m > 2048 {\ndata_copy_pad(&a1, w.slice(0, 2049)); //^ J0309\n}",
    "for i in 8..[-9-]{+8+} {\ndata_copy_pad(&a1, z.slice(i * 8, 8)); //^ J0308\n}",
    "require(k >= 8);;if k >= [-9-]{+8+} { } else {\ndata_copy_pad(&a1, z.slice(0, 65)); //^ J0308\n}",
    "const ON: bool = [-true-]{+false+};\nif ON {\ndata_copy_pad(&a1, z.slice(0, 65)); //^ J0308\n}",
    // J0309: both ends of tensors in UB.
    "vec::duplicate(&c1, 0.0, [-2049-]{+2048+}); //^ J0309",
    "vec::duplicate(&c1.at([-2048-]{+2040+}), 0.0, 8); //^ J0309",
    "vec::duplicate(&c1.at(n - n - [-8-]{+0+}), 0.0, 8); //^ J0309",
    "vec::duplicate(&c1, 0.0, n - n - [-1-]{+0+}); //^ J0309",
    "let s2 = c1.get_value([-2048-]{+2047+}); //^ J0309",
    "c1.set_value([-2048-]{+2047+}, 0.0); //^ J0309",
    "vec::reduce_max(&c1.at([-2048-]{+2047+}), &c1, &c1.at(1024), 64); //^ J0309",
    "let h = c.get::<f16>();\nvec::duplicate(&h, 0.0, [-4097-]{+4096+}); //^ J0309",
    "let bits = c.get::<u8>();\nvec::gts(&bits.at([-8192-]{+8160+}), &c1, 0.0, 256); //^ J0309",
    "let bits = c.get::<u8>();\nvec::gts(&bits.at(8160), &c1, 0.0, [-320-]{+256+}); //^ J0309",
    "require(m >= [-2049-]{+2048+}); require(m <= 2049);;if m {+<+}[->-]= 2048 {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0309\n}",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 36); let e1 = e.get::<f32>();\nvec::duplicate(&e1, 0.0, [-17-]{+16+}); //^ J0309",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\nvec::brcb(&c1, &e1, [-264-]{+256+}); //^ J0309",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\nvec::brcb(&c1.at([-8-]{+0+}), &e1, 256); //^ J0309",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\nvec::brcb(&c1, &e1.at([-2048-]{+2040+}), 8); //^ J0309",
    "vec::reduce_max(&c1, &c1, &c1.at(2032), [-513-]{+512+}); //^ J0309",
    "vec::reduce_min(&c1, &c1, &c1.at([-2040-]{+2032+}), 512); //^ J0309",
    // Data blocks by offsets.
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1, &c1, &e1, [-40-]{+32+}); //^ J0309",
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1, &c1, &e1.at([-256-]{+248+}), 8); //^ J0309",
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1, &c1.at([-2048-]{+2040+}), &e1, 8); //^ J0309",
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1[-.blocks(2, 17)-], &c1, &e1, 32); //^ J0309",
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&c1, &c1.at([-56-]{+64+}), &e1, 8); //^ J0311",
    "require(k <= 32); require(k % [-4-]{+8+} == 0);;let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1, &c1, &e1, k); //^ J0310",
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1.blocks(1, [-256-]{+255+}), &c1, &e1, 8); //^ J0310",
    "let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 1024); pipe.init_buffer(&mut f, 1, 1024); let (e1, f1) = (e.get::<i32>(), f.get::<f32>());\nvec::gatherb(&f1, &c1, &e1, [-12-]{+16+}); //^ J0310",
    // J0311: results that overwrite operands.
    "vec::add(&c1[-.at(8)-], &c1, &c1{+.at(64)+}, 64); //^ J0311",
    "vec::muls(&c1.at(64), &c1[-.at(72)-], 2.0, 64); //^ J0311",
    "for i in 0..4 {\nvec::exp(&c1.at(i * 64 + [-8-]{+64+}), &c1.at(i * 64), 64); //^ J0311\n}",
    "require(k % 8 == 0 && k >= 8 && k <= [-56-]{+64+}[--]{+ && k >= 64+});;vec::abs(&c1.at(k), &c1, 64); //^ J0311",
    "let d1 = c.get::<f32>();\nif flag {\nvec::sub(&d1.at([-16-]{+0+}), &c1.at(8), &c1{+.at(8)+}, [-64-]{+8+}); //^ J0311\n}",
    "let h = c.get::<i32>();\nvec::local_copy(&c1.at(8), &c1[-.at(64)-]{+.at(72)+}, 64); //^ J0311\nvec::duplicate(&h, 0, 8);",
    // With different widths, no repeat may read what an earlier one wrote.
    "let h = c.get::<f16>();\nvec::cast(&h.at([-80-]{+64+}), &c1, RoundMode::Rint, 65); //^ J0311",
    "let h = c.get::<f16>();\nvec::cast(&c1, &h, RoundMode::None, [-65-]{+64+}); //^ J0311",
    "let h = c.get::<f16>();\nvec::cast(&c1, &h.at([-64-]{+80+}), RoundMode::None, [-129-]{+80+}); //^ J0311",
    // Bits of masks, blocks and work buffers do not overlap operands.
    "let bits = c.get::<u8>();\nvec::gts(&bits.at([-224-]{+256+}), &c1, 0.0, 64); //^ J0311",
    "let bits = c.get::<u8>();\nvec::selects(&c1, &bits.at([-224-]{+256+}), &c1, 0.0, 64); //^ J0311",
    "vec::brcb(&c1, &c1[-.at(56)-]{+.at(64)+}, 8); //^ J0311",
    "vec::brcb(&c1[-.at(0)-]{+.at(8)+}, &c1, 8); //^ J0311",
    "vec::reduce_max(&c1, &c1, &c1.at([-56-]{+64+}), 64); //^ J0311",
    "vec::reduce_min(&c1.at(2000), &c1.at(64), &c1{+.at(8)+}[-.at(64)-], 512); //^ J0311",
    // J0310: counts that an op does not take.
    "vec::local_copy(&c1, &c1.at(64), [-7-]{+8+}); //^ J0310",
    "require(k % [-4-]{+8+} == 0); require(k <= 64);;vec::local_copy(&c1, &c1.at(64), k); //^ J0310",
    "let h = c.get::<f16>();\nvec::local_copy(&h, &h.at(64), [-8-]{+16+}); //^ J0310",
    "require(k <= 64); require(k % [-4-]{+8+} == 0);;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\nvec::brcb(&c1, &e1, k); //^ J0310",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\nfor i in 1..4 {\nvec::brcb(&c1, &e1, i * [-12-]{+16+}); //^ J0310\n}",
    // Brcb counts its repeats in 8 bits.
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\nvec::brcb(&e1, &c1, [-2048-]{+2040+}); //^ J0310",
    "require(k % 8 == 0); require(k >= [-2048-]{+2040+}); require(k <= [-2048-]{+2040+});;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536);\n\
     let e1 = e.get::<f32>();\nif flag {\nvec::brcb(&e1, &c1, k); //^ J0310\n}",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, [-224-]{+256+}); let (e1, bits) = (e.get::<f32>(), c.get::<u8>());\n\
     vec::gts(&bits, &e1, 0.0, 56); //^ J0310",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 288); let (e1, bits) = (e.get::<f32>(), c.get::<u8>());\n\
     vec::le(&bits, &c1.at(64), &e1, [-72-]{+64+}); //^ J0310",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 256); let (e1, bits) = (e.get::<f32>(), c.get::<u8>());\n\
     vec::gts(&bits, &e1.at([-8-]{+0+}), 0.0, 56); //^ J0310",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, [-256-]{+288+}); let (e1, bits) = (e.get::<f32>(), c.get::<u8>());\n\
     vec::lt(&bits, &c1.at(64), &e1.at(8), 56); //^ J0310",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 512); let (e1, bits) = (e.get::<f32>(), c.get::<u8>());\n\
     vec::gts(&bits, &e1.at([-72-]{+64+}), 0.0, 56); //^ J0310",
    "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, [-480-]{+512+}); let (e1, bits) = (e.get::<f16>(), c.get::<u8>());\n\
     if flag {\nvec::eqs(&bits, &e1, 0.0, 240); //^ J0310\n}",
];

const TENSORS_310P: &[&str] = &[
    "data_copy(&a1, z.slice(0, [-12-]{+16+})); //^ J0306",
    "vec::duplicate(&c1.at([-4-]{+8+}), 0.0, 8); //^ J0307",
    "data_copy(&a1, z.slice([-64-]{+56+}, 8)); //^ J0308",
    "vec::reduce_sum(&c1, &c1, &c1.at(2040), [-513-]{+512+}); //^ J0309",
    "vec::reduce_sum(&c1, &c1, &c1.at([-2048-]{+2040+}), 64); //^ J0309",
    "vec::local_copy(&c1, &c1.at(64), [-20-]{+24+}); //^ J0310",
];
