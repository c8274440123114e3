//! Tools that read and return texts.

use super::tools::Refused;
use crate::canon::{self, canonical, CanonError};
use crate::card::{self, CardError};
use crate::eval::task;
use crate::finding::{self, Finding};
use crate::grammar::{self, of_head, semantic, semantic_axes, GrammarError, Profile};
use crate::shape::{described, words};
use jumar::codegen::{self, EmitOptions, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::front::parse_file;
use jumar::dsl::ir::text::to_text;
use jumar::dsl::soc::Chip;
use jumar::load::{check_text, fixed, KernelFile};
use std::fmt::Write;

/// The file name in messages.
const FILE: &str = "kernel.rs";

words! {
    /// Notation of a grammar.
    enum Notation {
        /// For llguidance, vLLM, XGrammar and OpenAI.
        Lark = "lark",
        /// For llguidance alone: the grammar of the bodies of one head.
        LarkSemantic = "lark-semantic",
        /// Like `lark-semantic`, with sets of axes as types, for the form that `fmt` prints with
        /// the names `axes`.
        LarkAxes = "lark-axes",
        /// For llama.cpp servers.
        Gbnf = "gbnf",
        /// For SGLang and XGrammar.
        Ebnf = "ebnf",
        /// For a prompt.
        Bnf = "bnf",
    }
    /// The part of the language.
    enum HowMuch {
        /// The canonical form.
        Llm = "llm",
        /// All that the front end reads.
        Full = "full",
    }
    /// Names of parameters and axes.
    enum NamesOf {
        /// Names from pools.
        Pools = "pools",
        /// Names of the author.
        Author = "author",
        /// Names of the author; those of tiles and runs contain their axes.
        Axes = "axes",
    }
    /// The kind of project.
    enum Project {
        /// CANN 8, launched by aclrtlaunch.
        Direct = "direct",
        /// One source with launches, of CANN 8.5 and later.
        Asc = "asc",
        /// A custom operator project.
        Msopgen = "msopgen",
        /// A PyTorch extension.
        Torch = "torch",
        /// The lowered form, no project.
        Queue = "queue",
    }
}

described! {
    /// The arguments of `card`.
    struct Card {
        /// The limit in tokens; 4000 by default.
        tokens: Option<usize>,
        /// Only these ops.
        ops: Option<Vec<String>>,
        /// Only kernels of this category, as tasks name it: activation, loss, normalization,
        /// pooling, index, ..
        category: Option<String>,
        /// The task to solve, BENCH/NAME, whose answer is not shown.
        without: Option<String>,
    }
    /// A page of text.
    struct Page {
        /// The text of the page.
        text: String,
    }
    /// The arguments of `grammar`.
    struct Grammar {
        /// Notation of the grammar.
        format: Notation,
        /// `llm`, the canonical form, by default, or `full`, all that the front end reads.
        profile: Option<HowMuch>,
        /// Only these ops of the canonical form, with arithmetic, casts, loads and stores.
        ops: Option<Vec<String>>,
        /// The text of a kernel, of which the grammar of the bodies is written; its body may be
        /// missing. `lark-semantic` and `lark-axes` need it.
        signature: Option<String>,
    }
    /// The arguments of `check`.
    struct Check {
        /// Rust text with functions under `#[kernel]`.
        text: String,
        /// The chip; by default the one that each kernel declares, or ascend910b1.
        chip: Option<String>,
    }
    /// The result of `check`.
    struct Checked {
        /// True if there is no error.
        ok: bool,
        /// Number of errors.
        errors: usize,
        /// Number of warnings.
        warnings: usize,
        /// Names of the kernels.
        kernels: Vec<String>,
        /// Every finding, and a line for each correct kernel; the resource
        /// `diagnostics.schema.json` has their schema.
        findings: Vec<Finding>,
    }
    /// The arguments of `fix`.
    struct Fix {
        /// Rust text with functions under `#[kernel]`.
        text: String,
        /// The chip; by default the one that each kernel declares, or ascend910b1.
        chip: Option<String>,
    }
    /// A finding that was removed.
    struct Applied {
        /// Code of the finding.
        code: String,
        /// Message of the finding.
        message: String,
        /// Its line in the text of its round.
        line: u32,
    }
    /// The result of `fix`.
    struct Fixed {
        /// True if no error is left.
        ok: bool,
        /// The text after the fixes; unchanged if there were none.
        text: String,
        /// The removed findings, in order.
        applied: Vec<Applied>,
        /// The findings that are left.
        findings: Vec<Finding>,
    }
    /// The arguments of `fmt`.
    struct Fmt {
        /// Rust text with tile kernels.
        text: String,
        /// The name of a single kernel of the text.
        kernel: Option<String>,
        /// Names of parameters and axes; from pools by default.
        names: Option<NamesOf>,
    }
    /// A kernel in canonical form.
    struct Kernel {
        /// Name of the kernel.
        name: String,
        /// Text of the kernel.
        text: String,
    }
    /// The result of `fmt`.
    struct Kernels {
        /// Each kernel as a text of its own.
        kernels: Vec<Kernel>,
    }
    /// The arguments of `emit`.
    struct Emit {
        /// Rust text with the kernel.
        text: String,
        /// The name of the kernel, where the text has several.
        kernel: Option<String>,
        /// The chip; by default the one that the kernel declares, or ascend910b1.
        chip: Option<String>,
        /// The kind of project, or `queue` for the lowered form; `direct` by default.
        project: Option<Project>,
    }
    /// A file of the project.
    struct File {
        /// Its path in the project.
        path: String,
        /// Text of the file.
        text: String,
    }
    /// The result of `emit`.
    struct Files {
        /// Files of the project.
        files: Vec<File>,
    }
}

/// Runs the tool `card`.
pub fn card(asked: Card) -> Result<(String, Page), Refused> {
    let Card {
        tokens,
        ops,
        category,
        without,
    } = asked;
    if let Some(task) = without.as_ref().filter(|name| task(name).is_none()) {
        return Err(Refused::new(
            format!("there is no task `{task}`"),
            "tasks are in book/src/models/tasks.md: `npukernelbench/swish`",
        ));
    }
    let asked = card::Asked {
        tokens: tokens.unwrap_or(4000),
        ops: ops.into_iter().flatten().collect(),
        category,
        without,
    };
    let text = card::card(&asked).map_err(|e| {
        let help = match &e {
            CardError::NoOp(_) => "a card without `ops` lists them all",
            CardError::NoCategory(_) => {
                "categories are activation, loss, normalization, pooling, index, .."
            }
            CardError::TooFew { .. } => "ask for more",
        };
        Refused::new(e, help)
    })?;
    Ok((text.clone(), Page { text }))
}

/// Runs the tool `grammar`.
pub fn grammar(asked: Grammar) -> Result<(String, Page), Refused> {
    let profile = match (asked.profile, asked.ops) {
        (Some(HowMuch::Full), None) => Profile::Full,
        (Some(HowMuch::Full), Some(_)) => {
            return Err(Refused::new(
                "ops of the profile `full`",
                "take the profile `llm`",
            ))
        }
        (Some(HowMuch::Llm) | None, Some(ops)) => Profile::Slice(ops.into_iter().collect()),
        (Some(HowMuch::Llm) | None, None) => Profile::Llm,
    };
    let no_such = |e: GrammarError| {
        let help = match &e {
            GrammarError::NoOp(_) => "`card` lists the ops",
            GrammarError::Axes { .. } | GrammarError::Classes(_) => "take `lark-semantic`",
        };
        Refused::new(e, help)
    };
    let head = asked.signature.as_deref().map(head).transpose()?;
    let format = match (asked.format, &head, &profile) {
        (Notation::LarkSemantic | Notation::LarkAxes, _, Profile::Full) => {
            return Err(Refused::new(
                "a semantic grammar of the profile `full`",
                "it is of the canonical form: take `llm`",
            ))
        }
        (Notation::LarkSemantic | Notation::LarkAxes, None, _) => {
            return Err(Refused::new(
                "a semantic grammar of no kernel",
                "give its head as `signature`; the body may be empty",
            ))
        }
        (of @ (Notation::LarkSemantic | Notation::LarkAxes), Some(head), _) => {
            let written = if of == Notation::LarkAxes {
                semantic_axes(head, &profile)
            } else {
                semantic(head, &profile)
            };
            let text = written.map_err(no_such)?;
            return Ok((text.clone(), Page { text }));
        }
        (Notation::Lark, ..) => grammar::Format::Lark,
        (Notation::Gbnf, ..) => grammar::Format::Gbnf,
        (Notation::Ebnf, ..) => grammar::Format::Ebnf,
        (Notation::Bnf, ..) => grammar::Format::Bnf,
    };
    let productions = match &head {
        Some(head) => of_head(head, &profile),
        None => grammar::grammar(&profile),
    };
    let text = format.write(&productions.map_err(no_such)?);
    Ok((text.clone(), Page { text }))
}

/// Returns the head of the first kernel of a text.
fn head(text: &str) -> Result<canon::Head, Refused> {
    let wrong = || rejected(&check_text(FILE, text, None));
    let parsed = parse_file(text).map_err(|_| wrong())?;
    let Some(kernel) = parsed.into_iter().next() else {
        return Err(Refused::new(
            "`signature` has no kernel",
            "a head is a function under `#[kernel]`; its body may be empty",
        ));
    };
    let signature = kernel.signature.ok_or_else(wrong)?;
    canon::head(&signature, canon::Names::Author)
        .map_err(|e| Refused::new(e, "take the grammar of all kernels"))
}

/// Runs the tool `check`.
pub fn check(asked: Check) -> Result<(String, Checked), Refused> {
    let file = check_text(FILE, &asked.text, chip(asked.chip.as_deref())?);
    if file.kernels().is_empty() && !file.has_errors() {
        return Err(no_kernel());
    }
    let (errors, warnings) = file.count();
    let kernels: Vec<String> = file
        .kernels()
        .iter()
        .map(|kernel| kernel.name.clone())
        .collect();
    let mut text = file.render(false);
    let _ = match errors {
        0 => writeln!(text, "{}: no error", kernels.join(", ")),
        n => writeln!(
            text,
            "{n} error{}; `explain` tells more of a code",
            if n == 1 { "" } else { "s" }
        ),
    };
    Ok((
        text,
        Checked {
            ok: errors == 0,
            errors,
            warnings,
            kernels,
            findings: findings(&file)?,
        },
    ))
}

/// Runs the tool `fix`.
pub fn fix(asked: Fix) -> Result<(String, Fixed), Refused> {
    let jumar::load::Fixed {
        text,
        applied,
        left,
    } = fixed(FILE, &asked.text, chip(asked.chip.as_deref())?);
    let mut said = String::new();
    for one in &applied {
        let _ = writeln!(
            said,
            "line {}: fixed {}: {}",
            one.line, one.code, one.message
        );
    }
    if applied.is_empty() {
        said.push_str("nothing to apply\n");
    }
    let _ = write!(
        said,
        "\n```rust\n{}\n```\n\n{}",
        text.trim_end(),
        left.render(false)
    );
    let of = |one: jumar::load::Applied| Applied {
        code: one.code.to_string(),
        message: one.message,
        line: one.line,
    };
    let applied = applied.into_iter().map(of).collect();
    Ok((
        said,
        Fixed {
            ok: !left.has_errors(),
            text,
            applied,
            findings: findings(&left)?,
        },
    ))
}

/// Runs the tool `fmt`.
pub fn fmt(asked: Fmt) -> Result<(String, Kernels), Refused> {
    let names = match asked.names {
        Some(NamesOf::Author) => canon::Names::Author,
        Some(NamesOf::Axes) => canon::Names::Axes,
        Some(NamesOf::Pools) | None => canon::Names::Pools,
    };
    let all = canonical(&asked.text, names).map_err(|e| match e {
        CanonError::Wrong(_) => rejected(&check_text(FILE, &asked.text, None)),
        CanonError::Empty => no_kernel(),
        CanonError::Unprintable { .. } => Refused::new(e, "name another kernel of the text"),
    })?;
    let is_asked = |name: &str| asked.kernel.as_deref().is_none_or(|asked| asked == name);
    let kernels: Vec<Kernel> = all
        .into_iter()
        .filter(|(name, _)| is_asked(name))
        .map(|(name, text)| Kernel { name, text })
        .collect();
    if let (true, Some(name)) = (kernels.is_empty(), &asked.kernel) {
        return Err(Refused::new(
            format!("there is no kernel `{name}` in it"),
            "`check` lists the kernels of a text",
        ));
    }
    let texts: Vec<&str> = kernels.iter().map(|kernel| kernel.text.as_str()).collect();
    Ok((texts.join("\n"), Kernels { kernels }))
}

/// Runs the tool `emit`.
pub fn emit(asked: Emit) -> Result<(String, Files), Refused> {
    let file = clean(&asked.text, asked.chip.as_deref())?;
    let kernel = one(&file, asked.kernel.as_deref())?;
    let kind = match asked.project {
        None | Some(Project::Direct) => ProjectKind::Direct,
        Some(Project::Asc) => ProjectKind::Asc,
        Some(Project::Msopgen) => ProjectKind::Msopgen,
        Some(Project::Torch) => ProjectKind::Torch,
        Some(Project::Queue) => {
            let text: String = kernel.instances().iter().map(to_text).collect();
            let path = format!("{}.ir", kernel.kernel().sig.name);
            return Ok((
                text.clone(),
                Files {
                    files: vec![File { path, text }],
                },
            ));
        }
    };
    let project = codegen::emit(
        kernel,
        &EmitOptions {
            kind,
            ..EmitOptions::default()
        },
    );
    let files: Vec<File> = project
        .files
        .into_iter()
        .map(|f| File {
            path: f.path,
            text: f.text,
        })
        .collect();
    let said = files
        .iter()
        .map(|file| format!("// ---- {}\n{}\n", file.path, file.text.trim_end()));
    Ok((said.collect(), Files { files }))
}

// ---- what tools of kernels share ----

/// Returns the chip of that name, or `None` without a name.
pub(super) fn chip(name: Option<&str>) -> Result<Option<&'static Chip>, Refused> {
    let named = |name: &str| {
        Chip::by_name(name).ok_or_else(|| {
            let all: Vec<&str> = Chip::all().iter().map(|chip| chip.name).collect();
            Refused::new(
                format!("there is no chip `{name}`"),
                format!("choose one of {}", all.join(", ")),
            )
        })
    };
    name.map(named).transpose()
}

