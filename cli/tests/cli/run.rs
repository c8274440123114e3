//! `jumar run`: arrays from files and to files, by the simulator and the interpreter.

use super::*;

#[test]
fn a_run_writes_what_the_kernel_computes() {
    let place = Place::new("run");
    let values: Vec<f32> = (0..1000).map(|i| i as f32 - 500.0).collect();
    place.file("x.npy", npy("<f4", "(10, 100)", &f32s(&values)));
    let output = place.run("run scale.rs --arg x=@x.npy --arg alpha=-0.5 --out y=@y.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("y: f32 [10, 100], in y.npy"),
        "{}",
        text(&output.stdout)
    );
    let want: Vec<f32> = values.iter().map(|v| v * -0.5).collect();
    assert_eq!(data(&place.0.join("y.npy")), f32s(&want));
    let header = fs::read(place.0.join("y.npy")).unwrap();
    assert!(text(&header[10..128])
        .starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (10, 100), }"));
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
        assert_eq!(
            data(&place.0.join("y.npy")),
            f32s(&[0.25, 2.25, 4.25]),
            "{backend}"
        );
    }
    for (args, part) in [
        ("", "`pads` is missing; add --arg pads=1,1"),
        ("--arg pads=1", "`pads` is a list of 2, and 1 were given"),
        ("--arg pads=1,x", "`x` is no value for `pads`"),
        ("--arg pads=1,-1", "`-1` is no value for `pads`"),
        ("--arg pads=1,1 --arg pads=1,1", "--arg gives `pads` twice"),
        (
            "--arg pads=1,1 --arg pad=1",
            "pads: 2 of usize, scale: 2 of f32 = 1, 0.5",
        ),
    ] {
        let output = place.run(&format!(
            "run padded.rs --arg x=@x.npy --out y=@z.npy {args}"
        ));
        assert_eq!(code(&output), 2, "{args}");
        assert!(
            text(&output.stderr).contains(part),
            "{args}: {}",
            text(&output.stderr)
        );
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
        assert!(
            text(&output.stdout).contains("ys[1]: f32 [1, 1], in z.npy"),
            "{}",
            text(&output.stdout)
        );
        let found = ["y", "z", "u", "v"].map(|name| data(&place.0.join(format!("{name}.npy"))));
        assert_eq!(
            found,
            [&[2.5, 4.5][..], &[-2.5], &[3.5, 6.5], &[1.5]].map(f32s),
            "{backend}"
        );
    }
    let output = place
        .run("run lists.rs --arg xs= --arg sums= --out sums= --arg alphas= --arg beta=0 --out ys=");
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
    assert!(
        text(&output.stdout).contains("one item"),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
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
            let output = place.run(&format!(
                "run bend.rs --arg x=@x.npy --out y=@y.npy {args} --backend {backend}"
            ));
            assert_eq!(code(&output), 0, "{}", text(&output.stderr));
            assert_eq!(
                data(&place.0.join("y.npy")),
                f32s(&want),
                "{args} {backend}"
            );
        }
    }
    for (line, part) in [
        (
            "run bend.rs --arg x=@x.npy --out z=@z.npy",
            "no parameter `z`",
        ),
        (
            "run bend.rs --arg x=@x.npy --out y=@z.npy",
            "`bend` is missing; add --arg bend=straight",
        ),
        (
            "run bend.rs --arg x=@x.npy --out y=@z.npy --arg bend=up",
            "`up` is no value for `bend`, which is one of straight, half_up",
        ),
        (
            "run bend.rs --arg x=@x.npy --out y=@z.npy --arg bend=1",
            "`1` is no value for `bend`",
        ),
        (
            "emit bend.rs --cost --shape x=4 --arg bend=Straight",
            "again: straight|half_up = half_up",
        ),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 2, "{line}");
        assert!(
            text(&output.stderr).contains(part),
            "{line}: {}",
            text(&output.stderr)
        );
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
        (
            "sim",
            "v [t], line 6, block 0: 1 x 3\n  1 -2.5 3\n",
            "simulated",
        ),
        ("tile", "v [t], line 6: 1 x 3\n  1 -2.5 3\n", "interpreted"),
    ] {
        let output = place.run(&format!(
            "run twice.rs --arg x=@x.npy --out y=@y.npy --backend {backend}"
        ));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).starts_with(&format!("{shown}twice: {how} ")),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(data(&place.0.join("y.npy")), f32s(&[2.0, -5.0, 6.0]));
    }
}

