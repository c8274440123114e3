// Inference products refuse a mask of 0.
// expect: fault arg: the mask is 0, which this chip refuses
// chip: ascend310p3
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
    uint64_t bits[2] = {0, 0};
    Add(b, b, b, bits, 1, {1, 1, 1, 8, 8, 8}); // <-- here
}
