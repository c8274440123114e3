//! Arguments of a launch beside the kernel. `//@ x 4 8; y; s 1.5` gives the shape of `x` and the
//! value of `s`, and lets `y` be inferred.

use crate::ir::Signature;
use crate::tiling::{bind_attrs, bind_shapes, BindError, Value};

/// Returns the errors of the launches that a text asks for, with their lines.
pub(super) fn launches(text: &str, sig: &Signature) -> Vec<(u32, BindError)> {
    let lines = text
        .lines()
        .zip(1..)
        .filter_map(|(l, n)| Some((n, l.strip_prefix("//@ ")?)));
    let arguments =
        lines.map(|(n, l)| (n, l.split_once(" //^").map_or(l, |(args, _)| args).trim()));
    arguments
        .filter_map(|(n, l)| launch(l, sig).err().map(|e| (n, e)))
        .collect()
}

fn launch(arguments: &str, sig: &Signature) -> Result<(), BindError> {
    let mut shapes: Vec<Option<Vec<usize>>> = vec![None; sig.params.len()];
    let mut values = Vec::new();
    for argument in arguments.split("; ") {
        let (name, rest) = argument.split_once(' ').unwrap_or((argument, ""));
        match sig.tensors().find(|(_, p, ..)| p.name == name) {
            Some((id, ..)) if !rest.is_empty() => {
                let sizes = rest
                    .split(' ')
                    .filter(|n| *n != "[]")
                    .map(|n| n.parse().expect("a size"));
                shapes[id.index()] = Some(sizes.collect());
            }
            Some(_) => {}
            None => values.push((name, value(rest))),
        }
    }
    let attrs = bind_attrs(sig, None, &values)?;
    let shapes: Vec<Option<&[usize]>> = shapes.iter().map(Option::as_deref).collect();
    bind_shapes(sig, &shapes, &attrs).map(|_| ())
}

fn value(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        n if n.contains('.') => Value::F32(n.parse().expect("a number")),
        n => Value::Int(n.parse().expect("a number")),
    }
}
