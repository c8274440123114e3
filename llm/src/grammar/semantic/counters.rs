//! The division of the parameter's bits into counters of names.

use super::axes::{each, no, run, Universe};
use crate::canon::{Head, HeadTensor, Pool, OTHERS};
use jumar::dsl::ir::Ty;

/// Bits of the parameter.
const BITS: u32 = 64;

/// An empty token that is allowed once a scalar of a tile was read. One bit records it.
pub(super) const READ: &str = "READ";

/// The counter of the names of a pool, or of one class of it.
pub(super) struct Counter {
    pub token: String,
    /// The beginning of its names.
    pub stem: String,
    most: usize,
    pub from: u32,
    pub bits: u32,
    /// The meaning of the token, besides the number of names.
    pub kind: Kind,
}

/// The meaning of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name of the pool.
    Name,
    /// An empty token that needs non-zero bits.
    Known,
    /// An empty token that needs zero bits.
    Unknown,
}

/// A request for a counter: the bits that it needs at least, and may use at most.
struct Wanted {
    token: String,
    stem: String,
    names: usize,
    least: u32,
    most: u32,
    kind: Kind,
}

impl Wanted {
    fn of(pool: Pool, least: u32, most: u32) -> Wanted {
        Wanted {
            token: pool.token(),
            stem: pool.letters(),
            names: pool.most(),
            least,
            most,
            kind: Kind::Name,
        }
    }

    /// Requests a single bit for the presence of something.
    fn flag(token: String, stem: String, kind: Kind) -> Wanted {
        Wanted {
            token,
            stem,
            names: 1,
            least: 1,
            most: 1,
            kind,
        }
    }

    /// Requests bits for the reading of a scalar, and for each optional tensor that was tested.
    fn asked(head: &Head) -> Vec<Wanted> {
        let optional = head.tensors.iter().filter(|t| t.optional);
        let given = optional.map(|t| Wanted::flag(given(t), t.name.clone(), Kind::Name));
        [Wanted::flag(READ.to_string(), String::new(), Kind::Known)]
            .into_iter()
            .chain(given)
            .collect()
    }
}

/// Returns the element types, besides `f32`, `i32` and masks, that a body of this head computes
/// with.
pub(super) fn types_of(head: &Head) -> Vec<usize> {
    let mut own: Vec<usize> = Vec::new();
    for tensor in &head.tensors {
        let wide = match tensor.ty {
            Ty::Param(at) if head.open.contains(&at) => Some(Ty::Wide(at)),
            Ty::Param(_) => None,
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => None,
        };
        let found = [Some(tensor.ty), wide]
            .into_iter()
            .flatten()
            .filter_map(|ty| OTHERS.iter().position(|(_, own)| *own == ty));
        own.extend(found);
    }
    own.sort_unstable();
    own.dedup();
    own
}

/// Divides the bits among the pools.
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
    let named = pools
        .into_iter()
        .map(|(pool, least, most)| Wanted::of(pool, least, most));
    divided(Wanted::asked(head).into_iter().chain(named).collect())
}

/// Divides the bits among the pools, with a counter for each class of tiles.
pub(super) fn counters_of_classes(
    types: &[usize],
    head: &Head,
    universe: &Universe,
) -> Vec<Counter> {
    let mut wanted = Wanted::asked(head);
    let turns: Vec<(String, String)> = (0..universe.axes.len())
        .flat_map(|axis| {
            [run(axis), each(axis)]
                .into_iter()
                .zip(universe.turns(axis))
        })
        .collect();
    wanted.extend(
        turns
            .iter()
            .map(|(token, name)| Wanted::flag(token.clone(), name.clone(), Kind::Name)),
    );
    let scalars = WORTH_OF_SCALARS
        .iter()
        .map(|(pool, worth)| (Wanted::of(*pool, 0, 7), *worth));
    let others = types
        .iter()
        .flat_map(|at| [(Pool::Other(*at), 60), (Pool::MutOther(*at), 4)]);
    let tiles: Vec<(Pool, u64)> = WORTH_OF_TILES.iter().copied().chain(others).collect();
    let classes = universe.sets.iter().enumerate().flat_map(|(nth, set)| {
        // Unlikely classes get fewer bits, and so does each later class.
        let part = if nth < universe.likely { 12 } else { 1 };
        tiles.iter().map(move |(pool, worth)| {
            let own = Wanted::of(*pool, 0, 7);
            let wanted = Wanted {
                token: own.token.clone() + &set.suffix(),
                stem: universe.stem(*pool, *set),
                ..own
            };
            (wanted, worth * part * 8 / (8 + nth as u64))
        })
    });
    let (counted, worth): (Vec<Wanted>, Vec<u64>) = scalars
        .map(|(of, worth)| (of, 12 * worth))
        .chain(classes)
        .unzip();
    let bits = by_worth(&worth, BITS.saturating_sub(wanted.len() as u32));
    wanted.extend(counted.into_iter().zip(bits).map(|(of, bits)| Wanted {
        least: bits,
        most: bits,
        ..of
    }));
    let mut all = divided(wanted);
    for (token, _) in turns {
        let of = all
            .iter()
            .find(|counter| counter.token == token)
            .map(|counter| counter.from);
        let silent = |from| Counter {
            token: no(&token),
            stem: String::new(),
            most: 1,
            from,
            bits: 1,
            kind: Kind::Unknown,
        };
        all.extend(of.map(silent));
    }
    all
}

