//! Stores: the element type and the axes of the stored tile, and that no two iterations store to
//! one place.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::emitted::{Frame, RunInfo};
use crate::front::cx::value::{Arg, Place, Val};
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::front::text::words::{as_receiver, cast_text};
use crate::ir::tile::Stmt;
use crate::ir::{
    Access, AxFrom, AxId, AxSpec, Index, LoopId, RunSize, Scalar, ScalarTy, Stage, StmtKind,
    StoreHow, TensorRef, TileExpr, TileLoop, TileStmt, Ty, ValueId,
};
use syn::Expr;

impl Cx<'_> {
    pub fn store(
        &mut self,
        place: Place,
        how: StoreHow,
        value: &Arg<'_>,
        node: &Expr,
        e: &Expr,
    ) -> Val {
        let to = &place.access;
        let good = self.may_write(to.of, node);
        if how == StoreHow::Inside && to.ids().next().is_some() {
            let d = self.error(Code::J0109, e, "`store_in` at a tile of indices: not offered yet")
                .help("the elements of a tile of indices lie inside; of which store it is, `.atomic_add(v)`, `.store_any(v)` and `.store_disjoint(v)` say");
            return self.report.bad(d);
        }
        if how == StoreHow::Plain && to.ids().next().is_some() {
            let (name, _) = self.named_gm(to.of);
            let d = self.error(
                    Code::J0505,
                    e,
                    format!("a store to `{name}` at a tile of indices: two of them may be one, in an iteration or on two cores"),
                )
                .help("`.atomic_add(v)` adds to what is there, `.store_any(v)` stores where all that meet store the same, `.store_disjoint(v)` promises that none meet; or let indices choose what is loaded, and store where the loops go");
            let at = d.span();
            let d = d
                .expected(["atomic_add", "store_any", "store_disjoint"])
                .word(at, "store", "store_disjoint")
                .maybe();
            return self.report.bad(d);
        }
        let v = match &value.0 {
            Val::Tile(v) => *v,
            Val::Num(_) => {
                let axes = self.out.axes_arg(&to.axes());
                let d = self
                    .error(Code::J0106, value.1, "a tile is stored, found a scalar")
                    .help(format!("fill a tile: `full({axes}, {})`", text(value.1)));
                // A `let` of it is another mistake, and its help says more.
                self.report.bad(d);
                return Val::Unit;
            }
            _ => return self.wrong_kind(value, "a tile"),
        };
        let v = self.as_bytes(to.of, v, value.1);
        let sound = self.stored_dtype(to.of, v, value.1);
        let once = !how.is_by_index() || self.stored_once(&place, e);
        if good && sound && once && self.stored_axes(to, v, value.1) {
            let span = self.report.at(e);
            let store = Stmt {
                kind: StmtKind::Do(TileStmt::Store {
                    to: place.access,
                    value: v,
                    how,
                }),
                span,
            };
            match self.out.phase() {
                None => self.store_once(store),
                Some(_) => self.out.stmts.tile.push(store),
            }
        }
        Val::Unit
    }

    /// Adds a store, or a dump, outside of all loops, which one core makes. It stands in a loop of
    /// one iteration, which consecutive ones share.
    pub fn store_once(&mut self, store: Stmt) {
        if let Some(Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile }),
            ..
        }) = self.out.stmts.tile.last_mut()
        {
            if self.out.once.contains(&tile.id) {
                tile.body.push(store);
                return;
            }
        }
        let id = LoopId(self.out.loop_count);
        self.out.loop_count += 1;
        self.out.once.push(id);
        let of = self.out.new_ax(
            "once",
            AxFrom::Whole {
                extent: Scalar::Int(1),
            },
        );
        let ax = self.out.new_ax("once_index", AxFrom::Run { of: id });
        let [start, len] = ["once_start", "once_len"]
            .map(|name| self.out.new_var(name, ScalarTy::Index, false, Stage::Block));
        let specs = vec![AxSpec {
            ax,
            of,
            start,
            len,
            size: RunSize::Each {},
            length: None,
        }];
        let span = store.span;
        self.draft.tile_loop = self.draft.tile_loop.or(Some(span));
        let tile = TileLoop {
            id,
            specs,
            buffer_num: None,
            block_dim: None,
            exact: false,
            any_cut: false,
            split: None,
            body: vec![store],
        };
        self.out.tile(TileStmt::Loop { tile }, span);
    }

    /// Converts a mask to the bytes of a tensor of bool.
    fn as_bytes(&mut self, to: TensorRef, v: ValueId, node: &Expr) -> ValueId {
        let bytes = Ty::Is(DType::Bool);
        if self.out.dtype(v) != Ty::Mask || self.gm_type(to) != Some(bytes) {
            return v;
        }
        let (span, axes) = (self.report.at(node), self.out.axes(v).clone());
        self.out.define(
            TileExpr::Cast {
                value: v,
                mode: None,
            },
            bytes,
            axes,
            span,
        )
    }

    pub fn stored_dtype(&mut self, to: TensorRef, v: ValueId, node: &Expr) -> bool {
        let (found, Some(wanted)) = (self.out.dtype(v), self.gm_type(to)) else {
            return false;
        };
        if found == wanted {
            return true;
        }
        let (f, w) = (
            self.draft.sig.ty_name(found),
            self.draft.sig.ty_name(wanted),
        );
        let (pname, pspan) = self.named_gm(to);
        let mut d = self.error(
            Code::J0202,
            node,
            format!("a tile of `{f}` is stored to `{pname}`, a tensor of `{w}`"),
        );
        let at = d.span();
        d = d
            .at(format!("this is `{f}`"))
            .label(pspan, format!("`{pname}` holds `{w}`"));
        d = if found == Ty::Mask {
            d.help(format!(
                "convert it first: `.cast::<{w}>()` is 1 where the bit is 1 and 0 elsewhere"
            ))
            .fix(at, cast_text(node, &w))
        } else {
            d.help(format!("convert it first: `.cast::<{w}>()`"))
                .fix(at, cast_text(node, &w))
        };
        self.report.add(d);
        false
    }

    fn stored_axes(&mut self, to: &Access, v: ValueId, node: &Expr) -> bool {
        let (found, wanted) = (self.out.axes(v).clone(), to.axes());
        if found == wanted {
            return true;
        }
        let (f, w) = (self.out.axes_text(&found), self.out.axes_text(&wanted));
        let d = self.error(
            Code::J0207,
            node,
            format!("a tile `{f}` is stored where `{w}` is wanted"),
        );
        let (more, less) = (found.without(&wanted), wanted.without(&found));
        let d = if more.is_empty() {
            let (at, lacks) = (d.span(), self.out.axes_arg(&less));
            let written = format!("{}.expand({lacks})", as_receiver(node));
            d.help(format!("a store does not repeat; to repeat it along `{lacks}` on purpose: `.expand({lacks})`"))
                .fix(at, written)
        } else if less.is_empty() {
            let more = self.out.axes_arg(&more);
            d.help(format!(
                "store it to a tensor with these axes, or reduce what is too much: `v.sum({more})`"
            ))
        } else if [&more, &less]
            .into_iter()
            .all(|axes| axes.iter().any(|ax| self.out.firsts.contains_key(&ax)))
        {
            d.help("each `a..b` is an axis of its own; to meet it again, name it: `let k = new_axis(a..b)`")
        } else if less.iter().any(|ax| self.out.firsts.contains_key(&ax)) {
            let own = self.out.axes_arg(&more);
            d.help(format!(
                "each `a..b` is an axis of its own; where `{own}` goes from an index `a` on the indices are computed of it: `{own}.indices() + a`"
            ))
        } else {
            d.help("a tile goes where its axes are: an axis is its declaration, not its length")
        };
        self.report.add(d);
        false
    }

    /// Reports J0207 where each iteration of a loop around would store to one place.
    fn stored_once(&mut self, place: &Place, e: &Expr) -> bool {
        let Some(run) = left_out(&self.out, place) else {
            return true;
        };
        let (handle, is_each, own) = (run.name.clone(), run.is_each, run.of);
        let name = self
            .out
            .body
            .gm_name(&self.draft.sig, place.access.of)
            .to_string();
        let word = |(of, written): (&AxId, &String)| {
            if *of == own {
                handle.clone()
            } else {
                written.clone()
            }
        };
        let indices = place
            .of
            .iter()
            .zip(&place.written)
            .map(word)
            .collect::<Vec<_>>()
            .join(", ");
        let message = match is_each {
            true => format!("no index of this store to `{name}` is `{handle}`, by which the cores divide their work"),
            false => format!("each iteration of the loop `{handle}` stores to the same elements of `{name}`"),
        };
        let help = match (place.of.contains(&own), is_each) {
            (true, _) => format!("store what belongs to this iteration: `{name}.at({indices})`"),
            (false, false) => {
                "store behind that loop, or to a tensor that has its axis".to_string()
            }
            (false, true) => {
                format!("store to a tensor with an index that is `{handle}` itself, or let a loop inside make these iterations")
            }
        };
        let d = self.error(Code::J0207, e, message).help(help);
        self.report.add(d);
        false
    }
}

/// Finds a run of a loop around with which a place does not move.
///
/// Among single indices only those of the outermost loop count, which cores divide; the iterations
/// of an inner loop follow one another.
fn left_out<'a>(out: &'a Emitted, place: &Place) -> Option<&'a RunInfo> {
    let axes = place.access.axes();
    let is_index = |of: &RunInfo| {
        let is = |index: &Index| index.offset.mentions(of.start);
        place.access.index.iter().any(is)
    };
    let around = out.frames.iter().filter_map(|f| match f {
        Frame::Tile(l) => *l,
        Frame::Inner => None,
    });
    let outer = out.phase().flatten();
    let mut runs = around.flat_map(|l| out.runs_of(l));
    runs.find(|run| match run.is_each {
        true => Some(run.by) == outer && !is_index(run),
        false => !axes.contains(run.ax),
    })
}
