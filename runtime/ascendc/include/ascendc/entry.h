// How a kernel is called from outside: included behind the kernel's source, in the same translation unit.
#ifndef ASCENDC_CPU_ENTRY_H
#define ASCENDC_CPU_ENTRY_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ascendc_cpu {
struct Parameter {
    bool pointer;
    uint32_t bytes;
};
struct Entry {
    const char *name;
    const Parameter *parameters;
    int count;
    void (*call)(void *const *values);
};

template <typename... A>
struct ParametersOf {
    // One more, since an array has at least one element.
    static constexpr Parameter list[sizeof...(A) + 1] = {{std::is_pointer<A>::value, sizeof(A)}..., {false, 0}};
    template <std::size_t... I>
    static void Call(void (*kernel)(A...), void *const *values, std::index_sequence<I...>)
    {
        kernel(*static_cast<std::remove_reference_t<A> *>(values[I])...);
    }
};
template <typename... A>
ParametersOf<A...> ParametersOfKernel(void (*)(A...));
template <typename... A>
void CallKernel(void (*kernel)(A...), void *const *values)
{
    ParametersOf<A...>::Call(kernel, values, std::index_sequence_for<A...>());
}
template <typename... A>
constexpr int CountOf(void (*)(A...))
{
    return sizeof...(A);
}
} // namespace ascendc_cpu

// The launch finds the kernel by this name.
#define ASCENDC_CPU_ENTRY(kernel)                                                                                       \
    namespace ascendc_cpu {                                                                                              \
    extern const Entry entry;                                                                                            \
    const Entry entry = {#kernel, decltype(ParametersOfKernel(&::kernel))::list, CountOf(&::kernel),                     \
        [](void *const *values) { CallKernel(&::kernel, values); }};                                                     \
    }

#endif
