//! From the shapes of the tensors to the sizes of the axes, and on to the shapes of the outputs, as the signature ties
//! them together; the C++ twin of `tiling::bind_shapes`. A negative size is one that a graph does not know yet.

use super::checked::{may_fail, Refusal, Steps};
use crate::cpp::{string_literal, Cpp};
use crate::names::Scope;
use crate::plan::Plan;
use crate::range::Ranges;
use crate::scalar::{need, Helper, Helpers};
use jumar_dsl::ir::{AxisId, Dim, ParamId, Role, Scalar, Signature};
use jumar_dsl::tiling::{size_limits, MAX_ELEMENTS};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Where an entry of a shape is found in the list of sizes.
fn place(sig: &Signature, dims: &[Dim], i: usize, list: &str, helpers: &Cell<Helpers>) -> String {
    let many = dims.iter().position(|d| is_many(sig, d));
    match many {
        Some(at) if i == at => {
            need(helpers, Helper::Product);
            format!("Product({list}, {at}, {})", dims.len() - 1 - at)
        }
        Some(at) if i > at => format!("{list}[{list}.size() - {}]", dims.len() - i),
        Some(_) | None => format!("{list}[{i}]"),
    }
}

fn is_many(sig: &Signature, dim: &Dim) -> bool {
    matches!(dim, Dim::Axis { axis } if sig.axes[axis.index()].many)
}

/// Functions that the texts on shapes call.
pub(super) fn helpers(used: Helpers, out: &mut Cpp) {
    if used.has(Helper::Product) {
        out.comment(
            "Product of the sizes from `from` on without the last `behind`; -1 where one is unknown, the largest number where 64 \
             bits cannot count it.",
        );
        out.function("inline int64_t Product(const std::vector<int64_t> &shape, size_t from, size_t behind)", |out| {
            out.line("int64_t product = 1;");
            out.block("for (size_t i = from; i + behind < shape.size(); ++i)", |out| {
                out.block("if (shape[i] < 0)", |out| out.line("return -1;"));
                out.block("if (__builtin_mul_overflow(product, shape[i], &product))", |out| out.line("return INT64_MAX;"));
            });
            out.line("return product;");
        });
    }
    if used.has(Helper::Differ) {
        out.blank();
        out.function("inline bool Differ(int64_t a, int64_t b)", |out| {
            out.line("return a >= 0 && b >= 0 && a != b;");
        });
    }
}

/// True where a signature has axes, whose sizes have limits.
pub(super) fn limit_helper(plan: &Plan<'_>, out: &mut Cpp) {
    if plan.sig.axes.is_empty() {
        return;
    }
    out.blank();
    out.line(format_args!("constexpr int64_t MAX_ELEMENTS = {MAX_ELEMENTS}; // of a tensor, more than any memory holds"));
    out.blank();
    out.comment(
        "True for more elements than that. Sizes computed from fewer stay far below 64 bits; unknown sizes are negative.",
    );
    out.function("inline bool TooLarge(std::initializer_list<int64_t> shape)", |out| {
        out.line("int64_t elements = 1;");
        out.block("for (int64_t size : shape)", |out| {
            out.line(
                "if (size > MAX_ELEMENTS || __builtin_mul_overflow(elements, size, &elements) || elements > MAX_ELEMENTS) {",
            );
            out.line("    return true;");
            out.line("}");
        });
        out.line("return false;");
    });
}

/// Refuses sizes beyond the limits of a launch.
pub(super) fn limits(plan: &Plan<'_>, out: &mut Cpp) {
    for limit in size_limits(plan.sig) {
        let sizes: Vec<_> = limit.axes.iter().map(|a| format!("args.{}", plan.names.axes[a.index()])).collect();
        out.block(format_args!("if (TooLarge({{{}}}))", sizes.join(", ")), |out| {
            out.line(format_args!("*error = {};", string_literal(&limit.message)));
            out.line("return false;");
        });
    }
}

