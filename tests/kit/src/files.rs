//! The files of the workspace, as suites read them.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the workspace.
pub fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors()
        .nth(2)
        .expect("this package is two folders below the workspace")
        .to_path_buf()
}

/// Returns the files below a folder with these ends (`rs`, without the dot), by their full paths,
/// sorted.
///
/// # Panics
/// A folder cannot be read.
pub fn below(folder: &Path, ends: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, ends, &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, ends: &[&str], files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .path();
        if path.is_dir() {
            collect(&path, ends, files);
        } else if path
            .extension()
            .is_some_and(|e| ends.iter().any(|end| e == *end))
        {
            files.push(path);
        }
    }
}

/// Returns the path of a file below the workspace, with `/`.
///
/// # Panics
/// The file lies elsewhere.
pub fn name(path: &Path) -> String {
    let own = path
        .strip_prefix(workspace())
        .expect("a file of the workspace");
    let parts: Vec<_> = own.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Reads a file, with line ends as in Rust.
///
/// # Panics
/// The file cannot be read.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .replace("\r\n", "\n")
}

/// Returns the name of a file without its end and without a number before it: `add` for
/// `01_add.rs`.
pub fn stem(path: &Path) -> String {
    let name = path.file_stem().expect("a file").to_string_lossy();
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('_') {
        Some(rest) if !name.starts_with('_') => rest.to_string(),
        _ => name.into_owned(),
    }
}

/// Returns the Rust files below a folder that have a kernel, with their texts.
pub fn kernels(folder: &Path) -> Vec<(PathBuf, String)> {
    let texts = below(folder, &["rs"])
        .into_iter()
        .map(|path| (read(&path), path));
    texts
        .filter(|(text, _)| has_kernel(text))
        .map(|(text, path)| (path, text))
        .collect()
}

/// True for a text with `#[kernel]` or `#[kernels]`.
pub fn has_kernel(text: &str) -> bool {
    text.contains("#[kernel")
}
