//! The one intermediate representation, for both levels of the language.
//!
//! A [`Kernel`] is what the front end makes: a [`Signature`], facts, and a [`Body`] in the tile dialect
//! (pure values, GM loads and stores) or in the queue dialect (queues, buffers, copies, vector calls).
//! A [`Lowered`] is what [`crate::lower`] makes of it for one dtype instance on one chip: host steps, and
//! one or more [`Variant`]s whose bodies speak the queue dialect only. Checker, emitter and simulator read
//! a `Lowered`.
//!
//! - **Values** of the tile dialect ([`ValueId`]) are assigned once, except those declared `mutable`, which
//!   [`StmtKind::Set`] overwrites. A value lives from its definition to its last use in the same loop turn; a
//!   mutable one lives as long as the block of statements that declares it.
//! - **Shapes** of values are relative to the tile loops around them ([`TileShape`]); an axis of one broadcasts.
//! - **Scalars** are expressions ([`Scalar`]) evaluated where the statement stands; `LetScalar` names one.
//! - **Dtypes** may be a parameter of the kernel ([`Ty::Param`]); equality is symbolic, sizes come from the instance.
//! - Every statement carries a [`SpanId`]; [`Kernel::spans`] maps it to line and column.
//!
//! What later work adds without a rebuild: positions and spaces of the cube cores (`TPosition` has them), events,
//! flags and atomics (statements), workspace (a `Role` and [`Variant::workspace`]), tensor lists (a [`ParamKind`]).

pub(crate) mod linear;
pub mod scalar;
pub mod text;

use crate::dtype::{DType, RoundMode};
use crate::ops::Op;
pub use scalar::{BinOp, ChipFact, Scalar, ScalarTy, Stage, UnOp};
use text::{text_enum, text_id, text_struct, text_word, Printer, Reader, Text, TextError};

text_id! {
    /// A source location, index into [`Kernel::spans`].
    SpanId = "@",
    /// A parameter of the kernel.
    ParamId = "&",
    /// A named axis.
    AxisId = "#",
    /// A scalar variable.
    VarId = "$",
    /// A tile loop.
    LoopId = "!",
    /// A value of the tile dialect.
    ValueId = "%",
    /// A `LocalTensor` of the queue dialect.
    TensorId = "*",
    /// A `TQue`.
    QueueId = "q",
    /// A `TBuf`.
    BufId = "b",
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
        p.token(&format!("{}:{}-{}:{}", self.line, self.column, self.end_line, self.end_column));
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let mut n = token.split([':', '-']).map(str::parse);
        let mut part = || n.next().and_then(Result::ok).ok_or_else(|| r.error(format!("expected a span, found `{token}`")));
        let span = SourceSpan { line: part()?, column: part()?, end_line: part()?, end_column: part()? };
        r.take();
        Ok(span)
    }
}

/// A dtype as the kernel says it. Equality is symbolic: `T` equals `T` and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A concrete type.
    Is(DType),
    /// The n-th dtype parameter.
    Param(u8),
    /// `T::Wide` of the n-th dtype parameter, where its bound leaves that open.
    Wide(u8),
    /// `Tile<bool>`: the bits of a compare.
    Mask,
}

impl Ty {
    /// The concrete type under `binding` (one dtype a parameter).
    pub fn resolve(self, binding: &[DType]) -> DType {
        match self {
            Ty::Is(d) => d,
            Ty::Param(i) => binding[i as usize],
            Ty::Wide(i) => binding[i as usize].wide(),
            Ty::Mask => DType::U8,
        }
    }
}

impl Text for Ty {
    fn print(&self, p: &mut Printer) {
        match self {
            Ty::Is(d) => p.token(d.name()),
            Ty::Param(i) => p.token(&format!("T{i}")),
            Ty::Wide(i) => p.token(&format!("W{i}")),
            Ty::Mask => p.token("mask"),
        }
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let index = |prefix| token.strip_prefix(prefix).and_then(|n: &str| n.parse().ok());
        let ty = if token == "mask" {
            Ty::Mask
        } else if let Some(d) = DType::by_name(token) {
            Ty::Is(d)
        } else if let Some(i) = index("T") {
            Ty::Param(i)
        } else if let Some(i) = index("W") {
            Ty::Wide(i)
        } else {
            return Err(r.error(format!("expected a dtype, found `{token}`")));
        };
        r.take();
        Ok(ty)
    }
}

