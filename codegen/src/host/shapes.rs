//! From the shapes of the tensors to the sizes of the axes, and on to the shapes of the outputs, as
//! the signature relates them. This is the C++ twin of `tiling::bind_shapes`. A negative size is
//! one that a graph does not know yet.

use super::checked::{may_fail, Refusal, Steps};
use crate::cpp::{string_literal, Cpp};
use crate::names::Scope;
use crate::plan::Plan;
use crate::range::Ranges;
use crate::scalar::{need, Helper, Helpers};
use jumar_dsl::ir::{same_axes, AxisId, Dim, ParamId, Role, Scalar, Signature};
use jumar_dsl::tiling::{size_limits, MAX_ELEMENTS};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The end of an entry in a list of sizes.
enum Place {
    /// After this number of sizes.
    Start(usize),
    /// Before this number of sizes.
    End(usize),
    /// After and before numbers of sizes that only the host knows.
    Between(String, String),
}

/// The places of a shape's entries in a tensor's list of sizes.
struct Entries<'a> {
    plan: &'a Plan<'a>,
    dims: &'a [Dim],
    /// The list of sizes.
    list: String,
    /// The entry whose place an attribute gives, that attribute, and the variable with the place.
    placed: Option<(usize, ParamId, String)>,
    helpers: &'a Cell<Helpers>,
}

impl<'a> Entries<'a> {
    fn new(plan: &'a Plan<'a>, id: ParamId, name: &str, helpers: &'a Cell<Helpers>) -> Entries<'a> {
        let placed = plan
            .sig
            .placed(id)
            .map(|(at, dim)| (at, dim, format!("{name}At")));
        Entries {
            plan,
            dims: plan.sig.shape(id),
            list: format!("shapes.{name}"),
            placed,
            helpers,
        }
    }

    fn is_many(&self, i: usize) -> bool {
        self.plan.sig.is_many(&self.dims[i])
    }

    /// Returns the beginning of an entry.
    fn begin(&self, i: usize) -> Place {
        let len = self.dims.len();
        if !(0..i).any(|i| self.is_many(i)) {
            return Place::Start(i);
        }
        if !(i..len).any(|i| self.is_many(i)) {
            return Place::End(len - i);
        }
        let Some((at, _, var)) = &self.placed else {
            return Place::Between(self.sizes_of(0..i), self.sizes_of(i..len));
        };
        let size = format!("{}.size()", self.list);
        match i.cmp(at) {
            Ordering::Less => Place::Between(
                format!("{var} - {}", at - i),
                format!("{size} - {var} + {}", at - i),
            ),
            Ordering::Equal => Place::Between(var.clone(), format!("{size} - {var}")),
            Ordering::Greater => Place::Between(
                format!("{var} + {}", i - at),
                format!("{size} - {var} - {}", i - at),
            ),
        }
    }

    /// Returns the number of sizes of entries, where other tensors determine that of `name..`.
    fn sizes_of(&self, entries: Range<usize>) -> String {
        let (many, single): (Vec<usize>, Vec<usize>) = entries.partition(|i| self.is_many(*i));
        let many = many
            .iter()
            .filter_map(|i| self.dims[*i].axis())
            .map(|axis| axes_behind(self.plan, axis));
        let single = Some(single.len()).filter(|n| *n > 0).map(|n| n.to_string());
        many.chain(single).collect::<Vec<_>>().join(" + ")
    }

    /// Returns the numbers of sizes before `name..` and after it.
    fn ends(&self, i: usize) -> (String, String) {
        let from = match self.begin(i) {
            Place::Start(n) => n.to_string(),
            Place::End(n) => format!("{}.size() - {n}", self.list),
            Place::Between(from, _) => from,
        };
        let behind = match self.begin(i + 1) {
            Place::Start(n) => format!("{}.size() - {n}", self.list),
            Place::End(n) => n.to_string(),
            Place::Between(_, behind) => behind,
        };
        (from, behind)
    }

    /// Returns the size of an entry; for `name..` the product.
    fn size(&self, i: usize) -> String {
        let list = &self.list;
        if self.is_many(i) {
            need(self.helpers, Helper::Product);
            let (from, behind) = self.ends(i);
            return format!("Product({list}, {from}, {behind})");
        }
        match self.begin(i) {
            Place::Start(n) => format!("{list}[{n}]"),
            Place::End(n) => format!("{list}[{list}.size() - {n}]"),
            Place::Between(from, _) => format!("{list}[{from}]"),
        }
    }

    /// Returns the number of axes that `name..` stands for.
    fn count(&self, i: usize) -> String {
        let (from, behind) = self.ends(i);
        let less = |of: String, n: &str| match n {
            "0" => of,
            n if n.contains(' ') => format!("{of} - ({n})"),
            n => format!("{of} - {n}"),
        };
        match self.begin(i + 1) {
            Place::Between(to, _) => less(to, &from),
            Place::Start(_) | Place::End(_) => {
                less(less(format!("{}.size()", self.list), &behind), &from)
            }
        }
    }

    /// Prints the variable with the place of the placed entry.
    fn declare(&self, out: &mut Cpp) {
        let Some((_, dim, var)) = &self.placed else {
            return;
        };
        need(self.helpers, Helper::AxisAt);
        need(self.helpers, Helper::Args);
        out.stmt(format_args!(
            "const size_t {var} = AxisAt(args.{}, {}.size())",
            self.plan.names.attr(*dim),
            self.list
        ));
    }

    /// Returns a test that is true where the place is impossible.
    fn misplaced(&self) -> Option<String> {
        let (at, _, var) = self.placed.as_ref()?;
        let size = format!("{}.size()", self.list);
        let many = |side: Range<usize>| side.filter(|i| self.is_many(*i)).count();
        let (before, behind) = (many(0..*at), many(at + 1..self.dims.len()));
        let (first, last) = (at - before, self.dims.len() - at - behind);
        Some(match (before, behind) {
            (0, _) => format!("{var} != {first}"),
            (_, 0) => format!("{var} != {size} - {last}"),
            _ => {
                let far = if last == 1 {
                    format!("{var} >= {size}")
                } else {
                    format!("{var} > {size} - {last}")
                };
                if first == 0 {
                    far
                } else {
                    format!("{var} < {first} || {far}")
                }
            }
        })
    }
}

/// Returns the variable with the number of axes that `name..` stands for.
fn axes_behind(plan: &Plan<'_>, many: AxisId) -> String {
    format!("{}Axes", plan.names.axes[many.index()])
}

/// Returns each `name..` of a tensor whose number of axes other tensors take from it.
fn told<'a>(sig: &'a Signature, id: ParamId) -> impl Iterator<Item = (usize, AxisId)> + 'a {
    let asked = |axis: AxisId| {
        sig.tensors()
            .any(|(t, ..)| !sig.tells(t) && sig.many_of(t).any(|own| own == axis))
    };
    let many = sig
        .shape(id)
        .iter()
        .enumerate()
        .filter(|(_, dim)| sig.is_many(dim))
        .filter_map(|(i, dim)| Some((i, dim.axis()?)));
    many.filter(move |(_, axis)| asked(*axis) && sig.input_that_tells(*axis) == Some(id))
}

