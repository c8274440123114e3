//! The events of a lowered kernel, without its data: what each block of a launch does.
//!
//! The walk evaluates scalars and follows loops, branches and calls of device functions. Numbers
//! that scalars take from tensors are those of a run on the simulator, where there was one.
//! Otherwise a length that is read counts with its greatest value, and a branch on data with its
//! longer arm; both are told.
//!
//! AscendC on the CPU gives the events of the emitted text. Tests hold the two to each other event
//! by event, with the numbers that the simulator has read.
//!
//! Start reading at [`trace`], then `calls.rs`.

mod calls;
mod expand;
mod queues;
mod steady;

use super::banks::Layout as Addresses;
use super::event::{Event as Happened, Hint, Name, Names, Stream, Trace, What};
use super::CostError;
use crate::dtype::DType;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    Barrier, Event, FuncId, Known, Lowered, Memory, QueueOp, QueueStmt, Scalar, SourceSpan,
    StmtKind, SyncOp, TensorRef, VarId, Variant, View,
};
use crate::soc::{Chip, Timing};
use crate::tiling::{eval, Env, EvalError, Tiling, Value};
use queues::{Ids, Queue};
use std::collections::BTreeMap;

/// The reason that a statement has no events.
#[derive(Debug)]
enum Stop {
    Scalar(EvalError),
    /// A number is larger than its field of an event, or a name one too many.
    Large(&'static str),
    /// No checked kernel has it.
    Malformed(&'static str),
}

impl From<EvalError> for Stop {
    fn from(error: EvalError) -> Stop {
        Stop::Scalar(error)
    }
}

type Done<T = ()> = Result<T, Stop>;

/// The events of some blocks of a launch.
#[derive(Clone, Debug)]
pub struct Walked {
    pub trace: Trace,
    /// True where a range is known only on the core and counts with its greatest length.
    pub at_most: bool,
    /// The first branch on data; its longer arm counts.
    pub branch: Option<SourceSpan>,
}

impl Walked {
    /// True where data may shorten what happens.
    pub fn is_most(&self) -> bool {
        self.at_most || self.branch.is_some()
    }
}

/// A launch whose events are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    pub lowered: &'a Lowered,
    pub chip: &'a Chip,
    pub tiling: &'a Tiling,
    /// Name of the kernel's source.
    pub file: &'a str,
    /// The numbers that the scalars of each block take from tensors, in order; `None` where nobody
    /// knows them.
    pub read: Option<&'a [Vec<Value>]>,
}

/// Returns the events of all blocks of a launch.
///
/// # Errors
/// Fails on a chip without [`Timing`], and where a length depends on data and nothing bounds it.
pub fn trace(launch: &Launch<'_>) -> Result<Walked, CostError> {
    let blocks = 0..u32::try_from(launch.tiling.block_dim).unwrap_or(u32::MAX);
    walked(launch, blocks.map(|block| (block, 1)), false)
}

/// Returns the events of a few blocks of a launch that stand for all: of each length of a share two
/// blocks, which shows what they read in common. Iterations of loops that are alike are told as one
/// event. It is for launches whose events do not depend on data.
///
/// # Errors
/// Those of [`trace`].
pub fn sample(launch: &Launch<'_>) -> Result<Walked, CostError> {
    let blocks = u32::try_from(launch.tiling.block_dim).unwrap_or(u32::MAX);
    let mut shares: Vec<(Vec<i64>, Vec<u32>)> = Vec::new();
    for block in 0..blocks {
        let own = lengths(launch, block)?;
        match shares.iter_mut().find(|(lengths, _)| *lengths == own) {
            Some((_, blocks)) => blocks.push(block),
            None => shares.push((own, vec![block])),
        }
    }
    let taken = shares.into_iter().flat_map(|(_, blocks)| {
        let count = blocks.len() as u32;
        let second = count / 2;
        let all = [(0, count - second), (1, second)];
        let taken = all.into_iter().filter(|(_, alike)| *alike > 0);
        taken
            .map(|(at, alike)| (blocks[at], alike))
            .collect::<Vec<_>>()
    });
    walked(launch, taken.collect::<Vec<_>>(), true)
}

/// Returns the lengths of a block's shares, from the scalars that its body begins with.
pub(super) fn lengths(launch: &Launch<'_>, block: u32) -> Result<Vec<i64>, CostError> {
    let (lowered, tiling) = (launch.lowered, launch.tiling);
    let variant = &lowered.variants[tiling.variant];
    let env = Env {
        dims: &[],
        attrs: &[],
        chip: launch.chip,
        vars: tiling.vars.clone(),
        block: Some((i64::from(block), tiling.block_dim)),
    };
    let mut frame = Frame::new(&variant.body, env, false);
    for s in &variant.body.stmts {
        let StmtKind::LetScalar { var, value } = &s.kind else {
            continue;
        };
        let failed = |e| Stop::Scalar(e).at(lowered.spans.get(s.span.index()).copied());
        let value = known(eval(value, &frame.env)).map_err(failed)?;
        frame.set(*var, value);
    }
    let of = |(_, len)| frame.env.var(len).ok().and_then(|len| len.as_int().ok());
    Ok(variant.shares().filter_map(of).collect())
}

fn walked(
    launch: &Launch<'_>,
    blocks: impl IntoIterator<Item = (u32, u32)>,
    compresses: bool,
) -> Result<Walked, CostError> {
    let Launch {
        lowered,
        chip,
        tiling,
        file: source,
        read,
    } = *launch;
    let timing = chip.timing().ok_or(CostError::NoTiming(chip.name))?;
    let mut names = Names::default();
    let own = |names: &mut Names, name: &str| {
        names
            .of(name)
            .ok_or_else(|| CostError::Event(SourceSpan::default(), "names".into()))
    };
    let file = own(&mut names, source)?;
    let mut walked = Walked {
        trace: Trace {
            chip: chip.name.to_string(),
            kernel: lowered.sig.name.clone(),
            blocks: u32::try_from(tiling.block_dim).unwrap_or(u32::MAX),
            auto_sync: true,
            names: Vec::new(),
            streams: Vec::new(),
        },
        at_most: false,
        branch: None,
    };
    for (block, alike) in blocks {
        let mut walk = Walk {
            lowered,
            variant: &lowered.variants[tiling.variant],
            chip,
            timing,
            names,
            source,
            file,
            func_names: BTreeMap::new(),
            queues: Vec::new(),
            bufs: Vec::new(),
            ids: Ids::default(),
            own_ids: BTreeMap::new(),
            bypassed: Vec::new(),
            read: read.map(|read| read.get(block as usize).map_or(&[][..], |all| all).iter()),
            called_at: None,
            at: SourceSpan::default(),
            weight: 0.0,
            events: Vec::new(),
            compresses,
            at_most: false,
            branch: None,
        };
        walk.block(tiling, i64::from(block))
            .map_err(|stop| stop.at(Some(walk.at)))?;
        names = walk.names;
        walked.at_most |= walk.at_most;
        walked.branch = walked.branch.or(walk.branch);
        let events = walk.events;
        walked.trace.streams.push(Stream {
            block,
            alike,
            events,
        });
    }
    walked.trace.names = names.into_vec();
    Ok(walked)
}

impl Stop {
    fn at(self, span: Option<SourceSpan>) -> CostError {
        let span = span.unwrap_or_default();
        match self {
            Stop::Scalar(EvalError::Missing(_)) => CostError::Data(span),
            Stop::Scalar(other) => CostError::Scalar(span, other),
            Stop::Large(what) => CostError::Event(span, what.to_string()),
            Stop::Malformed(what) => CostError::Malformed(span, what),
        }
    }
}

/// The bytes of a tensor in UB, and its buffer where it is of a queue.
#[derive(Clone, Copy, Debug)]
struct Begin {
    at: i64,
    end: i64,
    buffer: Option<usize>,
}

/// The state of a running body: its variables, and the starts of its tensors.
struct Frame<'a> {
    body: &'a Body,
    env: Env<'a>,
    begins: Vec<Option<Begin>>,
    is_func: bool,
}

