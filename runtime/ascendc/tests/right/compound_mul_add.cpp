// MulAddDst, FusedMulAdd, FusedMulAddRelu and Axpy, also half into float.
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
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 64 * sizeof(float));
    LocalTensor<float> c = cBuf.Get<float>();
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 64 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> gBuf;
    pipe.InitBuffer(gBuf, 64 * sizeof(half));
    LocalTensor<half> g = gBuf.Get<half>();
    for (int i = 0; i < 64; ++i) {
        a.SetValue(i, i);
    }
    for (int i = 0; i < 64; ++i) {
        b.SetValue(i, 2);
    }
    for (int i = 0; i < 64; ++i) {
        c.SetValue(i, 100);
    }
    for (int i = 0; i < 64; ++i) {
        h.SetValue(i, half(i));
    }
    for (int i = 0; i < 64; ++i) {
        g.SetValue(i, half(3));
    }
    MulAddDst(c, a, b, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(c.GetValue(i), 100.0f + 2 * i, i);
    }
    FusedMulAdd(c, b, a, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(c.GetValue(i), (100.0f + 2 * i) * 2 + i, i);
    }
    Muls(c, c, -1.0f, 64);
    FusedMulAddRelu(c, b, a, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(c.GetValue(i), 0.0f, i);
    }
    Axpy(c, a, 0.5f, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(c.GetValue(i), 0.5f * i, i);
    }
    MulAddDst(c, h, g, 64);
    for (int i = 0; i < 64; ++i) {
        Expect(c.GetValue(i), 3.5f * i, i);
    }
    Axpy(c, h, half(2.0f), 64);
    for (int i = 0; i < 64; ++i) {
        Expect(c.GetValue(i), 5.5f * i, i);
    }
}
