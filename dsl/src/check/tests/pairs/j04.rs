//! The queue protocol.

use super::{file, Table, B1, P3};
use crate::check::tests::frames::{
    with_lines, with_pipe, with_placed, with_queues, with_sums, with_tensors,
};

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: with_queues,
        rows: STATES,
    },
    Table {
        chip: B1,
        frame: with_queues,
        rows: BALANCE,
    },
    Table {
        chip: B1,
        frame: with_queues,
        rows: PLACES,
    },
    Table {
        chip: B1,
        frame: with_pipe,
        rows: MEMORY,
    },
    Table {
        chip: P3,
        frame: with_pipe,
        rows: ON_310P,
    },
    Table {
        chip: B1,
        frame: with_sums,
        rows: TURNS,
    },
    Table {
        chip: B1,
        frame: file,
        rows: IN_PLACE,
    },
    Table {
        chip: B1,
        frame: with_tensors,
        rows: MEETINGS,
    },
    Table {
        chip: B1,
        frame: with_placed,
        rows: BY_HAND,
    },
    Table {
        chip: B1,
        frame: with_tensors,
        rows: RESULTS,
    },
    Table {
        chip: B1,
        frame: with_lines,
        rows: LINES,
    },
    Table {
        chip: P3,
        frame: with_lines,
        rows: LINES,
    },
    Table {
        chip: B1,
        frame: with_lines,
        rows: LINES_OF_WORK,
    },
];

/// J0416: `y` has 256 elements for each block, which is 16 lines, from `at` on; `o` is 64 ones.
const LINES: &[&str] = &[
    // Not written back: at all, not all of it, not in all iterations, or not on all paths.
    "y.set_value(at, 0.5); //^ J0416\n{+y.data_cache_clean_and_invalid(at);+}",
    "y.set_value(at + 2, 0.5); //^ J0416\ny.data_cache_clean_and_invalid(at + [-3-]{+2+});",
    "y.set_value(at + 15, 0.5); y.set_value(at + [-16-]{+14+}, 1.0); //^ J0416\ny.data_cache_clean_and_invalid(at);",
    "for i in 0..32 {\ny.set_value(at + i, 0.5); //^ J0416\n}\nfor i in 0..[-1-]{+2+} { y.data_cache_clean_and_invalid(at + i * 16); }",
    "for i in 0..turns {\ny.set_value(at, 0.5); //^ J0416\nif i + 1 [-<-]{+<=+} turns { y.data_cache_clean_and_invalid(at); } }",
    "y.set_value(at, 0.5); //^ J0416\n[-if flag {-] y.data_cache_clean_and_invalid(at); [-}-]",
    // Lines of two blocks.
    "y.set_value(b * [-8-]{+16+}, 0.5); //^ J0416\ny.data_cache_clean_and_invalid(b * [-8-]{+16+});",
    "y.set_value(b * 256, 0.5); y.data_cache_clean_and_invalid(b * 256);\n\
     if b > 0 {\ny.set_value(b * 256 - [-256 + 1-]{+32+}, 0.5); //^ J0416\ny.data_cache_clean_and_invalid(b * 256 - [-256 + 1-]{+32+}); }",
    "if b == 0 {\ny.set_value(256, 0.5); //^ J0416\ny.data_cache_clean_and_invalid(256); }\n\
     if b == 1 { data_copy(y.slice([-256 + 8-]{+256 + 16+}, 8), &o); }",
    // A copy that bypasses a change.
    "y.set_value(at + 3, 0.5); {+y.data_cache_clean_and_invalid(at + 3); set_flag::<S_MTE2>(0); wait_flag::<S_MTE2>(0);+}\n\
     data_copy(&t, y.slice(at, 8)); //^ J0416\ny.data_cache_clean_and_invalid(at + 3);",
    "y.set_value(at + 3, 0.5); {+y.data_cache_clean_and_invalid(at + 3); set_flag::<S_MTE3>(0); wait_flag::<S_MTE3>(0);+}\n\
     data_copy(y.slice(at + 8, 8), &o); //^ J0416\n[-y.data_cache_clean_and_invalid(at + 3);-]",
    "y.set_value(at + 3, 0.5);\ndata_copy(&t, y.slice(at + [-0-]{+8+}, 8)); //^ J0416\ny.data_cache_clean_and_invalid(at + 3);",
    // A line that was read before a copy stores there.
    "let a = y.get_value(at); data_copy(y.slice(at, 8), &o); set_flag::<MTE3_S>(0); wait_flag::<MTE3_S>(0); {+y.data_cache_clean_and_invalid(at);+}\n\
     let b = y.get_value(at + 1); //^ J0416",
    "let a = y.get_value(at); data_copy(y.slice(at, 8), &o); set_flag::<MTE3_S>(0); wait_flag::<MTE3_S>(0);\n\
     y.set_value(at + [-9-]{+17+}, a); //^ J0416\ny.data_cache_clean_and_invalid(at + [-9-]{+17+});",
    // The order of the write-back and the copies.
    "y.set_value(at, 0.5); y.data_cache_clean_and_invalid(at); {+set_flag::<S_MTE2>(0); wait_flag::<S_MTE2>(0);+}\n\
     data_copy(&t, y.slice(at, 8)); //^ J0414",
    "data_copy(y.slice(at, 8), &o); {+set_flag::<MTE3_S>(0); wait_flag::<MTE3_S>(0);+}\n\
     y.set_value(at + 8, 0.5); //^ J0414\ny.data_cache_clean_and_invalid(at + 8);",
    "data_copy(&t, y.slice(at, 8)); {+set_flag::<MTE2_S>(0); wait_flag::<MTE2_S>(0);+}\n\
     y.set_value(at + 7, 0.5); //^ J0414\ny.data_cache_clean_and_invalid(at);",
];

