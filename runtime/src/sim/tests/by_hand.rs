//! Flags, barriers and placed tensors: a run shows what the checker says of a kernel.
//!
//! The checker runs statements for some launches (`dsl/src/check/by_hand`) with its own clocks; the
//! simulator runs a whole launch with others. These tests give both of them right kernels, and
//! kernels in which something was left out, moved or renamed.

use super::drawn;
use crate::{Array, Launch, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::Kernel;
use jumar_dsl::lower::lower;
use jumar_dsl::soc::Chip;
use proptest::prelude::RngExt;
use proptest::test_runner::TestRng;

/// The elements of a tensor, and of the tensors in GM.
const TILE: i64 = 64;
const ALL: usize = 1024;

fn read(text: &str) -> Option<Kernel> {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message))
        .remove(0);
    parsed.kernel
}

/// Returns the codes of the checker; `None` for a finding that is not about order.
fn checked(kernel: &Kernel) -> Option<Vec<Code>> {
    let found = check(kernel, Chip::default_chip())
        .err()
        .unwrap_or_default();
    let errors: Vec<Code> = found
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.code)
        .collect();
    errors
        .iter()
        .all(|code| matches!(code, Code::J0413 | Code::J0414))
        .then_some(errors)
}

/// Runs one block.
fn run(kernel: &Kernel) -> Result<(), RunError> {
    let lowered = lower(kernel, 0, Chip::default_chip())
        .unwrap_or_else(|_| panic!("a queue kernel lowers"))
        .lowered;
    let [x, mut y] = [(); 2].map(|()| Array::zeros(DType::F32, &[ALL]).unwrap());
    let kernels = std::slice::from_ref(&lowered);
    Launch::lowered(kernels, Chip::default_chip())
        .pipes(true)
        .input("x", &x)
        .inout("y", &mut y)
        .run()
        .map(|_| ())
}

/// Makes a kernel of statements; its tensors hold numbers before them.
fn kernel_of(body: &[String]) -> String {
    format!(
        "#[kernel]\nfn k(#[shape({ALL})] x: &GlobalTensor<f32>, #[inplace] #[shape({ALL})] y: &mut GlobalTensor<f32>) {{\n\
         let all = LocalTensor::<f32>::new(VecCalc, 0, {});\nvec::duplicate(&all, 0.0, {});\npipe_barrier::<PIPE_ALL>();\n{}\n}}\n",
        8 * TILE,
        8 * TILE,
        body.join("\n")
    )
}

/// Makes a chain of calls on one or two buffers in each iteration, with every flag that it needs.
fn right(rng: &mut TestRng) -> Vec<String> {
    let buffers = rng.random_range(1..=2);
    let turns = rng.random_range(0..=4);
    let id = if buffers == 1 {
        "0".to_string()
    } else {
        "i % 2".to_string()
    };
    // The scalar unit does nothing, reads, or also writes.
    let scalar = rng.random_range(0..4);
    let back = ["MTE3_MTE2", "MTE3_V", "MTE3_S"][rng.random_range(0..3)];
    let mut out = Vec::new();
    let ids = 0..buffers;
    // If the vector unit returns what it read, source and destination are two tensors. A wait of
    // the scalar unit holds for every pipe.
    let ways: &[&str] = match back {
        "MTE3_V" => &["V_MTE2", "MTE3_V"],
        "MTE3_MTE2" => &["MTE3_MTE2"],
        _ => &[],
    };
    for (way, id) in ways
        .iter()
        .flat_map(|way| ids.clone().map(move |id| (way, id)))
    {
        out.push(format!("set_flag::<{way}>({id});"));
    }
    out.push(format!("for i in 0..{turns} {{"));
    let place = |name: &str, at: i64| {
        let step = if buffers == 1 {
            String::new()
        } else {
            format!(" + i % 2 * {}", TILE * 4)
        };
        format!(
            "let {name} = LocalTensor::<f32>::new(VecCalc, {}{step}, {TILE});",
            at * TILE * 4
        )
    };
    out.push(place("a", 0));
    let to = if back == "MTE3_V" {
        out.push(place("b", 2));
        "b"
    } else {
        "a"
    };
    out.extend(ways.first().map(|way| format!("wait_flag::<{way}>({id});")));
    out.push(format!("data_copy(&a, x.slice(i * {TILE}, {TILE}));"));
    out.push(format!("set_flag::<MTE2_V>({id});"));
    out.push(format!("wait_flag::<MTE2_V>({id});"));
    if back == "MTE3_V" {
        out.push(format!("wait_flag::<MTE3_V>({id});"));
    }
    out.push(format!("vec::adds(&{to}, &a, 1.0, {TILE});"));
    if scalar > 1 {
        out.extend([
            "set_flag::<V_S>(3);".to_string(),
            "wait_flag::<V_S>(3);".to_string(),
        ]);
        out.push(format!(
            "let s = {to}.get_value({});",
            rng.random_range(0..TILE)
        ));
    }
    if scalar > 2 {
        out.push(format!("{to}.set_value({}, s);", rng.random_range(0..TILE)));
        out.extend([
            "set_flag::<S_V>(4);".to_string(),
            "wait_flag::<S_V>(4);".to_string(),
        ]);
    }
    out.push(format!("vec::muls(&{to}, &{to}, 2.0, {TILE});"));
    if back == "MTE3_V" {
        out.push(format!("set_flag::<V_MTE2>({id});"));
    }
    out.push(format!("set_flag::<V_MTE3>({id});"));
    out.push(format!("wait_flag::<V_MTE3>({id});"));
    out.push(format!("data_copy(y.slice(i * {TILE}, {TILE}), &{to});"));
    out.push(format!("set_flag::<{back}>({id});"));
    if back == "MTE3_S" {
        out.push(format!("wait_flag::<MTE3_S>({id});"));
    }
    out.push("}".to_string());
    for (way, id) in ways
        .iter()
        .flat_map(|way| ids.clone().map(move |id| (way, id)))
    {
        out.push(format!("wait_flag::<{way}>({id});"));
    }
    out
}

