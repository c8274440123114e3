//! Sums of products of opaque atoms: the normal form in which sizes are compared.
//!
//! `(i + 1) * tile` and `i * tile + tile` have one form. A size that overflows 64 bits has none,
//! and a comparison of it is never proved. Atoms and products are interned, so sums are merged and
//! compared by number. A definition is an atom or a sum of atoms, made once however often it is
//! used.

use crate::ir::linear::gcd;
use crate::ir::linear::has_opposite;
use crate::ir::{BinOp, Scalar, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{smallvec, SmallVec};
use std::hash::Hash;
use std::rc::Rc;

/// Most terms of a form, more than any size of a kernel has. A product of longer sums has no form.
const MAX_TERMS: usize = 32;
/// Most atoms of a product.
const MAX_FACTORS: usize = 12;
/// Deepest nesting of atoms, which bounds the recursion over them.
const MAX_DEPTH: u32 = 64;

/// The number of an interned atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(u32);

impl Atom {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of an interned product of atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Product(u32);

/// The atoms of a product, sorted.
pub(super) type Factors = SmallVec<[Atom; 4]>;

/// The empty product.
pub(super) const ONE: Product = Product(0);

/// The expression that an atom stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A variable, a parameter, or an expression that is no sum of sizes.
    Leaf(Scalar),
    /// A quotient, remainder, minimum or maximum.
    Op(BinOp, Linear, Linear),
    /// A choice between two sizes.
    Select(Scalar, Linear, Linear),
}

/// The terms of a form; most sizes have a few.
pub(super) type Terms = SmallVec<[(Product, i64); 4]>;

/// `constant + Σ factor * product`. No factor is 0, and the products are sorted.
#[derive(Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    pub terms: Terms,
    pub constant: i64,
}

impl Clone for Linear {
    fn clone(&self) -> Linear {
        // Proofs copy little else. `from_slice` copies all terms at once.
        Linear {
            terms: Terms::from_slice(&self.terms),
            constant: self.constant,
        }
    }
}

/// The interned atoms and products.
#[derive(Debug)]
pub struct Forms {
    nodes: Interner<Node>,
    /// Nesting depth of each atom.
    depths: Vec<u32>,
    products: Interner<Factors>,
    /// Products of single variables, which are asked for most.
    vars: FxHashMap<VarId, Product>,
}

impl Default for Forms {
    fn default() -> Self {
        let mut products = Interner::default();
        products.number(Factors::new());
        Forms {
            nodes: Interner::default(),
            depths: Vec::new(),
            products,
            vars: FxHashMap::default(),
        }
    }
}

/// Numbers for values. Each value has one allocation, since it is large beside its number.
#[derive(Debug)]
struct Interner<T> {
    all: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            all: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<T: Eq + Hash> Interner<T> {
    fn number(&mut self, value: T) -> u32 {
        if let Some(n) = self.numbers.get(&value) {
            return *n;
        }
        let (n, value) = (self.all.len() as u32, Rc::new(value));
        self.all.push(value.clone());
        self.numbers.insert(value, n);
        n
    }
}

impl Linear {
    pub fn constant(constant: i64) -> Linear {
        Linear {
            terms: Terms::new(),
            constant,
        }
    }

    pub fn product(product: Product) -> Linear {
        match product {
            ONE => Linear::constant(1),
            _ => Linear {
                terms: smallvec![(product, 1)],
                constant: 0,
            },
        }
    }

    /// Returns the constant of a form without terms.
    pub fn as_int(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns the product of a form that is just one.
    pub fn as_product(&self) -> Option<Product> {
        match (&self.terms[..], self.constant) {
            ([(product, 1)], 0) => Some(*product),
            _ => None,
        }
    }

    /// Returns `self + other * factor`; `None` if a number overflows or has no opposite.
    pub fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)
            .and_then(has_opposite)?;
        let mut terms = Terms::new();
        let (mut own, mut others) = (&self.terms[..], &other.terms[..]);
        loop {
            let (product, sum) = match (own, others) {
                ([(a, f), mine @ ..], [(b, g), theirs @ ..]) if a == b => {
                    (own, others) = (mine, theirs);
                    (*a, f.checked_add(g.checked_mul(factor)?)?)
                }
                ([(a, f), mine @ ..], _) if others.first().is_none_or(|(b, _)| a < b) => {
                    own = mine;
                    (*a, *f)
                }
                (_, [(b, g), theirs @ ..]) => {
                    others = theirs;
                    (*b, g.checked_mul(factor)?)
                }
                (_, []) => break,
            };
            if has_opposite(sum)? != 0 {
                terms.push((product, sum));
            }
        }
        (terms.len() <= MAX_TERMS).then_some(Linear { terms, constant })
    }

