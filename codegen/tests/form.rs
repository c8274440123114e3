//! The form of projects in snapshots: common blocks of several kernels occur once, in the frame. A
//! kernel's own snapshot refers to them.
//!
//! A text is split into blocks: paragraphs, and the methods of a class. A snapshot has one of three
//! forms for a block of a kernel.
//!
//! | line | says |
//! |---|---|
//! | `` … `Failed` to `Session`, above `Init` `` | blocks as in the frame, one after another there; a block as further up in this snapshot |
//! | `` ≈ above `Init`, `float` for `T` `` | that block with other words, and with the changes of the `│-` and `│+` lines after it |
//! | any other | the text itself |
//!
//! The frame has `«k»`, `«K»` and `«KK»` for the kernel's name. Methods of kernel classes are never
//! in it, so a kernel's device code is in one place. [`read`] makes the texts of a snapshot again;
//! the suite compares them with the emitted ones, so no byte is lost.

use jumar_kit::tier;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// A text with its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Kind of project and path.
    pub path: String,
    pub text: String,
}

/// The texts in the snapshot of a kernel.
#[derive(Clone)]
pub struct Shown {
    pub kernel: String,
    pub texts: Vec<Text>,
}

const END: &str = "==== end ====";
const HEAD: &str = "==== ";
const SAME: &str = "… ";
const LIKE: &str = "≈ ";
const HUNK: &str = "│";
/// The number of kernels, from the first on, that are examples in the frame.
const EXAMPLES: usize = 1;
/// The longest line of names.
const WIDTH: usize = 140;

