//! The head of a kernel: chip, element types, tensors with their shapes, attributes.

use super::cover::Cover;
use super::exact::Range;
use super::plan::{Picks, Plan};
use jumar::dsl::dtype::{dtype_set, DType};
use jumar::dsl::ir::{Role, ScalarTy};
use jumar::dsl::soc::{Arch, Chip};
use jumar::dsl::tiling::Value;

/// An element type as the kernel writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ty {
    Is(DType),
    /// A dtype parameter.
    Param(usize),
    /// `T::Wide` of an open bound.
    Wide(usize),
    Mask,
}

/// Dtype parameters with their sets, whether instances are listed, the instances, and the types of
/// tensors.
type Choice = (
    &'static [(&'static str, &'static str)],
    bool,
    Vec<Vec<DType>>,
    Vec<Ty>,
);

/// The elements of a tensor, relative to the tensor of the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Full,
    Row,
    Col,
    /// It only gives an axis its size.
    Unread,
}

#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub ty: Ty,
    pub part: Part,
    pub role: Role,
    /// Text inside of `#[shape(..)]`.
    pub axes: Option<String>,
    pub shape: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Attr {
    pub name: String,
    pub ty: ScalarTy,
    pub default: Option<String>,
    /// `None` for an attribute with its default.
    pub given: Option<Value>,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub struct Head {
    pub chip: &'static Chip,
    /// Parameters such as `T: Float`, by name and set.
    pub generics: Vec<(&'static str, &'static str)>,
    pub instances: Vec<Vec<DType>>,
    pub listed: bool,
    /// Index of the instance that runs.
    pub run: usize,
    pub flat: bool,
    pub module: bool,
    pub exact: bool,
    /// True for rows that do not fit in UB; the body must stream.
    pub long: bool,
    pub rows: usize,
    pub cols: usize,
    pub tensors: Vec<Tensor>,
    pub attrs: Vec<Attr>,
    /// Axes in scope of the body.
    pub axes: Vec<(String, usize)>,
    pub facts: Vec<String>,
}

impl Head {
    /// Returns the element types of a type, one for each instance.
    pub fn dtypes(&self, ty: Ty) -> Vec<DType> {
        let of = |row: &Vec<DType>| match ty {
            Ty::Is(d) => d,
            Ty::Param(i) => row[i],
            Ty::Wide(i) => row[i].wide(),
            Ty::Mask => DType::Bits,
        };
        self.instances.iter().map(of).collect()
    }

    /// Writes a type as the kernel does.
    pub fn word(&self, ty: Ty) -> String {
        match ty {
            Ty::Is(d) => d.name().to_string(),
            Ty::Param(i) => self.generics[i].0.to_string(),
            Ty::Wide(i) => format!("{}::Wide", self.generics[i].0),
            Ty::Mask => "bool".to_string(),
        }
    }

    /// True for floats, false for integers, `None` where the bound allows both.
    pub fn is_float(&self, ty: Ty) -> Option<bool> {
        let members = match ty {
            Ty::Is(d) => return Some(d.is_float()),
            Ty::Mask => return Some(false),
            Ty::Param(i) | Ty::Wide(i) => dtype_set(self.generics[i].1).expect("a set").members,
        };
        let floats = members.iter().filter(|d| d.is_float()).count();
        (floats == 0 || floats == members.len()).then_some(floats > 0)
    }

    pub fn arch(&self) -> Arch {
        self.chip.arch
    }

    /// Returns the first full tensor, over which the loop runs.
    pub fn over(&self) -> &Tensor {
        self.tensors
            .iter()
            .find(|t| t.part == Part::Full)
            .expect("a full tensor")
    }

    /// Returns the range of a float attribute.
    pub fn attr_range(attr: &Attr) -> Option<Range> {
        match attr.value {
            Value::F32(v) => Range::of(f64::from(v)),
            Value::Int(_) | Value::I32(_) | Value::Bool(_) => None,
        }
    }

    pub fn new(plan: &Plan, cover: &mut Cover) -> Head {
        let mut p = Picks::new(&plan.head);
        let chip = [
            "ascend910b1",
            "ascend910b4",
            "ascend910_93",
            "ascend910b1",
            "ascend310p",
            "ascend910b1",
        ][p.of(6)];
        let chip = Chip::by_name(chip).expect("a chip");
        cover.note(format!("chip {}", chip.name));
        let mut head = Head {
            chip,
            generics: Vec::new(),
            instances: vec![Vec::new()],
            listed: false,
            run: 0,
            flat: p.once_in(3),
            module: p.once_in(2),
            exact: p.of(3) != 1,
            long: false,
            rows: 0,
            cols: 0,
            tensors: Vec::new(),
            attrs: Vec::new(),
            axes: Vec::new(),
            facts: Vec::new(),
        };
        cover.note(if head.exact { "data exact" } else { "data any" });
        cover.note(if head.flat {
            "walk elements"
        } else {
            "walk rows"
        });
        let pool = head.types(&mut p, cover);
        head.long = !head.flat && p.once_in(60);
        head.sizes(&mut p, cover);
        head.tensors(&pool, &mut p, cover);
        head.attributes(&mut Picks::new(&plan.attrs), cover);
        head.requirements(&mut p, cover);
        head
    }

    /// Draws the dtype parameters, and returns the types of tensors.
    fn types(&mut self, p: &mut Picks<'_>, cover: &mut Cover) -> Vec<Ty> {
        use DType::{Bf16, F16, F32, I32};
        let old = self.arch() == Arch::M200;
        let every: &[DType] = if old {
            &[F32, F16, I32]
        } else {
            &[F32, F16, Bf16, Bf16, I32]
        };
        let is = |d: &DType| Ty::Is(*d);
        let (generics, listed, instances, mut pool): Choice = match p.of(10) {
            0 => (&[], false, vec![vec![]], vec![Ty::Is(F32)]),
            1 => (&[], false, vec![vec![]], vec![is(p.one(every))]),
            2 => (
                &[],
                false,
                vec![vec![]],
                vec![is(p.one(every)), is(p.one(every)), is(p.one(every))],
            ),
            3 if !old => (
                &[("T", "Float")],
                false,
                vec![vec![F16], vec![Bf16], vec![F32]],
                vec![Ty::Param(0)],
            ),
            3 | 4 => (
                &[("T", "Float")],
                true,
                vec![vec![F16], vec![F32]],
                vec![Ty::Param(0)],
            ),
            5 => (&[("T", "Int")], false, vec![vec![I32]], vec![Ty::Param(0)]),
            6 if !old => (
                &[("T", "Number")],
                false,
                vec![vec![F16], vec![Bf16], vec![F32], vec![I32]],
                vec![Ty::Param(0)],
            ),
            6 => (
                &[("T", "Number")],
                true,
                vec![vec![F32], vec![I32]],
                vec![Ty::Param(0)],
            ),
            7 => {
                let rows = vec![vec![F16, F32], vec![F32, F32], vec![F32, F16]];
                (
                    &[("T", "Float"), ("G", "Float")],
                    true,
                    rows,
                    vec![Ty::Param(0), Ty::Param(1)],
                )
            }
            8 => {
                let rows = vec![vec![I32, F32], vec![F32, F16]];
                (
                    &[("T", "Number"), ("G", "Float")],
                    true,
                    rows,
                    vec![Ty::Param(0), Ty::Param(1)],
                )
            }
            _ => (
                &[("T", "Float")],
                true,
                vec![vec![*p.one(&every[..every.len() - 1])]],
                vec![Ty::Param(0)],
            ),
        };
        if p.once_in(3) {
            pool.push(Ty::Is(F32));
        }
        if p.once_in(5) {
            pool.push(Ty::Is(I32));
        }
        match generics {
            [] => cover.note("generic none"),
            [(_, set)] => cover.note(format!("generic {set}")),
            _ => cover.note("generic two"),
        }
        if listed {
            cover.note("generic instances");
        }
        if pool.iter().any(|t| *t != pool[0]) {
            cover.note("generic mixed");
        }
        self.generics = generics.to_vec();
        self.listed = listed;
        self.run = p.of(instances.len());
        self.instances = instances;
        pool
    }

    fn sizes(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        const ROWS: [usize; 16] = [2, 1, 0, 3, 5, 7, 8, 9, 48, 49, 63, 64, 65, 100, 127, 257];
        const COLS: [usize; 23] = [
            8, 1, 7, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300,
            1024, 2041, 0,
        ];
        const FLAT: [usize; 16] = [
            8, 1, 0, 7, 9, 63, 64, 65, 255, 256, 257, 1024, 2041, 5000, 10_007, 20_000,
        ];
        self.rows = *p.one(&ROWS);
        self.cols = if p.of(4) == 3 {
            p.of(400)
        } else {
            *p.one(&COLS)
        };
        if self.flat {
            (self.rows, self.cols) = (1, *p.one(&FLAT));
        } else if self.long {
            (self.rows, self.cols) = (self.rows.min(2), 100_003);
        } else if self.rows * self.cols > 6000 {
            self.rows = (6000 / self.cols).max(1);
        }
        if self.arch() == Arch::M200 {
            self.cols = self.cols.next_multiple_of(16);
            self.rows = if self.flat {
                1
            } else {
                self.rows.next_multiple_of(16)
            };
        }
        let size = match (self.rows, self.rows * self.cols) {
            (_, 0) => "empty",
            _ if self.long => "long",
            (1, _) => "one",
            (2..=20, _) => "few",
            _ => "many",
        };
        cover.note(format!("rows {size}"));
    }

    /// Draws the axes of the loop's tensor: the text of all axes, and their sizes.
    fn axes(&mut self, p: &mut Picks<'_>) -> (Vec<String>, Vec<usize>) {
        let (rows, cols) = (self.rows, self.cols);
        let own = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        let split = *p.one(&[1usize, 2, 3]);
        let two = |n: usize| {
            if n.is_multiple_of(split) {
                (split, n / split)
            } else {
                (1, n)
            }
        };
        let old = self.arch() == Arch::M200;
        match p.of(10) {
            1 | 2 => {
                let (a, b) = two(rows);
                let shape = match p.of(4) {
                    0 => vec![rows, cols],
                    1 => vec![a, b, cols],
                    2 => vec![a, 1, b, cols],
                    _ if rows == 1 => vec![cols],
                    _ => vec![rows, cols],
                };
                self.axes = vec![("n".into(), rows), ("d".into(), cols)];
                (own(&["n..", "d"]), shape)
            }
            3 if !old && self.flat => {
                self.rows = 1;
                self.axes = vec![("d".into(), cols)];
                (own(&["d"]), vec![cols])
            }
            4 if self.flat => {
                let (a, b) = two(rows);
                self.axes = vec![("b".into(), a), ("h".into(), b), ("d".into(), cols)];
                (own(&["b", "h", "d"]), vec![a, b, cols])
            }
            5 if self.flat => {
                let (a, b) = two(rows);
                self.axes = vec![
                    ("b".into(), 1),
                    ("h".into(), a),
                    ("m".into(), b),
                    ("d".into(), cols),
                ];
                (own(&["b", "h", "m", "d"]), vec![1, a, b, cols])
            }
            6 => {
                self.cols = cols.next_multiple_of(2);
                self.axes = vec![("n".into(), rows), ("k".into(), self.cols / 2)];
                (own(&["n", "d = 2 * k"]), vec![rows, self.cols])
            }
            7 => {
                self.cols = 16;
                self.axes = vec![("n".into(), rows)];
                (own(&["n", "d = 16"]), vec![rows, 16])
            }
            8 => {
                self.cols = cols.next_multiple_of(2);
                self.axes = vec![("n".into(), rows)];
                let value = Value::Int(self.cols as i64 / 2);
                let given = Some(value);
                self.attrs.push(Attr {
                    name: "half_d".into(),
                    ty: ScalarTy::Index,
                    default: None,
                    given,
                    value,
                });
                (own(&["n..", "d = 2 * half_d"]), vec![rows, self.cols])
            }
            _ => {
                self.axes = vec![("n".into(), rows), ("d".into(), cols)];
                (own(&["n", "d"]), vec![rows, cols])
            }
        }
    }

    fn tensors(&mut self, pool: &[Ty], p: &mut Picks<'_>, cover: &mut Cover) {
        let (axes, shape) = if self.flat && p.once_in(2) {
            cover.note("axes no shape");
            (
                Vec::new(),
                vec![vec![self.cols], vec![1, self.cols], vec![self.cols, 1, 1]][p.of(3)].clone(),
            )
        } else {
            self.axes(p)
        };
        cover.note(format!("axes {}", shape.len()));
        if axes.iter().any(|a| a.ends_with("..")) {
            cover.note("axes many");
        }
        if axes.iter().any(|a| a.contains('=')) {
            cover.note("axes expression");
        }
        let whole = (!axes.is_empty()).then(|| axes.join(", "));
        // An expression stands in one place; elsewhere the axis has its name.
        let name = |axis: &String| axis.split(" = ").next().unwrap_or_default().to_string();
        let named: Vec<String> = axes.iter().map(name).collect();
        let again = whole.as_ref().map(|_| named.join(", "));
        let mut add = |head: &mut Head, name: &str, part: Part, role: Role, p: &mut Picks<'_>| {
            let first = head.tensors.is_empty();
            let (axes, shape) = match part {
                Part::Full if first => (whole.clone(), shape.clone()),
                Part::Full => (again.clone().filter(|_| p.of(2) == 0), shape.clone()),
                Part::Row => (named.last().cloned(), shape[shape.len() - 1..].to_vec()),
                Part::Col if shape.len() == 1 && axes.len() == 1 => (Some("1".into()), vec![1]),
                Part::Col => (
                    Some(axes[..axes.len() - 1].join(", ")),
                    shape[..shape.len() - 1].to_vec(),
                ),
                Part::Unread => (Some("k".into()), vec![head.cols / 2]),
            };
            if !first && axes.is_none() && whole.is_some() {
                cover.note("axes inherited");
            }
            let ty = if first { pool[0] } else { *p.one(pool) };
            head.tensors.push(Tensor {
                name: name.into(),
                ty,
                part,
                role,
                axes,
                shape,
            });
        };
        for i in 0..1 + p.of(3) {
            add(self, &format!("x{i}"), Part::Full, Role::In, p);
        }
        if !self.flat && p.of(3) > 0 {
            add(self, "w", Part::Row, Role::In, p);
        }
        if !self.flat && p.of(3) > 0 {
            let role = if p.once_in(3) && self.cols > 0 {
                Role::InOut
            } else {
                Role::In
            };
            add(self, "g", Part::Col, role, p);
        }
        if self.axes.iter().any(|(name, _)| name == "k") {
            add(self, "e", Part::Unread, Role::In, p);
        }
        if p.once_in(3) {
            add(self, "z", Part::Full, Role::InOut, p);
        }
        for i in 0..1 + p.of(2) {
            add(self, &format!("y{i}"), Part::Full, Role::Out, p);
        }
        if !self.flat && self.cols > 0 && p.once_in(3) {
            add(self, "s", Part::Col, Role::Out, p);
        }
    }

    fn attributes(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        for i in 0..p.of(4) {
            let (ty, value, text) = match p.of(4) {
                0 => {
                    let v = *p.one(&[0.5f32, -1.5, 2.0, 0.0, 1.0, 0.3]);
                    (ScalarTy::F32, Value::F32(v), format!("{v:?}"))
                }
                1 => {
                    let v = *p.one(&[
                        2i64,
                        -7,
                        -1,
                        0,
                        3,
                        100,
                        100_000,
                        i32::MAX as i64,
                        i32::MIN as i64,
                    ]);
                    (ScalarTy::I32, Value::Int(v), v.to_string())
                }
                2 => {
                    let v = p.of(4) as i64;
                    (ScalarTy::Index, Value::Int(v), v.to_string())
                }
                _ => {
                    let v = p.once_in(2);
                    (ScalarTy::Bool, Value::Bool(v), v.to_string())
                }
            };
            cover.note(format!("attribute {}", ty.word()));
            let default = p.once_in(2).then_some(text);
            let left_out = default.is_some() && p.once_in(2);
            if default.is_some() {
                cover.note(if left_out {
                    "attribute left out"
                } else {
                    "attribute default"
                });
            }
            let given = (!left_out).then_some(value);
            self.attrs.push(Attr {
                name: format!("attr{i}"),
                ty,
                default,
                given,
                value,
            });
        }
    }

    fn requirements(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        if let Some((name, size)) = self.axes.last().filter(|_| p.once_in(3)) {
            cover.note("require axis");
            self.facts.push(format!("{name} <= {}", size + p.of(3)));
        }
        let sizes = self
            .attrs
            .iter()
            .filter(|a| a.ty == ScalarTy::I32)
            .map(|a| (a.name.clone(), a.value));
        for (name, value) in sizes.collect::<Vec<_>>() {
            let least = value == Value::Int(i32::MIN.into());
            if let (Value::Int(v), true, false) = (value, p.once_in(2), least) {
                cover.note("require attribute");
                self.facts
                    .push(format!("{name} > {} && {name} % 2 == {}", v - 1, v % 2));
            }
        }
    }

    /// Writes the text before the body, up to its facts.
    pub fn text(&self) -> String {
        let mut params: Vec<String> = Vec::new();
        for t in &self.tensors {
            let axes = t
                .axes
                .as_ref()
                .map_or(String::new(), |a| format!("#[shape({a})] "));
            let (inplace, reference) = match t.role {
                Role::In => ("", "&"),
                Role::Out => ("", "&mut "),
                Role::InOut => ("#[inplace] ", "&mut "),
            };
            params.push(format!(
                "{axes}{inplace}{}: {reference}GlobalTensor<{}>",
                t.name,
                self.word(t.ty)
            ));
        }
        for a in &self.attrs {
            let default = a
                .default
                .as_ref()
                .map_or(String::new(), |d| format!("#[default({d})] "));
            params.push(format!("{default}{}: {}", a.name, a.ty.word()));
        }
        let generics: Vec<String> = self
            .generics
            .iter()
            .map(|(name, set)| format!("{name}: {set}"))
            .collect();
        let generics = if generics.is_empty() {
            String::new()
        } else {
            format!("<{}>", generics.join(", "))
        };
        let row = |row: &Vec<DType>| {
            let names: Vec<&str> = row.iter().map(|d| d.name()).collect();
            if let [one] = names[..] {
                one.to_string()
            } else {
                format!("({})", names.join(", "))
            }
        };
        let instances: Vec<String> = self.instances.iter().map(row).collect();
        let instances = if self.listed {
            format!("#[instances({})]\n", instances.join(", "))
        } else {
            String::new()
        };
        let facts: String = self
            .facts
            .iter()
            .map(|f| format!("    require({f});\n"))
            .collect();
        format!(
            "#[kernel]\n{instances}pub fn sample{generics}(\n    {}\n) {{\n{facts}",
            params.join(",\n    ")
        )
    }
}
