use jumar::prelude::*;
#[kernel]
pub fn recovered_tokens(
    #[shape(n, v)] draft_probs: Option<&GlobalTensor<f32>>,
    #[shape(n, v)] target_probs: &GlobalTensor<f32>,
    #[shape(n)] draft: &GlobalTensor<i32>,
    #[shape(n, v)] q: &GlobalTensor<f32>,
    #[shape(n)] tokens: &mut GlobalTensor<i32>,
) {
    require(v <= 2147483648);
    require(v >= 1);
    require(v <= 16777216);
    for t0 in tiles(n) {
        let v0 = target_probs.at(t0, ..).load();
        let mut c0 = full::<f32>((t0, v), 0.0);
        if let Some(draft_probs) = draft_probs {
            let v1 = draft_probs.at(t0, ..).load();
            let v2 = v0 - v1;
            c0 = v2.max(0.0);
        } else {
            let k0 = v.iota();
            let k1 = k0.expand(t0);
            let k2 = draft.at(t0).load();
            let m0 = k1.eq(k2);
            let v1 = full::<f32>((t0, v), 0.0);
            c0 = m0.select(v1, v0);
        }
        let v1 = q.at(t0, ..).load();
        let v2 = c0 / v1;
        let k0 = v2.argmax(v);
        tokens.at(t0).store(k0);
    }
}
