//! Writes result folders that are never half-written.
//!
//! Files are written under temporary names beside their destination and then renamed, which the
//! file system does in one step. A folder with foreign files is refused. A folder of `jumar` has
//! the list [`LIST`], or no other files than those to be written. Listed files that are not written
//! any more are removed. Files that a build added stay.

use super::cleanup::Temporary;
use super::npy::said;
use super::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the file that lists our files.
const LIST: &str = ".jumar";
const LIST_HEAD: &str =
    "# Written by `jumar emit`, which replaces the files below when it runs again.";

/// Writes named texts as the folder `out`.
pub fn write(out: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    let ours: BTreeSet<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    let before = owned(out, &ours)?;
    let existed = out.exists();
    let stage = match (existed, out.file_name(), out.parent()) {
        (false, Some(name), Some(parent)) => parent.join(format!(
            ".{}.jumar-{}",
            name.to_string_lossy(),
            std::process::id()
        )),
        _ => out.join(format!(".jumar-{}", std::process::id())),
    };
    // A rename removes this folder; after an error, drop does.
    let stage = Temporary::new(stage);
    let stage = stage.path();
    let done = fill(stage, files, &ours).and_then(|()| {
        if !existed {
            return fs::rename(stage, out);
        }
        for path in ours.iter().copied().chain([LIST]) {
            let target = out.join(path);
            target.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::rename(stage.join(path), target)?;
        }
        before
            .iter()
            .filter(|path| !ours.contains(path.as_str()))
            .try_for_each(|path| match fs::remove_file(out.join(path)) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
                _ => Ok(()),
            })
    });
    done.map_err(|e| {
        Failure::call(
            format!(
                "the folder `{}` cannot be written: {}",
                out.display(),
                said(&e)
            ),
            "give with --out a folder in a place that you may write to",
        )
    })
}

fn fill(stage: &Path, files: &[(String, String)], ours: &BTreeSet<&str>) -> io::Result<()> {
    fs::create_dir_all(stage)?;
    for (path, text) in files {
        let target = stage.join(path);
        target.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&target, text)?;
        #[cfg(unix)]
        if path.ends_with(".sh") {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755))?;
        }
    }
    let list: String = ours.iter().map(|path| format!("{path}\n")).collect();
    fs::write(stage.join(LIST), format!("{LIST_HEAD}\n{list}"))
}

/// Returns the files in `out` that an earlier call wrote.
fn owned(out: &Path, ours: &BTreeSet<&str>) -> Result<Vec<String>, Failure> {
    let shown = out.display();
    let cannot = |e: io::Error| {
        Failure::call(
            format!("the folder `{shown}` cannot be read: {}", said(&e)),
            "give with --out a folder that does not exist yet",
        )
    };
    match fs::metadata(out) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(cannot(e)),
        Ok(m) if !m.is_dir() => {
            return Err(Failure::call(
                format!("`{shown}` is a file, not a folder"),
                "give with --out a folder that does not exist yet",
            ))
        }
        Ok(_) => {}
    }
    if let Ok(list) = fs::read_to_string(out.join(LIST)) {
        // An edited list must not make us delete files elsewhere.
        let inside = |path: &&str| {
            Path::new(path)
                .components()
                .all(|c| matches!(c, std::path::Component::Normal(_)))
        };
        return Ok(list
            .lines()
            .filter(|l| !l.starts_with('#'))
            .filter(inside)
            .map(str::to_owned)
            .collect());
    }
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(out.join(&folder)).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let path = folder.join(entry.file_name());
            if entry.file_type().map_err(cannot)?.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.to_string_lossy().replace('\\', "/");
            if !ours.contains(name.as_str()) {
                return Err(Failure::call(
                    format!("the folder `{shown}` holds other files, for example `{name}`; nothing was written"),
                    "give with --out a folder that does not exist yet, that is empty, or that `jumar emit` wrote",
                ));
            }
            found.push(name);
        }
    }
    Ok(found)
}
