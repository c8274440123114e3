//! Axes: the meaning of a name in the place of one, and the spelling of sets of them in messages.

use crate::diag::Code;
use crate::front::cx::draft::Draft;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::names::{NamedAxis, Names};
use crate::front::cx::value::{Arg, AxisName, NewAxis, Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::ir::{
    dim_size, AxFrom, AxId, Axes, BinOp, Dim, Fact, Level, ParamId, Scalar, ScalarTy, SpanId,
};
use syn::{Expr, ExprCall};

impl Cx<'_> {
    /// Reads `new_axis(n)` or `new_axis(a..b)`.
    pub fn new_axis_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "new_axis");
        let args = self.args(&c.args);
        let Some([arg]) = self
            .report
            .exactly::<1>("new_axis", &args, e, "let k = new_axis(4);")
        else {
            return Val::Unknown;
        };
        if let Val::Range(range) = &arg.0 {
            let ends = self.host_range(range, arg.1);
            return ends.map_or(Val::Unknown, |(first, extent)| {
                Val::NewAxis(NewAxis {
                    extent,
                    first: Some(first),
                })
            });
        }
        let Some(size) = self.index_arg(arg, "the size of a new axis") else {
            return Val::Unknown;
        };
        if !self.host_known(&size, arg.1, "the size of a new axis") {
            return Val::Unknown;
        }
        let size = self.out.definitions.write_out(&size);
        if !is_of_signature(&size) {
            let d = self
                .error(Code::J0601, arg.1, "the size of a new axis is computed from more than axes, attributes and constants")
                .help("an axis has one size for all element types, and is computed in a few steps");
            return self.report.bad(d);
        }
        if may_be_negative(&size) {
            let span = self.report.at(arg.1);
            self.draft.host_check(
                size.clone().bin(BinOp::Ge, 0),
                format!("{} >= 0", text(arg.1)),
                span,
            );
        }
        Val::NewAxis(NewAxis {
            extent: size,
            first: None,
        })
    }

    /// Reads the statement `let k = new_axis(n);`.
    pub fn named_axis(&mut self, name: &str, NewAxis { extent, first }: NewAxis) -> Val {
        self.out.unique(name);
        let axis = self.names.name_axis(name, extent.clone());
        if let Some(first) = first {
            let ax = self.whole_ax(axis);
            self.out.firsts.insert(ax, first);
        }
        Val::Num(Num {
            axis: Some(axis),
            ..Num::index(extent)
        })
    }

    /// Returns the whole axis of a name.
    pub fn whole_ax(&mut self, AxisName(at): AxisName) -> AxId {
        if let Some(ax) = self.names.axis_names[at].ax {
            return ax;
        }
        let NamedAxis { name, extent, .. } = &self.names.axis_names[at];
        let (name, extent) = (name.clone(), extent.clone());
        let ax = self.out.new_ax(&name, AxFrom::Whole { extent });
        self.names.axis_names[at].ax = Some(ax);
        ax
    }

    /// Returns the whole axis of one entry of a tensor's shape. An entry without a name aligns with
    /// itself alone.
    pub fn dim_ax(&mut self, p: ParamId, nth: usize, dim: &Dim) -> AxId {
        // A tensor without `#[shape]` has that of the first one, a list that of the first list.
        let per = self.draft.sig.param(p).per;
        let first = self
            .draft
            .sig
            .tensors()
            .find(|(_, first, ..)| first.per == per)
            .map_or(p, |(first, ..)| first);
        let p = if self.draft.own_shape[p.index()] {
            p
        } else {
            first
        };
        if let Some(name) = self.names.dim_names.get(&(p, nth)) {
            return self.whole_ax(*name);
        }
        if let Some((_, _, ax)) = self
            .out
            .unnamed
            .iter()
            .find(|(of, at, _)| (*of, *at) == (p, nth))
        {
            return *ax;
        }
        let name = format!("{}_{nth}", self.draft.sig.param(p).name);
        let ax = self.out.new_ax(
            &name,
            AxFrom::Whole {
                extent: dim_size(dim),
            },
        );
        self.out.unnamed.push((p, nth, ax));
        ax
    }

    /// Returns the axis that a value names.
    pub fn axis_of(&mut self, val: &Val) -> Option<AxId> {
        match val {
            Val::Handle(run) => Some(self.out.run(*run).ax),
            Val::Num(n) => n.axis.map(|name| self.whole_ax(name)),
            _ => None,
        }
    }

    /// Finds the unnamed axis of this size that tensors have, `None` without one. Reports J0106 for
    /// several, which are different axes.
    fn axis_of_size(&mut self, size: &Scalar, arg: &Arg<'_>) -> Option<Option<AxId>> {
        let size = self.out.definitions.write_out(size);
        let sig = &self.draft.sig;
        let of_tensor = |(p, ..): (ParamId, _, _, _)| {
            let own = sig.shape(p).iter().cloned().enumerate();
            own.map(move |(nth, dim)| (p, nth, dim))
                .filter(|(.., dim)| dim.axis().is_none() && dim_size(dim) == size)
                .collect::<Vec<_>>()
        };
        let there: Vec<(ParamId, usize, Dim)> = sig.tensors().flat_map(of_tensor).collect();
        let mut found: Vec<(AxId, ParamId)> = Vec::new();
        for (p, nth, dim) in there {
            if self.names.dim_names.contains_key(&(p, nth)) {
                continue;
            }
            let ax = self.dim_ax(p, nth, &dim);
            if found.iter().all(|(other, _)| *other != ax) {
                found.push((ax, p));
            }
        }
        match found[..] {
            [] => Some(None),
            [(ax, _)] => Some(Some(ax)),
            [(_, a), (_, b), ..] => {
                let [a, b] = [a, b].map(|p| self.draft.sig.param(p).name.clone());
                let size = self.draft.size_text(&size);
                let d = self
                    .error(
                        Code::J0106,
                        arg.1,
                        format!("`full` over `{size}`: the axes of that size of `{a}` and of `{b}` are not one"),
                    )
                    .help(format!("give the axis that is meant a name, `#[shape(.., k = {size})]`, and write `k`"));
                self.report.add(d);
                None
            }
        }
    }

    /// Reads one or more axes, in the place of an argument that must not be empty.
    pub fn some_axes_given(&mut self, arg: &Arg<'_>, of: &str) -> Option<Axes> {
        let axes = self.axes_given(arg, of)?;
        if !axes.is_empty() {
            return Some(axes);
        }
        let d = self
            .error(Code::J0106, arg.1, format!("`{of}` over no axis"))
            .help("name one axis or several, `d`, `(r, d)`");
        self.report.add(d);
        None
    }

    /// Reads any number of axes, in the place of an argument.
    pub fn axes_given(&mut self, arg: &Arg<'_>, of: &str) -> Option<Axes> {
        Some(self.axes_listed(arg, of)?.into_iter().collect())
    }

    /// Reads any number of axes in their order.
    pub fn axes_listed(&mut self, arg: &Arg<'_>, of: &str) -> Option<Vec<AxId>> {
        let vals = match &arg.0 {
            Val::Tuple(vals) => vals.clone(),
            val => vec![val.clone()],
        };
        let mut axes = Vec::with_capacity(vals.len());
        for val in &vals {
            // A size stands for the axis without a name that has it.
            let sized = match val {
                Val::Num(n) if of == "full" && n.axis.is_none() => {
                    self.axis_of_size(&n.value, arg)?
                }
                _ => None,
            };
            match sized.or_else(|| self.axis_of(val)) {
                Some(ax) if !axes.contains(&ax) => axes.push(ax),
                Some(ax) => {
                    let name = self.out.body.axes[ax.index()].name.clone();
                    let d = self
                        .error(Code::J0106, arg.1, format!("`{of}` over `{name}` twice"))
                        .help("an axis stands there once");
                    self.report.add(d);
                    return None;
                }
                None if val.is_unknown() => return None,
                None => {
                    let what = val.what();
                    let d = self.error(Code::J0106, arg.1, format!("`{of}` over {what}, it takes axes"))
                        .help("an axis is a name of `#[shape(..)]` or of `let k = new_axis(..)`, or a tile of a loop; several stand in parentheses: `(r, d)`");
                    self.report.add(d);
                    return None;
                }
            }
        }
        Some(axes)
    }
}

