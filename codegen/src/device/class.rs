//! One kernel class: `Init` takes the tensors, the tiling data and the pipe; `Process` runs the tile loop.
//!
//! Scalars that only depend on the tiling data and the block index are computed in `Init` and kept as members;
//! `Process` calls `CopyIn`, `Compute` and `CopyOut` where the loop has that shape ([`super::stages`]).

use super::uses::{vars_in, Live};
use crate::cpp::Cpp;
use crate::names::{self, camel, pascal, Scope};
use crate::plan::{Names, Plan};
use crate::range::Ranges;
use crate::scalar::{cpp_type, Helper, Helpers, Leaves, ScalarPrinter};
use crate::EmitOptions;
use jumar_dsl::ir::{
    AxisId, Body, BufId, ChipFact, Level, Lowered, ParamId, QueueId, Scalar, ScalarTy, Stmt, StmtKind, TPosition, Ty, VarId,
    Variant,
};
use jumar_dsl::soc::Chip;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The text of a class and what the rest of the file must know of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ClassText {
    /// What stands between the braces.
    pub(crate) body: String,
    /// Dtype parameters that became template parameters.
    pub(crate) params: Vec<u8>,
    /// Their names.
    pub(crate) param_names: Vec<String>,
    /// Tensors that `Init` takes.
    pub(crate) tensors: Vec<ParamId>,
    /// True where `Init` takes the tiling data.
    pub(crate) takes_tiling: bool,
    /// Helpers that the text uses.
    pub(crate) helpers: Helpers,
}

/// Where a variable lives.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// A member of the tiling data, and the member of the class that keeps it.
    Field { data: String, kept: String },
    /// A member of the class, set in `Init`.
    Member(String),
    /// A local of `Init` or of a method.
    Local(String),
}

/// What the printers of a class share.
pub(crate) struct ClassCx<'a> {
    pub(super) lowered: &'a Lowered,
    pub(super) body: &'a Body,
    pub(super) chip: &'static Chip,
    pub(super) source: Option<String>,
    pub(super) level: Level,
    pub(super) variant: &'a Variant,
    pub(super) names: &'a Names,
    template: bool,
    param_names: Vec<String>,
    used_params: RefCell<BTreeSet<u8>>,
    helpers: Cell<Helpers>,
    pub(super) buffer_num: Option<i64>,
    pub(super) places: Vec<Place>,
    pub(super) queues: Vec<String>,
    pub(super) bufs: Vec<String>,
    pub(super) gms: Vec<String>,
    pub(super) init_params: Vec<String>,
    pub(super) locals: Scope,
    ranges: Ranges,
}

/// How a variable is spelt depends on where it is read.
struct At<'c, 'a> {
    cx: &'c ClassCx<'a>,
    init: bool,
}

impl Leaves for At<'_, '_> {
    fn var(&self, id: VarId) -> String {
        match &self.cx.places[id.index()] {
            Place::Field { data, .. } if self.init => format!("tiling.{data}"),
            Place::Field { kept, .. } => kept.clone(),
            Place::Member(name) | Place::Local(name) => name.clone(),
        }
    }
    // Axes, attributes and chip facts became host variables when the kernel was lowered.
    fn axis(&self, id: AxisId) -> String {
        self.cx.names.axes.get(id.index()).cloned().unwrap_or_default()
    }
    fn attr(&self, id: ParamId) -> String {
        self.cx.names.attrs.get(id.index()).cloned().flatten().unwrap_or_default()
    }
    fn size_of(&self, ty: Ty) -> String {
        ty.resolve(self.cx.lowered.binding()).bytes().to_string()
    }
    fn block_idx(&self) -> String {
        // `Init` names it, because it occurs there several times.
        if self.init {
            "blockIdx".into()
        } else {
            "static_cast<int64_t>(GetBlockIdx())".into()
        }
    }
    fn chip(&self, fact: ChipFact) -> String {
        match fact {
            ChipFact::VectorCores => self.cx.chip.vector_cores.to_string(),
            ChipFact::UbBytes => self.cx.chip.ub_usable().to_string(),
        }
    }
    fn on_device(&self) -> bool {
        true
    }
    fn ranges(&self) -> &Ranges {
        &self.cx.ranges
    }
}

