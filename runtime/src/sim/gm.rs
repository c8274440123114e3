//! Global memory: the caller's arrays, shared by all blocks.
//!
//! Written tensors are cut into stripes, each behind a lock. Blocks can therefore write different
//! parts of one array at the same time, without a copy of it and without `unsafe`. A copy locks one
//! stripe at a time. As on the chip, two copies to the same elements are not atomic; atomic adds
//! are, element by element.
//!
//! A workspace belongs to the run. A stripe of it exists from its first write on. A launch may ask
//! for more workspace than this computer has memory, and nobody reads what was not written.

use super::cast::{Lane, Overflow};
use super::spans::Spans;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::Role;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// The bytes of one stripe: large enough that a tile touches few, small enough that blocks rarely
/// wait for one another.
const STRIPE: usize = 64 * 1024;

/// A tensor in GM.
pub(crate) struct Gm<'a> {
    /// Name of the parameter.
    pub name: String,
    /// Number of elements.
    pub elems: usize,
    /// True for an output: all of it must be written.
    pub is_output: bool,
    shape: Vec<usize>,
    data: Bytes<'a>,
}

enum Bytes<'a> {
    Read(Cow<'a, [u8]>),
    Write(Vec<Mutex<&'a mut [u8]>>),
    Work(Workspace),
}

/// A workspace: a tensor of the kernel itself.
#[derive(Default)]
struct Workspace {
    stripes: Stripes,
    /// The elements that any block had written before the last barrier.
    written: RwLock<Spans>,
}

/// The stripes of a workspace that have been written, by number.
type Stripes = RwLock<BTreeMap<usize, Mutex<Vec<u8>>>>;

/// The value of each byte that nobody wrote: a nan in each float type.
const POISON: u8 = 0xff;

impl<'a> Gm<'a> {
    /// Makes a tensor that the kernel only reads.
    pub fn read_only(name: &str, dtype: DType, bytes: Cow<'a, [u8]>) -> Self {
        let elems = bytes.len() / dtype.bytes() as usize;
        Gm {
            name: name.to_string(),
            elems,
            is_output: false,
            shape: vec![elems],
            data: Bytes::Read(bytes),
        }
    }
    /// Makes a tensor that the kernel may write.
    pub fn writable(
        name: &str,
        role: Role,
        dtype: DType,
        shape: Vec<usize>,
        bytes: &'a mut [u8],
    ) -> Self {
        let elems = bytes.len() / dtype.bytes() as usize;
        let stripes = bytes.chunks_mut(STRIPE).map(Mutex::new).collect();
        Gm {
            name: name.to_string(),
            elems,
            is_output: role == Role::Out,
            shape,
            data: Bytes::Write(stripes),
        }
    }
    /// Makes a workspace.
    pub fn workspace(name: &str, elems: usize) -> Self {
        let data = Bytes::Work(Workspace::default());
        Gm {
            name: name.to_string(),
            elems,
            is_output: false,
            shape: vec![elems],
            data,
        }
    }
    /// True if [`Gm::write`] may be called.
    pub fn is_writable(&self) -> bool {
        match self.data {
            Bytes::Write(_) | Bytes::Work(_) => true,
            Bytes::Read(_) => false,
        }
    }
    /// True for a workspace.
    pub fn is_workspace(&self) -> bool {
        matches!(self.data, Bytes::Work(_))
    }
    /// Finds the lowest element of a workspace in a range without a value for a block that has
    /// written `own` since the last barrier. Every other tensor has values.
    pub(super) fn first_unwritten(&self, own: &Spans, range: Range<usize>) -> Option<usize> {
        let Bytes::Work(work) = &self.data else {
            return None;
        };
        own.first_missing(
            &work.written.read().unwrap_or_else(PoisonError::into_inner),
            range,
        )
    }
    /// Records a barrier of all blocks: they find what any of them has written to a workspace.
    pub fn meet(&self, written: impl Iterator<Item = Range<usize>>) {
        let Bytes::Work(work) = &self.data else {
            return;
        };
        let mut all = work.written.write().unwrap_or_else(PoisonError::into_inner);
        written.for_each(|run| all.insert(run));
    }
    /// Formats an element's index for a message: `34`, or `34 ([2, 2])` in a tensor of several
    /// axes.
    pub fn index(&self, element: usize) -> String {
        let mut rest = element;
        let mut index: Vec<String> = Vec::with_capacity(self.shape.len());
        for size in self.shape.iter().rev() {
            index.push((rest % size).to_string());
            rest /= size;
        }
        index.reverse();
        if index.len() < 2 {
            element.to_string()
        } else {
            format!("{element} ([{}])", index.join(", "))
        }
    }
    /// Copies bytes from `at` on to `out`; the caller has checked the bounds.
    pub fn read(&self, at: usize, out: &mut [u8]) {
        match &self.data {
            Bytes::Read(bytes) => out.copy_from_slice(&bytes[at..at + out.len()]),
            Bytes::Write(stripes) => pieces(at, out.len(), |stripe, inside, range| {
                put(
                    &mut out[range.clone()],
                    &lock(&stripes[stripe])[inside..inside + range.len()],
                );
            }),
            Bytes::Work(Workspace { stripes, .. }) => {
                let stripes = stripes.read().unwrap_or_else(PoisonError::into_inner);
                pieces(at, out.len(), |stripe, inside, range| {
                    match stripes.get(&stripe) {
                        None => out[range].fill(POISON),
                        Some(held) => put(
                            &mut out[range.clone()],
                            &lock(held)[inside..inside + range.len()],
                        ),
                    }
                });
            }
        }
    }
    /// Copies `src` to the bytes from `at` on; does nothing on a tensor that is not writable.
    pub fn write(&self, at: usize, src: &[u8]) {
        self.change(at, src.len(), |bytes, range| {
            bytes.copy_from_slice(&src[range])
        });
    }
    /// Adds elements to those from `at` on, each one atomically. Integers wrap.
    pub fn add(&self, at: usize, src: &[u8], dtype: DType, overflow: Overflow) {
        self.change(at, src.len(), |bytes, range| {
            add(dtype, bytes, &src[range], overflow)
        });
    }
    /// Replaces each element by one of itself and the given one.
    pub fn choose(&self, at: usize, src: &[u8], dtype: DType, by: Choice) {
        self.change(at, src.len(), |bytes, range| {
            choose(dtype, bytes, &src[range], by)
        });
    }
    /// Changes the bytes from `at` on, stripe by stripe: `f(bytes, their range within the change)`.
    fn change(&self, at: usize, len: usize, mut f: impl FnMut(&mut [u8], Range<usize>)) {
        pieces(at, len, |stripe, inside, range| match &self.data {
            Bytes::Read(_) => {}
            Bytes::Write(stripes) => f(
                &mut lock(&stripes[stripe])[inside..inside + range.len()],
                range,
            ),
            Bytes::Work(Workspace { stripes, .. }) => {
                let has_it = |all: &BTreeMap<_, _>| all.contains_key(&stripe);
                if !has_it(&stripes.read().unwrap_or_else(PoisonError::into_inner)) {
                    let mut all = stripes.write().unwrap_or_else(PoisonError::into_inner);
                    all.entry(stripe)
                        .or_insert_with(|| Mutex::new(vec![POISON; STRIPE]));
                }
                let stripes = stripes.read().unwrap_or_else(PoisonError::into_inner);
                f(
                    &mut lock(&stripes[&stripe])[inside..inside + range.len()],
                    range,
                );
            }
        });
    }
}

fn lock<T>(stripe: &Mutex<T>) -> MutexGuard<'_, T> {
    stripe.lock().unwrap_or_else(PoisonError::into_inner)
}

