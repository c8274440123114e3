//! The operators of a repository: finds them, makes tensors that they take, and runs them.
//!
//! An operator is a folder with `op_kernel` and `op_host`. Nothing of its build is known, so that
//! folders to include from are found by the names of headers.

use super::launch::{Argument, Check, LaunchOptions};
use super::operator::{Answer, Definition, Param, Request, Tensor};
use super::scan::{blanked, has_variants, scan, KernelFunction};
use super::toolchain::{cache_folder, hex, KIND};
use super::{Source, Unit};
use crate::error::CppFault;
use crate::RunError;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::Chip;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// An operator project of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The name of its folder, which is that of the kernel function.
    pub name: String,
    pub folder: PathBuf,
    /// The file of `op_kernel` with the kernel.
    pub kernel: PathBuf,
    /// The files of `op_host`.
    pub hosts: Vec<PathBuf>,
    /// Files of the repository that define what included headers declare, if it is missing.
    pub common: Vec<PathBuf>,
    /// Folders that these files include from.
    pub includes: Vec<PathBuf>,
    /// Macros that its build defines, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
}

/// The result of a check of an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It ran; its last launch, and the notes of all, once each.
    Clean(Launched, Vec<String>),
    /// It ran and made mistakes.
    Faults(Launched, Box<CppFault>),
    /// Its definition has no configuration for the chip.
    OtherChip(String),
    /// Its host files do not compile, or end by a signal.
    Host(String),
    /// Its tiling function refuses all tensors that were tried; the last refusal.
    Tiling(String),
    /// Its kernel does not compile.
    Kernel(String),
    /// It could not be launched.
    Launch(String),
}

/// The tensors and decisions of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launched {
    /// Name, element type and shape of each tensor; of a list each has the list's name.
    pub tensors: Vec<(String, (String, Vec<usize>))>,
    pub tiling_key: u64,
    pub blocks: u32,
    /// The operator has no inference of shapes, so that those of outputs are a guess.
    pub is_guess: bool,
}

/// Folders that have nothing of an operator.
const SKIPPED: [&str; 3] = ["tests", "test", "examples"];
/// Folders whose files belong to one operator.
const OF_OPERATORS: [&str; 3] = ["op_kernel", "op_host", "op_api"];
/// Folders of `op_host` with other things than its functions, or those of later chips.
const NO_HOSTS: [&str; 3] = ["op_api", "config", "arch35"];
/// Shapes that are tried, each for all inputs.
const SHAPES: [&[usize]; 6] = [
    &[32, 256],
    &[2048],
    &[4, 16, 64],
    &[2, 8, 16, 16],
    &[1],
    &[2, 3, 8, 16, 16],
];
/// Combinations of element types that are tried.
const COLUMNS: usize = 4;
/// The times after which a kernel and host functions count as endless.
const LIMIT: Duration = Duration::from_secs(60);
const HOST_LIMIT: Duration = Duration::from_secs(10);

