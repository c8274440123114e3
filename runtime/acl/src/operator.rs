//! Operators of an installed package, called in two phases. The first phase plans and returns the
//! size of the workspace, and the second one queues the work.
//!
//! ```no_run
//! use jumar_acl::operator::{OperatorLibrary, Tensor};
//! use jumar_acl::sys::types::aclDataType;
//! use jumar_acl::{Acl, DeviceBuffer, Stream};
//! # fn main() -> Result<(), jumar_acl::Error> {
//! let device = Acl::load()?.device(0)?;
//! let (context, f32) = (device.context(), aclDataType::ACL_FLOAT);
//! let x = DeviceBuffer::from_slice(context, &[1.0f32; 64])?;
//! let y = DeviceBuffer::<f32>::uninit(context, 64)?;
//! let (x, y) = (Tensor::new(&x, &[64], f32)?, Tensor::new(&y, &[64], f32)?);
//! let library = OperatorLibrary::custom(context, "libcust_opapi.so".as_ref())?;
//! // SAFETY: aclnn_swish_custom.h: one input, one attribute of type double, one output.
//! let swish = unsafe { library.operator::<(&Tensor, f64, &Tensor)>("aclnnSwishCustom") }?;
//! let stream = Stream::new(context)?;
//! stream.scope(|queue| queue.run(&swish, (&x, 1.0, &y)))?;
//! # Ok(())
//! # }
//! ```

mod objects;
mod repeated;

pub use objects::{BoolArray, FloatArray, IntArray, Scalar, Tensor, TensorList};
pub use repeated::Repeated;

use crate::passed::Prototype;
use crate::sys::load::{address, as_function, open};
use crate::sys::types::*;
use crate::sys::Functions;
use crate::{Context, DeviceBuffer, Error, Queue};
use libloading::os::unix::Library as Handle;
use std::ffi::{c_void, CString};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr::null_mut;

/// Files with CANN's own operators: one in older releases, one for each domain in newer ones.
const BUILT_IN: [&str; 5] = [
    "libopapi.so",
    "libopapi_math.so",
    "libopapi_nn.so",
    "libopapi_transformer.so",
    "libopapi_cv.so",
];

/// A library with operators. It stays open until the process ends.
pub struct OperatorLibrary {
    context: Context,
    handles: Vec<ManuallyDrop<Handle>>,
    named: String,
}

impl OperatorLibrary {
    /// Opens the library of a custom package: `op_api/lib/libcust_opapi.so` below its folder.
    ///
    /// # Errors
    /// [`Error::File`] with the message of the system's loader.
    pub fn custom(context: &Context, file: &Path) -> Result<Self, Error> {
        let f = context.enter()?;
        // Its tensors and executors come from the base library, which is opened first.
        f.need(&["aclCreateTensor", "aclDestroyTensor"])?;
        let handle = open(file).map_err(|why| Error::File {
            path: file.to_path_buf(),
            why,
        })?;
        Ok(OperatorLibrary {
            context: context.clone(),
            handles: vec![ManuallyDrop::new(handle)],
            named: file.display().to_string(),
        })
    }

    /// Opens CANN's own operators.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the files that were tried.
    pub fn built_in(context: &Context) -> Result<Self, Error> {
        context
            .enter()?
            .need(&["aclCreateTensor", "aclDestroyTensor"])?;
        let acl = context.acl();
        let folders = &acl.installation().libraries;
        let (mut handles, mut tried) = (Vec::new(), Vec::new());
        for file in BUILT_IN {
            let path = folders
                .iter()
                .map(|folder| folder.join(file))
                .find(|path| path.is_file())
                .unwrap_or_else(|| file.into());
            match open(&path) {
                Ok(handle) => handles.push(ManuallyDrop::new(handle)),
                Err(why) => tried.push((path, why)),
            }
        }
        if handles.is_empty() {
            return Err(Error::NotFound { tried });
        }
        Ok(OperatorLibrary {
            context: context.clone(),
            handles,
            named: BUILT_IN.join(" and "),
        })
    }

    fn find(&self, symbol: &str) -> Result<*mut c_void, Error> {
        let name = CString::new(symbol).ok();
        let found = name.and_then(|name| {
            self.handles
                .iter()
                .find_map(|handle| address(handle, &name))
        });
        found.ok_or_else(|| Error::refused(format!("{} has no {symbol}", self.named)))
    }

    /// Finds an operator by its name, such as `aclnnAdd`.
    ///
    /// # Errors
    /// [`Error::Refused`] where the library has no such operator.
    ///
    /// # Safety
    /// The types of `A` must be those of its inputs, attributes and outputs, in the order of its
    /// header.
    pub unsafe fn operator<A>(&self, name: &str) -> Result<Operator<A>, Error> {
        let plan = self.find(&format!("{name}GetWorkspaceSize"))?;
        let run = self.find(name)?;
        Ok(Operator {
            context: self.context.clone(),
            name: name.to_string(),
            plan,
            run,
            parameters: PhantomData,
        })
    }
}

/// An operator, whose arguments have the types of `A`.
pub struct Operator<A> {
    context: Context,
    name: String,
    plan: *mut c_void,
    run: *mut c_void,
    /// The operator is covariant in `A`: one for `'static` arguments accepts shorter borrows.
    parameters: PhantomData<fn() -> A>,
}

