//! Host code: the tiling data, the tiling function and the shapes in plain C++17, the program that launches the
//! kernel once, and the registration of an operator.
//!
//! The tiling function is the same algorithm in every project kind and the same as `tiling::evaluate`, step by step; a
//! test compiles it and compares the two.

mod checked;
pub(crate) mod data;
pub(crate) mod func;
pub(crate) mod main;
pub(crate) mod register;
pub(crate) mod shapes;

use crate::plan::Names;
use crate::range::Ranges;
use crate::scalar::Leaves;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{AxisId, ChipFact, ParamId, Signature, Ty, VarId};
use std::collections::BTreeMap;

/// Axes and attributes as members of `args`, variables by a list of names.
pub(crate) struct HostLeaves<'a> {
    names: &'a Names,
    /// Names of the variables, by index.
    vars: &'a BTreeMap<usize, String>,
    ranges: &'a Ranges,
    binding: &'a [DType],
}

impl<'a> HostLeaves<'a> {
    pub(crate) fn new(sig: &'a Signature, names: &'a Names, vars: &'a BTreeMap<usize, String>, ranges: &'a Ranges) -> Self {
        // Sizes of the signature depend on no dtype; those of an instance became numbers when it was lowered.
        let binding = sig.instances.first().map_or(&[][..], Vec::as_slice);
        HostLeaves { names, vars, ranges, binding }
    }
}

impl Leaves for HostLeaves<'_> {
    fn var(&self, id: VarId) -> String {
        self.vars.get(&id.index()).cloned().unwrap_or_default()
    }
    fn axis(&self, id: AxisId) -> String {
        format!("args.{}", self.names.axes[id.index()])
    }
    fn attr(&self, id: ParamId) -> String {
        format!("args.{}", self.names.attrs[id.index()].as_deref().unwrap_or_default())
    }
    fn size_of(&self, ty: Ty) -> String {
        ty.resolve(self.binding).bytes().to_string()
    }
    fn chip(&self, fact: ChipFact) -> String {
        match fact {
            ChipFact::VectorCores => "VECTOR_CORES".into(),
            ChipFact::UbBytes => "UB_BYTES".into(),
        }
    }
    fn on_device(&self) -> bool {
        false
    }
    fn ranges(&self) -> &Ranges {
        self.ranges
    }
}
