//! The places of the largest elements, by a stable sort: the text merges sorted lists, this does not.

use super::vector::{Call, Core, Place};
use super::{poison, Overflow, Trip};
use half::f16;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::contract::{list_elements, LIST, MOST_SORTED};

/// Bytes of a place.
const PLACE: usize = 4;

fn refused(text: String) -> Trip {
    Trip::new(Code::J0801, text)
}

impl Core {
    /// Writes the places of the `most` largest of `n` elements; the work space holds no value afterwards.
    pub(super) fn top(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (dst, [src, places]) = (call.dst, [call.srcs[0], call.srcs[1]]);
        let size = src.dtype.bytes() as usize;
        let n = self.extent(call, self.repeat_bytes / size, false)?.n;
        if !(1..=MOST_SORTED as usize).contains(&n) {
            return Err(refused(format!("`top` is asked to sort {n} elements, possible are 1 to {MOST_SORTED}")));
        }
        let most = call.most.and_then(|most| usize::try_from(most).ok()).filter(|most| (1..=n).contains(most));
        let Some(most) = most else {
            let found = call.most.map_or("missing".to_string(), |most| most.to_string());
            return Err(refused(format!("the number of places that `top` is asked for is {found}, possible are 1 to {n}")));
        };
        let Some(work) = call.work else { return Err(refused("`top` has no work space".to_string())) };
        let all = n.next_multiple_of(LIST as usize);
        let lists = all * list_elements(size as i64) as usize * size;
        call.all_apart([(dst, most * PLACE), (src, n * size), (places, all * PLACE), (work, lists)])?;
        let scores = (0..n).map(|i| self.score(call, src, i)).collect::<Result<Vec<f32>, Trip>>()?;
        let mut order: Vec<usize> = (0..n).collect();
        // -0 and 0 are one score.
        order.sort_by(|a, b| (scores[*b] + 0.0).total_cmp(&(scores[*a] + 0.0)));
        for (i, from) in order[..most].iter().enumerate() {
            let (at, to) = (places.at + from * PLACE, dst.at + i * PLACE);
            self.ub.bytes_mut().copy_within(at..at + PLACE, to);
            let ok = poison::element(&self.ub.valid, at, PLACE);
            poison::mark(&mut self.ub.valid, to, PLACE, ok);
        }
        poison::mark(&mut self.ub.valid, work.at, lists, false);
        Ok(())
    }

    fn score(&self, call: &Call<'_>, src: Place, i: usize) -> Result<f32, Trip> {
        let size = src.dtype.bytes() as usize;
        let (at, name) = (src.at + i * size, || call.tensors[src.tensor].name.as_str());
        if !poison::element(&self.ub.valid, at, size) {
            return Err(Trip::new(Code::J0802, format!("element {i} of `{}` has no value, and `top` sorts by it", name())));
        }
        let bytes = &self.ub.bytes()[at..at + size];
        let score = match src.dtype {
            // Adding 0 brings infinities to the largest number in that mode.
            DType::F16 if self.overflow == Overflow::Saturate => {
                bytemuck::pod_read_unaligned::<f16>(bytes).to_f32().clamp(f16::MIN.to_f32(), f16::MAX.to_f32())
            }
            DType::F16 => bytemuck::pod_read_unaligned::<f16>(bytes).to_f32(),
            DType::F32 => bytemuck::pod_read_unaligned::<f32>(bytes),
            other => return Err(refused(format!("`top` sorts no elements of {}", other.name()))),
        };
        match score.is_nan() {
            true => Err(Trip::new(Code::J0802, format!("element {i} of `{}` is nan, which `top` has no place for", name()))),
            false => Ok(score),
        }
    }
}
