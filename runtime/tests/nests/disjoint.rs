//! Stores with the promise that a loop stores each element once (`store_disjoint`): reports of
//! broken promises.

use super::A2;
use crate::agree::{arrays, checked};
use jumar_runtime::tile::{Cut, Tile};
use jumar_runtime::{Launch, RunError};

const SCATTER: &str = "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) { y.at(ids.at(r).load(), ..).store_disjoint(x.at(r, ..).load()); } }";

const SINGLE: &str = "#[kernel] pub fn k(#[shape(n)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let at = ids.at(i).load().scalar() as usize;
        assume(0 <= at && at < m);
        y.at(at, ..).store_disjoint(x.at(i, ..).load());
    } }";

/// An iteration stores what it has loaded, so that no other iteration stores it.
const STATES: &str = "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) { let at = ids.at(r).load(); y.at(at, ..).store_disjoint(y.at(at, ..).load() * 0.5 + x.at(r, ..).load()); } }";

const STATE: &str = "#[kernel] pub fn k(#[shape(n)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let at = ids.at(i).load().scalar() as usize;
        assume(0 <= at && at < m);
        if at < m {
            let old = y.at(at, ..).load();
            y.at(at, ..).store_disjoint(old * 0.5 + x.at(i, ..).load());
        }
    } }";

const ALIKE: &str = "#[kernel] pub fn k(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(m, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) { y.at(ids.at(r).load(), ..).store_any(x.at(r, ..).load().VALUE); } }";

#[test]
fn a_promise_that_stores_are_alike_is_held_to() {
    let apart: Vec<i64> = (0..40).map(|i| i * 7 % 40).collect();
    let twice: Vec<i64> = (0..40)
        .map(|i| if i == 39 { 7 } else { apart[i as usize] })
        .collect();
    let [own, same] =
        ["max(x.at(r, ..).load())", "max(1e9)"].map(|value| ALIKE.replace("VALUE", value));
    for tile in [None, Some(Cut::Whole), Some(Cut::Halves)] {
        for (text, ids) in [(&own, &apart), (&same, &apart), (&same, &twice)] {
            run(text, ids, tile).unwrap_or_else(|e| panic!("{tile:?}: {e}"));
        }
        let error = run(&own, &twice, tile)
            .expect_err("row 7 gets other numbers")
            .to_string();
        let said = match tile {
            Some(_) => "two iterations store different numbers to element",
            None => "stores another number to element",
        };
        assert!(
            error.contains(said) && error.contains("J0809"),
            "{tile:?}: {error}"
        );
    }
}

fn run(text: &str, ids: &[i64], tile: Option<Cut>) -> Result<(), RunError> {
    let (_, checked) = checked("disjoint", A2, text);
    let mut arrays = arrays(
        &checked,
        0,
        &[&[ids.len()], &[ids.len(), 70], &[40, 70]],
        &[("ids", ids)],
    );
    let [ids, x, y] = &mut arrays[..] else {
        panic!("three tensors")
    };
    let launch = Launch::new(&checked)
        .pipes(true)
        .input(&ids.0, &ids.2)
        .input(&x.0, &x.2)
        .inout(&y.0, &mut y.2);
    match tile {
        None => launch.run(),
        Some(cut) => launch.backend(&Tile::new(cut, false)).run(),
    }
    .map(drop)
}

#[test]
fn a_promise_that_stores_are_disjoint_is_held_to() {
    let apart: Vec<i64> = (0..40).map(|i| i * 7 % 40).collect();
    let twice: Vec<i64> = (0..40)
        .map(|i| if i == 39 { 7 } else { apart[i as usize] })
        .collect();
    for text in [SCATTER, SINGLE, STATES, STATE] {
        for tile in [None, Some(Cut::Whole), Some(Cut::Halves)] {
            run(text, &apart, tile).unwrap_or_else(|e| panic!("{tile:?}: {e}"));
            let error = run(text, &twice, tile)
                .expect_err("row 7 is stored twice")
                .to_string();
            let said = match tile {
                Some(_) => "element 490 of `y` is stored twice in a loop, which `store_disjoint` promises not to do",
                None => "of `y`, which block",
            };
            assert!(
                error.contains("J0809") && error.contains(said),
                "{tile:?}: {error}"
            );
        }
    }
}
