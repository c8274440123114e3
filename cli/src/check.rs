//! `jumar check`: the findings of the kernels of a file.

use super::{complain, say, source, Failure, Outcome, Which};
use std::fmt::Write;

pub const EXAMPLES: &str = "\
Examples:
  jumar check swish.rs                      every kernel, for the chips that it declares
  jumar check swish.rs --chip ascend310p    for another chip
  jumar check swish.rs --json               one JSON object a line on standard output, and nothing else
  jumar check --schema                      the JSON schema of such a line

With --json a line is a finding (severity error or warning), a kernel that is right for a chip (ok), or why the call failed;
all have the same fields: file, kernel and chips among them, null or empty where they do not apply; notes of a kernel that is right say
which axes are whole in UB, and up to which size a launch is taken. A finding has what might stand at its place (expected) and, where there is one, a fix: edits
with places in bytes, lines and columns, and how far they may be trusted (machine-applicable, maybe-incorrect, has-placeholders);
`jumar fix` applies the first kind. Without --json, findings go to standard error in rustc's form. Exit code 0: no error (warnings there may be), 1: the kernel is wrong,
2: the file cannot be read or the call is wrong.";

#[derive(clap::Args)]
pub struct Call {
    #[command(flatten)]
    which: Option<Which>,
    /// Print the result as JSON, one object a line, on standard output
    #[arg(long)]
    json: bool,
    /// Print the JSON schema of a line of --json, and do nothing else
    #[arg(long, exclusive = true)]
    schema: bool,
}

impl Call {
    /// Returns the file and the kernel for lines of JSON, if `--json` is set.
    pub fn json_about(&self) -> Option<(String, Option<String>)> {
        let which = self.which.as_ref().filter(|_| self.json)?;
        Some((which.file.display().to_string(), which.kernel.clone()))
    }
}

pub fn main(call: &Call) -> Outcome {
    if call.schema {
        return say(&jumar::dsl::diag::schema());
    }
    let Some(which) = &call.which else {
        return Err(Failure::call(
            "which file?",
            "give the path of a Rust file with a `#[kernel]` function",
        ));
    };
    let file = source::load(which)?;
    if call.json {
        say(&file.json())?;
        return if file.has_errors() {
            Err(Failure::Kernel(String::new()))
        } else {
            Ok(())
        };
    }
    if file.has_errors() {
        return Err(source::rejected(&file));
    }
    complain(&file.render(source::color()));
    let mut out = String::new();
    for kernel in file.kernels() {
        for checked in &kernel.checked {
            let instances = checked.kernel().sig.instances.len();
            let _ = writeln!(
                out,
                "{}: ok for {}, {}",
                kernel.name,
                checked.chip().name,
                source::counted(instances, "instance")
            );
            for refusal in checked.refusals() {
                let _ = writeln!(out, "    {refusal}");
            }
        }
    }
    say(&out)
}
