//! Random kernels over nests of several axes: tiles of any axes of four, loops over several at once
//! and inside one another, single indices, views, axes that the kernel makes. In some an input
//! passes through a workspace, under scalar control.
//!
//! Indices are computed, too; places outside of a tensor read a number.
//!
//! The other generator knows rows and columns with all their features. This one knows axes, and few
//! statements. A form that the lowering does not offer yet is no mistake: such kernels are counted
//! apart, and so are those for which no tile fits.

mod body;
mod head;
mod numbers;
mod phases;
mod results;
mod tiles;

use super::build::Made;
use super::cover::Cover;
use super::judge::judge;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

pub use body::build;

/// Kernels that no reader ran.
#[derive(Default)]
pub struct Unread {
    not_offered: AtomicUsize,
    too_large: AtomicUsize,
    /// Messages, each with its count and its shortest text.
    said: Mutex<BTreeMap<String, (usize, String)>>,
}

/// Most kernels of a hundred whose form is not offered yet, and most that are too large for UB.
const MOST_NOT_OFFERED: usize = 25;
const MOST_TOO_LARGE: usize = 3;

impl Unread {
    /// Judges a kernel, and counts it if no reader runs it.
    pub fn judge(&self, made: &Made, cpp: Option<u64>) -> Result<(), String> {
        let why = match judge(made, cpp) {
            Ok(()) => return Ok(()),
            Err(why) => why,
        };
        // One buffer may fit where two do not.
        let doubled = made.case.text.contains(".buffer_num(1)")
            && why.contains("ends well\nwithout overrides: J0606");
        // A given size may be too large, or no multiple of the data blocks of an output column. For
        // an inner loop this happens if the outermost loop has no given size, since its smallest
        // tile is 512 bytes.
        let refused = [
            "refused: error[J0304]",
            "refused: error[J0305]",
            "refused without overrides: error[J0304]: `size(",
        ];
        // A text may have warnings before its first error.
        let error = why
            .strip_prefix("refused: ")
            .and_then(|all| Some(format!("refused: {}", &all[all.find("error[")?..])));
        let told = error.as_ref().unwrap_or(&why);
        // A given number of buffers may need more events than there are: each scalar that is read
        // may need a queue.
        let buffers =
            made.case.text.contains(".buffer_num(2)") && told.starts_with("refused: error[J0301]");
        let given = buffers || refused.iter().any(|refused| told.starts_with(refused));
        let list = if why.contains("not offered yet") {
            &self.not_offered
        } else if doubled
            || given
            || why.starts_with("simulator: ") && why.contains("J0606") && !why.contains("ends well")
        {
            &self.too_large
        } else {
            return Err(why);
        };
        list.fetch_add(1, Ordering::Relaxed);
        let first = why.lines().next().unwrap_or_default().to_string();
        let mut said = self.said.lock().expect("the list");
        let (times, shortest) = said.entry(first).or_default();
        *times += 1;
        if *times == 1 || made.case.text.len() < shortest.len() {
            shortest.clone_from(&made.case.text);
        }
        Ok(())
    }

    /// Prints the messages, most frequent first, perhaps with their texts.
    pub fn table(&self, texts: bool) -> String {
        let said = self.said.lock().expect("the list");
        let mut lines: Vec<(usize, &str, &str)> = said
            .iter()
            .map(|(why, (n, text))| (*n, why.as_str(), text.as_str()))
            .collect();
        lines.sort_by(|a, b| b.cmp(a));
        lines
            .iter()
            .map(|(n, why, text)| format!("{n:>7}  {why}\n{}", if texts { text } else { "" }))
            .collect()
    }

    /// Fails where too few of the kernels ran.
    pub fn assert_few(&self, cases: u64) {
        let lists = [
            ("not offered yet", &self.not_offered, MOST_NOT_OFFERED),
            ("too large", &self.too_large, MOST_TOO_LARGE),
        ];
        for (what, list, most) in lists {
            let n = list.load(Ordering::Relaxed);
            println!("{n} of {cases} kernels over nests are {what}");
            // A small sample may have some more.
            assert!(
                n * 100 <= most * cases as usize + 1000,
                "{n} of {cases} are {what}, at most {most} of 100 may be"
            );
        }
    }
}

/// Returns the constructs that many kernels need and these lack.
pub fn missing(cover: &Cover) -> Vec<String> {
    cover.lacks(LISTS)
}

const PLACES: &[&str] = &["first", "middle", "last", "several", "all"];

const LISTS: &[(&str, &[&str])] = &[
    ("nest", &["of 1", "of 2", "of 3", "of 4", "if", "sizes"]),
    ("outer", &["run", "each", "runs", "eachs", "runs and each"]),
    (
        "inner",
        &[
            "run",
            "each",
            "runs",
            "eachs",
            "runs and each",
            "under if",
            "under for",
        ],
    ),
    (
        "index",
        &["run", "each", "whole", "number", "whole of a cut axis"],
    ),
    (
        "computed",
        &[
            "behind",
            "step",
            "back",
            "from the end",
            "single",
            "elsewhere",
        ],
    ),
    (
        "load",
        &["of 0", "of 1", "of 2", "of 3", "of 4", "view", "or"],
    ),
    (
        "store",
        &[
            "of 0",
            "of 1",
            "of 2",
            "of 3",
            "of 4",
            "backwards",
            "inside",
        ],
    ),
    ("tile", &["of 0", "of 1", "of 2", "of 3", "of 4"]),
    ("fill", &["of 0", "of 1", "of 2", "of 3"]),
    ("reduce", PLACES),
    ("repeat", PLACES),
    ("expand", PLACES),
    ("merge", &["sum", "amax"]),
    ("phases", &["workspace", "for", "if"]),
    (
        "stored",
        &[
            "load bool",
            "load i8",
            "load i64",
            "store bool",
            "store i8",
            "store i64",
        ],
    ),
    ("select", &["of f16", "of f32", "of i32"]),
    (
        "reduction",
        &["sum", "amax", "amin", "mean", "prod", "argmax"],
    ),
    ("view", &["joined", "split"]),
    ("pick", &["first", "last", "tile", "moving", "read"]),
    ("order", &["sort", "argsort", "cumsum", "cumprod"]),
    ("ids", &["promised", "computed"]),
    ("range", &["outside", "inside", "of the core"]),
    ("read", &["i32", "f32", "number", "condition"]),
    ("index", &["read"]),
    ("again", &["load", "made"]),
    ("global", &["sum", "amax"]),
    ("merged", &["of 0", "of 1", "of 2"]),
    ("added", &["of 0", "of 1", "of 2"]),
    ("add", &["in GM"]),
    ("turned", &["load"]),
];
