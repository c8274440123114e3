// The arithmetic of one element, shared by the instructions that compute it.
#ifndef ASCENDC_CPU_ARITHMETIC_H
#define ASCENDC_CPU_ARITHMETIC_H

#include "ascendc/types.h"

#include <limits>
#include <type_traits>

namespace ascendc_cpu {
// The larger of two; nan wins, of two zeros the positive one (edge table of Max).
template <typename T>
T Larger(T a, T b)
{
    if constexpr (std::is_integral<T>::value) {
        return a > b ? a : b;
    } else {
        return a != a ? a : b != b ? b : a == b ? FloatOf(BitsOf(a) & BitsOf(b)) : a > b ? a : b;
    }
}

// The smaller of two; nan wins, of two zeros the negative one.
template <typename T>
T Smaller(T a, T b)
{
    if constexpr (std::is_integral<T>::value) {
        return a < b ? a : b;
    } else {
        return a != a ? a : b != b ? b : a == b ? FloatOf(BitsOf(a) | BitsOf(b)) : a < b ? a : b;
    }
}

// Integers wrap, or clamp where CTRL bit 48 asks for saturation.
template <bool saturate, typename T>
T Fit(int64_t wide)
{
    if constexpr (saturate) {
        constexpr int64_t low = std::numeric_limits<T>::min();
        constexpr int64_t high = std::numeric_limits<T>::max();
        return static_cast<T>(wide < low ? low : wide > high ? high : wide);
    } else {
        return static_cast<T>(wide);
    }
}
template <bool saturate, typename T>
T Sum(T a, T b)
{
    if constexpr (std::is_integral<T>::value) {
        return Fit<saturate, T>(int64_t(a) + b);
    } else {
        return a + b;
    }
}
template <bool saturate, typename T>
T Difference(T a, T b)
{
    if constexpr (std::is_integral<T>::value) {
        return Fit<saturate, T>(int64_t(a) - b);
    } else {
        return a - b;
    }
}
template <bool saturate, typename T>
T Product(T a, T b)
{
    if constexpr (std::is_integral<T>::value) {
        return Fit<saturate, T>(int64_t(a) * b);
    } else {
        return a * b;
    }
}
} // namespace ascendc_cpu

#endif
