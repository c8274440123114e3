//! Kernels with lists: each item on three readers against its formula, all items as one launch of
//! an operator, and refused launches.

use jumar::codegen::{emit, names, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::diag::Code;
use jumar::dsl::soc::Chip;
use jumar::held::Held;
use jumar::load::check_text;
use jumar::runtime::ascendc::{
    Answer, Argument, LaunchOptions, Param, Request, Source, Tensor, Unit,
};
use jumar::runtime::tile::AnyCut;
use jumar::runtime::{AsInput, Backend, Launch, RunError};
use jumar_kit::tier;
use ndarray::{arr1, Array, Array1, Array2, ArrayD, IxDyn};
use std::path::Path;

const LISTED: &str = include_str!("../codegen/tests/kernels/listed.rs");
const NORMS: &str = include_str!("../codegen/tests/kernels/norms.rs");

/// Shapes of items: tails, one element, none, several axes, and one for which all cores work
/// together.
const SHAPES: [&[usize]; 6] = [
    &[5, 77],
    &[1],
    &[3, 0, 4],
    &[2, 3, 5, 7],
    &[300, 500],
    &[2048],
];

fn kernel(text: &str) -> CheckedKernel {
    let file = check_text("kernel.rs", text, Some(Chip::default_chip()));
    assert!(!file.has_errors(), "{}", file.render(false));
    file.kernels()[0].checked[0].clone()
}

/// Returns quarters; their sums are exact in every order.
fn data(shape: &[usize], seed: usize) -> ArrayD<f32> {
    let len: usize = shape.iter().product();
    let of = |i: usize| ((i * 37 + seed * 11) % 29) as f32 * 0.25 - 3.0;
    Array::from_iter((0..len).map(of))
        .into_shape_with_order(IxDyn(shape))
        .expect("as many elements")
}

/// The arrays of one launch of `listed`.
struct Listed {
    xs: Vec<ArrayD<f32>>,
    ys: Vec<ArrayD<f32>>,
    alphas: Vec<f32>,
    ks: Array1<f32>,
    zs: Vec<ArrayD<f32>>,
}

impl Listed {
    fn of(shapes: &[&[usize]]) -> Listed {
        Listed {
            xs: shapes.iter().enumerate().map(|(i, s)| data(s, i)).collect(),
            ys: shapes
                .iter()
                .enumerate()
                .map(|(i, s)| data(s, i + 7))
                .collect(),
            alphas: (0..shapes.len()).map(|i| i as f32 - 1.5).collect(),
            ks: (0..shapes.len()).map(|i| 0.5 * i as f32 + 1.0).collect(),
            zs: shapes
                .iter()
                .map(|s| ArrayD::from_elem(IxDyn(s), f32::NAN))
                .collect(),
        }
    }

    /// Computes the results by the kernel's formula.
    fn wanted(&self, beta: f32) -> (Vec<ArrayD<f32>>, Vec<ArrayD<f32>>) {
        let each = self
            .xs
            .iter()
            .zip(&self.ys)
            .zip(&self.alphas)
            .zip(&self.ks)
            .enumerate();
        each.map(|(i, (((x, y), a), k))| {
            let v = x * *a + y * beta;
            let z = &v * *k + i as f32;
            (v, z)
        })
        .unzip()
    }

    fn launch(
        &mut self,
        kernel: &CheckedKernel,
        beta: Option<f32>,
        backend: Option<&dyn Backend>,
    ) -> Result<usize, RunError> {
        let mut launch = Launch::new(kernel)
            .inputs("xs", &self.xs)
            .inouts("ys", &mut self.ys)
            .attrs("alphas", self.alphas.iter().copied())
            .input("ks", &self.ks)
            .outputs("zs", &mut self.zs);
        if let Some(beta) = beta {
            launch = launch.attr("beta", beta);
        }
        if let Some(backend) = backend {
            launch = launch.backend(backend);
        }
        launch.run().map(|report| report.items.len())
    }
}

#[test]
fn items_are_computed_alike_by_three_readers() {
    let kernel = kernel(LISTED);
    let (tile, cpp, racing) = (
        AnyCut::default(),
        Held::default(),
        Held::new(Some(5), false),
    );
    for backend in [None, Some(&tile as &dyn Backend), Some(&cpp), Some(&racing)] {
        for (count, beta) in [(6, None), (1, Some(-0.5)), (0, None)] {
            let mut own = Listed::of(&SHAPES[..count]);
            let (ys, zs) = own.wanted(beta.unwrap_or(1.0));
            assert_eq!(own.launch(&kernel, beta, backend).expect("a run"), count);
            assert_eq!(
                (&own.ys, &own.zs),
                (&ys, &zs),
                "{count} items, beta {beta:?}"
            );
        }
    }
}

/// Kernels whose items and iterations store to one place, with the promise that all store alike.
const ALIKE: &str = "use jumar::prelude::*;
#[kernel]
pub fn items(xs: &[GlobalTensor<f32>], ys: &mut [GlobalTensor<f32>], #[inplace] #[shape(1)] last: &mut GlobalTensor<f32>) {
    for (i, (x, y)) in zip((xs, ys)).enumerate() {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * 2.0);
            last.at(0).store_any(full((), VALUE));
        }
    }
}";
const TURNS: &str = "use jumar::prelude::*;
#[kernel]
pub fn turns(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(1)] last: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let v = x.at(i).load();
        y.at(i).store(v);
        last.at(0).store_any(VALUE);
    }
}";

