//! Proofs about sizes hold for all of them: random questions, with every answer checked by numbers.

use crate::check::prove::facts::Facts;
use crate::check::prove::Search;
use crate::ir::{BinOp, Scalar, ScalarTy, VarId};

/// Number of values that each variable takes.
const VALUES: i64 = 5;
const QUESTIONS: u64 = 8000;
/// Most forms that a search visits.
const SEARCHED: usize = 300;

/// A deterministic generator of numbers.
pub(super) struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }

    fn size(&mut self, depth: u32) -> Scalar {
        const OPS: [BinOp; 11] = [
            BinOp::Add,
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::Mul,
            BinOp::Div,
            BinOp::CeilDiv,
            BinOp::AlignUp,
            BinOp::Rem,
            BinOp::Min,
            BinOp::Max,
        ];
        match self.roll(if depth == 0 { 2 } else { 8 }) {
            0 => Scalar::Int(self.roll(6) as i64),
            1 => var(self.roll(3) as usize).into(),
            2 => Scalar::select(
                self.size(0).bin(BinOp::Lt, self.size(0)),
                self.size(depth - 1),
                self.size(depth - 1),
            ),
            _ => {
                let op = OPS[self.roll(OPS.len() as u64) as usize];
                self.size(depth - 1).bin(op, self.size(depth - 1))
            }
        }
    }
}

fn var(index: usize) -> VarId {
    VarId::new(index, ScalarTy::Index)
}

/// Evaluates `s`, if it has a value.
fn value(s: &Scalar, at: &[i64; 3]) -> Option<i64> {
    let leaf = |s: &Scalar| match s {
        Scalar::Var(v) => Some(Scalar::Int(at[v.index()])),
        _ => None,
    };
    match s.replace(&leaf) {
        Scalar::Int(v) => Some(v),
        Scalar::Bool(v) => Some(v.into()),
        Scalar::Select(c, a, b) => value(if value(&c, at)? == 1 { &a } else { &b }, at),
        Scalar::Bin(op, a, b) => Scalar::Int(value(&a, at)?).bin(op, value(&b, at)?).as_int(),
        _ => None,
    }
}

/// Returns all values of the variables.
fn all() -> impl Iterator<Item = [i64; 3]> {
    let count = VALUES * VALUES * VALUES;
    (0..count).map(|i| [i % VALUES, i / VALUES % VALUES, i / VALUES / VALUES])
}

/// Returns facts, the conditions behind them, and two sizes to compare.
fn question(dice: &mut Dice, number: u64) -> (Facts, Vec<Scalar>, [Scalar; 2]) {
    let mut facts = Facts::default();
    // The last variable has a divisor.
    let unit = 1 + number as i64 % 3;
    (0..3).for_each(|v| facts.unit(var(v), 0, if v == 2 { unit } else { 1 }));
    (0..3).for_each(|v| facts.at_most(var(v), &Scalar::Int(VALUES - 1)));
    let ops = [BinOp::Le, BinOp::Lt, BinOp::Eq, BinOp::Ge];
    let known: Vec<Scalar> = (0..dice.roll(3))
        .map(|i| {
            dice.size(1)
                .bin(ops[(number + i) as usize % 4], dice.size(1))
        })
        .collect();
    // No launch has conditions that divide by 0.
    known.iter().for_each(|cond| facts.demanded(cond));
    let divisor = Scalar::from(var(2)).bin(BinOp::Rem, unit).bin(BinOp::Eq, 0);
    let mut known: Vec<Scalar> = known.into_iter().chain([divisor]).collect();
    // Upper bounds of products, like those of sizes that fit in UB.
    let mosts = if number % 4 == 3 { 1 + dice.roll(2) } else { 0 };
    for _ in 0..mosts {
        let (product, most) = (dice.size(1) * dice.size(1), dice.roll(30) as i64);
        let form = facts.query().form(&product);
        if let Some(form) = form {
            facts.no_more_than(form, most);
            known.push(product.bin(BinOp::Le, most));
        }
    }
    (facts, known, [dice.size(3), dice.size(2)])
}

/// Witnesses only save searches: no search proves what a witness refutes.
#[test]
fn what_a_witness_refutes_has_no_proof() {
    let (mut dice, mut refuted) = (Dice(11), 0);
    for number in 0..QUESTIONS {
        let (facts, known, [a, b]) = question(&mut dice, number);
        let Some(l) = facts.excess(&a, &b) else {
            continue;
        };
        let mut query = facts.query();
        if query.work.is_refuted(&l) {
            refuted += 1;
            assert!(
                query.goes_on(&mut Search::of(l), SEARCHED) != Some(true),
                "{known:?}\n{a:?}\n<= {b:?}"
            );
        }
    }
    // Most random questions have the answer no.
    assert!(refuted > 2500, "{refuted} refuted");
}

