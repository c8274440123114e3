//! The command line from outside: exit codes, messages, and no remains of a wrong call.

mod bridge;
mod check;
mod cpp;
mod device;
mod emit;
mod fix;
mod operator;
mod operators;
mod outputs;
mod printed;
mod profile;
mod run;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const KERNELS: &str = r#"use jumar::prelude::*;

/// Scales by alpha: `y = alpha * x`
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

/// A kernel whose attribute decides the size of the output.
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

/// A kernel with an attribute that is one of several names.
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

/// A kernel with attributes that are lists of numbers.
const PADDED: &str = "use jumar::prelude::*;

#[kernel]
pub fn padded(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = n + pads[0] + pads[1])] y: &mut GlobalTensor<f32>, pads: [usize; 2], #[default([1.0, 0.5])] scale: [f32; 2]) {
    for t in tiles(m) {
        y.at(t).store(x.at(t - pads[0]).load_or(0.0) * scale[0] + scale[1]);
    }
}
";

/// A kernel with lists of tensors and numbers.
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

/// A kernel that reads beyond the end if `by` is not 0, which the checker cannot know.
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

/// A folder for one test, removed at its end.
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("jumar-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let place = Place(path);
        place.file("scale.rs", KERNELS);
        place.file("bad.rs", WRONG);
        place
    }
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
    pub(crate) fn jumar<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        Command::new(env!("CARGO_BIN_EXE_jumar"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }
    fn run(&self, line: &str) -> Output {
        self.jumar(line.split_whitespace())
    }
    fn names(&self) -> Vec<String> {
        let mut all: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        all.sort();
        all
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed by a signal")
}

/// Makes an `.npy` file as numpy writes it.
pub(crate) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.push_str(&" ".repeat((64 - (10 + header.len() + 1) % 64) % 64));
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

pub(crate) fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Returns the data of an `.npy` file of format 1.
fn data(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + header) % 64, 0, "numpy aligns the data");
    bytes[10 + header..].to_vec()
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
    place.file(
        "many.npy",
        npy("<f4", "(1, 1, 1, 1, 1, 1, 1, 1, 1)", &f32s(&[1.0])),
    );
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
    place.file(
        "two.rs",
        format!(
            "{KERNELS}{}",
            KERNELS
                .replace("use jumar::prelude::*;", "")
                .replace("fn scale", "fn twice")
        ),
    );
    fs::create_dir(place.0.join("full")).unwrap();
    place.file("full/own.txt", "mine");
    // The pipe has no writer, so opening it would block forever.
    let pipe = Command::new("mkfifo").arg(place.0.join("pipe")).status();
    assert!(pipe.is_ok_and(|status| status.success()));
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
        (
            "emit scale.rs --cost".into(),
            "no argument gives the size of axis",
        ),
        (
            "emit scale.rs --cost --shape z=4".into(),
            "no parameter `z`",
        ),
        (
            "emit scale.rs --cost --shape x=4,many".into(),
            "--shape x=4096,1024",
        ),
        (
            "emit scale.rs --cost --shape x=4 --shape x=4".into(),
            "twice",
        ),
        (
            "emit scale.rs --cost --shape x=4 --shape y=5".into(),
            "5 in `y`",
        ),
        (
            "emit scale.rs --cost --shape alpha=4".into(),
            "is an attribute",
        ),
        (
            "emit scale.rs --cost --shape x=4 --arg x=4".into(),
            "is a tensor",
        ),
        ("emit scale.rs --shape x=4".into(), "--cost"),
        (
            "emit sum.rs --cost --shape x=64 --chip ascend310p".into(),
            "nothing was published",
        ),
        (
            "emit two.rs --cost --shape x=4".into(),
            "choose one with --kernel",
        ),
        // Places that cannot be written.
        ("emit scale.rs".into(), "--out"),
        ("emit scale.rs --out o --project make".into(), "msopgen"),
        ("emit scale.rs --out full".into(), "own.txt"),
        ("emit scale.rs --out x.npy".into(), "is a file"),
        ("emit scale.rs --out x.npy/o".into(), "cannot be"),
        (
            run("--arg x=@x.npy --out y=@nowhere/y.npy"),
            "no such folder",
        ),
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
        (
            run("--arg x=@x.npy --arg y=@x.npy --out y=@y.npy"),
            "is an output",
        ),
        (
            run("--arg x=@x.npy --out x=@z.npy --out y=@y.npy"),
            "read only",
        ),
        (
            run("--arg x=@x.npy --out y=@y.npy --arg alpha=@x.npy"),
            "is an attribute",
        ),
        (
            run("--arg x=@x.npy --out y=@y.npy --out alpha=@z.npy"),
            "is an attribute",
        ),
        (
            run("--arg x=@x.npy --out y=@y.npy --arg alpha=fast"),
            "alpha",
        ),
        (
            run("--arg x=@x.npy --out y=@y.npy --arg alpha=1e99"),
            "3.4e38",
        ),
        (run("--arg x=@x.npy --out y:f64=@y.npy"), "no element type"),
        (run("--arg x=@x.npy --out y:f16=@y.npy"), "element types"),
        (
            "run two.rs --arg x=@x.npy --out y=@y.npy".into(),
            "--kernel: `scale`, `twice`",
        ),
        // Files that are no arrays, or damaged ones.
        (run("--arg x=@missing.npy --out y=@y.npy"), "no such file"),
        (run("--arg x=@full --out y=@y.npy"), "not a file"),
        (run("--arg x=@pipe --out y=@y.npy"), "not a file"),
        ("check pipe".into(), "not a file"),
        (run("--arg x=@noise.npy --out y=@y.npy"), "no .npy file"),
        (run("--arg x=@empty.npy --out y=@y.npy"), "no .npy file"),
        (run("--arg x=@cut.npy --out y=@y.npy"), "no .npy file"),
        (run("--arg x=@zip.npy --out y=@y.npy"), ".npz"),
        (run("--arg x=@header.npy --out y=@y.npy"), "malformed"),
        (
            run("--arg x=@short.npy --out y=@y.npy"),
            "12 bytes of data, the file has 8",
        ),
        (
            run("--arg x=@long.npy --out y=@y.npy"),
            "12 bytes of data, the file has 16",
        ),
        (
            run("--arg x=@huge.npy --out y=@y.npy"),
            "larger than any memory",
        ),
        (
            run("--arg x=@wide.npy --out y=@y.npy"),
            "larger than any memory",
        ),
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
        for trace in [
            "panicked",
            "RUST_BACKTRACE",
            "os error",
            "Some(",
            "Err(",
            "Os {",
        ] {
            assert!(!stderr.contains(trace), "jumar {line}\n{stderr}");
        }
        assert!(output.stdout.is_empty(), "jumar {line}");
        assert_eq!(place.names(), before, "jumar {line}");
    }
}
