// An access behind the end of a tensor, and inside of UB, is noted and made.
// gm x: float[128] = iota
// gm z: float[64] out
// option: bounds report
// note: Adds: dst is touched up to byte 512, the tensor has 256
// expect z: 65 66 67
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 256);
    pipe.InitBuffer(bBuf, 256);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 64);
    DataCopy(b, gx[64], 64);
    PipeBarrier<PIPE_ALL>();
    Adds(a, a, 1.0f, 128);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, b, 64);
}
