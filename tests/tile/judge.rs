//! One random kernel on all readers.

use super::agree::{compare, run, simulated, Case};
use super::build::Made;
use jumar::cpp::Cpp;
use jumar::dsl::check::CheckedKernel;
use jumar::runtime::tile::{Cut, Tile};
use jumar::runtime::{Array, Backend, Overflow};

/// What is wrong with a kernel, where something is. The emitted C++ is asked of a few kernels only.
pub fn judge(made: &Made, cpp: Option<&Cpp>) -> Result<(), String> {
    let kernel = made.case.checked().map_err(|why| format!("refused: {why}"))?;
    let first = simulated(&made.case, &kernel, Overflow::InfNan);
    if let Err(why) = &first {
        // Rows that do not fit a body that does not stream are refused at launch.
        let long = made.wide && why.contains("J0606");
        return if long { Ok(()) } else { Err(format!("simulator: {why}")) };
    }
    if let Some(cpp) = cpp {
        asked(&made.case, &kernel, &first, "emitted C++", cpp)?;
    }
    if !made.ordered {
        let cuts = [("interpreter", Cut::Whole), ("interpreter by halves", Cut::Halves)];
        cuts.iter().try_for_each(|(name, cut)| asked(&made.case, &kernel, &first, name, &Tile::new(*cut, false)))?;
    }
    other_cut(made, &first)
}

fn asked(
    case: &Case,
    kernel: &CheckedKernel,
    first: &Result<Vec<Array>, String>,
    name: &str,
    reader: &dyn Backend,
) -> Result<(), String> {
    let other = run(case, kernel, Overflow::InfNan, Some(reader));
    compare(case, first, name, &other).map_or(Ok(()), Err)
}

/// The same kernel without overrides must give the same bits: no result depends on how the work is cut.
fn other_cut(made: &Made, first: &Result<Vec<Array>, String>) -> Result<(), String> {
    if made.ordered || made.plain == made.case.text {
        return Ok(());
    }
    let case = Case { text: made.plain.clone(), ..made.case.clone() };
    let kernel = case.checked().map_err(|why| format!("refused without overrides: {why}"))?;
    let other = simulated(&case, &kernel, Overflow::InfNan);
    if made.wide && other.as_ref().is_err_and(|why| why.contains("J0606")) {
        return Ok(());
    }
    compare(&case, first, "without overrides", &other).map_or(Ok(()), Err)
}

/// The emitted C++, its pipes in the random order of a seed.
pub fn racing(seed: u64) -> Cpp {
    Cpp::new(Some(seed), false)
}
