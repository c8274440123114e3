//! Kernels whose authors order and place by hand. Runs show how flags and accesses work together
//! (`runtime/src/sim/tests/by_hand.rs`). Here are the findings with texts of their own, and those
//! that concern no order.

use super::*;

/// Returns a kernel that takes `share.len()` elements in iterations of 64; the last one may be
/// shorter.
fn with_turns(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>, flag: bool, turns: usize, k: usize) {{\n\
         require(k <= 3);\nlet share = split(n).unit(8);\n{body}\n}}"
    )
}

/// Correct in all sizes, however flags carry over to the next iteration. Wrong without any one of
/// the lines between `[` and `]`.
const TURNS: &[&str] = &[
    // Two alternating buffers.
    "[set_flag::<MTE3_MTE2>(0);]\n[set_flag::<MTE3_MTE2>(1);]
     for i in 0..share.len().div_ceil(64) {
         let m = 64.min(share.len() - i * 64);
         let t = LocalTensor::<f32>::new(VecIn, i % 2 * 256, 64);
         [wait_flag::<MTE3_MTE2>(i % 2);]
         data_copy_pad(&t, x.slice(share.start() + i * 64, m));
         [set_flag::<MTE2_V>(2);]\n[wait_flag::<MTE2_V>(2);]
         vec::relu(&t, &t, m);
         [set_flag::<V_MTE3>(2);]\n[wait_flag::<V_MTE3>(2);]
         data_copy_pad(y.slice(share.start() + i * 64, m), &t);
         [set_flag::<MTE3_MTE2>(i % 2);]
     }
     [wait_flag::<MTE3_MTE2>(0);]\n[wait_flag::<MTE3_MTE2>(1);]",
    // One buffer, which the second iteration waits for, and no flag behind the last one.
    "let all = share.len().div_ceil(64);
     let t = LocalTensor::<f32>::new(VecIn, 0, 64);
     for i in 0..all {
         let m = 64.min(share.len() - i * 64);
         if i > 0 { [wait_flag::<MTE3_MTE2>(0);] }
         data_copy_pad(&t, x.slice(share.start() + i * 64, m));
         [set_flag::<MTE2_V>(0);]\n[wait_flag::<MTE2_V>(0);]
         vec::relu(&t, &t, m);
         [set_flag::<V_MTE3>(0);]\n[wait_flag::<V_MTE3>(0);]
         data_copy_pad(y.slice(share.start() + i * 64, m), &t);
         if i + 1 < all { [set_flag::<MTE3_MTE2>(0);] }
     }",
    // Barriers of all pipes instead of flags.
    "let t = LocalTensor::<f32>::new(VecCalc, 0, 64);
     for i in 0..share.len().div_ceil(64) {
         let m = 64.min(share.len() - i * 64);
         data_copy_pad(&t, x.slice(share.start() + i * 64, m));
         [pipe_barrier::<PIPE_ALL>();]
         vec::relu(&t, &t, m);
         [pipe_barrier::<PIPE_ALL>();]
         data_copy_pad(y.slice(share.start() + i * 64, m), &t);
         [pipe_barrier::<PIPE_ALL>();]
     }",
    // A TBuf for the input, a queue for the output.
    "let mut pipe = TPipe::new(); let (mut q, mut b) = (TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
     pipe.init_buffer(&mut q, 2, 256); pipe.init_buffer(&mut b, 1, 256); let t = b.get::<f32>();
     [set_flag::<V_MTE2>(0);]
     for i in 0..share.len().div_ceil(64) {
         let m = 64.min(share.len() - i * 64);
         [wait_flag::<V_MTE2>(0);]
         data_copy_pad(&t, x.slice(share.start() + i * 64, m));
         [set_flag::<MTE2_V>(0);]\n[wait_flag::<MTE2_V>(0);]
         let o = q.alloc_tensor::<f32>();
         vec::relu(&o, &t, m);
         [set_flag::<V_MTE2>(0);]
         q.enque(o); let o = q.deque::<f32>();
         data_copy_pad(y.slice(share.start() + i * 64, m), &o); q.free_tensor(o);
     }
     [wait_flag::<V_MTE2>(0);]",
    // The scalar unit between two calls, and a second load of the same elements of GM.
    "let t = LocalTensor::<f32>::new(VecCalc, 0, 64); let m = share.len().min(64);
     vec::duplicate(&t, 1.0, 64);
     [set_flag::<V_S>(0);]\n[wait_flag::<V_S>(0);]
     let s = t.get_value(3); t.set_value(4, s);
     [set_flag::<S_MTE3>(0);]\n[wait_flag::<S_MTE3>(0);]
     data_copy_pad(y.slice(share.start(), m), &t);
     [set_flag::<MTE3_MTE2>(0);]\n[wait_flag::<MTE3_MTE2>(0);]
     data_copy_pad(&t, y.slice(share.start(), m));
     [set_flag::<MTE2_V>(0);]\n[wait_flag::<MTE2_V>(0);]
     vec::adds(&t, &t, 1.0, m);
     [set_flag::<V_MTE3>(0);]\n[wait_flag::<V_MTE3>(0);]
     data_copy_pad(y.slice(share.start(), m), &t);",
    // Two stores to one place, and the flags of an arm that a launch takes.
    "let t = LocalTensor::<f32>::new(VecOut, 0, 64); let m = share.len().min(64);
     vec::duplicate(&t, 1.0, 64);
     [set_flag::<V_MTE3>(k);]\n[wait_flag::<V_MTE3>(k);]
     data_copy_pad(y.slice(share.start(), m), &t);
     [pipe_barrier::<PIPE_MTE3>();]
     data_copy_pad(y.slice(share.start(), m), &t);
     if flag { [set_flag::<MTE3_V>(5);] [wait_flag::<MTE3_V>(5);] vec::duplicate(&t, 2.0, 64); }",
];

