//! Small lowered kernels with figures worked out by hand.

use super::banks::{conflicts, Source};
use super::call::{Span, Steps};
use super::touch::{Begin, Home, Touch};
use super::*;
use crate::check::{check, check_library};
use crate::dtype::DType;
use crate::front::parse_file;
use crate::lower::library::Over;
use crate::ops::{AxisReduceOp, Cost};
use crate::tiling::{bind_attrs, bind_shapes, evaluate};

fn predicted(text: &str, chip: &str, shapes: &[Option<&[usize]>]) -> Result<Estimate, CostError> {
    let parsed = parse_file(text)
        .unwrap_or_else(|e| panic!("{}", e.0.message))
        .remove(0);
    let kernel = parsed
        .kernel
        .unwrap_or_else(|| panic!("{}", parsed.diagnostics[0].message));
    let chip = Chip::by_name(chip).expect("a chip");
    let checked = check(&kernel, chip).unwrap_or_else(|d| panic!("{}", d[0].message));
    let attrs = bind_attrs(&kernel.sig, None, &[]).expect("no attributes without defaults");
    let dims = bind_shapes(&kernel.sig, shapes, &attrs).expect("shapes that fit");
    let lowered = &checked.instances()[0];
    estimate(
        lowered,
        chip,
        &evaluate(lowered, chip, &dims, &attrs).expect("a launch"),
    )
}

/// Returns `(op, calls, repeats, cycles)` of each line.
fn lines(estimate: &Estimate) -> Vec<(&str, i64, i64, f64)> {
    estimate
        .lines
        .iter()
        .map(|l| (l.op, l.calls, l.repeats, l.cycles))
        .collect()
}

#[test]
fn a_call_takes_its_fixed_cycles_and_those_of_its_repeats_and_waits_where_it_must() {
    let text = "#[kernel]
pub fn one(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        y.at(t).store((v + v).exp());
    }
}
";
    let one = predicted(text, "ascend910b1", &[Some(&[100]), None]).expect("an estimate");
    // 100 elements are two repeats, the second one open. A source in the bank of the other source
    // takes two cycles.
    assert_eq!(
        lines(&one),
        [
            ("DataCopyPad", 1, 1, 20.0),
            ("Add", 1, 2, 24.0 + 2.0 * 2.0 + 10.0 + 16.0),
            ("Exp", 1, 2, 31.0 + 4.0 + 19.0),
            ("DataCopyPad", 1, 1, 20.0)
        ]
    );
    assert_eq!(one.conflicts, 2.0);
    assert_eq!(
        (one.blocks, one.tiles, one.bytes_in, one.bytes_out),
        (1, 1, 400, 400)
    );
    assert_eq!(one.bound(), (Bound::Pipe(Pipe::V), one.vector));
}

/// Estimates a kernel that reads an element of a buffer and then runs `what`.
fn reading(what: &str) -> Result<Estimate, CostError> {
    let text = format!(
        "#[kernel]
pub fn read(x: &mut GlobalTensor<f32>) {{
    let share = split(x.len()).unit(8);
    let mut pipe = TPipe::new();
    let mut out_x = TQue::<VecOut, 1>::new();
    let mut work = TBuf::<VecCalc>::new();
    pipe.init_buffer(&mut out_x, 1, 256);
    pipe.init_buffer(&mut work, 1, 512);
    let tmp = work.get::<f32>();
    let x_local = out_x.alloc_tensor::<f32>();
    vec::duplicate(&x_local, 1.0, 64);
    vec::reduce_sum(&tmp, &x_local, &tmp.at(64), 64);
    let s = tmp.get_value(0);
    {what}
    out_x.enque(x_local);
    let x_local = out_x.deque::<f32>();
    data_copy_pad(x.slice(share.start(), (64).min(share.len())), &x_local);
    out_x.free_tensor(x_local);
}}
"
    );
    predicted(&text, "ascend910b1", &[Some(&[64])])
}

