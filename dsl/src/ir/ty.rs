//! Element types as a kernel spells them.

use super::text::{digits, shown, Printer, Reader, Text, TextError};
use crate::dtype::{DType, RoundMode};
use crate::ops::Op;

/// A dtype of a kernel. Equality is symbolic: `T` equals `T` and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Is(DType),
    /// The n-th dtype parameter.
    Param(u8),
    /// `T::Wide` of the n-th dtype parameter, where its bound leaves that open.
    Wide(u8),
    /// `Tile<bool>`: the bits of a comparison.
    Mask,
}

impl Ty {
    /// Returns the concrete type under `binding` (one dtype for each parameter).
    pub fn resolve(self, binding: &[DType]) -> DType {
        match self {
            Ty::Is(d) => d,
            Ty::Param(i) => binding[i as usize],
            Ty::Wide(i) => binding[i as usize].wide(),
            Ty::Mask => DType::Bits,
        }
    }
}

impl Text for Ty {
    fn print(&self, p: &mut Printer) {
        match self {
            Ty::Is(d) => p.token(d.name()),
            Ty::Param(i) => p.token(&format!("T{i}")),
            Ty::Wide(i) => p.token(&format!("W{i}")),
            Ty::Mask => p.token("mask"),
        }
    }
    fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
        let token = r.peek();
        let index = |prefix| token.strip_prefix(prefix).and_then(digits);
        let ty = if token == "mask" {
            Ty::Mask
        } else if let Some(d) = DType::by_name(token) {
            Ty::Is(d)
        } else if let Some(i) = index("T") {
            Ty::Param(i)
        } else if let Some(i) = index("W") {
            Ty::Wide(i)
        } else {
            return Err(r.error(format!(
                "expected a dtype (`f32`, `T0`, `W0` or `mask`), found {}",
                shown(token)
            )));
        };
        r.take();
        Ok(ty)
    }
}

macro_rules! text_by_name {
    ($t:ty, $what:literal) => {
        impl Text for $t {
            fn print(&self, p: &mut Printer) {
                p.token(self.name());
            }
            fn parse(r: &mut Reader<'_>) -> Result<Self, TextError> {
                let token = r.peek();
                let v = <$t>::by_name(token)
                    .ok_or_else(|| r.error(format!(concat!("{} is no ", $what), shown(token))))?;
                r.take();
                Ok(v)
            }
        }
    };
}
text_by_name!(DType, "dtype");
text_by_name!(RoundMode, "round mode");
text_by_name!(Op, "op");
