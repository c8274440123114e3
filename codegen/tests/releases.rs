//! The releases of CANN that a text needs: the table of facts, and the READMEs' words about it. Two
//! tests know nothing of the table's reasons. One looks for words in emitted texts; the other
//! compiles them against headers that hide what a release lacks.

use crate::bundle::{compiles_for, emitted, folder, write_project};
use crate::common;
use jumar_codegen::ProjectKind;
use jumar_codegen::{names, needs, Feature, Release, FACTS};
use jumar_dsl::check::CheckedKernel;
use std::collections::BTreeSet;

/// Kernels whose texts differ by release, with the least release of `direct` and their features.
const KERNELS: &[(&str, Release, &[Feature], &str)] = &[
    ("plain", Release::V8_1, &[], "pub fn plain(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load() * 2.0); } }"),
    (
        "rows_of",
        Release::V8_1,
        &[Feature::Assertions],
        "pub fn rows_of(#[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) { \
         for r in tiles(n) { let i = ids.at(r).load(); y.at(r, ..).store(table.at(i, ..).load()); } }",
    ),
    // A kernel without tensors in UB still has a TPipe.
    (
        "first",
        Release::V8_1,
        &[],
        "pub fn first(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] y: &mut GlobalTensor<f32>) { require(n >= 1); require(m >= 1); let pipe = TPipe::new(); \
         if get_block_idx() == 0 { let v = x.get_value(0); y.set_value(0, v); y.data_cache_clean_and_invalid(0); } }",
    ),
    (
        "narrowed",
        Release::V8_1,
        &[Feature::MulCastInCounterMode],
        "pub fn narrowed(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] z: &mut GlobalTensor<i8>) { @BODY(f16, i8, vec::mul_cast(&b, &a, &a, counter(1024));) }",
    ),
    // With a count the call has one form.
    (
        "counted",
        Release::V8_1,
        &[],
        "pub fn counted(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] z: &mut GlobalTensor<i8>) { @BODY(f16, i8, vec::mul_cast(&b, &a, &a, 1024);) }",
    ),
    (
        "dequantised",
        Release::V8_5,
        &[Feature::Dequantised],
        "pub fn dequantised(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<f16>) { @BODY(i32, f16, vec::cast_dequant(&b, &a, 0.1, 1024);) }",
    ),
    (
        "dequantised_by_counter",
        Release::V8_5,
        &[Feature::Dequantised],
        "pub fn dequantised_by_counter(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] z: &mut GlobalTensor<f16>) { \
         @BODY(i32, f16, vec::cast_dequant(&b, &a, 0.1, counter(1024));) }",
    ),
    (
        "by_hand",
        Release::V8_5,
        &[Feature::PlacedTensors, Feature::FreeInitSocState],
        "pub fn by_hand(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) { require(n % 1024 == 0); let share = split(n).unit(1024); \
         let a = LocalTensor::<f32>::new(VecCalc, 0, 1024); for t in 0..share.len() / 1024 { let at = share.start() + t * 1024; data_copy(&a, x.slice(at, 1024)); \
         pipe_barrier::<PIPE_ALL>(); data_copy(y.slice(at, 1024), &a); pipe_barrier::<PIPE_ALL>(); } }",
    ),
    (
        "doubled",
        Release::V8_1,
        &[],
        "pub fn doubled(xs: &[GlobalTensor<f32>], ys: &mut [GlobalTensor<f32>]) { for (x, y) in zip((xs, ys)) { for t in tiles(x) { \
         y.at(t).store(x.at(t).load() * 2.0); } } }",
    ),
];

/// Makes a kernel at queue level around one call from `a` to `b`.
fn body(from: &str, to: &str, call: &str) -> String {
    format!(
        "require(n % 1024 == 0); let share = split(n).unit(1024); let mut pipe = TPipe::new(); \
         let (mut in_x, mut out_z) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); pipe.init_buffer(&mut in_x, 2, 1024 * size_of::<{from}>()); \
         pipe.init_buffer(&mut out_z, 2, 1024 * size_of::<{to}>()); for t in 0..share.len() / 1024 {{ let at = share.start() + t * 1024; \
         let a = in_x.alloc_tensor::<{from}>(); data_copy(&a, x.slice(at, 1024)); in_x.enque(a); let a = in_x.deque::<{from}>(); \
         let b = out_z.alloc_tensor::<{to}>(); {call} in_x.free_tensor(a); out_z.enque(b); let b = out_z.deque::<{to}>(); \
         data_copy(z.slice(at, 1024), &b); out_z.free_tensor(b); }}"
    )
}

fn checked(name: &str, text: &str) -> CheckedKernel {
    let text = match text.split_once("@BODY(") {
        Some((head, rest)) => {
            let (of, tail) = rest.rsplit_once(')').expect("the body ends");
            let mut words = of.splitn(3, ", ");
            let [from, to, call] = [(); 3].map(|()| words.next().expect("two types and a call"));
            format!("{head}{}{tail}", body(from, to, call))
        }
        None => text.to_string(),
    };
    common::checked_text(name, &format!("use jumar::prelude::*;\n#[kernel]\n{text}"))
}

