//! The command line from outside: exit codes, messages, and that a wrong call leaves nothing behind.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const KERNELS: &str = r#"use jumar::prelude::*;

/// `y = alpha * x`
#[kernel]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(2.0)] alpha: f32) {
    for t in tiles(x) {
        t.store(y, (t.load(x).cast::<f32>() * alpha).cast::<T>());
    }
}
"#;

const INPLACE: &str = "use jumar::prelude::*;

#[kernel]
pub fn add(x: &GlobalTensor<f32>, #[inplace] sum: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(sum, t.load(sum) + t.load(x));
    }
}
";

/// An attribute decides how large the output is.
const REPEAT: &str = "use jumar::prelude::*;

#[kernel]
pub fn repeat(#[shape(1, d)] x: &GlobalTensor<f32>, #[shape(1 * rows, d)] y: &mut GlobalTensor<f32>, rows: usize) {
    for r in row_tiles(y) {
        r.store(y, r.full(1.0));
    }
}
";

const WRONG: &str = "use jumar::prelude::*;

#[kernel]
pub fn bad(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x));
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
        ("--version", "jumar "),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 0, "{line}");
        assert!(text(&output.stdout).contains(expected), "{line}: {}", text(&output.stdout));
        assert!(output.stderr.is_empty(), "{line}");
    }
}

#[test]
fn a_right_kernel_is_checked_for_its_chip() {
    let place = Place::new("check");
    let output = place.run("check scale.rs");
    assert_eq!((code(&output), text(&output.stdout)), (0, "scale: ok for ascend910b1, 3 instances\n".into()));
    let output = place.run("check scale.rs --chip Ascend910B4");
    assert_eq!((code(&output), text(&output.stdout)), (0, "scale: ok for ascend910b4, 3 instances\n".into()));
    let output = place.run("check scale.rs --json");
    assert_eq!((code(&output), text(&output.stdout)), (0, String::new()));
}

#[test]
fn a_wrong_kernel_gives_exit_code_1_and_its_place() {
    let place = Place::new("wrong");
    let output = place.run("check bad.rs");
    assert_eq!(code(&output), 1);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("error[J0202]") && stderr.contains("bad.rs:6:"), "{stderr}");
    assert!(output.stdout.is_empty());
    let output = place.run("check bad.rs --json");
    assert_eq!(code(&output), 1);
    let stdout = text(&output.stdout);
    assert!(stdout.starts_with(r#"{"code":"J0202","#) && stdout.contains(r#""line":6"#), "{stdout}");
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
    for kind in ["direct", "asc", "msopgen"] {
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

/// `z = x + n` for floats, one tile; `late` forgets the wait between copy and add.
const ADDS: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    int64_t length;
    float by;
};

extern "C" __global__ __aicore__ void adds(GM_ADDR x, GM_ADDR z, Tiling tiling, int32_t late)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, tiling.length);
    if (late == 0) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    Adds(a, a, tiling.by, tiling.length);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, a, tiling.length);
    AscendC::printf("block %d is done\n", int(GetBlockIdx()));
}
"#;

fn cpp_place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("adds.cpp", ADDS);
    place.file("x.npy", npy("<f4", "(2, 4)", &f32s(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])));
    place
}

#[test]
fn an_ascendc_file_runs_on_the_cpu() {
    let place = cpp_place("cpp");
    let output = place
        .run("cpp adds.cpp --arg x=@x.npy --arg late=0 --struct tiling=int64_t:8,float:0.5 --out z:f32[2,4]=@z.npy --race 7");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let said = "adds: ran 1 block of ascend910b1 on the CPU\n[block 0] block 0 is done\nz: f32 [2, 4], in z.npy\n";
    assert_eq!(text(&output.stdout), said);
    assert_eq!(data(&place.0.join("z.npy")), f32s(&[0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]));
    // As bytes: a structure from a file, an output that is no array.
    place.file("tiling.bin", [8i64.to_le_bytes().to_vec(), f32s(&[1.0, 0.0])].concat());
    let output = place.run("cpp adds.cpp --arg x=@x.npy --arg late=1 --arg tiling=@tiling.bin --out z:u8[32]=@z.bin");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(fs::read(place.0.join("z.bin")).unwrap(), f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]));
}

/// Copies bytes.
const MOVES: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void moves(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 32);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer(x);
    to.SetGlobalBuffer(z);
    LocalTensor<uint8_t> row = queue.AllocTensor<uint8_t>();
    DataCopy(row, from, 32);
    queue.EnQue(row);
    row = queue.DeQue<uint8_t>();
    DataCopy(to, row, 32);
    queue.FreeTensor(row);
}
"#;

