// GM to L1, UB to L1.
// gm x: float[256] = iota
// gm z: float[256] inout
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    TBuf<TPosition::A1> l1;
    pipe.InitBuffer(l1, 512);
    LocalTensor<float> b = l1.Get<float>();
    DataCopy(b, gx, 64);
    pipe_barrier(PIPE_ALL);
    Duplicate(a, 3.0f, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(b[64], a, 64);
    pipe_barrier(PIPE_ALL);
    Expect(b.GetValue(63), 63.0f);
    Expect(b.GetValue(64), 3.0f);
    (void)gz;
}
