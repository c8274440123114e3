// A half as host code computes with it (opbase, op_host/util/fp16.h): the number is val's bits. Results are those of the exact one,
// rounded once to the nearest half, ties to even: a float holds sums, products and quotients of halves well enough for that.
#ifndef ASCENDC_CPU_OP_COMMON_FP16_H
#define ASCENDC_CPU_OP_COMMON_FP16_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "op_common/op_host/util/opbase_export.h"

namespace Ops {
namespace Base {
struct OPBASE_API tagFp16 {
    uint16_t val = 0;

    tagFp16() = default;
    tagFp16(const uint16_t &uiVal) : val(uiVal) {} // bits, not a number
    template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    tagFp16(const T &value) : val(Rounded(static_cast<double>(value)))
    {}
    tagFp16 operator+(const tagFp16 fp) const { return tagFp16(toFloat() + fp.toFloat()); }
    tagFp16 operator-(const tagFp16 fp) const { return tagFp16(toFloat() - fp.toFloat()); }
    tagFp16 operator*(const tagFp16 fp) const { return tagFp16(toFloat() * fp.toFloat()); }
    tagFp16 operator/(const tagFp16 fp) const { return tagFp16(toFloat() / fp.toFloat()); }
    bool operator==(const tagFp16 &fp) const { return toFloat() == fp.toFloat(); }
    bool operator!=(const tagFp16 &fp) const { return toFloat() != fp.toFloat(); }
    bool operator>(const tagFp16 &fp) const { return toFloat() > fp.toFloat(); }
    bool operator>=(const tagFp16 &fp) const { return toFloat() >= fp.toFloat(); }
    bool operator<(const tagFp16 &fp) const { return toFloat() < fp.toFloat(); }
    bool operator<=(const tagFp16 &fp) const { return toFloat() <= fp.toFloat(); }
    operator float() const { return toFloat(); }
    operator double() const { return toDouble(); }
    // 1 or -1, and 0 of numbers.
    int IsInf() const { return (val & 0x7fff) == 0x7c00 ? (val >> 15 != 0 ? -1 : 1) : 0; }
    float toFloat() const { return static_cast<float>(toDouble()); }
    double toDouble() const
    {
        const int exponent = (val >> 10) & 0x1f;
        const int mantissa = val & 0x3ff;
        const double size = exponent == 0 ? std::ldexp(mantissa, -24)
            : exponent != 0x1f            ? std::ldexp(mantissa + 1024, exponent - 25)
            : mantissa == 0               ? HUGE_VAL
                                          : std::nan("");
        return (val >> 15) != 0 ? -size : size;
    }

private:
    static uint16_t Rounded(double value)
    {
        const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
        if (std::isnan(value)) {
            return sign | 0x7e00;
        }
        int exponent = 0;
        const double size = std::fabs(value);
        std::frexp(size, &exponent); // size is below two to the exponent
        const int unit = size == 0 ? -24 : std::max(exponent - 11, -24);
        const double count = std::nearbyint(std::ldexp(size, -unit)); // ties to even, the mode of every program's start
        if (std::isinf(size) || std::ldexp(count, unit) > 65504) {
            return sign | 0x7c00;
        }
        // A count of 2048 carries into the exponent.
        return static_cast<uint16_t>(sign | (((unit + 24) << 10) + static_cast<int>(count)));
    }
};
using fp16_t = tagFp16;
} // namespace Base
} // namespace Ops

#endif
