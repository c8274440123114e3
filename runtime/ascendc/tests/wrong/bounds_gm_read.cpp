// A copy that reads past the end of the input.
// expect: fault bounds: src ends 128 bytes behind the end of `x`
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
    DataCopy(a, gx[32], 64); // <-- here
}
