//! One file of the suite: its head, which says how to run it, and the comparison with what it
//! expects.

use jumar_dsl::cost::event::{Trace, What};
use jumar_dsl::cost::library::class;
use jumar_dsl::soc::Chip;
use jumar_kit::twins;
use jumar_runtime::ascendc::{
    scan, Argument, Check, LaunchOptions, Outcome, Program, Source, Unit,
};
use jumar_runtime::{CppFault, RunError};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Element types of the suite, by their C++ names.
const TYPES: &[(&str, usize)] = &[
    ("int8_t", 1),
    ("uint8_t", 1),
    ("int16_t", 2),
    ("uint16_t", 2),
    ("half", 2),
    ("bfloat16_t", 2),
    ("int32_t", 4),
    ("uint32_t", 4),
    ("float", 4),
    ("int64_t", 8),
    ("uint64_t", 8),
];

fn size_of(ty: &str) -> usize {
    TYPES
        .iter()
        .find(|(name, _)| *name == ty)
        .unwrap_or_else(|| panic!("no element type {ty}"))
        .1
}

fn bytes(ty: &str, v: f64) -> Vec<u8> {
    match ty {
        "half" => half::f16::from_f64(v).to_le_bytes().to_vec(),
        "bfloat16_t" => half::bf16::from_f64(v).to_le_bytes().to_vec(),
        "float" => (v as f32).to_le_bytes().to_vec(),
        _ => (v as i128).to_le_bytes()[..size_of(ty)].to_vec(),
    }
}

fn value(ty: &str, bytes: &[u8]) -> f64 {
    let two = || [bytes[0], bytes[1]];
    match ty {
        "half" => half::f16::from_le_bytes(two()).to_f64(),
        "bfloat16_t" => half::bf16::from_le_bytes(two()).to_f64(),
        "float" => f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        _ => {
            let mut wide = [if !ty.starts_with('u') && bytes[bytes.len() - 1] & 0x80 != 0 {
                0xff
            } else {
                0
            }; 16];
            wide[..bytes.len()].copy_from_slice(bytes);
            i128::from_le_bytes(wide) as f64
        }
    }
}

/// The end of a guilty line. The second one is that of a line which only the wrong kernel of a pair
/// has.
const HERE: [&str; 2] = ["// <-- here", "//- <-- here"];

/// The seeds of a pair's runs.
const PAIR_SEEDS: Range<u64> = 0..20;

#[derive(Clone)]
enum Given {
    Read(String, Vec<u8>),
    Written(String, Vec<u8>),
    Updated(String, Vec<u8>),
    Scratch(String, u64),
    Value(Vec<u8>),
}

/// The demands of a file's head.
#[derive(Clone)]
pub struct Case {
    pub kernel: String,
    pub options: LaunchOptions,
    /// The seeds of its runs with races; none for one plain run.
    seeds: Vec<u64>,
    given: Vec<Given>,
    types: BTreeMap<String, String>,
    values: Vec<(String, Vec<f64>)>,
    /// The expected result: `compile: ..` or `fault KIND: ..`.
    expected: Vec<String>,
    /// The line with the mistake.
    here: Vec<u32>,
    /// Parts of the notes of a run that ends well, one for each place.
    notes: Vec<String>,
}

fn elements(ty: &str, count: usize, text: &str) -> Vec<u8> {
    let list: Vec<f64> = match text {
        "iota" => (0..count).map(|i| i as f64).collect(),
        "zero" => vec![0.0],
        "ones" => vec![1.0],
        list => list
            .split_whitespace()
            .map(|v| v.parse().expect("a number"))
            .collect(),
    };
    (0..count)
        .flat_map(|i| bytes(ty, list[i % list.len()]))
        .collect()
}

fn read(text: &str) -> Case {
    let mut case = Case {
        kernel: scan(text)
            .first()
            .map_or_else(String::new, |f| f.name.clone()),
        options: LaunchOptions::new(Chip::default_chip()),
        seeds: Vec::new(),
        given: Vec::new(),
        types: BTreeMap::new(),
        values: Vec::new(),
        expected: Vec::new(),
        notes: Vec::new(),
        here: (1..)
            .zip(text.lines())
            .filter(|(_, line)| HERE.iter().any(|mark| line.ends_with(mark)))
            .map(|(number, _)| number)
            .collect(),
    };
    for line in text.lines().filter_map(|l| l.strip_prefix("// ")) {
        let Some((head, rest)) = line.split_once(": ") else {
            continue;
        };
        let (word, name) = head.split_once(' ').unwrap_or((head, ""));
        directive(&mut case, word, name, rest.trim());
    }
    case
}

