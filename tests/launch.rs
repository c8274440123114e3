//! The typed launch of a kernel: arrays and numbers in the order of its parameters, on every
//! backend.

use jumar::cpp::Cpp;
use jumar::prelude::*;
use jumar::runtime::tile::Tile as Interpreter;
use jumar::{Array, Backend, LaunchError, Simulator};
use ndarray::{arr1, Array1, ArrayD};

#[kernels]
mod kinds {
    use jumar::prelude::*;

    pub enum Mode {
        Keep,
        Negate,
    }

    /// Takes numbers of every kind, one of them of the kernel's own element type.
    #[kernel]
    #[instances(f16, f32)]
    pub fn numbers<T: Float>(
        x: &GlobalTensor<T>,
        y: &mut GlobalTensor<T>,
        by: T,
        mode: Mode,
        #[default(2)] times: i32,
        #[default(true)] on: bool,
        weights: [f32; 2],
    ) {
        let sign = match mode {
            Mode::Keep => 1.0,
            Mode::Negate => -1.0,
        };
        let factor = if on {
            times as f32 * weights[0] + weights[1]
        } else {
            0.0
        };
        for t in tiles(x) {
            let v = (x.at(t).load() * by).cast::<f32>();
            y.at(t).store((v * (sign * factor)).cast::<T>());
        }
    }

    /// Takes optional tensors, an in-place one, and one of another element type.
    #[kernel]
    pub fn tensors(
        #[shape(n)] x: &GlobalTensor<f32>,
        #[shape(n)] bias: Option<&GlobalTensor<f32>>,
        #[inplace]
        #[shape(n)]
        sum: &mut GlobalTensor<f32>,
        #[shape(n)] positive: Option<&mut GlobalTensor<i32>>,
    ) {
        for t in tiles(n) {
            let v = x.at(t).load();
            let v = if let Some(b) = bias {
                v + b.at(t).load()
            } else {
                v
            };
            sum.at(t).store(sum.at(t).load() + v);
            if let Some(p) = positive {
                p.at(t)
                    .store(v.gt(0.0).select(v * 0.0 + 1.0, v * 0.0).cast::<i32>());
            }
        }
    }

    /// Takes lists, with a number for each item.
    #[kernel]
    pub fn lists<T: Float>(xs: &[GlobalTensor<T>], ys: &mut [GlobalTensor<T>], alphas: &[f32]) {
        for (x, y, alpha) in zip((xs, ys, alphas)) {
            for t in tiles(x) {
                y.at(t)
                    .store((x.at(t).load().cast::<f32>() * alpha).cast::<T>());
            }
        }
    }
}

/// Runs a launch on the backends that need this machine alone.
fn on_each(run: impl Fn(&dyn Backend) -> Result<(), LaunchError>) {
    let cpp = Cpp::default();
    let tile = Interpreter::default();
    let backends: [(&str, &dyn Backend); 3] = [
        ("simulator", &Simulator),
        ("interpreter", &tile),
        ("cpp", &cpp),
    ];
    for (name, backend) in backends {
        run(backend).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn numbers_of_every_kind_stand_where_they_are_declared() {
    let x = arr1(&[1.0f32, -2.0, 3.0]);
    on_each(|backend| {
        let mut y = Array1::<f32>::zeros(3);
        kinds::numbers.launch(
            backend,
            &x,
            &mut y,
            0.5,
            kinds::Mode::Negate,
            None,
            Some(true),
            [3.0, 1.0],
        )?;
        assert_eq!(y, arr1(&[-3.5, 7.0, -10.5]));
        kinds::numbers.launch(
            backend,
            &x,
            &mut y,
            2.0,
            kinds::Mode::Keep,
            Some(1),
            None,
            [1.0, 0.0],
        )?;
        assert_eq!(y, arr1(&[2.0, -4.0, 6.0]));
        Ok(())
    });
}

#[test]
fn tensors_may_be_left_out_and_updated_in_place() {
    let (x, bias) = (arr1(&[1.0f32, -2.0, 3.0]), arr1(&[0.5f32, 0.5, -4.0]));
    on_each(|backend| {
        let mut sum = arr1(&[10.0f32, 10.0, 10.0]);
        kinds::tensors.launch(backend, &x, None, &mut sum, None)?;
        assert_eq!(sum, arr1(&[11.0, 8.0, 13.0]));
        let mut positive = Array1::<i32>::zeros(3);
        kinds::tensors.launch(backend, &x, Some(&bias), &mut sum, Some(&mut positive))?;
        assert_eq!(
            (sum, positive),
            (arr1(&[12.5, 6.5, 12.0]), arr1(&[1, 0, 0]))
        );
        Ok(())
    });
}

#[test]
fn lists_are_slices() {
    let xs = [arr1(&[1.0f32, 2.0]), arr1(&[3.0f32])];
    on_each(|backend| {
        let mut ys = [Array1::<f32>::zeros(2), Array1::<f32>::zeros(1)];
        kinds::lists.launch(backend, &xs, &mut ys, &[2.0, -1.0])?;
        assert_eq!(ys, [arr1(&[2.0, 4.0]), arr1(&[-3.0])]);
        Ok(())
    });
}

/// An `Array`, whose element type is known at run time only, passes for any tensor; the launch
/// refuses a wrong one.
#[test]
fn arrays_of_any_type_are_judged_at_the_launch() {
    let x: Array = ArrayD::<f32>::ones(vec![4]).into();
    let mut y: Array = ArrayD::<f32>::zeros(vec![4]).into();
    let report = kinds::numbers
        .launch::<f32>(
            &Simulator,
            &x,
            &mut y,
            1.0,
            kinds::Mode::Keep,
            Some(1),
            None,
            [1.0, 0.5],
        )
        .unwrap();
    assert_eq!((y.to_f64(), report.device_time), (vec![1.5; 4], None));
    let mut wrong: Array = ArrayD::<i32>::zeros(vec![4]).into();
    let refused = kinds::numbers.launch::<f32>(
        &Simulator,
        &x,
        &mut wrong,
        1.0,
        kinds::Mode::Keep,
        None,
        None,
        [1.0, 0.5],
    );
    assert!(refused
        .unwrap_err()
        .to_string()
        .contains("kernel `numbers` has no instance for (x: f32, y: i32)"));
}

#[test]
fn a_launch_may_begin_and_be_waited_for_later() {
    on_each(|backend| {
        let (x, z) = (arr1(&[1.0f32, -2.0, 3.0]), arr1(&[f16::from_f32(0.5); 5]));
        let (mut y, mut sum, mut w) = (
            Array1::from_elem(5, f16::ZERO),
            arr1(&[1.0f32; 3]),
            arr1(&[7i32; 3]),
        );
        let first = kinds::numbers.start(
            backend,
            &z,
            &mut y,
            2.0,
            kinds::Mode::Negate,
            None,
            None,
            [1.0, 0.5],
        )?;
        let second = kinds::tensors.start(backend, &x, None, &mut sum, Some(&mut w))?;
        // Inputs of a running launch may be read.
        assert_eq!(x.len() + z.len(), 8);
        assert!(second.is_done()?);
        let report = second.wait()?;
        assert_eq!((report.items.len(), report.blocks > 0), (1, true));
        first.wait()?;
        assert_eq!(y, Array1::from_elem(5, f16::from_f32(-2.5)));
        assert_eq!((sum, w), (arr1(&[2.0, -1.0, 4.0]), arr1(&[1, 0, 1])));
        Ok(())
    });
}
