//! The state of one kernel's translation: spans, findings, declarations, and the statement list being filled.
//!
//! Findings are collected, never thrown: whatever reports one goes on with [`Val::Unknown`]. Names of IR nodes are
//! unique in the body; a value without a name of the author's gets one from its op at the end, so that the author's
//! names come out unchanged.

pub mod access;
pub mod kinds;
pub mod module;
pub mod scope;

use super::text::span::{Ends, Node};
use crate::diag::{Code, Diagnostic};
use crate::front::cx::kinds::{Callee, CoreRange, Items, Merged, Packed};
use crate::front::cx::module::Module;
use crate::front::text::words::FIXUP;
use crate::ir::linear::Definitions;
use crate::ir::{
    AxId, Axes, Body, BufId, Level, LoopId, ParamId, QueueId, Scalar, ScalarTy, Signature, SpanId, Stage, Stmt, StmtKind,
    TensorDecl, TensorId, TileExpr, Ty, ValueDecl, ValueId, VarDecl, VarId,
};
use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use scope::{AxisName, Num, RunId, Scope, Val};
use std::collections::{BTreeMap, HashMap};

/// What encloses the statement being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// A scalar `for` or an `if`.
    Inner,
    /// A tile loop; `None` where its header was wrong.
    Tile(Option<LoopId>),
}

/// Something that its methods change, so that rustc wants it `let mut`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Pipe,
    Queue(QueueId),
    Buf(BufId),
}

/// A name without the `r#` of a raw identifier.
pub(super) fn plain_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_string).unwrap_or(name)
}

/// What a turn of a tile loop has of one axis.
pub(super) struct RunInfo {
    pub name: String,
    /// The loop.
    pub by: LoopId,
    /// True where a turn has one index of it, a scalar.
    pub is_each: bool,
    /// The tensor whose elements it goes through, shapes ignored.
    pub over: Option<ParamId>,
    pub start: VarId,
    pub len: VarId,
    /// The axis of its run, and the whole one that it is a part of.
    pub ax: AxId,
    pub of: AxId,
}

/// An axis of the tensors' shapes that has a name.
pub(super) struct NamedAxis {
    pub name: String,
    pub extent: Scalar,
    /// The axis of tiles, once there is one.
    pub ax: Option<AxId>,
}

