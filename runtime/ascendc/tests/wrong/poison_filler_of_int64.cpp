// An element of 64 bits is copied as two, and no page says what its filler is.
// expect: fault poison: element 1 has no value
// gm x: int64_t[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64);
    LocalTensor<int64_t> a = aBuf.Get<int64_t>();
    GlobalTensor<int64_t> gx;
    gx.SetGlobalBuffer((__gm__ int64_t *)x);
    DataCopyPad(a, gx, DataCopyExtParams(1, 8, 0, 0, 0), DataCopyPadExtParams<int64_t>(false, 0, 0, 0));
    pipe_barrier(PIPE_ALL);
    (void)a.GetValue(1); // <-- here
}
