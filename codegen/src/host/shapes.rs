//! From the shapes of the tensors to the sizes of the axes, and on to the shapes of the outputs, as the signature ties
//! them together; the C++ twin of `tiling::bind_shapes`. A negative size is one that a graph does not know yet.

use super::HostLeaves;
use crate::cpp::{string_literal, Cpp};
use crate::names::{camel, Scope};
use crate::plan::Plan;
use crate::reserved::OPERATOR_PARAMS;
use crate::scalar::{Helpers, ScalarPrinter};
use jumar_dsl::ir::{AxisId, Dim, ParamId, Role, Scalar, Signature};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Names of the tensors as members of the struct of shapes and in an operator, whose build makes macros in capitals of
/// them: `ORIG_DTYPE_X`.
pub(crate) fn tensor_names(sig: &Signature) -> Vec<(ParamId, Role, String)> {
    let mut scope = Scope::of_any_case();
    OPERATOR_PARAMS.iter().for_each(|name| {
        scope.unique(name);
    });
    sig.tensors().map(|(id, p, role, _)| (id, role, scope.unique(&camel(&p.name)))).collect()
}

/// Where an entry of a shape is found in the list of sizes.
fn place(sig: &Signature, dims: &[Dim], i: usize, list: &str) -> String {
    let many = dims.iter().position(|d| is_many(sig, d));
    match many {
        Some(at) if i == at => format!("Product({list}, {at}, {})", dims.len() - 1 - at),
        Some(at) if i > at => format!("{list}[{list}.size() - {}]", dims.len() - i),
        _ => format!("{list}[{i}]"),
    }
}

fn is_many(sig: &Signature, dim: &Dim) -> bool {
    matches!(dim, Dim::Axis { axis } if sig.axes[axis.index()].many)
}

/// Functions of the implementation namespace that `text` calls.
pub(super) fn helpers(text: &str) -> String {
    let mut out = Cpp::new();
    if text.contains("Product(") {
        out.comment("Product of the sizes from `from` on without the last `behind`; -1 where one is unknown.");
        out.function("inline int64_t Product(const std::vector<int64_t> &shape, size_t from, size_t behind)", |out| {
            out.line("int64_t product = 1;");
            out.block("for (size_t i = from; i + behind < shape.size(); ++i)", |out| {
                out.block("if (shape[i] < 0)", |out| out.line("return -1;"));
                out.line("product *= shape[i];");
            });
            out.line("return product;");
        });
    }
    if text.contains("Differ(") {
        out.blank();
        out.function("inline bool Differ(int64_t a, int64_t b)", |out| {
            out.line("return a >= 0 && b >= 0 && a != b;");
        });
    }
    out.finish()
}

