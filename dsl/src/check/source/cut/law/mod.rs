//! The step law: a recurrence is correct if `turn(turn(s, R), R') = turn(s, R ∪ R')` for any state
//! `s` and any runs.
//!
//! Both sides are computed in exact numbers (`number`). One iteration over four elements is
//! compared with every way to cut them. Fixed seeds draw the elements, outer values, states,
//! attributes, sizes and literals, except 0, 1, -1 and infinities.
//!
//! Only free values and running or partial maxima and minima are compared as numbers. Any other
//! function of a value that depends on the cut is a hash of its operands. So no threshold hides
//! behind numbers that happen to be small or large: literals, sizes and ends of types lie among the
//! elements.
//!
//! A condition that no iteration changes (`flags`) is true or false, whatever it compares. Each
//! instance with different numbers is judged.
//!
//! The law ignores data that are NaN or infinite, integers that wrap, and rounding.

mod conversion;
mod flags;
mod scalars;

use super::class::{Carried, Class, Monoid};
use super::number::{hash, Number};
use crate::dtype::{DType, RoundMode};
use crate::ir::linear::Definitions;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    AxFrom, AxId, AxSpec, Chosen, Index, Kernel, Operand, Scalar, ScalarTy, StmtKind, TensorRef,
    TileExpr, TileLoop, TileStmt, Ty, ValueId, VarId,
};
use crate::ops::{AxisReduceOp, BinaryOp, CompareOp, LayoutOp, MaskOp, Op, UnaryOp};
use conversion::Conversion;
use flags::MOST_FLAGS;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Elements along the run that is cut. `OTHERS` is the number along any other axis.
const ELEMENTS: usize = 4;
const OTHERS: usize = 2;
/// Lengths of the runs in each cut. Each draw uses one of these, in rotation, and `SINGLE`.
const CUTS: [&[usize]; 6] = [
    &[1, 3],
    &[2, 2],
    &[3, 1],
    &[1, 1, 2],
    &[1, 2, 1],
    &[2, 1, 1],
];
const SINGLE: &[usize] = &[1; ELEMENTS];
/// Draws over all combinations of flags, and at least `LEAST_DRAWS` for each. A mistake that shows
/// in one draw of a hundred is then overlooked once in ninety times. Elements that are compared
/// hide one another, so those kernels get more draws.
const DRAWS: u64 = 448;
const DRAWS_OF_COMPARED: u64 = 1792;
const LEAST_DRAWS: u64 = 112;
/// Most iterations of nested loops by literals that are all executed. Other loops execute
/// `FEW_TURNS`.
const MOST_TURNS: i64 = 64;
const FEW_TURNS: i64 = 3;

/// The way in which a recurrence fails.
pub(super) enum Broken {
    /// One iteration and several yield different numbers for a value.
    Differs { of: Carried, one: f64, two: f64 },
    /// It cannot be computed.
    Unknown,
    /// It has too many flags to try.
    Flags { found: usize, most: usize },
}

/// The facts of a kernel that the law needs besides the loop.
pub(super) struct Context<'a> {
    pub kernel: &'a Kernel,
    pub body: &'a Body,
    /// Definitions of scalars that never change.
    pub definitions: &'a Definitions,
    /// Operands of `exp2` by their results.
    pub powers: &'a BTreeMap<ValueId, ValueId>,
}

/// A loop that is judged by the law.
pub(super) struct Turn<'a> {
    pub context: Context<'a>,
    pub tile: &'a TileLoop,
    /// The run that is cut.
    pub spec: &'a AxSpec,
    /// Carried values, with their classes at the end of an iteration.
    pub carried: BTreeMap<Carried, Class>,
    /// All classes that each value has along the run, anywhere in the loop.
    met: BTreeMap<Carried, Vec<Class>>,
    /// Carried values that are running maxima or minima throughout the iteration.
    ordered: BTreeSet<Carried>,
}

