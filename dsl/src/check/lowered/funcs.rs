//! Device functions. Each is checked once, alone, under its requirements; a caller must prove
//! those.

use super::bounds::Bounds;
use super::limits::Limit;
use crate::check::prove::facts::Facts;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    BinOp, Func, FuncId, Lowered, QueueStmt, Scalar, SpanId, StmtKind, TensorId, View,
};
use crate::ops::contract::{Access, Align};
use crate::soc::Chip;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// Checks the functions of a lowered kernel. Functions that passed before are cached, since the
/// lowering generates few different ones.
pub fn check_funcs(lowered: &Lowered, chip: &Chip, found: &mut Vec<Diagnostic>) {
    // Numbers of the functions that passed. A caller of another one cannot pass from the cache.
    let mut known: Vec<Option<usize>> = Vec::with_capacity(lowered.funcs.len());
    for func in &lowered.funcs {
        let rests = Rests::of(lowered, func, &known, chip);
        let mut number = rests
            .as_ref()
            .and_then(|rests| proved().number(rests, func));
        if number.is_none() {
            let before = found.len();
            check_func(lowered, func, chip, found);
            number = rests
                .filter(|_| found.len() == before)
                .map(|rests| proved().add(rests, func.clone()));
        }
        known.push(number);
    }
}

/// Everything besides the body that decides about a function. It knows nothing of its kernel.
#[derive(PartialEq, Eq, Hash)]
struct Rests {
    chip: &'static str,
    name: String,
    /// Bytes of an element of each tensor.
    sizes: Vec<i64>,
    /// Numbers of the functions that it calls.
    callees: Vec<usize>,
}

impl Rests {
    fn of(lowered: &Lowered, func: &Func, known: &[Option<usize>], chip: &Chip) -> Option<Rests> {
        let mut callees = Vec::new();
        func.body.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Call { func, .. }) = &s.kind {
                callees.push(known.get(func.index()).copied().flatten());
            }
        });
        let callees = callees.into_iter().collect::<Option<_>>()?;
        let sizes = func
            .body
            .tensors
            .iter()
            .map(|t| t.dtype.resolve(lowered.binding()).bytes())
            .collect();
        Some(Rests {
            chip: chip.name,
            name: func.name.clone(),
            sizes,
            callees,
        })
    }
}

/// Functions that passed, with their numbers.
#[derive(Default)]
struct Proved {
    all: FxHashMap<Rests, Vec<(Arc<Func>, usize)>>,
    count: usize,
}

impl Proved {
    fn number(&self, rests: &Rests, func: &Func) -> Option<usize> {
        self.all
            .get(rests)?
            .iter()
            .find(|(right, _)| **right == *func)
            .map(|(_, number)| *number)
    }

    fn add(&mut self, rests: Rests, func: Arc<Func>) -> usize {
        let number = self.count;
        self.count += 1;
        self.all.entry(rests).or_default().push((func, number));
        number
    }
}

/// Returns the cache of this process.
fn proved() -> MutexGuard<'static, Proved> {
    static PROVED: LazyLock<Mutex<Proved>> = LazyLock::new(Mutex::default);
    PROVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks a function alone, for every allowed overlap of its tensors.
fn check_func(lowered: &Lowered, func: &Func, chip: &Chip, found: &mut Vec<Diagnostic>) {
    let ids = || (0u32..).map(TensorId).zip(&func.tensors);
    let over = ids().filter_map(|(t, given)| Some((t, TensorId(given.over? as u32))));
    for place in std::iter::once(None).chain(over.map(Some)) {
        let mut own = Vec::new();
        let mut facts = Facts::none(&func.body);
        func.requires.iter().for_each(|cond| facts.assume(cond));
        let mut b = Bounds::new(lowered, &func.body, chip, facts, &mut own);
        for (t, given) in ids() {
            b.bytes.insert(t, given.elements.clone() * b.size(t));
        }
        if let Some((tensor, with)) = place {
            b.homes.shares(tensor, with);
        }
        b.statements_if_reached(&func.body.stmts);
        found.extend(own.into_iter().map(|d| Diagnostic {
            message: format!("in `{}`: {}", func.name, d.message),
            ..d
        }));
    }
}

