//! The free sizes of a variant: which there are, and the host steps that find them.
//!
//! Order: the column tile (where there is one) for the fewest rows that a tile has, then as many rows as fit; else the
//! largest tile that leaves a block turns enough for copies and computation to overlap ([`of_use`]). A size the author gave is
//! checked instead of solved. Of rows a tile has whole units of the split where two fit.

use super::func::{longest_row, MOST_ROWS};
use super::host::Host;
use super::nest::{self, Nest};
use super::split::TileSplit;
use super::values::met_by_rows;
use super::{require, Gap, Made, Size, SizeKind};
use crate::dtype::DType;
use crate::ir::{BinOp, Body, GivenSize, HostStep, Known, Scalar, ScalarTy, StmtKind, TileExpr, TileLoop, VarId};
use crate::soc::{GOOD_COPY_BYTES, MAX_COPY_BLOCKS};

/// What a variant does with its tiles.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// The loops are those that the author wrote, and no other variant exists.
    Tiles,
    /// Rows are whole in UB, and no other variant cuts them.
    WholeRows,
    /// Rows are whole in UB where one fits.
    Resident,
    /// Rows are cut into column tiles by loops that the author did not write.
    Streamed,
}

impl Form {
    /// Name of the variant.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Form::Tiles => "tiles",
            Form::WholeRows | Form::Resident => "resident",
            Form::Streamed => "streamed",
        }
    }

    /// Name of the variable for the rows of a tile: two variants of one kernel have two.
    const fn rows(self) -> &'static str {
        match self {
            Form::Tiles | Form::WholeRows | Form::Resident => "tile_rows",
            Form::Streamed => "stream_rows",
        }
    }
}

/// The free sizes of a variant.
pub(super) struct Sizes {
    /// Elements of a flat tile.
    pub(super) tile_length: Option<VarId>,
    /// Rows of a row tile.
    pub(super) rows: Option<VarId>,
    /// Columns of a whole row.
    pub(super) cols: Option<VarId>,
    /// Elements from row to row of a resident row tile.
    pub(super) pitch: Option<VarId>,
    /// Elements of a row that stand behind it once more: its pitch or none.
    pub(super) again: Option<VarId>,
    /// Columns of a column tile.
    pub(super) col_tile: Option<VarId>,
    /// Elements that a repeat of the narrowest type covers.
    pub(super) repeat: i64,
    /// What reductions of rows ask of their length.
    flat: Option<Flat>,
}

/// What reductions of rows ask of their length: long rows are padded, so that one call reduces all of them.
#[derive(Clone, Copy)]
struct Flat {
    /// Elements that the distance from row to row is a multiple of.
    unit: i64,
    /// Elements from which on rows are padded so: fewer are not worth it.
    from: i64,
    /// Elements of the longest row.
    longest: i64,
}

impl Flat {
    /// That of all reductions of a body.
    fn of(host: &Host<'_>, body: &Body) -> Option<Flat> {
        let mut found: Option<Flat> = None;
        body.walk(&mut |s| {
            let StmtKind::Def { expr: TileExpr::Reduce { value, .. }, .. } = &s.kind else { return };
            let ty = body.values[value.index()].dtype;
            if host.binding.is(ty, DType::I32) {
                return;
            }
            let size = host.binding.bytes(ty);
            let lanes = host.chip.data_block_bytes / size;
            let own = Flat { unit: lanes * lanes, from: 4 * host.chip.repeat_bytes / size, longest: longest_row(lanes) };
            found = Some(found.map_or(own, |f| Flat {
                unit: f.unit.max(own.unit),
                from: f.from.max(own.from),
                longest: f.longest.min(own.longest),
            }));
        });
        found
    }
}

/// Elements from row to row: whole data blocks, of long rows that are reduced as many as [`Flat`] asks for. Rows without elements
/// have buffers all the same: InitBuffer takes no length of 0.
fn pitch(cols: VarId, lanes: i64, flat: &Option<Flat>) -> Scalar {
    let cols = || Scalar::Var(cols);
    let Some(flat) = flat.filter(|f| f.unit > lanes) else { return cols().max(1).align_up(lanes) };
    let blocks = |unit: i64| cols().ceil_div(unit) * (unit / lanes);
    Scalar::select(cols().bin(BinOp::Ge, flat.from), blocks(flat.unit), blocks(lanes)).max(1) * lanes
}

/// Elements of a row that all rows of a tile meet that are worth to stand behind it once more. Shorter rows are taken by their
/// repeats, which are fewer than the rows of a tile; of longer ones UB holds too few.
const AGAIN: std::ops::RangeInclusive<i64> = 513..=2048;

