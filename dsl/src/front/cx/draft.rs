//! The kernel so far: its signature, and what is known of its parameters and of it as a whole.

use super::kinds::{Items, Merged, Packed};
use crate::front::text::span::{Ends, Node};
use crate::ir::{Level, Signature, SpanId};
use proc_macro2::Ident;

/// Gives a name without the `r#` of a raw identifier.
pub fn plain_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_string).unwrap_or(name)
}

/// The kernel as far as it was read, without its statements.
pub struct Draft {
    pub sig: Signature,
    /// The function's name.
    pub name_ends: Ends,
    /// Place of each parameter's name.
    pub param_ends: Vec<Ends>,
    /// False for a tensor whose `#[shape]` was wrong.
    pub shape_known: Vec<bool>,
    /// Tensors with a `#[shape]` of their own.
    pub own_shape: Vec<bool>,
    /// Tensors that a store or copy writes.
    pub written: Vec<bool>,
    /// The level, and where the first construct of it stands.
    pub level: Option<(Level, SpanId)>,
    /// True after a finding about constructs of both levels.
    pub mixed: bool,
    /// The outermost tile loop.
    pub tile_loop: Option<SpanId>,
    /// The first `fit_tile`.
    pub fit_tile: Option<SpanId>,
    /// `#[deterministic]`, where it stands.
    pub deterministic: Option<SpanId>,
    /// The loop over the items of lists.
    pub items: Option<Items>,
    /// Values that the cores merge.
    pub merged: Vec<Merged>,
    /// Tensors to which loops append.
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
