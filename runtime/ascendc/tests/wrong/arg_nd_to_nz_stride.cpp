// Data blocks of a row that all went to one place.
// expect: fault arg: dstNzC0Stride is 0; allowed are 1 to 16384
// gm x: half[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECIN> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(half));
    LocalTensor<half> a = aBuf.Get<half>();
    GlobalTensor<half> gx;
    gx.SetGlobalBuffer((__gm__ half *)x);
    DataCopy(a, gx, Nd2NzParams(1, 2, 32, 0, 32, 0, 1, 0)); // <-- here
}
