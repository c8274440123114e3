//! Kernels of the tests, checked.

use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;

/// Name and source of each kernel in `tests/kernels`.
pub const KERNELS: &[(&str, &str)] = &[
    ("activated", include_str!("../kernels/activated.rs")),
    ("add_queue", include_str!("../kernels/add_queue.rs")),
    ("crossed", include_str!("../kernels/crossed.rs")),
    ("placed", include_str!("../kernels/placed.rs")),
    ("cropped", include_str!("../kernels/cropped.rs")),
    ("flagged", include_str!("../kernels/flagged.rs")),
    ("affine", include_str!("../kernels/affine.rs")),
    ("amsgrad", include_str!("../kernels/amsgrad.rs")),
    ("asked", include_str!("../kernels/asked.rs")),
    ("axpy", include_str!("../kernels/axpy.rs")),
    ("blended", include_str!("../kernels/blended.rs")),
    ("choose", include_str!("../kernels/choose.rs")),
    ("ranked", include_str!("../kernels/ranked.rs")),
    ("chosen", include_str!("../kernels/chosen.rs")),
    ("constant", include_str!("../kernels/constant.rs")),
    ("defaults", include_str!("../kernels/defaults.rs")),
    ("idle", include_str!("../kernels/idle.rs")),
    ("layer_norm", include_str!("../kernels/layer_norm.rs")),
    ("listed", include_str!("../kernels/listed.rs")),
    ("merged", include_str!("../kernels/merged.rs")),
    ("mixed", include_str!("../kernels/mixed.rs")),
    ("normed", include_str!("../kernels/normed.rs")),
    ("norms", include_str!("../kernels/norms.rs")),
    ("padded", include_str!("../kernels/padded.rs")),
    ("marked", include_str!("../kernels/marked.rs")),
    ("parked", include_str!("../kernels/parked.rs")),
    ("scalars", include_str!("../kernels/scalars.rs")),
    ("scaled_gamma", include_str!("../kernels/scaled_gamma.rs")),
    ("scatter", include_str!("../kernels/scatter.rs")),
    ("segments", include_str!("../kernels/segments.rs")),
    ("shared", include_str!("../kernels/shared.rs")),
    ("shown", include_str!("../kernels/shown.rs")),
    ("softmax", include_str!("../kernels/softmax.rs")),
    ("strided", include_str!("../kernels/strided.rs")),
    ("swish", include_str!("../kernels/swish.rs")),
    ("told", include_str!("../kernels/told.rs")),
    ("total", include_str!("../kernels/total.rs")),
    ("totals", include_str!("../kernels/totals.rs")),
    ("weigh", include_str!("../kernels/weigh.rs")),
    ("windowed", include_str!("../kernels/windowed.rs")),
];

/// Returns the name of the tiling data that an operator registers; with lists it is not the struct
/// of an item.
pub fn registered(kernel: &CheckedKernel) -> String {
    let names = jumar_codegen::names(kernel);
    let has_lists = kernel.kernel().sig.lists().next().is_some();
    if has_lists {
        names.items
    } else {
        names.data
    }
}

/// Returns the source of a kernel.
pub fn source(name: &str) -> &'static str {
    KERNELS
        .iter()
        .find(|(n, _)| *n == name)
        .expect("a kernel of the list")
        .1
}

/// Checks a kernel for the chip it is declared for.
pub fn checked(name: &str) -> CheckedKernel {
    checked_text(name, source(name))
}

/// Checks a kernel given as text.
pub fn checked_text(name: &str, text: &str) -> CheckedKernel {
    let parsed = parse_file(text).expect("the kernel is Rust");
    let first = parsed.into_iter().next().expect("there is a kernel");
    let messages: Vec<_> = first
        .diagnostics
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect();
    let kernel = first
        .kernel
        .unwrap_or_else(|| panic!("{name}: {messages:?}"));
    let chip = kernel
        .chips
        .first()
        .and_then(|c| Chip::by_name(c))
        .unwrap_or_else(Chip::default_chip);
    check(&kernel, chip).unwrap_or_else(|found| {
        let messages: Vec<_> = found
            .iter()
            .map(|d| format!("{} {}", d.code, d.message))
            .collect();
        panic!("{name}: {messages:?}")
    })
}
