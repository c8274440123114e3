//! Records of kernels with a task header: answers of tasks, and random kernels.

use super::export::Plan;
use super::mutate::mutants;
use super::random;
use super::record::{Attempt, Claim, Emitted, Fixed, Record, Source, Split, Trace, VERSION};
use super::trace::trace;
use crate::canon::{canonical, CanonError, Names};
use crate::eval::class::Class;
use crate::eval::cost::predicted;
use crate::eval::pool::{Process, Request};
use crate::eval::prompt;
use crate::eval::record::Key;
use crate::eval::stages::{refused, telling, Failure, Stage};
use crate::finding::findings;
use crate::tasks::corpus::Task;
use crate::tasks::data::Random;
use crate::tasks::run::{element_types, exact, hash, Poison, Run};
use jumar::codegen::{emit, EmitOptions};
use jumar::dsl::check::CheckedKernel;
use jumar::load::{check_text, fixed, KernelFile};
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// How many mutants are tried for each wrong one that is wanted. The others are right, or fail in a
/// way that says nothing about the text.
const TRIES: usize = 4;

/// How many random kernels are tried for one that is wanted. The others are refused, or store
/// infinities.
const RANDOM_TRIES: u64 = 200;

/// Words of a task's name that state its form. Tasks that differ only in these are in one split.
const FORMS: &str = "foreach list scalar tensor and custom math inplace v2 v3 v4 2d broadcast dimension over a bias with square asymmetric input kernel";

/// Families whose kernels do the same, with the name of the family that represents them.
const ALIKE: [(&str, &str); 4] = [
    ("clip_by_value", "clamp"),
    ("coalesce_sparse", "scatter_add"),
    ("matrix_multiplication", "mul"),
    ("subtract", "sub"),
];

/// A judge of a text, which returns `None` if the text is right.
type Judge<'j> = &'j mut dyn FnMut(&str) -> io::Result<Option<Failure>>;

/// Returns the family of a task: its name without the words of `FORMS`.
pub fn family(stem: &str) -> String {
    let is_form = |word: &&str| FORMS.split(' ').any(|form| form == *word);
    let words: Vec<&str> = stem.split('_').filter(|word| !is_form(word)).collect();
    let plain = if words.is_empty() {
        stem.to_string()
    } else {
        words.join("_")
    };
    ALIKE
        .iter()
        .find(|(name, _)| *name == plain)
        .map_or(plain, |(_, same)| same.to_string())
}

