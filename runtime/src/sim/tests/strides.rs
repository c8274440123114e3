//! Compares checker and simulator on calls with random masks, strides and offsets: the checker
//! predicts each fault.

use super::ops::array;
use super::partials::random;
use crate::{Array, Launch, Overflow};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::lower::lower;
use jumar_dsl::soc::Chip;

/// The elements of each tensor.
const N: usize = 2048;

type Next<'n> = &'n mut dyn FnMut(u64) -> u64;

fn pick<'s>(next: Next<'_>, all: &[&'s str]) -> &'s str {
    all[next(all.len() as u64) as usize]
}

/// Draws `x.at(..)`, usually at a data block.
fn part(next: Next<'_>, tensor: &str, block: u64) -> String {
    match next(12) {
        0 => format!("{tensor}.at({})", next(N as u64)),
        1..4 => tensor.to_string(),
        _ => format!("{tensor}.at({})", next(N as u64 / block / 2) * block),
    }
}

fn strided(next: Next<'_>, tensor: &str, block: u64) -> String {
    let part = part(next, tensor, block);
    let rep = [1, 4, 8, 16, 40, 300][next(6) as usize];
    match next(3) {
        0 => part,
        _ => format!("{part}.blocks({}, {})", next(5), next(rep)),
    }
}

fn repeats(next: Next<'_>, lanes: u64) -> String {
    let most = [3, 9, 34, 257][next(4) as usize];
    let repeats = 1 + next(most);
    match next(4) {
        0 => format!(
            "bits({:#x}, {:#x}).repeats({repeats})",
            next(1 << 40) | 1,
            if next(3) == 0 { next(1 << 20) } else { 0 }
        ),
        1 => {
            let of = 1 << next(7);
            let to = 1 + next(of + 1);
            format!(
                "lanes({}..{to}).of({of}).groups({}).repeats({repeats})",
                next(to),
                1 + next(lanes / of + 1)
            )
        }
        _ => format!("lanes({}).repeats({repeats})", 1 + next(lanes + 1)),
    }
}

fn extent(next: Next<'_>, lanes: u64) -> String {
    match next(3) {
        0 => format!("counter({})", 1 + next(N as u64 + 64)),
        _ => repeats(next, lanes),
    }
}

fn call(next: Next<'_>, dtype: DType) -> String {
    let (lanes, block) = (256 / dtype.bytes() as u64, 32 / dtype.bytes() as u64);
    let from = pick(next, &["x", "x", "z"]);
    match next(8) {
        0 | 1 => {
            // Half of the calls are in place.
            let dst = strided(next, "z", block);
            let src = if next(2) == 0 {
                dst.clone()
            } else {
                strided(next, from, block)
            };
            format!("vec::adds(&{dst}, &{src}, 1.0, {});", extent(next, lanes))
        }
        2 => {
            let views = [
                strided(next, "z", block),
                strided(next, from, block),
                strided(next, "x", block),
            ];
            format!(
                "vec::add(&{}, &{}, &{}, {});",
                views[0],
                views[1],
                views[2],
                extent(next, lanes)
            )
        }
        3 => format!(
            "vec::copy(&{}, &{}, {});",
            strided(next, "z", block),
            strided(next, from, block),
            repeats(next, lanes)
        ),
        4 => format!(
            "vec::brcb(&{}, &{}, {});",
            strided(next, "z", block),
            part(next, from, block),
            8 * (1 + next(12))
        ),
        _ => {
            let op = pick(
                next,
                &["whole_reduce_sum", "block_reduce_max", "pair_reduce_sum"],
            );
            let results = if next(2) == 0 {
                format!(".results({})", next(6))
            } else {
                String::new()
            };
            format!(
                "vec::{op}(&{}{results}, &{}, {});",
                part(next, "z", block),
                strided(next, from, block),
                extent(next, lanes)
            )
        }
    }
}

/// Returns the first finding of the checker, and the result of the simulator.
fn judged(dtype: DType, call: &str) -> (Option<String>, Option<String>) {
    let d = dtype.name();
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] x: &GlobalTensor<{d}>, y: &mut GlobalTensor<{d}>) {{\nlet share = split(1);\nlet mut pipe = TPipe::new();\n\
         let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());\n\
         pipe.init_buffer(&mut a, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut b, 1, {N} * size_of::<{d}>());\n\
         for i in 0..share.len() {{\nlet x_in = a.alloc_tensor::<{d}>(); data_copy(&x_in, x.slice(0, {N})); a.enque(x_in); let x = a.deque::<{d}>();\n\
         let z = b.alloc_tensor::<{d}>(); vec::duplicate(&z, 1.0, {N});\n{call}\n\
         a.free_tensor(x); b.enque(z); let z = b.deque::<{d}>(); data_copy(y.slice(0, {N}), &z); b.free_tensor(z);\n}}\n}}"
    );
    let chip = Chip::default_chip();
    let kernel = parse_file(&text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0)
        .kernel
        .unwrap_or_else(|| panic!("{text}"));
    let found = match check(&kernel, chip) {
        // Sums of halves round, which stops no run.
        Ok(checked) => checked
            .warnings()
            .iter()
            .find(|d| d.code != Code::J0902)
            .map(|d| d.message.clone()),
        Err(found) => found.first().map(|d| d.message.clone()),
    };
    let lowered = [lower(&kernel, 0, chip)
        .unwrap_or_else(|_| panic!("{text}"))
        .lowered];
    let x = array(dtype, &(0..N).map(|i| (i % 100) as f64).collect::<Vec<_>>());
    let mut y = Array::zeros(dtype, &[N]).unwrap();
    let run = Launch::lowered(&lowered, chip)
        .overflow(Overflow::InfNan)
        .input("x", &x)
        .output("y", &mut y)
        .run();
    (found, run.err().map(|e| e.to_string()))
}

#[test]
fn what_the_checker_says_of_numbers_that_it_knows_is_what_happens() {
    let (mut counts, mut differ) = ([0; 2], Vec::new());
    for (seed, dtype) in [(1, DType::F16), (2, DType::F32)] {
        let mut next = random(seed);
        for _ in 0..1500 {
            let call = call(&mut next, dtype);
            let (found, fault) = judged(dtype, &call);
            counts[usize::from(found.is_some())] += 1;
            if found.is_some() != fault.is_some() {
                differ.push(format!(
                    "{dtype} {call}\n  checker: {found:?}\n  simulator: {fault:?}"
                ));
            }
        }
    }
    assert!(
        differ.is_empty(),
        "{} differ\n{}",
        differ.len(),
        differ[..differ.len().min(12)].join("\n")
    );
    assert!(
        counts.iter().all(|n| *n > 500),
        "right and wrong: {counts:?}"
    );
}
