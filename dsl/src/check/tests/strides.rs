//! Calls with masks and strides: they reach exactly as far as mask, repeats and strides say.

use super::frames::with_tensors_aligned;
use super::*;

/// Compares the findings of a call with expected codes and parts of messages.
fn assert_found(call: &str, (found, said): (Vec<(u32, String)>, String), want: &str) {
    let codes: Vec<String> = found.into_iter().map(|(_, code)| code).collect();
    let (mut due, mut message) = (Vec::new(), want);
    while let Some((code, rest)) = message
        .split_once(' ')
        .filter(|(word, _)| word.starts_with("J0"))
    {
        due.push(code);
        message = rest;
    }
    assert_eq!(codes, due, "{call}: {said}");
    assert!(said.contains(message), "{call}: {said}");
}

/// Returns the findings of a call that reads `c1` from `offset` on with these strides.
fn codes(strides: &str, extent: &str, offset: i64) -> Vec<String> {
    let text = with_tensors(&format!(
        "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 8192); let e1 = e.get::<f32>();\n\
         vec::adds(&e1.blocks(1, 0), &c1.at({offset}){strides}, 1.0, {extent});"
    ));
    findings(&text, Chip::default_chip())
        .0
        .into_iter()
        .map(|(_, code)| code)
        .collect()
}

#[test]
fn a_call_with_strides_reaches_to_the_end_of_its_last_block() {
    // 32 repeats of 64, or 256 data blocks of 8.
    for (strides, extent, offset, fits) in [
        (".blocks(1, 8)", "lanes(64).repeats(32)", 0, true),
        (".blocks(1, 8)", "lanes(64).repeats(33)", 0, false),
        (".blocks(1, 8)", "lanes(64).repeats(32)", 8, false),
        (".blocks(1, 8)", "lanes(64).repeats(31)", 64, true),
        (".blocks(2, 16)", "lanes(64).repeats(16)", 0, true),
        (".blocks(2, 16)", "lanes(64).repeats(16)", 8, true),
        (".blocks(2, 16)", "lanes(64).repeats(16)", 16, false),
        (".blocks(2, 16)", "lanes(64).repeats(17)", 0, false),
        (".blocks(1, 0)", "lanes(64).repeats(255)", 1984, true),
        (".blocks(1, 0)", "lanes(64).repeats(255)", 1992, false),
        (".blocks(1, 1)", "lanes(64).repeats(249)", 0, true),
        (".blocks(1, 1)", "lanes(64).repeats(250)", 0, false),
        (".blocks(0, 1)", "lanes(64).repeats(255)", 8, true),
        (".blocks(0, 1)", "lanes(64).repeats(255)", 16, false),
        ("", "lanes(64).repeats(32)", 0, true),
        ("", "lanes(64).repeats(33)", 0, false),
        ("", "lanes(8).repeats(32)", 56, true),
        ("", "lanes(8).repeats(32)", 64, false),
        (".blocks(1, 8)", "counter(2048)", 0, true),
        (".blocks(1, 8)", "counter(2049)", 0, false),
        (".blocks(2, 16)", "counter(1024)", 8, true),
        (".blocks(2, 16)", "counter(1024)", 16, false),
        (".blocks(1, 8)", "counter(64)", 1984, true),
        (".blocks(1, 8)", "counter(65)", 1984, false),
        (".blocks(0, 64)", "counter(256)", 504, true),
        (".blocks(0, 64)", "counter(256)", 512, false),
        ("", "bits(0xff00, 0).repeats(32)", 48, true),
        ("", "bits(0xff00, 0).repeats(32)", 56, false),
        (".blocks(1, 16)", "bits(1, 0).repeats(16)", 120, true),
        (".blocks(1, 16)", "bits(1, 0).repeats(16)", 128, false),
        ("", "lanes(2..5).of(8).groups(8).repeats(32)", 0, true),
        ("", "lanes(2..5).of(8).groups(8).repeats(32)", 8, false),
        ("", "lanes(2..5).of(8).groups(7).repeats(32)", 8, true),
    ] {
        let found = codes(strides, extent, offset);
        let want = if fits { vec![] } else { vec!["J0309"] };
        assert_eq!(found, want, "{extent} of c1.at({offset}){strides}");
    }
}

