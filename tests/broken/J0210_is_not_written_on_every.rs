use jumar::prelude::*;

#[kernel]
fn k(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    #[shape(n)] z: Option<&mut GlobalTensor<f32>>,
    c: bool,
) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v);
        if let Some(z) = z {
            if c {
                z.at(t).store(v);
            }
        }
    }
}
