//! From a plan to the text of a kernel over nests.

use super::super::agree::Case;
use super::super::build::{Made, MAX_STORES};
use super::super::cover::Cover;
use super::super::plan::{Kind, Node, Picks, Plan};
use super::head::{kind, pattern, some, specs, Head, Spec, Tensor};
use super::numbers::Number;
use super::phases::Phases;
use super::tiles::{Ax, Tile};
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::MAX_BLOCKS_PER_POSITION;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The loop variable of one axis.
#[derive(Clone, Debug)]
pub struct Run {
    pub name: String,
    pub axis: usize,
    pub each: bool,
}

/// A tile under a name.
#[derive(Clone, Debug)]
pub struct Var {
    pub tile: Tile,
    /// Number of tile loops around it.
    pub level: usize,
    mutable: bool,
    /// True where an open loop accumulates in it, so nothing may read it there.
    pub gathers: bool,
}

impl Var {
    /// Returns an accumulator before the outermost loop.
    pub fn gathering(tile: Tile) -> Var {
        Var {
            tile,
            level: 0,
            mutable: true,
            gathers: true,
        }
    }
}

pub struct Builder<'h> {
    pub head: &'h Head,
    pub cover: Cover,
    pub runs: Vec<Run>,
    /// Loop variables around the statement, outermost loop first.
    pub loops: Vec<Vec<usize>>,
    pub values: Vec<Var>,
    /// Scalars that were read from tiles.
    pub numbers: Vec<Number>,
    /// Expressions that may be written again while they are in scope.
    pub written: Vec<Tile>,
    pub facts: BTreeSet<String>,
    pub ordered: bool,
    out: String,
    names: usize,
    /// Number of `if` around the statement.
    pub nested: usize,
    stores: usize,
    /// Outputs of which every element is stored, or to which something is added.
    pub complete: BTreeSet<String>,
    /// The reduction of each accumulator of the innermost loop.
    pub merged: Vec<(String, &'static str)>,
    hoisted: usize,
    nested_loads: usize,
    /// True if a load may have a block of its own, from which its elements are gathered.
    pub spreads: bool,
}

/// Most tile loops around a statement.
const MOST_LOOPS: usize = 2;
/// Most loops inside the outermost one.
const MOST_INNER: usize = 3;
/// Most characters of an expression that is written again.
const MOST_WRITTEN: usize = 150;
/// Most axes that the loops around a statement cut.
const MOST_CUT: usize = 4;

impl<'h> Builder<'h> {
    fn new(head: &'h Head, cover: Cover) -> Self {
        Builder {
            head,
            cover,
            runs: Vec::new(),
            loops: Vec::new(),
            values: Vec::new(),
            numbers: Vec::new(),
            written: Vec::new(),
            facts: BTreeSet::new(),
            ordered: false,
            out: String::new(),
            names: 0,
            nested: 0,
            stores: 0,
            complete: BTreeSet::new(),
            merged: Vec::new(),
            hoisted: 0,
            nested_loads: 0,
            spreads: false,
        }
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let indent = (self.loops.len() + self.nested + 1) * 4;
        let _ = writeln!(self.out, "{:1$}{2}", "", indent, text.as_ref());
    }

