//! Simulator and emitted C++ are two readers of one kernel: they must agree to the bit.
//!
//! The suite has every op row in every form and element type, and every example on hostile shapes.
//! It also runs whole emitted projects, on several chips. Random kernels are in `tests/tile.rs`.

pub mod agree;
mod axes;
pub mod examples;
mod nests;
pub mod programs;
mod ragged;
mod rows;
mod scalars;
pub mod spell;
mod strided;

use agree::{disagreement, Case, Tensor};
use examples::example_cases;
use jumar::codegen::ProjectKind;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Role, Ty};
use jumar::dsl::soc::Chip;
use jumar::held::Held;
use jumar::load::check_text;
use jumar::runtime::{infer_output_shapes, Overflow};
use jumar_kit::nests::{
    cases, choices, controlled, decided, elements, inside, joined, optional, outside, pairs,
    ragged as segments, ranges, reads, shown, split, streamed, tasks,
};
use jumar_kit::tier;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Mutex;

/// Draws the cases that run as C++: all at night, one in `part` by kernel text in the gate.
///
/// A drawn kernel runs on all of its shapes. `tests/fingerprint` holds the emitted text of every
/// kernel; this suite shows that it computes the same as the simulator.
fn drawn<T>(all: Vec<T>, part: u64, text: impl Fn(&T) -> String) -> Vec<T> {
    tier::drawn("JUMAR_DIFFERENTIAL", part, all, text)
}

/// Judges cases on all processors, and fails with a line for each wrong one.
fn judge_all<T: Send>(cases: Vec<T>, judge: impl Fn(&T) -> Option<String> + Sync) {
    let (queue, failed) = (Mutex::new(cases), Mutex::new(String::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| loop {
                let Some(case) = queue.lock().expect("the queue").pop() else {
                    break;
                };
                if let Some(why) = judge(&case) {
                    let _ = writeln!(failed.lock().expect("the list"), "{why}");
                }
            });
        }
    });
    let failed = failed.into_inner().expect("the list");
    assert!(failed.is_empty(), "\n{failed}");
}

fn judge_case(case: &Case) -> Option<String> {
    let kernel = match case.checked() {
        Ok(kernel) => kernel,
        Err(why) => return Some(format!("{}: {why}\n{}", case.name, case.text)),
    };
    for overflow in [Overflow::InfNan, Overflow::Saturate] {
        if let Some(why) = disagreement(case, &kernel, &Held::default(), overflow) {
            return Some(format!("{} ({overflow:?}): {why}", case.name));
        }
    }
    None
}

#[test]
fn tiles_of_several_axes_agree() {
    let nests = cases::CASES
        .iter()
        .chain(elements::ELEMENTS)
        .chain(inside::INSIDE)
        .chain(choices::CHOICES)
        .chain(decided::DECIDED)
        .chain(optional::OPTIONAL)
        .chain(ranges::RANGES)
        .chain(reads::READS)
        .chain(shown::SHOWN)
        .chain(tasks::TASKS);
    judge_nests(nests);
}

/// Kernels whose sizes depend on one another, on attributes, and on `require`.
const CALLED: &[&str] = &[
    "#[kernel] pub fn row_max(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] scale: &mut GlobalTensor<f32>) {
        for r in tiles(n) { scale.at(r).store(x.at(r, ..).load().abs().amax(d)); } }",
    "#[kernel] pub fn hist(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m)] counts: &mut GlobalTensor<i32>, m: usize) {
        for t in tiles(n) { counts.at(ids.at(t).load()).atomic_add(full::<i32>(t, 1)); } }",
    "#[kernel] pub fn twice(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, 2 * d)] y: &mut GlobalTensor<f16>, k: usize) { require(d % 48 == 0); require(k > 2 && k < n);
        let half = new_axis(2); let z = y.view((n, half, d));
        for r in tiles(n) { let v = x.at(r, ..).load(); z.at(r, 0, ..).store(v); z.at(r, 1, ..).store(v * k as f32); } }",
    "#[kernel] #[instances(f16, f32)] pub fn last<T: Float>(#[shape(n)] at: Option<&GlobalTensor<i32>>, #[inplace] #[shape(d, n)] y: &mut GlobalTensor<T>, #[shape(n + 1)] ends: &GlobalTensor<i32>) {
        for (i, t) in tiles((d, n)) { let v = y.at(i, t).load(); y.at(i, t).store(v + v); } }",
];

