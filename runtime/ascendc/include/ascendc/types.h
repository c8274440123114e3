// half and bfloat16_t: storage types that compute in float, as the scalar unit does.
#ifndef ASCENDC_CPU_TYPES_H
#define ASCENDC_CPU_TYPES_H

#include "ascendc/defs.h"

namespace ascendc_cpu {
constexpr uint32_t BitsOf(float v)
{
    return __builtin_bit_cast(uint32_t, v);
}

constexpr float FloatOf(uint32_t bits)
{
    return __builtin_bit_cast(float, bits);
}

// IEEE binary16, to nearest even; overflow gives infinity, nan stays a quiet nan with the upper payload bits.
constexpr uint16_t HalfBits(float v)
{
    const uint32_t bits = BitsOf(v);
    const uint32_t sign = bits >> 16 & 0x8000;
    const uint32_t mag = bits & 0x7fffffff;
    if (mag > 0x7f800000) {
        return static_cast<uint16_t>(sign | 0x7e00 | (mag >> 13 & 0x3ff));
    }
    if (mag >= 0x47800000) { // 65536 and beyond
        return static_cast<uint16_t>(sign | 0x7c00);
    }
    if (mag >= 0x38800000) { // normal: 2^-14 and beyond
        const uint32_t rounded = mag + 0xfff + (mag >> 13 & 1);
        return static_cast<uint16_t>(sign | ((rounded - 0x38000000) >> 13));
    }
    // Subnormal: adding 0.5 puts units of 2^-24 into the low mantissa bits, rounded to nearest even.
    const float shifted = FloatOf(mag) + 0.5f;
    return static_cast<uint16_t>(sign | (BitsOf(shifted) - 0x3f000000));
}

// Notes that the kernel makes a half of a number that is 0 or infinite as half, and was not.
void NoteOutOfHalf(float v);

constexpr bool IsOutOfHalf(float v, uint16_t half)
{
    const uint32_t mag = BitsOf(v) & 0x7fffffff;
    return ((half & 0x7fff) == 0 && mag != 0) || ((half & 0x7fff) == 0x7c00 && mag < 0x7f800000);
}

constexpr float HalfToFloat(uint16_t h)
{
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16;
    const uint32_t exponent = h >> 10 & 31;
    const uint32_t fraction = h & 0x3ff;
    if (exponent == 31) {
        // A signalling nan becomes quiet.
        return FloatOf(sign | 0x7f800000 | (fraction != 0 ? 0x400000 : 0) | fraction << 13);
    }
    if (exponent == 0) {
        const float v = static_cast<float>(fraction) * 5.9604644775390625e-8f; // 2^-24
        return sign != 0 ? -v : v;
    }
    return FloatOf(sign | (exponent + 112) << 23 | fraction << 13);
}

// bfloat16, to nearest even.
constexpr uint16_t Bfloat16Bits(float v)
{
    const uint32_t bits = BitsOf(v);
    if ((bits & 0x7fffffff) > 0x7f800000) {
        return static_cast<uint16_t>(bits >> 16 | 0x40);
    }
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

constexpr float Bfloat16ToFloat(uint16_t b)
{
    return FloatOf(static_cast<uint32_t>(b) << 16);
}
} // namespace ascendc_cpu

// A builtin arithmetic type of the device compiler: it converts to and from every arithmetic type.
struct half {
    uint16_t bits;

    half() = default;
    template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
    __attribute__((always_inline)) constexpr half(T v) : bits(ascendc_cpu::HalfBits(static_cast<float>(v)))
    {
        if (!__builtin_is_constant_evaluated() && ascendc_cpu::IsOutOfHalf(static_cast<float>(v), bits)) {
            ascendc_cpu::NoteOutOfHalf(static_cast<float>(v));
        }
    }
    static constexpr half Rounded(float v)
    {
        half rounded{};
        rounded.bits = ascendc_cpu::HalfBits(v);
        return rounded;
    }
    constexpr operator float() const { return ascendc_cpu::HalfToFloat(bits); }
    constexpr half &operator+=(half o) { return *this = Rounded(float(*this) + float(o)); }
    constexpr half &operator-=(half o) { return *this = Rounded(float(*this) - float(o)); }
    constexpr half &operator*=(half o) { return *this = Rounded(float(*this) * float(o)); }
    constexpr half &operator/=(half o) { return *this = Rounded(float(*this) / float(o)); }
};

// On the device it converts to float and from numbers by itself, and from half by cast: templates are written for it and other types at
// once. It has no arithmetic.
struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    template <typename T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
    constexpr bfloat16_t(T v) : bits(ascendc_cpu::Bfloat16Bits(static_cast<float>(v)))
    {}
    constexpr explicit bfloat16_t(half v) : bits(ascendc_cpu::Bfloat16Bits(float(v))) {}
    constexpr operator float() const { return ascendc_cpu::Bfloat16ToFloat(bits); }
    constexpr explicit operator half() const { return half::Rounded(float(*this)); }
};
// Comparisons, of which without these the compiler finds two; arithmetic, which the conversion would allow.
#define ASCENDC_CPU_BFLOAT16(Type, op)                                                                                   \
    template <typename T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>                                       \
    constexpr Type operator op(bfloat16_t a, T b) Type##_AS(float(a) op float(b))                                       \
    template <typename T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>                                       \
    constexpr Type operator op(T a, bfloat16_t b) Type##_AS(float(a) op float(b))                                       \
    constexpr Type operator op(bfloat16_t a, bfloat16_t b) Type##_AS(float(a) op float(b))
#define bool_AS(value) { return value; }
#define float_AS(value) = delete;
ASCENDC_CPU_BFLOAT16(bool, ==)
ASCENDC_CPU_BFLOAT16(bool, !=)
ASCENDC_CPU_BFLOAT16(float, +)
ASCENDC_CPU_BFLOAT16(float, -)
ASCENDC_CPU_BFLOAT16(float, *)
ASCENDC_CPU_BFLOAT16(float, /)
#undef float_AS
#undef bool_AS
#undef ASCENDC_CPU_BFLOAT16

using float16_t = half;
using float32_t = float;

namespace AscendC {
// Half a byte. Its size is that of a byte; in a tensor two share one, the first in the lower half (Cast page).
struct int4b_t {
    uint8_t storage;

    int4b_t() = default;
    template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
    constexpr explicit int4b_t(T v) : storage(static_cast<uint8_t>(v & 0xf))
    {}
};
} // namespace AscendC

#endif
