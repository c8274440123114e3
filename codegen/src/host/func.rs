//! The tiling function: the host steps of every instance in order, then the variant, then its
//! fields.
//!
//! It is plain C++17 that includes nothing of CANN. It refuses what the evaluator refuses: see
//! [`super::checked`].

use super::checked::{may_fail, Refusal, Steps};
use super::fit::{self, candidates, Candidates, Solved};
use super::{data, elements, platform, shapes, HostLeaves};
use crate::cpp::{string_literal, Cpp};
use crate::names::{self, camel, pascal, screaming, Scope};
use crate::plan::Plan;
use crate::range::Ranges;
use crate::scalar::{cpp_type, definitions, Helper, Helpers, ScalarPrinter};
use jumar_dsl::ir::{BinOp, Case, HostStep, Lowered, Scalar, ScalarTy, VarId, Variant};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the header with arguments, shapes and tiling function. The tiling data is a plain struct
/// in the header `include`, or is declared here under `data`.
pub(crate) fn header(plan: &Plan<'_>, include: Option<&str>, data: &str) -> String {
    let mut out = Cpp::new();
    let guard = format!("{}_TILING_FUNC_H", screaming(&plan.names.kernel));
    out.comment(&format!(
        "Host tiling of the kernel `{}` for {}: from shapes and attributes to tiling data, tiling key and block dim. Plain \
         C++17 without CANN.",
        plan.sig.name, plan.chip.soc_version
    ));
    out.line(format_args!("#ifndef {guard}"));
    out.line(format_args!("#define {guard}"));
    out.blank();
    let parts = Parts::new(plan);
    if parts.helpers.has(Helper::Cmath) {
        out.line("#include <cmath>");
    }
    out.line("#include <cstddef>");
    out.line("#include <cstdint>");
    if !plan.sig.axes.is_empty() {
        out.line("#include <initializer_list>");
    }
    out.line("#include <string>");
    out.line("#include <vector>");
    if let Some(include) = include {
        out.blank();
        out.line(format_args!("#include \"{include}\""));
    }
    out.blank();
    out.line(format_args!("namespace {} {{", plan.names.launch));
    if include.is_none() {
        data::plain(plan, data, &mut out);
        out.blank();
    }
    parts.print(plan, data, &mut out);
    out.line(format_args!("}} // namespace {}", plan.names.launch));
    out.blank();
    out.line(format_args!("#endif // {guard}"));
    out.finish()
}

/// Returns one text that includes nothing of the project.
pub(crate) fn standalone(plan: &Plan<'_>) -> String {
    header(plan, None, &plan.names.data)
}

/// Texts made before the helpers they need are known.
struct Parts {
    functions: Vec<HostFunction>,
    shapes: String,
    helpers: Helpers,
}

/// The host steps of instances that share them.
struct HostFunction {
    /// The numbers of the instances.
    who: Vec<usize>,
    /// The body with its braces.
    text: String,
    /// Helpers that the text uses.
    uses: Helpers,
}

impl HostFunction {
    fn new(plan: &Plan<'_>, at: usize) -> HostFunction {
        let helpers = Cell::default();
        let text = Function {
            plan,
            lowered: &plan.instances[at],
            helpers: &helpers,
        }
        .text();
        HostFunction {
            who: vec![at],
            text,
            uses: helpers.get(),
        }
    }
}

/// True if host tiling is equal for two instances of a kernel.
fn same_steps(a: &Lowered, b: &Lowered) -> bool {
    let same = |(a, b): (&Variant, &Variant)| {
        let scalars = [
            (&a.when, &b.when),
            (&a.block_dim, &b.block_dim),
            (&a.workspace, &b.workspace),
        ];
        (&a.name, a.case, &a.steps, &a.fields) == (&b.name, b.case, &b.steps, &b.fields)
            && scalars.into_iter().all(|(a, b)| a == b)
            && step_vars(a)
                .map(|v| a.body.var(v))
                .eq(step_vars(b).map(|v| b.body.var(v)))
    };
    a.cases == b.cases
        && a.variants.len() == b.variants.len()
        && a.variants.iter().zip(&b.variants).all(same)
}

/// True if a part of a value is computed in branches.
fn chooses(value: &Scalar) -> bool {
    let mut found = false;
    value.walk(&mut |s| {
        found |= matches!(
            s,
            Scalar::Select(..) | Scalar::Bin(BinOp::And | BinOp::Or, ..)
        );
    });
    found
}

