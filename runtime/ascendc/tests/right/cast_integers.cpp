// To and from integers: modes, saturation, nan.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 8 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    TBuf<TPosition::VECCALC> sBuf;
    pipe.InitBuffer(sBuf, 16 * sizeof(int16_t));
    LocalTensor<int16_t> s = sBuf.Get<int16_t>();
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 32 * sizeof(int8_t));
    LocalTensor<int8_t> c = cBuf.Get<int8_t>();
    TBuf<TPosition::VECCALC> uBuf;
    pipe.InitBuffer(uBuf, 32 * sizeof(uint8_t));
    LocalTensor<uint8_t> u = uBuf.Get<uint8_t>();
    TBuf<TPosition::VECCALC> wBuf;
    pipe.InitBuffer(wBuf, 8 * sizeof(int64_t));
    LocalTensor<int64_t> w = wBuf.Get<int64_t>();
    const float values[] = {2.5f, -2.5f, 3e9f, -3e9f, 0.0f / 0.0f, 1.0f / 0.0f, 7.0f, -0.5f};
    for (int i = 0; i < 8; ++i) {
        a.SetValue(i, values[i]);
    }
    Cast(n, a, RoundMode::CAST_RINT, 8);
    Expect(n.GetValue(0), 2);
    Expect(n.GetValue(2), 2147483647);
    Expect(n.GetValue(3), -2147483647 - 1);
    Expect(n.GetValue(4), 0);
    Expect(n.GetValue(5), 2147483647);
    Cast(n, a, RoundMode::CAST_ROUND, 8);
    Expect(n.GetValue(0), 3);
    Expect(n.GetValue(1), -3);
    Cast(n, a, RoundMode::CAST_FLOOR, 8);
    Expect(n.GetValue(1), -3);
    Expect(n.GetValue(7), -1);
    Cast(s, a, RoundMode::CAST_TRUNC, 8);
    Expect(s.GetValue(2), 32767);
    Cast(w, a, RoundMode::CAST_RINT, 8);
    Expect(w.GetValue(2), 3000000000ll);
    Cast(w, n, RoundMode::CAST_NONE, 8);
    Expect(w.GetValue(1), -3ll);
    Cast(n, w, RoundMode::CAST_NONE, 8);
    Expect(n.GetValue(1), -3);
    Cast(a, w, RoundMode::CAST_RINT, 8);
    Expect(a.GetValue(1), -3.0f);
    Cast(s, n, RoundMode::CAST_NONE, 8);
    Expect(s.GetValue(1), -3);
    Duplicate(h, half(200.5f), 16);
    Cast(c, h, RoundMode::CAST_NONE, 16);
    Expect(c.GetValue(0), 127);
    Cast(u, h, RoundMode::CAST_RINT, 16);
    Expect(u.GetValue(0), 200);
    Cast(h, u, RoundMode::CAST_NONE, 16);
    Expect(h.GetValue(0), 200.0f);
    SetDeqScale(half(0.5f));
    Cast(h, n, RoundMode::CAST_NONE, 8);
    Expect(h.GetValue(1), -1.5f);
}
