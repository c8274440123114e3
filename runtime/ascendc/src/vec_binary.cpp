#include "ascendc/vec_binary.h"

#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
const char *const NAMES[] = {"Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "AddRelu", "SubRelu"};

template <BinaryOp op, bool saturate, typename T>
T Apply(T a, T b)
{
    if constexpr (op == BinaryOp::ADD) {
        return Sum<saturate>(a, b);
    } else if constexpr (op == BinaryOp::SUB) {
        return Difference<saturate>(a, b);
    } else if constexpr (op == BinaryOp::MUL) {
        return Product<saturate>(a, b);
    } else if constexpr (op == BinaryOp::MAX) {
        return Larger(a, b);
    } else if constexpr (op == BinaryOp::MIN) {
        return Smaller(a, b);
    } else if constexpr (op == BinaryOp::DIV) {
        return a / b;
    } else if constexpr (op == BinaryOp::ADD_RELU) {
        return Larger(Sum<saturate>(a, b), T(0));
    } else if constexpr (op == BinaryOp::SUB_RELU) {
        return Larger(Difference<saturate>(a, b), T(0));
    } else if constexpr (op == BinaryOp::AND) {
        return a & b;
    } else {
        static_assert(op == BinaryOp::OR, "an instruction of two tensors without a meaning");
        return a | b;
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
        case BinaryOp::AND: return Loop<BinaryOp::AND, int16_t, false>;
        case BinaryOp::OR: return Loop<BinaryOp::OR, int16_t, false>;
        case BinaryOp::ADD_RELU: return ForType<BinaryOp::ADD_RELU>(type, saturate);
        case BinaryOp::SUB_RELU: return ForType<BinaryOp::SUB_RELU>(type, saturate);
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
    instruction.accumulates = op != BinaryOp::DIV && op != BinaryOp::AND && op != BinaryOp::OR;
    instruction.bitwise = op == BinaryOp::AND || op == BinaryOp::OR;
    Run(core, instruction, extent);
}
} // namespace ascendc_cpu
