//! Libraries made by others: kernels with their stubs, and operators in two phases.

use super::program::Setting;
use bytemuck::NoUninit;
use jumar_acl::operator::{
    BoolArray, FloatArray, IntArray, Operator, OperatorLibrary, Scalar, Tensor, TensorList,
};
use jumar_acl::sys::types::aclDataType;
use jumar_acl::{Acl, ByValue, Context, DeviceBuffer, Error, LeftOut, Stream, Stub, StubLibrary};
use jumar_standin::Toolkit;
use std::ffi::CStr;
use std::path::PathBuf;

const I32: aclDataType = aclDataType::ACL_INT32;

pub struct Libraries {
    stubs: PathBuf,
    operators: PathBuf,
}

#[derive(Clone, Copy, NoUninit)]
#[repr(C)]
struct TilingData {
    count: u32,
    by: i32,
    times: i64,
}

type Bump<'a> = (&'a DeviceBuffer<i32>, u32);
type Tiled<'a> = (&'a DeviceBuffer<i32>, LeftOut, ByValue<TilingData>);
/// Arguments of an operator that adds to its tensor, without a workspace.
type Count<'a, 'b> = (&'a Tensor<'b>, i64);
/// Arguments of an operator that adds everything it is given, by means of a workspace.
type Mix<'a, 'b> = (
    &'a Tensor<'b>,
    Option<&'a Tensor<'b>>,
    &'a TensorList<'a>,
    bool,
    i64,
    f64,
    &'a CStr,
    &'a IntArray,
    &'a FloatArray,
    &'a BoolArray,
    &'a Scalar,
    &'a Tensor<'b>,
);

fn bump<'a>(stubs: &StubLibrary) -> Result<Stub<Bump<'a>>, Error> {
    // SAFETY: stubs.cpp: an address and a uint32_t.
    unsafe { stubs.kernel("bump") }
}

fn count<'a, 'b>(operators: &OperatorLibrary) -> Result<Operator<Count<'a, 'b>>, Error> {
    // SAFETY: operators.cpp: a tensor and an int64_t.
    unsafe { operators.operator("aclnnBump") }
}

fn mix<'a, 'b>(operators: &OperatorLibrary) -> Result<Operator<Mix<'a, 'b>>, Error> {
    // SAFETY: operators.cpp: two tensors, a list, a bool, an int64_t, a double, a text, three
    // arrays, a scalar, a tensor.
    unsafe { operators.operator("aclnnMix") }
}

/// The attributes of a `mix`, and their sum.
struct Attributes {
    wholes: IntArray,
    numbers: FloatArray,
    flags: BoolArray,
    alpha: Scalar,
}

impl Attributes {
    const SUM: i32 = 1 + 20 + 3 + 4 + (5 + 6) + (1 + 2) + 2 + 7;

    fn new(context: &Context) -> Result<Self, Error> {
        Ok(Attributes {
            wholes: IntArray::new(context, &[5, 6])?,
            numbers: FloatArray::new(context, &[1.5, 2.5])?,
            flags: BoolArray::new(context, &[true, false, true])?,
            alpha: Scalar::new(context, 7i32, I32)?,
        })
    }

    fn with<'a, 'b>(
        &'a self,
        x: &'a Tensor<'b>,
        bias: Option<&'a Tensor<'b>>,
        list: &'a TensorList<'a>,
        y: &'a Tensor<'b>,
    ) -> Mix<'a, 'b> {
        (
            x,
            bias,
            list,
            true,
            20,
            3.0,
            c"text",
            &self.wholes,
            &self.numbers,
            &self.flags,
            &self.alpha,
            y,
        )
    }
}

impl Libraries {
    pub fn make(toolkit: &Toolkit) -> Self {
        let make = |text| toolkit.library(text).expect("the library compiles");
        Libraries {
            stubs: make(include_str!("stubs.cpp")),
            operators: make(include_str!("operators.cpp")),
        }
    }

    /// Uses every part of the interface once.
    pub fn all(&self, context: &Context, stream: &Stream) -> Result<(), Error> {
        self.kernels(context, stream)?;
        self.planned(context, stream)?;
        self.repeated(context, stream)
    }

    fn kernels(&self, context: &Context, stream: &Stream) -> Result<(), Error> {
        let stubs = StubLibrary::open(context, &self.stubs)?;
        let bump = bump(&stubs)?;
        // SAFETY: stubs.cpp.
        let (tiled, nothing) = unsafe {
            (
                stubs.kernel::<Tiled>("tiled")?,
                stubs.kernel::<()>("nothing")?,
            )
        };
        let x = DeviceBuffer::from_slice(context, &[1i32, 2, 3])?;
        stream.scope(|queue| {
            queue.launch_stub(&bump, 5, (&x, 3))?;
            queue.launch_stub(&nothing, 1, ())?;
            queue.launch_stub(
                &tiled,
                1,
                (
                    &x,
                    LeftOut,
                    ByValue(TilingData {
                        count: 2,
                        by: 10,
                        times: 3,
                    }),
                ),
            )
        })?;
        assert_eq!(x.to_vec()?, [36, 37, 8]);
        // The work may also own the stub.
        let given = (bump, DeviceBuffer::from_slice(context, &[1i32])?);
        let (_, x) = stream
            .start(given, |queue, (bump, x)| {
                queue.launch_stub(bump, 2, (&*x, 1))
            })?
            .wait()?;
        assert_eq!(x.to_vec()?, [3]);
        Ok(())
    }