macro_rules! text_by_name {
    ($t:ty, $what:literal) => {
        impl Text for $t {
            fn print(&self, p: &mut Printer) {
                p.token(self.name());
            }
            fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
                let token = r.peek();
                let v = <$t>::by_name(token).ok_or_else(|| r.error(format!(concat!("`{}` is no ", $what), token)))?;
                r.take();
                Ok(v)
            }
        }
    };
}
text_by_name!(DType, "dtype");
text_by_name!(RoundMode, "round mode");
text_by_name!(Op, "op");

/// Which vocabulary a kernel speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Tiles as values.
    Tile,
    /// Queues, buffers and copies by hand.
    Queue,
}
text_word!(Level { Tile = "tile", Queue = "queue" });

/// A dtype parameter: `T: Float`.
#[derive(Clone, Debug, PartialEq)]
pub struct DTypeParam {
    /// Its name.
    pub name: String,
    /// Name of its bound, a [`crate::dtype::DTypeSet`].
    pub set: String,
}
text_struct!(DTypeParam "dtype" { name, set });

/// A named axis of `#[shape(..)]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// True for `name..`: any number of axes, of which it is the product.
    pub many: bool,
}
text_struct!(Axis "axis" { name, many });

/// One entry of a tensor's shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Dim {
    /// A named axis (which stands for several where it is `many`).
    Axis {
        /// Which.
        axis: AxisId,
    },
    /// A size computed from other axes and attributes.
    Expr {
        /// The size.
        size: Scalar,
    },
}
text_enum!(Dim { Axis = "axis" { axis }, Expr = "size" { size } });

/// What a kernel does with a tensor parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read only.
    In,
    /// Written only; every element must be written.
    Out,
    /// Read and written in place.
    InOut,
}
text_word!(Role { In = "in", Out = "out", InOut = "inout" });

/// Tensor or attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A `GlobalTensor`.
    Tensor {
        /// What the kernel does with it.
        role: Role,
        /// Element type.
        dtype: Ty,
        /// Its axes, outermost first. A tensor without `#[shape]` has those of the first tensor.
        shape: Vec<Dim>,
    },
    /// A scalar attribute.
    Attr {
        /// Its type.
        ty: ScalarTy,
        /// `#[default(..)]`: a literal.
        default: Option<Scalar>,
    },
}
text_enum!(ParamKind { Tensor = "tensor" { role, dtype, shape }, Attr = "attr" { ty, default } });

/// A parameter of the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
    /// Where it is declared.
    pub span: SpanId,
}
text_struct!(Param "param" { name, kind, span } line true);

/// `require(cond)`: a fact for the checker and a check on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The condition, over axes and attributes only.
    pub cond: Scalar,
    /// As the author wrote it, for messages.
    pub text: String,
    /// Where.
    pub span: SpanId,
}
text_struct!(Fact "require" { cond, text, span } line true);

/// What callers see of a kernel; the same for every instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// Kernel name in snake case.
    pub name: String,
    /// Doc comment, lines joined by newlines.
    pub doc: String,
    /// Dtype parameters.
    pub dtypes: Vec<DTypeParam>,
    /// One row an instance, one dtype a parameter; never empty (a kernel without dtype parameters has one empty row).
    pub instances: Vec<Vec<DType>>,
    /// Named axes.
    pub axes: Vec<Axis>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// `require`d facts.
    pub facts: Vec<Fact>,
}
text_struct!(Signature "signature" { name, doc, dtypes, instances, axes, params, facts });