impl<'a> Turn<'a> {
    /// Takes a loop along one of its runs, with its carried values and the classes in it.
    pub fn new(
        context: Context<'a>,
        tile: &'a TileLoop,
        spec: &'a AxSpec,
        carried: BTreeMap<Carried, Class>,
        met: BTreeMap<Carried, Vec<Class>>,
    ) -> Turn<'a> {
        let is_extreme = |(of, class): (&Carried, &Class)| match class {
            Class::Running(own, Some(Monoid::Max | Monoid::Min)) => own == of,
            Class::Running(..) | Class::Free(_) | Class::Part(..) | Class::Cut(_) => false,
        };
        let ordered = carried
            .iter()
            .filter(|end| is_extreme(*end))
            .map(|(of, _)| *of)
            .collect();
        let mut turn = Turn {
            context,
            tile,
            spec,
            carried,
            met,
            ordered,
        };
        // A value that is disordered in between is not ordered, nor is one that copies it then.
        while let Some(of) = turn
            .ordered
            .iter()
            .copied()
            .find(|of| !turn.is_ordered(*of))
        {
            turn.ordered.remove(&of);
        }
        turn
    }

    /// True if the value is free throughout the iteration.
    fn is_free(&self, of: Carried) -> bool {
        self.met
            .get(&of)
            .is_none_or(|met| met.iter().all(Class::is_free))
    }

    /// True for free values, and for maxima and minima that merge ordered parts and running values.
    fn is_ordered(&self, of: Carried) -> bool {
        let merged = |class: &Class| match class {
            Class::Free(_) => true,
            Class::Part(m, _) => matches!(m, Monoid::Max | Monoid::Min),
            Class::Running(of, m) => {
                matches!(m, None | Some(Monoid::Max | Monoid::Min)) && self.ordered.contains(of)
            }
            Class::Cut(_) => false,
        };
        self.met.get(&of).is_none_or(|met| met.iter().all(merged))
    }

    /// Returns how the law fails, or `None` if it holds.
    pub fn breaks(&self) -> Option<Broken> {
        let flags = self.flags();
        if flags.len() > MOST_FLAGS {
            return Some(Broken::Flags {
                found: flags.len(),
                most: MOST_FLAGS,
            });
        }
        let chosen = self.combinations(&flags);
        let all = if self.compares() {
            DRAWS_OF_COMPARED
        } else {
            DRAWS
        };
        let draws = (all / chosen.len().max(1) as u64).max(LEAST_DRAWS);
        let breaks = |binding: &[DType]| {
            chosen
                .iter()
                .find_map(|chosen| self.breaks_for(binding, &flags, *chosen, draws))
        };
        self.bindings().into_iter().find_map(breaks)
    }

    /// True if elements are compared.
    fn compares(&self) -> bool {
        let mut compares = false;
        crate::ir::walk_stmts(&self.tile.body, &mut |s| {
            compares |= matches!(
                &s.kind,
                StmtKind::Do(TileStmt::Def {
                    expr: TileExpr::Op {
                        op: Op::Compare(_) | Op::Mask(_),
                        ..
                    },
                    ..
                })
            );
        });
        compares
    }

    /// Tests one instance, with the bits of `chosen` as flags.
    fn breaks_for(
        &self,
        binding: &[DType],
        flags: &[Scalar],
        chosen: u64,
        draws: u64,
    ) -> Option<Broken> {
        let mut computed = BTreeSet::new();
        for draw in 0..draws {
            let world = World {
                turn: self,
                binding,
                seed: hash(&[chosen, draw]),
                data: Data::of(draw),
                flags,
                chosen,
            };
            match self.draw(&world, draw, draw + 1 == draws) {
                Err(broken) => return Some(broken),
                Ok(true) => _ = computed.insert(world.data),
                Ok(false) => {}
            }
        }
        (computed.len() < Data::ALL.len()).then_some(Broken::Unknown)
    }

    /// Returns the instances, one of each set with equal numbers.
    fn bindings(&self) -> Vec<&[DType]> {
        let body = self.context.body;
        let mut casts = Vec::new();
        crate::ir::walk_stmts(&self.tile.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Def {
                value: to,
                expr: TileExpr::Cast { value, .. } | TileExpr::Truncate { value },
            }) = &s.kind
            {
                casts.push([*value, *to].map(|v| body.values[v.index()].dtype));
            }
        });
        let mut found: Vec<(Vec<bool>, Vec<Conversion>, &[DType])> = Vec::new();
        for binding in &self.context.kernel.sig.instances {
            let whole: Vec<bool> = body
                .values
                .iter()
                .map(|value| is_whole(value.dtype, binding))
                .collect();
            let casts: Vec<Conversion> = casts
                .iter()
                .map(|[from, to]| Conversion::of(*from, *to, binding))
                .collect();
            if !found.iter().any(|(w, c, _)| (w, c) == (&whole, &casts)) {
                found.push((whole, casts, binding));
            }
        }
        found.into_iter().map(|(_, _, binding)| binding).collect()
    }

    /// Tests one draw; true if there were numbers to compare. Some draws begin after an iteration,
    /// and the last one begins with the values from before the loop. Most draws have two elements:
    /// with more, the others often hide what two of them show.
    fn draw(&self, world: &World<'_, '_>, draw: u64, is_last: bool) -> Result<bool, Broken> {
        let mut first = world.state(is_last);
        let mut at = hash(&[world.seed, 77]) as i64 & 7;
        if matches!(draw % 8, 3 | 4) && !is_last {
            first = world.turn_over(&first, at, 2).ok_or(Broken::Unknown)?;
            at += 2;
        }
        let (elements, cuts) = match draw % 4 {
            0 => (ELEMENTS, [CUTS[(draw / 4) as usize % CUTS.len()], SINGLE]),
            _ => (2, [&SINGLE[..2], &SINGLE[..2]]),
        };
        let one = world
            .turn_over(&first, at, elements)
            .ok_or(Broken::Unknown)?;
        if one
            .values()
            .any(|tile| tile.data.iter().any(|n| n.is_nan()))
        {
            return Ok(false);
        }
        for cut in cuts {
            let (mut state, mut at) = (first.clone(), at);
            for len in cut {
                state = world.turn_over(&state, at, *len).ok_or(Broken::Unknown)?;
                at += *len as i64;
            }
            for (of, whole) in &one {
                let Some(parts) = state.get(of) else {
                    return Err(Broken::Unknown);
                };
                let differs = whole
                    .data
                    .iter()
                    .zip(&parts.data)
                    .find(|(a, b)| !a.is_same(**b));
                if let Some((one, two)) = differs {
                    if two.is_nan() {
                        return Ok(false);
                    }
                    return Err(Broken::Differs {
                        of: *of,
                        one: one.real(),
                        two: two.real(),
                    });
                }
            }
        }
        Ok(true)
    }
}

