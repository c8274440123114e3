//! One kernel class: `Init` takes the tensors, the tiling data and the pipe; `Process` runs the
//! tile loop.
//!
//! `Init` computes scalars that only depend on the tiling data and the block index, and keeps them
//! as members. `Process` calls `CopyIn`, `Compute` and `CopyOut` where the loop has that form
//! ([`super::stages`]).

use super::barrier::Memories;
use super::func::Functions;
use crate::classes::Class;
use crate::cpp::Cpp;
use crate::names::{self, camel, pascal, Scope};
use crate::parts::{let_var, resets, Contents};
use crate::plan::Plan;
use crate::range::Ranges;
use crate::resolve::Source;
use crate::scalar::{self, cpp_type, Helper, Helpers, Launched, Leaves, ScalarPrinter};
use jumar_dsl::ir::queue::Body;
use jumar_dsl::ir::{
    Base, BufId, ChipFact, Func, Memory, QueueId, Scalar, ScalarTy, StmtKind, TPosition, TensorRef,
    Ty, VarId, View,
};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// The place of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// A member of the tiling data, and the member of the class that keeps it.
    Field { data: String, kept: String },
    /// A member of the class, set in `Init`.
    Member(String),
    /// A local of `Init` or of a method.
    Local(String),
}

/// Common data of the printers of a class.
pub(crate) struct ClassCx<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) class: &'a Class,
    pub(super) source: &'a Source,
    pub(super) body: &'a Body,
    param_names: Rc<[String]>,
    helpers: Cell<Helpers>,
    /// The place of each variable; `None` where no printed code reads it.
    places: Vec<Option<Place>>,
    pub(super) queues: Vec<String>,
    pub(super) bufs: Vec<String>,
    pub(super) gms: Vec<String>,
    /// Members for the workspaces.
    works: Vec<String>,
    pub(super) init_params: Vec<String>,
    /// The workspace of the launch in `Init`, where it takes one.
    pub(super) init_workspace: Option<String>,
    pub(super) locals: Scope,
    ranges: OnceCell<Ranges>,
    /// Names of the functions that it calls, by their ids.
    pub(super) func_names: Vec<Rc<str>>,
    /// True for the body of a function, which has no line of the source.
    pub(super) is_func: bool,
    /// The memory of the local tensors, where barriers are wanted.
    pub(super) memories: Option<Memories<'a>>,
    /// Where `Init` takes the block: whether `Process` reads its index, and the number of blocks.
    pub(super) kept_block: Cell<(bool, bool)>,
}

/// The spelling of variables, which depends on the place of the read.
struct At<'c, 'a> {
    cx: &'c ClassCx<'a>,
    init: bool,
}

impl Leaves for At<'_, '_> {
    fn var(&self, id: VarId, out: &mut String) {
        match self.cx.place(id) {
            Place::Field { data, .. } if self.init => {
                out.push_str("tiling.");
                out.push_str(data);
            }
            Place::Field { kept: name, .. } | Place::Member(name) | Place::Local(name) => {
                out.push_str(name)
            }
        }
    }
    fn launched(&self, of: Launched, _: &mut String) {
        unreachable!(
            "axes and attributes became variables of the host when the kernel was lowered: {of:?}"
        )
    }
    fn size_of(&self, ty: Ty, out: &mut String) {
        out.push_str("sizeof(");
        out.push_str(self.cx.ty(ty));
        out.push(')');
    }
    fn block_idx(&self, out: &mut String) {
        // `Init` has a local for it, since it occurs there several times.
        match (self.init, self.cx.plan.tells_blocks()) {
            (true, _) => out.push_str("blockIdx"),
            (false, false) => out.push_str("static_cast<int64_t>(GetBlockIdx())"),
            (false, true) => {
                self.cx.kept_block.set((true, self.cx.kept_block.get().1));
                out.push_str("blockIdx_");
            }
        }
    }
    fn block_dim(&self, out: &mut String) {
        match (self.init, self.cx.plan.tells_blocks()) {
            (_, false) => out.push_str("static_cast<int64_t>(GetBlockNum())"),
            (true, true) => out.push_str("blockNum"),
            (false, true) => {
                self.cx.kept_block.set((self.cx.kept_block.get().0, true));
                out.push_str("blockNum_");
            }
        }
    }
    fn chip(&self, fact: ChipFact, out: &mut String) {
        let n = match fact {
            ChipFact::VectorCores => self.cx.plan.chip.vector_cores,
            ChipFact::UbBytes => self.cx.plan.chip.ub_usable(),
            ChipFact::L2Bytes => self.cx.plan.chip.l2_bytes,
        };
        out.push_str(&n.to_string());
    }
    fn on_device(&self) -> bool {
        true
    }
    fn ranges(&self) -> &Ranges {
        self.cx.ranges.get_or_init(|| {
            let (at, variant) = self.cx.class.serves[0];
            let lowered = &self.cx.plan.instances[at];
            Ranges::of_variant(lowered, &lowered.variants[variant])
        })
    }
}

