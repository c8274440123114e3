//! GM through the cache of the scalar unit: what others see of it, and what a write-back stores.

use crate::{Array, Launch, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::lower::lower;
use jumar_dsl::soc::Chip;

/// Makes a kernel of four blocks `b`. Each has 256 elements of `y` from `at` on, all of them
/// distinct, and the workspace `w` has 64. `o` is eight ones. Statements stand in line 7 and
/// further.
fn text_of(stmts: &str) -> String {
    let stmts = stmts
        .replace("clean", "data_cache_clean_and_invalid")
        .replace("order", "pipe_barrier::<PIPE_ALL>();");
    format!(
        "#[kernel]\nfn k(#[inplace] #[shape(1024)] y: &mut GlobalTensor<f32>) {{\n\
         let w = workspace::<f32>(64);\n\
         let share = split(4).block_dim(4); let b = share.start(); let at = b * 256; let mut pipe = TPipe::new();\n\
         let mut c = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut c, 1, 64); let o = c.get::<f32>(); let t = o.at(8);\n\
         vec::duplicate(&o, 1.0, 8); pipe_barrier::<PIPE_ALL>(); if b > 9 {{ data_copy(y.slice(at, 8), &o); }}\n{stmts}\n}}"
    )
}

/// Returns the checker's codes, and the contents of `y` after a run.
fn run(stmts: &str, pipes: bool) -> (Vec<Code>, Result<Vec<f64>, RunError>) {
    let text = text_of(stmts);
    let parsed = parse_file(&text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let said: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    let chip = Chip::default_chip();
    let found = check(&kernel, chip).err().unwrap_or_default();
    let found = found
        .iter()
        .filter(|d| d.is_error())
        .map(|d| d.code)
        .collect();
    let lowered = lower(&kernel, 0, chip)
        .unwrap_or_else(|_| panic!("a queue kernel lowers\n{text}"))
        .lowered;
    let bytes: Vec<u8> = (0..1024u16)
        .flat_map(|i| f32::from(i).to_le_bytes())
        .collect();
    let mut y = Array::from_bytes(DType::F32, &[1024], &bytes).unwrap();
    let ran = Launch::lowered(std::slice::from_ref(&lowered), chip)
        .pipes(pipes)
        .inout("y", &mut y)
        .run();
    (found, ran.map(|_| y.to_f64()))
}

#[track_caller]
fn leaves(stmts: &str, wanted: impl Fn(usize) -> f64) {
    for pipes in [false, true] {
        let (found, ran) = run(stmts, pipes);
        let ran = ran.unwrap_or_else(|e| panic!("{e}\n{stmts}"));
        assert_eq!(found, [], "{stmts}");
        assert_eq!(ran, (0..1024).map(&wanted).collect::<Vec<_>>(), "{stmts}");
    }
}

/// Compares the checker's codes, and code, line and block of the fault with a part of its message.
/// Where `always`, it must occur without watched pipes as well.
#[track_caller]
fn stops(stmts: &str, found: &[Code], (line, block, always): (u32, i64, bool), part: &str) {
    for pipes in [true, false] {
        let (codes, ran) = run(stmts, pipes);
        assert_eq!(codes, found, "{stmts}");
        if !pipes && !always {
            assert!(ran.is_ok(), "{ran:?}\n{stmts}");
            continue;
        }
        let error = ran.expect_err(stmts);
        let fault = error.fault().unwrap_or_else(|| panic!("refused: {error}"));
        assert_eq!(
            (fault.code, fault.line, fault.block),
            (Code::J0809, line, Some(block)),
            "{error}\n{stmts}"
        );
        assert!(fault.message.contains(part), "{error}\n{stmts}");
    }
}

#[test]
fn what_is_written_back_is_there() {
    leaves("y.set_value(at + 3, 0.5); y.clean(at + 3);", |i| {
        if i % 256 == 3 {
            0.5
        } else {
            i as f64
        }
    });
    // A write-back from any earlier element of the line, once for all of it.
    leaves(
        "for i in 0..20 { y.set_value(at + i, 0.5); } y.clean(at); y.clean(at + 16);",
        |i| {
            if i % 256 < 20 {
                0.5
            } else {
                i as f64
            }
        },
    );
    // A read sees the set value, and GM's values beside it.
    leaves("y.set_value(at, 0.5); let s = y.get_value(at) + y.get_value(at + 1); y.set_value(at + 2, s); y.clean(at);", |i| {
        match i % 256 {
            0 => 0.5,
            2 => i as f64 - 0.5,
            _ => i as f64,
        }
    });
    // A copy reads the line after its write-back, and another one stores beside it.
    leaves(
        "y.set_value(at, 0.5); y.clean(at); order data_copy(&t, y.slice(at, 8)); order data_copy(y.slice(at + 8, 8), &t);",
        |i| match i % 256 {
            0 | 8 => 0.5,
            at @ 9..16 => (i - i % 256 + at - 8) as f64,
            _ => i as f64,
        },
    );
    // A line that was dropped shows what a copy has stored.
    leaves("let s = y.get_value(at); data_copy(y.slice(at, 8), &o); order y.clean(at); y.set_value(at + 16, y.get_value(at)); y.clean(at + 16);", |i| {
        if i % 256 < 8 || i % 256 == 16 {
            1.0
        } else {
            i as f64
        }
    });
    // Another block reads it after a barrier, in its own line. So does one that reads the rest of a
    // changed line.
    leaves(
        "w.set_value(b * 16, at as f32); w.clean(b * 16); sync_all(); y.set_value(at, w.get_value((b + 1) % 4 * 16)); y.clean(at);",
        |i| if i % 256 == 0 { ((i + 256) % 1024) as f64 } else { i as f64 },
    );
    leaves(
        "y.set_value(at, y.get_value((at + 256) % 1024 + 1)); y.clean(at);",
        |i| {
            if i % 256 == 0 {
                ((i + 256) % 1024 + 1) as f64
            } else {
                i as f64
            }
        },
    );
}

#[test]
fn what_nobody_writes_back_is_not_there() {
    let left = "at the end of the block";
    stops("y.set_value(at, 0.5);", &[Code::J0416], (7, 0, true), left);
    stops(
        "y.set_value(at, 0.5);\ny.set_value(at + 1, 0.5); y.clean(at + 1);",
        &[Code::J0416],
        (8, 0, true),
        left,
    );
    stops(
        "if b == 2 { y.set_value(at + 16, 0.5); } y.clean(at);",
        &[Code::J0416],
        (7, 2, true),
        left,
    );
    // A copy does not see the changed line.
    stops(
        "y.set_value(at, 0.5);\ndata_copy(&t, y.slice(at, 8)); y.clean(at);",
        &[Code::J0416],
        (8, 0, true),
        "a copy loads element 0 of `y`, which `set_value` has changed",
    );
    // Another block does not see it either.
    stops(
        "w.set_value(b * 16, 1.0); sync_all();\nlet s = w.get_value((b + 1) % 4 * 16); w.clean(b * 16);",
        &[],
        (7, 1, true),
        "block 1 stores element 16 of `w`, which block 0 loads in line 8",
    );
}

#[test]
fn a_write_back_takes_the_whole_line() {
    let line = "writes back the line of 64 bytes with";
    stops(
        "y.set_value(b, 0.5); y.clean(b);",
        &[Code::J0416],
        (7, 1, true),
        line,
    );
    stops(
        "if b == 0 { y.set_value(0, 0.5); y.clean(0); }\nif b == 1 { data_copy(y.slice(8, 8), &o); }",
        &[Code::J0416],
        (8, 1, true),
        line,
    );
    // The conflict lasts as long as a line is changed.
    stops(
        "if b == 0 { y.set_value(0, 0.5); } sync_all();\nif b == 1 { data_copy(y.slice(8, 8), &o); } sync_all(); if b == 0 { y.clean(0); }",
        &[Code::J0416],
        (8, 1, true),
        line,
    );
    stops(
        "y.set_value(at, 0.5);\ndata_copy(y.slice(at + 8, 8), &o); order y.clean(at);",
        &[Code::J0416],
        (8, 0, true),
        "a copy stores element 8 of `y`, in the line of 64 bytes",
    );
}

#[test]
fn a_line_keeps_what_it_held() {
    stops(
        "let s = y.get_value(at); data_copy(y.slice(at, 8), &o); order\nlet r = y.get_value(at + 1);",
        &[Code::J0416],
        (8, 0, true),
        "a copy has stored that since",
    );
    stops(
        "let s = y.get_value(at); data_copy(y.slice(at, 8), &o); order\ny.set_value(at + 8, s); y.clean(at);",
        &[Code::J0416],
        (8, 0, true),
        "set_value changes the line of element 0 of `y`",
    );
    // Another block has stored after a barrier.
    let put = "data_copy(w.slice(b * 16, 8), &o); order let s = w.get_value(b * 16); sync_all();";
    let other = "w.set_value((b + 1) % 4 * 16, s); w.clean((b + 1) % 4 * 16); sync_all();";
    stops(
        &format!("{put} {other}\nlet r = w.get_value(b * 16);"),
        &[],
        (8, 0, true),
        "block 3 has stored that in line",
    );
    let (found, ran) = run(
        &format!("{put} {other} w.clean(b * 16); let r = w.get_value(b * 16);"),
        true,
    );
    assert_eq!((found, ran.is_ok()), (vec![], true));
}

#[test]
fn the_scalar_unit_and_copies_need_an_order() {
    let race = [Code::J0414];
    for (stmts, part) in [
        (
            "y.set_value(at, 0.5); y.clean(at);\ndata_copy(&t, y.slice(at, 8));",
            "a copy of pipe MTE2 reads element 0 of `y`, which pipe S",
        ),
        (
            "y.set_value(at, 0.5); y.clean(at);\ndata_copy(y.slice(at + 8, 8), &o);",
            "a copy of pipe MTE3 writes element 8 of `y`, which pipe S",
        ),
        (
            "data_copy(y.slice(at, 8), &o);\nlet s = y.get_value(at);",
            "get_value of pipe S reads element 0 of `y`, which pipe MTE3",
        ),
        (
            "data_copy(y.slice(at, 8), &o);\ny.set_value(at + 8, 0.5); y.clean(at + 8);",
            "which pipe MTE3",
        ),
        (
            "data_copy(&t, y.slice(at, 8));\ny.set_value(at, 0.5); y.clean(at);",
            "which pipe MTE2 may still be reading",
        ),
    ] {
        stops(stmts, &race, (8, 0, false), part);
    }
    // A line that is loaded beside a running copy may hold old values of what the copy stores.
    stops(
        "data_copy(y.slice(at, 8), &o); let s = y.get_value(at + 8); order\nlet r = y.get_value(at);",
        &[],
        (8, 0, false),
        "a copy has stored that since",
    );
    // Accesses of the scalar unit are dropped by what copies know of it, and the other way round.
    let many = "for i in 0..100 { data_copy(y.slice(at + 16, 8), &o); pipe_barrier::<PIPE_MTE3>(); set_flag::<MTE3_MTE2>(0); wait_flag::<MTE3_MTE2>(0); }";
    stops(
        &format!("data_copy(y.slice(at, 8), &o); {many}\nlet s = y.get_value(at);"),
        &race,
        (8, 0, false),
        "which pipe MTE3 may still be writing",
    );
    stops(
        &format!("y.set_value(at, 0.5); y.clean(at); {many}\ndata_copy(&t, y.slice(at, 8));"),
        &race,
        (8, 0, false),
        "which pipe S may still be writing",
    );
}

#[test]
fn elements_are_inside() {
    for (stmts, part) in [
        (
            "let i = w.len() + b * 0; w.set_value(i, 0.5); w.clean(0);",
            "set_value takes element 64 of `w`, which has 64",
        ),
        (
            "let i = w.len() + b * 0; w.clean(i);",
            "data_cache_clean_and_invalid takes element 64 of `w`, which has 64",
        ),
    ] {
        let (found, ran) = run(stmts, false);
        assert!(found.contains(&Code::J0308), "{found:?}");
        let error = ran.expect_err(stmts);
        assert!(error.to_string().contains(part), "{error}");
    }
    let (_, ran) = run(
        "let s = w.get_value(b); y.set_value(at, s); y.clean(at);",
        false,
    );
    assert_eq!(ran.expect_err("nobody has written it").code(), Code::J0802);
}
