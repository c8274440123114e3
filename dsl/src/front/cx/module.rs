//! The items that a kernel can use besides the prelude and its own: constants, functions and enums
//! of its module, and the library.

use crate::library::texts;
use std::cell::OnceCell;
use syn::{ItemConst, ItemEnum, ItemFn};

/// The items that a kernel can use besides the prelude and its own.
#[derive(Default)]
pub struct Module<'a> {
    /// True inside of `#[kernels]`.
    pub kernels: bool,
    pub consts: Vec<&'a ItemConst>,
    pub fns: Vec<&'a ItemFn>,
    pub enums: Vec<&'a ItemEnum>,
    pub library: Library,
}

impl Module<'_> {
    pub fn const_index(&self, name: &str) -> Option<usize> {
        self.consts.iter().position(|c| c.ident == name)
    }

    pub fn has_helper(&self, name: &str) -> bool {
        self.fns.iter().any(|f| f.sig.ident == name)
    }
}

/// The parsed functions that kernels call, by their index in the text of the library. Most kernels
/// call none.
#[derive(Default)]
pub struct Library(OnceCell<Box<[OnceCell<ItemFn>]>>);

impl Library {
    /// Returns an existing function and its index.
    pub fn get(&self, name: &str) -> (usize, &ItemFn) {
        self.find(name)
            .unwrap_or_else(|| unreachable!("`{name}` is no function of the library"))
    }

    /// Finds a function and its index.
    pub fn find(&self, name: &str) -> Option<(usize, &ItemFn)> {
        let at = texts().iter().position(|(own, _)| *own == name)?;
        let all = self
            .0
            .get_or_init(|| texts().iter().map(|_| OnceCell::new()).collect());
        let parsed = || {
            syn::parse_str(texts()[at].1)
                .unwrap_or_else(|e| unreachable!("`{name}` of the library: {e}"))
        };
        Some((at, all[at].get_or_init(parsed)))
    }
}
