//! Functions of the library beside an expert's sequences at queue level, with equal polynomials and
//! reductions.
//!
//! A sequence has one call for each op over the whole tile. It uses buffers again, and fills the
//! numbers that divide once before the loop. Both forms are kernels in the language, and one
//! estimator counts them.
//!
//! A sequence is a list of calls `op dst src ..`:
//!
//! - `x` and `w` are loaded, `y` is stored, `m` and `k` are masks, and other letters are buffers;
//! - `[1]` is a data block of a number;
//! - `bits p` replaces the integers of `p` by floats with those bits;
//! - `poly p z a b c` is `(a z + b) z + c` by Horner's rule.
//!
//! Nobody has published whether a fused call rounds a product before the addition. So sequences
//! have Axpy only where the product is exact.

use jumar::dsl::check::CheckedKernel;
use jumar::dsl::cost::estimate;
use jumar::dsl::tiling::{bind_attrs, bind_shapes, evaluate};
use jumar::load::check_text;
use jumar::Chip;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Functions with the numbers of a call, and an expert's calls. `pow` without a number takes two
/// tiles.
pub const HANDWRITTEN: [(&str, &str, &str); 29] = [
    ("sigmoid", "", "muls y x -1; exp y y; adds y y 1; div y [1] y"),
    ("silu", "", "muls y x -1; exp y y; adds y y 1; div y x y"),
    (
        "gelu",
        "",
        "abs a x; mins a a 14.5; adds b a 2.8284271; div b [2.8284271] b; \
         poly y b 0.005694784 -0.0592540875 0.20903103 -0.32798907 0.205007345 -0.046264475 0.111819745 0.11951452 0.14140694 0.141033275; \
         mul y y b; mul b a a; muls b b -0.5; exp b b; mul y y b; mul y y a; relu a x; sub y a y",
    ),
    (
        "gelu_tanh",
        "",
        "mul y x x; muls y y -0.071354814; adds y y -1.5957691; mul y y x; exp y y; adds y y 1; div y x y",
    ),
    (
        "tanh",
        "",
        "mul a x x; poly b a 0.016437583 -0.052671812 0.13320725 -0.33332947; mul b b a; mul b b x; add b b x; \
         muls y x 2; exp y y; adds y y 1; div y [-2] y; adds y y 1; abs x x; lts m x 0.55; select y m b y",
    ),
    (
        "erf",
        "",
        "maxs x x -3.93; mins x x 3.93; mul a x x; poly b a 2.041966e-6 0.0002848043 0.0037794944 0.05278992 0.19078138 1.1283791; \
         poly y a 3.80038e-5 0.0011651819 0.014997206 0.11425647 0.5024083 1; mul b b x; div y b y; maxs y y -1; mins y y 1",
    ),
    (
        "erfc",
        "",
        "abs a x; mins a a 11; muls b a 64; cast b b Rint; muls b b 0.015625; adds y a 2; div y [2] y; \
         poly c y 0.011389568 -0.118508175 0.41806206 -0.65597814 0.41001469 -0.09252895 0.22363949 0.23902904 0.28281388 0.28206655; \
         mul c c y; sub y b a; add a b a; mul y y a; exp y y; mul b b b; muls b b -1; exp b b; mul y y b; mul c c y; \
         muls y c -1; adds y y 2; lts m x 0; select y m y c",
    ),
    (
        "sin",
        "",
        "muls a x 0.63661975; cast a a Rint; muls b a 1.5703125; sub y x b; axpy y a -0.00048446655; axpy y a 6.4074993e-7; muls b a 9.920936e-10; \
         sub y y b; muls a a 0.5; cast b a Floor; eq m a b; \
         mul a y y; poly c a -0.00019515296 0.008332161 -0.16666655; mul c c a; mul c c y; add c c y; \
         poly y a 2.4433157e-5 -0.0013887316 0.041666646 -0.5 1; select y m c y; muls b b 0.5; cast a b Floor; sub a a b; muls a a 4; adds a a 1; mul y y a; \
         muls x x 5.192297e33; sub x x x; add y y x",
    ),
    (
        "cos",
        "",
        "muls a x 0.63661975; cast a a Rint; muls b a 1.5703125; sub y x b; axpy y a -0.00048446655; axpy y a 6.4074993e-7; muls b a 9.920936e-10; \
         sub y y b; muls a a 0.5; adds b a 0.5; cast b b Floor; eq m a b; \
         mul a y y; poly c a -0.00019515296 0.008332161 -0.16666655; mul c c a; mul c c y; add c c y; \
         poly y a 2.4433157e-5 -0.0013887316 0.041666646 -0.5 1; select y m y c; muls b b 0.5; cast a b Floor; sub a a b; muls a a 4; adds a a 1; mul y y a; \
         muls x x 5.192297e33; sub x x x; add y y x",
    ),
    (
        "tan",
        "",
        "muls a x 0.63661975; cast a a Rint; muls b a 1.5703125; sub y x b; axpy y a -0.00048446655; axpy y a 6.4074993e-7; muls b a 9.920936e-10; \
         sub y y b; mul b y y; poly c b 0.009402014 0.0030923192 0.02444704 0.053406633 0.13338855 0.33333156; mul c c b; mul c c y; add c c y; \
         muls a a 0.5; cast b a Floor; eq m a b; div b [-1] c; select c m c b; muls x x 5.192297e33; sub x x x; add y c x",
    ),
    (
        "asin",
        "",
        "abs a x; gts m a 0.5; muls b a -0.5; adds b b 0.5; mul c a a; select b m b c; sqrt c b; select c m c a; \
         poly y b 0.04217821 0.024172967 0.0454716 0.074952886 0.16666752; mul y y b; mul y y c; add y y c; \
         muls c y -2; adds c c 1.5707964; select y m c y; lts m x 0; muls c y -1; select y m c y",
    ),
    (
        "acos",
        "",
        "abs a x; gts m a 0.5; muls b a -0.5; adds b b 0.5; mul c a a; select b m b c; sqrt c b; select c m c x; \
         poly y b 0.04217821 0.024172967 0.0454716 0.074952886 0.16666752; mul y y b; mul y y c; add y y c; \
         muls a y 2; muls b a -1; adds b b 3.1415927; lts k x 0; select a k b a; muls y y -1; adds y y 1.5707964; select y m a y",
    ),
    (
        "atan",
        "",
        "abs a x; gts m a 1; div b [1] x; select b m b x; mul a b b; \
         poly y a 0.002920659 -0.016367793 0.04321164 -0.075521953 0.10665996 -0.14211053 0.19993773 -0.33333153; mul y y a; mul y y b; add y y b; \
         maxs x x -1; mins x x 1; muls x x 1.5707964; sub x x y; select y m x y",
    ),
    (
        "sinh",
        "",
        "muls a x 0.5; exp a a; muls b a 0.5; mul b b a; div y [0.5] a; div y y a; sub b b y; \
         mul a x x; poly y a 0.00020372195 0.008330284 0.16666716; mul y y a; mul y y x; add y y x; abs x x; lts m x 1; select y m y b",
    ),
    ("cosh", "", "abs y x; muls y y 0.5; exp y y; muls a y 0.5; mul a a y; div y [0.25] a; add y y a"),
    (
        "exp2",
        "",
        "mins x x 200; maxs x x -200; cast a x Rint; sub x x a; muls x x 0.69314718; exp y x; muls b a 0.5; cast b b Floor; sub a a b; sub a a b; \
         adds a a 1; mul y y a; adds b b 127; muls b b 8388608; bits b; mul y y b; mul y y b",
    ),
    ("log2", "", "ln y x; muls y y 1.442695"),
    ("log10", "", "ln y x; muls y y 0.43429448"),
    ("log1p", "", "adds a x 1; mins b a f32::MAX; maxs b b 1e-30; adds y b -1; sub y x y; div y y b; ln a a; add y y a"),
    (
        "expm1",
        "",
        "poly a x 0.00020098363 0.0014004183 0.008332822 0.041665137 0.16666669 0.50000006; mul a a x; mul a a x; add a a x; \
         exp y x; adds y y -1; abs x x; lts m x 0.5; select y m a y",
    ),
    (
        "softplus",
        "",
        "abs a x; muls a a -1; exp a a; adds b a 1; adds y b -1; sub y a y; div y y b; ln b b; add y y b; relu x x; add y y x",
    ),
    ("mish", "", "mins a x 30; exp a a; adds y a 2; mul a a y; adds y a 2; div a a y; mul y x a"),
    (
        "pow",
        "",
        "abs a x; ln a a; mul a a w; exp a a; eqs m w 0; eqs k x 1; or m m k; not m m; selects a m a 1; \
         muls b w 0.5; cast y b Floor; sub b b y; gts m b 0; muls y a -1; select y m y a; cast b w Rint; eq m w b; sqrt b x; select y m y b; \
         lts m x 0; select y m y a",
    ),
    ("pow", "2.5", "ln y x; muls y y 2.5; exp y y"),
    ("pow", "-3.0", "abs a x; ln a a; muls a a -3; exp a a; muls y a -1; lts m x 0; select y m y a"),
    ("pow", "4.0", "abs y x; ln y y; muls y y 4; exp y y"),
    ("floor", "", "cast y x Floor"),
    ("round", "", "cast y x Rint"),
    ("sign", "", "muls y x 1e38; muls y y 1e38; maxs y y -1; mins y y 1"),
];

