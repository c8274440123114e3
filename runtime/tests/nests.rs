//! Tiles of several axes and loops over several: reductions, broadcasts and copies along each, at
//! hostile lengths.

mod disjoint;
mod empty;
mod gaps;
mod near;

use crate::agree;
use jumar_dsl::lower::{tile_passes, Pass, Stage, PASSES};
use jumar_kit::nests::{
    cases, choices, decided, elements, inside, joined, optional, outside, ragged, ranges, reads,
    same, shown, sorted, split, streamed, tasks, windows,
};
use jumar_kit::tier::drawn;
use std::collections::BTreeSet;

const A2: &str = "ascend910b1";

/// Runs drawn kernels on all of their shapes; the gate before a change draws one in two.
fn agree_all(cases: &[cases::Case]) {
    for (what, text, all) in drawn("JUMAR_AGREE", 2, cases.iter().collect(), |(_, text, _)| {
        text.to_string()
    }) {
        all.iter()
            .for_each(|shapes| drop(agree::agree(what, A2, text, shapes)));
    }
}

#[test]
fn tiles_of_several_axes_agree() {
    agree_all(cases::CASES);
}

#[test]
fn attributes_that_are_enums_agree() {
    agree_all(choices::CHOICES);
}

#[test]
fn tensors_that_may_be_left_out_agree() {
    agree_all(optional::OPTIONAL);
}

#[test]
fn conditions_that_the_host_decides_agree() {
    decided::DECIDED.iter().for_each(|(what, text, all)| {
        all.iter()
            .for_each(|shapes| drop(agree::agree(what, A2, text, shapes)))
    });
}

#[test]
fn single_elements_agree() {
    agree_all(elements::ELEMENTS);
}

#[test]
fn what_is_written_twice_agrees() {
    agree_all(same::TWICE);
}

#[test]
fn loops_over_ranges_agree() {
    agree_all(ranges::RANGES);
}

#[test]
fn loops_over_ranges_that_only_the_core_knows_agree() {
    for ragged in ragged::RAGGED {
        for (lengths, d) in ragged::LENGTHS {
            let (shapes, offsets) = (
                (ragged.shapes)(ragged::sizes((lengths, *d))),
                ragged::offsets(lengths),
            );
            let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
            agree::agree_given(
                ragged.what,
                A2,
                ragged.text,
                &shapes,
                &[("offsets", &offsets)],
            );
        }
    }
}

#[test]
fn what_is_inside_of_a_tensor_agrees() {
    agree_all(inside::INSIDE);
}

#[test]
fn numbers_that_are_read_outside_of_loops_agree() {
    for (what, text, all) in outside::OUTSIDE {
        for (shapes, at) in *all {
            agree::agree_given(&format!("{what}, {at:?}"), A2, text, shapes, &[("at", at)]);
        }
    }
}

#[test]
fn windows_of_one_tensor_agree() {
    agree_all(windows::WINDOWS);
}

#[test]
fn numbers_of_tiles_as_scalars_agree() {
    agree_all(reads::READS);
}

#[test]
fn kernels_that_show_values_agree() {
    agree_all(shown::SHOWN);
}

#[test]
fn elements_in_their_order_agree() {
    agree_all(sorted::SORTED);
}

#[test]
fn rows_of_more_elements_than_offsets_choose_in_one_call_are_refused() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, e)] y: &mut GlobalTensor<f32>) { require(e + 8 == d);
        for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load().pick(d, e.indices() + 8)); } }";
    // UB of this chip holds such rows.
    let (_, checked) = agree::checked("elements further on", "ascend310p", text);
    for (d, is_right) in [(16_384, true), (16_392, false)] {
        let x = ndarray::Array2::from_shape_fn((2, d), |(i, j)| (i + j) as f32);
        let mut y = ndarray::Array2::<f32>::zeros((2, d - 8));
        let run = jumar_runtime::Launch::new(&checked)
            .input("x", &x)
            .output("y", &mut y)
            .run();
        let told = run.err().map(|e| e.to_string());
        let named = told
            .as_ref()
            .is_some_and(|text| text.contains("J0606") && text.contains("`e` is more than 16383"));
        assert_eq!(
            (told.is_none(), named),
            (is_right, !is_right),
            "{d}: {told:?}"
        );
        assert!(!is_right || y == x.slice(ndarray::s![.., 8..]), "{d}");
    }
}

