// Inside a repeat a tree of neighbours, over repeats in order: 2^24 swallows ones that come alone.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 128 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 8 * sizeof(float));
    LocalTensor<float> d = dBuf.Get<float>();
    TBuf<TPosition::VECCALC> wBuf;
    pipe.InitBuffer(wBuf, 64 * sizeof(float));
    LocalTensor<float> w = wBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, i == 0 ? 16777216.0f : i < 64 ? 0.0f : i < 66 ? 1.0f : 0.0f);
    }
    ReduceSum(d, x, w, 128);
    Expect(d.GetValue(0), 16777218.0f); // (1 + 1) first
    Expect(GetAccVal<float>(), 16777218.0f);
    x.SetValue(1, 1.0f);
    ReduceSum(d, x, w, 64);
    Expect(d.GetValue(0), 16777216.0f); // 2^24 + 1 is a tie, to even
    ReduceSum(d, x, w, 1);
    Expect(d.GetValue(0), 16777216.0f);
}