    fn planned(&self, context: &Context, stream: &Stream) -> Result<(), Error> {
        let operators = OperatorLibrary::custom(context, &self.operators)?;
        let buffers: Vec<_> = (0..5)
            .map(|i| DeviceBuffer::from_slice(context, &[i, 10 * i]))
            .collect::<Result<_, _>>()?;
        let tensor = |i: usize| Tensor::new(&buffers[i], &[1, 2], I32);
        let (x, bias, y) = (tensor(1)?, tensor(2)?, tensor(0)?);
        let list = TensorList::new(context, vec![tensor(3)?, tensor(4)?])?;
        let empty = TensorList::new(context, vec![])?;
        let attributes = Attributes::new(context)?;
        let (mix, count) = (mix(&operators)?, count(&operators)?);
        stream.scope(|queue| {
            queue.run(&mix, attributes.with(&x, Some(&bias), &list, &y))?;
            queue.run(&count, (&y, 1000))
        })?;
        assert_eq!(
            buffers[0].to_vec()?,
            [1010 + Attributes::SUM, 1100 + Attributes::SUM]
        );
        let workspace = DeviceBuffer::uninit(context, 8)?;
        stream.scope(|queue| {
            let planned = queue.plan(&mix, attributes.with(&x, None, &empty, &y))?;
            assert_eq!(planned.workspace(), 8);
            queue.run_planned(planned, &workspace)
        })?;
        assert_eq!(
            buffers[0].to_vec()?,
            [1 + Attributes::SUM, 10 + Attributes::SUM]
        );
        // This call is planned and not run.
        stream.scope(|queue| queue.plan(&count, (&y, 1)).map(drop))
    }

    fn repeated(&self, context: &Context, stream: &Stream) -> Result<(), Error> {
        let operators = OperatorLibrary::custom(context, &self.operators)?;
        let new = |number: i32| DeviceBuffer::from_slice(context, &[number; 3]);
        let (a, b, first, second) = (new(100)?, new(200)?, new(0)?, new(0)?);
        let other = DeviceBuffer::<i32>::uninit(context, 4)?;
        let (x, y) = (Tensor::new(&a, &[3], I32)?, Tensor::new(&first, &[3], I32)?);
        let empty = TensorList::new(context, vec![])?;
        let (attributes, mix) = (Attributes::new(context)?, mix(&operators)?);
        let mut call = stream
            .scope(|queue| queue.plan_repeated(&mix, attributes.with(&x, None, &empty, &y)))?;
        let workspace = DeviceBuffer::uninit(context, call.workspace() as usize)?;
        stream.scope(|queue| (0..2).try_for_each(|_| queue.run_repeated(&call, &workspace)))?;
        assert_eq!(first.to_vec()?, [100 + Attributes::SUM; 3]);
        call.set_input(0, &x, &b)?;
        call.set_output(0, &y, &second)?;
        stream.scope(|queue| queue.run_repeated(&call, &workspace))?;
        assert_eq!(
            (first.to_vec()?[0], second.to_vec()?[0]),
            (100 + Attributes::SUM, 200 + Attributes::SUM)
        );
        let refused = call.set_input(0, &x, &other).expect_err("another size");
        assert!(
            refused
                .to_string()
                .contains("a tensor of 12 bytes cannot lie in a buffer of 16"),
            "{refused}"
        );
        Ok(())
    }

    /// Runs one thread's launches, counted by the device.
    pub fn count_up(&self, context: &Context, thread: i32, turns: i32) -> Result<(), Error> {
        let (stubs, operators) = (
            StubLibrary::open(context, &self.stubs)?,
            OperatorLibrary::custom(context, &self.operators)?,
        );
        let (bump, count, stream) = (bump(&stubs)?, count(&operators)?, Stream::new(context)?);
        let x = DeviceBuffer::from_slice(context, &[thread; 4])?;
        let tensor = Tensor::new(&x, &[4], I32)?;
        for _ in 0..turns {
            stream.scope(|queue| {
                (0..5).try_for_each(|_| queue.launch_stub(&bump, 2, (&x, 4)))?;
                (0..5).try_for_each(|_| queue.run(&count, (&tensor, 3)))
            })?;
        }
        assert_eq!(x.to_vec()?, [thread + turns * 25; 4]);
        Ok(())
    }
}

/// Checks refused calls, who refuses them, and that nothing is left of them.
pub fn what_is_refused(set: &Setting) {
    set.control.reset();
    refused(set).expect("all that is not refused is done");
    let left = set.control.counts();
    assert!(left.is_nothing_left(), "{left:?}");
}

