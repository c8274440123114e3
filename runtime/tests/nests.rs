//! Tiles of several axes and loops over several: reductions, repetitions and copies along each, at hostile lengths.

mod agree;
#[path = "nests/cases.rs"]
mod cases;

const A2: &str = "ascend910b1";

#[test]
fn tiles_of_several_axes_agree() {
    for (what, text, all) in cases::CASES {
        all.iter().for_each(|shapes| agree::agree(what, A2, text, shapes));
    }
}
