//! What a plan costs. A worse plan computes the same, so that no result tells of it: each number here is one that a better plan
//! falls below, and a worse one exceeds.

use super::look::{cost, idle, COSTS};
use super::*;

#[test]
fn nothing_is_computed_or_declared_that_nobody_uses() {
    for case in cases() {
        for variant in &case.lowering.lowered.variants {
            let idle = idle(variant);
            assert!(idle.is_empty(), "{} {idle:?} of {}", variant.name, case.name);
        }
    }
}

#[test]
fn no_plan_costs_more_than_it_must() {
    let mut failed = String::new();
    for (frame, body, most) in PLANS {
        let lowering = lowerings(&kernel(&frame(body)), Chip::default_chip()).remove(0);
        let found: Vec<_> = lowering.lowered.variants.iter().zip(&lowering.plans).map(|(v, plan)| cost(v, plan)).collect();
        if found.len() != most.len() || found.iter().zip(*most).any(|(found, most)| is_worse(found, most)) {
            failed += &format!("{body}: {found:?}, wanted at most {most:?} {COSTS:?}\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// True where one number is above the most there may be; of blocks there are no fewer either, since copies run beside the vector
/// pipe only where each queue has two.
fn is_worse(found: &[i64; 8], most: &[i64; 8]) -> bool {
    found[0] != most[0] || found.iter().zip(most).any(|(found, most)| found > most)
}

/// A loop over tiles of `x`.
fn flat(body: &str) -> String {
    let given = "x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, n: usize, flag: bool, s: f32";
    let stored = [("y", "f32"), ("z", "f32"), ("h", "f16")].map(|(name, ty)| (name, format!("{name}: &mut GlobalTensor<{ty}>")));
    format!("#[kernel] fn k({given}{}) {{ for t in tiles(x) {{ {body} }} }}", stored_in(body, stored))
}

/// A loop over rows of `x`.
fn rows(body: &str) -> String {
    let given = "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] x2: &GlobalTensor<f32>, #[shape(n, d)] x3: &GlobalTensor<f32>, \
                 #[shape(n, d)] x4: &GlobalTensor<f32>, #[shape(n, d)] x5: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, \
                 #[shape(n)] k: &GlobalTensor<f32>, s: f32";
    let stored =
        [("y", "n, d"), ("c", "n")].map(|(name, shape)| (name, format!("#[shape({shape})] {name}: &mut GlobalTensor<f32>")));
    format!("#[kernel] fn k({given}{}) {{ for r in row_tiles(x) {{ {body} }} }}", stored_in(body, stored))
}

/// The outputs that a body stores to, each read as well.
fn stored_in<const N: usize>(body: &str, outputs: [(&str, String); N]) -> String {
    let stored = outputs
        .into_iter()
        .filter(|(name, _)| body.contains(&format!("store({name}, ")) || body.contains(&format!("store_col({name}, ")));
    stored.map(|(_, declared)| format!(", #[inplace] {declared}")).collect()
}

type Frame = fn(&str) -> String;

/// Kernels, and for each variant the blocks and the most of the others of [`COSTS`].
const PLANS: &[(Frame, &str, &[[i64; 8]])] = &[
    // A product of halves needs no cast, a difference from a number no third call, a division by one no tile of it.
    (flat, "t.store(h, (t.load(h).cast::<f32>() * t.load(h).cast::<f32>()).cast::<f16>());", &[[6, 1, 3328, 4, 4, 1, 3, 0]]),
    (flat, "t.store(h, (t.load(h).cast::<f32>() * 0.1).cast::<f16>());", &[[4, 1, 3072, 4, 4, 3, 2, 0]]),
    (flat, "t.store(y, 1.0 - t.load(x) * 2.0);", &[[4, 0, 2048, 5, 4, 2, 2, 0]]),
    (flat, "let v = t.load(x) * s; t.store(y, 1.0 - v); t.store(z, v);", &[[6, 0, 3072, 6, 4, 3, 3, 0]]),
    (flat, "t.store(y, t.load(x) / 3.0);", &[[4, 1, 2080, 5, 4, 2, 2, 0]]),
    (flat, "t.store(y, t.load(x));", &[[4, 0, 2048, 5, 4, 1, 2, 0]]),
    (flat, "t.store(y, t.load(x) + t.load(w));", &[[6, 1, 3328, 5, 4, 1, 3, 0]]),
    (flat, "let v = t.load(x); t.store(y, v); t.store(z, v);", &[[4, 0, 2048, 5, 4, 1, 3, 0]]),
    (flat, "let v = t.load(x) + 1.0; t.store(y, v); t.store(z, v.exp());", &[[6, 0, 3072, 5, 4, 2, 3, 0]]),
    (flat, "let v = t.load(x); t.store(y, v.gt(0.5).select(v, -v));", &[[4, 2, 2336, 5, 4, 3, 2, 0]]),
    (flat, "let v = t.load(x); let m = v.gt(t.load(w)); t.store(y, m.select(v, 0.0)); t.store(z, m.select(v.exp(), v));", &[[8, 2, 4384, 5, 4, 4, 4, 0]]),
    (flat, "t.store(h, (t.load(h).cast::<f32>().exp() + t.load(w)).cast::<f16>());", &[[6, 2, 5376, 5, 4, 4, 3, 0]]),
    (flat, "let mut u = t.load(x); for i in 0..n { u = u * 2.0; } t.store(y, u);", &[[4, 0, 2048, 6, 4, 2, 2, 0]]),
    (flat, "let mut u = t.load(x).exp(); if flag { u = u * 2.0; } else { u = u + t.load(w); } t.store(y, u);", &[[4, 2, 2816, 6, 4, 4, 3, 0]]),
    (flat, "t.store(y, t.load(x) + t.load(x));", &[[6, 1, 3328, 4, 4, 1, 3, 0]]),
    (flat, "t.store(y, t.load(x) * (s * 2.0) + s);", &[[4, 0, 2048, 6, 4, 2, 2, 0]]),
    (flat, "t.store(y, t.load(x) * (n.div_ceil(3) as f32) + (n.div_ceil(3) as f32));", &[[4, 0, 2048, 6, 4, 2, 2, 0]]),
    (flat, "let a = t.load(x).exp(); let b = a.abs() + a; let c = b.exp() + b; t.store(y, c * a);", &[[4, 2, 2816, 5, 4, 6, 2, 0]]),
    (flat, "let v = t.load(x); let a = v.exp(); let b = v.abs(); t.store(y, a + b); t.store(z, a - b);", &[[6, 1, 3328, 5, 4, 4, 3, 0]]),
    (flat, "let v = t.full(s); t.store(y, t.load(x) + v); t.store(z, v);", &[[6, 1, 3328, 6, 4, 2, 3, 0]]),
    (flat, "let i = t.load(x).cast_with::<i32>(RoundMode::Floor); t.store(y, i.cast::<f32>());", &[[4, 1, 2560, 5, 4, 2, 2, 0]]),
    (flat, "t.store(y, t.load(x)); t.store(y, t.load(y) * t.load(w));", &[[10, 1, 5376, 5, 4, 2, 5, 2]]),
    (rows, "r.store(y, r.load(x).exp());", &[[4, 0, 1024, 8, 4, 1, 2, 0], [4, 0, 1024, 7, 6, 1, 2, 0]]),
    (rows, "let v = r.load(x); let e = (v - v.row_max()).exp(); r.store(y, e / e.row_sum());", &[[4, 3, 1568, 10, 4, 9, 2, 0], [4, 6, 1760, 7, 10, 15, 4, 0]]),
    (rows, "let v = r.load(x); r.store_col(c, v.row_max() - v.row_min()); r.store(y, v);", &[[6, 2, 1376, 10, 4, 6, 3, 0], [6, 4, 1312, 7, 6, 10, 3, 0]]),
    (rows, "let v = r.load(x) * r.load_row(g); r.store(y, v + r.load_row(g));", &[[6, 1, 3328, 10, 4, 4, 4, 0], [8, 1, 4352, 7, 6, 2, 4, 0]]),
    (rows, "let b = r.load_col(k); r.store(y, (r.load(x) - b) * b);", &[[6, 1, 1344, 10, 4, 3, 3, 0], [6, 1, 1344, 8, 6, 3, 3, 0]]),
    (rows, "let v = r.load(x); let m = v.row_max(); r.store(y, v.gt(m - 1.0).select(v, v - m));", &[[4, 7, 3872, 10, 4, 9, 2, 0], [4, 8, 4000, 7, 8, 11, 3, 0]]),
    (rows, "let v = r.load(x); let m = v.row_max(); let a = v.gt(m - 1.0).select(v, v - m); r.store(y, a.gt(m - 2.0).select(a, a * m));", &[[4, 8, 4128, 10, 4, 15, 2, 0], [4, 10, 4512, 7, 8, 17, 3, 0]]),
    (rows, "let v = r.load(x); let a = r.load_row(g); r.store(y, v.gt(a).select(v, a.exp() * v));", &[[5, 4, 3616, 10, 4, 6, 3, 0], [6, 3, 3872, 7, 6, 5, 3, 0]]),
    (rows, "let v = r.load(x); r.store_col(c, (v * v).row_sum().sqrt() * s);", &[[4, 1, 832, 11, 4, 5, 2, 0], [4, 3, 768, 8, 6, 7, 2, 0]]),
    (rows, "for q in r.col_tiles() { q.store(y, q.load(x) * q.load_row(g)); }", &[[6, 1, 2816, 5, 6, 1, 3, 0]]),
    (rows, "let mut m = r.col(f32::NEG_INFINITY); for q in r.col_tiles() { m = m.max(q.load(x).row_max()); } for q in r.col_tiles() { q.store(y, q.load(x) - m); }", &[[4, 4, 1472, 5, 8, 6, 3, 0]]),
    (rows, "let v = r.load(x); r.store(y, v - v.row_max().cast::<f16>().cast::<f32>());", &[[4, 4, 1600, 10, 4, 6, 2, 0], [4, 5, 2560, 7, 8, 8, 3, 0]]),
    (rows, "let v = r.load(x) + r.load(x2) + r.load(x3) + r.load(x4) + r.load(x5); r.store(y, v - v.row_max());", &[[4, 4, 4896, 10, 4, 8, 6, 0], [4, 6, 5312, 7, 8, 14, 11, 0]]),
];
