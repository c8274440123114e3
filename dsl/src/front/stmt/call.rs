//! Calls and their arguments: the function or method that is called, and its arguments.

use crate::diag::{Code, Spot};
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::emitted::Frame;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, Num, Val};
use crate::front::cx::Cx;
use crate::front::head::types::last_segment;
use crate::front::text::span;
use crate::front::text::suggest;
use crate::front::text::words::{is_all, turbofish};
use crate::ir::{CallArg, Scalar, ScalarTy, SyncOp, Ty};
use crate::items::Function;
use crate::names::snake_of_pascal;
use crate::ops::{CopyOp, Op};
use proc_macro2::Ident;
use syn::{Expr, ExprCall, ExprMethodCall, GenericArgument, PathArguments, PathSegment};

/// True for functions that a helper of their name does not replace.
fn is_kept(f: Function) -> bool {
    use Function as F;
    matches!(
        f,
        F::Tiles | F::Split | F::FitTile | F::GetBlockIdx | F::GetBlockNum | F::SizeOf | F::Require
    )
}

impl Cx<'_> {
    /// Evaluates arguments in order.
    pub fn args<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>) -> Vec<Arg<'e>> {
        args.into_iter().map(|e| (self.expr(e), e)).collect()
    }

    /// Reports J0106 for an argument of the wrong kind.
    pub fn wrong_kind(&mut self, arg: &Arg<'_>, wanted: &str) -> Val {
        if arg.0.is_unknown() {
            return Val::Unknown;
        }
        let mut d = self
            .error(
                Code::J0106,
                arg.1,
                format!("expected {wanted}, found {}", arg.0.what()),
            )
            .expected([wanted]);
        let at = d.span();
        d = match (&arg.0, innermost(&self.out)) {
            (Val::Tensor(p), Some(handle)) if wanted.contains("tile") => {
                let load = format!("{}.at({handle}).load()", self.draft.sig.param(*p).name);
                d.help(format!("load the tile first: `{load}`"))
                    .fix(at, load)
            }
            (Val::Tensor(_), _) if wanted.contains("scalar") => {
                let len = format!("{}.len()", span::text(arg.1));
                d.help("the number of elements is `x.len()`")
                    .fix(at, len)
                    .maybe()
            }
            (Val::Handle(_), _) if wanted.contains("tile") => {
                d.help("the variable of a loop is an index: `x.at(t).load()`")
            }
            (Val::Place(_), _) if wanted.contains("tile") => {
                let load = format!("{}.load()", span::text(arg.1));
                d.help(format!("load it: `{load}`")).fix(at, load)
            }
            (Val::Tile(_), _) if wanted.contains("GlobalTensor") => {
                d.help("a tile is a value already: use it as it is")
            }
            (Val::Strided(..), _) => {
                d.help("strides are for the operands of `vec::` calls, rows for those of copies")
            }
            (Val::Extent(_), _) => d.help("an extent is the last argument of a `vec::` call"),
            (Val::Local(_), _) => d
                .expected(["x_local.get_value(i)"])
                .help("one element as a scalar is `x_local.get_value(i)`"),
            _ => d,
        };
        self.report.bad(d)
    }

    /// Checks a scalar argument of type `usize`.
    pub fn index_arg(&mut self, arg: &Arg<'_>, what: &str) -> Option<Scalar> {
        match &arg.0 {
            Val::Num(n) => self
                .report
                .want(n.clone(), ScalarTy::Index, arg.1, what)
                .map(|n| n.value),
            _ => {
                self.wrong_kind(arg, what);
                None
            }
        }
    }

    /// Reads a call `f(..)`.
    pub fn call(&mut self, c: &ExprCall, e: &Expr, hint: Option<Ty>) -> Val {
        let Expr::Path(p) = &*c.func else {
            return self
                .report
                .unsupported(e, "a call of an expression", "call functions by name");
        };
        let path = &p.path;
        let Some(last) = path.segments.last() else {
            return Val::Unknown;
        };
        if path.segments.len() >= 2 {
            let owner = &path.segments[path.segments.len() - 2];
            if owner.ident == "vec" {
                return self.vector_call(&last.ident, c, e);
            }
            if last.ident == "new" {
                if let Some(val) = self.new_object(owner, c, e) {
                    return val;
                }
            }
            if last.ident == "size_of" && owner.ident == "mem" {
                return self.size_of(&last.arguments, c, e);
            }
            self.args(&c.args);
            if self.report.fixup(&last.ident.to_string()) {
                return Val::Unknown;
            }
            let d = self.error(Code::J0103, path, format!("there is no function `{}`", span::squeezed(path)))
                .help("functions of the queue level are `vec::name(..)`, objects are made with `TPipe::new()`, `TQue::<VecIn, 1>::new()`, `TBuf::<VecCalc>::new()`, `LocalTensor::<f32>::new(VecCalc, address, len)`");
            return self.report.bad(d);
        }
        let ident = &last.ident;
        let name = ident.to_string();
        if self.names.get(&name).is_some_and(|b| b.val.is_unknown()) {
            self.args(&c.args);
            return Val::Unknown;
        }
        // A module may have a helper of its own by such a name, with some exceptions.
        match Function::by_name(&name).filter(|f| !self.module.has_helper(&name) || is_kept(*f)) {
            Some(f) => self.prelude_call(f, last, c, e, hint),
            None => self.helper_call(ident, &name, &last.arguments, c, e),
        }
    }

    /// Reads a call of a function of the prelude.
    fn prelude_call(
        &mut self,
        f: Function,
        last: &PathSegment,
        c: &ExprCall,
        e: &Expr,
        hint: Option<Ty>,
    ) -> Val {
        let types = &last.arguments;
        match f {
            Function::Tiles => self.tiles_call(c, e),
            Function::Each => self.each_call(c, e),
            Function::Zip => self.zip_call(c, e),
            Function::NewAxis => self.new_axis_call(c, e),
            Function::Full => self.full(c, types, hint, e),
            Function::AcrossCores => self.across_call(c, types, e),
            Function::Workspace => self.workspace_call(types, c, e),
            Function::Assume => self.assume_call(c, e),
            Function::SizeOf => self.size_of(types, c, e),
            Function::Split => self.split(c, e),
            Function::FitTile => self.fit_tile_call(c, e),
            Function::GetBlockIdx => self.block_number(f, Scalar::BlockIdx, c, e),
            Function::GetBlockNum => self.block_number(f, Scalar::BlockDim, c, e),
            Function::SyncAll => self.sync_all_call(c, e),
            Function::SetFlag => {
                self.flag_call(f, |event, id| SyncOp::Set { event, id }, types, c, e)
            }
            Function::WaitFlag => {
                self.flag_call(f, |event, id| SyncOp::Wait { event, id }, types, c, e)
            }
            Function::PipeBarrier => self.barrier_call(types, c, e),
            Function::CrossCoreSetFlag => self.cross_set_call(types, c, e),
            Function::CrossCoreWaitFlag => self.cross_wait_call(types, c, e),
            Function::Lanes => self.lanes_call(c, e),
            Function::Bits => self.bits(c, e),
            Function::Counter => self.counter_call(c, e),
            Function::DataCopy => self.copy_call(f, Some(CopyOp::In), CopyOp::Out, c, e),
            Function::DataCopyPad => self.copy_call(f, Some(CopyOp::InPad), CopyOp::OutPad, c, e),
            Function::AtomicAdd => self.copy_call(f, None, CopyOp::Add, c, e),
            Function::AtomicAddPad => self.copy_call(f, None, CopyOp::AddPad, c, e),
            Function::AtomicMax => self.copy_call(f, None, CopyOp::Max, c, e),
            Function::AtomicMaxPad => self.copy_call(f, None, CopyOp::MaxPad, c, e),
            Function::AtomicMin => self.copy_call(f, None, CopyOp::Min, c, e),
            Function::AtomicMinPad => self.copy_call(f, None, CopyOp::MinPad, c, e),
            Function::Require => {
                let d = self
                    .error(Code::J0101, e, "`require` after other statements")
                    .help(
                        "facts stand first in the body of the kernel, before any other statement",
                    );
                self.report.bad(d)
            }
        }
    }

    /// Reports a function that does not exist.
    pub fn unknown_function(&mut self, ident: &Ident, name: &str) -> Val {
        if self.report.fixup(name) {
            return Val::Unknown;
        }
        if let Some(own) = own_name(name) {
            let d = self.error(Code::J0103, ident, format!("there is no function `{name}`"));
            let at = d.span();
            return self.report.bad(
                d.help(format!("AscendC's `{name}` is `{own}` here"))
                    .expected([own.clone()])
                    .fix(at, own),
            );
        }
        let module = self.module;
        let helpers = module
            .fns
            .iter()
            .map(|f| f.sig.ident.to_string())
            .collect::<Vec<_>>();
        if let Some(near) = suggest::nearest(
            name,
            Function::NAMES
                .iter()
                .copied()
                .chain(helpers.iter().map(String::as_str)),
        ) {
            let d = self.error(Code::J0103, ident, format!("there is no function `{name}`"));
            let at = d.span();
            let known = Function::NAMES
                .iter()
                .copied()
                .chain(helpers.iter().map(String::as_str));
            let d = suggest::meant(
                d.help(format!("did you mean `{near}`?")),
                at,
                name,
                near,
                known,
            );
            return self.report.bad(d);
        }
        let mut d = self.error(Code::J0102, ident, format!("`{name}` is not defined"));
        if let Some(op) = suggest::tile_ops().find(|op| *op == name) {
            d = d
                .help(format!("`{op}` is a method of a tile (`v.{op}(..)`) and a function of the queue level (`vec::{op}(..)`)"));
        } else if let Some(how) = suggest::absent(name) {
            d = d.help(how);
        } else if let Some(ours) = suggest::synonym(name) {
            d = d.help(format!("it is a method of a tile here: `v.{ours}(..)`"));
        } else {
            d = self.scoping_help(d);
        }
        self.report.bad(d)
    }

    fn size_of(&mut self, generics: &PathArguments, c: &ExprCall, e: &Expr) -> Val {
        let args = self.args(&c.args);
        if self
            .report
            .exactly::<0>("size_of", &args, e, "size_of::<T>()")
            .is_none()
        {
            return Val::Unknown;
        }
        let PathArguments::AngleBracketed(a) = generics else {
            let d = self
                .error(Code::J0106, e, "`size_of` of which type?")
                .help("write `size_of::<T>()`");
            return self.report.bad(d);
        };
        match a.args.first() {
            Some(GenericArgument::Type(t)) => match self.element_or_mask(t) {
                Some(Ty::Mask) => Val::Num(Num::index(DType::Bits.bytes())),
                Some(ty) => Val::Num(Num::index(Scalar::SizeOf(ty))),
                None => Val::Unknown,
            },
            _ => {
                let d = self
                    .error(Code::J0106, e, "`size_of` of which type?")
                    .help("write `size_of::<T>()`");
                self.report.bad(d)
            }
        }
    }

    /// Reads a call of a method.
    pub fn method_call(&mut self, m: &ExprMethodCall, e: &Expr) -> Val {
        let receiver = self.expr(&m.receiver);
        match receiver {
            Val::Tile(v) => self.tile_method(v, m, e),
            Val::Num(n) => self.scalar_method(n, m, e),
            Val::Handle(run) => self.handle_method(run, m, e),
            Val::Affine(_) => self.affine_method(m, e),
            Val::Place(place) => self.place_method(*place, m, e),
            Val::Tensor(p) => self.tensor_method(p, m, e),
            Val::List(p) => self.list_method(p, m),
            Val::Zip(zip) => self.zip_method(*zip, m, e),
            Val::Optional(p) => self.optional_method(p, m, e),
            Val::OrFull(of) => self.or_full_method(*of, m, e),
            Val::View(seen) => self.view_method(&seen, m, e),
            Val::Work(w) => self.workspace_method(w, m, e),
            Val::NewWork(_) => self.unnamed_workspace(m, e),
            Val::Loop(spec) => self.loop_override(*spec, m, e),
            Val::Split(spec) => self.split_method(*spec, m, e),
            Val::Share { start, len } => self.share_method(start, len, m, e),
            Val::Pipe => self.pipe_method(m, e),
            Val::Queue(q) => self.queue_method(q, m, e),
            Val::Buf(b) => self.buf_method(b, m, e),
            Val::Local(l) => self.local_method(l, m, e),
            Val::Strided(l, _) => self.strided_method(&l, m),
            Val::Slice(slice) => self.slice_method(*slice, m, e),
            Val::Extent(form) => self.extent_method(form, m, e),
            Val::Unknown => {
                // The receiver may have been the part of an output.
                self.report.doubt |= m.method == "store";
                // Closures and `..` may be right for the intended receiver.
                self.args(
                    m.args
                        .iter()
                        .filter(|a| !matches!(a, Expr::Closure(_)) && !is_all(a)),
                );
                Val::Unknown
            }
            other => {
                self.args(&m.args);
                if other.is_unknown() || self.report.fixup(&m.method.to_string()) {
                    return Val::Unknown;
                }
                self.report.no_method(other.what(), &m.method, &[])
            }
        }
    }

    /// Reads the type between `::<` and `>`, which the method requires.
    pub fn needed_type(&mut self, m: &ExprMethodCall, e: &Expr) -> Option<Ty> {
        match turbofish(m) {
            Some(t) => self.element_or_mask(t),
            None => {
                let name = m.method.to_string();
                let d = self
                    .error(Code::J0106, e, format!("`{name}` of which element type?"))
                    .help(format!("write `{name}::<f32>()`"));
                self.report.add(d);
                None
            }
        }
    }
}

