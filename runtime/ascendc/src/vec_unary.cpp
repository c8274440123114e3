#include "ascendc/vec_unary.h"

#include "elementary.h"
#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
const char *const NAMES[] = {"Exp", "Ln", "Abs", "Reciprocal", "Sqrt", "Rsqrt", "Relu", "Not"};

template <UnaryOp op, typename T>
T Apply(T x)
{
    if constexpr (op == UnaryOp::NOT) {
        return static_cast<T>(~x);
    } else if constexpr (op == UnaryOp::RELU) {
        // Minus zero gives zero; nan stays (edge table of Relu).
        return x != x ? x : x > T(0) ? x : T(0);
    } else if constexpr (op == UnaryOp::EXP) {
        return Exp(x);
    } else if constexpr (op == UnaryOp::LN) {
        return Ln(x);
    } else if constexpr (op == UnaryOp::ABS) {
        return FloatOf(BitsOf(x) & 0x7fffffff);
    } else if constexpr (op == UnaryOp::RECIPROCAL) {
        return 1.0f / x;
    } else if constexpr (op == UnaryOp::SQRT) {
        return std::sqrt(x);
    } else {
        static_assert(op == UnaryOp::RSQRT, "an instruction of one tensor without a meaning");
        return 1.0f / std::sqrt(x);
    }
}

template <UnaryOp op, typename T, bool saturate>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    Map(static_cast<T *>(dst), n, saturate, [](auto x) { return Apply<op>(x); }, static_cast<const T *>(srcs[0]));
}

template <UnaryOp op>
Compute Float(Type type, bool saturate)
{
    return type == Type::F32 ? Loop<op, float, false> : saturate ? Loop<op, half, true> : Loop<op, half, false>;
}

Compute ForOp(UnaryOp op, Type type, bool saturate)
{
    switch (op) {
        case UnaryOp::EXP: return Float<UnaryOp::EXP>(type, saturate);
        case UnaryOp::LN: return Float<UnaryOp::LN>(type, saturate);
        case UnaryOp::ABS: return Float<UnaryOp::ABS>(type, saturate);
        case UnaryOp::RECIPROCAL: return Float<UnaryOp::RECIPROCAL>(type, saturate);
        case UnaryOp::SQRT: return Float<UnaryOp::SQRT>(type, saturate);
        case UnaryOp::RSQRT: return Float<UnaryOp::RSQRT>(type, saturate);
        case UnaryOp::RELU:
            return type == Type::I32 ? Loop<UnaryOp::RELU, int32_t, false> : Float<UnaryOp::RELU>(type, saturate);
        case UnaryOp::NOT: return Loop<UnaryOp::NOT, uint16_t, false>;
    }
    return nullptr;
}
} // namespace

void Unary(UnaryOp op, const Local &dst, const Local &src, const Extent &extent, const Stride (&strides)[2])
{
    Core &core = Enter();
    Run(core,
        {NAMES[static_cast<int>(op)], {"dst", dst, strides[0]}, 1, {{"src", src, strides[1]}, {}, {}},
            ForOp(op, dst.type, core.regs.saturate), false, op == UnaryOp::NOT},
        extent);
}
} // namespace ascendc_cpu
