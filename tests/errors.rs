//! Every code is explained, and every explanation is true: its wrong kernel gives the code, and its
//! right one is clean.
//!
//! The wrong kernels are also the compile-fail cases of `tests/ui/fail`, so macro and run-time path
//! are tested on one text. `UPDATE_DOCS=1 cargo test --test suite errors` writes them from the
//! pages.

use crate::pages::{findings, hold, pages, repository, summary, Page};
use jumar_dsl::diag::{byte_range, to_json, About, Code, Severity};
use jumar_dsl::ops::Op;
use std::collections::BTreeSet;

/// True if the page of a code must show a wrong and a right kernel: for codes of compile-time
/// phases and warnings.
fn needs_both(code: Code) -> bool {
    // No kernel text shows a finding of a run.
    let of_a_run = (Code::J0801..=Code::J0819).contains(&code);
    (Code::J0101..=Code::J0505).contains(&code) || code.severity() == Severity::Warning && !of_a_run
}

#[test]
fn every_page_has_its_title_and_its_kernels() {
    for page in pages() {
        let title = format!("# {} {}", page.code, page.code.name());
        assert_eq!(
            page.text.lines().next(),
            Some(title.as_str()),
            "{}",
            page.code
        );
        assert!(!page.text.contains("To be written"), "{}", page.code);
        if needs_both(page.code) {
            assert!(
                page.wrong.is_some() && page.right.is_some(),
                "{} lacks a wrong or a right kernel",
                page.code
            );
        }
    }
}

#[test]
fn every_wrong_kernel_gives_its_code_with_a_place() {
    let mut failed = Vec::new();
    let mut codes = BTreeSet::new();
    for page in pages() {
        let Some(wrong) = &page.wrong else { continue };
        let found = findings(wrong, page.chip);
        let own = |code: Code| code == page.code || Some(code) == page.also;
        let other = found
            .iter()
            .any(|f| !own(f.diagnostic.code) && f.diagnostic.is_error());
        match found.iter().find(|f| f.diagnostic.code == page.code) {
            Some(f) if !other => {
                codes.insert(page.code);
                let json = to_json(&f.diagnostic, About::default(), wrong, &f.spans);
                let span = f.spans[f.diagnostic.span().index()];
                let place = format!(r#""span":{{"line":{},"column":{},"#, span.line, span.column);
                assert!(
                    json.starts_with(&format!(r#"{{"code":"{}""#, page.code))
                        && json.contains(&place),
                    "{json}"
                );
                assert!(
                    span.line >= 1
                        && span.column >= 1
                        && (span.line as usize) <= wrong.lines().count(),
                    "{json}"
                );
                assert!(!byte_range(wrong, span).is_empty(), "{json}");
                assert!(!f.diagnostic.message.is_empty());
            }
            _ => failed.push(format!("{} gives:\n{}", page.code, summary(&found))),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(
        codes.len() >= 47,
        "only {} codes have a wrong kernel",
        codes.len()
    );
}

#[test]
fn every_right_kernel_is_clean() {
    let mut failed = Vec::new();
    for page in pages() {
        let Some(right) = &page.right else { continue };
        let found = findings(right, page.chip);
        if !found.is_empty() {
            failed.push(format!("{} gives:\n{}", page.code, summary(&found)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

#[test]
fn no_message_shows_what_only_the_compiler_knows() {
    for page in pages() {
        for f in page.wrong.iter().flat_map(|w| findings(w, page.chip)) {
            let d = f.diagnostic;
            let texts = std::iter::once(&d.message)
                .chain(&d.notes)
                .chain(&d.help)
                .chain(d.labels.iter().map(|l| &l.text));
            for text in texts {
                for leak in [
                    "Scalar::",
                    "ParamId",
                    "VarId",
                    "ValueId",
                    "SpanId",
                    "Some(",
                    "jumar_dsl",
                    "LoopId",
                ] {
                    assert!(
                        !text.contains(leak),
                        "{}: `{text}` shows `{leak}`",
                        page.code
                    );
                }
            }
            assert!(
                starts_as_messages_do(&d.message),
                "{}: `{}`",
                page.code,
                d.message
            );
            assert!(
                !d.message.ends_with('.'),
                "{}: `{}` ends with a stop",
                page.code,
                d.message
            );
        }
    }
}

/// True if a message starts in lower case, or with a name of AscendC such as `UB`, `DataCopy`,
/// `Cast`.
fn starts_as_messages_do(message: &str) -> bool {
    let word = message.split(' ').next().unwrap_or_default();
    let is_op = Op::all().any(|def| def.ascendc == word);
    !word.starts_with(char::is_uppercase) || is_op || word.chars().skip(1).any(char::is_uppercase)
}

/// Returns name and program of a page's compile-fail case. `None` for warnings and for text that is
/// not Rust.
fn ui_case(page: &Page) -> Option<(String, String)> {
    let compile_error = page.code.severity() == Severity::Error && page.code != Code::J0100;
    let wrong = page.wrong.as_ref().filter(|_| compile_error)?;
    Some((
        format!("{}_{}.rs", page.code, snake(page.code.name())),
        format!("{wrong}\nfn main() {{}}\n"),
    ))
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        // `NoDType` is `no_dtype`: a capital starts a word where a small letter stands before it.
        if i > 0 && c.is_uppercase() && chars[i - 1].is_lowercase() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[test]
fn ui_cases_are_those_of_the_pages() {
    let mut wanted = BTreeSet::new();
    let mut failed = Vec::new();
    let mut right = String::from("//! The right kernel of every error page, through the macro.\n");
    for page in pages() {
        if let Some((name, text)) = ui_case(&page) {
            failed.extend(hold(&format!("tests/ui/fail/{name}"), &text, "errors").err());
            wanted.insert(name);
        }
        if let Some(kernel) = page.right.as_ref() {
            let module = page.code.as_str().to_lowercase();
            let body: String = kernel
                .lines()
                .map(|l| {
                    if l.is_empty() {
                        "\n".into()
                    } else {
                        format!("    {l}\n")
                    }
                })
                .collect();
            right.push_str(&format!("\n#[rustfmt::skip]\nmod {module} {{\n{body}}}\n"));
        }
    }
    right.push_str("\nfn main() {}\n");
    failed.extend(hold("tests/ui/pass/right.rs", &right, "errors").err());
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for entry in std::fs::read_dir(repository("tests/ui/fail")).expect("the folder of the cases") {
        let name = entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned();
        let case = name.replace(".stderr", ".rs");
        assert!(
            wanted.contains(&case),
            "tests/ui/fail/{name} belongs to no page"
        );
    }
}
