// Operands of the vector unit start at data blocks.
// expect: fault align: src1 starts at byte
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
    Add(a, a, b[4], 8); // <-- here
}