#[test]
fn a_call_with_strides_begins_at_a_data_block() {
    for (offset, want) in [(8, vec![]), (4, vec!["J0307"]), (7, vec!["J0307"])] {
        assert_eq!(
            codes(".blocks(1, 8)", "lanes(64).repeats(1)", offset),
            want,
            "{offset}"
        );
    }
}

#[test]
fn results_and_spread_elements_reach_as_far_as_their_strides_say() {
    // `c1` holds 2048 elements, and `e1` more than anything here reads.
    for (call, fits) in [
        (
            "vec::whole_reduce_sum(&c1.at(2044), &e1, lanes(64).repeats(4))",
            true,
        ),
        (
            "vec::whole_reduce_sum(&c1.at(2045), &e1, lanes(64).repeats(4))",
            false,
        ),
        (
            "vec::whole_reduce_sum(&c1.at(2041).results(2), &e1, lanes(64).repeats(4))",
            true,
        ),
        (
            "vec::whole_reduce_sum(&c1.at(2042).results(2), &e1, lanes(64).repeats(4))",
            false,
        ),
        (
            "vec::whole_reduce_max(&c1.at(2044), &e1, counter(256))",
            true,
        ),
        (
            "vec::whole_reduce_max(&c1.at(2044), &e1, counter(257))",
            false,
        ),
        (
            "vec::block_reduce_max(&c1.at(2016), &e1, lanes(64).repeats(4))",
            true,
        ),
        (
            "vec::block_reduce_max(&c1.at(2024), &e1, lanes(64).repeats(4))",
            false,
        ),
        (
            "vec::block_reduce_max(&c1.at(2024), &e1, lanes(64).repeats(3))",
            true,
        ),
        (
            "vec::block_reduce_max(&c1.at(2008).results(2), &e1, lanes(64).repeats(3))",
            true,
        ),
        (
            "vec::block_reduce_max(&c1.at(2016).results(2), &e1, lanes(64).repeats(3))",
            false,
        ),
        (
            "vec::pair_reduce_sum(&c1.at(1984), &e1, lanes(64).repeats(2))",
            true,
        ),
        (
            "vec::pair_reduce_sum(&c1.at(1992), &e1, lanes(64).repeats(2))",
            false,
        ),
        (
            "vec::pair_reduce_sum(&c1.at(1952).results(2), &e1, lanes(64).repeats(2))",
            true,
        ),
        (
            "vec::pair_reduce_sum(&c1.at(1960).results(2), &e1, lanes(64).repeats(2))",
            false,
        ),
        ("vec::brcb(&c1.at(1920).blocks(1, 8), &e1, 16)", true),
        ("vec::brcb(&c1.at(1928).blocks(1, 8), &e1, 16)", false),
        ("vec::brcb(&c1.at(1920).blocks(2, 1), &e1, 16)", true),
        ("vec::brcb(&c1.at(1928).blocks(2, 1), &e1, 16)", false),
    ] {
        let text = with_tensors(&format!(
            "let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\n{call};"
        ));
        let (found, said) = findings(&text, Chip::default_chip());
        let codes: Vec<_> = found.into_iter().map(|(_, code)| code).collect();
        let want = if fits { vec![] } else { vec!["J0309"] };
        assert_eq!(codes, want, "{call}: {said}");
    }
}

#[test]
fn an_index_is_counted_inside_its_buffer() {
    for (chip, call, want) in [
        ("ascend910b1", "vec::create_vec_index(&c1, 0.5, 2048)", ""),
        (
            "ascend310p",
            "let h = c.get::<i32>(); vec::create_vec_index(&h.at(8), k as i32, 2040)",
            "",
        ),
        (
            "ascend910b1",
            "vec::create_vec_index(&c1, 0.0, 2049)",
            "J0309 this reaches byte 8196 of the buffer of `c1`, which has 8192",
        ),
        (
            "ascend910b1",
            "vec::create_vec_index(&c1.at(4), 0.0, 8)",
            "J0307 `c1` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "let h = c.get::<f16>(); vec::create_vec_index(&h, 70000.0, 8)",
            "J0208 ",
        ),
        (
            "ascend910b1",
            "let h = c.get::<bf16>(); vec::create_vec_index(&h, 0.0, 8)",
            "J0203 create_vec_index (CreateVecIndex) does not take bf16",
        ),
        ("ascend910b1", "vec::create_vec_index(&c1, 0.0, k - k)", ""),
        (
            "ascend910b1",
            "vec::create_vec_index(&c1, 0.0, k + 1)",
            "J0602 it could not be proved that this stays inside",
        ),
        (
            "ascend910b1",
            "vec::create_vec_index(&c1, 0.0, lanes(8).repeats(1))",
            "J0106 `vec::create_vec_index` takes a count, found repeats",
        ),
        (
            "ascend910b1",
            "vec::create_vec_index(&c1, 8)",
            "J0106 `vec::create_vec_index` takes 3 arguments, found 2",
        ),
    ] {
        let text = with_tensors_aligned(&format!(";;\n{call};"));
        assert_found(
            call,
            findings(&text, Chip::by_name(chip).expect("a chip")),
            want,
        );
    }
}

