//! Checks by execution: statements of queue-level kernels run for some launches with numbers.
//!
//! | code | finding | where |
//! |---|---|---|
//! | J0412 | cross-core flags that blocks set unequally often | here |
//! | J0413 | flags that an author sets and waits for unevenly | here |
//! | J0414 | accesses of pipes that neither flags nor barriers of the author order | here, `pipes` |
//! | J0416 | lines of the scalar unit's cache | [`cache_lines`], `cached` |
//! | J0505 | stores of different blocks to the same elements | `shares` |
//!
//! J0414 also covers copies of one pipe into the same bytes, in every queue-level kernel: no queue
//! orders the copies that fill one tensor.
//!
//! The order of accesses may depend on the iteration, as in `i % 2`, which no proof follows. So the
//! statements of a block run for small shapes that the kernel allows
//! ([`super::source::small_shapes`]) and for some multiples of them. They run on a chip of one
//! core, whose share is longest, and on the whole chip. The run follows only places and iteration
//! counts, and computes no elements.
//!
//! A finding is certain: an access counts only for what it certainly touches. The run ends where an
//! unknown number, one that is read from a tensor, decides how it goes on. The simulator, or C++ on
//! the CPU, finds what shows in no such launch.
//!
//! In program order, every WaitFlag must find its flag set, and every SetFlag must find it taken.
//! Then no pipe waits forever, since the pipes can keep that order. A flag that is left set would
//! reach the next kernel of the core.
//!
//! For a cross-core flag, each block waits behind its own set, since all of them must set it, and
//! all set it equally often.

pub mod cache_lines;
pub mod cached;
pub mod pipes;
pub mod shares;

use super::source::small_shapes::{shapes, sized, Shape};
use crate::cost::banks::Layout as Addresses;
use crate::diag::{Code, Diagnostic, Spot};
use crate::dtype::DType;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    Barrier, Base, Event, Extent, Instr, Kernel, Lanes, Layout, Lowered, QueueId, QueueOp,
    QueueStmt, Scalar, SpanId, StmtKind, SyncOp, TensorId, TensorRef, VarId, View, CROSS_PENDING,
};
use crate::ops::contract::{Access, Elem, Pipe, Reach, ViewRule};
use crate::ops::{Op, ScalarOp};
use crate::soc::Chip;
use crate::tiling::{eval, evaluate, Env, Tiling, Value};
use cache_lines::{Lines, Shared};
use pipes::{Known, Memory, Pipes, Rows, Touch};
use shares::{Stored, Stores};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Most statements that run for one block; `ALL_STEPS` limits all shapes of a multiple.
const STEPS: usize = 1500;
const ALL_STEPS: usize = 8_000;
/// Factors for axes: tiles are mostly longer than small shapes.
const MULTIPLES: [i64; 5] = [1, 16, 256, 1024, 4096];

