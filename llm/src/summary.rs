//! What is said of an array: its shape, its first elements, and a number that two arrays share only where their bytes are the same.

use crate::shape::{described, Described};
use crate::tasks::run::hash;
use jumar::dsl::dtype::DType;
use jumar::runtime::AsInput;
use jumar::Array;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};

/// Elements that stand in a summary.
const FIRST: usize = 8;

/// A number as JSON has it; what JSON has no number for is a word, and a bool is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A finite number.
    Finite(f64),
    /// True or false.
    Bool(bool),
    /// `nan`, `inf` or `-inf`.
    Word(String),
}

impl Described for Number {
    fn schema() -> Value {
        json!({"type": ["number", "boolean", "string"]})
    }
}

impl Number {
    /// An element as JSON has it: a float in as few digits as tell it from its neighbours.
    pub fn of(v: f64, dtype: DType) -> Number {
        match v {
            v if v.is_nan() => Number::Word("nan".into()),
            f64::INFINITY => Number::Word("inf".into()),
            f64::NEG_INFINITY => Number::Word("-inf".into()),
            v if dtype.is_float() => Number::Finite((v as f32).to_string().parse().unwrap_or(v)),
            v => Number::Finite(v),
        }
    }

    /// What it is; `None` for another word.
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
    /// What is said of an array.
    struct Summary {
        /// Element type.
        dtype: String,
        /// Sizes of its axes.
        shape: Vec<usize>,
        /// The first elements, row by row.
        first: Vec<Number>,
        /// Of its bytes, in hexadecimal.
        hash: String,
    }
}

impl Summary {
    /// Of an array.
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
