//! The ways to launch a function of a binary.

use super::{Found, Function, Path};
use crate::launch::{Args, LaunchConfig};
use crate::sys::types::*;
use crate::sys::Functions;
use crate::{Error, Stream};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The common parts of one launch, for every way.
struct Launch<'l> {
    f: &'l Functions,
    blocks: u32,
    /// The handle of a live stream.
    stream: aclrtStream,
    args: &'l Args<'l>,
}

impl Function {
    /// Queues a kernel. Memory of the arguments lives until the work is done: see
    /// [`crate::Queue::launch`].
    pub(crate) fn launch(
        &self,
        stream: &Stream,
        blocks: u32,
        args: &Args<'_>,
        config: LaunchConfig,
    ) -> Result<(), Error> {
        config.takes(blocks)?;
        let launch = Launch {
            f: self.context().enter()?,
            blocks,
            stream: stream.raw(),
            args,
        };
        let mut all_at_once = aclrtLaunchKernelAttr {
            id: aclrtLaunchKernelAttrId::ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
            value: [1, 0, 0, 0],
        };
        let mut attrs = aclrtLaunchKernelCfg {
            attrs: &mut all_at_once,
            numAttrs: 1,
        };
        let attrs: *mut aclrtLaunchKernelCfg = if config.all_at_once {
            &mut attrs
        } else {
            null_mut()
        };
        match (self.found, self.binary.path()) {
            (Found::Acl(function), Some(Path::HostArgs)) => launch.with_host_args(function, attrs),
            (Found::Acl(function), _) => launch.with_args_list(function, attrs),
            (Found::Runtime(_), _) if config.all_at_once => Err(Error::refused(format!(
                "kernel `{}` has blocks that wait for one another, and {} cannot start all of them at once",
                self.name,
                Path::Registered
            ))),
            (Found::Runtime(stub), _) => launch.by_registration(stub),
            (Found::Hosted(hosting), _) => hosting.start(&self.name, blocks, stream, args),
        }
    }
}

impl Launch<'_> {
    fn with_host_args(
        &self,
        function: aclrtFuncHandle,
        config: *mut aclrtLaunchKernelCfg,
    ) -> Result<(), Error> {
        let mut block = self.args.copied();
        let (at, size) = (block.as_mut_ptr().cast(), self.args.bytes().len());
        // SAFETY: function and stream are alive, `config` is null or one attribute, and the length
        // is that of the block, which is copied.
        unsafe {
            self.f.aclrtLaunchKernelWithHostArgs(
                function,
                self.blocks,
                self.stream,
                config,
                at,
                size,
                null_mut(),
                0,
            )
        }
    }

    fn with_args_list(
        &self,
        function: aclrtFuncHandle,
        config: *mut aclrtLaunchKernelCfg,
    ) -> Result<(), Error> {
        let (f, args) = (self.f, self.args);
        let (mut of_list, mut of_values) = (0, 0);
        // SAFETY: the function is alive, and both numbers are written.
        unsafe {
            f.aclrtKernelArgsGetHandleMemSize(function, &mut of_list)?;
            f.aclrtKernelArgsGetMemSize(function, args.bytes().len(), &mut of_values)?;
        }
        let (mut list, mut values) = (
            vec![0u64; of_list.div_ceil(8)],
            vec![0u64; of_values.div_ceil(8)],
        );
        let handle = aclrtArgsHandle(list.as_mut_ptr().cast());
        // SAFETY: both have the sizes that CANN asked for and live until the launch, which copies
        // their contents. The length of each parameter is its own, and its bytes are read. `config`
        // is null or one attribute.
        unsafe {
            f.aclrtKernelArgsInitByUserMem(
                function,
                handle,
                values.as_mut_ptr().cast(),
                of_values,
            )?;
            for parameter in args.each() {
                let mut place = aclrtParamHandle::NULL;
                f.aclrtKernelArgsAppend(
                    handle,
                    parameter.as_ptr().cast_mut().cast(),
                    parameter.len(),
                    &mut place,
                )?;
            }
            f.aclrtKernelArgsFinalize(handle)?;
            f.aclrtLaunchKernelWithConfig(
                function,
                self.blocks,
                self.stream,
                config,
                handle,
                null_mut(),
            )
        }
    }

    fn by_registration(&self, stub: *const c_void) -> Result<(), Error> {
        let mut block = self.args.copied();
        let size = u32::try_from(self.args.bytes().len())
            .map_err(|_| Error::refused("the arguments have more than 4 GiB"))?;
        // SAFETY: function and stream are alive, and the length is that of the block, which is
        // copied.
        unsafe {
            self.f.rtKernelLaunch(
                stub,
                self.blocks,
                block.as_mut_ptr().cast(),
                size,
                null_mut(),
                rtStream_t(self.stream.0),
            )
        }
    }
}
