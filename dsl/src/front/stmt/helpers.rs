//! Helper functions of a `#[kernels]` module, inlined at each call.
//!
//! A helper takes tiles and scalars by value and returns a tile, a scalar or nothing. Its dtype
//! parameters follow from its tile arguments. Arguments that are expressions are named first, so no
//! text is computed twice.

use crate::diag::Code;
use crate::dtype::dtype_set;
use crate::front::cx::draft::Draft;
use crate::front::cx::kinds::Callee;
use crate::front::cx::value::{Arg, Num, Val};
use crate::front::cx::Cx;
use crate::front::head::types::{last_segment, Kind};
use crate::front::text::span::{squeezed, token_ends, Node};
use crate::front::text::words::{has_attr, one_type};
use crate::ir::Ty;
use proc_macro2::Ident;
use syn::{
    Expr, ExprCall, FnArg, GenericArgument, GenericParam, ItemFn, Pat, PathArguments, ReturnType,
    Stmt, Type,
};

/// Most calls that are inlined before a program counts as a mistake: nesting multiplies.
const MAX_INLINED: usize = 2000;

const FORMS: &str =
    "parameters of a helper are `Tile<T>`, `Axis`, `f32`, `i32`, `usize` and `bool`, its result is a tile, a scalar or nothing";

impl<'a> Cx<'a> {
    /// Reads a call of a helper.
    pub fn helper_call(
        &mut self,
        ident: &Ident,
        name: &str,
        generics: &PathArguments,
        c: &ExprCall,
        e: &Expr,
    ) -> Val {
        let args = self.args(&c.args);
        let module = self.module;
        let found = match self.report.within {
            Some(_) => module
                .library
                .find(name)
                .map(|(at, f)| (Callee::Library(at), f)),
            None => module
                .fns
                .iter()
                .position(|f| f.sig.ident == name)
                .map(|at| (Callee::Module(at), module.fns[at])),
        };
        let Some((callee, helper)) = found else {
            self.report.doubt = true;
            return self.unknown_function(ident, name);
        };
        if has_attr(&helper.attrs, "kernel") {
            let d = self
                .error(Code::J0101, e, format!("a call of kernel `{name}`"))
                .help(
                    "a kernel is launched, not called: put what both need into a helper function",
                );
            return self.report.bad(d);
        }
        if self.report.inlining.iter().any(|(own, _)| *own == callee) {
            let at = self.report.at(&helper.sig.ident);
            let d = self
                .error(Code::J0107, e, format!("`{name}` calls itself"))
                .label(at, "the helper")
                .help(
                    "helpers are inlined: write the steps out, or repeat them with `for i in a..b`",
                );
            return self.report.bad(d);
        }
        if self.report.inlined >= MAX_INLINED {
            let d = self
                .error(
                    Code::J0107,
                    e,
                    format!("more than {MAX_INLINED} helper calls are inlined"),
                )
                .help("helpers that call helpers multiply: repeat steps with `for i in a..b`");
            return self.report.bad(d);
        }
        if args.len() != helper.sig.inputs.len() {
            let at = self.report.at(&helper.sig.ident);
            let (want, found) = (helper.sig.inputs.len(), args.len());
            let d = self
                .error(
                    Code::J0106,
                    e,
                    format!(
                        "`{name}` takes {want} argument{}, found {found}",
                        if want == 1 { "" } else { "s" }
                    ),
                )
                .label(at, "the helper")
                .help("give one value for each parameter")
                .number("found", found as i64)
                .number("allowed", want as i64);
            return self.report.bad(d);
        }
        let Some(types) = self.helper_types(helper, generics, &args, e) else {
            return Val::Unknown;
        };
        let call = self.report.at(e);
        self.inline(callee, helper, types, &args, call)
    }

