// The count of Compare fills repeats.
// expect: fault arg: 65 elements of 4 bytes; in this form they must fill repeats
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
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 64);
    Compare(mBuf.Get<uint8_t>(), b, b, CMPMODE::EQ, 65); // <-- here
}
