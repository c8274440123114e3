// Sorting (asc-devkit, include/basic_api/kernel_operator_proposal_intf.h, kernel_struct_proposal.h; 排序组合 pages). On 910b and A3 what is
// sorted are pairs of 8 bytes: the score, for half with two bytes behind it, and a uint32_t. On the inference products they are region
// proposals of eight elements: x1, y1, x2, y2, score, label, and two that are left free.
#ifndef ASCENDC_CPU_VEC_SORT_H
#define ASCENDC_CPU_VEC_SORT_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
// With `tmp` all of them in one order, else those of each repeat.
void SortPairs(const char *op, const Local &dst, const Local &scores, const Local &indices, const Local *tmp, int32_t repeat);
// Without indices (no bytes) the labels stay.
void SortProposals(const char *op, const Local &dst, const Local &src, const Local &indices, const Local *tmp, int32_t repeat);
void CheckConcat(int32_t repeat);
void ExtractSorted(const Local &values, const Local &indices, const Local &sorted, int32_t repeat);
void MoveProposalElements(const char *op, const Local &dst, const Local &src, int32_t repeat, int32_t element, bool into);
struct SortedLists {
    Local lists[4];
    uint16_t lengths[4];
    uint16_t valid;
    uint16_t repeat;
    bool suspend;
};
void MergeSorted(const char *op, const Local &dst, const SortedLists &sorted);
void MergedCounts(uint16_t (&counts)[4]);
} // namespace ascendc_cpu

namespace AscendC {
constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;
struct MrgSort4Info {
    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t elementLengthsIn[MRG_SORT_ELEMENT_LEN], const bool ifExhaustedSuspensionIn, const uint16_t validBitIn,
        const uint16_t repeatTimesIn)
        : ifExhaustedSuspension(ifExhaustedSuspensionIn), validBit(validBitIn), repeatTimes(repeatTimesIn)
    {
        for (int32_t i = 0; i < MRG_SORT_ELEMENT_LEN; ++i) {
            elementLengths[i] = elementLengthsIn[i];
        }
    }
    uint16_t elementLengths[MRG_SORT_ELEMENT_LEN] = {0};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0;
    uint16_t repeatTimes = 1;
};
template <typename T>
struct MrgSortSrcList {
    MrgSortSrcList() = default;
    ASCENDC_API MrgSortSrcList(const LocalTensor<T> &src1In, const LocalTensor<T> &src2In, const LocalTensor<T> &src3In,
        const LocalTensor<T> &src4In)
        : src1(src1In), src2(src2In), src3(src3In), src4(src4In)
    {}
    LocalTensor<T> src1;
    LocalTensor<T> src2;
    LocalTensor<T> src3;
    LocalTensor<T> src4;
};

} // namespace AscendC

namespace ascendc_cpu {
template <typename T>
ASCENDC_API void MergeLists(const char *op, const Local &dst, const AscendC::MrgSortSrcList<T> &src, const AscendC::MrgSort4Info &params)
{
    SortedLists sorted{{src.src1.View(), src.src2.View(), src.src3.View(), src.src4.View()}, {}, params.validBit, params.repeatTimes,
        params.ifExhaustedSuspension};
    for (int32_t i = 0; i < AscendC::MRG_SORT_ELEMENT_LEN; ++i) {
        sorted.lengths[i] = params.elementLengths[i];
    }
    MergeSorted(op, dst, sorted);
}
} // namespace ascendc_cpu

