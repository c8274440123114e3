//! Broken kernels with their findings, line by line of `jumar check --json`, and the law of fixes:
//! an applied fix removes its finding and adds none.
//!
//! A file `broken/CODE_NAME.rs` is a test as soon as it exists. The lines stand beside it in a file
//! of that name; `UPDATE_DOCS=1 cargo test --test suite broken` writes them, and the schema that
//! every line keeps. A first line `//! chip: NAME` names the chip of the check.
//!
//! The law also holds for the wrong kernels of all other suites.

mod helped;
pub mod law;
mod remedies;

use crate::pages::{hold, pages, repository};
use helped::{helped, kind, row_of, twice, words, wrong};
use jumar::load::{check_text, fixed};
use jumar_dsl::diag::{schema as json_schema, Applicability, Code};
use jumar_dsl::soc::Chip;
use jumar_kit::{files, schema};
use law::{counted, findings, tried, Tried};
use remedies::{leads_on, remedy, Remedy};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A wrong kernel with its chip.
pub struct Broken {
    pub name: String,
    pub text: String,
    pub chip: Option<&'static Chip>,
}

/// Reads the kernels of a folder and of its subfolders.
fn folder(path: &str) -> Vec<Broken> {
    let read = |file: PathBuf| {
        let text = files::read(&file);
        let chip = text
            .strip_prefix("//! chip: ")
            .and_then(|rest| Chip::by_name(rest.lines().next()?));
        Broken {
            name: files::stem(&file),
            text,
            chip,
        }
    };
    files::below(&repository(path), &["rs"])
        .into_iter()
        .map(read)
        .collect()
}

/// Reads the kernels of `broken/`, without the modules of this suite.
pub fn broken() -> Vec<Broken> {
    folder("tests/broken")
        .into_iter()
        .filter(|b| b.name.starts_with('J'))
        .collect()
}

#[test]
fn every_broken_kernel_says_what_its_lines_say() {
    let all = broken();
    assert!(all.len() >= 150, "{} broken kernels", all.len());
    let mut failed = Vec::new();
    let mut codes = BTreeSet::new();
    for Broken { name, text, chip } in &all {
        let file = check_text(&format!("{name}.rs"), text, *chip);
        let own = name
            .split('_')
            .next()
            .and_then(Code::by_name)
            .unwrap_or_else(|| panic!("{name} begins with its code"));
        let found: BTreeSet<Code> = findings(&file).iter().map(|f| f.diagnostic.code).collect();
        if !found.contains(&own) {
            failed.push(format!("{name} gives {found:?}"));
        }
        codes.extend(found);
        failed.extend(hold(&format!("tests/broken/{name}.json"), &file.json(), "broken").err());
    }
    // Only a launch or a run gives the codes J08xx, J0603, J0605 and J0606; no text does.
    let of_texts = |code: &Code| {
        !code.as_str().starts_with("J08") && ![Code::J0603, Code::J0605, Code::J0606].contains(code)
    };
    let missing: Vec<_> = Code::ALL
        .iter()
        .filter(|code| of_texts(code) && !codes.contains(code))
        .collect();
    assert!(missing.is_empty(), "no broken kernel has {missing:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for lines in files::below(&repository("tests/broken"), &["json"]) {
        assert!(
            all.iter().any(|broken| broken.name == files::stem(&lines)),
            "{} belongs to no kernel",
            lines.display()
        );
    }
}

#[test]
fn every_line_keeps_the_schema() {
    hold(
        "book/src/reference/diagnostics.schema.json",
        &json_schema(),
        "broken",
    )
    .unwrap();
    let schema = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    let right = "use jumar::prelude::*;\n#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load()); } }";
    let clean = Broken {
        name: "right".into(),
        text: right.into(),
        chip: None,
    };
    for Broken { name, text, chip } in broken().into_iter().chain([clean]) {
        for line in check_text(&format!("{name}.rs"), &text, chip)
            .json()
            .lines()
        {
            let value =
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}: {e}\n{line}"));
            schema::check(&schema, &value).unwrap_or_else(|why| panic!("{name}: {why}\n{line}"));
        }
    }
}

#[test]
fn the_schema_refuses_what_is_no_line() {
    let schema = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    let text = broken()
        .into_iter()
        .find(|b| b.name == "J0202_half_kept_in_single")
        .expect("a kernel")
        .text;
    let line = check_text("k.rs", &text, None)
        .json()
        .lines()
        .next()
        .expect("a line")
        .to_owned();
    for (old, new) in [
        ("\"J0202\"", "\"J9999\""),
        ("\"severity\":\"error\"", "\"severity\":\"bad\""),
        ("\"byte\":", "\"bytes\":"),
        ("\"line\":", "\"line\":-"),
        ("\"machine-applicable\"", "\"surely\""),
        ("\"notes\":[]", "\"notes\":null"),
        (",\"doc\":", ",\"docs\":"),
    ] {
        let wrong = line.replacen(old, new, 1);
        assert_ne!(wrong, line, "{old} is not in {line}");
        let value = serde_json::from_str(&wrong).unwrap_or_else(|e| panic!("{e}: {wrong}"));
        assert!(schema::check(&schema, &value).is_err(), "{wrong}");
    }
}

#[test]
fn every_code_has_its_entry_in_the_pages() {
    let page =
        std::fs::read_to_string(repository("book/src/reference/errors.md")).expect("the page");
    for code in Code::ALL {
        let (file, anchor) = code
            .doc()
            .split_once('#')
            .map(|(f, a)| (f.to_owned(), a.to_owned()))
            .expect("a page and an entry");
        assert_eq!(file, "book/src/reference/errors.md");
        assert!(
            page.contains(&format!("<a id=\"{anchor}\"></a>")),
            "book/src/reference/errors.md has no {anchor}"
        );
    }
}