/// State of one kernel.
pub(super) struct Cx<'a> {
    pub module: &'a Module<'a>,
    pub spans: Vec<Ends>,
    pub diagnostics: Vec<Diagnostic>,
    pub sig: Signature,
    /// False for a tensor whose `#[shape]` was wrong.
    pub shape_known: Vec<bool>,
    /// Place of each parameter's name.
    pub param_ends: Vec<Ends>,
    /// Tensors that a store or copy writes.
    pub written: Vec<bool>,
    pub body: Body,
    pub out: Vec<Stmt>,
    pub scope: Scope,
    pub stages: Vec<Stage>,
    /// Runs of the tile loops seen so far.
    pub runs: Vec<RunInfo>,
    pub loop_count: u32,
    pub frames: Vec<Frame>,
    /// The outermost tile loop.
    pub tile_loop: Option<SpanId>,
    /// Values that the cores merge.
    pub merged: Vec<Merged>,
    /// Calls whose statements are no op each, in order.
    pub calls: Vec<crate::ir::InlinedCall>,
    /// Tensors to which loops append.
    pub packed: Vec<Packed>,
    /// `#[deterministic]`, where it stands.
    pub deterministic: Option<SpanId>,
    /// Loops of one turn, for stores outside of all loops.
    pub once: Vec<LoopId>,
    /// The tensors that tiles were loaded from.
    pub loaded: BTreeMap<ValueId, ParamId>,
    pub level: Option<(Level, SpanId)>,
    pub mixed: bool,
    pub fit_tile: Option<SpanId>,
    /// Queues, buffers and pipes bound without `mut`, with the place of the name; taken once reported.
    pub immutable: Vec<(Owner, Ends)>,
    /// Helpers being inlined, with the number of this inlining.
    pub inlining: Vec<(Callee, usize)>,
    /// The call of a function of the library whose text is being read: all that stands there is at its place.
    pub within: Option<SpanId>,
    pub inlined: usize,
    /// Nesting of the expression being read, in this helper and over all of them.
    pub depth: usize,
    pub total_depth: usize,
    /// True after a finding about that nesting, until the expression ends.
    pub too_deep: bool,
    /// Constants of the module being evaluated.
    pub const_stack: Vec<usize>,
    /// Values of those that were, by index.
    pub const_values: HashMap<usize, Val>,
    /// The type a `let` names, where it is a queue's or buffer's.
    pub let_type: Option<syn::PathSegment>,
    /// True after an error that may have hidden a store.
    pub doubt: bool,
    /// True while the sizes of a `#[shape]` are read.
    pub in_shape: bool,
    /// True after a mistake that nothing is said of.
    pub silenced: bool,
    /// Variables of scalar loops.
    pub loop_vars: Vec<VarId>,
    /// Dtype parameters without a bound that is known, of which an error was reported.
    pub unbound: Vec<u8>,
    /// Types that are none and like none; each is reported once.
    pub no_types: Vec<String>,
    /// Tensors with a `#[shape]` of their own.
    pub own_shape: Vec<bool>,
    /// Axes with a name of the author's, or of a whole shape.
    pub axis_names: Vec<NamedAxis>,
    /// Those of each workspace, where it has axes.
    pub work_axes: Vec<Option<Vec<AxisName>>>,
    /// The axis of each entry of the tensors' shapes.
    pub dim_names: HashMap<(ParamId, usize), AxisName>,
    /// What the host computes under names.
    pub definitions: Definitions,
    /// Whole axes without a name: entries of a tensor's shape.
    pub unnamed: Vec<(ParamId, usize, AxId)>,
    /// Where the indices of whole axes begin that are ranges.
    pub firsts: BTreeMap<AxId, Scalar>,
    /// Ranges with an end that only the core knows.
    pub core_ranges: Vec<CoreRange>,
    /// The loop over the items of lists.
    pub items: Option<Items>,
    /// The function's name.
    pub name_ends: Ends,
    seen: HashMap<(Callee, Code, String), usize>,
    names: HashMap<String, u32>,
}

impl<'a> Cx<'a> {
    pub fn new(module: &'a Module<'a>, name: &Ident) -> Self {
        Cx {
            module,
            spans: Vec::with_capacity(64),
            diagnostics: Vec::new(),
            sig: Signature {
                name: plain_name(name),
                doc: String::new(),
                dtypes: Vec::new(),
                instances: Vec::new(),
                axes: Vec::new(),
                items: None,
                params: Vec::new(),
                facts: Vec::new(),
            },
            shape_known: Vec::new(),
            param_ends: Vec::new(),
            written: Vec::new(),
            body: Body::default(),
            out: Vec::new(),
            scope: Scope::default(),
            stages: Vec::new(),
            runs: Vec::new(),
            loop_count: 0,
            frames: Vec::new(),
            tile_loop: None,
            merged: Vec::new(),
            calls: Vec::new(),
            packed: Vec::new(),
            deterministic: None,
            once: Vec::new(),
            loaded: BTreeMap::new(),
            level: None,
            mixed: false,
            fit_tile: None,
            immutable: Vec::new(),
            inlining: Vec::new(),
            within: None,
            inlined: 0,
            depth: 0,
            total_depth: 0,
            too_deep: false,
            const_stack: Vec::new(),
            const_values: HashMap::new(),
            let_type: None,
            doubt: false,
            in_shape: false,
            silenced: false,
            loop_vars: Vec::new(),
            unbound: Vec::new(),
            no_types: Vec::new(),
            own_shape: Vec::new(),
            axis_names: Vec::new(),
            work_axes: Vec::new(),
            dim_names: HashMap::new(),
            definitions: Definitions::default(),
            unnamed: Vec::new(),
            firsts: BTreeMap::new(),
            core_ranges: Vec::new(),
            items: None,
            name_ends: name.ends(),
            seen: HashMap::new(),
            names: HashMap::new(),
        }
    }

