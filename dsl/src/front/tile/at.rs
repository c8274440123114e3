//! `x.at(i, j, ..)`: parts of tensors in GM, with the loads, stores and fills of tiles.
//!
//! An index is the tile of a loop, a scalar, `..`, a whole axis, or a range `a..b`, which is an
//! axis of its own. A loaded tile has the axes of its indices; a scalar has none.
//!
//! An axis is its declaration: a tile of `n` stands at an index declared `n` and nowhere else, for
//! any sizes. An index computed from a tile, `t * s + k`, stands at any axis (`affine`); the
//! checker proves that it stays inside.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::emitted::RunInfo;
use crate::front::cx::value::{Affine, Arg, Moving, Num, Place, RunId, Seen, Val};
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::front::text::words::{as_receiver, is_all, method_ends, one_type};
use crate::ir::{
    same_axes, Access, AxId, Axes, BinOp, Dim, Ids, Index, Level, ParamId, Scalar, ScalarTy,
    StoreHow, TensorRef, TileExpr, Ty, ValueId,
};
use crate::items::{PlaceMethod, ViewMethod};
use crate::tiling::MAX_ELEMENTS;
use syn::{Expr, ExprCall, ExprMethodCall, PathArguments, Type};

/// An index as the author writes it.
#[derive(Clone)]
pub(super) enum Idx {
    /// All of an axis, `..`.
    All,
    /// The tile of a loop.
    Run(RunId),
    /// An index that is computed from the tile of a loop.
    Affine(Box<Affine>),
    /// A single index.
    At(Scalar),
    /// The name of an axis: its size as one index of a longer axis.
    Size(Scalar),
    /// A tile of indices.
    Ids(Ids),
}