/// Runs a kernel at queue level.
pub(super) fn check_events(
    kernel: &Kernel,
    body: &Body,
    lowered: &Lowered,
    chip: &Chip,
    found: &mut Vec<Diagnostic>,
) {
    let kernel = sized(kernel);
    let one_core = Chip {
        vector_cores: 1,
        ..chip.clone()
    };
    let shapes = shapes(&kernel, chip);
    let (crosses, caches) = (body.has_flags_across(), body.caches_gm());
    let by_hand = body.orders_by_hand();
    for by in MULTIPLES {
        let mut steps = ALL_STEPS;
        for shape in shapes
            .iter()
            .filter_map(|shape| times(&kernel, shape, by, chip))
        {
            if steps == 0 {
                break;
            }
            for chip in [&one_core, chip] {
                let Ok(tiling) = evaluate(lowered, chip, &shape.dims, &shape.attrs) else {
                    continue;
                };
                let last = tiling.block_dim - 1;
                let mut blocks = vec![0, last];
                blocks.dedup();
                // The neighbour of the first block.
                blocks.extend((1..last).take(1).filter(|_| !crosses && !caches));
                // Any block may omit a flag that it must set.
                blocks.extend((1..last).filter(|_| crosses || caches));
                let mut shared: Vec<(i64, Shared)> = Vec::new();
                let mut stores = Stores::default();
                let mut first: Option<(i64, Crossed)> = None;
                let launch_of = |block| Launch {
                    kernel: &kernel,
                    shape: &shape,
                    lowered,
                    chip,
                    tiling: &tiling,
                    block,
                    caches,
                    by_hand,
                };
                for block in blocks {
                    let launch = launch_of(block);
                    let ran = launch.run(&mut steps);
                    if !ran.found.is_empty() {
                        return found.extend(ran.found);
                    }
                    // A run follows the order by cross-core flags.
                    if !crosses {
                        if let Some(d) = launch.one_line(&shared, &ran.shared) {
                            return found.push(d);
                        }
                        shared.push((block, ran.shared));
                        stores.add(block, ran.stored);
                    }
                    let Some(own) = ran.crossed else { continue };
                    match &first {
                        None => first = Some((block, own)),
                        Some((block, first)) => {
                            if let Some(d) = launch.uneven(*block, first, &own) {
                                return found.push(d);
                            }
                        }
                    }
                }
                if let Some(met) = stores.meeting() {
                    return found.push(launch_of(met[1].1).overlapping(met));
                }
            }
        }
    }
}

/// Multiplies the axes of a shape, if the kernel allows the result.
fn times(kernel: &Kernel, shape: &Shape, by: i64, chip: &Chip) -> Option<Shape> {
    let dims = shape
        .dims
        .iter()
        .map(|dim| dim.checked_mul(by))
        .collect::<Option<Vec<_>>>()?;
    let shape = Shape {
        dims,
        attrs: shape.attrs.clone(),
    };
    let holds = |cond: &Scalar| eval(cond, &shape.env(chip)) == Ok(Value::Bool(true));
    kernel
        .sig
        .facts
        .iter()
        .all(|fact| holds(&fact.cond))
        .then_some(shape)
}

/// How often a block sets each cross-core flag, and the first place.
type Crossed = BTreeMap<i64, (usize, SpanId)>;

/// The findings of a block, and its cross-core flags if it ran to its end.
struct Ran {
    found: Vec<Diagnostic>,
    crossed: Option<Crossed>,
    shared: Shared,
    stored: Vec<Stored>,
}

struct Launch<'a> {
    kernel: &'a Kernel,
    shape: &'a Shape,
    lowered: &'a Lowered,
    chip: &'a Chip,
    tiling: &'a Tiling,
    block: i64,
    /// True if elements of GM lie in lines of the scalar unit's cache.
    caches: bool,
    /// True if the author orders the pipes.
    by_hand: bool,
}

