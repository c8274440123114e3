//! From a plan to the text of a kernel: names in scope, the place of the next statement, and its
//! text.

use super::agree::{Case, Tensor as Given};
use super::cover::Cover;
use super::head::{Head, Part, Tensor};
use super::plan::{Picks, Plan};
use super::scalars::Num;
use super::tiles::{Form, Tile};
use jumar::dsl::ir::{Role, Stage};
use jumar::dsl::soc::{Arch, MAX_BLOCKS_PER_POSITION};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The place of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Before,
    Flat,
    Rows,
    Cols,
    After,
}

impl Place {
    /// Returns the number of tile loops around it.
    pub fn level(self) -> u8 {
        match self {
            Place::Before | Place::After => 0,
            Place::Flat | Place::Rows => 1,
            Place::Cols => 2,
        }
    }
    /// Returns the variable of the innermost tile loop.
    pub fn handle(self) -> &'static str {
        match self {
            Place::Before | Place::Flat | Place::After => "t",
            Place::Rows => "r",
            Place::Cols => "c",
        }
    }
}

/// A tile under a name.
#[derive(Clone, Debug)]
pub struct TileVar {
    pub tile: Tile,
    pub level: u8,
    /// True where the column loop accumulates in it, so nothing may read it there.
    pub gathers: bool,
}

/// A scalar under a name.
#[derive(Clone, Debug)]
pub struct NumVar {
    pub num: Num,
    pub what: &'static str,
    pub mutable: bool,
    pub level: u8,
}

/// A kernel with its properties.
pub struct Made {
    pub case: Case,
    /// The kernel without overrides: another cut of the same work.
    pub plain: String,
    pub cover: Cover,
    /// True where a sum depends on the cut of rows.
    pub ordered: bool,
    /// True where rows may be too long for a body that does not stream.
    pub wide: bool,
}

pub struct Builder<'h> {
    pub head: &'h Head,
    pub out: String,
    pub indent: usize,
    pub tiles: Vec<TileVar>,
    pub nums: Vec<NumVar>,
    pub names: usize,
    pub place: Place,
    /// Number of `if` and `for` around the statement inside its tile loop.
    pub nested: usize,
    pub cover: Cover,
    pub helpers: BTreeSet<&'static str>,
    /// Tensors that have been stored to.
    pub stored: BTreeSet<String>,
    /// Outputs of which every element was stored.
    pub complete: BTreeSet<String>,
    pub ordered: bool,
    /// Column loops of this iteration.
    pub column_loops: usize,
    pub stores: usize,
    pub buffer_num: usize,
    /// The reduction of each accumulator of the column loop.
    pub merged: Vec<(String, &'static str)>,
    hoisted: usize,
    nested_loads: usize,
}

/// Most stores of a kernel: each may need a separate VECOUT queue.
pub const MAX_STORES: usize = 6;

impl<'h> Builder<'h> {
    fn new(head: &'h Head, cover: Cover) -> Self {
        Builder {
            head,
            out: String::new(),
            indent: 1,
            tiles: Vec::new(),
            nums: Vec::new(),
            names: 0,
            place: Place::Before,
            nested: 0,
            cover,
            helpers: BTreeSet::new(),
            stored: BTreeSet::new(),
            complete: BTreeSet::new(),
            ordered: false,
            column_loops: 0,
            stores: 0,
            buffer_num: 2,
            merged: Vec::new(),
            hoisted: 0,
            nested_loads: 0,
        }
    }

    /// Writes the part of a tensor at this place.
    pub fn at(&self, t: &Tensor) -> String {
        let indices = match (t.part, self.place) {
            (Part::Full, Place::Rows) => "r, ..",
            (Part::Full, Place::Cols) => "r, c",
            (Part::Full, Place::Flat | Place::Before | Place::After) => "t",
            (Part::Row, Place::Cols) => "c",
            (Part::Row, _) => "..",
            (Part::Col | Part::Unread, _) => "r",
        };
        format!("{}.at({indices})", t.name)
    }