/// The struct of shapes and the two functions on it.
pub(super) fn text(plan: &Plan<'_>, helper_set: &Cell<Helpers>) -> String {
    let mut out = Cpp::new();
    let tensors = tensor_names(plan.sig);
    out.comment("Shapes of the tensors, outermost axis first. Those of outputs may be left empty.");
    out.line("struct Shapes {");
    out.inside(|out| {
        for (_, _, name) in &tensors {
            out.line(format!("std::vector<int64_t> {name};"));
        }
    });
    out.line("};");
    out.blank();
    out.comment("Sizes of the axes; false and a reason where the shapes do not fit the signature.");
    let head = "inline bool BindShapes(const Shapes &shapes, Args &args, const char **error)";
    let mut body = Cpp::indented(1);
    bind(plan, &tensors, helper_set, &mut body);
    let body = body.finish();
    out.function(head, |out| {
        out.line("*error = nullptr;");
        if !body.contains("args.") {
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
    for (id, _, name) in outputs {
        infer(plan, *id, name, &tensors, helper_set, &mut body);
    }
    let body = body.finish();
    let args = if body.contains("args.") { "const Args &args" } else { "const Args &" };
    out.function(format!("inline void InferShapes({args}, Shapes &shapes)"), |out| out.raw(&body));
    out.finish()
}

fn bind(plan: &Plan<'_>, tensors: &[(ParamId, Role, String)], helper_set: &Cell<Helpers>, out: &mut Cpp) {
    let sig = plan.sig;
    let mut known: BTreeSet<AxisId> = BTreeSet::new();
    let fail = |message: &str, out: &mut Cpp| {
        out.line(format!("*error = {};", string_literal(message)));
        out.line("return false;");
    };
    for (id, role, name) in tensors {
        let dims = sig.shape(*id);
        let list = format!("shapes.{name}");
        let kernel_name = &sig.param(*id).name;
        let gives: Vec<_> = dims
            .iter()
            .filter_map(|d| match d {
                Dim::Axis { axis } if !known.contains(axis) => Some(axis),
                _ => None,
            })
            .collect();
        // An output whose axes are known may be left out; it is compared only where it was given.
        let optional = *role == Role::Out && gives.is_empty();
        if *role == Role::Out && !gives.is_empty() {
            out.block(format!("if ({list}.empty())"), |out| {
                fail(&format!("the shape of `{kernel_name}` must be given: it has an axis that no input has"), out);
            });
        }
        let mut part = Cpp::indented(if optional { 2 } else { 1 });
        let many = dims.iter().any(|d| is_many(sig, d));
        let least = dims.len() - usize::from(many);
        let test = if many { format!("{list}.size() < {least}") } else { format!("{list}.size() != {least}") };
        if !(many && least == 0) {
            part.block(format!("if ({test})"), |out| {
                let at_least = if many { "at least " } else { "" };
                let axes = if least == 1 { "axis" } else { "axes" };
                fail(&format!("`{kernel_name}` must have {at_least}{least} {axes}"), out);
            });
        }
        for (i, d) in dims.iter().enumerate() {
            let Dim::Axis { axis } = d else { continue };
            let (from, to) = (place(sig, dims, i, &list), format!("args.{}", plan.names.axes[axis.index()]));
            if known.insert(*axis) {
                part.line(format!("{to} = {from};"));
            } else {
                part.block(format!("if (Differ({from}, {to}))"), |out| {
                    let axis = &sig.axes[axis.index()].name;
                    fail(&format!("axis `{axis}` of `{kernel_name}` has another size than elsewhere"), out);
                });
            }
        }
        emit_part(&part.finish(), optional, &list, out);
    }
    // Computed sizes last: they may use every axis.
    for (id, role, name) in tensors {
        let dims = sig.shape(*id);
        let list = format!("shapes.{name}");
        let optional = *role == Role::Out;
        let mut part = Cpp::indented(if optional { 2 } else { 1 });
        for (i, d) in dims.iter().enumerate() {
            let Dim::Expr { size } = d else { continue };
            let want = sized(plan, size, helper_set);
            part.block(format!("if (Differ({}, {want}))", place(sig, dims, i, &list)), |out| {
                fail(&format!("axis {i} of `{}` has another size than the signature gives it", sig.param(*id).name), out);
            });
        }
        emit_part(&part.finish(), optional, &list, out);
    }
}

fn emit_part(part: &str, optional: bool, list: &str, out: &mut Cpp) {
    if part.is_empty() {
        return;
    }
    if optional {
        out.line(format!("if (!{list}.empty()) {{"));
        out.raw(part);
        out.line("}");
    } else {
        out.raw(part);
    }
}

/// A computed size; -1 where an axis in it is unknown.
fn sized(plan: &Plan<'_>, size: &Scalar, helper_set: &Cell<Helpers>) -> String {
    let leaves = HostLeaves::new(plan.sig, &plan.names, &[]);
    let text = ScalarPrinter::new(&leaves, helper_set).expr_as(size, jumar_dsl::ir::ScalarTy::Index);
    let mut axes = BTreeSet::new();
    size.walk(&mut |n| {
        if let Scalar::Axis(a) = n {
            axes.insert(*a);
        }
    });
    if axes.is_empty() {
        return text;
    }
    let unknown: Vec<_> = axes.iter().map(|a| format!("args.{} < 0", plan.names.axes[a.index()])).collect();
    format!("{} ? -1 : {text}", unknown.join(" || "))
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
    out.block(format!("if (shapes.{name}.empty())"), |out| {
        if let Some((_, _, twin)) = twin {
            out.line(format!("shapes.{name} = shapes.{twin};"));
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
                        out.stmt(format!(
                            "shapes.{name}.insert(shapes.{name}.end(), shapes.{from}.begin() + {at}, shapes.{from}.end() - {behind})"
                        ));
                    }
                }
                Dim::Axis { axis } => out.line(format!("shapes.{name}.push_back(args.{});", plan.names.axes[axis.index()])),
                Dim::Expr { size } => out.stmt(format!("shapes.{name}.push_back({})", sized(plan, size, helper_set))),
            }
        }
    });
}
