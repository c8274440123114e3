// Gather reads an offset that nobody wrote.
// expect: fault poison: offset 0 has no value
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 64 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    TBuf<TPosition::VECCALC> oBuf;
    pipe.InitBuffer(oBuf, 64 * sizeof(uint32_t));
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 64);
    Gather(y, x, o, 0, 64); // <-- here
}
