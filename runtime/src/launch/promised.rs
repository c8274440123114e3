//! Checks items of lists that promise to store equal values to one tensor (`store_any`).
//!
//! The simulator runs items one after the other, but a device runs them at the same time. Each
//! item's stores are therefore compared with those of the items before it.

use super::arguments::Argument;
use super::running::Bound;
use crate::{Alike, Fault, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{ParamId, Per, QueueStmt, SourceSpan, StmtKind, TensorRef};
use jumar_dsl::ops::contract::Access;
use std::collections::BTreeMap;

/// The bytes that an item stored and the item's number, by parameter and element.
#[derive(Default)]
pub(super) struct Promises(BTreeMap<(usize, usize), (Vec<u8>, usize)>);

impl Bound<'_> {
    /// Checks the stores of an item to tensors of all items, and records them.
    ///
    /// # Errors
    /// J0809 where an earlier item stored other bytes there.
    pub(super) fn keeps(
        &self,
        promises: &mut Promises,
        nth: usize,
        alike: &Alike,
    ) -> Result<(), RunError> {
        if self.items.len() < 2 {
            return Ok(());
        }
        for (id, param, _, ty) in self
            .sig
            .tensors()
            .filter(|(_, param, ..)| param.per == Per::Launch)
        {
            let Some((_, ranges)) = alike.iter().find(|(name, _)| *name == param.name) else {
                continue;
            };
            let size = ty.resolve(self.lowered.binding()).bytes() as usize;
            let Some(bytes) = self.arguments[id.index()]
                .first()
                .and_then(Argument::written)
            else {
                continue;
            };
            for at in ranges.iter().cloned().flatten() {
                let Some(new) = bytes.get(at * size..(at + 1) * size) else {
                    continue;
                };
                let old = promises.0.insert((id.index(), at), (new.to_vec(), nth));
                if let Some((_, before)) = old.filter(|(old, _)| old != new) {
                    let message = format!(
                        "items {before} and {nth} store different numbers to element {at} of `{}` with `store_any`: they are done at the same \
                         time, and nothing decides which stays",
                        param.name
                    );
                    let SourceSpan { line, column, .. } = self.stored_at(id);
                    let kernel = self.sig.name.clone();
                    let fault = Fault {
                        code: Code::J0809,
                        message,
                        kernel,
                        line,
                        column,
                        block: None,
                        tile: None,
                    };
                    return Err(self.said_of(RunError::Fault(Box::new(fault)), nth));
                }
            }
        }
        Ok(())
    }

    /// Finds the first statement that stores to a tensor with that promise.
    fn stored_at(&self, id: ParamId) -> SourceSpan {
        let mut found = None;
        for variant in &self.lowered.variants {
            variant.body.walk(&mut |s| {
                let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else {
                    return;
                };
                if instr
                    .accessed(Access::Any)
                    .any(|view| view.global() == Some(TensorRef::Param(id)))
                {
                    found = found.or(Some(s.span));
                }
            });
        }
        found
            .and_then(|span| self.lowered.spans.get(span.index()).copied())
            .unwrap_or_default()
    }
}