fn directive(case: &mut Case, word: &str, name: &str, rest: &str) {
    match word {
        "kernel" => case.kernel = rest.to_string(),
        "chip" => case.options.chip = Chip::by_name(rest.trim_end_matches('3')).expect("a chip"),
        "blocks" => case.options.block_dim = rest.parse().expect("a number"),
        "gm" => {
            let (ty, rest) = rest.split_once('[').expect("TYPE[COUNT]");
            let (count, rest) = rest.split_once(']').expect("TYPE[COUNT]");
            let count = count.parse().expect("a number");
            case.types.insert(name.to_string(), ty.to_string());
            case.given.push(match rest.trim().strip_prefix("= ") {
                Some(values) => Given::Read(name.to_string(), elements(ty, count, values.trim())),
                None => {
                    let (name, bytes) = (name.to_string(), vec![0; count * size_of(ty)]);
                    match rest.trim() {
                        "out" => Given::Written(name, bytes),
                        "inout" => Given::Updated(name, bytes),
                        other => panic!("`{other}` is neither `out` nor `inout`"),
                    }
                }
            });
        }
        "scratch" => case.given.push(Given::Scratch(
            name.to_string(),
            rest.parse().expect("a number"),
        )),
        "value" => {
            let (types, values) = rest.split_once('=').expect("TYPES = VALUES");
            let mut all = Vec::new();
            for (ty, v) in types.split_whitespace().zip(values.split_whitespace()) {
                all.resize(all.len().next_multiple_of(size_of(ty)), 0);
                all.extend(bytes(ty, v.parse().expect("a number")));
            }
            case.given.push(Given::Value(all));
        }
        "option" => match rest.split_once(' ').expect("OPTION VALUE") {
            ("replay", seeds) => case.seeds.extend(
                seeds
                    .split(' ')
                    .map(|seed| seed.parse::<u64>().expect("a seed")),
            ),
            ("bounds", "report") => case.options.noted.push(Check::Bounds),
            ("poison", "report") => case.options.noted.push(Check::Poison),
            ("stale", "report") => case.options.noted.push(Check::Stale),
            ("arguments", "report") => case.options.noted.push(Check::Arguments),
            ("events", "report") => case.options.noted.push(Check::Events),
            ("whole", on) => case.options.whole = on == "1",
            ("saturate", on) => case.options.saturate = on == "1",
            ("auto_sync", on) => case.options.auto_sync = on == "1",
            (other, _) => panic!("no option {other}"),
        },
        "expect" if name.is_empty() => case.expected.push(rest.to_string()),
        "note" => case.notes.push(rest.to_string()),
        "expect" => {
            let values = rest
                .split_whitespace()
                .map(|v| v.parse().expect("a number"))
                .collect();
            case.values.push((name.to_string(), values));
        }
        _ => {}
    }
}

/// A file of the suite, with its parsed head.
#[derive(Clone)]
pub struct File {
    pub path: PathBuf,
    /// A C++ identifier that no other file has.
    pub stem: String,
    pub text: String,
    pub case: Case,
}

impl File {
    pub fn read(path: PathBuf) -> File {
        let text = std::fs::read_to_string(&path).expect("a file of the suite");
        File {
            case: read(&text),
            stem: stem_of(&path),
            path,
            text,
        }
    }

    /// Reads a file of `pairs`: the wrong kernel, which must be told with each seed, and the twin,
    /// which must end well with each. The twin's text goes to a folder of built files.
    pub fn pair(path: PathBuf) -> [File; 2] {
        let family = path.parent().map(stem_of).unwrap_or_default();
        let stem = format!("{family}_{}", stem_of(&path));
        let mut wrong = File::read(path);
        wrong.case.seeds = PAIR_SEEDS.collect();
        wrong.case.values.clear();
        let text = twins::twin(&wrong.text);
        let file = built(&format!("{stem}_twin.cpp"), &text);
        let mut case = read(&text);
        case.seeds = PAIR_SEEDS.collect();
        case.expected.clear();
        case.notes.clear();
        case.here.clear();
        let twin = File {
            path: file,
            stem: format!("{stem}_twin"),
            text,
            case,
        };
        [File { stem, ..wrong }, twin]
    }

    /// Keeps the first order of the pipes: the file also runs in a group, in all of them.
    pub fn in_one_order(mut self) -> File {
        self.case.seeds.truncate(1);
        self
    }

    /// True if the kernel's results are compared with something.
    pub fn has_results(&self) -> bool {
        let compares = |line: &str| ["Expect(", "Near("].iter().any(|call| line.contains(call));
        !self.case.values.is_empty() || self.text.lines().any(compares)
    }

