//! Banks of UB, read from the emitted text alone. TPipe hands out memory in the order of the
//! `InitBuffer` calls. Two sources of a call that begin 256 bytes apart modulo 512 share no bank.
//! The emitter places memory by the IR; this test judges it by names in C++.

use crate::common;
use jumar_codegen::{emit, EmitOptions};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;
use std::collections::{BTreeMap, BTreeSet};

/// The period of the groups of banks of Atlas A2, in bytes.
const PERIOD: i64 = 512;

/// A call whose sources may share banks, and the reason.
type Together = (&'static str, &'static str);

/// A kernel, the number of source pairs in distinct banks over all of its classes, and the other
/// pairs.
struct Row {
    text: &'static str,
    apart: usize,
    together: &'static [Together],
}

/// A loop over tiles.
macro_rules! flat {
    ($apart:literal, $params:literal, $body:literal, $together:expr) => {
        Row {
            text: concat!(
                "#[kernel] fn k(",
                $params,
                ", y: &mut GlobalTensor<f32>) { for t in tiles(x) { ",
                $body,
                " } }"
            ),
            apart: $apart,
            together: $together,
        }
    };
}

/// A loop over rows of `T`.
macro_rules! rows {
    ($apart:literal, $ty:literal, $more:literal, $body:literal, $together:expr) => {
        Row {
            text: concat!(
                "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<",
                $ty,
                ">, #[shape(d)] g: &GlobalTensor<",
                $ty,
                ">, #[shape(d)] b: &GlobalTensor<",
                $ty,
                ">, y: &mut GlobalTensor<",
                $ty,
                ">) { for r in tiles(n)",
                $more,
                " { ",
                $body,
                " } }"
            ),
            apart: $apart,
            together: $together,
        }
    };
}

/// The product of a value with itself.
const TWICE: Together = ("Mul", "a call that reads one memory twice");
const COLUMN: &str = "one value a row";
/// A streamed softmax, whose sum is rescaled to the new maximum in each part.
const ONLINE: [Together; 6] = [
    ("Max", COLUMN),
    ("Sub", COLUMN),
    ("Mul", COLUMN),
    ("Add", COLUMN),
    ("Sub", "a call that reads one memory twice"),
    ("Add", COLUMN),
];
/// A streamed layer norm, whose squares are merged with those of each part.
const MERGED: [Together; 6] = [
    ("Add", COLUMN),
    TWICE,
    ("Sub", COLUMN),
    TWICE,
    ("Add", COLUMN),
    ("Add", COLUMN),
];

const TABLE: &[Row] = &[
    flat!(1, "x: &GlobalTensor<f32>, w: &GlobalTensor<f32>", "y.at(t).store(x.at(t).load() + w.at(t).load());", &[]),
    // Casts: the sources are buffers, and queues of two-byte elements follow them.
    Row {
        text: "#[kernel] fn k(x: &GlobalTensor<f16>, w: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>, a: f32) { for t in tiles(x) { \
               y.at(t).store((x.at(t).load().cast::<f32>() * a + w.at(t).load().cast::<f32>()).cast::<f16>()); } }",
        apart: 1,
        together: &[],
    },
    // A queue of two buffers beside a buffer.
    flat!(1, "x: &GlobalTensor<f32>, y0: &GlobalTensor<f16>", "y.at(t).store(x.at(t).load() + y0.at(t).load().cast::<f32>());", &[]),
    // The swish function.
    flat!(1, "x: &GlobalTensor<f32>", "let v = x.at(t).load(); y.at(t).store(v / ((-v).exp() + 1.0));", &[]),
    // The gelu function.
    flat!(
        3,
        "x: &GlobalTensor<f32>",
        "let v = x.at(t).load(); let u = (v * v * v * 0.044715 + v) * -1.5957691; y.at(t).store(v / (u.exp() + 1.0));",
        &[TWICE]
    ),
    flat!(
        2,
        "x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, z: &GlobalTensor<f32>",
        "y.at(t).store(x.at(t).load() * w.at(t).load() + z.at(t).load());",
        &[]
    ),
    // An odd cycle: the pair that fewest calls read stays together.
    flat!(
        6,
        "x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, z: &GlobalTensor<f32>",
        "let a = x.at(t).load(); let b = w.at(t).load(); let c = z.at(t).load(); y.at(t).store((a * c - b / a) + (a + b) * (b - c));",
        &[("Sub", "inQueueW_ and inQueueZ_ of KKernel")]
    ),
    flat!(1, "x: &GlobalTensor<f32>", "let v = x.at(t).load(); y.at(t).store(v.gt(0.5).select(v, -v));", &[]),
    rows!(0, "f32", "", "let v = x.at(r, ..).load(); let e = (v - v.amax(d)).exp(); y.at(r, ..).store(e / e.sum(d));", &ONLINE),
    rows!(2, "f16", "", "y.at(r, ..).store((x.at(r, ..).load().cast::<f32>() * g.at(..).load().cast::<f32>()).cast::<f16>());", &[]),
    rows!(4, "f32", "", "y.at(r, ..).store(x.at(r, ..).load() * g.at(..).load() + b.at(..).load());", &[]),
    rows!(
        2,
        "f32",
        ".size(4)",
        "let c = x.at(r, ..).load() - x.at(r, ..).load().sum(d); y.at(r, ..).store(c / (c * c).sum(d) * g.at(..).load() + b.at(..).load());",
        &[TWICE]
    ),
    rows!(1, "f32", "", "for q in tiles(d) { y.at(r, q).store(x.at(r, q).load() * g.at(q).load()); }", &[]),
    rows!(1, "f16", "", "for q in tiles(d) { y.at(r, q).store(x.at(r, q).load() * g.at(q).load()); }", &[]),
];

