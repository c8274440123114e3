//! `jumar cpp --folder`: every operator of a repository, compiled and run, as a table.

use super::cpp::Call;
use super::{progress, say, source, Failure, Outcome};
use clap::ValueEnum;
use jumar::dsl::soc::Chip;
use jumar::render::render_places;
use jumar::runtime::ascendc::{at_once, projects, LaunchOptions, Launched, Project, Verdict};
use jumar::runtime::CppFault;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The form of the table.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns, and each mistake with its lines
    Text,
    /// One object, for programs
    Json,
    /// A table for a page or a comment
    Markdown,
}

/// An operator with what was found.
struct Row {
    project: Project,
    /// Its folder below the given one.
    folder: String,
    verdict: Verdict,
}

/// Checks all operators below a folder.
pub fn main(call: &Call, root: &Path, chip: &'static Chip, options: &LaunchOptions) -> Outcome {
    let found = projects(root).map_err(|e| {
        Failure::call(
            format!("`{}` cannot be read: {e}", root.display()),
            "give the folder of a repository",
        )
    })?;
    let wanted = |project: &Project| call.only.is_empty() || call.only.contains(&project.name);
    let with = |mut project: Project| {
        project.defines.clone_from(&call.define);
        project.includes.extend_from_slice(&call.include);
        project
    };
    let found: Vec<Project> = found.into_iter().filter(wanted).map(with).collect();
    if found.is_empty() {
        return Err(Failure::call(
            format!(
                "`{}` has no operator{}",
                root.display(),
                if call.only.is_empty() {
                    ""
                } else {
                    " of these names"
                }
            ),
            "an operator is a folder with op_kernel/NAME.cpp and the C++ files of op_host",
        ));
    }
    progress::say_before_build(false);
    let base = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let rows = checked(found, &base, chip, options);
    let text = match call.format {
        Format::Text => text(&rows, chip),
        Format::Json => format!("{}\n", as_json(&rows, chip)),
        Format::Markdown => markdown(&rows, chip),
    };
    // Files are named below the repository, as its pages and comments do.
    say(&text.replace(&format!("{}/", base.display()), ""))?;
    let is_faulty = |row: &&Row| matches!(row.verdict, Verdict::Faults(..) | Verdict::Launch(_));
    let faulty = rows.iter().filter(is_faulty).count();
    if faulty == 0 {
        return Ok(());
    }
    Err(Failure::Kernel(format!(
        "error: {} of {} made mistakes",
        faulty,
        source::counted(rows.len(), "operator")
    )))
}

/// Checks the operators, as many at a time as there are processors.
fn checked(
    found: Vec<Project>,
    base: &Path,
    chip: &'static Chip,
    options: &LaunchOptions,
) -> Vec<Row> {
    let bar = progress::Bar::new("operators", found.len() as u64);
    let verdicts = at_once(&found, |project| {
        let verdict = project.check(chip, &options.noted, options.race);
        bar.step();
        verdict
    });
    bar.finish();
    let each = found.into_iter().zip(verdicts);
    each.map(|(project, verdict)| {
        let folder = match project.folder.strip_prefix(base) {
            Ok(below) if below.as_os_str().is_empty() => Path::new(&project.name),
            Ok(below) => below,
            Err(_) => &project.folder,
        };
        Row {
            folder: folder.display().to_string(),
            project,
            verdict,
        }
    })
    .collect()
}

/// Returns the word of a verdict, and what it says in one line.
fn told(verdict: &Verdict) -> (&'static str, String) {
    let first = |text: &str| text.lines().next().unwrap_or("").to_string();
    match verdict {
        Verdict::Clean(launched, notes) => {
            let notes = match notes.len() {
                0 => String::new(),
                count => format!(", {}", source::counted(count, "note")),
            };
            ("ran", format!("{}{notes}", shown(launched)))
        }
        Verdict::Faults(launched, fault) => {
            ("mistakes", format!("{}: {}", codes(fault), shown(launched)))
        }
        Verdict::OtherChip(_) => ("other chip", String::new()),
        Verdict::Host(said) => ("host file", names(said).unwrap_or_else(|| first(said))),
        Verdict::Tiling(said) => ("no tensors", first(said)),
        Verdict::Kernel(said) => ("kernel", names(said).unwrap_or_else(|| first(said))),
        Verdict::Launch(said) => ("no launch", first(said)),
    }
}

/// Returns the names of a list of unknown ones in one line.
fn names(said: &str) -> Option<String> {
    let mut lines = said.lines();
    lines
        .next()
        .filter(|line| line.contains("declared nowhere"))?;
    let name = |line: &str| {
        let line = line.trim();
        let end = line.find("  ").unwrap_or(line.len());
        line[..end].to_string()
    };
    Some(format!(
        "lacks {}",
        lines.map(name).collect::<Vec<_>>().join(", ")
    ))
}