/// Makes the record of a task of a benchmark.
///
/// # Errors
/// If no process can be started. The inner error is a wrong answer of the task, which is a defect
/// of jumar.
pub fn of_task(
    plan: &Plan,
    name: &str,
    task: &'static Task,
    process: &mut Process<'_>,
) -> io::Result<Result<Record, String>> {
    let mut cost = None;
    let mut judge = |text: &str| {
        let request = Request {
            task: name.to_string(),
            text: text.to_string(),
            cpp: false,
            seed: None,
            ascendc: None,
        };
        let judged = process.judge(&request)?;
        if judged.failure.is_none() && cost.is_none() {
            cost = judged.cost;
        }
        Ok(judged.failure)
    };
    let answer = task.answer();
    if let Some(failure) = judge(answer)? {
        return Ok(Err(format!(
            "the answer of {name} is not right: {}",
            failure.why
        )));
    }
    let mut record = match described(plan, name, task, answer) {
        Ok(record) => record,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(canonical) = &record.canonical {
        if let Some(failure) = judge(canonical)? {
            return Ok(Err(format!(
                "the canonical form of {name} is not right: {}",
                failure.why
            )));
        }
    }
    let mut random = Random(plan.seed ^ hash(name.as_bytes()));
    record.attempts = attempts(plan, &task.stem, answer, &mut random, &mut judge)?;
    record
        .attempts
        .extend(walks(plan, name, &task.stem, &mut judge)?);
    record.cost = cost.map(Into::into);
    Ok(Ok(record))
}

/// Makes the record of a random kernel.
///
/// # Errors
/// If the readers accept none of many attempts.
pub fn of_random(plan: &Plan, number: u64) -> io::Result<Result<Record, String>> {
    for attempt in 0..RANDOM_TRIES {
        let made = match random::kernel(plan.seed, number, attempt) {
            Ok(made) => made,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(record) = agreed(plan, number, &made)? {
            return Ok(Ok(record));
        }
    }
    Ok(Err(format!(
        "none of {RANDOM_TRIES} random kernels of number {number} is one that all readers take"
    )))
}

/// Makes the record of a random kernel, if the readers agree on it and it stores only finite
/// numbers.
fn agreed(plan: &Plan, number: u64, made: &random::Made) -> io::Result<Option<Record>> {
    let (task, text) = (&made.task, made.text.as_str());
    let file = check_text(&format!("{}.rs", task.stem), text, plan.chip());
    let Some(kernel) = own(&file, &task.stem) else {
        return Ok(None);
    };
    let run = small(task);
    let Ok(first) = run.launch(kernel, None, Poison::High) else {
        return Ok(None);
    };
    let agree = exact(kernel).and_then(|exact| run.interpreted(kernel, exact.as_ref(), &first));
    let finite = run
        .tensors(&first)
        .all(|(_, is, _, after)| !is.written() || after.to_f64().iter().all(|v| v.is_finite()));
    if agree.is_err() || !finite {
        return Ok(None);
    }
    let cost = first
        .report
        .as_ref()
        .and_then(|report| predicted(kernel, &run, report));
    let name = format!("random/{}/{number}", plan.seed);
    let Ok(mut record) = described(plan, &name, task, text) else {
        return Ok(None);
    };
    record.source = Source::Random;
    record.claim = Claim::Agreed;
    // Kernels with equal canonical forms are in one split.
    record.family = format!(
        "random_{:016x}",
        hash(
            record
                .canonical
                .as_deref()
                .unwrap_or(text)
                .replace(&task.stem, "")
                .as_bytes()
        )
    );
    record.split = Split::of(&record.family);
    record.cost = cost.map(Into::into);
    let mut judge = |text: &str| Ok(differs(plan, task, &run, text, &first));
    let mut random = Random(plan.seed ^ hash(name.as_bytes()));
    record.attempts = attempts(plan, &task.stem, text, &mut random, &mut judge)?;
    Ok(Some(record))
}

/// Says why a text is not the kernel with the results `first`.
fn differs(
    plan: &Plan,
    task: &Task,
    run: &Run<'_>,
    text: &str,
    first: &crate::tasks::run::After,
) -> Option<Failure> {
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let file = check_text(&format!("{}.rs", task.stem), text, plan.chip());
        if let Some(failure) = [Stage::Parse, Stage::Check]
            .into_iter()
            .find_map(|stage| refused(&file, stage, true))
        {
            return Some(failure);
        }
        let of_run = |class: Class, codes: Vec<String>, why: String| {
            Some(Failure {
                stage: Stage::Right,
                class,
                codes,
                case: Some(run.name.clone()),
                why,
            })
        };
        let Some(kernel) = own(&file, &task.stem) else {
            let why = format!("there is no kernel `{}`, or more than one", task.stem);
            return Some(Failure {
                stage: Stage::Check,
                class: Class::NoKernel,
                codes: Vec::new(),
                case: None,
                why,
            });
        };
        match run.launch(kernel, None, Poison::High) {
            Err(halt) => {
                let codes = halt
                    .code
                    .iter()
                    .map(|code| code.as_str().to_string())
                    .collect();
                of_run(
                    halt.code.map_or(Class::Signature, Class::of),
                    codes,
                    halt.why,
                )
            }
            Ok(second) => run
                .steady(first, &second)
                .err()
                .and_then(|why| of_run(Class::Value, Vec::new(), why)),
        }
    }));
    // A panic is a defect of jumar and says nothing about the text.
    judged.unwrap_or(None)
}

/// Returns the kernel of that name, if the text has no errors.
fn own<'f>(file: &'f KernelFile, name: &str) -> Option<&'f CheckedKernel> {
    let own: Vec<_> = file
        .kernels()
        .iter()
        .filter(|kernel| kernel.name == name)
        .collect();
    match own.as_slice() {
        [kernel] if !file.has_errors() => kernel.checked.first(),
        _ => None,
    }
}

/// Returns the smallest case that is significant, in `f32` if possible.
fn small(task: &Task) -> Run<'_> {
    let types = element_types(task);
    let of_f32 = types
        .iter()
        .find(|types| types.split(' ').all(|name| name == "f32"));
    let element = of_f32.or(types.first()).map_or("", String::as_str);
    Run::new(task, telling(task), element, 0)
}

/// Describes a correct kernel without judging it.
fn described(plan: &Plan, name: &str, task: &Task, text: &str) -> Result<Record, String> {
    let file = check_text(&format!("{}.rs", task.stem), text, plan.chip());
    let kernel = own(&file, &task.stem).ok_or_else(|| format!("{name} has no kernel"))?;
    let canonical = match canonical(text, Names::Author) {
        Ok(all) => all
            .into_iter()
            .find(|(own, _)| *own == task.stem)
            .map(|(_, text)| text),
        Err(CanonError::Unprintable { .. }) => None,
        Err(e) => return Err(format!("{name}: {e}")),
    };
    let traced = canonical
        .as_ref()
        .map(|text| traced(plan, task, text))
        .transpose()
        .map_err(|why| format!("{name}: {why}"))?;
    let family = family(&task.stem);
    Ok(Record {
        version: VERSION,
        name: name.to_string(),
        source: Source::Task,
        split: Split::of(&family),
        family,
        category: Some(task.category.clone()),
        level: task.level.map(u32::from),
        prompt: prompt::first(task, None),
        kernel: text.to_string(),
        claim: Claim::Right,
        canonical,
        ascendc: emitted(kernel),
        trace: traced,
        cost: None,
        attempts: Vec::new(),
        made: plan.made(),
    })
}

