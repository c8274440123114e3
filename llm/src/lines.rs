//! Lines of an untrusted input: the reader drops an overlong line instead of holding it.

use std::io::{self, BufRead, Read};

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The whole line.
    Whole(Vec<u8>),
    /// A line above the limit, whose bytes were dropped.
    TooLong,
}

/// Returns the next line of at most `most` bytes that is not blank, or `None` at the end. The last
/// line needs no newline.
///
/// # Errors
/// If the input cannot be read.
pub fn next(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
    loop {
        let mut line = Vec::new();
        if input
            .by_ref()
            .take(most as u64 + 1)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(None);
        }
        if line.len() > most && line.last() != Some(&b'\n') {
            skip(input)?;
            return Ok(Some(Line::TooLong));
        }
        let whole = line.trim_ascii();
        if !whole.is_empty() {
            return Ok(Some(Line::Whole(whole.to_vec())));
        }
    }
}

/// Drops the rest of a line.
fn skip(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let held = input.fill_buf()?;
        let (taken, ends) = match held.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (held.len(), held.is_empty()),
        };
        input.consume(taken);
        if ends {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_or_too_long() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        for (text, want) in [
            ("", vec![]),
            ("\n  \n", vec![]),
            ("a\n\nb", vec![whole("a"), whole("b")]),
            ("a\r\n", vec![whole("a")]),
            ("12345678\n1", vec![whole("12345678"), whole("1")]),
            ("123456789\n1\n", vec![Line::TooLong, whole("1")]),
            ("123456789", vec![Line::TooLong]),
        ] {
            let mut input = io::BufReader::with_capacity(4, text.as_bytes());
            let mut found = Vec::new();
            while let Some(line) = next(&mut input, 8).expect("a text") {
                found.push(line);
            }
            assert_eq!(found, want, "{text:?}");
        }
    }
}