#[test]
fn kernels_of_real_tasks_agree() {
    agree_all(tasks::TASKS);
}

#[test]
fn tiles_that_are_cut_for_their_length_agree() {
    for (what, text, all) in streamed::STREAMED {
        let variants: Vec<usize> = all
            .iter()
            .flat_map(|shapes| agree::agree(what, A2, text, shapes))
            .collect();
        assert!(
            variants[0] == 0 && variants[1..].iter().any(|v| *v > 0),
            "{what}: {variants:?}"
        );
    }
}

/// Without DataCopyPad a tile has at least 32 rows here. 13 tiles of 32 rows by a repeat of bytes
/// exceed UB.
#[test]
fn rows_of_which_no_repeat_fits_are_cut_by_data_blocks() {
    let text = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] z: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<i8>, #[shape(n)] scale: &mut GlobalTensor<f32>) {
        for r in tiles(n) {
            let u = x.at(r, ..).load() * z.at(r, ..).load();
            let top = u.amax(d);
            scale.at(r).store(top);
            y.at(r, ..).store((u - top).round().cast::<i8>());
        } }";
    for d in [32, 64, 256, 320, 4096] {
        for n in [32, 96, 512] {
            agree::agree(
                &format!("{n} rows of {d}"),
                "ascend310p",
                text,
                &[&[n, d], &[n, d]],
            );
        }
    }
}

#[test]
fn loops_that_are_split_agree_in_all_forms() {
    for (what, text, others, few) in split::SPLIT {
        for (shapes, is_few) in others
            .iter()
            .map(|all| (all, false))
            .chain(few.iter().map(|all| (all, true)))
        {
            let variants = agree::agree(what, A2, text, shapes);
            assert!(
                variants.iter().all(|variant| (*variant == 0) == is_few),
                "{what} {shapes:?}: {variants:?}"
            );
        }
    }
}

/// Every pass changes a kernel of these suites, which are read after each pass.
#[test]
fn no_pass_goes_unread() {
    let cases = [
        cases::CASES,
        elements::ELEMENTS,
        same::TWICE,
        reads::READS,
        streamed::STREAMED,
        tasks::TASKS,
        windows::WINDOWS,
    ];
    let texts = cases
        .into_iter()
        .flatten()
        .map(|(_, text, _)| text)
        .chain(split::SPLIT.iter().map(|(_, text, ..)| text));
    let texts = texts
        .chain(outside::OUTSIDE.iter().map(|(_, text, _)| text))
        .chain(joined::JOINED.iter().map(|(_, text, ..)| text));
    let mut read = BTreeSet::new();
    for text in texts {
        let (kernel, checked) = agree::checked(text, A2, text);
        // Removes the case from the name.
        let short = |name: String| {
            name.split_once('/')
                .map_or(name.clone(), |(_, pass)| pass.to_string())
        };
        read.extend(
            tile_passes(&kernel, 0, checked.chip())
                .into_iter()
                .map(|(name, _)| short(name)),
        );
    }
    for Pass { name, stage, .. } in PASSES {
        let forms: &[&str] = if *stage == Stage::Form {
            &["", "1:", "2:", "stream-"]
        } else {
            &[""]
        };
        let missing: Vec<String> = forms
            .iter()
            .map(|form| format!("{form}{name}"))
            .filter(|name| !read.contains(name))
            .collect();
        assert!(missing.is_empty(), "{missing:?} of {read:?}");
    }
}

#[test]
fn outputs_with_gaps_are_refused_and_no_others() {
    let (refused, passed) = gaps::compare();
    assert!(
        refused >= 700 && passed >= 30,
        "{refused} refused, {passed} passed"
    );
}
