// One run tells both: the kernel goes on behind the first.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault arg: the count is 36 bytes
// expect: fault poison: DataCopy: src has no value at element 0
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
    DataCopy(a, gx, 9); // <-- here
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, b, 64); // <-- here
}