#[test]
fn tensors_of_an_ascendc_file_have_all_element_types() {
    let place = Place::new("cpp-elements");
    place.file("moves.cpp", MOVES);
    let bytes: Vec<u8> = (0..32).collect();
    for (descr, name, written) in [
        ("<u2", "bf16", "<u2"),
        ("|V2", "bf16", "<u2"),
        ("<f2", "f16", "<f2"),
        ("<f4", "f32", "<f4"),
        ("<f8", "f64", "<f8"),
        ("|b1", "bool", "|b1"),
        ("|i1", "i8", "|i1"),
        ("|u1", "u8", "|u1"),
        ("<i2", "i16", "<i2"),
        ("<u2", "u16", "<u2"),
        ("<i4", "i32", "<i4"),
        ("<u4", "u32", "<u4"),
        ("<i8", "i64", "<i8"),
        ("<u8", "u64", "<u8"),
    ] {
        let width = descr.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap();
        let count = 32 / width;
        place.file("x.npy", npy(descr, &format!("({count},)"), &bytes));
        let output = place.run(&format!("cpp moves.cpp --arg x=@x.npy --out z:{name}[{count}]=@z.npy"));
        assert_eq!(code(&output), 0, "{name}: {}", text(&output.stderr));
        assert!(text(&output.stdout).ends_with(&format!("z: {name} [{count}], in z.npy\n")), "{}", text(&output.stdout));
        assert_eq!(fs::read(place.0.join("z.npy")).unwrap(), npy(written, &format!("({count},)"), &bytes), "{name}");
    }
    place.file("complex.npy", npy("<c8", "(4,)", &bytes));
    place.file("big.npy", npy(">i8", "(4,)", &bytes));
    for (line, part) in [
        ("--arg x=@z.npy --out z:f8[4]=@y.npy", "`f8` is no element type; there are bf16, f16, f32, f64, bool, i8"),
        ("--arg x=@complex.npy --out z:f32[8]=@y.npy", "it holds `<c8`; tensors hold bf16, f16"),
        ("--arg x=@big.npy --out z:f32[8]=@y.npy", "it is big-endian"),
    ] {
        let output = place.run(&format!("cpp moves.cpp {line}"));
        assert_eq!(code(&output), 2, "{line}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(part), "{line}: {}", text(&output.stderr));
    }
}

#[test]
fn a_wrong_ascendc_file_is_refused_with_its_place() {
    let place = cpp_place("cpp-wrong");
    place.file("typo.cpp", ADDS.replace("tiling.by, tiling", "half(1), tiling"));
    let all = "--arg x=@x.npy --out z:f32[8]=@z.npy";
    for (line, exit, parts) in [
        // Wrong kernels.
        (
            format!("cpp adds.cpp {all} --arg late=1 --struct tiling=int64_t:8,float:1 --race"),
            1,
            &[
                "error[J0809]: Adds of pipe V",
                "adds.cpp:23:5",
                "in block 0",
                "adds.cpp:18:5",
                "the other access",
                "no output was written",
            ][..],
        ),
        (
            format!("cpp adds.cpp {all} --arg late=0 --struct tiling=int64_t:16,float:1"),
            1,
            &["error[J0801]: DataCopy: src ends 32 bytes behind the end of `x`", "adds.cpp:18:5"],
        ),
        (
            format!("cpp typo.cpp {all} --arg late=0 --struct tiling=int64_t:8,float:1"),
            1,
            &["error[J0806]", "typo.cpp:23:", "no matching function"],
        ),
        // Wrong calls.
        ("cpp none.cpp".into(), 2, &["`none.cpp` cannot be read"]),
        ("cpp scale.rs".into(), 2, &["`scale.rs` has no kernel function"]),
        ("cpp adds.cpp --kernel add".into(), 2, &["has no kernel function `add`", "choose one with --kernel: adds"]),
        (
            format!("cpp adds.cpp {all} --arg late=0"),
            2,
            &["`tiling` is missing", "`adds` takes (GM_ADDR x, GM_ADDR z, Tiling tiling, int32_t late)"],
        ),
        (format!("cpp adds.cpp {all} --arg late=x --struct tiling=int64_t:8,float:1"), 2, &["`x` is no value of `int32_t`"]),
        (
            format!("cpp adds.cpp {all} --arg late=0 --struct tiling=int64_t:8"),
            2,
            &["error[J0605]: parameter 3 of kernel `adds` has 16 bytes, the launch gives 8"],
        ),
        (format!("cpp adds.cpp {all} --arg late=0 --struct tiling=long:8"), 2, &["`long` is no type of a number"]),
        ("cpp adds.cpp --arg x=3".into(), 2, &["`x` is a pointer; give a file"]),
        ("cpp adds.cpp --arg y=3".into(), 2, &["has no parameter `y`"]),
        ("cpp adds.cpp --out z:f32=@z.npy".into(), 2, &["`f32` is no element type with a shape"]),
        ("cpp adds.cpp --out z=@z.npy".into(), 2, &["`z` needs an element type and a shape"]),
        ("cpp adds.cpp --chip ascend1".into(), 2, &["ascend1"]),
        ("run scale.rs --arg x=@x.npy --out y=@y.npy --race".into(), 2, &["add --backend cpp"]),
    ] {
        let output = place.run(&line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{line}: `{part}` is not in\n{stderr}");
        }
        assert_eq!(place.names(), ["adds.cpp", "bad.rs", "scale.rs", "typo.cpp", "x.npy"], "{line}");
    }
}

/// Doubles every tensor of a list.
const FOREACH: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void foreach_double(GM_ADDR x, GM_ADDR z)
{
    ListTensorDesc in(reinterpret_cast<__gm__ void *>(x)), out(reinterpret_cast<__gm__ void *>(z));
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    for (uint32_t i = 0; i < in.GetSize(); ++i) {
        TensorDesc<float> desc;
        in.GetDesc(desc, i);
        uint32_t count = 1;
        for (uint32_t axis = 0; axis < desc.GetDim(); ++axis) {
            count *= desc.GetShape(axis);
        }
        GlobalTensor<float> to;
        to.SetGlobalBuffer(out.GetDataPtr<float>(i));
        DataCopy(a, desc.GetDataObj(), count);
        PipeBarrier<PIPE_ALL>();
        Add(a, a, a, count);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, a, count);
        PipeBarrier<PIPE_ALL>();
    }
}
"#;