/// Returns the spellings of a kernel's name: as in paths, as in types, as in macros.
fn spellings(kernel: &str) -> [(String, &'static str); 3] {
    let pascal = kernel
        .split('_')
        .map(|w| w[..1].to_uppercase() + &w[1..])
        .collect();
    [
        (kernel.to_string(), "«k»"),
        (pascal, "«K»"),
        (kernel.to_uppercase(), "«KK»"),
    ]
}

/// Returns a text with marks for the kernel's name, where that is a word or a part of one between
/// underscores.
fn marked(kernel: &str, text: &str) -> String {
    let mut out = text.to_string();
    for (name, mark) in spellings(kernel) {
        let is_snake = mark != "«K»";
        let (mut done, mut rest) = (String::new(), out.as_str());
        while let Some(at) = rest.find(&name) {
            let (before, after) = (&rest[..at], &rest[at + name.len()..]);
            let joins = |c: Option<char>| is_snake && c.is_some_and(|c| c.is_ascii_alphanumeric());
            let is_name = !joins(before.chars().next_back().or(done.chars().next_back()))
                && !joins(after.chars().next());
            done += before;
            done += if is_name { mark } else { &name };
            rest = after;
        }
        out = done + rest;
    }
    out
}

/// Returns the text of the frame for a kernel.
fn named(kernel: &str, text: &str) -> String {
    spellings(kernel)
        .iter()
        .fold(text.to_string(), |text, (name, mark)| {
            text.replace(mark, name)
        })
}

/// A part of a text.
struct Block {
    lines: Vec<String>,
    /// True for a part of a class.
    in_class: bool,
}

/// Splits a text line by line.
#[derive(Default)]
struct Splitter {
    is_ir: bool,
    class: Option<String>,
    blocks: Vec<Block>,
    begins: bool,
}

impl Splitter {
    fn new(path: &str) -> Splitter {
        Splitter {
            is_ir: path.starts_with("ir: "),
            begins: true,
            ..Splitter::default()
        }
    }

    /// True if a line begins a block.
    fn begins_with(&self, line: &str) -> bool {
        let after = self
            .blocks
            .last()
            .and_then(|b| b.lines.last())
            .map_or("", String::as_str);
        let is_part = self.is_ir
            && ["  (func ", "  (variant "]
                .iter()
                .any(|head| line.starts_with(head));
        self.begins || after.is_empty() || after == "    }" && !["", "}"].contains(&line) || is_part
    }

    fn line(&mut self, line: &str) {
        if self.begins_with(line) {
            self.blocks.push(Block {
                lines: Vec::new(),
                in_class: self.class.is_some(),
            });
            self.begins = false;
        }
        let block = self.blocks.last_mut().expect("one was begun");
        if let Some(name) = line
            .strip_prefix("class ")
            .and_then(|rest| rest.split([' ', ':']).next())
        {
            self.class = Some(name.to_string());
            block.in_class = true;
        } else if line == "};" {
            self.class = None;
        }
        block.lines.push(line.to_string());
    }

    /// Adds a block that is known as a whole.
    fn whole(&mut self, lines: &[String]) {
        self.begins = true;
        lines.iter().for_each(|line| self.line(line));
        self.begins = true;
    }
}

fn split(path: &str, text: &str) -> Vec<Block> {
    let mut splitter = Splitter::new(path);
    text.lines().for_each(|line| splitter.line(line));
    splitter.blocks
}

/// Returns the name of a block: the function or type that it defines, else its first line.
fn title(lines: &[String]) -> String {
    let trimmed = || lines.iter().map(|l| l.trim()).filter(|l| !l.is_empty());
    let tells = |l: &&str| {
        ![
            "//",
            "template <",
            "namespace ",
            "public:",
            "private:",
            "#ifndef",
        ]
        .iter()
        .any(|w| l.starts_with(w))
    };
    let first = trimmed()
        .find(tells)
        .or(trimmed().next())
        .unwrap_or("blank");
    let defines = lines.iter().any(|l| {
        l.trim() == "{" || l.ends_with(") {") && l.starts_with(|c: char| c.is_alphabetic())
    });
    let of_type = ["class ", "struct "]
        .iter()
        .find_map(|head| first.strip_prefix(head));
    let name = match (of_type, first.split_once('(')) {
        (Some(rest), _) => rest.split([' ', ':']).next().unwrap_or(rest),
        (None, Some((head, _))) if defines => head.rsplit([' ', '*', '&']).next().unwrap_or(head),
        (None, _) => first,
    };
    let mut short: String = name.chars().take(48).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short.replace('`', "'")
}

/// Blocks with their names.
#[derive(Debug, Default, PartialEq)]
struct Shelf {
    blocks: Vec<Vec<String>>,
    names: Vec<String>,
    by_name: HashMap<String, usize>,
    by_text: HashMap<Vec<String>, usize>,
    sums: Vec<Vec<u64>>,
    /// False for a block that occurs before as well.
    is_new: Vec<bool>,
}

impl Shelf {
    fn put(&mut self, lines: &[String]) -> usize {
        self.put_named(lines, title(lines))
    }

    fn put_named(&mut self, lines: &[String], title: String) -> usize {
        let at = self.blocks.len();
        let mut name = title.clone();
        let mut number = 2;
        while self.by_name.contains_key(&name) {
            name = format!("{title} ({number})");
            number += 1;
        }
        self.by_name.insert(name.clone(), at);
        self.names.push(name);
        let first = *self.by_text.entry(lines.to_vec()).or_insert(at);
        self.is_new.push(first == at);
        self.blocks.push(lines.to_vec());
        self.sums.push(sums(lines));
        at
    }

    fn of(&self, name: &str) -> usize {
        *self
            .by_name
            .get(name)
            .unwrap_or_else(|| panic!("no block is called `{name}`"))
    }
}

/// Splits a line into words and the text between them.
fn words(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut was_word = false;
    for (at, c) in line.char_indices() {
        let is_word = c.is_alphanumeric() || c == '_';
        if at > from && !(is_word && was_word) {
            found.push(&line[from..at]);
            from = at;
        }
        was_word = is_word;
    }
    found.push(&line[from..]);
    found
}

/// Old words with their replacements.
type Renames = Vec<(String, String)>;

fn renamed(lines: &[String], renames: &Renames) -> Vec<String> {
    if renames.is_empty() {
        return lines.to_vec();
    }
    let word = |w: &str| {
        renames
            .iter()
            .find(|(old, _)| old == w)
            .map_or(w.to_string(), |(_, new)| new.clone())
    };
    lines
        .iter()
        .map(|line| words(line).into_iter().map(word).collect())
        .collect()
}

/// A replacement of lines: its start in the base, the number of removed lines, and the new lines.
struct Change {
    at: usize,
    gone: usize,
    come: std::ops::Range<usize>,
}

/// Finds the changes from one list of lines to another, by the longest common subsequence.
fn changes(base: &[String], lines: &[String]) -> Vec<Change> {
    let head = base.iter().zip(lines).take_while(|(a, b)| a == b).count();
    let tail = base[head..]
        .iter()
        .rev()
        .zip(lines[head..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let (a, b) = (
        &base[head..base.len() - tail],
        &lines[head..lines.len() - tail],
    );
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i] == b[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut found: Vec<Change> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let goes = j == b.len()
            || i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1];
        let (at, here) = (head + i, head + j);
        match found
            .last_mut()
            .filter(|c| c.at + c.gone == at && c.come.end == here)
        {
            Some(last) if goes => last.gone += 1,
            Some(last) => last.come.end += 1,
            None if goes => found.push(Change {
                at,
                gone: 1,
                come: here..here,
            }),
            None => found.push(Change {
                at,
                gone: 0,
                come: here..here + 1,
            }),
        }
        (i, j) = if goes { (i + 1, j) } else { (i, j + 1) };
    }
    found
}

/// Finds words that replace others, most frequent first.
fn renames(base: &[String], lines: &[String], changes: &[Change]) -> Renames {
    let mut votes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for change in changes.iter().filter(|c| c.gone == c.come.len()) {
        for (old, new) in base[change.at..change.at + change.gone]
            .iter()
            .zip(&lines[change.come.clone()])
        {
            let (old, new) = (words(old), words(new));
            let differ: BTreeSet<(&str, &str)> = old
                .iter()
                .zip(&new)
                .filter(|(a, b)| a != b)
                .map(|(a, b)| (*a, *b))
                .collect();
            let is_name = |w: &str| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if old.len() == new.len() && differ.iter().all(|(a, b)| is_name(a) && is_name(b)) {
                differ
                    .into_iter()
                    .for_each(|pair| *votes.entry(pair).or_default() += 1);
            }
        }
    }
    let mut votes: Vec<_> = votes.into_iter().collect();
    votes.sort_by_key(|(pair, count)| (usize::MAX - count, *pair));
    let mut found = Renames::new();
    for ((old, new), _) in votes {
        if found.len() < 6 && found.iter().all(|(o, n)| o != old && n != new) {
            found.push((old.to_string(), new.to_string()));
        }
    }
    found
}

/// Prints the changes. A change is found by its removed lines, searched from the end of the one
/// before; context lines before it make it unique.
fn hunks(base: &[String], lines: &[String], changes: &[Change]) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    for change in changes {
        let end = change.at + change.gone;
        let mut context = usize::from(change.gone == 0 && change.at > from).min(change.at - from);
        while find(base, from, &base[change.at - context..end]) != Some(change.at - context)
            && change.at - context > from
        {
            context += 1;
        }
        // These removed lines do not directly follow the ones before.
        let is_joined = context == 0
            && out
                .last()
                .is_some_and(|l: &String| l.starts_with(&format!("{HUNK}-")));
        out.extend(is_joined.then(|| format!("{HUNK}⋮")));
        out.extend(
            base[change.at - context..change.at]
                .iter()
                .map(|l| format!("{HUNK}  {l}")),
        );
        out.extend(base[change.at..end].iter().map(|l| format!("{HUNK}- {l}")));
        out.extend(
            lines[change.come.clone()]
                .iter()
                .map(|l| format!("{HUNK}+ {l}")),
        );
        from = end;
    }
    out.iter().map(|l| l.trim_end().to_string()).collect()
}