/// Finds the operator projects below a folder, sorted by path.
///
/// # Errors
/// Those of the file system, for the folder itself.
pub fn projects(root: &Path) -> io::Result<Vec<Project>> {
    let root = root.canonicalize()?;
    // Headers lie anywhere in the repository, of which this may be a part.
    let whole = root.ancestors().find(|dir| dir.join(".git").exists());
    let mut files = Vec::new();
    collect(whole.unwrap_or(&root), &mut files)?;
    // It may lie in a folder that is left out, as examples are.
    collect(&root, &mut files)?;
    files.sort();
    files.dedup();
    let mut headers: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    let mut sources: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for file in &files {
        if has_extension(file, &["h", "hpp", "inc"]) {
            headers.entry(file_name(file)).or_default().push(file);
        } else if has_extension(file, &["cpp", "cc"])
            && !OF_OPERATORS.iter().any(|name| is_within(file, name))
        {
            sources.entry(stem(file)).or_default().push(file);
        }
    }
    let own = files.iter().filter(|file| file.starts_with(&root));
    let kernels: BTreeSet<&Path> = own.filter_map(|file| kernel_folder(file)).collect();
    let mut tilings: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_host(file)) {
        let text = fs::read(file).unwrap_or_default();
        for (operator, _) in named(&String::from_utf8_lossy(&text), "IMPL_OP_OPTILING") {
            tilings.entry(operator).or_default().push(file.clone());
        }
    }
    let (mut found, mut read) = (Vec::new(), BTreeMap::new());
    for op_kernel in kernels {
        let Some(above) = op_kernel.parent() else {
            continue;
        };
        // Several operators may share these two folders, each with one below them.
        let is_shared = !op_kernel.ends_with("op_kernel");
        let (folder, op_host) = match above.parent() {
            Some(project) if is_shared => (
                op_kernel,
                project.join("op_host").join(file_name(op_kernel)),
            ),
            _ => (above, above.join("op_host")),
        };
        let mut hosts: Vec<PathBuf> = files
            .iter()
            .filter(|file| file.starts_with(&op_host) && is_host(file))
            .cloned()
            .collect();
        let name = file_name(folder);
        let Some(kernel) = kernel_of(&files, op_kernel, &name) else {
            continue;
        };
        if hosts.is_empty() {
            continue;
        }
        hosts.extend(tiling_elsewhere(&hosts, &tilings));
        let own: Vec<PathBuf> = std::iter::once(kernel.clone())
            .chain(hosts.clone())
            .collect();
        let Included {
            mut folders,
            siblings,
            files: seen,
        } = included_from(&own, &headers, &mut read);
        let common: Vec<PathBuf> = seen
            .iter()
            .filter(|header| !header.starts_with(folder))
            .filter_map(|header| nearest(sources.get(&stem(header))?, header, |_| true))
            .map(Path::to_path_buf)
            .collect();
        for more in included_from(&common, &headers, &mut read).folders {
            if !folders.contains(&more) {
                folders.push(more);
            }
        }
        if !siblings.is_empty() {
            folders.push(side_by_side(folder, &siblings)?);
        }
        found.push(Project {
            name,
            folder: folder.to_path_buf(),
            kernel,
            hosts,
            common,
            includes: folders,
            defines: Vec::new(),
        });
    }
    Ok(found)
}

/// Returns the folder of a file, if it is that of an operator's kernel: `op_kernel`, or one below
/// it that `op_host` has, too.
fn kernel_folder(file: &Path) -> Option<&Path> {
    let folder = file.parent()?;
    if folder.ends_with("op_kernel") {
        return Some(folder);
    }
    let above = folder
        .parent()
        .filter(|above| above.ends_with("op_kernel"))?;
    let host = above.with_file_name("op_host").join(folder.file_name()?);
    host.is_dir().then_some(folder)
}

fn is_within(file: &Path, name: &str) -> bool {
    file.components().any(|part| part.as_os_str() == name)
}

/// True for a C++ file of `op_host` with functions for the chips of this machine.
fn is_host(file: &Path) -> bool {
    has_extension(file, &["cpp", "cc"])
        && is_within(file, "op_host")
        && !NO_HOSTS.iter().any(|name| is_within(file, name))
        && !file_name(file).contains("arch35")
}

/// Returns the arguments of calls of a macro, with the text behind each.
fn named<'a>(text: &'a str, macro_name: &str) -> Vec<(String, &'a str)> {
    let calls = text.match_indices(macro_name);
    let argument = |(at, word): (usize, &str)| {
        let rest = text[at + word.len()..].trim_start().strip_prefix('(')?;
        let (name, behind) = rest.split_once([')', ','])?;
        Some((name.trim().to_string(), behind))
    };
    calls.filter_map(argument).collect()
}