#[test]
fn tensors_of_a_list_are_given_one_by_one() {
    let place = Place::new("cpp-list");
    place.file("foreach.cpp", FOREACH);
    let values: Vec<f32> = (0..16).map(|i| i as f32).collect();
    place.file("a.npy", npy("<f4", "(2, 4)", &f32s(&values[..8])));
    place.file("b.npy", npy("<f4", "(16,)", &f32s(&values)));
    let line = "cpp foreach.cpp --arg x.0=@a.npy --arg x.1=@b.npy --out z.0:f32[2,4]=@c.npy --out z.1:f32[16]=@d.npy";
    let output = place.run(line);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let said = "foreach_double: ran 1 block of ascend910b1 on the CPU\nz.0: f32 [2, 4], in c.npy\nz.1: f32 [16], in d.npy\n";
    assert_eq!(text(&output.stdout), said);
    let doubled: Vec<f32> = values.iter().map(|v| v + v).collect();
    assert_eq!(data(&place.0.join("c.npy")), f32s(&doubled[..8]));
    assert_eq!(data(&place.0.join("d.npy")), f32s(&doubled));
    for (line, exit, part) in [
        ("cpp foreach.cpp --arg x.1=@b.npy --out z.0:f32[16]=@c.npy", 2, "`x` is missing"),
        ("cpp foreach.cpp --arg x.0=@a.npy --arg x.0=@b.npy --out z.0:f32[16]=@c.npy", 2, "`x.0` is given twice"),
        ("cpp foreach.cpp --arg x.a=@a.npy", 2, "has no parameter `x.a`"),
        (
            "cpp foreach.cpp --arg x.0=@b.npy --out z.0:f32[8]=@e.npy",
            1,
            "error[J0801]: DataCopy: dst ends 32 bytes behind the end of `z.0`",
        ),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: `{part}` is not in\n{stderr}");
    }
}

