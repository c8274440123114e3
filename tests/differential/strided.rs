//! A kernel for each op with masks and strides, with every form of extent that it takes: the first
//! lanes, bits, groups and counter mode, without gaps and with strides. Ops with other strides or
//! patterns have a kernel of their own form.
//!
//! Each form writes a separate part of a destination that was filled before, so elements that it
//! leaves out are compared, too.

use super::agree::{Case, Tensor};
use jumar::dsl::dtype::DType;
use jumar::dsl::ops::contract::{last_pattern, Extents};
use jumar::dsl::ops::{narrowed, CompoundOp, LayoutOp, Op, OpDef};
use jumar::dsl::soc::Chip;

/// Elements of a tile of the sources.
const TILE: usize = 512;
/// Elements of a tile of the destination.
const RESULTS: usize = 3072;
const TILES: usize = 3;

/// A form of extent, with the suffixes of destination and sources.
struct Form {
    dst: &'static str,
    srcs: [&'static str; 2],
    extent: &'static str,
}

const fn form(dst: &'static str, srcs: [&'static str; 2], extent: &'static str) -> Form {
    Form { dst, srcs, extent }
}

const FIRST: [Form; 3] = [
    // All lanes of all repeats are fewer than a data block has.
    form(
        ".at(2944).blocks(1, 2)",
        ["", ".blocks(1, 3)"],
        "lanes(2).repeats(2)",
    ),
    form("", ["", ""], "lanes(50).repeats(2)"),
    form(
        ".at(512).blocks(2, 16)",
        [".blocks(1, 4)", ".at(16).blocks(0, 1)"],
        "lanes(40).repeats(k)",
    ),
];
const OTHERS: [Form; 3] = [
    // A repeat has exactly so many groups of 64.
    form(
        ".at(2816)",
        ["", ""],
        "lanes(k..40).of(64).groups(GROUPS).repeats(1)",
    ),
    form(
        ".at(1408)",
        [".at(32)", ""],
        "bits(0x8421_1248_f00f_0001, 0).repeats(2)",
    ),
    form(
        ".at(1792)",
        ["", ".at(64)"],
        "lanes(1..3).of(4).groups(k).repeats(3)",
    ),
];
const COUNTER: [Form; 2] = [
    form(".at(2176)", ["", ""], "counter(150)"),
    form(
        ".at(2432).blocks(2, 17)",
        [".at(16)", ".blocks(3, 1)"],
        "counter(2 * k + 64)",
    ),
];
const FIRST_RESULTS: [Form; 4] = [
    form(".at(2960)", ["", ""], "lanes(2).repeats(2)"),
    form("", ["", ""], "lanes(50).repeats(2)"),
    form(
        ".at(512).results(2)",
        [".blocks(1, 4)", ""],
        "lanes(40).repeats(k)",
    ),
    form(
        ".at(1024).results(1)",
        [".blocks(2, 1)", ""],
        "lanes(33).repeats(2)",
    ),
];
const COUNTER_RESULTS: [Form; 2] = [
    form(".at(2176)", ["", ""], "counter(150)"),
    form(
        ".at(2432).results(3)",
        [".at(16).blocks(1, 3)", ""],
        "counter(2 * k + 64)",
    ),
];

fn forms(op: Op) -> Vec<&'static Form> {
    let results = matches!(op, Op::Partial(_));
    let (first, counter): (&[Form], &[Form]) = if results {
        (&FIRST_RESULTS, &COUNTER_RESULTS)
    } else {
        (&FIRST, &COUNTER)
    };
    match op.contract().extents {
        Extents::Lanes | Extents::Strided => first.iter().chain(&OTHERS).chain(counter).collect(),
        Extents::Masked => first.iter().chain(&OTHERS).collect(),
        Extents::Leading => first.iter().chain(counter).collect(),
        Extents::None | Extents::Count | Extents::Eights | Extents::Rows => Vec::new(),
    }
}