/// Kernels of `tests/kernels`, with the expected results.
const FILES: &[(&str, usize, &[Together])] = &[
    ("swish", 2, &[]),
    (
        "softmax",
        0,
        &[
            ONLINE[0], ONLINE[1], ONLINE[2], ONLINE[3], ONLINE[4], ONLINE[5], ONLINE[0], ONLINE[1],
            ONLINE[2], ONLINE[3], ONLINE[4], ONLINE[5],
        ],
    ),
    (
        "layer_norm",
        8,
        &[
            TWICE, MERGED[0], MERGED[1], MERGED[2], MERGED[3], MERGED[4], MERGED[5], TWICE,
            MERGED[0], MERGED[1], MERGED[2], MERGED[3], MERGED[4], MERGED[5],
        ],
    ),
];

/// A class of a text.
#[derive(Default)]
struct Class {
    name: String,
    /// The `InitBuffer` calls: member, number of buffers and bytes.
    init: Vec<[String; 3]>,
    /// The members that each local tensor is taken from.
    homes: BTreeMap<String, BTreeSet<String>>,
    /// Calls with the names of the local tensors that they read.
    calls: Vec<(String, [String; 2])>,
}

fn arguments(inside: &str) -> Vec<String> {
    let (mut depth, mut args) = (0, vec![String::new()]);
    for c in inside.chars() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        match (c, depth) {
            (',', 0) => args.push(String::new()),
            _ => args.last_mut().expect("one").push(c),
        }
    }
    args.iter()
        .map(|arg| arg.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// Returns the two sources of a call, as indices of its arguments.
fn sources(op: &str) -> Option<[usize; 2]> {
    let stem = ["RowsRow", "RowRows"]
        .iter()
        .find_map(|form| op.strip_suffix(form))
        .unwrap_or(op);
    match stem {
        "Add" | "Sub" | "Mul" | "Div" | "Max" | "Min" | "Compare" => Some([1, 2]),
        "Select" => Some([2, 3]),
        _ => None,
    }
}

impl Class {
    fn statement(&mut self, text: &str) {
        let Some((head, rest)) = text.split_once('(') else {
            return;
        };
        let args = || arguments(rest.strip_suffix(')').expect("a call"));
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric());
        if head == "pipe->InitBuffer" {
            let args = args();
            let [num, bytes] = match args.as_slice() {
                [_, bytes] => ["1", bytes.as_str()],
                [_, num, bytes] => [num.as_str(), bytes.as_str()],
                other => panic!("InitBuffer({other:?})"),
            };
            self.init
                .push([args[0].clone(), num.to_string(), bytes.to_string()]);
        } else if let Some((declared, from)) = head
            .split_once(" = ")
            .filter(|(declared, _)| declared.starts_with("LocalTensor"))
        {
            let (name, member) = (
                declared.rsplit(' ').next().expect("a name"),
                from.split('.').next().expect("a member"),
            );
            self.homes
                .entry(name.to_string())
                .or_default()
                .insert(member.to_string());
        } else if let Some(of) = sources(head).filter(|_| is_name(head)) {
            let args = args();
            let sources = of.map(|i| args[i].clone());
            // One operand may be a number instead of a tensor.
            if sources.iter().all(|name| name.contains("Local")) {
                self.calls.push((head.to_string(), sources));
            }
        }
    }

    /// True for memory that does not grow with the length of a tile.
    fn is_short(&self, member: &str) -> bool {
        let bytes = self
            .init
            .iter()
            .find(|[name, ..]| name == member)
            .map(|[.., bytes]| bytes);
        let bytes = bytes.unwrap_or_else(|| panic!("{member} of {} has no memory", self.name));
        !["tileLength", "pitch", "colTile"]
            .iter()
            .any(|length| bytes.contains(length))
    }

    /// Returns the addresses of a member's buffers.
    fn begins(&self, member: &str, value: &dyn Fn(&str) -> i64) -> Vec<i64> {
        let mut at = 0;
        for [name, num, bytes] in &self.init {
            // Rows of these lengths leave room for two buffers where the host decides.
            let num = if num.contains("BUFFER_NUM") {
                2
            } else {
                num.parse().expect("a number of buffers")
            };
            let bytes = Expr { text: bytes, value }.whole();
            let bytes = align_up(bytes, 32);
            if name == member {
                return (0..num).map(|i| at + i * bytes).collect();
            }
            at += num * bytes;
        }
        panic!("{member} of {} has no memory", self.name)
    }

    fn home(&self, local: &str) -> &str {
        let homes = &self.homes[local];
        assert_eq!(
            homes.len(),
            1,
            "{local} of {} is taken from {homes:?}",
            self.name
        );
        homes.first().expect("one")
    }
}

