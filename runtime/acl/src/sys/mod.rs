//! The C interface of CANN: types, one table of prototypes, and the libraries that have them.
//!
//! This module decides nothing. [`Functions`] has one unsafe method for each row of the table. The
//! safe modules of the crate call them and state why that is sound.

pub(crate) mod load;
mod table;
pub mod types;

pub use load::{Libraries, Opened};
pub use table::{Functions, Prototype, PROTOTYPES};

use crate::Error;
use std::ffi::{c_char, CStr};
use std::fmt;
use types::{aclError, aclnnStatus, rtError_t};

/// A library of CANN, named by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Library {
    /// Functions `acl..` and `aclrt..`.
    Acl,
    /// Functions `rt..`, which is no public contract.
    Runtime,
    /// Tensors and executors of two-phase operators.
    Operators,
    /// Functions named `aclprof..`.
    Profiler,
}

impl Library {
    pub const ALL: [Library; 4] = [
        Library::Acl,
        Library::Runtime,
        Library::Operators,
        Library::Profiler,
    ];

    /// Returns the files that may have its functions, in the order of the search. Releases from 8.5
    /// on have `libacl_rt.so` and mean to drop `libascendcl.so`; 8.1 has only the latter.
    pub const fn files(self) -> &'static [&'static str] {
        match self {
            Library::Acl => &["libacl_rt.so", "libascendcl.so"],
            Library::Runtime => &["libruntime.so"],
            Library::Operators => &["libnnopbase.so"],
            Library::Profiler => &["libmsprofiler.so"],
        }
    }
}

/// A release of CANN whose headers were read for the table. Releases between two of them were not
/// read: a function may be there earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// CANN release 8.1.RC1.
    V8_1,
    /// CANN release 8.5.0.
    V8_5,
    /// CANN release 9.0.0.
    V9_0,
    /// CANN release 9.1.0, a beta.
    V9_1,
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Release::V8_1 => "8.1.RC1",
            Release::V8_5 => "8.5.0",
            Release::V9_0 => "9.0.0",
            Release::V9_1 => "9.1.0",
        })
    }
}

/// The result type of a function, and the value that a caller gets.
pub trait Answer {
    /// The caller's value; `()` for a code.
    type Value;
    /// Returns the value, or an error of the call for a code that is not 0.
    ///
    /// # Errors
    /// [`Error::Call`].
    fn checked(self, functions: &Functions, call: &'static str) -> Result<Self::Value, Error>;
}

macro_rules! codes {
    ($($t:ty),*) => {$(
        impl Answer for $t {
            type Value = ();
            #[inline]
            fn checked(self, functions: &Functions, call: &'static str) -> Result<(), Error> {
                if self.0 == 0 {
                    return Ok(());
                }
                Err(Error::call(call, self.0, functions.recent_message()))
            }
        }
    )*};
}
codes!(aclError, rtError_t, aclnnStatus);

impl<T> Answer for *const T {
    type Value = *const T;
    fn checked(self, _: &Functions, _: &'static str) -> Result<*const T, Error> {
        Ok(self)
    }
}

/// A null pointer is a failure: functions that return what they made have no code.
impl<T> Answer for *mut T {
    type Value = *mut T;
    fn checked(self, functions: &Functions, call: &'static str) -> Result<*mut T, Error> {
        if self.is_null() {
            return Err(Error::Null {
                call,
                text: functions.recent_message(),
            });
        }
        Ok(self)
    }
}

impl Functions {
    /// Returns CANN's text for this thread's last error; empty where there is none.
    pub fn recent_message(&self) -> String {
        // SAFETY: the function takes nothing.
        match unsafe { self.aclGetRecentErrMsg() } {
            // SAFETY: see `text`; the library keeps the text until this thread's next call, and it
            // is copied here.
            Ok(at) => unsafe { text(at) },
            // A library without this function offers no texts.
            Err(_) => String::new(),
        }
    }
}

/// Copies a text of the library; null gives an empty one.
///
/// # Safety
/// `at` is null or a text that ends with a zero.
pub(crate) unsafe fn text(at: *const c_char) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: the caller promises it (`# Safety` above).
    unsafe { CStr::from_ptr(at) }
        .to_string_lossy()
        .trim()
        .to_string()
}
