//! Sizes that the host must know, unproved bounds, and arguments of a launch.

use super::{file, Table, B1, P3};
use crate::check::tests::frames::{with_pipe, with_sums, with_tensors, with_tensors_aligned};

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: with_pipe,
        rows: HOST,
    },
    Table {
        chip: B1,
        frame: file,
        rows: FILES,
    },
    Table {
        chip: B1,
        frame: with_tensors,
        rows: OPEN,
    },
    Table {
        chip: P3,
        frame: with_tensors_aligned,
        rows: OPEN_310P,
    },
    Table {
        chip: B1,
        frame: with_sums,
        rows: TURNS,
    },
    Table {
        chip: B1,
        frame: launched,
        rows: LAUNCHES,
    },
    Table {
        chip: B1,
        frame: solved,
        rows: SOLVED,
    },
];

const HOST: &[&str] = &[
    // J0601: the plan of the host is made before a core runs.
    "let s = split([-get_block_idx()-]{+given+}); //^ J0601",
    "let mut a = TQue::<VecIn, 1>::new();\npipe.init_buffer(&mut a, 1, [-share.len()-]{+n+}); //^ J0601",
    "let mut a = TBuf::<VecCalc>::new(); let at = [-share.start()-]{+given+} + 8;\npipe.init_buffer(&mut a, 1, at); //^ J0601",
    "let s = split(n).unit(8).block_dim([-share.len()-]{+given+}); //^ J0601",
    "[-if given > 3 {-]\nlet s = split(n); //^ J0601\n[-}-]",
    "[-for i in 0..2 {-]\nlet t = fit_tile(8); //^ J0601\n[-}-]",
    "let n = fit_tile(64); //^ J0601\nlet q = n; (*[-60-]{+2+}: let q = q.min(q + 1); *)\nlet mut a = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut a, 1, q);",
];

const FILES: &[&str] = &[
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, n: usize) {\nrequire([-get_block_idx()-]{+n+} > 0); //^ J0601\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, n: usize) {\nlet i = [-get_block_idx()-]{+n+} * 8;\nfor t in tiles(x).size(i) { y.at(t).store(x.at(t).load()); } //^ J0601\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) {\nfor c in tiles(d).size([-r.len()-]{+d+} * 8) { y.at(r, c).store(x.at(r, c).load()); } //^ J0601\n}\n}",
    // J0604: facts that a launch can meet.
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d < 4);\nrequire(d > [-3-]{+2+}); //^ J0604\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nrequire(d % 16 == [-16-]{+15+}); //^ J0604\nfor r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load()); }\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32, i: i32) {\nrequire(i > [-2147483647-]{+2147483646+}); //^ J0604\nfor t in tiles(x) { y.at(t).store(x.at(t).load() * s); }\n}",
    "#[kernels]\nmod m {\nconst MOST: usize = [-7-]{+8+};\n#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, b: bool) {\nrequire(n >= 8 && b);\n\
     require(n <= MOST); //^ J0604\nlet share = split(n).unit(8);\nlet mut pipe = TPipe::new(); let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 64);\n\
     let t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>(); data_copy_pad(y.slice(share.start(), 0), &t); q.free_tensor(t);\n} }",
];

