//! Helper functions of a `#[kernels]` module and their calls.

use super::build::Builder;
use super::exact::Range;
use super::head::Ty;
use super::plan::Picks;
use super::tiles::Tile;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{ScalarTy, Stage};

const F32: Ty = Ty::Is(DType::F32);

/// Name, name in the coverage, and text of each helper.
const HELPERS: &[(&str, &str, &str)] = &[
    ("clip", "tile", "fn clip(v: Tile<f32>) -> Tile<f32> {\n    v.max(-LARGE).min(LARGE)\n}\n"),
    ("same", "same", "fn same<U: Number>(v: Tile<U>) -> Tile<U> {\n    v\n}\n"),
    ("larger", "generic", "fn larger<U: Number>(a: Tile<U>, b: Tile<U>) -> Tile<U> {\n    a.max(b)\n}\n"),
    ("twice", "nested", "fn twice(v: Tile<f32>, s: f32) -> Tile<f32> {\n    clip(clip(v) * mix(s, HALF))\n}\n"),
    ("mix", "scalar", "fn mix(a: f32, b: f32) -> f32 {\n    let c = a * b;\n    c + HALF\n}\n"),
    (
        "fold",
        "mut",
        "fn fold(mut v: Tile<f32>, flip: bool) -> Tile<f32> {\n    v = v.min(LARGE);\n    if flip {\n        v = -v;\n    }\n    v\n}\n",
    ),
    (
        "steps",
        "mut scalar",
        "fn steps(mut s: f32, k: usize) -> f32 {\n    for _ in 0..k {\n        s += 0.5;\n    }\n    s\n}\n",
    ),
    ("choose", "mask", "fn choose(m: Tile<bool>, a: Tile<f32>, b: f32) -> Tile<f32> {\n    m.select(a, b)\n}\n"),
    ("nothing", "nothing", "fn nothing(v: Tile<f32>, s: f32) {\n    let w = v * s;\n    let _ = w;\n}\n"),
    ("narrow", "turbofish", "fn narrow<U: Float>(v: Tile<f32>) -> Tile<U> {\n    v.cast::<U>()\n}\n"),
    (
        "copied",
        "copy",
        "fn copied(v: Tile<f32>, c: bool) -> Tile<f32> {\n    let mut w = v;\n    if c {\n        w = w * 2.0;\n    }\n    w.max(v)\n}\n",
    ),
];

/// Returns the helpers that another one calls.
fn callees(name: &str) -> &'static [&'static str] {
    if name == "twice" {
        &["clip", "mix"]
    } else {
        &[]
    }
}

impl Builder<'_> {
    fn use_helper(&mut self, name: &'static str) {
        self.cover.note("value helper");
        for name in callees(name).iter().chain([&name]) {
            let what = HELPERS
                .iter()
                .find(|(n, ..)| n == name)
                .map(|(_, what, _)| *what)
                .expect("a helper");
            self.cover.note(format!("module helper {what}"));
            self.helpers.insert(name);
        }
    }

    /// Draws a call of a helper; without a module, returns the argument.
    pub fn helper(&mut self, p: &mut Picks<'_>, depth: usize) -> Tile {
        let e = self.tile(p, depth);
        if !self.head.module {
            return e;
        }
        let name = HELPERS[p.of(HELPERS.len())].0;
        let of_f32 = !matches!(name, "same" | "larger");
        let e = match (of_f32, e.ty) {
            (true, ty) if ty != F32 => match self.convert(e.clone(), F32, p) {
                Some(e) => e,
                None => return e,
            },
            _ => e,
        };
        let (ty, form) = (e.ty, e.form);
        let bounded = e.range.map(|r| r.either(Range::new(3.0, 0)));
        let made = |text: String, range: Option<Range>| Tile::new(text, ty, form, range);
        match name {
            "clip" => {
                self.use_helper(name);
                made(format!("clip({})", e.text), bounded)
            }
            "same" => {
                self.use_helper(name);
                Tile {
                    mutable: e.mutable,
                    ..made(format!("same({})", e.text), e.range)
                }
            }
            "larger" if self.head.dtypes(ty).iter().all(|d| *d != DType::Bf16) => {
                self.use_helper(name);
                let other = self.leaf(p);
                let mut e = e;
                let other = match self.convert(other, ty, p).filter(|o| o.form == form) {
                    Some(other) => other,
                    None => {
                        self.held(&mut e);
                        e.clone()
                    }
                };
                let range = e.range.zip(other.range).map(|(a, b)| a.either(b));
                made(format!("larger({}, {})", e.text, other.text), range)
            }
            "fold" | "copied" => {
                self.use_helper(name);
                let c = self.num(ScalarTy::Bool, Stage::Block, p, 1);
                made(format!("{name}({}, {})", e.text, c.text), None)
            }
            "choose" => {
                self.use_helper(name);
                let n = self.num(ScalarTy::F32, Stage::Block, p, 1);
                let range = e.range.zip(n.range).map(|(a, b)| a.either(b));
                let mut e = e;
                self.held(&mut e);
                made(
                    format!("choose({0}.gt(0.0), {0}, {1})", e.operand(), n.text),
                    range,
                )
            }
            "narrow" => {
                let own = self
                    .head
                    .tensors
                    .iter()
                    .map(|t| t.ty)
                    .find(|t| self.head.is_float(*t) == Some(true));
                let Some(to) = own else { return e };
                self.use_helper(name);
                let range = e.range.and_then(|r| r.kept(&self.head.dtypes(to)));
                Tile::new(
                    format!("narrow::<{}>({})", self.head.word(to), e.text),
                    to,
                    form,
                    range,
                )
            }
            _ if ty != F32 => e,
            _ => {
                self.use_helper("twice");
                self.use_helper("steps");
                let (s, k) = (
                    self.num(ScalarTy::F32, Stage::Block, p, 1),
                    self.num(ScalarTy::Index, Stage::Block, p, 0).within(0, 3),
                );
                made(
                    format!("twice({}, steps({}, {}))", e.text, s.text, k.text),
                    None,
                )
            }
        }
    }

    /// Writes a call without a result.
    pub fn nothing(&mut self, e: Tile, p: &mut Picks<'_>) {
        let Some(e) = self.convert(e, F32, p).filter(|_| self.head.module) else {
            return;
        };
        self.use_helper("nothing");
        let n = self.num(ScalarTy::F32, Stage::Block, p, 1);
        self.line(format!("nothing({}, {});", e.text, n.text));
    }

    /// Puts the kernel into its module, if it has one.
    pub fn module(&mut self, kernel: &str) -> String {
        if !self.head.module {
            return kernel.to_string();
        }
        self.cover.note("module mod");
        self.cover.note("module const");
        let consts =
            "const HALF: f32 = 0.5;\nconst LARGE: f32 = HALF * 6.0;\nconst COUNT: usize = 3;\nconst SHIFT: i32 = -2;\nconst ON: bool = true;\n\n";
        let helpers: String = HELPERS
            .iter()
            .filter(|(n, ..)| self.helpers.contains(n))
            .map(|(_, _, text)| format!("{text}\n"))
            .collect();
        let inner = format!("use jumar::prelude::*;\n\n{consts}{helpers}{kernel}");
        let inner: String = inner
            .lines()
            .map(|l| {
                if l.is_empty() {
                    "\n".to_string()
                } else {
                    format!("    {l}\n")
                }
            })
            .collect();
        format!("#[kernels]\nmod samples {{\n{inner}}}\n")
    }
}
