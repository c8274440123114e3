//! Types of the C interface: their form in Rust and their names in C.
//!
//! Handles, codes and enums are distinct types, so that a stream is no event and a code no count.
//! An enum is a number with named values, since a library may return one that this table does not
//! know yet. Sizes and layouts are those of a 64-bit host. `tests/facts.rs` compares all of this
//! with a table of facts that was transcribed separately.

#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    non_snake_case,
    missing_docs
)]

use std::ffi::{c_char, c_void};
use std::fmt;

/// A type with a name in C.
pub trait CType {
    /// Returns the name as in a prototype: `const char*`.
    fn spelled() -> String;
}

impl<T: CType> CType for *const T {
    fn spelled() -> String {
        // The `const` of a pointer to a pointer stands after the inner `*`.
        let of = T::spelled();
        if of.ends_with('*') {
            format!("{of} const*")
        } else {
            format!("const {of}*")
        }
    }
}
impl<T: CType> CType for *mut T {
    fn spelled() -> String {
        format!("{}*", T::spelled())
    }
}

macro_rules! spelled {
    ($($t:ty => $c:literal),* $(,)?) => {$(
        impl CType for $t {
            fn spelled() -> String {
                $c.to_string()
            }
        }
    )*};
}
spelled! {
    c_void => "void", c_char => "char", bool => "bool", f32 => "float", i32 => "int32_t", u32 => "uint32_t", i64 => "int64_t",
    u64 => "uint64_t", usize => "size_t",
}

/// Defines result codes: a number as a distinct type.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub i32);
        impl CType for $name {
            fn spelled() -> String {
                stringify!($name).to_string()
            }
        }
    )*};
}
codes! {
    /// The result code of `acl..`.
    aclError,
    /// The result code of `aclnn..` and of the functions of tensors.
    aclnnStatus,
    /// The result code of `rt..`.
    rtError_t,
}

/// Defines a pointer to an object that only the library knows.
macro_rules! handles {
    ($($name:ident),* $(,)?) => {$(
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name(pub *mut c_void);
        impl $name {
            /// The null handle.
            pub const NULL: $name = $name(std::ptr::null_mut());
            /// True for the null handle.
            pub fn is_null(self) -> bool {
                self.0.is_null()
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({:p})"), self.0)
            }
        }
        impl CType for $name {
            fn spelled() -> String {
                stringify!($name).to_string()
            }
        }
    )*};
}
handles! {
    aclrtContext, aclrtStream, aclrtEvent, aclrtBinary, aclrtBinHandle, aclrtFuncHandle, aclrtArgsHandle, aclrtParamHandle, rtStream_t,
}

/// Defines structures that are used by pointer only.
macro_rules! opaque {
    ($($name:ident),* $(,)?) => {$(
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
        }
        impl CType for $name {
            fn spelled() -> String {
                stringify!($name).to_string()
            }
        }
    )*};
}
opaque! {
    aclTensor, aclScalar, aclIntArray, aclFloatArray, aclBoolArray, aclTensorList, aclScalarList, aclOpExecutor, aclprofConfig,
    aclprofAicoreEvents, rtSmDesc_t,
}

