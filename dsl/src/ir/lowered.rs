//! What lowering makes of a kernel for one dtype instance on one chip: host steps and variants.

use super::queue::Body;
use super::text::{text_enum, text_struct};
use super::{Func, Memory, ParamId, Scalar, Signature, SourceSpan, StmtKind, VarDecl, VarId};
use crate::dtype::DType;
use std::sync::Arc;

/// One step of host tiling, evaluated in order.
#[derive(Clone, Debug, PartialEq)]
pub enum HostStep {
    /// Computes a scalar.
    Let {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Scalar,
    },
    /// The largest multiple of `step` up to `max` (rounded up to a multiple of `step`) whose `bytes` are at most
    /// `limit`; 0 where even `step` is too large. `bytes` never falls when `var` grows.
    Solve {
        /// The variable solved for.
        var: VarId,
        /// Granularity and smallest value.
        step: i64,
        /// No larger value is useful.
        max: Scalar,
        /// Footprint in bytes, a formula in `var`.
        bytes: Scalar,
        /// Bytes there are.
        limit: i64,
    },
    /// Demands that a footprint fits.
    Fits {
        /// Footprint in bytes.
        bytes: Scalar,
        /// Bytes there are.
        limit: i64,
        /// The size that the author gave, where one decides the footprint.
        given: Option<GivenSize>,
    },
    /// A condition without which the kernel must not be launched.
    Require {
        /// The condition.
        cond: Scalar,
        /// What to tell the caller, in terms of the parameters.
        message: String,
        /// True for what a field of a call alone asks for: places are not told apart by it.
        of_field: bool,
    },
}
text_enum!(HostStep {
    Let = "let" { var, value }, Solve = "solve" { var, step, max, bytes, limit }, Fits = "fits" { bytes, limit, given },
    Require = "require" { cond, message, of_field },
} line true);

/// A size that the author gave instead of having it solved for.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenSize {
    /// What an author calls it: `tile_length`, `rows`.
    pub name: String,
    /// The variable that holds it.
    pub var: VarId,
    /// Granularity.
    pub step: i64,
}
text_struct!(GivenSize "given" { name, var, step });

impl HostStep {
    /// The variable that a step sets.
    pub fn sets(&self) -> Option<VarId> {
        match self {
            HostStep::Let { var, .. } | HostStep::Solve { var, .. } => Some(*var),
            HostStep::Fits { .. } | HostStep::Require { .. } => None,
        }
    }

    /// What is wrong where [`HostStep::Fits`] does not hold, without the numbers of a launch.
    pub fn does_not_fit(given: Option<&GivenSize>) -> String {
        match given {
            Some(size) => format!("this `{}` needs more UB than there is", size.name),
            None => "queues and buffers of this shape exceed UB".to_string(),
        }
    }
}

/// What lowering knows of a variable, besides what the statements say.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// A block's share of `0..total`: of all shares each element is in one. Both ends are multiples of `unit`, the end of the
    /// last share excepted.
    Share {
        /// Its first element.
        start: VarId,
        /// How many it has.
        len: VarId,
        /// What is divided.
        total: Scalar,
        /// Granularity.
        unit: i64,
    },
    /// A host variable that is at most another, and 0 only where that is.
    Part {
        /// The smaller one.
        part: VarId,
        /// The larger one.
        of: VarId,
    },
    /// How long a range is that only a core knows, and how long it is at most where the author keeps his promises. No proof rests on it: the
    /// cost model takes it for the range.
    Most {
        /// The length.
        var: VarId,
        /// What it is never above.
        most: Scalar,
    },
}
text_enum!(Known { Share = "share" { start, len, total, unit }, Part = "part" { part, of }, Most = "most" { var, most } } line true);

/// An input that the cores together read once: L2 need not keep what is not read again.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOnce {
    /// The input.
    pub param: ParamId,
    /// True where L2 cannot hold it; a host variable.
    pub exceeds_l2: VarId,
}
text_struct!(ReadOnce "once" { param, exceeds_l2 });

/// One body of a lowered kernel, with the host condition under which it is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Short name: `resident`, `streamed`, `tiles`.
    pub name: String,
    /// Host condition; the first variant whose condition holds is taken. The last one is `true`.
    pub when: Scalar,
    /// Steps of this variant only, after the common ones and only when it is chosen.
    pub steps: Vec<HostStep>,
    /// Number of blocks to launch.
    pub block_dim: Scalar,
    /// Bytes of workspace the kernel asks for.
    pub workspace: Scalar,
    /// Host variables that the body reads, in the order of the tiling data.
    pub fields: Vec<VarId>,
    /// What is known of variables of the body.
    pub known: Vec<Known>,
    /// Queues and buffers in the order in which TPipe hands out their memory.
    pub memory: Vec<Memory>,
    /// Inputs of which chips with a hint for L2 are told that they are read once.
    pub once: Vec<ReadOnce>,
    /// Queue-dialect body. Its `vars` begin with the variables of the common steps.
    pub body: Body,
}
text_struct!(Variant "variant" { name, when, steps, block_dim, workspace, fields, known, memory, once, body } line true);

/// A kernel lowered for one dtype instance on one chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// What callers see.
    pub sig: Signature,
    /// Index into [`Signature::instances`].
    pub instance: usize,
    /// Chip name.
    pub chip: String,
    /// Common host steps, before a variant is chosen.
    pub steps: Vec<HostStep>,
    /// Variables of the common steps.
    pub vars: Vec<VarDecl>,
    /// Device functions; each calls those before it only.
    pub funcs: Vec<Arc<Func>>,
    /// Variants in the order in which their conditions are tried.
    pub variants: Vec<Variant>,
    /// Source locations, indexed by [`super::SpanId`].
    pub spans: Vec<SourceSpan>,
}
text_struct!(Lowered "lowered" { sig, instance, chip, steps, vars, funcs, variants, spans });

impl Variant {
    /// True for a share of what only a core knows: the body computes it, or counts it in a loop.
    pub(crate) fn is_shared_on_core(&self, known: &Known) -> bool {
        let Known::Share { start, len, total: Scalar::Var(total), .. } = known else { return false };
        let mut computed = false;
        self.body.walk(&mut |s| {
            computed |= matches!(&s.kind, StmtKind::LetScalar { var, .. } | StmtKind::For { var, .. } if var == total);
        });
        let changes = self.body.vars.get(total.index()).is_none_or(|decl| decl.mutable);
        computed && !changes && total != start && total != len
    }

    /// The shares of a block: first element and how many.
    pub fn shares(&self) -> impl Iterator<Item = (VarId, VarId)> + '_ {
        self.known.iter().filter_map(|known| match known {
            Known::Share { start, len, .. } => Some((*start, *len)),
            Known::Part { .. } | Known::Most { .. } => None,
        })
    }
}

impl Lowered {
    /// The dtypes of this instance, one a dtype parameter.
    pub fn binding(&self) -> &[DType] {
        &self.sig.instances[self.instance]
    }
}