#[test]
fn programs_run_as_their_readme_says() {
    judge_all(CALLED.to_vec(), |text| {
        let file = check_text("sample.rs", text, None);
        let kernel = file
            .kernels()
            .first()
            .and_then(|kernel| kernel.checked.first());
        let kernel = kernel.unwrap_or_else(|| panic!("{text}\n{}", file.json()));
        programs::called_as_shown(kernel).map(|why| format!("{why}\n{text}"))
    });
}

#[test]
fn what_is_shown_is_the_same_on_the_cpu() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
        for r in tiles(n) { let v = x.at(r, ..).load(); v.dump(\"100 % \\\"v\\\"\"); v.amax(d).dump(\"top\"); y.at(r, ..).store(v * 2.0); } }";
    let file = check_text("sample.rs", text, None);
    let kernel = file
        .kernel("k")
        .and_then(|k| k.checked.first())
        .expect("a right kernel");
    for (n, d) in [(5, 3), (4, 8), (1, 70)] {
        let x = ndarray::Array2::from_shape_fn((n, d), |(i, j)| (i * 100 + j) as f32);
        let run = |backend: Option<&Held>| {
            let mut y = ndarray::Array2::<f32>::zeros((n, d));
            let launch = jumar::runtime::Launch::new(kernel)
                .input("x", &x)
                .output("y", &mut y);
            let report = backend
                .iter()
                .fold(launch, |launch, cpp| launch.backend(*cpp))
                .run();
            (report.unwrap_or_else(|e| panic!("{e}")).shown, y)
        };
        let ((simulated, y), (printed, z)) = (run(None), run(Some(&Held::new(Some(3), false))));
        assert_eq!(y, z);
        let mut due = Vec::new();
        for dump in &simulated.dumps {
            let block = dump.block.expect("a block");
            due.push((block, dump.title.clone()));
            for row in dump.elements.chunks(dump.cols) {
                let numbers = row
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" ");
                due.push((
                    block,
                    format!(
                        "DumpTensor {}: float[{}] in UB: {numbers}",
                        dump.line, dump.cols
                    ),
                ));
            }
        }
        let mut found: Vec<(i64, String)> = printed
            .printed
            .iter()
            .map(|(block, line)| (*block, line.trim_end().to_string()))
            .collect();
        found.sort_by_key(|(block, _)| *block);
        assert!(due.len() > 2);
        assert_eq!(found, due);
    }
}

#[test]
fn loops_over_ranges_that_only_the_core_knows_agree() {
    judge_all(
        drawn(ragged::runs(), 12, |run| run.text.clone()),
        ragged::judge,
    );
}

#[test]
fn numbers_that_are_read_outside_of_loops_agree() {
    judge_all(
        drawn(ragged::runs_outside(), 12, |run| run.text.clone()),
        ragged::judge,
    );
}

#[test]
fn tiles_that_are_cut_for_their_length_agree() {
    judge_nests(streamed::STREAMED.iter());
}

#[test]
fn elements_of_two_tensors_each_beside_each_agree() {
    judge_nests(pairs::PAIRS.iter());
}

#[test]
fn passes_that_are_joined_agree() {
    let cases: Vec<cases::Case> = joined::JOINED
        .iter()
        .map(|(what, text, _, shapes)| (*what, *text, *shapes))
        .collect();
    judge_nests(cases.iter());
}

