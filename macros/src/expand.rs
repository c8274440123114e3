//! The expansion of a kernel.
//!
//! | state of the kernel | expansion |
//! |---|---|
//! | clean | the static with the IR, and the function for the compiler and editors |
//! | with an error of ours | the errors, the static without IR, and the function for editors only |
//!
//! The static has a distinct type with the kernel's `launch` (`typed.rs`). It exists in both
//! states, so that an error in a kernel is not followed by "not found" at its uses. After an error
//! the function is hidden from rustc, so that nobody reads two errors for one mistake. The function
//! stands in a `const _` block, where nobody can call it.
//!
//! The function for rustc differs from the author's:
//!
//! - Axis names of `#[shape(..)]` are parameters for the author, and `let`s at the start of the
//!   body for rustc.
//! - Several indices of `x.at(i, j)` become one tuple.
//! - An optional output is `Option<&GlobalTensor<T>>`, so that `if let Some(y) = y` may stand in a
//!   loop, which would move a `&mut`.
//! - An attribute of the kernel's own element type is a number of `f32` or `i32`, as it is in the
//!   kernel.

use crate::report::{self, Places};
use crate::typed;
use jumar_dsl::diag::Diagnostic;
use jumar_dsl::front::{self, Parsed};
use jumar_dsl::ir::text::to_text;
use jumar_dsl::ir::Signature;
use jumar_dsl::targets;
use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    parse_quote, Attribute, Expr, ExprMethodCall, ExprTuple, FnArg, GenericArgument, Item,
    ItemEnum, ItemFn, ItemMod, Meta, PathArguments, Type,
};

/// Attributes of jumar on a kernel function.
const FN_ATTRIBUTES: [&str; 4] = ["kernel", "instances", "chips", "deterministic"];
/// Attributes of jumar on a parameter.
const PARAM_ATTRIBUTES: [&str; 5] = ["shape", "default", "inplace", "index", "list"];

/// Expands a function `#[kernel] fn …`.
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => {
            let outcome = Outcome::of(front::parse_fn(attr, &function), function.sig.ident.span());
            let mut out = outcome.findings.clone();
            out.extend(kernel_items(&function, &outcome));
            out
        }
        Err(_) if syn::parse2::<ItemMod>(item.clone()).is_ok() => misplaced(
            "`#[kernel]` stands on a function; the attribute of a module is `#[kernels]`",
            attr,
            item,
        ),
        Err(e) => with_errors(e, item),
    }
}

