//! Gather: compared with a loop over offsets, and every offset, base and operand that leads
//! outside.

use super::ops::array;
use crate::{Array, Launch, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;

/// The number of source elements and of offsets.
const N: usize = 256;

/// Runs `CALL` in line 8, which reads `x` by the offsets `o` into `z`, of twice as many elements;
/// `w` is a buffer without values.
fn run(dtype: DType, call: &str, x: &Array, offsets: &[f64]) -> Result<Vec<f64>, RunError> {
    let d = dtype.name();
    let zero = if dtype.is_float() { "0.0" } else { "0" };
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] gx: &GlobalTensor<{d}>, #[shape({N})] go: &GlobalTensor<i32>, #[shape(512)] y: &mut GlobalTensor<{d}>, base: usize) {{\n\
         let share = split(1); let mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c, mut e) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut b, 1, 1024); pipe.init_buffer(&mut c, 1, 512 * size_of::<{d}>()); pipe.init_buffer(&mut e, 1, 1024);\n\
         let w = e.get::<i32>(); for i in 0..share.len() {{ let t = a.alloc_tensor::<{d}>(); data_copy(&t, gx.slice(0, {N})); a.enque(t); let x = a.deque::<{d}>();\n\
         let t = b.alloc_tensor::<i32>(); data_copy(&t, go.slice(0, {N})); b.enque(t); let o = b.deque::<i32>(); let z = c.alloc_tensor::<{d}>(); vec::duplicate(&z, {zero}, 512);\n\
         {call}\n\
         a.free_tensor(x); b.free_tensor(o); c.enque(z); let z = c.deque::<{d}>(); data_copy(y.slice(0, 512), &z); c.free_tensor(z); }}\n}}"
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
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let mut y = Array::zeros(dtype, &[512]).unwrap();
    let offsets = array(DType::I32, offsets);
    Launch::new(&kernel)
        .pipes(true)
        .input("gx", x)
        .input("go", &offsets)
        .output("y", &mut y)
        .attr("base", 2i64)
        .run()?;
    Ok(y.to_f64())
}

/// Makes distinct numbers that every element type has.
fn source(dtype: DType) -> Array {
    array(dtype, &(0..N).map(|i| i as f64 - 100.0).collect::<Vec<_>>())
}

#[test]
fn elements_come_from_where_offsets_say() {
    for dtype in [DType::F16, DType::Bf16, DType::F32, DType::I32] {
        let (x, size) = (source(dtype), dtype.bytes() as usize);
        let from = x.to_f64();
        // Scattered places, with the last one, and one that occurs often.
        let places: Vec<usize> = (0..N)
            .map(|i| if i % 9 == 0 { N - 1 } else { i * 77 % N })
            .collect();
        let offsets: Vec<f64> = places.iter().map(|p| (p * size) as f64).collect();
        let got = run(dtype, "vec::gather(&z, &x, &o, 0, 256);", &x, &offsets).unwrap();
        let want: Vec<f64> = places.iter().map(|p| from[*p]).chain([0.0; N]).collect();
        assert_eq!(got, want, "{dtype}");
        // From an offset on, with a base, by a part of the offsets; elements beyond the count stay.
        let near: Vec<f64> = (0..N).map(|i| (i * 31 % 100 * size) as f64).collect();
        let got = run(
            dtype,
            "vec::gather(&z.at(64), &x.at(32), &o.at(16), base * 4, 101);",
            &x,
            &near,
        )
        .unwrap();
        let want = |i: usize| {
            if (64..165).contains(&i) {
                from[32 + 8 / size + (i - 64 + 16) * 31 % 100]
            } else {
                0.0
            }
        };
        assert_eq!(got, (0..512).map(want).collect::<Vec<_>>(), "{dtype}");
    }
}

#[test]
fn an_offset_that_leads_elsewhere_is_a_fault() {
    let x = source(DType::F32);
    let at = |i: usize, offset: f64| {
        let mut offsets = vec![0.0; N];
        offsets[i] = offset;
        offsets
    };
    let offset = |i, of: &str| format!("element {i} of `o` for an offset into `x`: it is {of}");
    for (call, offsets, code, part) in [
        (
            "vec::gather(&z, &x, &o, 0, 256);",
            at(255, -4.0),
            Code::J0801,
            offset(255, "-4, possible are multiples of 4 from 0 to 1020"),
        ),
        (
            "vec::gather(&z, &x, &o, 0, 256);",
            at(3, 1024.0),
            Code::J0801,
            offset(3, "1024, possible"),
        ),
        (
            "vec::gather(&z, &x, &o, 0, 256);",
            at(3, 6.0),
            Code::J0801,
            offset(3, "6, possible"),
        ),
        (
            "vec::gather(&z, &x.at(8), &o, 8, 256);",
            at(3, 984.0),
            Code::J0801,
            offset(3, "984, possible are multiples of 4 from 0 to 980"),
        ),
        (
            "vec::gather(&z, &x, &w, 0, 8);",
            at(0, 0.0),
            Code::J0802,
            "offset 0 of `gather` has no value".to_string(),
        ),
        (
            "let at = o.get_value(0) as usize; vec::gather(&z, &x, &o, at * 4, 8);",
            at(0, 256.0),
            Code::J0801,
            "the base of `gather` is 1024, possible are multiples of 4 from 0 to 1020".to_string(),
        ),
        (
            "let at = o.get_value(0) as usize; vec::gather(&z.at(at * 8), &z, &o, 0, 8);",
            at(0, 8.0),
            Code::J0801,
            "`gather` writes `z` over its source `z`".to_string(),
        ),
    ] {
        let error = run(DType::F32, call, &x, &offsets).expect_err(call);
        let Some(f) = error.fault() else {
            panic!("refused: {error}")
        };
        assert_eq!((f.code, f.line), (code, 8), "{call}: {error}");
        assert!(f.message.contains(&part), "{call}: {error}");
    }
    // Offsets beyond the count may be anything.
    run(
        DType::F32,
        "vec::gather(&z, &x, &o, 0, 255); vec::gather(&z, &x, &o, 0, 0);",
        &x,
        &at(255, -4.0),
    )
    .unwrap();
}

