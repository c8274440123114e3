// Integers wrap, halves round once, nan and zeros go by the edge table.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> gBuf;
    pipe.InitBuffer(gBuf, 16 * sizeof(half));
    LocalTensor<half> g = gBuf.Get<half>();
    TBuf<TPosition::VECCALC> sBuf;
    pipe.InitBuffer(sBuf, 16 * sizeof(int16_t));
    LocalTensor<int16_t> s = sBuf.Get<int16_t>();
    TBuf<TPosition::VECCALC> tBuf;
    pipe.InitBuffer(tBuf, 16 * sizeof(int16_t));
    LocalTensor<int16_t> t = tBuf.Get<int16_t>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 8 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 8 * sizeof(int32_t));
    LocalTensor<int32_t> m = mBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> fBuf;
    pipe.InitBuffer(fBuf, 8 * sizeof(float));
    LocalTensor<float> f = fBuf.Get<float>();
    TBuf<TPosition::VECCALC> eBuf;
    pipe.InitBuffer(eBuf, 8 * sizeof(float));
    LocalTensor<float> e = eBuf.Get<float>();
    for (int i = 0; i < 16; ++i) {
        h.SetValue(i, half(2048.0f));
    }
    for (int i = 0; i < 16; ++i) {
        g.SetValue(i, half(1.0f));
    }
    for (int i = 0; i < 16; ++i) {
        s.SetValue(i, 32767);
    }
    for (int i = 0; i < 16; ++i) {
        t.SetValue(i, 1);
    }
    for (int i = 0; i < 8; ++i) {
        n.SetValue(i, 2147483647);
    }
    for (int i = 0; i < 8; ++i) {
        m.SetValue(i, 2);
    }
    Add(h, h, g, 16);
    Expect(h.GetValue(0), 2048.0f); // 2049 is a tie, to even
    Add(s, s, t, 16);
    Expect(s.GetValue(0), -32768);
    Mul(n, n, m, 8);
    Expect(n.GetValue(7), -2);
    f.SetValue(0, 0.0f / 0.0f);
    f.SetValue(1, -0.0f);
    f.SetValue(2, 1.0f);
    e.SetValue(0, 1.0f);
    e.SetValue(1, 0.0f);
    e.SetValue(2, 0.0f);
    Max(f, f, e, 3);
    Expect(f.GetValue(0), 0.0f / 0.0f);
    Expect(1.0f / f.GetValue(1), 1.0f / 0.0f); // of two zeros the positive one
    Expect(f.GetValue(2), 1.0f);
    f.SetValue(1, -0.0f);
    Min(f, f, e, 3);
    Expect(1.0f / f.GetValue(1), -1.0f / 0.0f);
    Div(f, e, e, 2);
    Expect(f.GetValue(0), 1.0f);
    Expect(f.GetValue(1), 0.0f / 0.0f);
}
