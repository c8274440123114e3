//! A norm adds up the roots of each tile's squares.
//! runs: x = f32[300, 70]
//! y: column_norms(x)
use jumar::prelude::*;

#[kernel]
pub fn column_norms(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(d) {
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load();
            s = s + (v * v).sum(j).sqrt(); //- error: J0214
            //+ s = s + (v * v).sum(j);
        }
        y.at(t).store(s); //-
        //+ y.at(t).store(s.sqrt());
    }
}
