//! Features of the chip, and the cores of a launch.

use super::{file, Table, B1, P3};
use crate::check::tests::frames::{with_pipe, with_sums};

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: P3,
        frame: file,
        rows: FILES_310P,
    },
    Table {
        chip: P3,
        frame: with_pipe,
        rows: PIPE_310P,
    },
    Table {
        chip: B1,
        frame: file,
        rows: FILES,
    },
    Table {
        chip: B1,
        frame: with_pipe,
        rows: PIPE,
    },
    Table {
        chip: B1,
        frame: with_sums,
        rows: SUMS,
    },
];

const FILES_310P: &[&str] = &[
    // J0502
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nfor t in tiles(n) {\nlet v = x.at(t).load(); y.[-append(v, v.gt(0.0))-]{+at(t).store(v)+}; //^ J0502\n}\n}",
    // J0501: a chip without bf16.
    "#[kernel]\nfn k(x: &GlobalTensor<[-bf16-]{+f16+}>, //^ J0501\ny: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>()); }\n}",
    "#[kernel]\n#[instances(f16, [-bf16-]{+f32+})]\nfn k<T: Float>(x: &GlobalTensor<f32>,\ny: &mut GlobalTensor<T>) { //^ J0501\nfor t in tiles(x) { y.at(t).store(x.at(t).load().cast::<T>()); }\n}",
    "#[kernel]\nfn k<T: [-Float-]{+Int+}>(x: &GlobalTensor<T>, //^ J0501\ny: &mut GlobalTensor<T>) { //^ J0501\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\n#[instances((f16, f16), (f16, [-bf16-]{+f32+}))]\nfn k<T: Float, G: Float>(#[shape(n, d)] x: &GlobalTensor<T>,\n#[shape(d)] g: &GlobalTensor<G>, //^ J0501\n\
     y: &mut GlobalTensor<f32>) {\nfor r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load().cast::<f32>() * g.at(..).load().cast::<f32>()); }\n}",
];

const PIPE_310P: &[&str] = &[
    "let mut q = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut q, 1, 64);\nlet h = q.get::<[-bf16-]{+f16+}>(); //^ J0501\nh.set_value(0, 1.0);",
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 1, 64);\nif given > 3 {\nlet h = q.alloc_tensor::<[-bf16-]{+f32+}>(); //^ J0501\nq.free_tensor(h); }",
    // J0502: a chip without DataCopyPad.
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 1, 64); let t = q.alloc_tensor::<T>();\ndata_copy[-_pad-](&t, x.slice(share.start(), 0)); //^ J0502\nq.free_tensor(t);",
    "let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 64);\nfor i in 0..given { let t = q.alloc_tensor::<T>(); q.enque(t); let t = q.deque::<T>();\n\
     data_copy[-_pad-](y.slice(share.start(), 0), &t); //^ J0502\nq.free_tensor(t); }",
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 1, 64); let t = q.alloc_tensor::<T>();\nif given > 3 { } else if n >= 16 {\ndata_copy[-_pad-](&t, x.slice(0, 16)); //^ J0502\n}\nq.free_tensor(t);",
];