    /// True if the kernel must not end well, or must end with a note.
    pub fn is_wrong(&self) -> bool {
        !self.case.expected.is_empty() || !self.case.notes.is_empty()
    }

    /// Returns the expected compiler message, where it must not compile.
    fn refusal(&self) -> Option<&str> {
        self.case
            .expected
            .first()
            .and_then(|e| e.strip_prefix("compile: "))
    }

    /// True if it compiles in a namespace, beside others: it defines no macro and makes no demand
    /// on the whole program.
    pub fn is_sociable(&self) -> bool {
        let alone = ["#define", "REGISTER_", "namespace ", "// alone:"];
        self.refusal().is_none()
            && !self
                .text
                .lines()
                .any(|line| alone.iter().any(|word| line.starts_with(word)))
    }

    /// Compiles the file by itself.
    fn compiled(&self, sanitize: bool) -> Result<Program, RunError> {
        let source = Source::File(self.path.clone());
        suited(
            Unit::kernel(source, &self.case.kernel, self.case.options.chip.arch),
            sanitize,
        )
        .compile()
    }

    /// Compiles and runs the file by itself, and describes a difference from what it expects.
    pub fn judged_alone(self, sanitize: bool) -> Option<String> {
        let compiled = self.compiled(sanitize);
        let Some(want) = self.refusal() else {
            return match compiled {
                Ok(program) => judge(self.case, &program),
                Err(error) => Some(format!("does not compile: {}", error.message())),
            };
        };
        let Err(error) = compiled else {
            return Some("compiles".into());
        };
        let place = self
            .case
            .here
            .first()
            .map(|line| format!("{}.cpp:{line}", stem_of(&self.path)));
        (!error.message().contains(want) || place.is_some_and(|p| !error.message().contains(&p)))
            .then(|| format!("another message: {}", error.message()))
    }
}

/// Returns the last part of a path, without its extension.
fn stem_of(path: impl AsRef<Path>) -> String {
    let stem = path.as_ref().file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Writes a text to the folder of built files.
pub fn built(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ascendc_suite");
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    let (path, own) = (
        folder.join(name),
        tempfile::NamedTempFile::new_in(&folder).expect("a file"),
    );
    std::fs::write(own.path(), text).expect("the folder is writable");
    // The rename is atomic: another process that compiles this text reads a whole file.
    own.persist(&path).expect("the folder is writable");
    path
}

/// Sets the options with which this suite compiles every unit.
pub fn suited(unit: Unit, sanitize: bool) -> Unit {
    let includes = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("ascendc/tests")];
    Unit {
        includes,
        strict: true,
        sanitize,
        ..unit
    }
}

/// Runs a case with its program, once for each seed, and describes a difference from what it
/// expects.
pub fn judge(case: Case, program: &Program) -> Option<String> {
    if case.seeds.is_empty() {
        return judge_once(case, program);
    }
    case.seeds.clone().into_iter().find_map(|seed| {
        let mut case = case.clone();
        case.options.race = Some(seed);
        judge_once(case, program).map(|why| format!("with seed {seed}: {why}"))
    })
}

fn judge_once(mut case: Case, program: &Program) -> Option<String> {
    let mut arguments: Vec<Argument<'_>> = case
        .given
        .iter_mut()
        .map(|given| match given {
            Given::Read(name, bytes) => Argument::Input(name.clone(), bytes),
            Given::Updated(name, bytes) => Argument::InOut(name.clone(), bytes),
            Given::Written(name, bytes) => Argument::Output(name.clone(), bytes),
            Given::Scratch(name, bytes) => Argument::Scratch(name.clone(), *bytes),
            Given::Value(bytes) => Argument::Value(bytes.clone()),
        })
        .collect();
    // A right kernel leaves its events, too, in the order of the program.
    let options = &mut case.options;
    options.record =
        case.expected.is_empty() && options.race.is_none() && options.chip.timing().is_some();
    let outcome = program.run(&case.options, &mut arguments);
    drop(arguments);
    match (outcome, case.expected.first()) {
        (Ok(_), Some(want)) => Some(format!("runs; expected {want}")),
        (Ok(outcome), None) => noted(&case, &outcome)
            .or_else(|| differing(&case))
            .or_else(|| nameless(outcome.trace.as_ref()?)),
        (Err(error), None) => Some(error.to_string()),
        (Err(error), Some(_)) => refused_as(&error, &case),
    }
}

