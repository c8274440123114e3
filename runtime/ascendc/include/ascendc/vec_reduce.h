// Reductions (asc-devkit, include/basic_api/kernel_operator_vec_reduce_intf.h; 归约计算 pages). The names of CANN 8
// (WholeReduce, BlockReduce, PairReduce, RepeatReduce) and of CANN 9 (ReduceRepeat, ReduceDataBlock, ReducePairElem).
#ifndef ASCENDC_CPU_VEC_REDUCE_H
#define ASCENDC_CPU_VEC_REDUCE_H

#include "ascendc/vec_unary.h"

namespace AscendC {
enum class ReduceType : uint8_t { SUM, MAX, MIN };
} // namespace AscendC

namespace ascendc_cpu {
using AscendC::ReduceOrder;
using AscendC::ReduceType;

// Strides as the caller gives them: from repeat to repeat of dst, in results of a repeat, and those of src, in data blocks.
struct ReduceStrides {
    int32_t dst_rep;
    int32_t src_blk;
    int32_t src_rep;
};
// Over everything. `counted`: the count form of ReduceSum on 910b adds repeat after repeat.
void Reduce(const char *op, ReduceType type, const Local &dst, const Local &src, const Local &work, const Extent &extent,
    int32_t srcRepStride, bool index, bool counted);
// One result a repeat, a data block, a pair.
void ReduceRepeats(const char *op, ReduceType type, const Local &dst, const Local &src, const Extent &extent,
    const ReduceStrides &strides, ReduceOrder order);
void ReduceBlocks(const char *op, ReduceType type, const Local &dst, const Local &src, const Extent &extent,
    const ReduceStrides &strides);
void ReducePairs(const char *op, const Local &dst, const Local &src, const Extent &extent, const ReduceStrides &strides);
// The sum of all repeats, one after the other, into the register that GetAccVal reads.
void AddUpRepeats(const char *op, const Local &src, const Extent &extent, const ReduceStrides &strides);
uint64_t AccumulatedSum();
uint64_t MaxMinValue();
uint64_t MaxMinIndex();
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_REDUCED(Name) static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float on this chip")

#define ASCENDC_CPU_REDUCE_INDEXED(Name, TYPE)                                                                          \
    template <typename T>                                                                                               \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,  \
        const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0)                    \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::Reduce(#Name, ReduceType::TYPE, dst.View(), src.View(), sharedTmpBuffer.View(),                    \
            ascendc_cpu::Extent::Lanes<true>(mask, repeatTime), srcRepStride, calIndex, false);                         \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,  \
        const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = 0)                 \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::Reduce(#Name, ReduceType::TYPE, dst.View(), src.View(), sharedTmpBuffer.View(),                    \
            ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime), srcRepStride, calIndex, false);                       \
    }                                                                                                                   \
    template <typename T>                                                                                               \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,  \
        const int32_t count, bool calIndex = 0)                                                                         \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::Reduce(#Name, ReduceType::TYPE, dst.View(), src.View(), sharedTmpBuffer.View(),                    \
            ascendc_cpu::Extent::Count(count), 8, calIndex, true);                                                      \
    }
ASCENDC_CPU_REDUCE_INDEXED(ReduceMax, MAX)
ASCENDC_CPU_REDUCE_INDEXED(ReduceMin, MIN)
#undef ASCENDC_CPU_REDUCE_INDEXED

template <typename T>
ASCENDC_API void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
    const int32_t mask, const int32_t repeatTime, const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(ReduceSum);
    ascendc_cpu::Reduce("ReduceSum", ReduceType::SUM, dst.View(), src.View(), sharedTmpBuffer.View(),
        ascendc_cpu::Extent::Lanes<true>(mask, repeatTime), srcRepStride, false, false);
}
template <typename T>
ASCENDC_API void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
    const uint64_t mask[], const int32_t repeatTime, const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(ReduceSum);
    ascendc_cpu::Reduce("ReduceSum", ReduceType::SUM, dst.View(), src.View(), sharedTmpBuffer.View(),
        ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime), srcRepStride, false, false);
}
template <typename T, bool isSetMask = true>
ASCENDC_API void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &sharedTmpBuffer,
    const int32_t count)
{
    ASCENDC_CPU_REDUCED(ReduceSum);
    ascendc_cpu::Reduce("ReduceSum", ReduceType::SUM, dst.View(), src.View(), sharedTmpBuffer.View(),
        ascendc_cpu::Extent::Count<isSetMask>(count), 8, false, true);
}

