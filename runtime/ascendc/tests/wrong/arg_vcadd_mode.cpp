// With mode 1 vcadd leaves dst alone.
// expect: fault arg: vcadd: with mode 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(x, 1.0f, 128);
    Duplicate(d, 1.0f, 128);
    vcadd((__ubuf__ float *)d.GetPhyAddr(), (__ubuf__ float *)x.GetPhyAddr(), 1, 1, 1, 8, true); // <-- here
}
