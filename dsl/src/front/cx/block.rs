//! A block of statements while it is read, in both dialects.
//!
//! The dialect of a kernel is known only after its first construct of one level. Until then control
//! stands in both lists, and the statements of a dialect in its own.

use crate::ir::{queue, tile, Scalar, SpanId, StmtKind, VarId};

/// The statements of a block in both dialects.
#[derive(Clone, Default)]
pub struct Block {
    pub tile: Vec<tile::Stmt>,
    pub queue: Vec<queue::Stmt>,
}

impl Block {
    pub fn is_empty(&self) -> bool {
        self.tile.is_empty() && self.queue.is_empty()
    }

    /// True where all of its statements give names to scalars.
    pub fn only_names(&self) -> bool {
        let tile = self
            .tile
            .iter()
            .all(|s| matches!(s.kind, StmtKind::LetScalar { .. }));
        tile && self
            .queue
            .iter()
            .all(|s| matches!(s.kind, StmtKind::LetScalar { .. }))
    }

    /// Adds the statements of another block.
    pub fn extend(&mut self, other: Block) {
        self.tile.extend(other.tile);
        self.queue.extend(other.queue);
    }

    /// Adds `let var = value`, or `var = value` on a mutable variable that has one.
    pub fn assign(&mut self, var: VarId, value: &Scalar, anew: bool, span: SpanId) {
        fn kind<L>(var: VarId, value: Scalar, anew: bool) -> StmtKind<L> {
            if anew {
                StmtKind::LetScalar { var, value }
            } else {
                StmtKind::SetScalar { var, value }
            }
        }
        self.tile.push(tile::Stmt {
            kind: kind(var, value.clone(), anew),
            span,
        });
        self.queue.push(queue::Stmt {
            kind: kind(var, value.clone(), anew),
            span,
        });
    }

    /// Adds the loop `for var in from..to`.
    pub fn for_loop(&mut self, var: VarId, from: &Scalar, to: &Scalar, body: Block, span: SpanId) {
        let (from, to) = (|| from.clone(), || to.clone());
        self.tile.push(tile::Stmt {
            kind: StmtKind::For {
                var,
                from: from(),
                to: to(),
                body: body.tile,
            },
            span,
        });
        self.queue.push(queue::Stmt {
            kind: StmtKind::For {
                var,
                from: from(),
                to: to(),
                body: body.queue,
            },
            span,
        });
    }

    /// Adds the branch `if cond { .. } else { .. }`.
    pub fn branch(&mut self, cond: &Scalar, then: Block, other: Block, span: SpanId) {
        let cond = || cond.clone();
        self.tile.push(tile::Stmt {
            kind: StmtKind::If {
                cond: cond(),
                then: then.tile,
                other: other.tile,
            },
            span,
        });
        self.queue.push(queue::Stmt {
            kind: StmtKind::If {
                cond: cond(),
                then: then.queue,
                other: other.queue,
            },
            span,
        });
    }
}