impl Signature {
    /// The tensors with their ids, in order.
    pub fn tensors(&self) -> impl Iterator<Item = (ParamId, &Param, Role, Ty)> {
        self.params.iter().enumerate().filter_map(|(i, p)| match &p.kind {
            ParamKind::Tensor { role, dtype, .. } => Some((ParamId(i as u32), p, *role, *dtype)),
            ParamKind::Attr { .. } => None,
        })
    }
    /// The attributes with their ids, in order.
    pub fn attrs(&self) -> impl Iterator<Item = (ParamId, &Param, ScalarTy, Option<&Scalar>)> {
        self.params.iter().enumerate().filter_map(|(i, p)| match &p.kind {
            ParamKind::Attr { ty, default } => Some((ParamId(i as u32), p, *ty, default.as_ref())),
            ParamKind::Tensor { .. } => None,
        })
    }
    /// A parameter.
    pub fn param(&self, id: ParamId) -> &Param {
        &self.params[id.index()]
    }
    /// Element type of a tensor parameter; `None` for an attribute.
    pub fn dtype(&self, id: ParamId) -> Option<Ty> {
        match self.param(id).kind {
            ParamKind::Tensor { dtype, .. } => Some(dtype),
            ParamKind::Attr { .. } => None,
        }
    }
    /// Shape entries of a tensor parameter; empty for an attribute.
    pub fn shape(&self, id: ParamId) -> &[Dim] {
        match &self.param(id).kind {
            ParamKind::Tensor { shape, .. } => shape,
            ParamKind::Attr { .. } => &[],
        }
    }
    /// Number of elements of a tensor parameter, as an expression over axes and attributes.
    pub fn elements(&self, id: ParamId) -> Scalar {
        product(self.shape(id))
    }
    /// Size of the last axis and product of the axes before it.
    pub fn rows_cols(&self, id: ParamId) -> (Scalar, Scalar) {
        match self.shape(id).split_last() {
            Some((last, rest)) => (product(rest), dim_size(last)),
            None => (Scalar::Int(1), Scalar::Int(1)),
        }
    }
    /// How messages spell a dtype: `T`, `f32`.
    pub fn ty_name(&self, ty: Ty) -> String {
        let param = |i: u8| self.dtypes.get(i as usize).map_or("?", |d| d.name.as_str());
        match ty {
            Ty::Is(d) => d.name().to_string(),
            Ty::Param(i) => param(i).to_string(),
            Ty::Wide(i) => format!("{}::Wide", param(i)),
            Ty::Mask => "bool".to_string(),
        }
    }
}

/// The size of one shape entry.
pub fn dim_size(dim: &Dim) -> Scalar {
    match dim {
        Dim::Axis { axis } => Scalar::Axis(*axis),
        Dim::Expr { size } => size.clone(),
    }
}

fn product(dims: &[Dim]) -> Scalar {
    dims.iter().map(dim_size).reduce(|a, b| a * b).unwrap_or(Scalar::Int(1))
}

/// A scalar variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// Its name, unique in the body.
    pub name: String,
    /// Its type.
    pub ty: ScalarTy,
    /// True where [`StmtKind::SetScalar`] may change it.
    pub mutable: bool,
}
text_struct!(VarDecl "var" { name, ty, mutable } line true);

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

/// AscendC `TPosition`: a logical place of a queue or buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum TPosition {
    VecIn,
    VecOut,
    VecCalc,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
}
text_word!(TPosition {
    VecIn = "VECIN", VecOut = "VECOUT", VecCalc = "VECCALC", A1 = "A1", A2 = "A2", B1 = "B1", B2 = "B2",
    C1 = "C1", C2 = "C2", CO1 = "CO1", CO2 = "CO2",
});

/// A physical memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Space {
    Gm,
    Ub,
    L1,
    L0A,
    L0B,
    L0C,
    Bt,
}

