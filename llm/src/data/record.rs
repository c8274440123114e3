//! A line of the export.

use crate::eval::drive::part_of;
use crate::eval::prompt::Message;
use crate::eval::stages::{Cost, Failure};
use crate::finding::Finding;
use crate::shape::{described, words, Described};
use crate::summary::Summary;
use serde_json::{json, Value};

/// The version of a record, raised when a field changes its meaning.
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
    /// The origin of a kernel.
    enum Source {
        /// The answer of a task of a benchmark.
        Task = "task",
        /// A random kernel.
        Random = "random",
        /// The page of an error code.
        Page = "page",
        /// A file that fixes make clean.
        File = "file",
    }
    /// The claim that holds of a kernel.
    enum Claim {
        /// All readers agree with the reference of its task, in every case.
        Right = "right",
        /// Simulator and interpreter agree on a small case; there is no reference.
        Agreed = "agreed",
        /// The checker refuses nothing.
        Clean = "clean",
    }
    /// The split that a record is in.
    enum Split {
        /// Eight records in ten.
        Train = "train",
        /// One record in ten.
        Valid = "valid",
        /// One record in ten.
        Test = "test",
    }
}

described! {
    /// How a record was made.
    struct Made {
        /// Version of jumar.
        jumar: String,
        /// The seed of all random choices.
        seed: u64,
        /// Wrong attempts that were wanted of each kernel.
        mutations: u32,
        /// The chip that kernels were checked for.
        chip: String,
        /// The cases that kernels were judged in: `all` or `small`.
        cases: String,
        /// Further cases, of sizes that no header names.
        shapes: u32,
        /// Random texts under the mask of each task.
        walks: u32,
    }
    /// A file of the emitted project.
    struct Emitted {
        /// Its path in the project.
        path: String,
        /// The text of the file.
        text: String,
    }
    /// The predicted cycles of a kernel.
    struct Predicted {
        /// Cycles of the largest case.
        cycles: f64,
        /// Cycles to move each input and output once.
        bound: f64,
        /// True if ranges were assumed to have their maximal length.
        at_most: bool,
    }
    /// A tensor of a traced run.
    struct Tensor {
        /// Its name; an item of a list has its position, too.
        name: String,
        /// The values it held.
        summary: Summary,
    }
    /// A tile of a traced run, at the first run of its line.
    struct Tile {
        /// Its name in the canonical text.
        name: String,
        /// Its line in the canonical text.
        line: u32,
        /// Names of its axes.
        axes: Vec<String>,
        /// The values it held; elements are hashed as 32-bit floats, as 64-bit integers or, of
        /// masks, as bytes.
        summary: Summary,
        /// How often the line ran.
        times: u64,
    }
    /// The values of the tiles of the canonical text in a small run of the interpreter, with each
    /// loop over tiles as one iteration.
    struct Trace {
        /// Sizes, attributes and element types of the run.
        case: String,
        /// Tensors before the run.
        inputs: Vec<Tensor>,
        /// Tiles in the order in which they were made.
        tiles: Vec<Tile>,
        /// Tensors that were written, after the run.
        outputs: Vec<Tensor>,
    }
    /// A wrong attempt after the fixes that a program may apply.
    struct Fixed {
        /// The text after the fixes.
        text: String,
        /// Codes of the findings that were removed.
        applied: Vec<String>,
        /// True if the checker has no errors any more.
        clean: bool,
        /// True if the claim of the record holds of the fixed kernel.
        right: bool,
    }
    /// A wrong attempt at the kernel.
    struct Attempt {
        /// The change that was made to the correct kernel.
        how: String,
        /// The text of the attempt.
        text: String,
        /// The stage that it does not pass.
        stage: String,
        /// The class of its mistake.
        class: String,
        /// Codes of its errors.
        codes: Vec<String>,
        /// The run that shows the mistake, if it runs.
        case: Option<String>,
        /// The explanation that a model would get.
        why: String,
        /// All findings of the checker.
        findings: Vec<Finding>,
        /// The attempt after its fixes, if there are any.
        fixed: Option<Fixed>,
    }
    /// A kernel with everything known about it.
    struct Record {
        /// Version of this form.
        version: u32,
        /// Its name: `BENCH/TASK`, `random/SEED/NUMBER`, `page/CODE`, `file/NAME`.
        name: String,
        /// The origin of the kernel.
        source: Source,
        /// The split that it is in, by its family: similar kernels are in one split.
        split: Split,
        /// The family that decides the split.
        family: String,
        /// The task's category.
        category: Option<String>,
        /// The task's level, if the benchmark has levels.
        level: Option<u32>,
        /// The messages to a model.
        prompt: Vec<Message>,
        /// The expected kernel, as text.
        kernel: String,
        /// The claim that holds of it.
        claim: Claim,
        /// The kernel in canonical form with the author's names; none at queue level.
        canonical: Option<String>,
        /// The emitted AscendC files.
        ascendc: Vec<Emitted>,
        /// The values that it computes, step by step.
        trace: Option<Trace>,
        /// The cycles that it is predicted to take.
        cost: Option<Predicted>,
        /// Wrong attempts at the kernel.
        attempts: Vec<Attempt>,
        /// How the record was made.
        made: Made,
    }
}

/// Returns the JSON schema of a line.
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
    /// Returns the split of a family.
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
    /// Makes the record of a failed attempt.
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
