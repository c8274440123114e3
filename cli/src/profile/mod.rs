//! `jumar profile`: the predicted time of an AscendC kernel, and what holds it up.
//!
//! `chrome.rs` writes the timeline of the longest block for Perfetto. `lanes.rs` and `roofline.rs`
//! draw it, as text of `svg.rs`.

mod chrome;
mod lanes;
mod roofline;
mod svg;

use super::npy::said;
use super::outputs::{Files, Pending};
use super::{cost, cpp, say, source, Failure, Outcome};
use jumar::dsl::cost::event::Trace;
use jumar::dsl::cost::replay::{
    ranges, replay, timeline, Prediction, ReplayError, Report, Timeline,
};
use jumar::dsl::cost::validation;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Runs an AscendC file as `jumar cpp` does, records its events, and replays them against the constants of a chip. Every time is
predicted: nothing here was measured. A record of `jumar cpp --record` is replayed without a run, and so is a kernel in Rust, of
which the shapes are enough.

Examples:
  jumar profile add.cpp --arg x=@x.npy --out y:f32[65536]=@y.npy --block-dim 32
  jumar profile softmax.rs --shape x:f32=4096,1024
  jumar profile add.trace
  jumar profile --validate      published measurements, predicted
  jumar profile add.trace --trace add.json --svg add.svg     the timeline for Perfetto, and as a picture

Exit code 1 means that the kernel is wrong or cannot be predicted, 2 that the call is.";

#[derive(Clone, clap::Args)]
// The call of `jumar cpp` has the name of the group already.
#[group(skip)]
pub struct Call {
    /// Print published measurements beside their predictions, and nothing else
    #[arg(long, exclusive = true)]
    validate: bool,
    /// Sizes of a tensor of a kernel in Rust, if need be with its element type; outputs follow from
    /// the inputs
    #[arg(long = "shape", value_name = "NAME[:DTYPE]=SIZES")]
    shapes: Vec<String>,
    #[command(flatten)]
    run: cpp::Call,
    #[command(flatten)]
    views: Views,
}

