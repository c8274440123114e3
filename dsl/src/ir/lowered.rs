//! The result of lowering a kernel for one dtype instance on one chip: host steps and variants.
//!
//! Start reading at [`Lowered`], then [`Case`] and [`Variant`].

use super::queue::Body;
use super::text::{text_enum, text_struct};
use super::{Func, Memory, ParamId, Scalar, Signature, SourceSpan, StmtKind, VarDecl, VarId};
use crate::dtype::DType;
use std::sync::Arc;

/// One step of host tiling, evaluated in order.
#[derive(Clone, Debug, PartialEq)]
pub enum HostStep {
    /// Computes a scalar.
    Let { var: VarId, value: Scalar },
    /// Finds the largest multiple of `step` whose `bytes` are at most `limit`, up to `max` rounded
    /// up to a multiple of `step`.
    ///
    /// The result is 0 where even `step` is too large. `bytes` never falls when `var` grows.
    Solve {
        /// The variable solved for.
        var: VarId,
        /// Granularity and smallest value.
        step: i64,
        /// No larger value is useful.
        max: Scalar,
        /// Footprint in bytes, a formula in `var`.
        bytes: Scalar,
        /// Bytes available in UB.
        limit: i64,
    },
    /// Demands that a footprint fits.
    Fits {
        /// Footprint in bytes.
        bytes: Scalar,
        /// Bytes available in UB.
        limit: i64,
        /// The author's size that decides the footprint, if there is one.
        given: Option<GivenSize>,
    },
    /// A condition without which the kernel must not be launched.
    Require {
        cond: Scalar,
        /// Message to the caller, in terms of the parameters.
        message: String,
        /// True for a requirement of one field of a call. The prover takes no fact from it.
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
    /// Name that an author uses: `tile_length`, `rows`.
    pub name: String,
    /// The variable with this size.
    pub var: VarId,
    pub step: i64,
}
text_struct!(GivenSize "given" { name, var, step });

impl HostStep {
    /// Returns the variable that a step sets.
    pub fn sets(&self) -> Option<VarId> {
        match self {
            HostStep::Let { var, .. } | HostStep::Solve { var, .. } => Some(*var),
            HostStep::Fits { .. } | HostStep::Require { .. } => None,
        }
    }

    /// Returns the message where [`HostStep::Fits`] does not hold, without the numbers of a launch.
    pub fn does_not_fit(given: Option<&GivenSize>) -> String {
        match given {
            Some(size) => format!("this `{}` needs more UB than there is", size.name),
            None => "queues and buffers of this shape exceed UB".to_string(),
        }
    }
}

/// A fact of the lowering about a variable, besides what the statements say.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// A block's share of `0..total`. Each element is in the share of one block. Both ends are
    /// multiples of `unit`, except the end of the last share.
    Share {
        /// First element of the share.
        start: VarId,
        /// Number of elements.
        len: VarId,
        /// Number of elements that are divided.
        total: Scalar,
        unit: i64,
    },
    /// A host variable that is at most another, and 0 only where the other is.
    Part {
        /// The smaller variable.
        part: VarId,
        /// The larger variable.
        of: VarId,
    },
    /// A range whose length is known only on the core, and its greatest length if the author keeps
    /// his promises. No proof relies on it; the cost model uses it as the length.
    Most {
        /// Variable with the length.
        var: VarId,
        /// Upper bound of the length.
        most: Scalar,
    },
}
text_enum!(Known { Share = "share" { start, len, total, unit }, Part = "part" { part, of }, Most = "most" { var, most } } line true);

/// An input that the cores together read once, so L2 need not keep it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOnce {
    pub param: ParamId,
    /// Host variable that is true where L2 cannot hold the input.
    pub exceeds_l2: VarId,
}
text_struct!(ReadOnce "once" { param, exceeds_l2 });

