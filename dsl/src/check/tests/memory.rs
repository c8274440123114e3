//! Declarations of queues and buffers, and their fit in UB.

use super::*;

#[test]
fn counts_and_bytes_of_queues_and_buffers_are_judged() {
    judge(DECLARED, with_declarations, "ascend910b1");
}

#[test]
fn given_rows_and_tile_lengths_must_fit() {
    judge(GIVEN, |case| case.to_string(), "ascend910b1");
}

#[test]
fn what_does_not_fit_is_said_in_numbers_at_what_takes_most() {
    for (text, says) in [
        (row_tiles("require(d == 1024);", ".size(12)"), "`size(12)` needs 196608 bytes of UB, 188160 are usable on ascend910b1"),
        (row_tiles("require(d == 1024);", ".size(12)"), "`size` 11 fits"),
        (tiles(".size(8192)"), "`size(8192)` needs 196864 bytes of UB"),
        (tiles(".size(8192)"), "`size` 7808 fits"),
        (tiles(".size(100)"), "`size` is 100; it must be a positive multiple of 8"),
        (tiles(".size(100)"), "104 is one"),
        (tiles(".size(7)"), "8 is one"),
        (whole_rows(""), "rows of up to 23520 elements fit"),
        (whole_rows("let pitch = d / 2;"), "rows of up to 23520 elements fit"),
        (
            with_declarations("pipe.init_buffer(&mut a, 1, 32); pipe.init_buffer(&mut b, 2, 98304);"),
            "5: UB over budget: the queues and buffers ask for 196640 bytes",
        ),
        (
            with_declarations(
                "let n = 4611686018427387904;\npipe.init_buffer(&mut a, 2, n * 4); pipe.init_buffer(&mut b, 1, 32);",
            ),
            "4: UB over budget: the queues and buffers ask for more bytes than 64 bits count",
        ),
    ] {
        let (_, said) = findings(&text, Chip::default_chip());
        assert!(said.contains(says), "{text}\n{said}");
    }
}

/// Returns a kernel with a queue `a` on line 4 and a queue `b` on line 5. The case declares their
/// memory.
fn with_declarations(case: &str) -> String {
    format!(
        "#[kernel]\nfn k<T: Float>(#[shape(n)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, depth: usize) {{\n\
         let mut pipe = TPipe::new();\n\
         let mut a = TQue::<VecIn, 1>::new();{}\nlet mut b = TQue::<VecOut, 1>::new();{}\nlet share = split(x.len()).unit(16);\n\
         {case}\nlet t = b.alloc_tensor::<T>(); b.enque(t); let t = b.deque::<T>(); if false {{ data_copy_pad(y.slice(share.start(), 0), &t); }} b.free_tensor(t);\n}}",
        if case.contains("//a ") { format!(" //^ {}", &case[case.find("//a ").expect("a mark") + 4..][..5]) } else { String::new() },
        if case.contains("//b ") { format!(" //^ {}", &case[case.find("//b ").expect("a mark") + 4..][..5]) } else { String::new() },
    )
}

const DECLARED: &[&str] = &[
    "pipe.init_buffer(&mut a, 2, 4096); pipe.init_buffer(&mut b, 2, 4096);",
    "const N: usize = 2; let m = N + 1;\npipe.init_buffer(&mut a, m, 1024 * size_of::<T>()); pipe.init_buffer(&mut b, 4 / size_of::<T>(), 4096);",
    "pipe.init_buffer(&mut a, 1, n.min(1024) * 4); pipe.init_buffer(&mut b, 2, 4096);",
    "pipe.init_buffer(&mut a, 2, 32); pipe.init_buffer(&mut b, 2, 64);",
    "pipe.init_buffer(&mut a, 1, 4096); pipe.init_buffer(&mut b, n.min(2), 4096); //b J0305",
    "let z = 8 - 8; pipe.init_buffer(&mut a, 1, 32); pipe.init_buffer(&mut b, 2, z * size_of::<T>()); //b J0410",
    "pipe.init_buffer(&mut a, 2, 4611686018427387904 * 4); pipe.init_buffer(&mut b, 2, 32); //a J0304",
    "pipe.init_buffer(&mut a, 2, 9223372036854775807); pipe.init_buffer(&mut b, 2, 32); //a J0304",
    "pipe.init_buffer(&mut a, 1, 32); pipe.init_buffer(&mut b, 3, 4611686018427387904); //b J0304",
    "pipe.init_buffer(&mut a, 1, 65536); pipe.init_buffer(&mut b, 1, 131072); //b J0304",
    "pipe.init_buffer(&mut a, 1, 131072); pipe.init_buffer(&mut b, 1, 65536); //a J0304",
    "let s = split(n).unit(depth); //^ J0305\npipe.init_buffer(&mut a, 1, 32); pipe.init_buffer(&mut b, 1, 32);",
    "let t = fit_tile(depth); //^ J0305\npipe.init_buffer(&mut a, 1, t * 4); pipe.init_buffer(&mut b, 1, 32);",
];

fn row_tiles(requires: &str, given: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\n{requires}\n\
         for r in tiles(n){given} {{ y.at(r, ..).store(x.at(r, ..).load().exp()); }}\n}}"
    )
}

/// Rows that no variant cuts.
fn whole_rows(before: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\nrequire(d == 65536);\n{before}\n\
         for r in tiles(n) {{ let mut s = 1.0; for _ in 0..1 {{ s = s + 1.0; }} y.at(r, ..).store(x.at(r, ..).load() * s); }}\n}}"
    )
}

fn tiles(given: &str) -> String {
    format!(
        "#[kernel]\nfn k(x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\n\
         for t in tiles(x){given} {{ y.at(t).store(x.at(t).load() + w.at(t).load()); }}\n}}"
    )
}

const GIVEN: &[&str] = &[
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).size(12) { y.at(r, ..).store(x.at(r, ..).load().exp()); }\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, m: usize) {\nfor r in tiles(n).size(m) { y.at(r, ..).store(x.at(r, ..).load().exp()); }\n}",
    "#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor t in tiles(x).size(9223372036854775807) { y.at(t).store(x.at(t).load().exp()); } //^ J0305 J0304\n}",
    "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\nfor r in tiles(n).size(4611686018427387904) { y.at(r, ..).store(x.at(r, ..).load().exp()); } //^ J0304\n}",
];
