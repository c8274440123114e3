// GetSinMaxMinTmpSize says 768 bytes at least for float.
// expect: fault arg: Sin: sharedTmpBuffer has 512 bytes, which is fewer than the 768 that the temporary space takes at least (GetSinMaxMinTmpSize)
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 64);
    Sin(y, x, tmp, 64); // <-- here
}