    pub fn scaled(&self, factor: i64) -> Option<Linear> {
        Linear::default().plus(self, factor)
    }

    /// Returns `self / by` if that divides every term.
    fn divided(&self, by: i64) -> Option<Linear> {
        let exact = |v: i64| (v.checked_rem(by)? == 0).then(|| v.checked_div(by))?;
        let terms = self
            .terms
            .iter()
            .map(|(p, f)| Some((*p, exact(*f)?)))
            .collect::<Option<_>>()?;
        Some(Linear {
            terms,
            constant: exact(self.constant)?,
        })
    }

    /// Returns the equivalent of `self <= 0` with the smallest numbers.
    pub fn reduced(mut self) -> Linear {
        let common = self
            .terms
            .iter()
            .map(|(_, f)| f.checked_abs().unwrap_or(1))
            .fold(0, gcd);
        if common > 1 {
            self.terms.iter_mut().for_each(|(_, f)| *f /= common);
            // The sum is an integer: `8 * n + 1 <= 0` means `n + 1 <= 0`.
            self.constant =
                self.constant.div_euclid(common) + i64::from(self.constant.rem_euclid(common) != 0);
        }
        self
    }

    /// Returns the form without its `index`-th term.
    pub fn without_term(&self, index: usize) -> Linear {
        let mut rest = self.clone();
        rest.terms.remove(index);
        rest
    }
}

impl Forms {
    /// Returns the atoms of a product, sorted.
    pub fn factors(&self, product: Product) -> &[Atom] {
        &self.products.all[product.0 as usize]
    }

    pub fn node(&self, atom: Atom) -> &Rc<Node> {
        &self.nodes.all[atom.0 as usize]
    }

    /// Interns a node; `None` if atoms are nested too deep.
    pub fn atom(&mut self, node: Node) -> Option<Atom> {
        let depth = match &node {
            Node::Leaf(_) => 0,
            Node::Op(_, a, b) | Node::Select(_, a, b) => self.depth(a).max(self.depth(b)) + 1,
        };
        if depth > MAX_DEPTH {
            return None;
        }
        let number = self.nodes.number(node);
        if self.depths.len() == number as usize {
            self.depths.push(depth);
        }
        Some(Atom(number))
    }

    fn depth(&self, l: &Linear) -> u32 {
        let atoms = l.terms.iter().flat_map(|(p, _)| self.factors(*p));
        atoms.map(|a| self.depths[a.0 as usize]).max().unwrap_or(0)
    }

    /// Returns the leaves of a form, each once. It enters shared atoms once: nested definitions may
    /// double in size at each level.
    pub fn leaves(&self, l: &Linear) -> Vec<Atom> {
        let mut met = FxHashSet::default();
        let mut open: Vec<&Linear> = vec![l];
        let mut found = Vec::new();
        while let Some(l) = open.pop() {
            for atom in l
                .terms
                .iter()
                .flat_map(|(product, _)| self.factors(*product))
                .filter(|atom| met.insert(**atom))
            {
                match &**self.node(*atom) {
                    Node::Leaf(_) => found.push(*atom),
                    Node::Op(_, a, b) | Node::Select(_, a, b) => open.extend([b, a]),
                }
            }
        }
        found
    }

    /// Returns the product of one atom.
    pub fn single(&mut self, atom: Atom) -> Product {
        Product(self.products.number(smallvec![atom]))
    }

    /// Returns the form of one atom.
    pub fn alone(&mut self, atom: Atom) -> Linear {
        Linear::product(self.single(atom))
    }

    /// Interns a node and returns its form.
    pub fn of_node(&mut self, node: Node) -> Option<Linear> {
        let atom = self.atom(node)?;
        Some(self.alone(atom))
    }

    /// Returns the form of a variable that stands for itself.
    pub fn of_var(&mut self, var: VarId) -> Option<Linear> {
        if let Some(product) = self.vars.get(&var) {
            return Some(Linear::product(*product));
        }
        let atom = self.atom(Node::Leaf(var.into()))?;
        let product = self.single(atom);
        self.vars.insert(var, product);
        Some(Linear::product(product))
    }

    fn multiplied(&mut self, a: Product, b: Product) -> Option<Product> {
        if a == ONE || b == ONE {
            return Some(if a == ONE { b } else { a });
        }
        let mut factors: Factors = self
            .factors(a)
            .iter()
            .chain(self.factors(b))
            .copied()
            .collect();
        factors.sort_unstable();
        (factors.len() <= MAX_FACTORS).then(|| Product(self.products.number(factors)))
    }