impl TPosition {
    /// The memory behind the position on chips with separate cube and vector cores.
    pub const fn space(self) -> Space {
        match self {
            TPosition::VecIn | TPosition::VecOut | TPosition::VecCalc => Space::Ub,
            TPosition::A1 | TPosition::B1 | TPosition::C1 => Space::L1,
            TPosition::A2 => Space::L0A,
            TPosition::B2 => Space::L0B,
            TPosition::C2 => Space::Bt,
            TPosition::CO1 => Space::L0C,
            TPosition::CO2 => Space::Gm,
        }
    }
}

/// A `TQue`, with the buffers that `InitBuffer` gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueDecl {
    /// Its name.
    pub name: String,
    /// Its position.
    pub position: TPosition,
    /// How many EnQue may follow one another without DeQue.
    pub depth: i64,
    /// Buffers of the queue; 0 until `InitBuffer` was seen.
    pub buffer_num: Scalar,
    /// Bytes of one buffer, before rounding up to a `data_block`.
    pub bytes: Scalar,
    /// Where it is declared (queue level), or the load or store it serves (tile level).
    pub span: SpanId,
}
text_struct!(QueueDecl "queue" { name, position, depth, buffer_num, bytes, span } line true);

/// A `TBuf`.
#[derive(Clone, Debug, PartialEq)]
pub struct BufDecl {
    /// Its name.
    pub name: String,
    /// Its position.
    pub position: TPosition,
    /// Bytes, before rounding up to a `data_block`.
    pub bytes: Scalar,
    /// What it holds, for the capacity table: `temporary`, `weight row`.
    pub purpose: String,
    /// Where it is declared, or the value it was first made for.
    pub span: SpanId,
}
text_struct!(BufDecl "buf" { name, position, bytes, purpose, span } line true);

/// A `LocalTensor` variable.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorDecl {
    /// Its name, unique in the body.
    pub name: String,
    /// Element type.
    pub dtype: Ty,
}
text_struct!(TensorDecl "local" { name, dtype } line true);

/// Part of a `LocalTensor` from an offset on: `x[offset]`.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalRef {
    /// The tensor.
    pub tensor: TensorId,
    /// Offset in elements.
    pub offset: Scalar,
}
text_struct!(LocalRef "ub" { tensor, offset });

/// Part of a `GlobalTensor` from an offset on.
#[derive(Clone, Debug, PartialEq)]
pub struct GmRef {
    /// The parameter.
    pub param: ParamId,
    /// Offset in elements.
    pub offset: Scalar,
}
text_struct!(GmRef "gm" { param, offset });

/// Extent of a copy between GM and UB, all in elements.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyShape {
    /// Rows (`blockCount`).
    pub rows: Scalar,
    /// Elements of a row (`blockLen`).
    pub cols: Scalar,
    /// Distance in GM from row start to row start.
    pub gm_stride: Scalar,
    /// Distance in UB from row start to row start; a whole number of data blocks.
    pub ub_pitch: Scalar,
}
text_struct!(CopyShape "copy" { rows, cols, gm_stride, ub_pitch });

/// Strides of a vector call in data blocks (`blk`) and data blocks per repeat (`rep`), start to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Strides {
    pub dst_blk: i64,
    pub src0_blk: i64,
    pub src1_blk: i64,
    pub dst_rep: i64,
    pub src0_rep: i64,
    pub src1_rep: i64,
}
text_struct!(Strides "strides" { dst_blk, src0_blk, src1_blk, dst_rep, src0_rep, src1_rep });

impl Strides {
    /// Everything contiguous.
    pub const DENSE: Strides = Strides { dst_blk: 1, src0_blk: 1, src1_blk: 1, dst_rep: 8, src0_rep: 8, src1_rep: 8 };
}

/// How a vector call is told its extent.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Count form: the first `n` elements.
    Count {
        /// Elements.
        n: Scalar,
    },
    /// Mask/repeat form: `mask` elements of each of `repeat` repeats.
    Repeat {
        /// Elements of a repeat.
        mask: Scalar,
        /// Repeats.
        repeat: Scalar,
        /// Strides.
        strides: Strides,
    },
    /// Counter mode: the element count set by the last [`StmtKind::MaskCount`], with strides.
    Counter {
        /// Strides.
        strides: Strides,
    },
}
text_enum!(Form {
    Count = "count" { n }, Repeat = "repeat" { mask, repeat, strides }, Counter = "counter" { strides },
});

