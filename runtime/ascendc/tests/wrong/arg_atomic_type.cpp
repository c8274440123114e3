// The atomic mode is for another element type.
// expect: fault arg: copies float while the atomic mode is for half
// gm z: float[64] out
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    pipe_barrier(PIPE_ALL);
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    SetAtomicAdd<half>();
    DataCopy(gz, a, 64); // <-- here
}
