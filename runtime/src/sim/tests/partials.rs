//! Reductions of repeats, data blocks and pairs, and copies under a mask, compared with loops over
//! lanes.

use super::ops::array;
use crate::{Array, Launch, Overflow};
use half::f16;
use jumar_dsl::check::check;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;

/// The elements of source and destination.
const N: usize = 2048;
/// The contents of the destination before the call.
const BEFORE: f64 = 7.0;

/// A call, described by numbers.
#[derive(Clone, Copy, Debug)]
struct Given {
    /// The lanes of a repeat that take part.
    mask: u128,
    repeats: usize,
    /// The elements in counter mode; it has no mask.
    counter: Option<usize>,
    blk: usize,
    rep: usize,
    dst_rep: usize,
}

/// Runs one call `CALL` that reads `x` into `z`, which holds [`BEFORE`], and returns `z`.
fn run(dtype: DType, call: &str, x: &Array) -> Vec<f64> {
    let d = dtype.name();
    let before = if dtype.is_float() { "7.0" } else { "7" };
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] x: &GlobalTensor<{d}>, y: &mut GlobalTensor<{d}>) {{\nlet share = split(1);\nlet mut pipe = TPipe::new();\n\
         let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());\n\
         pipe.init_buffer(&mut a, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut b, 1, {N} * size_of::<{d}>());\n\
         for i in 0..share.len() {{\nlet x_in = a.alloc_tensor::<{d}>(); data_copy(&x_in, x.slice(0, {N})); a.enque(x_in); let x = a.deque::<{d}>();\n\
         let z = b.alloc_tensor::<{d}>(); vec::duplicate(&z, {before}, {N});\n{call}\n\
         a.free_tensor(x); b.enque(z); let z = b.deque::<{d}>(); data_copy(y.slice(0, {N}), &z); b.free_tensor(z);\n}}\n}}"
    );
    let parsed = parse_file(&text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let said: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let mut y = Array::zeros(dtype, &[N]).unwrap();
    Launch::new(&kernel)
        .overflow(Overflow::InfNan)
        .input("x", x)
        .output("y", &mut y)
        .run()
        .unwrap_or_else(|e| panic!("{e}\n{call}"));
    y.to_f64()
}

fn round(dtype: DType, v: f64) -> f64 {
    array(dtype, &[v]).to_f64()[0]
}

/// Reduces neighbours by position, then neighbours of those, each step rounded; an element without
/// a partner is kept.
fn tree(dtype: DType, values: &[Option<f64>], step: fn(f64, f64) -> f64) -> Option<f64> {
    match values {
        [one] => *one,
        _ => {
            let both = |p: &[Option<f64>]| match (p[0], p.get(1).copied().flatten()) {
                (Some(a), Some(b)) => Some(round(dtype, step(a, b))),
                (a, b) => a.or(b),
            };
            tree(dtype, &values.chunks(2).map(both).collect::<Vec<_>>(), step)
        }
    }
}

impl Given {
    /// Returns the index of lane `lane` of a repeat, where it takes part.
    fn source(&self, dtype: DType, repeat: usize, lane: usize) -> Option<usize> {
        let (lanes, block) = (256 / dtype.bytes() as usize, 32 / dtype.bytes() as usize);
        let takes = match self.counter {
            Some(n) => repeat * lanes + lane < n,
            None => self.mask >> lane & 1 == 1,
        };
        takes.then_some((repeat * self.rep + lane / block * self.blk) * block + lane % block)
    }

    fn repeats(&self, dtype: DType) -> usize {
        self.counter
            .map_or(self.repeats, |n| n.div_ceil(256 / dtype.bytes() as usize))
    }

