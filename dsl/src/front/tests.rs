//! Whole kernels through the front end, and one wrong kernel or more for each code it raises.
//!
//! In the table of mistakes `//^ J0201` stands at the end of the line that the finding must point
//! at; any missing or extra finding fails.

mod mistakes;
mod unread;

use super::parse_briefly as parse_file;
use super::*;
use crate::diag::{changed, Applicability};
use crate::ir::text::to_text;

const SWISH: &str = r#"
#[kernels]
mod activation {
    use jumar::prelude::*;
    fn swish_of(v: Tile<f32>, s: f32) -> Tile<f32> {
        v / ((v * -s).exp() + 1.0)
    }
    /// Swish.
    ///
    /// With a scale.
    #[kernel]
    pub fn swish<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
        for t in tiles(x) {
            let v = x.at(t).load().cast::<f32>();
            y.at(t).store(swish_of(v, scale).cast::<T>());
        }
    }
}
"#;

const SOFTMAX: &str = r#"
#[kernel]
pub fn softmax<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let e = (v - v.amax(d)).exp();
        y.at(r, ..).store((e / e.sum(d)).cast::<T>());
    }
}

#[jumar::kernel]
pub fn softmax_online<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let mut m = full(r, f32::NEG_INFINITY);
        let mut s = full(r, 0.0);
        for c in tiles(d) {
            let v = x.at(r, c).load().cast::<f32>();
            let m2 = m.max(v.amax(c));
            s = s * (m - m2).exp() + (v - m2).exp().sum(c);
            m = m2;
        }
        for c in tiles(d) {
            let v = x.at(r, c).load().cast::<f32>();
            y.at(r, c).store(((v - m).exp() / s).cast::<T>());
        }
    }
}
"#;

const ADD_RMS_NORM: &str = r#"
#[kernel]
#[instances((f16, f16), (bf16, bf16), (f16, f32), (f32, f32))]
pub fn add_rms_norm<T: Float, G: Float>(
    #[shape(n.., d)] x1: &GlobalTensor<T>, x2: &GlobalTensor<T>, #[shape(d)] gamma: &GlobalTensor<G>,
    y: &mut GlobalTensor<T>, #[shape(n..)] rstd: &mut GlobalTensor<f32>, x: &mut GlobalTensor<T>, #[default(1e-6)] eps: f32,
) {
    require(eps >= 0.0);
    let inv_d = 1.0 / d as f32;
    for r in tiles(n) {
        let s = (x1.at(r, ..).load().cast::<f32>() + x2.at(r, ..).load().cast::<f32>()).cast::<T>();
        x.at(r, ..).store(s);
        let v = s.cast::<f32>();
        let k = 1.0 / ((v * v).sum(d) * inv_d + eps).sqrt();
        rstd.at(r).store(k);
        y.at(r, ..).store((v * k * gamma.at(..).load().cast::<f32>()).cast::<T>());
    }
}
"#;

const ADD_QUEUE: &str = r#"
#[kernel]
#[instances(f16, f32)]
pub fn add_queue<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    let share = split(x.len()).unit(16);
    let tile_length = fit_tile(128); // largest multiple of 128 elements that UB can hold
    let bytes = tile_length * size_of::<T>();
    let mut pipe = TPipe::new();
    let (mut in_x, mut in_y) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new());
    let mut out_z = TQue::<VecOut, 1>::new();
    pipe.init_buffer(&mut in_x, 2, bytes);
    pipe.init_buffer(&mut in_y, 2, bytes);
    pipe.init_buffer(&mut out_z, 2, bytes);
    for i in 0..share.len().div_ceil(tile_length) {
        let n = tile_length.min(share.len() - i * tile_length);
        let at = share.start() + i * tile_length;
        let (x_local, y_local) = (in_x.alloc_tensor::<T>(), in_y.alloc_tensor::<T>());
        data_copy_pad(&x_local, x.slice(at, n));
        data_copy_pad(&y_local, y.slice(at, n));
        in_x.enque(x_local);
        in_y.enque(y_local);
        let (x_local, y_local) = (in_x.deque::<T>(), in_y.deque::<T>());
        let z_local = out_z.alloc_tensor::<T>();
        vec::add(&z_local, &x_local, &y_local, n);
        out_z.enque(z_local);
        in_x.free_tensor(x_local);
        in_y.free_tensor(y_local);
        let z_local = out_z.deque::<T>();
        data_copy_pad(z.slice(at, n), &z_local);
        out_z.free_tensor(z_local);
    }
}
"#;

/// Every construct of the queue level that the kernel above does not use.
const QUEUE_OPS: &str = r#"
#[kernel]
pub fn queue_ops(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, limit: f32) {
    let share = split(x.len()).unit(8).block_dim(4);
    const N: usize = 2048;
    let mut pipe = TPipe::new();
    let mut in_x: TQue<VecIn, 1> = TQue::new();
    let mut out_y = TQue::<VecOut, 1>::new();
    let (mut work, mut bits) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 1, N * 4);
    pipe.init_buffer(&mut out_y, 1, N * size_of::<f32>());
    pipe.init_buffer(&mut work, 1, 4096);
    pipe.init_buffer(&mut bits, 1, N / 8);
    if share.len() > 0 {
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy(&x_local, x.slice(share.start(), N));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        let (tmp, mask) = (work.get::<f32>(), bits.get::<u8>());
        let y_local = out_y.alloc_tensor::<f32>();
        vec::gts(&mask, &x_local, limit, N);
        vec::selects(&y_local, &mask, &x_local, 0, N);
        vec::select(&y_local, &mask, &x_local, &y_local, N);
        vec::reduce_sum(&tmp, &x_local, &tmp.at(512), N);
        let s = tmp.get_value(0);
        tmp.set_value(1, s);
        vec::muls(&y_local, &y_local, s, N);
        vec::cast(&y_local, &x_local, RoundMode::Rint, N);
        vec::duplicate(&tmp, 1.0, 64);
        vec::brcb(&tmp.at(64), &tmp, 8);
        vec::local_copy(&y_local, &x_local, N);
        in_x.free_tensor(x_local);
        out_y.enque(y_local);
        let y_local = out_y.deque::<f32>();
        data_copy(y.slice(share.start(), N), &y_local);
        out_y.free_tensor(y_local);
    }
}
"#;

