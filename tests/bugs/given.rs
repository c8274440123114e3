//! Arguments of a launch: arrays of a few patterns, and attributes.
//!
//! `x = f32[3, 70]` holds quarters from -8 to 8 in no order, or integers from -32 to 31 for an
//! integer type. A pattern may stand behind the shape: `positive`, `below 7` (integers from 0 on),
//! `bits` (0 or 1), `times 100`, or the elements themselves, `{0, 3, nan}`. `xs.0` is the first
//! item of a list.

use jumar::dsl::dtype::DType;
use jumar::half::{bf16, f16};
use jumar::ndarray::{ArrayD, IxDyn};
use jumar::runtime::Array;

/// An argument of a launch.
#[derive(Clone, Debug)]
pub struct Given {
    pub name: String,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub enum Value {
    Tensor(Array),
    Bool(bool),
    Int(i64),
    Float(f64),
}

/// Parses arguments such as `a = f32[3], n = 4`.
pub fn parse_given(text: &str) -> Result<Vec<Given>, String> {
    outer_parts(text)
        .into_iter()
        .zip(0..)
        .map(|(part, seed)| parse_one(part, seed))
        .collect()
}

/// Splits a text at the commas outside of brackets.
pub fn outer_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

fn parse_one(part: &str, seed: u64) -> Result<Given, String> {
    let (name, value) = part
        .split_once(" = ")
        .ok_or_else(|| format!("`{part}` is no NAME = VALUE"))?;
    let value = match value.split_once('[') {
        Some((ty, rest)) => {
            let (shape, pattern) = rest
                .split_once(']')
                .ok_or_else(|| format!("`{part}` has no `]`"))?;
            let sizes = shape
                .split(", ")
                .filter(|s| !s.is_empty())
                .map(|s| s.parse::<usize>());
            let shape = sizes
                .collect::<Result<Vec<_>, _>>()
                .map_err(|e| format!("`{part}`: {e}"))?;
            let is_whole = !matches!(ty, "f16" | "bf16" | "f32");
            let elements = elements(pattern.trim(), shape.iter().product(), seed, is_whole)?;
            Value::Tensor(array(ty, &shape, elements).ok_or_else(|| {
                format!("`{part}`: an element type that is none, or elements that do not fit")
            })?)
        }
        None => match (
            value.parse::<bool>(),
            value.parse::<i64>(),
            value.parse::<f64>(),
        ) {
            (Ok(b), ..) => Value::Bool(b),
            (_, Ok(i), _) => Value::Int(i),
            (_, _, Ok(f)) => Value::Float(f),
            _ => return Err(format!("`{value}` is no number")),
        },
    };
    Ok(Given {
        name: name.into(),
        value,
    })
}

fn elements(pattern: &str, len: usize, seed: u64, is_whole: bool) -> Result<Vec<f64>, String> {
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .map_err(|_| format!("`{text}` is no number"))
    };
    if let Some(listed) = pattern.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
        return listed.split(',').map(number).collect();
    }
    // A multiplicative hash of the place: no order, and no two equal rows.
    let hashed = |i: usize| {
        ((i as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(seed << 60)
            >> 58) as f64
    };
    let quarters = move |i| (hashed(i) - 32.0) / if is_whole { 1.0 } else { 4.0 };
    let all = |f: &dyn Fn(usize) -> f64| Ok((0..len).map(f).collect());
    match pattern.split_once(' ').unwrap_or((pattern, "")) {
        ("", "") => all(&quarters),
        ("positive", "") => all(&|i| quarters(i).abs() + 1.0),
        ("bits", "") => all(&|i| hashed(i) % 2.0),
        ("below", bound) => number(bound).and_then(|bound| all(&|i| hashed(i) % bound)),
        ("times", factor) => number(factor).and_then(|factor| all(&|i| quarters(i) * factor)),
        _ => Err(format!("`{pattern}` is no pattern")),
    }
}

/// Returns an array of the named element type. An element of a bool array is true where its number
/// is positive.
fn array(ty: &str, shape: &[usize], elements: Vec<f64>) -> Option<Array> {
    fn typed<T>(shape: &[usize], elements: Vec<f64>, of: impl Fn(f64) -> T) -> Option<ArrayD<T>> {
        ArrayD::from_shape_vec(IxDyn(shape), elements.into_iter().map(of).collect()).ok()
    }
    Some(match ty {
        "f16" => typed(shape, elements, f16::from_f64)?.into(),
        "bf16" => typed(shape, elements, bf16::from_f64)?.into(),
        "f32" => typed(shape, elements, |v| v as f32)?.into(),
        "i32" => typed(shape, elements, |v| v as i32)?.into(),
        "i8" => typed(shape, elements, |v| v as i8)?.into(),
        "i64" => typed(shape, elements, |v| v as i64)?.into(),
        "bool" => typed(shape, elements, |v| v > 0.0)?.into(),
        _ => return None,
    })
}

/// Fails unless an output is near the wanted elements: a few roundings of its type.
pub fn close(have: &Array, want: &[f64]) -> Result<(), String> {
    let step = match have.dtype() {
        DType::F16 => 2e-3,
        DType::Bf16 => 1.6e-2,
        DType::F32 => 1e-5,
        whole => {
            assert!(!whole.is_float(), "{whole} has no step of its own here");
            0.0
        }
    };
    let have = have.to_f64();
    if have.len() != want.len() {
        return Err(format!(
            "{} elements, wanted are {}",
            have.len(),
            want.len()
        ));
    }
    let same = |h: f64, w: f64| {
        h == w || h.is_nan() && w.is_nan() || (h - w).abs() <= step * (1.0 + w.abs())
    };
    match have.iter().zip(want).position(|(h, w)| !same(*h, *w)) {
        Some(at) => Err(format!(
            "element {at} is {}, wanted is {}",
            have[at], want[at]
        )),
        None => Ok(()),
    }
}
