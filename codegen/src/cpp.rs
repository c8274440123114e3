//! A small text builder for C++, CMake and shell: lines, indentation, blocks, comments, wrapped
//! calls.
//!
//! It knows nothing of C++ beyond brackets and line width; its users decide the contents of lines.
//! Lines never end in blanks, and two blank lines never follow one another, whatever the caller
//! does.

use std::fmt::{self, Write};

/// Width that calls and comments are wrapped to.
pub(crate) const WIDTH: usize = 118;
const STEP: &str = "    ";

/// A text that can be appended without an intermediate string.
pub(crate) trait Piece {
    /// Appends the text.
    fn put(&self, out: &mut String);
}

impl Piece for str {
    fn put(&self, out: &mut String) {
        out.push_str(self);
    }
}
impl Piece for String {
    fn put(&self, out: &mut String) {
        out.push_str(self);
    }
}
impl Piece for fmt::Arguments<'_> {
    fn put(&self, out: &mut String) {
        out.write_fmt(*self).expect("a string takes every text");
    }
}
impl<T: Piece + ?Sized> Piece for &T {
    fn put(&self, out: &mut String) {
        (**self).put(out);
    }
}

/// A text under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cpp {
    out: String,
    indent: usize,
}

impl Cpp {
    /// Makes an empty text.
    pub(crate) fn new() -> Self {
        Self::default()
    }
    /// Makes an empty text whose lines are indented by `indent` steps.
    pub(crate) fn indented(indent: usize) -> Self {
        Cpp {
            out: String::new(),
            indent,
        }
    }
    /// Adds one line.
    pub(crate) fn line(&mut self, text: impl Piece) {
        let start = self.start_line();
        text.put(&mut self.out);
        self.end_line(start);
    }
    /// Begins a line with its indentation, and returns the offset of its text.
    fn start_line(&mut self) -> usize {
        for _ in 0..self.indent {
            self.out.push_str(STEP);
        }
        self.out.len()
    }
    fn end_line(&mut self, start: usize) {
        let end = start + self.out[start..].trim_end().len();
        self.out.truncate(end);
        self.out.push('\n');
    }
    /// Adds a blank line, unless it would be the first line of the text or of a block, or the
    /// second blank line in a row.
    pub(crate) fn blank(&mut self) {
        if !(self.out.is_empty() || self.out.ends_with("\n\n") || self.out.ends_with("{\n")) {
            self.out.push('\n');
        }
    }
    /// Adds a finished text unchanged.
    pub(crate) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }
    /// Adds a comment of `//` lines, wrapped at blanks.
    pub(crate) fn comment(&mut self, text: &str) {
        let room = WIDTH.saturating_sub(self.indent * STEP.len() + 3);
        for paragraph in text.lines() {
            let mut start = self.start_comment();
            for word in paragraph.split_whitespace() {
                let so_far = self.out.len() - start;
                let plain = word.bytes().all(|b| b.is_ascii_graphic());
                let width = if plain {
                    word.len()
                } else {
                    word.chars().map(|c| visible(c).len_utf8()).sum()
                };
                if so_far > 0 && so_far + 1 + width > room {
                    self.end_comment(start);
                    start = self.start_comment();
                } else if so_far > 0 {
                    self.out.push(' ');
                }
                match plain {
                    true => self.out.push_str(word),
                    false => self.out.extend(word.chars().map(visible)),
                }
            }
            self.end_comment(start);
        }
    }
    fn start_comment(&mut self) -> usize {
        self.start_line();
        self.out.push_str("// ");
        self.out.len()
    }
    /// Ends a line of a comment. A line that ends in a backslash, also as a trigraph, would swallow
    /// the next line.
    fn end_comment(&mut self, start: usize) {
        let line = &self.out[start..];
        if line.ends_with('\\') || line.ends_with("??/") {
            self.out.push('.');
        }
        self.end_line(start - "// ".len());
    }
    /// Adds a control structure: `head {` … `}`.
    pub(crate) fn block(&mut self, head: impl Piece, body: impl FnOnce(&mut Cpp)) {
        let start = self.start_line();
        head.put(&mut self.out);
        self.out.push_str(" {");
        self.end_line(start);
        self.inside(body);
        self.line("}");
    }
    /// Adds a function, with the brace on a separate line.
    pub(crate) fn function(&mut self, head: impl Piece, body: impl FnOnce(&mut Cpp)) {
        self.wrapped(head, "");
        self.line("{");
        self.inside(body);
        self.line("}");
    }
    /// Adds statements one step deeper. A blank line separates two items, so none stays at the end.
    pub(crate) fn inside(&mut self, body: impl FnOnce(&mut Cpp)) {
        self.indent += 1;
        body(self);
        self.indent -= 1;
        if self.out.ends_with("\n\n") {
            self.out.pop();
        }
    }
    /// Adds a line that may be broken after a comma, at the least possible depth of brackets, with
    /// `tail` at its end.
    pub(crate) fn wrapped(&mut self, text: impl Piece, tail: &str) {
        let room = WIDTH.saturating_sub(self.indent * STEP.len());
        let start = self.start_line();
        text.put(&mut self.out);
        self.out.push_str(tail);
        if self.out.len() - start <= room {
            return self.end_line(start);
        }
        let long = self.out.split_off(start);
        let mut rest = long.as_str();
        let mut start = start;
        loop {
            let first = rest.len() == long.len();
            let limit = if first { room } else { room - STEP.len() };
            let cut = if rest.len() <= limit {
                None
            } else {
                break_at(rest, limit)
            };
            let (now, later) = rest.split_at(cut.unwrap_or(rest.len()));
            self.out.push_str(now);
            self.end_line(start);
            rest = later.trim_start();
            if rest.is_empty() {
                self.indent -= usize::from(!first);
                return;
            }
            self.indent += usize::from(first);
            start = self.start_line();
        }
    }
    /// Adds a statement, broken where it is too long.
    pub(crate) fn stmt(&mut self, text: impl Piece) {
        self.wrapped(text, ";");
    }
    /// Adds a part of a statement that continues in the next line.
    pub(crate) fn stmt_part(&mut self, text: impl Piece) {
        self.wrapped(text, "");
    }
    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.out
    }
}

