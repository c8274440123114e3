//! pass@k: how likely one of `k` samples of a task is right, estimated without bias from `n` samples of which `c` are.

use super::record::{Key, Outcome};
use super::stages::Stage;
use std::collections::{BTreeMap, BTreeSet};

/// `1 - C(n - c, k) / C(n, k)`, as a product that neither overflows nor cancels; `None` where there are fewer samples than `k`, or `k` is 0.
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
    // Of one sample the product is c / n; said so, it is exact.
    if k == 1 {
        return Some(c as f64 / n as f64);
    }
    let none = (wrong + 1..=n)
        .map(|i| 1.0 - k as f64 / i as f64)
        .product::<f64>();
    Some(1.0 - none)
}

/// Samples of a task and how many of them passed each stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Samples that were judged up to each stage.
    pub samples: BTreeMap<Stage, u64>,
    /// Those of them that passed it.
    pub passed: BTreeMap<Stage, u64>,
}

/// The mean over tasks of pass@k at a stage; tasks with fewer than `k` samples take no part.
pub fn mean<'t>(tallies: impl IntoIterator<Item = &'t Tally>, stage: Stage, k: u64) -> Option<f64> {
    let count = |of: &BTreeMap<Stage, u64>| of.get(&stage).copied().unwrap_or(0);
    let of = |tally: &Tally| pass_at(k, count(&tally.samples), count(&tally.passed));
    let all: Vec<f64> = tallies.into_iter().filter_map(of).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// The last round of each sample, up to this one; what the server did not answer is no sample.
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

/// Samples by task. Whether C++ compiles is known only of those for which it was asked, the wrong ones among them, and no checker reads AscendC.
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

/// The groups that a task belongs to: all tasks, its benchmark, its level, its category.
pub fn groups(outcome: &Outcome) -> Vec<String> {
    let bench = outcome.task.split('/').next().unwrap_or(&outcome.task);
    let mut groups = vec!["all".to_string(), bench.to_string()];
    groups.extend(outcome.level.map(|level| format!("{bench}, level {level}")));
    groups.push(format!("{bench}, {}", outcome.category));
    groups
}

/// Tasks by group, in the order of the groups' names, `all` first.
pub fn by_group<'o>(samples: &[&'o Outcome]) -> BTreeMap<String, BTreeSet<&'o str>> {
    let mut all: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for outcome in samples {
        groups(outcome).into_iter().for_each(|group| {
            all.entry(group).or_default().insert(&outcome.task);
        });
    }
    all
}
