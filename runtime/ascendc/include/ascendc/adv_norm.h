// RmsNorm of the advanced API (asc-devkit, include/adv_api/normalization/rmsnorm.h; RmsNorm page): each element of a row by the root of the
// mean of their squares, times gamma; computed in double and rounded once.
#ifndef ASCENDC_CPU_ADV_NORM_H
#define ASCENDC_CPU_ADV_NORM_H

#include "ascendc/element_types.h"
#include "ascendc/norm_tiling.h"
#include "ascendc/tensor.h"

namespace ascendc_cpu {
// Without `tmp` the space is what TPipe has left of UB. A basic block adds up the padding of rows, too.
void RmsNorm(const Local &dst, const Local &src, const Local &gamma, const Local *tmp, float epsilon, const RmsNormTiling &tiling,
    bool basic_block);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T, bool isBasicBlock = false>
ASCENDC_API void RmsNorm(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const LocalTensor<T> &gammaLocal,
    const LocalTensor<uint8_t> &sharedTmpBuffer, const T epsilon, const RmsNormTiling &tiling)
{
    static_assert(ascendc_cpu::IsFloat<T>, "RmsNorm takes half and float");
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    ascendc_cpu::RmsNorm(dstLocal.View(), srcLocal.View(), gammaLocal.View(), &tmp, static_cast<float>(epsilon), tiling, isBasicBlock);
}
template <typename T, bool isBasicBlock = false>
ASCENDC_API void RmsNorm(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const LocalTensor<T> &gammaLocal,
    const T epsilon, const RmsNormTiling &tiling)
{
    static_assert(ascendc_cpu::IsFloat<T>, "RmsNorm takes half and float");
    ascendc_cpu::RmsNorm(dstLocal.View(), srcLocal.View(), gammaLocal.View(), nullptr, static_cast<float>(epsilon), tiling, isBasicBlock);
}
} // namespace AscendC

#endif
