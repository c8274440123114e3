//! The launch of a kernel as a method with its parameters: arrays and numbers in the author's
//! order.
//!
//! The type of an argument comes from the function's own head, so rustc reports a wrong call as it
//! reports any other: a wrong number of arguments, or an argument of the wrong type. After an error
//! in the kernel its `launch` accepts anything, so that no further errors follow at its uses.

use crate::expand::is_ours;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{
    Attribute, FnArg, GenericArgument, GenericParam, Generics, ItemFn, Lifetime, LifetimeParam,
    PatType, PathArguments, Type,
};

/// Returns the type of the kernel, `__swish_kernel`, with its `launch`. `plain` is the function as
/// rustc sees it, if it does.
pub fn handle(
    function: &ItemFn,
    plain: &ItemFn,
    is_right: bool,
    cfgs: &[&Attribute],
) -> (Ident, TokenStream) {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let ty = format_ident!("__{}_kernel", name.unraw(), span = name.span());
    let mut all = if is_right {
        plain.sig.generics.clone()
    } else {
        Generics::default()
    };
    // The lifetime of arrays and backend ends with the launch.
    let lent = Lifetime::new("'lent", Span::mixed_site());
    all.params
        .insert(0, GenericParam::Lifetime(LifetimeParam::new(lent.clone())));
    let (generics, _, bounds) = all.split_for_impl();
    // Hygienic names cannot collide with parameters.
    let (backend, bound) = (
        Ident::new("backend", Span::mixed_site()),
        Ident::new("bound", Span::mixed_site()),
    );
    let (mut parameters, mut binds) = (Vec::new(), Vec::new());
    for (written, plain) in function.sig.inputs.iter().zip(&plain.sig.inputs) {
        let (FnArg::Typed(written), FnArg::Typed(plain)) = (written, plain) else {
            continue;
        };
        let syn::Pat::Ident(own) = &*plain.pat else {
            continue;
        };
        let own = &own.ident;
        let (is, bind) = match is_right {
            true => parameter(written, &plain.ty, own, (&bound, &lent)),
            false => (
                quote! { impl ::core::marker::Sized },
                quote! { let _ = #own; },
            ),
        };
        parameters.push(quote! { #own: #is });
        binds.push(bind);
    }
    let items = quote! {
        #(#cfgs)*
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis struct #ty(pub ::jumar::KernelDef);
        #(#cfgs)*
        #[allow(dead_code, clippy::too_many_arguments, clippy::type_complexity)]
        impl #ty {
            /// Runs the kernel on a backend, with arrays and numbers in the order of its
            /// parameters. A number with a default is an `Option`.
            pub fn launch #generics (
                &'static self,
                #backend: &#lent dyn ::jumar::runtime::Backend,
                #(#parameters),*
            ) -> ::core::result::Result<::jumar::Report, ::jumar::LaunchError> #bounds {
                let #bound = self.0.bind_to(#backend)?;
                #(#binds)*
                ::core::result::Result::Ok(#bound.run()?)
            }

            /// Begins to run the kernel, as `launch` does, and returns: on a device at once,
            /// elsewhere at its end. `wait` on its result writes the outputs.
            pub fn start #generics (
                &'static self,
                #backend: &#lent dyn ::jumar::runtime::Backend,
                #(#parameters),*
            ) -> ::core::result::Result<::jumar::Running<#lent>, ::jumar::LaunchError> #bounds {
                let #bound = self.0.bind_to(#backend)?;
                #(#binds)*
                ::core::result::Result::Ok(#bound.start()?)
            }
        }
        #(#cfgs)*
        impl ::core::ops::Deref for #ty {
            type Target = ::jumar::KernelDef;
            fn deref(&self) -> &::jumar::KernelDef {
                &self.0
            }
        }
        #(#cfgs)*
        impl ::core::fmt::Debug for #ty {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.0, f)
            }
        }
    };
    (ty, items)
}

/// The kind of a parameter, by the type that the author wrote.
enum Kind<'t> {
    /// A tensor: `&GlobalTensor<T>`, or `&mut`.
    Tensor { element: &'t Type, is_written: bool },
    /// An optional tensor: `Option<&GlobalTensor<T>>`, or `&mut`.
    Optional { element: &'t Type, is_written: bool },
    /// A list of tensors: `&[GlobalTensor<T>]`, or `&mut`.
    List { element: &'t Type, is_written: bool },
    /// A number for each item: `&[f32]`.
    Numbers,
    /// A list of fixed length: `[f32; 3]`, or a reference to one.
    Fixed,
    /// A number, a bool or a choice.
    One,
}

/// Returns the `T` of `GlobalTensor<T>`, and of `Option<T>`.
fn argument_of<'t>(ty: &'t Type, of: &str) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|segment| segment.ident == of)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}