/// Tile-level constructs that the kernels above do not use.
const TILE_OPS: &str = r#"
#[kernels]
mod ops {
    const HALF: f32 = 1.0 / 2.0;
    const STEPS: usize = 2 + N;
    const N: usize = 1;

    fn clamp<T: Number>(v: Tile<T>, low: i32, high: i32) -> Tile<T> {
        let v = v.max(low);
        v.min(high)
    }
    fn twice(v: Tile<f32>) -> Tile<f32> {
        let mut w = v;
        w += v;
        w
    }

    #[kernel]
    #[chips(ascend910b)]
    pub fn ops<T: Number>(
        #[shape(n.., d)] x: &GlobalTensor<T>, #[shape(n..)] c: &GlobalTensor<T>,
        #[inplace] y: &mut GlobalTensor<T>, k: i32, #[default(true)] flag: bool, #[default(4)] tile_rows: usize,
    ) {
        require(d % 16 == 0);
        require(k > 0 || !flag);
        const BUFFERS: usize = 2;
        let rows = tile_rows.max(1);
        for r in tiles(n).size(rows).buffer_num(BUFFERS).block_dim(8).exact() {
            let (a, b) = (x.at(r, ..).load(), y.at(r, ..).load());
            let f = a.cast::<f32>();
            let scale = if flag { k as f32 } else { HALF };
            let mut acc: Tile<f32> = full((r, d), 0.0);
            for i in 0..STEPS {
                if i % 2 == 0 {
                    acc += twice(f) * scale - i;
                } else if k > 3 {
                    acc -= 1.0 - f;
                } else {
                    acc = -acc;
                }
            }
            let kept = acc.gt(0.0).select(acc, 1);
            let whole = kept.cast_with::<i32>(RoundMode::Floor).cast::<T>();
            let per_row = c.at(r).load() + clamp(a, 0, k);
            y.at(r, ..).store(clamp(whole + b, 1, 2 * k) + per_row);
        }
    }
}
"#;

fn clean(text: &str) -> Vec<Kernel> {
    let parsed = parse_file(text).unwrap();
    assert!(!parsed.is_empty());
    let mut kernels = Vec::new();
    for p in parsed {
        assert!(
            p.tokens.is_empty(),
            "tokens outlive their thread-local spans"
        );
        assert!(
            p.diagnostics.is_empty(),
            "{}: {:#?}\n{:?}",
            p.name,
            p.diagnostics,
            p.spans
        );
        let kernel = p.kernel.unwrap();
        let printed = to_text(&kernel);
        let read = Kernel::parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
        assert_eq!(read, kernel, "{printed}");
        kernels.push(kernel);
    }
    kernels
}

#[test]
fn kernels_of_the_language_page_are_clean_and_survive_the_text_form() {
    for text in [SWISH, SOFTMAX, ADD_RMS_NORM, ADD_QUEUE, QUEUE_OPS, TILE_OPS] {
        clean(text);
    }
}

/// Returns code and line of each finding that the comments of `text` announce.
fn announced(text: &str) -> Vec<(u32, String)> {
    let mut out = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some((_, codes)) = line.split_once("//^") {
            out.extend(
                codes
                    .split_whitespace()
                    .map(|c| (i as u32 + 1, c.to_string())),
            );
        }
    }
    out
}

/// Returns the findings of a file as code and line, sorted.
fn found(parsed: &[Parsed]) -> Vec<(u32, String)> {
    let mut out: Vec<_> = parsed
        .iter()
        .flat_map(|p| {
            p.diagnostics
                .iter()
                .map(|d| (p.spans[d.span().index()].line, d.code.to_string()))
        })
        .collect();
    out.sort();
    out
}

fn check_mistake(text: &str) {
    let mut parsed = parse_file(text).unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message));
    for p in &mut parsed {
        if let Some(kernel) = p.kernel.take() {
            p.diagnostics = crate::check::check(&kernel, crate::soc::Chip::default_chip())
                .err()
                .unwrap_or_default();
        }
    }
    let messages: Vec<_> = parsed
        .iter()
        .flat_map(|p| &p.diagnostics)
        .map(|d| (&d.message, &d.help))
        .collect();
    assert_eq!(found(&parsed), announced(text), "{messages:#?}\n{text}");
    for p in &parsed {
        for d in &p.diagnostics {
            check_words(d);
            check_fix(text, p, d);
        }
    }
}

/// Checks the style of a message: lower case, no final stop. Nearly all errors say what to do.
fn check_words(d: &Diagnostic) {
    assert!(
        d.message
            .starts_with(|c: char| c.is_lowercase() || c == '`' || c.is_ascii_digit()),
        "{}",
        d.message
    );
    assert!(
        !d.message.ends_with('.') && !d.message.contains("Some("),
        "{}",
        d.message
    );
    assert!(
        !d.message.contains("``"),
        "something without a name: {}",
        d.message
    );
}

/// Checks that a fix removes the finding and leaves a file that is Rust.
fn check_fix(text: &str, p: &Parsed, d: &Diagnostic) {
    let Some(fix) = &d.fix else { return };
    let changes = fix
        .resolve(text, &p.spans)
        .unwrap_or_else(|| panic!("the fix of `{}` has no place\n{text}", d.message));
    if fix.applicability == Applicability::HasPlaceholders {
        assert!(
            changes.iter().any(|c| c.replacement.contains('<')),
            "nothing to fill in: {}",
            d.message
        );
        return;
    }
    let fixed = changed(text, &changes);
    let again = parse_file(&fixed).unwrap_or_else(|(e, _)| panic!("{}\n{fixed}", e.message));
    let same = again
        .iter()
        .flat_map(|p| &p.diagnostics)
        .any(|x| x.code == d.code && x.message == d.message);
    assert!(
        !same,
        "the fix of `{}` does not remove it:\n{fixed}",
        d.message
    );
}

