//! J0214: no result depends on the cut.
//!
//! The cut is how long the runs of tile loops are, how many there are, and which core has which.
//! The rule names what is allowed and refuses the rest.
//!
//! Each loop is judged along each of its cuts: the runs of each axis, and the cores of a divided
//! loop. Along a cut every value has a class (`class`): free, part of a named monoid, running, or
//! cut.
//!
//! - A value that leaves an iteration must be free, or part of a sum where iterations are added up.
//! - A value that a loop carries must be merged by one op, with parts of that op.
//! - Any other recurrence must obey the step law (`law`), `turn(turn(s, R), R') = turn(s, R ∪ R')`,
//!   in exact numbers.
//!
//! Cuts do not mix: along one of them, all others are fixed. A value that a loop leaves without
//! such a merge and without the law is cut for good, unless its author promises otherwise with
//! `.any_cut()`. The tile interpreter checks that promise (J0814).
//!
//! The rule relies on other checks: no two iterations store to one element (J0505, J0214 of
//! `turns`), and none loads what another stores (J0411). Along the run of a loop nothing is chosen
//! or ordered. Start reading at [`check_cut`].

mod cause;
mod class;
mod law;
mod number;
mod reasons;
mod scalars;
mod sums;

use crate::check::prove::forms::Forms;
use crate::diag::{Code, Diagnostic};
use crate::dtype::{DType, RoundMode};
use crate::ir::linear::Definitions;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, Access, AxFrom, AxId, AxSpec, Axes, Chosen, Index, Kernel, LoopId, Operand, Scalar,
    SpanId, StmtKind, StoreHow, TensorRef, Term, TileExpr, TileLoop, TileStmt, ValueId, VarId,
};
use crate::ops::{AxisReduceOp, BinaryOp, LayoutOp, MaskOp, Op, UnaryOp};
use cause::Cause;
use class::{
    chosen, converted, cut, inverted, negated, only_free, rising, step, Carried, Class, Kind,
    Monoid, Step,
};
use law::{Broken, Context, Turn};
use reasons::rounding;
use scalars::sign;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use sums::sum;

/// Checks every tile loop of a kernel as written.
pub fn check_cut(kernel: &Kernel, body: &Body, found: &mut Vec<Diagnostic>) {
    let mut rule = Rule::of(kernel, body);
    rule.outside(&body.stmts);
    for tile in body.outer_loops() {
        rule.loops_inside(&tile.body);
        rule.tile_loop(tile, true);
    }
    found.append(&mut rule.found);
}

/// The cut along which a loop is judged.
#[derive(Clone, Copy)]
enum Key<'a> {
    /// The runs of an axis.
    Run(&'a AxSpec),
    /// The assignment of iterations of a divided loop to cores.
    Cores,
}

impl Key<'_> {
    fn ax(self) -> Option<AxId> {
        match self {
            Key::Run(spec) => Some(spec.ax),
            Key::Cores => None,
        }
    }
}

/// The rule for a kernel, with the facts that it needs.
struct Rule<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    /// Definitions of scalars that never change.
    definitions: Definitions,
    /// Cross-core accumulators, with their ops.
    across: BTreeMap<ValueId, AxisReduceOp>,
    /// Values that a loop leaves and that depend on its cut.
    lost: BTreeMap<(LoopId, Carried), Rc<Cause>>,
    /// Definitions of values that never change.
    exprs: BTreeMap<ValueId, &'a TileExpr>,
    /// Places of the reductions.
    reductions: BTreeSet<SpanId>,
    /// Operands of `exp2` by their results. The ops that compute it round, so the rule must not
    /// judge those one by one.
    powers: BTreeMap<ValueId, ValueId>,
    told: BTreeSet<SpanId>,
    found: Vec<Diagnostic>,
}

