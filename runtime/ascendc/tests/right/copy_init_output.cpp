// InitOutput fills a part of GM.
// gm x: float[256] = iota
// gm z: float[256] inout
// expect z: 4 4 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    InitOutput<float>(gz, 100, 4.0f);
    (void)gx;
}
