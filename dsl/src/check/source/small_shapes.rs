//! Small shapes that a kernel allows.
//!
//! A shape gives numbers to axes and attributes, so that every `require` holds and no size is
//! negative. The search tries small numbers and the numbers that the kernel mentions:
//! `require(d % 64 == 0)` needs 64, and `if n > 100` behaves differently for 101. Each attempt
//! tries them in a different order. The result is deterministic, smallest shapes first.

use crate::ir::{
    AxFrom, BinOp, Body, Dialect, Dim, Kernel, ParamId, Scalar, ScalarTy, Signature, Source,
};
use crate::soc::Chip;
use crate::tiling::{eval, Env, Value};
use std::collections::BTreeSet;

/// Attempts to find a shape.
const TRIES: u64 = 64;
/// Numbers that one attempt tries.
const STEPS: usize = 600;

/// Selects the numbers of the kernel that are tried.
#[derive(Clone, Copy)]
struct Own {
    count: usize,
    /// The largest of them, and so the largest size of an axis.
    largest: i64,
    /// If multiples of one number that exceed another are tried, too.
    multiples: bool,
}

/// Launches of few indices take few iterations.
const SMALL: Own = Own {
    count: 16,
    largest: 4096,
    multiples: false,
};
/// For kernels that allow no small launch: `require(n % 4096 == 0 && n >= 100000)`.
const LARGE: Own = Own {
    count: 64,
    largest: 1 << 24,
    multiples: true,
};

/// The numbers of one launch.
#[derive(Debug, PartialEq)]
pub struct Shape {
    /// Size of each named axis.
    pub dims: Vec<i64>,
    /// Value of each attribute, by parameter.
    pub attrs: Vec<Option<Value>>,
}

impl Shape {
    /// Returns the environment in which scalars of the host are evaluated.
    pub fn env<'a>(&'a self, chip: &'a Chip) -> Env<'a> {
        Env {
            dims: &self.dims,
            attrs: &self.attrs,
            chip,
            vars: Vec::new(),
            block: None,
        }
    }
}

/// Returns some shapes that a kernel allows, small ones first. Large ones are returned only if it
/// allows no small one.
pub fn shapes(kernel: &Kernel, chip: &Chip) -> Vec<Shape> {
    [SMALL, LARGE]
        .into_iter()
        .map(|own| shapes_of(kernel, chip, own))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn shapes_of(kernel: &Kernel, chip: &Chip, own: Own) -> Vec<Shape> {
    let search = match &kernel.body {
        Source::Tile(body) => Search::of(&kernel.sig, body, chip, own),
        Source::Queue(body) => Search::of(&kernel.sig, body, chip, own),
    };
    let mut found: Vec<Shape> = Vec::new();
    for seed in 0..TRIES {
        let mut shape = Shape {
            dims: vec![0; kernel.sig.axes.len()],
            attrs: vec![None; kernel.sig.params.len()],
        };
        if search.assign(0, seed, &mut shape, &mut { STEPS }) && !found.contains(&shape) {
            found.push(shape);
        }
    }
    found.sort_by_key(|shape| {
        let attrs = shape
            .attrs
            .iter()
            .flatten()
            .map(|value| value.as_int().unwrap_or(0).saturating_abs());
        shape
            .dims
            .iter()
            .copied()
            .chain(attrs)
            .fold(0i64, i64::saturating_add)
    });
    found
}

/// Returns the kernel with element sizes as numbers. Where they differ between instances, those of
/// the first one are taken: a mistake in one instance is an error.
pub fn sized(kernel: &Kernel) -> Kernel {
    let (mut sized, types) = (kernel.clone(), &kernel.sig.instances[0]);
    match &mut sized.body {
        Source::Tile(body) => body.change_scalars(|scalar| scalar.sized(types)),
        Source::Queue(body) => body.change_scalars(|scalar| scalar.sized(types)),
    }
    sized
}

/// An unknown of a shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Leaf {
    Axis(usize),
    Attr(usize, ScalarTy),
}

struct Search<'a> {
    chip: &'a Chip,
    leaves: Vec<Leaf>,
    /// Conditions that each leaf must meet once it has a number.
    conditions: Vec<Vec<Scalar>>,
    /// Number of variants of each parameter that is an enum.
    choices: Vec<usize>,
    whole: Numbers,
    floats: Vec<f32>,
}

/// Integers that are tried.
struct Numbers {
    small: Vec<i64>,
    /// The small numbers, then those of the kernel.
    all: Vec<i64>,
}

