//! Forms of an earlier version: each is an error whose fix is the form of today, and is read as that from there on.

use super::cx::scope::{LoopSpec, Num, Place, RunId, Val};
use super::cx::Cx;
use super::stmt::call::{method_ends, Arg};
use super::text::span::{text, Node};
use crate::diag::Code;
use crate::ir::{dim_size, Access, Axes, Dim, Index, Level, ParamId, StoreHow, Ty, ValueId};
use crate::ops::{AxisReduceOp, Op};
use proc_macro2::Ident;
use syn::{Expr, ExprCall, ExprMethodCall};

impl Cx<'_> {
    fn old(&mut self, node: &(impl Node + ?Sized), was: &str, now: &str) {
        let d = self.error(Code::J0110, node, format!("`{was}` is a form of an earlier version")).help(format!("write `{now}`"));
        let at = d.span();
        self.report(d.fix(at, now));
    }

    /// `row_tiles(x)` and `row_tiles(n)`, now `tiles(n)`.
    pub fn old_row_tiles(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "row_tiles");
        let args = self.args(&c.args);
        let span = self.at(e);
        let spec = |of| LoopSpec::tiles(of, span);
        if let [(Val::Num(n), _)] = &args[..] {
            if let Some(axis) = n.axis {
                let (ax, name) = (self.whole_ax(axis), text(args[0].1));
                self.old(e, &text(e), &format!("tiles({name})"));
                return spec(Some(ax));
            }
        }
        let shape = match args.first() {
            Some((Val::Tensor(p), _)) if self.shape_known[p.index()] => self.sig.shape(*p).to_vec(),
            // What is wrong with it is reported already.
            Some((Val::Tensor(_) | Val::Unknown, _)) => return spec(None),
            Some(_) | None => Vec::new(),
        };
        match (&shape[..], args.first()) {
            ([rows @ Dim::Axis { .. }, _], Some((Val::Tensor(p), _))) => {
                let ax = self.dim_ax(*p, 0, rows);
                let name = self.body.axes[ax.index()].name.clone();
                self.old(e, &text(e), &format!("tiles({name})"));
                spec(Some(ax))
            }
            _ => {
                let d = self
                    .error(Code::J0110, e, format!("`{}` is a form of an earlier version", text(e)))
                    .help("name the axes, `#[shape(n.., d)] x`, and loop over that of the rows: `for r in tiles(n)`");
                self.report(d);
                spec(None)
            }
        }
    }

    /// `.tile_length(n)` and `.rows(n)`, now `.size(n)`.
    pub fn old_override(&mut self, name: &str, method: &Ident) -> Option<&'static str> {
        matches!(name, "tile_length" | "rows").then(|| {
            self.old(method, name, "size");
            "size"
        })
    }

    /// `v.row_sum()`, now `v.sum(d)`.
    pub fn old_tile_method(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Option<Val> {
        let now = match m.method.to_string().as_str() {
            "row_sum" => AxisReduceOp::Sum,
            "row_max" => AxisReduceOp::Max,
            "row_min" => AxisReduceOp::Min,
            _ => return None,
        };
        let outer = self.divided().next().map(|run| run.ax);
        let over: Axes = self.axes(v).iter().filter(|ax| Some(*ax) != outer).collect();
        let name = Op::AxisReduce(now).name();
        let written = format!("{name}({})", self.axes_arg(&over));
        self.old(&method_ends(m), &format!("{}()", m.method), &written);
        if over.is_empty() {
            return Some(Val::Unknown);
        }
        let (span, dtype, left) = (self.at(e), self.dtype(v), self.axes(v).without(&over));
        Some(self.def(crate::ir::TileExpr::reduction(now, v, over), dtype, left, span))
    }

    /// Methods on the variable of a tile loop that there were; `None` for any other.
    pub fn old_handle_method(
        &mut self,
        run: RunId,
        args: &[Arg<'_>],
        m: &ExprMethodCall,
        e: &Expr,
        hint: Option<Ty>,
    ) -> Option<Val> {
        let name = m.method.to_string();
        Some(match (name.as_str(), args) {
            ("rows", []) => {
                self.old(&m.method, "rows", "len");
                Val::Num(Num::index(self.run(run).len))
            }
            ("load" | "load_row" | "load_col", [(Val::Tensor(p), _)]) => {
                let (write, place) = self.old_place(run, *p, &name);
                self.old(e, &text(e), &format!("{write}.load()"));
                place.map_or(Val::Unknown, |place| self.load(place, e, None, e))
            }
            ("store" | "store_col", [(Val::Tensor(p), _), value]) => {
                self.written[p.index()] = true;
                let (write, place) = self.old_place(run, *p, &name);
                self.old(e, &text(e), &format!("{write}.store({})", text(value.1)));
                match place {
                    Some(place) => self.store(place, StoreHow::Plain, value, (e, e)),
                    None => Val::Unknown,
                }
            }
            ("full" | "col", [value]) => self.old_fill(run, value, m, hint, e),
            ("col_tiles", []) => self.old_col_tiles(run, e),
            _ => return None,
        })
    }

    /// What a load or store of an earlier version addresses, as it is written today; `None` where that is no part of the tensor.
    fn old_place(&mut self, run: RunId, p: ParamId, method: &str) -> (String, Option<Place>) {
        let (name, shape) = (self.sig.param(p).name.clone(), self.sig.shape(p).to_vec());
        let outer = self.divided().next().map(|run| (run.of, run.ax, run.start, run.name.clone()));
        let own = (self.run(run).of, self.run(run).ax, self.run(run).start, self.run(run).name.clone());
        if self.run(run).over.is_some() {
            let access = Access::new(p.into(), vec![self.sig.elements(p)], vec![Index::along(own.1, own.2)]);
            let place = Place { access, of: vec![own.0], written: vec![own.3.clone()] };
            return (format!("{name}.at({})", own.3), Some(place));
        }
        let runs: Vec<_> =
            if method == "load_row" { vec![own.clone()] } else { outer.into_iter().chain([own.clone()]).collect() };
        let (mut words, mut index, mut wholes) = (Vec::new(), Vec::new(), Vec::new());
        for (nth, dim) in shape.iter().enumerate() {
            let whole = self.dim_ax(p, nth, dim);
            wholes.push(whole);
            match runs.iter().find(|(of, ..)| *of == whole) {
                Some((_, ax, start, word)) => {
                    words.push(word.clone());
                    index.push(Index::along(*ax, *start));
                }
                None => {
                    words.push("..".to_string());
                    index.push(Index::along(whole, 0));
                }
            }
        }
        let access = Access::new(p.into(), shape.iter().map(dim_size).collect(), index);
        let known = self.shape_known[p.index()];
        (format!("{name}.at({})", words.join(", ")), known.then_some(Place { access, of: wholes, written: words }))
    }

    /// `r.full(v)` and `r.col(v)`, now `full((r, d), v)` and `full(r, v)`.
    fn old_fill(&mut self, run: RunId, value: &Arg<'_>, m: &ExprMethodCall, hint: Option<Ty>, e: &Expr) -> Val {
        let ax = self.run(run).ax;
        let outer = self.run(RunId(0)).ax;
        let is_whole = self.run(run).over.is_some() || m.method == "col";
        let row = self.row_ax();
        let axes: Axes = match (is_whole, ax == outer, row) {
            (true, _, _) => Axes::from([ax]),
            (false, true, Some(row)) => Axes::from([ax, row]),
            (false, _, _) => Axes::from([outer, ax]),
        };
        let of = m.turbofish.as_ref().map_or(String::new(), super::text::span::squeezed);
        let now = format!("full{of}({}, {})", self.axes_arg(&axes), text(value.1));
        self.old(e, &text(e), &now);
        let given = self.turbofish(m);
        self.fill(axes, value, (given, hint), e)
    }

    /// The last axis of the first tensor that has one behind that of the outermost loop.
    fn row_ax(&mut self) -> Option<crate::ir::AxId> {
        let of = self.divided().next()?.of;
        let shapes: Vec<(ParamId, Vec<Dim>)> = self.sig.tensors().map(|(p, ..)| (p, self.sig.shape(p).to_vec())).collect();
        shapes.into_iter().find_map(|(p, shape)| match &shape[..] {
            [first, last] if self.dim_ax(p, 0, first) == of => Some(self.dim_ax(p, 1, last)),
            _ => None,
        })
    }

    /// `r.col_tiles()`, now `tiles(d)`.
    fn old_col_tiles(&mut self, run: RunId, e: &Expr) -> Val {
        let span = self.at(e);
        let spec = |of| LoopSpec::tiles(of, span);
        let row = if run == RunId(0) { self.row_ax() } else { None };
        let Some(row) = row else {
            let d = self
                .error(Code::J0110, e, "`col_tiles()` is a form of an earlier version")
                .help("loop over the axis that is to be cut: `for c in tiles(d)`");
            self.report(d);
            return spec(None);
        };
        let name = self.body.axes[row.index()].name.clone();
        self.old(e, &text(e), &format!("tiles({name})"));
        spec(Some(row))
    }
}
