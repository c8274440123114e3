// Eight elements a repeat, each one data block.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 16 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> gBuf;
    pipe.InitBuffer(gBuf, 256 * sizeof(half));
    LocalTensor<half> g = gBuf.Get<half>();
    for (int i = 0; i < 16; ++i) {
        a.SetValue(i, i);
    }
    for (int i = 0; i < 16; ++i) {
        h.SetValue(i, half(i));
    }
    Brcb(b, a, 2, {1, 8});
    for (int i = 0; i < 128; ++i) {
        Expect(b.GetValue(i), float(i / 8), i);
    }
    Brcb(g, h, 2, {1, 8});
    for (int i = 0; i < 256; ++i) {
        Expect(g.GetValue(i), float(i / 16), i);
    }
}
