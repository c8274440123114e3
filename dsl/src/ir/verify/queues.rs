//! Checks statements of the queue dialect: queues, buffers, instructions, orders, and steps of the
//! host's plan.

use super::body::{Mode, Own};
use super::{Checked, Cx};
use crate::ir::queue::Body;
use crate::ir::{
    BufId, HostCall, ParamId, QueueId, QueueOp, QueueStmt, ScalarTy, SyncOp, TileLoop,
};
use crate::ops::contract::Pipe;
use crate::soc::Space;

pub(super) type Walk<'w> = super::body::Walk<'w, QueueStmt>;

impl Own for QueueStmt {
    fn hold(&self, cx: &mut Cx<'_>, walk: &mut Walk<'_>) -> Checked {
        cx.queue_statement(walk, self)
    }

    fn tile_loop(&self) -> Option<&TileLoop> {
        None
    }

    fn touched(&self) -> Vec<ParamId> {
        if let QueueStmt::Instr { instr } = self {
            return instr.views().filter_map(|(_, view)| view.param()).collect();
        }
        Vec::new()
    }
}

impl Cx<'_> {
    fn queue_statement(&mut self, walk: &mut Walk<'_>, own: &QueueStmt) -> Checked {
        let body = walk.body;
        match own {
            QueueStmt::Host {
                call:
                    HostCall::Split {
                        total,
                        unit,
                        block_dim,
                        start,
                        len,
                    },
            } => {
                self.plans(walk)?;
                self.host_operand(walk, total, "a total")?;
                self.host_operand(walk, unit, "a unit")?;
                block_dim
                    .iter()
                    .try_for_each(|n| self.host_operand(walk, n, "a block dim"))?;
                self.result(walk, *start, Some(ScalarTy::Index))?;
                self.result(walk, *len, Some(ScalarTy::Index))
            }
            QueueStmt::Host {
                call: HostCall::FitTile { var, unit },
            } => {
                self.plans(walk)?;
                self.host_operand(walk, unit, "a unit")?;
                self.holds(!std::mem::replace(&mut walk.fit_tile, true), || {
                    "a second `fit_tile`; one size is solved for".to_string()
                })?;
                self.result(walk, *var, Some(ScalarTy::Index))?;
                walk.scope.note_known(*var);
                Ok(())
            }
            QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                tensor,
                queue,
            } => {
                self.holds_memory(walk)?;
                self.queue(body, *queue)?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            QueueStmt::Queue {
                op: QueueOp::Enque | QueueOp::Free,
                tensor,
                queue,
            } => {
                self.holds_memory(walk)?;
                self.queue(body, *queue)?;
                self.touches(&walk.scope, body, *tensor)
            }
            QueueStmt::Get {
                tensor,
                buf: BufId(buf),
            } => {
                self.holds_memory(walk)?;
                self.declared(*buf as usize, body.bufs.len(), "buffer", || {
                    format!("b{buf}")
                })?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            QueueStmt::View { tensor, of } => {
                self.holds_memory(walk)?;
                let plain =
                    of.tensor().is_some() && matches!(of.layout, crate::ir::Layout::Dense {});
                self.holds(plain, || {
                    "a name for part of a tensor that is not dense in UB".to_string()
                })?;
                self.view(walk, of)?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            QueueStmt::Place {
                tensor,
                position,
                at,
                len,
            } => {
                self.holds_memory(walk)?;
                self.holds(position.space() == Space::Ub, || {
                    format!("a tensor placed at {}, which is not in UB", position.word())
                })?;
                self.operand(walk, at, ScalarTy::Index)?;
                self.operand(walk, len, ScalarTy::Index)?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            QueueStmt::Instr { instr } => {
                let contract = instr.op.contract();
                let plain = contract.pipe == Pipe::V && contract.begins.is_none();
                self.holds(plain || walk.mode != Mode::Func, || {
                    format!(
                        "`{}` in a function, which makes vector calls alone",
                        instr.op.name()
                    )
                })?;
                self.instr(walk, instr)
            }
            QueueStmt::Sync { what } => {
                self.no_function(walk, "an order of pipes or blocks")?;
                match what {
                    SyncOp::CrossSet { pipe, id } => {
                        self.holds(*pipe != Pipe::S, || {
                            "a flag across the cores of the scalar unit".to_string()
                        })?;
                        self.operand(walk, id, ScalarTy::Index)
                    }
                    SyncOp::Set { id, .. } | SyncOp::Wait { id, .. } | SyncOp::CrossWait { id } => {
                        self.operand(walk, id, ScalarTy::Index)
                    }
                    SyncOp::Order { .. } => self.holds(walk.mode == Mode::Device, || {
                        "a wait without a flag; only the lowering puts it in".to_string()
                    }),
                    SyncOp::Barrier { .. } | SyncOp::All {} => Ok(()),
                }
            }
            QueueStmt::Reset { memory } => {
                self.holds(walk.mode == Mode::Device, || {
                    "memory handed out anew; only the lowering does".to_string()
                })?;
                memory
                    .iter()
                    .try_for_each(|m| self.memory_id(walk.body, *m))
            }
            QueueStmt::Call {
                func,
                tensors,
                scalars,
            } => self.call(walk, *func, tensors, scalars),
        }
    }

    /// Checks the place of a step of the host's plan.
    fn plans(&self, walk: &Walk<'_>) -> Checked {
        self.holds(walk.mode == Mode::Queue, || {
            "a step of the host's plan; such stand in queue kernels, before lowering".to_string()
        })?;
        self.holds(walk.frames.is_empty(), || {
            "a step of the host's plan inside a loop or a branch".to_string()
        })
    }

    fn holds_memory(&self, walk: &Walk<'_>) -> Checked {
        self.holds(walk.mode != Mode::Func, || {
            "a queue or buffer in a function; it is given its tensors".to_string()
        })
    }

    fn no_function(&self, walk: &Walk<'_>, what: &str) -> Checked {
        self.holds(walk.mode != Mode::Func, || {
            format!("{what} in a function, which makes vector calls alone")
        })
    }

    fn queue(&self, body: &Body, QueueId(id): QueueId) -> Checked {
        self.declared(id as usize, body.queues.len(), "queue", || format!("q{id}"))
            .map(|_| ())
    }
}
