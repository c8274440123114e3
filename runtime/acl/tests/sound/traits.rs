//! Types that may move to other threads, and types that several threads may use at once.

use jumar_acl::operator::{
    IntArray, Operator, OperatorLibrary, Planned, Repeated, Scalar, Tensor, TensorList,
};
use jumar_acl::{
    Acl, Args, Binary, Context, Device, DeviceBuffer, Error, Event, Function, PinnedBuffer,
    Profile, Queue, Running, Stream, Stub, StubLibrary,
};
use std::marker::PhantomData;

/// Tests whether a type has a trait: an inherent constant takes precedence over that of the trait
/// for all types.
struct Asked<T>(PhantomData<T>);
trait Not {
    const SEND: bool = false;
    const SYNC: bool = false;
}
impl<T> Not for Asked<T> {}
impl<T: Send> Asked<T> {
    const SEND: bool = true;
}
impl<T: Sync> Asked<T> {
    const SYNC: bool = true;
}

macro_rules! rows {
    ($($ty:ty: $send:literal $sync:literal;)*) => {
        [$((stringify!($ty), (<Asked<$ty>>::SEND, <Asked<$ty>>::SYNC), ($send, $sync)),)*]
    };
}

#[test]
fn types_go_where_they_may() {
    let rows = rows! {
        Acl: true true;
        Device: true true;
        Context: true true;
        Binary: true true;
        Function: true true;
        DeviceBuffer<f32>: true true;
        PinnedBuffer<f32>: true true;
        StubLibrary: true true;
        Stub<(u32,)>: true true;
        Error: true true;
        Args<'static>: true true;
        OperatorLibrary: true true;
        Stream: true false;
        Event: true false;
        Queue<'static>: false false;
        Running<'static, u8>: false false;
        Operator<(u32,)>: false false;
        Planned<'static>: false false;
        Repeated<'static>: false false;
        Tensor<'static>: false false;
        TensorList<'static>: false false;
        IntArray: false false;
        Scalar: false false;
        Profile: false false;
    };
    for (name, is, wanted) in rows {
        assert_eq!(is, wanted, "Send and Sync of {name}");
    }
}
