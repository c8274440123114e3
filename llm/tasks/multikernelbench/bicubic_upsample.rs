#[kernels]
pub mod answer {
    use jumar::prelude::*;

    /// The weight of an element whose distance is up to 1.
    fn inner(x: Tile<f32>) -> Tile<f32> {
        (x * 1.25 - 2.25) * x * x + 1.0
    }

    /// The weight of an element whose distance is from 1 to 2.
    fn outer(x: Tile<f32>) -> Tile<f32> {
        ((x * -0.75 + 3.75) * x - 6.0) * x + 3.0
    }

    #[kernel]
    pub fn bicubic_upsample(
        #[shape(n.., h, w)] x: &GlobalTensor<f32>,
        #[shape(n.., oh = h * s, ow = w * s)] y: &mut GlobalTensor<f32>,
        s: usize,
    ) {
        require(s >= 2);
        let column = (ow.iota() * (w - 1)).cast::<f32>() / (ow - 1) as f32;
        let at = column.cast_with::<i32>(RoundMode::Floor).max(0).min(w - 1);
        let f = column - at.cast::<f32>();
        let (a, b, c, e) = (outer(f + 1.0), inner(f), inner(1.0 - f), outer(2.0 - f));
        for (q, i) in tiles((n, each(oh))) {
            let row = (i * (h - 1) / (oh - 1)).min(h - 1);
            let g = full((), (i * (h - 1) % (oh - 1)) as f32 / (oh - 1) as f32);
            let v = x.at(q, row.max(1) - 1, ..).load() * outer(g + 1.0)
                + x.at(q, row, ..).load() * inner(g)
                + x.at(q, (row + 1).min(h - 1), ..).load() * inner(1.0 - g)
                + x.at(q, (row + 2).min(h - 1), ..).load() * outer(2.0 - g);
            let near = v.pick(w, (at - 1).max(0)) * a + v.pick(w, at) * b;
            y.at(q, i, ..).store(near + v.pick(w, (at + 1).min(w - 1)) * c + v.pick(w, (at + 2).min(w - 1)) * e);
        }
    }
}
