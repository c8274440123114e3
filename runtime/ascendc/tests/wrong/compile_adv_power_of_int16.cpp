// Power is for half, float and int32_t.
// expect: compile: Power takes half, float and int32_t
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 4096);
    LocalTensor<int16_t> x = xBuf.Get<int16_t>(), y = yBuf.Get<int16_t>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, int16_t(1), 64);
    Power(y, x, x, tmp, 64); // <-- here
}
