#include "ascendc/vec_binary.h"

#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
const char *const NAMES[] = {"Add", "Sub", "Mul", "Div", "Max", "Min"};

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
template <BinaryOp op, bool saturate, typename T>
T Apply(T a, T b)
{
    if constexpr (op == BinaryOp::MAX) {
        return Larger(a, b);
    } else if constexpr (op == BinaryOp::MIN) {
        return Smaller(a, b);
    } else if constexpr (std::is_integral<T>::value) {
        const int64_t wide = op == BinaryOp::ADD ? int64_t(a) + b : op == BinaryOp::SUB ? int64_t(a) - b : int64_t(a) * b;
        if constexpr (saturate) {
            constexpr int64_t low = std::numeric_limits<T>::min();
            constexpr int64_t high = std::numeric_limits<T>::max();
            return static_cast<T>(wide < low ? low : wide > high ? high : wide);
        } else {
            return static_cast<T>(wide);
        }
    } else {
        return op == BinaryOp::ADD ? a + b : op == BinaryOp::SUB ? a - b : op == BinaryOp::MUL ? a * b : a / b;
    }
}

template <BinaryOp op, typename T, bool saturate>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    const auto f = [](auto a, auto b) { return Apply<op, saturate>(a, b); };
    Map(static_cast<T *>(dst), n, saturate, f, static_cast<const T *>(srcs[0]), static_cast<const T *>(srcs[1]));
}

template <BinaryOp op>
Compute ForType(Type type, bool saturate)
{
    switch (type) {
        case Type::F16: return saturate ? Loop<op, half, true> : Loop<op, half, false>;
        case Type::F32: return Loop<op, float, false>;
        case Type::I16: return saturate ? Loop<op, int16_t, true> : Loop<op, int16_t, false>;
        case Type::I32: return saturate ? Loop<op, int32_t, true> : Loop<op, int32_t, false>;
        default: return nullptr;
    }
}

Compute ForOp(BinaryOp op, Type type, bool saturate)
{
    switch (op) {
        case BinaryOp::ADD: return ForType<BinaryOp::ADD>(type, saturate);
        case BinaryOp::SUB: return ForType<BinaryOp::SUB>(type, saturate);
        case BinaryOp::MUL: return ForType<BinaryOp::MUL>(type, saturate);
        case BinaryOp::DIV:
            return type == Type::F16 ? (saturate ? Loop<BinaryOp::DIV, half, true> : Loop<BinaryOp::DIV, half, false>)
                                     : Loop<BinaryOp::DIV, float, false>;
        case BinaryOp::MAX: return ForType<BinaryOp::MAX>(type, saturate);
        case BinaryOp::MIN: return ForType<BinaryOp::MIN>(type, saturate);
    }
    return nullptr;
}
} // namespace

void Binary(BinaryOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3])
{
    Core &core = Enter();
    Elementwise instruction{NAMES[static_cast<int>(op)], {"dst", dst, strides[0]}, 2,
        {{"src0", src0, strides[1]}, {"src1", src1, strides[2]}, {}}, ForOp(op, dst.type, core.regs.saturate)};
    instruction.accumulates = op != BinaryOp::DIV;
    Run(core, instruction, extent);
}
} // namespace ascendc_cpu