fn find(base: &[String], from: usize, lines: &[String]) -> Option<usize> {
    (from..=base.len().checked_sub(lines.len())?).find(|at| base[*at..].starts_with(lines))
}

/// Applies hunks to a block. A hunk is context, removed lines, and new lines.
fn patched(base: &[String], hunks: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while at < hunks.len() {
        let mut of = |mark: &str| -> Vec<String> {
            let own = hunks[at..]
                .iter()
                .take_while(|l| l.get(..1).unwrap_or(" ") == mark);
            let own: Vec<String> = own.map(|l| l.get(2..).unwrap_or("").to_string()).collect();
            at += own.len();
            own
        };
        let (kept, gone, come) = (of(" "), of("-"), of("+"));
        at += usize::from(hunks.get(at) == Some(&"⋮"));
        let old: Vec<String> = kept.iter().chain(&gone).cloned().collect();
        let found = find(base, from, &old)
            .unwrap_or_else(|| panic!("{old:#?} stands nowhere in {base:#?}"));
        out.extend_from_slice(&base[from..found + kept.len()]);
        out.extend(come);
        from = found + old.len();
    }
    out.extend_from_slice(&base[from..]);
    out
}

/// Returns the number of lines that a reader must read; a second rename and each further one is a
/// line.
fn cost(renames: &Renames, hunks: &[String]) -> usize {
    renames.len().max(1) + hunks.len()
}

