//! What a run showed besides its results: `v.dump("name")` of a kernel.
//!
//! A value is shown where the statement stands, once a turn: by the interpreter as the whole tile that it is, by the simulator as the rows
//! that the lowered call sees. What is kept is bounded, as what a chip prints is; what is left out is counted.

use std::fmt;

/// Elements that are kept of a value each time that it is shown.
const MOST_ELEMENTS: usize = 1024;
/// Values that are kept of a block.
const MOST_DUMPS: usize = 64;
/// Rows, and elements of a row, that are printed.
const PRINTED: usize = 16;

/// What a run showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Values, block by block and in the order of its statements.
    pub dumps: Vec<Dump>,
    /// How many values were not kept.
    pub left_out: usize,
    /// Lines that emitted text printed, with the block.
    pub printed: Vec<(i64, String)>,
}

impl Shown {
    /// Keeps a value, where there are not too many.
    pub(crate) fn keep(&mut self, dump: impl FnOnce() -> Dump) {
        match self.dumps.len() < MOST_DUMPS {
            true => self.dumps.push(dump()),
            false => self.left_out += 1,
        }
    }

    /// Adds what another block showed.
    pub(crate) fn join(&mut self, block: Shown) {
        self.dumps.extend(block.dumps);
        self.left_out += block.left_out;
        self.printed.extend(block.printed);
    }
}

/// Lines for a reader, none where nothing was shown.
impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dumps.iter().try_for_each(|dump| write!(f, "{dump}"))?;
        if self.left_out > 0 {
            writeln!(f, "{} more are not shown", self.left_out)?;
        }
        self.printed
            .iter()
            .try_for_each(|(block, line)| writeln!(f, "block {block}: {}", line.trim_end()))
    }
}

/// A value that was shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// The name that the author gave, and the axes, that of neighbours last: `v [r, d]`.
    pub title: String,
    /// The line of the statement.
    pub line: u32,
    /// The block; the interpreter knows none.
    pub block: Option<i64>,
    /// Elements of a row.
    pub cols: usize,
    /// Elements in all.
    pub len: usize,
    /// The first elements, row by row.
    pub elements: Vec<Element>,
}

impl Dump {
    /// The first of so many elements, each found where it is kept.
    pub(crate) fn new(
        (title, line, block): (String, u32, Option<i64>),
        (rows, cols): (usize, usize),
        element: impl FnMut(usize) -> Element,
    ) -> Dump {
        let len = rows.saturating_mul(cols);
        Dump {
            title,
            line,
            block,
            cols,
            len,
            elements: (0..len.min(MOST_ELEMENTS)).map(element).collect(),
        }
    }
}

impl fmt::Display for Dump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.len / self.cols.max(1);
        write!(f, "{}, line {}", self.title, self.line)?;
        if let Some(block) = self.block {
            write!(f, ", block {block}")?;
        }
        writeln!(f, ": {rows} x {}", self.cols)?;
        for row in self.elements.chunks(self.cols.max(1)).take(PRINTED) {
            let kept = row
                .iter()
                .take(PRINTED)
                .map(Element::to_string)
                .collect::<Vec<_>>()
                .join(" ");
            writeln!(
                f,
                "  {kept}{}",
                if self.cols > PRINTED { " .." } else { "" }
            )?;
        }
        if rows > PRINTED || self.elements.len() < self.len.min(rows * PRINTED) {
            writeln!(f, "  ..")?;
        }
        Ok(())
    }
}

/// An element that was shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    /// A float of any width.
    Float(f32),
    /// A whole number, or a bool as 0 or 1.
    Whole(i64),
    /// Memory that was never written.
    Nothing,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Float(v) => write!(f, "{v}"),
            Element::Whole(v) => write!(f, "{v}"),
            Element::Nothing => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(rows: usize, cols: usize) -> Dump {
        Dump::new(("v [r, d]".into(), 7, Some(1)), (rows, cols), |i| {
            Element::Whole(i as i64)
        })
    }

    #[test]
    fn what_is_kept_and_printed_is_bounded() {
        assert_eq!(
            dump(2, 3).to_string(),
            "v [r, d], line 7, block 1: 2 x 3\n  0 1 2\n  3 4 5\n"
        );
        assert_eq!(dump(0, 3).to_string(), "v [r, d], line 7, block 1: 0 x 3\n");
        let long = dump(1000, 1000);
        assert_eq!((long.len, long.elements.len()), (1_000_000, MOST_ELEMENTS));
        assert_eq!(long.to_string().lines().count(), 4, "{long}");
        assert!(dump(100, 1).to_string().ends_with("  15\n  ..\n"));
        let mut shown = Shown::default();
        (0..100).for_each(|_| shown.keep(|| dump(1, 1)));
        assert_eq!(
            (shown.dumps.len(), shown.left_out),
            (MOST_DUMPS, 100 - MOST_DUMPS)
        );
        assert!(shown.to_string().ends_with("36 more are not shown\n"));
    }
}