/// One outcome of the conditions that the host decides, with the steps before it chooses a variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Conditions in words: `bias.is_some()`, `!tanh`; empty where there is one case.
    pub conditions: Vec<String>,
    /// Conjunction of the conditions, over axes and attributes. It holds for exactly one case of
    /// each launch.
    pub when: Scalar,
    /// Steps before a variant is chosen.
    pub steps: Vec<HostStep>,
    /// Variables that the steps set.
    pub vars: Vec<VarDecl>,
}
text_struct!(Case "case" { conditions, when, steps, vars } line true);

impl Case {
    /// Makes the case of a kernel without such conditions.
    pub fn only(steps: Vec<HostStep>, vars: Vec<VarDecl>) -> Case {
        Case {
            conditions: Vec::new(),
            when: Scalar::Bool(true),
            steps,
            vars,
        }
    }
    /// Returns the conditions as messages and comments list them.
    pub fn said(&self) -> String {
        self.conditions.join(", ")
    }
}

/// One body of a lowered kernel, with the host condition that selects it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Short name: `resident`, `streamed`, `tiles`.
    pub name: String,
    /// Index of its case in [`Lowered::cases`].
    pub case: usize,
    /// Host condition. The first variant of the case whose condition holds is taken; the last one
    /// is `true`.
    pub when: Scalar,
    /// Steps of this variant alone, after those of its case and only when it is chosen.
    pub steps: Vec<HostStep>,
    /// Number of blocks to launch.
    pub block_dim: Scalar,
    /// Bytes of workspace that the kernel asks for.
    pub workspace: Scalar,
    /// Host variables that the body reads, in the order of the tiling data.
    pub fields: Vec<VarId>,
    /// Facts about variables of the body.
    pub known: Vec<Known>,
    /// Queues and buffers in the order in which TPipe hands out their memory.
    pub memory: Vec<Memory>,
    /// Inputs for which a chip with an L2 hint is told that they are read once.
    pub once: Vec<ReadOnce>,
    /// Queue-dialect body. Its `vars` begin with the variables of its case.
    pub body: Body,
}
text_struct!(Variant "variant" { name, case, when, steps, block_dim, workspace, fields, known, memory, once, body } line true);

/// A kernel lowered for one dtype instance on one chip.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// The signature that callers see.
    pub sig: Signature,
    /// Index into [`Signature::instances`].
    pub instance: usize,
    pub chip: String,
    /// Tiling keys that each instance of the kernel has, used or not.
    pub keys: i64,
    /// Outcomes that the host tells apart first; one case where it decides no condition of the
    /// kernel.
    pub cases: Vec<Case>,
    /// Device functions; each calls only those before it.
    pub funcs: Vec<Arc<Func>>,
    /// Variants, those of the first case first, in the order in which their conditions are tried.
    pub variants: Vec<Variant>,
    /// Source locations, indexed by [`super::SpanId`].
    pub spans: Vec<SourceSpan>,
}
text_struct!(Lowered "lowered" { sig, instance, chip, keys, cases, funcs, variants, spans });

impl Variant {
    /// True for a share of a number that only a core knows: the body computes it, or counts it in a
    /// loop.
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

    /// Returns first element and length of each share of a block.
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
    /// Returns the case of one of its variants.
    pub fn case(&self, variant: &Variant) -> &Case {
        &self.cases[variant.case]
    }
    /// Returns the variants of a case, each with its index among all.
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
    /// True for the last variant of its case, which takes the remaining launches.
    pub fn is_last(&self, at: usize) -> bool {
        self.variants
            .get(at + 1)
            .is_none_or(|next| next.case != self.variants[at].case)
    }
    /// Returns the host's steps on the way to a variant, in order.
    pub fn steps<'a>(&'a self, variant: &'a Variant) -> impl Iterator<Item = &'a HostStep> {
        self.case(variant).steps.iter().chain(&variant.steps)
    }
    /// Returns the dtypes of this instance, one for each dtype parameter.
    pub fn binding(&self) -> &[DType] {
        &self.sig.instances[self.instance]
    }
}
