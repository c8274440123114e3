//! Random kernels as data: what `proptest` makes and shrinks.
//!
//! A plan holds no names and no types. Each of its statements is a kind and a list of numbers, which the builder reads
//! as choices among what fits where the statement stands: every plan is a kernel, a smaller one is a simpler kernel, and
//! a choice that has run out is the first one, which is the simplest.

use proptest::prelude::*;

/// What a statement wants to be; where it cannot, it becomes another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `let v = tile;`
    Tile,
    /// `let mut v = tile;`
    TileMut,
    /// `v = tile;`, `v += tile;`
    SetTile,
    /// `y.at(t).store(v);`
    Store,
    /// `let s = scalar;`
    Scalar,
    /// `let mut s = scalar;`
    ScalarMut,
    /// `s = scalar;`, `s += scalar;`
    SetScalar,
    /// `let (a, b) = (.., ..);`
    Tuple,
    /// `const K: f32 = ..;`
    Const,
    /// A call of a helper as a statement.
    Call,
    /// `for i in a..b { .. }`
    For,
    /// `if c { .. } else { .. }`
    If,
    /// `for c in tiles(d) { .. }`
    Columns,
    /// `acc = acc.max(v.amax(c));` in a column loop.
    Merge,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub picks: Vec<u16>,
    pub body: Vec<Node>,
    pub other: Vec<Node>,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Signature, shapes, overrides.
    pub head: [u16; 32],
    pub attrs: Vec<u16>,
    pub before: Vec<Node>,
    pub inside: Vec<Node>,
    pub after: Vec<Node>,
    /// Of the data.
    pub seed: u64,
}

/// Choices in the order in which they are asked for.
#[derive(Clone, Debug)]
pub struct Picks<'p> {
    left: &'p [u16],
}

impl<'p> Picks<'p> {
    pub fn new(left: &'p [u16]) -> Self {
        Picks { left }
    }
    /// One of `n`.
    pub fn of(&mut self, n: usize) -> usize {
        let Some((first, left)) = self.left.split_first() else {
            return 0;
        };
        self.left = left;
        usize::from(*first) % n.max(1)
    }
    /// True once in `n`.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.of(n) == n - 1
    }
    /// One of a list.
    pub fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.of(list.len())]
    }
}

fn picks(n: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(0..5040u16, 0..n)
}

fn leaf() -> impl Strategy<Value = Node> {
    let kind = prop_oneof![
        8 => Just(Kind::Tile),
        2 => Just(Kind::TileMut),
        3 => Just(Kind::SetTile),
        2 => Just(Kind::Store),
        3 => Just(Kind::Scalar),
        2 => Just(Kind::ScalarMut),
        2 => Just(Kind::SetScalar),
        1 => Just(Kind::Tuple),
        1 => Just(Kind::Const),
        1 => Just(Kind::Call),
        1 => Just(Kind::Merge),
    ];
    (kind, picks(28)).prop_map(|(kind, picks)| Node {
        kind,
        picks,
        body: Vec::new(),
        other: Vec::new(),
    })
}

/// A statement with at most `depth` blocks around what is inside.
fn node(depth: usize) -> BoxedStrategy<Node> {
    if depth == 0 {
        return leaf().boxed();
    }
    let kind = prop_oneof![3 => Just(Kind::If), 2 => Just(Kind::For), 2 => Just(Kind::Columns)];
    let parts = (kind, picks(16), nodes(depth - 1, 4), nodes(depth - 1, 3));
    let block = parts.prop_map(|(kind, picks, body, other)| Node {
        kind,
        picks,
        body,
        other,
    });
    prop_oneof![7 => leaf(), 2 => block].boxed()
}

fn nodes(depth: usize, most: usize) -> impl Strategy<Value = Vec<Node>> {
    prop::collection::vec(node(depth), 0..=most)
}

/// Any plan.
pub fn plans() -> impl Strategy<Value = Plan> {
    let head = prop::array::uniform32(0..5040u16);
    let body = (nodes(1, 4), nodes(2, 9), nodes(1, 2));
    (head, picks(24), body, any::<u64>()).prop_map(
        |(head, attrs, (before, inside, after), seed)| Plan {
            head,
            attrs,
            before,
            inside,
            after,
            seed,
        },
    )
}
