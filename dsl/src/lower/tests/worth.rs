//! The costs of plans. A worse plan computes the same results, so no other test finds it. A better
//! plan falls below one of these numbers, and a worse one exceeds it.

use super::look::{cost, idle, COSTS};
use super::*;

#[test]
fn nothing_is_computed_or_declared_that_nobody_uses() {
    for case in cases() {
        for variant in &case.lowering.lowered.variants {
            let idle = idle(variant);
            assert!(
                idle.is_empty(),
                "{} {idle:?} of {}",
                variant.name,
                case.name
            );
        }
    }
}

#[test]
fn no_plan_costs_more_than_it_must() {
    let mut failed = String::new();
    for (frame, body, most) in PLANS {
        let lowering = lowerings(&kernel(&frame(body)), Chip::default_chip()).remove(0);
        let found: Vec<_> = lowering
            .lowered
            .variants
            .iter()
            .zip(&lowering.plans)
            .map(|(v, plan)| cost(v, plan))
            .collect();
        if found.len() != most.len()
            || found
                .iter()
                .zip(*most)
                .any(|(found, most)| is_worse(found, most))
        {
            failed += &format!("{body}: {found:?}, wanted at most {most:?} {COSTS:?}\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// True if a number exceeds its maximum. The number of blocks must be equal, since copies overlap
/// with the vector pipe only if each queue has two.
fn is_worse(found: &[i64; 8], most: &[i64; 8]) -> bool {
    found[0] != most[0] || found.iter().zip(most).any(|(found, most)| found > most)
}

/// Makes a kernel with a loop over tiles of `x`.
fn flat(body: &str) -> String {
    let given = "x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, n: usize, s: f32";
    let stored = [("y", "f32"), ("z", "f32"), ("h", "f16")]
        .map(|(name, ty)| (name, format!("{name}: &mut GlobalTensor<{ty}>")));
    format!(
        "#[kernel] fn k({given}{}) {{ for t in tiles(x) {{ {body} }} }}",
        stored_in(body, stored)
    )
}

/// Makes a kernel with a loop over rows of `x`.
fn rows(body: &str) -> String {
    let given = "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] x2: &GlobalTensor<f32>, #[shape(n, d)] x3: &GlobalTensor<f32>, \
                 #[shape(n, d)] x4: &GlobalTensor<f32>, #[shape(n, d)] x5: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, \
                 #[shape(n)] k: &GlobalTensor<f32>, s: f32";
    let stored = [("y", "n, d"), ("c", "n")].map(|(name, shape)| {
        (
            name,
            format!("#[shape({shape})] {name}: &mut GlobalTensor<f32>"),
        )
    });
    format!(
        "#[kernel] fn k({given}{}) {{ for r in tiles(n) {{ {body} }} }}",
        stored_in(body, stored)
    )
}

/// Declares the outputs that a body stores to, each read as well.
fn stored_in<const N: usize>(body: &str, outputs: [(&str, String); N]) -> String {
    let stored = outputs
        .into_iter()
        .filter(|(name, _)| body.contains(&format!("{name}.at(")));
    stored
        .map(|(_, declared)| format!(", #[inplace] {declared}"))
        .collect()
}

type Frame = fn(&str) -> String;

/// Kernels, with the blocks and the largest other [`COSTS`] of each variant.
const PLANS: &[(Frame, &str, &[[i64; 8]])] = &[
    // A product of halves needs no cast, a difference from a number no third call, a division by
    // one no tile of it.
    (flat, "h.at(t).store((h.at(t).load().cast::<f32>() * h.at(t).load().cast::<f32>()).cast::<f16>());", &[[4, 0, 2048, 4, 4, 1, 2, 0]]),
    (flat, "h.at(t).store((h.at(t).load().cast::<f32>() * 0.1).cast::<f16>());", &[[4, 1, 3072, 4, 4, 3, 2, 0]]),
    (flat, "y.at(t).store(1.0 - x.at(t).load() * 2.0);", &[[4, 0, 2048, 5, 4, 2, 2, 0]]),
    (flat, "let v = x.at(t).load() * s; y.at(t).store(1.0 - v); z.at(t).store(v);", &[[6, 0, 3072, 6, 4, 3, 3, 0]]),
    (flat, "y.at(t).store(x.at(t).load() / 3.0);", &[[4, 1, 2080, 5, 4, 2, 2, 0]]),
    (flat, "y.at(t).store(x.at(t).load());", &[[4, 0, 2048, 5, 4, 1, 2, 0]]),
    (flat, "y.at(t).store(x.at(t).load() + w.at(t).load());", &[[6, 1, 3328, 5, 4, 1, 3, 0]]),
    (flat, "let v = x.at(t).load(); y.at(t).store(v); z.at(t).store(v);", &[[4, 0, 2048, 5, 4, 1, 3, 0]]),
    (flat, "let v = x.at(t).load() + 1.0; y.at(t).store(v); z.at(t).store(v.exp());", &[[6, 0, 3072, 5, 4, 2, 3, 0]]),
    (flat, "let v = x.at(t).load(); y.at(t).store(v.gt(0.5).select(v, -v));", &[[4, 2, 2336, 5, 4, 3, 2, 0]]),
    (flat, "let v = x.at(t).load(); let m = v.gt(w.at(t).load()); y.at(t).store(m.select(v, 0.0)); z.at(t).store(m.select(v.exp(), v));", &[[8, 2, 4384, 5, 4, 4, 4, 0]]),
    (flat, "h.at(t).store((h.at(t).load().cast::<f32>().exp() + w.at(t).load()).cast::<f16>());", &[[6, 2, 5376, 5, 4, 4, 3, 0]]),
    (flat, "let mut u = x.at(t).load(); for i in 0..n { u = u * 2.0; } y.at(t).store(u);", &[[4, 0, 2048, 6, 4, 2, 2, 0]]),
    (flat, "let mut u = x.at(t).load().exp(); if t.len() > 3 { u = u * 2.0; } else { u = u + w.at(t).load(); } y.at(t).store(u);", &[[4, 2, 2816, 6, 4, 4, 3, 0]]),
    (flat, "y.at(t).store(x.at(t).load() + x.at(t).load());", &[[4, 0, 2048, 5, 4, 1, 2, 0]]),
    (flat, "y.at(t).store(x.at(t).load() * (s * 2.0) + s);", &[[4, 0, 2048, 6, 4, 2, 2, 0]]),
    (flat, "y.at(t).store(x.at(t).load() * (n.div_ceil(3) as f32) + (n.div_ceil(3) as f32));", &[[4, 0, 2048, 6, 4, 2, 2, 0]]),
    (flat, "let a = x.at(t).load().exp(); let b = a.abs() + a; let c = b.exp() + b; y.at(t).store(c * a);", &[[4, 2, 2816, 5, 4, 6, 2, 0]]),
    (flat, "let v = x.at(t).load(); let a = v.exp(); let b = v.abs(); y.at(t).store(a + b); z.at(t).store(a - b);", &[[6, 1, 3328, 5, 4, 4, 3, 0]]),
    (flat, "let v = full(t, s); y.at(t).store(x.at(t).load() + v); z.at(t).store(v);", &[[6, 1, 3328, 6, 4, 2, 3, 0]]),
    (flat, "let i = x.at(t).load().cast_with::<i32>(RoundMode::Floor); y.at(t).store(i.cast::<f32>());", &[[4, 1, 2560, 5, 4, 2, 2, 0]]),
    (flat, "y.at(t).store(x.at(t).load()); y.at(t).store(y.at(t).load() * w.at(t).load());", &[[10, 1, 5376, 5, 4, 2, 5, 2]]),
    (rows, "y.at(r, ..).store(x.at(r, ..).load().exp());", &[[4, 0, 1024, 10, 4, 1, 2, 0], [4, 0, 1024, 7, 6, 1, 2, 0]]),
    // The streamed form finds the sum beside the maximum. That saves a copy of a whole row, for
    // calls on one number a row.
    (rows, "let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d));", &[[4, 3, 1568, 12, 4, 9, 2, 0], [4, 7, 1792, 7, 8, 23, 3, 0]]),
    (rows, "let v = x.at(r, ..).load(); c.at(r).store(v.amax(d) - v.amin(d)); y.at(r, ..).store(v);", &[[6, 2, 1376, 12, 4, 6, 3, 0], [6, 4, 1312, 7, 6, 10, 3, 0]]),
    (rows, "let v = x.at(r, ..).load() * g.at(..).load(); y.at(r, ..).store(v + g.at(..).load());", &[[5, 1, 2816, 12, 4, 3, 3, 0], [6, 1, 3328, 7, 6, 2, 3, 0]]),
    (rows, "let b = k.at(r).load(); y.at(r, ..).store((x.at(r, ..).load() - b) * b);", &[[6, 1, 1344, 12, 4, 3, 3, 0], [6, 1, 1344, 8, 6, 3, 3, 0]]),
    (rows, "let v = x.at(r, ..).load(); let m = v.amax(d); y.at(r, ..).store(v.gt(m - 1.0).select(v, v - m));", &[[4, 7, 3872, 12, 4, 9, 2, 0], [4, 8, 4000, 7, 8, 11, 3, 0]]),
    (rows, "let v = x.at(r, ..).load(); let m = v.amax(d); let a = v.gt(m - 1.0).select(v, v - m); y.at(r, ..).store(a.gt(m - 2.0).select(a, a * m));", &[[4, 8, 4128, 12, 4, 15, 2, 0], [4, 10, 4512, 7, 8, 17, 3, 0]]),
    (rows, "let v = x.at(r, ..).load(); let a = g.at(..).load(); y.at(r, ..).store(v.gt(a).select(v, a.exp() * v));", &[[5, 4, 3616, 12, 4, 6, 3, 0], [6, 3, 3872, 7, 6, 5, 3, 0]]),
    (rows, "let v = x.at(r, ..).load(); c.at(r).store((v * v).sum(d).sqrt() * s);", &[[4, 1, 832, 12, 4, 5, 2, 0], [4, 3, 768, 8, 6, 7, 2, 0]]),
    (rows, "for q in tiles(d) { y.at(r, q).store(x.at(r, q).load() * g.at(q).load()); }", &[[6, 1, 2816, 5, 6, 1, 3, 0]]),
    (rows, "let mut m = full(r, f32::NEG_INFINITY); for q in tiles(d) { m = m.max(x.at(r, q).load().amax(q)); } for q in tiles(d) { y.at(r, q).store(x.at(r, q).load() - m); }", &[[4, 4, 1472, 5, 8, 6, 3, 0]]),
    (rows, "let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d).cast::<f16>().cast::<f32>());", &[[4, 4, 1600, 12, 4, 6, 2, 0], [4, 5, 2560, 7, 8, 8, 3, 0]]),
    (rows, "let v = x.at(r, ..).load() + x2.at(r, ..).load() + x3.at(r, ..).load() + x4.at(r, ..).load() + x5.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d));", &[[4, 4, 4896, 12, 4, 8, 6, 0], [4, 6, 5312, 7, 8, 14, 11, 0]]),
];
