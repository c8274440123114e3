//! `jumar build`, `jumar doctor` and `jumar run --backend npu`: with a stand-in for CANN, and without.

use super::*;
use jumar_standin::{toolkit, Release};

/// Blocks that add up over one another.
const TOTAL: &str = r#"use jumar::prelude::*;

#[kernel]
pub fn total(x: &GlobalTensor<f32>, #[shape(1)] y: &mut GlobalTensor<f32>) {
    let share = split(x.len()).unit(128);
    let parts = workspace::<f32>(get_block_num() * 8);
    let tile = fit_tile(512);
    let mut pipe = TPipe::new();
    let (mut in_x, mut out_y) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new());
    let (mut sum_buf, mut tile_buf, mut work_buf) = (TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut in_x, 2, tile * size_of::<f32>());
    pipe.init_buffer(&mut out_y, 1, 32);
    pipe.init_buffer(&mut sum_buf, 1, 32);
    pipe.init_buffer(&mut tile_buf, 1, 32);
    pipe.init_buffer(&mut work_buf, 1, tile / 16);
    let (sum, of_tile, work) = (sum_buf.get::<f32>(), tile_buf.get::<f32>(), work_buf.get::<f32>());

    vec::duplicate(&sum, 0.0, 8);
    for i in 0..share.len().div_ceil(tile) {
        let n = tile.min(share.len() - i * tile);
        let x_local = in_x.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(share.start() + i * tile, n));
        in_x.enque(x_local);
        let x_local = in_x.deque::<f32>();
        vec::reduce_sum(&of_tile, &x_local, &work, n);
        vec::add(&sum, &sum, &of_tile, 1);
        in_x.free_tensor(x_local);
    }
    let part = out_y.alloc_tensor::<f32>();
    vec::local_copy(&part, &sum, 8);
    out_y.enque(part);
    let part = out_y.deque::<f32>();
    data_copy(parts.slice(get_block_idx() * 8, 8), &part);
    out_y.free_tensor(part);

    sync_all();

    if get_block_idx() == 0 {
        vec::duplicate(&sum, 0.0, 8);
        for i in 0..parts.len().div_ceil(tile) {
            let n = tile.min(parts.len() - i * tile);
            let x_local = in_x.alloc_tensor::<f32>();
            data_copy_pad(&x_local, parts.slice(i * tile, n));
            in_x.enque(x_local);
            let x_local = in_x.deque::<f32>();
            vec::reduce_sum(&of_tile, &x_local, &work, n);
            vec::add(&sum, &sum, &of_tile, 1);
            in_x.free_tensor(x_local);
        }
        let all = out_y.alloc_tensor::<f32>();
        vec::local_copy(&all, &sum, 8);
        out_y.enque(all);
        let all = out_y.deque::<f32>();
        data_copy_pad(y.slice(0, 1), &all);
        out_y.free_tensor(all);
    }
}
"#;

/// The command in a place where CANN is at `home`, and compiled things stay there.
fn with(place: &Place, home: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jumar"));
    for variable in ["ASCEND_TOOLKIT_HOME", "ASCEND_CANN_PACKAGE_PATH", "LD_LIBRARY_PATH"] {
        command.env_remove(variable);
    }
    command.env("ASCEND_HOME_PATH", home).args(line.split_whitespace()).current_dir(&place.0).output().unwrap()
}

#[test]
fn a_kernel_is_built_and_run_where_cann_is() {
    let home = toolkit(Release::V9_0).expect("the stand-in is made").home;
    let place = Place::new("device");
    let built = with(&place, &home, "build scale.rs --chip ascend910b2 --out scale.o");
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    let said = text(&built.stdout);
    assert!(said.starts_with("scale.o for ascend910b2: ") && said.contains("  scale_f32, tiling key 21"), "{said}");
    assert!(fs::read(place.0.join("scale.o")).unwrap().starts_with(b"\x7fELF"));
    let again = with(&place, &home, "build scale.rs --chip ascend910b2 --out scale.o");
    assert_eq!(text(&again.stdout).lines().next(), Some("scale.o for ascend910b2: found in the cache"));
    place.file("x.npy", npy("<f4", "(4,)", &f32s(&[1.0, 2.0, 3.0, 4.0])));
    let ran = with(&place, &home, "run scale.rs --arg x=@x.npy --arg alpha=3 --out y=@y.npy --backend npu --device 1");
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    assert_eq!(data(&place.0.join("y.npy")), f32s(&[3.0, 6.0, 9.0, 12.0]));
    let none = with(&place, &home, "run scale.rs --arg x=@x.npy --out y=@z.npy --backend npu --device 9");
    assert_eq!(code(&none), 2, "{}", text(&none.stderr));
    assert!(text(&none.stderr).contains("107001") && !place.0.join("z.npy").exists(), "{}", text(&none.stderr));
}

#[test]
fn a_release_that_cannot_start_blocks_that_meet_says_so() {
    let place = Place::new("meets");
    place.file("total.rs", TOTAL);
    let older = toolkit(Release::V8_1).expect("the stand-in is made").home;
    let refused = with(&place, &older, "build total.rs");
    let said = text(&refused.stderr);
    assert_eq!(code(&refused), 2, "{said}");
    assert!(said.contains("J0817") && said.contains("CANN 9.0 and later compiles; this is 8.1.RC1"), "{said}");
    let newer = toolkit(Release::V9_0).expect("the stand-in is made").home;
    let built = with(&place, &newer, "build total.rs --out total.so");
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    assert!(text(&built.stdout).contains("  total, tiling key 1"), "{}", text(&built.stdout));
}

#[test]
fn the_doctor_says_what_is_there_and_what_is_not() {
    let home = toolkit(Release::V8_1).expect("the stand-in is made").home;
    let place = Place::new("doctor");
    let found = with(&place, &home, "doctor --json");
    assert_eq!(code(&found), 0);
    let lines: Vec<serde_json::Value> = text(&found.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |what: &str| lines.iter().find(|line| line["what"] == what).unwrap_or_else(|| panic!("no row {what}"));
    assert!(row("CANN")["said"].as_str().unwrap().starts_with("8.1.RC1 in "));
    assert_eq!(row("ways to launch")["said"], "binary with a list of arguments, registration with the lower runtime");
    assert_eq!(row("devices")["said"], "2");
    let none = with(&place, &place.0.join("nowhere"), "doctor --json");
    assert_eq!(code(&none), 0);
    let lines: Vec<serde_json::Value> = text(&none.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for what in ["CANN", "device compiler", "runtime library"] {
        let row = lines.iter().find(|line| line["what"] == what).unwrap();
        assert!(row["found"] == false && !row["costs"].as_str().unwrap().is_empty(), "{row}");
    }
}
