//! The smallest kernels with which random ones once showed a mistake, each on every reader.

use super::agree::{compare, run, Case, Tensor};
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Chip;
use jumar::held::Held;
use jumar::runtime::tile::Tile;
use jumar::runtime::{Backend, Overflow};

struct Regression {
    /// The mistake, in a sentence.
    what: &'static str,
    chip: &'static str,
    text: &'static str,
    tensors: &'static [(&'static str, DType, &'static [usize])],
}

const REGRESSIONS: &[Regression] = &[
    Regression {
        what: "a tile of elements that are copied one by one is longer than Brcb takes: the most was rounded up to a step",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n)] x: &GlobalTensor<f16>, #[inplace] #[shape(m)] y: &mut GlobalTensor<f16>) {
    require(m >= 2 * n);
    for t in tiles(n).block_dim(1) {
        y.at(t * 2).store(x.at(t).load());
    }
}",
        tensors: &[("x", DType::F16, &[8200]), ("y", DType::F16, &[16400])],
    },
    Regression {
        what: "a `let mut` tile that is stored, assigned and stored again is written as it was first",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let mut v = x.at(t).load();
        y.at(t).store(v);
        v = v + v;
        z.at(t).store(v);
    }
}",
        tensors: &[("x", DType::F32, &[8]), ("y", DType::F32, &[8]), ("z", DType::F32, &[8])],
    },
    Regression {
        what: "a store under an `if` waits for the buffer that a later store of the iteration holds",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x).buffer_num(1) {
        let v = x.at(t).load();
        let w = v + v;
        if n > 1 {
            y.at(t).store(v);
        }
        y.at(t).store(w);
        z.at(t).store(w);
    }
}",
        tensors: &[("x", DType::F32, &[8]), ("y", DType::F32, &[8]), ("z", DType::F32, &[8])],
    },
    Regression {
        what: "the sign of a choice between two integers is refused for want of a type",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    let s: i32 = -(if x.is_empty() { 1 } else { 2 });
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * s);
    }
}",
        tensors: &[("x", DType::F32, &[8]), ("y", DType::F32, &[8])],
    },
    Regression {
        what: "the interpreter does not know the size of a dtype parameter",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    let s = size_of::<T>();
    for t in tiles(x) {
        y.at(t).store((x.at(t).load().cast::<f32>() * s).cast::<T>());
    }
}",
        tensors: &[("x", DType::F32, &[8]), ("y", DType::F32, &[8])],
    },
    Regression {
        what: "a row kernel is refused for the blocks of its streamed form, whose buffers nobody asked for",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] g: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n).buffer_num(8) {
        y.at(r, ..).store(x.at(r, ..).load() + g.at(r).load());
    }
}",
        tensors: &[("x", DType::F32, &[2, 8]), ("g", DType::F32, &[2]), ("y", DType::F32, &[2, 8])],
    },
    Regression {
        what: "one value a row is not written on a chip without DataCopyPad where a tile has too few rows for a data block",
        chip: "ascend310p",
        text: "#[kernel]
pub fn sample(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] s: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        s.at(r).store(x.at(r, ..).load().sum(d));
    }
}",
        tensors: &[("x", DType::F32, &[16, 16]), ("s", DType::F32, &[16])],
    },
    Regression {
        what: "a column loop without tiles of columns gives a tiling function with an unused parameter",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        for c in tiles(d) {
            let mut s = 1.0;
            s += 1.0;
        }
        y.at(r, ..).store(x.at(r, ..).load());
    }
}",
        tensors: &[("x", DType::F32, &[2, 8]), ("y", DType::F32, &[2, 8])],
    },
    Regression {
        what: "a tile of i32 less a choice of scalars is emitted with a number of 64 bits",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(x) {
        let mut s: i32 = 2;
        s += 1;
        y.at(t).store(x.at(t).load() - (if x.is_empty() { s.min(3) } else { s.max(1) }));
    }
}",
        tensors: &[("x", DType::I32, &[8]), ("y", DType::I32, &[8])],
    },
    Regression {
        what: "a second store to the same elements does not wait for the first",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        y.at(t).store(v);
        y.at(t).store(v);
    }
}",
        tensors: &[("x", DType::I32, &[7]), ("y", DType::I32, &[7])],
    },
    Regression {
        what: "a load does not wait for the store to the same elements before it",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[inplace] z: &mut GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(z) {
        z.at(t).store(z.at(t).load() + 1);
        y.at(t).store(z.at(t).load());
    }
}",
        tensors: &[("z", DType::I32, &[16]), ("y", DType::I32, &[16])],
    },
    Regression {
        what: "tiles of a multiple of what may be negative are not shown to lie apart",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        for c in tiles(d).size((d - 1).min(12) * 16) {
            y.at(r, c).store(x.at(r, c).load());
        }
    }
}",
        tensors: &[("x", DType::F32, &[2, 17]), ("y", DType::F32, &[2, 17])],
    },
    Regression {
        what: "a number of i16 is no scalar, though the front end takes it for one of i32",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n)] x: &GlobalTensor<i16>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let v = x.at(i).load().scalar();
        y.at(i).store(full((), v as f32));
    }
}",
        tensors: &[("x", DType::I16, &[19]), ("y", DType::F32, &[19])],
    },
    Regression {
        what: "a mask that a loop inside merges is copied as elements, which its bits are not",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<bool>) {
    for t in tiles(d) {
        let mut s = full(t, 0.0).gt(1.0);
        for j in tiles(m) {
            s = s | x.at(j, t).load().gt(0.0).any(j);
        }
        y.at(t).store(s);
    }
}",
        tensors: &[("x", DType::F32, &[5, 77]), ("y", DType::Bool, &[77])],
    },
    Regression {
        what: "masks that change places from iteration to iteration are copied as elements",
        chip: "ascend310p",
        text: "#[kernel]
pub fn sample(#[shape(m, n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let mut a = full(t, 0.0).gt(1.0);
        let mut b = full(t, 2.0).gt(1.0);
        for i in 0..m {
            let c = a;
            a = b;
            b = c | x.at(i, t).load().gt(0.0);
        }
        y.at(t).store(a.select(1.0, full(t, 0.0)) + b.select(2.0, full(t, 0.0)));
    }
}",
        tensors: &[("x", DType::F32, &[3, 136]), ("y", DType::F32, &[136])],
    },
    Regression {
        what: "rows of a view whose last axis is a difference of sizes are not shown to lie apart",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n, c)] x: &GlobalTensor<f32>, #[shape(n, g)] s: &GlobalTensor<f32>, #[shape(n, c)] y: &mut GlobalTensor<f32>) {
    require(g >= 1 && c % g == 0);
    let k = new_axis(c - g);
    let (x, y) = (x.view((n, g, k)), y.view((n, g, k)));
    for r in tiles(n) {
        y.at(r, .., ..).store(x.at(r, .., ..).load() * s.at(r, ..).load());
    }
}",
        tensors: &[("x", DType::F32, &[9, 4]), ("s", DType::F32, &[9, 2]), ("y", DType::F32, &[9, 4])],
    },
    Regression {
        what: "rows of a workspace whose last axis is a sum of sizes are not shown to lie apart",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n, h)] x: &GlobalTensor<f32>, #[shape(n, k)] z: &GlobalTensor<f32>, #[shape(n, h + k)] y: &mut GlobalTensor<f32>) {
    let w = new_axis(h + k);
    let y = y.view((n, w));
    let mut s = workspace::<f32>((n, w));
    for r in tiles(n) {
        s.at(r, ..).store(full((r, w), 1.0) + x.at(r, ..).load().sum(h) + z.at(r, ..).load().sum(k));
    }
    for r in tiles(n) {
        y.at(r, ..).store(s.at(r, ..).load());
    }
}",
        tensors: &[("x", DType::F32, &[60, 3]), ("z", DType::F32, &[60, 6]), ("y", DType::F32, &[60, 9])],
    },
    Regression {
        what: "tiles of an axis with one of eight behind it, in two loops around, are not shown to lie apart",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(g, s, m)] x: &GlobalTensor<f32>, #[shape(g, s, 8 * m)] y: &mut GlobalTensor<f32>) {
    let j = new_axis(8);
    let y = y.view((g, s, m, j));
    for (a, b, t) in tiles((each(g), s, m)) {
        y.at(a, b, t, ..).store(x.at(a, b, t).load().expand(j));
    }
}",
        tensors: &[("x", DType::F32, &[2, 3, 21]), ("y", DType::F32, &[2, 3, 168])],
    },
    Regression {
        what: "axes of eight and of four between others are strides that no product of sizes is",
        chip: "ascend310p",
        text: "#[kernel]
pub fn sample(#[shape(a, b, c)] x: &GlobalTensor<f32>, #[shape(a, 8, b, 4, c)] y: &mut GlobalTensor<f32>) {
    let (j, l) = (new_axis(8), new_axis(4));
    let y = y.view((a, j, b, l, c));
    for (p, q, t) in tiles((each(a), b, c)) {
        y.at(p, .., q, .., t).store(x.at(p, q, t).load().expand((j, l)));
    }
}",
        tensors: &[("x", DType::F32, &[2, 3, 24]), ("y", DType::F32, &[2, 8, 3, 4, 24])],
    },
    Regression {
        what: "the host tests a sum for nobody, of a number that it knew to be small enough and had not declared",
        chip: "ascend910b1",
        text: "#[kernel]
pub fn sample(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let s: usize = n;
        let u: usize = s + (3 + s).min(0);
        y.at(r, ..).store(x.at(r, ..).load());
    }
}",
        tensors: &[("x", DType::F32, &[2, 8]), ("y", DType::F32, &[2, 8])],
    },
];

