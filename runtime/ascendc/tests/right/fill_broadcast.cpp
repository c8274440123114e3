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
    // Names of both releases; rows that are no whole data blocks; one element; all of it.
    const uint32_t odd[] = {5, 3};
    const uint32_t five[] = {5, 1};
    Broadcast<float, 2, 1>(y, c, odd, five);
    for (int i = 0; i < 15; ++i) {
        Expect(y.GetValue(i), float(i / 3), i);
    }
    const uint32_t one[] = {1, 1};
    Broadcast<float, 2, 0>(y, c[0], whole, one);
    Expect(y.GetValue(127), 0.0f);
    Broadcast<float, 2, 1>(y, r, row, row);
    Expect(y.GetValue(15), 15.0f);
    // Bytes go through half, and take room for it.
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(wideBuf, 1024);
    LocalTensor<uint8_t> room = wideBuf.Get<uint8_t>();
    LocalTensor<int8_t> from = c.ReinterpretCast<int8_t>(), to = y.ReinterpretCast<int8_t>();
    for (int i = 0; i < 8; ++i) {
        from.SetValue(i, static_cast<int8_t>(-i));
    }
    Broadcast<int8_t, 2, 1>(to, from, whole, column, room);
    for (int i = 0; i < 128; ++i) {
        Expect(to.GetValue(i), -(i / 16), i);
    }
    const uint32_t eight[] = {8};
    const uint32_t single[] = {1};
    BroadCast<float, 1, 0>(y, r, eight, single);
    Expect(y.GetValue(7), 0.0f);
}
