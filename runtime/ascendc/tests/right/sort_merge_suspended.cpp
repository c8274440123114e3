// A merge that stops at the end of a list writes what it has merged by then: dst need not hold the lists whole.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, yBuf, zBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    pipe.InitBuffer(nBuf, 64 * sizeof(uint32_t));
    pipe.InitBuffer(yBuf, 128 * sizeof(float));
    pipe.InitBuffer(zBuf, 64 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>(), z = zBuf.Get<float>();
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>();
    // 100 to 131, then 0 to 31: the first list is merged before the second begins.
    for (int i = 0; i < 64; ++i) {
        x.SetValue(i, i < 32 ? float(100 + i) : float(i - 32));
        n.SetValue(i, i);
    }
    Sort32(y, x, n, 2);
    const uint16_t lengths[4] = {32, 32, 0, 0};
    MrgSort(z, MrgSortSrcList<float>(y, y[64], y, y), MrgSort4Info(lengths, true, 3, 1));
    Expect(z.GetValue(0), 131.0f);
    Expect(z.GetValue(62), 100.0f);
    uint16_t a, b, c, d;
    GetMrgSortResult(a, b, c, d);
    Expect(a, 32);
    Expect(b, 0);
}