    /// Returns the axis of a row at this place.
    pub fn row_axis(&self) -> &'static str {
        match self.place {
            Place::Cols => "c",
            _ => "d",
        }
    }

    /// Writes the axes of a tile of this form as an argument.
    pub fn axes(&self, form: Form) -> String {
        match (form, self.place) {
            (Form::Full(_), Place::Flat | Place::Before | Place::After) => "t".to_string(),
            (Form::Full(_), _) => format!("(r, {})", self.row_axis()),
            (Form::Row(_), _) => self.row_axis().to_string(),
            (Form::Col, _) => "r".to_string(),
        }
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{:1$}{2}", "", self.indent * 4, text.as_ref());
    }

    pub fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    /// True for a value that may be read here.
    pub fn readable(&self, v: &TileVar) -> bool {
        v.tile.ty != super::head::Ty::Mask && !(v.gathers && self.place == Place::Cols)
    }

    /// Returns the masks in scope.
    pub fn masks(&self) -> impl Iterator<Item = Tile> + '_ {
        self.tiles
            .iter()
            .filter(|v| v.tile.ty == super::head::Ty::Mask)
            .map(|v| v.tile.clone())
    }

    /// True where VECIN has blocks for another load (J0301). Loads of an iteration can share one,
    /// others cannot.
    pub fn room_for(&self, t: &Tensor) -> bool {
        let (nested, hoisted) = self.blocks_of(t);
        // The kernel without overrides has two buffers.
        let blocks =
            self.hoisted + hoisted + self.buffer_num.max(2) * (self.nested_loads + nested + 1);
        blocks <= MAX_BLOCKS_PER_POSITION as usize
    }

    /// Counts the blocks of a load.
    pub fn loaded(&mut self, t: &Tensor) {
        let (nested, hoisted) = self.blocks_of(t);
        self.nested_loads += nested;
        self.hoisted += hoisted;
    }

    /// Returns how many queues a load adds in blocks of statements inside the iteration, and before
    /// the loop.
    fn blocks_of(&self, t: &Tensor) -> (usize, usize) {
        match (t.part, self.place, self.nested) {
            // A load behind a store to its tensor cannot move to the front of the iteration, where
            // others share a block.
            _ if self.stored.contains(&t.name) => (1, 0),
            (Part::Row, Place::Rows, 0) => (0, 1),
            (_, Place::Flat | Place::Rows, 0) => (0, 0),
            _ => (1, 0),
        }
    }

    pub fn may_store(&self) -> bool {
        self.stores < MAX_STORES
    }

    /// Writes a block of statements; names of the block end with it.
    pub fn block(&mut self, first: &str, last: &str, f: impl FnOnce(&mut Self)) {
        self.line(first);
        self.indent += 1;
        let (tiles, nums) = (self.tiles.len(), self.nums.len());
        let (shadowed_tiles, shadowed_nums) = (self.tiles.clone(), self.nums.clone());
        f(self);
        // A variable that was assigned inside has the new range.
        let merged = |before: TileVar, now: &[TileVar]| match now
            .iter()
            .find(|v| v.tile.text == before.tile.text)
        {
            Some(v) if v.tile.mutable => TileVar {
                tile: Tile {
                    range: v.tile.range,
                    ..before.tile
                },
                ..before
            },
            _ => before,
        };
        let now = std::mem::take(&mut self.tiles);
        self.tiles = shadowed_tiles
            .into_iter()
            .map(|v| merged(v, &now))
            .take(tiles)
            .collect();
        self.nums = shadowed_nums.into_iter().take(nums).collect();
        self.indent -= 1;
        if !last.is_empty() {
            self.line(last);
        }
    }

    /// Draws overrides of the outermost loop.
    fn overrides(&mut self, p: &mut Picks<'_>) -> String {
        let mut text = String::new();
        if p.once_in(3) || !self.head.flat && p.once_in(3) {
            // A row loop loads whole rows and columns in one of its variants. If such rows are
            // whole data blocks, more than two buffers may exceed UB.
            let blocks = self.head.arch() == Arch::M200
                && self.head.tensors.iter().any(|t| t.part == Part::Col);
            let nums: &[usize] = match (self.head.flat, blocks) {
                (true, _) => &[1, 2, 3, 1, 4, 8],
                (false, true) => &[1, 2],
                (false, false) => &[1, 2, 3, 1, 2, 4],
            };
            self.buffer_num = *p.one(nums);
            let _ = write!(text, ".buffer_num({})", self.buffer_num);
            self.cover.note("override buffer_num");
        }
        if p.once_in(3) {
            let n = self.size(&[1, 2, 3, 7, 8, 9, 48, 100], (1, 40), 1, p);
            let _ = write!(text, ".block_dim({n})");
            self.cover.note("override block_dim");
        }
        if self.head.flat && p.once_in(3) {
            // All buffers of the kernel must fit at the given length.
            let lengths: &[usize] = if self.buffer_num > 2 {
                &[16, 32, 64, 128, 208]
            } else {
                &[16, 32, 64, 128, 208, 512]
            };
            let n = self.size(lengths, (1, 12), 16, p);
            let _ = write!(text, ".size({n})");
            self.cover.note("override size");
        }
        // A given number of rows must fit whole.
        let narrow = self.head.arch() == Arch::V220 || self.head.cols <= 64 && self.buffer_num <= 2;
        if !self.head.flat && self.head.cols <= 300 && narrow && p.once_in(3) {
            // Without DataCopyPad values of rows are copied in whole data blocks, and so many rows
            // must fit.
            let blocks = self.head.arch() == Arch::M200
                && self.head.tensors.iter().any(|t| t.part == Part::Col);
            let n = if blocks {
                self.size(&[16], (1, 1), 16, p)
            } else {
                self.size(&[1, 2, 3, 5], (1, 3), 1, p)
            };
            let _ = write!(text, ".size({n})");
            self.cover.note("override size of rows");
        }
        text
    }

    /// Draws a size for an override: one of a list, or an expression in an interval times a unit.
    pub fn size(
        &mut self,
        list: &[usize],
        (lo, hi): (i64, i64),
        unit: usize,
        p: &mut Picks<'_>,
    ) -> String {
        if p.of(3) < 2 {
            self.cover.note("override literal");
            return p.one(list).to_string();
        }
        self.cover.note("override expression");
        let n = self.num(jumar::dsl::ir::ScalarTy::Index, Stage::Host, p, 2);
        // A literal at the lower end folds to a number that is checked.
        let n = n.within(lo, hi);
        if unit == 1 {
            n.text
        } else {
            format!("{} * {unit}", n.operand())
        }
    }

    fn kernel(&mut self, plan: &Plan) -> (String, String) {
        self.statements(&plan.before);
        let before = std::mem::take(&mut self.out);
        let mut p = Picks::new(&plan.head[22..]);
        let overrides = self.overrides(&mut p);
        let (over, place) = match self.head.flat {
            true => (self.head.over().name.clone(), Place::Flat),
            false => ("n".to_string(), Place::Rows),
        };
        self.place = place;
        let (mark, handle) = ((self.tiles.len(), self.nums.len()), place.handle());
        self.indent = 2;
        self.statements(&plan.inside);
        self.finish(&mut p);
        self.tiles.truncate(mark.0);
        self.nums.truncate(mark.1);
        let inside = std::mem::take(&mut self.out);
        self.place = Place::After;
        self.indent = 1;
        self.statements(&plan.after);
        let after = std::mem::take(&mut self.out);
        let text = |overrides: &str| {
            format!("{}{before}    for {handle} in tiles({over}){overrides} {{\n{inside}    }}\n{after}}}\n", self.head.text())
        };
        (self.module(&text(&overrides)), self.module(&text("")))
    }

    /// Stores to all outputs that no statement has stored to.
    fn finish(&mut self, p: &mut Picks<'_>) {
        let left: Vec<Tensor> = self
            .head
            .tensors
            .iter()
            .filter(|t| t.role != Role::In)
            .cloned()
            .collect();
        for t in &left {
            let kept = t.role == Role::InOut && self.stored.contains(&t.name);
            if !kept && !self.complete.contains(&t.name) {
                self.store_to(t, p);
            }
        }
    }
}

/// Builds the kernel of a plan.
pub fn build(plan: &Plan) -> Made {
    let mut cover = Cover::default();
    let head = Head::new(plan, &mut cover);
    let mut b = Builder::new(&head, cover);
    let (text, plain) = b.kernel(plan);
    // Where values of rows are copied in data blocks, a tile has sixteen rows at least.
    let blocks = head.arch() == Arch::M200 && head.tensors.iter().any(|t| t.part == Part::Col);
    let (ordered, wide) = (b.ordered, head.cols >= if blocks { 64 } else { 256 });
    let given = |t: &Tensor| Given {
        name: t.name.clone(),
        dtype: head.dtypes(t.ty)[head.run],
        shape: t.shape.clone(),
        written: t.role != Role::In,
    };
    let case = Case {
        name: "sample".into(),
        chip: head.chip,
        text,
        tensors: head.tensors.iter().map(given).collect(),
        attrs: head
            .attrs
            .iter()
            .filter_map(|a| Some((a.name.clone(), a.given?)))
            .collect(),
        exact: head.exact,
        seed: plan.seed,
    };
    Made {
        case,
        plain,
        cover: b.cover.clone(),
        ordered,
        wide,
    }
}