impl<'a> Rule<'a> {
    fn of(kernel: &'a Kernel, body: &'a Body) -> Rule<'a> {
        let changing = changing(&body.stmts);
        let (mut across, mut exprs, mut reductions) =
            (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        body.walk(&mut |s| {
            let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
                return;
            };
            match expr {
                TileExpr::Across { op, .. } => _ = across.insert(*value, *op),
                TileExpr::Reduce { .. } => _ = reductions.insert(s.span),
                _ => {}
            }
            if !changing.contains(&Carried::Tile(*value)) {
                exprs.insert(*value, expr);
            }
        });
        let mut definitions = Definitions::default();
        let changes = |s: &Scalar| {
            let mut found = false;
            s.walk(&mut |leaf| {
                found |=
                    matches!(leaf, Scalar::Var(var) if changing.contains(&Carried::Scalar(*var)))
            });
            found
        };
        body.walk(&mut |s| {
            if let StmtKind::LetScalar { var, value } = &s.kind {
                if !changes(&Scalar::Var(*var)) && !changes(&definitions.write_out(value)) {
                    definitions.define(*var, value);
                }
            }
        });
        Rule {
            kernel,
            body,
            definitions,
            across,
            lost: BTreeMap::new(),
            reductions,
            exprs,
            powers: powers(kernel),
            told: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    /// Reports J0214 outside of loops for a statement that asks for the core or the number of
    /// cores, since each core gets another number. A `let` of it is judged where it is used.
    fn outside(&mut self, stmts: &'a [Stmt]) {
        for s in stmts {
            match &s.kind {
                StmtKind::LetScalar { var, .. } if self.definitions.get(*var).is_some() => continue,
                StmtKind::Promise { .. } | StmtKind::Do(TileStmt::Dump { .. }) => continue,
                StmtKind::For { .. } | StmtKind::If { .. } => s
                    .children()
                    .into_iter()
                    .flatten()
                    .for_each(|inner| self.outside(inner)),
                // A tile loop asks by its own scalars only.
                StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Do(_) => {}
            }
            let mut asked = None;
            s.scalars(&mut |scalar| {
                self.definitions
                    .write_out(scalar)
                    .walk(&mut |leaf| asked = asked.or(reasons::of_core(leaf)));
            });
            if let Some((name, what)) = asked.filter(|_| self.told.insert(s.span)) {
                let text = format!(
                    "`{name}` says {what}: the result depends on the cores that a launch has"
                );
                self.found
                    .push(Diagnostic::new(Code::J0214, s.span, text).help(reasons::OF_CORE_HELP));
            }
        }
    }

    /// Judges nested loops, the innermost first: outer loops know what an inner one loses.
    fn loops_inside(&mut self, stmts: &'a [Stmt]) {
        for s in stmts {
            s.children()
                .into_iter()
                .flatten()
                .for_each(|inner| self.loops_inside(inner));
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                self.tile_loop(tile, false);
            }
        }
    }

    fn tile_loop(&mut self, tile: &'a TileLoop, is_divided: bool) {
        let before = self.found.len();
        for spec in tile.specs.iter().filter(|spec| !spec.size.is_each()) {
            self.along(tile, Key::Run(spec), is_divided);
        }
        // A result that depends on the runs depends on the cores, too; one error is enough.
        if is_divided && self.found.len() == before {
            self.along(tile, Key::Cores, true);
        }
    }

    /// Judges a loop along one cut.
    fn along(&mut self, tile: &'a TileLoop, key: Key<'a>, is_divided: bool) {
        let carried = assigned(&tile.body);
        let mut walk = CutRule {
            rule: self,
            key,
            is_divided,
            classes: BTreeMap::new(),
            met: BTreeMap::new(),
            relative: BTreeMap::new(),
            is_element: matches!(key, Key::Cores),
            barred: None,
            stored: stored_without(&tile.body, key.ax().filter(|_| !is_divided)),
            is_quiet: false,
        };
        for (of, _) in &carried {
            walk.set(*of, Class::Running(*of, None));
        }
        walk.list(&tile.body);
        let (mut failed, mut ends) = (Vec::new(), BTreeMap::new());
        for (of, at) in &carried {
            let class = walk.get(*of);
            match &class {
                Class::Free(_) => {}
                Class::Running(own, _) if own == of => {}
                Class::Running(..) | Class::Part(..) => {
                    failed.push((*of, walk.last_part_only(*of, *at)))
                }
                Class::Cut(cause) => failed.push((*of, cause.clone())),
            }
            ends.insert(*of, class);
        }
        let met = walk.met;
        let Key::Run(spec) = key else { return };
        // Behind a divided loop, only cross-core accumulators are read.
        if failed.is_empty() || is_divided || tile.any_cut {
            return;
        }
        let context = Context {
            kernel: self.kernel,
            body: self.body,
            definitions: &self.definitions,
            powers: &self.powers,
        };
        let turn = Turn::new(context, tile, spec, ends, met);
        let Some(broken) = turn.breaks() else { return };
        for (of, cause) in failed {
            let cause = match broken {
                Broken::Differs { of: differs, one, two }
                    if differs == of && one != two && one.is_finite() && two.is_finite() =>
                {
                    cause.with_note(format!(
                        "of the same elements it comes to {one} in one iteration of `{}`, in several to {two}",
                        self.name(spec.ax)
                    ))
                }
                Broken::Differs { .. } => cause,
                Broken::Unknown => cause.unknown(),
                Broken::Flags { found, most } => cause.of_flags(found, most),
            };
            self.lost.insert((tile.id, of), cause);
        }
    }