#[test]
fn the_kernel_of_an_operator_project_finds_its_tiling_data() {
    let place = Place::new("cpp-operator");
    place.file("op_host/scale_tiling.h", OP_TILING);
    place.file("op_kernel/scale.cpp", OP_KERNEL);
    let values: Vec<f32> = (0..16).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(16,)", &f32s(&values)));
    let all = "cpp op_kernel/scale.cpp --arg x=@x.npy --out z:f32[16]=@z.npy --scratch workspace=32 \
               --struct tiling=uint32_t:16,float:2.5 --define DTYPE_X=float --tiling-key 1";
    let output = place.run(&format!("{all} --tiling op_host/scale_tiling.h"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(data(&place.0.join("z.npy")), f32s(&values.iter().map(|v| v * 2.5).collect::<Vec<_>>()));
    place.file("empty.h", "// REGISTER_TILING_DATA_CLASS(Scale, ScaleTilingData)\n");
    for (line, exit, part) in [
        (all.to_string(), 1, "error[J0806]"),
        (format!("{all} --tiling empty.h"), 2, "`empty.h` registers no tiling data (REGISTER_TILING_DATA_CLASS)"),
        (format!("{all} --tiling none.h"), 2, "`none.h` cannot be used"),
    ] {
        let output = place.run(&line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: `{part}` is not in\n{stderr}");
    }
}

const OP_TILING: &str = r#"#ifndef SCALE_TILING_H
#define SCALE_TILING_H
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, factor);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Scale, ScaleTilingData)
}
#endif
"#;
const OP_KERNEL: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void Scale(GM_ADDR x, GM_ADDR z, const ScaleTilingData *data)
{
    GlobalTensor<DTYPE_X> gx, gz;
    gx.SetGlobalBuffer((__gm__ DTYPE_X *)x, data->length);
    gz.SetGlobalBuffer((__gm__ DTYPE_X *)z, data->length);
    LocalTensor<DTYPE_X> a(TPosition::VECCALC, 0, data->length);
    DataCopy(a, gx, data->length);
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, data->factor, data->length);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, data->length);
}

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (TILING_KEY_IS(1)) {
        Scale(x, z, &tilingData);
    }
}
"#;

/// A program of one source: kernel, launch by brackets, and what a host does around it.
const ADD_ASC: &str = include_str!("../examples/handwritten/add.asc");

#[test]
fn a_program_with_launches_runs_as_it_is() {
    let place = Place::new("cpp-program");
    place.file("add.asc", ADD_ASC);
    for line in ["cpp add.asc", "cpp add.asc --race 3", "cpp add.asc --chip ascend310p"] {
        let output = place.run(line);
        assert_eq!((code(&output), text(&output.stdout)), (0, "37888 elements are right\n".into()), "{}", text(&output.stderr));
    }
    // Its kernel alone, with arrays from outside; the program's `main` does not run.
    let values: Vec<f32> = (0..1024).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(1024,)", &f32s(&values)));
    let output = place.run(
        "cpp add.asc --kernel vector_add<128> --block-dim 3 --arg x=@x.npy --arg y=@x.npy --out z:f32[1024]=@z.npy --arg length=1024",
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(data(&place.0.join("z.npy")), f32s(&values.iter().map(|v| v + v).collect::<Vec<_>>()));
    // In two files, with arguments: what the program prints and returns is its own.
    // A mask without lanes is an error on the inference chips only.
    let kernel = r#"#include "kernel_operator.h"
extern "C" __global__ __aicore__ void none(GM_ADDR x, int n)
{
    assert(n > 0);
    AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 64);
    uint64_t mask[2] = {0, 0};
    AscendC::Adds(a, a, 1.0f, mask, 1, {1, 1, 8, 8});
}
"#;
    place.file("kernel.cpp", kernel);
    // Names of the API are free in host code.
    place.file(
        "host.cpp",
        "extern \"C\" void none(int);\nint main() { int block_num = 1, DT_FLOAT = 2; none(block_num + DT_FLOAT); }\n",
    );
    place.file(
        "abort.cpp",
        "#include <cstdio>\n#include <cstdlib>\nint main(int argc, char **)\n{\n    if (argc > 1) {\n        \
         return static_cast<volatile char *>(std::malloc(1))[argc];\n    }\n    std::fprintf(stderr, \"last words\\n\");\n    \
         std::abort();\n}\n",
    );
    place.file("free.cpp", "int main() { int block_num = 1, DT_FLOAT = -1; return block_num + DT_FLOAT; }\n");
    assert_eq!(code(&place.run("cpp free.cpp")), 0);
    place.file(
        "main.cpp",
        "#include \"aclrtlaunch_none.h\"\n#include <cstdio>\n#include <cstdlib>\nint main(int argc, char **argv)\n{\n    \
         std::printf(\"%d of %s\\n\", argc, argv[1]);\n    \
         return ACLRT_LAUNCH_KERNEL(none)(1, nullptr, nullptr, std::atoi(argv[1])) + std::atoi(argv[1]) / 8;\n}\n",
    );
    let output = place.run("cpp main.cpp kernel.cpp -- 7 b");
    assert_eq!((code(&output), text(&output.stdout)), (0, "3 of 7\n".into()), "{}", text(&output.stderr));
    for (line, exit, part) in [
        ("cpp main.cpp kernel.cpp -- 24", 1, "the program ended with 3; its kernels met no fault"),
        ("cpp main.cpp kernel.cpp -- 0", 1, "error[J0808]: assertion `n > 0` failed"),
        ("cpp main.cpp kernel.cpp --chip ascend310p -- 7", 1, "error[J0807]: Adds: the mask is 0"),
        ("cpp main.cpp -- 1", 1, "error[J0806]: the C++ compiler refuses `main.cpp`"),
        ("cpp abort.cpp", 1, "last words\nerror[J0812]: the program ended by a signal"),
        ("cpp abort.cpp --sanitize -- 1", 1, "with insufficient space for an object of type"),
        ("cpp host.cpp", 1, "undefined reference to `none'"),
        ("cpp kernel.cpp -- 1", 2, "there is no program that takes arguments"),
        ("cpp kernel.cpp kernel.cpp", 2, "2 files, and none has a `main`"),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: `{part}` is not in\n{stderr}");
    }
}

