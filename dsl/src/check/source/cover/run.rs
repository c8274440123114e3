//! Executes a tile kernel for one shape, to find the elements of its outputs that stores reach.
//!
//! It runs the statements iteration by iteration, without the contents of tensors. Each iteration
//! of a loop covers one index. A scalar that depends on data is unknown, and statements that depend
//! on it may act in any way. A shape for which the kernel would fault, or that the host refuses, is
//! no launch and shows nothing.

use super::stored;
use crate::check::source::small_shapes::Shape;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    product, walk_stmts, Access, AxFrom, AxId, AxSpec, Chosen, Index, ParamId, Promised, RunSize,
    Scalar, Signature, StmtKind, StoreHow, TensorRef, TileExpr, TileLoop, TileStmt, VarId,
};
use crate::scalar::EvalError;
use crate::soc::Chip;
use crate::tiling::{eval, Env, Value};

/// Most statements and elements that are executed for one shape.
const STEPS: usize = 20_000;

/// The reason why a shape shows nothing.
pub(super) enum Stop {
    /// The shape is not launchable.
    NoLaunch,
    /// The execution takes too many steps.
    Large,
}

type Done<T = ()> = Result<T, Stop>;

/// Elements of an output that no store reaches.
pub(super) struct Gap {
    pub of: ParamId,
    /// Position of the first one among all elements.
    pub first: usize,
    pub count: usize,
    pub all: usize,
}

/// Elements of an output that stores have reached.
struct Reached {
    of: ParamId,
    elements: Vec<bool>,
    /// True once a store went to an unknown place, or an empty loop skipped a repeated store.
    anywhere: bool,
}

pub(super) struct Execution<'a> {
    sig: &'a Signature,
    body: &'a Body,
    env: Env<'a>,
    /// Variable with the length of a run, for each axis that is one.
    lens: Vec<Option<VarId>>,
    outputs: Vec<Reached>,
    steps: usize,
}

/// An index with numbers: `offset + Σ factor * axis`, in a dimension of `size`.
struct Affine {
    size: i64,
    offset: i64,
    /// Factors, by the position of the axis among those of the access.
    terms: Vec<(usize, i64)>,
}

