// Element-wise work on lanes without a value is silent, and what has a value stays valid.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 64 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 32 * sizeof(uint8_t));
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    for (int i = 0; i < 5; ++i) {
        a.SetValue(i, i);
    }
    Adds(b, a, 1.0f, 64);
    Expect(b.GetValue(4), 5.0f);
    Cast(h, b, RoundMode::CAST_RINT, 64);
    Expect(h.GetValue(4), 5.0f);
    CompareScalar(m, a, 2.0f, CMPMODE::GT, 64);
    Select(b, m, a, 9.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    Expect(b.GetValue(4), 4.0f);
    Expect(b.GetValue(2), 9.0f);
}