#[test]
fn a_promise_that_all_store_alike_is_held_to_over_items_and_turns() {
    let (tile, racing) = (AnyCut::default(), Held::new(Some(5), false));
    let (x, mut last) = (
        Array1::from_iter((0..64).map(|i| i as f32)),
        arr1(&[0.0f32]),
    );
    for backend in [None, Some(&tile as &dyn Backend), Some(&racing)] {
        let on = |launch: Launch<'_>| match backend {
            Some(backend) => launch.backend(backend).run().map(drop),
            None => launch.run().map(drop),
        };
        let mut items = |value: &str| {
            let kernel = kernel(&ALIKE.replace("VALUE", value));
            let (xs, mut ys) = (vec![x.clone(); 3], vec![Array1::<f32>::zeros(64); 3]);
            on(Launch::new(&kernel)
                .inputs("xs", &xs)
                .outputs("ys", &mut ys)
                .inout("last", &mut last))
        };
        items("7.0").expect("all store 7");
        // The element that was there before the launch does not count as a store.
        items("0.0").expect("all store what is there");
        let error = items("i as f32").expect_err("each stores its number");
        assert!(
            error
                .to_string()
                .contains("items 0 and 1 store different numbers to element 0 of `last`"),
            "{error}"
        );
        assert_eq!(error.code(), Code::J0809);
        let mut turns = |value: &str| {
            let kernel = kernel(&TURNS.replace("VALUE", value));
            let mut y = Array1::<f32>::zeros(64);
            on(Launch::new(&kernel)
                .input("x", &x)
                .output("y", &mut y)
                .inout("last", &mut last))
        };
        turns("v * 0.0 + 3.0").expect("all store 3");
        assert_eq!(
            turns("v").expect_err("each stores its element").code(),
            Code::J0809
        );
    }
}

fn norms_of(
    xs: &[Array2<f32>],
    backend: Option<&dyn Backend>,
) -> (Vec<Array1<f32>>, Vec<Array2<f32>>, Array1<f32>) {
    let kernel = kernel(NORMS);
    let mut norms = vec![arr1(&[0.0f32]); xs.len()];
    let mut ys: Vec<Array2<f32>> = xs.iter().map(|x| Array2::zeros(x.raw_dim())).collect();
    let mut large = arr1(&[0.0f32]);
    let launch = Launch::new(&kernel)
        .inputs("xs", xs)
        .outputs("norms", &mut norms)
        .outputs("ys", &mut ys)
        .inout("large", &mut large);
    let launch = match backend {
        Some(backend) => launch.backend(backend),
        None => launch,
    };
    launch.run().expect("a run");
    (norms, ys, large)
}