#[test]
fn loops_that_are_split_agree() {
    let all = split::SPLIT.iter().chain(split::NEAR);
    let cases: Vec<cases::Case> = all
        .flat_map(|(what, text, others, few)| [(*what, *text, *others), (*what, *text, *few)])
        .collect();
    judge_nests(cases.iter());
    // Barriers run in a random legal order of the pipes.
    let raced = split::SPLIT
        .iter()
        .chain(split::NEAR)
        .map(|(what, text, _, few)| (*what, *text, &few[..1]))
        .collect::<Vec<_>>();
    judge_all(
        drawn(of_nests(raced.iter()), 12, |case| case.text.clone()),
        |case| {
            let kernel = case.checked().expect("a kernel that was judged");
            let why = disagreement(case, &kernel, &Held::new(Some(11), false), Overflow::InfNan);
            why.map(|why| format!("{} as races are looked for: {why}", case.name))
        },
    );
}

/// Judges kernels over loop nests on inputs of their shapes.
fn judge_nests<'a>(nests: impl Iterator<Item = &'a cases::Case>) {
    judge_all(
        drawn(of_nests(nests), 45, |case| case.text.clone()),
        judge_case,
    );
}

/// Makes a case of each kernel, shape and element type.
fn of_nests<'a>(nests: impl Iterator<Item = &'a cases::Case>) -> Vec<Case> {
    let chip = Chip::default_chip();
    let mut all = Vec::new();
    for (what, text, shapes) in nests {
        let file = check_text("nest.rs", text, Some(chip));
        let checked = file
            .kernel("k")
            .and_then(|k| k.checked.first())
            .cloned()
            .unwrap_or_else(|| panic!("{what}: {}", file.render(false)));
        let sig = &checked.kernel().sig;
        for (inputs, binding) in shapes
            .iter()
            .flat_map(|inputs| sig.instances.iter().map(move |binding| (inputs, binding)))
        {
            let mut left = inputs.iter();
            let mut tensors: Vec<Tensor> = Vec::new();
            for (id, p, role, ty) in sig.tensors() {
                let given: Vec<(&str, &[usize])> = tensors
                    .iter()
                    .map(|t| (t.name.as_str(), &t.shape[..]))
                    .collect();
                let is_said = role != Role::Out || sig.is_optional(id);
                let said = is_said.then(|| {
                    *left
                        .next()
                        .expect("a shape for each input, and of what may be left out")
                });
                if said == Some(cases::LEFT_OUT) {
                    continue;
                }
                let shape = match role {
                    Role::In | Role::InOut => said.expect("the shape of an input").to_vec(),
                    Role::Out => {
                        let outs =
                            infer_output_shapes(sig, &given, &[]).expect("shapes of outputs");
                        outs.into_iter()
                            .find(|(name, _)| *name == p.name)
                            .expect("an output")
                            .1
                    }
                };
                tensors.push(Tensor {
                    name: p.name.clone(),
                    dtype: ty.resolve(binding),
                    shape,
                    written: role != Role::In,
                });
            }
            let name = format!("{what} {inputs:?} {binding:?}");
            all.push(Case {
                name,
                chip,
                text: text.to_string(),
                tensors,
                attrs: Vec::new(),
                exact: true,
                seed: 5,
            });
        }
    }
    all
}

#[test]
fn every_op_row_agrees() {
    let chips = ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip"));
    let cases: Vec<Case> = chips.into_iter().flat_map(rows::cases).collect();
    assert!(cases.len() > 390, "{} cases", cases.len());
    judge_all(drawn(cases, 60, |case| case.text.clone()), judge_case);
}

#[test]
fn scalars_at_the_extremes_are_what_the_language_defines() {
    judge_all(
        drawn(scalars::rows(), 12, |(row, on_core)| {
            format!("{row:?} {on_core}")
        }),
        |(row, on_core)| scalars::wrong(row, *on_core),
    );
}

