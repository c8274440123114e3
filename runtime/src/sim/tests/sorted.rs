//! Places of the largest elements compared with a plain sort. Running sums and products are
//! compared with loops. Every invalid operand is refused.

use super::ops::array;
use crate::{Array, Launch, Overflow, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;

/// The elements of the source.
const N: usize = 512;

/// Runs `CALL`, which writes places to `z`; `p` counts from 0 on, `w` is work space of 512
/// elements, and `u` a buffer without values.
fn run(dtype: DType, call: &str, x: &[f64]) -> Result<Vec<f64>, RunError> {
    let d = dtype.name();
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] gx: &GlobalTensor<{d}>, #[shape({N})] y: &mut GlobalTensor<i32>, many: usize) {{\n\
         let share = split(1); let mut pipe = TPipe::new();\n\
         let (mut a, mut c) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());\n\
         let (mut e, mut f, mut g) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 1, {N} * size_of::<{d}>()); pipe.init_buffer(&mut c, 1, {N} * 4);\n\
         pipe.init_buffer(&mut e, 1, {N} * 4); pipe.init_buffer(&mut f, 1, {N} * 20); pipe.init_buffer(&mut g, 1, {N} * 4);\n\
         let p = e.get::<i32>(); let w = f.get::<{d}>(); let u = g.get::<{d}>(); vec::create_vec_index(&p, 0, {N});\n\
         for i in 0..share.len() {{ let t = a.alloc_tensor::<{d}>(); data_copy(&t, gx.slice(0, {N})); a.enque(t); let x = a.deque::<{d}>();\n\
         let z = c.alloc_tensor::<i32>(); vec::duplicate(&z, -7, {N});\n\
         {call}\n\
         a.free_tensor(x); c.enque(z); let z = c.deque::<i32>(); data_copy(y.slice(0, {N}), &z); c.free_tensor(z); }}\n}}"
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
    let mut y = Array::zeros(DType::I32, &[N]).unwrap();
    Launch::new(&kernel)
        .pipes(true)
        .input("gx", &array(dtype, x))
        .output("y", &mut y)
        .attr("many", 3i64)
        .run()?;
    Ok(y.to_f64())
}

/// Finds the places of the largest elements one by one.
fn largest(x: &[f64], most: usize) -> Vec<f64> {
    let mut left: Vec<usize> = (0..x.len()).collect();
    let mut found = Vec::new();
    for _ in 0..most {
        let best = (0..left.len()).fold(0, |best, at| {
            if x[left[at]] > x[left[best]] {
                at
            } else {
                best
            }
        });
        found.push(left.remove(best) as f64);
    }
    found
}

#[test]
fn places_are_those_of_the_largest_and_of_equal_ones_the_first_come_first() {
    let mixed = |i: usize| match i % 11 {
        0 => f64::NEG_INFINITY,
        1 => f64::INFINITY,
        2 => -0.0,
        3 => 0.0,
        _ => (i * 77 % 50) as f64 - 25.0,
    };
    let sources: [Vec<f64>; 4] = [
        (0..N).map(mixed).collect(),
        (0..N).map(|i| i as f64).collect(),
        (0..N).map(|i| -(i as f64)).collect(),
        vec![1.5; N],
    ];
    for (x, dtype) in sources
        .iter()
        .flat_map(|x| [(x, DType::F16), (x, DType::F32)])
    {
        for (most, n) in [
            (1, 1),
            (1, 31),
            (32, 32),
            (5, 33),
            (33, 33),
            (100, 131),
            (7, 300),
            (300, 300),
            (512, 512),
        ] {
            let got = run(dtype, &format!("vec::top(&z, &x, &p, &w, {most}, {n});"), x).unwrap();
            let want: Vec<f64> = largest(&x[..n], most)
                .into_iter()
                .chain([-7.0; N])
                .take(N)
                .collect();
            assert_eq!(got, want, "{dtype}: {most} of {n}");
        }
        // A part, with numbers from 64 on, and as many places as the launch asks for.
        let got = run(
            dtype,
            "vec::top(&z.at(8), &x.at(16), &p.at(64), &w, many, 2 * many + 90);",
            x,
        )
        .unwrap();
        let want = largest(&x[16..112], 3).into_iter().map(|at| at + 64.0);
        assert_eq!(got[8..11], want.collect::<Vec<_>>(), "{dtype}");
    }
}

