//! Attributes of the kernel's own element types: a launch gives a number, and the instance rounds
//! it to its type, to nearest even.
//!
//! A number that the type cannot hold is refused with the name of the attribute, by every reader
//! alike.

use half::{bf16, f16};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::diag::Code;
use jumar::dsl::soc::Chip;
use jumar::dsl::tiling::Value;
use jumar::held::Held;
use jumar::prelude::kernels;
use jumar::runtime::tile::Tile;
use jumar::runtime::{AsInput, AsOutput, AttrValue, Backend, Launch, RunError};
use ndarray::{arr1, Array1};

#[kernels]
mod own {
    use jumar::prelude::*;

    #[kernel]
    pub fn scaled<T: Number>(
        x: &GlobalTensor<T>,
        #[default(2)] alpha: T,
        #[default([1, 0])] ends: [T; 2],
        y: &mut GlobalTensor<T>,
    ) {
        let [most, least] = ends;
        let k = alpha;
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            let u = if most > least {
                v * k + alpha * v
            } else {
                v - k
            };
            y.at(t).store(u.min(most).max(least).cast::<T>());
        }
    }

    /// Uses the attribute beside elements of its own type; bf16 has no such calls.
    #[kernel]
    #[instances(f16, f32, i32)]
    pub fn direct<T: Number>(x: &GlobalTensor<T>, alpha: T, ends: [T; 2], y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load() * alpha;
            let same = v.eq(alpha).select(v, ends[1]);
            y.at(t).store(v.gt(alpha).select(v.min(ends[0]), same));
        }
    }

    #[kernel]
    #[instances(i16, i32)]
    pub fn whole<T: Element>(
        x: &GlobalTensor<T>,
        alpha: T,
        #[default([0, 0])] ends: [T; 2],
        y: &mut GlobalTensor<T>,
    ) {
        require(alpha != 0);
        let twice = alpha * 2;
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() + alpha - twice + ends[0]);
        }
    }

    /// Fills places outside with numbers of unsigned types.
    #[kernel]
    pub fn behind(
        #[shape(n)] x: &GlobalTensor<u16>,
        #[shape(n)] w: &GlobalTensor<u32>,
        #[shape(n)] y: &mut GlobalTensor<u16>,
        #[shape(n)] z: &mut GlobalTensor<u32>,
    ) {
        for t in tiles(n) {
            y.at(t).store(x.at(t + 1).load_or(60000));
            z.at(t).store(w.at(t - 1).load_or(2000000000));
        }
    }
}

