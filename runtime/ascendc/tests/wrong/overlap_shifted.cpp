// dst is src, one repeat further on.
// expect: fault overlap: repeat 1 reads from src what an earlier repeat wrote to dst
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 256 * sizeof(float));
    LocalTensor<float> c = cBuf.Get<float>();
    Duplicate(c, 1.0f, 256);
    Adds(c[64], c, 1.0f, 128); // <-- here
}
