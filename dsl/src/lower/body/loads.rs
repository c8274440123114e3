//! Loads: one VECIN queue for each load, or one block for consecutive loads.

use super::boundary::copy_inside;
use super::context::{instr, Site};
use super::copy::copy_in;
use super::strided::apart;
use crate::ir::scalar::product;
use crate::ir::{
    queue, tile, Access, Arg, Extent, QueueOp, QueueStmt, Scalar, Signature, SpanId, Stmt,
    StmtKind, TensorId, TileExpr, UnOp, ValueId, View,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::homes::{Home, Owner};
use crate::lower::memory::queues::{Passage, Way};
use crate::ops::LayoutOp;

/// A load of the tile dialect.
#[derive(Clone, Copy)]
pub struct Load<'s> {
    pub value: ValueId,
    pub from: &'s Access,
    /// The value of elements outside of the tensor, for a load that may have some.
    pub outside: Option<&'s Scalar>,
    pub span: SpanId,
}

impl<'s> Load<'s> {
    pub fn of(s: &'s tile::Stmt) -> Option<Load<'s>> {
        let (value, expr) = s.def()?;
        let outside = if let TileExpr::LoadOr { outside, .. } = expr {
            Some(outside)
        } else {
            None
        };
        Some(Load {
            value,
            from: s.access()?,
            outside,
            span: s.span,
        })
    }
}

impl Load<'_> {
    /// Adds the copy into `filled`. Returns the fills that follow once the tensor has come as
    /// `ready`.
    pub(super) fn copied(
        &self,
        site: &mut Site<'_, '_>,
        filled: TensorId,
        ready: TensorId,
        out: &mut Vec<queue::Stmt>,
    ) -> Made<Vec<queue::Stmt>> {
        let Some((param, otherwise)) = self.from.param().zip(self.from.otherwise.as_ref()) else {
            return match self.outside {
                Some(outside) => {
                    copy_inside(site, self.from, outside, filled, ready, self.span, out)
                }
                None => copy_in(site, self.from, filled, self.span, out).map(|()| Vec::new()),
            };
        };
        if self.outside.is_some() {
            return Err(Gap::new(
                "a number outside of a tensor that was left out",
                self.span,
            ));
        }
        let mut copies = Vec::new();
        copy_in(site, self.from, filled, self.span, &mut copies)?;
        // Scalars of the copies are computed under no condition.
        let (cond, span) = (
            site.host.on_device(&Signature::given(param), "is_given"),
            self.span,
        );
        out.push(Stmt {
            kind: StmtKind::If {
                cond: cond.clone(),
                then: copies,
                other: Vec::new(),
            },
            span,
        });
        let ty = site.places.decls.ty(filled);
        let number = Scalar::cast(
            site.host.binding.beside(ty),
            site.host.on_device(otherwise, "otherwise"),
        );
        // Filled elements have the distance of copied ones.
        let all = product([site.values.layout(self.from)?.live(), apart(site, self)]);
        let n = site.host.rounded(all, site.lanes(ty));
        let fill = instr(
            LayoutOp::Duplicate,
            Extent::Count { n },
            [View::local(ready, 0).into(), Arg::from(number)],
            span,
        );
        let missing = Scalar::un(UnOp::Not, cond);
        Ok(vec![Stmt {
            kind: StmtKind::If {
                cond: missing,
                then: vec![fill],
                other: Vec::new(),
            },
            span,
        }])
    }
}

/// Adds consecutive loads. All copies are in flight before the first one is waited for.
pub(super) fn load_run(
    site: &mut Site<'_, '_>,
    run: &[Load<'_>],
    out: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let mut waiting = Vec::new();
    match run {
        [first, _, ..] if site.places.queues.buffers.group_loads => {
            load_group(site, *first, run, out, &mut waiting)?
        }
        run => {
            for (ordinal, load) in run.iter().enumerate() {
                load_alone(site, *load, ordinal, out, &mut waiting)?;
            }
        }
    }
    out.extend(waiting);
    Ok(())
}

fn load_alone(
    site: &mut Site<'_, '_>,
    load: Load<'_>,
    ordinal: usize,
    out: &mut Vec<queue::Stmt>,
    waiting: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let Load {
        value, from, span, ..
    } = load;
    let (name, ty) = (site.tensor_name(from.of), site.values.ty(value));
    let bytes = site.values.value_bytes(site.host, value)?;
    let places = &mut site.places;
    let queue = places.queues.take(
        Passage {
            way: Way::In,
            name: &name,
            bytes,
            ordinal,
            span,
        },
        &mut places.decls,
    );
    let filled = places.decls.tensor(&format!("{name}_in"), ty);
    let ready = places.decls.tensor(&format!("{name}_local"), ty);
    places.queues.hold(queue, ready, 1);
    places.settle(
        value,
        Home {
            tensor: ready,
            owner: Owner::In(queue),
        },
    );
    out.push(QueueOp::Alloc.of(filled, queue, span));
    let fills = load.copied(site, filled, ready, out)?;
    out.push(QueueOp::Enque.of(filled, queue, span));
    waiting.push(QueueOp::Deque.of(ready, queue, span));
    waiting.extend(fills);
    Ok(())
}

/// Loads into parts of one block.
fn load_group(
    site: &mut Site<'_, '_>,
    first: Load<'_>,
    run: &[Load<'_>],
    out: &mut Vec<queue::Stmt>,
    waiting: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let (span, base_ty) = (first.span, site.values.ty(first.value));
    let (offsets, total) = parts(site, run)?;
    let places = &mut site.places;
    let queue = places.queues.take_shared(total, span, &mut places.decls);
    let filled = places.decls.tensor("group_in", base_ty);
    let ready = places.decls.tensor("group_local", base_ty);
    places.queues.hold(queue, ready, run.len());
    out.push(QueueOp::Alloc.of(filled, queue, span));
    waiting.push(QueueOp::Deque.of(ready, queue, span));
    let unit = site.values.size(base_ty);
    for (load, at) in run.iter().copied().zip(offsets) {
        let Load {
            value, from, span, ..
        } = load;
        let (name, ty) = (site.tensor_name(from.of), site.values.ty(value));
        let write = site.places.decls.tensor(&format!("{name}_in"), ty);
        let read = site.places.decls.tensor(&format!("{name}_local"), ty);
        let of_base = |tensor| View::local(tensor, at.clone() / unit);
        out.push(Stmt {
            kind: StmtKind::Do(QueueStmt::View {
                tensor: write,
                of: of_base(filled),
            }),
            span,
        });
        let fills = load.copied(site, write, read, out)?;
        waiting.push(Stmt {
            kind: StmtKind::Do(QueueStmt::View {
                tensor: read,
                of: of_base(ready),
            }),
            span,
        });
        waiting.extend(fills);
        site.places.settle(
            value,
            Home {
                tensor: read,
                owner: Owner::Group(queue),
            },
        );
    }
    out.push(QueueOp::Enque.of(filled, queue, span));
    Ok(())
}

/// Returns the first byte of each load's part of a block, and the bytes of the block.
fn parts(site: &Site<'_, '_>, run: &[Load<'_>]) -> Made<(Vec<Scalar>, Scalar)> {
    let mut total = Scalar::Int(0);
    let mut offsets = Vec::with_capacity(run.len());
    for load in run {
        let bytes = site.values.value_bytes(site.host, load.value)?;
        offsets.push(site.host.binding.sized(&total));
        total = total + site.host.rounded(bytes, site.host.chip.data_block_bytes);
    }
    Ok((offsets, total))
}
