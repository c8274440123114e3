use super::*;
use std::fmt::Write;

/// Returns the prediction of block 0 of one block, whose events are lines.
fn of(lines: &str) -> Prediction {
    let text = format!("trace 1 ascend910b1 k 1\nblock 0\n{lines}");
    let trace = Trace::from_text(&text).expect("a trace");
    replay(&trace).expect("a prediction")
}

fn repeated(line: &str, times: usize) -> String {
    format!("{line}\n").repeat(times)
}

/// True where a number lies within a part of another one.
fn near(got: f64, wanted: f64, part: f64) -> bool {
    (got - wanted).abs() <= wanted * part
}

#[test]
fn calls_in_a_row_take_what_was_published() {
    // asc-devkit, bank_conflict_ub: a thousand calls of Add, 64 repeats each; nanoseconds a call.
    for (line, nanos) in [
        (
            "a:1 V Add 64*64/64 w65536,1,8,4 r0,1,8,4 r16640,1,8,4",
            47.8,
        ),
        (
            "a:1 V Add 64*64/64 w65536,1,8,4 r0,1,8,4 r16384,1,8,4",
            83.3,
        ),
    ] {
        let cycles = of(&repeated(line, 1000)).cycles / 1000.0;
        assert!(
            near(cycles / 1.85, nanos, 0.05),
            "{line}: {}",
            cycles / 1.85
        );
    }
}

/// Returns the prediction of lines between which the compiler adds its waits.
fn with_auto_sync(lines: &str) -> Prediction {
    let text = format!("trace 1 ascend910b1 k 1 auto_sync\nblock 0\n{lines}");
    let trace = Trace::from_text(&text).expect("a trace");
    replay(&trace).expect("a prediction")
}

#[test]
fn a_call_that_needs_the_one_before_waits_for_its_result() {
    let drain = Constants::of(Chip::default_chip())
        .expect("constants")
        .drain
        .value;
    let apart = with_auto_sync(&repeated("a:1 V Adds 8*64/64 w4096,1,8,4 r0,1,8,4", 100));
    let chain = with_auto_sync(&repeated("a:1 V Adds 8*64/64 w0,1,8,4 r0,1,8,4", 100));
    assert!(
        near(chain.cycles - apart.cycles, 99.0 * drain, 0.05),
        "{apart:?} {chain:?}"
    );
    let waits = &chain.pipes[Pipe::V as usize].stands;
    assert!(
        waits.iter().any(|(reason, _)| *reason == Reason::Result),
        "{waits:?}"
    );
}

#[test]
fn v_waits_for_a_result_only_where_somebody_asks_for_it() {
    let lines = |end: &str| repeated(&format!("a:1 V Adds 8*64/64 w0,1,8,4 r0,1,8,4{end}"), 100);
    let drain = Constants::of(Chip::default_chip())
        .expect("constants")
        .drain
        .value;
    let (free, held) = (of(&lines("")), of(&lines("\na:1 barrier V")));
    assert!(
        near(held.cycles - free.cycles, 99.0 * drain, 0.05),
        "{free:?} {held:?}"
    );
}

#[test]
fn a_reduction_with_a_count_has_a_round_trip() {
    let of = |op: &str| {
        of(&repeated(
            &format!("a:1 V {op} 8*64/64 w4096,1,8,4 r0,1,8,4"),
            10,
        ))
    };
    let (sum, plain) = (of("ReduceSum"), of("Adds"));
    let waits = &sum.pipes[Pipe::S as usize].stands;
    assert!(
        waits
            .iter()
            .any(|(reason, _)| *reason == Reason::Flag(Pipe::V)),
        "{waits:?}"
    );
    assert!(sum.cycles > plain.cycles + 10.0 * 20.0, "{sum:?} {plain:?}");
}

#[test]
fn cores_that_read_one_place_at_once_are_served_one_after_the_other() {
    let copies = |first: u64, second: u64| {
        let text = format!(
            "trace 1 ascend910b1 k 2\nblock 0\na:1 MTE2 DataCopy x+{first} 1*65536/65536 ub 0/65536 bypass\n\
             block 1\na:1 MTE2 DataCopy x+{second} 1*65536/65536 ub 0/65536 bypass\n"
        );
        replay(&Trace::from_text(&text).expect("a trace"))
            .expect("a prediction")
            .memory
    };
    assert!(near(copies(0, 0) / copies(0, 65536), 1.64, 0.01));
}

#[test]
fn bytes_of_the_launch_before_are_in_l2() {
    let copy = "a:1 MTE2 DataCopy x+0 1*65536/65536 ub 0/65536\n";
    let text = format!("trace 1 ascend910b1 k 1\nblock 0\n{copy}");
    let trace = Trace::from_text(&text).expect("a trace");
    let first = replay(&trace).expect("a prediction").traffic;
    let again = replay_again(&trace).expect("a prediction").traffic;
    assert_eq!((first.misses, first.hits), (65536.0, 0.0));
    assert_eq!((again.misses, again.hits), (0.0, 65536.0));
}