/// Writes the kernel of a sequence at queue level.
pub fn text(calls: &str) -> String {
    let words: BTreeSet<&str> = calls.split([' ', ';']).collect();
    let given: Vec<&str> = ["x", "w"]
        .into_iter()
        .filter(|name| words.contains(name))
        .collect();
    let masks: Vec<&str> = ["m", "k"]
        .into_iter()
        .filter(|name| words.contains(name))
        .collect();
    let buffers: Vec<&str> = ["a", "b", "c", "d"]
        .into_iter()
        .filter(|name| words.contains(name))
        .collect();
    let numbers: Vec<&str> = words
        .iter()
        .filter_map(|w| w.strip_prefix('[')?.strip_suffix(']'))
        .collect();
    let (mut set, mut begin, mut end) = (String::new(), String::new(), String::new());
    for name in &given {
        let _ =
            write!(set, "let mut in_{name} = TQue::<VecIn, 1>::new();\npipe.init_buffer(&mut in_{name}, 2, tile_length * 4);\n");
        let _ = write!(
            begin,
            "let {name}_in = in_{name}.alloc_tensor::<f32>();\ndata_copy_pad(&{name}_in, {name}.slice(at, n));\nin_{name}.enque({name}_in);\n\
             let {name}_local = in_{name}.deque::<f32>();\n"
        );
        let _ = writeln!(end, "in_{name}.free_tensor({name}_local);");
    }
    for name in masks.iter().chain(&buffers) {
        let (bytes, ty) = if masks.contains(name) {
            ("tile_length / 8", "u8")
        } else {
            ("tile_length * 4", "f32")
        };
        let _ = write!(set, "let mut of_{name} = TBuf::<VecCalc>::new();\npipe.init_buffer(&mut of_{name}, 1, {bytes});\n");
        let _ = writeln!(set, "let {name}_local = of_{name}.get::<{ty}>();");
    }
    for (i, number) in numbers.iter().enumerate() {
        let _ = write!(set, "let mut of_number{i} = TBuf::<VecCalc>::new();\npipe.init_buffer(&mut of_number{i}, 1, 32);\n");
        let number = literal(number);
        let _ = writeln!(
            set,
            "let number{i} = of_number{i}.get::<f32>();\nvec::duplicate(&number{i}, {number}, 8);"
        );
    }
    let body: String = calls.split(';').map(|call| lines(call, &numbers)).collect();
    let params: String = given
        .iter()
        .map(|name| format!("{name}: &GlobalTensor<f32>, "))
        .collect();
    format!(
        "use jumar::prelude::*;\n#[kernel]\npub fn handwritten({params}y: &mut GlobalTensor<f32>) {{\n\
         let share = split(x.len()).unit(128);\nlet tile_length = fit_tile(256);\nlet mut pipe = TPipe::new();\n{set}\
         let mut out_y = TQue::<VecOut, 1>::new();\npipe.init_buffer(&mut out_y, 2, tile_length * 4);\n\
         for i in 0..share.len().div_ceil(tile_length) {{\nlet n = tile_length.min(share.len() - i * tile_length);\n\
         let at = share.start() + i * tile_length;\n{begin}let y_local = out_y.alloc_tensor::<f32>();\n{body}{end}\
         out_y.enque(y_local);\nlet y_out = out_y.deque::<f32>();\ndata_copy_pad(y.slice(at, n), &y_out);\nout_y.free_tensor(y_out);\n}}\n}}\n"
    )
}

