//! Instances that count as alike have equal lowerings.

use super::*;

/// Kernels whose instances differ where a number, a cast or a view depends on the type.
const OPEN: &[&str] = &[
    "#[kernel] fn k<T: Number>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { for t in tiles(x) { y.at(t).store(x.at(t).load() + x.at(t).load()); } }",
    "#[kernel] fn k<T: Number>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { for t in tiles(x) { y.at(t).store(x.at(t).load() + 1); } }",
    "#[kernel] fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) { for t in tiles(x) { y.at(t).store(x.at(t).load() / 4096.0); } }",
    "#[kernel] #[instances(f16, bf16)] fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f16>) { \
     for t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>().cast::<f16>()); } }",
    "#[kernel] #[instances(f16, i32)] fn k<T: Number>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f32>) { \
     for t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>()); } }",
    "#[kernel] fn k<T: Float, G: Float>(x: &GlobalTensor<T>, g: &GlobalTensor<G>, y: &mut GlobalTensor<T>) { \
     for t in tiles(x) { y.at(t).store((x.at(t).load().cast::<f32>() * g.at(t).load().cast::<f32>()).cast::<T>()); } }",
];

#[test]
fn instances_are_lowered_alike_where_all_that_was_asked_has_one_answer() {
    let (mut alike, mut apart) = (0, 0);
    for chip in ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip")) {
        for text in OPEN.iter().chain(KERNELS) {
            let kernel = kernel(text);
            let runs =
                |i: &usize| chip.has_bf16 || !kernel.sig.instances[*i].contains(&DType::Bf16);
            let own: Vec<usize> = (0..kernel.sig.instances.len()).filter(runs).collect();
            let made =
                |i: usize| lower(&kernel, i, chip).unwrap_or_else(|gap| panic!("{gap:?}: {text}"));
            for (one, other) in own
                .iter()
                .flat_map(|a| own.iter().map(move |b| (*a, *b)))
                .filter(|(a, b)| a != b)
            {
                match made(one).for_instance(other, chip) {
                    Some(taken) => {
                        alike += 1;
                        let own = made(other);
                        assert_eq!(taken.lowered, own.lowered, "{one} and {other} of {text}");
                        assert_eq!(
                            format!("{:?}", taken.plans),
                            format!("{:?}", own.plans),
                            "{one} and {other} of {text}"
                        );
                    }
                    None => apart += 1,
                }
            }
        }
    }
    // f16 and bf16 of most kernels are alike, f16 and f32 never.
    assert!(alike >= 8 && apart >= 8, "{alike} alike, {apart} apart");
}