impl<'a> Execution<'a> {
    /// Returns the gaps that a shape shows in the outputs.
    pub fn of(
        sig: &'a Signature,
        body: &'a Body,
        shape: &'a Shape,
        chip: &'a Chip,
        outputs: &[ParamId],
        steps: &mut usize,
    ) -> Done<Vec<Gap>> {
        let mut lens = vec![None; body.axes.len()];
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                tile.specs
                    .iter()
                    .for_each(|spec| lens[spec.ax.index()] = Some(spec.len));
            }
        });
        let env = shape.env(chip);
        let own = (*steps).min(STEPS);
        let mut run = Execution {
            sig,
            body,
            env,
            lens,
            outputs: Vec::new(),
            steps: own,
        };
        let made = run.make(outputs);
        *steps -= own - run.steps;
        made
    }

    fn make(&mut self, outputs: &[ParamId]) -> Done<Vec<Gap>> {
        for of in outputs {
            let len = self
                .number(&self.sig.elements(*of))?
                .ok_or(Stop::NoLaunch)?;
            let len = usize::try_from(len).map_err(|_| Stop::NoLaunch)?;
            self.take(len)?;
            self.outputs.push(Reached {
                of: *of,
                elements: vec![false; len],
                anywhere: false,
            });
        }
        self.list(&self.body.stmts)?;
        let gap = |r: &Reached| {
            let first = r
                .elements
                .iter()
                .position(|reached| !reached)
                .filter(|_| !r.anywhere)?;
            let count = r.elements.iter().filter(|reached| !**reached).count();
            Some(Gap {
                of: r.of,
                first,
                count,
                all: r.elements.len(),
            })
        };
        Ok(self.outputs.iter().filter_map(gap).collect())
    }

    fn take(&mut self, steps: usize) -> Done {
        self.steps = self.steps.checked_sub(steps).ok_or(Stop::Large)?;
        Ok(())
    }

    // ---- scalars ----

    /// Evaluates a scalar; `None` if it is unknown.
    fn value(&self, s: &Scalar) -> Done<Option<Value>> {
        match eval(s, &self.env) {
            Ok(value) => Ok(Some(value)),
            Err(EvalError::Missing(_)) => Ok(None),
            Err(_) => Err(Stop::NoLaunch),
        }
    }

    fn number(&self, s: &Scalar) -> Done<Option<i64>> {
        self.value(s)?
            .map(|value| value.as_int().map_err(|_| Stop::NoLaunch))
            .transpose()
    }

    fn truth(&self, s: &Scalar) -> Done<Option<bool>> {
        self.value(s)?
            .map(|value| value.as_bool().map_err(|_| Stop::NoLaunch))
            .transpose()
    }

    fn set(&mut self, var: VarId, value: Option<Value>) {
        match value {
            Some(value) => self.env.set(var, value),
            None => self
                .env
                .vars
                .get_mut(var.index())
                .into_iter()
                .for_each(|known| *known = None),
        }
    }

    /// Returns the size of an axis; `None` if it is unknown.
    fn extent(&self, ax: AxId) -> Done<Option<i64>> {
        match (&self.body.axes[ax.index()].from, self.lens[ax.index()]) {
            (AxFrom::Whole { extent }, _) => self.number(extent),
            (AxFrom::Run { .. }, Some(len)) => self.number(&Scalar::Var(len)),
            (AxFrom::Run { .. }, None) | (AxFrom::Hull { .. }, _) => Ok(None),
        }
    }

    // ---- statements ----

    fn list(&mut self, stmts: &'a [Stmt]) -> Done {
        stmts.iter().try_for_each(|s| self.statement(s))
    }

    fn statement(&mut self, s: &'a Stmt) -> Done {
        self.take(1)?;
        match &s.kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                let value = self.value(value)?;
                self.set(*var, value);
                Ok(())
            }
            StmtKind::Do(TileStmt::Read { var, .. }) => {
                self.set(*var, None);
                Ok(())
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => match (self.number(from)?, self.number(to)?) {
                (Some(from), Some(to)) => (from..to).try_for_each(|i| {
                    self.take(1)?;
                    self.set(
                        *var,
                        Some(Value::whole(var.ty(), i).map_err(|_| Stop::NoLaunch)?),
                    );
                    self.list(body)
                }),
                (None, _) | (_, None) => self.some_turns(&[*var], body),
            },
            StmtKind::If { cond, then, other } => match self.truth(cond)? {
                Some(true) => self.list(then),
                Some(false) => self.list(other),
                None => self.either(then, other),
            },
            StmtKind::Do(TileStmt::Loop { tile }) => self.tile_loop(tile, &tile.specs),
            StmtKind::Do(TileStmt::Store { to, how, .. }) => {
                let output = self.outputs.iter().position(|r| to.param() == Some(r.of));
                match (output, how) {
                    (Some(output), StoreHow::Inside) => self.reach(output, to, true),
                    (Some(output), StoreHow::Plain | StoreHow::Any | StoreHow::Disjoint) => {
                        self.reach(output, to, false)
                    }
                    (None, StoreHow::Inside) => Ok(()),
                    (None, _) | (_, StoreHow::Add) => self.stays_inside(to),
                }
            }
            StmtKind::Do(TileStmt::Def { expr, .. }) => self.expr(expr),
            StmtKind::Promise {
                what: Promised::Fact { cond, .. },
            } => match self.truth(cond)? {
                Some(false) => Err(Stop::NoLaunch),
                Some(true) | None => Ok(()),
            },
            StmtKind::Do(
                TileStmt::Set { .. } | TileStmt::Append { .. } | TileStmt::Dump { .. },
            ) => Ok(()),
            // A tile kernel has none of these.
            StmtKind::Promise {
                what: Promised::Index { .. },
            } => Err(Stop::NoLaunch),
        }
    }

    fn tile_loop(&mut self, tile: &'a TileLoop, specs: &'a [AxSpec]) -> Done {
        let Some((spec, rest)) = specs.split_first() else {
            return self.list(&tile.body);
        };
        if let RunSize::Given { size } = &spec.size {
            if self.number(size)?.is_some_and(|size| size < 1) {
                return Err(Stop::NoLaunch);
            }
        }
        let Some(extent) = self.extent(spec.of)? else {
            let vars: Vec<VarId> = specs
                .iter()
                .flat_map(|spec| [spec.start, spec.len])
                .collect();
            return self.some_turns(&vars, &tile.body);
        };
        if extent < 1 {
            self.repeats_nothing(spec, &tile.body);
        }
        for at in 0..extent {
            self.take(1)?;
            self.set(spec.start, Some(Value::Int(at)));
            self.set(spec.len, Some(Value::Int(1)));
            self.tile_loop(tile, rest)?;
        }
        Ok(())
    }

    /// Exempts the outputs whose store an empty loop would only repeat, to the same elements. An
    /// empty loop is the decision of the caller.
    fn repeats_nothing(&mut self, spec: &AxSpec, body: &'a [Stmt]) {
        for output in &mut self.outputs {
            let repeats = |s| stored(s, output.of).is_some_and(|to| !goes_along(to, spec));
            walk_stmts(body, &mut |s| output.anywhere |= repeats(s));
        }
    }

    /// Executes one iteration with unknown numbers, for a loop whose iterations are unknown.
    fn some_turns(&mut self, vars: &[VarId], body: &'a [Stmt]) -> Done {
        vars.iter().for_each(|var| self.set(*var, None));
        self.forget(body);
        self.list(body)?;
        self.forget(body);
        Ok(())
    }

    /// Marks the scalars that the statements assign to as unknown.
    fn forget(&mut self, body: &'a [Stmt]) {
        walk_stmts(body, &mut |s| {
            if let StmtKind::SetScalar { var, .. } = &s.kind {
                self.set(*var, None);
            }
        });
    }

    /// Executes both arms of an `if` whose condition is unknown.
    fn either(&mut self, then: &'a [Stmt], other: &'a [Stmt]) -> Done {
        let before = self.env.vars.clone();
        self.list(then)?;
        let behind = std::mem::replace(&mut self.env.vars, before);
        self.list(other)?;
        for (at, known) in self.env.vars.iter_mut().enumerate() {
            *known = known.filter(|value| behind.get(at) == Some(&Some(*value)));
        }
        Ok(())
    }

    /// Checks the conditions that an expression puts on a launch.
    fn expr(&mut self, expr: &TileExpr) -> Done {
        match expr {
            TileExpr::Load { from } => self.stays_inside(from),
            // `Pick` needs an element to choose, and some reductions are undefined over nothing.
            TileExpr::Pick { along, at, .. } => {
                let Some(extent) = self.extent(*along)? else {
                    return Ok(());
                };
                match at {
                    Chosen::Index { index } => self.ends_inside(index, extent),
                    Chosen::Tile { .. } if extent < 1 => Err(Stop::NoLaunch),
                    Chosen::Tile { .. } => Ok(()),
                }
            }
            TileExpr::Top { along, .. } | TileExpr::Scan { along, .. } => {
                match self.extent(*along)? {
                    Some(extent) if extent < 1 => Err(Stop::NoLaunch),
                    Some(_) | None => Ok(()),
                }
            }
            TileExpr::Reduce { over, .. } => {
                let mut extents = over.iter().map(|ax| self.extent(ax));
                match extents
                    .try_fold(true, |all, extent| Ok(all && extent?.is_none_or(|n| n > 0)))?
                {
                    true => Ok(()),
                    false => Err(Stop::NoLaunch),
                }
            }
            TileExpr::LoadOr { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Copy { .. } => Ok(()),
        }
    }

    // ---- accesses ----

    /// Stops with `NoLaunch` if an access leaves its tensor.
    fn stays_inside(&self, access: &Access) -> Done {
        self.is_the_tensor(access)?;
        for (index, dim) in access.index.iter().zip(&access.dims) {
            if let Some(dim) = self.number(dim)? {
                self.ends_inside(index, dim)?;
            }
        }
        Ok(())
    }

    /// Stops with `NoLaunch` if a view has another number of elements than its tensor.
    fn is_the_tensor(&self, access: &Access) -> Done {
        let all = match access.of {
            TensorRef::Param(of) => product(self.sig.shape(of)),
            TensorRef::Work(of) => self.body.work(of).len.clone(),
        };
        let mut seen = Some(1i64);
        for dim in &access.dims {
            let dim = self.number(dim)?;
            seen = seen
                .zip(dim)
                .map(|(seen, dim)| seen.checked_mul(dim).ok_or(Stop::NoLaunch))
                .transpose()?;
        }
        match (self.number(&all)?, seen) {
            (Some(all), Some(seen)) if all != seen => Err(Stop::NoLaunch),
            _ => Ok(()),
        }
    }

    fn ends_inside(&self, index: &Index, size: i64) -> Done {
        let Some(offset) = self.number(&index.offset)?.filter(|_| index.ids.is_none()) else {
            return Ok(());
        };
        let (mut least, mut most) = (offset, offset);
        for term in &index.terms {
            let (Some(extent), Some(factor)) = (self.extent(term.ax)?, self.number(&term.factor)?)
            else {
                return Ok(());
            };
            if extent < 1 {
                return Ok(());
            }
            let far = factor.checked_mul(extent - 1).ok_or(Stop::NoLaunch)?;
            least = least.checked_add(far.min(0)).ok_or(Stop::NoLaunch)?;
            most = most.checked_add(far.max(0)).ok_or(Stop::NoLaunch)?;
        }
        if least < 0 || most >= size {
            return Err(Stop::NoLaunch);
        }
        Ok(())
    }

    /// Marks the elements that a store reaches. `drops` is true if it drops elements outside.
    fn reach(&mut self, output: usize, to: &Access, drops: bool) -> Done {
        match drops {
            true => self.is_the_tensor(to)?,
            false => self.stays_inside(to)?,
        }
        let axes: Vec<AxId> = to.axes().iter().collect();
        let extents: Option<Vec<i64>> = axes
            .iter()
            .map(|ax| self.extent(*ax))
            .collect::<Done<_>>()?;
        let places: Option<Vec<Affine>> = to
            .index
            .iter()
            .zip(&to.dims)
            .map(|(i, dim)| self.place(i, dim, &axes))
            .collect::<Done<_>>()?;
        let (Some(extents), Some(places)) = (extents, places) else {
            self.outputs[output].anywhere = true;
            return Ok(());
        };
        let all = extents.iter().try_fold(1usize, |all, n| {
            all.checked_mul(usize::try_from(*n).unwrap_or(0))
        });
        let all = all.ok_or(Stop::Large)?;
        self.take(all)?;
        for nth in 0..all {
            let at = steps_of(nth, &extents);
            let index = |place: &Affine| {
                place.terms.iter().try_fold(place.offset, |sum, (ax, by)| {
                    sum.checked_add(by.checked_mul(at[*ax])?)
                })
            };
            let inside =
                |place: &Affine| index(place).is_some_and(|index| (0..place.size).contains(&index));
            if drops && !places.iter().all(inside) {
                continue;
            }
            let element = places.iter().try_fold(0, |element: i64, place| {
                element.checked_mul(place.size)?.checked_add(index(place)?)
            });
            let element = element.and_then(|element| usize::try_from(element).ok());
            let element =
                element.and_then(|element| self.outputs[output].elements.get_mut(element));
            *element.ok_or(Stop::NoLaunch)? = true;
        }
        Ok(())
    }

    fn place(&self, index: &Index, dim: &Scalar, axes: &[AxId]) -> Done<Option<Affine>> {
        let (Some(size), Some(offset)) = (self.number(dim)?, self.number(&index.offset)?) else {
            return Ok(None);
        };
        let mut terms = Vec::new();
        for term in &index.terms {
            let ax = axes.iter().position(|ax| *ax == term.ax);
            let (Some(ax), Some(factor)) = (ax, self.number(&term.factor)?) else {
                return Ok(None);
            };
            terms.push((ax, factor));
        }
        Ok(index.ids.is_none().then_some(Affine {
            size,
            offset,
            terms,
        }))
    }
}

/// True if an index of the access moves with the loop of `spec`.
fn goes_along(to: &Access, spec: &AxSpec) -> bool {
    let mut found = to.axes().contains(spec.ax);
    for index in &to.index {
        index
            .offset
            .walk(&mut |n| found |= *n == Scalar::Var(spec.start));
    }
    found
}

/// Returns the position of the `nth` element along each axis.
fn steps_of(nth: usize, extents: &[i64]) -> Vec<i64> {
    let mut left = nth as i64;
    let mut at: Vec<i64> = extents
        .iter()
        .rev()
        .map(|n| (left % n, left /= n).0)
        .collect();
    at.reverse();
    at
}