#[test]
fn a_scalar_that_is_read_from_a_result_is_a_round_trip() {
    let read = reading("vec::muls(&x_local, &x_local, s, 64);").expect("an estimate");
    let ops: Vec<_> = lines(&read)
        .into_iter()
        .filter(|l| l.0 != "DataCopyPad")
        .collect();
    assert_eq!(
        ops,
        [
            ("Duplicate", 1, 1, 24.0 + 1.0 + 10.0),
            ("ReduceSum", 1, 1, 46.0 + 7.0 + 19.0 + 100.0),
            ("V_S", 1, 0, 100.0),
            ("GetValue", 1, 0, 11.0),
            ("Muls", 1, 1, 24.0 + 1.0 + 10.0)
        ]
    );
    assert_eq!(read.vector, 35.0 + 172.0 + 111.0 + 35.0);
    assert_eq!(
        read.cycles(),
        read.vector + read.copy_out + read.read_start + read.write_start
    );
}

#[test]
fn of_a_branch_on_what_is_in_a_tensor_the_longer_arm_is_counted() {
    let muls = "vec::muls(&x_local, &x_local, s, 64);";
    let at = |what: &str| reading(what).unwrap_or_else(|e| panic!("{e}: {what}"));
    let always = at(muls);
    assert!(!always.is_most());
    for arms in [
        format!("if s > 0.0 {{ {muls} }}"),
        format!("if s > 0.0 {{ }} else {{ {muls} }}"),
        format!("if s > 0.0 {{ {muls} }} else {{ vec::relu(&x_local, &x_local, 8); }}"),
    ] {
        let found = at(&arms);
        assert_eq!(
            (
                found.cycles(),
                found.is_most(),
                found.branch.map(|at| at.line)
            ),
            (always.cycles(), true, Some(14)),
            "{arms}"
        );
    }
    // A length that one of the arms sets is unknown behind the branch.
    let error = reading("let mut n = 8; if s > 0.0 { n = 16; } for i in 0..n { vec::relu(&x_local, &x_local, 64); }")
        .expect_err("a length by data");
    assert_eq!(
        error.to_string(),
        "line 14, column 43: how often this runs depends on what is in a tensor"
    );
}

#[test]
fn a_range_of_a_core_is_taken_to_be_as_long_as_it_may_be() {
    let text = "#[kernel]
pub fn sums(#[shape(n)] ends: &GlobalTensor<i32>, #[shape(m, 8)] x: &GlobalTensor<f32>, #[shape(n, 8)] y: &mut GlobalTensor<f32>) {
    let k = new_axis(8);
    let (x, y) = (x.view((m, k)), y.view((n, k)));
    for i in each(n) {
        let hi = ends.at(i).load().scalar() as usize;
        assume(hi <= m);
        let mut sum = full(k, 0.0);
        for r in tiles(0..hi) {
            sum = sum + x.at(r, ..).load().sum(r);
        }
        y.at(i, ..).store(sum);
    }
}
";
    let at = |m: usize| {
        predicted(text, "ascend910b1", &[Some(&[1]), Some(&[m, 8]), None]).expect("an estimate")
    };
    assert!(at(100).at_most);
    assert_eq!(at(500).bytes_in - at(100).bytes_in, 400 * 8 * 4);
}

#[test]
fn a_long_loop_is_its_first_two_turns_and_its_last() {
    let text = "#[kernel]
pub fn twice(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}
";
    let at = |n: usize| predicted(text, "ascend910b1", &[Some(&[n]), None]).expect("an estimate");
    let (few, many) = (at(1 << 24), at(1 << 33));
    assert!(
        few.tiles < MAX_TURNS && many.tiles > MAX_TURNS,
        "{} {}",
        few.tiles,
        many.tiles
    );
    let share = many.share.expect("a share") as f64 / few.share.expect("a share") as f64;
    assert!((many.vector / few.vector / share - 1.0).abs() < 0.01);
    assert_eq!(many.bytes_in, many.share.expect("a share") * 4);
}

#[test]
fn meetings_are_counted_and_have_no_price() {
    let text = include_str!("../../../examples/29_total.rs");
    let at = |text: &str| {
        predicted(text, "ascend910b1", &[Some(&[100_000]), Some(&[1])]).expect("an estimate")
    };
    let (with, without) = (at(text), at(&text.replace("    sync_all();\n", "")));
    assert_eq!((with.meetings, without.meetings), (1, 0));
    assert_eq!((with.cycles(), with.bytes_out), (without.cycles(), 36));
}

