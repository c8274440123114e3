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

/// One outcome of the conditions that the host decides, and the steps that it takes then before it chooses a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its conditions in words: `bias.is_some()`, `!tanh`; none where there is one case.
    pub conditions: Vec<String>,
    /// All of them as one, over axes and attributes; that of exactly one case holds in each launch.
    pub when: Scalar,
    /// Steps before a variant is chosen.
    pub steps: Vec<HostStep>,
    /// Their variables.
    pub vars: Vec<VarDecl>,
}
text_struct!(Case "case" { conditions, when, steps, vars } line true);

impl Case {
    /// That of a kernel without such conditions.
    pub fn only(steps: Vec<HostStep>, vars: Vec<VarDecl>) -> Case {
        Case {
            conditions: Vec::new(),
            when: Scalar::Bool(true),
            steps,
            vars,
        }
    }
    /// Its conditions, as messages and comments list them.
    pub fn said(&self) -> String {
        self.conditions.join(", ")
    }
}

/// One body of a lowered kernel, with the host condition under which it is chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Short name: `resident`, `streamed`, `tiles`.
    pub name: String,
    /// The case that it is of, an index into [`Lowered::cases`].
    pub case: usize,
    /// Host condition; the first variant of the case whose condition holds is taken. The last one is `true`.
    pub when: Scalar,
    /// Steps of this variant only, after those of its case and only when it is chosen.
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
    /// Queue-dialect body. Its `vars` begin with the variables of its case.
    pub body: Body,
}
text_struct!(Variant "variant" { name, case, when, steps, block_dim, workspace, fields, known, memory, once, body } line true);

/// A kernel lowered for one dtype instance on one chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// What callers see.
    pub sig: Signature,
    /// Index into [`Signature::instances`].
    pub instance: usize,
    /// Chip name.
    pub chip: String,
    /// Tiling keys that each instance of the kernel has, used or not.
    pub keys: i64,
    /// Outcomes that the host tells apart first; one case where it decides no condition of the kernel.
    pub cases: Vec<Case>,
    /// Device functions; each calls those before it only.
    pub funcs: Vec<Arc<Func>>,
    /// Variants, those of the first case first, in the order in which their conditions are tried.
    pub variants: Vec<Variant>,
    /// Source locations, indexed by [`super::SpanId`].
    pub spans: Vec<SourceSpan>,
}
text_struct!(Lowered "lowered" { sig, instance, chip, keys, cases, funcs, variants, spans });

impl Variant {
    /// True for a share of what only a core knows: the body computes it, or counts it in a loop.
    pub(crate) fn is_shared_on_core(&self, known: &Known) -> bool {
        let Known::Share {
            start,
            len,
            total: Scalar::Var(total),
            ..
        } = known
        else {
            return false;
        };
        let mut computed = false;
        self.body.walk(&mut |s| {
            computed |= matches!(&s.kind, StmtKind::LetScalar { var, .. } | StmtKind::For { var, .. } if var == total);
        });
        let changes = self
            .body
            .vars
            .get(total.index())
            .is_none_or(|decl| decl.mutable);
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
    /// Tiling keys of an instance with few variants.
    pub const KEYS: i64 = 10;
    /// The case of one of its variants.
    pub fn case(&self, variant: &Variant) -> &Case {
        &self.cases[variant.case]
    }
    /// The variants of a case, each with its index among all.
    pub fn variants_of(&self, case: usize) -> impl DoubleEndedIterator<Item = (usize, &Variant)> {
        self.variants
            .iter()
            .enumerate()
            .filter(move |(_, variant)| variant.case == case)
    }
    /// True for the only variant of its case.
    pub fn is_alone(&self, variant: &Variant) -> bool {
        self.variants_of(variant.case).count() == 1
    }
    /// True for the variant that takes what the others of its case leave.
    pub fn is_last(&self, at: usize) -> bool {
        self.variants
            .get(at + 1)
            .is_none_or(|next| next.case != self.variants[at].case)
    }
    /// The host's steps on the way to a variant, in order.
    pub fn steps<'a>(&'a self, variant: &'a Variant) -> impl Iterator<Item = &'a HostStep> {
        self.case(variant).steps.iter().chain(&variant.steps)
    }
    /// The dtypes of this instance, one a dtype parameter.
    pub fn binding(&self) -> &[DType] {
        &self.sig.instances[self.instance]
    }
}
