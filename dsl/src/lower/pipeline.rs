//! The list of all passes from tile kernel to tile kernel, and the driver that runs it.
//!
//! The driver runs a pass on a kernel, on each of its loops, or on each form of a loop, as the
//! [`Stage`] of the pass says. Behind each pass it verifies the kernel and tells the [`Observer`].

use super::gap::{Gap, Made};
use super::host::tile_sizes::Form;
use super::lowering::Note;
use super::nest;
use super::nest::{Loop, Nest};
use super::tile::fuse::{self, softmax, variance};
use super::tile::split_long_rows::SplitRows;
use super::tile::{
    accumulate_in_place, count_then_pack, cross_core, expand_reductions, hoist, init_accumulators,
    isolate_reads, loads_first, merge_windows, normalize, peephole, settle, share_common,
    split_long_rows, stream, unroll,
};
use super::type_queries::Binding;
use crate::dtype::DType;
use crate::ir::tile::{Body, Stmt};
use crate::ir::verify::verify_pass;
use crate::ir::{Kernel, LoopId, Source, SpanId, TensorRef};
use crate::soc::Chip;
use std::collections::BTreeSet;

/// When a pass runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Once on each kernel.
    Kernel,
    /// On a copy of a kernel whose loop has `.split(d)`.
    Split,
    /// On a tile kernel of several loops, before it becomes phases.
    Phases,
    /// On a copy of each loop, where its whole axes may be too long for UB.
    Streamed,
    /// On each streamed form, where the loop is not `.exact()`.
    Fused,
    /// On each form of each loop, before it becomes queues and buffers.
    Form,
}

impl Stage {
    /// Returns the stage in the words of the documentation.
    pub const fn when(self) -> &'static str {
        match self {
            Stage::Kernel => "once",
            Stage::Split => "on a copy, for a loop with `.split(d)`",
            Stage::Phases => "once, in a kernel of several loops",
            Stage::Streamed => "on a copy of each loop",
            Stage::Fused => "on each streamed form, unless `.exact()`",
            Stage::Form => "on each form of each loop",
        }
    }
}

/// A pass from a tile kernel to one with the same meaning.
pub struct Pass {
    /// The name of its file.
    pub name: &'static str,
    /// Its effect, as a sentence without a subject.
    pub does: &'static str,
    pub stage: Stage,
    /// The pass itself. Returns true if it may have changed the body; false if a streamed or split
    /// form does not exist.
    run: fn(&Instance<'_>, &mut State<'_>) -> Made<bool>,
}

/// Makes a row of the list.
const fn pass(
    name: &'static str,
    does: &'static str,
    stage: Stage,
    run: fn(&Instance<'_>, &mut State<'_>) -> Made<bool>,
) -> Pass {
    Pass {
        name,
        does,
        stage,
        run,
    }
}

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    pass("settle", "gives what is set beside its definition a name from there on", Stage::Kernel, |_, s| {
        settle::run(&mut s.body)
    }),
    pass(
        "normalize",
        "drops casts to the own type and copies of immutable values; resolves `size_of`",
        Stage::Kernel,
        |of, s| {
            normalize::run(&mut s.body, &of.kernel.sig, of.binding);
            Ok(true)
        },
    ),
    pass("init_accumulators", "stores zeros in tensors that are only added to", Stage::Kernel, |of, s| {
        s.inserted.fills = init_accumulators::run(&mut s.body, &of.kernel.sig, of.binding)?;
        Ok(!s.inserted.fills.is_empty())
    }),
    pass("count_then_pack", "gives each loop that appends a twin before it, which counts", Stage::Kernel, |of, s| {
        s.inserted.twins = count_then_pack::run(&mut s.body, &of.kernel.sig)?;
        Ok(!s.inserted.twins.is_empty())
    }),
    pass(
        "expand_reductions",
        "makes means, variances, arguments of maxima and their like of simple reductions",
        Stage::Kernel,
        |of, s| expand_reductions::run(&mut s.body, of.binding).map(|()| true),
    ),
    pass("share_common", "computes common subexpressions once", Stage::Kernel, |_, s| Ok(share_common::run(&mut s.body))),
    pass("peephole", "takes fewer ops where the bits stay the same", Stage::Kernel, |of, s| {
        peephole::run(&mut s.body, of.binding, of.chip);
        Ok(true)
    }),
    pass("isolate_reads", "gives scalars that are read of tiles between loops a phase of their own", Stage::Kernel, |_, s| {
        Ok(isolate_reads::run(&mut s.body))
    }),
    pass("split_long_rows", "divides long rows among the cores instead of the loop over them", Stage::Split, |of, s| {
        s.few = split_long_rows::run(of.binding, s.src()?)?;
        Ok(s.few.iter().map(|few| s.body.clone_from(&few.body)).next().is_some())
    }),
    pass(
        "cross_core",
        "lets each block leave its part of a cross-core reduction in a workspace, and reduces the parts",
        Stage::Phases,
        |of, s| cross_core::run(&mut s.body, &of.kernel.sig, of.binding, of.chip),
    ),
    pass("stream", "cuts whole axes into passes over their parts", Stage::Streamed, |of, s| {
        let Some(streamed) = stream::run(of.binding, s.src()?)? else { return Ok(false) };
        s.authors = fuse::loops(&std::mem::replace(&mut s.body, streamed));
        Ok(true)
    }),
    pass("fuse_softmax", "finds sums of exponentials beside their maximum, in one pass", Stage::Fused, |of, s| {
        let spans = softmax::run(of.binding, &mut s.body, &s.authors);
        Ok(s.note(spans, "this sum of exponentials is found beside the maximum"))
    }),
    pass("fuse_variance", "finds sums of squared differences beside their mean, in one pass", Stage::Fused, |of, s| {
        let lets = fuse::lets(s.before(), &s.body);
        let spans = variance::run(of.binding, &mut s.body, &s.authors, &lets);
        Ok(s.note(spans, "this sum of squares is found beside the mean"))
    }),
    pass("accumulate_in_place", "reduces onto the accumulator instead of adding to it afterwards", Stage::Form, |_, s| {
        let (body, nest) = s.parts()?;
        Ok(accumulate_in_place::run(body, nest))
    }),
    pass("hoist", "moves what does not depend on the tile loop before it", Stage::Form, |_, s| {
        hoist::run(&mut s.body);
        Ok(true)
    }),
    pass("loads_first", "moves loads to the front of their lists", Stage::Form, |_, s| {
        loads_first::run(&mut s.body.stmts);
        Ok(true)
    }),
    pass("unroll", "writes out loops of a few iterations whose loads are windows of one tensor", Stage::Form, |_, s| {
        let (body, nest) = s.parts()?;
        Ok(unroll::run(body, nest))
    }),
    pass("merge_windows", "loads overlapping windows at once", Stage::Form, |_, s| {
        let (body, nest) = s.parts()?;
        Ok(merge_windows::run(body, nest))
    }),
];

