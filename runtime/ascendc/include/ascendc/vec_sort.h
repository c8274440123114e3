// Sorting of (score, index) pairs on 910b and A3 (asc-devkit, include/basic_api/kernel_operator_proposal_intf.h,
// kernel_struct_proposal.h; 排序组合 pages). A pair has 8 bytes: the score, for half with two bytes behind it, and a uint32_t. The
// proposal instructions of the inference products (RpSort16, MrgSort4) are left out.
#ifndef ASCENDC_CPU_VEC_SORT_H
#define ASCENDC_CPU_VEC_SORT_H

#include "ascendc/tensor.h"

#if __NPU_ARCH__ == 2201
namespace ascendc_cpu {
void Sort32(const Local &dst, const Local &src0, const Local &src1, int32_t repeat);
struct SortedLists {
    Local lists[4];
    uint16_t lengths[4];
    uint16_t valid;
    uint16_t repeat;
    bool suspend;
};
void MergeSorted(const Local &dst, const SortedLists &sorted);
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

// 32 scores and indices a repeat, to pairs in falling order; equal scores keep their order.
template <typename T>
ASCENDC_API void Sort32(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<uint32_t> &src1, const int32_t repeatTime)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Sort32 takes half and float");
    ascendc_cpu::Sort32(dst.View(), src0.View(), src1.View(), repeatTime);
}
// Up to four lists of pairs in falling order to one.
template <typename T>
ASCENDC_API void MrgSort(const LocalTensor<T> &dst, const MrgSortSrcList<T> &src, const MrgSort4Info &params)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "MrgSort takes half and float");
    ascendc_cpu::SortedLists sorted{{src.src1.View(), src.src2.View(), src.src3.View(), src.src4.View()}, {}, params.validBit,
        params.repeatTimes, params.ifExhaustedSuspension};
    for (int32_t i = 0; i < MRG_SORT_ELEMENT_LEN; ++i) {
        sorted.lengths[i] = params.elementLengths[i];
    }
    ascendc_cpu::MergeSorted(dst.View(), sorted);
}
// How many pairs of each list the last MrgSort took.
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

#endif