/// Prints the functions of texts on shapes.
pub(super) fn helpers(used: Helpers, out: &mut Cpp) {
    if used.has(Helper::Product) {
        out.comment(
            "Product of the sizes from `from` on without the last `behind`; -1 where one is unknown, the largest number where 64 \
             bits cannot count it.",
        );
        out.function(
            "inline int64_t Product(const std::vector<int64_t> &shape, size_t from, size_t behind)",
            |out| {
                out.line("int64_t product = 1;");
                out.block(
                    "for (size_t i = from; i + behind < shape.size(); ++i)",
                    |out| {
                        out.block("if (shape[i] < 0)", |out| out.line("return -1;"));
                        out.block(
                            "if (__builtin_mul_overflow(product, shape[i], &product))",
                            |out| out.line("return INT64_MAX;"),
                        );
                    },
                );
                out.line("return product;");
            },
        );
    }
    if used.has(Helper::Differ) {
        out.blank();
        out.function("inline bool Differ(int64_t a, int64_t b)", |out| {
            out.line("return a >= 0 && b >= 0 && a != b;");
        });
    }
    if used.has(Helper::AxisAt) {
        out.blank();
        out.comment(
            "Which axis an attribute means: it counts from the end where it is negative. Beyond all axes where there is none.",
        );
        out.function("inline size_t AxisAt(int64_t dim, size_t axes)", |out| {
            out.line(
                "return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(axes) : dim);",
            );
        });
    }
}