const FILES: &[&str] = &[
    // The indices `g` and `1 - g` differ for any `g`: an odd number is not 0.
    "#[kernel]\nfn k(#[shape(a, d, b)] v: &GlobalTensor<f32>, #[shape(a, m, b)] x: &mut GlobalTensor<f32>, g: usize) {\nrequire(m == 2 * d);\n\
     let two = new_axis(2);\nlet x = x.view((a, two, d, b));\nfor (i, r, t) in tiles((a, d, b)) {\nlet w = v.at(i, r, t).load();\n\
     x.at(i, g, r, t).store(w); //^ J0219\nx.at(i, [-g-]{+1 - g+}, r, t).store(w * 2.0);\n}\n}",
    "#[kernel]\nfn k(#[shape(a, d, b)] v: &GlobalTensor<f32>, #[shape(a, c, d, b)] x: &mut GlobalTensor<f32>, g: usize, h: usize) {\nrequire(g < h && c == 2);\n\
     for (i, r, t) in tiles((a, d, b)) {\nlet w = v.at(i, r, t).load();\nx.at(i, g, r, t).store(w); //^ J0219\nx.at(i, [-g-]{+h+}, r, t).store(w * 2.0);\n}\n}",
    // J0503: 1 to 65535 blocks.
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).block_dim([-65536-]{+65535+}) { y.at(t).store(x.at(t).load()); } //^ J0503\n}",
    "#[kernels]\nmod m {\nconst CORES: usize = 32768 * 2[--]{+ - 1+};\n#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n\
     for r in tiles(n).size(1).block_dim(CORES) { y.at(r, ..).store(x.at(r, ..).load()); } //^ J0503\n} }",
    // J0504: chips of the table.
    "#[kernel]\n#[chips([-ascend910x-]{+ascend910b+})] //^ J0504\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernel]\n#[chips(ascend910b1, [-ascend310-]{+ascend310p+})] //^ J0504\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n}",
    "#[kernels]\nmod m {\n#[kernel]\n#[chips([-ascend910b5-]{+ascend910b4+})] //^ J0504\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x) { y.at(t).store(x.at(t).load()); }\n} }",
    // J0505: neighbouring blocks, where no launch is small.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\nrequire(n % 4096 == 0 && n >= 100000);\n\
     let share = split(n).unit(8); let at = get_block_idx() * [-4-]{+8+};\nlet mut pipe = TPipe::new(); let mut q = TQue::<VecOut, 1>::new();\n\
     pipe.init_buffer(&mut q, 1, 32);\nif at + 8 <= n {\nlet t = q.alloc_tensor::<f32>(); vec::duplicate(&t, at as f32, 8); q.enque(t);\n\
     let t = q.deque::<f32>();\ndata_copy(y.slice(at, 8), &t); //^ J0505\nq.free_tensor(t);\n}\n}",
    // J0505: one block, or a place for each.
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(8)] y: &mut GlobalTensor<f32>) {\nlet share = split(n).unit(8){+.block_dim(1)+};\nlet mut pipe = TPipe::new();\n\
     let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 256);\nlet t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>();\n\
     data_copy_pad(y.slice(0, 8), &t); //^ J0505\nq.free_tensor(t);\n}",
    "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(8)] y: &mut GlobalTensor<f32>) {\nlet mut pipe = TPipe::new();\n\
     let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 256);\nlet t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>();\n[-let cores = get_block_num();-]\n\
     data_copy_pad(y.slice(0, 8), &t); //^ J0505\nq.free_tensor(t);\n}",
];

const PIPE: &[&str] = &[
    "let s = split(n).block_dim([-65536-]{+65535+}); //^ J0503",
    "let s = split(n).block_dim(4);\nlet r = split(n * 2).block_dim([-2-]{+4+}); //^ J0503",
    "let s = split(n).block_dim(given);\nlet g = given[- + 1-]; let r = split(n * 2).block_dim(g); //^ J0503",
];

