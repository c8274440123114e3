// Element-wise instructions of one tensor (asc-devkit, include/basic_api/kernel_operator_vec_unary_intf.h,
// kernel_struct_unary.h; type lists: impl/basic_api/dav_c220 and dav_m200).
#ifndef ASCENDC_CPU_VEC_UNARY_H
#define ASCENDC_CPU_VEC_UNARY_H

#include "ascendc/vec_binary.h"

namespace AscendC {
struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn)
        : dstBlkStride(dstBlkStrideIn), srcBlkStride(srcBlkStrideIn), dstRepStride(dstRepStrideIn), srcRepStride(srcRepStrideIn)
    {}
    UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn,
        bool halfBlockIn)
        : dstBlkStride(dstBlkStrideIn), srcBlkStride(srcBlkStrideIn), dstRepStride(dstRepStrideIn), srcRepStride(srcRepStrideIn),
          halfBlock(halfBlockIn)
    {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
    uint16_t srcBlkStride = DEFAULT_BLK_STRIDE;
    uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t srcRepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
    bool halfBlock = false;
};
} // namespace AscendC

namespace ascendc_cpu {
// One line an instruction: name, constant, element types, and what becomes of an element `x`, which only the machine reads.
#define ASCENDC_CPU_UNARY_TABLE(ROW)                                                                                     \
    ROW(Exp, EXP, IsFloat, Exp(x))                                                                                       \
    ROW(Ln, LN, IsFloat, Ln(x))                                                                                          \
    ROW(Abs, ABS, IsFloat, FloatOf(BitsOf(x) & 0x7fffffff))                                                              \
    ROW(Reciprocal, RECIPROCAL, IsFloat, 1.0f / x)                                                                       \
    ROW(Sqrt, SQRT, IsFloat, std::sqrt(x))                                                                               \
    ROW(Rsqrt, RSQRT, IsFloat, 1.0f / std::sqrt(x))                                                                      \
    /* Minus zero gives zero; nan stays (edge table of Relu). */                                                         \
    ROW(Relu, RELU, IsFloatOrInt32, x != x ? x : x > T(0) ? x : T(0))                                                    \
    ROW(Not, NOT, IsInteger16, static_cast<T>(~x))

#define ASCENDC_CPU_CONSTANT(Name, OP, ...) OP,
enum class UnaryOp : uint8_t { ASCENDC_CPU_UNARY_TABLE(ASCENDC_CPU_CONSTANT) };
#undef ASCENDC_CPU_CONSTANT
void Unary(UnaryOp op, const Local &dst, const Local &src, const Extent &extent, const Stride (&strides)[2]);

ASCENDC_API void UnaryRepeat(UnaryOp op, const Local &dst, const Local &src, const Extent &extent,
    const AscendC::UnaryRepeatParams &p)
{
    Unary(op, dst, src, extent, {{p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride}});
}
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_UNARY(Name, OP, TYPES, ...)                                                                            \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask[], const uint8_t repeatTime,   \
        const UnaryRepeatParams &repeatParams)                                                                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::UnaryRepeat(ascendc_cpu::UnaryOp::OP, dst.View(), src.View(),                                       \
            ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), repeatParams);                                    \
    }                                                                                                                    \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, const uint8_t repeatTime,     \
        const UnaryRepeatParams &repeatParams)                                                                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::UnaryRepeat(ascendc_cpu::UnaryOp::OP, dst.View(), src.View(),                                       \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), repeatParams);                                      \
    }                                                                                                                    \
    template <typename T>                                                                                                \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count)                    \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::Unary(ascendc_cpu::UnaryOp::OP, dst.View(), src.View(), ascendc_cpu::Extent::Count(count),          \
            {{1, 8}, {1, 8}});                                                                                           \
    }

ASCENDC_CPU_UNARY_TABLE(ASCENDC_CPU_UNARY)
#undef ASCENDC_CPU_UNARY
} // namespace AscendC

#endif