/// The files that show the timeline of the longest block.
#[derive(Clone, clap::Args)]
pub struct Views {
    /// Write the timeline of the longest block as JSON that Perfetto opens
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
    /// Draw the timeline of the longest block, and a roofline
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

/// Predicts the time of a run, or of one that was recorded.
pub fn main(call: &Call) -> Outcome {
    if call.validate {
        let text = validation::report().map_err(|e| Failure::Kernel(format!("error: {e}")))?;
        return say(&text);
    }
    let is_record = |file: &&PathBuf| {
        let mut ends = file.extension().into_iter();
        ends.any(|end| end == "trace" || end == "txt")
    };
    let is_rust = |file: &PathBuf| file.extension().is_some_and(|end| end == "rs");
    if let [file] = &call.run.files[..] {
        if is_rust(file) {
            return of_rust(call, file);
        }
    }
    if !call.shapes.is_empty() {
        return Err(Failure::call(
            "--shape is of a kernel in Rust, which needs no run",
            "AscendC runs with tensors: --arg NAME=@FILE and --out NAME:DTYPE[SHAPE]=@FILE",
        ));
    }
    match (call.run.files.iter().find(is_record), &call.run.files[..]) {
        (Some(file), [_]) => {
            cpp::refuse_for_profile(&call.run, true)?;
            let mut files = Files::default();
            files.reads("the record", file);
            let places = call.views.open(files)?;
            say(&places.report(&read(file)?)?)
        }
        (Some(file), _) => Err(Failure::call(
            format!(
                "`{}` is a record, and there are other files",
                file.display()
            ),
            "give one record, or the source of a kernel",
        )),
        (None, _) => cpp::profile(&call.run, &call.views),
    }
}

/// Predicts a launch of a kernel in Rust from its shapes.
fn of_rust(call: &Call, path: &Path) -> Outcome {
    let (which, attributes, record) = cpp::of_rust(&call.run, path)?;
    let file = source::load(&which)?;
    let kernels = source::clean(&file)?;
    let [kernel] = kernels[..] else {
        let names: Vec<&str> = kernels
            .iter()
            .map(|kernel| kernel.kernel().sig.name.as_str())
            .collect();
        return Err(Failure::call(
            format!("`{}` has {}", path.display(), names.join(", ")),
            "choose one with --kernel",
        ));
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let trace = cost::traced(kernel, &call.shapes, attributes, &name)?;
    let places = call.views.open(Files::default())?;
    if let Some(record) = record {
        store(record, &trace)?;
    }
    say(&places.report(&trace)?)
}

/// Writes the events of a run; as text where the file ends in `.txt`.
pub fn store(file: &Path, trace: &Trace) -> Outcome {
    let pending = Files::default().writes("the record", file)?;
    let is_text = file.extension().is_some_and(|end| end == "txt");
    let bytes = if is_text {
        trace.to_string().into_bytes()
    } else {
        trace.to_bytes()
    };
    write(pending, |out| out.write_all(&bytes))
}

/// Writes a file that appears complete or not at all.
fn write(
    pending: Pending,
    fill: impl FnOnce(&mut BufWriter<fs::File>) -> io::Result<()>,
) -> Outcome {
    let shown = pending.shown().to_owned();
    let fill_it = || {
        let mut out = BufWriter::new(fs::File::create(pending.path())?);
        fill(&mut out)?;
        out.into_inner()?.sync_all()?;
        pending.finish()
    };
    fill_it().map_err(|e| {
        Failure::call(
            format!("`{}` cannot be written: {}", shown.display(), said(&e)),
            "give a file in a folder that exists and that you may write to",
        )
    })
}

fn read(file: &Path) -> Result<Trace, Failure> {
    let wrong =
        |why: String, help: &str| Failure::call(format!("`{}`: {why}", file.display()), help);
    let bytes = std::fs::read(file)
        .map_err(|e| wrong(e.to_string(), "give a record of `jumar cpp --record`"))?;
    if file.extension().is_some_and(|end| end == "txt") {
        let text = String::from_utf8_lossy(&bytes);
        return Trace::from_text(&text).map_err(|e| wrong(e.to_string(), "record the run again"));
    }
    Trace::from_bytes(&bytes).map_err(|e| wrong(e.to_string(), "record the run again"))
}

impl Views {
    /// Opens the files, so that a place that cannot be written is found before a run.
    pub fn open(&self, mut files: Files) -> Result<Places, Failure> {
        let mut open = |name: &str, file: &Option<PathBuf>| {
            let file = file.as_ref();
            file.map(|file| files.writes(name, file)).transpose()
        };
        Ok(Places {
            trace: open("--trace", &self.trace)?,
            svg: open("--svg", &self.svg)?,
        })
    }
}

/// Most events of a timeline.
const MOST_EVENTS: u64 = 4_000_000;

/// Files that are open for the views of a timeline.
pub struct Places {
    trace: Option<Pending>,
    svg: Option<Pending>,
}

/// The subject of all views.
struct Profile<'a> {
    trace: &'a Trace,
    prediction: &'a Prediction,
    timeline: &'a Timeline<'a>,
}

impl Places {
    /// Returns the report on the events of a launch, and writes the views of it.
    pub fn report(self, trace: &Trace) -> Result<String, Failure> {
        let failed = |e: ReplayError| Failure::Kernel(format!("error: {e}"));
        let prediction = replay(trace).map_err(failed)?;
        let ranges = ranges(trace).map_err(failed)?;
        if prediction.events > MOST_EVENTS {
            let text = format!(
                "{} events are too many for a timeline, which has at most {MOST_EVENTS}",
                prediction.events
            );
            return Err(Failure::call(
                text,
                "`jumar emit K.rs --cost` predicts the time alone; or take a smaller shape",
            ));
        }
        let trace = &trace.clone().expanded();
        let profile = Profile {
            trace,
            prediction: &prediction,
            timeline: &timeline(trace).map_err(failed)?,
        };
        let report = Report {
            trace,
            prediction: profile.prediction,
            timeline: profile.timeline,
            ranges: &ranges,
        };
        let replayed = source::counted(profile.prediction.events as usize, "event");
        let mut text = format!("{report}\n{replayed} replayed\n");
        if let Some(file) = self.trace {
            text += &format!("timeline: in {}, for Perfetto\n", file.shown().display());
            write(file, |out| chrome::write(out, &profile))?;
        }
        if let Some(file) = self.svg {
            text += &format!("timeline and roofline: in {}\n", file.shown().display());
            write(file, |out| out.write_all(draw(&profile).as_bytes()))?;
        }
        Ok(text)
    }
}

/// Draws the timeline of the longest block, and the roofline of the launch below.
fn draw(profile: &Profile<'_>) -> String {
    let mut picture = svg::Svg::new(1200.0);
    let bottom = lanes::draw(&mut picture, profile);
    let bottom = roofline::draw(&mut picture, profile, bottom);
    picture.finish(bottom)
}