/// Finds the files of other folders that register the tiling functions of an operator which has
/// none of its own.
fn tiling_elsewhere(hosts: &[PathBuf], tilings: &BTreeMap<String, Vec<PathBuf>>) -> Vec<PathBuf> {
    let texts: Vec<String> = hosts
        .iter()
        .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned())
        .collect();
    let has_own = texts
        .iter()
        .any(|text| text.contains("SetTiling(") || text.contains("IMPL_OP_OPTILING"));
    if has_own {
        return Vec::new();
    }
    let types = texts.iter().flat_map(|text| named(text, "OP_ADD"));
    let mut found: Vec<PathBuf> = types
        .filter_map(|(operator, _)| tilings.get(&operator))
        .flatten()
        .cloned()
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Makes a folder from which `../NAME/header.h` is the header of another operator's `op_kernel`.
/// The toolkit's build copies these folders side by side.
fn side_by_side(project: &Path, siblings: &BTreeMap<String, PathBuf>) -> io::Result<PathBuf> {
    let key = hex(&Sha256::digest(project.as_os_str().as_encoded_bytes())[..8]);
    let folder = cache_folder(KIND).join("siblings").join(key);
    let own = folder.join("op_kernel");
    fs::create_dir_all(&own)?;
    for (name, target) in siblings {
        let link = folder.join(name);
        if fs::read_link(&link).is_ok_and(|there| there == *target) {
            continue;
        }
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(target, &link)?;
    }
    Ok(own)
}

/// Collects the files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = file_name(&path);
        if name.starts_with('.') || SKIPPED.contains(&name.as_str()) || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            // A folder that cannot be read has nothing to check.
            let _ = collect(&path, files);
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension()
        .is_some_and(|e| wanted.iter().any(|w| e == *w))
}

/// Chooses the file with the kernel: that of the operator's name, else the only one.
fn kernel_of(files: &[PathBuf], op_kernel: &Path, name: &str) -> Option<PathBuf> {
    let all: Vec<&PathBuf> = files
        .iter()
        .filter(|file| file.parent() == Some(op_kernel) && has_extension(file, &["cpp", "asc"]))
        .collect();
    let named = all.iter().find(|file| stem(file) == name);
    // Files of this end are for the register level of later chips.
    let of_others = |file: &&&PathBuf| stem(file).ends_with("_apt");
    let only = || {
        let mut own = all.iter().filter(|file| !of_others(file));
        own.next().filter(|_| own.next().is_none())
    };
    named
        .or_else(only)
        .or(all.first())
        .map(|file| file.to_path_buf())
}

/// The headers that files need.
struct Included {
    /// Folders to include from.
    folders: Vec<PathBuf>,
    /// `op_kernel` of operators whose headers are included as `../NAME/header.h`.
    siblings: BTreeMap<String, PathBuf>,
    /// The files themselves and all headers of the repository.
    files: BTreeSet<PathBuf>,
}

/// Returns the path that has most folders in common with another one.
fn nearest<'a>(paths: &[&'a Path], to: &Path, fits: impl Fn(&Path) -> bool) -> Option<&'a Path> {
    let fitting = paths.iter().copied().filter(|path| fits(path));
    fitting.max_by_key(|path| (shared(path, to), std::cmp::Reverse(path.as_os_str().len())))
}

