//! Checks that results of a launch do not depend on how loops are cut.
//!
//! `acc = acc + part.sum(d)` is a sum. `acc = acc.max(part.sum(d))` is the largest of the sums of
//! tiles, and another number for each tile size. The checker refuses a merge that it does not know
//! to be right (J0214).
//!
//! This module knows no such rule and compares several runs: whole loops, halves, uneven cuts.
//! Small launches also use single indices and lengths near the numbers that the kernel decides by.
//! The caller's data may hide a difference; small launches with exact numbers ([`crate::cuts`]) may
//! show it.

use super::{Cut, Inputs, Tile};
use crate::cuts::{judge, lengths, stored, Effort, Verdict};
use crate::{Array, Backend, Fault, Job, JobBytes, Ran, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{Kernel, SpanId};

/// The tolerance, relative to the largest element of a tensor of floats: two right merges round
/// differently.
const SLACK: f64 = 1.0 / 128.0;
/// The most bytes of all tensors for cuts in single indices.
const SMALL: usize = 1 << 16;
/// The seed of uneven cuts and of the judge's launches. It is fixed, so that a kernel always gets
/// one verdict.
const SEED: u64 = 814;
/// The help for a wrong merge.
const HELP: &str = "merge a part as it was reduced, sums by `+` and maxima by `max`, and compute the rest behind the loop";

/// Runs launches on the tile interpreter with several cuts of loops. Refuses a result that depends
/// on the cut, or that an intermediate overflow loses (J0815).
#[derive(Debug)]
pub struct AnyCut {
    whole: Tile,
}

impl Default for AnyCut {
    fn default() -> Self {
        AnyCut {
            whole: Tile::new(Cut::Whole, true),
        }
    }
}

impl Backend for AnyCut {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let Job {
            kernel,
            instance,
            dims,
            attrs,
            overflow,
            mut tensors,
            ..
        } = job;
        let (kernel, chip) = (kernel.kernel(), kernel.chip());
        let before: Vec<Option<Vec<u8>>> = tensors.iter().map(|(_, bytes)| copy(bytes)).collect();
        let first = tensors
            .iter_mut()
            .map(|(name, bytes)| (*name, again(bytes)))
            .collect();
        self.whole.interpret(
            kernel,
            instance,
            Inputs {
                chip,
                dims,
                attrs,
                overflow,
                tensors: first,
            },
        )?;
        if let Some(fault) = self.whole.overflowed() {
            return Err(RunError::Fault(Box::new(fault)));
        }
        let mut ways = vec![Cut::Halves, Cut::Uneven(SEED)];
        if tensors
            .iter()
            .map(|(_, bytes)| bytes.bytes().len())
            .sum::<usize>()
            <= SMALL
        {
            ways.push(Cut::Singles);
            ways.extend(kernel.tiles().into_iter().flat_map(lengths).map(Cut::By));
        }
        for cut in ways {
            let mut copies = before.clone();
            let second = tensors
                .iter()
                .zip(&mut copies)
                .map(|((name, bytes), copy)| match copy {
                    Some(copy) => (*name, JobBytes::Write(copy)),
                    None => (*name, JobBytes::Read(bytes.bytes())),
                });
            let (other, second) = (Tile::new(cut, true), second.collect());
            other.interpret(
                kernel,
                instance,
                Inputs {
                    chip,
                    dims,
                    attrs,
                    overflow,
                    tensors: second,
                },
            )?;
            let errors = [self.whole.errors(), other.errors()];
            for ((name, bytes), copy) in tensors.iter().zip(&copies) {
                let Some(copy) = copy else { continue };
                let [a, b] = [0, 1].map(|i| {
                    errors[i]
                        .iter()
                        .find(|(own, _)| own == name)
                        .map_or(&[][..], |(_, e)| e)
                });
                agree((kernel, instance), name, cut, [bytes.bytes(), copy], [a, b])?;
            }
        }
        if let Verdict::Differs(found) = judge((kernel, instance, chip), Effort::BESIDE, SEED) {
            let message =
                format!("{found}, in a launch with small numbers of the judge's own: it depends on how loops are cut; {HELP}");
            return Err(refused(kernel, found.span, message));
        }
        Ok(Ran {
            shown: self.whole.shown(),
            alike: self.whole.alike(),
            open: self.whole.open(),
            ..Ran::default()
        })
    }
}

/// Makes J0814 at a place.
fn refused(kernel: &Kernel, span: SpanId, message: String) -> RunError {
    let place = kernel.spans.get(span.index()).copied().unwrap_or_default();
    let (line, column, kernel) = (place.line, place.column, kernel.sig.name.clone());
    RunError::Fault(Box::new(Fault {
        code: Code::J0814,
        message,
        kernel,
        line,
        column,
        block: None,
        tile: None,
    }))
}

/// Copies the contents of a written tensor before the run.
fn copy(bytes: &JobBytes<'_>) -> Option<Vec<u8>> {
    match bytes {
        JobBytes::Read(_) => None,
        JobBytes::Write(bytes) => Some(bytes.to_vec()),
    }
}

fn again<'b>(bytes: &'b mut JobBytes<'_>) -> JobBytes<'b> {
    match bytes {
        JobBytes::Read(bytes) => JobBytes::Read(bytes),
        JobBytes::Write(bytes) => JobBytes::Write(bytes),
    }
}

/// Reports J0814 where the elements of a tensor differ by more than orders of sums and roundings
/// explain.
fn agree(
    (kernel, instance): (&Kernel, usize),
    name: &str,
    cut: Cut,
    bytes: [&[u8]; 2],
    errors: [&[f64]; 2],
) -> Result<(), RunError> {
    let sig = &kernel.sig;
    let Some((_, _, _, ty)) = sig.tensors().find(|(_, p, ..)| p.name == name) else {
        return Err(RunError::refused(
            Code::J0605,
            format!("kernel `{}` has no tensor `{name}`", sig.name),
        ));
    };
    let dtype = ty.resolve(&sig.instances[instance]);
    let numbers = |bytes: &[u8]| {
        Array::from_bytes(dtype, &[bytes.len() / dtype.bytes() as usize], bytes)
            .map(|all| all.to_f64())
    };
    let (Some(whole), Some(other)) = (numbers(bytes[0]), numbers(bytes[1])) else {
        return Err(RunError::refused(
            Code::J0605,
            format!("the bytes of `{name}` are no elements of {dtype}"),
        ));
    };
    let finite = whole.iter().chain(&other).filter(|v| v.is_finite());
    let slack = if dtype.is_float() {
        SLACK * finite.fold(0.0f64, |most, v| most.max(v.abs()))
    } else {
        0.0
    };
    for (at, (a, b)) in whole.iter().zip(&other).enumerate() {
        let error = errors
            .iter()
            .map(|of| of.get(at).copied().unwrap_or(0.0))
            .sum::<f64>();
        let same = a == b || a.is_nan() && b.is_nan();
        let far = (a - b).abs();
        if !same && !error.is_infinite() && (far.is_nan() || far > error + slack) {
            let message = format!(
                "element {at} of `{name}` is {a} where loops are whole and {b} where they are {}: it depends on how loops are cut; {HELP}",
                cut.words()
            );
            return Err(refused(kernel, stored(kernel, name), message));
        }
    }
    Ok(())
}