#[test]
fn what_is_proved_holds_for_all_sizes() {
    let (mut dice, mut proved, mut divided) = (Dice(7), 0, 0);
    for number in 0..QUESTIONS {
        let (facts, known, [a, b]) = question(&mut dice, number);
        let places: Vec<_> = all()
            .filter(|at| known.iter().all(|cond| value(cond, at) == Some(1)))
            .collect();
        if facts.proves_le(&a, &b) {
            proved += 1;
            for at in &places {
                let sizes = value(&a, at).zip(value(&b, at));
                assert!(
                    sizes.is_none_or(|(a, b)| a <= b),
                    "{known:?}\n{a:?}\n<= {b:?}\nat {at:?}: {sizes:?}"
                );
            }
        }
        let (multiple, least) = (facts.multiple_of(&a), facts.least_of(&a));
        divided += i32::from(multiple > 1);
        for at in &places {
            let Some(size) = value(&a, at) else { continue };
            assert!(
                size == 0 || multiple != 0 && size % multiple == 0,
                "{known:?}\n{multiple} divides {a:?}\nat {at:?}: {size}"
            );
            assert!(
                least.is_none_or(|least| least <= size),
                "{known:?}\n{least:?} <= {a:?}\nat {at:?}: {size}"
            );
        }
    }
    // Guards against a vacuous test.
    assert!(
        proved > 500 && divided > 100,
        "{proved} proved, {divided} with a divisor"
    );
}

#[test]
fn a_quotient_of_a_quotient_is_one_where_both_round_alike() {
    let (x, ops) = (Scalar::from(var(0)), [BinOp::Div, BinOp::CeilDiv]);
    let mut facts = Facts::default();
    facts.unit(var(0), 0, 1);
    for (inner, outer, whole) in ops
        .iter()
        .flat_map(|a| ops.iter().flat_map(move |b| ops.map(|c| (*a, *b, c))))
    {
        for (by, then) in [(2, 3), (4, 2), (3, 5)] {
            let (twice, once) = (
                x.clone().bin(inner, by).bin(outer, then),
                x.clone().bin(whole, by * then),
            );
            for [a, b] in [[&twice, &once], [&once, &twice]] {
                let proved = facts.proves_le(a, b);
                let found = (0..64).find(|n| value(a, &[*n, 0, 0]) > value(b, &[*n, 0, 0]));
                assert!(!proved || found.is_none(), "{a:?} <= {b:?} of {found:?}");
                assert!(proved || inner != outer || outer != whole, "{a:?} <= {b:?}");
            }
        }
    }
}

/// A case with divisors `units[0]` of `a` and `units[1]` of `b`. It has the known condition, the
/// two sizes, and the largest amount by which the lower one may grow without exceeding the other.
type Tight = (
    &'static str,
    [i64; 2],
    fn(Scalar, Scalar) -> Scalar,
    fn(Scalar, Scalar) -> [Scalar; 2],
    i64,
);

const TIGHT: &[Tight] = &[
    (
        "below a number",
        [8, 1],
        |a, _| a.bin(BinOp::Lt, 248),
        |a, _| [a, Scalar::Int(256)],
        16,
    ),
    (
        "at most a number",
        [8, 1],
        |a, _| a.bin(BinOp::Le, 247),
        |a, _| [a, Scalar::Int(256)],
        16,
    ),
    (
        "a multiple written out",
        [1, 1],
        |a, _| (a * 8).bin(BinOp::Lt, 248),
        |a, _| [a * 8, Scalar::Int(256)],
        16,
    ),
    (
        "a sum of multiples",
        [1, 1],
        |a, b| (a * 3 + b * 6).bin(BinOp::Lt, 20),
        |a, b| [a * 3 + b * 6, Scalar::Int(20)],
        2,
    ),
    (
        "an offset on the left",
        [8, 1],
        |a, _| (a + 3).bin(BinOp::Lt, 248),
        |a, _| [a, Scalar::Int(248)],
        8,
    ),
    (
        "a size that has the divisor, too",
        [8, 8],
        |a, b| a.bin(BinOp::Lt, b),
        |a, b| [a, b],
        8,
    ),
    (
        "a size with a part of the divisor",
        [8, 4],
        |a, b| a.bin(BinOp::Lt, b),
        |a, b| [a, b],
        4,
    ),
    (
        "a size of any kind",
        [8, 1],
        |a, b| a.bin(BinOp::Lt, b),
        |a, b| [a, b],
        1,
    ),
    (
        "no divisor",
        [1, 1],
        |a, _| a.bin(BinOp::Lt, 248),
        |a, _| [a, Scalar::Int(256)],
        9,
    ),
    (
        "a multiple of what may be negative",
        [1, 1],
        |a, b| (less(a, b) * 16).bin(BinOp::Ge, 17),
        |a, b| [Scalar::Int(0), less(a, b)],
        2,
    ),
    (
        "a number less than what may be negative",
        [1, 1],
        |a, b| (less(a, b) - 4).bin(BinOp::Ge, 1),
        |a, b| [Scalar::Int(0), less(a, b)],
        5,
    ),
];

/// Returns a size that may be negative and is no sum.
fn less(a: Scalar, b: Scalar) -> Scalar {
    (a - 3).bin(BinOp::Min, b)
}

#[test]
fn what_has_a_divisor_stays_below_by_as_much() {
    for (what, units, known, sizes, slack) in TIGHT {
        let mut facts = Facts::default();
        (0..2).for_each(|v| facts.unit(var(v), 0, units[v]));
        let (a, b) = (Scalar::from(var(0)), Scalar::from(var(1)));
        facts.assume(&known(a.clone(), b.clone()));
        let [low, high] = sizes(a, b);
        assert!(
            facts.proves_le(&(low.clone() + *slack), &high),
            "{what} is not shown"
        );
        assert!(
            !facts.proves_le(&(low + (*slack + 1)), &high),
            "{what} is shown of too much"
        );
    }
}
