//! The tile dialect: shapes, tile loops, and what defines a value.

use super::text::{text_enum, text_struct, text_word};
use super::{LoopId, ParamId, Scalar, Stmt, Ty, ValueId, VarId};
use crate::dtype::RoundMode;
use crate::ops::Op;

/// Extent of a tile relative to the loops around it: `None` is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct TileShape {
    /// The row loop whose rows this axis runs over.
    pub rows: Option<LoopId>,
    /// The loop whose columns (row or column loop) or elements (flat loop) this axis runs over.
    pub cols: Option<LoopId>,
}
text_struct!(TileShape "shape" { rows, cols });

/// A value of the tile dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueDecl {
    /// The author's name for it, or one made from the op; unique in the body.
    pub name: String,
    /// Element type; [`Ty::Mask`] for the result of a compare.
    pub dtype: Ty,
    /// Extent.
    pub shape: TileShape,
    /// True for `let mut`.
    pub mutable: bool,
}
text_struct!(ValueDecl "value" { name, dtype, shape, mutable } line true);

/// Kind of a tile loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// `tiles(x)`: runs of elements, shapes ignored.
    Flat,
    /// `row_tiles(x)`: runs of whole rows.
    Rows,
    /// `r.col_tiles()`: runs of columns inside a row tile.
    Cols,
}
text_word!(LoopKind { Flat = "flat", Rows = "rows", Cols = "cols" });

/// A tile loop. The outermost one is divided among the cores.
#[derive(Clone, Debug, PartialEq)]
pub struct TileLoop {
    /// Its id, referred to by shapes.
    pub id: LoopId,
    /// Its kind.
    pub kind: LoopKind,
    /// The tensor that gives the extent (for `Cols`: that of the row loop).
    pub over: ParamId,
    /// The row loop around a `Cols` loop.
    pub parent: Option<LoopId>,
    /// Variable: first element, row or column of this tile, counted in the whole tensor.
    pub start: VarId,
    /// Variable: elements, rows or columns of this tile; the tail is shorter.
    pub len: VarId,
    /// `.tile_length(n)` (flat and column loops), in elements.
    pub tile_length: Option<Scalar>,
    /// `.rows(n)` (row loops).
    pub rows: Option<Scalar>,
    /// `.buffer_num(n)`: buffers of each queue; 2 where left out.
    pub buffer_num: Option<i64>,
    /// `.block_dim(n)`.
    pub block_dim: Option<Scalar>,
    /// Statements of one turn.
    pub body: Vec<Stmt>,
}
text_struct!(TileLoop "loop" { id, kind, over, parent, start, len, tile_length, rows, buffer_num, block_dim, body });

/// Which part of a tensor a tile loop reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The elements of this tile: `t.load(x)`.
    Tile,
    /// One row for all rows of the tile (its columns in a column loop): `r.load_row(gamma)`.
    Row,
    /// One element a row: `r.store_col(y, v)`, `r.load_col(x)`.
    Col,
}
text_word!(Access { Tile = "tile", Row = "row", Col = "col" });

/// Operand of a tile op.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A tile.
    Value {
        /// Which.
        value: ValueId,
    },
    /// A scalar of the tile's element type.
    Scalar {
        /// Its value.
        value: Scalar,
    },
}
impl Operand {
    /// The tile, where it is one.
    pub fn value(&self) -> Option<ValueId> {
        match self {
            Operand::Value { value } => Some(*value),
            Operand::Scalar { .. } => None,
        }
    }
}

text_enum!(Operand { Value = "v" { value }, Scalar = "s" { value } });

/// What defines a tile value.
#[derive(Clone, Debug, PartialEq)]
pub enum TileExpr {
    /// Read from GM.
    Load {
        /// Loop whose tile it is.
        of: LoopId,
        /// Which part.
        access: Access,
        /// Which tensor.
        param: ParamId,
    },
    /// Every element the same scalar.
    Fill {
        /// The scalar.
        value: Scalar,
    },
    /// An op of the table: element-wise with broadcast, compare, select, or a reduction.
    Op {
        /// Which op, in its tensor form (`Add`, never `Adds`).
        op: Op,
        /// Operands in the order of the method call, the receiver first.
        args: Vec<Operand>,
    },
    /// Conversion to the dtype of the value defined; where both are one type in an instance it is nothing, with a mode too.
    Cast {
        /// What is converted.
        value: ValueId,
        /// Round mode, where the author said one.
        mode: Option<RoundMode>,
    },
    /// Rounding of floats to whole numbers.
    Round {
        /// What is rounded.
        value: ValueId,
        /// How.
        mode: RoundMode,
    },
    /// Another name for a value (start of a `let mut`).
    Copy {
        /// Which.
        value: ValueId,
    },
}
text_enum!(TileExpr {
    Load = "load" { of, access, param }, Fill = "fill" { value }, Op = "op" { op, args },
    Cast = "cast" { value, mode }, Round = "round" { value, mode }, Copy = "copy" { value },
});
