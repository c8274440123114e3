//! A bound launch, item by item, and a launch that is running.

use super::arguments::{given_shapes, Argument};
use super::Report;
use crate::plan::Item;
use crate::sim::Overflow;
use crate::{Job, JobBytes, Ran, RunError, Shown, Underway};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::{Lowered, Per, Role, Signature};
use jumar_dsl::tiling::Tiling;

/// The result of beginning an item.
pub(super) enum Begun<'a> {
    Ended(Ran),
    Underway(Box<dyn Underway + 'a>),
}

/// A launch whose arguments fit the kernel.
pub(super) struct Bound<'a> {
    pub(super) sig: &'a Signature,
    pub(super) lowered: &'a Lowered,
    pub(super) arguments: Vec<Vec<Argument<'a>>>,
    pub(super) items: Vec<Item>,
}

impl Bound<'_> {
    /// Names the item in an error, where there are several items.
    pub(super) fn said_of(&self, e: RunError, item: usize) -> RunError {
        match self.sig.lists().next() {
            Some(_) => e.of_item(item),
            None => e,
        }
    }

    /// Returns the report as it is before the run.
    pub(super) fn report(&self) -> Report {
        let items: Vec<Tiling> = self.items.iter().map(|item| item.tiling.clone()).collect();
        let blocks = items
            .iter()
            .map(|tiling| tiling.block_dim)
            .max()
            .unwrap_or(0);
        Report {
            items,
            instance: self.lowered.instance,
            blocks,
            turns: 0,
            shown: Shown::default(),
            open: Vec::new(),
            read: Vec::new(),
            device_time: None,
        }
    }

    /// True if no item writes to a tensor of another one.
    pub(super) fn are_apart(&self) -> bool {
        self.items.len() < 2
            || self
                .sig
                .tensors()
                .all(|(_, param, role, _)| role == Role::In || param.per == Per::Item)
    }

    /// Calls `f` with the job of an item.
    pub(super) fn with_job<R>(
        &mut self,
        kernel: &CheckedKernel,
        overflow: Overflow,
        nth: usize,
        f: impl FnOnce(Job<'_>) -> R,
    ) -> R {
        let shapes = given_shapes(self.sig, &self.arguments, nth);
        let tensors = of_item(self.sig, &mut self.arguments, nth);
        let tensors = tensors
            .filter_map(|(name, a)| a.map(|a| (name, a.job_bytes())))
            .collect::<Vec<_>>();
        let shapes = shapes.iter().map(Vec::as_slice).collect();
        let Item {
            dims,
            attrs,
            tiling,
        } = &self.items[nth];
        f(Job {
            kernel,
            instance: self.lowered.instance,
            dims,
            attrs,
            tiling,
            overflow,
            tensors,
            shapes,
        })
    }

    /// Returns the bytes of the tensors that an item writes, in order.
    pub(super) fn written(&mut self, nth: usize) -> Vec<&mut [u8]> {
        let bytes =
            of_item(self.sig, &mut self.arguments, nth).filter_map(|(_, a)| match a?.job_bytes() {
                JobBytes::Write(bytes) => Some(bytes),
                JobBytes::Read(_) => None,
            });
        bytes.collect()
    }
}

/// Iterates over name and argument of each parameter of an item.
pub(super) fn of_item<'s, 'a>(
    sig: &'s Signature,
    arguments: &'s mut [Vec<Argument<'a>>],
    nth: usize,
) -> impl Iterator<Item = (&'s str, Option<&'s mut Argument<'a>>)> {
    sig.params.iter().zip(arguments).map(move |(param, all)| {
        let at = if param.per == Per::Item { nth } else { 0 };
        (param.name.as_str(), all.get_mut(at))
    })
}

impl Report {
    pub(super) fn join(&mut self, ran: Ran) {
        self.turns += ran.turns;
        self.shown.join(ran.shown);
        self.open.extend(ran.open);
        self.read.push(ran.read);
        self.device_time = self
            .device_time
            .into_iter()
            .chain(ran.device_time)
            .reduce(|a, b| a + b);
    }
}

/// A launch that is running. It borrows the arrays that it writes until [`Running::wait`]. Dropping
/// it ends the launch without writing to them.
///
/// ```compile_fail
/// # fn show(kernel: &jumar_dsl::check::CheckedKernel) -> Result<(), jumar_runtime::RunError> {
/// # let x = ndarray::Array1::<f32>::zeros(8);
/// let mut y = ndarray::Array1::<f32>::zeros(8);
/// let running = jumar_runtime::Launch::new(kernel).input("x", &x).output("y", &mut y).start()?;
/// y[0] = 1.0;
/// running.wait()?;
/// # Ok(()) }
/// ```
#[must_use = "what is not waited for gives no results"]
pub struct Running<'a> {
    pub(super) report: Report,
    pub(super) bound: Option<Bound<'a>>,
    /// Items that have not been waited for.
    pub(super) underway: Vec<(usize, Box<dyn Underway + 'a>)>,
}

impl Running<'_> {
    /// True if the launch has ended.
    ///
    /// # Errors
    /// The reason why its state is unknown.
    pub fn is_done(&self) -> Result<bool, RunError> {
        self.underway
            .iter()
            .try_fold(true, |all, (_, one)| Ok(all && one.is_done()?))
    }

    /// Waits for the end of the launch.
    ///
    /// # Errors
    /// As [`Launch::run`](super::Launch::run).
    pub fn wait(self) -> Result<Report, RunError> {
        let Running {
            mut report,
            bound,
            underway,
        } = self;
        let Some(mut bound) = bound else {
            return Ok(report);
        };
        for (nth, one) in underway {
            let ran = one
                .wait(bound.written(nth))
                .map_err(|e| bound.said_of(e, nth))?;
            report.join(ran);
        }
        Ok(report)
    }
}

impl std::fmt::Debug for Running<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Running")
            .field("report", &self.report)
            .field("items_underway", &self.underway.len())
            .finish_non_exhaustive()
    }
}
