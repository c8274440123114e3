//! Messages about values that depend on the cut.

use super::cause::Cause;
use super::class::{Carried, Class, Monoid, Step};
use super::{CutRule, End, Key};
use crate::diag::{Code, Diagnostic};
use crate::dtype::RoundMode;
use crate::ir::tile::Stmt;
use crate::ir::{AxId, BinOp, Operand, Scalar, SpanId, StmtKind, TileExpr, TileStmt, ValueId};
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::rc::Rc;

impl CutRule<'_, '_> {
    /// Describes the cut: the run, or the iterations of all cores.
    pub(super) fn run(&self) -> String {
        match self.key {
            Key::Run(spec) => format!("`{}`", self.rule.name(spec.ax)),
            Key::Cores => "the cores".to_string(),
        }
    }

    fn run_name(&self) -> &str {
        match self.key {
            Key::Run(spec) => self.rule.name(spec.ax),
            Key::Cores => "t",
        }
    }

    /// Explains why an op on these classes depends on the cut.
    pub(super) fn by_op(
        &self,
        at: SpanId,
        what: &str,
        step: Option<Step>,
        args: &[Class],
    ) -> Rc<Cause> {
        let mut running = args.iter().filter_map(|class| match class {
            Class::Running(of, merged) => Some((*of, *merged)),
            Class::Free(_) | Class::Part(..) | Class::Cut(_) => None,
        });
        let (first, second) = (running.next(), running.next());
        let part = args.iter().find_map(Class::part);
        match (first, step) {
            // The first of two is merged correctly, and the second should not be read.
            (Some(_), Some(_)) if second.is_some() => self.still_merged(second.or(first), at),
            (Some((of, _)), Some(Step::Binary(BinaryOp::Add | BinaryOp::Sub)))
                if part.is_none() && self.is_left_by(of, at) =>
            {
                self.counts_turns(at, Some(of))
            }
            (Some((of, merged)), Some(step)) => match (part, merged) {
                (Some((own, from)), _) if own != Monoid::of_step(step) => {
                    let (name, noun) = (self.rule.carried_name(of), own.noun());
                    let why = format!(
                        "{} merges `{name}` with a part of the {noun} along {}",
                        spelled(what),
                        self.run()
                    );
                    let help = "merge parts by the op that makes them: `s + v.sum(t)`, `s * v.prod(t)`, `s.max(v.amax(t))`, `s.min(v.amin(t))`";
                    Cause::new(at, why, help).labelled(from, "the part")
                }
                (Some(_), Some(before)) if before != Monoid::of_step(step) => {
                    let why = format!("two ops merge `{}`", self.rule.carried_name(of));
                    Cause::new(
                        at,
                        why,
                        "carry one value for each op, and join them behind the loop",
                    )
                }
                (_, _) => self.still_merged(first, at),
            },
            (Some(_), None) => self.still_merged(first, at),
            (None, _) => match part {
                Some((monoid, from)) if self.reduces_at(from) => {
                    let why = format!(
                        "{} of a part of the {} along {}",
                        spelled(what),
                        monoid.noun(),
                        self.run()
                    );
                    let run = self.run_name();
                    let help = format!("reduce over a whole axis, `..` where `{run}` stands; or merge the part first, and compute this behind the loop, of the whole");
                    Cause::new(at, why, help).labelled(from, "the part")
                }
                Some((_, from)) => self.length_of_one_tile(from),
                None => self.counts_turns(at, None),
            },
        }
    }

    fn still_merged(&self, of: Option<(Carried, Option<Monoid>)>, at: SpanId) -> Rc<Cause> {
        let Some((of, merged)) = of else {
            return self.counts_turns(at, None);
        };
        let (name, run) = (self.rule.carried_name(of), self.run_name());
        let merged = merged.or_else(|| self.own_merge(of));
        let why = format!(
            "`{name}` is still being merged along {}: here it is what the iterations so far make it",
            self.run()
        );
        let merge = match merged {
            None => {
                let help =
                    format!("use it behind the loop; in it `{name}` is merged by one op with parts of that op, and nothing else");
                return Cause::new(at, why, help);
            }
            Some(Monoid::Sum) => format!("{name} + v.sum({run})"),
            Some(Monoid::Prod) => format!("{name} * v.prod({run})"),
            Some(Monoid::Max) => format!("{name}.max(v.amax({run}))"),
            Some(Monoid::Min) => format!("{name}.min(v.amin({run}))"),
            Some(Monoid::Any) => format!("{name} | m.any({run})"),
            Some(Monoid::All) => format!("{name} & m.all({run})"),
        };
        Cause::new(at, why, format!("use it behind the loop; in it `{name}` is merged, `{name} = {merge}`, and nothing else"))
    }

