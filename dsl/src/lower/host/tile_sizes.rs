//! The free sizes of a variant, and the host steps that solve for them.
//!
//! Every axis that loops cut has one size. They are solved in this order:
//!
//! 1. lanes, with the fewest rows that a tile may have;
//! 2. row axes from the innermost on, those of the outermost loop last.
//!
//! A tile grows up to the largest size that leaves a block enough iterations for copies and
//! computation to overlap ([`of_use`]). A size that the author gives is checked instead of solved.
//! A tile has whole units of the split if two of them fit.

use super::core_split::TileSplit;
use super::require;
use super::row_pitch::{again, pitch, Flat};
use super::solver::{Several, Solver};
use super::Host;
use crate::ir::scalar::product;
use crate::ir::tile::Body;
use crate::ir::{
    queue, AxId, BinOp, Chosen, HostStep, Known, Scalar, ScalarTy, StmtKind, TileExpr, TileStmt,
    ValueId, VarId,
};
use crate::lower::func::MOST_ROWS;
use crate::lower::gap::{Gap, Made};
use crate::lower::lowering::{Size, SizeKind};
use crate::lower::nest;
use crate::lower::nest::beyond;
use crate::lower::nest::met_by_rows;
use crate::lower::nest::{Divided, Loop, Nest};
use crate::ops::contract::most_chosen;
use crate::soc::{GOOD_COPY_BYTES, MAX_COPY_BLOCKS};
use std::collections::{BTreeMap, BTreeSet};

/// The granularity of lanes that loops cut.
#[derive(Clone, Copy, PartialEq)]
pub enum Steps {
    /// Repeats of the narrowest type, which waste no lanes.
    Repeats,
    /// Data blocks of the narrowest type.
    Blocks,
}

/// The form of a variant's tiles.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// The author's loops, where no other variant exists.
    Tiles,
    /// Whole rows in UB, where no other variant cuts them.
    WholeRows,
    /// Whole rows in UB, taken where one fits.
    Resident,
    /// Rows cut into column tiles by loops that the author did not write.
    Streamed,
    /// Such loops, divided among the cores.
    Split,
}

impl Form {
    /// Returns the form of a loop that has no other one.
    pub fn alone(nest: &Nest) -> Form {
        if nest.has_whole_rows() {
            Form::WholeRows
        } else {
            Form::Tiles
        }
    }

    /// Returns the name of the variant.
    pub const fn word(self) -> &'static str {
        match self {
            Form::Tiles => "tiles",
            Form::WholeRows | Form::Resident => "resident",
            Form::Streamed => "streamed",
            Form::Split => "split",
        }
    }

    /// Returns the prefix of the names of passes on this form.
    pub const fn prefix(self) -> &'static str {
        match self {
            Form::Tiles | Form::WholeRows | Form::Resident => "",
            Form::Streamed => "stream",
            Form::Split => "split",
        }
    }

    /// Returns the name of the variable for the rows of a tile, which differs between variants of a
    /// kernel.
    const fn rows(self) -> &'static str {
        match self {
            Form::Tiles | Form::WholeRows | Form::Resident | Form::Split => "tile_rows",
            Form::Streamed => "stream_rows",
        }
    }
}

/// The size of the runs of an axis.
pub(super) struct Free {
    /// The whole axis that is cut.
    of: AxId,
    pub(super) var: VarId,
    is_lane: bool,
    /// True if the outermost loop cuts it.
    is_outer: bool,
    /// The size that the author gives.
    pub(super) given: Option<Scalar>,
}

impl Free {
    pub(super) const fn kind(&self) -> SizeKind {
        if self.is_lane {
            SizeKind::TileLength
        } else {
            SizeKind::Rows
        }
    }
}