fn checked(kernel: &'static jumar::KernelDef) -> &'static CheckedKernel {
    kernel.check(Chip::default_chip()).expect("a right kernel")
}

/// Runs a launch on each reader, and returns the result that all of them give.
fn run<T: Clone + PartialEq + std::fmt::Debug + Default>(
    kernel: &CheckedKernel,
    x: &[T],
    alpha: impl AttrValue + Copy,
    ends: [Value; 2],
) -> Result<Vec<T>, RunError>
where
    Array1<T>: AsInput + AsOutput,
{
    let (tile, cpp) = (Tile::default(), Held::default());
    let readers: [Option<&dyn Backend>; 3] = [None, Some(&tile), Some(&cpp)];
    let mut first: Option<Result<Vec<T>, RunError>> = None;
    for reader in readers {
        let (x, mut y) = (arr1(x), Array1::from_elem(x.len(), T::default()));
        let launch = Launch::new(kernel)
            .input("x", &x)
            .output("y", &mut y)
            .attr("alpha", alpha)
            .attrs("ends", ends);
        let ran = match reader {
            Some(reader) => launch.backend(reader),
            None => launch,
        }
        .run();
        let own = ran.map(|_| y.to_vec());
        match &first {
            None => first = Some(own),
            Some(first) => assert_eq!(
                first.as_ref().map_err(ToString::to_string),
                own.as_ref().map_err(ToString::to_string)
            ),
        }
    }
    first.expect("three readers")
}

#[test]
fn a_number_stands_around_elements_that_have_no_sign() {
    let (tile, cpp) = (Tile::default(), Held::default());
    let readers: [Option<&dyn Backend>; 3] = [None, Some(&tile), Some(&cpp)];
    for reader in readers {
        let (x, w) = (arr1(&[1u16, 65535, 3]), arr1(&[1u32, u32::MAX, 3]));
        let (mut y, mut z) = (arr1(&[0u16; 3]), arr1(&[0u32; 3]));
        let launch = Launch::new(checked(&own::behind))
            .input("x", &x)
            .input("w", &w)
            .output("y", &mut y)
            .output("z", &mut z);
        match reader {
            Some(reader) => launch.backend(reader),
            None => launch,
        }
        .run()
        .expect("a launch");
        assert_eq!(
            (y, z),
            (
                arr1(&[65535, 3, 60000]),
                arr1(&[2_000_000_000, 1, u32::MAX])
            )
        );
    }
}

#[test]
fn a_number_is_an_element_of_the_instance() {
    let kernel = checked(&own::scaled);
    let wide = [Value::F32(1e4), Value::F32(-1e4)];
    let ints = [Value::Int(100_000), Value::Int(-100_000)];
    // 0.1 as an f32 has 24 bits; products with integers show whether it was rounded to `T`.
    let tenth = f16::from_f32(0.1).to_f32();
    let x: Vec<f16> = (0..1000).map(|i| f16::from_f32(i as f32)).collect();
    let want: Vec<f16> = x
        .iter()
        .map(|v| f16::from_f32(v.to_f32() * tenth * 2.0))
        .collect();
    assert_eq!(run(kernel, &x, 0.1f32, wide).expect("a launch"), want);

    let tenth = bf16::from_f32(0.1).to_f32();
    let x: Vec<bf16> = (0..100).map(|i| bf16::from_f32(i as f32)).collect();
    let want: Vec<bf16> = x
        .iter()
        .map(|v| bf16::from_f32(v.to_f32() * tenth * 2.0))
        .collect();
    assert_eq!(run(kernel, &x, 0.1f32, wide).expect("a launch"), want);

    assert_eq!(
        run(kernel, &[1.0f32, -3.0], 0.1f32, wide).expect("a launch"),
        [0.1 + 0.1, -3.0 * 0.1 * 2.0]
    );
    assert_eq!(
        run(kernel, &[1, -3, 70000], 3i32, ints).expect("a launch"),
        [6, -18, 100_000]
    );
    // An integer may be given as a float.
    assert_eq!(
        run(kernel, &[5, 6], -2.0f32, ints).expect("a launch"),
        [-20, -24]
    );
}

#[test]
fn a_number_stands_beside_elements_of_its_own_type() {
    let kernel = checked(&own::direct);
    let ends = [Value::Int(50), Value::Int(-1)];
    assert_eq!(
        run(kernel, &[1, 2, 30, -3], 3i32, ends).expect("a launch"),
        [3, 6, 50, -1]
    );
    assert_eq!(
        run(kernel, &[1.0f32, 2.0, 300.0, -3.0], 0.3f32, ends).expect("a launch"),
        [0.3, 0.6, 50.0, -1.0]
    );
    let tenth = f16::from_f32(0.1);
    let x = [1.0, 3.0, 1000.0, -1.0].map(f16::from_f32);
    let want = [
        tenth,
        f16::from_f32(3.0 * tenth.to_f32()),
        f16::from_f32(50.0),
        -f16::ONE,
    ];
    assert_eq!(run(kernel, &x, 0.1f32, ends).expect("a launch"), want);
}

#[test]
fn a_number_that_is_no_element_is_refused_by_name() {
    let kernel = checked(&own::scaled);
    let ends = [Value::Int(1), Value::Int(0)];
    let refused = |ran: Result<(), RunError>, said: &str| {
        let e = ran.expect_err("a number that is no element");
        assert_eq!(
            (e.code(), e.to_string().contains(said)),
            (Code::J0605, true),
            "{e}"
        );
    };
    let of_i32 = |alpha: Value| run(kernel, &[1i32], alpha, ends).map(drop);
    refused(
        of_i32(Value::F32(2.5)),
        "attribute `alpha` is 2.5, and i32 holds integers",
    );
    refused(
        of_i32(Value::F32(f32::NAN)),
        "attribute `alpha` is NaN, and i32 holds integers",
    );
    refused(
        of_i32(Value::Int(1 << 31)),
        "attribute `alpha` is 2147483648, and i32 holds -2147483648 to 2147483647",
    );
    refused(
        of_i32(Value::F32(2147483648.0)),
        "and i32 holds -2147483648 to 2147483647",
    );
    refused(
        of_i32(Value::Int((1 << 24) + 1)),
        "attribute `alpha` is 16777217, and a kernel with instances of floats",
    );
    refused(
        of_i32(Value::Bool(true)),
        "attribute `alpha` is true, and takes a number",
    );
    refused(
        run(kernel, &[f16::ONE], 65520.0f32, ends).map(drop),
        "attribute `alpha` is 65520.0, and f16 holds no finite number beyond 65504.0",
    );
    refused(
        run(kernel, &[1i32], 1i32, [Value::Int(1), Value::F32(0.5)]).map(drop),
        "attribute `ends_1` is 0.5, and i32 holds",
    );
    // Every float type has infinities.
    let ends = [Value::F32(f32::INFINITY), Value::F32(f32::NEG_INFINITY)];
    assert_eq!(
        run(kernel, &[f16::ONE], 65519.0f32, ends).expect("a launch"),
        [f16::INFINITY]
    );
}

#[test]
fn whole_numbers_are_held_to_the_ends_of_the_instance() {
    let kernel = checked(&own::whole);
    let ends = [Value::Int(0), Value::Int(0)];
    assert_eq!(
        run(kernel, &[1i16, 2], 300i32, ends).expect("a launch"),
        [-299, -298]
    );
    assert_eq!(
        run(kernel, &[1i32, 2], (1 << 24) + 1, ends).expect("a launch"),
        [-(1 << 24), 1 - (1 << 24)]
    );
    let e = run(kernel, &[1i16], 40000i32, ends).expect_err("no i16");
    assert!(
        e.to_string()
            .contains("attribute `alpha` is 40000, and i16 holds -32768 to 32767"),
        "{e}"
    );
    let e = run(kernel, &[1i32], 0i32, ends).expect_err("the kernel's own requirement");
    assert_eq!(e.code(), Code::J0604);
}
