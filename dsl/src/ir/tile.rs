//! The tile dialect: values, tile loops, and the expressions that define values.
//!
//! Tiles are values over named axes; loads and stores name a part of a tensor in GM. A body says
//! nothing of UB, queues and pipes. Start reading at [`TileStmt`], then [`TileExpr`].

use super::text::{text_enum, text_struct, text_word};
use super::visit::outer_loops;
use super::{
    stmt, Access, AxDecl, AxFrom, AxId, Axes, Index, LoopId, ParamId, Scalar, Signature, TensorRef,
    Ty, ValueId, VarId,
};
use crate::dtype::{DType, RoundMode};
use crate::ops::{contract, AxisReduceOp, Op};
use std::collections::BTreeMap;

/// A statement of the tile dialect.
pub type Stmt = stmt::Stmt<TileStmt>;
/// A body of the tile dialect: no tensors, queues and buffers.
pub type Body = stmt::Body<TileStmt>;

/// A value of the tile dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueDecl {
    /// The author's name for it, or one made from the op; unique in the body.
    pub name: String,
    /// Element type; [`Ty::Mask`] for the result of a comparison.
    pub dtype: Ty,
    pub axes: Axes,
    /// True for a `let mut`.
    pub mutable: bool,
}
text_struct!(ValueDecl "value" { name, dtype, axes, mutable } line true);

/// A tile loop: an iteration is a run of indices of each of its axes. The outermost loop is divided
/// among the cores.
#[derive(Clone, Debug, PartialEq)]
pub struct TileLoop {
    /// Id, which axes refer to.
    pub id: LoopId,
    /// Axes that the loop cuts, outermost first.
    pub specs: Vec<AxSpec>,
    /// `.buffer_num(n)`: buffers of each queue; 2 where left out.
    pub buffer_num: Option<i64>,
    pub block_dim: Option<Scalar>,
    /// `.exact()`: reductions stay as written, also where the loop is streamed.
    pub exact: bool,
    /// `.any_cut()`: the author promises that the results of the loop do not depend on the length
    /// of its runs.
    pub any_cut: bool,
    /// `.split(d)`: the axis that the cores divide instead where the loop has few iterations and
    /// that axis is long.
    pub split: Option<AxId>,
    /// Statements of one iteration.
    pub body: Vec<Stmt>,
}
text_struct!(TileLoop "loop" { id, specs, buffer_num, block_dim, exact, any_cut, split, body });

/// One of the axes that a tile loop cuts into runs.
#[derive(Clone, Debug, PartialEq)]
pub struct AxSpec {
    /// The axis of an iteration's run; no tile has it where an iteration is one index.
    pub ax: AxId,
    /// The whole axis that is cut.
    pub of: AxId,
    /// Variable: first index of the run.
    pub start: VarId,
    /// Variable: indices of the run, fewer in the last iteration.
    pub len: VarId,
    /// Number of indices of a run.
    pub size: RunSize,
    /// Number of indices from the first on, where that is less than all and only the core knows it.
    ///
    /// The loop makes no iteration for 0 or less. The length of the whole axis is the upper bound.
    pub length: Option<Scalar>,
}

/// The number of indices of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunSize {
    /// As many as fit.
    Solved {},
    /// A number from the author.
    Given { size: Scalar },
    /// One index, which is a scalar and no axis of tiles: `each(n)`.
    Each {},
}
text_enum!(RunSize { Solved = "solved" {}, Given = "given" { size }, Each = "each" {} });

impl RunSize {
    /// Returns the author's number.
    pub fn given(&self) -> Option<&Scalar> {
        match self {
            RunSize::Given { size } => Some(size),
            RunSize::Solved {} | RunSize::Each {} => None,
        }
    }
    /// True where an iteration is one index.
    pub fn is_each(&self) -> bool {
        matches!(self, RunSize::Each {})
    }
}
text_struct!(AxSpec "over" { ax, of, start, len, size, length });