#define ASCENDC_CPU_WHOLE_REDUCE(Name, TYPE)                                                                            \
    template <typename T, bool isSetMask = true>                                                                        \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask, const int32_t repeatTime, \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,                             \
        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)                                                             \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::ReduceRepeats(#Name, ReduceType::TYPE, dst.View(), src.View(),                                     \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride}, order);                                                                                        \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],                  \
        const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,   \
        ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)                                                             \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::ReduceRepeats(#Name, ReduceType::TYPE, dst.View(), src.View(),                                     \
            ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride}, order);                                                                                        \
    }
ASCENDC_CPU_WHOLE_REDUCE(WholeReduceMax, MAX)
ASCENDC_CPU_WHOLE_REDUCE(WholeReduceMin, MIN)
#undef ASCENDC_CPU_WHOLE_REDUCE

template <typename T, bool isSetMask = true>
ASCENDC_API void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t mask,
    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(WholeReduceSum);
    ascendc_cpu::ReduceRepeats("WholeReduceSum", ReduceType::SUM, dst.View(), src.View(),
        ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride},
        ReduceOrder::ORDER_ONLY_VALUE);
}
template <typename T, bool isSetMask = true>
ASCENDC_API void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[],
    const int32_t repeatTime, const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(WholeReduceSum);
    ascendc_cpu::ReduceRepeats("WholeReduceSum", ReduceType::SUM, dst.View(), src.View(),
        ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride},
        ReduceOrder::ORDER_ONLY_VALUE);
}
// The repeat stands before the mask, and dstBlkStride has no effect (the page of RepeatReduceSum).
template <typename T, bool isSetMask = true>
ASCENDC_API void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime,
    const int32_t mask, const int32_t dstBlkStride, const int32_t srcBlkStride, const int32_t dstRepStride,
    const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(RepeatReduceSum);
    (void)dstBlkStride;
    ascendc_cpu::ReduceRepeats("RepeatReduceSum", ReduceType::SUM, dst.View(), src.View(),
        ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride},
        ReduceOrder::ORDER_ONLY_VALUE);
}

#define ASCENDC_CPU_BLOCK_REDUCE(Name, TYPE)                                                                            \
    template <typename T, bool isSetMask = true>                                                                        \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask, \
        const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)                             \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::ReduceBlocks(#Name, ReduceType::TYPE, dst.View(), src.View(),                                      \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride});       \
    }                                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                        \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime,               \
        const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)      \
    {                                                                                                                   \
        ASCENDC_CPU_REDUCED(Name);                                                                                      \
        ascendc_cpu::ReduceBlocks(#Name, ReduceType::TYPE, dst.View(), src.View(),                                      \
            ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), {dstRepStride, srcBlkStride, srcRepStride});     \
    }
ASCENDC_CPU_BLOCK_REDUCE(BlockReduceSum, SUM)
ASCENDC_CPU_BLOCK_REDUCE(BlockReduceMax, MAX)
ASCENDC_CPU_BLOCK_REDUCE(BlockReduceMin, MIN)
#undef ASCENDC_CPU_BLOCK_REDUCE

template <typename T, bool isSetMask = true>
ASCENDC_API void PairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t mask,
    const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(PairReduceSum);
    ascendc_cpu::ReducePairs("PairReduceSum", dst.View(), src.View(), ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),
        {dstRepStride, srcBlkStride, srcRepStride});
}
template <typename T, bool isSetMask = true>
ASCENDC_API void PairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime,
    const uint64_t mask[], const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
{
    ASCENDC_CPU_REDUCED(PairReduceSum);
    ascendc_cpu::ReducePairs("PairReduceSum", dst.View(), src.View(), ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime),
        {dstRepStride, srcBlkStride, srcRepStride});
}

