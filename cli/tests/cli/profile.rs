//! `jumar profile` and `jumar cpp --record`: events of a run, and their predicted time.

use super::*;

/// A kernel with an event of each kind.
const KERNEL: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void events(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(in, 2, 1024);
    pipe.InitBuffer(buf, 2048);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x + 32 * GetBlockIdx());
    gz.SetGlobalBuffer((__gm__ float *)z + 16 * GetBlockIdx());
    gx.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopyPad(a, gx, DataCopyExtParams{2, 20, 44, 0, 0}, DataCopyPadExtParams<float>{true, 0, 3, 0.0f});
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = buf.Get<float>();
    Duplicate(b, 0.0f, 512);
    uint64_t mask[2] = {0xff, 0};
    Add(b, a, b, mask, 2, {1, 1, 1, 8, 1, 8});
    PipeBarrier<PIPE_V>();
    WholeReduceSum(b, b, 8, 2, 1, 1, 8);
    in.FreeTensor(a);
    b.SetValue(2, b.GetValue(0) + 1.0f);
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    gx.GetValue(0);
    DataCopyPad(gz, b, DataCopyExtParams{1, 12, 0, 0, 0});
}
"#;

const EVENTS: &str = "trace 1 ascend910b1 events 2 auto_sync
block 0
events.cpp:16 MTE2 DataCopyPad x+0 2*20/64 ub 0/32 bypass
events.cpp:17 set MTE2 V 0
events.cpp:18 wait MTE2 V 0
events.cpp:20 V Duplicate 8*64/64 w2048,1,8,4
events.cpp:22 V Add 2*8/8 w2048,1,8,4 r0,1,1,4 r2048,1,8,4
events.cpp:23 barrier V
events.cpp:24 V WholeReduceSum 2*8/8 r2048,1,8,4 w2048+32,4
events.cpp:25 set V MTE2 0
events.cpp:26 S GetValue ub 2048 4
events.cpp:26 S SetValue ub 2056 4 w
events.cpp:27 barrier ALL
events.cpp:28 sync_all
events.cpp:29 S GetValue gm x+0 4
events.cpp:30 MTE3 DataCopyPad z+0 1*12/12 ub 2048/12
events.cpp:30 wait V MTE2 0
block 1
events.cpp:16 MTE2 DataCopyPad x+128 2*20/64 ub 0/32 bypass
";

const CALL: &str = "events.cpp --arg x=@x.npy --out z:f32[32]=@z.npy --block-dim 2";

fn place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("events.cpp", KERNEL);
    let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(64,)", &f32s(&x)));
    place
}

