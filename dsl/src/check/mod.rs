//! The checks that make a kernel a checked kernel.
//!
//! Only [`check`] makes a [`CheckedKernel`]. Emitter, simulator and launcher accept nothing else.
//!
//! | folder | judges |
//! |---|---|
//! | `source` | the kernel as the author wrote it |
//! | `lowered` | every lowered body: bounds, limits, memory, queues |
//! | `order` | the order of accesses, by proof: J0411; J0602 where no proof is found |
//! | `by_hand` | events and cache lines, by running the statements for launches with numbers: J0413, J0414, J0416, J0505 |
//! | `prove` | nothing: it is the prover that all of them ask |
//!
//! The front end checks syntax, names, shapes and symbolic dtypes (J01, the rest of J02). The
//! checks here run once for each dtype instance. Equal findings of several instances become one
//! diagnostic that names them. Start reading at [`check`] and `check_lowered`.

mod by_hand;
mod lowered;
mod order;
mod prove;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use source::ranges::{most_of_ranges, Most};
pub use source::small_shapes::{shapes as small_launches, Shape as SmallLaunch};

use crate::diag::{self, Code, Diagnostic};
use crate::dtype::DType;
use crate::ir::{
    verify_kernel, verify_lowered, BinOp, HostStep, Kernel, Level, Lowered, Scalar, Signature,
    VarId,
};
use crate::lower::library::{around, Over};
use crate::lower::{lower, of_the_lowering, said_whole, Gap, Lowering, WholeAxis};
use crate::ops::{AxisReduceOp, Op};
use crate::soc::Chip;
use lowered::bounds::OpenLimit;
use prove::facts::Facts;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// A kernel that passed every check for one chip, lowered once for each dtype instance.
#[derive(Clone, Debug)]
pub struct CheckedKernel {
    id: u64,
    kernel: Kernel,
    instances: Vec<Lowered>,
    chip: &'static Chip,
    warnings: Vec<Diagnostic>,
    /// Whole axes of each dtype instance.
    whole: Vec<Vec<WholeAxis>>,
}

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl CheckedKernel {
    /// Returns a number that is unique in this process; a clone shares it. It serves caches only
    /// and never reaches any output.
    pub fn id(&self) -> u64 {
        self.id
    }
    /// Returns the kernel as written.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }
    /// Returns the lowered kernels, one for each dtype instance, in the order of the signature.
    pub fn instances(&self) -> &[Lowered] {
        &self.instances
    }
    /// Returns the chip that the kernel was checked for.
    pub fn chip(&self) -> &'static Chip {
        self.chip
    }
    /// Returns the findings that are not errors.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }
    /// Returns the axes that tiles of an instance hold in full, with the most indices that fit in
    /// UB. A launch with more indices is refused.
    pub fn whole_axes(&self, instance: usize) -> &[WholeAxis] {
        self.whole.get(instance).map_or(&[], |whole| whole)
    }
    /// Describes the limits of [`CheckedKernel::whole_axes`]: in one sentence where all instances
    /// agree, else in one for each.
    pub fn refusals(&self) -> Vec<String> {
        let sig = &self.kernel.sig;
        let alike = self.whole.windows(2).all(|two| two[0] == two[1]);
        let said = |(at, whole): (usize, &Vec<WholeAxis>)| {
            let said = said_whole(sig, whole, "UB")?;
            Some(if alike {
                said
            } else {
                format!("{said}, for {}", instance_name(sig, at))
            })
        };
        self.whole
            .iter()
            .take(if alike { 1 } else { usize::MAX })
            .enumerate()
            .filter_map(said)
            .collect()
    }
}

