//! Operators on bits, `&`, `|`, `^`, `!`, `<<` and `>>`: on masks, which hold one bit an element,
//! and on tiles of integers.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::kinds::Callee;
use crate::front::cx::report::Report;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::ir::{Axes, Operand, Scalar, ScalarTy, TileExpr, Ty, ValueId};
use crate::ops::{BitOp, CompareOp, MaskOp, Op, ShiftOp};
use syn::{Expr, ExprBinary};

/// The bitwise function of two tiles.
#[derive(Clone, Copy)]
pub enum Join {
    And,
    Or,
    Xor,
}

/// Returns the bitwise function of an operator.
pub const fn join(op: &syn::BinOp) -> Option<Join> {
    match op {
        syn::BinOp::BitAnd(_) => Some(Join::And),
        syn::BinOp::BitOr(_) => Some(Join::Or),
        syn::BinOp::BitXor(_) => Some(Join::Xor),
        _ => None,
    }
}

/// Returns the op of an operator that moves bits.
pub const fn shift(op: &syn::BinOp) -> Option<ShiftOp> {
    match op {
        syn::BinOp::Shl(_) => Some(ShiftOp::Left),
        syn::BinOp::Shr(_) => Some(ShiftOp::Right),
        _ => None,
    }
}

/// The ops on bits of one kind of tile.
struct Ops {
    and: Op,
    or: Op,
    not: Op,
}

impl Ops {
    fn of(dtype: Ty) -> Ops {
        match dtype {
            Ty::Mask => Ops {
                and: MaskOp::And.into(),
                or: MaskOp::Or.into(),
                not: MaskOp::Not.into(),
            },
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => Ops {
                and: BitOp::And.into(),
                or: BitOp::Or.into(),
                not: BitOp::Not.into(),
            },
        }
    }
}