    /// Finds the type of each dtype parameter of the helper in this call.
    fn helper_types(
        &mut self,
        helper: &'a ItemFn,
        generics: &PathArguments,
        args: &[Arg<'_>],
        e: &Expr,
    ) -> Option<Vec<(String, Ty)>> {
        let mut given = match generics {
            PathArguments::AngleBracketed(a) => Some(a.args.iter()),
            _ => None,
        };
        let mut types = Vec::new();
        for g in &helper.sig.generics.params {
            let GenericParam::Type(p) = g else {
                let d = self
                    .error(
                        Code::J0104,
                        &token_ends(g),
                        "a helper is generic over element types only",
                    )
                    .help(FORMS);
                self.report.add(d);
                return None;
            };
            let ty = match given.as_mut().and_then(Iterator::next) {
                Some(GenericArgument::Type(t)) if !matches!(t, Type::Infer(_)) => {
                    self.element(t)?
                }
                _ => match inferred(self, helper, &p.ident, args) {
                    Some(t) => t,
                    None if args.iter().any(|a| a.0.is_unknown()) => return None,
                    None => {
                        let name = helper.sig.ident.to_string();
                        let d = self
                            .error(
                                Code::J0106,
                                e,
                                format!("no argument gives `{}` of `{name}`", p.ident),
                            )
                            .help(format!("write `{name}::<f32>(..)`"));
                        self.report.add(d);
                        return None;
                    }
                },
            };
            let set = self.report.bound(p)?;
            if !self.draft.in_set(ty, set) {
                let found = self.draft.sig.ty_name(ty);
                let d = self
                    .error(
                        Code::J0201,
                        e,
                        format!(
                            "`{}` of `{}` is bound by `{set}`, found `{found}`",
                            p.ident, helper.sig.ident
                        ),
                    )
                    .help(format!(
                        "convert the argument, or bound `{}` by `Element`",
                        p.ident
                    ));
                self.report.add(d);
                return None;
            }
            types.push((p.ident.to_string(), ty));
        }
        Some(types)
    }

    /// Evaluates a function for arguments, with its text in the place of the call.
    pub fn inline(
        &mut self,
        callee: Callee,
        helper: &'a ItemFn,
        types: Vec<(String, Ty)>,
        args: &[Arg<'_>],
        call: crate::ir::SpanId,
    ) -> Val {
        let mark = self.names.mark();
        self.names.raise_floor();
        for (name, ty) in types {
            self.names.bind_type(name, ty);
        }
        self.report.inlined += 1;
        self.report.inlining.push((callee, self.report.inlined));
        let depth = std::mem::take(&mut self.report.depth);
        for (input, arg) in helper.sig.inputs.iter().zip(args) {
            self.bind_param(input, arg, call);
        }
        self.report.ascii_name(&helper.sig.ident, Code::J0104);
        let around = self.report.within;
        if let Callee::Library(_) = callee {
            self.report.within = around.or(Some(call));
        }
        let body = self.helper_body(helper);
        self.report.within = around;
        let result = match body {
            Val::Num(n) => Val::Num(self.out.pinned(&helper.sig.ident.to_string(), n, call)),
            other => other,
        };
        self.report.depth = depth;
        self.report.inlining.pop();
        self.names.back(mark);
        result
    }

    fn bind_param(&mut self, input: &FnArg, arg: &Arg<'_>, call: crate::ir::SpanId) {
        let FnArg::Typed(p) = input else {
            let d = self
                .error(Code::J0104, &token_ends(input), "a helper has no `self`")
                .help(FORMS);
            return self.report.add(d);
        };
        let Pat::Ident(ident) = &*p.pat else {
            let d = self
                .error(
                    Code::J0104,
                    &p.pat,
                    "a parameter of a helper is a plain name",
                )
                .help(FORMS);
            return self.report.add(d);
        };
        self.report.ascii_name(&ident.ident, Code::J0104);
        let (name, mutable) = (ident.ident.to_string(), ident.mutability.is_some());
        let kind = self.kind(&p.ty);
        let val = match kind {
            Kind::Tile(_) | Kind::Scalar(_) | Kind::Axis | Kind::Choice(_) => {
                // The mistake is the caller's, and the place is the argument.
                let turn = self.report.inlining.pop();
                let val = self.ascribed(arg.0.clone(), kind, &p.ty, arg.1);
                self.report.inlining.extend(turn);
                val
            }
            Kind::Bad => Val::Unknown,
            Kind::Local(_) | Kind::Other if arg.0.is_unknown() => Val::Unknown,
            Kind::Local(_) | Kind::Other => {
                let d = self
                    .error(
                        Code::J0104,
                        &p.ty,
                        format!("a parameter of type `{}`", squeezed(&p.ty)),
                    )
                    .help(FORMS);
                self.report.bad(d)
            }
        };
        let val = match val {
            Val::Num(n) if mutable => {
                let var = self.out.let_scalar(&name, &n, true, call);
                Val::Num(Num {
                    value: var.into(),
                    ..n
                })
            }
            Val::Num(n) if kind == Kind::Axis => Val::Num(n),
            Val::Num(n) => Val::Num(self.out.pinned(&name, Num { axis: None, ..n }, call)),
            Val::Tile(v) => Val::Tile(self.out.param_tile(&name, mutable, v, call)),
            other => other,
        };
        self.names.bind(name, val, mutable, ident.ident.ends());
    }

    /// Reads the block of a helper; its last expression is the result.
    fn helper_body(&mut self, helper: &'a ItemFn) -> Val {
        self.block_consts(&helper.block);
        let want = match &helper.sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, t) => Some(&**t),
        };
        let (tail, rest) = match (want, helper.block.stmts.split_last()) {
            (Some(_), Some((Stmt::Expr(e, None), rest))) => (Some(e), rest),
            _ => (None, &helper.block.stmts[..]),
        };
        for s in rest {
            self.stmt(s);
        }
        let Some(want) = want else { return Val::Unit };
        let kind = self.kind(want);
        if matches!(kind, Kind::Local(_) | Kind::Axis | Kind::Other) {
            let d = self
                .error(
                    Code::J0104,
                    want,
                    format!("a helper that returns `{}`", squeezed(want)),
                )
                .help(FORMS);
            return self.report.bad(d);
        }
        let Some(tail) = tail else {
            let d = self
                .error(
                    Code::J0106,
                    &helper.sig.ident,
                    format!("`{}` ends without the value it returns", helper.sig.ident),
                )
                .help("let the last line be the value, without `;`");
            return self.report.bad(d);
        };
        let hint = if let Kind::Tile(t) = kind {
            Some(t)
        } else {
            None
        };
        let val = self.expr_as(tail, hint);
        self.ascribed(val, kind, want, tail)
    }
}