#[test]
fn tiles_overlap_where_queues_of_their_loop_have_two_buffers() {
    let text = |more: &str| {
        format!(
            "#[kernel]
pub fn scale(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{
    for r in tiles(n){more} {{
        y.at(r, ..).store(x.at(r, ..).load() * w.at(..).load());
    }}
}}
"
        )
    };
    let at = |more| {
        predicted(
            &text(more),
            "ascend910b1",
            &[Some(&[65_536, 64]), None, None],
        )
        .expect("an estimate")
    };
    let (two, one) = (at(""), at(".buffer_num(1)"));
    // The row of weights is loaded once, into a queue of one buffer.
    assert!(!two.waits_in && !two.waits_out && one.waits_in && one.waits_out);
    let longest = two.bound().1;
    assert!(
        two.cycles() < 1.05 * longest && one.cycles() > 1.05 * longest,
        "{} {} {longest}",
        two.cycles(),
        one.cycles()
    );
}

#[test]
fn a_tile_is_what_is_loaded_at_once() {
    let tiles = |rows: &str| {
        let text = format!(
            "#[kernel]
pub fn sums(#[shape(b, m, d)] x: &GlobalTensor<f32>, #[shape(b, d)] y: &mut GlobalTensor<f32>) {{
    for (i, t) in tiles((each(b), d)).size((_, 64)) {{
        {rows}
    }}
}}
"
        );
        predicted(&text, "ascend910b1", &[Some(&[96, 40, 640]), None])
            .expect("an estimate")
            .tiles
    };
    // 96 * 10 iterations on 48 cores; each core has its own part of both axes.
    assert_eq!(tiles("y.at(i, t).store(x.at(i, .., t).load().sum(m));"), 20);
    let inner = "let mut s = full(t, 0.0);
        for j in tiles(m).size(8) { s = s + x.at(i, j, t).load().sum(j); }
        y.at(i, t).store(s);";
    assert_eq!(tiles(inner), 100);
}

#[test]
fn a_chip_of_which_nothing_was_published_has_no_prediction() {
    let text = "#[kernel]
pub fn same(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() + 0.0);
    }
}
";
    let error = predicted(text, "ascend310p", &[Some(&[64]), None]).expect_err("no timing");
    assert_eq!(
        error.to_string(),
        "nothing was published of what single calls take on ascend310p"
    );
}

#[test]
fn sources_that_share_banks_take_what_was_published() {
    // bank_conflict_ub: 64 repeats of an addition, one call behind the other; addresses of the
    // sources, and the steps of the first one.
    let chip = Chip::default_chip();
    let line = (chip.timing().expect("the default chip has timing").call)(Cost::Simple);
    for (case, [first, second], steps, published, least) in [
        (1, [0, 0x1_0100], Steps::Dense, 47.8, -0.01),
        (2, [0, 0x4000], Steps::Dense, 83.34, -0.02),
        (3, [0, 0x1_0000], Steps::Dense, 83.34, -0.02),
        // The model is a tenth below.
        (7, [0, 0x1_0100], Steps::Blocks(0, 32), 71.68, -0.1),
        (8, [0, 0x1_0100], Steps::Blocks(0, 256), 47.78, -0.01),
    ] {
        let sources = [(first, steps), (second, Steps::Dense)].map(|(at, steps)| Source {
            at,
            bytes: 256,
            steps,
        });
        let waits = conflicts(chip, line.slope, &sources, Span::repeated(64, 64));
        let nanos = (line.fixed + line.slope * 64.0 + waits) * 1e3 / chip.clock_mhz as f64;
        let error = nanos / published - 1.0;
        assert!(
            (least..0.01).contains(&error),
            "case {case}: {nanos} predicted, {published} published"
        );
    }
}

#[test]
fn memory_is_laid_out_in_the_order_of_the_variant() {
    // Two queues of two buffers with half a period between them, so the sources of the sum never
    // conflict.
    let text = "#[kernel]
pub fn sum(x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() + w.at(t).load());
    }
}
";
    let parsed = parse_file(text)
        .unwrap_or_else(|e| panic!("{}", e.0.message))
        .remove(0);
    let checked = check(
        &parsed.kernel.expect("a clean kernel"),
        Chip::default_chip(),
    )
    .expect("a right kernel");
    let lowered = &checked.instances()[0];
    let tiling =
        evaluate(lowered, checked.chip(), &[1 << 20], &[None, None, None]).expect("a launch");
    let estimate_of =
        |lowered: &Lowered| estimate(lowered, checked.chip(), &tiling).expect("an estimate");
    let apart = estimate_of(lowered);
    let mut together = lowered.clone();
    together.variants[0].memory = together.variants[0].body.memory();
    let (repeats, together) = (additions(&apart), estimate_of(&together));
    assert_eq!((apart.conflicts, together.conflicts), (0.0, repeats));
    assert_eq!(together.vector, apart.vector + repeats);
}

