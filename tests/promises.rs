//! `#[index(n)]`: an index that breaks the promise of its tensor stops every reader, and names the tensor, the value and the place.

use jumar::cpp::Cpp;
use jumar::dsl::diag::Code;
use jumar::load::check_text;
use jumar::runtime::tile::Tile;
use jumar::runtime::{Backend, Launch};
use ndarray::{Array1, Array2};

const TEXT: &str = "use jumar::prelude::*;
#[kernel]
pub fn rows(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load());
    }
}";

#[test]
fn an_index_that_breaks_its_promise_stops_every_reader() {
    let file = check_text("rows.rs", TEXT, None);
    let kernel = file.kernel("rows").and_then(|k| k.checked.first()).expect("a kernel");
    let (tile, cpp) = (Tile::default(), Cpp::default());
    let readers: [Option<&dyn Backend>; 3] = [None, Some(&tile), Some(&cpp)];
    for bad in [-1, 5, i64::MAX, 1 << 32] {
        for reader in readers {
            let (ids, table, mut y) =
                (Array1::from_vec(vec![4, bad, 0]), Array2::<f32>::ones((5, 8)), Array2::<f32>::zeros((3, 8)));
            let launch = Launch::new(kernel).input("ids", &ids).input("table", &table).output("y", &mut y);
            let launch = match reader {
                Some(reader) => launch.backend(reader),
                None => launch,
            };
            let error = launch.run().expect_err("a broken promise");
            let said = error.to_string();
            assert!(matches!(error.code(), Code::J0801 | Code::J0808), "{said}");
            // Emitted text has places of its own.
            let place = if error.code() == Code::J0808 { "rows.cpp" } else { "5:27" };
            for part in ["`ids`", &bad.to_string(), "below 5", "rows", place] {
                assert!(said.contains(part), "{part}: {said}");
            }
        }
    }
}