    /// Returns the op by which the author merges a value: the last one before an assignment.
    fn own_merge(&self, of: Carried) -> Option<Monoid> {
        let mut found = None;
        self.rule.body.walk(&mut |s| {
            if Carried::set_by(s) == Some(of) {
                found = found.or_else(|| self.step_of(s).map(Monoid::of_step));
            }
        });
        found
    }

    /// Finds the op by which an assignment joins what it assigns with something else.
    fn step_of(&self, s: &Stmt) -> Option<Step> {
        if let StmtKind::Do(TileStmt::Set { value, from }) = &s.kind {
            return self.step_from(*from, *value);
        }
        let StmtKind::SetScalar {
            var,
            value: Scalar::Bin(op, a, b),
        } = &s.kind
        else {
            return None;
        };
        [a, b].iter().find(|side| ****side == Scalar::Var(*var))?;
        match op {
            BinOp::Add | BinOp::Sub => Some(Step::Binary(BinaryOp::Add)),
            BinOp::Mul => Some(Step::Binary(BinaryOp::Mul)),
            BinOp::Max => Some(Step::Binary(BinaryOp::Max)),
            BinOp::Min => Some(Step::Binary(BinaryOp::Min)),
            BinOp::And => Some(Step::And),
            BinOp::Or => Some(Step::Or),
            _ => None,
        }
    }

    /// Returns the last op between `own` and `value` that joins it with another value.
    fn step_from(&self, value: ValueId, own: ValueId) -> Option<Step> {
        let expr = self.rule.exprs.get(&value)?;
        let step = match expr {
            TileExpr::Op {
                op: Op::Binary(op), ..
            } => Some(Step::Binary(*op)),
            TileExpr::Op {
                op: Op::Mask(op), ..
            } => Step::of_mask(*op),
            _ => None,
        };
        let reaching = operands(expr)
            .into_iter()
            .find(|from| self.reaches(*from, own))?;
        step.or_else(|| self.step_from(reaching, own))
    }

    fn reaches(&self, value: ValueId, own: ValueId) -> bool {
        let through = |expr: &TileExpr| {
            operands(expr)
                .into_iter()
                .any(|from| self.reaches(from, own))
        };
        value == own
            || self
                .rule
                .exprs
                .get(&value)
                .is_some_and(|expr| through(expr))
    }

    /// True if the statement at `at` computes what an iteration leaves of the value, additions
    /// aside.
    fn is_left_by(&self, of: Carried, at: SpanId) -> bool {
        let mut is = false;
        self.rule.body.walk(&mut |s| {
            if Carried::set_by(s) == Some(of) {
                is |= if let Some(TileStmt::Set { from, .. }) = s.own() {
                    self.is_added_up(*from, at)
                } else {
                    s.span == at
                };
            }
        });
        is
    }

    fn is_added_up(&self, value: ValueId, at: SpanId) -> bool {
        let mut span = None;
        self.rule.body.walk(&mut |s| {
            if matches!(&s.kind, StmtKind::Do(TileStmt::Def { value: own, .. }) if *own == value) {
                span = Some(s.span);
            }
        });
        if span == Some(at) {
            return true;
        }
        match self.rule.exprs.get(&value) {
            Some(TileExpr::Op {
                op: Op::Binary(BinaryOp::Add | BinaryOp::Sub),
                args,
            }) => args.iter().any(|arg| match arg {
                Operand::Value { value } => self.is_added_up(*value, at),
                Operand::Scalar { .. } => false,
            }),
            Some(_) | None => false,
        }
    }

    fn length_of_one_tile(&self, at: SpanId) -> Rc<Cause> {
        let why = format!("`{}.len()` is the length of one tile", self.run_name());
        Cause::new(
            at,
            why,
            "use the size of the whole axis, or divide behind the loop",
        )
    }

    /// Explains why a value that is not free must not end here.
    pub(super) fn unmerged(&self, class: &Class, at: SpanId) -> Rc<Cause> {
        match class {
            Class::Part(monoid, from) => match self.key {
                Key::Run(spec) if self.reduces_at(*from) => {
                    self.of_one_tile(monoid.op(), spec.ax, *from)
                }
                Key::Run(_) | Key::Cores => self.length_of_one_tile(*from),
            },
            Class::Running(of, merged) => self.still_merged(Some((*of, *merged)), at),
            Class::Cut(cause) => cause.clone(),
            Class::Free(_) => self.counts_turns(at, None),
        }
    }

