//! Projects as text, as an author reads them. A change here is a change of the product; read it as
//! such.
//!
//! Common text of several kernels is in the snapshots `frame_*`, so a change of it shows once. A
//! kernel's snapshot has its own parts, in the form of [`form`], and the suite reads it again.
//!
//! `INSTA_UPDATE=always cargo test -p jumar-codegen --test suite snapshots` writes new snapshots;
//! then read `git diff`. `each_snapshot_is_of_a_test` reports a snapshot that no test writes any
//! more.

use crate::common;
use crate::form::{self, Frame, Shown, Text};
use jumar_codegen::{emit, emit_object, EmitOptions, Project, ProjectKind};
use jumar_dsl::ir::text::to_text;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use ProjectKind::{Asc, Direct, Msopgen, Torch};

fn emitted(kernel: &str, kind: ProjectKind) -> Project {
    let options = EmitOptions {
        kind,
        source_name: Some(format!("kernels/{kernel}.rs")),
        ..EmitOptions::default()
    };
    emit(&common::checked(kernel), &options)
}

/// Returns every file of a project.
fn project(kernel: &str, kind: ProjectKind) -> Vec<Text> {
    let project = emitted(kernel, kind);
    assert_eq!(
        project,
        emitted(kernel, kind),
        "the same kernel gives the same bytes"
    );
    for file in &project.files {
        for (i, line) in file.text.lines().enumerate() {
            assert_eq!(
                line,
                line.trim_end(),
                "{}:{} ends in blanks",
                file.path,
                i + 1
            );
        }
        let stray = if file.path.ends_with(".py") {
            "\n\n\n\n"
        } else {
            "\n\n\n"
        };
        assert!(
            file.text.ends_with('\n') && !file.text.contains(stray),
            "{} has stray blank lines",
            file.path
        );
    }
    project
        .files
        .into_iter()
        .map(|file| Text {
            path: format!("{kind}: {}", file.path),
            text: file.text,
        })
        .collect()
}

/// Kernels whose IR is in the snapshot as well, so that one diff shows the whole effect of a
/// change: a tile loop, queues with strides, and scalars with flags.
const WITH_IR: [&str; 3] = ["swish", "strided", "marked"];

/// Returns the texts in the snapshot of a kernel.
fn shown(kernel: &str, kinds: &[ProjectKind]) -> Shown {
    let mut texts = Vec::new();
    if WITH_IR.contains(&kernel) {
        let checked = common::checked(kernel);
        texts.push(Text {
            path: "ir: IR".into(),
            text: to_text(checked.kernel()),
        });
        texts.push(Text {
            path: "ir: IR, lowered for the first instance".into(),
            text: to_text(&checked.instances()[0]),
        });
    }
    kinds
        .iter()
        .for_each(|kind| texts.extend(project(kernel, *kind)));
    // Sources that a program compiles by itself: an object, and a library where blocks wait for one
    // another.
    if ["swish", "total"].contains(&kernel) {
        let options = EmitOptions {
            source_name: Some(format!("{kernel}.rs")),
            ..EmitOptions::default()
        };
        let object = emit_object(&common::checked(kernel), &options).expect("a source");
        let head = format!(
            "{:?}, workspace {}, {:?}\n",
            object.form, object.takes_workspace, object.functions
        );
        texts.push(Text {
            path: format!("object: {}", object.name),
            text: head + &object.text,
        });
    }
    if kernel == "swish" {
        texts.push(Text {
            path: format!("barriers: {kernel}.cpp"),
            text: with_barriers(kernel, true),
        });
    }
    Shown {
        kernel: kernel.to_string(),
        texts,
    }
}

macro_rules! snapshots {
    ($($kernel:ident: $($kind:ident)+;)*) => {
        /// The texts by kernel; the first kernel is the example of the frame.
        static SHOWN: LazyLock<Vec<Shown>> = LazyLock::new(|| vec![$(shown(stringify!($kernel), &[$($kind),+])),*]);

        mod of {
            $(
                #[test]
                fn $kernel() {
                    super::check(stringify!($kernel));
                }
            )*
        }
    };
}
snapshots! {
    swish: Direct Asc Msopgen;
    softmax: Direct;
    activated: Direct Msopgen Torch;
    add_queue: Direct;
    affine: Direct Msopgen;
    amsgrad: Msopgen Torch;
    asked: Direct Msopgen Torch;
    axpy: Msopgen;
    blended: Direct Msopgen;
    choose: Msopgen;
    chosen: Direct;
    cropped: Direct;
    crossed: Direct Asc;
    flagged: Direct;
    listed: Msopgen Torch;
    marked: Direct;
    merged: Asc;
    normed: Direct;
    norms: Msopgen;
    padded: Msopgen;
    parked: Msopgen;
    placed: Direct Msopgen;
    ranked: Asc;
    scalars: Direct;
    scatter: Direct;
    segments: Direct;
    shared: Asc;
    shown: Direct;
    strided: Direct;
    told: Direct Msopgen;
    total: Asc Msopgen;
    totals: Direct;
    weigh: Direct;
    windowed: Direct;
}

static FRAME: LazyLock<Frame> = LazyLock::new(|| Frame::of(&SHOWN));

/// Compares a kernel with its snapshot, which determines every byte of the texts.
fn check(kernel: &str) {
    let shown = SHOWN
        .iter()
        .find(|shown| shown.kernel == kernel)
        .expect("a kernel of the list");
    let text = form::print(&FRAME, shown);
    assert_eq!(
        form::read(&FRAME, kernel, &text),
        shown.texts,
        "{kernel} as it is read again"
    );
    insta::assert_snapshot!(kernel, text);
}

