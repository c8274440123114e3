// Without pads isPad gives the filler no value.
// expect: fault poison: element 3 has no value
// gm x: float[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64);
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x);
    DataCopyPad(a, gx, DataCopyExtParams(1, 12, 0, 0, 0), DataCopyPadExtParams<float>(true, 0, 0, 0));
    pipe_barrier(PIPE_ALL);
    (void)a.GetValue(3); // <-- here
}
