// Counter mode takes one element at least.
// expect: fault arg: GatherMask: mask is 0; with reduceMode allowed are 1 to 4294967295
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
    uint64_t n = 0;
    GatherMask(d, x, 1, true, 0, {1, 1, 8, 0}, n); // <-- here
}
