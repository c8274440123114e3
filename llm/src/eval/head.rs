//! The head of a task's kernel, derived from the task's header alone. A grammar constrains a model
//! to it, and it reveals nothing of the answer.

use super::prompt::declared;
use crate::canon::{self, pascal, Head, Names};
use crate::tasks::corpus::{Attr, Task, Tensor};
use jumar::dsl::dtype::{DType, DTYPE_SETS};
use jumar::dsl::front::parse_file;

/// The axis that counts the items of lists.
const ITEMS: &str = "items";

/// Returns the head of a task's kernel in canonical form, with the names of the header, which a
/// launch uses.
///
/// # Errors
/// Says what part of the header a head cannot express.
pub fn head(task: &Task, names: Names) -> Result<Head, String> {
    let unsaid =
        |why: &dyn std::fmt::Display| format!("the head of {}/{}: {why}", task.bench, task.stem);
    let text = text(task).map_err(|why| unsaid(&why))?;
    let parsed = parse_file(&text).map_err(|(d, _)| unsaid(&d.message))?;
    let kernel = parsed
        .into_iter()
        .next()
        .ok_or_else(|| unsaid(&"no kernel"))?;
    let first = || {
        kernel
            .diagnostics
            .first()
            .map_or("no signature", |d| d.message.as_str())
    };
    let signature = kernel.signature.as_ref().ok_or_else(|| unsaid(&first()))?;
    canon::head(signature, names).map_err(|e| unsaid(&e))
}

/// Writes a kernel with this head and an empty body.
fn text(task: &Task) -> Result<String, String> {
    let enums: String = task.attrs.iter().filter_map(enumeration).collect();
    let (attributes, generics) = generics(task)?;
    // The axis that counts items is declared only if a tensor has it.
    let is_counted = task
        .tensors
        .iter()
        .any(|t| t.shape.split(", ").any(|dim| dim == ITEMS));
    let first_list = task.tensors.iter().position(|t| t.list && is_counted);
    let tensors = task.tensors.iter().enumerate().map(|(at, tensor)| {
        let list = if first_list == Some(at) {
            format!("#[list({ITEMS})] ")
        } else {
            String::new()
        };
        list + &parameter(task, tensor)
    });
    let parameters: Vec<String> = tensors.chain(task.attrs.iter().map(attribute)).collect();
    let (stem, parameters) = (&task.stem, parameters.join(", "));
    Ok(format!(
        "#[kernels] mod kernels {{ use jumar::prelude::*; {enums} #[kernel] {attributes} pub fn {stem}{generics}({parameters}) {{}} }}"
    ))
}

fn parameter(task: &Task, tensor: &Tensor) -> String {
    format!("#[shape({})] {}", tensor.shape, declared(task, tensor))
}

/// Returns the name of an enum in the text of a head. The canonical form replaces it.
fn enum_name(attr: &Attr) -> String {
    format!("Of{}", pascal(&attr.name))
}

fn enumeration(attr: &Attr) -> Option<String> {
    let variants: Vec<String> = attr.choices().into_iter().map(pascal).collect();
    (!variants.is_empty()).then(|| {
        format!(
            "pub enum {} {{ {} }} ",
            enum_name(attr),
            variants.join(", ")
        )
    })
}

fn attribute(attr: &Attr) -> String {
    let of = if attr.choices().is_empty() {
        attr.of.clone()
    } else {
        enum_name(attr)
    };
    match attr.list {
        true => format!("{}: &[{of}]", attr.name),
        false => format!("{}: {of}", attr.name),
    }
}

/// Writes `#[instances(..)]` and `<T: .., U: ..>` of a task with several element types.
fn generics(task: &Task) -> Result<(String, String), String> {
    if task.elements.len() < 2 {
        return Ok((String::new(), String::new()));
    }
    let named = |name: &str| {
        DType::by_name(name).ok_or_else(|| format!("there is no element type `{name}`"))
    };
    let rows = task.elements.iter().map(|row| {
        row.split_whitespace()
            .map(named)
            .collect::<Result<Vec<_>, _>>()
    });
    let rows = rows.collect::<Result<Vec<_>, _>>()?;
    let count = rows.first().map_or(0, Vec::len);
    let bounds = ["T", "U"].iter().take(count).enumerate().map(|(at, name)| {
        let own: Vec<DType> = rows.iter().filter_map(|row| row.get(at).copied()).collect();
        Ok(format!("{name}: {}", bound(&own)?))
    });
    let bounds = bounds.collect::<Result<Vec<_>, String>>()?;
    let row = |row: &Vec<DType>| match row.as_slice() {
        [one] => one.name().to_string(),
        several => format!(
            "({})",
            several
                .iter()
                .map(|d| d.name())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    Ok((
        format!("#[instances({})]", rows.join(", ")),
        format!("<{}>", bounds.join(", ")),
    ))
}

/// Returns the smallest bound that contains all these element types.
fn bound(own: &[DType]) -> Result<&'static str, String> {
    let sets = DTYPE_SETS
        .iter()
        .filter(|set| own.iter().all(|d| set.members.contains(d)));
    sets.min_by_key(|set| set.members.len())
        .map(|set| set.name)
        .ok_or_else(|| "no bound has all its element types".to_string())
}
