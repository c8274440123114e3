//! Launches on a device: the emitted AscendC, compiled by CANN's device compiler and started by its
//! runtime.
//!
//! ```no_run
//! use jumar::prelude::*;
//! # #[kernel]
//! # pub fn copy(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
//! #     for t in tiles(x) {
//! #         y.at(t).store(x.at(t).load());
//! #     }
//! # }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let npu = jumar::npu::Npu::open(0)?;
//! let x = ndarray::Array1::<f32>::ones(1000);
//! let mut y = ndarray::Array1::<f32>::zeros(1000);
//! let report = copy.bind_on(npu.chip())?.backend(&npu).input("x", &x).output("y", &mut y).run()?;
//! println!("{:?}", report.device_time);
//! # Ok(())
//! # }
//! ```
//!
//! The first launch of a kernel compiles it or finds it in the cache. Loaded kernels stay with the
//! [`Npu`]. Arrays are copied to the device before the kernel and back after it. A launch that
//! begins by `start` goes on while the program does something else, each on its own stream.
//!
//! We never had an NPU. Our tests run the whole path up to CANN's functions. A library of ours
//! stands in for CANN, and a program of ours for its device compiler.

mod compile;
pub mod doctor;
mod launch;

pub use compile::{Compiled, DeviceCompiler};
pub use jumar_acl as acl;

use compile::no_cann;
use jumar_acl::find::Installation;
use jumar_acl::{Acl, Binary, Cores, Device, Function, Metrics, Profile, Stream};
use jumar_codegen::{emit_object, names, EmitOptions, Form, Names, Object};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::diag::Code;
use jumar_dsl::soc::{Arch, Chip};
use jumar_runtime::{Overflow, RunError};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A device that runs launches.
pub struct Npu {
    device: Device,
    chip: &'static Chip,
    compiler: Result<DeviceCompiler, RunError>,
    /// Kernels that were launched, by [`CheckedKernel::id`].
    loaded: Mutex<HashMap<u64, Arc<Loaded>>>,
    /// Streams on which nothing runs; a launch owns one until it ends.
    streams: Mutex<Vec<Stream>>,
    /// The overflow mode that the device was last set to.
    overflow: Mutex<Option<Overflow>>,
}

/// A kernel on the device.
struct Loaded {
    names: Names,
    source: Object,
    functions: Vec<(i64, Function)>,
}

impl Npu {
    /// Opens a device of the installation that the environment names.
    ///
    /// # Errors
    /// J0816 without CANN or for a chip that jumar does not know; J0818 for a device that does not
    /// exist.
    pub fn open(number: u32) -> Result<Self, RunError> {
        Self::open_with(Installation::find(), number)
    }

    /// Opens a device of an installation that was found before.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(installation: Installation, number: u32) -> Result<Self, RunError> {
        let compiler = DeviceCompiler::find(&installation);
        let acl = Acl::load_from(installation).map_err(of_acl)?;
        let device = acl.device(number).map_err(of_acl)?;
        let soc = device.soc_name().map_err(of_acl)?;
        let chip = chip_of(&soc).ok_or_else(|| {
            let known: Vec<_> = Chip::all().iter().map(|chip| chip.soc_version).collect();
            no_cann(format!(
                "device {number} is `{soc}`, which jumar has no facts of; it knows {}",
                known.join(", ")
            ))
        })?;
        let stream = Stream::new(device.context()).map_err(of_acl)?;
        let (loaded, overflow) = (Mutex::default(), Mutex::default());
        Ok(Npu {
            device,
            chip,
            compiler,
            loaded,
            streams: Mutex::new(vec![stream]),
            overflow,
        })
    }

    /// Replaces the installation's compiler, or the folder of its results.
    #[must_use]
    pub fn with_compiler(self, compiler: DeviceCompiler) -> Self {
        Npu {
            compiler: Ok(compiler),
            ..self
        }
    }

    /// Returns the device's chip, for which its kernels must be checked.
    pub fn chip(&self) -> &'static Chip {
        self.chip
    }

    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Profiles what runs on the device until the result is dropped. CANN's files go below
    /// `folder`, which is made if needed; `msprof --export=on --output=FOLDER` reads them.
    ///
    /// # Errors
    /// J0605 where the folder cannot be made, J0816 without CANN's profiler, J0818 where, for
    /// example, a profile runs already.
    pub fn profile(&self, folder: &Path, metrics: Metrics) -> Result<Profile, RunError> {
        let trouble = |e| RunError::Refused {
            code: Code::J0605,
            message: format!("{}: {e}", folder.display()),
        };
        fs::create_dir_all(folder).map_err(trouble)?;
        Profile::start(
            &self.device.context().acl(),
            &[&self.device],
            folder,
            metrics,
        )
        .map_err(of_acl)
    }

    /// Compiles and loads a kernel, if it is not loaded yet, so that its first launch takes no
    /// longer than others.
    ///
    /// # Errors
    /// J0817 where the device compiler refuses the text, J0816 without one, J0818 where the object
    /// cannot be loaded.
    pub fn prepare(&self, kernel: &CheckedKernel) -> Result<(), RunError> {
        self.load(kernel).map(|_| ())
    }

    fn load(&self, kernel: &CheckedKernel) -> Result<Arc<Loaded>, RunError> {
        if let Some(loaded) = lock(&self.loaded).get(&kernel.id()) {
            return Ok(loaded.clone());
        }
        self.takes(kernel)?;
        let source = object(kernel)?;
        let compiled = self
            .compiler
            .as_ref()
            .map_err(Clone::clone)?
            .compile(&source, self.chip)?;
        let binary = self.binary(&source, &compiled.object)?;
        let functions = source
            .functions
            .iter()
            .map(|(key, name)| Ok((*key, binary.function(name).map_err(of_acl)?)));
        let functions = functions.collect::<Result<_, RunError>>()?;
        let loaded = Arc::new(Loaded {
            names: names(kernel),
            source,
            functions,
        });
        lock(&self.loaded).insert(kernel.id(), loaded.clone());
        Ok(loaded)
    }

    fn binary(&self, source: &Object, file: &Path) -> Result<Binary, RunError> {
        let context = self.device.context();
        match source.form {
            Form::Library => Binary::open(context, file, Cores::Mixed).map_err(of_acl),
            Form::Object => {
                let refused = |e| RunError::Refused {
                    code: Code::J0605,
                    message: format!("{}: {e}", file.display()),
                };
                let image = fs::read(file).map_err(refused)?;
                Binary::load(context, &image, cores_of(self.chip.arch)).map_err(of_acl)
            }
        }
    }

    /// Refuses a kernel that was checked for another chip: its tiles may not fit, and its calls may
    /// not exist.
    fn takes(&self, kernel: &CheckedKernel) -> Result<(), RunError> {
        let (own, other) = (self.chip, kernel.chip());
        if own.arch == other.arch && own.ub_bytes >= other.ub_bytes {
            return Ok(());
        }
        let message = format!(
            "kernel `{}` was checked for {}, and the device is {}: launch it on that chip",
            kernel.kernel().sig.name,
            other.name,
            own.name
        );
        Err(RunError::Refused {
            code: Code::J0605,
            message,
        })
    }
}