/// Defines an enum of C with the values that we use.
macro_rules! enums {
    ($($name:ident { $($value:ident = $number:literal),* $(,)? })*) => {
        $(
            #[repr(transparent)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub struct $name(pub i32);
            impl $name {
                $(pub const $value: $name = $name($number);)*
            }
            impl CType for $name {
                fn spelled() -> String {
                    stringify!($name).to_string()
                }
            }
        )*
        /// Every named value: enum, name, number.
        pub static ENUM_VALUES: &[(&str, &str, i64)] = &[$($((stringify!($name), stringify!($value), $number)),*),*];
    };
}
enums! {
    aclDataType {
        ACL_FLOAT = 0, ACL_FLOAT16 = 1, ACL_INT8 = 2, ACL_INT32 = 3, ACL_UINT8 = 4, ACL_INT16 = 6, ACL_UINT16 = 7, ACL_UINT32 = 8,
        ACL_INT64 = 9, ACL_UINT64 = 10, ACL_DOUBLE = 11, ACL_BOOL = 12, ACL_BF16 = 27,
    }
    aclFormat { ACL_FORMAT_NCHW = 0, ACL_FORMAT_NHWC = 1, ACL_FORMAT_ND = 2 }
    aclrtRunMode { ACL_DEVICE = 0, ACL_HOST = 1 }
    aclrtMemcpyKind {
        ACL_MEMCPY_HOST_TO_HOST = 0, ACL_MEMCPY_HOST_TO_DEVICE = 1, ACL_MEMCPY_DEVICE_TO_HOST = 2, ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
    }
    aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST = 0, ACL_MEM_MALLOC_HUGE_ONLY = 1, ACL_MEM_MALLOC_NORMAL_ONLY = 2 }
    aclrtMemAttr { ACL_DDR_MEM = 0, ACL_HBM_MEM = 1 }
    aclDeviceInfo { ACL_DEVICE_INFO_AI_CORE_NUM = 0, ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1, ACL_DEVICE_INFO_L2_SIZE = 2 }
    aclrtDevAttr {
        ACL_DEV_ATTR_AICORE_CORE_NUM = 101, ACL_DEV_ATTR_CUBE_CORE_NUM = 102, ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
        ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301, ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
        ACL_DEV_ATTR_NPU_ARCH = 601,
    }
    aclrtStreamStatus { ACL_STREAM_STATUS_COMPLETE = 0, ACL_STREAM_STATUS_NOT_READY = 1 }
    aclrtEventRecordedStatus { ACL_EVENT_RECORDED_STATUS_NOT_READY = 0, ACL_EVENT_RECORDED_STATUS_COMPLETE = 1 }
    aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 }
    aclrtBinaryLoadOptionType { ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1, ACL_RT_BINARY_LOAD_OPT_MAGIC = 2 }
    aclrtLaunchKernelAttrId {
        ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1, ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3, ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
    }
    aclrtFloatOverflowMode { ACL_RT_OVERFLOW_MODE_SATURATION = 0, ACL_RT_OVERFLOW_MODE_INFNAN = 1 }
    aclprofAicoreMetrics {
        ACL_AICORE_ARITHMETIC_UTILIZATION = 0, ACL_AICORE_PIPE_UTILIZATION = 1, ACL_AICORE_MEMORY_BANDWIDTH = 2, ACL_AICORE_L0B_AND_WIDTH = 3,
        ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4, ACL_AICORE_MEMORY_UB = 5, ACL_AICORE_L2_CACHE = 6, ACL_AICORE_MEMORY_ACCESS = 8,
        ACL_AICORE_NONE = 0xFF,
    }
}

/// Defines flags and magic numbers, which have no enum in C.
macro_rules! constants {
    ($($name:ident: $t:ty = $value:literal),* $(,)?) => {
        $(pub const $name: $t = $value;)*
        /// All constants: name, number.
        pub static CONSTANTS: &[(&str, i64)] = &[$((stringify!($name), $value)),*];
    };
}
constants! {
    ACL_EVENT_SYNC: u32 = 0x1,
    ACL_EVENT_TIME_LINE: u32 = 0x8,
    ACL_STREAM_FAST_LAUNCH: u32 = 0x1,
    ACL_STREAM_FAST_SYNC: u32 = 0x2,
    ACL_RT_BINARY_MAGIC_ELF_AICORE: u32 = 0x4355_4245,
    ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE: u32 = 0x4141_5246,
    ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE: u32 = 0x4149_4343,
    ACL_PROF_ACL_API: u64 = 0x1,
    ACL_PROF_TASK_TIME: u64 = 0x2,
    ACL_PROF_AICORE_METRICS: u64 = 0x4,
}

/// Defines a structure of C, with the offset of each member for the test that compares it with the
/// facts.
macro_rules! structs {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $t:ty),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            pub struct $name {
                $(pub $field: $t,)*
            }
            impl CType for $name {
                fn spelled() -> String {
                    stringify!($name).to_string()
                }
            }
        )*
        /// All structures: name, size, alignment, members with their offsets.
        pub static STRUCTS: &[(&str, usize, usize, &[(&str, usize)])] = &[$((
            stringify!($name),
            size_of::<$name>(),
            align_of::<$name>(),
            &[$((stringify!($field), std::mem::offset_of!($name, $field))),*],
        )),*];
    };
}
structs! {
    /// `value` is a union of four words: the first one holds `isLazyLoad` or `magic`.
    aclrtBinaryLoadOption { r#type: aclrtBinaryLoadOptionType, value: [u32; 4] }
    aclrtBinaryLoadOptions { options: *mut aclrtBinaryLoadOption, numOpt: usize }
    /// `value` is a union of four words, whose smaller members begin at its first byte.
    aclrtLaunchKernelAttr { id: aclrtLaunchKernelAttrId, value: [u32; 4] }
    aclrtLaunchKernelCfg { attrs: *mut aclrtLaunchKernelAttr, numAttrs: usize }
    aclrtPlaceHolderInfo { addrOffset: u32, dataOffset: u32 }
    rtDevBinary_t { magic: u32, version: u32, data: *const c_void, length: u64 }
}
