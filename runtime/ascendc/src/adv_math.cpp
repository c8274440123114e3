#include "ascendc/adv_math.h"

#include "advanced.h"
#include "elementary.h"
#include "numeric.h"

namespace ascendc_cpu {
namespace {
// What the table says of a function.
template <MathOp op>
struct Row;
#define ROW(Name, OP, FORMS, HALF, FLOAT, REUSING, TAKES, ...)                                                           \
    template <>                                                                                                          \
    struct Row<MathOp::OP> {                                                                                             \
        static float Of(float x)                                                                                         \
        {                                                                                                                \
            [[maybe_unused]] const double d = x;                                                                         \
            return static_cast<float>(__VA_ARGS__);                                                                      \
        }                                                                                                                \
        static bool Takes([[maybe_unused]] float x, [[maybe_unused]] bool v200)                                          \
        {                                                                                                                \
            [[maybe_unused]] const double d = x;                                                                         \
            return TAKES;                                                                                                \
        }                                                                                                                \
    };
ASCENDC_CPU_MATH_TABLE(ROW)
#undef ROW

struct Function {
    const char *name;
    const char *sizes;
    float (*of)(float);
    bool (*takes)(float, bool);
};
#define FUNCTION(Name, OP, ...) {#Name, "Get" #Name "MaxMinTmpSize", Row<MathOp::OP>::Of, Row<MathOp::OP>::Takes},
constexpr Function FUNCTIONS[] = {ASCENDC_CPU_MATH_TABLE(FUNCTION)};
#undef FUNCTION

// Trunc alone says that it works in place; of Round the page says nothing, so that it may.
bool WorksInPlace(MathOp op)
{
    return op == MathOp::TRUNC || op == MathOp::ROUND;
}

// Where a function has no result, the element gets no value.
template <typename T>
void DropOutside(Core &core, const Function &function, const Local &dst, const T *src, uint32_t count)
{
    const bool v200 = config().arch == 2002;
    for (uint32_t i = 0; i < count; ++i) {
        if (!function.takes(src[i], v200)) {
            core.memory(Space::UB).MarkPoison(dst.at + i * sizeof(T), sizeof(T));
        }
    }
}

template <typename T>
void Apply(Core &core, const Function &function, const Invocation &in, const Lanes &lanes, bool saturate)
{
    const Operand &src = in.srcs[0];
    const T *const from = reinterpret_cast<const T *>(Data(core, src.tensor));
    const std::vector<T> elements(from, from + in.count); // dst may be src
    Map(reinterpret_cast<T *>(Data(core, in.dst.tensor)), in.count, saturate, function.of, elements.data());
    SpreadPoison(core, in.dst, &src, 1, lanes);
    DropOutside(core, function, in.dst.tensor, elements.data(), in.count);
}
} // namespace

void Math(MathOp op, const Local &dst, const Local &src, const Local *tmp, uint32_t count, bool reuses, uint32_t terms)
try {
    Core &core = EnterInstruction();
    const Function &function = FUNCTIONS[static_cast<int>(op)];
    const bool is_float = dst.type == Type::F32;
    const bool v200 = config().arch == 2002;
    const uint32_t bytes = count * SizeOf(dst.type);
    const TmpSpace needs = MathSpace(op, is_float, reuses, v200);
    const Invocation in{function.name, function.sizes, {"dstTensor", dst, {}}, {{"srcTensor", src, {}}}, count, tmp, needs.least,
        needs.Most(bytes), WorksInPlace(op), {{"reuses", reuses && is_float}, {"terms", terms}}};
    const Prepared prepared = Prepare(core, in);
    if (prepared.lanes.Empty()) {
        return;
    }
    // A function that takes less space when it may write to its source does so.
    const bool gone = reuses && is_float && needs.least < MathSpace(op, true, false, v200).least;
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, in, prepared);
        if (gone) {
            accesses.Write(src, 0, bytes);
        }
    };
    const bool saturate = core.regs.saturate;
    core.pipes.Issue(core, Pipe::V, function.name, describe, [=, &core, &function] {
        const auto apply = is_float ? Apply<float> : Apply<half>;
        apply(core, function, in, prepared.lanes, saturate);
        Memory &ub = core.memory(Space::UB);
        ub.MarkPoison(prepared.space.at, prepared.space.bytes);
        if (gone) {
            ub.MarkPoison(src.at, bytes);
        }
    });
} catch (const LeftOut &) {
}