/// Checks a text that must have kernels and no error.
pub(super) fn clean(text: &str, of: Option<&str>) -> Result<KernelFile, Refused> {
    let file = check_text(FILE, text, chip(of)?);
    if file.has_errors() {
        return Err(rejected(&file));
    }
    if file.kernels().is_empty() {
        return Err(no_kernel());
    }
    Ok(file)
}

/// Returns the kernel of that name, or the only one, for the first of its chips.
pub(super) fn one<'f>(
    file: &'f KernelFile,
    name: Option<&str>,
) -> Result<&'f CheckedKernel, Refused> {
    let names = || {
        file.kernels()
            .iter()
            .map(|kernel| format!("`{}`", kernel.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let chosen: Vec<_> = file
        .kernels()
        .iter()
        .filter(|kernel| name.is_none_or(|name| kernel.name == name))
        .collect();
    match (chosen.as_slice(), name) {
        ([kernel], _) => kernel.checked.first().ok_or_else(no_kernel),
        ([], Some(name)) => Err(Refused::new(
            format!("there is no kernel `{name}`"),
            format!("the text has {}", names()),
        )),
        (..) => Err(Refused::new(
            "the text has several kernels",
            format!("choose one with `kernel`: {}", names()),
        )),
    }
}

/// Refuses a text because of its findings, which are written for people and as lines of JSON.
pub(super) fn rejected(file: &KernelFile) -> Refused {
    Refused(vec![
        file.render(false).trim_end().to_string(),
        file.json().trim_end().to_string(),
    ])
}

fn no_kernel() -> Refused {
    Refused::new(
        "the text has no kernel",
        "put `#[kernel]` above a function of it; `card` shows one",
    )
}

fn findings(file: &KernelFile) -> Result<Vec<Finding>, Refused> {
    finding::findings(file)
        .map_err(|e| Refused::new(format!("a finding is no JSON: {e}"), "please report it"))
}
