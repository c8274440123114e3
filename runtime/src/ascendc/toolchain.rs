//! Finds the C++ compiler of this machine and the folder of its results.

use super::embed;
use crate::RunError;
use jumar_dsl::diag::Code;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A C++ compiler, with the folder of its results.
#[derive(Clone, Debug)]
pub struct Toolchain {
    compiler: PathBuf,
    is_clang: bool,
    version: String,
    /// The folder of everything that depends on the machine's text and the compiler.
    folder: PathBuf,
}

impl Toolchain {
    /// Finds the compiler that `CXX` names, else `g++`, else `clang++`.
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
            // The first line of `--version` has words only, no paths of this machine.
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

    /// Returns the first line of the compiler's version.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(super) fn command(&self) -> Command {
        Command::new(&self.compiler)
    }
    pub(super) fn is_clang(&self) -> bool {
        self.is_clang
    }
    /// Returns the folder of programs, headers and the machine's library.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Hashes what results depend on besides a program's own text.
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

/// The kind of cache for AscendC on the CPU.
pub(super) const KIND: &str = "ascendc";

/// Returns the cache folder of a kind: below `JUMAR_CACHE`, or in the user's place for caches.
pub fn cache_folder(kind: &str) -> PathBuf {
    cache_below(kind, |name| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    })
}

/// Returns the cache folder as an absolute path, since compilers and programs run in other folders.
fn cache_below(kind: &str, set: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    let folder = set("JUMAR_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|p| p.join("jumar")))
        .or_else(|| set("HOME").map(|p| p.join(".cache").join("jumar")))
        .unwrap_or_else(|| std::env::temp_dir().join("jumar"))
        .join(kind);
    // `absolute` fails where the current folder is gone. A relative path names nothing then, and
    // creating the cache reports it.
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