#[test]
fn data_blocks_come_from_where_offsets_say() {
    for dtype in [
        DType::F16,
        DType::Bf16,
        DType::F32,
        DType::I32,
        DType::U16,
        DType::U32,
        DType::I16,
    ] {
        let (x, per) = (
            array(dtype, &(0..N).map(|i| i as f64).collect::<Vec<_>>()),
            32 / dtype.bytes() as usize,
        );
        let from = x.to_f64();
        // Scattered data blocks, one of them often.
        let places: Vec<usize> = (0..N)
            .map(|i| if i % 3 == 0 { 1 } else { i * 5 % (N / per) })
            .collect();
        let offsets: Vec<f64> = places.iter().map(|p| (p * 32) as f64).collect();
        let block = |first: usize, i: usize| &from[first + places[i] * per..][..per];
        let got = run(dtype, "vec::gatherb(&z, &x, &o, 16);", &x, &offsets).unwrap();
        assert_eq!(
            got[..16 * per],
            (0..16)
                .flat_map(|i| block(0, i))
                .copied()
                .collect::<Vec<_>>(),
            "{dtype}"
        );
        assert!(got[16 * per..].iter().all(|v| *v == 0.0), "{dtype}");
        // Two repeats with gaps between their blocks, by offsets from a place on.
        let near: Vec<f64> = offsets.iter().map(|v| v % 128.0).collect();
        let got = run(
            dtype,
            "vec::gatherb(&z.blocks(2, 17), &x.at(32), &o.at(8), 8 * base);",
            &x,
            &near,
        )
        .unwrap();
        let mut want = vec![0.0; 512];
        for i in 0..16 {
            let to = (i / 8 * 17 + i % 8 * 2) * per;
            want[to..to + per]
                .copy_from_slice(&from[32 + near[8 + i] as usize / 32 * per..][..per]);
        }
        assert_eq!(got, want, "{dtype}");
    }
}

#[test]
fn an_offset_that_leads_to_no_data_block_is_a_fault() {
    let x = source(DType::F32);
    let at = |i: usize, offset: f64| {
        (0..N)
            .map(|k| if k == i { offset } else { 0.0 })
            .collect::<Vec<_>>()
    };
    for (call, offsets, code, part) in [
        (
            "vec::gatherb(&z, &x, &o, 8);",
            at(7, -32.0),
            Code::J0801,
            "it is -32, possible are multiples of 32 from 0 to 992",
        ),
        (
            "vec::gatherb(&z, &x, &o, 8);",
            at(7, 1024.0),
            Code::J0801,
            "it is 1024",
        ),
        (
            "vec::gatherb(&z, &x, &o, 8);",
            at(0, 16.0),
            Code::J0801,
            "it is 16",
        ),
        (
            "vec::gatherb(&z, &x.at(8), &o, 8);",
            at(0, 992.0),
            Code::J0801,
            "from 0 to 960",
        ),
        (
            "vec::gatherb(&z, &x, &w, 8);",
            at(0, 0.0),
            Code::J0802,
            "offset 0 of `gatherb` has no value",
        ),
        (
            "let at = o.get_value(0) as usize; vec::gatherb(&z.at(at * 8), &z, &o, 8);",
            at(0, 8.0),
            Code::J0801,
            "`gatherb` writes `z` over its source `z`",
        ),
        (
            "let r = o.get_value(0) as usize; vec::gatherb(&z, &x, &o, r * 8);",
            at(0, 9.0),
            Code::J0801,
            "reaches over",
        ),
        (
            "let s = o.get_value(0) as usize; vec::gatherb(&z.blocks(s, 8), &x, &o, 8);",
            at(0, 0.0),
            Code::J0801,
            "block stride",
        ),
    ] {
        let error = run(DType::F32, call, &x, &offsets).expect_err(call);
        let Some(f) = error.fault() else {
            panic!("refused: {error}")
        };
        assert_eq!((f.code, f.line), (code, 8), "{call}: {error}");
        assert!(f.message.contains(part), "{call}: {error}");
    }
    run(DType::F32, "vec::gatherb(&z, &x, &o, 0);", &x, &at(0, -4.0)).unwrap();
}