/// All sizes of a variant.
pub struct Sizes {
    /// The sizes of runs, in the order of solving.
    free: Vec<Free>,
    /// The number of indices of each whole axis.
    extents: BTreeMap<AxId, Scalar>,
    /// Room for rows of axes that are whole in tiles: at least one, although no tile without rows
    /// is made.
    rooms: BTreeMap<AxId, Scalar>,
    /// For whole axes, the number of rows by which hulls extend a run.
    beyond: BTreeMap<AxId, i64>,
    /// The pitch of rows, by the whole lane axis.
    pitches: BTreeMap<AxId, VarId>,
    /// Elements of a row that is repeated behind itself: its pitch, or 0.
    pub again: Option<VarId>,
    /// Elements of a repeat of the narrowest type, and of a data block of it.
    pub(super) repeat: i64,
    pub block_lanes: i64,
    /// Whole axes that stand last in turned accesses.
    turned: BTreeSet<AxId>,
    /// Whole axes along which elements may be copied one by one.
    single: BTreeSet<AxId>,
    /// Padding of rows that are reduced.
    flat: Option<Flat>,
    /// For whole lane axes, the largest row that one `Gather` takes by offsets.
    by_offsets: BTreeMap<AxId, i64>,
    steps: Steps,
}

/// The most lanes of a tile with a turned access. Such tiles then have about as many rows as lanes,
/// so copies in either order have some hundred contiguous bytes.
const TURNED_LANES: i64 = 128;

/// The most bytes of a row where hulls extend runs. UB holds a dozen of such rows, and longer rows
/// are copied no faster.
const HULL_BYTES: i64 = 2048;

/// Demands of device functions on the sizes of a variant.
#[derive(Clone, Copy)]
pub struct Needs {
    /// True if a column value is expanded, which bounds the rows of a tile.
    pub expands: bool,
    /// True if rows are reduced, which bounds their length, too.
    pub reduces: bool,
}

/// The result of solving for the free sizes of a variant.
pub struct Solved {
    /// The footprint in bytes.
    pub bytes: Scalar,
    /// The footprint of the smallest tiles, if it is a number.
    pub least: Option<i64>,
    pub steps: Vec<HostStep>,
    /// The condition that a tile fits.
    pub fits: Scalar,
    /// The sizes, for the checker.
    pub sizes: Vec<Size>,
    /// The conditions on which queues have several buffers.
    pub several: Several,
}

impl Sizes {
    pub fn new(
        host: &mut Host<'_>,
        split: &TileSplit,
        src: Loop<'_>,
        form: Form,
        steps: Steps,
    ) -> Made<Sizes> {
        let Loop { body, nest } = src;
        let flat = Flat::of(host, body);
        let repeat = host.chip.repeat_bytes / split.narrow;
        let mut sizes = Sizes {
            free: Vec::new(),
            extents: split.extents.clone(),
            rooms: BTreeMap::new(),
            beyond: beyond(src),
            pitches: BTreeMap::new(),
            again: None,
            repeat,
            block_lanes: split.lanes,
            turned: nest.turned_axes(body),
            single: nest.single_axes(body),
            flat,
            by_offsets: by_offsets(host, src),
            steps,
        };
        for of in nest.uncut().filter(|of| !nest.is_lane(*of)) {
            let rows = sizes.extent(of)?.max(1);
            sizes.rooms.insert(
                of,
                host.known(&format!("{}_rows", body.axes[of.index()].name), &rows),
            );
        }
        let cut = nest::cut(body)?;
        for (spec, is_outer) in &cut {
            let (of, is_lane) = (spec.of, nest.is_lane(spec.of));
            let given = spec.size.given().cloned();
            let free = Free {
                of,
                var: VarId::new(0, ScalarTy::Index),
                is_lane,
                is_outer: *is_outer,
                given,
            };
            let plain = nest.divided != Divided::Turns;
            let name = match (is_lane, is_outer) {
                (true, true) if plain => "tile_length".to_string(),
                (false, true) if plain => form.rows().to_string(),
                (true, false) if plain => "col_tile".to_string(),
                _ => format!("{}_tile", body.axes[of.index()].name),
            };
            let var = host.fresh(&name, ScalarTy::Index);
            let in_units = is_lane || sizes.turned.contains(&of);
            let multiple = if in_units {
                divisor(
                    free.given.as_ref(),
                    sizes.step(&free, split, nest),
                    split.lanes,
                )
            } else {
                1
            };
            host.multiples.insert(var, multiple);
            host.mark_field(var);
            sizes.free.push(Free { var, ..free });
        }
        // Lanes first; sizes of the outermost loop last, its innermost axis first.
        sizes
            .free
            .sort_by_key(|f| (!f.is_lane, f.is_outer, std::cmp::Reverse(nest.rank(f.of))));
        sizes.rows(host, split, src, form)?;
        Ok(sizes)
    }