/// Checks `kernel` for `chip`.
///
/// # Errors
/// Returns every error of the kernel, in source order.
pub fn check(kernel: &Kernel, chip: &'static Chip) -> Result<CheckedKernel, Vec<Diagnostic>> {
    if let Err(fault) = verify_kernel(kernel) {
        return Err(vec![Gap::fault("the front end", &fault).into_diagnostic()]);
    }
    let mut found: Vec<(usize, Diagnostic)> = Vec::new();
    let mut judged: Vec<Judged> = Vec::new();
    let mut own = Vec::new();
    source::outputs::check_outputs(kernel, &mut own);
    if let Some(body) = kernel.tiles() {
        source::deterministic::check_order_of_sums(kernel, body, &mut own);
    }
    if !own.is_empty() {
        diag::sort(&mut own);
        return Err(own);
    }
    if let Some(body) = kernel.tiles() {
        source::addresses::check_addresses(kernel, body, &mut own);
        source::loop_scalars::check_scalars(body, &mut own);
        source::cut::check_cut(kernel, body, &mut own);
        if own.is_empty() {
            source::cover::check_cover(kernel, body, chip, &mut own);
        }
        if !own.is_empty() {
            diag::sort(&mut own);
            return Err(own);
        }
    }
    for (index, binding) in kernel.sig.instances.iter().enumerate() {
        let mut own = Vec::new();
        match check_instance(kernel, index, binding, chip, &judged, &mut own) {
            Some(Ok(instance)) => judged.push(instance),
            // The checks have already refused the kernel: a gap of the lowering adds nothing.
            Some(Err(_)) if own.iter().any(Diagnostic::is_error) => {}
            Some(Err(gap)) => own.push(gap.into_diagnostic()),
            None => {}
        }
        found.extend(own.into_iter().map(|d| (index, d)));
    }
    let mut merged = merge(&kernel.sig, found);
    diag::sort(&mut merged);
    if merged.iter().any(Diagnostic::is_error) {
        return Err(merged);
    }
    let (whole, instances) = judged
        .into_iter()
        .map(|judged| (judged.lowering.whole, judged.lowering.lowered))
        .unzip();
    Ok(CheckedKernel {
        id: next_id(),
        kernel: kernel.clone(),
        instances,
        chip,
        warnings: merged,
        whole,
    })
}

/// Checks a kernel that wraps a library function. Every property must be proved. For tests.
///
/// # Errors
/// Returns all findings.
#[doc(hidden)]
pub fn check_library(
    over: Over,
    op: AxisReduceOp,
    dtype: DType,
    chip: &'static Chip,
) -> Result<CheckedKernel, Vec<Diagnostic>> {
    let Some((kernel, lowered)) = around(over, op, dtype, chip) else {
        return Err(vec![Gap::of_kernel(format!(
            "`{}` in the library",
            Op::AxisReduce(op).name()
        ))
        .into_diagnostic()]);
    };
    if let Err(fault) = verify_lowered(&lowered) {
        return Err(vec![Gap::fault("the library", &fault).into_diagnostic()]);
    }
    let found = check_lowered(&lowered, facts_of(&lowered), Level::Queue, &[], chip);
    match found.is_empty() {
        true => Ok(CheckedKernel {
            id: next_id(),
            kernel,
            instances: vec![lowered],
            chip,
            warnings: found,
            whole: Vec::new(),
        }),
        false => Err(found),
    }
}

/// A lowered instance with the findings of the checks for lowered bodies.
struct Judged {
    lowering: Lowering,
    /// Buffer counts of the queues that the author declared.
    buffers: Vec<i64>,
    found: Vec<Diagnostic>,
}

impl Judged {
    /// Reuses this result for another instance, if neither lowering nor rules can tell them apart.
    fn for_instance(&self, instance: usize, buffers: &[i64], chip: &Chip) -> Option<Judged> {
        let lowering = self.lowering.for_instance(instance, chip)?;
        let alike = self.has_sizes_of(&lowering.lowered, buffers);
        alike.then(|| Judged {
            lowering,
            buffers: self.buffers.clone(),
            found: self.found.clone(),
        })
    }

    /// True if element sizes and buffers agree. The rules for lowered bodies depend on the sizes of
    /// elements, never on their types.
    fn has_sizes_of(&self, lowered: &Lowered, buffers: &[i64]) -> bool {
        let bytes = |l: &Lowered| l.binding().iter().map(|t| t.bytes()).collect::<Vec<_>>();
        self.buffers == buffers && bytes(&self.lowering.lowered) == bytes(lowered)
    }

