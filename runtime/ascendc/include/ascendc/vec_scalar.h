// Element-wise instructions of a tensor and a scalar (asc-devkit,
// include/basic_api/kernel_operator_vec_binary_scalar_intf.h). The scalar has the tensor's element type, to the letter: a
// float for a tensor of half does not compile, as it does not there.
#ifndef ASCENDC_CPU_VEC_SCALAR_H
#define ASCENDC_CPU_VEC_SCALAR_H

#include "ascendc/vec_unary.h"

namespace ascendc_cpu {
enum class ScalarOp : uint8_t { ADDS, MULS, MAXS, MINS, LEAKY_RELU, SHIFT_LEFT, SHIFT_RIGHT };
void BinaryScalar(ScalarOp op, const Local &dst, const Local &src, Scalar scalar, bool rounding, const Extent &extent,
    const Stride (&strides)[2]);

ASCENDC_API void ScalarRepeat(ScalarOp op, const Local &dst, const Local &src, Scalar scalar, bool rounding, const Extent &extent,
    const AscendC::UnaryRepeatParams &p)
{
    BinaryScalar(op, dst, src, scalar, rounding, extent, {{p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride}});
}
template <typename T>
inline constexpr bool IsShifted = OneOf<T, uint16_t, int16_t, uint32_t, int32_t>;
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_SCALAR(Name, OP, TYPES)                                                                              \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[],   \
        const uint8_t repeatTime, const UnaryRepeatParams &repeatParams)                                                 \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::ScalarRepeat(ascendc_cpu::ScalarOp::OP, dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue), \
            false, ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), repeatParams);                             \
    }                                                                                                                    \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask,     \
        const uint8_t repeatTime, const UnaryRepeatParams &repeatParams)                                                 \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::ScalarRepeat(ascendc_cpu::ScalarOp::OP, dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue), \
            false, ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), repeatParams);                               \
    }                                                                                                                    \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count) \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::BinaryScalar(ascendc_cpu::ScalarOp::OP, dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue), \
            false, ascendc_cpu::Extent::Count<isSetMask>(count), {{1, 8}, {1, 8}});                                      \
    }

ASCENDC_CPU_SCALAR(Adds, ADDS, IsArithmetic)
ASCENDC_CPU_SCALAR(Muls, MULS, IsArithmetic)
ASCENDC_CPU_SCALAR(Maxs, MAXS, IsArithmetic)
ASCENDC_CPU_SCALAR(Mins, MINS, IsArithmetic)
ASCENDC_CPU_SCALAR(LeakyRelu, LEAKY_RELU, IsFloat)
#if __NPU_ARCH__ == 2201
ASCENDC_CPU_SCALAR(ShiftLeft, SHIFT_LEFT, IsShifted)
#endif
#undef ASCENDC_CPU_SCALAR

#if __NPU_ARCH__ == 2201
// roundEn adds the last bit that is shifted out; signed types only.
template <typename T, bool isSetMask = true>
ASCENDC_API void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask[],
    const uint8_t repeatTime, const UnaryRepeatParams &repeatParams, bool roundEn = false)
{
    static_assert(ascendc_cpu::IsShifted<T>, "ShiftRight does not take this element type on this chip");
    ascendc_cpu::ScalarRepeat(ascendc_cpu::ScalarOp::SHIFT_RIGHT, dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue),
        roundEn, ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), repeatParams);
}
template <typename T, bool isSetMask = true>
ASCENDC_API void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, uint64_t mask,
    const uint8_t repeatTime, const UnaryRepeatParams &repeatParams, bool roundEn = false)
{
    static_assert(ascendc_cpu::IsShifted<T>, "ShiftRight does not take this element type on this chip");
    ascendc_cpu::ScalarRepeat(ascendc_cpu::ScalarOp::SHIFT_RIGHT, dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue),
        roundEn, ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), repeatParams);
}
template <typename T, bool isSetMask = true>
ASCENDC_API void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, const int32_t &count)
{
    static_assert(ascendc_cpu::IsShifted<T>, "ShiftRight does not take this element type on this chip");
    ascendc_cpu::BinaryScalar(ascendc_cpu::ScalarOp::SHIFT_RIGHT, dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue),
        false, ascendc_cpu::Extent::Count<isSetMask>(count), {{1, 8}, {1, 8}});
}
#endif
} // namespace AscendC

#endif
