// Temporary space of the advanced API, as the kernel needs it and as host code asks for it (asc-devkit, pages Get*MaxMinTmpSize;
// the numbers: impl/adv_api/tiling). Included by both sides.
#ifndef ASCENDC_CPU_ADV_SPACE_H
#define ASCENDC_CPU_ADV_SPACE_H

#include <cstdint>

namespace ascendc_cpu {
// What a function takes for some elements: `least` bytes, and of more no more than Most uses.
struct TmpSpace {
    uint32_t factor; // bytes for each byte of an operand
    uint32_t least;
    uint32_t floor;  // Most is no less

    constexpr uint32_t Most(uint64_t bytes) const
    {
        return static_cast<uint32_t>(factor * bytes > floor ? factor * bytes : floor);
    }
};
// So many repeats at least.
constexpr TmpSpace Repeats(uint32_t factor)
{
    return {factor, factor * 256, factor * 256};
}

// Functions of one tensor, a line each: name, constant, the forms there are, of the function (adv_math.h) and of what the host asks
// (tiling/adv_tiling.h), the space for half, for float, and for float where isReuseSource lets the source go; what it takes, and what becomes of an
// element `x`, in double `d`, which only the machine reads. Outside of what a function takes its result is "invalid", says its page.
// Round and rounding to integers differ with the chip (`v200`: inference products).
#define ASCENDC_CPU_MATH_TABLE(ROW)                                                                                      \
    ROW(Log, LOG, BARE, Repeats(0), Repeats(0), Repeats(0), true, Ln(x))                                                 \
    ROW(Log10, LOG10, BARE, Repeats(0), Repeats(0), Repeats(0), true, std::log10(d))                                     \
    ROW(Log2, LOG2, ALL, (TmpSpace{2, 256, 256}), Repeats(0), Repeats(0), true, std::log2(d))                            \
    ROW(Sin, SIN, ALL, Repeats(8), Repeats(3), Repeats(2), !(std::fabs(x) > 65504.0f), std::sin(d))                      \
    ROW(Cos, COS, ALL, Repeats(8), Repeats(3), Repeats(2), !(std::fabs(x) > 65504.0f), std::cos(d))                      \
    ROW(Tan, TAN, ALL, Repeats(10), Repeats(4), Repeats(4), !(std::fabs(x) >= 65504.0f), std::tan(d))                    \
    ROW(Sinh, SINH, ALL, Repeats(4), Repeats(1), Repeats(1), true, std::sinh(d))                                         \
    ROW(Cosh, COSH, ALL, Repeats(6), Repeats(2), Repeats(2), true, std::cosh(d))                                         \
    ROW(Tanh, TANH, ALL, Repeats(4), Repeats(1), Repeats(1), true, std::tanh(d))                                         \
    ROW(Asin, ASIN, ALL, Repeats(6), Repeats(2), Repeats(2), !(std::fabs(x) > 1.0f), std::asin(d))                       \
    ROW(Acos, ACOS, ALL, Repeats(6), Repeats(2), Repeats(2), !(std::fabs(x) > 1.0f), std::acos(d))                       \
    ROW(Atan, ATAN, ALL, Repeats(12), Repeats(5), Repeats(5), true, std::atan(d))                                        \
    ROW(Asinh, ASINH, ALL, Repeats(3), Repeats(3), Repeats(3), !(std::fabs(x) > 65504.0f), std::asinh(d))                \
    ROW(Acosh, ACOSH, ALL, Repeats(2), (TmpSpace{1, 256, 1024}), (TmpSpace{1, 256, 1024}), !(x < 1.0f || x > 65504.0f),  \
        std::acosh(d))                                                                                                   \
    ROW(Atanh, ATANH, ALL, Repeats(4), Repeats(1), Repeats(1), !(std::fabs(d) <= 0.001 || std::fabs(d) >= 0.99),         \
        std::atanh(d))                                                                                                   \
    ROW(Erf, ERF, ALL, Repeats(8), Repeats(3), Repeats(3), true, std::erf(d))                                            \
    ROW(Erfc, ERFC, ALL, Repeats(16), Repeats(7), Repeats(7), true, std::erfc(d))                                        \
    ROW(Sigmoid, SIGMOID, ACTIVATION, Repeats(1), Repeats(1), Repeats(1), true, 1.0 / (1.0 + std::exp(-d)))                     \
    /* Of nan it is 0: neither of its two comparisons holds. */                                                         \
    ROW(Sign, SIGN, ALL, Repeats(3), Repeats(3), Repeats(3), true, (x > 0.0f) - (x < 0.0f))                              \
    ROW(Frac, FRAC, ALL, Repeats(4), Repeats(0), Repeats(0), !(v200 && std::fabs(x) > 2147483647.0f), d - std::trunc(d)) \
    ROW(Trunc, TRUNC, ALL, Repeats(2), Repeats(1), Repeats(1), !(v200 && std::fabs(x) > 2147483647.0f), std::trunc(d))   \
    ROW(Ceil, CEIL, COUNTED, Repeats(2), Repeats(1), Repeats(1), !(v200 && std::fabs(x) > 2147483647.0f), std::ceil(d))  \
    ROW(Floor, FLOOR, COUNTED, Repeats(2), Repeats(0), Repeats(0), !(v200 && std::fabs(x) > 2147483647.0f),              \
        std::floor(d))                                                                                                   \
    /* Halves go to even numbers. */                                                                                     \
    ROW(Round, ROUND, PLATFORM, Repeats(v200 ? 2 : 1), Repeats(v200 ? 1 : 0), Repeats(v200 ? 1 : 0), true,                \
        std::nearbyint(d))                                                                                               \
    /* Exp with a number of terms, beside the instruction. */                                                            \
    ROW(Exp, EXP, TERMS, (TmpSpace{8, 1024, 1024}), Repeats(3), Repeats(2), true, std::exp(d))

#define ASCENDC_CPU_CONSTANT(Name, OP, ...) OP,
enum class MathOp : uint8_t { ASCENDC_CPU_MATH_TABLE(ASCENDC_CPU_CONSTANT) };
#undef ASCENDC_CPU_CONSTANT

constexpr TmpSpace MathSpace(MathOp op, bool is_float, bool reuses, [[maybe_unused]] bool v200)
{
#define ASCENDC_CPU_SPACE(Name, OP, FORMS, HALF, FLOAT, REUSING, ...)                                                    \
    case MathOp::OP: return !is_float ? HALF : reuses ? REUSING : FLOAT;
    switch (op) { ASCENDC_CPU_MATH_TABLE(ASCENDC_CPU_SPACE) }
#undef ASCENDC_CPU_SPACE
    return {};
}

// Activations with a formula of their own (adv_activation.h): of one tensor, and gates of two. Silu and Swish take no space.
enum class Activation : uint8_t { SILU, SWISH, GELU, FASTER_GELU, FASTER_GELU_V2 };
constexpr TmpSpace ActivationSpace(Activation op, uint32_t size)
{
    // Three numbers of four bytes for each element.
    return op <= Activation::SWISH ? TmpSpace{} : TmpSpace{size == 4 ? 3u : 6u, 3 * 256, 3 * 256};
}
enum class Gate : uint8_t { GEGLU, REGLU, SWIGLU };
constexpr TmpSpace GateSpace(Gate op, uint32_t size)
{
    switch (op) {
        case Gate::GEGLU: return Repeats(size == 4 ? 0 : 4);
        case Gate::SWIGLU: return Repeats(size == 4 ? 0 : 6);
        case Gate::REGLU: return size == 4 ? TmpSpace{0, 256, 256} : Repeats(6);
    }
    return {};
}

// Power, by element type and by whether both operands are tensors.
enum class PowerType : uint8_t { HALF, FLOAT, INT32 };
constexpr uint32_t POWER_EXTRA = 256; // more of half and float, whatever their number
constexpr TmpSpace PowerSpace(PowerType type, bool tensors, bool v200)
{
    const uint32_t more = (tensors ? 0 : 1) + (v200 ? 1 : 0);
    switch (type) {
        case PowerType::HALF: return {v200 ? 16u : 14u, v200 ? 2048u : 1792u, v200 ? 2048u : 1792u};
        case PowerType::FLOAT: return Repeats(4 + more);
        case PowerType::INT32: return Repeats(6 + more);
    }
    return {};
}

// A sum over `n` elements of `size` bytes keeps one number for each repeat. Mean rounds otherwise, and where half is added up as float it
// has the row as float before them (`wide`).
constexpr uint32_t AlignedTo(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}
constexpr uint32_t SumSpace(uint32_t n, uint32_t size)
{
    return AlignedTo(AlignedTo(n * size, 256) / 256 * size, 32);
}
constexpr uint32_t MeanSpace(uint32_t n, uint32_t size, bool wide)
{
    const uint32_t repeats = AlignedTo(n * (wide ? 4 : size), 256) / 256;
    return AlignedTo(repeats, 32) + (wide ? AlignedTo(n * size, 32) / size * 4 : 0);
}

// Running sums along the last axis transpose 16 rows at once, there and back, and hold half as float in between; along the first axis
// half is held as float.
constexpr uint32_t CumSumSpace(bool last_axis, uint32_t rows, uint32_t inner, uint32_t size)
{
    return last_axis ? rows * inner * (2 * size + (size == 2 ? 2 : 0)) : size == 2 ? rows * inner * 4 : 0;
}

// Reductions of one axis of two (adv_reduce_pattern.h): `rows`, the last axis goes (pattern AR), else the first (RA).
enum class Reduction : uint8_t { SUM, MEAN, MAX, MIN, PROD, ANY, ALL };
// The greatest power of two that is no more than n, and half of it where it is n and `halves`.
constexpr uint32_t PowerOfTwoIn(uint32_t n, bool halves)
{
    uint32_t power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power == n && halves ? power / 2 : power;
}
constexpr uint32_t ReductionSpace(Reduction op, bool rows, uint32_t first, uint32_t last, uint32_t size, bool reuses)
{
    if (rows && size == 1) {
        return AlignedTo(last, 32) * 2 + first * 32;
    }
    if (reuses) {
        return rows && op == Reduction::PROD ? 256 : 0;
    }
    if (!rows) {
        return PowerOfTwoIn(first, first > 1) * AlignedTo(last * size, 32);
    }
    switch (op) {
        case Reduction::SUM:
        case Reduction::MEAN: return last <= 64 ? 0 : first * PowerOfTwoIn(last, first > 1) * size;
        case Reduction::PROD: {
            const uint32_t row = PowerOfTwoIn(last, first > 1);
            return ((row > 8 ? row : 8) + first * 8) * size + 256;
        }
        case Reduction::MAX:
        case Reduction::MIN:
        case Reduction::ANY:
        case Reduction::ALL: return last * size <= 32 ? 0 : last * size < 256 ? first * 32 : first * 256;
    }
    return 0;
}

// BroadCast of two axes, of which the source has 1 on one; bytes go through half.
struct BroadcastNeeds {
    uint32_t most;
    uint32_t least;
};
constexpr BroadcastNeeds BroadcastSpace(const uint32_t (&dst)[2], const uint32_t (&src)[2], uint32_t size, bool v200)
{
    const uint32_t elements = src[0] * src[1];
    const uint32_t results = dst[0] * dst[1];
    const uint32_t halves = size == 1 ? (AlignedTo(elements, 16) + AlignedTo(results, 16)) * 2 : 0;
    if (elements == results || elements == 1) {
        const uint32_t space = size == 1 ? halves + 32 : 0;
        return {space, space};
    }
    if (src[1] != 1) {
        return {halves + 32, halves + 32};
    }
    const uint32_t wide = size == 1 ? 2 : size;
    const uint32_t block = 32 / wide;
    if (v200) {
        return {32 + halves + results * wide, 32 + halves + block * ((dst[1] + 7) / 8) * wide};
    }
    // A data block for each element, and rows of whole ones where those of dst are not.
    const bool whole = dst[1] % block == 0;
    const uint32_t row = whole ? 0 : AlignedTo(dst[1], block) * wide;
    return {AlignedTo(dst[0], 8) * 32 + dst[0] * row + halves, block * 32 + block * row + halves};
}

// A selection by a mask of `mask_size` bytes an element; `least`: for no more than 4096 elements at once.
constexpr uint32_t SelectSpace(uint32_t elements, uint32_t mask_size, bool copies_mask, bool least)
{
    const uint32_t at_once = least && elements > 4096 ? 4096 : elements;
    const uint32_t space = AlignedTo(at_once, 32) * 2 + 512;
    return (space > 1024 ? space : 1024) + (copies_mask ? AlignedTo(elements * mask_size, 32) : 0);
}
} // namespace ascendc_cpu

#endif