    /// Defines the pitches of whole rows, and the repetition of a row.
    fn rows(
        &mut self,
        host: &mut Host<'_>,
        split: &TileSplit,
        src: Loop<'_>,
        form: Form,
    ) -> Made<()> {
        let nest = src.nest;
        let is_whole = |of: &AxId| nest.uncut().any(|ax| ax == *of);
        let is_cut =
            |of: &AxId| nest.divided == Divided::Rows && self.free.iter().any(|f| f.of == *of);
        let whole: Vec<AxId> = nest
            .lanes()
            .filter(|of| is_whole(of) || is_cut(of))
            .collect();
        for of in whole {
            let cols = self
                .extents
                .get(&of)
                .ok_or_else(|| Gap::of_kernel("lanes without an extent"))?;
            let pitch = host.define(
                "pitch",
                ScalarTy::Index,
                pitch(cols, split.lanes, &self.flat),
            );
            host.multiples.insert(pitch, split.lanes);
            self.pitches.insert(of, pitch);
        }
        if let (Some(row), true) = (nest.row(), form != Form::Streamed) {
            if let (Some(pitch), false) = (self.pitches.get(&row), met_by_rows(src).is_empty()) {
                let again = host.define("row_again", ScalarTy::Index, again(*pitch));
                host.multiples.insert(again, split.lanes);
                self.again = Some(again);
            }
        }
        Ok(())
    }

    /// Returns the size of the runs of a whole axis.
    pub fn run(&self, of: AxId) -> Made<Scalar> {
        let free = self.free.iter().find(|f| f.of == of);
        free.map(|f| f.var.into())
            .ok_or_else(|| Gap::of_kernel("a run without a size"))
    }

    /// True if the size of the runs of a whole axis is solved, not given.
    pub fn is_found(&self, of: AxId) -> bool {
        self.free.iter().any(|f| f.of == of && f.given.is_none())
    }

    /// Returns the number of indices of a whole axis.
    pub fn extent(&self, of: AxId) -> Made<Scalar> {
        self.extents
            .get(&of)
            .cloned()
            .ok_or_else(|| Gap::of_kernel("an axis without an extent"))
    }

    /// Returns the number of rows of a whole axis for which there is room.
    pub fn rows_of(&self, of: AxId) -> Made<Scalar> {
        self.rooms
            .get(&of)
            .cloned()
            .ok_or_else(|| Gap::of_kernel("rows without a number"))
    }

    /// Returns the pitch of rows of a whole axis.
    pub fn pitch(&self, of: AxId) -> Made<Scalar> {
        self.pitches
            .get(&of)
            .map(|v| (*v).into())
            .ok_or_else(|| Gap::of_kernel("rows without a pitch"))
    }

    /// Returns the pitch of rows, if there is one kind of rows.
    pub fn row_pitch(&self) -> Option<VarId> {
        self.pitches
            .values()
            .next()
            .copied()
            .filter(|_| self.pitches.len() == 1)
    }

    /// Returns the sizes that count elements along tiles and rows, free or not.
    pub fn lengths(&self) -> Vec<VarId> {
        let lanes = self.free.iter().filter(|f| f.is_lane).map(|f| f.var);
        lanes
            .chain(self.pitches.values().copied())
            .chain(self.again)
            .collect()
    }