fn again(pitch: VarId) -> Scalar {
    let pitch = || Scalar::Var(pitch);
    let worth = pitch().bin(BinOp::Ge, *AGAIN.start()).bin(BinOp::And, pitch().bin(BinOp::Le, *AGAIN.end()));
    Scalar::select(worth, pitch(), Scalar::Int(0))
}

/// What device functions ask of the sizes of a variant.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// True where a column value is expanded, which bounds the rows of a tile.
    pub(super) expands: bool,
    /// True where rows are reduced, which bounds their length, too.
    pub(super) reduces: bool,
}

/// How the free sizes of a variant are found.
pub(super) struct Solved {
    /// The footprint.
    pub(super) bytes: Scalar,
    pub(super) steps: Vec<HostStep>,
    /// The condition that a tile fits.
    pub(super) fits: Scalar,
    /// What the checker wants to know.
    pub(super) sizes: Vec<Size>,
}

impl Sizes {
    pub(super) fn new(host: &mut Host<'_>, split: &TileSplit, (body, nest): (&Body, &Nest), form: Form) -> Made<Sizes> {
        let (outer, given) = (nest::outer(body)?, given(body)?);
        let flat = Flat::of(host, body);
        let repeat = host.chip.repeat_bytes / split.narrow;
        let mut sizes =
            Sizes { tile_length: None, rows: None, cols: split.cols, pitch: None, again: None, col_tile: None, repeat, flat };
        let free = |host: &mut Host<'_>, name: &str, multiple: i64| {
            let var = host.fresh(name, ScalarTy::Index);
            host.multiples.insert(var, multiple);
            host.mark_field(var);
            Some(var)
        };
        match split.cols {
            None => {
                let multiple = divisor(given, sizes.tile_step(split), split.lanes);
                sizes.tile_length = free(host, "tile_length", multiple);
            }
            Some(cols) => {
                sizes.rows = free(host, form.rows(), 1);
                if !nest::inner_loops(outer).is_empty() {
                    let multiple = divisor(column_tile_length(outer), repeat, split.lanes);
                    sizes.col_tile = free(host, "col_tile", multiple);
                }
                let pitch = host.define("pitch", ScalarTy::Index, pitch(cols, split.lanes, &flat));
                host.multiples.insert(pitch, split.lanes);
                sizes.pitch = Some(pitch);
                if form != Form::Streamed && !met_by_rows(body, nest).is_empty() {
                    let again = host.define("row_again", ScalarTy::Index, again(pitch));
                    host.multiples.insert(again, split.lanes);
                    sizes.again = Some(again);
                }
            }
        }
        Ok(sizes)
    }

    /// Those that count elements along tiles and rows, whether free or not.
    pub(super) fn lengths(&self) -> Vec<VarId> {
        [self.tile_length, self.pitch, self.again, self.col_tile].into_iter().flatten().collect()
    }

    /// What the length of a flat tile is a multiple of where it is solved for: every tile begins at a line, as the share does.
    fn tile_step(&self, split: &TileSplit) -> i64 {
        self.repeat.max(split.share.step())
    }

    /// The solver steps of the free sizes.
    pub(super) fn solve(&self, host: &mut Host<'_>, split: &TileSplit, src: &Body, (out, needs): (&Body, Needs)) -> Made<Solved> {
        let (outer, own) = (nest::outer(src)?, given(src)?);
        let bytes = host.footprint(out);
        let limit = host.chip.ub_usable();
        let mut steps = Vec::new();
        let mut sizes = Vec::new();
        let mut size =
            |var: VarId, kind: SizeKind, step: i64, bytes: &Scalar, given: Option<&Scalar>, max: &mut dyn FnMut() -> Scalar| {
                // A given tile need not fill repeats, which waste time only; its rows must be whole data blocks.
                let unit = step.min(split.lanes);
                sizes.push(Size { var, kind, step, unit, given: given.cloned() });
                match given {
                    None => steps.push(HostStep::Solve { var, step, max: max(), bytes: bytes.clone(), limit }),
                    Some(g) => {
                        steps.push(HostStep::Let { var, value: g.clone() });
                        let positive = Scalar::Var(var).bin(BinOp::Gt, 0);
                        let whole = (Scalar::Var(var) % unit).bin(BinOp::Eq, 0);
                        steps.push(require(
                            positive.bin(BinOp::And, whole),
                            format!("`size` must be a positive multiple of {unit}"),
                        ));
                        let given = Some(GivenSize { name: "size".to_string(), var, step: unit });
                        steps.push(HostStep::Fits { bytes: bytes.clone(), limit, given });
                    }
                }
            };
        if let Some(var) = self.tile_length {
            let mut max = || of_use(longest(host, split), Some(split.narrow.into()));
            size(var, SizeKind::TileLength, self.tile_step(split), &bytes, own, &mut max);
            return Ok(Solved { bytes, steps, fits: Scalar::Var(var).bin(BinOp::Gt, 0), sizes });
        }
        let (Some(rows), Some(cols), Some(pitch)) = (self.rows, self.cols, self.pitch) else {
            return Err(Gap::of_kernel("a tile without a size"));
        };
        let most = if needs.expands || needs.reduces { MOST_ROWS } else { MAX_COPY_BLOCKS };
        let longest_row = self.flat.filter(|_| needs.reduces).map(|f| f.longest);
        let short = |row: Scalar| longest_row.map_or(Scalar::Bool(true), |longest| row.bin(BinOp::Le, longest));
        if let Some(col_tile) = self.col_tile {
            let least_rows = own.cloned().unwrap_or(Scalar::Int(split.share.step()));
            let least = bytes.replace(&|s| (*s == Scalar::Var(rows)).then(|| least_rows.clone()));
            let given = column_tile_length(outer);
            let mut widest = || longest_row.map_or(cols.into(), |longest| Scalar::Var(cols).min(longest));
            size(col_tile, SizeKind::TileLength, self.repeat, &least, given, &mut widest);
            // A block has the turns of its column tiles, too.
            let mut max = || of_use(longest(host, split), None).min(most);
            size(rows, SizeKind::Rows, split.share.step(), &bytes, own, &mut max);
            let fits = Scalar::Var(col_tile).bin(BinOp::Gt, 0).bin(BinOp::And, Scalar::Var(rows).bin(BinOp::Gt, 0));
            let fits = fits.bin(BinOp::And, short(col_tile.into()));
            return Ok(Solved { bytes, steps, fits, sizes });
        }
        let found = match (&split.share.unit, own) {
            (Scalar::Int(_), _) | (_, Some(_)) => rows,
            _ => host.fresh("fitting_rows", ScalarTy::Index),
        };
        let of_found = bytes.replace(&|s| (*s == Scalar::Var(rows)).then(|| found.into()));
        let mut max = || of_use(longest(host, split), Some(Scalar::Var(pitch) * split.narrow)).min(most);
        size(found, SizeKind::Rows, split.share.step(), &of_found, own, &mut max);
        if found != rows {
            steps.push(HostStep::Let { var: rows, value: whole_units(found, &split.share.unit) });
            host.known_vars.push(Known::Part { part: rows, of: found });
        }
        // The footprint is that of the rows of a tile.
        sizes.iter_mut().for_each(|size| size.var = rows);
        let fits = Scalar::Var(found).bin(BinOp::Gt, 0).bin(BinOp::And, short(cols.into()));
        Ok(Solved { bytes, steps, fits, sizes })
    }
}

