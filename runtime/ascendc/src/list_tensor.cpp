#include "ascendc/list_tensor.h"

#include "core.h"

namespace ascendc_cpu {
namespace {
constexpr uint64_t WORD = 8;

// A word of a list; the number of words before the pointers is the first one's.
uint64_t WordAt(Core &core, const void *list, uint64_t at)
{
    CheckGlobal(core, "ListTensorDesc", "the list", reinterpret_cast<uint64_t>(list) + at * WORD, WORD, false);
    return static_cast<const uint64_t *>(list)[at];
}

uint64_t PointersOf(Core &core, const void *list)
{
    const uint64_t offset = WordAt(core, list, 0);
    if (offset % WORD != 0 || offset == 0) {
        Fault("arg", "ListTensorDesc: the first word, the offset of the pointers, is %llu; it is a multiple of 8 behind the shapes",
            static_cast<unsigned long long>(offset));
    }
    return offset / WORD;
}
} // namespace

uint32_t TensorsOfList(const void *list)
{
    Core &core = Enter();
    const uint64_t pointers = PointersOf(core, list);
    uint32_t count = 0;
    for (uint64_t at = 1; at < pointers; ++count) {
        at += 1 + static_cast<uint32_t>(WordAt(core, list, at));
    }
    return count;
}

ListedTensor TensorOfList(const void *list, uint32_t index)
{
    Core &core = Enter();
    const uint64_t pointers = PointersOf(core, list);
    uint64_t at = 1;
    for (uint32_t i = 0; i < index && at < pointers; ++i) {
        at += 1 + static_cast<uint32_t>(WordAt(core, list, at));
    }
    if (at >= pointers) {
        Fault("bounds", "ListTensorDesc: there is no tensor %u in the list", index);
    }
    const uint64_t head = WordAt(core, list, at);
    const auto dim = static_cast<uint32_t>(head);
    WordAt(core, list, at + dim);
    return {dim, static_cast<uint32_t>(head >> 32), static_cast<const uint64_t *>(list) + at + 1, WordAt(core, list, pointers + index)};
}

void NoAxis(uint32_t offset, uint64_t dim)
{
    Enter();
    Fault("bounds", "TensorDesc::GetShape: there is no axis %u, the tensor has %llu", offset, static_cast<unsigned long long>(dim));
}
} // namespace ascendc_cpu