/// The statements of a body, by where they are printed.
#[derive(Debug)]
pub(super) struct Split<'a> {
    /// Scalars of the tiling data and the block index only: computed in `Init`.
    pub(super) lets: Vec<&'a Stmt>,
    /// Buffers as tensors: every method can get them for itself.
    pub(super) gets: Vec<&'a Stmt>,
    /// All others, in order.
    pub(super) rest: Vec<&'a Stmt>,
}

/// What the class is made of.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    pub(super) parts: Split<'a>,
    /// What `Process` and its methods use.
    pub(super) live: Live,
    /// Variables that `Init` reads.
    pub(super) init: BTreeSet<VarId>,
    /// Tensors that `Init` takes.
    pub(super) tensors: Vec<ParamId>,
    /// Members of the tiling data that are kept as members of the class.
    pub(super) fields: Vec<VarId>,
    /// True where `Init` takes the tiling data.
    pub(super) takes_tiling: bool,
}

fn split<'a>(body: &'a Body, fields: &[VarId]) -> Split<'a> {
    let mut parts = Split { lets: Vec::new(), gets: Vec::new(), rest: Vec::new() };
    let mut known: BTreeSet<VarId> = fields.iter().copied().collect();
    for s in &body.stmts {
        match &s.kind {
            StmtKind::LetScalar { var, value } if !body.var(*var).mutable => {
                let mut early = true;
                vars_in(value, &mut |v| early &= known.contains(&v));
                if early {
                    known.insert(*var);
                    parts.lets.push(s);
                } else {
                    parts.rest.push(s);
                }
            }
            StmtKind::Get { .. } => parts.gets.push(s),
            _ => parts.rest.push(s),
        }
    }
    parts
}

/// Prints the class of an instance and variant, with template parameters for the dtype parameters or without.
pub(crate) fn class_text(plan: &Plan<'_>, options: &EmitOptions, at: usize, variant: usize, template: bool) -> ClassText {
    let lowered = &plan.instances[at];
    let variant = &lowered.variants[variant];
    let body = &variant.body;
    let parts = split(body, &variant.fields);
    let live = Live::of(parts.rest.iter().copied());
    // What `Init` computes: members, the scalars behind them, the sizes of the buffers.
    let mut init: BTreeSet<VarId> = BTreeSet::new();
    for s in body.queues.iter().flat_map(|q| [&q.bytes, &q.buffer_num]).chain(body.bufs.iter().map(|b| &b.bytes)) {
        vars_in(s, &mut |v| {
            init.insert(v);
        });
    }
    for s in parts.lets.iter().rev() {
        if let StmtKind::LetScalar { var, value } = &s.kind {
            if init.contains(var) || live.var(*var) {
                vars_in(value, &mut |v| {
                    init.insert(v);
                });
            }
        }
    }
    let mut locals = Scope::with(&["tiling", "pipe", "blockIdx"]);
    let mut param_scope = Scope::default();
    let params: Vec<String> = plan.sig.dtypes.iter().map(|d| param_scope.unique(&names::type_param(&d.name))).collect();
    params.iter().for_each(|p| {
        locals.unique(p);
    });
    let init_params = plan.sig.params.iter().map(|p| locals.unique(&camel(&p.name))).collect();
    let mut members = Scope::default();
    let gms = plan.sig.params.iter().map(|p| members.unique(&format!("{}Gm_", camel(&p.name)))).collect();
    let queues = body.queues.iter().map(|q| members.unique(&queue_member(&q.name, q.position))).collect();
    let bufs = body.bufs.iter().map(|b| members.unique(&buf_member(&b.name))).collect();
    let lets: BTreeSet<VarId> = parts.lets.iter().filter_map(|s| let_var(s)).collect();
    let mut places = Vec::with_capacity(body.vars.len());
    for (i, decl) in body.vars.iter().enumerate() {
        let id = VarId::new(i, decl.ty);
        places.push(if variant.fields.contains(&id) {
            let data = plan.names.member(variant, id).map_or_else(|| camel(&decl.name), |f| f.member.clone());
            let kept = members.unique(&format!("{data}_"));
            Place::Field { data, kept }
        } else if lets.contains(&id) && live.var(id) {
            Place::Member(members.unique(&format!("{}_", camel(&decl.name))))
        } else if !(live.var(id) || lets.contains(&id) && init.contains(&id) || is_loop_var(body, id)) {
            // Never printed, so it takes no name from others.
            Place::Local(String::new())
        } else {
            Place::Local(locals.unique(&camel(&decl.name)))
        });
    }
    let source = options.source_name.as_deref().map(|n| n.rsplit(['/', '\\']).next().unwrap_or(n).to_string());
    let cx = ClassCx {
        lowered,
        body,
        chip: plan.chip,
        level: plan.level,
        source,
        variant,
        ranges: Ranges::of_variant(lowered, variant),
        names: &plan.names,
        template,
        param_names: params,
        used_params: RefCell::default(),
        helpers: Cell::default(),
        buffer_num: plan.buffer_num,
        places,
        queues,
        bufs,
        gms,
        init_params,
        locals,
    };
    cx.print(parts, live, init)
}

