// Two writers of one line: the write-back loses the other's.
// expect: fault cache: is written back over what was written there since
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
    gz.SetValue(0, 1.0f); // <-- here
    Duplicate(a, 2.0f, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(gz[8], a, 8);
}
