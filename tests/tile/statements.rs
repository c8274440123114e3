//! Statements of a plan, written for their place.

use super::build::{Builder, NumVar, Place, TileVar, MAX_STORES};
use super::exact::Range;
use super::head::{Part, Tensor, Ty};
use super::plan::{Kind, Node, Picks};
use super::scalars::Num;
use super::tiles::{Form, Tile};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Role, ScalarTy, Stage};

/// Most tiles in scope: each may need a buffer.
const MAX_TILES: usize = 16;
const TYPES: [ScalarTy; 4] = [
    ScalarTy::F32,
    ScalarTy::Index,
    ScalarTy::I32,
    ScalarTy::Bool,
];

impl Builder<'_> {
    pub fn statements(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.statement(node);
        }
    }

    fn statement(&mut self, node: &Node) {
        let p = &mut Picks::new(&node.picks);
        let outside = matches!(self.place, Place::Before | Place::After);
        let kind = match node.kind {
            Kind::Tile | Kind::TileMut | Kind::Store | Kind::Merge | Kind::Call if outside => {
                Kind::Scalar
            }
            Kind::SetTile if outside => Kind::SetScalar,
            Kind::Columns if outside => Kind::If,
            kind => kind,
        };
        let kind = match kind {
            // Only straight lines of values stream.
            Kind::TileMut
            | Kind::SetTile
            | Kind::Store
            | Kind::Merge
            | Kind::Call
            | Kind::For
            | Kind::If
            | Kind::Columns
                if self.head.long && !outside =>
            {
                Kind::Tile
            }
            Kind::ScalarMut | Kind::SetScalar if self.head.long && !outside => Kind::Scalar,
            Kind::Columns if self.place != Place::Rows || self.nested > 0 => Kind::If,
            Kind::Merge if self.place != Place::Cols => Kind::SetTile,
            kind => kind,
        };
        match kind {
            Kind::Tile => self.let_tile(false, p),
            Kind::TileMut => self.let_tile(true, p),
            Kind::SetTile => self.set_tile(p),
            Kind::Store => self.store(p),
            Kind::Scalar => self.let_scalar(false, p),
            Kind::ScalarMut => self.let_scalar(true, p),
            Kind::SetScalar => self.set_scalar(p),
            Kind::Tuple => self.tuple(p),
            Kind::Const => self.constant(p),
            Kind::Call => self.call(p),
            Kind::For => self.for_loop(node, p),
            Kind::If => self.condition_block(node, p),
            Kind::Columns => self.columns(node, p),
            Kind::Merge => self.merge(p),
        }
        self.note_place();
    }

    fn note_place(&mut self) {
        if self.place == Place::Rows && self.nested == 0 {
            self.cover.note(match self.column_loops {
                0 => "around columns before",
                1 => "around columns between",
                _ => "around columns after",
            });
        }
    }

    fn note(&mut self, what: &str) {
        self.cover.note(format!("statement {what}"));
        match self.place {
            Place::Before => self.cover.note(format!("before {what}")),
            Place::After => self.cover.note(format!("after {what}")),
            Place::Cols => self.cover.note(format!("in columns {what}")),
            Place::Flat | Place::Rows => {}
        }
    }

    // ---- tiles ----

    /// Puts a tile under a name, which may shadow another.
    fn bind_tile(&mut self, name: String, mutable: bool, tile: Tile) {
        self.tiles.retain(|v| v.tile.text != name);
        self.nums.retain(|v| v.num.text != name);
        let tile = Tile {
            text: name,
            atom: true,
            mutable,
            ..tile
        };
        self.tiles.push(TileVar {
            tile,
            level: self.place.level(),
            gathers: false,
        });
    }

    fn tile_name(&mut self, p: &mut Picks<'_>) -> String {
        let taken: Vec<String> = self.tiles.iter().map(|v| v.tile.text.clone()).collect();
        if !taken.is_empty() && p.once_in(8) {
            self.cover.note("statement shadow");
            return p.one(&taken).clone();
        }
        self.name("v")
    }

    fn let_tile(&mut self, mutable: bool, p: &mut Picks<'_>) {
        if self.tiles.len() >= MAX_TILES {
            return self.let_scalar(false, p);
        }
        let depth = p.of(4);
        let e = if !mutable && p.once_in(10) {
            self.mask(p, depth)
        } else {
            self.tile(p, depth)
        };
        let name = self.tile_name(p);
        let ascribed = if p.once_in(4) {
            self.cover.note("statement ascribed");
            format!(": Tile<{}>", self.head.word(e.ty))
        } else {
            String::new()
        };
        self.note(if mutable { "let mut tile" } else { "let tile" });
        self.line(format!(
            "let {}{name}{ascribed} = {};",
            if mutable { "mut " } else { "" },
            e.text
        ));
        // Ranges do not follow assignments inside of blocks.
        let e = if mutable {
            Tile { range: None, ..e }
        } else {
            e
        };
        self.bind_tile(name, mutable, e);
    }

    fn set_tile(&mut self, p: &mut Picks<'_>) {
        let level = self.place.level();
        let all: Vec<Tile> = self
            .tiles
            .iter()
            .filter(|v| v.tile.mutable && v.level == level)
            .map(|v| v.tile.clone())
            .collect();
        if all.is_empty() {
            return self.let_tile(true, p);
        }
        let target = p.one(&all).clone();
        if let Some(v) = self.tiles.iter_mut().find(|v| v.tile.text == target.text) {
            v.tile.range = None;
        }
        let depth = p.of(3);
        let e = self.tile(p, depth);
        let Some(e) = self.convert(e, target.ty, p) else {
            return;
        };
        let adds = self
            .head
            .dtypes(target.ty)
            .iter()
            .all(|d| *d != DType::Bf16);
        // The operand of `op=` must broadcast to the target.
        if adds && p.once_in(2) && target.form.join(e.form) == Some(target.form) {
            let op = *p.one(&["+=", "-=", "*="]);
            self.note("set tile op");
            return self.line(format!("{} {op} {};", target.text, e.text));
        }
        let e = match (e.form == target.form, target.form) {
            (true, _) => Some(e),
            (false, Form::Full(_)) => self.full(e, p).and_then(|e| self.convert(e, target.ty, p)),
            _ => None,
        };
        let Some(e) = e.filter(|e| e.form == target.form) else {
            return;
        };
        self.note("set tile");
        self.line(format!("{} = {};", target.text, e.text));
    }

    // ---- stores ----

    fn store(&mut self, p: &mut Picks<'_>) {
        let place = self.place;
        let fits =
            |t: &&Tensor| t.role != Role::In && (t.part == Part::Full || place == Place::Rows);
        let all: Vec<Tensor> = self.head.tensors.iter().filter(fits).cloned().collect();
        if all.is_empty() || !self.may_store() {
            return self.let_tile(false, p);
        }
        let t = p.one(&all).clone();
        self.store_to(&t, p);
    }

    /// Stores a tile to a tensor; at the end of a row loop perhaps in a column loop.
    pub fn store_to(&mut self, t: &Tensor, p: &mut Picks<'_>) {
        let part = t.part == Part::Full;
        let has_full = self
            .tiles
            .iter()
            .any(|v| v.tile.form == Form::Full(1) && self.readable(v));
        if part
            && self.place == Place::Rows
            && self.nested == 0
            && self.column_loops > 0
            && !has_full
            && !self.head.long
        {
            self.place = Place::Cols;
            self.block("for c in tiles(d) {", "}", |b| b.store_here(t, p));
            self.place = Place::Rows;
            self.column_loops += 1;
        } else {
            self.store_here(t, p);
        }
    }

    fn store_here(&mut self, t: &Tensor, p: &mut Picks<'_>) {
        let level = self.place.level();
        let wanted = if t.part == Part::Full {
            Form::Full(level)
        } else {
            Form::Col
        };
        let depth = p.of(3);
        let e = self.tile(p, depth);
        let shaped = |b: &mut Self, e: Tile, p: &mut Picks<'_>| match wanted {
            Form::Col if e.form == Form::Col => Some(e),
            Form::Col if e.form == Form::Full(1) && b.place == Place::Rows => {
                let e = b.convert(e, Ty::Is(DType::F32), p)?;
                Some(b.reduced(e, None, p))
            }
            Form::Full(_) => b.full(e, p),
            Form::Col | Form::Row(_) => None,
        };
        let e = shaped(self, e, p)
            .and_then(|e| self.convert(e, t.ty, p))
            .filter(|e| e.form == wanted);
        let e = e.unwrap_or_else(|| {
            let (axes, ty) = (self.axes(wanted), self.head.word(t.ty));
            Tile::new(
                format!("full::<{ty}>({axes}, 1)"),
                t.ty,
                wanted,
                Some(Range::new(1.0, 0)),
            )
        });
        self.note("store");
        self.cover.note(if t.part == Part::Full {
            "store tile"
        } else {
            "store col"
        });
        if self.nested > 0 {
            self.cover.note("store under if");
        }
        if t.role == Role::InOut {
            self.cover.note("store inplace");
        }
        let mut e = e;
        let twin = self.twin(t, p);
        if twin.is_some() {
            self.named(&mut e);
        }
        self.stores += 1;
        let place = self.at(t);
        self.line(format!("{place}.store({});", e.text));
        if !self.stored.insert(t.name.clone()) {
            self.cover.note("store twice");
        }
        if self.nested == 0 {
            self.complete.insert(t.name.clone());
        }
        if let Some(twin) = twin {
            self.cover.note("store two tensors");
            self.stores += 1;
            let place = self.at(&twin);
            self.line(format!("{place}.store({});", e.text));
            self.stored.insert(twin.name.clone());
            if self.nested == 0 {
                self.complete.insert(twin.name);
            }
        }
    }

    /// Returns another output that takes the same value, or `None`.
    fn twin(&mut self, t: &Tensor, p: &mut Picks<'_>) -> Option<Tensor> {
        let twin = |o: &&Tensor| {
            o.name != t.name && o.part == t.part && o.ty == t.ty && o.role == Role::Out
        };
        let twin = self.head.tensors.iter().find(twin).cloned();
        twin.filter(|_| p.once_in(3) && self.stores + 1 < MAX_STORES)
    }

    // ---- scalars ----

    fn bind_num(&mut self, name: String, mutable: bool, num: Num) {
        self.tiles.retain(|v| v.tile.text != name);
        self.nums.retain(|v| v.num.text != name);
        let num = Num {
            text: name,
            atom: true,
            ..num
        };
        let num = match (mutable, num.ty) {
            (false, _) => num,
            // Values stay in this interval over all iterations.
            (true, ScalarTy::Index) => Num {
                lo: 0,
                hi: 1_000_000,
                stage: Stage::Block,
                ..num
            },
            (true, ScalarTy::I32) => Num {
                lo: -1_000_000,
                hi: 1_000_000,
                stage: Stage::Block,
                ..num
            },
            (true, ScalarTy::F32 | ScalarTy::Bool) => Num {
                range: None,
                stage: Stage::Block,
                ..num
            },
        };
        let what = match num.stage {
            Stage::Const => "const",
            Stage::Host => "host",
            Stage::Block => "block",
        };
        self.nums.push(NumVar {
            num,
            what,
            mutable,
            level: self.place.level(),
        });
    }

    fn let_scalar(&mut self, mutable: bool, p: &mut Picks<'_>) {
        let ty = *p.one(&TYPES);
        let depth = p.of(4);
        let n = self.num(ty, Stage::Block, p, depth);
        let n = if mutable { n.within(-64, 64) } else { n };
        self.cover.note(format!("scalar {}", ty.word()));
        self.note(if mutable {
            "let mut scalar"
        } else {
            "let scalar"
        });
        let name = self.name("s");
        let word = if mutable { "mut " } else { "" };
        self.line(format!("let {word}{name}: {} = {};", ty.word(), n.text));
        self.bind_num(name, mutable, n);
    }

    fn set_scalar(&mut self, p: &mut Picks<'_>) {
        let level = self.place.level();
        let all: Vec<NumVar> = self
            .nums
            .iter()
            .filter(|v| v.mutable && v.level == level)
            .cloned()
            .collect();
        if all.is_empty() {
            return self.let_scalar(true, p);
        }
        let target = p.one(&all).num.clone();
        let depth = p.of(3);
        let e = self.num(target.ty, Stage::Block, p, depth);
        let small = |e: Num| e.within(-64, 64);
        let (op, e) = match (target.ty, p.of(6)) {
            (ScalarTy::Bool, _) | (_, 0) => ("=", small(e)),
            (ScalarTy::Index, 1) => ("%=", Num::int("7", ScalarTy::Index, (7, 7), Stage::Const)),
            (ScalarTy::I32, 1) => ("/=", Num::int("3", ScalarTy::I32, (3, 3), Stage::Const)),
            (ScalarTy::I32, 2) => ("-=", small(e)),
            (ScalarTy::Index | ScalarTy::I32, _) => ("+=", small(e)),
            (ScalarTy::F32, n) => (["+=", "-=", "*=", "/="][n % 4], e),
        };
        self.note(if op == "=" {
            "set scalar"
        } else {
            "set scalar op"
        });
        self.line(format!("{} {op} {};", target.text, e.text));
    }

    fn tuple(&mut self, p: &mut Picks<'_>) {
        let ty = *p.one(&[ScalarTy::F32, ScalarTy::Bool]);
        self.note("tuple");
        let inside = !matches!(self.place, Place::Before | Place::After);
        if inside && p.once_in(2) && self.tiles.len() + 2 <= MAX_TILES {
            let (a, b) = (self.tile(p, 1), self.tile(p, 1));
            let (x, y) = (self.name("v"), self.name("v"));
            self.line(format!("let ({x}, {y}) = ({}, {});", a.text, b.text));
            self.bind_tile(x, false, a);
            return self.bind_tile(y, false, b);
        }
        let (a, b) = (
            self.num(ty, Stage::Block, p, 1),
            self.num(ty, Stage::Block, p, 1),
        );
        let (x, y) = (self.name("s"), self.name("s"));
        self.line(format!("let ({x}, {y}) = ({}, {});", a.text, b.text));
        self.bind_num(x, false, a);
        self.bind_num(y, false, b);
    }

    fn constant(&mut self, p: &mut Picks<'_>) {
        let ty = *p.one(&TYPES);
        let n = self.num(ty, Stage::Const, p, 0);
        // A constant of a block sees the module and other constants only.
        let n = if self.nums.iter().any(|v| v.num.text == n.text) {
            Num::float("2.5", Range::of(2.5), Stage::Const)
        } else {
            n
        };
        let name = self.name("K");
        self.note("const");
        self.line(format!("const {name}: {} = {};", n.ty.word(), n.text));
        self.bind_num(name, false, n);
    }

    // ---- blocks ----

    fn for_loop(&mut self, node: &Node, p: &mut Picks<'_>) {
        let ty = *p.one(&[ScalarTy::Index, ScalarTy::I32]);
        let name = self.name("i");
        let (from, to) = match p.of(4) {
            0 => (
                Num::int("0", ty, (0, 0), Stage::Const),
                Num::int("2", ty, (2, 2), Stage::Const),
            ),
            1 => (
                Num::int("1", ty, (1, 1), Stage::Const),
                self.num(ty, Stage::Block, p, 1).within(0, 4),
            ),
            2 => (
                Num::int("3", ty, (3, 3), Stage::Const),
                Num::int("1", ty, (1, 1), Stage::Const),
            ),
            _ => (
                self.num(ty, Stage::Block, p, 0).within(0, 3),
                self.num(ty, Stage::Block, p, 1).within(0, 3),
            ),
        };
        // Two literals are a range of `usize`.
        let (from_text, ty) = if ty == ScalarTy::I32 {
            (format!("{} as i32", from.operand()), ty)
        } else {
            (from.operand(), ScalarTy::Index)
        };
        self.note("for");
        let header = format!("for {name} in {from_text}..{} {{", to.operand());
        self.nested += 1;
        self.block(&header, "}", |b| {
            let num = Num::int(name, ty, (0, 4), Stage::Block);
            b.nums.push(NumVar {
                num,
                what: "loop variable",
                mutable: false,
                level: b.place.level(),
            });
            b.statements(&node.body);
        });
        self.nested -= 1;
    }

    fn condition_block(&mut self, node: &Node, p: &mut Picks<'_>) {
        let depth = 1 + p.of(2);
        let c = self.num(ScalarTy::Bool, Stage::Block, p, depth);
        self.note("if");
        self.nested += 1;
        let otherwise = !node.other.is_empty();
        self.block(
            &format!("if {} {{", c.text),
            if otherwise { "" } else { "}" },
            |b| b.statements(&node.body),
        );
        if otherwise {
            let chain = p.once_in(3);
            let first = if chain {
                let c = self.num(ScalarTy::Bool, Stage::Block, p, 1);
                self.cover.note("statement else if");
                format!("}} else if {} {{", c.text)
            } else {
                "} else {".to_string()
            };
            self.cover.note("statement else");
            let ends = !(chain && p.once_in(2));
            self.block(&first, if ends { "}" } else { "" }, |b| {
                b.statements(&node.other)
            });
            if !ends {
                self.block("} else {", "}", |b| b.let_tile_or_scalar(p));
            }
        }
        self.nested -= 1;
    }

    fn let_tile_or_scalar(&mut self, p: &mut Picks<'_>) {
        match self.place {
            Place::Before | Place::After => self.set_scalar(p),
            Place::Flat | Place::Rows | Place::Cols => self.set_tile(p),
        }
    }

    fn columns(&mut self, node: &Node, p: &mut Picks<'_>) {
        let merges = node.body.iter().any(|n| n.kind == Kind::Merge);
        let columns = |v: &&mut TileVar| v.tile.mutable && v.tile.form == Form::Col && v.level == 1;
        if merges && !self.tiles.iter_mut().any(|v| columns(&&mut *v)) {
            let name = self.name("acc");
            let first = *p.one(&["0.0", "1.0", "-2.0"]);
            self.line(format!("let mut {name} = full(r, {first});"));
            self.bind_tile(
                name,
                true,
                Tile::new("", Ty::Is(DType::F32), Form::Col, Some(Range::new(2.0, 0))),
            );
        }
        for v in self.tiles.iter_mut().filter(columns) {
            v.gathers = merges;
        }
        let mut header = "for c in tiles(d)".to_string();
        if p.once_in(3) {
            let n = self.size(&[16, 32, 64, 128, 208], (1, 12), 16, p);
            header = format!("{header}.size({n})");
            self.cover.note("override size of columns");
        }
        self.cover.note("walk columns");
        self.column_loops += 1;
        if self.column_loops == 2 {
            self.cover.note("walk columns twice");
        }
        self.place = Place::Cols;
        self.merged.clear();
        self.block(&format!("{header} {{"), "}", |b| b.statements(&node.body));
        self.place = Place::Rows;
        self.tiles.iter_mut().for_each(|v| v.gathers = false);
    }

    /// Writes `acc = acc.max(v.amax(c))`, whose result does not depend on the cut of columns.
    fn merge(&mut self, p: &mut Picks<'_>) {
        let gathers = |v: &&TileVar| {
            v.gathers
                && self
                    .head
                    .dtypes(v.tile.ty)
                    .iter()
                    .all(|d| matches!(d, DType::F16 | DType::F32))
        };
        let all: Vec<Tile> = self
            .tiles
            .iter()
            .filter(gathers)
            .map(|v| v.tile.clone())
            .collect();
        if all.is_empty() || self.nested > 0 {
            return self.let_tile(false, p);
        }
        let acc = p.one(&all).clone();
        let e = self.tile(p, 1);
        let Some(e) = self.full(e, p).and_then(|e| self.convert(e, acc.ty, p)) else {
            return;
        };
        if e.form != Form::Full(2) {
            return;
        }
        let known = self
            .merged
            .iter()
            .find(|(name, _)| *name == acc.text)
            .map(|(_, op)| *op);
        let exact = acc.range.is_some() && e.range.is_some_and(|r| !r.minus_zero);
        let choice = *p.one(&["amax", "amin", "sum"]);
        let wanted = known.unwrap_or(if choice == "sum" && self.head.exact && !exact {
            "amax"
        } else {
            choice
        });
        let part = self.reduced(e, Some(wanted), p);
        // An inexact sum became a maximum, which cannot be merged with a sum.
        let found = part
            .text
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .trim_end_matches("(c)")
            .to_string();
        if known.is_some_and(|k| k != found) {
            return;
        }
        let name: &'static str = ["amax", "amin", "sum"]
            .into_iter()
            .find(|n| *n == found)
            .unwrap_or("amax");
        self.merged.push((acc.text.clone(), name));
        self.note("merge");
        let text = match name {
            "sum" => format!("{0} = {0} + {1};", acc.text, part.operand()),
            name => format!("{0} = {0}.{1}({2});", acc.text, &name[1..], part.text),
        };
        self.line(text);
        let range = acc.range.zip(part.range).and_then(|(a, b)| {
            if name == "sum" {
                a.plus(b).kept(&self.head.dtypes(acc.ty))
            } else {
                None
            }
        });
        if let Some(v) = self.tiles.iter_mut().find(|v| v.tile.text == acc.text) {
            v.tile.range = range;
        }
    }

    fn call(&mut self, p: &mut Picks<'_>) {
        self.note("call");
        let e = self.tile(p, 1);
        self.nothing(e, p);
    }
}