/// Prints the text between the braces of a class, and returns the helpers that it uses.
pub(super) fn class_body(
    plan: &Plan<'_>,
    class: &Class,
    funcs: &mut Functions,
    out: &mut Cpp,
) -> Helpers {
    let source = &class.source;
    let body = &source.body;
    let contents = Contents::of(body, &source.fields);
    let mut locals = Scope::with(&["tiling", "pipe", "blockIdx", "blockNum"]);
    let param_names = param_names(plan);
    param_names.iter().for_each(|p| {
        locals.unique(p);
    });
    let init_params = plan
        .sig
        .params
        .iter()
        .map(|p| locals.unique(&camel(&p.name)))
        .collect();
    // In a text of one case (`fixed.rs`) the words `GM_ADDR workspace` must occur only once.
    let workspace = if plan.fixed.is_some() {
        "space"
    } else {
        "workspace"
    };
    let init_workspace = class.takes_workspace().then(|| locals.unique(workspace));
    let mut members = Scope::with(if resets(body) {
        &["pipe_", "blockIdx_", "blockNum_"]
    } else {
        &["blockIdx_", "blockNum_"]
    });
    let mut gm_members = |name: &str| members.unique(&format!("{}Gm_", camel(name)));
    let gms = plan
        .sig
        .params
        .iter()
        .map(|p| gm_members(&p.name))
        .collect();
    let works = body.works.iter().map(|w| gm_members(&w.name)).collect();
    let queues = body
        .queues
        .iter()
        .map(|q| members.unique(&queue_member(&q.name, q.position)))
        .collect();
    let skews: Vec<BufId> = source.skews().collect();
    // A buffer that holds nothing is a local of `Init`.
    let bufs = body
        .bufs
        .iter()
        .enumerate()
        .map(|(i, b)| match skews.contains(&BufId(i as u32)) {
            true => locals.unique(&camel(&b.name)),
            false => members.unique(&buf_member(&b.name)),
        });
    let bufs = bufs.collect();
    let places = places(plan, source, &contents, &mut members, &mut locals);
    let mut cx = ClassCx {
        plan,
        class,
        source,
        body,
        param_names,
        helpers: Cell::default(),
        places,
        queues,
        bufs,
        gms,
        works,
        init_params,
        init_workspace,
        locals,
        ranges: OnceCell::new(),
        func_names: Vec::new(),
        is_func: false,
        memories: plan.barriers.then(|| Memories::of(body, &source.funcs)),
        kept_block: Cell::default(),
    };
    cx.name_funcs(funcs);
    cx.print(&contents, out);
    cx.helpers.get()
}

/// Returns the names of the template parameters, one for each dtype parameter of the kernel.
pub(super) fn param_names(plan: &Plan<'_>) -> Rc<[String]> {
    let mut scope = Scope::default();
    plan.sig
        .dtypes
        .iter()
        .map(|d| scope.unique(&names::type_param(&d.name)))
        .collect()
}

