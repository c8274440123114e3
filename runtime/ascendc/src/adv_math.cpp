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
void Apply(Core &core, const Function &function, const Operand &dst, const Operand &src, const Lanes &lanes, bool saturate)
{
    const uint32_t count = static_cast<uint32_t>(lanes.count);
    const T *const from = reinterpret_cast<const T *>(Data(core, src.tensor));
    const std::vector<T> in(from, from + count); // dst may be src
    Map(reinterpret_cast<T *>(Data(core, dst.tensor)), count, saturate, function.of, in.data());
    SpreadPoison(core, dst, &src, 1, lanes);
    DropOutside(core, function, dst.tensor, in.data(), count);
}
} // namespace

void Math(MathOp op, const Local &dst, const Local &src, const Local *tmp, uint32_t count, bool reuses)
{
    Core &core = Enter();
    const Function &function = FUNCTIONS[static_cast<int>(op)];
    const uint32_t size = SizeOf(dst.type);
    const Lanes lanes = Resolve(core, function.name, Extent::Count(count), size);
    if (lanes.Empty()) {
        return;
    }
    const Operand to{"dstTensor", dst, {}};
    const Operand from{"srcTensor", src, {}};
    CheckOperand(core, function.name, to, lanes);
    CheckOperand(core, function.name, from, lanes);
    const bool is_float = dst.type == Type::F32;
    const TmpSpace needs = MathSpace(op, is_float, reuses, config().arch == 2002);
    const uint64_t bytes = uint64_t(count) * size;
    const Local space = TakeSpace(core, function.name, function.sizes, tmp, needs.least, needs.Most(bytes));
    const Region regions[] = {{"dstTensor", dst, bytes}, {"srcTensor", src, bytes}, {"sharedTmpBuffer", space, space.bytes}};
    if (!WorksInPlace(op)) {
        RefuseOverlap(function.name, regions[0], regions[1]);
    }
    RefuseOverlap(function.name, regions[2], regions[0]);
    RefuseOverlap(function.name, regions[2], regions[1]);
    const bool gone = reuses && is_float && needs.least < MathSpace(op, true, false, false).least;
    const auto describe = [&](Accesses &accesses) {
        Describe(accesses, from, lanes, gone);
        Describe(accesses, from, lanes, false);
        Describe(accesses, to, lanes, true);
        accesses.Write(space, 0, space.bytes);
    };
    const bool saturate = core.regs.saturate;
    core.pipes.Issue(core, Pipe::V, function.name, describe, [=, &core, &function] {
        is_float ? Apply<float>(core, function, to, from, lanes, saturate) : Apply<half>(core, function, to, from, lanes, saturate);
        Memory &ub = core.memory(Space::UB);
        ub.MarkPoison(space.at, space.bytes);
        if (gone) {
            ub.MarkPoison(src.at, static_cast<uint32_t>(bytes));
        }
    });
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
{
    Core &core = Enter();
    const uint32_t size = SizeOf(dst.type);
    const Lanes lanes = Resolve(core, "Power", Extent::Count(count), size);
    if (lanes.Empty()) {
        return;
    }
    std::vector<Operand> sources;
    for (const auto &[name, factor] : {std::pair("src0Tensor", base), std::pair("src1Tensor", exponent)}) {
        if (!factor.is_scalar) {
            sources.push_back({name, factor.tensor, {}});
        }
    }
    const Operand to{"dstTensor", dst, {}};
    CheckOperand(core, "Power", to, lanes);
    const uint64_t bytes = uint64_t(count) * size;
    const PowerType type = dst.type == Type::F16 ? PowerType::HALF : dst.type == Type::F32 ? PowerType::FLOAT : PowerType::INT32;
    const TmpSpace needs = PowerSpace(type, sources.size() == 2, config().arch == 2002);
    const uint32_t extra = type == PowerType::INT32 ? 0 : POWER_EXTRA;
    const Local space = TakeSpace(core, "Power", "GetPowerMaxMinTmpSize", tmp, needs.least + extra, needs.Most(bytes) + extra);
    const Region scratch{"sharedTmpBuffer", space, space.bytes};
    RefuseOverlap("Power", scratch, {"dstTensor", dst, bytes});
    for (const Operand &source : sources) {
        CheckOperand(core, "Power", source, lanes);
        RefuseOverlap("Power", {"dstTensor", dst, bytes}, {source.name, source.tensor, bytes});
        RefuseOverlap("Power", scratch, {source.name, source.tensor, bytes});
    }
    const auto describe = [&](Accesses &accesses) {
        for (const Operand &source : sources) {
            Describe(accesses, source, lanes, false);
        }
        Describe(accesses, to, lanes, true);
        accesses.Write(space, 0, space.bytes);
    };
    const bool saturate = core.regs.saturate;
    core.pipes.Issue(core, Pipe::V, "Power", describe, [=, &core] {
        switch (type) {
            case PowerType::HALF: Raise<half>(core, dst, base, exponent, count, saturate); break;
            case PowerType::FLOAT: Raise<float>(core, dst, base, exponent, count, saturate); break;
            case PowerType::INT32: Raise<int32_t>(core, dst, base, exponent, count, saturate); break;
        }
        SpreadPoison(core, to, sources.data(), static_cast<int>(sources.size()), lanes);
        core.memory(Space::UB).MarkPoison(space.at, space.bytes);
    });
}
} // namespace ascendc_cpu
