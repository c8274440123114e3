// Repeats of Copy lie at most 4095 data blocks apart.
// expect: fault arg: Copy: srcRepeatSize is 4096; allowed are 0 to 4095
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(x, 1.0f, 128);
    Duplicate(d, 1.0f, 128);
    Copy(d, x, uint64_t(64), 1, {1, 1, 8, 4096}); // <-- here
}
