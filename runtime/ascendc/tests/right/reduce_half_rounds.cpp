// Sums of half are rounded after each addition.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 128 * sizeof(half));
    LocalTensor<half> x = xBuf.Get<half>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 16 * sizeof(half));
    LocalTensor<half> d = dBuf.Get<half>();
    TBuf<TPosition::VECCALC> wBuf;
    pipe.InitBuffer(wBuf, 128 * sizeof(half));
    LocalTensor<half> w = wBuf.Get<half>();
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, half(i == 0 ? 2048.0f : 1.0f));
    }
    ReduceSum(d, x, w, 2);
    Expect(d.GetValue(0), 2048.0f);
    ReduceSum(d, x, w, 4);
    Expect(d.GetValue(0), 2050.0f);
    ReduceMax(d, x, w, 128, true);
    Expect(d.GetValue(0), 2048.0f);
    Expect(d.ReinterpretCast<uint16_t>().GetValue(1), 0);
}
