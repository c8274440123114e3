#include "ascendc/vec_cast.h"

#include "numeric.h"
#include "vector.h"

#include <algorithm>

namespace ascendc_cpu {
namespace {
using AscendC::RoundMode;

const char *const MODES[] = {"CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};

// To an integral number. NONE is RINT where something must go.
double RoundTo(double v, RoundMode mode)
{
    switch (mode) {
        case RoundMode::CAST_NONE:
        case RoundMode::CAST_RINT: return std::nearbyint(v);
        case RoundMode::CAST_FLOOR: return std::floor(v);
        case RoundMode::CAST_CEIL: return std::ceil(v);
        case RoundMode::CAST_ROUND: return std::round(v);
        case RoundMode::CAST_TRUNC: return std::trunc(v);
        case RoundMode::CAST_ODD: break;
    }
    const double down = std::trunc(v);
    return down == v || std::fmod(down, 2.0) != 0.0 ? down : down + std::copysign(1.0, v);
}

// To a binary float of `bits` fraction bits whose least normal exponent is `least`; beyond `max` to infinity.
double RoundToFloat(double v, int bits, int least, double max, RoundMode mode)
{
    if (v == 0.0 || !std::isfinite(v)) {
        return v;
    }
    int exponent = std::ilogb(v);
    exponent = exponent < least ? least : exponent;
    const double rounded = std::ldexp(RoundTo(std::ldexp(v, bits - exponent), mode), exponent - bits);
    return std::fabs(rounded) > max ? std::copysign(std::numeric_limits<double>::infinity(), v) : std::copysign(rounded, v);
}

template <typename To>
To Saturated(double v)
{
    constexpr double low = static_cast<double>(std::numeric_limits<To>::min());
    constexpr double high = static_cast<double>(std::numeric_limits<To>::max());
    return v != v ? To(0) : v <= low ? std::numeric_limits<To>::min() : v >= high ? std::numeric_limits<To>::max() : static_cast<To>(v);
}

struct Context {
    RoundMode mode;
    bool saturate;
    float scale;
};

template <typename To, typename From>
To Convert(From value, const Context &c)
{
    if constexpr (std::is_integral<To>::value && std::is_integral<From>::value) {
        const int64_t wide = value;
        constexpr int64_t low = std::numeric_limits<To>::min();
        constexpr int64_t high = std::numeric_limits<To>::max();
        return static_cast<To>(wide < low ? low : wide > high ? high : wide);
    } else if constexpr (std::is_integral<To>::value) {
        return Saturated<To>(RoundTo(static_cast<double>(static_cast<float>(value)), c.mode));
    } else if constexpr (std::is_same<To, half>::value) {
        const bool scaled = std::is_same<From, int32_t>::value;
        double v = std::is_integral<From>::value ? static_cast<double>(value) : static_cast<double>(static_cast<float>(value));
        v = scaled ? static_cast<float>(v) * c.scale : v;
        float out = static_cast<float>(RoundToFloat(v, 10, -14, HALF_MAX, scaled ? RoundMode::CAST_RINT : c.mode));
        half h;
        Narrow(&h, &out, 1, c.saturate);
        return h;
    } else if constexpr (std::is_same<To, bfloat16_t>::value) {
        float out = static_cast<float>(RoundToFloat(static_cast<float>(value), 7, -126, BFLOAT16_MAX, c.mode));
        bfloat16_t b;
        Narrow(&b, &out, 1, c.saturate);
        return b;
    } else if constexpr (std::is_same<From, int64_t>::value) {
        // Through the sign and the magnitude, since not every int64_t is a double.
        const bool negative = value < 0;
        uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
        int shift = 0;
        uint64_t lost = 0;
        while (magnitude >> 53 != 0) {
            lost |= magnitude & 1;
            magnitude >>= 1;
            ++shift;
        }
        // A sticky bit keeps what was lost on the right side of every tie.
        const double v = std::ldexp(static_cast<double>(magnitude | lost), shift);
        return static_cast<float>(RoundToFloat(negative ? -v : v, 23, -126, std::numeric_limits<double>::max(), c.mode));
    } else if constexpr (std::is_integral<From>::value) {
        return static_cast<float>(RoundToFloat(static_cast<double>(value), 23, -126, std::numeric_limits<float>::max(), c.mode));
    } else if constexpr (std::is_same<From, float>::value) {
        // To integral values; minus zero becomes zero.
        return static_cast<float>(RoundTo(value, c.mode)) + 0.0f;
    } else {
        return static_cast<float>(value);
    }
}

template <typename To, typename From>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *context)
{
    const Context c = *static_cast<const Context *>(context);
    To *const to = static_cast<To *>(dst);
    const From *const from = static_cast<const From *>(srcs[0]);
    const bool nearest = c.mode == RoundMode::CAST_NONE || c.mode == RoundMode::CAST_RINT;
    if constexpr (std::is_same<To, float>::value && (std::is_same<From, half>::value || std::is_same<From, bfloat16_t>::value)) {
        Widen(to, from, n);
        return;
    } else if constexpr (std::is_same<From, float>::value && (std::is_same<To, half>::value || std::is_same<To, bfloat16_t>::value)) {
        for (uint64_t at = 0; nearest && at < n; at += 256) {
            float chunk[256];
            const uint64_t m = n - at < 256 ? n - at : 256;
            std::memcpy(chunk, from + at, m * sizeof(float));
            Narrow(to + at, chunk, m, c.saturate);
        }
        if (nearest) {
            return;
        }
    }
    for (uint64_t i = 0; i < n; ++i) {
        to[i] = Convert<To>(from[i], c);
    }
}

Compute ForTypes(Type to, Type from)
{
    const auto pair = [](Type a, Type b) { return static_cast<int>(a) * 16 + static_cast<int>(b); };
    switch (pair(to, from)) {
        case pair(Type::F16, Type::I8): return Loop<half, int8_t>;
        case pair(Type::F16, Type::U8): return Loop<half, uint8_t>;
        case pair(Type::F16, Type::I16): return Loop<half, int16_t>;
        case pair(Type::F16, Type::I32): return Loop<half, int32_t>;
        case pair(Type::F16, Type::F32): return Loop<half, float>;
        case pair(Type::F32, Type::I16): return Loop<float, int16_t>;
        case pair(Type::F32, Type::F16): return Loop<float, half>;
        case pair(Type::F32, Type::BF16): return Loop<float, bfloat16_t>;
        case pair(Type::F32, Type::I32): return Loop<float, int32_t>;
        case pair(Type::F32, Type::F32): return Loop<float, float>;
        case pair(Type::F32, Type::I64): return Loop<float, int64_t>;
        case pair(Type::BF16, Type::F32): return Loop<bfloat16_t, float>;
        case pair(Type::I8, Type::F16): return Loop<int8_t, half>;
        case pair(Type::U8, Type::F16): return Loop<uint8_t, half>;
        case pair(Type::I16, Type::F16): return Loop<int16_t, half>;
        case pair(Type::I16, Type::F32): return Loop<int16_t, float>;
        case pair(Type::I16, Type::I32): return Loop<int16_t, int32_t>;
        case pair(Type::I32, Type::F16): return Loop<int32_t, half>;
        case pair(Type::I32, Type::BF16): return Loop<int32_t, bfloat16_t>;
        case pair(Type::I32, Type::F32): return Loop<int32_t, float>;
        case pair(Type::I32, Type::I64): return Loop<int32_t, int64_t>;
        case pair(Type::I64, Type::I32): return Loop<int64_t, int32_t>;
        case pair(Type::I64, Type::F32): return Loop<int64_t, float>;
        default: return nullptr;
    }
}
} // namespace

namespace {
// Two halves to a byte of two numbers of four bits, and back.
void Pack(void *dst, const void *const *srcs, uint64_t n, const void *context)
{
    const RoundMode mode = static_cast<const Context *>(context)->mode;
    const auto four = [mode](half h) {
        const double v = RoundTo(static_cast<double>(float(h)), mode);
        return static_cast<uint32_t>(static_cast<int32_t>(v != v ? 0.0 : v < -8.0 ? -8.0 : v > 7.0 ? 7.0 : v)) & 0xf;
    };
    const half *const from = static_cast<const half *>(srcs[0]);
    for (uint64_t i = 0; i < n; ++i) {
        static_cast<uint8_t *>(dst)[i] = static_cast<uint8_t>(four(from[2 * i]) | four(from[2 * i + 1]) << 4);
    }
}
void Unpack(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    const uint8_t *const from = static_cast<const uint8_t *>(srcs[0]);
    for (uint64_t i = 0; i < n; ++i) {
        const auto number = [](uint32_t four) { return half(static_cast<int32_t>(four ^ 8) - 8); };
        static_cast<half *>(dst)[2 * i] = number(from[i] & 0xfu);
        static_cast<half *>(dst)[2 * i + 1] = number(from[i] >> 4u);
    }
}

// Every second bit, where each is as the one before; false where one is not.
bool EverySecond(const uint64_t (&mask)[2], uint64_t &out)
{
    out = 0;
    for (uint32_t i = 0; i < 64; ++i) {
        const uint64_t two = mask[i / 32] >> i % 32 * 2 & 3;
        if (two == 1 || two == 2) {
            return false;
        }
        out |= (two & 1) << i;
    }
    return true;
}

// An extent of pairs: bytes of numbers of four bits, and four bytes of half.
Extent PairsOf(const Lanes &lanes)
{
    if (lanes.masked) {
        uint64_t pairs = 0;
        if (!EverySecond(lanes.mask, pairs)) {
            Fault("arg", "Cast: two elements of int4b_t share a byte, so that bits 2k and 2k + 1 of a mask are alike; this one is %#llx, %#llx",
                static_cast<unsigned long long>(lanes.mask[0]), static_cast<unsigned long long>(lanes.mask[1]));
        }
        return {Extent::BITS, lanes.repeats, 0, {pairs, 0}};
    }
    if (lanes.count % 2 != 0) {
        Fault("arg", "Cast: %llu elements of int4b_t end in the middle of a byte; give an even number",
            static_cast<unsigned long long>(lanes.count));
    }
    return lanes.counted ? Extent::Count(static_cast<int64_t>(lanes.count / 2)) : Extent::Lanes<true>(lanes.count / 2, lanes.repeats);
}

// The pairs are what an instruction on four bytes and one works on; the mask registers are left as by one on half.
void CastPairs(Core &core, Elementwise instruction, const Extent &extent)
{
    const Extent pairs = PairsOf(Resolve(core, "Cast", extent, sizeof(half)));
    const Registers left = core.regs;
    core.regs.counter = false;
    const bool packs = instruction.dst.tensor.type == Type::I4;
    instruction.dst.tensor.type = packs ? Type::U8 : Type::U32;
    instruction.srcs[0].tensor.type = packs ? Type::U32 : Type::U8;
    instruction.compute = packs ? Pack : Unpack;
    Run(core, instruction, pairs);
    std::copy(left.mask, left.mask + 2, core.regs.mask);
    core.regs.counter = left.counter;
    core.regs.mask_left_by = left.mask_left_by;
}
} // namespace

void Cast(const Local &dst, const Local &src, RoundMode mode, uint8_t allowed, const Extent &extent, const Stride (&strides)[2])
try {
    Core &core = EnterInstruction();
    if ((allowed >> static_cast<int>(mode) & 1) == 0) {
        std::string modes;
        for (int i = 0; i < 7; ++i) {
            modes += (allowed >> i & 1) != 0 ? std::string(modes.empty() ? "" : ", ") + MODES[i] : "";
        }
        Fault("arg", "Cast: from %s to %s does not round by %s; allowed is %s", NameOf(src.type), NameOf(dst.type),
            MODES[static_cast<int>(mode)], modes.c_str());
    }
    if (dst.type == Type::F16 && src.type == Type::I32 && !core.regs.has_deq_scale) {
        Fault("arg", "Cast: from int32_t to half multiplies by what SetDeqScale sets, which nothing has called; call it before, or cast by way "
                     "of float");
    }
    Elementwise instruction{"Cast", {"dst", dst, strides[0]}, 1, {{"src", src, strides[1]}, {}, {}}, ForTypes(dst.type, src.type)};
    const Context context{mode, core.regs.saturate, core.regs.deq_scale};
    std::memcpy(instruction.context, &context, sizeof context);
    if (dst.type == Type::I4 || src.type == Type::I4) {
        CastPairs(core, instruction, extent);
    } else {
        Run(core, instruction, extent);
    }
} catch (const LeftOut &) {
}

void SetDeqScale(float scale)
{
    Core &core = Enter();
    core.regs.deq_scale = scale;
    core.regs.has_deq_scale = true;
}
} // namespace ascendc_cpu