fn refused(set: &Setting) -> Result<(), Error> {
    let acl = Acl::load_at(&set.toolkit.home)?;
    let (device, elsewhere) = (acl.device(0)?, acl.device(1)?);
    let context = device.context();
    let (stubs, operators) = (
        StubLibrary::open(context, &set.libraries.stubs)?,
        OperatorLibrary::custom(context, &set.libraries.operators)?,
    );
    let (x, short, far) = (
        DeviceBuffer::<i32>::zeroed(context, 4)?,
        DeviceBuffer::<i32>::zeroed(context, 3)?,
        DeviceBuffer::<i32>::zeroed(elsewhere.context(), 4)?,
    );
    let unlike = DeviceBuffer::<f32>::zeroed(context, 4)?;
    let says = |what: Result<(), Error>, says: &str| {
        let refused = what.expect_err(says);
        assert!(refused.to_string().contains(says), "{refused}");
    };
    // Shapes and types do not fit the buffer.
    for (shape, dtype) in [
        (&[5][..], I32),
        (&[2, 3], I32),
        (&[-4], I32),
        (&[-2, -2], I32),
        (&[4], aclDataType::ACL_INT64),
        (&[4], aclDataType(999)),
    ] {
        says(
            Tensor::new(&x, shape, dtype).map(drop),
            "is no tensor of shape",
        );
    }
    says(
        Tensor::new(
            &DeviceBuffer::<i32>::zeroed(context, 0)?,
            &[0, i64::MAX, i64::MAX],
            I32,
        )
        .map(drop),
        "more than 2^63",
    );
    says(
        Scalar::new(context, 7u8, I32).map(drop),
        "a value of 1 bytes is no scalar",
    );
    let tensor = Tensor::new(&x, &[4], I32)?;
    let (short, unlike) = (
        Tensor::new(&short, &[3], I32)?,
        Tensor::new(&unlike, &[4], aclDataType::ACL_FLOAT)?,
    );
    says(
        TensorList::new(context, vec![Tensor::new(&far, &[4], I32)?]).map(drop),
        "tensor 0 of a list is in the memory of another device",
    );
    let far_tensor = Tensor::new(&far, &[4], I32)?;
    let empty = TensorList::new(context, vec![])?;
    let attributes = Attributes::new(context)?;
    let (mix, count, bump) = (mix(&operators)?, count(&operators)?, bump(&stubs)?);
    let (stream, far_stream) = (Stream::new(context)?, Stream::new(elsewhere.context())?);
    // The operator refuses these tensors: of another shape, of another type, none.
    says(
        stream.scope(|queue| queue.run(&mix, attributes.with(&tensor, None, &empty, &short))),
        "161002",
    );
    says(
        stream.scope(|queue| queue.run(&mix, attributes.with(&unlike, None, &empty, &tensor))),
        "161002",
    );
    // SAFETY: operators.cpp; the operator itself refuses null.
    let left_out = unsafe { operators.operator::<(Option<&Tensor>, i64)>("aclnnBump") }?;
    says(
        stream.scope(|queue| queue.run(&left_out, (None, 1))),
        "161001",
    );
    // The workspace is too small, or memory and streams belong to another device.
    let small = DeviceBuffer::uninit(context, 15)?;
    let planned =
        stream.scope(|queue| queue.plan(&mix, attributes.with(&tensor, None, &empty, &tensor)))?;
    says(
        stream.scope(|queue| queue.run_planned(planned, &small)),
        "takes 16 bytes of workspace, and has 15",
    );
    let far_room = DeviceBuffer::uninit(elsewhere.context(), 16)?;
    let planned =
        stream.scope(|queue| queue.plan(&mix, attributes.with(&tensor, None, &empty, &tensor)))?;
    says(
        far_stream.scope(|queue| queue.run_planned(planned, &far_room)),
        "another device",
    );
    let planned =
        stream.scope(|queue| queue.plan(&mix, attributes.with(&tensor, None, &empty, &tensor)))?;
    says(
        stream.scope(|queue| queue.run_planned(planned, &far_room)),
        "another device",
    );
    says(
        stream.scope(|queue| queue.run(&count, (&far_tensor, 1))),
        "another device",
    );
    says(
        stream.scope(|queue| queue.launch_stub(&bump, 1, (&far, 4))),
        "another device",
    );
    says(
        far_stream.scope(|queue| queue.launch_stub(&bump, 1, (&far, 4))),
        "another device",
    );
    says(
        stream.scope(|queue| queue.launch_stub(&bump, 0, (&x, 4))),
        "the block dim is 0",
    );
    // The library lacks these functions.
    // SAFETY: no such function exists.
    says(
        unsafe { stubs.kernel::<()>("none") }.map(drop),
        "has no aclrtlaunch_none",
    );
    // SAFETY: no such function exists.
    says(
        unsafe { operators.operator::<()>("aclnnNone") }.map(drop),
        "has no aclnnNoneGetWorkspaceSize",
    );
    says(
        StubLibrary::open(context, "none.so".as_ref()).map(drop),
        "none.so",
    );
    says(
        OperatorLibrary::custom(context, "none.so".as_ref()).map(drop),
        "none.so",
    );
    says(OperatorLibrary::built_in(context).map(drop), "libopapi.so");
    Ok(())
}
