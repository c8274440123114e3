// dst is src, eight elements before.
// expect: fault overlap: dst and src overlap in part within a repeat
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    Duplicate(b, 1.0f, 128);
    Adds(b, b[8], 1.0f, 64); // <-- here
}
