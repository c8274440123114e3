//! The walk over the body of one block and the functions that it calls.

use super::banks::{self, Layout as Memories, Source};
use super::call::{self, Rows, Span, Steps};
use super::touch::{Begin, Home, Touch};
use super::{CostError, Estimate, Line, MAX_TURNS};
use crate::dtype::DType;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    Event, Extent, FuncId, Instr, Known, Layout, Lowered, QueueOp, QueueStmt, Scalar, SourceSpan,
    StmtKind, SyncOp, TPosition, VarId, View,
};
use crate::ops::contract::{Access, Elem, Pipe};
use crate::ops::{Op, ScalarOp};
use crate::soc::{Chip, Timing};
use crate::tiling::{eval, Env, EvalError, Tiling, Value};

type Done<T = ()> = Result<T, CostError>;

/// The state of a running body: its variables, and the starts of its tensors.
struct Frame<'a> {
    body: &'a Body,
    env: Env<'a>,
    begins: Vec<Option<Begin>>,
    /// The function that the block's body called.
    func: Option<&'a str>,
}

impl<'a> Frame<'a> {
    fn new(body: &'a Body, env: Env<'a>, func: Option<&'a str>) -> Self {
        let mut frame = Frame {
            body,
            env,
            begins: vec![None; body.tensors.len()],
            func,
        };
        frame.env.vars.resize(body.vars.len(), None);
        frame
    }

    fn set(&mut self, var: VarId, value: Option<Value>) {
        self.env.vars[var.index()] = value;
    }
}

struct Walk<'a> {
    lowered: &'a Lowered,
    chip: &'a Chip,
    timing: &'a Timing,
    types: &'a [DType],
    /// Facts of the lowering about the block's variables.
    known: &'a [Known],
    memories: Memories,
    /// Writes of the vector call before; empty where the pipe has run dry since.
    written: Vec<Touch>,
    /// True inside of a loop with copies.
    in_tiles: bool,
    /// Number of times that the walked code happens: one walked iteration may stand for several.
    times: i64,
    all: Estimate,
}

/// Walks block 0 of the chosen variant.
pub(super) fn block(
    lowered: &Lowered,
    chip: &Chip,
    timing: &Timing,
    tiling: &Tiling,
) -> Done<Estimate> {
    let variant = &lowered.variants[tiling.variant];
    let all = Estimate {
        lines: Vec::new(),
        blocks: tiling.block_dim,
        share: None,
        tiles: 0,
        at_most: false,
        branch: None,
        waits_in: false,
        waits_out: false,
        vector: 0.0,
        conflicts: 0.0,
        copy_in: 0.0,
        copy_out: 0.0,
        memory: 0.0,
        bytes_in: 0,
        bytes_out: 0,
        read_start: 0.0,
        write_start: 0.0,
        meetings: 0,
    };
    let types = lowered.binding();
    let env = Env {
        dims: &[],
        attrs: &[],
        chip,
        vars: tiling.vars.clone(),
        block: Some((0, tiling.block_dim)),
    };
    let memories = Memories::of(&variant.body, &variant.memory, types, chip, &env)
        .map_err(|e| CostError::Scalar(SourceSpan::default(), e))?;
    let known = &variant.known;
    let mut walk = Walk {
        lowered,
        chip,
        timing,
        types,
        known,
        memories,
        written: Vec::new(),
        in_tiles: false,
        times: 1,
        all,
    };
    let mut frame = Frame::new(&variant.body, env, None);
    walk.stmts(&mut frame, &variant.body.stmts)?;
    walk.all.share = variant
        .shares()
        .next()
        .and_then(|(_, len)| frame.env.var(len).ok()?.as_int().ok());
    Ok(walk.finished())
}

impl<'a> Walk<'a> {
    /// Sums up the lines.
    fn finished(self) -> Estimate {
        let mut all = self.all;
        let part = |pipe: Pipe| match pipe {
            Pipe::V | Pipe::S => 0,
            Pipe::Mte2 => 1,
            Pipe::Mte3 => 2,
        };
        let on = |at| {
            all.lines
                .iter()
                .filter(|l| part(l.pipe) == at)
                .map(|l| l.cycles)
                .sum()
        };
        (all.vector, all.copy_in, all.copy_out) = (on(0), on(1), on(2));
        let cores = all.blocks.min(self.chip.vector_cores) as f64;
        let bytes = (all.bytes_in + all.bytes_out) as f64;
        all.memory = bytes * cores * self.chip.clock_mhz as f64 / self.timing.memory_all;
        all.read_start = if all.bytes_in > 0 {
            self.timing.read_start
        } else {
            0.0
        };
        all.write_start = if all.bytes_out > 0 {
            self.timing.write_start
        } else {
            0.0
        };
        all
    }

