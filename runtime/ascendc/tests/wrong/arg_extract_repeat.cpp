// More than 255 repeats are none.
// expect: fault arg: Extract: repeatTime is 256, allowed are 0 to 255
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(nBuf, 256);
    pipe.InitBuffer(yBuf, 512);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>(), tmp = tmpBuf.Get<float>();
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 64);
    Duplicate(n.ReinterpretCast<float>(), 0.0f, 64);
    Extract(x, n, y, 256); // <-- here
    (void)y, (void)tmp;
}
