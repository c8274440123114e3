// One result a repeat, in the four orders.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 128 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 16 * sizeof(float));
    LocalTensor<float> d = dBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, i % 64 == 9 ? 1000.0f + i : float(i % 64));
    }
    WholeReduceMax(d, x, 64, 2, 1, 1, 8);
    Expect(d.GetValue(0), 1009.0f);
    Expect(d.ReinterpretCast<uint32_t>().GetValue(1), 9u);
    Expect(d.GetValue(2), 1073.0f);
    WholeReduceMax(d, x, 64, 2, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE);
    Expect(d.GetValue(1), 1009.0f);
    WholeReduceMax(d, x, 64, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    Expect(d.GetValue(1), 1073.0f);
    WholeReduceMin(d, x, 64, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
    Expect(d.ReinterpretCast<uint32_t>().GetValue(1), 0u);
    WholeReduceSum(d, x, 3, 2, 1, 1, 8);
    Expect(d.GetValue(0), 3.0f);
    RepeatReduceSum(d, x, 2, 4, 0, 1, 2, 8);
    Expect(d.GetValue(2), 6.0f);
    ReduceRepeat<ReduceType::SUM>(d, x, 3, 2, 1, 1, 8);
    Expect(d.GetValue(1), 3.0f);
}
