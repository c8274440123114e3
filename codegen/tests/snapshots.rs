//! IR and whole projects as text, side by side: what an author reads. A change here is a change of the product; read it as such.

use crate::common;
use jumar_codegen::{emit, emit_object, EmitOptions, ProjectKind};
use jumar_dsl::ir::text::to_text;

/// Every file of a project under its path.
fn project(kernel: &str, kind: ProjectKind) -> String {
    let options = EmitOptions { kind, source_name: Some(format!("kernels/{kernel}.rs")), ..EmitOptions::default() };
    let project = emit(&common::checked(kernel), &options);
    assert_eq!(project, emit(&common::checked(kernel), &options), "the same kernel gives the same bytes");
    let mut text = String::new();
    if kind == ProjectKind::Direct {
        // The IR beside the texts made of it, so that one diff shows the whole effect of a change.
        let kernel = common::checked(kernel);
        text.push_str(&format!("==== IR ====\n{}\n", to_text(kernel.kernel())));
        text.push_str(&format!("==== IR, lowered for the first instance ====\n{}\n", to_text(&kernel.instances()[0])));
    }
    // What calls an operator has a snapshot of its own.
    for file in project.files.iter().filter(|f| !f.path.ends_with("/main.cpp") && !f.path.ends_with("/main.rs")) {
        text.push_str(&format!("==== {} ====\n{}\n", file.path, file.text));
        for (i, line) in file.text.lines().enumerate() {
            assert_eq!(line, line.trim_end(), "{}:{} ends in blanks", file.path, i + 1);
        }
        assert!(file.text.ends_with('\n') && !file.text.contains("\n\n\n"), "{} has stray blank lines", file.path);
    }
    text
}

macro_rules! snapshots {
    ($($test:ident: $kernel:literal, $kind:ident;)*) => {$(
        #[test]
        fn $test() {
            insta::assert_snapshot!(project($kernel, ProjectKind::$kind));
        }
    )*};
}
snapshots! {
    swish_direct: "swish", Direct;
    segments_direct: "segments", Direct;
    shown_direct: "shown", Direct;
    normed_direct: "normed", Direct;
    swish_asc: "swish", Asc;
    swish_msopgen: "swish", Msopgen;
    scatter_direct: "scatter", Direct;
    softmax_direct: "softmax", Direct;
    add_queue_direct: "add_queue", Direct;
    crossed_asc: "crossed", Asc;
    crossed_direct: "crossed", Direct;
    placed_direct: "placed", Direct;
    placed_msopgen: "placed", Msopgen;
    flagged_direct: "flagged", Direct;
    cropped_direct: "cropped", Direct;
    scalars_direct: "scalars", Direct;
    strided_direct: "strided", Direct;
    merged_asc: "merged", Asc;
    windowed_direct: "windowed", Direct;
    chosen_direct: "chosen", Direct;
    ranked_asc: "ranked", Asc;
    weigh_direct: "weigh", Direct;
    totals_direct: "totals", Direct;
    choose_msopgen: "choose", Msopgen;
    axpy_msopgen: "axpy", Msopgen;
    blended_direct: "blended", Direct;
    blended_msopgen: "blended", Msopgen;
    listed_msopgen: "listed", Msopgen;
    norms_msopgen: "norms", Msopgen;
    marked_direct: "marked", Direct;
    parked_msopgen: "parked", Msopgen;
    shared_asc: "shared", Asc;
    total_asc: "total", Asc;
    total_msopgen: "total", Msopgen;
    affine_direct: "affine", Direct;
    affine_msopgen: "affine", Msopgen;
    asked_direct: "asked", Direct;
    asked_msopgen: "asked", Msopgen;
    padded_msopgen: "padded", Msopgen;
    activated_direct: "activated", Direct;
    activated_msopgen: "activated", Msopgen;
}

/// What a PyTorch extension has besides kernel, tiling data and tiling function, which are those of a direct project.
fn extension(kernel: &str, wanted: impl Fn(&str) -> bool) -> String {
    let project = emit(&common::checked(kernel), &EmitOptions { kind: ProjectKind::Torch, ..EmitOptions::default() });
    let same =
        ["cpp", "tiling.h", "tiling_func.h"].map(|end| format!("csrc/{kernel}{}{end}", if end == "cpp" { "." } else { "_" }));
    let own = project.files.iter().filter(|f| !same.contains(&f.path) && wanted(&f.path));
    own.map(|f| format!("==== {} ====\n{}\n", f.path, f.text)).collect()
}

