// Comparison to bits and choice by bits (asc-devkit, include/basic_api/kernel_operator_vec_cmpsel_intf.h; 比较与选择 pages).
//
// Bit i of a mask is element i, little endian in bytes. Compare to a tensor does not look at its mask operand on 910b, A3 and 310p:
// every element of a repeat is computed (Compare.md, "mask/mask[]参数说明"). Select and Compare to the register do: Select leaves dst as
// it is where the mask is off, and always takes the operand, whatever isSetMask says (dav_c220/kernel_operator_vec_cmpsel_impl.h).
#ifndef ASCENDC_CPU_VEC_COMPARE_H
#define ASCENDC_CPU_VEC_COMPARE_H

#include "ascendc/vec_unary.h"

namespace ascendc_cpu {
// `src1` is a tensor, or unused where `scalar` is given.
struct CompareOperands {
    Local dst;
    Local src0;
    Local src1;
    const Scalar *scalar;
    Stride strides[3];
};
void Compare(const char *op, const CompareOperands &operands, AscendC::CMPMODE mode, const Extent &extent);
// To the compare register, one repeat.
void CompareToRegister(const CompareOperands &operands, AscendC::CMPMODE mode, const Extent &extent);
void GetCompareRegister(const Local &dst);
void SetCompareRegister(const Local &src);

struct SelectOperands {
    Local dst;
    const Local *mask; // nullptr: the compare register, mode 0 only
    Local src0;
    Local src1;
    const Scalar *scalar;
    Stride strides[3];
};
void Select(const SelectOperands &operands, AscendC::SELMODE mode, const Extent &extent);

#if __NPU_ARCH__ == 2201
template <typename T>
inline constexpr bool IsCompared = OneOf<T, half, float, int32_t>;
#else
template <typename T>
inline constexpr bool IsCompared = OneOf<T, half, float>;
#endif
template <typename U>
inline constexpr bool IsCompareMask = OneOf<U, uint8_t, int8_t>;
// The document of Select lists unsigned masks; kernels in the wild pass what Compare gave them, int8_t too.
template <typename U>
inline constexpr bool IsSelectMask = std::is_integral<U>::value && !std::is_same<U, bool>::value;

constexpr Stride WHOLE{1, 8};
} // namespace ascendc_cpu

