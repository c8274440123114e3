//! `jumar build`: a kernel as a device object or as a library, by the device compiler of CANN.

use super::{emit, say, source, Failure, Outcome, Which};
use jumar::npu::acl::find::Installation;
use jumar::npu::{object, DeviceCompiler};
use std::fmt::Write;
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  jumar build swish.rs --chip ascend910b2                   compiled, and kept in the cache
  jumar build swish.rs --chip ascend910b2 --out swish.o     the same, copied to a file

The object is what aclrtBinaryLoadFromFile takes; a function of it is a dtype instance in one variant, with the tensors as
parameters, then the workspace where one has it, then the tiling data by value. A kernel with barriers becomes
a library for this machine instead, with a function that starts each (CANN 9.1 and later). `jumar run --backend npu` builds by itself.
It needs CANN's toolkit; `jumar doctor` says what is missing.";

#[derive(clap::Args)]
pub struct Call {
    #[command(flatten)]
    which: Which,
    /// File to copy the object or library to
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn main(call: &Call) -> Outcome {
    let file = source::load(&call.which)?;
    let kernels = source::clean(&file)?;
    let kernel = emit::one(&kernels, "an object is of one kernel")?;
    let refused = |e: &jumar::RunError| {
        Failure::refused(e, "`jumar doctor` says what there is to build with")
    };
    let source = object(kernel)
        .map_err(|e| Failure::refused(&e, "see the other kinds of projects: jumar emit --help"))?;
    let compiler = DeviceCompiler::find(&Installation::find()).map_err(|e| refused(&e))?;
    let compiled = compiler
        .compile(&source, kernel.chip())
        .map_err(|e| refused(&e))?;
    let place = match &call.out {
        Some(out) => {
            let wrong = |e| {
                Failure::call(
                    format!("`{}` cannot be written: {e}", out.display()),
                    "choose another place with --out",
                )
            };
            std::fs::copy(&compiled.object, out).map_err(wrong)?;
            out
        }
        None => &compiled.object,
    };
    let how = if compiled.was_cached {
        "found in the cache"
    } else {
        "compiled"
    };
    let mut text = format!("{} for {}: {how}\n", place.display(), kernel.chip().name);
    for (key, name) in &source.functions {
        let _ = writeln!(text, "  {name}, tiling key {key}");
    }
    say(&text)
}
