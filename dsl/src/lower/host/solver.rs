//! The host steps that find the free sizes of a variant and the buffer numbers of its queues.

use super::require;
use super::tile_sizes::Free;
use super::Host;
use crate::ir::queue::Body;
use crate::ir::{BinOp, GivenSize, HostStep, QueueDecl, Scalar, ScalarTy, TPosition, VarId};
use crate::lower::lowering::Size;

/// For positions, the condition that their queues have several buffers, else one.
pub(super) type Several = Vec<(TPosition, VarId)>;

/// Gives queues of a position one buffer where a condition does not hold.
pub fn several_only_where<'q>(
    queues: impl IntoIterator<Item = &'q mut QueueDecl>,
    position: TPosition,
    cond: VarId,
) {
    let own = queues
        .into_iter()
        .filter(|q| q.position == position && q.buffer_num != Scalar::Int(1));
    own.for_each(|q| {
        q.buffer_num = Scalar::select(cond.into(), q.buffer_num.clone(), Scalar::Int(1))
    });
}

/// Returns a body whose queues of these positions have one buffer.
fn with_one(body: &Body, of: &Several) -> Body {
    let mut body = body.clone();
    let own = body
        .queues
        .iter_mut()
        .filter(|q| of.iter().any(|(position, _)| q.position == *position));
    own.for_each(|q| q.buffer_num = Scalar::Int(1));
    body
}

/// Host steps under construction.
pub(super) struct Solver {
    /// Bytes of UB.
    limit: i64,
    /// Elements of a data block.
    lanes: i64,
    pub(super) steps: Vec<HostStep>,
    pub(super) sizes: Vec<Size>,
}

impl Solver {
    pub(super) fn new(limit: i64, lanes: i64) -> Solver {
        Solver {
            limit,
            lanes,
            steps: Vec::new(),
            sizes: Vec::new(),
        }
    }

    /// Returns the footprint, and the conditions on which queues have several buffers.
    ///
    /// Queues have several buffers only where the `least` tiles fit with them. With one buffer,
    /// longer rows fit. Stores lose their second buffer first: their copies still run beside the
    /// loads and the first half of the next iteration. Loads follow.
    pub(super) fn buffers(
        &mut self,
        host: &mut Host<'_>,
        body: &Body,
        least: impl Fn(&Scalar) -> Option<Scalar>,
    ) -> (Scalar, Several) {
        let mut body = body.clone();
        let mut several = Several::new();
        for (position, name) in [
            (TPosition::VecOut, "double_out"),
            (TPosition::VecIn, "double_in"),
        ] {
            let grows = |q: &QueueDecl| {
                q.bytes.replace(&least).as_int().is_none() && q.buffer_num != Scalar::Int(1)
            };
            if !body
                .queues
                .iter()
                .any(|q| q.position == position && grows(q))
            {
                continue;
            }
            let fits = host
                .footprint(&with_one(&body, &several))
                .replace(&least)
                .bin(BinOp::Le, self.limit);
            let var = host.fresh(name, ScalarTy::Bool);
            host.mark_field(var);
            self.steps.push(HostStep::Let { var, value: fits });
            several.push((position, var));
        }
        several
            .iter()
            .for_each(|(position, cond)| several_only_where(&mut body.queues, *position, *cond));
        (host.footprint(&body), several)
    }

    /// Adds the step for tiles that have no free size. Returns the condition that they fit.
    pub(super) fn whole(&mut self, host: &mut Host<'_>, bytes: &Scalar) -> Scalar {
        // The solver finds 1 if they fit, else 0.
        let var = host.later("whole_tiles");
        let bytes = Scalar::Var(var) * bytes.clone();
        self.steps.push(HostStep::Solve {
            var,
            step: 1,
            max: Scalar::Int(1),
            bytes,
            limit: self.limit,
        });
        Scalar::Var(var).bin(BinOp::Gt, 0)
    }

    pub(super) fn size(&mut self, var: VarId, free: &Free, step: i64, bytes: Scalar, max: Scalar) {
        // A given tile may end within a repeat, which only wastes time; its rows must be whole data
        // blocks.
        let (unit, limit) = (step.min(self.lanes), self.limit);
        // The footprint is a formula in this variable.
        self.sizes.push(Size {
            var: free.var,
            kind: free.kind(),
            step,
            unit,
            given: free.given.clone(),
        });
        match &free.given {
            None => self.steps.push(HostStep::Solve {
                var,
                step,
                max,
                bytes,
                limit,
            }),
            Some(g) => {
                self.steps.push(HostStep::Let {
                    var,
                    value: g.clone(),
                });
                let positive = Scalar::Var(var).bin(BinOp::Gt, 0);
                let whole = (Scalar::Var(var) % unit).bin(BinOp::Eq, 0);
                let cond = positive.bin(BinOp::And, whole);
                self.steps.push(require(
                    cond,
                    format!("`size` must be a positive multiple of {unit}"),
                ));
                let given = Some(GivenSize {
                    name: "size".to_string(),
                    var,
                    step: unit,
                });
                self.steps.push(HostStep::Fits {
                    bytes,
                    limit,
                    given,
                });
            }
        }
    }
}