#[test]
fn what_cannot_be_ordered_is_a_fault() {
    let numbers: Vec<f64> = (0..N)
        .map(|i| if i == 40 { f64::NAN } else { i as f64 })
        .collect();
    for (call, code, part) in [
        (
            "vec::top(&z, &x, &p, &w, 8, 64);",
            Code::J0802,
            "element 40 of `x` is nan, which `top` has no place for",
        ),
        (
            "vec::top(&z, &u, &p, &w, 8, 64);",
            Code::J0802,
            "element 0 of `u` has no value, and `top` sorts by it",
        ),
        (
            "vec::top(&z, &x, &p, &w, many + 10, 4 * many);",
            Code::J0801,
            "the number of places that `top` is asked for is 13, possible are 1 to 12",
        ),
        (
            "vec::top(&z, &x, &p, &w, 1, many - 3);",
            Code::J0801,
            "`top` is asked to sort 0 elements, possible are 1 to 8160",
        ),
        (
            "vec::top(&z, &x, &p, &w, 1, 200 * many);",
            Code::J0801,
            "`top` reaches over 600 elements of `x`, whose buffer has 512 from there",
        ),
        // The work space has no value after a call.
        (
            "vec::top(&z, &x, &p, &w, 8, 32); vec::top(&z, &w, &p, &u, 1, 1);",
            Code::J0802,
            "element 0 of `w` has no value",
        ),
    ] {
        let error = run(DType::F32, call, &numbers).expect_err(call);
        let Some(f) = error.fault() else {
            panic!("refused: {error}")
        };
        assert_eq!(f.code, code, "{call}: {error}");
        assert!(f.message.contains(part), "{call}: {error}");
    }
}

/// Formats a call that takes the places of pairs of `n` elements from the start of `from`.
fn places(from: &str, n: impl std::fmt::Display) -> String {
    format!("vec::gather_mask(&z, &{from}.reinterpret_cast::<i32>(), 2, 2 * ({n}));")
}

#[test]
fn each_list_is_in_falling_order_and_lists_become_one() {
    let x: Vec<f64> = (0..N)
        .map(|i| [0.0, -0.0, f64::INFINITY, -3.0][i % 4] + (i * 77 % 19) as f64)
        .collect();
    let sorted = |list: usize, length: usize| -> Vec<usize> {
        largest(&x[32 * list..32 * (list + 1)], length)
            .into_iter()
            .map(|at| 32 * list + at as usize)
            .collect()
    };
    // Equal elements keep the order of their lists.
    let merged = |lists: &[(usize, usize)]| -> Vec<f64> {
        let all: Vec<usize> = lists
            .iter()
            .flat_map(|(list, length)| sorted(*list, *length))
            .collect();
        let scores: Vec<f64> = all.iter().map(|at| x[*at]).collect();
        largest(&scores, all.len())
            .into_iter()
            .map(|at| all[at as usize] as f64)
            .collect()
    };
    for dtype in [DType::F16, DType::F32] {
        let pair = 8 / dtype.bytes();
        let at = |list: i64| format!("&w.at({})", 32 * pair * list);
        let (to, all) = (
            format!("w.at({})", 512 * pair),
            "vec::sort32(&w, &x, &p, 512);",
        );
        let run = |call: String| run(dtype, &call, &x).unwrap();
        for n in [32, 96, 512] {
            let got = run(format!("vec::sort32(&w, &x, &p, {n}); {}", places("w", n)));
            let want = (0..n / 32)
                .flat_map(|list| sorted(list, 32))
                .map(|at| at as f64);
            assert_eq!(
                got,
                want.chain([-7.0; N]).take(N).collect::<Vec<_>>(),
                "{dtype}: {n}"
            );
        }
        for (lengths, name) in [
            (&[(3, 32), (1, 20)][..], "mrg_sort2"),
            (&[(0, 7), (0, 0), (9, 32)], "mrg_sort3"),
            (&[(5, 1), (4, 32), (2, 17), (15, 32)], "mrg_sort4"),
        ] {
            let lists: String = lengths
                .iter()
                .map(|(list, _)| at(*list as i64) + ", ")
                .collect();
            let told = lengths
                .iter()
                .map(|(_, length)| length.to_string())
                .collect::<Vec<_>>()
                .join(", ");
            let want = merged(lengths);
            let got = run(format!(
                "{all} vec::{name}(&{to}, {lists}{told}); {}",
                places(&to, want.len())
            ));
            assert_eq!(got[..want.len()], want, "{dtype}: {name}");
        }
        let got = run(format!(
            "{all} vec::mrg_sort_fours(&{to}, &w, 32, many); {}",
            places(&to, 384)
        ));
        let want: Vec<f64> = (0..3)
            .flat_map(|four| merged(&[0, 1, 2, 3].map(|list| (4 * four + list, 32))))
            .collect();
        assert_eq!(got[..384], want, "{dtype}: fours");
    }
}