#[test]
fn a_fault_below_a_launch_has_the_line_of_the_source() {
    let place = Place::new("cpp-program-wrong");
    place.file("add.asc", ADD_ASC.replace("LENGTH * sizeof(float);", "LENGTH * sizeof(float) - 64;"));
    place.file("twice.asc", ADD_ASC.replace("CHECK(aclrtFree(yDevice));", "CHECK(aclrtFree(xDevice));"));
    place.file(
        "over.asc",
        ADD_ASC.replace("x.data(), bytes,", "x.data(), bytes + 4,").replace("(xDevice, bytes,", "(xDevice, bytes + 4,"),
    );
    let line = 1 + ADD_ASC.lines().position(|l| l.contains("DataCopy(x, xGm_[at]")).expect("the copy");
    for (file, said, parts) in [
        (
            "add.asc",
            "",
            &[format!("add.asc:{line}:13"), "DataCopy: src ends 64 bytes behind the end of `aclrtMalloc 1`".into()][..],
        ),
        ("twice.asc", "aclrtFree(xDevice): 107000 aclrtFree: the pointer is none that aclrtMalloc gave", &[]),
        ("over.asc", "107000 aclrtMemcpy: dst is to have 151556 bytes of device memory", &[]),
    ] {
        let output = place.run(&format!("cpp {file}"));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 1, "{stderr}");
        assert!(text(&output.stdout).contains(said), "{}", text(&output.stdout));
        for part in parts {
            assert!(stderr.contains(part), "`{part}` is not in\n{stderr}");
        }
    }
}

#[test]
fn a_kernel_runs_as_emitted_cpp() {
    let place = cpp_place("run-cpp");
    for checks in ["", " --race 3"] {
        let output = place.run(&format!("run scale.rs --arg x=@x.npy --out y=@y.npy --backend cpp{checks}"));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).starts_with("scale <f32>: ran as emitted C++ 1 block of ascend910b1\n"),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(data(&place.0.join("y.npy")), f32s(&[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]));
    }
    // What the simulator calls J0801 stops the emitted text too, at its own line.
    place.file("shift.rs", SHIFT);
    let output = place.run("run shift.rs --arg x=@x.npy --arg by=5 --out y=@z.npy --backend cpp");
    let stderr = text(&output.stderr);
    assert_eq!(code(&output), 1, "{stderr}");
    assert!(stderr.contains("error[J0801]: DataCopyPad: src ends") && stderr.contains("--> shift.cpp:"), "{stderr}");
}

#[test]
fn without_a_compiler_the_message_says_what_to_install() {
    let place = cpp_place("no-compiler");
    let run = |line: &str| {
        let mut jumar = Command::new(env!("CARGO_BIN_EXE_jumar"));
        jumar.args(line.split_whitespace()).current_dir(&place.0).env("CXX", "no-such-compiler").output().unwrap()
    };
    let output = run("cpp adds.cpp --arg x=@x.npy --arg late=0 --struct tiling=int64_t:8,float:0.5 --out z:f32[2,4]=@z.npy");
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("error[J0805]") && text(&output.stderr).contains("install the package g++"));
    // Everything else goes on without one.
    assert_eq!(code(&run("run scale.rs --arg x=@x.npy --out y=@y.npy")), 0);
}
