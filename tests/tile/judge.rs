//! One random kernel on all readers.
//!
//! The simulator runs the lowered kernel. The tile interpreter runs the source, whole and by
//! halves, and the kernel behind every pass of the lowering. All must give equal bits. If the
//! lowering chooses the order of a sum and the data show it, the simulator must stay within the
//! interpreter's bound.

use super::agree::{compare, run, simulated, Case};
use super::build::Made;
use jumar::dsl::check::{check, CheckedKernel};
use jumar::dsl::ir::{walk_stmts_mut, Kernel, Scalar, StmtKind, TileStmt};
use jumar::dsl::lower::{lower, tile_passes};
use jumar::dsl::tiling::keeps_facts;
use jumar::held::Held;
use jumar::runtime::tile::{Cut, Inputs, Tile};
use jumar::runtime::{Array, Backend, Job, Overflow, RunError};
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of elements of sums in any order that were compared to the bit, within a bound, and not
/// at all.
pub static COMPARED: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

/// Number of compared outputs, and the sum of their open parts in thousandths: a large kernel
/// counts once.
pub static OUTPUTS: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

type Ran = Result<Vec<Array>, String>;

/// Judges a kernel. Only few kernels run as emitted C++, with the pipes in the random order of the
/// seed.
pub fn judge(made: &Made, cpp: Option<u64>) -> Result<(), String> {
    let kernel = made
        .case
        .checked()
        .map_err(|why| format!("refused: {why}"))?;
    typed(&kernel)?;
    let kernel = exact(&made.case, kernel)?;
    let first = simulated(&made.case, &kernel, Overflow::InfNan);
    if let Err(why) = &first {
        // A launch refuses rows that do not fit a body without streaming.
        let long = made.wide && why.contains("J0606");
        return if long {
            Ok(())
        } else {
            Err(format!("simulator: {why}"))
        };
    }
    if let Some(seed) = cpp {
        asked(
            &made.case,
            &kernel,
            &first,
            "emitted C++",
            &Held::new(Some(seed), false),
        )?;
    }
    interpreted(made, &kernel, &first)?;
    other_cut(made, &first)
}

/// Returns the kernel with `.exact()` loops if two passes of a streamed variant would be one, since
/// that rounds otherwise than any order of a sum. The joined variant must run, too.
fn exact(case: &Case, kernel: CheckedKernel) -> Result<CheckedKernel, String> {
    let (written, chip) = (kernel.kernel(), kernel.chip());
    let joins =
        |at: usize| lower(written, at, chip).is_ok_and(|lowering| !lowering.joined.is_empty());
    if !(0..written.sig.instances.len()).any(joins) {
        return Ok(kernel);
    }
    if let Err(why) = simulated(case, &kernel, Overflow::InfNan) {
        // The exact kernel reports rows that are too long for both.
        why.contains("J0606")
            .then_some(())
            .ok_or_else(|| format!("with passes that are joined: {why}"))?;
    }
    let mut written = written.clone();
    let body = written.tiles_mut().expect("a tile kernel");
    walk_stmts_mut(&mut body.stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &mut s.kind {
            tile.exact = true;
        }
    });
    check(&written, chip)
        .map_err(|found| format!("refused where it is exact: {}", found[0].message))
}

/// Checks the types of every scalar of the source and of the lowered kernel.
fn typed(kernel: &CheckedKernel) -> Result<(), String> {
    let lowered = kernel
        .instances()
        .iter()
        .flat_map(|l| l.variants.iter().map(|v| &v.body));
    let mut wrong = None;
    let mut hear = |e: &Scalar| wrong = wrong.take().or(e.check().err());
    lowered.for_each(|body| body.walk(&mut |s| s.scalars(&mut hear)));
    kernel
        .kernel()
        .tiles()
        .into_iter()
        .for_each(|body| body.walk(&mut |s| s.scalars(&mut hear)));
    wrong.map_or(Ok(()), |why| Err(format!("ill typed: {why}")))
}

fn asked(
    case: &Case,
    kernel: &CheckedKernel,
    first: &Ran,
    name: &str,
    reader: &dyn Backend,
) -> Result<(), String> {
    let other = run(case, kernel, Overflow::InfNan, Some(reader));
    compare(case, first, name, &other).map_or(Ok(()), Err)
}

