// Adds, Muls, Maxs, Mins, LeakyRelu in their forms.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        a.SetValue(i, i - 64);
    }
    Adds(b, a, 0.5f, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(b.GetValue(i), i - 63.5f, i);
    }
    Muls(b, a, 3.0f, uint64_t(64), uint8_t(2), UnaryRepeatParams(1, 1, 8, 8));
    for (int i = 0; i < 128; ++i) {
        Expect(b.GetValue(i), (i - 64) * 3.0f, i);
    }
    Maxs(b, a, 0.0f, 128);
    Mins(b, b, 6.0f, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(b.GetValue(i), i < 64 ? 0.0f : i > 70 ? 6.0f : float(i - 64), i);
    }
    LeakyRelu(b, a, 0.25f, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(b.GetValue(i), i < 64 ? (i - 64) * 0.25f : float(i - 64), i);
    }
}