fn literal(number: &str) -> String {
    match number.contains(['.', 'e', ':']) {
        true => number.to_string(),
        false => format!("{number}.0"),
    }
}

/// Writes the calls of one word of a sequence.
fn lines(call: &str, numbers: &[&str]) -> String {
    let words: Vec<&str> = call.split_whitespace().collect();
    let [op, rest @ ..] = &words[..] else {
        panic!("no call: {call}")
    };
    if *op == "poly" {
        let [p, z, first, others @ ..] = rest else {
            panic!("no polynomial: {call}")
        };
        let step = |(i, c): (usize, &&str)| match i {
            0 => format!("adds {p} {p} {c}"),
            _ => format!("mul {p} {p} {z};adds {p} {p} {c}"),
        };
        let steps: Vec<String> = others.iter().enumerate().map(step).collect();
        return format!("muls {p} {z} {first};{}", steps.join(";"))
            .split(';')
            .map(|call| lines(call, numbers))
            .collect();
    }
    if let ("bits", [p]) = (*op, rest) {
        return format!(
            "vec::cast(&{p}_local.reinterpret_cast::<i32>(), &{p}_local, RoundMode::Rint, n);\n"
        );
    }
    let is_block = rest.iter().any(|w| w.starts_with('['));
    let args = rest.iter().map(
        |w| match w.strip_prefix('[').and_then(|w| w.strip_suffix(']')) {
            Some(number) => {
                let i = numbers
                    .iter()
                    .position(|n| *n == number)
                    .expect("a number of the sequence");
                format!("&number{i}.at(0).blocks(0, 0)")
            }
            None if *w == "Rint" || *w == "Floor" => format!("RoundMode::{w}"),
            None if w.len() == 1 && w.starts_with(char::is_alphabetic) => format!("&{w}_local"),
            None => literal(w),
        },
    );
    let extent = if is_block { "counter(n)" } else { "n" };
    format!(
        "vec::{op}({}, {extent});\n",
        args.collect::<Vec<_>>().join(", ")
    )
}

