// dst = src1 with repeat stride 0 adds repeat after repeat.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 256 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 64 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    for (int i = 0; i < 256; ++i) {
        x.SetValue(i, i);
    }
    for (int i = 0; i < 64; ++i) {
        y.SetValue(i, 0);
    }
    Add(y, x, y, uint64_t(64), uint8_t(4), {1, 1, 1, 0, 8, 0});
    for (int i = 0; i < 64; ++i) {
        Expect(y.GetValue(i), float(4 * i + 64 + 128 + 192), i);
    }
}
