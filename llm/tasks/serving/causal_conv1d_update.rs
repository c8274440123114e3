#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn causal_conv1d_update<T: Float>(
        #[inplace]
        #[shape(n, d)]
        x: &mut GlobalTensor<T>,
        #[inplace]
        #[shape(s, 3, d)]
        conv_state: &mut GlobalTensor<T>,
        #[shape(w = 4, d)] weight: &GlobalTensor<T>,
        #[shape(d)] bias: Option<&GlobalTensor<T>>,
        #[shape(n)] state_indices: &GlobalTensor<i32>,
        silu: bool,
    ) {
        for (i, t) in tiles((each(n), d)) {
            let at = state_indices.at(i).load().scalar() as usize;
            assume(at < s);
            if at >= 0 {
                let new = x.at(i, t).load();
                let a = conv_state.at(at, 0, t).load();
                let b = conv_state.at(at, 1, t).load();
                let c = conv_state.at(at, 2, t).load();
                let w4 = weight.at(.., t).load().wide();
                let sum = a.wide() * w4.pick(w, 0) + b.wide() * w4.pick(w, 1) + c.wide() * w4.pick(w, 2) + new.wide() * w4.pick(w, 3);
                let sum = sum + bias.or_full(0.0).at(t).load().wide();
                conv_state.at(at, 0, t).store_disjoint(b);
                conv_state.at(at, 1, t).store_disjoint(c);
                conv_state.at(at, 2, t).store_disjoint(new);
                let out = if silu { sum.silu() } else { sum };
                x.at(i, t).store(out.cast::<T>());
            }
        }
    }
}
