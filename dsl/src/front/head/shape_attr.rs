//! `#[shape(n.., d, 2 * k, 4)]`: the axes of a tensor.
//!
//! | entry | meaning |
//! |---|---|
//! | `n` | introduces an axis or uses it again; a constant's name is that constant |
//! | `n..` | any number of axes, as their product |
//! | `n = size` | names an axis of a computed size |
//! | `n @ attribute` | an axis at the place that an attribute gives |
//! | other expressions | a size over names bound elsewhere on the signature |

use crate::diag::Code;
use crate::front::cx::report::Report;
use crate::front::cx::value::AxisName;
use crate::front::cx::Cx;
use crate::front::text::span::Node;
use crate::ir::{AxisId, Dim, ParamId, Scalar, ScalarTy, Stage};
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Token};

/// Most entries of a shape: axes of a tensor in the host's own shapes.
const MAX_ENTRIES: usize = 25;

/// A parsed but unresolved shape.
pub struct ShapeAttr {
    entries: Vec<Entry>,
}

/// One entry, with the attribute behind its `@`.
struct Entry {
    size: Expr,
    at: Option<Expr>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Entry> {
        let size = input.parse()?;
        let at = input
            .parse::<Option<Token![@]>>()?
            .map(|_| input.parse())
            .transpose()?;
        Ok(Entry { size, at })
    }
}

impl ShapeAttr {
    /// Returns the names that introduce axes, with true for `name..`.
    pub fn names(&self) -> impl Iterator<Item = (&Ident, bool)> {
        self.entries.iter().filter_map(|e| axis_name(&e.size))
    }

    /// Returns the names of computed axes, and their sizes.
    pub fn computed(&self) -> impl Iterator<Item = (&Ident, &Expr)> {
        self.entries.iter().filter_map(|e| named_size(&e.size))
    }
}

/// Reads the form `name = size`.
fn named_size(e: &Expr) -> Option<(&Ident, &Expr)> {
    match e {
        Expr::Assign(a) => match &*a.left {
            Expr::Path(p) => p.path.get_ident().map(|name| (name, &*a.right)),
            _ => None,
        },
        _ => None,
    }
}

fn axis_name(e: &Expr) -> Option<(&Ident, bool)> {
    match e {
        Expr::Path(p) => p.path.get_ident().map(|i| (i, false)),
        Expr::Range(r) if r.end.is_none() && matches!(r.limits, syn::RangeLimits::HalfOpen(_)) => {
            match r.start.as_deref() {
                Some(Expr::Path(p)) => p.path.get_ident().map(|i| (i, true)),
                _ => None,
            }
        }
        _ => None,
    }
}

