//! Fixes: edits of the text, each relative to a place of the finding, and how far they may be
//! trusted.
//!
//! The checker knows places, not text. An edit therefore stands in a [`Spot`] beside its place, and
//! [`Fix::resolve`] finds the bytes once there is a text.

use super::byte_range;
use crate::ir::{SourceSpan, SpanId};
use std::ops::Range;
use syn::spanned::Spanned;

/// How far a fix may be trusted, in the words of rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicability {
    /// The rules ask for it, and it keeps the author's meaning: a program may apply it.
    MachineApplicable,
    /// It removes the error, but may not be what the author meant.
    MaybeIncorrect,
    /// It has parts that the author must fill in.
    HasPlaceholders,
}

impl Applicability {
    /// All of them.
    pub const ALL: [Applicability; 3] = [
        Applicability::MachineApplicable,
        Applicability::MaybeIncorrect,
        Applicability::HasPlaceholders,
    ];

    /// Returns the spelling in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "machine-applicable",
            Applicability::MaybeIncorrect => "maybe-incorrect",
            Applicability::HasPlaceholders => "has-placeholders",
        }
    }
}

/// The position of an edit relative to its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// In place of the text there.
    Over,
    /// Directly before the place.
    Before,
    /// Directly behind the place.
    After,
    /// A statement of its own before the statement that begins here.
    StatementBefore,
    /// A statement of its own behind the statement that has this place.
    StatementAfter,
    /// In place of the statement and its semicolon, and of its line where nothing else stands
    /// there.
    Statement,
    /// In place of the last occurrence of this word there. A number must occur only once.
    Word(String),
    /// In place of the last occurrence of this name there that is no method.
    Name(String),
    /// In place of the last call of this method there and all that follows it, from the dot on.
    Call(String),
    /// Behind the `&` of the type of this parameter.
    Borrow,
    /// In place of an entry of a list and the comma that separates it from its neighbour.
    Entry,
    /// Around the operands of an operator or method: each operand that is a tile is cast to `way`,
    /// and the result is cast back where it has an element type.
    Through {
        /// The type in between.
        way: String,
        /// True for operands that are tiles, in the order of the text.
        tiles: Vec<bool>,
        /// Cast of the result, `cast::<i32>`; `None` where the result is a mask.
        back: Option<String>,
    },
}

/// One change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Place that the spot is relative to.
    pub span: SpanId,
    /// Position relative to the place.
    pub spot: Spot,
    /// New text, with `@` for words of the author's text; see [`Edit::told`].
    pub replacement: String,
    /// Words of the author's text that the replacement repeats. The checker's names and numbers may
    /// differ from the author's.
    pub told: Option<Told>,
}

/// Words of the author's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The name that a `let` gives to the value that stands there.
    Name(SpanId),
    /// The first argument of the call that stands there.
    Argument(SpanId),
    /// The first of so many elements that lie in one line with the first argument of the call
    /// there.
    Line(SpanId, i64),
}

/// Edits that together remove the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Edits without overlap.
    pub edits: Vec<Edit>,
    pub applicability: Applicability,
}

/// A change of a text by bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Bytes that are replaced; empty for an insertion.
    pub bytes: Range<usize>,
    pub replacement: String,
}

impl Fix {
    /// Resolves the edits to changes of `text`, in its order. `None` where one has no place or two
    /// overlap.
    pub fn resolve(&self, text: &str, spans: &[SourceSpan]) -> Option<Vec<Change>> {
        let mut changes = self
            .edits
            .iter()
            .map(|edit| change(edit, text, spans))
            .collect::<Option<Vec<_>>>()?;
        changes.sort_by_key(|c| (c.bytes.start, c.bytes.end));
        // Insertions at one place become one text, so that their order is settled.
        changes.dedup_by(|next, last| {
            let is_one = next.bytes.is_empty() && last.bytes == next.bytes;
            if is_one {
                last.replacement += &next.replacement;
            }
            is_one
        });
        let apart = changes
            .windows(2)
            .all(|pair| pair[0].bytes.end <= pair[1].bytes.start);
        (apart && !changes.is_empty()).then_some(changes)
    }
}

