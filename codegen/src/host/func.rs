//! The tiling function: the host steps of every instance in order, then the variant, then its fields.
//!
//! Plain C++17 that includes nothing of CANN. Divisors that are not obviously positive are checked first, because a
//! division by zero is an error for the evaluator and a crash for C++.

use super::{data, shapes, HostLeaves};
use crate::cpp::{string_literal, Cpp};
use crate::names::{self, camel, pascal, screaming, Scope};
use crate::plan::Plan;
use crate::scalar::{cpp_type, definitions, Helper, Helpers, ScalarPrinter};
use jumar_dsl::ir::{BinOp, HostStep, Lowered, Scalar, ScalarTy, VarId, Variant};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The header with arguments, shapes and tiling function, for a project whose tiling data is a plain struct in the
/// header `include`, or is to be declared here under `data`.
pub(crate) fn header(plan: &Plan<'_>, include: Option<&str>, data: &str) -> String {
    let mut out = Cpp::new();
    let guard = format!("{}_TILING_FUNC_H", screaming(&plan.names.kernel));
    out.comment(&format!(
        "Host tiling of the kernel `{}` for {}: from shapes and attributes to tiling data, tiling key and block dim. Plain \
         C++17 without CANN.",
        plan.sig.name, plan.chip.soc_version
    ));
    out.line(format!("#ifndef {guard}"));
    out.line(format!("#define {guard}"));
    out.blank();
    let parts = Parts::new(plan, data);
    if parts.needs_cmath {
        out.line("#include <cmath>");
    }
    out.line("#include <cstddef>");
    out.line("#include <cstdint>");
    out.line("#include <vector>");
    if let Some(include) = include {
        out.blank();
        out.line(format!("#include \"{include}\""));
    }
    out.blank();
    out.line(format!("namespace {} {{", plan.names.launch));
    if include.is_none() {
        data::plain(plan, data, &mut out);
        out.blank();
    }
    parts.print(plan, data, &mut out);
    out.line(format!("}} // namespace {}", plan.names.launch));
    out.blank();
    out.line(format!("#endif // {guard}"));
    out.finish()
}

/// The same as one text that includes nothing of the project.
pub(crate) fn standalone(plan: &Plan<'_>) -> String {
    header(plan, None, &plan.names.data)
}

/// Texts made before the helpers they need are known.
struct Parts {
    functions: Vec<(Vec<usize>, String, bool, bool)>,
    shapes: String,
    helpers: Helpers,
    solves: bool,
    needs_cmath: bool,
}

impl Parts {
    fn new(plan: &Plan<'_>, data: &str) -> Parts {
        let helpers = Cell::new(Helpers::default());
        let mut functions: Vec<(Vec<usize>, String, bool, bool)> = Vec::new();
        let _ = data;
        for (at, lowered) in plan.instances.iter().enumerate() {
            let text = Function { plan, lowered, helpers: &helpers }.text();
            match functions.iter_mut().find(|f| f.1 == text) {
                Some(f) => f.0.push(at),
                None => {
                    let (args, error) = (text.contains("args."), text.contains("*error"));
                    functions.push((vec![at], text, args, error));
                }
            }
        }
        let shapes = shapes::text(plan, &helpers);
        let solves = functions.iter().any(|f| f.1.contains("LargestThatFits("));
        let needs_cmath = functions.iter().any(|f| f.1.contains("std::sqrt(")) || shapes.contains("std::sqrt(");
        Parts { functions, shapes, helpers: helpers.get(), solves, needs_cmath }
    }

