//! The text of `book/src/reference/bugs.md`: the bugs, who finds each, and which nobody finds.

use super::case::{Case, Truth};
use super::pairs;
use super::run::Reader;
use std::fmt::Write;

/// The families, in the order of the page.
pub const FAMILIES: &[(&str, &str)] = &[
    ("memory", "UB and buffers"),
    ("alignment", "Data blocks"),
    ("dtype", "Element types and casts"),
    ("shapes", "Shapes and axes"),
    ("queues", "The life of a tensor in a queue"),
    ("sync", "Pipes, events and barriers"),
    ("events", "Events and tensors by hand"),
    ("cache", "Lines of the scalar unit's cache"),
    ("masks", "Masks, repeats and strides"),
    ("bounds", "Ranges and tails"),
    ("coverage", "Elements that nothing writes"),
    ("aliasing", "Operands that overlap"),
    ("cores", "Races between cores, parts taken for the whole"),
    ("atomics", "Sums in GM"),
    ("optional", "Tensors that may be left out"),
    ("lists", "Lists of tensors"),
    ("values", "Values of an if, values of loops"),
    ("functions", "Functions and helpers"),
    ("indices", "Indices that are data"),
    ("launch", "What a launch gives"),
    ("chip", "What a chip lacks"),
    ("numerics", "Numbers"),
];

/// Writes the page of all cases, each with the reader that finds its wrong kernel.
pub fn page(rows: &[(Case, Option<Reader>)]) -> String {
    let found = |of: &[&(Case, Option<Reader>)]| {
        of.iter().filter(|(c, _)| c.truth != Truth::Missed).count()
    };
    let all: Vec<_> = rows.iter().collect();
    let alarms = rows.iter().filter(|(c, _)| c.truth == Truth::Alarm).count();
    let by = |reader| rows.iter().filter(|(_, r)| *r == Some(reader)).count();
    let mut out = format!(
        "# Bugs that are found\n\nSmall wrong kernels as people and models write them, each with a right twin.\n\n\
         Printed from `tests/bugs/`; refresh with `UPDATE_DOCS=1 cargo test --test suite bugs`.\n\n\
         A file has both kernels. `messages.txt` of its family shows the messages. The mistakes are those of authors of AscendC, not the list of codes.\n\n\
         | bugs | found | by the checker | by the host before a launch | by the simulator | by the tile interpreter alone |\n|---|---|---|---|---|---|\n\
         | {} | {} | {} | {} | {} | {} |\n\n\
         {alarms} right twins are refused. All others compute the values of a few lines of f64.\n",
        rows.len(),
        found(&all),
        by(Reader::Check),
        by(Reader::Host),
        by(Reader::Simulator),
        by(Reader::Interpreter),
    );
    by_hand(&mut out, rows);
    out.push_str("\n| family | found | of | by hand |\n|---|---|---|---|\n");
    let pairs = pairs::by_hand();
    for (family, title) in FAMILIES {
        let of: Vec<_> = rows.iter().filter(|(c, _)| c.family == *family).collect();
        let hand = match pairs::is_of_ascendc(family) {
            true => pairs
                .iter()
                .filter(|(own, _)| own == family)
                .count()
                .to_string(),
            false => String::new(),
        };
        let _ = writeln!(out, "| {title} | {} | {} | {hand} |", found(&of), of.len());
    }
    list(
        &mut out,
        "Not found",
        "Wrong kernels, and why nobody says so.",
        rows,
        &Truth::Missed,
    );
    list(
        &mut out,
        "False alarms",
        "Right twins that are refused.",
        rows,
        &Truth::Alarm,
    );
    for (family, title) in FAMILIES {
        let _ = write!(
            out,
            "\n## {title}\n\n| wrong | code | by |\n|---|---|---|\n"
        );
        for (case, reader) in rows.iter().filter(|(c, _)| c.family == *family) {
            let codes: Vec<_> = case
                .marks
                .iter()
                .map(|m| m.code.to_string())
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect();
            let by = reader.map_or("nobody".into(), |r| r.to_string());
            let _ = writeln!(
                out,
                "| [{}](../../../{}) | {} | {by} |",
                case.mistake.trim_end_matches('.'),
                case.path(),
                codes.join(" ")
            );
        }
    }
    out
}

/// Says how many of the mistakes are made by hand as AscendC.
fn by_hand(out: &mut String, rows: &[(Case, Option<Reader>)]) {
    let all = rows.iter().filter(|(c, _)| pairs::is_of_ascendc(c.family));
    let _ = write!(
        out,
        "\n{} of the {} pairs of the first families are made by hand as AscendC, too (`runtime/ascendc/tests/pairs`). The C++ machine tells each mistake \
         at its lines, and raises no alarm on a right twin, by hand or as emitted: both with `--race`, in 20 orders of the pipes. \
         [A list](../../../runtime/ascendc/tests/pairs/absent.tsv) has the other {}, with the reason.\n",
        pairs::by_hand().len(),
        all.count(),
        pairs::absent().len(),
    );
}

/// Writes the section of one kind of cases, if there are any.
fn list(
    out: &mut String,
    title: &str,
    about: &str,
    rows: &[(Case, Option<Reader>)],
    truth: &Truth,
) {
    let of: Vec<_> = rows.iter().filter(|(c, _)| c.truth == *truth).collect();
    if !of.is_empty() {
        let _ = write!(
            out,
            "\n## {title}\n\n{about}\n\n| kernel | why |\n|---|---|\n"
        );
        for (case, _) in of {
            let _ = writeln!(
                out,
                "| [{}](../../../{}) | {} |",
                case.mistake.trim_end_matches('.'),
                case.path(),
                case.why
            );
        }
    }
}