    pub fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("{base}{}", self.names)
    }

    /// Returns the whole axis of a tile's axis.
    pub fn axis(&self, ax: Ax) -> usize {
        match ax {
            Ax::Whole(axis) => axis,
            Ax::Run(run) => self.runs[run].axis,
        }
    }

    /// Returns the loop variable around that cuts an axis.
    pub fn open(&self, axis: usize) -> Option<usize> {
        self.loops
            .iter()
            .flatten()
            .copied()
            .find(|run| self.runs[*run].axis == axis)
    }

    /// Writes axes as an argument.
    pub fn axes_text(&self, axes: &BTreeSet<Ax>) -> String {
        let name = |ax: &Ax| match ax {
            Ax::Whole(axis) => self.head.axes[*axis].name.clone(),
            Ax::Run(run) => self.runs[*run].name.clone(),
        };
        pattern(&axes.iter().map(name).collect::<Vec<_>>())
    }

    /// True if VECIN has blocks for another load (J0301), which then takes them. `moves` is true
    /// for a load that depends on a loop.
    pub fn room_for_load(&mut self, moves: bool) -> bool {
        let plain = self.loops.len() == 1 && self.nested == 0;
        let (hoisted, nested) = (usize::from(!moves), usize::from(!plain));
        let blocks = self.hoisted
            + hoisted
            + 2 * (self.nested_loads + nested + 1)
            + usize::from(self.spreads);
        let fits = blocks <= MAX_BLOCKS_PER_POSITION as usize;
        if fits {
            (self.hoisted, self.nested_loads) =
                (self.hoisted + hoisted, self.nested_loads + nested);
        }
        fits
    }

    // ---- statements ----

    fn statements(&mut self, nodes: &[Node]) {
        for node in nodes {
            let mut p = Picks::new(&node.picks);
            match node.kind {
                Kind::TileMut => self.let_tile(true, &mut p),
                Kind::SetTile => self.set_tile(&mut p),
                Kind::Store => self.store_some(&mut p),
                Kind::If => self.condition(node, &mut p),
                Kind::For | Kind::Columns => self.inner(node, &mut p),
                Kind::Merge => self.merge(&mut p),
                Kind::Scalar => self.read(&mut p),
                Kind::Tuple | Kind::Const => self.add_in_gm(&mut p),
                Kind::Tile | Kind::ScalarMut | Kind::SetScalar | Kind::Call => {
                    self.let_tile(false, &mut p)
                }
            }
        }
    }

    pub fn bind(&mut self, name: String, mutable: bool, tile: Tile) {
        let tile = Tile {
            text: name,
            atom: true,
            ..tile
        };
        self.cover.note(format!("tile of {}", tile.axes.len()));
        self.values.push(Var {
            tile,
            level: self.loops.len(),
            mutable,
            gathers: false,
        });
    }

    pub fn let_tile(&mut self, mutable: bool, p: &mut Picks<'_>) {
        let depth = 1 + p.of(3);
        let e = self.tile(p, depth);
        self.note_written(&e);
        let name = self.name("v");
        self.line(format!(
            "let {}{name} = {};",
            if mutable { "mut " } else { "" },
            e.text
        ));
        // A later assignment changes the range.
        let range = e.range.filter(|_| !mutable);
        self.bind(name, mutable, Tile { range, ..e });
    }

    /// Notes an expression, unless a later assignment may change the range of its variables.
    pub fn note_written(&mut self, e: &Tile) {
        let changes = |v: &Var| v.mutable && v.tile.range.is_some();
        if e.text.len() < MOST_WRITTEN && !self.names(e, changes) {
            self.written.push(e.clone());
        }
    }

    /// Perhaps returns an earlier expression again.
    pub fn again(&mut self, p: &mut Picks<'_>) -> Option<Tile> {
        if self.written.is_empty() || !p.once_in(4) {
            return None;
        }
        let e = self.written[self.written.len() - 1 - p.of(self.written.len())].clone();
        let loads = e.text.matches(".load").count();
        if self.names(&e, |v| v.gathers) || !(0..loads).all(|_| self.room_for_load(true)) {
            return None;
        }
        self.cover.note(if e.text.ends_with(".load()") {
            "again load"
        } else {
            "again made"
        });
        Some(e)
    }

    /// True if an expression reads a variable of this kind.
    fn names(&self, e: &Tile, some: impl Fn(&Var) -> bool) -> bool {
        let mut words = e.text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| self.values.iter().any(|v| v.tile.text == word && some(v)))
    }

    fn set_tile(&mut self, p: &mut Picks<'_>) {
        let level = self.loops.len();
        let own = |v: &&Var| v.mutable && v.level == level && !v.gathers;
        let all: Vec<Tile> = self
            .values
            .iter()
            .filter(own)
            .map(|v| v.tile.clone())
            .collect();
        if all.is_empty() {
            return self.let_tile(true, p);
        }
        let target = p.one(&all).clone();
        let e = self.tile(p, 1);
        let Some(e) = self.shaped(e, target.dtype, &target.axes, p) else {
            return;
        };
        self.line(format!("{} = {};", target.text, e.text));
    }

    /// Gives a tile this type and these axes: others are reduced, and missing ones are broadcast.
    fn shaped(
        &mut self,
        e: Tile,
        dtype: DType,
        wanted: &BTreeSet<Ax>,
        p: &mut Picks<'_>,
    ) -> Option<Tile> {
        let number = if dtype.is_number() { dtype } else { e.dtype };
        let e = self.convert(e, number);
        let over: BTreeSet<Ax> = e.axes.difference(wanted).copied().collect();
        if over.iter().any(|ax| matches!(ax, Ax::Run(_))) {
            return None;
        }
        let e = if over.is_empty() {
            e
        } else {
            self.reduced(e, &over, 1, None, p).0
        };
        // The place of `argmax` is an integer.
        let e = self.convert(e, number);
        let more = wanted.difference(&e.axes).copied().collect();
        let e = self.expanded(e, &more);
        if !dtype.is_number() {
            self.cover.note(format!("stored store {dtype}"));
        }
        Some(self.convert(e, dtype))
    }

    fn condition(&mut self, node: &Node, p: &mut Picks<'_>) {
        let each: Vec<String> = self
            .loops
            .iter()
            .flatten()
            .map(|r| &self.runs[*r])
            .filter(|r| r.each)
            .map(|r| r.name.clone())
            .collect();
        let read = self.numbers.last().map(|n| n.above(1));
        let text = match (each.first(), read) {
            (_, Some(above)) if p.of(2) == 0 => {
                self.cover.note("read condition");
                above
            }
            (Some(name), _) if p.of(2) == 0 => format!("{name} % 2 == 0"),
            _ => format!(
                "{} > {}",
                self.head.axes[p.of(self.head.axes.len())].name,
                p.of(9)
            ),
        };
        self.line(format!("if {text} {{"));
        self.cover.note("nest if");
        let (mark, numbers, written) = (self.values.len(), self.numbers.len(), self.written.len());
        self.nested += 1;
        self.statements(&node.body);
        self.nested -= 1;
        self.values.truncate(mark);
        self.numbers.truncate(numbers);
        self.written.truncate(written);
        self.line("}");
    }

    // ---- loops ----

    /// Draws the pattern of a loop, its axes behind `in`, and its sizes.
    fn head_of(&mut self, specs: &[Spec], p: &mut Picks<'_>) -> (String, String, String) {
        let mut runs = Vec::new();
        for spec in specs {
            let name = self.name(if spec.each { "i" } else { "t" });
            runs.push(self.runs.len());
            self.runs.push(Run {
                name,
                axis: spec.axis,
                each: spec.each,
            });
        }
        let names: Vec<String> = runs.iter().map(|r| self.runs[*r].name.clone()).collect();
        let pattern = pattern(&names);
        let over = self.head.over(specs, None);
        self.loops.push(runs);
        (pattern, over, self.sizes(specs, p))
    }

    /// Perhaps draws `.size((8, _))`.
    fn sizes(&mut self, specs: &[Spec], p: &mut Picks<'_>) -> String {
        let mut entry = |spec: &Spec| {
            // Elements are cut in data blocks.
            let mut last = self
                .head
                .tensors
                .iter()
                .filter(|t| t.axes.last() == Some(&spec.axis));
            let (lanes, stored) = (last.clone().next().is_some(), last.any(|t| t.is_written()));
            let narrow = self.head.tensors.iter().any(|t| t.dtype.bytes() == 1);
            let size = match lanes {
                // An axis that is last in loads alone is one of several row axes, and transposed.
                true if !stored => {
                    if narrow {
                        32
                    } else {
                        16
                    }
                }
                true if narrow => *p.one(&[32, 64]),
                true => *p.one(&[16, 32]),
                false => *p.one(&[1, 2, 3, 8]),
            };
            if spec.each || p.of(3) == 0 {
                "_".to_string()
            } else {
                size.to_string()
            }
        };
        let entries: Vec<String> = specs.iter().map(&mut entry).collect();
        let given = entries.iter().any(|e| e != "_") && p.once_in(3);
        match &entries[..] {
            _ if !given => String::new(),
            [one] => format!(".size({one})"),
            all => {
                self.cover.note("nest sizes");
                format!(".size(({}))", all.join(", "))
            }
        }
    }

    fn inner(&mut self, node: &Node, p: &mut Picks<'_>) {
        let free: Vec<usize> = (0..self.head.axes.len())
            .filter(|axis| self.open(*axis).is_none())
            .collect();
        if free.is_empty() || !self.room_for_loop() {
            return self.let_tile(false, p);
        }
        if self.nested > 0 {
            self.cover.note("inner under if");
        }
        let axes = some(&free, p);
        let axes = &axes[..axes.len().min(MOST_CUT - self.head.outer.len())];
        let specs = specs(axes, p);
        self.cover.note(format!("inner {}", kind(&specs)));
        let merges = node.body.iter().any(|n| n.kind == Kind::Merge) || p.of(2) == 0;
        let mut own = p.clone();
        self.around(&specs, merges, p, |b| {
            b.statements(&node.body);
            if merges {
                b.merge(&mut own);
            }
        });
    }

    fn room_for_loop(&self) -> bool {
        let outer = self.head.outer.len();
        self.loops.len() < MOST_LOOPS && self.runs.len() - outer < MOST_INNER && outer < MOST_CUT
    }

    /// Writes a loop with its body.
    fn around(
        &mut self,
        specs: &[Spec],
        merges: bool,
        p: &mut Picks<'_>,
        body: impl FnOnce(&mut Self),
    ) {
        if merges {
            self.gather(p);
        }
        let (mark, level, numbers, written) = (
            self.values.len(),
            self.loops.len(),
            self.numbers.len(),
            self.written.len(),
        );
        let before: Vec<bool> = self.values.iter().map(|v| v.gathers).collect();
        for v in self
            .values
            .iter_mut()
            .filter(|v| merges && v.mutable && v.level == level)
        {
            v.gathers = true;
        }
        let merged = std::mem::take(&mut self.merged);
        let (pattern, over, sizes) = self.head_of(specs, p);
        let header = format!("for {pattern} in {over}{sizes} {{");
        let runs = self.loops.pop().expect("the loop");
        let (begin, before_loads, before_stores) = (self.out.len(), self.nested_loads, self.stores);
        self.line(&header);
        self.loops.push(runs);
        body(self);
        self.loops.pop();
        self.line("}");
        self.merged = merged;
        self.values.truncate(mark);
        self.numbers.truncate(numbers);
        self.written.truncate(written);
        let (loads, stores) = (
            self.nested_loads - before_loads,
            self.stores - before_stores,
        );
        let blocks = self.hoisted + 2 * (self.nested_loads + loads) + usize::from(self.spreads);
        if blocks <= MAX_BLOCKS_PER_POSITION as usize && self.stores + stores <= MAX_STORES {
            let text = self.out.split_off(begin);
            let parts = self.in_ranges(specs, &text, p);
            if parts.len() > 1 {
                (self.nested_loads, self.stores) =
                    (self.nested_loads + loads, self.stores + stores);
            }
            let plain = format!(" in {}", self.head.over(specs, None));
            let parts: String = parts
                .iter()
                .map(|over| text.replacen(&plain, &format!(" in {over}"), 1))
                .collect();
            // A sum or maximum may be accumulated several times.
            if merges && !parts.contains(".store") && p.once_in(2) {
                self.cover.note("inner under for");
                let count = self.name("c");
                self.line(format!("for {count} in 0..{} {{", p.one(&["1", "2", "n0"])));
                self.out += &parts;
                self.line("}");
            } else {
                self.out += &parts;
            }
        }
        self.values
            .iter_mut()
            .zip(before)
            .for_each(|(v, before)| v.gathers = before);
    }

    // ---- stores ----

    fn store_some(&mut self, p: &mut Picks<'_>) {
        let moved = |t: &&Tensor| {
            t.is_stored()
                && self
                    .loops
                    .iter()
                    .flatten()
                    .all(|r| t.axes.contains(&self.runs[*r].axis))
        };
        let all: Vec<Tensor> = self.head.tensors.iter().filter(moved).cloned().collect();
        if all.is_empty() || self.stores >= MAX_STORES {
            return self.let_tile(false, p);
        }
        let t = p.one(&all).clone();
        self.store(&t, p);
    }

    /// Returns the axes of stores to a tensor at this place, and its indices.
    pub fn place(&self, t: &Tensor) -> (BTreeSet<Ax>, Vec<String>) {
        let (mut wanted, mut indices) = (BTreeSet::new(), Vec::new());
        for axis in &t.axes {
            let by = t.moved.filter(|(moved, _)| moved == axis).map(|(_, by)| by);
            let by = by.map(|by| {
                if by < 0 {
                    format!(" - {}", -by)
                } else {
                    format!(" + {by}")
                }
            });
            match self.open(*axis) {
                Some(run) => {
                    wanted.extend((!self.runs[run].each).then_some(Ax::Run(run)));
                    let name = &self.runs[run].name;
                    let index = match t.back == Some(*axis) {
                        true => format!("{} - 1 - {name}", self.head.axes[*axis].name),
                        false => name.clone(),
                    };
                    indices.push(index + &by.unwrap_or_default());
                }
                None => {
                    wanted.insert(Ax::Whole(*axis));
                    let name = &self.head.axes[*axis].name;
                    indices.push(by.map_or("..".to_string(), |by| format!("{name}.indices(){by}")));
                }
            }
        }
        (wanted, indices)
    }

    fn store(&mut self, t: &Tensor, p: &mut Picks<'_>) {
        let (wanted, indices) = self.place(t);
        let depth = p.of(3);
        let e = self.tile(p, depth);
        let Some(e) = self.shaped(e, t.dtype, &wanted, p) else {
            return;
        };
        self.cover.note(if t.of.is_some() {
            "store view".to_string()
        } else {
            format!("store of {}", wanted.len())
        });
        let store = if t.moved.is_some() {
            "store_in"
        } else {
            "store"
        };
        self.line(format!(
            "{}.at({}).{store}({});",
            t.name,
            indices.join(", "),
            e.text
        ));
        self.stores += 1;
        if self.nested == 0 {
            self.complete.insert(t.of.clone().unwrap_or(t.name.clone()));
        }
    }

    /// Stores to all outputs without a store, perhaps in a separate loop.
    fn finish(&mut self, p: &mut Picks<'_>) {
        let left: Vec<Tensor> = self
            .head
            .tensors
            .iter()
            .filter(|t| t.is_stored() && t.of.is_none())
            .cloned()
            .collect();
        for t in left.iter() {
            if self.complete.contains(&t.name) {
                continue;
            }
            let free: Vec<usize> = t
                .axes
                .iter()
                .copied()
                .filter(|axis| self.open(*axis).is_none())
                .collect();
            if free.is_empty() || !self.room_for_loop() || p.of(3) > 0 {
                self.store(t, p);
            } else {
                let axes = some(&free, p);
                let specs = specs(&axes[..axes.len().min(MOST_CUT - self.head.outer.len())], p);
                self.cover.note(format!("inner {}", kind(&specs)));
                let mut own = p.clone();
                self.around(&specs, false, p, |b| b.store(t, &mut own));
            }
        }
    }
}