namespace AscendC {
#define ASCENDC_CPU_COMPARE_TYPES(T, U)                                                                                   \
    static_assert(ascendc_cpu::IsCompared<T>, "Compare takes half, float, and on 910b int32_t");                         \
    static_assert(ascendc_cpu::IsCompareMask<U>, "the result of Compare is a tensor of uint8_t or int8_t")

template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
    const uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ASCENDC_CPU_COMPARE_TYPES(T, U);
    ascendc_cpu::Compare("Compare", {dst.View(), src0.View(), src1.View(), nullptr,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, cmpMode,
        ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime));
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
    const uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ASCENDC_CPU_COMPARE_TYPES(T, U);
    ascendc_cpu::Compare("Compare", {dst.View(), src0.View(), src1.View(), nullptr,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, cmpMode,
        ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime));
}
template <typename T, bool isSetMask = true>
ASCENDC_API void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t mask[],
    const BinaryRepeatParams &p)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Compare to the register takes half and float");
    ascendc_cpu::CompareToRegister({src0.View(), src0.View(), src1.View(), nullptr,
        {{1, 8}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, cmpMode,
        ascendc_cpu::Extent::Bits<isSetMask, T>(mask, 1));
}
template <typename T, bool isSetMask = true>
ASCENDC_API void Compare(const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode, const uint64_t mask,
    const BinaryRepeatParams &p)
{
    static_assert(ascendc_cpu::OneOf<T, half, float>, "Compare to the register takes half and float");
    ascendc_cpu::CompareToRegister({src0.View(), src0.View(), src1.View(), nullptr,
        {{1, 8}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, cmpMode,
        ascendc_cpu::Extent::Lanes<isSetMask>(mask, 1));
}
template <typename T, typename U>
ASCENDC_API void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE cmpMode,
    uint32_t count)
{
    ASCENDC_CPU_COMPARE_TYPES(T, U);
    ascendc_cpu::Compare("Compare", {dst.View(), src0.View(), src1.View(), nullptr,
        {ascendc_cpu::WHOLE, ascendc_cpu::WHOLE, ascendc_cpu::WHOLE}}, cmpMode, ascendc_cpu::Extent::Count(count));
}
template <typename T>
ASCENDC_API void GetCmpMask(const LocalTensor<T> &dst)
{
    ascendc_cpu::GetCompareRegister(dst.View());
}
template <typename T>
ASCENDC_API void SetCmpMask(const LocalTensor<T> &src)
{
    ascendc_cpu::SetCompareRegister(src.View());
}

// The two names of a comparison with a scalar: CANN 8 and 9.
#define ASCENDC_CPU_COMPARE_SCALAR(Name)                                                                                 \
    template <typename T, typename U, bool isSetMask = true>                                                             \
    ASCENDC_API void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode,    \
        const uint64_t mask[], uint8_t repeatTime, const UnaryRepeatParams &p)                                           \
    {                                                                                                                    \
        ASCENDC_CPU_COMPARE_TYPES(T, U);                                                                                 \
        const ascendc_cpu::Scalar scalar = ascendc_cpu::Scalar::Of(src1Scalar);                                          \
        ascendc_cpu::Compare(#Name, {dst.View(), src0.View(), src0.View(), &scalar,                                      \
            {{p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride}, {p.srcBlkStride, p.srcRepStride}}},     \
            cmpMode, ascendc_cpu::Extent::Bits<isSetMask, T>(mask, repeatTime));                                         \
    }                                                                                                                    \
    template <typename T, typename U, bool isSetMask = true>                                                             \
    ASCENDC_API void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode,    \
        const uint64_t mask, uint8_t repeatTime, const UnaryRepeatParams &p)                                             \
    {                                                                                                                    \
        ASCENDC_CPU_COMPARE_TYPES(T, U);                                                                                 \
        const ascendc_cpu::Scalar scalar = ascendc_cpu::Scalar::Of(src1Scalar);                                          \
        ascendc_cpu::Compare(#Name, {dst.View(), src0.View(), src0.View(), &scalar,                                      \
            {{p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride}, {p.srcBlkStride, p.srcRepStride}}},     \
            cmpMode, ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime));                                           \
    }                                                                                                                    \
    template <typename T, typename U>                                                                                    \
    ASCENDC_API void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const T src1Scalar, CMPMODE cmpMode,    \
        uint32_t count)                                                                                                  \
    {                                                                                                                    \
        ASCENDC_CPU_COMPARE_TYPES(T, U);                                                                                 \
        const ascendc_cpu::Scalar scalar = ascendc_cpu::Scalar::Of(src1Scalar);                                          \
        ascendc_cpu::Compare(#Name, {dst.View(), src0.View(), src0.View(), &scalar,                                      \
            {ascendc_cpu::WHOLE, ascendc_cpu::WHOLE, ascendc_cpu::WHOLE}}, cmpMode, ascendc_cpu::Extent::Count(count));  \
    }
ASCENDC_CPU_COMPARE_SCALAR(CompareScalar)
ASCENDC_CPU_COMPARE_SCALAR(Compares)
#undef ASCENDC_CPU_COMPARE_SCALAR
#undef ASCENDC_CPU_COMPARE_TYPES

#define ASCENDC_CPU_SELECT_TYPES(T, U)                                                                                    \
    static_assert(ascendc_cpu::IsFloat<T>, "Select takes half and float on this chip");                                  \
    static_assert(ascendc_cpu::IsSelectMask<U>, "the mask of Select is a tensor of integers")

