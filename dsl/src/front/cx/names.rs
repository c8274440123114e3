//! The names in scope at the place being read, and their meanings.
//!
//! A kernel sees the prelude, its own parameters, axes and `let`s, and the constants and helpers of
//! its `#[kernels]` module. A helper's body sees its parameters and that module only, so [`Names`]
//! have a floor below which names hide.

use super::value::{AxisName, Val, WorkAxes};
use crate::front::text::span::Ends;
use crate::ir::{AxId, BufId, ParamId, QueueId, Scalar, Ty};
use proc_macro2::TokenTree;
use quote::ToTokens;
use std::cell::Cell;
use std::collections::HashMap;

/// A name in scope.
#[derive(Debug)]
pub struct Binding {
    pub name: String,
    pub val: Val,
    pub mutable: bool,
    /// Place where the name was bound.
    pub at: Ends,
    /// The parameter that it was declared as.
    pub param: Option<ParamId>,
    /// True once something has read it, and from the beginning for a name that may stay unread.
    read: Cell<bool>,
}

/// An axis of the tensors' shapes that has a name.
pub struct NamedAxis {
    pub name: String,
    pub extent: Scalar,
    /// The axis of tiles, once there is one.
    pub ax: Option<AxId>,
}

/// An object that its methods change, so that rustc requires `let mut`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Pipe,
    Queue(QueueId),
    Buf(BufId),
}

/// The names in scope and their meanings.
#[derive(Default)]
pub struct Names {
    /// Names that are bound, innermost last.
    bindings: Vec<Binding>,
    /// Names that nothing had read when their scope ended.
    unread: Vec<Binding>,
    /// Number of bindings that are hidden.
    floor: usize,
    /// Dtype parameters in scope.
    types: Vec<(String, Ty)>,
    type_floor: usize,
    /// Dtype parameters with an unknown bound, for which an error was reported.
    pub unbound: Vec<u8>,
    /// Constants of the module being evaluated.
    pub const_stack: Vec<usize>,
    /// Values of constants that were evaluated, by index.
    pub const_values: HashMap<usize, Val>,
    /// The type that a `let` names, for a queue or buffer.
    pub let_type: Option<syn::PathSegment>,
    /// Queues, buffers and pipes bound without `mut`, with the place of the name; taken once
    /// reported.
    pub immutable: Vec<(Owner, Ends)>,
    /// True while the sizes of a `#[shape]` are read.
    pub in_shape: bool,
    /// Axes with a name of the author's, or of a whole shape.
    pub axis_names: Vec<NamedAxis>,
    /// The axes of each workspace.
    pub work_axes: Vec<WorkAxes>,
    /// The axis of each entry of the tensors' shapes.
    pub dim_names: HashMap<(ParamId, usize), AxisName>,
}

/// The number of bindings where a scope began.
pub struct Mark {
    bindings: usize,
    floor: usize,
    types: usize,
    type_floor: usize,
}

impl Names {
    /// Binds a name; shadows an earlier one.
    pub fn bind(&mut self, name: String, val: Val, mutable: bool, at: Ends) {
        self.bindings.push(Binding {
            name,
            val,
            mutable,
            at,
            param: None,
            read: Cell::new(true),
        });
    }

    /// Binds a name that must be read, unless it begins with `_`.
    pub fn bind_to_read(
        &mut self,
        name: String,
        val: Val,
        mutable: bool,
        at: Ends,
        param: Option<ParamId>,
    ) {
        let read = Cell::new(name.starts_with('_') || val.is_unknown());
        self.bindings.push(Binding {
            name,
            val,
            mutable,
            at,
            param,
            read,
        });
    }

    /// Notes that a name is read where it has no value: in a shape.
    pub fn note_read(&self, name: &str) {
        self.get(name);
    }

    /// Returns the names that nothing has read.
    pub fn all_unread(&self) -> impl Iterator<Item = &Binding> {
        self.unread
            .iter()
            .chain(self.bindings.iter().filter(|b| !b.read.get()))
    }

    /// Binds a dtype parameter.
    pub fn bind_type(&mut self, name: String, ty: Ty) {
        self.types.push((name, ty));
    }

    /// Finds the binding of a name and marks it as read.
    pub fn get(&self, name: &str) -> Option<&Binding> {
        self.target(name).inspect(|b| b.read.set(true))
    }

    /// Finds the binding of a name without reading it: a name that is assigned to.
    pub fn target(&self, name: &str) -> Option<&Binding> {
        self.bindings[self.floor..]
            .iter()
            .rev()
            .find(|b| b.name == name)
    }

    /// Counts the names that are bound.
    pub fn bound(&self) -> usize {
        self.bindings.len()
    }

    /// True for a name that is one of the first `bound` ones.
    pub fn is_among_first(&self, name: &str, bound: usize) -> bool {
        let at = self.bindings[self.floor..]
            .iter()
            .rposition(|b| b.name == name);
        at.is_some_and(|at| self.floor + at < bound)
    }

    /// Finds a dtype parameter.
    pub fn get_type(&self, name: &str) -> Option<Ty> {
        self.types[self.type_floor..]
            .iter()
            .rev()
            .find(|(n, _)| n == name)
            .map(|(_, t)| *t)
    }

    /// Lists visible names, innermost first.
    pub fn visible(&self) -> impl Iterator<Item = &str> {
        self.bindings[self.floor..]
            .iter()
            .rev()
            .map(|b| b.name.as_str())
    }

    /// Lists visible dtype parameters.
    pub fn visible_types(&self) -> impl Iterator<Item = &str> {
        self.types[self.type_floor..]
            .iter()
            .map(|(n, _)| n.as_str())
    }

    /// Notes which names are bound.
    pub fn mark(&self) -> Mark {
        Mark {
            bindings: self.bindings.len(),
            floor: self.floor,
            types: self.types.len(),
            type_floor: self.type_floor,
        }
    }

    /// Hides every name until [`Names::back`].
    pub fn raise_floor(&mut self) {
        self.floor = self.bindings.len();
        self.type_floor = self.types.len();
    }

    /// Ends a scope.
    pub fn back(&mut self, mark: Mark) {
        self.unread.extend(
            self.bindings
                .drain(mark.bindings..)
                .filter(|b| !b.read.get()),
        );
        self.types.truncate(mark.types);
        self.floor = mark.floor;
        self.type_floor = mark.type_floor;
    }

    /// True for a node with a name that an error was reported for: a mistake in the node may follow
    /// from it.
    pub fn mentions_unknown(&self, node: &(impl ToTokens + ?Sized)) -> bool {
        let mut rest = vec![node.to_token_stream()];
        while let Some(tokens) = rest.pop() {
            for token in tokens {
                match token {
                    TokenTree::Ident(word)
                        if self
                            .get(&word.to_string())
                            .is_some_and(|b| b.val.is_unknown()) =>
                    {
                        return true;
                    }
                    TokenTree::Group(g) => rest.push(g.stream()),
                    TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
        }
        false
    }
}
