//! `#[kernel]` and `#[kernels]`: thin shells over the front end and the checker of `jumar-dsl`.
//!
//! The macro runs what the command line runs, on the compiler's own tokens, and turns findings into compiler errors
//! at their places (`report`). A clean kernel becomes a static with the kernel's IR as text, beside a copy of the
//! function that the compiler and editors see but nothing calls (`expand`). Nothing depends on that copy for
//! soundness: the IR is checked again when it is loaded for a chip.
#![forbid(unsafe_code)]

mod expand;
#[cfg(test)]
mod printed;
mod report;
mod typed;

use proc_macro::TokenStream;

/// Makes a kernel of a function: it is checked at compile time and becomes a static of type `KernelDef`.
///
/// The function sees the prelude and itself; a kernel that shares constants or helper functions with others stands
/// in a [`macro@kernels`] module. Attributes that belong to it: `#[instances(f16, f32)]`, `#[chips(ascend310p)]`
/// and `#[deterministic]` on the function, `#[shape(n.., d)]`, `#[default(1.0)]`, `#[inplace]` and `#[index(n)]` on a parameter.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(attr.into(), item.into()).into()
}

/// Makes kernels of the `#[kernel]` functions of an inline module, with its constants and helper functions in scope.
#[proc_macro_attribute]
pub fn kernels(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernels(attr.into(), item.into()).into()
}