impl Launch<'_> {
    /// Reports J0412 for a cross-core flag that this block does not set as often as the first one.
    fn uneven(&self, block: i64, first: &Crossed, own: &Crossed) -> Option<Diagnostic> {
        let times = |of: &Crossed, id| of.get(&id).map_or(0, |(times, _)| *times);
        let id = first
            .keys()
            .chain(own.keys())
            .copied()
            .find(|id| times(first, *id) != times(own, *id))?;
        let (_, at) = first.get(&id).or_else(|| own.get(&id))?;
        let said = |times: usize| {
            if times == 1 {
                "once".to_string()
            } else {
                format!("{times} times")
            }
        };
        let text = format!(
            "block {block} sets flag {id} of all cores {}, block {} {}: who waits for it more often waits for ever",
            said(times(first, id)),
            self.block,
            said(times(own, id))
        );
        let d = Diagnostic::new(Code::J0412, *at, text).note(self.words());
        Some(d.help("every block sets each flag equally often: let what differs from block to block stand before or behind it"))
    }

    fn name(&self, of: TensorRef) -> &str {
        self.lowered.variants[self.tiling.variant]
            .body
            .gm_name(&self.lowered.sig, of)
    }

    /// Returns the bytes of an element of a tensor in GM.
    fn size(&self, of: TensorRef) -> i64 {
        let ty = self.lowered.variants[self.tiling.variant]
            .body
            .gm_ty(&self.lowered.sig, of);
        ty.resolve(self.lowered.binding()).bytes()
    }

    /// Runs a block and returns its findings.
    fn run(&self, steps: &mut usize) -> Ran {
        let variant = &self.lowered.variants[self.tiling.variant];
        let (body, types) = (&variant.body, self.lowered.binding());
        let (vars, block) = (
            self.tiling.vars.clone(),
            Some((self.block, self.tiling.block_dim)),
        );
        let mut env = Env {
            dims: &[],
            attrs: &[],
            chip: self.chip,
            vars,
            block,
        };
        env.vars.resize(body.vars.len(), None);
        let Ok(addresses) = Addresses::of(&variant.body, &variant.memory, types, self.chip, &env)
        else {
            return Ran {
                found: Vec::new(),
                crossed: None,
                shared: Shared::default(),
                stored: Vec::new(),
            };
        };
        let own = (*steps).min(STEPS);
        let mut run = Execution {
            launch: self,
            body,
            types,
            env,
            pipes: Pipes::default(),
            tensors: vec![None; body.tensors.len()],
            queues: Vec::new(),
            flags: BTreeMap::new(),
            across: BTreeMap::new(),
            crossed: Crossed::new(),
            lines: Lines::default(),
            phase: 0,
            stored: Vec::new(),
            steps: own,
            found: Vec::new(),
        };
        let ended = run.queues_of(&addresses) && run.list(&body.stmts, &addresses);
        if ended && run.found.is_empty() {
            run.left_set();
            run.left_changed();
        }
        *steps -= own - run.steps;
        Ran {
            found: run.found,
            crossed: ended.then_some(run.crossed),
            shared: run.lines.shared,
            stored: run.stored,
        }
    }

    /// Describes the launch: `` where `n` is 2048, in block 0 of 1 ``.
    fn words(&self) -> String {
        let sig = &self.kernel.sig;
        let axes = sig
            .axes
            .iter()
            .zip(&self.shape.dims)
            .map(|(axis, dim)| format!("`{}` is {dim}", axis.name));
        let attr = |(param, value): (&crate::ir::Param, &Option<Value>)| {
            let said = match value.as_ref()? {
                Value::Int(v) => v.to_string(),
                Value::I32(v) => v.to_string(),
                Value::F32(v) => format!("{v:?}"),
                Value::Bool(v) => v.to_string(),
            };
            Some(format!("`{}` is {said}", param.name))
        };
        let all: Vec<_> = axes
            .chain(sig.params.iter().zip(&self.shape.attrs).filter_map(attr))
            .collect();
        let sizes = if all.is_empty() {
            String::new()
        } else {
            format!("where {}, ", all.join(" and "))
        };
        format!(
            "this happens {sizes}in block {} of {}",
            self.block, self.tiling.block_dim
        )
    }
}

/// A buffer of a queue.
#[derive(Clone, Copy, Default)]
struct Slot {
    at: i64,
    is_busy: bool,
    /// The report of its last pipe.
    told: Known,
}

struct Queue {
    slots: Vec<Slot>,
    next: usize,
    waiting: VecDeque<usize>,
    /// The pipes that fill and empty it.
    ends: (Pipe, Pipe),
}

/// The start of a tensor in UB, and its buffer of a queue.
#[derive(Clone, Copy)]
struct Held {
    at: i64,
    slot: Option<(QueueId, usize)>,
}

struct Execution<'a> {
    launch: &'a Launch<'a>,
    body: &'a Body,
    types: &'a [DType],
    env: Env<'a>,
    pipes: Pipes,
    tensors: Vec<Option<Held>>,
    queues: Vec<Queue>,
    /// Flags that are set, with what was told, and where.
    flags: BTreeMap<(Event, i64), (Known, SpanId)>,
    /// Cross-core flags that the block has set and not waited for.
    across: BTreeMap<i64, VecDeque<(Known, SpanId)>>,
    crossed: Crossed,
    /// The lines that the scalar unit holds of GM.
    lines: Lines,
    /// Number of barriers of all blocks so far.
    phase: u32,
    /// Elements that copies have stored in GM.
    stored: Vec<Stored>,
    steps: usize,
    found: Vec<Diagnostic>,
}