/// Expands a module `#[kernels] mod … { … }`.
pub fn kernels(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut module = match syn::parse2::<ItemMod>(item.clone()) {
        Ok(module) if module.content.is_some() => module,
        Ok(_) => {
            return misplaced(
                "`#[kernels]` needs the module's body in this file: `mod m { … }`",
                attr,
                item,
            )
        }
        Err(_) if syn::parse2::<ItemFn>(item.clone()).is_ok() => {
            return misplaced(
                "`#[kernels]` stands on a module; the attribute of a function is `#[kernel]`",
                attr,
                item,
            )
        }
        Err(e) => return with_errors(e, item),
    };
    if !attr.is_empty() {
        return misplaced("`#[kernels]` takes no arguments", attr, item);
    }
    let mut outcomes: Vec<Outcome> = front::parse_mod(&module)
        .into_iter()
        .map(|parsed| Outcome::of(parsed, module.ident.span()))
        .collect();
    let clean = outcomes.iter().all(|o| o.text.is_some());

    let mut body = TokenStream::new();
    for item in module
        .content
        .take()
        .map(|(_, items)| items)
        .unwrap_or_default()
    {
        match item {
            Item::Fn(f) if is_kernel(&f) => {
                let at = outcomes.iter().position(|o| f.sig.ident == o.name);
                let outcome = at
                    .map(|at| outcomes.remove(at))
                    .unwrap_or_else(|| Outcome::nothing(f.sig.ident.to_string()));
                body.extend(outcome.findings.clone());
                body.extend(kernel_items(&f, &outcome));
            }
            // A mistake in a helper would be reported twice.
            Item::Fn(f) if !clean => body.extend(quote! {
                #[allow(unexpected_cfgs, unused, clippy::all)]
                const _: () = { #[cfg(rust_analyzer)] #f };
            }),
            Item::Fn(mut f) => {
                AsTuples.visit_item_fn_mut(&mut f);
                body.extend(quote! { #[allow(unused, unstable_name_collisions, clippy::all)] #f });
            }
            // Only hidden code may use an import, and only kernels a constant.
            Item::Use(u) => body.extend(quote! { #[allow(unused_imports)] #u }),
            Item::Const(c) => body.extend(quote! { #[allow(dead_code)] #c }),
            Item::Enum(e) => {
                body.extend(attr_value(&e));
                body.extend(quote! { #[allow(dead_code)] #e });
            }
            other => other.to_tokens(&mut body),
        }
    }
    outcomes
        .iter()
        .for_each(|rest| body.extend(rest.findings.clone()));

    let ItemMod {
        attrs,
        vis,
        mod_token,
        ident,
        ..
    } = &module;
    quote! { #(#attrs)* #vis #mod_token #ident { #body } }
}

/// Implements `AttrValue` for an enum of an attribute; nothing for another enum.
fn attr_value(e: &ItemEnum) -> TokenStream {
    let plain =
        |v: &syn::Variant| matches!(v.fields, syn::Fields::Unit) && v.discriminant.is_none();
    if !e.generics.params.is_empty() || e.variants.is_empty() || !e.variants.iter().all(plain) {
        return TokenStream::new();
    }
    let (name, cfgs) = (
        &e.ident,
        e.attrs.iter().filter(|a| a.path().is_ident("cfg")),
    );
    quote! {
        #(#cfgs)*
        impl ::jumar::__rt::AttrValue for #name {
            fn attr_value(self) -> ::jumar::__rt::Value {
                ::jumar::__rt::Value::Int(self as i64)
            }
        }
    }
}

/// The findings of front end and checker about one kernel.
struct Outcome {
    name: String,
    /// The IR as text; `None` where the kernel has an error.
    text: Option<String>,
    /// Errors and warnings as items.
    findings: TokenStream,
    /// The rustc type of each attribute of the kernel's own element type, by its name or that of
    /// its list.
    carried: Vec<(String, &'static str)>,
}

impl Outcome {
    fn of(parsed: Parsed, fallback: Span) -> Self {
        let Parsed {
            name,
            kernel,
            mut diagnostics,
            spans,
            tokens,
            ..
        } = parsed;
        if let Some(kernel) = &kernel {
            diagnostics.extend(targets::check_for(kernel, &targets::declared(kernel)).1);
        }
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        let carried = kernel
            .as_ref()
            .map(|kernel| carried(&kernel.sig))
            .unwrap_or_default();
        let text = kernel.filter(|_| !failed).map(|kernel| to_text(&kernel));
        let places = Places {
            tokens: &tokens,
            spans: &spans,
            fallback,
        };
        let findings = diagnostics
            .iter()
            .map(|d| report::items(d, &places))
            .collect();
        Outcome {
            name,
            text,
            findings,
            carried,
        }
    }
    /// Makes the outcome of a function that the front end skipped.
    fn nothing(name: String) -> Self {
        Outcome {
            name,
            text: None,
            findings: TokenStream::new(),
            carried: Vec::new(),
        }
    }
}

/// Returns the static, and the function for those who may see it.
fn kernel_items(function: &ItemFn, outcome: &Outcome) -> TokenStream {
    let (name, vis) = (&function.sig.ident, &function.vis);
    let docs = function.attrs.iter().filter(|a| a.path().is_ident("doc"));
    let cfgs: Vec<&Attribute> = function
        .attrs
        .iter()
        .filter(|a| a.path().is_ident("cfg"))
        .collect();
    let text = outcome.text.as_deref().unwrap_or_default();
    let plain = plain(function, &outcome.carried);
    let shown = match outcome.text {
        Some(_) => quote! { #plain },
        None => quote! { #[cfg(rust_analyzer)] #plain },
    };
    let spelled = name.to_string();
    // Warnings of rustc about the static appear at the function.
    let keyword = Ident::new("static", function.sig.fn_token.span);
    let (ty, handle) = typed::handle(function, &plain, outcome.text.is_some(), &cfgs);
    quote! {
        #(#docs)*
        #(#cfgs)*
        #[allow(non_upper_case_globals)]
        #vis #keyword #name: #ty = #ty(::jumar::__rt::kernel(#spelled, ::core::file!(), #text));
        #handle
        #(#cfgs)*
        #[allow(unexpected_cfgs, unused, unused_comparisons, non_snake_case, unstable_name_collisions, clippy::all)]
        const _: () = { #shown };
    }
}

/// Returns the attributes of the kernel's own element types, and the types of their numbers in the
/// kernel.
fn carried(sig: &Signature) -> Vec<(String, &'static str)> {
    let own = sig.attrs().filter(|(id, ..)| sig.element(*id).is_some());
    own.map(|(id, param, ty, _)| {
        (
            sig.part(id).map_or(&param.name, |part| &part.of).clone(),
            ty.word(),
        )
    })
    .collect()
}

/// Replaces `T` by `f32`, also in a list.
fn carry(ty: &mut Type, word: &str) {
    match ty {
        Type::Array(list) => carry(&mut list.elem, word),
        Type::Reference(list) => carry(&mut list.elem, word),
        Type::Slice(list) => carry(&mut list.elem, word),
        own => {
            let word = Ident::new(word, own.span());
            *own = parse_quote! { #word };
        }
    }
}

/// Returns the function without our attributes and with its axes bound.
fn plain(function: &ItemFn, carried: &[(String, &'static str)]) -> ItemFn {
    let mut f = function.clone();
    f.attrs.retain(|a| !is_ours(a, &FN_ATTRIBUTES));
    let mut params = Vec::new();
    let mut axes: Vec<Ident> = Vec::new();
    for input in &mut f.sig.inputs {
        let FnArg::Typed(param) = input else { continue };
        if let syn::Pat::Ident(name) = &*param.pat {
            params.push(name.ident.clone());
            if let Some((_, word)) = carried.iter().find(|(own, _)| name.ident.unraw() == own) {
                carry(&mut param.ty, word);
            }
        }
        for attr in param.attrs.iter().filter(|a| is_ours(a, &["shape"])) {
            for axis in axis_names(attr) {
                if !axes.contains(&axis) {
                    axes.push(axis);
                }
            }
        }
        param.attrs.retain(|a| !is_ours(a, &PARAM_ATTRIBUTES));
        shared(&mut param.ty);
    }
    axes.retain(|axis| !params.contains(axis));
    // rustc would compute with a constant size: `n - 1` with 0 is an error.
    let lets = axes
        .iter()
        .rev()
        .map(|axis| parse_quote! { let #axis: usize = ::core::hint::black_box(0); });
    lets.for_each(|binding| f.block.stmts.insert(0, binding));
    AsTuples.visit_block_mut(&mut f.block);
    f
}

/// Converts `Option<&mut T>` to `Option<&T>`.
fn shared(ty: &mut Type) {
    let Type::Path(path) = ty else { return };
    let Some(last) = path
        .path
        .segments
        .last_mut()
        .filter(|segment| segment.ident == "Option")
    else {
        return;
    };
    let PathArguments::AngleBracketed(of) = &mut last.arguments else {
        return;
    };
    for argument in &mut of.args {
        if let GenericArgument::Type(Type::Reference(reference)) = argument {
            reference.mutability = None;
        }
    }
}

/// Makes one tuple of several indices, or of none: a Rust method takes a fixed number of arguments.
/// Also replaces the `_` of `.size((8, _))` by a value.
struct AsTuples;

impl VisitMut for AsTuples {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if call.method == "at" && call.args.len() != 1 {
            let elems = std::mem::take(&mut call.args);
            call.args.push(Expr::Tuple(ExprTuple {
                attrs: Vec::new(),
                paren_token: call.paren_token,
                elems,
            }));
        }
        if call.method == "size" {
            call.args.iter_mut().for_each(solved_as_unit);
        }
    }
}

/// Puts `()` in the place of `_`.
fn solved_as_unit(entry: &mut Expr) {
    match entry {
        Expr::Infer(_) => *entry = parse_quote! { () },
        Expr::Tuple(t) => t.elems.iter_mut().for_each(solved_as_unit),
        _ => {}
    }
}

/// Returns the names that `#[shape(..)]` may introduce: entries that are a bare name, `name..`,
/// `name @ attribute` or `name = size`.
fn axis_names(attr: &Attribute) -> Vec<Ident> {
    let Meta::List(list) = &attr.meta else {
        return Vec::new();
    };
    let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    tokens
        .split(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ','))
        .filter_map(|entry| match entry {
            [TokenTree::Ident(name)] => Some(name.clone()),
            [TokenTree::Ident(name), TokenTree::Punct(a), TokenTree::Punct(b)]
                if (a.as_char(), b.as_char()) == ('.', '.') =>
            {
                Some(name.clone())
            }
            [TokenTree::Ident(name), TokenTree::Punct(at), ..] if at.as_char() == '@' => {
                Some(name.clone())
            }
            [TokenTree::Ident(name), TokenTree::Punct(is), _, ..]
                if (is.as_char(), is.spacing()) == ('=', Spacing::Alone) =>
            {
                Some(name.clone())
            }
            _ => None,
        })
        .collect()
}

/// True for `#[name]` and `#[jumar::name]` with one of `names`.
pub(crate) fn is_ours(attr: &Attribute, names: &[&str]) -> bool {
    let segments = &attr.path().segments;
    let ours = segments.len() == 1 || (segments.len() == 2 && segments[0].ident == "jumar");
    ours && segments
        .last()
        .is_some_and(|last| names.iter().any(|name| last.ident == name))
}

fn is_kernel(function: &ItemFn) -> bool {
    function.attrs.iter().any(|a| is_ours(a, &["kernel"]))
}

/// Returns J0105 at the attribute's arguments or the item, and the item unchanged.
fn misplaced(message: &str, attr: TokenStream, item: TokenStream) -> TokenStream {
    let place = attr
        .into_iter()
        .chain(item.clone())
        .next()
        .map_or_else(Span::call_site, |t| t.span());
    let mut out = report::error(&format!("J0105: {message}"), place, place);
    out.extend(item);
    out
}

/// Returns the parser's own errors, and the item unchanged, so that an editor can continue with it.
fn with_errors(error: syn::Error, item: TokenStream) -> TokenStream {
    let mut out = error.to_compile_error();
    out.extend(item);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_bound_and_our_attributes_gone() {
        let f: ItemFn = parse_quote! {
            #[instances(f16)]
            #[deterministic]
            #[inline]
            fn k<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, #[shape(n.., 2 * d, m @ k, e = 3 * n)] y: &mut GlobalTensor<T>, #[default(1)] k: usize) {
                body(x.at(r, ..), x.at(r), y.at(), tiles((n, d)).size((8, _)));
            }
        };
        let want: ItemFn = parse_quote! {
            #[inline]
            fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, k: usize) {
                let n: usize = ::core::hint::black_box(0);
                let d: usize = ::core::hint::black_box(0);
                let m: usize = ::core::hint::black_box(0);
                let e: usize = ::core::hint::black_box(0);
                body(x.at((r, ..)), x.at(r), y.at(()), tiles((n, d)).size((8, ())));
            }
        };
        assert_eq!(
            plain(&f, &[]).to_token_stream().to_string(),
            want.to_token_stream().to_string()
        );
    }

    #[test]
    fn a_static_stands_in_place_of_a_kernel_with_or_without_errors() {
        let f: ItemFn = parse_quote! {
            /// The documentation of k.
            #[cfg(unix)]
            pub(crate) fn k(x: &GlobalTensor<f32>) {}
        };
        let spelled = |text: Option<&str>| {
            let outcome = Outcome {
                name: "k".into(),
                text: text.map(str::to_owned),
                findings: TokenStream::new(),
                carried: Vec::new(),
            };
            kernel_items(&f, &outcome).to_string()
        };
        let clean = spelled(Some("the ir"));
        assert!(
            clean.contains("pub (crate) static k : __k_kernel"),
            "{clean}"
        );
        assert!(clean.contains("\"the ir\"") && !clean.contains("rust_analyzer"));
        assert_eq!(
            clean.matches("cfg (unix)").count(),
            7,
            "static, its type, what that has, block and function"
        );
        assert!(spelled(None).contains("# [cfg (rust_analyzer)]"));
    }

    #[test]
    fn a_misplaced_attribute_is_an_error_and_the_item_stays() {
        let on_mod = kernel(TokenStream::new(), quote! { mod m { fn f() {} } }).to_string();
        assert!(on_mod.contains("J0105") && on_mod.contains("mod m"));
        for item in [quote! { fn f() {} }, quote! { mod m; }] {
            assert!(kernels(TokenStream::new(), item)
                .to_string()
                .contains("J0105"));
        }
        assert!(kernels(quote! { x }, quote! { mod m {} })
            .to_string()
            .contains("J0105"));
        assert!(kernel(TokenStream::new(), quote! { struct S; })
            .to_string()
            .contains("compile_error"));
    }
}