/// Writes a tile kernel of the function alone.
pub fn of_tiles(name: &str, args: &str) -> String {
    let (param, load, args) = match (name, args) {
        ("pow", "") => ("w: &GlobalTensor<f32>, ", "let w = w.at(t).load();", "w"),
        _ => ("", "", args),
    };
    format!(
        "use jumar::prelude::*;\n#[kernel]\npub fn of_tiles(x: &GlobalTensor<f32>, {param}y: &mut GlobalTensor<f32>) {{\nfor t in tiles(x) {{\n\
         let x = x.at(t).load();\n{load}\ny.at(t).store(x.{name}({args}));\n}}\n}}\n"
    )
}

/// Checks the kernel of a text.
pub fn of_text(text: &str) -> CheckedKernel {
    let file = check_text("handwritten.rs", text, None);
    let kernel = file
        .kernels()
        .iter()
        .next()
        .and_then(|k| k.checked.first().cloned());
    kernel.unwrap_or_else(|| panic!("{text}\n{}", file.render(false)))
}

/// Returns the vector unit's predicted cycles for 64 elements of 16 Mi, and those of them in which
/// sources wait for a bank of UB.
pub fn cycles(kernel: &CheckedKernel) -> [f64; 2] {
    let (sig, chip) = (&kernel.kernel().sig, Chip::default_chip());
    let attrs = bind_attrs(sig, None, &[]).expect("no attributes");
    let shape = [16usize << 20];
    let shapes: Vec<Option<&[usize]>> = sig
        .params
        .iter()
        .map(|p| (p.name != "y").then_some(&shape[..]))
        .collect();
    let dims = bind_shapes(sig, &shapes, &attrs).expect("shapes that fit");
    let lowered = &kernel.instances()[0];
    let tiling = evaluate(lowered, chip, &dims, &attrs).expect("a launch");
    let found = estimate(lowered, chip, &tiling).expect("an estimate");
    [found.vector, found.conflicts]
        .map(|cycles| cycles * 64.0 / found.share.expect("elements") as f64)
}

/// Returns the functions with our cycles and the expert's, without waits for banks in the latter:
/// an expert lays out buffers so that no source waits.
pub fn rows() -> Vec<(String, f64, f64)> {
    let row = |(name, args, calls): &(&str, &str, &str)| {
        let ([ours, _], [theirs, waits]) = (
            cycles(&of_text(&of_tiles(name, args))),
            cycles(&of_text(&text(calls))),
        );
        (format!("{name}({args})"), ours, theirs - waits)
    };
    HANDWRITTEN.iter().map(row).collect()
}

/// Prints the functions beside the sequences.
pub fn table() -> String {
    let mut out = format!(
        "{:<12} {:>8} {:>12} {:>6}  predicted cycles (V) for 64 elements of f32\n",
        "function", "ours", "handwritten", "ratio"
    );
    for (name, ours, theirs) in rows() {
        let _ = writeln!(
            out,
            "{name:<12} {ours:>8.1} {theirs:>12.1} {:>6.2}",
            ours / theirs
        );
    }
    out
}
