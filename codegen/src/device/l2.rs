//! Hints for L2: it need not keep inputs that are read once and that exceed it, so that it keeps
//! what is read again.

use super::class::ClassCx;
use crate::cpp::Cpp;
use jumar_dsl::ir::{Scalar, VarId};
use std::collections::BTreeSet;

impl ClassCx<'_> {
    /// Prints the hints, grouped by condition.
    pub(super) fn print_l2_hints(&self, out: &mut Cpp) {
        let conditions: BTreeSet<VarId> = self.source.once.iter().map(|o| o.exceeds_l2).collect();
        for condition in conditions {
            let exceeds = self.init().expr(&Scalar::Var(condition));
            out.block(format_args!("if ({exceeds} != 0)"), |out| {
                for once in self
                    .source
                    .once
                    .iter()
                    .filter(|o| o.exceeds_l2 == condition)
                {
                    out.line(format_args!(
                        "{}.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);",
                        self.gm_member(once.param.into())
                    ));
                }
            });
        }
    }
}
