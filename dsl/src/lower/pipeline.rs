//! The passes that every body of one loop goes through, and how each is held to what a kernel is.

use super::gap::{Gap, Made};
use super::lowering::Note;
use super::nest;
use super::nest::Nest;
use super::tile::fuse::{softmax, variance};
use super::tile::{accumulate_in_place, fuse, hoist, merge_windows, stream, unroll};
use super::type_queries::Binding;
use crate::dtype::DType;
use crate::ir::verify::verify_pass;
use crate::ir::{Body, Kernel, LoopId, Scalar, SpanId, Stmt, StmtKind, TensorRef};

/// When the passes are held to what a kernel is.
#[derive(Clone, Copy, PartialEq)]
pub enum Verify {
    /// After the last one.
    Result,
    /// After each one: a fault names the pass, and none goes unseen because a later one repairs it.
    EachPass,
}

impl Verify {
    /// Builds with debug assertions hold each pass to it, and so do all tests.
    pub const DEFAULT: Verify = if cfg!(debug_assertions) { Verify::EachPass } else { Verify::Result };
}

/// What a phase knows of a scalar that one before it has read: that the core knows it.
fn without_tile(s: &Stmt) -> Stmt {
    let kind = match &s.kind {
        StmtKind::Read { var, .. } => StmtKind::LetScalar { var: *var, value: Scalar::cast(var.ty(), Scalar::BlockIdx) },
        kind => kind.clone(),
    };
    Stmt { kind, span: s.span }
}

/// Loops that passes have put in.
#[derive(Default)]
pub struct Inserted {
    /// Those that store zeros, with their tensors.
    pub fills: Vec<(LoopId, TensorRef)>,
    /// Those that count, each with the one that packs what it counts.
    pub twins: Vec<[LoopId; 2]>,
}

/// A kernel with the element types of one instance.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    pub kernel: &'a Kernel,
    pub types: &'a [DType],
    pub binding: &'a Binding<'a>,
    pub verify: Verify,
}

impl Own<'_> {
    /// Holds what a pass made to be a body of the kernel.
    pub fn verified(self, pass: &str, body: &Body) -> Made<()> {
        self.verified_behind(pass, &[], body)
    }

    /// The same of a body that stands behind statements.
    pub fn verified_behind(self, pass: &str, before: &[Stmt], body: &Body) -> Made<()> {
        if self.verify == Verify::Result {
            return Ok(());
        }
        let all = Body { stmts: before.iter().map(without_tile).chain(body.stmts.iter().cloned()).collect(), ..body.clone() };
        verify_pass(self.kernel, &all, self.types).map_err(|fault| Gap::fault(&format!("the pass `{pass}`"), &fault))
    }

    /// The body as it becomes queues and buffers.
    pub fn arranged(self, (body, nest): (&Body, &Nest), before: &[Stmt]) -> Made<(Body, Nest)> {
        let joined = accumulate_in_place::onto(body, nest);
        self.verified_behind("accumulate_in_place", before, &joined)?;
        let mut body = Body { stmts: hoist::hoist(&joined), ..joined };
        self.verified_behind("hoist", before, &body)?;
        hoist::loads_first(&mut body.stmts);
        self.verified_behind("loads_first", before, &body)?;
        if unroll::unroll(&mut body, nest) {
            self.verified_behind("unroll", before, &body)?;
        }
        if merge_windows::hull(&mut body, nest) {
            self.verified_behind("merge_windows", before, &body)?;
        }
        let nest = nest.with_hulls(&body);
        Ok((body, nest))
    }
}

/// Which passes of a streamed form become one.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Joins {
    None,
    /// Sums of exponentials beside their maximum.
    Online,
    /// And squares of differences beside their mean.
    All,
}

/// The streamed form of a kernel of one loop, behind statements, and where two of its passes are one; `None` where there is none.
pub fn streamed(
    binding: &Binding<'_>,
    (body, nest): (&Body, &Nest),
    before: &[Stmt],
    joins: Joins,
) -> Made<Option<(Body, Vec<Note>)>> {
    // As many rows as the author gives are whole in UB, or the launch is refused: a streamed form would never be chosen.
    let given = nest::outer(body)?.specs.iter().any(|spec| spec.size.given().is_some());
    // A scalar that is read stands for one value of a tile, not for its parts, and so does what is shown; and a range that hangs from it, or
    // from loops around it, stands where the author put it.
    let mut reads = false;
    body.walk(&mut |s| {
        reads |= match &s.kind {
            StmtKind::Loop { tile } => tile.specs.iter().any(|spec| spec.length.is_some()),
            kind => matches!(kind, StmtKind::Read { .. } | StmtKind::Dump { .. }),
        }
    });
    let Some(mut streamed) = (!given && !reads).then(|| stream::stream(binding, body, nest)).flatten() else { return Ok(None) };
    let mut notes = Vec::new();
    let mut note = |spans: Vec<SpanId>, what: &str| {
        let text = format!(
            "where rows are too long for UB, {what}, in one pass where there were two; its rounding is another one, and `.exact()` on \
             the loop keeps both passes"
        );
        notes.extend(spans.into_iter().map(|span| Note { span, text: text.clone() }));
    };
    let exact = nest::outer(body)?.exact;
    let authors = fuse::loops(body);
    if joins >= Joins::Online && !exact {
        note(softmax::online(binding, &mut streamed, &authors), "this sum of exponentials is found beside the maximum");
    }
    if joins >= Joins::All && !exact {
        let lets = fuse::lets(before, &streamed);
        note(variance::chan(binding, &mut streamed, &authors, &lets), "this sum of squares is found beside the mean");
    }
    Ok(Some((streamed, notes)))
}
