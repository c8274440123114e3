// Launches from host code: what ICPU_RUN_KF, the launch brackets and the stubs of the toolkit's build have in common.
#ifndef ASCENDC_CPU_HOST_LAUNCH_H
#define ASCENDC_CPU_HOST_LAUNCH_H

#include "ascendc/defs.h"

#include <cstdint>
#include <functional>
#include <type_traits>

namespace ascendc_cpu {
void SetTilingKey(uint64_t key);
// Runs `kernel` once for each block and waits; a fault ends the program. The architecture is that of the caller's build: the
// machine serves all.
void RunKernel(const char *name, uint32_t block_dim, const std::function<void()> &kernel, uint32_t arch = __NPU_ARCH__);

// A literal 0 or NULL among the arguments of a launch.
struct Zero {
    template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T> || std::is_pointer_v<T>>>
    operator T() const
    {
        return T{};
    }
};

// What host code has of device memory: the stub of the toolkit's build takes it for every pointer.
struct AnyPointer {
    void *at;
    template <typename T>
    operator T *() const
    {
        return static_cast<T *>(at);
    }
};
template <typename A>
auto Given(A argument)
{
    if constexpr (std::is_same_v<A, void *>) {
        return AnyPointer{argument};
    } else {
        return argument;
    }
}

// `k<<<blocks, l2ctrl, stream>>>(x, y)` is `Launch("k", [&](auto... a) { k(a...); }, blocks, l2ctrl, stream)(x, y)`.
template <typename K>
struct Launching {
    const char *name;
    K kernel;
    uint32_t block_dim;
    template <typename... A>
    void operator()(A... args) const
    {
        RunKernel(name, block_dim, [&] { kernel(Given(args)...); });
    }
};
template <typename K, typename... Rest>
Launching<K> Launch(const char *name, K kernel, uint32_t block_dim, Rest...)
{
    return {name, kernel, block_dim};
}

// What a stub of the build passes for a parameter of type P: a structure comes by value or by its address.
template <typename P, typename A>
P Passed(A given)
{
    if constexpr (std::is_convertible<A, P>::value) {
        return given;
    } else if constexpr (std::is_pointer<P>::value && std::is_integral<A>::value) {
        return reinterpret_cast<P>(static_cast<uintptr_t>(given));
    } else if constexpr (std::is_pointer<P>::value) {
        return static_cast<P>(given);
    } else {
        return *static_cast<std::remove_cv_t<P> *>(given);
    }
}
template <typename... P, typename... A>
uint32_t LaunchStub(const char *name, void (*kernel)(P...), uint32_t block_dim, A... args)
{
    RunKernel(name, block_dim, [&] { kernel(Passed<P>(args)...); });
    return 0;
}
} // namespace ascendc_cpu

#endif
