//! Checks host steps, variants and the fields of the tiling data.

use super::body::Mode;
use super::scalars::Leaves;
use super::{Checked, Cx, Spot};
use crate::ir::queue::Body;
use crate::ir::{
    HostStep, Known, Lowered, Memory, QueueStmt, Role, Scalar, ScalarTy, StmtKind, VarDecl, VarId,
    Variant,
};
use std::collections::BTreeSet;

impl<'a> Cx<'a> {
    pub(super) fn lowered(&mut self, lowered: &'a Lowered) -> Checked {
        let (mut common, mut cases) = (Vec::new(), BTreeSet::new());
        for case in &lowered.cases {
            self.enter("Case");
            self.holds(cases.insert(&case.conditions), || {
                format!("a second case `{}`", case.said())
            })?;
            self.host(&case.when, &[], &BTreeSet::new(), ScalarTy::Bool)?;
            self.variables(&case.vars)?;
            let mut known = BTreeSet::new();
            self.steps(&case.steps, &case.vars, &mut known)?;
            common.push(known);
        }
        self.functions(&lowered.funcs)?;
        self.at = Spot {
            of: "Lowered",
            nth: 1,
        };
        let (count, keys) = (lowered.variants.len(), lowered.keys);
        self.holds(
            count >= 1 && i64::try_from(count).is_ok_and(|count| count <= keys),
            || {
                format!(
                    "{count} variants, possible are 1 to {keys}, of which each has a tiling key"
                )
            },
        )?;
        let in_order = lowered.variants.iter().map(|v| v.case).is_sorted()
            && (0..common.len()).all(|case| lowered.variants_of(case).next().is_some());
        self.holds(in_order, || {
            "cases without variants of their own, or variants that do not stand in the order of cases".to_string()
        })?;
        let mut names = BTreeSet::new();
        for (i, v) in lowered.variants.iter().enumerate() {
            self.enter("Variant");
            let at = self.declared(v.case, common.len(), "case", || v.case.to_string())?;
            if i > 0 && lowered.is_last(i - 1) {
                names.clear();
            }
            self.own_name(&v.name, &mut names)?;
            self.host(&v.when, &lowered.case(v).vars, &common[at], ScalarTy::Bool)?;
            self.holds(!lowered.is_last(i) || v.when == Scalar::Bool(true), || {
                "the last variant has a condition; it takes what is left".to_string()
            })?;
            self.variant(lowered, v, common[at].clone())?;
        }
        Ok(())
    }

    fn variant(&mut self, lowered: &Lowered, v: &Variant, mut known: BTreeSet<VarId>) -> Checked {
        let at = self.at;
        let vars = &lowered.case(v).vars;
        let begins = vars.len() <= v.body.vars.len()
            && vars.iter().zip(&v.body.vars).all(|(a, b)| a.ty == b.ty);
        self.holds(begins, || {
            "the variables of a variant begin with those of its case".to_string()
        })?;
        self.steps(&v.steps, &v.body.vars, &mut known)?;
        (self.at, self.span) = (at, None);
        for s in [&v.block_dim, &v.workspace] {
            self.host(s, &v.body.vars, &known, ScalarTy::Index)?;
        }
        let mut fields = BTreeSet::new();
        for field in &v.fields {
            self.var(*field, &v.body.vars)?;
            let name = || v.body.var(*field).name.clone();
            self.holds(known.contains(field), || {
                format!("field `{}` is no variable that a host step sets", name())
            })?;
            self.holds(fields.insert(*field), || {
                format!("a second field `{}`", name())
            })?;
        }
        self.order_of_memory(v)?;
        for fact in &v.known {
            self.enter("Known");
            match fact {
                Known::Share {
                    start,
                    len,
                    total,
                    unit,
                } => {
                    for var in [start, len] {
                        self.var(*var, &v.body.vars)?;
                        self.holds(var.ty() == ScalarTy::Index, || {
                            format!("a share of type {}, usize is due", var.ty().word())
                        })?;
                    }
                    match v.is_shared_on_core(fact) {
                        true => {
                            self.scalar(total, Leaves::Device, Some(&v.body.vars), ScalarTy::Index)?
                        }
                        false => self.host(total, &v.body.vars, &known, ScalarTy::Index)?,
                    }
                    self.granularity(*unit)?;
                }
                Known::Part { part, of } => [part, of].into_iter().try_for_each(|var| {
                    self.host(&Scalar::Var(*var), &v.body.vars, &known, ScalarTy::Index)
                })?,
                Known::Most { var, most } => {
                    self.var(*var, &v.body.vars)?;
                    self.holds(var.ty() == ScalarTy::Index, || {
                        format!("a length of type {}, usize is due", var.ty().word())
                    })?;
                    self.host(most, &v.body.vars, &known, ScalarTy::Index)?;
                }
            }
        }
        for once in &v.once {
            self.enter("ReadOnce");
            let is_input = lowered
                .sig
                .tensors()
                .any(|(id, _, role, _)| id == once.param && role == Role::In);
            self.holds(is_input, || {
                "no input; only what is never written is read once".to_string()
            })?;
            self.host(
                &Scalar::Var(once.exceeds_l2),
                &v.body.vars,
                &known,
                ScalarTy::Bool,
            )?;
            let is_field = v.fields.contains(&once.exceeds_l2);
            self.holds(is_field, || {
                "whether L2 holds an input is no field of the tiling data".to_string()
            })?;
        }
        let tables = self.tables(&v.body, Mode::Device)?;
        for (i, w) in v.body.works.iter().enumerate() {
            self.at = Spot {
                of: "WorkDecl",
                nth: i + 1,
            };
            self.host(&w.len, &v.body.vars, &known, ScalarTy::Index)?;
        }
        self.statements(&v.body, tables, Mode::Device, (&v.fields, &[]))?;
        let flags = self.flags(lowered, v);
        self.is_given(
            &v.body.stmts,
            std::slice::from_ref(&lowered.case(v).when),
            &flags,
        )
    }