/// An operand of a tile op.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Value {
        value: ValueId,
    },
    /// A scalar of the tile's element type.
    Scalar {
        value: Scalar,
    },
}
impl Operand {
    /// Returns the tile, `None` for a scalar.
    pub fn value(&self) -> Option<ValueId> {
        match self {
            Operand::Value { value } => Some(*value),
            Operand::Scalar { .. } => None,
        }
    }
    /// Renames the tile.
    fn rename(&mut self, to: impl Fn(ValueId) -> ValueId) {
        if let Operand::Value { value } = self {
            *value = to(*value);
        }
    }
}

text_enum!(Operand { Value = "v" { value }, Scalar = "s" { value } });

text_word!(AxisReduceOp {
    Sum = "sum", Max = "max", Min = "min", Prod = "prod", Mean = "mean", ArgMax = "argmax", ArgMin = "argmin", Any = "any", All = "all",
});

/// The place of elements that are chosen along an axis of a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// At an index as that of a tensor: a number, or one that moves along an axis which the tile
    /// lacks.
    Index { index: Index },
    /// At a tile of indices. Along axes of both tiles each index chooses from its own elements.
    Tile { value: ValueId },
}
text_enum!(Chosen { Index = "i" { index }, Tile = "v" { value } });

impl Chosen {
    /// Returns the tile of indices, `None` for an index.
    pub fn tile(&self) -> Option<ValueId> {
        match self {
            Chosen::Tile { value } => Some(*value),
            Chosen::Index { .. } => None,
        }
    }
    /// Returns the axes that replace the axis of the choice. `of` returns the axes of a tile of
    /// indices.
    pub fn axes(&self, of: impl Fn(ValueId) -> Axes) -> Axes {
        match self {
            Chosen::Index { index } => index.terms.iter().map(|term| term.ax).collect(),
            Chosen::Tile { value } => of(*value),
        }
    }
}

/// The effect of a store on the elements there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoreHow {
    /// Overwrites; no other iteration stores there.
    Plain,
    /// Adds to the element, also while others add.
    Add,
    /// Overwrites; values that other iterations store there are equal.
    Any,
    /// Overwrites; the author promises that the loop stores there once.
    Disjoint,
    /// Overwrites the elements inside of the tensor, and drops those outside.
    Inside,
}
text_word!(StoreHow { Plain = "plain", Add = "add", Any = "any", Disjoint = "disjoint", Inside = "inside" });

impl StoreHow {
    /// Returns the access of the copy that stores the elements.
    pub const fn does(self) -> contract::Access {
        match self {
            StoreHow::Plain | StoreHow::Inside => contract::Access::Write,
            StoreHow::Add => contract::Access::Add,
            StoreHow::Any => contract::Access::Any,
            StoreHow::Disjoint => contract::Access::Disjoint,
        }
    }

    /// True where no two iterations store to one place because of their indices, without a promise
    /// of the author.
    pub const fn is_by_index(self) -> bool {
        match self {
            StoreHow::Plain | StoreHow::Inside => true,
            StoreHow::Add | StoreHow::Any | StoreHow::Disjoint => false,
        }
    }
}

