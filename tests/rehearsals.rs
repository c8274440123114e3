//! The cost of changes. A scratch op, family, pass, code, chip, memory, pipe and project kind are
//! added to a copy of the workspace, each by its row of `book/src/internals/recipes.md`, "What a
//! change touches".
//!
//! rustc then names further files, those of the first crate that has some; tests
//! name others, such as a line of the op card.
//!
//! Cargo compiles the copy, which takes minutes. The night does it, and `JUMAR_REHEARSALS=1 cargo
//! test --test suite rehearsals`.

use jumar_kit::files::{read, workspace};
use jumar_kit::tier::cases;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A change as its author would begin it.
struct Rehearsal {
    /// Name of the change on the page.
    what: &'static str,
    /// Files, each with a text that occurs in it once, and the text that is inserted before it.
    rows: &'static [[&'static str; 3]],
    /// A new file with its text.
    file: Option<[&'static str; 2]>,
    /// Files in which rustc finds something missing.
    missing: &'static [&'static str],
}

const REHEARSALS: &[Rehearsal] = &[
    Rehearsal {
        what: "an element-wise op",
        rows: &[
            [
                "dsl/src/ops/unary.rs",
                "    /// Square root; nan for negative inputs.\n",
                "    /// Half of it.\n    halved => Halved(\"Halved\") { dtypes: FLOAT, cost: Transcendental, ulp: 0, pole: false, exact: None, \
                 f32: |a| a * 0.5,\n        real: |a| a * 0.5, example: \"let z = x.halved();\" }\n",
            ],
            ["runtime/ascendc/include/ascendc/vec_unary.h", "    ROW(Rsqrt,", "    ROW(Halved, HALVED, IsFloat, x * 0.5f) \\\n"],
        ],
        file: None,
        missing: &[],
    },
    Rehearsal {
        what: "a pass",
        rows: &[
            ["dsl/src/lower/tile/mod.rs", "pub mod share_common;", "pub mod scratch;\n"],
            ["dsl/src/lower/pipeline.rs", "use super::type_queries::Binding;", "use super::tile::scratch;\n"],
            [
                "dsl/src/lower/pipeline.rs",
                "    pass(\"peephole\",",
                "    pass(\"scratch\", \"counts statements\", Stage::Kernel, |_, s| Ok(scratch::run(&mut s.body))),\n",
            ],
        ],
        file: Some([
            "dsl/src/lower/tile/scratch.rs",
            "//! A pass.\n\nuse crate::ir::tile::Body;\n\n/// Changes nothing.\npub fn run(body: &mut Body) -> bool {\n    \
             body.stmts.is_empty()\n}\n",
        ]),
        missing: &[],
    },
    Rehearsal {
        what: "a chip of a known architecture",
        rows: &[
            ["dsl/src/soc/mod.rs", "            ascend310p::ASCEND310P,\n", "            ascend310p::SCRATCH,\n"],
            [
                "dsl/src/soc/ascend310p.rs",
                "pub(super) const ASCEND310P",
                "pub(super) const SCRATCH: Chip = Chip { name: \"scratch\", ..ASCEND310P };\n",
            ],
        ],
        file: None,
        missing: &[],
    },
    Rehearsal {
        what: "a memory",
        rows: &[["dsl/src/soc/space.rs", "    /// Bias table of a cube core,", "    /// Scales.\n    Fb = \"FB\", |_| None;\n"]],
        file: None,
        missing: &[],
    },
    Rehearsal {
        what: "a pipe",
        rows: &[[
            "dsl/src/ops/contract.rs",
            "    /// Copies from UB to GM.\n    Mte3 = ",
            "    /// Copies from L1.\n    Mte1 = \"MTE1\" { in_order: false, copies_gm: false },\n",
        ]],
        file: None,
        missing: &[
            "dsl/src/check/by_hand/cached.rs",
            "dsl/src/check/lowered/queues.rs",
            "dsl/src/check/order/mod.rs",
            "dsl/src/cost/walk.rs",
            "dsl/src/lower/sync/mod.rs",
        ],
    },
    Rehearsal {
        what: "an op family",
        rows: &[
            ["dsl/src/ops/mod.rs", "pub mod unary;\n", "pub mod scratch;\n"],
            ["dsl/src/ops/mod.rs", "pub use unary::UnaryOp;\n", "pub use scratch::ScratchOp;\n"],
            ["dsl/src/ops/mod.rs", "    Compound(CompoundOp),\n", "    Scratch(ScratchOp),\n"],
            ["dsl/src/surface/mod.rs", "    pub use crate::ops::unary::calls::*;\n", "    pub use crate::ops::scratch::calls::*;\n"],
        ],
        file: Some([
            "dsl/src/ops/scratch.rs",
            "//! A family.\n\nuse super::{contract, family, Cost, Eval};\nuse crate::surface::{Element, LocalTensor};\n\n\
             family!(Scratch ScratchOp {\n    /// Moves elements.\n    moved => Moved(\"Moved\") { v220: super::FLOAT, m200: super::FLOAT, \
             cost: Cost::Simple } [contract::BITS_UNARY] [Eval::Move] \"vec::moved(&z, &x, n);\"\n});\n\n\
             pub mod calls {\n    use super::*;\n    /// Moves elements.\n    pub fn moved<T: Element>(dst: &LocalTensor<T>, \
             src: &LocalTensor<T>, count: usize) {\n        let _ = (dst, src, count);\n    }\n}\n",
        ]),
        missing: &[
            "dsl/src/check/source/positions.rs",
            "dsl/src/check/source/types.rs",
            "dsl/src/ops/mod.rs",
        ],
    },
    Rehearsal {
        what: "a code",
        rows: &[["dsl/src/diag/codes.rs", "    J0501 \"NoDType\"", "    J0499 \"Scratch\" Error \"a scratch\"\n"]],
        file: Some(["dsl/src/diag/explain/J0499.md", "# J0499: a scratch\n"]),
        missing: &["llm/src/eval/class.rs"],
    },
    Rehearsal {
        what: "a project kind",
        rows: &[["codegen/src/lib.rs", "    /// A PyTorch extension: the kernel", "    /// A scratch.\n    Scratch,\n"]],
        file: None,
        missing: &[
            "codegen/src/device/entry.rs",
            "codegen/src/lib.rs",
            "codegen/src/project/mod.rs",
            "codegen/src/release.rs",
        ],
    },
];