/// Chooses the place of each variable of the body. Variables that are never printed take no names.
fn places(
    plan: &Plan<'_>,
    source: &Source,
    c: &Contents<'_>,
    members: &mut Scope,
    locals: &mut Scope,
) -> Vec<Option<Place>> {
    let body = &source.body;
    let early: Vec<VarId> = c.parts.lets.iter().filter_map(|s| let_var(s)).collect();
    let mut loops: Vec<VarId> = Vec::new();
    body.walk(&mut |s| {
        if let StmtKind::For { var, .. } = &s.kind {
            loops.push(*var);
        }
    });
    let place = |id: VarId| {
        let decl = body.var(id);
        if source.fields.contains(&id) {
            let data = plan.names.member(decl).member.clone();
            let kept = members.unique(&format!("{data}_"));
            Some(Place::Field { data, kept })
        } else if early.contains(&id) && c.live.var(id) {
            Some(Place::Member(
                members.unique(&format!("{}_", camel(&decl.name))),
            ))
        } else if c.live.var(id)
            || early.contains(&id) && c.init.contains(&id)
            || loops.contains(&id)
        {
            Some(Place::Local(locals.unique(&camel(&decl.name))))
        } else {
            None
        }
    };
    body.var_ids().map(place).collect()
}

pub(super) fn reads_block_idx(s: &Scalar) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= *n == Scalar::BlockIdx);
    found
}

