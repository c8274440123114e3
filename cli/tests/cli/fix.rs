//! Tests of `jumar fix` from outside.

use super::*;

#[test]
fn fixes_that_a_program_may_apply_are_applied() {
    let place = Place::new("fix");
    let bad = place.read("bad.rs");
    let output = place.run("fix bad.rs --dry-run");
    let said = text(&output.stdout);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        said.contains("bad.rs:6: fixed J0202: ")
            && said.ends_with("bad.rs: 1 finding would be fixed; nothing was written\n"),
        "{said}"
    );
    let patch = text(&place.run("fix bad.rs --diff").stdout);
    assert!(
        patch.starts_with("--- bad.rs\n+++ bad.rs\n@@ -3,")
            && patch.contains("\n+")
            && patch.contains(".cast::<f32>()"),
        "{patch}"
    );
    assert_eq!(place.read("bad.rs"), bad, "nothing was written yet");
    let output = place.run("fix bad.rs");
    assert_eq!((code(&output), text(&output.stderr).as_str()), (0, ""));
    assert!(text(&output.stdout).ends_with("bad.rs: 1 finding fixed\n"));
    assert_ne!(place.read("bad.rs"), bad);
    assert_eq!(code(&place.run("check bad.rs")), 0);
    let output = place.run("fix bad.rs");
    assert_eq!(
        (code(&output), text(&output.stdout).as_str()),
        (0, "bad.rs: nothing to apply\n")
    );
    assert_eq!(text(&place.run("fix bad.rs --diff").stdout), "");
    assert_eq!(
        place.names(),
        ["bad.rs", "scale.rs"],
        "no temporary file is left"
    );
}

#[test]
fn what_cannot_be_fixed_is_said_and_left() {
    let place = Place::new("unfixed");
    let two = WRONG
        .replace("pub fn bad", "pub fn worse")
        .replace(".store(", ".store(nothing + ");
    place.file("two.rs", &two);
    let output = place.run("fix two.rs");
    assert_eq!(
        (code(&output), text(&output.stdout).as_str()),
        (1, "two.rs: nothing to apply\n")
    );
    assert!(text(&output.stderr).contains("error[J0102]: `nothing` is not defined"));
    assert_eq!(place.read("two.rs"), two);
    for line in [
        "fix missing.rs",
        "fix scale.rs --chip tpu",
        "fix scale.rs --diff --dry-run",
        "fix",
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 2, "{line}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{line}"
        );
    }
}
