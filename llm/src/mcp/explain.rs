//! The tool that explains codes and ops.

use super::text::Page;
use super::tools::Refused;
use crate::card::{entries, Entry};
use crate::shape::described;
use jumar::dsl::diag::Code;
use jumar::dsl::dtype::DType;
use jumar::dsl::ops::{Op, OpDef};
use jumar::dsl::soc::Arch;

described! {
    /// The arguments of `explain`.
    struct Explain {
        /// An error code, `J0304`, an op or function, `exp`, or a name of AscendC, `Adds`; `codes`
        /// lists the codes.
        name: String,
    }
}

/// Runs the tool `explain`.
pub fn explain(asked: Explain) -> Result<(String, Page), Refused> {
    let name = asked.name.trim();
    let code = || Code::by_name(name).map(|code| code.explanation().trim_end().to_string());
    let of_tiles = || entries().iter().find(|entry| entry.name == name).map(page);
    let of_queues = || {
        Op::all()
            .find(|def| def.op.is_written() && [def.name, def.ascendc].contains(&name))
            .map(queue_page)
    };
    let all = || (name == "codes").then(|| Code::ALL.iter().map(listed).collect());
    let none = || {
        let help = "codes look like J0304, and `codes` lists them; `card` lists the ops of tiles, book/src/reference/ops/README.md all";
        Refused::new(format!("there is no code and no op `{name}`"), help)
    };
    let text: String = code()
        .or_else(of_tiles)
        .or_else(of_queues)
        .or_else(all)
        .ok_or_else(none)?;
    Ok((text.clone(), Page { text }))
}

fn listed(code: &Code) -> String {
    format!("{code} {}: {}\n", code.name(), code.summary())
}

/// Describes an op of the queue level.
fn queue_page(def: &OpDef) -> String {
    let types: Vec<&str> = def
        .dtypes(Arch::V220)
        .iter()
        .copied()
        .map(DType::name)
        .collect();
    let OpDef {
        name,
        ascendc,
        doc,
        example,
        ..
    } = def;
    format!(
        "# {name}\n\n{doc}\n\nAscendC: `{ascendc}`. Element types on Atlas A2 and A3: {}.\n\n```rust\n{}\n```",
        types.join(" "),
        example.trim()
    )
}

fn page(entry: &Entry) -> String {
    let Entry {
        name,
        signature,
        types,
        doc,
        example,
    } = entry;
    format!("# {name}\n\n`{signature}`\n\n{doc}\n\nElement types: {types}.\n\n```rust\n{}\n```\n\n`S` is the set of axes of the receiver.", example.trim())
}