/// Finds the headers that files, and the headers that they include, include.
fn included_from(
    files: &[PathBuf],
    headers: &BTreeMap<String, Vec<&Path>>,
    read: &mut BTreeMap<PathBuf, Vec<String>>,
) -> Included {
    let (mut open, mut seen) = (files.to_vec(), BTreeSet::new());
    let mut siblings = BTreeMap::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    while let Some(file) = open.pop() {
        if !seen.insert(file.clone()) {
            continue;
        }
        // Operators share headers: each is read once for all of them.
        let names = read.entry(file.clone()).or_insert_with(|| {
            let text = fs::read(&file).unwrap_or_default();
            includes(&String::from_utf8_lossy(&text))
        });
        for name in names.iter() {
            let near = file
                .parent()
                .map(|dir| dir.join(name))
                .filter(|p| p.is_file());
            let known = || {
                folders
                    .iter()
                    .map(|dir| dir.join(name))
                    .find(|p| p.is_file())
            };
            if let Some(found) = near.or_else(known) {
                open.push(found.canonicalize().unwrap_or(found));
                continue;
            }
            if super::embed::has_header(name) {
                continue;
            }
            let parts: PathBuf = name
                .split('/')
                .filter(|part| *part != "." && *part != "..")
                .collect();
            let candidates = headers
                .get(&file_name(&parts))
                .map_or(&[][..], Vec::as_slice);
            let nearest = |end: &Path| nearest(candidates, &file, |path| path.ends_with(end));
            if let Some(found) = nearest(&parts) {
                let depth = parts.components().count();
                folders.extend(found.ancestors().nth(depth).map(Path::to_path_buf));
                open.push(found.to_path_buf());
                continue;
            }
            let Some((operator, header)) = name.strip_prefix("../").and_then(|n| n.split_once('/'))
            else {
                continue;
            };
            let below = Path::new(operator).join("op_kernel");
            if let Some(found) = nearest(&below.join(header)) {
                let depth = Path::new(header).components().count();
                if let Some(op_kernel) = found.ancestors().nth(depth) {
                    siblings.insert(operator.to_string(), op_kernel.to_path_buf());
                }
                open.push(found.to_path_buf());
            }
        }
    }
    Included {
        folders,
        siblings,
        files: seen,
    }
}

/// Returns how many folders two paths have in common.
fn shared(a: &Path, b: &Path) -> usize {
    a.components()
        .zip(b.components())
        .take_while(|(a, b)| a == b)
        .count()
}

/// Returns the names that a text includes.
fn includes(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let rest = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("include")?;
        let rest = rest.trim_start();
        let end = match rest.chars().next()? {
            '"' => '"',
            '<' => '>',
            _ => return None,
        };
        rest[1..].split_once(end).map(|(name, _)| name.to_string())
    };
    text.lines().filter_map(line).collect()
}

impl Project {
    /// Compiles the operator and runs it on tensors that it takes.
    pub fn check(&self, chip: &'static Chip, noted: &[Check], race: Option<u64>) -> Verdict {
        match self.checked(chip, noted, race) {
            Ok(verdict) | Err(verdict) => verdict,
        }
    }

