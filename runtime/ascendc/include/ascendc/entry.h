// How kernels are called from outside: included behind a kernel's source, in the same translation unit, which then defines
// `ascendc_cpu::entries` (and, where the launch asks for it, `ascendc_cpu::tile`).
#ifndef ASCENDC_CPU_ENTRY_H
#define ASCENDC_CPU_ENTRY_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ascendc_cpu {
// A parameter of a kernel function: GM_ADDR or another pointer, else a value of so many bytes.
struct Parameter {
    bool pointer;
    uint32_t bytes;
};
struct Entry {
    const char *name;
    uint64_t key; // the tiling key that chooses it
    const Parameter *parameters;
    int count;
    void (*call)(void *const *values); // values[i] points at the value of parameter i
};
struct Entries {
    const Entry *list;
    int count;
};
extern const Entries entries;

// What a host tiling function decides. `numbers` are the sizes of the axes and the bits of the attributes.
struct Tiled {
    const char *error; // nullptr: all is well
    uint64_t key;
    int64_t block_dim;
    int64_t workspace;
    const void *data;
    uint32_t bytes;
};
using TileFunction = void (*)(int32_t instance, const int64_t *numbers, Tiled *out);
extern const TileFunction tile; // nullptr where the source has none

template <typename Kernel>
struct KernelOf;
template <typename... A>
struct KernelOf<void (*)(A...)> {
    static constexpr int count = sizeof...(A);
    // One more, since an array has at least one element.
    static constexpr Parameter parameters[sizeof...(A) + 1] = {{std::is_pointer<A>::value, sizeof(A)}..., {false, 0}};
    template <std::size_t... I>
    static void Call(void (*kernel)(A...), [[maybe_unused]] void *const *values, std::index_sequence<I...>)
    {
        kernel(*static_cast<std::remove_const_t<std::remove_reference_t<A>> *>(values[I])...);
    }
};
template <auto kernel>
void CallKernel(void *const *values)
{
    using K = KernelOf<decltype(kernel)>;
    K::Call(kernel, values, std::make_index_sequence<K::count>());
}
// The entry of a kernel: `EntryOf<&add>("add", 0)`.
template <auto kernel>
constexpr Entry EntryOf(const char *name, uint64_t key)
{
    using K = KernelOf<decltype(kernel)>;
    return {name, key, K::parameters, K::count, CallKernel<kernel>};
}
} // namespace ascendc_cpu

#endif
