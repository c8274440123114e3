// Conversion between element types (asc-devkit, include/basic_api/kernel_operator_vec_vconv_intf.h; the pairs and their
// round modes: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换/Cast.md; float to int32_t on architecture 2002:
// impl/basic_api/dav_m200/kernel_operator_vec_vconv_impl.h).
#ifndef ASCENDC_CPU_VEC_CAST_H
#define ASCENDC_CPU_VEC_CAST_H

#include "ascendc/vec_unary.h"

namespace ascendc_cpu {
// Round modes as bits, in the order of RoundMode.
constexpr uint8_t NONE = 1, RINT = 2, FLOOR = 4, CEIL = 8, ROUND = 16, TRUNC = 32, ODD = 64;
constexpr uint8_t FIVE = RINT | FLOOR | CEIL | ROUND | TRUNC;

// The round modes of a conversion; 0 where the chip has none.
template <typename To, typename From>
constexpr uint8_t CastModes()
{
    constexpr auto is = [](Type to, Type from) { return TypeOf<To>::value == to && TypeOf<From>::value == from; };
#if __NPU_ARCH__ == 2201
    if (is(Type::F16, Type::I8) || is(Type::F16, Type::U8) || is(Type::F32, Type::I16) || is(Type::F32, Type::F16) ||
        is(Type::F32, Type::BF16) || is(Type::I16, Type::I32) || is(Type::I64, Type::I32) || is(Type::I32, Type::I64)) {
        return NONE;
    }
    if (is(Type::F16, Type::I16) || is(Type::I8, Type::F16) || is(Type::U8, Type::F16) || is(Type::F32, Type::I32)) {
        return FIVE | NONE;
    }
    if (is(Type::I16, Type::F16) || is(Type::I32, Type::F16) || is(Type::I32, Type::BF16) || is(Type::I16, Type::F32) ||
        is(Type::BF16, Type::F32) || is(Type::I32, Type::F32) || is(Type::F32, Type::F32) || is(Type::I64, Type::F32) ||
        is(Type::F32, Type::I64)) {
        return FIVE;
    }
    if (is(Type::F16, Type::F32)) {
        return FIVE | ODD | NONE;
    }
    if (is(Type::F16, Type::I4)) {
        return NONE;
    }
    if (is(Type::I4, Type::F16)) {
        return FIVE | NONE;
    }
#else
    if (is(Type::F16, Type::I8) || is(Type::F16, Type::U8) || is(Type::F16, Type::I16) || is(Type::F32, Type::F16) ||
        is(Type::I16, Type::I32) || is(Type::F32, Type::I32)) {
        return NONE;
    }
    if (is(Type::I8, Type::F16) || is(Type::U8, Type::F16)) {
        return FLOOR | CEIL | ROUND | TRUNC | NONE;
    }
    if (is(Type::I16, Type::F16)) {
        return RINT;
    }
    if (is(Type::I32, Type::F16) || is(Type::I32, Type::F32)) {
        return FIVE;
    }
    if (is(Type::F16, Type::F32)) {
        return ODD | NONE;
    }
#endif
    // The scale of SetDeqScale decides, not the mode.
    return is(Type::F16, Type::I32) ? NONE | FIVE | ODD : 0;
}

// Data blocks of a repeat that elements of T take where those of the wider type take eight.
template <typename T>
constexpr uint16_t CastBlocks(uint32_t wide)
{
    return static_cast<uint16_t>(8 * sizeof(T) / wide / (IsInt4<T> ? 2 : 1));
}

void Cast(const Local &dst, const Local &src, AscendC::RoundMode mode, uint8_t allowed, const Extent &extent,
    const Stride (&strides)[2]);
void SetDeqScale(float scale);
} // namespace ascendc_cpu

