// The toolchain drops ASSERT unread, so that a semicolon is missing behind it or before it in some kernels.
#include "check.h"

extern "C" __global__ __aicore__ void k()
{
    const uint32_t tiles = 6;
    ASSERT(GetBlockNum() == 1 && "one block")
    const uint32_t half = tiles / 2 ASSERT(tiles != 0 && "there are tiles");
    Expect(half, 3u);
    bool more = tiles > half
    ASSERT(tiles > 0);
    Expect(more, true);
    if (more)
        ASSERT(half == 3);
}
