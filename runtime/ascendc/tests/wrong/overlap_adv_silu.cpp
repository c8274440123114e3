// Silu and the gates do not work in place.
// expect: fault overlap: Silu: dstLocal and srcLocal share memory
// expect: fault overlap: SwiGLU: dstTensor and srcTensor1 share memory
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
    Silu(x, x, 64); // <-- here
    Duplicate(y, 1.0f, 64);
    SwiGLU(x, y, x, 1.0f); // <-- here
    (void)y, (void)tmp;
}