impl<'a> Frame<'a> {
    fn new(body: &'a Body, env: Env<'a>, is_func: bool) -> Self {
        let mut frame = Frame {
            body,
            env,
            begins: vec![None; body.tensors.len()],
            is_func,
        };
        frame.env.vars.resize(body.vars.len(), None);
        frame
    }

    fn set(&mut self, var: VarId, value: Option<Value>) {
        self.env.vars[var.index()] = value;
    }

    fn whole(&self, scalar: &Scalar) -> Result<i64, EvalError> {
        eval(scalar, &self.env)?.as_int()
    }
}

/// The walk over one block.
struct Walk<'a> {
    lowered: &'a Lowered,
    variant: &'a Variant,
    chip: &'a Chip,
    timing: &'a Timing,
    names: Names,
    /// Name of the source, and its number.
    source: &'a str,
    file: Name,
    func_names: BTreeMap<FuncId, Name>,
    queues: Vec<Option<Queue>>,
    /// First byte and end of each buffer.
    bufs: Vec<(i64, i64)>,
    ids: Ids,
    /// The ids that TPipe has given to the author's events.
    own_ids: BTreeMap<Event, Vec<u8>>,
    /// Tensors whose bytes L2 does not keep.
    bypassed: Vec<TensorRef>,
    /// The numbers that scalars take from tensors, where they are known.
    read: Option<std::slice::Iter<'a, Value>>,
    /// The call of the function whose statements are walked, and the name of its place.
    called_at: Option<(SourceSpan, Name)>,
    /// The statement that is walked.
    at: SourceSpan,
    /// Cycles of the events so far, one behind the other.
    weight: f64,
    events: Vec<Happened>,
    /// True where iterations that are alike are told as one event.
    compresses: bool,
    at_most: bool,
    branch: Option<SourceSpan>,
}

