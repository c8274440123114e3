// Gather, Gatherb, GatherMask and Scatter (asc-devkit, include/basic_api/kernel_operator_vec_gather_intf.h,
// kernel_operator_vec_gather_mask_intf.h, kernel_operator_vec_scatter_intf.h, kernel_struct_gather.h).
#ifndef ASCENDC_CPU_VEC_GATHER_H
#define ASCENDC_CPU_VEC_GATHER_H

#include "ascendc/vec_fill.h"

namespace AscendC {
struct GatherRepeatParams {
    GatherRepeatParams() = default;
    GatherRepeatParams(const uint8_t dstBlkStrideIn, const uint8_t dstRepStrideIn)
        : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn)
    {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src0BlkStride = DEFAULT_BLK_STRIDE; // the four of the sources are not read
    uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
};
struct GatherMaskParams {
    GatherMaskParams() = default;
    GatherMaskParams(const uint8_t src0BlockStrideIn, const uint16_t repeatTimesIn, const uint16_t src0RepeatStrideIn,
        const uint8_t src1RepeatStrideIn)
        : src0BlockStride(src0BlockStrideIn), repeatTimes(repeatTimesIn), src0RepeatStride(src0RepeatStrideIn),
          src1RepeatStride(src1RepeatStrideIn)
    {}
    uint8_t src0BlockStride = DEFAULT_BLK_STRIDE;
    uint16_t repeatTimes = 0;
    uint16_t src0RepeatStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};
} // namespace AscendC

namespace ascendc_cpu {
// Element i of dst is the one `base + offsets[i]` bytes behind the start of src.
void Gather(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Extent &extent, uint16_t dstRepStride);
// Element i of src goes `base + offsets[i]` bytes behind the start of dst.
void Scatter(const Local &dst, const Local &src, const Local &offsets, uint32_t base, const Extent &extent, uint8_t srcRepStride);
// Data block i of dst is the one `offsets[i]` bytes behind the start of src.
void GatherBlocks(const Local &dst, const Local &src, const Local &offsets, uint8_t repeat, Stride stride);
// The elements of src that a pattern takes, without gaps. `mask` elements of a repeat count where `reduce` holds, on 310p
// of all repeats, which follow from it.
uint64_t GatherMasked(const Local &dst, const Local &src, const Local *pattern, uint8_t builtin, bool reduce, uint32_t mask,
    uint32_t repeat, Stride stride, uint32_t pattern_step);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T>
ASCENDC_API void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
    const uint32_t srcBaseAddr, const uint32_t count)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Gather takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Gather(dst.View(), src.View(), srcOffset.View(), srcBaseAddr, ascendc_cpu::Extent::Count(count), 8);
}
template <typename T>
ASCENDC_API void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
    const uint32_t srcBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint16_t dstRepStride)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Gather takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Gather(dst.View(), src.View(), srcOffset.View(), srcBaseAddr, ascendc_cpu::Extent::Lanes<true>(mask, repeatTime),
        dstRepStride);
}
template <typename T>
ASCENDC_API void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset,
    const uint32_t srcBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint16_t dstRepStride)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Gather takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Gather(dst.View(), src.View(), srcOffset.View(), srcBaseAddr, ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime),
        dstRepStride);
}
#if __NPU_ARCH__ == 2201
template <typename T>
ASCENDC_API void Gatherb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &offset,
    const uint8_t repeatTime, const GatherRepeatParams &repeatParams)
{
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "Gatherb takes 16- and 32-bit element types");
    ascendc_cpu::GatherBlocks(dst.View(), src0.View(), offset.View(), repeatTime, {repeatParams.dstBlkStride, repeatParams.dstRepStride});
}
#endif
template <typename T, typename U>
ASCENDC_API void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1Pattern,
    const bool reduceMode, const uint32_t mask, const GatherMaskParams &p, uint64_t &rsvdCnt)
{
    static_assert(ascendc_cpu::IsFilled<T> && std::is_unsigned<U>::value && sizeof(T) == sizeof(U),
        "GatherMask takes 16-bit elements with a pattern of uint16_t, and 32-bit ones with uint32_t");
    rsvdCnt = ascendc_cpu::GatherMasked(dst.View(), src0.View(), &src1Pattern.View(), 0, reduceMode, mask, p.repeatTimes,
        {p.src0BlockStride, p.src0RepeatStride}, p.src1RepeatStride);
}
// Patterns 1 even, 2 odd, 3 to 6 element 0 to 3 of each four, 7 all.
template <typename T>
ASCENDC_API void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t src1Pattern, const bool reduceMode,
    const uint32_t mask, const GatherMaskParams &p, uint64_t &rsvdCnt)
{
    static_assert(ascendc_cpu::IsFilled<T>, "GatherMask takes 16- and 32-bit element types");
    rsvdCnt = ascendc_cpu::GatherMasked(dst.View(), src0.View(), nullptr, src1Pattern, reduceMode, mask, p.repeatTimes,
        {p.src0BlockStride, p.src0RepeatStride}, 0);
}

#if __NPU_ARCH__ == 2002
template <typename T>
ASCENDC_API void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset,
    const uint32_t dstBaseAddr, const uint32_t count)
{
    static_assert(ascendc_cpu::OneOf<T, uint16_t, half, uint32_t, float>, "Scatter takes uint16_t, half, uint32_t and float");
    ascendc_cpu::Scatter(dst.View(), src.View(), dstOffset.View(), dstBaseAddr, ascendc_cpu::Extent::Count(count), 8);
}
template <typename T>
ASCENDC_API void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset,
    const uint32_t dstBaseAddr, const uint64_t mask, const uint8_t repeatTime, const uint8_t srcRepStride)
{
    static_assert(ascendc_cpu::OneOf<T, uint16_t, half, uint32_t, float>, "Scatter takes uint16_t, half, uint32_t and float");
    ascendc_cpu::Scatter(dst.View(), src.View(), dstOffset.View(), dstBaseAddr, ascendc_cpu::Extent::Lanes<true>(mask, repeatTime),
        srcRepStride);
}
template <typename T>
ASCENDC_API void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &dstOffset,
    const uint32_t dstBaseAddr, const uint64_t mask[], const uint8_t repeatTime, const uint8_t srcRepStride)
{
    static_assert(ascendc_cpu::OneOf<T, uint16_t, half, uint32_t, float>, "Scatter takes uint16_t, half, uint32_t and float");
    ascendc_cpu::Scatter(dst.View(), src.View(), dstOffset.View(), dstBaseAddr, ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime),
        srcRepStride);
}
#endif
} // namespace AscendC

#endif
