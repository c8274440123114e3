// The gradient of SoftMax (asc-devkit, include/adv_api/activation/softmaxgrad.h; SoftmaxGrad and SoftmaxGradFront pages), computed in double
// and rounded once. Tensors of format NZ are not in this build.
#ifndef ASCENDC_CPU_ADV_SOFTMAX_GRAD_H
#define ASCENDC_CPU_ADV_SOFTMAX_GRAD_H

#include "ascendc/adv_softmax.h"

namespace ascendc_cpu {
// (grad - sum) * src, where the sum is that of grad * src of the row; `front`: a data block of the sum for each row.
void SoftMaxGrad(const char *op, const Local &dst, const Local &grad, const Local &src, const Local *tmp, bool front,
    const AscendC::SoftMaxShapeInfo &shape);
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_SOFTMAX_GRAD_TAKES(Name)                                                                             \
    static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float");                                               \
    static_assert(!isDataFormatNZ, #Name " of tensors of format NZ is not in this build")
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
ASCENDC_API void SoftmaxGrad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &gradTensor, const LocalTensor<T> &srcTensor,
    const SoftMaxTiling &tiling, bool isFront = false, const SoftMaxShapeInfo &softmaxShapeInfo = {})
{
    ASCENDC_CPU_SOFTMAX_GRAD_TAKES(SoftmaxGrad);
    (void)tiling;
    ascendc_cpu::SoftMaxGrad("SoftmaxGrad", dstTensor.View(), gradTensor.View(), srcTensor.View(), nullptr, isFront,
        ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
ASCENDC_API void SoftmaxGrad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &gradTensor, const LocalTensor<T> &srcTensor,
    const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, bool isFront = false,
    const SoftMaxShapeInfo &softmaxShapeInfo = {})
{
    ASCENDC_CPU_SOFTMAX_GRAD_TAKES(SoftmaxGrad);
    (void)tiling;
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    ascendc_cpu::SoftMaxGrad("SoftmaxGrad", dstTensor.View(), gradTensor.View(), srcTensor.View(), &tmp, isFront,
        ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
ASCENDC_API void SoftmaxGradFront(const LocalTensor<T> &dstTensor, const LocalTensor<T> &gradTensor, const LocalTensor<T> &srcTensor,
    const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {})
{
    ASCENDC_CPU_SOFTMAX_GRAD_TAKES(SoftmaxGradFront);
    (void)tiling;
    ascendc_cpu::SoftMaxGrad("SoftmaxGradFront", dstTensor.View(), gradTensor.View(), srcTensor.View(), nullptr, true,
        ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));
}
template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>
ASCENDC_API void SoftmaxGradFront(const LocalTensor<T> &dstTensor, const LocalTensor<T> &gradTensor, const LocalTensor<T> &srcTensor,
    const LocalTensor<uint8_t> &sharedTmpBuffer, const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {})
{
    ASCENDC_CPU_SOFTMAX_GRAD_TAKES(SoftmaxGradFront);
    (void)tiling;
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    ascendc_cpu::SoftMaxGrad("SoftmaxGradFront", dstTensor.View(), gradTensor.View(), srcTensor.View(), &tmp, true,
        ascendc_cpu::ShapeOf(softmaxShapeInfo, srcTensor.GetShapeInfo()));
}
#undef ASCENDC_CPU_SOFTMAX_GRAD_TAKES
} // namespace AscendC

#endif