/// Returns rows whose sums of squares are integers.
fn rows(shapes: &[(usize, usize)]) -> Vec<Array2<f32>> {
    let of = |(nth, shape): (usize, &(usize, usize))| {
        Array2::from_shape_fn(*shape, |(i, j)| ((i * 7 + j + nth) % 5) as f32)
    };
    shapes.iter().enumerate().map(of).collect()
}

#[test]
fn items_are_reduced_over_the_cores() {
    let xs = rows(&[(3, 5), (700, 64), (1, 1), (90, 33)]);
    let squares: Vec<f32> = xs.iter().map(|x| x.iter().map(|v| v * v).sum()).collect();
    assert!(squares.iter().any(|s| *s > 1000.0) && squares.iter().any(|s| *s <= 1000.0));
    let (tile, cpp) = (AnyCut::default(), Held::default());
    for backend in [None, Some(&tile as &dyn Backend), Some(&cpp)] {
        let (norms, ys, large) = norms_of(&xs, backend);
        for (((x, norm), y), square) in xs.iter().zip(&norms).zip(&ys).zip(&squares) {
            assert_eq!(norm[0], square.sqrt());
            // The item of one zero gives 0 / 0: nan in both.
            let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan());
            assert!(y.iter().zip(&(x / norm[0])).all(same));
        }
        assert_eq!(large[0], 1.0);
    }
}

fn bytes(all: &[f32]) -> Vec<u8> {
    all.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn floats(all: &[u8]) -> Vec<f32> {
    all.chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}

/// Describes a list to the tiling function of an operator.
fn asked<'a>(shapes: impl Iterator<Item = &'a [usize]>) -> Param {
    Param::Tensors(
        shapes
            .map(|s| Tensor {
                element: "f32".into(),
                shape: s.to_vec(),
                elements: None,
            })
            .collect(),
    )
}

/// An emitted operator project with its compiled host file.
struct Operator {
    checked: CheckedKernel,
    name: String,
    dir: std::path::PathBuf,
}

impl Operator {
    fn of(text: &str) -> Operator {
        let checked = kernel(text);
        let name = names(&checked).op_stem;
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("lists")
            .join(&name);
        for file in &emit(
            &checked,
            &EmitOptions {
                kind: ProjectKind::Msopgen,
                ..EmitOptions::default()
            },
        )
        .files
        {
            let path = dir.join(&file.path);
            std::fs::create_dir_all(path.parent().expect("a file has a folder"))
                .expect("the test folder is writable");
            std::fs::write(path, &file.text).expect("the test folder is writable");
        }
        Operator { checked, name, dir }
    }

    fn ask(&self, params: Vec<(&str, Param)>, attrs: &[(&str, &str)]) -> Result<Answer, RunError> {
        let file = self.dir.join(format!("op_host/{}.cpp", self.name));
        let unit = Unit {
            strict: true,
            sanitize: tier::sanitizes(),
            ..Unit::operator(vec![file], self.checked.chip().arch)
        };
        let params = params
            .into_iter()
            .map(|(name, param)| (name.to_string(), param))
            .collect();
        let attrs = attrs
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect();
        unit.compile()?.ask(&Request {
            kernel: self.name.clone(),
            chip: self.checked.chip(),
            params,
            attrs,
        })
    }

    fn run<'a>(&self, decided: &'a Answer, race: Option<u64>, mut arguments: Vec<Argument<'a>>) {
        let file = self.dir.join(format!("op_kernel/{}.cpp", self.name));
        let unit = Unit::kernel(Source::File(file), &self.name, self.checked.chip().arch);
        let unit = Unit {
            prelude: decided.prelude.clone(),
            strict: true,
            ..unit
        };
        let mut options = LaunchOptions::new(self.checked.chip());
        (options.tiling_key, options.block_dim, options.race) =
            (decided.tile.key, decided.tile.block_dim as u32, race);
        options.alike = vec!["large".to_string()];
        arguments.push(Argument::Scratch(
            "workspace".into(),
            decided.tile.workspace.max(64) as u64,
        ));
        arguments.push(Argument::Input("tiling".into(), &decided.tile.data));
        unit.compile()
            .and_then(|p| p.run(&options, &mut arguments))
            .expect("a run");
    }
}

