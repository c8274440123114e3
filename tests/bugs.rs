//! The bug suite: small wrong kernels as people and models write them, each with a right twin.
//!
//! A file in `bugs/FAMILY/` is one wrong kernel and, by a few of its lines, its twin
//! (`bugs/case.rs` has the form). The wrong one must give its codes at its lines and nothing else:
//! at check time, at the launch, or in the run. The twin must be clean. Its results must equal
//! those of a few lines of f64 (`bugs/reference.rs`), on the simulator and, at tile level, on the
//! interpreter.
//!
//! A bug that nobody finds stays here and says so (`//! missed:`); so does a twin that is refused
//! (`//! alarm:`). Both are listed in `book/src/reference/bugs.md`. Both fail here once they are
//! cured, so the list stays true.
//!
//! `UPDATE_DOCS=1 cargo test --test suite bugs` writes that page and, for each family, a file of
//! messages.

pub mod case;
pub mod given;
mod page;
mod pairs;
mod reference;
pub mod run;

use crate::pages::hold;
use case::{cases, Case, Mark, Truth};
use given::close;
use jumar::dsl::diag::Code;
use jumar::load::{check_text, KernelFile};
use jumar_kit::{parallel, tier};
use page::FAMILIES;
use reference::Wanted;
use run::{run, Reader, Stop};
use std::collections::BTreeSet;

/// Returns the findings of front end and checker as marks.
fn found(file: &KernelFile) -> BTreeSet<Mark> {
    let marks = file
        .kernels()
        .iter()
        .flat_map(|k| k.diagnostics.iter().map(|d| (d, &k.spans)));
    marks
        .map(|(d, spans)| Mark {
            line: spans.get(d.span().index()).map_or(0, |s| s.line),
            code: d.code,
        })
        .collect()
}

/// Returns the findings of the wrong kernel, who finds them first, and their text. A kernel with
/// warnings alone is run as well.
fn stopped(case: &Case) -> (BTreeSet<Mark>, Option<Reader>, String) {
    let file = check_text(&case.path(), &case.wrong, None);
    let warned = (
        found(&file),
        (!file.is_clean()).then_some(Reader::Check),
        file.render(false),
    );
    let Some(given) = case
        .fails
        .as_ref()
        .or(case.runs.as_ref())
        .filter(|_| !file.has_errors())
    else {
        return warned;
    };
    let (mut marks, by_check, warnings) = warned;
    for &reader in Reader::that_run(&file) {
        if let Err(Stop { code, line, text }) = run(&file, given, reader) {
            marks.insert(Mark {
                line: line.unwrap_or(0),
                code,
            });
            let reader = if line.is_none() { Reader::Host } else { reader };
            return (marks, by_check.or(Some(reader)), warnings + &text);
        }
    }
    (marks, by_check, warnings)
}

#[test]
fn every_bug_is_found_where_its_file_says() {
    let mut failed = Vec::new();
    let mut messages: Vec<(&str, String)> = Vec::new();
    let mut rows = Vec::new();
    for case in cases() {
        let (marks, reader, text) = stopped(&case);
        if marks != case.marks {
            failed.push(format!(
                "{}: finds {marks:?}, marked are {:?}\n{text}",
                case.path(),
                case.marks
            ));
        }
        if case.truth == Truth::Missed && reader.is_some() {
            failed.push(format!(
                "{}: is found now; it is no longer missed\n{text}",
                case.path()
            ));
        }
        messages.push((
            case.family,
            format!("// {}\n{}\n\n", case.name, text.trim_end()),
        ));
        rows.push((case, reader));
    }
    for (family, _) in FAMILIES {
        let all: String = messages
            .iter()
            .filter(|(f, _)| f == family)
            .map(|(_, text)| text.as_str())
            .collect();
        failed.extend(hold(&format!("tests/bugs/{family}/messages.txt"), &all, "bugs").err());
    }
    failed.extend(hold("book/src/reference/bugs.md", &page::page(&rows), "bugs").err());
    assert!(
        failed.is_empty(),
        "{} of {}\n{}",
        failed.len(),
        rows.len(),
        failed.join("\n")
    );
}

/// Codes of the simulator that the emitted text has in another way: promises are assertions there,
/// and an offset between two elements is one that `Gather` does not take.
const SPELLED: [(Code, Code); 3] = [
    (Code::J0801, Code::J0808),
    (Code::J0813, Code::J0808),
    (Code::J0801, Code::J0807),
];