/// True for an integer type of an instance.
fn is_whole(ty: Ty, binding: &[DType]) -> bool {
    match ty {
        Ty::Mask => false,
        Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => !ty.resolve(binding).is_float(),
    }
}

/// The distribution of elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Data {
    Wide,
    Ties,
    Quarters,
    Positive,
    Negative,
    /// Beyond all literals.
    High,
    Low,
}

impl Data {
    const ALL: [Data; 7] = [
        Data::Wide,
        Data::Ties,
        Data::Quarters,
        Data::Positive,
        Data::Negative,
        Data::High,
        Data::Low,
    ];

    fn of(draw: u64) -> Data {
        Data::ALL[(draw / 2) as usize % Data::ALL.len()]
    }

    /// Maps a random word to a number.
    fn number(self, word: u64, is_whole: bool) -> Number {
        let within = |least: i64, most: i64| least + (word % (most - least + 1) as u64) as i64;
        match (self, is_whole) {
            (Data::Wide, true) => Number::int(within(-100, 100)),
            (Data::Wide, false) => Number::quarters(within(-400, 400)),
            (Data::Ties, _) => Number::int(within(-1, 1)),
            (Data::Quarters, true) => Number::int(within(-8, 8)),
            (Data::Quarters, false) => Number::quarters(within(-8, 8)),
            (Data::Positive, _) => Number::int(within(1, 2)),
            (Data::Negative, _) => Number::int(within(-2, -1)),
            (Data::High, _) => Number::int(within(20, 100)),
            (Data::Low, _) => Number::int(within(-100, -20)),
        }
    }
}

/// The numbers of a tile, by its axes.
#[derive(Clone)]
struct Numbers {
    axes: Vec<(AxId, usize)>,
    data: Vec<Number>,
}

/// A position along axes.
type Indices = Vec<(AxId, usize)>;

impl Numbers {
    fn new(
        axes: Vec<(AxId, usize)>,
        mut of: impl FnMut(&Indices) -> Option<Number>,
    ) -> Option<Numbers> {
        let count = axes.iter().map(|(_, size)| size).product();
        let data = (0..count)
            .map(|at| of(&place(&axes, at)))
            .collect::<Option<_>>()?;
        Some(Numbers { axes, data })
    }

    fn at(&self, place: &Indices) -> Option<Number> {
        let mut index = 0;
        for (ax, size) in &self.axes {
            let at = place.iter().find(|(own, _)| own == ax)?.1;
            index = index * size + at;
        }
        self.data.get(index).copied()
    }
}

fn place(axes: &[(AxId, usize)], mut at: usize) -> Indices {
    let mut found: Indices = axes
        .iter()
        .rev()
        .map(|(ax, size)| {
            let own = at % size;
            at /= size;
            (*ax, own)
        })
        .collect();
    found.reverse();
    found
}

type State = BTreeMap<Carried, Rc<Numbers>>;

/// The numbers of one draw.
struct World<'t, 'a> {
    turn: &'t Turn<'a>,
    /// The types of the instance.
    binding: &'t [DType],
    seed: u64,
    data: Data,
    flags: &'t [Scalar],
    /// The flags that hold, as bits.
    chosen: u64,
}

impl World<'_, '_> {
    fn drawn(&self, parts: &[u64], is_whole: bool) -> Number {
        let all: Vec<u64> = std::iter::once(self.seed)
            .chain(parts.iter().copied())
            .collect();
        self.data.number(hash(&all), is_whole)
    }

    /// Returns how many of eight bits of a predicate are 1 in this draw. If several conditions
    /// stand side by side, even odds seldom make all but one true of both elements or of none. So a
    /// third of the odds are extreme.
    fn odds(&self, predicate: u64, depends: bool) -> u64 {
        let all = if depends {
            [4, 4, 4, 1, 7, 4]
        } else {
            [0, 8, 4, 4, 4, 4]
        };
        all[(hash(&[self.seed, 8, predicate, u64::from(depends)]) % 6) as usize]
    }

    fn ty(&self, value: ValueId) -> Ty {
        self.turn.context.body.values[value.index()].dtype
    }

    /// Returns the end of a type: a number among the elements, or 0.
    fn end(&self, dtype: DType, is_upper: bool) -> Number {
        match dtype.ends() {
            Some(ends) if *ends.start() == 0 && !is_upper => Number::int(0),
            _ => {
                let far =
                    2 + (hash(&[self.seed, 10, dtype as u64, u64::from(is_upper)]) % 39) as i64;
                Number::int(if is_upper { far } else { -far })
            }
        }
    }

    /// Draws an element of a value or a tensor of this type.
    fn element(&self, parts: &[u64], ty: Ty) -> Number {
        match ty {
            Ty::Mask => {
                let all: Vec<u64> = [self.seed, 9]
                    .into_iter()
                    .chain(parts.iter().copied())
                    .collect();
                Number::bit(hash(&all) % 8 < self.odds(hash(&parts[..2]), false))
            }
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => self.drawn(parts, is_whole(ty, self.binding)),
        }
    }

