//! `jumar profile`: the predicted time of an AscendC kernel, and what holds it up.

use super::{cpp, say, source, Failure, Outcome};
use jumar::dsl::cost::event::Trace;
use jumar::dsl::cost::replay::{ranges, replay};
use jumar::dsl::soc::Chip;
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "\
Runs an AscendC file as `jumar cpp` does, records its events, and replays them against the constants of a chip. Every time is
predicted: nothing here was measured. A record of `jumar cpp --record` is replayed without a run.

Examples:
  jumar profile add.cpp --arg x=@x.npy --out y:f32[65536]=@y.npy --block-dim 32
  jumar profile add.trace

Exit code 1 means that the kernel is wrong or cannot be predicted, 2 that the call is.";

/// Predicts the time of a run, or of one that was recorded.
pub fn main(call: &cpp::Call) -> Outcome {
    let is_record = |file: &&PathBuf| {
        let mut ends = file.extension().into_iter();
        ends.any(|end| end == "trace" || end == "txt")
    };
    let record = call.files.iter().find(is_record);
    cpp::refuse_for_profile(call, record.is_some())?;
    match (record, &call.files[..]) {
        (Some(file), [_]) => say(&report(&read(file)?)?),
        (Some(file), _) => Err(Failure::call(
            format!(
                "`{}` is a record, and there are other files",
                file.display()
            ),
            "give one record, or the source of a kernel",
        )),
        (None, _) => cpp::profile(call),
    }
}

/// Writes the events of a run; as text where the file ends in `.txt`.
pub fn store(file: &Path, trace: &Trace) -> Outcome {
    let is_text = file.extension().is_some_and(|end| end == "txt");
    let bytes = if is_text {
        trace.to_string().into_bytes()
    } else {
        trace.to_bytes()
    };
    std::fs::write(file, bytes).map_err(|e| {
        Failure::call(
            format!("`{}` cannot be written: {}", file.display(), e),
            "give a file that can be made",
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

/// Returns the report on the events of a launch.
pub fn report(trace: &Trace) -> Result<String, Failure> {
    let failed = |e: jumar::dsl::cost::replay::ReplayError| Failure::Kernel(format!("error: {e}"));
    let prediction = replay(trace).map_err(failed)?;
    let ranges = ranges(trace).map_err(failed)?;
    let clock = Chip::by_name(&trace.chip).map_or(1, |chip| chip.clock_mhz);
    let kernel = source::counted(prediction.events as usize, "event");
    let mut text = prediction.text(&trace.kernel, &trace.chip, clock, &ranges);
    text += &format!("\n{kernel} replayed\n");
    Ok(text)
}
