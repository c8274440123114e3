//! The data of a case's tensors: sizes and numbers from the words of a header.
//!
//! | data | elements |
//! |---|---|
//! | `uniform a b` | uniformly distributed from `a` to `b` |
//! | `ascending a b` | uniformly distributed from `a` to `b`; each row, along the last axis, is sorted |
//! | `normal m s` | a normal distribution: mean, standard deviation |
//! | `integers a b` | integers from `a` to below `b` |
//! | `indices m` | indices of the axis `m` |
//! | `places m` | indices of the axis `m`, some of which count from the end, below 0 |
//! | `permutation m` | all indices of the axis `m`, each once |
//! | `distinct m` | distinct indices of the axis `m`, which is at least as long as the tensor |
//! | `rising m` | integers from 0 to `m` in rising order, the last of them `m` |
//! | `starts m` | 0, followed by `rising m` |
//! | `bits p` | 1 with the probability `p`, else 0 |
//! | `constant v` | one number everywhere |
//! | `list a b ..` | these numbers, repeated |
//!
//! `m` may be a product without spaces: `distinct blocks*size`.
//!
//! A suffix `with a b ..` replaces some elements by these numbers: the first element, and about one
//! in sixteen of the others.

use super::corpus::{Case, Task, Tensor};
use half::{bf16, f16};
use jumar::dsl::dtype::DType;
use jumar::dsl::tiling::Value;
use jumar::Array;
use ndarray::{ArrayD, IxDyn};
use std::collections::BTreeMap;

/// The sizes of a case: each axis, and each attribute that is a size.
#[derive(Clone, Debug)]
pub struct Sizes {
    axes: BTreeMap<String, Vec<usize>>,
}

impl Sizes {
    /// Collects the sizes of a case and its attributes.
    pub fn of(case: &Case, attrs: &[(String, Value)]) -> Self {
        let length = |v: &toml::Value| {
            v.as_integer()
                .and_then(|v| usize::try_from(v).ok())
                .expect("a size")
        };
        let mut axes = BTreeMap::new();
        for (name, value) in &case.given {
            match value {
                toml::Value::Integer(_) if attrs.iter().all(|(attr, _)| attr != name) => {
                    axes.insert(name.clone(), vec![length(value)]);
                }
                toml::Value::Array(list) => {
                    axes.insert(name.clone(), list.iter().map(length).collect());
                }
                _ => {}
            }
        }
        for (name, value) in attrs {
            if let Value::Int(size) = value {
                axes.extend(
                    usize::try_from(*size)
                        .ok()
                        .map(|size| (name.clone(), vec![size])),
                );
            }
        }
        Sizes { axes }
    }

    /// Returns the size of an axis; for a name of several axes, the product.
    pub fn get(&self, name: &str) -> usize {
        self.axes
            .get(name)
            .unwrap_or_else(|| panic!("no size `{name}`"))
            .iter()
            .product()
    }

    /// True if there is such an axis.
    pub fn has(&self, name: &str) -> bool {
        self.axes.contains_key(name)
    }

    /// Computes the shape that a header writes.
    pub fn shape(&self, text: &str) -> Vec<usize> {
        let entries = text
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty());
        let sizes = entries.flat_map(|entry| match entry.strip_suffix("..") {
            Some(name) => self
                .axes
                .get(name)
                .unwrap_or_else(|| panic!("no axes `{name}`"))
                .clone(),
            None => vec![self.computed(entry.split('@').next().unwrap_or(entry).trim())],
        });
        sizes.collect()
    }

    fn computed(&self, text: &str) -> usize {
        let size = syn::parse_str(text)
            .map(|e| self.value(&e))
            .unwrap_or_else(|e| panic!("`{text}`: {e}"));
        usize::try_from(size).unwrap_or_else(|_| panic!("`{text}` is {size}"))
    }

    fn value(&self, e: &syn::Expr) -> i64 {
        match e {
            syn::Expr::Paren(inner) => self.value(&inner.expr),
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(number),
                ..
            }) => number.base10_parse().expect("a number"),
            syn::Expr::Path(path) => {
                self.get(&path.path.require_ident().expect("a name").to_string()) as i64
            }
            syn::Expr::Binary(b) => {
                let (left, right) = (self.value(&b.left), self.value(&b.right));
                match b.op {
                    syn::BinOp::Add(_) => left + right,
                    syn::BinOp::Sub(_) => left - right,
                    syn::BinOp::Mul(_) => left * right,
                    syn::BinOp::Div(_) => left / right,
                    _ => panic!("an operator of sizes is + - * or /"),
                }
            }
            _ => panic!("a size is a name, a number, or an operation of these"),
        }
    }
}

/// Returns the attributes of a task in a case; a variant becomes its number.
pub fn attrs(task: &Task, case: &Case) -> Vec<(String, Value)> {
    let of = |attr: &super::corpus::Attr| {
        let value = case.given.get(&attr.name).unwrap_or(&attr.value);
        match (attr.of.as_str(), value) {
            ("f32", toml::Value::Float(v)) => Value::F32(*v as f32),
            ("i32" | "usize", toml::Value::Integer(v)) => Value::Int(*v),
            ("bool", toml::Value::Boolean(v)) => Value::Bool(*v),
            (_, toml::Value::String(name)) => {
                match attr.choices().iter().position(|choice| choice == name) {
                    Some(number) => Value::Int(number as i64),
                    None => {
                        panic!(
                            "{}: `{}` is one of {}, found {name}",
                            task.stem, attr.name, attr.of
                        )
                    }
                }
            }
            (ty, other) => panic!("{}: `{}` is {ty}, found {other}", task.stem, attr.name),
        }
    };
    task.attrs
        .iter()
        .map(|attr| (attr.name.clone(), of(attr)))
        .collect()
}

