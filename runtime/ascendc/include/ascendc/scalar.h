// The scalar unit: conversions and bit counts (asc-devkit, include/basic_api/kernel_operator_scalar_intf.h), and the functions
// of the C library that device code calls without a namespace.
#ifndef ASCENDC_CPU_SCALAR_H
#define ASCENDC_CPU_SCALAR_H

#include "ascendc/enums.h"

#include <cmath>
#include <math.h> // sqrt and its kind without a namespace, for float too

namespace ascendc_cpu {
// A float to a 32-bit integer; half through float.
template <typename To>
ASCENDC_API To RoundScalar(float v, AscendC::RoundMode mode)
{
    using AscendC::RoundMode;
    const double wide = v;
    const double rounded = mode == RoundMode::CAST_FLOOR ? std::floor(wide)
        : mode == RoundMode::CAST_CEIL                   ? std::ceil(wide)
        : mode == RoundMode::CAST_ROUND                  ? std::round(wide)
        : mode == RoundMode::CAST_TRUNC                  ? std::trunc(wide)
                                                         : std::nearbyint(wide);
    return static_cast<To>(rounded);
}
} // namespace ascendc_cpu

namespace AscendC {
ASCENDC_API bfloat16_t ToBfloat16(const float &fVal)
{
    return bfloat16_t(fVal);
}
ASCENDC_API float ToFloat(const bfloat16_t &bVal)
{
    return float(bVal);
}
#if __NPU_ARCH__ == 2201
// The names of CANN 9.
ASCENDC_API bfloat16_t Cast(const float &fVal)
{
    return ToBfloat16(fVal);
}
ASCENDC_API float Cast(const bfloat16_t &bVal)
{
    return ToFloat(bVal);
}
#endif
// float to half (CAST_ODD) and to int32_t; half to nothing but through float.
template <typename T, typename U, RoundMode roundMode>
ASCENDC_API U ScalarCast(T valueIn)
{
    static_assert(std::is_same<T, float>::value && ascendc_cpu::OneOf<U, half, int32_t>,
        "ScalarCast converts float to half or int32_t");
    if constexpr (std::is_same<U, int32_t>::value) {
        return ascendc_cpu::RoundScalar<int32_t>(valueIn, roundMode);
    } else {
        return half(valueIn);
    }
}
template <typename T, typename U, RoundMode roundMode>
ASCENDC_API U Cast(T valueIn)
{
    return ScalarCast<T, U, roundMode>(valueIn);
}
// Bits of a value that are `countValue`.
template <int countValue>
ASCENDC_API int64_t ScalarGetCountOfValue(uint64_t valueIn)
{
    static_assert(countValue == 0 || countValue == 1, "bits are 0 or 1");
    const int64_t ones = __builtin_popcountll(valueIn);
    return countValue == 1 ? ones : 64 - ones;
}
ASCENDC_API int64_t ScalarCountLeadingZero(uint64_t valueIn)
{
    return valueIn == 0 ? 64 : __builtin_clzll(valueIn);
}
// Bits behind the sign that equal it.
ASCENDC_API int64_t CountBitsCntSameAsSignBit(int64_t valueIn)
{
    return valueIn == -1 ? -1 : __builtin_clrsbll(valueIn);
}
// The first bit from the low end that is `countValue`; -1 where there is none.
template <int countValue>
ASCENDC_API int64_t ScalarGetSFFValue(uint64_t valueIn)
{
    static_assert(countValue == 0 || countValue == 1, "bits are 0 or 1");
    const uint64_t bits = countValue == 1 ? valueIn : ~valueIn;
    return bits == 0 ? -1 : __builtin_ctzll(bits);
}
// The names of CANN 9.
template <int countValue>
ASCENDC_API int64_t GetBitCount(uint64_t valueIn)
{
    return ScalarGetCountOfValue<countValue>(valueIn);
}
ASCENDC_API int64_t CountLeadingZero(uint64_t valueIn)
{
    return ScalarCountLeadingZero(valueIn);
}
template <int countValue>
ASCENDC_API int64_t GetSFFValue(uint64_t valueIn)
{
    return ScalarGetSFFValue<countValue>(valueIn);
}
} // namespace AscendC

// The device compiler has these for scalars without a namespace: kernels in the wild call them and declare nothing. What a kernel
// declares or names itself comes first, since it takes no more arguments than two.
template <typename A, typename B, typename... None>
ASCENDC_API constexpr auto max(A a, B b, None...) -> std::enable_if_t<sizeof...(None) == 0, std::decay_t<decltype(true ? a : b)>>
{
    return a > b ? a : b;
}
template <typename A, typename B, typename... None>
ASCENDC_API constexpr auto min(A a, B b, None...) -> std::enable_if_t<sizeof...(None) == 0, std::decay_t<decltype(true ? a : b)>>
{
    return a < b ? a : b;
}

#endif