fn flat(statements: &str) -> String {
    format!(
        "#[kernel]\nfn k<T: Float>(x: &GlobalTensor<T>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32, n: usize, flag: bool) {{\n\
         for t in tiles(x) {{\nlet h = x.at(t).load();\nlet v = h.cast::<f32>();\nlet w = w.at(t).load();\ny.at(t).store(v);\n{statements}\n}}\n}}"
    )
}

fn rows(statements: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] gamma: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>,\n\
         #[shape(n..)] z: &mut GlobalTensor<f32>) {{\nfor r in tiles(n) {{\nlet v = x.at(r, ..).load();\nlet k = v.amax(d);\n\
         let g = gamma.at(..).load();\ny.at(r, ..).store(v - k + g);\nz.at(r).store(k);\n{statements}\n}}\n}}"
    )
}

fn loops(statements: &str) -> String {
    format!("#[kernel]\nfn k(#[shape(b, n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\n{statements}\n}}")
}

fn queue(statements: &str) -> String {
    format!(
        "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\nlet n = fit_tile(64);\nlet mut pipe = TPipe::new();\n\
         let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());\nlet mut buf = TBuf::<VecCalc>::new();\n\
         pipe.init_buffer(&mut in_x, 1, n * 4);\npipe.init_buffer(&mut out_y, 1, n * 4);\npipe.init_buffer(&mut buf, 1, n);\n\
         let (a, b) = (in_x.alloc_tensor::<f32>(), out_y.alloc_tensor::<f32>());\nlet (bits, h) = (buf.get::<u8>(), buf.get::<f16>());\n\
         data_copy_pad(y.slice(0, n), &b);\n{statements}\n}}"
    )
}

fn enums(statements: &str) -> String {
    format!(
        "#[kernels]\nmod m {{\nenum Mode {{ One, Two, Three }}\nenum Side {{ Left, Right }}\n\
         fn turned(v: Tile<f32>, mode: Mode) -> Tile<f32> {{ match mode {{ Mode::One => -v, _ => v }} }}\n\
         #[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, mode: Mode, side: Side) {{\nfor t in tiles(n) {{\n\
         let v = x.at(t).load();\ny.at(t).store(turned(v, mode));\n{statements}\n}}\n}}\n}}"
    )
}

/// Builds a module with an enum and, behind `|`, parameters of its type.
fn enum_file(parts: &str) -> String {
    let (item, params) = parts.split_once('|').expect("an enum and parameters");
    format!(
        "#[kernels]\nmod m {{\n{item}#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,\n{params}\n) {{\n\
         for t in tiles(n) {{ y.at(t).store(x.at(t).load()); }}\n}}\n}}"
    )
}

fn lists(statements: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n + pads[0] + pads[1], d)] y: &mut GlobalTensor<f32>, pads: [usize; 2],\n\
         #[default([1.0, -2.0, 3.0])] scale: [f32; 3], s: f32, k: usize) {{\nlet [low, _] = pads;\nlet m = new_axis(n + low + pads[1]);\nlet w = y.view((m, d));\n\
         for (r, t) in tiles((m, d)) {{\nlet v = x.at(r - low, t).load_or(scale[0]) * scale[1] + scale[2];\nw.at(r, t).store(v);\n{statements}\n}}\n}}"
    )
}

fn items(text: &str) -> String {
    let (params, body) = text.split_once('|').expect("parameters and a body");
    format!("#[kernel]\npub fn k(\n{params}\n) {{\n{body}\n}}\n")
}

fn list_file(params: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>,\n{params}\n) {{\n\
         for t in tiles(n) {{ y.at(t).store(x.at(t).load()); }}\n}}"
    )
}

#[test]
fn each_mistake_is_found_once_at_its_line() {
    mistakes::LISTS
        .iter()
        .for_each(|s| check_mistake(&lists(s)));
    mistakes::ITEMS
        .iter()
        .for_each(|s| check_mistake(&items(s)));
    mistakes::LIST_FILES
        .iter()
        .for_each(|s| check_mistake(&list_file(s)));
    mistakes::ENUMS
        .iter()
        .for_each(|s| check_mistake(&enums(s)));
    mistakes::ENUM_FILES
        .iter()
        .for_each(|s| check_mistake(&enum_file(s)));
    mistakes::FLAT.iter().for_each(|s| check_mistake(&flat(s)));
    mistakes::ROWS.iter().for_each(|s| check_mistake(&rows(s)));
    mistakes::LOOPS
        .iter()
        .for_each(|s| check_mistake(&loops(s)));
    mistakes::QUEUE
        .iter()
        .for_each(|s| check_mistake(&queue(s)));
    mistakes::FILES.iter().for_each(|s| check_mistake(s));
    for text in [
        flat(""),
        rows(""),
        queue(""),
        enums(""),
        lists(""),
        enum_file("enum Mode { One, Two }\n|#[default(Mode::Two)] mode: Mode"),
    ] {
        clean(&text);
    }
}

#[test]
fn every_code_of_the_front_end_has_a_mistake() {
    let all: String = [
        mistakes::FLAT,
        mistakes::ROWS,
        mistakes::LOOPS,
        mistakes::QUEUE,
        mistakes::FILES,
    ]
    .concat()
    .concat();
    let elsewhere = ["J0100", "J0203", "J0204", "J0205", "J0216", "J0219"];
    for code in Code::ALL
        .iter()
        .map(|c| c.as_str())
        .filter(|c| c.starts_with("J01") || c.starts_with("J02"))
    {
        assert!(
            elsewhere.contains(&code) || all.contains(&format!("//^ {code}")),
            "{code} has no mistake"
        );
    }
}