    /// True if the rules give equal findings for `lowered`. Different types may lower to equal
    /// statements.
    fn says_the_same_of(&self, lowered: &Lowered, buffers: &[i64]) -> bool {
        let own = &self.lowering.lowered;
        self.has_sizes_of(lowered, buffers)
            && (&own.cases, &own.variants, &own.funcs)
                == (&lowered.cases, &lowered.variants, &lowered.funcs)
    }
}

fn check_instance(
    kernel: &Kernel,
    index: usize,
    binding: &[DType],
    chip: &'static Chip,
    before: &[Judged],
    found: &mut Vec<Diagnostic>,
) -> Option<Result<Judged, Gap>> {
    if !source::types::dtypes_exist(kernel, binding, chip, found) {
        return None;
    }
    source::types::check_types(kernel, binding, chip, found);
    if let Some(body) = kernel.tiles() {
        source::half_sums::check_half_sums(kernel, body, binding, found);
    }
    source::soc::check_apis(kernel, chip, found);
    let buffers = kernel.queues().map_or_else(Vec::new, |body| {
        source::declared::check_declared(&kernel.sig, body, binding, found)
    });
    let like = before
        .iter()
        .find_map(|judged| judged.for_instance(index, &buffers, chip));
    let judged = match like.map_or_else(|| judge(kernel, index, buffers, chip, before), Ok) {
        Ok(judged) => judged,
        Err(gap) => return Some(Err(gap)),
    };
    if let Some(body) = kernel.tiles() {
        source::positions::check_positions(kernel, body, binding, &judged.lowering.whole, found);
    }
    let mut memory = Vec::new();
    lowered::memory::check_memory(kernel, &judged.lowering, chip, &mut memory);
    let fits = !memory.iter().any(Diagnostic::is_error);
    let lacks_api = found.iter().any(|d| d.code == Code::J0502);
    match kernel.level() {
        Level::Queue => found.extend(judged.found.iter().cloned()),
        // A tile that exceeds UB often exceeds the limits of calls, too; one error is enough.
        Level::Tile => found.extend(
            judged
                .found
                .iter()
                .filter(|d| fits && d.is_error() && !(lacks_api && d.code == Code::J0502))
                .map(of_the_lowering),
        ),
    }
    found.extend(memory);
    if let Some(body) = kernel
        .queues()
        .filter(|_| !found.iter().any(Diagnostic::is_error))
    {
        by_hand::check_events(kernel, body, &judged.lowering.lowered, chip, found);
    }
    Some(Ok(judged))
}

fn judge(
    kernel: &Kernel,
    index: usize,
    buffers: Vec<i64>,
    chip: &'static Chip,
    before: &[Judged],
) -> Result<Judged, Gap> {
    let (mut lowering, mut open) = (lower(kernel, index, chip)?, Vec::new());
    let facts = match kernel.level() {
        Level::Tile => hold_limits(&mut lowering, chip, &mut open),
        Level::Queue => facts_of(&lowering.lowered),
    };
    let same = before
        .iter()
        .find(|judged| judged.says_the_same_of(&lowering.lowered, &buffers));
    let found = match same {
        Some(judged) => judged.found.clone(),
        None if open.is_empty() => {
            check_lowered(&lowering.lowered, facts, kernel.level(), &buffers, chip)
        }
        None => open,
    };
    Ok(Judged {
        lowering,
        buffers,
        found,
    })
}

/// Returns the findings for a lowered body as text. For tests of bodies that no kernel lowers to.
#[doc(hidden)]
pub fn found_in(lowered: &Lowered) -> Vec<String> {
    let Some(chip) = Chip::by_name(&lowered.chip) else {
        return vec![format!("a chip `{}` there is not", lowered.chip)];
    };
    let found = check_lowered(lowered, facts_of(lowered), Level::Queue, &[], chip);
    found
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect()
}