    fn print(&self, plan: &Plan<'_>, data: &str, out: &mut Cpp) {
        let n = &plan.names;
        out.comment("Sizes of the axes and values of the attributes.");
        out.line("struct Args {");
        out.inside(|out| {
            for (axis, member) in plan.sig.axes.iter().zip(&n.axes) {
                let note = if axis.many { " // product of all axes it stands for" } else { "" };
                out.line(format!("int64_t {member} = 0;{note}"));
            }
            for (id, _, ty, default) in plan.sig.attrs() {
                let member = n.attrs[id.index()].as_deref().unwrap_or_default();
                let cell = Cell::new(Helpers::default());
                let leaves = HostLeaves::new(plan.sig, n, &[]);
                let zero = match ty {
                    ScalarTy::F32 => Scalar::Float(0.0),
                    ScalarTy::Bool => Scalar::Bool(false),
                    ScalarTy::Index | ScalarTy::I32 => Scalar::Int(0),
                };
                let value = ScalarPrinter::new(&leaves, &cell).expr_as(default.unwrap_or(&zero), ty);
                out.line(format!("{} {member} = {};", cpp_type(ty), value.replace("FLOAT_INF", "__builtin_inff()")));
            }
        });
        out.line("};");
        out.blank();
        out.comment("What a launch needs.");
        out.line("struct Tiling {");
        out.inside(|out| {
            out.line(format!("{data} data{{}};"));
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
        let uses = |name: &str| self.functions.iter().any(|f| f.1.contains(name)) || self.shapes.contains(name);
        if uses("UB_BYTES") {
            out.line(format!("constexpr int64_t UB_BYTES = {}; // what a kernel may plan with", plan.chip.ub_usable()));
        }
        if uses("VECTOR_CORES") {
            out.line(format!("constexpr int64_t VECTOR_CORES = {};", plan.chip.vector_cores));
        }
        if self.helpers.has(Helper::FloatInf) {
            out.line("constexpr float FLOAT_INF = __builtin_inff();");
        }
        definitions(self.helpers, "inline", out);
        if self.solves {
            out.blank();
            out.comment(
                "The largest multiple of step up to max, rounded up to a multiple of step, whose footprint is at most limit; 0 \
                 where even step is too large. The footprint never falls when the candidate grows.",
            );
            out.line("template <typename Footprint>");
            out.function("int64_t LargestThatFits(int64_t step, int64_t max, int64_t limit, Footprint footprint)", |out| {
                out.line("int64_t low = 0;");
                out.line("int64_t high = ((max > 1 ? max : 1) + step - 1) / step;");
                out.block("while (low < high)", |out| {
                    out.line("const int64_t middle = low + (high - low + 1) / 2;");
                    out.line("if (footprint(middle * step) <= limit) {");
                    out.line("    low = middle;");
                    out.line("} else {");
                    out.line("    high = middle - 1;");
                    out.line("}");
                });
                out.line("return low * step;");
            });
        }
        for (who, text, args, error) in &self.functions {
            out.blank();
            let dtypes: Vec<_> =
                who.iter().map(|at| names::combination(plan.instances[*at].binding())).filter(|d| !d.is_empty()).collect();
            if !dtypes.is_empty() {
                out.comment(&format!("For {}.", dtypes.join(" and ")));
            }
            let mut params = Vec::new();
            if *args {
                params.push("const Args &args");
            }
            params.push("int64_t firstKey");
            params.push("Tiling &out");
            if *error {
                params.push("const char **error");
            }
            out.line(format!("inline bool {}({})", self.function_name(plan, who), params.join(", ")));
            out.raw(text);
        }
        out.blank();
        out.raw(&shapes::helpers(&self.shapes));
    }

    fn function_name(&self, plan: &Plan<'_>, who: &[usize]) -> String {
        if self.functions.len() == 1 {
            return "Compute".into();
        }
        let suffix: Vec<_> = who.iter().map(|at| pascal(&names::dtypes(plan.instances[*at].binding()))).collect();
        format!("Compute{}", suffix.concat())
    }

    fn print_dispatch(&self, plan: &Plan<'_>, out: &mut Cpp) {
        out.comment(
            "Tiling of a launch; dtypeInstance counts the dtype combinations of the kernel in order. False and a reason where \
             the kernel must not be launched.",
        );
        let params = "const Args &args, int32_t dtypeInstance, Tiling &out, const char **error";
        out.function(format!("inline bool ComputeTiling({params})"), |out| {
            if self.functions.iter().all(|f| !f.2) {
                out.line("(void)args;");
            }
            out.line("*error = nullptr;");
            out.line("switch (dtypeInstance) {");
            out.inside(|out| {
                for (at, lowered) in plan.instances.iter().enumerate() {
                    let Some((who, _, args, error)) = self.functions.iter().find(|f| f.0.contains(&at)) else { continue };
                    let dtypes: Vec<_> = lowered.binding().iter().map(|d| d.name()).collect();
                    let note = if dtypes.is_empty() { String::new() } else { format!(" // {}", dtypes.join(", ")) };
                    out.line(format!("case {}:{note}", lowered.instance));
                    let mut list = Vec::new();
                    if *args {
                        list.push("args".to_string());
                    }
                    list.push(jumar_dsl::tiling::tiling_key(lowered.instance, 0).to_string());
                    list.push("out".into());
                    if *error {
                        list.push("error".into());
                    }
                    out.inside(|out| {
                        let name = self.function_name(plan, who);
                        out.line(format!("return {name}({});", list.join(", ")));
                    });
                }
                out.line("default:");
                out.inside(|out| {
                    let message = format!("{}: no such combination of dtypes", plan.sig.name);
                    out.line(format!("*error = {};", string_literal(&message)));
                    out.line("return false;");
                });
            });
            out.line("}");
        });
    }
}

/// Prints the steps of one instance.
struct Function<'a> {
    plan: &'a Plan<'a>,
    lowered: &'a Lowered,
    helpers: &'a Cell<Helpers>,
}

impl Function<'_> {
    /// The body with its braces; the head differs by what it turned out to use.
    fn text(&self) -> String {
        let mut scope = Scope::with(&["args", "out", "error", "firstKey", "n"]);
        let mut vars: Vec<(String, ScalarTy)> = self.lowered.vars.iter().map(|v| (scope.unique(&camel(&v.name)), v.ty)).collect();
        let needed = self.needed();
        let mut positive = BTreeSet::new();
        let mut out = Cpp::new();
        out.line("{");
        out.inside(|out| {
            self.steps(&self.lowered.steps, &vars, &needed, &mut positive, out);
            let mut open = true;
            for (i, variant) in self.lowered.variants.iter().enumerate() {
                vars.truncate(self.lowered.vars.len());
                let mut inner = scope.clone();
                for decl in variant.body.vars.iter().skip(self.lowered.vars.len()) {
                    vars.push((inner.unique(&camel(&decl.name)), decl.ty));
                }
                let always = variant.when == Scalar::Bool(true);
                let mut positive = positive.clone();
                let mut print = |out: &mut Cpp| self.variant(i, variant, &vars, &needed, &mut positive, out);
                if always {
                    print(out);
                    open = false;
                    break;
                }
                let when = self.expr(&variant.when, &vars);
                out.comment(&format!("Variant `{}`.", variant.name));
                out.block(format!("if ({when})"), print);
            }
            if open {
                self.fail("no variant of the kernel takes this shape", out);
            }
        });
        out.line("}");
        out.finish()
    }

