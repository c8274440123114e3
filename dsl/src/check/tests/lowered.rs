//! Lowered tile kernels obey the rules of the queue level, and all of their bounds are proved.

use super::*;

/// Kernels of every form that a tile loop lowers to: flat, rows resident and streamed, columns,
/// rows and columns of results, masks, nested loops, shared blocks, in place.
const KERNELS: &[(&str, &str)] = &[
    ("x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>().exp().cast::<T>()); }"),
    ("#[inplace] x: &mut GlobalTensor<T>", "for t in tiles(x) { let v = x.at(t).load().cast::<f32>(); x.at(t).store((v * 2.0).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in tiles(n) { let v = x.at(r, ..).load().cast::<f32>(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store((e / e.sum(d)).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>", "for r in tiles(n) { let v = x.at(r, ..).load().cast::<f32>(); y.at(r, ..).store((v * g.at(..).load().cast::<f32>()).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] s: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>", "for r in tiles(n) { let v = x.at(r, ..).load().cast::<f32>() * s.at(r).load(); y.at(r).store(v.sum(d)); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in tiles(n) { for c in tiles(d) { let v = x.at(r, c).load().cast::<f32>(); y.at(r, c).store(v.relu().cast::<T>()); } }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in tiles(n) { let v = x.at(r, ..).load().cast::<f32>(); y.at(r, ..).store(v.gt(0.5).select(v, -v).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, k: usize", "for r in tiles(n) { let mut v = x.at(r, ..).load().cast::<f32>(); for i in 0..k { v = v + v.amax(d); } y.at(r, ..).store(v.cast::<T>()); }"),
    ("#[shape(n, d)] a: &GlobalTensor<T>, b: &GlobalTensor<T>, c: &GlobalTensor<T>, e: &GlobalTensor<T>, f: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in tiles(n) { let v = a.at(r, ..).load().cast::<f32>() + b.at(r, ..).load().cast::<f32>() + c.at(r, ..).load().cast::<f32>() + e.at(r, ..).load().cast::<f32>() + f.at(r, ..).load().cast::<f32>(); y.at(r, ..).store(v.cast::<T>()); }"),
];

#[test]
fn every_bound_of_what_tile_kernels_become_is_proved() {
    let mut open = String::new();
    for (params, body) in KERNELS {
        let text = format!(
            "#[kernel]\nfn k<T: Float>({params}) {{\n{}\n}}",
            body.replace("; ", ";\n")
        );
        let kernel = parse_file(&text)
            .map(|mut p| p.remove(0).kernel)
            .ok()
            .flatten()
            .unwrap_or_else(|| panic!("{text}"));
        for instance in 0..kernel.sig.instances.len() {
            let lowering =
                lower(&kernel, instance, Chip::default_chip()).expect("a kernel that lowers");
            for d in check_lowered(
                &lowering.lowered,
                facts_of(&lowering.lowered),
                kernel.level(),
                &[],
                Chip::default_chip(),
            ) {
                open += &format!("{} instance {instance}: {} {}\n", text, d.code, d.message);
            }
        }
    }
    assert!(open.is_empty(), "{open}");
}
