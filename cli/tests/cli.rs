//! The command line from outside: exit codes, messages, and that a wrong call leaves nothing behind.

#[path = "cli/bridge.rs"]
mod bridge;
#[path = "cli/cpp.rs"]
mod cpp;
#[path = "cli/device.rs"]
mod device;
#[path = "cli/operator.rs"]
mod operator;
#[path = "cli/outputs.rs"]
mod outputs;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const KERNELS: &str = r#"use jumar::prelude::*;

/// `y = alpha * x`
#[kernel]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(2.0)] alpha: f32) {
    for t in tiles(x) {
        y.at(t).store((x.at(t).load().cast::<f32>() * alpha).cast::<T>());
    }
}
"#;

const INPLACE: &str = "use jumar::prelude::*;

#[kernel]
pub fn add(x: &GlobalTensor<f32>, #[inplace] sum: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        sum.at(t).store(sum.at(t).load() + x.at(t).load());
    }
}
";

/// An attribute decides how large the output is.
const REPEAT: &str = "use jumar::prelude::*;

#[kernel]
pub fn repeat(#[shape(1, d)] x: &GlobalTensor<f32>, #[shape(n = rows, d)] y: &mut GlobalTensor<f32>, rows: usize) {
    for r in tiles(n) {
        y.at(r, ..).store(full((r, d), 1.0));
    }
}
";

const WRONG: &str = "use jumar::prelude::*;

#[kernel]
pub fn bad(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}
";

/// An attribute that is one of several names.
const BEND: &str = "use jumar::prelude::*;

#[kernels]
mod bending {
    pub enum Bend { Straight, HalfUp }

    #[kernel]
    pub fn bent(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, bend: Bend, #[default(Bend::HalfUp)] again: Bend) {
        for t in tiles(n) {
            let v = x.at(t).load();
            let u = match bend { Bend::Straight => v, Bend::HalfUp => v + 0.5 };
            y.at(t).store(match again { Bend::Straight => u, Bend::HalfUp => u + 0.5 });
        }
    }
}
";

/// Attributes that are lists of numbers.
const PADDED: &str = "use jumar::prelude::*;

#[kernel]
pub fn padded(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = n + pads[0] + pads[1])] y: &mut GlobalTensor<f32>, pads: [usize; 2], #[default([1.0, 0.5])] scale: [f32; 2]) {
    for t in tiles(m) {
        y.at(t).store(x.at(t - pads[0]).load_or(0.0) * scale[0] + scale[1]);
    }
}
";

/// Lists of tensors and numbers.
const LISTS: &str = "use jumar::prelude::*;

#[kernel]
pub fn lists(xs: &[GlobalTensor<f32>], alphas: &[f32], #[inplace] sums: &mut [GlobalTensor<f32>], ys: &mut [GlobalTensor<f32>], beta: f32) {
    for (i, (x, a, s, y)) in zip((xs, alphas, sums, ys)).enumerate() {
        for t in tiles(x) {
            let v = x.at(t).load() * a + beta + i as f32;
            y.at(t).store(v);
            s.at(t).store(s.at(t).load() + v);
        }
    }
}
";

/// Reads beyond the end where `by` is not 0, which the checker cannot know.
const SHIFT: &str = "use jumar::prelude::*;

#[kernel]
pub fn shift(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, by: usize) {
    let mut pipe = TPipe::new();
    let mut in_x = TQue::<VecIn, 1>::new();
    let mut out_y = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut in_x, 1, 64);
    pipe.init_buffer(&mut out_y, 1, 64);
    let share = split(x.len()).unit(16);
    for i in 0..share.len().div_ceil(16) {
        let n = (share.len() - i * 16).min(16);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(share.start() + i * 16 + by, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let y_local = out_y.alloc_tensor::<f32>();
        vec::adds(&y_local, &x_local, 1.0, n);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy_pad(y.slice(share.start() + i * 16, n), &y_local);
        out_y.free_tensor(y_local);
    }
}
";

/// A folder of its own for each test, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jumar-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let place = Place(path);
        place.file("scale.rs", KERNELS);
        place.file("bad.rs", WRONG);
        place
    }
    fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
    fn jumar<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        Command::new(env!("CARGO_BIN_EXE_jumar")).args(args).current_dir(&self.0).output().unwrap()
    }
    fn run(&self, line: &str) -> Output {
        self.jumar(line.split_whitespace())
    }
    fn names(&self) -> Vec<String> {
        let mut all: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        all.sort();
        all
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed by a signal")
}

/// An `.npy` file as numpy writes it.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.push_str(&" ".repeat((64 - (10 + header.len() + 1) % 64) % 64));
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Data of an `.npy` file of format 1.
fn data(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + header) % 64, 0, "numpy aligns the data");
    bytes[10 + header..].to_vec()
}

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
        assert!(text(&output.stdout).contains(expected), "{line}: {}", text(&output.stdout));
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
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, canonical));
    let output = place.run("fmt scale.rs --names author");
    assert_eq!(code(&output), 0);
    assert!(text(&output.stdout).contains("#[default(2.0)] alpha: f32,"), "{}", text(&output.stdout));
    let output = place.run("fmt scale.rs --kernel other");
    assert_eq!((code(&output), text(&output.stdout).as_str()), (2, ""));
    assert!(text(&output.stderr).contains("there is no kernel `other`"), "{}", text(&output.stderr));
    fs::write(place.0.join("wrong.rs"), KERNELS.replace(".cast::<T>()", "")).unwrap();
    let output = place.run("fmt wrong.rs");
    assert_eq!((code(&output), text(&output.stdout).as_str()), (1, ""));
    assert!(text(&output.stderr).contains("error[J0202]"), "{}", text(&output.stderr));
}

