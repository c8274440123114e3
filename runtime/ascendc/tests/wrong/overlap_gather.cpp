// Gather must not write to what it reads.
// expect: fault overlap: dst and src share memory
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> oBuf;
    pipe.InitBuffer(oBuf, 64 * sizeof(uint32_t));
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 64);
    Duplicate(o, 0u, 64);
    Gather(x, x, o, 0, 64); // <-- here
}
