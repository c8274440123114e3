// Instructions of two operations (asc-devkit, include/basic_api/kernel_operator_vec_binary_intf.h, kernel_operator_vec_ternary_scalar_intf.h,
// kernel_operator_vec_vconv_intf.h and kernel_operator_vec_mulcast_intf.h).
//
// Public sources do not say whether the product is rounded before the sum. Here half is computed in float and rounded once, float
// is rounded after each operation.
#ifndef ASCENDC_CPU_VEC_COMPOUND_H
#define ASCENDC_CPU_VEC_COMPOUND_H

#include "ascendc/vec_unary.h"

namespace ascendc_cpu {
enum class CompoundOp : uint8_t { MUL_ADD_DST, FUSED_MUL_ADD, FUSED_MUL_ADD_RELU };
void Compound(CompoundOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3]);
void Axpy(const Local &dst, const Local &src, Scalar scalar, const Extent &extent, const Stride (&strides)[2]);
// Two tensors of one type into a narrower one; their pages name the pairs.
enum class NarrowOp : uint8_t { ADD_RELU_CAST, SUB_RELU_CAST, MUL_CAST };
void Narrowing(NarrowOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3]);
template <typename T, typename U>
inline constexpr bool IsReluCast = (std::is_same<T, int8_t>::value && OneOf<U, half, int16_t>) || (std::is_same<T, half>::value && std::is_same<U, float>::value);
template <typename T, typename U>
inline constexpr bool IsMulCast = OneOf<T, int8_t, uint8_t> && std::is_same<U, half>::value;

// The same type, or half into float.
template <typename T, typename U>
inline constexpr bool IsMulAdd = (IsFloat<T> && std::is_same<T, U>::value) || (std::is_same<T, float>::value && std::is_same<U, half>::value);
constexpr uint16_t RepeatOf(uint32_t size, uint32_t widest)
{
    return static_cast<uint16_t>(8 * size / widest);
}
} // namespace ascendc_cpu

namespace AscendC {
// dst = src0 * src1 + dst
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const uint64_t mask[],
    const uint8_t repeatTime, const BinaryRepeatParams &p)
{
    static_assert(ascendc_cpu::IsMulAdd<T, U>, "MulAddDst takes half and float, or half into float");
    ascendc_cpu::Compound(ascendc_cpu::CompoundOp::MUL_ADD_DST, dst.View(), src0.View(), src1.View(),
        ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime),
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}});
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask,
    const uint8_t repeatTime, const BinaryRepeatParams &p)
{
    static_assert(ascendc_cpu::IsMulAdd<T, U>, "MulAddDst takes half and float, or half into float");
    ascendc_cpu::Compound(ascendc_cpu::CompoundOp::MUL_ADD_DST, dst.View(), src0.View(), src1.View(),
        ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}});
}
template <typename T, typename U>
ASCENDC_API void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const int32_t &count)
{
    static_assert(ascendc_cpu::IsMulAdd<T, U>, "MulAddDst takes half and float, or half into float");
    constexpr uint16_t narrow = ascendc_cpu::RepeatOf(sizeof(U), sizeof(T));
    ascendc_cpu::Compound(ascendc_cpu::CompoundOp::MUL_ADD_DST, dst.View(), src0.View(), src1.View(),
        ascendc_cpu::Extent::Count(count), {{1, 8}, {1, narrow}, {1, narrow}});
}

