//! Random scalar expressions of a type and a stage, with the interval of an integer.

use super::build::{Builder, Place};
use super::exact::Range;
use super::head::Head;
use super::plan::Picks;
use jumar::dsl::ir::{ScalarTy, Stage};
use jumar::dsl::tiling::Value;

/// A scalar expression.
#[derive(Clone, Debug)]
pub struct Num {
    pub text: String,
    pub ty: ScalarTy,
    pub lo: i64,
    pub hi: i64,
    /// The range of a float.
    pub range: Option<Range>,
    pub stage: Stage,
    pub atom: bool,
}

/// No integer leaves the interval from `-MOST` to `MOST`.
const MOST: i64 = 1_000_000;

impl Num {
    pub fn int(text: impl Into<String>, ty: ScalarTy, (lo, hi): (i64, i64), stage: Stage) -> Num {
        Num {
            text: text.into(),
            ty,
            lo,
            hi,
            range: None,
            stage,
            atom: true,
        }
    }
    pub fn float(text: impl Into<String>, range: Option<Range>, stage: Stage) -> Num {
        Num {
            range,
            ..Num::int(text, ScalarTy::F32, (0, 0), stage)
        }
    }
    pub fn truth(text: impl Into<String>, stage: Stage) -> Num {
        Num::int(text, ScalarTy::Bool, (0, 0), stage)
    }
    fn compound(mut self) -> Num {
        self.atom = false;
        self
    }
    /// Writes the expression as an operand.
    pub fn operand(&self) -> String {
        if self.atom && !self.text.starts_with('-') {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
    /// Returns its range as an element of a tile.
    pub fn as_range(&self) -> Option<Range> {
        match self.ty {
            ScalarTy::F32 => self.range,
            _ => Some(Range::new(self.lo.abs().max(self.hi.abs()) as f64, 0)),
        }
    }
    /// Keeps it in an interval by `min` and `max`.
    pub fn within(self, lo: i64, hi: i64) -> Num {
        let mut n = self;
        if n.hi > hi {
            n = Num {
                text: format!("{}.min({hi})", n.operand()),
                hi,
                lo: n.lo.min(hi),
                atom: true,
                ..n
            };
        }
        if n.lo < lo {
            n = Num {
                text: format!("{}.max({lo})", n.operand()),
                lo,
                hi: n.hi.max(lo),
                atom: true,
                ..n
            };
        }
        n
    }
}

impl Builder<'_> {
    /// Draws a scalar that is known at the stage `most` or earlier.
    pub fn num(&mut self, ty: ScalarTy, most: Stage, p: &mut Picks<'_>, depth: usize) -> Num {
        let n = if depth == 0 || p.of(3) == 0 {
            self.known(ty, most, p)
        } else {
            self.computed(ty, most, p, depth - 1)
        };
        match ty {
            ScalarTy::Index => n.within(0, MOST),
            ScalarTy::I32 => n.within(-MOST, MOST),
            ScalarTy::F32 | ScalarTy::Bool => n,
        }
    }

    /// Draws a literal or a name.
    fn known(&mut self, ty: ScalarTy, most: Stage, p: &mut Picks<'_>) -> Num {
        let mut all: Vec<(&str, Num)> = vec![("const", literal(ty, p))];
        let nums = self
            .nums
            .iter()
            .filter(|v| v.num.ty == ty && v.num.stage <= most);
        all.extend(nums.map(|v| (v.what, v.num.clone())));
        if most >= Stage::Host {
            let attrs = self.head.attrs.iter().filter(|a| a.ty == ty);
            all.extend(attrs.map(|a| ("attribute", attribute(a, ty))));
            if ty == ScalarTy::Index {
                let axes = &self.head.axes;
                all.extend(
                    axes.iter().map(|(n, v)| {
                        ("axis", Num::int(n, ty, (*v as i64, *v as i64), Stage::Host))
                    }),
                );
                let t = p.one(&self.head.tensors);
                let len = t.shape.iter().product::<usize>() as i64;
                all.push((
                    "len",
                    Num::int(format!("{}.len()", t.name), ty, (len, len), Stage::Host),
                ));
                if let Some((word, sizes)) = self.sized(p) {
                    all.push((
                        "size_of",
                        Num::int(format!("size_of::<{word}>()"), ty, sizes, Stage::Host),
                    ));
                }
            }
        }
        if self.head.module {
            all.extend(
                self.module_constants(ty)
                    .into_iter()
                    .map(|n| ("constant", n)),
            );
        }
        if ty == ScalarTy::F32 && !self.head.exact {
            // Other limits are refused beside tiles of 16-bit floats, which do not hold them.
            let name = *p.one(&["INFINITY", "NEG_INFINITY"]);
            all.push((
                "limit",
                Num::float(format!("f32::{name}"), None, Stage::Const),
            ));
        }
        let (what, n) = all.swap_remove(p.of(all.len()));
        self.cover.note(format!("scalar {what}"));
        n
    }

    fn sized(&self, p: &mut Picks<'_>) -> Option<(String, (i64, i64))> {
        let ty = self.head.tensors.get(p.of(self.head.tensors.len()))?.ty;
        let bytes = || self.head.dtypes(ty).into_iter().map(|d| d.bytes());
        Some((self.head.word(ty), (bytes().min()?, bytes().max()?)))
    }

    fn computed(&mut self, ty: ScalarTy, most: Stage, p: &mut Picks<'_>, depth: usize) -> Num {
        match ty {
            ScalarTy::Bool => self.condition(most, p, depth),
            ScalarTy::F32 => self.float(most, p, depth),
            ScalarTy::Index | ScalarTy::I32 => self.whole(ty, most, p, depth),
        }
    }

    fn whole(&mut self, ty: ScalarTy, most: Stage, p: &mut Picks<'_>, depth: usize) -> Num {
        let index = ty == ScalarTy::Index;
        let a = self.num(ty, most, p, depth).within(-1000, 1000);
        let choice = p.of(13);
        self.cover.note(format!(
            "scalar {}",
            [
                "+",
                "-",
                "*",
                "/",
                "%",
                "min",
                "max",
                "div_ceil",
                "next_multiple_of",
                "if",
                "cast",
                "neg",
                "extreme"
            ][choice]
        ));
        let b = |cx: &mut Self, p: &mut Picks<'_>| cx.num(ty, most, p, depth).within(-1000, 1000);
        let two = |a: &Num, op: &str, b: &Num, lo, hi| {
            let stage = a.stage.max(b.stage);
            Num {
                text: format!("{} {op} {}", a.operand(), b.operand()),
                lo,
                hi,
                stage,
                atom: false,
                ..a.clone()
            }
        };
        match choice {
            1 => {
                let b = b(self, p);
                // A `usize` must not become negative on the way.
                if index && a.lo < b.hi {
                    return two(&a, "+", &b, a.lo + b.lo, a.hi + b.hi);
                }
                two(&a, "-", &b, a.lo - b.hi, a.hi - b.lo)
            }
            2 => {
                let b = b(self, p);
                let ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
                two(
                    &a,
                    "*",
                    &b,
                    *ends.iter().min().expect("four"),
                    *ends.iter().max().expect("four"),
                )
            }
            3 | 4 => {
                let n = 1 + p.of(9) as i64;
                let by = Num::int(n.to_string(), ty, (n, n), Stage::Const);
                if choice == 3 {
                    return two(&a, "/", &by, a.lo / n, a.hi / n);
                }
                two(&a, "%", &by, if a.lo < 0 { 1 - n } else { 0 }, n - 1)
            }
            5 | 6 => {
                let b = b(self, p);
                let (word, lo, hi) = if choice == 5 {
                    ("min", a.lo.min(b.lo), a.hi.min(b.hi))
                } else {
                    ("max", a.lo.max(b.lo), a.hi.max(b.hi))
                };
                let text = format!("{}.{word}({})", a.operand(), b.text);
                Num {
                    text,
                    lo,
                    hi,
                    stage: a.stage.max(b.stage),
                    atom: true,
                    ..a
                }
            }
            7 | 8 if index => {
                let n = 1 + p.of(40) as i64;
                let up = |v: i64| (v + n - 1) / n;
                if choice == 7 {
                    return Num {
                        text: format!("{}.div_ceil({n})", a.operand()),
                        lo: up(a.lo),
                        hi: up(a.hi),
                        atom: true,
                        ..a
                    };
                }
                let text = format!("{}.next_multiple_of({n})", a.operand());
                Num {
                    text,
                    lo: up(a.lo) * n,
                    hi: up(a.hi) * n,
                    atom: true,
                    ..a
                }
            }
            9 => {
                let (b, c) = (b(self, p), self.num(ScalarTy::Bool, most, p, depth));
                let stage = a.stage.max(b.stage).max(c.stage);
                let text = format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text);
                Num {
                    text,
                    lo: a.lo.min(b.lo),
                    hi: a.hi.max(b.hi),
                    stage,
                    atom: false,
                    ..a
                }
            }
            10 if index => {
                let n = self.num(ScalarTy::I32, most, p, depth).within(0, 1000);
                Num {
                    text: format!("{} as usize", n.operand()),
                    ty,
                    ..n
                }
                .compound()
            }
            10 => {
                let n = self.num(ScalarTy::Index, most, p, depth).within(0, 1000);
                Num {
                    text: format!("{} as i32", n.operand()),
                    ty,
                    ..n
                }
                .compound()
            }
            12 if !index && most >= Stage::Host => self.extreme(p),
            11 if !index => Num {
                text: format!("-{}", a.operand()),
                lo: -a.hi,
                hi: -a.lo,
                ..a
            }
            .compound(),
            _ => {
                let b = b(self, p);
                two(&a, "+", &b, a.lo + b.lo, a.hi + b.hi)
            }
        }
    }

