//! `jumar explain`, `jumar chips`, `jumar ops`: the tables of the language, as text.

use super::{say, Failure, Outcome};
use jumar::dsl::diag::Code;
use jumar::dsl::dtype::{dtype_set, DType};
use jumar::dsl::front::instead_of;
use jumar::dsl::items::{Item, TileMethod};
use jumar::dsl::library::{self, Function, FUNCTIONS};
use jumar::dsl::ops::{Op, OpDef};
use jumar::dsl::soc::{Arch, Chip};

/// Prints the page of a code, or the list of codes.
pub fn explain(code: Option<&str>) -> Outcome {
    let Some(text) = code else {
        let rows = Code::ALL
            .iter()
            .map(|c| vec![c.to_string(), c.name().to_owned(), c.summary().to_owned()]);
        return say(&table(&["code", "name", "meaning"], rows));
    };
    match Code::by_name(text.trim()) {
        Some(code) => say(&format!("{}\n", code.explanation().trim_end())),
        None => Err(Failure::call(
            format!("there is no error code `{text}`"),
            "codes look like J0304; `jumar explain` without a code lists all of them",
        )),
    }
}

/// Prints the table of chips.
pub fn chips() -> Outcome {
    let head = [
        "name",
        "soc_version",
        "npu_arch",
        "vector cores",
        "cube cores",
        "UB bytes",
        "of these usable",
        "bf16",
        "DataCopyPad",
    ];
    let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
    let rows = Chip::all().iter().map(|c| {
        vec![
            c.name.to_owned(),
            c.soc_version.to_owned(),
            c.npu_arch.to_owned(),
            c.vector_cores.to_string(),
            c.cube_cores.to_string(),
            c.ub_bytes.to_string(),
            c.ub_usable().to_string(),
            yes(c.has_bf16),
            yes(c.has_data_copy_pad),
        ]
    });
    say(&table(&head, rows))
}

/// Prints the table of ops, methods and functions of tiles, or one of them.
pub fn ops(name: Option<&str>) -> Outcome {
    let Some(name) = name else {
        let ops = Op::all().filter(|d| d.op.is_written()).map(|d| {
            [
                d.name.to_owned(),
                d.ascendc.to_owned(),
                dtypes(d, Arch::V220),
                dtypes(d, Arch::M200),
                d.doc.to_owned(),
            ]
        });
        let methods = methods().map(|m| {
            let none = || "-".to_owned();
            [m.name.to_owned(), none(), none(), none(), m.doc.to_owned()]
        });
        let functions = FUNCTIONS.iter().map(|f| {
            let [a2, inference] = [Arch::V220, Arch::M200].map(|arch| elements(f, arch));
            [
                f.name.to_owned(),
                "-".to_owned(),
                a2,
                inference,
                f.doc.to_owned(),
            ]
        });
        return say(&table(
            &["op", "AscendC", "Atlas A2/A3", "Atlas inference", "meaning"],
            ops.chain(methods).chain(functions).map(Vec::from),
        ));
    };
    let found = Op::all().find(|d| d.op.is_written() && (d.name == name || d.ascendc == name));
    if let Some(def) = found {
        return op(def);
    }
    if let Some(m) = methods().find(|m| m.name == name) {
        let result = if m.result.is_empty() {
            String::new()
        } else {
            format!(" -> {}", m.result)
        };
        return say(&format!(
            "{}: {}\n\n  fn {}{}{}{result}\n",
            m.name, m.doc, m.name, m.generics, m.params
        ));
    }
    if let Some(f) = library::by_name(name) {
        return say(&format!(
            "{}: {}\n\n  AscendC          several calls; `jumar emit --level queue` prints them\n  Atlas A2/A3      {}\n  Atlas inference  {}\n\n  {}\n",
            f.name,
            f.doc,
            elements(f, Arch::V220),
            elements(f, Arch::M200),
            f.example.trim().replace('\n', "\n  "),
        ));
    }
    Err(Failure::call(
        format!("there is no op `{name}`"),
        instead_of(name).unwrap_or_else(|| "`jumar ops` lists all of them".to_owned()),
    ))
}

/// Returns the methods of tiles that are no op of their own.
fn methods() -> impl Iterator<Item = &'static Item> {
    TileMethod::ITEMS
        .iter()
        .filter(|m| Op::by_name(m.name).is_none())
}

/// Lists the element types that a function takes on a chip.
fn elements(f: &Function, arch: Arch) -> String {
    let members = dtype_set(f.set).map_or(&[][..], |set| set.members);
    let bf16 = Chip::all().iter().any(|c| c.arch == arch && c.has_bf16);
    names(
        members
            .iter()
            .copied()
            .filter(|t| bf16 || *t != DType::Bf16),
    )
}

fn op(def: &OpDef) -> Outcome {
    let precision = match (def.exact.is_some(), def.ulp) {
        (true, _) => "an approximation in hardware".to_owned(),
        (false, 0) => "exact, or rounded once".to_owned(),
        (false, 1) => "within 1 unit in the last place".to_owned(),
        (false, n) => format!("within {n} units in the last place"),
    };
    say(&format!(
        "{}: {}\n\n  AscendC          {}\n  Atlas A2/A3      {}\n  Atlas inference  {}\n  precision        {precision}\n\n  {}\n",
        def.name,
        def.doc,
        def.ascendc,
        dtypes(def, Arch::V220),
        dtypes(def, Arch::M200),
        def.example.trim().replace('\n', "\n  "),
    ))
}

fn dtypes(def: &OpDef, arch: Arch) -> String {
    names(def.dtypes(arch).iter().copied())
}

fn names(types: impl Iterator<Item = DType>) -> String {
    let names: Vec<&str> = types.map(DType::name).collect();
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(" ")
    }
}

/// Formats columns as wide as their longest cell, with two spaces between them.
fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = std::iter::once(head.iter().map(|h| (*h).to_owned()).collect())
        .chain(rows)
        .collect();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|r| r.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: String = row
            .iter()
            .zip(&widths)
            .map(|(cell, w)| format!("{cell:w$}  "))
            .collect();
        format!("{}\n", cells.trim_end())
    };
    rows.iter().map(line).collect()
}
