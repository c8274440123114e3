//! The diagnostic for elements that no store reaches.

use super::run::Gap;
use super::{first_store, scalars_around};
use crate::check::source::small_shapes::Shape;
use crate::diag::{Code, Diagnostic, Spot};
use crate::ir::tile::Body;
use crate::ir::{dim_size, Kernel, ParamId, Scalar};
use crate::soc::Chip;
use crate::tiling::{eval, Env, Value};
use std::collections::BTreeSet;

/// Builds J0219. It names the first element that no store reaches, and the sizes of that launch.
pub(super) fn gap(
    kernel: &Kernel,
    body: &Body,
    shape: &Shape,
    chip: &Chip,
    gap: &Gap,
) -> Diagnostic {
    let output = kernel.sig.param(gap.of);
    let name = &output.name;
    let element = element(kernel, &shape.env(chip), gap);
    let text = format!(
        "no store reaches `{name}.at({element})`{}",
        sizes(kernel, body, shape, gap.of)
    );
    let span = first_store(body, gap.of).unwrap_or(output.span);
    let mut d = Diagnostic::new(Code::J0219, span, text);
    if span != output.span {
        d = d.label(output.span, "the output");
    }
    let what = match gap.count {
        1 => "this element is".to_string(),
        count => format!("{count} of its {} elements are", gap.all),
    };
    // A gap may be meant: then the tensor keeps its old elements.
    if !kernel.sig.is_optional(gap.of) {
        d = d.edit(output.span, Spot::Before, "#[inplace] ").maybe();
    }
    d.note(format!("{what} left as they were in the caller's memory").replace("is left as they were", "is left as it was")).help(format!(
        "store to what is left in a loop of its own, `for t in tiles(a..b)`; or fill `{name}` in a loop before this one; an `#[inplace] {name}` keeps what no store reaches"
    ))
}

/// Returns the indices of the first element, one for each dimension.
fn element(kernel: &Kernel, env: &Env<'_>, gap: &Gap) -> String {
    let mut left = gap.first as i64;
    let mut at = Vec::new();
    for dim in kernel.sig.shape(gap.of).iter().rev() {
        let size = eval(&dim_size(dim), env)
            .and_then(Value::as_int)
            .unwrap_or(1)
            .max(1);
        at.push((left % size).to_string());
        left /= size;
    }
    at.reverse();
    at.join(", ")
}

/// Formats the sizes that decide about stores to an output: `` where `n` is 3 and `k` is 2 ``.
fn sizes(kernel: &Kernel, body: &Body, shape: &Shape, output: ParamId) -> String {
    let (mut axes, mut attrs) = (BTreeSet::new(), BTreeSet::new());
    let mut hear = |s: &Scalar| {
        s.walk(&mut |n| match n {
            Scalar::Axis(axis) => _ = axes.insert(axis.index()),
            Scalar::Attr(attr, _) => _ = attrs.insert(attr.index()),
            _ => {}
        })
    };
    kernel
        .sig
        .shape(output)
        .iter()
        .for_each(|dim| hear(&dim_size(dim)));
    scalars_around(body, output, &mut hear);
    let axes = axes
        .into_iter()
        .map(|at| format!("`{}` is {}", kernel.sig.axes[at].name, shape.dims[at]));
    let attrs = attrs
        .into_iter()
        .filter_map(|at| Some((at, shape.attrs[at]?)));
    let attrs = attrs.map(|(at, value)| {
        format!(
            "`{}` is {}",
            kernel.sig.params[at].name,
            said(kernel, at, value)
        )
    });
    match &axes.chain(attrs).collect::<Vec<_>>()[..] {
        [] => String::new(),
        [one] => format!(" where {one}"),
        [all @ .., last] => format!(" where {} and {last}", all.join(", ")),
    }
}

/// Formats the value of an attribute. For an optional input, says if it is given.
fn said(kernel: &Kernel, at: usize, value: Value) -> String {
    match (kernel.sig.is_optional(ParamId(at as u32)), value) {
        (true, Value::Bool(true)) => "given".to_string(),
        (true, Value::Bool(false)) => "left out".to_string(),
        _ => number(value),
    }
}

fn number(value: Value) -> String {
    match value {
        Value::Int(v) => v.to_string(),
        Value::I32(v) => v.to_string(),
        Value::F32(v) => format!("{v:?}"),
        Value::Bool(v) => v.to_string(),
    }
}
