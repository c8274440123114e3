// As many whole repeats as 8 bits do not count.
// expect: fault arg: Gather: count is 16384; whole repeats are counted in 8 bits, so that at most 16383 are possible
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, oBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 65536);
    pipe.InitBuffer(oBuf, 65536);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 64);
    Duplicate(o, 0u, 16384);
    Gather(y, x, o, 0, 16383);
    Gather(y, x, o, 0, 16384); // <-- here
}