    /// Returns the granularity of a solved size. A tile of elements begins at a GM line, as the
    /// share does.
    fn step(&self, free: &Free, split: &TileSplit, nest: &Nest) -> i64 {
        match (free.is_lane, nest.divided) {
            // UB may not hold so many whole rows.
            (true, Divided::Elements) if nest.uncut().all(|of| nest.is_lane(of)) => {
                self.repeat.max(split.share.step())
            }
            (true, Divided::Rows) if self.steps == Steps::Blocks => split.lanes,
            (true, Divided::Rows) => self.repeat,
            // Short lanes are not padded to a repeat.
            (true, Divided::Elements | Divided::Turns) => split.lanes,
            // Such rows are contiguous in GM in the turned access.
            (false, Divided::Turns) if self.turned.contains(&free.of) => split.lanes,
            (false, _) if free.is_outer => split.share.step(),
            (false, _) => 1,
        }
    }

    /// Returns the solver steps of the free sizes.
    pub fn solve(
        &self,
        host: &mut Host<'_>,
        split: &TileSplit,
        src: Loop<'_>,
        out: &queue::Body,
        needs: Needs,
        form: Form,
    ) -> Made<Solved> {
        let nest = src.nest;
        let mut solver = Solver::new(host.chip.ub_usable(), split.lanes);
        let least = |f: &Free| {
            f.given
                .clone()
                .unwrap_or(Scalar::Int(self.step(f, split, nest)))
        };
        let all_least = |s: &Scalar| {
            self.free
                .iter()
                .find(|f| *s == Scalar::Var(f.var))
                .map(least)
        };
        let is_free = nest::outer(src.body)?.buffer_num.is_none()
            && self.free.iter().all(|f| f.given.is_none());
        let (bytes, several) = match form {
            Form::WholeRows | Form::Resident if is_free => solver.buffers(host, out, all_least),
            Form::WholeRows | Form::Resident | Form::Tiles | Form::Streamed | Form::Split => {
                (host.footprint(out), Several::new())
            }
        };
        let least_bytes = bytes.replace(&all_least).as_int();
        let of_reductions = self.flat.filter(|_| needs.reduces).map(|f| f.longest);
        let mut fits = Vec::new();
        for (at, free) in self.free.iter().enumerate() {
            let later = &self.free[at + 1..];
            let with_least =
                |s: &Scalar| later.iter().find(|f| *s == Scalar::Var(f.var)).map(least);
            let bytes = bytes.replace(&with_least);
            let found = self.found_first(host, split, nest, free);
            let own = bytes.replace(&|s| (*s == Scalar::Var(free.var)).then(|| found.into()));
            let step = self.step(free, split, nest);
            let max = self.most(host, split, src, at, needs, of_reductions)?;
            solver.size(found, free, step, own, max);
            if found != free.var {
                solver.steps.push(HostStep::Let {
                    var: free.var,
                    value: whole_units(found, &split.share.unit),
                });
                host.known_vars.push(Known::Part {
                    part: free.var,
                    of: found,
                });
            }
            fits.push(Scalar::Var(found).bin(BinOp::Gt, 0));
        }
        for lanes in nest
            .lanes()
            .filter(|of| nest.divided != Divided::Elements && self.pitches.contains_key(of))
        {
            let row = match self.free.iter().find(|f| f.of == lanes) {
                Some(f) => f.var.into(),
                None => self.extent(lanes)?,
            };
            fits.extend(of_reductions.map(|longest| row.bin(BinOp::Le, longest)));
        }
        if self.free.is_empty() {
            // All iterations have tiles of one size, so nothing can be made smaller.
            fits.push(solver.whole(host, &bytes));
        }
        for demand in self
            .rows_fit(src, needs)?
            .into_iter()
            .chain(self.offsets_fit(src.body)?)
        {
            match (form, demand) {
                // A resident form that breaks such a demand gives way to another variant.
                (Form::Resident, HostStep::Require { cond, .. }) => fits.push(cond),
                (_, demand) => solver.steps.push(demand),
            }
        }
        let fits = fits
            .into_iter()
            .reduce(|a, b| a.bin(BinOp::And, b))
            .unwrap_or(Scalar::Bool(true));
        if nest.divided == Divided::Turns {
            solver.steps.extend(split.divide_turns(host, src, self)?);
        }
        Ok(Solved {
            bytes,
            least: least_bytes,
            steps: solver.steps,
            fits,
            sizes: solver.sizes,
            several,
        })
    }