/// The variable of a scalar definition.
pub(super) fn let_var(s: &Stmt) -> Option<VarId> {
    match &s.kind {
        StmtKind::LetScalar { var, .. } => Some(*var),
        _ => None,
    }
}

pub(super) fn reads_block_idx(s: &Scalar) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= *n == Scalar::BlockIdx);
    found
}

fn is_loop_var(body: &Body, id: VarId) -> bool {
    let mut found = false;
    body.walk(&mut |s| found |= matches!(&s.kind, StmtKind::For { var, .. } if *var == id));
    found
}

/// `in_x` to `inQueueX_`, by the position where the name does not say it.
fn queue_member(name: &str, position: TPosition) -> String {
    let (word, prefix) = match position {
        TPosition::VecIn => ("in", "in_"),
        TPosition::VecOut => ("out", "out_"),
        _ => return format!("{}Queue_", camel(name)),
    };
    let rest = name.strip_prefix(prefix).unwrap_or(name);
    format!("{word}Queue{}_", pascal(rest))
}

fn buf_member(name: &str) -> String {
    let name = camel(name);
    if name.ends_with("Buf") {
        format!("{name}_")
    } else {
        format!("{name}Buf_")
    }
}

impl<'a> ClassCx<'a> {
    /// A printer for code of `Process` and the methods it calls.
    pub(super) fn process(&self) -> Printer<'_, 'a> {
        Printer { at: At { cx: self, init: false }, helpers: &self.helpers }
    }
    /// A printer for code of `Init`.
    pub(super) fn init(&self) -> Printer<'_, 'a> {
        Printer { at: At { cx: self, init: true }, helpers: &self.helpers }
    }
    pub(super) fn need(&self, helper: Helper) {
        let mut set = self.helpers.get();
        set.add(helper);
        self.helpers.set(set);
    }
    /// C++ spelling of a dtype.
    pub(super) fn ty(&self, ty: Ty) -> String {
        match ty {
            Ty::Param(i) if self.template => {
                self.used_params.borrow_mut().insert(i);
                self.param_names[usize::from(i)].clone()
            }
            _ => ty.resolve(self.lowered.binding()).ascendc().to_string(),
        }
    }
    /// True where the dtype is a template parameter here.
    pub(super) fn is_param(&self, ty: Ty) -> bool {
        self.template && matches!(ty, Ty::Param(_))
    }
    pub(super) fn queue(&self, id: QueueId) -> &str {
        &self.queues[id.index()]
    }
    pub(super) fn buf(&self, id: BufId) -> &str {
        &self.bufs[id.index()]
    }
    pub(super) fn gm_member(&self, id: ParamId) -> String {
        self.gms[id.index()].clone()
    }
    pub(super) fn var_name(&self, id: VarId) -> String {
        At { cx: self, init: false }.var(id)
    }