// The names of CANN 9: mask before repeat.
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true, typename Mask>
ASCENDC_API void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<U> &src, const Mask mask, const int32_t repeatTime,
    const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride,
    ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX)
{
    static_assert(std::is_same<T, U>::value, "on this chip ReduceRepeat gives the element type it takes");
    if constexpr (reduceType == ReduceType::SUM) {
        WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
    } else if constexpr (reduceType == ReduceType::MAX) {
        WholeReduceMax<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
    } else {
        WholeReduceMin<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order);
    }
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true, typename Mask>
ASCENDC_API void ReduceDataBlock(const LocalTensor<T> &dst, const LocalTensor<U> &src, const Mask mask, const int32_t repeatTime,
    const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
{
    static_assert(std::is_same<T, U>::value, "on this chip ReduceDataBlock gives the element type it takes");
    if constexpr (reduceType == ReduceType::SUM) {
        BlockReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
    } else if constexpr (reduceType == ReduceType::MAX) {
        BlockReduceMax<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
    } else {
        BlockReduceMin<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
    }
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true, typename Mask>
ASCENDC_API void ReducePairElem(const LocalTensor<T> &dst, const LocalTensor<U> &src, const Mask mask, const int32_t repeatTime,
    const int32_t dstRepStride, const int32_t srcBlkStride, const int32_t srcRepStride)
{
    static_assert(std::is_same<T, U>::value, "on this chip ReducePairElem gives the element type it takes");
    static_assert(reduceType == ReduceType::SUM, "pairs of elements are added; there is no other reduction of them");
    PairReduceSum<T, isSetMask>(dst, src, repeatTime, mask, dstRepStride, srcBlkStride, srcRepStride);
}
#undef ASCENDC_CPU_REDUCED

// What the last count form of ReduceSum left in its register.
template <typename T>
ASCENDC_API T GetAccVal()
{
    return ascendc_cpu::FromBits<T>(ascendc_cpu::AccumulatedSum());
}
ASCENDC_API int64_t GetAccVal()
{
    return static_cast<int64_t>(ascendc_cpu::AccumulatedSum());
}
template <typename T>
ASCENDC_API T GetReduceRepeatSumSpr()
{
    return ascendc_cpu::FromBits<T>(ascendc_cpu::AccumulatedSum());
}
// What the last reduction to a maximum or minimum left: the value, and the index as the bits of an element.
template <typename T>
ASCENDC_API void GetReduceMaxMinCount(T &maxMinValue, T &maxMinIndex)
{
    maxMinValue = ascendc_cpu::FromBits<T>(ascendc_cpu::MaxMinValue());
    maxMinIndex = ascendc_cpu::FromBits<T>(ascendc_cpu::MaxMinIndex());
}
template <typename T>
ASCENDC_API void GetReduceMaxMinCount(T &maxMinValue)
{
    maxMinValue = ascendc_cpu::FromBits<T>(ascendc_cpu::MaxMinValue());
}
template <typename T>
ASCENDC_API void GetReduceRepeatMaxMinSpr(T &maxMinValue, T &maxMinIndex)
{
    GetReduceMaxMinCount(maxMinValue, maxMinIndex);
}
template <typename T>
ASCENDC_API void GetReduceRepeatMaxMinSpr(T &maxMinValue)
{
    GetReduceMaxMinCount(maxMinValue);
}
} // namespace AscendC

// The sums of repeats under the name of the device compiler, by addresses (LocalTensor::GetPhyAddr) and with the mask registers. With
// mode 1 the sum of all repeats goes to the register of GetAccVal, and dst, which may be null, stays as it is.
template <typename T>
ASCENDC_API void vcadd(__ubuf__ std::common_type_t<T> *dst, __ubuf__ T *src, uint8_t repeat, uint16_t dstRepeatStride,
    uint16_t srcBlockStride, uint16_t srcRepeatStride, bool mode = false)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "vcadd takes half and float");
    if (mode) {
        ascendc_cpu::AddUpRepeats("vcadd", ascendc_cpu::LocalAt<T>(src), ascendc_cpu::Extent::Lanes<false>(0, repeat),
            {dstRepeatStride, srcBlockStride, srcRepeatStride});
        return;
    }
    ascendc_cpu::ReduceRepeats("vcadd", ascendc_cpu::ReduceType::SUM, ascendc_cpu::LocalAt<T>(dst), ascendc_cpu::LocalAt<T>(src),
        ascendc_cpu::Extent::Lanes<false>(0, repeat), {dstRepeatStride, srcBlockStride, srcRepeatStride},
        AscendC::ReduceOrder::ORDER_ONLY_VALUE);
}

#endif
