//! The tile dialect: values, tile loops, and what defines a value.
//!
//! Tiles are values over named axes; loads and stores name a part of a tensor in GM. A body says nothing of UB, queues and pipes.

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
    /// Element type; [`Ty::Mask`] for the result of a compare.
    pub dtype: Ty,
    /// Its axes.
    pub axes: Axes,
    /// True for `let mut`.
    pub mutable: bool,
}
text_struct!(ValueDecl "value" { name, dtype, axes, mutable } line true);

/// A tile loop: a turn is a run of indices of each of its axes. The outermost one is divided among the cores.
#[derive(Clone, Debug, PartialEq)]
pub struct TileLoop {
    /// Its id, referred to by axes.
    pub id: LoopId,
    /// What it runs over, outermost first.
    pub specs: Vec<AxSpec>,
    /// `.buffer_num(n)`: buffers of each queue; 2 where left out.
    pub buffer_num: Option<i64>,
    /// `.block_dim(n)`.
    pub block_dim: Option<Scalar>,
    /// `.exact()`: what is reduced is reduced as it is written, also where the loop is streamed.
    pub exact: bool,
    /// `.any_cut()`: the author promises that what the loop leaves does not depend on how long its runs are.
    pub any_cut: bool,
    /// `.split(d)`: the axis that the cores divide instead where the loop has few turns and that axis is long.
    pub split: Option<AxId>,
    /// Statements of one turn.
    pub body: Vec<Stmt>,
}
text_struct!(TileLoop "loop" { id, specs, buffer_num, block_dim, exact, any_cut, split, body });

/// One of the axes that a tile loop cuts into runs.
#[derive(Clone, Debug, PartialEq)]
pub struct AxSpec {
    /// The axis of a turn's run; no tile has it where a turn is one index.
    pub ax: AxId,
    /// The whole axis that is cut.
    pub of: AxId,
    /// Variable: first index of the run.
    pub start: VarId,
    /// Variable: indices of the run; that of the last turn is shorter.
    pub len: VarId,
    /// How many indices a run has.
    pub size: RunSize,
    /// How many indices from the first on the loop goes through, where that is less than all and only the core knows; with none, or less, it makes no turn.
    /// The whole axis then says how many they are at most.
    pub length: Option<Scalar>,
}

/// How many indices a run has.
#[derive(Clone, Debug, PartialEq)]
pub enum RunSize {
    /// As many as fit.
    Solved {},
    /// What the author gives.
    Given {
        /// The number.
        size: Scalar,
    },
    /// One, which is a scalar and no axis of tiles: `each(n)`.
    Each {},
}
text_enum!(RunSize { Solved = "solved" {}, Given = "given" { size }, Each = "each" {} });

impl RunSize {
    /// What the author gives.
    pub fn given(&self) -> Option<&Scalar> {
        match self {
            RunSize::Given { size } => Some(size),
            RunSize::Solved {} | RunSize::Each {} => None,
        }
    }
    /// True where a turn is one index.
    pub fn is_each(&self) -> bool {
        matches!(self, RunSize::Each {})
    }
}
text_struct!(AxSpec "over" { ax, of, start, len, size, length });

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
    /// Is another tile instead.
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

/// Where elements are chosen along an axis of a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// At an index as those of a tensor are: a number, or one that moves along an axis which the tile has not.
    Index {
        /// It.
        index: Index,
    },
    /// At a tile of indices; along axes that both have each index chooses from its own elements.
    Tile {
        /// Which.
        value: ValueId,
    },
}
text_enum!(Chosen { Index = "i" { index }, Tile = "v" { value } });

impl Chosen {
    /// The tile of indices, where it is one.
    pub fn tile(&self) -> Option<ValueId> {
        match self {
            Chosen::Tile { value } => Some(*value),
            Chosen::Index { .. } => None,
        }
    }
    /// The axes that stand in place of the one along which is chosen; those of a tile are its own.
    pub fn axes(&self, of: impl Fn(ValueId) -> Axes) -> Axes {
        match self {
            Chosen::Index { index } => index.terms.iter().map(|term| term.ax).collect(),
            Chosen::Tile { value } => of(*value),
        }
    }
}

/// What a store does with what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoreHow {
    /// It takes its place, and no other turn stores there.
    Plain,
    /// It is added to it, whoever else adds there meanwhile.
    Add,
    /// It takes its place; what other turns store there meanwhile is equal.
    Any,
    /// It takes its place, and the author promises that the loop stores there once.
    Disjoint,
    /// It takes its place where there is one: what lies outside of the tensor is dropped.
    Inside,
}
text_word!(StoreHow { Plain = "plain", Add = "add", Any = "any", Disjoint = "disjoint", Inside = "inside" });

impl StoreHow {
    /// What a copy of it does with elements.
    pub const fn does(self) -> contract::Access {
        match self {
            StoreHow::Plain | StoreHow::Inside => contract::Access::Write,
            StoreHow::Add => contract::Access::Add,
            StoreHow::Any => contract::Access::Any,
            StoreHow::Disjoint => contract::Access::Disjoint,
        }
    }

    /// True where no two turns store to one place because of their indices, not by a word of the author's.
    pub const fn is_by_index(self) -> bool {
        match self {
            StoreHow::Plain | StoreHow::Inside => true,
            StoreHow::Add | StoreHow::Any | StoreHow::Disjoint => false,
        }
    }
}