/// A planned call with the size of its workspace. Dropping it releases a plan that was not run.
pub struct Planned<'env> {
    context: Context,
    name: String,
    run: *mut c_void,
    executor: *mut aclOpExecutor,
    workspace: u64,
    env: PhantomData<&'env ()>,
}

impl Planned<'_> {
    /// Returns the bytes of workspace that it needs.
    pub fn workspace(&self) -> u64 {
        self.workspace
    }
}

impl Drop for Planned<'_> {
    fn drop(&mut self) {
        if !self.executor.is_null() {
            // SAFETY: the executor was not run, which would have ended it.
            self.context
                .end(|f| unsafe { f.aclDestroyAclOpExecutor(self.executor) });
        }
    }
}

/// The type of the second phase.
type Run = unsafe extern "C" fn(*mut c_void, u64, *mut aclOpExecutor, aclrtStream) -> aclnnStatus;

impl<'env> Queue<'env> {
    /// Calls the first phase of an operator.
    ///
    /// # Errors
    /// [`Error::Refused`] for memory of another device; [`Error::Call`] with the operator's error.
    pub fn plan<A: Prototype<'env>>(
        &self,
        operator: &'env Operator<A>,
        args: A,
    ) -> Result<Planned<'env>, Error> {
        self.are_here(&args.contexts())?;
        self.are_here(&[&operator.context])?;
        let f = self.stream().context().enter()?;
        let (mut workspace, mut executor) = (0, null_mut());
        // SAFETY: the maker of the operator promised its parameters; they live until the work is
        // done.
        match unsafe { args.plan(operator.plan, &mut workspace, &mut executor) }.0 {
            0 => {
                let (context, name, run, env) = (
                    self.stream().context().clone(),
                    operator.name.clone(),
                    operator.run,
                    PhantomData,
                );
                Ok(Planned {
                    context,
                    name,
                    run,
                    executor,
                    workspace,
                    env,
                })
            }
            code => Err(Error::call(
                "aclnn..GetWorkspaceSize",
                code,
                format!("{}: {}", operator.name, f.recent_message()),
            )),
        }
    }

    /// Calls the second phase with a given workspace.
    ///
    /// # Errors
    /// [`Error::Refused`] for a workspace that is too small, and for a workspace or a plan of
    /// another device. [`Error::Call`] with the operator's error.
    pub fn run_planned(
        &self,
        mut planned: Planned<'env>,
        workspace: &'env DeviceBuffer<u8>,
    ) -> Result<(), Error> {
        self.takes(&planned, workspace)?;
        self.last(&mut planned, workspace.address())
    }

    /// Refuses a plan or a workspace that does not fit this queue.
    fn takes(&self, planned: &Planned<'_>, workspace: &DeviceBuffer<u8>) -> Result<(), Error> {
        self.are_here(&[workspace.context(), &planned.context])?;
        if (workspace.bytes() as u64) < planned.workspace {
            let message = format!(
                "{} takes {} bytes of workspace, and has {}",
                planned.name,
                planned.workspace,
                workspace.bytes()
            );
            return Err(Error::refused(message));
        }
        Ok(())
    }

    /// Calls both phases with a new workspace, which is kept until the work is done.
    ///
    /// # Errors
    /// As the two phases; [`Error::Call`] with 207001 where there is no room for the workspace.
    pub fn run<A: Prototype<'env>>(
        &self,
        operator: &'env Operator<A>,
        args: A,
    ) -> Result<(), Error> {
        let mut planned = self.plan(operator, args)?;
        let mut at = null_mut();
        if planned.workspace > 0 {
            let too_many = || {
                Error::refused(format!(
                    "{} asks for {} bytes of workspace",
                    planned.name, planned.workspace
                ))
            };
            let bytes = usize::try_from(planned.workspace).map_err(|_| too_many())?;
            let workspace = DeviceBuffer::uninit(self.stream().context(), bytes)?;
            at = workspace.address();
            self.keep(workspace);
        }
        self.last(&mut planned, at)
    }

    /// Calls the second phase, which ends the executor even if it fails.
    fn last(&self, planned: &mut Planned<'_>, workspace: *mut c_void) -> Result<(), Error> {
        let f = self.stream().context().enter()?;
        let executor = std::mem::replace(&mut planned.executor, null_mut());
        self.second(f, planned, executor, workspace)
    }

    /// Calls the second phase, in the context of the stream.
    fn second(
        &self,
        f: &Functions,
        planned: &Planned<'_>,
        executor: *mut aclOpExecutor,
        workspace: *mut c_void,
    ) -> Result<(), Error> {
        // SAFETY: `run` is the second phase of the operator that planned; the workspace has the
        // bytes that it asked for.
        let answer = unsafe {
            as_function::<Run>(planned.run)(
                workspace,
                planned.workspace,
                executor,
                self.stream().raw(),
            )
        };
        match answer.0 {
            0 => Ok(()),
            code => Err(Error::call(
                "aclnn",
                code,
                format!("{}: {}", planned.name, f.recent_message()),
            )),
        }
    }
}

impl<A> fmt::Debug for Operator<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operator")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
