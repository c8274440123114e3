//! The macro on the wrong and right kernels of the error pages: codes, messages and carets as rustc
//! prints them.
//!
//! | folder | holds |
//! |---|---|
//! | `fail` | the wrong kernel of every page, written by `tests/errors.rs` |
//! | `forms` | mistakes that a code's page does not show |
//! | `beside` | mistakes for which rustc has errors of its own |
//! | `pass` | right kernels: modules of this binary, `right.rs` among them written by `tests/errors.rs` |
//!
//! `macros/src/printed.rs` compares every case of `fail` and `forms` in one process. This suite
//! asks rustc: for all cases in the night, for one case of each printed shape in the gate. After a
//! change of a message, `TRYBUILD=overwrite cargo test -p jumar --test suite ui` runs all and
//! refreshes the `.stderr` files. Read the carets before you commit them.

use crate::outside::Outside;
use jumar_kit::tier::Tier;
use serde_json::Value;

mod pass;

/// Cases of the gate, one for each printed shape.
const SHAPES: [&str; 7] = [
    // One finding on one line, with labels and a help; an ident in an attribute.
    "fail/J0201_dtype_mismatch.rs",
    "fail/J0105_bad_attribute.rs",
    // A range of lines.
    "fail/J0101_unsupported_syntax.rs",
    // A table in a note.
    "fail/J0304_ub_over_budget.rs",
    // Several errors; an error and a warning.
    "fail/J0309_ub_out_of_bounds.rs",
    // A helper of a module.
    "fail/J0107_recursive_helper.rs",
    // One error of jumar and one of rustc.
    "beside/a_launch_of_another_kernel.rs",
];

#[test]
fn rustc_prints_what_the_macro_reports() {
    if Tier::is_night() || std::env::var_os("TRYBUILD").is_some() {
        // Without a right kernel trybuild checks all cases in one run of cargo, and not one by one.
        let cases = trybuild::TestCases::new();
        ["fail", "forms", "beside"]
            .iter()
            .for_each(|folder| cases.compile_fail(format!("tests/ui/{folder}/*.rs")));
    } else {
        each_shape_is_printed();
    }
}

/// Builds one case of each shape as a program of a package outside. Trybuild would build the
/// dependencies of all tests for it.
fn each_shape_is_printed() {
    let path = |case: &str| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/").to_string() + case;
    let name = |case: &str| case.replace(['/', '.'], "_").to_lowercase();
    let bins: String = SHAPES
        .iter()
        .map(|case| {
            format!(
                "[[bin]]\nname = \"{}\"\npath = '{}'\n",
                name(case),
                path(case)
            )
        })
        .collect();
    let outside = Outside::new("pages", &bins);
    for case in SHAPES {
        let flags = ["--", "-Adead_code"];
        let words = [
            "rustc",
            "--quiet",
            "--offline",
            "--message-format=json",
            "--bin",
            &name(case),
        ];
        let (messages, ended) = outside.cargo(&[&words[..], &flags].concat());
        let of_text = |m: &&Value| {
            m["reason"] == "compiler-message"
                && m["message"]["spans"]
                    .as_array()
                    .is_some_and(|s| !s.is_empty())
        };
        let printed = messages
            .iter()
            .filter(of_text)
            .filter_map(|m| m["message"]["rendered"].as_str());
        let printed: Vec<String> = printed
            .map(|text| text.trim_end().replace(&path(""), "tests/ui/"))
            .collect();
        let due = std::fs::read_to_string(path(&case.replace(".rs", ".stderr")))
            .expect("what rustc prints");
        assert_eq!(
            printed.join("\n\n") + "\n",
            due,
            "{case}: `TRYBUILD=overwrite cargo test --test suite ui`\n{ended:?}"
        );
    }
}

#[test]
fn right_kernels_are_modules_of_this_binary() {
    let named = include_str!("ui/pass/mod.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ui/pass");
    for entry in std::fs::read_dir(folder).expect("the folder of the cases") {
        let name = entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned();
        let module = name.trim_end_matches(".rs");
        assert!(
            module == "mod" || named.contains(&format!("\nmod {module};\n")),
            "tests/ui/pass/mod.rs does not name {name}"
        );
    }
}
