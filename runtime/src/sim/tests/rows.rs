//! Copies of rows with fields that an author wrote: a run shows what the checker says of them.

use super::drawn;
use crate::{Array, Launch};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::lower::lower;
use jumar_dsl::soc::Chip;
use proptest::prelude::RngExt;
use proptest::test_runner::TestRng;

/// The elements in GM and in UB.
const GM: usize = 1024;
const UB: usize = 512;

/// Fields of a copy: offset in GM, columns, rows, pitch in GM, offset in UB, pitch there, elements
/// before a row.
type Numbers = [i64; 7];

fn right(rng: &mut TestRng, whole: bool) -> Numbers {
    let lanes = 8;
    let unit = if whole { lanes } else { 1 };
    let cols = rng.random_range(1..=40 / unit) * unit;
    let (rows, lead) = (
        rng.random_range(1..=6),
        if whole { 0 } else { rng.random_range(0..lanes) },
    );
    let filled = (lead + cols + lanes - 1) / lanes * lanes;
    [
        rng.random_range(0..100),
        cols,
        rows,
        cols + rng.random_range(0..=24 / unit) * unit,
        rng.random_range(0..=4) * lanes,
        filled + rng.random_range(0..=3) * lanes,
        lead,
    ]
}

/// Makes a kernel on one block; all of UB that it declares holds numbers.
fn kernel_of(
    [at, cols, rows, pitch, local, apart, lead]: Numbers,
    whole: bool,
    into: bool,
) -> String {
    let pad = if whole || !into {
        String::new()
    } else {
        format!(".pad({lead}, 0.5)")
    };
    let name = if whole { "data_copy" } else { "data_copy_pad" };
    let (gm, ub) = (
        format!("slice({at}, {cols}).rows({rows}, {pitch})"),
        format!("&l.at({local}).rows({apart})"),
    );
    let copy = match into {
        true => format!("{name}({ub}, x.{gm}{pad});"),
        false => format!("{name}(y.{gm}, {ub});"),
    };
    format!(
        "#[kernel]\nfn k(#[shape({GM})] x: &GlobalTensor<f32>, #[inplace] #[shape({GM})] y: &mut GlobalTensor<f32>) {{\n\
         if get_block_idx() == 0 {{\nlet l = LocalTensor::<f32>::new(VecCalc, 0, {UB});\nvec::duplicate(&l, 0.0, {UB});\npipe_barrier::<PIPE_ALL>();\n{copy}\n\
         pipe_barrier::<PIPE_ALL>();\ndata_copy(y.slice(0, 8), &l);\n}}\n}}\n"
    )
}

#[test]
fn wrong_numbers_of_rows_are_refused_and_right_ones_run() {
    let (cases, mut rng) = drawn("rows", 60, 3000);
    let mut found = [0u64; 2];
    for case in 0..cases {
        let (whole, into) = (case % 3 == 0, case % 2 == 0);
        let mut numbers = right(&mut rng, whole);
        if case % 5 != 0 {
            let changed = rng.random_range(0..if whole || !into { 6 } else { 7 });
            let by = [-40, -8, -3, -1, 1, 4, 8, 64, 900, 4096][rng.random_range(0..10)];
            numbers[changed] = (numbers[changed] + by).max(0);
        }
        let text = kernel_of(numbers, whole, into);
        let kernel = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message))
            .remove(0)
            .kernel
            .expect("a kernel");
        let told = check(&kernel, Chip::default_chip())
            .err()
            .unwrap_or_default();
        let codes: Vec<Code> = told.iter().map(|d| d.code).collect();
        let lowered = lower(&kernel, 0, Chip::default_chip())
            .unwrap_or_else(|_| panic!("a queue kernel lowers"))
            .lowered;
        let [x, mut y] = [(); 2].map(|()| Array::zeros(DType::F32, &[GM]).unwrap());
        let kernels = std::slice::from_ref(&lowered);
        let run = Launch::lowered(kernels, Chip::default_chip())
            .input("x", &x)
            .inout("y", &mut y)
            .run()
            .map(|_| ());
        // With a single row the pitches do not matter; without rows no address does.
        let is_said = numbers[2] > 1 && numbers[1] > 0;
        match (codes.is_empty(), &run) {
            (true, Ok(())) => found[0] += 1,
            (false, Err(_)) => found[1] += 1,
            (false, Ok(())) if !is_said || codes.contains(&Code::J0306) => {}
            _ => panic!("{codes:?}, but {run:?}\n{text}"),
        }
    }
    assert!(found.iter().all(|n| *n > cases / 12), "{found:?}");
}
