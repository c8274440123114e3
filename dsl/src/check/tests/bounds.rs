//! Copies and calls that are inside, that are wrong, and that stay open (J0602).

use super::*;

#[test]
fn copies_and_calls_inside_their_tensors_are_proved_and_others_found() {
    judge(CASES, with_tensors, "ascend910b1");
}

#[test]
fn operands_that_share_memory_are_proved_apart_or_told() {
    judge(SHARED, with_tensors, "ascend910b1");
}

#[test]
fn work_buffers_hold_the_partial_results_of_all_repeats() {
    judge(WORK, with_tensors, "ascend910b1");
    // A chip without DataCopyPad.
    let aligned = |case: &str| {
        with_tensors(&format!("require(n % 8 == 0);;{case}")).replace("data_copy_pad", "data_copy")
    };
    judge(WORK_OF_SUMS, aligned, "ascend310p");
}

#[test]
fn rows_of_copies_keep_what_their_fields_and_data_blocks_ask() {
    judge(ROWS, with_tensors, "ascend910b1");
    judge(
        WHOLE_ROWS,
        super::frames::with_tensors_aligned,
        "ascend310p",
    );
}

/// `z` has 64 elements, `v` has rows of `d`, and `a1` and `c1` have 2048 in UB.
const ROWS: &[&str] = &[
    "data_copy_pad(&a1, z.slice(0, 5).rows(4, 19));",
    "data_copy_pad(&a1, z.slice(3, 5).rows(4, 19)); //^ J0308",
    "data_copy_pad(&a1, z.slice(0, 8).rows(4, 8)); data_copy(&a1, z.slice(0, 8).rows(4, 16));",
    "data_copy_pad(&a1, z.slice(0, 8).rows(4, 7)); //^ J0310",
    "data_copy(&a1, z.slice(0, 8).rows(4, 12)); //^ J0306",
    "data_copy(&a1, z.slice(0, 5).rows(4, 16)); //^ J0306",
    // In UB each row begins at a data block and ends before the next one begins.
    "data_copy_pad(&a1.rows(16), z.slice(0, 9).rows(4, 9));",
    "data_copy_pad(&a1.rows(12), z.slice(0, 9).rows(4, 9)); //^ J0307",
    "data_copy_pad(&a1.rows(8), z.slice(0, 9).rows(4, 9)); //^ J0310",
    "data_copy_pad(&a1.at(2000).rows(16), z.slice(0, 9).rows(4, 9)); //^ J0309",
    "data_copy_pad(&a1.at(1984).rows(16), z.slice(0, 9).rows(4, 9));",
    "require(d <= 500); require(r <= 4);;data_copy_pad(&a1, v.slice(0, d).rows(r, d));",
    "require(d <= 513); require(r <= 4);;data_copy_pad(&a1, v.slice(0, d).rows(r, d)); //^ J0602",
    // The number of rows.
    "data_copy_pad(&a1.rows(0), z.slice(0, 0).rows(4095, 0));",
    "data_copy_pad(&a1.rows(0), z.slice(0, 0).rows(4096, 0)); //^ J0310",
    "require(d >= 8); require(r <= 4096);;data_copy_pad(&a1.rows(0), v.slice(0, 0).rows(r, d)); //^ J0602",
    "data_copy_pad(&a1, z.slice(0, 8).rows(k.min(3) - 4, 8)); //^ J0310",
    // Padding around the rows.
    "data_copy_pad(&a1, z.slice(0, 9).rows(4, 9).pad(7, 1.0));",
    "data_copy_pad(&a1, z.slice(0, 9).rows(4, 9).pad(8, 1.0)); //^ J0310",
    "data_copy_pad(&a1.rows(16), z.slice(0, 9).rows(4, 9).pad(7, 1.0)); data_copy_pad(&a1.rows(16), z.slice(0, 10).rows(4, 10).pad(6, 1.0));",
    "data_copy_pad(&a1.rows(16), z.slice(0, 10).rows(4, 10).pad(7, 1.0)); //^ J0310",
    "data_copy_pad(&a1, z.slice(0, 9).pad(k.min(7), 1.0));",
    "data_copy_pad(&a1, z.slice(0, 9).pad(k, 1.0)); //^ J0602",
    // Bytes under another type begin at a data block and end where the tensor does.
    "let i = c1.at(8).reinterpret_cast::<i32>(); vec::duplicate(&i, 0, 2040);",
    "let i = c1.at(8).reinterpret_cast::<i32>(); vec::duplicate(&i, 0, 2041); //^ J0309",
    "let i = c1.at(4).reinterpret_cast::<i32>(); //^ J0307\nvec::duplicate(&i, 0, 8);",
    "let h = c1.reinterpret_cast::<f16>(); vec::duplicate(&h, 0.0, 4096);",
    "let h = c1.reinterpret_cast::<f16>(); vec::duplicate(&h, 0.0, 4097); //^ J0309",
    "vec::duplicate(&c1, 0.0, 64); let h = c1.reinterpret_cast::<f16>(); vec::cast(&h, &c1, RoundMode::None, 64);",
    "vec::duplicate(&c1, 0.0, 128); let h = c1.reinterpret_cast::<f16>();\nvec::cast(&h.at(128), &c1, RoundMode::None, 128); //^ J0311",
];

