#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn int4_unpack<T: Float>(
        #[shape(n, h)] x: &GlobalTensor<u8>,
        #[shape(n, g)] scale: &GlobalTensor<T>,
        #[shape(n, g)] offset: &GlobalTensor<T>,
        #[shape(n, w = 2 * h)] y: &mut GlobalTensor<T>,
    ) {
        require(g >= 1);
        require(w % g == 0);
        require(w / g % 2 == 0);
        let (k, p) = (new_axis(w / g / 2), new_axis(2));
        let (x, y) = (x.view((n, g, k)), y.view((n, g, k, p)));
        for (r, i, t) in tiles((n, g, k)) {
            let v = x.at(r, i, t).load().cast::<i16>();
            let (s, o) = (scale.at(r, i).load().wide(), offset.at(r, i).load().wide());
            y.at(r, i, t, 0).store((((((v & 15) ^ 8) - 8).cast::<f32>() + o) * s).cast::<T>());
            y.at(r, i, t, 1).store((((((v >> 4) ^ 8) - 8).cast::<f32>() + o) * s).cast::<T>());
        }
    }
}