/// A block as a change of another.
struct Like {
    name: String,
    renames: Renames,
    hunks: Vec<String>,
}

impl Like {
    fn cost(&self) -> usize {
        cost(&self.renames, &self.hunks)
    }

    fn line(&self) -> String {
        let renames: String = self
            .renames
            .iter()
            .map(|(old, new)| format!(", `{new}` for `{old}`"))
            .collect();
        format!("{LIKE}{}{renames}", self.name)
    }
}

/// Finds the block of these shelves that is most similar to another, if the change is clearly
/// shorter than the text. Each shelf has a prefix for its names and a range of its blocks.
fn like(
    shelves: &[(&'static str, &Shelf, std::ops::Range<usize>)],
    lines: &[String],
) -> Option<Like> {
    if lines.len() < 4 {
        return None;
    }
    let own = sums(lines);
    let mut bases: Vec<(i64, &'static str, &Shelf, usize)> = Vec::new();
    for (mark, shelf, asked) in shelves {
        for at in asked.clone() {
            let (base, count) = (&shelf.sums[at], shelf.blocks[at].len());
            if shelf.is_new[at] && 2 < count && count < 4 * lines.len() && lines.len() < 4 * count {
                let common = base
                    .iter()
                    .filter(|sum| own.binary_search(sum).is_ok())
                    .count() as i64;
                bases.push((5 * common - count as i64, mark, shelf, at));
            }
        }
    }
    bases.sort_by_key(|(score, ..)| -score);
    let mut best: Option<Like> = None;
    for (_, mark, shelf, at) in bases.into_iter().take(16) {
        let base = &shelf.blocks[at];
        let plain = changes(base, lines);
        let words = renames(base, lines, &plain);
        let mut consider = |renames: Renames, hunks: Vec<String>| {
            if best
                .as_ref()
                .is_none_or(|best| cost(&renames, &hunks) < best.cost())
            {
                best = Some(Like {
                    name: format!("{mark}`{}`", shelf.names[at]),
                    renames,
                    hunks,
                });
            }
        };
        consider(Renames::new(), hunks(base, lines, &plain));
        if !words.is_empty() {
            let base = renamed(base, &words);
            let hunks = hunks(&base, lines, &changes(&base, lines));
            consider(words, hunks);
        }
    }
    best.filter(|best| 5 * best.cost() <= 4 * lines.len())
}

/// Returns hashes of lines, sorted.
fn sums(lines: &[String]) -> Vec<u64> {
    let mut sums: Vec<u64> = lines
        .iter()
        .map(|line| tier::hash(0, line.as_bytes()))
        .collect();
    sums.sort_unstable();
    sums.dedup();
    sums
}

/// The common blocks of kernels.
#[derive(Debug, PartialEq)]
pub struct Frame {
    shelf: Shelf,
    /// Snapshot and path of each block.
    places: Vec<(String, String)>,
}

impl Frame {
    /// Makes the frame: common blocks of several kernels, and the host's texts of the examples.
    pub fn of(all: &[Shown]) -> Frame {
        /// A block, the kernels that have it, and its first place.
        struct Known<'s> {
            kernels: BTreeSet<&'s str>,
            place: (String, String),
            order: usize,
            of_example: bool,
        }
        let mut known: BTreeMap<Vec<String>, Known> = BTreeMap::new();
        for (order, shown) in all.iter().enumerate() {
            for text in &shown.texts {
                let is_device = text.text.contains("__global__");
                let (kind, path) = text.path.split_once(": ").expect("a kind and a path");
                let section = if is_device { "library" } else { kind };
                let of_example = order < EXAMPLES && !is_device;
                if ["ir", "object", "barriers"].contains(&kind) {
                    continue;
                }
                for block in split(&text.path, &text.text)
                    .into_iter()
                    .filter(|b| !(is_device && b.in_class))
                {
                    let lines: Vec<String> = block
                        .lines
                        .iter()
                        .map(|l| marked(&shown.kernel, l))
                        .collect();
                    let at = known.len();
                    let entry = known.entry(lines).or_insert_with(|| Known {
                        kernels: BTreeSet::new(),
                        place: (section.to_string(), marked(&shown.kernel, path)),
                        order: at,
                        of_example,
                    });
                    entry.kernels.insert(&shown.kernel);
                    entry.of_example |= of_example;
                }
            }
        }
        let worth = |lines: &Vec<String>, k: &Known| {
            k.of_example && lines.len() > 3
                || k.kernels.len() > 1
                    && k.kernels.len() * (2 * lines.len() - 1) > 2 * (lines.len() + 1)
        };
        let mut kept: Vec<_> = known
            .into_iter()
            .filter(|(lines, k)| worth(lines, k))
            .collect();
        let mut paths: Vec<(usize, (String, String))> = Vec::new();
        kept.sort_by_key(|(_, k)| k.order);
        for (_, k) in &kept {
            if paths.iter().all(|(_, place)| *place != k.place) {
                paths.push((paths.len(), k.place.clone()));
            }
        }
        let place = |k: &Known| paths.iter().position(|(_, place)| *place == k.place);
        kept.sort_by_key(|(_, k)| (k.place.0.clone(), place(k), k.order));
        let mut frame = Frame {
            shelf: Shelf::default(),
            places: Vec::new(),
        };
        for (lines, k) in kept {
            frame.shelf.put(&lines);
            frame.places.push(k.place);
        }
        frame
    }

    /// Returns the snapshots of the frame.
    pub fn sections(&self) -> BTreeSet<&str> {
        self.places
            .iter()
            .map(|(section, _)| section.as_str())
            .collect()
    }

    /// Prints one snapshot of the frame. A block has a line with its name, unless its own text
    /// determines both its beginning and its name.
    pub fn print(&self, section: &str) -> String {
        let first = self
            .places
            .iter()
            .position(|place| place.0 == section)
            .expect("a block of it");
        let mut out = String::new();
        let mut before: Option<(&str, Splitter)> = None;
        for (at, lines) in self
            .shelf
            .blocks
            .iter()
            .enumerate()
            .filter(|(at, _)| self.places[*at].0 == section)
        {
            let path = &self.places[at].1;
            if before.as_ref().is_none_or(|(before, _)| before != path) {
                let _ = writeln!(out, "{HEAD}{path}");
                before = Some((path, Splitter::new(path)));
            }
            let (_, splitter) = before.as_mut().expect("a path stands first");
            let like = like(&[("", &self.shelf, first..at)], lines);
            let is_told = splitter.begins_with(&lines[0]) && self.shelf.names[at] == title(lines);
            let is_like = like.is_some();
            if is_like || !is_told {
                let _ = writeln!(out, "{SAME}`{}`", self.shelf.names[at]);
            }
            match like {
                Some(like) => like_lines(&mut out, &like),
                None => plain_lines(&mut out, lines),
            }
            splitter.whole(lines);
            splitter.begins = is_like;
        }
        out + END
    }

    /// Reads a frame from the texts of [`Frame::print`].
    pub fn read<'t>(sections: impl Iterator<Item = (&'t str, String)>) -> Frame {
        let mut frame = Frame {
            shelf: Shelf::default(),
            places: Vec::new(),
        };
        for (section, text) in sections {
            let mut path = "";
            let mut plain = Splitter::new(path);
            let mut lines = text.lines().peekable();
            loop {
                let line = lines.next().expect("a text ends with its last line");
                if ![HEAD, SAME, LIKE].iter().any(|mark| line.starts_with(mark)) {
                    plain.line(line);
                    continue;
                }
                let put = |frame: &mut Frame, block: &[String]| {
                    frame.shelf.put(block);
                    frame.places.push((section.to_string(), path.to_string()));
                };
                std::mem::replace(&mut plain, Splitter::new(path))
                    .blocks
                    .iter()
                    .for_each(|b| put(&mut frame, &b.lines));
                if line == END {
                    break;
                }
                if let Some(head) = line.strip_prefix(LIKE) {
                    let hunks: Vec<&str> =
                        std::iter::from_fn(|| lines.next_if(|l| l.starts_with(HUNK))).collect();
                    let of = |name: &str| &frame.shelf.blocks[frame.shelf.of(name)];
                    let block = read_like(head, &hunks, of, |_| unreachable!("nothing is above"));
                    put(&mut frame, &block);
                } else if let Some(rest) = line.strip_prefix(HEAD) {
                    path = rest;
                }
            }
        }
        frame
    }

    /// Returns the blocks for a kernel.
    fn for_kernel(&self, kernel: &str) -> Shelf {
        let mut shelf = Shelf::default();
        for (lines, name) in self.shelf.blocks.iter().zip(&self.shelf.names) {
            let lines: Vec<String> = lines.iter().map(|l| named(kernel, l)).collect();
            shelf.put_named(&lines, name.clone());
        }
        shelf
    }
}