/// `p` holds the sum of the block's share, and `q` a value that is equal in every block.
const SUMS: &[&str] = &[
    "{+if share.start() == 0 { +}\ndata_copy_pad(y.slice(0, 8), &q); //^ J0505\n{+ } +}",
    "{+if get_block_idx() == 7 { +}\ndata_copy_pad(y.slice(0, 1), &[-p-]{+q+}); //^ J0505\n{+ } +}",
    "if get_block_idx() == 0 {\ndata_copy_pad(y.slice(0, 1), &[-p-]{+q+}); //^ J0505\n}",
    "if share.start() == 0 { if flag {\ndata_copy_pad(y.slice(0, 1), &[-p-]{+q+}); //^ J0505\n} }",
    "if get_block_idx() < 4096 { let at = [-0-]{+get_block_idx()+};\ndata_copy_pad(y.slice(at, 1), &p); //^ J0505\n}",
    "if [-flag-]{+get_block_idx() == 0+} {\ndata_copy_pad(y.slice(0, 8), &q); //^ J0505\n}",
    "if share.[-len() > 0-]{+start() == 0+} {\ndata_copy_pad(y.slice(8, 8), &q); //^ J0505\n}",
    "if get_block_idx() < 4096 { for i in [-0..1-]{+get_block_idx()..get_block_idx() + 1+} {\ndata_copy_pad(y.slice(i, 1), &p); //^ J0505\n} }",
    "if get_block_idx() == 0 { for i in 0..4 {\ndata_copy_pad(y.slice(i * 8, 8), &[-p-]{+q+}); //^ J0505\n} }",
    "let first = get_block_idx() < 1;\nif flag { } else if first {\ndata_copy_pad(y.slice(4, 1), &[-p-]{+q+}); //^ J0505\n}",
    "if get_block_idx() == 0 { } else {\ndata_copy_pad(y.slice(4, 1), &[-p-]{+q+}); //^ J0505\n}",
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, [-share.len()-]{+n+} as f32, 8); o.enque(f);\n\
     let f = o.deque::<f32>(); if share.start() == 0 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, 0.0, 8);\n\
     for i in 0..[-share.len()-]{+n+} { f.set_value(0, i as f32); } o.enque(f);\n\
     let f = o.deque::<f32>(); if share.start() == 0 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, 0.0, 8);\n\
     if flag { vec::duplicate(&f, [-at-]{+n+} as f32, 8); } o.enque(f);\n\
     let f = o.deque::<f32>(); if get_block_idx() == 3 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, at as f32, 8);\n\
     vec::duplicate(&f{+.at(0)+}[-.at(8)-], 0.0, [-0-]{+8+}); o.enque(f);\n\
     let f = o.deque::<f32>(); if get_block_idx() == 3 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    // Neighbours whose places overlap: by their distance, by a place for each two, and by an
    // iteration.
    "let k = get_block_idx() * [-4-]{+8+}; if k < 4000 {\ndata_copy_pad(y.slice(k, 8), &q); //^ J0505\n}",
    "let k = get_block_idx() [-/ 2-]{+* 2+}; if k < 500 {\ndata_copy_pad(y.slice(k * 8, 8), &q); //^ J0505\n}",
    "for i in 0..2 { let k = get_block_idx() * [-8-]{+16+} + i * 8; if k < 4000 {\ndata_copy_pad(y.slice(k, 8), &q); //^ J0505\n} }",
    // A write of one element replaces no others.
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, [-at-]{+n+} as f32, 8);\n\
     f.set_value(0, 1.0); o.enque(f);\n\
     let f = o.deque::<f32>(); if get_block_idx() == 3 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    // A sum over as many elements as a share has belongs to the block. A write of so many elements
    // does not.
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, 0.0, 8);\n\
     vec::duplicate(&w, 1.0, 128); vec::reduce_sum(&f, &w, &w.at(64), [-share.len().min(64)-]{+64+}); o.enque(f);\n\
     let f = o.deque::<f32>(); if get_block_idx() == 3 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, [-at-]{+n+} as f32, 8);\n\
     vec::relu(&f, &f, share.len().min(8)); o.enque(f);\n\
     let f = o.deque::<f32>(); if get_block_idx() == 3 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f);",
    // The next iteration stores what one iteration leaves.
    "vec::duplicate(&w, 0.0, 8); let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32);\n\
     for i in 0..2 { let f = o.alloc_tensor::<f32>(); vec::relu(&f, &w, 8); o.enque(f); let f = o.deque::<f32>();\n\
     if get_block_idx() == 0 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f); vec::duplicate(&w, [-at-]{+n+} as f32, 8); }",
    "for j in 0..3 { vec::duplicate(&w, 0.0, 8); } let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32);\n\
     for i in 0..2 { let f = o.alloc_tensor::<f32>(); vec::relu(&f, &w, 8); o.enque(f); let f = o.deque::<f32>();\n\
     if get_block_idx() == 0 {\ndata_copy_pad(y.slice(0, 8), &f); //^ J0505\n} o.free_tensor(f); \n\
     let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, [-x.slice(at, len)-]{+z.slice(0, 8)+}); a.enque(t); let t = a.deque::<f32>(); vec::relu(&w, &t, 8); a.free_tensor(t); }",
];
