//! Items of lists that store to one tensor with the promise that all store the same there.
//!
//! Items are run one after the other, and are done at the same time on a device: so what each has left where it stored is compared with what those
//! before it left there.

use super::arguments::Argument;
use super::running::Bound;
use crate::{Alike, Fault, RunError};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::{ParamId, Per, QueueStmt, SourceSpan, StmtKind, TensorRef};
use jumar_dsl::ops::contract::Access;
use std::collections::BTreeMap;

/// By parameter and element, the bytes that an item has left there, and which.
#[derive(Default)]
pub(super) struct Promises(BTreeMap<(usize, usize), (Vec<u8>, usize)>);

impl Bound<'_> {
    /// Takes what an item has stored to tensors of all items.
    ///
    /// # Errors
    /// J0809 where an item before it stored something else there.
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

    /// The first statement that stores to a tensor with that promise.
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