/// The struct of shapes and the two functions on it.
pub(super) fn text(plan: &Plan<'_>, helper_set: &Cell<Helpers>) -> String {
    let mut out = Cpp::new();
    let tensors = &plan.tensors;
    out.comment("Shapes of the tensors, outermost axis first. Those of outputs may be left empty.");
    out.line("struct Shapes {");
    out.inside(|out| {
        for (_, _, name) in tensors {
            out.line(format_args!("std::vector<int64_t> {name};"));
        }
    });
    out.line("};");
    out.blank();
    out.comment("Sizes of the axes; false and a reason where the shapes do not fit the signature.");
    let head = "inline bool BindShapes(const Shapes &shapes, Args &args, const char **error)";
    let mut body = Cpp::indented(1);
    let used = Cell::default();
    bind(plan, tensors, &used, &mut body);
    helper_set.set(helper_set.get().union(used.get()));
    let body = body.finish();
    out.function(head, |out| {
        out.line("*error = nullptr;");
        if !used.get().has(Helper::Args) {
            out.line("(void)args;");
        }
        out.raw(&body);
        out.line("return true;");
    });
    let outputs: Vec<_> = tensors.iter().filter(|(_, role, _)| *role == Role::Out).collect();
    if outputs.is_empty() {
        return out.finish();
    }
    out.blank();
    out.comment("Shapes of the outputs that were left empty.");
    let mut body = Cpp::indented(1);
    let used = Cell::default();
    for (id, _, name) in outputs {
        infer(plan, *id, name, tensors, &used, &mut body);
    }
    helper_set.set(helper_set.get().union(used.get()));
    let body = body.finish();
    let args = if used.get().has(Helper::Args) { "const Args &args" } else { "const Args &" };
    out.function(format_args!("inline void InferShapes({args}, Shapes &shapes)"), |out| out.raw(&body));
    out.finish()
}

fn bind(plan: &Plan<'_>, tensors: &[(ParamId, Role, String)], helper_set: &Cell<Helpers>, out: &mut Cpp) {
    let sig = plan.sig;
    let mut known: BTreeSet<AxisId> = BTreeSet::new();
    let fail = |message: &str, out: &mut Cpp| {
        out.line(format_args!("*error = {};", string_literal(message)));
        out.line("return false;");
    };
    for (id, role, name) in tensors {
        let dims = sig.shape(*id);
        let list = format!("shapes.{name}");
        let kernel_name = &sig.param(*id).name;
        let gives: Vec<_> = dims
            .iter()
            .filter_map(|d| match d {
                Dim::Axis { axis } => Some(axis).filter(|axis| !known.contains(axis)),
                Dim::Expr { .. } => None,
            })
            .collect();
        // An output whose axes are known may be left out; it is compared only where it was given.
        let optional = *role == Role::Out && gives.is_empty();
        if *role == Role::Out && !gives.is_empty() {
            out.block(format_args!("if ({list}.empty())"), |out| {
                fail(&format!("the shape of `{kernel_name}` must be given: it has an axis that no input has"), out);
            });
        }
        let mut part = Cpp::indented(if optional { 2 } else { 1 });
        let many = dims.iter().any(|d| is_many(sig, d));
        let least = dims.len() - usize::from(many);
        let test = if many { format!("{list}.size() < {least}") } else { format!("{list}.size() != {least}") };
        if !(many && least == 0) {
            part.block(format_args!("if ({test})"), |out| {
                let at_least = if many { "at least " } else { "" };
                let axes = if least == 1 { "axis" } else { "axes" };
                fail(&format!("`{kernel_name}` must have {at_least}{least} {axes}"), out);
            });
        }
        for (i, d) in dims.iter().enumerate() {
            let Dim::Axis { axis } = d else { continue };
            let (from, to) = (place(sig, dims, i, &list, helper_set), format!("args.{}", plan.names.axes[axis.index()]));
            need(helper_set, Helper::Args);
            if known.insert(*axis) {
                part.line(format_args!("{to} = {from};"));
            } else {
                need(helper_set, Helper::Differ);
                part.block(format_args!("if (Differ({from}, {to}))"), |out| {
                    let axis = &sig.axes[axis.index()].name;
                    fail(&format!("axis `{axis}` of `{kernel_name}` has another size than elsewhere"), out);
                });
            }
        }
        emit_part(&part.finish(), optional, &list, out);
    }
    // Computed sizes last: they may use every axis.
    let computed = |d: &Dim| matches!(d, Dim::Expr { size } if size.as_int().is_none());
    if tensors.iter().any(|(id, ..)| sig.shape(*id).iter().any(computed)) {
        limits(plan, out);
    }
    let mut steps = sizes(plan, helper_set);
    for (id, role, name) in tensors {
        let dims = sig.shape(*id);
        let list = format!("shapes.{name}");
        let optional = *role == Role::Out;
        let mut part = Cpp::indented(if optional { 2 } else { 1 });
        for (i, d) in dims.iter().enumerate() {
            let Dim::Expr { size } = d else { continue };
            let want = tested(plan, size, &mut steps, out);
            need(helper_set, Helper::Differ);
            part.block(format_args!("if (Differ({}, {want}))", place(sig, dims, i, &list, helper_set)), |out| {
                fail(&format!("axis {i} of `{}` has another size than the signature gives it", sig.param(*id).name), out);
            });
        }
        emit_part(&part.finish(), optional, &list, out);
    }
}