/// Returns the cores that an object without barriers is for. Where a chip's cores do everything, as
/// those of Atlas inference products, CANN's own loader names no kind (opbase,
/// `NnopbaseGetBinaryMagic`).
fn cores_of(arch: Arch) -> Cores {
    match arch {
        Arch::V220 => Cores::Vector,
        Arch::M200 => Cores::Mixed,
    }
}

/// Returns the text of a kernel's object.
///
/// # Errors
/// J0605 for a kernel that has none.
pub fn object(kernel: &CheckedKernel) -> Result<Object, RunError> {
    let options = EmitOptions {
        source_name: Some(format!("{}.rs", kernel.kernel().sig.name)),
        ..EmitOptions::default()
    };
    emit_object(kernel, &options).map_err(|message| RunError::Refused {
        code: Code::J0605,
        message,
    })
}

/// Returns the chip of a device by CANN's name. `Ascend910B2` may have letters behind it for a
/// board (`Ascend910B2C`, `Ascend910B4-1`); A3 is `Ascend910_93` with four digits.
fn chip_of(soc: &str) -> Option<&'static Chip> {
    let name = soc.to_ascii_lowercase();
    let by_board = || {
        Chip::all()
            .iter()
            .find(|chip| name.starts_with(&chip.soc_version.to_ascii_lowercase()))
    };
    let by_unit = || Chip::all().iter().find(|chip| name.starts_with(chip.name));
    Chip::by_name(&name).or_else(by_board).or_else(by_unit)
}

/// Converts an error of the binding to one of a run.
fn of_acl(e: jumar_acl::Error) -> RunError {
    match &e {
        jumar_acl::Error::NotFound { .. } | jumar_acl::Error::Missing { .. } => {
            no_cann(e.to_string())
        }
        jumar_acl::Error::Call(_) | jumar_acl::Error::Null { .. } => RunError::Refused {
            code: Code::J0818,
            message: e.to_string(),
        },
        jumar_acl::Error::Refused(_) | jumar_acl::Error::File { .. } => RunError::Refused {
            code: Code::J0605,
            message: e.to_string(),
        },
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Data behind a poisoned lock is consistent: each lock covers one step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Npu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Npu")
            .field("chip", &self.chip.name)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_are_known_by_the_names_that_cann_gives_them() {
        for (soc, chip) in [
            ("Ascend910B2", Some("ascend910b2")),
            ("Ascend910B4-1", Some("ascend910b4")),
            ("Ascend910B2C", Some("ascend910b2")),
            ("Ascend910_9391", Some("ascend910_93")),
            ("Ascend910_9362", Some("ascend910_93")),
            ("Ascend310P3", Some("ascend310p")),
            ("Ascend310P1", Some("ascend310p")),
            ("Ascend310B4", None),
            ("", None),
        ] {
            assert_eq!(chip_of(soc).map(|chip| chip.name), chip, "{soc}");
        }
    }
}
