// A reduction reads an element that nobody wrote.
// expect: fault poison: src has no value at element 60
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 8 * sizeof(float));
    LocalTensor<float> d = dBuf.Get<float>();
    TBuf<TPosition::VECCALC> wBuf;
    pipe.InitBuffer(wBuf, 64 * sizeof(float));
    LocalTensor<float> w = wBuf.Get<float>();
    Duplicate(x, 1.0f, 60);
    ReduceSum(d, x, w, 64); // <-- here
}