/// What defines a tile value.
#[derive(Clone, Debug, PartialEq)]
pub enum TileExpr {
    /// Read from GM.
    Load {
        /// Which part of which tensor.
        from: Access,
    },
    /// Read from GM, where what lies outside of the tensor reads a number.
    LoadOr {
        /// Which part of which tensor, and what lies around it.
        from: Access,
        /// The number.
        outside: Scalar,
    },
    /// Every element the same scalar.
    Fill {
        /// The scalar.
        value: Scalar,
    },
    /// The indices along the one axis that it has.
    Iota {
        /// That of the first element.
        first: Scalar,
    },
    /// What the cores merge: every core begins with what changes nothing and merges what it finds, and behind the loop that does, all
    /// is merged, the initial number once.
    Across {
        /// How it is merged.
        op: AxisReduceOp,
        /// What it begins with.
        init: Scalar,
    },
    /// How many elements all turns of an earlier loop have packed in a tensor, those that exceeded it among them.
    Appended {
        /// The tensor.
        of: TensorRef,
    },
    /// Along axes, all that stands there becomes one.
    Reduce {
        /// How.
        op: AxisReduceOp,
        /// What is reduced.
        value: ValueId,
        /// The axes that go.
        over: Axes,
        /// What the result is joined to in the same way, which has its axes.
        onto: Option<ValueId>,
    },
    /// An op of the table: element-wise with broadcast, compare, or select.
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
    /// Conversion to the dtype of the value defined, of floats to whole numbers toward zero, of all others to the nearest; where both are one type in an
    /// instance it is nothing.
    Truncate {
        /// What is converted.
        value: ValueId,
    },
    /// Rounding of floats to whole numbers.
    Round {
        /// What is rounded.
        value: ValueId,
        /// How.
        mode: RoundMode,
    },
    /// Another name for a value (start of a `let mut`), repeated along the axes that it lacks.
    Copy {
        /// Which.
        value: ValueId,
    },
    /// Of each run of elements along an axis the one at an index, or those at indices that go along another axis or are the elements of a tile: their axes
    /// stand in place of that axis.
    Pick {
        /// What is chosen from.
        value: ValueId,
        /// The axis, which is a whole one.
        along: AxId,
        /// The index, or the indices.
        at: Chosen,
    },
    /// Of each run of elements along an axis the places of the largest ones, in falling order, of equal ones the first first; none is nan. Another axis, or
    /// itself, stands in place of that axis and says how many.
    Top {
        /// What is ordered.
        value: ValueId,
        /// The axis, which is a whole one.
        along: AxId,
        /// The axis of the places, a whole one, too.
        to: AxId,
    },
    /// Along an axis each element and all before it, joined by doubling: each to the one 1 before it, what that gives to the one 2 before it, and so on.
    Scan {
        /// How: a sum or a product.
        op: AxisReduceOp,
        /// What is joined.
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
    /// What is along axes, as one.
    pub const fn reduction(op: AxisReduceOp, value: ValueId, over: Axes) -> TileExpr {
        TileExpr::Reduce {
            op,
            value,
            over,
            onto: None,
        }
    }
    /// The values that it reads, in order.
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

    /// Reads other values instead.
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

/// What the tile dialect has beside control.
#[derive(Clone, Debug, PartialEq)]
pub enum TileStmt {
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
        /// Which part of which tensor.
        to: Access,
        /// What is written.
        value: ValueId,
        /// What becomes of what is there.
        how: StoreHow,
    },
    /// Packs the elements of a value whose bits are 1 behind those of all turns before, over all cores. What exceeds the tensor is counted
    /// and not written; what is not reached keeps what it held.
    Append {
        /// The tensor, by its first element: where others go only a run tells.
        to: Access,
        /// What is packed, along the tile of the outermost loop.
        value: ValueId,
        /// Its bits.
        mask: ValueId,
        /// How many elements each block packs, in what the lowering makes; of a kernel as written none.
        counts: Option<ValueId>,
    },

    /// The one element of a value without axes becomes a scalar.
    Read {
        /// Variable: the element.
        var: VarId,
        /// The value.
        value: ValueId,
    },

    /// Shows the elements of a value under a name, and changes nothing.
    Dump {
        /// The value.
        value: ValueId,
        /// The name.
        name: String,
    },
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
    /// The values whose elements tensors promise to be indices (`#[index(..)]`), with the tensor and below what: loaded, and converted to whole
    /// numbers at most, since floats may round up to an index that there is not.
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
                // Computed elements are promised by no tensor.
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
    /// Declares an axis.
    pub fn add_axis(&mut self, decl: AxDecl) -> AxId {
        self.axes.push(decl);
        AxId(self.axes.len() as u32 - 1)
    }
    /// Declares a value.
    pub fn add_value(&mut self, decl: ValueDecl) -> ValueId {
        self.values.push(decl);
        ValueId(self.values.len() as u32 - 1)
    }
    /// The first number that no loop has: each has an axis of its own.
    pub fn next_loop(&self) -> LoopId {
        let runs = self.axes.iter().filter_map(|ax| match ax.from {
            AxFrom::Run { of } => Some(of.0 + 1),
            AxFrom::Whole { .. } | AxFrom::Hull { .. } => None,
        });
        LoopId(runs.max().unwrap_or(0))
    }
    /// The outermost tile loops, those under scalar control among them.
    pub fn outer_loops(&self) -> Vec<&TileLoop> {
        outer_loops(&self.stmts)
    }
}
