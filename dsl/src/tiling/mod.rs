//! Host tiling: the numbers that are computed before a launch, from shapes and attributes.
//!
//! [`evaluate`] runs the host steps of a [`Lowered`] kernel. `codegen` prints these steps as a C++
//! tiling function; a property test compiles that and compares both.

mod bind;
mod eval;

pub use crate::scalar::{EvalError, Value};
pub use bind::{bind, bind_attrs, bind_shapes, many_axes, BindError};
pub use eval::{eval, Env};

use crate::ir::{AxisId, Dim, GivenSize, HostStep, Lowered, Scalar, Signature, VarId};
use crate::soc::Chip;

/// The host's decisions for one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiling {
    /// Index into [`Lowered::variants`].
    pub variant: usize,
    /// Selector of the variant among all instances; see [`tiling_key`].
    pub key: i64,
    /// Number of blocks.
    pub block_dim: i64,
    /// Bytes of workspace.
    pub workspace: i64,
    /// Every host variable that was computed, by [`VarId`].
    pub vars: Vec<Option<Value>>,
    /// The fields of the tiling data, in order.
    pub fields: Vec<(String, Value)>,
}

/// The reason that a launch is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum TilingError {
    /// A scalar that cannot be computed.
    Eval(EvalError),
    /// A requirement that does not hold.
    Require(String),
}

impl std::fmt::Display for TilingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TilingError::Eval(e) => e.fmt(f),
            TilingError::Require(message) => f.write_str(message),
        }
    }
}
impl std::error::Error for TilingError {}

impl From<EvalError> for TilingError {
    fn from(e: EvalError) -> Self {
        TilingError::Eval(e)
    }
}

/// The most elements that a tensor may have.
///
/// It is more than any memory holds. Sizes computed from it, such as the bytes of a buffer with
/// many rows, stay far below 64 bits.
pub const MAX_ELEMENTS: i64 = 1 << 40;

/// Axes whose sizes have a product of at most [`MAX_ELEMENTS`], taken in order.
pub struct SizeLimit {
    pub axes: Vec<AxisId>,
    /// Message for a larger product.
    pub message: String,
}

impl SizeLimit {
    fn holds(&self, dims: &[i64]) -> bool {
        let mut elements = 1i64;
        self.axes.iter().all(|axis| {
            let size = dims.get(axis.index()).copied().unwrap_or(0);
            let product = elements
                .checked_mul(size)
                .filter(|n| size <= MAX_ELEMENTS && *n <= MAX_ELEMENTS);
            elements = product.unwrap_or(0);
            product.is_some()
        })
    }
}

/// Returns the limits of a launch: for each tensor its axes up to the first computed size, without
/// lists that begin another one.
pub fn size_limits(sig: &Signature) -> Vec<SizeLimit> {
    let mut limits: Vec<SizeLimit> = Vec::new();
    let said = |name: &str| format!("`{name}` has more than {MAX_ELEMENTS} elements");
    for (id, param, _, _) in sig.tensors() {
        let axes: Vec<AxisId> = sig.shape(id).iter().map_while(Dim::axis).collect();
        // Sizes that are all computed have no limit of their own.
        if !axes.is_empty() && !limits.iter().any(|l| l.axes.starts_with(&axes)) {
            limits.retain(|l| !axes.starts_with(&l.axes));
            limits.push(SizeLimit {
                axes,
                message: said(&param.name),
            });
        }
    }
    for (i, axis) in sig.axes.iter().enumerate() {
        let id = AxisId(i as u32);
        if !limits.iter().any(|l| l.axes.contains(&id)) {
            limits.push(SizeLimit {
                axes: vec![id],
                message: said(&axis.name),
            });
        }
    }
    limits
}

/// Returns the tiling key of a variant, from 1 on.
pub const fn tiling_key(lowered: &Lowered, variant: usize) -> i64 {
    lowered.instance as i64 * lowered.keys + variant as i64 + 1
}