    /// Returns the variable that a solver step finds. If rows come in units, it differs from the
    /// size.
    fn found_first(
        &self,
        host: &mut Host<'_>,
        split: &TileSplit,
        nest: &Nest,
        free: &Free,
    ) -> VarId {
        match (&split.share.unit, &free.given) {
            (Scalar::Int(_), _) | (_, Some(_)) => free.var,
            _ if free.is_lane || !free.is_outer || nest.has_inner() => free.var,
            _ => host.fresh("fitting_rows", ScalarTy::Index),
        }
    }

    /// Returns an upper bound of a size.
    fn most(
        &self,
        host: &mut Host<'_>,
        split: &TileSplit,
        src: Loop<'_>,
        at: usize,
        needs: Needs,
        longest_row: Option<i64>,
    ) -> Made<Scalar> {
        let Loop { body, nest } = src;
        let free = &self.free[at];
        if free.given.is_some() {
            return Ok(Scalar::Int(0));
        }
        let step = self.step(free, split, nest);
        let extent = self
            .extents
            .get(&free.of)
            .cloned()
            .unwrap_or(Scalar::Int(1));
        // In short runs most rows of a hull would lie beyond the run.
        let hull_lanes = (!self.beyond.is_empty()).then_some(HULL_BYTES / split.narrow);
        let most_lanes = |max: Scalar| hull_lanes.into_iter().fold(max, Scalar::min);
        let most_rows = |max: Scalar| match self.rows_beside(src, free) {
            none if none.is_empty() => max,
            beside => max.min((Scalar::Int(most_rows(needs)) / product(beside)).max(1)),
        };
        let of_calls = self
            .most_of_calls(src, free, needs)
            .map(|most| whole_steps(most, step));
        let max = match (nest.divided, free.is_lane, free.is_outer) {
            (Divided::Elements, true, true) => {
                // A reduced tile is no longer than functions take, even if UB has room for more.
                let of_use = of_use(longest(host, split), Some(split.narrow.into()));
                most_lanes(longest_row.map_or(of_use.clone(), |longest| {
                    of_use.min(whole_steps(longest, step))
                }))
            }
            (Divided::Rows, false, true) => {
                let pitch = self.row_pitch().filter(|_| !nest.has_inner());
                let bytes = pitch.map(|pitch| Scalar::Var(pitch) * split.narrow);
                most_rows(of_use(longest(host, split), bytes))
            }
            (_, true, _) if !self.turned.is_empty() => most_lanes(
                extent.min(longest_row.map_or(TURNED_LANES, |longest| longest.min(TURNED_LANES))),
            ),
            (_, true, true) => {
                let good = Scalar::Int(GOOD_COPY_BYTES / split.narrow);
                most_lanes(
                    extent.min(
                        split
                            .of_use(host, body, &self.solved_before(at, true))?
                            .max(good),
                    ),
                )
            }
            (_, true, false) => {
                most_lanes(longest_row.map_or(extent.clone(), |longest| extent.min(longest)))
            }
            (_, false, true) => {
                let of_use = split
                    .of_use(host, body, &self.solved_before(at, true))?
                    .max(1);
                most_rows(extent.min(of_use))
            }
            (_, false, false) => most_rows(extent),
        };
        Ok(of_calls.into_iter().fold(max, Scalar::min))
    }

