//! `jumar doctor`: the tools to build and launch kernels that are installed, and the requirements
//! of kernels.

use super::{say, source, Outcome, Which};
use jumar::npu::acl::find::Installation;
use jumar::npu::doctor::{examine, release_for, Finding};
use serde_json::json;
use std::fmt::Write;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  jumar doctor           what is there, what is not, and what that costs
  jumar doctor swish.rs  the same, and the least release of CANN that each kernel needs
  jumar doctor --json    one line of JSON a thing

CANN is looked for where ASCEND_HOME_PATH says, else ASCEND_TOOLKIT_HOME, else in the usual places; its libraries in its folders,
else where LD_LIBRARY_PATH says. Nothing of it is needed to check, emit and simulate kernels, so that nothing that is missing is an
error: the exit code is 0.";

#[derive(clap::Args)]
pub struct Call {
    /// Rust files with kernels: say which release of CANN they need
    files: Vec<PathBuf>,
    /// The chip to check them for; by default the one that they declare, or ascend910b1
    #[arg(long, value_name = "NAME", requires = "files")]
    chip: Option<String>,
    /// Print one JSON object for each finding
    #[arg(long)]
    json: bool,
}

pub fn main(call: &Call) -> Outcome {
    let installation = Installation::find();
    let mut found = examine(&installation);
    for file in &call.files {
        let file = source::load(&Which {
            file: file.clone(),
            kernel: None,
            chip: call.chip.clone(),
        })?;
        found.extend(
            source::clean(&file)?
                .iter()
                .map(|kernel| release_for(kernel, installation.version.as_deref())),
        );
    }
    say(&if call.json {
        lines(&found)
    } else {
        table(&found)
    })
}

fn lines(found: &[Finding]) -> String {
    let line = |f: &Finding| {
        let (is_there, said) = match &f.found {
            Ok(said) => (true, said),
            Err(said) => (false, said),
        };
        format!(
            "{}\n",
            json!({"what": f.what, "found": is_there, "said": said, "costs": f.costs})
        )
    };
    found.iter().map(line).collect()
}

fn table(found: &[Finding]) -> String {
    let wide = found.iter().map(|f| f.what.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Finding { what, found, costs } in found {
        // Writing to a string cannot fail.
        let _ = match found {
            Ok(said) => writeln!(text, "{what:wide$}  {said}"),
            Err(said) => writeln!(
                text,
                "{what:wide$}  missing: {said}\n{:wide$}  without it: no {costs}",
                ""
            ),
        };
    }
    text
}
