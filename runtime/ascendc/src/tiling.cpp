#include "ascendc/tiling.h"

#include "core.h"

namespace ascendc_cpu {
bool TilingKeyIs(uint64_t key)
{
    Core &core = Enter();
    core.keys_asked.insert(key);
    return config().tiling_key == key;
}

const void *TilingBytes(const void *at, uint64_t bytes)
{
    Core &core = Enter();
    if (at == nullptr) {
        Fault("arg", "GET_TILING_DATA: the launch gives no tiling data");
    }
    CheckGlobal(core, "GET_TILING_DATA", "the structure", reinterpret_cast<uint64_t>(at), bytes, false);
    return at;
}
} // namespace ascendc_cpu