/// J0416 for a workspace, which blocks hand on to one another at a barrier.
const LINES_OF_WORK: &[&str] = &[
    "w.set_value(b * 16, 0.5); {+w.data_cache_clean_and_invalid(b * 16);+} sync_all();\n\
     w.set_value((b + 1) % 4 * 16, 0.5); //^ J0416\nw.data_cache_clean_and_invalid((b + 1) % 4 * 16); [-w.data_cache_clean_and_invalid(b * 16);-]\ndata_copy(y.slice(at, 8), &o);",
    "w.set_value(b * [-8-]{+16+}, 0.5); //^ J0416\nw.data_cache_clean_and_invalid(b * [-8-]{+16+}); sync_all(); let s = w.get_value((b + 1) % 4 * [-8-]{+16+});\ndata_copy(y.slice(at, 8), &o);",
];

/// J0415: `c1` is a TBuf of 2048 elements, `p` and `q` are two parts of it of 64, and `o` is a
/// tensor of the VECOUT queue.
const RESULTS: &[&str] = &[
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::exp(&p, &q, 64);\n\
     vec::abs(&[-p-]{+c1.at(128)+}, &q, 64); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::exp(&p, &q, 64); {+vec::add(&o.at(64), &p, &q, 64);+}\n\
     vec::abs(&p, &q, 64); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::exp(&p, &q, 64);\n\
     vec::abs(&p, &q, [-64-]{+32+}); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::exp(&p, &q, 64);\n\
     vec::abs(&p, &[-q-]{+p+}, 64); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::exp(&p, &q, 64);\n{+if flag { +}\n\
     vec::abs(&p, &q, 64); //^ J0415\n{+ }+}\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nfor i in 0..k {\nvec::exp(&p, &q, 64); {+ }+}\n\
     vec::abs(&p, &q, 64); //^ J0415\n[-}-]\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::[-exp(&p, &q, 64)-]{+duplicate(&p, 0.0, 64)+};\n\
     vec::abs(&p, &q, 64); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nlet m = len.min(64); vec::exp(&p, &q, m);\n\
     vec::abs(&p, &q, m{+.min(8)+}); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
    ";; let (p, q, o) = (c1.at(0), c1.at(64), b.alloc_tensor::<f32>()); vec::duplicate(&q, 0.5, 64);\nvec::exp(&p, &q, 64); {+let s = p.get_value(3);+}\n\
     vec::abs(&p, &q, 64); //^ J0415\nvec::add(&o, &p, &q, 64); b.free_tensor(o);",
];

/// J0413 and J0414: order by hand, where `t` and `u` are placed tensors of 64 elements.
const BY_HAND: &[&str] = &[
    // Flags of events.
    "{+set_flag::<V_S>(0);+}\nwait_flag::<V_S>(0); //^ J0413",
    "for i in 0..turns {\nset_flag::<V_S>(i % 2); //^ J0413\n{+wait_flag::<V_S>(i % 2);+} }",
    "set_flag::<V_S>(0); if flag {\nset_flag::<V_S>([-0-]{+1+}); //^ J0413\n{+wait_flag::<V_S>(1);+} }\nwait_flag::<V_S>(0);",
    "for i in 0..turns { set_flag::<S_V>(i % 3);\nwait_flag::<S_V>([-i % 2-]{+i % 3+}); //^ J0413\n}",
    // Accesses of pipes.
    "data_copy(&t, z.slice(0, 64)); {+set_flag::<MTE2_V>(0); wait_flag::<MTE2_V>(0);+}\nvec::relu(&u, &t, 64); //^ J0414",
    "data_copy(&t, z.slice(0, 64)); set_flag::<MTE2_V>(0); wait_flag::<MTE2_V>(0); vec::relu(&u, &t, 64); {+set_flag::<V_MTE2>(1); wait_flag::<V_MTE2>(1);+}\n\
     data_copy(&t, z.slice(0, 64)); //^ J0414",
    "vec::duplicate(&t, 0.0, 64); {+set_flag::<V_S>(0); wait_flag::<V_S>(0);+}\nlet s = t.get_value(63); //^ J0414",
    "vec::duplicate(&t, 0.0, 64); pipe_barrier::<[-PIPE_V-]{+PIPE_ALL+}>();\nt.set_value(1, 0.5); //^ J0414",
    "data_copy(&t, z.slice(0, 64));\ndata_copy(&[-t.at(32)-]{+u+}, z.slice(0, 32)); //^ J0414",
    "vec::duplicate(&t, 0.0, 64); vec::duplicate(&u, 0.0, 64); set_flag::<V_MTE3>(0); wait_flag::<V_MTE3>(0); data_copy_pad(y.slice(at, 8.min(len)), &t);\n\
     {+pipe_barrier::<PIPE_MTE3>();+}\ndata_copy_pad(y.slice(at, 8.min(len)), &u); //^ J0414",
];

/// J0412: the host knows `k`, `flag` and `n`, and `c1` is a tensor.
const MEETINGS: &[&str] = &[
    "if [-get_block_idx()-]{+k+} == 0 {\nsync_all(); //^ J0412\n}",
    "if [-share.len()-]{+n+} > 0 { } else {\nsync_all(); //^ J0412\n}",
    "for i in 0..[-share.len()-]{+k+} { if i < 3 && n > get_block_num() {\nsync_all(); //^ J0412\n} }",
    "for i in share.start()..share.start() + 1 { [-if flag {-]{+}+}\nsync_all(); //^ J0412\n[-} }-]",
    "let far = [-share.start()-]{+k+} + 8; let mine = far > 16; if flag { if mine {\nsync_all(); //^ J0412\n} }",
    "let mut turns = 0; if [-get_block_idx()-]{+k+} > 3 { turns = 1; } for i in 0..turns {\nsync_all(); //^ J0412\n}",
    "let mut more = true; for i in 0..k { if more {\nsync_all(); //^ J0412\n} let at = [-get_block_idx()-]{+k+} + i; more = at < 8; }",
    "vec::duplicate(&c1, 0.0, 8); let v = c1.get_value(0); if [-v > 0.0-]{+flag+} {\nsync_all(); //^ J0412\n}",
];

/// `a` is a VECIN queue and `b` a VECOUT queue, both with two buffers and depth two; `c` is a TBuf.
const STATES: &[&str] = &[
    // J0401: the queue orders the pipes.
    "let t = a.alloc_tensor::<f32>(); let w = c.get::<f32>(); data_copy_pad(&t, x.slice(at, len));\n{+a.enque(t); let t = a.deque::<f32>(); +}\
     vec::relu(&w, &t, len); //^ J0401\na.free_tensor(t);",
    "for i in 0..turns { let t = b.alloc_tensor::<f32>(); vec::duplicate(&t, 0.0, len);\n{+b.enque(t); let t = b.deque::<f32>(); +}\
     data_copy_pad(y.slice(at, len), &t); //^ J0401\nb.free_tensor(t); }",
    "if flag { let t = a.alloc_tensor::<f32>(); {+data_copy_pad(&t, x.slice(at, len)); +}a.enque(t); let t = a.deque::<f32>();\n\
     [-data_copy_pad(&t, x.slice(at, len)); //^ J0401-]\na.free_tensor(t); }",
    "let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, x.slice(at, len));\n{+a.enque(t); let t = a.deque::<f32>(); +}\
     let s = t.get_value(0); //^ J0401\na.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>(); let w = c.get::<f32>();\nvec::reduce_max(&w, &w, &[-t-]{+w+}.at(1024), 64); //^ J0401\na.free_tensor(t);",
    "let t = [-a-]{+b+}.alloc_tensor::<f32>();\nvec::duplicate(&t, 0.0, 8); //^ J0401\n[-a-]{+b+}.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>(); {+a.enque(t); let t = a.deque::<f32>();+} let u = t.at(8); let w = c.get::<f32>();\n\
     vec::add(&w, &w, &u, 8); //^ J0401\na.free_tensor(t);",
    "let t = [-a-]{+b+}.alloc_tensor::<f32>();\nt.set_value(0, 1.0); //^ J0401\n[-a-]{+b+}.free_tensor(t);",
    // J0402: a freed tensor is not used.
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.deque::<f32>(); let w = c.get::<f32>();\n\
     [-a.free_tensor(t);-] vec::relu(&w, &t, len); //^ J0402\n{+a.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>(); a.free_tensor(t);\n[-a.free_tensor(t); //^ J0402-]",
    "let t = b.alloc_tensor::<f32>();\n[-b.free_tensor(t);-] b.enque(t); //^ J0402\n{+let t = b.deque::<f32>(); b.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.free_tensor(t); } else { a.free_tensor(t); }\n[-a.free_tensor(t); //^ J0402-]",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nfor i in 0..turns {\n[-a.free_tensor(t); //^ J0402-]\n}{+ a.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>();\nfor i in 0..turns {{+ let t = a.alloc_tensor::<f32>();+} if flag {\na.free_tensor(t); //^ J0402\n} else { a.free_tensor(t); } }\n{+a.free_tensor(t);+}",
    "let t = b.alloc_tensor::<f32>(); b.enque(t); let t = b.deque::<f32>();\n[-b.free_tensor(t);-] data_copy_pad(y.slice(at, len), &t); //^ J0402\n{+b.free_tensor(t);+}",
    "let t = b.alloc_tensor::<f32>(); let u = t.at(16);\n[-b.free_tensor(t);-] vec::duplicate(&t.at(8), 0.0, 8); //^ J0402\n{+b.free_tensor(t);+}",
    // J0403: an enqueued tensor is not used.
    "let t = b.alloc_tensor::<f32>();\n[-b.enque(t);-] vec::duplicate(&t, 0.0, 8); //^ J0403\n{+b.enque(t);+} let t = b.deque::<f32>(); b.free_tensor(t);",
    "let t = b.alloc_tensor::<f32>(); b.enque(t);\n[-b.enque(t); //^ J0403-]\nlet t = b.deque::<f32>(); b.free_tensor(t);",
    "[-let t = b.alloc_tensor::<f32>();-] for i in 0..turns { {+let t = b.alloc_tensor::<f32>();+}\nb.enque(t); //^ J0403\nlet u = b.deque::<f32>(); b.free_tensor(u); }",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); } else { a.enque(t); }\n[-a.enque(t); //^ J0403-]\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let u = a.deque::<f32>();\na.free_tensor([-t-]{+u+}); //^ J0403\n[-a.free_tensor(u);-]",
    "let t = a.alloc_tensor::<f32>();\n[-a.enque(t);-] data_copy_pad(&t, x.slice(at, len)); //^ J0403\n{+a.enque(t);+} let u = a.deque::<f32>(); a.free_tensor(u);",
    "let t = b.alloc_tensor::<f32>(); if flag { b.enque(t);\n[-t.set_value(0, 1.0); //^ J0403-]\n} else { b.enque(t); } let u = b.deque::<f32>(); b.free_tensor(u);",
];

const BALANCE: &[&str] = &[
    // J0404: no more enqueues in a row than the depth of the queue.
    "let mut q = TQue::<VecIn, [-1-]{+2+}>::new(); pipe.init_buffer(&mut q, 2, 64); let (t, u) = (q.alloc_tensor::<f32>(), q.alloc_tensor::<f32>());\n\
     q.enque(t);\nq.enque(u); //^ J0404\nlet (t, u) = (q.deque::<f32>(), q.deque::<f32>()); q.free_tensor(t); q.free_tensor(u);",
    "const D: usize = [-2-]{+3+};\nlet mut q = TQue::<VecOut, D>::new(); pipe.init_buffer(&mut q, 3, 64);\nfor i in 0..turns { (*2: let t = q.alloc_tensor::<f32>(); q.enque(t);\n*)\
     let t = q.alloc_tensor::<f32>();\nq.enque(t); //^ J0404\n(*3: let t = q.deque::<f32>(); q.free_tensor(t);\n*)}",
    "let mut q = TQue::<VecIn, [-5-]{+6+}>::new(); pipe.init_buffer(&mut q, 6, 64);\n(*5: let t = q.alloc_tensor::<f32>(); q.enque(t);\n*)\
     let t = q.alloc_tensor::<f32>();\nq.enque(t); //^ J0404\n(*6: let t = q.deque::<f32>(); q.free_tensor(t);\n*)",
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 2, 64); let (t, u) = (q.alloc_tensor::<f32>(), q.alloc_tensor::<f32>());\n\
     if flag { q.enque(t); {+let t = q.deque::<f32>(); q.free_tensor(t);+}\nq.enque(u); //^ J0404\n[-let t = q.deque::<f32>(); q.free_tensor(t);-] let u = q.deque::<f32>(); q.free_tensor(u); }\n\
     else { q.free_tensor(t); q.free_tensor(u); }",
    // J0405: a taken tensor is given back.
    "let t = a.alloc_tensor::<f32>(); //^ J0405\n{+a.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>();\na.enque(t); //^ J0405\n{+let t = a.deque::<f32>(); a.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>(); //^ J0405\n{+a.free_tensor(t);+}",
    "if flag { //^ J0405\nlet t = a.alloc_tensor::<f32>(); a.enque(t); {+let t = a.deque::<f32>(); a.free_tensor(t);+} }",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nlet t = a.deque::<f32>();\nif flag { a.free_tensor(t); }{+ else { a.free_tensor(t); }+} //^ J0405",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); } else { a.[-free_tensor-]{+enque+}(t); } //^ J0405\n{+let t = a.deque::<f32>(); a.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>();\nif flag { a.enque(t); }{+ else { a.enque(t); }+} //^ J0405\n{+let t = a.deque::<f32>(); a.free_tensor(t);+}",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\n[-if flag {-] let t = a.deque::<f32>(); a.free_tensor(t); [-}-] //^ J0405",
    "if flag { let t = a.alloc_tensor::<f32>(); //^ J0405\n{+a.free_tensor(t);+} } else { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); }",
    "if flag { let t = a.alloc_tensor::<f32>(); a.free_tensor(t); } else {\nlet t = a.alloc_tensor::<f32>(); //^ J0405\n{+a.free_tensor(t);+} }",
    "let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..turns { //^ J0405\n{+let next = a.alloc_tensor::<f32>(); a.enque(next);+}\n\
     let t = a.deque::<f32>(); a.free_tensor(t); }\nlet t = a.deque::<f32>(); a.free_tensor(t);",
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..[-3-]{+2+} { //^ J0405\nlet t = a.deque::<f32>(); a.free_tensor(t); }",
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.alloc_tensor::<f32>();\na.enque(t); //^ J0405\nfor i in 0..[-1-]{+2+} { let t = a.deque::<f32>(); a.free_tensor(t); }",
    "let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.alloc_tensor::<f32>(); a.enque(t);\nfor i in 0..[-turns-]{+2+} { //^ J0405\nlet t = a.deque::<f32>(); a.free_tensor(t); }",
    "for i in 0..[-3-]{+2+} { let t = a.alloc_tensor::<f32>();\na.enque(t); //^ J0405\n} for i in 0..2 { let t = a.deque::<f32>(); a.free_tensor(t); }",
    "for i in 0..2 {\nlet t = a.alloc_tensor::<f32>(); //^ J0405\n{+a.free_tensor(t);+} }",
    "for i in 0..turns { let t = a.alloc_tensor::<f32>();\na.enque(t); //^ J0405\n{+let t = a.deque::<f32>(); a.free_tensor(t);+} }",
    "for i in 0..turns {\nlet t = a.alloc_tensor::<f32>(); //^ J0405\n{+a.free_tensor(t);+} }",
    "let t = b.alloc_tensor::<f32>(); //^ J0405\nfor i in 0..turns { vec::duplicate(&t, 0.0, 8); }\n{+b.free_tensor(t);+}",
    // J0407: only waiting tensors can be dequeued.
    "{+let t = a.alloc_tensor::<f32>(); a.enque(t);+}\nlet t = a.deque::<f32>(); //^ J0407\na.free_tensor(t);",
    "{+let t = a.alloc_tensor::<f32>(); a.enque(t);+}\nlet t = a.deque::<f32>(); //^ J0407\nlet u = a.alloc_tensor::<f32>(); a.free_tensor(u); a.free_tensor(t);",
    "for i in 0..turns { {+let t = a.alloc_tensor::<f32>(); a.enque(t);+}\nlet t = a.deque::<f32>(); //^ J0407\na.free_tensor(t); }",
    "(*[-1-]{+2+}: let t = b.alloc_tensor::<f32>(); b.enque(t); *)\nlet t = b.deque::<f32>(); b.free_tensor(t);\nlet t = b.deque::<f32>(); //^ J0407\nb.free_tensor(t);",
    "if flag { {+let t = b.alloc_tensor::<f32>(); b.enque(t);+}\nlet t = b.deque::<f32>(); //^ J0407\nb.free_tensor(t); }",
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 1, 64); let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.deque::<f32>(); a.free_tensor(t);\n\
     {+let t = q.alloc_tensor::<f32>(); q.enque(t);+}\nlet t = q.deque::<f32>(); //^ J0407\nq.free_tensor(t);",
    // J0408: only free buffers can be allocated.
    "let (t, u) = (a.alloc_tensor::<f32>(), a.alloc_tensor::<f32>());\n{+a.free_tensor(t);+} let v = a.alloc_tensor::<f32>(); //^ J0408\n[-a.free_tensor(t);-] a.free_tensor(u); a.free_tensor(v);",
    "let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, [-1-]{+2+}, 64); let t = q.alloc_tensor::<f32>();\nlet u = q.alloc_tensor::<f32>(); //^ J0408\nq.free_tensor(t); q.free_tensor(u);",
    "(*[-2-]{+1+}: let t% = a.alloc_tensor::<f32>(); *)\nfor i in 0..turns {\nlet u = a.alloc_tensor::<f32>(); //^ J0408\na.free_tensor(u); }\n(*[-2-]{+1+}: a.free_tensor(t%); *)",
    "const N: usize = [-2-]{+3+}; let mut q = TQue::<VecIn, 2>::new(); pipe.init_buffer(&mut q, N, 64);\n(*2: let t = q.alloc_tensor::<f32>(); q.enque(t); *)\n\
     if flag {\nlet u = q.alloc_tensor::<f32>(); //^ J0408\nq.free_tensor(u); }\n(*2: let t = q.deque::<f32>(); q.free_tensor(t); *)",
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, size_of::<f32>() - [-3-]{+2+}, 64); let t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>();\n\
     let u = q.alloc_tensor::<f32>(); //^ J0408\nq.free_tensor(t); q.free_tensor(u);",
];

const PLACES: &[&str] = &[
    // J0406: copies fill VECIN and empty VECOUT.
    "let t = [-b-]{+a+}.alloc_tensor::<f32>();\ndata_copy_pad(&t, x.slice(at, len)); //^ J0406\n[-b-]{+a+}.free_tensor(t);",
    "let w = c.get::<f32>(); let t = a.alloc_tensor::<f32>();\ndata_copy_pad(&[-w-]{+t+}, x.slice(at, len)); //^ J0406\na.free_tensor(t);",
    "for i in 0..turns { let t = [-a-]{+b+}.alloc_tensor::<f32>(); [-a-]{+b+}.enque(t); let t = [-a-]{+b+}.deque::<f32>();\n\
     data_copy_pad(y.slice(at, len), &t); //^ J0406\n[-a-]{+b+}.free_tensor(t); }",
    "let w = c.get::<f32>(); if flag { let t = b.alloc_tensor::<f32>(); b.enque(t); let t = b.deque::<f32>();\n\
     data_copy_pad(y.slice(at, len), &[-w-]{+t+}); //^ J0406\nb.free_tensor(t); }",
    "let t = b.alloc_tensor::<f32>(); {+vec::duplicate(&t, 0.0, 8);+} b.enque(t); let t = b.deque::<f32>();\n[-vec::duplicate(&t, 0.0, 8); //^ J0406-]\nb.free_tensor(t);",
    "let t = [-b-]{+a+}.alloc_tensor::<f32>(); [-b-]{+a+}.enque(t); let t = [-b-]{+a+}.deque::<f32>();\nlet s = t.get_value(0); //^ J0406\n[-b-]{+a+}.free_tensor(t);",
    "let mut q = TQue::<[-VecCalc-]{+VecIn+}, 1>::new(); pipe.init_buffer(&mut q, 1, 64); let t = q.alloc_tensor::<f32>();\n\
     data_copy_pad(&t, x.slice(at, 0)); //^ J0406\nq.free_tensor(t);",
    // J0409: each tensor goes back to its queue.
    "let t = a.alloc_tensor::<f32>();\n[-b-]{+a+}.free_tensor(t); //^ J0409",
    "let (t, u) = (a.alloc_tensor::<f32>(), a.alloc_tensor::<f32>());\n[-b-]{+a+}.free_tensor(t); //^ J0409\nlet t = a.alloc_tensor::<f32>(); a.free_tensor(t); a.free_tensor(u);",
    "let t = [-a-]{+b+}.alloc_tensor::<f32>();\nb.enque(t); //^ J0409\n{+let t = b.deque::<f32>(); b.free_tensor(t);+}",
    "let w = c.get::<f32>(); {+let t = a.alloc_tensor::<f32>();+}\na.free_tensor([-w-]{+t+}); //^ J0409",
    "let w = c.get::<f32>(); {+let t = b.alloc_tensor::<f32>();+}\nb.enque([-w-]{+t+}); //^ J0409\n{+let t = b.deque::<f32>(); b.free_tensor(t);+}",
    "let mut q = TQue::<VecIn, 2>::new(); pipe.init_buffer(&mut q, 2, 8192);\nfor i in 0..turns { let t = a.alloc_tensor::<f32>(); a.enque(t); let t = a.deque::<f32>();\n\
     [-q-]{+a+}.free_tensor(t); //^ J0409\n}",
    "if flag { let t = b.alloc_tensor::<f32>(); b.enque(t); let t = b.deque::<f32>();\n[-a-]{+b+}.free_tensor(t); //^ J0409\n}",
    "let (t, u) = (a.alloc_tensor::<f32>(), b.alloc_tensor::<f32>());\na.free_tensor([-u-]{+t+}); //^ J0409\nb.enque(u); let u = b.deque::<f32>(); b.free_tensor(u); [-a.free_tensor(t);-]",
    "let t = b.alloc_tensor::<f32>();\n[-a.free_tensor(t); //^ J0409-]\nvec::duplicate(&t, 0.0, 8); b.enque(t); let t = b.deque::<f32>(); b.free_tensor(t);",
];

const MEMORY: &[&str] = &[
    // J0410: memory of no bytes.
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0410\n{+pipe.init_buffer(&mut a, 1, 32);+}",
    "let mut a = TBuf::<VecCalc>::new(); //^ J0410\n{+pipe.init_buffer(&mut a, 1, 32);+}",
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0410\npipe.init_buffer(&mut a, 1, [-0-]{+1+});",
    "let z = 8 - [-8-]{+7+}; let mut a = TQue::<VecOut, 1>::new(); //^ J0410\npipe.init_buffer(&mut a, z, 32);",
    "let z = 8 - [-8-]{+6+}; let mut q = TQue::<VecIn, 1>::new(); //^ J0410\npipe.init_buffer(&mut q, z, 32);\n\
     let (t, u) = (q.alloc_tensor::<T>(), q.alloc_tensor::<T>()); q.free_tensor(t); q.free_tensor(u);",
    "let mut a = TBuf::<VecCalc>::new(); //^ J0410\npipe.init_buffer(&mut a, 1, size_of::<T>() - [-2-]{+1+});",
    "const Z: usize = [-16-]{+1+}; let mut a = TQue::<VecIn, 1>::new(); //^ J0410\npipe.init_buffer(&mut a, 2, size_of::<T>() - Z);",
    "let mut a = TQue::<VecIn, 1>::new(); //^ J0410\npipe.init_buffer(&mut a, size_of::<T>() - [-2-]{+1+}, 32);",
];

const ON_310P: &[&str] = &[
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 1, 64); let t = q.alloc_tensor::<T>(); data_copy(&t, x.slice(share.start(), 0));\n\
     {+q.enque(t); let t = q.deque::<T>(); +}let s = t.get_value(0); //^ J0401\nq.free_tensor(t);",
    "let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, [-1-]{+2+}, 64); let t = q.alloc_tensor::<T>();\nlet u = q.alloc_tensor::<T>(); //^ J0408\nq.free_tensor(t); q.free_tensor(u);",
    "let mut q = TBuf::<VecCalc>::new(); //^ J0410\n{+pipe.init_buffer(&mut q, 1, 64);+} let t = q.get::<T>();",
];

