// The chip never sees an ASSERT that fails.
// expect: fault assert: tiles != 0
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void k()
{
    const uint32_t tiles = AscendC::GetBlockIdx();
    const uint32_t blocks = tiles ASSERT(tiles != 0); // <-- here
    (void)blocks;
}
