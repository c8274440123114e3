//! `#[kernel]` and `#[kernels]`: thin shells over the front end and the checker of `jumar-dsl`.
//!
//! The macro runs the checks of the command line on the compiler's own tokens. `report` makes
//! findings compiler errors at their places. `expand` makes of a clean kernel a static with the
//! kernel's IR as text. Beside it stands a copy of the function, which the compiler and editors
//! see but nothing calls. Soundness does not depend on that copy: the IR is checked again when it
//! is loaded for a chip.
#![forbid(unsafe_code)]

mod expand;
#[cfg(test)]
mod printed;
mod report;
mod typed;

use proc_macro::TokenStream;

/// Makes a kernel of a function: checks it at compile time and defines a static of type
/// `KernelDef`.
///
/// The function sees the prelude and itself. A kernel that shares constants or helper functions
/// with others stands in a [`macro@kernels`] module. Attributes of the function are
/// `#[instances(f16, f32)]`, `#[chips(ascend310p)]` and `#[deterministic]`. Attributes of a
/// parameter are `#[shape(n.., d)]`, `#[default(1.0)]`, `#[inplace]` and `#[index(n)]`.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(attr.into(), item.into()).into()
}

/// Makes kernels of the `#[kernel]` functions of an inline module, with its constants and helper
/// functions in scope.
#[proc_macro_attribute]
pub fn kernels(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernels(attr.into(), item.into()).into()
}
