//! Reads and checks the kernel file of a call.

use super::npy::{self, said};
use super::{Failure, Which};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, KernelFile};
use std::io::{IsTerminal, Read};
use std::path::Path;

/// The limit of a kernel file in bytes: a hundred times what people write, and small enough for any
/// machine.
const MAX_BYTES: u64 = 4 << 20;

/// Reads and checks the file; the result contains the findings.
pub fn load(which: &Which) -> Result<KernelFile, Failure> {
    let chip = which.chip.as_deref().map(chip).transpose()?;
    let path = which.file.display().to_string();
    let text = read(&which.file)?;
    let mut file = check_text(&path, &text, chip);
    if let Some(name) = &which.kernel {
        if !file.kernels().is_empty() && file.kernel(name).is_none() {
            return Err(Failure::call(
                format!("`{path}` has no kernel `{name}`"),
                format!("it has {}", names(&file)),
            ));
        }
        file.keep(name);
    }
    if file.kernels().is_empty() && !file.has_errors() {
        return Err(Failure::call(
            format!("`{path}` has no kernel"),
            "put `#[kernel]` above a function of it; `jumar --help` shows one",
        ));
    }
    Ok(file)
}

/// Reads the text of a kernel file.
pub fn read(of: &Path) -> Result<String, Failure> {
    let path = of.display();
    let help = "give the path of a Rust file with a `#[kernel]` function";
    let cannot = |why: String| Failure::call(format!("`{path}` cannot be read: {why}"), help);
    if of.is_dir() {
        return Err(cannot("it is a folder".to_string()));
    }
    let (file, _) = npy::open(of).map_err(cannot)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| cannot(said(&e)))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::call(
            format!("`{path}` is larger than {} MiB", MAX_BYTES >> 20),
            help,
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        Failure::call(
            format!("`{path}` is not UTF-8 text: line {line} has other bytes"),
            help,
        )
    })
}

/// Returns the chip of that name.
pub fn chip(name: &str) -> Result<&'static Chip, Failure> {
    Chip::by_name(name).ok_or_else(|| {
        let all: Vec<_> = Chip::all().iter().map(|c| c.name).collect();
        Failure::call(
            format!("there is no chip `{name}` in the table"),
            format!("choose one of {}", all.join(", ")),
        )
    })
}

/// Returns the kernels of a file without errors, each for the first of its chips. Warnings go to
/// standard error.
pub fn clean(file: &KernelFile) -> Result<Vec<&CheckedKernel>, Failure> {
    if file.has_errors() {
        return Err(rejected(file));
    }
    super::complain(&file.render(color()));
    Ok(file
        .kernels()
        .iter()
        .filter_map(|k| k.checked.first())
        .collect())
}

/// Reports the findings as the failure of the call.
pub fn rejected(file: &KernelFile) -> Failure {
    let (errors, warnings) = file.count();
    let mut text = file.render(color());
    text.push_str(&counted(errors, "error"));
    if warnings > 0 {
        text.push_str(&format!(", {}", counted(warnings, "warning")));
    }
    text.push_str("; `jumar explain CODE` tells more");
    Failure::Kernel(text)
}

/// Lists the names of the kernels for a message.
pub fn names(file: &KernelFile) -> String {
    let names: Vec<String> = file
        .kernels()
        .iter()
        .map(|k| format!("`{}`", k.name))
        .collect();
    names.join(", ")
}

/// Writes a number with a noun: `1 error`, `2 errors`.
pub fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// True if findings go to a terminal that wants color.
pub fn color() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}
