//! Finds the sizes that a kernel refuses, and names the axes that cause it.
//!
//! These are axes that are whole in UB in the last variant of a case, the one that is taken if no
//! other fits. Each is named with the most indices for which UB has room.
//!
//! They are found by trial. An axis is one of them if the smallest tiles of a launch with very many
//! of its indices do not fit, while all other axes have as few as they may. The trial evaluates the
//! host steps of a launch, so the answer is that of a launch.

use crate::ir::{AxisId, BinOp, HostStep, Lowered, Scalar, Signature, Variant};
use crate::lower::lowering::{Lowering, WholeAxis};
use crate::soc::Chip;
use crate::tiling::{eval, solve, Env, EvalError, Value, MAX_ELEMENTS};

/// The message of a variant whose smallest tile does not fit; other demands have messages of their
/// own.
pub const NO_TILE_FITS: &str = "not even the smallest tile of this shape fits in UB";

/// Returns advice for a launch that is refused with the message `said` because rows are too long.
pub fn advice(said: &str) -> Option<&'static str> {
    said.contains(NO_TILE_FITS).then_some(
        "cut the axis that is whole by a loop over it inside of the loop over rows, `for c in tiles(d)`, a pass for each reduction, as \
         `examples/12_softmax_online.rs` does; an order (`sort`, `topk`) needs the axis whole: keep fewer tiles alive at once",
    )
}

impl Lowering {
    /// Finds the axes that are whole in UB, and names them in the message for launches in which no
    /// tile fits. `asked` has further demands of the last variant of each case.
    pub(crate) fn name_whole(&mut self, asked: &[Vec<Scalar>], chip: &'static Chip) {
        self.whole.clear();
        for case in 0..self.lowered.cases.len() {
            let whole = whole_axes(self, case, asked.get(case).map_or(&[], |asked| asked), chip);
            named(&mut self.lowered, case, &whole);
            for own in whole {
                match self.whole.iter_mut().find(|other| other.axis == own.axis) {
                    Some(other) => other.most = other.most.min(own.most),
                    None => self.whole.push(own),
                }
            }
        }
        self.whole.sort_by_key(|whole| whole.axis);
    }
}

/// Returns the axes that are whole in the last variant of a case. There are none if attributes
/// decide.
fn whole_axes(
    lowering: &Lowering,
    case: usize,
    asked: &[Scalar],
    chip: &'static Chip,
) -> Vec<WholeAxis> {
    let lowered = &lowering.lowered;
    let Some((at, variant)) = lowered.variants_of(case).next_back() else {
        return Vec::new();
    };
    let plan = &lowering.plans[at];
    let least = least_dims(&lowered.sig);
    let axes = (0..lowered.sig.axes.len()).filter_map(|at| {
        let fits = |n: i64| {
            let dims: Vec<i64> = least
                .iter()
                .enumerate()
                .map(|(other, least)| if other == at { n } else { *least })
                .collect();
            fits(lowered, variant, &plan.bytes, asked, chip, &dims)
        };
        // A kernel that is too large at the smallest sizes gets another error.
        if !fits(least[at])? || fits(MAX_ELEMENTS)? {
            return None;
        }
        let bytes = |n: i64| fits(n).map(|fits| i64::from(!fits)).ok_or(());
        let most = solve(1, MAX_ELEMENTS, 0, bytes).ok()?;
        Some(WholeAxis {
            axis: AxisId(at as u32),
            most,
        })
    });
    axes.collect()
}

