//! Random kernels as data, which `proptest` makes and shrinks.
//!
//! A plan has no names and no types. Each of its statements is a kind and a list of numbers. The
//! builder reads them as choices among all that fits at the statement's place. So every plan is a
//! kernel, and a smaller plan is a simpler kernel. A choice that has run out is the first one,
//! which is the simplest.

use proptest::prelude::*;

/// The wanted kind of a statement; where it does not fit, it becomes another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The statement `let v = tile;`.
    Tile,
    /// The statement `let mut v = tile;`.
    TileMut,
    /// An assignment `v = tile;` or `v += tile;`.
    SetTile,
    /// A store `y.at(t).store(v);`.
    Store,
    /// The statement `let s = scalar;`.
    Scalar,
    /// The statement `let mut s = scalar;`.
    ScalarMut,
    /// An assignment `s = scalar;` or `s += scalar;`.
    SetScalar,
    /// The statement `let (a, b) = (.., ..);`.
    Tuple,
    /// A constant `const K: f32 = ..;`.
    Const,
    /// A call of a helper as a statement.
    Call,
    /// A loop `for i in a..b { .. }`.
    For,
    /// A branch `if c { .. } else { .. }`.
    If,
    /// A loop `for c in tiles(d) { .. }`.
    Columns,
    /// A merge `acc = acc.max(v.amax(c));` in a column loop.
    Merge,
}

/// A statement of a plan.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub picks: Vec<u16>,
    pub body: Vec<Node>,
    pub other: Vec<Node>,
}

/// A kernel as data.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Choices of signature, shapes and overrides.
    pub head: [u16; 32],
    pub attrs: Vec<u16>,
    pub before: Vec<Node>,
    pub inside: Vec<Node>,
    pub after: Vec<Node>,
    /// Seed of the data.
    pub seed: u64,
}

/// Choices in the order in which they are taken.
#[derive(Clone, Debug)]
pub struct Picks<'p> {
    left: &'p [u16],
}

impl<'p> Picks<'p> {
    pub fn new(left: &'p [u16]) -> Self {
        Picks { left }
    }
    /// Takes a choice among `n`.
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
    /// Takes one entry of a list.
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

/// Generates a statement with at most `depth` nested blocks.
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

/// Generates any plan.
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
