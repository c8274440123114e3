//! Random kernels of the tile language, as values that `proptest` makes and shrinks, and their text.
//!
//! A plan is a list of steps over earlier values, like a program in SSA form: removing a step or making an index smaller
//! leaves a kernel, which is what lets a failure shrink to a few lines. The ops are read from the op table; a new row is
//! generated from the day it exists. A step that does not fit (shapes that do not meet, an op without the element type)
//! becomes another one, never an error, so nearly every plan is a kernel that the checker takes.

use super::agree::{Case, Tensor};
use super::spell::write_op;
use jumar::dsl::dtype::{cast_modes, DType};
use jumar::dsl::ops::{Op, OpDef};
use jumar::dsl::soc::{Arch, Chip};
use proptest::prelude::*;
use std::fmt::Write;

/// How the kernel walks its tensors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Walk {
    /// `tiles(x)`.
    Flat,
    /// `row_tiles(x)`.
    Rows,
    /// `row_tiles(x)`, then `col_tiles()` with a running value.
    Columns,
}

/// One value made from earlier ones.
#[derive(Clone, Debug)]
pub struct Step {
    kind: Kind,
    /// Which op of its family.
    op: usize,
    /// Which earlier values.
    a: usize,
    b: usize,
    c: usize,
    /// A scalar operand.
    scalar: i8,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Binary,
    WithScalar,
    Unary,
    Select,
    RowReduce,
    Round,
    Constant,
}

/// A random kernel.
#[derive(Clone, Debug)]
pub struct Plan {
    walk: Walk,
    /// Into the chips.
    chip: usize,
    /// Element type of the tensors.
    dtype: usize,
    /// Computed in f32, or in the element type where that has the ops.
    wide: bool,
    /// Tensors of the full shape that are read.
    inputs: usize,
    /// A tensor of one row, of one column.
    row_input: bool,
    col_input: bool,
    /// Which reduction runs over the columns before they are walked a second time.
    running: Option<usize>,
    steps: Vec<Step>,
    outputs: usize,
    tile_length: Option<u8>,
    block_dim: Option<u8>,
    buffer_num: Option<u8>,
    rows: usize,
    cols: usize,
    /// Of the data.
    pub seed: u64,
}

fn size(max: usize) -> impl Strategy<Value = usize> {
    let edges = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 1024];
    let edges: Vec<usize> = edges.into_iter().filter(|n| *n <= max).collect();
    prop_oneof![prop::sample::select(edges), 0..=max]
}

fn step() -> impl Strategy<Value = Step> {
    let kind = prop_oneof![
        4 => Just(Kind::Binary),
        3 => Just(Kind::WithScalar),
        3 => Just(Kind::Unary),
        2 => Just(Kind::Select),
        3 => Just(Kind::RowReduce),
        1 => Just(Kind::Round),
        1 => Just(Kind::Constant),
    ];
    (kind, 0..64usize, 0..8usize, 0..8usize, 0..8usize, -6..=6i8).prop_map(|(kind, op, a, b, c, scalar)| Step {
        kind,
        op,
        a,
        b,
        c,
        scalar,
    })
}

/// Any plan.
pub fn plans() -> impl Strategy<Value = Plan> {
    let walk = prop_oneof![2 => Just(Walk::Flat), 3 => Just(Walk::Rows), 1 => Just(Walk::Columns)];
    let shape = (size(300), size(1500));
    let choices = (walk, 0..Chip::all().len(), 0..4usize, prop::bool::weighted(0.7), 1..=3usize);
    let inputs = (any::<bool>(), any::<bool>(), prop::option::of(0..3usize));
    let parts = (inputs, prop::collection::vec(step(), 0..8), 1..=2usize);
    let schedule = (
        prop::option::weighted(0.3, 1..=8u8),
        prop::option::weighted(0.3, 1..=9u8),
        prop::option::weighted(0.3, 1..=3u8),
        any::<u64>(),
    );
    (choices, parts, schedule, shape).prop_map(
        |(
            (walk, chip, dtype, wide, inputs),
            ((row_input, col_input, running), steps, outputs),
            (tile_length, block_dim, buffer_num, seed),
            (rows, cols),
        )| Plan {
            walk,
            chip,
            dtype,
            wide,
            inputs,
            row_input,
            col_input,
            running,
            steps,
            outputs,
            tile_length,
            block_dim,
            buffer_num,
            rows,
            cols,
            seed,
        },
    )
}

