//! Random kernels: a few steps over one or two inputs, described in words as they are made.
//!
//! A kernel comes with a task header, so that its prompt and its runs are like those of a
//! benchmark. It has no reference: the result is what the simulator and the interpreter agree on.

use crate::tasks::corpus::Task;
use crate::tasks::data::Random;
use jumar::dsl::library::{Function, FUNCTIONS};
use std::fmt::Write;

/// A kernel and its task.
pub struct Made {
    /// The header of the task.
    pub task: Task,
    pub text: String,
}

/// The axes of the loops and of the stored tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// All elements of the inputs.
    Flat,
    /// Rows, stored as rows.
    Rows,
    /// Rows that are reduced to one number each.
    Reduced,
}

/// A tile; `wide` is true if it has the axis of a row.
#[derive(Clone)]
struct Value {
    name: String,
    wide: bool,
    used: bool,
}

/// A kernel that is being made.
struct Maker {
    form: Form,
    random: Random,
    values: Vec<Value>,
    lines: Vec<String>,
    says: Vec<String>,
}

/// Names of values. They differ from those of axes, inputs and loop tiles, and outnumber the values
/// of a kernel.
const NAMES: [&str; 14] = [
    "a", "b", "c", "e", "f", "g", "h", "k", "m", "p", "q", "r", "s", "v",
];

const NUMBERS: [&str; 6] = ["0.25", "0.5", "1.5", "2.0", "3.0", "-1.0"];

/// Makes the kernel of a seed and a number; `attempt` gives alternatives.
///
/// # Errors
/// If the header is invalid, which is a defect of this module.
pub fn kernel(seed: u64, number: u64, attempt: u64) -> Result<Made, String> {
    let mut random = Random(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ number.wrapping_mul(0xbf58_476d_1ce4_e5b9)
            ^ attempt << 48,
    );
    let form = [Form::Flat, Form::Rows, Form::Reduced][random.below(3) as usize];
    let (inputs, is_generic) = (1 + random.below(3) as usize, random.below(2) == 0);
    let steps = 2 + random.below(5);
    let mut maker = Maker {
        form,
        random,
        values: Vec::new(),
        lines: Vec::new(),
        says: Vec::new(),
    };
    let kernel = Kernel {
        name: format!("random_{number}"),
        form,
        inputs,
        is_generic,
    };
    (0..inputs).for_each(|at| maker.load(&kernel, at));
    (0..steps).for_each(|_| maker.step());
    maker.finish(&kernel)
}

/// The properties of its signature.
struct Kernel {
    name: String,
    form: Form,
    inputs: usize,
    is_generic: bool,
}

impl Kernel {
    fn ty(&self) -> &'static str {
        if self.is_generic {
            "T"
        } else {
            "f32"
        }
    }

    /// Returns the axes of an input. The last of several inputs over rows is a single row for all.
    fn shape(&self, input: usize) -> &'static str {
        match self.form {
            Form::Flat => "n..",
            Form::Rows | Form::Reduced if input > 0 && input + 1 == self.inputs => "d",
            Form::Rows | Form::Reduced => "n.., d",
        }
    }

    fn stored(&self) -> &'static str {
        match self.form {
            Form::Flat | Form::Reduced => "n..",
            Form::Rows => "n.., d",
        }
    }

    fn head(&self) -> String {
        let generic = if self.is_generic { "<T: Float>" } else { "" };
        let tensor = |name: &str, shape: &str, lent: &str| {
            format!(
                "#[shape({shape})] {name}: {lent}GlobalTensor<{}>",
                self.ty()
            )
        };
        let inputs = (0..self.inputs).map(|at| tensor(input(at), self.shape(at), "&"));
        let all: Vec<String> = inputs
            .chain([tensor("y", self.stored(), "&mut ")])
            .collect();
        format!("pub fn {}{generic}({})", self.name, all.join(", "))
    }

    /// Makes the header, with these words as its description.
    fn task(&self, does: &str) -> Result<Task, String> {
        let (elements, case) = match (self.is_generic, self.form) {
            (true, _) => ("elements = [\"f16\", \"bf16\", \"f32\"]\n", self.case()),
            (false, _) => ("", self.case()),
        };
        let mut text = format!(
            "name = \"{0}\"\ncategory = \"random\"\ndoes = {does:?}\n{elements}",
            self.name
        );
        let tensor = |name: &str, is: &str, shape: &str, data: &str| {
            format!("[[tensors]]\nname = \"{name}\"\nis = \"{is}\"\nof = \"{}\"\nshape = \"{shape}\"\n{data}", self.ty())
        };
        for at in 0..self.inputs {
            text.push_str(&tensor(
                input(at),
                "input",
                self.shape(at),
                "data = \"uniform -2 2\"\n",
            ));
        }
        text.push_str(&tensor("y", "output", self.stored(), ""));
        let _ = write!(
            text,
            "[[cases]]\n{case}[tolerance]\nunits = 64\nwhy = \"a few units a step\"\n"
        );
        let mut task = toml::from_str::<Task>(&text)
            .map_err(|e| format!("the header of {}: {e}\n{text}", self.name))?;
        (task.bench, task.stem) = ("random", self.name.clone());
        Ok(task)
    }

    fn case(&self) -> &'static str {
        match self.form {
            Form::Flat => "n = [3, 50]\n",
            Form::Rows | Form::Reduced => "n = [2, 3]\nd = 40\n",
        }
    }
}