    /// Returns the largest size for which single calls take all of a run.
    fn most_of_calls(&self, src: Loop<'_>, free: &Free, needs: Needs) -> Option<i64> {
        // Elements that are copied one by one are rows of their copy.
        let single = (free.is_lane && self.single.contains(&free.of)).then_some(MOST_ROWS);
        let rows =
            (!free.is_lane && self.rows_beside(src, free).is_empty()).then_some(most_rows(needs));
        // A hull is one copy, too.
        let hull = self
            .beyond
            .get(&free.of)
            .filter(|_| !free.is_lane)
            .map(|more| MAX_COPY_BLOCKS - more);
        [single, rows, hull, self.by_offsets.get(&free.of).copied()]
            .into_iter()
            .flatten()
            .min()
    }

    /// Returns the sizes of the outermost loop, or of the others, that are solved before another
    /// one.
    fn solved_before(&self, at: usize, is_outer: bool) -> Vec<VarId> {
        self.free[..at]
            .iter()
            .filter(|f| f.is_outer == is_outer)
            .map(|f| f.var)
            .collect()
    }

    /// Returns the numbers of rows along other row axes: whole axes, and sizes solved before.
    fn rows_beside(&self, Loop { body, nest }: Loop<'_>, free: &Free) -> Vec<Scalar> {
        let mut beside = Vec::new();
        let at = self.free.iter().position(|f| f.of == free.of).unwrap_or(0);
        let solved = &self.free[..at];
        for value in nest::defined(body) {
            let (rows, _) = nest.sides(&value.axes);
            if !rows.iter().any(|ax| nest.whole(*ax) == free.of) {
                continue;
            }
            for of in rows
                .iter()
                .map(|ax| nest.whole(*ax))
                .filter(|of| *of != free.of)
            {
                let size = match self.free.iter().find(|f| f.of == of) {
                    // A size of 0, which means that nothing fits, is refused behind these steps.
                    Some(f) => solved
                        .iter()
                        .find(|s| s.of == f.of)
                        .map(|s| Scalar::Var(s.var).max(1)),
                    None => self.rooms.get(&of).cloned(),
                };
                beside.extend(size.filter(|size| !beside.contains(size)));
            }
        }
        beside
    }

    /// Makes checks that whole rows are no longer than one `Gather` takes by offsets.
    fn offsets_fit(&self, src: &Body) -> Made<Vec<HostStep>> {
        let whole = self
            .by_offsets
            .iter()
            .filter(|(of, _)| self.free.iter().all(|f| f.of != **of));
        let demand = |(of, most): (&AxId, &i64)| {
            let name = &src.axes[of.index()].name;
            let text = format!("`{name}` is more than {most}, the most elements of a row that one call takes by their offsets");
            Ok(require(self.extent(*of)?.bin(BinOp::Le, *most), text))
        };
        whole.map(demand).collect()
    }

    /// Makes checks that the rows of a tile, over several axes, are no more than calls take.
    fn rows_fit(&self, Loop { body, nest }: Loop<'_>, needs: Needs) -> Made<Vec<HostStep>> {
        let most = most_rows(needs);
        let mut demands: Vec<HostStep> = Vec::new();
        for value in nest::defined(body) {
            let (rows, lanes) = nest.sides(&value.axes);
            let is_solved = |ax: &AxId| self.free.iter().any(|f| f.of == nest.whole(*ax));
            if lanes.is_none() || rows.len() < 2 && rows.iter().all(is_solved) {
                continue;
            }
            let names: Vec<&str> = rows
                .iter()
                .map(|ax| body.axes[ax.index()].name.as_str())
                .collect();
            let sizes = rows.iter().map(|ax| match is_solved(ax) {
                true => self.run(nest.whole(*ax)),
                false => self.rows_of(nest.whole(*ax)),
            });
            let rows = product(sizes.collect::<Made<Vec<Scalar>>>()?);
            let step = require(
                rows.bin(BinOp::Le, most),
                format!(
                    "a tile has more than {most} rows over `{}`: cut one of these axes by a loop",
                    names.join("`, `")
                ),
            );
            if !demands.contains(&step) {
                demands.push(step);
            }
        }
        Ok(demands)
    }
}

