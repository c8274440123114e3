//! Names from pools: one or two letters for the kind, and a number in the order of definition.
//!
//! A pool's name is never a reserved word or an op. A model need not invent it, and a grammar sees
//! from its letters where it is allowed. Numbers count up within a scope: a block's names are free
//! again behind the block.

use std::collections::{BTreeMap, BTreeSet};

use jumar::dsl::dtype::DType;
use jumar::dsl::ir::Ty;

macro_rules! pools {
    ($($(#[doc = $doc:literal])+ $pool:ident = $letters:literal, $most:literal;)*) => {
        /// The kind of a name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Pool {
            $($(#[doc = $doc])+ $pool,)*
            /// A tile of another element type, by its place in [`OTHERS`].
            Other(usize),
            /// A tile of another element type that changes.
            MutOther(usize),
        }

        impl Pool {
            /// Every pool except those of other element types.
            pub const PLAIN: &'static [Pool] = &[$(Pool::$pool),*];

            /// Returns the letters that its names begin with.
            pub fn letters(self) -> String {
                match self {
                    $(Pool::$pool => $letters.to_string(),)*
                    Pool::Other(at) => format!("h{}", OTHERS[at].0),
                    Pool::MutOther(at) => format!("w{}", OTHERS[at].0),
                }
            }

            /// Describes its names in words, for a prompt.
            pub fn says(self) -> &'static str {
                match self {
                    $(Pool::$pool => concat!($($doc),+).trim_ascii(),)*
                    Pool::Other(_) => "A tile of another element type.",
                    Pool::MutOther(_) => "A tile of another element type that changes.",
                }
            }

            /// The number of its names.
            pub fn most(self) -> usize {
                match self {
                    $(Pool::$pool => $most,)*
                    Pool::Other(_) => 64,
                    Pool::MutOther(_) => 8,
                }
            }
        }
    };
}

/// Element types with pools of their own besides `f32`, `i32` and masks, with the letters that
/// follow the first one.
pub const OTHERS: &[(&str, Ty)] = &[
    ("", Ty::Param(0)),
    ("u", Ty::Param(1)),
    ("v", Ty::Param(2)),
    ("w", Ty::Param(3)),
    ("x", Ty::Wide(0)),
    ("xu", Ty::Wide(1)),
    ("xv", Ty::Wide(2)),
    ("xw", Ty::Wide(3)),
    ("f", Ty::Is(DType::F16)),
    ("b", Ty::Is(DType::Bf16)),
    ("o", Ty::Is(DType::Bool)),
    ("c", Ty::Is(DType::I8)),
    ("l", Ty::Is(DType::I64)),
    ("s", Ty::Is(DType::I16)),
    ("d", Ty::Is(DType::U8)),
    ("t", Ty::Is(DType::U16)),
    ("m", Ty::Is(DType::U32)),
];

impl Pool {
    /// Returns the token of its names in a grammar: their letters in capitals. `E` is the token of
    /// an enum.
    pub fn token(self) -> String {
        match self {
            Pool::Choice => "EN".to_string(),
            pool => pool.letters().to_uppercase(),
        }
    }

    /// Iterates over all pools.
    pub fn all() -> impl Iterator<Item = Pool> {
        let others = (0..OTHERS.len()).flat_map(|at| [Pool::Other(at), Pool::MutOther(at)]);
        Pool::PLAIN.iter().copied().chain(others)
    }

    /// True for the pools of tiles.
    pub fn is_tile(self) -> bool {
        match self {
            Pool::Value
            | Pool::Whole
            | Pool::Mask
            | Pool::MutValue
            | Pool::MutWhole
            | Pool::MutMask
            | Pool::Other(_)
            | Pool::MutOther(_) => true,
            Pool::Axis
            | Pool::In
            | Pool::Out
            | Pool::Ins
            | Pool::Outs
            | Pool::Run
            | Pool::Index
            | Pool::Size
            | Pool::Int
            | Pool::Float
            | Pool::Bool => false,
            Pool::Choice
            | Pool::Sizes
            | Pool::Ints
            | Pool::Floats
            | Pool::MutSize
            | Pool::MutInt
            | Pool::MutFloat
            | Pool::MutBool => false,
        }
    }

    /// Returns the pool of a tile, or `None` for an element type that no kernel has.
    pub fn of(ty: Ty, mutable: bool) -> Option<Pool> {
        Some(match (ty, mutable) {
            (Ty::Mask, false) => Pool::Mask,
            (Ty::Mask, true) => Pool::MutMask,
            (Ty::Is(DType::F32), false) => Pool::Value,
            (Ty::Is(DType::F32), true) => Pool::MutValue,
            (Ty::Is(DType::I32), false) => Pool::Whole,
            (Ty::Is(DType::I32), true) => Pool::MutWhole,
            (ty, mutable) => {
                let at = OTHERS.iter().position(|(_, own)| *own == ty)?;
                if mutable {
                    Pool::MutOther(at)
                } else {
                    Pool::Other(at)
                }
            }
        })
    }
}

pools! {
    /// An axis of the kernel.
    Axis = "a", 24;
    /// A tensor that is read.
    In = "x", 32;
    /// A tensor that is written, or a workspace.
    Out = "y", 32;
    /// A list of tensors that are read.
    Ins = "xs", 16;
    /// A list of tensors that are written.
    Outs = "ys", 16;
    /// The tile of a loop.
    Run = "t", 16;
    /// A single index of a loop.
    Index = "i", 16;
    /// A scalar of `usize`.
    Size = "n", 64;
    /// A scalar of `i32`.
    Int = "j", 64;
    /// A scalar of `f32`.
    Float = "s", 64;
    /// A scalar of `bool`.
    Bool = "b", 32;
    /// An attribute that is one of several names.
    Choice = "e", 8;
    /// A list of `usize`.
    Sizes = "ln", 8;
    /// A list of `i32`.
    Ints = "lj", 8;
    /// A list of `f32`.
    Floats = "ls", 8;
    /// A `usize` that changes.
    MutSize = "un", 8;
    /// An `i32` that changes.
    MutInt = "uj", 8;
    /// An `f32` that changes.
    MutFloat = "us", 8;
    /// A `bool` that changes.
    MutBool = "ub", 8;
    /// A tile of `f32`.
    Value = "v", 256;
    /// A tile of `i32`.
    Whole = "k", 64;
    /// The bits of a compare.
    Mask = "m", 64;
    /// A tile of `f32` that changes.
    MutValue = "c", 32;
    /// A tile of `i32` that changes.
    MutWhole = "d", 16;
    /// Bits that change.
    MutMask = "g", 16;
}

/// Returns the beginning of names that contain their axes.
pub fn stem(pool: Pool, axes: &str) -> String {
    match axes {
        "" => format!("{}_", pool.letters()),
        axes => format!("{}_{axes}_", pool.letters()),
    }
}

/// The next number for each beginning of names, and the statement until which a name is held.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    next: BTreeMap<(Pool, String), usize>,
    held: BTreeMap<String, usize>,
}

impl Counters {
    /// Restores the numbers at the beginning of a scope. Numbers of axes stay, because an axis
    /// belongs to the whole kernel.
    pub fn back(&mut self, before: Counters) {
        let own = std::mem::replace(self, before);
        self.next.extend(
            own.next
                .into_iter()
                .filter(|((pool, _), _)| *pool == Pool::Axis),
        );
    }

    /// Returns the next name of a pool that is not taken, and if the number is within the pool.
    pub fn next(&mut self, pool: Pool, stem: String, taken: &BTreeSet<String>) -> (String, bool) {
        let next = self.next.entry((pool, stem.clone())).or_default();
        loop {
            let (name, is_own) = (format!("{stem}{next}"), *next < pool.most());
            *next += 1;
            if !taken.contains(&name) {
                return (name, is_own);
            }
        }
    }

    /// Returns a name with this beginning that is no longer held.
    pub fn free(&self, pool: Pool, stem: &str, now: usize) -> Option<String> {
        let next = self
            .next
            .get(&(pool, stem.to_string()))
            .copied()
            .unwrap_or_default();
        (0..next)
            .map(|nth| format!("{stem}{nth}"))
            .find(|name| self.held.get(name).is_some_and(|last| *last <= now))
    }

    /// Holds a name until a statement.
    pub fn hold(&mut self, name: &str, last: usize) {
        let held = self.held.entry(name.to_string()).or_default();
        *held = last.max(*held);
    }
}
