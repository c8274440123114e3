#include "advanced.h"

#include "ascendc/workspace.h"

#include <algorithm>

namespace ascendc_cpu {
Local TakeSpace(Core &core, const char *op, const char *sizes, const Local *given, uint32_t least, uint32_t most)
{
    const int ub = static_cast<int>(Space::UB);
    Local space = given != nullptr ? *given : Local{core.tops[ub], core.limits[ub] - core.tops[ub], NO_BUFFER, Space::UB, Type::U8};
    if (least > 0 && space.bytes < least) {
        const char *const what = given != nullptr ? "sharedTmpBuffer has" : "TPipe has left in UB";
        Fault("arg", "%s: %s %u bytes, which is fewer than the %u that the temporary space takes at least (%s)", op, what, space.bytes,
            least, sizes);
    }
    space.bytes = least > 0 ? std::min(space.bytes, most) : 0;
    if (given != nullptr && least > 0) {
        CheckLocal(core, op, "sharedTmpBuffer", space, space.bytes, BLOCK);
    }
    return space;
}

void RefuseOverlap(const char *op, const Region &a, const Region &b)
{
    const bool apart = a.bytes == 0 || b.bytes == 0 || a.tensor.space != b.tensor.space || a.tensor.at >= b.tensor.at + b.bytes ||
        b.tensor.at >= a.tensor.at + a.bytes;
    if (!apart) {
        Fault("overlap", "%s: %s and %s share memory, which this function does not allow; use another tensor", op, a.name, b.name);
    }
}
} // namespace ascendc_cpu
