// The tensor goes back to another queue than it came from.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault queue: does not come from this queue (VECOUT)
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, gx, 64);
    out.EnQue(a); // <-- here
    (void)gz;
}