// dst = src0 * dst + src1, and with Relu; MulAddRelu is the name of CANN 9.
#define ASCENDC_CPU_FUSED(Name, OP)                                                                                      \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask[], \
        const uint8_t repeatTime, const BinaryRepeatParams &p)                                                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float");                                           \
        ascendc_cpu::Compound(ascendc_cpu::CompoundOp::OP, dst.View(), src0.View(), src1.View(),                         \
            ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime),                                                   \
            {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}); \
    }                                                                                                                    \
    template <typename T, bool isSetMask = true>                                                                         \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask,  \
        const uint8_t repeatTime, const BinaryRepeatParams &p)                                                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float");                                           \
        ascendc_cpu::Compound(ascendc_cpu::CompoundOp::OP, dst.View(), src0.View(), src1.View(),                         \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),                                                     \
            {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}); \
    }                                                                                                                    \
    template <typename T>                                                                                                \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,             \
        const int32_t &count)                                                                                            \
    {                                                                                                                    \
        static_assert(ascendc_cpu::IsFloat<T>, #Name " takes half and float");                                           \
        ascendc_cpu::Compound(ascendc_cpu::CompoundOp::OP, dst.View(), src0.View(), src1.View(),                         \
            ascendc_cpu::Extent::Count(count), {{1, 8}, {1, 8}, {1, 8}});                                                \
    }
ASCENDC_CPU_FUSED(FusedMulAdd, FUSED_MUL_ADD)
ASCENDC_CPU_FUSED(FusedMulAddRelu, FUSED_MUL_ADD_RELU)
ASCENDC_CPU_FUSED(MulAddRelu, FUSED_MUL_ADD_RELU)
#undef ASCENDC_CPU_FUSED

// dst = Cast(Relu(src0 + src1)), Cast(Relu(src0 - src1)) and Cast(src0 * src1); a mask has the lanes of the wider type.
// `SINCE` is the release from which on it can leave the mask as it is.
#define ASCENDC_CPU_NARROWING(Name, OP, PAIR, SINCE)                                                                     \
    template <typename T, typename U, bool isSetMask = true>                                                             \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask[], \
        const uint8_t repeatTime, const BinaryRepeatParams &p)                                                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::PAIR<T, U>, #Name " does not take these element types");                              \
        static_assert(isSetMask || ASCENDC_CPU_CANN >= SINCE, #Name " has no isSetMask in this release");                \
        ascendc_cpu::Narrowing(ascendc_cpu::NarrowOp::OP, dst.View(), src0.View(), src1.View(),                          \
            ascendc_cpu::Extent::Bits<isSetMask, U>(mask, repeatTime),                                                   \
            {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}); \
    }                                                                                                                    \
    template <typename T, typename U, bool isSetMask = true>                                                             \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, uint64_t mask,  \
        const uint8_t repeatTime, const BinaryRepeatParams &p)                                                           \
    {                                                                                                                    \
        static_assert(ascendc_cpu::PAIR<T, U>, #Name " does not take these element types");                              \
        static_assert(isSetMask || ASCENDC_CPU_CANN >= SINCE, #Name " has no isSetMask in this release");                \
        ascendc_cpu::Narrowing(ascendc_cpu::NarrowOp::OP, dst.View(), src0.View(), src1.View(),                          \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),                                                     \
            {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}); \
    }                                                                                                                    \
    template <typename T, typename U>                                                                                    \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,             \
        const uint32_t count)                                                                                            \
    {                                                                                                                    \
        static_assert(ascendc_cpu::PAIR<T, U>, #Name " does not take these element types");                              \
        ascendc_cpu::Narrowing(ascendc_cpu::NarrowOp::OP, dst.View(), src0.View(), src1.View(),                          \
            ascendc_cpu::Extent::Count(count), {{1, ascendc_cpu::RepeatOf(sizeof(T), sizeof(U))}, {1, 8}, {1, 8}});      \
    }
ASCENDC_CPU_NARROWING(AddReluCast, ADD_RELU_CAST, IsReluCast, 801)
ASCENDC_CPU_NARROWING(SubReluCast, SUB_RELU_CAST, IsReluCast, 801)
ASCENDC_CPU_NARROWING(MulCast, MUL_CAST, IsMulCast, 805)
#undef ASCENDC_CPU_NARROWING

// dst = scalar * src + dst
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, uint64_t mask[],
    const uint8_t repeatTime, const UnaryRepeatParams &p)
{
    static_assert(ascendc_cpu::IsMulAdd<T, U>, "Axpy takes half and float, or half into float");
    ascendc_cpu::Axpy(dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue),
        ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime), {{p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride}});
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, uint64_t mask,
    const uint8_t repeatTime, const UnaryRepeatParams &p)
{
    static_assert(ascendc_cpu::IsMulAdd<T, U>, "Axpy takes half and float, or half into float");
    ascendc_cpu::Axpy(dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue),
        ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime), {{p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride}});
}
template <typename T, typename U>
ASCENDC_API void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, const int32_t &count)
{
    static_assert(ascendc_cpu::IsMulAdd<T, U>, "Axpy takes half and float, or half into float");
    ascendc_cpu::Axpy(dst.View(), src.View(), ascendc_cpu::Scalar::Of(scalarValue), ascendc_cpu::Extent::Count(count),
        {{1, 8}, {1, ascendc_cpu::RepeatOf(sizeof(U), sizeof(T))}});
}
} // namespace AscendC

#endif
