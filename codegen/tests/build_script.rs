//! Tests `build.sh` of operator projects: its CMake commands for the variables of
//! `CMakePresets.json`, recorded by a fake `cmake`.

use crate::common;
use jumar_codegen::{emit, EmitOptions, ProjectKind};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A script that records its arguments, and makes the expected files.
const CMAKE: &str = r#"#!/bin/bash
echo "$*" >>"$COMMANDS"
if [ "$1 $2" = "--build build_native" ]; then
    mkdir -p build_native/op_host
    touch "build_native/op_host/$TILING"
fi
"#;

const NATIVE: [&str; 2] = [
    "-S . -B build_native --preset=default -DENABLE_CROSS_COMPILE=False",
    "--build build_native --target cust_optiling -j",
];
const BINARY: &str = "--build build_out --target binary -j";

/// Variables set to True, variables set to False, and the commands.
type Row<'a> = (&'a [&'a str], &'a [&'a str], Vec<String>);

fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("build_script")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    let options = EmitOptions {
        kind: ProjectKind::Msopgen,
        ..EmitOptions::default()
    };
    for file in &emit(&common::checked("swish"), &options).files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().expect("a folder"))
            .and_then(|()| fs::write(path, &file.text))
            .expect("a file");
    }
    let cmake = folder.join("bin/cmake");
    fs::create_dir_all(folder.join("bin"))
        .and_then(|()| fs::write(&cmake, CMAKE))
        .expect("a program");
    fs::set_permissions(&cmake, fs::Permissions::from_mode(0o755)).expect("a program");
    folder
}

/// Runs the script. Returns its exit code, its output, and its CMake commands.
fn built(folder: &Path, tiling: &str) -> (Option<i32>, String, Vec<String>) {
    let (commands, path) = (
        folder.join("commands"),
        std::env::var("PATH").unwrap_or_default(),
    );
    let mut script = Command::new("bash");
    script
        .arg("build.sh")
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", folder.join("bin").display()));
    script
        .env("COMMANDS", &commands)
        .env("TILING", tiling)
        .env("ASCEND_HOME_PATH", folder);
    let out = script.output().expect("a shell");
    let said = fs::read_to_string(commands).unwrap_or_default();
    (
        out.status.code(),
        String::from_utf8_lossy(&out.stderr).into_owned(),
        said.lines().map(str::to_string).collect(),
    )
}

fn set(folder: &Path, name: &str, value: &str) {
    let path = folder.join("CMakePresets.json");
    let mut presets: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("presets")).expect("JSON");
    let variable = &mut presets["configurePresets"][0]["cacheVariables"][name]["value"];
    assert!(variable.is_string(), "the presets have no {name}");
    *variable = value.into();
    fs::write(path, presets.to_string()).expect("presets");
}

#[test]
fn variables_choose_what_is_built() {
    let out = |more: &str| format!("-S . -B build_out --preset=default{more}");
    let end = |target: &str| format!("--build build_out --target {target} -j");
    let tiling = |folder: &str| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("build_script")
            .join(folder);
        out(&format!(
            " -DHOST_NATIVE_TILING_LIB={}/build_native/op_host/libcust_opmaster_rt2.0.so",
            place.display()
        ))
    };
    let list = |all: &[&str]| all.iter().map(|line| line.to_string()).collect::<Vec<_>>();
    let rows: &[Row] = &[
        (&[], &[], list(&[&out(""), BINARY, &end("package")])),
        (
            &["ASCEND_PACK_SHARED_LIBRARY"],
            &[],
            list(&[&out(""), BINARY, &end("install")]),
        ),
        (
            &["ENABLE_CROSS_COMPILE"],
            &[],
            list(&[NATIVE[0], NATIVE[1], &tiling("2"), BINARY, &end("package")]),
        ),
        (
            &["ENABLE_CROSS_COMPILE"],
            &["ENABLE_BINARY_PACKAGE"],
            list(&[&out(""), BINARY, &end("package")]),
        ),
    ];
    for (at, (on, off, wanted)) in rows.iter().enumerate() {
        let folder = project(&at.to_string());
        on.iter().for_each(|name| set(&folder, name, "True"));
        off.iter().for_each(|name| set(&folder, name, "False"));
        let (status, said, commands) = built(&folder, "libcust_opmaster_rt2.0.so");
        assert_eq!(
            (status, &commands),
            (Some(0), wanted),
            "{on:?} without {off:?}: {said}"
        );
    }
}

#[test]
fn a_tiling_library_that_was_not_built_is_told() {
    let folder = project("none");
    set(&folder, "ENABLE_CROSS_COMPILE", "True");
    let (status, said, commands) = built(&folder, "another.so");
    assert_eq!(
        (status, commands),
        (Some(1), NATIVE.map(str::to_string).to_vec())
    );
    assert_eq!(
        said,
        "the tiling library libcust_opmaster_rt2.0.so was not built in build_native\n"
    );
}
