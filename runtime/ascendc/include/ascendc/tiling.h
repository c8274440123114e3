// Tiling data, tiling keys and task types on the device side (asc-devkit, docs 工具接口/Tiling相关 and Kernel 侧获取Tiling信息).
//
// In an operator project the toolkit turns the host's definition of the tiling data into a structure for the kernel. Here the host's
// header comes before the kernel (`jumar cpp --tiling`): `register/tilingdata_base.h` gives the structure, and the build names it with
// REGISTER_TILING_DEFAULT.
#ifndef ASCENDC_CPU_TILING_H
#define ASCENDC_CPU_TILING_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
bool TilingKeyIs(uint64_t key);
// A place in GM that a kernel reads with its own structure; stops where it lies outside of the launch's tiling data.
const void *TilingBytes(const void *at, uint64_t bytes);
template <typename T>
ASCENDC_API T ReadTiling(const void *at)
{
    T data;
    std::memcpy(static_cast<void *>(&data), TilingBytes(at, sizeof(T)), sizeof(T));
    return data;
}
// The same of several numbers.
template <typename T, uint32_t count>
struct TilingArray {
    T values[count];
};
} // namespace ascendc_cpu

// The structure that GET_TILING_DATA reads, for what follows in a file or in a kernel.
#define REGISTER_TILING_DEFAULT(Struct) using ascendc_cpu_default_tiling [[maybe_unused]] = Struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, Struct)                                                                 \
    static_assert(sizeof(Struct) > 0, "the structure is chosen by GET_TILING_DATA_WITH_STRUCT")
// Nothing for the compiler, with a semicolon or without.
#define REGISTER_NONE_TILING

// They end with a semicolon of their own, as those of the toolkit do.
#define GET_TILING_DATA(name, tiling) auto name = ascendc_cpu::ReadTiling<ascendc_cpu_default_tiling>(tiling);
#define GET_TILING_DATA_WITH_STRUCT(Struct, name, tiling) Struct name = ascendc_cpu::ReadTiling<Struct>(tiling);
#define GET_TILING_DATA_MEMBER(Struct, member, name, tiling)                                                              \
    auto name = ascendc_cpu::ReadTiling<Struct>(tiling).member;
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, name, tiling)                                                             \
    const Struct *name = static_cast<const Struct *>(ascendc_cpu::TilingBytes(tiling, sizeof(Struct)));

// A copy of a part of the tiling data, and a pointer to it.
#define COPY_TILING_WITH_STRUCT(Struct, source, name)                                                                     \
    const Struct ascendcCpuCopy##name = ascendc_cpu::ReadTiling<Struct>(source);                                          \
    const Struct *name = &ascendcCpuCopy##name;
#define COPY_TILING_WITH_ARRAY(Type, count, source, name)                                                                 \
    const auto ascendcCpuCopy##name = ascendc_cpu::ReadTiling<ascendc_cpu::TilingArray<Type, count>>(source);             \
    const Type(*name)[count] = &ascendcCpuCopy##name.values;
// What a pointer to tiling data is qualified with.
#define __tiling_data_ptr__ const

#define TILING_KEY_IS(key) ascendc_cpu::TilingKeyIs(key)

// What a kernel runs on. Said for the toolkit; this build runs every kernel on vector cores.
enum KernelTaskType {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2,
    KERNEL_TYPE_AICORE,
    KERNEL_TYPE_VECTORCORE,
    KERNEL_TYPE_MIX_AICORE,
    KERNEL_TYPE_MIX_VECTOR_CORE,
};
namespace ascendc_cpu {
constexpr bool NeedsCubeCore(KernelTaskType type)
{
    return type == KERNEL_TYPE_AIC_ONLY || type == KERNEL_TYPE_MIX_AIC_1_0 || type == KERNEL_TYPE_MIX_AIC_1_1 || type == KERNEL_TYPE_MIX_AIC_1_2;
}
} // namespace ascendc_cpu
// For the toolkit's compiler they are nothing: they may be anywhere, and need no semicolon.
#define KERNEL_TASK_TYPE_DEFAULT(type)                                                                                    \
    static_assert(!ascendc_cpu::NeedsCubeCore(type),                                                                      \
        "this build runs vector cores; a kernel that needs a cube core has no meaning in it yet");
#define KERNEL_TASK_TYPE(key, type) KERNEL_TASK_TYPE_DEFAULT(type)

// Numbers of the element types, for DTYPE conventions of operator projects: the build passes -DDTYPE_X=half and
// -DORIG_DTYPE_X=DT_FLOAT16 (kernel_type.h).
#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_STRING 13
#define DT_COMPLEX64 16
#define DT_COMPLEX128 17
#define DT_QINT8 18
#define DT_QINT16 19
#define DT_QINT32 20
#define DT_QUINT8 21
#define DT_QUINT16 22
#define DT_BF16 27
#define DT_INT4 29
#define DT_UINT1 30
#define DT_INT2 31
#define DT_UINT2 32
#define DT_COMPLEX32 33
#define FORMAT_NCHW 0
#define FORMAT_NHWC 1
#define FORMAT_ND 2
#define FORMAT_NC1HWC0 3
#define FORMAT_FRACTAL_Z 4
#define FORMAT_NC1HWC0_C04 12
#define FORMAT_CHWN 14
#define FORMAT_HWCN 16
#define FORMAT_NDHWC 27
#define FORMAT_FRACTAL_NZ 29
#define FORMAT_NCDHW 30
#define FORMAT_DHWCN 31
#define FORMAT_NDC1HWC0 32
#define FORMAT_FRACTAL_Z_3D 33
#define FORMAT_CN 34
#define FORMAT_NC 35
#define FORMAT_DHWNC 36
#define FORMAT_NCL 47

#endif