impl Names {
    /// Declares a named axis of a size.
    pub fn name_axis(&mut self, name: &str, extent: Scalar) -> AxisName {
        self.axis_names.push(NamedAxis {
            name: name.to_string(),
            extent,
            ax: None,
        });
        AxisName(self.axis_names.len() - 1)
    }
}

impl Draft {
    /// Adds a condition that the host checks, unless a fact already says it. A launch without it is
    /// refused.
    pub fn host_check(&mut self, cond: Scalar, text: String, span: SpanId) {
        if !self.sig.is_certain(&cond) {
            self.sig.facts.push(Fact { cond, text, span });
        }
    }
}

impl Emitted {
    pub fn new_ax(&mut self, name: &str, from: AxFrom) -> AxId {
        self.body.add_axis(crate::ir::AxDecl {
            name: name.to_string(),
            from,
        })
    }

    /// Returns the whole axis that an axis is, or is a run of.
    pub fn whole_of(&self, ax: AxId) -> AxId {
        match self.body.axes[ax.index()].from {
            AxFrom::Whole { .. } | AxFrom::Hull { .. } => ax,
            AxFrom::Run { .. } => self
                .runs
                .iter()
                .find(|run| run.ax == ax)
                .map_or(ax, |run| run.of),
        }
    }

    /// Returns the number of indices of a whole axis.
    pub fn extent(&self, ax: AxId) -> Scalar {
        match &self.body.axes[self.whole_of(ax).index()].from {
            AxFrom::Whole { extent } => extent.clone(),
            // Runs are cut only from whole axes, and only passes make hulls.
            AxFrom::Run { .. } | AxFrom::Hull { .. } => Scalar::Int(0),
        }
    }

