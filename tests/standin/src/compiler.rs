//! The device compiler of the toolkit: `bisheng` and `ld.lld` in the places of an installation.
//! They are programs of `cpp/compiler` that call the C++ compiler of this machine.

use crate::{embed, run, Release};
use jumar_dsl::soc::Arch;
use jumar_runtime::ascendc::{shared_machine, SharedMachine};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Folder of both tools in an installation.
pub(crate) const TOOLS: &str = "compiler/ccec_compiler/bin";
/// Folder of AscendC's headers in an installation.
const HEADERS: &str = "compiler/tikcpp/tikcfw";

/// Makes compiler, linker and headers below the folder of an installation.
pub(crate) fn build(release: Release, machine: &SharedMachine, home: &Path) -> Result<(), String> {
    let trouble = |e: io::Error| format!("{}: {e}", home.display());
    let tools = home.join(TOOLS);
    fs::create_dir_all(&tools).map_err(trouble)?;
    let headers = home.join(HEADERS);
    fs::create_dir_all(headers.parent().unwrap_or(home)).map_err(trouble)?;
    let own = machine.sources.with_file_name("include");
    symlink(own, headers).map_err(trouble)?;
    // Interfaces of host code. The library's headers come before AscendC's own of equal names.
    symlink("source/include", home.join("include")).map_err(trouble)?;
    fs::write(home.join("compiler/host.txt"), host(release, machine)?).map_err(trouble)?;
    fs::write(
        home.join("compiler/exports.map"),
        "{\n  global:\n    *;\n  local:\n    _Z*;\n};\n",
    )
    .map_err(trouble)?;
    let mut command = Command::new(&machine.compiler);
    let sources = embed::FILES
        .iter()
        .filter(|(name, _)| name.starts_with("compiler/") && name.ends_with(".cpp"));
    command
        .args(["-std=c++17", "-O1"])
        .args(sources.map(|(name, _)| home.join("source").join(name)));
    run(command.arg("-o").arg(tools.join("bisheng")))?;
    // One program does the work of both, by its name.
    symlink("bisheng", tools.join("ld.lld")).map_err(trouble)
}

/// Writes the file that tells `bisheng` about this machine: for each architecture the flags, and
/// the folder of the compiled header.
fn host(release: Release, machine: &SharedMachine) -> Result<String, String> {
    let mut text = format!("[compiler]\n{}\n", machine.compiler.display());
    if release.has_asc_sources() {
        text += "[asc]\ncompiles .asc sources\n";
    }
    for (arch, number) in [(Arch::V220, "2201"), (Arch::M200, "2002")] {
        let machine = shared_machine(arch).map_err(|e| e.to_string())?;
        let (folders, flags) = parted(machine.kernel_flags.iter().map(|flag| flag.as_os_str()));
        text += &format!("[flags {number}]\n{}", lines(&flags));
        // The last folder is that of AscendC's headers, which the toolkit has, too.
        text += &format!(
            "[headers {number}]\n{}",
            lines(&folders[..folders.len().saturating_sub(1)])
        );
    }
    Ok(text)
}

/// Splits flags into the folders of `-I` and the others.
fn parted<'a>(mut all: impl Iterator<Item = &'a OsStr>) -> (Vec<&'a OsStr>, Vec<&'a OsStr>) {
    let (mut folders, mut flags) = (Vec::new(), Vec::new());
    while let Some(flag) = all.next() {
        match flag == "-I" {
            true => folders.extend(all.next()),
            false => flags.push(flag),
        }
    }
    (folders, flags)
}

fn lines(words: &[&OsStr]) -> String {
    words
        .iter()
        .map(|word| format!("{}\n", word.to_string_lossy()))
        .collect()
}