#[test]
fn facts_stand_in_their_order_and_in_the_documentation() {
    let page = include_str!("../../book/src/reference/projects.md");
    for (at, fact) in FACTS.iter().enumerate() {
        assert!(
            fact.feature as usize == at && fact.feature.fact().says == fact.says,
            "{:?}",
            fact.feature
        );
        let older = fact.older.map_or("–".to_string(), |(form, newer)| {
            format!("{form} (newer form: {newer})")
        });
        let row = format!(
            "| {} | {} | {older} | {} |",
            fact.says, fact.least, fact.source
        );
        assert!(
            page.contains(&row),
            "book/src/reference/projects.md lacks the row\n{row}"
        );
    }
    let rows = page
        .split("## Releases of CANN")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .expect("the section");
    assert_eq!(
        rows.lines().filter(|line| line.starts_with("| ")).count(),
        FACTS.len() + 1,
        "rows beside those of the table"
    );
    assert!(
        Release::ALL.is_sorted()
            && Release::ALL
                .iter()
                .all(|release| release.is_in(release.name()) == Some(true))
    );
}

/// Returns the texts of a project that the device compiler and the build read.
fn built_texts(kernel: &CheckedKernel, kind: ProjectKind) -> String {
    let all = emitted(kernel, kind).files.into_iter();
    let stem = names(kernel);
    let own = [
        format!("{}.cpp", stem.kernel),
        format!("{}.asc", stem.kernel),
        format!("op_kernel/{}.cpp", stem.op_stem),
        format!("csrc/{}.cpp", stem.kernel),
    ];
    let texts: Vec<String> = all
        .filter(|file| own.contains(&file.path))
        .map(|file| file.text)
        .collect();
    assert_eq!(texts.len(), 1, "{} {kind}", stem.kernel);
    let builds = emitted(kernel, kind)
        .files
        .into_iter()
        .filter(|file| file.path.ends_with("CMakeLists.txt"));
    texts
        .into_iter()
        .chain(builds.map(|file| file.text))
        .collect()
}

/// Compares a kernel's needs with the words of its texts and of its README.
fn agrees(name: &str, kernel: &CheckedKernel) {
    for kind in ProjectKind::ALL {
        let (needs, text) = (needs(kernel, kind), built_texts(kernel, kind));
        let found: BTreeSet<Feature> = FACTS
            .iter()
            .filter(|fact| fact.words.iter().any(|word| text.contains(word)))
            .map(|fact| fact.feature)
            .collect();
        assert_eq!(needs.features, found, "{name} {kind}");
        let least = found
            .iter()
            .map(|feature| feature.fact().least)
            .max()
            .unwrap_or(Release::V8_1);
        assert_eq!(needs.release, least, "{name} {kind}");
        let project = emitted(kernel, kind);
        let readme = project.text("README.md").expect("a README");
        assert!(
            readme.contains(&format!("The project needs CANN {least} or later")),
            "{name} {kind}: {readme}"
        );
        let reasons = needs.reasons().iter().all(|reason| readme.contains(reason));
        assert!(
            reasons && needs.reasons().is_empty() == (least == Release::V8_1),
            "{name} {kind}: {readme}"
        );
        let includes_lists = text.contains("#include \"kernel_operator_list_tensor_intf.h\"");
        assert_eq!(
            includes_lists,
            found.contains(&Feature::Lists),
            "{name} {kind}"
        );
    }
}

#[test]
fn needs_are_what_the_texts_say() {
    for (name, least, features, text) in KERNELS {
        let kernel = checked(name, text);
        agrees(name, &kernel);
        let needs = needs(&kernel, ProjectKind::Direct);
        assert_eq!(
            (needs.release, needs.features),
            (*least, features.iter().copied().collect()),
            "{name}"
        );
    }
    for (name, _) in common::KERNELS {
        agrees(name, &common::checked(name));
    }
    let used: BTreeSet<Feature> = KERNELS
        .iter()
        .flat_map(|(_, _, features, _)| features.iter().copied())
        .collect();
    // The assertion of `segments`, in the list of kernels, is of the other kind. The remaining
    // features belong to kinds. In an operator project `doubled` has lists and its own build; in an
    // `.asc` source `total` has barriers.
    assert_eq!(FACTS.len() - used.len(), 4, "{used:?}");
}

/// A text must compile from its least release on, and in no earlier one.
#[test]
fn texts_compile_from_their_least_release_on() {
    for (name, _, _, text) in KERNELS {
        let kernel = checked(name, text);
        for kind in [ProjectKind::Direct, ProjectKind::Msopgen] {
            let dir = folder(&format!("releases/{name}/{kind}"));
            write_project(&dir, &kernel, kind);
            let file = match kind {
                ProjectKind::Direct => format!("{name}.cpp"),
                ProjectKind::Msopgen => "built_kernel.cpp".to_string(),
                ProjectKind::Asc | ProjectKind::Torch => unreachable!("the two kinds above"),
            };
            let needs = needs(&kernel, kind);
            // The compiler sees a text without its build.
            let of_text = needs
                .features
                .iter()
                .filter(|feature| **feature != Feature::OperatorBuild);
            let least = of_text
                .map(|feature| feature.fact().least)
                .max()
                .unwrap_or(Release::V8_1);
            for release in Release::ALL {
                let is_right = compiles_for(release.number(), &dir, &file);
                assert_eq!(
                    is_right,
                    release >= least,
                    "{name} {kind} for {release}, needs {needs}"
                );
            }
        }
    }
}