/// Shape of a value in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Full,
    Row,
    Col,
}

struct Value {
    name: String,
    form: Form,
}

impl Plan {
    /// The chip.
    fn chip(&self) -> &'static Chip {
        &Chip::all()[self.chip]
    }

    /// The kernel and its tensors.
    pub fn case(&self) -> Case {
        Case {
            name: "sample".into(),
            chip: self.chip(),
            text: self.text(),
            tensors: self.tensors(),
            attrs: Vec::new(),
            exact: false,
            seed: self.seed,
        }
    }

    /// Element type of all tensors.
    fn dtype(&self) -> DType {
        let all: &[DType] = match self.chip().arch {
            Arch::V220 => &[DType::F16, DType::Bf16, DType::F32, DType::I32],
            Arch::M200 => &[DType::F16, DType::F32, DType::I32],
        };
        all[self.dtype % all.len()]
    }

    /// Element type of the computation.
    fn compute(&self) -> DType {
        match self.dtype() {
            DType::Bf16 => DType::F32,
            // There is no cast from f32 to i32 on architecture 2002.
            DType::I32 if self.chip().arch == Arch::M200 => DType::I32,
            DType::F16 | DType::I32 if self.wide => DType::F32,
            own => own,
        }
    }

    /// Atlas inference products copy whole data blocks only, in rows and in all.
    fn shape(&self) -> (usize, usize) {
        match self.chip().arch {
            Arch::V220 => (self.rows, self.cols),
            Arch::M200 => (self.rows.next_multiple_of(16), self.cols.next_multiple_of(16)),
        }
    }

    fn columns(&self) -> bool {
        self.walk == Walk::Columns
    }

    /// A column tensor is copied in pieces of any size, which wants DataCopyPad.
    fn has_col(&self) -> bool {
        self.col_input && self.walk == Walk::Rows && self.chip().arch == Arch::V220
    }

    fn has_row(&self) -> bool {
        self.row_input && self.walk != Walk::Flat
    }

    /// The tensors, in the order of the parameters.
    fn tensors(&self) -> Vec<Tensor> {
        let (n, d) = self.shape();
        let dtype = self.dtype();
        let tensor = |name: String, shape: Vec<usize>, written| Tensor { name, dtype, shape, written };
        let mut all: Vec<Tensor> = (0..self.inputs).map(|i| tensor(format!("x{i}"), vec![n, d], false)).collect();
        if self.has_row() {
            all.push(tensor("w".into(), vec![d], false));
        }
        if self.has_col() {
            all.push(tensor("k".into(), vec![n], false));
        }
        all.extend((0..self.outputs).map(|i| tensor(format!("y{i}"), vec![n, d], true)));
        all
    }

    fn rows_of(&self, family: impl Fn(Op) -> bool) -> Vec<&'static OpDef> {
        let arch = self.chip().arch;
        Op::all().filter(|def| family(def.op) && def.dtypes(arch).contains(&self.compute())).collect()
    }

    /// The text of the kernel.
    fn text(&self) -> String {
        let mut body = String::new();
        let var = if self.columns() { "c" } else { "t" };
        let pad = if self.columns() { "            " } else { "        " };
        let mut values = self.loads(var, pad, &mut body);
        for (i, step) in self.steps.iter().enumerate() {
            if let Some(value) = self.step(step, i, &values, pad, &mut body) {
                values.push(value);
            }
        }
        let full: Vec<&Value> = values.iter().filter(|v| v.form == Form::Full).collect();
        for i in 0..self.outputs {
            let value = &full[full.len() - 1 - i % full.len()].name;
            let _ = writeln!(body, "{pad}{var}.store(y{i}, {});", self.converted(value));
        }
        format!("{}{}{}{}}}\n", self.head(), self.before(), body, if self.columns() { "        }\n    }\n" } else { "    }\n" })
    }

    fn head(&self) -> String {
        let dtype = self.dtype().name();
        let flat = self.walk == Walk::Flat;
        let mut params: Vec<String> = Vec::new();
        for tensor in self.tensors() {
            let shape = match tensor.name.as_str() {
                _ if flat => "",
                "w" => "#[shape(d)] ",
                "k" => "#[shape(n)] ",
                _ => "#[shape(n, d)] ",
            };
            let mutable = if tensor.written { "mut " } else { "" };
            params.push(format!("{shape}{}: &{mutable}GlobalTensor<{dtype}>", tensor.name));
        }
        let mut attrs = "#[kernel]\n".to_string();
        if self.chip().name != Chip::default_chip().name {
            let _ = writeln!(attrs, "#[chips({})]", self.chip().name);
        }
        format!("{attrs}pub fn sample({}) {{\n", params.join(", "))
    }

    /// What stands before the body of the loop.
    fn before(&self) -> String {
        let mut schedule = String::new();
        if let Some(n) = self.buffer_num {
            let _ = write!(schedule, ".buffer_num({n})");
        }
        if let Some(n) = self.block_dim {
            let _ = write!(schedule, ".block_dim({n})");
        }
        let length = self.tile_length.map(|n| u32::from(n) * 64);
        match self.walk {
            Walk::Flat => {
                let length = length.map_or(String::new(), |n| format!(".tile_length({n})"));
                format!("    for t in tiles(x0){length}{schedule} {{\n")
            }
            Walk::Rows => {
                let rows = self.tile_length.map_or(String::new(), |n| format!(".rows({n})"));
                format!("    for t in row_tiles(x0){rows}{schedule} {{\n")
            }
            Walk::Columns => {
                let length = length.map_or(String::new(), |n| format!(".tile_length({n})"));
                let first = self.running().map_or(String::new(), |reduce| self.first_walk(reduce, &length));
                format!("    for t in row_tiles(x0){schedule} {{\n{first}        for c in t.col_tiles(){length} {{\n")
            }
        }
    }

    /// The reduction that runs over the columns first.
    fn running(&self) -> Option<&'static OpDef> {
        let rows = self.rows_of(|op| matches!(op, Op::RowReduce(_)));
        self.running.filter(|_| self.columns() && !rows.is_empty()).map(|i| rows[i % rows.len()])
    }

    fn first_walk(&self, reduce: &OpDef, length: &str) -> String {
        let load = self.loaded("c.load(x0)");
        let of_tile = write_op(reduce, &["v"]);
        let combined = match reduce.name {
            "row_sum" => format!("running + {of_tile}"),
            name => format!("running.{}({of_tile})", name.trim_start_matches("row_")),
        };
        format!(
            "        let mut running = t.col::<{}>(0.0);\n        for c in t.col_tiles(){length} {{\n            \
             let v = {load};\n            running = {combined};\n        }}\n",
            self.compute().name()
        )
    }

    /// A load in the element type of the computation.
    fn loaded(&self, load: &str) -> String {
        if self.compute() == self.dtype() {
            load.to_string()
        } else {
            format!("{load}.cast::<{}>()", self.compute().name())
        }
    }

    fn loads(&self, var: &str, pad: &str, body: &mut String) -> Vec<Value> {
        let mut values = Vec::new();
        for tensor in self.tensors().iter().filter(|t| !t.written) {
            let (method, form) = match tensor.name.as_str() {
                "w" => ("load_row", Form::Row),
                "k" => ("load_col", Form::Col),
                _ => ("load", Form::Full),
            };
            let load = self.loaded(&format!("{var}.{method}({})", tensor.name));
            let name = format!("{}_v", tensor.name);
            let _ = writeln!(body, "{pad}let {name} = {load};");
            values.push(Value { name, form });
        }
        if self.running().is_some() {
            values.push(Value { name: "running".into(), form: Form::Col });
        }
        values
    }

    /// A value in the element type of the tensors.
    fn converted(&self, value: &str) -> String {
        if self.compute() == self.dtype() {
            return value.to_string();
        }
        let modes = cast_modes(self.chip().arch, self.compute(), self.dtype());
        match modes.get(self.seed as usize % (modes.len() + 1)) {
            Some(mode) => format!("{value}.cast_with::<{}>(RoundMode::{mode:?})", self.dtype().name()),
            None => format!("{value}.cast::<{}>()", self.dtype().name()),
        }
    }

    fn scalar(&self, step: &Step) -> String {
        if self.compute() == DType::I32 {
            return format!("{}", i32::from(step.scalar) * 1001);
        }
        format!("{:?}", f32::from(step.scalar) * 0.75)
    }

    /// Writes the line of a step; `None` where the kernel cannot have it.
    fn step(&self, step: &Step, index: usize, values: &[Value], pad: &str, body: &mut String) -> Option<Value> {
        let pick = |i: usize| &values[i % values.len()];
        let full = |i: usize| {
            let full: Vec<&Value> = values.iter().filter(|v| v.form == Form::Full).collect();
            full[i % full.len()]
        };
        let row_of = |family: &dyn Fn(Op) -> bool| {
            let rows = self.rows_of(family);
            (!rows.is_empty()).then(|| rows[step.op % rows.len()])
        };
        let (text, form) = match step.kind {
            Kind::Binary => {
                let def = row_of(&|op| matches!(op, Op::Binary(_)))?;
                let (a, b) = (pick(step.a), pick(step.b));
                // A row and a column have no axis that both fill.
                let b = if a.form == b.form || a.form == Form::Full || b.form == Form::Full { b } else { a };
                let form = if a.form == b.form { a.form } else { Form::Full };
                (write_op(def, &[&a.name, &b.name]), form)
            }
            Kind::WithScalar => {
                let def = row_of(&|op| matches!(op, Op::Binary(_)))?;
                let a = pick(step.a);
                (write_op(def, &[&a.name, &self.scalar(step)]), a.form)
            }
            Kind::Unary => {
                let def = row_of(&|op| matches!(op, Op::Unary(_)))?;
                let a = pick(step.a);
                (write_op(def, &[&a.name]), a.form)
            }
            Kind::Select => {
                let def = row_of(&|op| matches!(op, Op::Compare(_)))?;
                self.rows_of(|op| op.name() == "select").first()?;
                let other = if step.op.is_multiple_of(2) { full(step.c + 1).name.clone() } else { self.scalar(step) };
                (
                    format!(
                        "({}).select({}, {other})",
                        write_op(def, &[&full(step.a).name, &full(step.b).name]),
                        full(step.c).name
                    ),
                    Form::Full,
                )
            }
            Kind::RowReduce if self.walk == Walk::Rows => {
                let def = row_of(&|op| matches!(op, Op::RowReduce(_)))?;
                (write_op(def, &[&full(step.a).name]), Form::Col)
            }
            Kind::RowReduce => return None,
            Kind::Round => {
                let own = self.compute();
                let modes = cast_modes(self.chip().arch, own, own);
                let mode = modes.get(step.op % modes.len().max(1))?;
                let a = pick(step.a);
                (format!("{}.cast_with::<{}>(RoundMode::{mode:?})", a.name, own.name()), a.form)
            }
            Kind::Constant => {
                let var = if self.columns() { "c" } else { "t" };
                (format!("{var}.full::<{}>({})", self.compute().name(), self.scalar(step)), Form::Full)
            }
        };
        let name = format!("v{index}");
        let _ = writeln!(body, "{pad}let {name} = {text};");
        Some(Value { name, form })
    }
}
