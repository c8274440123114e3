//! Launches on a device: emitted text, device compiler, loaded object, launch, results. The device
//! is a stand-in for CANN (`tests/standin`), written from the facts alone.
//!
//! Its devices are one library with one state for a process, so a test has them to itself.

use crate::differential::{agree, examples, programs};
use agree::{compare, differs, run, simulated, Case};
use examples::example_cases;
use jumar::codegen::ProjectKind;
use jumar::dsl::diag::Code;
use jumar::dsl::ir::Ty;
use jumar::load::check_text;
use jumar::npu::acl::find::Installation;
use jumar::npu::{doctor, object, DeviceCompiler, Npu};
use jumar::prelude::*;
use jumar::runtime::{Overflow, RunError};
use jumar::Backend;
use jumar_kit::tier;
use jumar_llm::tasks::corpus::{tasks, BENCHES};
use jumar_llm::tasks::run::{elements, runs, Poison, Run};
use jumar_standin::{toolkit, Control, Release, Toolkit};
use ndarray::Array1;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

struct Machine {
    toolkit: Toolkit,
    control: Control,
    cache: tempfile::TempDir,
}

impl Machine {
    /// Locks the stand-in for one test, and resets its state and counts.
    fn take() -> MutexGuard<'static, Machine> {
        static MACHINE: OnceLock<Mutex<Machine>> = OnceLock::new();
        let make = || {
            let toolkit = toolkit(Release::V9_0).expect("the stand-in is made");
            let control = toolkit.control().expect("its library opens");
            Mutex::new(Machine {
                toolkit,
                control,
                cache: tempfile::tempdir().expect("a folder"),
            })
        };
        let machine = MACHINE
            .get_or_init(make)
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        machine.control.reset();
        machine
    }

    fn installation(&self) -> Installation {
        Installation::at(&self.toolkit.home)
    }

    fn compiler(&self) -> DeviceCompiler {
        DeviceCompiler::find(&self.installation())
            .expect("a compiler")
            .with_cache(self.cache.path().to_path_buf())
    }

    fn npu(&self) -> Npu {
        Npu::open_with(self.installation(), 0)
            .expect("a device")
            .with_compiler(self.compiler())
    }
}

#[kernel]
#[instances(f16, f32)]
fn twice<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}

/// Returns the difference between device and simulator.
fn disagreement(case: &Case, npu: &Npu, overflow: Overflow) -> Option<String> {
    let kernel = case.named(case.kernel()).expect("an example is a kernel");
    let found = compare(
        case,
        &simulated(case, &kernel, overflow),
        "device",
        &run(case, &kernel, overflow, Some(npu)),
    );
    found.map(|why| format!("{} {}: {why}", case.name, case.tensors[0].dtype))
}

#[test]
fn every_example_runs_on_a_device_as_on_the_simulator() {
    let machine = Machine::take();
    for (soc, chips) in [
        ("Ascend910B2", ["ascend910b1", "ascend910b4"]),
        ("Ascend910_9391", ["ascend910_93", "ascend910_93"]),
    ] {
        machine.control.reset();
        assert!(machine.control.chip(soc));
        machine.control.races(7);
        let npu = machine.npu();
        let cases = example_cases(&[(5, 17), (49, 128), (0, 8)], &chips);
        let cases = tier::drawn("JUMAR_DIFFERENTIAL", 6, cases, |case| {
            case.kernel().to_string()
        });
        let wrong: Vec<_> = cases
            .iter()
            .filter_map(|case| disagreement(case, &npu, Overflow::InfNan))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        // Each case with elements is one launch at least.
        let due = cases
            .iter()
            .filter(|case| case.tensors[0].shape.iter().all(|n| *n > 0))
            .count() as u64;
        assert!(
            (due > 0 || cases.is_empty()) && machine.control.counts().kernels_run >= due,
            "{due} of {:?}",
            machine.control.counts()
        );
        assert!(
            !tier::Tier::is_night()
                || cases.is_empty()
                || machine.control.counts().kernels_run >= 60,
            "{:?}",
            machine.control.counts()
        );
        drop(npu);
        assert!(
            machine.control.counts().is_nothing_left(),
            "{:?}",
            machine.control.counts()
        );
    }
}