/// Runs the host steps of `lowered` for sizes of the named axes and values of the attributes.
///
/// `dims` has one entry an axis, `attrs` one a parameter (`None` for tensors). `chip` is the chip
/// of the launch and gives the cores. The UB that is planned with is that of the smaller chip: this
/// one, or the one that the kernel was lowered for.
///
/// # Errors
/// Fails where a requirement does not hold, or a scalar overflows or divides by zero.
pub fn evaluate(
    lowered: &Lowered,
    chip: &Chip,
    dims: &[i64],
    attrs: &[Option<Value>],
) -> Result<Tiling, TilingError> {
    if let Some(limit) = size_limits(&lowered.sig)
        .into_iter()
        .find(|l| !l.holds(dims))
    {
        return Err(TilingError::Require(limit.message));
    }
    let mut env = Env {
        dims,
        attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    let Some(case) = case_of(lowered, &env)? else {
        return Err(TilingError::Require(
            "no case of the kernel takes this launch".into(),
        ));
    };
    run_steps(&lowered.cases[case].steps, &mut env)?;
    for (variant, v) in lowered.variants_of(case) {
        if eval(&v.when, &env)?.as_bool()? {
            run_steps(&v.steps, &mut env)?;
            let block_dim = eval(&v.block_dim, &env)?.as_int()?;
            let workspace = eval(&v.workspace, &env)?.as_int()?;
            let fields = v
                .fields
                .iter()
                .map(|id| Ok((v.body.var(*id).name.clone(), env.var(*id)?)))
                .collect::<Result<_, EvalError>>()?;
            let key = tiling_key(lowered, variant);
            return Ok(Tiling {
                variant,
                key,
                block_dim,
                workspace,
                vars: env.vars,
                fields,
            });
        }
    }
    Err(TilingError::Require(
        "no variant of the kernel takes this shape".into(),
    ))
}

/// True where a launch satisfies all facts of a signature. A kernel behind a pass has the facts of
/// its case as well.
pub fn keeps_facts(sig: &Signature, chip: &Chip, dims: &[i64], attrs: &[Option<Value>]) -> bool {
    let env = Env {
        dims,
        attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    sig.facts
        .iter()
        .all(|fact| eval(&fact.cond, &env).and_then(Value::as_bool) == Ok(true))
}

/// Finds the case of a launch.
fn case_of(lowered: &Lowered, env: &Env<'_>) -> Result<Option<usize>, EvalError> {
    for (at, case) in lowered.cases.iter().enumerate() {
        if eval(&case.when, env)?.as_bool()? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn run_steps(steps: &[HostStep], env: &mut Env<'_>) -> Result<(), TilingError> {
    // Bytes that the smallest tile would need, where a solver step found none.
    let mut missing: Vec<(VarId, String)> = Vec::new();
    for step in steps {
        match step {
            HostStep::Let { var, value } => {
                let value = eval(value, env)?;
                env.set(*var, value);
            }
            HostStep::Solve {
                var,
                step,
                max,
                bytes,
                limit,
            } => {
                let max = eval(max, env)?.as_int()?;
                let limit = usable(*limit, env);
                let (found, least) = solve_in(env, *var, *step, max, limit, bytes)?;
                env.set(*var, Value::Int(found));
                if found == 0 {
                    missing.push((*var, needed_bytes(least, limit)));
                }
            }
            HostStep::Fits {
                bytes,
                limit,
                given,
            } => {
                let needed = eval(bytes, env)?.as_int()?;
                let limit = usable(*limit, env);
                if needed > limit {
                    let text = HostStep::does_not_fit(given.as_ref());
                    let fitting = given
                        .as_ref()
                        .map(|size| largest_given(size, env, limit, bytes))
                        .transpose()?
                        .unwrap_or_default();
                    return Err(TilingError::Require(format!(
                        "{text}{}{fitting}",
                        needed_bytes(needed, limit)
                    )));
                }
            }
            HostStep::Require { cond, message, .. } => {
                if !eval(cond, env)?.as_bool()? {
                    let why = missing
                        .iter()
                        .find(|(var, _)| cond.mentions(*var))
                        .map_or("", |(_, why)| why);
                    return Err(TilingError::Require(format!("{message}{why}")));
                }
            }
        }
    }
    Ok(())
}

/// Returns the bytes of UB to plan with on the launch's chip, which may not be the one of the
/// lowering.
fn usable(limit: i64, env: &Env<'_>) -> i64 {
    limit.min(env.chip.ub_usable())
}

/// Writes the end of a message about too little UB.
fn needed_bytes(needed: i64, usable: i64) -> String {
    format!(": {needed} bytes are needed, {usable} usable")
}

/// Returns the value of a solver step, and the bytes of the smallest candidate.
///
/// A footprint that overflows 64 bits, or has no value for another reason, is too large.
fn solve_in(
    env: &mut Env<'_>,
    var: VarId,
    step: i64,
    max: i64,
    limit: i64,
    bytes: &Scalar,
) -> Result<(i64, i64), EvalError> {
    let mut at = |candidate| {
        env.set(var, Value::Int(candidate));
        match eval(bytes, env) {
            Err(EvalError::Overflow | EvalError::DivisionByZero | EvalError::NegativeDivisor) => {
                Ok(i64::MAX)
            }
            bytes => bytes?.as_int(),
        }
    };
    let found = solve(step, max, limit, &mut at)?;
    Ok((found, at(step)?))
}

/// Writes which value would fit in place of a given size that is too large.
fn largest_given(
    size: &GivenSize,
    env: &Env<'_>,
    limit: i64,
    bytes: &Scalar,
) -> Result<String, EvalError> {
    let given = env.var(size.var)?.as_int()?;
    let (largest, _) = solve_in(&mut env.clone(), size.var, size.step, given, limit, bytes)?;
    Ok(match largest {
        0 => format!("; not even `{}` {} fits", size.name, size.step),
        n => format!("; `{}` is {given}, {n} fits", size.name),
    })
}

/// Finds the largest multiple of `step`, up to `max` rounded up to one, whose footprint is at most
/// `limit`. Returns 0 where even `step` is too large.
///
/// It bisects: the footprint never falls when the candidate grows.
///
/// # Errors
/// Those of `bytes`.
pub fn solve<E>(
    step: i64,
    max: i64,
    limit: i64,
    mut bytes: impl FnMut(i64) -> Result<i64, E>,
) -> Result<i64, E> {
    let most = i64::MAX / step;
    let (mut low, mut high) = (0, ((max.max(1) - 1) / step + 1).min(most));
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if bytes(middle * step)? <= limit {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Ok(low * step)
}

impl Tiling {
    /// Returns the value of a host variable, `None` where the chosen variant did not compute it.
    pub fn var(&self, id: VarId) -> Option<Value> {
        self.vars.get(id.index()).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_finds_the_largest_that_fits() {
        let fits = |limit| solve::<()>(64, 100_000, limit, |n| Ok(n * 8)).unwrap();
        assert_eq!(fits(8 * 64), 64);
        assert_eq!(fits(8 * 64 - 1), 0);
        assert_eq!(fits(188_160), 23_488);
        assert_eq!(solve::<()>(64, 65, i64::MAX, Ok).unwrap(), 128);
        assert_eq!(solve::<()>(64, 0, i64::MAX, Ok).unwrap(), 64);
    }
}
