// Element-wise instructions of two tensors (asc-devkit, include/basic_api/kernel_operator_vec_binary_intf.h and
// kernel_struct_binary.h; type lists: impl/basic_api/dav_c220 and dav_m200).
#ifndef ASCENDC_CPU_VEC_BINARY_H
#define ASCENDC_CPU_VEC_BINARY_H

#include "ascendc/element_types.h"
#include "ascendc/tensor.h"

namespace AscendC {
struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    BinaryRepeatParams(uint8_t dstBlkStrideIn, uint8_t src0BlkStrideIn, uint8_t src1BlkStrideIn, uint8_t dstRepStrideIn,
        uint8_t src0RepStrideIn, uint8_t src1RepStrideIn)
        : dstBlkStride(dstBlkStrideIn), src0BlkStride(src0BlkStrideIn), src1BlkStride(src1BlkStrideIn),
          dstRepStride(dstRepStrideIn), src0RepStride(src0RepStrideIn), src1RepStride(src1RepStrideIn)
    {}
    uint32_t blockNumber = DEFAULT_BLK_NUM;
    uint8_t dstBlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src0BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t src1BlkStride = DEFAULT_BLK_STRIDE;
    uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src0RepStride = DEFAULT_REPEAT_STRIDE;
    uint8_t src1RepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
};
} // namespace AscendC

namespace ascendc_cpu {
// One line an instruction: name, constant, element types, whether the destination may be a source of several repeats, and what
// becomes of elements `a` and `b`, which only the machine reads. Integers before a Relu end at their type in either mode (table of
// boundary values, int16_t of AddReluCast and SubReluCast).
#define ASCENDC_CPU_BINARY_TABLE(ROW)                                                                                    \
    ROW(Add, ADD, IsArithmetic, true, Sum<saturate>(a, b))                                                               \
    ROW(Sub, SUB, IsArithmetic, true, Difference<saturate>(a, b))                                                        \
    ROW(Mul, MUL, IsArithmetic, true, Product<saturate>(a, b))                                                           \
    ROW(Div, DIV, IsFloat, false, a / b)                                                                                 \
    ROW(Max, MAX, IsArithmetic, true, Larger(a, b))                                                                      \
    ROW(Min, MIN, IsArithmetic, true, Smaller(a, b))                                                                     \
    ROW(And, AND, IsInteger16, false, static_cast<T>(a & b))                                                             \
    ROW(Or, OR, IsInteger16, false, static_cast<T>(a | b))                                                               \
    ROW(AddRelu, ADD_RELU, IsFloatOrInt16, true, Larger(Sum<true>(a, b), T(0)))                                          \
    ROW(SubRelu, SUB_RELU, IsFloatOrInt16, true, Larger(Difference<true>(a, b), T(0)))

#define ASCENDC_CPU_CONSTANT(Name, OP, ...) OP,
enum class BinaryOp : uint8_t { ASCENDC_CPU_BINARY_TABLE(ASCENDC_CPU_CONSTANT) };
#undef ASCENDC_CPU_CONSTANT
void Binary(BinaryOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3]);

ASCENDC_API void BinaryCount(BinaryOp op, const Local &dst, const Local &src0, const Local &src1, int64_t count)
{
    Binary(op, dst, src0, src1, Extent::Count(count), {{1, 8}, {1, 8}, {1, 8}});
}
ASCENDC_API void BinaryRepeat(BinaryOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent,
    const AscendC::BinaryRepeatParams &p)
{
    Binary(op, dst, src0, src1, extent,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}});
}
} // namespace ascendc_cpu

namespace AscendC {
// The three forms of an instruction: mask by bits, mask by count, first `count` elements.
#define ASCENDC_CPU_BINARY(Name, OP, TYPES, ...)                                                                           \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], \
        const uint8_t repeatTime, const BinaryRepeatParams &repeatParams)                                                \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::BinaryRepeat(ascendc_cpu::BinaryOp::OP, dst.View(), src0.View(), src1.View(),                       \
            ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), repeatParams);                                    \
    }                                                                                                                    \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask,  \
        const uint8_t repeatTime, const BinaryRepeatParams &repeatParams)                                                \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::BinaryRepeat(ascendc_cpu::BinaryOp::OP, dst.View(), src0.View(), src1.View(),                       \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), repeatParams);                                      \
    }                                                                                                                    \
    template <typename T>                                                                                                \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,             \
        const int32_t &count)                                                                                            \
    {                                                                                                                    \
        static_assert(ascendc_cpu::TYPES<T>, #Name " does not take this element type on this chip");                    \
        ascendc_cpu::BinaryCount(ascendc_cpu::BinaryOp::OP, dst.View(), src0.View(), src1.View(), count);                \
    }

ASCENDC_CPU_BINARY_TABLE(ASCENDC_CPU_BINARY)
#undef ASCENDC_CPU_BINARY

// `dst = src0 + src1` works on all elements of dst.
template <typename T, typename Op>
struct BinaryExpression {
    const LocalTensor<T> &src0;
    const LocalTensor<T> &src1;
};
struct OpAdd {
    template <typename T>
    ASCENDC_API static void Run(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b)
    {
        Add(dst, a, b, static_cast<int32_t>(dst.GetSize()));
    }
};
struct OpSub {
    template <typename T>
    ASCENDC_API static void Run(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b)
    {
        Sub(dst, a, b, static_cast<int32_t>(dst.GetSize()));
    }
};
struct OpMul {
    template <typename T>
    ASCENDC_API static void Run(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b)
    {
        Mul(dst, a, b, static_cast<int32_t>(dst.GetSize()));
    }
};
struct OpDiv {
    template <typename T>
    ASCENDC_API static void Run(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b)
    {
        Div(dst, a, b, static_cast<int32_t>(dst.GetSize()));
    }
};
struct OpAnd {
    template <typename T>
    ASCENDC_API static void Run(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b)
    {
        And(dst, a, b, static_cast<int32_t>(dst.GetSize()));
    }
};
struct OpOr {
    template <typename T>
    ASCENDC_API static void Run(const LocalTensor<T> &dst, const LocalTensor<T> &a, const LocalTensor<T> &b)
    {
        Or(dst, a, b, static_cast<int32_t>(dst.GetSize()));
    }
};
template <typename T>
template <typename Op>
ASCENDC_API void LocalTensor<T>::operator=(const BinaryExpression<T, Op> &expression)
{
    Op::Run(*this, expression.src0, expression.src1);
}
template <typename T>
ASCENDC_API BinaryExpression<T, OpAdd> LocalTensor<T>::operator+(const LocalTensor &src1) const
{
    return {*this, src1};
}
template <typename T>
ASCENDC_API BinaryExpression<T, OpSub> LocalTensor<T>::operator-(const LocalTensor &src1) const
{
    return {*this, src1};
}
template <typename T>
ASCENDC_API BinaryExpression<T, OpMul> LocalTensor<T>::operator*(const LocalTensor &src1) const
{
    return {*this, src1};
}
template <typename T>
ASCENDC_API BinaryExpression<T, OpDiv> LocalTensor<T>::operator/(const LocalTensor &src1) const
{
    return {*this, src1};
}
template <typename T>
ASCENDC_API BinaryExpression<T, OpAnd> LocalTensor<T>::operator&(const LocalTensor &src1) const
{
    return {*this, src1};
}
template <typename T>
ASCENDC_API BinaryExpression<T, OpOr> LocalTensor<T>::operator|(const LocalTensor &src1) const
{
    return {*this, src1};
}
} // namespace AscendC

#endif
