// Built-in patterns and one of the user, in normal and counter mode.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 128 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 128 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    TBuf<TPosition::VECCALC> pBuf;
    pipe.InitBuffer(pBuf, 16 * sizeof(uint32_t));
    LocalTensor<uint32_t> p = pBuf.Get<uint32_t>();
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, i);
    }
    for (int i = 0; i < 16; ++i) {
        p.SetValue(i, 0x80000001u);
    }
    uint64_t count = 0;
    GatherMask(y, x, 1, false, 0, {1, 2, 8, 0}, count);
    Expect(count, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(y.GetValue(i), float(2 * i), i);
    }
    GatherMask(y, x, 4, true, 70, {1, 1, 8, 0}, count);
    Expect(count, 18);
    Expect(y.GetValue(17), 69.0f);
    GatherMask(y, x, p, false, 0, {1, 2, 8, 0}, count);
    Expect(count, 8);
    Expect(y.GetValue(1), 31.0f);
    Expect(y.GetValue(4), 64.0f);
}
