//! The result of lowering: the lowered kernel, the plans of its variants, and notes.

use super::nest;
use super::type_queries::Asked;
use crate::ir::tile::Body;
use crate::ir::{AxisId, Case, Func, Kernel, Lowered, Scalar, Signature, SpanId, VarId, Variant};
use crate::soc::Chip;
use std::sync::Arc;

/// A lowered kernel, with the facts that the checker needs to judge its memory.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// The lowered kernel itself.
    pub lowered: Lowered,
    /// One plan for each variant.
    pub plans: Vec<Plan>,
    /// The questions about element types on which the lowering depends.
    pub asked: Asked,
    /// For a kernel of several phases: the barriers between them, with reasons.
    pub notes: Vec<Note>,
    /// Places where elements are copied one by one, which is slow.
    pub slow: Vec<Note>,
    /// Places where two passes of a streamed form are fused.
    pub joined: Vec<Note>,
    /// The form of a loop with `.split(d)`.
    pub split: Vec<Note>,
    /// Conditions of the host that stay branches on the core.
    pub branches: Vec<Note>,
    /// Axes that are whole in UB in every variant.
    pub whole: Vec<WholeAxis>,
}

/// An axis of the signature that is whole in UB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeAxis {
    /// The axis of the signature.
    pub axis: AxisId,
    /// Its largest extent, if the other axes have their smallest ones.
    pub most: i64,
}

/// A decision of the lowering at a place, with its reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The place in the source.
    pub span: SpanId,
    /// The text, a sentence.
    pub text: String,
}

impl Lowering {
    /// Makes a lowering of one case with its variants, without notes.
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

    /// Returns this lowering for another instance, if all questions about element types have equal
    /// answers there.
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

/// The way in which the sizes of one variant are found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The footprint in bytes, a formula over host variables.
    pub bytes: Scalar,
    /// The sizes that are solved or given, outermost first.
    pub sizes: Vec<Size>,
    /// Elements from row to row, if a row must be whole in UB and no streamed variant exists.
    pub row_pitch: Option<VarId>,
}

/// A size on which the footprint depends.
#[derive(Clone, Debug)]
pub struct Size {
    pub var: VarId,
    /// The kind of thing that it counts.
    pub kind: SizeKind,
    /// The granularity of a solved size.
    pub step: i64,
    /// The number of which a given size must be a multiple.
    pub unit: i64,
    /// The size that the author gave; `None` if it is solved.
    pub given: Option<Scalar>,
}

/// The kind of thing that a size counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeKind {
    /// Elements of a tile.
    TileLength,
    /// Rows of a tile.
    Rows,
}

/// Finds the places where elements are copied one by one.
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

/// Adds a note unless it is there already.
pub fn add_once(notes: &mut Vec<Note>, note: Note) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}
