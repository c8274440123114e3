#include "ascendc/vec_scalar.h"

#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
const char *const NAMES[] = {"Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "ShiftLeft", "ShiftRight"};

struct Context {
    Scalar scalar;
    bool rounding;
};

template <ScalarOp op, bool saturate, typename T>
T Apply(T x, T s)
{
    if constexpr (op == ScalarOp::ADDS) {
        return Sum<saturate>(x, s);
    } else if constexpr (op == ScalarOp::MULS) {
        return Product<saturate>(x, s);
    } else if constexpr (op == ScalarOp::MAXS) {
        return Larger(x, s);
    } else if constexpr (op == ScalarOp::MINS) {
        return Smaller(x, s);
    } else {
        static_assert(op == ScalarOp::LEAKY_RELU, "an instruction with a scalar without a meaning");
        return x >= T(0) ? x : x * s;
    }
}

template <ScalarOp op, typename T, bool saturate>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *context)
{
    T element;
    std::memcpy(&element, &static_cast<const Context *>(context)->scalar.bits, sizeof element);
    const InCompute<T> s = element;
    Map(static_cast<T *>(dst), n, saturate, [s](auto x) { return Apply<op, saturate>(x, s); }, static_cast<const T *>(srcs[0]));
}

template <ScalarOp op>
Compute ForType(Type type, bool saturate)
{
    switch (type) {
        case Type::F16: return saturate ? Loop<op, half, true> : Loop<op, half, false>;
        case Type::I16: return saturate ? Loop<op, int16_t, true> : Loop<op, int16_t, false>;
        case Type::I32: return saturate ? Loop<op, int32_t, true> : Loop<op, int32_t, false>;
        default: return Loop<op, float, false>;
    }
}

// Shifts of signed types keep the sign to the right; a shift by the width or more leaves nothing but signs.
template <typename T, bool left>
void ShiftLoop(void *dst, const void *const *srcs, uint64_t n, const void *context)
{
    constexpr int WIDTH = sizeof(T) * 8;
    const Context *const c = static_cast<const Context *>(context);
    T by;
    std::memcpy(&by, &c->scalar.bits, sizeof by);
    const int64_t shift = by < T(0) ? 0 : static_cast<int64_t>(by) > WIDTH ? WIDTH : static_cast<int64_t>(by);
    const int64_t round = c->rounding && shift > 0 ? int64_t(1) << (shift - 1) : 0;
    const auto f = [=](T x) {
        return left ? static_cast<T>(static_cast<uint64_t>(x) << shift) : static_cast<T>((static_cast<int64_t>(x) + round) >> shift);
    };
    Map(static_cast<T *>(dst), n, false, f, static_cast<const T *>(srcs[0]));
}

template <bool left>
Compute Shift(Type type)
{
    switch (type) {
        case Type::I16: return ShiftLoop<int16_t, left>;
        case Type::U16: return ShiftLoop<uint16_t, left>;
        case Type::I32: return ShiftLoop<int32_t, left>;
        default: return ShiftLoop<uint32_t, left>;
    }
}

Compute ForOp(ScalarOp op, Type type, bool saturate)
{
    switch (op) {
        case ScalarOp::ADDS: return ForType<ScalarOp::ADDS>(type, saturate);
        case ScalarOp::MULS: return ForType<ScalarOp::MULS>(type, saturate);
        case ScalarOp::MAXS: return ForType<ScalarOp::MAXS>(type, saturate);
        case ScalarOp::MINS: return ForType<ScalarOp::MINS>(type, saturate);
        case ScalarOp::LEAKY_RELU: return ForType<ScalarOp::LEAKY_RELU>(type, saturate);
        case ScalarOp::SHIFT_LEFT: return Shift<true>(type);
        case ScalarOp::SHIFT_RIGHT: return Shift<false>(type);
    }
    return nullptr;
}
} // namespace

void BinaryScalar(ScalarOp op, const Local &dst, const Local &src, Scalar scalar, bool rounding, const Extent &extent,
    const Stride (&strides)[2])
try {
    Core &core = EnterInstruction();
    if (rounding && (dst.type == Type::U16 || dst.type == Type::U32)) {
        Fault("arg", "ShiftRight: roundEn is for signed element types, this is %s", NameOf(dst.type));
    }
    Elementwise instruction{NAMES[static_cast<int>(op)], {"dst", dst, strides[0]}, 1, {{"src", src, strides[1]}, {}, {}},
        ForOp(op, dst.type, core.regs.saturate)};
    const Context context{scalar, rounding};
    std::memcpy(instruction.context, &context, sizeof context);
    Run(core, instruction, extent);
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