/// Names of vector events that right kernels have recorded.
pub static RECORDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Calls of the library whose instructions nobody has written down, and the reason.
const WITHOUT_RECIPE: &[(&str, &str)] = &[
    ("Power", "of integers: the exponents decide"),
    ("SoftmaxGrad", "its instructions are not written down"),
    ("SoftmaxGradFront", "its instructions are not written down"),
];

/// Describes an instruction of a record that a replay cannot time.
fn nameless(trace: &Trace) -> Option<String> {
    let events = trace.streams.iter().flat_map(|stream| &stream.events);
    let names: BTreeSet<&str> = events
        .filter_map(|event| match event.what {
            What::Vector { op, .. } => Some(trace.name(op)),
            _ => None,
        })
        .collect();
    let mut recorded = RECORDED.lock().expect("the names");
    recorded.extend(names.iter().map(|name| name.to_string()));
    let excused = |name: &str| WITHOUT_RECIPE.iter().any(|(own, _)| *own == name);
    let unknown = |name: &&str| class(name).is_none() && !excused(name);
    let unknown = names.into_iter().find(unknown)?;
    Some(format!("`{unknown}` has neither a cost class nor a recipe"))
}

/// Compares the mistakes of a run with those that the file expects, at the lines that it marks.
fn refused_as(error: &RunError, case: &Case) -> Option<String> {
    let message = |want: &str| {
        want.split_once(": ")
            .map_or(want, |(_, message)| message)
            .to_string()
    };
    let wanted: Vec<String> = case.expected.iter().map(|want| message(want)).collect();
    let RunError::Cpp(fault) = error else {
        let is_it = case.expected.iter().any(|want| want.starts_with("refused"));
        let same = is_it && error.message().contains(&wanted[0]);
        return (!same).then(|| format!("another error: {error}"));
    };
    let faults: Vec<&CppFault> = std::iter::once(&**fault).chain(&fault.others).collect();
    let told = || {
        let each: Vec<String> = faults.iter().map(|fault| fault.to_string()).collect();
        each.join("; ")
    };
    // With replay it is chance which of two mistakes is met first.
    let is = |fault: &CppFault, want: &String| fault.message.contains(want);
    let alike = faults.len() == wanted.len()
        && match case.options.race {
            None => faults
                .iter()
                .zip(&wanted)
                .all(|(fault, want)| is(fault, want)),
            Some(_) => {
                let told = |want| faults.iter().any(|fault| is(fault, want));
                let meant = |fault: &&CppFault| wanted.iter().any(|want| is(fault, want));
                wanted.iter().all(told) && faults.iter().all(meant)
            }
        };
    if !alike {
        return Some(format!("other mistakes: {}", told()));
    }
    let at = |fault: &&CppFault, line: u32| fault.places.iter().any(|p| p.line == line);
    let placed = case
        .here
        .iter()
        .all(|line| faults.iter().any(|fault| at(fault, *line)))
        && (faults.iter())
            .all(|fault| case.here.is_empty() || case.here.iter().any(|line| at(fault, *line)));
    (!placed).then(|| format!("not at the lines {:?}: {}", case.here, told()))
}

/// Compares the notes of a run with those that the file expects, one for each place, at the lines
/// that it marks.
fn noted(case: &Case, outcome: &Outcome) -> Option<String> {
    let mut notes: Vec<(&str, Option<u32>)> = Vec::new();
    for (_, text, place) in &outcome.notes {
        let note = (text.as_str(), place.as_ref().map(|p| p.line));
        if notes.iter().all(|other| other.1 != note.1) {
            notes.push(note);
        }
    }
    // A note of the whole launch has no line.
    let is_here = |line: &Option<u32>| {
        case.here.is_empty() || line.is_none_or(|line| case.here.contains(&line))
    };
    let alike = notes.len() == case.notes.len()
        && (notes.iter().zip(&case.notes))
            .all(|((note, line), want)| note.contains(want) && is_here(line));
    (!alike).then(|| format!("its notes are {notes:?}, expected {:?}", case.notes))
}

/// Finds the first output whose contents differ from what the file expects.
fn differing(case: &Case) -> Option<String> {
    for (name, want) in &case.values {
        let bytes = case.given.iter().find_map(|g| match g {
            Given::Written(n, bytes) | Given::Updated(n, bytes) if n == name => Some(bytes),
            _ => None,
        });
        let ty = &case.types[name];
        let got: Vec<f64> = bytes
            .expect("an output")
            .chunks(size_of(ty))
            .map(|b| value(ty, b))
            .take(want.len())
            .collect();
        if got != *want {
            return Some(format!("{name} is {got:?}, expected {want:?}"));
        }
    }
    None
}