impl<'a> Search<'a> {
    fn of<L: Dialect>(sig: &Signature, body: &Body<L>, chip: &'a Chip, own: Own) -> Search<'a> {
        let axes = (0..sig.axes.len()).map(Leaf::Axis);
        let leaves: Vec<Leaf> = axes
            .chain(sig.told().map(|(id, ty, _)| Leaf::Attr(id.index(), ty)))
            .collect();
        let mut conditions = vec![Vec::new(); leaves.len()];
        for condition in demands(sig, body) {
            // A condition without unknowns is checked with the first leaf.
            let last = leaves_of(&condition)
                .iter()
                .filter_map(|leaf| leaves.iter().position(|l| l == leaf))
                .max();
            conditions
                .get_mut(last.unwrap_or(0))
                .into_iter()
                .for_each(|own| own.push(condition.clone()));
        }
        let (whole, floats) = spoken(sig, body, own);
        let choices = (0..sig.params.len())
            .map(|i| sig.choices(ParamId(i as u32)).len())
            .collect();
        Search {
            chip,
            leaves,
            conditions,
            choices,
            whole,
            floats,
        }
    }

    /// Assigns numbers to the leaves from `at` on. False if none were found.
    fn assign(&self, at: usize, seed: u64, shape: &mut Shape, steps: &mut usize) -> bool {
        let Some(leaf) = self.leaves.get(at) else {
            return true;
        };
        for value in self.candidates(*leaf, at, seed, shape) {
            let Some(left) = steps.checked_sub(1) else {
                return false;
            };
            *steps = left;
            match leaf {
                Leaf::Axis(axis) => shape.dims[*axis] = value.as_int().unwrap_or(0),
                Leaf::Attr(attr, _) => shape.attrs[*attr] = Some(value),
            }
            let holds =
                |condition: &Scalar| self.value(condition, shape) == Some(Value::Bool(true));
            if self.conditions[at].iter().all(holds) && self.assign(at + 1, seed, shape, steps) {
                return true;
            }
        }
        false
    }

    fn value(&self, s: &Scalar, shape: &Shape) -> Option<Value> {
        eval(s, &shape.env(self.chip)).ok()
    }

    /// Returns the numbers to try for a leaf, in order. An equation with known values fixes it.
    fn candidates(&self, leaf: Leaf, at: usize, seed: u64, shape: &Shape) -> Vec<Value> {
        let own = |s: &Scalar| leaf_of(s) == Some(leaf);
        let equal = self.conditions[at]
            .iter()
            .find_map(|condition| match condition {
                Scalar::Bin(BinOp::Eq, a, b) if own(a) && !leaves_of(b).contains(&leaf) => {
                    self.value(b, shape)
                }
                Scalar::Bin(BinOp::Eq, a, b) if own(b) && !leaves_of(a).contains(&leaf) => {
                    self.value(a, shape)
                }
                _ => None,
            });
        if let Some(value) = equal {
            return vec![value];
        }
        let chance = chance(seed, at);
        match leaf {
            // A shape whose loops have no iteration shows nothing.
            Leaf::Axis(_) => self
                .turned(seed, chance)
                .filter(|v| *v >= 1)
                .map(Value::Int)
                .collect(),
            // Each variant comes first equally often.
            Leaf::Attr(attr, _) if self.choices[attr] > 0 => {
                let count = self.choices[attr] as i64;
                (0..count)
                    .map(|i| Value::Int((seed as i64 + i) % count))
                    .collect()
            }
            Leaf::Attr(_, ScalarTy::Index) => self
                .turned(seed, chance)
                .filter(|v| *v >= 0)
                .map(Value::Int)
                .collect(),
            Leaf::Attr(_, ScalarTy::I32) => {
                let narrow = self
                    .turned(seed, chance)
                    .filter_map(|v| i32::try_from(v).ok());
                narrow.map(Value::I32).collect()
            }
            Leaf::Attr(_, ScalarTy::F32) => {
                let first = chance % self.floats.len();
                self.floats
                    .iter()
                    .cycle()
                    .skip(first)
                    .take(self.floats.len())
                    .copied()
                    .map(Value::F32)
                    .collect()
            }
            Leaf::Attr(_, ScalarTy::Bool) => [chance.is_multiple_of(2), !chance.is_multiple_of(2)]
                .map(Value::Bool)
                .to_vec(),
        }
    }

    /// Returns the integers in rotated order. Mostly the small ones come first; every fourth seed
    /// rotates all.
    fn turned(&self, seed: u64, chance: usize) -> impl Iterator<Item = i64> + '_ {
        let Numbers { small, all } = &self.whole;
        let first = if seed % 4 == 3 { all } else { small };
        let from = chance % first.len();
        let rest = if seed % 4 == 3 {
            &[][..]
        } else {
            &all[small.len()..]
        };
        first[from..]
            .iter()
            .chain(&first[..from])
            .chain(rest)
            .copied()
    }
}