/// Returns `text` with changes made that are in order and do not overlap.
pub fn changed(text: &str, changes: &[Change]) -> String {
    let mut out = text.to_owned();
    for change in changes.iter().rev() {
        out.replace_range(change.bytes.clone(), &change.replacement);
    }
    out
}

fn change(edit: &Edit, text: &str, spans: &[SourceSpan]) -> Option<Change> {
    let at = bytes_of(edit.span, text, spans)?;
    let said = |words: &str| edit.replacement.replace('@', words);
    let own = match edit.told {
        None => edit.replacement.clone(),
        Some(Told::Argument(call)) => said(&first_argument(&text[bytes_of(call, text, spans)?])?.0),
        Some(Told::Line(call, in_a_line)) => {
            let (index, is_bound) = first_argument(&text[bytes_of(call, text, spans)?])?;
            let index = if is_bound {
                format!("({index})")
            } else {
                index
            };
            said(&format!("{index} / {in_a_line} * {in_a_line}"))
        }
        Some(Told::Name(value)) => {
            let name = name_of(text, bytes_of(value, text, spans)?.start)?;
            // A place that says another name, of a part for example, is about something else.
            let says = value == edit.span || last_word(text, &at, name, |_| true).is_some();
            says.then(|| said(name))?
        }
    };
    if own.split(|c| !is_word(c)).any(|word| {
        is_numbered(word) && last_word(text, &(0..text.len()), word, |_| true).is_none()
    }) {
        return None;
    }
    Some(match &edit.spot {
        Spot::Borrow => {
            let behind = text[at.end..]
                .trim_start()
                .strip_prefix(':')?
                .trim_start()
                .strip_prefix('&')?;
            let start = text.len() - behind.len();
            Change {
                bytes: start..start,
                replacement: own,
            }
        }
        Spot::Entry => entry(text, at, own),
        Spot::Through { way, tiles, back } => Change {
            replacement: through(&text[at.clone()], way, tiles, back.as_deref())?,
            bytes: at,
        },
        Spot::Over => Change {
            bytes: at,
            replacement: own,
        },
        Spot::Before => Change {
            bytes: at.start..at.start,
            replacement: own,
        },
        Spot::After => Change {
            bytes: at.end..at.end,
            replacement: own,
        },
        Spot::StatementBefore => before(text, statement_start(text, at.start), &own),
        Spot::StatementAfter => after(text, &at, &own),
        Spot::Statement => whole(text, statement_start(text, at.start)..at.end, own),
        Spot::Word(word) => Change {
            bytes: last_word(text, &at, word, |_| true)?,
            replacement: own,
        },
        Spot::Name(name) => Change {
            bytes: last_word(text, &at, name, |before| !before.trim_end().ends_with('.'))?,
            replacement: own,
        },
        Spot::Call(name) => {
            let name = last_word(text, &at, name, |before| before.trim_end().ends_with('.'))?;
            let dot = text[at.start..name.start]
                .trim_end()
                .strip_suffix('.')?
                .trim_end();
            Change {
                bytes: at.start + dot.len()..at.end,
                replacement: own,
            }
        }
    })
}

fn entry(text: &str, at: Range<usize>, own: String) -> Change {
    let behind = text[at.end..]
        .trim_start()
        .strip_prefix(',')
        .map(|rest| text.len() - rest.trim_start().len());
    let before = text[..at.start].trim_end().strip_suffix(',').map(str::len);
    let bytes = match (behind, before) {
        (Some(end), _) => at.start..end,
        (None, Some(start)) => start..at.end,
        (None, None) => at,
    };
    Change {
        bytes,
        replacement: own,
    }
}

/// Casts the tiles of an expression of one operator or method, and casts its result back.
fn through(text: &str, way: &str, tiles: &[bool], back: Option<&str>) -> Option<String> {
    let expr: syn::Expr = syn::parse_str(text).ok()?;
    let operands: Vec<&syn::Expr> = match bare(&expr) {
        syn::Expr::Binary(b) => vec![&b.left, &b.right],
        syn::Expr::MethodCall(m) => std::iter::once(&*m.receiver).chain(&m.args).collect(),
        syn::Expr::Unary(u) => vec![&u.expr],
        _ => return None,
    };
    if operands.len() < tiles.len() {
        return None;
    }
    let mut out = text.to_owned();
    for (operand, _) in operands
        .into_iter()
        .zip(tiles)
        .filter(|(_, is_tile)| **is_tile)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        let bytes = operand.span().byte_range();
        let inner = text.get(bytes.clone())?;
        let inner = if is_bound(operand) {
            format!("({inner})")
        } else {
            inner.to_owned()
        };
        out.replace_range(bytes, &format!("{inner}.cast::<{way}>()"));
    }
    let around = matches!(&expr, syn::Expr::Binary(_) | syn::Expr::Unary(_));
    Some(match back {
        Some(back) if around => format!("({out}).{back}()"),
        Some(back) => format!("{out}.{back}()"),
        None => out,
    })
}