    /// Draws a value from outside of the loop.
    fn outer(&self, value: ValueId, axes: Vec<(AxId, usize)>) -> Option<Numbers> {
        let ty = self.ty(value);
        Numbers::new(axes, |place| {
            let parts: Vec<u64> = [1, u64::from(value.0)]
                .into_iter()
                .chain(place.iter().map(|(_, at)| *at as u64))
                .collect();
            Some(self.element(&parts, ty))
        })
    }

    /// Returns the state at the loop head: any numbers, or those from before the loop.
    fn state(&self, initial: bool) -> State {
        let run = Evaluation::of(self, 0);
        let mut state = State::new();
        for of in self.turn.carried.keys() {
            let written = if initial { self.initial(*of) } else { None };
            let numbers = match of {
                Carried::Tile(value) => {
                    let axes = run.axes_of(*value);
                    match written.and_then(|s| run.number(&s)) {
                        Some(n) => Numbers::new(axes, |_| Some(n)),
                        None => self.outer(*value, axes),
                    }
                }
                Carried::Scalar(var) => {
                    let drawn = self.drawn(
                        &[2, u64::from(var.index() as u32)],
                        var.ty() != ScalarTy::F32,
                    );
                    let n = written.and_then(|s| run.scalar(&s)).unwrap_or(drawn);
                    Numbers::new(Vec::new(), |_| Some(n))
                }
            };
            if let Some(numbers) = numbers {
                state.insert(*of, Rc::new(numbers));
            }
        }
        state
    }

    /// Returns the literal that the value has before the loop.
    fn initial(&self, of: Carried) -> Option<Scalar> {
        let mut found = None;
        self.turn.context.body.walk(&mut |s| {
            let (StmtKind::LetScalar { value, .. }
            | StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Fill { value },
                ..
            })) = &s.kind
            else {
                return;
            };
            if Carried::given_by(s) == Some(of) {
                found = Some(value.clone());
            }
        });
        found.filter(|s| s.value().is_some())
    }

    /// Executes one iteration over `len` elements from `at` on.
    fn turn_over(&self, state: &State, at: i64, len: usize) -> Option<State> {
        let mut run = Evaluation::of(self, len);
        for (of, numbers) in state {
            match of {
                Carried::Tile(value) => _ = run.values.insert(*value, numbers.clone()),
                Carried::Scalar(var) => _ = run.vars.insert(*var, *numbers.data.first()?),
            }
        }
        // A run takes all iterations of the axes inside of it, one by one, before the next run
        // begins.
        let specs = &self.turn.tile.specs;
        let own = specs.iter().position(|spec| spec.ax == self.turn.spec.ax)?;
        let inside = specs.len() - own - 1;
        for turn in 0..OTHERS.pow(u32::try_from(inside).ok()?) {
            for (nth, spec) in specs.iter().enumerate() {
                let (start, len) = match nth.cmp(&own) {
                    Ordering::Less => (0, if spec.size.is_each() { 1 } else { OTHERS }),
                    Ordering::Equal => (at, len),
                    Ordering::Greater => {
                        let slower = u32::try_from(specs.len() - nth - 1).ok()?;
                        ((turn / OTHERS.pow(slower) % OTHERS) as i64, 1)
                    }
                };
                run.vars.insert(spec.start, Number::int(start));
                run.vars.insert(spec.len, Number::int(len as i64));
            }
            run.list(&self.turn.tile.body)?;
        }
        let carried = self.turn.carried.keys();
        carried
            .map(|of| {
                let numbers = match of {
                    Carried::Tile(value) => run.values.get(value)?.clone(),
                    Carried::Scalar(var) => Rc::new(Numbers {
                        axes: Vec::new(),
                        data: vec![*run.vars.get(var)?],
                    }),
                };
                Some((*of, numbers))
            })
            .collect()
    }
}

/// The execution of one iteration. It returns `None` where the law says nothing.
struct Evaluation<'w, 't, 'a> {
    world: &'w World<'t, 'a>,
    values: BTreeMap<ValueId, Rc<Numbers>>,
    vars: BTreeMap<VarId, Number>,
    /// Number of elements of the run.
    len: usize,
    /// First indices of the runs of inner loops.
    ranges: BTreeMap<AxId, i64>,
    /// Variables of loops by literals that are executed completely. `turns` is their iteration
    /// count.
    counted: BTreeSet<VarId>,
    turns: i64,
}