fn kind(ty: &Type) -> Kind<'_> {
    if let Some(Type::Reference(inner)) = argument_of(ty, "Option") {
        if let Some(element) = argument_of(&inner.elem, "GlobalTensor") {
            return Kind::Optional {
                element,
                is_written: inner.mutability.is_some(),
            };
        }
    }
    let Type::Reference(reference) = ty else {
        return if matches!(ty, Type::Array(_)) {
            Kind::Fixed
        } else {
            Kind::One
        };
    };
    let is_written = reference.mutability.is_some();
    match &*reference.elem {
        Type::Slice(slice) => match argument_of(&slice.elem, "GlobalTensor") {
            Some(element) => Kind::List {
                element,
                is_written,
            },
            None => Kind::Numbers,
        },
        Type::Array(_) => Kind::Fixed,
        of => match argument_of(of, "GlobalTensor") {
            Some(element) => Kind::Tensor {
                element,
                is_written,
            },
            None => Kind::One,
        },
    }
}

/// Returns the caller's argument for a parameter, and its binding. `plain` is its type as rustc
/// sees it, with the number type of an attribute.
fn parameter(
    written: &PatType,
    plain: &Type,
    own: &Ident,
    (bound, life): (&Ident, &Lifetime),
) -> (TokenStream, TokenStream) {
    let has = |name| written.attrs.iter().any(|attr| is_ours(attr, &[name]));
    let spelled = own.unraw().to_string();
    let call = |method: &str, value: TokenStream| {
        let method = Ident::new(method, Span::call_site());
        quote! { let #bound = #bound.#method(#spelled, #value); }
    };
    let if_given = |method: &str| {
        let method = Ident::new(method, Span::call_site());
        quote! {
            let #bound = match #own {
                ::core::option::Option::Some(given) => #bound.#method(#spelled, given),
                ::core::option::Option::None => #bound,
            };
        }
    };
    // A launch binds one tensor or a list, by the kernel's access to it.
    let method = |is_written: bool, is_list: bool| match (is_written, has("inplace"), is_list) {
        (false, _, false) => "input",
        (false, _, true) => "inputs",
        (true, false, false) => "output",
        (true, false, true) => "outputs",
        (true, true, false) => "inout",
        (true, true, true) => "inouts",
    };
    let array = |is_written: bool, element: &Type| match is_written {
        true => quote! { ::jumar::runtime::Output<#element> },
        false => quote! { ::jumar::runtime::Input<#element> },
    };
    match kind(&written.ty) {
        Kind::Tensor {
            element,
            is_written,
        } => {
            let (of, lent) = (
                array(is_written, element),
                is_written.then(|| quote! { mut }),
            );
            (
                quote! { & #life #lent (impl #of + ?Sized) },
                call(method(is_written, false), quote! { #own }),
            )
        }
        Kind::Optional {
            element,
            is_written,
        } => {
            let (of, lent) = (
                array(is_written, element),
                is_written.then(|| quote! { mut }),
            );
            (
                quote! { ::core::option::Option<& #life #lent dyn #of> },
                if_given(method(is_written, false)),
            )
        }
        Kind::List {
            element,
            is_written,
        } => {
            let (of, lent) = (
                array(is_written, element),
                is_written.then(|| quote! { mut }),
            );
            (
                quote! { & #life #lent [impl #of] },
                call(method(is_written, true), quote! { #own }),
            )
        }
        Kind::Numbers => (
            quote! { #plain },
            call("attrs", quote! { #own.iter().copied() }),
        ),
        Kind::Fixed | Kind::One => {
            let by_value = if let Type::Reference(of) = plain {
                &of.elem
            } else {
                plain
            };
            let method = if matches!(kind(&written.ty), Kind::Fixed) {
                "attrs"
            } else {
                "attr"
            };
            match has("default") {
                true => (
                    quote! { ::core::option::Option<#by_value> },
                    if_given(method),
                ),
                false => (quote! { #by_value }, call(method, quote! { #own })),
            }
        }
    }
}