/// Returns the first argument of a call. The flag is true where an operator behind it would bind to
/// only a part of it.
fn first_argument(text: &str) -> Option<(String, bool)> {
    let expr: syn::Expr = syn::parse_str(text).ok()?;
    let argument = match bare(&expr) {
        syn::Expr::MethodCall(m) => m.args.first()?,
        syn::Expr::Call(c) => c.args.first()?,
        _ => return None,
    };
    let text = text.get(argument.span().byte_range())?;
    Some((text.to_owned(), is_bound(argument)))
}

/// True for an expression that an operator or a method behind it would bind to only in part.
fn is_bound(e: &syn::Expr) -> bool {
    matches!(
        e,
        syn::Expr::Binary(_) | syn::Expr::Unary(_) | syn::Expr::Cast(_) | syn::Expr::Reference(_)
    )
}

/// Removes the parentheses around an expression.
fn bare(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => bare(&p.expr),
        syn::Expr::Group(g) => bare(&g.expr),
        other => other,
    }
}

/// Returns the bytes of a place, `None` where there is none.
fn bytes_of(id: SpanId, text: &str, spans: &[SourceSpan]) -> Option<Range<usize>> {
    let place = *spans.get(id.index())?;
    (place != SourceSpan::default()).then(|| byte_range(text, place))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True for a name that the front end makes where a name is declared once more: `out_1`. If the
/// text has no such word, the author's name is a different one.
fn is_numbered(word: &str) -> bool {
    let (base, number) = word.rsplit_once('_').unwrap_or_default();
    base.starts_with(|c: char| !c.is_ascii_digit())
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit())
}

/// Finds the last occurrence of a word among these bytes, behind a text that `fits`.
fn last_word(
    text: &str,
    at: &Range<usize>,
    word: &str,
    fits: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let inside = &text[at.clone()];
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    let alone = |i: &usize| {
        !inside[..*i].ends_with(is_word)
            && !inside[i + word.len()..].starts_with(is_word)
            && fits(&inside[..*i])
    };
    let mut places = inside.rmatch_indices(word).map(|(i, _)| i).filter(alone);
    let begin = at.start + places.next()?;
    if is_number && places.next().is_some() {
        return None;
    }
    Some(begin..begin + word.len())
}

/// Finds the name that a `let` gives to the value that begins at this byte.
fn name_of(text: &str, value: usize) -> Option<&str> {
    let before = text[..value].trim_end().strip_suffix('=')?;
    let pattern = &before[before.rfind([';', '{', '}']).map_or(0, |i| i + 1)..];
    let pattern = &pattern[pattern.find("let ")? + 4..];
    let name = pattern.split(':').next()?.trim();
    let name = name.strip_prefix("mut ").map_or(name, str::trim_start);
    (!name.is_empty() && name.chars().all(is_word)).then_some(name)
}

/// Finds the start of the statement around a byte: behind the semicolon or brace before it.
fn statement_start(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let begin = text[line..at]
        .rfind([';', '{', '}'])
        .map_or(line, |i| line + i + 1);
    at - text[begin..at].trim_start().len()
}

/// Returns the white space that the line of a byte begins with, and true if nothing else stands
/// before the byte.
fn indent(text: &str, at: usize) -> (&str, bool) {
    let begin = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let line = &text[begin..];
    let white = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
    (white, begin + white.len() >= at)
}

fn before(text: &str, at: usize, own: &str) -> Change {
    let replacement = match indent(text, at) {
        (white, true) => format!("{own}\n{white}"),
        _ => format!("{own} "),
    };
    Change {
        bytes: at..at,
        replacement,
    }
}

