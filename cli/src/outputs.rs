//! The files of `--out`: the places that may be written, and files that appear complete or not at
//! all.
//!
//! A file is written under a temporary name beside its place, and renamed when the call has
//! succeeded. A link is followed: its target is replaced, and the link stays. Devices, pipes and
//! folders are refused, since a rename would replace them by a file. Two outputs never share a
//! file. An output replaces the file of an input only if both are one tensor.

use super::cleanup::Temporary;
use super::npy::said;
use super::Failure;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The limit of links before they count as a cycle, as in the kernel of Linux.
const MAX_LINKS: usize = 40;

/// The files of one call, inputs and outputs.
#[derive(Default)]
pub struct Files {
    inputs: Vec<(String, Identity)>,
    outputs: Vec<(String, Identity)>,
}

/// The identity of a file: the path without links and dots, or, for hard links, the file itself.
#[derive(PartialEq)]
struct Identity {
    place: PathBuf,
    file: Option<(u64, u64)>,
}

impl Identity {
    /// Identifies a path whose folder exists.
    fn of(path: &Path) -> io::Result<Self> {
        let folder = path
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let place = fs::canonicalize(folder)?.join(path.file_name().unwrap_or_default());
        Ok(Identity {
            place,
            file: fs::metadata(path).ok().and_then(|m| number(&m)),
        })
    }
    fn is(&self, other: &Identity) -> bool {
        self.place == other.place || (self.file.is_some() && self.file == other.file)
    }
}

/// Returns device and inode of a file, or `None` if the system has no such numbers.
#[cfg(unix)]
fn number(file: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}
#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

impl Files {
    /// Records that a tensor is read from a file. A missing file is found when it is opened.
    pub fn reads(&mut self, tensor: &str, file: &Path) {
        if let Ok(identity) = follow(file).and_then(|path| Identity::of(&path)) {
            self.inputs.push((tensor.to_owned(), identity));
        }
    }

    /// Returns the place of an output with its temporary file. So a place that cannot be written is
    /// found before the work starts.
    pub fn writes(&mut self, tensor: &str, file: &Path) -> Result<Pending, Failure> {
        let shown = file.display();
        let help = "give a file in a folder that exists and that you may write to";
        let cannot = |why: &str| Failure::call(format!("`{shown}` cannot be written: {why}"), help);
        let unfit = |e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => cannot("there is no such folder"),
            _ => cannot(&said(&e)),
        };
        let target = follow(file).map_err(unfit)?;
        match fs::metadata(&target) {
            Ok(found) if found.is_dir() => return Err(cannot("it is a folder")),
            Ok(found) if !found.is_file() => {
                return Err(cannot("it is no file but a device, a pipe or a socket"))
            }
            Ok(_) => {}
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(unfit(e)),
        }
        let Some(name) = target
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
        else {
            return Err(cannot("it is no file name"));
        };
        let identity = Identity::of(&target).map_err(unfit)?;
        self.refuse_shared(tensor, &identity, file)?;
        let temporary =
            Temporary::new(target.with_file_name(format!(".{name}.jumar-{}", std::process::id())));
        fs::File::create(temporary.path()).map_err(unfit)?;
        self.outputs.push((tensor.to_owned(), identity));
        Ok(Pending {
            shown: file.to_owned(),
            target,
            temporary,
        })
    }

    fn refuse_shared(&self, tensor: &str, identity: &Identity, file: &Path) -> Result<(), Failure> {
        let shown = file.display();
        if let Some((other, _)) = self.outputs.iter().find(|(_, own)| own.is(identity)) {
            return Err(Failure::call(
                format!("`{other}` and `{tensor}` would go to one file, `{shown}`"),
                "give each output a file of its own",
            ));
        }
        match self.inputs.iter().find(|(name, own)| name != tensor && own.is(identity)) {
            Some((input, _)) => Err(Failure::call(
                format!("`{tensor}` would replace `{shown}`, which holds `{input}`"),
                "give another file with --out; only a tensor that is updated in place may replace its own",
            )),
            None => Ok(()),
        }
    }
}

/// Follows the links at the end of a path; the last one may point to a file that does not exist
/// yet.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        let next = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::other(format!(
        "it leads through more than {MAX_LINKS} links"
    )))
}

/// A file that appears under its name only when it is complete. If dropped before, it leaves
/// nothing.
pub struct Pending {
    /// The path in the words of the call.
    shown: PathBuf,
    target: PathBuf,
    temporary: Temporary,
}

impl Pending {
    /// The temporary path to write to.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }
    /// The final path, in the words of the call.
    pub fn shown(&self) -> &Path {
        &self.shown
    }
    /// Renames the file to its final name.
    pub fn finish(self) -> io::Result<()> {
        fs::rename(self.temporary.path(), &self.target)
    }
}
