//! `Init` of a kernel class: addresses of the tensors, members from the tiling data, this block's
//! share, buffers.

use super::class::{reads_block_idx, ClassCx, Place, Printer};
use crate::cpp::Cpp;
use crate::parts::{let_scalar, resets, Contents};
use crate::scalar::{cpp_type, Helper};
use jumar_dsl::ir::{BufId, Memory, QueueId, Scalar, ScalarTy, TensorRef};
use std::cell::Cell;

impl<'a> ClassCx<'a> {
    pub(super) fn print_init(&self, c: &Contents<'a>, out: &mut Cpp) {
        let mut params: Vec<String> = self
            .class
            .tensors
            .iter()
            .map(|t| format!("GM_ADDR {}", self.init_params[t.index()]))
            .collect();
        params.extend(
            self.init_workspace
                .iter()
                .map(|name| format!("GM_ADDR {name}")),
        );
        if self.class.takes_tiling() {
            params.push(format!("const {} &tiling", self.plan.names.data));
        }
        if self.has_pipe() {
            params.push("TPipe *pipe".into());
        }
        let (idx, num) = self.class.reads_block();
        if self.plan.tells_blocks() && idx {
            params.push("int64_t blockIdx".into());
        }
        if self.plan.tells_blocks() && num {
            params.push("int64_t blockNum".into());
        }
        let p = self.init();
        out.function(
            format_args!("__aicore__ inline void Init({})", params.join(", ")),
            |out| {
                for of in self.class.globals() {
                    let (ty, gm, from) = (
                        self.ty(self.source.global(of)),
                        self.gm_member(of),
                        self.begin_of(of),
                    );
                    out.stmt(format_args!(
                        "{gm}.SetGlobalBuffer(reinterpret_cast<__gm__ {ty} *>({from}))"
                    ));
                }
                self.print_l2_hints(out);
                out.blank();
                for v in self.kept_fields(c) {
                    let test = if self.body.var(v).ty == ScalarTy::Bool {
                        " != 0"
                    } else {
                        ""
                    };
                    out.stmt(format_args!(
                        "{} = {}{test}",
                        self.var_name(v),
                        p.expr(&v.into())
                    ));
                }
                for (kept, name) in [
                    (self.kept_block.get().0, "blockIdx"),
                    (self.kept_block.get().1, "blockNum"),
                ] {
                    if kept {
                        out.line(format_args!("{name}_ = {name};"));
                    }
                }
                let line = Cell::new(0);
                let mut named = self.plan.tells_blocks();
                for s in &c.parts.lets {
                    let Some((var, value)) = let_scalar(s).filter(|(var, _)| c.uses(*var)) else {
                        continue;
                    };
                    self.source_line(s.span, &line, out);
                    if !named && reads_block_idx(value) {
                        out.line("const int64_t blockIdx = GetBlockIdx();");
                        named = true;
                    }
                    let ty = self.body.var(var).ty;
                    let value = p.expr_as(value, ty);
                    match self.place(var) {
                        Place::Field { kept: name, .. } | Place::Member(name) => {
                            out.stmt(format_args!("{name} = {value}"))
                        }
                        Place::Local(name) => {
                            out.stmt(format_args!("const {} {name} = {value}", cpp_type(ty)))
                        }
                    }
                }
                if self.has_pipe() {
                    out.blank();
                    self.print_buffers(out);
                }
            },
        );
    }

    /// Prints the beginning of a tensor in GM.
    fn begin_of(&self, of: TensorRef) -> String {
        let (p, work) = match of {
            TensorRef::Param(id) => return self.init_params[id.index()].clone(),
            TensorRef::Work(id) => (self.init(), self.body.work(id)),
        };
        let from = self
            .init_workspace
            .as_deref()
            .expect("a class with workspaces takes the one of the launch");
        let at = if work.at == Scalar::Int(0) {
            String::new()
        } else {
            format!(" + {}", p.expr(&work.at))
        };
        format!("{from}{at}")
    }

    fn print_buffers(&self, out: &mut Cpp) {
        if resets(self.body) {
            out.stmt("pipe_ = pipe");
        }
        self.print_memory((&self.init(), "pipe"), &self.source.memory, out);
        self.take_ids(out);
    }

    /// Prints the statements that hand out memory anew. Pipes must first finish what they began
    /// with the old memory.
    pub(super) fn print_reset(&self, memory: &[Memory], out: &mut Cpp) {
        out.comment("The buffers behind this take the memory of those before.");
        let follows_meeting = self.body.resets_at_meeting(memory);
        // A `SyncAll` is such a barrier.
        if !follows_meeting {
            out.line("PipeBarrier<PIPE_ALL>();");
        }
        out.line("pipe_->Reset();");
        self.print_memory((&self.process(), "pipe_"), memory, out);
    }

    fn print_memory(&self, (p, pipe): (&Printer<'_, 'a>, &str), memory: &[Memory], out: &mut Cpp) {
        for memory in memory {
            match *memory {
                Memory::Queue { queue } => {
                    let bytes = p.expr(&self.body.queues[queue.index()].bytes);
                    out.stmt(format_args!(
                        "{pipe}->InitBuffer({}, {}, {bytes})",
                        self.queue(queue),
                        self.buffers(p, queue)
                    ));
                }
                Memory::Buf { buf } => self.print_buf((p, pipe), buf, out),
                Memory::Skew { buf } => {
                    out.comment("Half of UB's banks between the sources of one call: a repeat reads both in one cycle.");
                    out.line(self.buf_decl(buf));
                    self.print_buf((p, pipe), buf, out);
                }
            }
        }
    }

    /// Prints the number of buffers of a queue.
    fn buffers(&self, p: &Printer<'_, 'a>, queue: QueueId) -> String {
        let q = &self.body.queues[queue.index()];
        match (q.buffer_num.as_int(), self.plan.buffer_num) {
            (Some(n), Some(common)) if n == common => {
                self.need(Helper::BufferNum);
                "BUFFER_NUM".to_string()
            }
            (Some(n), _) => n.to_string(),
            (None, common) => match &q.buffer_num {
                Scalar::Select(cond, several, _)
                    if common.is_some() && several.as_int() == common =>
                {
                    self.need(Helper::BufferNum);
                    format!("static_cast<uint8_t>({} ? BUFFER_NUM : 1)", p.expr(cond))
                }
                num => format!("static_cast<uint8_t>({})", p.expr(num)),
            },
        }
    }

    fn print_buf(&self, (p, pipe): (&Printer<'_, 'a>, &str), buf: BufId, out: &mut Cpp) {
        let bytes = p.expr(&self.body.bufs[buf.index()].bytes);
        out.stmt(format_args!(
            "{pipe}->InitBuffer({}, {bytes})",
            self.buf(buf)
        ));
    }
}
