//! `jumar check`: findings and notes, as text and as JSON.

use super::*;

#[test]
fn a_right_kernel_is_checked_for_its_chip() {
    let place = Place::new("check");
    let output = place.run("check scale.rs");
    assert_eq!(
        (code(&output), text(&output.stdout)),
        (0, "scale: ok for ascend910b1, 3 instances\n".into())
    );
    let output = place.run("check scale.rs --chip Ascend910B4");
    assert_eq!(
        (code(&output), text(&output.stdout)),
        (0, "scale: ok for ascend910b4, 3 instances\n".into())
    );
}

#[test]
fn axes_that_are_whole_in_ub_are_said_with_the_most_indices_that_fit() {
    let place = Place::new("whole");
    let kernel = "use jumar::prelude::*;\n#[kernel]\npub fn half<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] w: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\n    \
        for r in tiles(n) {\n        let v = x.at(r, ..).load().cast::<f32>() * w.at(r, ..).load().cast::<f32>();\n        let mut u = v;\n        for _ in 0..2 { u = u * 0.5; }\n        \
        y.at(r, ..).store((u - u.amax(d)).cast::<T>());\n    }\n}\n";
    place.file("half.rs", kernel);
    let said = text(&place.run("check half.rs").stdout);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    for (line, of) in lines[1..].iter().zip(["f16", "bf16", "f32"]) {
        assert!(
            line.starts_with("    `d` is whole in UB: at most ")
                && line.ends_with(&format!("for `T` = {of}")),
            "{line}"
        );
    }
    let json = text(&place.run("check half.rs --json").stdout);
    assert!(
        json.contains(r#""notes":["`d` is whole in UB: at most "#),
        "{json}"
    );
}

#[test]
fn a_wrong_kernel_gives_exit_code_1_and_its_place() {
    let place = Place::new("wrong");
    let output = place.run("check bad.rs");
    assert_eq!(code(&output), 1);
    let stderr = text(&output.stderr);
    assert!(
        stderr.contains("error[J0202]") && stderr.contains("bad.rs:6:"),
        "{stderr}"
    );
    assert!(output.stdout.is_empty());
    for line in [
        "emit bad.rs --out o",
        "run bad.rs --arg x=@x.npy --out y=@y.npy",
        "emit bad.rs --level queue",
    ] {
        assert_eq!(code(&place.run(line)), 1, "{line}");
    }
    place.file("none.rs", "fn main( {");
    let output = place.run("check none.rs");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("error[J0100]"));
    assert_eq!(place.names(), ["bad.rs", "none.rs", "scale.rs"]);
}

#[test]
fn the_schema_of_findings_is_printed() {
    let place = Place::new("schema");
    let output = place.run("check --schema");
    assert_eq!(
        (code(&output), text(&output.stdout)),
        (0, jumar::dsl::diag::schema())
    );
    assert_eq!(
        code(&place.run("check --schema scale.rs")),
        2,
        "it takes no file"
    );
}

