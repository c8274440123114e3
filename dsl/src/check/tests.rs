//! Small kernels of the queue level: wrong ones beside correct ones that differ in one point.
//!
//! `//^ J0405` at the end of a line marks an expected finding, and no other may occur. A kernel
//! without a mark is clean.

mod bounds;
mod events;
mod frames;
mod launch;
mod memory;
mod pairs;
mod proofs;
mod queues;
mod strides;
mod turns;
mod uniform;
mod waits;
mod words;
mod workspace;

use super::*;
use crate::diag::byte_range;
use crate::front::parse_briefly as parse_file;
use crate::ir::SourceSpan;
use frames::{with_queues, with_tensors, with_tensors_aligned};

/// Returns the findings of all kernels of a text on a chip, as line and code, and their messages. A
/// kernel that the front end refuses is not checked. A clean one is launched with the arguments of
/// each line `//@ `.
fn findings(text: &str, chip: &'static Chip) -> (Vec<(u32, String)>, String) {
    let mut found = Findings::default();
    match parse_file(text) {
        Err((d, spans)) => found.add(text, &spans, &[d]),
        Ok(parsed) => {
            for p in parsed {
                found.add(text, &p.spans, &p.diagnostics);
                let Some(kernel) = p.kernel else { continue };
                match check(&kernel, chip) {
                    Ok(checked) => {
                        found.add(text, &kernel.spans, checked.warnings());
                        launch::launches(text, &kernel.sig)
                            .into_iter()
                            .for_each(|(line, e)| found.say(line, e.code, &e.message));
                    }
                    Err(wrong) => found.add(text, &kernel.spans, &wrong),
                }
            }
        }
    }
    (found.at, found.said.join("\n"))
}

#[derive(Default)]
struct Findings {
    at: Vec<(u32, String)>,
    said: Vec<String>,
}

impl Findings {
    fn add(&mut self, text: &str, spans: &[SourceSpan], found: &[Diagnostic]) {
        for d in found {
            let at = spans[d.span().index()];
            assert!(
                !byte_range(text, at).is_empty(),
                "{}: {} has no place\n{text}",
                d.code,
                d.message
            );
            // The count includes the failing alloc, which the message need not.
            for (name, n) in d
                .numbers
                .iter()
                .filter(|(name, _)| (d.code, *name) != (Code::J0408, "found"))
            {
                let said = [&d.message]
                    .into_iter()
                    .chain(&d.help)
                    .any(|text| text.contains(&n.to_string()));
                assert!(
                    said,
                    "`{name}` is {n} for programs, but not in `{}`\n{text}",
                    d.message
                );
            }
            self.say(
                at.line,
                d.code,
                &format!("{} {:?} {:?}", d.message, d.notes, d.help),
            );
        }
    }

    fn say(&mut self, line: u32, code: Code, text: &str) {
        self.at.push((line, code.to_string()));
        self.said.push(format!("{line}: {text}"));
    }
}

/// Checks every kernel of a table against its marks.
fn judge(table: &[&str], whole: impl Fn(&str) -> String, chip: &str) {
    let chip = Chip::by_name(chip).expect("a chip");
    let mut failed = String::new();
    for case in table {
        failed += &misjudged(&whole(case), chip);
    }
    assert!(failed.is_empty(), "{failed}");
}

/// Returns line and code of each finding that a text announces.
fn marks(text: &str) -> Vec<(u32, String)> {
    let marks = text
        .lines()
        .zip(1..)
        .filter_map(|(l, n)| l.split_once("//^ ").map(|(_, codes)| (n, codes)));
    marks
        .flat_map(|(n, codes)| codes.split(' ').map(move |c| (n, c.to_string())))
        .collect()
}

/// Describes the difference between the findings of a text and its marks; empty if there is none.
fn misjudged(text: &str, chip: &'static Chip) -> String {
    let (mut want, (mut got, said)) = (marks(text), findings(text, chip));
    want.sort();
    got.sort();
    if got == want {
        return String::new();
    }
    format!(
        "{text}\nwanted {want:?}\n   got {got:?} on {}\n{said}\n\n",
        chip.name
    )
}

mod lowered;

#[test]
fn definitions_that_double_each_time_are_not_written_out() {
    let lets: String = (1..64)
        .map(|i| format!("let a{i} = a{} + a{0};\n", i - 1))
        .collect();
    let text = format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {{\nlet a0 = n;\n\
         {lets}if a63 > 1 {{\nfor t in tiles(n) {{ y.at(t).store(x.at(t).load()); }}\n}}\n}}"
    );
    let (found, _) = findings(&text, Chip::default_chip());
    assert_eq!(found, [(67, "J0210".to_string())]);
}
