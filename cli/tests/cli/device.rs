//! `jumar build`, `jumar doctor` and `jumar run --backend npu`: with a stand-in for CANN, and
//! without.

use super::*;
use jumar_standin::{toolkit, Release};

/// A kernel with a sum over all blocks.
const TOTAL: &str = include_str!("../../../examples/29_total.rs");

/// Runs the command with CANN at `home`, and with a cache in the test's folder.
fn with(place: &Place, home: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jumar"));
    for variable in [
        "ASCEND_TOOLKIT_HOME",
        "ASCEND_CANN_PACKAGE_PATH",
        "LD_LIBRARY_PATH",
    ] {
        command.env_remove(variable);
    }
    command
        .env("ASCEND_HOME_PATH", home)
        .args(line.split_whitespace())
        .current_dir(&place.0)
        .output()
        .unwrap()
}

#[test]
fn a_kernel_is_built_and_run_where_cann_is() {
    let home = toolkit(Release::V9_0).expect("the stand-in is made").home;
    let place = Place::new("device");
    let built = with(
        &place,
        &home,
        "build scale.rs --chip ascend910b2 --out scale.o",
    );
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    let said = text(&built.stdout);
    assert!(
        said.starts_with("scale.o for ascend910b2: ")
            && said.contains("  scale_f32, tiling key 21"),
        "{said}"
    );
    assert!(fs::read(place.0.join("scale.o"))
        .unwrap()
        .starts_with(b"\x7fELF"));
    let again = with(
        &place,
        &home,
        "build scale.rs --chip ascend910b2 --out scale.o",
    );
    assert_eq!(
        text(&again.stdout).lines().next(),
        Some("scale.o for ascend910b2: found in the cache")
    );
    place.file("x.npy", npy("<f4", "(4,)", &f32s(&[1.0, 2.0, 3.0, 4.0])));
    let ran = with(
        &place,
        &home,
        "run scale.rs --arg x=@x.npy --arg alpha=3 --out y=@y.npy --backend npu --device 1",
    );
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    assert_eq!(data(&place.0.join("y.npy")), f32s(&[3.0, 6.0, 9.0, 12.0]));
    let none = with(
        &place,
        &home,
        "run scale.rs --arg x=@x.npy --out y=@z.npy --backend npu --device 9",
    );
    assert_eq!(code(&none), 2, "{}", text(&none.stderr));
    assert!(
        text(&none.stderr).contains("107001") && !place.0.join("z.npy").exists(),
        "{}",
        text(&none.stderr)
    );
}

#[test]
fn a_release_that_cannot_start_blocks_that_meet_says_so() {
    let place = Place::new("meets");
    place.file("total.rs", TOTAL);
    let older = toolkit(Release::V8_1).expect("the stand-in is made").home;
    let refused = with(&place, &older, "build total.rs");
    let said = text(&refused.stderr);
    assert_eq!(code(&refused), 2, "{said}");
    assert!(
        said.contains("J0817") && said.contains("CANN 9.1 and later compiles; this is 8.1.RC1"),
        "{said}"
    );
    let newer = toolkit(Release::V9_0).expect("the stand-in is made").home;
    let built = with(&place, &newer, "build total.rs --out total.so");
    assert_eq!(code(&built), 0, "{}", text(&built.stderr));
    assert!(
        text(&built.stdout).contains("  total, tiling key 1"),
        "{}",
        text(&built.stdout)
    );
}

#[test]
fn the_doctor_says_what_is_there_and_what_is_not() {
    let home = toolkit(Release::V8_1).expect("the stand-in is made").home;
    let place = Place::new("doctor");
    let found = with(&place, &home, "doctor --json");
    assert_eq!(code(&found), 0);
    let lines: Vec<serde_json::Value> = text(&found.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let row = |what: &str| {
        lines
            .iter()
            .find(|line| line["what"] == what)
            .unwrap_or_else(|| panic!("no row {what}"))
    };
    assert!(row("CANN")["said"]
        .as_str()
        .unwrap()
        .starts_with("8.1.RC1 in "));
    assert_eq!(
        row("ways to launch")["said"],
        "binary with a list of arguments, registration with the lower runtime"
    );
    assert_eq!(row("devices")["said"], "2");
    let none = with(&place, &place.0.join("nowhere"), "doctor --json");
    assert_eq!(code(&none), 0);
    let lines: Vec<serde_json::Value> = text(&none.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for what in ["CANN", "device compiler", "runtime library"] {
        let row = lines.iter().find(|line| line["what"] == what).unwrap();
        assert!(
            row["found"] == false && !row["costs"].as_str().unwrap().is_empty(),
            "{row}"
        );
    }
}

#[test]
fn the_doctor_says_the_least_release_of_a_kernel() {
    let place = Place::new("releases");
    place.file("total.rs", TOTAL);
    place.file(
        "by_hand.rs",
        "use jumar::prelude::*;\n#[kernel]\npub fn by_hand(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {\n\
         require(n % 1024 == 0);\nlet share = split(n).unit(1024);\nlet a = LocalTensor::<f32>::new(VecCalc, 0, 1024);\n\
         for t in 0..share.len() / 1024 {\nlet at = share.start() + t * 1024;\ndata_copy(&a, x.slice(at, 1024));\npipe_barrier::<PIPE_ALL>();\n\
         data_copy(y.slice(at, 1024), &a);\npipe_barrier::<PIPE_ALL>();\n}\n}\n",
    );
    let older = toolkit(Release::V8_1).expect("the stand-in is made").home;
    let newer = toolkit(Release::V9_0).expect("the stand-in is made").home;
    for (home, is_there) in [
        (older.as_path(), false),
        (newer.as_path(), true),
        (&place.0.join("nowhere"), true),
    ] {
        let found = with(&place, home, "doctor total.rs by_hand.rs --json");
        assert_eq!(code(&found), 0, "{}", text(&found.stderr));
        let lines: Vec<serde_json::Value> = text(&found.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let row = |what: &str| {
            lines
                .iter()
                .find(|line| line["what"] == what)
                .unwrap_or_else(|| panic!("no row {what}"))
        };
        let (total, by_hand) = (row("kernel total"), row("kernel by_hand"));
        assert_eq!(
            total["said"],
            "CANN 8.1.RC1 or later; as `--project asc` 9.1.0; as `--project msopgen` 8.5.0"
        );
        assert!(
            total["found"] == true && by_hand["found"] == is_there,
            "{by_hand}"
        );
        let said = by_hand["said"].as_str().unwrap();
        assert!(
            said.contains("CANN 8.5.0 or later, for tensors at addresses"),
            "{said}"
        );
        assert_eq!(
            said.contains("and 8.1.RC1 is installed"),
            !is_there,
            "{said}"
        );
    }
    let table = text(&with(&place, &newer, "doctor total.rs").stdout);
    assert!(
        table.contains("kernel total") && table.contains("CANN 8.1.RC1 or later"),
        "{table}"
    );
    // A wrong kernel is reported as everywhere else.
    place.file(
        "wrong.rs",
        "use jumar::prelude::*;\n#[kernel]\npub fn wrong(x: &GlobalTensor<f32>) { x.nothing(); }\n",
    );
    assert_eq!(code(&with(&place, &newer, "doctor wrong.rs")), 1);
}