/// Replaces control characters, including those that change the direction of text or the state of a
/// terminal.
fn visible(c: char) -> char {
    match c {
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fffe}' => '?',
        c if c.is_control() => '?',
        c => c,
    }
}

/// Finds the last place within `limit` where a line may end, outside of strings: at the least depth
/// of brackets, and after a comma rather than after an operator.
fn break_at(text: &str, limit: usize) -> Option<usize> {
    let mut best: Option<(usize, usize)> = None;
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (i, c) in text.char_indices() {
        if i + 1 > limit {
            break;
        }
        let spaced = text[i + c.len_utf8()..].starts_with(' ');
        let after_operator = spaced && text[..i].ends_with([' ', '&', '|']);
        let rank = match c {
            _ if escaped => {
                escaped = false;
                continue;
            }
            '\\' if in_string => {
                escaped = true;
                continue;
            }
            '"' => {
                in_string = !in_string;
                continue;
            }
            _ if in_string => continue,
            // Brackets of template arguments touch their neighbours; comparisons and arrows do not.
            '<' if !spaced => {
                depth += 1;
                continue;
            }
            '>' if !text[..i].ends_with([' ', '-']) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            '(' | '{' | '[' => {
                depth += 1;
                continue;
            }
            ')' | '}' | ']' => {
                depth = depth.saturating_sub(1);
                continue;
            }
            ',' if spaced => 0,
            '|' | '&' | '+' | '-' | '*' | '/' | '?' | ':' if after_operator => 1,
            // This is the last resort: the rest of the line is then one step deeper than its
            // beginning.
            '=' if after_operator => 9,
            _ => continue,
        };
        let rank = 2 * depth + rank;
        if best.is_none_or(|(r, _)| rank <= r) {
            best = Some((rank, i + c.len_utf8()));
        }
    }
    best.map(|(_, at)| at)
}

/// Returns a C++ string literal.
pub(crate) fn string_literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // A trigraph would change the text under older standards.
            '?' => out.push_str("\\?"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_calls_break_after_a_comma_at_the_least_depth() {
        let mut c = Cpp::new();
        let arg = "a".repeat(40);
        c.stmt(format!("Call({arg}, Params{{{arg}, {arg}}}, {arg})"));
        let text = c.finish();
        assert!(text.lines().all(|l| l.len() <= WIDTH), "{text}");
        assert!(
            text.lines()
                .next()
                .is_some_and(|l| l.ends_with("Params{") || l.ends_with(',')),
            "{text}"
        );
    }

    #[test]
    fn comments_end_where_their_lines_end() {
        for (text, line) in [
            ("a path: C:\\", "// a path: C:\\."),
            ("what ??/", "// what ??/."),
            ("a /* b */ c \u{202e}x\u{7}", "// a /* b */ c ?x?"),
            ("größe 名前", "// größe 名前"),
        ] {
            let mut c = Cpp::new();
            c.comment(text);
            assert_eq!(c.finish(), format!("{line}\n"));
        }
    }

    #[test]
    fn string_literals_escape_what_cpp_would_read() {
        assert_eq!(
            string_literal("a \"b\" \\ ??/\n"),
            r#""a \"b\" \\ \?\?/\n""#
        );
    }

    #[test]
    fn lines_end_at_the_width_and_go_on_one_step_deeper() {
        for depth in [0, 1, 3] {
            for over in [0, 1] {
                let lines = |write: &dyn Fn(&mut Cpp, usize)| {
                    let mut c = Cpp::indented(depth);
                    write(&mut c, WIDTH - depth * STEP.len() + over);
                    c.finish().lines().map(str::to_string).collect::<Vec<_>>()
                };
                // Makes `Call(aa.., b);` and `// aa.. b` with exactly `len` characters.
                let call = lines(&|c, len| c.stmt(format!("Call({}, b)", "a".repeat(len - 10))));
                let comment = lines(&|c, len| c.comment(&format!("{} b", "a".repeat(len - 5))));
                assert_eq!(
                    (call.len(), comment.len()),
                    (1 + over, 1 + over),
                    "{over} over at depth {depth}: {call:?} {comment:?}"
                );
                let deep = |lines: &[String]| {
                    lines
                        .iter()
                        .map(|l| l.len() - l.trim_start().len())
                        .collect::<Vec<_>>()
                };
                let first = depth * STEP.len();
                assert_eq!(
                    deep(&call),
                    [first, first + STEP.len()][..1 + over],
                    "{call:?}"
                );
                assert_eq!(deep(&comment), [first, first][..1 + over], "{comment:?}");
            }
        }
    }

    #[test]
    fn a_line_breaks_at_the_last_place_of_the_least_depth() {
        let arg = "a".repeat(30);
        let mut c = Cpp::new();
        c.stmt(format!(
            "Call({arg}, {arg}, F({arg}, b, c, d, e, f, g, h, i), j)"
        ));
        let text = c.finish();
        let first = text.lines().next().unwrap_or_default();
        assert_eq!(first, format!("Call({arg}, {arg},"), "{text}");
    }
}