/// The answers have lists, optional tensors, names, workspaces and several variants.
/// `JUMAR_DEVICE_TASKS=1` takes each task, the night each fifth, the gate each fiftieth.
#[test]
fn answers_of_tasks_run_on_a_device_as_on_the_simulator() {
    let machine = Machine::take();
    let npu = machine.npu();
    let step = tier::cases("JUMAR_DEVICE_TASKS", 50, 5) as usize;
    let all: Vec<_> = BENCHES
        .iter()
        .flat_map(|(bench, ..)| tasks(bench))
        .step_by(step)
        .collect();
    let (mut launches, mut wrong) = (0, Vec::new());
    for task in &all {
        let file = check_text("answer.rs", task.answer(), Some(npu.chip()));
        let kernel = file
            .kernels()
            .first()
            .and_then(|k| k.checked.first())
            .expect("an answer is a kernel");
        let mut cases: Vec<_> = runs(task).collect();
        cases.sort_by_key(|(case, _)| elements(task, case));
        for (case, element) in cases.into_iter().take(3) {
            let run = Run::new(task, case, &element, 0);
            let on = |backend| {
                run.launch(kernel, backend, Poison::High)
                    .map_err(|halt| halt.why)
            };
            launches += 1;
            let found = match (on(None), on(Some(&npu as &dyn Backend))) {
                (Ok(simulated), Ok(device)) => {
                    let mut pairs = run.tensors(&simulated).zip(run.tensors(&device));
                    pairs.find_map(|((name, .., a), (.., b))| {
                        differs(a, "device", b).map(|why| format!("{name}: {why}"))
                    })
                }
                (Err(a), Err(b)) if a == b => None,
                (simulated, device) => Some(format!(
                    "simulator {:?}, device {:?}",
                    simulated.err(),
                    device.err()
                )),
            };
            wrong.extend(found.map(|why| format!("{}: {why}", run.name)));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {launches} launches:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(launches >= 2 * all.len(), "{launches}");
}

/// `ascend310p`, whose cores do everything, has its own architecture, compiler name and magic.
#[test]
fn kernels_run_on_the_chip_that_they_were_checked_for() {
    let machine = Machine::take();
    assert!(machine.control.chip("Ascend310P3"));
    let npu = machine.npu();
    assert_eq!(npu.chip().name, "ascend310p");
    let x = Array1::from_iter((0..1000).map(|i| i as f32));
    let mut y = Array1::<f32>::zeros(1000);
    twice.launch(&npu, &x, &mut y).expect("it runs");
    assert_eq!(y, &x * 2.0);
    let other = twice
        .bind()
        .expect("a chip")
        .backend(&npu)
        .input("x", &x)
        .output("y", &mut y)
        .run()
        .expect_err("another chip");
    let said = other.to_string();
    assert!(
        said.contains("was checked for ascend910b1, and the device is ascend310p"),
        "{said}"
    );
}

#[test]
fn what_overflows_is_what_the_launch_says() {
    let machine = Machine::take();
    let npu = machine.npu();
    let mut case = example_cases(&[(3, 300)], &["ascend910b2"])
        .into_iter()
        .find(|case| case.kernel() == "scale_add")
        .expect("an example");
    // The factor makes halves overflow.
    case.attrs[0].1 = jumar::dsl::tiling::Value::F32(60_000.0);
    for overflow in [Overflow::Saturate, Overflow::InfNan, Overflow::Saturate] {
        assert_eq!(disagreement(&case, &npu, overflow), None, "{overflow:?}");
    }
    assert_eq!(machine.control.calls("aclrtSetDeviceSatMode"), 3);
}

#[test]
fn a_launch_of_one_s_own_works_on_a_device_and_tells_how_long() {
    let machine = Machine::take();
    let npu = machine.npu();
    let x = Array1::from_iter((0..333).map(|i| f16::from_f32(i as f32)));
    for _ in 0..3 {
        let mut y = Array1::from_elem(333, f16::ZERO);
        let report = twice.launch(&npu, &x, &mut y).expect("it runs");
        assert_eq!(y, x.mapv(|v| v + v));
        assert!(report.device_time.is_some());
    }
    // Three launches compile and load the object once.
    assert_eq!(machine.control.calls("aclrtBinaryLoadFromData"), 1);
    assert_eq!(machine.control.counts().kernels_run, 3);
}

/// Adds one to each array of a list.
#[kernel]
fn bumped(xs: &[GlobalTensor<f32>], ys: &mut [GlobalTensor<f32>]) {
    for (x, y) in zip((xs, ys)) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() + 1.0);
        }
    }
}

