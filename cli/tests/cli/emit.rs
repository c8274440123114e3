//! `jumar emit`: folders, lowered text, and explanations of a lowering.

use super::*;

#[test]
fn a_tile_kernel_is_printed_after_each_pass_of_its_lowering() {
    let place = Place::new("passes");
    place.file(
        "twice.rs",
        KERNELS.replace(
            "x.at(t).load().cast::<f32>() * alpha",
            "(x.at(t).load().cast::<f32>() * alpha).cast::<f32>()",
        ),
    );
    let output = place.run("emit twice.rs --after written");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let written = text(&output.stdout);
    assert!(
        written.contains("(kernel") && written.contains("(load (at &0"),
        "{written}"
    );
    let simple = text(&place.run("emit twice.rs --after normalize").stdout);
    // In the instance of f32 no cast is left.
    assert!(
        simple.matches("(cast ").count() < written.matches("(cast ").count(),
        "{simple}"
    );
    let output = place.run("emit twice.rs --after stream");
    assert_eq!(code(&output), 2);
    let said = text(&output.stderr);
    assert!(
        said.contains("no pass `stream`")
            && said.contains("written, normalize, expand_reductions, peephole, hoist, loads_first"),
        "{said}"
    );
    assert_eq!(place.names(), ["bad.rs", "scale.rs", "twice.rs"]);
}

#[test]
fn what_stands_between_phases_is_explained() {
    let place = Place::new("explain");
    place.file(
        "steps.rs",
        "#[kernel]
pub fn steps(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, k: usize) {
    let s = workspace::<f32>((n, d));
    for r in tiles(n) { s.at(r, ..).store(x.at(r, ..).load()); }
    for i in 0..k {
        for r in tiles(n) { y.at(r, ..).store(s.at(n - 1 - r, ..).load()); }
        for r in tiles(n) { s.at(r, ..).store(x.at(r, ..).load() + 1.0); }
    }
    for r in tiles(n) { y.at(r, ..).store(x.at(r, ..).load() + s.at(r, ..).load()); }
}",
    );
    let output = place.run("emit steps.rs --explain");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let wanted = "steps: 4 phases on ascend910b1
  line 4: the kernel begins
  line 6: all blocks meet (SyncAll): it loads `s`, to which the loop of line 4 stores, on other cores
  line 7: all blocks meet (SyncAll): it stores to `s`, which the loop of line 6 loads, on other cores
  line 9: no barrier: a block finds what it stored itself, and touches nothing else that was written since
";
    assert_eq!(text(&output.stdout), wanted);
    let output = place.run("emit steps.rs --after 2:hoist");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout).matches("(tile_loop ").count(),
        4,
        "{}",
        text(&output.stdout)
    );
    let output = place.run("emit scale.rs --explain");
    assert_eq!(text(&output.stdout), "scale: one phase on ascend910b1\n");
}

#[test]
fn the_zeros_under_what_is_added_first_are_explained() {
    let place = Place::new("explain-zeros");
    place.file(
        "sums.rs",
        "#[kernel]
pub fn sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, #[inplace] #[shape(d)] z: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(..).atomic_add(x.at(r, ..).load().sum(r));
        z.at(..).atomic_add(x.at(r, ..).load().sum(r));
    }
}",
    );
    let output = place.run("emit sums.rs --explain");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let wanted = "sums: 2 phases on ascend910b1
  line 4: `y` is filled with zeros, since what comes first adds to it; the kernel begins
  line 3: all blocks meet (SyncAll): it adds to `y`, to which the loop that fills it with zeros stores, on other cores
";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn elements_that_are_copied_one_by_one_are_told() {
    let place = Place::new("explain-elements");
    place.file(
        "column.rs",
        "#[kernel]
pub fn column(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, 0).load());
    }
}",
    );
    let output = place.run("emit column.rs --explain");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let wanted = "column: one phase on ascend910b1
  line 4: each element of `x` is copied alone, to or from 32 bytes of UB of its own, which takes as long as 512 bytes that follow one another: where a tile has \
                  most of a row of `x`, load whole rows and take its elements by `pick`
