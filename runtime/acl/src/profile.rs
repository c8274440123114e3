//! Profiles parts of a program, into the folders that `msprof` reads.

use crate::sys::types::*;
use crate::{Acl, Device, Error};
use std::ffi::CString;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null;

/// The counters of the cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metrics {
    /// The shares of the pipes.
    #[default]
    Pipes,
    Arithmetic,
    /// The bandwidth of the memories.
    Memory,
    Ub,
    /// Conflicts of hardware resources.
    Conflicts,
    L2,
    /// No counters: times of tasks alone.
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

/// A running profile. Dropping it ends the profile and writes its files.
pub struct Profile {
    acl: Acl,
    /// The devices stay in use until the profile has ended.
    _devices: Vec<Device>,
    config: *mut aclprofConfig,
    started: bool,
}

impl Profile {
    /// Begins to profile these devices, with results below `folder`.
    ///
    /// # Errors
    /// [`Error::Missing`] without CANN's profiler; [`Error::Call`], for example where a profile is
    /// running already.
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
        // SAFETY: the path ends with a zero, and the length is its own.
        unsafe { f.aclprofInit(path.as_ptr(), path.as_bytes().len()) }?;
        // From here on the drop ends what was begun.
        let mut profile = Profile {
            acl: acl.clone(),
            _devices: devices.iter().copied().cloned().collect(),
            config: std::ptr::null_mut(),
            started: false,
        };
        let mut numbers: Vec<u32> = devices.iter().map(|device| device.number()).collect();
        let switches = ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS;
        let (at, count) = (numbers.as_mut_ptr(), numbers.len() as u32);
        // SAFETY: `count` numbers are at `at`, and they are copied.
        profile.config =
            unsafe { f.aclprofCreateConfig(at, count, metrics.raw(), null(), switches) }?;
        // SAFETY: the configuration is alive.
        unsafe { f.aclprofStart(profile.config) }?;
        profile.started = true;
        Ok(profile)
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        let (f, library) = (self.acl.functions(), &self.acl.0);
        // SAFETY: each call pairs with a successful one of `start`.
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
