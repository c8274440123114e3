#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn merge_attn_states<T: Float>(
        #[shape(n, h, d)] prefix: &GlobalTensor<T>,
        #[shape(h, n)] prefix_lse: &GlobalTensor<f32>,
        #[shape(n, h, d)] suffix: &GlobalTensor<T>,
        #[shape(h, n)] suffix_lse: &GlobalTensor<f32>,
        #[shape(n, h, d)] y: &mut GlobalTensor<T>,
        #[shape(h, n)] lse: Option<&mut GlobalTensor<f32>>,
    ) {
        for (j, r) in tiles((each(h), n)) {
            let (p, s) = (prefix_lse.at(j, r).load(), suffix_lse.at(j, r).load());
            let top = p.max(s);
            let (a, b) = ((p - top).exp(), (s - top).exp());
            let sum = a + b;
            let v = prefix.at(r, j, ..).load().wide() * (a / sum) + suffix.at(r, j, ..).load().wide() * (b / sum);
            y.at(r, j, ..).store(v.cast::<T>());
            if let Some(lse) = lse {
                lse.at(j, r).store(sum.ln() + top);
            }
        }
    }
}