    fn name(&self, ax: AxId) -> &'a str {
        &self.body.axes[ax.index()].name
    }

    fn carried_name(&self, of: Carried) -> &'a str {
        match of {
            Carried::Tile(value) => &self.body.values[value.index()].name,
            Carried::Scalar(var) => &self.body.var(var).name,
        }
    }

    /// True if every element is an integer, whatever the tensors hold.
    fn is_integral(&self, value: ValueId, binding: &[DType]) -> bool {
        if !matches!(
            Kind::of(self.body.values[value.index()].dtype, binding),
            Kind::Float(_)
        ) {
            return true;
        }
        match self.exprs.get(&value) {
            Some(TileExpr::Round { .. }) => true,
            Some(
                TileExpr::Cast { value, .. }
                | TileExpr::Truncate { value }
                | TileExpr::Copy { value },
            ) => self.is_integral(*value, binding),
            Some(TileExpr::Reduce { op, value, .. }) => {
                op.step().is_some() && self.is_integral(*value, binding)
            }
            Some(TileExpr::Op { op, args }) => {
                let keeps = matches!(
                    op,
                    Op::Binary(
                        BinaryOp::Add
                            | BinaryOp::Sub
                            | BinaryOp::Mul
                            | BinaryOp::Max
                            | BinaryOp::Min
                    ) | Op::Unary(UnaryOp::Neg)
                        | Op::Layout(LayoutOp::Select)
                );
                keeps
                    && args.iter().all(|a| match a {
                        Operand::Value { value } => self.is_integral(*value, binding),
                        Operand::Scalar {
                            value: Scalar::Float(n),
                        } => n.fract() == 0.0,
                        Operand::Scalar { .. } => false,
                    })
            }
            Some(_) | None => false,
        }
    }
}

/// Returns the operand of each call of `exp2`, by its result.
fn powers(kernel: &Kernel) -> BTreeMap<ValueId, ValueId> {
    let calls = kernel.calls.iter().filter(|call| call.method == "exp2");
    calls
        .flat_map(|call| call.results.iter().map(|result| (*result, call.receiver)))
        .collect()
}

/// Returns all that the statements assign.
fn changing(stmts: &[Stmt]) -> BTreeSet<Carried> {
    let mut found = BTreeSet::new();
    walk_stmts(stmts, &mut |s| found.extend(Carried::set_by(s)));
    found
}

/// Returns the values from outside that statements assign, with the place of the first assignment.
fn assigned(stmts: &[Stmt]) -> Vec<(Carried, SpanId)> {
    let (mut own, mut sets) = (BTreeSet::new(), Vec::new());
    walk_stmts(stmts, &mut |s| match Carried::set_by(s) {
        Some(of) => sets.push((of, s.span)),
        None => own.extend(Carried::given_by(s)),
    });
    let mut met = BTreeSet::new();
    sets.retain(|(of, _)| !own.contains(of) && met.insert(*of));
    sets
}

/// Returns the tensors to which an inner loop stores at places that its run does not move. For a
/// divided loop, J0411 makes sure that no iteration loads them.
fn stored_without(stmts: &[Stmt], ax: Option<AxId>) -> BTreeSet<TensorRef> {
    let mut found = BTreeSet::new();
    let Some(ax) = ax else { return found };
    walk_stmts(stmts, &mut |s| {
        let Some(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) = s.own() else {
            return;
        };
        found.extend((!to.axes().contains(ax)).then_some(to.of));
    });
    found
}

