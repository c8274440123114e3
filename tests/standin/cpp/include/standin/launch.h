// What `k<<<blocks, ub, stream>>>(x, y)` of an .asc source becomes: included before it.
#ifndef JUMAR_STANDIN_LAUNCH_H
#define JUMAR_STANDIN_LAUNCH_H

#include "acl/acl.h"

#include <cstdint>
#include <functional>
#include <type_traits>

namespace standin {
// Queues the kernel. Nothing is told of what is refused until somebody waits for the stream.
void LaunchSource(const char *name, uint32_t arch, bool auto_sync, uint32_t blocks, aclrtStream stream, std::function<void()> kernel);

#ifdef STANDIN_AUTO_SYNC
template <typename K>
struct Launching {
    const char *name;
    K kernel;
    uint32_t blocks;
    aclrtStream stream;
    template <typename... A>
    void operator()(A... args) const
    {
        LaunchSource(name, __NPU_ARCH__, STANDIN_AUTO_SYNC, blocks, stream, [kernel = kernel, args...] { kernel(args...); });
    }
};
// The second one is UB that is asked for at run time, a number, or what older releases ignore there, a null pointer.
template <typename K, typename U>
Launching<K> LaunchOf(const char *name, K kernel, uint32_t blocks, U ub, aclrtStream stream)
{
    static_assert(std::is_integral_v<U> || std::is_null_pointer_v<U>, "the second of the three is a number of bytes, or nullptr");
    (void)ub;
    return {name, kernel, blocks, stream};
}
#endif
} // namespace standin

#endif
