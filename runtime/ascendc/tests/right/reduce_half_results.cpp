// Results of half: two bytes a repeat, a pair, or 16 for the data blocks of a repeat, and where dst may start.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 256);
    LocalTensor<half> x = xBuf.Get<half>(), d = dBuf.Get<half>();
    LocalTensor<uint16_t> index = dBuf.Get<uint16_t>();
    for (int i = 0; i < 256; ++i) {
        x.SetValue(i, half(float(i % 128 == 37 ? 100 + i / 128 : i % 16)));
    }
    const auto clear = [&] { Duplicate(d, half(-9.0f), 128); };
    clear();
    BlockReduceMax(d[8], x, 2, 128, 1, 1, 8);
    for (int i = 0; i < 16; ++i) {
        Expect(d.GetValue(8 + i), i % 8 == 2 ? 100.0f + i / 8 : 15.0f, i);
    }
    Expect(d.GetValue(7), -9.0f);
    Expect(d.GetValue(24), -9.0f);
    clear();
    WholeReduceSum(d[1], x, 16, 2, 3, 1, 8);
    Expect(d.GetValue(1), 120.0f);
    Expect(d.GetValue(2), -9.0f);
    Expect(d.GetValue(4), 120.0f);
    clear();
    WholeReduceMax(d[2], x, 128, 2, 2, 1, 8);
    Expect(d.GetValue(2), 100.0f);
    Expect(index.GetValue(3), 37);
    Expect(d.GetValue(6), 101.0f);
    Expect(index.GetValue(7), 37);
    clear();
    WholeReduceMin(d[2], x, 128, 2, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE);
    Expect(index.GetValue(2), 0);
    Expect(d.GetValue(3), 0.0f);
    Expect(index.GetValue(4), 0);
    Expect(d.GetValue(6), -9.0f);
    clear();
    WholeReduceMax(d[1], x, 128, 2, 2, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    Expect(d.GetValue(1), 100.0f);
    Expect(d.GetValue(2), -9.0f);
    Expect(d.GetValue(3), 101.0f);
    clear();
    WholeReduceMax(d[2], x, 128, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
    Expect(dBuf.Get<uint32_t>().GetValue(1), 37u);
    Expect(dBuf.Get<uint32_t>().GetValue(2), 37u);
    Expect(d.GetValue(6), -9.0f);
    clear();
    PairReduceSum(d, x, 2, 3, 1, 1, 8);
    Expect(d.GetValue(0), 1.0f);
    Expect(d.GetValue(1), 2.0f);
    Expect(d.GetValue(2), -9.0f);
    Expect(d.GetValue(64), 1.0f);
    Expect(d.GetValue(65), 2.0f);
}