fn align_up(value: i64, unit: i64) -> i64 {
    (value + unit - 1) / unit * unit
}

/// A formula of C++.
struct Expr<'t, 'v> {
    text: &'t str,
    value: &'v dyn Fn(&str) -> i64,
}

impl Expr<'_, '_> {
    fn whole(mut self) -> i64 {
        let value = self.sum();
        assert_eq!(self.text.trim(), "", "what is left of a formula");
        value
    }

    fn takes(&mut self, what: char) -> bool {
        let rest = self.text.trim_start().strip_prefix(what);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn sum(&mut self) -> i64 {
        let mut value = self.product();
        while self.takes('+') {
            value += self.product();
        }
        value
    }

    fn product(&mut self) -> i64 {
        let mut value = self.leaf();
        while self.takes('*') {
            value *= self.leaf();
        }
        value
    }

    fn leaf(&mut self) -> i64 {
        if self.takes('(') {
            let value = self.sum();
            assert!(self.takes(')'), "{}", self.text);
            return value;
        }
        let text = self.text.trim_start();
        let end = text
            .find(|c: char| !(c.is_ascii_alphanumeric() || "._".contains(c)))
            .unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.text = rest;
        match word {
            "sizeof" => {
                let (ty, rest) = rest
                    .strip_prefix('(')
                    .and_then(|rest| rest.split_once(')'))
                    .expect("sizeof of a type");
                self.text = rest;
                if ty == "float" {
                    4
                } else {
                    2
                }
            }
            "AlignUp" | "CeilDiv" => {
                assert!(self.takes('('));
                let value = self.sum();
                assert!(self.takes(','), "{}", self.text);
                let unit = self.sum();
                assert!(self.takes(')'));
                if word == "AlignUp" {
                    align_up(value, unit)
                } else {
                    align_up(value, unit) / unit
                }
            }
            number => number.parse().unwrap_or_else(|_| (self.value)(word)),
        }
    }
}

/// Returns the classes of a text.
fn classes(text: &str) -> Vec<Class> {
    let mut found: Vec<Class> = Vec::new();
    let lines = text
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.split("//").next().unwrap_or(l));
    let code = lines.collect::<Vec<_>>().join(" ");
    for part in code.split([';', '{', '}']) {
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = part
            .trim_start_matches("public: ")
            .trim_start_matches("private: ");
        if let Some((_, name)) = part
            .split_once("class ")
            .filter(|(before, _)| before.is_empty() || before.starts_with("template"))
        {
            found.push(Class {
                name: name.to_string(),
                ..Class::default()
            });
        }
        if let Some(class) = found.last_mut() {
            class.statement(part);
        }
    }
    found
}

