//! `jumar fix`: applies the fixes that a program may apply.

use super::outputs::Files;
use super::{complain, npy, say, source, Failure, Outcome};
use jumar::load::{fixed, Fixed};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Examples:
  jumar fix swish.rs              apply what can be applied, write the file
  jumar fix swish.rs --dry-run    say what would be applied, write nothing
  jumar fix swish.rs --diff       print the change as a patch, write nothing

Only fixes that `jumar check --json` calls machine-applicable are applied, again and again until none is left, and only where that leaves fewer
mistakes and no new one. Exit code 0: no error is left, 1: the kernel is still wrong, 2: the file cannot be read or written.";

#[derive(clap::Args)]
pub struct Call {
    /// Rust file with the kernels
    file: PathBuf,
    /// The chip to check for; by default the one that each kernel declares, or ascend910b1
    #[arg(long, value_name = "NAME")]
    chip: Option<String>,
    /// Say what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the change as a patch and write nothing
    #[arg(long, conflicts_with = "dry_run")]
    diff: bool,
}

pub fn main(call: &Call) -> Outcome {
    let chip = call.chip.as_deref().map(source::chip).transpose()?;
    let path = call.file.display().to_string();
    let text = source::read(&call.file)?;
    let fixed = fixed(&path, &text, chip);
    if call.diff {
        say(&patch(&path, &text, &fixed.text))?;
    } else {
        if fixed.text != text && !call.dry_run {
            write(&call.file, &fixed.text)?;
        }
        say(&done(&path, &fixed, call.dry_run))?;
    }
    if fixed.left.has_errors() {
        return Err(source::rejected(&fixed.left));
    }
    complain(&fixed.left.render(source::color()));
    Ok(())
}

/// Lists the fixes, and their number.
fn done(path: &str, fixed: &Fixed, dry: bool) -> String {
    let mut out = String::new();
    for applied in &fixed.applied {
        let _ = writeln!(
            out,
            "{path}:{}: fixed {}: {}",
            applied.line, applied.code, applied.message
        );
    }
    let count = source::counted(fixed.applied.len(), "finding");
    let _ = match (fixed.applied.is_empty(), dry) {
        (true, _) => writeln!(out, "{path}: nothing to apply"),
        (false, true) => writeln!(out, "{path}: {count} would be fixed; nothing was written"),
        (false, false) => writeln!(out, "{path}: {count} fixed"),
    };
    out
}

/// Replaces the file by the text, completely or not at all.
fn write(file: &Path, text: &str) -> Outcome {
    let cannot = |e: std::io::Error| {
        Failure::call(
            format!("`{}` cannot be written: {}", file.display(), npy::said(&e)),
            "the file is as it was; `--diff` prints the change instead",
        )
    };
    let permissions = std::fs::metadata(file).map_err(cannot)?.permissions();
    let pending = Files::default().writes("the fixed text", file)?;
    std::fs::write(pending.path(), text).map_err(cannot)?;
    std::fs::set_permissions(pending.path(), permissions).map_err(cannot)?;
    pending.finish().map_err(cannot)
}

/// Lines of context of a patch.
const CONTEXT: usize = 3;

/// The status of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Kept(&'a str),
    Gone(&'a str),
    New(&'a str),
}

/// Writes the change as a unified diff, or an empty text without a change.
fn patch(path: &str, old: &str, new: &str) -> String {
    let lines = compared(&split(old), &split(new));
    let changed: Vec<usize> = (0..lines.len())
        .filter(|i| !matches!(lines[*i], Line::Kept(_)))
        .collect();
    let mut out = String::new();
    let mut from = 0;
    while from < changed.len() {
        let near = |i: usize| changed[i] - changed[i - 1] <= 2 * CONTEXT;
        let to = (from + 1..changed.len())
            .find(|i| !near(*i))
            .unwrap_or(changed.len());
        let hunk =
            changed[from].saturating_sub(CONTEXT)..(changed[to - 1] + CONTEXT + 1).min(lines.len());
        if from == 0 {
            let _ = write!(out, "--- {path}\n+++ {path}\n");
        }
        out.push_str(&written(&lines, hunk));
        from = to;
    }
    out
}

/// Writes one hunk with its head.
fn written(lines: &[Line<'_>], hunk: std::ops::Range<usize>) -> String {
    let (before, within) = (&lines[..hunk.start], &lines[hunk]);
    let side = |is: fn(&Line<'_>) -> bool| {
        let count = within.iter().filter(|line| is(line)).count();
        let first = before.iter().filter(|line| is(line)).count() + usize::from(count > 0);
        format!("{first},{count}")
    };
    let (old, new) = (
        side(|line| !matches!(line, Line::New(_))),
        side(|line| !matches!(line, Line::Gone(_))),
    );
    let mut out = format!("@@ -{old} +{new} @@\n");
    for line in within {
        let (mark, text) = match line {
            Line::Kept(text) => (' ', text),
            Line::Gone(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        let _ = write!(out, "{mark}{text}");
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
    out
}

fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Compares both texts line by line: the common beginning and end, and the longest common
/// subsequence between them.
fn compared<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..]
        .iter()
        .rev()
        .zip(new[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut out: Vec<Line<'a>> = old[..head].iter().map(|line| Line::Kept(line)).collect();
    out.extend(between(a, b));
    out.extend(old[old.len() - tail..].iter().map(|line| Line::Kept(line)));
    out
}

/// The limit of cells in the table of subsequences. Beyond it, all lines are removed and added.
const MAX_CELLS: usize = 1 << 22;

fn between<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > MAX_CELLS {
        return old
            .iter()
            .map(|line| Line::Gone(line))
            .chain(new.iter().map(|line| Line::New(line)))
            .collect();
    }
    // The length of the longest common subsequence from (i, j) on.
    let mut longest = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let (down, right) = (longest[(i + 1) * width + j], longest[i * width + j + 1]);
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                down.max(right)
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push(Line::Kept(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])
        {
            out.push(Line::Gone(old[i]));
            i += 1;
        } else {
            out.push(Line::New(new[j]));
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_has_its_hunks_with_context() {
        let old: String = (1..=20).map(|i| format!("{i}\n")).collect();
        let new = old
            .replace("\n3\n", "\nthree\n")
            .replace("\n17\n", "\n17\nmore\n");
        let want = "--- k.rs\n+++ k.rs\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n@@ -15,6 +15,7 @@\n 15\n 16\n 17\n+more\n 18\n 19\n 20\n";
        assert_eq!(patch("k.rs", &old, &new), want);
        assert_eq!(patch("k.rs", &old, &old), "");
    }

    #[test]
    fn a_text_without_a_last_line_break_says_so() {
        let want = "--- k.rs\n+++ k.rs\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
        assert_eq!(patch("k.rs", "a", "b"), want);
    }
}
