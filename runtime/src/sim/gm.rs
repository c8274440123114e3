//! Global memory: the caller's arrays, shared by all blocks.
//!
//! Tensors that are written are cut into stripes, each behind a lock of its own: blocks write different parts of one
//! array at the same time without a copy of it and without `unsafe`. A copy holds one stripe at a time, so two copies
//! to the same elements are not atomic, as on the chip.

use jumar_dsl::dtype::DType;
use jumar_dsl::ir::Role;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// Bytes of one stripe: large enough that a tile touches few, small enough that blocks seldom meet.
const STRIPE: usize = 64 * 1024;

/// A tensor in GM.
pub(crate) struct Gm<'a> {
    /// Name of the parameter.
    pub name: String,
    /// Number of elements.
    pub elems: usize,
    /// What the kernel does with it.
    pub role: Role,
    shape: Vec<usize>,
    data: Bytes<'a>,
}

enum Bytes<'a> {
    Read(Cow<'a, [u8]>),
    Write(Vec<Mutex<&'a mut [u8]>>),
}

impl<'a> Gm<'a> {
    /// A tensor that the kernel only reads.
    pub fn read_only(name: &str, dtype: DType, bytes: Cow<'a, [u8]>) -> Self {
        let elems = bytes.len() / dtype.bytes() as usize;
        Gm { name: name.to_string(), elems, role: Role::In, shape: vec![elems], data: Bytes::Read(bytes) }
    }
    /// A tensor that the kernel may write.
    pub fn writable(name: &str, role: Role, dtype: DType, shape: Vec<usize>, bytes: &'a mut [u8]) -> Self {
        let elems = bytes.len() / dtype.bytes() as usize;
        let stripes = bytes.chunks_mut(STRIPE).map(Mutex::new).collect();
        Gm { name: name.to_string(), elems, role, shape, data: Bytes::Write(stripes) }
    }
    /// True where [`Gm::write`] may be called.
    pub fn is_writable(&self) -> bool {
        matches!(self.data, Bytes::Write(_))
    }
    /// An element as a message names it: `34`, or `34 ([2, 2])` in a tensor of several axes.
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
                let held = stripes[stripe].lock().unwrap_or_else(PoisonError::into_inner);
                let len = range.len();
                out[range].copy_from_slice(&held[inside..inside + len]);
            }),
        }
    }
    /// Copies `src` to the bytes from `at` on; does nothing on a tensor that is not writable.
    pub fn write(&self, at: usize, src: &[u8]) {
        let Bytes::Write(stripes) = &self.data else { return };
        pieces(at, src.len(), |stripe, inside, range| {
            let mut held = stripes[stripe].lock().unwrap_or_else(PoisonError::into_inner);
            held[inside..inside + range.len()].copy_from_slice(&src[range]);
        });
    }
}

/// Calls `f(stripe, offset in it, range of the copy)` for each stripe that a copy touches.
fn pieces(at: usize, len: usize, mut f: impl FnMut(usize, usize, std::ops::Range<usize>)) {
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

    #[test]
    fn a_copy_over_stripe_borders_reads_back() {
        let mut bytes = vec![0u8; 3 * STRIPE + 5];
        let gm = Gm::writable("y", Role::Out, DType::F16, vec![bytes.len() / 2], &mut bytes);
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
