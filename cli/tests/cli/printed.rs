//! `jumar chips`, `ops`, `explain`, `fmt`, `grammar`, `card` and `--help`: their output.

use super::*;

#[test]
fn tables_are_printed() {
    let place = Place::new("tables");
    for (line, expected) in [
        ("chips", "ascend310p"),
        ("ops", "Adds"),
        ("ops exp", "Exp"),
        ("explain J0304", "J0304"),
        ("explain j0304", "J0304"),
        ("explain", "UbOverBudget"),
        ("--help", "jumar run swish.rs"),
        ("run --help", "--out y=@y.npy"),
        ("emit --help", "msopgen"),
        ("check --help", "--json"),
        ("cpp --help", "--block-dim"),
        ("fmt --help", "--names"),
        ("grammar --help", "llama.cpp"),
        ("card --help", "--tokens"),
        ("mcp --help", "mcpServers"),
        ("data export --help", "--mutations"),
        ("reward --help", "--in-order"),
        ("bridge --help", "multikernelbench"),
        ("--version", "jumar "),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 0, "{line}");
        assert!(
            text(&output.stdout).contains(expected),
            "{line}: {}",
            text(&output.stdout)
        );
        assert!(output.stderr.is_empty(), "{line}");
    }
}

#[test]
fn a_kernel_is_printed_in_canonical_form() {
    let place = Place::new("fmt");
    let output = place.run("fmt scale.rs");
    let canonical = "use jumar::prelude::*;
#[kernel]
pub fn op_scale<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
    #[default(2.0)] s0: f32,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * s0;
        let h1 = v1.cast::<T>();
        y0.at(t0).store(h1);
    }
}
";
    assert_eq!(
        (code(&output), text(&output.stdout).as_str()),
        (0, canonical)
    );
    let output = place.run("fmt scale.rs --names author");
    assert_eq!(code(&output), 0);
    assert!(
        text(&output.stdout).contains("#[default(2.0)] alpha: f32,"),
        "{}",
        text(&output.stdout)
    );
    let output = place.run("fmt scale.rs --kernel other");
    assert_eq!((code(&output), text(&output.stdout).as_str()), (2, ""));
    assert!(
        text(&output.stderr).contains("there is no kernel `other`"),
        "{}",
        text(&output.stderr)
    );
    fs::write(
        place.0.join("wrong.rs"),
        KERNELS.replace(".cast::<T>()", ""),
    )
    .unwrap();
    let output = place.run("fmt wrong.rs");
    assert_eq!((code(&output), text(&output.stdout).as_str()), (1, ""));
    assert!(
        text(&output.stderr).contains("error[J0202]"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn the_language_is_printed_as_a_grammar() {
    let place = Place::new("grammar");
    for (line, expected) in [
        ("grammar", "start: \"use jumar::prelude::*;"),
        ("grammar --format gbnf", "root ::= \"use jumar::prelude::*;"),
        ("grammar --format ebnf", "root ::= "),
        (
            "grammar --format bnf --profile slice --ops exp,sum",
            "<fv> \".exp()\"",
        ),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 0, "{line}");
        assert!(
            text(&output.stdout).contains(expected),
            "{line}: {}",
            text(&output.stdout)
        );
    }
    fs::write(
        place.0.join("head.rs"),
        KERNELS.split("    for t in").next().unwrap().to_string() + "}\n",
    )
    .unwrap();
    for (file, shape) in [
        ("five.rs", "a, b, c, d, e"),
        ("none.rs", ""),
        ("alike.rs", "n, t_n"),
    ] {
        let head = format!(
            "#[kernel] pub fn k(#[shape({shape})] x: &GlobalTensor<f32>, #[shape({shape})] y: &mut GlobalTensor<f32>) {{}}"
        );
        fs::write(place.0.join(file), format!("use jumar::prelude::*; {head}")).unwrap();
    }
    let semantic = text(
        &place
            .run("grammar --format lark-semantic --signature head.rs")
            .stdout,
    );
    assert!(
        semantic.contains("alpha: f32,\\n) {") && semantic.contains("%if"),
        "{semantic}"
    );
    let axes = text(
        &place
            .run("grammar --format lark-axes --signature head.rs")
            .stdout,
    );
    assert!(
        axes.contains("alpha: f32,\\n) {") && axes.contains("\"v_t_x_shape_0\""),
        "{axes}"
    );
    let of_head = text(
        &place
            .run("grammar --format gbnf --signature head.rs")
            .stdout,
    );
    assert!(
        of_head.contains("alpha: f32,\\n) {") && !of_head.contains("%if"),
        "{of_head}"
    );
    let sliced = text(&place.run("grammar --profile slice --ops exp").stdout);
    assert!(
        sliced.contains(".exp()") && !sliced.contains(".tanh()"),
        "{sliced}"
    );
    for (line, what) in [
        (
            "grammar --profile slice --ops expo",
            "`expo` is no op of a tile",
        ),
        ("grammar --profile slice", "a slice of no ops"),
        ("grammar --ops exp", "without `--profile slice`"),
        (
            "grammar --format lark-semantic",
            "a semantic grammar of no kernel",
        ),
        (
            "grammar --format lark-axes --profile full",
            "a semantic grammar of the profile `full`",
        ),
        (
            "grammar --format lark-axes --signature none.rs",
            "no tensor has an axis",
        ),
        (
            "grammar --format lark-axes --signature alike.rs",
            "two sets of axes would have one name",
        ),
        (
            "grammar --format lark-axes --signature five.rs",
            "the tensors have 5 axes, and sets of them are types of 4 at most",
        ),
        (
            "grammar --format lark-semantic --signature scale.rs --kernel other",
            "no such kernel",
        ),
    ] {
        let output = place.run(line);
        assert_eq!(
            (code(&output), text(&output.stdout).as_str()),
            (2, ""),
            "{line}"
        );
        assert!(
            text(&output.stderr).contains(what),
            "{line}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn the_card_says_what_there_is_room_for() {
    let place = Place::new("card");
    let (little, much) = (
        text(&place.run("card --tokens 1000").stdout),
        text(&place.run("card --tokens 16000").stdout),
    );
    assert!(
        little.contains("tiles(n)") && little.len() < much.len() / 4,
        "{little}"
    );
    assert!(
        much.contains("v.sum(d)") && much.contains("v.elu(1.0)"),
        "{much}"
    );
    for (line, what) in [
        ("card --tokens 10", "tokens at least, 10 are asked for"),
        ("card --ops expo", "`expo` is no op of a tile"),
        (
            "card --category sewing",
            "no task is of the category `sewing`",
        ),
        ("card --without swish", "there is no task `swish`"),
    ] {
        let output = place.run(line);
        assert_eq!(
            (code(&output), text(&output.stdout).as_str()),
            (2, ""),
            "{line}"
        );
        assert!(
            text(&output.stderr).contains(what),
            "{line}: {}",
            text(&output.stderr)
        );
    }
}
