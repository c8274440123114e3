//! Checks that headers of the CPU build declare what the toolkit's headers of equal names declare,
//! and no more. `runtime/ascendc/headers.tsv` is the list of facts.
//!
//! Two tests check the list. One follows the includes. The other asks the compiler which names a
//! header declares; it knows only a name or two of each family.

use jumar_kit::files::below;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Headers of `include/ascendc` that declare nothing for kernels.
const OF_THE_MACHINE: [&str; 7] = [
    "adv_space",
    "defs",
    "element_types",
    "log",
    "machine",
    "mask_registers",
    "platform",
];

/// For each family, API names that no other family declares; `launch` and `tiling` have macros and
/// names of host programs.
const NAMES: &[(&str, &[&str])] = &[
    ("adv_activation", &["Silu", "SwiGLU"]),
    ("adv_math", &["Sin", "Power", "Sigmoid"]),
    ("adv_norm", &["RmsNorm"]),
    ("adv_reduce", &["Sum", "Mean"]),
    ("adv_reduce_pattern", &["ReduceMean", "ReduceProd"]),
    ("adv_select", &["SelectWithBytesMask"]),
    ("adv_softmax", &["SoftMax"]),
    ("adv_softmax_grad", &["SoftmaxGrad", "SoftmaxGradFront"]),
    ("adv_transform", &["InitGlobalMemory", "BroadCast"]),
    ("atomic", &["SetAtomicAdd", "SetAtomicNone"]),
    ("cache", &["DataCacheCleanAndInvalid"]),
    ("data_copy", &["DataCopy", "DataCopyPad"]),
    ("debug", &["DumpTensor"]),
    ("enums", &["TPosition", "HardEvent"]),
    ("list_tensor", &["ListTensorDesc", "TensorDesc"]),
    ("mask", &["SetMaskCount", "SetVectorMask", "ResetMask"]),
    (
        "norm_tiling",
        &["tiling::RmsNormTiling", "tiling::LayerNormSeparateTiling"],
    ),
    ("pipe", &["TPipe", "TBuf"]),
    ("print", &["PRINTF"]),
    ("scalar", &["ScalarCast", "ToFloat"]),
    ("softmax_tiling", &["tiling::SoftMaxTiling"]),
    ("sync", &["SyncAll", "PipeBarrier"]),
    ("system", &["GetBlockIdx", "GetBlockNum"]),
    ("tensor", &["LocalTensor", "GlobalTensor"]),
    ("traits", &["IsSameType"]),
    ("utils", &["AscendCUtils", "DivCeil"]),
    ("vec_binary", &["Add", "Mul"]),
    ("vec_cast", &["CastDeq"]),
    ("vec_compare", &["Compare"]),
    ("vec_compound", &["MulCast", "Axpy"]),
    ("vec_fill", &["Duplicate"]),
    ("vec_gather", &["Gather", "GatherMask"]),
    ("vec_reduce", &["WholeReduceSum", "ReduceSum"]),
    ("vec_scalar", &["Adds"]),
    ("vec_sort", &["Sort32", "Extract"]),
    ("vec_transpose", &["TransDataTo5HD"]),
    ("vec_unary", &["Rsqrt", "Reciprocal"]),
    ("workspace", &["GetUserWorkspace"]),
];

/// Families without a name of their own in `AscendC`.
const NAMELESS: [&str; 3] = ["launch", "tiling", "types"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc")
}

fn include() -> PathBuf {
    folder().join("include")
}

/// The families that a header brings, by the third and the fourth column of a row.
struct Row {
    header: String,
    brings: BTreeSet<String>,
    besides: BTreeSet<String>,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(folder().join("headers.tsv")).expect("the facts");
    let set = |words: &str| {
        words
            .split(' ')
            .filter(|word| *word != "-")
            .map(str::to_string)
            .collect()
    };
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [header, read_in, brings, besides] = columns[..] else {
            panic!("four columns: {line}")
        };
        assert!(
            read_in
                .split(' ')
                .all(|release| ["8.1", "8.5", "9.0", "build", "source"].contains(&release)),
            "{line}"
        );
        Row {
            header: header.to_string(),
            brings: set(brings),
            besides: set(besides),
        }
    };
    lines.map(row).collect()
}

/// Returns the family whose header this is. Folders of `ascendc` have headers with the toolkit's
/// names.
fn family(header: &str) -> Option<&str> {
    let name = header.strip_prefix("ascendc/")?.strip_suffix(".h")?;
    (!name.contains('/')).then_some(name)
}