    fn reduces_at(&self, at: SpanId) -> bool {
        self.rule.reductions.contains(&at)
    }

    /// Explains a reduction along the run that no merge extends to the whole axis.
    pub(super) fn of_one_tile(&self, op: AxisReduceOp, ax: AxId, at: SpanId) -> Rc<Cause> {
        let name = Op::AxisReduce(op).name();
        let (run, whole) = match self.key {
            Key::Run(spec) => (self.rule.name(ax), self.rule.name(spec.of)),
            Key::Cores => (self.rule.name(ax), "the axis"),
        };
        let elsewhere =
            format!("reduce over a whole axis: loop over another one, and load all of this, `..`, where `{run}` stands");
        let help = match merge(op, run, self.is_divided) {
            Some(merge) => format!("{elsewhere}; or {merge}"),
            None => elsewhere,
        };
        Cause::new(
            at,
            format!("`{name}` over `{run}`, a tile of `{whole}`"),
            help,
        )
    }

    /// Explains why a value that is added to a tensor is no part of a sum.
    pub(super) fn no_part(&self, class: &Class, at: SpanId) -> Rc<Cause> {
        match class {
            Class::Part(monoid, from) => {
                let why = format!(
                    "a part of the {} along {} is added",
                    monoid.noun(),
                    self.run()
                );
                let run = self.run_name();
                let help = format!("add what is summed along it, `v.sum({run})`, or merge it into a value over all cores, `s = s.max(v.amax({run}))`");
                Cause::new(at, why, help).labelled(*from, "the part")
            }
            Class::Running(..) | Class::Cut(_) | Class::Free(_) => self.unmerged(class, at),
        }
    }

    /// Explains why adding an equal value in each iteration counts iterations.
    pub(super) fn counts_turns(&self, at: SpanId, to: Option<Carried>) -> Rc<Cause> {
        let run = self.run_name();
        let to = to.map_or(String::new(), |of| {
            format!(" to `{}`", self.rule.carried_name(of))
        });
        let why =
            format!("each iteration along {} adds{to} what does not depend on its elements, so that it counts iterations", self.run());
        let help = format!("add what is summed along it, `v.sum({run})`; what counts once is added behind the loop");
        Cause::new(at, why, help)
    }

    /// Explains a whole run that is taken once for each of its elements.
    pub(super) fn once_an_element(&self, at: SpanId) -> Rc<Cause> {
        let why = format!(
            "the whole tile along {} is taken once for each of its elements",
            self.run()
        );
        Cause::new(
            at,
            why,
            "take it once, behind the loop through its elements, or one element in each iteration",
        )
    }

    pub(super) fn last_part_only(&self, of: Carried, at: SpanId) -> Rc<Cause> {
        let (name, run) = (self.rule.carried_name(of), self.run_name());
        let why = format!(
            "`{name}` is what the last tile along {} makes it: what it was before is lost here",
            self.run()
        );
        Cause::new(
            at,
            why,
            format!("merge it: `{name} = {name} + v.sum({run})`"),
        )
    }

    /// Explains a condition, or an iteration count, that depends on the cut.
    pub(super) fn on_the_cut(&self, class: &Class, at: SpanId, is_loop: bool) -> Rc<Cause> {
        let what = if is_loop {
            "how often this loop iterates"
        } else {
            "a condition"
        };
        let inner = self.unmerged(class, at);
        let (why, mut help) = (
            format!("{what} depends on the cut, since {}", inner.why),
            inner.help.clone(),
        );
        if is_loop {
            help += "; where what the loop leaves does not depend on it all the same, `.any_cut()` on the loop says so";
        }
        Rc::new(Cause {
            at,
            why,
            help,
            ..(*inner).clone()
        })
    }

    /// Reports J0214 for a value that ends at `at`.
    pub(super) fn report(&mut self, cause: &Rc<Cause>, end: End, at: SpanId) {
        if self.is_quiet || !self.rule.told.insert(cause.at) {
            return;
        }
        let on = match self.key {
            Key::Run(_) => "the result depends on the tile size",
            Key::Cores => "the result depends on which core has the tile",
        };
        let mut d = Diagnostic::new(Code::J0214, cause.at, format!("{}: {on}", cause.why));
        for (at, text) in cause
            .label
            .iter()
            .cloned()
            .chain(Some((at, end.label().to_string())).filter(|(at, _)| *at != cause.at))
        {
            d = d.label(at, text);
        }
        if let Some(note) = &cause.note {
            d = d.note(note.clone());
        }
        d = d.help(cause.help.clone());
        self.rule.found.push(d);
    }
}

