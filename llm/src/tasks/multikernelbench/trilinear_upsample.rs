use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn trilinear_upsample(
        #[shape(n.., d, h, w)] x: &GlobalTensor<f32>,
        #[shape(n.., od = d * s, oh = h * s, ow = w * s)] y: &mut GlobalTensor<f32>,
        s: usize,
    ) {
        require(s >= 2);
        let column = (ow.iota() * (w - 1)).cast::<f32>() / (ow - 1) as f32;
        let left = column.cast_with::<i32>(RoundMode::Floor).max(0).min(w - 1);
        let share = column - left.cast::<f32>();
        for (q, i, j) in tiles((each(n), each(od), each(oh))) {
            let (front, above) = ((i * (d - 1) / (od - 1)).min(d - 1), (j * (h - 1) / (oh - 1)).min(h - 1));
            let (back, below) = ((front + 1).min(d - 1), (above + 1).min(h - 1));
            let e = (i * (d - 1) % (od - 1)) as f32 / (od - 1) as f32;
            let f = (j * (h - 1) % (oh - 1)) as f32 / (oh - 1) as f32;
            let first = x.at(q, front, above, ..).load().lerp(x.at(q, front, below, ..).load(), f);
            let second = x.at(q, back, above, ..).load().lerp(x.at(q, back, below, ..).load(), f);
            let v = first.lerp(second, e);
            let (a, b) = (v.pick(w, left), v.pick(w, (left + 1).min(w - 1)));
            y.at(q, i, j, ..).store(a + (b - a) * share);
        }
    }
}

pub fn reference(of: &Given) -> Due {
    let (d, h, w, s) = (of.size("d"), of.size("h"), of.size("w"), of.size("s"));
    let place = |i: usize, m: usize| {
        let at = i as f64 * (m - 1) as f64 / (m * s - 1) as f64;
        let first = (at.floor() as usize).min(m - 1);
        [(first, 1.0 - (at - first as f64)), ((first + 1).min(m - 1), at - first as f64)]
    };
    let one = |i: usize| {
        let block = &of["x"][i / (d * h * w * s * s * s) * d * h * w..];
        let (u, r, t) = (i / (h * w * s * s) % (d * s), i / (w * s) % (h * s), i % (w * s));
        let mut sum = 0.0;
        for (u, a) in place(u, d) {
            for (r, b) in place(r, h) {
                for (t, c) in place(t, w) {
                    sum += a * b * c * block[(u * h + r) * w + t];
                }
            }
        }
        sum
    };
    due_about("y", (0..of["x"].len() * s * s * s).map(one).collect(), (d + h + w) as f64)
}
