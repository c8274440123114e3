//! Power of floats (asc-devkit, `impl/adv_api/detail/math/power`).
//!
//! The result is the exponential of a product with a logarithm. Masks then select a sign, 1 and no
//! number where they belong. Half is computed in float. The number of products of
//! integers depends on the exponents, which a record does not have.

use super::elementwise::pieces;
use super::recipe::{self, Letters};
use super::steps::{Steps, Tensor};
use super::{Call, Unknown};

/// Bytes in front of the slots: two data blocks with 1 and with no number.
const HEAD: u32 = 256;

/// The steps for a piece. `p` and `q` are the numbers in front; `m`, `n`, `o` and `f` are masks.
const STEPS: &str = "; Abs y x; Ln y y; Mul y w y; Exp y y; Abs a w; Cast a a; Muls b a; Cast b b; \
    Muls b b; Sub a a b; Muls a a; Adds a a; Cast a a; ShiftRight b x; CompareScalar mm b; Abs b w; \
    Cast c b; Sub c b c; Abs c c; CompareScalar fm c; And/16 mh mh fh; SetCmpMask!/65536 - p; \
    Select b a mm; Mul y b y; Abs a w; CompareScalar mm a; CompareScalar nm x; And/16 mh nh mh; \
    CompareScalar nm x; CompareScalar om a; Or/16 nh oh nh; And/16 mh nh mh; \
    SetCmpMask!/65536 - p; Select y y mm; Abs a w; CompareScalar mm a; Or/16 mh mh fh, \
    CompareScalar nm x, CompareScalar om x; Or/16 nh oh nh; Or/16 mh mh nh; \
    SetCmpMask!/65536 - q; Select y y mm;";

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    if call.element == "int32_t" {
        return Err(Unknown::Undecided(
            "how often it multiplies depends on the exponents",
        ));
    }
    let (count, dst, src) = (
        call.number("count")?,
        call.tensor("dst")?,
        call.tensor("src")?,
    );
    let (no_base, no_exponent) = (call.is("base_is_number")?, call.is("exponent_is_number")?);
    let has_number = no_base || no_exponent;
    let is_half = dst.size == 2;
    let other = if has_number {
        src
    } else {
        call.tensor("src1")?
    };
    // Tensors in temporary space: those of half as float, or the number of all elements.
    let own = if is_half { 3 } else { u32::from(has_number) };
    let piece = (call.number("tmp_bytes")? - HEAD) / 4 / (4 + own) / 32 * 32;
    let numbers = Tensor {
        at: call.number("tmp")?,
        size: 4,
    };
    let stack = Tensor {
        at: numbers.at + HEAD,
        ..numbers
    };
    let slot = |i: u32| stack.from(i * piece);
    for i in 0..2 {
        steps.counted("Duplicate", 8, numbers.from(i * 8), &[]);
    }
    let number = slot(if is_half { u32::from(no_exponent) } else { 0 });
    if has_number {
        if !is_half || no_base {
            steps.barrier();
        }
        steps.counted("Duplicate", piece, number, &[]);
        if !is_half {
            steps.barrier();
        }
    }
    for (first, elements) in pieces(count, piece) {
        let (base, exponent, result) = match is_half {
            true => (slot(0), slot(1), slot(2)),
            false => (
                if no_base { number } else { src.from(first) },
                if no_exponent {
                    number
                } else {
                    other.from(first)
                },
                dst.from(first),
            ),
        };
        if is_half {
            let given = [(no_base, base, src), (no_exponent, exponent, other)];
            for (_, to, from) in given.into_iter().filter(|(is_number, ..)| !is_number) {
                steps.counted("Cast", elements, to, &[from.from(first).into()]);
            }
            steps.barrier();
        } else if !has_number && elements == piece {
            steps.barrier();
        }
        let masks = slot(own + 3);
        let mask = |i: u32| Some(masks.sized(1).from(i * piece));
        let tensor = |letter: char| match letter {
            'x' => Some(base),
            'w' => Some(exponent),
            'y' => Some(result),
            'p' => Some(numbers),
            'q' => Some(numbers.from(8)),
            'a' => Some(slot(own)),
            'b' => Some(slot(own + 1)),
            'c' => Some(slot(own + 2)),
            'm' => mask(0),
            'n' => mask(1),
            'o' => mask(2),
            'f' => mask(3),
            _ => None,
        };
        let letters = Letters {
            tensor: &tensor,
            count: elements,
            times: 0,
        };
        recipe::issue(STEPS, &letters, steps)?;
        if is_half {
            steps.counted("Cast", elements, dst.from(first), &[result.into()]);
            steps.barrier();
        }
    }
    Ok(())
}
