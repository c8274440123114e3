//! Executes the statements of one block in program order.
//!
//! A machine belongs to a thread and runs one block after another. It resets everything that a
//! block can see between them.

use super::across::Stint;
use super::by_hand::{Crossed, Flags};
use super::copy::{Moved, Moves};
use super::lines::Cache;
use super::memory::{Ub, DATA_BLOCK};
use super::pipes::Clock;
use super::program::{Copy, Form, FuncCall, Inst, Kind, Local, Mask, Number, Program, Ref, Vector};
use super::queue::{Handle, Queue};
use super::scalar::{Env, Int};
use super::spans::Spans;
use super::strided::BLOCKS_PER_REPEAT;
use super::sync_all::{SyncAll, Wait};
use super::touch::Strip;
use super::vector::{Asked, Call, Core, LaneSet, Place, Touch};
use super::watch::{Step, Watch};
use super::{cast, poison, Gm, Setup, Stop, Trip};
use crate::shown::{Dump, Element, Shown};
use half::{bf16, f16};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::{DType, Float};
use jumar_dsl::ir::{Memory, ScalarTy, SpanId};
use jumar_dsl::ops::contract::Access;
use jumar_dsl::soc::MAX_BUFFERS;
use jumar_dsl::tiling::Value;
use std::cell::RefCell;
use std::sync::atomic::{AtomicI64, Ordering};

/// Executes blocks, one after another.
pub(super) struct Machine<'p, 'g> {
    pub(super) setup: &'p Setup<'p>,
    pub(super) program: &'p Program,
    pub(super) gms: &'p [Option<Gm<'g>>],
    /// The lowest block that has failed so far; higher ones give up.
    first_fault: &'p AtomicI64,
    core: Core,
    pub(super) env: Env,
    pub(super) queues: Vec<Queue>,
    /// First and last byte of each `TBuf`.
    bufs: Vec<(usize, usize)>,
    handles: Vec<Option<Handle>>,
    /// The value of the innermost loop variable.
    tile: Option<i64>,
    loops: usize,
    /// The call of the function whose statements run.
    called_at: Option<SpanId>,
    /// The number of that function.
    inside: Option<usize>,
    pub(super) ran: Ran,
    /// For each workspace, what the block has written since the last barrier.
    pub(super) written: Vec<Spans>,
    /// Lines of GM in the cache of the scalar unit.
    pub(super) cache: Cache,
    /// The number of standstills of all blocks so far.
    pub(super) stood: usize,
    /// The shared state of blocks that wait for one another, if they do.
    pub(super) sync: Option<&'p SyncAll<'p, 'g>>,
    /// The flags that are set.
    pub(super) flags: Flags,
    /// The flags across cores that this block has set and not waited for.
    pub(super) crossed: Crossed,
    /// The watched pipes; `None` where nobody asked for them.
    pub(super) watch: Option<Watch>,
}

/// The result of a block, as the whole run sees it.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// Iterations of its outermost loops.
    pub turns: i64,
    /// The elements of GM that it touched since the last standstill.
    pub stint: Stint,
    /// The dumps of the block.
    pub shown: Shown,
    /// Values that its scalars have taken from tensors, in order.
    pub read: Vec<Value>,
}

type Done = Result<(), Trip>;

/// The operands of a vector call, evaluated.
struct Found {
    dst: Place,
    srcs: [Place; 4],
    work: Option<Place>,
    scalar: (f32, i32),
    pattern: Option<i64>,
    base: Option<i64>,
    most: Option<i64>,
    lengths: Vec<i64>,
    asked: Asked,
}

impl Found {
    fn call<'a>(
        &'a self,
        vector: &'a Vector,
        tensors: &'a [Local],
        reach: Option<&'a RefCell<Vec<Touch>>>,
    ) -> Call<'a> {
        let Found {
            dst,
            srcs,
            work,
            scalar,
            pattern,
            base,
            most,
            lengths,
            asked,
        } = self;
        let srcs = &srcs[..vector.srcs.len()];
        Call {
            vector,
            dst: *dst,
            srcs,
            work: *work,
            scalar: *scalar,
            pattern: *pattern,
            base: *base,
            most: *most,
            lengths,
            asked: *asked,
            tensors,
            reach,
        }
    }
}

