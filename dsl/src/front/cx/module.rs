//! What a kernel sees besides the prelude and itself: constants, functions and enums of its module, and the library.

use crate::library::texts;
use std::cell::OnceCell;
use syn::{ItemConst, ItemEnum, ItemFn};

/// What a kernel sees besides the prelude and itself.
#[derive(Default)]
pub struct Module<'a> {
    /// True inside `#[kernels]`.
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

/// The functions that kernels call, by their place in the text of the library. Most kernels call none.
#[derive(Default)]
pub struct Library(OnceCell<Box<[OnceCell<ItemFn>]>>);

impl Library {
    /// A function that there is, with its place.
    pub fn get(&self, name: &str) -> (usize, &ItemFn) {
        self.find(name)
            .unwrap_or_else(|| unreachable!("`{name}` is no function of the library"))
    }

    /// A function, with its place.
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