    fn checked(
        &self,
        chip: &'static Chip,
        noted: &[Check],
        race: Option<u64>,
    ) -> Result<Verdict, Verdict> {
        let with = |unit: Unit| Unit {
            includes: self.includes.clone(),
            defines: self.defines.clone(),
            ..unit
        };
        let host = |files: Vec<PathBuf>| with(Unit::operator(files, chip.arch)).compile();
        let mut program = host(self.hosts.clone()).map_err(|e| Verdict::Host(said(&e)))?;
        if program.lacks_functions() && !self.common.is_empty() {
            // Files of the repository that do not compile here are none that help.
            program = host([&self.hosts[..], &self.common].concat()).unwrap_or(program);
        }
        let host = program;
        let text = fs::read(&self.kernel).map_err(|e| Verdict::Kernel(e.to_string()))?;
        let source = || Source::File(self.kernel.clone());
        let text = blanked(&String::from_utf8_lossy(&text));
        let mut functions = scan(&text);
        if functions.is_empty() || has_variants(&text) {
            // The function is in a header, or the preprocessor chooses it.
            let expanded = with(Unit::kernels(source(), &[], chip.arch)).expanded();
            functions = scan(&expanded.map_err(|e| Verdict::Kernel(said(&e)))?);
        }
        let function = functions
            .iter()
            .find(|f| f.name == self.name)
            .or(functions.first());
        let name = function.map_or(&self.name, |f| &f.name);
        let definition = host.definition(name, chip).map_err(|e| {
            let said = said(&e);
            match said.contains("has no AddConfig for") {
                true => Verdict::OtherChip(said),
                false => Verdict::Host(said),
            }
        })?;
        let mut refusal = None;
        let mut tried = None;
        for way in ways(&definition) {
            let request = request(&definition, name, chip, &way);
            match host.try_to_ask(&request, HOST_LIMIT) {
                Ok(answer) => {
                    tried = Some((way, request, answer));
                    break;
                }
                // Functions that never end would take their time for each of the tries.
                Err(e) if e.code() == Code::J0811 => return Err(Verdict::Host(said(&e))),
                // Many functions crash for tensors that they do not take: a refusal says more.
                Err(e) if e.code() == Code::J0812 => {
                    refusal.get_or_insert(Verdict::Host(said(&e)));
                }
                Err(e) => refusal = Some(Verdict::Tiling(said(&e))),
            }
        }
        let (way, request, answer) = tried.ok_or_else(|| {
            refusal.unwrap_or_else(|| {
                Verdict::Tiling("no combination of its element types has a launch here".into())
            })
        })?;
        let launch = |request: &Request, answer: &Answer| {
            let unit = |kernel: &str| Unit {
                prelude: answer.prelude.clone(),
                ..with(Unit::kernel(source(), kernel, chip.arch))
            };
            let instance = match function.filter(|f| !f.template.is_empty()) {
                Some(function) => instance(&unit(name), function, answer.tile.key)?,
                None => name.clone(),
            };
            let program = unit(&instance)
                .compile()
                .map_err(|e| Verdict::Kernel(said(&e)))?;
            let mut options = LaunchOptions::new(chip);
            options.block_dim = u32::try_from(answer.tile.block_dim).map_err(|_| {
                Verdict::Launch(format!("{} blocks are no launch", answer.tile.block_dim))
            })?;
            options.tiling_key = answer.tile.key;
            options.noted = noted.to_vec();
            options.race = race;
            options.limit = LIMIT;
            let mut data = Data::new(request, answer, &definition);
            let launched = data.launched(&options, way.explicit);
            match program.run(&options, &mut data.arguments(answer)) {
                Ok(outcome) => Ok((launched, outcome)),
                Err(RunError::Cpp(fault)) => Err(Verdict::Faults(launched, fault)),
                Err(e) => Err(Verdict::Launch(said(&e))),
            }
        };
        let (mut launched, mut outcome) = launch(&request, &answer)?;
        // Rows that end within a data block are where kernels differ from what they mean.
        let request = self::request(&definition, name, chip, &way.with_tail());
        if let Ok(answer) = host.try_to_ask(&request, HOST_LIMIT) {
            let (last, more) = launch(&request, &answer)?;
            launched = last;
            outcome.notes.extend(more.notes);
        }
        let notes = outcome.distinct_notes().into_iter();
        let notes = notes.map(|note| note.text + &note.place).collect();
        Ok(Verdict::Clean(launched, notes))
    }
}

/// Returns the kernel with the template arguments that a tiling key stands for.
fn instance(unit: &Unit, function: &KernelFunction, key: u64) -> Result<String, Verdict> {
    let keys = unit
        .template_keys()
        .map_err(|e| Verdict::Kernel(said(&e)))?;
    let keys = keys.ok_or_else(|| {
        Verdict::Kernel(format!(
            "kernel `{}` is a template of ({}) and declares no tiling keys (ASCENDC_TPL_ARGS_DECL)",
            function.name,
            function.template.join(", ")
        ))
    })?;
    let instance = keys.instance(function, key);
    let instance = instance.map_err(|e| Verdict::Launch(said(&e)))?;
    Ok(instance.kernel)
}

fn said(e: &RunError) -> String {
    e.message().to_string()
}