/// Makes the case of an op with masks and strides.
pub fn case(def: &'static OpDef, dtype: DType, chip: &'static Chip) -> Option<Case> {
    let (name, scalar) = (def.name, if dtype.is_float() { "0.7" } else { "-12345" });
    // A cast has the lanes of the wider type.
    let widest = if matches!(
        def.op,
        Op::Layout(LayoutOp::Cast) | Op::Compound(CompoundOp::CastDequant)
    ) {
        4
    } else {
        dtype.bytes()
    };
    let groups = (4 / widest).to_string();
    let call = |f: &Form| {
        let Form {
            dst,
            srcs: [a, b],
            extent,
        } = f;
        let extent = extent.replace("GROUPS", &groups);
        match def.op {
            Op::Binary(_) => format!("vec::{name}(&z{dst}, &l0{a}, &l1{b}, {extent});"),
            Op::BinaryScalar(_) => format!("vec::{name}(&z{dst}, &l0{a}, {scalar}, {extent});"),
            Op::Compound(CompoundOp::LeakyRelu | CompoundOp::Axpy | CompoundOp::CastDequant) => {
                format!("vec::{name}(&z{dst}, &l0{a}, {scalar}, {extent});")
            }
            Op::Compound(_) => format!("vec::{name}(&z{dst}, &l0{a}, &l1{b}, {extent});"),
            Op::Layout(LayoutOp::Duplicate) => format!("vec::{name}(&z{dst}, {scalar}, {extent});"),
            Op::Layout(LayoutOp::Cast) => {
                format!("vec::{name}(&z{dst}, &l0{a}, RoundMode::None, {extent});")
            }
            _ => format!("vec::{name}(&z{dst}, &l0{a}, {extent});"),
        }
    };
    let to = match (def.op, dtype) {
        (Op::Layout(LayoutOp::Cast), DType::F16 | DType::Bf16) => DType::F32,
        (Op::Layout(LayoutOp::Cast), DType::F32) => DType::F16,
        // These casts need other round modes than `None`.
        (
            Op::Layout(LayoutOp::Cast),
            DType::I32
            | DType::Bool
            | DType::I8
            | DType::I64
            | DType::I16
            | DType::U8
            | DType::U16
            | DType::U32
            | DType::Bits,
        ) => return None,
        (Op::Layout(LayoutOp::Top), _) => DType::I32,
        (Op::Compound(op), _) => narrowed(op, dtype).first().copied().unwrap_or(dtype),
        _ => dtype,
    };
    let calls: Vec<String> = match def.op {
        Op::Layout(LayoutOp::Brcb) => vec![
            "vec::brcb(&z, &l0, 8);".to_string(),
            "vec::brcb(&z.at(512).blocks(2, 17), &l0.at(16), 16);".to_string(),
            "vec::brcb(&z.at(1536).blocks(1, k), &l0.at(32), 24);".to_string(),
        ],
        // Every pattern, with elements behind the last whole group, for a known and an unknown
        // count.
        Op::Layout(LayoutOp::GatherMask) => {
            let call = |p: usize, n: &str| format!("vec::{name}(&z.at({}), &l0.at({}), {p}, {n});", p * 320, p * 16);
            (1..=last_pattern(chip.arch) as usize)
                .map(|p| call(p, if p % 2 == 0 { "273" } else { "2 * k + 255" }))
                .chain([call(0, "1").replace(", 0,", ", 1,")])
                .collect()
        }
        // Falling offsets: for all elements, for a part, and with a base.
        Op::Layout(LayoutOp::Gather) => {
            let size = dtype.bytes();
            vec![
                "vec::create_vec_index(&offsets, 0, 512);".to_string(),
                format!("vec::muls(&offsets, &offsets, -{size}, 512);"),
                format!("vec::adds(&offsets, &offsets, {}, 512);", 511 * size),
                format!("vec::{name}(&z, &l0, &offsets, 0, 512);"),
                format!("vec::{name}(&z.at(512), &l0.at(16), &offsets.at(32), 0, 100);"),
                format!("vec::{name}(&z.at(1024), &l0, &offsets.at(256), {} * k, 2 * k + 65);", 16 * size),
            ]
        }
        // Data blocks in falling order, one of them many times, and a part with strides.
        Op::Layout(LayoutOp::GatherBlocks) => {
            let last = TILE as i64 * dtype.bytes() - 32;
            vec![
                "vec::create_vec_index(&offsets, 0, 512);".to_string(),
                "vec::muls(&offsets, &offsets, -32, 512);".to_string(),
                format!("vec::adds(&offsets, &offsets, {last}, 512);"),
                format!("vec::{name}(&z, &l0, &offsets, {});", last / 32 + 1),
                format!("vec::{name}(&z.at(1024).blocks(2, 17), &l0, &offsets.at(8), 16);"),
                "vec::duplicate(&offsets, 64, 64);".to_string(),
                format!("vec::{name}(&z.at(2048).blocks(1, k), &l0.at(32), &offsets, 8 * (k - 1));"),
            ]
        }
        // A few of many, all of a part, and one; places may begin elsewhere. No score is nan.
        Op::Layout(LayoutOp::Top) => [
            numbers(),
            [
                format!("vec::{name}(&z, &scores, &offsets, &work, 2 * k + 7, 500);"),
                format!("vec::{name}(&z.at(512), &scores.at(16), &offsets.at(64), &work, 2 * k + 120, 2 * k + 120);"),
                format!("vec::{name}(&z.at(1024), &scores.at(32), &offsets, &work, 1, 1);"),
            ],
        ]
        .concat(),
        Op::Layout(LayoutOp::Sort32) => {
            let sorts = [
                format!("vec::{name}(&work, &scores, &offsets, 512);"),
                pairs_read(dtype, "work", 0, "512"),
                format!("vec::{name}(&work, &scores.at(64), &offsets.at(32), 32 * k);"),
                pairs_read(dtype, "work", 1, "32 * k"),
            ];
            numbers().into_iter().chain(sorts).collect()
        }
        // Lists that begin behind their first pair, empty lists, and adjacent ones.
        Op::Layout(op @ (LayoutOp::MergeTwo | LayoutOp::MergeThree | LayoutOp::MergeFour | LayoutOp::MergeFours)) => {
            let pair = 8 / dtype.bytes();
            let at = |pairs: i64| format!("&work.at({})", pairs * pair);
            let to = format!("work.at({})", 512 * pair);
            let (calls, lengths) = match op {
                LayoutOp::MergeTwo => {
                    ([format!("{}, {}, 31, k + 17", at(33), at(0)), format!("{}, {}, 0, 32", at(64), at(96))], ["k + 48", "32"])
                }
                LayoutOp::MergeThree => {
                    let lists = format!("{}, {}, {}", at(64), at(0), at(480));
                    ([format!("{lists}, 32, k, 32"), format!("{lists}, k, 0, 1")], ["k + 64", "k + 1"])
                }
                LayoutOp::MergeFour => {
                    let lists = format!("{}, {}, {}, {}", at(64), at(0), at(480), at(97));
                    ([format!("{lists}, 32, k, 32, 31"), format!("{lists}, 1, 2, 3, 4")], ["k + 95", "10"])
                }
                _ => (["&work, 32, k - 1".to_string(), format!("{}, 32, 4", at(0))], ["128 * (k - 1)", "512"]),
            };
            let sorted = ["vec::sort32(&work, &scores, &offsets, 512);".to_string()];
            let merges =
                (0..2).flat_map(|i| [format!("vec::{name}(&{to}, {});", calls[i]), pairs_read(dtype, &to, i as i64, lengths[i])]);
            numbers().into_iter().chain(sorted).chain(merges).collect()
        }
        // Lengths of one element, less than a data block, and more. The rest of a result's last
        // block has no value.
        Op::Scan(_) => {
            let zero = if dtype.is_float() { "0.0" } else { "0" };
            let one = |to: usize, from: usize, n: &str| {
                let scan = format!("vec::{name}(&scores, &l0.at({from}), &offsets, &work, {n});");
                [scan, format!("vec::adds(&z.at({to}), &scores, {zero}, {n});")]
            };
            let offsets = ["vec::create_vec_index(&offsets, 0, 512);", "vec::muls(&offsets, &offsets, 4, 512);"];
            let calls = [one(0, 0, "1"), one(64, 16, "k + 3"), one(128, 8, "64"), one(512, 0, "2 * k + 400")];
            offsets.map(str::to_string).into_iter().chain(calls.into_iter().flatten()).collect()
        }
        op => forms(op).into_iter().map(call).collect(),
    };
    let inputs = if matches!(def.op, Op::Binary(_) | Op::Compound(_)) {
        def.contract.sources()
    } else {
        1
    };
    (!calls.is_empty()).then(|| {
        // The types of `CastDequant` are listed for its destination.
        let from = if def.op == Op::Compound(CompoundOp::CastDequant) {
            DType::I32
        } else {
            dtype
        };
        let text = kernel(chip, [from, to], inputs, &calls.join("\n        "));
        let source = |i| Tensor {
            name: format!("x{i}"),
            dtype: from,
            shape: vec![TILES * TILE],
            written: false,
        };
        let result = Tensor {
            name: "y0".into(),
            dtype: to,
            shape: vec![TILES * RESULTS],
            written: true,
        };
        Case {
            name: format!("{name} strided {} {}", dtype.name(), chip.name),
            chip,
            text,
            tensors: (0..inputs).map(source).chain([result]).collect(),
            attrs: Vec::new(),
            exact: false,
            seed: 3,
        }
    })
}