fn put(to: &mut [u8], src: &[u8]) {
    to[..src.len()].copy_from_slice(src);
}

/// Adds elements to others; 16-bit floats are added in `f32` and rounded once.
fn add(dtype: DType, to: &mut [u8], from: &[u8], overflow: Overflow) {
    let pairs = to
        .chunks_exact_mut(dtype.bytes() as usize)
        .zip(from.chunks_exact(dtype.bytes() as usize));
    for (to, from) in pairs {
        match dtype {
            DType::I8 => to[0] = to[0].wrapping_add(from[0]),
            DType::I16 => {
                let short = |b: &[u8]| i16::from_le_bytes([b[0], b[1]]);
                to.copy_from_slice(&short(to).wrapping_add(short(from)).to_le_bytes());
            }
            DType::I32 => to.copy_from_slice(&whole(to).wrapping_add(whole(from)).to_le_bytes()),
            // No copy adds in other types.
            DType::F16
            | DType::Bf16
            | DType::F32
            | DType::Bool
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits => {
                let mut sum = [float(dtype, to) + float(dtype, from)];
                let mut raw = [0u32; 2];
                let bytes: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut raw)[..to.len()];
                Lane::write(dtype, &mut sum, bytes, overflow);
                to.copy_from_slice(bytes);
            }
        }
    }
}

/// The function that chooses one of two elements.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    pub float: fn(f32, f32) -> f32,
    pub whole: fn(i32, i32) -> i32,
}

