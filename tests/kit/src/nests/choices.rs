//! Kernels with attributes that are enums, for each variant, and with lists of numbers.

use super::cases::Case;

macro_rules! with_mode {
    ($what:literal, $mode:literal) => {
        (
            concat!("enums told apart by statements, values, pairs and comparisons: ", $what),
            concat!(
                "#[kernels] mod m {
                enum Mode { Plain, Doubled, Rooted, Turned }
                enum Side { Left, Right }
                fn bent(v: Tile<f32>, mode: Mode, side: Side) -> Tile<f32> {
                    let u = match mode { Mode::Doubled => v * 2.0, Mode::Rooted | Mode::Turned => v.abs().sqrt(), _ => v };
                    if side == Side::Left { u - 1.0 } else { u }
                }
                #[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, ",
                $mode,
                " #[shape(n, d)] y: &mut GlobalTensor<T>, #[shape(n)] s: &mut GlobalTensor<f32>) {
                    require(mode != Mode::Turned || side != Side::Left || n >= 0);
                    for r in tiles(n) {
                        let v = x.at(r, ..).load().cast::<f32>();
                        let (a, b) = match side { Side::Left => (v, v * 3.0), Side::Right => { let q = v + 1.0; (q * q, v) } };
                        let (scale, chosen) = (match mode { Mode::Plain => 1.0, Mode::Rooted => d as f32, _ => 0.5 }, mode);
                        y.at(r, ..).store((bent(a, mode, Side::Right) - bent(b, chosen, side) * scale).cast::<T>());
                        match mode {
                            Mode::Turned => s.at(r).store(v.amin(d)),
                            Mode::Plain | Mode::Doubled => {
                                let mut top = v.amax(d);
                                match side { Side::Right => top = top + 1.0, Side::Left => {} }
                                s.at(r).store(top);
                            }
                            Mode::Rooted => s.at(r).store(full(r, 2.0)),
                        }
                    }
                } }"
            ),
            &[&[&[9, 70]], &[&[1, 1]], &[&[300, 8]], &[&[0, 3]], &[&[2, 4100]]],
        )
    };
}

macro_rules! shaped {
    ($what:literal, $mode:literal) => {
        (
            concat!("an output as long as a variant says, and inputs that are read as it says: ", $what),
            concat!(
                "#[kernels] mod m {
                enum Reduction { None, Sum, Least }
                #[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<i32>,
                    #[shape(m = match by { Reduction::None => n, Reduction::Sum | Reduction::Least => 1 })] y: &mut GlobalTensor<i32>,
                    #[default(Reduction::",
                $mode,
                ")] by: Reduction) {
                    let mut rows = workspace::<i32>(n);
                    let mut sum = across_cores::<i32>((), 0);
                    let mut least = across_cores::<i32>((), 9);
                    for r in tiles(n) {
                        let v = x.at(r, ..).load().sum(d);
                        rows.at(r).store(v);
                        sum += v.sum(r);
                        least = least.min(v.amin(r));
                    }
                    match by {
                        Reduction::None => { for r in tiles(n) { y.at(r + 0).store(rows.at(r).load()); } }
                        Reduction::Sum => y.at(0).store(sum),
                        Reduction::Least => y.at(0).store(least),
                    }
                } }"
            ),
            &[&[&[9, 70]], &[&[1, 1]], &[&[300, 8]], &[&[2, 4100]]],
        )
    };
}

macro_rules! halves {
    ($what:literal, $left:literal) => {
        (
            concat!("the halves of a middle axis, which of them is which by an attribute: ", $what),
            concat!(
                "#[kernel] pub fn k(#[shape(a, m, b)] x: &GlobalTensor<i32>, #[shape(a, d, b)] v: &GlobalTensor<i32>, #[shape(a, m, b)] y: &mut GlobalTensor<i32>,
                    #[default(",
                $left,
                ")] left: bool) {
                    require(m == 2 * d);
                    let two = new_axis(2);
                    let (x, y) = (x.view((a, two, d, b)), y.view((a, two, d, b)));
                    let gate = if left { 0 } else { 1 };
                    for (i, r, t) in tiles((a, d, b)) {
                        let v = v.at(i, r, t).load();
                        y.at(i, gate, r, t).store(v * x.at(i, 1 - gate, r, t).load());
                        y.at(i, 1 - gate, r, t).store(v + x.at(i, gate, r, t).load());
                    } }"
            ),
            &[&[&[3, 10, 70], &[3, 5, 70]], &[&[1, 2, 1], &[1, 1, 1]], &[&[40, 26, 8], &[40, 13, 8]], &[&[0, 4, 3], &[0, 2, 3]]],
        )
    };
}

/// Each variant of each enum, and lists of numbers.
pub const CHOICES: &[Case] = &[
    shaped!("each row", "None"),
    shaped!("a sum", "Sum"),
    shaped!("the least", "Least"),
    halves!("the first", "true"),
    halves!("the second", "false"),
    with_mode!("the first ones", "#[default(Mode::Plain)] mode: Mode, #[default(Side::Left)] side: Side,"),
    with_mode!("the second ones", "#[default(Mode::Doubled)] mode: Mode, #[default(Side::Right)] side: Side,"),
    with_mode!("a third one", "#[default(Mode::Rooted)] mode: Mode, #[default(Side::Left)] side: Side,"),
    with_mode!("the last ones", "#[default(Mode::Turned)] mode: Mode, #[default(Side::Right)] side: Side,"),
    (
        "lists of numbers in sizes, indices, values and conditions",
        "#[kernel] #[instances(f16, f32)] pub fn k<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(m = n + pads[0] + pads[1], d)] y: &mut GlobalTensor<T>,
            #[default([2, 3])] pads: [usize; 2], #[default([0.5, -2.0, 1.0])] scale: [f32; 3], #[default([-1])] shift: [i32; 1]) {
            let [low, high] = pads;
            for (r, t) in tiles((m, d)) {
                let v = x.at(r - low, t).load_or(1.0).cast::<f32>() * scale[0] + scale[1] * shift[0] as f32;
                y.at(r, t).store((if high > low { v } else { v * scale[2] }).cast::<T>());
            } }",
        &[&[&[9, 70]], &[&[1, 1]], &[&[300, 8]], &[&[0, 3]]],
    ),
];