const WHOLE_ROWS: &[&str] = &[
    "data_copy(&a1, z.slice(0, 8).rows(4, 16));",
    "data_copy(&a1, z.slice(0, 8).rows(4, 12)); //^ J0306",
    "require(d % 8 == 0); require(d >= 8); require(d <= 524288); require(r <= 4);;data_copy(&a1, v.slice(0, 8).rows(r, d));",
    "require(d % 8 == 0); require(d >= 8); require(d <= 600000); require(r <= 4);;data_copy(&a1, v.slice(0, 8).rows(r, d)); //^ J0602",
    "require(d % 8 == 0); require(d >= 600000); require(r <= 4);;data_copy(&a1, v.slice(0, 8).rows(r, d)); //^ J0310",
];

const CASES: &[&str] = &[
    // Facts against constants.
    "data_copy_pad(&a1, w.slice(0, m)); //^ J0602",
    "require(m >= 2049);;data_copy_pad(&a1, w.slice(0, m)); //^ J0309",
    // Loop variables.
    "for i in 0..8 { data_copy_pad(&a1.at(i * 8), z.slice(i * 8, 8)); }",
    "for i in 0..r { for j in 0..d.div_ceil(64) { data_copy_pad(&a1, v.slice(i * d + j * 64, (d - j * 64).min(64))); } }",
    "for i in 0..r { let at = i * d; let n = d.min(64); data_copy_pad(&a1, v.slice(at, n)); }",
    "for i in 0..8 {\ndata_copy_pad(&a1, z.slice(i * 8, 16)); //^ J0602\n}",
    "for i in 8..k {\ndata_copy_pad(&a1, z.slice(i * 8, 8)); //^ J0308\n}",
    // Tiles of a tensor that every block reads entirely.
    "require(k >= 1 && k <= 2048);;for i in 0..m.div_ceil(k) { let at = i * k; let n = k.min(m - at); data_copy_pad(&a1, w.slice(at, n)); }",
    "require(k <= 2048);;for i in 0..m.div_ceil(2048) { let n = k.min(m - i * k); data_copy_pad(&a1, w.slice(i * k, n)); }",
    "require(k >= 2048);;for i in 0..m.div_ceil(2048) {\nlet n = (m - i * k).min(2048); data_copy_pad(&a1, w.slice(i * k, n)); //^ J0602 J0602\n}",
    // Conditions.
    "if m > 2048 {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0309\n}",
    "if flag {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    // An open question is asked again where more is known.
    "data_copy_pad(&a1, w.slice(0, m)); //^ J0602\nif m <= 2048 { data_copy_pad(&a1, w.slice(0, m)); }",
    "data_copy_pad(&a1, w.slice(k, 8)); //^ J0602\nif m >= k + 8 { data_copy_pad(&a1, w.slice(k, 8)); } else {\ndata_copy_pad(&a1, w.slice(k, 8)); //^ J0308\n}",
    "data_copy_pad(&a1, z.slice(k, 8)); //^ J0602\nfor i in k..57 { data_copy_pad(&a1, z.slice(k, 8)); }",
    // An assigned variable loses its old value.
    "let i = 56; data_copy_pad(&a1, z.slice(i, 8));",
    // Below zero.
    "data_copy_pad(&a1, z.slice(n - n - 8, 8)); //^ J0308",
    "require(k <= 3);;data_copy_pad(&a1, z.slice(0, k - 4)); //^ J0308",
    "require(k <= 3);;vec::duplicate(&c1.at(k * 8 - 32), 0.0, 8); //^ J0309",
    "require(k <= 3);;vec::duplicate(&c1, 0.0, k - 4); //^ J0309",
    "require(k <= 60);;data_copy_pad(&a1, z.slice(k - 4, 8)); //^ J0602",
    "require(k >= 4); require(k <= 64);;data_copy_pad(&a1, z.slice(0, k - 4));",
    "data_copy_pad(&a1, z.slice(64, 8)); //^ J0308",
    // No number is too large.
    "data_copy_pad(&a1, z.slice(9223372036854775807, 8)); //^ J0602",
    "data_copy(&a1, z.slice(0, 9223372036854775807)); //^ J0306 J0308 J0602",
    "data_copy_pad(&a1, z.slice(4611686018427387904 * 4 * k, 8)); //^ J0602",
    "vec::duplicate(&c1.at(4611686018427387905), 0.0, 8); //^ J0307 J0602",
    // Divisors.
    "require(0 == m % 16 && m <= 2048);;data_copy(&a1, w.slice(0, m));",
    "require(d % 8 == 0); require(r * d <= 2048);;let e = r * d; data_copy(&a1, v.slice(0, e));",
    "require(m <= 2048);;data_copy(&a1, w.slice(0, m)); //^ J0306",
    "require(d % 8 == 0); require(r + d <= 2048);;data_copy(&a1, v.slice(0, r + d)); //^ J0306 J0602",
];

