//! What tile kernels become is held to the rules of the queue level, and every bound of it is proved.

use super::*;

/// Kernels of every form that a tile loop lowers to: flat, rows resident and streamed, columns, rows and columns of
/// results, masks, nested loops, shared blocks, in place.
const KERNELS: &[(&str, &str)] = &[
    ("x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for t in tiles(x) { t.store(y, t.load(x).cast::<f32>().exp().cast::<T>()); }"),
    ("#[inplace] x: &mut GlobalTensor<T>", "for t in tiles(x) { let v = t.load(x).cast::<f32>(); t.store(x, (v * 2.0).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in row_tiles(x) { let v = r.load(x).cast::<f32>(); let e = (v - v.row_max()).exp(); r.store(y, (e / e.row_sum()).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>, #[shape(n, d)] y: &mut GlobalTensor<T>", "for r in row_tiles(x) { let v = r.load(x).cast::<f32>(); r.store(y, (v * r.load_row(g).cast::<f32>()).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] s: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>", "for r in row_tiles(x) { let v = r.load(x).cast::<f32>() * r.load_col(s); r.store_col(y, v.row_sum()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in row_tiles(x) { for c in r.col_tiles() { let v = c.load(x).cast::<f32>(); c.store(y, v.relu().cast::<T>()); } }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in row_tiles(x) { let v = r.load(x).cast::<f32>(); r.store(y, v.gt(0.5).select(v, -v).cast::<T>()); }"),
    ("#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, k: usize", "for r in row_tiles(x) { let mut v = r.load(x).cast::<f32>(); for i in 0..k { v = v + v.row_max(); } r.store(y, v.cast::<T>()); }"),
    ("#[shape(n, d)] a: &GlobalTensor<T>, b: &GlobalTensor<T>, c: &GlobalTensor<T>, e: &GlobalTensor<T>, f: &GlobalTensor<T>, y: &mut GlobalTensor<T>", "for r in row_tiles(a) { let v = r.load(a).cast::<f32>() + r.load(b).cast::<f32>() + r.load(c).cast::<f32>() + r.load(e).cast::<f32>() + r.load(f).cast::<f32>(); r.store(y, v.cast::<T>()); }"),
];

#[test]
fn every_bound_of_what_tile_kernels_become_is_proved() {
    let mut open = String::new();
    for (params, body) in KERNELS {
        let text = format!("#[kernel]\nfn k<T: Float>({params}) {{\n{}\n}}", body.replace("; ", ";\n"));
        let kernel = parse_file(&text).map(|mut p| p.remove(0).kernel).ok().flatten().unwrap_or_else(|| panic!("{text}"));
        for instance in 0..kernel.sig.instances.len() {
            let lowering = lower(&kernel, instance, Chip::default_chip()).expect("a kernel that lowers");
            for d in check_lowered(&lowering.lowered, kernel.level, &[], Chip::default_chip()) {
                open += &format!("{} instance {instance}: {} {}\n", text, d.code, d.message);
            }
        }
    }
    assert!(open.is_empty(), "{open}");
}
