//! Random tiles over sets of axes.

use super::super::exact::Range;
use super::super::plan::Picks;
use super::super::spell::write_op;
use super::super::tiles::combined;
use super::body::Builder;
use super::head::{Tensor, Use};
use jumar::dsl::dtype::{cast_modes, DType};
use jumar::dsl::ops::{is_composed, LayoutOp, Op, OpDef};
use jumar::dsl::soc::Arch;
use std::collections::BTreeSet;

/// An axis of a tile: a whole one by its number, or a loop variable by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ax {
    Whole(usize),
    Run(usize),
}

/// A tile expression.
#[derive(Clone, Debug)]
pub struct Tile {
    pub text: String,
    pub dtype: DType,
    pub axes: BTreeSet<Ax>,
    pub range: Option<Range>,
    pub atom: bool,
}

impl Tile {
    pub fn operand(&self) -> String {
        if self.atom {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

fn ops(b: &Builder<'_>, family: impl Fn(Op) -> bool, dtype: DType) -> Vec<&'static OpDef> {
    let arch = b.head.chip.arch;
    Op::all()
        .filter(|d| {
            family(d.op) && (d.dtypes(arch).contains(&dtype) || is_composed(d.op, dtype, arch))
        })
        .collect()
}

fn is_binary(op: Op) -> bool {
    matches!(op, Op::Binary(_))
}

impl Builder<'_> {
    /// Draws a tile of any axes and type.
    pub fn tile(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        if depth == 0 {
            return self.leaf(p);
        }
        match p.of(18) {
            0..=3 => self.binary(p, depth - 1),
            4 => self.with_scalar(p, depth - 1),
            5 => self.unary(p, depth - 1),
            6 | 7 => self.select(p, depth - 1),
            8..=11 => self.reduced_somehow(p, depth - 1),
            12 => {
                let e = self.tile(p, depth - 1);
                let to = *p.one(&[DType::F32, DType::F16, DType::I32]);
                self.convert(e, to)
            }
            13 => self.fill(p),
            15 => self.picked(p, depth - 1),
            16 => self.ordered(p, depth - 1),
            14 => {
                let e = self.tile(p, depth - 1);
                let more = self.more_axes(&e.axes, p);
                self.expanded(e, &more)
            }
            _ => self.leaf(p),
        }
    }

    fn leaf(&mut self, p: &mut Picks<'_>) -> Tile {
        if let Some(again) = self.again(p) {
            return again;
        }
        let values: Vec<Tile> = self
            .values
            .iter()
            .filter(|v| !v.gathers)
            .map(|v| v.tile.clone())
            .collect();
        if !values.is_empty() && p.of(3) != 2 {
            return values[values.len() - 1 - p.of(values.len())].clone();
        }
        let inputs: Vec<Tensor> = self
            .head
            .tensors
            .iter()
            .filter(|t| t.is_loaded())
            .cloned()
            .collect();
        let t = p.one(&inputs).clone();
        self.load(&t, p)
            .unwrap_or_else(|| values.last().cloned().unwrap_or_else(|| self.fill(p)))
    }

    fn load(&mut self, t: &Tensor, p: &mut Picks<'_>) -> Option<Tile> {
        let mut axes = BTreeSet::new();
        let mut indices = Vec::new();
        let (mut moves, mut leaves, mut chosen) = (false, false, false);
        for axis in &t.axes {
            let ids = if t.dtype.is_number() && p.once_in(12) {
                self.chosen(t, *axis, &axes, p)
            } else {
                None
            };
            if let Some((text, own)) = ids {
                axes.extend(own);
                indices.push(text);
                (moves, chosen) = (true, true);
                continue;
            }
            // Storage types are copied as they lie.
            let computed = if t.dtype.is_number() {
                self.computed(t, *axis, &axes, p)
            } else {
                None
            };
            if let Some((text, ax, out)) = computed {
                axes.extend(ax);
                indices.push(text);
                (moves, leaves) = (true, leaves | out);
                continue;
            }
            let (what, text) = match self.open(*axis) {
                Some(run) if !p.once_in(7) => {
                    moves = true;
                    let run_is_each = self.runs[run].each;
                    if !run_is_each {
                        axes.insert(Ax::Run(run));
                    }
                    (
                        if run_is_each { "each" } else { "run" },
                        self.runs[run].name.clone(),
                    )
                }
                None if p.once_in(10)
                    && self.head.axes[*axis].size > 0
                    && self.head.axes[*axis].made.is_none() =>
                {
                    let last = self.head.axes[*axis].size - 1;
                    let at = p.of(2) * last.min(5);
                    self.facts
                        .insert(format!("{} > {at}", self.head.axes[*axis].name));
                    ("number", at.to_string())
                }
                open => {
                    axes.insert(Ax::Whole(*axis));
                    (
                        if open.is_some() {
                            "whole of a cut axis"
                        } else {
                            "whole"
                        },
                        "..".to_string(),
                    )
                }
            };
            self.cover.note(format!("index {what}"));
            indices.push(text);
        }
        if !self.room_for_load(moves) {
            return None;
        }
        self.cover.note(if t.of.is_some() {
            "load view".to_string()
        } else {
            format!("load of {}", axes.len())
        });
        let range = self
            .head
            .exact
            .then(|| Range::new(8.0, if t.dtype == DType::I32 { 0 } else { -1 }));
        let load = match (leaves, t.dtype) {
            (false, _) => "load()",
            (true, DType::I32) => "load_or(-3)",
            (true, _) => "load_or(-2.5)",
        };
        if leaves {
            self.cover.note("load or");
        }
        let text = format!("{}.at({}).{load}", t.name, indices.join(", "));
        if t.dtype.is_number() {
            let mut load = Tile {
                text,
                dtype: t.dtype,
                axes,
                range,
                atom: true,
            };
            self.note_written(&load);
            if chosen {
                // Each occurrence of the text would be a load.
                self.held(&mut load);
            }
            return Some(load);
        }
        self.cover.note(format!("stored load {}", t.dtype));
        let range = range.map(Range::whole);
        Some(Tile {
            text: format!("{text}.cast::<f32>()"),
            dtype: DType::F32,
            axes,
            range,
            atom: true,
        })
    }

    /// Draws indices of an axis, promised or computed, or a scalar that was read, with the axes
    /// that replace it.
    fn chosen(
        &mut self,
        t: &Tensor,
        axis: usize,
        own: &BTreeSet<Ax>,
        p: &mut Picks<'_>,
    ) -> Option<(String, BTreeSet<Ax>)> {
        let of = self.head.axes[axis].clone();
        if of.size == 0 || of.made.is_some() {
            return None;
        }
        let inside = |text: String| format!("{text}.max(0).min({} - 1)", of.name);
        let read = self
            .numbers
            .iter()
            .rev()
            .find(|n| n.dtype == DType::I32)
            .map(|n| n.name.clone());
        if let Some(read) = read.filter(|_| p.of(2) == 0) {
            self.cover.note("index read");
            self.facts.insert(format!("{} > 0", of.name));
            return Some((inside(format!("({read} as usize)")), BTreeSet::new()));
        }
        let ids = self
            .head
            .tensors
            .iter()
            .find(|ids| ids.used == Use::Indexes(axis))
            .cloned();
        let (what, ids) = match ids.filter(|_| p.of(3) > 0) {
            Some(ids) => {
                let ids = self.load(&ids, p)?;
                // A place outside of the index tensor reads a number that is no index.
                let leaves = ids.text.contains(".load_or(");
                (
                    "promised",
                    if leaves {
                        Tile {
                            text: inside(ids.text),
                            ..ids
                        }
                    } else {
                        ids
                    },
                )
            }
            None => {
                let ids = self.tile(p, 0);
                let ids = self.convert(ids, DType::I32);
                (
                    "computed",
                    Tile {
                        text: inside(ids.operand()),
                        ..ids
                    },
                )
            }
        };
        let others = t.axes.iter().filter(|other| **other != axis);
        let apart = |ax: &Ax| {
            own.iter().all(|o| self.axis(*o) != self.axis(*ax))
                && others.clone().all(|o| *o != self.axis(*ax))
        };
        if !ids.axes.iter().all(apart) || self.too_large(own, &ids.axes) {
            return None;
        }
        self.facts.insert(format!("{} > 0", of.name));
        self.cover.note(format!("ids {what}"));
        Some((ids.text, ids.axes))
    }

    /// Perhaps draws a computed index, with its axis, and whether it may lie outside.
    fn computed(
        &mut self,
        t: &Tensor,
        axis: usize,
        own: &BTreeSet<Ax>,
        p: &mut Picks<'_>,
    ) -> Option<(String, Option<Ax>, bool)> {
        let size = self.head.axes[axis].size as i64;
        let run = match self.open(axis) {
            Some(run) if p.once_in(4) => run,
            // A loop variable of an axis that the tensor does not have.
            None if p.once_in(12) => {
                let other = |r: &usize| {
                    !t.axes.contains(&self.runs[*r].axis) && !own.contains(&Ax::Run(*r))
                };
                let all: Vec<usize> = self.loops.iter().flatten().copied().filter(other).collect();
                let run = *all.get(p.of(all.len().max(1)))?;
                self.cover.note("computed elsewhere");
                run
            }
            _ => return None,
        };
        self.spreads = true;
        let (name, each) = (self.runs[run].name.clone(), self.runs[run].each);
        let ax = (!each).then_some(Ax::Run(run));
        if each {
            self.cover.note("computed single");
        }
        if self.runs[run].axis == axis && p.of(3) == 0 {
            self.cover.note("computed from the end");
            return Some((
                format!("{} - 1 - {name}", self.head.axes[axis].name),
                ax,
                false,
            ));
        }
        let factor = *p.one(&[1, 1, 2, 3, -1, 4, -2]);
        let offset = *p.one(&[1, 0, -1, 3, -8, 17, size - 1, -size, 2 * size]);
        self.cover.note(match factor {
            1 => "computed behind",
            2.. => "computed step",
            _ => "computed back",
        });
        let text = match (factor, offset) {
            (1, 0..) => format!("{name} + {offset}"),
            (1, _) => format!("{name} - {}", -offset),
            (2.., 0..) => format!("{factor} * {name} + {offset}"),
            (2.., _) => format!("{name} * {factor} - {}", -offset),
            (_, 0..) => format!("{offset} - {name} * {}", -factor),
            (_, _) => format!("0 - ({name} * {} + {})", -factor, -offset),
        };
        Some((text, ax, true))
    }

    /// Draws some axes that a tile could have here besides its own.
    fn more_axes(&mut self, own: &BTreeSet<Ax>, p: &mut Picks<'_>) -> BTreeSet<Ax> {
        let mut more = BTreeSet::new();
        for axis in 0..self.head.axes.len() {
            let ax = match self.open(axis) {
                Some(run) if self.runs[run].each => continue,
                Some(run) => Ax::Run(run),
                None => Ax::Whole(axis),
            };
            if p.once_in(3)
                && !own.iter().any(|o| self.axis(*o) == axis)
                && !self.overlaps(axis, own, &more)
            {
                more.insert(ax);
            }
        }
        more
    }

    /// True where an axis and one of a tile are views of one axis, so both together are too large.
    fn overlaps(&self, axis: usize, own: &BTreeSet<Ax>, more: &BTreeSet<Ax>) -> bool {
        let elements = |ax: &Ax| self.head.axes[self.axis(*ax)].size.max(1);
        let all: usize = own.iter().chain(more).map(elements).product();
        all * self.head.axes[axis].size > 20_000
    }

    pub fn fill(&mut self, p: &mut Picks<'_>) -> Tile {
        let axes = self.more_axes(&BTreeSet::new(), p);
        let dtype = *p.one(&[DType::F32, DType::F32, DType::F16, DType::I32]);
        let (n, range) = self.scalar(dtype, p);
        self.cover.note(format!("fill of {}", axes.len()));
        let text = format!("full::<{}>({}, {n})", dtype.name(), self.axes_text(&axes));
        Tile {
            text,
            dtype,
            axes,
            range: Some(range),
            atom: true,
        }
    }

    /// Draws a scalar that fits elements of a type.
    fn scalar(&mut self, dtype: DType, p: &mut Picks<'_>) -> (String, Range) {
        let read = self
            .numbers
            .iter()
            .rev()
            .find_map(|n| (n.dtype == dtype).then_some((n.name.clone(), n.range?)));
        if let Some(read) = read.filter(|_| p.of(3) > 0) {
            self.cover.note("read number");
            return read;
        }
        let each: Vec<(String, usize)> = self
            .loops
            .iter()
            .flatten()
            .map(|r| &self.runs[*r])
            .filter(|r| r.each)
            .map(|r| (r.name.clone(), r.axis))
            .collect();
        let (name, axis) = match p.of(5) {
            0 if !each.is_empty() => p.one(&each).clone(),
            1 => {
                let axis = p.of(self.head.axes.len());
                (self.head.axes[axis].name.clone(), axis)
            }
            _ => {
                let n: i32 = *p.one(&[2, 1, -1, 3, -2]);
                let text = if dtype.is_float() {
                    format!("{n}.0")
                } else {
                    n.to_string()
                };
                return (
                    if n < 0 { format!("({text})") } else { text },
                    Range::new(f64::from(n.abs()), 0),
                );
            }
        };
        self.cover.note("scalar of an axis");
        (name, Range::new(self.head.axes[axis].size as f64, 0))
    }

    /// Casts a tile, through f32 where there is no direct cast.
    pub fn convert(&mut self, e: Tile, to: DType) -> Tile {
        if e.dtype == to {
            return e;
        }
        // Every type casts to a storage type.
        let direct = !to.is_number() || !cast_modes(self.head.chip.arch, e.dtype, to).is_empty();
        let e = if direct || to == DType::F32 {
            e
        } else {
            self.convert(e, DType::F32)
        };
        let range = if to == DType::I32 {
            e.range.map(Range::whole)
        } else {
            e.range
        };
        let text = format!("{}.cast::<{}>()", e.operand(), to.name());
        Tile {
            text,
            dtype: to,
            range: range.and_then(|r| r.kept(&[to])),
            atom: true,
            ..e
        }
    }

    /// Broadcasts a tile along axes.
    pub fn expanded(&mut self, e: Tile, more: &BTreeSet<Ax>) -> Tile {
        if more.is_empty() {
            return e;
        }
        let axes: BTreeSet<Ax> = e.axes.union(more).copied().collect();
        self.note_places("expand", &axes, more);
        Tile {
            text: format!("{}.expand({})", e.operand(), self.axes_text(more)),
            axes,
            atom: true,
            ..e
        }
    }

    /// Draws a tile beside another, so that one has the axes of both; perhaps the first is
    /// broadcast for it.
    fn beside(&mut self, a: &mut Tile, p: &mut Picks<'_>, depth: usize) -> Tile {
        let b = self.tile(p, depth);
        let b = self.convert(b, a.dtype);
        let lacks: BTreeSet<Ax> = b.axes.difference(&a.axes).copied().collect();
        let apart = |x: &Ax| a.axes.iter().all(|y| self.axis(*x) != self.axis(*y));
        if !lacks.iter().all(apart) || self.too_large(&a.axes, &lacks) {
            self.held(a);
            return a.clone();
        }
        if !lacks.is_empty() && !a.axes.is_subset(&b.axes) {
            *a = self.expanded(a.clone(), &lacks);
        }
        b
    }

    fn too_large(&self, own: &BTreeSet<Ax>, more: &BTreeSet<Ax>) -> bool {
        let all: usize = own
            .iter()
            .chain(more)
            .map(|ax| self.head.axes[self.axis(*ax)].size.max(1))
            .product();
        all > 20_000
    }

    fn held(&mut self, e: &mut Tile) {
        if e.text.contains(['(', ' ']) {
            let name = self.name("v");
            self.line(format!("let {name} = {};", e.text));
            (e.text, e.atom) = (name, true);
        }
    }

    fn binary(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let mut a = self.tile(p, depth);
        let b = self.beside(&mut a, p, depth);
        let def = *p.one(&ops(self, is_binary, a.dtype));
        let axes: BTreeSet<Ax> = a.axes.union(&b.axes).copied().collect();
        for side in [&a, &b] {
            let lacks: BTreeSet<Ax> = axes.difference(&side.axes).copied().collect();
            self.note_places("repeat", &axes, &lacks);
        }
        let range = a
            .range
            .zip(b.range)
            .and_then(|(x, y)| combined(def.name, x, y))
            .and_then(|r| r.kept(&[a.dtype]));
        let text = write_op(def, &[&a.operand(), &b.operand()]);
        Tile {
            text,
            axes,
            range,
            atom: false,
            dtype: a.dtype,
        }
    }

    fn with_scalar(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let a = self.tile(p, depth);
        let (n, other) = self.scalar(a.dtype, p);
        let def = *p.one(&ops(self, is_binary, a.dtype));
        // To `max` and `min`, the name of an axis is no number.
        let is_axis = self.head.axes.iter().any(|axis| axis.name == n);
        let n = match def.name {
            "max" | "min" if is_axis => format!("({n} as i32)"),
            _ => n,
        };
        let range = a
            .range
            .and_then(|x| combined(def.name, x, other))
            .and_then(|r| r.kept(&[a.dtype]));
        Tile {
            text: write_op(def, &[&a.operand(), &n]),
            range,
            atom: false,
            ..a
        }
    }

    fn unary(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let a = self.tile(p, depth);
        let all = ops(self, |op| matches!(op, Op::Unary(_)), a.dtype);
        if all.is_empty() {
            return a;
        }
        let def = *p.one(&all);
        let range = a.range.filter(|_| matches!(def.name, "abs" | "relu"));
        Tile {
            text: write_op(def, &[&a.operand()]),
            range,
            atom: def.name != "neg",
            ..a
        }
    }

    fn select(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let a = self.tile(p, depth);
        let chooses = !ops(self, |op| op == Op::Layout(LayoutOp::Select), a.dtype).is_empty();
        let mut a = if chooses {
            a
        } else {
            self.convert(a, DType::F32)
        };
        let b = self.beside(&mut a, p, depth);
        if b.axes.len() > a.axes.len() {
            return b;
        }
        let compares = ops(self, |op| matches!(op, Op::Compare(_)), a.dtype);
        let mask = write_op(
            compares[p.of(compares.len())],
            &[&a.operand(), &b.operand()],
        );
        self.held(&mut a);
        let b = self.tile(p, 0);
        let b = self.convert(b, a.dtype);
        let b = if b.axes.is_subset(&a.axes) {
            b
        } else {
            a.clone()
        };
        self.cover.note(format!("select of {}", a.dtype));
        let range = a.range.zip(b.range).map(|(x, y)| x.either(y));
        Tile {
            text: format!("({mask}).select({}, {})", b.text, a.text),
            range,
            atom: true,
            ..a
        }
    }

    fn reduced_somehow(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let e = self.tile(p, depth);
        let whole: Vec<usize> = e
            .axes
            .iter()
            .filter_map(|ax| {
                if let Ax::Whole(axis) = ax {
                    Some(*axis)
                } else {
                    None
                }
            })
            .collect();
        if whole.is_empty() {
            return e;
        }
        let over = super::head::some(&whole, p)
            .into_iter()
            .map(Ax::Whole)
            .collect();
        self.reduced(e, &over, 1, None, p).0
    }

    /// Picks elements by their index along a whole axis that is not empty.
    fn picked(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let e = self.tile(p, depth);
        let some = |ax: &Ax| {
            if let Ax::Whole(axis) = ax {
                Some(*axis).filter(|axis| self.head.axes[*axis].size > 0)
            } else {
                None
            }
        };
        let whole: Vec<usize> = e.axes.iter().filter_map(some).collect();
        if whole.is_empty() {
            return e;
        }
        let along = *p.one(&whole);
        let name = self.head.axes[along].name.clone();
        let rest: BTreeSet<Ax> = e
            .axes
            .iter()
            .copied()
            .filter(|ax| *ax != Ax::Whole(along))
            .collect();
        // An axis that the kernel makes may be empty for other sizes.
        if let Some(made) = &self.head.axes[along].made {
            self.facts.insert(format!("{made} > 0"));
        }
        let read = self
            .numbers
            .iter()
            .rev()
            .find(|n| n.dtype == DType::I32)
            .map(|n| n.name.clone());
        let (what, at, axes) = match (p.of(6), self.moving(along, &rest, p), read) {
            (0 | 1, _, Some(read)) => (
                "read",
                format!("({read} as usize).max(0).min({name} - 1)"),
                rest,
            ),
            (0, ..) => ("first", "0".to_string(), rest),
            (1, ..) => ("last", format!("{name} - 1"), rest),
            (2 | 3, Some((at, run)), _) => ("moving", at, rest.into_iter().chain([run]).collect()),
            _ => {
                let ids = self.tile(p, depth);
                let ids = self.convert(ids, DType::I32);
                let apart = |x: &Ax| {
                    rest.iter()
                        .all(|y| x == y || self.axis(*x) != self.axis(*y))
                };
                let lacks: BTreeSet<Ax> = ids.axes.difference(&rest).copied().collect();
                if !ids.axes.iter().all(apart) || self.too_large(&rest, &lacks) {
                    return e;
                }
                (
                    "tile",
                    format!("{}.max(0).min({name} - 1)", ids.operand()),
                    rest.union(&ids.axes).copied().collect(),
                )
            }
        };
        self.cover.note(format!("pick {what}"));
        Tile {
            text: format!("{}.pick({name}, {at})", e.operand()),
            axes,
            atom: true,
            ..e
        }
    }

    /// Sorts elements along a whole axis that is not empty, or scans them.
    fn ordered(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let e = self.tile(p, depth);
        let some = |ax: &Ax| match ax {
            // An axis that the kernel makes may be empty for other sizes.
            Ax::Whole(axis)
                if self.head.axes[*axis].size > 0 && self.head.axes[*axis].made.is_none() =>
            {
                Some(*axis)
            }
            Ax::Whole(_) | Ax::Run(_) => None,
        };
        let whole: Vec<usize> = e.axes.iter().filter_map(some).collect();
        let mut ways = Vec::new();
        if matches!(e.dtype, DType::F16 | DType::Bf16 | DType::F32)
            && self.head.chip.arch == Arch::V220
        {
            ways.extend(["sort", "argsort"]);
        }
        if matches!(e.dtype, DType::F16 | DType::Bf16 | DType::F32 | DType::I32) {
            ways.extend(["cumsum", "cumprod"]);
        }
        if whole.is_empty() || ways.is_empty() {
            return e;
        }
        let (along, way) = (&self.head.axes[*p.one(&whole)], *p.one(&ways));
        self.cover.note(format!("order {way}"));
        let (dtype, range) = match way {
            "sort" => (e.dtype, e.range),
            "argsort" => (DType::I32, Some(Range::new(along.size as f64, 0))),
            _ => (e.dtype, None),
        };
        Tile {
            text: format!("{}.{way}({})", e.operand(), along.name),
            dtype,
            range,
            atom: true,
            ..e
        }
    }

    /// Draws an index along an axis that moves with a loop variable, and the variable.
    fn moving(
        &mut self,
        along: usize,
        rest: &BTreeSet<Ax>,
        p: &mut Picks<'_>,
    ) -> Option<(String, Ax)> {
        let runs = self
            .loops
            .iter()
            .flatten()
            .copied()
            .filter(|r| !self.runs[*r].each);
        let free = |r: &usize| rest.iter().all(|ax| self.axis(*ax) != self.runs[*r].axis);
        let free: Vec<usize> = runs.filter(free).collect();
        let run = *free.get(p.of(free.len().max(1)))?;
        let (axis, name) = (self.runs[run].axis, self.runs[run].name.clone());
        let (of, size) = (self.head.axes[axis].name.clone(), self.head.axes[axis].size);
        let (factor, offset) = (*p.one(&[1, 2, 1, 3]), *p.one(&[0, 1, 5]));
        // The index is inside for these sizes, and facts demand it for every launch.
        let known = [axis, along]
            .iter()
            .all(|ax| self.head.axes[*ax].made.is_none());
        let inside = known && size > 0 && (size - 1) * factor + offset < self.head.axes[along].size;
        let text = match (factor, offset) {
            _ if axis == along && p.of(2) == 0 => name,
            _ if !inside => return None,
            (1, 0) => format!("{name} + 0"),
            (1, _) => format!("{name} + {offset}"),
            (_, 0) => format!("{name} * {factor}"),
            (_, _) => format!("{name} * {factor} + {offset}"),
        };
        if !(axis == along && text == self.runs[run].name) {
            self.facts.insert(format!("{of} >= 1"));
            self.facts.insert(format!(
                "({of} - 1) * {factor} + {offset} < {}",
                self.head.axes[along].name
            ));
        }
        Some((text, Ax::Run(run)))
    }

    /// Draws a reduction along axes, accumulated over so many iterations, and returns it with its
    /// name. In exact mode a sum that is not exact becomes a maximum.
    pub fn reduced(
        &mut self,
        e: Tile,
        over: &BTreeSet<Ax>,
        turns: usize,
        wanted: Option<&'static str>,
        p: &mut Picks<'_>,
    ) -> (Tile, &'static str) {
        let size: usize = over
            .iter()
            .map(|ax| self.head.axes[self.axis(*ax)].size)
            .product();
        let mut name = wanted
            .unwrap_or_else(|| ["sum", "sum", "amax", "amin", "mean", "prod", "argmax"][p.of(7)]);
        let is_one = over.len() == 1 && size > 0;
        // Only floats have means, only products of few numbers are exact, and a place needs one
        // axis that is not empty.
        if name == "mean" && !e.dtype.is_float()
            || name == "prod" && self.head.exact
            || name == "argmax" && !is_one
        {
            name = "amax";
        }
        if name == "argmax" && e.dtype == DType::I32 && self.head.chip.arch != Arch::V220 {
            name = "amax";
        }
        self.cover.note(format!("reduction {name}"));
        let sum = e
            .range
            .map(|r| Range {
                minus_zero: false,
                ..r
            })
            .and_then(|r| r.sum(size * turns, &[e.dtype]));
        let adds = |name: &str| matches!(name, "sum" | "mean");
        if adds(name) && sum.is_none() && self.head.exact {
            name = "amax";
        }
        self.ordered |= adds(name) && sum.is_none() || name == "prod";
        // Adding zero removes a negative zero before the sum.
        let zero = if e.dtype.is_float() { "0.0" } else { "0" };
        let signed = adds(name) && e.range.is_some_and(|r| r.minus_zero);
        let from = if signed {
            format!("({} + {zero})", e.operand())
        } else {
            e.operand()
        };
        self.note_places("reduce", &e.axes, over);
        let over_text = if *over == e.axes && p.of(2) == 0 {
            "..".to_string()
        } else {
            self.axes_text(over)
        };
        let (range, dtype) = match name {
            "sum" => (sum, e.dtype),
            "mean" | "prod" => (None, e.dtype),
            "argmax" => (Some(Range::new(size as f64, 0)), DType::I32),
            _ => (e.range, e.dtype),
        };
        let axes = e.axes.difference(over).copied().collect();
        let range = range.filter(|_| size > 0);
        (
            Tile {
                text: format!("{from}.{name}({over_text})"),
                axes,
                range,
                atom: true,
                dtype,
            },
            name,
        )
    }

    /// Notes where some axes of a tile lie among all of them.
    fn note_places(&mut self, what: &str, all: &BTreeSet<Ax>, some: &BTreeSet<Ax>) {
        let mut axes: Vec<usize> = all.iter().map(|ax| self.axis(*ax)).collect();
        axes.sort_unstable();
        let at = |ax: &Ax| axes.iter().position(|a| *a == self.axis(*ax)).unwrap_or(0);
        let place = match some.iter().map(at).collect::<Vec<_>>()[..] {
            [] => return,
            _ if some.len() == all.len() => "all",
            [0] => "first",
            [at] if at + 1 == axes.len() => "last",
            [_] => "middle",
            _ => "several",
        };
        self.cover.note(format!("{what} {place}"));
    }
}