/// Makes the elements of a tensor before the run.
pub fn filled(tensor: &Tensor, dtype: DType, sizes: &Sizes, seed: u64) -> Array {
    let shape = sizes.shape(&tensor.shape);
    let Some(text) = &tensor.data else {
        return Array::zeros(dtype, &shape).expect("an element type of tensors");
    };
    let (words, special) = text.split_once(" with ").unwrap_or((text, ""));
    let mut random = Random(seed);
    let mut values = plain(words, shape.iter().product(), sizes, &mut random);
    if words.starts_with("ascending ") {
        values
            .chunks_mut(shape.last().copied().unwrap_or(1).max(1))
            .for_each(|row| row.sort_by(f64::total_cmp));
    }
    let special: Vec<f64> = special.split_whitespace().map(number).collect();
    for (i, value) in values
        .iter_mut()
        .enumerate()
        .filter(|_| !special.is_empty())
    {
        if i == 0 || random.below(16) == 0 {
            *value = special[i % special.len()];
        }
    }
    array(dtype, &shape, values)
}

fn number(word: &str) -> f64 {
    word.parse()
        .unwrap_or_else(|_| panic!("`{word}` is no number"))
}

fn plain(text: &str, len: usize, sizes: &Sizes, random: &mut Random) -> Vec<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut all =
        |element: &mut dyn FnMut(&mut Random) -> f64| (0..len).map(|_| element(random)).collect();
    match words[..] {
        ["uniform" | "ascending", a, b] => {
            all(&mut |r| number(a) + (number(b) - number(a)) * r.unit())
        }
        ["normal", m, s] => all(&mut |r| number(m) + number(s) * r.normal()),
        ["integers", a, b] => {
            all(&mut |r| number(a) + r.below((number(b) - number(a)) as u64) as f64)
        }
        ["indices", m] => all(&mut |r| r.below(sizes.computed(m) as u64) as f64),
        ["places", m] => {
            all(&mut |r| r.below(2 * sizes.computed(m) as u64) as f64 - sizes.computed(m) as f64)
        }
        ["bits", p] => all(&mut |r| f64::from(r.unit() < number(p))),
        ["constant", v] => all(&mut |_| number(v)),
        ["list", ref list @ ..] => list.iter().map(|v| number(v)).cycle().take(len).collect(),
        ["permutation", m] => shuffled(sizes.computed(m), random),
        ["distinct", m] => {
            let mut order = shuffled(sizes.computed(m), random);
            assert!(len <= order.len(), "`{text}` of {len} elements");
            order.truncate(len);
            order
        }
        ["rising", m] => {
            let last = sizes.computed(m);
            let mut ends: Vec<u64> = (1..len)
                .map(|_| random.below(last as u64 + 1))
                .chain((len > 0).then_some(last as u64))
                .collect();
            ends.sort_unstable();
            ends.into_iter().map(|end| end as f64).collect()
        }
        ["starts", m] => {
            let rising = plain(&format!("rising {m}"), len.saturating_sub(1), sizes, random);
            [0.0].into_iter().take(len).chain(rising).collect()
        }
        _ => panic!("`{text}` is no data"),
    }
}

/// Returns the numbers from 0 to below `n` in random order.
fn shuffled(n: usize, random: &mut Random) -> Vec<f64> {
    let mut order: Vec<f64> = (0..n).map(|i| i as f64).collect();
    (1..n).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
    order
}

/// Makes an array of these numbers.
pub(crate) fn array(dtype: DType, shape: &[usize], values: Vec<f64>) -> Array {
    let values =
        ArrayD::from_shape_vec(IxDyn(shape), values).expect("as many elements as the shape has");
    match dtype {
        DType::F16 => values.mapv(f16::from_f64).into(),
        DType::Bf16 => values.mapv(bf16::from_f64).into(),
        DType::F32 => values.mapv(|v| v as f32).into(),
        DType::I32 => values.mapv(|v| v as i32).into(),
        DType::Bool => values.mapv(|v| v != 0.0).into(),
        DType::I8 => values.mapv(|v| v as i8).into(),
        DType::I64 => values.mapv(|v| v as i64).into(),
        DType::I16 => values.mapv(|v| v as i16).into(),
        DType::U8 => values.mapv(|v| v as u8).into(),
        DType::U16 => values.mapv(|v| v as u16).into(),
        DType::U32 => values.mapv(|v| v as u32).into(),
        DType::Bits => panic!("no tensor has bits"),
    }
}

/// SplitMix64: a short generator that is equal on every machine.
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an integer from 0 to below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        (self.bits() >> 11) % n.max(1)
    }

    /// Returns a normally distributed number, by Box and Muller.
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}
