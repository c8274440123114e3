//! Places of outputs, and the remains of an interrupted call.

use super::{code, data, f32s, npy, text, Place, INPLACE};
use std::fs;

/// A kernel with two outputs.
const BOTH: &str = "use jumar::prelude::*;

#[kernel]
pub fn both(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        y.at(t).store(v + v);
        z.at(t).store(v * v);
    }
}
";

/// This kernel in AscendC, on one block.
const BOTH_CPP: &str = r#"#include "kernel_operator.h"

extern "C" __global__ __aicore__ void both(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {}
"#;

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("both.rs", BOTH);
    place.file("both.cpp", BOTH_CPP);
    place.file("add.rs", INPLACE);
    for name in ["x.npy", "sum.npy"] {
        place.file(name, npy("<f4", "(2,)", &f32s(&[1.0, 3.0])));
    }
    place
}

#[cfg(unix)]
#[test]
fn outputs_that_would_replace_something_else_are_refused_before_the_run() {
    use std::os::unix::fs::symlink;
    let place = place("refused");
    let at = |name: &str| place.0.join(name);
    place.file("old.npy", "old");
    fs::create_dir(at("folder")).unwrap();
    fs::hard_link(at("old.npy"), at("hard.npy")).unwrap();
    fs::hard_link(at("x.npy"), at("hard_x.npy")).unwrap();
    symlink("old.npy", at("link.npy")).unwrap();
    symlink("x.npy", at("link_x.npy")).unwrap();
    symlink("/dev/null", at("null.npy")).unwrap();
    symlink("folder", at("link_folder")).unwrap();
    symlink("circle.npy", at("circle.npy")).unwrap();
    symlink("nowhere/y.npy", at("broken.npy")).unwrap();
    let absolute = format!("{}/old.npy", place.0.display());
    let cases = [
        // No files.
        (
            "y=@/dev/null z=@z.npy",
            "`/dev/null` cannot be written: it is no file but a device",
        ),
        (
            "y=@null.npy z=@z.npy",
            "`null.npy` cannot be written: it is no file but a device",
        ),
        ("y=@link_folder z=@z.npy", "it is a folder"),
        ("y=@circle.npy z=@z.npy", "links"),
        ("y=@broken.npy z=@z.npy", "no such folder"),
        // One file for both, by its names.
        (
            "y=@y.npy z=@y.npy",
            "`y` and `z` would go to one file, `y.npy`",
        ),
        (
            "y=@y.npy z=@./y.npy",
            "`y` and `z` would go to one file, `./y.npy`",
        ),
        ("y=@y.npy z=@folder/../y.npy", "one file"),
        ("y=@old.npy z=@hard.npy", "one file, `hard.npy`"),
        ("y=@old.npy z=@link.npy", "one file, `link.npy`"),
        (&format!("y=@old.npy z=@{absolute}"), "one file"),
        // The file of an input.
        (
            "y=@x.npy z=@z.npy",
            "`y` would replace `x.npy`, which holds `x`",
        ),
        (
            "y=@y.npy z=@./x.npy",
            "`z` would replace `./x.npy`, which holds `x`",
        ),
        ("y=@hard_x.npy z=@z.npy", "which holds `x`"),
        ("y=@link_x.npy z=@z.npy", "which holds `x`"),
    ];
    let before = place.names();
    for (outs, expected) in cases {
        let [y, z] = [0, 1].map(|i| outs.split(' ').nth(i).unwrap());
        let typed = outs.replace("=@", ":f32[2]=@");
        let [typed_y, typed_z] = [0, 1].map(|i| typed.split(' ').nth(i).unwrap());
        for line in [
            format!("run both.rs --arg x=@x.npy --out {y} --out {z}"),
            format!("cpp both.cpp --arg x=@x.npy --arg n=2 --out {typed_y} --out {typed_z}"),
        ] {
            let output = place.run(&line);
            let stderr = text(&output.stderr);
            assert_eq!(
                (code(&output), text(&output.stdout).as_str()),
                (2, ""),
                "{line}\n{stderr}"
            );
            assert!(
                stderr.contains(expected) && stderr.contains("help: "),
                "{line}\n{stderr}"
            );
            assert_eq!(place.names(), before, "{line}");
        }
    }
    assert_eq!(fs::read(at("old.npy")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_what_it_points_to_is_written() {
    use std::os::unix::fs::symlink;
    let place = place("links");
    fs::create_dir(place.0.join("far")).unwrap();
    place.file("far/y.npy", "old");
    symlink("far/y.npy", place.0.join("y.npy")).unwrap();
    // To a link, and on to a file that is not there yet.
    symlink("far/z_link", place.0.join("z.npy")).unwrap();
    symlink("z.npy", place.0.join("far/z_link")).unwrap();
    let output = place.run("run both.rs --arg x=@x.npy --out y=@y.npy --out z=@z.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("y: f32 [2], in y.npy"),
        "{}",
        text(&output.stdout)
    );
    for (name, values) in [("y.npy", [2.0, 6.0]), ("z.npy", [1.0, 9.0])] {
        assert!(place.0.join(name).is_symlink());
        assert!(!place.0.join("far").join(name).is_symlink());
        assert_eq!(data(&place.0.join("far").join(name)), f32s(&values));
    }
    let mut far: Vec<_> = fs::read_dir(place.0.join("far"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    far.sort();
    assert_eq!(far, ["y.npy", "z.npy", "z_link"]);
}

#[test]
fn a_tensor_updated_in_place_may_replace_its_own_file_and_no_other() {
    let place = place("own");
    let output = place.run("run add.rs --arg x=@x.npy --arg sum=@sum.npy --out sum=@x.npy");
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("`sum` would replace `x.npy`, which holds `x`"),
        "{}",
        text(&output.stderr)
    );
    let output = place.run("run add.rs --arg x=@x.npy --arg sum=@sum.npy --out sum=@./sum.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(data(&place.0.join("sum.npy")), f32s(&[2.0, 6.0]));
}

#[test]
fn an_output_that_may_be_left_out_is_written_where_it_is_named() {
    let place = place("asked");
    let asked = BOTH.replace(
        "z: &mut GlobalTensor<f32>",
        "z: Option<&mut GlobalTensor<f32>>",
    );
    place.file(
        "asked.rs",
        asked.replace(
            "z.at(t).store(v * v);",
            "if let Some(z) = z { z.at(t).store(v * v); }",
        ),
    );
    let before = place.names();
    for backend in ["sim", "tile"] {
        let output = place.run(&format!(
            "run asked.rs --arg x=@x.npy --out y=@y.npy --backend {backend}"
        ));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(data(&place.0.join("y.npy")), f32s(&[2.0, 6.0]));
        fs::remove_file(place.0.join("y.npy")).unwrap();
        assert_eq!(place.names(), before);
        let output = place.run(&format!(
            "run asked.rs --arg x=@x.npy --out z=@z.npy --out y=@y.npy --backend {backend}"
        ));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(data(&place.0.join("z.npy")), f32s(&[1.0, 9.0]));
        ["y.npy", "z.npy"]
            .iter()
            .for_each(|name| fs::remove_file(place.0.join(name)).unwrap());
    }
    let output = place.run("run asked.rs --arg x=@x.npy --out z=@z.npy");
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(
        said.contains("`y` is missing; add --out y=@FILE.npy"),
        "{said}"
    );
    assert!(
        said.contains("z: output that may be left out of f32"),
        "{said}"
    );
}

/// A kernel with an element type that only optional tensors have.
const TOLD: &str = "use jumar::prelude::*;
#[kernel]
#[instances((f32, f16), (f32, f32))]
pub fn told<T: Float, W: Float>(x: &GlobalTensor<T>, w: Option<&GlobalTensor<W>>, y: &mut GlobalTensor<T>, part: Option<&mut GlobalTensor<W>>) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>() * w.or_full(0.1).at(t).load().cast::<f32>();
        y.at(t).store(v.cast::<T>());
        if let Some(part) = part { part.at(t).store(v.cast::<W>()); }
    }
}
";

#[test]
fn an_element_type_that_no_tensor_says_is_the_first_one() {
    let place = place("told");
    place.file("told.rs", TOLD);
    let of = |tenth: f32| [tenth, 3.0 * tenth];
    let (of_f16, of_f32) = (of(0.099_975_586), of(0.1));
    for (more, instance, y) in [
        ("", "<f32, f16>", of_f16),
        (" --arg w=@x.npy", "<f32, f32>", [1.0, 9.0]),
        (" --out part:f32=@part.npy", "<f32, f32>", of_f32),
        (" --out part:f16=@part.npy", "<f32, f16>", of_f16),
    ] {
        let output = place.run(&format!("run told.rs --arg x=@x.npy --out y=@y.npy{more}"));
        assert_eq!(code(&output), 0, "{more}: {}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains(instance),
            "{more}: {}",
            text(&output.stdout)
        );
        assert_eq!(data(&place.0.join("y.npy")), f32s(&y), "{more}");
    }
    let output = place.run("run told.rs --arg x=@x.npy --out y=@y.npy --out part=@part.npy");
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(
        said.contains("no given array decides the element type of `part`")
            && said.contains("--out part:f16="),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_temporary_file() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = place("interrupted");
    let n = 1 << 24;
    place.file(
        "long.npy",
        npy("<f4", &format!("({n},)"), &vec![0u8; 4 * n]),
    );
    let before = place.names();
    for signal in ["INT", "TERM"] {
        let mut jumar = Command::new(env!("CARGO_BIN_EXE_jumar"));
        jumar.args([
            "run",
            "both.rs",
            "--arg",
            "x=@long.npy",
            "--out",
            "y=@y.npy",
            "--out",
            "z=@z.npy",
        ]);
        let mut child = jumar
            .current_dir(&place.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while !place
            .names()
            .iter()
            .any(|name| name.starts_with(".z.npy.jumar-"))
        {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the run makes its temporary files"
            );
            assert!(
                child.try_wait().unwrap().is_none(),
                "the run is still under way"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        assert_eq!(place.names(), before, "{signal}");
    }
}
