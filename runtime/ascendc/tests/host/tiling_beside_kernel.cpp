// Host and kernel in one file, as programs have them: the definition of the tiling data has setters for the one and fields for the other.
#include "kernel_operator.h"

#include "register/tilingdata_base.h"

#include "check.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(int16_t, value);
END_TILING_DATA_DEF

BEGIN_TILING_DATA_DEF(Outer)
TILING_DATA_FIELD_DEF(uint8_t, head);
TILING_DATA_FIELD_DEF_ARR(int32_t, 3, lengths);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Op, Outer)
} // namespace optiling

int main()
{
    optiling::Outer data{};
    int32_t lengths[3] = {4, 5, 6};
    data.set_head(7);
    data.set_lengths(lengths);
    data.inner.set_value(-3);
    HostExpect(data.head, 7);
    HostExpect(data.get_head(), 7);
    HostExpect(data.lengths[2], 6);
    HostExpect(data.get_lengths()[1], 5);
    HostExpect(data.inner.value, -3);
    HostExpect(data.GetDataSize(), 24);
    uint8_t bytes[24] = {};
    data.SaveToBuffer(bytes, sizeof bytes);
    HostExpect(bytes[0], 7);
    HostExpect(bytes[4], 4);
    HostExpect(static_cast<int8_t>(bytes[16]), -3);
    return 0;
}
