// An input is not written.
// expect: fault bounds: writes to `x`, which is an input
// gm x: float[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    pipe_barrier(PIPE_ALL);
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x);
    DataCopy(gx, a, 64); // <-- here
}
