// Mathematics of the advanced API (asc-devkit, include/adv_api/math; 数学计算 pages, and Sigmoid of 激活函数), one tensor a line of
// adv_space.h, and Power.
//
// A result is that of the function, rounded once; the chip's own approximations differ from it in the last places. Temporary space is
// overwritten: its content has no value afterwards, nor has a source that isReuseSource lets go.
#ifndef ASCENDC_CPU_ADV_MATH_H
#define ASCENDC_CPU_ADV_MATH_H

#include "ascendc/adv_space.h"
#include "ascendc/element_types.h"
#include "ascendc/tensor.h"

namespace ascendc_cpu {
// Without `tmp` the space is what TPipe has left of UB. `terms` are those of Exp, which its time alone depends on.
void Math(MathOp op, const Local &dst, const Local &src, const Local *tmp, uint32_t count, bool reuses, uint32_t terms = 0);

// A tensor, or one number for all elements.
struct Factor {
    bool is_scalar;
    Local tensor;
    Scalar scalar;

    static Factor Of(const Local &tensor) { return {false, tensor, {0}}; }
    template <typename T>
    static Factor Of(T value)
    {
        return {true, {}, Scalar::Of(value)};
    }
};
void Power(const Local &dst, const Factor &base, const Factor &exponent, const Local *tmp, uint32_t count);
} // namespace ascendc_cpu

namespace AscendC {
// Forms with sharedTmpBuffer or without, for calCount elements or all of them.
#define ASCENDC_CPU_MATH_TAKES(Name) static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float")

#define ASCENDC_CPU_MATH_BARE(Name, OP)                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t calCount)     \
    {                                                                                                                    \
        ASCENDC_CPU_MATH_TAKES(Name);                                                                                    \
        ascendc_cpu::Math(ascendc_cpu::MathOp::OP, dstTensor.View(), srcTensor.View(), nullptr, calCount, isReuseSource); \
    }                                                                                                                    \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor)                              \
    {                                                                                                                    \
        Name<T, isReuseSource>(dstTensor, srcTensor, srcTensor.GetSize());                                               \
    }

#define ASCENDC_CPU_MATH_TMP(Name, OP)                                                                                   \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,                              \
        const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)                                            \
    {                                                                                                                    \
        ASCENDC_CPU_MATH_TAKES(Name);                                                                                    \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::Math(ascendc_cpu::MathOp::OP, dstTensor.View(), srcTensor.View(), &tmp, calCount, isReuseSource);   \
    }

#define ASCENDC_CPU_MATH_ALL(Name, OP)                                                                                   \
    ASCENDC_CPU_MATH_BARE(Name, OP)                                                                                      \
    ASCENDC_CPU_MATH_TMP(Name, OP)                                                                                       \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor,                              \
        const LocalTensor<uint8_t> &sharedTmpBuffer)                                                                     \
    {                                                                                                                    \
        Name<T, isReuseSource>(dstTensor, srcTensor, sharedTmpBuffer, srcTensor.GetSize());                              \
    }

#define ASCENDC_CPU_MATH_COUNTED(Name, OP)                                                                               \
    ASCENDC_CPU_MATH_TMP(Name, OP)                                                                                       \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Name(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, const uint32_t calCount)     \
    {                                                                                                                    \
        ASCENDC_CPU_MATH_TAKES(Name);                                                                                    \
        ascendc_cpu::Math(ascendc_cpu::MathOp::OP, dstTensor.View(), srcTensor.View(), nullptr, calCount, isReuseSource); \
    }

#define ASCENDC_CPU_MATH_TERMS(Name, OP)                                                                                 \
    template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal,                                \
        const LocalTensor<uint8_t> &sharedTmpBuffer, const uint32_t calCount)                                            \
    {                                                                                                                    \
        ASCENDC_CPU_MATH_TAKES(Name);                                                                                    \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::Math(ascendc_cpu::MathOp::OP, dstLocal.View(), srcLocal.View(), &tmp, calCount, isReuseSource,      \
            taylorExpandLevel);                                                                                          \
    }                                                                                                                    \
    template <typename T, uint8_t taylorExpandLevel, bool isReuseSource = false>                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal, const uint32_t calCount)       \
    {                                                                                                                    \
        ASCENDC_CPU_MATH_TAKES(Name);                                                                                    \
        ascendc_cpu::Math(ascendc_cpu::MathOp::OP, dstLocal.View(), srcLocal.View(), nullptr, calCount, isReuseSource,   \
            taylorExpandLevel);                                                                                          \
    }

