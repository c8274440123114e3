// inner is n up to whole data blocks.
// expect: fault arg: Sum: outter is 1, n is 60 and inner 60: there is a row, it has an element, and inner is n up to whole data blocks, which is 64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 4096);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 64);
    Sum(y, x, tmp, SumParams{1, 60, 60}); // <-- here
}
