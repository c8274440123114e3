//! An emitted operator project on the CPU. Its registered tiling function must decide as the
//! evaluator does. Its kernel reads that tiling data from GM and must compute the simulator's
//! results.

use jumar::codegen::{emit, names, EmitOptions, Project, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar::load::check_text;
use jumar::runtime::ascendc::{
    Answer, Argument, LaunchOptions, Param, Request, Source, Tensor, Unit,
};
use jumar::runtime::{Array, Launch};
use jumar_kit::tier;
use ndarray::Array2;
use std::path::Path;

const SWISH: &str = include_str!("../examples/03_swish.rs");
const SOFTMAX: &str = include_str!("../examples/04_softmax.rs");

fn kernel(text: &str) -> CheckedKernel {
    let file = check_text("kernel.rs", text, Some(Chip::default_chip()));
    assert!(!file.has_errors(), "{}", file.render(false));
    file.kernels()[0].checked[0].clone()
}

fn write(dir: &Path, project: &Project) {
    for file in &project.files {
        let path = dir.join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder"))
            .expect("the test folder is writable");
        std::fs::write(path, &file.text).expect("the test folder is writable");
    }
}

/// Returns the unit of an operator's host file.
fn host(dir: &Path, op: &str, checked: &CheckedKernel) -> Unit {
    let file = dir.join(format!("op_host/{op}.cpp"));
    Unit {
        strict: true,
        sanitize: tier::sanitizes(),
        ..Unit::operator(vec![file], checked.chip().arch)
    }
}

/// Calls the registered functions of the host file, which infer the output's shape, too.
fn ask(
    dir: &Path,
    checked: &CheckedKernel,
    chip: &'static Chip,
    shape: (usize, usize),
    attrs: &[(&str, &str)],
) -> Answer {
    let kernel = names(checked).op_stem;
    let unit = host(dir, &kernel, checked);
    let x = Param::Tensors(vec![Tensor {
        element: "f32".into(),
        shape: vec![shape.0, shape.1],
        elements: None,
    }]);
    let params = vec![("x".into(), x), ("y".into(), Param::Inferred)];
    let attrs = attrs
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    unit.compile()
        .and_then(|p| {
            p.ask(&Request {
                kernel,
                chip,
                params,
                attrs,
            })
        })
        .expect("an answer")
}

/// Runs the kernel function of the project with the tiling that its operator decided.
fn run(dir: &Path, checked: &CheckedKernel, x: &Array2<f32>, decided: &Answer) -> Array2<f32> {
    let kernel = names(checked).op_stem;
    let file = dir.join(format!("op_kernel/{kernel}.cpp"));
    let unit = Unit {
        prelude: decided.prelude.clone(),
        strict: true,
        ..Unit::kernel(Source::File(file), &kernel, checked.chip().arch)
    };
    let mut options = LaunchOptions::new(checked.chip());
    options.tiling_key = decided.tile.key;
    options.block_dim = decided.tile.block_dim as u32;
    options.race = Some(3);
    let bytes: Vec<u8> = x.iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut out = vec![0u8; bytes.len()];
    let mut arguments = [
        Argument::Input("x".into(), &bytes),
        Argument::Output("y".into(), &mut out),
        Argument::Scratch("workspace".into(), 64),
        Argument::Input("tiling".into(), &decided.tile.data),
    ];
    unit.compile()
        .and_then(|p| p.run(&options, &mut arguments))
        .expect("a run");
    let values = out
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    Array2::from_shape_vec(x.raw_dim(), values).expect("the shape of x")
}

fn or_null<'a>(name: &str, bytes: &'a [u8], is_given: bool) -> Argument<'a> {
    match is_given {
        true => Argument::Input(name.into(), bytes),
        false => Argument::Null,
    }
}