#[test]
fn offsets_choose_elements_of_a_source_apart() {
    for (chip, call, want) in [
        ("ascend910b1", "vec::gather(&e1, &c1, &o, 0, 2048)", ""),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1.at(2040), &o, 28, 8)",
            "",
        ),
        (
            "ascend310p",
            "require(k < 64);; vec::gather(&e1, &c1, &o, k * 4, k)",
            "",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1.at(2040), &o, 32, 8)",
            "J0309 this reaches byte 8196 of the buffer of `c1`, which has 8192",
        ),
        ("ascend910b1", "vec::gather(&e1, &c1, &o, 8, 16383)", ""),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o, 0, 16384)",
            "J0310 elements of `gather`: at most 16383, found 16384",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1.at(16320), &c1, &o, 0, 65)",
            "J0309 this reaches byte 65540 of the buffer of `e1`, which has 65536",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o.at(16320), 0, 65)",
            "J0309 this reaches byte 65540 of the buffer of `o`, which has 65536",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o, 6, 8)",
            "J0307 the base of `gather` is 6 bytes, not a multiple of 4",
        ),
        (
            "ascend910b1",
            "require(k < 64);; vec::gather(&e1, &c1, &o, k, 8)",
            "J0307 the base of `gather` cannot be proved a multiple of 4 bytes",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o, k * 4, 8)",
            "J0602 it could not be proved that this stays inside the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "for i in 0..2 { vec::gather(&e1, &c1, &o, i * 4 - 8, 8) }",
            "J0310 the base of `gather`: at least 0",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1.at(4), &o, 0, 8)",
            "J0307 `c1` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o.at(4), 0, 8)",
            "J0307 `o` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::gather(&c1, &c1, &o, 0, 8)",
            "J0311 `gather` writes `c1` over its source `c1`",
        ),
        // Elements behind the source may be chosen, elements before it may not.
        (
            "ascend910b1",
            "vec::gather(&c1.at(1024), &c1, &o, 0, 8)",
            "J0311 ",
        ),
        (
            "ascend910b1",
            "vec::gather(&c1, &c1.at(1024), &o, 0, 1024)",
            "",
        ),
        (
            "ascend910b1",
            "vec::gather(&c1, &c1.at(1024), &o, 0, 1025)",
            "J0311 ",
        ),
        (
            "ascend910b1",
            "let q = c.get::<i32>(); vec::gather(&c1, &e1, &q, 0, 8)",
            "J0311 `gather` writes `c1` over its source `q`",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &e1, 0, 8)",
            "J0201 `vec::gather` wants byte offsets here, found a tensor of `f32`",
        ),
        (
            "ascend910b1",
            "vec::gather(&o, &c1, &o, 0, 8)",
            "J0201 `vec::gather` of tensors of `i32` and `f32`",
        ),
        ("ascend910b1", "vec::gather(&e1, &c1, &o, 0.5, 8)", "J0208 "),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o, 0, counter(8))",
            "J0106 `vec::gather` takes a count, found counter mode",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o.blocks(2, 8), 0, 8)",
            "J0106 `offsets` of `vec::gather` takes no strides",
        ),
        (
            "ascend910b1",
            "vec::gather(&e1, &c1, &o, 8)",
            "J0106 `vec::gather` takes 5 arguments, found 4",
        ),
    ] {
        let (facts, call) = call.split_once(";;").unwrap_or(("", call));
        let text = with_tensors_aligned(&format!(
            "{facts};;let (mut e, mut f) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new()); pipe.init_buffer(&mut e, 1, 65536);\
             pipe.init_buffer(&mut f, 1, 65536); let (e1, o) = (e.get::<f32>(), f.get::<i32>());\n{call};"
        ));
        assert_found(
            call,
            findings(&text, Chip::by_name(chip).expect("a chip")),
            want,
        );
    }
}

