//! GM through the data cache of the scalar unit: drawn kernels, some of them wrong, on the
//! simulator and as C++.
//!
//! Both must accept and refuse alike, and the simulator must stop at all that the checker refuses.
//! `JUMAR_LINES` is the number of drawn kernels.

use jumar::cpp::Cpp;
use jumar::dsl::diag::Code;
use jumar::load::check_text;
use jumar::runtime::{Backend, Launch};
use jumar_kit::tier;
use ndarray::Array1;
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Elements of a cache line, of a block's part of `y`, and of all of `y`.
const LINE: usize = 16;
const PART: usize = 3 * LINE;
const ALL: usize = 4 * PART;

const BARRIER: &str = "pipe_barrier::<PIPE_ALL>();";

/// Writes a right kernel: elements are set, read and copied. Changed lines are written back, and a
/// line is dropped between a copy to it and a read of it.
fn right(rng: &mut TestRng) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for step in 0..6 {
        let line = rng.random_range(0..3) * LINE;
        let clean = format!("y.data_cache_clean_and_invalid(at + {line});");
        match rng.random_range(0..5) {
            0 => {
                for _ in 0..rng.random_range(1..4) {
                    out.push(format!(
                        "y.set_value(at + {}, {step}.25);",
                        line + rng.random_range(0..LINE)
                    ));
                }
                out.push(clean);
            }
            1 => {
                out.push("vec::adds(&a, &a, 1.0, 8);".to_string());
                out.push(BARRIER.to_string());
                out.push(format!(
                    "data_copy(y.slice(at + {}, 8), &a);",
                    line + rng.random_range(0..2) * 8
                ));
                out.push(BARRIER.to_string());
                out.push(clean);
            }
            2 => out.push(format!(
                "data_copy(&a, y.slice(at + {}, 8));",
                line + rng.random_range(0..2) * 8
            )),
            3 => {
                out.push(format!(
                    "let s{step} = y.get_value(at + {});",
                    rng.random_range(0..PART)
                ));
                out.push(format!(
                    "y.set_value(at + {}, s{step} + 1.5);",
                    line + rng.random_range(0..LINE)
                ));
                out.push(clean);
            }
            _ => {
                out.push(format!(
                    "sync_all(); let at = (at + {}) % {ALL};",
                    rng.random_range(0..4) * PART
                ));
                out.extend(
                    (0..3).map(|i| format!("y.data_cache_clean_and_invalid(at + {});", i * LINE)),
                );
            }
        }
        out.push(BARRIER.to_string());
    }
    out
}

/// Plants a mistake: leaves a line out, exchanges two, or takes another element. Lines are chosen
/// so that the kernel changes.
fn mutated(rng: &mut TestRng, lines: &mut Vec<String>) {
    let kind = rng.random_range(0..6);
    let changes = |i: usize| match kind {
        0..=2 => !lines[i].starts_with("let"),
        3 => {
            i + 1 < lines.len()
                && lines[i] != lines[i + 1]
                && [i, i + 1].iter().all(|i| !lines[*i].starts_with("let"))
        }
        _ => lines[i].contains("(at + "),
    };
    let places: Vec<_> = (0..lines.len()).filter(|i| changes(*i)).collect();
    let at = places[rng.random_range(0..places.len())];
    match kind {
        0..=2 => drop(lines.remove(at)),
        3 => lines.swap(at, at + 1),
        4 => lines[at] = lines[at].replace("(at + ", "(at + 8 + "),
        _ => lines[at] = lines[at].replace("(at + ", "(at + 4 + "),
    }
}

/// Writes the kernel. `hidden` is 0, but the checker cannot know it in every form.
fn text(lines: &[String], hidden: &str) -> String {
    format!(
        "#[kernel]\npub fn k(#[shape(8)] x: &GlobalTensor<i32>, #[inplace] #[shape({ALL})] y: &mut GlobalTensor<f32>) {{\n\
         let share = split(4).block_dim(4); let hidden = {hidden}; let at = share.start().min(3) * {PART} + hidden;\n\
         let mut pipe = TPipe::new(); let mut c = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut c, 1, 32); let a = c.get::<f32>();\n\
         vec::duplicate(&a, 100.0, 8); {BARRIER}\nif hidden > 0 {{ y.set_value(at, 0.0); }}\n{}\n}}\n",
        lines.join("\n")
    )
}

#[test]
fn what_lies_in_caches_two_readers_know() {
    let (seed, cases) = (tier::seed(), tier::cases("JUMAR_LINES", 6, 240));
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &tier::seed_bytes(seed));
    let (mut clean, mut stopped, mut refused, mut alone) = (0, 0, 0, 0);
    for case in 0..cases {
        let mut lines = right(&mut rng);
        (0..case % 3).for_each(|_| mutated(&mut rng, &mut lines));
        let open = text(&lines, "0");
        let checked = check_text("kernel.rs", &open, None);
        assert!(
            case % 3 > 0 || !checked.has_errors(),
            "{}\n{open}",
            checked.render(false)
        );
        let text = text(&lines, "x.get_value(0) as usize");
        let file = check_text("kernel.rs", &text, None);
        assert!(!file.has_errors(), "{}\n{text}", file.render(false));
        let kernel = &file.kernels()[0].checked[0];
        let x = Array1::<i32>::zeros(8);
        let built = Cpp::new(Some(seed + case), false);
        let [own, other] = [None, Some(&built as &dyn Backend)].map(|backend| {
            let mut y = Array1::from_iter((0..ALL).map(|i| i as f32));
            let launch = Launch::new(kernel).input("x", &x).inout("y", &mut y);
            let ran = match backend {
                Some(backend) => launch.backend(backend).run(),
                None => launch.pipes(true).run(),
            };
            ran.map(|_| y).map_err(|e| (e.code(), e.to_string()))
        });
        if checked.has_errors() {
            assert!(
                own.is_err(),
                "the checker alone refuses\n{}\n{open}",
                checked.render(false)
            );
            refused += 1;
        }
        match (&own, &other) {
            (Ok(own), Ok(other)) => {
                assert_eq!(own, other, "{text}");
                clean += 1;
            }
            (Err((Code::J0809 | Code::J0801, _)), Err(_)) if case % 3 > 0 => stopped += 1,
            // The C++ build writes all lines back at the end, as the compiler does. Where a
            // write-back takes other elements with it, C++ stops only if the run loses some.
            (Err((Code::J0809, message)), Ok(_))
                if case % 3 > 0
                    && ["end of the block", "line"]
                        .iter()
                        .any(|w| message.contains(w)) =>
            {
                alone += 1;
            }
            _ => panic!(
                "JUMAR_SEED={seed}, case {case}: the simulator: {own:?}\nC++: {other:?}\n{text}"
            ),
        }
    }
    assert!(clean >= cases / 3, "{clean} {stopped} {refused} {alone}");
    // A small sample may lack a kind of mutant.
    assert!(
        cases < 48 || stopped >= cases / 12 && refused >= cases / 8,
        "{clean} {stopped} {refused} {alone}"
    );
}
