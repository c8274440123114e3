//! Axes: what a name in the place of one stands for, and how messages spell sets of them.

use super::call::Arg;
use super::cx::{Cx, NamedAxis};
use super::scope::{AxisName, Val};
use crate::diag::Code;
use crate::ir::{dim_size, AxFrom, AxId, Axes, Dim, ParamId, Scalar};

impl Cx<'_> {
    /// A new axis.
    pub fn new_ax(&mut self, name: &str, from: AxFrom) -> AxId {
        self.body.axes.push(crate::ir::AxDecl { name: name.to_string(), from });
        AxId(self.body.axes.len() as u32 - 1)
    }

    /// Gives a size the name of an axis.
    pub fn name_axis(&mut self, name: &str, extent: Scalar) -> AxisName {
        self.axis_names.push(NamedAxis { name: name.to_string(), extent, ax: None });
        AxisName(self.axis_names.len() - 1)
    }

    /// All of an axis that has a name.
    pub fn whole_ax(&mut self, AxisName(at): AxisName) -> AxId {
        if let Some(ax) = self.axis_names[at].ax {
            return ax;
        }
        let NamedAxis { name, extent, .. } = &self.axis_names[at];
        let (name, extent) = (name.clone(), extent.clone());
        let ax = self.new_ax(&name, AxFrom::Whole { extent });
        self.axis_names[at].ax = Some(ax);
        ax
    }

    /// All of one entry of a tensor's shape. What has no name aligns with itself alone.
    pub fn dim_ax(&mut self, p: ParamId, nth: usize, dim: &Dim) -> AxId {
        // A tensor without `#[shape]` has that of the first one.
        let first = self.sig.tensors().next().map_or(p, |(first, ..)| first);
        let p = if self.own_shape[p.index()] { p } else { first };
        if let Some(name) = self.dim_names.get(&(p, nth)) {
            return self.whole_ax(*name);
        }
        if let Some((_, _, ax)) = self.unnamed.iter().find(|(of, at, _)| (*of, *at) == (p, nth)) {
            return *ax;
        }
        let name = format!("{}_{nth}", self.sig.param(p).name);
        let ax = self.new_ax(&name, AxFrom::Whole { extent: dim_size(dim) });
        self.unnamed.push((p, nth, ax));
        ax
    }

    /// The whole axis that an axis is, or is a run of.
    pub fn whole_of(&self, ax: AxId) -> AxId {
        match self.body.axes[ax.index()].from {
            AxFrom::Whole { .. } => ax,
            AxFrom::Run { of } => self.loops[of.index()].of,
        }
    }

    /// The axis that a value is the name of.
    pub fn axis_of(&mut self, val: &Val) -> Option<AxId> {
        match val {
            Val::Handle(l) => Some(self.loops[l.index()].ax),
            Val::Num(n) => n.axis.map(|name| self.whole_ax(name)),
            _ => None,
        }
    }

    /// One axis or several, in the place of an argument.
    pub fn axes_given(&mut self, arg: &Arg<'_>, of: &str) -> Option<Axes> {
        let vals = match &arg.0 {
            Val::Tuple(vals) => vals.clone(),
            val => vec![val.clone()],
        };
        let mut axes = Vec::with_capacity(vals.len());
        for val in &vals {
            match self.axis_of(val) {
                Some(ax) if !axes.contains(&ax) => axes.push(ax),
                Some(ax) => {
                    let name = self.body.axes[ax.index()].name.clone();
                    let d =
                        self.error(Code::J0106, arg.1, format!("`{of}` over `{name}` twice")).help("an axis is in a tile once");
                    self.report(d);
                    return None;
                }
                None if val.is_unknown() => return None,
                None => {
                    let what = val.what();
                    let d = self
                        .error(Code::J0106, arg.1, format!("`{of}` over {what}, it takes axes"))
                        .help("an axis is a name of `#[shape(..)]` or the variable of a tile loop; several stand in parentheses: `(r, d)`");
                    self.report(d);
                    return None;
                }
            }
        }
        Some(axes.into_iter().collect())
    }

    /// The names of axes: runs of loops first, from the outermost on.
    fn axis_names(&self, axes: &Axes) -> Vec<String> {
        let is_run = |ax: &AxId| matches!(self.body.axes[ax.index()].from, AxFrom::Run { .. });
        let (runs, whole): (Vec<AxId>, Vec<AxId>) = axes.iter().partition(is_run);
        runs.into_iter().chain(whole).map(|ax| self.body.axes[ax.index()].name.clone()).collect()
    }

    /// Axes of a tile, for messages: `[r, d]`.
    pub fn axes_text(&self, axes: &Axes) -> String {
        format!("[{}]", self.axis_names(axes).join(", "))
    }

    /// Axes as an argument: `d`, `(r, d)`.
    pub fn axes_arg(&self, axes: &Axes) -> String {
        let names = self.axis_names(axes);
        match &names[..] {
            [one] => one.clone(),
            names => format!("({})", names.join(", ")),
        }
    }
}