impl Report {
    /// Takes exactly `N` arguments, or reports J0106.
    pub fn exactly<'v, 'e, const N: usize>(
        &mut self,
        name: &str,
        args: &'v [Arg<'e>],
        call: &Expr,
        usage: &str,
    ) -> Option<&'v [Arg<'e>; N]> {
        if let Ok(args) = args.try_into() {
            return Some(args);
        }
        let count = |n: usize| {
            if n == 1 {
                "1 argument".to_string()
            } else {
                format!("{n} arguments")
            }
        };
        let mut d = self
            .error(
                Code::J0106,
                call,
                format!("`{name}` takes {}, found {}", count(N), args.len()),
            )
            .number("found", args.len() as i64)
            .number("allowed", N as i64);
        if !usage.is_empty() {
            d = d.help(format!("write `{usage}`")).expected([usage]);
            // A call without parameters can only lose its arguments.
            if let (0, Expr::MethodCall(m)) = (N, call) {
                let (at, turbofish) = (
                    d.span(),
                    m.turbofish.as_ref().map(span::squeezed).unwrap_or_default(),
                );
                d = d
                    .edit(
                        at,
                        Spot::Call(m.method.to_string()),
                        format!(".{}{turbofish}()", m.method),
                    )
                    .maybe();
            }
        }
        self.add(d);
        None
    }

    /// Reports J0103 for a method that the receiver does not have.
    pub fn no_method(&mut self, what: &str, method: &Ident, known: &[&str]) -> Val {
        let name = method.to_string();
        if self.fixup(&name) {
            return Val::Unknown;
        }
        let mut d = self.error(
            Code::J0103,
            method,
            format!("{what} has no method `{name}`"),
        );
        let at = d.span();
        if let Some(near) = suggest::nearest(&name, known.iter().copied()) {
            d = suggest::meant(
                d.help(format!("did you mean `{near}`?")),
                at,
                &name,
                near,
                known.iter().copied(),
            );
        } else if !known.is_empty() {
            d = d.help(format!(
                "it has {}",
                known
                    .iter()
                    .map(|k| format!("`{k}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ));
        }
        self.bad(d.expected(known.iter().copied()))
    }
}

/// Returns the name here of an AscendC name: `SetFlag` is `set_flag`, `Adds` is `vec::adds`.
fn own_name(ascendc: &str) -> Option<String> {
    let snake = snake_of_pascal(ascendc);
    if let Some(own) = Function::NAMES
        .iter()
        .find(|f| **f == snake && snake != ascendc)
    {
        return Some((*own).to_string());
    }
    let called = |op: Op| {
        !matches!(
            op,
            Op::AxisReduce(_) | Op::Copy(_) | Op::Scalar(_) | Op::Mask(_)
        )
    };
    Op::all()
        .find(|def| def.ascendc == ascendc && called(def.op))
        .map(|def| format!("vec::{}", def.name))
}

/// Returns the element type written in a path argument, for `TQue::<VecIn, 1>`.
pub fn path_word(arg: &GenericArgument) -> Option<&Ident> {
    match arg {
        GenericArgument::Type(t) => last_segment(t).map(|s| &s.ident),
        _ => None,
    }
}

/// Returns the argument of an inlined call as `InlinedCall` records it.
pub(super) fn call_arg(val: &Val) -> Option<CallArg> {
    match val {
        Val::Tile(v) => Some(CallArg::Value { value: *v }),
        Val::Num(n) => Some(CallArg::Scalar {
            value: n.clone().settled(n.ty.or(Some(ScalarTy::I32))),
        }),
        _ => None,
    }
}

/// Finds the name of the innermost tile.
fn innermost(out: &Emitted) -> Option<String> {
    out.frames.iter().rev().find_map(|f| match f {
        Frame::Tile(Some(l)) => out
            .runs_of(*l)
            .filter(|run| !run.is_each)
            .last()
            .map(|run| run.name.clone()),
        Frame::Tile(None) | Frame::Inner => None,
    })
}
