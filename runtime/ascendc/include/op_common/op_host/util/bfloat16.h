// A bfloat16 as host code computes with it (opbase, op_host/util/bfloat16.h): the upper half of a float, rounded to the nearest one, ties
// to even.
#ifndef ASCENDC_CPU_OP_COMMON_BFLOAT16_H
#define ASCENDC_CPU_OP_COMMON_BFLOAT16_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Ops {
namespace Base {
struct bfloat16 {
    uint16_t value = 0;

    bfloat16() = default;
    template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
    bfloat16(const T &val) : value(Rounded(static_cast<float>(val)))
    {}
    operator float() const
    {
        const uint32_t bits = uint32_t{value} << 16;
        float number = 0;
        std::memcpy(&number, &bits, sizeof number);
        return number;
    }

private:
    static uint16_t Rounded(float number)
    {
        uint32_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        return static_cast<uint16_t>(std::isnan(number) ? 0x7fc0 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
    }
};
} // namespace Base
} // namespace Ops

#endif