#[test]
fn frame() {
    let texts: Vec<(&str, String)> = FRAME
        .sections()
        .into_iter()
        .map(|section| (section, FRAME.print(section)))
        .collect();
    assert_eq!(
        Frame::read(texts.iter().cloned()),
        *FRAME,
        "the frame as it is read again"
    );
    for (section, text) in texts {
        insta::assert_snapshot!(format!("frame_{section}"), text);
    }
}

/// The form must lose nothing of any kernel in any kind of project, shown or not.
#[test]
fn every_project_is_read_as_it_was_printed() {
    let all: Vec<Shown> = common::KERNELS
        .iter()
        .map(|(kernel, _)| shown(kernel, &ProjectKind::ALL))
        .collect();
    let frame = Frame::of(&all);
    let read = Frame::read(
        frame
            .sections()
            .into_iter()
            .map(|section| (section, frame.print(section))),
    );
    assert_eq!(read, frame);
    for shown in &all {
        let text = form::print(&frame, shown);
        assert_eq!(
            form::read(&read, &shown.kernel, &text),
            shown.texts,
            "{}",
            shown.kernel
        );
    }
}

/// A change of one kernel's texts changes its snapshot; a change of all kernels' texts changes the
/// frame.
#[test]
fn a_change_shows_once() {
    let texts = |all: &[Shown]| -> Vec<(String, String)> {
        let frame = Frame::of(all);
        let frames = frame
            .sections()
            .into_iter()
            .map(|section| (format!("frame_{section}"), frame.print(section)));
        frames
            .chain(
                all.iter()
                    .map(|shown| (shown.kernel.clone(), form::print(&frame, shown))),
            )
            .collect()
    };
    let all = [shown("swish", &[Direct]), shown("softmax", &[Direct])];
    let before = texts(&all);
    for (kernel, from, to, shows) in [
        (None, "cannot be read\\n", "is not read\\n", "frame_direct"),
        (
            Some("softmax"),
            "cannot be read\\n",
            "is not read\\n",
            "softmax",
        ),
        (
            Some("softmax"),
            "rLen * pitch_);",
            "rLen * pitch_ );",
            "softmax",
        ),
    ] {
        let mut other = all.to_vec();
        let mine = other
            .iter_mut()
            .filter(|shown| kernel.is_none_or(|kernel| shown.kernel == kernel));
        mine.flat_map(|shown| &mut shown.texts)
            .for_each(|text| text.text = text.text.replace(from, to));
        let after = texts(&other);
        let differ: Vec<&str> = before
            .iter()
            .zip(&after)
            .filter(|(a, b)| a != b)
            .map(|((name, _), _)| name.as_str())
            .collect();
        assert_eq!(
            (before.len(), &differ[..]),
            (after.len(), &[shows][..]),
            "{from} of {kernel:?}"
        );
    }
}

#[test]
fn each_snapshot_is_of_a_test() {
    let sections = FRAME
        .sections()
        .into_iter()
        .map(|section| format!("frame_{section}"));
    let kernels = SHOWN.iter().map(|shown| shown.kernel.clone());
    let wanted: BTreeSet<String> = sections
        .chain(kernels)
        .map(|name| format!("suite__snapshots__{name}.snap"))
        .collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
    let files = std::fs::read_dir(folder)
        .expect("the snapshots")
        .map(|e| e.expect("a file").file_name());
    let found: BTreeSet<String> = files
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    let orphans: Vec<&String> = found.difference(&wanted).collect();
    assert!(
        orphans.is_empty(),
        "no test writes these; remove them: {orphans:?}"
    );
}

/// Returns the kernel file of a direct project whose vector calls wait by barriers.
fn with_barriers(kernel: &str, barriers: bool) -> String {
    let options = EmitOptions {
        barriers,
        ..EmitOptions::default()
    };
    let project = emit(&common::checked(kernel), &options);
    project
        .text(&format!("{kernel}.cpp"))
        .expect("the kernel")
        .to_string()
}

#[test]
fn barriers_are_all_that_differs_where_they_are_wanted() {
    for (kernel, _) in common::KERNELS {
        let text = with_barriers(kernel, true);
        let others = text
            .lines()
            .filter(|l| l.trim() != "PipeBarrier<PIPE_V>();")
            .map(|l| format!("{l}\n"));
        assert_eq!(
            others.collect::<String>(),
            with_barriers(kernel, false),
            "{kernel}"
        );
        // Idle and constant kernels fill one tensor by one call.
        let depends = !["idle", "constant", "add_queue", "scalars", "marked"].contains(kernel);
        assert!(
            !depends || text.contains("PipeBarrier<PIPE_V>();"),
            "{kernel}:\n{text}"
        );
    }
}

#[test]
fn a_path_in_front_of_the_source_name_does_not_get_into_the_texts() {
    assert!(project("swish", Direct)
        .iter()
        .all(|file| !file.text.contains("kernels/swish.rs")));
}

#[test]
fn project_kinds_are_named_by_their_words() {
    for kind in ProjectKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    let error = "cmake"
        .parse::<ProjectKind>()
        .expect_err("no such kind")
        .to_string();
    assert_eq!(
        error,
        "`cmake` is no project kind; there are direct, asc, msopgen, torch"
    );
}
