// Block 1 does not tell the next one.
// blocks: 3
// scratch work: 96
// expect: fault hang: block 1 never calls NotifyNextBlock
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR work)
{
    GlobalTensor<int32_t> gw;
    gw.SetGlobalBuffer((__gm__ int32_t *)work, 24);
    TPipe pipe;
    TBuf<TPosition::VECCALC> workBuf;
    pipe.InitBuffer(workBuf, 4 * 32);
    LocalTensor<int32_t> ub = workBuf.Get<int32_t>();
    InitDetermineComputeWorkspace(gw, ub);
    WaitPreBlock(gw, ub); // <-- here
    if (GetBlockIdx() != 1) {
        NotifyNextBlock(gw, ub);
    }
}