/// Receives the kernel after each pass.
pub trait Observer {
    /// Called before a pass runs.
    fn before(&self, _pass: &Pass) {}
    /// Called after a pass that may have changed the kernel, with the kernel as it is now. The name
    /// is that of the pass, with the form and the phase that it ran on.
    fn after(&self, name: &str, kernel: &dyn Fn() -> Kernel);
}

/// When the driver verifies kernels.
#[derive(Clone, Copy, PartialEq)]
pub enum Verify {
    /// Only the result of the whole lowering.
    Result,
    /// The kernel after each pass. A fault then names its pass, and no later pass can repair it
    /// unseen.
    EachPass,
}

impl Verify {
    /// Verifies each pass in builds with debug assertions, which all tests are.
    pub const DEFAULT: Verify = if cfg!(debug_assertions) {
        Verify::EachPass
    } else {
        Verify::Result
    };
}

/// A kernel with the element types of one instance, on a chip.
#[derive(Clone, Copy)]
pub struct Instance<'a> {
    pub kernel: &'a Kernel,
    pub index: usize,
    /// The case, in a kernel that has several.
    pub case: Option<usize>,
    pub types: &'a [DType],
    pub binding: &'a Binding<'a>,
    pub chip: &'static Chip,
    pub verify: Verify,
    pub observer: Option<&'a dyn Observer>,
}

/// The loops that passes have inserted.
#[derive(Clone, Default)]
pub struct Inserted {
    /// The loops that store zeros, with their tensors.
    pub fills: Vec<(LoopId, TensorRef)>,
    /// Pairs of a counting loop and the loop that packs what it counts.
    pub twins: Vec<[LoopId; 2]>,
}

/// The position of a phase within its kernel.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    /// The index of the phase, from 0 on.
    pub at: usize,
    /// The scalars that are known where the phase begins.
    pub before: &'a [Stmt],
    /// Returns the kernel with this body in place of the phase.
    pub whole: &'a dyn Fn(&Body) -> Body,
}

/// A body on its way through the passes.
#[derive(Clone, Default)]
pub struct State<'a> {
    pub body: Body,
    /// The prefix of pass names in this form: `stream`, `split`, or empty.
    form: &'static str,
    /// The phase, in a kernel of several phases.
    within: Option<Within<'a>>,
    /// The axes of a body of one loop, as the stage finds it.
    nest: Option<Nest>,
    /// The loops that the passes of the kernel stage have inserted.
    pub inserted: Inserted,
    /// The form for few long rows.
    pub few: Option<SplitRows>,
    /// Notes about pairs of passes that were fused in a streamed form.
    pub notes: Vec<Note>,
    /// The loops that the author wrote, before streaming added others.
    authors: BTreeSet<LoopId>,
}