impl Draft {
    /// True for a type all of whose instances are in a set.
    pub fn in_set(&self, ty: Ty, set: &str) -> bool {
        let Some(set) = dtype_set(set) else {
            return true;
        };
        match ty {
            Ty::Is(d) => set.members.contains(&d),
            Ty::Param(i) => dtype_set(&self.sig.dtypes[i as usize].set)
                .is_none_or(|s| s.members.iter().all(|d| set.members.contains(d))),
            Ty::Wide(i) => dtype_set(&self.sig.dtypes[i as usize].set)
                .is_none_or(|s| s.members.iter().all(|d| set.members.contains(&d.wide()))),
            Ty::Mask => false,
        }
    }
}

/// Finds the dtype of the first tile given for a parameter `Tile<T>`.
fn inferred(cx: &Cx<'_>, helper: &ItemFn, name: &Ident, args: &[Arg<'_>]) -> Option<Ty> {
    helper.sig.inputs.iter().zip(args).find_map(|(input, arg)| {
        let FnArg::Typed(p) = input else { return None };
        let tile = last_segment(&p.ty).filter(|s| s.ident == "Tile")?;
        let inner = last_segment(one_type(&tile.arguments)?)?;
        match arg.0 {
            Val::Tile(v) if inner.ident == *name => Some(cx.out.dtype(v)),
            _ => None,
        }
    })
}
