//! The Rust programs of operator projects: their format, and kernels without such a program.

use crate::common;
use jumar_codegen::{emit, EmitOptions, ProjectKind};
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn rust_clients_stand_as_rustfmt_leaves_them() {
    let mut differ = Vec::new();
    for (name, _) in common::KERNELS {
        let options = EmitOptions {
            kind: ProjectKind::Msopgen,
            ..EmitOptions::default()
        };
        let project = emit(&common::checked(name), &options);
        let text = project
            .text("examples/rust/src/main.rs")
            .unwrap_or_else(|| panic!("{name} has no Rust client"));
        let mut rustfmt = Command::new("rustfmt");
        // The options are rustfmt's defaults.
        rustfmt.args([
            "--edition",
            "2021",
            "--emit",
            "stdout",
            "--config",
            "max_width=100,use_small_heuristics=Default",
        ]);
        let mut child = rustfmt
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("rustfmt runs");
        child
            .stdin
            .take()
            .expect("its input")
            .write_all(text.as_bytes())
            .expect("its input");
        let formatted = child.wait_with_output().expect("its output");
        let formatted = String::from_utf8_lossy(&formatted.stdout).into_owned();
        let (ours, its): (Vec<&str>, Vec<&str>) =
            (text.lines().collect(), formatted.lines().collect());
        if let Some(at) = (0..ours.len().max(its.len())).find(|i| ours.get(*i) != its.get(*i)) {
            differ.push(format!(
                "{name}, line {}: {:?} is {:?}",
                at + 1,
                ours.get(at),
                its.get(at)
            ));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

#[test]
fn an_operator_with_more_arguments_than_a_call_has_no_program_in_rust() {
    let of = |count: usize| {
        let attrs: String = (0..count).map(|i| format!("a{i}: f32, ")).collect();
        let sum: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
        let text = format!(
            "#[kernel]\npub fn many(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, {attrs}) {{\n    for t in tiles(x) {{\n        \
             y.at(t).store(x.at(t).load() * ({}));\n    }}\n}}\n",
            sum.join(" + ")
        );
        emit(
            &common::checked_text("many", &text),
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        )
    };
    let (some, many) = (of(14), of(15));
    assert!(some.text("examples/rust/src/main.rs").is_some());
    assert!(
        many.files.iter().all(|file| !file.path.contains("rust")),
        "a program with 17 arguments"
    );
    let readme = many.text("README.md").expect("a README");
    assert!(
        readme.contains("at most 16 arguments") && !readme.contains("examples/rust"),
        "{readme}"
    );
}