    /// Computes the destination after the call, which makes one result of each `group` lanes.
    fn reduced(
        &self,
        dtype: DType,
        group: usize,
        step: fn(f64, f64) -> f64,
        x: &[f64],
    ) -> Vec<f64> {
        let lanes = 256 / dtype.bytes() as usize;
        let mut z = vec![BEFORE; N];
        for repeat in 0..self.repeats(dtype) {
            for g in 0..lanes / group {
                let lanes_of = g * group..(g + 1) * group;
                let taken: Vec<_> = lanes_of
                    .map(|lane| self.source(dtype, repeat, lane).map(|i| x[i]))
                    .collect();
                if let Some(result) = tree(dtype, &taken, step) {
                    z[repeat * self.dst_rep * (lanes / group) + g] = result;
                }
            }
        }
        z
    }

    /// Formats the extent as kernel text.
    fn extent(&self) -> String {
        match self.counter {
            Some(n) => format!("counter({n})"),
            None => format!(
                "bits({:#x}, {:#x}).repeats({})",
                self.mask as u64,
                (self.mask >> 64) as u64,
                self.repeats
            ),
        }
    }
}

/// Draws numbers below `n`, one after the other.
pub fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |n| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % n
    }
}

fn given(dtype: DType, next: &mut impl FnMut(u64) -> u64) -> Given {
    let lanes = 256 / dtype.bytes() as u32;
    let word = |next: &mut dyn FnMut(u64) -> u64| {
        (next(1 << 32) << 32 | next(1 << 32)) & (next(1 << 32) << 32 | next(1 << 32))
    };
    let mut mask = u128::from(word(next)) << 64 | u128::from(word(next));
    match next(4) {
        0 => mask &= 0xffff << next(100),
        1 => mask |= !0,
        // So few lanes that the results of all repeats would fill one data block.
        2 => mask = (1 << (1 + next(4))) - 1,
        _ => {}
    }
    mask &= !0 >> (128 - lanes);
    let counter = (next(3) == 0).then(|| 1 + next(u64::from(3 * lanes)) as usize);
    let [repeats, blk, rep, dst_rep] = [4, 4, 11, 4].map(|n| next(n) as usize);
    Given {
        mask,
        repeats,
        counter,
        blk,
        rep,
        dst_rep,
    }
}

/// The elements that a call reduces to one result.
#[derive(Clone, Copy)]
enum Of {
    Repeat,
    Block,
    Pair,
}

impl Of {
    fn lanes(self, dtype: DType) -> usize {
        match self {
            Of::Repeat => 256 / dtype.bytes() as usize,
            Of::Block => 32 / dtype.bytes() as usize,
            Of::Pair => 2,
        }
    }
}

#[test]
fn reductions_of_repeats_take_the_lanes_of_their_mask_and_leave_other_results_alone() {
    type Step = fn(f64, f64) -> f64;
    let rows: [(&str, Of, Step); 7] = [
        ("block_reduce_sum", Of::Block, |a, b| a + b),
        ("block_reduce_max", Of::Block, f64::max),
        ("block_reduce_min", Of::Block, f64::min),
        ("whole_reduce_sum", Of::Repeat, |a, b| a + b),
        ("whole_reduce_max", Of::Repeat, f64::max),
        ("whole_reduce_min", Of::Repeat, f64::min),
        ("pair_reduce_sum", Of::Pair, |a, b| a + b),
    ];
    for dtype in [DType::F16, DType::F32] {
        let values: Vec<f64> = (0..N)
            .map(|i| ((i * 7919) % 1009) as f64 * 1.1 - 500.0)
            .collect();
        let x = array(dtype, &values);
        let values = x.to_f64();
        for (i, (op, of, step)) in rows.into_iter().enumerate() {
            let mut next = random(17 + i as u64);
            for _ in 0..40 {
                let g = given(dtype, &mut next);
                let call = format!(
                    "vec::{op}(&z.results({}), &x.blocks({}, {}), {});",
                    g.dst_rep,
                    g.blk,
                    g.rep,
                    g.extent()
                );
                let want = g.reduced(dtype, of.lanes(dtype), step, &values);
                assert_eq!(run(dtype, &call, &x), want, "{dtype} {call}");
            }
        }
    }
}

