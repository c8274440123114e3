//! Finds an installation of CANN.
//!
//! The environment of CANN's `set_env.sh` comes first, then the usual folders of its installer. The
//! result is a folder with libraries, tools and a file with its version; nothing is opened here.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Variables that name the folder of an installation, most important first.
pub const HOME_VARIABLES: [&str; 3] = [
    "ASCEND_HOME_PATH",
    "ASCEND_TOOLKIT_HOME",
    "ASCEND_CANN_PACKAGE_PATH",
];

/// The folders of installers, for all users and below a user's own folder.
const USUAL: [&str; 4] = ["cann", "ascend-toolkit/latest", "latest", "nnae/latest"];

/// Folders with libraries below an installation, by release.
const LIBRARY_FOLDERS: [&str; 4] = [
    "lib64",
    "runtime/lib64",
    "aarch64-linux/lib64",
    "x86_64-linux/lib64",
];

/// Folders with the device compiler and its linker below an installation, by release.
const TOOL_FOLDERS: [&str; 4] = [
    "compiler/ccec_compiler/bin",
    "tools/bisheng_compiler/bin",
    "ccec_compiler/bin",
    "bin",
];

/// An installation of CANN, which may be incomplete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Installation {
    /// The folder; `None` if nothing names one, so that only the system's own search for libraries
    /// is left.
    pub home: Option<PathBuf>,
    /// The source of the folder: a variable, or the place itself.
    pub named_by: Option<String>,
    /// Folders of libraries, in the order of the search.
    pub libraries: Vec<PathBuf>,
    /// The release, according to its files.
    pub version: Option<String>,
}

impl Installation {
    /// Finds the installation of this process's environment, else one in a usual place.
    pub fn find() -> Self {
        let usual = ["/usr/local/Ascend".into()]
            .into_iter()
            .chain(env::var_os("HOME").map(|home| Path::new(&home).join("Ascend")));
        Self::find_in(|name| env::var_os(name), usual)
    }

    /// Finds an installation by a given environment; `usual` are folders of installers.
    pub fn find_in(
        variable: impl Fn(&str) -> Option<OsString>,
        usual: impl Iterator<Item = PathBuf>,
    ) -> Self {
        let named = HOME_VARIABLES
            .iter()
            .filter_map(|name| Some((PathBuf::from(variable(name)?), name.to_string())));
        let usual = usual
            .flat_map(|base| USUAL.map(|end| base.join(end)))
            .map(|path| (path.clone(), path.display().to_string()));
        // A variable counts even if its folder does not exist: the user meant it, and the error
        // names it.
        let named = named.filter(|(path, _)| !path.as_os_str().is_empty());
        match named.chain(usual.filter(|(path, _)| path.is_dir())).next() {
            Some((home, named_by)) => Installation {
                named_by: Some(named_by),
                ..Self::at(home)
            },
            None => Installation::default(),
        }
    }

    /// Describes the installation in a folder.
    pub fn at(home: impl Into<PathBuf>) -> Self {
        let home = home.into();
        let libraries = LIBRARY_FOLDERS
            .iter()
            .map(|end| home.join(end))
            .filter(|path| path.is_dir())
            .collect();
        Installation {
            named_by: None,
            libraries,
            version: version_of(&home),
            home: Some(home),
        }
    }

    /// Returns the path of a tool, such as `bisheng`.
    pub fn tool(&self, name: &str) -> Option<PathBuf> {
        let home = self.home.as_ref()?;
        TOOL_FOLDERS
            .iter()
            .map(|end| home.join(end).join(name))
            .find(|path| path.is_file())
    }

    /// Returns the first of these folders or files that exists below it.
    pub fn first(&self, ends: &[&str]) -> Option<PathBuf> {
        let home = self.home.as_ref()?;
        ends.iter()
            .map(|end| home.join(end))
            .find(|path| path.exists())
    }
}

/// Reads the version from the installation's own files. These are `version.info`, `version.cfg` or
/// `ascend_toolkit_install.info`, in this folder or in that of an architecture.
fn version_of(home: &Path) -> Option<String> {
    let folders = ["", "aarch64-linux", "x86_64-linux", "compiler", "runtime"];
    let files = ["version.info", "ascend_toolkit_install.info", "version.cfg"];
    let texts = folders
        .iter()
        .flat_map(|folder| files.iter().map(move |file| home.join(folder).join(file)));
    texts
        .filter_map(|path| fs::read_to_string(path).ok())
        .find_map(|text| version_in(&text))
}

/// Returns the value of the first line that names a version: `Version=8.1.RC1`, `version = 9.0.0`,
/// `runtime_running_version=[..:8.1.RC1]`.
fn version_in(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let named = name.trim().to_ascii_lowercase();
        if !named.ends_with("version") {
            return None;
        }
        let value = value.trim().trim_matches(['[', ']', '"']);
        let value = value.rsplit(':').next().unwrap_or(value).trim();
        value
            .starts_with(|c: char| c.is_ascii_digit())
            .then(|| value.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_in_the_forms_that_installations_have() {
        for (text, version) in [
            ("Version=8.1.RC1\nversion_dir=8.1.RC1\n", Some("8.1.RC1")),
            (
                "package_name=Ascend-cann-toolkit\nversion=8.5.0\ninnerversion=V100\n",
                Some("8.5.0"),
            ),
            (
                "# header\nruntime_running_version=[7.7.0.1.238:8.1.RC1]\n",
                Some("8.1.RC1"),
            ),
            ("version = \"9.0.0\"\n", Some("9.0.0")),
            ("version_dir=latest\n", None),
            ("", None),
        ] {
            assert_eq!(version_in(text).as_deref(), version, "{text}");
        }
    }

    #[test]
    fn the_environment_counts_before_usual_places_even_where_it_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let usual = folder.path().join("Ascend");
        fs::create_dir_all(usual.join("cann/lib64")).unwrap();
        let none = |_: &str| None;
        let found = Installation::find_in(none, [usual.clone()].into_iter());
        assert_eq!(found.home, Some(usual.join("cann")));
        assert_eq!(found.libraries, [usual.join("cann/lib64")]);
        let wrong =
            |name: &str| (name == "ASCEND_TOOLKIT_HOME").then(|| OsString::from("/nowhere"));
        let found = Installation::find_in(wrong, [usual].into_iter());
        assert_eq!(
            (found.home, found.named_by.as_deref()),
            (Some("/nowhere".into()), Some("ASCEND_TOOLKIT_HOME"))
        );
        assert_eq!(
            Installation::find_in(none, std::iter::empty()),
            Installation::default()
        );
    }
}