/// Prints the check of limits; true where a signature has axes, whose sizes have limits.
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

/// Prints the refusal of sizes beyond the limits of a launch.
pub(super) fn limits(plan: &Plan<'_>, out: &mut Cpp) {
    for limit in size_limits(plan.sig) {
        let sizes: Vec<_> = limit
            .axes
            .iter()
            .map(|a| format!("args.{}", plan.names.axes[a.index()]))
            .collect();
        out.block(
            format_args!("if (TooLarge({{{}}}))", sizes.join(", ")),
            |out| {
                out.line(format_args!("*error = {};", string_literal(&limit.message)));
                out.line("return false;");
            },
        );
    }
}

/// Returns the struct of shapes and the two functions on it.
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
    let head = "inline bool BindShapes(const Shapes &shapes, Args &args, std::string *error)";
    let mut body = Cpp::indented(1);
    let used = Cell::default();
    bind(plan, tensors, &used, &mut body);
    helper_set.set(helper_set.get().union(used.get()));
    let body = body.finish();
    out.function(head, |out| {
        out.line("error->clear();");
        if !used.get().has(Helper::Args) {
            out.line("(void)args;");
        }
        out.raw(&body);
        out.line("return true;");
    });
    if tensors.iter().all(|(_, role, _)| *role != Role::Out) {
        return out.finish();
    }
    // An output without axes needs no inference.
    let outputs = tensors
        .iter()
        .filter(|(id, role, _)| *role == Role::Out && !plan.sig.shape(*id).is_empty());
    out.blank();
    out.comment("Shapes of the outputs that were left empty.");
    let mut body = Cpp::indented(1);
    let used = Cell::default();
    for (id, _, name) in outputs {
        infer(plan, *id, name, tensors, &used, &mut body);
    }
    helper_set.set(helper_set.get().union(used.get()));
    let body = body.finish();
    let args = if used.get().has(Helper::Args) {
        "const Args &args"
    } else {
        "const Args &"
    };
    let list = if body.is_empty() {
        "Shapes &"
    } else {
        "Shapes &shapes"
    };
    out.function(
        format_args!("inline void InferShapes({args}, {list})"),
        |out| out.raw(&body),
    );
    out.finish()
}