/// Writes places from 0 on, and scores without nan.
fn numbers() -> [String; 3] {
    [
        "vec::create_vec_index(&offsets, 0, 512);",
        "vec::eq(&numbers, &l0, &l0, 512);",
        "vec::selects(&scores, &numbers, &l0, 0.5, 512);",
    ]
    .map(str::to_string)
}

/// Reads scores and places of the pairs at `from` into one half of the destination.
fn pairs_read(dtype: DType, from: &str, half: i64, pairs: &str) -> String {
    let (each, pattern) = if dtype == DType::F32 { (2, 1) } else { (4, 3) };
    let (scores, places) = (half * 1536, half * 1536 + 512);
    format!(
        "vec::gather_mask(&z.at({scores}), &{from}, {pattern}, {each} * ({pairs}));\n        \
         vec::gather_mask(&z.at({places}).reinterpret_cast::<i32>(), &{from}.reinterpret_cast::<i32>(), 2, 2 * ({pairs}));"
    )
}

fn kernel(chip: &Chip, [from, to]: [DType; 2], inputs: usize, calls: &str) -> String {
    let (d, t) = (from.name(), to.name());
    let (mut params, mut queues, mut fill, mut free) =
        (String::new(), String::new(), String::new(), String::new());
    if calls.contains("&work") {
        queues += "    let mut work_buf = TBuf::<VecCalc>::new();\n    pipe.init_buffer(&mut work_buf, 1, 10240);\n";
        queues += "    let (mut bits, mut numbers_buf) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\n    \
                   pipe.init_buffer(&mut bits, 1, 256);\n    pipe.init_buffer(&mut numbers_buf, 1, 2048);\n";
        fill += &format!(
            "        let work = work_buf.get::<{d}>();\n        let numbers = bits.get::<u8>();\n        let scores = numbers_buf.get::<{d}>();\n"
        );
    }
    if calls.contains("&offsets") {
        queues += "    let mut offsets_buf = TBuf::<VecCalc>::new();\n    pipe.init_buffer(&mut offsets_buf, 1, 2048);\n";
        fill += "        let offsets = offsets_buf.get::<i32>();\n";
    }
    for i in 0..inputs {
        params += &format!("#[shape({})] x{i}: &GlobalTensor<{d}>, ", TILES * TILE);
        queues += &format!(
            "    let mut q{i} = TQue::<VecIn, 1>::new();\n    pipe.init_buffer(&mut q{i}, 2, {TILE} * size_of::<{d}>());\n"
        );
        fill += &format!(
            "        let l{i} = q{i}.alloc_tensor::<{d}>();\n        data_copy(&l{i}, x{i}.slice(at * {TILE}, {TILE}));\n        \
             q{i}.enque(l{i});\n        let l{i} = q{i}.deque::<{d}>();\n"
        );
        free += &format!("        q{i}.free_tensor(l{i});\n");
    }
    let filled = match to {
        // No call fills bytes.
        DType::I8 => {
            format!("vec::duplicate(&z.reinterpret_cast::<i16>(), 1, counter({RESULTS} / 2));")
        }
        to if to.is_float() => format!("vec::duplicate(&z, 1.0, counter({RESULTS}));"),
        _ => format!("vec::duplicate(&z, 1, counter({RESULTS}));"),
    };
    format!(
        "#[kernel]\n#[chips({})]\npub fn sample({params}#[shape({})] y0: &mut GlobalTensor<{t}>) {{\n    \
         let share = split({TILES});\n    let mut pipe = TPipe::new();\n{queues}    let mut out = TQue::<VecOut, 1>::new();\n    \
         pipe.init_buffer(&mut out, 2, {RESULTS} * size_of::<{t}>());\n    for i in 0..share.len() {{\n        \
         let at = share.start() + i;\n        let k = 3 + at;\n{fill}        let z = out.alloc_tensor::<{t}>();\n        \
         {filled}\n        {calls}\n        out.enque(z);\n{free}        \
         let z = out.deque::<{t}>();\n        data_copy(y0.slice(at * {RESULTS}, {RESULTS}), &z);\n        \
         out.free_tensor(z);\n    }}\n}}\n",
        chip.name,
        TILES * RESULTS
    )
}