    fn variant(
        &self,
        i: usize,
        v: &Variant,
        vars: &[(String, ScalarTy)],
        needed: &BTreeSet<VarId>,
        positive: &mut BTreeSet<VarId>,
        out: &mut Cpp,
    ) {
        self.steps(&v.steps, vars, needed, positive, out);
        for id in &v.fields {
            let Some(field) = self.plan.names.member(v, *id) else { continue };
            let name = &vars[id.index()].0;
            let value = if field.ty == ScalarTy::Bool { format!("{name} ? 1 : 0") } else { name.clone() };
            out.line(format!("out.data.{} = {value};", field.member));
        }
        let key = if i == 0 { "firstKey".to_string() } else { format!("firstKey + {i}") };
        out.line(format!("out.tilingKey = {key};"));
        out.stmt(format!("out.blockDim = {}", self.expr(&v.block_dim, vars)));
        out.stmt(format!("out.workspaceSize = {}", self.expr(&v.workspace, vars)));
        out.line("return true;");
    }

    fn steps(
        &self,
        steps: &[HostStep],
        vars: &[(String, ScalarTy)],
        needed: &BTreeSet<VarId>,
        positive: &mut BTreeSet<VarId>,
        out: &mut Cpp,
    ) {
        for step in steps {
            match step {
                HostStep::Let { var, value } => {
                    if !needed.contains(var) {
                        continue;
                    }
                    self.guard(value, vars, positive, out);
                    let (name, ty) = &vars[var.index()];
                    let leaves = HostLeaves::new(self.plan.sig, &self.plan.names, vars);
                    let text = ScalarPrinter::new(&leaves, self.helpers).expr_as(value, *ty);
                    out.stmt(format!("const {} {name} = {text}", cpp_type(*ty)));
                    if is_positive(value, positive) {
                        positive.insert(*var);
                    }
                }
                HostStep::Solve { var, step, max, bytes: bytes_of, limit } => {
                    if !needed.contains(var) {
                        continue;
                    }
                    self.guard(max, vars, positive, out);
                    let mut leaves = HostLeaves::new(self.plan.sig, &self.plan.names, vars);
                    let max = ScalarPrinter::new(&leaves, self.helpers).expr(max);
                    leaves.renamed = Some((*var, "n"));
                    let bytes = ScalarPrinter::new(&leaves, self.helpers).expr(bytes_of);
                    let limit = if *limit == self.plan.chip.ub_usable() { "UB_BYTES".into() } else { limit.to_string() };
                    out.comment("As much as UB can hold, by the bytes that InitBuffer will take.");
                    let name = &vars[var.index()].0;
                    // A footprint that is the same for every candidate reads no candidate.
                    let n = if mentions(bytes_of, *var) { "int64_t n" } else { "int64_t" };
                    let head = format!("const int64_t {name} = LargestThatFits({step}, {max}, {limit}, [&]({n})");
                    out.wrapped(&head, " {");
                    out.inside(|out| out.stmt(format!("return {bytes}")));
                    out.line("});");
                }
                HostStep::Fits { bytes, limit, given } => {
                    let fits = bytes.clone().bin(BinOp::Le, *limit);
                    self.require(&fits, &HostStep::does_not_fit(given.as_ref()), vars, positive, out);
                }
                HostStep::Require { cond, message } => self.require(cond, message, vars, positive, out),
            }
        }
    }

