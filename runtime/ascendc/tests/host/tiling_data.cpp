// Tiling data as host files define it: it saves the same bytes whatever lay in memory before, and semicolons may be missing.
#include "register/tilingdata_base.h"

#include <new>

#include "check.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(int16_t, value)
END_TILING_DATA_DEF
REGISTER_TILING_DATA_CLASS(InnerOp, Inner)

BEGIN_TILING_DATA_DEF(Outer)
TILING_DATA_FIELD_DEF(uint8_t, head);
TILING_DATA_FIELD_DEF_ARR(int32_t, 2, lengths)
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF(uint32_t, tail);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Op, Outer)
} // namespace optiling

int main()
{
    alignas(optiling::Outer) uint8_t memory[sizeof(optiling::Outer)];
    std::memset(memory, 0xab, sizeof memory);
    auto *const data = new (memory) optiling::Outer;
    data->set_head(1);
    data->inner.set_value(2);
    uint8_t bytes[sizeof memory] = {};
    data->SaveToBuffer(bytes, sizeof bytes);
    int sum = 0;
    for (const uint8_t byte : bytes) {
        sum += byte;
    }
    HostExpect(sum, 3);
    HostExpect(data->GetDataSize(), 32);
    HostExpect(ascendc_cpu::TilingClasses().size(), 2);
    HostExpect(ascendc_cpu::TilingClasses()[1].fields == "    uint8_t head;\n    int32_t lengths[2];\n    Inner inner;\n    uint32_t tail;\n", true);
    return 0;
}