fn like_lines(out: &mut String, like: &Like) {
    let _ = writeln!(out, "{}", like.line());
    like.hunks.iter().for_each(|l| _ = writeln!(out, "{l}"));
}

fn plain_lines(out: &mut String, lines: &[String]) {
    for line in lines {
        assert!(
            ![HEAD, SAME, LIKE, HUNK]
                .iter()
                .any(|mark| line.starts_with(mark)),
            "{line} reads as a line of the snapshot's own"
        );
        let _ = writeln!(out, "{line}");
    }
}

fn read_like<'b>(
    head: &str,
    hunks: &[&str],
    frame: impl Fn(&str) -> &'b Vec<String>,
    above: impl Fn(&str) -> &'b Vec<String>,
) -> Vec<String> {
    let parts: Vec<&str> = head.split('`').collect();
    let base = if parts[0] == "above " {
        above(parts[1])
    } else {
        frame(parts[1])
    };
    let renames = parts[3..]
        .chunks(4)
        .map(|c| (c[2].to_string(), c[0].to_string()))
        .collect();
    let hunks: Vec<&str> = hunks.iter().map(|l| &l[HUNK.len()..]).collect();
    patched(&renamed(base, &renames), &hunks)
}

/// A range of blocks that occur elsewhere: first and last, in the frame or above.
struct Same {
    above: bool,
    from: usize,
    to: usize,
}

