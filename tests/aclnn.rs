//! Emitted operator projects through both phases: the library that a build makes of the definition,
//! and the client programs in `examples` that call it.
//!
//! The clients run against a stand-in for CANN on the CPU machine. Their results must equal those
//! of the simulator.

mod client;

use client::{outcome, Client};
use jumar::dsl::tiling::Value;
use jumar_kit::tier::drawn;
use std::collections::BTreeMap;

/// A call: a kernel, the words of the command line, and attributes as the simulator takes them.
struct Row {
    kernel: (&'static str, &'static str),
    words: &'static str,
    attrs: &'static [(&'static str, &'static [Value])],
}

macro_rules! kernel {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../codegen/tests/kernels/", $name, ".rs")),
        )
    };
}

const fn row(kernel: (&'static str, &'static str), words: &'static str) -> Row {
    Row {
        kernel,
        words,
        attrs: &[],
    }
}

const SELECT: (&str, &str) = (
    "masked_select",
    "#[kernel]
pub fn masked_select<T: Float>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] mask: &GlobalTensor<bool>, #[shape(cap)] y: &mut GlobalTensor<T>,
    #[shape()] count: &mut GlobalTensor<i32>) {
    for t in tiles(n) {
        y.append(x.at(t).load(), mask.at(t).load());
    }
    count.at().store(y.appended());
}",
);

/// Every kind of parameter and attribute, with and without the optional ones.
const ROWS: &[Row] = &[
    // Instances, attributes with defaults, several tiling keys.
    row(kernel!("swish"), "--dtype f32 x=9x70 y=9x70"),
    Row {
        attrs: &[("scale", &[Value::F32(0.5)])],
        ..row(kernel!("swish"), "--dtype f16 x=3x1000 y=3x1000 scale=0.5")
    },
    Row {
        attrs: &[("given", &[Value::Int(-3)])],
        ..row(kernel!("defaults"), "x=9x4 y=9x4 given=-3")
    },
    Row {
        attrs: &[
            ("given", &[Value::Int(5)]),
            ("whole", &[Value::F32(0.25)]),
            ("least", &[Value::F32(-9.0)]),
            ("small", &[Value::Int(2)]),
            ("large", &[Value::Int(3)]),
            ("flag", &[Value::Bool(false)]),
        ],
        ..row(
            kernel!("defaults"),
            "x=700x4 y=700x4 given=5 whole=0.25 least=-9 small=2 large=3 flag=false",
        )
    },
    row(kernel!("activated"), "--dtype f32 x=9x70 y=9x70"),
    Row {
        attrs: &[("activation", &[Value::Int(1)])],
        ..row(
            kernel!("activated"),
            "--dtype f32 x=9x70 y=9x70 activation=relu",
        )
    },
    // Lists of numbers.
    Row {
        attrs: &[("pads", &[Value::Int(1), Value::Int(2)])],
        ..row(kernel!("padded"), "x=9x70 y=12x70 pads0=1 pads1=2")
    },
    Row {
        attrs: &[
            ("pads", &[Value::Int(0), Value::Int(3)]),
            ("scale", &[Value::F32(0.5), Value::F32(-2.0)]),
            ("src", &[Value::Int(4)]),
        ],
        ..row(
            kernel!("padded"),
            "x=9x70 y=12x70 pads0=0 pads1=3 scale0=0.5 scale1=-2 src0=4",
        )
    },
    // Optional inputs and outputs.
    row(kernel!("affine"), "--dtype f32 x=9x70 y=9x70"),
    row(kernel!("affine"), "--dtype f32 x=9x70 gamma=70 y=9x70"),
    row(kernel!("affine"), "--dtype f16 x=9x70 table=9x5 y=9x70"),
    row(
        kernel!("affine"),
        "--dtype f32 x=9x70 gamma=70 table=9x5 y=9x70",
    ),
    row(kernel!("asked"), "--dtype f32 x=9x70 y=9x70"),
    row(kernel!("asked"), "--dtype f32 x=9x70 top=9 y=9x70"),
    row(kernel!("asked"), "--dtype f16 x=9x70 top=9 y=9x70 sums=70"),
    // Element types that only optional tensors name.
    row(
        kernel!("told"),
        "--dtype f16_f32_f16 x=5000 weight=5000 y=5000 part=5000",
    ),
    row(
        kernel!("told"),
        "--dtype f16_f16_f32 x=5000 weight=5000 y=5000",
    ),
    row(
        kernel!("told"),
        "--dtype f16_f16_f32 x=5000 y=5000 part=5000",
    ),
    row(kernel!("told"), "--dtype f16_f16_f32 x=5000 y=5000"),
    row(
        kernel!("told"),
        "--dtype f32_f16_f16 x=5000 weight=5000 y=5000",
    ),
    row(kernel!("told"), "--dtype f32_f32_f32 x=5000 y=5000"),
    // In-place tensors, and instances of two types.
    Row {
        attrs: &[("limit", &[Value::F32(0.75)])],
        ..row(
            kernel!("choose"),
            "--dtype f16_f32 args=8x64 class1=8x64 tiling=8x64 sizes=8x64 limit=0.75",
        )
    },
    // Lists, one of them in place, and a number for each item.
    Row {
        attrs: &[("alphas", &[Value::F32(0.5)]), ("beta", &[Value::F32(2.0)])],
        ..row(
            kernel!("listed"),
            "--dtype f32 xs=9x70 ys=9x70 ks=1 zs=9x70 alphas=0.5 beta=2",
        )
    },
    row(kernel!("norms"), "xs=9x70 norms=1 ys=9x70 large=1"),
    // Workspaces, and blocks that wait for one another.
    row(kernel!("total"), "x=40000 y=1"),
    row(kernel!("parked"), "--dtype f16 x=70000 y=70000"),
    // An output whose size the kernel finds.
    row(SELECT, "--dtype f32 x=5000 mask=5000 y=2000 count="),
];

