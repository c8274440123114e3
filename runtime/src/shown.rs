//! Dumps of a run: the values of `v.dump("name")` in a kernel.
//!
//! A value is dumped where the statement stands, once in each iteration. The interpreter dumps the
//! whole tile; the simulator dumps the rows of the lowered call. As on a chip, the dumps that are
//! kept are bounded; the others are counted.

use std::fmt;

/// Elements that are kept of each dumped value.
const MOST_ELEMENTS: usize = 1024;
/// Values that are kept of a block.
const MOST_DUMPS: usize = 64;
/// Rows, and elements of a row, that are printed.
const PRINTED: usize = 16;

/// The dumps of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Values, by block and then in the order of its statements.
    pub dumps: Vec<Dump>,
    /// The number of values that were not kept.
    pub left_out: usize,
    /// Lines that emitted text printed, with the block.
    pub printed: Vec<(i64, String)>,
}

impl Shown {
    /// Keeps a value, unless there are too many.
    pub(crate) fn keep(&mut self, dump: impl FnOnce() -> Dump) {
        match self.dumps.len() < MOST_DUMPS {
            true => self.dumps.push(dump()),
            false => self.left_out += 1,
        }
    }

    /// Adds the dumps of another block.
    pub(crate) fn join(&mut self, block: Shown) {
        self.dumps.extend(block.dumps);
        self.left_out += block.left_out;
        self.printed.extend(block.printed);
    }
}

/// Prints lines for a reader, none where nothing was dumped.
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

/// A dumped value.
#[derive(Clone, Debug, PartialEq)]
pub struct Dump {
    /// The author's name of the value and its axes, that of neighbours last: `v [r, d]`.
    pub title: String,
    /// The line of the statement.
    pub line: u32,
    /// The block; the interpreter has none.
    pub block: Option<i64>,
    /// The number of elements in a row.
    pub cols: usize,
    /// The number of all elements.
    pub len: usize,
    /// The first elements, row by row.
    pub elements: Vec<Element>,
}

impl Dump {
    /// Makes a dump, and computes only the elements that it keeps.
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

/// A dumped element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    /// A float of any width.
    Float(f32),
    /// An integer, or a bool as 0 or 1.
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
