#include "ascendc/vec_compound.h"

#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
// T is the type of dst, U that of the sources; the last source is dst itself.
template <CompoundOp op, typename T, typename U, bool saturate>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    const auto f = [](auto a, auto b, auto d) {
        const float sum = op == CompoundOp::MUL_ADD_DST ? a * b + d : a * d + b;
        return op == CompoundOp::FUSED_MUL_ADD_RELU ? Larger(sum, 0.0f) : sum;
    };
    if constexpr (std::is_same<T, U>::value) {
        Map(static_cast<T *>(dst), n, saturate, f, static_cast<const T *>(srcs[0]), static_cast<const T *>(srcs[1]),
            static_cast<const T *>(srcs[2]));
    } else {
        for (uint64_t i = 0; i < n; ++i) {
            const float a = static_cast<const U *>(srcs[0])[i];
            const float b = static_cast<const U *>(srcs[1])[i];
            static_cast<T *>(dst)[i] = f(a, b, static_cast<const T *>(srcs[2])[i]);
        }
    }
}

template <CompoundOp op>
Compute ForTypes(Type dst, Type src, bool saturate)
{
    if (dst == Type::F16) {
        return saturate ? Loop<op, half, half, true> : Loop<op, half, half, false>;
    }
    return src == Type::F16 ? Loop<op, float, half, false> : Loop<op, float, float, false>;
}

template <typename T, typename U, bool saturate>
void AxpyLoop(void *dst, const void *const *srcs, uint64_t n, const void *context)
{
    U element;
    std::memcpy(&element, context, sizeof element);
    const float s = element;
    const auto f = [s](float x, float d) { return x * s + d; };
    if constexpr (std::is_same<T, U>::value) {
        Map(static_cast<T *>(dst), n, saturate, f, static_cast<const T *>(srcs[0]), static_cast<const T *>(srcs[1]));
    } else {
        for (uint64_t i = 0; i < n; ++i) {
            static_cast<T *>(dst)[i] = f(static_cast<const U *>(srcs[0])[i], static_cast<const T *>(srcs[1])[i]);
        }
    }
}

template <NarrowOp op, typename V>
V Joined(V a, V b)
{
    const V v = op == NarrowOp::ADD_RELU_CAST ? a + b : op == NarrowOp::SUB_RELU_CAST ? a - b : a * b;
    // A nan is 0 in every result of these (table of boundary values, AddReluCast to MulCast).
    const bool drops = op == NarrowOp::MUL_CAST ? v != v : !(v > V(0));
    return drops ? V(0) : v;
}

// A whole number to even, no further than the ends of T.
template <typename T, typename V>
T Ended(V v)
{
    constexpr V low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    const V bounded = v < low ? low : v > high ? high : v;
    if constexpr (std::is_integral<V>::value) {
        return static_cast<T>(bounded);
    } else {
        return static_cast<T>(std::nearbyint(bounded));
    }
}

template <NarrowOp op, typename T, typename U, bool saturate>
void NarrowLoop(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    // A sum of two int16_t is none, and what is beyond its ends is beyond those of int8_t, too.
    using V = std::conditional_t<std::is_integral<U>::value, int32_t, float>;
    for (uint64_t i = 0; i < n; ++i) {
        const V v = Joined<op, V>(static_cast<const U *>(srcs[0])[i], static_cast<const U *>(srcs[1])[i]);
        T *const to = static_cast<T *>(dst) + i;
        if constexpr (std::is_same<T, half>::value) {
            // The table has the largest half of the largest float, and infinity of infinity.
            float out = std::isfinite(v) && v > HALF_MAX ? HALF_MAX : v;
            Narrow(to, &out, 1, saturate);
        } else {
            *to = Ended<T>(v);
        }
    }
}

template <NarrowOp op>
Compute NarrowFor(Type dst, Type src, bool saturate)
{
    if constexpr (op == NarrowOp::MUL_CAST) {
        return dst == Type::I8 ? NarrowLoop<op, int8_t, half, false> : NarrowLoop<op, uint8_t, half, false>;
    } else if (src == Type::F32) {
        return saturate ? NarrowLoop<op, half, float, true> : NarrowLoop<op, half, float, false>;
    }
    return src == Type::F16 ? NarrowLoop<op, int8_t, half, false> : NarrowLoop<op, int8_t, int16_t, false>;
}
} // namespace

void Narrowing(NarrowOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3])
try {
    static const char *const names[] = {"AddReluCast", "SubReluCast", "MulCast"};
    Core &core = EnterInstruction();
    const bool saturate = core.regs.saturate;
    const Compute compute = op == NarrowOp::ADD_RELU_CAST ? NarrowFor<NarrowOp::ADD_RELU_CAST>(dst.type, src0.type, saturate)
        : op == NarrowOp::SUB_RELU_CAST                   ? NarrowFor<NarrowOp::SUB_RELU_CAST>(dst.type, src0.type, saturate)
                                                          : NarrowFor<NarrowOp::MUL_CAST>(dst.type, src0.type, saturate);
    Run(core,
        {names[static_cast<int>(op)], {"dst", dst, strides[0]}, 2, {{"src0", src0, strides[1]}, {"src1", src1, strides[2]}, {}}, compute},
        extent);
} catch (const LeftOut &) {
}

void Compound(CompoundOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3])
try {
    static const char *const names[] = {"MulAddDst", "FusedMulAdd", "FusedMulAddRelu"};
    Core &core = EnterInstruction();
    const bool saturate = core.regs.saturate;
    const Compute compute = op == CompoundOp::MUL_ADD_DST ? ForTypes<CompoundOp::MUL_ADD_DST>(dst.type, src0.type, saturate)
        : op == CompoundOp::FUSED_MUL_ADD                 ? ForTypes<CompoundOp::FUSED_MUL_ADD>(dst.type, src0.type, saturate)
                                          : ForTypes<CompoundOp::FUSED_MUL_ADD_RELU>(dst.type, src0.type, saturate);
    Run(core,
        {names[static_cast<int>(op)], {"dst", dst, strides[0]}, 3,
            {{"src0", src0, strides[1]}, {"src1", src1, strides[2]}, {"dst", dst, strides[0]}}, compute},
        extent);
} catch (const LeftOut &) {
}

void Axpy(const Local &dst, const Local &src, Scalar scalar, const Extent &extent, const Stride (&strides)[2])
try {
    Core &core = EnterInstruction();
    const Compute compute = dst.type == Type::F16 ? (core.regs.saturate ? AxpyLoop<half, half, true> : AxpyLoop<half, half, false>)
        : src.type == Type::F16                   ? AxpyLoop<float, half, false>
                                                  : AxpyLoop<float, float, false>;
    Elementwise instruction{"Axpy", {"dst", dst, strides[0]}, 2, {{"src", src, strides[1]}, {"dst", dst, strides[0]}, {}}, compute};
    std::memcpy(instruction.context, &scalar.bits, sizeof scalar.bits);
    Run(core, instruction, extent);
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