fn after(text: &str, at: &Range<usize>, own: &str) -> Change {
    let end = statement_end(text, at.end);
    let rest = text[end..].split('\n').next().unwrap_or_default().trim();
    let (white, _) = indent(text, at.start);
    if rest.is_empty() || rest.starts_with("//") {
        let line = text[end..].find('\n').map_or(text.len(), |i| end + i);
        return Change {
            bytes: line..line,
            replacement: format!("\n{white}{own}"),
        };
    }
    Change {
        bytes: end..end,
        replacement: format!(" {own}"),
    }
}

/// Finds the end of a statement: behind its semicolon, or before the brace that closes its block.
fn statement_end(text: &str, from: usize) -> usize {
    let mut depth = 0i32;
    let mut rest = text[from..].char_indices().peekable();
    while let Some((i, c)) = rest.next() {
        match c {
            '/' if text[from + i..].starts_with("//") => {
                while rest.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '(' | '[' | '{' => depth += 1,
            '}' if depth <= 0 => return from + text[from..from + i].trim_end().len(),
            ')' | ']' | '}' => depth -= 1,
            ';' if depth <= 0 => return from + i + 1,
            _ => {}
        }
    }
    text.len()
}

fn whole(text: &str, at: Range<usize>, own: String) -> Change {
    // An attribute ends at its bracket, without a semicolon.
    let end = if text[at.clone()].starts_with("#[") {
        at.end
    } else {
        statement_end(text, at.end)
    };
    let mut bytes = at.start..end;
    let tail = text[bytes.end..].split('\n').next().unwrap_or_default();
    let (white, alone) = indent(text, at.start);
    if own.is_empty() && alone && tail.trim().is_empty() {
        bytes.start -= white.len();
        bytes.end = (bytes.end + tail.len() + 1).min(text.len());
    }
    Change {
        bytes,
        replacement: own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn k() {\n    let a = q.deque(); // why\n    f(a); g(a);\n}\n";

    fn made(what: &str, spot: Spot, replacement: &str) -> String {
        let at = TEXT.find(what).expect("it is there");
        let line = TEXT[..at].matches('\n').count() as u32 + 1;
        let column = (at - TEXT[..at].rfind('\n').map_or(0, |i| i + 1)) as u32 + 1;
        let spans = [SourceSpan {
            line,
            column,
            end_line: line,
            end_column: column + what.len() as u32,
        }];
        let fix = Fix {
            edits: vec![Edit {
                span: SpanId(0),
                spot,
                replacement: replacement.into(),
                told: None,
            }],
            applicability: Applicability::MachineApplicable,
        };
        changed(TEXT, &fix.resolve(TEXT, &spans).expect("a place"))
    }

    #[test]
    fn words_and_calls_are_the_last_ones_of_their_place() {
        assert!(made("f(a); g(a)", Spot::Word("a".into()), "b").contains("f(a); g(b)"));
        assert!(made("q.deque()", Spot::Call("deque".into()), ".alloc()")
            .contains("let a = q.alloc();"));
    }

    #[test]
    fn conversions_stand_around_what_is_computed() {
        let made = |text: &str, tiles: &[bool]| through(text, "f32", tiles, Some("cast::<T>"));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            made("a + b * c", &[true, true]),
            some("(a.cast::<f32>() + (b * c).cast::<f32>()).cast::<T>()")
        );
        assert_eq!(
            made("1.0 - v", &[false, true]),
            some("(1.0 - v.cast::<f32>()).cast::<T>()")
        );
        assert_eq!(
            made("x.at(t).load().exp()", &[true]),
            some("x.at(t).load().cast::<f32>().exp().cast::<T>()")
        );
        assert_eq!(
            made("a.max(b)", &[true, true]),
            some("a.cast::<f32>().max(b.cast::<f32>()).cast::<T>()")
        );
        assert_eq!(
            through("a.gt(0.0)", "f32", &[true, false], None),
            some("a.cast::<f32>().gt(0.0)")
        );
        assert_eq!(made("a", &[true]), None);
        assert_eq!(made("f(a, b)", &[true, true]), None);
    }

    #[test]
    fn an_entry_goes_with_its_comma() {
        let gone = |text: &str, what: &str| {
            let at = text.find(what).expect("it is there");
            changed(text, &[entry(text, at..at + what.len(), String::new())])
        };
        assert_eq!(gone("[a, b, c]", "b"), "[a, c]");
        assert_eq!(gone("[a, b]", "b"), "[a]");
        assert_eq!(gone("[b]", "b"), "[]");
    }

    #[test]
    fn a_name_is_that_of_the_let() {
        for (text, name) in [
            ("let a = f()", Some("a")),
            ("{ let mut b: T = f()", Some("b")),
            ("let (a, b) = f()", None),
            ("a + f()", None),
        ] {
            assert_eq!(name_of(text, text.len() - 3), name, "{text}");
        }
    }

    #[test]
    fn an_edit_stands_where_its_spot_says() {
        assert!(made("q.deque()", Spot::Over, "b").contains("let a = b; // why"));
        assert!(made("q.deque", Spot::Before, "&mut ").contains("let a = &mut q.deque();"));
        assert!(made("q.deque", Spot::After, "::<f32>").contains("let a = q.deque::<f32>();"));
    }

    #[test]
    fn an_index_is_that_of_the_call() {
        let said = |text: &str| first_argument(text);
        assert_eq!(
            said("y.set_value((a + i) * 16, f(1.0))"),
            Some(("(a + i) * 16".into(), true))
        );
        assert_eq!(said("y.get_value(at)"), Some(("at".into(), false)));
        assert_eq!(said("y.len()"), None);
        assert_eq!(said("y + 1"), None);
        let told = |told| {
            let spans = [SourceSpan {
                line: 2,
                column: 1,
                end_line: 2,
                end_column: 26,
            }];
            let edit = Edit {
                span: SpanId(0),
                spot: Spot::StatementAfter,
                replacement: "y.clean(@);".into(),
                told: Some(told),
            };
            let fix = Fix {
                edits: vec![edit],
                applicability: Applicability::MaybeIncorrect,
            };
            let text = "{\ny.set_value(a * 256, 0.5);\n}";
            changed(text, &fix.resolve(text, &spans).expect("a place"))
        };
        assert!(told(Told::Argument(SpanId(0))).contains(";\ny.clean(a * 256);\n}"));
        assert!(told(Told::Line(SpanId(0), 16)).contains(";\ny.clean((a * 256) / 16 * 16);\n}"));
    }

    #[test]
    fn statements_keep_the_lines_of_their_neighbours() {
        assert!(
            made("q.deque()", Spot::StatementAfter, "h();").contains("// why\n    h();\n    f(a);")
        );
        assert!(made("f(a)", Spot::StatementAfter, "h();").contains("f(a); h(); g(a);"));
        assert!(made("f(a)", Spot::StatementBefore, "h();").contains("    h();\n    f(a); g(a);"));
        assert!(made("g(a)", Spot::StatementBefore, "h();").contains("f(a); h(); g(a);"));
        assert!(
            made("g(a)", Spot::Statement, "").contains("f(a); \n}"),
            "{}",
            made("g(a)", Spot::Statement, "")
        );
        assert_eq!(
            made("f(a); g(a)", Spot::Statement, ""),
            "fn k() {\n    let a = q.deque(); // why\n}\n"
        );
    }

    #[test]
    fn what_has_no_place_or_overlaps_is_no_fix() {
        let edit = |span| Edit {
            span: SpanId(span),
            spot: Spot::Over,
            replacement: String::new(),
            told: None,
        };
        let fix = |edits| Fix {
            edits,
            applicability: Applicability::MaybeIncorrect,
        };
        let spans = [
            SourceSpan {
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 3,
            },
            SourceSpan::default(),
        ];
        assert_eq!(fix(vec![edit(1)]).resolve(TEXT, &spans), None);
        assert_eq!(fix(vec![edit(7)]).resolve(TEXT, &spans), None);
        assert_eq!(fix(vec![edit(0), edit(0)]).resolve(TEXT, &spans), None);
        assert_eq!(fix(vec![]).resolve(TEXT, &spans), None);
        let said = |text: &str| {
            fix(vec![Edit {
                replacement: text.into(),
                ..edit(0)
            }])
            .resolve(TEXT, &spans)
            .is_some()
        };
        assert!(said("q.free_tensor(a) + 1_000") && !said("q_1.free_tensor(a)"));
    }
}
