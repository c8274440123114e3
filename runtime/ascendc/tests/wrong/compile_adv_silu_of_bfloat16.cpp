// Silu takes no bfloat16_t, which ReGlu takes.
// expect: compile: Silu takes half and float
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
    LocalTensor<bfloat16_t> b = x.ReinterpretCast<bfloat16_t>(), c = y.ReinterpretCast<bfloat16_t>();
    Silu(c, b, 16); // <-- here
    (void)y, (void)tmp;
}
