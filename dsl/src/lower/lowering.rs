//! What lowering gives: the lowered kernel, the plans of its variants, and notes.

use super::nest;
use super::type_queries::Asked;
use crate::ir::tile::Body;
use crate::ir::{AxisId, Case, Func, Kernel, Lowered, Scalar, Signature, SpanId, VarId, Variant};
use crate::soc::Chip;
use std::sync::Arc;

/// A lowered kernel and what the checker needs to judge its memory.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The kernel.
    pub lowered: Lowered,
    /// One entry a variant.
    pub plans: Vec<Plan>,
    /// What it depends on of the element types.
    pub asked: Asked,
    /// Of a kernel of several phases, what stands before each and why.
    pub notes: Vec<Note>,
    /// Where elements are copied one by one, which is slow.
    pub slow: Vec<Note>,
    /// Where two passes of a streamed form are one.
    pub joined: Vec<Note>,
    /// What becomes of a loop that is split along an axis.
    pub split: Vec<Note>,
    /// Conditions of the host that are asked on the core.
    pub branches: Vec<Note>,
    /// The axes that tiles have from end to end where no variant cuts them.
    pub whole: Vec<WholeAxis>,
}

/// An axis of the signature that tiles have from end to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeAxis {
    /// The axis.
    pub axis: AxisId,
    /// The most indices that it may have, where other axes have as few as they may.
    pub most: i64,
}

/// What the lowering did at a place, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The place.
    pub span: SpanId,
    /// In a sentence.
    pub text: String,
}

impl Lowering {
    /// A kernel of one case with its variants, and nothing to say of it.
    pub fn of_case(
        kernel: &Kernel,
        instance: usize,
        chip: &Chip,
        case: Case,
        funcs: Vec<Arc<Func>>,
        variants: Vec<(Variant, Plan)>,
    ) -> Lowering {
        let (variants, plans) = variants.into_iter().unzip();
        let lowered = Lowered {
            sig: kernel.sig.clone(),
            instance,
            chip: chip.name.to_string(),
            keys: Lowered::KEYS,
            cases: vec![case],
            funcs,
            variants,
            spans: kernel.spans.clone(),
        };
        let (notes, slow, joined, split, branches, whole) = Default::default();
        Lowering {
            lowered,
            plans,
            asked: Asked::default(),
            notes,
            slow,
            joined,
            split,
            branches,
            whole,
        }
    }

    /// The same for another instance, where all that was asked of the element types has the same answers there.
    pub fn for_instance(&self, instance: usize, chip: &Chip) -> Option<Lowering> {
        let instances = &self.lowered.sig.instances;
        let (own, other) = (
            instances.get(self.lowered.instance)?,
            instances.get(instance)?,
        );
        let alike = self.asked.is_answered_alike(own, other, chip);
        alike.then(|| Lowering {
            lowered: Lowered {
                instance,
                ..self.lowered.clone()
            },
            ..self.clone()
        })
    }
}

/// How one variant's sizes are found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The footprint in bytes, a formula over host variables.
    pub bytes: Scalar,
    /// Sizes that were solved for or given, outermost first.
    pub sizes: Vec<Size>,
    /// Elements from row to row, where a row must be whole in UB and no streamed variant exists.
    pub row_pitch: Option<VarId>,
}

/// A size that decides the footprint.
#[derive(Clone, Debug)]
pub struct Size {
    /// The variable.
    pub var: VarId,
    /// What it counts.
    pub kind: SizeKind,
    /// Granularity of what is solved for.
    pub step: i64,
    /// What a given one must be a multiple of.
    pub unit: i64,
    /// What the author gave; `None` where it is solved for.
    pub given: Option<Scalar>,
}

/// What a size counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeKind {
    /// Elements of a tile.
    TileLength,
    /// Rows of a tile.
    Rows,
}

/// Where elements are copied one by one, which is slow.
pub fn single_elements(sig: &Signature, body: &Body) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    body.walk(&mut |s| {
        let Some(access) = s.access().filter(|access| nest::copies_elements(access, s)) else { return };
        let name = body.gm_name(sig, access.of);
        let text = format!(
            "each element of `{name}` is copied alone, to or from 32 bytes of UB of its own, which takes as long as 512 bytes that follow one \
             another: where a tile has most of a row of `{name}`, load whole rows and take its elements by `pick`"
        );
        add_once(&mut notes, Note { span: s.span, text });
    });
    notes
}

/// Adds a note that is not there yet.
pub fn add_once(notes: &mut Vec<Note>, note: Note) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}
