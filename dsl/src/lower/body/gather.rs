//! `v.pick(d, i)`: elements by their index along an axis.
//!
//! - Consecutive rows along the outermost axis are part of the source, and nothing is copied
//!   (`part_of`), unless the result needs its own memory.
//! - An index of another axis of rows is a copy. If the index moves, there is a copy for each step.
//! - All else is a `Gather` for each row of the result. Its byte offsets are the indices times the
//!   distance along the picked axis. The distances of the result's innermost axis are added, if the
//!   source has that axis, too.
//! - One `Gather` takes several rows if the rows of the result are those of the source and its
//!   lanes are all indices of an axis (`by_rows`). They are so many that the start of the call is
//!   cheap. Their offsets are made once.

use super::context::instr;
use super::copy::plus;
use super::ops::Calls;
use super::shapes::{Axis, Tile, Values};
use super::tables::offsets;
use crate::dtype::DType;
use crate::ir::queue::Stmt;
use crate::ir::scalar::product;
use crate::ir::{
    Arg, AxId, BinOp, Chosen, Extent, Index, QueueStmt, Scalar, ScalarTy, StmtKind, TensorId, Term,
    TileExpr, Ty, ValueId, VarId, View,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, Wanted};
use crate::lower::specialize::begins_block;
use crate::ops::{BinaryOp, BinaryScalarOp, LayoutOp};

/// The type of offsets.
const OFFSETS: Ty = Ty::Is(DType::I32);

/// The most elements of a call over several rows. Their offsets are 4 KiB, and the call takes
/// sixteen times the cycles of its start.
const AT_ONCE: i64 = 1024;

/// A source with the axis along which elements are picked.
struct From {
    tensor: TensorId,
    tile: Tile,
    /// The picked axis; `None` if all elements are taken in another order.
    along: Option<AxId>,
    /// Elements from one index along that axis to the next.
    apart: Scalar,
    /// The axis that moves the index, and the elements from one of its steps to the next.
    moving: Option<(AxId, Scalar)>,
    /// Bytes of an element.
    size: i64,
}

impl From {
    /// Returns the elements from one index along an axis of the result to the next; `None` along
    /// the axis of a tile of indices.
    fn apart(&self, ax: AxId) -> Option<Scalar> {
        if let Some((_, apart)) = self.moving.as_ref().filter(|(moving, _)| *moving == ax) {
            return Some(apart.clone());
        }
        self.tile.apart(ax).filter(|_| Some(ax) != self.along)
    }
}

/// Returns the source of a pick and the index of its first row, if the pick is a contiguous part of
/// the source in the result's layout. Then nothing is copied.
pub(super) fn part_of<'e>(
    values: &Values<'_>,
    value: ValueId,
    expr: &'e TileExpr,
) -> Option<(ValueId, &'e Scalar)> {
    let TileExpr::Pick {
        value: from,
        along,
        at: Chosen::Index { index },
    } = expr
    else {
        return None;
    };
    if values.is_mutable(*from) || !values.may_be_part(value) {
        return None;
    }
    let (source, own) = (values.tile(*from).ok()?, values.tile(value).ok()?);
    is_in_a_row(&source, &own, *along, index).then_some((*from, &index.offset))
}

/// True if the rows of a pick are contiguous in its source.
fn is_in_a_row(source: &Tile, own: &Tile, along: AxId, index: &Index) -> bool {
    let Some((first, inside)) = source
        .rows
        .split_first()
        .filter(|(first, _)| first.ax == along && source.lanes.is_some())
    else {
        return false;
    };
    let moving = match &index.terms[..] {
        [] => 0,
        [Term {
            ax,
            factor: Scalar::Int(1),
        }] if own.rows.first().is_some_and(|row| row.ax == *ax) => 1,
        _ => return false,
    };
    first.ax == along && own.rows[moving..] == *inside && own.lanes == source.lanes
}