/// Iterates over variables that the steps of a variant compute.
fn step_vars(variant: &Variant) -> impl Iterator<Item = VarId> + '_ {
    variant.steps.iter().filter_map(HostStep::sets)
}

impl Parts {
    fn new(plan: &Plan<'_>) -> Parts {
        let mut functions: Vec<HostFunction> = Vec::new();
        for (at, lowered) in plan.instances.iter().enumerate() {
            match functions
                .iter_mut()
                .find(|f| same_steps(&plan.instances[f.who[0]], lowered))
            {
                Some(f) => f.who.push(at),
                None => functions.push(HostFunction::new(plan, at)),
            }
        }
        let helpers = Cell::default();
        let shapes = shapes::text(plan, &helpers);
        let helpers = functions
            .iter()
            .fold(helpers.get(), |all, f| all.union(f.uses));
        Parts {
            functions,
            shapes,
            helpers,
        }
    }

    fn print(&self, plan: &Plan<'_>, data: &str, out: &mut Cpp) {
        let n = &plan.names;
        out.comment("Sizes of the axes and values of the attributes.");
        out.line("struct Args {");
        out.inside(|out| {
            for (axis, member) in plan.sig.axes.iter().zip(&n.axes) {
                let note = if axis.many {
                    " // product of all axes it stands for"
                } else {
                    ""
                };
                out.line(format_args!("int64_t {member} = 0;{note}"));
            }
            for (id, ty, default) in plan.sig.told() {
                let member = n.attr(id);
                let cell = Cell::new(Helpers::default());
                let (vars, ranges) = (BTreeMap::new(), Ranges::default());
                let leaves = HostLeaves::new(plan, &vars, &ranges, &cell);
                let zero = match ty {
                    ScalarTy::F32 => Scalar::Float(0.0),
                    ScalarTy::Bool => Scalar::Bool(false),
                    ScalarTy::Index => Scalar::Int(0),
                    ScalarTy::I32 => Scalar::I32(0),
                };
                let value = ScalarPrinter::new(&leaves, &cell)
                    .expr_as(&default.map_or(zero, Scalar::from), ty);
                out.line(format_args!(
                    "{} {member} = {};",
                    cpp_type(ty),
                    value.replace("FLOAT_INF", "__builtin_inff()")
                ));
            }
        });
        out.line("};");
        out.blank();
        platform::facts(plan, out);
        out.blank();
        out.comment("What a launch needs.");
        out.line("struct Tiling {");
        out.inside(|out| {
            out.line(format_args!("{data} data{{}};"));
            out.line("int64_t tilingKey = 0;");
            out.line("int64_t blockDim = 1;");
            out.line("int64_t workspaceSize = 0;");
        });
        out.line("};");
        out.blank();
        self.print_helpers(plan, out);
        out.blank();
        self.print_dispatch(plan, out);
        out.blank();
        out.raw(&self.shapes);
    }

    fn print_helpers(&self, plan: &Plan<'_>, out: &mut Cpp) {
        if self.helpers.has(Helper::FloatInf) {
            out.line("constexpr float FLOAT_INF = __builtin_inff();");
        }
        definitions(self.helpers, "inline", out);
        shapes::limit_helper(plan, out);
        fit::helpers(self.helpers, out);
        elements::helpers(plan, out);
        for HostFunction { who, text, uses } in &self.functions {
            out.blank();
            let dtypes: Vec<_> = who
                .iter()
                .map(|at| names::combination(plan.instances[*at].binding()))
                .filter(|d| !d.is_empty())
                .collect();
            if !dtypes.is_empty() {
                out.comment(&format!("For {}.", dtypes.join(" and ")));
            }
            let mut params = Vec::new();
            if uses.has(Helper::Args) {
                params.push("const Args &args");
            }
            if uses.has(Helper::Chip) {
                params.push("const Chip &chip");
            }
            params.push("int64_t firstKey");
            params.push("Tiling &out");
            if uses.has(Helper::Error) {
                params.push("std::string *error");
            }
            out.line(format_args!(
                "inline bool {}({})",
                self.function_name(plan, who),
                params.join(", ")
            ));
            out.raw(text);
        }
        out.blank();
        shapes::helpers(self.helpers, out);
    }

    fn function_name(&self, plan: &Plan<'_>, who: &[usize]) -> String {
        if self.functions.len() == 1 {
            return "Compute".into();
        }
        let suffix: Vec<_> = who
            .iter()
            .map(|at| pascal(&names::dtypes(plan.instances[*at].binding())))
            .collect();
        format!("Compute{}", suffix.concat())
    }