fn sizes<'a>(plan: &'a Plan<'a>, helpers: &'a Cell<Helpers>) -> Steps<'a> {
    let names = BTreeMap::new();
    let ranges = Ranges::of_signature(plan.sig);
    Steps { plan, helpers, scope: Scope::with(&["args", "shapes", "error"]), names, ranges, refusal: Refusal::Launch }
}

/// The text of a computed size. One that may have no value is tested first, whether a tensor is compared with it or not: after
/// that it has one, for the shapes that are inferred, too.
fn tested(plan: &Plan<'_>, size: &Scalar, steps: &mut Steps<'_>, out: &mut Cpp) -> String {
    if !may_fail(&steps.ranges, size) {
        return sized(plan, size, steps);
    }
    let name = steps.scope.unique("size");
    let unknown = unknown_axes(plan, size);
    let before = steps.ranges.clone();
    let mut tests = Cpp::indented(0);
    let text = steps.checked_expr(size, &mut tests);
    steps.ranges = before;
    tests.stmt(format_args!("{name} = {text}"));
    out.line(format_args!("int64_t {name} = -1;"));
    let head = if unknown.is_empty() { "{".to_string() } else { format!("if (!({})) {{", unknown.join(" || ")) };
    out.line(head);
    out.inside(|out| tests.finish().lines().for_each(|l| out.line(l)));
    out.line("}");
    name
}

fn emit_part(part: &str, optional: bool, list: &str, out: &mut Cpp) {
    if part.is_empty() {
        return;
    }
    if optional {
        out.line(format_args!("if (!{list}.empty()) {{"));
        out.raw(part);
        out.line("}");
    } else {
        out.raw(part);
    }
}

/// A computed size; -1 where an axis in it is unknown.
fn sized(plan: &Plan<'_>, size: &Scalar, steps: &Steps<'_>) -> String {
    let text = steps.expr(size);
    let unknown = unknown_axes(plan, size);
    if unknown.is_empty() {
        return text;
    }
    format!("{} ? -1 : {text}", unknown.join(" || "))
}

/// Tests for the axes of a size that are unknown.
fn unknown_axes(plan: &Plan<'_>, size: &Scalar) -> Vec<String> {
    let mut axes = BTreeSet::new();
    size.walk(&mut |n| {
        if let Scalar::Axis(a) = n {
            axes.insert(*a);
        }
    });
    axes.iter().map(|a| format!("args.{} < 0", plan.names.axes[a.index()])).collect()
}

fn infer(
    plan: &Plan<'_>,
    id: ParamId,
    name: &str,
    tensors: &[(ParamId, Role, String)],
    helper_set: &Cell<Helpers>,
    out: &mut Cpp,
) {
    let sig = plan.sig;
    let dims = sig.shape(id);
    // The whole shape of an input, where it is written the same.
    let twin = tensors.iter().find(|(t, role, _)| *role != Role::Out && sig.shape(*t) == dims);
    out.block(format_args!("if (shapes.{name}.empty())"), |out| {
        if let Some((_, _, twin)) = twin {
            out.line(format_args!("shapes.{name} = shapes.{twin};"));
            return;
        }
        for d in dims {
            match d {
                Dim::Axis { axis } if is_many(sig, d) => {
                    let source = tensors.iter().filter(|(_, role, _)| *role != Role::Out).find_map(|(t, _, n)| {
                        let shape = sig.shape(*t);
                        let at = shape.iter().position(|o| matches!(o, Dim::Axis { axis: a } if a == axis))?;
                        Some((n, at, shape.len() - 1 - at))
                    });
                    if let Some((from, at, behind)) = source {
                        out.stmt(format_args!(
                            "shapes.{name}.insert(shapes.{name}.end(), shapes.{from}.begin() + {at}, shapes.{from}.end() - {behind})"
                        ));
                    }
                }
                Dim::Axis { axis } => {
                    need(helper_set, Helper::Args);
                    out.line(format_args!("shapes.{name}.push_back(args.{});", plan.names.axes[axis.index()]));
                }
                Dim::Expr { size } => out.stmt(format_args!("shapes.{name}.push_back({})", sized(plan, size, &sizes(plan, helper_set)))),
            }
        }
    });
}