#[test]
fn what_is_no_list_of_pairs_is_a_fault() {
    let numbers: Vec<f64> = (0..N)
        .map(|i| if i == 40 { f64::NAN } else { i as f64 })
        .collect();
    let sorted = "vec::sort32(&w, &x, &p, 32);";
    for (dtype, call, code, part) in [
        (
            DType::F32,
            "vec::sort32(&w, &x, &p, 64);",
            Code::J0802,
            "element 40 of `x` is nan, which `sort32` has no place for",
        ),
        (
            DType::F32,
            "vec::sort32(&w, &u, &p, 64);",
            Code::J0802,
            "element 0 of `u` has no value, and `sort32` sorts by it",
        ),
        (
            DType::F32,
            "vec::sort32(&w, &x, &p, 3200 * many);",
            Code::J0801,
            "`sort32` is asked to sort 9600 elements, possible are multiples of 32 up to 8160",
        ),
        (
            DType::F32,
            "vec::sort32(&w, &x, &p, 320 * many);",
            Code::J0801,
            "`sort32` reaches over 960 elements of `x`",
        ),
        (
            DType::F32,
            "vec::mrg_sort2(&w, &x, &x.at(64), 3, 3);",
            Code::J0801,
            "pair 1 of a list of `mrg_sort2` in `x` is above the one before it",
        ),
        (
            DType::F32,
            "vec::mrg_sort2(&w, &u, &u.at(64), 3, 3);",
            Code::J0802,
            "element 0 of `u` has no value, and `mrg_sort2` sorts by it",
        ),
        (
            DType::F32,
            "vec::mrg_sort2(&u, &w, &w.at(64), 3, 2000 * many);",
            Code::J0801,
            "a list of `mrg_sort2` has 6000 pairs, possible are 0 to 4095",
        ),
        (
            DType::F32,
            "vec::mrg_sort2(&u, &w, &w.at(64), 3, 100 * many);",
            Code::J0801,
            "`mrg_sort2` reaches over 606 elements of `u`",
        ),
        (
            DType::F32,
            "vec::mrg_sort2(&w, &w.at(64 * many), &w, 100, 0);",
            Code::J0801,
            "`w` and `w` of `mrg_sort2` lie over one another",
        ),
        (
            DType::F32,
            "vec::mrg_sort_fours(&u, &w, 1, 100 * many);",
            Code::J0801,
            "`mrg_sort_fours` merges 300 fours of lists, possible are 0 to 255",
        ),
        // The bytes between an element of half and its place have no value.
        (
            DType::F16,
            "let v = w.get_value(1); if v > 0.0 { vec::duplicate(&z, 1, 8); }",
            Code::J0802,
            "get_value reads an element of `w` that was never written",
        ),
    ] {
        let call = if dtype == DType::F16 {
            format!("{sorted} {call}")
        } else {
            call.to_string()
        };
        let error = run(dtype, &call, &numbers).expect_err(&call);
        let Some(f) = error.fault() else {
            panic!("refused: {error}")
        };
        assert_eq!(f.code, code, "{call}: {error}");
        assert!(f.message.contains(part), "{call}: {error}");
    }
}

