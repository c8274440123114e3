//! A copy of the workspace that has all mutants in it.

use super::places::Mutant;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Code that tells which mutant this process is.
const SWITCH: &str = r#"
/// True in the mutant of this number.
#[doc(hidden)]
pub fn is_mutant(number: u32) -> bool {
    static OWN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *OWN.get_or_init(|| std::env::var("JUMAR_MUTANT").map_or(0, |n| n.parse().expect("JUMAR_MUTANT is a number"))) == number
}
"#;

/// Writes the files that git tracks into a new folder, with every mutant in its place.
pub fn make(root: &Path, folder: &Path, mutants: &[Mutant]) -> Result<(), String> {
    if folder.exists() {
        return Err(format!(
            "{} is there already: remove it, or name another folder",
            folder.display()
        ));
    }
    for file in tracked(root)? {
        let (from, to) = (root.join(&file), folder.join(&file));
        let parent = to.parent().ok_or("a file without a folder")?;
        fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
        fs::copy(&from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
    }
    let mut of_file: BTreeMap<&str, Vec<(usize, &Mutant)>> = BTreeMap::new();
    for (number, mutant) in (1..).zip(mutants) {
        of_file
            .entry(&mutant.file)
            .or_default()
            .push((number, mutant));
    }
    for (file, mut own) in of_file {
        let path = folder.join(file);
        let mut text = fs::read_to_string(&path).map_err(|e| format!("{file}: {e}"))?;
        // Replacing from the end on keeps earlier places valid.
        own.sort_by_key(|(_, m)| std::cmp::Reverse(m.at.start));
        let switch = if file.starts_with("dsl/") {
            "crate::is_mutant"
        } else {
            "jumar_dsl::is_mutant"
        };
        for (number, m) in own {
            text.replace_range(
                m.at.clone(),
                &format!(
                    "(if {switch}({number}) {{ {} }} else {{ {} }})",
                    m.becomes, m.was
                ),
            );
        }
        fs::write(&path, text).map_err(|e| format!("{file}: {e}"))?;
    }
    let lib = folder.join("dsl/src/lib.rs");
    let text = fs::read_to_string(&lib).map_err(|e| format!("{}: {e}", lib.display()))?;
    fs::write(&lib, text + SWITCH).map_err(|e| format!("{}: {e}", lib.display()))
}

fn tracked(root: &Path) -> Result<Vec<String>, String> {
    let out = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("git: {e}"))?;
    if !out.status.success() {
        return Err(format!(
            "git ls-files: {}",
            String::from_utf8_lossy(&out.stderr).trim()
        ));
    }
    let names = String::from_utf8(out.stdout).map_err(|e| e.to_string())?;
    Ok(names
        .split('\0')
        .filter(|name| !name.is_empty() && root.join(name).is_file())
        .map(str::to_string)
        .collect())
}
