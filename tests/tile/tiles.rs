//! Random tile expressions that fit the place, the element types of all instances, and the chip.

use super::build::{Builder, Place};
use super::exact::Range;
use super::head::{Part, Tensor, Ty};
use super::plan::Picks;
use super::spell::write_op;
use jumar::dsl::dtype::{cast_modes, DType, RoundMode};
use jumar::dsl::ir::{Role, ScalarTy, Stage};
use jumar::dsl::ops::{is_composed, BinaryOp, LayoutOp, Op, OpDef};

/// Extent of a tile; the number is the level of the loop whose columns it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    Full(u8),
    Row(u8),
    Col,
}

impl Form {
    /// Returns the form of an elementwise result.
    pub fn join(self, o: Form) -> Option<Form> {
        match (self, o) {
            (a, b) if a == b => Some(a),
            (Form::Full(a), Form::Row(b)) | (Form::Row(b), Form::Full(a)) if a == b => {
                Some(Form::Full(a))
            }
            (Form::Full(l), Form::Col) | (Form::Col, Form::Full(l)) => Some(Form::Full(l)),
            // A row beside a column would be an outer product.
            _ => None,
        }
    }
    pub fn word(self) -> &'static str {
        match self {
            Form::Full(_) => "tile",
            Form::Row(_) => "row",
            Form::Col => "col",
        }
    }
}

/// A tile expression.
#[derive(Clone, Debug)]
pub struct Tile {
    pub text: String,
    pub ty: Ty,
    pub form: Form,
    pub range: Option<Range>,
    pub atom: bool,
    /// True for a variable that is assigned.
    pub mutable: bool,
}

