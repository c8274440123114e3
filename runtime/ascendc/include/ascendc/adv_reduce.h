// Sums and means of rows (asc-devkit, include/adv_api/reduce/sum.h, mean.h; Sum and Mean pages): the instruction that adds up repeats,
// again and again until one number is left of each row. Running sums (include/adv_api/math/cumsum.h; CumSum page).
#ifndef ASCENDC_CPU_ADV_REDUCE_H
#define ASCENDC_CPU_ADV_REDUCE_H

#include "ascendc/adv_space.h"
#include "ascendc/sync.h"
#include "ascendc/vec_cast.h"
#include "ascendc/vec_reduce.h"
#include "ascendc/vec_scalar.h"
#include "ascendc/workspace.h"

namespace AscendC {
// `outter` rows of `n` elements, each from a data block on: `inner` elements behind the one before.
struct SumParams {
    uint32_t outter = 1;
    uint32_t inner;
    uint32_t n;
};
struct MeanParams {
    uint32_t outter = 1;
    uint32_t inner;
    uint32_t n;
};

// The second one is of later chips.
enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
struct CumSumConfig {
    bool isLastAxis{true};
    bool isReuseSource{false};
    bool outputLastRow{false};
    CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
struct CumSumInfo {
    uint32_t outter{0};
    uint32_t inner{0};
};
constexpr CumSumConfig defaultCumSumConfig = {true, false, true};
} // namespace AscendC

namespace ascendc_cpu {
// False where rows, their results, or the temporary space are not as the pages ask for it.
bool CheckRows(const char *op, const char *sizes, const Local &dst, const Local &src, const Local &tmp, bool given,
    const AscendC::SumParams &rows, uint32_t least);

// Without `tmp` the space is what TPipe has left of UB; without `last_row` nobody wants it.
void RunningSums(bool last_axis, const Local &dst, const Local *last_row, const Local &src, const Local *tmp, AscendC::CumSumInfo shape);

// The sum of one row into one element; `work` has room for a number of each repeat.
template <typename T>
ASCENDC_API void SumRow(const char *op, const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &row,
    const AscendC::LocalTensor<T> &work, uint32_t n)
{
    constexpr uint32_t per_repeat = 256 / sizeof(T);
    AscendC::LocalTensor<T> from = row;
    for (uint32_t left = n; left > 0; left = left > per_repeat ? (left + per_repeat - 1) / per_repeat : 0) {
        ReduceRepeats(op, AscendC::ReduceType::SUM, left > per_repeat ? work.View() : dst.View(), from.View(), Extent::Count(left),
            {1, 1, 8}, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
        AscendC::PipeBarrier<PIPE_V>();
        from = work;
    }
}

template <typename T>
ASCENDC_API void SumRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
    const AscendC::LocalTensor<uint8_t> &tmp, bool given, const AscendC::SumParams &rows)
{
    static_assert(IsFloat<T>, "Sum takes half and float");
    if (!CheckRows("Sum", "GetSumMaxMinTmpSize", dst.View(), src.View(), tmp.View(), given, rows, SumSpace(rows.n, sizeof(T)))) {
        return;
    }
    for (uint32_t row = 0; row < rows.outter; ++row) {
        SumRow<T>("Sum", dst[row], src[row * rows.inner], tmp.template ReinterpretCast<T>(), rows.n);
    }
}

// Half that is added up as float goes through a row of floats at the start of the space.
template <typename T, typename Acc>
ASCENDC_API void MeanRows(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
    const AscendC::LocalTensor<uint8_t> &tmp, bool given, const AscendC::MeanParams &params)
{
    static_assert(IsFloat<T> && (std::is_same<T, Acc>::value || std::is_same<Acc, float>::value),
        "Mean takes half and float, and adds them up as they are or as float");
    constexpr bool wide = !std::is_same<T, Acc>::value;
    const AscendC::SumParams rows{params.outter, params.inner, params.n};
    if (!CheckRows("Mean", "GetMeanMaxMinTmpSize", dst.View(), src.View(), tmp.View(), given, rows, MeanSpace(rows.n, sizeof(T), wide))) {
        return;
    }
    const float part = 1.0f / static_cast<float>(rows.n);
    if constexpr (!wide) {
        for (uint32_t row = 0; row < rows.outter; ++row) {
            SumRow<T>("Mean", dst[row], src[row * rows.inner], tmp.template ReinterpretCast<T>(), rows.n);
        }
        AscendC::Muls(dst, dst, static_cast<T>(part), static_cast<int32_t>(rows.outter));
    } else {
        const AscendC::LocalTensor<float> floats = tmp.template ReinterpretCast<float>();
        const AscendC::LocalTensor<float> sum = floats[rows.inner];
        const AscendC::LocalTensor<T> mean = tmp.template ReinterpretCast<T>();
        for (uint32_t row = 0; row < rows.outter; ++row) {
            AscendC::Cast(floats, src[row * rows.inner], AscendC::RoundMode::CAST_NONE, rows.n);
            AscendC::PipeBarrier<PIPE_V>();
            SumRow<float>("Mean", sum, floats, sum, rows.n);
            AscendC::Muls(sum, sum, part, 1);
            AscendC::PipeBarrier<PIPE_V>();
            AscendC::Cast(mean, sum, AscendC::RoundMode::CAST_NONE, 1);
            AscendC::PipeBarrier<PIPE_V>();
            SumRow<T>("Mean", dst[row], mean, mean, 1);
        }
    }
}
} // namespace ascendc_cpu

namespace AscendC {
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
ASCENDC_API void Sum(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const LocalTensor<uint8_t> &sharedTmpBuffer,
    const SumParams &sumParams)
{
    ascendc_cpu::SumRows<T>(dstTensor, srcTensor, sharedTmpBuffer, true, sumParams);
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
ASCENDC_API void Sum(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const SumParams &sumParams)
{
    LocalTensor<uint8_t> rest;
    PopStackBuffer<uint8_t, TPosition::LCM>(rest);
    ascendc_cpu::SumRows<T>(dstTensor, srcTensor, rest, false, sumParams);
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1>
ASCENDC_API void Mean(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const LocalTensor<uint8_t> &sharedTmpBuffer,
    const MeanParams &meanParams)
{
    ascendc_cpu::MeanRows<T, accType>(dstTensor, srcTensor, sharedTmpBuffer, true, meanParams);
}
template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false, int32_t reduceDim = -1>
ASCENDC_API void Mean(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const MeanParams &meanParams)
{
    LocalTensor<uint8_t> rest;
    PopStackBuffer<uint8_t, TPosition::LCM>(rest);
    ascendc_cpu::MeanRows<T, accType>(dstTensor, srcTensor, rest, false, meanParams);
}

#define ASCENDC_CPU_CUMSUM_TAKES                                                                                         \
    static_assert(ascendc_cpu::IsFloat<T>, "CumSum takes half and float");                                               \
    static_assert(config.algorithm == CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE, "CumSum has CUMSUM_ALGORITHM_LINEBYLINE on this chip")
template <typename T, const CumSumConfig &config = defaultCumSumConfig>
ASCENDC_API void CumSum(LocalTensor<T> &dstTensor, LocalTensor<T> &lastRowTensor, const LocalTensor<T> &srcTensor,
    LocalTensor<uint8_t> &sharedTmpBuffer, const CumSumInfo &cumSumInfo)
{
    ASCENDC_CPU_CUMSUM_TAKES;
    const ascendc_cpu::Local last = lastRowTensor.View(), tmp = sharedTmpBuffer.View();
    ascendc_cpu::RunningSums(config.isLastAxis, dstTensor.View(), config.outputLastRow ? &last : nullptr, srcTensor.View(), &tmp, cumSumInfo);
}
template <typename T, const CumSumConfig &config = defaultCumSumConfig>
ASCENDC_API void CumSum(LocalTensor<T> &dstTensor, LocalTensor<T> &lastRowTensor, const LocalTensor<T> &srcTensor,
    const CumSumInfo &cumSumInfo)
{
    ASCENDC_CPU_CUMSUM_TAKES;
    const ascendc_cpu::Local last = lastRowTensor.View();
    ascendc_cpu::RunningSums(config.isLastAxis, dstTensor.View(), config.outputLastRow ? &last : nullptr, srcTensor.View(), nullptr, cumSumInfo);
}
#undef ASCENDC_CPU_CUMSUM_TAKES
} // namespace AscendC

#endif