fn interpreted(made: &Made, kernel: &CheckedKernel, first: &Ran) -> Result<(), String> {
    // Passes are compared with the source and not with the simulator, so the first wrong one is
    // found.
    let mut written = None;
    for (name, cut) in [
        ("interpreter", Cut::Whole),
        ("interpreter by halves", Cut::Halves),
    ] {
        let tile = Tile::new(cut, made.ordered);
        let other = run(&made.case, kernel, Overflow::InfNan, Some(&tile));
        if made.ordered {
            within(&made.case, first, name, &other, &tile)?;
        } else {
            compare(&made.case, first, name, &other).map_or(Ok(()), Err)?;
        }
        written.get_or_insert(other);
    }
    let Some(written) = written else {
        return Err("nothing was interpreted".to_string());
    };
    let instances = 0..kernel.kernel().sig.instances.len();
    let all: Vec<_> = instances
        .map(|i| tile_passes(kernel.kernel(), i, kernel.chip()))
        .collect();
    // The arrays choose one instance, so a pass that several instances have runs once. The first
    // wrong pass is named.
    let mut passes: Vec<&str> = Vec::new();
    for (name, _) in all.iter().flatten() {
        if !passes.contains(&&name[..]) {
            passes.push(name);
        }
    }
    passes.iter().try_for_each(|pass| {
        let other = run(
            &made.case,
            kernel,
            Overflow::InfNan,
            Some(&After { pass, all: &all }),
        );
        // Streaming cuts a sum into pieces, with an order of their own.
        if made.ordered {
            return other
                .map(|_| ())
                .map_err(|why| format!("after {pass}: {why}"));
        }
        compare(&made.case, &written, &format!("after {pass}"), &other).map_or(Ok(()), Err)
    })
}

/// Compares the simulator's elements with the interpreter's within their bounds.
fn within(case: &Case, first: &Ran, name: &str, other: &Ran, tile: &Tile) -> Result<(), String> {
    let (Ok(first), Ok(other)) = (first, other) else {
        return compare(case, first, name, other).map_or(Ok(()), Err);
    };
    let errors = tile.errors();
    for ((tensor, simulated), interpreted) in case
        .tensors
        .iter()
        .zip(first)
        .zip(other)
        .filter(|((t, _), _)| t.written)
    {
        let errors = errors
            .iter()
            .find(|(n, _)| *n == tensor.name)
            .map_or(&[][..], |(_, e)| e);
        let (all, open) = (
            simulated.len(),
            errors.iter().filter(|error| error.is_infinite()).count(),
        );
        if let Some(share) = (1000 * open).checked_div(all) {
            OUTPUTS[0].fetch_add(1, Ordering::Relaxed);
            OUTPUTS[1].fetch_add(share as u64, Ordering::Relaxed);
        }
        for (i, (a, b)) in simulated
            .to_f64()
            .into_iter()
            .zip(interpreted.to_f64())
            .enumerate()
        {
            let error = errors.get(i).copied().unwrap_or(0.0);
            let how = if error == 0.0 {
                0
            } else {
                1 + usize::from(error.is_infinite())
            };
            COMPARED[how].fetch_add(1, Ordering::Relaxed);
            let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
            if !same && !(error > 0.0 && (error.is_infinite() || (a - b).abs() <= error)) {
                let at = format!("{}: element {i}", tensor.name);
                return Err(format!(
                    "{at}: simulator {a:e}, {name} {b:e}, which may be off by {error:e}"
                ));
            }
        }
    }
    Ok(())
}

/// Runs the interpreter on a kernel behind a pass. If an instance lacks the pass, or the launch
/// belongs to another case of the host, it runs the source.
struct After<'a> {
    pass: &'a str,
    /// Each instance behind each of its passes.
    all: &'a [Vec<(String, Kernel)>],
}

impl Backend for After<'_> {
    fn run(&self, job: Job<'_>) -> Result<jumar::runtime::Ran, RunError> {
        let after = self.all[job.instance]
            .iter()
            .find(|(name, _)| name == self.pass);
        let Job {
            dims,
            attrs,
            overflow,
            tensors,
            ..
        } = job;
        let is_of_case =
            |kernel: &&Kernel| keeps_facts(&kernel.sig, job.kernel.chip(), dims, attrs);
        let after = after
            .map(|(_, kernel)| kernel)
            .filter(is_of_case)
            .unwrap_or(job.kernel.kernel());
        Tile::default().interpret(
            after,
            job.instance,
            Inputs {
                chip: job.kernel.chip(),
                dims,
                attrs,
                overflow,
                tensors,
            },
        )?;
        Ok(jumar::runtime::Ran::default())
    }
}

/// Compares with the kernel without overrides, since no result depends on the cut of the work.
fn other_cut(made: &Made, first: &Ran) -> Result<(), String> {
    if made.ordered || made.plain == made.case.text {
        return Ok(());
    }
    let case = Case {
        text: made.plain.clone(),
        ..made.case.clone()
    };
    let kernel = exact(
        &case,
        case.checked()
            .map_err(|why| format!("refused without overrides: {why}"))?,
    )?;
    let other = simulated(&case, &kernel, Overflow::InfNan);
    if made.wide && other.as_ref().is_err_and(|why| why.contains("J0606")) {
        return Ok(());
    }
    compare(&case, first, "without overrides", &other).map_or(Ok(()), Err)
}