    // ---- places and findings ----

    /// A new span id for a node.
    pub fn at(&mut self, node: &(impl Node + ?Sized)) -> SpanId {
        if let Some(call) = self.within {
            return call;
        }
        self.spans.push(node.ends());
        SpanId(self.spans.len() as u32 - 1)
    }

    /// Starts a finding.
    pub fn error(&mut self, code: Code, node: &(impl Node + ?Sized), message: impl Into<String>) -> Diagnostic {
        let span = self.at(node);
        Diagnostic::new(code, span, message)
    }

    /// Adds a finding. A mistake in a helper is reported at its first call only.
    pub fn report(&mut self, d: Diagnostic) {
        if let Some(&(helper, turn)) = self.inlining.last() {
            let first = *self.seen.entry((helper, d.code, d.message.clone())).or_insert(turn);
            if first != turn {
                return;
            }
        }
        self.diagnostics.push(d);
    }

    /// Adds a finding and gives the value that silences what follows from it.
    pub fn bad(&mut self, d: Diagnostic) -> Val {
        self.report(d);
        Val::Unknown
    }

    /// True where a node names something that an error was reported for: what is wrong with the node may follow from it.
    pub fn mentions_unknown(&self, node: &(impl ToTokens + ?Sized)) -> bool {
        let mut rest = vec![node.to_token_stream()];
        while let Some(tokens) = rest.pop() {
            for token in tokens {
                match token {
                    TokenTree::Ident(word) if self.scope.get(&word.to_string()).is_some_and(|b| b.val.is_unknown()) => {
                        return true;
                    }
                    TokenTree::Group(g) => rest.push(g.stream()),
                    TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
        }
        false
    }

    /// True for a name that an editor made up; nothing is said of it, and no kernel is made.
    pub fn fixup(&mut self, name: &str) -> bool {
        let made_up = name.contains(FIXUP);
        self.silenced |= made_up;
        made_up
    }

    /// Reports a name that the emitted C++ could not have; whatever it is bound to stays usable.
    pub fn ascii_name(&mut self, ident: &Ident, code: Code) {
        let name = ident.to_string();
        if name.is_ascii() {
            return;
        }
        let odd: String = name.chars().filter(|c| !c.is_ascii()).collect();
        let d = self
            .error(code, ident, format!("the name `{name}` has letters that are not ASCII: `{odd}`"))
            .help("it becomes a name in C++: write it with a to z, A to Z, digits and `_`");
        self.report(d);
    }

    /// Refuses a form of Rust.
    pub fn unsupported(&mut self, node: &(impl Node + ?Sized), what: &str, help: &str) -> Val {
        let d = self.error(Code::J0101, node, format!("{what} cannot stand in a kernel")).help(help);
        self.bad(d)
    }

    // ---- loops ----

    pub fn run(&self, RunId(at): RunId) -> &RunInfo {
        &self.runs[at]
    }

    /// The first index of a run, as the author counts: of a loop over a range from where that begins.
    pub fn run_start(&self, run: RunId) -> Scalar {
        let RunInfo { start, of, .. } = *self.run(run);
        self.first_index(of) + start
    }

    /// The runs of a loop, outermost first.
    pub fn runs_of(&self, of: LoopId) -> impl Iterator<Item = &RunInfo> {
        self.runs.iter().filter(move |run| run.by == of)
    }

    /// The outermost tile loop around: `None` inside where its header was wrong.
    pub fn phase(&self) -> Option<Option<LoopId>> {
        self.frames.iter().find_map(|frame| match frame {
            Frame::Tile(of) => Some(*of),
            Frame::Inner => None,
        })
    }

    /// The runs of the outermost loop around, which is divided among the cores.
    pub fn divided(&self) -> impl Iterator<Item = &RunInfo> {
        let outer = self.phase().flatten();
        self.runs.iter().filter(move |run| Some(run.by) == outer)
    }

    // ---- statements ----

    pub fn emit(&mut self, kind: StmtKind, span: SpanId) {
        self.out.push(Stmt { kind, span });
    }

    /// Runs `f` in a scope and a frame of its own and gives the statements it emitted.
    pub fn nested<R>(&mut self, frame: Frame, f: impl FnOnce(&mut Self) -> R) -> (Vec<Stmt>, R) {
        let outer = std::mem::take(&mut self.out);
        let mark = self.scope.mark();
        self.frames.push(frame);
        let r = f(self);
        self.frames.pop();
        self.scope.back(mark);
        (std::mem::replace(&mut self.out, outer), r)
    }

    /// Notes which level a construct belongs to; a kernel uses one.
    pub fn use_level(&mut self, level: Level, node: &(impl Node + ?Sized), what: &str) {
        match self.level {
            None => {
                let span = self.at(node);
                self.level = Some((level, span));
            }
            Some((first, at)) if first != level && !self.mixed => {
                self.mixed = true;
                let d = self
                    .error(
                        Code::J0108,
                        node,
                        format!("`{what}` belongs to the {} level, the kernel began at the {} level", level.word(), first.word()),
                    )
                    .label(at, format!("the {} level began here", first.word()))
                    .help(
                        "a kernel uses one level: tile loops plan their queues and buffers, at queue level they are all written",
                    );
                self.report(d);
            }
            Some(_) => {}
        }
    }

    // ---- names and declarations ----

    /// A name that no other node of the body has.
    pub fn unique(&mut self, base: &str) -> String {
        let base = base.strip_prefix("r#").unwrap_or(base);
        if !self.names.contains_key(base) {
            self.names.insert(base.to_string(), 0);
            return base.to_string();
        }
        loop {
            let n = self.names.get_mut(base).map_or(0, |n| {
                *n += 1;
                *n
            });
            let name = format!("{base}_{n}");
            if !self.names.contains_key(&name) {
                self.names.insert(name.clone(), 0);
                return name;
            }
        }
    }

    /// A scalar variable; an empty name is chosen at the end.
    pub fn new_var(&mut self, name: &str, ty: ScalarTy, mutable: bool, stage: Stage) -> VarId {
        let name = if name.is_empty() { String::new() } else { self.unique(name) };
        self.stages.push(stage);
        self.body.add_var(VarDecl { name, ty, mutable })
    }

    /// Names a scalar: `let name = value`.
    pub fn let_scalar(&mut self, name: &str, num: &Num, mutable: bool, span: SpanId) -> VarId {
        let stage = if mutable { Stage::Block } else { self.stage(&num.value) };
        let var = self.new_var(name, num.ty.unwrap_or(ScalarTy::Index), mutable, stage);
        if stage <= Stage::Host {
            self.definitions.define(var, &num.value);
        }
        self.emit(StmtKind::LetScalar { var, value: num.value.clone() }, span);
        var
    }

    /// A scalar that may be copied without copying an expression, and that no later assignment changes.
    pub fn pinned(&mut self, name: &str, num: Num, span: SpanId) -> Num {
        let leaf = match num.value {
            Scalar::Bin(..) | Scalar::Un(..) | Scalar::Select(..) | Scalar::Cast(..) => false,
            Scalar::Var(v) => !self.body.var(v).mutable,
            _ => true,
        };
        if leaf {
            return num;
        }
        let var = self.let_scalar(name, &num, false, span);
        Num { value: Scalar::Var(var), ..num }
    }

    /// A tile value without a name, defined by `expr`.
    pub fn def(&mut self, expr: TileExpr, dtype: Ty, axes: Axes, span: SpanId) -> Val {
        Val::Tile(self.define(expr, dtype, axes, span))
    }

    /// The same, as the value that it is.
    pub fn define(&mut self, expr: TileExpr, dtype: Ty, axes: Axes, span: SpanId) -> ValueId {
        self.body.values.push(ValueDecl { name: String::new(), dtype, axes, mutable: false });
        let value = ValueId(self.body.values.len() as u32 - 1);
        self.emit(StmtKind::Def { value, expr }, span);
        value
    }

    /// A local tensor without a name.
    pub fn new_tensor(&mut self, dtype: Ty) -> TensorId {
        self.body.tensors.push(TensorDecl { name: String::new(), dtype });
        TensorId(self.body.tensors.len() as u32 - 1)
    }

    /// When a scalar is known.
    pub fn stage(&self, value: &Scalar) -> Stage {
        let mut stage = Stage::Const;
        value.walk(&mut |s| {
            stage = stage.max(match s {
                Scalar::Axis(_) | Scalar::Attr(..) | Scalar::Chip(_) | Scalar::SizeOf(_) => Stage::Host,
                Scalar::Var(v) => self.stages.get(v.index()).copied().unwrap_or(Stage::Block),
                Scalar::BlockIdx | Scalar::BlockDim => Stage::Block,
                _ => Stage::Const,
            });
        });
        stage
    }

    pub fn dtype(&self, value: ValueId) -> Ty {
        self.body.values[value.index()].dtype
    }
    pub fn axes(&self, value: ValueId) -> &Axes {
        &self.body.values[value.index()].axes
    }
    /// How messages spell a dtype.
    pub fn ty_name(&self, ty: Ty) -> String {
        self.sig.ty_name(ty)
    }

    /// Gives every node that the author did not name a name from what made it.
    pub fn name_the_rest(&mut self) {
        let mut named = Vec::new();
        crate::ir::walk_stmts(&self.out, &mut |s| match &s.kind {
            StmtKind::Def { value, expr } if self.body.values[value.index()].name.is_empty() => {
                named.push((value.0, 0, self.base_name(expr)));
            }
            StmtKind::Alloc { tensor, queue } | StmtKind::Deque { tensor, queue }
                if self.body.tensors[tensor.index()].name.is_empty() =>
            {
                named.push((tensor.0, 1, format!("{}_local", self.body.queues[queue.index()].name)));
            }
            StmtKind::Get { tensor, buf } if self.body.tensors[tensor.index()].name.is_empty() => {
                named.push((tensor.0, 1, format!("{}_local", self.body.bufs[buf.index()].name)));
            }
            StmtKind::Place { tensor, .. } if self.body.tensors[tensor.index()].name.is_empty() => {
                named.push((tensor.0, 1, "local".to_string()));
            }
            StmtKind::View { tensor, of } if self.body.tensors[tensor.index()].name.is_empty() => {
                let of = of.tensor().map_or("", |of| self.body.tensors[of.index()].name.as_str());
                named.push((tensor.0, 1, if of.is_empty() { "view".to_string() } else { format!("{of}_view") }));
            }
            kind => {
                let unnamed = s.sets().filter(|var| self.body.vars[var.index()].name.is_empty());
                let base = if matches!(kind, StmtKind::FitTile { .. }) { "tile_length" } else { "value" };
                named.extend(unnamed.map(|var| (var.index() as u32, 2, base.to_string())));
            }
        });
        for (id, table, base) in named {
            let name = self.unique(&base);
            match table {
                0 => self.body.values[id as usize].name = name,
                1 => self.body.tensors[id as usize].name = name,
                _ => self.body.vars[id as usize].name = name,
            }
        }
    }

    fn base_name(&self, expr: &TileExpr) -> String {
        match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                let axes = from.axes();
                let moves = self.runs.iter().any(|run| axes.contains(run.ax));
                format!("{}_{}", self.body.gm_name(&self.sig, from.of), if moves { "tile" } else { "row" })
            }
            TileExpr::Reduce { op, .. } => op.def().name.to_string(),
            TileExpr::Fill { .. } => "fill".to_string(),
            TileExpr::Iota { .. } => "iota".to_string(),
            TileExpr::Across { .. } => "across".to_string(),
            TileExpr::Appended { of } => format!("{}_appended", self.body.gm_name(&self.sig, *of)),
            TileExpr::Op { op, .. } => op.name().to_string(),
            TileExpr::Cast { .. } | TileExpr::Truncate { .. } => "cast".to_string(),
            TileExpr::Round { .. } => "round".to_string(),
            TileExpr::Copy { .. } => "copy".to_string(),
            TileExpr::Pick { .. } => "pick".to_string(),
            TileExpr::Top { .. } => "places".to_string(),
            TileExpr::Scan { .. } => "scan".to_string(),
        }
    }
}
