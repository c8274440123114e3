// Repeat stride 0 reads one row again; in counter mode the mask counts over repeats.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 256 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> rBuf;
    pipe.InitBuffer(rBuf, 64 * sizeof(float));
    LocalTensor<float> r = rBuf.Get<float>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 256 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    for (int i = 0; i < 256; ++i) {
        x.SetValue(i, i);
    }
    for (int i = 0; i < 64; ++i) {
        r.SetValue(i, 1000 * i);
    }
    Add(y, x, r, uint64_t(64), uint8_t(4), {1, 1, 1, 8, 8, 0});
    for (int i = 0; i < 256; ++i) {
        Expect(y.GetValue(i), float(i + 1000 * (i % 64)), i);
    }
    for (int i = 0; i < 256; ++i) {
        y.SetValue(i, 0);
    }
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 100);
    Add<float, false>(y, x, r, MASK_PLACEHOLDER, 1, {1, 1, 1, 8, 8, 0});
    SetMaskNorm();
    ResetMask();
    Expect(y.GetValue(99), 99.0f + 35000.0f);
    Expect(y.GetValue(100), 0.0f);
}