/// Returns the conditions on a shape: the requirements, and that no tensor or axis has a negative
/// size.
fn demands<L>(sig: &Signature, body: &Body<L>) -> Vec<Scalar> {
    let mut found = Vec::new();
    sig.facts
        .iter()
        .for_each(|fact| conjuncts(&fact.cond, &mut found));
    let mut sizes: Vec<&Scalar> = Vec::new();
    for (id, ..) in sig.tensors() {
        for dim in sig.shape(id) {
            match dim {
                Dim::Expr { size } => sizes.push(size),
                Dim::Axis { .. } | Dim::At { .. } => {}
            }
        }
    }
    for ax in &body.axes {
        match &ax.from {
            AxFrom::Whole { extent } if !has_variables(extent) => sizes.push(extent),
            AxFrom::Whole { .. } | AxFrom::Run { .. } | AxFrom::Hull { .. } => {}
        }
    }
    found.extend(sizes.into_iter().map(|size| size.clone().bin(BinOp::Ge, 0)));
    found
}

fn conjuncts(condition: &Scalar, found: &mut Vec<Scalar>) {
    match condition {
        Scalar::Bin(BinOp::And, a, b) => {
            conjuncts(a, found);
            conjuncts(b, found);
        }
        other => found.push(other.clone()),
    }
}

fn has_variables(s: &Scalar) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= matches!(n, Scalar::Var(_)));
    found
}

fn leaf_of(s: &Scalar) -> Option<Leaf> {
    match s {
        Scalar::Axis(axis) => Some(Leaf::Axis(axis.index())),
        Scalar::Attr(attr, ty) => Some(Leaf::Attr(attr.index(), *ty)),
        _ => None,
    }
}

fn leaves_of(s: &Scalar) -> BTreeSet<Leaf> {
    let mut found = BTreeSet::new();
    s.walk(&mut |n| found.extend(leaf_of(n)));
    found
}

/// Returns the numbers that a kernel mentions, with their neighbours, behind the small ones.
fn spoken<L: Dialect>(sig: &Signature, body: &Body<L>, own: Own) -> (Numbers, Vec<f32>) {
    let (mut whole, mut floats) = (BTreeSet::new(), vec![0.5, 0.0, -1.0, 2.0]);
    let mut hear = |s: &Scalar| {
        s.walk(&mut |n| match n {
            Scalar::Int(v) => _ = whole.insert(*v),
            Scalar::I32(v) => _ = whole.insert(i64::from(*v)),
            Scalar::Float(v) if floats.len() < SMALL.count => {
                floats.extend([*v, v + 1.0, v - 1.0].into_iter().filter(|v| v.is_finite()))
            }
            _ => {}
        })
    };
    sig.facts.iter().for_each(|fact| hear(&fact.cond));
    for ax in &body.axes {
        match &ax.from {
            AxFrom::Whole { extent } => hear(extent),
            AxFrom::Run { .. } | AxFrom::Hull { .. } => {}
        }
    }
    body.walk(&mut |s| s.scalars(&mut |scalar| hear(scalar)));
    let small = vec![2, 3, 1, 4, 5, 0, 6];
    let near = whole.iter().flat_map(|v| {
        [
            *v,
            v.saturating_add(1),
            v.saturating_sub(1),
            v.saturating_mul(2),
        ]
    });
    // The first multiple of one number that is no less than another.
    let beyond = |v: i64| {
        whole
            .range(2..v.max(2))
            .filter_map(move |by| Some((v.checked_add(by - 1)? / by) * by))
    };
    let multiples = whole
        .iter()
        .filter(|_| own.multiples)
        .flat_map(|v| beyond(*v));
    let mut all = small.clone();
    for v in near
        .chain(multiples)
        .filter(|v| (-own.largest..=own.largest).contains(v))
        .chain([-1, 8])
    {
        if !all.contains(&v) && all.len() < small.len() + own.count {
            all.push(v);
        }
    }
    (Numbers { small, all }, floats)
}

/// Returns a pseudorandom number for the `at`th leaf.
fn chance(seed: u64, at: usize) -> usize {
    let mixed = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (at as u64 + 1).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40) as usize
}
