//! Arguments of functions whose prototypes only the caller knows: stubs of kernels, operators.
//!
//! A tuple of arguments is a prototype; [`Passed::C`] is the C type of each. The compiler knows how
//! the platform passes such types, including structures by value.

use crate::sys::load::as_function;
use crate::sys::types::{aclOpExecutor, aclnnStatus, aclrtStream};
use crate::{Context, DeviceBuffer};
use bytemuck::NoUninit;
use std::ffi::{c_char, c_void, CStr};
use std::ptr::null_mut;

/// A type that can be passed to a function of C, and is valid for `'env`.
///
/// # Safety
/// Functions follow the pointers of `passed`: they must be valid for `'env`, and have the layout of
/// C.
pub unsafe trait Passed<'env> {
    /// The type in C.
    type C: Copy;
    /// Returns the value in C.
    fn passed(&self) -> Self::C;
    /// Returns the context of its memory, where it has some.
    fn context(&self) -> Option<&Context> {
        None
    }
}

// SAFETY: the buffer lives as long as the borrow.
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
// SAFETY: the value contains no pointer that anybody may follow.
unsafe impl<T: NoUninit> Passed<'_> for ByValue<T> {
    type C = T;
    fn passed(&self) -> T {
        self.0
    }
}

/// A tensor that is left out.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut;
// SAFETY: nobody follows a null pointer.
unsafe impl Passed<'_> for LeftOut {
    type C = *mut c_void;
    fn passed(&self) -> *mut c_void {
        null_mut()
    }
}

// SAFETY: the text ends with a zero, and lives as long as the borrow.
unsafe impl<'env> Passed<'env> for &'env CStr {
    type C = *const c_char;
    fn passed(&self) -> *const c_char {
        self.as_ptr()
    }
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        // SAFETY: the value is a number.
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
/// Both functions must call the function at `at` with these arguments and nothing else. `plan` must
/// leave in `executor` what that function wrote.
pub unsafe trait Prototype<'env> {
    /// Returns the contexts of all memory in the arguments.
    fn contexts(&self) -> Vec<&Context>;
    /// Calls `uint32_t aclrtlaunch_K(uint32_t blocks, aclrtStream stream, ..)`.
    ///
    /// # Safety
    /// Such a function must be at `at`, with parameters of the types of these arguments.
    unsafe fn launch(&self, at: *mut c_void, blocks: u32, stream: aclrtStream) -> u32;
    /// Calls `aclnnStatus aclnnOGetWorkspaceSize(.., uint64_t *size, aclOpExecutor **executor)`.
    ///
    /// # Safety
    /// Such a function must be at `at`, with parameters of the types of these arguments.
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
        // SAFETY: the functions are called with exactly these arguments.
        unsafe impl<'env, $($name: Passed<'env>),*> Prototype<'env> for ($($name,)*) {
            fn contexts(&self) -> Vec<&Context> {
                let ($($name,)*) = self;
                let all: &[Option<&Context>] = &[$($name.context()),*];
                all.iter().copied().flatten().collect()
            }
            unsafe fn launch(&self, at: *mut c_void, blocks: u32, stream: aclrtStream) -> u32 {
                let ($($name,)*) = self;
                // SAFETY: the caller promises it (`# Safety` of the trait's function).
                unsafe {
                    let f: unsafe extern "C" fn(u32, aclrtStream, $($name::C),*) -> u32 = as_function(at);
                    f(blocks, stream, $($name.passed()),*)
                }
            }
            unsafe fn plan(&self, at: *mut c_void, size: &mut u64, executor: &mut *mut aclOpExecutor) -> aclnnStatus {
                let ($($name,)*) = self;
                // SAFETY: the caller promises it (`# Safety` of the trait's function).
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