impl<'a> State<'a> {
    /// Starts with a body that may have several loops.
    pub fn of_kernel(body: Body) -> State<'a> {
        State {
            body,
            ..State::default()
        }
    }

    /// Starts with a body of one loop, which may be a phase.
    pub fn of_loop(body: Body, nest: &Nest, within: Option<Within<'a>>) -> State<'a> {
        State {
            body,
            nest: Some(nest.clone()),
            within,
            ..State::default()
        }
    }

    /// Sets the form of the loop that the passes work towards.
    pub fn to(self, form: Form) -> State<'a> {
        State {
            form: form.prefix(),
            ..self
        }
    }

    /// Returns the body of one loop, and its axes.
    fn parts(&mut self) -> Made<(&mut Body, &Nest)> {
        let nest = self
            .nest
            .as_ref()
            .ok_or_else(|| Gap::of_kernel("the axes of several loops"))?;
        Ok((&mut self.body, nest))
    }

    fn src(&mut self) -> Made<Loop<'_>> {
        let (body, nest) = self.parts()?;
        Ok(Loop { body, nest })
    }

    fn before(&self) -> &'a [Stmt] {
        self.within.map_or(&[], |within| within.before)
    }

    /// Adds notes about fused passes. Returns true if there are any.
    fn note(&mut self, spans: Vec<SpanId>, what: &str) -> bool {
        let any = !spans.is_empty();
        let text = format!(
            "where rows are too long for UB, {what}, in one pass where there were two; its rounding is another one, and `.exact()` on \
             the loop keeps both passes"
        );
        self.notes.extend(spans.into_iter().map(|span| Note {
            span,
            text: text.clone(),
        }));
        any
    }

    /// Returns the name of a pass with the form and the phase that it ran on.
    fn name_of(&self, pass: &Pass) -> String {
        let form = if pass.stage == Stage::Form || pass.stage == Stage::Phases {
            self.form
        } else {
            ""
        };
        let dash = if form.is_empty() { "" } else { "-" };
        let phase = self
            .within
            .map(|within| format!("{}:", within.at + 1))
            .unwrap_or_default();
        format!("{phase}{form}{dash}{}", pass.name)
    }
}

impl Instance<'_> {
    /// Runs the passes of a stage. Returns true if one of them may have changed the body.
    pub fn run(&self, stage: Stage, state: &mut State<'_>) -> Made<bool> {
        let mut any = false;
        for pass in PASSES.iter().filter(|pass| pass.stage == stage) {
            self.observer
                .into_iter()
                .for_each(|observer| observer.before(pass));
            if (pass.run)(self, state)? {
                any = true;
                self.after(&|| state.name_of(pass), state)?;
            }
        }
        Ok(any)
    }

    /// Verifies the result of a pass, and tells the observer.
    pub fn after(&self, name: &dyn Fn() -> String, state: &State<'_>) -> Made<()> {
        let whole = || {
            state
                .within
                .map_or_else(|| state.body.clone(), |within| (within.whole)(&state.body))
        };
        if self.verify == Verify::EachPass {
            let verified = verify_pass(self.kernel, &whole(), self.types);
            verified.map_err(|fault| Gap::fault(&format!("the pass `{}`", name()), &fault))?;
        }
        let kernel = || Kernel {
            body: Source::Tile(whole()),
            ..self.kernel.clone()
        };
        if let Some(observer) = self.observer {
            let case = self
                .case
                .map(|at| format!("case{}/", at + 1))
                .unwrap_or_default();
            observer.after(&format!("{case}{}", name()), &kernel);
        }
        Ok(())
    }

    /// Runs the form passes. Returns the body of one loop as it becomes queues and buffers, with
    /// its axes.
    pub fn arranged(&self, mut state: State<'_>) -> Made<(Body, Nest)> {
        self.run(Stage::Form, &mut state)?;
        let (body, nest) = state.parts()?;
        let nest = nest.with_hulls(body);
        Ok((state.body, nest))
    }

    /// Returns the streamed form of a loop, with notes about fused passes. Passes are fused only if
    /// `fuses` is set and the loop is not `.exact()`. `None` if the loop has no streamed form.
    pub fn streamed(&self, mut state: State<'_>, fuses: bool) -> Made<Option<(Body, Vec<Note>)>> {
        let exact = nest::outer(&state.body)?.exact;
        if !self.run(Stage::Streamed, &mut state)? {
            return Ok(None);
        }
        if fuses && !exact {
            self.run(Stage::Fused, &mut state)?;
        }
        Ok(Some((state.body, state.notes)))
    }
}