/// The walk of the rule along one cut.
struct CutRule<'w, 'a> {
    rule: &'w mut Rule<'a>,
    key: Key<'a>,
    /// True for a loop that cores divide.
    is_divided: bool,
    /// Classes of the values so far. Values from outside of the loop are free.
    classes: BTreeMap<Carried, Class>,
    /// All classes that each value has had.
    met: BTreeMap<Carried, Vec<Class>>,
    /// Indices within a run, by the variable that names them.
    relative: BTreeMap<VarId, Scalar>,
    /// True if each iteration is one element of the run, or one iteration of a divided loop. Then a
    /// free value counts once for it.
    is_element: bool,
    /// The reason why the cut decides if these statements run.
    barred: Option<Rc<Cause>>,
    stored: BTreeSet<TensorRef>,
    /// True while nothing is reported.
    is_quiet: bool,
}

/// A place where a value must not depend on the cut.
#[derive(Clone, Copy)]
enum End {
    Stored,
    Added,
    Packed,
    Place,
    Merged,
}

impl End {
    const fn label(self) -> &'static str {
        match self {
            End::Stored => "it is stored here",
            End::Added => "it is added here",
            End::Packed => "it is packed here",
            End::Place => "it is an index here",
            End::Merged => "it is merged here",
        }
    }
}

