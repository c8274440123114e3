//! One launch: copies tensors to the device, runs the kernel on its own stream, and copies the
//! results back.

use super::{lock, of_acl, Loaded, Npu};
use jumar_acl::{Args, Device, DeviceBuffer, Error, Event, LaunchConfig, Queue, Running, Stream};
use jumar_dsl::diag::Code;
use jumar_dsl::ir::Role;
use jumar_dsl::soc::Chip;
use jumar_runtime::{Backend, Job, JobBytes, Overflow, Ran, RunError, Underway};
use std::sync::{Arc, MutexGuard};

impl Backend for Npu {
    fn run(&self, job: Job<'_>) -> Result<Ran, RunError> {
        let begun = self.begin(&job)?;
        let written = job
            .tensors
            .into_iter()
            .filter_map(|(_, bytes)| match bytes {
                JobBytes::Write(bytes) => Some(bytes),
                JobBytes::Read(_) => None,
            });
        Box::new(begun).wait(written.collect())
    }

    fn start<'a>(&'a self, job: &Job<'_>) -> Result<Option<Box<dyn Underway + 'a>>, RunError> {
        Ok(Some(Box::new(self.begin(job)?)))
    }

    fn chip(&self) -> Option<&'static Chip> {
        Some(self.chip)
    }
}

/// A running launch.
struct Begun<'a> {
    npu: &'a Npu,
    running: Running<'static, Work>,
}

/// Objects of a launch on the device.
struct Work {
    /// One entry for each parameter; `None` for one that is left out.
    tensors: Vec<Option<There>>,
    workspace: Option<DeviceBuffer<u8>>,
    tiling: Vec<u8>,
    loaded: Arc<Loaded>,
    /// The index among the loaded functions.
    function: usize,
    blocks: u32,
    config: LaunchConfig,
    start: Event,
    end: Event,
}

/// A tensor on the device.
struct There {
    bytes: DeviceBuffer<u8>,
    is_written: bool,
}

impl Npu {
    fn begin(&self, job: &Job<'_>) -> Result<Begun<'_>, RunError> {
        let loaded = self.load(job.kernel)?;
        let stray = |message: String| RunError::Refused {
            code: Code::J0606,
            message,
        };
        let function = loaded
            .functions
            .iter()
            .position(|(key, _)| *key == job.tiling.key);
        let function = function.ok_or_else(|| {
            stray(format!(
                "no kernel function has the tiling key {}",
                job.tiling.key
            ))
        })?;
        let tiling = loaded.names.pack(job.tiling).map_err(stray)?;
        let wrong = |_| RunError::Refused {
            code: Code::J0503,
            message: format!("the block dim is {}", job.tiling.block_dim),
        };
        let blocks = u32::try_from(job.tiling.block_dim).map_err(wrong)?;
        let config = match loaded.source.meets {
            true => LaunchConfig {
                all_at_once: true,
                cores: self.cores()?,
            },
            false => LaunchConfig::default(),
        };
        let context = self.device.context();
        let bytes = job.tiling.workspace.max(0) as usize;
        let workspace = loaded
            .source
            .takes_workspace
            .then(|| DeviceBuffer::uninit(context, bytes))
            .transpose()
            .map_err(of_acl)?;
        let (start, end) = (
            Event::new(context).map_err(of_acl)?,
            Event::new(context).map_err(of_acl)?,
        );
        let tensors = upload(&self.device, job)?;
        let work = Work {
            tensors,
            workspace,
            tiling,
            loaded,
            function,
            blocks,
            config,
            start,
            end,
        };
        let idle = lock(&self.streams).pop();
        let stream = idle
            .map_or_else(|| Stream::new(context), Ok)
            .map_err(of_acl)?;
        // The lock keeps others from changing the mode before the kernel is queued.
        let _told = self.tell_overflow(job.overflow)?;
        let running = stream
            .start_owned(work, |queue, work| work.queue(queue))
            .map_err(of_acl)?;
        Ok(Begun { npu: self, running })
    }

    /// Sets the device's overflow mode, if it changes. Work that runs until then keeps the old
    /// mode.
    fn tell_overflow(
        &self,
        overflow: Overflow,
    ) -> Result<MutexGuard<'_, Option<Overflow>>, RunError> {
        let mut told = lock(&self.overflow);
        if *told != Some(overflow) {
            self.device.context().synchronize().map_err(of_acl)?;
            self.device
                .set_saturation(overflow == Overflow::Saturate)
                .map_err(of_acl)?;
            *told = Some(overflow);
        }
        Ok(told)
    }

    /// Returns the vector cores of the device.
    fn cores(&self) -> Result<u32, RunError> {
        let cores = self.device.vector_cores().map_err(of_acl)?;
        let message = || format!("the runtime tells of {cores} vector cores");
        u32::try_from(cores).map_err(|_| RunError::Refused {
            code: Code::J0818,
            message: message(),
        })
    }
}

impl Work {
    fn queue<'g>(&'g self, queue: &Queue<'g>) -> Result<(), Error> {
        let args = self
            .tensors
            .iter()
            .fold(Args::new(), |args, tensor| match tensor {
                Some(tensor) if tensor.is_written => args.output(&tensor.bytes),
                Some(tensor) => args.buffer(&tensor.bytes),
                None => args.null(),
            });
        let args = self
            .workspace
            .iter()
            .fold(args, |args, workspace| args.output(workspace));
        let args = args.structure(&self.tiling, 8)?;
        queue.record(&self.start)?;
        queue.launch(
            &self.loaded.functions[self.function].1,
            self.blocks,
            &args,
            self.config,
        )?;
        queue.record(&self.end)
    }
}

impl Underway for Begun<'_> {
    fn is_done(&self) -> Result<bool, RunError> {
        self.running.is_done().map_err(of_acl)
    }

    fn wait(self: Box<Self>, written: Vec<&mut [u8]>) -> Result<Ran, RunError> {
        let (stream, work) = self.running.finish();
        let work = work.map_err(of_acl)?;
        // A stream on which work failed is not used again.
        lock(&self.npu.streams).extend(stream);
        let device_time = Some(work.end.since(&work.start).map_err(of_acl)?);
        let there = work
            .tensors
            .iter()
            .flatten()
            .filter(|tensor| tensor.is_written);
        for (bytes, tensor) in written.into_iter().zip(there) {
            tensor.bytes.read(bytes).map_err(of_acl)?;
        }
        Ok(Ran {
            device_time,
            ..Ran::default()
        })
    }
}

/// Copies the tensors of a job to the device.
fn upload(device: &Device, job: &Job<'_>) -> Result<Vec<Option<There>>, RunError> {
    let sig = &job.kernel.kernel().sig;
    let mut given = job.tensors.iter().peekable();
    let mut there = Vec::new();
    for (_, param, role, _) in sig.tensors() {
        let Some((_, given)) = given.next_if(|(name, _)| *name == param.name) else {
            there.push(None);
            continue;
        };
        let bytes = match role {
            Role::In | Role::InOut => DeviceBuffer::from_slice(device.context(), given.bytes()),
            Role::Out => DeviceBuffer::uninit(device.context(), given.bytes().len()),
        };
        let is_written = matches!(given, JobBytes::Write(_));
        there.push(Some(There {
            bytes: bytes.map_err(of_acl)?,
            is_written,
        }));
    }
    Ok(there)
}
