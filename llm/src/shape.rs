//! Structs that describe themselves.
//!
//! The arguments and results of a tool are declared once. Reading, writing and the JSON schema
//! follow from that declaration.

use serde_json::{json, Map, Value};
use std::collections::BTreeMap;

/// A value with a JSON schema.
pub trait Described {
    /// False for a field that may be left out.
    const REQUIRED: bool = true;

    fn schema() -> Value;

    /// True if the field is left out when it is written.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Tells serde, which calls it by its path, if a field is left out.
pub(crate) fn absent<T: Described>(value: &T) -> bool {
    value.is_absent()
}

macro_rules! plain {
    ($($t:ty: $schema:expr;)*) => {$(
        impl Described for $t {
            fn schema() -> Value {
                $schema
            }
        }
    )*};
}
plain! {
    String: json!({"type": "string"});
    bool: json!({"type": "boolean"});
    f64: json!({"type": "number"});
    u32: json!({"type": "integer", "minimum": 0});
    u64: json!({"type": "integer", "minimum": 0});
    usize: json!({"type": "integer", "minimum": 0});
    i64: json!({"type": "integer"});
}

impl<T: Described> Described for Option<T> {
    const REQUIRED: bool = false;

    fn schema() -> Value {
        T::schema()
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

impl<T: Described> Described for BTreeMap<String, T> {
    fn schema() -> Value {
        json!({"type": "object", "additionalProperties": T::schema()})
    }
}

/// Builds the schema of an object from its fields: name, description, schema, and if it is
/// required.
pub(crate) fn object(fields: Vec<(&str, &str, Value, bool)>) -> Value {
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| field.3)
        .map(|field| field.0)
        .collect();
    let mut properties = Map::new();
    for (name, says, mut schema, _) in fields {
        if let Some(own) = schema.as_object_mut() {
            own.insert("description".to_string(), says.trim().into());
        }
        properties.insert(name.to_string(), schema);
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// Declares structs that read, write and describe themselves. An optional field is an `Option`.
macro_rules! described {
    ($($(#[doc = $about:literal])+ struct $name:ident { $($(#[doc = $doc:literal])+ $field:ident: $ty:ty,)* })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "crate::shape::absent")] pub $field: $ty,)*
        }

        impl $crate::shape::Described for $name {
            fn schema() -> serde_json::Value {
                $crate::shape::object(vec![$((
                    stringify!($field),
                    concat!($($doc),+),
                    <$ty as $crate::shape::Described>::schema(),
                    <$ty as $crate::shape::Described>::REQUIRED,
                )),*])
            }
        }
    )+};
}
pub(crate) use described;

/// Declares enums whose variants are written as fixed words.
macro_rules! words {
    ($($(#[doc = $about:literal])+ enum $name:ident { $($(#[doc = $doc:literal])+ $word:ident = $text:literal,)* })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])+ #[serde(rename = $text)] $word,)*
        }

        impl $crate::shape::Described for $name {
            fn schema() -> serde_json::Value {
                serde_json::json!({"type": "string", "enum": [$($text),*]})
            }
        }
    )+};
}
pub(crate) use words;