/// `z` has 64 elements, `a1` and `c1` have 2048 of f32, `w` has `m`, and `v` has `r * d`.
const OPEN: &[&str] = &[
    // J0602: a fact proves a bound, and the next weaker fact does not.
    "require(m <= [-2049-]{+2048+});;data_copy_pad(&a1, w.slice(0, m)); //^ J0602",
    // A place that is data stays where its own expression keeps it.
    "let e = c.get::<i32>(); let v = e.get_value(0);\nlet s = z.get_value(v.max([--1-]{+0+}).min([-64-]{+63+}) as usize); //^ J0602",
    "let e = c.get::<i32>(); let v = e.get_value(0); let at = v.max(0)[-.max(64)-]{+.min(7)+};\nlet s = z.get_value(at as usize); //^ J0308",
    "require(m >= [-0-]{+1+});;let e = c.get::<i32>(); let v = e.get_value(0);\nlet s = w.get_value((v.max(0) as usize).min(m - 1)); //^ J0602",
    "require(m >= 1);;let e = c.get::<i32>(); let v = e.get_value(0);\nlet s = w.get_value((v[-.min(5)-]{+.max(0)+} as usize) % m); //^ J0602",
    "require([-2049-]{+2048+} >= m);;data_copy_pad(&a1, w.slice(0, m)); //^ J0602",
    "require(m < [-2050-]{+2049+} && r > 0);;data_copy_pad(&a1, w.slice(0, m)); //^ J0602",
    "require(m [->-]{+=+}= 2048);;data_copy_pad(&a1, w.slice(0, m)); //^ J0602",
    "require(m != [-2048-]{+2049+}); require(m <= [-2049-]{+2048+});;data_copy_pad(&a1, w.slice(0, m)); //^ J0602",
    "require(r <= 8); require(d <= [-257-]{+256+});;data_copy_pad(&a1, v.slice(0, r * d)); //^ J0602",
    "for i in 0..[-9-]{+8+} {\ndata_copy_pad(&a1, z.slice(i * 8, 8)); //^ J0602\n}",
    "for i in [-0-]{+1+}..9 {\ndata_copy_pad(&a1, z.slice((i - 1) * 8, 8)); //^ J0602\n}",
    "for i in 0..8 {\ndata_copy_pad(&a1, z.slice(i * 8, [-9-]{+8+})); //^ J0602\n}",
    "require(k <= [-8-]{+7+});;for i in 0..k + 1 {\ndata_copy_pad(&a1, z.slice(i * 8, 8)); //^ J0602\n}",
    "for i in 0..r[- + 1-] {\ndata_copy_pad(&a1, v.slice(i * d, d.min(64))); //^ J0602\n}",
    "for i in 0..r { for j in 0..d.div_ceil(64) {\nlet n = (d - j * 64).min([-128-]{+64+}); data_copy_pad(&a1.at(0), v.slice(i * d + j * 64[- + 1-], n)); //^ J0602\n} }",
    "for i in 0..m.div_ceil(2048) { let at = i * 2048;\nlet n = [-2048-]{+(m - at).min(2048)+}; data_copy_pad(&a1, w.slice(at, n)); //^ J0602\n}",
    "for i in 0..m[-.div_ceil(2048)-]{+ / 2048+} {\ndata_copy_pad(&a1, w.slice(i * 2048, 2048)); //^ J0602\n}",
    "require(k >= [-0-]{+1+} && k <= 2048);;for i in 0..m.div_ceil(k) {\nlet n = k.min(m - i * k); data_copy_pad(&a1, w.slice(i * k, n)); //^ J0602 J0602\n}",
    "require(k >= 4); require(k <= [-61-]{+60+});;\ndata_copy_pad(&a1, z.slice(k - 4, 8)); //^ J0602",
    "require(k >= [-3-]{+4+}); require(k <= 60);;data_copy_pad(&a1, z.slice(k - 4, 8)); //^ J0602",
    "require(k >= [-3-]{+4+}); require(k <= 64);;data_copy_pad(&a1.at(0), z.slice(0, k - 4)); //^ J0602 J0602",
    "if m <= [-2049-]{+2048+} {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "if m > 2048 { data_copy_pad(&a1, w.slice(0, 2048)); } else {\ndata_copy_pad(&a1, w.slice(0, m[-.max(k)-])); //^ J0602 J0602\n}",
    "if m < [-2048-]{+2049+} { } else {\ndata_copy_pad(&a1, w.slice(1, 2048)); //^ J0602\n}",
    "if !(m > [-2049-]{+2048+}) {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "if flag || m > [-2049-]{+2048+} { } else {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "if flag [-&&-]{+||+} m > 2048 { } else {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "if !(flag && m <= 2048) { } else {\ndata_copy_pad(&a1, w.slice(0, m.max([-k-]{+0+}))); //^ J0602 J0602\n}",
    "let small = m <= [-2049-]{+2048+}; if !small { } else {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "let large = m > [-2049-]{+2048+}; if large { } else {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "if k + 8 <= m[- + 1-] {\ndata_copy_pad(&a1, w.slice(k, 8)); //^ J0602\n}",
    "if flag[- || m <= 2048-]{+ && m <= 2048+} {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    "if m <= 2048 { [-}-]\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n{+ } +}",
    "let mut i = 0; [-let p = i;-]{+let p = 8;+} i += 8;\ndata_copy_pad(&a1, z.slice(p, 8)); //^ J0602",
    "let [-mut -]i = k; if i + 8 <= m { [-i += 1;-]\ndata_copy_pad(&a1, w.slice(i, 8)); //^ J0602\n}",
    "let [-mut -]i = k; for j in i..i + 8 { [-i += 8;-]\ndata_copy_pad(&a1, z.slice(j - i, 8)); //^ J0602\n}",
    "require(m <= 2048);;let [-mut -]i = k.min(m); for j in 0..i { [-i = 0;-]\ndata_copy_pad(&a1, w.slice(j, m - i)); //^ J0602 J0602\n}",
    "require(m >= [-0-]{+1+});;data_copy_pad(&a1, w.slice(m - 1, 1)); //^ J0602",
    "let by = [-k-]{+get_block_num()+}; for i in 0..m.div_ceil(by) {\nlet n = by.min(m - i * by).min(2048); data_copy_pad(&a1, w.slice(i * by, n)); //^ J0602 J0602\n}",
    // The least value of each kind of expression.
    "let t = r * (k[- - n-]) / 2;\ndata_copy_pad(&a1, z.slice(t.min(56), 8)); //^ J0602",
    "let t = (r + (k[- - n-])) / 2;\ndata_copy_pad(&a1, z.slice(t.min(56), 8)); //^ J0602",
    "let t = if flag { k } else { k[- - n-] };\ndata_copy_pad(&a1, z.slice(t.min(56), 8)); //^ J0602",
    "let t = (k[- - n-]).min(n);\ndata_copy_pad(&a1, z.slice(t.min(56), 8)); //^ J0602",
    "let t = (k - n){+.max(0)+}.min(56);\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "let t = ([-k - n-]{+k+}) % 8;\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(n >= [-0-]{+1+});;let t = (k % n).min(56);\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(n >= [-0-]{+1+});;let t = (k / n).min(56);\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(m >= [-0-]{+1+});;let t = m.div_ceil(2048).min(8);\ndata_copy_pad(&a1, z.slice((t - 1) * 8, 8)); //^ J0602",
    "require(m >= [-7-]{+8+});;let t = (m / 8).min(8);\ndata_copy_pad(&a1, w.slice(m - 8, t)); //^ J0602",
    // Upper bounds of each kind of expression.
    "let t = k % [-58-]{+57+};\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(k <= [-456-]{+455+});;let t = k / 8;\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(k <= [-449-]{+448+});;let t = k.div_ceil(8);\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "let t = k.min([-8-]{+7+}) * 8;\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(k <= 56);;let t = if flag { k } else { [-57-]{+56+} };\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "require(k <= [-57-]{+56+});;let t = k.max(3);\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "let t = k.[-max-]{+min+}(56).min(57);\ndata_copy_pad(&a1, z.slice(t, 8)); //^ J0602",
    "let t = [-s-]{+8+}; let n = t as usize;\nvec::duplicate(&c1, 0.0, n); //^ J0602",
    "require(k < [-2048-]{+2047+});;c1.set_value(k + [-1-]{+0+}, 0.0); //^ J0602",
    "require(k % 8 == 0 && k <= [-2048-]{+2040+});;vec::duplicate(&c1.at(k), 0.0, 8); //^ J0602",
    "vec::reduce_max(&c1, &c1, &c1.at([-2040-]{+2016+}), len.min(1024)); //^ J0602",
    "vec::relu(&c1.at(512), &c1, len.min([-1024-]{+512+})); //^ J0602",
    "require(k % 8 == 0 && k <= 1024);;vec::relu(&c1.at(k), &c1{+.at(k)+}, 64); //^ J0602",
    "require(k % 8 == 0 && k <= [-2048-]{+2040+});;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\nvec::brcb(&e1, &c1, k); //^ J0602",
    "data_copy_pad(&a1, z.slice([-k * 9223372036854775807 + 9223372036854775807-]{+k - k+}, 8)); //^ J0602",
];

const OPEN_310P: &[&str] = &[
    "require(m % 8 == 0); require(m <= [-2056-]{+2048+});;data_copy(&a1, w.slice(0, m)); //^ J0602",
    "vec::reduce_sum(&c1, &c1, &c1.at([-2040-]{+2032+}), len.min(1024)); //^ J0602",
];

/// Copies of two iterations that may overlap. `q` is a tensor to be stored.
const TURNS: &[&str] = &[
    "if get_block_idx() == 0 { for i in 0..4 {\ndata_copy_pad(y.slice(i * 8, len{+.min(8)+}), &q); //^ J0602\n} }",
    "if get_block_idx() == 0 { for i in 0..4 { for j in 0..4 {\ndata_copy_pad(y.slice(i * [-31-]{+32+} + j * 8, 8), &q); //^ J0602\n} } }",
];

/// Returns a kernel with two axes and attributes of each type, and one launch.
fn launched(row: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(n.., 2 * d)] y: &mut GlobalTensor<f32>,\n\
         s: f32, i: i32, u: usize, #[default(true)] b: bool) {{\nfor t in tiles(y) {{ y.at(t).store(full(t, s)); }}\n}}\n{row}"
    )
}

const LAUNCHES: &[&str] = &[
    // J0603: shapes that fit the signature.
    "//@ x 4 8; g [-9-]{+8+}; s 1.0; i 1; u 1 //^ J0603",
    "//@ x 4 8; g 8[- 1-]; s 1.0; i 1; u 1 //^ J0603",
    "//@ x [-[]-]{+8+}; g 8; s 1.0; i 1; u 1 //^ J0603",
    "//@ x 2 3 8; g 8; y [-5-]{+6+} 16; s 1.0; i 1; u 1; b true //^ J0603",
    "//@ x 2 3 8; g 8; y 2 3 [-8-]{+16+}; s 1.0; i 1; u 1 //^ J0603",
    "//@ [-g 8-]{+x 8; g 8+}; s 1.0; i 1; u 1 //^ J0603",
    "//@ x 0 8; g 8; y [-1-]{+0+} 16; s 1.0; i 1; u 1 //^ J0603",
    // J0605: attributes of the signature.
    "//@ x 4 8; g 8; s 1.0; i 1[-; v 1-]{+; u 1+} //^ J0605",
    "//@ x 4 8; g 8; s 1.0; [-u 1-]{+i 1; u 1+} //^ J0605",
    "//@ x 4 8; g 8; s 1.0; i [-1.0-]{+1+}; u 1 //^ J0605",
    "//@ x 4 8; g 8; s 1; i [-2147483648-]{+2147483647+}; u 1 //^ J0605",
    "//@ x 4 8; g 8; s 1; i [--2147483649-]{+-2147483648+}; u 1 //^ J0605",
    "//@ x 4 8; g 8; s 1.0; i -1; u [--1-]{+0+} //^ J0605",
    "//@ x 4 8; g 8; s [-true-]{+1+}; i 1; u 1 //^ J0605",
    "//@ x 4 8; g 8; s 1.0; i 1; u 1; b [-1-]{+false+} //^ J0605",
];

/// Returns a kernel whose inputs give only sums of the sizes of its axes, and one launch.
fn solved(row: &str) -> String {
    let outputs =
        ["n", "m", "p"].map(|axis| format!("#[shape({axis})] y{axis}: &mut GlobalTensor<f32>"));
    let loops = ["n", "m", "p"]
        .map(|axis| format!("for t in tiles({axis}) {{ y{axis}.at(t).store(full(t, 0.0)); }}"));
    format!(
        "#[kernel]\nfn k(#[shape(n + 1)] a: &GlobalTensor<i32>, #[shape(3 * m + n, p - n)] b: &GlobalTensor<f32>, {}) {{\n\
         require(p >= n); let s = a.at(0).load() + b.at(0, 0).load().cast::<i32>();\n{}\n}}\n{row}",
        outputs.join(", "),
        loops.join("\n").replacen("0.0", "s.scalar() as f32", 1)
    )
}

const SOLVED: &[&str] = &[
    // J0603: an input of `n + 1` elements determines `n`.
    "//@ a 5; b [-11-]{+10+} 3 //^ J0603",
    "//@ a [-0-]{+1+}; b 3 2 //^ J0603",
    "//@ [-b 10 3-]{+a 5; b 10 3+} //^ J0603",
    "//@ a 5; b 10 3; ym [-3-]{+2+} //^ J0603",
    "//@ a 5; b 10 3; yn 4; yp [-6-]{+7+} //^ J0603",
];
