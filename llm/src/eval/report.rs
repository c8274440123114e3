//! Results as tables of Markdown.

use super::ascendc::Language;
use super::class::Class;
use super::record::{Broken, Key, Outcome};
use super::score::{by_group, by_task, last_rounds, mean};
use super::stages::Stage;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The values of `k` for pass@k, as far as there are enough samples.
pub const KS: [u64; 3] = [1, 10, 100];

/// Returns the whole report.
pub fn markdown(outcomes: &BTreeMap<Key, Outcome>, broken: &[Broken]) -> String {
    let rounds = outcomes.keys().map(|key| key.round).max().unwrap_or(0);
    let samples = last_rounds(outcomes, rounds);
    let mut text = String::from("# Evaluation\n\n");
    head(&mut text, outcomes, &samples, broken);
    for (language, samples) in by_language(&samples) {
        scores(&mut text, language, &samples);
    }
    if rounds > 0 {
        repairs(&mut text, outcomes, rounds);
    }
    failures(&mut text, &samples);
    codes(&mut text, &samples);
    costs(&mut text, &samples);
    times(&mut text, outcomes);
    unanswered(&mut text, outcomes, broken);
    text
}

fn head(
    text: &mut String,
    outcomes: &BTreeMap<Key, Outcome>,
    samples: &[&Outcome],
    broken: &[Broken],
) {
    let mut tasks: Vec<&str> = samples.iter().map(|o| o.task.as_str()).collect();
    tasks.dedup();
    let unanswered = outcomes.values().filter(|o| !o.is_sample()).count();
    let right = samples.iter().filter(|o| o.is_right()).count();
    let cpp = samples.iter().filter(|o| o.cpp).count();
    let _ = writeln!(
        text,
        "{} samples of {} tasks, {right} of them right; {} candidates judged; {cpp} samples asked to run as C++, too; {unanswered} requests \
         without an answer; {} lines that are no candidates.\n",
        samples.len(),
        tasks.len(),
        outcomes.len() - unanswered,
        broken.len()
    );
    let mut settings: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for outcome in samples {
        let model = outcome.model.iter().map(|model| ("model", model.clone()));
        for (name, value) in model.chain(
            outcome
                .settings
                .iter()
                .map(|(name, value)| (name.as_str(), value.to_string())),
        ) {
            let values = settings.entry(name).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    if !settings.is_empty() {
        text.push_str("| setting | value |\n|---|---|\n");
        for (name, values) in settings {
            let _ = writeln!(text, "| {name} | {} |", cell(&values.join(", ")));
        }
        text.push('\n');
    }
}

/// Escapes a text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

fn percent(part: Option<f64>) -> String {
    part.map_or("–".to_string(), |part| format!("{:.1}", 100.0 * part))
}

/// Groups samples by language. The language has a name only if there are several.
fn by_language<'o>(samples: &[&'o Outcome]) -> Vec<(&'static str, Vec<&'o Outcome>)> {
    let mut all: BTreeMap<Language, Vec<&Outcome>> = BTreeMap::new();
    samples
        .iter()
        .for_each(|outcome| all.entry(outcome.language).or_default().push(outcome));
    let several = all.len() > 1;
    all.into_iter()
        .map(|(language, own)| (if several { language.name() } else { "" }, own))
        .collect()
}

fn scores(text: &mut String, language: &str, samples: &[&Outcome]) {
    let of = if language.is_empty() {
        String::new()
    } else {
        format!(" of {language}")
    };
    let tallies = by_task(samples);
    for k in KS {
        let any = Stage::ALL
            .iter()
            .any(|stage| mean(tallies.values(), *stage, k).is_some());
        if !any {
            continue;
        }
        let _ = writeln!(text, "## pass@{k}{of}, in hundredths\n");
        let _ = writeln!(
            text,
            "| tasks | number | {} |",
            Stage::ALL.map(Stage::name).join(" | ")
        );
        let _ = writeln!(text, "|---|--:|{}", "--:|".repeat(Stage::ALL.len()));
        for (group, tasks) in by_group(samples) {
            let own = || tasks.iter().filter_map(|task| tallies.get(task));
            let cells = Stage::ALL.map(|stage| percent(mean(own(), stage, k)));
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                cell(&group),
                tasks.len(),
                cells.join(" | ")
            );
        }
        text.push('\n');
    }
}