#[test]
fn text_that_is_not_rust_is_one_finding_at_its_place() {
    let place = |text: &str| {
        let (d, spans) = parse_file(text).unwrap_err();
        assert_eq!(d.code, Code::J0100);
        check_words(&d);
        (spans[0].line, spans[0].column, d.message)
    };
    assert_eq!(place("fn f() {\n  let = 1;\n}").0, 2);
    assert_eq!(
        place("fn f() {\n  g(1;\n}"),
        (2, 4, "this bracket is never closed".to_string())
    );
    assert_eq!(place("fn f() {\n  let x = \"abc;\n}").0, 2);
    assert_eq!(
        place("fn f() {}\n}"),
        (2, 1, "this bracket closes nothing".to_string())
    );
    assert_eq!(
        place(&format!(
            "fn f() {{ {}1{} }}",
            "(".repeat(500),
            ")".repeat(500)
        ))
        .0,
        1
    );
    assert_eq!(
        place(&format!("fn f() {{ let x = {}1; }}", "-".repeat(500))).0,
        1
    );
    assert_eq!(place("fn f() {}\n#[kernel]").0, 2);
    let long = "1".repeat(1_000_000);
    assert_eq!(place(&format!("fn f() {{\nlet x = 0x{long}; }}")).0, 2);
    assert_eq!(place(&format!("fn f() {{\nlet x{long} = 1; }}")).0, 2);
    let kernel = SOFTMAX.trim_start();
    for text in [
        format!("\u{feff}{kernel}"),
        format!("#!/usr/bin/env run\n{kernel}"),
        format!("#![allow(unused)]\n{kernel}"),
    ] {
        clean(&text);
    }
    assert!(parse_file("// ((((( \" ' ]]\n/* { */ const S: &str = \"(((\\\"\"; const C: char = '\"'; fn f<'a>() {}").is_ok());
}

#[test]
fn kernels_are_found_in_modules_and_other_items_are_not_read() {
    let text = format!(
        "//! A file.\nuse jumar::prelude::*;\nfn main() {{ println!(\"no kernel\"); }}\nmod inner {{ mod deep {{ {SOFTMAX} }} }}\n\
         #[cfg(test)] mod tests {{ #[test] fn works() {{ assert!(true); }} }}\n{SWISH}\n#[derive(Debug)] struct S;"
    );
    let names: Vec<_> = clean(&text).into_iter().map(|k| k.sig.name).collect();
    assert_eq!(names, ["softmax", "softmax_online", "swish"]);
}

#[test]
fn signature_tells_what_callers_see() {
    let swish = clean(SWISH).remove(0);
    assert_eq!(swish.sig.doc, "Swish.\n\nWith a scale.");
    assert_eq!(swish.sig.instances.len(), 3);
    assert_eq!(
        swish.sig.axes,
        [crate::ir::Axis {
            name: "x_shape".into(),
            many: true
        }]
    );
    let norm = clean(ADD_RMS_NORM).remove(0);
    assert_eq!(norm.sig.instances.len(), 4);
    assert_eq!(norm.sig.facts[0].text, "eps >= 0.0");
    let ops = clean(TILE_OPS).remove(0);
    assert_eq!(ops.chips, ["ascend910b"]);
    assert_eq!(ops.sig.facts[1].text, "k > 0 || !flag");
    let span = swish.spans[swish.sig.params[0].span.index()];
    assert_eq!((span.line, span.column, span.end_column), (12, 28, 29));
}