/// An addition of halves by tiles of one block.
struct Addition {
    tiles: u32,
    /// Bytes of a tile.
    tile: u32,
    buffers: u32,
    /// Bytes by which the second source lies behind where it shares banks with the first.
    skew: u32,
    hint: &'static str,
}

impl Addition {
    fn events(&self) -> String {
        let (tile, mut text) = (self.tile, String::new());
        for i in 0..self.tiles {
            let (id, at) = (i % self.buffers, i % self.buffers * 65536);
            if i >= self.buffers {
                let _ = writeln!(text, "a:1 wait V MTE2 {id}\na:1 wait MTE3 V {id}");
            }
            let (gm, y, z) = (
                u64::from(i) * u64::from(tile),
                at + 32768 + self.skew,
                131072 + id * 32768,
            );
            let (repeats, hint) = (tile / 256, self.hint);
            let _ = write!(
                text,
                "a:2 MTE2 DataCopy x+{gm} 1*{tile}/{tile} ub {at}/{tile}{hint}
a:3 MTE2 DataCopy y+{gm} 1*{tile}/{tile} ub {y}/{tile}{hint}
a:4 set MTE2 V {id}
a:4 wait MTE2 V {id}
a:5 V Add {repeats}*128/128 w{z},1,8,2 r{at},1,8,2 r{y},1,8,2
a:6 set V MTE2 {id}
a:6 set V MTE3 {id}
a:6 wait V MTE3 {id}
a:7 MTE3 DataCopy z+{gm} 1*{tile}/{tile} ub {z}/{tile}
a:8 set MTE3 V {id}
"
            );
        }
        text
    }
}

fn addition(tiles: u32, buffers: u32) -> String {
    Addition {
        tiles,
        tile: 8192,
        buffers,
        skew: 256,
        hint: "",
    }
    .events()
}

#[test]
fn a_core_alone_reads_and_writes_as_published() {
    // asc-devkit, add_high_performance, case 1: 0.379 us for two reads of 8 KiB, 0.160 for a write.
    let one = of(&addition(1, 1));
    let cycles = 701.0 + 86.0 + 295.0;
    assert!(near(one.cycles, cycles, 0.12), "{one:?}");
}

#[test]
fn two_buffers_hide_what_is_shorter() {
    let serial = of(&addition(200, 1));
    let double = of(&addition(200, 2));
    assert!(
        double.cycles < serial.cycles * 0.7,
        "{} {}",
        double.cycles,
        serial.cycles
    );
    let limit = double.limit().expect("a pipe");
    assert_eq!(limit.pipe, Pipe::Mte2, "{double:?}");
}

#[test]
fn a_flag_may_be_waited_for_before_it_is_set() {
    let late = of("a:1 wait MTE3 V 0\na:2 V Adds 8*64/64 w0,1,8,4 r4096,1,8,4\na:3 MTE3 DataCopy z+0 1*256/256 ub 8192/256\na:4 set MTE3 V 0\n");
    let waits = &late.pipes[Pipe::V as usize].stands;
    assert!(
        waits
            .iter()
            .any(|(reason, _)| *reason == Reason::Flag(Pipe::Mte3)),
        "{waits:?}"
    );
}

#[test]
fn what_cannot_be_replayed_is_told() {
    let told = |text: &str| {
        let trace = Trace::from_text(text).expect("a trace");
        replay(&trace).expect_err("an error").to_string()
    };
    let head = "trace 1 ascend910b1 k 2\nblock 0\n";
    for (text, wanted) in [
        (
            format!("{head}a:7 wait MTE3 V 3\n"),
            "V waits for flag 3 of MTE3, which nothing sets",
        ),
        (
            format!("{head}a:7 wait V S 3\n"),
            "a:7: S waits for flag 3 of V, which nothing sets",
        ),
        (
            format!("{head}a:7 V Fold 1*64/64 w0,1,8,4\n"),
            "a:7: nobody knows what Fold takes; it has no cost class",
        ),
        (
            format!("{head}a:7 sync_all\nblock 1\n"),
            "some blocks wait for others that have ended",
        ),
        (
            "trace 1 ascend310p3 k 1\nblock 0\n".to_string(),
            "nothing was published of what single calls take on ascend310p3",
        ),
        (
            "trace 1 none k 1\nblock 0\n".to_string(),
            "no chip is called none",
        ),
        (
            "trace 1 ascend910b1 k 1\n".to_string(),
            "the trace has no block",
        ),
    ] {
        assert_eq!(told(&text), wanted);
    }
}