    /// Draws an operation on `i32` that may overflow and wrap. Only the launch knows one operand,
    /// since constants may not overflow.
    fn extreme(&mut self, p: &mut Picks<'_>) -> Num {
        let ints = self.head.attrs.iter().filter(|a| a.ty == ScalarTy::I32);
        let mut given: Vec<(String, i64)> = ints
            .map(|a| (a.name.clone(), attribute(a, ScalarTy::I32).lo))
            .collect();
        given.extend(
            self.head
                .axes
                .iter()
                .map(|(name, size)| (format!("({name} as i32)"), *size as i64)),
        );
        if given.is_empty() {
            return literal(ScalarTy::I32, p);
        }
        let (name, x) = p.one(&given).clone();
        let (text, y) = *p.one(&[
            ("i32::MAX", i32::MAX),
            ("i32::MIN", i32::MIN),
            ("65537", 65_537),
            ("100000", 100_000),
            ("(-3)", -3),
            ("(-1)", -1),
        ]);
        let (op, x) = (*p.one(&["+", "-", "*", "/", "%"]), x as i32);
        let result = match op {
            "+" => x.wrapping_add(y),
            "-" => x.wrapping_sub(y),
            "*" => x.wrapping_mul(y),
            "/" => x.wrapping_div(y),
            _ => x.wrapping_rem(y),
        };
        Num::int(
            format!("{name} {op} {text}"),
            ScalarTy::I32,
            (result.into(), result.into()),
            Stage::Host,
        )
        .compound()
    }

