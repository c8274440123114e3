//! Tiles of several axes and loops over several: reductions, repetitions and copies along each, at hostile lengths.

mod agree;
#[path = "nests/cases.rs"]
mod cases;
#[path = "nests/elements.rs"]
mod elements;
#[path = "nests/ranges.rs"]
mod ranges;
#[path = "nests/reads.rs"]
mod reads;
#[path = "nests/streamed.rs"]
mod streamed;
#[path = "nests/tasks.rs"]
mod tasks;

const A2: &str = "ascend910b1";

#[test]
fn tiles_of_several_axes_agree() {
    for (what, text, all) in cases::CASES {
        all.iter().for_each(|shapes| drop(agree::agree(what, A2, text, shapes)));
    }
}

#[test]
fn single_elements_agree() {
    for (what, text, all) in elements::ELEMENTS {
        all.iter().for_each(|shapes| drop(agree::agree(what, A2, text, shapes)));
    }
}

#[test]
fn loops_over_ranges_agree() {
    for (what, text, all) in ranges::RANGES {
        all.iter().for_each(|shapes| drop(agree::agree(what, A2, text, shapes)));
    }
}

#[test]
fn numbers_of_tiles_as_scalars_agree() {
    for (what, text, all) in reads::READS {
        all.iter().for_each(|shapes| drop(agree::agree(what, A2, text, shapes)));
    }
}

#[test]
fn tiles_that_are_cut_for_their_length_agree() {
    for (what, text, all) in streamed::STREAMED {
        let variants: Vec<usize> = all.iter().flat_map(|shapes| agree::agree(what, A2, text, shapes)).collect();
        assert!(variants[0] == 0 && variants[1..].iter().any(|v| *v > 0), "{what}: {variants:?}");
    }
}

#[test]
fn kernels_of_real_tasks_agree() {
    for (what, text, all) in tasks::TASKS {
        all.iter().for_each(|shapes| drop(agree::agree(what, A2, text, shapes)));
    }
}
