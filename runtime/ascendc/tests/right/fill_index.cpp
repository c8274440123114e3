// CreateVecIndex, ArithProgression, Arange.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(int32_t));
    LocalTensor<int32_t> a = aBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> fBuf;
    pipe.InitBuffer(fBuf, 64 * sizeof(float));
    LocalTensor<float> f = fBuf.Get<float>();
    CreateVecIndex(a, 5, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(a.GetValue(i), 5 + i, i);
    }
    CreateVecIndex(a, 100, uint64_t(8), uint8_t(1), uint16_t(1), uint8_t(8));
    Expect(a.GetValue(7), 107);
    Expect(a.GetValue(8), 13);
    ArithProgression(f, 1.0f, 0.5f, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(f.GetValue(i), 1.0f + 0.5f * i, i);
    }
    Arange(a, 10, -3, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(a.GetValue(i), 10 - 3 * i, i);
    }
}
