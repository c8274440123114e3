//! A kernel text through front end, checker and emitter.

use super::law::tried;
use jumar::codegen::{emit, EmitOptions, Project, ProjectKind};
use jumar::load::check_text;
use jumar_dsl::diag::Applicability;
use jumar_dsl::soc::Chip;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Projects of one text, each with the kernel's name, its number of tensors, and the name of its
/// tiling data.
pub type Emitted = Vec<(String, usize, String, Project)>;

/// Chips of the judge: two that differ in cores alone, and the one that lacks most.
pub const CHIPS: [&str; 3] = ["ascend910b1", "ascend910_93", "ascend310p"];

/// Texts with their projects, by number.
pub type Kept = Mutex<BTreeMap<u64, (String, Emitted)>>;

/// Judges a text on a chip, or on the chips that it declares: returns how it ends, or the mistake.
/// Keeps the projects for the compiler.
pub fn judge(
    text: &str,
    (number, chip): (u64, Option<&'static Chip>),
    kept: Option<&Kept>,
) -> Result<&'static str, String> {
    let file = check_text("mutant.rs", text, chip);
    let said = file.render(false);
    drop(file.json());
    if let Some(line) = said.lines().find(|l| l.contains("error of jumar")) {
        return Err(line.to_string());
    }
    // Fixes that a program may apply keep the law for any text.
    let broken = tried("mutant.rs", &file, text, chip, true)
        .into_iter()
        .find_map(|tried| {
            let surely = tried.fix.applicability == Applicability::MachineApplicable;
            let why = tried.wrong.filter(|_| surely)?;
            Some(why.lines().next().unwrap_or_default().to_string())
        });
    if let Some(why) = broken {
        return Err(why);
    }
    if file.has_errors() {
        return Ok("refused");
    }
    let mut projects = Vec::new();
    for kernel in file.kernels().iter().flat_map(|k| &k.checked) {
        let kind = ProjectKind::ALL[text.len() % 2];
        let project = emit(
            kernel,
            &EmitOptions {
                kind,
                source_name: Some("mutant.rs".into()),
                ..EmitOptions::default()
            },
        );
        let data = jumar::codegen::names(kernel).data;
        projects.push((
            kernel.kernel().sig.name.clone(),
            kernel.kernel().sig.tensors().count(),
            data,
            project,
        ));
    }
    if projects.is_empty() {
        return Ok("without kernels");
    }
    if let Some(kept) = kept {
        kept.lock()
            .expect("the list")
            .insert(number, (text.to_string(), projects));
    }
    Ok("emitted")
}