#[test]
fn clients_of_operators_compute_what_the_simulator_does() {
    let (mut wrong, mut clients) = (Vec::new(), BTreeMap::new());
    for row in drawn("JUMAR_CLIENTS", 10, ROWS.iter().collect(), |row| {
        row.kernel.0.to_string()
    }) {
        let (name, text) = row.kernel;
        let made = || Client::of(name, text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let client = clients.entry(name).or_insert_with(made);
        if let Err(why) = client.check(row.words, row.attrs) {
            wrong.push(format!("{name} {}: {why}", row.words));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Kernels whose clients in Rust are built, too; all kinds of arguments are among them.
const IN_RUST: &[&str] = &[
    "defaults",
    "activated",
    "padded",
    "affine",
    "asked",
    "told",
    "choose",
    "listed",
    "total",
];

#[test]
fn clients_in_rust_write_what_those_in_cpp_do() {
    for name in drawn("JUMAR_CLIENTS", 10, IN_RUST.to_vec(), |name| {
        name.to_string()
    }) {
        let mut rows = ROWS.iter().filter(|row| row.kernel.0 == name).peekable();
        let text = rows.peek().expect("a row").kernel.1;
        let client = Client::of(name, text).unwrap_or_else(|why| panic!("{name}: {why}"));
        let program = client
            .in_rust()
            .unwrap_or_else(|why| panic!("{name}: {why}"));
        for Row { words, .. } in rows {
            let cpp = outcome(&client.run(words).expect("a run"));
            let wanted = client.taken();
            let rust = outcome(&client.run_by(&program, words).expect("a run"));
            assert_eq!(
                (rust, cpp),
                ((Some(0), String::new()), (Some(0), String::new())),
                "{name} {words}"
            );
            assert!(
                !wanted.is_empty() && client.taken() == wanted,
                "{name} {words}"
            );
        }
        for words in ["", "--dtype f64", "x=9xx70", "nothing=1"] {
            let (status, stderr) = outcome(&client.run_by(&program, words).expect("a run"));
            assert!(
                status == Some(2) && stderr.starts_with("usage: "),
                "{name} {words}: {status:?} {stderr}"
            );
        }
        let words = "--dtype f32 x=9x70 gamma=71 y=9x70";
        if name == "affine" {
            let (status, stderr) = outcome(&client.run_by(&program, words).expect("a run"));
            assert!(
                status == Some(1) && stderr.lines().count() == 1,
                "{status:?} {stderr}"
            );
        }
    }
}

/// Mistakes in clients: the replaced text, its replacement, and the message of the client, which
/// ends with 1.
const MISTAKES: &[(&str, &str, &str)] = &[
    (
        "{ACL_FLOAT, ACL_FLOAT, ACL_FLOAT, ACL_FLOAT},",
        "{ACL_FLOAT, ACL_INT32, ACL_FLOAT, ACL_FLOAT},",
        "failed with code 161002: aclnnAffineCustomGetWorkspaceSize: the element types (DT_FLOAT, DT_INT32, DT_FLOAT, DT_FLOAT) are none that \
         operator AffineCustom has; it has (DT_FLOAT16, DT_FLOAT16, DT_FLOAT, DT_FLOAT16) or (DT_BF16, DT_BF16, DT_FLOAT, DT_BF16) or (DT_FLOAT, \
         DT_FLOAT, DT_FLOAT, DT_FLOAT)",
    ),
    (
        "GetWorkspaceSize(xTensor.Get()",
        "GetWorkspaceSize(nullptr",
        "failed with code 161001: aclnnAffineCustomGetWorkspaceSize: `x` is null; it must be given",
    ),
    (
        "yTensor.Get(),",
        "nullptr,",
        "failed with code 161001: aclnnAffineCustomGetWorkspaceSize: `y` is null; it must be given",
    ),
];

#[test]
fn a_mistake_in_a_call_is_told_once() {
    let (name, text) = kernel!("affine");
    for (from, to, said) in drawn("JUMAR_CLIENTS", 10, MISTAKES.to_vec(), |(from, ..)| {
        from.to_string()
    }) {
        let client = Client::changed(name, text, |main| main.replace(from, to)).expect("a client");
        let (status, stderr) = outcome(
            &client
                .run("--dtype f32 x=9x70 gamma=70 table=9x5 y=9x70")
                .expect("a run"),
        );
        assert_eq!(status, Some(1), "{stderr}");
        assert!(
            stderr.trim_end().ends_with(said) && stderr.lines().count() == 1,
            "{stderr}\nis not\n{said}"
        );
    }
}

#[test]
fn a_workspace_that_is_too_small_is_refused() {
    let (name, text) = kernel!("total");
    let less = |main: &str| {
        main.replace(
            "workspace.Data(), workspaceSize, executor",
            "workspace.Data(), workspaceSize - 1, executor",
        )
    };
    let client = Client::changed(name, text, less).expect("a client");
    let (status, stderr) = outcome(&client.run("x=40000 y=1").expect("a run"));
    assert_eq!(status, Some(1), "{stderr}");
    let said = "failed with code 161002: aclnnTotalCustom: the workspace has ";
    assert!(
        stderr.contains(said)
            && stderr.contains("phase one asked for")
            && stderr.lines().count() == 1,
        "{stderr}"
    );
}

#[test]
fn words_that_are_missing_are_told_by_the_client() {
    let (name, text) = kernel!("affine");
    let client = Client::of(name, text).expect("a client");
    for words in [
        "--dtype f32 gamma=70",
        "x=9x70",
        "--dtype f32 x=9x70 z=1",
        "--dtype f32 x=9xx70",
    ] {
        let (status, stderr) = outcome(&client.run(words).expect("a run"));
        assert!(
            status == Some(2) && stderr.starts_with("usage: "),
            "{words}: {status:?} {stderr}"
        );
    }
    let (status, stderr) = outcome(
        &client
            .run("--dtype f32 x=9x70 gamma=71 y=9x70")
            .expect("a run"),
    );
    assert!(
        status == Some(1) && stderr.lines().count() == 1,
        "{status:?} {stderr}"
    );
}
