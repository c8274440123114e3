// A copy has at most 4095 blocks.
// expect: fault arg: blockCount is 4096, at most 4095
// gm x: float[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x);
    DataCopy(a, gx, DataCopyParams(4096, 1, 0, 0)); // <-- here
}