#[test]
fn a_pattern_takes_elements_within_its_limits() {
    let found_in = |chip: &str, call: &str| {
        let text = with_tensors_aligned(&format!(
            ";;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\n{call};"
        ));
        findings(&text, Chip::by_name(chip).expect("a chip"))
    };
    for (chip, call, want) in [
        ("ascend910b1", "vec::gather_mask(&c1, &e1, 7, 2048)", ""),
        ("ascend910b1", "vec::gather_mask(&c1, &e1, 1, 4095)", ""),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, 2, 4097)",
            "J0309 this reaches byte 8196 of the buffer of `c1`, which has 8192",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1.at(2040), &e1, 6, 32)",
            "",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1.at(2040), &e1, 3, 33)",
            "J0309 this reaches byte 8196 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&e1, &c1, 3, 2049)",
            "J0309 this reaches byte 8196 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1.at(4), &e1, 1, 8)",
            "J0307 `c1` from element 4 on starts at byte 16",
        ),
        ("ascend910b1", "vec::gather_mask(&e1, &e1, 1, 8)", "J0311 "),
        ("ascend910b1", "vec::gather_mask(&e1, &e1.at(8), 3, 32)", ""),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, 0, 8)",
            "J0310 the pattern of `gather_mask`: at least 1, found 0",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, 8, 8)",
            "J0310 the pattern of `gather_mask`: at most 7, found 8",
        ),
        (
            "ascend310p",
            "vec::gather_mask(&c1, &e1, 7, 8)",
            "J0310 the pattern of `gather_mask`: at most 6, found 7",
        ),
        ("ascend310p", "vec::gather_mask(&c1, &e1, 6, 8)", ""),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, k, 8)",
            "J0602 it could not be proved that the pattern of `gather_mask` stay",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, 1, 0)",
            "J0310 elements of `gather_mask`: at least 1, found 0",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, 1.0, 8)",
            "J0208 ",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1, &e1, 1, counter(8))",
            "J0106 `vec::gather_mask` takes a count, found counter mode",
        ),
        (
            "ascend910b1",
            "vec::gather_mask(&c1.blocks(2, 8), &e1, 1, 8)",
            "J0106 `dst` of `vec::gather_mask` takes no strides",
        ),
    ] {
        assert_found(call, found_in(chip, call), want);
    }
    // No buffer has as many.
    let (_, said) = found_in("ascend910b1", "vec::gather_mask(&c1, &e1, 1, 4294967296)");
    assert!(
        said.contains("elements of `gather_mask`: at most 4294967295, found 4294967296"),
        "{said}"
    );
}

#[test]
fn places_are_asked_for_within_their_limits() {
    for (chip, call, want) in [
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 8, 2048)",
            "",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 2048, 2048)",
            "",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1.at(8), &p, &lists, 1, 1)",
            "",
        ),
        // They fill the work space of 2048 elements, and so do the numbers.
        (
            "ascend910b1",
            "vec::top(&best, &e1, &p, &lists, 8, 2049)",
            "J0309 J0309 this reaches byte 8320 of the buffer of `p`",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &e1, &p, &lists, 8, 2049)",
            "J0309 J0309 this reaches byte 41600 of the buffer of `lists`",
        ),
        (
            "ascend910b1",
            "vec::top(&best.at(1024), &c1, &p, &lists, 1025, 2048)",
            "J0309 this reaches byte 8196 of the buffer of `best`",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 0, 64)",
            "J0310 places that `top` is asked for: at least 1, found 0",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 65, 64)",
            "J0310 `top` is asked for more places than it sorts elements",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 8, 0)",
            "J0310 elements of `top`: at least 1, found 0",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &e1, &p, &lists, 8, 8161)",
            "J0310 elements of `top`: at most 8160, found 8161",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, share.len(), 2048)",
            "J0602 J0602 ",
        ),
        (
            "ascend910b1",
            "vec::top(&best.at(4), &c1, &p, &lists, 8, 64)",
            "J0307 `best` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p.at(4), &lists, 8, 64)",
            "J0307 `p` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::top(&p, &c1, &p, &lists, 8, 64)",
            "J0311 writes `p` over its source `p`",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &c1, 8, 64)",
            "J0311 the work buffer `c1` of `top` lies over its source `c1`",
        ),
        (
            "ascend910b1",
            "vec::top(&c1, &c1, &p, &lists, 8, 64)",
            "J0201 `vec::top` wants places here, found a tensor of `f32`",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &c1, &lists, 8, 64)",
            "J0201 `vec::top` wants places here, found a tensor of `f32`",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &p, &p, &p, 8, 64)",
            "J0203 J0311 top (Sort32) does not take i32",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 64)",
            "J0106 `vec::top` takes 6 arguments, found 5",
        ),
        (
            "ascend910b1",
            "vec::top(&best, &c1, &p, &lists, 8, counter(64))",
            "J0106 `vec::top` takes a count, found counter mode",
        ),
        (
            "ascend310p",
            "vec::top(&best, &c1, &p, &lists, 8, 64)",
            "J0502 ",
        ),
    ] {
        let text = with_tensors_aligned(&format!(
            ";;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\
             let (mut i, mut j, mut l) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\
             pipe.init_buffer(&mut i, 1, 8192); pipe.init_buffer(&mut j, 1, 8192); pipe.init_buffer(&mut l, 1, 40960);\
             let best = i.get::<i32>(); let p = j.get::<i32>(); let lists = l.get::<f32>();\n{call};"
        ));
        assert_found(
            call,
            findings(&text, Chip::by_name(chip).expect("a chip")),
            want,
        );
    }
}