/// Passes a list to the kernel function.
fn inputs<'b>(name: &str, shapes: &[Vec<usize>], all: &'b [Vec<u8>]) -> Argument<'b> {
    let each = all.iter().zip(shapes).enumerate();
    Argument::List(
        name.into(),
        each.map(|(i, (b, s))| (s.clone(), Argument::Input(format!("{name}.{i}"), b)))
            .collect(),
    )
}

fn outputs<'b>(name: &str, shapes: &[Vec<usize>], all: &'b mut [Vec<u8>]) -> Argument<'b> {
    let each = all.iter_mut().zip(shapes).enumerate();
    Argument::List(
        name.into(),
        each.map(|(i, (b, s))| (s.clone(), Argument::InOut(format!("{name}.{i}"), b)))
            .collect(),
    )
}

#[test]
fn an_operator_does_all_items_in_one_launch() {
    let operator = Operator::of(LISTED);
    for count in [6, 2] {
        let own = Listed::of(&SHAPES[..count]);
        let (ys, zs) = own.wanted(0.5);
        let shapes: Vec<Vec<usize>> = own.xs.iter().map(|x| x.shape().to_vec()).collect();
        let listed = || asked(shapes.iter().map(Vec::as_slice));
        let alphas: Vec<String> = own.alphas.iter().map(f32::to_string).collect();
        let params = vec![
            ("xs", listed()),
            ("ys", listed()),
            ("ks", asked([&[count][..]].into_iter())),
            ("ys", listed()),
            ("zs", listed()),
        ];
        let decided = operator
            .ask(params, &[("alphas", &alphas.join(",")), ("beta", "0.5")])
            .expect("an answer");
        // Small items have one block each, the large one has all cores.
        let blocks: Vec<i64> = {
            let mut own = Listed::of(&SHAPES[..count]);
            let launch = Launch::new(&operator.checked)
                .inputs("xs", &own.xs)
                .inouts("ys", &mut own.ys)
                .attrs("alphas", own.alphas.iter().copied())
                .input("ks", &own.ks)
                .outputs("zs", &mut own.zs);
            launch
                .run()
                .expect("a run")
                .items
                .iter()
                .map(|tiling| tiling.block_dim)
                .collect()
        };
        let cores = operator.checked.chip().vector_cores;
        assert_eq!(
            decided.tile.block_dim,
            blocks
                .iter()
                .sum::<i64>()
                .min(cores)
                .max(*blocks.iter().max().expect("an item"))
        );
        let all = |arrays: &[ArrayD<f32>]| -> Vec<Vec<u8>> {
            arrays
                .iter()
                .map(|a| a.as_input().bytes().to_vec())
                .collect()
        };
        for race in [None, Some(3)] {
            let (xs, mut updated, mut written) = (all(&own.xs), all(&own.ys), all(&own.zs));
            let ks = bytes(own.ks.as_slice().expect("one row"));
            let arguments = vec![
                inputs("xs", &shapes, &xs),
                outputs("ys", &shapes, &mut updated),
                Argument::Input("ks".into(), &ks),
                Argument::Same(1),
                outputs("zs", &shapes, &mut written),
            ];
            operator.run(&decided, race, arguments);
            assert_eq!(
                (updated, written),
                (all(&ys), all(&zs)),
                "{count} items, race {race:?}"
            );
        }
    }
}

