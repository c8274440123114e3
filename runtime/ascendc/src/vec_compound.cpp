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
} // namespace

void Compound(CompoundOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3])
{
    static const char *const names[] = {"MulAddDst", "FusedMulAdd", "FusedMulAddRelu"};
    Core &core = Enter();
    const bool saturate = core.regs.saturate;
    const Compute compute = op == CompoundOp::MUL_ADD_DST ? ForTypes<CompoundOp::MUL_ADD_DST>(dst.type, src0.type, saturate)
        : op == CompoundOp::FUSED_MUL_ADD                 ? ForTypes<CompoundOp::FUSED_MUL_ADD>(dst.type, src0.type, saturate)
                                          : ForTypes<CompoundOp::FUSED_MUL_ADD_RELU>(dst.type, src0.type, saturate);
    Run(core,
        {names[static_cast<int>(op)], {"dst", dst, strides[0]}, 3,
            {{"src0", src0, strides[1]}, {"src1", src1, strides[2]}, {"dst", dst, strides[0]}}, compute},
        extent);
}

void Axpy(const Local &dst, const Local &src, Scalar scalar, const Extent &extent, const Stride (&strides)[2])
{
    Core &core = Enter();
    const Compute compute = dst.type == Type::F16 ? (core.regs.saturate ? AxpyLoop<half, half, true> : AxpyLoop<half, half, false>)
        : src.type == Type::F16                   ? AxpyLoop<float, half, false>
                                                  : AxpyLoop<float, float, false>;
    Elementwise instruction{"Axpy", {"dst", dst, strides[0]}, 2, {{"src", src, strides[1]}, {"dst", dst, strides[0]}, {}}, compute};
    std::memcpy(instruction.context, &scalar.bits, sizeof scalar.bits);
    Run(core, instruction, extent);
}
} // namespace ascendc_cpu
