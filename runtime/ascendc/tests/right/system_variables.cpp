// What a core knows about itself.
// blocks: 3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    Expect(GetBlockNum(), 3);
    Expect(GetBlockIdx() < 3, true);
    Expect(get_block_idx(), GetBlockIdx());
    Expect(block_idx, GetBlockIdx());
    Expect(GetSubBlockIdx(), 0);
    Expect(GetSubBlockNum(), 1);
    Expect(GetTaskRation(), 1);
    if ASCEND_IS_AIV {
        Expect(GetSystemCycle() > 0, true);
    }
    uint32_t version = 0;
    GetArchVersion(version);
    Expect(version, 0x220u);
    Expect(GetVecLen(), 256u);
    Expect(GetDataBlockSizeInBytes(), 32u);
}
