// The conversion takes elements of at most 32 bits.
// expect: compile: DataCopy from ND to NZ does not take this element type
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECIN> aBuf;
    pipe.InitBuffer(aBuf, 256);
    LocalTensor<int64_t> a = aBuf.Get<int64_t>();
    GlobalTensor<int64_t> gx;
    gx.SetGlobalBuffer((__gm__ int64_t *)x);
    DataCopy(a, gx, Nd2NzParams(1, 2, 4, 0, 4, 2, 1, 0)); // <-- here
}