#[test]
fn the_language_is_printed_as_a_grammar() {
    let place = Place::new("grammar");
    for (line, expected) in [
        ("grammar", "start: \"use jumar::prelude::*;"),
        ("grammar --format gbnf", "root ::= \"use jumar::prelude::*;"),
        ("grammar --format ebnf", "root ::= "),
        ("grammar --format bnf --profile slice --ops exp,sum", "<fv> \".exp()\""),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 0, "{line}");
        assert!(text(&output.stdout).contains(expected), "{line}: {}", text(&output.stdout));
    }
    fs::write(place.0.join("head.rs"), KERNELS.split("    for t in").next().unwrap().to_string() + "}\n").unwrap();
    for (file, shape) in [("five.rs", "a, b, c, d, e"), ("none.rs", ""), ("alike.rs", "n, t_n")] {
        let head = format!(
            "#[kernel] pub fn k(#[shape({shape})] x: &GlobalTensor<f32>, #[shape({shape})] y: &mut GlobalTensor<f32>) {{}}"
        );
        fs::write(place.0.join(file), format!("use jumar::prelude::*; {head}")).unwrap();
    }
    let semantic = text(&place.run("grammar --format lark-semantic --signature head.rs").stdout);
    assert!(semantic.contains("alpha: f32,\\n) {") && semantic.contains("%if"), "{semantic}");
    let axes = text(&place.run("grammar --format lark-axes --signature head.rs").stdout);
    assert!(axes.contains("alpha: f32,\\n) {") && axes.contains("\"v_t_x_shape_0\""), "{axes}");
    let of_head = text(&place.run("grammar --format gbnf --signature head.rs").stdout);
    assert!(of_head.contains("alpha: f32,\\n) {") && !of_head.contains("%if"), "{of_head}");
    let sliced = text(&place.run("grammar --profile slice --ops exp").stdout);
    assert!(sliced.contains(".exp()") && !sliced.contains(".tanh()"), "{sliced}");
    for (line, what) in [
        ("grammar --profile slice --ops expo", "`expo` is no op of a tile"),
        ("grammar --profile slice", "a slice of no ops"),
        ("grammar --ops exp", "without `--profile slice`"),
        ("grammar --format lark-semantic", "a semantic grammar of no kernel"),
        ("grammar --format lark-axes --profile full", "a semantic grammar of the profile `full`"),
        ("grammar --format lark-axes --signature none.rs", "no tensor has an axis"),
        ("grammar --format lark-axes --signature alike.rs", "two sets of axes would have one name"),
        ("grammar --format lark-axes --signature five.rs", "the tensors have 5 axes, and sets of them are types of 4 at most"),
        ("grammar --format lark-semantic --signature scale.rs --kernel other", "no such kernel"),
    ] {
        let output = place.run(line);
        assert_eq!((code(&output), text(&output.stdout).as_str()), (2, ""), "{line}");
        assert!(text(&output.stderr).contains(what), "{line}: {}", text(&output.stderr));
    }
}

#[test]
fn the_card_says_what_there_is_room_for() {
    let place = Place::new("card");
    let (little, much) = (text(&place.run("card --tokens 1000").stdout), text(&place.run("card --tokens 16000").stdout));
    assert!(little.contains("tiles(n)") && little.len() < much.len() / 4, "{little}");
    assert!(much.contains("v.sum(d)") && much.contains("let y = x.elu(1.0);"), "{much}");
    for (line, what) in [
        ("card --tokens 10", "tokens at least, 10 are asked for"),
        ("card --ops expo", "`expo` is no op of a tile"),
        ("card --category sewing", "no task is of the category `sewing`"),
        ("card --without swish", "there is no task `swish`"),
    ] {
        let output = place.run(line);
        assert_eq!((code(&output), text(&output.stdout).as_str()), (2, ""), "{line}");
        assert!(text(&output.stderr).contains(what), "{line}: {}", text(&output.stderr));
    }
}

#[test]
fn a_right_kernel_is_checked_for_its_chip() {
    let place = Place::new("check");
    let output = place.run("check scale.rs");
    assert_eq!((code(&output), text(&output.stdout)), (0, "scale: ok for ascend910b1, 3 instances\n".into()));
    let output = place.run("check scale.rs --chip Ascend910B4");
    assert_eq!((code(&output), text(&output.stdout)), (0, "scale: ok for ascend910b4, 3 instances\n".into()));
}

#[test]
fn axes_that_are_whole_in_ub_are_said_with_the_most_indices_that_fit() {
    let place = Place::new("whole");
    let kernel = "use jumar::prelude::*;\n#[kernel]\npub fn half<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n, d)] w: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {\n    \
        for r in tiles(n) {\n        let v = x.at(r, ..).load().cast::<f32>() * w.at(r, ..).load().cast::<f32>();\n        let mut m = v.amax(d);\n        m = m * 0.5;\n        \
        y.at(r, ..).store((v - m).cast::<T>());\n    }\n}\n";
    place.file("half.rs", kernel);
    let said = text(&place.run("check half.rs").stdout);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    for (line, of) in lines[1..].iter().zip(["f16", "bf16", "f32"]) {
        assert!(line.starts_with("    `d` is whole in UB: at most ") && line.ends_with(&format!("for `T` = {of}")), "{line}");
    }
    let json = text(&place.run("check half.rs --json").stdout);
    assert!(json.contains(r#""notes":["`d` is whole in UB: at most "#), "{json}");
}

#[test]
fn a_wrong_kernel_gives_exit_code_1_and_its_place() {
    let place = Place::new("wrong");
    let output = place.run("check bad.rs");
    assert_eq!(code(&output), 1);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("error[J0202]") && stderr.contains("bad.rs:6:"), "{stderr}");
    assert!(output.stdout.is_empty());
    for line in ["emit bad.rs --out o", "run bad.rs --arg x=@x.npy --out y=@y.npy", "emit bad.rs --level queue"] {
        assert_eq!(code(&place.run(line)), 1, "{line}");
    }
    place.file("none.rs", "fn main( {");
    let output = place.run("check none.rs");
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("error[J0100]"));
    assert_eq!(place.names(), ["bad.rs", "none.rs", "scale.rs"]);
}

