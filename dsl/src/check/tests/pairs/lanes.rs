//! Masks, repeats and strides of vector calls: the legal forms, and the ranges of their fields.

use super::{Table, B1, P3};
use crate::check::tests::frames::with_two_buffers;

pub(super) const TABLES: &[Table] = &[
    Table {
        chip: B1,
        frame: with_two_buffers,
        rows: ROWS,
    },
    Table {
        chip: P3,
        frame: with_two_buffers,
        rows: ROWS_310P,
    },
];

const ROWS: &[&str] = &[
    // J0106: extents that an op does not take.
    "vec::whole_reduce_sum(&e1, &c1, [-64-]{+lanes(64).repeats(1)+}); //^ J0106",
    "vec::block_reduce_max(&e1, &c1, [-512-]{+counter(512)+}); //^ J0106",
    "vec::copy(&e1, &c1, [-counter(64)-]{+lanes(64).repeats(1)+}); //^ J0106",
    "vec::repeat_reduce_sum(&e1, &c1, [-bits(7, 0)-]{+lanes(3)+}.repeats(2)); //^ J0106",
    "vec::reduce_sum(&e1, &c1, &e1.at(8), [-lanes(64).repeats(2)-]{+128+}); //^ J0106",
    "vec::local_copy(&e1, &c1, [-counter(64)-]{+64+}); //^ J0106",
    "vec::brcb(&e1, &c1, [-lanes(8).repeats(1)-]{+8+}); //^ J0106",
    "let b1 = e.get::<u8>();\nvec::gts(&b1, &c1, 0.0, [-lanes(64).repeats(1)-]{+64+}); //^ J0106",
    "vec::abs(&e1, &c1, lanes(64){+.repeats(1)+}); //^ J0106",
    "vec::abs(&e1, &c1, lanes(0..3).of(8){+.groups(8).repeats(1)+}); //^ J0106",
    "vec::abs(&e1, &c1, lanes(0..3){+.of(8).groups(8).repeats(1)+}); //^ J0106",
    "vec::abs(&e1, &c1, lanes(0..3).of([-12-]{+16+}).groups(2).repeats(1)); //^ J0106",
    "vec::abs(&e1, &c1, lanes(0..1).of([-256-]{+64+}).groups(1).repeats(1)); //^ J0106",
    "vec::abs(&e1, &c1, lanes(0..3).of([-k-]{+4+}).groups(2).repeats(1)); //^ J0106",
    "vec::abs(&e1, &c1, lanes([-..-]{+0..+}8).of(8).groups(1).repeats(1)); //^ J0106",
    "vec::abs(&e1, &c1, bits([-k-]{+3+}, 0).repeats(1)); //^ J0106",
    "vec::abs(&e1, &c1, bits(3{+, 0+}).repeats(1)); //^ J0106",
    "vec::abs(&e1, &c1, bits([-0x1_0000_0000_0000_0000-]{+0xffff_ffff_ffff_ffff+}, 0).repeats(1)); //^ J0106",
    // J0103: builder steps in a wrong order.
    "vec::abs(&e1, &c1, lanes([-8-]{+0..8+}).of(8).groups(1).repeats(1)); //^ J0103",
    "vec::abs(&e1, &c1, lanes(0..8){+.of(8).groups(1)+}.repeats(1)); //^ J0103",
    "vec::abs(&e1, &c1, lanes(8).repeats(1)[-.repeats(2)-]); //^ J0103",
    "vec::abs(&e1, &c1{+.at(8)+}.blocks(1, 8)[-.at(8)-], counter(64)); //^ J0103",
    // J0106: strides that an operand does not have.
    "vec::abs(&e1, &c1.blocks(1, 8), [-64-]{+counter(64)+}); //^ J0106",
    "vec::abs(&e1.blocks(1, 8), &c1, [-64-]{+lanes(64).repeats(1)+}); //^ J0106",
    "vec::abs(&e1[-.results(1)-], &c1, lanes(64).repeats(1)); //^ J0106",
    "vec::whole_reduce_max(&e1, &c1.[-results(8)-]{+blocks(1, 8)+}, lanes(64).repeats(2)); //^ J0106",
    "vec::whole_reduce_max(&e1.[-blocks(1, 1)-]{+results(1)+}, &c1, lanes(64).repeats(2)); //^ J0106",
    "vec::reduce_max(&e1, &c1[-.blocks(1, 8)-], &e1.at(8), 64); //^ J0106",
    "vec::brcb(&e1, &c1[-.blocks(1, 8)-], 8); //^ J0106",
    "let b1 = e.get::<u8>();\nvec::gts(&b1[-.blocks(1, 8)-], &c1, 0.0, 64); //^ J0106",
    "let v = a1[-.blocks(1, 8)-]{+.at(8)+};\ndata_copy(&v, z.slice(0, 64)); //^ J0106",
    "let v = c1[-.blocks(1, 8)-].at(8); //^ J0103\nlet w = v.get_value(0);",
    // J0310: a repeat has as many lanes as elements of the widest operand.
    "vec::adds(&c1, &c1, 1.0, lanes([-65-]{+64+}).repeats(2)); //^ J0310",
    "let h = c.get::<f16>();\nvec::adds(&h, &h, 1.0, lanes([-129-]{+128+}).repeats(2)); //^ J0310",
    "let h = c.get::<f16>();\nvec::cast(&e1, &h, RoundMode::None, lanes([-65-]{+64+}).repeats(2)); //^ J0310",
    "require(k >= [-65-]{+64+}); require(k <= [-99-]{+64+});;vec::exp(&c1, &c1, lanes(k).repeats(2)); //^ J0310",
    "vec::exp(&c1, &c1, bits(0xff, [-1-]{+0+}).repeats(1)); //^ J0310",
    "vec::pair_reduce_sum(&e1, &c1, bits(0, [-1-]{+0+}).repeats(1)); //^ J0310",
    "vec::exp(&c1, &c1, lanes(0..3).of(16).groups([-5-]{+4+}).repeats(2)); //^ J0310",
    "for i in 0..3 {\nvec::exp(&c1, &c1, lanes(0..8).of(8).groups(i + [-9-]{+6+}).repeats(2)); //^ J0310\n}",
    "vec::copy(&e1, &c1, lanes(0..[-9-]{+8+}).of(8).groups(2).repeats(1)); //^ J0310",
    "vec::copy(&e1, &c1, lanes([-4-]{+3+}..4).of(8).groups(2).repeats(1)); //^ J0310",
    // Repeats are counted in 8 bits.
    "vec::duplicate(&c1.blocks(1, 1), 0.0, lanes(8).repeats([-256-]{+255+})); //^ J0310",
    "vec::whole_reduce_sum(&e1, &c1.blocks(1, 1), lanes(8).repeats([-256-]{+255+})); //^ J0310",
    "for i in 0..2 {\nvec::adds(&e1.blocks(1, 0), &c1.blocks(1, 0), 1.0, lanes(64).repeats(i + [-256-]{+254+})); //^ J0310\n}",
    // Strides have 8 bits in calls with two sources, block strides 16 in those with one, and both
    // elsewhere.
    "vec::duplicate(&c1.blocks(1, [-256-]{+255+}), 0.0, lanes(8).repeats(1)); //^ J0310",
    "vec::add(&e1, &e1, &c1.blocks([-256-]{+255+}, 8), lanes(8).repeats(1)); //^ J0310",
    "vec::adds(&e1, &c1.blocks([-65536-]{+65535+}, 8), 1.0, lanes(8).repeats(1)); //^ J0310",
    "vec::copy(&e1, &c1.blocks(1, [-65536-]{+65535+}), lanes(8).repeats(1)); //^ J0310",
    "vec::whole_reduce_sum(&e1.results([-65536-]{+65535+}), &c1, lanes(8).repeats(1)); //^ J0310",
    "vec::brcb(&e1.blocks(1, [-65536-]{+65535+}), &c1, 8); //^ J0310",
    // The blocks of a destination must not overlap.
    "vec::duplicate(&c1.blocks([-0-]{+1+}, 8), 0.0, lanes(64).repeats(1)); //^ J0310",
    "vec::brcb(&e1.blocks([-0-]{+1+}, 8), &c1, 8); //^ J0310",
    "vec::brcb(&e1.blocks(1, k % 8 [-- 9-]{+* 1+}), &c1, 8); //^ J0310",
    // J0307: results of data blocks begin at a multiple of eight elements.
    "vec::block_reduce_sum(&e1.at([-4-]{+8+}), &c1, lanes(64).repeats(2)); //^ J0307",
    "let (h, g) = (c.get::<f16>(), e.get::<f16>());\nvec::block_reduce_max(&g.at([-4-]{+8+}), &h, lanes(64).repeats(2)); //^ J0307",
    "let (h, g) = (c.get::<f16>(), e.get::<f16>());\nvec::pair_reduce_sum(&g.at([-8-]{+16+}), &h, counter(128)); //^ J0307",
    // J0309: strides that lead beyond a buffer of 256 data blocks.
    "vec::adds(&e1, &c1.blocks([-5-]{+4+}, 32), 1.0, lanes(64).repeats(8)); //^ J0309",
    "vec::adds(&e1, &c1.blocks(1, [-9-]{+8+}), 1.0, counter(2048)); //^ J0309",
    "vec::whole_reduce_sum(&e1.at([-2046-]{+2045+}), &c1, counter(130)); //^ J0309",
    "vec::copy(&e1.blocks(1, [-36-]{+35+}), &c1, lanes(64).repeats(8)); //^ J0309",
    // J0311: results that overwrite elements which are still read.
    "vec::whole_reduce_max(&c1.at([-100-]{+128+}), &c1, lanes(64).repeats(2)); //^ J0311",
    "vec::pair_reduce_sum(&c1[-.at(64)-]{+.at(128)+}, &c1, counter(100)); //^ J0311",
    "vec::adds(&c1.blocks(1, [-4-]{+8+}), &c1.blocks(1, [-4-]{+8+}), 1.0, lanes(64).repeats(3)); //^ J0311",
    "vec::add(&c1.blocks(1, [-0-]{+8+}), &e1, &c1.blocks(1, [-0-]{+8+}), lanes(64).repeats(3)); //^ J0311",
    "vec::exp(&c1.blocks(2, 1), &c1.blocks(2, 1), lanes(64).repeats([-3-]{+2+})); //^ J0311",
    "vec::exp(&c1.blocks(1, 4), &c1.blocks(1, 4), lanes([-33-]{+32+}).repeats(9)); //^ J0311",
    // J0602: numbers that only a run knows.
    "require(k <= [-65-]{+64+});;vec::exp(&c1, &c1, lanes(k).repeats(2)); //^ J0602",
    "vec::exp(&c1, &c1, lanes(0..3).of(16).groups(k % [-6-]{+5+}).repeats(2)); //^ J0602",
    "require(k <= [-256-]{+255+});;vec::adds(&e1.blocks(1, 0), &c1.blocks(1, 0), 1.0, lanes(64).repeats(k)); //^ J0602",
    "require(k <= 9); require(k >= [-7-]{+8+});;vec::exp(&c1.blocks(1, k), &c1.blocks(1, k), lanes(64).repeats(3)); //^ J0602",
];

const ROWS_310P: &[&str] = &[
    "vec::muls(&c1, &c1, 2.0, lanes([-65-]{+64+}).repeats(2)); //^ J0310",
    "vec::block_reduce_min(&e1.at([-4-]{+8+}), &c1, lanes(64).repeats(2)); //^ J0307",
];