    fn float(&mut self, most: Stage, p: &mut Picks<'_>, depth: usize) -> Num {
        let a = self.num(ScalarTy::F32, most, p, depth);
        let choice = p.of(10);
        self.cover.note(format!(
            "scalar {}",
            ["+", "-", "*", "/", "min", "max", "sqrt", "neg", "if", "cast"][choice]
        ));
        let kept = |r: Option<Range>| r.and_then(|r| r.kept(&[jumar::dsl::dtype::DType::F32]));
        let join = |b: &Num, f: fn(Range, Range) -> Range| {
            kept(a.range.zip(b.range).map(|(x, y)| f(x, y)))
        };
        match choice {
            6 => Num {
                text: format!("{}.sqrt()", a.operand()),
                range: None,
                atom: true,
                ..a
            },
            7 => {
                let range = a.range.map(|r| Range {
                    minus_zero: true,
                    ..r
                });
                Num {
                    text: format!("-{}", a.operand()),
                    range,
                    atom: false,
                    ..a
                }
            }
            8 => {
                let (b, c) = (
                    self.num(ScalarTy::F32, most, p, depth),
                    self.num(ScalarTy::Bool, most, p, depth),
                );
                let range = join(&b, Range::either);
                let stage = a.stage.max(b.stage).max(c.stage);
                Num {
                    text: format!("if {} {{ {} }} else {{ {} }}", c.text, a.text, b.text),
                    range,
                    stage,
                    atom: false,
                    ..a
                }
            }
            9 => {
                let ty = *p.one(&[ScalarTy::Index, ScalarTy::I32]);
                let n = self.num(ty, most, p, depth);
                let range = n.as_range();
                Num {
                    range,
                    ..Num::float(format!("{} as f32", n.operand()), None, n.stage)
                }
                .compound()
            }
            4 | 5 => {
                let b = self.num(ScalarTy::F32, most, p, depth);
                let word = ["min", "max"][choice - 4];
                let range = join(&b, Range::either);
                Num {
                    text: format!("{}.{word}({})", a.operand(), b.text),
                    range,
                    stage: a.stage.max(b.stage),
                    atom: true,
                    ..a
                }
            }
            _ => {
                let b = self.num(ScalarTy::F32, most, p, depth);
                let range = match choice {
                    0 | 1 => join(&b, Range::plus),
                    2 => join(&b, Range::times),
                    _ => None,
                };
                let text = format!(
                    "{} {} {}",
                    a.operand(),
                    ["+", "-", "*", "/"][choice],
                    b.operand()
                );
                Num {
                    text,
                    range,
                    stage: a.stage.max(b.stage),
                    atom: false,
                    ..a
                }
            }
        }
    }

