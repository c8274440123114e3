#[kernels]
pub mod answer {
    use jumar::prelude::*;

    fn quantized(u: Tile<f32>, scale: Tile<f32>, zero_point: Tile<i32>, div_mode: bool) -> Tile<i8> {
        let scaled = if div_mode { u / scale } else { u * scale };
        (scaled + zero_point.cast::<f32>()).cast::<i8>()
    }

    #[kernel]
    #[instances(f16, bf16)]
    pub fn add_rms_norm_quant<T: Float>(
        #[shape(n.., d)] x1: &GlobalTensor<T>,
        #[shape(n.., d)] x2: &GlobalTensor<T>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        #[shape(d)] scale: &GlobalTensor<f32>,
        #[shape(d)] zero_point: Option<&GlobalTensor<i32>>,
        #[shape(d)] scale2: Option<&GlobalTensor<f32>>,
        #[shape(d)] zero_point2: Option<&GlobalTensor<i32>>,
        y: &mut GlobalTensor<i8>,
        y2: Option<&mut GlobalTensor<i8>>,
        x: &mut GlobalTensor<T>,
        epsilon: f32,
        div_mode: bool,
    ) {
        for r in tiles(n) {
            let v = x1.at(r, ..).load().wide() + x2.at(r, ..).load().wide();
            let u = v / ((v * v).mean(d) + epsilon).sqrt() * gamma.at(..).load().wide();
            x.at(r, ..).store(v.cast::<T>());
            let zeros = zero_point.or_full(0).at(..).load();
            y.at(r, ..).store(quantized(u, scale.at(..).load(), zeros, div_mode));
            if let Some(y2) = y2 {
                let zeros = zero_point2.or_full(0).at(..).load();
                y2.at(r, ..).store(quantized(u, scale2.or_full(1.0).at(..).load(), zeros, div_mode));
            }
        }
    }
}
