#include "ascendc/vec_unary.h"

#include "elementary.h"
#include "numeric.h"
#include "vector.h"

namespace ascendc_cpu {
namespace {
#define NAME(Name, ...) #Name,
const char *const NAMES[] = {ASCENDC_CPU_UNARY_TABLE(NAME)};
#undef NAME

// What the table says of an instruction.
template <UnaryOp op>
struct Row;
#define ROW(Name, OP, TYPES, ...)                                                                                        \
    template <>                                                                                                          \
    struct Row<UnaryOp::OP> {                                                                                            \
        template <typename T>                                                                                            \
        static constexpr bool takes = TYPES<T>;                                                                          \
        template <typename T>                                                                                            \
        static T Of(T x)                                                                                                 \
        {                                                                                                                \
            return __VA_ARGS__;                                                                                          \
        }                                                                                                                \
    };
ASCENDC_CPU_UNARY_TABLE(ROW)
#undef ROW

template <UnaryOp op, typename T, bool saturate>
void Loop(void *dst, const void *const *srcs, uint64_t n, const void *)
{
    Map(static_cast<T *>(dst), n, saturate, [](auto x) { return Row<op>::Of(x); }, static_cast<const T *>(srcs[0]));
}

template <UnaryOp op, typename T>
Compute ForElement(bool saturate)
{
    if constexpr (!Row<op>::template takes<T>) {
        return nullptr;
    } else if constexpr (std::is_same<InCompute<T>, T>::value) {
        return Loop<op, T, false>;
    } else {
        return saturate ? Loop<op, T, true> : Loop<op, T, false>;
    }
}

template <UnaryOp op>
Compute ForType(Type type, bool saturate)
{
    switch (type) {
        case Type::F16: return ForElement<op, half>(saturate);
        case Type::F32: return ForElement<op, float>(saturate);
        case Type::I32: return ForElement<op, int32_t>(saturate);
        case Type::I16:
        case Type::U16: return ForElement<op, uint16_t>(saturate);
        default: return nullptr;
    }
}

Compute ForOp(UnaryOp op, Type type, bool saturate)
{
#define CASE(Name, OP, ...) case UnaryOp::OP: return ForType<UnaryOp::OP>(type, saturate);
    switch (op) { ASCENDC_CPU_UNARY_TABLE(CASE) }
#undef CASE
    return nullptr;
}
} // namespace

void Unary(UnaryOp op, const Local &dst, const Local &src, const Extent &extent, const Stride (&strides)[2])
try {
    Core &core = EnterInstruction();
    Run(core,
        {NAMES[static_cast<int>(op)], {"dst", dst, strides[0]}, 1, {{"src", src, strides[1]}, {}, {}},
            ForOp(op, dst.type, core.regs.saturate), false, op == UnaryOp::NOT},
        extent);
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
