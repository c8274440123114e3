//! The picture of an error in the README: the output of the terminal, as SVG.

use crate::pages::hold;
use jumar::load::check_text;
use jumar_kit::book::page;
use std::fmt::Write;

/// Width of a character and height of a line, in units of the picture.
const CELL: (usize, usize) = (8, 18);

#[test]
fn the_picture_of_an_error_is_fresh() {
    let kernel = page("README.md").fences().remove(0).body;
    let wrong = kernel.replace(".cast::<T>());", ");");
    assert_ne!(wrong, kernel, "the README's kernel ends with a cast");
    let file = check_text("softmax.rs", &wrong, None);
    let text = format!(
        "\u{1b}[1m$ jumar check softmax.rs\u{1b}[0m\n{}",
        file.render(true)
    );
    hold("book/src/images/error.svg", &svg(text.trim_end()), "book").unwrap();
}

/// Draws a text with the colours of a terminal.
fn svg(text: &str) -> String {
    let lines: Vec<Vec<(Style, String)>> = styled(text);
    let wide = lines
        .iter()
        .map(|line| {
            line.iter()
                .map(|(_, part)| part.chars().count())
                .sum::<usize>()
        })
        .max()
        .unwrap_or(0);
    let (width, height) = (wide * CELL.0 + 32, lines.len() * CELL.1 + 28);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1e1e28\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\" xml:space=\"preserve\">\n"
    );
    for (nth, line) in lines.iter().enumerate() {
        let y = nth * CELL.1 + 28;
        let mut column = 0;
        for (style, part) in line {
            let x = column * CELL.0 + 16;
            column += part.chars().count();
            let weight = if style.bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let part = part
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let length = part_length(&part, column * CELL.0 + 16 - x);
            let _ = writeln!(
                out,
                "<text x=\"{x}\" y=\"{y}\" fill=\"{}\"{weight}{length}>{part}</text>",
                style.fill
            );
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

/// Keeps a part as wide as its columns in every font.
fn part_length(part: &str, width: usize) -> String {
    if part.trim().is_empty() {
        return String::new();
    }
    format!(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"")
}

#[derive(Clone, Copy)]
struct Style {
    fill: &'static str,
    bold: bool,
}

const PLAIN: Style = Style {
    fill: "#d8d8e0",
    bold: false,
};

/// Splits a text into lines, and those into parts of one style. Codes of other looks are dropped.
fn styled(text: &str) -> Vec<Vec<(Style, String)>> {
    let mut style = PLAIN;
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut parts: Vec<(Style, String)> = Vec::new();
        for (nth, piece) in line.split("\u{1b}[").enumerate() {
            let shown = match piece.split_once('m') {
                Some((codes, rest)) if nth > 0 => {
                    codes.split(';').for_each(|code| style = after(style, code));
                    rest
                }
                _ => piece,
            };
            if !shown.is_empty() {
                parts.push((style, shown.to_owned()));
            }
        }
        lines.push(parts);
    }
    lines
}

/// Returns the style behind a code of a terminal.
fn after(style: Style, code: &str) -> Style {
    let fill = |fill| Style { fill, ..style };
    match code {
        "" | "0" => PLAIN,
        "1" => Style {
            bold: true,
            ..style
        },
        "31" | "91" => fill("#ff6b6b"),
        "32" | "92" => fill("#7bd88f"),
        "33" | "93" => fill("#ffd866"),
        "34" | "94" => fill("#6cb6ff"),
        "36" | "96" => fill("#6fd6d6"),
        "39" => fill(PLAIN.fill),
        _ => style,
    }
}