/// An expression that defines a tile value.
#[derive(Clone, Debug, PartialEq)]
pub enum TileExpr {
    /// A load from GM.
    Load { from: Access },
    /// A load from GM with a number for elements outside of the tensor.
    LoadOr {
        /// Part of the tensor and its surroundings.
        from: Access,
        outside: Scalar,
    },
    /// One scalar for every element.
    Fill { value: Scalar },
    /// The indices along its only axis.
    Iota {
        /// Index of the first element.
        first: Scalar,
    },
    /// A cross-core accumulator. Every core begins with the neutral element and merges its own
    /// values; behind the loop all of them are merged, the initial number once.
    Across {
        /// Reduction that merges.
        op: AxisReduceOp,
        /// Number that it begins with.
        init: Scalar,
    },
    /// Number of elements that all iterations of an earlier loop have packed in a tensor, with
    /// those beyond its end.
    Appended { of: TensorRef },
    /// A reduction along axes.
    Reduce {
        op: AxisReduceOp,
        value: ValueId,
        /// Axes that are removed.
        over: Axes,
        /// Value that the result is joined to by the reduction's step; it has the axes of the
        /// result.
        onto: Option<ValueId>,
    },
    /// An op of the table: element-wise with broadcast, compare, or select.
    Op {
        /// The op in its tensor form (`Add`, never `Adds`).
        op: Op,
        /// Operands in the order of the method call, the receiver first.
        args: Vec<Operand>,
    },
    /// Conversion to the dtype of the value defined. It does nothing in an instance where both
    /// types are equal, also with a mode.
    Cast {
        value: ValueId,
        /// Round mode, where the author said one.
        mode: Option<RoundMode>,
    },
    /// Conversion to the dtype of the value defined: floats to integers toward zero, all others to
    /// nearest. It does nothing in an instance where both types are equal.
    Truncate { value: ValueId },
    /// Rounding of floats to integers.
    Round { value: ValueId, mode: RoundMode },
    /// Another name for a value (start of a `let mut`), broadcast along the axes that it lacks.
    Copy { value: ValueId },
    /// The element at an index of each run along an axis, or the elements at several indices. The
    /// axes of these indices replace that axis: another axis, or those of a tile of indices.
    Pick {
        value: ValueId,
        /// The axis, which is a whole one.
        along: AxId,
        /// The index, or the indices.
        at: Chosen,
    },
    /// The places of the largest elements of each run along an axis, in falling order, of equal
    /// ones the first first; none is nan. `to` replaces the axis and says how many.
    Top {
        value: ValueId,
        /// The axis, which is a whole one.
        along: AxId,
        /// The axis of the places, also a whole one; it may be `along` itself.
        to: AxId,
    },
    /// A scan along an axis. It joins each element and all before it by doubling: each with the
    /// partial result 1 before it, then 2, then 4, and so on.
    Scan {
        /// A sum or a product.
        op: AxisReduceOp,
        value: ValueId,
        /// The axis: a whole one, or the run of one.
        along: AxId,
    },
}
text_enum!(TileExpr {
    Load = "load" { from }, LoadOr = "load_or" { from, outside }, Fill = "fill" { value }, Iota = "iota" { first },
    Across = "across" { op, init }, Appended = "appended" { of }, Reduce = "reduce" { op, value, over, onto }, Op = "op" { op, args },
    Cast = "cast" { value, mode }, Truncate = "truncate" { value }, Round = "round" { value, mode }, Copy = "copy" { value }, Pick = "pick" { value, along, at },
    Top = "top" { value, along, to }, Scan = "scan" { op, value, along },
});

impl TileExpr {
    /// Makes a reduction along axes.
    pub const fn reduction(op: AxisReduceOp, value: ValueId, over: Axes) -> TileExpr {
        TileExpr::Reduce {
            op,
            value,
            over,
            onto: None,
        }
    }
    /// Returns the values that it reads, in order.
    pub fn operands(&self) -> impl Iterator<Item = ValueId> + '_ {
        let (mut args, mut from): (&[Operand], Option<&Access>) = (&[], None);
        let (one, other) = match self {
            TileExpr::Op { args: own, .. } => {
                args = own;
                (None, None)
            }
            TileExpr::Reduce { value, onto, .. } => (Some(*value), *onto),
            TileExpr::Cast { value, .. } | TileExpr::Truncate { value } => (Some(*value), None),
            TileExpr::Round { value, .. } | TileExpr::Copy { value } => (Some(*value), None),
            TileExpr::Top { value, .. } | TileExpr::Scan { value, .. } => (Some(*value), None),
            TileExpr::Pick { value, at, .. } => (Some(*value), at.tile()),
            TileExpr::Load { from: own } | TileExpr::LoadOr { from: own, .. } => {
                from = Some(own);
                (None, None)
            }
            TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. } => (None, None),
        };
        let ids = from.into_iter().flat_map(Access::ids).map(|ids| ids.value);
        args.iter()
            .filter_map(Operand::value)
            .chain(ids)
            .chain(one)
            .chain(other)
    }

    /// Renames the values that it reads.
    pub fn rename(&mut self, to: impl Fn(ValueId) -> ValueId) {
        match self {
            TileExpr::Op { args, .. } => {
                args.iter_mut().for_each(|a| a.rename(&to));
            }
            TileExpr::Pick { value, at, .. } => {
                *value = to(*value);
                if let Chosen::Tile { value } = at {
                    *value = to(*value);
                }
            }
            TileExpr::Reduce { value, onto, .. } => {
                *value = to(*value);
                onto.iter_mut().for_each(|v| *v = to(*v));
            }
            TileExpr::Cast { value, .. } | TileExpr::Truncate { value } => *value = to(*value),
            TileExpr::Round { value, .. } | TileExpr::Copy { value } => *value = to(*value),
            TileExpr::Top { value, .. } | TileExpr::Scan { value, .. } => *value = to(*value),
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => from.rename(to),
            TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. } => {}
        }
    }
}

