//! A helper for the power of a tile is written as a recursion.
//! runs: x = f32[70]
//! y: cube(x)
use jumar::prelude::*;

#[kernels]
mod powers {
    fn power(v: Tile<f32>, k: i32) -> Tile<f32> { //-
        v * power(v, k - 1) //- error: J0107
    } //-
    //+ fn cube(v: Tile<f32>) -> Tile<f32> {
    //+     v * v * v
    //+ }
    #[kernel]
    pub fn cubes(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
        for t in tiles(n) {
            y.at(t).store(power(x.at(t).load(), 3)); //-
            //+ y.at(t).store(cube(x.at(t).load()));
        }
    }
}
