#[kernels]
pub mod answer {
    use jumar::prelude::*;

    pub enum QuantMode {
        Static,
        Dynamic,
    }

    #[kernel]
    #[instances(f16, bf16, i32)]
    pub fn dequant_swiglu_quant<T: Number>(
        #[shape(n, w)] x: &GlobalTensor<T>,
        #[shape(w)] weight_scale: Option<&GlobalTensor<f32>>,
        #[shape(n)] activation_scale: Option<&GlobalTensor<f32>>,
        #[shape(w)] bias: Option<&GlobalTensor<i32>>,
        #[shape(w / 2)] quant_scale: Option<&GlobalTensor<f32>>,
        #[shape(w / 2)] quant_offset: Option<&GlobalTensor<f32>>,
        #[shape(n, d = w / 2)] y: &mut GlobalTensor<i8>,
        #[shape(n)] scale: &mut GlobalTensor<f32>,
        activate_left: bool,
        quant_mode: QuantMode,
    ) {
        require(w % 2 == 0);
        let gate = if activate_left { 0 } else { d };
        for r in tiles(n) {
            let s = activation_scale.or_full(1.0).at(r).load();
            let (at, of) = (d.indices() + gate, d.indices() + d - gate);
            let g = x.at(r, at).load().wide().cast::<f32>() * weight_scale.or_full(1.0).at(at).load() * s;
            let v = x.at(r, of).load().wide().cast::<f32>() * weight_scale.or_full(1.0).at(of).load() * s;
            let g = g + bias.or_full(0).at(at).load().cast::<f32>();
            let h = g.silu() * (v + bias.or_full(0).at(of).load().cast::<f32>());
            match quant_mode {
                QuantMode::Static => {
                    scale.at(r).store(full(r, 1.0));
                    let u = h / quant_scale.or_full(1.0).at(d.indices()).load();
                    y.at(r, ..).store((u + quant_offset.or_full(0.0).at(d.indices()).load()).cast::<i8>());
                }
                QuantMode::Dynamic => {
                    let top = h.abs().amax(d) / 127.0;
                    scale.at(r).store(top);
                    y.at(r, ..).store((h / top).cast::<i8>());
                }
            }
        }
    }
}