#[test]
fn cores_wait_for_the_last_one() {
    let text = "trace 1 ascend910b1 k 2\nblock 0\na:1 V Adds 200*64/64 w0,1,8,4 r65536,1,8,4\na:2 sync_all\nblock 1\na:2 sync_all\n";
    let trace = Trace::from_text(text).expect("a trace");
    let both = replay(&trace).expect("a prediction");
    assert!(both.cycles > 200.0 + 1850.0, "{both:?}");
}

#[test]
fn every_constant_lies_in_its_range_and_has_a_source() {
    let chip = Chip::default_chip();
    for constant in Constants::of(chip).expect("constants").all() {
        let range = constant.low..=constant.high;
        assert!(range.contains(&constant.value), "{constant:?}");
        assert!(!constant.source.is_empty(), "{constant:?}");
    }
}

fn trace(blocks: u32, lines: &str) -> Trace {
    let text = format!("trace 1 ascend910b1 k {blocks} auto_sync\nblock 0\n{lines}");
    Trace::from_text(&text).expect("a trace")
}

/// Kernels whose pipes wait for every reason that there is.
fn kernels() -> Vec<Trace> {
    let call = "a:1 V Adds 8*64/64 w0,1,8,4 r0,1,8,4";
    vec![
        trace(1, &addition(20, 1)),
        trace(1, &addition(20, 2)),
        trace(1, &repeated(call, 100)),
        trace(1, &repeated("a:1 V Adds 200*64/64 w0,1,8,4 r65536,1,8,4", 100)),
        trace(
            1,
            &repeated(&format!("{call}\na:2 barrier V\na:3 S GetValue ub 0 4"), 10),
        ),
        trace(
            1,
            &format!("{call}\na:2 set V S 3\na:3 wait V S 3\na:4 set S V 1\na:5 wait S V 1\n{call}\na:6 barrier ALL\n"),
        ),
        trace(1, "a:1 wait MTE3 V 0\na:2 V Adds 8*64/64 w0,1,8,4 r4096,1,8,4\na:3 MTE3 DataCopy z+0 1*256/256 ub 8192/256\na:4 set MTE3 V 0\n"),
        trace(
            2,
            &format!("{call}\na:2 sync_all\n{call}\nblock 1\n{}a:2 sync_all\n{call}\n", repeated(call, 9)),
        ),
        trace(1, ""),
    ]
}

#[test]
fn a_timeline_has_the_cycles_of_the_prediction() {
    let mut reasons = std::collections::BTreeSet::new();
    for trace in kernels() {
        let prediction = replay(&trace).expect("a prediction");
        let timeline = timeline(&trace).expect("a timeline");
        assert_eq!(prediction.cycles, timeline.cycles);
        for time in &prediction.pipes {
            let sum = |state: State| -> f64 {
                let slices = timeline.slices.iter();
                let own = slices.filter(|one| one.at.pipe == time.pipe && one.state == state);
                own.map(Slice::cycles).sum()
            };
            assert!(near(sum(State::Busy), time.busy, 1e-9), "{time:?}");
            for (reason, cycles) in &time.stands {
                reasons.insert(*reason);
                assert!(near(sum(State::Waits(*reason)), *cycles, 1e-9), "{time:?}");
            }
            let of_pipe = timeline
                .slices
                .iter()
                .filter(|one| one.at.pipe == time.pipe);
            let of_pipe: Vec<&Slice> = of_pipe.collect();
            let in_order = of_pipe.is_sorted_by(|a, b| a.end <= b.begin);
            assert!(in_order, "{of_pipe:?}");
        }
    }
    assert_eq!(reasons.len(), 10, "{reasons:?}");
}

#[test]
fn the_critical_path_has_no_gap() {
    for trace in kernels() {
        let timeline = timeline(&trace).expect("a timeline");
        let mut end = timeline.cycles;
        for part in timeline.critical_path() {
            assert!(near(part.end, end, 1e-9), "{part:?} ends before {end}");
            end = part.begin;
        }
        assert!(end.abs() < 1e-6, "{end}");
        for (at, cause) in timeline.causes.iter().enumerate() {
            let is_before = cause.is_none_or(|cause| cause.slice < at);
            assert!(is_before, "{at} {cause:?}");
        }
        let shares = path_shares(&trace, &timeline);
        let sum: f64 = shares.iter().map(Share::cycles).sum();
        assert!(near(sum, timeline.cycles, 1e-9), "{shares:?}");
    }
}

