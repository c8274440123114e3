//! Runs the kernels of `runtime/ascendc/tests`. Right ones must end without a fault, and wrong ones
//! must be refused with one message at one place. Host programs must end with 0.
//!
//! The README of that folder describes the head of a file. Files are compiled in groups, and some
//! of them also alone, since each text must compile by itself. `JUMAR_SINGLE` is `all` or `none` of
//! them.

mod case;
mod group;

use case::File;
use group::Group;
use jumar_dsl::soc::{Arch, Chip};
use jumar_kit::files::below;
use jumar_kit::tier;
use jumar_runtime::ascendc::{LaunchOptions, Unit};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Files that are compiled as one source.
const TOGETHER: usize = 32;

/// A piece of work for one thread.
enum Work {
    Together(Group),
    Alone(Box<File>),
}

impl Work {
    fn judged(self, sanitize: bool) -> Vec<String> {
        match self {
            Work::Together(group) => group.judged(sanitize),
            Work::Alone(file) => {
                let name = file.stem.clone();
                file.judged_alone(sanitize)
                    .into_iter()
                    .map(|why| format!("{name}: {why}"))
                    .collect()
            }
        }
    }
}

/// Groups the files. Those that cannot be in a group, and some drawn ones, are compiled alone.
fn works(folder: &str, files: Vec<File>) -> Vec<Work> {
    let (sociable, apart): (Vec<File>, Vec<File>) = files.into_iter().partition(File::is_sociable);
    let is_drawn = |file: &&File| tier::is_drawn("JUMAR_SINGLE", 10, &file.text);
    let drawn = sociable.iter().filter(is_drawn).cloned();
    let drawn: Vec<File> = drawn.map(File::in_one_order).collect();
    let mut works: Vec<Work> = apart
        .into_iter()
        .chain(drawn)
        .map(|file| Work::Alone(Box::new(file)))
        .collect();
    let mut of_arch: [Vec<File>; 2] = [Vec::new(), Vec::new()];
    for file in sociable {
        of_arch[usize::from(file.case.options.chip.arch == Arch::M200)].push(file);
    }
    for (arch, files) in of_arch.into_iter().enumerate() {
        let mut files = files.into_iter().peekable();
        for number in 0.. {
            if files.peek().is_none() {
                break;
            }
            let name = format!("{folder}_{arch}_{number}");
            works.push(Work::Together(Group {
                name,
                files: files.by_ref().take(TOGETHER).collect(),
            }));
        }
    }
    works
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests");
    below(&root.join(folder), &["cpp"])
}

fn run_folder(folder: &str, sanitize: bool) -> usize {
    run(
        folder,
        files(folder).into_iter().map(File::read).collect(),
        sanitize,
    )
}

fn run(folder: &str, files: Vec<File>, sanitize: bool) -> usize {
    let (count, queue, failed) = (
        files.len(),
        Mutex::new(works(folder, files)),
        Mutex::new(Vec::new()),
    );
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| loop {
                // Groups are last in the list and take longest, so they start first.
                let Some(work) = queue.lock().expect("the queue").pop() else {
                    break;
                };
                let wrong = work.judged(sanitize);
                failed.lock().expect("the list").extend(wrong);
            });
        }
    });
    let mut failed = failed.into_inner().expect("the list");
    // A file may have been judged twice.
    failed.sort();
    failed.dedup();
    let again = format!(
        "JUMAR_SEED={} cargo test -p jumar-runtime --test suite ascendc_suite",
        tier::seed()
    );
    assert!(failed.is_empty(), "\n{}\nagain: {again}", failed.join("\n"));
    count
}

#[test]
fn right_kernels_end_well() {
    assert!(run_folder("right", false) >= 60);
    // Each instruction that they record has a cost class; these are most that there are.
    let recorded = case::RECORDED.lock().expect("the names").len();
    assert!(recorded >= 65, "{recorded} names");
}

/// Neither a right kernel nor the machine has undefined behaviour in C++. The test runs where C++
/// is compiled with sanitizers.
#[test]
fn right_kernels_end_well_under_sanitizers() {
    if tier::sanitizes() {
        assert!(run_folder("right", true) >= 60);
    }
}

#[test]
fn wrong_kernels_are_refused_where_they_are_wrong() {
    assert!(run_folder("wrong", false) >= 60);
}

/// The wrong kernel of each pair is told, and its twin ends well, in every order of the pipes that
/// is drawn.
#[test]
fn pairs_are_told_apart() {
    let pairs: Vec<[File; 2]> = files("pairs").into_iter().map(File::pair).collect();
    for [wrong, twin] in &pairs {
        let name = &wrong.stem;
        assert!(wrong.is_wrong(), "{name}: nothing says what is wrong");
        assert!(
            wrong.text != twin.text,
            "{name}: the twin is the wrong kernel"
        );
        assert!(
            twin.has_results(),
            "{name}: nothing says what the twin computes"
        );
    }
    run("pairs", pairs.into_iter().flatten().collect(), false);
}

/// Returns what a host program prints at its end; `None` where it ends with 0.
fn judge_host(path: PathBuf) -> Option<String> {
    let chip = Chip::default_chip();
    let includes = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests/host")];
    let unit = Unit {
        includes,
        strict: true,
        ..Unit::program(vec![path], chip.arch)
    };
    match unit
        .compile()
        .and_then(|program| program.run_main(&LaunchOptions::new(chip), &[], Path::new(".")))
    {
        Ok(outcome) => (outcome.status != 0).then(|| format!("ends with {}", outcome.status)),
        Err(error) => Some(error.message().to_string()),
    }
}

#[test]
fn host_programs_end_well() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests/host");
    let programs = below(&folder, &["cpp"]);
    assert!(programs.len() >= 3);
    for program in programs {
        let name = program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        assert_eq!(judge_host(program), None, "{name}");
    }
}

/// Checks that the kernels which the page names exist in this suite.
#[test]
fn kernels_that_the_page_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page =
        std::fs::read_to_string(root.join("../book/src/reference/cpp.md")).expect("the page");
    let section = page
        .split("## What a chip hides")
        .nth(1)
        .and_then(|s| s.split("\n## ").next())
        .expect("the section");
    let named: Vec<&str> = section
        .split('`')
        .filter(|word| word.ends_with(".cpp"))
        .collect();
    assert!(named.len() >= 10, "{named:?}");
    for name in named {
        assert!(
            root.join("ascendc/tests/wrong").join(name).is_file(),
            "{name}"
        );
    }
}