#[test]
fn a_sum_of_halves_is_rounded_after_each_addition() {
    // In half, 2048 + 1 is 2048: going from neighbour to neighbour each 1 is lost, unless two of
    // them are added first.
    let mut values = vec![0.0; N];
    values[..8].copy_from_slice(&[2048.0, 1.0, 1.0, 1.0, 2048.0, 1.0, 0.0, 1.0]);
    let x = array(DType::F16, &values);
    let h = |v: f64| f16::from_f64(v).to_f64();
    let sum = |call: &str| run(DType::F16, call, &x)[0];
    assert_eq!(
        sum("vec::whole_reduce_sum(&z, &x, lanes(8).repeats(1));"),
        h(h(2048.0 + 2.0) + h(2048.0 + 1.0))
    );
    assert_eq!(
        sum("vec::repeat_reduce_sum(&z, &x, lanes(4).repeats(1));"),
        2050.0
    );
    assert_eq!(
        sum("vec::block_reduce_sum(&z, &x, lanes(1..4).of(8).groups(1).repeats(1));"),
        3.0
    );
}

#[test]
fn a_copy_under_a_mask_moves_the_lanes_that_it_takes() {
    for dtype in [DType::F16, DType::Bf16, DType::F32, DType::I32] {
        let x = array(dtype, &(0..N).map(|i| (i % 256) as f64).collect::<Vec<_>>());
        let (values, mut next) = (x.to_f64(), random(99));
        let block = 32 / dtype.bytes() as usize;
        for _ in 0..30 {
            let g = Given {
                counter: None,
                ..given(dtype, &mut next)
            };
            let (dst_blk, dst_rep) = (1 + next(3) as usize, next(11) as usize);
            let to = Given {
                blk: dst_blk,
                rep: dst_rep,
                ..g
            };
            let mut want = vec![BEFORE; N];
            for (repeat, lane) in
                (0..g.repeats).flat_map(|r| (0..8 * block).map(move |lane| (r, lane)))
            {
                if let (Some(from), Some(to)) = (
                    g.source(dtype, repeat, lane),
                    to.source(dtype, repeat, lane),
                ) {
                    want[to] = values[from];
                }
            }
            let call = format!(
                "vec::copy(&z.blocks({dst_blk}, {dst_rep}), &x.blocks({}, {}), {});",
                g.blk,
                g.rep,
                g.extent()
            );
            assert_eq!(run(dtype, &call, &x), want, "{dtype} {call}");
        }
    }
}

#[test]
fn lanes_of_groups_are_the_bits_that_they_stand_for() {
    for dtype in [DType::F16, DType::F32] {
        let lanes = 256 / dtype.bytes();
        let x = array(
            dtype,
            &(0..N).map(|i| (i % 1000) as f64).collect::<Vec<_>>(),
        );
        for of in (0..8).map(|bit| 1i64 << bit) {
            for (from, to) in [(0, of.min(lanes)), (of / 2, of / 2 + 1), (0, 1)] {
                let most = if to > lanes { 0 } else { (lanes - to) / of + 1 };
                for groups in [0, 1, most] {
                    let taken = (0..groups).flat_map(|g| (from..to).map(move |lane| g * of + lane));
                    let mask = taken
                        .filter(|lane| *lane < lanes)
                        .fold(0u128, |mask, lane| mask | 1 << lane);
                    let bits = format!(
                        "bits({:#x}, {:#x}).repeats(3)",
                        mask as u64,
                        (mask >> 64) as u64
                    );
                    let spelled = format!(
                        "lanes({from}..{to}).of({of}).groups({}).repeats(3)",
                        groups.min(most)
                    );
                    let [a, b] = [bits, spelled]
                        .map(|extent| run(dtype, &format!("vec::copy(&z, &x, {extent});"), &x));
                    assert_eq!(
                        a, b,
                        "{dtype} lanes {from}..{to} of {groups} groups of {of}"
                    );
                }
            }
        }
    }
}
