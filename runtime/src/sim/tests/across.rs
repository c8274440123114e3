//! Flags across cores: what they order, and blocks that never set one.

use crate::{Array, Launch, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::lower::lower;
use jumar_dsl::soc::Chip;

/// Runs statements from line 6 on in four blocks, each with eight elements of `y` and of the
/// workspace `w`. `put` stores ones there, and `next` loads those of the next block. `own` loads
/// the block's part of `x`, which becomes its part of `y`. The checker's codes come first.
fn run(stmts: &str, pipes: bool) -> (Vec<Code>, Result<Vec<f64>, RunError>) {
    let put = "data_copy(w.slice(at, 8), &o);";
    let next = "data_copy(&t, w.slice((at + 8) % 32, 8));";
    let text = format!(
        "#[kernel]\nfn k(#[shape(32)] x: &GlobalTensor<f32>, #[shape(32)] y: &mut GlobalTensor<f32>) {{\n\
         let share = split(4).block_dim(4); let at = share.start() * 8; let b = get_block_idx(); let w = workspace::<f32>(32);\n\
         let o = LocalTensor::<f32>::new(VecOut, 0, 8); let t = LocalTensor::<f32>::new(VecIn, 32, 8); vec::duplicate(&o, 1.0, 8);\n\
         set_flag::<V_MTE3>(0); wait_flag::<V_MTE3>(0);\n{}\n\
         pipe_barrier::<PIPE_ALL>(); data_copy(y.slice(at, 8), &t);\n}}",
        stmts.replace("put", put).replace("next", next).replace("own", "data_copy(&t, x.slice(at, 8));")
    );
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
    let [x, mut y] = [(); 2].map(|()| Array::zeros(DType::F32, &[32]).unwrap());
    let ran = Launch::lowered(std::slice::from_ref(&lowered), chip)
        .pipes(pipes)
        .input("x", &x)
        .output("y", &mut y)
        .run();
    (found, ran.map(|_| y.to_f64()))
}

#[test]
fn a_flag_that_all_have_set_orders_what_came_before_the_settings() {
    for stmts in [
        "put cross_core_set_flag::<0, PIPE_MTE3>(3); cross_core_wait_flag(3); next",
        // Work between set and wait, and flags in another order.
        "put cross_core_set_flag::<0, PIPE_MTE3>(0); vec::duplicate(&o.at(0), 2.0, 0); cross_core_wait_flag(0); next",
        "put cross_core_set_flag::<0, PIPE_MTE3>(1); cross_core_set_flag::<0, PIPE_MTE3>(2); cross_core_wait_flag(2); next cross_core_wait_flag(1);",
        // Each flag is counted, with a `sync_all` in between.
        "for i in 0..15 { cross_core_set_flag::<0, PIPE_V>(5); } sync_all_; for i in 0..15 { cross_core_wait_flag(5); } put cross_core_set_flag::<0, PIPE_MTE3>(5); cross_core_wait_flag(5); next",
        // The order comes over another pipe.
        "put set_flag::<MTE3_V>(1); wait_flag::<MTE3_V>(1); cross_core_set_flag::<0, PIPE_V>(15); cross_core_wait_flag(15); next",
    ] {
        let stmts = stmts.replace("sync_all_;", "");
        let (found, ran) = run(&stmts, true);
        assert_eq!((found, ran.unwrap_or_else(|e| panic!("{e}\n{stmts}"))), (vec![], vec![1.0; 32]), "{stmts}");
    }
}

/// Compares the checker's codes, and code, line and block of the fault with a part of its message.
#[track_caller]
fn stops(stmts: &str, found: &[Code], (code, line, block): (Code, u32, i64), part: &str) {
    let (codes, ran) = run(stmts, true);
    assert_eq!(codes, found, "{stmts}");
    let error = ran.expect_err(stmts);
    let fault = error.fault().unwrap_or_else(|| panic!("refused: {error}"));
    assert_eq!(
        (fault.code, fault.line, fault.block),
        (code, line, Some(block)),
        "{error}\n{stmts}"
    );
    assert!(fault.message.contains(part), "{error}\n{stmts}");
}

#[test]
fn what_a_flag_does_not_stand_between_is_a_race() {
    let race = "which block 1 stores in line 6";
    // A store after the set; a store after the set of the awaited flag; a set by a pipe that has
    // not waited for the copy.
    stops(
        "cross_core_set_flag::<0, PIPE_MTE3>(0);\nput\ncross_core_wait_flag(0);\nnext",
        &[],
        (Code::J0809, 9, 0),
        "which block 1 stores in line 7",
    );
    stops(
        "cross_core_set_flag::<0, PIPE_MTE3>(0); put\ncross_core_set_flag::<0, PIPE_MTE3>(1); cross_core_wait_flag(0);\nnext cross_core_wait_flag(1);",
        &[],
        (Code::J0809, 8, 0),
        race,
    );
    let by_vector = "put\ncross_core_set_flag::<0, PIPE_V>(0); cross_core_wait_flag(0);\nnext";
    stops(by_vector, &[], (Code::J0809, 8, 0), race);
    // The knowledge of pipes matters only where they are watched.
    assert_eq!(run(by_vector, false).1.unwrap(), [1.0; 32]);
    // Elements loaded before the set may be written after the wait; those loaded after it may not.
    let again = "put cross_core_set_flag::<0, PIPE_MTE3>(0); cross_core_wait_flag(0); next\nset_flag::<MTE2_MTE3>(1); wait_flag::<MTE2_MTE3>(1);\n";
    let free =
        format!("{again}cross_core_set_flag::<0, PIPE_MTE3>(1); cross_core_wait_flag(1); put");
    assert_eq!(run(&free, true).1.unwrap(), [1.0; 32]);
    stops(
        &format!("{again}put"),
        &[],
        (Code::J0809, 8, 1),
        "which block 0 loads in line 6",
    );
}

#[test]
fn a_block_that_never_sets_a_flag_is_named() {
    let both = "cross_core_set_flag::<0, PIPE_MTE3>(4); cross_core_wait_flag(4);";
    let said = "block 0 waits for flag 4 of all cores in line 6:";
    stops(
        &format!("if b != 2 {{ {both} }} own"),
        &[Code::J0412],
        (Code::J0811, 6, 2),
        said,
    );
    stops(
        &format!("for i in 0..3 - b.min(1) {{ {both} }} own"),
        &[Code::J0412],
        (Code::J0811, 6, 1),
        "time 3; block 1 has ended and has set it 2 of 3 times",
    );
    let other = both.replace('4', "5");
    let crossed = format!("if b == 1 {{ {both} {other} }} else {{\n{other} {both} }}\nown");
    let said = "block 1 waits for flag 4 of all cores in line 6";
    stops(&crossed, &[], (Code::J0811, 7, 1), said);
}

#[test]
fn a_block_sets_each_flag_as_often_as_it_waits_for_it() {
    let set = "cross_core_set_flag::<0, PIPE_V>(7);";
    for (stmts, found, part) in [
        (
            "cross_core_wait_flag(7);".to_string(),
            Code::J0413,
            "which it has not set as often itself",
        ),
        (
            format!("{set} for i in 0..2 {{ cross_core_wait_flag(7); }}"),
            Code::J0413,
            "which it has not set as often itself",
        ),
        (
            set.to_string(),
            Code::J0413,
            "flag 7 of all cores is set and this block does not wait for it",
        ),
        (
            format!("for i in 0..16 {{ {set} }} for i in 0..16 {{ cross_core_wait_flag(7); }}"),
            Code::J0413,
            "is set 16 times more",
        ),
        (
            set.replace('7', "16"),
            Code::J0310,
            "flag 16 of all cores; there are 0 to 15",
        ),
    ] {
        let (codes, ran) = run(&format!("{stmts} own"), true);
        let error = ran.expect_err(&stmts);
        assert_eq!(
            (codes, error.code()),
            (vec![found], Code::J0810),
            "{error}\n{stmts}"
        );
        assert!(error.to_string().contains(part), "{error}\n{stmts}");
    }
}
