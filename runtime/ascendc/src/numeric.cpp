#include "numeric.h"

// The intrinsics are a large header: only this file reads it.
#ifdef __F16C__
#include <immintrin.h>
#endif

namespace ascendc_cpu {
void Widen(float *out, const half *in, uint64_t n)
{
    uint64_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i))));
    }
#endif
    for (; i < n; ++i) {
        out[i] = HalfToFloat(in[i].bits);
    }
}

void Narrow(half *out, float *in, uint64_t n, bool saturate)
{
    if (saturate) {
        for (uint64_t i = 0; i < n; ++i) {
            in[i] = Clamped(in[i], HALF_MAX);
        }
    }
    uint64_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= n; i += 8) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(out + i), _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
    }
#endif
    for (; i < n; ++i) {
        out[i].bits = HalfBits(in[i]);
    }
}
} // namespace ascendc_cpu