impl<'a> Execution<'a> {
    fn queues_of(&mut self, addresses: &Addresses) -> bool {
        for (queue, at) in self.body.queues.iter().zip(&addresses.queues) {
            // Vector cores have no other queues, and nobody takes tensors from them.
            let Some(ends) = queue.position.pipes() else {
                return false;
            };
            let (Some(num), Some(bytes)) = (
                self.number(&queue.buffer_num),
                self.number(&queue.bytes.sized(self.types)),
            ) else {
                return false;
            };
            let block = self.launch.chip.data_block_bytes;
            let bytes = (bytes.max(0) as u64).next_multiple_of(block as u64) as i64;
            let slots = (0..num.clamp(0, 64))
                .map(|i| Slot {
                    at: at + i * bytes,
                    ..Slot::default()
                })
                .collect();
            self.queues.push(Queue {
                slots,
                next: 0,
                waiting: VecDeque::new(),
                ends,
            });
        }
        true
    }

    // ---- numbers ----

    fn value(&self, s: &Scalar) -> Option<Value> {
        eval(s, &self.env).ok()
    }

    fn number(&self, s: &Scalar) -> Option<i64> {
        self.value(s)?.as_int().ok()
    }

    fn set(&mut self, var: VarId, value: Option<Value>) {
        self.env.vars[var.index()] = value;
    }

    // ---- statements ----

    /// Returns false if the run ends: with a finding, or with an unknown number.
    fn list(&mut self, stmts: &'a [Stmt], addresses: &Addresses) -> bool {
        stmts
            .iter()
            .all(|s| self.statement(s, addresses).is_some() && self.found.is_empty())
    }

