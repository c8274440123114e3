// A copy with isPad overwrites what SetPadValue set.
// expect: fault poison: element 1 has no value
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
    SetPadValue(5.0f);
    DataCopyPad(a, gx, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>(true, 0, 1, 6.0f));
    DataCopyPad(a, gx, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 1, 0));
    pipe_barrier(PIPE_ALL);
    (void)a.GetValue(1); // <-- here
}
