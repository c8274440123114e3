#[kernel]
pub fn scatter(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>,
    #[inplace] #[shape(d)] total: &mut GlobalTensor<f32>, m: usize) {
    for r in tiles(n) {
        let v = x.at(r, ..).load() * 2.0 + 1.0;
        total.at(..).atomic_add(v.sum(r));
        y.at(ids.at(r).load(), ..).atomic_add(v);
    }
}