/// Bytes of an offset, and of an index.
const OFFSET_BYTES: i64 = 4;

/// Returns the longest rows that scans and picks take by offsets in one `Gather`. Picks of whole
/// rows are copies and are left out.
///
/// Each call needs its offsets, its result, and its source or the indices in UB. Most chips have
/// less UB than such a row needs; then there is no bound.
fn by_offsets(host: &Host<'_>, Loop { body, nest }: Loop<'_>) -> BTreeMap<AxId, i64> {
    let mut found: BTreeMap<AxId, i64> = BTreeMap::new();
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
            return;
        };
        let lanes = |v: ValueId| nest.sides(&body.values[v.index()].axes).1;
        let is_by_offsets = match expr {
            TileExpr::Scan { .. } => true,
            TileExpr::Pick {
                value: from,
                along,
                at,
            } => {
                let is_copied = lanes(*from).is_some_and(|ax| ax != *along);
                matches!(at, Chosen::Tile { .. }) || !is_copied
            }
            TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Copy { .. }
            | TileExpr::Top { .. } => false,
        };
        if let Some(ax) = lanes(*value).filter(|_| is_by_offsets) {
            let size = host.binding.bytes(body.values[value.index()].dtype);
            let most = most_chosen(host.chip.repeat_bytes / size);
            if most * (size + OFFSET_BYTES + size.min(OFFSET_BYTES)) > host.chip.ub_usable() {
                return;
            }
            found
                .entry(nest.whole(ax))
                .and_modify(|other| *other = most.min(*other))
                .or_insert(most);
        }
    });
    found
}

/// Rounds a bound down to whole steps: the solver rounds its largest candidate up to a step.
fn whole_steps(most: i64, step: i64) -> i64 {
    most - most % step
}

/// Returns the largest number of rows that calls take.
const fn most_rows(needs: Needs) -> i64 {
    if needs.expands || needs.reduces {
        MOST_ROWS
    } else {
        MAX_COPY_BLOCKS
    }
}

/// Returns the whole units in `found`, if there are at least two; else `found`.
fn whole_units(found: VarId, unit: &Scalar) -> Scalar {
    let found = || Scalar::Var(found);
    let whole = found() - found() % unit.clone();
    Scalar::select(found().bin(BinOp::Ge, unit.clone() * 2), whole, found())
}

/// Returns the known divisor of a size: the step, if it is solved. A launch requires whole data
/// blocks of a given size; more divisors of it would be wrong for the sizes that messages propose.
fn divisor(given: Option<&Scalar>, step: i64, lanes: i64) -> i64 {
    match given {
        None => step,
        Some(_) => step.min(lanes),
    }
}

/// Returns the elements or rows of the longest share.
fn longest(host: &mut Host<'_>, split: &TileSplit) -> Scalar {
    let longest = split.share.longest(host);
    host.define("longest_share", ScalarTy::Index, longest)
        .into()
}

/// Returns the largest useful size of a tile in a share of elements or rows, each of `bytes` in the
/// narrowest tensor.
///
/// It is a quarter of the share, so three of four copies run beside computation. It is up to a half
/// while the copies of a quarter are too small for the bandwidth.
fn of_use(share: Scalar, bytes: Option<Scalar>) -> Scalar {
    let half = share.clone().ceil_div(2);
    match bytes {
        Some(bytes) => share
            .ceil_div(4)
            .max(half.min(Scalar::Int(GOOD_COPY_BYTES).ceil_div(bytes))),
        None => half,
    }
}
