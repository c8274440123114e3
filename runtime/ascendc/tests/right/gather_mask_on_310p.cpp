// On Atlas inference products the number of counter mode is of all repeats, which follow from it.
// chip: ascend310p3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(yBuf, 1024);
    LocalTensor<int32_t> x = xBuf.Get<int32_t>(), y = yBuf.Get<int32_t>();
    for (int i = 0; i < 256; ++i) {
        x.SetValue(i, i);
    }
    Duplicate(y, -9, 256);
    uint64_t got = 0;
    GatherMask(y, x, 2, true, 100, {1, 1, 16, 0}, got);
    Expect(got, 50u);
    for (int i = 0; i < 50; ++i) {
        Expect(y.GetValue(i), i / 32 * 128 + i % 32 * 2 + 1, i);
    }
    Expect(y.GetValue(50), -9);
}