/// One way to launch an operator.
struct Way {
    /// Gives the optional inputs, too.
    optional: bool,
    /// Says what outputs are, in place of the operator's inference.
    explicit: bool,
    /// The value of integer attributes without a default.
    number: &'static str,
    /// Combination of element types.
    column: usize,
    shape: Vec<usize>,
}

impl Way {
    /// Returns the same way with one element more on the last axis.
    fn with_tail(&self) -> Way {
        let mut shape = self.shape.clone();
        if let Some(last) = shape.last_mut() {
            *last += 1;
        }
        Way { shape, ..*self }
    }
}

/// Returns the ways that are tried, the usual ones first.
fn ways(definition: &Definition) -> Vec<Way> {
    let listed = definition.takes.iter().map(|takes| takes.types.len());
    let known = |column: &usize| {
        let mut types = definition
            .takes
            .iter()
            .map(|takes| takes.types.get(*column));
        types.all(|ty| ty.is_none_or(|ty| ty != "?"))
    };
    let columns: Vec<usize> = (0..listed.max().unwrap_or(0).max(1))
        .filter(known)
        .take(COLUMNS)
        .collect();
    let inputs = &definition.takes[..definition.inputs.min(definition.takes.len())];
    let has_optional = inputs.iter().any(|takes| takes.option == "optional");
    let mut attrs = definition.attrs.iter();
    let has_numbers = attrs.any(|attr| attr.is_required && attr.kind.starts_with("int"));
    let ways = [
        (false, false, "1"),
        (false, true, "1"),
        (true, false, "1"),
        (false, false, "0"),
        (false, false, "-1"),
    ];
    let mut all = Vec::new();
    for (optional, explicit, number) in ways {
        if optional && !has_optional || number != "1" && !has_numbers {
            continue;
        }
        for column in &columns {
            for shape in SHAPES {
                all.push(Way {
                    optional,
                    explicit,
                    number,
                    column: *column,
                    shape: shape.to_vec(),
                });
            }
        }
    }
    all
}

fn request(definition: &Definition, kernel: &str, chip: &'static Chip, way: &Way) -> Request {
    let each = definition.params.iter().zip(&definition.takes);
    let params = each.enumerate().map(|(at, (name, takes))| {
        let is_input = at < definition.inputs;
        let is_list = takes.option == "dynamic";
        let element = takes.types.get(way.column).map_or("f32", String::as_str);
        let tensor = || Tensor {
            element: element.to_string(),
            shape: way.shape.clone(),
            elements: definition
                .reads
                .contains(&at)
                .then(|| elements(element, way.shape.iter().product())),
        };
        let param = if takes.option == "optional" && !way.optional {
            Param::Tensors(Vec::new())
        } else if is_list {
            Param::Tensors(vec![tensor(), tensor()])
        } else if is_input || way.explicit {
            Param::Tensors(vec![tensor()])
        } else {
            Param::Inferred
        };
        (name.clone(), param)
    });
    let required = definition.attrs.iter().filter(|attr| attr.is_required);
    let attrs = required.map(|attr| {
        let value = match attr.kind.as_str() {
            "bool" => "false",
            "float" | "floats" => "0.5",
            "string" => "",
            _ => way.number,
        };
        (attr.name.clone(), value.to_string())
    });
    Request {
        kernel: kernel.to_string(),
        chip,
        params: params.collect(),
        attrs: attrs.collect(),
    }
}

/// Returns elements of a tensor: floats around 0.5, integers 0 and 1, which are indices of all
/// shapes but one.
fn elements(element: &str, count: usize) -> Vec<u8> {
    let float = |i: usize| (i * 37 % 101) as f32 / 101.0 + 0.01;
    let mut bytes = Vec::new();
    for i in 0..count {
        let bit = (i % 2) as u8;
        match element {
            "f32" => bytes.extend(float(i).to_le_bytes()),
            "f16" => bytes.extend(half::f16::from_f32(float(i)).to_le_bytes()),
            "bf16" => bytes.extend(half::bf16::from_f32(float(i)).to_le_bytes()),
            "f64" => bytes.extend(f64::from(float(i)).to_le_bytes()),
            _ => {
                bytes.push(bit);
                bytes.resize(bytes.len() + size_of(element) - 1, 0);
            }
        }
    }
    bytes
}