#[test]
fn launches_that_begin_go_on_side_by_side() {
    let machine = Machine::take();
    let npu = machine.npu();
    let x = Array1::from_iter((0..500).map(|i| i as f32));
    let mut all: Vec<Array1<f32>> = vec![Array1::zeros(500); 6];
    twice
        .launch(&npu, &x, &mut all[0].clone())
        .expect("it runs");
    // The latency delays all work, so none is done when the last launch starts.
    machine.control.latency(100_000_000);
    let running: Vec<_> = all
        .iter_mut()
        .map(|y| twice.start(&npu, &x, y).expect("it begins"))
        .collect();
    assert!(running.iter().all(|one| !one.is_done().expect("a stream")));
    assert_eq!(machine.control.counts().streams, 6);
    for one in running {
        assert!(one.wait().expect("it ends well").device_time.is_some());
    }
    assert!(all.iter().all(|y| *y == &x * 2.0));
    // Streams are used again. A launch that nobody waits for leaves no results.
    let mut y = Array1::<f32>::zeros(500);
    drop(twice.start(&npu, &x, &mut y).expect("it begins"));
    assert_eq!(y, Array1::<f32>::zeros(500));
}

#[test]
fn items_of_lists_run_side_by_side() {
    let machine = Machine::take();
    let npu = machine.npu();
    let xs: Vec<_> = (0..5)
        .map(|n| Array1::from_elem(10 * n + 1, n as f32))
        .collect();
    let mut ys: Vec<_> = xs.iter().map(|x| Array1::<f32>::zeros(x.len())).collect();
    machine.control.latency(20_000_000);
    let report = bumped.launch(&npu, &xs, &mut ys).expect("it runs");
    assert_eq!(
        (report.items.len(), machine.control.counts().streams),
        (5, 5)
    );
    assert!(xs.iter().zip(&ys).all(|(x, y)| *y == x + 1.0));
    machine.control.fail_late(507_015);
    let failed = bumped
        .launch(&npu, &xs, &mut ys)
        .expect_err("one fails")
        .to_string();
    assert!(
        failed.contains("item ") && failed.contains("507015"),
        "{failed}"
    );
}

#[test]
fn what_overflows_waits_for_what_runs_as_it_was_told() {
    let machine = Machine::take();
    let npu = machine.npu();
    let x = Array1::from_elem(200, f16::from_f32(60_000.0));
    let (mut first, mut second) = (
        Array1::from_elem(200, f16::ZERO),
        Array1::from_elem(200, f16::ZERO),
    );
    machine.control.latency(20_000_000);
    let kernel = twice.check(npu.chip()).expect("a kernel");
    let launch = |overflow| {
        jumar::Launch::new(kernel)
            .backend(&npu)
            .overflow(overflow)
            .input("x", &x)
    };
    let saturated = launch(Overflow::Saturate)
        .output("y", &mut first)
        .start()
        .expect("it begins");
    let infinite = launch(Overflow::InfNan)
        .output("y", &mut second)
        .start()
        .expect("it begins");
    saturated.wait().expect("it ends well");
    infinite.wait().expect("it ends well");
    assert_eq!((first[0], second[0]), (f16::MAX, f16::INFINITY));
}

#[test]
fn a_profile_of_launches_is_kept_in_its_folder() {
    let machine = Machine::take();
    let npu = machine.npu();
    let folder = machine.cache.path().join("profiles/first");
    let profile = npu
        .profile(&folder, jumar::npu::acl::Metrics::Pipes)
        .expect("a profile");
    assert!(npu
        .profile(&folder, jumar::npu::acl::Metrics::Pipes)
        .is_err());
    let x = Array1::from_elem(64, 1.0f32);
    twice
        .launch(&npu, &x, &mut Array1::<f32>::zeros(64))
        .expect("it runs");
    drop(profile);
    assert!(folder.is_dir() && machine.control.calls("aclprofStop") == 1);
    let file = folder.join("file");
    fs::write(&file, "").expect("a file");
    let refused = npu
        .profile(&file, jumar::npu::acl::Metrics::Pipes)
        .expect_err("no folder");
    assert_eq!(refused.code(), Code::J0605, "{refused}");
}