namespace AscendC {
#if __NPU_ARCH__ == 2201
// 32 scores and indices a repeat, to pairs in falling order; equal scores keep their order.
template <typename T>
ASCENDC_API void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src1, const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Sort32 takes half and float");
    ascendc_cpu::SortPairs("Sort32", dst.View(), src0.View(), src1.View(), nullptr, repeatTime);
}
// Up to four lists of pairs in falling order to one.
template <typename T>
ASCENDC_API void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "MrgSort takes half and float");
    ascendc_cpu::MergeLists("MrgSort", dst.View(), src, params);
}
#else
// 16 proposals a repeat in falling order of their scores; equal scores keep their order.
template <typename T>
ASCENDC_API void RpSort16(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "RpSort16 takes half and float");
    ascendc_cpu::SortProposals("RpSort16", dst.View(), src.View(), {}, nullptr, repeatTime);
}
// Up to four lists of proposals in falling order to one.
template <typename T>
ASCENDC_API void MrgSort4(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "MrgSort4 takes half and float");
    ascendc_cpu::MergeLists("MrgSort4", dst.View(), src, params);
}
// 16 elements a repeat into element `modeNumber` of 16 proposals, and out of it.
template <typename T>
ASCENDC_API void ProposalConcat(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t modeNumber)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "ProposalConcat takes half and float");
    ascendc_cpu::MoveProposalElements("ProposalConcat", dst.View(), src.View(), repeatTime, modeNumber, true);
}
template <typename T>
ASCENDC_API void ProposalExtract(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t repeatTime, const int32_t modeNumber)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "ProposalExtract takes half and float");
    ascendc_cpu::MoveProposalElements("ProposalExtract", dst.View(), src.View(), repeatTime, modeNumber, false);
}
#endif
// What is sorted, as Sort takes it: on 910b and A3 the scores themselves, on the inference products proposals that `tmp` becomes.
template <typename T>
ASCENDC_API void Concat(LocalTensor<T> &concat, const LocalTensor<T> &src, const LocalTensor<T> &tmp, const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Concat takes half and float");
#if __NPU_ARCH__ == 2201
    (void)tmp;
    ascendc_cpu::CheckConcat(repeatTime);
    concat = src;
#else
    ascendc_cpu::MoveProposalElements("Concat", tmp.View(), src.View(), repeatTime, 4, true);
    concat = tmp;
#endif
}
// All in falling order, or those of each repeat (32 pairs, 16 proposals); equal scores keep their order.
template <typename T, bool isFullSort>
ASCENDC_API void Sort(const LocalTensor<T> &dst, const LocalTensor<T> &concat, const LocalTensor<uint32_t> &index, LocalTensor<T> &tmp,
    const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Sort takes half and float");
    const ascendc_cpu::Local space = tmp.View();
#if __NPU_ARCH__ == 2201
    ascendc_cpu::SortPairs("Sort", dst.View(), concat.View(), index.View(), isFullSort ? &space : nullptr, repeatTime);
#else
    ascendc_cpu::SortProposals("Sort", dst.View(), concat.View(), index.View(), isFullSort ? &space : nullptr, repeatTime);
#endif
}
// The scores and the indices of what Sort has sorted.
template <typename T>
ASCENDC_API void Extract(const LocalTensor<T> &dstValue, const LocalTensor<uint32_t> &dstIndex, const LocalTensor<T> &sorted,
    const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Extract takes half and float");
    ascendc_cpu::ExtractSorted(dstValue.View(), dstIndex.View(), sorted.View(), repeatTime);
}
// With isExhaustedSuspension it stops at the end of a list, and sortedNum says how many elements of each it took.
template <typename T, bool isExhaustedSuspension = false>
ASCENDC_API void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &sortList, const uint16_t elementCountList[4],
    uint32_t sortedNum[4], uint16_t validBit, const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "MrgSort takes half and float");
    ascendc_cpu::MergeLists("MrgSort", dst.View(), sortList,
        MrgSort4Info(elementCountList, isExhaustedSuspension, validBit, static_cast<uint16_t>(repeatTime)));
    if constexpr (isExhaustedSuspension) {
        uint16_t counts[4];
        ascendc_cpu::MergedCounts(counts);
        for (int i = 0; i < 4; ++i) {
            sortedNum[i] = counts[i];
        }
    }
}
// Elements of a tensor that so many sorted ones take.
template <typename T>
ASCENDC_API uint32_t GetSortOffset(const uint32_t elemOffset)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "GetSortOffset takes half and float");
    return elemOffset * static_cast<uint32_t>(__NPU_ARCH__ == 2201 ? 8 / sizeof(T) : 8);
}
template <typename T>
ASCENDC_API uint32_t GetSortLen(const uint32_t elemCount)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "GetSortLen takes half and float");
    return GetSortOffset<T>(elemCount);
}
// How many elements of each list the last MrgSort or MrgSort4 took.
ASCENDC_API void GetMrgSortResult(uint16_t &mrgSortList1, uint16_t &mrgSortList2, uint16_t &mrgSortList3, uint16_t &mrgSortList4)
{
    uint16_t counts[4];
    ascendc_cpu::MergedCounts(counts);
    mrgSortList1 = counts[0];
    mrgSortList2 = counts[1];
    mrgSortList3 = counts[2];
    mrgSortList4 = counts[3];
}
} // namespace AscendC

#endif