    fn stmts(&mut self, frame: &mut Frame<'a>, stmts: &'a [Stmt]) -> Done {
        stmts.iter().try_for_each(|s| self.stmt(frame, s))
    }

    fn stmt(&mut self, frame: &mut Frame<'a>, stmt: &'a Stmt) -> Done {
        let spans = &self.lowered.spans;
        let place = || spans.get(stmt.span.index()).copied().unwrap_or_default();
        let failed = |e: EvalError| match e {
            EvalError::Missing(_) => CostError::Data(place()),
            other => CostError::Scalar(place(), other),
        };
        match &stmt.kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let value = known(eval(value, &frame.env)).map_err(failed)?;
                let value = if value.is_none() {
                    self.most(frame, *var).map_err(failed)?
                } else {
                    value
                };
                frame.set(*var, value);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let ends = [from, to].map(|end| self.whole(frame, end).map_err(failed));
                let [from, to] = ends;
                self.turns(frame, *var, from?, to?, body)?;
            }
            StmtKind::If { cond, then, other } => {
                match known(eval(cond, &frame.env))
                    .map_err(failed)?
                    .map(Value::as_bool)
                {
                    Some(taken) => {
                        self.stmts(frame, if taken.map_err(failed)? { then } else { other })?
                    }
                    None => {
                        self.all.branch = self.all.branch.or(Some(place()));
                        self.longer(frame, [then, other])?;
                    }
                }
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                tensor,
                queue,
            }) => {
                // A queue that is filled before the loop, with a row of weights, holds nothing up.
                let decl = &frame.body.queues[queue.index()];
                let waits =
                    self.whole(frame, &decl.buffer_num).map_err(failed)? <= 1 && self.in_tiles;
                self.all.waits_in |= waits && decl.position != TPosition::VecOut;
                self.all.waits_out |= waits && decl.position != TPosition::VecIn;
                frame.begins[tensor.index()] = Some(Begin {
                    home: Home::Queue(queue.0),
                    at: self.memories.queues[queue.index()],
                });
            }
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => {
                frame.begins[tensor.index()] = Some(Begin {
                    home: Home::Buf(buf.0),
                    at: self.memories.bufs[buf.index()],
                });
            }
            StmtKind::Do(QueueStmt::Place { tensor, at, .. }) => {
                let at = self.whole(frame, at).map_err(failed)?;
                frame.begins[tensor.index()] = Some(Begin { home: Home::Ub, at });
            }
            StmtKind::Do(QueueStmt::Sync { what }) => match what {
                // The scalar unit stands still until the other pipe has come; other pipes keep
                // overlapping.
                SyncOp::Wait { event, .. } if event.ends().1 == Pipe::S => {
                    self.waits(frame, *event)
                }
                SyncOp::Order {
                    from: Pipe::V,
                    to: Pipe::S,
                } => self.waits(frame, Event::VS),
                SyncOp::Wait { .. }
                | SyncOp::Order { .. }
                | SyncOp::Set { .. }
                | SyncOp::CrossSet { .. } => {}
                SyncOp::CrossWait { .. } | SyncOp::All {} => {
                    self.written.clear();
                    self.all.meetings = self.all.meetings.saturating_add(self.times);
                }
                SyncOp::Barrier { .. } => self.written.clear(),
            },
            StmtKind::Do(QueueStmt::View { tensor, of }) => {
                frame.begins[tensor.index()] = self.begin(frame, of).map_err(failed)?;
            }
            StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Queue {
                    op: QueueOp::Enque | QueueOp::Free,
                    ..
                }
                | QueueStmt::Reset { .. },
            ) => {}
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                let priced = self.instr(frame, instr).map_err(failed)?;
                return priced.ok_or_else(|| CostError::NotLowered(place()));
            }
            StmtKind::Do(QueueStmt::Call {
                func,
                tensors,
                scalars,
            }) => {
                let mut inner = self
                    .called(frame, *func, tensors, scalars)
                    .map_err(failed)?;
                self.stmts(&mut inner, &self.lowered.funcs[func.index()].body.stmts)?;
            }
            StmtKind::Do(QueueStmt::Host { .. }) => return Err(CostError::NotLowered(place())),
        }
        Ok(())
    }

    /// Walks both arms of a branch on data and keeps the one with more cycles. A scalar has a value
    /// behind them only where both arms give it one value.
    fn longer(&mut self, frame: &mut Frame<'a>, [then, other]: [&'a [Stmt]; 2]) -> Done {
        let cycles = |all: &Estimate| all.lines.iter().map(|line| line.cycles).sum::<f64>();
        let (all, written, vars) = (
            self.all.clone(),
            self.written.clone(),
            frame.env.vars.clone(),
        );
        self.stmts(frame, then)?;
        let first = (
            std::mem::replace(&mut self.all, all),
            std::mem::replace(&mut self.written, written),
        );
        let set = std::mem::replace(&mut frame.env.vars, vars);
        self.stmts(frame, other)?;
        if cycles(&first.0) > cycles(&self.all) {
            (self.all, self.written) = first;
        }
        for (own, set) in frame.env.vars.iter_mut().zip(set) {
            *own = own.filter(|value| Some(*value) == set);
        }
        Ok(())
    }

    /// Returns the greatest value of a length that is read from a tensor.
    fn most(&mut self, frame: &Frame<'a>, var: VarId) -> Result<Option<Value>, EvalError> {
        let known = self.known.iter().find_map(|known| match known {
            Known::Most { var: of, most } if *of == var && frame.func.is_none() => Some(most),
            Known::Most { .. } | Known::Share { .. } | Known::Part { .. } => None,
        });
        self.all.at_most |= known.is_some();
        known.map(|most| eval(most, &frame.env)).transpose()
    }

    /// Walks the iterations of a loop.
    fn turns(
        &mut self,
        frame: &mut Frame<'a>,
        var: VarId,
        from: i64,
        to: i64,
        body: &'a [Stmt],
    ) -> Done {
        let count = to.saturating_sub(from).max(0);
        let is_tiles = !self.in_tiles && is_tile(frame.body, body);
        if is_tiles {
            self.all.tiles = self
                .all
                .tiles
                .saturating_add(count.saturating_mul(self.times));
        }
        let (tiles, times) = (self.in_tiles, self.times);
        self.in_tiles |= is_tiles;
        let few = count <= MAX_TURNS;
        // The walked iterations, and the number of iterations that each stands for.
        let walked: Vec<(i64, i64)> = if few {
            (from..to).map(|turn| (turn, 1)).collect()
        } else {
            vec![(from, 1), (from + 1, count - 2), (to - 1, 1)]
        };
        for (turn, stands_for) in walked {
            self.times = times.saturating_mul(stands_for);
            frame.set(var, Some(Value::Int(turn)));
            self.stmts(frame, body)?;
        }
        (self.in_tiles, self.times) = (tiles, times);
        Ok(())
    }

    /// Binds the arguments of a function.
    fn called(
        &self,
        frame: &Frame<'a>,
        func: FuncId,
        tensors: &[View],
        scalars: &[Scalar],
    ) -> Result<Frame<'a>, EvalError> {
        let f = &self.lowered.funcs[func.index()];
        let vars = scalars
            .iter()
            .map(|s| known(eval(s, &frame.env)))
            .collect::<Result<_, _>>()?;
        let env = Env {
            dims: &[],
            attrs: &[],
            chip: self.chip,
            vars,
            block: frame.env.block,
        };
        let mut inner = Frame::new(&f.body, env, frame.func.or(Some(&f.name)));
        for (begin, view) in inner.begins.iter_mut().zip(tensors) {
            *begin = self.begin(frame, view)?;
        }
        Ok(inner)
    }

    /// Walks an instruction. `None` where its extent is none that its pipe takes.
    fn instr(&mut self, frame: &mut Frame<'a>, instr: &Instr) -> Result<Option<()>, EvalError> {
        let contract = instr.op.contract();
        if let Some(var) = instr.result() {
            let most = self.most(frame, var)?;
            frame.set(var, most);
        }
        match contract.pipe {
            // The access brings a line of the data cache from GM or writes it back. A hit of the
            // cache cannot be predicted.
            Pipe::S
                if matches!(
                    instr.op,
                    Op::Scalar(ScalarOp::GetGlobal | ScalarOp::SetGlobal | ScalarOp::CleanLine)
                ) =>
            {
                self.add(
                    frame,
                    instr.op.def().ascendc,
                    Pipe::S,
                    0,
                    self.timing.read_start,
                );
            }
            Pipe::S => self.add(
                frame,
                instr.op.def().ascendc,
                Pipe::S,
                0,
                self.timing.scalar_access,
            ),
            Pipe::V => return self.vector(frame, instr),
            Pipe::Mte2 | Pipe::Mte3 => return self.copy(frame, instr),
        }
        Ok(Some(()))
    }

    fn waits(&mut self, frame: &Frame<'a>, event: Event) {
        self.written.clear();
        self.add(frame, event.word(), Pipe::S, 0, self.timing.round_trip);
    }

    fn vector(&mut self, frame: &Frame<'a>, instr: &Instr) -> Result<Option<()>, EvalError> {
        let Some(span) = self.span(frame, instr)? else {
            return Ok(None);
        };
        let touches = self.touches(frame, instr, span)?;
        let reads = touches.iter().map(|(_, touch)| touch);
        let depends = reads
            .clone()
            .any(|touch| self.written.iter().any(|w| w.meets(touch)));
        let sources = self.sources(frame, instr, span)?;
        let waits = banks::conflicts(
            self.chip,
            (self.timing.call)(instr.op.def().cost).slope,
            &sources,
            span,
        );
        self.all.conflicts += waits * self.times as f64;
        let cycles = call::cycles(self.timing, instr.op.def(), span, depends) + waits;
        self.add(frame, instr.op.def().ascendc, Pipe::V, span.repeats, cycles);
        self.written = touches
            .into_iter()
            .filter(|(access, _)| *access != Access::Read)
            .map(|(_, touch)| touch)
            .collect();
        Ok(Some(()))
    }

    /// Returns the extent of a vector call.
    fn span(&self, frame: &Frame<'a>, instr: &Instr) -> Result<Option<Span>, EvalError> {
        let elements = instr
            .views()
            .filter(|(rule, _)| matches!(rule.elem, Elem::Own | Elem::Other));
        let widest = elements.map(|(_, view)| self.size(frame, view)).max();
        // Operations on masks alone work on 16-bit numbers of 16 mask bits each: a repeat covers as
        // many mask bits as it has bits.
        let of_bits = (instr.op.contract().pipe == Pipe::V).then_some(self.chip.repeat_bytes * 8);
        let Some(lanes) = widest.map(|size| self.chip.repeat_bytes / size).or(of_bits) else {
            return Ok(None);
        };
        Ok(match &instr.extent {
            Extent::Count { n } | Extent::Counter { n } => {
                let reached = instr
                    .views()
                    .next()
                    .map(|(rule, _)| instr.reached(rule.reach, n));
                Some(Span::counted(
                    self.whole(frame, reached.as_ref().unwrap_or(n))?,
                    lanes,
                ))
            }
            Extent::Repeat { mask, repeat } => {
                let span = Span::repeated(self.whole(frame, repeat)?, lanes);
                Some(Span {
                    lanes: self.whole(frame, &mask.end())?,
                    ..span
                })
            }
            Extent::Eights { repeat } => Some(Span::repeated(self.whole(frame, repeat)?, EIGHT)),
            Extent::Fixed {} | Extent::Rows { .. } => None,
        })
    }

    fn touches(
        &self,
        frame: &Frame<'a>,
        instr: &Instr,
        span: Span,
    ) -> Result<Vec<(Access, Touch)>, EvalError> {
        let mut touches = Vec::new();
        for (rule, view) in instr.views() {
            let Some(from) = self.begin(frame, view)? else {
                continue;
            };
            let steps = self.steps(frame, &view.layout)?;
            touches.push((
                rule.access,
                call::touched(self.chip, rule, from, self.size(frame, view), steps, span),
            ));
        }
        Ok(touches)
    }

    /// Returns the operands that a call reads in whole data blocks.
    fn sources(
        &self,
        frame: &Frame<'a>,
        instr: &Instr,
        span: Span,
    ) -> Result<Vec<Source>, EvalError> {
        let mut sources = Vec::new();
        for (rule, view) in instr.views() {
            if !rule.reads_blocks() {
                continue;
            }
            let Some(Begin { at, .. }) = self.begin(frame, view)? else {
                continue;
            };
            let bytes = span.lanes.saturating_mul(self.size(frame, view));
            sources.push(Source {
                at,
                bytes,
                steps: self.steps(frame, &view.layout)?,
            });
        }
        Ok(sources)
    }

    fn steps(&self, frame: &Frame<'a>, layout: &Layout) -> Result<Steps, EvalError> {
        let block = self.chip.data_block_bytes;
        Ok(match layout {
            Layout::Dense {} | Layout::Rows { .. } => Steps::Dense,
            Layout::Blocks { blk, rep } => Steps::Blocks(
                self.whole(frame, blk)? * block,
                self.whole(frame, rep)? * block,
            ),
            Layout::Results { rep } => Steps::Results(self.whole(frame, rep)?),
        })
    }

    fn copy(&mut self, frame: &Frame<'a>, instr: &Instr) -> Result<Option<()>, EvalError> {
        let Extent::Rows { rows, cols } = &instr.extent else {
            return Ok(None);
        };
        let (rows, cols) = (
            self.whole(frame, rows)?.max(0),
            self.whole(frame, cols)?.max(0),
        );
        let mut copied = Rows {
            rows,
            bytes: 0,
            pitch: 0,
            is_dense: true,
        };
        for (_, view) in instr.views() {
            let size = self.size(frame, view);
            let pitch = match &view.layout {
                Layout::Rows { pitch } => self.whole(frame, pitch)?,
                Layout::Dense {} | Layout::Blocks { .. } | Layout::Results { .. } => cols,
            };
            copied.is_dense &= pitch == cols;
            if view.global().is_some() {
                (copied.bytes, copied.pitch) = (cols * size, pitch * size);
            }
        }
        let pipe = instr.op.contract().pipe;
        let cycles = copied.cycles(self.timing, self.chip, self.all.blocks, pipe == Pipe::Mte2);
        self.add(frame, instr.op.def().ascendc, pipe, copied.bursts(), cycles);
        let moved = if pipe == Pipe::Mte2 {
            &mut self.all.bytes_in
        } else {
            &mut self.all.bytes_out
        };
        *moved = moved.saturating_add(rows.saturating_mul(copied.bytes).saturating_mul(self.times));
        Ok(Some(()))
    }

    fn add(&mut self, frame: &Frame<'a>, op: &'static str, pipe: Pipe, repeats: i64, cycles: f64) {
        let is_same = |line: &&mut Line| {
            line.op == op && line.pipe == pipe && line.func.as_deref() == frame.func
        };
        let times = self.times;
        let repeats = repeats.saturating_mul(times);
        match self.all.lines.iter_mut().find(is_same) {
            Some(line) => {
                line.calls = line.calls.saturating_add(times);
                line.repeats = line.repeats.saturating_add(repeats);
                line.cycles += cycles * times as f64;
            }
            None => {
                let func = frame.func.map(str::to_owned);
                self.all.lines.push(Line {
                    func,
                    op,
                    pipe,
                    calls: times,
                    repeats,
                    cycles: cycles * times as f64,
                });
            }
        }
    }

    fn size(&self, frame: &Frame<'a>, view: &View) -> i64 {
        view.ty(&self.lowered.sig, frame.body)
            .resolve(self.types)
            .bytes()
    }

    /// Returns the start of a view in UB.
    fn begin(&self, frame: &Frame<'a>, view: &View) -> Result<Option<Begin>, EvalError> {
        let Some(base) = view.tensor().and_then(|t| frame.begins[t.index()]) else {
            return Ok(None);
        };
        let offset = self.whole(frame, &view.offset)?;
        Ok(Some(Begin {
            at: base
                .at
                .saturating_add(offset.saturating_mul(self.size(frame, view))),
            ..base
        }))
    }

    fn whole(&self, frame: &Frame<'a>, scalar: &Scalar) -> Result<i64, EvalError> {
        eval(scalar, &frame.env)?.as_int()
    }
}

