// Comparison inside a kernel of this suite.
#ifndef ASCENDC_CPU_TESTS_CHECK_H
#define ASCENDC_CPU_TESTS_CHECK_H

#include "kernel_operator.h"

namespace ascendc_cpu {
[[noreturn]] void Unexpected(double got, double want, int64_t index);
} // namespace ascendc_cpu

// Stops where `got` is not `want`, to the bit of the value; nan equals nan. `index` says which element.
template <typename T, typename U>
ASCENDC_API void Expect(T got, U want, int64_t index = -1)
{
    const double a = static_cast<double>(static_cast<float>(got));
    const double b = static_cast<double>(static_cast<float>(want));
    const double x = std::is_floating_point<T>::value || !std::is_integral<T>::value ? a : static_cast<double>(got);
    const double y = std::is_floating_point<U>::value || !std::is_integral<U>::value ? b : static_cast<double>(want);
    if (x != y && !(x != x && y != y)) {
        ascendc_cpu::Unexpected(x, y, index);
    }
}

// Stops where `got` is further from `want` than this part of it.
template <typename T>
ASCENDC_API void Near(T got, float want, float part, int64_t index = -1)
{
    const double a = static_cast<double>(static_cast<float>(got));
    const double b = static_cast<double>(want);
    if (!(a - b <= part * (b < 0 ? -b : b) && b - a <= part * (b < 0 ? -b : b))) {
        ascendc_cpu::Unexpected(a, b, index);
    }
}

#endif