#define ASCENDC_CPU_MATH_ACTIVATION(Name, OP) ASCENDC_CPU_MATH_ALL(Name, OP)
#define ASCENDC_CPU_MATH_PLATFORM(Name, OP) ASCENDC_CPU_MATH_COUNTED(Name, OP)
#define ASCENDC_CPU_MATH(Name, OP, FORMS, ...) ASCENDC_CPU_MATH_##FORMS(Name, OP)
ASCENDC_CPU_MATH_TABLE(ASCENDC_CPU_MATH)
#undef ASCENDC_CPU_MATH
#undef ASCENDC_CPU_MATH_PLATFORM
#undef ASCENDC_CPU_MATH_ACTIVATION
#undef ASCENDC_CPU_MATH_TERMS
#undef ASCENDC_CPU_MATH_COUNTED
#undef ASCENDC_CPU_MATH_ALL
#undef ASCENDC_CPU_MATH_TMP
#undef ASCENDC_CPU_MATH_BARE
#undef ASCENDC_CPU_MATH_TAKES

// Base and exponent are tensors, or one of them is a number.
#define ASCENDC_CPU_POWER(Base, base, baseOf, Exponent, exponent, exponentOf, count)                                     \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Power(const LocalTensor<T> &dstTensor, const Base &base, const Exponent &exponent,                  \
        const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount)                                                  \
    {                                                                                                                    \
        static_assert(ascendc_cpu::OneOf<T, half, float, int32_t>, "Power takes half, float and int32_t on this chip");  \
        const ascendc_cpu::Local tmp = sharedTmpBuffer.View();                                                           \
        ascendc_cpu::Power(dstTensor.View(), ascendc_cpu::Factor::Of(baseOf), ascendc_cpu::Factor::Of(exponentOf), &tmp, \
            calCount);                                                                                                   \
    }                                                                                                                    \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Power(const LocalTensor<T> &dstTensor, const Base &base, const Exponent &exponent,                  \
        const LocalTensor<uint8_t> &sharedTmpBuffer)                                                                     \
    {                                                                                                                    \
        Power<T, isReuseSource>(dstTensor, base, exponent, sharedTmpBuffer, count);                                      \
    }                                                                                                                    \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Power(const LocalTensor<T> &dstTensor, const Base &base, const Exponent &exponent, uint32_t calCount) \
    {                                                                                                                    \
        static_assert(ascendc_cpu::OneOf<T, half, float, int32_t>, "Power takes half, float and int32_t on this chip");  \
        ascendc_cpu::Power(dstTensor.View(), ascendc_cpu::Factor::Of(baseOf), ascendc_cpu::Factor::Of(exponentOf),       \
            nullptr, calCount);                                                                                          \
    }                                                                                                                    \
    template <typename T, bool isReuseSource = false>                                                                    \
    ASCENDC_API void Power(const LocalTensor<T> &dstTensor, const Base &base, const Exponent &exponent)                  \
    {                                                                                                                    \
        Power<T, isReuseSource>(dstTensor, base, exponent, count);                                                       \
    }
ASCENDC_CPU_POWER(LocalTensor<T>, src0Tensor, src0Tensor.View(), LocalTensor<T>, src1Tensor, src1Tensor.View(), src0Tensor.GetSize())
ASCENDC_CPU_POWER(LocalTensor<T>, src0Tensor, src0Tensor.View(), T, src1Scalar, src1Scalar, src0Tensor.GetSize())
ASCENDC_CPU_POWER(T, src0Scalar, src0Scalar, LocalTensor<T>, src1Tensor, src1Tensor.View(), src1Tensor.GetSize())
#undef ASCENDC_CPU_POWER
} // namespace AscendC

#endif