#[test]
fn the_tile_interpreter_says_how_much_it_left_open() {
    let place = Place::new("open");
    let kernel = "use jumar::prelude::*;\n#[kernel]\npub fn above(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n    for r in tiles(n) {\n        \
        let v = x.at(r, ..).load();\n        let q = v / v.sum(d);\n        y.at(r, ..).store(q.gt(q.amax(d)).select(1.0, 0.0));\n    }\n}\n";
    place.file("above.rs", kernel);
    // The sum of the first row is inexact, that of the second one is exact.
    place.file(
        "x.npy",
        npy(
            "<f4",
            "(2, 4)",
            &f32s(&[0.1, 0.2, 0.3, 0.7, 1.0, 2.0, 4.0, 1.0]),
        ),
    );
    let output = place.run("run above.rs --arg x=@x.npy --out y=@y.npy --backend tile");
    assert_eq!(code(&output), 0);
    let said =
        "warning[J0819]: 1 of 8 elements of `y` depends on what another order of a sum may decide otherwise, first in line 7\n";
    assert_eq!(text(&output.stderr), said);
    assert_eq!(data(&place.0.join("y.npy")), f32s(&[0.0; 8]));
}

#[test]
fn the_tile_interpreter_runs_what_is_written() {
    let place = Place::new("interpret");
    place.file(
        "x.npy",
        npy("<f4", "(2, 3)", &f32s(&[1.0, -2.0, 0.0, 3.0, 4.0, -5.0])),
    );
    let output =
        place.run("run scale.rs --arg x=@x.npy --arg alpha=-0.5 --out y=@y.npy --backend tile");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "scale <f32>: interpreted as written\ny: f32 [2, 3], in y.npy\n"
    );
    assert_eq!(
        data(&place.0.join("y.npy")),
        f32s(&[-0.5, 1.0, -0.0, -1.5, -2.0, 2.5])
    );
    // A queue-level kernel has no tiles to interpret.
    place.file("shift.rs", SHIFT);
    let output = place.run("run shift.rs --arg x=@x.npy --arg by=0 --out y=@z.npy --backend tile");
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(
        said.contains("error[J0605]") && said.contains("queue level"),
        "{said}"
    );
    assert!(!place.names().contains(&"z.npy".to_string()));
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
        let bytes = |values: [u16; 2]| {
            values
                .iter()
                .flat_map(|v| v.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        place.file("x.npy", npy(descr, "(2,)", &bytes(values)));
        let output = place.run("run scale.rs --arg x=@x.npy --out y=@y.npy");
        assert_eq!(code(&output), 0, "{descr}: {}", text(&output.stderr));
        assert_eq!(data(&place.0.join("y.npy")), bytes(want), "{descr}");
    }
}

