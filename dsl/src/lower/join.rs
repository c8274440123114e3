//! Joins the cases of a kernel, each lowered alone, into one lowered kernel.

use super::gap::{Gap, Made};
use super::lowering::{add_once, Lowering, Plan};
use super::pipeline::Instance;
use super::specialize::Special;
use crate::ir::{queue, Case, Func, FuncId, Kernel, Lowered, QueueStmt, Scalar, StmtKind, Variant};
use std::sync::Arc;

/// The most cases for which ten tiling keys are enough, at three variants each. All instances have
/// the same cases.
const FEW_CASES: usize = 3;
/// The number of tiling keys of an instance with more cases.
const MANY_KEYS: i64 = 100;

/// Joins the cases of a kernel.
pub fn cases(kernel: &Kernel, all: Vec<(&Special, Lowering)>) -> Made<Lowering> {
    let mut all = all.into_iter();
    let Some((special, first)) = all.next() else {
        return Err(Gap::of_kernel("a kernel without cases"));
    };
    let mut joined = Lowering {
        lowered: Lowered {
            sig: kernel.sig.clone(),
            ..first.lowered
        },
        ..first
    };
    name(&mut joined.lowered.cases, special);
    for (special, next) in all {
        let Lowered {
            mut cases,
            mut variants,
            funcs,
            ..
        } = next.lowered;
        let ids: Vec<FuncId> = funcs.iter().fold(Vec::new(), |mut ids, func| {
            ids.push(with_func(&mut joined.lowered.funcs, func, &ids));
            ids
        });
        name(&mut cases, special);
        let case = joined.lowered.cases.len();
        joined.lowered.cases.append(&mut cases);
        for variant in &mut variants {
            variant.case += case;
            renumber(&mut variant.body, &ids);
        }
        joined.lowered.variants.append(&mut variants);
        joined.plans.extend(next.plans);
        for (own, other) in [
            (&mut joined.notes, next.notes),
            (&mut joined.slow, next.slow),
            (&mut joined.joined, next.joined),
            (&mut joined.split, next.split),
        ] {
            other.into_iter().for_each(|note| add_once(own, note));
        }
    }
    if joined.lowered.cases.len() > FEW_CASES {
        joined.lowered.keys = MANY_KEYS;
    }
    Ok(joined)
}

/// Returns the lowering of a case without work: one block that does nothing.
pub fn nothing(of: &Instance<'_>) -> Lowering {
    let Instance {
        kernel,
        index,
        chip,
        ..
    } = *of;
    let variant = Variant {
        name: "nothing".to_string(),
        case: 0,
        when: Scalar::Bool(true),
        steps: Vec::new(),
        block_dim: 1.into(),
        workspace: 0.into(),
        fields: Vec::new(),
        known: Vec::new(),
        memory: Vec::new(),
        once: Vec::new(),
        body: queue::Body::default(),
    };
    let plan = Plan {
        bytes: 0.into(),
        sizes: Vec::new(),
        row_pitch: None,
    };
    let case = Case::only(Vec::new(), Vec::new());
    Lowering::of_case(kernel, index, chip, case, Vec::new(), vec![(variant, plan)])
}

fn name(cases: &mut [Case], special: &Special) {
    for case in cases {
        (case.conditions, case.when) = (special.conditions.clone(), special.when.clone());
    }
}

/// Adds a function to those of all cases, and returns its id there. `before` has the new ids of the
/// functions that it may call.
fn with_func(funcs: &mut Vec<Arc<Func>>, func: &Arc<Func>, before: &[FuncId]) -> FuncId {
    let mut own = Func::clone(func);
    renumber(&mut own.body, before);
    let at = funcs
        .iter()
        .position(|known| **known == own)
        .unwrap_or_else(|| {
            own.name = crate::ir::names::unique(&own.name, |name| {
                funcs.iter().any(|known| known.name == name)
            });
            funcs.push(Arc::new(own));
            funcs.len() - 1
        });
    FuncId(at as u32)
}

fn renumber(body: &mut queue::Body, to: &[FuncId]) {
    crate::ir::walk_stmts_mut(&mut body.stmts, &mut |s| {
        if let StmtKind::Do(QueueStmt::Call { func, .. }) = &mut s.kind {
            *func = to[func.index()];
        }
    });
}
