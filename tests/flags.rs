//! Cross-core flags at queue level: drawn kernels, some of them wrong, on the simulator and as C++.
//! Both must accept and refuse alike.
//!
//! `JUMAR_FLAGS` is the number of drawn kernels.

use jumar::cpp::Cpp;
use jumar::dsl::diag::Code;
use jumar::load::check_text;
use jumar::runtime::{Backend, Launch};
use jumar_kit::tier;
use ndarray::Array1;
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Parts of `y`; each of the four blocks owns a quarter of each.
const PARTS: usize = 3;

/// Writes a right kernel. Each part is stored, flagged, and read from another block's quarter; the
/// loaded elements are stored to the next part.
fn right(rng: &mut TestRng) -> Vec<String> {
    let mut out = Vec::new();
    for part in 0..PARTS {
        let (id, away) = (rng.random_range(0..16), rng.random_range(1..4) * 8);
        let (own, other) = (part * 32, format!("{} + (at + {away}) % 32", part * 32));
        out.push(format!("data_copy(y.slice({own} + at, 8), &a);"));
        // Pipe V may set the flag for the copies once it has waited for them.
        let by_vector = rng.random_range(0..3) == 0;
        if by_vector {
            out.push("set_flag::<MTE3_V>(1); wait_flag::<MTE3_V>(1);".to_string());
        }
        out.push(format!(
            "cross_core_set_flag::<0, PIPE_{}>({id});",
            if by_vector { "V" } else { "MTE3" }
        ));
        if rng.random_range(0..2) == 0 {
            out.push("vec::duplicate(&b, 3.0, 8);".to_string());
        }
        out.push(format!("cross_core_wait_flag({id});"));
        out.push(format!("data_copy(&a, y.slice({other}, 8));"));
        out.push("set_flag::<MTE2_V>(0); wait_flag::<MTE2_V>(0);".to_string());
        out.push("vec::adds(&a, &a, 1.0, 8);".to_string());
        out.push("set_flag::<V_MTE3>(0); wait_flag::<V_MTE3>(0);".to_string());
    }
    out
}

/// Plants a mistake: moves a line, replaces a pipe or a place, or puts a line under a condition.
/// The barriers order accesses of one core, so only the order between cores is wrong.
fn mutated(rng: &mut TestRng, lines: &mut Vec<String>) {
    const ALL: &str = "pipe_barrier::<PIPE_ALL>();";
    let crossing = |line: &String| line.starts_with("data_copy") || line.starts_with("cross_core");
    let all: Vec<usize> = (0..lines.len()).filter(|i| crossing(&lines[*i])).collect();
    let at = all[rng.random_range(0..all.len())];
    match rng.random_range(0..9) {
        0..=3 => {
            let line = lines.remove(at);
            let to = (at + rng.random_range(0..7))
                .saturating_sub(3)
                .min(lines.len());
            lines.splice(to..to, [line, ALL.to_string()]);
        }
        4..=6 => {
            lines[at] = lines[at].replace("PIPE_MTE3>", "PIPE_MTE2>");
            let wait = lines[at..]
                .iter()
                .position(|line| line.starts_with("cross_core_wait"))
                .map_or(lines.len(), |i| at + i + 1);
            lines.insert(wait, ALL.to_string());
        }
        7 => lines[at] = lines[at].replace("% 32", "% 24"),
        _ => lines[at] = format!("if get_block_idx() != n {{ {} }}", lines[at]),
    }
}

fn text(lines: &[String]) -> String {
    format!(
        "#[kernel]\npub fn k(#[shape(32)] x: &GlobalTensor<f32>, #[inplace] #[shape({})] y: &mut GlobalTensor<f32>, n: usize) {{\n\
         require(n < 9);\nlet share = split(4).block_dim(4); let at = share.start() * 8;\n\
         let (a, b) = (LocalTensor::<f32>::new(VecCalc, 0, 8), LocalTensor::<f32>::new(VecCalc, 32, 8));\n\
         data_copy(&a, x.slice(at, 8)); set_flag::<MTE2_MTE3>(0); wait_flag::<MTE2_MTE3>(0);\n{}\npipe_barrier::<PIPE_ALL>();\n}}\n",
        32 * PARTS,
        lines.join("\n")
    )
}

#[test]
fn what_flags_order_and_what_they_do_not_two_readers_know() {
    let (seed, cases) = (tier::seed(), tier::cases("JUMAR_FLAGS", 6, 180));
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &tier::seed_bytes(seed));
    let (mut clean, mut stopped, mut refused) = (0, 0, 0);
    for case in 0..cases {
        let mut lines = right(&mut rng);
        (0..case % 3).for_each(|_| mutated(&mut rng, &mut lines));
        let text = text(&lines);
        let file = check_text("kernel.rs", &text, None);
        if file.has_errors() {
            assert!(case % 3 > 0, "{}\n{text}", file.render(false));
            refused += 1;
            continue;
        }
        let kernel = &file.kernels()[0].checked[0];
        let x = Array1::from_iter((0..32).map(|i| i as f32));
        let built = Cpp::new(Some(seed + case), false);
        let [own, other] = [None, Some(&built as &dyn Backend)].map(|backend| {
            let mut y = Array1::<f32>::zeros(32 * PARTS);
            let launch = Launch::new(kernel)
                .input("x", &x)
                .inout("y", &mut y)
                .attr("n", 9usize - 1);
            let ran = match backend {
                Some(backend) => launch.backend(backend).run(),
                None => launch.pipes(true).run(),
            };
            ran.map(|_| y).map_err(|e| (e.code(), e.to_string()))
        });
        match (&own, &other) {
            (Ok(own), Ok(other)) => {
                assert_eq!(own, other, "{text}");
                clean += 1;
            }
            (Err((Code::J0809 | Code::J0810 | Code::J0811, _)), Err(_)) if case % 3 > 0 => {
                stopped += 1
            }
            _ => panic!(
                "JUMAR_SEED={seed}, case {case}: the simulator: {own:?}\nC++: {other:?}\n{text}"
            ),
        }
    }
    assert!(clean >= cases / 3, "{clean} {stopped} {refused}");
    // A small sample may lack a kind of mutant.
    assert!(
        cases < 36 || stopped >= cases / 18 && refused < cases / 2,
        "{clean} {stopped} {refused}"
    );
}
