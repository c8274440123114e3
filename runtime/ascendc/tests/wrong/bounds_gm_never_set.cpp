// A tensor in GM that was never given its memory.
// expect: fault bounds: begins at a null address (SetGlobalBuffer was not called
// gm x: float[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    DataCopy(a, gy[8], 64); // <-- here
}
