// AddRelu and SubRelu.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 8 * sizeof(float));
    LocalTensor<float> c = cBuf.Get<float>();
    TBuf<TPosition::VECCALC> sBuf;
    pipe.InitBuffer(sBuf, 16 * sizeof(int16_t));
    LocalTensor<int16_t> s = sBuf.Get<int16_t>();
    TBuf<TPosition::VECCALC> tBuf;
    pipe.InitBuffer(tBuf, 16 * sizeof(int16_t));
    LocalTensor<int16_t> t = tBuf.Get<int16_t>();
    for (int i = 0; i < 8; ++i) {
        a.SetValue(i, i - 4);
    }
    for (int i = 0; i < 8; ++i) {
        b.SetValue(i, 1);
    }
    for (int i = 0; i < 16; ++i) {
        s.SetValue(i, i - 8);
    }
    for (int i = 0; i < 16; ++i) {
        t.SetValue(i, 3);
    }
    AddRelu(c, a, b, 8);
    for (int i = 0; i < 8; ++i) {
        Expect(c.GetValue(i), i - 3 > 0 ? float(i - 3) : 0.0f, i);
    }
    SubRelu(c, a, b, 8);
    for (int i = 0; i < 8; ++i) {
        Expect(c.GetValue(i), i - 5 > 0 ? float(i - 5) : 0.0f, i);
    }
    SubRelu(s, s, t, 16);
    for (int i = 0; i < 16; ++i) {
        Expect(s.GetValue(i), i - 11 > 0 ? i - 11 : 0, i);
    }
}