/// Holds the fixes of one text to the law. Returns the codes that have a fix.
fn hold_to_the_law(suite: &str, broken: &Broken, failed: &mut Vec<String>) -> BTreeSet<Code> {
    let Broken { name, text, chip } = broken;
    let before = check_text(name, text, *chip);
    let mut fixed = BTreeSet::new();
    for Tried {
        finding,
        fix,
        wrong,
    } in tried(name, &before, text, *chip, false)
    {
        fixed.insert(finding.code);
        let listed = fix.applicability == Applicability::MaybeIncorrect
            && leads_on(name, finding.code).is_some();
        failed.extend(
            wrong
                .filter(|_| !listed)
                .map(|why| format!("{suite}/{name}: {why}")),
        );
    }
    fixed
}

#[test]
fn a_fix_removes_its_finding_and_adds_none() {
    let mut failed = Vec::new();
    let mut with_fix = BTreeSet::new();
    for kernel in broken() {
        with_fix.extend(hold_to_the_law("broken", &kernel, &mut failed));
    }
    for suite in ["tests/bugs", "tests/ui/fail"] {
        for kernel in folder(suite).iter().filter(|b| files::has_kernel(&b.text)) {
            hold_to_the_law(suite, kernel, &mut failed);
        }
    }
    for page in pages() {
        let Some(text) = page.wrong else { continue };
        hold_to_the_law(
            "pages",
            &Broken {
                name: page.code.to_string(),
                text,
                chip: Some(page.chip),
            },
            &mut failed,
        );
    }
    // Every code either has a fix in these kernels, or `remedy` says why it has none.
    for &code in Code::ALL {
        match remedy(code) {
            Remedy::Fixed if !with_fix.contains(&code) => {
                failed.push(format!("{code} has no kernel with a fix"))
            }
            Remedy::None(why) if with_fix.contains(&code) => {
                failed.push(format!("{code} has a fix: `{why}` is not true"))
            }
            Remedy::Fixed | Remedy::None(_) => {}
        }
    }
    assert!(
        failed.is_empty(),
        "{} fail\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}

/// All fixes of a text give fewer errors and a fixed point, and most kernels with one mechanical
/// mistake become clean.
#[test]
fn applying_all_fixes_ends_and_never_adds_an_error() {
    let mut mended = 0;
    for Broken { name, text, chip } in broken() {
        let before = check_text(&name, &text, chip);
        let after = fixed(&name, &text, chip);
        assert_eq!(after.text == text, after.applied.is_empty(), "{name}");
        if after.applied.is_empty() {
            continue;
        }
        let had = counted(&before);
        if before.kernels().iter().all(|k| k.read) {
            for (code, n) in counted(&after.left) {
                assert!(
                    n <= had.get(&code).copied().unwrap_or(0),
                    "{name}: {code} is new\n{}",
                    after.text
                );
            }
        }
        let again = fixed(&name, &after.text, chip);
        assert!(
            again.applied.is_empty() && again.text == after.text,
            "{name}: there was more to apply\n{}",
            after.text
        );
        mended += usize::from(!after.left.has_errors());
    }
    assert!(mended >= 50, "{mended} kernels are right after their fixes");
}

/// Returns the kinds of help of a kernel that have words to write and no fix.
fn kinds(broken: &Broken) -> BTreeSet<String> {
    let file = check_text(&broken.name, &broken.text, broken.chip);
    let of = |d: &jumar_dsl::diag::Diagnostic| {
        let said = d.help.iter().filter(|help| words(help).next().is_some());
        said.map(|help| kind(d.code, help)).collect::<Vec<_>>()
    };
    helped(&file)
        .into_iter()
        .flat_map(|f| of(f.diagnostic))
        .collect()
}

/// Each kernel of `broken/` with such helps has a row, and so has each kind that only other suites
/// have.
#[test]
fn a_kernel_with_the_words_of_its_helps_passes() {
    let others = ["tests/bugs", "tests/ui/fail"]
        .into_iter()
        .flat_map(folder)
        .filter(|b| files::has_kernel(&b.text));
    let (own, others) = (broken(), others.collect::<Vec<_>>());
    let mut failed: Vec<String> = twice()
        .into_iter()
        .map(|kernel| format!("{kernel} has two rows"))
        .collect();
    let (mut shown, mut open) = (BTreeSet::new(), Vec::new());
    for kernel in own.iter().chain(&others) {
        let kinds = kinds(kernel);
        match row_of(&kernel.name) {
            Some(row) => {
                failed.extend(wrong(row, kernel));
                shown.extend(kinds);
            }
            None if kernel.name.starts_with('J')
                && own.iter().any(|b| b.name == kernel.name)
                && !kinds.is_empty() =>
            {
                failed.push(format!("{} has no row: {kinds:?}", kernel.name));
            }
            None => open.extend(kinds.into_iter().map(|kind| (kernel.name.clone(), kind))),
        }
    }
    failed.extend(
        open.iter()
            .filter(|(_, kind)| !shown.contains(kind))
            .map(|(name, kind)| format!("{name} has no row, nor another one of {kind}")),
    );
    assert!(
        failed.is_empty(),
        "{} fail\n{}",
        failed.len(),
        failed.join("\n\n")
    );
}