/// Converts `in_x` to `inQueueX_`, by the position where the name does not have it.
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
    /// Makes a printer for code of `Process` and the methods it calls.
    pub(super) fn process(&self) -> Printer<'_, 'a> {
        Printer {
            at: At {
                cx: self,
                init: false,
            },
            helpers: &self.helpers,
        }
    }
    /// Makes a printer for code of `Init`.
    pub(super) fn init(&self) -> Printer<'_, 'a> {
        Printer {
            at: At {
                cx: self,
                init: true,
            },
            helpers: &self.helpers,
        }
    }
    pub(super) fn need(&self, helper: Helper) {
        scalar::need(&self.helpers, helper);
    }
    /// Returns the C++ spelling of a dtype.
    pub(super) fn ty(&self, ty: Ty) -> &str {
        match ty {
            Ty::Param(i) => &self.param_names[usize::from(i)],
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => ty.resolve(&[]).ascendc(),
        }
    }
    pub(super) fn queue(&self, id: QueueId) -> &str {
        &self.queues[id.index()]
    }
    pub(super) fn buf(&self, id: BufId) -> &str {
        &self.bufs[id.index()]
    }
    pub(super) fn gm_member(&self, of: TensorRef) -> &str {
        match of {
            TensorRef::Param(id) => &self.gms[id.index()],
            TensorRef::Work(id) => &self.works[id.index()],
        }
    }
    /// Returns the place of a printed variable.
    pub(super) fn place(&self, id: VarId) -> &Place {
        self.places[id.index()]
            .as_ref()
            .expect("what is printed has a name")
    }
    /// Returns the name of a variable in `Process` and the methods it calls.
    pub(super) fn var_name(&self, id: VarId) -> &str {
        match self.place(id) {
            Place::Field { kept: name, .. } | Place::Member(name) | Place::Local(name) => name,
        }
    }

    /// Makes a printer of a function's body.
    pub(super) fn of_func<'f>(
        &'f self,
        func: &'f Func,
        places: Vec<Option<Place>>,
        locals: Scope,
    ) -> ClassCx<'f>
    where
        'a: 'f,
    {
        ClassCx {
            plan: self.plan,
            class: self.class,
            source: self.source,
            body: &func.body,
            func_names: self.func_names.clone(),
            is_func: true,
            memories: self
                .memories
                .as_ref()
                .map(|_| Memories::of_func(func, &self.source.funcs)),
            param_names: self.param_names.clone(),
            helpers: Cell::default(),
            places,
            queues: Vec::new(),
            bufs: Vec::new(),
            gms: Vec::new(),
            works: Vec::new(),
            init_params: Vec::new(),
            init_workspace: None,
            locals,
            ranges: OnceCell::new(),
            kept_block: Cell::default(),
        }
    }
    /// Adds the helpers of a function's body to those of its class.
    pub(super) fn takes_helpers(&self, helpers: Helpers) {
        self.helpers.set(self.helpers.get().union(helpers));
    }
    pub(super) fn own_helpers(&self) -> Helpers {
        self.helpers.get()
    }
    /// Returns the element type of a view's tensor.
    pub(super) fn view_ty(&self, view: &View) -> Ty {
        match view.base {
            Base::Local(t) => self.body.tensors[t.index()].dtype,
            Base::Gm(of) => self.source.global(of),
        }
    }

    fn print(&self, c: &Contents<'a>, out: &mut Cpp) {
        out.line("public:");
        let (mut init, mut process, mut private) =
            (Cpp::indented(1), Cpp::indented(1), Cpp::indented(1));
        self.print_process(c, &mut process, &mut private);
        self.print_init(c, &mut init);
        out.raw(&init.finish());
        out.blank();
        out.raw(&process.finish());
        let private = private.finish();
        out.blank();
        out.line("private:");
        if !private.is_empty() {
            out.raw(&private);
            out.blank();
        }
        out.inside(|out| self.print_members(c, out));
    }

    /// Iterates over members of the tiling data that are kept as members of the class.
    pub(super) fn kept_fields<'c>(
        &'c self,
        c: &'c Contents<'a>,
    ) -> impl Iterator<Item = VarId> + 'c {
        self.source
            .fields
            .iter()
            .copied()
            .filter(|v| c.live.var(*v))
    }

    /// Returns the declaration of a buffer.
    pub(super) fn buf_decl(&self, id: BufId) -> String {
        format!(
            "TBuf<TPosition::{}> {};",
            self.body.bufs[id.index()].position.word(),
            self.buf(id)
        )
    }

    fn print_members(&self, c: &Contents<'a>, out: &mut Cpp) {
        for of in self.class.globals() {
            let ty = self.ty(self.source.global(of));
            out.line(format_args!("GlobalTensor<{ty}> {};", self.gm_member(of)));
        }
        for memory in self.body.memory() {
            match memory {
                Memory::Queue { queue } => {
                    let q = &self.body.queues[queue.index()];
                    out.line(format_args!(
                        "TQue<TPosition::{}, {}> {};",
                        q.position.word(),
                        q.depth,
                        self.queue(queue)
                    ));
                }
                Memory::Buf { buf } | Memory::Skew { buf }
                    if self.source.skews().any(|skew| skew == buf) => {}
                Memory::Buf { buf } | Memory::Skew { buf } => out.line(self.buf_decl(buf)),
            }
        }
        self.print_ids(out);
        if resets(self.body) {
            out.line("TPipe *pipe_ = nullptr;");
        }
        for (kept, name) in [
            (self.kept_block.get().0, "blockIdx_"),
            (self.kept_block.get().1, "blockNum_"),
        ] {
            if kept {
                out.line(format_args!("int64_t {name} = 0;"));
            }
        }
        let lets = c
            .parts
            .lets
            .iter()
            .filter_map(|s| let_var(s))
            .filter(|v| c.live.var(*v));
        for v in self.kept_fields(c).chain(lets) {
            let ty = self.body.var(v).ty;
            let zero = match ty {
                ScalarTy::F32 => "0.0f",
                ScalarTy::Bool => "false",
                ScalarTy::Index | ScalarTy::I32 => "0",
            };
            out.line(format_args!(
                "{} {} = {zero};",
                cpp_type(ty),
                self.var_name(v)
            ));
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
