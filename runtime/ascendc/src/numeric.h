// Arithmetic of the element types, a run at a time.
//
// 16-bit floats are computed in float and rounded once to nearest even on the way back; with saturation (CTRL bit 48)
// a result beyond the range becomes the largest number, and nan becomes 0.
#ifndef ASCENDC_CPU_NUMERIC_H
#define ASCENDC_CPU_NUMERIC_H

#include "ascendc/types.h"

#include <cmath>
#include <limits>
#include <utility>

namespace ascendc_cpu {
void Widen(float *out, const half *in, uint64_t n);
inline void Widen(float *out, const bfloat16_t *in, uint64_t n)
{
    for (uint64_t i = 0; i < n; ++i) {
        out[i] = Bfloat16ToFloat(in[i].bits);
    }
}

inline float Clamped(float v, float max)
{
    return v != v ? 0.0f : v > max ? max : v < -max ? -max : v;
}
constexpr float HALF_MAX = 65504.0f;
constexpr float BFLOAT16_MAX = 3.38953138925153547590e38f;

// `in` is clobbered where `saturate` holds.
void Narrow(half *out, float *in, uint64_t n, bool saturate);
inline void Narrow(bfloat16_t *out, float *in, uint64_t n, bool saturate)
{
    for (uint64_t i = 0; i < n; ++i) {
        out[i].bits = Bfloat16Bits(saturate ? Clamped(in[i], BFLOAT16_MAX) : in[i]);
    }
}

// Stands before a loop whose destination is one of its sources or apart from them all, so that it need not look.
#ifdef __clang__
#define ASCENDC_CPU_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define ASCENDC_CPU_LANES _Pragma("GCC ivdep")
#endif

// The type that elements of T are computed in.
template <typename T>
struct ComputeOf {
    using type = T;
};
template <>
struct ComputeOf<half> {
    using type = float;
};
template <>
struct ComputeOf<bfloat16_t> {
    using type = float;
};
template <typename T>
using InCompute = typename ComputeOf<T>::type;

template <typename F, std::size_t... I, typename Rows>
void MapFloats(float *out, uint64_t n, F f, const Rows &in, std::index_sequence<I...>)
{
    for (uint64_t i = 0; i < n; ++i) {
        out[i] = f(in[I][i]...);
    }
}

// dst[i] = f(src0[i], src1[i], ...) over n elements. Elements of 16-bit floats go through float in chunks that stay in
// the first cache; the loop over a chunk is one the compiler vectorises. Give `f` values, not references.
template <typename T, typename F, typename... S>
void Map(T *dst, uint64_t n, bool saturate, F f, const S *...srcs)
{
    if constexpr (std::is_same<InCompute<T>, T>::value) {
        ASCENDC_CPU_LANES
        for (uint64_t i = 0; i < n; ++i) {
            dst[i] = f(srcs[i]...);
        }
    } else {
        constexpr uint64_t CHUNK = 256;
        float out[CHUNK];
        float in[sizeof...(S) + 1][CHUNK];
        for (uint64_t at = 0; at < n; at += CHUNK) {
            const uint64_t m = n - at < CHUNK ? n - at : CHUNK;
            int k = 0;
            (Widen(in[k++], srcs + at, m), ...);
            MapFloats(out, m, f, in, std::make_index_sequence<sizeof...(S)>());
            Narrow(dst + at, out, m, saturate);
        }
    }
}
} // namespace ascendc_cpu

#endif
