//! Maps addresses of a program to lines of the kernel.

use super::toolchain::Toolchain;
use std::path::{Path, PathBuf};

/// A line of a source file, from 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file, as the compiler was given it.
    pub file: PathBuf,
    pub line: u32,
}

/// Finds the line of the call that returns to `address`: the innermost one outside of our headers.
pub(super) fn line_of(toolchain: &Toolchain, program: &Path, address: u64) -> Option<Line> {
    let loader = addr2line::Loader::new(program).ok()?;
    let headers = toolchain.folder().join("include");
    // A return address lies after its call.
    let mut frames = loader.find_frames(address.checked_sub(1)?).ok()?;
    while let Ok(Some(frame)) = frames.next() {
        let Some(location) = frame.location else {
            continue;
        };
        let (Some(file), Some(line)) = (location.file, location.line) else {
            continue;
        };
        let file = PathBuf::from(file);
        if !file.starts_with(&headers) && line > 0 {
            return Some(Line { file, line });
        }
    }
    None
}
