//! The book and the README: kernels on pages give the stated findings, links lead somewhere,
//! printed pages are fresh, and prose keeps the rules.
//!
//! `UPDATE_DOCS=1 cargo test --test suite book` writes the printed pages. `cli/tests/book.rs` runs
//! the commands on pages.

mod picture;
mod printed;

use crate::pages::{findings, repository, summary};
use jumar_dsl::diag::Severity;
use jumar_dsl::soc::Chip;
use jumar_kit::book::{anchors, links, page, pages, Page};
use jumar_kit::{files, prose};
use std::collections::{BTreeMap, BTreeSet};

/// Most lines of a written page.
const LONGEST: usize = 300;

/// Most lines of the README.
const README: usize = 120;

/// Checked pages outside of the book.
const BESIDE: [&str; 4] = [
    "README.md",
    "CHANGELOG.md",
    "examples/README.md",
    "tests/README.md",
];

fn all() -> Vec<Page> {
    pages().into_iter().chain(BESIDE.map(page)).collect()
}

#[test]
fn kernels_on_pages_are_as_the_checker_says() {
    let mut failed = Vec::new();
    let mut kernels = 0;
    for page in all() {
        for fence in page
            .fences()
            .iter()
            .filter(|fence| files::has_kernel(&fence.body))
        {
            let at = format!("{}:{}", page.name, fence.line);
            let found = findings(&fence.body, Chip::default_chip());
            match (&fence.info[..], fence.said("error")) {
                ("rust", None) => {
                    failed.extend((!found.is_empty()).then(|| format!("{at}: {}", summary(&found))))
                }
                ("rust,wrong", Some(code)) => {
                    let errors = found
                        .iter()
                        .filter(|f| f.diagnostic.code.severity() == Severity::Error);
                    let codes: BTreeSet<&str> =
                        errors.map(|f| f.diagnostic.code.as_str()).collect();
                    failed.extend(
                        (codes != BTreeSet::from([code]))
                            .then(|| format!("{at}: it gives {codes:?}")),
                    );
                }
                ("rust,wrong", None) if page.is_printed() => {}
                ("rust,wrong", None) => failed.push(format!(
                    "{at}: say above it which code it gives: `<!-- error: J0101 -->`"
                )),
                ("rust,right", None) if page.is_printed() => {}
                _ => continue,
            }
            kernels += 1;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(kernels >= 100, "only {kernels} kernels are shown");
}

#[test]
fn every_link_leads_somewhere() {
    let all = all();
    let known: BTreeMap<_, _> = all
        .iter()
        .map(|page| (page.path.clone(), anchors(&page.text)))
        .collect();
    let mut failed = Vec::new();
    for page in &all {
        for (line, target) in links(&page.text) {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            if path.contains("://") {
                continue;
            }
            let folder = page.path.parent().expect("a page in a folder");
            let file = if path.is_empty() {
                page.path.clone()
            } else {
                normal(&folder.join(path))
            };
            let leads = file.exists()
                && (anchor.is_empty()
                    || known
                        .get(&file)
                        .is_some_and(|own| own.iter().any(|name| name == anchor)));
            if !leads {
                failed.push(format!("{}:{line}: `{target}` leads nowhere", page.name));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Returns a path without `.` and `..`.
fn normal(path: &std::path::Path) -> std::path::PathBuf {
    let mut out = std::path::PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => _ = out.pop(),
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[test]
fn the_contents_have_every_page_once() {
    let contents = page("book/src/SUMMARY.md");
    let listed: Vec<String> = links(&contents.text)
        .into_iter()
        .map(|(_, target)| format!("book/src/{target}"))
        .collect();
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    let pages = pages();
    let there: BTreeSet<&String> = pages.iter().map(|page| &page.name).collect();
    assert_eq!(there, unique, "left: the pages, right: SUMMARY.md");
    // mdBook makes `index.html` of a README, and leaves the links to it as they are.
    let settings = files::read(&repository("book/book.toml"));
    for folder in there
        .iter()
        .filter_map(|name| name.strip_prefix("book/src")?.strip_suffix("README.md"))
        .filter(|folder| *folder != "/")
    {
        let redirect = format!("\"{folder}README.html\" = \"index.html\"");
        assert!(
            settings.contains(&redirect),
            "book/book.toml lacks {redirect}"
        );
    }
}

#[test]
fn pages_are_short() {
    let lines = |page: &Page| page.text.lines().count();
    let long = pages()
        .into_iter()
        .filter(|page| !page.is_printed() && lines(page) > LONGEST);
    let mut failed: Vec<String> = long
        .map(|page| {
            format!(
                "{}: {} lines, {LONGEST} are allowed",
                page.name,
                lines(&page)
            )
        })
        .collect();
    let readme = lines(&page("README.md"));
    failed.extend(
        (readme > README).then(|| format!("README.md: {readme} lines, {README} are allowed")),
    );
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_prose_of_pages_keeps_the_rules() {
    let found = all().into_iter().flat_map(|page| {
        let wrong = prose::wrong(&page.text);
        wrong
            .into_iter()
            .map(move |why| format!("{}: {why}", page.name))
    });
    let failed: Vec<String> = found.collect();
    assert!(
        failed.is_empty(),
        "{} places (rules: tests/kit/src/prose.rs)\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// `tests/README.md` names every switch that a test reads.
#[test]
fn the_map_of_the_tests_has_every_switch() {
    let map = files::read(&repository("tests/README.md"));
    let mut switches = BTreeSet::new();
    for folder in [
        "tests",
        "dsl",
        "codegen",
        "runtime",
        "llm/tests",
        "llm/src",
        "cli/tests",
        "macros/src",
    ] {
        for text in files::below(&repository(folder), &["rs"])
            .iter()
            .map(|path| files::read(path))
        {
            let quoted = text
                .split("\"JUMAR_")
                .skip(1)
                .filter_map(|rest| Some(rest.split_once('"')?.0));
            let names =
                quoted.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            switches.extend(names.map(|name| format!("JUMAR_{name}")));
        }
    }
    let missing: Vec<_> = switches
        .iter()
        .filter(|switch| !map.contains(&format!("`{switch}")))
        .collect();
    assert!(
        switches.len() >= 20 && missing.is_empty(),
        "tests/README.md does not say what these do: {missing:?}"
    );
}

#[test]
fn every_example_is_clean() {
    for (path, text) in files::kernels(&repository("examples")) {
        let found = findings(&text, Chip::default_chip());
        assert!(found.is_empty(), "{}:\n{}", path.display(), summary(&found));
    }
}

/// Widest line of a comment; tables and addresses may be wider.
const WIDEST: usize = 100;

/// Folders with code.
const CODE: [&str; 10] = [
    "benches", "cli", "codegen", "dsl", "examples", "llm", "macros", "runtime", "src", "tests",
];

/// Folders whose kernels are inputs of tests.
const INPUTS: [&str; 4] = ["tests/bugs/", "tests/broken/", "tests/ui/", "llm/tasks/"];

#[test]
fn the_prose_of_comments_keeps_the_rules() {
    let mut failed = Vec::new();
    let paths = CODE.map(|folder| files::below(&files::workspace().join(folder), &["rs"]));
    for path in paths.concat() {
        let (name, text) = (files::name(&path), files::read(&path));
        if INPUTS.iter().any(|folder| name.starts_with(folder)) && files::has_kernel(&text) {
            continue;
        }
        let comments = prose::comments(&text);
        let short = comments
            .iter()
            .filter(|comment| (1..prose::SHORTEST).contains(&comment.words()));
        failed.extend(short.map(|comment| {
            format!(
                "{name}:{}: a comment of {} words",
                comment.line,
                comment.words()
            )
        }));
        let all: Vec<&str> = comments
            .iter()
            .map(|comment| comment.text.as_str())
            .collect();
        failed.extend(
            prose::wrong(&all.join("\n\n"))
                .into_iter()
                .map(|why| format!("{name}: {why}")),
        );
        let wide = text.lines().zip(1..).filter(|(line, _): &(&str, usize)| {
            let comment = line.trim_start();
            let is_table = comment.trim_start_matches(['/', '!', ' ']).starts_with('|');
            comment.starts_with("//")
                && line.chars().count() > WIDEST
                && !is_table
                && !line.contains("://")
        });
        failed.extend(
            wide.map(|(_, at)| format!("{name}:{at}: a comment wider than {WIDEST} columns")),
        );
    }
    assert!(
        failed.is_empty(),
        "{} places (rules: tests/kit/src/prose.rs)\n{}",
        failed.len(),
        failed.join("\n")
    );
}