fn bind(
    plan: &Plan<'_>,
    tensors: &[(ParamId, Role, String)],
    helper_set: &Cell<Helpers>,
    out: &mut Cpp,
) {
    let sig = plan.sig;
    let mut known: BTreeSet<AxisId> = BTreeSet::new();
    let entries = |id: ParamId, name: &str| Entries::new(plan, id, name, helper_set);
    // Tensors that determine the number of axes of a `name..` come first, optional ones last.
    let mut order: Vec<_> = tensors.iter().collect();
    order.sort_by_key(|(id, role, _)| (*role == Role::Out, sig.is_optional(*id), !sig.tells(*id)));
    let fail = |message: &str, out: &mut Cpp| {
        out.line(format_args!("*error = {};", string_literal(message)));
        out.line("return false;");
    };
    for (id, role, name) in order {
        let dims = sig.shape(*id);
        let list = format!("shapes.{name}");
        let kernel_name = &sig.param(*id).name;
        let gives: Vec<_> = dims
            .iter()
            .filter_map(Dim::axis)
            .filter(|axis| !known.contains(axis))
            .collect();
        // An output whose axes are known may be left out; it is compared only where it was given.
        let may_be_missing = sig.is_optional(*id) && *role != Role::Out;
        let optional = *role == Role::Out && gives.is_empty() || may_be_missing;
        if may_be_missing {
            need(helper_set, Helper::Args);
            gives.iter().for_each(|axis| {
                out.line(format_args!("args.{} = -1;", plan.names.axes[axis.index()]))
            });
        }
        if *role == Role::Out && !gives.is_empty() {
            out.block(format_args!("if ({list}.empty())"), |out| {
                fail(&format!("the shape of `{kernel_name}` must be given: it has an axis that no input has"), out);
            });
        }
        let mut part = Cpp::indented(if optional { 2 } else { 1 });
        let many = sig.many_of(*id).count();
        let (least, many) = (dims.len() - many, many > 0);
        let test = if many {
            format!("{list}.size() < {least}")
        } else {
            format!("{list}.size() != {least}")
        };
        if dims.is_empty() && !may_be_missing {
            // An output without axes has an empty list, given or not.
            out.block(format_args!("if (!{list}.empty())"), |out| {
                fail(&format!("`{kernel_name}` must have no axes"), out)
            });
        } else if !(many && least == 0) {
            part.block(format_args!("if ({test})"), |out| {
                let at_least = if many { "at least " } else { "" };
                let axes = if least == 1 { "axis" } else { "axes" };
                fail(
                    &format!("`{kernel_name}` must have {at_least}{least} {axes}"),
                    out,
                );
            });
        }
        let entries = entries(*id, name);
        entries.declare(&mut part);
        if let (Some(test), Some((_, dim))) = (entries.misplaced(), sig.placed(*id)) {
            let dim = &sig.param(dim).name;
            part.block(format_args!("if ({test})"), |out| {
                fail(
                    &format!("attribute `{dim}` is beyond the axes of `{kernel_name}`"),
                    out,
                )
            });
        }
        if !sig.tells(*id) {
            part.block(format_args!("if ({list}.size() != {})", entries.sizes_of(0..dims.len())), |out| {
                fail(&format!("`{kernel_name}` has another number of axes than the signature gives it"), out);
            });
        }
        for (i, axis) in told(sig, *id) {
            part.stmt(format_args!(
                "const size_t {} = {}",
                axes_behind(plan, axis),
                entries.count(i)
            ));
        }
        for (i, d) in dims.iter().enumerate() {
            let Some(axis) = d.axis() else { continue };
            let (from, to) = (
                entries.size(i),
                format!("args.{}", plan.names.axes[axis.index()]),
            );
            need(helper_set, Helper::Args);
            if known.insert(axis) {
                part.line(format_args!("{to} = {from};"));
                continue;
            }
            need(helper_set, Helper::Differ);
            part.block(format_args!("if (Differ({from}, {to}))"), |out| {
                let axis = &sig.axes[axis.index()].name;
                fail(
                    &format!("axis `{axis}` of `{kernel_name}` has another size than elsewhere"),
                    out,
                );
            });
            if may_be_missing && sig.is_axis_of_optional(axis) {
                // The first given tensor determines it.
                part.block(format_args!("if ({to} < 0)"), |out| {
                    out.line(format_args!("{to} = {from};"))
                });
            }
        }
        emit_part(
            &part.finish(),
            optional,
            &where_given(plan, *id, &list),
            out,
        );
    }
    for (i, member) in plan.names.axes.iter().enumerate() {
        let axis = AxisId(i as u32);
        if sig.is_axis_of_optional(axis) {
            let given: Vec<String> = sig
                .tensors_with(axis)
                .map(|(id, ..)| format!("!args.{}", plan.names.attr(id)))
                .collect();
            out.block(format_args!("if ({})", given.join(" && ")), |out| {
                out.line(format_args!("args.{member} = 1;"))
            });
        }
    }
    // Computed sizes come last: they may use every axis.
    let computed = |d: &Dim| matches!(d, Dim::Expr { size } if size.as_int().is_none());
    if tensors
        .iter()
        .any(|(id, ..)| sig.shape(*id).iter().any(computed))
    {
        limits(plan, out);
    }
    let mut steps = sizes(plan, helper_set);
    for (id, role, name) in tensors {
        let dims = sig.shape(*id);
        let list = format!("shapes.{name}");
        let optional = *role == Role::Out || sig.is_optional(*id);
        let entries = entries(*id, name);
        let mut part = Cpp::indented(if optional { 2 } else { 1 });
        let mut declared = false;
        for (i, d) in dims.iter().enumerate() {
            let Dim::Expr { size } = d else { continue };
            let want = tested(plan, size, &mut steps, out);
            need(helper_set, Helper::Differ);
            if optional
                && matches!(entries.begin(i), Place::Between(..))
                && !std::mem::replace(&mut declared, true)
            {
                entries.declare(&mut part);
            }
            part.block(
                format_args!("if (Differ({}, {want}))", entries.size(i)),
                |out| {
                    fail(
                        &format!(
                            "axis {i} of `{}` has another size than the signature gives it",
                            sig.param(*id).name
                        ),
                        out,
                    );
                },
            );
        }
        emit_part(
            &part.finish(),
            optional,
            &where_given(plan, *id, &list),
            out,
        );
    }
}