/// Returns the bytes of an element: the digits of its name are bits.
fn size_of(element: &str) -> usize {
    let digits: String = element.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<usize>().map_or(1, |bits| bits / 8)
}

/// The tensors of a parameter.
struct Held {
    element: String,
    /// Shape and bytes of the tensor, or of each of a list.
    tensors: Vec<(Vec<usize>, Vec<u8>)>,
    is_list: bool,
    is_output: bool,
}

/// The data of a launch, by parameter; none for one that is left out.
struct Data {
    params: Vec<(String, Option<Held>)>,
}

impl Data {
    fn new(request: &Request, answer: &Answer, definition: &Definition) -> Data {
        let each = request.params.iter().zip(&definition.takes).enumerate();
        let params = each.map(|(at, ((name, param), takes))| {
            let is_output = at >= definition.inputs;
            let inferred = answer.outputs.iter().find(|(of, ..)| of == name);
            let (element, shapes) = match (param, inferred) {
                (Param::Tensors(tensors), _) => (
                    tensors.first().map(|tensor| tensor.element.clone()),
                    tensors.iter().map(|tensor| tensor.shape.clone()).collect(),
                ),
                (Param::Inferred, Some((_, element, shape))) => {
                    (Some(element.clone()), vec![shape.clone()])
                }
                (Param::Inferred, None) => (None, Vec::new()),
            };
            let held = element.map(|element| Held {
                tensors: shapes
                    .into_iter()
                    .map(|shape: Vec<usize>| {
                        let bytes = elements(&element, shape.iter().product());
                        (shape, bytes)
                    })
                    .collect(),
                element,
                is_list: takes.option == "dynamic",
                is_output,
            });
            (name.clone(), held)
        });
        Data {
            params: params.collect(),
        }
    }

    fn launched(&self, options: &LaunchOptions, is_guess: bool) -> Launched {
        let tensors = self.params.iter().flat_map(|(name, held)| {
            let each = held.iter().flat_map(|held| {
                let element = held.element.clone();
                held.tensors
                    .iter()
                    .map(move |(shape, _)| (element.clone(), shape.clone()))
            });
            each.map(|tensor| (name.clone(), tensor))
                .collect::<Vec<_>>()
        });
        Launched {
            tensors: tensors.collect(),
            tiling_key: options.tiling_key,
            blocks: options.block_dim,
            is_guess,
        }
    }

    fn arguments<'a>(&'a mut self, answer: &'a Answer) -> Vec<Argument<'a>> {
        let mut all: Vec<Argument<'a>> = Vec::new();
        for (at, (name, held)) in self.params.iter_mut().enumerate() {
            let same = answer.in_place.iter().find(|(output, _)| *output == at);
            all.push(match (held, same) {
                (_, Some((_, input))) => Argument::Same(*input),
                (None, None) => Argument::Null,
                (Some(held), None) => {
                    let is_output = held.is_output;
                    let members = held.tensors.iter_mut().enumerate();
                    let mut members = members.map(|(i, (shape, bytes))| {
                        let name = if held.is_list {
                            format!("{name}.{i}")
                        } else {
                            name.clone()
                        };
                        // An operator may update what it is given.
                        let one = if is_output {
                            Argument::Output(name, bytes)
                        } else {
                            Argument::InOut(name, bytes)
                        };
                        (shape.clone(), one)
                    });
                    if held.is_list {
                        Argument::List(name.clone(), members.collect())
                    } else {
                        members.next().map_or(Argument::Null, |(_, one)| one)
                    }
                }
            });
        }
        all.extend(answer.behind_tensors());
        all
    }
}
