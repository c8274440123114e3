//! A line of the export.

use crate::eval::drive::part_of;
use crate::eval::prompt::Message;
use crate::eval::stages::{Cost, Failure};
use crate::finding::Finding;
use crate::shape::{described, words, Described};
use crate::summary::Summary;
use serde_json::{json, Value};

/// Changes where a field comes to mean something else.
pub const VERSION: u32 = 1;

impl Described for Message {
    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {"role": {"enum": ["system", "user", "assistant"]}, "content": {"type": "string"}},
            "required": ["role", "content"],
            "additionalProperties": false,
        })
    }
}

words! {
    /// Where a kernel comes from.
    enum Source {
        /// The answer of a task of a benchmark.
        Task = "task",
        /// It is random.
        Random = "random",
        /// The page of an error code.
        Page = "page",
        /// A file that fixes make clean.
        File = "file",
    }
    /// What holds of a kernel.
    enum Claim {
        /// All readers agree with the reference of its task, in every case.
        Right = "right",
        /// Simulator and interpreter agree on a small case; there is no reference.
        Agreed = "agreed",
        /// The checker refuses nothing.
        Clean = "clean",
    }
    /// Which part a record is in.
    enum Split {
        /// Eight in ten.
        Train = "train",
        /// One in ten.
        Valid = "valid",
        /// One in ten.
        Test = "test",
    }
}

described! {
    /// How a record was made.
    struct Made {
        /// Version of jumar.
        jumar: String,
        /// Of all that is random.
        seed: u64,
        /// Wrong tries that were wanted of each kernel.
        mutations: u32,
        /// The chip.
        chip: String,
        /// `all` or `small`: the cases that kernels were judged in.
        cases: String,
        /// Cases more, of sizes that no header names.
        shapes: u32,
        /// Random texts under the mask of each task.
        walks: u32,
    }
    /// A text of the emitted project.
    struct Emitted {
        /// Its path there.
        path: String,
        /// The text.
        text: String,
    }
    /// Predicted cycles.
    struct Predicted {
        /// Cycles of the largest case.
        cycles: f64,
        /// Cycles to move each input and output once.
        bound: f64,
        /// True where ranges were taken to be as long as they may be.
        at_most: bool,
    }
    /// A tensor of a traced run.
    struct Tensor {
        /// Its name, of one of a list with its place.
        name: String,
        /// What it held.
        summary: Summary,
    }
    /// A tile of a traced run, the first time that its line ran.
    struct Tile {
        /// Its name in the canonical text.
        name: String,
        /// Its line there.
        line: u32,
        /// Names of its axes.
        axes: Vec<String>,
        /// What it held; elements are hashed as 32-bit floats, as 64-bit integers or, of masks, as bytes.
        summary: Summary,
        /// How often the line ran.
        times: u64,
    }
    /// What the tiles of the canonical text held in a small run of the interpreter, with each loop over tiles whole.
    struct Trace {
        /// Sizes, attributes and element types of the run.
        case: String,
        /// Tensors before the run.
        inputs: Vec<Tensor>,
        /// Tiles in the order in which they came to be.
        tiles: Vec<Tile>,
        /// Tensors that were written, after it.
        outputs: Vec<Tensor>,
    }
    /// A wrong try after the fixes that a program may apply.
    struct Fixed {
        /// The text.
        text: String,
        /// Codes of the findings that were removed.
        applied: Vec<String>,
        /// True where the checker refuses nothing any more.
        clean: bool,
        /// True where the kernel is as right as that of the record.
        right: bool,
    }
    /// A wrong try.
    struct Attempt {
        /// What was done to the right kernel.
        how: String,
        /// The text.
        text: String,
        /// The stage that it does not pass.
        stage: String,
        /// The class of its mistake.
        class: String,
        /// Codes of its errors.
        codes: Vec<String>,
        /// The run that shows it, of one that runs.
        case: Option<String>,
        /// What a model would be told.
        why: String,
        /// All findings of the checker.
        findings: Vec<Finding>,
        /// After its fixes, where there is any.
        fixed: Option<Fixed>,
    }
    /// A kernel and all that is known of it.
    struct Record {
        /// Version of this form.
        version: u32,
        /// Its name: `BENCH/TASK`, `random/SEED/NUMBER`, `page/CODE`, `file/NAME`.
        name: String,
        /// Where it comes from.
        source: Source,
        /// The part that it is in, by its family: those that are alike are in one.
        split: Split,
        /// What the parts are made by.
        family: String,
        /// The task's category.
        category: Option<String>,
        /// The task's level, of a benchmark that has some.
        level: Option<u32>,
        /// What a model is asked.
        prompt: Vec<Message>,
        /// The kernel that is due.
        kernel: String,
        /// What holds of it.
        claim: Claim,
        /// The same in canonical form with the author's names; none at queue level.
        canonical: Option<String>,
        /// Its AscendC.
        ascendc: Vec<Emitted>,
        /// What it computes, step by step.
        trace: Option<Trace>,
        /// What it is predicted to take.
        cost: Option<Predicted>,
        /// Wrong tries.
        attempts: Vec<Attempt>,
        /// How all of this was made.
        made: Made,
    }
}

/// The schema of a line.
pub fn schema() -> Value {
    let mut schema = Record::schema();
    if let Some(own) = schema.as_object_mut() {
        own.insert(
            "$schema".into(),
            "https://json-schema.org/draft/2020-12/schema".into(),
        );
        own.insert("title".into(), "a line of `jumar data export`".into());
    }
    schema
}

impl Split {
    /// The part of a family.
    pub fn of(family: &str) -> Split {
        match part_of(family) {
            0..80 => Split::Train,
            80..90 => Split::Valid,
            90.. => Split::Test,
        }
    }
}

impl From<Cost> for Predicted {
    fn from(cost: Cost) -> Predicted {
        let Cost {
            cycles,
            bound,
            at_most,
        } = cost;
        Predicted {
            cycles,
            bound,
            at_most,
        }
    }
}

impl Attempt {
    /// A try that failed so.
    pub fn new(
        how: &str,
        text: &str,
        failure: Failure,
        findings: Vec<Finding>,
        fixed: Option<Fixed>,
    ) -> Attempt {
        let Failure {
            stage,
            class,
            codes,
            case,
            why,
        } = failure;
        let (how, text, stage, class) = (
            how.to_string(),
            text.to_string(),
            stage.name().to_string(),
            class.name().to_string(),
        );
        Attempt {
            how,
            text,
            stage,
            class,
            codes,
            case,
            why,
            findings,
            fixed,
        }
    }
}
