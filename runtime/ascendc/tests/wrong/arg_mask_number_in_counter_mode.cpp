// A number as the mask becomes as many bits, which counter mode reads as another number.
// expect: fault arg: Adds: a mask of 100 elements sets so many bits, which counter mode reads as the number 2^64 - 1
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
    SetMaskCount();
    Adds(d, x, 1.0f, uint64_t(100), 1, {1, 1, 8, 8}); // <-- here
}