    fn require(&self, cond: &Scalar, message: &str, vars: &[(String, ScalarTy)], positive: &mut BTreeSet<VarId>, out: &mut Cpp) {
        self.guard(cond, vars, positive, out);
        let cond_text = self.negated(cond, vars);
        out.block(format!("if ({cond_text})"), |out| self.fail(message, out));
        learn(cond, positive);
    }

    fn fail(&self, message: &str, out: &mut Cpp) {
        out.line(format!("*error = {};", string_literal(message)));
        out.line("return false;");
    }

    fn expr(&self, s: &Scalar, vars: &[(String, ScalarTy)]) -> String {
        let leaves = HostLeaves::new(self.plan.sig, &self.plan.names, vars);
        ScalarPrinter::new(&leaves, self.helpers).expr(s)
    }

    /// The condition under which a requirement fails. Comparisons of floats are not turned round: nan fails them all.
    fn negated(&self, cond: &Scalar, vars: &[(String, ScalarTy)]) -> String {
        let leaves = HostLeaves::new(self.plan.sig, &self.plan.names, vars);
        let p = ScalarPrinter::new(&leaves, self.helpers);
        if let Scalar::Bin(op, a, b) = cond {
            let ints = p.ty(a) != ScalarTy::F32 && p.ty(b) != ScalarTy::F32;
            let turned = match op {
                BinOp::Lt => Some(BinOp::Ge),
                BinOp::Le => Some(BinOp::Gt),
                BinOp::Gt => Some(BinOp::Le),
                BinOp::Ge => Some(BinOp::Lt),
                BinOp::Eq => Some(BinOp::Ne),
                BinOp::Ne => Some(BinOp::Eq),
                _ => None,
            };
            if let (true, Some(op)) = (ints, turned) {
                return p.expr(&Scalar::Bin(op, a.clone(), b.clone()));
            }
        }
        p.expr(&Scalar::un(jumar_dsl::ir::UnOp::Not, cond.clone()))
    }

