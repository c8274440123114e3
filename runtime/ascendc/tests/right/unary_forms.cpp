// Exp, Ln, Abs, Sqrt, Rsqrt, Reciprocal, Relu.
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
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    for (int i = 0; i < 64; ++i) {
        a.SetValue(i, i + 1);
    }
    Exp(b, a, 1);
    Expect(b.GetValue(0), 2.7182817f);
    Ln(b, a, 1);
    Expect(b.GetValue(0), 0.0f);
    Sqrt(b, a, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(b.GetValue(i), __builtin_sqrtf(float(i + 1)), i);
    }
    Rsqrt(b, a, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(b.GetValue(i), 1.0f / __builtin_sqrtf(float(i + 1)), i);
    }
    Reciprocal(b, a, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(b.GetValue(i), 1.0f / float(i + 1), i);
    }
    Muls(b, a, -1.0f, 64);
    Abs(b, b, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(b.GetValue(i), float(i + 1), i);
    }
    b.SetValue(0, -0.0f);
    b.SetValue(1, -3.0f);
    Relu(b, b, 8);
    Expect(1.0f / b.GetValue(0), 1.0f / 0.0f);
    Expect(b.GetValue(1), 0.0f);
    Exp(h, h, 0);
    Duplicate(h, half(20.0f), 16);
    Exp(h, h, 16);
    Expect(h.GetValue(3), 1.0f / 0.0f);
}