#[test]
fn shares_of_different_work_agree() {
    let text = include_str!("differential/kernels/two_splits.rs");
    let chip = Chip::default_chip();
    let cases = [(10, 1000), (1000, 10), (0, 5), (8, 25), (100_003, 25)].map(|(n, m)| {
        let tensors = [
            ("x", n, false),
            ("w", m, false),
            ("y", n, true),
            ("v", m, true),
        ]
        .map(|(name, len, written)| Tensor {
            name: name.into(),
            dtype: DType::F32,
            shape: vec![len],
            written,
        });
        let name = format!("two splits of {n} and {m}");
        Case {
            name,
            chip,
            text: text.to_string(),
            tensors: tensors.into(),
            attrs: Vec::new(),
            exact: false,
            seed: 5,
        }
    });
    judge_all(cases.into(), judge_case);
}

#[test]
fn what_a_block_leaves_in_a_workspace_it_finds_again() {
    let text = include_str!("../codegen/tests/kernels/parked.rs");
    let chip = Chip::default_chip();
    let sizes = [DType::F16, DType::F32]
        .into_iter()
        .flat_map(|dtype| [0, 1, 40, 100_003].map(|n| (dtype, n)));
    let cases = sizes.map(|(dtype, n)| {
        let tensor = |name: &str, written| Tensor {
            name: name.into(),
            dtype,
            shape: vec![n],
            written,
        };
        let tensors = vec![tensor("x", false), tensor("y", true)];
        let name = format!("parked {n} {dtype}");
        Case {
            name,
            chip,
            text: text.to_string(),
            tensors,
            attrs: Vec::new(),
            exact: false,
            seed: 5,
        }
    });
    judge_all(cases.collect(), judge_case);
}

#[test]
fn what_the_scalar_unit_writes_to_gm_agrees() {
    let text = include_str!("../codegen/tests/kernels/marked.rs");
    let chip = Chip::default_chip();
    let sizes = [DType::F16, DType::F32]
        .into_iter()
        .flat_map(|dtype| [0, 1, 2, 97].map(|n| (dtype, n)));
    let cases = sizes.map(|(dtype, n)| {
        let tensor = |name: &str, dtype, shape, written| Tensor {
            name: name.into(),
            dtype,
            shape,
            written,
        };
        let rows = || vec![n, 64];
        let tensors = vec![
            tensor("x", dtype, rows(), false),
            tensor("y", dtype, rows(), true),
            tensor("blocks", DType::I32, vec![16], true),
        ];
        let name = format!("marked {n} {dtype}");
        Case {
            name,
            chip,
            text: text.to_string(),
            tensors,
            attrs: Vec::new(),
            exact: false,
            seed: 5,
        }
    });
    judge_all(cases.collect(), judge_case);
}

#[test]
fn what_bits_keep_agrees() {
    let text = include_str!("../codegen/tests/kernels/kept.rs");
    let chip = Chip::default_chip();
    let sizes = [DType::F16, DType::F32]
        .into_iter()
        .flat_map(|dtype| [0, 1, 3, 97].map(|parts| (dtype, parts)));
    let cases = sizes.map(|(dtype, parts)| {
        let tensor = |name: &str, dtype, shape, written| Tensor {
            name: name.into(),
            dtype,
            shape,
            written,
        };
        let n = vec![parts * 1000];
        let tensors = vec![
            tensor("x", dtype, n.clone(), false),
            tensor("y", dtype, n, true),
            tensor("counts", DType::I32, vec![parts, 8], true),
        ];
        let name = format!("kept {parts} {dtype}");
        Case {
            name,
            chip,
            text: text.to_string(),
            tensors,
            attrs: Vec::new(),
            exact: false,
            seed: 5,
        }
    });
    judge_all(cases.collect(), judge_case);
}

