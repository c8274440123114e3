//! Ids of the declarations of a kernel, and places in its source.

use super::text::{digits, shown, text_id, Printer, Reader, Text, TextError};
use super::ScalarTy;

text_id! {
    /// A source location, index into [`super::Kernel::spans`].
    SpanId = "@",
    /// A parameter of the kernel.
    ParamId = "&",
    /// A named axis.
    AxisId = "#",
    /// An axis of tiles.
    AxId = "~",
    LoopId = "!",
    /// A value of the tile dialect.
    ValueId = "%",
    TensorId = "*",
    QueueId = "q",
    BufId = "b",
    WorkId = "w",
    /// A device function.
    FuncId = "fn",
}

/// A scalar variable, with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId {
    index: u32,
    ty: ScalarTy,
}

impl VarId {
    /// Makes the variable at this place of the table.
    pub const fn new(index: usize, ty: ScalarTy) -> Self {
        VarId {
            index: index as u32,
            ty,
        }
    }
    /// Returns the index into the table.
    pub const fn index(self) -> usize {
        self.index as usize
    }
    pub const fn ty(self) -> ScalarTy {
        self.ty
    }
}

impl Text for VarId {
    fn print(&self, p: &mut Printer) {
        p.token(&format!("${}{}", self.index, self.ty.suffix()));
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let found = ScalarTy::of_id(token).filter(|_| token.starts_with('$'));
        let (index, ty) = found.ok_or_else(|| {
            r.error(format!(
                "expected a variable (`$0`, `$0i`, `$0f` or `$0b`), found {}",
                shown(token)
            ))
        })?;
        r.take();
        Ok(VarId { index, ty })
    }
}

/// Line and column range in the kernel's file, all 1-based; the end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SourceSpan {
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the last character.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

impl Text for SourceSpan {
    fn print(&self, p: &mut Printer) {
        p.token(&format!(
            "{}:{}-{}:{}",
            self.line, self.column, self.end_line, self.end_column
        ));
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let span = source_span(token).ok_or_else(|| {
            r.error(format!(
                "expected a span (`1:1-1:2`), found {}",
                shown(token)
            ))
        })?;
        r.take();
        Ok(span)
    }
}

fn source_span(token: &str) -> Option<SourceSpan> {
    let (start, end) = token.split_once('-')?;
    let ((line, column), (end_line, end_column)) = (start.split_once(':')?, end.split_once(':')?);
    let (line, column) = (digits(line)?, digits(column)?);
    Some(SourceSpan {
        line,
        column,
        end_line: digits(end_line)?,
        end_column: digits(end_column)?,
    })
}
