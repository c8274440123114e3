// BroadCast of a column and of a row.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 8 * sizeof(float));
    LocalTensor<float> c = cBuf.Get<float>();
    TBuf<TPosition::VECCALC> rBuf;
    pipe.InitBuffer(rBuf, 16 * sizeof(float));
    LocalTensor<float> r = rBuf.Get<float>();
    TBuf<TPosition::VECCALC> yBuf;
    pipe.InitBuffer(yBuf, 128 * sizeof(float));
    LocalTensor<float> y = yBuf.Get<float>();
    TBuf<TPosition::VECCALC> tBuf;
    pipe.InitBuffer(tBuf, 256 * sizeof(uint8_t));
    LocalTensor<uint8_t> t = tBuf.Get<uint8_t>();
    for (int i = 0; i < 8; ++i) {
        c.SetValue(i, i);
    }
    for (int i = 0; i < 16; ++i) {
        r.SetValue(i, i);
    }
    const uint32_t whole[] = {8, 16};
    const uint32_t column[] = {8, 1};
    const uint32_t row[] = {1, 16};
    BroadCast<float, 2, 1>(y, c, whole, column);
    for (int i = 0; i < 128; ++i) {
        Expect(y.GetValue(i), float(i / 16), i);
    }
    BroadCast<float, 2, 0>(y, r, whole, row, t);
    for (int i = 0; i < 128; ++i) {
        Expect(y.GetValue(i), float(i % 16), i);
    }
}