    /// Returns `product` without the atoms of `factor`; `None` if one is missing.
    pub fn without(&mut self, product: Product, factor: Product) -> Option<Product> {
        if product == factor {
            return Some(ONE);
        }
        // Both are sorted.
        let (mut rest, mut missing) = (Factors::new(), self.factors(factor));
        for atom in self.factors(product) {
            match missing {
                [first, others @ ..] if first == atom => missing = others,
                [first, ..] if first < atom => return None,
                _ => rest.push(*atom),
            }
        }
        missing
            .is_empty()
            .then(|| Product(self.products.number(rest)))
    }

    /// True if `product` is `a * b`.
    pub fn is_product_of(&self, product: Product, a: Product, b: Product) -> bool {
        let (all, mut a, mut b) = (self.factors(product), self.factors(a), self.factors(b));
        all.len() == a.len() + b.len()
            && all.iter().all(|atom| {
                let from = if a.first() == Some(atom) {
                    &mut a
                } else {
                    &mut b
                };
                from.split_off_first() == Some(atom)
            })
    }

    /// Returns `product` without its `index`-th atom.
    pub fn without_factor(&mut self, product: Product, index: usize) -> Product {
        let mut rest = Factors::from_slice(self.factors(product));
        rest.remove(index);
        Product(self.products.number(rest))
    }

    /// Multiplies every term of `l`, the constant too, by `product`.
    pub fn times_product(&mut self, l: &Linear, product: Product) -> Option<Linear> {
        if product == ONE {
            return Some(l.clone());
        }
        let mut terms = Terms::new();
        if l.constant != 0 {
            terms.push((product, l.constant));
        }
        for (own, f) in &l.terms {
            terms.push((self.multiplied(*own, product)?, *f));
        }
        terms.sort_unstable();
        (terms.len() <= MAX_TERMS).then_some(Linear { terms, constant: 0 })
    }

    pub fn times(&mut self, a: &Linear, b: &Linear) -> Option<Linear> {
        let mut out = a.scaled(b.constant)?;
        for (product, f) in &b.terms {
            out = out.plus(&self.times_product(a, *product)?, *f)?;
        }
        Some(out)
    }

    /// Returns the form of `a op b` for two sizes; `None` if it has none.
    pub fn bin(&mut self, op: BinOp, a: Linear, b: Linear) -> Option<Linear> {
        let numbers = a.as_int().zip(b.as_int());
        if let Some(value) = numbers.and_then(|(a, b)| Scalar::Int(a).bin(op, b).as_int()) {
            return Some(Linear::constant(value));
        }
        match (op, b.as_int().filter(|d| *d > 0)) {
            (BinOp::Add, _) => a.plus(&b, 1),
            (BinOp::Sub, _) => a.plus(&b, -1),
            (BinOp::Mul, _) => self.times(&a, &b),
            (BinOp::Div | BinOp::CeilDiv, Some(d)) => self.quotient(op, &a, d),
            // Rounding up has one form, whichever way it is written.
            (BinOp::AlignUp, Some(d)) => self.quotient(BinOp::CeilDiv, &a, d)?.scaled(d),
            (BinOp::Min | BinOp::Max, _) if a == b => Some(a),
            (BinOp::Min | BinOp::Max, _) => self.of_node(if a < b {
                Node::Op(op, a, b)
            } else {
                Node::Op(op, b, a)
            }),
            (BinOp::Rem | BinOp::Div | BinOp::CeilDiv | BinOp::AlignUp, _) => {
                self.of_node(Node::Op(op, a, b))
            }
            // These give no size.
            (
                BinOp::Lt
                | BinOp::Le
                | BinOp::Gt
                | BinOp::Ge
                | BinOp::Eq
                | BinOp::Ne
                | BinOp::And
                | BinOp::Or,
                _,
            ) => None,
        }
    }

    /// Divides `l` by a constant, rounded as `op` does, in lowest terms.
    fn quotient(&mut self, op: BinOp, l: &Linear, by: i64) -> Option<Linear> {
        if let Some(exact) = l.divided(by) {
            return Some(exact);
        }
        let magnitude = |v: i64| v.checked_abs().unwrap_or(1);
        let common = l
            .terms
            .iter()
            .map(|(_, f)| magnitude(*f))
            .fold(gcd(magnitude(l.constant), by), gcd)
            .max(1);
        let (reduced, by) = (l.divided(common)?, by / common);
        // Two divisions round like one by both divisors.
        if let Some([atom]) = reduced.as_product().map(|p| self.factors(p)) {
            if let Node::Op(inner, x, first) = &**self.node(*atom) {
                let both = first
                    .as_int()
                    .filter(|d| *d > 0 && *inner == op)
                    .and_then(|d| d.checked_mul(by));
                if let Some(both) = both {
                    let x = x.clone();
                    return self.of_node(Node::Op(op, x, Linear::constant(both)));
                }
            }
        }
        self.of_node(Node::Op(op, reduced, Linear::constant(by)))
    }
}