impl<'p, 'g> Machine<'p, 'g> {
    pub fn new(
        setup: &'p Setup<'p>,
        program: &'p Program,
        gms: &'p [Option<Gm<'g>>],
        first_fault: &'p AtomicI64,
    ) -> Self {
        let chip = setup.chip;
        let ub = Ub::new(chip.ub_bytes as usize, program.has_masks);
        Machine {
            setup,
            program,
            gms,
            first_fault,
            core: Core::new(ub, setup.overflow, chip.arch, chip.repeat_bytes as usize),
            env: Env {
                vars: program.vars.clone(),
                block: 0,
                block_dim: setup.tiling.block_dim,
            },
            queues: Vec::new(),
            bufs: Vec::new(),
            handles: Vec::new(),
            tile: None,
            loops: 0,
            called_at: None,
            inside: None,
            ran: Ran::default(),
            written: Vec::new(),
            cache: Cache::default(),
            stood: 0,
            sync: None,
            flags: Flags::default(),
            crossed: Crossed::default(),
            watch: setup
                .pipes
                .then(|| Watch::new(&program.cached, chip.ub_bytes as usize)),
        }
    }

    /// Adds the shared state of blocks that wait for one another.
    pub fn meeting(self, sync: &'p SyncAll<'p, 'g>) -> Self {
        Machine {
            sync: Some(sync),
            ..self
        }
    }

    /// Runs one block.
    pub fn run_block(&mut self, block: i64) -> Result<Ran, Stop> {
        self.env.vars.copy_from_slice(&self.program.vars);
        self.env.block = block;
        if let Some(watch) = &mut self.watch {
            watch.clear();
        }
        self.written = vec![Spans::default(); self.gms.len()];
        (self.tile, self.loops, self.called_at, self.inside, self.ran) =
            (None, 0, None, None, Ran::default());
        let program = self.program;
        self.hand_out(&program.memory)
            .map_err(|trip| self.stop(trip, SpanId(u32::MAX)))?;
        self.flags.clear();
        self.crossed.clear();
        (self.cache, self.stood) = (Cache::default(), 0);
        self.stmts(&program.body)?;
        self.flags_left()
            .map_err(|(trip, span)| self.stop(trip, span))?;
        self.lines_left()
            .map_err(|(trip, span)| self.stop(trip, span))?;
        Ok(std::mem::take(&mut self.ran))
    }

    fn stop(&self, trip: Trip, span: SpanId) -> Stop {
        Stop::Fault(self.setup.fault(
            trip,
            self.called_at.unwrap_or(span),
            Some(self.env.block),
            self.tile,
        ))
    }

    /// Lays out queues and buffers one after the other, as InitBuffer does. They are empty, and
    /// earlier contents are gone.
    fn hand_out(&mut self, memory: &[Memory]) -> Done {
        let ub_bytes = self.setup.chip.ub_bytes as usize;
        let mut at = 0usize;
        let mut take = |name: &str, num: i64, bytes: i64| {
            let size = |v: i64| {
                usize::try_from(v).map_err(|_| {
                    Trip::new(Code::J0804, format!("`{name}` gets {v} buffers or bytes"))
                })
            };
            let (num, bytes) = (size(num)?, size(bytes)?);
            if num > MAX_BUFFERS as usize {
                return Err(Trip::new(
                    Code::J0801,
                    format!("`{name}` gets {num} buffers, a pipe has {MAX_BUFFERS}"),
                ));
            }
            let bytes = bytes.min(usize::MAX / 2).next_multiple_of(DATA_BLOCK);
            let start = at;
            at = at.saturating_add(num.saturating_mul(bytes));
            if at > ub_bytes {
                return Err(Trip::new(
                    Code::J0801,
                    format!("with `{name}` the buffers take {at} bytes, UB has {ub_bytes}"),
                ));
            }
            Ok((start, num, bytes))
        };
        self.core.ub.clear();
        self.handles = vec![None; self.program.tensors.len()];
        self.queues = self
            .program
            .queues
            .iter()
            .map(|q| Queue::new(0, 0, 0, q.depth))
            .collect();
        self.bufs = vec![(0, 0); self.program.bufs.len()];
        for one in memory {
            match one {
                Memory::Queue { queue } => {
                    let q = &self.program.queues[queue.index()];
                    let (start, num, bytes) = take(
                        &q.name,
                        q.buffer_num.eval(&self.env)?,
                        q.bytes.eval(&self.env)?,
                    )?;
                    self.queues[queue.index()] = Queue::new(start, num, bytes, q.depth);
                }
                Memory::Buf { buf } | Memory::Skew { buf } => {
                    let (name, bytes) = &self.program.bufs[buf.index()];
                    let (start, _, bytes) = take(name, 1, bytes.eval(&self.env)?)?;
                    self.bufs[buf.index()] = (start, start + bytes);
                }
            }
        }
        Ok(())
    }

    fn stmts(&mut self, stmts: &'p [Inst]) -> Result<(), Stop> {
        for inst in stmts {
            self.count(inst, 1);
            match &inst.kind {
                Kind::For {
                    var,
                    from,
                    to,
                    body,
                    even,
                } => self.run_loop(inst.span, *var, (from, to), body, *even)?,
                Kind::If { cond, then, other } => {
                    let cond = cond
                        .eval(&self.env)
                        .map_err(|e| self.stop(e.into(), inst.span))?;
                    self.stmts(if cond { then } else { other })?;
                }
                Kind::Call(call) => self.call(call, inst.span)?,
                Kind::SyncAll => self.sync_all(inst.span)?,
                Kind::CrossWait { id } => self.cross_wait(id, inst.span)?,
                _ => self.step(inst).map_err(|trip| self.stop(trip, inst.span))?,
            }
        }
        Ok(())
    }

    /// Waits for all blocks, and continues with what all of them have written.
    fn sync_all(&mut self, span: SpanId) -> Result<(), Stop> {
        if let Some(watch) = &mut self.watch {
            watch.pipes.order_all();
        }
        self.stand(Wait {
            at: span,
            flag: None,
        })
    }

    /// Runs CrossCoreWaitFlag: waits until all blocks have set the flag.
    fn cross_wait(&mut self, id: &Int, span: SpanId) -> Result<(), Stop> {
        let flag = self.waited(id).map_err(|trip| self.stop(trip, span))?;
        self.stand(Wait {
            at: span,
            flag: Some(flag),
        })
    }

    fn stand(&mut self, wait: Wait) -> Result<(), Stop> {
        let Some(sync) = self.sync else {
            return Err(self.stop(
                Trip::malformed("blocks that meet were not started together".to_string()),
                wait.at,
            ));
        };
        self.written
            .iter_mut()
            .for_each(|written| *written = Spans::default());
        self.stood = sync.come(self.env.block, wait, std::mem::take(&mut self.ran.stint))?;
        self.lines_go_on();
        Ok(())
    }

    /// Records a set of a flag across cores. Accesses that it does not publish are known only where
    /// the pipes are watched.
    pub(super) fn crosses(&mut self, flag: usize, told: Option<Clock>) {
        self.ran.stint.sets(flag);
        self.lines_go_on();
        let (Some(watch), Some(told)) = (&self.watch, told) else {
            return;
        };
        for (gm, does, strip, span) in watch.pipes.untold(told) {
            if self.gms[gm].as_ref().is_some_and(Gm::is_writable) {
                self.ran.stint.now().note(gm, span, does, strip);
            }
        }
    }

    /// Counts iterations of a statement of a function, where somebody asked.
    fn count(&self, inst: &Inst, turns: i64) {
        if let Some(runs) = self.inside.and_then(|func| self.setup.counted.get(func)) {
            runs[inst.number].fetch_add(turns as u64, Ordering::Relaxed);
        }
    }

    /// Runs a device function; a fault in it is reported at its call.
    fn call(&mut self, call: &'p FuncCall, span: SpanId) -> Result<(), Stop> {
        let outer = self.called_at;
        self.called_at = outer.or(Some(span));
        self.give(call).map_err(|trip| self.stop(trip, span))?;
        let loops = std::mem::replace(&mut self.loops, 1);
        let caller = self.inside.replace(call.func);
        self.stmts(&self.program.funcs[call.func])?;
        (self.loops, self.called_at, self.inside) = (loops, outer, caller);
        Ok(())
    }

    /// Passes tensors, with their numbers of elements, and scalars to a function.
    fn give(&mut self, call: &FuncCall) -> Done {
        for cond in &call.requires {
            if !cond.eval(&self.env)? {
                return Err(Trip::new(
                    Code::J0804,
                    format!("what `{}` requires does not hold", call.name),
                ));
            }
        }
        let mut handles = Vec::with_capacity(call.tensors.len());
        for (slot, from, elements) in &call.tensors {
            let place = self.place(from, &call.name)?;
            let bytes = elements
                .eval(&self.env)?
                .max(0)
                .saturating_mul(place.dtype.bytes()) as usize;
            let room = place.end - place.at;
            if bytes > room {
                let name = &self.program.tensors[from.tensor].name;
                let message = format!(
                    "`{}` asks for {bytes} bytes of `{name}`, which has {room} from there",
                    call.name
                );
                return Err(Trip::new(Code::J0801, message));
            }
            let owner = self.handle(from.tensor)?.owner;
            handles.push((
                *slot,
                Handle {
                    at: place.at,
                    end: place.at + bytes,
                    owner,
                },
            ));
        }
        for (slot, value) in &call.scalars {
            self.env.vars[*slot] = value.slot(&self.env)?;
        }
        handles
            .into_iter()
            .for_each(|(slot, handle)| self.handles[slot] = Some(handle));
        Ok(())
    }

    fn run_loop(
        &mut self,
        span: SpanId,
        var: usize,
        (from, to): (&Int, &Int),
        body: &'p [Inst],
        even: bool,
    ) -> Result<(), Stop> {
        let bounds = from
            .eval(&self.env)
            .and_then(|f| Ok((f, to.eval(&self.env)?)));
        let (from, to) = bounds.map_err(|e| self.stop(e.into(), span))?;
        let outer = self.tile;
        self.loops += 1;
        let done = match body {
            [inst @ Inst {
                kind: Kind::Vector(vector),
                span,
                ..
            }] if even => {
                let done = self.batch(var, from, to, vector, *span)?;
                self.count(inst, done);
                done
            }
            _ => 0,
        };
        for i in from + done..to {
            if self.first_fault.load(Ordering::Relaxed) < self.env.block {
                return Err(Stop::Cancelled);
            }
            self.env.vars[var] = i;
            self.tile = Some(i);
            self.stmts(body)?;
        }
        self.loops -= 1;
        if self.loops == 0 {
            self.ran.turns += to.saturating_sub(from).max(0);
        }
        self.tile = outer;
        Ok(())
    }

    fn step(&mut self, inst: &'p Inst) -> Done {
        let program = self.program;
        let tensor_name = |t: usize| program.tensors[t].name.as_str();
        let queue_name = |q: usize| program.queues[q].name.as_str();
        match &inst.kind {
            Kind::Let(slot, value) => self.env.vars[*slot] = value.slot(&self.env)?,
            Kind::Alloc { tensor, queue } => {
                let handle = self.queues[*queue].alloc(*queue, queue_name(*queue))?;
                poison::mark(
                    &mut self.core.ub.valid,
                    handle.at,
                    handle.end - handle.at,
                    false,
                );
                if program.has_masks {
                    self.core.ub.mask_bits[handle.at..handle.end].fill(0);
                }
                self.handles[*tensor] = Some(handle);
                self.hand_on(handle.owner, Step::Alloc)?;
            }
            Kind::Enque { tensor, queue } => {
                let owner = self.handle(*tensor)?.owner;
                self.queues[*queue].enque(
                    owner,
                    *queue,
                    queue_name(*queue),
                    tensor_name(*tensor),
                )?;
                self.hand_on(owner, Step::Enque)?;
            }
            Kind::Deque { tensor, queue } => {
                let handle = self.queues[*queue].deque(*queue, queue_name(*queue))?;
                self.handles[*tensor] = Some(handle);
                self.hand_on(handle.owner, Step::Deque)?;
            }
            Kind::Free { tensor, queue } => {
                let owner = self.handle(*tensor)?.owner;
                self.queues[*queue].free(
                    owner,
                    *queue,
                    queue_name(*queue),
                    tensor_name(*tensor),
                )?;
                self.hand_on(owner, Step::Free)?;
            }
            Kind::Get { tensor, buf } => {
                let (at, end) = self.bufs[*buf];
                self.handles[*tensor] = Some(Handle {
                    at,
                    end,
                    owner: None,
                });
            }
            Kind::View { tensor, of } => {
                let place = self.place(of, "a view")?;
                let size = program.tensors[*tensor].dtype.bytes() as usize;
                if place.at % size != 0 {
                    let message = format!(
                        "the view `{}` does not start at a whole element",
                        tensor_name(*tensor)
                    );
                    return Err(Trip::new(Code::J0801, message));
                }
                let owner = self.handle(of.tensor)?.owner;
                self.handles[*tensor] = Some(Handle {
                    at: place.at,
                    end: place.end,
                    owner,
                });
            }
            Kind::Place { tensor, at, len } => {
                let (at, len) = (at.eval(&self.env)?, len.eval(&self.env)?);
                self.handles[*tensor] = Some(self.placed(*tensor, at, len)?);
            }
            Kind::Flag(flag) => self.flag(flag, inst.span)?,
            Kind::Barrier(of) => self.barrier(*of),
            Kind::CrossSet { pipe, id } => self.cross_set(*pipe, id, inst.span)?,
            Kind::CopyIn(copy) => {
                let (gm, place, moved) = self.copy(copy)?;
                let moves = self
                    .core
                    .copy_in(gm, place, tensor_name(copy.ub.tensor), moved)?;
                self.note(copy, inst.span, moves)?;
            }
            Kind::CopyOut(copy) => {
                let (gm, place, moved) = self.copy(copy)?;
                let way = (copy.does, self.setup.overflow);
                let moves =
                    self.core
                        .copy_out(gm, place, tensor_name(copy.ub.tensor), moved, way)?;
                self.note(copy, inst.span, moves)?;
            }
            Kind::Vector(vector) => self.vector(vector, inst.span)?,
            Kind::Order { from, to } => {
                if let Some(watch) = &mut self.watch {
                    watch.pipes.order(*from, *to);
                }
            }
            Kind::Promise { value, below, of } => {
                let (value, below) = (value.eval(&self.env)?, below.eval(&self.env)?);
                if !(0..below).contains(&value) {
                    return Err(crate::error::broken_promise(of.as_deref(), value, below));
                }
            }
            Kind::Assume { cond, text } => {
                if !cond.eval(&self.env)? {
                    return Err(crate::error::broken_assumption(text));
                }
            }
            Kind::GetValue { var, ty, src } => self.get_value(*var, *ty, src, inst.span)?,
            Kind::GetGlobal {
                var,
                ty,
                gm,
                dtype,
                offset,
            } => {
                let bytes = self.get_global((*gm, *dtype), offset, inst.span)?;
                self.set_to_element(*var, *ty, *dtype, &bytes)?;
            }
            Kind::SetGlobal {
                gm,
                dtype,
                offset,
                value,
            } => {
                let word = self.word(value, *dtype)?;
                self.set_global((*gm, *dtype), offset, word, inst.span)?;
            }
            Kind::CleanLine { gm, dtype, offset } => {
                self.clean_line((*gm, *dtype), offset, inst.span)?
            }
            Kind::SetValue { dst, value } => self.set_value(dst, value, inst.span)?,
            Kind::Dump { src, rows, title } => self.dump(src, rows, title, inst.span)?,
            // `stmts` runs these itself, since each of them sets its own source location.
            Kind::For { .. }
            | Kind::If { .. }
            | Kind::Call(_)
            | Kind::SyncAll
            | Kind::CrossWait { .. } => {}
            Kind::Reset(memory) => {
                if let Some(watch) = &mut self.watch {
                    watch.pipes.order_all();
                }
                self.hand_out(memory)?;
            }
        }
        Ok(())
    }

    fn handle(&self, tensor: usize) -> Result<Handle, Trip> {
        let missing = || {
            Trip::new(
                Code::J0803,
                format!(
                    "`{}` is used before it holds a tensor",
                    self.program.tensors[tensor].name
                ),
            )
        };
        self.handles[tensor].ok_or_else(missing)
    }

    /// Returns the place of a reference; the tensor must still belong to the kernel.
    fn place(&self, r: &Ref, what: &str) -> Result<Place, Trip> {
        let handle = self.handle(r.tensor)?;
        let name = || self.program.tensors[r.tensor].name.as_str();
        if let Some(owner) = handle.owner {
            self.queues[owner.queue].check(owner, name(), what)?;
        }
        let offset = r.offset.eval(&self.env)?;
        let room = ((handle.end - handle.at) as i64) / r.dtype.bytes();
        if !(0..=room).contains(&offset) {
            return Err(Trip::new(
                Code::J0801,
                format!(
                    "{what} starts at element {offset} of `{}`, which has {room}",
                    name()
                ),
            ));
        }
        let at = handle.at + (offset * r.dtype.bytes()) as usize;
        let (blk, rep) = match &r.strides {
            None => (1, BLOCKS_PER_REPEAT),
            Some((blk, rep)) => (blk.eval(&self.env)?, rep.eval(&self.env)?),
        };
        Ok(Place {
            at,
            end: handle.end,
            tensor: r.tensor,
            dtype: r.dtype,
            blk,
            rep,
        })
    }

    fn copy(&self, copy: &Copy) -> Result<(&'p Gm<'g>, Place, Moved), Trip> {
        let env = &self.env;
        let moved = Moved {
            gm_offset: copy.gm_offset.eval(env)?,
            rows: copy.shape.rows.eval(env)?,
            cols: copy.shape.cols.eval(env)?,
            gm_stride: copy.shape.gm_stride.eval(env)?,
            ub_pitch: copy.shape.ub_pitch.eval(env)?,
            pad: copy.pad,
            lead: match &copy.lead {
                Some((lead, number)) => Some((
                    lead.eval(env)?,
                    self.word(number, self.program.tensors[copy.ub.tensor].dtype)?,
                )),
                None => None,
            },
        };
        let attribute = || Trip::new(Code::J0804, "a copy from a tensor that was left out");
        Ok((
            self.gms[copy.gm].as_ref().ok_or_else(attribute)?,
            self.place(&copy.ub, "a copy")?,
            moved,
        ))
    }

    /// Returns the bits of a number as an element.
    fn word(&self, value: &Number, dtype: DType) -> Result<u32, Trip> {
        if !dtype.has_scalars() && dtype != DType::Bits {
            return Err(no_scalar(dtype));
        }
        Ok(match value {
            Number::Float(f) => {
                let v = f.eval(&self.env)?;
                match dtype.float() {
                    Some(Float::F16) => u32::from(f16::from_f32(v).to_bits()),
                    Some(Float::Bf16) => u32::from(bf16::from_f32(v).to_bits()),
                    Some(Float::F32) | None => v.to_bits(),
                }
            }
            Number::Int(i) => i.eval(&self.env)? as u32,
        })
    }

    /// Records what a copy touches of a tensor that is written. No two parameters share memory:
    /// written arrays are borrowed for the launch alone.
    fn note(&mut self, copy: &Copy, span: SpanId, moves: Option<Moves>) -> Done {
        let Some(moves) = moves else { return Ok(()) };
        if let Some(gm) = self.gms[copy.gm].as_ref().filter(|gm| gm.is_writable()) {
            let now = self.ran.stint.now();
            now.note(copy.gm, span, copy.does, moves.gm);
            // Iterations of one block must keep the promise of `store_any` as well.
            for (at, bits) in &moves.alike {
                let old = now.alike.insert((copy.gm, *at), (*bits, span));
                if old.is_some_and(|(old, _)| old != *bits) {
                    let message = format!(
                        "two iterations store different numbers to element {} of `{}` with `store_any`: nothing decides which stays",
                        gm.index(*at),
                        gm.name
                    );
                    return Err(Trip::new(Code::J0809, message));
                }
            }
            self.past_the_cache(copy.gm, copy.does, moves.gm)?;
            if gm.is_workspace() {
                self.in_workspace(gm, copy.gm, copy.does, &moves)?;
            }
        }
        self.watch_copy(copy, moves, span)
    }

    /// Tracks which elements of a workspace have values; it begins without any.
    fn in_workspace(&mut self, gm: &Gm<'_>, at: usize, does: Access, moves: &Moves) -> Done {
        let written = &mut self.written[at];
        let verb = if does.joins() { does.verb() } else { "reads" };
        for run in moves.gm.runs() {
            if does.replaces() {
                written.insert(run);
            } else if let Some(element) = gm.first_unwritten(written, run) {
                let message = format!(
                    "the copy {verb} element {element} of workspace `{}`, which neither this block has written nor another one before \
                     a `sync_all`",
                    gm.name
                );
                return Err(Trip::new(Code::J0802, message));
            }
        }
        Ok(())
    }

    fn vector(&mut self, v: &Vector, span: SpanId) -> Done {
        let found = self.find(v)?;
        let reach = self.watch.as_ref().map(|w| &w.reach);
        self.core
            .run(&found.call(v, &self.program.tensors, reach))?;
        if let Some(var) = v.kept {
            self.env.vars[var] = self.core.kept;
            self.ran.read.push(Value::Int(self.core.kept));
        }
        self.watch_vector(v, span)
    }

    /// Runs the first iterations of a loop over one vector call together, and returns their number;
    /// the loop runs the others.
    fn batch(
        &mut self,
        var: usize,
        from: i64,
        to: i64,
        v: &Vector,
        span: SpanId,
    ) -> Result<i64, Stop> {
        let turns = to
            .checked_sub(from)
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n > 1);
        let Some(turns) = turns else { return Ok(0) };
        self.env.vars[var] = to - 1;
        let last = self.find(v);
        self.env.vars[var] = from;
        let (Ok(first), Ok(last)) = (self.find(v), last) else {
            return Ok(0);
        };
        let tensors = &self.program.tensors;
        let reach = self.watch.as_ref().map(|w| &w.reach);
        let done = self.core.batch(
            &first.call(v, tensors, reach),
            &last.call(v, tensors, reach),
            turns,
        ) as i64;
        if done > 0 {
            self.env.vars[var] = from + done - 1;
        }
        if let Some(watch) = &mut self.watch {
            watch.hull(done > 0);
            // The pipes see the iterations as one instruction, at the first of them.
            self.tile = Some(from);
            self.watch_vector(v, span)
                .map_err(|trip| self.stop(trip, span))?;
        }
        Ok(done)
    }

    /// Evaluates operands and extent of a vector call.
    fn find(&self, v: &Vector) -> Result<Found, Trip> {
        let name = v.name;
        let dst = self.place(&v.dst, name)?;
        let mut srcs = [dst; 4];
        for (place, src) in srcs.iter_mut().zip(&v.srcs) {
            *place = self.place(src, name)?;
        }
        let work = v.work.as_ref().map(|w| self.place(w, name)).transpose()?;
        let scalar = match &v.scalar {
            None => (0.0, 0),
            Some((Number::Float(f), dtype)) => (cast::scalar_of(*dtype, f.eval(&self.env)?), 0),
            Some((Number::Int(i), dtype)) => (0.0, cast::whole_of(*dtype, i.eval(&self.env)?)),
        };
        let asked = match &v.form {
            Form::Count(n) => Asked::Count(n.eval(&self.env)?),
            Form::Counter(n) => Asked::Counter(n.eval(&self.env)?),
            Form::Eights(repeat) => Asked::Eights(repeat.eval(&self.env)?),
            Form::Repeat { mask, repeat } => {
                let mask = match mask {
                    Mask::First(n) => LaneSet::First(n.eval(&self.env)?),
                    Mask::Bits(bits) => LaneSet::Bits(*bits),
                    Mask::Groups {
                        from,
                        to,
                        of,
                        groups,
                    } => LaneSet::Groups {
                        from: from.eval(&self.env)?,
                        to: to.eval(&self.env)?,
                        of: *of,
                        groups: groups.eval(&self.env)?,
                    },
                };
                Asked::Repeat(mask, repeat.eval(&self.env)?)
            }
        };
        let pattern = v
            .pattern
            .as_ref()
            .map(|number| number.eval(&self.env))
            .transpose()?;
        let base = v
            .base
            .as_ref()
            .map(|bytes| bytes.eval(&self.env))
            .transpose()?;
        let most = v
            .most
            .as_ref()
            .map(|number| number.eval(&self.env))
            .transpose()?;
        let lengths = v
            .lengths
            .iter()
            .map(|number| number.eval(&self.env))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Found {
            dst,
            srcs,
            work,
            scalar,
            pattern,
            base,
            most,
            lengths,
            asked,
        })
    }

    /// Returns the checked place of one element.
    fn element(&self, r: &Ref, what: &str) -> Result<Place, Trip> {
        let place = self.place(r, what)?;
        if place.at + place.dtype.bytes() as usize > place.end {
            let name = &self.program.tensors[r.tensor].name;
            return Err(Trip::new(
                Code::J0801,
                format!("{what} takes the element behind the end of `{name}`"),
            ));
        }
        Ok(place)
    }

    fn get_value(&mut self, var: usize, ty: ScalarTy, src: &Ref, span: SpanId) -> Done {
        let place = self.element(src, "get_value")?;
        self.watch_scalar(place, false, span)?;
        let size = place.dtype.bytes() as usize;
        if !poison::element(&self.core.ub.valid, place.at, size) {
            let name = &self.program.tensors[src.tensor].name;
            return Err(Trip::new(
                Code::J0802,
                format!("get_value reads an element of `{name}` that was never written"),
            ));
        }
        let bytes = self.core.ub.bytes()[place.at..place.at + size].to_vec();
        self.set_to_element(var, ty, place.dtype, &bytes)
    }

    /// Sets a variable to the element in some bytes.
    fn set_to_element(&mut self, var: usize, ty: ScalarTy, dtype: DType, bytes: &[u8]) -> Done {
        if let (DType::I64, ScalarTy::Index, Ok(bytes)) = (dtype, ty, bytes.try_into()) {
            self.env.vars[var] = i64::from_le_bytes(bytes);
            self.ran.read.push(Value::Int(self.env.vars[var]));
            return Ok(());
        }
        let word = |b: &[u8]| b.iter().rev().fold(0u32, |w, b| w << 8 | u32::from(*b));
        let (real, whole) = (|v: f32| (v, v as i64), |v: i32| (v as f32, i64::from(v)));
        let (float, int) = match dtype {
            DType::F16 => real(f16::from_bits(word(bytes) as u16).to_f32()),
            DType::Bf16 => real(bf16::from_bits(word(bytes) as u16).to_f32()),
            DType::F32 => real(f32::from_bits(word(bytes))),
            DType::I32 => whole(word(bytes) as i32),
            DType::I16 => whole((word(bytes) as i16).into()),
            DType::Bits => whole(bytes[0].into()),
            DType::Bool | DType::I8 | DType::I64 | DType::U8 | DType::U16 | DType::U32 => {
                return Err(no_scalar(dtype))
            }
        };
        let (slot, value) = match ty {
            ScalarTy::F32 => (i64::from(float.to_bits()), Value::F32(float)),
            ScalarTy::Index => (int, Value::Int(int)),
            ScalarTy::I32 => (int, Value::I32(int as i32)),
            ScalarTy::Bool => (i64::from(int != 0), Value::Bool(int != 0)),
        };
        self.env.vars[var] = slot;
        self.ran.read.push(value);
        Ok(())
    }

    /// Dumps rows of a tensor without changing anything.
    fn dump(
        &mut self,
        src: &Ref,
        [rows, cols, pitch]: &[Int; 3],
        title: &str,
        span: SpanId,
    ) -> Done {
        let place = self.place(src, "a dump")?;
        let size = place.dtype.bytes() as usize;
        let number = |n: &Int| Ok::<_, Trip>(usize::try_from(n.eval(&self.env)?).unwrap_or(0));
        let (rows, cols, pitch) = (number(rows)?, number(cols)?, number(pitch)?);
        let end = match rows > 0 && cols > 0 {
            true => (rows - 1)
                .saturating_mul(pitch)
                .saturating_add(cols)
                .saturating_mul(size)
                .saturating_add(place.at),
            false => place.at,
        };
        if end > place.end {
            let name = &self.program.tensors[src.tensor].name;
            return Err(Trip::new(
                Code::J0801,
                format!("a dump goes beyond the end of `{name}`"),
            ));
        }
        if end > place.at {
            self.watch_rows(
                place,
                Strip::new(place.at, cols * size, rows, pitch * size),
                span,
            )?;
        }
        let about = (
            title.to_string(),
            self.setup.place(span).line,
            Some(self.env.block),
        );
        let ub = &self.core.ub;
        self.ran.shown.keep(|| {
            Dump::new(about, (rows, cols), |i| {
                let from = place.at + (i / cols * pitch + i % cols) * size;
                match poison::element(&ub.valid, from, size) {
                    true => shown(place.dtype, &ub.bytes()[from..from + size]),
                    false => Element::Nothing,
                }
            })
        });
        Ok(())
    }

    fn set_value(&mut self, dst: &Ref, value: &Number, span: SpanId) -> Done {
        let place = self.element(dst, "set_value")?;
        self.watch_scalar(place, true, span)?;
        let word = self.word(value, place.dtype)?;
        let size = place.dtype.bytes() as usize;
        self.core.ub.bytes_mut()[place.at..place.at + size]
            .copy_from_slice(&word.to_le_bytes()[..size]);
        poison::mark(&mut self.core.ub.valid, place.at, size, true);
        if place.dtype == DType::Bits && self.program.has_masks {
            self.core.ub.mask_bits[place.at] = !0;
        }
        Ok(())
    }
}

/// Returns the element in some bytes.
fn shown(dtype: DType, bytes: &[u8]) -> Element {
    let word = bytes.iter().rev().fold(0u64, |w, b| w << 8 | u64::from(*b));
    match dtype {
        DType::F16 => Element::Float(f16::from_bits(word as u16).to_f32()),
        DType::Bf16 => Element::Float(bf16::from_bits(word as u16).to_f32()),
        DType::F32 => Element::Float(f32::from_bits(word as u32)),
        DType::I32 => Element::Whole(i64::from(word as i32)),
        DType::I8 => Element::Whole(i64::from(word as i8)),
        DType::I64 => Element::Whole(word as i64),
        DType::I16 => Element::Whole(i64::from(word as i16)),
        DType::Bool | DType::U8 | DType::U16 | DType::U32 | DType::Bits => {
            Element::Whole(word as i64)
        }
    }
}

/// Refuses elements of storage types, which are no operands of the scalar unit here.
fn no_scalar(dtype: DType) -> Trip {
    Trip::malformed(format!("a scalar of {dtype}, which is for storage"))
}
