// A scalar read after a copy has changed GM, without an invalidate.
// expect: fault cache: has changed since the scalar unit read its line
// gm z: float[64] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    const float before = gz.GetValue(0);
    Duplicate(a, before + 1.0f, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(gz, a, 64);
    pipe_barrier(PIPE_ALL);
    a.SetValue(0, gz.GetValue(1)); // <-- here
}
