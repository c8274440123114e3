//! A tile kernel after each pass that leaves it one, its streamed form with the passes that join two of its loops among them.

use super::binding::Binding;
use super::nest::{self, Nest};
use super::{
    append, chan, derived, few, fewer, fill, hull, is_one_phase, joined, online, onto, order, phases, reads, same, simplify,
    stream, unroll, Made, Note,
};
use crate::ir::{Body, Kernel, Level, SpanId, Stmt, StmtKind};
use crate::soc::Chip;

/// A kernel after each pass that leaves it in the tile dialect, with the pass's name; none at queue level.
pub fn tile_passes(kernel: &Kernel, instance: usize) -> Vec<(&'static str, Kernel)> {
    let (Level::Tile, Some(types)) = (kernel.level, kernel.sig.instances.get(instance)) else { return Vec::new() };
    let binding = Binding::new(types, Chip::default_chip());
    let simple = simplify::simplify(kernel, &binding);
    let mut passes = vec![("simplify", simple.clone())];
    let mut fewer = simple;
    if fill::filled(&mut fewer, &kernel.sig, &binding).is_ok_and(|fills| !fills.is_empty()) {
        passes.push(("fill", fewer.clone()));
    }
    if append::counted(&mut fewer, &kernel.sig).is_ok_and(|twins| !twins.is_empty()) {
        passes.push(("append", fewer.clone()));
    }
    // What does not lower has no passes behind that.
    if derived::derived(&mut fewer, &binding).is_err() {
        return passes.into_iter().map(|(name, body)| (name, Kernel { body, ..kernel.clone() })).collect();
    }
    passes.push(("derived", fewer.clone()));
    if same::same(&mut fewer) {
        passes.push(("same", fewer.clone()));
    }
    fewer::fewer(&mut fewer, &binding, Chip::default_chip());
    let written = fewer.clone();
    let first = match reads::apart(&mut fewer) {
        true => {
            passes.push(("fewer", written));
            "reads"
        }
        false => "fewer",
    };
    if let Some(few) = few_rows(&binding, &fewer) {
        passes.push(("split", few));
    }
    let streamed = streamed_passes(&binding, &fewer);
    let arranged = |passes: &mut Vec<(&'static str, Body)>, names: [&'static str; 6], body: Body| {
        let nest = Nest::of(&body).ok();
        let joined = nest.as_ref().map_or(body.clone(), |nest| onto::onto(&body, nest));
        let hoisted = Body { stmts: order::hoist(&joined), ..joined.clone() };
        let mut ordered = hoisted.clone();
        order::loads_first(&mut ordered.stmts);
        let (unrolled, hulls) = windows(&ordered, nest.as_ref());
        let made = [Some(body), Some(joined), Some(hoisted), Some(ordered), unrolled, hulls];
        passes.extend(names.into_iter().zip(made).filter_map(|(name, body)| Some((name, body?))));
    };
    arranged(&mut passes, [first, "onto", "hoist", "loads-first", "unroll", "hull"], fewer);
    let mut streamed = streamed.into_iter().peekable();
    while let Some((name, body)) = streamed.next() {
        match streamed.peek() {
            Some(_) => passes.push((name, body)),
            None => arranged(
                &mut passes,
                [name, "stream-onto", "stream-hoist", "stream-loads-first", "stream-unroll", "stream-hull"],
                body,
            ),
        }
    }
    passes.into_iter().map(|(name, body)| (name, Kernel { body, ..kernel.clone() })).collect()
}

/// The form of few long rows, where its author asks for it.
fn few_rows(binding: &Binding<'_>, body: &Body) -> Option<Body> {
    let one = is_one_phase(body).then(|| Nest::of(body).ok()).flatten()?;
    few::few(binding, body, &one).ok().flatten().map(|few| few.body)
}

/// A body of one phase with windows that stand in one list, and with one load in the place of several, where it has some.
fn windows(body: &Body, nest: Option<&Nest>) -> (Option<Body>, Option<Body>) {
    let Some(nest) = nest else { return (None, None) };
    let mut unrolled = body.clone();
    let any = unroll::unroll(&mut unrolled, nest);
    let mut hulls = unrolled.clone();
    let some = hull::hull(&mut hulls, nest);
    (any.then_some(unrolled), some.then_some(hulls))
}

/// The streamed form after each pass that makes or changes it.
fn streamed_passes(binding: &Binding<'_>, body: &Body) -> Vec<(&'static str, Body)> {
    let after = |joins: Joins| match is_one_phase(body) {
        true => {
            let nest = Nest::of(body).ok()?;
            streamed(binding, (body, &nest), &[], joins).ok().flatten().map(|(body, _)| body)
        }
        false => phases::streamed_body(binding, body, joins),
    };
    let mut passes: Vec<(&'static str, Body)> = Vec::new();
    for (name, joins) in [("stream", Joins::None), ("online", Joins::Online), ("chan", Joins::All)] {
        let same = |body: &Body| passes.last().is_some_and(|(_, before)| before == body);
        if let Some(body) = after(joins).filter(|body| !same(body)) {
            passes.push((name, body));
        }
    }
    passes
}

/// Which passes of a streamed form become one.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(super) enum Joins {
    None,
    /// Sums of exponentials beside their maximum.
    Online,
    /// And squares of differences beside their mean.
    All,
}

/// The streamed form of a kernel of one loop, behind statements, and where two of its passes are one; `None` where there is none.
pub(super) fn streamed(
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
    let authors = joined::loops(body);
    if joins >= Joins::Online && !exact {
        note(online::online(binding, &mut streamed, &authors), "this sum of exponentials is found beside the maximum");
    }
    if joins >= Joins::All && !exact {
        let lets = joined::lets(before, &streamed);
        note(chan::chan(binding, &mut streamed, &authors, &lets), "this sum of squares is found beside the mean");
    }
    Ok(Some((streamed, notes)))
}
