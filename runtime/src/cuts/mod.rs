//! The judge of cuts: runs a kernel on small launches of its own, cuts its loops in many ways,
//! divides them among blocks, and compares.
//!
//! It knows no rule of what may be merged. Numbers are exact (`number`), so two right cuts agree,
//! and any difference is a mistake of the kernel. Where no law is known (a logarithm of a product),
//! doubles decide. Every launch meets the promises and requirements of the kernel (`draw`). `run`
//! reads the source independently of the tile interpreter.
//!
//! It leaves out rounding, numbers that wrap, nan in data, and the order of stores of several
//! blocks.
//!
//! Start reading at [`judge`].

mod draw;
mod number;
mod run;
#[cfg(test)]
mod tests;

use crate::tile::Cut;
use draw::{Literals, Random};
use jumar_dsl::ir::tile::Body;
use jumar_dsl::ir::{Kernel, SpanId, StmtKind, TileStmt};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::Value;
use number::Number;
use run::{How, Runner, Stop};
use std::fmt;

/// The effort of a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Launches for each kernel.
    pub draws: usize,
    /// Elements that one launch may compute.
    pub elements: u64,
}

impl Effort {
    /// Full effort, for kernels that nobody waits for.
    pub const FULL: Effort = Effort {
        draws: 8,
        elements: 400_000,
    };
    /// For a judgement beside a run on the caller's data.
    pub const BESIDE: Effort = Effort {
        draws: 5,
        elements: 60_000,
    };
}

/// The result of a judgement.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every cut gave equal results.
    ///
    /// Some launches may have elements without a value, such as a quotient by 0. Such elements were
    /// not compared.
    Equal {
        /// Launches that were run.
        draws: usize,
        /// Launches with elements that were not compared.
        poles: usize,
    },
    /// Two cuts differ.
    Differs(Box<Difference>),
    /// No launch ran to its end, for this reason.
    NotRun(String),
}

/// The first element that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    pub name: String,
    /// The first store to the parameter in the text.
    pub span: SpanId,
    /// The element's row-major index.
    pub element: usize,
    /// The two values, or why a run stopped.
    pub values: [String; 2],
    /// The cut of each run.
    pub cuts: [String; 2],
    /// Sizes and attributes of the launch.
    pub launch: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            name,
            element,
            values: [a, b],
            cuts: [whole, other],
            launch,
            ..
        } = self;
        write!(
            f,
            "element {element} of `{name}` is {a} where {whole} and {b} where {other} ({launch})"
        )
    }
}

impl Cut {
    /// Returns the words that follow `where loops are `.
    pub fn words(self) -> String {
        match self {
            Cut::Whole => "whole".to_string(),
            Cut::Halves => "cut in halves".to_string(),
            Cut::Singles => "cut in single indices".to_string(),
            Cut::By(step) => format!("cut in runs of {step}"),
            Cut::Uneven(_) => "cut unevenly".to_string(),
        }
    }
}

impl How {
    fn words(self) -> String {
        let cut = format!("loops are {}", self.cut.words());
        match self.blocks {
            1 => cut,
            n => format!("{cut} and divided among {n} blocks"),
        }
    }
}

/// A tile kernel that is judged, in an instance on a chip.
#[derive(Clone, Copy)]
struct Subject<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    instance: usize,
    chip: &'a Chip,
}

/// Returns the cuts to run; the others are compared with the first one.
fn ways(literals: &Literals, seed: u64) -> Vec<How> {
    let alone = [
        Cut::Whole,
        Cut::Halves,
        Cut::Singles,
        Cut::Uneven(seed),
        Cut::Uneven(seed.wrapping_add(1)),
    ];
    let lengths = literals
        .lengths
        .iter()
        .flat_map(|c| [c - 1, *c, c + 1])
        .filter(|step| *step > 0)
        .map(Cut::By);
    let divided = [
        (Cut::Halves, 2),
        (Cut::Singles, 2),
        (Cut::Singles, 3),
        (Cut::Uneven(seed), 2),
        (Cut::Uneven(seed), 3),
    ];
    let one = alone
        .into_iter()
        .chain(lengths)
        .map(|cut| How { cut, blocks: 1 });
    one.chain(divided.map(|(cut, blocks)| How { cut, blocks }))
        .collect()
}

/// Returns lengths of iterations near the numbers that a kernel decides by.
pub(crate) fn lengths(body: &Body) -> Vec<i64> {
    let all = Literals::of(body).lengths;
    all.iter()
        .flat_map(|c| [c - 1, *c, c + 1])
        .filter(|step| *step > 0)
        .collect()
}

