// 16 x 16 halves, and TransDataTo5HD of 16- and 32-bit elements.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 256 * sizeof(half));
    LocalTensor<half> x = xBuf.Get<half>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 256 * sizeof(half));
    LocalTensor<half> y = yBuf.Get<half>();
    TBuf<TPosition::VECCALC> fBuf;
    pipe.InitBuffer(fBuf, 128 * sizeof(float));
    LocalTensor<float> f = fBuf.Get<float>();
    TBuf<TPosition::VECCALC> gBuf;
    pipe.InitBuffer(gBuf, 128 * sizeof(float));
    LocalTensor<float> g = gBuf.Get<float>();
    for (int i = 0; i < 256; ++i) {
        x.SetValue(i, half(i));
    }
    Transpose(y, x);
    for (int i = 0; i < 256; ++i) {
        Expect(y.GetValue(i), float(i % 16 * 16 + i / 16), i);
    }
    LocalTensor<half> from[16];
    LocalTensor<half> to[16];
    LocalTensor<float> in[16];
    LocalTensor<float> out[16];
    for (int i = 0; i < 16; ++i) {
        from[i] = y[16 * i];
        to[i] = x[16 * i];
        in[i] = f[8 * i];
        out[i] = g[8 * i];
    }
    TransDataTo5HD<half>(to, from, {false, false, 1, 0, 0});
    for (int i = 0; i < 256; ++i) {
        Expect(x.GetValue(i), float(i), i);
    }
    for (int i = 0; i < 128; ++i) {
        f.SetValue(i, i);
    }
    TransDataTo5HD<float>(out, in, {false, false, 1, 0, 0});
    for (int i = 0; i < 128; ++i) {
        Expect(g.GetValue(i), float(i % 16 * 8 + i / 16), i);
    }
}