fn input(at: usize) -> &'static str {
    ["x", "w", "u"][at]
}

impl Maker {
    fn load(&mut self, kernel: &Kernel, at: usize) {
        let (tensor, is_row) = (input(at), kernel.shape(at) == "d");
        let place = match (self.form, is_row) {
            (Form::Flat, _) => "t",
            (Form::Rows | Form::Reduced, true) => "..",
            (Form::Rows | Form::Reduced, false) => "t, ..",
        };
        let cast = if kernel.is_generic {
            ".cast::<f32>()"
        } else {
            ""
        };
        let name = self.named(true);
        self.lines
            .push(format!("let {name} = {tensor}.at({place}).load(){cast};"));
        let what = if is_row {
            format!("`{tensor}`, the same for every row")
        } else {
            format!("`{tensor}`")
        };
        self.says.push(format!("`{name}` is {what}"));
    }

    /// Adds a value and returns its name.
    fn named(&mut self, wide: bool) -> String {
        let name = NAMES[self.values.len()].to_string();
        self.values.push(Value {
            name: name.clone(),
            wide,
            used: false,
        });
        name
    }

    /// Picks a value, wide if required, and prefers one that was not used yet.
    fn operand(&mut self, must_be_wide: bool) -> Value {
        let fits = |v: &&mut Value| v.wide || !must_be_wide;
        let fresh = self
            .values
            .iter()
            .filter(|v| (v.wide || !must_be_wide) && !v.used)
            .count() as u64;
        let all = self
            .values
            .iter()
            .filter(|v| v.wide || !must_be_wide)
            .count() as u64;
        let chosen = if fresh > 0 {
            self.random.below(fresh)
        } else {
            self.random.below(all)
        } as usize;
        let mut of = self
            .values
            .iter_mut()
            .filter(fits)
            .filter(|v| fresh == 0 || !v.used);
        // The first value is wide, so there is always one.
        let value = of.nth(chosen).expect("as many as were counted");
        value.used = true;
        value.clone()
    }

    fn step(&mut self) {
        let kinds = if self.form == Form::Flat { 4 } else { 6 };
        match self.random.below(kinds) {
            0 => self.function(),
            1 => self.beside_number(),
            2 => self.both(),
            3 => self.chosen(),
            _ => self.reduced(),
        }
    }

    fn define(&mut self, wide: bool, code: &str, says: &str) {
        let name = self.named(wide);
        self.lines.push(format!("let {name} = {code};"));
        self.says.push(format!("`{name}` is {says}"));
    }

    fn function(&mut self) {
        let plain: Vec<&Function> = FUNCTIONS
            .iter()
            .filter(|f| f.args.is_empty() && !f.gives_mask)
            .collect();
        let f = plain[self.random.below(plain.len() as u64) as usize];
        let v = self.operand(false);
        let doc = f.doc.trim_end_matches('.').replace('\n', " ");
        self.define(
            v.wide,
            &format!("{}.{}()", v.name, f.name),
            &format!("`{}` of `{}` ({doc})", f.name, v.name),
        );
    }

