// Sort32 and MrgSort: falling, equal scores in order.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 64 * sizeof(uint32_t));
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 128 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    TBuf<TPosition::VECCALC> zBuf;
    pipe.InitBuffer(zBuf, 128 * sizeof(float));
    LocalTensor<float> z = zBuf.Get<float>();
    for (int i = 0; i < 64; ++i) {
        x.SetValue(i, i % 32 == 5 ? 31.0f : float(i % 32));
    }
    for (int i = 0; i < 64; ++i) {
        n.SetValue(i, i);
    }
    Sort32(y, x, n, 2);
    Expect(y.GetValue(0), 31.0f);
    Expect(y.ReinterpretCast<uint32_t>().GetValue(1), 5u);
    Expect(y.ReinterpretCast<uint32_t>().GetValue(3), 31u);
    Expect(y.GetValue(62), 0.0f);
    const uint16_t lengths[4] = {32, 32, 0, 0};
    MrgSort(z, MrgSortSrcList<float>(y, y[64], y, y), MrgSort4Info(lengths, false, 3, 1));
    Expect(z.GetValue(0), 31.0f);
    Expect(z.ReinterpretCast<uint32_t>().GetValue(1), 5u);
    Expect(z.ReinterpretCast<uint32_t>().GetValue(3), 31u);
    Expect(z.ReinterpretCast<uint32_t>().GetValue(5), 37u);
    Expect(z.GetValue(126), 0.0f);
    uint16_t a, b, c, d;
    GetMrgSortResult(a, b, c, d);
    Expect(a, 32);
    Expect(b, 32);
}
