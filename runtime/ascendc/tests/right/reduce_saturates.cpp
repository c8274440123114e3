// Saturating reductions of half: each result and each sum is clamped, and nan becomes 0 (edge table of ReduceDataBlock).
// option: saturate 1
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 32);
    pipe.InitBuffer(dBuf, 32);
    LocalTensor<half> x = xBuf.Get<half>(), d = dBuf.Get<half>();
    const float inf = 1.0f / 0.0f;
    const struct {
        float rest, last, sum, max, min;
    } rows[] = {{65504, 65504, 65504, 65504, 65504}, {inf, inf, 65504, 65504, 65504}, {-inf, -inf, -65504, -65504, -65504},
        {1, inf - inf, 14, 0, 0}};
    for (const auto &row : rows) {
        for (int i = 0; i < 16; ++i) {
            x.SetValue(i, half(i == 15 ? row.last : row.rest));
        }
        BlockReduceSum(d, x, 1, 16, 1, 1, 8);
        Expect(d.GetValue(0), row.sum);
        BlockReduceMax(d, x, 1, 16, 1, 1, 8);
        Expect(d.GetValue(0), row.max);
        BlockReduceMin(d, x, 1, 16, 1, 1, 8);
        Expect(d.GetValue(0), row.min);
        WholeReduceMax(d, x, 16, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        Expect(d.GetValue(0), row.max);
    }
}