namespace {
// Products in 32 bits; to a negative power the whole part of what is left of 1, and 0 of 0 (power_int_impl.h).
int32_t PowerOf(int32_t base, int32_t exponent)
{
    const uint32_t magnitude = exponent < 0 ? 0u - static_cast<uint32_t>(exponent) : static_cast<uint32_t>(exponent);
    uint32_t product = 1;
    uint32_t square = static_cast<uint32_t>(base);
    for (uint32_t left = magnitude; left != 0; left >>= 1) {
        product = (left & 1) != 0 ? product * square : product;
        square *= square;
    }
    const int32_t result = static_cast<int32_t>(product);
    return exponent >= 0 ? result : result == 1 || result == -1 ? result : 0;
}
float PowerOf(float base, float exponent)
{
    return static_cast<float>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
}

template <typename T>
std::vector<T> Elements(Core &core, const Factor &factor, uint32_t count)
{
    if (factor.is_scalar) {
        T value;
        std::memcpy(&value, &factor.scalar.bits, sizeof value);
        return std::vector<T>(count, value);
    }
    const T *const from = reinterpret_cast<const T *>(Data(core, factor.tensor));
    return std::vector<T>(from, from + count);
}

template <typename T>
void Raise(Core &core, const Local &dst, const Factor &base, const Factor &exponent, uint32_t count, bool saturate)
{
    const std::vector<T> a = Elements<T>(core, base, count);
    const std::vector<T> b = Elements<T>(core, exponent, count);
    Map(reinterpret_cast<T *>(Data(core, dst)), count, saturate, [](auto x, auto y) { return PowerOf(x, y); }, a.data(), b.data());
}
} // namespace

void Power(const Local &dst, const Factor &base, const Factor &exponent, const Local *tmp, uint32_t count)
try {
    Core &core = EnterInstruction();
    const PowerType type = dst.type == Type::F16 ? PowerType::HALF : dst.type == Type::F32 ? PowerType::FLOAT : PowerType::INT32;
    const TmpSpace needs = PowerSpace(type, !base.is_scalar && !exponent.is_scalar, config().arch == 2002);
    const uint32_t extra = type == PowerType::INT32 ? 0 : POWER_EXTRA;
    Invocation in{"Power", "GetPowerMaxMinTmpSize", {"dstTensor", dst, {}}, {}, count, tmp, needs.least + extra,
        needs.Most(uint64_t(count) * SizeOf(dst.type)) + extra, false,
        {{"base_is_number", base.is_scalar}, {"exponent_is_number", exponent.is_scalar}}};
    for (const auto &[name, factor] : {std::pair("src0Tensor", base), std::pair("src1Tensor", exponent)}) {
        if (!factor.is_scalar) {
            in.srcs.push_back({name, factor.tensor, {}});
        }
    }
    const Prepared prepared = Prepare(core, in);
    if (prepared.lanes.Empty()) {
        return;
    }
    const auto describe = [&](Accesses &accesses) { Describe(accesses, in, prepared); };
    const bool saturate = core.regs.saturate;
    core.pipes.Issue(core, Pipe::V, in.op, describe, [=, &core] {
        switch (type) {
            case PowerType::HALF: Raise<half>(core, dst, base, exponent, count, saturate); break;
            case PowerType::FLOAT: Raise<float>(core, dst, base, exponent, count, saturate); break;
            case PowerType::INT32: Raise<int32_t>(core, dst, base, exponent, count, saturate); break;
        }
        SpreadPoison(core, in.dst, in.srcs.data(), static_cast<int>(in.srcs.size()), prepared.lanes);
        core.memory(Space::UB).MarkPoison(prepared.space.at, prepared.space.bytes);
    });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