/// Returns the limits of calls for which no proof is found in a lowered body. For tests.
#[doc(hidden)]
pub fn open_limits(lowered: &Lowered) -> Vec<String> {
    let Some(chip) = Chip::by_name(&lowered.chip) else {
        return vec![format!("a chip `{}` there is not", lowered.chip)];
    };
    let said = |limit: OpenLimit| match limit.is_above {
        true => format!("{} may be more than {}", limit.what, limit.most),
        false => format!("{} may be fewer than they must", limit.what),
    };
    let of = |variant| {
        let (open, found, _) = lowered::bounds::open_limits(lowered, variant, chip);
        open.into_iter()
            .map(said)
            .chain(
                found
                    .into_iter()
                    .map(|d| format!("{} {}", d.code, d.message)),
            )
            .collect::<Vec<_>>()
    };
    lowered.variants.iter().flat_map(of).collect()
}

/// Enforces the limits on fields of calls that are not proved. Returns the facts of each variant.
///
/// - A size that the host solves for is solved within the limit.
/// - A variant whose calls take too little for a launch leaves that launch to the next variant. The
///   last variant refuses it.
/// - A bound that the host does not know is an error, J0109.
fn hold_limits(
    lowering: &mut Lowering,
    chip: &'static Chip,
    found: &mut Vec<Diagnostic>,
) -> Vec<Facts> {
    let (mut all, lowered) = (Vec::new(), &mut lowering.lowered);
    // Conditions that the last variant of each case requires.
    let mut of_cases = vec![Vec::new(); lowered.cases.len()];
    for at in 0..lowered.variants.len() {
        let common: BTreeSet<VarId> = lowered
            .case(&lowered.variants[at])
            .steps
            .iter()
            .filter_map(HostStep::sets)
            .collect();
        let mut asked: Vec<Scalar> = Vec::new();
        let (mut open, _, mut facts) =
            lowered::bounds::open_limits(lowered, &lowered.variants[at], chip);
        open.sort_by_key(|limit| limit.most);
        let mut solves_less = false;
        for limit in &open {
            solves_less |= solve_within(lowered, at, limit);
        }
        if solves_less {
            (open, _, facts) = lowered::bounds::open_limits(lowered, &lowered.variants[at], chip);
        }
        for OpenLimit {
            what, most, bound, ..
        } in &open
        {
            let Some(bound) = bound else { continue };
            let cond = bound.clone().bin(BinOp::Le, *most);
            if asked.contains(&cond) {
                continue;
            }
            let (mut before, variant) = (!lowered.is_last(at), &mut lowered.variants[at]);
            cond.walk(&mut |n| before &= !matches!(n, Scalar::Var(var) if !common.contains(var)));
            if before {
                variant.when = variant.when.clone().bin(BinOp::And, cond.clone());
            } else {
                let message = format!("{what}: at most {most} in one call, more are needed here; cut an axis that a tile has from end to end by a loop");
                variant.steps.push(HostStep::Require {
                    cond: cond.clone(),
                    message,
                    of_field: true,
                });
            }
            asked.push(cond);
        }
        if !asked.is_empty() {
            (open, _, facts) = lowered::bounds::open_limits(lowered, &lowered.variants[at], chip);
        }
        all.push(facts);
        of_cases[lowered.variants[at].case] = asked;
        // The simulator checks the lower limits.
        for OpenLimit {
            what, most, span, ..
        } in open.into_iter().filter(|limit| limit.is_above)
        {
            let text =
                format!("this becomes calls of which it could not be proved that {what} are at most {most}: not offered yet");
            let help = "bound what they grow with: `require` a largest size of an axis, or cut it by a loop of its own";
            found.push(Diagnostic::new(Code::J0109, span, text).help(help));
        }
    }
    if of_cases.iter().any(|asked| !asked.is_empty()) {
        lowering.name_whole(&of_cases, chip);
    }
    all
}