/// Leaves out, moves or renames something.
fn mutated(rng: &mut TestRng, lines: &mut Vec<String>) {
    let movable = |line: &String| {
        !line.starts_with("for") && !line.starts_with('}') && !line.starts_with("let")
    };
    let all: Vec<usize> = (0..lines.len()).filter(|i| movable(&lines[*i])).collect();
    let at = all[rng.random_range(0..all.len())];
    match rng.random_range(0..6) {
        0 | 1 => _ = lines.remove(at),
        2 => {
            let line = lines.remove(at);
            let to = all[rng.random_range(0..all.len())].min(lines.len());
            lines.insert(to, line);
        }
        3 => lines[at] = lines[at].replace("(i % 2)", "(0)").replace("(0);", "(1);"),
        4 => {
            let barrier = ["PIPE_V", "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL"][rng.random_range(0..4)];
            lines[at] = format!("pipe_barrier::<{barrier}>();");
        }
        _ => {
            let offset = rng.random_range(0..4) * TILE / 2;
            lines[at] = lines[at].replace("y.slice(i * 64", &format!("y.slice(i * {offset}"));
        }
    }
}

#[test]
fn the_checker_and_a_run_agree_about_what_authors_order_by_hand() {
    let (cases, mut rng) = drawn("by_hand", 200, 3000);
    let (mut clean, mut wrong, mut other) = (0, [0, 0], 0);
    for case in 0..cases {
        let mut lines = right(&mut rng);
        let changes = case % 3;
        (0..changes).for_each(|_| mutated(&mut rng, &mut lines));
        let text = kernel_of(&lines);
        // A name that was moved before its definition is another mistake.
        let Some((kernel, found)) = read(&text)
            .and_then(|kernel| Some((checked(&kernel)?, kernel)))
            .map(|(f, k)| (k, f))
        else {
            assert!(changes > 0, "a right kernel is refused\n{text}");
            other += 1;
            continue;
        };
        let ran = run(&kernel);
        let fault = ran.as_ref().err().map(|error| {
            error
                .fault()
                .unwrap_or_else(|| panic!("refused: {error}\n{text}"))
                .code
        });
        match fault {
            None => {
                assert_eq!(found, [], "nothing shows in a run\n{text}");
                clean += 1;
            }
            Some(Code::J0810) => wrong[0] += 1,
            Some(Code::J0809) => wrong[1] += 1,
            Some(code) => panic!("{code} {ran:?}\n{text}"),
        }
        assert!(
            changes > 0 || fault.is_none(),
            "a right kernel stops: {ran:?}\n{text}"
        );
        if let Some(fault) = fault {
            let due = if fault == Code::J0810 {
                Code::J0413
            } else {
                Code::J0414
            };
            assert_eq!(found.first(), Some(&due), "the run says {ran:?}\n{text}");
        }
    }
    // A short run has more variance.
    let (least, most) = if cases < 600 {
        (cases / 40, cases / 5)
    } else {
        (cases / 20, cases / 10)
    };
    assert!(
        clean >= cases / 3 && wrong.iter().all(|n| *n >= least) && other < most,
        "{clean} {wrong:?} {other}"
    );
}