impl Tile {
    pub fn new(text: impl Into<String>, ty: Ty, form: Form, range: Option<Range>) -> Tile {
        Tile {
            text: text.into(),
            ty,
            form,
            range,
            atom: true,
            mutable: false,
        }
    }
    pub fn operand(&self) -> String {
        if self.atom {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

const F32: Ty = Ty::Is(DType::F32);

impl Builder<'_> {
    fn ops(&self, family: impl Fn(Op) -> bool, ty: Ty) -> Vec<&'static OpDef> {
        let arch = self.head.arch();
        let dtypes = self.head.dtypes(ty);
        let takes =
            |d: &OpDef, t: &DType| d.dtypes(arch).contains(t) || is_composed(d.op, *t, arch);
        Op::all()
            .filter(|d| family(d.op) && dtypes.iter().all(|t| takes(d, t)))
            .collect()
    }

    fn range(&self, range: Option<Range>, ty: Ty) -> Option<Range> {
        range.and_then(|r| r.kept(&self.head.dtypes(ty)))
    }

    fn note_op(&mut self, name: &str, ty: Ty) {
        for dtype in self.head.dtypes(ty) {
            self.cover.note(format!("op {name} {dtype}"));
        }
    }

    /// Draws a tile of any form and type.
    pub fn tile(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        if depth == 0 {
            return self.leaf(p);
        }
        if depth < 2 {
            self.cover.note("value nested");
        }
        match p.of(18) {
            0 | 1 => self.binary(p, depth - 1),
            2 | 3 => self.with_scalar(p, depth - 1, false),
            4 => self.with_scalar(p, depth - 1, true),
            5 | 6 => self.unary(p, depth - 1),
            7 | 8 => self.select(p, depth - 1),
            9 | 10 => self.row_reduce(p, depth - 1),
            11 | 12 | 15 => {
                let e = self.tile(p, depth - 1);
                // Few kernels have these pairs otherwise.
                let short = self
                    .head
                    .dtypes(e.ty)
                    .iter()
                    .all(|d| matches!(d, DType::F16 | DType::Bf16));
                let to = if short && p.of(4) < 3 {
                    Ty::Is(DType::I32)
                } else {
                    self.any_type(p)
                };
                self.convert(e.clone(), to, p).unwrap_or(e)
            }
            13 => self.fill(p),
            14 => self.helper(p, depth - 1),
            _ => self.leaf(p),
        }
    }

    /// Draws a type that the kernel names, or f32.
    fn any_type(&mut self, p: &mut Picks<'_>) -> Ty {
        let ty = p.one(&self.head.tensors).ty;
        match (p.of(5), ty) {
            (0, _) => F32,
            (1, Ty::Param(i)) => {
                self.cover.note("generic wide");
                if self.head.generics[i].1 == "Float" {
                    F32
                } else {
                    Ty::Wide(i)
                }
            }
            (2, _) => Ty::Is(*p.one(&[DType::F16, DType::I32])),
            _ => ty,
        }
    }

    /// Draws a value in scope, a load, or a fill.
    pub fn leaf(&mut self, p: &mut Picks<'_>) -> Tile {
        let values: Vec<Tile> = self
            .tiles
            .iter()
            .filter(|v| self.readable(v))
            .map(|v| v.tile.clone())
            .collect();
        if !values.is_empty() && p.of(4) != 3 {
            // The newest is the first choice.
            return values[values.len() - 1 - p.of(values.len())].clone();
        }
        if let Some(indices) = self.indices(p) {
            return indices;
        }
        self.load(p).unwrap_or_else(|| match values.last() {
            Some(v) => v.clone(),
            None => self.fill(p),
        })
    }

    /// Seldom draws the indices along an axis.
    fn indices(&mut self, p: &mut Picks<'_>) -> Option<Tile> {
        let level = self.place.level();
        let form = match self.place {
            Place::Flat => Form::Full(level),
            Place::Rows | Place::Cols => *p.one(&[Form::Row(level), Form::Col]),
            Place::Before | Place::After => return None,
        };
        if !p.once_in(6) {
            return None;
        }
        self.cover.note(format!("value iota {}", form.word()));
        Some(Tile::new(
            format!("{}.iota()", self.axes(form)),
            Ty::Is(DType::I32),
            form,
            None,
        ))
    }

    /// Draws a row or a column from GM, or any leaf.
    fn loaded_part(&mut self, part: Part, p: &mut Picks<'_>) -> Tile {
        self.load_of(|t| t.part == part, p)
            .unwrap_or_else(|| self.leaf(p))
    }

    fn load(&mut self, p: &mut Picks<'_>) -> Option<Tile> {
        self.load_of(|_| true, p)
    }

    fn load_of(&mut self, wanted: impl Fn(&Tensor) -> bool, p: &mut Picks<'_>) -> Option<Tile> {
        let inside = self.place == Place::Cols;
        let may = |t: &&Tensor| {
            wanted(t)
                && t.role != Role::Out
                && t.part != Part::Unread
                && self.room_for(t)
                && !(inside && t.part == Part::Col && t.role == Role::InOut)
        };
        let all: Vec<Tensor> = self.head.tensors.iter().filter(may).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let t = p.one(&all);
        let (method, form) = match t.part {
            Part::Full => ("load", Form::Full(self.place.level())),
            Part::Row => ("load row", Form::Row(self.place.level())),
            Part::Col | Part::Unread => ("load col", Form::Col),
        };
        self.loaded(t);
        self.cover.note(format!("value {method}"));
        let exact = self.head.exact && !self.stored.contains(&t.name);
        let range = exact.then(|| {
            if self.head.dtypes(t.ty) == [DType::I32] {
                Range::new(8.0, 0)
            } else {
                Range::new(8.0, -1)
            }
        });
        if t.role == Role::InOut && self.stored.contains(&t.name) {
            self.cover.note("store then loaded");
        }
        Some(Tile::new(
            format!("{}.load()", self.at(t)),
            t.ty,
            form,
            range,
        ))
    }

    /// Draws a fill: `full(t, v)` or `full(r, v)`.
    pub fn fill(&mut self, p: &mut Picks<'_>) -> Tile {
        let ty = self.any_type(p);
        let ty = if p.once_in(2) { ty } else { F32 };
        let col = self.place == Place::Rows && p.once_in(3);
        let n = self.scalar_for(ty, p);
        let range = self.range(n.as_range(), ty);
        let (word, form) = if col {
            ("full col", Form::Col)
        } else {
            ("full", Form::Full(self.place.level()))
        };
        let axes = self.axes(form);
        if ty == F32 {
            self.cover.note(format!("value {word}"));
            return Tile::new(format!("full({axes}, {})", n.text), ty, form, range);
        }
        self.cover.note(format!("value {word}::<>"));
        Tile::new(
            format!("full::<{}>({axes}, {})", self.head.word(ty), n.text),
            ty,
            form,
            range,
        )
    }

    /// Draws a scalar that fits elements of a type.
    pub fn scalar_for(&mut self, ty: Ty, p: &mut Picks<'_>) -> super::scalars::Num {
        let scalar = match (self.head.is_float(ty), p.of(4)) {
            (Some(true), 0..=2) => ScalarTy::F32,
            (_, 1 | 3) => ScalarTy::Index,
            _ => ScalarTy::I32,
        };
        let depth = p.of(3);
        let n = self.num(scalar, Stage::Block, p, depth);
        // Beside floats a quotient of integers is cast.
        let is_quotient = scalar != ScalarTy::F32 && n.text.contains(" / ");
        if is_quotient && self.head.is_float(ty) == Some(true) {
            let text = format!("({}) as f32", n.text);
            return super::scalars::Num {
                text,
                atom: false,
                ..n
            };
        }
        n
    }

    /// Draws a tile whose type an op takes.
    fn taken(&mut self, family: fn(Op) -> bool, p: &mut Picks<'_>, depth: usize) -> Tile {
        let e = self.tile(p, depth);
        if !self.ops(family, e.ty).is_empty() {
            return e;
        }
        match self.convert(e, F32, p) {
            Some(e) => e,
            None => Tile::new(
                format!("full({}, 2.0)", self.axes(Form::Full(self.place.level()))),
                F32,
                Form::Full(self.place.level()),
                Some(Range::new(2.0, 0)),
            ),
        }
    }

    /// Draws a tile of the type of `a` whose form fits it.
    fn beside(&mut self, a: &mut Tile, p: &mut Picks<'_>, depth: usize) -> Tile {
        let form = a.form;
        let b = match (form, p.once_in(2)) {
            // Only a row and a column make a full tile often.
            (Form::Row(_), true) if self.place == Place::Rows => self.loaded_part(Part::Col, p),
            (Form::Col, true) => self.loaded_part(Part::Row, p),
            _ => self.tile(p, depth),
        };
        if let Some(b) = self.convert(b, a.ty, p) {
            if form.join(b.form).is_some() {
                return b;
            }
            let crossed = matches!((form, b.form), (Form::Row(l), Form::Col) | (Form::Col, Form::Row(l)) if l == self.place.level());
            if crossed
                && !self
                    .ops(|op| op == Op::Binary(BinaryOp::Max), a.ty)
                    .is_empty()
            {
                *a = self.expanded(a.clone(), self.place.level());
                return b;
            }
        }
        let near = self
            .tiles
            .iter()
            .filter(|v| self.readable(v) && v.tile.ty == a.ty && form.join(v.tile.form).is_some());
        let near: Vec<Tile> = near.map(|v| v.tile.clone()).collect();
        if near.is_empty() {
            self.held(a);
            return a.clone();
        }
        p.one(&near).clone()
    }

    /// Names an expression that stands twice, so it is loaded once.
    pub fn held(&mut self, e: &mut Tile) {
        if e.text.contains(['(', ' ']) {
            self.named(e);
        }
    }

    /// Gives a name to a value.
    pub fn named(&mut self, e: &mut Tile) {
        let name = self.name("v");
        self.line(format!("let {name} = {};", e.text));
        *e = Tile {
            text: name,
            atom: true,
            mutable: false,
            ..e.clone()
        };
    }

    fn binary(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let family = |op| matches!(op, Op::Binary(_));
        let mut a = self.taken(family, p, depth);
        let b = self.beside(&mut a, p, depth);
        let def = *p.one(&self.ops(family, a.ty));
        self.note_op(def.name, a.ty);
        self.cover
            .note(format!("form {} + {}", a.form.word(), b.form.word()));
        let form = a.form.join(b.form).expect("a form of both");
        let range = self.range(
            a.range
                .zip(b.range)
                .and_then(|(x, y)| combined(def.name, x, y)),
            a.ty,
        );
        Tile {
            atom: false,
            ..Tile::new(
                write_op(def, &[&a.operand(), &b.operand()]),
                a.ty,
                form,
                range,
            )
        }
    }

    fn with_scalar(&mut self, p: &mut Picks<'_>, depth: usize, left: bool) -> Tile {
        let family = |op| matches!(op, Op::Binary(_));
        let a = self.taken(family, p, depth);
        let n = self.scalar_for(a.ty, p);
        let ops: Vec<&OpDef> = self
            .ops(family, a.ty)
            .into_iter()
            .filter(|d| !left || !d.example.contains('.'))
            .collect();
        let def = *p.one(&ops);
        self.note_op(def.name, a.ty);
        let range = self.range(
            a.range
                .zip(n.as_range())
                .and_then(|(x, y)| combined(def.name, x, y)),
            a.ty,
        );
        let x = a.operand();
        // To `max` and `min`, the name of an axis is no number.
        let is_axis = self.head.axes.iter().any(|(name, _)| *name == n.text);
        let s = match def.name {
            "max" | "min" if is_axis => format!("({} as i32)", n.text),
            _ => n.operand(),
        };
        let form = a.form.word();
        self.cover.note(if left {
            format!("form scalar + {form}")
        } else {
            format!("form {form} + scalar")
        });
        let text = if left {
            write_op(def, &[&s, &x])
        } else {
            write_op(def, &[&x, &s])
        };
        Tile {
            atom: false,
            ..Tile::new(text, a.ty, a.form, range)
        }
    }

    fn unary(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let family = |op| matches!(op, Op::Unary(_));
        let a = self.taken(family, p, depth);
        let def = *p.one(&self.ops(family, a.ty));
        self.note_op(def.name, a.ty);
        let range = a.range.and_then(|r| match def.name {
            "abs" | "relu" => Some(r),
            "neg" => Some(Range {
                minus_zero: true,
                ..r
            }),
            _ => None,
        });
        let range = self.range(range, a.ty);
        Tile {
            atom: def.name != "neg",
            ..Tile::new(write_op(def, &[&a.operand()]), a.ty, a.form, range)
        }
    }

    /// Draws a comparison, perhaps reduced along a row.
    pub fn mask(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let family = |op| matches!(op, Op::Compare(_));
        let mut a = self.taken(family, p, depth);
        let def = *p.one(&self.ops(family, a.ty));
        self.note_op(def.name, a.ty);
        let (other, form) = if p.of(3) == 0 {
            let n = self.scalar_for(a.ty, p);
            self.cover.note(format!("compare {} scalar", a.form.word()));
            (n.operand(), a.form)
        } else {
            let b = self.beside(&mut a, p, depth);
            self.cover
                .note(format!("compare {} {}", a.form.word(), b.form.word()));
            (b.operand(), a.form.join(b.form).expect("a form of both"))
        };
        let mask = write_op(def, &[&a.operand(), &other]);
        if form != Form::Full(1) || self.place == Place::Flat || !p.once_in(5) {
            return Tile::new(mask, Ty::Mask, form, None);
        }
        let def = *p.one(&self.ops(|op| matches!(op, Op::AxisReduce(_)), Ty::Is(DType::Bits)));
        self.cover.note(format!("op {} {}", def.name, DType::Bits));
        Tile::new(format!("{mask}.{}(d)", def.name), Ty::Mask, Form::Col, None)
    }

    fn select(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let known: Vec<Tile> = self.masks().collect();
        let mask = if !known.is_empty() && p.once_in(2) {
            self.cover.note("compare mask let");
            p.one(&known).clone()
        } else {
            self.mask(p, depth)
        };
        let family = |op| op == Op::Layout(LayoutOp::Select);
        // The choices must have the extent of the mask, or all must have that of the first choice.
        let within = |e: Tile, of: &Tile| {
            if of.form.join(e.form) == Some(of.form) {
                Some(e)
            } else {
                None
            }
        };
        let a = self.taken(family, p, depth);
        if a.form != mask.form && a.form.join(mask.form) == Some(a.form) {
            self.note_op("select", a.ty);
            self.cover.note("select broadcast mask");
            let n = self.scalar_for(a.ty, p);
            let range = self.range(a.range.zip(n.as_range()).map(|(x, y)| x.either(y)), a.ty);
            return Tile::new(
                format!("{}.select({}, {})", mask.operand(), a.text, n.text),
                a.ty,
                a.form,
                range,
            );
        }
        let Some(mut a) = within(a, &mask) else {
            return self.leaf(p);
        };
        self.note_op("select", a.ty);
        if a.form != mask.form {
            self.cover.note("select broadcast first");
        }
        let (other, range) = if p.of(3) == 0 {
            self.cover.note("select scalar");
            let n = self.scalar_for(a.ty, p);
            (n.text.clone(), n.as_range())
        } else {
            let before = a.clone();
            let b = self.beside(&mut a, p, depth);
            // A choice that was broadcast for the other one may have more axes than the mask.
            let fits = mask.form.join(a.form) == Some(mask.form);
            let b = match within(b, &mask).filter(|_| fits) {
                Some(b) => b,
                None => {
                    a = before;
                    self.held(&mut a);
                    a.clone()
                }
            };
            self.cover.note("select tile");
            if b.form != mask.form {
                self.cover.note("select broadcast second");
            }
            (b.text.clone(), b.range)
        };
        let range = self.range(a.range.zip(range).map(|(x, y)| x.either(y)), a.ty);
        Tile::new(
            format!("{}.select({}, {other})", mask.operand(), a.text),
            a.ty,
            mask.form,
            range,
        )
    }

    fn row_reduce(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let e = self.taken(|op| matches!(op, Op::AxisReduce(_)), p, depth);
        // In a column loop the reduction of a tile is partial, and only a merge may take it.
        let whole = matches!(e.form, Form::Full(1)) && self.place != Place::Flat;
        if !whole {
            return e;
        }
        self.reduced(e, None, p)
    }

    /// Draws `v.amax(d)` or another reduction, or writes the named one.
    pub fn reduced(&mut self, e: Tile, name: Option<&str>, p: &mut Picks<'_>) -> Tile {
        let dtypes = self.head.dtypes(e.ty);
        let ops = self.ops(|op| matches!(op, Op::AxisReduce(_)), e.ty);
        // Without columns there is no place; a product is exact of few numbers only.
        let may = |d: &&OpDef| match d.name {
            "argmax" | "argmin" => self.head.cols > 0,
            "prod" => !self.head.exact,
            _ => true,
        };
        let mut def = match name {
            Some(name) => ops
                .iter()
                .copied()
                .find(|d| d.name == name)
                .expect("a reduction"),
            None => *p.one(&ops.iter().copied().filter(may).collect::<Vec<_>>()),
        };
        let mut e = e;
        let mut range = e.range;
        if matches!(def.name, "argmax" | "argmin") {
            self.note_op(def.name, e.ty);
            let range = Some(Range::new(self.head.cols as f64, 0));
            return Tile::new(
                format!("{}.{}(d)", e.operand(), def.name),
                Ty::Is(DType::I32),
                Form::Col,
                range,
            );
        }
        if def.name == "prod" {
            self.ordered = true;
            range = None;
        }
        if matches!(def.name, "sum" | "mean") {
            if let Some(r) = e.range.filter(|r| r.minus_zero) {
                let zero = if self.head.is_float(e.ty) == Some(true) {
                    "0.0"
                } else {
                    "0"
                };
                e = Tile {
                    range: Some(Range {
                        minus_zero: false,
                        ..r
                    }),
                    atom: false,
                    text: format!("{} + {zero}", e.operand()),
                    ..e
                };
            }
            range = e.range.and_then(|r| r.sum(self.head.cols, &dtypes));
            if range.is_none() && self.head.exact {
                def = ops
                    .iter()
                    .copied()
                    .find(|d| d.name == "amax")
                    .expect("a reduction");
                range = e.range;
            } else if range.is_none() {
                self.ordered = true;
            }
            // A mean rounds, so it is no multiple of a power of two.
            range = range.filter(|_| def.name == "sum");
        }
        self.note_op(def.name, e.ty);
        // Without columns the result is an infinity.
        let range = range.filter(|_| self.head.cols > 0);
        let along = if e.form == Form::Full(2) { "c" } else { "d" };
        Tile::new(
            format!("{}.{}({along})", e.operand(), def.name),
            e.ty,
            Form::Col,
            range,
        )
    }

    // ---- casts ----

    /// Returns the modes that all instances have; none if some instance lacks the cast.
    fn modes(&self, from: Ty, to: Ty) -> Vec<RoundMode> {
        let pairs: Vec<(DType, DType)> = self
            .head
            .dtypes(from)
            .into_iter()
            .zip(self.head.dtypes(to))
            .collect();
        let has = |m: &RoundMode| {
            pairs
                .iter()
                .all(|(f, t)| cast_modes(self.head.arch(), *f, *t).contains(m))
        };
        RoundMode::ALL.into_iter().filter(has).collect()
    }

    fn castable(&self, from: Ty, to: Ty) -> bool {
        let pairs = self.head.dtypes(from).into_iter().zip(self.head.dtypes(to));
        pairs
            .into_iter()
            .all(|(f, t)| f == t || !cast_modes(self.head.arch(), f, t).is_empty())
    }

    /// Casts a tile, perhaps through f32; `None` where no cast exists.
    pub fn convert(&mut self, e: Tile, to: Ty, p: &mut Picks<'_>) -> Option<Tile> {
        if e.ty == to && p.of(6) != 5 {
            return Some(e);
        }
        if !self.castable(e.ty, to) {
            if e.ty == F32 || to == F32 || !(self.castable(e.ty, F32) && self.castable(F32, to)) {
                return None;
            }
            let via = self.cast(e, F32, p);
            return Some(self.cast(via, to, p));
        }
        Some(self.cast(e, to, p))
    }

    fn cast(&mut self, e: Tile, to: Ty, p: &mut Picks<'_>) -> Tile {
        let same = e.ty == to;
        let modes = self.modes(e.ty, to);
        // Such casts are few, so explicit modes are drawn more often.
        let few = [DType::Bf16, DType::F16]
            .iter()
            .any(|d| self.head.dtypes(e.ty).contains(d))
            && to == Ty::Is(DType::I32);
        let with = !modes.is_empty() && p.of(4) < if few { 3 } else { 2 };
        let whole = self.head.dtypes(to).contains(&DType::I32) || (with && same);
        let range = self.range(
            if whole {
                e.range.map(Range::whole)
            } else {
                e.range
            },
            to,
        );
        let word = self.head.word(to);
        let mode = if with { Some(*p.one(&modes)) } else { None };
        let cuts = mode.is_none() && p.of(6) == 0;
        for (f, t) in self.head.dtypes(e.ty).into_iter().zip(self.head.dtypes(to)) {
            self.cover.note(match mode {
                Some(mode) => format!("cast_with {f} {t} {}", mode.name()),
                None if cuts => format!("cast_trunc {f} {t}"),
                None => format!("cast {f} {t}"),
            });
        }
        let text = match mode {
            Some(mode) => {
                format!(
                    "{}.cast_with::<{word}>(RoundMode::{})",
                    e.operand(),
                    mode.name()
                )
            }
            None if cuts => format!("{}.cast_trunc::<{word}>()", e.operand()),
            None => format!("{}.cast::<{word}>()", e.operand()),
        };
        Tile {
            mutable: e.mutable && same && mode.is_none(),
            ..Tile::new(text, to, e.form, range)
        }
    }

    /// Expands a row or column to all axes of the loop.
    fn expanded(&mut self, e: Tile, level: u8) -> Tile {
        let lacks = match e.form {
            Form::Row(_) => Form::Col,
            Form::Col | Form::Full(_) => Form::Row(level),
        };
        self.cover.note("value expand");
        let text = format!("{}.expand({})", e.operand(), self.axes(lacks));
        Tile::new(text, e.ty, Form::Full(level), e.range)
    }

    /// Broadcasts a tile to the full extent of a loop.
    pub fn full(&mut self, e: Tile, p: &mut Picks<'_>) -> Option<Tile> {
        let level = self.place.level();
        if e.form == Form::Full(level) {
            return Some(e);
        }
        let e = if self.ops(|op| matches!(op, Op::Binary(_)), e.ty).is_empty() {
            self.convert(e, F32, p)?
        } else {
            e
        };
        let form = Form::Full(level);
        e.form.join(form).filter(|f| *f == form)?;
        let (range, max) = (e.range, |op| op == Op::Binary(BinaryOp::Max));
        if p.once_in(2) && !self.ops(max, e.ty).is_empty() {
            return Some(self.expanded(e, level));
        }
        let zero = format!("full::<{}>({}, 0)", self.head.word(e.ty), self.axes(form));
        Some(Tile {
            atom: false,
            ..Tile::new(format!("{zero} + {}", e.operand()), e.ty, form, range)
        })
    }
}

pub fn combined(name: &str, a: Range, b: Range) -> Option<Range> {
    match name {
        "add" | "sub" => Some(Range {
            minus_zero: a.minus_zero && (name == "sub" || b.minus_zero),
            ..a.plus(b)
        }),
        "mul" => Some(a.times(b)),
        "max" | "min" => Some(a.either(b)),
        _ => None,
    }
}