/// A statement of the tile dialect besides control.
#[derive(Clone, Debug, PartialEq)]
pub enum TileStmt {
    /// A tile loop.
    Loop { tile: TileLoop },
    /// Defines a value.
    Def { value: ValueId, expr: TileExpr },
    /// Overwrites a mutable value.
    Set {
        value: ValueId,
        /// Value of the new contents.
        from: ValueId,
    },
    /// Writes a value to GM.
    Store {
        to: Access,
        value: ValueId,
        /// Effect on the elements there.
        how: StoreHow,
    },
    /// Packs the elements of a value whose bits are 1 behind those of all iterations before, over
    /// all cores.
    ///
    /// Elements beyond the tensor are counted and not written; the rest of the tensor keeps its
    /// contents.
    Append {
        /// Access to the first element of the tensor; the other places depend on data.
        to: Access,
        /// Value that is packed, along the tile of the outermost loop.
        value: ValueId,
        /// Mask of the elements that are packed.
        mask: ValueId,
        /// Number of elements that each block packs, filled in by the lowering; `None` in a kernel
        /// as written.
        counts: Option<ValueId>,
    },

    /// Reads the one element of a value without axes into a scalar.
    Read {
        /// Variable that takes the element.
        var: VarId,
        value: ValueId,
    },

    /// Shows the elements of a value under a name, and changes nothing.
    Dump { value: ValueId, name: String },
}
text_enum!(TileStmt {
    Loop = "tile_loop" { tile },
    Def = "def" { value, expr },
    Set = "set" { value, from },
    Store = "store" { to, value, how },
    Append = "append" { to, value, mask, counts },
    Read = "read" { var, value },
    Dump = "dump" { value, name },
});

impl Body {
    /// Returns the values whose elements are promised to be indices by the `#[index(..)]` of a
    /// tensor, with the tensor and the bound.
    ///
    /// They are loaded, and at most converted to integers: floats may round up to an index beyond
    /// the end.
    pub fn promised(&self, sig: &Signature) -> BTreeMap<ValueId, (ParamId, Scalar)> {
        let mut promised = BTreeMap::new();
        self.walk(&mut |s| {
            let Some((value, expr)) = s.def() else { return };
            let promise = match expr {
                TileExpr::Load { from } if from.otherwise.is_none() => from
                    .param()
                    .and_then(|of| Some((of, sig.promise(of)?.clone()))),
                TileExpr::Cast { value: from, .. } | TileExpr::Copy { value: from } => {
                    promised.get(from).cloned()
                }
                // No tensor promises computed elements.
                _ => None,
            };
            let decl = &self.values[value.index()];
            let is_whole = matches!(decl.dtype, Ty::Is(DType::I32 | DType::I64));
            promised.extend(
                promise
                    .filter(|_| is_whole && !decl.mutable)
                    .map(|promise| (value, promise)),
            );
        });
        promised
    }
    pub fn add_axis(&mut self, decl: AxDecl) -> AxId {
        self.axes.push(decl);
        AxId(self.axes.len() as u32 - 1)
    }
    pub fn add_value(&mut self, decl: ValueDecl) -> ValueId {
        self.values.push(decl);
        ValueId(self.values.len() as u32 - 1)
    }
    /// Returns the first loop number that no axis uses; each loop has an axis of its own.
    pub fn next_loop(&self) -> LoopId {
        let runs = self.axes.iter().filter_map(|ax| match ax.from {
            AxFrom::Run { of } => Some(of.0 + 1),
            AxFrom::Whole { .. } | AxFrom::Hull { .. } => None,
        });
        LoopId(runs.max().unwrap_or(0))
    }
    /// Returns the outermost tile loops, with those under scalar control.
    pub fn outer_loops(&self) -> Vec<&TileLoop> {
        outer_loops(&self.stmts)
    }
}
