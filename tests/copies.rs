//! Drawn copies of rows at queue level: checked, run by the simulator and as C++, and compared with
//! a loop over the elements.
//!
//! `JUMAR_COPIES` is the number of drawn kernels for each element type and chip. `JUMAR_CPP_COPIES`
//! is the number of those that run as C++.

use jumar::cpp::Cpp;
use jumar::dsl::ops::{CopyOp, Op};
use jumar::dsl::soc::Chip;
use jumar::load::check_text;
use jumar::runtime::{AsInput, AsOutput, Backend, Launch};
use jumar_kit::tier;
use ndarray::Array1;
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::fmt::Display;

/// Copies of a kernel; each has `PART` elements of `y` for itself.
const COPIES: usize = 8;
const PART: usize = 1024;
/// Elements of `x`.
const SOURCE: usize = 4096;
/// Elements of the tensor in UB.
const LOCAL: usize = 2048;

trait Element: Copy + PartialEq + Display + std::fmt::Debug + 'static {
    const NAME: &'static str;
    const BYTES: usize;
    fn of(i: usize) -> Self;
    fn joined(self, other: Self, how: &str) -> Self;
    fn literal(self) -> String;
}

macro_rules! elements {
    ($($t:ty: $plus:expr, $form:literal);* $(;)?) => {$(
        impl Element for $t {
            const NAME: &'static str = stringify!($t);
            const BYTES: usize = size_of::<$t>();
            fn of(i: usize) -> Self { (i * 37 % 113) as $t }
            fn joined(self, other: Self, how: &str) -> Self {
                let plus: fn($t, $t) -> $t = $plus;
                match how {
                    "add" => plus(self, other),
                    "max" => self.max(other),
                    "min" => self.min(other),
                    other => panic!("{other}"),
                }
            }
            fn literal(self) -> String { format!($form, self) }
        }
    )*};
}
elements!(f32: |a, b| a + b, "{:?}"; i32: |a, b| a.wrapping_add(b), "{}"; i16: |a, b| a.wrapping_add(b), "{}"; i8: |a, b| a.wrapping_add(b), "{}");

/// One copy into UB and one out of it.
#[derive(Clone, Debug)]
struct Rows {
    plain: [bool; 2],
    /// The atomic operation of the copy out.
    joins: Option<&'static str>,
    /// Offset, columns and pitch of the copy in, in GM.
    from: (usize, usize, usize),
    rows: usize,
    pad: Option<(usize, usize)>,
    /// Offset and pitch in UB, and whether the kernel names the pitch.
    local: (usize, usize, bool),
    /// First column, columns, offset in GM and pitch of the copy out.
    to: (usize, usize, usize, usize),
}

