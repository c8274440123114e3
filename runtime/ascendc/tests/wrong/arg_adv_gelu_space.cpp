// GetGeluMinTmpSize says 768 bytes, whatever the number of elements.
// expect: fault arg: Gelu: sharedTmpBuffer has 512 bytes, which is fewer than the 768 that the temporary space takes at least (GetGeluMaxMinTmpSize)
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
    tmp.SetSize(512);
    Gelu(y, x, tmp, 64); // <-- here
    (void)y, (void)tmp;
}