/// Makes launches: values of the host for the names of the tiling data. The lengths of tiles are
/// multiples of `unit`.
fn launches(unit: i64) -> impl Iterator<Item = impl Fn(&str) -> i64> {
    [
        (1, 16, 0),
        (3, 48, 0),
        (40, 1008, 1008),
        (11, 1024, 1024),
        (7, 2048, 0),
    ]
    .into_iter()
    .enumerate()
    .map(move |(i, (rows, pitch, again))| {
        move |name: &str| match name.split('.').next_back().expect("a name") {
            "tileLength" => 2 * unit * [1, 3, 8, 45, 21][i],
            "colTile" => unit * [1, 3, 8, 45, 21][i],
            "tileRows" | "streamRows" => rows,
            "pitch" => pitch,
            "rowAgain" => again,
            other => panic!("{other} decides where a source begins"),
        }
    })
}

fn text(row: &Row) -> String {
    text_of("k", &common::checked_text(row.text, row.text))
}

fn text_of(name: &str, kernel: &CheckedKernel) -> String {
    let project = emit(kernel, &EmitOptions::default());
    project
        .text(&format!("{name}.cpp"))
        .expect("the kernel")
        .to_string()
}

/// Counts the source pairs in distinct banks. Returns the other pairs by their call, with a
/// description.
fn judged(text: &str, unit: i64) -> (usize, Vec<(String, String)>) {
    let (mut apart, mut together) = (0, Vec::new());
    for class in classes(text) {
        for (op, locals) in &class.calls {
            let [a, b] = [&locals[0], &locals[1]].map(|local| class.home(local));
            if a == b {
                together.push((op.clone(), TWICE.1.to_string()));
                continue;
            }
            if [a, b].iter().any(|member| class.is_short(member)) {
                together.push((op.clone(), COLUMN.to_string()));
                continue;
            }
            let is_apart = |value: &dyn Fn(&str) -> i64| {
                let [a, b] = [a, b].map(|member| class.begins(member, value));
                a.iter()
                    .all(|a| b.iter().all(|b| (a - b).rem_euclid(PERIOD) == PERIOD / 2))
            };
            if launches(unit).all(|value| is_apart(&value)) {
                apart += 1;
            } else {
                together.push((op.clone(), format!("{a} and {b} of {}", class.name)));
            }
        }
    }
    (apart, together)
}

#[test]
fn sources_of_one_call_begin_in_different_halves_of_the_banks() {
    let mut wrong = String::new();
    for row in TABLE {
        let unit = if row.text.contains("f16") { 128 } else { 64 };
        let (apart, together) = judged(&text(row), unit);
        let known: Vec<_> = row
            .together
            .iter()
            .map(|(op, why)| (op.to_string(), why.to_string()))
            .collect();
        if (apart, &together) != (row.apart, &known) {
            wrong += &format!("{}\n{apart} apart, together: {together:?}\n", row.text);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn kernels_of_files_keep_apart_what_they_can() {
    let mut wrong = String::new();
    for (name, apart, together) in FILES {
        let found = judged(&text_of(name, &common::checked(name)), 128);
        let known: Vec<_> = together
            .iter()
            .map(|(op, why)| (op.to_string(), why.to_string()))
            .collect();
        if found != (*apart, known) {
            wrong += &format!("{name}: {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn chips_of_whose_banks_nothing_is_known_have_nothing_between() {
    let parsed = parse_file(TABLE[0].text).expect("Rust").remove(0);
    let chip = Chip::by_name("ascend310p").expect("a chip");
    let kernel = check(&parsed.kernel.expect("a kernel"), chip).expect("a right kernel");
    assert!(chip.ub_bank_groups.is_none() && !text_of("k", &kernel).contains("bankSkew"));
}

#[test]
fn memory_without_what_keeps_it_apart_is_seen() {
    for row in TABLE.iter().filter(|row| row.apart > 0) {
        let text = text(row);
        let without: Vec<&str> = text
            .lines()
            .filter(|line| !line.contains("InitBuffer(bankSkew,"))
            .collect();
        let (apart, _) = judged(&without.join("\n"), 128);
        assert_eq!(apart, 0, "{}", row.text);
    }
}
