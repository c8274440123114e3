// Before the kernel of an operator project: which tiling keys it was compiled for.
#ifndef JUMAR_STANDIN_OPERATOR_KERNEL_H
#define JUMAR_STANDIN_OPERATOR_KERNEL_H

#include "kernel_operator.h"

#include <vector>

namespace standin {
inline std::vector<uint64_t> &Keys()
{
    static std::vector<uint64_t> keys;
    return keys;
}
template <uint64_t number>
struct Key {
    static inline const bool known = (Keys().push_back(number), true);
    static bool Is() { return known && ascendc_cpu::TilingKeyIs(number); }
};
} // namespace standin

#undef TILING_KEY_IS
#define TILING_KEY_IS(number) standin::Key<number>::Is()

#endif