/// Runs `CALL` in line 8, which keeps elements of `x` by the bits `m` of `key >= 0`; `w` are bits
/// without values. Returns the array and the number of elements that the call counted.
fn keep(dtype: DType, call: &str, x: &Array, key: &[f64]) -> Result<(Vec<f64>, f64), RunError> {
    let d = dtype.name();
    let zero = if dtype.is_float() { "0.0" } else { "0" };
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] gx: &GlobalTensor<{d}>, #[shape({N})] gk: &GlobalTensor<f32>, #[shape({N})] y: &mut GlobalTensor<{d}>, #[shape(8)] count: &mut GlobalTensor<i32>) {{\n\
         let share = split(1); let mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c, mut f, mut g) = (TQue::<VecIn, 1>::new(), TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TQue::<VecOut, 1>::new(), TQue::<VecOut, 1>::new()); let (mut e, mut h) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut b, 1, 1024); pipe.init_buffer(&mut c, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut f, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut g, 1, 32); pipe.init_buffer(&mut e, 1, 64); pipe.init_buffer(&mut h, 1, 64);\n\
         let (m, w) = (e.get::<u8>(), h.get::<u8>()); for i in 0..share.len() {{ let t = a.alloc_tensor::<{d}>(); data_copy(&t, gx.slice(0, {N})); a.enque(t); let x = a.deque::<{d}>(); let t = b.alloc_tensor::<f32>(); data_copy(&t, gk.slice(0, {N})); b.enque(t); let k = b.deque::<f32>(); vec::ges(&m, &k, 0.0, {N}); b.free_tensor(k);\n\
         let z = c.alloc_tensor::<{d}>(); vec::duplicate(&z, {zero}, {N}); c.enque(z); let z = c.deque::<{d}>(); data_copy(y.slice(0, {N}), &z); c.free_tensor(z); let z = f.alloc_tensor::<{d}>();\n\
         {call}\n\
         a.free_tensor(x); f.enque(z); let z = f.deque::<{d}>(); if kept > 0 {{ data_copy_pad(y.slice(0, kept), &z); }} f.free_tensor(z); let n = g.alloc_tensor::<i32>(); vec::duplicate(&n, kept as i32, 8); g.enque(n); let n = g.deque::<i32>(); data_copy(count.slice(0, 8), &n); g.free_tensor(n); }}\n}}"
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
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let (mut y, mut count) = (
        Array::zeros(dtype, &[N]).unwrap(),
        Array::zeros(DType::I32, &[8]).unwrap(),
    );
    let key = array(DType::F32, key);
    Launch::new(&kernel)
        .pipes(true)
        .input("gx", x)
        .input("gk", &key)
        .output("y", &mut y)
        .output("count", &mut count)
        .run()?;
    Ok((y.to_f64(), count.to_f64()[0]))
}

#[test]
fn elements_are_kept_by_their_bits_and_counted() {
    let scattered: Vec<f64> = (0..N).map(|i| (i * 77 % N) as f64 - 99.0).collect();
    for dtype in [DType::F16, DType::Bf16, DType::F32, DType::I32] {
        let x = source(dtype);
        for (key, n) in [
            (scattered.clone(), 256),
            (scattered.clone(), 131),
            (vec![1.0; N], 256),
            (vec![-1.0; N], 256),
            (scattered.clone(), 1),
        ] {
            let (got, count) = keep(
                dtype,
                &format!("let kept = vec::gather_bits(&z, &x, &m, {n});"),
                &x,
                &key,
            )
            .unwrap();
            let kept: Vec<f64> = (0..n)
                .filter(|i| key[*i] >= 0.0)
                .map(|i| x.to_f64()[i])
                .collect();
            assert_eq!(count, kept.len() as f64, "{dtype} {n}");
            let want: Vec<f64> = kept.into_iter().chain([0.0; N]).take(N).collect();
            assert_eq!(got, want, "{dtype} {n}");
        }
    }
}

#[test]
fn what_is_kept_by_bits_without_values_is_a_fault() {
    let (x, key) = (source(DType::F32), vec![1.0; N]);
    for (call, code, part) in [
        ("let kept = vec::gather_bits(&z, &x, &w, 64);", Code::J0802, "bit 0 of `w` has no value, and `gather_bits` keeps elements by it"),
        // Elements after the kept ones have no value, whatever was there.
        (
            "vec::duplicate(&z, 1.0, 256); vec::lts(&m, &x, -60.0, 256); let some = vec::gather_bits(&z, &x, &m, 256); let kept = some * 0 + 41;",
            Code::J0802,
            "",
        ),
    ] {
        let error = keep(DType::F32, call, &x, &key).expect_err(call);
        let Some(f) = error.fault() else { panic!("refused: {error}") };
        assert_eq!(f.code, code, "{call}: {error}");
        assert!(f.message.contains(part), "{call}: {error}");
    }
}
