//! Checks that pages show what commands print: each `console` fence is run in a shell, in the
//! folder of its page.
//!
//! `UPDATE_DOCS=1 cargo test -p jumar-cli book` writes the current outputs. A line that begins with
//! `$ ` is a command, which a `\` at its end continues. The lines below are its output: standard
//! output, then standard error. Above a fence, a page lists the files and arrays that its commands
//! find (`jumar_kit::book`).

use super::cli::{f32s, npy, text, Place};
use jumar_kit::book::{hold, page, pages, Fence, Page};
use jumar_kit::parallel::each;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const REFRESH: &str = "UPDATE_DOCS=1 cargo test -p jumar-cli book";

#[test]
fn commands_of_pages_print_what_stands_below_them() {
    let all: Vec<Page> = pages().into_iter().chain([page("README.md")]).collect();
    let failed: Vec<String> = each(&all, differences).concat();
    assert!(
        failed.is_empty(),
        "{}\nrefresh with `{REFRESH}`",
        failed.join("\n\n")
    );
}

/// Runs the commands of a page. With `UPDATE_DOCS`, their output replaces that of the page.
fn differences(page: &Page) -> Vec<String> {
    let fences = page.fences();
    if !fences.iter().any(|fence| fence.info == "console") {
        return Vec::new();
    }
    let place = Place::new(&format!("book-{}", page.name.replace(['/', '.'], "-")));
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    let mut failed = Vec::new();
    let mut grown = 0isize;
    for fence in &fences {
        provide(&place, fence);
        if fence.info != "console" {
            continue;
        }
        let shown = run(&place, &fence.body);
        let lacks = shown.contains("there is no such file") || shown.contains("not found");
        assert!(
            !lacks,
            "{}:{}: say above it which files commands find\n{shown}",
            page.name, fence.line
        );
        if shown != fence.body {
            failed.push(format!("{}:{}: it prints\n{shown}", page.name, fence.line));
            let from = fence
                .line
                .checked_add_signed(grown)
                .expect("a line of the page");
            let old = fence.body.lines().count();
            let new: Vec<String> = shown.lines().map(str::to_owned).collect();
            grown += new.len() as isize - old as isize;
            lines.splice(from..from + old, new);
        }
    }
    if std::env::var_os("UPDATE_DOCS").is_some() && !failed.is_empty() {
        std::fs::write(&page.path, lines.join("\n") + "\n").expect("a page that can be written");
        return Vec::new();
    }
    failed
}

/// Writes the kernel file and the arrays that a page lists above a fence.
fn provide(place: &Place, fence: &Fence) {
    for (key, value) in &fence.said {
        match key.as_str() {
            "file" => place.file(value, &fence.body),
            "array" => {
                let (name, bytes) = array(value);
                place.file(name, bytes);
            }
            _ => {}
        }
    }
}

/// Makes an array from a page's description: `x.npy f32 4x8`, `ids.npy i32 16 below 100`.
fn array(said: &str) -> (&str, Vec<u8>) {
    let words: Vec<&str> = said.split_whitespace().collect();
    let (name, dtype, sizes, below) = match words[..] {
        [name, dtype, sizes] => (name, dtype, sizes, 10),
        [name, dtype, sizes, "below", below] => {
            (name, dtype, sizes, below.parse().expect("a number"))
        }
        _ => panic!("`NAME.npy TYPE SIZES [below N]`, found `{said}`"),
    };
    let sizes: Vec<u64> = sizes
        .split('x')
        .map(|size| size.parse().expect("a size"))
        .collect();
    let mut state = sizes
        .iter()
        .fold(7u64, |a, b| a.wrapping_mul(31).wrapping_add(*b));
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let count: u64 = sizes.iter().product();
    let part = |bits: u64| (bits % 2_000_001) as f32 / 1e6 - 1.0;
    let numbers: Vec<u64> = (0..count).map(|_| next()).collect();
    let (descr, data): (&str, Vec<u8>) = match dtype {
        "f32" => (
            "<f4",
            f32s(&numbers.iter().map(|bits| part(*bits)).collect::<Vec<_>>()),
        ),
        "f16" => (
            "<f2",
            numbers
                .iter()
                .flat_map(|bits| half::f16::from_f32(part(*bits)).to_le_bytes())
                .collect(),
        ),
        "i32" => (
            "<i4",
            numbers
                .iter()
                .flat_map(|bits| ((bits % below) as i32).to_le_bytes())
                .collect(),
        ),
        "i64" => (
            "<i8",
            numbers
                .iter()
                .flat_map(|bits| ((bits % below) as i64).to_le_bytes())
                .collect(),
        ),
        "bool" => ("|b1", numbers.iter().map(|bits| (bits % 2) as u8).collect()),
        _ => panic!("f32, f16, i32, i64 or bool, found `{dtype}`"),
    };
    let shape: String = sizes.iter().fold(String::new(), |mut shape, size| {
        let _ = write!(shape, "{size},");
        shape
    });
    (name, npy(descr, &format!("({shape})"), &data))
}

/// Runs the commands of a fence, and returns each with its output.
fn run(place: &Place, fence: &str) -> String {
    let mut shown = String::new();
    let mut lines = fence.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = first.to_owned();
        shown.push_str(line);
        shown.push('\n');
        while command.ends_with('\\') {
            let more = lines.next().expect("a command goes on behind `\\`");
            shown.push_str(more);
            shown.push('\n');
            command.push('\n');
            command.push_str(more);
        }
        let tool = Path::new(env!("CARGO_BIN_EXE_jumar"))
            .parent()
            .expect("a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(tool.to_owned()).chain(std::env::split_paths(&path));
        let output = Command::new("sh")
            .args(["-c", &command])
            .env(
                "PATH",
                std::env::join_paths(all).expect("folders of a path"),
            )
            .current_dir(&place.0)
            .output()
            .expect("a shell");
        for stream in [output.stdout, output.stderr] {
            for line in text(&stream).lines() {
                shown.push_str(line.trim_end());
                shown.push('\n');
            }
        }
    }
    shown
}

/// Commands in the order of the help.
const COMMANDS: [&str; 19] = [
    "check", "fix", "emit", "build", "run", "cpp", "profile", "fmt", "grammar", "card", "bridge",
    "eval", "data", "reward", "mcp", "doctor", "explain", "chips", "ops",
];

#[test]
fn the_page_of_commands_is_fresh() {
    let place = Place::new("book-commands");
    let help = |args: &[&str]| {
        let output = place.jumar(args);
        text(&output.stdout)
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let overview = help(&["--help"]);
    let listed = overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    let names: Vec<&str> = listed
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert_eq!(names, COMMANDS, "commands of the page");
    let mut out = format!(
        "# Command line\n\nThe command `jumar`, as it describes itself.\n\nPrinted from the command; refresh with `{REFRESH}`.\n\n\
         ```text\n{overview}\n```\n"
    );
    for name in COMMANDS {
        let _ = write!(
            out,
            "\n## {name}\n\n```text\n{}\n```\n",
            help(&[name, "--help"])
        );
    }
    hold("book/src/reference/command.md", &out, REFRESH).unwrap();
}