/// Returns the headers with the toolkit's names, which are no families.
fn headers() -> Vec<String> {
    let all = below(&include(), &["h"]).into_iter();
    let named = all.map(|path| {
        path.strip_prefix(include())
            .expect("below")
            .to_string_lossy()
            .replace('\\', "/")
    });
    named.filter(|name| family(name).is_none()).collect()
}

/// Adds all of our headers that a header includes, directly or not.
fn included(header: &str, found: &mut BTreeSet<String>) {
    let text =
        std::fs::read_to_string(include().join(header)).unwrap_or_else(|e| panic!("{header}: {e}"));
    for line in text.lines() {
        let Some(name) = line
            .trim()
            .strip_prefix("#include \"")
            .and_then(|rest| rest.split('"').next())
        else {
            continue;
        };
        if found.insert(name.to_string()) {
            included(name, found);
        }
    }
}

/// Returns the word for a header in a row.
fn word(header: &str) -> String {
    family(header).unwrap_or(header).to_string()
}

#[test]
fn headers_include_what_the_facts_say() {
    let rows = rows();
    let listed: BTreeSet<&str> = rows.iter().map(|row| row.header.as_str()).collect();
    assert_eq!(
        listed,
        headers().iter().map(String::as_str).collect(),
        "runtime/ascendc/headers.tsv lists the headers"
    );
    for Row {
        header,
        brings,
        besides,
    } in &rows
    {
        let mut found = BTreeSet::new();
        included(header, &mut found);
        let found: BTreeSet<String> = found
            .iter()
            .map(|name| word(name))
            .filter(|name| !OF_THE_MACHINE.contains(&name.as_str()))
            .collect();
        let said: BTreeSet<String> = brings.union(besides).cloned().collect();
        assert_eq!(
            found, said,
            "{header} includes other than runtime/ascendc/headers.tsv says"
        );
    }
}

#[test]
fn every_family_has_a_name() {
    let all = below(&include(), &["h"]).into_iter().map(|path| {
        path.strip_prefix(include())
            .expect("below")
            .to_string_lossy()
            .replace('\\', "/")
    });
    let families: BTreeSet<String> = all
        .filter_map(|name| family(&name).map(str::to_string))
        .collect();
    let named = NAMES
        .iter()
        .map(|(family, _)| *family)
        .chain(NAMELESS)
        .chain(OF_THE_MACHINE)
        .chain(["entry"]);
    assert_eq!(families, named.map(str::to_string).collect::<BTreeSet<_>>());
}

/// Returns the names that a header does not declare, found by the lines of a text that uses each.
fn undeclared(header: &str) -> BTreeSet<&'static str> {
    let mut text = format!("#include \"{header}\"\nnamespace AscendC {{}}\n");
    let names: Vec<&'static str> = NAMES
        .iter()
        .flat_map(|(_, names)| names.iter().copied())
        .collect();
    names.iter().for_each(|name| {
        let _ = writeln!(text, "using AscendC::{name};");
    });
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("names.cpp");
    std::fs::write(&file, text).expect("it is written");
    let mut g = Command::new("g++");
    let out = g
        .args(["-std=c++17", "-fsyntax-only", "-fmax-errors=0", "-I"])
        .arg(include())
        .arg(&file)
        .output();
    let said = String::from_utf8_lossy(&out.expect("g++ runs; install the package g++").stderr)
        .into_owned();
    let errors = said.lines().filter(|line| line.contains(": error: "));
    let lines = errors.map(|line| {
        let rest = line
            .strip_prefix(file.to_str().expect("a path"))
            .unwrap_or_else(|| panic!("{header}: {line}"));
        rest.split(':')
            .nth(1)
            .and_then(|n| n.parse::<usize>().ok())
            .unwrap_or_else(|| panic!("{line}"))
    });
    lines.map(|line| names[line - 3]).collect()
}

#[test]
fn headers_declare_what_the_facts_say() {
    let mut judged: BTreeMap<BTreeSet<String>, String> = BTreeMap::new();
    for Row {
        header,
        brings,
        besides,
    } in rows()
    {
        // One header is enough among those that bring equal families.
        let families: BTreeSet<String> = brings
            .union(&besides)
            .filter(|name| !name.contains('.'))
            .cloned()
            .collect();
        judged.entry(families).or_insert(header);
    }
    assert!(judged.len() >= 10, "{judged:?}");
    for (families, header) in judged {
        let missing = undeclared(&header);
        for (family, names) in NAMES {
            let (said, found) = (
                families.contains(*family),
                names
                    .iter()
                    .filter(|name| !missing.contains(**name))
                    .count(),
            );
            let all = if said { names.len() } else { 0 };
            assert_eq!(
                found,
                all,
                "{header}: {family} is {} by runtime/ascendc/headers.tsv",
                if said { "there" } else { "not there" }
            );
        }
    }
}