/// The worth of a first bit for tiles of a class and for scalars, from the names in kernels of the
/// tasks.
const WORTH_OF_TILES: &[(Pool, u64)] = &[
    (Pool::Value, 100),
    (Pool::Whole, 36),
    (Pool::Mask, 36),
    (Pool::MutValue, 24),
    (Pool::MutWhole, 4),
    (Pool::MutMask, 2),
];
const WORTH_OF_SCALARS: &[(Pool, u64)] = &[
    (Pool::Float, 60),
    (Pool::Size, 60),
    (Pool::Index, 40),
    (Pool::Int, 16),
    (Pool::Bool, 12),
    (Pool::MutSize, 5),
    (Pool::MutFloat, 5),
    (Pool::MutInt, 3),
];

/// Divides bits so that their total worth is maximal: each further bit is worth half of the one
/// before.
fn by_worth(worth: &[u64], all: u32) -> Vec<u32> {
    let mut bits = vec![0u32; worth.len()];
    for _ in 0..all {
        let best = (0..worth.len())
            .max_by_key(|nth| (worth[*nth] << 8 >> bits[*nth], std::cmp::Reverse(*nth)));
        if let Some(best) = best {
            bits[best] += 1;
        }
    }
    bits
}

/// Gives each counter its minimum, and then spare bits round-robin. If the minimums do not fit, the
/// last counters get no bits.
fn divided(wanted: Vec<Wanted>) -> Vec<Counter> {
    let mut bits: Vec<u32> = wanted.iter().map(|of| of.least).collect();
    while bits.iter().sum::<u32>() > BITS {
        let last = bits.iter().rposition(|bits| *bits > 0).unwrap_or(0);
        bits[last] = 0;
    }
    loop {
        let before = bits.iter().sum::<u32>();
        for (nth, of) in wanted.iter().enumerate() {
            if bits.iter().sum::<u32>() < BITS && bits[nth] > 0 && bits[nth] < of.most {
                bits[nth] += 1;
            }
        }
        if bits.iter().sum::<u32>() == before {
            break;
        }
    }
    let mut from = 0;
    let mut all = Vec::new();
    for (
        Wanted {
            token,
            stem,
            names,
            kind,
            ..
        },
        bits,
    ) in wanted.into_iter().zip(bits)
    {
        all.push(Counter {
            token,
            stem,
            most: names,
            from,
            bits,
            kind,
        });
        from += bits;
    }
    all.retain(|counter| counter.bits > 0);
    // The tokens without the names of the head share these bits.
    let scalars = [
        Pool::Size,
        Pool::Int,
        Pool::Float,
        Pool::Bool,
        Pool::MutSize,
        Pool::MutInt,
        Pool::MutFloat,
    ]
    .map(Pool::token);
    let counted = all
        .iter()
        .filter(|counter| scalars.contains(&counter.token));
    let own = counted.map(|counter| Counter {
        token: own(&counter.token),
        stem: counter.stem.clone(),
        ..*counter
    });
    let own: Vec<Counter> = own.collect();
    all.extend(own);
    all
}

/// Returns the token of a pool's names in the body, without those of the head. It shares the bits
/// of the pool.
pub(super) fn own(token: &str) -> String {
    format!("LET_{token}")
}

impl Counter {
    pub fn range(&self) -> String {
        format!("[{}:{}]", self.from, self.from + self.bits)
    }
    /// True for a single name that is present or not.
    pub fn is_flag(&self) -> bool {
        self.most == 1
    }
    /// The number of names that it can count.
    pub fn most(&self) -> usize {
        ((1usize << self.bits) - 1).min(self.most)
    }
}

/// Returns the token of the name of an optional tensor.
pub(super) fn given(tensor: &HeadTensor) -> String {
    format!("GIVEN_{}", tensor.name.to_uppercase())
}