impl Bounds<'_> {
    /// Checks a call against the requirements of the function.
    pub(super) fn call(&mut self, id: FuncId, tensors: &[View], scalars: &[Scalar], span: SpanId) {
        let lowered = self.lowered;
        let func = &lowered.funcs[id.index()];
        if self.lints {
            self.requires(func, scalars, span);
        }
        for (given, view) in func.tensors.iter().zip(tensors) {
            let Some(tensor) = view.tensor() else {
                continue;
            };
            let n = func.given(&given.elements, scalars);
            let natural = self.natural_number(&n);
            self.ub(tensor, view, &n, &natural, Align::Block, span);
        }
        self.apart(func, tensors, scalars, span);
    }

    /// Reports J0602 for requirements on scalars that are not proved.
    fn requires(&mut self, func: &Func, scalars: &[Scalar], span: SpanId) {
        for cond in &func.requires {
            let cond = func.given(cond, scalars);
            if !self.facts.proves(&cond) {
                let text = format!(
                    "it could not be proved that what `{}` requires holds here: {}",
                    func.name,
                    unproved(self, &cond)
                );
                self.found.push(
                    Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"),
                );
            }
        }
    }

    /// Checks the limits that a function leaves to its callers: sizes that are at most a constant.
    pub(super) fn passed_limits(&mut self, func: FuncId, scalars: &[Scalar], span: SpanId) {
        let lowered = self.lowered;
        let func = &lowered.funcs[func.index()];
        for cond in &func.requires {
            let Scalar::Bin(BinOp::Le, size, most) = func.given(cond, scalars) else {
                continue;
            };
            if let Some(most) = most.as_int() {
                let what = format!("a size of `{}`", func.name);
                self.within(
                    &size,
                    &Limit {
                        what: &what,
                        least: i64::MIN,
                        most,
                        help: "",
                    },
                    span,
                );
            }
        }
    }

    /// Reports tensors that a function writes and that overlap others. One may lie over an input,
    /// as declared.
    fn apart(&mut self, func: &Func, tensors: &[View], scalars: &[Scalar], span: SpanId) {
        let place = |b: &Self, i: usize| {
            let (view, size) = (&tensors[i], b.size(tensors[i].tensor()?));
            let (home, start) = b.homes.start(view.tensor()?);
            let start = start + view.offset.clone() * size;
            let end = start.clone() + func.given(&func.tensors[i].elements, scalars) * size;
            Some((home, start, end))
        };
        for (i, written) in func
            .tensors
            .iter()
            .enumerate()
            .filter(|(_, t)| t.access != Access::Read)
        {
            for j in (0..tensors.len())
                .filter(|j| *j != i && (func.tensors[*j].access == Access::Read || *j > i))
            {
                let (Some(a), Some(b)) = (place(self, i), place(self, j)) else {
                    continue;
                };
                let same = written.over == Some(j) && self.facts.equal(&a.1, &b.1);
                if a.0 != b.0 || same || self.facts.proves_one([(&a.2, &b.1), (&b.2, &a.1)]) {
                    continue;
                }
                let names = [i, j].map(|k| func.body.tensors[k].name.clone());
                let text = format!(
                    "`{}` and `{}` of `{}` share memory; they must be apart",
                    names[0], names[1], func.name
                );
                self.found.push(Diagnostic::new(Code::J0311, span, text));
            }
        }
    }
}

fn unproved(b: &Bounds<'_>, cond: &Scalar) -> String {
    match cond {
        Scalar::Bin(BinOp::Le, low, high) => match (b.facts.as_int(low), b.facts.as_int(high)) {
            (Some(low), Some(high)) => format!("{low} <= {high}"),
            _ => "that a size is at most another".to_string(),
        },
        _ => "that a number divides a size".to_string(),
    }
}