/// One vector call of the queue dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorCall {
    /// Which op.
    pub op: Op,
    /// Destination.
    pub dst: LocalRef,
    /// Tensor sources in AscendC's order.
    pub srcs: Vec<LocalRef>,
    /// Scalar operand, of the element type of the sources.
    pub scalar: Option<Scalar>,
    /// Round mode of Cast.
    pub mode: Option<RoundMode>,
    /// Work buffer of a reduction.
    pub tmp: Option<LocalRef>,
    /// Extent.
    pub form: Form,
}
text_struct!(VectorCall "call" { op, dst, srcs, scalar, mode, tmp, form });

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

/// A statement with its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: SpanId,
}
text_struct!(Stmt "stmt" { span, kind } line true);

/// Statements of both dialects.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    // ---- shared ----
    /// `let v = expr;`
    LetScalar {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Scalar,
    },
    /// `v = expr;` on a mutable variable.
    SetScalar {
        /// The variable.
        var: VarId,
        /// Its new value.
        value: Scalar,
    },
    /// `for v in from..to`.
    For {
        /// Loop variable.
        var: VarId,
        /// First value.
        from: Scalar,
        /// One past the last value.
        to: Scalar,
        /// Statements of one turn.
        body: Vec<Stmt>,
    },
    /// `if cond { .. } else { .. }`.
    If {
        /// Condition.
        cond: Scalar,
        /// Taken where it holds.
        then: Vec<Stmt>,
        /// Taken where it does not.
        other: Vec<Stmt>,
    },

    // ---- tile dialect ----
    /// A tile loop.
    Loop {
        /// The loop.
        tile: TileLoop,
    },
    /// Defines a value.
    Def {
        /// The value.
        value: ValueId,
        /// What it is.
        expr: TileExpr,
    },
    /// Overwrites a mutable value.
    Set {
        /// The mutable value.
        value: ValueId,
        /// Its new content.
        from: ValueId,
    },
    /// Writes a value to GM.
    Store {
        /// Loop whose tile it is.
        of: LoopId,
        /// Which part.
        access: Access,
        /// Which tensor.
        param: ParamId,
        /// What is written.
        value: ValueId,
    },

    // ---- queue level, before lowering ----
    /// `let s = split(total).unit(unit)`: this block's share.
    Split {
        /// Variable: first index of the share.
        start: VarId,
        /// Variable: its length.
        len: VarId,
        /// What is divided.
        total: Scalar,
        /// Shares are multiples of this, the last one excepted.
        unit: Scalar,
        /// `.block_dim(n)`.
        block_dim: Option<Scalar>,
    },
    /// `let n = fit_tile(unit)`: largest multiple of `unit` for which all buffers fit in UB.
    FitTile {
        /// Variable: the answer.
        var: VarId,
        /// Elements.
        unit: Scalar,
    },

    // ---- queue dialect ----
    /// `tensor = queue.AllocTensor<T>()`.
    Alloc {
        /// The new tensor.
        tensor: TensorId,
        /// From which queue.
        queue: QueueId,
    },
    /// `queue.EnQue(tensor)`.
    Enque {
        /// The tensor.
        tensor: TensorId,
        /// To which queue.
        queue: QueueId,
    },
    /// `tensor = queue.DeQue<T>()`.
    Deque {
        /// The new tensor.
        tensor: TensorId,
        /// From which queue.
        queue: QueueId,
    },
    /// `queue.FreeTensor(tensor)`.
    Free {
        /// The tensor.
        tensor: TensorId,
        /// To which queue.
        queue: QueueId,
    },
    /// `tensor = buf.Get<T>()`.
    Get {
        /// The new tensor.
        tensor: TensorId,
        /// From which buffer.
        buf: BufId,
    },
    /// `tensor = of.tensor[of.offset].ReinterpretCast<T>()`; the offset is in elements of `of.tensor`.
    View {
        /// The new tensor.
        tensor: TensorId,
        /// What it looks at.
        of: LocalRef,
    },
    /// GM to UB on MTE2.
    CopyIn {
        /// Destination.
        dst: LocalRef,
        /// Source.
        src: GmRef,
        /// Extent.
        shape: CopyShape,
        /// DataCopyPad where true, else plain DataCopy.
        pad: bool,
    },
    /// UB to GM on MTE3.
    CopyOut {
        /// Destination.
        dst: GmRef,
        /// Source.
        src: LocalRef,
        /// Extent.
        shape: CopyShape,
        /// DataCopyPad where true, else plain DataCopy.
        pad: bool,
    },
    /// A vector call on pipe V.
    Vector {
        /// The call.
        call: VectorCall,
    },
    /// `SetMaskCount(); SetVectorMask<T, MaskMode::COUNTER>(0, n)`.
    MaskCount {
        /// Element type of the calls that follow.
        dtype: Ty,
        /// Elements.
        n: Scalar,
    },
    /// `SetMaskNorm(); ResetMask()`.
    MaskNorm {},
    /// `var = src.GetValue(0)`, after pipe V has drained.
    GetValue {
        /// The scalar.
        var: VarId,
        /// The element.
        src: LocalRef,
    },
    /// `dst.SetValue(0, value)`.
    SetValue {
        /// The element.
        dst: LocalRef,
        /// Its new value.
        value: Scalar,
    },
}
text_enum!(StmtKind {
    LetScalar = "let" { var, value },
    SetScalar = "set_scalar" { var, value },
    For = "for" { var, from, to, body },
    If = "if" { cond, then, other },
    Loop = "tile_loop" { tile },
    Def = "def" { value, expr },
    Set = "set" { value, from },
    Store = "store" { of, access, param, value },
    Split = "split" { start, len, total, unit, block_dim },
    FitTile = "fit_tile" { var, unit },
    Alloc = "alloc" { tensor, queue },
    Enque = "enque" { tensor, queue },
    Deque = "deque" { tensor, queue },
    Free = "free" { tensor, queue },
    Get = "get" { tensor, buf },
    View = "view" { tensor, of },
    CopyIn = "copy_in" { dst, src, shape, pad },
    CopyOut = "copy_out" { dst, src, shape, pad },
    Vector = "vector" { call },
    MaskCount = "mask_count" { dtype, n },
    MaskNorm = "mask_norm" {},
    GetValue = "get_value" { var, src },
    SetValue = "set_value" { dst, value },
});