/// Returns the repeats of all additions.
fn additions(estimate: &Estimate) -> f64 {
    estimate
        .lines
        .iter()
        .filter(|l| l.op == "Add")
        .map(|l| l.repeats as f64)
        .sum()
}

#[test]
fn pieces_in_the_gaps_of_one_another_do_not_meet() {
    let touch = |at, piece, step, pieces| Touch {
        from: Begin {
            home: Home::Buf(0),
            at,
        },
        piece,
        step,
        pieces,
    };
    let chunk = touch(0, 256, 4096, 11);
    assert!(!chunk.meets(&touch(256, 256, 4096, 11)) && !touch(256, 256, 4096, 11).meets(&chunk));
    assert!(chunk.meets(&touch(255, 256, 4096, 11)) && chunk.meets(&touch(300, 256, 2048, 11)));
    assert!(!chunk.meets(&touch(4096 * 10 + 256, 32, 0, 1)));
    let elsewhere = Begin {
        home: Home::Queue(0),
        at: 0,
    };
    assert!(!chunk.meets(&Touch {
        from: elsewhere,
        ..chunk
    }));
}

/// Returns the cycles of the calls of a sum over axes: without bank conflicts, and the conflicts
/// alone.
fn of_library(over: Over, dtype: DType, shape: &[usize]) -> [f64; 2] {
    let chip = Chip::default_chip();
    let checked = check_library(over, AxisReduceOp::Sum, dtype, chip)
        .unwrap_or_else(|d| panic!("{}", d[0].message));
    let sig = &checked.kernel().sig;
    let dims =
        bind_shapes(sig, &[Some(shape), None, None], &[None, None, None]).expect("shapes that fit");
    let lowered = &checked.instances()[0];
    let tiling = evaluate(lowered, chip, &dims, &[None, None, None]).expect("a launch");
    let estimate = estimate(lowered, chip, &tiling).expect("an estimate");
    let all: f64 = estimate
        .lines
        .iter()
        .filter(|l| l.func.is_some())
        .map(|l| l.cycles)
        .sum();
    [all - estimate.conflicts, estimate.conflicts]
}

#[test]
fn reductions_over_axes_take_no_more_than_they_did() {
    use DType::{F16, F32, I32};
    let table: [(Over, DType, &[usize], [f64; 2]); 18] = [
        (Over::All, F32, &[64], [63.0, 0.0]),
        (Over::All, F32, &[1000], [195.0, 0.0]),
        (Over::All, F32, &[4096], [249.0, 0.0]),
        (Over::All, F32, &[20_000], [592.0, 0.0]),
        (Over::All, F16, &[64], [63.0, 0.0]),
        (Over::All, F16, &[4096], [197.0, 0.0]),
        (Over::All, I32, &[64], [814.0, 3.0]),
        (Over::All, I32, &[1000], [1094.0, 11.0]),
        (Over::All, I32, &[4096], [1126.0, 66.0]),
        (Over::Middle, F32, &[1, 8, 64], [127.0, 6.0]),
        (Over::Middle, F32, &[1, 17, 64], [222.0, 14.0]),
        (Over::Middle, F32, &[1, 64, 64], [312.0, 62.0]),
        (Over::Middle, F32, &[9, 8, 64], [285.0, 54.0]),
        (Over::Middle, F32, &[9, 17, 64], [579.0, 126.0]),
        (Over::Middle, F32, &[9, 64, 16], [912.0, 350.0]),
        (Over::Middle, F32, &[200, 8, 8], [1097.0, 50.0]),
        (Over::Middle, F16, &[9, 17, 64], [564.0, 95.0]),
        (Over::Middle, I32, &[9, 17, 64], [579.0, 126.0]),
    ];
    let mut over = String::new();
    for (axes, dtype, shape, bound) in table {
        let now = of_library(axes, dtype, shape);
        if now.iter().zip(bound).any(|(now, bound)| *now > bound) {
            over += &format!("{axes:?} {dtype} {shape:?}: {now:.1?} cycles, {bound:?} allowed\n");
        }
    }
    assert!(over.is_empty(), "\n{over}");
}
