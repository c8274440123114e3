//! The kernels of `runtime/ascendc/tests`: right ones run and end well, wrong ones are refused with one message at one place; host
//! programs end with 0.
//!
//! How a file says what it needs is in that folder's README. Files are compiled in groups, and some of them alone: a text must also compile by
//! itself. `JUMAR_SINGLE` is `all` or `none` of them.

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

/// A piece of work of one thread.
enum Work {
    Together(Group),
    Alone(Box<File>),
}

impl Work {
    fn judged(self, sanitize: bool) -> Vec<String> {
        match self {
            Work::Together(group) => group.judged(sanitize),
            Work::Alone(file) => {
                let name = file.name();
                file.judged_alone(sanitize)
                    .into_iter()
                    .map(|why| format!("{name}: {why}"))
                    .collect()
            }
        }
    }
}

/// The files in groups, and alone those that cannot be in one and those that are drawn.
fn works(folder: &str, paths: Vec<PathBuf>) -> Vec<Work> {
    let read = || paths.iter().cloned().map(File::read);
    let (sociable, apart): (Vec<File>, Vec<File>) = read().partition(File::is_sociable);
    let drawn =
        read().filter(|file| file.is_sociable() && tier::is_drawn("JUMAR_SINGLE", 10, &file.text));
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

fn run_folder(folder: &str, sanitize: bool) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("ascendc/tests")
        .join(folder);
    let files = below(&root, &["cpp"]);
    let (count, queue, failed) = (
        files.len(),
        Mutex::new(works(folder, files)),
        Mutex::new(Vec::new()),
    );
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| loop {
                // Groups are last in the list and take longest.
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
}

/// Neither a kernel that is right nor the machine below it does what C++ leaves undefined. Where C++ is compiled so.
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

/// What a host program says of its end; `None` where it ends with 0.
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

/// The page names kernels of this suite, and each of them is there.
#[test]
fn kernels_that_the_page_names_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../docs/cpu.md")).expect("the page");
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