    fn condition(&mut self, most: Stage, p: &mut Picks<'_>, depth: usize) -> Num {
        match p.of(8) {
            0 => {
                let a = self.num(ScalarTy::Bool, most, p, depth);
                self.cover.note("scalar not");
                Num::truth(format!("!{}", a.operand()), a.stage).compound()
            }
            1 => {
                let (a, b) = (
                    self.num(ScalarTy::Bool, most, p, depth),
                    self.num(ScalarTy::Bool, most, p, depth),
                );
                let op = *p.one(&["&&", "||", "==", "!="]);
                self.cover.note(format!("scalar {op}"));
                Num::truth(
                    format!("{} {op} {}", a.operand(), b.operand()),
                    a.stage.max(b.stage),
                )
                .compound()
            }
            2 if most == Stage::Block => {
                self.extent(p).unwrap_or_else(|| literal(ScalarTy::Bool, p))
            }
            3 if most >= Stage::Host => {
                let name = &p.one(&self.head.tensors).name;
                Num::truth(format!("{name}.is_empty()"), Stage::Host)
            }
            _ => {
                let ty = *p.one(&[ScalarTy::Index, ScalarTy::I32, ScalarTy::F32]);
                let (a, b) = (self.num(ty, most, p, depth), self.num(ty, most, p, depth));
                let op = *p.one(&["<", "<=", ">", ">=", "==", "!="]);
                Num::truth(
                    format!("{} {op} {}", a.operand(), b.operand()),
                    a.stage.max(b.stage),
                )
                .compound()
            }
        }
    }

    /// Draws a condition that is equal in every iteration for all sizes, since no result may depend
    /// on the cut of a loop.
    fn extent(&mut self, p: &mut Picks<'_>) -> Option<Num> {
        let whole = self.head.over().name.clone();
        let all = match self.place {
            Place::Before | Place::After => return None,
            Place::Flat => vec![
                format!("t.end() - t.start() - t.len() < {whole}.len()"),
                format!("{whole}.len() > 0"),
                "t.start() + t.len() != t.end()".into(),
            ],
            Place::Rows => {
                vec![
                    format!("{whole}.len() >= 1"),
                    "r.start() + r.len() == r.end()".into(),
                ]
            }
            Place::Cols => {
                vec![
                    "c.end() - c.start() - c.len() < d".into(),
                    "d == 0".into(),
                    "r.end() - r.len() == r.start()".into(),
                ]
            }
        };
        self.cover.note("scalar extent");
        Some(Num::truth(p.one(&all), Stage::Block).compound())
    }

    /// Returns the constants of the `#[kernels]` module.
    fn module_constants(&self, ty: ScalarTy) -> Vec<Num> {
        match ty {
            ScalarTy::F32 => {
                vec![
                    Num::float("HALF", Range::of(0.5), Stage::Const),
                    Num::float("LARGE", Range::of(3.0), Stage::Const),
                ]
            }
            ScalarTy::I32 => vec![Num::int("SHIFT", ty, (-2, -2), Stage::Const)],
            ScalarTy::Index => vec![Num::int("COUNT", ty, (3, 3), Stage::Const)],
            ScalarTy::Bool => vec![Num::truth("ON", Stage::Const)],
        }
    }
}

fn attribute(a: &super::head::Attr, ty: ScalarTy) -> Num {
    let int = if let Value::Int(v) = a.value {
        (v, v)
    } else {
        (0, 0)
    };
    Num {
        range: Head::attr_range(a),
        ..Num::int(&a.name, ty, int, Stage::Host)
    }
}

fn literal(ty: ScalarTy, p: &mut Picks<'_>) -> Num {
    match ty {
        ScalarTy::F32 => {
            let v = *p.one(&[1.0, 0.0, -1.0, 0.5, 2.0, -2.0, 1.5, -0.5, 0.25, 3.0, 0.7]);
            Num::float(format!("{v:?}"), Range::of(v), Stage::Const)
        }
        ScalarTy::I32 => {
            let v = *p.one(&[1i64, 0, 2, -1, -3, 7]);
            Num::int(v.to_string(), ty, (v, v), Stage::Const)
        }
        ScalarTy::Index => {
            let v = p.of(5) as i64;
            Num::int(v.to_string(), ty, (v, v), Stage::Const)
        }
        ScalarTy::Bool => Num::truth(["true", "false"][p.of(2)], Stage::Const),
    }
}