    /// Checks that each queue and buffer has one place, and that nothing uses a buffer that only
    /// moves others.
    fn order_of_memory(&self, v: &Variant) -> Checked {
        let mut placed = BTreeSet::new();
        for memory in v.memory.iter().chain(v.body.resets().into_iter().flatten()) {
            let memory = match *memory {
                Memory::Queue { .. } | Memory::Buf { .. } => *memory,
                Memory::Skew { buf } => {
                    let mut used = false;
                    v.body.walk(&mut |s| used |= matches!(&s.kind, StmtKind::Do(QueueStmt::Get { buf: b, .. }) if *b == buf));
                    self.holds(!used, || {
                        format!("`b{}` is used; it only moves others", buf.0)
                    })?;
                    Memory::Buf { buf }
                }
            };
            self.holds(placed.insert(memory), || {
                format!("a second place in UB for `{}`", memory_id(memory))
            })?;
        }
        let all = v.body.memory();
        for memory in &all {
            self.holds(placed.remove(memory), || {
                format!("no place in UB for `{}`", memory_id(*memory))
            })?;
        }
        let more = placed.first();
        self.holds(more.is_none(), || {
            format!(
                "a place in UB for `{}`, which there is not",
                more.map_or_else(String::new, |m| memory_id(*m))
            )
        })
    }

    /// Checks that a queue or buffer is declared.
    pub(super) fn memory_id(&self, body: &Body, memory: Memory) -> Checked {
        let (at, of, what) = match memory {
            Memory::Queue { queue } => (queue.index(), body.queues.len(), "queue"),
            Memory::Buf { buf } | Memory::Skew { buf } => (buf.index(), body.bufs.len(), "buffer"),
        };
        self.declared(at, of, what, || memory_id(memory))
            .map(|_| ())
    }

    fn steps(
        &mut self,
        steps: &[HostStep],
        vars: &[VarDecl],
        known: &mut BTreeSet<VarId>,
    ) -> Checked {
        for step in steps {
            self.enter("HostStep");
            match step {
                HostStep::Let { var, value } => {
                    self.host(value, vars, known, var.ty())?;
                    self.learns(*var, vars, known)?;
                }
                HostStep::Solve {
                    var,
                    step,
                    max,
                    bytes,
                    limit,
                } => {
                    self.holds(var.ty() == ScalarTy::Index, || {
                        format!("a size of type {}, usize is due", var.ty().word())
                    })?;
                    self.granularity(*step)?;
                    self.limit(*limit)?;
                    self.host(max, vars, known, ScalarTy::Index)?;
                    self.learns(*var, vars, known)?;
                    self.host(bytes, vars, known, ScalarTy::Index)?;
                }
                HostStep::Fits {
                    bytes,
                    limit,
                    given,
                } => {
                    self.limit(*limit)?;
                    self.host(bytes, vars, known, ScalarTy::Index)?;
                    if let Some(given) = given {
                        self.granularity(given.step)?;
                        self.host(&Scalar::Var(given.var), vars, known, ScalarTy::Index)?;
                    }
                }
                HostStep::Require { cond, .. } => self.host(cond, vars, known, ScalarTy::Bool)?,
            }
        }
        Ok(())
    }

    fn granularity(&self, step: i64) -> Checked {
        self.holds(step >= 1, || {
            format!("a granularity of {step}, at least 1 is needed")
        })
    }

    fn limit(&self, limit: i64) -> Checked {
        self.holds(limit >= 0, || format!("a limit of {limit} bytes"))
    }

    /// Checks a variable that a host step sets.
    fn learns(&self, var: VarId, vars: &[VarDecl], known: &mut BTreeSet<VarId>) -> Checked {
        let decl = self.var(var, vars)?;
        self.holds(!decl.mutable, || {
            format!("`{}` is mutable; host variables are set once", decl.name)
        })?;
        self.holds(known.insert(var), || {
            format!(
                "a second step that sets `{}` (`${}`)",
                decl.name,
                var.index()
            )
        })
    }

    /// Checks a scalar of the host: its type, its leaves, and that steps before it set its
    /// variables.
    fn host(
        &self,
        s: &Scalar,
        vars: &[VarDecl],
        known: &BTreeSet<VarId>,
        due: ScalarTy,
    ) -> Checked {
        self.scalar(s, Leaves::Steps, Some(vars), due)?;
        let mut unset = None;
        s.walk(&mut |n| match n {
            Scalar::Var(v) if !known.contains(v) => unset = unset.or(Some(*v)),
            _ => {}
        });
        match unset {
            None => Ok(()),
            Some(v) => self.fault(format!(
                "`{}` (`${}`) is read here, but no host step before sets it",
                vars[v.index()].name,
                v.index()
            )),
        }
    }
}

fn memory_id(memory: Memory) -> String {
    match memory {
        Memory::Queue { queue } => format!("q{}", queue.0),
        Memory::Buf { buf } | Memory::Skew { buf } => format!("b{}", buf.0),
    }
}