#[test]
fn pairs_are_sorted_and_merged_within_their_limits() {
    for (chip, call, want) in [
        ("ascend910b1", "vec::sort32(&lists, &c1, &p, 2048)", ""),
        (
            "ascend910b1",
            "vec::sort32(&lists.at(64), &c1.at(8), &p.at(16), 32)",
            "",
        ),
        ("ascend910b1", "vec::sort32(&lists, &c1, &p, 0)", ""),
        (
            "ascend910b1",
            "vec::sort32(&lists, &e1, &p, 2080)",
            "J0309 this reaches byte 8320 of the buffer of `p`",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1.at(8), &p, 2048)",
            "J0309 this reaches byte 8224 of the buffer of `c1`",
        ),
        // A pair is twice an element.
        (
            "ascend910b1",
            "vec::sort32(&lists.at(6176), &c1, &p, 2048)",
            "J0309 this reaches byte 41088 of the buffer of `lists`",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists.at(6144), &c1, &p, 2048)",
            "",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1, &p, 2047)",
            "J0310 this count is not known to be a multiple of 32: 2047",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1, &p, share.len())",
            "J0310 J0602 ",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &e1, &p, 8192)",
            "J0310 elements of `sort32`: at most 8160, found 8192",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists.at(4), &c1, &p, 64)",
            "J0307 `lists` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1.at(4), &p, 64)",
            "J0307 `c1` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1, &p.at(2), 64)",
            "J0307 `p` from element 2 on starts at byte 8",
        ),
        (
            "ascend910b1",
            "vec::sort32(&e1, &e1.at(64), &p, 64)",
            "J0311 `sort32` writes `e1` over its source `e1`",
        ),
        ("ascend910b1", "vec::sort32(&e1, &e1.at(128), &p, 64)", ""),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1, &c1, 64)",
            "J0201 `vec::sort32` wants places here, found a tensor of `f32`",
        ),
        (
            "ascend910b1",
            "vec::sort32(&best, &p, &p, 64)",
            "J0203 sort32 (Sort32) does not take i32",
        ),
        (
            "ascend910b1",
            "vec::sort32(&lists, &c1, &p, counter(64))",
            "J0106 `vec::sort32` takes a count, found counter mode",
        ),
        ("ascend310p", "vec::sort32(&lists, &c1, &p, 64)", "J0502 "),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1, &e1.at(64), 32, 32)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1, &e1, 4095, 1)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1, &e1, 4096, 1)",
            "J0310 pairs of list 0 of `mrg_sort2`: at most 4095, found 4096",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1, &e1, 1, 4096)",
            "J0310 pairs of list 1 of `mrg_sort2`: at most 4095, found 4096",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1, &e1, share.len(), 1)",
            "J0602 J0602 J0602 ",
        ),
        // A list begins at a pair, the result at a data block.
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1.at(2), &e1.at(64), 31, 32)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists, &e1.at(3), &e1.at(64), 31, 32)",
            "J0307 `e1` from element 3 on starts at byte 12, not at a multiple of 8",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&lists.at(2), &e1, &e1.at(64), 32, 32)",
            "J0307 `lists` from element 2 on starts at byte 8, not at a multiple of 32",
        ),
        ("ascend910b1", "vec::mrg_sort2(&c1, &e1, &e1, 1000, 24)", ""),
        (
            "ascend910b1",
            "vec::mrg_sort2(&c1, &e1, &e1, 1000, 25)",
            "J0309 this reaches byte 8200 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&e1, &lists, &c1, 8, 1025)",
            "J0309 this reaches byte 8200 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&e1, &e1.at(1024), &lists, 472, 40)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort2(&e1, &e1.at(1024), &lists, 473, 40)",
            "J0311 `mrg_sort2` writes `e1` over its source `e1`",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort3(&lists, &e1, &e1, &e1, 8, 9, 0)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort3(&lists, &e1, &e1, &e1, 8, 5000, 0)",
            "J0310 pairs of list 1 of `mrg_sort3`: at most 4095, found 5000",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort3(&lists, &e1, &e1, &e1, 8, 9)",
            "J0106 `vec::mrg_sort3` takes 7 arguments, found 6",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort4(&lists, &e1, &e1, &e1, &e1, 8, 9, 10, 11)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort4(&lists.at(10208), &e1, &e1, &e1, &e1, 4, 4, 4, 5)",
            "J0309 this reaches byte 40968 of the buffer of `lists`",
        ),
        (
            "ascend310p",
            "vec::mrg_sort4(&lists, &e1, &e1, &e1, &e1, 8, 9, 10, 11)",
            "J0502 ",
        ),
        ("ascend910b1", "vec::mrg_sort_fours(&lists, &e1, 32, 4)", ""),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&lists, &e1, 5, 255)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&lists, &e1, 5, 256)",
            "J0310 fours of lists of `mrg_sort_fours`: at most 255, found 256",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&lists, &e1, 4096, 1)",
            "J0310 pairs of a list of `mrg_sort_fours`: at most 4095, found 4096",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&c1, &e1, 32, 9)",
            "J0309 this reaches byte 9216 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&e1, &c1, 32, 9)",
            "J0309 this reaches byte 9216 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&e1, &e1.at(256), 32, 1)",
            "",
        ),
        (
            "ascend910b1",
            "vec::mrg_sort_fours(&e1, &e1.at(256), 33, 1)",
            "J0311 `mrg_sort_fours` writes `e1` over its source `e1`",
        ),
    ] {
        let text = with_tensors_aligned(&format!(
            ";;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\
             let (mut i, mut j, mut l) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\
             pipe.init_buffer(&mut i, 1, 8192); pipe.init_buffer(&mut j, 1, 8192); pipe.init_buffer(&mut l, 1, 40960);\
             let best = i.get::<i32>(); let p = j.get::<i32>(); let lists = l.get::<f32>();\n{call};"
        ));
        assert_found(
            call,
            findings(&text, Chip::by_name(chip).expect("a chip")),
            want,
        );
    }
}