/// Prints the snapshot of a kernel.
pub fn print(frame: &Frame, shown: &Shown) -> String {
    let common = frame.for_kernel(&shown.kernel);
    let mut own = Shelf::default();
    let mut out = String::new();
    let mut same: Vec<Same> = Vec::new();
    for text in &shown.texts {
        assert!(
            text.text.ends_with('\n'),
            "{} of {} has no end",
            text.path,
            shown.kernel
        );
        let _ = write!(out, "{HEAD}{}", text.path);
        let mut body = String::new();
        let is_device = text.text.contains("__global__");
        let blocks = split(&text.path, &text.text);
        let mut at = 0;
        while at < blocks.len() {
            let is_own = |block: &Block| is_device && block.in_class;
            let lines = &blocks[at].lines;
            // The longest range of blocks that follow one another elsewhere as well.
            let run = |above: bool| {
                let shelf = if above { &own } else { &common };
                let from = *shelf.by_text.get(lines)?;
                let is_same = |(block, there): &(&Block, &Vec<String>)| {
                    block.lines == **there && (above || !is_own(block))
                };
                let count = blocks[at..]
                    .iter()
                    .zip(&shelf.blocks[from..])
                    .take_while(is_same)
                    .count();
                (count > 0 && (count > 1 || !above || lines.len() > 2)).then_some((
                    count,
                    Same {
                        above,
                        from,
                        to: from + count - 1,
                    },
                ))
            };
            let longest = [false, true]
                .into_iter()
                .filter_map(run)
                .rev()
                .max_by_key(|(count, _)| *count);
            if let Some((count, found)) = longest {
                same.push(found);
                blocks[at..at + count]
                    .iter()
                    .for_each(|block| _ = own.put(&block.lines));
                at += count;
                continue;
            }
            same_lines(&mut body, &common, &own, &mut same);
            let of_frame = if is_own(&blocks[at]) {
                0
            } else {
                common.blocks.len()
            };
            match like(
                &[
                    ("", &common, 0..of_frame),
                    ("above ", &own, 0..own.blocks.len()),
                ],
                lines,
            ) {
                Some(like) => like_lines(&mut body, &like),
                None => plain_lines(&mut body, lines),
            }
            own.put(lines);
            at += 1;
        }
        same_lines(&mut body, &common, &own, &mut same);
        // A text that is wholly in the frame is one line.
        let is_frame = body.starts_with(SAME) && body.lines().count() == 1;
        let _ = write!(out, "{}{body}", if is_frame { ' ' } else { '\n' });
    }
    out + END
}