/// Declarations and statements.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Body {
    /// Scalar variables.
    pub vars: Vec<VarDecl>,
    /// Tile values.
    pub values: Vec<ValueDecl>,
    /// Local tensors.
    pub tensors: Vec<TensorDecl>,
    /// Queues.
    pub queues: Vec<QueueDecl>,
    /// Buffers.
    pub bufs: Vec<BufDecl>,
    /// Statements in order.
    pub stmts: Vec<Stmt>,
}
text_struct!(Body "body" { vars, values, tensors, queues, bufs, stmts });

impl Body {
    /// A scalar variable.
    pub fn var(&self, id: VarId) -> &VarDecl {
        &self.vars[id.index()]
    }
    /// Calls `f` on every statement, outer before inner, in order.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Stmt)) {
        walk_stmts(&self.stmts, f);
    }
}

/// Calls `f` on every statement of a list and below, outer before inner, in order.
pub fn walk_stmts<'a>(stmts: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for s in stmts {
        f(s);
        match &s.kind {
            StmtKind::For { body, .. } => walk_stmts(body, f),
            StmtKind::Loop { tile } => walk_stmts(&tile.body, f),
            StmtKind::If { then, other, .. } => {
                walk_stmts(then, f);
                walk_stmts(other, f);
            }
            _ => {}
        }
    }
}