#[test]
fn the_critical_path_of_one_tile_goes_from_copy_to_copy() {
    let trace = trace(1, &addition(1, 1));
    let timeline = timeline(&trace).expect("a timeline");
    let path = timeline.critical_path();
    let parts = path.iter().rev().map(|part| {
        let event = timeline.event(part.at);
        format!("{} {:?}", trace.place(event), part.passes)
    });
    let parts: Vec<String> = parts.collect();
    let wanted = [
        "a:2 Busy",
        "a:2 Issue",
        "a:2 Busy",
        "a:3 Busy",
        "a:3 Latency",
        "a:4 Flag",
        "a:5 Busy",
        "a:5 Latency",
        "a:6 Flag",
        "a:7 Busy",
        "a:7 Latency",
    ];
    assert_eq!(parts, wanted);
}

#[test]
fn a_wait_names_its_place_and_who_ends_it() {
    let trace = trace(1, &addition(20, 1));
    let timeline = timeline(&trace).expect("a timeline");
    let waits = longest_waits(&trace, &timeline);
    let shown: Vec<String> = waits.iter().take(3).map(Wait::to_string).collect();
    assert_eq!(
        shown,
        [
            "a:6 MTE3 waits for V (Add at a:5)",
            "a:1 MTE2 waits for V (Add at a:5)",
            "a:4 V waits for MTE2 (DataCopy at a:3)",
        ]
    );
}

#[test]
fn advice_names_the_place_of_its_wait() {
    let given = |trace: &Trace| {
        let timeline = timeline(trace).expect("a timeline");
        let waits = longest_waits(trace, &timeline);
        let shares = path_shares(trace, &timeline);
        let prediction = replay(trace).expect("a prediction");
        advice(&prediction, &waits, &shares)
    };
    let serial = given(&trace(1, &addition(20, 1)));
    let places = |all: &[Advice]| -> Vec<String> {
        let shown = all
            .iter()
            .map(|one| format!("{:?} {}", one.place, one.text));
        shown.collect()
    };
    let wanted = [
        "Some(\"a:1\") the copy in waits for V",
        "Some(\"a:3\") the latency of this copy is",
    ];
    let found = places(&serial);
    for wanted in wanted {
        assert!(found.iter().any(|one| one.starts_with(wanted)), "{found:?}");
    }
    assert!(serial.is_sorted_by(|a, b| a.gain >= b.gain), "{serial:?}");
    // An empty block has nothing to change.
    assert!(given(&trace(1, "")).is_empty());
}

#[test]
fn a_report_says_what_limits_the_launch() {
    let calls = repeated("a:1 V Adds 200*64/64 w0,1,8,4 r65536,1,8,4", 100);
    for (trace, wanted) in [
        (trace(1, &addition(1, 1)), "the launch: it takes 7"),
        (trace(48, &addition(400, 2)), "the memory: "),
        (trace(1, &calls), "V, busy for "),
        (
            trace(1, &addition(50, 1)),
            "waits: no pipe is busy for more than ",
        ),
    ] {
        let report = Report {
            trace: &trace,
            prediction: &replay(&trace).expect("a prediction"),
            timeline: &timeline(&trace).expect("a timeline"),
            ranges: &[],
        };
        let text = report.to_string();
        assert!(
            text.contains(&format!("limited by {wanted}")),
            "{wanted}\n{text}"
        );
    }
}

#[test]
fn repeated_events_take_as_long_as_all_of_them() {
    for (buffers, skew) in [(1u32, 0), (2, 0), (2, 256), (4, 0)] {
        let of = |tiles| {
            let events = Addition {
                tiles,
                tile: 8192,
                buffers,
                skew,
                hint: "",
            };
            events.events()
        };
        let (few, more) = (of(2 * buffers), of(3 * buffers));
        let turn = more.lines().count() - few.lines().count();
        let short = format!("{more}a:9 repeat {turn} 97\n");
        let text = |events: &str| format!("trace 1 ascend910b1 k 48\nblock 0\n{events}");
        let trace = Trace::from_text(&text(&short)).expect("a trace");
        let [repeated, all] =
            [trace.clone(), trace.expanded()].map(|trace| replay(&trace).expect("a prediction"));
        let wanted = Trace::from_text(&text(&of(100 * buffers))).expect("a trace");
        let wanted = replay(&wanted).expect("a prediction");
        assert!(near(all.cycles, wanted.cycles, 1e-9), "{all:?} {wanted:?}");
        assert!(
            near(repeated.micros, all.micros, 1e-6),
            "{repeated:?} {all:?}"
        );
        assert_eq!(repeated.traffic, all.traffic);
        for (own, wanted) in repeated.pipes.iter().zip(&all.pipes) {
            assert!(near(own.busy, wanted.busy, 1e-6), "{own:?} {wanted:?}");
            for ((reason, own), (_, wanted)) in own.stands.iter().zip(&wanted.stands) {
                assert!((own - wanted).abs() < 1.0, "{reason}: {own} {wanted}");
            }
        }
    }
}