    fn statement(&mut self, s: &'a Stmt, addresses: &Addresses) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        match &s.kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let value = self.value(value);
                self.set(*var, value);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                for i in self.number(from)?..self.number(to)? {
                    self.set(*var, Some(Value::whole(var.ty(), i).ok()?));
                    self.list(body, addresses).then_some(())?;
                }
            }
            StmtKind::If { cond, then, other } => {
                let taken = self.value(cond)?.as_bool().ok()?;
                self.list(if taken { then } else { other }, addresses)
                    .then_some(())?;
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor,
                queue,
            }) => {
                let q = &mut self.queues[queue.index()];
                let count = q.slots.len();
                let slot = (0..count)
                    .map(|i| (q.next + i) % count)
                    .find(|slot| !q.slots[*slot].is_busy)?;
                q.next = (slot + 1) % count;
                q.slots[slot].is_busy = true;
                let (producer, told, at) = (q.ends.0, q.slots[slot].told, q.slots[slot].at);
                self.pipes.learn(producer, told);
                self.tensors[tensor.index()] = Some(Held {
                    at,
                    slot: Some((*queue, slot)),
                });
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor,
                queue,
            }) => {
                let (_, slot) = self.tensors[tensor.index()]?.slot?;
                let q = &mut self.queues[queue.index()];
                q.slots[slot].told = self.pipes.told(q.ends.0);
                q.waiting.push_back(slot);
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor,
                queue,
            }) => {
                let q = &mut self.queues[queue.index()];
                let slot = q.waiting.pop_front()?;
                let (consumer, Slot { told, at, .. }) = (q.ends.1, q.slots[slot]);
                self.pipes.learn(consumer, told);
                self.tensors[tensor.index()] = Some(Held {
                    at,
                    slot: Some((*queue, slot)),
                });
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Free,
                tensor,
                queue,
            }) => {
                let (_, slot) = self.tensors[tensor.index()]?.slot?;
                let q = &mut self.queues[queue.index()];
                q.slots[slot].told = self.pipes.told(q.ends.1);
                q.slots[slot].is_busy = false;
            }
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => {
                self.tensors[tensor.index()] = Some(Held {
                    at: addresses.bufs[buf.index()],
                    slot: None,
                });
            }
            StmtKind::Do(QueueStmt::Place { tensor, at, .. }) => {
                self.tensors[tensor.index()] = Some(Held {
                    at: self.number(at)?,
                    slot: None,
                });
            }
            StmtKind::Do(QueueStmt::View { tensor, of }) => {
                let base = of.tensor()?;
                let (held, offset) = (self.tensors[base.index()]?, self.number(&of.offset)?);
                let at = held.at.checked_add(offset.checked_mul(self.size(base))?)?;
                self.tensors[tensor.index()] = Some(Held { at, ..held });
            }
            StmtKind::Do(QueueStmt::Sync { what }) => self.sync(what, s.span)?,
            // A function makes vector calls only.
            StmtKind::Do(QueueStmt::Call { .. }) => {}
            StmtKind::Do(QueueStmt::Instr { instr }) => self.instr(instr, s.span),
            StmtKind::Promise { .. } => {}
            // Queue-level code does not hand out memory again.
            StmtKind::Do(QueueStmt::Reset { .. } | QueueStmt::Host { .. }) => return None,
        }
        Some(())
    }

    // ---- flags ----

    fn sync(&mut self, what: &SyncOp, span: SpanId) -> Option<()> {
        match what {
            SyncOp::Set { event, id } => {
                let id = self.number(id)?;
                let told = self.pipes.told(event.ends().0);
                if let Some((_, before)) = self.flags.insert((*event, id), (told, span)) {
                    self.set_twice(*event, id, before, span);
                }
            }
            SyncOp::Wait { event, id } => {
                let id = self.number(id)?;
                match self.flags.remove(&(*event, id)) {
                    Some((told, _)) => self.pipes.learn(event.ends().1, told),
                    None => self.never_set(*event, id, span),
                }
            }
            SyncOp::CrossSet { pipe, id } => {
                let id = self.number(id)?;
                let set = self.across.entry(id).or_default();
                set.push_back((self.pipes.told(*pipe), span));
                self.crossed.entry(id).or_insert((0, span)).0 += 1;
                if set.len() > CROSS_PENDING {
                    self.too_often(id, span);
                }
            }
            SyncOp::CrossWait { id } => {
                let id = self.number(id)?;
                match self.across.get_mut(&id).and_then(VecDeque::pop_front) {
                    Some((told, _)) => Pipe::ALL
                        .into_iter()
                        .for_each(|to| self.pipes.learn(to, told)),
                    None => self.never_crossed(id, span),
                }
            }
            SyncOp::Order { from, to } => self.pipes.order(*from, *to),
            SyncOp::Barrier {
                of: Barrier::Of(pipe),
            } => self.pipes.order(*pipe, *pipe),
            SyncOp::Barrier { of: Barrier::All } => self.pipes.order_all(),
            SyncOp::All {} => {
                self.pipes.order_all();
                self.lines.meet();
                self.phase += 1;
            }
        }
        Some(())
    }

    fn never_set(&mut self, event: Event, id: i64, span: SpanId) {
        let (from, to) = (event.ends().0.name(), event.ends().1.name());
        let word = event.word();
        let text = format!("this waits for flag {id} of `{word}`, which is not set: pipe {to} would stand still for ever");
        let others = self
            .flags
            .keys()
            .filter(|(of, _)| *of == event)
            .map(|(_, id)| id.to_string())
            .collect::<Vec<_>>();
        let mut d = Diagnostic::new(Code::J0413, span, text).note(self.launch.words());
        if !others.is_empty() {
            d = d.note(format!("set of `{word}` is {}", others.join(", ")));
        }
        self.found.push(
            d.help(format!("write `set_flag::<{word}>({id})` before it, behind what pipe {from} must have done"))
                .edit(span, Spot::StatementBefore, format!("set_flag::<{word}>({id});"))
                .maybe(),
        );
    }

    fn set_twice(&mut self, event: Event, id: i64, before: SpanId, span: SpanId) {
        let word = event.word();
        let text = format!(
            "this sets flag {id} of `{word}`, which is set already; nobody has waited for it since"
        );
        let mut d = Diagnostic::new(Code::J0413, span, text).note(self.launch.words());
        if before != span {
            d = d.label(before, "set here");
        }
        self.found.push(
            d.help(format!(
                "write `wait_flag::<{word}>({id})` between the two, or give them ids of their own"
            ))
            .edit(
                span,
                Spot::StatementBefore,
                format!("wait_flag::<{word}>({id});"),
            )
            .maybe(),
        );
    }

    fn never_crossed(&mut self, id: i64, span: SpanId) {
        let text = format!(
            "this waits for flag {id} of all cores, which this block itself has not set as often: all of them would stand still for ever"
        );
        let d = Diagnostic::new(Code::J0413, span, text).note(self.launch.words());
        self.found.push(
            d.help(format!(
                "write `cross_core_set_flag::<0, PIPE_MTE3>({id})` before it, by the pipe that has done what the others wait for"
            ))
            .edit(span, Spot::StatementBefore, format!("cross_core_set_flag::<0, PIPE_MTE3>({id});"))
            .maybe(),
        );
    }

    fn too_often(&mut self, id: i64, span: SpanId) {
        let text = format!(
            "flag {id} of all cores is set {} times, and nobody has waited for it: its counter ends at {CROSS_PENDING}",
            CROSS_PENDING + 1
        );
        let d = Diagnostic::new(Code::J0413, span, text).note(self.launch.words());
        self.found
            .push(d.help(format!("write `cross_core_wait_flag({id})` between them")));
    }

    fn left_set(&mut self) {
        if let Some((id, span)) = self
            .across
            .iter()
            .find_map(|(id, set)| Some((*id, set.front()?.1)))
        {
            let text = format!(
                "flag {id} of all cores is set here, and this block does not wait for it as often: the next kernel finds it set"
            );
            let d = Diagnostic::new(Code::J0413, span, text).note(self.launch.words());
            self.found.push(
                d.help(format!("`cross_core_wait_flag({id})` takes it back"))
                    .edit(
                        span,
                        Spot::StatementAfter,
                        format!("cross_core_wait_flag({id});"),
                    )
                    .maybe(),
            );
        }
        let mut told = BTreeSet::new();
        for ((event, id), (_, span)) in std::mem::take(&mut self.flags) {
            if !told.insert(span) {
                continue;
            }
            let word = event.word();
            let text =
                format!("flag {id} of `{word}` is set here, and nobody waits for it: the next kernel of this core finds it set");
            let d = Diagnostic::new(Code::J0413, span, text).note(self.launch.words());
            self.found.push(
                d.help(format!(
                    "`wait_flag::<{word}>({id})` at the end takes it back"
                ))
                .edit(
                    span,
                    Spot::StatementAfter,
                    format!("wait_flag::<{word}>({id});"),
                )
                .maybe(),
            );
        }
    }

    // ---- accesses ----

    fn instr(&mut self, instr: &Instr, span: SpanId) {
        let contract = instr.op.contract();
        if let Some(var) = instr.result() {
            self.set(var, None);
        }
        if let Some(begins) = contract.begins {
            self.touches(instr, begins, span);
            self.pipes.order(begins, contract.pipe);
        }
        if self.launch.caches {
            self.in_lines(instr, contract.pipe, span);
        }
        if self.found.is_empty() && instr.op != Op::Scalar(ScalarOp::CleanLine) {
            self.touches(instr, contract.pipe, span);
        }
    }

    fn touches(&mut self, instr: &Instr, pipe: Pipe, span: SpanId) {
        self.pipes.give(pipe);
        for (rule, view) in instr.views() {
            let Some((memory, all)) = self.rows(instr, rule, view) else {
                continue;
            };
            for rows in all {
                self.stores(rule.access, memory, rows, span);
                // `order` judges the waits that the author leaves to jumar. Only copies that fill
                // one tensor remain.
                let slot = match memory {
                    _ if self.launch.by_hand => None,
                    Memory::Ub(tensor) if pipe == Pipe::Mte2 => {
                        self.tensors[tensor.index()].and_then(|held| held.slot)
                    }
                    Memory::Ub(_) | Memory::Gm(_) => continue,
                };
                if let Some(old) = self
                    .pipes
                    .touch(pipe, rule.access, memory, slot, rows, span)
                {
                    self.unordered(old, pipe, rule.access, memory, span);
                    return;
                }
            }
        }
    }

    fn size(&self, tensor: TensorId) -> i64 {
        self.body.tensors[tensor.index()]
            .dtype
            .resolve(self.types)
            .bytes()
    }

    /// Returns what an operand certainly touches; `None` if that is nothing or unknown.
    fn rows(&self, instr: &Instr, rule: &ViewRule, view: &View) -> Option<(Memory, Vec<Rows>)> {
        let offset = self.number(&view.offset)?;
        let (memory, at, size) = match view.base {
            Base::Gm(of) => (Memory::Gm(of), offset, 1),
            Base::Local(tensor) => {
                let size = self.size(tensor);
                (
                    Memory::Ub(tensor),
                    self.tensors[tensor.index()]?
                        .at
                        .checked_add(offset.checked_mul(size)?)?,
                    size,
                )
            }
        };
        let run = |elements: i64| Rows {
            at,
            len: elements.saturating_mul(size),
            rows: 1,
            pitch: 0,
        };
        let first = || vec![run(1)];
        let rows = match rule.reach {
            Reach::All | Reach::WholeRepeats => match rule.elem {
                Elem::Bits => first(),
                Elem::Own | Elem::Other | Elem::Offsets => {
                    self.extent(instr, view, run(1), size)?
                }
            },
            Reach::One | Reach::Blocks | Reach::Most | Reach::WholeLists | Reach::WholeBlocks => {
                first()
            }
            // A repeat or data block without an active lane has no result.
            Reach::Results(_) => match &instr.extent {
                Extent::Repeat {
                    mask: Lanes::Bits { .. } | Lanes::Groups { .. },
                    ..
                } => return None,
                Extent::Repeat {
                    mask: Lanes::First { .. },
                    ..
                }
                | Extent::Counter { .. } => first(),
                Extent::Fixed {}
                | Extent::Count { .. }
                | Extent::Eights { .. }
                | Extent::Rows { .. } => first(),
            },
            Reach::Pairs => first(),
            // These may touch nothing: work space may be unused, a list may be empty, and a pattern
            // may take nothing. Offsets choose their elements only in a run.
            Reach::Partials(_)
            | Reach::Lists
            | Reach::Doubled
            | Reach::Taken
            | Reach::Chosen
            | Reach::ChosenBlocks => {
                return None;
            }
            Reach::List(_) | Reach::AllLists | Reach::FourLists => return None,
        };
        let some = self.is_some(&instr.extent)?;
        some.then_some((memory, rows))
    }

    /// True if an extent has elements.
    fn is_some(&self, extent: &Extent) -> Option<bool> {
        Some(match extent {
            Extent::Fixed {} => true,
            Extent::Count { n } | Extent::Counter { n } | Extent::Eights { repeat: n } => {
                self.number(n)? > 0
            }
            Extent::Repeat { mask, repeat } => {
                self.number(repeat)? > 0 && self.number(&mask.end())? > 0
            }
            Extent::Rows { rows, cols } => self.number(rows)? > 0 && self.number(cols)? > 0,
        })
    }

    /// Returns the elements of an operand that covers the whole extent, from `first` on.
    fn extent(&self, instr: &Instr, view: &View, first: Rows, size: i64) -> Option<Vec<Rows>> {
        let lanes = self.launch.chip.data_block_bytes / size.max(1);
        let repeats = |mask: i64, repeat: i64, (blk, rep): (i64, i64)| {
            let block = self.launch.chip.data_block_bytes;
            let blocks = mask.div_euclid(lanes) + i64::from(mask % lanes != 0);
            let pitch = rep.checked_mul(block)?;
            let at = |b: i64| {
                b.checked_mul(blk)?
                    .checked_mul(block)?
                    .checked_add(first.at)
            };
            (0..blocks.clamp(0, 8))
                .map(|b| {
                    Some(Rows {
                        at: at(b)?,
                        len: size,
                        rows: repeat,
                        pitch,
                    })
                })
                .collect::<Option<Vec<_>>>()
        };
        Some(match (&instr.extent, &view.layout) {
            (Extent::Fixed {}, _) => vec![first],
            (Extent::Count { n } | Extent::Counter { n }, Layout::Dense {}) => {
                vec![Rows {
                    len: self.number(n)?.checked_mul(size)?,
                    ..first
                }]
            }
            // A bit mask may select any lanes; mostly the first block of each repeat has one.
            (
                Extent::Repeat {
                    mask: Lanes::First { n },
                    repeat,
                },
                Layout::Dense {},
            ) => repeats(self.number(n)?, self.number(repeat)?, (1, 8))?,
            (
                Extent::Repeat {
                    mask: Lanes::First { n },
                    repeat,
                },
                Layout::Blocks { blk, rep },
            ) => repeats(
                self.number(n)?,
                self.number(repeat)?,
                (self.number(blk)?, self.number(rep)?),
            )?,
            (Extent::Rows { rows, cols }, Layout::Dense {}) => {
                vec![Rows {
                    len: self
                        .number(rows)?
                        .checked_mul(self.number(cols)?)?
                        .checked_mul(size)?,
                    ..first
                }]
            }
            (Extent::Rows { rows, cols }, Layout::Rows { pitch }) => {
                let pitch = self.number(pitch)?.checked_mul(size)?;
                vec![Rows {
                    len: self.number(cols)?.checked_mul(size)?,
                    rows: self.number(rows)?,
                    pitch,
                    ..first
                }]
            }
            (
                Extent::Repeat { .. }
                | Extent::Counter { .. }
                | Extent::Eights { .. }
                | Extent::Count { .. },
                _,
            )
            | (Extent::Rows { .. }, Layout::Blocks { .. } | Layout::Results { .. }) => return None,
        })
    }

    /// Reports two accesses without an order.
    fn unordered(&mut self, old: Touch, pipe: Pipe, does: Access, memory: Memory, span: SpanId) {
        let verb = |does: Access| {
            if does == Access::Read {
                "reads"
            } else {
                "writes"
            }
        };
        let tensor = |t: TensorId| format!("`{}`", self.body.tensors[t.index()].name);
        let (name, other) = match (memory, old.memory) {
            (Memory::Ub(new), Memory::Ub(old)) if new != old => {
                (tensor(new), format!(" as {}", tensor(old)))
            }
            (Memory::Ub(new), _) => (tensor(new), String::new()),
            (Memory::Gm(of), _) => (
                format!("`{}`", self.body.gm_name(&self.launch.lowered.sig, of)),
                String::new(),
            ),
        };
        let text = format!(
            "pipe {} {} {name}, which pipe {} may still {}{other}: nothing orders the two",
            pipe.name(),
            verb(does),
            old.pipe.name(),
            if old.does == Access::Read {
                "read"
            } else {
                "write"
            },
        );
        let mut d = Diagnostic::new(Code::J0414, span, text).note(self.launch.words());
        if old.span != span {
            d = d.label(old.span, "the earlier one");
        }
        if !self.launch.by_hand {
            let help = "let each copy fill elements of its own, or a tensor of its own: a queue orders what is done with a tensor once it is filled";
            return self.found.push(d.help(help));
        }
        let help = match Event::between(old.pipe, pipe) {
            Some(event) => {
                let word = event.word();
                format!("write `set_flag::<{word}>(id)` behind the earlier one and `wait_flag::<{word}>(id)` before this")
            }
            None => format!(
                "write `pipe_barrier::<PIPE_{}>()` between the two",
                pipe.name().to_uppercase()
            ),
        };
        // A barrier of all pipes orders the two for any events. Flags would allow more to run in
        // parallel.
        self.found.push(
            d.help(help)
                .edit(span, Spot::StatementBefore, "pipe_barrier::<PIPE_ALL>();")
                .maybe(),
        );
    }
}