#[test]
fn running_sums_keep_their_limits() {
    for (chip, call, want) in [
        ("ascend910b1", "vec::scan_sum(&c1, &e1, &o, &l, 2048)", ""),
        (
            "ascend910b1",
            "vec::scan_prod(&c1.at(8), &e1.at(64), &o, &l, 1)",
            "",
        ),
        ("ascend310p", "vec::scan_prod(&c1, &e1, &o, &l, 100)", ""),
        // The last data block of the result and of the work space, and the last offset.
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &e1, &o, &l, 2049)",
            "J0309 J0309 J0309 this reaches byte 8224 of the buffer of `c1`",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&e1, &e2, &o, &l, 2049)",
            "J0309 J0309 this reaches byte 8196 of the buffer of `o`",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&e1, &e2, &o, &l, 2049)",
            "J0309 J0309 this reaches byte 16512 of the buffer of `l`",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &e1, &o, &l, 0)",
            "J0310 elements of `scan_sum`: at least 1, found 0",
        ),
        (
            "ascend910b1",
            "vec::scan_prod(&e2, &e1, &o, &l, 16384)",
            "J0310 elements of `scan_prod`: at most 16383, found 16384",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1.at(4), &e1, &o, &l, 8)",
            "J0307 `c1` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &e1.at(4), &o, &l, 8)",
            "J0307 `e1` from element 4 on starts at byte 16",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &c1, &o, &l, 8)",
            "J0311 ",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&l, &c1, &o, &l, 8)",
            "J0311 writes `l` over its work buffer `l`",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &e1, &c1, &l, 8)",
            "J0201 `vec::scan_sum` wants byte offsets here, found a tensor of `f32`",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &e1, &o, 8)",
            "J0106 `vec::scan_sum` takes 5 arguments, found 4",
        ),
        (
            "ascend910b1",
            "vec::scan_sum(&c1, &e1, &o, &l, share.len())",
            "J0602 J0602 J0602 J0602 J0602 ",
        ),
    ] {
        let text = with_tensors_aligned(&format!(
            ";;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>(); let e2 = e1.at(8192);\
             let (mut i, mut j) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\
             pipe.init_buffer(&mut i, 1, 8192); pipe.init_buffer(&mut j, 1, 16448);\
             let o = i.get::<i32>(); let l = j.get::<f32>();\n{call};"
        ));
        assert_found(
            call,
            findings(&text, Chip::by_name(chip).expect("a chip")),
            want,
        );
    }
}

