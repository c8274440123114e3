// Of the advanced API what moves data: BroadCast and InitOutput (asc-devkit, 张量变换 pages), element by element in meaning.
#ifndef ASCENDC_CPU_ADV_TRANSFORM_H
#define ASCENDC_CPU_ADV_TRANSFORM_H

#include "ascendc/vec_fill.h"

namespace ascendc_cpu {
void BroadcastAxis(const Local &dst, const Local &src, uint32_t outer, uint32_t count, uint32_t inner);
void FillGlobal(const Global &dst, uint64_t count, Scalar value);
} // namespace ascendc_cpu

namespace AscendC {
// src has the shape of dst, but 1 on `axis`.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
ASCENDC_API void BroadCast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
    const uint32_t srcShape[dim])
{
    static_assert(dim == 1 || dim == 2, "BroadCast has one or two axes");
    static_assert(axis == 0 || (dim == 2 && axis == 1), "the axis is 0, or 1 of two");
    static_assert(ascendc_cpu::OneOf<T, int8_t, uint8_t, half, float>, "BroadCast takes int8_t, uint8_t, half and float");
    (void)srcShape;
    const uint32_t inner = dim == 2 && axis == 0 ? dstShape[1] : 1;
    const uint32_t outer = axis == 1 ? dstShape[0] : 1;
    ascendc_cpu::BroadcastAxis(dstLocal.View(), srcLocal.View(), outer, dstShape[axis], inner);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
ASCENDC_API void BroadCast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
    const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer)
{
    (void)sharedTmpBuffer;
    BroadCast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape);
}
// Its name in CANN 9.
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
ASCENDC_API void Broadcast(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],
    const uint32_t srcShape[dim])
{
    BroadCast<T, dim, axis, isReuseSource>(dstLocal, srcLocal, dstShape, srcShape);
}

// A part of GM becomes one value: Duplicate in UB, then copies by MTE3.
template <typename T>
ASCENDC_API void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = 0)
{
    static_assert(ascendc_cpu::OneOf<T, uint16_t, int16_t, half, uint32_t, int32_t, float>, "InitOutput takes 16- and 32-bit element types");
    ascendc_cpu::FillGlobal(gmWorkspaceAddr.View(), size, ascendc_cpu::Scalar::Of(value));
}
// The names of CANN 9.
template <typename T>
ASCENDC_API void InitGlobalMemory(GlobalTensor<T> &gmWorkspaceAddr, const uint64_t size, const T value)
{
    InitOutput<T>(gmWorkspaceAddr, static_cast<uint32_t>(size), value);
}
template <typename T>
ASCENDC_API void Fill(GlobalTensor<T> &gmWorkspaceAddr, const uint64_t size, const T value)
{
    InitOutput<T>(gmWorkspaceAddr, static_cast<uint32_t>(size), value);
}
} // namespace AscendC

#endif
