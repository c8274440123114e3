// Exp and Ln as fixed sequences of float operations.
//
// The project's simulator defines the two functions by these sequences, so that a result does not depend on a machine's
// libm; transcribed here operation by operation, so that whole kernels can be compared to the bit. Whether they are
// *accurate* is tested against double precision elsewhere.
#ifndef ASCENDC_CPU_ELEMENTARY_H
#define ASCENDC_CPU_ELEMENTARY_H

#include "ascendc/types.h"

#include <limits>

namespace ascendc_cpu {
constexpr float LN2_HI = 0.69314575f;
constexpr float LN2_LO = 1.4286068e-6f;

inline float Exp(float x)
{
    constexpr float MAGIC = 12582912.0f; // 1.5 * 2^23: adding and subtracting it rounds to an integer
    constexpr float LOG2_E = 1.44269504088896340736f;
    x = x > 89.0f ? 89.0f : x;
    x = x < -104.0f ? -104.0f : x;
    const float shifted = x * LOG2_E + MAGIC;
    const float n = shifted - MAGIC;
    const uint32_t k = BitsOf(shifted) - BitsOf(MAGIC);
    const float r = (x - n * LN2_HI) - n * LN2_LO;
    float p = 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = (p * r) * r + r;
    const float y = 1.0f + p;
    // Two factors, so that neither leaves the exponent range where the result is subnormal or overflows.
    const uint32_t half = static_cast<uint32_t>(static_cast<int32_t>(k) >> 1);
    return y * FloatOf((half + 127) << 23) * FloatOf((k - half + 127) << 23);
}

inline float Ln(float x)
{
    const bool tiny = x < std::numeric_limits<float>::min();
    const float scaled = tiny ? x * 8388608.0f : x;
    const float bias = tiny ? 23.0f : 0.0f;
    const uint32_t bits = BitsOf(scaled) - 0x3f3504f3;
    const float e = static_cast<float>(static_cast<int32_t>(bits) >> 23) - bias;
    const float m = FloatOf((bits & 0x007fffff) + 0x3f3504f3);
    const float f = m - 1.0f;
    const float s = f / (m + 1.0f);
    const float z = s * s;
    float q = 2.0f / 11.0f;
    q = q * z + 2.0f / 9.0f;
    q = q * z + 2.0f / 7.0f;
    q = q * z + 2.0f / 5.0f;
    q = q * z + 2.0f / 3.0f;
    const float low = s * (z * q - f) + e * LN2_LO;
    const float value = e * LN2_HI + (f + low);
    constexpr float INFINITE = std::numeric_limits<float>::infinity();
    return x != x ? x : x == INFINITE ? x : x < 0.0f ? std::numeric_limits<float>::quiet_NaN() : x == 0.0f ? -INFINITE : value;
}
} // namespace ascendc_cpu

#endif