#[test]
fn a_run_leaves_its_events_in_both_forms() {
    let place = place("record");
    let output = place.run(&format!("cpp {CALL} --record events.txt"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let events = place.read("events.txt");
    assert!(events.starts_with(EVENTS), "{events}");
    let ran = place.run(&format!("cpp {CALL} --record events.trace"));
    assert_eq!(code(&ran), 0, "{}", text(&ran.stderr));
    let reports = ["events.txt", "events.trace"].map(|file| {
        let output = place.run(&format!("profile {file}"));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout)
    });
    assert_eq!(reports[0], reports[1]);
    let output = place.run(&format!("profile {CALL}"));
    // Behind the prediction stands what the run says of itself.
    let said = text(&ran.stdout);
    let (_, behind) = said.split_once('\n').expect("a first line");
    assert!(behind.ends_with("z: f32 [32], in z.npy\n"), "{behind}");
    assert_eq!(text(&output.stdout), format!("{}\n{behind}", reports[0]));
    assert!(
        reports[0].contains("us predicted on ascend910b1, 2 blocks; nothing was measured"),
        "{}",
        reports[0]
    );
}

#[test]
fn a_timeline_is_written_for_perfetto_and_as_a_picture() {
    let place = place("profile-views");
    let views = "--trace out.json --svg out.svg";
    let output = place.run(&format!("profile {CALL} {views}"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.contains("timeline: in out.json, for Perfetto"),
        "{said}"
    );
    assert!(said.contains("timeline and roofline: in out.svg"), "{said}");
    let of_run = [place.read("out.json"), place.read("out.svg")];
    place.run(&format!("cpp {CALL} --record events.trace"));
    let output = place.run(&format!("profile events.trace {views}"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(of_run, [place.read("out.json"), place.read("out.svg")]);

    let [json, svg] = of_run;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let events = json["traceEvents"].as_array().expect("a list of events");
    let mut threads = std::collections::BTreeMap::new();
    for event in events {
        let number = |name: &str| event[name].as_f64().expect("a number");
        // The name of the process alone belongs to no thread.
        let thread = event["tid"].as_u64().unwrap_or_default();
        match event["ph"].as_str().expect("a phase") {
            "M" => {
                if event["name"] == "thread_name" {
                    threads.insert(thread, (event["args"]["name"].clone(), Vec::new()));
                }
            }
            "X" => {
                let nanos = |micros: f64| (micros * 1000.0).round() as i64;
                let end = nanos(number("ts")) + nanos(number("dur"));
                let (_, slices) = threads.get_mut(&thread).expect("a thread with a name");
                slices.push((nanos(number("ts")), end));
                let place = event["args"]["place"].as_str().expect("a place");
                assert!(place.starts_with("events.cpp:"), "{event}");
            }
            "s" | "f" => assert!(event["id"].is_u64() && number("ts") >= 0.0, "{event}"),
            other => panic!("no phase is called {other}"),
        }
    }
    let names: Vec<&str> = threads
        .values()
        .filter_map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["S", "V", "MTE2", "MTE3", "critical path"]);
    for (name, slices) in threads.values_mut() {
        slices.sort_unstable();
        assert!(!slices.is_empty(), "{name}");
        assert!(slices.is_sorted_by(|a, b| a.1 <= b.0), "{name}: {slices:?}");
    }
    let count = |phase: &str| events.iter().filter(|one| one["ph"] == phase).count();
    assert_eq!(count("s"), count("f"));
    assert!(count("s") > 0, "{events:?}");

    for part in [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "events on ascend910b1: predicted timeline of block 0",
        "events on ascend910b1: predicted roofline",
        "critical path",
    ] {
        assert!(svg.contains(part), "`{part}` is not in\n{svg}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
    for tag in ["title", "text", "svg"] {
        let open = svg.matches(&format!("<{tag}")).count();
        assert_eq!(open, svg.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_long_block_is_shown_in_windows() {
    let place = place("profile-windows");
    let call = "k.cpp:3 V Adds 8*64/64 w0,1,8,4 r0,1,8,4\n";
    let trace = format!("trace 1 ascend910b1 k 1\nblock 0\n{}", call.repeat(1000));
    place.file("long.txt", trace);
    let output = place.run("profile long.txt --svg long.svg");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let svg = place.read("long.svg");
    for part in [
        "the beginning: 0.00 to ",
        "the middle: ",
        "the end: ",
        "no point: ",
    ] {
        assert!(svg.contains(part), "`{part}` is not in\n{svg}");
    }
    assert!(!svg.contains("the whole block"), "{svg}");
}

#[test]
fn no_view_is_left_of_a_profile_that_fails() {
    let place = place("profile-no-view");
    place.file(
        "class.txt",
        "trace 1 ascend910b1 k 1\nblock 0\nk.cpp:3 V Fold 1*64/64 w0,1,8,4\n",
    );
    let before = files(&place);
    let output = place.run("profile class.txt --trace out.json --svg out.svg");
    assert_eq!(code(&output), 1);
    for (line, part) in [
        (
            "profile class.txt --svg none/x.svg",
            "`none/x.svg` cannot be written: there is no such folder",
        ),
        (
            "profile class.txt --svg x --trace x",
            "`--trace` and `--svg` would go to one file, `x`",
        ),
        (
            "profile class.txt --svg class.txt",
            "`--svg` would replace `class.txt`, which holds `the record`",
        ),
        (
            "profile events.cpp --check --svg out.svg",
            "--check runs no kernel",
        ),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "{line}: {stderr}");
        assert!(
            stderr.contains(part),
            "{line}: `{part}` is not in\n{stderr}"
        );
    }
    assert_eq!(files(&place), before);
}

/// Returns the names in the folder of a place.
fn files(place: &Place) -> Vec<String> {
    let found = std::fs::read_dir(&place.0).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> = found
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn emitted_text_is_profiled_as_what_others_wrote() {
    let place = place("record-emitted");
    place.file(
        "twice.rs",
        "use jumar::prelude::*;\n\n#[kernel]\npub fn twice(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n    \
         for t in tiles(x) {\n        y.at(t).store(x.at(t).load() * 2.0);\n    }\n}\n",
    );
    let run = "run twice.rs --arg x=@x.npy --out y=@y.npy";
    let output = place.run(&format!("{run} --backend cpp --record twice.txt"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let events = place.read("twice.txt");
    assert!(events.starts_with("trace 1 ascend910b1 twice "), "{events}");
    assert!(events.contains(" V Muls "), "{events}");
    let output = place.run("profile twice.txt");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let output = place.run(&format!("{run} --record twice.txt"));
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("add --backend cpp"));
}

#[test]
fn what_cannot_be_profiled_is_told() {
    let place = place("profile-refused");
    place.file("short.trace", "jumtrace");
    place.file("none.trace", "something else");
    let head = "trace 1 ascend910b1 k 1\nblock 0\n";
    place.file("waits.txt", format!("{head}k.cpp:3 wait V S 0\n"));
    place.file(
        "class.txt",
        format!("{head}k.cpp:3 V Sin 1*64/64 w0,1,8,4\n"),
    );
    place.file("line.txt", format!("{head}k.cpp:3 V\n"));
    place.file("main.cpp", "int main()\n{\n    return 0;\n}\n");
    let wrong = KERNEL.replace("    in.EnQue(a);\n", "");
    place.file("wrong.cpp", wrong);
    place.file(
        "main.cpp",
        format!("{KERNEL}\nint main() {{ return 0; }}\n"),
    );
    for (line, status, part) in [
        ("profile short.trace", 2, "the trace is cut short; record it again"),
        ("profile none.trace", 2, "this is no trace"),
        ("profile line.txt", 2, "line 3 of the trace: it ends too early"),
        ("profile missing.trace", 2, "`missing.trace`"),
        ("profile main.cpp", 2, "the launches of a program are not recorded"),
        ("cpp main.cpp --record x.trace", 2, "the launches of a program are not recorded"),
        ("profile waits.txt", 1, "k.cpp:3: S waits for flag 0 of V, which nothing sets"),
        ("profile waits.txt --arg x=@x.npy", 2, "a record is replayed as it is"),
        ("profile waits.txt --record x.trace", 2, "a record is replayed as it is"),
        ("profile waits.txt line.txt", 2, "`waits.txt` is a record, and there are other files"),
        ("profile --folder .", 2, "--folder checks operators and predicts none"),
        ("profile events.cpp --check", 2, "--check runs no kernel"),
        ("profile class.txt", 1, "k.cpp:3: nobody knows what Sin takes"),
        (
            "profile wrong.cpp --arg x=@x.npy --out z:f32[32]=@z.npy --block-dim 2",
            1,
            "J0803",
        ),
        (
            "cpp events.cpp --arg x=@x.npy --out z:f32[32]=@z.npy --block-dim 2 --record none/x.trace",
            2,
            "`none/x.trace` cannot be written",
        ),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), status, "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: `{part}` is not in\n{stderr}");
    }
}

#[test]
fn a_kernel_in_rust_is_profiled_by_its_shapes() {
    let place = place("profile-rust");
    place.file(
        "twice.rs",
        "#[kernel]
#[instances(f16, f32)]
pub fn twice<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() * 2.0);
    }
}",
    );
    let line = "profile twice.rs --shape x:f32=4096,1024";
    let output = place.run(&format!("{line} --record twice.trace"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let report = text(&output.stdout);
    for part in [
        "twice: ",
        "48 blocks; nothing was measured",
        "twice.rs:5 DataCopyPad on MTE2",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    // The record has repeated events, and is profiled as the kernel is.
    let again = place.run("profile twice.trace");
    assert_eq!(text(&again.stdout), report, "{}", text(&again.stderr));
    // The same prediction in both commands.
    let cost = text(
        &place
            .run("emit twice.rs --cost --shape x:f32=4096,1024")
            .stdout,
    );
    let micros = |text: &str, before: &str| {
        let (_, rest) = text.rsplit_once(before).expect("a time");
        let word = rest.split_whitespace().next().expect("a number");
        word.parse::<f64>().expect("a number")
    };
    let (profiled, listed) = (micros(&report, "twice: "), micros(&cost, "predicted "));
    assert!((profiled - listed).abs() < 0.1, "{report}\n{cost}");
    for (line, part) in [
        (
            "profile twice.rs --shape x=4096,1024",
            "`twice` has instances of f16, f32, and one is predicted",
        ),
        (
            "profile twice.rs --shape x:i8=4,4",
            "`T` is one of (f16), (f32)",
        ),
        ("profile twice.rs --kernel other", "has no kernel `other`"),
        ("profile twice.rs --shape x:f16=4", "`x`"),
        (
            "profile twice.rs --shape x:f16=4,4 --out y=@y.npy",
            "is predicted by its shapes",
        ),
        (
            "profile twice.rs --shape x:f16=4,16 --chip ascend310p3",
            "nothing was published",
        ),
        (
            "profile events.cpp --shape x=3",
            "--shape is of a kernel in Rust",
        ),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_ne!(code(&output), 0, "{line}");
        assert!(
            stderr.contains(part),
            "{line}: `{part}` is not in\n{stderr}"
        );
    }
}

/// A kernel with a library call.
const LIBRARY: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void library(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf, tmp;
    pipe.InitBuffer(buf, 4096);
    pipe.InitBuffer(tmp, 1536);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = buf.Get<float>(64), b = buf.Get<float>()[512];
    LocalTensor<uint8_t> space = tmp.Get<uint8_t>();
    DataCopy(a, gx, 64);
    PipeBarrier<PIPE_ALL>();
    Tanh(b, a, space, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, b, 64);
}
"#;

#[test]
fn a_library_call_is_recorded_as_its_instructions() {
    let place = place("record-library");
    place.file("library.cpp", LIBRARY);
    let call = "library.cpp --arg x=@x.npy --out z:f32[64]=@z.npy";
    let output = place.run(&format!("cpp {call} --record library.txt"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let events = place.read("library.txt");
    let wanted = "\
library.cpp:17 V Mins 1*64/64 w4096,1,8,4 r0,1,8,4
library.cpp:17 barrier V
library.cpp:17 V Maxs 1*64/64 w4096,1,8,4 r4096,1,8,4
";
    assert!(events.contains(wanted), "{events}");
    assert_eq!(events.matches("library.cpp:17 V ").count(), 7, "{events}");
    let output = place.run(&format!("profile {call}"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
}
