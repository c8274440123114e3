//! A picture as SVG text: rectangles, lines and words.

use std::fmt::Write;

/// A picture that grows from its top.
pub struct Svg {
    body: String,
    pub width: f64,
}

/// A rectangle. Viewers show its title where the pointer rests.
pub struct Rect<'a> {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub fill: &'a str,
    pub title: &'a str,
}

/// The end of a text that stands at its place.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A text at a place.
pub struct Words<'a> {
    pub x: f64,
    pub y: f64,
    pub size: u32,
    pub anchor: Anchor,
    pub fill: &'a str,
    pub text: &'a str,
}

/// A straight line.
pub struct Line<'a> {
    pub from: (f64, f64),
    pub to: (f64, f64),
    pub stroke: &'a str,
    pub width: f64,
    pub dashed: bool,
}

impl Svg {
    pub fn new(width: f64) -> Svg {
        Svg {
            body: String::new(),
            width,
        }
    }

    pub fn rect(&mut self, rect: &Rect<'_>) {
        let Rect {
            x,
            y,
            width,
            height,
            fill,
            title,
        } = rect;
        let _ = write!(
            self.body,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{fill}\""
        );
        self.body += &match title.is_empty() {
            true => "/>\n".to_string(),
            false => format!("><title>{}</title></rect>\n", escaped(title)),
        };
    }

    pub fn line(&mut self, line: &Line<'_>) {
        let Line {
            from,
            to,
            stroke,
            width,
            dashed,
        } = line;
        let dashes = if *dashed {
            " stroke-dasharray=\"6 4\""
        } else {
            ""
        };
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" stroke=\"{stroke}\" stroke-width=\"{width}\"{dashes}/>",
            from.0, from.1, to.0, to.1
        );
    }

    pub fn words(&mut self, words: &Words<'_>) {
        let Words {
            x, y, size, fill, ..
        } = words;
        let anchor = match words.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{fill}\">{}</text>",
            escaped(words.text)
        );
    }

    pub fn dot(&mut self, x: f64, y: f64, fill: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"6\" fill=\"{fill}\"/>"
        );
    }

    /// Returns the picture as a file of its own.
    pub fn finish(self, height: f64) -> String {
        let Svg { body, width } = self;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }
}

/// Escapes what XML reads as its own, and replaces characters that it does not take.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Returns a step of 1, 2 or 5 times a power of ten, by which a span has some eight ticks.
pub fn step(span: f64) -> f64 {
    let least = span / 8.0;
    let power = 10f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0].into_iter();
    let mut steps = factors.map(|factor| factor * power);
    steps.find(|step| *step >= least).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::{escaped, step};

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escaped("Add<a> & \"b\"\u{1}"),
            "Add&lt;a&gt; &amp; &quot;b&quot;\u{fffd}"
        );
    }

    #[test]
    fn a_span_has_some_ticks() {
        for (span, wanted) in [(3.78, 0.5), (100.0, 20.0), (8.0, 1.0), (0.9, 0.2)] {
            assert!(
                (step(span) - wanted).abs() < 1e-12,
                "{span}: {}",
                step(span)
            );
        }
    }
}