#[test]
fn rows_that_touch_and_rows_that_do_not_agree() {
    // Rows of whole data blocks, without and with padding for a reduction, and rows that end inside
    // a block.
    let bodies = [
        "x.at(r, ..).load() + 1.0",
        "x.at(r, ..).load() - x.at(r, ..).load().amax(d)",
    ];
    let shapes = [(300, 64), (5, 272), (7, 40)];
    let chips = ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip"));
    let mut cases = Vec::new();
    for (chip, body) in [
        (chips[0], bodies[0]),
        (chips[0], bodies[1]),
        (chips[1], bodies[0]),
    ] {
        for (dtype, (n, d)) in [DType::F16, DType::F32]
            .into_iter()
            .flat_map(|t| shapes.map(|s| (t, s)))
        {
            if !chip.has_data_copy_pad
                && !(d * dtype.bytes() as usize).is_multiple_of(chip.data_block_bytes as usize)
            {
                continue;
            }
            let name = dtype.name();
            let text = format!(
                "#[kernel]\n#[chips({})]\npub fn sample(#[shape(n, d)] x: &GlobalTensor<{name}>, y: &mut GlobalTensor<{name}>) {{\n    \
                 for r in tiles(n) {{ y.at(r, ..).store({body}); }}\n}}\n",
                chip.name
            );
            let tensors = [("x", false), ("y", true)].map(|(name, written)| Tensor {
                name: name.into(),
                dtype,
                shape: vec![n, d],
                written,
            });
            let name = format!("{body} {n}x{d} {name} {}", chip.name);
            cases.push(Case {
                name,
                chip,
                text,
                tensors: tensors.into(),
                attrs: Vec::new(),
                exact: false,
                seed: 5,
            });
        }
    }
    judge_all(drawn(cases, 4, |case| case.text.clone()), judge_case);
}

const CHIPS: [&str; 3] = ["ascend910b1", "ascend910b4", "ascend910_93"];

#[test]
fn every_example_agrees() {
    let shapes = [
        (0, 8),
        (1, 1),
        (3, 0),
        (5, 17),
        (49, 128),
        (4099, 3),
        (1, 65_537),
        (200, 64),
        (24_580, 16),
        (2, 100_003),
    ];
    judge_all(
        drawn(example_cases(&shapes, &CHIPS), 12, |case| {
            case.kernel().to_string()
        }),
        judge_example,
    );
}

#[test]
fn every_example_of_several_axes_agrees() {
    judge_all(
        drawn(nests::cases(), 24, |case| case.kernel().to_string()),
        judge_example,
    );
}

fn judge_example(case: &Case) -> Option<String> {
    // Small shapes run with a random order of pipes, so races show.
    let small = case.tensors[0].shape.iter().product::<usize>() < 20_000;
    let cpp = Held::new(small.then_some(11), false);
    let kernel = case.named(case.kernel()).expect("an example is a kernel");
    let why = disagreement(case, &kernel, &cpp, Overflow::InfNan);
    why.map(|why| format!("{} {}: {why}", case.name, case.tensors[0].dtype))
}

#[test]
fn every_emitted_program_agrees() {
    let mut cases = example_cases(&[(37, 333), (0, 8), (1, 20_011)], &CHIPS);
    cases.extend(nests::cases());
    let names: BTreeSet<&str> = cases.iter().map(|case| case.kernel()).collect();
    let projects: Vec<_> = names
        .into_iter()
        .flat_map(|name| [(name, ProjectKind::Direct), (name, ProjectKind::Asc)])
        .collect();
    judge_all(
        drawn(projects, 45, |(name, kind)| format!("{name} as {kind}")),
        |(name, kind)| {
            let mut cases = cases
                .iter()
                .filter(|case| case.kernel() == *name)
                .peekable();
            let first = cases.peek().expect("an example has cases");
            let kernel = first.named(name).expect("an example is a kernel");
            // The first tensor whose element type the caller chooses names the instance.
            let own = kernel
                .kernel()
                .sig
                .tensors()
                .position(|(_, _, _, ty)| matches!(ty, Ty::Param(_)));
            let program = match programs::compile(&kernel, *kind) {
                Ok(program) => program,
                Err(why) => return Some(format!("{} {name}: {why}", kind.name())),
            };
            cases.find_map(|case| {
                let dtype = own.map(|at| case.tensors[at].dtype.name());
                let why = programs::disagreement(&program, case, &kernel, dtype)?;
                Some(format!(
                    "{} {} {}: {why}",
                    kind.name(),
                    case.name,
                    dtype.unwrap_or_default()
                ))
            })
        },
    );
}