#[test]
fn listed_client() {
    let project = emit(&common::checked("listed"), &EmitOptions { kind: ProjectKind::Msopgen, ..EmitOptions::default() });
    insta::assert_snapshot!(project.text("examples/main.cpp").expect("a client"));
}

#[test]
fn listed_rust_client() {
    let project = emit(&common::checked("listed"), &EmitOptions { kind: ProjectKind::Msopgen, ..EmitOptions::default() });
    insta::assert_snapshot!(project.text("examples/rust/src/main.rs").expect("a client"));
}

/// What `listed` lacks: attributes of all kinds, tensors that may be left out.
#[test]
fn calls_of_rust_clients() {
    let of = |kernel: &str| {
        let project = emit(&common::checked(kernel), &EmitOptions { kind: ProjectKind::Msopgen, ..EmitOptions::default() });
        let text = project.text("examples/rust/src/main.rs").expect("a client");
        let run: Vec<&str> =
            text.lines().skip_while(|l| !l.starts_with("fn run(")).take_while(|l| !l.starts_with("/// A tensor of")).collect();
        format!("==== {kernel} ====\n{}\n", run.join("\n").trim_end())
    };
    insta::assert_snapshot!(["asked", "affine", "choose", "defaults", "padded", "activated", "constant"].map(of).concat());
}

#[test]
fn activated_torch() {
    insta::assert_snapshot!(extension("activated", |_| true));
}

#[test]
fn listed_torch() {
    insta::assert_snapshot!(extension("listed", |path| path.starts_with("csrc/")));
}

#[test]
fn asked_torch() {
    insta::assert_snapshot!(extension("asked", |path| path.ends_with("_npu.cpp")));
}

/// The kernel file of a direct project whose vector calls wait by barriers.
fn with_barriers(kernel: &str, barriers: bool) -> String {
    let options = EmitOptions { barriers, ..EmitOptions::default() };
    let project = emit(&common::checked(kernel), &options);
    project.text(&format!("{kernel}.cpp")).expect("the kernel").to_string()
}

/// What a program compiles by itself: an object, and a library where blocks wait for one another.
fn alone(kernel: &str) -> String {
    let options = EmitOptions { source_name: Some(format!("{kernel}.rs")), ..EmitOptions::default() };
    let object = emit_object(&common::checked(kernel), &options).expect("a source");
    format!("{}: {:?}, workspace {}, {:?}\n{}", object.name, object.form, object.takes_workspace, object.functions, object.text)
}

#[test]
fn swish_alone() {
    insta::assert_snapshot!(alone("swish"));
}

#[test]
fn total_alone() {
    insta::assert_snapshot!(alone("total"));
}

#[test]
fn swish_barriers() {
    insta::assert_snapshot!(with_barriers("swish", true));
}

#[test]
fn barriers_are_all_that_differs_where_they_are_wanted() {
    for (kernel, _) in common::KERNELS {
        let text = with_barriers(kernel, true);
        let others = text.lines().filter(|l| l.trim() != "PipeBarrier<PIPE_V>();").map(|l| format!("{l}\n"));
        assert_eq!(others.collect::<String>(), with_barriers(kernel, false), "{kernel}");
        // Idle and constant kernels fill one tensor by one call.
        let depends = !["idle", "constant", "add_queue", "scalars", "marked"].contains(kernel);
        assert!(!depends || text.contains("PipeBarrier<PIPE_V>();"), "{kernel}:\n{text}");
    }
}

#[test]
fn a_path_in_front_of_the_source_name_does_not_get_into_the_texts() {
    assert!(!project("swish", ProjectKind::Direct).contains("kernels/swish.rs"));
}

#[test]
fn project_kinds_are_named_by_their_words() {
    for kind in ProjectKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    let error = "cmake".parse::<ProjectKind>().expect_err("no such kind").to_string();
    assert_eq!(error, "`cmake` is no project kind; there are direct, asc, msopgen, torch");
}
