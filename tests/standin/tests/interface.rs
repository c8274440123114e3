//! The C interface of the stand-in: its smoke test, its header against the facts, and the functions
//! of each release.
//!
//! C texts are compiled as C by the compiler that makes the stand-in.

use jumar_standin::facts::{functions, structures, values, Function};
use jumar_standin::{toolkit, Release, Toolkit};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Compiles a C text against the header, with every warning an error. A program is linked to the
/// library.
fn compile(toolkit: &Toolkit, text: &str, program: Option<&Path>) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("text.c");
    fs::write(&source, text).expect("the text is written");
    let mut command = Command::new(toolkit.compiler());
    command
        .args(["-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(toolkit.home.join("source/include"))
        .arg(&source);
    let libraries = toolkit.home.join("lib64");
    match program {
        Some(program) => {
            command
                .args(["-x", "none"])
                .arg(libraries.join("libstandin.so"))
                .args(["-ldl", "-pthread", "-o"])
                .arg(program);
            command.arg(format!("-Wl,-rpath,{}", libraries.display()));
        }
        None => {
            command.arg("-fsyntax-only");
        }
    }
    command.output().expect("the compiler runs")
}

fn said(out: &Output) -> String {
    [&out.stdout, &out.stderr]
        .map(|text| String::from_utf8_lossy(text).into_owned())
        .concat()
}

fn made(release: Release) -> Toolkit {
    toolkit(release).expect("the stand-in is made")
}

/// Compiles a C text to a program in a temporary folder.
fn program(toolkit: &Toolkit, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    let out = compile(toolkit, text, Some(&program));
    assert!(out.status.success(), "{}", said(&out));
    (folder, program)
}

#[test]
fn a_program_in_c_gets_what_the_interface_promises() {
    let toolkit = made(Release::V9_0);
    let (_folder, program) = program(&toolkit, include_str!("../cpp/tests/smoke.c"));
    let out = Command::new(program).output().expect("it runs");
    assert!(
        out.status.success() && said(&out).ends_with("well\n"),
        "{:?}: {}",
        out.status,
        said(&out)
    );
}

/// Writes one assertion for each fact.
fn asserts() -> String {
    let mut text = String::from(
        "#include \"acl/acl.h\"\n#include <stddef.h>\n#include <stdint.h>\n#include <stdbool.h>\n",
    );
    for value in values() {
        text += &format!(
            "_Static_assert((long long)({0}) == {1}LL, \"{0}\");\n",
            value.name, value.number
        );
    }
    for structure in structures() {
        let (name, size, align) = (structure.name, structure.size, structure.align);
        text += &format!("_Static_assert(sizeof({name}) == {size} && _Alignof({name}) == {align}, \"{name}\");\n");
        for (field, at) in &structure.fields {
            text += &format!(
                "_Static_assert(offsetof({name}, {field}) == {at}, \"{name}.{field}\");\n"
            );
        }
    }
    for Function {
        name,
        returns,
        parameters,
        ..
    } in functions()
    {
        let parameters = if parameters.is_empty() {
            "void".to_string()
        } else {
            parameters.join(", ")
        };
        text += &format!(
            "_Static_assert(__builtin_types_compatible_p(__typeof__({name}), {returns}({parameters})), \"prototype of {name}\");\n"
        );
    }
    text + "int main(void) { return 0; }\n"
}

#[test]
fn the_header_is_what_the_facts_say() {
    let toolkit = made(Release::V9_0);
    let text = asserts();
    assert!(text.lines().count() > 600, "{}", text.lines().count());
    let out = compile(&toolkit, &text, None);
    assert!(out.status.success(), "{}", said(&out));
    // Changed assertions must fail.
    for (right, wrong) in [
        (
            "(long long)(ACL_FLOAT16) == 1LL",
            "(long long)(ACL_FLOAT16) == 2LL",
        ),
        (
            "sizeof(aclrtLaunchKernelAttr) == 20",
            "sizeof(aclrtLaunchKernelAttr) == 24",
        ),
        (
            "offsetof(rtDevBinary_t, data) == 8",
            "offsetof(rtDevBinary_t, data) == 16",
        ),
        (
            "aclError(void**, size_t, aclrtMemMallocPolicy)",
            "aclError(void*, size_t, aclrtMemMallocPolicy)",
        ),
    ] {
        assert!(text.contains(right), "{right}");
        assert!(
            !compile(&toolkit, &text.replace(right, wrong), None)
                .status
                .success(),
            "{wrong}"
        );
    }
}

/// Returns the functions that the header declares.
fn declared(header: &str) -> Vec<&str> {
    let called = header.match_indices('(').filter_map(|(at, _)| {
        let start = header[..at]
            .rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .map_or(0, |before| before + 1);
        Some(&header[start..at]).filter(|name| name.starts_with("acl") || name.starts_with("rt"))
    });
    called.collect()
}

#[test]
fn the_header_declares_nothing_else() {
    let names: Vec<_> = functions().map(|function| function.name).collect();
    let declared = declared(include_str!("../cpp/include/acl/acl.h"));
    assert!(
        declared.len() >= names.len(),
        "{} {}",
        declared.len(),
        names.len()
    );
    let unknown: Vec<_> = declared
        .iter()
        .filter(|name| !names.contains(name))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

/// A program that prints the names among its arguments that a library has.
const PROBE: &str = r#"#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **names)
{
    void *library = dlopen(names[1], RTLD_NOW);
    if (library == NULL) {
        puts(dlerror());
        return 1;
    }
    for (int i = 2; i < count; ++i) {
        if (dlsym(library, names[i]) != NULL) {
            puts(names[i]);
        }
    }
    return 0;
}
"#;

#[test]
fn each_release_has_the_functions_that_the_facts_say() {
    for release in Release::ALL {
        let toolkit = made(release);
        let (_folder, probe) = program(&toolkit, PROBE);
        // Each release needs a separate process, since a process has the machine once.
        let file = toolkit.home.join("lib64/libascendcl.so");
        let out = Command::new(probe)
            .arg(file)
            .args(functions().map(|function| function.name))
            .output()
            .expect("it runs");
        assert!(out.status.success(), "{}", said(&out));
        let text = said(&out);
        let there: Vec<_> = text.lines().collect();
        let facts: Vec<_> = functions()
            .filter(|function| function.is_in(release))
            .map(|function| function.name)
            .collect();
        assert_eq!(there, facts, "{}", release.name());
        assert!(facts.len() > 100, "{}", facts.len());
    }
}