namespace AscendC {
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint64_t mask[],
    const uint8_t repeatTime, const UnaryRepeatParams &repeatParams)
{
    constexpr uint8_t modes = ascendc_cpu::CastModes<T, U>();
    static_assert(modes != 0, "Cast has no conversion between these element types on this chip");
    using Wide = std::conditional_t<(sizeof(T) > sizeof(U)), T, U>;
    ascendc_cpu::Cast(dst.View(), src.View(), roundMode, modes, ascendc_cpu::Extent::Bits<isSetMask, Wide>(mask, repeatTime),
        {{repeatParams.dstBlkStride, repeatParams.dstRepStride}, {repeatParams.srcBlkStride, repeatParams.srcRepStride}});
}
template <typename T, typename U, bool isSetMask = true>
ASCENDC_API void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint64_t mask,
    const uint8_t repeatTime, const UnaryRepeatParams &repeatParams)
{
    constexpr uint8_t modes = ascendc_cpu::CastModes<T, U>();
    static_assert(modes != 0, "Cast has no conversion between these element types on this chip");
    ascendc_cpu::Cast(dst.View(), src.View(), roundMode, modes, ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),
        {{repeatParams.dstBlkStride, repeatParams.dstRepStride}, {repeatParams.srcBlkStride, repeatParams.srcRepStride}});
}
template <typename T, typename U>
ASCENDC_API void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode, const uint32_t count)
{
    constexpr uint8_t modes = ascendc_cpu::CastModes<T, U>();
    static_assert(modes != 0, "Cast has no conversion between these element types on this chip");
    // The narrower side takes fewer data blocks a repeat.
    constexpr uint32_t wide = sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U);
    ascendc_cpu::Cast(dst.View(), src.View(), roundMode, modes, ascendc_cpu::Extent::Count(count),
        {{1, ascendc_cpu::CastBlocks<T>(wide)}, {1, ascendc_cpu::CastBlocks<U>(wide)}});
}

// Scaled by what SetDeqScale has set. Of int16_t to bytes the page does not say how it rounds, so that it is not here.
template <typename T, typename U>
inline constexpr bool IsDequant = std::is_same<T, half>::value && std::is_same<U, int32_t>::value;
#define ASCENDC_CPU_DEQUANT(Name)                                                                                        \
    template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>                \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint64_t mask[], uint8_t repeatTime, \
        const UnaryRepeatParams &repeatParams)                                                                           \
    {                                                                                                                    \
        static_assert(IsDequant<T, U>, #Name " takes int32_t to half here");                                             \
        ascendc_cpu::Cast(dst.View(), src.View(), RoundMode::CAST_RINT, ascendc_cpu::RINT,                               \
            ascendc_cpu::Extent::Bits<isSetMask, U>(mask, repeatTime),                                                   \
            {{repeatParams.dstBlkStride, repeatParams.dstRepStride}, {repeatParams.srcBlkStride, repeatParams.srcRepStride}}); \
    }                                                                                                                    \
    template <typename T, typename U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>                \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src, const int32_t mask, uint8_t repeatTime,  \
        const UnaryRepeatParams &repeatParams)                                                                           \
    {                                                                                                                    \
        static_assert(IsDequant<T, U>, #Name " takes int32_t to half here");                                             \
        ascendc_cpu::Cast(dst.View(), src.View(), RoundMode::CAST_RINT, ascendc_cpu::RINT,                               \
            ascendc_cpu::Extent::Lanes<isSetMask>(mask, repeatTime),                                                     \
            {{repeatParams.dstBlkStride, repeatParams.dstRepStride}, {repeatParams.srcBlkStride, repeatParams.srcRepStride}}); \
    }                                                                                                                    \
    template <typename T, typename U, bool isVecDeq = true, bool halfBlock = true>                                       \
    ASCENDC_API void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src, const uint32_t count)                    \
    {                                                                                                                    \
        static_assert(IsDequant<T, U>, #Name " takes int32_t to half here");                                             \
        ascendc_cpu::Cast(dst.View(), src.View(), RoundMode::CAST_RINT, ascendc_cpu::RINT, ascendc_cpu::Extent::Count(count), \
            {{1, 4}, {1, 8}});                                                                                           \
    }
// Release 8.1 has it of int16_t alone; CANN 9 names it CastDequant and takes this name, too.
#if ASCENDC_CPU_CANN >= 805
ASCENDC_CPU_DEQUANT(CastDeq)
#endif
#if ASCENDC_CPU_CANN >= 900
ASCENDC_CPU_DEQUANT(CastDequant)
#endif
#undef ASCENDC_CPU_DEQUANT

// The factor of the conversion from int32_t to half.
ASCENDC_API void SetDeqScale(half scale)
{
    ascendc_cpu::SetDeqScale(float(scale));
}
} // namespace AscendC

#endif