/// Judges an instance of a kernel on launches that a seed draws.
pub fn judge(
    (kernel, instance, chip): (&Kernel, usize, &Chip),
    effort: Effort,
    seed: u64,
) -> Verdict {
    let Some(body) = kernel.tiles() else {
        return Verdict::NotRun("a kernel of the queue level says its cuts itself".to_string());
    };
    let of = Subject {
        kernel,
        body,
        instance,
        chip,
    };
    let literals = Literals::of(body);
    let ways = ways(&literals, seed);
    let mut random = Random(seed);
    let (mut draws, mut poles, mut why) = (0, 0, "no sizes were found that it takes".to_string());
    for nth in 0..effort.draws {
        let Some(draw) = draw::draw(of, &literals, nth, &mut random) else {
            continue;
        };
        let run = |how| Runner::run(of, &draw, how, effort.elements);
        let first = match run(ways[0]) {
            Ok(first) => first,
            Err(Stop::Fault(text) | Stop::Unknown(text)) => {
                why = text;
                continue;
            }
        };
        draws += 1;
        let mut has_pole = false;
        for how in &ways[1..] {
            let other = match run(*how) {
                Ok(other) => other,
                Err(Stop::Unknown(_)) => continue,
                Err(Stop::Fault(text)) => {
                    let values = [
                        "a number".to_string(),
                        format!("none, for the kernel stops at {text},"),
                    ];
                    return differs(kernel, &draw, (0, 0), values, [ways[0], *how]);
                }
            };
            for (at, (a, b)) in first.iter().zip(&other).enumerate() {
                let (Some(a), Some(b)) = (a, b) else { continue };
                for (element, (a, b)) in a.iter().zip(b).enumerate() {
                    match (a, b) {
                        (Some(a), Some(b)) if a.is_same(*b) => {}
                        (Some(a), Some(b)) if a.is_pole() || b.is_pole() => has_pole = true,
                        (None, None) => {}
                        (a, b) => {
                            return differs(
                                kernel,
                                &draw,
                                (at, element),
                                [shown(*a), shown(*b)],
                                [ways[0], *how],
                            )
                        }
                    }
                }
            }
        }
        poles += usize::from(has_pole);
    }
    match draws {
        0 => Verdict::NotRun(why),
        draws => Verdict::Equal { draws, poles },
    }
}

fn shown(v: Option<Number>) -> String {
    v.map_or("without a value".to_string(), |v| v.double().to_string())
}

fn differs(
    kernel: &Kernel,
    draw: &run::Draw,
    (param, element): (usize, usize),
    values: [String; 2],
    how: [How; 2],
) -> Verdict {
    let sig = &kernel.sig;
    let param = sig
        .params
        .get(param)
        .filter(|_| !values[1].starts_with("none,"))
        .or_else(|| {
            sig.tensors()
                .find(|(id, ..)| !sig.is_input(*id))
                .map(|(_, param, ..)| param)
        });
    let (name, span) = param.map_or((String::new(), SpanId(0)), |param| {
        (param.name.clone(), stored(kernel, &param.name))
    });
    let sizes = sig
        .axes
        .iter()
        .zip(&draw.dims)
        .map(|(axis, size)| format!("{} = {size}", axis.name));
    let attrs = sig.attrs().filter_map(|(id, param, ..)| {
        Some(format!(
            "{} = {}",
            param.name,
            number(draw.attrs[id.index()]?)
        ))
    });
    let launch = sizes.chain(attrs).collect::<Vec<_>>().join(", ");
    Verdict::Differs(Box::new(Difference {
        name,
        span,
        element,
        values,
        cuts: how.map(How::words),
        launch,
    }))
}

/// Returns the first store in the text to a tensor, or its declaration.
pub(crate) fn stored(kernel: &Kernel, name: &str) -> SpanId {
    let mut found = None;
    kernel.tiles().into_iter().for_each(|body| {
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) = &s.kind
            {
                let is_own = to
                    .param()
                    .is_some_and(|id| kernel.sig.param(id).name == name);
                found = found.or(is_own.then_some(s.span));
            }
        })
    });
    let declared = kernel
        .sig
        .params
        .iter()
        .find(|param| param.name == name)
        .map(|param| param.span);
    found.or(declared).unwrap_or(SpanId(0))
}

fn number(v: Value) -> String {
    match v {
        Value::Int(v) => v.to_string(),
        Value::I32(v) => v.to_string(),
        Value::F32(v) => v.to_string(),
        Value::Bool(v) => v.to_string(),
    }
}
