//! The summary of an array: its shape, its first elements, and a hash of its bytes.

use crate::shape::{described, Described};
use crate::tasks::run::hash;
use jumar::dsl::dtype::DType;
use jumar::runtime::AsInput;
use jumar::Array;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

/// How many elements a summary shows.
const FIRST: usize = 8;

/// A number in JSON. A bool stays a bool, and a word stands for NaN and the infinities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A finite number.
    Finite(f64),
    /// True or false.
    Bool(bool),
    /// One of the words `nan`, `inf` and `-inf`.
    Word(String),
}

impl Described for Number {
    fn schema() -> Value {
        json!({"type": ["number", "boolean", "string"]})
    }
}

impl Number {
    /// Converts an element. A float gets as few digits as tell it from its neighbours.
    pub fn of(v: f64, dtype: DType) -> Number {
        match v {
            v if v.is_nan() => Number::Word("nan".into()),
            f64::INFINITY => Number::Word("inf".into()),
            f64::NEG_INFINITY => Number::Word("-inf".into()),
            v if dtype.is_float() => Number::Finite((v as f32).to_string().parse().unwrap_or(v)),
            v => Number::Finite(v),
        }
    }

    /// Returns the value, or `None` for any other word.
    pub fn value(&self) -> Option<f64> {
        match self {
            Number::Finite(v) => Some(*v),
            Number::Bool(v) => Some(f64::from(*v)),
            Number::Word(word) => match word.as_str() {
                "nan" => Some(f64::NAN),
                "inf" => Some(f64::INFINITY),
                "-inf" => Some(f64::NEG_INFINITY),
                _ => None,
            },
        }
    }
}

described! {
    /// The summary of an array.
    struct Summary {
        /// Element type of the array.
        dtype: String,
        /// Sizes of its axes.
        shape: Vec<usize>,
        /// The first elements, row by row.
        first: Vec<Number>,
        /// A hash of its bytes, in hexadecimal.
        hash: String,
    }
}

impl Summary {
    pub fn of(array: &Array) -> Summary {
        let first = array
            .to_f64()
            .into_iter()
            .take(FIRST)
            .map(|v| Number::of(v, array.dtype()))
            .collect();
        Summary {
            dtype: array.dtype().to_string(),
            shape: array.shape().to_vec(),
            first,
            hash: format!("{:016x}", hash(array.as_input().bytes())),
        }
    }
}