/// Runs `CALL`, which writes to `z`; `o` has the offsets of elements, `w` is work space of 512 of
/// them, and `u` a buffer without values.
fn scan(dtype: DType, call: &str, x: &[f64], overflow: Overflow) -> Result<Vec<f64>, RunError> {
    let d = dtype.name();
    let zero = if dtype.is_float() { "0.0" } else { "0" };
    let text = format!(
        "#[kernel]\nfn k(#[shape({N})] gx: &GlobalTensor<{d}>, #[shape({N})] y: &mut GlobalTensor<{d}>, many: usize) {{\n\
         let share = split(1); let mut pipe = TPipe::new();\n\
         let (mut a, mut c) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());\n\
         let (mut e, mut f, mut g) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 1, {N} * 4); pipe.init_buffer(&mut c, 1, {N} * 4);\n\
         pipe.init_buffer(&mut e, 1, {N} * 4); pipe.init_buffer(&mut f, 1, {N} * 8 + 64); pipe.init_buffer(&mut g, 1, {N} * 8 + 64);\n\
         let o = e.get::<i32>(); let w = f.get::<{d}>(); let u = g.get::<{d}>(); vec::create_vec_index(&o, 0, {N}); vec::muls(&o, &o, 4, {N});\n\
         for i in 0..share.len() {{ let t = a.alloc_tensor::<{d}>(); data_copy(&t, gx.slice(0, {N})); a.enque(t); let x = a.deque::<{d}>();\n\
         let z = c.alloc_tensor::<{d}>(); vec::duplicate(&z, {zero}, {N});\n\
         {call}\n\
         a.free_tensor(x); c.enque(z); let z = c.deque::<{d}>(); data_copy(y.slice(0, {N}), &z); c.free_tensor(z); }}\n}}"
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
    let mut y = Array::zeros(dtype, &[N]).unwrap();
    Launch::new(&kernel)
        .overflow(overflow)
        .pipes(true)
        .input("gx", &array(dtype, x))
        .output("y", &mut y)
        .attr("many", 3i64)
        .run()?;
    Ok(y.to_f64())
}

#[test]
fn sums_and_products_run_over_all_before() {
    // Integers, whose sum is equal in every order, and powers of two.
    let small: Vec<f64> = (0..N).map(|i| (i * 77 % 13) as f64 - 6.0).collect();
    let powers: Vec<f64> = (0..N).map(|i| [2.0, -0.5, 1.0, -1.0][i % 4]).collect();
    for dtype in [DType::F32, DType::I32] {
        for n in [1usize, 2, 7, 8, 9, 64, 100, 505, 512] {
            let last = n.next_multiple_of(8);
            // The filler of the last data block has no value.
            let fill = if last > n {
                format!("vec::duplicate(&z.at({}), 0, 8); ", last - 8)
            } else {
                String::new()
            };
            let fill = if dtype.is_float() {
                fill.replace(", 0,", ", 0.0,")
            } else {
                fill
            };
            let again = format!(
                "vec::adds(&z, &u, {}, {n});",
                if dtype.is_float() { "0.0" } else { "0" }
            );
            let call = |op: &str| format!("vec::{op}(&u, &x, &o, &w, {n}); {fill}{again}");
            let running = |x: &[f64], join: fn(f64, f64) -> f64, none: f64| -> Vec<f64> {
                let sums = x[..n].iter().scan(none, |sum, v| {
                    *sum = join(*sum, *v);
                    Some(*sum)
                });
                sums.chain([0.0; N]).take(N).collect()
            };
            let got = scan(dtype, &call("scan_sum"), &small, Overflow::InfNan).unwrap();
            assert_eq!(got, running(&small, |a, b| a + b, 0.0), "{dtype} {n}");
            if dtype == DType::F32 {
                let got = scan(dtype, &call("scan_prod"), &powers, Overflow::InfNan).unwrap();
                assert_eq!(got, running(&powers, |a, b| a * b, 1.0), "{dtype} {n}");
            }
        }
    }
    // A sum that leaves its type: each step of the doubling wraps, or saturates.
    let large = vec![f64::from(1 << 30); N];
    for (overflow, want) in [
        (Overflow::InfNan, f64::from(1u32 << 31) - 4294967296.0),
        (Overflow::Saturate, f64::from(i32::MAX)),
    ] {
        assert_eq!(
            scan(
                DType::I32,
                "vec::scan_sum(&z, &x, &o, &w, 512);",
                &large,
                overflow
            )
            .unwrap()[1],
            want
        );
    }
}

#[test]
fn what_cannot_be_scanned_is_a_fault() {
    let numbers: Vec<f64> = (0..N).map(|i| i as f64).collect();
    for (call, code, part) in [
        (
            "vec::scan_sum(&z, &x, &o, &w, many - 3);",
            Code::J0801,
            "`scan_sum` is asked for 0 elements, possible are 1 to 16383",
        ),
        (
            "vec::scan_sum(&z, &x, &o, &w, 200 * many);",
            Code::J0801,
            "`scan_sum` reaches over 600 elements of `z`, whose buffer has 512 from there",
        ),
        (
            "vec::scan_sum(&z, &x, &o.at(8), &w, 64);",
            Code::J0801,
            "`scan_sum` takes element 0 of `o` for an offset: it is to be 0",
        ),
        ("vec::scan_sum(&z, &u, &o, &w, 512);", Code::J0807, ""),
        (
            "vec::scan_sum(&z, &x, &o, &w, 512); vec::adds(&z, &w, 1.0, 512);",
            Code::J0807,
            "",
        ),
    ] {
        let error = scan(DType::F32, call, &numbers, Overflow::InfNan).expect_err(call);
        let Some(f) = error.fault() else {
            panic!("refused: {error}")
        };
        if code != Code::J0807 {
            assert_eq!(f.code, code, "{call}: {error}");
        }
        assert!(f.message.contains(part), "{call}: {error}");
    }
}
