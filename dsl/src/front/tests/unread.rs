//! J0415: the names of a right kernel that nothing reads.

use crate::diag::{Code, Diagnostic};
use crate::front::parse_file;

/// Right kernels: each `//^` stands behind a name that nothing reads.
const UNREAD: &[&str] = &[
    "fn k(#[shape(n)] x: &GlobalTensor<f32>,\n#[shape(n)] w: &GlobalTensor<f32>, //^ w\ny: &mut GlobalTensor<f32>) { for t in tiles(n) { y.at(t).store(x.at(t).load()); } }",
    "fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>,\ns: f32, //^ s\nk: usize, //^ k\n_r: f32) { for t in tiles(n) { y.at(t).store(x.at(t).load()); } }",
    // A name of the body, one that is only added to, one hidden by another of its name, and one of
    // a pair.
    "fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(n) {\nlet v = x.at(t).load();\nlet u = v * 2.0; //^ u\n\
     let mut s = v; //^ s\ns += v;\nlet w = v + 1.0; //^ w\nlet w = v + 2.0;\nlet (a, b) = (v, w); //^ a\ny.at(t).store(b);\n} }",
    // Inside of a branch, of a loop over scalars, and as a part of a loop's body.
    "fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) { for t in tiles(n) { let mut v = x.at(t).load();\n\
     if k > 2 { let u = v; } //^ u\nfor i in 0..k { let j = i + 1; //^ j\nv = v + 1.0; }\ny.at(t).store(v); } }",
    // Sizes, shapes, conditions and promises read names, and a tensor that alone determines an axis
    // counts as read.
    "fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] like: &GlobalTensor<i8>, #[shape(n, m, k + 1, e)] y: &mut GlobalTensor<f32>, k: usize, e: usize, least: usize) {\n\
     require(n >= least);\nlet j = new_axis(k + 1);\nfor t in tiles(n) { y.at(t, .., j.indices() + 0, ..).store(x.at(t).load().expand((m, j, e))); } }",
    "fn k(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, dim: i32, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load()); } }",
    // Helpers are read where they are called.
    "fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { let mut all = across_cores::<f32>((), 0.0); //^ all\nfor t in tiles(n) { let v = x.at(t).load(); all += v.sum(t); y.at(t).store(v); } }",
    // Names of the queue level are left alone.
    "fn k(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) { let mut pipe = TPipe::new(); let mut b = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut b, 1, 256); let a = b.get::<f32>(); \
     y.set_value(0, x.get_value(0)); }",
];

#[test]
fn what_nothing_reads_is_said_of_right_kernels() {
    for text in UNREAD {
        let text = format!("use jumar::prelude::*;\n#[kernel]\npub {text}");
        let parsed = parse_file(&text).unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message));
        assert!(
            parsed[0].kernel.is_some(),
            "{text}\n{:?}",
            parsed[0].diagnostics
        );
        let names = text
            .lines()
            .zip(1..)
            .filter_map(|(line, at)| Some((at, line.split_once("//^ ")?.1.trim().to_string())));
        let name = |d: &Diagnostic| d.message.rsplit('`').nth(1).unwrap_or_default().to_string();
        let found = parsed[0]
            .diagnostics
            .iter()
            .map(|d| (parsed[0].spans[d.span().index()].line, name(d)));
        assert_eq!(
            found.collect::<Vec<_>>(),
            names.collect::<Vec<(u32, String)>>(),
            "{text}"
        );
        // With a mistake elsewhere nothing is reported about it.
        let wrong = text.replacen("pub fn k(", "pub fn k(q: f64, ", 1);
        let parsed = parse_file(&wrong).unwrap_or_else(|(d, _)| panic!("{}", d.message));
        assert!(
            parsed[0].diagnostics.iter().all(|d| d.code != Code::J0415),
            "{wrong}"
        );
    }
}