/// Elements that Brcb takes a repeat.
const EIGHT: i64 = crate::ops::contract::BLOCKS_PER_REPEAT;

/// Returns a scalar's value, `None` where it depends on data of a tensor.
fn known(value: Result<Value, EvalError>) -> Result<Option<Value>, EvalError> {
    match value {
        Err(EvalError::Missing(_)) => Ok(None),
        value => value.map(Some),
    }
}

/// True where an iteration is a tile. In a matrix product these are iterations of the innermost
/// loop, since its loads overlap with computing.
fn is_tile(body: &Body, turn: &[Stmt]) -> bool {
    has_copies(turn) && (loads(body, turn, false) || !loads(body, turn, true))
}

/// True where tensors of VECIN queues are allocated here, or in loops inside if `inside`.
fn loads(body: &Body, stmts: &[Stmt], inside: bool) -> bool {
    stmts.iter().any(|s| {
        let own = matches!(&s.kind, StmtKind::Do(QueueStmt::Queue { op: QueueOp::Alloc, queue, .. }) if body.queues[queue.index()].position == TPosition::VecIn);
        let walked = inside || !matches!(s.kind, StmtKind::For { .. });
        own || walked && s.children().into_iter().flatten().any(|list| loads(body, list, inside))
    })
}

fn has_copies(stmts: &[Stmt]) -> bool {
    let mut found = false;
    crate::ir::walk_stmts(stmts, &mut |s| {
        found |= matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr }) if instr.op.contract().pipe.copies_gm());
    });
    found
}
