// Reductions of the last axis and of the first one of 2 x 5 and 5 x 9 elements, whose rows are padded to whole data blocks. What lies in
// the padding takes no part, and with isReuseSource the source has no value afterwards.
#include "check.h"
using namespace AscendC;
using Pattern::Reduce::AR;
using Pattern::Reduce::RA;

template <typename T>
__aicore__ inline void Fill(const LocalTensor<T> &x)
{
    Duplicate(x, T(0.0f), x.GetSize());
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 5; ++j) {
            x.SetValue(i * (32 / sizeof(T)) + j, T(i == 0 ? float(j + 1) : 0.5f - float(j)));
        }
        x.SetValue(i * (32 / sizeof(T)) + 5, T(100.0f));
    }
}

template <typename T>
__aicore__ inline void Ends(const LocalTensor<T> &y, const LocalTensor<T> &x)
{
    const uint32_t shape[] = {2, 5};
    Fill(x);
    ReduceMax<T, AR>(y, x, shape, true);
    Expect(y.GetValue(0), 5.0f);
    Expect(y.GetValue(1), 0.5f);
    ReduceMin<T, AR, true>(y, x, shape, true);
    Expect(y.GetValue(0), 1.0f);
    Expect(y.GetValue(1), -3.5f);
    Fill(x);
    ReduceMax<T, RA, true>(y, x, shape, true);
    Expect(y.GetValue(0), 1.0f);
    Expect(y.GetValue(4), 5.0f);
    Fill(x);
    ReduceMin<T, RA>(y, x, shape, true);
    Expect(y.GetValue(0), 0.5f);
    Expect(y.GetValue(4), -3.5f);
}

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 2048);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Ends(y, x);
    Ends(y.ReinterpretCast<half>(), x.ReinterpretCast<half>());

    uint32_t shape[] = {2, 5};
    Fill(x);
    ReduceSum<float, AR>(y, x, tmp, shape, true);
    Expect(y.GetValue(0), 15.0f);
    Expect(y.GetValue(1), -7.5f);
    ReduceMean<float, AR>(y, x, tmp, shape, true);
    Expect(y.GetValue(0), 3.0f);
    Expect(y.GetValue(1), -1.5f);
    ReduceProd<float, AR>(y, x, tmp, shape, true);
    Expect(y.GetValue(0), 120.0f);
    Expect(y.GetValue(1), 0.5f * -0.5f * -1.5f * -2.5f * -3.5f);
    ReduceSum<float, RA>(y, x, tmp, shape, true);
    Expect(y.GetValue(0), 1.5f);
    Expect(y.GetValue(4), 1.5f);
    ReduceMean<float, RA>(y, x, shape, true);
    Expect(y.GetValue(0), 0.75f);
    ReduceProd<float, RA, true>(y, x, shape, true);
    Expect(y.GetValue(1), -1.0f);

    // 5 x 9: a row takes two data blocks.
    shape[0] = 5;
    shape[1] = 9;
    Duplicate(x, 0.0f, 80);
    for (int i = 0; i < 5; ++i) {
        x.SetValue(i * 16 + 8, float(i));
    }
    ReduceSum<float, RA>(y, x, shape, true);
    Expect(y.GetValue(7), 0.0f);
    Expect(y.GetValue(8), 10.0f);

    Duplicate(x, 0.0f, 80);
    x.SetValue(16, 1.0f);
    ReduceAny<float, AR>(y, x, shape, true);
    Expect(y.GetValue(0), 0.0f);
    Expect(y.GetValue(1), 1.0f);
    ReduceAll<float, RA>(y, x, shape, true);
    Expect(y.GetValue(0), 0.0f);
    LocalTensor<uint8_t> b = x.ReinterpretCast<uint8_t>(), c = y.ReinterpretCast<uint8_t>();
    Duplicate(x.ReinterpretCast<uint16_t>(), uint16_t(0x0101), 512);
    b.SetValue(32, 0);
    ReduceAll<uint8_t, AR>(c, b, tmp, shape, true);
    Expect(c.GetValue(0), 1);
    Expect(c.GetValue(1), 0);
    Expect(c.GetValue(4), 1);
    ReduceAny<uint8_t, RA>(c, b, shape, true);
    Expect(c.GetValue(0), 1);
}