#[test]
fn fixes_that_a_program_may_apply_are_applied() {
    let place = Place::new("fix");
    let bad = place.read("bad.rs");
    let output = place.run("fix bad.rs --dry-run");
    let said = text(&output.stdout);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        said.contains("bad.rs:6: fixed J0202: ") && said.ends_with("bad.rs: 1 finding would be fixed; nothing was written\n"),
        "{said}"
    );
    let patch = text(&place.run("fix bad.rs --diff").stdout);
    assert!(
        patch.starts_with("--- bad.rs\n+++ bad.rs\n@@ -3,") && patch.contains("\n+") && patch.contains(".cast::<f32>()"),
        "{patch}"
    );
    assert_eq!(place.read("bad.rs"), bad, "nothing was written yet");
    let output = place.run("fix bad.rs");
    assert_eq!((code(&output), text(&output.stderr).as_str()), (0, ""));
    assert!(text(&output.stdout).ends_with("bad.rs: 1 finding fixed\n"));
    assert_ne!(place.read("bad.rs"), bad);
    assert_eq!(code(&place.run("check bad.rs")), 0);
    let output = place.run("fix bad.rs");
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, "bad.rs: nothing to apply\n"));
    assert_eq!(text(&place.run("fix bad.rs --diff").stdout), "");
    assert_eq!(place.names(), ["bad.rs", "scale.rs"], "no temporary file is left");
}

#[test]
fn what_cannot_be_fixed_is_said_and_left() {
    let place = Place::new("unfixed");
    let two = WRONG.replace("pub fn bad", "pub fn worse").replace(".store(", ".store(nothing + ");
    place.file("two.rs", &two);
    let output = place.run("fix two.rs");
    assert_eq!((code(&output), text(&output.stdout).as_str()), (1, "two.rs: nothing to apply\n"));
    assert!(text(&output.stderr).contains("error[J0102]: `nothing` is not defined"));
    assert_eq!(place.read("two.rs"), two);
    for line in ["fix missing.rs", "fix scale.rs --chip tpu", "fix scale.rs --diff --dry-run", "fix"] {
        let output = place.run(line);
        assert_eq!(code(&output), 2, "{line}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{line}");
    }
}

#[test]
fn the_schema_of_findings_is_printed() {
    let place = Place::new("schema");
    let output = place.run("check --schema");
    assert_eq!((code(&output), text(&output.stdout)), (0, jumar::dsl::diag::schema()));
    assert_eq!(code(&place.run("check --schema scale.rs")), 2, "it takes no file");
}