/// Returns true if the smallest tiles of a variant fit; `None` if attributes decide.
fn fits(
    lowered: &Lowered,
    variant: &Variant,
    bytes: &Scalar,
    asked: &[Scalar],
    chip: &'static Chip,
    dims: &[i64],
) -> Option<bool> {
    let no_attrs = vec![None; lowered.sig.params.len()];
    let mut env = Env {
        dims,
        attrs: &no_attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    for step in lowered.steps(variant) {
        match step {
            HostStep::Let { var, value } => match eval(value, &env) {
                Ok(value) => env.set(*var, value),
                Err(EvalError::Overflow) => return Some(false),
                // The value depends on an attribute; so do all steps that use it.
                Err(_) => {}
            },
            HostStep::Solve { var, step, .. } => env.set(*var, Value::Int(*step)),
            HostStep::Require { cond, message, .. } if message.starts_with(NO_TILE_FITS) => {
                if !holds(cond, &env)? {
                    return Some(false);
                }
            }
            HostStep::Require { .. } | HostStep::Fits { .. } => {}
        }
    }
    for cond in asked {
        if !holds(cond, &env)? {
            return Some(false);
        }
    }
    match eval(bytes, &env).and_then(Value::as_int) {
        Ok(bytes) => Some(bytes <= chip.ub_usable()),
        Err(EvalError::Overflow) => Some(false),
        Err(_) => None,
    }
}

/// Evaluates a demand. It fails for numbers beyond 64 bits; `None` if attributes decide.
fn holds(cond: &Scalar, env: &Env<'_>) -> Option<bool> {
    match eval(cond, env).and_then(Value::as_bool) {
        Ok(holds) => Some(holds),
        Err(EvalError::Overflow) => Some(false),
        Err(_) => None,
    }
}

/// Adds the axes to the message for launches in which no tile fits.
fn named(lowered: &mut Lowered, case: usize, whole: &[WholeAxis]) {
    let Some(said) = said(&lowered.sig, whole, "it") else {
        return;
    };
    for step in lowered
        .variants
        .iter_mut()
        .filter(|variant| variant.case == case)
        .flat_map(|variant| &mut variant.steps)
    {
        if let HostStep::Require { message, .. } = step {
            if message.starts_with(NO_TILE_FITS) {
                *message = format!("{NO_TILE_FITS} ({said})");
            }
        }
    }
}

/// Says which axes are whole in UB, which is called `place`; `None` if there are none.
pub(crate) fn said(sig: &Signature, whole: &[WholeAxis], place: &str) -> Option<String> {
    let name = |of: &WholeAxis| sig.axes[of.axis.index()].name.as_str();
    match whole {
        [] => None,
        [one] => Some(format!(
            "`{}` is whole in {place}: at most {} here",
            name(one),
            one.most
        )),
        [all @ .., last] => {
            let list = |of: &dyn Fn(&WholeAxis) -> String| {
                format!(
                    "{} and {}",
                    all.iter().map(of).collect::<Vec<_>>().join(", "),
                    of(last)
                )
            };
            let (names, most) = (
                list(&|of| format!("`{}`", name(of))),
                list(&|of| of.most.to_string()),
            );
            Some(format!(
                "{names} are whole in {place}: alone at most {most} here"
            ))
        }
    }
}

/// Returns the smallest size of each axis that the facts allow: constants of `require(n >= 8)`,
/// else 1.
pub(crate) fn least_dims(sig: &Signature) -> Vec<i64> {
    let mut least = vec![1; sig.axes.len()];
    for fact in &sig.facts {
        collect(&fact.cond, &mut least);
    }
    least
}

fn collect(cond: &Scalar, least: &mut [i64]) {
    let Scalar::Bin(op, a, b) = cond else { return };
    let (axis, value) = match (op, &**a, &**b) {
        (BinOp::And, a, b) => {
            collect(a, least);
            return collect(b, least);
        }
        (BinOp::Ge | BinOp::Eq, Scalar::Axis(x), Scalar::Int(n)) => (x, *n),
        (BinOp::Gt, Scalar::Axis(x), Scalar::Int(n)) => (x, n.saturating_add(1)),
        (BinOp::Le | BinOp::Eq, Scalar::Int(n), Scalar::Axis(x)) => (x, *n),
        (BinOp::Lt, Scalar::Int(n), Scalar::Axis(x)) => (x, n.saturating_add(1)),
        _ => return,
    };
    least[axis.index()] = least[axis.index()].max(value);
}