#[test]
fn with_json_every_outcome_is_an_object_a_line_and_nothing_else_is_said() {
    let place = Place::new("json");
    place.file("none.rs", "fn main( {");
    place.file("empty.rs", "fn main() {}");
    place.file(
        "two.rs",
        format!("{}{}", KERNELS, WRONG.replace("use jumar::prelude::*;", "")),
    );
    place.file(
        "chips.rs",
        KERNELS.replace("#[kernel]", "#[kernel]\n#[chips(ascend910b1, ascend310p)]"),
    );
    let ok = |file: &str, kernel: &str, chip: &str| {
        format!(
            r#"{{"code":null,"name":null,"severity":"ok","message":"ok for {chip}","file":"{file}","kernel":"{kernel}","chips":["{chip}"],"span":null,"labels":[],"notes":[],"help":[],"expected":[],"numbers":{{}},"fix":null,"doc":null}}"#
        )
    };
    let failed = |about: &str, message: &str, help: &str| {
        format!(
            r#"{{"code":null,"name":null,"severity":"error","message":"{message}","file":{about},"chips":[],"span":null,"labels":[],"notes":[],"help":["{help}"#
        )
    };
    let found =
        |code: &str, about: &str| vec![format!(r#"{{"code":"{code}","name":"#), about.to_string()];
    // Arguments, exit code, and parts of each line.
    let cases: Vec<(&str, i32, Vec<Vec<String>>)> = vec![
        (
            "scale.rs",
            0,
            vec![vec![ok("scale.rs", "scale", "ascend910b1")]],
        ),
        (
            "./scale.rs --chip ascend910b4",
            0,
            vec![vec![ok("./scale.rs", "scale", "ascend910b4")]],
        ),
        (
            "bad.rs",
            1,
            vec![found(
                "J0202",
                r#""file":"bad.rs","kernel":"bad","chips":[],"span":{"line":6,"#,
            )],
        ),
        (
            "none.rs",
            1,
            vec![found(
                "J0100",
                r#""file":"none.rs","kernel":null,"chips":[],"span":{"line":1,"#,
            )],
        ),
        (
            "two.rs",
            1,
            vec![
                vec![ok("two.rs", "scale", "ascend910b1")],
                found(
                    "J0202",
                    r#""file":"two.rs","kernel":"bad","chips":[],"span":{"line":15,"#,
                ),
            ],
        ),
        (
            "missing.rs",
            2,
            vec![vec![failed(
                r#""missing.rs","kernel":null"#,
                "`missing.rs` cannot be read: there is no such file",
                "give the",
            )]],
        ),
        (
            "scale.rs --kernel other",
            2,
            vec![vec![failed(
                r#""scale.rs","kernel":"other""#,
                "`scale.rs` has no kernel `other`",
                "it has `scale`",
            )]],
        ),
        (
            "empty.rs",
            2,
            vec![vec![failed(
                r#""empty.rs","kernel":null"#,
                "`empty.rs` has no kernel",
                "put `#[kernel]`",
            )]],
        ),
        (
            "scale.rs --chip tpu",
            2,
            vec![vec![failed(
                r#""scale.rs","kernel":null"#,
                "there is no chip `tpu` in the table",
                "choose one of ",
            )]],
        ),
        (
            "",
            2,
            vec![vec![failed(
                r#"null,"kernel":null"#,
                "the following required arguments were not provided: <FILE>",
                "Usage: jumar check",
            )]],
        ),
        (
            "scale.rs --wrong",
            2,
            vec![vec![failed(
                r#"null,"kernel":null"#,
                "unexpected argument '--wrong' found",
                "",
            )]],
        ),
    ];
    for (line, exit, lines) in cases {
        let output = place.run(&format!("check --json {line}"));
        let stdout = text(&output.stdout);
        assert_eq!(
            (code(&output), text(&output.stderr).as_str()),
            (exit, ""),
            "{line}\n{stdout}"
        );
        assert_eq!(stdout.lines().count(), lines.len(), "{line}\n{stdout}");
        for (said, parts) in stdout.lines().zip(lines) {
            assert!(
                said.starts_with(&parts[0]) && said.ends_with('}'),
                "{line}: {}\n{said}",
                parts[0]
            );
            assert!(
                parts.iter().all(|part| said.contains(part)),
                "{line}: {parts:?}\n{said}"
            );
        }
    }
    // A kernel that is wrong only for one of its chips names that chip.
    let output = place.run("check chips.rs --json");
    let stdout = text(&output.stdout);
    let lines: Vec<&str> = stdout.lines().collect();
    let Some((right, findings)) = lines
        .split_last()
        .filter(|(_, findings)| !findings.is_empty())
    else {
        panic!("{stdout}")
    };
    for finding in findings {
        assert!(
            finding.contains(r#""file":"chips.rs","kernel":"scale","chips":["ascend310p"]"#),
            "{finding}"
        );
    }
    assert_eq!(*right, ok("chips.rs", "scale", "ascend910b1"));
}

#[test]
fn text_that_nests_without_end_is_refused() {
    let place = Place::new("deep");
    for (before, after) in [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("x + ", ""),
        ("if x {} else ", ""),
        ("x.abs(", ")"),
    ] {
        for n in [50, 100_000] {
            let body = format!("{}x{}", before.repeat(n), after.repeat(n));
            place.file(
                "deep.rs",
                format!("#[kernel] fn k(x: &GlobalTensor<f32>) {{ let v = {body}; }}"),
            );
            let output = place.run("check deep.rs");
            assert_eq!(code(&output), 1, "{before} {n}");
            assert!(text(&output.stderr).contains("error[J0"), "{before} {n}");
        }
    }
}
