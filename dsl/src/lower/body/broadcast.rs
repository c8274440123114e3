//! Element-wise ops with operands that lack axes of the result: the axes that are rows and lanes of
//! a call, and those that are loops around it.
//!
//! Neighbouring axes that the same operands have are one *group*. A call takes two groups: each row
//! of the outer group with the lanes of the inner one. An operand has all elements, one value a
//! row, or one row for all (`func::Side`). Further groups are loops around the call.

use super::ops::{expanded, Calls};
use super::shapes::Tile;
use crate::ir::queue::Stmt;
use crate::ir::scalar::product;
use crate::ir::{Axes, QueueStmt, Scalar, ScalarTy, StmtKind, TensorId, ValueId, VarId, View};
use crate::lower::func::{has_again, Side};
use crate::lower::gap::{Gap, Made};
use crate::ops::BinaryOp;

/// Neighbouring axes that the same operands have.
struct Group {
    has: [bool; 2],
    /// Rows in this iteration.
    rows: Scalar,
    /// Valid lanes, and elements from row to row.
    lanes: Option<(Scalar, Scalar)>,
}

impl Group {
    /// Returns the elements, with padding between rows.
    fn elements(&self) -> Scalar {
        product(
            [self.rows.clone()]
                .into_iter()
                .chain(self.lanes.iter().map(|(_, pitch)| pitch.clone())),
        )
    }

    /// Returns the valid elements and the pitch of the group as one row.
    fn as_row(&self, lanes: i64) -> (Scalar, Scalar) {
        match &self.lanes {
            Some((live, pitch)) if self.rows == Scalar::Int(1) => (live.clone(), pitch.clone()),
            Some(_) => (self.elements(), self.elements()),
            None => (self.rows.clone(), self.rows.clone().align_up(lanes)),
        }
    }
}

/// Returns the groups of a tile, from the outermost on.
fn groups(tile: &Tile, operands: [&Axes; 2]) -> Vec<Group> {
    let has = |ax| operands.map(|axes| axes.contains(ax));
    let mut groups: Vec<Group> = Vec::new();
    for axis in &tile.rows {
        match groups.last_mut() {
            Some(last) if last.has == has(axis.ax) => {
                last.rows = product([last.rows.clone(), axis.live.clone()])
            }
            _ => groups.push(Group {
                has: has(axis.ax),
                rows: axis.live.clone(),
                lanes: None,
            }),
        }
    }
    if let Some(axis) = &tile.lanes {
        let lanes = Some((axis.live.clone(), axis.room.clone()));
        match groups.last_mut() {
            Some(last) if last.has == has(axis.ax) => last.lanes = lanes,
            _ => groups.push(Group {
                has: has(axis.ax),
                rows: Scalar::Int(1),
                lanes,
            }),
        }
    }
    groups
}

/// Returns the number of innermost groups that one call takes.
fn taken(groups: &[Group]) -> usize {
    match groups {
        // An operand with nothing of both groups has no layout for two.
        [.., a, b] if (0..2).all(|i| a.has[i] || b.has[i]) => 2,
        groups => groups.len().min(1),
    }
}

impl Calls<'_, '_, '_> {
    /// Adds a broadcasting op into a tensor with the layout of the result.
    pub(super) fn broadcast(
        &mut self,
        op: BinaryOp,
        to: TensorId,
        operands: [ValueId; 2],
    ) -> Made<()> {
        let (own, ty) = (self.tile.clone(), self.site.values.ty(operands[0]));
        let all = groups(&own, operands.map(|v| self.site.values.axes(v)));
        let (loops, inner) = all.split_at(all.len() - taken(&all));
        if inner.len() == 2 && inner[1].lanes.is_none() || !loops.is_empty() && own.lanes.is_none()
        {
            return Err(self.no_lanes());
        }
        let lanes = self.site.lanes(ty);
        let (rows, inmost) = match inner {
            [rows, inmost] => (rows.rows.clone(), Some(inmost)),
            [inmost] => (Scalar::Int(1), Some(inmost)),
            _ => (Scalar::Int(1), None),
        };
        let (cols, pitch) =
            inmost.map_or((Scalar::Int(1), Scalar::Int(lanes)), |g| g.as_row(lanes));
        let (mut sides, mut places) = ([Side::Whole; 2], [to; 2]);
        for (i, v) in operands.into_iter().enumerate() {
            sides[i] = match inner {
                [_, b] if !b.has[i] => Side::Column,
                [a, _] if !a.has[i] => Side::Row,
                [b] if !b.has[i] => Side::Column,
                [] => Side::Column,
                _ => Side::Whole,
            };
            places[i] = match sides[i] {
                Side::Column => expanded(self.site, v, self.span, self.out)?,
                Side::Row | Side::Whole => self.site.home(v)?,
            };
        }
        let blocks = self.site.host.on_device(&(pitch / lanes), "row_blocks");
        let func = self.site.host.funcs.broadcast(op, sides, ty, lanes);
        let again = has_again(sides).then(|| self.again(operands, sides));
        let scalars = [rows, cols, blocks].into_iter().chain(again).collect();
        // The position of each operand in the iteration of the loops.
        let vars: Vec<VarId> = loops
            .iter()
            .map(|_| self.site.host.fresh("group_index", ScalarTy::Index))
            .collect();
        let elements = |g: &Group, side: Side| match side {
            Side::Column => g.rows.clone(),
            Side::Row | Side::Whole => g.elements(),
        };
        let unit = |side: Side| if side == Side::Column { lanes } else { 1 };
        let at = |has: &dyn Fn(&Group) -> bool, side: Side| {
            let mut at = Scalar::Int(0);
            for (i, (_, var)) in loops
                .iter()
                .zip(&vars)
                .enumerate()
                .filter(|(_, (g, _))| has(g))
            {
                let behind = loops[i + 1..]
                    .iter()
                    .chain(inner)
                    .filter(|g| has(g))
                    .map(|g| elements(g, side));
                let step = product(behind.chain([Scalar::Int(unit(side))]));
                let own = product([Scalar::Var(*var), step]);
                at = if at == Scalar::Int(0) { own } else { at + own };
            }
            at
        };
        let views = vec![
            View::local(to, at(&|_| true, Side::Whole)),
            View::local(places[0], at(&|g| g.has[0], sides[0])),
            View::local(places[1], at(&|g| g.has[1], sides[1])),
        ];
        let call = Stmt {
            kind: StmtKind::Do(QueueStmt::Call {
                func,
                tensors: views,
                scalars,
            }),
            span: self.span,
        };
        let span = self.span;
        let nested = loops.iter().zip(vars).rev().fold(call, |body, (g, var)| {
            let kind = StmtKind::For {
                var,
                from: Scalar::Int(0),
                to: g.rows.clone(),
                body: vec![body],
            };
            Stmt { kind, span }
        });
        self.out.push(nested);
        Ok(())
    }

    /// Returns the elements of the row operand that are repeated behind it.
    fn again(&self, operands: [ValueId; 2], sides: [Side; 2]) -> Scalar {
        let row = operands
            .into_iter()
            .zip(sides)
            .find(|(_, side)| *side == Side::Row);
        row.and_then(|(v, _)| self.site.values.again(v))
            .map_or(Scalar::Int(0), Scalar::Var)
    }

    /// Reports rows of a dense tile without lanes, which begin anywhere in a data block.
    fn no_lanes(&self) -> Gap {
        let help = "reduce or repeat along an axis that is the last one of tensors, or loop over these axes by `each`";
        Gap::not_yet(
            "an op that repeats along an axis of tiles which are no axis of lanes",
            help,
            self.span,
        )
    }
}