/// A fault of the simulator is one of the emitted text on the C++ machine, too: both
/// follow one chip, and neither knows how the other reads a kernel.
#[test]
fn faults_of_the_simulator_are_faults_of_the_emitted_text() {
    let (mut failed, mut count) = (Vec::new(), 0);
    for case in cases() {
        let file = check_text(&case.path(), &case.wrong, None);
        let given = case.fails.as_ref().or(case.runs.as_ref());
        let Some(given) = given.filter(|_| !file.has_errors()) else {
            continue;
        };
        if Reader::that_run(&file).is_empty() {
            continue;
        }
        let Err(stop) = run(&file, given, Reader::Simulator) else {
            continue;
        };
        if stop.line.is_none() {
            continue;
        }
        count += 1;
        let emitted = run(&file, given, Reader::Emitted(1));
        let code = emitted.as_ref().err().map(|stop| stop.code);
        let same = code == Some(stop.code)
            || SPELLED
                .iter()
                .any(|(ours, theirs)| *ours == stop.code && code == Some(*theirs));
        if !same {
            let text = emitted
                .err()
                .map_or("it runs".to_string(), |stop| stop.text);
            failed.push(format!(
                "{}: the simulator says {}\nthe emitted text: {text}",
                case.path(),
                stop.text
            ));
        }
    }
    assert!(count >= 20, "{count} kernels");
    assert!(
        failed.is_empty(),
        "{} of {count}\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Orders of the pipes in which a twin must end well.
const SEEDS: std::ops::Range<u64> = 0..20;

/// The emitted text of a right twin ends well in every drawn order of the pipes. No search for
/// races finds one. `JUMAR_TWINS` says how many twins run.
#[test]
fn emitted_twins_raise_no_alarm() {
    let twins: Vec<Case> = cases()
        .into_iter()
        .filter(|case| pairs::is_of_ascendc(case.family) && case.truth != Truth::Alarm)
        .collect();
    let drawn = tier::drawn("JUMAR_TWINS", 10, twins, |case| case.right.clone());
    let judged = parallel::each(&drawn, |case| {
        let file = check_text(&case.path(), &case.right, None);
        SEEDS.into_iter().find_map(|seed| {
            let why = agrees(case, &file, Reader::Emitted(seed)).err()?;
            Some(format!("{} with seed {seed}: {why}", case.path()))
        })
    });
    let failed: Vec<String> = judged.into_iter().flatten().collect();
    assert!(
        failed.is_empty(),
        "{} of {}\n{}\nagain: JUMAR_SEED={}",
        failed.len(),
        drawn.len(),
        failed.join("\n"),
        tier::seed()
    );
}

/// Each mistake that AscendC has, too, is made by hand.
#[test]
fn mistakes_of_ascendc_are_made_by_hand() {
    let differences = pairs::differences(&cases());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn every_twin_is_clean_and_computes_what_is_meant() {
    let mut failed = Vec::new();
    for case in cases() {
        let path = case.path();
        let file = check_text(&path, &case.right, None);
        if found(&file) != case.alarms || file.kernels().len() != 1 {
            failed.push(format!(
                "{path}: the twin is not taken, or is no longer refused\n{}",
                file.render(false)
            ));
        }
        if case.truth == Truth::Alarm || file.has_errors() {
            continue;
        }
        assert!(
            case.runs.is_some() && !case.wanted.is_empty(),
            "{path} says neither what its twin is given nor what it gives"
        );
        for &reader in Reader::that_run(&file) {
            if let Err(why) = agrees(&case, &file, reader) {
                failed.push(format!("{path}: on the {reader}: {why}"));
            }
        }
    }
    assert!(
        failed.is_empty(),
        "{} fail\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Fails where the twin's results differ from its file's.
fn agrees(case: &Case, file: &KernelFile, reader: Reader) -> Result<(), String> {
    let given = case.runs.as_deref().unwrap_or_default();
    let outputs = run(file, given, reader).map_err(|stop| stop.text)?;
    for Wanted {
        output,
        function,
        arguments,
    } in &case.wanted
    {
        let (_, have) = outputs
            .iter()
            .find(|(name, _)| name == output)
            .ok_or_else(|| format!("there is no output `{output}`"))?;
        let want = reference::compute(function, arguments, given)?;
        close(have, &want).map_err(|why| format!("`{output}`: {why}"))?;
    }
    match outputs.len() == case.wanted.len() {
        true => Ok(()),
        false => Err(format!(
            "{} outputs, of {} it is said what they are",
            outputs.len(),
            case.wanted.len()
        )),
    }
}

/// Every family of the page has at least five bugs.
#[test]
fn families_are_those_of_the_page() {
    let cases = cases();
    for (family, _) in FAMILIES {
        let of = cases.iter().filter(|c| c.family == *family).count();
        assert!(of >= 5, "{family} has {of} bugs");
    }
}