impl<'a> CutRule<'_, 'a> {
    fn get(&self, of: Carried) -> Class {
        self.classes.get(&of).cloned().unwrap_or(Class::FREE)
    }

    fn set(&mut self, of: Carried, class: Class) {
        let met = self.met.entry(of).or_default();
        if !met.iter().any(|own| own.is_same(&class)) {
            met.push(class.clone());
        }
        self.classes.insert(of, class);
    }

    fn list(&mut self, stmts: &'a [Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                let class = self.defined(*value, expr, s.span);
                self.set(Carried::Tile(*value), class);
            }
            StmtKind::Do(TileStmt::Set { value, from }) => {
                let class = self.get(Carried::Tile(*from));
                self.merged(*value, &class, s.span);
                self.set(Carried::Tile(*value), class);
            }
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let class = self.scalar(value, s.span);
                self.set(Carried::Scalar(*var), class);
            }
            StmtKind::Do(TileStmt::Read { var, value }) => {
                let class = self.get(Carried::Tile(*value));
                self.set(Carried::Scalar(*var), class);
            }
            StmtKind::Do(TileStmt::Store { to, value, how }) => {
                self.store(to, *value, *how, s.span)
            }
            StmtKind::Do(TileStmt::Append {
                to,
                value,
                mask,
                counts: _,
            }) => {
                self.place(to, s.span);
                for v in [*value, *mask] {
                    let class = self.get(Carried::Tile(v));
                    self.must_be_free(&class, End::Packed, s.span);
                }
                self.must_not_be_barred(End::Packed, s.span);
                self.must_not_be_repeated(End::Packed, s.span);
            }
            StmtKind::If { cond, then, other } => {
                let class = self.scalar(cond, s.span);
                self.branches(&class, then, other, s.span);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let ends = [from, to].map(|end| self.scalar(end, s.span));
                match self.run_of(from, to) {
                    Some(first) => self.elements(body, &[(*var, first)], s.span),
                    None => self.repeated(&ends, body, s.span),
                }
            }
            StmtKind::Do(TileStmt::Loop { tile }) => self.inner_loop(tile, s.span),
            // Neither a dump nor a promise changes a result.
            StmtKind::Promise { .. } | StmtKind::Do(TileStmt::Dump { .. }) => {}
        }
    }

    // ---- control ----

    fn branches(&mut self, cond: &Class, then: &'a [Stmt], other: &'a [Stmt], at: SpanId) {
        if !cond.is_free() {
            let cause = self.on_the_cut(cond, at, false);
            self.by_the_cut(&[then, other], &cause);
            return;
        }
        let before = self.classes.clone();
        self.list(then);
        let after = std::mem::replace(&mut self.classes, before);
        self.list(other);
        self.join(after, at);
    }

    /// Joins the classes of two ways whose choice does not depend on the cut. Returns true if that
    /// changed a class of `before`.
    fn join(&mut self, before: BTreeMap<Carried, Class>, at: SpanId) -> bool {
        let mut changed = false;
        let because = |_: &[Class]| {
            let why = "one way leaves a part of the run here, the other what is none";
            Cause::new(at, why, "merge in both ways by the same op")
        };
        for (of, class) in before {
            let own = self.classes.entry(of).or_insert(Class::FREE);
            let joined = own.join(&class, &because);
            changed |= !joined.is_same(&class);
            *own = joined;
        }
        changed
    }

    /// Judges statements whose execution or repetition depends on the cut.
    fn by_the_cut(&mut self, lists: &[&'a [Stmt]], cause: &Rc<Cause>) {
        let before = self.barred.clone();
        self.barred = before.clone().or_else(|| Some(cause.clone()));
        for list in lists {
            for (of, _) in assigned(list) {
                self.set(of, Class::Cut(cause.clone()));
            }
        }
        for list in lists {
            self.list(list);
            for (of, _) in assigned(list) {
                self.set(of, Class::Cut(cause.clone()));
            }
        }
        self.barred = before;
    }

    /// Judges a loop whose ends have these classes.
    fn repeated(&mut self, ends: &[Class], body: &'a [Stmt], at: SpanId) {
        if let Some(end) = ends.iter().find(|end| !end.is_free()) {
            let cause = self.on_the_cut(end, at, true);
            self.by_the_cut(&[body], &cause);
            return;
        }
        let was_quiet = std::mem::replace(&mut self.is_quiet, true);
        // A class changes a few times at most, so this ends.
        loop {
            let before = self.classes.clone();
            self.list(body);
            if !self.join(before, at) {
                break;
            }
        }
        self.is_quiet = was_quiet;
        let before = self.classes.clone();
        self.list(body);
        self.join(before, at);
    }

    /// Judges a loop through the elements of the run. Each of `vars` stands for one element, or for
    /// a run of them.
    fn elements(&mut self, body: &'a [Stmt], vars: &[(VarId, Scalar)], at: SpanId) {
        if self.is_element && matches!(self.key, Key::Run(_)) {
            // The elements of the run are nested in themselves.
            let cause = self.once_an_element(at);
            self.by_the_cut(&[body], &cause);
            return;
        }
        let carried = assigned(body);
        let before: Vec<(Carried, Class)> =
            carried.iter().map(|(of, _)| (*of, self.get(*of))).collect();
        for (of, class) in &before {
            if !matches!(class, Class::Running(..)) {
                self.set(*of, Class::Running(*of, None));
            }
        }
        let was_element = std::mem::replace(&mut self.is_element, true);
        let (relative, stored) = (self.relative.clone(), self.stored.clone());
        self.relative.extend(vars.iter().cloned());
        // A store to the whole run repeats for each element, so the tensor counts as changed.
        walk_stmts(body, &mut |s| {
            let Some(TileStmt::Store { to, .. }) = s.own() else {
                return;
            };
            let is_of_run = self.key.ax().is_some_and(|ax| self.has(&to.axes(), ax));
            self.stored.extend(is_of_run.then_some(to.of));
        });
        self.list(body);
        (self.relative, self.stored) = (relative, stored);
        self.is_element = was_element;
        for ((of, class), (_, at)) in before.into_iter().zip(&carried) {
            let now = self.get(of);
            let left = match (&now, &class) {
                (Class::Running(..), Class::Running(..)) => now.clone(),
                (Class::Running(own, None), _) if *own == of => class.clone(),
                (Class::Running(own, Some(m)), _) if *own == of && class.counts_as(*m, false) => {
                    Class::Part(*m, *at)
                }
                (Class::Cut(cause), _) => Class::Cut(cause.clone()),
                (Class::Free(_) | Class::Running(..) | Class::Part(..), _) => {
                    Class::Cut(self.last_part_only(of, *at))
                }
            };
            self.set(of, left);
        }
    }

    /// Returns the index along the whole axis that the variable of a loop stands for, if the loop
    /// goes through the elements of the run.
    fn run_of(&self, from: &Scalar, to: &Scalar) -> Option<Scalar> {
        let Key::Run(spec) = self.key else {
            return None;
        };
        let (start, len) = (Scalar::Var(spec.start), Scalar::Var(spec.len));
        let mut forms = Forms::default();
        let mut same = |a: &Scalar, b: Scalar| {
            Some(sum(&mut forms, &self.written(a))? == sum(&mut forms, &b)?)
        };
        // This atom stands for the index of an element along the whole axis.
        let element = Scalar::Axis(crate::ir::AxisId(u32::MAX));
        if same(from, start.clone())? && same(to, start.clone() + len.clone())? {
            return Some(element);
        }
        (same(from, Scalar::Int(0))? && same(to, len)?).then(|| element - start)
    }

    fn inner_loop(&mut self, tile: &'a TileLoop, at: SpanId) {
        let carried = assigned(&tile.body);
        let mut elements = Vec::new();
        let mut ends = Vec::new();
        for spec in &tile.specs {
            self.classes.remove(&Carried::Scalar(spec.start));
            self.classes.remove(&Carried::Scalar(spec.len));
            let Some(length) = &spec.length else { continue };
            match self.run_of(&Scalar::Int(0), length) {
                Some(first) => elements.push((spec.start, first)),
                None => ends.push(self.scalar(length, at)),
            }
        }
        match (elements.is_empty(), ends.iter().all(Class::is_free)) {
            (false, true) => self.elements(&tile.body, &elements, at),
            (true, _) | (false, false) => self.repeated(&ends, &tile.body, at),
        }
        for (of, _) in carried {
            // A value that is being merged stays so.
            let is_running = matches!(self.get(of), Class::Running(..));
            if tile.any_cut && !is_running {
                self.set(of, Class::FREE);
            } else if let Some(cause) = self.rule.lost.get(&(tile.id, of)) {
                let class = Class::Cut(cause.clone());
                self.set(of, class);
            }
        }
    }

    // ---- ends ----

    /// Judges a store: its place and its value.
    fn store(&mut self, to: &'a Access, value: ValueId, how: StoreHow, at: SpanId) {
        self.place(to, at);
        let class = self.get(Carried::Tile(value));
        match how {
            StoreHow::Plain | StoreHow::Any | StoreHow::Disjoint | StoreHow::Inside => {
                self.must_not_be_barred(End::Stored, at);
                self.must_be_free(&class, End::Stored, at);
            }
            StoreHow::Add => {
                self.must_not_be_barred(End::Added, at);
                let is_of_run = self.key.ax().is_some_and(|ax| self.has(&to.axes(), ax));
                if is_of_run {
                    self.must_be_free(&class, End::Added, at);
                    self.must_not_be_repeated(End::Added, at);
                } else if !class.counts_as(Monoid::Sum, self.is_element) {
                    let cause = self.no_part(&class, at);
                    self.report(&cause, End::Added, at);
                }
            }
        }
    }

    /// True if the axis is among `axes`, or one of them is a window of its run.
    fn has(&self, axes: &Axes, ax: AxId) -> bool {
        axes.iter().any(|own| own == ax || self.is_hull(own, ax))
    }

    fn is_hull(&self, own: AxId, ax: AxId) -> bool {
        matches!(self.rule.body.axes[own.index()].from, AxFrom::Hull { of, .. } if of == ax)
    }

    /// Judges each index of a store.
    fn place(&mut self, to: &'a Access, at: SpanId) {
        for index in &to.index {
            let class = self.index(index, at);
            self.must_be_free(&class, End::Place, at);
        }
    }

    fn must_be_free(&mut self, class: &Class, end: End, at: SpanId) {
        if !class.is_free() {
            let cause = self.unmerged(class, at);
            self.report(&cause, end, at);
        }
    }

    fn must_not_be_barred(&mut self, end: End, at: SpanId) {
        if let Some(cause) = self.barred.clone() {
            self.report(&cause, end, at);
        }
    }

    /// Reports a whole run that is added or packed once for each of its elements.
    fn must_not_be_repeated(&mut self, end: End, at: SpanId) {
        if self.is_element && matches!(self.key, Key::Run(_)) {
            let cause = self.once_an_element(at);
            self.report(&cause, end, at);
        }
    }

    /// Reports an assignment to a cross-core accumulator that is no merge.
    fn merged(&mut self, value: ValueId, class: &Class, at: SpanId) {
        let Some(op) = self.rule.across.get(&value).copied() else {
            return;
        };
        self.must_not_be_barred(End::Merged, at);
        match class {
            Class::Running(Carried::Tile(own), merged)
                if *own == value && merged.is_none_or(|m| Monoid::of_reduction(op) == Some(m)) => {}
            Class::Cut(cause) => self.report(&cause.clone(), End::Merged, at),
            Class::Free(_) | Class::Part(..) | Class::Running(..) => {
                let cause = self.last_part_only(Carried::Tile(value), at);
                self.report(&cause, End::Merged, at);
            }
        }
    }

    // ---- values ----

    fn axes(&self, value: ValueId) -> &'a Axes {
        &self.rule.body.values[value.index()].axes
    }

    /// True for a value with an element for each element of the run.
    fn is_along(&self, value: ValueId) -> bool {
        self.key
            .ax()
            .is_some_and(|ax| self.has(self.axes(value), ax))
    }

    fn value(&self, value: ValueId) -> Class {
        self.get(Carried::Tile(value))
    }

    fn operand(&self, a: &Operand, at: SpanId) -> (Class, Option<i8>) {
        match a {
            Operand::Value { value } => {
                let class = self.value(*value);
                let sign = match class {
                    Class::Free(Some(n)) if n > 0.0 => Some(1),
                    Class::Free(Some(n)) if n < 0.0 => Some(-1),
                    _ => None,
                };
                (class, sign)
            }
            Operand::Scalar { value } => (self.scalar(value, at), sign(value)),
        }
    }

    fn defined(&self, value: ValueId, expr: &'a TileExpr, at: SpanId) -> Class {
        let class = match self.rule.powers.get(&value) {
            Some(of) => rising(&self.value(*of), &|args: &[Class]| {
                self.by_op(at, "exp2", None, args)
            }),
            None => self.computed(value, expr, at),
        };
        match (self.is_along(value), &class) {
            // A number for each element is no part of a whole.
            (true, Class::Free(_)) => Class::FREE,
            (true, Class::Part(..) | Class::Running(..)) => Class::Cut(self.unmerged(&class, at)),
            (true, Class::Cut(_)) | (false, _) => class,
        }
    }

    fn computed(&self, value: ValueId, expr: &'a TileExpr, at: SpanId) -> Class {
        let plain = |args: &[Class]| self.by_op(at, "this", None, args);
        match expr {
            TileExpr::Load { from } => self.loaded(from, at),
            TileExpr::LoadOr { from, outside } => match self.loaded(from, at) {
                Class::Free(_) => only_free(&[self.scalar(outside, at)], &plain),
                other => other,
            },
            TileExpr::Fill { value } => self.scalar(value, at),
            TileExpr::Iota { first } => {
                let axes = self.axes(value);
                let along = Index {
                    terms: axes
                        .iter()
                        .map(|ax| Term {
                            ax,
                            factor: Scalar::Int(1),
                        })
                        .collect(),
                    offset: first.clone(),
                    ids: None,
                };
                self.index(&along, at)
            }
            // These are defined outside of the loop that merges or appends.
            TileExpr::Across { .. } | TileExpr::Appended { .. } => Class::FREE,
            TileExpr::Reduce {
                op,
                value: of,
                over,
                onto: _,
            } => self.reduced(*op, *of, over, at),
            TileExpr::Op { op, args } => self.op(value, *op, args, at),
            TileExpr::Cast { value: of, mode } => {
                let rounds = !matches!(mode, None | Some(RoundMode::None | RoundMode::Rint));
                self.cast(*of, value, rounds, at)
            }
            TileExpr::Truncate { value: of } => self.cast(*of, value, true, at),
            TileExpr::Round { value: of, mode } => {
                let because = |args: &[Class]| self.by_op(at, rounding(*mode), None, args);
                rising(&self.value(*of), &because)
            }
            TileExpr::Copy { value: of } => self.value(*of),
            TileExpr::Pick {
                value: of,
                along: _,
                at: chosen,
            } => {
                let place = match chosen {
                    Chosen::Tile { value } => self.value(*value),
                    Chosen::Index { index } => self.index(index, at),
                };
                match place.is_free() {
                    true => self.value(*of),
                    false => cut(&[place], &plain),
                }
            }
            TileExpr::Top { value: of, .. } => only_free(&[self.value(*of)], &plain),
            TileExpr::Scan {
                op,
                value: of,
                along,
            } => {
                let class = self.value(*of);
                let is_run = self
                    .key
                    .ax()
                    .is_some_and(|ax| self.has(&Axes::from([*along]), ax));
                match (&class, Monoid::of_reduction(*op)) {
                    (_, _) if is_run => cut(&[class], &|_: &[Class]| {
                        let why = format!("along {} it begins anew in each tile", self.run());
                        Cause::new(at, why, "go along a whole axis: loop over another one, and load all of this, `..`")
                    }),
                    (Class::Free(_), _) => Class::FREE,
                    (Class::Part(m @ Monoid::Sum, at), Some(Monoid::Sum)) => Class::Part(*m, *at),
                    (Class::Part(..) | Class::Running(..) | Class::Cut(_), _) => {
                        cut(&[class], &plain)
                    }
                }
            }
        }
    }

    fn loaded(&self, from: &'a Access, at: SpanId) -> Class {
        let places: Vec<Class> = from
            .index
            .iter()
            .map(|index| self.index(index, at))
            .collect();
        let otherwise = from.otherwise.iter().map(|s| self.scalar(s, at));
        let all: Vec<Class> = places.into_iter().chain(otherwise).collect();
        if let Some(wrong) = all.iter().find(|class| !class.is_free()) {
            return wrong.clone();
        }
        if self.stored.contains(&from.of) {
            let name = self.rule.body.gm_name(&self.rule.kernel.sig, from.of);
            let why = format!("`{name}` is read where iterations of this loop write to it");
            return Class::Cut(Cause::new(at, why, "read it behind the loop"));
        }
        Class::FREE
    }

    fn reduced(&self, op: AxisReduceOp, of: ValueId, over: &Axes, at: SpanId) -> Class {
        let class = self.value(of);
        let because = |args: &[Class]| self.by_op(at, Op::AxisReduce(op).name(), None, args);
        let Some(ax) = self.key.ax().filter(|ax| self.has(over, *ax)) else {
            return match (&class, Monoid::of_reduction(op)) {
                (Class::Free(_), _) => Class::FREE,
                (Class::Part(own, at), Some(m)) if *own == m => Class::Part(m, *at),
                (Class::Part(Monoid::Sum, at), None) if op == AxisReduceOp::Mean => {
                    Class::Part(Monoid::Sum, *at)
                }
                (Class::Part(..) | Class::Running(..) | Class::Cut(_), _) => {
                    cut(&[class], &because)
                }
            };
        };
        let windows = over.iter().any(|own| self.is_hull(own, ax));
        match (&class, Monoid::of_reduction(op)) {
            (Class::Free(_), Some(m)) if !windows || m.is_idempotent() => Class::Part(m, at),
            (Class::Free(_), _) => Class::Cut(self.of_one_tile(op, ax, at)),
            (Class::Part(..) | Class::Running(..) | Class::Cut(_), _) => cut(&[class], &because),
        }
    }

    fn cast(&self, of: ValueId, to: ValueId, rounds: bool, at: SpanId) -> Class {
        let class = self.value(of);
        let because = |args: &[Class]| self.by_op(at, "cast", None, args);
        let types = [of, to].map(|v| self.rule.body.values[v.index()].dtype);
        let each = self.rule.kernel.sig.instances.iter().map(|binding| {
            let [from, to] = types.map(|ty| Kind::of(ty, binding));
            // Floats that hold integers convert like integers.
            let from = match (from, to) {
                (Kind::Float(_), Kind::Whole(_)) if self.rule.is_integral(of, binding) => {
                    Kind::Integral
                }
                (from, _) => from,
            };
            converted(&class, from, to, rounds && from != to, &because)
        });
        each.reduce(|all, class| all.join(&class, &because))
            .unwrap_or(Class::FREE)
    }

    fn op(&self, value: ValueId, op: Op, args: &'a [Operand], at: SpanId) -> Class {
        let step_of = match op {
            Op::Binary(op) => Some(Step::Binary(op)),
            Op::Mask(op) => Step::of_mask(op),
            _ => None,
        }
        .filter(|_| !self.is_along(value));
        let because = |args: &[Class]| self.by_op(at, op.name(), step_of, args);
        let classes: Vec<(Class, Option<i8>)> = args.iter().map(|a| self.operand(a, at)).collect();
        let only: Vec<Class> = classes.iter().map(|(class, _)| class.clone()).collect();
        if self.is_along(value) || self.key.ax().is_none() && only.iter().all(Class::is_free) {
            return only_free(&only, &because);
        }
        let binary = |op: Step| match &classes[..] {
            [(a, s), (b, t)] => step(op, [a, b], [*s, *t], self.is_element, &because),
            _ => only_free(&only, &because),
        };
        if let Some(op) = step_of {
            return binary(op);
        }
        match (op, &only[..]) {
            (Op::Mask(MaskOp::Not), [a]) => inverted(a, &because),
            (Op::Unary(UnaryOp::Neg), [a]) => negated(a, &because),
            (Op::Unary(UnaryOp::Exp | UnaryOp::Relu), [a]) => rising(a, &because),
            (Op::Layout(LayoutOp::Select), [m, Class::Free(Some(a)), Class::Free(Some(b))]) => {
                chosen(m, *a, *b, &because)
            }
            (Op::Layout(LayoutOp::Select), [m, a, b]) if m.is_free() => a.join(b, &because),
            _ => only_free(&only, &because),
        }
    }
}
