// RmsNorm takes half and float.
// expect: compile: RmsNorm takes half and float
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>(), gamma = y[32];
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 1.0f, 64);
    Duplicate(y, 1.0f, 64);
    RmsNormTiling tiling{1, 4, 16, 16, 1.0f / 16, 64, 4, 8, 1, 64, 0, 0};
    LocalTensor<bfloat16_t> a = x.ReinterpretCast<bfloat16_t>(), g = gamma.ReinterpretCast<bfloat16_t>();
    RmsNorm(a, a, g, bfloat16_t(0.0f), tiling); // <-- here
    (void)y, (void)tmp, (void)gamma;
}
