//! The queue level: pipe, queues and buffers.
//!
//! Each statement is only recorded. Uses of a tensor after `enque` and empty queues are found on
//! the IR. Therefore the name of a tensor still stands for it after `enque` and `free_tensor`.

use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::names::Owner;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, LocalPart, Num, SplitSpec, Val};
use crate::front::cx::Cx;
use crate::front::stmt::call::path_word;
use crate::front::text::span::{text, Node};
use crate::front::text::suggest;
use crate::ir::{
    BufDecl, BufId, HostCall, Layout, Level, QueueDecl, QueueId, QueueOp, QueueStmt, Scalar,
    ScalarTy, Stage, TPosition,
};
use crate::items::{BufMethod, PipeMethod, QueueMethod};
use proc_macro2::Ident;
use syn::{
    Expr, ExprCall, ExprLit, ExprMethodCall, GenericArgument, Lit, PathArguments, PathSegment,
};

const POSITIONS: [(&str, TPosition); 3] = [
    ("VecIn", TPosition::VecIn),
    ("VecOut", TPosition::VecOut),
    ("VecCalc", TPosition::VecCalc),
];

impl Cx<'_> {
    /// Reads `TPipe::new()`, `TQue::<VecIn, 1>::new()` or `TBuf::<VecCalc>::new()`; `None` for
    /// other owners.
    pub fn new_object(&mut self, owner: &PathSegment, c: &ExprCall, e: &Expr) -> Option<Val> {
        let name = owner.ident.to_string();
        if name == "LocalTensor" {
            return Some(self.placed_tensor(owner, c, e));
        }
        if !matches!(name.as_str(), "TPipe" | "TQue" | "TBuf") {
            return None;
        }
        self.use_level(Level::Queue, e, &name);
        let args = self.args(&c.args);
        if self
            .report
            .exactly::<0>("new", &args, e, &format!("{name}::new()"))
            .is_none()
        {
            return Some(Val::Unknown);
        }
        if name == "TPipe" {
            return Some(Val::Pipe);
        }
        let ascribed = self
            .names
            .let_type
            .take()
            .filter(|t| t.ident == owner.ident);
        let generics = match (&owner.arguments, &ascribed) {
            (PathArguments::None, Some(t)) => &t.arguments,
            (own, _) => own,
        };
        let given: Vec<&GenericArgument> = match generics {
            PathArguments::AngleBracketed(a) => a.args.iter().collect(),
            _ => Vec::new(),
        };
        let example = if name == "TQue" {
            "TQue::<VecIn, 1>::new()"
        } else {
            "TBuf::<VecCalc>::new()"
        };
        let want = if name == "TQue" { 2 } else { 1 };
        if given.len() != want {
            let d = self
                .error(Code::J0106, e, format!("`{name}` of which position?"))
                .help(format!("write `{example}`"));
            return Some(self.report.bad(d));
        }
        let Some(position) = self.report.position(path_word(given[0]), e) else {
            return Some(Val::Unknown);
        };
        let span = self.report.at(e);
        if name == "TBuf" {
            return Some(Val::NewBuf { position, span });
        }
        let Some(depth) = self.depth_arg(given[1]) else {
            let d = self
                .error(
                    Code::J0106,
                    e,
                    "the depth of a queue is an integer from 1 on",
                )
                .help(format!("write `{example}`"));
            return Some(self.report.bad(d));
        };
        Some(Val::NewQueue {
            position,
            depth,
            span,
        })
    }

    fn depth_arg(&mut self, arg: &GenericArgument) -> Option<i64> {
        let int = |e: &Expr| match e {
            Expr::Lit(ExprLit {
                lit: Lit::Int(i), ..
            }) => i.base10_parse::<i64>().ok(),
            _ => None,
        };
        let depth = match arg {
            GenericArgument::Const(e) => int(e),
            GenericArgument::Type(_) => {
                let name = path_word(arg)?.to_string();
                let val = match self.names.get(&name) {
                    Some(b) => b.val.clone(),
                    None => self.module_const_value(self.module.const_index(&name)?),
                };
                match val {
                    Val::Num(n) => n.value.as_int(),
                    _ => None,
                }
            }
            _ => None,
        };
        depth.filter(|d| (1..=i64::from(u16::MAX)).contains(d))
    }

    /// Reads a `let` of a value that is no number and no tile.
    pub fn named_object(
        &mut self,
        name: &str,
        ident: &Ident,
        mutable: bool,
        val: Val,
        init: &Expr,
    ) -> Val {
        let owner = match val {
            Val::NewQueue {
                position,
                depth,
                span,
            } => {
                let name = self.out.unique(name);
                let none = Scalar::Int(0);
                self.out.body.queues.push(QueueDecl {
                    name,
                    position,
                    depth,
                    buffer_num: none.clone(),
                    bytes: none,
                    span,
                });
                Owner::Queue(QueueId(self.out.body.queues.len() as u32 - 1))
            }
            Val::NewBuf { position, span } => {
                let name = self.out.unique(name);
                self.out.body.bufs.push(BufDecl {
                    name,
                    position,
                    bytes: Scalar::Int(0),
                    purpose: "buffer".to_string(),
                    span,
                });
                Owner::Buf(BufId(self.out.body.bufs.len() as u32 - 1))
            }
            Val::NewWork(new) => return self.named_workspace(name, *new, init),
            Val::Pipe => Owner::Pipe,
            other => return self.named_value(name, other, init),
        };
        if !mutable {
            self.names.immutable.push((owner, ident.ends()));
        }
        match owner {
            Owner::Queue(q) => Val::Queue(q),
            Owner::Buf(b) => Val::Buf(b),
            Owner::Pipe => Val::Pipe,
        }
    }

    fn named_value(&mut self, name: &str, val: Val, init: &Expr) -> Val {
        match val {
            Val::Split(spec) => {
                if !self.top_level(init, "`split`") {
                    return Val::Unknown;
                }
                let start = self.out.new_var(
                    &format!("{name}_start"),
                    ScalarTy::Index,
                    false,
                    Stage::Block,
                );
                let len =
                    self.out
                        .new_var(&format!("{name}_len"), ScalarTy::Index, false, Stage::Block);
                let SplitSpec {
                    total,
                    unit,
                    block_dim,
                    span,
                } = *spec;
                self.out.queue(
                    QueueStmt::Host {
                        call: HostCall::Split {
                            start,
                            len,
                            total,
                            unit,
                            block_dim,
                        },
                    },
                    span,
                );
                Val::Share { start, len }
            }
            Val::Local(l) => {
                if self.out.body.tensors[l.tensor.index()].name.is_empty() {
                    self.out.body.tensors[l.tensor.index()].name = self.out.unique(name);
                }
                let span = self.report.at(init);
                let offset = self
                    .out
                    .pinned(&format!("{name}_offset"), Num::index(l.offset), span)
                    .value;
                Val::Local(LocalPart {
                    tensor: l.tensor,
                    offset,
                })
            }
            Val::Strided(l, layout) => {
                let span = self.report.at(init);
                let Val::Local(l) = self.named_value(name, Val::Local(l), init) else {
                    return Val::Unknown;
                };
                let mut pin = |s, what: &str| {
                    self.out
                        .pinned(&format!("{name}_{what}"), Num::index(s), span)
                        .value
                };
                let layout = match layout {
                    Layout::Blocks { blk, rep } => Layout::Blocks {
                        blk: pin(blk, "blk"),
                        rep: pin(rep, "rep"),
                    },
                    Layout::Results { rep } => Layout::Results {
                        rep: pin(rep, "rep"),
                    },
                    Layout::Rows { pitch } => Layout::Rows {
                        pitch: pin(pitch, "pitch"),
                    },
                    Layout::Dense {} => Layout::Dense {},
                };
                Val::Strided(l, layout)
            }
            Val::Extent(form) => {
                let span = self.report.at(init);
                Val::Extent(self.out.named_extent(name, form, span))
            }
            Val::Slice(slice) => Val::Slice(Box::new(self.named_slice(name, *slice, init))),
            other => other,
        }
    }

    /// Reports J0213, once, for an object that its methods change and that is not `mut`.
    fn changes(&mut self, owner: Owner, node: &(impl Node + ?Sized)) {
        let Some(i) = self.names.immutable.iter().position(|(o, _)| *o == owner) else {
            return;
        };
        let (_, ends) = self.names.immutable.swap_remove(i);
        let name = match owner {
            Owner::Queue(q) => self.out.body.queues[q.index()].name.clone(),
            Owner::Buf(b) => self.out.body.bufs[b.index()].name.clone(),
            Owner::Pipe => "pipe".to_string(),
        };
        let at = self.report.at(&ends);
        let d = self
            .error(
                Code::J0213,
                node,
                format!("`{name}` is changed but was not declared `mut`"),
            )
            .label(at, "declared here")
            .help(format!("write `let mut {name}`"))
            .fix(at, format!("mut {name}"));
        self.report.add(d);
    }

    /// Reads a call `pipe.init_buffer(&mut q, num, bytes)`.
    pub fn pipe_method(&mut self, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let Some(PipeMethod::InitBuffer) = PipeMethod::by_name(&m.method.to_string()) else {
            return self
                .report
                .no_method("a TPipe", &m.method, PipeMethod::NAMES);
        };
        self.changes(Owner::Pipe, &m.receiver);
        let Some([target, num, bytes]) = self.report.exactly::<3>(
            "init_buffer",
            &args,
            e,
            "pipe.init_buffer(&mut queue, 2, bytes)",
        ) else {
            return Val::Unknown;
        };
        let owner = match target.0 {
            Val::Queue(q) => Owner::Queue(q),
            Val::Buf(b) => Owner::Buf(b),
            _ => {
                self.wrong_kind(target, "a TQue or a TBuf");
                return Val::Unit;
            }
        };
        by_mut_ref(&mut self.report, target);
        self.changes(owner, target.1);
        let count = self
            .index_arg(num, "the number of buffers")
            .filter(|v| self.host_known(v, num.1, "the number of buffers"));
        let size = self
            .index_arg(bytes, "the bytes of a buffer")
            .filter(|v| self.host_known(v, bytes.1, "the bytes of a buffer"));
        let (Some(count), Some(size)) = (count, size) else {
            return poison_init(&mut self.out, owner);
        };
        if !self.top_level(e, "`init_buffer`") {
            return poison_init(&mut self.out, owner);
        }
        let again = match owner {
            Owner::Queue(q) => self.out.body.queues[q.index()].buffer_num.as_int() != Some(0),
            Owner::Buf(b) => self.out.body.bufs[b.index()].bytes.as_int() != Some(0),
            Owner::Pipe => false,
        };
        if again {
            let d = self
                .error(
                    Code::J0106,
                    e,
                    "a second `init_buffer` of one queue or buffer",
                )
                .help("remove one");
            self.report.add(d);
            return Val::Unit;
        }
        match owner {
            Owner::Queue(q) => {
                let decl = &mut self.out.body.queues[q.index()];
                (decl.buffer_num, decl.bytes) = (count, size);
            }
            Owner::Buf(b) => {
                if count.as_int() != Some(1) {
                    let d = self
                        .error(Code::J0305, num.1, "a TBuf has 1 buffer")
                        .help("write 1; a TQue has several");
                    self.report.add(d);
                }
                self.out.body.bufs[b.index()].bytes = size;
            }
            Owner::Pipe => {}
        }
        Val::Unit
    }

    /// Reads `q.alloc_tensor::<T>()`, `q.enque(t)`, `q.deque::<T>()` or `q.free_tensor(t)`.
    pub fn queue_method(&mut self, queue: QueueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match QueueMethod::by_name(&name) {
            Some(method @ (QueueMethod::AllocTensor | QueueMethod::Deque)) => {
                self.changes(Owner::Queue(queue), &m.receiver);
                if self
                    .report
                    .exactly::<0>(&name, &args, e, &format!("q.{name}::<T>()"))
                    .is_none()
                {
                    return Val::Unknown;
                }
                let Some(dtype) = self.needed_type(m, e) else {
                    return Val::Unknown;
                };
                let (tensor, span) = (self.out.new_tensor(dtype), self.report.at(e));
                self.out.queue(
                    match method == QueueMethod::Deque {
                        true => QueueStmt::Queue {
                            op: QueueOp::Deque,
                            tensor,
                            queue,
                        },
                        false => QueueStmt::Queue {
                            op: QueueOp::Alloc,
                            tensor,
                            queue,
                        },
                    },
                    span,
                );
                Val::Local(LocalPart {
                    tensor,
                    offset: Scalar::Int(0),
                })
            }
            Some(method @ (QueueMethod::Enque | QueueMethod::FreeTensor)) => {
                self.changes(Owner::Queue(queue), &m.receiver);
                let Some([arg]) =
                    self.report
                        .exactly::<1>(&name, &args, e, &format!("q.{name}(x_local)"))
                else {
                    return Val::Unknown;
                };
                let Val::Local(l) = &arg.0 else {
                    return self.wrong_kind(arg, "a LocalTensor");
                };
                let tensor = l.tensor;
                if let Expr::Reference(r) = arg.1 {
                    let inner = text(&r.expr);
                    let d = self
                        .error(
                            Code::J0106,
                            arg.1,
                            format!("`{name}` takes the tensor itself"),
                        )
                        .help("remove the `&`: the tensor is gone afterwards");
                    let at = d.span();
                    self.report.add(d.fix(at, inner));
                } else if l.offset.as_int() != Some(0) {
                    let d = self
                        .error(
                            Code::J0106,
                            arg.1,
                            format!("`{name}` of a part of a tensor"),
                        )
                        .help("give the whole tensor back");
                    self.report.add(d);
                }
                let span = self.report.at(e);
                self.out.queue(
                    match method == QueueMethod::Enque {
                        true => QueueStmt::Queue {
                            op: QueueOp::Enque,
                            tensor,
                            queue,
                        },
                        false => QueueStmt::Queue {
                            op: QueueOp::Free,
                            tensor,
                            queue,
                        },
                    },
                    span,
                );
                Val::Unit
            }
            None => self
                .report
                .no_method("a TQue", &m.method, QueueMethod::NAMES),
        }
    }

    /// Reads a call `buf.get::<T>()`.
    pub fn buf_method(&mut self, buf: BufId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let Some(BufMethod::Get) = BufMethod::by_name(&m.method.to_string()) else {
            return self.report.no_method("a TBuf", &m.method, BufMethod::NAMES);
        };
        self.changes(Owner::Buf(buf), &m.receiver);
        if self
            .report
            .exactly::<0>("get", &args, e, "buf.get::<T>()")
            .is_none()
        {
            return Val::Unknown;
        }
        let Some(dtype) = self.needed_type(m, e) else {
            return Val::Unknown;
        };
        let (tensor, span) = (self.out.new_tensor(dtype), self.report.at(e));
        self.out.queue(QueueStmt::Get { tensor, buf }, span);
        Val::Local(LocalPart {
            tensor,
            offset: Scalar::Int(0),
        })
    }
}