impl Calls<'_, '_, '_> {
    /// Picks elements at an index along an axis, or at a tile of indices.
    pub(super) fn pick(&mut self, v: ValueId, along: AxId, at: &Chosen) -> Made<()> {
        let tile = self.site.values.tile(v)?;
        let apart = tile
            .apart(along)
            .ok_or_else(|| Gap::new("a choice along an axis that the tile has not", self.span))?;
        let size = self.site.values.size(self.site.values.ty(v));
        let from = From {
            tensor: self.site.home(v)?,
            tile,
            along: Some(along),
            apart,
            moving: None,
            size,
        };
        match at {
            Chosen::Index { index } => self.at_index(from, index),
            Chosen::Tile { value } => self.chosen(&from, *value),
        }
    }

    /// Picks elements at a number, or at an index that moves.
    fn at_index(&mut self, mut from: From, index: &Index) -> Made<()> {
        let at = self.site.scalar(&index.offset);
        if let [term] = &index.terms[..] {
            if term.factor.as_int().is_some_and(|f| f < 0) {
                let help = "load the axis from its end on, `x.at(n - 1 - t).load()`, and pick forward; or pick at a tile of indices: `(n as i32 - 1) - t.iota()`";
                return Err(Gap::not_yet(
                    "a choice at indices that go backwards",
                    help,
                    self.span,
                ));
            }
            let factor = self.site.host.known("step", &term.factor);
            from.moving = Some((term.ax, product([factor, from.apart.clone()])));
        }
        let in_rows = from
            .tile
            .lanes
            .as_ref()
            .is_some_and(|l| Some(l.ax) != from.along);
        match from.moving.clone() {
            None if in_rows => self.copy_rows(&from, &at),
            Some(_)
                if in_rows
                    && is_in_a_row(
                        &from.tile,
                        &self.tile,
                        from.along.unwrap_or(AxId(0)),
                        index,
                    ) =>
            {
                self.copy_all(&from, &at)
            }
            Some(_) if in_rows => self.copy_each(&from, &at),
            Some((ax, apart)) if self.is_by_rows(&from, ax) => {
                match self.begins_at_block(&from, index) {
                    true => self.copy_lanes(&from, at),
                    false => self.by_rows(&from, apart, &at),
                }
            }
            Some(_) | None => self.one_of_each(&from, &at),
        }
    }

    /// Gathers all elements of a tensor that has another layout.
    pub(super) fn turn(&mut self, tensor: TensorId, tile: Tile) -> Made<()> {
        let size = self.site.values.size(self.site.places.decls.ty(tensor));
        let from = From {
            tensor,
            tile,
            along: None,
            apart: Scalar::Int(0),
            moving: None,
            size,
        };
        self.one_of_each(&from, &Scalar::Int(0))
    }

    /// Copies the rows at one index, which are contiguous for each index of the outer axes.
    fn copy_rows(&mut self, from: &From, at: &Scalar) -> Made<()> {
        let Some(nth) = from.tile.rows.iter().position(|r| Some(r.ax) == from.along) else {
            return Err(Gap::new("a choice along no axis of rows", self.span));
        };
        let (around, inside) = (from.tile.rows[..nth].to_vec(), &from.tile.rows[nth + 1..]);
        let n = match (&from.tile.lanes, inside) {
            (Some(lanes), []) => self.site.host.rounded(
                lanes.live.clone(),
                self.site.lanes(self.site.places.decls.ty(from.tensor)),
            ),
            (_, [..]) => from.apart.clone(),
        };
        let (to, tile) = (self.tensor, self.tile.clone());
        self.for_each(&around, |this, turn| {
            let source = turn.place(|ax| from.apart(ax)) + at.clone() * from.apart.clone();
            let views = [
                View::local(to, turn.place(|ax| tile.apart(ax))).into(),
                View::local(from.tensor, source).into(),
            ];
            vec![instr(
                LayoutOp::LocalCopy,
                Extent::Count { n: n.clone() },
                views,
                this.span,
            )]
        })
    }

    /// Copies all rows of the result, which are contiguous.
    fn copy_all(&mut self, from: &From, at: &Scalar) -> Made<()> {
        let pitch = self.tile.row().map_or(Scalar::Int(1), |(_, pitch)| pitch);
        let n = product([self.tile.live_rows(), pitch]);
        let source = product([at.clone(), from.apart.clone()]);
        let views = [
            View::local(self.tensor, 0).into(),
            View::local(from.tensor, source).into(),
        ];
        self.out.push(instr(
            LayoutOp::LocalCopy,
            Extent::Count { n },
            views,
            self.span,
        ));
        Ok(())
    }

    /// Copies the row at each step of the index, for each index of the other row axes.
    fn copy_each(&mut self, from: &From, at: &Scalar) -> Made<()> {
        let Some(lanes) = from.tile.lanes.clone() else {
            return Err(Gap::new("a choice along no axis of rows", self.span));
        };
        let n = self.site.host.rounded(
            lanes.live,
            self.site.lanes(self.site.places.decls.ty(from.tensor)),
        );
        let (to, tile) = (self.tensor, self.tile.clone());
        self.for_each(&tile.rows.clone(), |this, turn| {
            let source =
                turn.place(|ax| from.apart(ax)) + product([at.clone(), from.apart.clone()]);
            let views = [
                View::local(to, turn.place(|ax| tile.apart(ax))).into(),
                View::local(from.tensor, source).into(),
            ];
            vec![instr(
                LayoutOp::LocalCopy,
                Extent::Count { n: n.clone() },
                views,
                this.span,
            )]
        })
    }

    /// True if rows of the result are rows of the source, and the host knows their length.
    fn is_by_rows(&self, from: &From, moving: AxId) -> bool {
        let axes = |rows: &[Axis]| rows.iter().map(|r| r.ax).collect::<Vec<_>>();
        let lanes =
            self.tile.lanes.as_ref().is_some_and(|l| l.ax == moving) && from.tile.lanes.is_some();
        lanes
            && !self.tile.rows.is_empty()
            && axes(&self.tile.rows) == axes(&from.tile.rows)
            && self.site.values.is_whole(moving)
    }

    /// True if the lanes of the result are floats and contiguous in the source, beginning at a data
    /// block.
    fn begins_at_block(&self, from: &From, index: &Index) -> bool {
        let (host, ty) = (&self.site.host, self.site.places.decls.ty(from.tensor));
        let follow = index.terms.iter().all(|term| term.factor == Scalar::Int(1))
            && from.apart == Scalar::Int(1);
        let begins = || {
            let at = host.inline(&index.offset);
            let own = at
                .clone()
                .bin(BinOp::Rem, self.site.lanes(ty))
                .bin(BinOp::Eq, 0);
            [own, begins_block(&at)]
                .iter()
                .any(|cond| host.sig().is_certain(cond))
        };
        follow
            && begins()
            && [DType::F32, DType::F16]
                .into_iter()
                .any(|float| host.binding.is(ty, float))
    }

    /// Copies the elements of each row from an index on.
    fn copy_lanes(&mut self, from: &From, at: Scalar) -> Made<()> {
        let (Some(own), Some(source)) = (self.tile.lanes.clone(), from.tile.lanes.clone()) else {
            return Err(Gap::new(
                "a choice along lanes of a tile without them",
                self.span,
            ));
        };
        let ty = self.site.places.decls.ty(from.tensor);
        let lanes = self.site.lanes(ty);
        let cols = self.site.host.rounded(own.live, lanes);
        let [blocks, apart] = [own.room, source.room]
            .map(|room| self.site.host.on_device(&(room / lanes), "row_blocks"));
        let func = self.site.host.funcs.part(ty, lanes);
        let tensors = vec![View::local(self.tensor, 0), View::local(from.tensor, 0)];
        let scalars = vec![self.tile.live_rows(), cols, blocks, apart, at];
        self.out.push(Stmt {
            kind: StmtKind::Do(QueueStmt::Call {
                func,
                tensors,
                scalars,
            }),
            span: self.span,
        });
        Ok(())
    }

    /// Gathers several rows a call. The padding of a row of the result repeats its last element.
    fn by_rows(&mut self, from: &From, step: Scalar, at: &Scalar) -> Made<()> {
        let (Some(own), Some(source)) = (self.tile.lanes.clone(), from.tile.lanes.clone()) else {
            return Err(Gap::new("rows without lanes", self.span));
        };
        let rows = self.site.host.known(
            "rows_at_once",
            &(Scalar::Int(AT_ONCE) / own.room.clone().max(1)).max(1),
        );
        let count = product([rows.clone(), own.room.clone()]);
        let (size, span) = (from.size, self.span);
        let bytes = |elements: Scalar| product([elements, Scalar::Int(size)]);
        let table = self.row_offsets(&own, &rows, bytes(step), bytes(source.room.clone()));
        let all = self.tile.live_rows();
        let part = self.site.host.fresh("part", ScalarTy::Index);
        let before = product([Scalar::Var(part), rows.clone()]);
        let to = product([before.clone(), own.room.clone()]);
        let n = count.min(product([all.clone(), own.room.clone()]) - to.clone());
        let first = plus(
            product([before, source.room]),
            product([at.clone(), from.apart.clone()]),
        );
        let views = [
            View::local(self.tensor, to),
            View::local(from.tensor, 0),
            View::local(table, 0),
        ];
        let args = views
            .map(Arg::from)
            .into_iter()
            .chain([bytes(first).into()]);
        let body = vec![instr(LayoutOp::Gather, Extent::Count { n }, args, span)];
        self.out.push(Stmt {
            kind: StmtKind::For {
                var: part,
                from: Scalar::Int(0),
                to: all.ceil_div(rows),
                body,
            },
            span,
        });
        Ok(())
    }

    /// Returns the offsets of the elements of some rows, from the distances of elements and rows in
    /// bytes.
    fn row_offsets(
        &mut self,
        own: &Axis,
        rows: &Scalar,
        apart: Scalar,
        row_apart: Scalar,
    ) -> TensorId {
        let span = self.span;
        let bytes = self.site.values.bytes_of(
            self.site.host,
            product([rows.clone(), own.room.clone()]),
            OFFSETS,
        );
        let row = self.site.host.fresh("row", ScalarTy::Index);
        let whole = |s: Scalar| Arg::from(Scalar::cast(ScalarTy::I32, s));
        let key = vec![
            apart.clone(),
            row_apart.clone(),
            own.live.clone(),
            own.room.clone(),
        ];
        let fill = |table: TensorId| {
            let at = |from: Scalar| Arg::from(View::local(table, from));
            let n = || Extent::Count {
                n: own.room.clone(),
            };
            let first = || at(Scalar::Int(0));
            let next = instr(
                BinaryScalarOp::Adds,
                n(),
                [
                    at(product([Scalar::Var(row), own.room.clone()])),
                    first(),
                    whole(product([Scalar::Var(row), row_apart])),
                ],
                span,
            );
            vec![
                instr(
                    LayoutOp::CreateVecIndex,
                    n(),
                    [first(), whole(Scalar::Int(0))],
                    span,
                ),
                instr(
                    BinaryScalarOp::Mins,
                    n(),
                    [first(), first(), whole(own.live.clone() - 1)],
                    span,
                ),
                instr(
                    BinaryScalarOp::Muls,
                    n(),
                    [first(), first(), whole(apart)],
                    span,
                ),
                Stmt {
                    kind: StmtKind::For {
                        var: row,
                        from: Scalar::Int(1),
                        to: rows.clone(),
                        body: vec![next],
                    },
                    span,
                },
            ]
        };
        let wanted = Wanted {
            bytes,
            ty: OFFSETS,
            purpose: Purpose::Offsets,
            span,
        };
        let places = &mut self.site.places;
        places.pool.table(key, &wanted, &mut places.decls, fill)
    }

    /// Gathers the elements at one index of each row.
    fn one_of_each(&mut self, from: &From, at: &Scalar) -> Made<()> {
        let run = self.run(from, None)?;
        // The offset of a single element is 0 in any case.
        let apart = run
            .last
            .and_then(|ax| from.apart(ax))
            .unwrap_or(Scalar::Int(1));
        let offsets = offsets(
            self.site,
            &product([apart, Scalar::Int(from.size)]),
            &run.room,
            self.span,
            self.out,
        );
        self.gathered(
            from,
            &run,
            offsets.table,
            product([at.clone(), from.apart.clone()]),
            |_| Vec::new(),
        )?;
        offsets.release(self.site);
        Ok(())
    }

    /// Gathers the elements at a tile of indices.
    fn chosen(&mut self, from: &From, ids: ValueId) -> Made<()> {
        let (tile, source) = (self.site.values.tile(ids)?, self.site.home(ids)?);
        let run = self.run(from, Some(&tile))?;
        if run
            .last
            .is_some_and(|ax| tile.apart(ax) != Some(Scalar::Int(1)))
        {
            let help = "pick along the axis that is the last one of its tensor; or loop over the indices by `each` and load what each of them means";
            return Err(Gap::not_yet(
                "a choice of whole rows by a tile of indices",
                help,
                self.span,
            ));
        }
        let moves = run.around.iter().any(|axis| tile.apart(axis.ax).is_some());
        // Elements of a tile without lanes begin anywhere in a data block.
        if tile.lanes.is_none() && moves {
            let help = "loop over one of the axes of the indices by `each`";
            let what = "a choice at a tile of indices over several axes, none of which is the last one of a tensor";
            return Err(Gap::not_yet(what, help, self.span));
        }
        let own = run
            .last
            .and_then(|ax| from.apart(ax))
            .map(|apart| product([apart, Scalar::Int(from.size)]));
        let own = own.map(|apart| offsets(self.site, &apart, &run.room, self.span, self.out));
        let bytes = self
            .site
            .values
            .bytes_of(self.site.host, run.room.clone(), OFFSETS);
        let (slot, to) = self.site.places.take(&Wanted {
            bytes,
            ty: OFFSETS,
            purpose: Purpose::Offsets,
            span: self.span,
        });
        let by = Scalar::cast(
            ScalarTy::I32,
            product([from.apart.clone(), Scalar::Int(from.size)]),
        );
        let (span, n) = (self.span, run.live.clone());
        let make = |turn: &Turn| {
            let at = |tensor: TensorId, from: Scalar| Arg::from(View::local(tensor, from));
            let n = || Extent::Count { n: n.clone() };
            let first = turn.place(|ax| tile.apart(ax));
            let scaled = instr(
                BinaryScalarOp::Muls,
                n(),
                [at(to, 0.into()), at(source, first), by.clone().into()],
                span,
            );
            let views = |table| [to, to, table].map(|tensor| at(tensor, 0.into()));
            std::iter::once(scaled)
                .chain(
                    own.as_ref()
                        .map(|own| instr(BinaryOp::Add, n(), views(own.table), span)),
                )
                .collect::<Vec<_>>()
        };
        // If all rows have equal indices, the offsets are made once.
        if !moves {
            self.out.extend(make(&Turn(Vec::new())));
        }
        let each = |turn: &Turn| if moves { make(turn) } else { Vec::new() };
        self.gathered(from, &run, to, Scalar::Int(0), each)?;
        self.site.places.pool.release(slot);
        if let Some(own) = own {
            own.release(self.site);
        }
        Ok(())
    }

    /// Returns the part of the result that one call makes: its lanes. In a tile without lanes, it
    /// is the most inner axes that are evenly spaced in the source and in the indices.
    fn run(&self, from: &From, ids: Option<&Tile>) -> Made<GatherCall> {
        let rows = &self.tile.rows;
        if let Some(lanes) = &self.tile.lanes {
            return Ok(GatherCall {
                last: Some(lanes.ax),
                live: lanes.live.clone(),
                room: lanes.room.clone(),
                around: rows.clone(),
            });
        }
        let live = |rows: &[Axis]| product(rows.iter().map(|r| r.live.clone()));
        let evenly = |first: usize, apart: &dyn Fn(AxId) -> Option<Scalar>| {
            let last = rows.last().and_then(|r| apart(r.ax));
            rows[first..].iter().enumerate().all(|(nth, r)| {
                let inside = live(&rows[first + nth + 1..]);
                apart(r.ax) == last.clone().map(|last| product([inside, last]))
            })
        };
        let is_run = |first: &usize| {
            evenly(*first, &|ax| from.apart(ax))
                && ids.is_none_or(|ids| evenly(*first, &|ax| ids.apart(ax)))
        };
        let first = (0..rows.len()).find(is_run).unwrap_or(rows.len());
        let room = product(rows[first..].iter().map(|r| r.room.clone()));
        let counts = rows[first..]
            .iter()
            .map(|r| self.site.values.count(r.ax))
            .collect::<Made<Vec<_>>>()?;
        Ok(GatherCall {
            last: rows.last().map(|r| r.ax),
            live: product(counts),
            room,
            around: rows[..first].to_vec(),
        })
    }

    /// Adds a call for each run of the result, with offsets relative to an element of the source.
    /// `before` makes the statements before each call.
    fn gathered(
        &mut self,
        from: &From,
        run: &GatherCall,
        offsets: TensorId,
        first: Scalar,
        before: impl Fn(&Turn) -> Vec<Stmt>,
    ) -> Made<()> {
        let (tile, to) = (self.tile.clone(), self.tensor);
        if tile.lanes.is_none() && !run.around.is_empty() {
            let help = "loop over one of the axes of the result by `each`";
            let what = "a choice of which the result has several axes, none of which is the last one of a tensor";
            return Err(Gap::not_yet(what, help, self.span));
        }
        self.for_each(&run.around, |this, turn| {
            let base = product([
                plus(turn.place(|ax| from.apart(ax)), first.clone()),
                Scalar::Int(from.size),
            ]);
            let views = [
                View::local(to, turn.place(|ax| tile.apart(ax))),
                View::local(from.tensor, 0),
                View::local(offsets, 0),
            ];
            let args = views.map(Arg::from).into_iter().chain([base.into()]);
            let mut body = before(turn);
            body.push(instr(
                LayoutOp::Gather,
                Extent::Count {
                    n: run.live.clone(),
                },
                args,
                this.span,
            ));
            body
        })
    }

    /// Adds statements for each index of some axes, one loop an axis. An empty axis has no
    /// iteration: its room has no valid offsets.
    pub(super) fn for_each(
        &mut self,
        axes: &[Axis],
        body: impl FnOnce(&Self, &Turn) -> Vec<Stmt>,
    ) -> Made<()> {
        let ends = axes
            .iter()
            .map(|axis| self.site.values.count(axis.ax))
            .collect::<Made<Vec<_>>>()?;
        let vars: Vec<VarId> = axes
            .iter()
            .map(|axis| {
                let name = format!("{}_row", self.site.values.name_of(axis.ax));
                self.site.host.fresh(&name, ScalarTy::Index)
            })
            .collect();
        let turn = Turn(
            axes.iter()
                .map(|axis| axis.ax)
                .zip(vars.iter().copied())
                .collect(),
        );
        let body = body(self, &turn);
        let span = self.span;
        let nested = ends
            .into_iter()
            .zip(vars)
            .rev()
            .fold(body, |body, (to, var)| {
                let kind = StmtKind::For {
                    var,
                    from: Scalar::Int(0),
                    to,
                    body,
                };
                vec![Stmt { kind, span }]
            });
        self.out.extend(nested);
        Ok(())
    }
}

/// The part of a result that one call makes.
struct GatherCall {
    /// The innermost axis; `None` for a single number.
    last: Option<AxId>,
    /// Elements in this iteration, and those for which there is room.
    live: Scalar,
    room: Scalar,
    /// The outer axes; there is a call for each of their indices.
    around: Vec<Axis>,
}

/// The variables of loops over axes.
pub(super) struct Turn(Vec<(AxId, VarId)>);

impl Turn {
    /// Returns the position of this iteration in a tile, given the distance of each axis.
    pub(super) fn place(&self, apart: impl Fn(AxId) -> Option<Scalar>) -> Scalar {
        let terms = self
            .0
            .iter()
            .filter_map(|(ax, var)| Some(product([Scalar::Var(*var), apart(*ax)?])));
        terms.reduce(|a, b| a + b).unwrap_or(Scalar::Int(0))
    }
}