#[test]
fn bits_take_elements_within_their_limits() {
    for (chip, call, want) in [
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, &q, 2048)", ""),
        ("ascend910b1", "vec::gather_bits(&c1, &e1, &q, 2048)", ""),
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, &q, 2049)", "J0309 this reaches byte 8196 of the buffer of `c1`"),
        ("ascend910b1", "let kept = vec::gather_bits(&e1, &c1, &q, 2049)", "J0309 this reaches byte 8196 of the buffer of `c1`"),
        (
            "ascend910b1",
            "let kept = vec::gather_bits(&e1.at(8192), &e1, &q.at(256), 2049)",
            "J0309 this reaches byte 513 of the buffer",
        ),
        ("ascend910b1", "let kept = vec::gather_bits(&c1.at(4), &e1, &q, 8)", "J0307 `c1` from element 4 on starts at byte 16"),
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, &q.at(16), 8)", "J0307 `q` from element 16 on starts at byte 16"),
        ("ascend910b1", "let kept = vec::gather_bits(&e1, &e1, &q, 8)", "J0311 "),
        ("ascend910b1", "let kept = vec::gather_bits(&e1, &e1.at(8), &q, 32)", "J0311 "),
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, &q, 0)", "J0310 elements of `gather_bits`: at least 1, found 0"),
        (
            "ascend910b1",
            "let kept = vec::gather_bits(&c1, &e1, &e1, 8)",
            "J0201 `vec::gather_bits` wants the bits of a compare here",
        ),
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, 1, 8)", "J0106 "),
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, &q)", "J0106 `vec::gather_bits` takes 4 arguments, found 3"),
        (
            "ascend910b1",
            "let kept = vec::gather_bits(&c1, &e1, &q, counter(8))",
            "J0106 `vec::gather_bits` takes a count, found counter mode",
        ),
        ("ascend310p", "let kept = vec::gather_bits(&c1, &e1, &q, 8)", "J0502 "),
        // The kept elements are some of the given ones.
        (
            "ascend910b1",
            "let kept = vec::gather_bits(&c1, &e1, &q, 512); let more = vec::gather_bits(&c1, &e1, &q, kept + 1)",
            "",
        ),
        ("ascend910b1", "let kept = vec::gather_bits(&e1.at(4096), &e1, &q, 2048); vec::adds(&c1, &e1.at(4096), 1.0, kept)", ""),
        (
            "ascend910b1",
            "let kept = vec::gather_bits(&e1.at(4096), &e1, &q, 2048); vec::adds(&c1, &e1.at(4096), 1.0, kept + 1)",
            "J0602 ",
        ),
        ("ascend910b1", "let kept = vec::gather_bits(&c1, &e1, &q, 2048); vec::gather_bits(&c1, &e1, &q, kept)", "J0602 "),
    ] {
        let text = with_tensors_aligned(&format!(
            ";;let mut e = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut e, 1, 65536); let e1 = e.get::<f32>();\
             let mut b = TBuf::<VecCalc>::new(); pipe.init_buffer(&mut b, 1, 512); let q = b.get::<u8>();\n{call};"
        ));
        assert_found(call, findings(&text, Chip::by_name(chip).expect("a chip")), want);
    }
}