impl Cx<'_> {
    fn on_bits(&mut self, op: Op, tiles: &[ValueId], axes: &Axes, e: &Expr) -> ValueId {
        let (span, dtype) = (self.report.at(e), self.out.dtype(tiles[0]));
        let args = tiles
            .iter()
            .map(|value| Operand::Value { value: *value })
            .collect();
        self.out
            .define(TileExpr::Op { op, args }, dtype, axes.clone(), span)
    }

    /// Evaluates `!v` on bits.
    pub fn turned_bits(&mut self, v: ValueId, e: &Expr) -> Val {
        let (op, axes) = (Ops::of(self.out.dtype(v)).not, self.out.axes(v).clone());
        Val::Tile(self.on_bits(op, &[v], &axes, e))
    }

    /// Evaluates `a & b`, `a | b` or `a ^ b`: on two masks, or on integers of which one may be a
    /// scalar.
    pub fn joined_bits(&mut self, by: Join, b: &ExprBinary, e: &Expr) -> Val {
        let (left, right) = (self.expr(&b.left), self.expr(&b.right));
        let is_float = |val: &Val| matches!(val, Val::Tile(v) if self.is_float(self.out.dtype(*v)) == Some(true));
        let tiles = match (&left, &right) {
            (Val::Unknown, _) | (_, Val::Unknown) => return Val::Unknown,
            (Val::Tile(x), Val::Tile(y))
                if (is_float(&left) || is_float(&right))
                    && (self.out.dtype(*x) == Ty::Mask || self.out.dtype(*y) == Ty::Mask) =>
            {
                let (x, y) = (
                    self.draft.sig.ty_name(self.out.dtype(*x)),
                    self.draft.sig.ty_name(self.out.dtype(*y)),
                );
                let d = self.error(
                    Code::J0201,
                    e,
                    format!("an operator on bits joins masks or integers, found tiles of `{x}` and `{y}`"),
                );
                return self
                    .report
                    .bad(d.help("a comparison gives a mask, `v.gt(0.0)`; `v.cast::<bool>()` is true where a number is not 0"));
            }
            (a, b) if is_float(a) || is_float(b) => return no_bits(&mut self.report, e),
            (Val::Tile(x), Val::Tile(y)) => [*x, *y],
            (Val::Tile(x), Val::Num(n)) if self.out.dtype(*x) != Ty::Mask => {
                match self.filled(n, &b.right, self.out.dtype(*x), *x, e) {
                    Some(y) => [*x, y],
                    None => return Val::Unknown,
                }
            }
            (Val::Num(n), Val::Tile(y)) if self.out.dtype(*y) != Ty::Mask => {
                match self.filled(n, &b.left, self.out.dtype(*y), *y, e) {
                    Some(x) => [x, *y],
                    None => return Val::Unknown,
                }
            }
            _ => return no_bits(&mut self.report, e),
        };
        let span = self.report.at(e);
        if self
            .same_dtype("the join", (tiles[0], &b.left), (tiles[1], &b.right), span)
            .is_none()
        {
            return Val::Unknown;
        }
        let Some(axes) =
            self.broadcast("the join", (tiles[0], &b.left), (tiles[1], &b.right), span)
        else {
            return Val::Unknown;
        };
        let ops = Ops::of(self.out.dtype(tiles[0]));
        Val::Tile(match by {
            Join::And => self.on_bits(ops.and, &tiles, &axes, e),
            Join::Or => self.on_bits(ops.or, &tiles, &axes, e),
            // Bits that are in one of them and not in both.
            Join::Xor => {
                let (one, both) = (
                    self.on_bits(ops.or, &tiles, &axes, e),
                    self.on_bits(ops.and, &tiles, &axes, e),
                );
                let not_both = self.on_bits(ops.not, &[both], &axes, e);
                self.on_bits(ops.and, &[one, not_both], &axes, e)
            }
        })
    }

    /// Evaluates `a.eq(b)` or `a.ne(b)` of two masks: bits in both or in none of them, and bits in
    /// one.
    pub fn compared_bits(
        &mut self,
        a: (ValueId, &Expr),
        b: (ValueId, &Expr),
        op: CompareOp,
        e: &Expr,
    ) -> Val {
        let span = self.report.at(e);
        let Some(axes) = self.broadcast(Op::Compare(op).name(), a, b, span) else {
            return Val::Unknown;
        };
        let (ops, tiles) = (Ops::of(Ty::Mask), [a.0, b.0]);
        let (one, both) = (
            self.on_bits(ops.or, &tiles, &axes, e),
            self.on_bits(ops.and, &tiles, &axes, e),
        );
        let (kept, turned, join) = if op == CompareOp::Eq {
            (both, one, ops.or)
        } else {
            (one, both, ops.and)
        };
        let turned = self.on_bits(ops.not, &[turned], &axes, e);
        Val::Tile(self.on_bits(join, &[kept, turned], &axes, e))
    }

    /// Evaluates `v << 3` or `v >> 3`. The vector unit moves the bits of all elements alike; for a
    /// tile, or a number from the launch, a library function does it.
    pub fn moved_bits(&mut self, op: ShiftOp, b: &ExprBinary, e: &Expr) -> Val {
        let (left, right) = (self.expr(&b.left), self.expr(&b.right));
        let (v, by) = match (left, right) {
            (Val::Unknown, _) | (_, Val::Unknown) => return Val::Unknown,
            (Val::Tile(v), Val::Num(by)) => (v, by),
            (Val::Tile(v), Val::Tile(by)) => {
                return self.moved_by_tile(op, (v, &b.left), (by, &b.right), e)
            }
            (Val::Num(n), Val::Tile(by)) if self.out.dtype(by) != Ty::Mask => {
                let Some(v) = self.filled(&n, &b.left, Ty::Is(DType::I32), by, e) else {
                    return Val::Unknown;
                };
                return self.moved_by_tile(op, (v, &b.left), (by, &b.right), e);
            }
            (Val::Num(_), Val::Num(_)) => return no_bits(&mut self.report, e),
            (Val::Tile(_), other) => {
                return self.wrong_kind(&(other, &*b.right), "a number for all elements")
            }
            (other, _) => return self.wrong_kind(&(other, &*b.left), "a tile of integers"),
        };
        if let Some(bad) = self.no_mask(v, op.def().name, &b.left) {
            return bad;
        }
        if self.is_float(self.out.dtype(v)) == Some(true) {
            return no_bits(&mut self.report, e);
        }
        let Some(by) = by.value.as_int() else {
            let Some(by) = self.filled(&by, &b.right, Ty::Is(DType::I32), v, e) else {
                return Val::Unknown;
            };
            return self.moved_by_tile(op, (v, &b.left), (by, &b.right), e);
        };
        let Ok(by) = i32::try_from(by) else {
            let d = self.error(Code::J0208, &*b.right, format!("a shift by `{by}`"));
            return self
                .report
                .bad(d.help("shifts go from 0 to the bits of an element"));
        };
        let (span, dtype, axes) = (
            self.report.at(e),
            self.out.dtype(v),
            self.out.axes(v).clone(),
        );
        let args = vec![
            Operand::Value { value: v },
            Operand::Scalar {
                value: Scalar::cast(ScalarTy::I32, Scalar::I32(by)),
            },
        ];
        self.out.def(
            TileExpr::Op {
                op: op.into(),
                args,
            },
            dtype,
            axes,
            span,
        )
    }

    /// Evaluates `v << by` or `v >> by` of `i32`, each element by its own number.
    fn moved_by_tile(
        &mut self,
        op: ShiftOp,
        v: (ValueId, &Expr),
        by: (ValueId, &Expr),
        e: &Expr,
    ) -> Val {
        for (of, node) in [v, by] {
            if let Some(bad) = self.no_mask(of, op.def().name, node) {
                return bad;
            }
            let dtype = self.out.dtype(of);
            if dtype != Ty::Is(DType::I32) {
                let found = self.draft.sig.ty_name(dtype);
                let d = self
                    .error(
                        Code::J0203,
                        node,
                        format!("a shift by a number for each element, of a tile of `{found}`; it takes i32"),
                    )
                    .help("convert it, `.cast::<i32>()`; by a number of the text tiles of i16, u16 and u32 are shifted, too");
                return self.report.bad(d);
            }
        }
        let name = match op {
            ShiftOp::Left => "shifted_left",
            ShiftOp::Right => "shifted_right",
        };
        let (at, text) = self.module.library.get(name);
        let given = [(Val::Tile(v.0), v.1), (Val::Tile(by.0), by.1)];
        let call = self.report.at(e);
        self.inline(Callee::Library(at), text, Vec::new(), &given, call)
    }
}

/// Reports J0101 for a value without bits of its own.
fn no_bits(report: &mut Report, e: &Expr) -> Val {
    report.unsupported(
        e,
        "an operator on bits of other than masks and integers",
        "`&`, `|`, `^`, `!`, `<<` and `>>` take tiles of integers, and the first four masks; operators of numbers are + - * / %, comparisons, && || and !",
    )
}
