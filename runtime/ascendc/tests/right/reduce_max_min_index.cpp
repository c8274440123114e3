// Values, indices as bits, ties to the first, nan.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 200 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 8 * sizeof(float));
    LocalTensor<float> d = dBuf.Get<float>();
    TBuf<TPosition::VECCALC> wBuf;
    pipe.InitBuffer(wBuf, 64 * sizeof(float));
    LocalTensor<float> w = wBuf.Get<float>();
    for (int i = 0; i < 200; ++i) {
        x.SetValue(i, i % 50);
    }
    ReduceMax(d, x, w, 200, true);
    Expect(d.GetValue(0), 49.0f);
    Expect(d.ReinterpretCast<uint32_t>().GetValue(1), 49u);
    ReduceMin(d, x, w, 200, true);
    Expect(d.GetValue(0), 0.0f);
    Expect(d.ReinterpretCast<uint32_t>().GetValue(1), 0u);
    x.SetValue(150, -3.0f);
    ReduceMin(d, x, w, 200);
    Expect(d.GetValue(0), -3.0f);
    float value;
    float index;
    GetReduceMaxMinCount(value, index);
    Expect(value, -3.0f);
    uint32_t bits;
    __builtin_memcpy(&bits, &index, 4);
    Expect(bits, 150u);
    x.SetValue(7, 0.0f / 0.0f);
    ReduceMax(d, x, w, 200);
    Expect(d.GetValue(0), 0.0f / 0.0f);
}
