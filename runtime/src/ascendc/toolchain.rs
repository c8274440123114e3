//! The C++ compiler of this machine and where its results are kept.

use super::embed;
use crate::RunError;
use jumar_dsl::diag::Code;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A C++ compiler that was found, with the folder for what it makes.
#[derive(Clone, Debug)]
pub struct Toolchain {
    compiler: PathBuf,
    is_clang: bool,
    version: String,
    /// Everything that depends on the machine's text and the compiler lies below.
    folder: PathBuf,
}

impl Toolchain {
    /// The compiler that `CXX` names, else `g++`, else `clang++`.
    ///
    /// # Errors
    /// J0805 where there is none.
    pub fn find() -> Result<&'static Toolchain, RunError> {
        static FOUND: OnceLock<Result<Toolchain, RunError>> = OnceLock::new();
        FOUND
            .get_or_init(|| Self::look(std::env::var_os("CXX").map(PathBuf::from)))
            .as_ref()
            .map_err(Clone::clone)
    }

    fn look(wanted: Option<PathBuf>) -> Result<Toolchain, RunError> {
        let candidates = match &wanted {
            Some(one) => vec![one.clone()],
            None => vec![PathBuf::from("g++"), PathBuf::from("clang++")],
        };
        for compiler in candidates {
            // A first line of words, without paths of this machine.
            let Ok(out) = Command::new(&compiler).arg("--version").output() else {
                continue;
            };
            if out.status.success() {
                let version = String::from_utf8_lossy(&out.stdout)
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .to_string();
                let folder = cache_folder(KIND).join(&fingerprint(&compiler, &version)[..16]);
                return Ok(Toolchain {
                    is_clang: version.contains("clang"),
                    compiler,
                    version,
                    folder,
                });
            }
        }
        let what = wanted.map_or("neither `g++` nor `clang++` runs".to_string(), |w| {
            format!("CXX names `{}`, which does not run", w.display())
        });
        Err(RunError::refused(
            Code::J0805,
            format!("AscendC on the CPU needs a C++ compiler, and {what}; install the package g++ (or clang), or set CXX"),
        ))
    }

    /// The first line that it says of itself.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(super) fn command(&self) -> Command {
        Command::new(&self.compiler)
    }
    pub(super) fn is_clang(&self) -> bool {
        self.is_clang
    }
    /// Where programs, headers and the machine's library are kept.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// What results depend on besides a program's own text.
fn fingerprint(compiler: &Path, version: &str) -> String {
    let mut hash = Sha256::new();
    for part in [compiler.to_string_lossy().as_ref(), version]
        .iter()
        .chain(super::machine::FLAGS)
    {
        hash.update(part);
        hash.update([0]);
    }
    for file in embed::FILES {
        hash.update(file.path);
        hash.update([0]);
        hash.update(file.text);
        hash.update([0]);
    }
    hex(&hash.finalize())
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What is kept of AscendC on the CPU.
pub(super) const KIND: &str = "ascendc";

/// Where things of this kind are kept: below `JUMAR_CACHE`, or the place for caches of this user.
pub fn cache_folder(kind: &str) -> PathBuf {
    cache_below(kind, |name| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    })
}

/// Compilers and programs run in folders of their own, so a relative path is that of the process once and for all.
fn cache_below(kind: &str, set: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    let folder = set("JUMAR_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|p| p.join("jumar")))
        .or_else(|| set("HOME").map(|p| p.join(".cache").join("jumar")))
        .unwrap_or_else(|| std::env::temp_dir().join("jumar"))
        .join(kind);
    // It fails where the current folder is gone; then a relative path names nothing, and making the cache says so.
    std::path::absolute(&folder).unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_absolute_whatever_names_it() {
        let here = std::env::current_dir().unwrap();
        let rows = [
            (
                &[("JUMAR_CACHE", "cache"), ("HOME", "/home/me")][..],
                here.join("cache/ascendc"),
            ),
            (
                &[("JUMAR_CACHE", "./a/../b")],
                std::path::absolute("./a/../b/ascendc").unwrap(),
            ),
            (
                &[("JUMAR_CACHE", "/var/cache"), ("XDG_CACHE_HOME", "/x")],
                PathBuf::from("/var/cache/ascendc"),
            ),
            (&[("XDG_CACHE_HOME", "x")], here.join("x/jumar/ascendc")),
            (
                &[("HOME", "/home/me")],
                PathBuf::from("/home/me/.cache/jumar/ascendc"),
            ),
            (&[], std::env::temp_dir().join("jumar/ascendc")),
        ];
        for (set, want) in rows {
            let of = |name: &str| {
                set.iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, v)| PathBuf::from(v))
            };
            assert_eq!(cache_below("ascendc", of), want, "{set:?}");
            assert!(cache_below("ascendc", of).is_absolute(), "{set:?}");
        }
    }

    #[test]
    fn a_missing_compiler_is_named_with_what_to_install() {
        let error = Toolchain::look(Some(PathBuf::from("no-such-compiler")))
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.code(), Code::J0805);
        assert!(
            error.message().contains("`no-such-compiler`")
                && error.message().contains("install the package g++"),
            "{error}"
        );
    }
}
