/// The sum of the rows of each segment, scaled where the segment asks for it.
#[kernel]
pub fn segments(
    #[shape(n)] begin: &GlobalTensor<i32>,
    #[shape(n)] end: &GlobalTensor<i32>,
    #[shape(n)] scale: &GlobalTensor<f32>,
    #[shape(m, d)] x: &GlobalTensor<f32>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for (i, t) in tiles((each(n), d)) {
        let (lo, hi) = (begin.at(i).load().scalar() as usize, end.at(i).load().scalar() as usize);
        assume(0 <= lo && hi <= m);
        let s = scale.at(i).load().scalar();
        let mut sum = full(t, 0.0);
        for q in lo..hi {
            sum = sum + x.at(q, t).load();
        }
        if s != 1.0 {
            sum = sum * s;
        }
        y.at(i, t).store(sum);
    }
}
