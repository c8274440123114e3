// Gather by byte offsets, Gatherb by data blocks.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 64 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    TBuf<TPosition::VECCALC> oBuf;
    pipe.InitBuffer(oBuf, 64 * sizeof(uint32_t));
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    for (int i = 0; i < 64; ++i) {
        x.SetValue(i, i);
    }
    for (int i = 0; i < 64; ++i) {
        o.SetValue(i, (63 - i) * 4);
    }
    Gather(y, x, o, 0, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(y.GetValue(i), float(63 - i), i);
    }
    for (int i = 0; i < 64; ++i) {
        o.SetValue(i, (i % 8) * 32);
    }
    Gatherb(y, x, o, 1, {1, 8});
    for (int i = 0; i < 64; ++i) {
        Expect(y.GetValue(i), float(i), i);
    }
    for (int i = 0; i < 64; ++i) {
        o.SetValue(i, 0);
    }
    Gather(y, x, o, 8, uint64_t(4), uint8_t(1), uint16_t(8));
    Expect(y.GetValue(3), 2.0f);
    Expect(y.GetValue(4), 4.0f);
}