#[test]
fn programs_agree_with_and_without_what_may_be_left_out() {
    let given = [(true, true), (true, false), (false, true), (false, false)];
    let cases: Vec<Case> = [(9, 70, 5), (200, 33, 8), (1, 60_000, 1)]
        .into_iter()
        .flat_map(|sizes| given.map(|given| (sizes, given)))
        .map(|((n, d, k), (gamma, table))| {
            let tensor = |name: &str, shape: &[usize]| {
                let written = name == "y";
                Tensor {
                    name: name.to_string(),
                    dtype: DType::F32,
                    shape: shape.to_vec(),
                    written,
                }
            };
            let all = [
                tensor("x", &[n, d]),
                tensor("gamma", &[d]),
                tensor("table", &[n, k]),
                tensor("y", &[n, d]),
            ];
            let is_given = |t: &Tensor| {
                t.name != "gamma" && t.name != "table"
                    || t.name == "gamma" && gamma
                    || t.name == "table" && table
            };
            let text = include_str!("../codegen/tests/kernels/affine.rs").to_string();
            let name = format!("affine of {n} rows, gamma {gamma}, table {table}");
            let tensors = all.into_iter().filter(is_given).collect();
            Case {
                name,
                chip: Chip::default_chip(),
                text,
                tensors,
                attrs: Vec::new(),
                exact: true,
                seed: 5,
            }
        })
        .collect();
    let kernel = cases[0].checked().expect("a right kernel");
    for kind in [ProjectKind::Direct, ProjectKind::Asc] {
        let program = programs::compile(&kernel, kind).expect("a program");
        let wrong = |case: &Case| {
            Some(format!(
                "{}: {}",
                case.name,
                programs::disagreement(&program, case, &kernel, Some("f32"))?
            ))
        };
        judge_all(cases.clone(), wrong);
    }
}

#[test]
fn programs_find_types_that_only_what_may_be_left_out_says() {
    use DType::{F16, F32};
    let rows = [
        [F16, F32, F16],
        [F16, F16, F32],
        [F32, F16, F16],
        [F32, F32, F32],
    ];
    let given = [(true, true), (true, false), (false, true), (false, false)];
    let all = rows
        .into_iter()
        .flat_map(|types| given.map(|given| (types, given)));
    let cases: Vec<(String, Case)> = all
        .map(|([x, weight, part], (has_weight, has_part))| {
            let tensor = |name: &str, dtype, written| Tensor {
                name: name.to_string(),
                dtype,
                shape: vec![5000],
                written,
            };
            let of = |is_given, t| Some(t).filter(|_| is_given);
            let tensors = [
                Some(tensor("x", x, false)),
                of(has_weight, tensor("weight", weight, false)),
                Some(tensor("y", x, true)),
                of(has_part, tensor("part", part, true)),
            ];
            let text = include_str!("../codegen/tests/kernels/told.rs").to_string();
            let dtype = format!("{x}_{weight}_{part}");
            let name = format!("told of {dtype}, weight {has_weight}, part {has_part}");
            let tensors = tensors.into_iter().flatten().collect();
            (
                dtype,
                Case {
                    name,
                    chip: Chip::default_chip(),
                    text,
                    tensors,
                    attrs: Vec::new(),
                    exact: true,
                    seed: 5,
                },
            )
        })
        .collect();
    let kernel = cases[0].1.checked().expect("a right kernel");
    judge_all(
        cases.iter().map(|(_, case)| case.clone()).collect(),
        judge_case,
    );
    for kind in [ProjectKind::Direct, ProjectKind::Asc] {
        let program = programs::compile(&kernel, kind).expect("a program");
        judge_all(cases.clone(), |(dtype, case)| {
            programs::disagreement(&program, case, &kernel, Some(dtype))
                .map(|why| format!("{}: {why}", case.name))
        });
    }
    let deaf = |text: &str| {
        text.replace(
            "instance = FirstTold(instance, args);",
            "(void)FirstTold(instance, args);",
        )
    };
    let program =
        programs::changed(&kernel, ProjectKind::Direct, deaf).expect("a text that compiles");
    let wrong = cases.iter().filter(|(dtype, case)| {
        programs::disagreement(&program, case, &kernel, Some(dtype)).is_some()
    });
    let wrong: Vec<&str> = wrong.map(|(_, case)| case.name.as_str()).collect();
    assert_eq!(
        wrong,
        [
            "told of f16_f16_f32, weight false, part false",
            "told of f32_f32_f32, weight false, part false"
        ]
    );
}