/// Returns the operands of ops and conversions. Merges consist of nothing else.
fn operands(expr: &TileExpr) -> Vec<ValueId> {
    match expr {
        TileExpr::Op { args, .. } => args
            .iter()
            .filter_map(|arg| match arg {
                Operand::Value { value } => Some(*value),
                Operand::Scalar { .. } => None,
            })
            .collect(),
        TileExpr::Cast { value, .. }
        | TileExpr::Truncate { value }
        | TileExpr::Round { value, .. }
        | TileExpr::Copy { value } => {
            vec![*value]
        }
        _ => Vec::new(),
    }
}

impl Monoid {
    /// Returns the reduction that makes parts of it.
    const fn op(self) -> AxisReduceOp {
        match self {
            Monoid::Sum => AxisReduceOp::Sum,
            Monoid::Prod => AxisReduceOp::Prod,
            Monoid::Max => AxisReduceOp::Max,
            Monoid::Min => AxisReduceOp::Min,
            Monoid::Any => AxisReduceOp::Any,
            Monoid::All => AxisReduceOp::All,
        }
    }
}

/// Suggests how to merge a reduction along a run: over the cores, or into a value from before the
/// loop.
fn merge(op: AxisReduceOp, run: &str, is_divided: bool) -> Option<String> {
    let (begun, over_cores, inside) = match op {
        AxisReduceOp::Sum => (
            "f32>(.., 0.0",
            format!("s += v.sum({run})"),
            format!("s = s + v.sum({run})"),
        ),
        AxisReduceOp::Prod => (
            "f32>(.., 1.0",
            format!("s *= v.prod({run})"),
            format!("s = s * v.prod({run})"),
        ),
        AxisReduceOp::Max => (
            "f32>(.., f32::NEG_INFINITY",
            format!("s = s.max(v.amax({run}))"),
            format!("s = s.max(v.amax({run}))"),
        ),
        AxisReduceOp::Min => (
            "f32>(.., f32::INFINITY",
            format!("s = s.min(v.amin({run}))"),
            format!("s = s.min(v.amin({run}))"),
        ),
        AxisReduceOp::Any => (
            "bool>(.., false",
            format!("s |= m.any({run})"),
            format!("s = s | m.any({run})"),
        ),
        AxisReduceOp::All => (
            "bool>(.., true",
            format!("s &= m.all({run})"),
            format!("s = s & m.all({run})"),
        ),
        AxisReduceOp::ArgMax if !is_divided => (
            "",
            String::new(),
            format!("at = v.amax({run}).gt(best).select(v.argmax({run}), at)"),
        ),
        AxisReduceOp::ArgMin if !is_divided => (
            "",
            String::new(),
            format!("at = v.amin({run}).lt(best).select(v.argmin({run}), at)"),
        ),
        AxisReduceOp::Mean | AxisReduceOp::ArgMax | AxisReduceOp::ArgMin => return None,
    };
    Some(match is_divided {
        true => format!(
            "merge it into a value over all cores: `let mut s = across_cores::<{begun})` before the loop, `{over_cores}` inside"
        ),
        false => format!("merge it into a `let mut` from before the loop of `{run}`, and use that behind it: `{inside}`"),
    })
}

/// The help where a kernel asks for cores.
pub(super) const OF_CORE_HELP: &str =
    "compute with indices of elements, `t.iota()`, and with sizes";

/// Returns the spelling and the meaning of a scalar that differs from core to core, or with their
/// number.
pub(super) fn of_core(s: &Scalar) -> Option<(&'static str, &'static str)> {
    match s {
        Scalar::BlockIdx => Some(("get_block_idx()", "which core has the tile")),
        Scalar::BlockDim => Some(("get_block_num()", "how many cores there are")),
        _ => None,
    }
}

/// Spells an op as kernels write it.
fn spelled(op: &str) -> String {
    match op {
        "add" => "`+`".to_string(),
        "sub" => "`-`".to_string(),
        "mul" => "`*`".to_string(),
        "div" => "`/`".to_string(),
        "and" => "`&`".to_string(),
        "or" => "`|`".to_string(),
        _ if op.starts_with("this") => op.to_string(),
        _ => format!("`{op}`"),
    }
}

/// Spells a rounding as kernels write it.
pub(super) const fn rounding(mode: RoundMode) -> &'static str {
    match mode {
        RoundMode::Floor => "floor",
        RoundMode::Ceil => "ceil",
        RoundMode::Trunc => "trunc",
        RoundMode::None | RoundMode::Rint | RoundMode::Round | RoundMode::Odd => "round",
    }
}