impl<'w, 't, 'a> Evaluation<'w, 't, 'a> {
    fn of(world: &'w World<'t, 'a>, len: usize) -> Evaluation<'w, 't, 'a> {
        let (values, vars) = (BTreeMap::new(), BTreeMap::new());
        Evaluation {
            world,
            values,
            vars,
            len,
            ranges: BTreeMap::new(),
            counted: BTreeSet::new(),
            turns: 1,
        }
    }

    fn list(&mut self, stmts: &[Stmt]) -> Option<()> {
        stmts.iter().try_for_each(|s| self.statement(s))
    }

    fn statement(&mut self, s: &Stmt) -> Option<()> {
        match &s.kind {
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                let numbers = self.computed(*value, expr)?;
                self.values.insert(*value, Rc::new(numbers));
            }
            StmtKind::Do(TileStmt::Set { value, from }) => {
                let from = self.value(*from)?;
                self.values.insert(*value, from);
            }
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let n = if self.is_free_scalar(value) {
                    self.scalar(value)?
                } else {
                    self.number(value)?
                };
                self.vars.insert(*var, n);
            }
            StmtKind::Do(TileStmt::Read { var, value }) => {
                let n = *self.value(*value)?.data.first()?;
                self.vars.insert(*var, n);
            }
            StmtKind::If { cond, then, other } => {
                let holds = self.truth(&self.world.turn.context.definitions.write_out(cond))?;
                self.list(if holds { then } else { other })?;
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                if !self.is_free_scalar(from) || !self.is_free_scalar(to) {
                    return None;
                }
                let is_literal = self.is_counted(from) && self.is_counted(to);
                let (from, to) = (self.scalar(from)?.whole(), self.scalar(to)?.whole());
                let (turns, before) = (to.checked_sub(from)?, self.turns);
                let all = turns.max(1).saturating_mul(before);
                let turns = if is_literal && all <= MOST_TURNS {
                    self.counted.insert(*var);
                    self.turns = all;
                    turns
                } else {
                    self.counted.remove(var);
                    // Sizes may differ from the drawn ones, so the loop may also iterate less, or
                    // not at all.
                    let drawn = (hash(&[self.world.seed, 11, var.index() as u64])
                        % (FEW_TURNS as u64 + 1)) as i64;
                    if turns < 1 || drawn == 0 {
                        drawn
                    } else {
                        turns.min(FEW_TURNS)
                    }
                };
                for at in from..from.checked_add(turns)? {
                    self.vars.insert(*var, Number::int(at));
                    self.list(body)?;
                }
                self.turns = before;
            }
            StmtKind::Do(TileStmt::Loop { tile }) => self.inner(tile)?,
            // The classes of stored values are judged elsewhere.
            StmtKind::Promise { .. }
            | StmtKind::Do(
                TileStmt::Store { .. } | TileStmt::Append { .. } | TileStmt::Dump { .. },
            ) => {}
        }
        Some(())
    }

    /// Executes an inner loop. It is not cut here: each run is whole.
    fn inner(&mut self, tile: &TileLoop) -> Option<()> {
        let each = tile.specs.iter().filter(|spec| spec.size.is_each()).count();
        if tile.specs.iter().any(|spec| {
            spec.length
                .as_ref()
                .is_some_and(|length| !self.is_free_scalar(length))
        }) {
            return None;
        }
        for turn in 0..OTHERS.pow(u32::try_from(each).ok()?) {
            let mut rest = turn;
            for spec in &tile.specs {
                let (start, len) = match spec.size.is_each() {
                    true => {
                        let own = rest % OTHERS;
                        rest /= OTHERS;
                        (own, 1)
                    }
                    false => (0, OTHERS),
                };
                self.ranges.insert(spec.ax, start as i64);
                self.vars.insert(spec.start, Number::int(start as i64));
                self.vars.insert(spec.len, Number::int(len as i64));
            }
            self.list(&tile.body)?;
        }
        Some(())
    }

    // ---- dependence on the cut ----

    fn is_free(&self, value: ValueId) -> bool {
        self.world.turn.is_free(Carried::Tile(value))
    }

    fn is_ordered(&self, value: ValueId) -> bool {
        self.world.turn.is_ordered(Carried::Tile(value))
    }

    fn is_free_scalar(&self, s: &Scalar) -> bool {
        let turn = self.world.turn;
        let mut is = true;
        s.walk(&mut |leaf| {
            if let Scalar::Var(var) = leaf {
                is &= *var != turn.spec.start
                    && *var != turn.spec.len
                    && turn.is_free(Carried::Scalar(*var));
            }
        });
        is
    }

    // ---- values ----

    fn size(&self, ax: AxId) -> usize {
        let turn = self.world.turn;
        let of = |ax: AxId| turn.tile.specs.iter().position(|spec| spec.ax == ax);
        match of(ax).map(|nth| (nth, of(turn.spec.ax))) {
            Some((nth, Some(own))) if nth == own => self.len,
            Some((nth, Some(own))) if nth > own => 1,
            Some(_) | None => OTHERS,
        }
    }

    fn axes_of(&self, value: ValueId) -> Vec<(AxId, usize)> {
        self.world.turn.context.body.values[value.index()]
            .axes
            .iter()
            .map(|ax| (ax, self.size(ax)))
            .collect()
    }

    fn value(&mut self, value: ValueId) -> Option<Rc<Numbers>> {
        if let Some(numbers) = self.values.get(&value) {
            return Some(numbers.clone());
        }
        let numbers = Rc::new(self.world.outer(value, self.axes_of(value))?);
        self.values.insert(value, numbers.clone());
        Some(numbers)
    }

    /// Returns the index of the first element along an axis.
    fn first(&self, ax: AxId) -> i64 {
        let of_spec = self.world.turn.tile.specs.iter().find(|spec| spec.ax == ax);
        match of_spec {
            Some(spec) => self.vars.get(&spec.start).map_or(0, |n| n.whole()),
            None => self.ranges.get(&ax).copied().unwrap_or(0),
        }
    }

    fn computed(&mut self, value: ValueId, expr: &TileExpr) -> Option<Numbers> {
        let axes = self.axes_of(value);
        if axes.iter().any(|(ax, _)| {
            matches!(
                self.world.turn.context.body.axes[ax.index()].from,
                AxFrom::Hull { .. }
            )
        }) {
            return None;
        }
        if let Some(of) = self.world.turn.context.powers.get(&value) {
            let from = self.value(*of)?;
            return Numbers::new(axes, |place| from.at(place).map(|n| n.exp(2)));
        }
        let ty = self.world.ty(value);
        let is_free = self.is_free(value);
        match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                if !is_free || self.stores_to(from.of) {
                    return None;
                }
                let tensor = match from.of {
                    TensorRef::Param(param) => u64::from(param.0),
                    TensorRef::Work(work) => 1000 + u64::from(work.0),
                };
                let mut indices = Vec::new();
                for index in &from.index {
                    let ids = match &index.ids {
                        Some(ids) => Some(self.value(ids.value)?),
                        None => None,
                    };
                    indices.push((index, ids));
                }
                let this = &*self;
                let (world, ranges) = (this.world, &indices);
                Numbers::new(axes, |place| {
                    let mut parts = vec![7, tensor];
                    for (index, ids) in ranges {
                        let at = match ids {
                            Some(ids) => ids.at(place)?.whole(),
                            None => this.index(index, place)?,
                        };
                        parts.push(at as u64);
                    }
                    Some(world.element(&parts, ty))
                })
            }
            TileExpr::Fill { value: s } => {
                let n = self.number(s)?;
                Numbers::new(axes, |_| Some(n))
            }
            TileExpr::Iota { first } => {
                let first = self.scalar(first)?.whole();
                Numbers::new(axes, |place| {
                    Some(Number::int(first + place.first()?.1 as i64))
                })
            }
            TileExpr::Across { .. } | TileExpr::Appended { .. } | TileExpr::Top { .. } => None,
            TileExpr::Reduce {
                op,
                value: of,
                over,
                onto,
            } => {
                if onto.is_some() {
                    return None;
                }
                let (from, over) = (self.value(*of)?, over.iter().collect::<Vec<_>>());
                let ordered = self.is_ordered(*of);
                self.reduced(*op, &from, &over, axes, ordered)
            }
            TileExpr::Op { op, args } => {
                let ordered = args.iter().all(|a| match a {
                    Operand::Value { value } => self.is_ordered(*value),
                    Operand::Scalar { value } => self.is_free_scalar(value),
                });
                let all_free = args.iter().all(|a| match a {
                    Operand::Value { value } => self.is_free(*value),
                    Operand::Scalar { value } => self.is_free_scalar(value),
                });
                let mut numbers = Vec::new();
                for a in args {
                    numbers.push(match a {
                        Operand::Value { value } => self.value(*value)?,
                        Operand::Scalar { value } => {
                            let n = self.number(value)?;
                            Rc::new(Numbers {
                                axes: Vec::new(),
                                data: vec![n],
                            })
                        }
                    });
                }
                let world = self.world;
                let dtype = (ty != Ty::Mask).then(|| ty.resolve(world.binding));
                Numbers::new(axes, |place| {
                    let at: Option<Vec<Number>> = numbers.iter().map(|n| n.at(place)).collect();
                    applied(*op, dtype, &at?, ordered, all_free, world)
                })
            }
            TileExpr::Cast { value: of, mode } => {
                let rounds = !matches!(mode, None | Some(RoundMode::None | RoundMode::Rint));
                self.cast(*of, ty, rounds, axes)
            }
            TileExpr::Truncate { value: of } => self.cast(*of, ty, true, axes),
            TileExpr::Round { value: of, mode } => {
                let (from, is_ordered) = (self.value(*of)?, self.is_ordered(*of));
                let function = 200 + *mode as u64;
                Numbers::new(axes, |place| {
                    let n = from.at(place)?;
                    Some(if is_ordered {
                        rounded(n, *mode)
                    } else {
                        Number::of(function, &[n], n.real())
                    })
                })
            }
            TileExpr::Copy { value: of } => {
                let from = self.value(*of)?;
                Numbers::new(axes, |place| from.at(place))
            }
            TileExpr::Pick {
                value: of,
                along,
                at,
            } => {
                let from = self.value(*of)?;
                let chosen = match at {
                    Chosen::Tile { value } if !self.is_free(*value) => return None,
                    Chosen::Tile { value } => Some(self.value(*value)?),
                    Chosen::Index { .. } => None,
                };
                let this = &*self;
                Numbers::new(axes, |place| {
                    let own = match (at, &chosen) {
                        (Chosen::Index { index }, _) => this.index(index, place)?,
                        (Chosen::Tile { .. }, Some(ids)) => ids.at(place)?.whole(),
                        (Chosen::Tile { .. }, None) => return None,
                    };
                    let mut place: Indices = place
                        .iter()
                        .filter(|(ax, _)| ax != along)
                        .copied()
                        .collect();
                    place.push((*along, own.rem_euclid(this.size(*along) as i64) as usize));
                    from.at(&place)
                })
            }
            TileExpr::Scan {
                op,
                value: of,
                along,
            } => {
                let from = self.value(*of)?;
                Numbers::new(axes, |place| {
                    let last = place.iter().find(|(ax, _)| ax == along)?.1;
                    let mut all = None;
                    for at in 0..=last {
                        let own: Indices = place
                            .iter()
                            .map(|(ax, i)| (*ax, if ax == along { at } else { *i }))
                            .collect();
                        let n = from.at(&own)?;
                        all = Some(match (all, op) {
                            (None, _) => n,
                            (Some(all), AxisReduceOp::Sum) => n.plus(all),
                            (Some(all), AxisReduceOp::Prod) => n.times(all),
                            (Some(_), _) => return None,
                        });
                    }
                    all
                })
            }
        }
    }

    fn stores_to(&self, tensor: TensorRef) -> bool {
        let mut stores = false;
        crate::ir::walk_stmts(&self.world.turn.tile.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) = &s.kind
            {
                stores |= to.of == tensor;
            }
        });
        stores
    }

    fn index(&self, index: &Index, place: &Indices) -> Option<i64> {
        let mut at = self.scalar(&index.offset)?.whole();
        for term in &index.terms {
            let own = place.iter().find(|(ax, _)| *ax == term.ax)?.1 as i64;
            at = at.checked_add(self.scalar(&term.factor)?.whole().checked_mul(own)?)?;
        }
        Some(at)
    }

    fn reduced(
        &self,
        op: AxisReduceOp,
        from: &Numbers,
        over: &[AxId],
        axes: Vec<(AxId, usize)>,
        ordered: bool,
    ) -> Option<Numbers> {
        let gone: Vec<(AxId, usize)> = from
            .axes
            .iter()
            .filter(|(ax, _)| over.contains(ax))
            .copied()
            .collect();
        let count: usize = gone.iter().map(|(_, size)| size).product();
        Numbers::new(axes, |place_left| {
            let all: Option<Vec<Number>> = (0..count)
                .map(|at| {
                    let mut own = place(&gone, at);
                    own.extend(place_left.iter().copied());
                    from.at(&own)
                })
                .collect();
            let all = all?;
            let fold = |step: fn(Number, Number) -> Number| all.iter().copied().reduce(step);
            match op {
                AxisReduceOp::Sum => fold(Number::plus),
                AxisReduceOp::Prod => fold(Number::times),
                AxisReduceOp::Mean => Some(fold(Number::plus)?.over(Number::int(count as i64))),
                AxisReduceOp::Any => Some(Number::bit(all.iter().any(|n| n.is_set()))),
                AxisReduceOp::All => Some(Number::bit(all.iter().all(|n| n.is_set()))),
                AxisReduceOp::Max if ordered => fold(|a, b| a.extreme(b, true)),
                AxisReduceOp::Min if ordered => fold(|a, b| a.extreme(b, false)),
                AxisReduceOp::ArgMax | AxisReduceOp::ArgMin if ordered => {
                    let largest = op == AxisReduceOp::ArgMax;
                    let mut best = 0;
                    for (at, n) in all.iter().enumerate() {
                        let order = n.order(all[best])?;
                        let ahead = if largest {
                            order.is_gt()
                        } else {
                            order.is_lt()
                        };
                        best = if ahead { at } else { best };
                    }
                    let (ax, _) = gone.first()?;
                    Some(Number::int(self.first(*ax) + best as i64))
                }
                AxisReduceOp::Max
                | AxisReduceOp::Min
                | AxisReduceOp::ArgMax
                | AxisReduceOp::ArgMin => Some(Number::of(300 + op as u64, &all, f64::NAN)),
            }
        })
    }

    fn cast(
        &mut self,
        of: ValueId,
        to: Ty,
        rounds: bool,
        axes: Vec<(AxId, usize)>,
    ) -> Option<Numbers> {
        let (from, is_free, is_ordered) = (self.value(of)?, self.is_free(of), self.is_ordered(of));
        let world = self.world;
        let conversion = Conversion::of(world.ty(of), to, world.binding);
        Numbers::new(axes, |place| {
            let n = from.at(place)?;
            // The float of a hash is monotonic in the operand, as these conversions are.
            let hashed = |function: u64| Number::of(function, &[n], n.real());
            Some(match conversion {
                Conversion::Same if !rounds || world.ty(of) == Ty::Mask => n,
                Conversion::Same | Conversion::Short if rounds && is_ordered => {
                    rounded(n, RoundMode::Floor)
                }
                Conversion::Same => hashed(94),
                Conversion::Short if is_ordered => n,
                Conversion::Short => hashed(95),
                Conversion::Truth if is_free => Number::bit_of(96, &[n], world.odds(96, false)),
                Conversion::Truth if is_ordered => Number::bit(n.is_set()),
                Conversion::Truth => Number::bit_of(96, &[n], world.odds(96, true)),
                Conversion::Ends { to, below, above } if is_ordered => {
                    let n = if below {
                        n.extreme(world.end(to, false), true)
                    } else {
                        n
                    };
                    if above {
                        n.extreme(world.end(to, true), false)
                    } else {
                        n
                    }
                }
                Conversion::Ends { to, .. } => hashed(120 + to as u64),
                Conversion::Whole(to) if is_ordered => {
                    let n = rounded(
                        n,
                        if rounds {
                            RoundMode::Floor
                        } else {
                            RoundMode::Rint
                        },
                    );
                    n.extreme(world.end(to, false), true)
                        .extreme(world.end(to, true), false)
                }
                Conversion::Whole(_) => hashed(92),
            })
        })
    }
}

