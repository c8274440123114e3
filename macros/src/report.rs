//! Findings as compiler errors and warnings at their places.
//!
//! Stable Rust gives a macro one place and one text for each error. The first label therefore
//! decides the place. The other labels, notes and helps become lines of the message, which rustc
//! prints indented under `error: `. A warning is the use of a constant marked `#[deprecated]`: the
//! only warning with a place that stable Rust allows. In rust-analyzer every span has line 1,
//! column 1; such a number is left out.

use jumar_dsl::diag::Diagnostic;
use jumar_dsl::ir::{SourceSpan, SpanId};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// The places of one kernel: tokens for the compiler, lines and columns for the text.
pub struct Places<'a> {
    /// First and last token of each span id.
    pub tokens: &'a [(Span, Span)],
    /// Line and column of each span id.
    pub spans: &'a [SourceSpan],
    /// First token of the kernel, for a finding without a place.
    pub fallback: Span,
}

impl Places<'_> {
    fn tokens(&self, id: SpanId) -> (Span, Span) {
        self.tokens
            .get(id.index())
            .copied()
            .unwrap_or((self.fallback, self.fallback))
    }
    fn line_column(&self, id: SpanId) -> Option<(u32, u32)> {
        let s = self.spans.get(id.index())?;
        ((s.line, s.column) > (1, 1)).then_some((s.line, s.column))
    }
}

/// Returns a finding as items: a `compile_error!`, or the use of a deprecated constant.
pub fn items(d: &Diagnostic, places: &Places<'_>) -> TokenStream {
    let (first, last) = places.tokens(d.span());
    let message = message(d, places);
    if d.is_error() {
        error(&message, first, last)
    } else {
        warning(&message, first)
    }
}

/// Returns `::core::compile_error! { "message" }`, underlined from the first to the last token.
pub fn error(message: &str, first: Span, last: Span) -> TokenStream {
    let punct = |c, spacing| {
        let mut p = Punct::new(c, spacing);
        p.set_span(first);
        TokenTree::Punct(p)
    };
    let path = ["core", "compile_error"].into_iter().flat_map(|name| {
        let name = TokenTree::Ident(Ident::new(name, first));
        [punct(':', Spacing::Joint), punct(':', Spacing::Alone), name]
    });
    let mut text = Literal::string(message);
    text.set_span(last);
    let mut body = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
    body.set_span(last);
    path.chain([punct('!', Spacing::Alone), TokenTree::Group(body)])
        .collect()
}

fn warning(message: &str, place: Span) -> TokenStream {
    // rustc prints the name before the message: "use of deprecated constant `_::kernel`: J0602:
    // ...".
    let name = Ident::new("kernel", place);
    quote! {
        const _: () = {
            #[deprecated(note = #message)]
            #[allow(non_upper_case_globals)]
            const #name: () = ();
            let _ = #name;
        };
    }
}

/// Returns code and message, then one line for each label, note and help.
fn message(d: &Diagnostic, places: &Places<'_>) -> String {
    let mut out = format!("{}: {}", d.code, d.message);
    let mut line = |head: &str, text: &str| {
        let mut lines = text.lines();
        out.push_str(&format!("\n  = {head}{}", lines.next().unwrap_or_default()));
        // The lines of a table stay aligned.
        lines.for_each(|more| {
            out.push_str(&format!("\n    {:width$}{more}", "", width = head.len()))
        });
    };
    for (i, label) in d
        .labels
        .iter()
        .enumerate()
        .filter(|(_, label)| !label.text.is_empty())
    {
        match places.line_column(label.span) {
            Some((l, c)) if i > 0 => line(&format!("line {l}:{c}: "), &label.text),
            _ => line("", &label.text),
        }
    }
    d.notes.iter().for_each(|note| line("note: ", note));
    d.help.iter().for_each(|help| line("help: ", help));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar_dsl::diag::Code;

    #[test]
    fn labels_notes_and_help_are_lines_of_the_message() {
        let spans = [(8, 23), (3, 5), (1, 1)].map(|(line, column)| SourceSpan {
            line,
            column,
            end_line: line,
            end_column: column + 1,
        });
        let places = Places {
            tokens: &[],
            spans: &spans,
            fallback: Span::call_site(),
        };
        let d = Diagnostic::new(
            Code::J0202,
            SpanId(0),
            "a tile of `f32` is stored to a tensor of `T`",
        )
        .at("this is `f32`")
        .label(SpanId(1), "declared here")
        .label(SpanId(2), "in an editor there is no line")
        .note("one\ntwo")
        .help("convert it first: `.cast::<T>()`");
        let want = "\
J0202: a tile of `f32` is stored to a tensor of `T`
  = this is `f32`
  = line 3:5: declared here
  = in an editor there is no line
  = note: one
          two
  = help: convert it first: `.cast::<T>()`";
        assert_eq!(message(&d, &places), want);
    }

    #[test]
    fn an_error_is_a_compile_error_and_a_warning_the_use_of_a_deprecated_constant() {
        let places = Places {
            tokens: &[],
            spans: &[],
            fallback: Span::call_site(),
        };
        let error = items(&Diagnostic::new(Code::J0202, SpanId(0), "wrong"), &places).to_string();
        assert_eq!(
            error.replace(' ', ""),
            "::core::compile_error!{\"J0202:wrong\"}"
        );
        let warning = items(&Diagnostic::new(Code::J0602, SpanId(0), "maybe"), &places).to_string();
        assert!(warning.contains("deprecated") && warning.contains("J0602: maybe"));
    }
}