    /// Lists the names of axes: runs of loops first, from the outermost on.
    fn axis_names(&self, axes: &Axes) -> Vec<String> {
        let is_run = |ax: &AxId| matches!(self.body.axes[ax.index()].from, AxFrom::Run { .. });
        let (runs, whole): (Vec<AxId>, Vec<AxId>) = axes.iter().partition(is_run);
        runs.into_iter()
            .chain(whole)
            .map(|ax| self.body.axes[ax.index()].name.clone())
            .collect()
    }

    /// Writes the axes of a tile, for messages: `[r, d]`.
    pub fn axes_text(&self, axes: &Axes) -> String {
        format!("[{}]", self.axis_names(axes).join(", "))
    }

    /// Writes axes as an argument: `d`, `(r, d)`.
    pub fn axes_arg(&self, axes: &Axes) -> String {
        let names = self.axis_names(axes);
        match &names[..] {
            [one] => one.clone(),
            names => format!("({})", names.join(", ")),
        }
    }
}

/// True for a scalar over axes and attributes of a launch alone.
pub(super) fn is_of_signature(s: &Scalar) -> bool {
    let mut only = true;
    s.walk(&mut |s| {
        only &= !matches!(
            s,
            Scalar::Var(_)
                | Scalar::SizeOf(_)
                | Scalar::Chip(_)
                | Scalar::BlockIdx
                | Scalar::BlockDim
        )
    });
    only
}

/// False where no axis or attribute makes a size negative.
fn may_be_negative(s: &Scalar) -> bool {
    match s {
        Scalar::Int(v) => *v < 0,
        Scalar::Axis(_) | Scalar::Attr(_, ScalarTy::Index) => false,
        Scalar::Bin(
            BinOp::Add
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::CeilDiv
            | BinOp::AlignUp
            | BinOp::Min,
            a,
            b,
        ) => may_be_negative(a) || may_be_negative(b),
        Scalar::Bin(BinOp::Max, a, b) => may_be_negative(a) && may_be_negative(b),
        Scalar::Select(_, a, b) => may_be_negative(a) || may_be_negative(b),
        _ => true,
    }
}
