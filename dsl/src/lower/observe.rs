//! A tile kernel after each pass that leaves it one, its streamed form with the passes that join two of its loops among them.

use super::nest::{is_one_phase, Nest};
use super::phases;
use super::pipeline::{streamed, Joins};
use super::tile::{
    accumulate_in_place, count_then_pack, expand_reductions, hoist, init_accumulators, isolate_reads, merge_windows, normalize,
    peephole, share_common, split_long_rows, unroll,
};
use super::type_queries::Binding;
use crate::ir::{Body, Kernel, Level};
use crate::soc::Chip;

/// A kernel after each pass that leaves it in the tile dialect, with the pass's name; none at queue level.
pub fn tile_passes(kernel: &Kernel, instance: usize) -> Vec<(&'static str, Kernel)> {
    let (Level::Tile, Some(types)) = (kernel.level, kernel.sig.instances.get(instance)) else { return Vec::new() };
    let binding = Binding::new(types, Chip::default_chip());
    let simple = normalize::simplify(kernel, &binding);
    let mut passes = vec![("normalize", simple.clone())];
    let mut fewer = simple;
    if init_accumulators::filled(&mut fewer, &kernel.sig, &binding).is_ok_and(|fills| !fills.is_empty()) {
        passes.push(("init_accumulators", fewer.clone()));
    }
    if count_then_pack::counted(&mut fewer, &kernel.sig).is_ok_and(|twins| !twins.is_empty()) {
        passes.push(("count_then_pack", fewer.clone()));
    }
    // What does not lower has no passes behind that.
    if expand_reductions::derived(&mut fewer, &binding).is_err() {
        return passes.into_iter().map(|(name, body)| (name, Kernel { body, ..kernel.clone() })).collect();
    }
    passes.push(("expand_reductions", fewer.clone()));
    if share_common::same(&mut fewer) {
        passes.push(("share_common", fewer.clone()));
    }
    peephole::fewer(&mut fewer, &binding, Chip::default_chip());
    let written = fewer.clone();
    let first = match isolate_reads::apart(&mut fewer) {
        true => {
            passes.push(("peephole", written));
            "isolate_reads"
        }
        false => "peephole",
    };
    if let Some(few) = few_rows(&binding, &fewer) {
        passes.push(("split_long_rows", few));
    }
    let streamed = streamed_passes(&binding, &fewer);
    let arranged = |passes: &mut Vec<(&'static str, Body)>, names: [&'static str; 6], body: Body| {
        let nest = Nest::of(&body).ok();
        let joined = nest.as_ref().map_or(body.clone(), |nest| accumulate_in_place::onto(&body, nest));
        let hoisted = Body { stmts: hoist::hoist(&joined), ..joined.clone() };
        let mut ordered = hoisted.clone();
        hoist::loads_first(&mut ordered.stmts);
        let (unrolled, hulls) = windows(&ordered, nest.as_ref());
        let made = [Some(body), Some(joined), Some(hoisted), Some(ordered), unrolled, hulls];
        passes.extend(names.into_iter().zip(made).filter_map(|(name, body)| Some((name, body?))));
    };
    arranged(&mut passes, [first, "accumulate_in_place", "hoist", "loads_first", "unroll", "merge_windows"], fewer);
    let mut streamed = streamed.into_iter().peekable();
    while let Some((name, body)) = streamed.next() {
        match streamed.peek() {
            Some(_) => passes.push((name, body)),
            None => arranged(
                &mut passes,
                [
                    name,
                    "stream-accumulate_in_place",
                    "stream-hoist",
                    "stream-loads_first",
                    "stream-unroll",
                    "stream-merge_windows",
                ],
                body,
            ),
        }
    }
    passes.into_iter().map(|(name, body)| (name, Kernel { body, ..kernel.clone() })).collect()
}

/// The form of few long rows, where its author asks for it.
fn few_rows(binding: &Binding<'_>, body: &Body) -> Option<Body> {
    let one = is_one_phase(body).then(|| Nest::of(body).ok()).flatten()?;
    split_long_rows::few(binding, body, &one).ok().flatten().map(|few| few.body)
}

/// A body of one phase with windows that stand in one list, and with one load in the place of several, where it has some.
fn windows(body: &Body, nest: Option<&Nest>) -> (Option<Body>, Option<Body>) {
    let Some(nest) = nest else { return (None, None) };
    let mut unrolled = body.clone();
    let any = unroll::unroll(&mut unrolled, nest);
    let mut hulls = unrolled.clone();
    let some = merge_windows::hull(&mut hulls, nest);
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
    for (name, joins) in [("stream", Joins::None), ("fuse_softmax", Joins::Online), ("fuse_variance", Joins::All)] {
        let same = |body: &Body| passes.last().is_some_and(|(_, before)| before == body);
        if let Some(body) = after(joins).filter(|body| !same(body)) {
            passes.push((name, body));
        }
    }
    passes
}