/// Returns the C++ files of the emitted project. Its build files are the same for all kernels.
pub(super) fn emitted(kernel: &CheckedKernel) -> Vec<Emitted> {
    let is_cpp = |path: &str| [".cpp", ".h"].iter().any(|end| path.ends_with(end));
    let files = emit(kernel, &EmitOptions::default())
        .files
        .into_iter()
        .filter(|file| is_cpp(&file.path));
    files
        .map(|file| Emitted {
            path: file.path,
            text: file.text,
        })
        .collect()
}

fn traced(plan: &Plan, task: &Task, text: &str) -> Result<Trace, String> {
    let file = check_text(&format!("{}.rs", task.stem), text, plan.chip());
    let kernel = own(&file, &task.stem).ok_or("the canonical form is refused")?;
    trace(&small(task), kernel, text)
}

/// Returns up to the wanted number of wrong attempts.
fn attempts(
    plan: &Plan,
    stem: &str,
    text: &str,
    random: &mut Random,
    judge: Judge<'_>,
) -> io::Result<Vec<Attempt>> {
    let wanted = plan.mutations as usize;
    let mut all = Vec::new();
    for (how, mutant) in mutants(text, wanted * TRIES, random) {
        if all.len() == wanted {
            break;
        }
        all.extend(attempt(plan, stem, (how, &mutant), judge)?);
    }
    Ok(all)
}

/// Returns the complete and wrong texts that a model wrote which knows only the grammar.
fn walks(plan: &Plan, name: &str, stem: &str, judge: Judge<'_>) -> io::Result<Vec<Attempt>> {
    let (mut all, Some(walks)) = (Vec::new(), &plan.walks) else {
        return Ok(Vec::new());
    };
    for sample in 0..walks.each {
        let key = Key {
            task: name.to_string(),
            sample,
            round: 0,
        };
        let reply = walks.model.reply(&key, &[]).map_err(io::Error::other)?;
        if reply.finish.as_deref() != Some("length") {
            all.extend(attempt(
                plan,
                stem,
                ("random under the mask", &reply.text),
                judge,
            )?);
        }
    }
    Ok(all)
}

/// Makes a wrong attempt of a text; `None` if it is right or not to blame.
fn attempt(
    plan: &Plan,
    stem: &str,
    (how, text): (&str, &str),
    judge: Judge<'_>,
) -> io::Result<Option<Attempt>> {
    let Some(failure) = judge(text)? else {
        return Ok(None);
    };
    // The text is not to blame for these classes, or it depends on the machine.
    if !failure.class.is_of_candidate() || matches!(failure.class, Class::Readers | Class::Limit) {
        return Ok(None);
    }
    let told = told(plan, stem, text, &failure, judge)?;
    Ok(told.map(|(findings, fixed)| Attempt::new(how, text, failure, findings, fixed)))
}

/// Returns the findings of a wrong text and the result of its fixes; `None` if the findings
/// contradict the failure.
fn told(
    plan: &Plan,
    stem: &str,
    text: &str,
    failure: &Failure,
    judge: Judge<'_>,
) -> io::Result<Option<(Vec<crate::finding::Finding>, Option<Fixed>)>> {
    let path = format!("{stem}.rs");
    let read = catch_unwind(AssertUnwindSafe(|| {
        let file = check_text(&path, text, plan.chip());
        let is_refused = matches!(failure.stage, Stage::Parse | Stage::Check)
            && failure.class != Class::NoKernel;
        let fixed = fixed(&path, text, plan.chip());
        (file.has_errors() == is_refused).then(|| (findings(&file), fixed))
    }));
    let Ok(Some((Ok(findings), fixed))) = read else {
        return Ok(None);
    };
    if fixed.applied.is_empty() {
        return Ok(Some((findings, None)));
    }
    let (clean, right) = (!fixed.left.has_errors(), judge(&fixed.text)?.is_none());
    let applied = fixed
        .applied
        .iter()
        .map(|one| one.code.to_string())
        .collect();
    Ok(Some((
        findings,
        Some(Fixed {
            text: fixed.text,
            applied,
            clean,
            right,
        }),
    )))
}