const WORK: &[&str] = &[
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_max(&c1, &c1, &c1.at(1024), 1024);",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_min(&c1, &c1, &c1.at(2016), 1024);",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_max(&c1, &c1, &c1.at(2016), 1025); //^ J0309",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_min(&c1, &c1, &c1.at(2040), 1024); //^ J0309",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_max(&c1, &c1, &c1.at(2040), len.min(1024)); //^ J0602",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_max(&c1, &c1, &c1.at(2016), len.min(1024));",
    // The count form of ReduceSum needs none.
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_sum(&c1, &c1, &c1.at(2040), 2048);",
];

const WORK_OF_SUMS: &[&str] = &[
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_sum(&c1, &c1, &c1.at(2032), 1024);",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_sum(&c1, &c1, &c1.at(2040), 1024); //^ J0309",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_sum(&c1, &c1, &c1.at(2040), 512);",
    "vec::duplicate(&c1, 0.0, 2048); vec::reduce_sum(&c1, &c1, &c1.at(2040), 513); //^ J0309",
];

/// The verdict of the simulator at run time. It stays open if it depends on a size.
const SHARED: &[&str] = &[
    "vec::add(&c1, &c1, &c1, len);",
    "require(k <= 1);;vec::add(&c1.at(k * 1024), &c1.at(k * 1024), &c1, 64); //^ J0602",
    "require(k <= 1);;vec::add(&c1.at(k * 1024 + 64), &c1.at(k * 1024 + 64), &c1, 64);",
    "vec::relu(&c1.at(8), &c1, len.min(1024)); //^ J0602",
    "vec::relu(&c1.at(8), &c1, len.min(8));",
    // A call of no elements writes nothing.
    "vec::relu(&c1.at(8), &c1, 0);",
    "require(k % 8 == 0 && k <= 64);;vec::relu(&c1.at(k), &c1, 64); //^ J0602",
    "require(k % 64 == 0 && k <= 64);;if k >= 64 { vec::relu(&c1.at(k), &c1, 64); }",
    "let h = c.get::<f16>(); vec::cast(&h, &c1, RoundMode::Rint, len);",
    "let h = c.get::<f16>(); vec::cast(&c1, &h.at(2048), RoundMode::None, 2048);",
    "let h = c.get::<f16>(); vec::cast(&c1, &h.at(1968), RoundMode::None, len); //^ J0602",
    "let h = c.get::<f16>(); vec::cast(&c1, &h.at(1984), RoundMode::None, len);",
    "let h = c.get::<f16>(); vec::cast(&h.at(64), &c1, RoundMode::Rint, len);",
    "let h = c.get::<f16>(); vec::cast(&h.at(80), &c1, RoundMode::Rint, len); //^ J0602",
    // One result is written last. The count form of ReduceSum does not use its work buffer.
    "vec::reduce_max(&c1.at(8), &c1, &c1.at(1024), 64);",
    "vec::reduce_max(&c1.at(1024), &c1, &c1.at(1024), 64);",
    "vec::reduce_sum(&c1, &c1, &c1, 64);",
];
