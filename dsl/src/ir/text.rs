//! The text form of the IR: one S-expression a node, printed and parsed from one declaration.
//!
//! `parse(print(x)) == x` holds by construction. Bug reports, tests and the macro's expansion use
//! it. `text_struct!` and `text_enum!` give a type both directions; leaf types implement [`Text`]
//! by hand below.

use std::fmt;
use std::sync::Arc;

/// Version of the text form; the first token of every printed kernel.
pub const VERSION: &str = "jumar-ir-10";

/// The reason that a text is not IR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The expectation and the token found.
    pub message: String,
    /// 1-based line of the text.
    pub line: usize,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IR text, line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// A node with a text form.
pub trait Text: Sized {
    /// True where each item of a list of these has a line of its own.
    const LINE: bool = false;
    /// Words that may stand first in its brackets, where they select the variant.
    const TAGS: &'static [&'static str] = &[];
    /// Appends the node to `p`.
    fn print(&self, p: &mut Printer);
    /// Reads one node.
    ///
    /// # Errors
    /// Fails when the next tokens are no such node.
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError>;
}

/// Collects text with indentation.
#[derive(Default)]
pub struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    /// Appends a token, with a space before it where one is needed.
    pub fn token(&mut self, token: &str) {
        if !(self.out.is_empty() || self.out.ends_with(['(', '[', ' ', '\n'])) {
            self.out.push(' ');
        }
        self.out.push_str(token);
    }
    pub fn open(&mut self, bracket: char) {
        self.token("");
        self.out.push(bracket);
    }
    pub fn close(&mut self, bracket: char) {
        self.out.push(bracket);
    }
    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }
    /// Returns the text so far.
    pub fn finish(mut self) -> String {
        self.out.push('\n');
        self.out
    }
}

/// Walks the tokens of a text.
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Nesting so far; bounded, so that no input can overflow the stack.
    depth: usize,
    /// Type and start of each struct so far, in the order of the text.
    nodes: Vec<(&'static str, usize)>,
}

/// Most brackets inside one another. Kernels that the front end accepts have some 300. Reading,
/// walking and dropping so many fits in a small thread's stack in an unoptimised build.
pub const MAX_DEPTH: usize = 400;

impl<'a> Reader<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Reader {
            text,
            at: 0,
            depth: 0,
            nodes: Vec::new(),
        }
    }
    /// Makes an error at the present place.
    pub fn error(&self, message: impl Into<String>) -> TextError {
        TextError {
            message: message.into(),
            line: self.line(self.at),
        }
    }
    fn line(&self, at: usize) -> usize {
        1 + self.text[..at.min(self.text.len())].matches('\n').count()
    }
    /// Notes that a node of this type starts here.
    pub fn node(&mut self, of: &'static str) {
        self.skip();
        self.nodes.push((of, self.at));
    }
    /// Makes an error at the `nth` node of a type, counted from 1, or at the beginning where there
    /// is none.
    pub(super) fn error_at(&self, (of, nth): (&str, usize), message: String) -> TextError {
        let at = self
            .nodes
            .iter()
            .filter(|(t, _)| *t == of)
            .nth(nth.saturating_sub(1))
            .map_or(0, |(_, at)| *at);
        TextError {
            message,
            line: self.line(at),
        }
    }
    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }
    /// Returns the next token without taking it, empty at the end.
    pub fn peek(&mut self) -> &'a str {
        self.skip();
        let rest = &self.text[self.at..];
        let mut chars = rest.char_indices();
        let end = match chars.next() {
            None => 0,
            Some((_, '(' | ')' | '[' | ']')) => 1,
            Some((_, '"')) => {
                let mut escaped = false;
                let mut end = rest.len();
                for (i, c) in chars {
                    match c {
                        _ if escaped => escaped = false,
                        '\\' => escaped = true,
                        '"' => {
                            end = i + 1;
                            break;
                        }
                        _ => {}
                    }
                }
                end
            }
            Some(_) => rest
                .find(|c: char| c.is_whitespace() || "()[]\"".contains(c))
                .unwrap_or(rest.len()),
        };
        &rest[..end]
    }
    /// Returns the token behind the next one, which opens a bracket, without taking either.
    pub fn peek_tag(&mut self) -> &'a str {
        let at = self.at;
        self.take();
        let tag = self.peek();
        self.at = at;
        tag
    }
    pub fn take(&mut self) -> &'a str {
        let token = self.peek();
        self.at += token.len();
        token
    }
    /// Takes `token`.
    ///
    /// # Errors
    /// Fails when the next token is another one.
    pub fn expect(&mut self, token: &str) -> Result<(), TextError> {
        let found = self.peek();
        if found != token {
            return Err(self.error(format!("expected `{token}`, found {}", shown(found))));
        }
        match token {
            "(" | "[" => self.depth += 1,
            ")" | "]" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("more than {MAX_DEPTH} brackets inside one another")));
        }
        self.take();
        Ok(())
    }
}