/// A kernel as the front end makes it: generic over its dtype parameters, not yet lowered.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// What callers see.
    pub sig: Signature,
    /// Its vocabulary.
    pub level: Level,
    /// Chips it is declared for, by name; empty means the default family.
    pub chips: Vec<String>,
    /// What it does.
    pub body: Body,
    /// Source locations, indexed by [`SpanId`].
    pub spans: Vec<SourceSpan>,
}
text_struct!(Kernel "kernel" { sig, level, chips, body, spans });

/// One step of host tiling, evaluated in order.
#[derive(Clone, Debug, PartialEq)]
pub enum HostStep {
    /// Computes a scalar.
    Let {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Scalar,
    },
    /// The largest multiple of `step` up to `max` (rounded up to a multiple of `step`) whose `bytes` are at most
    /// `limit`; 0 where even `step` is too large. `bytes` never falls when `var` grows.
    Solve {
        /// The variable solved for.
        var: VarId,
        /// Granularity and smallest value.
        step: i64,
        /// No larger value is useful.
        max: Scalar,
        /// Footprint in bytes, a formula in `var`.
        bytes: Scalar,
        /// Bytes there are.
        limit: i64,
    },
    /// Demands that a footprint fits.
    Fits {
        /// Footprint in bytes.
        bytes: Scalar,
        /// Bytes there are.
        limit: i64,
        /// The size that the author gave, where one decides the footprint.
        given: Option<GivenSize>,
    },
    /// A condition without which the kernel must not be launched.
    Require {
        /// The condition.
        cond: Scalar,
        /// What to tell the caller, in terms of the parameters.
        message: String,
    },
}
text_enum!(HostStep {
    Let = "let" { var, value }, Solve = "solve" { var, step, max, bytes, limit }, Fits = "fits" { bytes, limit, given },
    Require = "require" { cond, message },
} line true);

/// A size that the author gave instead of having it solved for.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenSize {
    /// What an author calls it: `tile_length`, `rows`.
    pub name: String,
    /// The variable that holds it.
    pub var: VarId,
    /// Granularity.
    pub step: i64,
}
text_struct!(GivenSize "given" { name, var, step });

impl HostStep {
    /// What is wrong where [`HostStep::Fits`] does not hold, without the numbers of a launch.
    pub fn does_not_fit(given: Option<&GivenSize>) -> String {
        match given {
            Some(size) => format!("this `{}` needs more UB than there is", size.name),
            None => "queues and buffers of this shape exceed UB".to_string(),
        }
    }
}

/// One body of a lowered kernel, with the host condition under which it is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Short name: `resident`, `streamed`, `tiles`.
    pub name: String,
    /// Host condition; the first variant whose condition holds is taken. The last one is `true`.
    pub when: Scalar,
    /// Steps of this variant only, after the common ones and only when it is chosen.
    pub steps: Vec<HostStep>,
    /// Number of blocks to launch.
    pub block_dim: Scalar,
    /// Bytes of workspace the kernel asks for.
    pub workspace: Scalar,
    /// Host variables that the body reads, in the order of the tiling data.
    pub fields: Vec<VarId>,
    /// Queue-dialect body. Its `vars` begin with the variables of the common steps.
    pub body: Body,
}
text_struct!(Variant "variant" { name, when, steps, block_dim, workspace, fields, body } line true);

/// A kernel lowered for one dtype instance on one chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// What callers see.
    pub sig: Signature,
    /// Index into [`Signature::instances`].
    pub instance: usize,
    /// Chip name.
    pub chip: String,
    /// Common host steps, before a variant is chosen.
    pub steps: Vec<HostStep>,
    /// Variables of the common steps.
    pub vars: Vec<VarDecl>,
    /// Variants in the order in which their conditions are tried.
    pub variants: Vec<Variant>,
    /// Source locations, indexed by [`SpanId`].
    pub spans: Vec<SourceSpan>,
}
text_struct!(Lowered "lowered" { sig, instance, chip, steps, vars, variants, spans });

impl Lowered {
    /// The dtypes of this instance, one a dtype parameter.
    pub fn binding(&self) -> &[DType] {
        &self.sig.instances[self.instance]
    }
}