/// numpy has no bf16: `<u2` may be bits of it or u16, and `|V2` is always bf16. A file is read as
/// the type that the kernel takes. If it takes both, the call has to say which.
#[test]
fn files_of_two_bytes_are_what_is_said_of_them() {
    let place = Place::new("u16");
    let kernel = |name: &str, instances: &str| {
        format!(
            "use jumar::prelude::*;\n#[kernel]\n#[instances({instances})]\npub fn {name}<T: Element>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f32>) {{\n\
             for t in tiles(x) {{\ny.at(t).store(x.at(t).load().cast::<f32>());\n}}\n}}\n"
        )
    };
    for (name, instances) in [
        ("both", "bf16, u16"),
        ("brains", "f32, bf16"),
        ("whole", "u16, u32"),
        ("neither", "f32, f16"),
    ] {
        place.file(&format!("{name}.rs"), kernel(name, instances));
    }
    let bytes = |values: [u16; 2]| {
        values
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    place.file("u.npy", npy("<u2", "(2,)", &bytes([0x3f80, 7])));
    place.file("v.npy", npy("|V2", "(2,)", &bytes([0x3f80, 0x4040])));
    place.file("i.npy", npy("<i2", "(2,)", &bytes([1, 2])));
    let tiny = f32::from_bits(7 << 16);
    for (kernel, arg, want) in [
        ("both", "x:u16=@u.npy", Ok([16256.0, 7.0])),
        ("both", "x:bf16=@u.npy", Ok([1.0, tiny])),
        ("both", "x=@v.npy", Ok([1.0, 3.0])),
        ("brains", "x=@u.npy", Ok([1.0, tiny])),
        ("whole", "x=@u.npy", Ok([16256.0, 7.0])),
        ("whole", "x:u16=@u.npy", Ok([16256.0, 7.0])),
        (
            "both",
            "x=@u.npy",
            Err("the elements of `u.npy` may be bf16 or u16, and kernel `both` takes either"),
        ),
        (
            "both",
            "x:u16=@v.npy",
            Err("`x` is said to be u16, and `v.npy` holds bf16"),
        ),
        (
            "both",
            "x:i16=@u.npy",
            Err("`x` is said to be i16, and `u.npy` holds bf16 or u16"),
        ),
        ("both", "x:u17=@u.npy", Err("`u17` is no element type")),
        (
            "brains",
            "x:u16=@u.npy",
            Err("kernel `brains` does not take these element types: x: u16"),
        ),
        (
            "whole",
            "x=@v.npy",
            Err("kernel `whole` does not take these element types: x: bf16"),
        ),
        (
            "whole",
            "x=@i.npy",
            Err("kernel `whole` does not take these element types: x: i16"),
        ),
        (
            "neither",
            "x=@u.npy",
            Err("kernel `neither` does not take these element types: x: bf16 or u16"),
        ),
    ] {
        for backend in ["sim", "tile"] {
            let output = place.run(&format!(
                "run {kernel}.rs --arg {arg} --out y=@y.npy --backend {backend}"
            ));
            let said = text(&output.stderr);
            match want {
                Ok(want) => {
                    assert_eq!(code(&output), 0, "{kernel} {arg}: {said}");
                    assert_eq!(data(&place.0.join("y.npy")), f32s(&want), "{kernel} {arg}");
                }
                Err(why) => {
                    assert_eq!(code(&output), 2, "{kernel} {arg}: {said}");
                    assert!(said.contains(why), "{kernel} {arg}: {said}");
                }
            }
        }
    }
    let said = text(
        &place
            .run("run both.rs --arg x=@u.npy --out y=@z.npy")
            .stderr,
    );
    assert!(
        said.contains("--arg x:bf16=@FILE.npy or --arg x:u16=@FILE.npy"),
        "{said}"
    );
    let said = text(
        &place
            .run("run scale.rs --arg x=@x.npy --arg alpha:f32=2 --out y=@y.npy")
            .stderr,
    );
    assert!(
        said.contains("`alpha` is no tensor; leave `:f32` out"),
        "{said}"
    );
}

#[test]
fn arrays_without_elements_and_axes_run() {
    let place = Place::new("empty");
    for (shape, values) in [
        ("(0,)", vec![]),
        ("(3, 0, 2)", vec![]),
        ("()", vec![4.0f32]),
    ] {
        place.file("x.npy", npy("<f4", shape, &f32s(&values)));
        let output = place.run("run scale.rs --arg x=@x.npy --out y=@y.npy");
        assert_eq!(code(&output), 0, "{shape}: {}", text(&output.stderr));
        let want: Vec<f32> = values.iter().map(|v| v * 2.0).collect();
        assert_eq!(data(&place.0.join("y.npy")), f32s(&want));
    }
}

#[test]
fn a_tensor_updated_in_place_is_given_and_goes_somewhere() {
    let place = Place::new("inplace");
    place.file("add.rs", INPLACE);
    place.file("x.npy", npy("<f4", "(2,)", &f32s(&[1.0, 2.0])));
    place.file("sum.npy", npy("<f4", "(2,)", &f32s(&[10.0, 20.0])));
    // An output over its own input is allowed, since it appears after the run.
    let output = place.run("run add.rs --arg x=@x.npy --arg sum=@sum.npy --out sum=@sum.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(data(&place.0.join("sum.npy")), f32s(&[11.0, 22.0]));
    for (line, expected) in [
        ("--arg x=@x.npy --out sum=@s.npy", "--arg sum=@"),
        ("--arg x=@x.npy --arg sum=@x.npy", "--out sum=@"),
    ] {
        let output = place.run(&format!("run add.rs {line}"));
        assert_eq!(code(&output), 2);
        assert!(
            text(&output.stderr).contains(expected),
            "{}",
            text(&output.stderr)
        );
    }
    place.file("long.npy", npy("<f4", "(3,)", &f32s(&[1.0, 2.0, 3.0])));
    let output = place.run("run add.rs --arg x=@x.npy --arg sum=@long.npy --out sum=@s.npy");
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("J0603"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn an_output_beyond_all_memory_is_refused_before_it_is_made() {
    let place = Place::new("memory");
    place.file("repeat.rs", REPEAT);
    place.file("x.npy", npy("<f4", "(1, 2)", &f32s(&[1.0, 2.0])));
    for rows in [
        "4000000000000",
        "1000000000000000000",
        "9223372036854775807",
    ] {
        let output = place.run(&format!(
            "run repeat.rs --arg x=@x.npy --arg rows={rows} --out y=@y.npy"
        ));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "{rows}: {stderr}");
        assert!(
            stderr.contains("memory") || stderr.contains("are free"),
            "{rows}: {stderr}"
        );
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
    for part in [
        "error[J0801]",
        "--> shift.rs:14:9",
        "^^^ in block 0",
        "no output was written",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!(
        place.names(),
        ["bad.rs", "scale.rs", "shift.rs", "x.npy", "y.npy"]
    );
}
