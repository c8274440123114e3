//! `jumar doctor`: what there is to build and launch kernels with.

use super::{say, Outcome};
use jumar::npu::acl::find::Installation;
use jumar::npu::doctor::{examine, Finding};
use serde_json::json;
use std::fmt::Write;

pub const EXAMPLES: &str = "\
Examples:
  jumar doctor           what is there, what is not, and what that costs
  jumar doctor --json    one line of JSON a thing

CANN is looked for where ASCEND_HOME_PATH says, else ASCEND_TOOLKIT_HOME, else in the usual places; its libraries in its folders,
else where LD_LIBRARY_PATH says. Nothing of it is needed to check, emit and simulate kernels, so that nothing that is missing is an
error: the exit code is 0.";

/// The arguments.
#[derive(clap::Args)]
pub struct Call {
    /// Print one JSON object a thing
    #[arg(long)]
    json: bool,
}

/// Does it.
pub fn main(call: &Call) -> Outcome {
    let found = examine(&Installation::find());
    say(&if call.json { lines(&found) } else { table(&found) })
}

fn lines(found: &[Finding]) -> String {
    let line = |f: &Finding| {
        let (is_there, said) = match &f.found {
            Ok(said) => (true, said),
            Err(said) => (false, said),
        };
        format!("{}\n", json!({"what": f.what, "found": is_there, "said": said, "costs": f.costs}))
    };
    found.iter().map(line).collect()
}

fn table(found: &[Finding]) -> String {
    let wide = found.iter().map(|f| f.what.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Finding { what, found, costs } in found {
        // A string cannot fail to be written to.
        let _ = match found {
            Ok(said) => writeln!(text, "{what:wide$}  {said}"),
            Err(said) => writeln!(text, "{what:wide$}  missing: {said}\n{:wide$}  without it: no {costs}", ""),
        };
    }
    text
}