/// Returns the condition that an optional tensor was given; an output is compared where it has
/// sizes.
fn where_given(plan: &Plan<'_>, id: ParamId, list: &str) -> String {
    match plan.sig.is_optional(id) && plan.sig.is_input(id) {
        true => format!("args.{}", plan.names.attr(id)),
        false => format!("!{list}.empty()"),
    }
}

fn sizes<'a>(plan: &'a Plan<'a>, helpers: &'a Cell<Helpers>) -> Steps<'a> {
    let names = BTreeMap::new();
    let ranges = Ranges::of_signature(plan.sig);
    Steps {
        plan,
        helpers,
        scope: Scope::with(&["args", "shapes", "error"]),
        names,
        ranges,
        refusal: Refusal::Launch,
    }
}

/// Returns the text of a computed size. A size that may have no value is tested first, even if no
/// tensor is compared with it. After that it has a value, also for the inferred shapes.
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
    let head = if unknown.is_empty() {
        "{".to_string()
    } else {
        format!("if (!({})) {{", unknown.join(" || "))
    };
    out.line(head);
    out.inside(|out| tests.finish().lines().for_each(|l| out.line(l)));
    out.line("}");
    name
}

fn emit_part(part: &str, optional: bool, given: &str, out: &mut Cpp) {
    if part.is_empty() {
        return;
    }
    if optional {
        out.line(format_args!("if ({given}) {{"));
        out.raw(part);
        out.line("}");
    } else {
        out.raw(part);
    }
}

/// Returns a computed size, or -1 where an axis in it is unknown.
fn sized(plan: &Plan<'_>, size: &Scalar, steps: &Steps<'_>) -> String {
    let text = steps.expr(size);
    let unknown = unknown_axes(plan, size);
    if unknown.is_empty() {
        return text;
    }
    format!("{} ? -1 : {text}", unknown.join(" || "))
}

/// Returns tests for the axes of a size that are unknown.
fn unknown_axes(plan: &Plan<'_>, size: &Scalar) -> Vec<String> {
    let mut axes = BTreeSet::new();
    size.walk(&mut |n| {
        if let Scalar::Axis(a) = n {
            axes.insert(*a);
        }
    });
    axes.iter()
        .map(|a| format!("args.{} < 0", plan.names.axes[a.index()]))
        .collect()
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
    // Takes the whole shape of an input with equal axes.
    let twin = tensors
        .iter()
        .find(|(t, role, _)| *role != Role::Out && same_axes(sig.shape(*t), dims));
    out.block(format_args!("if (shapes.{name}.empty())"), |out| {
        if let Some((_, _, twin)) = twin {
            out.line(format_args!("shapes.{name} = shapes.{twin};"));
            return;
        }
        let mut declared = BTreeSet::new();
        for d in dims {
            match d {
                Dim::Axis { axis } if sig.is_many(d) => {
                    let Some(teller) = sig.input_that_tells(*axis) else { continue };
                    let Some((_, _, from)) = tensors.iter().find(|(t, ..)| *t == teller) else { continue };
                    let Some(at) = sig.shape(teller).iter().position(|o| o.axis() == Some(*axis)) else { continue };
                    let entries = Entries::new(plan, teller, from, helper_set);
                    if sig.many_of(teller).count() > 1 && declared.insert(teller) {
                        entries.declare(out);
                    }
                    let (first, behind) = entries.ends(at);
                    let last = match entries.begin(at + 1) {
                        Place::Between(to, _) => format!("begin() + {to}"),
                        Place::Start(_) | Place::End(_) => format!("end() - {behind}"),
                    };
                    out.stmt(format_args!(
                        "shapes.{name}.insert(shapes.{name}.end(), shapes.{from}.begin() + {first}, shapes.{from}.{last})"
                    ));
                }
                Dim::Axis { axis } | Dim::At { axis, .. } => {
                    need(helper_set, Helper::Args);
                    out.line(format_args!("shapes.{name}.push_back(args.{});", plan.names.axes[axis.index()]));
                }
                Dim::Expr { size } => {
                    out.stmt(format_args!("shapes.{name}.push_back({})", sized(plan, size, &sizes(plan, helper_set))))
                }
            }
        }
    });
}