/// Returns the codes of a fault and the others of its run, with their counts.
fn codes(fault: &CppFault) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for one in std::iter::once(fault).chain(&fault.others) {
        *counts.entry(one.code.to_string()).or_default() += 1;
    }
    let each = counts.iter().map(|(code, count)| match count {
        1 => code.clone(),
        count => format!("{code} x{count}"),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Returns the tensors of a launch: `x f32[32, 256], y f32[32, 256] on 8 blocks`.
fn shown(launched: &Launched) -> String {
    let each = launched.tensors.iter().map(|(name, (element, shape))| {
        let axes: Vec<String> = shape.iter().map(usize::to_string).collect();
        format!("{name} {element}[{}]", axes.join(","))
    });
    let tensors: Vec<String> = each.collect();
    let blocks = source::counted(launched.blocks as usize, "block");
    let guess = if launched.is_guess {
        ", output shapes guessed"
    } else {
        ""
    };
    format!("{}, {blocks}{guess}", tensors.join(" "))
}

/// Counts the verdicts by their words, the most frequent first.
fn counts(rows: &[Row]) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for row in rows {
        let word = told(&row.verdict).0;
        match counts.iter_mut().find(|(of, _)| *of == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    counts
}

/// The words of a table, explained.
const LEGEND: [(&str, &str); 7] = [
    ("ran", "compiled, tiled and run without a mistake"),
    ("mistakes", "the run met mistakes, listed below"),
    ("other chip", "the definition has no AddConfig for the chip"),
    (
        "host file",
        "a file of op_host does not compile, crashes or never ends",
    ),
    (
        "no tensors",
        "the tiling function takes none of the tensors that were tried",
    ),
    ("kernel", "the kernel does not compile"),
    ("no launch", "the launch was refused"),
];

fn text(rows: &[Row], chip: &Chip) -> String {
    let width = rows
        .iter()
        .map(|row| row.folder.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let (word, said) = told(&row.verdict);
        let line = format!("{:width$}  {word:10}  {said}", row.folder);
        text += line.trim_end();
        text.push('\n');
    }
    let each = counts(rows)
        .into_iter()
        .map(|(word, count)| format!("{word} {count}"));
    let _ = writeln!(
        text,
        "\n{} for {}: {}\n",
        source::counted(rows.len(), "operator"),
        chip.name,
        each.collect::<Vec<_>>().join(", ")
    );
    for (word, meaning) in LEGEND {
        if rows.iter().any(|row| told(&row.verdict).0 == word) {
            let _ = writeln!(text, "{word:10}  {meaning}");
        }
    }
    text.push('\n');
    for row in rows {
        if let Verdict::Faults(_, fault) = &row.verdict {
            let _ = writeln!(
                text,
                "{}\n{}\n",
                row.folder,
                render_places(fault, source::color())
            );
        }
    }
    text
}

fn markdown(rows: &[Row], chip: &Chip) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut text = format!("| operator | {} | |\n|---|---|---|\n", chip.name);
    for row in rows {
        let (word, said) = told(&row.verdict);
        let _ = writeln!(text, "| {} | {word} | {} |", cell(&row.folder), cell(&said));
    }
    let each = counts(rows)
        .into_iter()
        .map(|(word, count)| format!("{word} {count}"));
    let _ = writeln!(
        text,
        "\n{}: {}",
        source::counted(rows.len(), "operator"),
        each.collect::<Vec<_>>().join(", ")
    );
    for row in rows {
        if let Verdict::Faults(_, fault) = &row.verdict {
            let _ = writeln!(text, "\n{}\n", cell(&row.folder));
            for one in std::iter::once(&**fault).chain(&fault.others) {
                let place = one.places.first().map_or(String::new(), |place| {
                    format!(" ({}:{})", place.file.display(), place.line)
                });
                let _ = writeln!(text, "- {}: {}{place}", one.code, one.message);
            }
        }
    }
    text
}

fn as_json(rows: &[Row], chip: &Chip) -> Value {
    let operators: Vec<Value> = rows.iter().map(of_row).collect();
    let counts: BTreeMap<&str, usize> = counts(rows).into_iter().collect();
    json!({ "chip": chip.name, "operators": operators, "counts": counts })
}

fn of_row(row: &Row) -> Value {
    let (word, said) = told(&row.verdict);
    let mut all = json!({
        "operator": row.project.name,
        "folder": row.folder,
        "result": word,
        "says": said,
    });
    match &row.verdict {
        Verdict::Clean(launched, notes) => {
            all["launch"] = of_launch(launched);
            all["notes"] = json!(notes);
        }
        Verdict::Faults(launched, fault) => {
            all["launch"] = of_launch(launched);
            let faults = std::iter::once(&**fault).chain(&fault.others);
            all["mistakes"] = faults.map(of_fault).collect();
        }
        Verdict::OtherChip(said)
        | Verdict::Host(said)
        | Verdict::Tiling(said)
        | Verdict::Kernel(said)
        | Verdict::Launch(said) => all["message"] = json!(said),
    }
    all
}

fn of_launch(launched: &Launched) -> Value {
    let tensors = launched
        .tensors
        .iter()
        .map(|(name, (element, shape))| json!({ "name": name, "type": element, "shape": shape }));
    json!({
        "tensors": tensors.collect::<Vec<_>>(),
        "tiling_key": launched.tiling_key,
        "blocks": launched.blocks,
        "output_shapes_guessed": launched.is_guess,
    })
}

fn of_fault(fault: &CppFault) -> Value {
    let places = fault
        .places
        .iter()
        .map(|place| json!({ "file": place.file, "line": place.line, "text": place.text.trim() }));
    json!({
        "code": fault.code.to_string(),
        "message": fault.message,
        "block": fault.block,
        "places": places.collect::<Vec<_>>(),
    })
}