/// Perhaps draws `.buffer_num(1)` and `.block_dim(3)`.
fn overrides(p: &mut Picks<'_>) -> String {
    let mut text = String::new();
    if p.once_in(4) {
        let _ = write!(text, ".buffer_num({})", p.one(&[1, 2]));
    }
    if p.once_in(4) {
        let _ = write!(text, ".block_dim({})", p.one(&[1, 2, 3, 7, 48]));
    }
    text
}

/// Builds the kernel of a plan.
pub fn build(plan: &Plan) -> Made {
    let mut cover = Cover::default();
    let mut p = Picks::new(&plan.head);
    let head = Head::new(&mut p, &mut cover);
    let mut b = Builder::new(&head, cover);
    let mut q = Picks::new(&plan.attrs);
    let outer = head.outer.clone();
    let (pattern, over, sizes) = b.head_of(&outer, &mut q);
    let sizes = sizes + &overrides(&mut q);
    let global = b.global(&head, &mut q);
    b.statements(&plan.inside);
    b.finish(&mut q);
    b.finish_results();
    let facts: String = b
        .facts
        .iter()
        .map(|fact| format!("    require({fact});\n"))
        .collect();
    let phases = Phases::of(&head, &mut q, &mut b.cover);
    let two = if global.is_none() {
        head.in_two(&outer, &mut q)
    } else {
        None
    };
    if two.is_some() {
        b.cover.note("range outside");
    }
    let overs = two.map_or(vec![over], Vec::from);
    let text = |overrides: &str| {
        let main = |over: &String| {
            format!(
                "    for {pattern} in {over}{overrides} {{\n{}    }}\n",
                b.out
            )
        };
        let main: String = overs.iter().map(main).collect();
        let main = match &global {
            None => main,
            Some((before, behind)) => format!("{before}{main}{behind}"),
        };
        let main = head.fills() + &main;
        let declarations = head.declarations();
        let body = match &phases {
            None => format!("{declarations}{main}"),
            Some(phases) => phases.around(&declarations, &main),
        };
        format!(
            "use jumar::prelude::*;\n\n{}{facts}{body}}}\n",
            head.signature()
        )
    };
    let case = Case {
        name: "sample".into(),
        chip: head.chip,
        text: text(&sizes),
        tensors: head.given(),
        attrs: Vec::new(),
        exact: head.exact,
        seed: plan.seed,
    };
    Made {
        case,
        plain: text(""),
        cover: b.cover.clone(),
        ordered: b.ordered,
        wide: false,
    }
}
