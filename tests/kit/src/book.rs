//! Pages of Markdown as suites read them: fences with the comments above them, links, anchors,
//! prose.
//!
//! | line above a fence | says |
//! |---|---|
//! | `<!-- file: NAME -->` | the name under which later commands of the page find this kernel file |
//! | `<!-- error: CODE -->` | the code that this wrong kernel gives |
//! | `<!-- array: NAME.npy TYPE 4x8 [below N] -->` | an array that later commands read |

use crate::files::{below, has_kernel, name, read, workspace};
use std::path::PathBuf;

/// A fence of a page.
pub struct Fence {
    /// Words behind the opening backticks: `rust,wrong`.
    pub info: String,
    /// The comments above, as key and value.
    pub said: Vec<(String, String)>,
    /// The lines inside.
    pub body: String,
    /// Line of the opening backticks, from 1.
    pub line: usize,
}

impl Fence {
    /// Returns the value of a comment above the fence.
    #[must_use]
    pub fn said(&self, key: &str) -> Option<&str> {
        self.said
            .iter()
            .find(|(own, _)| own == key)
            .map(|(_, value)| value.as_str())
    }
}

/// A page of the repository.
pub struct Page {
    /// Its path below the workspace, with `/`.
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

impl Page {
    fn of(path: PathBuf) -> Page {
        Page {
            name: name(&path),
            text: read(&path),
            path,
        }
    }

    #[must_use]
    pub fn fences(&self) -> Vec<Fence> {
        fences(&self.text)
    }

    /// True for a page that a test prints from tables.
    #[must_use]
    pub fn is_printed(&self) -> bool {
        self.text.contains("\nPrinted from ")
    }
}

/// Reads the pages of the book, without its table of contents.
#[must_use]
pub fn pages() -> Vec<Page> {
    let all = below(&workspace().join("book/src"), &["md"]).into_iter();
    all.filter(|path| !path.ends_with("SUMMARY.md"))
        .map(Page::of)
        .collect()
}

/// Reads a page outside of the book.
#[must_use]
pub fn page(name: &str) -> Page {
    Page::of(workspace().join(name))
}

/// Returns the right kernels of written pages and of the README, by page and number.
#[must_use]
pub fn kernels() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for page in pages()
        .into_iter()
        .chain([page("README.md")])
        .filter(|page| !page.is_printed())
    {
        let own = page
            .name
            .trim_start_matches("book/src/")
            .trim_end_matches(".md");
        let right = page
            .fences()
            .into_iter()
            .filter(|fence| fence.info == "rust" && has_kernel(&fence.body));
        all.extend(
            right
                .zip(0..)
                .map(|(fence, nth)| (format!("guide/{own}/{nth}"), fence.body)),
        );
    }
    all
}

/// Compares a committed file with the text that tables give, or writes it with `UPDATE_DOCS=1`.
///
/// # Errors
/// The file differs; the error names the command `refresh`.
pub fn hold(path: &str, want: &str, refresh: &str) -> Result<(), String> {
    let file = workspace().join(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|e| format!("{path}: {e}"))?;
        }
        return std::fs::write(&file, want).map_err(|e| format!("{path}: {e}"));
    }
    match std::fs::read_to_string(&file) {
        Ok(have) if have.replace("\r\n", "\n") == want => Ok(()),
        _ => Err(format!(
            "{path} is not what the tables give; refresh it with `{refresh}`"
        )),
    }
}

/// Returns the fences of a text.
#[must_use]
pub fn fences(text: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut said = Vec::new();
    let mut open: Option<Fence> = None;
    for (nth, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let said = std::mem::take(&mut said);
                open = Some(Fence {
                    info: info.trim().to_owned(),
                    said,
                    body: String::new(),
                    line: nth + 1,
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(fence), None) => {
                fence.body.push_str(line);
                fence.body.push('\n');
            }
            (None, None) => said.extend(comment(line)),
        }
    }
    found
}

/// Parses a comment of the form `<!-- key: value -->`.
fn comment(line: &str) -> Option<(String, String)> {
    let (key, value) = line
        .trim()
        .strip_prefix("<!--")?
        .strip_suffix("-->")?
        .split_once(':')?;
    Some((key.trim().to_owned(), value.trim().to_owned()))
}

/// Returns the lines of a text outside of fences, with their numbers from 1.
fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().enumerate().filter_map(move |(nth, line)| {
        let is_mark = line.trim_start().starts_with("```");
        inside ^= is_mark;
        (!inside && !is_mark).then_some((nth + 1, line))
    })
}

/// Removes the code between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// Returns the targets of links, with the numbers of their lines.
#[must_use]
pub fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (nth, line) in prose_lines(text) {
        for rest in without_code(line).split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                found.push((nth, target.to_owned()));
            }
        }
    }
    found
}

/// Returns the anchors of a page: those of its headings, as code hosts and mdBook make them, and
/// the written ones.
#[must_use]
pub fn anchors(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, line) in prose_lines(text) {
        found.extend(
            line.split("<a id=\"")
                .skip(1)
                .filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())),
        );
        if line.starts_with('#') {
            let own = slug(line.trim_start_matches('#').trim());
            let again = found
                .iter()
                .filter(|old| **old == own || is_again(old, &own))
                .count();
            found.push(if again == 0 {
                own
            } else {
                format!("{own}-{again}")
            });
        }
    }
    found
}

/// True for `own-1` and other repetitions of `own`.
fn is_again(old: &str, own: &str) -> bool {
    old.strip_prefix(own)
        .and_then(|rest| rest.strip_prefix('-'))
        .is_some_and(|nth| nth.bytes().all(|b| b.is_ascii_digit()))
}

/// Returns the anchor of a heading.
fn slug(heading: &str) -> String {
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_have_what_is_said_above_them() {
        let all = fences("<!-- file: a.rs -->\n\n```rust\nx\n```\n<!-- error: J0101 -->\ntext\n```console\n$ y\n```\n");
        assert_eq!(all.len(), 2);
        assert_eq!(
            (all[0].said("file"), all[0].line, &all[0].body[..]),
            (Some("a.rs"), 3, "x\n")
        );
        assert_eq!(
            (all[1].said("error"), &all[1].info[..]),
            (Some("J0101"), "console")
        );
    }

    #[test]
    fn anchors_are_those_of_code_hosts() {
        let text = "# `tiles(x)` and more: A, B\n## Casts\n## Casts\n<a id=\"j0101\"></a>\n```\n# no\n```\n";
        assert_eq!(
            anchors(text),
            ["tilesx-and-more-a-b", "casts", "casts-1", "j0101"]
        );
    }

    #[test]
    fn links_are_found_outside_of_code() {
        assert_eq!(
            links("[a](b.md#c) `[x](y)`\n```\n[d](e)\n```\n"),
            [(1, "b.md#c".to_owned())]
        );
    }
}