fn drawn(rng: &mut TestRng, bytes: usize, joins: &[&'static str], pads: bool) -> Rows {
    let lanes = 32 / bytes;
    let plain = [(); 2].map(|()| !pads || rng.random_range(0..3) == 0);
    let some = |rng: &mut TestRng, most: usize, whole: bool| match whole {
        true => rng.random_range(0..=most.div_ceil(lanes)) * lanes,
        false => rng.random_range(0..=most),
    };
    let rows = rng.random_range(1..=5);
    let cols = 1.max(some(rng, 40, plain[0]));
    let cols = if plain[0] {
        cols.next_multiple_of(lanes)
    } else {
        cols
    };
    let pad = (!plain[0] && bytes > 1 && rng.random_range(0..2) == 0)
        .then(|| (rng.random_range(0..lanes), rng.random_range(0..100)));
    let filled = pad.map_or(cols, |(lead, _)| (lead + cols).next_multiple_of(lanes));
    let held = pad
        .map_or(cols, |(lead, _)| lead + cols)
        .next_multiple_of(lanes);
    let is_said = rng.random_range(0..2) == 0;
    let pitch = held + if is_said { some(rng, 40, true) } else { 0 };
    // The copy out begins at a data block and stays within the filled part of a row.
    let first = rng.random_range(0..=(filled - 1) / lanes) * lanes;
    let width = if plain[1] {
        (filled - first) / lanes * lanes
    } else {
        rng.random_range(1..=filled - first)
    };
    let (plain, width) = if width == 0 {
        ([plain[0], false], filled - first)
    } else {
        (plain, width)
    };
    let away = width + some(rng, 20, plain[1]);
    Rows {
        plain,
        joins: (rng.random_range(0..3) == 0)
            .then(|| joins.get(rng.random_range(0..3usize)).copied())
            .flatten(),
        from: (some(rng, 50, false), cols, cols + some(rng, 30, plain[0])),
        rows,
        pad,
        local: (some(rng, 40, true), pitch, is_said),
        to: (first, width, rng.random_range(0..20), away),
    }
}

/// Writes a number, sometimes by the attribute `k`, which only a launch knows.
fn said(rng: &mut TestRng, n: usize) -> String {
    match (n, rng.random_range(0..4)) {
        (3, 0 | 1) => "k".to_string(),
        (4.., 1) => format!("(k + {})", n - 3),
        _ => n.to_string(),
    }
}

fn text<T: Element>(rng: &mut TestRng, copies: &[Rows]) -> String {
    let mut out = format!(
        "#[kernel]\nfn k(#[shape({SOURCE})] x: &GlobalTensor<{t}>, #[inplace] #[shape({})] y: &mut GlobalTensor<{t}>, k: usize) {{\n\
         require(k == 3);\nif get_block_idx() == 0 {{\nlet l = LocalTensor::<{t}>::new(VecCalc, 0, {LOCAL});\n",
        COPIES * PART,
        t = T::NAME
    );
    for (i, c) in copies.iter().enumerate() {
        let (at, cols, pitch) = c.from;
        let (o, apart, is_said) = c.local;
        let rows = said(rng, c.rows);
        let name = |plain: bool, joins: Option<&str>| {
            let name = joins.map_or("data_copy".to_string(), |how| format!("atomic_{how}"));
            name + if plain { "" } else { "_pad" }
        };
        let rows_of = |rng: &mut TestRng, pitch: usize| match c.rows {
            1 if rng.random_range(0..2) == 0 => String::new(),
            _ => format!(".rows({rows}, {})", said(rng, pitch)),
        };
        let pad = c.pad.map_or(String::new(), |(lead, v)| {
            format!(".pad({lead}, {})", T::of(v).literal())
        });
        let local = if is_said {
            format!(".rows({apart})")
        } else {
            String::new()
        };
        let _ = std::fmt::Write::write_fmt(
            &mut out,
            format_args!(
                "{}(&l.at({o}){local}, x.slice({at}, {}){}{pad});\nset_flag::<MTE2_MTE3>(0);\nwait_flag::<MTE2_MTE3>(0);\n",
                name(c.plain[0], None),
                if c.plain[0] { cols.to_string() } else { said(rng, cols) },
                if c.plain[0] { format!(".rows({rows}, {pitch})") } else { rows_of(rng, pitch) },
            ),
        );
        let (first, width, to, away) = c.to;
        let lanes = 32 / T::BYTES;
        let local = if apart == width.next_multiple_of(lanes) && first == 0 {
            String::new()
        } else {
            format!(".rows({apart})")
        };
        let _ = std::fmt::Write::write_fmt(
            &mut out,
            format_args!(
                "{}(y.slice({}, {}){}, &l.at({}){local});\nset_flag::<MTE3_MTE2>(0);\nwait_flag::<MTE3_MTE2>(0);\n",
                name(c.plain[1], c.joins),
                i * PART + to,
                if c.plain[1] { width.to_string() } else { said(rng, width) },
                if c.plain[1] { format!(".rows({rows}, {away})") } else { rows_of(rng, away) },
                o + first,
            ),
        );
    }
    out + "}\n}\n"
}

/// Computes `y` behind the copies.
fn wanted<T: Element>(copies: &[Rows], x: &[T], mut y: Vec<T>) -> Vec<T> {
    for (i, c) in copies.iter().enumerate() {
        let (at, cols, pitch) = c.from;
        let (first, width, to, away) = c.to;
        for r in 0..c.rows {
            for j in 0..width {
                let (column, lead) = (first + j, c.pad.map_or(0, |(lead, _)| lead));
                let v = match c.pad {
                    Some((_, v)) if column < lead || column >= lead + cols => T::of(v),
                    _ => x[at + r * pitch + column - lead],
                };
                let place = &mut y[i * PART + to + r * away + j];
                *place = c.joins.map_or(v, |how| place.joined(v, how));
            }
        }
    }
    y
}

fn agree<T: Element>(chip: &'static Chip, seed: u64, cpp: bool)
where
    Array1<T>: AsInput + AsOutput,
{
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &tier::seed_bytes(seed));
    let takes = |op: CopyOp| {
        Op::from(op)
            .def()
            .dtypes(chip.arch)
            .iter()
            .any(|d| d.name() == T::NAME)
    };
    let ways = [
        ("add", CopyOp::Add),
        ("max", CopyOp::Max),
        ("min", CopyOp::Min),
    ];
    let joins: Vec<&'static str> = ways
        .into_iter()
        .filter(|(_, op)| takes(*op))
        .map(|(how, _)| how)
        .collect();
    let copies: Vec<Rows> = (0..COPIES)
        .map(|_| drawn(&mut rng, T::BYTES, &joins, chip.has_data_copy_pad))
        .collect();
    let text = text::<T>(&mut rng, &copies);
    let file = check_text("kernel.rs", &text, Some(chip));
    assert!(
        file.render(false).is_empty(),
        "{}\n{text}",
        file.render(false)
    );
    let kernel = &file.kernels()[0].checked[0];
    let x = Array1::from_iter((0..SOURCE).map(T::of));
    let before = Array1::from_iter((0..COPIES * PART).map(|i| T::of(i * 5 + 1)));
    let wanted = wanted(&copies, x.as_slice().expect("one run"), before.to_vec());
    let built = Cpp::new(Some(seed), false);
    for backend in [None, Some(&built as &dyn Backend)] {
        if backend.is_some() && !cpp {
            continue;
        }
        let mut y = before.clone();
        let launch = Launch::new(kernel)
            .input("x", &x)
            .inout("y", &mut y)
            .attr("k", 3usize);
        let launch = match backend {
            Some(backend) => launch.backend(backend),
            None => launch.pipes(true),
        };
        launch
            .run()
            .unwrap_or_else(|e| panic!("JUMAR_SEED={seed}, {}: {e}\n{text}", T::NAME));
        let other = y.iter().zip(&wanted).position(|(a, b)| a != b);
        assert_eq!(
            other,
            None,
            "JUMAR_SEED={seed}, {}, C++ {}: element of y\n{text}",
            T::NAME,
            backend.is_some()
        );
    }
}

#[test]
fn rows_go_where_their_numbers_say() {
    let (seed, cases) = (tier::seed(), tier::cases("JUMAR_COPIES", 2, 20));
    let compiled = tier::cases("JUMAR_CPP_COPIES", 1, 10);
    for at in seed..seed + cases {
        let cpp = at < seed + compiled;
        for chip in ["ascend910b1", "ascend310p"] {
            let chip = Chip::by_name(chip).expect("a chip");
            agree::<f32>(chip, at, cpp);
            agree::<i16>(chip, at + 1000, cpp);
            agree::<i32>(chip, at + 2000, false);
            agree::<i8>(chip, at + 3000, false);
        }
    }
}