impl<'a> Walk<'a> {
    fn types(&self) -> &'a [DType] {
        self.lowered.binding()
    }

    /// Walks one block of a launch, from `Init` to the end of its TPipe.
    fn block(&mut self, tiling: &Tiling, block: i64) -> Done {
        let (variant, body) = (self.variant, &self.variant.body);
        let env = Env {
            dims: &[],
            attrs: &[],
            chip: self.chip,
            vars: tiling.vars.clone(),
            block: Some((block, tiling.block_dim)),
        };
        let mut frame = Frame::new(body, env, false);
        for once in &variant.once {
            let exceeds = frame.env.var(once.exceeds_l2)?;
            if exceeds
                .as_bool()
                .or_else(|_| exceeds.as_int().map(|n| n != 0))?
            {
                self.bypassed.push(once.param.into());
            }
        }
        self.hand_out(&frame, &variant.memory)?;
        if self.has_pipe() {
            for (event, count) in body.event_ids() {
                let (from, to) = event.ends();
                let ids = (0..count).map(|_| self.ids.take(from, to));
                let ids = ids.collect::<Option<_>>();
                self.own_ids
                    .insert(event, ids.ok_or(Stop::Malformed("ids of events"))?);
            }
        }
        self.stmts(&mut frame, &body.stmts)?;
        if self.has_pipe() {
            self.end_queues();
            return Ok(());
        }
        // No TPipe waits for the pipes at the end.
        self.happen(What::Barrier { pipe: None });
        Ok(())
    }

    /// True where the class takes a TPipe.
    fn has_pipe(&self) -> bool {
        let body = &self.variant.body;
        !body.queues.is_empty() || !body.bufs.is_empty()
    }

    /// Lays out queues and buffers, as InitBuffer does.
    fn hand_out(&mut self, frame: &Frame<'a>, memory: &'a [Memory]) -> Done {
        let body = &self.variant.body;
        let layout = Addresses::of(body, memory, self.types(), self.chip, &frame.env)?;
        let block = self.chip.data_block_bytes;
        let mut queues = vec![None; body.queues.len()];
        for one in memory {
            let Memory::Queue { queue } = one else {
                continue;
            };
            let decl = &body.queues[queue.index()];
            let bytes = frame.whole(&decl.bytes.sized(self.types()))?;
            let bytes = bytes + (block - bytes % block) % block;
            let num = frame.whole(&decl.buffer_num)?;
            let at = layout.queues[queue.index()];
            let made = Queue::new(decl, at, num, bytes);
            queues[queue.index()] = Some(made.ok_or(Stop::Malformed("a queue"))?);
        }
        let mut bufs = Vec::with_capacity(body.bufs.len());
        for (buf, at) in body.bufs.iter().zip(layout.bufs) {
            let bytes = frame.whole(&buf.bytes.sized(self.types()))?;
            bufs.push((at, at + bytes + (block - bytes % block) % block));
        }
        (self.queues, self.bufs) = (queues, bufs);
        Ok(())
    }

    /// Waits for what FreeTensor of the queues has set, in the order of their buffers.
    fn end_queues(&mut self) {
        let ids = &mut self.ids;
        let mut queues: Vec<&mut Queue> = self.queues.iter_mut().flatten().collect();
        queues.sort_by_key(|queue| queue.address(0));
        let waits: Vec<What> = queues
            .into_iter()
            .flat_map(|queue| queue.end(ids))
            .collect();
        waits.into_iter().for_each(|wait| self.happen(wait));
    }

    /// Returns the name of the places in a function that the body calls.
    fn place_in(&mut self, func: FuncId) -> Done<Name> {
        if let Some(name) = self.func_names.get(&func) {
            return Ok(*name);
        }
        let called = &self.lowered.funcs[func.index()].name;
        let name = self.name(&format!("{called}@{}", self.source))?;
        self.func_names.insert(func, name);
        Ok(name)
    }

    fn name(&mut self, name: &str) -> Done<Name> {
        self.names.of(name).ok_or(Stop::Large("names"))
    }

    /// Adds an event at the statement that is walked, or at the call of its function.
    fn happen(&mut self, what: What) {
        let (at, file) = self.called_at.unwrap_or((self.at, self.file));
        let line = at.line;
        self.events.push(Happened { file, line, what });
    }

    fn stmts(&mut self, frame: &mut Frame<'a>, stmts: &'a [Stmt]) -> Done {
        stmts.iter().try_for_each(|s| self.stmt(frame, s))
    }

    fn stmt(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt) -> Done {
        let span = self.lowered.spans.get(stmt.span.index());
        self.at = span.copied().unwrap_or_default();
        match &stmt.kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let value = match known(eval(value, &frame.env))? {
                    None => self.most(frame, *var)?,
                    value => value,
                };
                frame.set(*var, value);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let (from, to) = (frame.whole(from)?, frame.whole(to)?);
                self.turns(frame, *var, from..to, body)?;
            }
            StmtKind::If { cond, then, other } => match known(eval(cond, &frame.env))? {
                Some(taken) => self.stmts(frame, if taken.as_bool()? { then } else { other })?,
                None => {
                    self.branch = self.branch.or(Some(self.at));
                    self.longer(frame, [then, other])?;
                }
            },
            StmtKind::Promise { .. } => {}
            StmtKind::Do(does) => self.does(frame, does)?,
        }
        Ok(())
    }

    fn does(&mut self, frame: &mut Frame<'a>, does: &'a QueueStmt) -> Done {
        match does {
            QueueStmt::Queue { op, tensor, queue } => {
                let begin = &mut frame.begins[tensor.index()];
                let buffer = begin.and_then(|begin| begin.buffer);
                let of = self.queues[queue.index()].as_mut();
                let of = of.ok_or(Stop::Malformed("a queue without memory"))?;
                let done = of.run(*op, buffer, &mut self.ids);
                let (buffer, flag) = done.ok_or(Stop::Malformed("a use of a queue"))?;
                if matches!(op, QueueOp::Alloc | QueueOp::Deque) {
                    let (at, end) = (of.address(buffer), of.address(buffer + 1));
                    let buffer = Some(buffer);
                    *begin = Some(Begin { at, end, buffer });
                }
                flag.into_iter().for_each(|flag| self.happen(flag));
            }
            QueueStmt::Get { tensor, buf } => {
                let (at, end) = self.bufs[buf.index()];
                frame.begins[tensor.index()] = Some(Begin {
                    at,
                    end,
                    buffer: None,
                });
            }
            QueueStmt::Place {
                tensor, at, len, ..
            } => {
                let ty = frame.body.tensors[tensor.index()].dtype;
                let size = ty.resolve(self.types()).bytes();
                let (at, bytes) = (frame.whole(at)?, frame.whole(len)?.saturating_mul(size));
                frame.begins[tensor.index()] = Some(Begin {
                    at,
                    end: at.saturating_add(bytes),
                    buffer: None,
                });
            }
            QueueStmt::View { tensor, of } => {
                frame.begins[tensor.index()] = Some(self.place(frame, of)?);
            }
            QueueStmt::Sync { what } => self.sync(frame, what)?,
            QueueStmt::Reset { memory } => {
                // A meeting is such a barrier.
                if !frame.body.resets_at_meeting(memory) {
                    self.happen(What::Barrier { pipe: None });
                }
                self.end_queues();
                self.hand_out(frame, memory)?;
            }
            QueueStmt::Instr { instr } => self.instr(frame, instr)?,
            QueueStmt::Call {
                func,
                tensors,
                scalars,
            } => {
                let mut inner = self.called(frame, *func, tensors, scalars)?;
                let (outer, called) = (self.called_at, &self.lowered.funcs[func.index()]);
                if outer.is_none() {
                    self.called_at = Some((self.at, self.place_in(*func)?));
                }
                self.stmts(&mut inner, &called.body.stmts)?;
                self.called_at = outer;
            }
            QueueStmt::Host { .. } => return Err(Stop::Malformed("a question to the host")),
        }
        Ok(())
    }

    fn sync(&mut self, frame: &Frame<'a>, what: &SyncOp) -> Done {
        match what {
            SyncOp::Set { event, id } => {
                let (from, to) = event.ends();
                let id = self.own_id(frame, *event, id)?;
                self.happen(What::Set { from, to, id });
            }
            SyncOp::Wait { event, id } => {
                let (from, to) = event.ends();
                let id = self.own_id(frame, *event, id)?;
                self.happen(What::Wait { from, to, id });
            }
            SyncOp::Barrier { of: Barrier::All } => self.happen(What::Barrier { pipe: None }),
            SyncOp::Barrier {
                of: Barrier::Of(pipe),
            } => self.happen(What::Barrier { pipe: Some(*pipe) }),
            SyncOp::Order { from, to } if from == to => {
                self.happen(What::Barrier { pipe: Some(*to) })
            }
            SyncOp::Order { from, to } => {
                let (from, to) = (*from, *to);
                let id = self.ids.fetch(from, to);
                let id = id.ok_or(Stop::Malformed("ids of an event"))?;
                self.happen(What::Set { from, to, id });
                self.happen(What::Wait { from, to, id });
            }
            SyncOp::All {} => self.happen(What::SyncAll),
            SyncOp::CrossSet { pipe, id } => {
                let id = calls::field(frame.whole(id)?, "the id of a flag")?;
                let (pipe, mode) = (*pipe, 0);
                self.happen(What::CrossSet { pipe, mode, id });
            }
            SyncOp::CrossWait { id } => {
                let id = calls::field(frame.whole(id)?, "the id of a flag")?;
                self.happen(What::CrossWait { id });
            }
        }
        Ok(())
    }

    /// Returns the id of an event that the author counts: TPipe's, where there is one.
    fn own_id(&self, frame: &Frame<'a>, event: Event, id: &Scalar) -> Done<u8> {
        let id: usize = calls::field(frame.whole(id)?, "the id of a flag")?;
        let given = self.own_ids.get(&event).and_then(|ids| ids.get(id));
        match given {
            Some(id) => Ok(*id),
            None => u8::try_from(id).map_err(|_| Stop::Large("the id of a flag")),
        }
    }

    /// Walks both arms of a branch on data and keeps the one with more cycles. A scalar has a value
    /// behind them only where both arms give it one value.
    fn longer(&mut self, frame: &mut Frame<'a>, [then, other]: [&'a [Stmt]; 2]) -> Done {
        let (queues, ids) = (self.queues.clone(), self.ids.clone());
        let (vars, begins) = (frame.env.vars.clone(), frame.begins.clone());
        let (start, weight) = (self.events.len(), self.weight);
        self.stmts(frame, then)?;
        let first = (self.events.split_off(start), self.weight);
        let (first_queues, first_ids) = (self.queues.clone(), self.ids.clone());
        let set = std::mem::replace(&mut frame.env.vars, vars);
        (self.queues, self.ids, frame.begins, self.weight) = (queues, ids, begins, weight);
        self.stmts(frame, other)?;
        if first.1 > self.weight {
            self.events.truncate(start);
            self.events.extend(first.0);
            (self.queues, self.ids, self.weight) = (first_queues, first_ids, first.1);
        }
        for (own, set) in frame.env.vars.iter_mut().zip(set) {
            *own = own.filter(|value| Some(*value) == set);
        }
        Ok(())
    }

    /// Returns the number that a scalar takes from a tensor.
    fn taken(&mut self, frame: &Frame<'a>, var: VarId) -> Done<Option<Value>> {
        match &mut self.read {
            Some(read) => {
                let value = read.next().copied();
                Ok(Some(
                    value.ok_or(Stop::Malformed("a number that no run has read"))?,
                ))
            }
            None => self.most(frame, var),
        }
    }

    /// Returns the greatest value of a length that is read from a tensor.
    fn most(&mut self, frame: &Frame<'a>, var: VarId) -> Done<Option<Value>> {
        let known = self.variant.known.iter().find_map(|known| match known {
            Known::Most { var: of, most } if *of == var && !frame.is_func => Some(most),
            Known::Most { .. } | Known::Share { .. } | Known::Part { .. } => None,
        });
        self.at_most |= known.is_some();
        Ok(known.map(|most| eval(most, &frame.env)).transpose()?)
    }

    /// Binds the arguments of a function.
    fn called(
        &self,
        frame: &Frame<'a>,
        func: FuncId,
        tensors: &[View],
        scalars: &[Scalar],
    ) -> Done<Frame<'a>> {
        let f = &self.lowered.funcs[func.index()];
        let vars = scalars.iter().map(|s| known(eval(s, &frame.env)));
        let env = Env {
            dims: &[],
            attrs: &[],
            chip: self.chip,
            vars: vars.collect::<Result<_, _>>()?,
            block: frame.env.block,
        };
        let mut inner = Frame::new(&f.body, env, true);
        for (begin, view) in inner.begins.iter_mut().zip(tensors) {
            let place = self.place(frame, view)?;
            *begin = Some(Begin {
                buffer: None,
                ..place
            });
        }
        Ok(inner)
    }

    /// Returns the hint of the copies of a tensor.
    fn hint(&self, of: TensorRef) -> Hint {
        match self.bypassed.contains(&of) {
            true => Hint::Bypass,
            false => Hint::Normal,
        }
    }

    /// Returns the bytes of UB from a view's first to the end of its tensor.
    fn place(&self, frame: &Frame<'a>, view: &View) -> Done<Begin> {
        let base = view.tensor().and_then(|t| frame.begins[t.index()]);
        let base = base.ok_or(Stop::Malformed("a tensor without memory"))?;
        let offset = frame.whole(&view.offset)?;
        let bytes = offset.checked_mul(self.size(frame, view));
        let at = bytes.and_then(|bytes| base.at.checked_add(bytes));
        let at = at.ok_or(Stop::Large("an address"))?;
        Ok(Begin { at, ..base })
    }

    /// Returns the address of a view in UB.
    fn address(&self, frame: &Frame<'a>, view: &View) -> Done<i64> {
        Ok(self.place(frame, view)?.at)
    }

    /// Returns the bytes of an element of a view.
    fn size(&self, frame: &Frame<'a>, view: &View) -> i64 {
        let ty = view.ty(&self.lowered.sig, frame.body);
        ty.resolve(self.types()).bytes()
    }
}

/// Returns a scalar's value, `None` where it depends on data of a tensor.
fn known(value: Result<Value, EvalError>) -> Result<Option<Value>, EvalError> {
    match value {
        Err(EvalError::Missing(_)) => Ok(None),
        value => value.map(Some),
    }
}
