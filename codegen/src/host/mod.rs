//! Host code: tiling data, tiling function and shapes in plain C++17, the program that launches the
//! kernel once, and the registration of an operator.
//!
//! Every project kind has one and the same tiling function. It follows `tiling::evaluate` step by
//! step; a test compiles it and compares the two.

mod attrs;
pub(crate) mod binding;
mod checked;
pub(crate) mod client;
pub(crate) mod data;
pub(crate) mod dtypes;
mod elements;
mod fit;
pub(crate) mod func;
mod items;
pub(crate) mod main;
pub(crate) mod platform;
pub(crate) mod register;
pub(crate) mod rust_client;
pub(crate) mod shapes;
pub(crate) mod torch;

use crate::plan::{Names, Plan};
use crate::range::Ranges;
use crate::scalar::{self, Helper, Helpers, Launched, Leaves};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ChipFact, Ty, VarId};
use std::cell::Cell;
use std::collections::BTreeMap;

/// C++ names of axes and attributes (members of `args`) and of variables.
pub(crate) struct HostLeaves<'a> {
    names: &'a Names,
    /// Names of the variables, by index.
    vars: &'a BTreeMap<usize, String>,
    ranges: &'a Ranges,
    binding: &'a [DType],
    /// Helpers that a text uses, collected here.
    helpers: &'a Cell<Helpers>,
}

impl<'a> HostLeaves<'a> {
    pub(crate) fn new(
        plan: &'a Plan<'_>,
        vars: &'a BTreeMap<usize, String>,
        ranges: &'a Ranges,
        helpers: &'a Cell<Helpers>,
    ) -> Self {
        // Sizes of the signature depend on no dtype; lowering replaced those of an instance by
        // numbers.
        let binding = plan
            .sig
            .instances
            .first()
            .expect("a signature has an instance");
        HostLeaves {
            names: &plan.names,
            vars,
            ranges,
            binding,
            helpers,
        }
    }

    fn member(&self, name: &str, out: &mut String) {
        self.read(Helper::Args, "args.", out);
        out.push_str(name);
    }

    fn read(&self, helper: Helper, text: &str, out: &mut String) {
        scalar::need(self.helpers, helper);
        out.push_str(text);
    }
}

impl Leaves for HostLeaves<'_> {
    fn var(&self, id: VarId, out: &mut String) {
        out.push_str(&self.vars[&id.index()]);
    }
    fn launched(&self, of: Launched, out: &mut String) {
        let name = match of {
            Launched::Axis(id) => &self.names.axes[id.index()],
            Launched::Attr(id) => self.names.attr(id),
        };
        self.member(name, out);
    }
    fn size_of(&self, ty: Ty, out: &mut String) {
        out.push_str(&ty.resolve(self.binding).bytes().to_string());
    }
    fn chip(&self, fact: ChipFact, out: &mut String) {
        match fact {
            ChipFact::VectorCores => self.read(Helper::Chip, "chip.vectorCores", out),
            ChipFact::UbBytes => self.read(Helper::Chip, "chip.ubBytes", out),
            ChipFact::L2Bytes => self.read(Helper::Chip, "chip.l2Bytes", out),
        }
    }
    fn on_device(&self) -> bool {
        false
    }
    fn ranges(&self) -> &Ranges {
        self.ranges
    }
}
