// Rows of the NZ layout are 16 elements.
// expect: fault arg: dValue is 24; allowed are multiples of 16
// gm z: float[256] out
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECOUT> aBuf;
    pipe.InitBuffer(aBuf, 256 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    Duplicate(a, 0.0f, 256);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, Nz2NdParamsFull(1, 4, 24, 1, 16, 24, 1)); // <-- here
}