/// A plain store behind an atomic one. Its target held other values before.
const STORED_BEHIND_A_SUM: &str = "#[kernel]
pub fn behind(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, #[shape(n, d)] z: &mut GlobalTensor<f32>) {
    for r in tiles(n) { z.at(r, ..).store(full((r, d), 1.0)); }
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(..).atomic_add(v.sum(r));
        z.at(r, ..).store(v * 2.0);
    }
}";

#[test]
fn a_program_that_leaves_sums_switched_on_disagrees() {
    let tensor = |name: &str, shape: &[usize]| Tensor {
        name: name.to_string(),
        dtype: DType::F32,
        shape: shape.to_vec(),
        written: name != "x",
    };
    let tensors = vec![
        tensor("x", &[37, 33]),
        tensor("y", &[33]),
        tensor("z", &[37, 33]),
    ];
    let (name, text) = ("behind".to_string(), STORED_BEHIND_A_SUM.to_string());
    let case = Case {
        name,
        chip: Chip::default_chip(),
        text,
        tensors,
        attrs: Vec::new(),
        exact: true,
        seed: 5,
    };
    let kernel = case.checked().expect("a right kernel");
    let why = |change: &dyn Fn(&str) -> String| {
        let program =
            programs::changed(&kernel, ProjectKind::Direct, change).expect("a text that compiles");
        programs::disagreement(&program, &case, &kernel, None)
    };
    assert_eq!(why(&str::to_string), None);
    assert!(
        why(&|text| text.replace("SetAtomicNone();", "")).is_some_and(|why| why.starts_with("z:"))
    );
}

#[test]
fn every_operator_project_compiles() {
    let mut cases = example_cases(&[(1, 1)], &CHIPS);
    cases.extend(nests::cases());
    cases.dedup_by(|a, b| a.kernel() == b.kernel());
    judge_all(drawn(cases, 15, |case| case.kernel().to_string()), |case| {
        let kernel = case.named(case.kernel()).expect("an example is a kernel");
        programs::compile_operator(&kernel)
            .err()
            .map(|why| format!("{}: {why}", case.name))
    });
}

#[test]
fn reductions_over_axes_agree_to_the_bit() {
    use jumar::dsl::lower::library::Over::{All, Middle};
    use jumar::dsl::ops::AxisReduceOp::{Max, Min, Sum};
    use DType::{F16, F32, I32};
    let of_all = [
        (All, Sum, F32),
        (All, Sum, F16),
        (All, Min, F32),
        (All, Sum, I32),
    ];
    let of_middle = [
        (Middle, Sum, F32),
        (Middle, Max, F16),
        (Middle, Sum, F16),
        (Middle, Min, I32),
    ];
    judge_all(of_all.into_iter().chain(of_middle).collect(), axes::judge);
}