impl Report {
    /// Reads the position that a word names.
    pub fn position(&mut self, named: Option<&Ident>, e: &Expr) -> Option<TPosition> {
        let word = named.map(Ident::to_string).unwrap_or_default();
        if let Some((_, p)) = POSITIONS.iter().find(|(n, _)| *n == word) {
            return Some(*p);
        }
        if self.fixup(&word) {
            return None;
        }
        let ends = named.map_or_else(|| e.ends(), Node::ends);
        let mut d = self
            .error(
                Code::J0106,
                &ends,
                format!("`{word}` is no position of the vector core"),
            )
            .help("positions are VecIn (copies in), VecOut (copies out), VecCalc (temporaries)");
        let known = || POSITIONS.iter().map(|(n, _)| *n);
        if let Some(near) = suggest::nearest(&word, known()) {
            let at = d.span();
            d = suggest::meant(d, at, &word, near, known());
        }
        d = d.expected(["VecIn", "VecOut", "VecCalc"]);
        self.add(d);
        None
    }
}

/// Marks a queue as initialised after a mistake in its initialisation.
fn poison_init(out: &mut Emitted, owner: Owner) -> Val {
    if let Owner::Queue(q) = owner {
        out.body.queues[q.index()].buffer_num = Scalar::Int(1);
    }
    Val::Unit
}

fn by_mut_ref(report: &mut Report, arg: &Arg<'_>) {
    if matches!(arg.1, Expr::Reference(r) if r.mutability.is_some()) {
        return;
    }
    let mut bare = arg.1;
    while let Expr::Reference(r) = bare {
        bare = &r.expr;
    }
    let inner = text(bare);
    let d = report
        .error(
            Code::J0106,
            arg.1,
            format!("{} is passed by `&mut`", arg.0.what()),
        )
        .help(format!("write `&mut {inner}`"));
    let at = d.span();
    report.add(d.fix(at, format!("&mut {inner}")));
}
