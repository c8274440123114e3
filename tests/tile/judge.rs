//! One random kernel on all readers.

use super::agree::{compare, run, simulated, Case};
use super::build::Made;
use jumar::cpp::Cpp;
use jumar::dsl::check::CheckedKernel;
use jumar::runtime::{Array, Backend, Overflow};

/// Readers besides the simulator, by name.
pub type Readers<'r> = &'r [(&'static str, &'r dyn Backend)];

/// The readers that every kernel is given to; the emitted C++ is asked of a few kernels only.
pub const READERS: Readers<'static> = &[];

/// What is wrong with a kernel, where something is.
pub fn judge(made: &Made, readers: Readers<'_>) -> Result<(), String> {
    let kernel = made.case.checked().map_err(|why| format!("refused: {why}"))?;
    let first = simulated(&made.case, &kernel, Overflow::InfNan);
    if let Err(why) = &first {
        // Rows that do not fit a body that does not stream are refused at launch.
        let long = made.wide && why.contains("J0606");
        return if long { Ok(()) } else { Err(format!("simulator: {why}")) };
    }
    readers.iter().try_for_each(|(name, reader)| asked(&made.case, &kernel, &first, name, *reader))?;
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