/// Chooses elements, which needs no rounding.
fn choose(dtype: DType, to: &mut [u8], from: &[u8], by: Choice) {
    let pairs = to
        .chunks_exact_mut(dtype.bytes() as usize)
        .zip(from.chunks_exact(dtype.bytes() as usize));
    for (to, from) in pairs {
        match dtype {
            DType::I8 => {
                to[0] = (by.whole)(i32::from(to[0] as i8), i32::from(from[0] as i8)) as i8 as u8
            }
            DType::I16 => {
                let short = |b: &[u8]| i32::from(i16::from_le_bytes([b[0], b[1]]));
                to.copy_from_slice(&((by.whole)(short(to), short(from)) as i16).to_le_bytes());
            }
            DType::I32 => to.copy_from_slice(&(by.whole)(whole(to), whole(from)).to_le_bytes()),
            // No copy chooses in other types.
            DType::F16
            | DType::Bf16
            | DType::F32
            | DType::Bool
            | DType::I64
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits => {
                let mut chosen = [(by.float)(float(dtype, to), float(dtype, from))];
                let mut raw = [0u32; 2];
                let bytes: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut raw)[..to.len()];
                Lane::write(dtype, &mut chosen, bytes, Overflow::InfNan);
                to.copy_from_slice(bytes);
            }
        }
    }
}

fn whole(bytes: &[u8]) -> i32 {
    let mut raw = [0; 4];
    raw.copy_from_slice(bytes);
    i32::from_le_bytes(raw)
}

fn float(dtype: DType, bytes: &[u8]) -> f32 {
    let (mut raw, mut value) = ([0u32; 2], [0f32]);
    let raw: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut raw)[..bytes.len()];
    raw.copy_from_slice(bytes);
    Lane::read(dtype, raw, &mut value);
    value[0]
}

/// Calls `f(stripe, offset in it, range of the copy)` for each stripe that a copy touches.
fn pieces(at: usize, len: usize, mut f: impl FnMut(usize, usize, Range<usize>)) {
    let mut done = 0;
    while done < len {
        let (stripe, inside) = ((at + done) / STRIPE, (at + done) % STRIPE);
        let step = (STRIPE - inside).min(len - done);
        f(stripe, inside, done..done + step);
        done += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    #[test]
    fn a_workspace_holds_what_was_written_and_costs_no_more() {
        let gm = Gm::workspace("w", usize::MAX / 2);
        let (at, src) = (7 * STRIPE - 2, [1u8, 2, 3, 4]);
        gm.write(at, &src);
        let mut back = [0; 6];
        gm.read(at - 1, &mut back);
        assert_eq!(back, [POISON, 1, 2, 3, 4, POISON]);
    }

    #[test]
    fn what_is_added_is_rounded_once_and_wraps() {
        let added = |dtype: DType, to: &[u8], from: &[u8], overflow| {
            let mut to = to.to_vec();
            add(dtype, &mut to, from, overflow);
            to
        };
        let half = |v: f32| f16::from_f32(v).to_le_bytes();
        assert_eq!(
            added(DType::F16, &half(2048.0), &half(1.5), Overflow::InfNan),
            half(2050.0)
        );
        assert_eq!(
            added(DType::F16, &half(65504.0), &half(65504.0), Overflow::InfNan),
            half(f32::INFINITY)
        );
        assert_eq!(
            added(
                DType::F16,
                &half(65504.0),
                &half(65504.0),
                Overflow::Saturate
            ),
            half(65504.0)
        );
        let brain = |v: f32| bf16::from_f32(v).to_le_bytes();
        assert_eq!(
            added(DType::Bf16, &brain(256.0), &brain(3.0), Overflow::InfNan),
            brain(260.0)
        );
        assert_eq!(
            added(
                DType::F32,
                &1.5f32.to_le_bytes(),
                &2f32.to_le_bytes(),
                Overflow::InfNan
            ),
            3.5f32.to_le_bytes()
        );
        assert_eq!(
            added(
                DType::I32,
                &i32::MAX.to_le_bytes(),
                &1i32.to_le_bytes(),
                Overflow::InfNan
            ),
            i32::MIN.to_le_bytes()
        );
        assert_eq!(
            added(DType::I8, &[127, 1], &[1, 0xff], Overflow::InfNan),
            [0x80, 0]
        );
    }

    #[test]
    fn a_copy_over_stripe_borders_reads_back() {
        let mut bytes = vec![0u8; 3 * STRIPE + 5];
        let gm = Gm::writable(
            "y",
            Role::Out,
            DType::F16,
            vec![bytes.len() / 2],
            &mut bytes,
        );
        let src: Vec<u8> = (0..2 * STRIPE + 3).map(|i| (i % 251) as u8).collect();
        gm.write(STRIPE - 1, &src);
        let mut back = vec![0; src.len()];
        gm.read(STRIPE - 1, &mut back);
        assert_eq!(back, src);
        drop(gm);
        assert_eq!(&bytes[STRIPE - 1..][..src.len()], src);
        assert_eq!((bytes[STRIPE - 2], bytes[3 * STRIPE + 2]), (0, 0));
    }
}