/// Returns the mistake of a regression, if it is there again.
fn wrong(r: &Regression) -> Option<String> {
    let tensors = r.tensors.iter().map(|(name, dtype, shape)| {
        let written = r.text.contains(&format!("{name}: &mut"));
        Tensor {
            name: name.to_string(),
            dtype: *dtype,
            shape: shape.to_vec(),
            written,
        }
    });
    let case = Case {
        name: "sample".into(),
        chip: Chip::by_name(r.chip).expect("a chip"),
        text: r.text.into(),
        tensors: tensors.collect(),
        attrs: Vec::new(),
        exact: true,
        seed: 3,
    };
    let kernel = match case.checked() {
        Ok(kernel) => kernel,
        Err(why) => return Some(why),
    };
    let read = |reader: Option<&dyn Backend>| run(&case, &kernel, Overflow::InfNan, reader);
    let first = read(None);
    if let Err(why) = first {
        return Some(why);
    }
    let interpreted = compare(&case, &first, "interpreter", &read(Some(&Tile::default())));
    interpreted.or_else(|| {
        compare(
            &case,
            &first,
            "emitted C++",
            &read(Some(&Held::new(Some(case.seed), false))),
        )
    })
}

#[test]
fn what_random_kernels_once_showed_stays_mended() {
    for r in REGRESSIONS {
        if let Some(why) = wrong(r) {
            panic!("{}: {why}\n{}", r.what, r.text);
        }
    }
}
