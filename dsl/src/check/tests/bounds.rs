//! Which copies and calls are proved inside, which are wrong, and which stay open (J0602).

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
    // Without DataCopyPad.
    let aligned = |case: &str| with_tensors(&format!("require(n % 8 == 0);;{case}")).replace("data_copy_pad", "data_copy");
    judge(WORK_OF_SUMS, aligned, "ascend310p");
}

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
    // Tiles of a tensor that every block reads whole.
    "require(k >= 1 && k <= 2048);;for i in 0..m.div_ceil(k) { let at = i * k; let n = k.min(m - at); data_copy_pad(&a1, w.slice(at, n)); }",
    "require(k <= 2048);;for i in 0..m.div_ceil(2048) { let n = k.min(m - i * k); data_copy_pad(&a1, w.slice(i * k, n)); }",
    "require(k >= 2048);;for i in 0..m.div_ceil(2048) {\nlet n = (m - i * k).min(2048); data_copy_pad(&a1, w.slice(i * k, n)); //^ J0602 J0602\n}",
    // Conditions.
    "if m > 2048 {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0309\n}",
    "if flag {\ndata_copy_pad(&a1, w.slice(0, m)); //^ J0602\n}",
    // What could not be proved is asked again where more is known.
    "data_copy_pad(&a1, w.slice(0, m)); //^ J0602\nif m <= 2048 { data_copy_pad(&a1, w.slice(0, m)); }",
    "data_copy_pad(&a1, w.slice(k, 8)); //^ J0602\nif m >= k + 8 { data_copy_pad(&a1, w.slice(k, 8)); } else {\ndata_copy_pad(&a1, w.slice(k, 8)); //^ J0308\n}",
    "data_copy_pad(&a1, z.slice(k, 8)); //^ J0602\nfor i in k..57 { data_copy_pad(&a1, z.slice(k, 8)); }",
    // Variables that are assigned are not what they were.
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

/// What the simulator takes or refuses at run time is the same here; what depends on a size is open.
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
    // One result is written last; the count form of ReduceSum has no use for its work buffer.
    "vec::reduce_max(&c1.at(8), &c1, &c1.at(1024), 64);",
    "vec::reduce_max(&c1.at(1024), &c1, &c1.at(1024), 64);",
    "vec::reduce_sum(&c1, &c1, &c1, 64);",
];
