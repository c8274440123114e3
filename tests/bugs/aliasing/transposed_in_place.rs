//! A square tensor is transposed in place, tile by tile, while other tiles still read it.
//! runs: x = f32[9, 9]
//! y: transposed(x)
use jumar::prelude::*;

#[kernel]
pub fn transposed(
    #[inplace] #[shape(n, m)] x: &mut GlobalTensor<f32>, //-
    //+ #[shape(n, m)] x: &GlobalTensor<f32>,
    #[shape(m, n)] y: &mut GlobalTensor<f32>,
) {
    require(n == m);
    for (i, j) in tiles((each(n), each(m))) {
        x.at(j + 0, i + 0).store(x.at(i, j).load()); //- error: J0411
        y.at(j, i).store(x.at(i, j).load()); // error: J0411
    }
}
