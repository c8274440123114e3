// Trunc works in place, says its page, and Round may; with fewer elements than the tensor has the others stay.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>();
    Duplicate(x, -2.5f, 64);
    Trunc(x, x, 8);
    Expect(x.GetValue(7), -2.0f);
    Expect(x.GetValue(8), -2.5f);
    Round(x, x, 9);
    Expect(x.GetValue(8), -2.0f);
    Expect(x.GetValue(9), -2.5f);
    Sin(x[32], x, 0); // nothing
    Expect(x.GetValue(32), -2.5f);
}