/// Caps the `Solve` step of the host that computes the bound of `limit`. True if the cap changed
/// it.
fn solve_within(lowered: &mut Lowered, at: usize, limit: &OpenLimit) -> bool {
    fn is_at_most(size: &Scalar, most: i64) -> bool {
        match size {
            Scalar::Bin(BinOp::Min, a, b) => is_at_most(a, most) || is_at_most(b, most),
            _ => size.as_int().is_some_and(|size| size <= most),
        }
    }
    let Some(Scalar::Var(bound)) = limit.bound else {
        return false;
    };
    let variant = &mut lowered.variants[at];
    let mut steps = lowered.cases[variant.case]
        .steps
        .iter_mut()
        .chain(&mut variant.steps);
    let Some(HostStep::Solve { step, max, .. }) = steps.find(|step| step.sets() == Some(bound))
    else {
        return false;
    };
    let most = limit.most - limit.most % *step;
    let may_be_more = most > 0 && !is_at_most(max, most);
    if may_be_more {
        *max = max.clone().bin(BinOp::Min, most);
    }
    may_be_more
}

fn facts_of(lowered: &Lowered) -> Vec<Facts> {
    lowered
        .variants
        .iter()
        .map(|variant| Facts::of(lowered, variant))
        .collect()
}

/// Applies the rules for lowered bodies, from whichever source. `facts` has one entry for each
/// variant, `buffers` one for each queue that the author declared.
fn check_lowered(
    lowered: &Lowered,
    facts: Vec<Facts>,
    level: Level,
    buffers: &[i64],
    chip: &Chip,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    lowered::funcs::check_funcs(lowered, chip, &mut found);
    if level == Level::Tile {
        source::soc::check_lowered_apis(lowered, chip, &mut found);
    }
    for (variant, mut facts) in lowered.variants.iter().zip(facts) {
        let planned: Vec<i64> = variant
            .body
            .queues
            .iter()
            .map(|q| q.buffers().map_or(i64::MAX, |n| *n.start()))
            .collect();
        lowered::queues::check_queues(
            &lowered.sig,
            &variant.body,
            if buffers.is_empty() {
                &planned
            } else {
                buffers
            },
            &mut found,
        );
        lowered::store_overlap::check_stores(lowered, variant, &facts, &mut found);
        if !facts.proves_le(&variant.block_dim, &Scalar::Int(1)) {
            lowered::uniform::check_meetings(lowered, variant, level, &mut found);
        }
        lowered::items::check_items(lowered, variant, &mut found);
        // `by_hand` runs the bodies whose author orders pipes by hand.
        if !variant.body.orders_by_hand() {
            order::check_order(lowered, variant, level, &mut facts, &mut found);
        }
        lowered::bounds::check_bounds(lowered, variant, level, facts, chip, &mut found);
    }
    found
}

/// Merges findings with one code and one place at several instances into one diagnostic.
fn merge(sig: &Signature, found: Vec<(usize, Diagnostic)>) -> Vec<Diagnostic> {
    let mut merged: Vec<(Diagnostic, Vec<usize>)> = Vec::new();
    for (index, d) in found {
        match merged
            .iter_mut()
            .find(|(m, _)| m.code == d.code && m.span() == d.span())
        {
            Some((_, at)) if at.last() != Some(&index) => at.push(index),
            Some((m, _)) if m.message == d.message => {}
            Some((_, at)) if at.len() > 1 => {}
            _ => merged.push((d, vec![index])),
        }
    }
    let all = sig.instances.len();
    merged
        .into_iter()
        .map(|(d, at)| {
            if all == 1 || at.len() == all {
                return d;
            }
            let names: Vec<_> = at.iter().map(|i| instance_name(sig, *i)).collect();
            d.note(format!("for {}", names.join("; ")))
        })
        .collect()
}

/// Names an instance for messages: `` `T` = f16, `G` = f32 ``.
pub fn instance_name(sig: &Signature, index: usize) -> String {
    let pairs = sig
        .dtypes
        .iter()
        .zip(&sig.instances[index])
        .map(|(p, d)| format!("`{}` = {d}", p.name));
    pairs.collect::<Vec<_>>().join(", ")
}