";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn what_a_launch_is_predicted_to_take_is_printed() {
    let place = Place::new("cost");
    let run = |types: &str| {
        let output = place.run(&format!(
            "emit scale.rs --cost --shape x{types}=1048576 --arg alpha=3"
        ));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let (all, one) = (run(""), run(":bf16"));
    let rows: Vec<Vec<&str>> = all
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[1],
        [
            "T",
            "variant",
            "most",
            "MTE2",
            "V",
            "MTE3",
            "GM",
            "launch",
            "predicted"
        ],
        "{all}"
    );
    let types: Vec<&str> = rows[2..5].iter().map(|row| row[0]).collect();
    assert_eq!(
        (types, rows.len()),
        (vec!["f16", "bf16", "f32"], 6),
        "{all}"
    );
    assert_eq!(
        all.lines().last(),
        Some("call by call: --shape x:f16=1048576")
    );
    for part in [
        "scale <bf16> on ascend910b1",
        "predicted, not measured",
        "Muls",
        "bytes of the block = ",
        "us of MTE2 ",
        "x the bound of launch and bytes",
        "cycles an element (V)",
    ] {
        assert!(one.contains(part), "{part}\n{one}");
    }
    assert!(
        one.contains(&format!(
            "predicted {} us",
            rows[3].last().expect("what it takes")
        )),
        "{one}\n{all}"
    );
    let wrong = place.run("emit scale.rs --cost --shape x:i8=1048576 --arg alpha=3");
    assert_eq!(code(&wrong), 2);
    assert!(
        text(&wrong.stderr).contains("`T` is one of (f16), (bf16), (f32)"),
        "{}",
        text(&wrong.stderr)
    );
    assert_eq!(place.names(), ["bad.rs", "scale.rs"]);
}

#[test]
fn emit_writes_a_folder_and_replaces_only_its_own() {
    let place = Place::new("emit");
    for kind in ["direct", "asc", "msopgen", "torch"] {
        let output = place.run(&format!("emit scale.rs --out {kind}/p --project {kind}"));
        assert_eq!(code(&output), 0, "{kind}: {}", text(&output.stderr));
        let listed = text(&output.stdout);
        assert!(listed.lines().count() >= 2);
        for line in listed.lines() {
            let written = fs::read_to_string(place.0.join(line)).unwrap_or_default();
            assert!(!written.is_empty(), "{line}");
            assert!(
                !written.contains(place.0.to_str().unwrap()),
                "{line} holds a path of this machine"
            );
        }
        assert_eq!(
            fs::read_dir(place.0.join(kind)).unwrap().count(),
            1,
            "no temporary folder stays"
        );
    }
    // Another kind into the same folder: stale files are removed, and a build stays.
    place.file("direct/p/build.log", "built");
    let before = text(&place.run("emit scale.rs --out direct/p").stdout);
    let output = place.run("emit scale.rs --out direct/p --project msopgen");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let after = text(&output.stdout);
    for line in before.lines().filter(|l| !after.lines().any(|a| a == *l)) {
        assert!(!place.0.join(line).exists(), "{line} is stale");
    }
    assert!(place.0.join("direct/p/build.log").exists());
    let hidden = fs::read_dir(place.0.join("direct/p"))
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().into_string().ok());
    assert_eq!(
        hidden.filter(|n| n.starts_with('.')).collect::<Vec<_>>(),
        [".jumar"]
    );
    // An empty folder is accepted.
    fs::create_dir(place.0.join("empty")).unwrap();
    assert_eq!(code(&place.run("emit scale.rs --out empty")), 0);
}

#[test]
fn lowered_ir_is_printed() {
    let place = Place::new("level");
    let output = place.run("emit scale.rs --level queue");
    assert_eq!(code(&output), 0);
    let ir = text(&output.stdout);
    assert_eq!(ir.matches("(lowered").count(), 3, "one an instance");
    assert!(ir.contains("VECIN") && !ir.contains("tile_loop"));
}
