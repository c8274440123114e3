// Instructions that fill: Duplicate, Brcb, CreateVecIndex (asc-devkit, include/basic_api/kernel_operator_vec_duplicate_intf.h,
// kernel_operator_vec_brcb_intf.h, kernel_struct_brcb.h, kernel_operator_vec_createvecindex_intf.h).
#ifndef ASCENDC_CPU_VEC_FILL_H
#define ASCENDC_CPU_VEC_FILL_H

#include "ascendc/vec_unary.h"

namespace ascendc_cpu {
void Duplicate(const Local &dst, Scalar scalar, const Extent &extent, Stride stride);
void Brcb(const Local &dst, const Local &src, uint32_t repeat, Stride stride);
void CreateVecIndex(const Local &dst, Scalar first, const Extent &extent, Stride stride);
void Progression(const Local &dst, Scalar first, Scalar step, const Extent &extent);

#if __NPU_ARCH__ == 2201
template <typename T>
inline constexpr bool IsFilled = OneOf<T, int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;
#else
template <typename T>
inline constexpr bool IsFilled = OneOf<T, int16_t, uint16_t, half, int32_t, uint32_t, float>;
#endif
} // namespace ascendc_cpu

namespace AscendC {
template <typename T, bool isSetMask = true>
ASCENDC_API void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, uint64_t mask, const uint8_t repeatTime,
    const uint16_t dstBlockStride, const uint8_t dstRepeatStride)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Duplicate takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Duplicate(dst.View(), ascendc_cpu::Scalar::Of(scalarValue), ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),
        {dstBlockStride, dstRepeatStride});
}
template <typename T, bool isSetMask = true>
ASCENDC_API void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, uint64_t mask[], const uint8_t repeatTime,
    const uint16_t dstBlockStride, const uint8_t dstRepeatStride)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Duplicate takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Duplicate(dst.View(), ascendc_cpu::Scalar::Of(scalarValue),
        ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), {dstBlockStride, dstRepeatStride});
}
template <typename T>
ASCENDC_API void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, const int32_t &count)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Duplicate takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Duplicate(dst.View(), ascendc_cpu::Scalar::Of(scalarValue), ascendc_cpu::Extent::Count(count), {1, 8});
}

struct BrcbRepeatParams {
    BrcbRepeatParams() = default;
    BrcbRepeatParams(const uint16_t dstBlkStrideIn, const uint16_t dstRepStrideIn)
        : dstRepStride(dstRepStrideIn), dstBlkStride(dstBlkStrideIn)
    {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
    uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
};
// Eight elements of src a repeat, each fills one data block.
template <typename T>
ASCENDC_API void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const uint8_t repeatTime,
    const BrcbRepeatParams &repeatParams)
{
    static_assert(ascendc_cpu::IsFilled<T>, "Brcb takes 16- and 32-bit element types on this chip");
    ascendc_cpu::Brcb(dst.View(), src0.View(), repeatTime, {repeatParams.dstBlkStride, repeatParams.dstRepStride});
}

// firstValue, firstValue + 1, ...
template <typename T>
ASCENDC_API void CreateVecIndex(LocalTensor<T> dst, const T &firstValue, uint64_t mask, uint8_t repeatTime, uint16_t dstBlkStride,
    uint8_t dstRepStride)
{
    static_assert(ascendc_cpu::OneOf<T, int16_t, half, int32_t, float>, "CreateVecIndex takes int16_t, half, int32_t and float");
    ascendc_cpu::CreateVecIndex(dst.View(), ascendc_cpu::Scalar::Of(firstValue), ascendc_cpu::Extent::Lanes<true>(mask, repeatTime),
        {dstBlkStride, dstRepStride});
}
template <typename T>
ASCENDC_API void CreateVecIndex(LocalTensor<T> &dst, const T &firstValue, uint64_t mask[], uint8_t repeatTime,
    uint16_t dstBlkStride, uint8_t dstRepStride)
{
    static_assert(ascendc_cpu::OneOf<T, int16_t, half, int32_t, float>, "CreateVecIndex takes int16_t, half, int32_t and float");
    ascendc_cpu::CreateVecIndex(dst.View(), ascendc_cpu::Scalar::Of(firstValue), ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime),
        {dstBlkStride, dstRepStride});
}
template <typename T>
ASCENDC_API void CreateVecIndex(LocalTensor<T> dst, const T &firstValue, uint32_t count)
{
    static_assert(ascendc_cpu::OneOf<T, int16_t, half, int32_t, float>, "CreateVecIndex takes int16_t, half, int32_t and float");
    ascendc_cpu::CreateVecIndex(dst.View(), ascendc_cpu::Scalar::Of(firstValue), ascendc_cpu::Extent::Count(count), {1, 8});
}
// firstValue, firstValue + diffValue, ...: the advanced API, by its names in CANN 8 and 9.
template <typename T>
ASCENDC_API void ArithProgression(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count)
{
    static_assert(ascendc_cpu::OneOf<T, int16_t, half, int32_t, float>, "ArithProgression takes int16_t, half, int32_t and float");
    ascendc_cpu::Progression(dst.View(), ascendc_cpu::Scalar::Of(firstValue), ascendc_cpu::Scalar::Of(diffValue),
        ascendc_cpu::Extent::Count(count));
}
template <typename T>
ASCENDC_API void Arange(const LocalTensor<T> &dst, const T firstValue, const T diffValue, const int32_t count)
{
    ArithProgression(dst, firstValue, diffValue, count);
}
} // namespace AscendC

#endif
