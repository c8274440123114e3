//! pass@k: the probability that one of `k` samples of a task is right, estimated without bias from
//! `n` samples of which `c` are right.

use super::record::{Key, Outcome};
use super::stages::Stage;
use std::collections::{BTreeMap, BTreeSet};

/// Computes `1 - C(n - c, k) / C(n, k)`, as a product that neither overflows nor cancels. Returns
/// `None` if there are fewer than `k` samples, or `k` is 0.
///
/// ```
/// use jumar_llm::eval::score::pass_at;
/// assert_eq!(pass_at(1, 10, 3), Some(0.3));
/// assert_eq!(pass_at(5, 4, 4), None);
/// ```
pub fn pass_at(k: u64, n: u64, c: u64) -> Option<f64> {
    let wrong = n.checked_sub(c)?;
    if k == 0 || n < k {
        return None;
    }
    if wrong < k {
        return Some(1.0);
    }
    // For `k` = 1 the product is c / n, which this form computes exactly.
    if k == 1 {
        return Some(c as f64 / n as f64);
    }
    let none = (wrong + 1..=n)
        .map(|i| 1.0 - k as f64 / i as f64)
        .product::<f64>();
    Some(1.0 - none)
}

/// The number of samples of a task, and of those that passed each stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Samples that were judged up to each stage.
    pub samples: BTreeMap<Stage, u64>,
    /// Samples that passed each stage.
    pub passed: BTreeMap<Stage, u64>,
}

/// Returns the mean over tasks of pass@k at a stage. Tasks with fewer than `k` samples do not
/// count.
pub fn mean<'t>(tallies: impl IntoIterator<Item = &'t Tally>, stage: Stage, k: u64) -> Option<f64> {
    let count = |of: &BTreeMap<Stage, u64>| of.get(&stage).copied().unwrap_or(0);
    let of = |tally: &Tally| pass_at(k, count(&tally.samples), count(&tally.passed));
    let all: Vec<f64> = tallies.into_iter().filter_map(of).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// Returns the last round of each sample, up to round `rounds`. A request without an answer is no
/// sample.
pub fn last_rounds(outcomes: &BTreeMap<Key, Outcome>, rounds: u32) -> Vec<&Outcome> {
    let mut last: BTreeMap<(&str, u32), &Outcome> = BTreeMap::new();
    for (key, outcome) in outcomes
        .iter()
        .filter(|(key, outcome)| key.round <= rounds && outcome.is_sample())
    {
        // Keys are in the order of rounds.
        last.insert((&key.task, key.sample), outcome);
    }
    last.into_values().collect()
}

/// Counts samples by task. A sample counts for the stage of C++ only if it was asked for, and
/// AscendC does not count for the checker.
pub fn by_task<'o>(samples: &[&'o Outcome]) -> BTreeMap<&'o str, Tally> {
    let mut tasks: BTreeMap<&str, Tally> = BTreeMap::new();
    for outcome in samples {
        let tally = tasks.entry(&outcome.task).or_default();
        for stage in Stage::ALL
            .into_iter()
            .filter(|stage| outcome.is_judged_in(*stage))
        {
            *tally.samples.entry(stage).or_default() += 1;
            *tally.passed.entry(stage).or_default() +=
                u64::from(outcome.judged.passed.contains(&stage));
        }
    }
    tasks
}

/// Returns the groups of a task: all tasks, its benchmark, its level, its category.
pub fn groups(outcome: &Outcome) -> Vec<String> {
    let bench = outcome.task.split('/').next().unwrap_or(&outcome.task);
    let mut groups = vec!["all".to_string(), bench.to_string()];
    groups.extend(outcome.level.map(|level| format!("{bench}, level {level}")));
    groups.push(format!("{bench}, {}", outcome.category));
    groups
}

/// Returns tasks by group, in the order of the groups' names, `all` first.
pub fn by_group<'o>(samples: &[&'o Outcome]) -> BTreeMap<String, BTreeSet<&'o str>> {
    let mut all: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for outcome in samples {
        groups(outcome).into_iter().for_each(|group| {
            all.entry(group).or_default().insert(&outcome.task);
        });
    }
    all
}