impl Cx<'_> {
    /// Reads the entries as dims; `None` after an error.
    pub fn shape_dims(&mut self, of: ParamId, shape: &ShapeAttr) -> Option<Vec<Dim>> {
        // All entries are read, so that all mistakes are found.
        let dims: Vec<Option<Dim>> = shape
            .entries
            .iter()
            .enumerate()
            .map(|(nth, e)| self.dim((of, nth), e))
            .collect();
        let dims = dims.into_iter().collect::<Option<Vec<Dim>>>()?;
        self.sides(shape, &dims).then_some(dims)
    }

    fn dim(&mut self, place: (ParamId, usize), Entry { size: e, at }: &Entry) -> Option<Dim> {
        let word = named_size(e)
            .map(|(name, _)| name)
            .or(axis_name(e).map(|(name, _)| name));
        let named =
            word.and_then(|word| self.names.axis_names.iter().position(|n| *word == n.name));
        self.names
            .dim_names
            .extend(named.map(|at| (place, AxisName(at))));
        let axis = word
            .and_then(|word| self.draft.sig.axes.iter().position(|x| *word == x.name))
            .map(|id| AxisId(id as u32));
        if let Some(at) = at {
            return self.placed(e, axis, at);
        }
        match (axis, named, named_size(e)) {
            (Some(axis), _, None) => Some(Dim::Axis { axis }),
            // An axis that the signature does not declare is computed.
            (None, Some(at), _) => Some(Dim::Expr {
                size: self.names.axis_names[at].extent.clone(),
            }),
            // The name's binding was reported as wrong.
            (_, _, Some(_)) => None,
            (None, None, None) => self.size(e).map(|size| Dim::Expr { size }),
        }
    }

    /// Reads the form `m @ dim`.
    fn placed(&mut self, e: &Expr, axis: Option<AxisId>, at: &Expr) -> Option<Dim> {
        let single =
            axis.filter(|axis| named_size(e).is_none() && !self.draft.sig.axes[axis.index()].many);
        let Some(axis) = single else {
            let d = self
                .error(Code::J0105, e, "what stands before `@` is one axis by its name, whose size is that of the array there")
                .help("write `#[shape(a.., m @ dim, b..)]`");
            self.report.add(d);
            return None;
        };
        let attr = axis_name(at)
            .filter(|(_, many)| !many)
            .and_then(|(name, _)| self.draft.sig.params.iter().position(|p| *name == p.name));
        let whole = |p: &usize| self.draft.sig.is_whole(ParamId(*p as u32));
        let Some(dim) = attr.filter(whole) else {
            let d = self
                .error(Code::J0105, at, "what stands behind `@` is an attribute of type `i32` or `usize`")
                .help("declare it: `dim: i32`, negative from the end; an axis whose place is known stands there without `@`");
            self.report.add(d);
            return None;
        };
        self.names.note_read(&self.draft.sig.params[dim].name);
        Some(Dim::At {
            axis,
            dim: ParamId(dim as u32),
        })
    }

    /// Checks that the entries beside an `@` can be told apart.
    fn sides(&mut self, shape: &ShapeAttr, dims: &[Dim]) -> bool {
        let mut placed = (0..dims.len()).filter(|i| matches!(dims[*i], Dim::At { .. }));
        let Some(first) = placed.next() else {
            return true;
        };
        if let Some(second) = placed.next() {
            let d = self
                .error(
                    Code::J0105,
                    &shape.entries[second].size,
                    "a second `@` in one shape, at most 1 is possible",
                )
                .help("what lies between the two would be open");
            self.report.add(d);
            return false;
        }
        for side in [0..first, first + 1..dims.len()] {
            let many: Vec<usize> = side.filter(|i| self.draft.sig.is_many(&dims[*i])).collect();
            if let [_, second, ..] = many[..] {
                let d = self
                    .error(
                        Code::J0105,
                        &shape.entries[second].size,
                        "a second `name..` on one side of `@`, at most 1 is possible",
                    )
                    .help("which axes would belong to which is open: name the axes one by one");
                self.report.add(d);
                return false;
            }
        }
        true
    }

    /// Reports J0105 for several `name..` of a shape where no input determines their numbers of
    /// axes.
    pub fn several(&mut self, of: ParamId, a: &Attribute) -> bool {
        let many: Vec<AxisId> = self.draft.sig.many_of(of).collect();
        let name = |axis: &AxisId| self.draft.sig.axes[axis.index()].name.clone();
        if let Some((_, twice)) = many
            .iter()
            .enumerate()
            .find(|(i, axis)| many[..*i].contains(axis))
        {
            let message = format!("`{}..` stands twice in one shape", name(twice));
            let d = self
                .error(Code::J0105, a, message)
                .help("give the axes names of their own");
            self.report.add(d);
            return false;
        }
        let open = |axis: &&AxisId| self.draft.sig.input_that_tells(**axis).is_none();
        let Some(axis) = many.iter().find(open).filter(|_| !self.draft.sig.tells(of)) else {
            return true;
        };
        let message = format!(
            "{} entries of the form `name..` in one shape, and no input says how many axes `{}..` is",
            many.len(),
            name(axis)
        );
        let d = self.error(Code::J0105, a, message).help(
            "name the axes one by one, or let an attribute say where one of an input stands: `#[shape(a.., m @ dim, b..)]`",
        );
        self.report.add(d);
        false
    }

    fn size(&mut self, e: &Expr) -> Option<Scalar> {
        if let Some((ident, many)) = axis_name(e) {
            let name = ident.to_string();
            if many || self.names.get(&name).is_some() {
                // A collision of names, which was reported when axes were bound.
                if many && self.module.const_index(&name).is_some() {
                    let d = self
                        .error(
                            Code::J0105,
                            ident,
                            format!("`{name}` is a constant, not axes"),
                        )
                        .help("remove the `..`");
                    self.report.add(d);
                }
                return None;
            }
        }
        self.computed_size(e)
    }

    /// Reads a size that the host computes from axes, attributes and numbers.
    pub fn computed_size(&mut self, e: &Expr) -> Option<Scalar> {
        let before = self.report.diagnostics.len();
        self.names.in_shape = true;
        let num = self.scalar(e);
        self.names.in_shape = false;
        let num = num?;
        if self.report.diagnostics.len() > before {
            return None;
        }
        let num = self
            .report
            .want(num, ScalarTy::Index, e, "the size of an axis")?;
        if self.out.stage(&num.value) > Stage::Host || num.value.as_int().is_some_and(|v| v < 0) {
            let d = self
                .error(Code::J0105, &e.ends(), "this is no size of an axis")
                .help("use axes, attributes and integers");
            self.report.add(d);
            return None;
        }
        Some(num.value)
    }
}

impl Report {
    /// Parses the list of entries.
    pub fn shape_attr(&mut self, a: &Attribute) -> Option<ShapeAttr> {
        match a.parse_args_with(Punctuated::<Entry, Token![,]>::parse_terminated) {
            Ok(list) if list.len() > MAX_ENTRIES => {
                let n = list.len();
                let d = self
                    .error(
                        Code::J0105,
                        &list[MAX_ENTRIES].size,
                        format!("a shape of {n} entries, at most {MAX_ENTRIES} are possible"),
                    )
                    .help("`name..` stands for any number of axes")
                    .number("found", n as i64)
                    .number("allowed", MAX_ENTRIES as i64);
                self.add(d);
                None
            }
            // No entry at all is a tensor without axes; `#[shape]` without brackets has no meaning.
            Ok(list) => Some(ShapeAttr {
                entries: list.into_iter().collect(),
            }),
            Err(_) => {
                let d = self
                    .error(Code::J0105, a, "`#[shape(..)]` lists axes")
                    .help(
                    "write `#[shape(n.., d)]`, `#[shape(n, 2 * k)]`, `#[shape(a.., m @ dim, b..)]`",
                );
                self.add(d);
                None
            }
        }
    }
}