#[test]
fn an_operator_knows_which_inputs_were_left_out() {
    let checked = kernel(include_str!("../codegen/tests/kernels/affine.rs"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("operator")
        .join("affine");
    write(
        &dir,
        &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        ),
    );
    let op = names(&checked).op_stem;
    let host = host(&dir, &op, &checked).compile().expect("the host file");
    let (x, gamma) = (
        Array2::from_shape_fn((9, 70), |(i, j)| (i * 70 + j) as f32),
        ndarray::Array1::from_elem(70, 0.5f32),
    );
    let table = Array2::from_elem((9, 5), 2.0f32);
    let bytes = |all: &[f32]| {
        all.iter()
            .flat_map(|v| v.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    for (has_gamma, has_table) in [(true, true), (true, false), (false, true), (false, false)] {
        let one = |shape: &[usize], given: bool| {
            let tensor = Tensor {
                element: "f32".into(),
                shape: shape.to_vec(),
                elements: None,
            };
            Param::Tensors(given.then_some(tensor).into_iter().collect())
        };
        let params = vec![
            ("x".into(), one(&[9, 70], true)),
            ("gamma".into(), one(&[70], has_gamma)),
            ("table".into(), one(&[9, 5], has_table)),
            ("y".into(), Param::Inferred),
        ];
        let request = Request {
            kernel: op.clone(),
            chip: checked.chip(),
            params,
            attrs: Vec::new(),
        };
        let decided = host.ask(&request).expect("an answer");
        let mut want = Array2::<f32>::zeros((9, 70));
        let mut launch = Launch::new(&checked).input("x", &x).output("y", &mut want);
        if has_gamma {
            launch = launch.input("gamma", &gamma);
        }
        if has_table {
            launch = launch.input("table", &table);
        }
        launch.run().expect("a run");
        let file = dir.join(format!("op_kernel/{op}.cpp"));
        let unit = Unit {
            prelude: decided.prelude.clone(),
            strict: true,
            ..Unit::kernel(Source::File(file), &op, checked.chip().arch)
        };
        let mut options = LaunchOptions::new(checked.chip());
        (options.tiling_key, options.block_dim) = (decided.tile.key, decided.tile.block_dim as u32);
        let (own, gammas, tables) = (
            bytes(x.as_slice().unwrap()),
            bytes(gamma.as_slice().unwrap()),
            bytes(table.as_slice().unwrap()),
        );
        let mut out = vec![0u8; own.len()];
        let mut arguments = [
            Argument::Input("x".into(), &own),
            or_null("gamma", &gammas, has_gamma),
            or_null("table", &tables, has_table),
            Argument::Output("y".into(), &mut out),
            Argument::Scratch("workspace".into(), 64),
            Argument::Input("tiling".into(), &decided.tile.data),
        ];
        unit.compile()
            .and_then(|p| p.run(&options, &mut arguments))
            .expect("a run");
        assert_eq!(
            out,
            bytes(want.as_slice().unwrap()),
            "gamma {has_gamma}, table {has_table}"
        );
    }
}

#[test]
fn an_operator_knows_which_outputs_were_asked_for() {
    let checked = kernel(include_str!("../codegen/tests/kernels/asked.rs"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("operator")
        .join("asked");
    write(
        &dir,
        &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        ),
    );
    let op = names(&checked).op_stem;
    let host = host(&dir, &op, &checked).compile().expect("the host file");
    let x = Array2::from_shape_fn((9, 70), |(i, j)| ((i * 70 + j) % 13) as f32);
    let bytes = |all: &[f32]| {
        all.iter()
            .flat_map(|v| v.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    for (has_top, has_sums) in [(true, true), (true, false), (false, true), (false, false)] {
        let asked = |is: bool| {
            if is {
                Param::Inferred
            } else {
                Param::Tensors(Vec::new())
            }
        };
        let own = Tensor {
            element: "f32".into(),
            shape: vec![9, 70],
            elements: None,
        };
        let params = vec![
            ("x".into(), Param::Tensors(vec![own])),
            ("top".into(), asked(has_top)),
            ("y".into(), Param::Inferred),
            ("sums".into(), asked(has_sums)),
        ];
        let request = Request {
            kernel: op.clone(),
            chip: checked.chip(),
            params,
            attrs: Vec::new(),
        };
        let decided = host.ask(&request).expect("an answer");
        let (mut y, mut top) = (
            Array2::<f32>::zeros((9, 70)),
            ndarray::Array1::<f32>::zeros(9),
        );
        let mut sums = ndarray::Array1::<f32>::zeros(70);
        let mut launch = Launch::new(&checked).input("x", &x).output("y", &mut y);
        if has_top {
            launch = launch.output("top", &mut top);
        }
        if has_sums {
            launch = launch.output("sums", &mut sums);
        }
        launch.run().expect("a run");
        let file = dir.join(format!("op_kernel/{op}.cpp"));
        let unit = Unit {
            prelude: decided.prelude.clone(),
            strict: true,
            ..Unit::kernel(Source::File(file), &op, checked.chip().arch)
        };
        let mut options = LaunchOptions::new(checked.chip());
        (options.tiling_key, options.block_dim) = (decided.tile.key, decided.tile.block_dim as u32);
        let given = bytes(x.as_slice().expect("elements in their order"));
        let (mut tops, mut out, mut added) =
            (vec![0u8; 9 * 4], vec![0u8; given.len()], vec![0u8; 70 * 4]);
        let or_null = |name: &str, bytes, is_asked| {
            if is_asked {
                Argument::Output(name.into(), bytes)
            } else {
                Argument::Null
            }
        };
        let mut arguments = [
            Argument::Input("x".into(), &given),
            or_null("top", &mut tops, has_top),
            Argument::Output("y".into(), &mut out),
            or_null("sums", &mut added, has_sums),
            Argument::Scratch("workspace".into(), 64),
            Argument::Input("tiling".into(), &decided.tile.data),
        ];
        unit.compile()
            .and_then(|p| p.run(&options, &mut arguments))
            .expect("a run");
        let (y, top, sums) = (
            y.into_raw_vec_and_offset().0,
            top.into_raw_vec_and_offset().0,
            sums.into_raw_vec_and_offset().0,
        );
        assert_eq!(
            (tops, out, added),
            (bytes(&top), bytes(&y), bytes(&sums)),
            "top {has_top}, sums {has_sums}"
        );
    }
}

#[test]
fn an_operator_finds_types_that_only_what_may_be_left_out_says() {
    let checked = kernel(include_str!("../codegen/tests/kernels/told.rs"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("operator")
        .join("told");
    write(
        &dir,
        &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        ),
    );
    let op = names(&checked).op_stem;
    let host = host(&dir, &op, &checked).compile().expect("the host file");
    let tensor = |dtype: DType| Tensor {
        element: dtype.name().into(),
        shape: vec![5000],
        elements: None,
    };
    let ask = |x, weight: Option<DType>, part| {
        let weight = Param::Tensors(weight.map(tensor).into_iter().collect());
        let x = Param::Tensors(vec![tensor(x)]);
        let params = vec![
            ("x".into(), x),
            ("weight".into(), weight),
            ("y".into(), Param::Inferred),
            ("part".into(), part),
        ];
        host.ask(&Request {
            kernel: op.clone(),
            chip: checked.chip(),
            params,
            attrs: Vec::new(),
        })
    };
    let (f16, f32) = (DType::F16, DType::F32);
    for (x, weight, part) in [
        (f16, None, f16),
        (f16, Some(f16), f32),
        (f16, Some(f32), f16),
        (f32, None, f16),
        (f32, Some(f16), f16),
        (f32, Some(f32), f32),
    ] {
        for is_asked in [true, false] {
            let decided = ask(
                x,
                weight,
                if is_asked {
                    Param::Inferred
                } else {
                    Param::Tensors(Vec::new())
                },
            )
            .expect("an answer");
            let inferred = [("y", x), ("part", part)]
                .into_iter()
                .take(1 + usize::from(is_asked));
            let inferred: Vec<_> = inferred
                .map(|(name, ty)| (name.to_string(), ty.name().to_string(), vec![5000]))
                .collect();
            assert_eq!(decided.outputs, inferred, "{x} {weight:?}");
            let given = [
                ("x", Some(x)),
                ("weight", weight),
                ("y", Some(x)),
                ("part", Some(part).filter(|_| is_asked)),
            ];
            let given = given
                .into_iter()
                .filter_map(|(name, dtype)| Some((name.to_string(), dtype?)));
            let mut arrays: Vec<_> = given
                .map(|(name, dtype)| {
                    (
                        name,
                        vec![Array::zeros(dtype, &[5000]).expect("an element type")],
                    )
                })
                .collect();
            let report = Launch::new(&checked)
                .arrays(&mut arrays)
                .run()
                .expect("a run");
            let wanted = (report.items[0].key, report.items[0].block_dim);
            assert_eq!(
                (decided.tile.key as i64, decided.tile.block_dim),
                wanted,
                "{x} {weight:?}"
            );
        }
    }
    let refused = ask(f16, Some(DType::I32), Param::Tensors(Vec::new()))
        .expect_err("a type that no instance has");
    assert_eq!(refused.code(), jumar::dsl::diag::Code::J0605, "{refused}");
}

#[test]
fn an_operator_is_told_a_list_of_numbers() {
    let checked = kernel(include_str!("../codegen/tests/kernels/padded.rs"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("operator")
        .join("padded");
    write(
        &dir,
        &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        ),
    );
    for (given, pads, scale, src) in [
        (&[("pads", "1,2")][..], [1usize, 2], [1.0f32, 0.0], 0),
        (
            &[("pads", "0,3"), ("scale", "0.5,-2"), ("srcAttr", "4")],
            [0, 3],
            [0.5, -2.0],
            4,
        ),
    ] {
        let decided = ask(&dir, &checked, checked.chip(), (9, 70), given);
        assert_eq!(
            decided.outputs,
            [(
                "y".to_string(),
                "f32".to_string(),
                vec![9 + pads[0] + pads[1], 70]
            )]
        );
        let x = Array2::from_elem((9, 70), 1.0f32);
        let mut y = Array2::<f32>::zeros((9 + pads[0] + pads[1], 70));
        let launch = Launch::new(&checked)
            .input("x", &x)
            .output("y", &mut y)
            .attrs("pads", pads);
        let report = launch
            .attrs("scale", scale)
            .attrs("src", [src])
            .run()
            .expect("a run");
        assert_eq!(
            (decided.tile.key as i64, decided.tile.block_dim),
            (report.items[0].key, report.items[0].block_dim),
            "{given:?}"
        );
    }
}

#[test]
fn an_operator_refuses_values_that_attributes_do_not_have() {
    for (text, name, value) in [
        (
            include_str!("../codegen/tests/kernels/padded.rs"),
            "pads",
            "1",
        ),
        (
            include_str!("../codegen/tests/kernels/activated.rs"),
            "activation",
            "Silu",
        ),
    ] {
        let checked = kernel(text);
        let kernel = names(&checked).op_stem;
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("operator")
            .join(&kernel);
        write(
            &dir,
            &emit(
                &checked,
                &EmitOptions {
                    kind: ProjectKind::Msopgen,
                    ..EmitOptions::default()
                },
            ),
        );
        let unit = Unit {
            strict: true,
            ..Unit::operator(
                vec![dir.join(format!("op_host/{kernel}.cpp"))],
                checked.chip().arch,
            )
        };
        let x = Param::Tensors(vec![Tensor {
            element: "f32".into(),
            shape: vec![9, 70],
            elements: None,
        }]);
        let params = vec![("x".into(), x), ("y".into(), Param::Inferred)];
        let attrs = vec![(name.to_string(), value.to_string())];
        let request = Request {
            kernel,
            chip: checked.chip(),
            params,
            attrs,
        };
        let refused = unit
            .compile()
            .and_then(|p| p.ask(&request))
            .expect_err("a refusal");
        assert_eq!(refused.code(), jumar::dsl::diag::Code::J0605, "{refused}");
    }
}

#[test]
fn an_operator_is_told_a_variant_by_its_name() {
    let checked = kernel(include_str!("../codegen/tests/kernels/activated.rs"));
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("operator")
        .join("activated");
    write(
        &dir,
        &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        ),
    );
    let x = Array2::from_shape_fn((9, 70), |(i, j)| (i * 70 + j) as f32 * 0.25 - 60.0);
    for (attrs, number) in [
        (&[][..], 2i64),
        (&[("activation", "none")], 0),
        (&[("activation", "relu")], 1),
        (&[("activation", "silu")], 2),
    ] {
        let decided = ask(&dir, &checked, checked.chip(), (9, 70), attrs);
        let mut want = Array2::<f32>::zeros((9, 70));
        Launch::new(&checked)
            .input("x", &x)
            .output("y", &mut want)
            .attr("activation", number)
            .run()
            .expect("a run");
        assert_eq!(run(&dir, &checked, &x, &decided), want, "{attrs:?}");
    }
}

#[test]
fn an_operator_project_asks_the_platform_for_its_cores() {
    let checked = kernel(SWISH);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("operator")
        .join("platform");
    write(
        &dir,
        &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        ),
    );
    let other = Chip::by_name("ascend910b3").expect("a chip");
    let blocks = [checked.chip(), other]
        .map(|chip| ask(&dir, &checked, chip, (512, 512), &[]).tile.block_dim);
    assert_eq!(blocks, [48, 40]);
}

#[test]
fn an_operator_project_tiles_and_computes_like_the_simulator() {
    // An attribute that is not given has the default of the definition.
    let cases = [
        (SWISH, &[][..], false),
        (SWISH, &[("scale", "1")], true),
        (SOFTMAX, &[], false),
        (SOFTMAX, &[], true),
    ];
    for (text, attrs, barriers) in cases {
        let checked = kernel(text);
        let name = names(&checked).kernel;
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("operator")
            .join(&name);
        write(
            &dir,
            &emit(
                &checked,
                &EmitOptions {
                    kind: ProjectKind::Msopgen,
                    barriers,
                    ..EmitOptions::default()
                },
            ),
        );
        for shape in [(1, 1), (33, 77), (200, 64)] {
            let decided = ask(&dir, &checked, checked.chip(), shape, attrs);
            let x =
                Array2::from_shape_fn(shape, |(i, j)| ((i * 31 + j * 7) % 41) as f32 * 0.25 - 5.0);
            let mut want = Array2::<f32>::zeros(shape);
            let report = Launch::new(&checked)
                .input("x", &x)
                .output("y", &mut want)
                .run()
                .expect("a run");
            assert_eq!(
                decided.outputs,
                [("y".to_string(), "f32".to_string(), vec![shape.0, shape.1])]
            );
            assert_eq!(
                (decided.tile.key as i64, decided.tile.block_dim),
                (report.items[0].key, report.items[0].block_dim),
                "{name} {shape:?}"
            );
            assert_eq!(run(&dir, &checked, &x, &decided), want, "{name} {shape:?}");
        }
    }
}