impl Cx<'_> {
    /// Reads a call `x.at(i, j, ..)`.
    pub fn at_call(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, &m.method, "at");
        let said = self.draft.dims_text(self.draft.sig.shape(p));
        let Some(indices) = self.indices(p.into(), &said, m) else {
            return Val::Unknown;
        };
        if !self.draft.shape_known[p.index()] {
            return Val::Unknown;
        }
        if let [Idx::Run(run)] = indices[..] {
            if let Some(over) = self.out.run(run).over {
                return self.elements_at(p, run, over, e);
            }
        }
        let shape = self.draft.sig.shape(p).to_vec();
        let of = shape
            .iter()
            .enumerate()
            .map(|(nth, dim)| self.dim_ax(p, nth, dim))
            .collect();
        let seen = Seen {
            tensor: p.into(),
            of,
            said,
        };
        self.place(&seen, indices, m)
    }

    /// Reads `v.at(i, j, ..)` of a view.
    pub fn view_method(&mut self, seen: &Seen, m: &ExprMethodCall, e: &Expr) -> Val {
        match ViewMethod::by_name(&m.method.to_string()) {
            Some(ViewMethod::View) => self.view_call(seen.tensor, m, e),
            Some(ViewMethod::At) => match self.indices(seen.tensor, &seen.said, m) {
                Some(indices) => self.place(seen, indices, m),
                None => Val::Unknown,
            },
            None => {
                self.args(m.args.iter().filter(|a| !is_all(a)));
                self.report
                    .no_method("a view of a GlobalTensor", &m.method, ViewMethod::NAMES)
            }
        }
    }

    /// Reads the indices of a call to a tensor with these axes; `None` after an error.
    fn indices(&mut self, p: TensorRef, axes: &str, m: &ExprMethodCall) -> Option<Vec<Idx>> {
        let axes: Vec<&str> = axes.split(", ").collect();
        let axis = |nth: usize| {
            if axes.len() == m.args.len() {
                axes[nth].trim_end_matches("..")
            } else {
                "n"
            }
        };
        let indices: Vec<Option<Idx>> = m
            .args
            .iter()
            .enumerate()
            .map(|(nth, a)| self.idx(p, axis(nth), a))
            .collect();
        indices.into_iter().collect()
    }

    /// Makes the part of a tensor from one index an axis.
    fn place(&mut self, seen: &Seen, indices: Vec<Idx>, m: &ExprMethodCall) -> Val {
        if indices.len() != seen.of.len() {
            return self.wrong_count(seen, &indices, m);
        }
        let mut index = Vec::with_capacity(indices.len());
        for (nth, (idx, of)) in indices.into_iter().zip(&seen.of).enumerate() {
            match idx {
                Idx::All => index.push(Index::along(*of, 0)),
                Idx::At(offset) => index.push(Index::at(offset)),
                Idx::Size(size) if size == self.out.extent(*of) => {
                    return self.is_no_index(seen.tensor, "a scalar", Some(".."), &m.args[nth])
                }
                Idx::Size(size) => index.push(Index::at(size)),
                Idx::Ids(ids) => {
                    if ids.of.is_none() {
                        self.countable(*of, &m.args[nth]);
                    }
                    let axes = self.out.axes(ids.value).clone();
                    index.push(Index::chosen(ids, &axes));
                }
                Idx::Run(run) if self.out.run(run).of == *of => {
                    let RunInfo { ax, start, .. } = *self.out.run(run);
                    index.push(Index::along(ax, start));
                }
                // A range is no axis of a tensor: only its bounds are checked.
                Idx::Run(run) if self.out.firsts.contains_key(&self.out.run(run).of) => {
                    let affine = Affine::plain(Moving::Run(run));
                    index.push(self.out.affine_index(affine));
                }
                Idx::Run(run) => return self.other_axis(seen, *of, run, &m.args[nth]),
                Idx::Affine(affine) => index.push(self.out.affine_index(*affine)),
            }
            if let Some(number) = beyond_all(&self.out, &index[nth]) {
                let name = self.named_gm(seen.tensor).0;
                let message =
                    format!("an index of `{name}` is computed of {number}; a tensor has at most {MAX_ELEMENTS} elements");
                let d = self
                    .error(Code::J0208, &m.args[nth], message)
                    .number("found", number)
                    .number("allowed", MAX_ELEMENTS);
                return self.report.bad(d);
            }
            let before = |ax: AxId| {
                index[..nth]
                    .iter()
                    .flat_map(|i| &i.terms)
                    .any(|t| t.ax == ax)
            };
            let twice = index[nth].terms.iter().map(|t| t.ax).find(|ax| before(*ax));
            if let Some(ax) = twice {
                return self.axis_twice(seen, ax, &m.args[nth]);
            }
        }
        let mut dims: Vec<Scalar> = seen.of.iter().map(|of| self.out.extent(*of)).collect();
        if dims.is_empty() {
            // A tensor without axes is its one element.
            dims.push(1.into());
            index.push(Index::at(0));
        }
        let access = Access::new(seen.tensor, dims, index);
        Val::Place(Box::new(Place {
            access,
            of: seen.of.clone(),
            written: m.args.iter().map(text).collect(),
        }))
    }

    /// Reads one index; `None` after an error.
    fn idx(&mut self, p: TensorRef, axis: &str, a: &Expr) -> Option<Idx> {
        if is_all(a) {
            return Some(Idx::All);
        }
        let val = self.expr(a);
        match val {
            Val::Handle(run) => return Some(Idx::Run(run)),
            Val::Affine(affine) => {
                return Some(Idx::Affine(Box::new(self.steady_index(*affine, a))))
            }
            Val::Unknown => return None,
            Val::Tile(value) => return self.index_tile(p, axis, value, a),
            Val::Num(ref n) if n.axis.is_none() => {
                return self.scalar_index(p, n.clone(), a).map(Idx::At)
            }
            Val::Num(Num {
                value: size @ Scalar::Axis(_),
                ..
            }) => return Some(Idx::Size(size)),
            _ => {}
        }
        if let Some(indices) = self.range_indices(&val, a) {
            return indices.ok().map(|affine| Idx::Affine(Box::new(affine)));
        }
        let size = text(a);
        let part = format!("{size}.indices()");
        let meant = self
            .axis_of(&val)
            .map(|_| if size == axis { ".." } else { part.as_str() });
        self.is_no_index(p, val.what(), meant, a);
        None
    }

    /// Reports a value that is no index, with `meant` for the name of an axis.
    fn is_no_index(&mut self, p: TensorRef, what: &str, meant: Option<&str>, a: &Expr) -> Val {
        let (name, _) = self.named_gm(p);
        let d = self.error(
            Code::J0106,
            a,
            format!("an index of `{name}` is the tile of a loop, a `usize`, a tile of indices or `..`, found {what}"),
        );
        let (at, size) = (d.span(), text(a));
        self.report.bad(match meant {
            Some(meant) => d
                .help(format!(
                    "`{size}` is how long the axis is; all of it is `{meant}`, tiles of it are `for t in tiles({size})`"
                ))
                .fix(at, meant),
            None => d,
        })
    }

    /// Adds a check by the host: an axis along which computed indices choose is not empty, and an
    /// `i32` counts it.
    fn countable(&mut self, of: AxId, node: &Expr) {
        let (extent, name, span) = (
            self.out.extent(of),
            self.out.body.axes[of.index()].name.clone(),
            self.report.at(node),
        );
        let most = i32::MAX;
        self.draft.host_check(
            extent.clone().bin(BinOp::Ge, 1),
            format!("{name} >= 1"),
            span,
        );
        self.draft.host_check(
            extent.bin(BinOp::Le, i64::from(most)),
            format!("{name} <= {most}"),
            span,
        );
    }

    /// Reports J0217 for a tile whose elements are no indices, or are not promised to be.
    fn index_tile(&mut self, p: TensorRef, axis: &str, value: ValueId, a: &Expr) -> Option<Idx> {
        // A mutable tile may no longer have the loaded elements.
        let stays = !self.out.body.values[value.index()].mutable;
        let (name, loaded) = (
            self.named_gm(p).0,
            self.out.loaded.get(&value).copied().filter(|_| stays),
        );
        if let Some(of) = loaded.filter(|of| self.draft.sig.promise(*of).is_some()) {
            return Some(Idx::Ids(Ids {
                value,
                of: Some(of),
            }));
        }
        let dtype = self.out.dtype(value);
        let d = match loaded {
            _ if !matches!(dtype, Ty::Is(DType::I32 | DType::I64)) => {
                let ty = self.draft.sig.ty_name(dtype);
                self.error(Code::J0217, a, format!("an index of `{name}` is a tile of `{ty}`; indices are `i32` or `i64`")).help(
                    format!("load them of a tensor that promises what they are: `#[index({axis})] ids: &GlobalTensor<i32>`"),
                )
            }
            Some(of) => {
                let (ids, span) = (
                    self.draft.sig.param(of).name.clone(),
                    self.draft.sig.param(of).span,
                );
                self.error(Code::J0217, a, format!("nothing promises that the elements of `{ids}` are indices of `{name}`"))
                    .label(span, "declared here")
                    .help(format!("an index tile needs a promise: `#[index({axis})] {ids}` says that each element is one of 0 to `{axis} - 1`; every run on this machine holds them to it"))
                    .help(format!("where some are none, as -1 for padding, clamp them, `let at = {ids}.at(..).load().max(0).min({axis} - 1);`, and `select` afterwards"))
            }
            // Computed indices need no promise; the checker proves their bounds.
            None => return Some(Idx::Ids(Ids { value, of: None })),
        };
        self.report.add(d);
        None
    }

    /// Reads a scalar as an index, with its present value.
    fn scalar_index(&mut self, p: TensorRef, n: Num, a: &Expr) -> Option<Scalar> {
        let what = format!("an index of `{}`", self.named_gm(p).0);
        if n.ty == Some(ScalarTy::I32) {
            let d = self.error(
                Code::J0208,
                a,
                format!("{what} is `usize`, found {}", n.found()),
            );
            let (at, now) = (d.span(), format!("{} as usize", as_receiver(a)));
            self.report
                .add(d.help(format!("convert it: `{now}`")).fix(at, now));
            return None;
        }
        let n = self.report.want(n, ScalarTy::Index, a, &what)?;
        Some(self.steady(n, a))
    }

    /// Returns the present value of a scalar, for all later assignments.
    pub fn steady(&mut self, n: Num, a: &Expr) -> Scalar {
        let mut changes = false;
        n.value
            .walk(&mut |s| changes |= matches!(s, Scalar::Var(v) if self.out.body.var(*v).mutable));
        if !changes {
            return n.value;
        }
        let span = self.report.at(a);
        self.out.pinned("index", n, span).value
    }

    /// Makes the part of a tensor for a loop over all elements of one.
    fn elements_at(&mut self, p: ParamId, run: RunId, over: ParamId, e: &Expr) -> Val {
        if !self.draft.shape_known[over.index()] {
            return Val::Unknown;
        }
        let (own, whole) = (self.draft.sig.shape(p), self.draft.sig.shape(over));
        if same_axes(own, whole) {
            let RunInfo {
                ax,
                start,
                of,
                ref name,
                ..
            } = *self.out.run(run);
            let access = Access::new(
                p.into(),
                vec![self.draft.sig.elements(p)],
                vec![Index::along(ax, start)],
            );
            return Val::Place(Box::new(Place {
                access,
                of: vec![of],
                written: vec![name.clone()],
            }));
        }
        let hidden = self.hidden_axis(over);
        let (wanted, here) = (self.draft.dims_text(whole), self.draft.dims_text(own));
        let (pname, pspan) = (
            self.draft.sig.param(p).name.clone(),
            self.draft.sig.param(p).span,
        );
        let oname = self.draft.sig.param(over).name.clone();
        let part = if hidden {
            "the shape".to_string()
        } else {
            format!("the axes `[{wanted}]`")
        };
        let message = format!("a tile of `tiles({oname})` wants a tensor with {part} of `{oname}`; `{pname}` has `[{here}]`");
        let d = self
            .error(Code::J0209, e, message)
            .label(pspan, format!("`{pname}` has the axes `[{here}]`"));
        let d = match hidden {
            true => d.help(format!(
                "give both the same axes: `#[shape(n..)]` on `{oname}` and on `{pname}`"
            )),
            false => d.help(format!("declare it `#[shape({wanted})] {pname}`")),
        };
        let d = if hidden || self.draft.own_shape[p.index()] {
            d
        } else {
            d.fix(pspan, format!("#[shape({wanted})] {pname}"))
        };
        self.report.bad(d)
    }

    fn wrong_count(&mut self, seen: &Seen, indices: &[Idx], m: &ExprMethodCall) -> Val {
        let Seen { tensor, of, said } = seen;
        let (name, _) = self.named_gm(*tensor);
        let count = |n: usize, one: &str, more: &str| match n {
            0 => format!("no {more}"),
            1 => format!("1 {one}"),
            n => format!("{n} {more}"),
        };
        let (found, wanted) = (
            count(indices.len(), "index", "indices"),
            count(of.len(), "axis", "axes"),
        );
        let ends = method_ends(m);
        let d = self
            .error(
                Code::J0106,
                &ends,
                format!("`{name}` has {wanted}, `[{said}]`, found {found}"),
            )
            .number("found", indices.len() as i64)
            .number("allowed", of.len() as i64);
        let mut write = vec!["..".to_string(); of.len()];
        for idx in indices {
            let Idx::Run(run) = *idx else { continue };
            if let Some(nth) = of.iter().position(|ax| *ax == self.out.run(run).of) {
                write[nth].clone_from(&self.out.run(run).name);
            }
        }
        self.report.bad(match of.len() {
            0 => {
                let at = d.span();
                d.help("it is one number: write `.at()`")
                    .fix(at, "at()")
                    .maybe()
            }
            _ => {
                let (at, now) = (d.span(), format!("at({})", write.join(", ")));
                d.help(format!(
                    "write one index an axis, `..` for all of one: `.{now}`"
                ))
                .fix(at, now)
                .maybe()
            }
        })
    }

    /// Returns the first tensor, whose shape a tensor without `#[shape]` has. With it comes the
    /// shape of one axis that the loop's tile would fit.
    fn shape_of_the_first(&self, seen: &Seen, whole: AxId) -> Option<(String, String)> {
        let TensorRef::Param(p) = seen.tensor else {
            return None;
        };
        let (first, ..) = self
            .draft
            .sig
            .tensors()
            .next()
            .filter(|(first, ..)| *first != p && !self.draft.own_shape[p.index()])?;
        let is_named = !self.out.unnamed.iter().any(|(_, _, ax)| *ax == whole);
        (is_named && seen.of.len() == 1).then(|| {
            (
                self.draft.sig.param(first).name.clone(),
                format!("#[shape({})]", self.out.body.axes[whole.index()].name),
            )
        })
    }

    /// Writes the declaration of a tensor with a name for an unnamed entry of its shape; `None` for
    /// an axis with a name.
    pub fn naming(&self, ax: AxId) -> Option<String> {
        let (p, at, _) = *self
            .out
            .unnamed
            .iter()
            .find(|(p, _, own)| *own == ax && self.draft.own_shape[p.index()])?;
        let name = &self.out.body.axes[ax.index()].name;
        let entry = |(nth, dim): (usize, &Dim)| {
            let size = self.draft.dims_text(std::slice::from_ref(dim));
            if nth == at {
                format!("{name} = {size}")
            } else {
                size
            }
        };
        let entries: Vec<String> = self
            .draft
            .sig
            .shape(p)
            .iter()
            .enumerate()
            .map(entry)
            .collect();
        Some(format!(
            "#[shape({})] {}",
            entries.join(", "),
            self.draft.sig.param(p).name
        ))
    }

    /// Reports J0209 for a tile at an index of another axis than the one that it is cut from.
    fn other_axis(&mut self, seen: &Seen, own: AxId, run: RunId, node: &Expr) -> Val {
        let (name, declared) = self.named_gm(seen.tensor);
        let is_named = !self.out.unnamed.iter().any(|(_, _, ax)| *ax == own);
        let own_ax = own;
        let own = self.out.body.axes[own.index()].name.clone();
        let RunInfo {
            of: whole, over, ..
        } = *self.out.run(run);
        let handle = self.out.run(run).name.clone();
        let of_name = self.out.body.axes[whole.index()].name.clone();
        let of = match over {
            Some(over) => format!("all elements of `{}`", self.draft.sig.param(over).name),
            None => format!("`{of_name}`"),
        };
        let this = if is_named {
            format!("`{own}`")
        } else {
            "an axis without a name".into()
        };
        let d = self
            .error(
                Code::J0209,
                node,
                format!("`{handle}` is a tile of {of}, this index of `{name}` is of {this}"),
            )
            .label(declared, format!("`{name}` has the axes `[{}]`", seen.said));
        if let Some((first, shape)) = self.shape_of_the_first(seen, whole) {
            let help = format!("without `#[shape]` `{name}` has the shape of `{first}`: declare it `{shape} {name}`");
            return self.report.bad(
                d.help(help)
                    .fix(declared, format!("{shape} {name}"))
                    .maybe(),
            );
        }
        let there = if over.is_none() {
            format!(", of which `require({of_name} <= {own});` says that they are there")
        } else {
            String::new()
        };
        let help = match (is_named, self.naming(own_ax)) {
            (true, _) => format!(
                "axes align by name: declare both with one name, or loop over `{own}`: `for {handle} in tiles({own})`; where other indices are meant, \
                 compute them: `{handle} + 0`{there}"
            ),
            (false, Some(named)) => format!(
                "axes align by name: `{handle} + 0` are its indices from the first one on; or give it a name, `{named}`, loop over it, \
                 `for {handle} in tiles({own})`, and say `{handle} + 0` at what has other axes"
            ),
            (false, None) => format!("axes align by name: `{handle} + 0` are its indices from the first one on"),
        };
        self.report.bad(d.help(help))
    }

    /// Reads `x.at(..).load()`, `x.at(..).load_or(0.0)`, or a store such as `y.at(..).store(v)`.
    pub fn place_method(&mut self, place: Place, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        let how = match PlaceMethod::by_name(&name) {
            Some(PlaceMethod::Load) => {
                return match self.report.exactly::<0>("load", &args, e, "x.at(t).load()") {
                    Some(_) => self.load(place, &m.receiver, None, e),
                    None => Val::Unknown,
                };
            }
            Some(PlaceMethod::LoadOr) => {
                return match self.report.exactly::<1>(
                    "load_or",
                    &args,
                    e,
                    "x.at(t - 1).load_or(0.0)",
                ) {
                    Some([outside]) => self.load(place, &m.receiver, Some(outside), e),
                    None => Val::Unknown,
                };
            }
            Some(PlaceMethod::Store) => StoreHow::Plain,
            Some(PlaceMethod::StoreIn) => StoreHow::Inside,
            Some(PlaceMethod::AtomicAdd) => StoreHow::Add,
            Some(PlaceMethod::StoreAny) => StoreHow::Any,
            Some(PlaceMethod::StoreDisjoint) => StoreHow::Disjoint,
            None => {
                // A misspelt store still names the output that it was meant for.
                self.report.doubt = true;
                return self.report.no_method(
                    "part of a GlobalTensor",
                    &m.method,
                    PlaceMethod::NAMES,
                );
            }
        };
        match self
            .report
            .exactly::<1>(&name, &args, e, &format!("y.at(t).{name}(v)"))
        {
            Some([value]) => self.store(place, how, value, &m.receiver, e),
            None => {
                self.report.doubt = true;
                Val::Unknown
            }
        }
    }

    /// Loads the elements there. `outside` is the number for elements outside of the tensor.
    pub fn load(&mut self, place: Place, node: &Expr, outside: Option<&Arg<'_>>, e: &Expr) -> Val {
        let from = place.access;
        if !self.may_read(from.of, node) {
            return Val::Unknown;
        }
        let Some(dtype) = self.gm_type(from.of) else {
            return Val::Unknown;
        };
        let (span, axes) = (self.report.at(e), from.axes());
        let Some(outside) = outside else {
            let param = from.param();
            let loaded = self
                .out
                .def(TileExpr::Load { from }, dtype, axes.clone(), span);
            if let (Val::Tile(value), Some(param)) = (&loaded, param) {
                self.out.loaded.insert(*value, param);
            }
            return match loaded {
                // The elements of a tensor of bool are a mask.
                Val::Tile(value) if dtype == Ty::Is(DType::Bool) => {
                    self.out
                        .def(TileExpr::Cast { value, mode: None }, Ty::Mask, axes, span)
                }
                loaded => loaded,
            };
        };
        if from.otherwise.is_some() {
            let (tensor, _) = self.named_gm(from.of);
            let d = self
                .error(
                    Code::J0109,
                    e,
                    "`load_or` of a tensor that may be left out: not offered yet",
                )
                .help(format!(
                    "ask for it: `if let Some({tensor}) = {tensor} {{ .. }}`"
                ));
            return self.report.bad(d);
        }
        if from.ids().next().is_some() {
            let d = self
                .error(
                    Code::J0109,
                    e,
                    "`load_or` at a tile of indices: not offered yet",
                )
                .help("a tile of indices lies inside: write `load()`")
                .help("where some are none, as -1 for padding, clamp the indices, `.max(0).min(n - 1)`, and `select` behind the load");
            return self.report.bad(d);
        }
        // A tile of a tensor of bool is a mask; for other types the checker knows the numbers that
        // a chip fills.
        if dtype == Ty::Is(DType::Bool) {
            let d = self
                .error(
                    Code::J0109,
                    e,
                    "`load_or` of a tensor of `bool`: not offered yet",
                )
                .help("load inside of it, `load()`, or take a tensor of numbers");
            return self.report.bad(d);
        }
        let Val::Num(n) = &outside.0 else {
            return self.wrong_kind(outside, "a scalar");
        };
        let Some(outside) = self.tile_scalar(n, dtype, outside.1) else {
            return Val::Unknown;
        };
        self.out
            .def(TileExpr::LoadOr { from, outside }, dtype, axes, span)
    }

    /// Reads a call `full(axes, v)`.
    pub fn full(
        &mut self,
        c: &ExprCall,
        generics: &PathArguments,
        hint: Option<Ty>,
        e: &Expr,
    ) -> Val {
        self.use_level(Level::Tile, e, "full");
        let args = self.args(&c.args);
        let Some([axes, value]) = self.report.exactly::<2>("full", &args, e, "full(t, 0.0)") else {
            return Val::Unknown;
        };
        let given = match (generics, one_type(generics)) {
            (PathArguments::None, _) => None,
            (_, Some(given)) => Some(given),
            (_, None) => {
                let d = self
                    .error(Code::J0106, e, "`full` of which element type?")
                    .help("write `full::<f32>(t, 0.0)`");
                return self.report.bad(d);
            }
        };
        let Some(axes) = self.axes_given(axes, "full") else {
            return Val::Unknown;
        };
        self.fill(axes, value, given, hint, e)
    }

    /// Makes a tile of one number, in the given type or else that of the surroundings.
    pub fn fill(
        &mut self,
        axes: Axes,
        value: &Arg<'_>,
        given: Option<&Type>,
        hint: Option<Ty>,
        e: &Expr,
    ) -> Val {
        let dtype = match given.map(|t| self.element(t)) {
            Some(Some(dtype)) => dtype,
            Some(None) => return Val::Unknown,
            // Without a type from the author a fill has the type of arithmetic.
            None => hint.unwrap_or(Ty::Is(DType::F32)),
        };
        let Val::Num(n) = &value.0 else {
            return self.wrong_kind(value, "a scalar");
        };
        let Some(value) = self.tile_scalar(n, dtype, value.1) else {
            return Val::Unknown;
        };
        let span = self.report.at(e);
        self.out.def(TileExpr::Fill { value }, dtype, axes, span)
    }
}

/// Finds a number in an index that is beyond the elements of any tensor: sums with it may leave 64
/// bits.
fn beyond_all(out: &Emitted, index: &Index) -> Option<i64> {
    let (mut found, factors) = (None, index.terms.iter().map(|term| &term.factor));
    for scalar in factors.chain([&index.offset]) {
        out.definitions.write_out(scalar).walk(&mut |s| match s {
            Scalar::Int(v) if v.unsigned_abs() > MAX_ELEMENTS.unsigned_abs() => found = Some(*v),
            _ => {}
        });
    }
    found
}