#[test]
fn what_a_device_meets_is_told_with_code_and_name_and_leaves_nothing() {
    let machine = Machine::take();
    let npu = machine.npu();
    let x = Array1::from_iter((0..64).map(|i| i as f32));
    let launch = |npu: &Npu| {
        twice
            .launch(npu, &x, &mut Array1::<f32>::zeros(64))
            .map(|_| ())
    };
    launch(&npu).expect("it runs");
    let before = machine.control.counts();
    machine.control.fail_late(507_015);
    let failed = launch(&npu).expect_err("the kernel fails").to_string();
    assert!(
        failed.contains("507015 (ACL_ERROR_RT_AICORE_EXCEPTION)"),
        "{failed}"
    );
    for (name, code) in [
        ("aclrtMalloc", 207_001),
        ("aclrtMemcpy", 107_000),
        ("aclrtLaunchKernelWithHostArgs", 507_899),
    ] {
        assert!(machine.control.fail(name, 1, code), "{name}");
        let failed = launch(&npu).expect_err(name).to_string();
        assert!(
            failed.contains(name) && failed.contains(&code.to_string()),
            "{failed}"
        );
    }
    launch(&npu).expect("it runs again");
    let after = machine.control.counts();
    assert_eq!(
        (before.device_blocks, before.events),
        (after.device_blocks, after.events)
    );
}

#[test]
fn the_compiler_is_asked_once_and_its_errors_are_at_the_kernel_s_lines() {
    let machine = Machine::take();
    let compiler = machine.compiler();
    let text = "#[kernel]\nfn half(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {\n    for t in tiles(x) {\n        y.at(t).store(x.at(t).load() * 0.5);\n    }\n}\n";
    for chip in
        ["ascend910b1", "ascend310p"].map(|name| jumar::Chip::by_name(name).expect("a chip"))
    {
        let file = check_text("half.rs", text, Some(chip));
        let kernel = file
            .kernel("half")
            .and_then(|k| k.checked.first())
            .expect("a kernel");
        let source = object(kernel).expect("an object");
        let first = compiler.compile(&source, chip).expect("it compiles");
        assert!(!first.was_cached);
        let again = compiler.compile(&source, chip).expect("it compiles");
        assert_eq!((again.object, again.was_cached), (first.object, true));
        let refused =
            |source: &jumar::codegen::Object, code: Code| match compiler.compile(source, chip) {
                Err(RunError::Refused {
                    code: found,
                    message,
                }) if found == code => message,
                other => panic!("{other:?}"),
            };
        // The calls remain in the text, but their function does not exist.
        let mut wrong = source.clone();
        wrong.text = source.text.replace("Muls(", "MulsBy(");
        let said = refused(&wrong, Code::J0817);
        assert!(
            said.starts_with("bisheng refuses the text of half.rs:4: ") && said.contains("MulsBy"),
            "{said}"
        );
        let mut none = source.clone();
        none.text = source.text.replace("__global__", "");
        let said = refused(&none, Code::J0817);
        assert!(said.contains("kernel function"), "{said}");
    }
}

