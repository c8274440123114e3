//! Which bits of the parameter count which names.

use crate::canon::{Head, HeadTensor, Pool, OTHERS};
use jumar::dsl::ir::Ty;

/// Bits of the parameter.
const BITS: u32 = 64;

/// The token of no text that is there where a number of a tile was read, which one bit says.
pub(super) const READ: &str = "READ";

/// What the engine must know of a pool: which bits count its names.
pub(super) struct Counter {
    pub token: String,
    pub pool: Pool,
    pub from: u32,
    pub bits: u32,
}

/// The element types that a body of this head computes with besides `f32`, `i32` and masks.
pub(super) fn types_of(head: &Head) -> Vec<usize> {
    let mut own: Vec<usize> = Vec::new();
    for tensor in &head.tensors {
        let wide = match tensor.ty {
            Ty::Param(at) if head.open.contains(&at) => Some(Ty::Wide(at)),
            Ty::Param(_) => None,
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => None,
        };
        let found = [Some(tensor.ty), wide].into_iter().flatten().filter_map(|ty| OTHERS.iter().position(|(_, own)| *own == ty));
        own.extend(found);
    }
    own.sort_unstable();
    own.dedup();
    own
}

/// Which bits count what; each pool has what it needs at least, and more in turns while there are bits left.
pub(super) fn counters(types: &[usize], head: &Head) -> Vec<Counter> {
    let mut pools: Vec<(Pool, u32, u32)> = vec![
        (Pool::Value, 4, 7),
        (Pool::Whole, 2, 5),
        (Pool::Mask, 2, 5),
        (Pool::Float, 3, 5),
        (Pool::Size, 3, 5),
        (Pool::MutValue, 2, 4),
        (Pool::Run, 2, 3),
        (Pool::Index, 2, 3),
        (Pool::Axis, 2, 4),
        (Pool::Int, 2, 4),
        (Pool::MutWhole, 1, 2),
        (Pool::MutMask, 1, 2),
        (Pool::Bool, 1, 3),
        (Pool::Out, 1, 2),
        (Pool::MutSize, 1, 2),
        (Pool::MutFloat, 1, 2),
        (Pool::MutInt, 1, 1),
    ];
    for at in types {
        pools.insert(1, (Pool::Other(*at), 2, 5));
        pools.push((Pool::MutOther(*at), 1, 2));
    }
    let named = pools.into_iter().map(|(pool, least, most)| (pool.token(), pool, least, most));
    let mut wanted: Vec<(String, Pool, u32, u32)> = named.collect();
    // Of a tensor that may be left out whether it is there, in a block that asks.
    for tensor in head.tensors.iter().filter(|t| t.optional) {
        wanted.insert(0, (given(tensor), Pool::In, 1, 1));
    }
    wanted.insert(0, (READ.to_string(), Pool::In, 1, 1));
    let mut bits: Vec<u32> = wanted.iter().map(|(_, _, least, _)| *least).collect();
    // What does not fit at all has no names.
    while bits.iter().sum::<u32>() > BITS {
        let last = bits.iter().rposition(|bits| *bits > 0).unwrap_or(0);
        bits[last] = 0;
    }
    loop {
        let before = bits.iter().sum::<u32>();
        for (nth, (_, _, _, most)) in wanted.iter().enumerate() {
            if bits.iter().sum::<u32>() < BITS && bits[nth] > 0 && bits[nth] < *most {
                bits[nth] += 1;
            }
        }
        if bits.iter().sum::<u32>() == before {
            break;
        }
    }
    let mut from = 0;
    let mut all = Vec::new();
    for ((token, pool, ..), bits) in wanted.into_iter().zip(bits) {
        all.push(Counter { token, pool, from, bits });
        from += bits;
    }
    all.retain(|counter| counter.bits > 0);
    let scalars = [Pool::Size, Pool::Int, Pool::Float, Pool::Bool, Pool::MutSize, Pool::MutInt, Pool::MutFloat];
    let own = all.iter().filter(|counter| scalars.contains(&counter.pool)).map(|counter| Counter {
        token: own(&counter.token),
        pool: counter.pool,
        from: counter.from,
        bits: counter.bits,
    });
    let own: Vec<Counter> = own.collect();
    all.extend(own);
    all
}

/// The token of the names of a pool that the body defines, without those of the head; the same bits count them.
pub(super) fn own(token: &str) -> String {
    format!("LET_{token}")
}

impl Counter {
    pub fn range(&self) -> String {
        format!("[{}:{}]", self.from, self.from + self.bits)
    }
    /// How many names it counts.
    pub fn most(&self) -> usize {
        ((1usize << self.bits) - 1).min(self.pool.most())
    }
}

/// The token of the name of a tensor that may be left out.
pub(super) fn given(tensor: &HeadTensor) -> String {
    format!("GIVEN_{}", tensor.name.to_uppercase())
}
