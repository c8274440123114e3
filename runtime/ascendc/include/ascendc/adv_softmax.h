// SoftMax of the advanced API (asc-devkit, include/adv_api/activation/softmax.h; SoftMax page): of each row the largest number, the sum of
// the exponentials, and their quotients, computed in float and rounded once. Tensors of format NZ are not in this build.
#ifndef ASCENDC_CPU_ADV_SOFTMAX_H
#define ASCENDC_CPU_ADV_SOFTMAX_H

#include "ascendc/element_types.h"
#include "ascendc/softmax_tiling.h"
#include "ascendc/tensor.h"

using AscendC::tiling::SoftMaxTiling;

namespace AscendC {
// Rows and their length as they lie in UB, and as they are: the others are padding.
struct SoftMaxShapeInfo {
    uint32_t srcM = 0;
    uint32_t srcK = 0;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
};
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};
} // namespace AscendC

namespace ascendc_cpu {
// `sum` and `max` are null where nobody asks for them; without `tmp` the space is what TPipe has left of UB.
void SoftMax(const Local &dst, const Local *sum, const Local *max, const Local &src, const Local *tmp,
    const AscendC::SoftMaxShapeInfo &shape);

// What the caller says of the shape, else what the tensor does (SetShapeInfo); the headers take none from the tiling
// (softmax_base_impl.h).
ASCENDC_API AscendC::SoftMaxShapeInfo ShapeOf(const AscendC::SoftMaxShapeInfo &info, const AscendC::ShapeInfo &shape)
{
    if (info.srcM != 0 && info.srcK != 0) {
        return info;
    }
    AscendC::SoftMaxShapeInfo rows{1, 0, 1, 0};
    for (uint8_t axis = 0; axis < shape.shapeDim; ++axis) {
        axis + 1 < shape.shapeDim ? rows.srcM *= shape.shape[axis] : rows.srcK = shape.shape[axis];
    }
    for (uint8_t axis = 0; axis < shape.originalShapeDim; ++axis) {
        axis + 1 < shape.originalShapeDim ? rows.oriSrcM *= shape.originalShape[axis] : rows.oriSrcK = shape.originalShape[axis];
    }
    return rows;
}
} // namespace ascendc_cpu

namespace AscendC {
// Sums and largest numbers are of the type of the rows, or those of half in float.
#define ASCENDC_CPU_SOFTMAX(T, U, Condition)                                                                             \
    template <typename V, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,            \
        const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG, std::enable_if_t<Condition, int> = 0>                         \
    ASCENDC_API void SoftMax(const LocalTensor<T> &dstTensor, const LocalTensor<U> &sumTensor,                           \
        const LocalTensor<U> &maxTensor, const LocalTensor<T> &srcTensor, const LocalTensor<uint8_t> &sharedTmpBuffer,   \
        const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {})                                      \
    {                                                                                                                    \
        static_assert(!isDataFormatNZ, "SoftMax of tensors of format NZ is not in this build");                          \
        (void)tiling;                                                                                                    \
        const ascendc_cpu::Local sum = sumTensor.View();                                                                 \
        const ascendc_cpu::Local max = maxTensor.View();                                                                 \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::SoftMax(dstTensor.View(), &sum, &max, srcTensor.View(), &tmp,                                       \
            ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));                                           \
    }                                                                                                                    \
    template <typename V, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,            \
        const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG, std::enable_if_t<Condition, int> = 0>                         \
    ASCENDC_API void SoftMax(const LocalTensor<T> &dstTensor, const LocalTensor<U> &sumTensor,                           \
        const LocalTensor<U> &maxTensor, const LocalTensor<T> &srcTensor, const SoftMaxTiling &tiling,                   \
        const SoftMaxShapeInfo &softmaxShapeInfo = {})                                                                   \
    {                                                                                                                    \
        static_assert(!isDataFormatNZ, "SoftMax of tensors of format NZ is not in this build");                          \
        (void)tiling;                                                                                                    \
        const ascendc_cpu::Local sum = sumTensor.View();                                                                 \
        const ascendc_cpu::Local max = maxTensor.View();                                                                 \
        ascendc_cpu::SoftMax(dstTensor.View(), &sum, &max, srcTensor.View(), nullptr,                                    \
            ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));                                           \
    }
ASCENDC_CPU_SOFTMAX(V, V, ascendc_cpu::IsFloat<V>)
ASCENDC_CPU_SOFTMAX(half, float, (std::is_same<V, half>::value))
#undef ASCENDC_CPU_SOFTMAX

template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
ASCENDC_API void SoftMax(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const SoftMaxTiling &tiling,
    const SoftMaxShapeInfo &softmaxShapeInfo = {})
{
    static_assert(ascendc_cpu::IsFloat<T>, "SoftMax takes half and float");
    (void)tiling;
    ascendc_cpu::SoftMax(dstTensor.View(), nullptr, nullptr, srcTensor.View(), nullptr,
        ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>
ASCENDC_API void SoftMax(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const LocalTensor<uint8_t> &sharedTmpBuffer,
    const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {})
{
    static_assert(ascendc_cpu::IsFloat<T>, "SoftMax takes half and float");
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    (void)tiling;
    ascendc_cpu::SoftMax(dstTensor.View(), nullptr, nullptr, srcTensor.View(), &tmp,
        ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));
}
} // namespace AscendC

#endif
