//! Profiling from inside of a program, into the folders that `msprof` reads.

use crate::sys::types::*;
use crate::{Acl, Device, Error};
use std::ffi::CString;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null;

/// What is counted on the cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metrics {
    /// Shares of the pipes.
    #[default]
    Pipes,
    /// Arithmetic.
    Arithmetic,
    /// Bandwidth of the memories.
    Memory,
    /// UB.
    Ub,
    /// Conflicts of resources.
    Conflicts,
    /// L2.
    L2,
    /// None: times of tasks alone.
    None,
}

impl Metrics {
    const fn raw(self) -> aclprofAicoreMetrics {
        match self {
            Metrics::Pipes => aclprofAicoreMetrics::ACL_AICORE_PIPE_UTILIZATION,
            Metrics::Arithmetic => aclprofAicoreMetrics::ACL_AICORE_ARITHMETIC_UTILIZATION,
            Metrics::Memory => aclprofAicoreMetrics::ACL_AICORE_MEMORY_BANDWIDTH,
            Metrics::Ub => aclprofAicoreMetrics::ACL_AICORE_MEMORY_UB,
            Metrics::Conflicts => aclprofAicoreMetrics::ACL_AICORE_RESOURCE_CONFLICT_RATIO,
            Metrics::L2 => aclprofAicoreMetrics::ACL_AICORE_L2_CACHE,
            Metrics::None => aclprofAicoreMetrics::ACL_AICORE_NONE,
        }
    }
}

/// A running profile; it ends, and its files are written, when it is dropped.
pub struct Profile {
    acl: Acl,
    /// In use until the profile of them has ended.
    _devices: Vec<Device>,
    config: *mut aclprofConfig,
    started: bool,
}

impl Profile {
    /// Begins to profile these devices, with results below `folder`.
    ///
    /// # Errors
    /// [`Error::Missing`] without CANN's profiler; [`Error::Call`], as where a profile is running already.
    pub fn start(
        acl: &Acl,
        devices: &[&Device],
        folder: &Path,
        metrics: Metrics,
    ) -> Result<Self, Error> {
        let f = acl.functions();
        f.need(&[
            "aclprofInit",
            "aclprofCreateConfig",
            "aclprofStart",
            "aclprofStop",
            "aclprofDestroyConfig",
            "aclprofFinalize",
        ])?;
        let path = CString::new(folder.as_os_str().as_bytes())
            .map_err(|_| Error::refused("the folder for the profile has a zero in its name"))?;
        // SAFETY: the path ends with a zero and has so many bytes.
        unsafe { f.aclprofInit(path.as_ptr(), path.as_bytes().len()) }?;
        // From here on its drop ends what was begun.
        let mut profile = Profile {
            acl: acl.clone(),
            _devices: devices.iter().copied().cloned().collect(),
            config: std::ptr::null_mut(),
            started: false,
        };
        let mut numbers: Vec<u32> = devices.iter().map(|device| device.number()).collect();
        let switches = ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS;
        let (at, count) = (numbers.as_mut_ptr(), numbers.len() as u32);
        // SAFETY: there are so many numbers, which are copied.
        profile.config =
            unsafe { f.aclprofCreateConfig(at, count, metrics.raw(), null(), switches) }?;
        // SAFETY: the configuration lives.
        unsafe { f.aclprofStart(profile.config) }?;
        profile.started = true;
        Ok(profile)
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        let (f, library) = (self.acl.functions(), &self.acl.0);
        // SAFETY: each call pairs with one of `start` that came about.
        unsafe {
            if self.started {
                library.late(f.aclprofStop(self.config));
            }
            if !self.config.is_null() {
                library.late(f.aclprofDestroyConfig(self.config));
            }
            library.late(f.aclprofFinalize());
        }
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("started", &self.started)
            .finish_non_exhaustive()
    }
}