template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
    const LocalTensor<T> &src1, SELMODE selMode, uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ASCENDC_CPU_SELECT_TYPES(T, U);
    ascendc_cpu::Select({dst.View(), &selMask.View(), src0.View(), src1.View(), nullptr,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, selMode,
        ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime));
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
    const LocalTensor<T> &src1, SELMODE selMode, uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ASCENDC_CPU_SELECT_TYPES(T, U);
    ascendc_cpu::Select({dst.View(), &selMask.View(), src0.View(), src1.View(), nullptr,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, selMode,
        ascendc_cpu::Extent::Lanes<true>(mask, repeatTime));
}
// Without a mask operand: the mask registers say which elements, SetCmpMask says which source.
template <typename T, SELMODE selMode>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint8_t repeatTime,
    const BinaryRepeatParams &p)
{
    static_assert(ascendc_cpu::IsFloat<T>, "Select takes half and float on this chip");
    ascendc_cpu::Select({dst.View(), nullptr, src0.View(), src1.View(), nullptr,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, selMode,
        ascendc_cpu::Extent::Lanes<false>(0, repeatTime));
}
template <typename T, typename U>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0,
    const LocalTensor<T> &src1, SELMODE selMode, uint32_t count)
{
    ASCENDC_CPU_SELECT_TYPES(T, U);
    ascendc_cpu::Select({dst.View(), &selMask.View(), src0.View(), src1.View(), nullptr,
        {ascendc_cpu::WHOLE, ascendc_cpu::WHOLE, ascendc_cpu::WHOLE}}, selMode, ascendc_cpu::Extent::Count(count));
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, T src1,
    SELMODE selMode, uint64_t mask[], uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ASCENDC_CPU_SELECT_TYPES(T, U);
    const ascendc_cpu::Scalar scalar = ascendc_cpu::Scalar::Of(src1);
    ascendc_cpu::Select({dst.View(), &selMask.View(), src0.View(), src0.View(), &scalar,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, selMode,
        ascendc_cpu::Extent::Bits<true, T>(mask, repeatTime));
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, T src1,
    SELMODE selMode, uint64_t mask, uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ASCENDC_CPU_SELECT_TYPES(T, U);
    const ascendc_cpu::Scalar scalar = ascendc_cpu::Scalar::Of(src1);
    ascendc_cpu::Select({dst.View(), &selMask.View(), src0.View(), src0.View(), &scalar,
        {{p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride}, {p.src1BlkStride, p.src1RepStride}}}, selMode,
        ascendc_cpu::Extent::Lanes<true>(mask, repeatTime));
}
template <typename T, typename U>
ASCENDC_API void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, T src1,
    SELMODE selMode, uint32_t count)
{
    ASCENDC_CPU_SELECT_TYPES(T, U);
    const ascendc_cpu::Scalar scalar = ascendc_cpu::Scalar::Of(src1);
    ascendc_cpu::Select({dst.View(), &selMask.View(), src0.View(), src0.View(), &scalar,
        {ascendc_cpu::WHOLE, ascendc_cpu::WHOLE, ascendc_cpu::WHOLE}}, selMode, ascendc_cpu::Extent::Count(count));
}
#undef ASCENDC_CPU_SELECT_TYPES

// `mask = src0 < src1` compares as many elements as src0 has.
template <typename T>
struct CompareExpression {
    const LocalTensor<T> &src0;
    const LocalTensor<T> &src1;
    CMPMODE mode;
};
template <typename T>
template <typename U>
ASCENDC_API void LocalTensor<T>::operator=(const CompareExpression<U> &expression)
{
    Compare(*this, expression.src0, expression.src1, expression.mode, expression.src0.GetSize());
}
template <typename T>
ASCENDC_API CompareExpression<T> LocalTensor<T>::operator<(const LocalTensor &src1) const
{
    return {*this, src1, CMPMODE::LT};
}
template <typename T>
ASCENDC_API CompareExpression<T> LocalTensor<T>::operator>(const LocalTensor &src1) const
{
    return {*this, src1, CMPMODE::GT};
}
template <typename T>
ASCENDC_API CompareExpression<T> LocalTensor<T>::operator!=(const LocalTensor &src1) const
{
    return {*this, src1, CMPMODE::NE};
}
template <typename T>
ASCENDC_API CompareExpression<T> LocalTensor<T>::operator==(const LocalTensor &src1) const
{
    return {*this, src1, CMPMODE::EQ};
}
template <typename T>
ASCENDC_API CompareExpression<T> LocalTensor<T>::operator<=(const LocalTensor &src1) const
{
    return {*this, src1, CMPMODE::LE};
}
template <typename T>
ASCENDC_API CompareExpression<T> LocalTensor<T>::operator>=(const LocalTensor &src1) const
{
    return {*this, src1, CMPMODE::GE};
}
} // namespace AscendC

#endif