    fn print_dispatch(&self, plan: &Plan<'_>, out: &mut Cpp) {
        out.comment(
            "Tiling of a launch on a chip; dtypeInstance counts the dtype combinations of the kernel in order. False and a reason where \
             the kernel must not be launched.",
        );
        let params = "const Args &args, const Chip &chip, int32_t dtypeInstance, Tiling &out, std::string *error";
        out.function(format_args!("inline bool ComputeTiling({params})"), |out| {
            if self.functions.iter().all(|f| !f.uses.has(Helper::Args)) && plan.sig.axes.is_empty()
            {
                out.line("(void)args;");
            }
            if self.functions.iter().all(|f| !f.uses.has(Helper::Chip)) {
                out.line("(void)chip;");
            }
            out.line("error->clear();");
            shapes::limits(plan, out);
            out.line("switch (dtypeInstance) {");
            out.inside(|out| {
                for (at, lowered) in plan.instances.iter().enumerate() {
                    let HostFunction { who, uses, .. } = self
                        .functions
                        .iter()
                        .find(|f| f.who.contains(&at))
                        .expect("every instance has a function");
                    let dtypes: Vec<_> = lowered.binding().iter().map(|d| d.name()).collect();
                    let note = if dtypes.is_empty() {
                        String::new()
                    } else {
                        format!(" // {}", dtypes.join(", "))
                    };
                    let mut own = Cpp::indented(0);
                    let settles = elements::settle(plan, lowered, &mut own);
                    let brace = if settles { " {" } else { "" };
                    out.line(format_args!("case {}:{brace}{note}", lowered.instance));
                    let mut list = Vec::new();
                    if uses.has(Helper::Args) {
                        list.push(if settles { "own" } else { "args" }.to_string());
                    }
                    if uses.has(Helper::Chip) {
                        list.push("chip".to_string());
                    }
                    list.push(jumar_dsl::tiling::tiling_key(lowered, 0).to_string());
                    list.push("out".into());
                    if uses.has(Helper::Error) {
                        list.push("error".into());
                    }
                    out.inside(|out| {
                        own.finish().lines().for_each(|l| out.line(l));
                        let name = self.function_name(plan, who);
                        out.line(format_args!("return {name}({});", list.join(", ")));
                    });
                    if settles {
                        out.line("}");
                    }
                }
                out.line("default:");
                out.inside(|out| {
                    let message = format!("{}: no such combination of dtypes", plan.sig.name);
                    out.line(format_args!("*error = {};", string_literal(&message)));
                    out.line("return false;");
                });
            });
            out.line("}");
        });
    }
}

/// A printer for the steps of one instance.
struct Function<'a> {
    plan: &'a Plan<'a>,
    lowered: &'a Lowered,
    helpers: &'a Cell<Helpers>,
}