#[test]
fn blocks_without_a_share_of_an_item_wait_with_the_others() {
    let operator = Operator::of(NORMS);
    let xs = rows(&[(3, 5), (700, 64), (2, 8), (90, 33)]);
    let (norms, ys, large) = norms_of(&xs, None);
    let shapes: Vec<Vec<usize>> = xs.iter().map(|x| x.shape().to_vec()).collect();
    let ones = vec![vec![1usize]; xs.len()];
    let listed = |all: &[Vec<usize>]| asked(all.iter().map(Vec::as_slice));
    let one = || asked([&[1usize][..]].into_iter());
    let params = vec![
        ("xs", listed(&shapes)),
        ("large", one()),
        ("norms", listed(&ones)),
        ("ys", listed(&shapes)),
        ("large", one()),
    ];
    let decided = operator.ask(params, &[]).expect("an answer");
    for race in [None, Some(9)] {
        let given: Vec<Vec<u8>> = xs
            .iter()
            .map(|x| bytes(x.as_slice().expect("rows")))
            .collect();
        let mut lengths = vec![vec![0u8; 4]; xs.len()];
        let mut quotients: Vec<Vec<u8>> = given.iter().map(|b| vec![0; b.len()]).collect();
        let mut flag = bytes(&[0.0]);
        let arguments = vec![
            inputs("xs", &shapes, &given),
            Argument::InOut("large".into(), &mut flag),
            outputs("norms", &ones, &mut lengths),
            outputs("ys", &shapes, &mut quotients),
            Argument::Same(1),
        ];
        operator.run(&decided, race, arguments);
        assert_eq!(floats(&flag), large.to_vec());
        for (i, (norm, y)) in norms.iter().zip(&ys).enumerate() {
            assert_eq!(
                floats(&lengths[i]),
                norm.to_vec(),
                "item {i}, race {race:?}"
            );
            assert_eq!(
                floats(&quotients[i]),
                y.iter().copied().collect::<Vec<_>>(),
                "item {i}, race {race:?}"
            );
        }
    }
}

#[test]
fn a_launch_refuses_lists_that_do_not_fit() {
    let kernel = kernel(LISTED);
    let refused = |change: &dyn Fn(&mut Listed)| {
        let mut own = Listed::of(&SHAPES[..3]);
        change(&mut own);
        let e = own.launch(&kernel, None, None).expect_err("a refusal");
        (e.code(), e.message().to_string())
    };
    let wrong = |at: usize| move |own: &mut Listed| own.xs[at] = data(&[4], 0);
    for (change, code, said) in [
        (
            &(|own: &mut Listed| own.ys.truncate(2)) as &dyn Fn(&mut Listed),
            Code::J0605,
            "list `xs` has 3 items and `ys` has 2",
        ),
        (
            &|own| own.alphas.truncate(2),
            Code::J0605,
            "list `xs` has 3 items and `alphas` has 2",
        ),
        (
            &|own| own.ks = arr1(&[1.0, 2.0]),
            Code::J0603,
            "item 0: axis `l` is 2, and the lists have 3 items",
        ),
        (&wrong(0), Code::J0603, "item 0: "),
        (&wrong(2), Code::J0603, "item 2: "),
    ] {
        let (found, message) = refused(change);
        assert!(
            found == code && message.contains(said),
            "{found}: {message}"
        );
    }
    let own = Listed::of(&SHAPES[..2]);
    let refusals = [
        (
            Launch::new(&kernel).input("xs", &own.xs[0]),
            "`xs` is a list of tensors and was bound as one tensor",
        ),
        (
            Launch::new(&kernel).inputs("ks", &own.xs),
            "`ks` is one tensor and was bound as a list",
        ),
        (
            Launch::new(&kernel).inputs("zs", &own.xs),
            "`zs` is an output and was bound as an input",
        ),
    ];
    for (launch, said) in refusals {
        let e = launch.run().expect_err("a refusal");
        assert!(e.code() == Code::J0605 && e.message().contains(said), "{e}");
    }
}

#[test]
fn an_operator_refuses_lists_that_do_not_fit() {
    let operator = Operator::of(LISTED);
    let many: Vec<&[usize]> = vec![&[3]; 65];
    let three: Vec<&[usize]> = vec![&[3]; 3];
    for (xs, ys, ks, alphas, said) in [
        (&three, &many, 3, 3, "the inference of shapes"),
        (&many, &many, 65, 65, "the tiling function"),
        (&three, &three, 3, 2, "the tiling function"),
        (&three, &three, 4, 3, "the tiling function"),
    ] {
        let listed = |all: &Vec<&[usize]>| asked(all.iter().copied());
        let params = vec![
            ("xs", listed(xs)),
            ("ys", listed(ys)),
            ("ks", asked([&[ks][..]].into_iter())),
            ("ys", listed(ys)),
            ("zs", listed(xs)),
        ];
        let e = operator
            .ask(params, &[("alphas", &vec!["1"; alphas].join(","))])
            .expect_err("a refusal");
        assert!(e.code() == Code::J0605 && e.message().contains(said), "{e}");
    }
}
