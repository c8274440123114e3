//! The kernel so far: its signature, and facts about its parameters and about it as a whole.

use super::kinds::{Items, Merged, Packed};
use crate::front::text::span::{Ends, Node};
use crate::ir::{Level, Signature, SpanId};
use proc_macro2::Ident;

/// Returns a name without the `r#` of a raw identifier.
pub fn plain_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_string).unwrap_or(name)
}

/// The kernel as far as it was read, without its statements.
pub struct Draft {
    pub sig: Signature,
    /// Place of the function's name.
    pub name_ends: Ends,
    /// Place of each parameter's name.
    pub param_ends: Vec<Ends>,
    /// False for a tensor whose `#[shape]` was wrong.
    pub shape_known: Vec<bool>,
    /// Tensors with a `#[shape]` of their own.
    pub own_shape: Vec<bool>,
    /// Tensors that a store or copy writes.
    pub written: Vec<bool>,
    /// The level, and the place of the first construct of it.
    pub level: Option<(Level, SpanId)>,
    /// True after a finding about constructs of both levels.
    pub mixed: bool,
    /// The outermost tile loop.
    pub tile_loop: Option<SpanId>,
    /// Place of the first `fit_tile`.
    pub fit_tile: Option<SpanId>,
    /// Place of `#[deterministic]`.
    pub deterministic: Option<SpanId>,
    /// The loop over the items of lists.
    pub items: Option<Items>,
    /// Cross-core accumulators so far.
    pub merged: Vec<Merged>,
    /// Tensors that loops append to.
    pub packed: Vec<Packed>,
}

impl Draft {
    /// Begins a kernel of this name.
    pub fn new(name: &Ident) -> Self {
        Draft {
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
            name_ends: name.ends(),
            param_ends: Vec::new(),
            shape_known: Vec::new(),
            own_shape: Vec::new(),
            written: Vec::new(),
            level: None,
            mixed: false,
            tile_loop: None,
            fit_tile: None,
            deterministic: None,
            items: None,
            merged: Vec::new(),
            packed: Vec::new(),
        }
    }
}