/// Prints one node as a whole text.
pub fn to_text<T: Text>(node: &T) -> String {
    let mut p = Printer::default();
    p.token(VERSION);
    p.line();
    node.print(&mut p);
    p.finish()
}

/// Parses a whole text as one node.
///
/// # Errors
/// Fails when the version line or the node is malformed, or something follows the node.
pub fn from_text<T: Text>(text: &str) -> Result<T, TextError> {
    whole(text).map(|(node, _)| node)
}

/// Parses a whole text, and returns the reader, which knows the places of its parts.
pub(super) fn whole<T: Text>(text: &str) -> Result<(T, Reader<'_>), TextError> {
    let mut r = Reader::new(text);
    r.expect(VERSION)?;
    let node = T::parse(&mut r)?;
    match r.peek() {
        "" => Ok((node, r)),
        more => Err(r.error(format!("expected the end, found {}", shown(more)))),
    }
}

/// Writes a token for messages. A text that is cut off has none, and a token may be as long as the
/// text.
pub(super) fn shown(token: &str) -> String {
    const MOST: usize = 40;
    match token.char_indices().nth(MOST) {
        _ if token.is_empty() => "the end".to_string(),
        Some((end, _)) => format!("`{}..`", &token[..end]),
        None => format!("`{token}`"),
    }
}

/// Writes the message for an unknown tag.
pub(super) fn no_tag(tag: &str, of: &str, tags: &[&str]) -> String {
    let known: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    format!("{} is no {of}; there are {}", shown(tag), known.join(" "))
}

/// Parses the number of an id: digits and nothing else.
pub(super) fn digits<T: std::str::FromStr>(token: &str) -> Option<T> {
    token
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| token.parse().ok())?
}

macro_rules! text_number {
    ($($t:ty),*) => {$(
        impl Text for $t {
            fn print(&self, p: &mut Printer) {
                p.token(&format!("{self:?}"));
            }
            fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
                let token = r.peek();
                let value = token.parse().map_err(|_| r.error(format!(concat!("expected a number (", stringify!($t), "), found {}"), shown(token))))?;
                r.take();
                Ok(value)
            }
        }
    )*};
}
text_number!(i64, u64, u32, u16, u8, usize, f32);

impl Text for bool {
    fn print(&self, p: &mut Printer) {
        p.token(if *self { "true" } else { "false" });
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let value = token.parse().map_err(|_| {
            r.error(format!(
                "expected `true` or `false`, found {}",
                shown(token)
            ))
        })?;
        r.take();
        Ok(value)
    }
}

impl Text for String {
    fn print(&self, p: &mut Printer) {
        p.token(&format!("{self:?}"));
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let inner = token
            .strip_prefix('"')
            .and_then(|t| t.strip_suffix('"'))
            .ok_or_else(|| r.error(format!("expected a string, found {}", shown(token))))?;
        let text = unescape(inner)
            .ok_or_else(|| r.error(format!("no escape of a string: {}", shown(token))))?;
        r.take();
        Ok(text)
    }
}

/// Reverses the escapes that `{:?}` makes in a string.
fn unescape(inner: &str) -> Option<String> {
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            'u' => {
                let hex: String = chars
                    .by_ref()
                    .skip_while(|c| *c == '{')
                    .take_while(|c| *c != '}')
                    .collect();
                out.push(char::from_u32(u32::from_str_radix(&hex, 16).ok()?)?);
            }
            c => out.push(c),
        }
    }
    Some(out)
}

impl<T: Text> Text for Vec<T> {
    fn print(&self, p: &mut Printer) {
        p.open('[');
        p.indent += 1;
        for item in self {
            if T::LINE {
                p.line();
            }
            item.print(p);
        }
        p.indent -= 1;
        if T::LINE && !self.is_empty() {
            p.line();
        }
        p.close(']');
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        r.expect("[")?;
        let mut items = Vec::new();
        while !matches!(r.peek(), "]" | "") {
            items.push(T::parse(r)?);
        }
        r.expect("]")?;
        Ok(items)
    }
}

impl<T: Text> Text for Arc<T> {
    const LINE: bool = T::LINE;
    fn print(&self, p: &mut Printer) {
        T::print(self, p);
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        T::parse(r).map(Arc::new)
    }
}

impl<T: Text> Text for Option<T> {
    fn print(&self, p: &mut Printer) {
        match self {
            None => p.token("_"),
            Some(v) => v.print(p),
        }
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        if r.peek() == "_" {
            r.take();
            return Ok(None);
        }
        T::parse(r).map(Some)
    }
}

