//! Plans that run more than once, on other memory if needed.

use super::{Operator, Planned, Tensor};
use crate::passed::Prototype;
use crate::sys::Functions;
use crate::{DeviceBuffer, Error, Queue};

/// A planned call that runs any number of times, so that the cost of the first phase is paid once.
/// Tensors may get other buffers between runs.
///
/// ```no_run
/// # use jumar_acl::operator::{OperatorLibrary, Tensor};
/// # use jumar_acl::sys::types::aclDataType;
/// # use jumar_acl::{Acl, DeviceBuffer, Stream};
/// # fn main() -> Result<(), jumar_acl::Error> {
/// # let device = Acl::load()?.device(0)?;
/// # let (context, f32) = (device.context(), aclDataType::ACL_FLOAT);
/// # let library = OperatorLibrary::built_in(context)?;
/// # let stream = Stream::new(context)?;
/// let a = DeviceBuffer::from_slice(context, &[0f32; 8])?;
/// let b = DeviceBuffer::from_slice(context, &[1f32; 8])?;
/// let y = DeviceBuffer::<f32>::uninit(context, 8)?;
/// let (x, y) = (Tensor::new(&a, &[8], f32)?, Tensor::new(&y, &[8], f32)?);
/// // SAFETY: aclnn_relu.h: one input, one output.
/// let relu = unsafe { library.operator::<(&Tensor, &Tensor)>("aclnnRelu") }?;
/// let mut call = stream.scope(|queue| queue.plan_repeated(&relu, (&x, &y)))?;
/// let workspace = DeviceBuffer::uninit(context, call.workspace() as usize)?;
/// stream.scope(|queue| queue.run_repeated(&call, &workspace))?;
/// call.set_input(0, &x, &b)?;
/// stream.scope(|queue| queue.run_repeated(&call, &workspace))?;
/// # Ok(())
/// # }
/// ```
pub struct Repeated<'env>(Planned<'env>);

impl<'env> Repeated<'env> {
    /// Returns the bytes of workspace that a run needs.
    pub fn workspace(&self) -> u64 {
        self.0.workspace()
    }

    /// Moves input `number`, for which the plan had `tensor`, to another buffer.
    ///
    /// # Errors
    /// [`Error::Refused`] for a buffer of another size or device; [`Error::Call`], for example if
    /// it is no input of the plan.
    pub fn set_input<'b: 'env, T>(
        &mut self,
        number: usize,
        tensor: &'env Tensor<'b>,
        buffer: &'b DeviceBuffer<T>,
    ) -> Result<(), Error> {
        let f = self.may_lie_in(tensor, buffer)?;
        // SAFETY: the executor is alive and repeatable, the tensor is alive, and the buffer lives
        // as long as the tensor.
        unsafe { f.aclSetInputTensorAddr(self.0.executor, number, tensor.raw(), buffer.address()) }
    }

    /// As `set_input`, for an output.
    ///
    /// # Errors
    /// As [`set_input`](Self::set_input).
    pub fn set_output<'b: 'env, T>(
        &mut self,
        number: usize,
        tensor: &'env Tensor<'b>,
        buffer: &'b DeviceBuffer<T>,
    ) -> Result<(), Error> {
        let f = self.may_lie_in(tensor, buffer)?;
        // SAFETY: as for an input.
        unsafe { f.aclSetOutputTensorAddr(self.0.executor, number, tensor.raw(), buffer.address()) }
    }

    fn may_lie_in<T>(
        &self,
        tensor: &Tensor<'_>,
        buffer: &DeviceBuffer<T>,
    ) -> Result<&Functions, Error> {
        if !tensor.context().shares_memory_with(&self.0.context)
            || !buffer.context().shares_memory_with(&self.0.context)
        {
            return Err(Error::refused(
                "a tensor or its new buffer is of another device than the plan",
            ));
        }
        if tensor.bytes() != buffer.bytes() {
            let message = format!(
                "a tensor of {} bytes cannot lie in a buffer of {}",
                tensor.bytes(),
                buffer.bytes()
            );
            return Err(Error::refused(message));
        }
        self.0.context.enter()
    }
}

impl<'env> Queue<'env> {
    /// Calls the first phase of a call that may run more than once.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn plan_repeated<A: Prototype<'env>>(
        &self,
        operator: &'env Operator<A>,
        args: A,
    ) -> Result<Repeated<'env>, Error> {
        let planned = self.plan(operator, args)?;
        // SAFETY: the executor was just made and not run.
        unsafe {
            self.stream()
                .context()
                .enter()?
                .aclSetAclOpExecutorRepeatable(planned.executor)
        }?;
        Ok(Repeated(planned))
    }

    /// Calls the second phase of a repeated call.
    ///
    /// # Errors
    /// As [`run_planned`](Self::run_planned).
    pub fn run_repeated(
        &self,
        call: &'env Repeated<'env>,
        workspace: &'env DeviceBuffer<u8>,
    ) -> Result<(), Error> {
        self.takes(&call.0, workspace)?;
        self.second(
            self.stream().context().enter()?,
            &call.0,
            call.0.executor,
            workspace.address(),
        )
    }
}