/// J0411: copies of two iterations run at the same time. `q` is a tensor to be stored.
const TURNS: &[&str] = &[
    "if get_block_idx() == 0 { for i in 0..4 {\ndata_copy_pad(y.slice(i * [-8-]{+16+}, 16), &q); //^ J0411\n} }",
    // An assigned place differs in each iteration, but nothing is known of it.
    "if get_block_idx() == 0 { let mut place = 0; for i in 0..4 {\ndata_copy_pad(y.slice([-place.min(4000)-]{+i * 8+}, 8), &q); //^ J0602\nplace = place + 8; } }",
    "if get_block_idx() == 0 { for i in 0..4 { for j in 0..4 {\ndata_copy_pad(y.slice(i * 32 + j * [-7-]{+8+}, 8), &q); //^ J0411\n} } }",
    // Any of three nested loops.
    "if get_block_idx() == 0 { for i in 0..3 { for j in 0..2 { for k in 0..2 {\ndata_copy_pad(y.slice(i * [-31-]{+32+} + j * 16 + k * 8, 8), &q); //^ J0602\n} } } }",
    "if get_block_idx() == 0 { for i in 0..3 { for j in 0..2 { for k in 0..2 {\ndata_copy_pad(y.slice(i * 32 + j * [-15-]{+16+} + k * 8, 8), &q); //^ J0602\n} } } }",
    "if get_block_idx() == 0 { for i in 0..3 { for j in 0..2 { for k in 0..2 {\ndata_copy_pad(y.slice(i * 32 + j * 16 + k * [-7-]{+8+}, 8), &q); //^ J0411\n} } } }",
    // Two stores in the innermost loop. One overlaps the other one in the next iteration of the
    // outermost loop.
    "if get_block_idx() == 0 { for i in 0..3 { for j in 0..2 { for k in 0..2 {\ndata_copy_pad(y.slice(i * 64 + j * 16 + k * 8, 8), &q); //^ J0602\n\
     data_copy_pad(y.slice(i * 64 + j * 16 + k * 8 + [-40-]{+32+}, 8), &q);\n} } } }",
    // A store of an iteration waits for the buffer of the one before, if there is one.
    "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, [-2-]{+1+}, 64);\nif get_block_idx() == 0 { for i in 0..4 {\n\
     let f = o.alloc_tensor::<f32>(); vec::duplicate(&f, 0.0, 16); o.enque(f); let f = o.deque::<f32>();\n\
     data_copy_pad(y.slice(i * 8, 16), &f); //^ J0411\no.free_tensor(f); } }",
    "if get_block_idx() == 0 { for i in 0..4 { let back = [-32-]{+48+} - i * [-8-]{+16+};\ndata_copy_pad(y.slice(back, 16), &q); //^ J0411\n} }",
];

const IN_PLACE: &[&str] = &[
    // The load of an iteration reads the end of what the one before stores.
    "#[kernel]\nfn k(#[shape(4096)] #[inplace] y: &mut GlobalTensor<f32>) {\nlet mut pipe = TPipe::new();\n\
     let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); pipe.init_buffer(&mut a, 2, 256); pipe.init_buffer(&mut b, 2, 256);\n\
     for i in 0..32 { let t = a.alloc_tensor::<f32>();\ndata_copy_pad(&t, y.slice(i * [-60-]{+64+}, 64)); //^ J0411\n\
     a.enque(t); let t = a.deque::<f32>(); let r = b.alloc_tensor::<f32>(); vec::relu(&r, &t, 64); a.free_tensor(t); b.enque(r); let r = b.deque::<f32>();\n\
     data_copy_pad(y.slice(i * [-60-]{+64+}, 64), &r); //^ J0411\nb.free_tensor(r); }\n}",
];