/// As many whole units as there are in `found`, where that is no more than a third less.
fn whole_units(found: VarId, unit: &Scalar) -> Scalar {
    let found = || Scalar::Var(found);
    let whole = found() - found() % unit.clone();
    Scalar::select(found().bin(BinOp::Ge, unit.clone() * 2), whole, found())
}

/// What is known to divide a size: the step of one that is solved for. Of one that the author gives a launch demands data blocks; its
/// own factors say nothing of others that he is told would fit.
fn divisor(given: Option<&Scalar>, step: i64, lanes: i64) -> i64 {
    match given {
        None => step,
        Some(_) => step.min(lanes),
    }
}

/// Elements or rows of the longest share.
fn longest(host: &mut Host<'_>, split: &TileSplit) -> Scalar {
    let longest = split.share.longest(host);
    host.define("longest_share", ScalarTy::Index, longest).into()
}

/// Elements or rows of a share beyond which a tile need not grow, each of `bytes` in the narrowest tensor: a quarter, so that
/// three of four copies run beside computation; up to a half while the copies of a quarter are too small for the bandwidth.
fn of_use(share: Scalar, bytes: Option<Scalar>) -> Scalar {
    let half = share.clone().ceil_div(2);
    match bytes {
        Some(bytes) => share.ceil_div(4).max(half.min(Scalar::Int(GOOD_COPY_BYTES).ceil_div(bytes))),
        None => half,
    }
}

/// The size that the author gives the runs of the outermost loop.
fn given(body: &Body) -> Made<Option<&Scalar>> {
    Ok(nest::spec(nest::outer(body)?)?.size.given())
}

/// The size of the first loop inside that has one.
fn column_tile_length(outer: &TileLoop) -> Option<&Scalar> {
    nest::inner_loops(outer).into_iter().flat_map(|(tile, _)| &tile.specs).find_map(|spec| spec.size.given())
}