#[test]
fn dtypes_are_said_by_what_is_always_given_or_by_all_that_may_be_left_out() {
    let text = "#[kernel] #[instances((f16, f32, f16), (f16, f16, f32), (f32, f16, f16), (f32, f32, f32))]
        fn k<T: Float, W: Float, U: Float>(#[shape(n)] u: Option<&GlobalTensor<U>>, #[shape(n)] y: &mut GlobalTensor<U>, #[shape(n)] w: Option<&GlobalTensor<W>>,
            #[shape(n)] x: &GlobalTensor<T>, #[shape(n)] z: Option<&mut GlobalTensor<W>>) {
            for t in tiles(n) {
                let v = x.at(t).load().cast::<f32>() * w.or_full(1.0).at(t).load().cast::<f32>() * u.or_full(1.0).at(t).load().cast::<f32>();
                y.at(t).store(v.cast::<U>());
                if let Some(z) = z { z.at(t).store(v.cast::<W>()); }
            } }";
    let sig = clean(text).remove(0).sig;
    let names = |param| {
        sig.tensors_that_say(param)
            .iter()
            .map(|id| sig.param(*id).name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        [names(0), names(1), names(2)],
        [vec!["x"], vec!["w", "z"], vec!["y"]]
    );
    for (given, apart) in [
        ("xy", vec![0, 1, 2, 3]),
        ("xw", vec![0, 1, 2, 3]),
        ("x", vec![0, 2]),
        ("y", vec![0, 1]),
        ("z", vec![0, 1]),
        ("", vec![0]),
    ] {
        assert_eq!(
            sig.told_apart(0..4, |id| given.contains(&sig.param(id).name)),
            apart,
            "{given}"
        );
    }
    assert_eq!(sig.told_apart(2..4, |_| false), [2]);
}

#[test]
fn half_written_names_of_an_editor_are_met_with_silence() {
    for statement in [
        "let u = v.__ra_fixup;",
        "let u = v.__ra_fixup();",
        "let u = __ra_fixup;",
        "let u: Tile<__ra_fixup> = v;",
        "let u = vec::__ra_fixup();",
    ] {
        let parsed = parse_file(&flat(statement)).unwrap();
        let messages: Vec<_> = parsed[0]
            .diagnostics
            .iter()
            .filter(|d| d.code != Code::J0108)
            .map(|d| &d.message)
            .collect();
        assert!(messages.is_empty(), "{statement}: {messages:?}");
    }
}

#[test]
fn nesting_is_followed_to_a_depth_that_survives_the_text_form() {
    let sums = |n: usize| flat(&format!("let u = {}n;", "n + ".repeat(n)));
    clean(&sums(80));
    let deep = parse_file(&sums(100)).unwrap();
    assert_eq!(found(&deep), [(8, "J0101".to_string())]);
    let ifs = |n: usize| {
        flat(&format!(
            "{} let u = {}n; {}",
            "if flag { ".repeat(n),
            "n + ".repeat(80),
            "}".repeat(n)
        ))
    };
    clean(&ifs(23));
    assert_eq!(
        found(&parse_file(&ifs(30)).unwrap()),
        [(8, "J0101".to_string())]
    );
    // A block does not stand inside the head before it, for any length of the head.
    let head = format!("if n{} > 0 {{ ", ".min(n)".repeat(20));
    clean(&flat(&format!(
        "{} let u = n; {}",
        head.repeat(10),
        "}".repeat(10)
    )));
    let chain = flat(&format!("{} {{}}", "if flag {} else ".repeat(30)));
    assert_eq!(
        found(&parse_file(&chain).unwrap()),
        [(8, "J0101".to_string())]
    );
    // Each helper doubles its argument's text: 2^30 if arguments and results were not named.
    let helpers: String = (0..30)
        .map(|i| {
            format!(
                "fn h{}(s: f32) -> f32 {{ h{i}(s * s) + h{i}(s + 1.0) }}",
                i + 1
            )
        })
        .collect();
    let many = format!(
        "#[kernels] mod m {{ fn h0(s: f32) -> f32 {{ s }} {helpers} #[kernel] fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32) {{ \
         for t in tiles(x) {{ y.at(t).store(x.at(t).load() * h30(s)); }} }} }}"
    );
    let codes: Vec<_> = parse_file(&many).unwrap()[0]
        .diagnostics
        .iter()
        .map(|d| d.code)
        .collect();
    assert!(
        !codes.is_empty() && codes.iter().all(|c| *c == Code::J0107),
        "{codes:?}"
    );
    clean(&many.replace("h30(s)", "h7(s)"));
}

/// Returns codes and messages of the check for the first chip.
fn checked(text: &str) -> Vec<(Code, String, Vec<String>)> {
    let kernel = clean(text).remove(0);
    let found = match crate::check::check(&kernel, &crate::soc::Chip::all()[0]) {
        Ok(checked) => checked.warnings().to_vec(),
        Err(found) => found,
    };
    found
        .into_iter()
        .map(|d| (d.code, d.message, d.notes))
        .collect()
}

#[test]
fn numbers_that_an_element_type_does_not_hold_are_refused_for_its_instance() {
    let flat = |bound: &str, value: &str| {
        let text = format!(
            "#[kernel] #[instances({bound})] fn k<T: Number>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {{\n\
             for t in tiles(x) {{ let v = x.at(t).load(); y.at(t).store({value}); }} }}"
        );
        checked(&text.replace(
            "Number",
            if value == "v + 70000" {
                "Number"
            } else {
                "Float"
            },
        ))
    };
    let message = |bound: &str, value: &str| {
        flat(bound, value)
            .iter()
            .map(|f| f.1.clone())
            .collect::<Vec<_>>()
            .join("; ")
    };
    let largest = "`70000.0` becomes infinite as an element of f16, whose largest is 65504.0";
    assert_eq!(message("f16", "v + 70000.0"), largest);
    assert_eq!(message("f16", "v + 70000"), largest);
    assert_eq!(message("f16", "v * (35000.0 * 2.0)"), largest);
    assert_eq!(message("f16", "v.gt(70000.0).select(v, 0.0)"), largest);
    assert_eq!(message("f16", "full::<T>(t, 70000.0)"), largest);
    assert_eq!(
        message("f16", "v.max(f32::MIN)"),
        "`-3.4028235e38` becomes infinite as an element of f16, whose least is -65504.0"
    );
    let zero =
        "`1e-9` becomes 0 as an element of f16, whose smallest positive number is 5.9604645e-8";
    assert_eq!(message("f16", "v / 1e-9"), zero);
    for right in [
        "v + 65504.0",
        "v.max(f32::NEG_INFINITY)",
        "v.min(f32::INFINITY)",
        "v / 6e-8",
        "v * 0.0",
        "v * -0.0",
    ] {
        assert_eq!(message("f16", right), "", "{right}");
    }
    assert_eq!(message("f32", "v + 70000.0"), "");
    // Only one instance of two has the finding: the note names it.
    assert_eq!(flat("f16, f32", "v + 70000.0")[0].2, ["for `T` = f16"]);
    let queue_level = [
        "vec::adds(&h, &h, 70000.0, n);",
        "vec::duplicate(&h, 70000.0, n);",
        "h.set_value(0, 70000.0);",
        "vec::gts(&bits, &h, 70000.0, n);",
    ];
    for statement in queue_level {
        let found = checked(&queue(statement));
        assert!(
            found.iter().any(|f| f.0 == Code::J0208 && f.1 == largest),
            "{statement} {found:?}"
        );
    }
}

#[test]
fn what_is_written_instead_of_an_op_that_is_not_offered_is_a_right_kernel() {
    for (names, how) in super::text::suggest::ABSENT {
        let Some(formula) = how.split('`').nth(1) else {
            continue;
        };
        if formula.contains("(d)") {
            clean(&rows(&format!("let eps = 1e-5; let u = {formula};")));
        } else {
            let text = flat(&format!(
                "let (p, a, b, low, high) = (s, s, s, s, s); let u = {formula}; y.at(t).store(u);"
            ));
            let found = checked(&text);
            assert!(
                found.iter().all(|f| f.0.as_str().starts_with("J09")),
                "{names:?} {found:?}"
            );
        }
    }
}

#[test]
fn a_bad_parameter_is_one_finding_whatever_is_done_with_it() {
    let types = [
        "p: &[GlobalTensor<f64>]",
        "p: Vec<f32>",
        "p: GlobalTensor<f32>",
        "p: f64",
        "p: &f32",
        "p: Option<f32>",
        "p: [f64; 4]",
        "p: [f32; 0]",
        "p: (f32, f32)",
        "p: &GlobalTensor",
        "p: &GlobalTensor<f64>",
        "p: &Tile<f32>",
        "p: &str",
        "p: impl Fn(f32) -> f32",
        "p: *const f32",
        "p: &GlobalTensor<Missing>",
        "p: &mut [f32]",
        "#[shape(n, d)] p: &[f64]",
        "#[default(1.0)] p: f64",
        "#[inplace] p: &mut [f32]",
        "(p, q): (f32, f32)",
        "[p, q]: [f32; 2]",
    ];
    let uses = [
        "",
        "let u = p[0];",
        "let u = p.0;",
        "let u = p.name;",
        "let u = p[0].at(t).load() + p[1].at(t).load();",
        "let u = p.at(t).load();",
        "for i in 0..p.len() { let u = p[i].at(t).load(); }",
        "for q in p { let u = q.at(t).load(); }",
        "for q in p.iter() { let u = q; }",
        "let u = *p; let w = v * *p;",
        "let u = p?; let w = -p + !p;",
        "let u = v * p; let w = v.max(p);",
        "p.at(t).store(v);",
        "p[0].at(t).store(v);",
        "if p { }",
        "if p > 1.0 { y.at(t).store(v); }",
        "if let Some(q) = p { let u = v * q; }",
        "let u = p.map(|q| q * 2.0); let w = v * u;",
        "let u = p(1.0); let w = v * u;",
        "let (a, b) = p; let u = v * a * b;",
        "let Some(q) = p else { return; }; let u = v * q;",
        "let u = &p; let w = &mut p; let z = &p[0];",
        "p = 1.0; p += 1.0; p[0] = 1.0;",
        "let u = p as f32; let w = v * u;",
        "let u = helper(p);",
        "let u = p..3;",
        "let u = (p, p); let w = [p, p];",
        "let u = v.cast_with::<i32>(p);",
        "let u = if flag { p } else { 1.0 };",
        "let u = full(t, p); y.at(t).store(u);",
        "let u: f32 = p; let w: Tile<f32> = p;",
        "match p { Some(q) => { let u = q; } None => {} }",
        "let u = match p { _ => 1.0 };",
    ];
    for ty in types {
        for used in uses {
            let text = format!(
                "#[kernels] mod m {{ fn helper(v: f32) -> f32 {{ v }}\n#[kernel]\n\
                 fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool, {ty}) {{\n\
                 for t in tiles(x) {{ let v = x.at(t).load(); y.at(t).store(v);\n{used} }} }} }}"
            );
            let messages: Vec<_> = parse_file(&text).unwrap()[0]
                .diagnostics
                .iter()
                .map(|d| d.message.clone())
                .collect();
            assert_eq!(messages.len(), 1, "{ty}: {used}\n{messages:#?}");
        }
    }
}

#[test]
fn facts_that_no_launch_can_meet_are_an_error_and_others_are_not() {
    let with = |facts: &str| {
        let text = format!(
            "#[kernel]\nfn k(#[shape(n, m, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize, i: i32, s: f32, b: bool) {{\n\
             {facts}\nfor t in tiles(x) {{ y.at(t).store(x.at(t).load()); }} }}"
        );
        parse_file(&text).unwrap().remove(0).diagnostics
    };
    let impossible = [
        "require(false);",
        "require(d < 4); require(d > 8);",
        "require(d < 4 && d > 8);",
        "require(d % 2 == 1 && d == 4);",
        "require(d % 4 == 0); require(d % 6 == 3);",
        "require(d % 16 == 0 && d > 0 && d < 16);",
        "require(d % 16 == 16);",
        "require(n < m); require(m < n);",
        "require(n + m < 0);",
        "require(2 * d == 7);",
        "require(i > 2147483647);",
        "require(s > 1.0 && s <= 0.5);",
        "require(s == 1.0); require(s != 1.0);",
        "require(b); require(!b);",
        "require(d < 4 || d > 8); require(d == 6);",
        "require(!(d < 4)); require(!(d > 2));",
        "require(n == 3 && m == 3); require(n + m == 7);",
        "require(k >= 4 && k <= 6 && k != 4 && k != 5 && k != 6);",
        "require(4 > d); require(8 < d);",
    ];
    for facts in impossible {
        let found = with(facts);
        assert!(
            found.len() == 1 && found[0].code == Code::J0604,
            "{facts} {found:?}"
        );
        check_words(&found[0]);
    }
    let possible = [
        "require(true);",
        "require(d > 4); require(d < 8);",
        "require(d > 4 && d < 6);",
        "require(d % 2 == 1 && d == 5);",
        "require(d % 4 == 1); require(d % 6 == 3);",
        "require(d % 16 == 0 && d > 0 && d <= 16);",
        "require(n <= m); require(m <= n);",
        "require(i < 0); require(i % 2 == 0); require(i > -3);",
        "require(!(s < 0.0)); require(!(s >= 0.0));",
        "require(s >= 0.0 && s <= -0.0);",
        "require(s != 1.0);",
        "require(b || !b);",
        "require(n - m == 1); require(n / 2 == 3); require(n * m == 30);",
        "require(k != 0); require(k <= 1);",
        "require(d == 0);",
    ];
    for facts in possible {
        assert!(with(facts).is_empty(), "{facts} {:?}", with(facts));
    }
    let message = |facts: &str| (with(facts)[0].message.clone(), with(facts)[0].labels.len());
    let text = "no launch can meet `require(d > 8)` after `require(d < 4)`";
    assert_eq!(
        message("require(n > 1); require(d < 4); require(d < 5); require(d > 8); require(d > 9);"),
        (text.to_string(), 2)
    );
    let many: String = (0..20_000).map(|n| format!("require(n > {n});")).collect();
    assert_eq!(
        message(&format!("{many} require(n < 7);")).0,
        "no launch can meet `require(n < 7)`"
    );
}

#[test]
fn an_output_that_every_path_writes_is_written() {
    let with = |facts: &str, statements: &str| {
        clean(&format!(
            "#[kernel]\nfn k(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[inplace] z: &mut GlobalTensor<f32>, c: bool, k: usize) {{\n\
             const ON: bool = true; {facts} for r in tiles(n) {{ {statements} }} }}"
        ));
    };
    let tile = "let v = x.at(r, ..).load(); if c { z.at(r, ..).store(v); }";
    with(
        "",
        &format!("{tile} if c {{ y.at(r, ..).store(v); }} else {{ y.at(r, ..).store(v * 2.0); }}"),
    );
    with(
        "",
        &format!("{tile} if c {{ }} else if k > 1 {{ }} y.at(r, ..).store(v);"),
    );
    with(
        "",
        &format!("{tile} for i in 0..3 {{ y.at(r, ..).store(v); }}"),
    );
    with(
        "",
        &format!(
            "{tile} for i in 0..3 {{ if i > 0 {{ y.at(r, ..).store(v); }} }} y.at(r, ..).store(v);"
        ),
    );
    with(
        "require(k > 0);",
        &format!("{tile} for i in 0..k {{ y.at(r, ..).store(v); }}"),
    );
    with(
        "require(k > 4);",
        &format!("{tile} if k > 2 {{ y.at(r, ..).store(v); }}"),
    );
    with("", &format!("{tile} if ON {{ y.at(r, ..).store(v); }}"));
    with("", "for q in tiles(d) { let v = x.at(r, q).load(); z.at(r, q).store(v); y.at(r, q).store(v); }");
}

#[test]
fn lists_without_measure_are_refused_at_once() {
    let list = |n: usize, entry: &dyn Fn(usize) -> String| {
        (0..n).map(entry).collect::<Vec<_>>().join(", ")
    };
    let kernel = |before: &str, generics: &str, shape: &str, params: &str, body: &str| {
        format!(
            "#[kernel]\n{before}fn k{generics}({shape}x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, {params}) {{\n\
             for t in tiles(x) {{ y.at(t).store(x.at(t).load()); }} {body} }}"
        )
    };
    let axes = |n: usize| format!("#[shape({})] ", list(n, &|i| format!("a{i}")));
    let generics = |n: usize| format!("<{}>", list(n, &|i| format!("T{i}: Int")));
    let attributes = |n: usize| list(n, &|i| format!("p{i}: f32"));
    let refused = [
        (kernel("", "", "", &attributes(20_000), ""), Code::J0104),
        (kernel("", &generics(20_000), "", "", ""), Code::J0104),
        (kernel("", "", &axes(20_000), "", ""), Code::J0105),
        (
            kernel(
                &format!("#[instances({})]", list(3_000, &|_| "f32".to_string())),
                "<T: Float>",
                "",
                "",
                "",
            ),
            Code::J0212,
        ),
        (
            kernel(
                "",
                "",
                "",
                "",
                &list(3_000, &|i| format!("let u{i} = w{i}; ")).replace(',', ""),
            ),
            Code::J0102,
        ),
    ];
    for (text, code) in &refused {
        assert_eq!(parse_file(text).unwrap()[0].diagnostics[0].code, *code);
    }
    clean(&kernel("", "", &axes(25), &attributes(200), ""));
    clean(&kernel("", &generics(8), "", "", ""));
}

#[test]
fn names_that_double_the_name_before_are_read_and_checked_at_once() {
    let lets = |first: &str, step: &str| {
        let chain: String = (1..=60)
            .map(|i| format!("let q{i} = {};", step.replace('q', &format!("q{}", i - 1))))
            .collect();
        format!("let q0 = {first}; {chain}")
    };
    let consts: String = (1..=60)
        .map(|i| format!("const Q{i}: f32 = Q{} * Q{0};", i - 1))
        .collect();
    let copies = "let n = (x.len() - i * 64).min(64).min(q60); data_copy_pad(&a, x.slice(i * 64, n)); vec::add(&b, &a, &a, q60);";
    let mut texts = vec![
        flat(&format!("{} y.at(t).store(v * q60);", lets("s", "q + q"))),
        flat(&format!("{} y.at(t).store(v * q60);", lets("t.len()", "q * q"))),
        format!(
            "#[kernels] mod m {{ const Q0: f32 = 1.0; {consts} #[kernel] fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) \
             {{ for t in tiles(x) {{ y.at(t).store(x.at(t).load() * Q60); }} }} }}"
        ),
    ];
    for step in ["q + q", "q.max(1) * q", "q.min(q + 1)"] {
        texts.push(queue(&format!(
            "{} for i in 0..2 {{ {copies} }}",
            lets("x.len()", step)
        )));
        // Sizes of buffers as well, which the host solves for.
        let sized = format!("let n = fit_tile(64); {}", lets("n", step));
        texts.push(
            queue("")
                .replace("let n = fit_tile(64);", &sized)
                .replace("n * 4", "q60"),
        );
    }
    for text in &texts {
        let kernel = clean(text).remove(0);
        // The findings do not matter here; the check must end in reasonable time.
        let _ = crate::check::check(&kernel, &crate::soc::Chip::all()[0]);
    }
}

#[test]
fn the_macro_path_reads_the_same_and_keeps_tokens() {
    let file = syn::parse_file(SOFTMAX).unwrap();
    let Some(Item::Fn(f)) = file.items.first() else {
        panic!()
    };
    let parsed = parse_fn(TokenStream::new(), f);
    assert_eq!(parsed.tokens.len(), parsed.spans.len());
    assert_eq!(parsed.kernel, Some(clean(SOFTMAX).remove(0)));
}

#[test]
fn a_let_mut_never_changes_another_name() {
    let sets = |statements: &str| {
        let kernel = clean(&flat(statements)).remove(0);
        let mut names = Vec::new();
        let body = kernel.tiles().expect("a tile kernel");
        body.walk(&mut |s| {
            if let crate::ir::StmtKind::Do(crate::ir::TileStmt::Set { value, .. }) = s.kind {
                names.push(body.values[value.index()].name.clone());
            }
        });
        names
    };
    // `u` is a copy of `v`, and `before` is a copy of `u` at that point.
    assert_eq!(
        sets("let mut u = v; let before = u; u = before + v; y.at(t).store(u + before);"),
        ["u"]
    );
    let kernel = clean(&flat(
        "let mut u = v; let before = u; u = before + v; y.at(t).store(u + before);",
    ))
    .remove(0);
    let body = kernel.tiles().expect("a tile kernel");
    let mutable: Vec<_> = body
        .values
        .iter()
        .filter(|v| v.mutable)
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(mutable, ["u"]);
    assert!(body.values.iter().any(|v| v.name == "before" && !v.mutable));
}

#[test]
fn no_token_missing_or_exchanged_makes_the_front_end_panic() {
    for text in [SWISH, SOFTMAX, ADD_QUEUE, TILE_OPS] {
        let mut words = Vec::new();
        flatten(text.parse().unwrap(), &mut words);
        assert!(parse_file(&words.concat()).is_ok());
        for i in 0..words.len() {
            let without = [&words[..i], &words[i + 1..]].concat();
            let _ = parse_file(&without.concat());
            let mut other = words.clone();
            other[i] = words[(i + 7) % words.len()].clone();
            let _ = parse_file(&other.concat());
        }
    }
}

/// Writes tokens as words, brackets included, with the spaces between them.
fn flatten(stream: TokenStream, out: &mut Vec<String>) {
    use proc_macro2::{Delimiter, Spacing, TokenTree};
    for t in stream {
        match t {
            TokenTree::Group(g) => {
                let (open, close) = match g.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                out.push(open.to_string());
                flatten(g.stream(), out);
                out.push(close.to_string());
            }
            TokenTree::Punct(p) if p.spacing() == Spacing::Joint => out.push(p.to_string()),
            other => out.push(format!("{other} ")),
        }
    }
}

#[test]
fn every_example_of_the_queue_level_is_what_a_kernel_may_say() {
    let mut seen = 0;
    for def in crate::ops::Op::all().filter(|def| def.example.starts_with("vec::")) {
        let text = format!(
            "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, n: usize, r: usize) {{\nlet mut pipe = TPipe::new();\n\
             let mut q = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut q, 1, 4096);\n\
             let (x, y, z, a, work) = (q.get::<f32>(), q.get::<f32>(), q.get::<f32>(), q.get::<f32>(), q.get::<f32>());\n\
             let (m, k, column, blocks, offsets) = (q.get::<u8>(), q.get::<u8>(), q.get::<f32>(), q.get::<f32>(), q.get::<i32>());\n\
             let (at, places) = (q.get::<i32>(), q.get::<i32>());\n\
             let (b, c, d, pairs) = (q.get::<f32>(), q.get::<f32>(), q.get::<f32>(), q.get::<f32>());\n{}\n}}",
            def.example
        );
        let parsed = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}", d.message))
            .remove(0);
        // A kernel without a store has another finding.
        let said: Vec<_> = parsed
            .diagnostics
            .iter()
            .filter(|d| d.code != Code::J0210)
            .map(|d| d.message.as_str())
            .collect();
        assert!(said.is_empty(), "{}: {said:?}", def.example);
        seen += 1;
    }
    assert!(seen > 20, "{seen} examples");
}

