// What a binary of the stand-in's device compiler tells of itself: included behind a kernel's source, in the same translation unit.
#ifndef JUMAR_STANDIN_KERNEL_TABLE_H
#define JUMAR_STANDIN_KERNEL_TABLE_H

#include "ascendc/entry.h"

#include <cstdint>

namespace standin {
constexpr uint32_t TABLE_VERSION = 2;

enum class CoreKind : uint32_t { VECTOR, CUBE, MIXED };

struct KernelParameter {
    uint32_t bytes;
    uint32_t align;
};
struct KernelEntry {
    const char *name;
    CoreKind kind;
    bool empty; // its body has no statement: there is nothing to run
    const KernelParameter *parameters;
    int count;
    void (*call)(void *const *values);
};
struct KernelTable {
    uint32_t version;
    uint32_t arch;
    const void *machine; // the machine that it was linked to
    bool auto_sync;      // compiled with --cce-auto-sync
    int count;
    const KernelEntry *list;
};

template <typename Kernel>
struct ParametersOf;
template <typename... A>
struct ParametersOf<void (*)(A...)> {
    static constexpr int count = sizeof...(A);
    // One more, since an array has at least one element.
    static constexpr KernelParameter list[sizeof...(A) + 1] = {{sizeof(A), alignof(A)}..., {0, 1}};
};
template <auto kernel>
constexpr KernelEntry EntryOf(const char *name, CoreKind kind, bool empty)
{
    using P = ParametersOf<decltype(kernel)>;
    return {name, kind, empty, P::list, P::count, ascendc_cpu::CallKernel<kernel>};
}
} // namespace standin

extern "C" const char standin_machine;
extern "C" const standin::KernelTable standin_kernel_table;

#endif
