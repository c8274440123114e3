//! `Init` of a kernel class: addresses of the tensors, members from the tiling data, this block's share, buffers.

use super::class::{reads_block_idx, ClassCx, Contents, Place};
use crate::cpp::Cpp;
use crate::scalar::{cpp_type, Helper};
use jumar_dsl::ir::{BinOp, Scalar, ScalarTy, Stmt, StmtKind, TensorId, Ty};
use std::cell::Cell;
use std::collections::BTreeSet;

impl<'a> ClassCx<'a> {
    pub(super) fn print_init(&self, c: &Contents<'a>, out: &mut Cpp) {
        let mut params: Vec<String> = c.tensors.iter().map(|t| format!("GM_ADDR {}", self.init_params[t.index()])).collect();
        if c.takes_tiling {
            params.push(format!("const {} &tiling", self.names.data));
        }
        let buffers = !(self.body.queues.is_empty() && self.body.bufs.is_empty());
        if buffers {
            params.push("TPipe *pipe".into());
        }
        let p = self.init();
        out.function(format!("__aicore__ inline void Init({})", params.join(", ")), |out| {
            for t in &c.tensors {
                let ty = self.ty(self.lowered.sig.dtype(*t).expect("a view looks at a tensor"));
                let (gm, param) = (&self.gms[t.index()], &self.init_params[t.index()]);
                out.stmt(format!("{gm}.SetGlobalBuffer(reinterpret_cast<__gm__ {ty} *>({param}))"));
            }
            out.blank();
            for v in &c.fields {
                let from = p.var(*v);
                let bool_field = self.body.var(*v).ty == ScalarTy::Bool;
                let test = if bool_field { " != 0" } else { "" };
                out.stmt(format!("{} = {from}{test}", self.var_name(*v)));
            }
            let line = Cell::new(0);
            let mut named = false;
            for s in &c.parts.lets {
                let StmtKind::LetScalar { var, value } = &s.kind else { continue };
                if !c.live.var(*var) && !c.init.contains(var) {
                    continue;
                }
                self.source_line(s.span, &line, out);
                if !named && reads_block_idx(value) {
                    out.line("const int64_t blockIdx = GetBlockIdx();");
                    named = true;
                }
                let ty = self.body.var(*var).ty;
                let value = p.expr_as(value, ty);
                match &self.places[var.index()] {
                    Place::Member(name) => out.stmt(format!("{name} = {value}")),
                    Place::Local(name) => out.stmt(format!("const {} {name} = {value}", cpp_type(ty))),
                    Place::Field { .. } => {}
                }
            }
            out.blank();
            self.print_buffers(out);
        });
    }

    fn print_buffers(&self, out: &mut Cpp) {
        let p = self.init();
        for i in self.queue_order() {
            let q = &self.body.queues[i];
            let num = match (q.buffer_num.as_int(), self.buffer_num) {
                (Some(n), Some(common)) if n == common => {
                    self.need(Helper::BufferNum);
                    "BUFFER_NUM".to_string()
                }
                (Some(n), _) => n.to_string(),
                (None, _) => format!("static_cast<uint8_t>({})", p.expr(&q.buffer_num)),
            };
            let ty = self.held_by(|s| match &s.kind {
                StmtKind::Alloc { tensor, queue } if queue.index() == i => Some(*tensor),
                _ => None,
            });
            out.stmt(format!("pipe->InitBuffer({}, {num}, {})", self.queues[i], self.bytes(&q.bytes, ty)));
        }
        for (i, b) in self.body.bufs.iter().enumerate() {
            let ty = self.held_by(|s| match &s.kind {
                StmtKind::Get { tensor, buf } if buf.index() == i => Some(*tensor),
                _ => None,
            });
            out.stmt(format!("pipe->InitBuffer({}, {})", self.bufs[i], self.bytes(&b.bytes, ty)));
        }
    }

    /// Queues in the order in which data passes through them.
    pub(super) fn queue_order(&self) -> Vec<usize> {
        let mut order: Vec<_> = (0..self.body.queues.len()).collect();
        order.sort_by_key(|i| self.body.queues[*i].position);
        order
    }

    /// The dtype of all tensors that `pick` finds, where it is one.
    fn held_by(&self, pick: impl Fn(&Stmt) -> Option<TensorId>) -> Option<Ty> {
        let mut types = BTreeSet::new();
        let mut first = None;
        self.body.walk(&mut |s| {
            if let Some(t) = pick(s) {
                let ty = self.body.tensors[t.index()].dtype;
                first.get_or_insert(ty);
                types.insert(format!("{ty:?}"));
            }
        });
        first.filter(|ty| types.len() == 1 && *ty != Ty::Mask)
    }

    /// A size in bytes; `n * 4` of a buffer that holds `float` reads better as `n * sizeof(float)`.
    fn bytes(&self, bytes: &Scalar, holds: Option<Ty>) -> String {
        let p = self.init();
        let sized = |s: &Scalar| match (s, holds) {
            (Scalar::Bin(BinOp::Mul, n, size), Some(ty)) if size.as_int() == Some(ty.resolve(self.lowered.binding()).bytes()) => {
                Some(format!("{} * sizeof({})", p.factor(n), self.ty(ty)))
            }
            _ => None,
        };
        if let Scalar::Bin(BinOp::AlignUp, inner, step) = bytes {
            if let Some(text) = sized(inner) {
                self.need(Helper::AlignUp);
                return format!("AlignUp({text}, {})", p.expr(step));
            }
        }
        sized(bytes).unwrap_or_else(|| p.expr(bytes))
    }
}