#[test]
fn extents_and_strides_under_names_are_those_of_the_place_where_they_were_named() {
    let kernel = |named: &str, call: &str| {
        let text = format!(
            "#[kernel]\nfn k(#[shape(4096)] x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32>, r: usize) {{\nlet mut pipe = TPipe::new();\n\
             let mut q = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut q, 1, 4096); let z = q.get::<f32>();\n\
             let mut k = 3;\n{named}\nk = 5;\n{call}\ndata_copy(y.slice(0, 8), &z);\n}}"
        );
        let parsed = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}", d.message))
            .remove(0);
        let said: Vec<_> = parsed
            .diagnostics
            .iter()
            .map(|d| d.message.as_str())
            .collect();
        crate::ir::text::to_text(&parsed.kernel.unwrap_or_else(|| panic!("{said:?}\n{text}")))
    };
    for (value, call) in [
        ("lanes(k * 2).repeats(k)", "vec::abs(&z, &z, E);"),
        (
            "lanes(k..8).of(8).groups(k).repeats(k)",
            "vec::abs(&z, &z, E);",
        ),
        ("counter(k * 2)", "vec::abs(&z, &z, E);"),
        ("z.blocks(k, k * 2)", "vec::abs(&z, &E, counter(64));"),
        (
            "z.at(k * 8).results(k)",
            "vec::whole_reduce_sum(&E, &z, lanes(8).repeats(1));",
        ),
    ] {
        // Numbers that a later assignment does not reach: variables of their own, set before it.
        let text = kernel(&format!("let e = {value};"), &call.replace('E', "e"));
        let call_line = text
            .lines()
            .position(|l| l.contains("abs") || l.contains("whole_reduce_sum"))
            .expect("the call");
        let set_line = text
            .lines()
            .position(|l| l.contains("set"))
            .expect("the assignment");
        let pinned = text.lines().filter(|l| l.contains("e_")).count();
        assert!(set_line < call_line && pinned > 0, "{text}");
        let inline = kernel("", &call.replace('E', value));
        assert_ne!(text, inline, "{value}");
    }
}

/// The definitions of each value are followed only as far as it may change. All of them would take
/// the square of the statements, minutes here.
#[test]
fn a_value_that_is_assigned_to_ten_thousand_times_is_read_at_once() {
    let text = format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {{\nfor r in tiles(n) {{\n\
         let mut s = full(r, 0.0);\nfor c in tiles(d) {{ s = s + x.at(r, c).load().sum(c); }}\nlet mut v = s * 2.0;\n{}y.at(r).store(v);\n}}\n}}",
        "v = v + s;\n".repeat(10_000)
    );
    let parsed = parse_file(&text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let said: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    assert!(parsed.kernel.is_some(), "{said:?}");
}