fn repairs(text: &mut String, outcomes: &BTreeMap<Key, Outcome>, rounds: u32) {
    text.push_str("## After each round of repair, pass@1 in hundredths\n\n");
    let _ = writeln!(
        text,
        "| findings sent back | {} |",
        Stage::ALL.map(Stage::name).join(" | ")
    );
    let _ = writeln!(text, "|--:|{}", "--:|".repeat(Stage::ALL.len()));
    for round in 0..=rounds {
        let tallies = by_task(&last_rounds(outcomes, round));
        let cells = Stage::ALL.map(|stage| percent(mean(tallies.values(), stage, 1)));
        let _ = writeln!(text, "| {round} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

/// Counts failures by class and stage.
fn failures(text: &mut String, samples: &[&Outcome]) {
    let mut all: BTreeMap<Class, BTreeMap<Stage, usize>> = BTreeMap::new();
    let failures: Vec<_> = samples
        .iter()
        .filter_map(|o| o.judged.failure.as_ref())
        .collect();
    for failure in &failures {
        *all.entry(failure.class)
            .or_default()
            .entry(failure.stage)
            .or_default() += 1;
    }
    if failures.is_empty() {
        return;
    }
    text.push_str("## Failures by class\n\n");
    let _ = writeln!(
        text,
        "| class | samples | % of failures | {} | |",
        Stage::ALL.map(Stage::name).join(" | ")
    );
    let _ = writeln!(text, "|---|--:|--:|{}---|", "--:|".repeat(Stage::ALL.len()));
    for (class, stages) in all {
        let count: usize = stages.values().sum();
        let cells =
            Stage::ALL.map(|stage| stages.get(&stage).map_or(String::new(), usize::to_string));
        let share = 100.0 * count as f64 / failures.len() as f64;
        let _ = writeln!(
            text,
            "| {class} | {count} | {share:.1} | {} | {} |",
            cells.join(" | "),
            class.says()
        );
    }
    text.push('\n');
}

fn codes(text: &mut String, samples: &[&Outcome]) {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for code in samples
        .iter()
        .filter_map(|o| o.judged.failure.as_ref())
        .flat_map(|failure| &failure.codes)
    {
        *all.entry(code).or_default() += 1;
    }
    if all.is_empty() {
        return;
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
    text.push_str("## Codes\n\n| code | samples | |\n|---|--:|---|\n");
    for (code, count) in all {
        let summary = jumar::dsl::diag::Code::by_name(code).map_or("", |code| code.summary());
        let _ = writeln!(text, "| {code} | {count} | {} |", cell(summary));
    }
    text.push('\n');
}

/// Lists, for each task, the right sample with the fewest cycles.
fn costs(text: &mut String, samples: &[&Outcome]) {
    let mut best: BTreeMap<&str, (f64, f64, bool)> = BTreeMap::new();
    for outcome in samples.iter().filter(|o| o.is_right()) {
        let Some(cost) = &outcome.judged.cost else {
            continue;
        };
        let entry = best
            .entry(&outcome.task)
            .or_insert((f64::INFINITY, 0.0, false));
        if cost.cycles < entry.0 {
            *entry = (cost.cycles, cost.bound, cost.at_most);
        }
    }
    if best.is_empty() {
        return;
    }
    text.push_str(
        "## Predicted cycles of the largest case, the best right sample of each task\n\n",
    );
    text.push_str("The bound is what it takes to move each input and each output once. No figure here was measured.\n\n");
    text.push_str("| task | cycles | bound | bound / cycles |\n|---|--:|--:|--:|\n");
    for (task, (cycles, bound, at_most)) in best {
        let most = if at_most { "≤ " } else { "" };
        let _ = writeln!(
            text,
            "| {task} | {most}{cycles:.0} | {bound:.0} | {:.2} |",
            bound / cycles
        );
    }
    text.push('\n');
}

/// Tabulates the time of each stage on this machine.
fn times(text: &mut String, outcomes: &BTreeMap<Key, Outcome>) {
    let mut all: BTreeMap<Stage, Vec<u64>> = BTreeMap::new();
    for (stage, micros) in outcomes.values().flat_map(|o| &o.judged.micros) {
        all.entry(*stage).or_default().push(*micros);
    }
    if all.is_empty() {
        return;
    }
    text.push_str(
        "## Time of the stages on this machine, in milliseconds\n\n| stage | candidates | median | p99 |\n|---|--:|--:|--:|\n",
    );
    for (stage, mut micros) in all {
        micros.sort_unstable();
        let at = |part: usize| micros[(micros.len() - 1) * part / 100] as f64 / 1e3;
        let _ = writeln!(
            text,
            "| {stage} | {} | {:.2} | {:.2} |",
            micros.len(),
            at(50),
            at(99)
        );
    }
    text.push('\n');
}

fn unanswered(text: &mut String, outcomes: &BTreeMap<Key, Outcome>, broken: &[Broken]) {
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    for failure in outcomes
        .values()
        .filter(|o| !o.is_sample())
        .filter_map(|o| o.judged.failure.as_ref())
    {
        *all.entry(&failure.why).or_default() += 1;
    }
    if !all.is_empty() {
        text.push_str("## Requests without an answer\n\nThey are no samples.\n\n| number | why |\n|--:|---|\n");
        all.iter().for_each(|(why, count)| {
            let _ = writeln!(text, "| {count} | {} |", cell(why));
        });
        text.push('\n');
    }
    if !broken.is_empty() {
        text.push_str("## Lines that are no candidates\n\n| line | why |\n|--:|---|\n");
        broken.iter().for_each(|Broken { line, why }| {
            let _ = writeln!(text, "| {line} | {} |", cell(why));
        });
        text.push('\n');
    }
}
