//! The part of JSON Schema that the product's schemas use. An unknown keyword is an error.

use serde_json::{Map, Value};

/// Checks a value against a schema.
///
/// # Errors
/// Names the place where the value differs from the schema, or the unknown keyword.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    part(schema, schema, value).map_err(|(at, why)| format!("at {at}: {why}"))
}

type Wrong = (String, String);

fn part(root: &Value, schema: &Value, value: &Value) -> Result<(), Wrong> {
    let own = schema
        .as_object()
        .ok_or_else(|| wrong("the schema is no object"))?;
    for (word, rule) in own {
        match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let path = rule
                    .as_str()
                    .and_then(|r| r.strip_prefix('#'))
                    .ok_or_else(|| wrong("a reference elsewhere"))?;
                let target = root
                    .pointer(path)
                    .ok_or_else(|| wrong(format!("there is no {path}")))?;
                part(root, target, value)?;
            }
            "type" => is_type(rule, value)?,
            "enum" => {
                let allowed = rule.as_array().ok_or_else(|| wrong("`enum` is no list"))?;
                holds(allowed.contains(value), || {
                    format!("{value} is none of the values")
                })?;
            }
            "anyOf" => {
                let ways = rule.as_array().ok_or_else(|| wrong("`anyOf` is no list"))?;
                let tried: Vec<_> = ways.iter().map(|way| part(root, way, value)).collect();
                let reasons = || {
                    tried
                        .iter()
                        .filter_map(|t| t.as_ref().err())
                        .map(|(at, why)| format!("{at} {why}"))
                        .collect::<Vec<_>>()
                };
                holds(tried.iter().any(Result::is_ok), || {
                    format!("no way fits: {}", reasons().join("; "))
                })?;
            }
            "required" => {
                let object = object(value)?;
                for name in rule
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                {
                    holds(object.contains_key(name), || format!("`{name}` is missing"))?;
                }
            }
            "properties" => {
                let rules = rule
                    .as_object()
                    .ok_or_else(|| wrong("`properties` is no object"))?;
                for (name, inner) in object(value)?
                    .iter()
                    .filter_map(|(name, v)| Some((name, (v, rules.get(name)?))))
                {
                    part(root, inner.1, inner.0)
                        .map_err(|(at, why)| (format!(".{name}{at}"), why))?;
                }
            }
            "additionalProperties" => {
                let known = own.get("properties").and_then(Value::as_object);
                for (name, inner) in object(value)?
                    .iter()
                    .filter(|(name, _)| known.is_none_or(|k| !k.contains_key(*name)))
                {
                    match rule {
                        Value::Bool(false) => {
                            return Err(wrong(format!("`{name}` is no property")))
                        }
                        rule => part(root, rule, inner)
                            .map_err(|(at, why)| (format!(".{name}{at}"), why))?,
                    }
                }
            }
            "items" => {
                for (i, inner) in value
                    .as_array()
                    .ok_or_else(|| wrong("no list"))?
                    .iter()
                    .enumerate()
                {
                    part(root, rule, inner).map_err(|(at, why)| (format!("[{i}]{at}"), why))?;
                }
            }
            "minItems" => holds(value.as_array().map(Vec::len) >= size(rule), || {
                "too few items".into()
            })?,
            "minLength" => holds(value.as_str().map(str::len) >= size(rule), || {
                "too short".into()
            })?,
            "minimum" => holds(value.as_i64() >= rule.as_i64(), || {
                format!("{value} is below {rule}")
            })?,
            other => {
                return Err(wrong(format!(
                    "the schema says `{other}`, which this reader does not know"
                )))
            }
        }
    }
    Ok(())
}

fn size(rule: &Value) -> Option<usize> {
    rule.as_u64().map(|n| n as usize)
}

fn wrong(why: impl Into<String>) -> Wrong {
    (String::new(), why.into())
}

fn holds(is: bool, why: impl FnOnce() -> String) -> Result<(), Wrong> {
    if is {
        Ok(())
    } else {
        Err(wrong(why()))
    }
}

fn object(value: &Value) -> Result<&Map<String, Value>, Wrong> {
    value.as_object().ok_or_else(|| wrong("no object"))
}

fn is_type(rule: &Value, value: &Value) -> Result<(), Wrong> {
    let names: Vec<&str> = match rule {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => return Err(wrong("`type` is neither a name nor a list")),
    };
    let is = |name: &&str| match *name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    };
    holds(names.iter().any(is), || {
        format!("{value} is no {}", names.join(" or "))
    })
}