    fn beside_number(&mut self) {
        let (v, by) = (
            self.operand(false),
            NUMBERS[self.random.below(NUMBERS.len() as u64) as usize],
        );
        let name = &v.name;
        let (code, says) = match self.random.below(4) {
            0 => (format!("{name} * {by}"), format!("`{name}` times {by}")),
            1 => (format!("{name} + {by}"), format!("`{name}` plus {by}")),
            2 => (
                format!("{name}.max({by})"),
                format!("the larger of `{name}` and {by}"),
            ),
            _ => (
                format!("{name}.min({by})"),
                format!("the smaller of `{name}` and {by}"),
            ),
        };
        self.define(v.wide, &code, &says);
    }

    fn both(&mut self) {
        let (v, w) = (self.operand(true), self.operand(false));
        let (a, b) = (&v.name, &w.name);
        let (code, says) = match self.random.below(6) {
            0 => (format!("{a} + {b}"), format!("`{a}` plus `{b}`")),
            1 => (format!("{a} - {b}"), format!("`{a}` minus `{b}`")),
            2 => (format!("{a} * {b}"), format!("`{a}` times `{b}`")),
            3 => (
                format!("{a}.max({b})"),
                format!("the larger of `{a}` and `{b}`"),
            ),
            4 => (
                format!("{a}.min({b})"),
                format!("the smaller of `{a}` and `{b}`"),
            ),
            _ => (
                format!("{a} / ({b}.abs() + 1.0)"),
                format!("`{a}` over one plus the absolute value of `{b}`"),
            ),
        };
        self.define(true, &code, &says);
    }

    fn chosen(&mut self) {
        let (v, w) = (self.operand(true), self.operand(false));
        let by = NUMBERS[self.random.below(NUMBERS.len() as u64) as usize];
        let (a, b) = (&v.name, &w.name);
        let code = format!("{a}.gt({by}).select({a}, {b})");
        self.define(
            true,
            &code,
            &format!("`{a}` where that is above {by}, else `{b}`"),
        );
    }

    fn reduced(&mut self) {
        let v = self.operand(true);
        let a = &v.name;
        let (method, says) = [
            ("sum", "the sum"),
            ("mean", "the mean"),
            ("amax", "the largest"),
            ("amin", "the smallest"),
        ][self.random.below(4) as usize];
        self.define(
            false,
            &format!("{a}.{method}(d)"),
            &format!("{says} of the elements of `{a}` along `d`"),
        );
    }

    /// Finishes the kernel. The stored value depends on all values that were not used yet.
    fn finish(mut self, kernel: &Kernel) -> Result<Made, String> {
        let wide = self.form != Form::Reduced;
        if !wide && self.values.last().is_none_or(|v| v.wide) {
            self.reduced();
        }
        if self.values.last().is_none_or(|v| v.wide != wide) {
            self.both();
        }
        let Some(last) = self.values.last().map(|v| v.name.clone()) else {
            return Err("a kernel of no values".into());
        };
        let (cast, place) = (
            if kernel.is_generic {
                ".cast::<T>()"
            } else {
                ""
            },
            if self.form == Form::Rows {
                "t, .."
            } else {
                "t"
            },
        );
        let over = if self.form == Form::Flat { "x" } else { "n" };
        let mut text =
            format!("#[kernels]\npub mod answer {{\n    use jumar::prelude::*;\n\n    #[kernel]\n    {} {{\n", kernel.head());
        let _ = writeln!(text, "        for t in tiles({over}) {{");
        for line in &self.lines {
            let _ = writeln!(text, "            {line}");
        }
        let _ = write!(
            text,
            "            y.at({place}).store({last}{cast});\n        }}\n    }}\n}}\n"
        );
        let rows = if self.form == Form::Flat {
            "For each element"
        } else {
            "For each row along `d`"
        };
        let does = format!("{rows}: {}. `y` holds `{last}`.", self.says.join("; "));
        Ok(Made {
            task: kernel.task(&does)?,
            text,
        })
    }
}