fn same_lines(out: &mut String, common: &Shelf, own: &Shelf, same: &mut Vec<Same>) {
    let mut line = String::new();
    for Same { above, from, to } in same.drain(..) {
        let (shelf, mark) = if above { (own, "above ") } else { (common, "") };
        let last = if from == to {
            String::new()
        } else {
            format!(" to `{}`", shelf.names[to])
        };
        let item = format!("{mark}`{}`{last}", shelf.names[from]);
        if !line.is_empty() && line.chars().count() + item.chars().count() > WIDTH {
            let _ = writeln!(out, "{SAME}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&item);
    }
    if !line.is_empty() {
        let _ = writeln!(out, "{SAME}{line}");
    }
}

/// Reads the texts of a snapshot by [`print`].
pub fn read(frame: &Frame, kernel: &str, snapshot: &str) -> Vec<Text> {
    let common = frame.for_kernel(kernel);
    let mut own = Shelf::default();
    let mut texts: Vec<(String, Splitter, usize)> = Vec::new();
    let mut lines = snapshot.lines().peekable();
    loop {
        let mut line = lines.next().expect("a text ends with its last line");
        // A plain block is complete when the next one begins.
        let is_plain = ![HEAD, SAME, LIKE].iter().any(|mark| line.starts_with(mark));
        if let Some((_, splitter, known)) = texts.last_mut() {
            if is_plain {
                splitter.line(line);
            }
            let whole = splitter.blocks.len() - usize::from(is_plain);
            splitter.blocks[*known..whole]
                .iter()
                .for_each(|b| _ = own.put(&b.lines));
            *known = whole.max(*known);
        }
        if is_plain {
            continue;
        }
        if line == END {
            break;
        }
        if let Some(path) = line.strip_prefix(HEAD) {
            let whole = path.find(&format!(" {SAME}"));
            let (path, rest) = path.split_at(whole.unwrap_or(path.len()));
            texts.push((path.to_string(), Splitter::new(path), 0));
            if rest.is_empty() {
                continue;
            }
            line = &rest[1..];
        }
        let (_, splitter, known) = texts.last_mut().expect("a path stands first");
        if let Some(head) = line.strip_prefix(LIKE) {
            let hunks: Vec<&str> =
                std::iter::from_fn(|| lines.next_if(|l| l.starts_with(HUNK))).collect();
            let block = read_like(
                head,
                &hunks,
                |n| &common.blocks[common.of(n)],
                |n| &own.blocks[own.of(n)],
            );
            splitter.whole(&block);
            own.put(&block);
        } else {
            // Names alternate with the text between them.
            let parts: Vec<&str> = line[SAME.len()..].split('`').collect();
            let mut at = 0;
            while at + 1 < parts.len() {
                let shelf = if parts[at].ends_with("above ") {
                    &own
                } else {
                    &common
                };
                let from = shelf.of(parts[at + 1]);
                let is_run = parts.get(at + 2) == Some(&" to ");
                let to = if is_run {
                    shelf.of(parts[at + 3])
                } else {
                    from
                };
                let run = shelf.blocks[from..=to].to_vec();
                for block in &run {
                    splitter.whole(block);
                    own.put(block);
                }
                at += if is_run { 4 } else { 2 };
            }
        }
        *known = splitter.blocks.len();
    }
    let text = |blocks: &[Block]| {
        blocks
            .iter()
            .flat_map(|b| &b.lines)
            .map(|l| format!("{l}\n"))
            .collect()
    };
    texts
        .into_iter()
        .map(|(path, splitter, _)| Text {
            path,
            text: text(&splitter.blocks),
        })
        .collect()
}