/// Reads target options and libraries from the build files of a project.
fn line_of(cmake: &str, arch: &str) -> Vec<String> {
    let words_of = |command: &str| {
        let (_, rest) = cmake
            .split_once(command)
            .unwrap_or_else(|| panic!("{command} is not there"));
        let (inside, _) = rest
            .split_once(" PRIVATE")
            .expect("a target")
            .1
            .rsplit_once(')')
            .expect("an end");
        let inside = inside
            .split("\n#")
            .next()
            .unwrap_or_default()
            .split("\ntarget")
            .next()
            .unwrap_or_default()
            .trim_end_matches([')', '\n']);
        inside
            .split_whitespace()
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let option = |word: String| {
        let word = word
            .strip_prefix("$<$<COMPILE_LANGUAGE:ASC>:")
            .expect("of the language")
            .trim_end_matches('>')
            .to_string();
        word.replace("${CMAKE_ASC_ARCHITECTURES}", arch)
    };
    let options = words_of("target_compile_options(").into_iter().map(option);
    options
        .chain(
            words_of("target_link_libraries(")
                .into_iter()
                .map(|name| format!("-l{name}")),
        )
        .collect()
}

/// Projects for CANN 9 are compiled as their build files say, and run as programs.
#[test]
fn emitted_asc_programs_run_as_the_simulator_does() {
    let machine = Machine::take();
    let bisheng = machine.installation().tool("bisheng").expect("a compiler");
    let libraries = machine.toolkit.home.join("lib64");
    let mut of_kernels: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in example_cases(&[(37, 333), (0, 8), (1, 20_011)], &["ascend910b2"]) {
        of_kernels
            .entry(case.kernel().to_string())
            .or_default()
            .push(case);
    }
    // Every other example: a source of host and device takes as long to compile as ten objects.
    for name in ["total", "softmax", "swish", "layer_norm", "add_by_hand"] {
        let cases = &of_kernels[name];
        let kernel = cases[0].named(name).expect("an example is a kernel");
        let (folder, files) = programs::write(&kernel, ProjectKind::Asc);
        let cmake = fs::read_to_string(folder.join("CMakeLists.txt")).expect("build files");
        let source = files
            .iter()
            .find(|file| file.extension().is_some_and(|end| end == "asc"))
            .expect("a source");
        let program = folder.join("program");
        let mut command = Command::new(&bisheng);
        command
            .arg(source)
            .arg("-o")
            .arg(&program)
            .args(line_of(&cmake, cases[0].chip.npu_arch))
            .arg("-O2");
        let out = command.output().expect("it runs");
        assert!(
            out.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        let own = kernel
            .kernel()
            .sig
            .tensors()
            .position(|(_, _, _, ty)| matches!(ty, Ty::Param(_)));
        for case in cases {
            let dtype = own.map(|at| case.tensors[at].dtype.name());
            let run = |words: &[OsString], folder: &Path| {
                let mut command = Command::new(&program);
                let out = command
                    .args(words)
                    .current_dir(folder)
                    .env("LD_LIBRARY_PATH", &libraries)
                    .env("STANDIN_RACES", "7")
                    .output();
                let out = out.map_err(|e| e.to_string())?;
                Ok((
                    out.status.code().unwrap_or(-1),
                    String::from_utf8_lossy(&out.stderr).into_owned(),
                ))
            };
            assert_eq!(
                programs::disagreement_of(case, &kernel, dtype, run),
                None,
                "{} {dtype:?}",
                case.name
            );
        }
    }
}

#[test]
fn the_doctor_finds_what_is_there() {
    let machine = Machine::take();
    let found = doctor::examine(&machine.installation());
    let rows: BTreeSet<&str> = found
        .iter()
        .filter(|finding| finding.found.is_ok())
        .map(|finding| finding.what.as_str())
        .collect();
    for row in [
        "C++ compiler",
        "CANN",
        "device compiler",
        "runtime library",
        "ways to launch",
        "devices",
        "device 0",
        "device 1",
    ] {
        assert!(rows.contains(row), "{row} of {rows:?}");
    }
    let device = found
        .iter()
        .find(|finding| finding.what == "device 1")
        .expect("a device");
    assert!(
        device
            .found
            .as_ref()
            .is_ok_and(|text| text.contains("Ascend910B2, 48 vector cores")),
        "{device:?}"
    );
}

#[test]
fn without_a_compiler_the_message_says_what_works_instead() {
    let machine = Machine::take();
    let folder = tempfile::tempdir().expect("a folder");
    let only_libraries = folder.path().join("cann");
    fs::create_dir(&only_libraries).expect("a folder");
    std::os::unix::fs::symlink(
        machine.toolkit.home.join("lib64"),
        only_libraries.join("lib64"),
    )
    .expect("a link");
    let npu = Npu::open_with(Installation::at(only_libraries), 0).expect("a device");
    assert_eq!(
        Backend::chip(&npu).map(|chip| chip.name),
        Some("ascend910b2")
    );
    let x = Array1::from_iter((0..64).map(|i| i as f32));
    let refused = twice
        .launch(&npu, &x, &mut Array1::<f32>::zeros(64))
        .expect_err("no compiler")
        .to_string();
    assert!(
        refused.contains("has no `bisheng`") && refused.contains("--backend cpp"),
        "{refused}"
    );
}
