//! Arguments of functions whose prototypes are known to the caller alone: stubs of kernels, operators.
//!
//! A tuple of arguments is a prototype: what each becomes in C is its [`Passed::C`]. The compiler knows how the platform passes that,
//! structures by value among it.

use crate::sys::load::as_function;
use crate::sys::types::{aclOpExecutor, aclnnStatus, aclrtStream};
use crate::{Context, DeviceBuffer};
use bytemuck::NoUninit;
use std::ffi::{c_char, c_void, CStr};
use std::ptr::null_mut;

/// What can be passed to a function of C, and is there for `'env`.
///
/// # Safety
/// Functions follow what `passed` gives: it is good for `'env`, and as C has it.
pub unsafe trait Passed<'env> {
    /// Its type in C.
    type C: Copy;
    /// As C gets it.
    fn passed(&self) -> Self::C;
    /// The context of its memory, where it has some.
    fn context(&self) -> Option<&Context> {
        None
    }
}

// SAFETY: the buffer is there as long as it is borrowed.
unsafe impl<'env, T> Passed<'env> for &'env DeviceBuffer<T> {
    type C = *mut c_void;
    fn passed(&self) -> *mut c_void {
        self.address()
    }
    fn context(&self) -> Option<&Context> {
        Some(DeviceBuffer::context(self))
    }
}

/// A structure by value.
#[derive(Clone, Copy, Debug)]
pub struct ByValue<T>(pub T);
// SAFETY: a value without pointers that anybody may follow.
unsafe impl<T: NoUninit> Passed<'_> for ByValue<T> {
    type C = T;
    fn passed(&self) -> T {
        self.0
    }
}

/// A tensor that is left out.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut;
// SAFETY: null is for nobody to follow.
unsafe impl Passed<'_> for LeftOut {
    type C = *mut c_void;
    fn passed(&self) -> *mut c_void {
        null_mut()
    }
}

// SAFETY: the text ends with a zero, and is there as long as it is borrowed.
unsafe impl<'env> Passed<'env> for &'env CStr {
    type C = *const c_char;
    fn passed(&self) -> *const c_char {
        self.as_ptr()
    }
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        // SAFETY: a number.
        unsafe impl Passed<'_> for $t {
            type C = $t;
            fn passed(&self) -> $t {
                *self
            }
        }
    )*};
}
numbers!(bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

/// The arguments of one call.
///
/// # Safety
/// Both functions call what is at `at` with these arguments and nothing else, and `plan` leaves in `executor` what that wrote.
pub unsafe trait Prototype<'env> {
    /// The contexts of all memory among them.
    fn contexts(&self) -> Vec<&Context>;
    /// `uint32_t aclrtlaunch_K(uint32_t blocks, aclrtStream stream, ..)`.
    ///
    /// # Safety
    /// At `at` is such a function, with parameters of the types of these arguments.
    unsafe fn launch(&self, at: *mut c_void, blocks: u32, stream: aclrtStream) -> u32;
    /// `aclnnStatus aclnnOGetWorkspaceSize(.., uint64_t *size, aclOpExecutor **executor)`.
    ///
    /// # Safety
    /// At `at` is such a function, with parameters of the types of these arguments.
    unsafe fn plan(
        &self,
        at: *mut c_void,
        size: &mut u64,
        executor: &mut *mut aclOpExecutor,
    ) -> aclnnStatus;
}

macro_rules! prototypes {
    ($($($name:ident)*;)*) => {$(
        #[allow(non_snake_case)]
        // SAFETY: the functions are called with the arguments as they stand.
        unsafe impl<'env, $($name: Passed<'env>),*> Prototype<'env> for ($($name,)*) {
            fn contexts(&self) -> Vec<&Context> {
                let ($($name,)*) = self;
                let all: &[Option<&Context>] = &[$($name.context()),*];
                all.iter().copied().flatten().collect()
            }
            unsafe fn launch(&self, at: *mut c_void, blocks: u32, stream: aclrtStream) -> u32 {
                let ($($name,)*) = self;
                // SAFETY: what the caller promises.
                unsafe {
                    let f: unsafe extern "C" fn(u32, aclrtStream, $($name::C),*) -> u32 = as_function(at);
                    f(blocks, stream, $($name.passed()),*)
                }
            }
            unsafe fn plan(&self, at: *mut c_void, size: &mut u64, executor: &mut *mut aclOpExecutor) -> aclnnStatus {
                let ($($name,)*) = self;
                // SAFETY: what the caller promises.
                unsafe {
                    let f: unsafe extern "C" fn($($name::C,)* *mut u64, *mut *mut aclOpExecutor) -> aclnnStatus = as_function(at);
                    f($($name.passed(),)* size, executor)
                }
            }
        }
    )*};
}
prototypes! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
    A B C D E F G H I J K L M;
    A B C D E F G H I J K L M N;
    A B C D E F G H I J K L M N O;
    A B C D E F G H I J K L M N O P;
}
