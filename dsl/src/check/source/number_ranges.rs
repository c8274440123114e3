//! J0208: numbers that an element type does not hold.
//!
//! Such a number is finite as written and infinite as an element, or nonzero as written and zero as
//! an element. An infinity that the author wrote is one in every type of floats.

use crate::diag::{Code, Diagnostic};
use crate::dtype::{DType, Float};
use crate::ir::{Scalar, SpanId};
use crate::soc::Chip;
use crate::tiling::{eval, Env};

/// Returns the finding for a scalar operand of elements of `dtype`. Only a number that is known now
/// can be wrong now.
pub(super) fn out_of_range(
    value: &Scalar,
    dtype: DType,
    chip: &Chip,
    span: SpanId,
) -> Option<Diagnostic> {
    let env = Env {
        dims: &[],
        attrs: &[],
        chip,
        vars: Vec::new(),
        block: None,
    };
    let written = eval(value, &env).ok()?;
    if let Some(ends) = dtype.narrow_ends() {
        let written = written.as_int().ok().filter(|v| !ends.contains(v))?;
        let text = format!(
            "`{written}` is no element of {dtype}, which holds {} to {}",
            ends.start(),
            ends.end()
        );
        return Some(
            Diagnostic::new(Code::J0208, span, text)
                .help("compute in f32: `.cast::<f32>()`, and the result back"),
        );
    }
    let written = written.as_f32().ok()?;
    let (held, largest, least) = match dtype.float()? {
        Float::F16 => (
            half::f16::from_f32(written).to_f32(),
            half::f16::MAX.to_f32(),
            half::f16::MIN_POSITIVE_SUBNORMAL.to_f32(),
        ),
        Float::Bf16 => (
            half::bf16::from_f32(written).to_f32(),
            half::bf16::MAX.to_f32(),
            half::bf16::MIN_POSITIVE_SUBNORMAL.to_f32(),
        ),
        Float::F32 => return None,
    };
    let number = number(written);
    if written.is_finite() && held.is_infinite() {
        let largest = self::number(if written < 0.0 { -largest } else { largest });
        let end = if written < 0.0 { "least" } else { "largest" };
        let text = format!(
            "`{number}` becomes infinite as an element of {dtype}, whose {end} is {largest}"
        );
        let help = format!("compute in f32: `.cast::<f32>()`, and the result back; where the {end} is meant, write `{largest}`");
        let d = Diagnostic::new(Code::J0208, span, text)
            .help(help)
            .expected([largest.clone()]);
        return Some(
            d.word(
                span,
                &self::number(written.abs()),
                largest.trim_start_matches('-'),
            )
            .maybe(),
        );
    }
    if written != 0.0 && held == 0.0 {
        let text = format!(
            "`{number}` becomes 0 as an element of {dtype}, whose smallest positive number is {}",
            self::number(least)
        );
        let help =
            "compute in f32: `.cast::<f32>()`, and the result back; or write the 0 that it is";
        return Some(Diagnostic::new(Code::J0208, span, text).help(help));
    }
    None
}

/// Formats a number as an author writes it: digits in the middle, an exponent at the ends.
fn number(v: f32) -> String {
    let size = v.abs();
    if size != 0.0 && !(1e-5..1e7).contains(&size) {
        format!("{v:e}")
    } else {
        format!("{v:?}")
    }
}
