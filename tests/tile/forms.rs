//! Counts of calls of device functions in the kernels of a run. Each call must have run, on each
//! architecture.

use super::agree::Case;
use jumar::dsl::ops::Op;
use jumar::dsl::soc::Arch;
use jumar::runtime::{Census, Form};
use std::collections::BTreeMap;

/// Least number of runs of each call.
const LEAST: u64 = 3;

/// Every function that a tile kernel can need, by its name without an op; `*` stands for each
/// reduction.
const FUNCS: &[&str] = &[
    "*_of_rows",
    "*_in_3_steps",
    "*_in_2_steps",
    "*_in_one_step",
    "*_of_blocks",
    "*_of_row_blocks",
    "*_of_short_rows",
    "*_of_whole_rows",
    "sum_of_two_blocks",
    "pad_rows",
    "rows_columns",
    "rows_row",
    "columns_rows",
    "columns_columns",
    "columns_row",
    "row_rows",
    "row_columns",
    "row_row",
];

/// Functions that an architecture lacks.
const LACKING: &[(Arch, &str)] = &[
    // There, WholeReduceMax and WholeReduceMin only give pairs of value and index.
    (Arch::M200, "max_of_short_rows"),
    (Arch::M200, "min_of_short_rows"),
];

/// Calls that no shape reaches, with the reason.
const UNREACHED: &[(&str, usize, &str)] = &[
    // Two results for each of eight rows or more are added as pairs, and fewer rows are reduced at
    // once. Three results for each row need 8193 elements of four bytes, and UB of no chip holds
    // eight such rows.
    ("sum_in_one_step", 6, "sum_of_row_blocks"),
    ("sum_in_one_step", 8, "sum_of_blocks"),
];

/// Counts of calls, by architecture.
#[derive(Default)]
pub struct Forms {
    v220: Census,
    m200: Census,
}

impl Forms {
    /// Returns the counter for the launches of a case.
    pub fn of(&self, case: &Case) -> &Census {
        match case.chip.arch {
            Arch::V220 => &self.v220,
            Arch::M200 => &self.m200,
        }
    }

    fn runs(&self, arch: Arch) -> BTreeMap<Form, u64> {
        let census = if arch == Arch::V220 {
            &self.v220
        } else {
            &self.m200
        };
        let mut runs = BTreeMap::new();
        for (form, n) in census
            .runs()
            .into_iter()
            .filter(|(form, _)| form.what.is_some())
        {
            *runs.entry(without_op(form)).or_default() += n;
        }
        runs
    }

    /// Prints every call with its runs.
    pub fn table(&self) -> String {
        let line = |arch: Arch, form: Form, n| format!("{n:>9}  {}\n", said(arch, &form));
        let of = |arch| {
            self.runs(arch)
                .into_iter()
                .map(move |(form, n)| line(arch, form, n))
        };
        [Arch::V220, Arch::M200].into_iter().flat_map(of).collect()
    }

    /// Returns the calls that a long run needs and this one lacks.
    pub fn missing(&self) -> Vec<String> {
        [Arch::V220, Arch::M200]
            .into_iter()
            .flat_map(|arch| self.missing_on(arch))
            .collect()
    }

    fn missing_on(&self, arch: Arch) -> Vec<String> {
        let runs = self.runs(arch);
        let names = FUNCS
            .iter()
            .flat_map(|name| ["sum", "max", "min"].map(|op| name.replace('*', op)));
        let made = |name: &String| {
            LACKING.contains(&(arch, name.as_str())) || runs.keys().any(|form| form.func == *name)
        };
        let mut missing: Vec<String> = names
            .filter(|name| !made(name))
            .map(|name| format!("{arch:?} {name}"))
            .collect();
        missing.dedup();
        for (form, n) in &runs {
            let is_unreached = UNREACHED.contains(&(form.func.as_str(), form.index, called(form)));
            match (is_unreached, n) {
                (true, 0) | (false, LEAST..) => {}
                (true, _) => missing.push(format!(
                    "{}: {n} times, and it is said that no shape reaches it",
                    said(arch, form)
                )),
                (false, _) => {
                    missing.push(format!("{}: {n} times, at least {LEAST}", said(arch, form)))
                }
            }
        }
        missing
    }
}

fn said(arch: Arch, form: &Form) -> String {
    format!(
        "{arch:?} {} statement {} {}",
        form.func,
        form.index,
        called(form)
    )
}

fn called(form: &Form) -> &str {
    form.what.as_deref().unwrap_or_default()
}

/// Removes the op from a broadcast function, since its text is equal for all ops.
fn without_op(form: Form) -> Form {
    let mut ops = Op::all()
        .filter(|def| matches!(def.op, Op::Binary(_)))
        .map(|def| def.name);
    let sides = ops.find_map(|op| form.func.strip_prefix(op)?.strip_prefix('_'));
    match sides {
        Some(sides) if FUNCS.contains(&sides) => Form {
            func: sides.to_string(),
            what: Some("op".to_string()),
            ..form
        },
        Some(_) | None => form,
    }
}