fn rounded(n: Number, mode: RoundMode) -> Number {
    let v = n.real();
    if !v.is_finite() {
        return n;
    }
    let whole = match mode {
        RoundMode::Floor => v.floor(),
        RoundMode::Ceil => v.ceil(),
        RoundMode::Trunc => v.trunc(),
        RoundMode::Round => v.round(),
        RoundMode::None | RoundMode::Rint | RoundMode::Odd => v.round_ties_even(),
    };
    Number::int(whole as i64)
}

/// Returns the float of a function without a law, for messages. NaN means that they do not show it.
fn shown(op: Op, args: &[Number]) -> f64 {
    match (op, args) {
        (Op::Unary(UnaryOp::Sqrt), [a]) => a.real().sqrt(),
        (Op::Unary(UnaryOp::Ln), [a]) => a.real().ln(),
        (Op::Unary(UnaryOp::Rsqrt), [a]) => a.real().sqrt().recip(),
        _ => f64::NAN,
    }
}

/// Applies an op to one element of each operand; `ordered` is true if they may be compared.
///
/// A comparison of free values is an arbitrary predicate, since drawn numbers may all lie on one
/// side. Another function of free values without a law is an arbitrary number among the elements.
/// It differs for each result type, and none of these is that of a mask: the bits of a value mean
/// other numbers in other types.
fn applied(
    op: Op,
    dtype: Option<DType>,
    args: &[Number],
    ordered: bool,
    all_free: bool,
    world: &World<'_, '_>,
) -> Option<Number> {
    let predicate = |own: CompareOp| {
        let function = 500 + own as u64;
        Number::bit_of(function, args, world.odds(function, !all_free))
    };
    Some(match (op, args) {
        (Op::Compare(own), [_, _]) if all_free => predicate(own),
        (Op::Binary(BinaryOp::Add), [a, b]) => a.plus(*b),
        (Op::Binary(BinaryOp::Sub), [a, b]) => a.minus(*b),
        (Op::Binary(BinaryOp::Mul), [a, b]) => a.times(*b),
        (Op::Binary(BinaryOp::Div), [a, b]) => a.over(*b),
        (Op::Binary(BinaryOp::Max), [a, b]) if ordered => a.extreme(*b, true),
        (Op::Binary(BinaryOp::Min), [a, b]) if ordered => a.extreme(*b, false),
        (Op::Unary(UnaryOp::Neg), [a]) => a.negated(),
        (Op::Unary(UnaryOp::Exp), [a]) => a.exp(1),
        (Op::Unary(UnaryOp::Reciprocal), [a]) => Number::int(1).over(*a),
        (Op::Unary(UnaryOp::Abs), [a]) if ordered => {
            if a.real() < 0.0 {
                a.negated()
            } else {
                *a
            }
        }
        (Op::Unary(UnaryOp::Relu), [a]) if ordered => a.extreme(Number::int(0), true),
        (Op::Compare(own), [a, b]) if ordered => Number::bit(match own {
            CompareOp::Gt => a.order(*b)?.is_gt(),
            CompareOp::Ge => a.order(*b)?.is_ge(),
            CompareOp::Lt => a.order(*b)?.is_lt(),
            CompareOp::Le => a.order(*b)?.is_le(),
            CompareOp::Eq => a.is_same(*b),
            CompareOp::Ne => !a.is_same(*b),
        }),
        (Op::Compare(own), [_, _]) => predicate(own),
        (Op::Mask(MaskOp::And), [a, b]) => Number::bit(a.is_set() && b.is_set()),
        (Op::Mask(MaskOp::Or), [a, b]) => Number::bit(a.is_set() || b.is_set()),
        (Op::Mask(MaskOp::Not), [a]) => Number::bit(!a.is_set()),
        (Op::Layout(LayoutOp::Select), [m, a, b]) => {
            if m.is_set() {
                *a
            } else {
                *b
            }
        }
        (op, _) => {
            let (is_whole, ty) = (
                dtype.is_some_and(|of| !of.is_float()),
                dtype.map_or(0, |of| 1 + of as u64),
            );
            let function = hash(
                &op.name()
                    .bytes()
                    .map(u64::from)
                    .chain([ty])
                    .collect::<Vec<_>>(),
            );
            match all_free {
                // An arbitrary function, whose values lie among the elements.
                true => world.drawn(
                    &[
                        &[16, function],
                        &args.iter().map(|n| n.word()).collect::<Vec<_>>()[..],
                    ]
                    .concat(),
                    is_whole,
                ),
                false => Number::of(function, args, shown(op, args)),
            }
        }
    })
}