/// Gives a struct the form `(tag field field …)`; `line` puts each on a line of its own in a list.
macro_rules! text_struct {
    ($t:ident $(<$l:ident>)? $tag:literal { $($f:ident),* $(,)? } $(line $line:literal)?) => {
        impl $(<$l: $crate::ir::Dialect>)? $crate::ir::text::Text for $t $(<$l>)? {
            $(const LINE: bool = $line;)?
            fn print(&self, p: &mut $crate::ir::text::Printer) {
                p.open('(');
                p.token($tag);
                $($crate::ir::text::Text::print(&self.$f, p);)*
                p.close(')');
            }
            fn parse(r: &mut $crate::ir::text::Reader<'_>) -> Result<Self, $crate::ir::text::TextError> {
                r.node(stringify!($t));
                r.expect("(")?;
                r.expect($tag)?;
                $(let $f = $crate::ir::text::Text::parse(r)?;)*
                r.expect(")")?;
                Ok($t { $($f),* })
            }
        }
    };
}
pub(crate) use text_struct;

/// Gives an enum whose variants have named fields the forms `(tag field …)`. The variant behind
/// `else` is an enum of its own with its own tags.
macro_rules! text_enum {
    (
        $t:ident $(<$l:ident>)? { $($v:ident = $tag:literal { $($f:ident),* }),* $(,)? } $(else $other:ident($inner:ident))? $(line $line:literal)?
    ) => {
        impl $(<$l: $crate::ir::Dialect>)? $crate::ir::text::Text for $t $(<$l>)? {
            $(const LINE: bool = $line;)?
            const TAGS: &'static [&'static str] = &[$($tag),*];
            fn print(&self, p: &mut $crate::ir::text::Printer) {
                match self {
                    $($t::$v { $($f),* } => {
                        p.open('(');
                        p.token($tag);
                        $($crate::ir::text::Text::print($f, p);)*
                        p.close(')');
                    })*
                    $($t::$other(inner) => $crate::ir::text::Text::print(inner, p),)?
                }
            }
            fn parse(r: &mut $crate::ir::text::Reader<'_>) -> Result<Self, $crate::ir::text::TextError> {
                if <Self as $crate::ir::text::Text>::LINE {
                    r.node(stringify!($t));
                }
                $(if <$inner as $crate::ir::text::Text>::TAGS.contains(&r.peek_tag()) {
                    return $crate::ir::text::Text::parse(r).map($t::$other);
                })?
                r.expect("(")?;
                let tag = r.peek();
                let node = match tag {
                    $($tag => {
                        r.take();
                        $(let $f = $crate::ir::text::Text::parse(r)?;)*
                        $t::$v { $($f),* }
                    })*
                    _ => {
                        let tags = [Self::TAGS $(, <$inner as $crate::ir::text::Text>::TAGS)?].concat();
                        return Err(r.error($crate::ir::text::no_tag(tag, stringify!($t), &tags)));
                    }
                };
                r.expect(")")?;
                Ok(node)
            }
        }
    };
}
pub(crate) use text_enum;

/// Reads one of some words; `kind` names them in messages.
pub(super) fn one_of<T>(
    r: &mut Reader<'_>,
    kind: &str,
    mut words: impl Iterator<Item = (&'static str, T)> + Clone,
) -> Result<T, TextError> {
    let (found, all) = (r.peek(), words.clone());
    let Some((_, value)) = words.find(|(word, _)| *word == found) else {
        let all: Vec<_> = all.map(|(word, _)| format!("`{word}`")).collect();
        return Err(r.error(format!(
            "{} is no {kind}; there are {}",
            shown(found),
            all.join(" ")
        )));
    };
    r.take();
    Ok(value)
}

/// Gives an enum without fields one word for each variant.
macro_rules! text_word {
    ($t:ident { $($v:ident = $word:literal),* $(,)? }) => {
        impl $t {
            /// Returns the word for this variant in the IR text.
            pub const fn word(self) -> &'static str {
                match self { $($t::$v => $word),* }
            }
        }
        impl $crate::ir::text::Text for $t {
            fn print(&self, p: &mut $crate::ir::text::Printer) {
                p.token(self.word());
            }
            fn parse(r: &mut $crate::ir::text::Reader<'_>) -> Result<Self, $crate::ir::text::TextError> {
                $crate::ir::text::one_of(r, stringify!($t), [$(($word, $t::$v)),*].into_iter())
            }
        }
    };
}
pub(crate) use text_word;

/// Declares a table index as prefix and number: `%3`.
macro_rules! text_id {
    ($($(#[$m:meta])* $t:ident = $prefix:literal),* $(,)?) => {$(
        $(#[$m])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $t(pub u32);
        impl $t {
            pub const fn index(self) -> usize { self.0 as usize }
        }
        impl $crate::ir::text::Text for $t {
            fn print(&self, p: &mut $crate::ir::text::Printer) {
                p.token(&format!(concat!($prefix, "{}"), self.0));
            }
            fn parse(r: &mut $crate::ir::text::Reader<'_>) -> Result<Self, $crate::ir::text::TextError> {
                let token = r.peek();
                let id = token.strip_prefix($prefix).and_then($crate::ir::text::digits)
                    .ok_or_else(|| r.error(format!(
                        concat!("expected a ", stringify!($t), " (`", $prefix, "0`), found {}"),
                        $crate::ir::text::shown(token)
                    )))?;
                r.take();
                Ok($t(id))
            }
        }
    )*};
}
pub(crate) use text_id;
