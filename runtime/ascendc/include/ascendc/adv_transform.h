// Of the advanced API what moves data: BroadCast and InitOutput (asc-devkit, 张量变换 pages), element by element in meaning.
#ifndef ASCENDC_CPU_ADV_TRANSFORM_H
#define ASCENDC_CPU_ADV_TRANSFORM_H

#include "ascendc/adv_space.h"
#include "ascendc/vec_fill.h"

namespace ascendc_cpu {
// Shapes of one axis have 1 as the second. Without `tmp` the space is what TPipe has left of UB.
struct Shapes {
    uint32_t dst[2];
    uint32_t src[2];
};
void BroadcastAxis(const char *op, const Local &dst, const Local &src, const Shapes &shapes, uint32_t axis, const Local *tmp);
void BroadcastByTiling();
void FillGlobal(const Global &dst, uint64_t count, Scalar value);
} // namespace ascendc_cpu

namespace AscendC {
// src has the shape of dst, but 1 on `axis`; or it is one element, or all of dst. Broadcast is the name of CANN 9.
#define ASCENDC_CPU_BROADCAST(Name)                                                                                      \
    template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],  \
        const uint32_t srcShape[dim])                                                                                    \
    {                                                                                                                    \
        ASCENDC_CPU_BROADCAST_TAKES(Name);                                                                               \
        ascendc_cpu::BroadcastAxis(#Name, dstLocal.View(), srcLocal.View(),                                              \
            {{dstShape[0], dim == 2 ? dstShape[dim - 1] : 1}, {srcShape[0], dim == 2 ? srcShape[dim - 1] : 1}}, axis, nullptr); \
    }                                                                                                                    \
    template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dstShape[dim],  \
        const uint32_t srcShape[dim], LocalTensor<uint8_t> &sharedTmpBuffer)                                             \
    {                                                                                                                    \
        ASCENDC_CPU_BROADCAST_TAKES(Name);                                                                               \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::BroadcastAxis(#Name, dstLocal.View(), srcLocal.View(),                                              \
            {{dstShape[0], dim == 2 ? dstShape[dim - 1] : 1}, {srcShape[0], dim == 2 ? srcShape[dim - 1] : 1}}, axis, &tmp); \
    }
#define ASCENDC_CPU_BROADCAST_TAKES(Name)                                                                                \
    static_assert(dim == 1 || dim == 2, #Name " has one or two axes");                                                   \
    static_assert(axis == 0 || (dim == 2 && axis == 1), "the axis is 0, or 1 of two");                                   \
    static_assert(ascendc_cpu::OneOf<T, int8_t, uint8_t, half, float>, #Name " takes int8_t, uint8_t, half and float")
ASCENDC_CPU_BROADCAST(BroadCast)
ASCENDC_CPU_BROADCAST(Broadcast)
#undef ASCENDC_CPU_BROADCAST_TAKES
#undef ASCENDC_CPU_BROADCAST

// Of shapes that only the run knows (adv_api/pad/broadcast.h): on these chips both bodies are empty, and the call is a mistake.
struct BroadcastTiling {
    uint32_t oriRank;
    uint32_t rank;
    uint32_t dstSize;
    uint32_t srcSize;
    uint32_t loopNum = 0;
    uint32_t oriSrcShape[9];
    uint32_t oriDstShape[9];
    uint32_t dstShape[9];
    uint32_t dstStride[9];
    uint32_t srcStride[10];
};
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr, uint32_t *constSrcShape = nullptr>
ASCENDC_API void GetBroadcastTilingInfo(
    uint32_t rank, const uint32_t *dstShape, const uint32_t *srcShape, bool srcInnerPad, BroadcastTiling &tiling)
{
    (void)rank, (void)dstShape, (void)srcShape, (void)srcInnerPad, (void)tiling;
}
template <typename T, int constRank = -1, uint32_t *constDstShape = nullptr, uint32_t *constSrcShape = nullptr,
    bool constSrcInnerPad = false>
ASCENDC_API void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t *dstShape, const uint32_t *srcShape,
    BroadcastTiling *tiling)
{
    (void)dst, (void)src, (void)dstShape, (void)srcShape, (void)tiling;
    ascendc_cpu::BroadcastByTiling();
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
