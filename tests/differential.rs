//! The simulator and the emitted C++ on the CPU are two readers of one kernel: they must agree to the bit.

#[path = "differential/agree.rs"]
mod agree;
#[path = "differential/plan.rs"]
mod plan;
#[path = "differential/rows.rs"]
mod rows;

use jumar::dsl::soc::Chip;
use jumar::load::check_text;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[test]
fn rows_are_kernels() {
    for chip in ["ascend910b1", "ascend310p"] {
        let cases = rows::cases(Chip::by_name(chip).expect("a chip"));
        eprintln!("{chip}: {}", cases.len());
        for case in cases {
            if let Err(why) = case.checked() {
                eprintln!("{}\n{}\n{why}", case.name, case.text);
            }
        }
    }
}

#[test]
fn random_plans_are_kernels() {
    let mut runner = TestRunner::deterministic();
    let mut refused = std::collections::BTreeMap::<String, usize>::new();
    let total = 400;
    for _ in 0..total {
        let plan = plan::plans().new_tree(&mut runner).expect("a plan").current();
        let text = plan.text();
        let file = check_text("sample.rs", &text, Some(plan.chip()));
        if file.has_errors() {
            let d = file.kernels().first().and_then(|k| k.diagnostics.iter().find(|d| d.is_error())).map_or("parse".into(), |d| format!("{} {}", d.code, d.message));
            *refused.entry(d).or_default() += 1;
            if std::env::var("SHOW").is_ok() { eprintln!("{text}\n{}", file.render(false)); }
        }
    }
    eprintln!("{refused:#?}");
    assert!(refused.values().sum::<usize>() * 10 < total);
}