impl Function<'_> {
    /// Returns the body with its braces; the head depends on what the body uses.
    fn text(&self) -> String {
        let mut steps = Steps {
            plan: self.plan,
            helpers: self.helpers,
            scope: Scope::with(&["args", "chip", "out", "error", "firstKey", "n"]),
            names: BTreeMap::new(),
            ranges: Ranges::of_signature(&self.lowered.sig),
            refusal: Refusal::Launch,
        };
        let mut out = Cpp::new();
        out.line("{");
        out.inside(|out| match &self.lowered.cases[..] {
            [_] => self.case(0, steps, out),
            cases => {
                for (at, case) in cases.iter().enumerate() {
                    let when = steps.checked_expr(&case.when, out);
                    let mut inner = steps.clone();
                    inner.ranges.assume(&case.when);
                    out.comment(&format!("Where `{}`.", case.said()));
                    out.block(format_args!("if ({when})"), |out| self.case(at, inner, out));
                }
                steps.fail("no case of the kernel takes this launch", out);
            }
        });
        out.line("}");
        out.finish()
    }

    /// Prints the steps of a case: each of its variants ends with a return.
    fn case(&self, case: usize, mut steps: Steps<'_>, out: &mut Cpp) {
        let needed = self.needed(case);
        let Case {
            steps: common,
            vars,
            ..
        } = &self.lowered.cases[case];
        for (i, v) in vars.iter().enumerate() {
            steps.names.insert(i, steps.scope.unique(&camel(&v.name)));
        }
        self.steps(common, &mut steps, &needed, out);
        for (i, variant) in self.lowered.variants_of(case) {
            let mut inner = steps.clone();
            for var in step_vars(variant).filter(|v| v.index() >= vars.len()) {
                inner.names.insert(
                    var.index(),
                    inner.scope.unique(&camel(&variant.body.var(var).name)),
                );
            }
            if variant.when == Scalar::Bool(true) {
                return self.variant(i, variant, &mut inner, &needed, out);
            }
            let when = steps.checked_expr(&variant.when, out);
            inner.ranges = steps.ranges.clone();
            out.comment(&format!("Variant `{}`.", variant.name));
            out.block(format_args!("if ({when})"), |out| {
                self.variant(i, variant, &mut inner, &needed, out)
            });
            steps.ranges.assume_not(&variant.when);
        }
        steps.fail("no variant of the kernel takes this shape", out);
    }

    fn variant(
        &self,
        i: usize,
        v: &Variant,
        steps: &mut Steps<'_>,
        needed: &BTreeSet<VarId>,
        out: &mut Cpp,
    ) {
        self.steps(&v.steps, steps, needed, out);
        let block_dim = steps.checked_expr(&v.block_dim, out);
        let workspace = steps.checked_expr(&v.workspace, out);
        for id in &v.fields {
            let field = self.plan.names.member(v.body.var(*id));
            let name = &steps.names[&id.index()];
            let value = if field.ty == ScalarTy::Bool {
                format!("{name} ? 1 : 0")
            } else {
                name.clone()
            };
            out.line(format_args!("out.data.{} = {value};", field.member));
        }
        let key = if i == 0 {
            "firstKey".to_string()
        } else {
            format!("firstKey + {i}")
        };
        out.line(format_args!("out.tilingKey = {key};"));
        out.stmt(format_args!("out.blockDim = {block_dim}"));
        out.stmt(format_args!("out.workspaceSize = {workspace}"));
        out.line("return true;");
    }

    fn steps(
        &self,
        list: &[HostStep],
        steps: &mut Steps<'_>,
        needed: &BTreeSet<VarId>,
        out: &mut Cpp,
    ) {
        let mut solved: Vec<Solved> = Vec::new();
        for step in list {
            match step {
                HostStep::Let { var, value } => {
                    self.define(*var, value, needed.contains(var), steps, out)
                }
                HostStep::Solve {
                    var,
                    step,
                    max,
                    bytes,
                    limit,
                } => {
                    let max_text = steps.checked_expr(max, out);
                    let most = steps.ranges.of(max);
                    if needed.contains(var) {
                        let size = Candidates {
                            var: *var,
                            step: *step,
                            max: max_text,
                            most,
                        };
                        solved.push(size.solve(bytes, *limit, steps, out));
                    }
                    steps
                        .ranges
                        .know(&Scalar::Var(*var), candidates(*step, most, 0));
                }
                HostStep::Fits {
                    bytes,
                    limit,
                    given,
                } => fit::require(bytes, *limit, given.as_ref(), steps, out),
                HostStep::Require { cond, message, .. } => {
                    self.require(cond, message, &solved, steps, out)
                }
            }
        }
    }

    /// Prints `const int64_t units = ..;`. For an unused variable only the tests are printed. Its
    /// facts are recorded for later expressions.
    fn define(
        &self,
        var: VarId,
        value: &Scalar,
        wanted: bool,
        steps: &mut Steps<'_>,
        out: &mut Cpp,
    ) {
        if !wanted && !may_fail(&steps.ranges, value) {
            steps.ranges.define(var, value);
            return;
        }
        let left = steps.checked(value, Some(var), out);
        if !wanted && chooses(value) {
            // A variable that branches set and nobody reads is a warning of compilers.
            let text = steps.expr(&left);
            out.line(format_args!("(void)({text});"));
        }
        if left != Scalar::Var(var) {
            if wanted {
                let text = steps.expr(&left);
                out.stmt(format_args!(
                    "const {} {} = {text}",
                    cpp_type(var.ty()),
                    steps.names[&var.index()]
                ));
            }
            steps.ranges.define(var, &left);
        }
    }

    /// Prints a requirement. Where the smallest candidate of a size in the condition is too large,
    /// the message has its bytes.
    fn require(
        &self,
        cond: &Scalar,
        message: &str,
        solved: &[Solved],
        steps: &mut Steps<'_>,
        out: &mut Cpp,
    ) {
        if *cond == Scalar::Bool(true) {
            return;
        }
        let left = steps.checked(cond, None, out);
        let test = negated(&left, steps);
        out.block(format_args!("if ({test})"), |out| {
            steps.fail_saying(|out| fit::say_why(message, solved, cond, steps, out), out);
        });
        steps.ranges.assume(cond);
        steps.ranges.assume(&left);
    }

    /// Iterates over the steps of a case and of its variants.
    fn all_steps(&self, case: usize) -> impl Iterator<Item = &HostStep> {
        let variants = self
            .lowered
            .variants_of(case)
            .flat_map(|(_, variant)| &variant.steps);
        self.lowered.cases[case].steps.iter().chain(variants)
    }

    /// Returns the variables that a result of a case depends on; unused ones would cause compiler
    /// warnings.
    fn needed(&self, case: usize) -> BTreeSet<VarId> {
        let mut needed = BTreeSet::new();
        let see = |s: &Scalar, needed: &mut BTreeSet<VarId>| {
            s.walk(&mut |n| {
                if let Scalar::Var(v) = n {
                    needed.insert(*v);
                }
            });
        };
        let fallible = self.fallible(case);
        for (_, v) in self.lowered.variants_of(case) {
            needed.extend(&v.fields);
            [&v.when, &v.block_dim, &v.workspace]
                .into_iter()
                .for_each(|s| see(s, &mut needed));
        }
        loop {
            let before = needed.len();
            for step in self.all_steps(case) {
                match step {
                    HostStep::Let { var, value }
                        if needed.contains(var) || fallible.contains(var) =>
                    {
                        see(value, &mut needed)
                    }
                    HostStep::Solve {
                        var, max, bytes, ..
                    } if needed.contains(var) => {
                        see(max, &mut needed);
                        see(bytes, &mut needed);
                    }
                    HostStep::Fits { bytes, given, .. } => {
                        see(bytes, &mut needed);
                        needed.extend(given.iter().map(|size| size.var));
                    }
                    HostStep::Require { cond, .. } => see(cond, &mut needed),
                    HostStep::Solve { max, .. } => see(max, &mut needed),
                    HostStep::Let { .. } => {}
                }
            }
            if needed.len() == before {
                return needed;
            }
        }
    }

    /// Returns the variables that may have no value. A launch is then refused, even if nothing uses
    /// them.
    fn fallible(&self, case: usize) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        let mut see = |list: &[HostStep], ranges: &mut Ranges| {
            for step in list {
                match step {
                    HostStep::Let { var, value } => {
                        if may_fail(ranges, value) {
                            found.insert(*var);
                        }
                        ranges.define(*var, value);
                    }
                    HostStep::Solve { var, step, max, .. } => {
                        ranges.know(&Scalar::Var(*var), candidates(*step, ranges.of(max), 0));
                    }
                    HostStep::Require { cond, .. } => ranges.assume(cond),
                    HostStep::Fits { .. } => {}
                }
            }
        };
        let mut ranges = Ranges::of_signature(&self.lowered.sig);
        ranges.assume(&self.lowered.cases[case].when);
        see(&self.lowered.cases[case].steps, &mut ranges);
        for (_, variant) in self.lowered.variants_of(case) {
            see(&variant.steps, &mut ranges.clone());
        }
        found
    }
}

/// Returns the condition under which a requirement fails. Comparisons of floats are not inverted:
/// nan fails all of them.
fn negated(cond: &Scalar, steps: &Steps<'_>) -> String {
    if let Scalar::Bin(op, a, b) = cond {
        let turned = match op {
            BinOp::Lt => Some(BinOp::Ge),
            BinOp::Le => Some(BinOp::Gt),
            BinOp::Gt => Some(BinOp::Le),
            BinOp::Ge => Some(BinOp::Lt),
            BinOp::Eq => Some(BinOp::Ne),
            BinOp::Ne => Some(BinOp::Eq),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::CeilDiv
            | BinOp::Min
            | BinOp::Max
            | BinOp::AlignUp
            | BinOp::And
            | BinOp::Or => None,
        };
        if let (true, Some(op)) = (a.ty() != ScalarTy::F32, turned) {
            return steps.expr(&Scalar::Bin(op, a.clone(), b.clone()));
        }
    }
    steps.expr(&Scalar::un(jumar_dsl::ir::UnOp::Not, cond.clone()))
}