#[test]
fn each_flag_and_barrier_of_a_right_kernel_is_needed() {
    let chip = Chip::default_chip();
    for case in TURNS {
        let plain = |text: &str| text.replace(['[', ']'], "");
        let (found, said) = findings(&with_turns(&plain(case)), chip);
        assert_eq!(found, [], "{said}\n{case}");
        for (at, _) in case.match_indices('[') {
            let end = at + case[at..].find(']').expect("an end");
            let left = plain(&format!("{}{}", &case[..at], &case[end..]));
            let (found, said) = findings(&with_turns(&left), chip);
            let codes: Vec<_> = found.iter().map(|(_, code)| code.as_str()).collect();
            assert!(
                matches!(codes[..], ["J0413" | "J0414", ..]),
                "{said}\nwithout `{}`\n{left}",
                &case[at..end]
            );
        }
    }
}

#[test]
fn what_is_said_of_flags_and_accesses() {
    for (body, line, said) in [
        ("wait_flag::<MTE2_V>(0);", 5, "J0413 this waits for flag 0 of `MTE2_V`, which is not set: pipe V would stand still for ever"),
        ("set_flag::<MTE2_V>(1);\nwait_flag::<MTE2_V>(0);", 6, "J0413 this waits for flag 0 of `MTE2_V`, which is not set: pipe V would stand still for ever [\"this happens where `n` is 2 and `flag` is true and `turns` is 0 and `k` is 0, in block 0 of 1\", \"set of `MTE2_V` is 1\"]"),
        ("set_flag::<V_S>(0);\nset_flag::<V_S>(0);\nwait_flag::<V_S>(0);", 6, "J0413 this sets flag 0 of `V_S`, which is set already; nobody has waited for it since"),
        ("set_flag::<V_S>(0);", 5, "J0413 flag 0 of `V_S` is set here, and nobody waits for it: the next kernel of this core finds it set"),
        // Each event has its own ids.
        ("set_flag::<V_S>(0);\nset_flag::<S_V>(0);\nwait_flag::<V_S>(0);", 6, "J0413 flag 0 of `S_V` is set here"),
        ("for i in 0..turns { set_flag::<V_S>(0); }", 5, "J0413"),
        ("if turns == 5 {\nset_flag::<V_S>(0); }", 6, "J0413 flag 0 of `V_S` is set here, and nobody waits for it: the next kernel of this core finds it set [\"this happens where `n` is"),
        ("set_flag::<V_S>(6);\nwait_flag::<V_S>(5);", 5, "J0310 the id of `V_S`: at most 5, found 6"),
        ("set_flag::<V_S>(turns);\nwait_flag::<V_S>(turns);", 5, "J0602 it could not be proved that the id of `V_S` stay within 0 to 5"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 16, 8); vec::duplicate(&t, 0.0, 8);", 5, "J0307 `t` lies at byte 16 of UB, not at a multiple of 32"),
        ("let t = LocalTensor::<f32>::new(VecCalc, turns, 8);\nvec::duplicate(&t, 0.0, 8);", 5, "J0307 the address of `t` cannot be proved a multiple of 32 bytes"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 188384, 8); vec::duplicate(&t, 0.0, 8);", 5, "J0309 `t` reaches past the end of UB: up to byte 188416, 188160 are usable"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 32 * turns, 8); vec::duplicate(&t, 0.0, 8);", 5, "J0602 it could not be proved that `t` lies inside UB, of which 188160 bytes are usable"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 0, 8);\nvec::duplicate(&t, 0.0, 9);", 6, "J0309 this reaches byte 36 of the buffer of `t`, which has 32"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 0, 64); let u = LocalTensor::<f32>::new(VecCalc, 32, 64); vec::duplicate(&t, 0.0, 64);\nvec::adds(&u, &t, 1.0, 64);", 6, "J0311 `adds` writes `u` over part of its source `t` (from byte 32 and from byte 0 of one buffer)"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 0, 64); vec::duplicate(&t, 0.0, 64);\nvec::reduce_sum(&t, &t, &t.at(32), 8);", 6, "J0502 ReduceSum asks a TPipe for the ids of its events"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 0, 64); vec::duplicate(&t, 0.0, 64);\nsync_all();", 6, "J0502 SyncAll asks a TPipe"),
        ("let t = LocalTensor::<f32>::new(VecCalc, 0, 64);\nlet mut pipe = TPipe::new(); let mut b = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut b, 1, 256);", 5, "J0106 `t` is placed by hand in a kernel whose TPipe hands out memory, to `b`"),
        ("let m = fit_tile(64);\nlet t = LocalTensor::<f32>::new(VecCalc, 0, m);", 5, "J0106 `fit_tile` solves for the buffers of a TPipe"),
        ("cross_core_wait_flag(3);", 5, "J0413 this waits for flag 3 of all cores, which this block itself has not set as often: all of them would stand still for ever"),
        ("cross_core_set_flag::<0, PIPE_V>(3);\ncross_core_wait_flag(3);\ncross_core_wait_flag(3);", 7, "J0413 this waits for flag 3 of all cores, which"),
        ("cross_core_set_flag::<0, PIPE_V>(3);", 5, "J0413 flag 3 of all cores is set here, and this block does not wait for it as often: the next kernel finds it set"),
        ("for i in 0..16 { cross_core_set_flag::<0, PIPE_V>(3); }\nfor i in 0..16 { cross_core_wait_flag(3); }", 5, "J0413 flag 3 of all cores is set 16 times, and nobody has waited for it: its counter ends at 15"),
        ("for i in 0..share.len() {\ncross_core_set_flag::<0, PIPE_V>(3); cross_core_wait_flag(3); }", 6, "J0412 block 0 sets flag 3 of all cores 8 times, block 1 once"),
        ("if get_block_idx() != 2 {\ncross_core_set_flag::<0, PIPE_V>(3); cross_core_wait_flag(3); }", 6, "J0412 block 0 sets flag 3 of all cores once, block 2 0 times"),
        ("cross_core_set_flag::<0, PIPE_V>(16); cross_core_wait_flag(15);", 5, "J0310 the id of a flag across the cores: at most 15, found 16"),
        ("cross_core_set_flag::<0, PIPE_V>(turns); cross_core_wait_flag(turns);", 5, "J0602 it could not be proved that the id of a flag across the cores stay within 0 to 15"),
        ("sync_all(); cross_core_set_flag::<0, PIPE_V>(11); cross_core_wait_flag(11);", 5, "J0310 the id of a flag across the cores: at most 10, found 11"),
        ("cross_core_set_flag(3);", 5, "J0106 `cross_core_set_flag` of which mode, and set by which pipe?"),
        ("cross_core_set_flag::<0, PIPE_ALL>(3);", 5, "J0106 `PIPE_ALL` is no pipe that sets flags of a vector core"),
        ("cross_core_set_flag::<1, PIPE_V>(3);", 5, "J0106 mode 1 of flags is for kernels with cube cores"),
        ("cross_core_set_flag::<3, PIPE_V>(3);", 5, "J0106 `3` is no mode of a flag across the cores"),
        ("cross_core_wait_flag::<0, PIPE_S>(3);", 5, "J0106 `cross_core_wait_flag` takes no mode and no pipe"),
        ("set_flag(0);", 5, "J0106 `set_flag` of which event?"),
        ("set_flag::<MTE1_V>(0);", 5, "J0106 `MTE1_V` is no event of a vector core"),
        ("pipe_barrier::<PIPE_S>();", 5, "J0106 `PIPE_S` is no pipe of a vector core"),
        ("let t = LocalTensor::<f32>::new(0, 64);", 5, "J0106"),
        ("let t = LocalTensor::<5>::new(VecIn, 0, 64);", 5, "J0106 a LocalTensor of which element type?"),
        ("let t = LocalTensor::<f32, f32>::new(VecIn, 0, 64);", 5, "J0106 a LocalTensor of which element type?"),
        ("let t = LocalTensor::<f32>::new(A1, 0, 64);", 5, "J0106 `A1` is no position of the vector core"),
        ("let mut pipe = TPipe::new(); let mut q = TQue::<VecIn, 1>::new(); pipe.init_buffer(&mut q, 6, 256);\nset_flag::<MTE2_V>(3); wait_flag::<MTE2_V>(3);", 5, "J0301 the queues of position VECIN have 6 blocks together, and 4 ids of the same events are used by hand: 10 of both, 8 are allowed"),
    ] {
        let own = match body.contains("TPipe::new") {
            true => "let mut own = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut own, 1, 32); let o = own.get::<f32>();",
            false => "let o = LocalTensor::<f32>::new(VecOut, 65536, 8);",
        };
        let store = "vec::duplicate(&o, 0.0, 8); pipe_barrier::<PIPE_ALL>(); data_copy_pad(y.slice(share.start(), share.len().min(8)), &o);";
        let text = with_turns(&format!("{body}\n{own} {store}"));
        let (found, all) = findings(&text, Chip::default_chip());
        let (code, message) = said.split_once(' ').unwrap_or((said, ""));
        assert!(found.iter().any(|(at, found)| *at == line && found == code), "{body}\n{all}");
        assert!(all.lines().any(|l| l.starts_with(&format!("{line}: {message}"))), "{body}\n{all}");
    }
}
