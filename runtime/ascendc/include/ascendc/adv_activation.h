// Activations of the advanced API that are not in the table of adv_space.h (asc-devkit, include/adv_api/activation; 激活函数 pages).
//
// A result is that of the formula, computed in double and rounded once. Gelu and GeGLU are the tanh form of the function, which their pages
// give; FasterGelu and FasterGeluV2 are simpler formulas again. Temporary space is overwritten: its content has no value afterwards.
#ifndef ASCENDC_CPU_ADV_ACTIVATION_H
#define ASCENDC_CPU_ADV_ACTIVATION_H

#include "ascendc/adv_space.h"
#include "ascendc/element_types.h"
#include "ascendc/tensor.h"

namespace ascendc_cpu {
// Without `tmp` the space is what TPipe has left of UB. `precise`: of half in float; `beta` is that of Swish; `fast`: by other instructions.
void Activate(Activation op, const Local &dst, const Local &src, const Local *tmp, uint32_t count, bool precise, float beta, bool fast = false);
void ApplyGate(Gate op, const Local &dst, const Local &src0, const Local &src1, const Local *tmp, uint32_t count, float beta);

template <typename T>
inline constexpr bool IsReGlu = IsFloat<T> || (std::is_same<T, bfloat16_t>::value && __NPU_ARCH__ == 2201);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T, bool isReuseSource = false>
ASCENDC_API void Silu(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, uint32_t dataSize)
{
    static_assert(ascendc_cpu::IsFloat<T>, "Silu takes half and float");
    ascendc_cpu::Activate(ascendc_cpu::Activation::SILU, dstLocal.View(), srcLocal.View(), nullptr, dataSize, false, 1.0f);
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void Swish(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, uint32_t dataSize, const T scalarValue)
{
    static_assert(ascendc_cpu::IsFloat<T>, "Swish takes half and float");
    ascendc_cpu::Activate(ascendc_cpu::Activation::SWISH, dstLocal.View(), srcLocal.View(), nullptr, dataSize, false,
        static_cast<float>(scalarValue));
}

// `highPrecision` computes half in float; `highPerformance` costs accuracy on a chip, which there is no number for.
#define ASCENDC_CPU_GELU(Name, OP)                                                                                       \
    template <typename T, bool highPrecision = false, bool highPerformance = false>                                      \
    ASCENDC_API void Name(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal,                                \
        const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t dataSize)                                            \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float");                                           \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::Activate(ascendc_cpu::Activation::OP, dstLocal.View(), srcLocal.View(), &tmp, dataSize,             \
            highPrecision, 1.0f, highPerformance);                                                                       \
    }                                                                                                                    \
    template <typename T, bool highPrecision = false, bool highPerformance = false>                                      \
    ASCENDC_API void Name(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t dataSize)       \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float");                                           \
        ascendc_cpu::Activate(ascendc_cpu::Activation::OP, dstLocal.View(), srcLocal.View(), nullptr, dataSize,          \
            highPrecision, 1.0f, highPerformance);                                                                       \
    }
ASCENDC_CPU_GELU(Gelu, GELU)
ASCENDC_CPU_GELU(FasterGelu, FASTER_GELU)
ASCENDC_CPU_GELU(FasterGeluV2, FASTER_GELU_V2)
#undef ASCENDC_CPU_GELU

template <typename T, bool isReuseSource = false>
ASCENDC_API void GeGLU(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount)
{
    static_assert(ascendc_cpu::IsFloat<T>, "GeGLU takes half and float");
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    ascendc_cpu::ApplyGate(ascendc_cpu::Gate::GEGLU, dstTensor.View(), srcTensor0.View(), srcTensor1.View(), &tmp, calCount, 1.0f);
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void GeGLU(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1, uint32_t calCount)
{
    static_assert(ascendc_cpu::IsFloat<T>, "GeGLU takes half and float");
    ascendc_cpu::ApplyGate(ascendc_cpu::Gate::GEGLU, dstTensor.View(), srcTensor0.View(), srcTensor1.View(), nullptr, calCount, 1.0f);
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void GeGLU(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const LocalTensor<uint8_t> &sharedTmpBuffer)
{
    GeGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, sharedTmpBuffer, srcTensor0.GetSize());
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void GeGLU(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1)
{
    GeGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, srcTensor0.GetSize());
}

template <typename T, bool isReuseSource = false>
ASCENDC_API void ReGlu(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)
{
    static_assert(ascendc_cpu::IsReGlu<T>, "ReGlu takes half and float, and on 910b and A3 bfloat16_t");
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    ascendc_cpu::ApplyGate(ascendc_cpu::Gate::REGLU, dstTensor.View(), srcTensor0.View(), srcTensor1.View(), &tmp, calCount, 1.0f);
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void ReGlu(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const uint32_t calCount)
{
    static_assert(ascendc_cpu::IsReGlu<T>, "ReGlu takes half and float, and on 910b and A3 bfloat16_t");
    ascendc_cpu::ApplyGate(ascendc_cpu::Gate::REGLU, dstTensor.View(), srcTensor0.View(), srcTensor1.View(), nullptr, calCount, 1.0f);
}

template <typename T, bool isReuseSource = false>
ASCENDC_API void SwiGLU(LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const float &scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)
{
    static_assert(ascendc_cpu::IsFloat<T>, "SwiGLU takes half and float");
    const ascendc_cpu::Local tmp = sharedTmpBuffer.View();
    ascendc_cpu::ApplyGate(ascendc_cpu::Gate::SWIGLU, dstTensor.View(), srcTensor0.View(), srcTensor1.View(), &tmp, calCount, scalarValue);
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void SwiGLU(LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const float &scalarValue, const uint32_t calCount)
{
    static_assert(ascendc_cpu::IsFloat<T>, "SwiGLU takes half and float");
    ascendc_cpu::ApplyGate(ascendc_cpu::Gate::SWIGLU, dstTensor.View(), srcTensor0.View(), srcTensor1.View(), nullptr, calCount, scalarValue);
}
template <typename T, bool isReuseSource = false>
ASCENDC_API void SwiGLU(LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1,
    const float &scalarValue, const LocalTensor<uint8_t> &sharedTmpBuffer)
{
    SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, sharedTmpBuffer, srcTensor0.GetSize());
}
// This form alone takes no constant sources.
template <typename T, bool isReuseSource = false>
ASCENDC_API void SwiGLU(LocalTensor<T> &dstTensor, LocalTensor<T> &srcTensor0, LocalTensor<T> &srcTensor1, const float &scalarValue)
{
    SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, srcTensor0.GetSize());
}
} // namespace AscendC

#endif