#[test]
fn with_json_every_outcome_is_an_object_a_line_and_nothing_else_is_said() {
    let place = Place::new("json");
    place.file("none.rs", "fn main( {");
    place.file("empty.rs", "fn main() {}");
    place.file("two.rs", format!("{}{}", KERNELS, WRONG.replace("use jumar::prelude::*;", "")));
    place.file("chips.rs", KERNELS.replace("#[kernel]", "#[kernel]\n#[chips(ascend910b1, ascend310p)]"));
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
    let found = |code: &str, about: &str| vec![format!(r#"{{"code":"{code}","name":"#), about.to_string()];
    // Arguments, exit code, and of each line what it holds.
    let cases: Vec<(&str, i32, Vec<Vec<String>>)> = vec![
        ("scale.rs", 0, vec![vec![ok("scale.rs", "scale", "ascend910b1")]]),
        ("./scale.rs --chip ascend910b4", 0, vec![vec![ok("./scale.rs", "scale", "ascend910b4")]]),
        ("bad.rs", 1, vec![found("J0202", r#""file":"bad.rs","kernel":"bad","chips":[],"span":{"line":6,"#)]),
        ("none.rs", 1, vec![found("J0100", r#""file":"none.rs","kernel":null,"chips":[],"span":{"line":1,"#)]),
        (
            "two.rs",
            1,
            vec![
                vec![ok("two.rs", "scale", "ascend910b1")],
                found("J0202", r#""file":"two.rs","kernel":"bad","chips":[],"span":{"line":15,"#),
            ],
        ),
        (
            "missing.rs",
            2,
            vec![vec![failed(r#""missing.rs","kernel":null"#, "`missing.rs` cannot be read: there is no such file", "give the")]],
        ),
        (
            "scale.rs --kernel other",
            2,
            vec![vec![failed(r#""scale.rs","kernel":"other""#, "`scale.rs` has no kernel `other`", "it has `scale`")]],
        ),
        ("empty.rs", 2, vec![vec![failed(r#""empty.rs","kernel":null"#, "`empty.rs` has no kernel", "put `#[kernel]`")]]),
        (
            "scale.rs --chip tpu",
            2,
            vec![vec![failed(r#""scale.rs","kernel":null"#, "there is no chip `tpu` in the table", "choose one of ")]],
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
        ("scale.rs --wrong", 2, vec![vec![failed(r#"null,"kernel":null"#, "unexpected argument '--wrong' found", "")]]),
    ];
    for (line, exit, lines) in cases {
        let output = place.run(&format!("check --json {line}"));
        let stdout = text(&output.stdout);
        assert_eq!((code(&output), text(&output.stderr).as_str()), (exit, ""), "{line}\n{stdout}");
        assert_eq!(stdout.lines().count(), lines.len(), "{line}\n{stdout}");
        for (said, parts) in stdout.lines().zip(lines) {
            assert!(said.starts_with(&parts[0]) && said.ends_with('}'), "{line}: {}\n{said}", parts[0]);
            assert!(parts.iter().all(|part| said.contains(part)), "{line}: {parts:?}\n{said}");
        }
    }
    // One that is wrong for one of its chips only names it.
    let output = place.run("check chips.rs --json");
    let stdout = text(&output.stdout);
    let lines: Vec<&str> = stdout.lines().collect();
    let Some((right, findings)) = lines.split_last().filter(|(_, findings)| !findings.is_empty()) else { panic!("{stdout}") };
    for finding in findings {
        assert!(finding.contains(r#""file":"chips.rs","kernel":"scale","chips":["ascend310p"]"#), "{finding}");
    }
    assert_eq!(*right, ok("chips.rs", "scale", "ascend910b1"));
}

#[test]
fn a_wrong_call_gives_exit_code_2_says_why_and_leaves_nothing() {
    let place = Place::new("calls");
    place.file("x.npy", npy("<f4", "(3,)", &f32s(&[1.0, 2.0, 3.0])));
    place.file("short.npy", npy("<f4", "(3,)", &f32s(&[1.0, 2.0])));
    place.file("long.npy", npy("<f4", "(3,)", &f32s(&[1.0; 4])));
    place.file("f8.npy", npy("<f8", "(1,)", &[0; 8]));
    place.file("i4.npy", npy("<i4", "(1,)", &[0; 4]));
    place.file("big.npy", npy(">f4", "(1,)", &[0; 4]));
    place.file("huge.npy", npy("<f4", "(4611686018427387904, 8)", &[]));
    place.file("wide.npy", npy("<f4", "(4611686018427387904,)", &[]));
    place.file("many.npy", npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", &f32s(&[1.0])));
    place.file("noise.npy", [7u8; 300]);
    place.file("empty.npy", "");
    place.file("cut.npy", &npy("<f4", "(3,)", &[])[..30]);
    place.file("zip.npy", "PK\x03\x04 and more");
    place.file("header.npy", {
        let mut bytes = npy("<f4", "(1,)", &f32s(&[1.0]));
        bytes[12] = b'!';
        bytes
    });
    place.file("nothing.rs", "fn main() {}");
    place.file("sum.rs", INPLACE);
    place.file("binary.rs", [b'/', b'/', 0xff, 0xfe]);
    place.file("two.rs", format!("{KERNELS}{}", KERNELS.replace("use jumar::prelude::*;", "").replace("fn scale", "fn twice")));
    fs::create_dir(place.0.join("full")).unwrap();
    place.file("full/own.txt", "mine");
    let before = place.names();

    let run = |args: &str| format!("run scale.rs {args}");
    let cases: Vec<(String, &str)> = vec![
        // No such thing.
        ("".into(), "Usage"),
        ("frobnicate".into(), "frobnicate"),
        ("check".into(), "FILE"),
        ("check missing.rs".into(), "no such file"),
        ("check full".into(), "folder"),
        ("check binary.rs".into(), "UTF-8"),
        ("check nothing.rs".into(), "no kernel"),
        ("check scale.rs --kernel nope".into(), "no kernel `nope`"),
        ("check scale.rs --chip ascend999".into(), "ascend910b1"),
        ("explain J9999".into(), "J9999"),
        ("ops frob".into(), "frob"),
        // Launches that cannot be predicted.
        ("emit scale.rs --cost".into(), "no argument gives the size of axis"),
        ("emit scale.rs --cost --shape z=4".into(), "no parameter `z`"),
        ("emit scale.rs --cost --shape x=4,many".into(), "--shape x=4096,1024"),
        ("emit scale.rs --cost --shape x=4 --shape x=4".into(), "twice"),
        ("emit scale.rs --cost --shape x=4 --shape y=5".into(), "5 in `y`"),
        ("emit scale.rs --cost --shape alpha=4".into(), "is an attribute"),
        ("emit scale.rs --cost --shape x=4 --arg x=4".into(), "is a tensor"),
        ("emit scale.rs --shape x=4".into(), "--cost"),
        ("emit sum.rs --cost --shape x=64 --chip ascend310p".into(), "nothing was published"),
        ("emit two.rs --cost --shape x=4".into(), "choose one with --kernel"),
        // Places that cannot be written.
        ("emit scale.rs".into(), "--out"),
        ("emit scale.rs --out o --project make".into(), "msopgen"),
        ("emit scale.rs --out full".into(), "own.txt"),
        ("emit scale.rs --out x.npy".into(), "is a file"),
        ("emit scale.rs --out x.npy/o".into(), "cannot be"),
        (run("--arg x=@x.npy --out y=@nowhere/y.npy"), "no such folder"),
        (run("--arg x=@x.npy --out y=@full"), "is a folder"),
        // Arguments that are missing, unknown or of the wrong kind.
        (run("--arg x=@x.npy"), "--out y=@FILE.npy"),
        (run("--out y=@y.npy"), "--arg x=@FILE.npy"),
        (run("--arg x=@x.npy --out z=@y.npy"), "no parameter `z`"),
        (run("--arg w=@x.npy --out y=@y.npy"), "no parameter `w`"),
        (run("--arg x=@x.npy --arg x=@x.npy --out y=@y.npy"), "twice"),
        (run("--arg x=@x.npy --out y=@y.npy --out y=@z.npy"), "twice"),
        (run("--arg x --out y=@y.npy"), "NAME=VALUE"),
        (run("--arg x=3 --out y=@y.npy"), "is a tensor"),
        (run("--arg x=@ --out y=@y.npy"), "names no file"),
        (run("--arg x=@x.npy --out y=y.npy"), "names no file"),
        (run("--arg x=@x.npy --arg y=@x.npy --out y=@y.npy"), "is an output"),
        (run("--arg x=@x.npy --out x=@z.npy --out y=@y.npy"), "read only"),
        (run("--arg x=@x.npy --out y=@y.npy --arg alpha=@x.npy"), "is an attribute"),
        (run("--arg x=@x.npy --out y=@y.npy --out alpha=@z.npy"), "is an attribute"),
        (run("--arg x=@x.npy --out y=@y.npy --arg alpha=fast"), "alpha"),
        (run("--arg x=@x.npy --out y=@y.npy --arg alpha=1e99"), "3.4e38"),
        (run("--arg x=@x.npy --out y:f64=@y.npy"), "no element type"),
        (run("--arg x=@x.npy --out y:f16=@y.npy"), "element types"),
        ("run two.rs --arg x=@x.npy --out y=@y.npy".into(), "--kernel: `scale`, `twice`"),
        // Files that are no arrays, or damaged ones.
        (run("--arg x=@missing.npy --out y=@y.npy"), "no such file"),
        (run("--arg x=@full --out y=@y.npy"), "not a file"),
        (run("--arg x=@noise.npy --out y=@y.npy"), "no .npy file"),
        (run("--arg x=@empty.npy --out y=@y.npy"), "no .npy file"),
        (run("--arg x=@cut.npy --out y=@y.npy"), "no .npy file"),
        (run("--arg x=@zip.npy --out y=@y.npy"), ".npz"),
        (run("--arg x=@header.npy --out y=@y.npy"), "malformed"),
        (run("--arg x=@short.npy --out y=@y.npy"), "12 bytes of data, the file has 8"),
        (run("--arg x=@long.npy --out y=@y.npy"), "12 bytes of data, the file has 16"),
        (run("--arg x=@huge.npy --out y=@y.npy"), "larger than any memory"),
        (run("--arg x=@wide.npy --out y=@y.npy"), "larger than any memory"),
        (run("--arg x=@many.npy --out y=@y.npy"), "at most 8"),
        (run("--arg x=@f8.npy --out y=@y.npy"), "np.float32"),
        (run("--arg x=@big.npy --out y=@y.npy"), "big-endian"),
        (run("--arg x=@i4.npy --out y=@y.npy"), "x: i32"),
    ];
    for (line, expected) in cases {
        let output = place.run(&line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "jumar {line}\n{stderr}");
        assert!(stderr.contains(expected), "jumar {line}\n{stderr}");
        for trace in ["panicked", "RUST_BACKTRACE", "os error", "Some(", "Err(", "Os {"] {
            assert!(!stderr.contains(trace), "jumar {line}\n{stderr}");
        }
        assert!(output.stdout.is_empty(), "jumar {line}");
        assert_eq!(place.names(), before, "jumar {line}");
    }
}

#[test]
fn a_run_writes_what_the_kernel_computes() {
    let place = Place::new("run");
    let values: Vec<f32> = (0..1000).map(|i| i as f32 - 500.0).collect();
    place.file("x.npy", npy("<f4", "(10, 100)", &f32s(&values)));
    let output = place.run("run scale.rs --arg x=@x.npy --arg alpha=-0.5 --out y=@y.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("y: f32 [10, 100], in y.npy"), "{}", text(&output.stdout));
    let want: Vec<f32> = values.iter().map(|v| v * -0.5).collect();
    assert_eq!(data(&place.0.join("y.npy")), f32s(&want));
    let header = fs::read(place.0.join("y.npy")).unwrap();
    assert!(text(&header[10..128]).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (10, 100), }"));
    assert_eq!(place.names(), ["bad.rs", "scale.rs", "x.npy", "y.npy"]);
}

#[test]
fn a_list_of_numbers_is_said_with_commas() {
    let place = Place::new("padded");
    place.file("padded.rs", PADDED);
    place.file("x.npy", npy("<f4", "(2,)", &f32s(&[1.0, 2.0])));
    for backend in ["sim", "tile", "cpp"] {
        let output = place
            .run(&format!("run padded.rs --arg x=@x.npy --out y=@y.npy --arg pads=1,0 --arg scale=2,0.25 --backend {backend}"));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(data(&place.0.join("y.npy")), f32s(&[0.25, 2.25, 4.25]), "{backend}");
    }
    for (args, part) in [
        ("", "`pads` is missing; add --arg pads=1,1"),
        ("--arg pads=1", "`pads` is a list of 2, and 1 were given"),
        ("--arg pads=1,x", "`x` is no value for `pads`"),
        ("--arg pads=1,-1", "`-1` is no value for `pads`"),
        ("--arg pads=1,1 --arg pads=1,1", "--arg gives `pads` twice"),
        ("--arg pads=1,1 --arg pad=1", "pads: 2 of usize, scale: 2 of f32 = 1, 0.5"),
    ] {
        let output = place.run(&format!("run padded.rs --arg x=@x.npy --out y=@z.npy {args}"));
        assert_eq!(code(&output), 2, "{args}");
        assert!(text(&output.stderr).contains(part), "{args}: {}", text(&output.stderr));
    }
    let output = place.run("emit padded.rs --cost --shape x=4 --arg pads=1,2");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn a_list_of_tensors_is_said_with_commas() {
    let place = Place::new("lists");
    place.file("lists.rs", LISTS);
    place.file("a.npy", npy("<f4", "(2,)", &f32s(&[1.0, 2.0])));
    place.file("b.npy", npy("<f4", "(1, 1)", &f32s(&[4.0])));
    let both = "--arg xs=@a.npy,@b.npy --arg sums=@a.npy,@b.npy --out sums=@u.npy,@v.npy";
    for backend in ["sim", "tile", "cpp"] {
        let output = place
            .run(&format!("run lists.rs {both} --arg alphas=2,-1 --arg beta=0.5 --out ys=@y.npy,@z.npy --backend {backend}"));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("ys[1]: f32 [1, 1], in z.npy"), "{}", text(&output.stdout));
        let found = ["y", "z", "u", "v"].map(|name| data(&place.0.join(format!("{name}.npy"))));
        assert_eq!(found, [&[2.5, 4.5][..], &[-2.5], &[3.5, 6.5], &[1.5]].map(f32s), "{backend}");
    }
    let output = place.run("run lists.rs --arg xs= --arg sums= --out sums= --arg alphas= --arg beta=0 --out ys=");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    for (args, part) in [
        ("--arg beta=1 --arg alphas=1,2", "`ys` is missing; add --out ys=@FILE.npy,@FILE.npy"),
        ("--arg beta=1 --out ys=@y.npy,@z.npy", "`alphas` is missing; add --arg alphas=1.0,1.0"),
        ("--arg beta=1 --arg alphas=1 --out ys=@y.npy,@z.npy", "`xs` has 2 items and `alphas` has 1: lists are equally long"),
        ("--arg beta=1 --arg alphas=1,2 --out ys=@y.npy", "`xs` has 2 items and `ys` has 1: lists are equally long"),
        ("--arg beta=1 --arg alphas=1,x --out ys=@y.npy,@z.npy", "`x` is no value for `alphas`"),
        ("--arg beta=1 --arg alphas=1,2 --arg i=0 --out ys=@y.npy,@z.npy", "no parameter `i`"),
        ("--arg beta=1 --arg alphas=1,2 --out ys=y.npy", "`ys` is a list of tensors; give files"),
        ("--arg beta=1 --arg alphas=1,2 --out ys=@y.npy,@a.npy", "a.npy"),
        ("--arg xs=@a.npy", "--arg gives `xs` twice"),
        ("--arg gamma=1", "xs: list of inputs of f32, alphas: list of f32, sums: list of tensors updated in place of f32"),
    ] {
        let output = place.run(&format!("run lists.rs {both} {args}"));
        assert_eq!(code(&output), 2, "{args}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains(part), "{args}: {}", text(&output.stderr));
    }
    let output = place.run("emit lists.rs --cost --shape xs=4096 --arg alphas=1 --arg beta=2");
    assert!(text(&output.stdout).contains("one item"), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn a_variant_is_said_by_its_name() {
    let place = Place::new("bend");
    place.file("bend.rs", BEND);
    place.file("x.npy", npy("<f4", "(2,)", &f32s(&[1.0, 2.0])));
    for (args, want) in [
        ("--arg bend=half_up", [2.0, 3.0]),
        ("--arg bend=straight", [1.5, 2.5]),
        ("--arg bend=straight --arg again=straight", [1.0, 2.0]),
    ] {
        for backend in ["sim", "tile", "cpp"] {
            let output = place.run(&format!("run bend.rs --arg x=@x.npy --out y=@y.npy {args} --backend {backend}"));
            assert_eq!(code(&output), 0, "{}", text(&output.stderr));
            assert_eq!(data(&place.0.join("y.npy")), f32s(&want), "{args} {backend}");
        }
    }
    for (line, part) in [
        ("run bend.rs --arg x=@x.npy --out z=@z.npy", "no parameter `z`"),
        ("run bend.rs --arg x=@x.npy --out y=@z.npy", "`bend` is missing; add --arg bend=straight"),
        (
            "run bend.rs --arg x=@x.npy --out y=@z.npy --arg bend=up",
            "`up` is no value for `bend`, which is one of straight, half_up",
        ),
        ("run bend.rs --arg x=@x.npy --out y=@z.npy --arg bend=1", "`1` is no value for `bend`"),
        ("emit bend.rs --cost --shape x=4 --arg bend=Straight", "again: straight|half_up = half_up"),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 2, "{line}");
        assert!(text(&output.stderr).contains(part), "{line}: {}", text(&output.stderr));
    }
    let output = place.run("emit bend.rs --cost --shape x=4 --arg bend=half_up");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
}

#[test]
fn what_a_kernel_shows_is_printed() {
    let place = Place::new("shown");
    let kernel = "use jumar::prelude::*;\n#[kernel]\npub fn twice(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n    for t in tiles(x) {\n        \
        let v = x.at(t).load();\n        v.dump(\"v\");\n        y.at(t).store(v * 2.0);\n    }\n}\n";
    place.file("twice.rs", kernel);
    place.file("x.npy", npy("<f4", "(3,)", &f32s(&[1.0, -2.5, 3.0])));
    for (backend, shown, how) in [
        ("sim", "v [t], line 6, block 0: 1 x 3\n  1 -2.5 3\n", "simulated"),
        ("tile", "v [t], line 6: 1 x 3\n  1 -2.5 3\n", "interpreted"),
    ] {
        let output = place.run(&format!("run twice.rs --arg x=@x.npy --out y=@y.npy --backend {backend}"));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with(&format!("{shown}twice: {how} ")), "{}", text(&output.stdout));
        assert_eq!(data(&place.0.join("y.npy")), f32s(&[2.0, -5.0, 6.0]));
    }
}

#[test]
fn the_tile_interpreter_runs_what_is_written() {
    let place = Place::new("interpret");
    place.file("x.npy", npy("<f4", "(2, 3)", &f32s(&[1.0, -2.0, 0.0, 3.0, 4.0, -5.0])));
    let output = place.run("run scale.rs --arg x=@x.npy --arg alpha=-0.5 --out y=@y.npy --backend tile");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "scale <f32>: interpreted as written\ny: f32 [2, 3], in y.npy\n");
    assert_eq!(data(&place.0.join("y.npy")), f32s(&[-0.5, 1.0, -0.0, -1.5, -2.0, 2.5]));
    // A queue-level kernel has no tiles to interpret.
    place.file("shift.rs", SHIFT);
    let output = place.run("run shift.rs --arg x=@x.npy --arg by=0 --out y=@z.npy --backend tile");
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(said.contains("error[J0605]") && said.contains("queue level"), "{said}");
    assert!(!place.names().contains(&"z.npy".to_string()));
}

#[test]
fn a_tile_kernel_is_printed_after_each_pass_of_its_lowering() {
    let place = Place::new("passes");
    place.file(
        "twice.rs",
        KERNELS.replace("x.at(t).load().cast::<f32>() * alpha", "(x.at(t).load().cast::<f32>() * alpha).cast::<f32>()"),
    );
    let output = place.run("emit twice.rs --after written");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let written = text(&output.stdout);
    assert!(written.contains("(kernel") && written.contains("(load (at &0"), "{written}");
    let simple = text(&place.run("emit twice.rs --after simplify").stdout);
    // In the instance of f32 no cast is left.
    assert!(simple.matches("(cast ").count() < written.matches("(cast ").count(), "{simple}");
    let output = place.run("emit twice.rs --after stream");
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(
        said.contains("no pass `stream`") && said.contains("written, simplify, derived, fewer, onto, hoist, loads-first"),
        "{said}"
    );
    assert_eq!(place.names(), ["bad.rs", "scale.rs", "twice.rs"]);
}

#[test]
fn what_stands_between_phases_is_explained() {
    let place = Place::new("explain");
    place.file(
        "steps.rs",
        "#[kernel]
pub fn steps(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, k: usize) {
    let s = workspace::<f32>((n, d));
    for r in tiles(n) { s.at(r, ..).store(x.at(r, ..).load()); }
    for i in 0..k {
        for r in tiles(n) { y.at(r, ..).store(s.at(n - 1 - r, ..).load()); }
        for r in tiles(n) { s.at(r, ..).store(x.at(r, ..).load() + 1.0); }
    }
    for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + s.at(r, ..).load()); }
}",
    );
    let output = place.run("emit steps.rs --explain");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let wanted = "steps: 4 phases on ascend910b1
  line 4: the kernel begins
  line 6: all blocks meet (SyncAll): it loads `s`, to which the loop of line 4 stores, on other cores
  line 7: all blocks meet (SyncAll): it stores to `s`, which the loop of line 6 loads, on other cores
  line 9: no meeting: a block finds what it stored itself, and touches nothing else that was written since
";
    assert_eq!(text(&output.stdout), wanted);
    let output = place.run("emit scale.rs --explain");
    assert_eq!(text(&output.stdout), "scale: one phase on ascend910b1\n");
}

#[test]
fn the_zeros_under_what_is_added_first_are_explained() {
    let place = Place::new("explain-zeros");
    place.file(
        "sums.rs",
        "#[kernel]
pub fn sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(d)] z: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(..).atomic_add(x.at(r, ..).load().sum(r));
        z.at(..).atomic_add(x.at(r, ..).load().sum(r));
    }
}",
    );
    let output = place.run("emit sums.rs --explain");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let wanted = "sums: 2 phases on ascend910b1
  line 4: `y` is filled with zeros, since what comes first adds to it; the kernel begins
  line 3: all blocks meet (SyncAll): it adds to `y`, to which the loop that fills it with zeros stores, on other cores
";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn elements_that_are_copied_one_by_one_are_told() {
    let place = Place::new("explain-elements");
    place.file(
        "column.rs",
        "#[kernel]
pub fn column(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, 0).load());
    }
}",
    );
    let output = place.run("emit column.rs --explain");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let wanted = "column: one phase on ascend910b1
  line 4: each element of `x` is copied alone, to or from 32 bytes of UB of its own, which takes as long as 512 bytes that follow one another: where a tile has \
                  most of a row of `x`, load whole rows and take its elements by `pick`
";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn what_a_launch_is_predicted_to_take_is_printed() {
    let place = Place::new("cost");
    let output = place.run("emit scale.rs --cost --shape x=1048576 --arg alpha=3");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for part in
        ["scale <f16> on ascend910b1", "predicted, not measured", "Muls", "bytes a block = ", "bound: ", "cycles an element (V)"]
    {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(said.matches("bound: ").count(), 3, "one table an instance\n{said}");
    assert_eq!(place.names(), ["bad.rs", "scale.rs"]);
}

#[test]
fn the_dtype_instance_follows_the_files() {
    let place = Place::new("dtypes");
    // 1.0 and 3.0 as f16 and as bf16; twice as much is 2.0 and 6.0.
    for (descr, values, want) in [
        ("<f2", [0x3c00u16, 0x4200], [0x4000u16, 0x4600]),
        ("<u2", [0x3f80, 0x4040], [0x4000, 0x40c0]),
        ("|V2", [0x3f80, 0x4040], [0x4000, 0x40c0]),
    ] {
        let bytes = |values: [u16; 2]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
        place.file("x.npy", npy(descr, "(2,)", &bytes(values)));
        let output = place.run("run scale.rs --arg x=@x.npy --out y=@y.npy");
        assert_eq!(code(&output), 0, "{descr}: {}", text(&output.stderr));
        assert_eq!(data(&place.0.join("y.npy")), bytes(want), "{descr}");
    }
}

#[test]
fn arrays_without_elements_and_axes_run() {
    let place = Place::new("empty");
    for (shape, values) in [("(0,)", vec![]), ("(3, 0, 2)", vec![]), ("()", vec![4.0f32])] {
        place.file("x.npy", npy("<f4", shape, &f32s(&values)));
        let output = place.run("run scale.rs --arg x=@x.npy --out y=@y.npy");
        assert_eq!(code(&output), 0, "{shape}: {}", text(&output.stderr));
        let want: Vec<f32> = values.iter().map(|v| v * 2.0).collect();
        assert_eq!(data(&place.0.join("y.npy")), f32s(&want));
    }
}

#[test]
fn emit_writes_a_folder_and_replaces_only_its_own() {
    let place = Place::new("emit");
    for kind in ["direct", "asc", "msopgen", "torch"] {
        let output = place.run(&format!("emit scale.rs --out {kind}/p --project {kind}"));
        assert_eq!(code(&output), 0, "{kind}: {}", text(&output.stderr));
        let listed = text(&output.stdout);
        assert!(listed.lines().count() >= 2);
        for line in listed.lines() {
            let written = fs::read_to_string(place.0.join(line)).unwrap_or_default();
            assert!(!written.is_empty(), "{line}");
            assert!(!written.contains(place.0.to_str().unwrap()), "{line} holds a path of this machine");
        }
        assert_eq!(fs::read_dir(place.0.join(kind)).unwrap().count(), 1, "no temporary folder stays");
    }
    // Another kind into the same folder: stale files go, a build stays.
    place.file("direct/p/build.log", "built");
    let before = text(&place.run("emit scale.rs --out direct/p").stdout);
    let output = place.run("emit scale.rs --out direct/p --project msopgen");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let after = text(&output.stdout);
    for line in before.lines().filter(|l| !after.lines().any(|a| a == *l)) {
        assert!(!place.0.join(line).exists(), "{line} is stale");
    }
    assert!(place.0.join("direct/p/build.log").exists());
    let hidden = fs::read_dir(place.0.join("direct/p")).unwrap().filter_map(|e| e.unwrap().file_name().into_string().ok());
    assert_eq!(hidden.filter(|n| n.starts_with('.')).collect::<Vec<_>>(), [".jumar"]);
    // An empty folder is taken.
    fs::create_dir(place.0.join("empty")).unwrap();
    assert_eq!(code(&place.run("emit scale.rs --out empty")), 0);
}

#[test]
fn a_tensor_updated_in_place_is_given_and_goes_somewhere() {
    let place = Place::new("inplace");
    place.file("add.rs", INPLACE);
    place.file("x.npy", npy("<f4", "(2,)", &f32s(&[1.0, 2.0])));
    place.file("sum.npy", npy("<f4", "(2,)", &f32s(&[10.0, 20.0])));
    // Over its own old content: allowed, since it appears when the run is over.
    let output = place.run("run add.rs --arg x=@x.npy --arg sum=@sum.npy --out sum=@sum.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(data(&place.0.join("sum.npy")), f32s(&[11.0, 22.0]));
    for (line, expected) in
        [("--arg x=@x.npy --out sum=@s.npy", "--arg sum=@"), ("--arg x=@x.npy --arg sum=@x.npy", "--out sum=@")]
    {
        let output = place.run(&format!("run add.rs {line}"));
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    place.file("long.npy", npy("<f4", "(3,)", &f32s(&[1.0, 2.0, 3.0])));
    let output = place.run("run add.rs --arg x=@x.npy --arg sum=@long.npy --out sum=@s.npy");
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("J0603"), "{}", text(&output.stderr));
}

#[test]
fn an_output_beyond_all_memory_is_refused_before_it_is_made() {
    let place = Place::new("memory");
    place.file("repeat.rs", REPEAT);
    place.file("x.npy", npy("<f4", "(1, 2)", &f32s(&[1.0, 2.0])));
    for rows in ["4000000000000", "1000000000000000000", "9223372036854775807"] {
        let output = place.run(&format!("run repeat.rs --arg x=@x.npy --arg rows={rows} --out y=@y.npy"));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "{rows}: {stderr}");
        assert!(stderr.contains("memory") || stderr.contains("are free"), "{rows}: {stderr}");
    }
    assert_eq!(place.names(), ["bad.rs", "repeat.rs", "scale.rs", "x.npy"]);
}

#[test]
fn a_fault_in_the_simulator_gives_exit_code_1_and_its_place() {
    let place = Place::new("fault");
    place.file("shift.rs", SHIFT);
    place.file("x.npy", npy("<f4", "(3,)", &f32s(&[1.0, 2.0, 3.0])));
    let output = place.run("run shift.rs --arg x=@x.npy --arg by=0 --out y=@y.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(data(&place.0.join("y.npy")), f32s(&[2.0, 3.0, 4.0]));
    let output = place.run("run shift.rs --arg x=@x.npy --arg by=5 --out y=@z.npy");
    assert_eq!(code(&output), 1);
    let stderr = text(&output.stderr);
    for part in ["error[J0801]", "--> shift.rs:14:9", "^^^ in block 0", "no output was written"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!(place.names(), ["bad.rs", "scale.rs", "shift.rs", "x.npy", "y.npy"]);
}

#[test]
fn text_that_nests_without_end_is_refused() {
    let place = Place::new("deep");
    for (before, after) in [("(", ")"), ("{", "}"), ("-", ""), ("x + ", ""), ("if x {} else ", ""), ("x.abs(", ")")] {
        for n in [50, 100_000] {
            let body = format!("{}x{}", before.repeat(n), after.repeat(n));
            place.file("deep.rs", format!("#[kernel] fn k(x: &GlobalTensor<f32>) {{ let v = {body}; }}"));
            let output = place.run("check deep.rs");
            assert_eq!(code(&output), 1, "{before} {n}");
            assert!(text(&output.stderr).contains("error[J0"), "{before} {n}");
        }
    }
}

#[test]
fn lowered_ir_is_printed() {
    let place = Place::new("level");
    let output = place.run("emit scale.rs --level queue");
    assert_eq!(code(&output), 0);
    let ir = text(&output.stdout);
    assert_eq!(ir.matches("(lowered").count(), 3, "one an instance");
    assert!(ir.contains("VECIN") && !ir.contains("tile_loop"));
}