    fn print(&self, parts: Split<'a>, live: Live, init: BTreeSet<VarId>) -> ClassText {
        let fields: Vec<VarId> = self.variant.fields.iter().copied().filter(|v| live.var(*v)).collect();
        let takes_tiling = self.variant.fields.iter().any(|v| live.var(*v) || init.contains(v));
        let c = Contents { parts, live, init, tensors: self.tensors(), fields, takes_tiling };
        let mut out = Cpp::new();
        out.line("public:");
        let (mut methods, mut private) = (Cpp::indented(1), Cpp::indented(1));
        self.print_init(&c, &mut methods);
        methods.blank();
        self.print_process(&c, &mut methods, &mut private);
        out.raw(&methods.finish());
        let private = private.finish();
        out.blank();
        out.line("private:");
        if !private.is_empty() {
            out.raw(&private);
            out.blank();
        }
        out.inside(|out| self.print_members(&c, out));
        let params: Vec<u8> = self.used_params.borrow().iter().copied().collect();
        ClassText {
            body: out.finish(),
            param_names: params.iter().map(|p| self.param_names[usize::from(*p)].clone()).collect(),
            params,
            tensors: c.tensors,
            takes_tiling,
            helpers: self.helpers.get(),
        }
    }

    /// Tensor parameters that the body copies from or to.
    fn tensors(&self) -> Vec<ParamId> {
        let mut used = BTreeSet::new();
        self.body.walk(&mut |s| {
            if let StmtKind::Instr { instr } = &s.kind {
                used.extend(instr.views().filter_map(|(_, view)| view.param()));
            }
        });
        used.into_iter().collect()
    }

    fn print_members(&self, c: &Contents<'a>, out: &mut Cpp) {
        for t in &c.tensors {
            let ty = self.ty(self.lowered.sig.dtype(*t).expect("a view looks at a tensor"));
            out.line(format!("GlobalTensor<{ty}> {};", self.gms[t.index()]));
        }
        for i in self.queue_order() {
            let q = &self.body.queues[i];
            out.line(format!("TQue<TPosition::{}, {}> {};", q.position.word(), q.depth, self.queues[i]));
        }
        for (b, name) in self.body.bufs.iter().zip(&self.bufs) {
            out.line(format!("TBuf<TPosition::{}> {name};", b.position.word()));
        }
        let lets = c.parts.lets.iter().filter_map(|s| let_var(s)).filter(|v| c.live.var(*v));
        for v in c.fields.iter().copied().chain(lets) {
            let ty = self.body.var(v).ty;
            let zero = match ty {
                ScalarTy::F32 => "0.0f",
                ScalarTy::Bool => "false",
                ScalarTy::Index | ScalarTy::I32 => "0",
            };
            out.line(format!("{} {} = {zero};", cpp_type(ty), self.var_name(v)));
        }
    }
}

/// A [`ScalarPrinter`] together with the leaves it borrows.
pub(super) struct Printer<'c, 'a> {
    at: At<'c, 'a>,
    helpers: &'c Cell<Helpers>,
}

impl Printer<'_, '_> {
    fn inner(&self) -> ScalarPrinter<'_> {
        ScalarPrinter::new(&self.at, self.helpers)
    }
    pub(super) fn var(&self, id: VarId) -> String {
        self.at.var(id)
    }
    pub(super) fn expr(&self, s: &Scalar) -> String {
        self.inner().expr(s)
    }
    pub(super) fn expr_as(&self, s: &Scalar, ty: ScalarTy) -> String {
        self.inner().expr_as(s, ty)
    }
    pub(super) fn factor(&self, s: &Scalar) -> String {
        self.inner().factor(s)
    }
}