    /// Refuses zero divisors that are evaluated in any case and not known to be positive.
    fn guard(&self, s: &Scalar, vars: &[(String, ScalarTy)], positive: &BTreeSet<VarId>, out: &mut Cpp) {
        let mut divisors = Vec::new();
        divisors_of(s, positive, &mut divisors);
        for d in divisors {
            let leaves = HostLeaves::new(self.plan.sig, &self.plan.names, vars);
            let p = ScalarPrinter::new(&leaves, self.helpers);
            if p.ty(d) == ScalarTy::F32 {
                continue;
            }
            let test = p.expr(&d.clone().bin(BinOp::Eq, 0));
            out.block(format!("if ({test})"), |out| self.fail("a division by zero", out));
        }
    }

    /// Variables that a result depends on; the others would only make the compiler warn.
    fn needed(&self) -> BTreeSet<VarId> {
        let mut needed = BTreeSet::new();
        let see = |s: &Scalar, needed: &mut BTreeSet<VarId>| {
            s.walk(&mut |n| {
                if let Scalar::Var(v) = n {
                    needed.insert(*v);
                }
            });
        };
        let steps = || self.lowered.steps.iter().chain(self.lowered.variants.iter().flat_map(|v| &v.steps));
        for v in &self.lowered.variants {
            needed.extend(&v.fields);
            [&v.when, &v.block_dim, &v.workspace].into_iter().for_each(|s| see(s, &mut needed));
        }
        loop {
            let before = needed.len();
            for step in steps() {
                match step {
                    HostStep::Let { var, value } if needed.contains(var) => see(value, &mut needed),
                    HostStep::Solve { var, max, bytes, .. } if needed.contains(var) => {
                        see(max, &mut needed);
                        see(bytes, &mut needed);
                    }
                    HostStep::Fits { bytes, .. } => see(bytes, &mut needed),
                    HostStep::Require { cond, .. } => see(cond, &mut needed),
                    HostStep::Let { .. } | HostStep::Solve { .. } => {}
                }
            }
            if needed.len() == before {
                return needed;
            }
        }
    }
}

/// True where an expression reads a variable.
fn mentions(s: &Scalar, var: VarId) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= *n == Scalar::Var(var));
    found
}

/// Divisors that are evaluated whatever the conditions in the expression are.
fn divisors_of<'s>(s: &'s Scalar, positive: &BTreeSet<VarId>, found: &mut Vec<&'s Scalar>) {
    match s {
        Scalar::Bin(BinOp::And | BinOp::Or, a, _) => divisors_of(a, positive, found),
        Scalar::Bin(op, a, b) => {
            divisors_of(a, positive, found);
            divisors_of(b, positive, found);
            let divides = matches!(op, BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp);
            if divides && !is_positive(b, positive) && !found.contains(&&**b) {
                found.push(b);
            }
        }
        Scalar::Select(c, ..) => divisors_of(c, positive, found),
        Scalar::Un(_, a) | Scalar::Cast(_, a) => divisors_of(a, positive, found),
        _ => {}
    }
}

/// True where a scalar is certainly above zero.
fn is_positive(s: &Scalar, known: &BTreeSet<VarId>) -> bool {
    let both = |a: &Scalar, b: &Scalar| is_positive(a, known) && is_positive(b, known);
    match s {
        Scalar::Int(v) => *v > 0,
        Scalar::Float(v) => *v > 0.0,
        Scalar::Chip(_) => true,
        Scalar::Var(v) => known.contains(v),
        Scalar::Bin(BinOp::Max, a, b) => is_positive(a, known) || is_positive(b, known),
        Scalar::Bin(BinOp::Add | BinOp::Mul | BinOp::Min | BinOp::CeilDiv | BinOp::AlignUp, a, b) => both(a, b),
        Scalar::Select(_, a, b) => both(a, b),
        _ => false,
    }
}

/// What a requirement that holds says of variables.
fn learn(cond: &Scalar, known: &mut BTreeSet<VarId>) {
    if let Scalar::Bin(op, a, b) = cond {
        match (op, &**a, &**b) {
            (BinOp::Gt, Scalar::Var(v), Scalar::Int(n)) if *n >= 0 => {
                known.insert(*v);
            }
            (BinOp::Ge | BinOp::Eq, Scalar::Var(v), Scalar::Int(n)) if *n >= 1 => {
                known.insert(*v);
            }
            (BinOp::And, ..) => {
                learn(a, known);
                learn(b, known);
            }
            _ => {}
        }
    }
}
