#include "ascendc/vec_binary.h"

#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
#define NAME(Name, ...) #Name,
const char *const NAMES[] = {ASCENDC_CPU_BINARY_TABLE(NAME)};
#undef NAME

// What the table says of an instruction.
template <BinaryOp op>
struct Row;
#define ROW(Name, OP, TYPES, ACCUMULATES, ...)                                                                           \
    template <>                                                                                                          \
    struct Row<BinaryOp::OP> {                                                                                           \
        static constexpr bool accumulates = ACCUMULATES;                                                                 \
        template <typename T>                                                                                            \
        static constexpr bool takes = TYPES<T>;                                                                          \
        template <bool saturate, typename T>                                                                             \
        static T Of(T a, T b)                                                                                            \
        {                                                                                                                \
            return __VA_ARGS__;                                                                                          \
        }                                                                                                                \
    };
ASCENDC_CPU_BINARY_TABLE(ROW)
#undef ROW

template <BinaryOp op, typename T, bool saturate>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    const auto f = [](auto a, auto b) { return Row<op>::template Of<saturate>(a, b); };
    Map(static_cast<T *>(dst), n, saturate, f, static_cast<const T *>(srcs[0]), static_cast<const T *>(srcs[1]));
}

template <BinaryOp op, typename T>
Compute ForElement(bool saturate)
{
    if constexpr (!Row<op>::template takes<T>) {
        return nullptr;
    } else if constexpr (std::is_same<T, float>::value) {
        return Loop<op, T, false>;
    } else {
        return saturate ? Loop<op, T, true> : Loop<op, T, false>;
    }
}

// An instruction on one element type.
struct Chosen {
    Compute compute;
    bool accumulates;
    bool bitwise;
};

template <BinaryOp op>
Chosen ForType(Type type, bool saturate)
{
    const auto chosen = [](Compute compute) { return Chosen{compute, Row<op>::accumulates, Row<op>::template takes<uint16_t>}; };
    switch (type) {
        case Type::F16: return chosen(ForElement<op, half>(saturate));
        case Type::F32: return chosen(ForElement<op, float>(saturate));
        case Type::I16: return chosen(ForElement<op, int16_t>(saturate));
        case Type::U16: return chosen(ForElement<op, uint16_t>(saturate));
        case Type::I32: return chosen(ForElement<op, int32_t>(saturate));
        default: return chosen(nullptr);
    }
}

Chosen ForOp(BinaryOp op, Type type, bool saturate)
{
#define CASE(Name, OP, ...) case BinaryOp::OP: return ForType<BinaryOp::OP>(type, saturate);
    switch (op) { ASCENDC_CPU_BINARY_TABLE(CASE) }
#undef CASE
    return {};
}
} // namespace

void Binary(BinaryOp op, const Local &dst, const Local &src0, const Local &src1, const Extent &extent, const Stride (&strides)[3])
try {
    Core &core = EnterInstruction();
    const Chosen chosen = ForOp(op, dst.type, core.regs.saturate);
    Run(core,
        {NAMES[static_cast<int>(op)], {"dst", dst, strides[0]}, 2, {{"src0", src0, strides[1]}, {"src1", src1, strides[2]}, {}},
            chosen.compute, chosen.accumulates, chosen.bitwise},
        extent);
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