/// Copies a folder without its build results.
fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let (path, name) = entry
            .map(|entry| (entry.path(), entry.file_name()))
            .expect("an entry");
        match path.is_dir() {
            true if name != "target" && name != ".git" => copied(&path, &to.join(name)),
            true => {}
            false => _ = fs::copy(&path, to.join(name)).expect("a copy"),
        }
    }
}

fn change(root: &Path, rehearsal: &Rehearsal) {
    for [file, before, row] in rehearsal.rows {
        let path = root.join(file);
        let text = read(&path);
        fs::write(&path, text.replace(before, &format!("{row}{before}"))).expect("a change");
    }
    if let Some([file, text]) = rehearsal.file {
        fs::write(root.join(file), text).expect("a new file");
    }
}

/// Returns the files in which rustc finds errors.
fn checked(root: &Path) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "check",
        "--message-format",
        "short",
        "-p",
        "jumar-dsl",
        "-p",
        "jumar-codegen",
        "-p",
        "jumar-runtime",
        "-p",
        "jumar-llm",
    ]);
    let target = workspace().join("target/rehearsals");
    let out = cargo
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let errors = said.lines().filter(|line| line.contains(": error"));
    let files: BTreeSet<String> = errors
        .filter_map(|line| line.split(':').next())
        .map(str::to_owned)
        .collect();
    assert!(out.status.success() == files.is_empty(), "{said}");
    files
}

#[test]
fn a_change_touches_what_the_page_says() {
    let page = read(&workspace().join("book/src/internals/recipes.md"));
    for Rehearsal {
        what,
        rows,
        file,
        missing,
    } in REHEARSALS
    {
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("| {what} |")));
        let line =
            line.unwrap_or_else(|| panic!("book/src/internals/recipes.md says nothing of {what}"));
        let touched = rows
            .iter()
            .map(|[file, ..]| *file)
            .chain(file.iter().map(|[file, _]| *file))
            .chain(missing.iter().copied());
        for file in touched {
            assert!(
                line.contains(&format!("`{file}`")),
                "{what}: the page does not name {file}"
            );
        }
        for [file, before, _] in *rows {
            let found = read(&workspace().join(file)).matches(before).count();
            assert_eq!(found, 1, "{what}: `{before}` stands once in {file}");
        }
    }
    if cases("JUMAR_REHEARSALS", 0, 1) == 0 {
        return;
    }
    for rehearsal in REHEARSALS {
        let place = tempfile::tempdir().expect("a folder");
        copied(&workspace(), place.path());
        change(place.path(), rehearsal);
        let missing: BTreeSet<String> = rehearsal
            .missing
            .iter()
            .map(|file| file.to_string())
            .collect();
        assert_eq!(checked(place.path()), missing, "{}", rehearsal.what);
    }
}
