#include "ascendc/adv_activation.h"

#include "advanced.h"
#include "arithmetic.h"
#include "numeric.h"

namespace ascendc_cpu {
namespace {
double Swish(double x, double beta)
{
    return x / (1.0 + std::exp(-beta * x));
}
// The tanh form, written with one exponential.
double Gelu(double x)
{
    return x / (1.0 + std::exp(-1.5957691 * (x + 0.044715 * x * x * x)));
}
// Of half the number that keeps the sign's divisor from 0 is lost, unless it is computed in float (gelu_impl.h): of 0 it is nan.
double FasterGeluV2(double x, bool narrow)
{
    if (narrow && x == 0.0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double sign = x + 1e-12 < 0.0 ? -1.0 : 1.0;
    const double near = std::fmin(std::fabs(0.7071 * x), 1.769) - 1.769;
    return x * (sign * (-0.1444 * near * near + 0.5) + 0.5);
}
// The same with the numbers of the GeGLU page.
double GeluOfGate(double x)
{
    return x / (1.0 + std::exp(-0.0713548162726 * x * (x * x + 22.363860002236)));
}

struct ActivationFacts {
    const char *name;
    const char *sizes;
    bool in_place;
};
constexpr ActivationFacts ACTIVATIONS[] = {
    {"Silu", "GetSiluTmpSize", false},
    {"Swish", "GetSwishTmpSize", false},
    {"Gelu", "GetGeluMaxMinTmpSize", true},
    {"FasterGelu", "GetGeluMaxMinTmpSize", true},
    {"FasterGeluV2", "GetGeluMaxMinTmpSize", true},
};
constexpr const char *GATES[][2] = {
    {"GeGLU", "GetGeGLUMaxMinTmpSize"},
    {"ReGlu", "GetReGluMaxMinTmpSize"},
    {"SwiGLU", "GetSwiGLUMaxMinTmpSize"},
};

// Issues an invocation whose elements come of `compute(to, sources)`.
template <typename F>
void Issue(Core &core, const Invocation &in, F compute)
{
    const Prepared prepared = Prepare(core, in);
    if (prepared.lanes.Empty()) {
        return;
    }
    const auto describe = [&](Accesses &accesses) { Describe(accesses, in, prepared); };
    core.pipes.Issue(core, Pipe::V, in.op, describe, [=, &core] {
        compute();
        SpreadPoison(core, in.dst, in.srcs.data(), static_cast<int>(in.srcs.size()), prepared.lanes);
        core.memory(Space::UB).MarkPoison(prepared.space.at, prepared.space.bytes);
    });
}

template <typename T, typename F, typename... Sources>
void ComputeElements(Core &core, const Local &dst, uint32_t count, bool saturate, F f, const Sources &...sources)
{
    Map(reinterpret_cast<T *>(Data(core, dst)), count, saturate, f, reinterpret_cast<const T *>(Data(core, sources))...);
}
template <typename F, typename... Sources>
void ComputeAs(Core &core, const Local &dst, uint32_t count, bool saturate, F f, const Sources &...sources)
{
    switch (dst.type) {
        case Type::F16: ComputeElements<half>(core, dst, count, saturate, f, sources...); break;
        case Type::BF16: ComputeElements<bfloat16_t>(core, dst, count, saturate, f, sources...); break;
        default: ComputeElements<float>(core, dst, count, saturate, f, sources...); break;
    }
}
} // namespace

void Activate(Activation op, const Local &dst, const Local &src, const Local *tmp, uint32_t count, bool precise, float beta, bool fast)
try {
    Core &core = EnterInstruction();
    const ActivationFacts &facts = ACTIVATIONS[static_cast<int>(op)];
    const uint32_t size = SizeOf(dst.type);
    const TmpSpace needs = ActivationSpace(op, size);
    const Invocation in{facts.name, facts.sizes, {"dstLocal", dst, {}}, {{"srcLocal", src, {}}}, count, tmp, needs.least,
        needs.Most(uint64_t(count) * size), facts.in_place, {{"precise", precise && size == 2}, {"fast", fast}}};
    const bool saturate = core.regs.saturate;
    const bool narrow = size == 2 && !precise;
    Issue(core, in, [=, &core] {
        const auto each = [&](auto f) {
            ComputeAs(core, dst, count, saturate, [=](float x) { return static_cast<float>(f(static_cast<double>(x))); }, src);
        };
        switch (op) {
            case Activation::SILU:
            case Activation::SWISH: each([=](double x) { return Swish(x, beta); }); break;
            case Activation::GELU: each(Gelu); break;
            case Activation::FASTER_GELU: each([](double x) { return Swish(x, 1.702); }); break;
            case Activation::FASTER_GELU_V2: each([=](double x) { return FasterGeluV2(x, narrow); }); break;
        }
    });
} catch (const LeftOut &) {
}

void ApplyGate(Gate op, const Local &dst, const Local &src0, const Local &src1, const Local *tmp, uint32_t count, float beta)
try {
    Core &core = EnterInstruction();
    const auto &names = GATES[static_cast<int>(op)];
    const uint32_t size = SizeOf(dst.type);
    const TmpSpace needs = GateSpace(op, size);
    const Invocation in{names[0], names[1], {"dstTensor", dst, {}}, {{"srcTensor0", src0, {}}, {"srcTensor1", src1, {}}}, count, tmp,
        needs.least, needs.Most(uint64_t(count) * size), false};
    const bool saturate = core.regs.saturate;
    Issue(core, in, [=, &core] {
        const auto each = [&](auto f) { ComputeAs(core, dst, count, saturate, f, src0, src1); };
        switch (op) {
            case Gate::GEGLU: each([](float a, float b) { return static_cast<float>(a * GeluOfGate(b)); }); break;
            case Gate::REGLU: each([](float a, float b) { return a * Larger(b, 0.0f); }); break;
            case Gate::SWIGLU: each([=](float a, float b) { return static_cast<float>(a * Swish(b, beta)); }); break;
        }
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
